//! Multipliers from as many of the equations of motion as there are rows, where formulas in the state alone are too long to
//! be read.
//!
//! ```text
//! R = M v' − h − w        Eᵀ λ = R
//! ```
//!
//! As many equations as rows determine λ. Those are taken whose divisors are constant. For multipliers that then are left, all
//! other equations are used, (B Bᵀ) λ = B R: what is divided by is a sum of squares, which vanishes only where rows depend
//! on each other. Where that is long, some of these come from one equation each.
//!
//! The accelerations stay as they are; they are known once the equations of motion are solved. Each R that is not short gets
//! a name.

use super::algebra::Algebra;
use super::canonical::Canonical;
use super::divisors::Signs;
use super::page::Equation;
use super::work::Work;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::{Cone, ExprId, SymbolId};
use dalembert_symbolic::elimination::{Judge, Pivots, Reduced, reduce_by, solve};
use dalembert_symbolic::matrix::{Matrix, along};

/// An R of so many terms, the one below the line included, is put in.
const SHORT: usize = 4;

/// Multipliers in terms of the named parts of equations.
pub(super) struct ByEquations {
    /// By row; nothing for rows that were not asked for.
    formulas: Vec<Option<Fraction>>,
    /// Name and what it stands for, by equation.
    residuals: Vec<(SymbolId, Fraction)>,
    accelerations: Vec<SymbolId>,
}

impl ByEquations {
    /// For `rows`, which do not depend on each other; `wanted` of them get formulas.
    pub(super) fn find(
        work: &mut Work,
        canonical: &Canonical,
        rows: &[usize],
        wanted: &[usize],
    ) -> Result<Self, Outside> {
        let (nv, nc) = (canonical.speeds.len(), rows.len());
        let endings: Vec<String> = (1..=nv).map(|n| n.to_string()).collect();
        let names = work.fresh_symbols(&["R", "S", "Z"], &endings);
        let Work { algebra, signs, .. } = work;
        let unknown = algebra.symbols(&names)?;
        let mut matrix = Matrix::zero(nv, nc + 1);
        for (k, unknown) in unknown.into_iter().enumerate() {
            for (place, &row) in rows.iter().enumerate() {
                matrix.set((k, place), canonical.E[(row, k)].clone());
            }
            matrix.set((k, nc), unknown);
        }
        let found = shortest(algebra, signs, matrix, nc)?;
        let mut formulas = vec![None; canonical.b.len()];
        for (&row, formula) in rows.iter().zip(found) {
            if wanted.contains(&row) {
                formulas[row] = Some(formula);
            }
        }
        let accelerations = algebra.symbols(&canonical.speed_rates)?;
        let residuals = canonical.residual(algebra, &accelerations)?;
        let residuals: Vec<(SymbolId, Fraction)> = names.into_iter().zip(residuals).collect();
        let short = residuals.iter();
        let short: Vec<_> = short.filter(|(_, it)| it.len() <= SHORT).cloned().collect();
        for formula in formulas.iter_mut().flatten() {
            let with = algebra.put_in(std::slice::from_ref(formula), &short)?;
            *formula = with.into_iter().next().unwrap_or_else(Fraction::zero);
        }
        Ok(Self {
            formulas,
            residuals,
            accelerations: canonical.speed_rates.clone(),
        })
    }

    /// Whether the formula of a row divides by something that may vanish, and by something that does at the start; nothing if
    /// it has none.
    pub(super) fn divides(
        &self,
        algebra: &Algebra,
        signs: &Signs,
        row: usize,
    ) -> Option<(bool, bool)> {
        let formula = self.formulas[row].as_ref()?;
        Some((
            may_vanish(algebra, signs, formula),
            zero_at_start(algebra, formula),
        ))
    }

    /// Puts in a name that is all there is of a formula, and in no other.
    fn put_in_lonely(&self, algebra: &mut Algebra, formulas: &mut [Fraction]) {
        let uses = |algebra: &Algebra, formula: &Fraction, name: SymbolId| {
            algebra.holds(formula, |symbol| symbol == name)
        };
        for residual in &self.residuals {
            let used: Vec<usize> = (0..formulas.len())
                .filter(|&k| uses(algebra, &formulas[k], residual.0))
                .collect();
            if let [only] = used[..]
                && formulas[only].numerator().len() == 1
            {
                let formula = std::slice::from_ref(&formulas[only]);
                let with = algebra.put_in(formula, std::slice::from_ref(residual));
                if let Some(with) = with.ok().and_then(|mut it| it.pop()) {
                    formulas[only] = with;
                }
            }
        }
    }

