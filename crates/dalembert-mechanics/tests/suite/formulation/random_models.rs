//! Models made at random: all kinds of rows at once, rows said again and in other units, coordinates without mass, constraints
//! held by forces. All routes agree on them at random states, and units change nothing but multipliers.

use super::difference;
use crate::models::mechanism;
use dalembert_mechanics::{Mechanism, Snapshot};
use fastrand::Rng;

const MODELS: usize = 60;

/// One row as it is written, times a factor.
#[derive(Clone)]
struct Row {
    name: String,
    left: String,
    servo: bool,
}

/// A model whose start (the values given) meets all position rows.
struct Random {
    head: String,
    rows: Vec<Row>,
    linear: bool,
}

impl Random {
    fn new(rng: &mut Rng) -> Self {
        let n = 4 + rng.usize(..3);
        let massless = rng.bool();
        let nonlinear = rng.bool();
        let servo = rng.bool();
        let mut number = |low: f64, high: f64| {
            let value = low + (high - low) * rng.f64();
            format!("{value:.3}")
        };
        let places: Vec<String> = (0..n).map(|_| number(-1.0, 1.0)).collect();
        let mut head = String::from("[coordinates]\n");
        for (i, place) in places.iter().enumerate() {
            head += &format!("q{i} = {{ value = {place}, priority = \"guess\" }}\n");
        }
        head += "[start]\n";
        for i in 0..n {
            let rate = number(0.2, 1.0);
            head += &format!("\"q{i}'\" = {{ value = {rate}, priority = \"guess\" }}\n");
        }
        // The last coordinate may have no mass: a row of its own then ties it to the others.
        let massive = n - usize::from(massless);
        let mut kinetic = Vec::new();
        for i in 0..massive {
            let j = (i + 1) % massive;
            let (m, c) = (number(1.0, 5.0), number(-0.4, 0.4));
            kinetic.push(format!("{m}/2*(1 + q{j}^2/4)*q{i}'^2 + {c}*q{i}'*q{j}'"));
        }
        let (g, k) = (number(1.0, 9.0), number(0.5, 2.0));
        head += &format!("[energy]\nkinetic = \"{}\"\n", kinetic.join(" + "));
        head += &format!("potential = \"{g}*q0 + {k}/2*q1^2*(1 + 0.1*sin(t))\"\n");
        head += "[force.drag]\ngeneralized = { q1 = \"-0.3*q1' + 0.2*cos(t)\" }\n";
        let away = |i: usize| format!("(q{i} - ({}))", places[i]);
        let mut rows = Vec::new();
        let mut add = |name: &str, left: String, servo: bool| {
            let name = name.to_owned();
            rows.push(Row { name, left, servo });
        };
        if massless {
            let last = n - 1;
            let left = format!(
                "{} - sin({}) - {}*{}",
                away(last),
                away(0),
                number(-1.0, 1.0),
                away(1)
            );
            add("tie", left, false);
        }
        let (a, b) = (number(0.5, 2.0), number(-1.0, 1.0));
        let surface = format!(
            "{a}*{} + {b}*{}*{} - 0.3*sin(2*t)",
            away(0),
            away(1),
            away(2)
        );
        add("surface", surface, servo);
        if servo {
            let (e, f) = (number(0.5, 2.0), number(-0.5, 0.5));
            head += &format!("[force.motor]\ngeneralized = {{ q0 = \"{e} + q1^2\", q2 = {f} }}\n");
        }
        let (c, d) = (number(0.5, 2.0), number(-1.0, 1.0));
        add(
            "edge",
            format!("{c}*q1' + {d}*sin(q0)*q2' - 0.2*cos(t)"),
            false,
        );
        if nonlinear {
            let e = number(0.5, 1.5);
            add(
                "speed",
                format!("q2'^2 + {e}*q0'^2 + 0.5*q1'^2 - 1 - 0.1*sin(t)"),
                false,
            );
        }
        let linear = !nonlinear;
        Self { head, rows, linear }
    }

    fn mechanism(&self) -> Mechanism {
        let mut text = self.head.clone();
        for row in &self.rows {
            text += &format!("[constraint.{}]\nholds = \"{} = 0\"\n", row.name, row.left);
            if row.servo {
                text += "enforced_by = [\"motor\"]\n";
            }
        }
        mechanism(&text)
    }

