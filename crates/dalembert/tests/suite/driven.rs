//! Models that someone else drives: inputs, steps, many variants, and the state at every time.

use dalembert::simulate::RunOptions;
use dalembert::{Model, Source};
use std::ops::ControlFlow;

const PENDULUM: &str = "dalembert = 1\n[parameters]\nl = 1\ng = 9.81\n[inputs]\nu = 0\n[coordinates]\na = 0.5\n\
    [energy]\nkinetic = \"l^2*a'^2/2\"\npotential = \"-g*l*cos(a)\"\n[force.motor]\ngeneralized = { a = \"u\" }\n[run]\nspan = 2\n";

fn read(text: &str) -> Model {
    Model::read(Source::new("model", text)).unwrap()
}

fn close(found: &[f64], expected: &[f64], by: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < by, "{found} is not {expected}");
    }
}

/// The run to one end with fixed inputs, and on from there with others, is what steps give.
#[test]
fn steps_with_inputs_are_runs() {
    let mut simulator = read(PENDULUM).simulator(&RunOptions::default()).unwrap();
    assert!(simulator.is_fast());
    let u = simulator.input("u").unwrap();
    (0..10).for_each(|_| simulator.step(0.05, &[(u, 2.0)]).unwrap());
    simulator.step(0.5, &[(u, -1.0)]).unwrap();
    let first = read(PENDULUM)
        .set("u", "2")
        .unwrap()
        .option("--span", "0.5");
    let first = first.unwrap().run(&RunOptions::default()).unwrap();
    let rest = read(PENDULUM).set("u", "-1").unwrap();
    let rest = rest.set("a", &format!("{:?}", first.end["a"])).unwrap();
    let rest = rest.set("a'", &format!("{:?}", first.end["a'"])).unwrap();
    let rest = rest.option("--span", "0.5").unwrap();
    let rest = rest.run(&RunOptions::default()).unwrap();
    let found = [simulator.coordinates(), simulator.rates()].concat();
    close(&found, &[rest.end["a"], rest.end["a'"]], 1e-7);
    simulator.reset().unwrap();
    close(simulator.coordinates(), &[0.5], 1e-15);
    assert_eq!(simulator.inputs().collect::<Vec<_>>(), [("u", -1.0)]);
}

#[test]
fn inputs_are_refused_where_their_rates_are_needed() {
    let cases = [
        ("l = 1", "l = 1\nk = \"2*u\""),
        ("l^2*a'^2/2", "u*a'^2/2"),
        ("[run]", "[constraint.c]\nholds = \"a = u\"\n[run]"),
    ];
    for (from, to) in cases {
        let error = read(&PENDULUM.replace(from, to)).check().unwrap_err();
        assert_eq!(error.diagnostics[0].code, "E0498", "{to}");
    }
    // A velocity may follow one.
    let text = PENDULUM.replace("[run]", "[constraint.c]\nholds = \"a' = u\"\n[run]");
    assert!(read(&text).check().is_ok());
}

/// A state between samples is that of a run which has a sample there.
#[test]
fn the_trail_is_the_motion() {
    let dense = RunOptions {
        dense: true,
        samples: Some(2),
        ..RunOptions::default()
    };
    let model = read(PENDULUM);
    let run = model.run(&dense).unwrap();
    let trail = run.trail.unwrap();
    let exact = model.run(&RunOptions::default()).unwrap();
    let columns = exact.table.columns();
    for sample in (0..exact.table.rows()).step_by(37) {
        let state = trail.at(columns[0].values[sample]).unwrap();
        let expected = [columns[1].values[sample], columns[2].values[sample]];
        close(&state, &expected, 1e-8);
    }
    assert!(trail.at(2.1).is_none());
}

/// Variants are runs, whatever the number of threads; those that nature does not allow say so.
#[test]
fn variants_are_runs() {
    let model = read(PENDULUM);
    let lengths: Vec<f64> = (0..20).map(|i| 0.5 + f64::from(i) / 10.0).collect();
    let options = RunOptions {
        samples: Some(2),
        ..RunOptions::default()
    };
    let many = |threads| {
        let go_on = |_| ControlFlow::Continue(());
        let names = ["l".to_owned()];
        let found = model.run_many(&names, (&lengths, lengths.len()), &options, threads, go_on);
        found.unwrap()
    };
    let (one, two) = (many(1), many(2));
    assert_eq!(one.states, two.states);
    assert_eq!(one.in_lanes, lengths.len());
    for (i, length) in lengths.iter().enumerate().step_by(7) {
        let run = read(PENDULUM).set("l", &format!("{length:?}")).unwrap();
        let end = run.run(&RunOptions::default()).unwrap().end;
        close(&one.states[i * 4 + 2..][..2], &[end["a"], end["a'"]], 1e-7);
    }
    let names = ["l".to_owned(), "a'".to_owned()];
    let go_on = |_| ControlFlow::Continue(());
    let values = ([1.0, 0.0, 0.0, 0.0], 2);
    let found = model.run_many(&names, (&values.0, values.1), &options, 2, go_on);
    let found = found.unwrap();
    assert_eq!(found.runs[0].status, "done");
    assert!(
        found.runs[1].reason.is_some(),
        "a pendulum without length has no inertia"
    );
}
