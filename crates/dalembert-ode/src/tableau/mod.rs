//! Coefficients of the methods, as constant data, one file each.

mod dormand_prince_5;
mod dormand_prince_8;
#[cfg(test)]
mod order_conditions;

use crate::control::Controller;
use dormand_prince_5::DORMAND_PRINCE_5;
use dormand_prince_8::DORMAND_PRINCE_8;

/// The integration methods: Runge–Kutta methods with error estimate and dense output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Dormand–Prince 5(4) with dense output of order 4: six evaluations a step. For loose tolerances
    /// (above 10⁻⁶ or so) and right-hand sides with kinks.
    DormandPrince5,
    /// Dormand–Prince 8(5,3), the method of DOP853, with dense output of order 7: twelve evaluations
    /// a step, three more if dense output is wanted. For smooth problems and small tolerances.
    #[default]
    DormandPrince8,
    /// Radau IIA of order 5 with dense output of order 3, implicit: for stiff problems, in one lane, of systems that know how to
    /// [`linearise`](crate::System::linearise).
    Radau5,
}

impl Method {
    /// Order of convergence of the states at the ends of the steps.
    pub fn order(self) -> usize {
        self.tableau().map_or(5, |tableau| tableau.order)
    }

    /// Order of the continuous extension between them.
    pub fn dense_order(self) -> usize {
        self.tableau().map_or(3, |tableau| tableau.dense_order)
    }

    /// The coefficients of an explicit method.
    pub(crate) fn tableau(self) -> Option<&'static Tableau> {
        match self {
            Method::DormandPrince5 => Some(&DORMAND_PRINCE_5),
            Method::DormandPrince8 => Some(&DORMAND_PRINCE_8),
            Method::Radau5 => None,
        }
    }
}

/// A row of weights as pairs of a stage and its weight; weights that are zero are left out.
pub(crate) type Row = &'static [(usize, f64)];

/// An explicit Runge–Kutta method of s stages with error estimate and dense output.
///
/// Stage s, after the last, is f at the end of the step; the extra stages of the dense output follow it.
#[derive(Debug)]
pub(crate) struct Tableau {
    pub(crate) order: usize,
    pub(crate) dense_order: usize,
    /// c, s values.
    pub(crate) nodes: &'static [f64],
    /// a, s rows, the first empty.
    pub(crate) stages: &'static [Row],
    /// b.
    pub(crate) weights: Row,
    pub(crate) estimate: Estimate,
    /// c of the stages s + 1, s + 2, … of the dense output.
    pub(crate) extra_nodes: &'static [f64],
    /// a of these stages.
    pub(crate) extra_stages: &'static [Row],
    /// Rows of the dense output beyond the three that all methods share, see [`crate::dense`].
    pub(crate) dense: &'static [Row],
    pub(crate) controller: Controller,
}

/// How the error of a step is estimated from its stages.
#[derive(Debug)]
pub(crate) enum Estimate {
    /// err = h ‖e‖.
    Single(Row),
    /// err = h ‖e⁵‖² / √(‖e⁵‖² + 0.01 ‖e³‖²).
    Pair { fifth: Row, third: Row },
}

impl Tableau {
    /// s, which is also the index of the stage at the end of the step.
    pub(crate) const fn last(&self) -> usize {
        self.stages.len()
    }

    /// Number of stages with those of the dense output.
    pub(crate) const fn all_stages(&self) -> usize {
        self.stages.len() + 1 + self.extra_stages.len()
    }

    /// Whether the error estimate needs f at the end of the step.
    pub(crate) fn error_uses_last(&self) -> bool {
        let uses = |row: Row| row.iter().any(|&(stage, _)| stage == self.last());
        match self.estimate {
            Estimate::Single(row) => uses(row),
            Estimate::Pair { fifth, third } => uses(fifth) || uses(third),
        }
    }
}
