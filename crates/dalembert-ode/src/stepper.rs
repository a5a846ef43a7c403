//! The seam between the loop and the methods: what a method does in a step, and what the loop asks of it.

use crate::buffers::Buffers;
use crate::control::Controller;
use crate::lane::Rejection;
use crate::radau::{self, Radau};
use crate::system::{Evaluation, System};
use crate::tableau::{Method, Tableau};

/// A method with what it remembers.
#[derive(Clone, Debug)]
pub(crate) enum Stepper {
    /// Explicit Runge–Kutta, any number of lanes.
    Explicit(&'static Tableau),
    /// Radau IIA, one lane.
    Radau(Box<Radau>),
}

impl Stepper {
    pub(crate) fn new(method: Method, size: usize) -> Self {
        match method.tableau() {
            Some(tableau) => Self::Explicit(tableau),
            None => Self::Radau(Box::new(Radau::new(size))),
        }
    }

    /// Stage that holds the derivative at the end of the step.
    pub(crate) fn last(&self) -> usize {
        match self {
            Self::Explicit(tableau) => tableau.last(),
            Self::Radau(_) => radau::LAST,
        }
    }

    /// Number of stages with those of the dense output.
    pub(crate) fn stages(&self) -> usize {
        match self {
            Self::Explicit(tableau) => tableau.all_stages(),
            Self::Radau(_) => radau::LAST + 1,
        }
    }

    /// Number of rows of the dense output, see [`crate::dense`].
    pub(crate) fn dense_rows(&self) -> usize {
        match self {
            Self::Explicit(tableau) => 3 + tableau.dense.len(),
            Self::Radau(_) => 3,
        }
    }

    /// Evaluations that the dense output needs.
    pub(crate) fn dense_evaluations(&self) -> u64 {
        match self {
            Self::Explicit(tableau) => tableau.extra_stages.len() as u64,
            Self::Radau(_) => 0,
        }
    }

    pub(crate) fn controller(&self) -> &'static Controller {
        match self {
            Self::Explicit(tableau) => &tableau.controller,
            Self::Radau(_) => &radau::CONTROLLER,
        }
    }

    /// Whether the error estimate needs f at the end of the step, which is then known.
    pub(crate) fn knows_end(&self) -> bool {
        match self {
            Self::Explicit(tableau) => tableau.error_uses_last(),
            Self::Radau(_) => false,
        }
    }

    /// Begins anew.
    pub(crate) fn forget(&mut self) {
        if let Self::Radau(radau) = self {
            radau.forget();
        }
    }

    /// Writes the end of a step of length h from t to `y_new`, in the active lanes; why not, in the first lane.
    pub(crate) fn attempt<S: System<L>, const L: usize>(
        &mut self,
        system: &mut S,
        buffers: &mut Buffers<L>,
        (t, h): (&[f64; L], &[f64; L]),
        rtol: f64,
        now: &mut Evaluation<L>,
    ) -> Result<(), Rejection> {
        let tableau = match self {
            Self::Explicit(tableau) => tableau,
            Self::Radau(radau) => return radau.attempt(system, buffers, (t[0], h[0]), rtol, now),
        };
        for i in 1..tableau.last() {
            now.t = std::array::from_fn(|l| t[l] + tableau.nodes[i] * h[l]);
            buffers.advance_stage(h, tableau.stages[i]);
            buffers.evaluate_stage(system, i, now);
        }
        buffers.advance_end(h, tableau.weights);
        Ok(())
    }

    /// Evaluations in the step just tried.
    pub(crate) fn take_evaluations(&mut self) -> u64 {
        match self {
            Self::Explicit(tableau) => tableau.last() as u64 - 1,
            Self::Radau(radau) => std::mem::take(&mut radau.evaluations),
        }
    }

    /// Norm of the estimated error of the step, in units of the error that it may have.
    pub(crate) fn error<const L: usize>(&self, buffers: &mut Buffers<L>, h: &[f64; L]) -> [f64; L] {
        match self {
            Self::Explicit(tableau) => buffers.error(tableau, h),
            Self::Radau(radau) => radau.error(buffers),
        }
    }

    /// The estimated error of one value in the step, with its sign where there is one estimate only.
    pub(crate) fn error_of<const L: usize>(
        &self,
        buffers: &Buffers<L>,
        (lane, h): (usize, f64),
        value: usize,
    ) -> f64 {
        match self {
            Self::Explicit(tableau) => buffers.error_of(tableau, lane, h, value),
            Self::Radau(radau) => radau.error_of(value),
        }
    }
}
