//! Full matrices M and A of one state, factored once for several right sides.
//!
//! The system with multipliers [B92 2.8] is eliminated by hand. With M = L Lᵀ, y = Lᵀ v', and
//! Y = L⁻¹ Aᵀ with its columns divided by their lengths s (so λ̂ = s λ, b̂ = b / s):
//!
//! ```text
//! M v' − Aᵀ λ = f          y − Y λ̂ = L⁻¹ f
//! A v'        = b          Yᵀ y    = b̂
//! ```
//!
//! so y is L⁻¹ f plus the least correction Y λ̂ that meets the rows, Yᵀ Y λ̂ = ê = b̂ − Yᵀ L⁻¹ f. Two ways:
//!
//! * *Definite*: Cholesky of S = Yᵀ Y = A M⁻¹ Aᵀ, if its pivots (squared distances of a row from the rows
//!   before it) leave no doubt that the rank is full. S has the square of Y's condition, so one step of
//!   refinement follows, after which v' meets the rows as well as with an orthogonal method [B].
//!   Not pivoted: where pivoting would matter, the other way is taken.
//! * *Orthogonal*: complete orthogonal decomposition of Yᵀ for any rank; λ̂ is least (in the norm of rows of
//!   length one: see `rows.rs`), M gets a penalty where it is singular (`metric.rs`), and the equations as
//!   given are refined once.
//!
//! Cost: nv³/6 + nc nv²/2 + nc² nv/2 + nc³/6 multiplications for the first way (less where rows of M and A begin
//! with zeros), three to five times that for the second; each right side nv² + 2 nc nv + nc².
//!
//! [B]: Björck, "Stability analysis of the method of seminormal equations for linear least
//! squares problems", Linear Algebra Appl. 88/89 (1987) 31–48.

use super::metric::{Metric, finite};
use super::rows::{RowReport, Rows, Tolerance, report_of};
use super::unsolved::{Quantity, Unsolved};
use super::{Way, full};
use crate::decide::COARSE;
use crate::factorisation::RowTerms;
use crate::{Cholesky, CompleteOrthogonal, Matrix, add_scaled, add_transposed, multiply};

/// Times that what is left of the equations is solved for once more.
const REFINEMENTS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Definite,
    Orthogonal,
}

/// M and A of one state, ready for right sides.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    nv: usize,
    nc: usize,
    tolerance: Tolerance,
    by: By,
    metric: Metric,
    rows: Rows,
    /// Yᵀ Y, nc × nc, upper triangle.
    schur: Vec<f64>,
    schur_factor: Cholesky,
    orthogonal: CompleteOrthogonal,
    /// Rows that do not count.
    left_out: Vec<bool>,
    /// Of A and b, if they are known.
    terms: RowTerms,
    /// M and A as given, for the orthogonal way.
    mass_matrix: Vec<f64>,
    jacobian: Vec<f64>,
    /// y, nv.
    y: Vec<f64>,
    correction: Vec<f64>,
    /// λ̂, nc.
    multipliers: Vec<f64>,
    errors: Vec<f64>,
    reduced: Vec<f64>,
    /// The part of ê that no motion meets, nc.
    unmet: Vec<f64>,
    force_left: Vec<f64>,
    bias_left: Vec<f64>,
}

impl Way for Dense {
    fn measure_by(&mut self, terms: &RowTerms) {
        self.terms.clone_from(terms);
    }

    fn leave_out(&mut self, rows: &[usize]) {
        self.left_out.fill(false);
        rows.iter().for_each(|&row| self.left_out[row] = true);
    }

