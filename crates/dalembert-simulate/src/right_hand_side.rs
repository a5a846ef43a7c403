//! What a run integrates, one call at a time.

use super::motion::MotionSystem;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, NoMotion};
use dalembert_ode::{Evaluation, System};

/// The right-hand side y' = f(t, y) that [`simulate`](super::simulate) integrates: y holds the coordinates,
/// the speeds and the work done so far.
pub struct RightHandSide<'m> {
    system: MotionSystem<'m>,
}

impl<'m> RightHandSide<'m> {
    /// The right-hand side of a mechanism that starts at `state`.
    #[must_use]
    pub fn new(mechanism: &'m Mechanism, state: &State) -> Self {
        Self {
            system: MotionSystem::new(mechanism, state, Formulation::Multipliers),
        }
    }

    /// Compiles to native code now, not once it has been evaluated often; whether there is any.
    pub fn make_native(&self) -> bool {
        self.system.make_native()
    }

    /// Length of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.system.size()
    }

    /// A state in the layout of y.
    #[must_use]
    pub fn start(&mut self, state: &State) -> Vec<f64> {
        let y = self.system.start(state.t, &state.coordinates, &state.rates);
        y.into_flattened()
    }

    /// y' at a state.
    ///
    /// # Errors
    /// The accelerations are not determined there.
    ///
    /// # Panics
    /// If the slices are not of the size of y.
    pub fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), NoMotion> {
        assert!(y.len() == self.size() && dy.len() == self.size());
        let mut now = Evaluation {
            t: [t],
            active: [true],
            projected: [false],
            failed: [false],
        };
        let (y, dy) = (y.as_chunks().0, dy.as_chunks_mut().0);
        self.system.derivative(&mut now, y, dy);
        if !now.failed[0] {
            return Ok(());
        }
        Err(match self.system.failure.take() {
            Some(failure) => NoMotion::Failure(failure),
            None => NoMotion::SingularSpeeds,
        })
    }

    /// Writes the exact ∂y'/∂y at a state, row after row; false where the equations alone do not tell it (rows that depend on each
    /// other, no motion).
    pub fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        self.system.write_slopes(t, y, jacobian)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dalembert_mechanics::read_model;

    /// θ'' = −g/l sin θ, by hand; the power of the damper goes into the work.
    #[test]
    fn the_pendulum_is_that_of_the_textbook() {
        let text = "dalembert = 1\n[parameters]\nl = 2\ng = 9.81\nc = 0.3\n[coordinates]\na = 0.7\n\
                    [start]\n\"a'\" = 1.5\n[energy]\nkinetic = \"l^2*a'^2/2\"\n\
                    potential = \"-g*l*cos(a)\"\ndissipation = \"c/2*a'^2\"\n";
        let (model, _) = read_model(text).expect("a model");
        let mechanism = Mechanism::new(model).expect("a mechanism");
        let start = mechanism.start().expect("a start");
        let mut right = RightHandSide::new(&mechanism, &start.state);
        let y = right.start(&start.state);
        assert_eq!(y, [0.7, 1.5, 0.0]);
        let mut dy = vec![0.0; right.size()];
        right.derivative(0.0, &y, &mut dy).expect("a motion");
        let expected = [
            1.5,
            -9.81 / 2.0 * 0.7_f64.sin() - 0.3 * 1.5 / 4.0,
            -0.3 * 1.5 * 1.5,
        ];
        for (found, expected) in dy.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-14,
                "{found} is not {expected}"
            );
        }
    }

    #[test]
    fn a_singular_state_is_refused() {
        let text = "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x^2*x'^2/2\"\n";
        let (model, _) = read_model(text).expect("a model");
        let mechanism = Mechanism::new(model).expect("a mechanism");
        let start = mechanism.start().expect("a start");
        let mut right = RightHandSide::new(&mechanism, &start.state);
        let mut dy = vec![0.0; right.size()];
        assert!(right.derivative(0.0, &[1.0, 1.0, 0.0], &mut dy).is_ok());
        assert!(right.derivative(0.0, &[0.0, 1.0, 0.0], &mut dy).is_err());
    }
}
