//! The whole way of a run: its state at every time, not only at those of the samples.
//!
//! Between the ends of a step integrators know a polynomial of degree 7 at most ([`dalembert_ode::Step::state`]). It is kept as its values at eight
//! Chebyshev points, both ends among them, and evaluated by the barycentric formula: so it is the same polynomial, whichever
//! the integrator, and whatever it was cut off by.
//!
//! ```text
//! p(t) = Σ wⱼ/(t − tⱼ) pⱼ / Σ wⱼ/(t − tⱼ)        wⱼ = ½, −1, 1, …, ∓½
//! ```
//!
//! Reference: Berrut, Trefethen, "Barycentric Lagrange interpolation", SIAM Review 46 (2004) 501–517, eq. (4.2), (5.4).

use super::motion::Step;
use std::f64::consts::PI;

/// Points of a step.
pub(super) const POINTS: usize = 8;

/// Coordinates and rates of a run at every time.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Coordinates and rates together.
    size: usize,
    /// First and last time of each step.
    spans: Vec<[f64; 2]>,
    /// States at the points of each step, one after the other.
    states: Vec<f64>,
}

impl Trail {
    /// The trail of a system of n coordinates.
    pub(super) fn new(n: usize) -> Self {
        Self {
            size: 2 * n,
            ..Self::default()
        }
    }

    /// Adds a step as far as it counts.
    pub(super) fn add(&mut self, step: &mut Step<'_, '_>) {
        let span @ [from, to] = [step.t_old(0), step.t_new(0)];
        if to <= from {
            return;
        }
        let n = self.size / 2;
        let mut y = vec![0.0; step.size()];
        for point in 0..POINTS {
            let t = place(point, span);
            step.state(0, t, &mut y);
            self.states.extend_from_slice(&y[..n]);
            let rates = step.system().rates_at(t, y.as_chunks().0);
            let unknown = vec![f64::NAN; n];
            self.states.extend_from_slice(rates.unwrap_or(&unknown));
        }
        self.spans.push(span);
    }

    /// Forgets what comes after a time.
    pub(super) fn cut(&mut self, end: f64) {
        let kept = self.spans.partition_point(|[from, _]| *from < end);
        self.spans.truncate(kept);
        self.states.truncate(kept * POINTS * self.size);
    }

    /// Number of coordinates and rates together.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Coordinates, then rates at a time; `None` before the start, and after the end of the last step. At an instant at which they jump they
    /// are those after it.
    #[must_use]
    pub fn at(&self, t: f64) -> Option<Vec<f64>> {
        let last = self.spans.partition_point(|[from, _]| *from <= t);
        let index = last.checked_sub(1)?;
        let span = self.spans[index];
        if t > span[1] {
            return None;
        }
        let states = &self.states[index * POINTS * self.size..][..POINTS * self.size];
        let states = states.chunks_exact(self.size);
        let (mut sum, mut weights) = (vec![0.0; self.size], 0.0);
        for (point, state) in states.enumerate() {
            let apart = t - place(point, span);
            if apart == 0.0 {
                return Some(state.to_vec());
            }
            let weight = weight(point) / apart;
            weights += weight;
            for (sum, value) in sum.iter_mut().zip(state) {
                *sum += weight * value;
            }
        }
        sum.iter_mut().for_each(|sum| *sum /= weights);
        Some(sum)
    }
}

/// Where a point of a step is.
pub(super) fn place(point: usize, [from, to]: [f64; 2]) -> f64 {
    match point {
        0 => from,
        _ if point == POINTS - 1 => to,
        _ => {
            let part = (1.0 - (PI * point as f64 / (POINTS - 1) as f64).cos()) / 2.0;
            from + part * (to - from)
        }
    }
}

/// The weight of a point.
fn weight(point: usize) -> f64 {
    let size = match point == 0 || point == POINTS - 1 {
        true => 0.5,
        false => 1.0,
    };
    if point.is_multiple_of(2) { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial of degree 7 is itself, at the points and between them.
    #[test]
    fn a_polynomial_of_degree_seven_is_kept() {
        let value = |t: f64| {
            (0..8)
                .rev()
                .fold(0.0, |sum, k| sum * t + f64::from(k) - 3.0)
        };
        let mut trail = Trail::new(1);
        for span in [[0.0, 0.75], [0.75, 1.25]] {
            trail.spans.push(span);
            let states = (0..POINTS).flat_map(|it| [value(place(it, span)), -1.0]);
            trail.states.extend(states);
        }
        for t in [0.0, 0.1, 0.75, 0.8, 1.25] {
            let found = trail.at(t).expect("a state");
            assert!((found[0] - value(t)).abs() < 1e-13, "{t}: {found:?}");
            assert!((found[1] + 1.0).abs() < 1e-14);
        }
        assert_eq!((trail.at(-0.1), trail.at(1.3)), (None, None));
        trail.cut(0.75);
        assert_eq!(trail.at(0.8), None);
    }
}
