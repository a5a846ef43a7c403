//! J = ∂f/∂y, and s − J factored.
//!
//! Where the first n values have the next n for their derivatives, q' = v, v' = a(q, v), it is enough to factor n equations:
//!
//! ```text
//! s x − u = r        ⇒        (s² − s ∂a/∂v − ∂a/∂q) x = p + s r − ∂a/∂v r,      u = s x − r
//! −∂a/∂q x + (s − ∂a/∂v) u = p
//! ```
//!
//! Values after them, which enter nothing, follow. Where the equations for a are sparse, J is not made at all (`linearised/sparse.rs`).

mod sparse;
mod stages;

pub use sparse::{Parts, SparseLinearised};

use dalembert_linear::{Complex, Lu, Scalar, dot, norm};
use stages::Stages;

/// Powers of J that tell its largest eigenvalue well enough.
const POWERS: usize = 12;

/// J as implicit steps need it.
pub trait Linearisation {
    /// Σ |J| errors of one value; where an error has no limit it does not count.
    fn propagated(&mut self, value: usize, errors: &[f64]) -> f64;

    /// The size of the largest eigenvalue of J, by a few powers of J on the direction to which those before led: roughly, and too small
    /// rather than too large.
    fn fastest(&mut self) -> f64;

    /// Factors s − J for a real and a complex s; false where one of them is singular.
    fn factor(&mut self, real: f64, complex: [f64; 2]) -> bool;

    /// x ← (s − J)⁻¹ x for the real s.
    fn solve_real(&mut self, x: &mut [f64]);

    /// x + iy ← (s − J)⁻¹ (x + iy) for the complex s.
    fn solve_complex(&mut self, x: &mut [f64], y: &mut [f64]);

    /// Sets J aside.
    fn keep_start(&mut self);

    /// Takes the J that was set aside.
    fn recall_start(&mut self);

    /// Takes J for that of a stage.
    fn keep_stage(&mut self, stage: usize);

    /// Factors the stages, each with its J, as coupled by weights D: D ⊗ 1 − diag(J₁, J₂, J₃); false where that is singular.
    fn factor_stages(&mut self, weights: [[f64; 3]; 3]) -> bool;

    /// x ← the solution for right sides x, stage after stage.
    fn solve_stages(&mut self, x: &mut [f64]);
}

/// J, and s − J in factors for a real and a complex s.
#[derive(Clone, Debug)]
pub struct Linearised {
    size: usize,
    /// Number of values at the front whose derivatives are the values after them; zero where nothing is known of J.
    pairs: usize,
    jacobian: Vec<f64>,
    real: Shifted<f64>,
    complex: Shifted<Complex>,
    numbers: Vec<Complex>,
    /// Where powers of J lead.
    direction: Vec<f64>,
    shifted: Vec<f64>,
    moved: Vec<f64>,
    /// The stages of a step, where each has a J.
    stages: Option<Box<Stages>>,
}

/// The size of the largest eigenvalue of a matrix by which `multiply` gives what a direction becomes.
fn fastest(
    direction: &mut [f64],
    moved: &mut [f64],
    mut multiply: impl FnMut(&[f64], &mut [f64]),
) -> f64 {
    let mut growth = [0.0; POWERS];
    for growth in &mut growth {
        multiply(direction, moved);
        *growth = norm(moved);
        if !(*growth > 0.0 && growth.is_finite()) {
            direction.fill(1.0);
            return if *growth > 0.0 { f64::NAN } else { 0.0 };
        }
        for (target, moved) in direction.iter_mut().zip(&*moved) {
            *target = moved / *growth;
        }
    }
    // A pair of complex ones swings: the geometric mean does not.
    let last = &growth[POWERS / 2..];
    let mean = last.iter().map(|growth| growth.ln()).sum::<f64>() / last.len() as f64;
    mean.exp()
}

/// s − J in factors.
#[derive(Clone, Debug)]
struct Shifted<T> {
    s: T,
    lu: Lu<T>,
    room: Vec<T>,
}

impl<T: Scalar> Shifted<T> {
    fn new(n: usize) -> Self {
        Self {
            s: T::ZERO,
            lu: Lu::new(n),
            room: vec![T::ZERO; n],
        }
    }

