//! The motion as integrators see it: derivatives, the way back to the rows after a step, what implicit steps need.

use super::{MotionSystem, linearised};
use dalembert_ode::{Evaluation, Linearisation, Mask, Projection, System};

/// Evaluations that may fail before the run ends: steps that only creep towards a place without a motion do not go on
/// for ever.
const MOST_REFUSED: usize = 2000;

impl System<1> for MotionSystem<'_> {
    fn size(&self) -> usize {
        2 * self.n + 1
    }

    fn derivative(&mut self, now: &mut Evaluation<1>, y: &[[f64; 1]], dy: &mut [[f64; 1]]) {
        let n = self.n;
        let t = self.seen(now.t[0]);
        let (q, v) = y[..2 * n].as_flattened().split_at(n);
        let crosses = self.crossing.is_some();
        let held = self.still.is_some() && {
            self.rates.copy_from_slice(v);
            self.hold_still()
        };
        if let Some(unrolled) = self.unrolled.as_mut().filter(|_| !crosses) {
            let v = if held { &self.rates } else { v };
            if unrolled.evaluate(t, q, v) {
                dy.as_flattened_mut().copy_from_slice(unrolled.result());
                return;
            }
        }
        self.rates.copy_from_slice(v);
        self.hold_still();
        let set = match self.reduced {
            _ if crosses => self.lie_on_branch(t, y).is_some(),
            Some(_) => self.recover(t, y).is_some(),
            None => self.set(t, y),
        };
        if !set {
            self.failure = None;
            self.lost = self.reduced.is_some() && !crosses;
            now.failed[0] = true;
            return;
        }
        if crosses && self.accelerate_on_branch().is_none() {
            now.failed[0] = true;
            return;
        }
        let found = match &self.last_failure {
            _ if crosses => Ok(()),
            Some(failure) if self.refused >= MOST_REFUSED => Err(failure.clone()),
            _ => self.accelerate(),
        };
        if let Err(failure) = found {
            self.last_failure = Some(failure.clone());
            self.failure = Some(failure);
            self.refused += 1;
            now.failed[0] = true;
            return;
        }
        dy[2 * n][0] = self.power();
        dy[..n].as_flattened_mut().copy_from_slice(&self.rates);
        match self.solver.evaluator.speeds() {
            None => dy[n..2 * n]
                .as_flattened_mut()
                .copy_from_slice(&self.accelerations),
            Some(map) => {
                let found = map.speed_rates(&self.accelerations);
                for (dy, rate) in dy[n..2 * n].iter_mut().zip(found) {
                    dy[0] = rate;
                }
            }
        }
    }

    fn project(&mut self, t: &[f64; 1], y: &mut [[f64; 1]], _: &Mask<1>) -> [Projection; 1] {
        // The rates belong to the state before positions move.
        let mut done = || -> Option<bool> {
            if self.crossing.is_some() {
                return self.put_on_branch(t[0], y);
            }
            if self.reduced.is_some() {
                let moved = self.recover_into(t[0], y)?;
                return Some(self.arrest(y).ok()? || moved);
            }
            if let Some(moved) = self.go_back(t[0], y) {
                return Some(moved);
            }
            self.set(t[0], y).then_some(())?;
            self.has_metric = false;
            let positions = self.project_positions(t[0], y)?;
            let velocities = self.project_velocities()?;
            if velocities || (positions && self.has_speeds) {
                self.speeds_into(y);
            }
            let arrested = self.arrest(y).ok()?;
            Some(positions || velocities || arrested)
        };
        let outcome = done();
        let named = self.solver.evaluator.equations().named_speeds();
        y[self.n + named..2 * self.n].fill([0.0]);
        match outcome {
            // A step is accepted: what hindered it is over.
            Some(_) => (self.failure, self.lost) = (None, false),
            None => self.lost |= self.reduced.is_some() && self.crossing.is_none(),
        }
        if let (Some(_), Some(still)) = (outcome, &mut self.still) {
            still.look(&self.solver.evaluator.velocity().jacobian);
        }
        let (position, velocity) = self.largest_residuals();
        let residual = position.max(velocity);
        [match outcome {
            Some(true) => Projection::Moved { residual },
            Some(false) => Projection::Unchanged { residual },
            None => Projection::Failed { residual },
        }]
    }

    fn linearise(
        &mut self,
        now: &Evaluation<1>,
        y: &[[f64; 1]],
        f: &[[f64; 1]],
        errors: &[[f64; 1]],
    ) -> bool {
        self.find_linearised(now, [y, f, errors].map(<[[f64; 1]]>::as_flattened))
    }

    fn linearisation(&mut self) -> Option<&mut dyn Linearisation> {
        self.linearised
            .as_mut()
            .map(linearised::Found::as_linearisation)
    }

    fn solves_rows(&self) -> bool {
        self.has_rows_in_steps()
    }

    fn along_rows(
        &mut self,
        now: &Evaluation<1>,
        y: &[[f64; 1]],
        left: &mut [f64],
        way: &mut [f64],
    ) -> bool {
        self.keep_along_rows(now.t[0], y, left, way).is_some()
    }

    fn followers(&self) -> usize {
        usize::from(self.counts_work)
    }

    fn rounding(
        &mut self,
        (t, h): (&[f64; 1], &[f64; 1]),
        y: &[[f64; 1]],
        _: &Mask<1>,
        out: &mut [[f64; 1]],
    ) {
        let known = out[..2 * self.n].as_flattened_mut();
        if self.measure_rounding((t[0], h[0]), y, known).is_none() {
            known.fill(0.0);
        } else {
            self.add_rounding_of_time((t[0], h[0]), y, known);
            if self.is_beside {
                self.add_rounding_of_rows((t[0], y), known);
            }
        }
        out[2 * self.n][0] = 0.0;
    }
}
