//! Slips that vanish, and are held.

use super::MotionSystem;
use dalembert_mechanics::Solver;
use dalembert_mechanics::formulation::{Failure, Laws};
use dalembert_mechanics::lower::Rough;

/// Parts of the span within which it is looked at what begins.
const AHEAD: [f64; 3] = [1e-6, 1e-5, 1e-4];

impl MotionSystem<'_> {
    /// Number of slips that can vanish.
    pub(crate) fn slip_count(&self) -> usize {
        self.solver.laws.as_ref().map_or(0, Laws::slip_count)
    }

    /// Decides at the start which slips are held, and which way the others go.
    pub(crate) fn set_out(&mut self, t: f64, y: &mut [[f64; 1]]) -> Result<(), Failure> {
        self.set(t, y);
        self.solver.set_out()?;
        self.arrest(y)?;
        Ok(())
    }

    /// Goes on where a slip has vanished, or friction holds it no longer; whether several in planes begin together.
    pub(crate) fn turn(
        &mut self,
        slip: usize,
        t: f64,
        y: &mut [[f64; 1]],
    ) -> Result<bool, Failure> {
        self.set(t, y);
        let together = self.solver.turn(slip)?;
        self.arrest(y)?;
        Ok(together)
    }

    /// Goes the first way of slips that begin together with no rate at all; the time that it took. Where they let go nothing says which way they go, or which of
    /// them are held all the same; a little later forces do. Accelerations grow from nothing, so that half a way later they are what they are on average.
    pub(crate) fn set_off(
        &mut self,
        (t, y): (f64, &mut [[f64; 1]]),
        (span, most): (f64, f64),
    ) -> Option<f64> {
        let steps = AHEAD.map(|part| (part * span).min(most));
        let dt = steps.into_iter().find(|dt| {
            self.set(t + dt / 2.0, y);
            self.solver.look_ahead() && self.accelerate().is_ok()
        });
        let before = self.entry(t, y, 0.0);
        let dt = dt.filter(|dt| t + dt > t)?;
        self.set(t, y);
        let mut rates = self.rates.clone();
        for (i, (rate, a)) in rates.iter_mut().zip(&self.accelerations).enumerate() {
            y[i][0] += dt * (*rate + dt * a / 3.0);
            *rate += dt * a;
        }
        self.put_rates(t + dt, y, &rates);
        let after = self.entry(t + dt, y, 0.0);
        if self.counts_work {
            let gained = after.kinetic - before.kinetic + after.potential - before.potential;
            y[2 * self.n][0] += gained;
        }
        Some(dt)
    }

    /// Takes from a state, which is set, what slips that are held have of velocity; whether that changes it.
    pub(super) fn arrest(&mut self, y: &mut [[f64; 1]]) -> Result<bool, Failure> {
        let moved = self.solver.arrest(&mut self.rates)?;
        if moved {
            self.solver.evaluator.set_rates(&self.rates);
            self.speeds_into(y);
        }
        Ok(moved)
    }

    /// What has friction that slips can vanish of, and whether it is held.
    pub(crate) fn slips(&self) -> Vec<(Rough, bool)> {
        let laws = self.solver.laws.iter();
        laws.flat_map(Laws::slips).collect()
    }

    /// Which way a slip along a line goes, if it does.
    pub(crate) fn way_of(&self, slip: usize) -> Option<f64> {
        self.solver.laws.as_ref()?.way_of(slip)
    }

    /// What has friction that slips can vanish of, and whether it is held until something lets go.
    pub(crate) fn kept_slips(&self) -> Vec<(Rough, bool)> {
        let laws = self.solver.laws.iter();
        laws.flat_map(Laws::kept_slips).collect()
    }

    /// Slips that are held, or pressed, by one of many forces.
    pub(crate) fn shared_slips(&self) -> Vec<Rough> {
        let laws = self.solver.laws.iter();
        laws.flat_map(Laws::held_in_many_ways).collect()
    }

    /// Slips that were decided though no one knows whether otherwise too.
    pub(crate) fn doubtful_slips(&self) -> Vec<Rough> {
        let laws = self.solver.laws.iter();
        laws.flat_map(Laws::doubtful).copied().collect()
    }

    /// What rises through zero where slips vanish, at a state of the interpolant.
    pub(crate) fn watch_slips(&mut self, t: f64, y: &[f64], conditions: &mut [f64]) {
        if !self.set(t, y.as_chunks().0) {
            conditions.fill(f64::NAN);
            return;
        }
        let Solver {
            evaluator,
            workspace,
            laws,
        } = &mut self.solver;
        if let Some(laws) = laws {
            laws.watch(evaluator, workspace.factorisation(), conditions);
        }
    }
}
