//! Every model of the gallery in every formulation it has: what is printed is read back and holds in numbers.

use crate::support::{Reader, Values, derived, examples, states, text, varied};
use dalembert::derive::{Derivation, DeriveOptions, Form};
use dalembert_mechanics::{Mechanism, Snapshot};

/// Of a residual, measured by the sides of the equation; sums inside may cancel.
const TOLERANCE: f64 = 1e-7;

/// Of a formula that solves equations, measured by the largest multiplier: long ones lose digits.
const FORMULA_TOLERANCE: f64 = 1e-5;

fn options(form: Form) -> DeriveOptions {
    DeriveOptions {
        form: Some(form),
        matrices: matches!(form, Form::Independent | Form::Multipliers),
        ..DeriveOptions::default()
    }
}

#[test]
fn what_is_printed_holds_in_numbers() {
    let mut compared = 0;
    for name in examples() {
        // Pages speak of contacts and waiting rows as they are at the start, which the front door lowers anew: here all rows are derived.
        let comes_and_goes = |line: &str| {
            let contact = [">=", "<="].iter().any(|sign| line.contains(sign));
            let by_shape = line.starts_with("[contact.");
            line.starts_with("active") || by_shape || (line.starts_with("holds") && contact)
        };
        if text(&name).lines().any(comes_and_goes) {
            continue;
        }
        let mechanism = varied(&name, 7);
        let snapshots: Vec<Snapshot> = states(&mechanism)
            .iter()
            .map(|state| mechanism.snapshot(state).unwrap())
            .collect();
        for form in Form::ALL {
            let Ok(derivation) = derived(&text(&name), &options(form)) else {
                continue;
            };
            let lowered = |note: &String| note.contains("as they follow from the model");
            if derivation.notes.iter().any(lowered) {
                // Too large for the normal form: nothing is solved, and the text has named parts.
                continue;
            }
            for now in &snapshots {
                let reader = Reader::new(&derivation, Values::at(&mechanism, now));
                let mut nonzero = derivation.nonzero.equations.iter();
                if nonzero.any(|&it| reader.value(it).abs() < 1e-3) {
                    continue;
                }
                compare(&name, &derivation, &mechanism, now);
                compared += 1;
            }
            let last = &snapshots[snapshots.len() - 1];
            compare_kinematics(&name, &derivation, &mechanism, last);
        }
    }
    assert!(compared > 300, "{compared}");
}

pub(crate) fn compare(name: &str, derivation: &Derivation, mechanism: &Mechanism, now: &Snapshot) {
    let form = derivation.form;
    let reader = Reader::new(derivation, Values::at(mechanism, now));
    let further = derivation.independent.iter();
    let further = further.flat_map(|it| it.dependent.iter().chain(&it.accelerations));
    let equations = derivation.equations.iter().chain(&derivation.kinematics);
    for equation in equations.chain(further) {
        let (rest, mut size) = reader.residual(equation);
        if rest.abs() > TOLERANCE * (1.0 + size) {
            // Large terms may cancel within a side: what a change of the state by a thousandth does tells their size.
            for name in mechanism.coordinate_names() {
                let moved = Values::at(mechanism, now).with(name, 1e-3);
                let (moved, _) = Reader::new(derivation, moved).residual(equation);
                size += 1e3 * (moved - rest).abs();
            }
        }
        let (left, right) = (reader.text(equation.left), reader.text(equation.right));
        assert!(
            rest.abs() <= TOLERANCE * (1.0 + size),
            "{name} by {form}: {left} = {right} misses by {rest:e} of {size:e}"
        );
    }
    let largest = now.multipliers.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
    let mut nonzero = derivation.nonzero.reactions.iter();
    let vanishes = nonzero.any(|&it| reader.value(it).abs() < 1e-3);
    let unique = derivation.multipliers.iter().zip(&now.multipliers);
    for ((formula, wanted), row) in unique.zip(&derivation.rows) {
        if let Some(formula) = formula {
            let found = reader.value(*formula);
            if vanishes {
                // It may divide by what is zero here, such as the sine of a crank's angle, and the page says so.
                continue;
            }
            assert!(
                (found - wanted).abs() <= FORMULA_TOLERANCE * largest,
                "{name} by {form}: lambda({row}) = {found} for {wanted}"
            );
        }
    }
    let in_model_speeds = derivation.speeds == mechanism.speed_names();
    let forces = [
        (&derivation.forces.ideal, &now.force_ideal, "ideal"),
        (&derivation.forces.nonideal, &now.force_nonideal, "nonideal"),
    ];
    for (formulas, wanted, kind) in forces.into_iter().filter(|_| in_model_speeds) {
        for (formula, wanted) in formulas.iter().zip(wanted) {
            if let Some(formula) = formula {
                let found = reader.value(*formula);
                let size = now.multipliers.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
                assert!(
                    (found - wanted).abs() <= TOLERANCE * size,
                    "{name} by {form}: {kind} force {found} for {wanted}"
                );
            }
        }
    }
    // At the start angles may be zero, and with them a vector of D.
    if now.state.t > mechanism.from {
        depends_on_accelerations(name, derivation, mechanism, now);
    }
}

