//! Functions made of tables: tape, lanes, native code and C give the same bits.

use crate::c_library::CLibrary;
use crate::every_table::{arguments, program};

#[test]
fn tables_are_the_same_everywhere() {
    let program = program();
    let native = program.clone();
    assert_eq!(native.make_native(), cfg!(feature = "jit"));
    let library = CLibrary::new("tables", &program.to_c("tables"));
    let states = arguments();
    let count = program.output_count();
    for eight in states.as_chunks::<8>().0 {
        let [mut tape, mut ours] = [vec![0.0; 8 * count], vec![0.0; 8 * count]];
        program
            .tape()
            .eval::<8>(&mut program.tape().workspace(), eight, &mut tape);
        native.eval::<8>(&mut native.workspace(), eight, &mut ours);
        let bits = |numbers: &[f64]| -> Vec<u64> {
            let plain = numbers
                .iter()
                .map(|x| if x.is_nan() { f64::NAN } else { *x });
            plain.map(f64::to_bits).collect()
        };
        assert_eq!(bits(&tape), bits(&ours));
        for (lane, &x) in eight.iter().enumerate() {
            let [mut one, mut single, mut c] = [0; 3].map(|_| vec![0.0; count]);
            program
                .tape()
                .eval::<1>(&mut program.tape().workspace(), &[x], &mut one);
            native.eval::<1>(&mut native.workspace(), &[x], &mut single);
            library.eval("tables", &[x], &mut c);
            let of_lane: Vec<f64> = tape.iter().skip(lane).step_by(8).copied().collect();
            for other in [&single, &c, &of_lane] {
                assert_eq!(bits(&one), bits(other), "at {x}");
            }
        }
    }
}
