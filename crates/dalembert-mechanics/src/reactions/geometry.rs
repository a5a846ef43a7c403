//! The geometry of constrained motion ([UK02] 6), without the scaling by M^½.
//!
//! ```text
//! e = b − A a                             the error of the motion without constraints, M a = h
//! normal  = M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ b            least of all accelerations that meet the rows      [UK02 46]
//! tangent = q'' − normal                   A tangent = 0; at right angles to it in the metric M  [UK02 43]
//! ```

use crate::formulation::{Factorisation, Tolerance};
use crate::linear::Pattern;
use crate::mechanism::Mechanism;
use crate::snapshot::Snapshot;
use crate::solver::Solver;
use std::sync::Arc;

/// Where the rows take the acceleration.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// e by row; or why there is no motion without constraints.
    pub error: Result<Vec<f64>, String>,
    /// The part of q'' that the rows leave free, by coordinate.
    pub tangent: Vec<f64>,
    /// The part that they demand, by coordinate.
    pub normal: Vec<f64>,
}

impl Mechanism {
    /// Tangent and normal acceleration, and by how much the free motion would break each row.
    #[must_use]
    pub fn geometry(&self, snapshot: &Snapshot) -> Geometry {
        let (n, tolerance) = (self.equations.coordinates(), Tolerance::default());
        let mut solver = Solver::new(self, tolerance);
        let state = &snapshot.state;
        solver.set(state.t, &state.coordinates, &state.rates);
        // The motion is known, so the laws have a solution.
        if solver.prepare().is_err() {
            solver.evaluator.canonical();
        }
        let (canonical, held) = (solver.evaluator.latest(), solver.workspace.factorisation());
        let no_rows = Arc::new(match canonical.mass.pattern() {
            Some(_) => Pattern::compressed(n, &[]),
            None => Pattern::full(0, n),
        });
        let free = Factorisation::of(self.equations.mass_pattern(), &no_rows, tolerance);
        let acceleration = free.and_then(|mut free| {
            let mut a = vec![0.0; n];
            free.factor(&canonical.mass, &no_rows.matrix(&[])).ok()?;
            free.solve(canonical.force, &[], &mut a, &mut []).ok()?;
            Some(a)
        });
        let error = match acceleration {
            Some(a) => {
                let row = |(i, b): (usize, &f64)| b - canonical.jacobian.along(i, &a);
                Ok(canonical.bias.iter().enumerate().map(row).collect())
            }
            None => Err(
                "the mass matrix is singular: without its constraints the system has no acceleration"
                    .to_owned(),
            ),
        };
        let mut normal = vec![0.0; n];
        let factored = held.factor_any_rank(&canonical.mass, &canonical.jacobian);
        if factored.is_ok() && !canonical.bias.is_empty() {
            held.project(canonical.bias, &mut normal);
        }
        let both = snapshot.accelerations.iter().zip(&normal);
        Geometry {
            error,
            tangent: both.map(|(a, normal)| a - normal).collect(),
            normal,
        }
    }
}
