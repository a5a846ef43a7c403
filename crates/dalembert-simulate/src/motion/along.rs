//! The orthogonal complement in time: implicit steps whose stages meet the rows themselves.
//!
//! ```text
//! Dᵀ (M v' − h − w) = 0,   ψ = 0        [P99 2.7, 2.1, at velocity level]
//! Dᵀ M (q' − v) = 0,       φ = 0
//! ```
//!
//! As many differential equations as there are freedoms, and the constraints in the place of the others; no multipliers, and no row
//! is differentiated twice. Of f − q' and a − v', where a is the acceleration by these equations, Dᵀ M keeps what lies
//! along the rows; the way to the rows stands for the rest (`radau/newton.rs` in `dalembert-ode`). An explicit step has no
//! equations to put constraints in: it finds a at each evaluation, and is moved to the rows at its end. So is an implicit step where
//! rounding hides the rows from Newton's method, as near change points.
//!
//! [P99]: Dinh Van Phong, "An algorithm for deriving equations of motion…" (1999).

use super::MotionSystem;
use dalembert_mechanics::equations::Evaluator;
use dalembert_mechanics::formulation::Formulation;

impl MotionSystem<'_> {
    /// Whether the stages of implicit steps meet the rows.
    pub(super) fn has_rows_in_steps(&self) -> bool {
        self.formulation == Formulation::Complement && self.crossing.is_none()
    }

    /// Keeps of left what lies along the rows at a state, and writes the way to the rows; `None` where there is none.
    pub(super) fn keep_along_rows(
        &mut self,
        t: f64,
        y: &[[f64; 1]],
        left: &mut [f64],
        way: &mut [f64],
    ) -> Option<()> {
        let (n, t) = (self.n, self.seen(t));
        self.set(t, y).then_some(())?;
        self.solver.evaluator.canonical();
        way.fill(0.0);
        let evaluator = &mut self.solver.evaluator;
        self.position.keep(&evaluator.position());
        self.position.factor(&evaluator.latest().mass)?;
        way[..n].copy_from_slice(self.position.way());
        self.position.keep_along(&mut left[..n]);
        let (left, way) = (&mut left[n..2 * n], &mut way[n..2 * n]);
        if let Some(inverse) = self.inverse.as_mut().filter(|_| self.has_speeds) {
            inverse.solve(left).then_some(())?;
        }
        self.velocity.keep(&evaluator.velocity());
        self.velocity.factor(&evaluator.latest().mass)?;
        way.copy_from_slice(self.velocity.way());
        self.velocity.keep_along(left);
        if self.has_speeds {
            to_speeds(evaluator, &mut self.rates, left);
            to_speeds(evaluator, &mut self.rates, way);
        }
        Some(())
    }
}

/// x ← B x.
fn to_speeds(evaluator: &mut Evaluator<'_>, room: &mut [f64], x: &mut [f64]) {
    room.copy_from_slice(x);
    if let Some(map) = evaluator.speeds() {
        for (i, x) in x.iter_mut().enumerate() {
            *x = map.along(i, room);
        }
    }
}
