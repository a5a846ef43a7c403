//! Impacts, and other events, that follow each other ever faster: infinitely many in a finite time.
//!
//! Intervals that shrink by one factor r have the sum d r/(1 − r) after the last of them, d. Where that is nothing beside the run, the
//! impacts are over: what bounces rests from there on. What comes after other events, as those that `set` rates, no model says.

use dalembert_mechanics::decide::{CANCELLED, COARSE};

/// Intervals in a row whose factors must agree.
const AGREE: u32 = 6;

/// The impacts of one contact, or what happened of one event, so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    last: Option<f64>,
    interval: Option<f64>,
    factor: f64,
    agree: u32,
}

impl Sequence {
    /// Adds an impact; the time that is left until the last, where the sequence is over.
    pub(super) fn add(&mut self, t: f64, span: f64) -> Option<f64> {
        let interval = self.last.replace(t).map(|last| t - last);
        let before = std::mem::replace(&mut self.interval, interval);
        let (interval, before) = interval.zip(before)?;
        let factor = interval / before;
        let alike = (factor - self.factor).abs() <= COARSE * factor && factor < 1.0 - COARSE;
        self.agree = if alike { self.agree + 1 } else { 0 };
        self.factor = factor;
        let left = interval * factor / (1.0 - factor);
        (self.agree >= AGREE && left <= CANCELLED * span).then_some(left)
    }
}

impl Sequence {
    /// Whether the last impact was just now, beside a span.
    pub(super) fn is_near(&self, t: f64, span: f64) -> bool {
        self.last
            .is_some_and(|last| t - last <= 10.0 * CANCELLED * span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_geometric_sequence_ends_at_its_sum() {
        let (mut sequence, mut t, mut interval) = (Sequence::default(), 0.0, 1.0);
        let end = (0..1000).find_map(|_| {
            let left = sequence.add(t, 10.0).map(|left| t + left);
            (t, interval) = (t + interval, 0.7 * interval);
            left
        });
        let sum = 1.0 / (1.0 - 0.7);
        assert!((end.expect("an end") - sum).abs() < 1e-13, "{end:?}");
    }

    #[test]
    fn impacts_that_keep_their_pace_do_not_end() {
        let mut sequence = Sequence::default();
        assert!((0..1000).all(|i| sequence.add(f64::from(i) * 1e-12, 10.0).is_none()));
    }
}