    /// The formulas of some rows, and the definitions of the names that they use.
    pub(super) fn written(
        &self,
        algebra: &mut Algebra,
        rows: &[usize],
    ) -> (Vec<ExprId>, Vec<Equation>) {
        let formulas = rows.iter().filter_map(|&row| self.formulas[row].clone());
        let mut formulas: Vec<Fraction> = formulas.collect();
        self.put_in_lonely(algebra, &mut formulas);
        let names = self.residuals.iter().map(|&(name, _)| name);
        let unknowns: Vec<SymbolId> = names.chain(self.accelerations.iter().copied()).collect();
        let written = algebra.readable(&formulas, &unknowns);
        let symbols = Cone::new(&algebra.graph, &written).symbols(&algebra.graph);
        let used = self.residuals.iter();
        let used = used.filter(|(name, _)| symbols.contains(name)).cloned();
        let definitions = algebra.definitions(used.collect(), &self.accelerations);
        (written, definitions)
    }
}

/// Solves equations for the first unknowns: by constant pivots first, and then by as few others as leave least to be divided
/// by; what is left by least squares.
fn shortest(
    algebra: &Algebra,
    signs: &Signs,
    matrix: Matrix,
    unknowns: usize,
) -> Result<Vec<Fraction>, Outside> {
    let constant = |entry: &Fraction| !algebra.moves(entry);
    let mut choice = Pivots {
        price: &|_| Some(0),
        accept: &constant,
        not_at_start: true,
        most: unknowns,
    };
    let mut reduced = reduce_by(algebra, matrix, unknowns, &choice)?;
    let mut best: Option<((bool, usize, usize), Vec<Fraction>)> = None;
    choice.accept = &|_| true;
    loop {
        if let Ok(Some(found)) = by_squares(algebra, &reduced, unknowns) {
            let divisors = found.iter().filter(|it| may_vanish(algebra, signs, it));
            let merit = (
                found.iter().any(|it| zero_at_start(algebra, it)),
                divisors.map(|it| it.denominator().len()).sum(),
                found.iter().map(Fraction::len).sum(),
            );
            if best.as_ref().is_none_or(|(least, _)| merit < *least) {
                best = Some((merit, found));
            }
        }
        let taken = reduced.pivots.len();
        if taken == unknowns || matches!(best, Some(((false, 0, _), _))) {
            break;
        }
        choice.most = taken + 1;
        reduced = reduce_by(algebra, reduced.matrix, unknowns, &choice)?;
        if reduced.pivots.len() == taken {
            break;
        }
    }
    best.map(|(_, found)| found).ok_or(Outside::Undefined)
}

/// Whether what an element divides by may vanish.
fn may_vanish(algebra: &Algebra, signs: &Signs, element: &Fraction) -> bool {
    let below = Fraction::from(element.denominator().clone());
    algebra.moves(&below) && !signs.cannot_vanish(algebra, &below)
}

/// Whether what an element divides by vanishes at the start.
fn zero_at_start(algebra: &Algebra, element: &Fraction) -> bool {
    algebra.vanishes_at_start(&Fraction::from(element.denominator().clone()))
}

/// All unknowns of equations that were eliminated in part, those without a pivot by least squares; nothing if these are not
/// determined.
#[expect(non_snake_case, reason = "letters of the papers")]
fn by_squares(
    algebra: &Algebra,
    first: &Reduced,
    unknowns: usize,
) -> Result<Option<Vec<Fraction>>, Outside> {
    let matrix = &first.matrix;
    let is_open = |row: &usize| first.pivots.iter().all(|(pivot, _)| pivot != row);
    let is_left = |column: &usize| first.pivots.iter().all(|(_, pivot)| pivot != column);
    let open: Vec<usize> = (0..matrix.rows()).filter(is_open).collect();
    let left: Vec<usize> = (0..unknowns).filter(is_left).collect();
    let mut found = vec![Fraction::zero(); unknowns];
    if !left.is_empty() {
        let rest = matrix.with_rows(&open);
        let B = rest.with_columns(&left).transposed();
        let right = B.along(&algebra.field, &rest.column(unknowns))?;
        let right = Matrix::from_column(right);
        let squares = B.times(&algebra.field, &B.transposed())?;
        let Some(solution) = solve(algebra, &squares, &right)? else {
            return Ok(None);
        };
        for (place, &column) in left.iter().enumerate() {
            found[column] = solution[(place, 0)].clone();
        }
    }
    let mut known = found.clone();
    known.push(Fraction::zero());
    for &(row, column) in &first.pivots {
        let part = along(&algebra.field, matrix.row(row), &known)?;
        found[column] = algebra.field.sub(&matrix[(row, unknowns)], &part)?;
    }
    Ok(Some(found))
}
