//! Multipliers from as many of the equations of motion as there are rows, where formulas in the state alone are too long to
//! be read.
//!
//! ```text
//! R = M v' − h − w        E_Jᵀ λ = R_J        J: as many equations as rows, with E_J regular
//! ```
//!
//! The accelerations stay as they are; they are known once the equations of motion are solved. Each R that is not short gets
//! a name.

use super::algebra::Algebra;
use super::canonical::Canonical;
use super::document::Equation;
use super::linear::reduce;
use super::matrix::Matrix;
use super::work::Work;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::{Cone, ExprId, SymbolId};

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
        let algebra = &mut work.algebra;
        let unknown = algebra.symbols(&names)?;
        let mut matrix = Matrix::zero(nv, nc + 1);
        for k in 0..nv {
            for (place, &row) in rows.iter().enumerate() {
                matrix[(k, place)] = canonical.E[(row, k)].clone();
            }
            matrix[(k, nc)] = unknown[k].clone();
        }
        let reduced = reduce(algebra, matrix, nc, &|_| Some(0))?;
        if reduced.pivots.len() < nc {
            return Err(Outside::Undefined);
        }
        let mut formulas = vec![None; canonical.b.len()];
        for &(k, place) in &reduced.pivots {
            if wanted.contains(&rows[place]) {
                formulas[rows[place]] = Some(reduced.matrix[(k, nc)].clone());
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

    /// Whether the formula of a row divides by something that moves; nothing if it has none.
    pub(super) fn divides(&self, algebra: &Algebra, row: usize) -> Option<bool> {
        let formula = self.formulas[row].as_ref()?;
        let below = Fraction::from(formula.denominator().clone());
        Some(algebra.moves(&below))
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
        let (names, values): (Vec<SymbolId>, Vec<Fraction>) = used.unzip();
        let values = algebra.readable(&values, &self.accelerations);
        let pairs = names.into_iter().zip(values);
        let definitions = pairs.map(|(name, right)| Equation {
            left: algebra.graph.symbol_node(name),
            right,
        });
        (written, definitions.collect())
    }
}
