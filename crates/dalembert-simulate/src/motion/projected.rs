//! The way back to the rows after a step: by the program, or by the general route.

use super::MotionSystem;

impl MotionSystem<'_> {
    /// Makes sure that M of the state which is projected is there: the way back is short, so it serves for all corrections.
    fn metric(&mut self) {
        if !std::mem::replace(&mut self.has_metric, true) {
            self.solver.evaluator.canonical();
        }
    }

    /// Moves a state to the rows by the program; whether it moved, or `None` where the general route must be asked, which goes on
    /// from there.
    pub(super) fn go_back(&mut self, t: f64, y: &mut [[f64; 1]]) -> Option<bool> {
        let way_back = self.way_back.as_mut()?;
        let (q, v) = y[..2 * self.n].as_flattened_mut().split_at_mut(self.n);
        let add = |x: &mut [f64], correction: &[f64]| {
            x.iter_mut().zip(correction).for_each(|(x, dx)| *x += dx);
        };
        self.position.begin();
        self.velocity.begin();
        let mut at_rows = None;
        loop {
            way_back.set(t, q, v);
            if at_rows.is_none() {
                let missed = way_back.position();
                match self.position.judge_missed(&missed) {
                    Some(outcome) => at_rows = Some(outcome?),
                    None if missed.is_trusted() => {
                        add(q, missed.correction);
                        continue;
                    }
                    None => return None,
                }
            }
            let missed = way_back.velocity();
            match self.velocity.judge_missed(&missed) {
                Some(outcome) => {
                    let moved = outcome?;
                    self.rates.copy_from_slice(v);
                    return Some(moved || at_rows == Some(true));
                }
                None if missed.is_trusted() => add(v, missed.correction),
                None => return None,
            }
        }
    }

    /// Moves the coordinates to the position rows; whether they moved, or `None` if they cannot.
    pub(super) fn project_positions(&mut self, t: f64, y: &mut [[f64; 1]]) -> Option<bool> {
        let q = y[..self.n].as_flattened_mut();
        self.position.begin();
        loop {
            self.solver.evaluator.set_position(t, q);
            if let Some(outcome) = self.position.judge(&self.solver.evaluator.position(), q) {
                return outcome;
            }
            self.metric();
            self.position
                .correct(&self.solver.evaluator.latest().mass, q)?;
        }
    }

    /// Moves the rates to the rows at velocity level; whether they moved, or `None` if they cannot.
    pub(super) fn project_velocities(&mut self) -> Option<bool> {
        self.velocity.begin();
        loop {
            self.solver.evaluator.set_rates(&self.rates);
            let found = self.solver.evaluator.velocity();
            if let Some(outcome) = self.velocity.judge(&found, &self.rates) {
                return outcome;
            }
            self.metric();
            let mass = self.solver.evaluator.latest().mass;
            self.velocity.correct(&mass, &mut self.rates)?;
        }
    }
}