    fn factor(&mut self, s: T, jacobian: &[f64], size: usize, pairs: usize) -> bool {
        self.s = s;
        let minus = |entry: f64| T::ZERO - T::real(entry);
        if pairs == 0 {
            return self.lu.factor(|row, target| {
                for (target, entry) in target.iter_mut().zip(&jacobian[row * size..]) {
                    *target = minus(*entry);
                }
                target[row] = target[row] + s;
            });
        }
        self.lu.factor(|row, target| {
            let row_of = &jacobian[(pairs + row) * size..][..2 * pairs];
            let (by_position, by_speed) = row_of.split_at(pairs);
            for ((target, q), v) in target.iter_mut().zip(by_position).zip(by_speed) {
                *target = minus(*q) - s.times(*v);
            }
            target[row] = target[row] + s * s;
        })
    }

    fn solve(&mut self, x: &mut [T], jacobian: &[f64], size: usize, pairs: usize) {
        if pairs == 0 {
            return self.lu.solve(x);
        }
        let (before, tail) = x.split_at_mut(2 * pairs);
        let (first, second) = before.split_at_mut(pairs);
        for (row, target) in self.room.iter_mut().enumerate() {
            let by_speed = &jacobian[(pairs + row) * size + pairs..][..pairs];
            let mut sum = second[row] + self.s * first[row];
            for (slope, r) in by_speed.iter().zip(&*first) {
                sum = sum - r.times(*slope);
            }
            *target = sum;
        }
        self.lu.solve(&mut self.room);
        for ((x, u), solved) in first.iter_mut().zip(second).zip(&self.room) {
            *u = self.s * *solved - *x;
            *x = *solved;
        }
        for (row, value) in tail.iter_mut().enumerate() {
            let slopes = &jacobian[(2 * pairs + row) * size..][..2 * pairs];
            for (slope, x) in slopes.iter().zip(&*before) {
                *value = *value + x.times(*slope);
            }
            *value = *value / self.s;
        }
    }
}

impl Linearised {
    /// Room for states of so many values.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self::with_pairs(size, 0)
    }

    /// The same where the first `pairs` values have the next `pairs` for their derivatives, and those after them enter nothing.
    #[must_use]
    pub fn with_pairs(size: usize, pairs: usize) -> Self {
        let equations = if pairs == 0 { size } else { pairs };
        Self {
            size,
            pairs,
            jacobian: vec![0.0; size * size],
            real: Shifted::new(equations),
            complex: Shifted::new(equations),
            numbers: vec![Complex::default(); size],
            direction: (0..size).map(|i| 1.0 / (1.0 + i as f64)).collect(),
            shifted: vec![0.0; size],
            moved: vec![0.0; size],
            stages: None,
        }
    }

    fn equations(&self) -> usize {
        if self.pairs == 0 {
            self.size
        } else {
            self.pairs
        }
    }

    /// J from differences of f at y and beside it, by half the digits of each value or the error it may have, whichever is more. A value
    /// with no limit to its error enters nothing. False where f is not defined.
    pub fn by_differences(
        &mut self,
        [y, f, errors]: [&[f64]; 3],
        mut evaluate: impl FnMut(&[f64], &mut [f64]) -> bool,
    ) -> bool {
        let size = self.size;
        self.shifted.copy_from_slice(y);
        self.jacobian.fill(0.0);
        let columns = if self.pairs == 0 {
            size
        } else {
            2 * self.pairs
        };
        for column in 0..columns {
            let step = (f64::EPSILON.sqrt() * y[column].abs()).max(errors[column]);
            if !(step.is_finite() && step > 0.0) {
                continue;
            }
            self.shifted[column] = y[column] + step;
            if !evaluate(&self.shifted, &mut self.moved) {
                return false;
            }
            let step = self.shifted[column] - y[column];
            for (row, (moved, f)) in self.moved.iter().zip(f).enumerate() {
                self.jacobian[row * size + column] = (moved - f) / step;
            }
            self.shifted[column] = y[column];
        }
        true
    }

    /// J as `write` gives it, row after row; false where it says so.
    pub fn by_formula(&mut self, write: impl FnOnce(&mut [f64]) -> bool) -> bool {
        write(&mut self.jacobian)
    }
}

impl Linearisation for Linearised {
    fn propagated(&mut self, value: usize, errors: &[f64]) -> f64 {
        let slopes = self.jacobian[value * self.size..].iter().zip(errors);
        let known = slopes.filter(|(_, error)| error.is_finite());
        known.map(|(slope, error)| slope.abs() * error).sum()
    }

