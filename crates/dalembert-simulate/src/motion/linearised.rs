//! The derivative of the right-hand side by the state, for implicit steps.

use super::MotionSystem;
use dalembert_ode::{Evaluation, Linearised, System};

impl MotionSystem<'_> {
    /// Finds J at a state of which f is known, with the errors that its values may have; whether there is one.
    pub(super) fn find_linearised(&mut self, now: &Evaluation<1>, at: [&[f64]; 3]) -> bool {
        // Where the speeds are not the rates, nothing is known of the structure.
        let pairs = if self.has_speeds { 0 } else { self.n };
        let size = self.size();
        let made = self.linearised.take();
        let mut linearised = made.unwrap_or_else(|| Linearised::with_pairs(size, pairs));
        let known = linearised.by_differences(at, |y, dy| {
            let mut now = now.clone();
            self.derivative(&mut now, y.as_chunks().0, dy.as_chunks_mut().0);
            !now.failed[0]
        });
        self.linearised = Some(linearised);
        known
    }
}
