//! Events: the times at which functions of the state rise through zero.
//!
//! An event is a function g(t, y). It is false where g < 0 and true where g ≥ 0, and happens where it becomes
//! true. Each step is checked at its end and at a few points inside; where g changes from negative to not
//! negative, the change is located on the dense output by the ITP method, which never needs more
//! evaluations than bisection (plus one) and converges superlinearly where g is smooth:
//!
//! ```text
//! interpolate   x_f = (g_b a − g_a b)/(g_b − g_a)
//! truncate      x_t = x_f + σ min(κ₁ (b − a)^κ₂, |x_½ − x_f|),     x_½ = (a + b)/2,  σ = sign(x_½ − x_f)
//! project       onto |x − x_½| ≤ r,       r = ε 2^(n_½ + n₀ − j) − (b − a)/2
//! ```
//!
//! * An event that is true at the start happens only after it has been false.
//! * An event that becomes true and false again between two checks is missed.
//!
//! Reference: Oliveira, Takahashi, "An enhancement of the bisection method average performance preserving
//! minmax optimality", ACM Trans. Math. Softw. 47 (2020) 5:1–5:24.

use crate::step::Step;
use crate::system::System;

/// Number of intervals into which a step is cut to look for changes of sign.
const CHECKS_PER_STEP: usize = 4;

/// An event that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which of the events.
    pub event: usize,
    /// When: the event is true at this time, and was false just before.
    pub t: f64,
}

/// Watches a number of events in all lanes of a run.
#[derive(Clone, Debug)]
pub struct Events<const L: usize> {
    /// g at the last check of each lane.
    before: Vec<[f64; L]>,
    now: Vec<f64>,
    trial: Vec<f64>,
    state: Vec<f64>,
    found: Vec<Crossing>,
}

impl<const L: usize> Events<L> {
    /// A watch for `count` events of a state of `size` values.
    pub fn new(count: usize, size: usize) -> Self {
        Events {
            before: vec![[f64::NAN; L]; count],
            now: vec![0.0; count],
            trial: vec![0.0; count],
            state: vec![0.0; size],
            found: Vec::with_capacity(count * CHECKS_PER_STEP),
        }
    }

    /// Begins a new run: what was true at the end of the last one is not known any more.
    pub fn restart(&mut self) {
        self.before.fill([f64::NAN; L]);
    }

    /// The events that happen in a lane during `step`, the earliest first.
    ///
    /// `g(system, t, y, out)` writes the values of all events at a state of that lane. To be called from the
    /// observer of a run, in each step, the one of zero length at the start included.
    pub fn locate<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        lane: usize,
        mut g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
    ) -> &[Crossing] {
        self.found.clear();
        let (start, end) = (step.t_old(lane), step.t_new(lane));
        let state = &mut self.state;
        let mut values_at = |t: f64, out: &mut [f64]| {
            step.state(lane, t, state);
            g(step.system(), t, state, out);
        };
        let mut a = start;
        for check in 1..=CHECKS_PER_STEP {
            let b = match check {
                CHECKS_PER_STEP => end,
                _ => start + (end - start) * (check as f64 / CHECKS_PER_STEP as f64),
            };
            values_at(b, &mut self.now);
            for (event, before) in self.before.iter_mut().enumerate() {
                let (g_a, g_b) = (before[lane], self.now[event]);
                if g_a < 0.0 && g_b >= 0.0 {
                    let trial = &mut self.trial;
                    let t = rising_zero([a, b], [g_a, g_b], |t| {
                        values_at(t, trial);
                        trial[event]
                    });
                    self.found.push(Crossing { event, t });
                }
                before[lane] = g_b;
            }
            a = b;
        }
        let direction = (end - start).signum();
        self.found.sort_unstable_by(|p, q| {
            let by_time = (p.t * direction).total_cmp(&(q.t * direction));
            by_time.then(p.event.cmp(&q.event))
        });
        &self.found
    }
}

/// The first representable time at or after which g, negative at a and not negative at b, is not negative;
/// to within two spacings of the numbers.
fn rising_zero(
    [mut a, mut b]: [f64; 2],
    [mut g_a, mut g_b]: [f64; 2],
    mut g: impl FnMut(f64) -> f64,
) -> f64 {
    let epsilon = f64::EPSILON * a.abs().max(b.abs());
    let kappa = 0.2 / (b - a).abs();
    let most = ((b - a).abs() / (2.0 * epsilon)).log2().ceil().max(0.0) + 1.0;
    let mut round = 0.0;
    while (b - a).abs() > 2.0 * epsilon {
        let width = (b - a).abs();
        let middle = a + (b - a) / 2.0;
        let secant = (g_b * a - g_a * b) / (g_b - g_a);
        let sigma = (middle - secant).signum();
        let delta = kappa * width * width;
        let truncated = match delta <= (middle - secant).abs() {
            true => secant + sigma * delta,
            false => middle,
        };
        let radius = epsilon * f64::exp2(most - round) - width / 2.0;
        let x = match (truncated - middle).abs() <= radius {
            true => truncated,
            false => middle - sigma * radius,
        };
        let g_x = g(x);
        if g_x >= 0.0 {
            (b, g_b) = (x, g_x);
        } else {
            (a, g_a) = (x, g_x);
        }
        round += 1.0;
        if round > most {
            break;
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: f64, b: f64, zero: f64, g: impl Fn(f64) -> f64) {
        let mut evaluations = 0;
        let found = rising_zero([a, b], [g(a), g(b)], |t| {
            evaluations += 1;
            g(t)
        });
        let spacing = f64::EPSILON * a.abs().max(b.abs());
        assert!(
            (found - zero).abs() <= 3.0 * spacing,
            "{found} is not {zero}"
        );
        assert!(g(found) >= 0.0);
        assert!(evaluations <= 56, "{evaluations} evaluations");
    }

    #[test]
    fn zeros_are_found_to_the_last_digits() {
        check(1.0, 2.0, 2f64.sqrt(), |t| t * t - 2.0);
        check(2.0, 1.0, 2f64.sqrt(), |t| 2.0 - t * t);
        check(0.0, 3.0, 1.0, |t| (t - 1.0) * 1e-200);
        check(0.0, 10.0, 2.0, |t| (t - 2.0).powi(9));
        check(-4.0, 9.0, 0.0, |t| t.atan());
        check(100.0, 101.0, 100.7, |t| if t < 100.7 { -1.0 } else { 1.0 });
        check(0.0, 1.0, 1.0, |t| t - 1.0);
    }

    #[test]
    fn smooth_zeros_need_few_evaluations() {
        let mut evaluations = 0;
        rising_zero([1.0, 2.0], [-1.0, 2.0], |t: f64| {
            evaluations += 1;
            t * t - 2.0
        });
        assert!(evaluations <= 12, "{evaluations}");
    }
}
