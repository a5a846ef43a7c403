//! Thirty digits: linear equations, and states that meet rows.

use dalembert_expr::normal::precise::Number;
use dalembert_mechanics::{Mechanism, model};
use dalembert_symbolic::precise::{Line, Precise, far_away, solve, states};

fn lines(entries: &[&[f64]]) -> Vec<Line> {
    let line = |row: &&[f64]| Line {
        entries: row.iter().map(|&x| Number::from(x)).collect(),
        doubt: 0.0,
        error: 1e-30,
    };
    entries.iter().map(line).collect()
}

#[test]
fn a_regular_system_is_solved_to_all_digits() {
    let found = solve(lines(&[&[3.0, 1.0, 2.0], &[1.0, 7.0, 1.0]]), 2, 0.0);
    let twentieth = Number::ONE / Number::from(20.0);
    let [x, y] = [13.0, 1.0].map(|n| Number::from(n) * twentieth);
    assert!((found.x[0] - x).size() < 1e-31 && (found.x[1] - y).size() < 1e-31);
    assert_eq!(found.unique, [true, true]);
    // The inverse has entries up to 7/20; elimination loses as much as the right sides have.
    assert!(found.errors.iter().all(|error| *error < 1e-29));
}

#[test]
fn what_is_not_determined_is_told() {
    // x + y = 1 twice, z = 3.
    let twice = lines(&[
        &[1.0, 1.0, 0.0, 1.0],
        &[2.0, 2.0, 0.0, 2.0],
        &[0.0, 0.0, 1.0, 3.0],
    ]);
    let found = solve(twice, 3, 0.0);
    assert_eq!(found.unique, [false, false, true]);
    assert!((found.x[2] - Number::from(3.0)).size() < 1e-30);
}

/// A pivot far below double precision is one, and what depends on an unknown only a little depends on it.
#[test]
fn small_numbers_are_numbers() {
    let light = lines(&[&[1.0, 1.0, 1.0], &[1.0, 1.0 + 1e-15, 1.0]]);
    assert_eq!(solve(light, 2, 0.0).unique, [true, true]);
    let open = lines(&[&[1.0, 1e-22, 1.0]]);
    assert_eq!(solve(open, 2, 0.0).unique, [false, false]);
}

/// What elimination loses of one b is an error of all that are found together.
#[test]
fn a_zero_has_the_error_of_its_neighbours() {
    let found = solve(lines(&[&[1.0, 3.0, 1.0], &[0.0, 7.0, 0.0]]), 2, 0.0);
    assert!(found.errors[1] >= 1e-30);
    let mut exact = lines(&[&[3.0, 1.0, 1e-32], &[0.0, 7.0, 0.0]]);
    exact.iter_mut().for_each(|line| line.error = 0.0);
    let found = solve(exact, 2, 0.0);
    assert!(found.errors[1] > 1e-63 && found.errors[1] < 1e-60);
}

/// An error of b is as large in x as the inverse makes it.
#[test]
fn errors_grow_as_the_inverse_does() {
    let found = solve(lines(&[&[1.0, 1.0, 0.0], &[1.0, 1.0 + 1e-6, 0.0]]), 2, 0.0);
    assert!(found.errors[0] > 1e-25 && found.errors[0] < 1e-23);
}

/// What is zero at the start is as large as the rest elsewhere, in any units.
#[test]
fn states_are_as_large_as_the_motion() {
    for size in [1e-6, 1.0, 1e6] {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = {size}\ny = 0\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             potential = \"(x^2 + y^2)/2\"\n[run]\nspan = 1\n"
        );
        let (model, _) = model::read(&text).unwrap();
        let mechanism = Mechanism::new(model).unwrap();
        let start = mechanism.start().unwrap().state;
        let precise = Precise::new(&mechanism);
        let mut found = states(&precise, &mechanism, &start, None);
        assert!(found.len() > 12);
        for state in found.drain(..) {
            let largest = state.coordinates.iter().chain(&state.rates);
            let largest = largest.fold(0.0, |most: f64, x| most.max(x.abs()));
            assert!(largest < 10.0 * size, "{size}: {state:?}");
        }
        assert!(far_away(&precise, &start).len() > 12);
    }
}