    fn fastest(&mut self) -> f64 {
        let size = self.size;
        fastest(&mut self.direction, &mut self.moved, |direction, moved| {
            for (row, target) in moved.iter_mut().enumerate() {
                *target = dot(&self.jacobian[row * size..][..size], direction);
            }
        })
    }

    fn factor(&mut self, real: f64, [re, im]: [f64; 2]) -> bool {
        let (size, pairs) = (self.size, self.pairs);
        let complex = Complex { re, im };
        self.real.factor(real, &self.jacobian, size, pairs)
            && self.complex.factor(complex, &self.jacobian, size, pairs)
    }

    fn solve_real(&mut self, x: &mut [f64]) {
        self.real.solve(x, &self.jacobian, self.size, self.pairs);
    }

    fn solve_complex(&mut self, x: &mut [f64], y: &mut [f64]) {
        for (target, (&re, &im)) in self.numbers.iter_mut().zip(x.iter().zip(&*y)) {
            *target = Complex { re, im };
        }
        let (size, pairs) = (self.size, self.pairs);
        self.complex
            .solve(&mut self.numbers, &self.jacobian, size, pairs);
        for (part, (x, y)) in self.numbers.iter().zip(x.iter_mut().zip(y)) {
            (*x, *y) = (part.re, part.im);
        }
    }

    fn keep_start(&mut self) {
        let (size, equations) = (self.size, self.equations());
        let stages = self
            .stages
            .get_or_insert_with(|| Box::new(Stages::new(size, equations)));
        stages.keep_start(&self.jacobian);
    }

    fn recall_start(&mut self) {
        if let Some(stages) = &self.stages {
            stages.recall_start(&mut self.jacobian);
        }
    }

    fn keep_stage(&mut self, stage: usize) {
        if let Some(stages) = &mut self.stages {
            stages.keep(stage, &self.jacobian);
        }
    }

    fn factor_stages(&mut self, weights: [[f64; 3]; 3]) -> bool {
        let stages = self.stages.as_mut();
        stages.is_some_and(|stages| stages.factor(weights, self.size, self.pairs))
    }

    fn solve_stages(&mut self, x: &mut [f64]) {
        if let Some(stages) = &mut self.stages {
            stages.solve(x, self.size, self.pairs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_tell_the_fastest_rate() {
        // An oscillator of 100 beside one of 3, and a decay of 7.
        let f = |y: &[f64], dy: &mut [f64]| {
            (dy[0], dy[1]) = (y[1], -1e4 * y[0]);
            (dy[2], dy[3]) = (y[3], -9.0 * y[2]);
            dy[4] = -7.0 * y[4];
            true
        };
        let (y, mut at) = ([0.1; 5], [0.0; 5]);
        f(&y, &mut at);
        let mut linearised = Linearised::new(5);
        assert!(linearised.by_differences([&y, &at, &[1e-3; 5]], f));
        let fastest = linearised.fastest();
        assert!((fastest / 100.0 - 1.0).abs() < 0.05, "{fastest}");
    }

    /// With and without the structure being known, the solutions are the same.
    #[test]
    fn pairs_are_solved_as_the_whole() {
        let f = |y: &[f64], dy: &mut [f64]| {
            (dy[0], dy[1]) = (y[2], y[3]);
            dy[2] = -3.0 * y[0] + y[1] * y[3];
            dy[3] = y[0] * y[2] - 0.2 * y[3];
            dy[4] = y[2] * y[2] + y[0];
            true
        };
        let y = [0.3, -0.7, 1.1, 0.4, 0.0];
        let errors = [1e-6, 1e-6, 1e-6, 1e-6, f64::INFINITY];
        let mut at = [0.0; 5];
        f(&y, &mut at);
        let solved = [Linearised::new(5), Linearised::with_pairs(5, 2)].map(|mut linearised| {
            assert!(linearised.by_differences([&y, &at, &errors], f));
            assert!(linearised.factor(2.5, [1.5, -2.0]));
            let mut x = [[1.0, -2.0, 0.5, 0.25, 3.0]; 3];
            linearised.solve_real(&mut x[0]);
            let [_, re, im] = &mut x;
            linearised.solve_complex(re, im);
            x
        });
        for (one, two) in solved[0]
            .as_flattened()
            .iter()
            .zip(solved[1].as_flattened())
        {
            assert!((one - two).abs() < 1e-12, "{one} is not {two}");
        }
    }
}
