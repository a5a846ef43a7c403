//! Every tolerance, formulation, integrator and speed: 13 000 runs, a test for each model.

use super::models::all;
use super::{Ended, TOLERANCES, judged, speeds, ways};
use crate::support::read;

fn assert_kept(name: &str) {
    let branch = all().into_iter().find(|it| it.name == name).unwrap();
    let (mut right, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for s in speeds(20) {
        let mechanism = read(&(branch.model)(s)).unwrap();
        let wanted = (branch.end)(s);
        for options in TOLERANCES.into_iter().flat_map(ways) {
            match judged(&branch, &mechanism, (s, &wanted), &options) {
                Ended::Right => right += 1,
                Ended::Refused => refused.push(format!("{s} {options:?}")),
                Ended::Wrong(how) => wrong.push(how),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // One in fifty: implicit steps at tolerances next to rounding.
    assert!(
        refused.len() * 50 <= right,
        "{} of {} refused:\n{}",
        refused.len(),
        right + refused.len(),
        refused.join("\n")
    );
}

macro_rules! every_run {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            #[ignore = "thorough: 1440 runs"]
            fn $test() {
                assert_kept($name);
            }
        )*

        /// No model is left out.
        #[test]
        fn every_model_has_a_test() {
            let names: Vec<&str> = all().iter().map(|branch| branch.name).collect();
            assert_eq!(names, [$($name),*]);
        }
    };
}

every_run! {
    lemniscate: "lemniscate",
    node: "node",
    cross: "cross",
    slider_crank: "slider-crank",
    parallelogram: "parallelogram",
    one_parallelogram: "one parallelogram",
    three_parallelograms: "three parallelograms",
    two_in_places: "two in places",
    iftomm_a02: "IFToMM A02",
}
