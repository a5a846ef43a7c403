//! How large the terms of expressions are: what tells a residual from rounding, in any units.
//!
//! A row holds if its residual is rounding beside its terms: x² + y² − L² beside x² + y² + L², be L a micrometre
//! or a mile. Terms are added up by the rules of running error analysis: with e of an operand the bound of its
//! relative error times its value,
//!
//! ```text
//! e(f(a, b)) = |∂f/∂a| e(a) + |∂f/∂b| e(b) + |f|
//! ```

use crate::decide::is_rounding;
use dalembert_expr::table::TableFunction;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, Unary};
use std::f64::consts::PI;

/// Expressions whose terms are measured, at one state after the other.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Operands come first.
    steps: Vec<Step>,
    outputs: Vec<usize>,
    symbols: usize,
    /// Functions made of tables.
    tables: Vec<TableFunction>,
}

/// One node of the expressions; operands by their places.
#[derive(Clone, Copy, Debug)]
enum Step {
    Number(f64),
    Symbol(SymbolId),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    /// The function of this number among those of the terms.
    Table(usize, usize),
    /// A power whose exponent is written, hence exact.
    Power(usize, usize),
}

impl Terms {
    /// The terms of some expressions of a graph.
    #[must_use]
    pub fn new(graph: &Graph, outputs: &[ExprId]) -> Self {
        let cone = Cone::new(graph, outputs);
        let place = |id: ExprId| cone.position(id).expect("operands of members are members");
        let mut tables = Vec::new();
        let step = |&id: &ExprId| match graph.node(id) {
            Node::Table(table, a) => {
                tables.push(graph.table_function(table).clone());
                Step::Table(tables.len() - 1, place(a))
            }
            Node::Number(n) => Step::Number(graph.number_value(n).to_f64()),
            Node::Pi => Step::Number(PI),
            Node::Symbol(symbol) => Step::Symbol(symbol),
            Node::Unary(op, a) => Step::Unary(op, place(a)),
            Node::Binary(Binary::Pow, a, b) if matches!(graph.node(b), Node::Number(_)) => {
                Step::Power(place(a), place(b))
            }
            Node::Binary(op, a, b) => Step::Binary(op, place(a), place(b)),
        };
        Self {
            steps: cone.nodes().iter().map(step).collect(),
            outputs: outputs.iter().map(|&id| place(id)).collect(),
            symbols: graph.symbol_count(),
            tables,
        }
    }

    /// The size of the terms of each expression.
    pub fn sizes(&self, value_of: impl FnMut(SymbolId) -> f64) -> Vec<f64> {
        self.measured(value_of).map(|(_, size)| size).collect()
    }

    /// The value of each expression, and the size of its terms.
    pub fn measured(
        &self,
        value_of: impl FnMut(SymbolId) -> f64,
    ) -> impl Iterator<Item = (f64, f64)> + '_ {
        let mut room = self.room();
        self.measure(value_of, &mut room);
        self.outputs.iter().map(move |&place| room[place])
    }

    /// Room to measure in.
    #[must_use]
    pub fn room(&self) -> Vec<(f64, f64)> {
        Vec::with_capacity(self.steps.len())
    }

    /// The same, in room that is used again.
    pub fn measured_in<'a>(
        &'a self,
        value_of: impl FnMut(SymbolId) -> f64,
        room: &'a mut Vec<(f64, f64)>,
    ) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.measure(value_of, room);
        self.outputs.iter().map(|&place| room[place])
    }

    /// Values and sizes of all nodes.
    fn measure(&self, mut value_of: impl FnMut(SymbolId) -> f64, nodes: &mut Vec<(f64, f64)>) {
        nodes.clear();
        for step in &self.steps {
            let value = step.value(&self.tables, &mut value_of, |place| nodes[place].0);
            let own = value.abs();
            let size = match *step {
                Step::Number(_) | Step::Symbol(_) => own,
                Step::Unary(Unary::Neg, a) => nodes[a].1,
                Step::Table(table, a) => {
                    own + product(self.steepness(table, nodes[a].0), nodes[a].1)
                }
                Step::Unary(op, a) => own + product(slope(op, nodes[a].0, value), nodes[a].1),
                Step::Binary(op, a, b) => {
                    let (by_a, by_b) = slopes(op, nodes[a].0, nodes[b].0, value);
                    own + product(by_a, nodes[a].1) + product(by_b, nodes[b].1)
                }
                Step::Power(a, b) => {
                    let (by_a, _) = slopes(Binary::Pow, nodes[a].0, nodes[b].0, value);
                    own + product(by_a, nodes[a].1)
                }
            };
            nodes.push((value, size));
        }
    }

    /// For each symbol by its index, the change that counts in the argument of a sine, an exponential or the like:
    /// 1 for an angle; `None` for what stands in none.
    pub fn natural(&self, value_of: impl FnMut(SymbolId) -> f64) -> Vec<Option<f64>> {
        let values = self.values(value_of);
        let mut steepest = vec![0.0_f64; values.len()];
        let mut natural = vec![None; self.symbols];
        for (k, step) in self.steps.iter().enumerate().rev() {
            let above = steepest[k];
            match *step {
                Step::Symbol(symbol) if above > 0.0 && above.is_finite() => {
                    natural[symbol.index()] = Some(1.0 / above);
                }
                Step::Unary(op, a) => {
                    let slope = match is_transcendental(op) {
                        true => 1.0,
                        false => product(slope(op, values[a], values[k]), above),
                    };
                    steepest[a] = steepest[a].max(slope);
                }
                Step::Table(table, a) if above > 0.0 => {
                    let slope = product(self.steepness(table, values[a]), above);
                    steepest[a] = steepest[a].max(slope);
                }
                Step::Binary(op, a, b) if above > 0.0 => {
                    let (by_a, by_b) = slopes(op, values[a], values[b], values[k]);
                    steepest[a] = steepest[a].max(product(by_a, above));
                    steepest[b] = steepest[b].max(product(by_b, above));
                }
                Step::Power(a, b) if above > 0.0 => {
                    let (by_a, _) = slopes(Binary::Pow, values[a], values[b], values[k]);
                    steepest[a] = steepest[a].max(product(by_a, above));
                }
                _ => {}
            }
        }
        natural
    }

    /// Which of the expressions are analytic functions, so that they vanish everywhere if they do on any open set: no
    /// corner, no jump, no inverse of a periodic function.
    #[must_use]
    pub fn analytic(&self) -> Vec<bool> {
        let mut analytic: Vec<bool> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            analytic.push(match *step {
                Step::Number(_) | Step::Symbol(_) => true,
                Step::Unary(Unary::Abs | Unary::Sign | Unary::Asin | Unary::Acos, _)
                | Step::Binary(
                    Binary::Atan2 | Binary::Min | Binary::Max | Binary::Above | Binary::NotAbove,
                    ..,
                ) => false,
                Step::Table(..) => false,
                Step::Unary(_, a) => analytic[a],
                Step::Binary(_, a, b) | Step::Power(a, b) => analytic[a] && analytic[b],
            });
        }
        self.outputs.iter().map(|&place| analytic[place]).collect()
    }

    /// |f'(x)| of a function made of a table.
    fn steepness(&self, table: usize, x: f64) -> f64 {
        let slope = self.tables[table].derivative();
        slope.map_or(0.0, |slope| slope.value(x).abs())
    }

    fn values(&self, mut value_of: impl FnMut(SymbolId) -> f64) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = step.value(&self.tables, &mut value_of, |place| values[place]);
            values.push(value);
        }
        values
    }
}

