//! An explicit method in numbers, with all that decides about its steps: for who integrates elsewhere, as a page does.

use crate::control::{
    FACTOR_AFTER_FAILURE, SMALLEST_FIRST, SMALLEST_REMEMBERED_ERROR, STRETCH_TO_END,
};
use crate::lane::MOST_DISPLACED;
use crate::tableau::{Estimate, Method, Row};

/// A row of weights as pairs of a stage and its weight.
pub type Weights = Vec<(usize, f64)>;

/// An explicit method whose error is estimated by a pair, see [`Method::DormandPrince8`].
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients {
    /// c of the stages.
    pub nodes: Vec<f64>,
    /// a, the first row empty.
    pub stages: Vec<Weights>,
    /// b.
    pub weights: Weights,
    /// The estimates of order 5 and of order 3.
    pub estimates: [Weights; 2],
    /// c of the stages of the dense output, which follow that at the end of the step.
    pub extra_nodes: Vec<f64>,
    /// a of these.
    pub extra_stages: Vec<Weights>,
    /// Rows of the dense output beyond the first three.
    pub dense: Vec<Weights>,
    /// Numbers of the step size control, by name.
    pub control: Vec<(&'static str, f64)>,
}

impl Method {
    /// The numbers of the method; `None` if its error is not estimated by a pair.
    #[must_use]
    pub fn coefficients(self) -> Option<Coefficients> {
        let tableau = self.tableau()?;
        let Estimate::Pair { fifth, third } = tableau.estimate else {
            return None;
        };
        let all = |rows: &[Row]| rows.iter().map(|row| row.to_vec()).collect();
        let controller = &tableau.controller;
        Some(Coefficients {
            nodes: tableau.nodes.to_vec(),
            stages: all(tableau.stages),
            weights: tableau.weights.to_vec(),
            estimates: [fifth.to_vec(), third.to_vec()],
            extra_nodes: tableau.extra_nodes.to_vec(),
            extra_stages: all(tableau.extra_stages),
            dense: all(tableau.dense),
            control: vec![
                ("safety", controller.safety),
                ("shrink", controller.shrink),
                ("grow", controller.grow),
                ("order", controller.order),
                ("beta", controller.beta),
                ("smallest_remembered", SMALLEST_REMEMBERED_ERROR),
                ("after_failure", FACTOR_AFTER_FAILURE),
                ("smallest_first", SMALLEST_FIRST),
                ("stretch_to_end", STRETCH_TO_END),
                ("most_displaced", f64::from(MOST_DISPLACED)),
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Method;

    /// Consistent rows sum to their nodes: nothing was left out.
    #[test]
    fn stages_sum_to_their_nodes() {
        let method = Method::DormandPrince8.coefficients().expect("a pair");
        let rows = method.stages.iter().zip(&method.nodes);
        let extra = method.extra_stages.iter().zip(&method.extra_nodes);
        for (row, node) in rows.chain(extra) {
            let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
            assert!((sum - node).abs() < 1e-14, "{sum} is not {node}");
        }
        assert!(Method::DormandPrince5.coefficients().is_none());
    }
}
