//! Dense output: the state between the ends of a step.
//!
//! With θ = (t − t₀)/h the interpolant is the polynomial
//!
//! ```text
//! u(θ) = y + θ (F₀ + θ̄ (F₁ + θ (F₂ + θ̄ (F₃ + θ (F₄ + …)))))        θ̄ = 1 − θ
//! F₀ = y⁺ − y      F₁ = h k₀ − F₀      F₂ = 2 F₀ − h (k₀ + kₛ)      F₃₊ᵣ = h Σᵢ dᵣᵢ kᵢ
//! ```
//!
//! F₀ to F₂ make the cubic that meets values and derivatives at both ends, so steps join smoothly; the rows
//! d raise the order without changing this. y⁺ and kₛ are those *after* projection: the interpolant runs
//! from one projected state to the next. They differ from the unprojected ones by the local error, which
//! does not lower the order.
//!
//! If a stage of the dense output cannot be evaluated in a lane, that lane gets the cubic.
//!
//! Reference: Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 2nd edition, Springer
//! 1993, section II.6.

use crate::integrator::Integrator;
use crate::kernels::{finite_lanes, weigh};
use crate::polynomial::Polynomial;
use crate::stepper::Stepper;
use crate::system::{Mask, System};

impl<const L: usize> Integrator<L> {
    /// Evaluates the extra stages and the rows F of the step that ends in `y_new`.
    pub(crate) fn build_dense<S: System<L>>(&mut self, system: &mut S, active: &Mask<L>) {
        let tableau = match &self.stepper {
            Stepper::Explicit(tableau) => *tableau,
            Stepper::Radau(radau) => return radau.write_dense(&mut self.buffers),
        };
        let last = tableau.last();
        let h = self.lanes.each_ref().map(|lane| lane.h);
        let t = self.lanes.each_ref().map(|lane| lane.t);
        let mut now = self.evaluation(t, *active);
        for (i, (&node, &row)) in tableau
            .extra_nodes
            .iter()
            .zip(tableau.extra_stages)
            .enumerate()
        {
            now.t = std::array::from_fn(|l| t[l] + node * h[l]);
            self.buffers.advance_stage(&h, row);
            self.buffers.evaluate_stage(system, last + 1 + i, &mut now);
        }
        let buffers = &mut self.buffers;
        let n = buffers.size();
        let (shared, rest) = buffers.dense.split_at_mut(3 * n);
        for i in 0..n {
            for l in 0..L {
                let (first, end) = (h[l] * buffers.k[i][l], h[l] * buffers.k[last * n + i][l]);
                let change = buffers.y_new[i][l] - buffers.y[i][l];
                shared[i][l] = change;
                shared[n + i][l] = first - change;
                shared[2 * n + i][l] = 2.0 * change - (first + end);
            }
        }
        for (out, row) in rest.chunks_exact_mut(n).zip(tableau.dense) {
            weigh(out, &h, row, &buffers.k);
        }
        let finite = finite_lanes(rest);
        for l in (0..L).filter(|&l| now.failed[l] || !finite[l]) {
            rest.iter_mut().for_each(|value| value[l] = 0.0);
        }
    }

    /// Writes the state at θ = `theta` to one place of each of `out`.
    pub(crate) fn write_between<const M: usize>(
        &self,
        at: (usize, f64),
        out: &mut [[f64; M]],
        place: usize,
    ) {
        // The number of rows is known to the compiler.
        match self.stepper.dense_rows() {
            3 => self.write_of_rows::<3, M>(at, out, place),
            4 => self.write_of_rows::<4, M>(at, out, place),
            7 => self.write_of_rows::<7, M>(at, out, place),
            rows => unreachable!("no method has {rows} rows of dense output"),
        }
    }

    fn write_of_rows<const ROWS: usize, const M: usize>(
        &self,
        (lane, theta): (usize, f64),
        out: &mut [[f64; M]],
        place: usize,
    ) {
        let (y, f) = (&self.buffers.y, &self.buffers.dense);
        let n = y.len();
        let out = &mut out[..n];
        let rows: [&[[f64; L]]; ROWS] = std::array::from_fn(|row| &f[row * n..][..n]);
        // The factor in front of F_row is θ for even rows and 1 − θ for odd ones.
        let factors: [f64; ROWS] =
            std::array::from_fn(|row| if row % 2 == 0 { theta } else { 1.0 - theta });
        for (i, (out, y)) in out.iter_mut().zip(y).enumerate() {
            let mut value = 0.0;
            for (row, factor) in rows.iter().zip(&factors).rev() {
                value = (row[i][lane] + value) * factor;
            }
            out[place] = y[lane] + value;
        }
    }

    /// One value of the state in the step of a lane.
    pub(crate) fn polynomial(&self, lane: usize, value: usize) -> Polynomial {
        let (y, f) = (&self.buffers.y, &self.buffers.dense);
        let count = self.stepper.dense_rows();
        let row = |row: usize| match row < count {
            true => f[row * y.len() + value][lane],
            false => 0.0,
        };
        Polynomial {
            from: self.lanes[lane].t,
            length: self.lanes[lane].h,
            start: y[value][lane],
            rows: std::array::from_fn(row),
            count,
        }
    }

    /// Calls `write` with value and slope in θ of each value of the state at θ = `theta`.
    pub(crate) fn evaluate_dense(
        &self,
        lane: usize,
        theta: f64,
        mut write: impl FnMut(usize, f64, f64),
    ) {
        let (y, f) = (&self.buffers.y, &self.buffers.dense);
        let n = y.len();
        let rows = self.stepper.dense_rows();
        for i in 0..n {
            let (mut value, mut slope) = (0.0, 0.0);
            for row in (0..rows).rev() {
                // The factor in front of F_row is θ for even rows and 1 − θ for odd ones.
                let (factor, sign) = if row % 2 == 0 {
                    (theta, 1.0)
                } else {
                    (1.0 - theta, -1.0)
                };
                let inner = f[row * n + i][lane] + value;
                slope = slope * factor + sign * inner;
                value = inner * factor;
            }
            write(i, y[i][lane] + value, slope);
        }
    }
}
