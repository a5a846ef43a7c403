//! What `check` says is constant stays so along runs: momenta along symmetries, and what rows of velocities keep.

use crate::support::{assert_close, at, mechanism, names, ran, read};
use dalembert_doctor::{Doctor, examine, held};
use dalembert_expr::calculus::gradient;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{ExprId, Graph};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;

/// Everything that is constant, as expressions.
fn constants(mechanism: &Mechanism, doctor: &Doctor) -> (Graph, Vec<ExprId>) {
    let system = &mechanism.system;
    let mut graph = doctor.graph.clone();
    let momenta = gradient(&mut graph, system.kinetic, &system.symbols.rates);
    let mut all = doctor.diagnosis.integrals.clone();
    for symmetry in &doctor.conserved.momenta {
        let mut sum = graph.integer(0);
        for &(k, constant) in &symmetry.shifts {
            let part = graph.mul(constant, momenta[k]);
            sum = graph.add(sum, part);
        }
        for &((i, j), constant) in &symmetry.turns {
            let [a, b] = [i, j].map(|k| graph.symbol_node(system.symbols.coordinates[k]));
            let (left, right) = (graph.mul(a, momenta[j]), graph.mul(b, momenta[i]));
            let turn = graph.sub(left, right);
            let part = graph.mul(constant, turn);
            sum = graph.add(sum, part);
        }
        all.push(sum);
    }
    (graph, all)
}