    fn fits(&self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> bool {
        let size = (mass.rows(), rows.rows());
        mass.pattern().is_none() && (self.nv, self.nc) == size
    }

    fn rank(&mut self) -> usize {
        match self.by {
            By::Definite => self.nc - self.left_out.iter().filter(|&&out| out).count(),
            By::Orthogonal => self.orthogonal.rank(),
        }
    }

    fn factor(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        if self.nc <= self.nv && self.factor_definite(full(mass), full(rows)) {
            self.by = By::Definite;
            return Ok(());
        }
        self.factor_any_rank(mass, rows)
    }

    fn factor_any_rank(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        let (mass_matrix, jacobian) = (full(mass), full(rows));
        self.metric.choose(mass_matrix, jacobian)?;
        self.by = By::Orthogonal;
        for i in 0..self.nv {
            for j in i..self.nv {
                let entry = mass_matrix[i * self.nv + j];
                self.mass_matrix[i * self.nv + j] = entry;
                self.mass_matrix[j * self.nv + i] = entry;
            }
        }
        self.jacobian.copy_from_slice(jacobian);
        self.turn_rows(jacobian);
        self.orthogonal.factor(&self.rows.unit, self.tolerance.rank);
        Ok(())
    }

    fn solve(
        &mut self,
        force: &[f64],
        bias: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Unsolved> {
        acceleration.fill(0.0);
        multipliers.fill(0.0);
        self.start(force, bias);
        if self.by == By::Definite {
            self.reach(bias);
            self.add_motion(acceleration, multipliers);
        } else {
            self.reach_any_rank(bias);
            self.refuse_contradiction(bias)?;
            self.add_motion(acceleration, multipliers);
            self.refine(force, bias, acceleration, multipliers);
        }
        if acceleration.iter().all(|value| value.is_finite()) {
            return Ok(());
        }
        finite(Quantity::Force, force)?;
        finite(Quantity::Bias, bias)?;
        finite(Quantity::Acceleration, acceleration)
    }

    fn project(&mut self, residual: &[f64], correction: &mut [f64]) -> f64 {
        self.y.fill(0.0);
        match self.by {
            By::Definite => self.reach(residual),
            By::Orthogonal => self.reach_any_rank(residual),
        }
        correction.copy_from_slice(&self.y);
        self.metric.cholesky.backward(correction);
        if self.by == By::Definite {
            return 0.0;
        }
        let missed = (0..self.nc).map(|i| match self.rows.scales[i] {
            0.0 => residual[i].abs(),
            _ => (self.unmet[i] * self.rows.lengths[i]).abs(),
        });
        missed.fold(0.0, f64::max)
    }

    fn report(&mut self, reports: &mut [RowReport]) {
        match self.by {
            By::Definite => reports.fill(RowReport::INDEPENDENT),
            By::Orthogonal => report_of(&self.orthogonal, self.tolerance.rank, reports),
        }
    }
}

impl Dense {
    /// Room for nv speeds and nc rows; nothing is factored yet.
    pub(crate) fn new(nv: usize, nc: usize, tolerance: Tolerance) -> Self {
        Self {
            nv,
            nc,
            tolerance,
            by: By::Definite,
            metric: Metric::new(nv, nc),
            rows: Rows::new(nv, nc),
            schur: vec![0.0; nc * nc],
            schur_factor: Cholesky::new(nc),
            orthogonal: CompleteOrthogonal::new(nc, nv),
            left_out: vec![false; nc],
            terms: RowTerms::default(),
            mass_matrix: vec![0.0; nv * nv],
            jacobian: vec![0.0; nc * nv],
            y: vec![0.0; nv],
            correction: vec![0.0; nv],
            multipliers: vec![0.0; nc],
            errors: vec![0.0; nc],
            reduced: vec![0.0; nc],
            unmet: vec![0.0; nc],
            force_left: vec![0.0; nv],
            bias_left: vec![0.0; nc],
        }
    }

    fn factor_definite(&mut self, M: &[f64], A: &[f64]) -> bool {
        let nv = self.nv;
        if !self.metric.factor_definite(M) || !self.turn_rows(A) {
            return false;
        }
        for i in 0..self.nc {
            let rows = &self.rows.unit[i * nv..];
            let target = &mut self.schur[i * self.nc..][i..self.nc];
            multiply(rows, &rows[..nv], target); // S <- Yᵀ Y
            if self.left_out[i] {
                target[0] = 1.0;
            }
        }
        // Pivots are squared distances of rows of length one from those before them.
        let smallest = self.schur_factor.factor(&self.schur, COARSE * COARSE);
        smallest.is_ok()
    }

    /// Yᵀ ← A L⁻ᵀ with rows of length one; tells whether none is zero.
    fn turn_rows(&mut self, A: &[f64]) -> bool {
        self.rows.unit.copy_from_slice(A);
        self.metric.cholesky.forward(&mut self.rows.unit);
        let terms = &self.terms.jacobian;
        self.rows
            .normalise(A, &self.metric.mobilities, terms, &self.left_out)
    }

    /// Again with what rounding left of the equations as given, while that gets less: a penalty squares the condition of
    /// the rows on massless speeds, and this takes it back.
    fn refine(&mut self, f: &[f64], b: &[f64], v_dot: &mut [f64], lambda: &mut [f64]) {
        let mut force = std::mem::take(&mut self.force_left);
        let mut bias = std::mem::take(&mut self.bias_left);
        let mut before = f64::INFINITY;
        let nothing = f64::EPSILON * f64::EPSILON * self.left(f, b);
        for _ in 0..REFINEMENTS {
            multiply(&self.mass_matrix, v_dot, &mut force);
            for (left, f) in force.iter_mut().zip(f) {
                *left = f - *left;
            }
            add_transposed(&self.jacobian, lambda, &mut force); // f + Aᵀ λ − M v'
            multiply(&self.jacobian, v_dot, &mut bias);
            for (left, b) in bias.iter_mut().zip(b) {
                *left = b - *left; // b − A v'
            }
            let left = self.left(&force, &bias);
            if left <= nothing || left > 0.1 * before {
                break;
            }
            before = left;
            self.start(&force, &bias);
            self.reach_any_rank(&bias);
            self.add_motion(v_dot, lambda);
        }
        (self.force_left, self.bias_left) = (force, bias);
    }

    /// How much is left of the equations, speeds and rows in units of their own.
    fn left(&self, force: &[f64], bias: &[f64]) -> f64 {
        let forces = force.iter().zip(&self.metric.mobilities);
        let forces = forces.map(|(left, mobility)| left * left * mobility);
        let rows = bias.iter().zip(&self.rows.scales);
        let rows = rows.map(|(left, scale)| (left * scale) * (left * scale));
        forces.chain(rows).sum::<f64>().sqrt()
    }

    /// y ← L⁻¹ f, with a penalty L⁻¹ (f + Aᵀ G b).
    fn start(&mut self, f: &[f64], b: &[f64]) {
        self.y.copy_from_slice(f);
        self.metric.cholesky.forward(&mut self.y);
        if self.by == By::Orthogonal {
            let pushes = self.rows.lengths.iter().zip(&self.metric.weights);
            for (push, ((s, g), b)) in self.errors.iter_mut().zip(pushes.zip(b)) {
                *push = s * g * b;
            }
            add_transposed(&self.rows.unit, &self.errors, &mut self.y);
        }
    }

    /// Adds v' = L⁻ᵀ y and λ = λ̂ / s; y is used up.
    fn add_motion(&mut self, v_dot: &mut [f64], lambda: &mut [f64]) {
        self.metric.cholesky.backward(&mut self.y);
        add_scaled(v_dot, 1.0, &self.y);
        let scaled = self.multipliers.iter().zip(&self.rows.scales);
        for (lambda, (hat, scale)) in lambda.iter_mut().zip(scaled) {
            *lambda += hat * scale;
        }
    }

    /// λ̂ from S λ̂ = ê, y ← y + Y λ̂, and once more with what rounding left.
    fn reach(&mut self, b: &[f64]) {
        self.multipliers.fill(0.0);
        for _ in 0..2 {
            self.measure_errors(b); // ê <- b̂ − Yᵀ y
            self.schur_factor.solve(&mut self.errors); // S⁻¹ ê
            add_transposed(&self.rows.unit, &self.errors, &mut self.y); // y <- y + Y S⁻¹ ê
            add_scaled(&mut self.multipliers, 1.0, &self.errors);
        }
    }

    /// The same by W = Yᵀ = P Z T Qᵀ, and what cannot be met.
    fn reach_any_rank(&mut self, b: &[f64]) {
        let rank = self.orthogonal.rank();
        self.measure_errors(b);
        self.orthogonal.reduce(&self.errors, &mut self.reduced); // Zᵀ Pᵀ ê
        self.multipliers.copy_from_slice(&self.reduced);
        self.multipliers[..rank].fill(0.0);
        self.orthogonal
            .expand(&mut self.multipliers, &mut self.unmet);

        self.orthogonal.solve_triangle(&mut self.reduced); // t <- T⁻¹ (Zᵀ Pᵀ ê)
        self.orthogonal.turn(&self.reduced, &mut self.correction);
        // Reflections leave rounding in speeds that no row touches; one that rests would move by it.
        for (i, by) in self.correction.iter_mut().enumerate() {
            let mut entries = self.rows.unit.iter().skip(i).step_by(self.nv);
            if entries.all(|entry| *entry == 0.0) {
                *by = 0.0;
            }
        }
        add_scaled(&mut self.y, 1.0, &self.correction); // y <- y + Q t

        self.orthogonal.solve_transposed_triangle(&mut self.reduced); // T⁻ᵀ t
        self.reduced[rank..].fill(0.0);
        self.orthogonal
            .expand(&mut self.reduced, &mut self.multipliers); // λ̂ <- P Z T⁻ᵀ t
    }

    fn measure_errors(&mut self, b: &[f64]) {
        multiply(&self.rows.unit, &self.y, &mut self.errors);
        for ((error, b), scale) in self.errors.iter_mut().zip(b).zip(&self.rows.scales) {
            *error = b * scale - *error;
        }
    }

    fn refuse_contradiction(&self, bias: &[f64]) -> Result<(), Unsolved> {
        if self.orthogonal.rank() == self.nc {
            return Ok(());
        }
        self.rows.refuse_contradiction(
            (bias, &self.terms.bias),
            (&self.y, &self.correction),
            &self.unmet,
            || self.coordinates(),
            self.tolerance.contradiction,
        )
    }

    fn coordinates(&self) -> (Vec<f64>, usize) {
        let rank = self.orthogonal.rank();
        let mut coordinates = vec![0.0; self.nc * rank];
        self.orthogonal.coordinates(&mut coordinates);
        (coordinates, rank)
    }
}