    /// The row of that name times a factor.
    fn scaled(&self, name: &str, factor: &str) -> Self {
        let mut rows = self.rows.clone();
        for row in rows.iter_mut().filter(|row| row.name == name) {
            row.left = format!("{factor}*({})", row.left);
        }
        self.with(rows)
    }

    /// All rows that have reactions of their own once more, in other units, and their sum.
    fn repeated(&self) -> Self {
        let own = self.rows.iter().filter(|row| !row.servo);
        let own: Vec<&Row> = own.filter(|row| row.name != "speed").collect();
        let mut rows = self.rows.clone();
        for (row, factor) in own.iter().zip(["-1e6", "1e-3", "7"]) {
            rows.push(Row {
                name: format!("{}_again", row.name),
                left: format!("{factor}*({})", row.left),
                servo: false,
            });
        }
        self.with(rows)
    }

    fn with(&self, rows: Vec<Row>) -> Self {
        Self {
            head: self.head.clone(),
            rows,
            linear: self.linear,
        }
    }
}

fn start(mechanism: &Mechanism) -> Snapshot {
    let state = mechanism.raw_start(mechanism.from).unwrap();
    mechanism.snapshot(&state).unwrap()
}

#[test]
fn all_routes_agree_on_random_models() {
    let mut rng = Rng::with_seed(91);
    let (mut servo, mut nonlinear, mut compared) = (0, 0, 0);
    for _ in 0..MODELS {
        let model = Random::new(&mut rng);
        let held = model.rows.iter().any(|row| row.servo);
        (servo, nonlinear) = (
            servo + usize::from(held),
            nonlinear + usize::from(!model.linear),
        );
        let plain = model.mechanism();
        let repeated = model.repeated().mechanism();
        for (mechanism, again) in [(&plain, false), (&repeated, true)] {
            let state = mechanism.raw_start(mechanism.from).unwrap();
            let found = mechanism.certify(&state);
            assert_eq!(found.formulations.len(), 4 + usize::from(model.linear));
            // Random states come near singular ones; the start never does.
            assert!(found.max_difference < 1e-7, "{}: {found:?}", model.head);
            compared += found.states;
            let now = mechanism.snapshot(&state).unwrap();
            assert_eq!(now.rank, model.rows.len());
            assert_eq!(now.redundant.iter().any(|&redundant| redundant), again);
        }
        let state = plain.raw_start(plain.from).unwrap();
        let (a, b) = (
            plain.snapshot(&state).unwrap(),
            repeated.snapshot(&state).unwrap(),
        );
        for (a, b) in [
            (&a.accelerations, &b.accelerations),
            (&a.force_ideal, &b.force_ideal),
            (&a.force_servo, &b.force_servo),
        ] {
            assert!(difference(a, b) < 1e-9, "{}", model.head);
        }
    }
    assert!(servo > 20 && nonlinear > 20, "{servo} {nonlinear}");
    assert!(compared > 100 * MODELS, "{compared}");
}

#[test]
fn a_row_in_units_of_a_millionth_changes_its_multiplier_only() {
    let mut rng = Rng::with_seed(92);
    for _ in 0..MODELS / 3 {
        let model = Random::new(&mut rng);
        let was = start(&model.mechanism());
        for (place, row) in model.rows.iter().enumerate() {
            let now = start(&model.scaled(&row.name, "1000000").mechanism());
            assert!(difference(&was.state.coordinates, &now.state.coordinates) < 1e-9);
            assert!(difference(&was.state.rates, &now.state.rates) < 1e-9);
            assert!(difference(&was.accelerations, &now.accelerations) < 1e-8);
            assert!(difference(&was.force_ideal, &now.force_ideal) < 1e-8);
            let mut multipliers = now.multipliers.clone();
            if !row.servo {
                // That of a row held by a force is the size of the force, and stays.
                multipliers[place] *= 1e6;
            }
            assert!(
                difference(&was.multipliers, &multipliers) < 1e-8,
                "{}",
                row.name
            );
        }
    }
}