#[test]
fn what_is_said_to_be_constant_is() {
    let (mut found, mut wrong) = (0, Vec::new());
    for name in names() {
        let mechanism = mechanism(&name);
        let Ok(start) = mechanism.start() else {
            continue;
        };
        let doctor = examine(&mechanism, &start.state);
        let (graph, constants) = constants(&mechanism, &doctor);
        if constants.is_empty() {
            continue;
        }
        let run = ran(&mechanism, &at(1e-12)).unwrap();
        let end = State {
            t: run.t_end,
            coordinates: run.coordinates.clone(),
            rates: run.rates.clone(),
            ..start.state.clone()
        };
        let values = |state: &State| {
            let at = |symbol| Bounded::exact(Number::from(mechanism.value_of(symbol, state)));
            evaluate_bounded(&graph, &constants, at)
        };
        for (before, after) in values(&start.state).iter().zip(values(&end)) {
            found += 1;
            let change = (after.value - before.value).size();
            let size = before.size + after.size;
            // A step errs by 1e-12 of the motion, and there are thousands.
            if !change.is_finite() || change > 1e-9 * size {
                wrong.push(format!("{name}: {change:e} beside {size:e}"));
            }
        }
    }
    assert!(found >= 10, "{found}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A row that is held at position level has the multiplier of the row as written, and what it keeps constant does not drift.
#[test]
fn rows_in_disguise_do_not_drift() {
    for name in ["rolling-disk", "whipple-bicycle"] {
        let mechanism = mechanism(name);
        let start = mechanism.start().unwrap();
        let held = held(&mechanism, &start.state).unwrap();
        let doctor = examine(&mechanism, &start.state);
        let run = ran(&held, &at(1e-6)).unwrap();
        let end = State {
            t: run.t_end,
            coordinates: run.coordinates.clone(),
            rates: run.rates.clone(),
            ..start.state.clone()
        };
        let integrals = &doctor.diagnosis.integrals;
        let values = |state: &State| {
            let at = |symbol| Bounded::exact(Number::from(mechanism.value_of(symbol, state)));
            evaluate_bounded(&doctor.graph, integrals, at)
        };
        for (before, after) in values(&start.state).iter().zip(values(&end)) {
            let change = (after.value - before.value).size();
            assert!(
                change <= 1e-14 * (before.size + after.size),
                "{name}: {change:e}"
            );
        }
        let [ours, theirs] = [&mechanism, &held].map(|it| it.snapshot(&end).unwrap());
        assert_close(&theirs.multipliers, &ours.multipliers, 1e-10, name);
        assert_close(&theirs.accelerations, &ours.accelerations, 1e-10, name);
    }
}

/// A particle of mass one in a field V = 2 (x² + y²) + 3 z, with rows.
fn particle(rows: &[&str], more: &str) -> Mechanism {
    let mut text = "dalembert = 1\n[parameters]\nw = 0.7\n[coordinates]\nx = 0.71\ny = 0.43\nz = 0.3\n[start]\n\"x'\" = 0.8\n\"y'\" = { value = 0.5, priority = \"guess\" }\n\
                    \"z'\" = { value = 0, priority = \"guess\" }\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"2*(x^2 + y^2) + 3*z\"\n[run]\nspan = 300\n"
        .to_owned();
    for (k, row) in rows.iter().enumerate() {
        text += &format!("[constraint.c{k}]\nholds = \"{row} = 0\"\n");
    }
    read(&(text + more)).unwrap()
}

/// Rows that are multiples of differentials, or are such only together: what they keep constant drifts where they are integrated as they are written, and not
/// where they are held; and their multipliers are those of the rows as written, by closed forms.
#[test]
fn rows_with_factors_and_rows_together_do_not_drift() {
    let saddle = |q: &[f64], v: &[f64]| {
        // a = −∇V + μ n, n = ∇(z − x y), n·a = 2 x' y'
        let n = [-q[1], -q[0], 1.0];
        let pull = [4.0 * q[0], 4.0 * q[1], 3.0];
        let along = (0..3).map(|k| n[k] * pull[k]).sum::<f64>();
        let square = n.iter().map(|x| x * x).sum::<f64>();
        (2.0 * v[0] * v[1] + along) / square
    };
    let exponential = |q: &[f64], v: &[f64]| vec![saddle(q, v) * (-q[0]).exp()];
    // y' = w x', z' = y x': x'' (1 + y² + w²) = −4 x − y (3 + x' y') − 4 w y
    let together = |q: &[f64], v: &[f64]| {
        let w = 0.7;
        let x = (-4.0 * q[0] - q[1] * (3.0 + v[0] * v[1]) - 4.0 * w * q[1])
            / (1.0 + q[1] * q[1] + w * w);
        vec![q[1] * x + v[0] * v[1] + 3.0, w * x + 4.0 * q[1]]
    };
    // 2 y x'' + 3 x y'' = −5 x' y': the curve x² y³ = C.
    let power = |q: &[f64], v: &[f64]| {
        let square = 4.0 * q[1] * q[1] + 9.0 * q[0] * q[0];
        vec![(20.0 * q[0] * q[1] - 5.0 * v[0] * v[1]) / square * (-q[0]).exp()]
    };
    type Multipliers<'a> = &'a dyn Fn(&[f64], &[f64]) -> Vec<f64>;
    let cases: [(&str, &[&str], Multipliers<'_>); 3] = [
        ("a factor", &["exp(x)*(z' - y*x' - x*y')"], &exponential),
        ("together", &["z' - y*x'", "y' - w*x'"], &together),
        ("powers", &["exp(x)*(2*y*x' + 3*x*y')"], &power),
    ];
    for (name, rows, expected) in cases {
        // What no row holds does not fall.
        let more = match name {
            "powers" => "[force.lift]\ngeneralized = { z = \"3 - z\" }\n",
            _ => "",
        };
        let plain = particle(rows, more);
        let start = plain.start().unwrap();
        let held = held(&plain, &start.state).expect(name);
        let doctor = examine(&plain, &start.state);
        assert_eq!(doctor.held.len(), rows.len(), "{name}");
        let drift = |mechanism: &Mechanism| {
            let run = ran(mechanism, &at(1e-6)).unwrap();
            let end = State {
                t: run.t_end,
                coordinates: run.coordinates.clone(),
                rates: run.rates.clone(),
                ..start.state.clone()
            };
            let values = |state: &State| {
                let at = |symbol| Bounded::exact(Number::from(plain.value_of(symbol, state)));
                evaluate_bounded(&doctor.graph, &doctor.diagnosis.integrals, at)
            };
            let pairs = values(&start.state).into_iter().zip(values(&end));
            let drift = pairs.map(|(a, b)| (a.value - b.value).size() / (a.size + b.size));
            (drift.fold(0.0, f64::max), end)
        };
        let (as_written, _) = drift(&plain);
        let (kept, end) = drift(&held);
        assert!(kept <= 1e-14, "{name}: {kept:e}");
        assert!(
            as_written > 1e5 * kept.max(1e-16),
            "{name}: {as_written:e} against {kept:e}"
        );
        let [ours, theirs] = [&plain, &held].map(|it| it.snapshot(&end).unwrap());
        let expected = expected(&end.coordinates, &end.rates);
        assert_close(&theirs.multipliers, &ours.multipliers, 1e-10, name);
        assert_close(&theirs.multipliers, &expected, 1e-9, name);
        assert_close(&theirs.accelerations, &ours.accelerations, 1e-10, name);
        assert_eq!(theirs.multipliers.len(), rows.len());
    }
}

/// Held are rows that always hold, also where an event gives a blow: a blow moves nothing. Where it sets a coordinate of the function, or the row is engaged later, they are
/// integrated as they are written.
#[test]
fn events_move_what_is_constant_or_do_not() {
    let row = "z' - y*x' - x*y'";
    let held_with = |more: &str| {
        let mechanism = particle(&[row], more);
        let start = mechanism.start().unwrap();
        let held = held(&mechanism, &start.state);
        let rows = examine(&mechanism, &start.state).held.len();
        assert_eq!(held.is_some(), rows == 1);
        held
    };
    let kick = "[event.kick]\nwhen = \"t > 1\"\nimpulse = { generalized = { x = 0.3 } }\n";
    let mechanism = held_with(kick).expect("a blow moves nothing");
    let run = ran(&mechanism, &at(1e-6)).unwrap();
    let q = &run.coordinates;
    let left = q[2] - q[0] * q[1] - (0.3 - 0.71 * 0.43);
    assert!(left.abs() <= 1e-14, "{left:e}");
    assert!(held_with("[event.moved]\nwhen = \"t > 1\"\nset = { y = 0.5 }\n").is_none());
}
