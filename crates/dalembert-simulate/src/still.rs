//! Rates that rows hold at zero have no sign: that of what rounding leaves of them would be a full force.
//!
//! Where no row speaks of time, and rest meets all rows, a rate that vanishes in every motion that the rows admit is zero. It must do so beside
//! the start, too: x' of a bead on a circle vanishes at (1, 0), and nowhere near. It is looked for only in models whose forces have corners or
//! jumps.

use super::rounding::Rounding;
use dalembert_expr::{Cone, ExprId, Node};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{KNOWN, RANK};
use dalembert_mechanics::equations::{Evaluator, Stored};
use dalembert_mechanics::linear::{Elimination, Matrix, norm};
use dalembert_mechanics::projection::Projector;
use dalembert_mechanics::start::State;

/// How far beside the start rows are looked at, as part of the sizes of the coordinates.
const BESIDE: f64 = 1e-3;

/// The rates that are held, from step to step.
pub(super) struct Still {
    held: Vec<usize>,
    rows: Vec<f64>,
    elimination: Elimination,
    null_vector: Vec<f64>,
}

impl Still {
    /// The rates that are held at the start, which is set; `None` if there are none, or it does not matter.
    pub(super) fn new(
        mechanism: &Mechanism,
        (state, evaluator): (&State, &mut Evaluator<'_>),
        position: &mut Projector,
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
        if !still.held.is_empty() {
            still.look_beside((state, &mut *evaluator), position);
            evaluator.set_position(state.t, &state.coordinates);
            evaluator.set_rates(&rates);
        }
        (!still.held.is_empty()).then_some(still)
    }

    /// Lets go what is not held a little way along the rows.
    fn look_beside(
        &mut self,
        (state, evaluator): (&State, &mut Evaluator<'_>),
        position: &mut Projector,
    ) {
        let mut q = state.coordinates.clone();
        let way = self.some_way(q.len());
        let parts = way.iter().zip(position.sizes());
        let most = parts.fold(0.0_f64, |most, (part, size)| most.max((part / size).abs()));
        if !(most > 0.0 && most.is_finite()) {
            return;
        }
        q.iter_mut()
            .zip(&way)
            .for_each(|(q, part)| *q += BESIDE / most * part);
        position.begin();
        loop {
            evaluator.set_position(state.t, &q);
            match position.judge(&evaluator.position(), &q) {
                Some(Some(_)) => return self.look(&evaluator.velocity().jacobian),
                Some(None) => return,
                None => {
                    let mass = evaluator.canonical().mass;
                    if position.correct(&mass, &mut q).is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// A motion that the rows last looked at admit, in which all that can move does.
    fn some_way(&mut self, n: usize) -> Vec<f64> {
        let (rank, order) = (self.elimination.rank(), self.elimination.column_order());
        let mut way = vec![0.0; n];
        for k in 0..n - rank {
            // Unequal parts, so that nothing cancels.
            let part = 1.0 / (2.0 + k as f64);
            self.elimination
                .null_vector(k, &mut self.null_vector[..rank]);
            for (&column, value) in order.iter().zip(&self.null_vector[..rank]) {
                way[column] += part * value;
            }
            way[order[rank + k]] += part;
        }
        way
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
