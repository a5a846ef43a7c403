//! What a formulation comes to.

use dalembert_expr::normal::Fraction;
use dalembert_symbolic::matrix::Matrix;

/// An equation as it was derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Raw {
    pub(super) left: Fraction,
    pub(super) right: Fraction,
}

impl Raw {
    pub(super) fn all(left: Vec<Fraction>, right: Vec<Fraction>) -> Vec<Self> {
        let pairs = left.into_iter().zip(right);
        pairs.map(|(left, right)| Self { left, right }).collect()
    }
}

/// The equations of a formulation.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) equations: Vec<Raw>,
    /// D with A D = 0, if the formulation has one.
    pub(super) tangent: Option<Matrix>,
    /// D as Gram and Schmidt's process left it.
    pub(super) orthogonal: Option<Matrix>,
}

impl Route {
    pub(super) fn new(equations: Vec<Raw>) -> Self {
        Self {
            equations,
            tangent: None,
            orthogonal: None,
        }
    }
}
