//! Functions made of tables: tape, lanes, native code and C give the same bits.

use crate::c_library::CLibrary;
use dalembert_expr::table::{Beyond, Interpolation, Label, Table, TableFunction, Taken};
use dalembert_expr::{Graph, SymbolKind};
use dalembert_program::compile;
use std::sync::Arc;

#[test]
fn tables_are_the_same_everywhere() {
    let mut graph = Graph::new();
    let x = graph.symbol("x", SymbolKind::Parameter);
    let by = graph.as_symbol(x).expect("a symbol");
    let arguments: Vec<f64> = (0..50)
        .map(|k| 0.3 * f64::from(k) + 0.01 * f64::from(k % 7))
        .collect();
    let values: Vec<f64> = arguments
        .iter()
        .map(|x| (1.3 * x).sin() - 0.2 * x)
        .collect();
    let mut outputs = Vec::new();
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        for beyond in [Beyond::Refused, Beyond::Hold, Beyond::Line] {
            let label = Label {
                file: "f.csv".into(),
                column: "y".into(),
                interpolation,
                beyond,
            };
            let table = Arc::new(Table::new(label, &arguments, &values).expect("a table"));
            let orders = (0..4).map(Taken::Derivative);
            for taken in orders.chain([Taken::Sides]) {
                let table = Arc::clone(&table);
                outputs.push(graph.table(&TableFunction { table, taken }, x));
            }
        }
    }
    let program = compile(&graph, &[by], &outputs).expect("all symbols are inputs");
    let native = program.clone();
    assert_eq!(native.make_native(), cfg!(feature = "jit"));
    let library = CLibrary::new("tables", &program.to_c("tables"));
    let states: Vec<f64> = (0..200)
        .map(|k| -0.7 + 0.09 * f64::from(k))
        .chain(arguments)
        .chain([f64::NAN, f64::INFINITY, -1e300, 0.0, -0.0, 1e-310])
        .collect();
    let count = outputs.len();
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
