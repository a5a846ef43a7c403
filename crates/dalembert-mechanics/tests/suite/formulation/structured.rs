//! Systems of small whole numbers, where ranks drop by themselves: every route decides the same.

use super::system::System;
use super::{difference, motion};
use dalembert_mechanics::formulation::{Formulation, Motion};

/// Small systems of condition up to about 1e3.
const SAME: f64 = 1e-12;
/// How the force of dependent rows is shared hangs on their lengths, measured by a penalty on massless speeds.
const SHARED: f64 = 1e-8;
/// Udwadia and Kalaba's formula squares the condition on massless speeds.
const SQUARED: f64 = 1e-7;

/// Rows of −2 … 2, most of them zero; masses 0 … 3 without coupling; right sides that can be met.
fn whole_numbers(rng: &mut fastrand::Rng) -> System {
    let (nv, nc) = (rng.usize(1..8), rng.usize(0..8));
    let mut mass = vec![0.0; nv * nv];
    (0..nv).for_each(|j| mass[j * nv + j] = f64::from(rng.i32(0..4)));
    let entry = |rng: &mut fastrand::Rng| match rng.bool() {
        true => 0.0,
        false => f64::from(rng.i32(-2..3)),
    };
    let mut whole = |count: usize| -> Vec<f64> { (0..count).map(|_| entry(rng)).collect() };
    let (rows, goal) = (whole(nc * nv), whole(nv));
    let mut system = System {
        M: mass,
        h: whole(nv),
        A: rows,
        b: Vec::new(),
        w: whole(nv),
    };
    let reach = |row: &[f64]| row.iter().zip(&goal).map(|(a, v)| a * v).sum();
    system.b = system.A.chunks_exact(nv).map(reach).collect();
    system
}

#[test]
fn ranks_and_motions_agree_where_numbers_are_whole() {
    let mut rng = fastrand::Rng::with_seed(71);
    let (mut solved, mut dropped, mut refused) = (0, 0, 0);
    for _ in 0..4000 {
        let system = whole_numbers(&mut rng);
        let found = Formulation::ALL.map(|route| motion(route, &system));
        let [first, others @ ..] = &found;
        let Ok(first) = first else {
            assert!(others.iter().all(Result::is_err), "{system:?}");
            refused += 1;
            continue;
        };
        solved += 1;
        dropped += usize::from(first.rank < system.nc());
        for (route, other) in Formulation::ALL[1..].iter().zip(others) {
            let other = other
                .as_ref()
                .unwrap_or_else(|e| panic!("{route}: {e:?}: {system:?}"));
            assert_eq!((first.rank, &first.rows), (other.rank, &other.rows));
            // Whole numbers may well add up to nothing: differences are measured by one at least.
            let compare = |parts: fn(&Motion) -> Vec<f64>, same: f64| {
                let apart = difference(&parts(first), &parts(other));
                assert!(apart <= same, "{route} {apart:e}: {system:?}");
            };
            let massless = (0..system.nv()).any(|j| system.M[j * (system.nv() + 1)] == 0.0);
            let squared = *route == Formulation::UdwadiaKalaba && massless;
            compare(motions, if squared { SQUARED } else { SAME });
            compare(multipliers, if squared { SQUARED } else { SHARED });
        }
    }
    assert!(
        solved > 1000 && dropped > 500 && refused > 500,
        "{solved} {dropped} {refused}"
    );
}

fn motions(motion: &Motion) -> Vec<f64> {
    let forces = [&motion.force_ideal[..], &motion.force_nonideal];
    [&[1.0], &motion.acceleration[..], forces[0], forces[1]].concat()
}

fn multipliers(motion: &Motion) -> Vec<f64> {
    [&[1.0], &motion.multipliers[..], &motion.multipliers_ideal].concat()
}
