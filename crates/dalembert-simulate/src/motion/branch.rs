//! The motion along a branch that crosses a place where rows lose their rank, in the layout of the others.

use super::MotionSystem;
use crate::change_point::{ChangePoint, Crossing, accelerations};
use dalembert_mechanics::equations::Evaluator;
use dalembert_ode::{Evaluation, System};

impl<'m> MotionSystem<'m> {
    /// Whether the motion can be led across such places: forces must not ask for reactions, which have poles there.
    pub(crate) fn can_cross(&self) -> bool {
        let equations = self.solver.evaluator.equations();
        self.can_lose_rank() && self.solver.laws.is_none() && !equations.has_servos()
    }

    pub(crate) fn evaluator(&mut self) -> &mut Evaluator<'m> {
        &mut self.solver.evaluator
    }

    /// Rows at velocity level by the rates, at coordinates.
    pub(crate) fn rows_at(&mut self, t: f64, q: &[f64], rows: &mut Vec<f64>) {
        self.solver.evaluator.set_position(t, q);
        self.solver.evaluator.velocity().jacobian.full_into(rows);
    }

    /// The rows of the system at velocity level.
    pub(crate) fn velocity_rows(&self) -> Vec<usize> {
        let equations = self.solver.evaluator.equations();
        equations.velocity_rows().to_vec()
    }

    /// For each position row its number in the system, its residual at coordinates and the size of its terms.
    pub(crate) fn position_misfits(&mut self, t: f64, q: &[f64]) -> Vec<(usize, [f64; 2])> {
        let evaluator = &mut self.solver.evaluator;
        evaluator.set_position(t, q);
        let terms = evaluator.position_sizes();
        let values = evaluator.position().values.to_vec();
        let rows = evaluator.equations().position_rows();
        let pairs = values.into_iter().zip(terms);
        let pairs = pairs.map(|(value, size)| [value, size]);
        rows.iter().copied().zip(pairs).collect()
    }

    /// q'' at a state, as far as it is known without solving for it.
    pub(crate) fn bend(&mut self, t: f64, y: &[[f64; 1]]) -> Vec<f64> {
        let n = self.n;
        let mut now = Evaluation {
            t: [t],
            active: [true],
            projected: [false],
            failed: [false],
        };
        let mut dy = vec![[0.0]; y.len()];
        self.derivative(&mut now, y, &mut dy);
        match now.failed[0] || self.has_speeds {
            true => vec![0.0; n],
            false => dy[n..2 * n].as_flattened().to_vec(),
        }
    }

    /// Takes notice of whether the motion turns a corner beside a place where rows lose their rank.
    pub(crate) fn turn_corner(&mut self, is_beside: bool) {
        self.is_beside = is_beside;
    }

    /// Sets out on a crossing.
    pub(crate) fn cross(&mut self, crossing: Box<Crossing>) {
        self.crossing = Some(crossing);
    }

    pub(crate) fn crossing(&self) -> Option<&Crossing> {
        self.crossing.as_deref()
    }

    /// How far a state has got on a crossing, and its rate.
    fn progress(&mut self, t: f64, y: &[[f64; 1]]) -> Option<[f64; 2]> {
        self.crossing.as_ref()?;
        self.set(t, y).then_some(())?;
        let q = y[..self.n].as_flattened();
        let crossing = self.crossing.as_ref()?;
        Some(crossing.chart.progress(t, q, &self.rates))
    }

    /// How far behind the place a state on a crossing lies; `None` on none.
    pub(crate) fn behind(&mut self, t: f64, y: &[[f64; 1]]) -> Option<f64> {
        let [z, _] = self.progress(t, y)?;
        Some(z - self.crossing()?.place)
    }

    /// How far a state on a crossing is from its centre, if it moves away from it.
    pub(crate) fn way_across(&mut self, t: f64, y: &[[f64; 1]]) -> Option<f64> {
        let [z, dz] = self.progress(t, y)?;
        Some(z * dz.signum())
    }

    /// Takes notice of a step to a state, which passed the place at a time, or did not.
    pub(crate) fn step_across(&mut self, t: f64, y: &[[f64; 1]], passed: Option<f64>) {
        let progress = self.progress(t, y);
        if let (Some(crossing), Some(progress)) = (&mut self.crossing, progress) {
            crossing.step(t, progress, passed);
        }
    }

    /// Leaves a crossing that is over at a state, or is over anyway; what was passed.
    pub(crate) fn leave(&mut self, t: f64, y: &[[f64; 1]], anyway: bool) -> Vec<ChangePoint> {
        // A step may have been cut short.
        self.step_across(t, y, None);
        if let Some(crossing) = &mut self.crossing {
            crossing.forget_after(t);
        }
        let over = self.crossing.take_if(|it| anyway || it.is_over());
        over.map_or_else(Vec::new, |it| it.passed())
    }

    /// Sets the evaluator to the state on the branch that the independent entries of y determine; whether others differ from those of
    /// y, or `None` if there is none.
    pub(super) fn lie_on_branch(&mut self, t: f64, y: &[[f64; 1]]) -> Option<bool> {
        let n = self.n;
        let mut crossing = self.crossing.take()?;
        let (chart, q) = (&mut crossing.chart, y[..n].as_flattened());
        let evaluator = &mut self.solver.evaluator;
        let found = if self.has_speeds {
            // Rates belong to coordinates on the branch, which hardly depend on rates.
            let rates = self.rates.clone();
            chart.look(evaluator, (t, q, &rates)).and_then(|()| {
                let mut there = y.to_vec();
                there[..n].as_flattened_mut().copy_from_slice(&chart.q);
                self.set(t, &there).then_some(())?;
                let rates = self.rates.clone();
                chart.look(&mut self.solver.evaluator, (t, q, &rates))
            })
        } else {
            chart.look(evaluator, (t, q, y[n..2 * n].as_flattened()))
        };
        self.rates.copy_from_slice(&chart.rates);
        let moved =
            *q != *chart.q || (!self.has_speeds && *y[n..2 * n].as_flattened() != *chart.rates);
        self.solver.evaluator.set_position(t, &chart.q);
        self.solver.evaluator.set_rates(&self.rates);
        self.crossing = Some(crossing);
        found.map(|()| moved || self.has_speeds)
    }

    /// Puts the dependent entries of y where the branch has them.
    pub(super) fn put_on_branch(&mut self, t: f64, y: &mut [[f64; 1]]) -> Option<bool> {
        let moved = self.lie_on_branch(t, y)?;
        let crossing = self.crossing.as_ref()?;
        y[..self.n]
            .as_flattened_mut()
            .copy_from_slice(&crossing.chart.q);
        self.speeds_into(y);
        let (position, velocity) = self.residuals();
        self.position.add_residual(position);
        self.velocity.add_residual(velocity);
        Some(moved)
    }

    /// q'' on the branch at the state that was last set there, and the power of the rows.
    pub(super) fn accelerate_on_branch(&mut self) -> Option<()> {
        let crossing = self.crossing.as_ref()?;
        let now = self.solver.evaluator.canonical();
        let force = |i: usize| now.force[i] + now.nonideal[i];
        accelerations(&crossing.chart, &now.mass, force, &mut self.accelerations)?;
        self.row_power = match self.working_rows.contains(&true) {
            true => {
                let mut needed = vec![0.0; self.rates.len()];
                now.mass.multiply(&self.accelerations, &mut needed);
                let rates = self.rates.iter().enumerate();
                rates.map(|(i, rate)| rate * (needed[i] - force(i))).sum()
            }
            false => 0.0,
        };
        Some(())
    }
}
