//! How large the terms of expressions are: what tells a residual from rounding, in any units.
//!
//! A row holds if its residual is rounding beside its terms: x² + y² − L² beside x² + y² + L², be L a micrometre
//! or a mile. Terms are added up by the rules of running error analysis: with e of an operand the bound of its
//! relative error times its value,
//!
//! ```text
//! e(f(a, b)) = |∂f/∂a| e(a) + |∂f/∂b| e(b) + |f|
//! ```
//!
//! Elements of one form share their steps, and are measured eight at a time: terms of ten thousand joints take the memory of one, and
//! of ten thousand lists of symbols.

mod group;

use crate::decide::is_rounding;
use dalembert_expr::{ExprId, FormReader, Forms, Graph, SymbolId};
use group::Group;

/// Expressions whose terms are measured, at one state after the other.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    groups: Vec<Group>,
    outputs: usize,
    symbols: usize,
}

/// Room to measure terms in.
#[derive(Clone, Debug, Default)]
pub struct TermsRoom {
    /// The value of each expression, and the size of its terms.
    found: Vec<(f64, f64)>,
    /// Values and sizes of the nodes of some elements of one form.
    nodes: [Vec<f64>; 2],
}

impl Terms {
    /// The terms of some expressions of a graph, which are one element.
    #[must_use]
    pub fn new(graph: &Graph, outputs: &[ExprId]) -> Self {
        Self::of_elements(graph, [outputs])
    }

    /// The terms of the expressions of some elements, in this order.
    #[must_use]
    pub fn of_elements<E: AsRef<[ExprId]>>(
        graph: &Graph,
        elements: impl IntoIterator<Item = E>,
    ) -> Self {
        let mut terms = Self {
            symbols: graph.symbol_count(),
            ..Self::default()
        };
        let mut reader = FormReader::default();
        let mut forms = Forms::default();
        for element in elements {
            let element = element.as_ref();
            if element.is_empty() {
                continue;
            }
            let form = reader.read(graph, element);
            let (group, is_new) = forms.number(&form);
            if is_new {
                terms.groups.push(Group::new(graph, &form, element));
            }
            terms.groups[group].add(form.symbols(), terms.outputs);
            terms.outputs += element.len();
        }
        terms
    }

    /// The size of the terms of each expression.
    pub fn sizes(&self, value_of: impl FnMut(SymbolId) -> f64) -> Vec<f64> {
        self.measured(value_of).map(|(_, size)| size).collect()
    }

    /// The value of each expression, and the size of its terms.
    pub fn measured(
        &self,
        value_of: impl FnMut(SymbolId) -> f64,
    ) -> impl Iterator<Item = (f64, f64)> {
        let mut room = TermsRoom::default();
        self.measure(value_of, &mut room);
        room.found.into_iter()
    }

    /// The same, in room that is used again.
    pub fn measured_in<'a>(
        &self,
        value_of: impl FnMut(SymbolId) -> f64,
        room: &'a mut TermsRoom,
    ) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.measure(value_of, room);
        room.found.iter().copied()
    }

    fn measure(&self, mut value_of: impl FnMut(SymbolId) -> f64, room: &mut TermsRoom) {
        let TermsRoom { found, nodes } = room;
        found.clear();
        found.resize(self.outputs, (0.0, 0.0));
        for group in &self.groups {
            group.measure(&mut value_of, nodes, found);
        }
    }

    /// For each symbol by its index, the change that counts in the argument of a sine, an exponential or the like:
    /// 1 for an angle; `None` for what stands in none.
    pub fn natural(&self, mut value_of: impl FnMut(SymbolId) -> f64) -> Vec<Option<f64>> {
        let mut steepest = vec![0.0_f64; self.symbols];
        for group in &self.groups {
            group.steepest(&mut value_of, &mut steepest);
        }
        let natural = |above: f64| (above > 0.0 && above.is_finite()).then(|| 1.0 / above);
        steepest.into_iter().map(natural).collect()
    }

    /// Which of the expressions are analytic functions, so that they vanish everywhere if they do on any open set: no
    /// corner, no jump, no inverse of a periodic function.
    #[must_use]
    pub fn analytic(&self) -> Vec<bool> {
        let mut analytic = vec![false; self.outputs];
        for group in &self.groups {
            group.analytic(&mut analytic);
        }
        analytic
    }
}

/// Values, zero where they are rounding beside their terms.
pub fn present(values: &[f64], terms: &[f64]) -> Vec<f64> {
    let pairs = values.iter().zip(terms);
    pairs
        .map(|(&value, &terms)| {
            if is_rounding(value, terms) {
                0.0
            } else {
                value
            }
        })
        .collect()
}
