//! Bodies and joints: each joint's position, velocity, acceleration and reaction against a derivation by hand, and
//! the same mechanism written otherwise.
#![expect(clippy::unwrap_used, reason = "what fails in a test is to fail it")]

mod acting;
mod balance;
mod family;
mod identity;
mod invariance;
mod relative;
mod reversed;
mod rolling;
mod same;
mod space;
mod start;
mod table;
mod turns;

use dalembert_mechanics::model::read;
use dalembert_mechanics::reactions::{Acting, Forces};
use dalembert_mechanics::{Mechanism, Snapshot};

/// A mechanism at its start.
struct Now {
    mechanism: Mechanism,
    snapshot: Snapshot,
    forces: Forces,
}

impl Now {
    fn of(text: &str) -> Self {
        Self::written(&format!("planar = true\n{text}"))
    }

    /// As [`of`](Self::of), of a model that is not said to be planar.
    fn written(text: &str) -> Self {
        let text = format!("dalembert = 1\n{text}");
        let (model, _) = read(&text).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
        let mechanism = Mechanism::new(model).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let start = mechanism
            .start()
            .unwrap_or_else(|e| panic!("{e:#?}\n{text}"));
        assert!(
            start.position_residual < 1e-12,
            "{} {text}",
            start.position_residual
        );
        assert!(
            start.velocity_residual < 1e-12,
            "{} {text}",
            start.velocity_residual
        );
        let snapshot = mechanism.snapshot(&start.state).unwrap();
        let forces = mechanism.forces(&snapshot);
        Self {
            mechanism,
            snapshot,
            forces,
        }
    }

    fn place(&self, coordinate: &str) -> usize {
        let mut names = self.mechanism.coordinate_names();
        let found = names.position(|name| name == coordinate);
        found.unwrap_or_else(|| panic!("{coordinate}"))
    }

    fn position(&self, coordinate: &str) -> f64 {
        self.snapshot.state.coordinates[self.place(coordinate)]
    }

    fn rate(&self, coordinate: &str) -> f64 {
        self.snapshot.state.rates[self.place(coordinate)]
    }

    fn acceleration(&self, coordinate: &str) -> f64 {
        self.snapshot.accelerations[self.place(coordinate)]
    }

    fn multiplier(&self, row: &str) -> f64 {
        let mut rows = self.mechanism.system.rows.iter();
        let found = rows.position(|it| it.name == row).unwrap();
        self.snapshot.multipliers[found]
    }

    /// The reaction of a joint on a body: force, and moment about the mass centre.
    fn reaction(&self, joint: &str, body: &str) -> Acting {
        let model = &self.mechanism.model;
        let mut constraints = model.constraints.iter();
        let index = constraints.position(|it| it.name.text == joint).unwrap();
        let all = self.forces.reactions[index].as_ref().unwrap();
        *all.iter().find(|it| it.on.name(model) == body).unwrap()
    }
}

#[track_caller]
fn close(found: f64, wanted: f64) {
    let size = found.abs().max(wanted.abs()).max(1.0);
    assert!(
        (found - wanted).abs() <= 1e-11 * size,
        "{found} and not {wanted}"
    );
}
