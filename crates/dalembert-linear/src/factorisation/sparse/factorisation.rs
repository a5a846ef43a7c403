//! Right sides for M and A as factored: solved, refined, and judged.

use super::dependence::{Dependence, Noise};
use super::eliminate::{Outcome, Pivots};
use super::kkt::Kkt;
use super::soft::Relations;
use super::symbolic::Symbolic;
use crate::decide::{CANCELLED, CLEAR, FAINT, NOTHING, RANK, ROUNDING, SOLVED};
use crate::factorisation::RowTerms;
use crate::factorisation::rows::{
    Conflict, RowReport, Tolerance, name_conflict, zero_row_in_conflict,
};
use crate::factorisation::{Dense, Quantity, Unsolved, Way, finite};
use crate::{Matrix, add_scaled};
use std::sync::Arc;

/// Refinements at most; one is the rule. Rows at a squared distance σ² from dependence take ln(10¹⁵) / ln(1 + σ²/ε).
const REFINEMENTS: usize = 80;
/// Refinement has come to its end if it leaves more than this part.
const SLOW: f64 = 0.8;
/// Speeds and rows up to which the dense way decides what cannot be decided here.
const DENSE: usize = 1500;

/// M and A of one state, sparse, ready for right sides.
pub(crate) struct Sparse {
    tolerance: Tolerance,
    pub(super) kkt: Kkt,
    /// M and A as given, for the dense way.
    mass: Vec<f64>,
    rows: Vec<f64>,
    /// Right side, solution and what is left, in the order of elimination.
    pub(super) right: Vec<f64>,
    pub(super) solution: Vec<f64>,
    pub(super) left: Vec<f64>,
    /// Of the terms of each equation.
    pub(super) sizes: Vec<f64>,
    /// The largest of each part that nothing couples to others.
    largest: Vec<f64>,
    /// Terms of b, if they are known.
    bias_terms: Vec<f64>,
    /// Found when it is asked for.
    dependence: Option<Dependence>,
    /// Of rows that depend on each other wherever they are met.
    pub(super) relations: Relations,
}

impl Way for Sparse {
    fn measure_by(&mut self, terms: &RowTerms) {
        self.kkt.terms.clone_from(&terms.jacobian);
        self.bias_terms.clone_from(&terms.bias);
    }

    /// What is regularised may be zero.
    fn leave_out(&mut self, _: &[usize]) {}

