//! Rates that rows hold at zero have no sign: that of what rounding leaves of them would be a full force.
//!
//! Where no row speaks of time, and rest meets all rows, a rate that vanishes in every motion that the rows admit is zero. It is
//! looked for only in models whose forces have corners or jumps.

use super::rounding::Rounding;
use dalembert_expr::{Cone, ExprId, Node};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{KNOWN, RANK};
use dalembert_mechanics::equations::{Evaluator, Stored};
use dalembert_mechanics::linear::{Elimination, Matrix, norm};

/// The rates that are held, from step to step.
pub(super) struct Still {
    held: Vec<usize>,
    rows: Vec<f64>,
    elimination: Elimination,
    null_vector: Vec<f64>,
}

impl Still {
    /// The rates that are held at the position that is set; `None` if there are none, or it does not matter.
    pub(super) fn new(
        mechanism: &Mechanism,
        evaluator: &mut Evaluator<'_>,
        rounding: &Rounding,
    ) -> Option<Self> {
        let system = &mechanism.system;
        let equations = evaluator.equations();
        let may_be_held = equations.stored() == Stored::Full
            && !equations.velocity_rows().is_empty()
            && system.speeds.is_none();
        if !may_be_held || rounding.forces_are_smooth() || speaks_of_time(mechanism) {
            return None;
        }
        let rates = evaluator.rates().to_vec();
        let n = rates.len();
        evaluator.set_rates(&vec![0.0; n]);
        let at_rest = evaluator.velocity().values.iter().all(|r| *r == 0.0);
        evaluator.set_rates(&rates);
        if !at_rest {
            return None;
        }
        let rows = equations.velocity_rows().len();
        let mut still = Self {
            held: (0..n).collect(),
            rows: Vec::new(),
            elimination: Elimination::new(rows, n),
            null_vector: vec![0.0; n],
        };
        still.look(&evaluator.velocity().jacobian);
        (!still.held.is_empty()).then_some(still)
    }

    /// The rates that are held.
    pub(super) fn held(&self) -> &[usize] {
        &self.held
    }

    /// Lets go what the rows at velocity level hold no longer.
    pub(super) fn look(&mut self, jacobian: &Matrix<'_>) {
        if self.held.is_empty() {
            return;
        }
        let n = jacobian.columns();
        self.rows.clear();
        self.rows
            .extend_from_slice(jacobian.as_full().unwrap_or_default());
        for row in self.rows.chunks_exact_mut(n) {
            let length = norm(row).max(f64::MIN_POSITIVE);
            row.iter_mut().for_each(|a| *a /= length);
        }
        self.elimination.factor(&self.rows, RANK);
        let rank = self.elimination.rank();
        let order = self.elimination.column_order();
        self.held.retain(|j| order[..rank].contains(j));
        for k in 0..n - rank {
            self.elimination
                .null_vector(k, &mut self.null_vector[..rank]);
            let moves = self.null_vector[..rank]
                .iter()
                .map(|part| part.abs() > KNOWN);
            for (&column, _) in order.iter().zip(moves).filter(|(_, moves)| *moves) {
                self.held.retain(|j| *j != column);
            }
        }
    }
}

/// Whether time itself stands in a row.
fn speaks_of_time(mechanism: &Mechanism) -> bool {
    let system = &mechanism.system;
    let rows: Vec<ExprId> = system.rows.iter().map(|row| row.residual).collect();
    let cone = Cone::new(&system.graph, &rows);
    let is_time = |id: &ExprId| system.graph.node(*id) == Node::Symbol(system.symbols.time);
    cone.nodes().iter().any(is_time)
}