impl Step {
    /// Its value, from those of its operands.
    fn value(
        self,
        tables: &[TableFunction],
        value_of: &mut impl FnMut(SymbolId) -> f64,
        at: impl Fn(usize) -> f64,
    ) -> f64 {
        match self {
            Step::Number(value) => value,
            Step::Symbol(symbol) => value_of(symbol),
            Step::Unary(op, a) => op.value(at(a)),
            Step::Binary(op, a, b) => op.value(at(a), at(b)),
            Step::Power(a, b) => Binary::Pow.value(at(a), at(b)),
            Step::Table(table, a) => tables[table].value(at(a)),
        }
    }
}

/// Functions with a scale of their own.
fn is_transcendental(op: Unary) -> bool {
    use Unary::{Cos, Cosh, Exp, Sin, Sinh, Tan, Tanh};
    matches!(op, Sin | Cos | Tan | Sinh | Cosh | Tanh | Exp)
}

/// Slope times size, where an exact zero has no error however steep the function is.
fn product(slope: f64, size: f64) -> f64 {
    if size == 0.0 || slope == 0.0 {
        0.0
    } else {
        slope * size
    }
}

/// |f'(a)|.
fn slope(op: Unary, a: f64, f: f64) -> f64 {
    let slope = match op {
        Unary::Neg | Unary::Abs => 1.0,
        Unary::Sqrt => 0.5 / f,
        Unary::Sin => Unary::Cos.value(a),
        Unary::Cos => Unary::Sin.value(a),
        Unary::Tan => 1.0 + f * f,
        Unary::Asin | Unary::Acos => 1.0 / (1.0 - a * a).sqrt(),
        Unary::Atan => 1.0 / (1.0 + a * a),
        Unary::Sinh => Unary::Cosh.value(a),
        Unary::Cosh => Unary::Sinh.value(a),
        Unary::Tanh => 1.0 - f * f,
        Unary::Exp => f,
        Unary::Log => 1.0 / a,
        Unary::Sign => 0.0,
    };
    slope.abs()
}

/// |∂f/∂a| and |∂f/∂b|.
fn slopes(op: Binary, a: f64, b: f64, f: f64) -> (f64, f64) {
    let (by_a, by_b) = match op {
        Binary::Add | Binary::Sub => (1.0, 1.0),
        Binary::Mul => (b, a),
        Binary::Div => (1.0 / b, f / b),
        Binary::Pow => (
            b * Binary::Pow.value(a, b - 1.0),
            if a > 0.0 {
                f * Unary::Log.value(a)
            } else {
                0.0
            },
        ),
        Binary::Atan2 => (b / (a * a + b * b), a / (a * a + b * b)),
        Binary::Min => (f64::from(a <= b), f64::from(b < a)),
        Binary::Max => (f64::from(a >= b), f64::from(b > a)),
        Binary::Above => (0.0, f64::from(a > 0.0)),
        Binary::NotAbove => (0.0, f64::from(a <= 0.0)),
    };
    (by_a.abs(), by_b.abs())
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