    fn fits(&self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> bool {
        let patterns = mass.pattern().zip(rows.pattern());
        patterns.is_some_and(|(mass, rows)| self.kkt.symbolic.is_of(mass, rows))
    }

    fn factor(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.dependence = None;
        self.mass.copy_from_slice(mass.values());
        self.rows.copy_from_slice(rows.values());
        let wanted = match self.kkt.may_be_plain() {
            true => Pivots::Plain,
            false => Pivots::Replaced,
        };
        let found = match self.kkt.factor(mass, rows, wanted)? {
            Outcome::Weak => self.kkt.factor_filled(Pivots::Replaced),
            found => found,
        };
        match found {
            Outcome::Sound => Ok(()),
            Outcome::Mended => self.refuse_undetermined(),
            Outcome::Weak | Outcome::NoNumber => {
                finite(Quantity::MassMatrix, mass.values())?;
                finite(Quantity::Jacobian, rows.values())?;
                Err(Unsolved::Imprecise {
                    residual: f64::INFINITY,
                })
            }
        }
    }

    /// The rank is known when it is asked for.
    fn factor_any_rank(&mut self, mass: &Matrix<'_>, rows: &Matrix<'_>) -> Result<(), Unsolved> {
        self.factor(mass, rows)
    }

    fn solve(
        &mut self,
        force: &[f64],
        bias: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Unsolved> {
        self.refuse_zero_rows(bias)?;
        self.put(force, bias);
        if !self.refine() {
            finite(Quantity::Force, force)?;
            finite(Quantity::Bias, bias)?;
            if let Some(failure) = self.judge(bias) {
                let Some(mut dense) = self.dense() else {
                    return Err(failure);
                };
                self.factor_dense(&mut dense)?;
                return dense.solve(force, bias, acceleration, multipliers);
            }
        }
        self.motion_into(acceleration);
        if let Some(dependence) = self.dependence.take() {
            self.take_least(&dependence);
            self.dependence = Some(dependence);
        }
        self.reactions_into(multipliers);
        finite(Quantity::Acceleration, acceleration)
    }

    fn project(&mut self, residual: &[f64], correction: &mut [f64]) -> f64 {
        self.put_residual(residual);
        self.refine();
        self.motion_into(correction);
        self.missed(residual)
    }

    fn rank(&mut self) -> usize {
        self.dependence().rank
    }

    fn report(&mut self, reports: &mut [RowReport]) {
        reports.copy_from_slice(&self.dependence().reports);
    }
}

impl Sparse {
    pub(crate) fn new(symbolic: &Arc<Symbolic>, tolerance: Tolerance) -> Self {
        let n = symbolic.nv() + symbolic.nc();
        Self {
            tolerance,
            mass: vec![0.0; symbolic.mass.size()],
            rows: vec![0.0; symbolic.rows.size()],
            right: vec![0.0; n],
            solution: vec![0.0; n],
            left: vec![0.0; n],
            sizes: vec![0.0; n],
            largest: vec![0.0; n],
            bias_terms: Vec::new(),
            dependence: None,
            relations: Relations::default(),
            kkt: Kkt::new(symbolic),
        }
    }

    /// Number of speeds.
    pub(crate) fn nv(&self) -> usize {
        self.kkt.units.len()
    }

    /// Factors M and A without ε, or softly where rows have relations, if no pivot is small and no row zero but those left out; whether it
    /// is so.
    pub(crate) fn factor_plain(&mut self, mass: &[f64], rows: &[f64], left_out: &[bool]) -> bool {
        self.dependence = None;
        if !self.kkt.may_be_plain() {
            return false;
        }
        let symbolic = Arc::clone(&self.kkt.symbolic);
        let (mass, rows) = (symbolic.mass.matrix(mass), symbolic.rows.matrix(rows));
        let found = match self.relations.count() {
            0 => self.kkt.factor(&mass, &rows, Pivots::Plain) == Ok(Outcome::Sound),
            _ => self.factor_softly(&mass, &rows) == Ok(true),
        };
        let scales = self.kkt.scales.iter();
        found
            && scales
                .zip(left_out)
                .all(|(scale, out)| *out || *scale > 0.0)
    }

    /// So many relations hold between the rows wherever these are met.
    pub(crate) fn relate(&mut self, count: usize) {
        self.relations.expect(count, &self.kkt);
    }

    /// How many relations rows have that are factored so.
    pub(crate) fn related(&self) -> usize {
        self.relations.count()
    }

    /// The motion by M and A as factored without ε; whether nothing but rounding is left of the equations.
    pub(crate) fn solve_plain(
        &mut self,
        force: &[f64],
        bias: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> bool {
        self.put(force, bias);
        let solved = self.refuse_zero_rows(bias).is_ok()
            && match self.relations.hold {
                true => self.solve_softly() && self.is_met_softly(),
                false => self.solve_as_factored(),
            };
        if solved {
            self.motion_into(acceleration);
            self.reactions_into(multipliers);
        }
        solved
    }

    /// The nearest correction in the same way, and what rows miss that have relations; `None` if there is none.
    pub(crate) fn project_plain(
        &mut self,
        residual: &[f64],
        correction: &mut [f64],
    ) -> Option<f64> {
        self.put_residual(residual);
        if !self.relations.hold {
            self.solve_as_factored().then_some(())?;
            self.motion_into(correction);
            return Some(0.0);
        }
        self.solve_softly().then_some(())?;
        self.motion_into(correction);
        self.kkt
            .left_over(&self.right, &self.solution, &mut self.left);
        Some(self.missed(residual))
    }

    /// The most that is left of a row, for what is left of the equations.
    fn missed(&self, residual: &[f64]) -> f64 {
        let symbolic = &*self.kkt.symbolic;
        let reactions = &symbolic.order[symbolic.nv()..];
        let missed = reactions.iter().zip(residual).enumerate();
        missed
            .map(|(i, (&place, r))| match self.kkt.scales[i] {
                0.0 => r.abs(),
                _ => (self.left[place as usize] * self.kkt.lengths[i]).abs(),
            })
            .fold(0.0, f64::max)
    }

    fn put_residual(&mut self, residual: &[f64]) {
        self.right.fill(0.0);
        let symbolic = &*self.kkt.symbolic;
        let reactions = &symbolic.order[symbolic.nv()..];
        for ((&place, r), scale) in reactions.iter().zip(residual).zip(&self.kkt.scales) {
            self.right[place as usize] = r * scale;
        }
        self.kkt.complete(&mut self.right);
    }

    fn motion_into(&self, motion: &mut [f64]) {
        let places = &self.kkt.symbolic.order;
        for ((v, unit), &place) in motion.iter_mut().zip(&self.kkt.units).zip(places) {
            *v = unit * self.solution[place as usize];
        }
    }

    fn reactions_into(&self, multipliers: &mut [f64]) {
        let places = &self.kkt.symbolic.order[self.kkt.symbolic.nv()..];
        for ((lambda, scale), &place) in multipliers.iter_mut().zip(&self.kkt.scales).zip(places) {
            *lambda = -scale * self.solution[place as usize];
        }
    }

    /// Where M left a pivot near zero, the rows must determine what it does not: the answer to a
    /// force in every direction is bounded.
    fn refuse_undetermined(&mut self) -> Result<(), Unsolved> {
        let symbolic = Arc::clone(&self.kkt.symbolic);
        let nv = symbolic.nv();
        let mut noise = Noise::default();
        self.right.fill(0.0);
        for &place in &symbolic.order[..nv] {
            self.right[place as usize] = noise.next();
        }
        self.refine();
        let motion = |j: usize| self.solution[symbolic.order[j] as usize];
        let largest = (0..nv).fold(0, |best, j| {
            if motion(j).abs() > motion(best).abs() {
                j
            } else {
                best
            }
        });
        let size = motion(largest).abs();
        // An answer this much larger than the question belongs to a motion without inertia.
        if size <= 1.0 / RANK {
            return Ok(());
        }
        if let Some(mut dense) = self.dense() {
            return self.factor_dense(&mut dense);
        }
        let unit = self.kkt.units[largest] * motion(largest);
        let direction = (0..nv).map(|j| {
            let part = motion(j) / size;
            if part.abs() < CLEAR {
                0.0
            } else {
                self.kkt.units[j] * motion(j) / unit
            }
        });
        Err(Unsolved::Undetermined {
            directions: vec![direction.collect()],
        })
    }

    fn refuse_zero_rows(&self, right_side: &[f64]) -> Result<(), Unsolved> {
        let (right, tolerance) = (
            (right_side, &self.bias_terms[..]),
            self.tolerance.contradiction,
        );
        match zero_row_in_conflict(right, &self.kkt.scales, tolerance) {
            Some(row) => Err(Unsolved::Contradictory {
                rows: vec![row],
                residual: right_side[row],
            }),
            None => Ok(()),
        }
    }

    fn dependence(&mut self) -> &Dependence {
        let found = self.dependence.take();
        let found = found.unwrap_or_else(|| {
            // What rows hold is seen beside ε.
            if !self.kkt.is_regularised {
                self.kkt.factor_filled(Pivots::Replaced);
            }
            Dependence::examine(&mut self.kkt, &self.rows, self.tolerance)
        });
        self.dependence.insert(found)
    }

    fn put(&mut self, force: &[f64], bias: &[f64]) {
        let Kkt {
            symbolic,
            units,
            scales,
            ..
        } = &self.kkt;
        let (motion, reactions) = symbolic.order.split_at(symbolic.nv());
        for ((&place, f), unit) in motion.iter().zip(force).zip(units) {
            self.right[place as usize] = f * unit;
        }
        for ((&place, b), scale) in reactions.iter().zip(bias).zip(scales) {
            self.right[place as usize] = b * scale;
        }
        self.kkt.complete(&mut self.right);
    }

    /// Solves for the right side; whether all that is left, in `left`, is rounding.
    fn refine(&mut self) -> bool {
        if self.solve_as_factored() {
            return true;
        }
        if self.kkt.is_regularised {
            return false;
        }
        self.kkt.factor_filled(Pivots::Replaced);
        self.solve_as_factored()
    }

    /// One solution, which without ε is enough if nothing but rounding is left.
    fn solve_as_factored(&mut self) -> bool {
        self.solution.copy_from_slice(&self.right);
        self.kkt.solve(&mut self.solution);
        self.improve(usize::from(self.kkt.is_regularised))
    }

    /// Improves the solution as long as that leaves less of the equations, at least some times.
    fn improve(&mut self, least: usize) -> bool {
        self.look();
        let mut last = f64::INFINITY;
        for made in 0..=REFINEMENTS {
            if made > 0 {
                self.kkt
                    .left_over(&self.right, &self.solution, &mut self.left);
            }
            if made >= least && self.is_rounding() {
                return self.solution.iter().all(|x| x.is_finite());
            }
            let worst = self.left_relative();
            // Also where it is not a number.
            let better = worst < SLOW * last || made < least;
            if made == REFINEMENTS || !better {
                break;
            }
            last = worst;
            self.kkt.solve(&mut self.left);
            add_scaled(&mut self.solution, 1.0, &self.left);
        }
        false
    }

    /// What is left of the equations, and the sizes of their terms. What is eliminated together, as the speeds of a body are, or the
    /// rows of a joint, has rounding of the largest of its terms in each of its equations, since elimination mixes them: also in those
    /// whose terms are all small, as they are across a plane that a motion does not leave. With ε, where rows may be near to depending on
    /// each other, each equation is measured by itself.
    fn look(&mut self) {
        self.kkt
            .left_over_with_sizes(&self.right, &self.solution, &mut self.left, &mut self.sizes);
        self.measure_terms();
        if !self.kkt.is_regularised {
            let part = ROUNDING / SOLVED;
            let symbolic = &self.kkt.symbolic;
            symbolic.share_largest(part, &self.solution, &mut self.sizes);
        }
    }

    /// Sizes of the terms of each equation. What fades away along a chain is not held against itself beyond the least of numbers, nor
    /// with ε, which changes how it fades, beyond [`FAINT`] of the largest that it is coupled to.
    fn measure_terms(&mut self) {
        self.sizes.iter_mut().for_each(|size| *size += NOTHING);
        if !self.kkt.is_regularised {
            return;
        }
        let parts = &self.kkt.symbolic.parts;
        self.largest.fill(0.0);
        for (size, &part) in self.sizes.iter().zip(parts) {
            let largest = &mut self.largest[part as usize];
            *largest = largest.max(*size);
        }
        for (size, &part) in self.sizes.iter_mut().zip(parts) {
            *size += FAINT * self.largest[part as usize];
        }
    }

    /// Whether nothing but rounding is left of any equation.
    fn is_rounding(&self) -> bool {
        let parts = self.left.iter().zip(&self.sizes);
        // Also where it is not a number.
        parts.fold(true, |fine, (left, size)| {
            fine & (left.abs() <= SOLVED * size)
        })
    }

    /// The most that is left of an equation, measured by its terms.
    fn left_relative(&self) -> f64 {
        let parts = self.left.iter().zip(&self.sizes);
        parts.fold(0.0_f64, |worst, (left, size)| {
            let part = if *left == 0.0 { 0.0 } else { left.abs() / size };
            // Not f64::max, which would hide a NaN.
            if part <= worst { worst } else { part }
        })
    }

    /// The multipliers of dependent rows become the least; but only if the equations hold as before: rows that
    /// are nearly dependent are none of them.
    fn take_least(&mut self, dependence: &Dependence) {
        if dependence.members.is_empty() {
            return;
        }
        let before = self.solution.clone();
        let held = self.left_relative();
        dependence.take_least(&mut self.kkt, &mut self.solution, &mut self.left);
        self.improve(0);
        let holds = self.left_relative() <= 10.0 * held.max(SOLVED);
        if !holds {
            self.solution = before;
        }
    }

    /// Why what is left of the equations cannot be put up with, if it cannot.
    fn judge(&mut self, bias: &[f64]) -> Option<Unsolved> {
        let symbolic = Arc::clone(&self.kkt.symbolic);
        let (motion, reactions) = symbolic.order.split_at(symbolic.nv());
        self.kkt.sizes(&self.right, &self.solution, &mut self.sizes);
        self.measure_terms();
        let sizes = self.sizes.clone();
        let scales = &self.kkt.scales;
        let allowed: Vec<f64> = reactions
            .iter()
            .enumerate()
            .map(|(row, &place)| {
                let terms = self.bias_terms.get(row).copied().unwrap_or(0.0);
                self.tolerance.contradiction * (sizes[place as usize] + terms * scales[row])
            })
            .collect();
        let unmet: Vec<f64> = reactions
            .iter()
            .map(|&place| self.left[place as usize])
            .collect();
        let suspects: Vec<usize> = (0..unmet.len())
            .filter(|&row| scales[row] > 0.0 && unmet[row].abs() > allowed[row])
            .collect();
        if !suspects.is_empty() {
            let conflict = self.name_conflict(&suspects, bias, &unmet, &allowed);
            if conflict.is_some() {
                return conflict;
            }
        }
        let imprecise = |&&place: &&u32| {
            let place = place as usize;
            let fine = self.left[place].abs() <= CANCELLED * sizes[place];
            !fine
        };
        let worst = motion.iter().find(imprecise)?;
        Some(Unsolved::Imprecise {
            residual: self.left[*worst as usize].abs() / sizes[*worst as usize],
        })
    }

    /// The smallest conflict among dependent rows.
    fn name_conflict(
        &mut self,
        suspects: &[usize],
        bias: &[f64],
        unmet: &[f64],
        allowed: &[f64],
    ) -> Option<Unsolved> {
        let dependent = self.dependence().rank < unmet.len();
        let (scales, lengths) = (&self.kkt.scales, &self.kkt.lengths);
        if !dependent {
            // Nothing contradicts what is independent: numbers fail, not the rows.
            let parts = suspects.iter().map(|&row| {
                let place = self.kkt.symbolic.order[self.kkt.units.len() + row] as usize;
                unmet[row].abs() / self.sizes[place]
            });
            let residual = parts.fold(0.0, f64::max);
            return Some(Unsolved::Imprecise { residual });
        }
        let known = self.dependence.as_ref().and_then(|dependence| {
            let (coordinates, rank) = dependence.coordinates.as_ref()?;
            let members = &dependence.members;
            let pick = |all: &[f64]| -> Vec<f64> { members.iter().map(|&row| all[row]).collect() };
            let local: Vec<usize> = (0..members.len())
                .filter(|&k| suspects.contains(&members[k]))
                .collect();
            (!local.is_empty()).then(|| {
                let conflict = Conflict {
                    b: &pick(bias),
                    scales: &pick(scales),
                    lengths: &pick(lengths),
                    unmet: &pick(unmet),
                    allowed: &pick(allowed),
                };
                let (rows, residual) = name_conflict(&conflict, local, coordinates, *rank)?;
                Some((rows.iter().map(|&k| members[k]).collect(), residual))
            })
        });
        let unknown = || {
            let worst = suspects.iter().copied();
            let worst = worst.max_by(|&i, &k| unmet[i].abs().total_cmp(&unmet[k].abs()));
            let residual = worst.map_or(0.0, |row| unmet[row] * lengths[row]);
            Some((suspects.to_vec(), residual))
        };
        let (rows, residual) = known.unwrap_or_else(unknown)?;
        Some(Unsolved::Contradictory { rows, residual })
    }

    /// Room for the dense way, if the system is small enough for it.
    fn dense(&self) -> Option<Dense> {
        let (nv, nc) = (self.kkt.units.len(), self.kkt.scales.len());
        (nv + nc <= DENSE).then(|| {
            let mut dense = Dense::new(nv, nc, self.tolerance);
            if !self.kkt.terms.is_empty() {
                let rows = self.kkt.symbolic.rows.matrix(&self.kkt.terms);
                dense.measure_by(&RowTerms {
                    jacobian: rows.to_vec(),
                    bias: self.bias_terms.clone(),
                });
            }
            dense
        })
    }

    fn factor_dense(&self, dense: &mut Dense) -> Result<(), Unsolved> {
        let symbolic = &self.kkt.symbolic;
        let (nv, nc) = (symbolic.nv(), symbolic.nc());
        let mass = symbolic.mass.matrix(&self.mass).to_vec();
        let rows = symbolic.rows.matrix(&self.rows).to_vec();
        dense.factor_any_rank(&Matrix::full(nv, nv, &mass), &Matrix::full(nc, nv, &rows))
    }
}
