//! What was made of expressions, made again of others that differ from them in their symbols alone.
//!
//! Ten thousand joints of one type have rows of one form. What is derived for one of them is written down as a template over the
//! nodes that were there before, and for all others it is written out: none of the nodes that were only on the way is made
//! again, and nothing is simplified twice.
//!
//! [Forms](Form) list nodes by age. So copies of a form are alike also in which of two nodes is older, which is what orders terms: the
//! copies come out as if each had been derived by itself.

use crate::form::Form;
use crate::graph::{ExprId, Graph, Node, SymbolId, TableId};
use crate::op::{Binary, Unary};
use rustc_hash::{FxHashMap, FxHashSet};

/// How expressions are made of those of a form.
struct Template {
    /// Operands come first.
    steps: Vec<Step>,
    /// Places among the steps.
    outputs: Vec<u32>,
}

/// One node; operands by their places among the steps.
#[derive(Clone, Copy)]
enum Step {
    /// A node of the form.
    Given(u32),
    /// The derivative of an order of what a symbol of the form is a derivative of.
    Derivative(u32, u8),
    /// A number that is not in the form.
    Constant(ExprId),
    Unary(Unary, u32),
    Binary(Binary, u32, u32),
    Table(TableId, u32),
}

impl Template {
    /// How `outputs` are made of the expressions of a form; `None` if symbols are in them that have nothing to do with its own.
    fn of(graph: &Graph, form: &Form, outputs: &[ExprId]) -> Option<Self> {
        let given = |id: &ExprId| form.position(*id);
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut nodes: Vec<ExprId> = Vec::new();
        let mut pending = outputs.to_vec();
        while let Some(id) = pending.pop() {
            if seen.insert(id) {
                nodes.push(id);
                if given(&id).is_none() {
                    pending.extend(graph.node(id).operands());
                }
            }
        }
        nodes.sort_unstable();
        let place = |id: ExprId| nodes.binary_search(&id).ok().map(|place| place as u32);
        let derivative = |symbol: SymbolId| {
            let data = graph.symbol_data(symbol);
            let is_of = |&known: &SymbolId| {
                let known = graph.symbol_data(known);
                known.kind == data.kind && known.name == data.name
            };
            let known = form.symbols().iter().position(is_of)?;
            let moves = data.kind.moves();
            moves.then_some(Step::Derivative(known as u32, data.order))
        };
        let step = |id: &ExprId| {
            if let Some(place) = given(id) {
                return Some(Step::Given(place as u32));
            }
            Some(match graph.node(*id) {
                Node::Number(_) | Node::Pi => Step::Constant(*id),
                Node::Symbol(symbol) => derivative(symbol)?,
                Node::Unary(op, a) => Step::Unary(op, place(a)?),
                Node::Binary(op, a, b) => Step::Binary(op, place(a)?, place(b)?),
                Node::Table(table, a) => Step::Table(table, place(a)?),
            })
        };
        Some(Self {
            steps: nodes.iter().map(step).collect::<Option<_>>()?,
            outputs: outputs.iter().map(|&id| place(id)).collect::<Option<_>>()?,
        })
    }

    /// The same made of the expressions of another form that is equal.
    fn written_out(&self, graph: &mut Graph, form: &Form) -> Vec<ExprId> {
        let mut made: Vec<ExprId> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let at = |place: u32| made[place as usize];
            let id = match *step {
                Step::Given(place) => form.nodes()[place as usize],
                Step::Derivative(symbol, order) => {
                    graph.derivative_of(form.symbols()[symbol as usize], order)
                }
                Step::Constant(id) => id,
                Step::Unary(op, a) => graph.intern(Node::Unary(op, at(a))),
                Step::Binary(op, a, b) => graph.intern(Node::Binary(op, at(a), at(b))),
                Step::Table(table, a) => graph.intern(Node::Table(table, at(a))),
            };
            made.push(id);
        }
        let place = |&place: &u32| made[place as usize];
        self.outputs.iter().map(place).collect()
    }
}

/// What was made of expressions, by their forms, with what else was found out about each.
///
/// ```
/// use dalembert_expr::{Copies, Form, Graph, SymbolKind, simplify};
/// let mut g = Graph::new();
/// let mut copies = Copies::default();
/// for name in ["x", "y", "z"] {
///     let x = g.symbol(name, SymbolKind::Parameter);
///     let twice = { let s = g.sin(x); let square = g.powi(s, 2); g.add(square, s) };
///     let sum = g.sub(twice, x);
///     let form = Form::of(&g, &[sum]);
///     let simple = simplify(&mut g, &[sum]);
///     match copies.again(&mut g, &form) {
///         Some((again, ())) => assert_eq!((name, again), ("z", simple)),
///         None => copies.keep(&g, &form, &simple, ()),
///     }
/// }
/// ```
pub struct Copies<T> {
    /// Forms that were met, by number: templates are made of those that are met again.
    met: FxHashSet<u64>,
    known: FxHashMap<Vec<u32>, (Template, T)>,
}

impl<T> Default for Copies<T> {
    fn default() -> Self {
        Self {
            met: FxHashSet::default(),
            known: FxHashMap::default(),
        }
    }
}

impl<T> Copies<T> {
    /// What was made of expressions of this form, made of these.
    pub fn again(&self, graph: &mut Graph, form: &Form) -> Option<(Vec<ExprId>, &T)> {
        let (template, with) = self.known.get(form.key())?;
        Some((template.written_out(graph, form), with))
    }

    /// Keeps what was made of expressions, if their form was met before.
    pub fn keep(&mut self, graph: &Graph, form: &Form, outputs: &[ExprId], with: T) {
        if !self.met.insert(form.number())
            && let Some(template) = Template::of(graph, form, outputs)
        {
            self.known.insert(form.key().to_vec(), (template, with));
        }
    }
}