/// Partial velocities are what velocities change by with a speed, and the kinetic energy is that of the state.
fn compare_kinematics(name: &str, derivation: &Derivation, mechanism: &Mechanism, now: &Snapshot) {
    let reader = Reader::new(derivation, Values::at(mechanism, now));
    let form = derivation.form;
    for motion in &derivation.motions {
        for partial in &motion.partials {
            let speed = reader.text(partial.speed);
            let faster = Values::at(mechanism, now).with(&speed, 1.0);
            let faster = Reader::new(derivation, faster);
            let turned = motion.omega.iter().flatten();
            let values = motion.velocity.iter().chain(turned);
            let slopes = partial
                .velocity
                .iter()
                .chain(partial.omega.iter().flatten());
            for (&value, &slope) in values.zip(slopes) {
                let change = faster.value(value) - reader.value(value);
                let slope = reader.value(slope);
                assert!(
                    (change - slope).abs()
                        <= 1e-9 * (1.0 + slope.abs() + reader.value(value).abs()),
                    "{name} by {form}: {} by {speed}: {change} for {slope}",
                    motion.name
                );
            }
        }
    }
    if let Some(energies) = &derivation.energies {
        let (found, wanted) = (reader.value(energies.kinetic), now.kinetic);
        assert!(
            (found - wanted).abs() <= TOLERANCE * (1.0 + wanted.abs()),
            "{name} by {form}: T = {found} for {wanted}"
        );
    }
}

/// Each acceleration that is asked for occurs: equations that hold for any motion would say nothing.
fn depends_on_accelerations(
    name: &str,
    derivation: &Derivation,
    mechanism: &Mechanism,
    now: &Snapshot,
) {
    let asked: Vec<String> = match &derivation.independent {
        Some(it) => {
            let reader = Reader::new(derivation, Values::at(mechanism, now));
            it.speeds.iter().map(|&speed| reader.text(speed)).collect()
        }
        None => derivation.speeds.clone(),
    };
    assert!(derivation.equations.len() >= asked.len(), "{name}");
    // There the constraints are as they were written, and may hold no acceleration.
    let asked = match derivation.form {
        Form::Complement => Vec::new(),
        _ => asked,
    };
    for speed in asked {
        let changed = Values::at(mechanism, now).with(&format!("{speed}'"), 1.0);
        let reader = Reader::new(derivation, changed);
        let noticed = derivation.equations.iter().any(|equation| {
            let (rest, size) = reader.residual(equation);
            rest.abs() > TOLERANCE * (1.0 + size)
        });
        assert!(
            noticed,
            "{name} by {}: {speed}' is not determined",
            derivation.form
        );
    }
}
