//! `reaction(NAME)` in a law, or `lambda(NAME)`: the multiplier of a row.
//!
//! Reactions are not known where a law is read: they are symbols, put in when the motion is found. So they may stand where
//! forces are described, in the condition that ends a run and in definitions that these use, and nowhere else.

use super::measured::POWER;
use super::{Declared, Elaborator, Part, Statement, Target, Value, Vector};
use crate::data::TABLE;
use crate::diagnostic::Place;
use crate::model::{Expression, constraint_of};
use dalembert_expr::syntax::{Argument, Function, Kind, NodeId, Span, Tree, Word, meant_or_known};
use dalembert_expr::{Cone, ExprId, Graph, SymbolKind};

/// A reaction that some law uses.
#[derive(Clone, Debug)]
pub(crate) struct ReactionUse {
    /// What stands in the parentheses: the name of a constraint or of a row.
    pub(crate) label: String,
    /// The particle or body whose force is meant, and the symbols of that force.
    pub(crate) on: Option<(Target, Vector)>,
    /// Where.
    pub(crate) place: Place,
}

impl Elaborator<'_> {
    /// Elaborates what describes a force: there a reaction may stand.
    pub fn in_law<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.lawful, true);
        let result = read(self);
        self.lawful = before;
        result
    }

    /// Reactions that were read so far.
    pub(crate) fn reactions(&self) -> &[ReactionUse] {
        &self.reactions
    }

    /// `reaction(NAME)`: the multiplier of a row; `reaction(NAME, on = "P")`: the force on a particle or body.
    pub(super) fn reaction(
        &mut self,
        expression: &Expression,
        function: &Word,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Value> {
        let (tree, own) = (&expression.tree, &*function.text);
        let form = "write reaction(NAME) or reaction(NAME, on = \"P\")";
        let named = arguments
            .iter()
            .filter_map(|argument| argument.name.as_ref());
        if let Some(unknown) = named.clone().find(|name| *name.text != *"on") {
            let message = format!("`{own}` has no argument `{}`", unknown.text);
            self.refuse(expression, unknown.span.range(), "E0204", message, form);
            return None;
        }
        let (labelled, on) = match arguments {
            [label] if label.name.is_none() => (label.value, None),
            [label, on] if label.name.is_none() && on.name.is_some() => {
                (label.value, Some(on.value))
            }
            _ => {
                let message = format!("`{own}` speaks of one constraint");
                let at = function.span.range();
                self.refuse(expression, at, "E0203", message, form);
                return None;
            }
        };
        let written = tree[labelled].span.range();
        let Some(label) = label(tree, labelled) else {
            let message = format!("`{own}` needs the name of a constraint");
            self.refuse(expression, written, "E0472", message, form);
            return None;
        };
        let constraint = constraint_of(&label);
        let mut constraints = self.model.constraints.iter();
        if constraints.any(|it| it.identity && it.name.text == constraint) {
            let message =
                format!("`{constraint}` is an identity of the coordinates, and has no reaction");
            let help = "speak of a constraint that holds by its reaction";
            self.refuse(expression, written, "E0472", message, help);
            return None;
        }
        let constraints = self.model.constraints.iter().filter(|it| !it.identity);
        let known: Vec<&str> = constraints.map(|it| it.name.text.as_str()).collect();
        if !known.contains(&constraint) {
            let help = meant_or_known(constraint, known.iter().copied());
            let help = match self.names.get(own) {
                Some(_) => format!("to multiply, write {own}*(…)"),
                None => help.unwrap_or_else(|| "the model has none".to_owned()),
            };
            let message = format!("there is no constraint `{constraint}`");
            self.refuse(expression, written, "E0472", message, help);
            return None;
        }
        let place = expression.place(span.range());
        let Some(on) = on else {
            self.reactions.push(ReactionUse {
                label: label.clone(),
                on: None,
                place,
            });
            let symbol = self.graph.symbol(&label, SymbolKind::Multiplier);
            return Some(Value::Scalar(symbol));
        };
        let name = match &tree[on].kind {
            Kind::Text(name) => &**name,
            Kind::Name { name, primes: 0 } => &**name,
            _ => "",
        };
        let Some(target) = self.names.get(name).and_then(Declared::target) else {
            let message = format!("`{name}` is neither a body nor a particle");
            let help = self.did_you_mean(name, self.names.targets());
            let at = tree[on].span.range();
            self.refuse(expression, at, "E0472", message, help.unwrap_or_default());
            return None;
        };
        let symbols = ["x", "y", "z"].map(|axis| {
            let symbol = format!("reaction({label}, on = {name}).{axis}");
            self.graph.symbol(&symbol, SymbolKind::Multiplier)
        });
        self.reactions.push(ReactionUse {
            label,
            on: Some((target, symbols)),
            place,
        });
        Some(Value::Vector(symbols))
    }

    /// Refuses reactions, and rates of reactions, where they are not known.
    pub(super) fn refuse_reactions(
        &mut self,
        expression: &Expression,
        statement: Statement,
    ) -> Option<Statement> {
        if self.reactions.is_empty() {
            return Some(statement);
        }
        if std::mem::take(&mut self.rate_of_reaction) {
            let message = "the rate of a reaction is not known";
            let help = "write the law without it";
            self.refuse_whole(expression, "E0471", message, help);
            return None;
        }
        if self.lawful || !self.holds_reaction(&values(&statement)) {
            return Some(statement);
        }
        let message = "a reaction stands where it is not known";
        let help = "it is known in [force.NAME], in `nonideal`, in the coefficient of `friction`, in `dry` and in `until`";
        self.refuse_whole(expression, "E0470", message, help);
        None
    }

    /// Whether some expression holds a reaction.
    pub(crate) fn holds_reaction(&self, values: &[ExprId]) -> bool {
        holds_reaction(&self.graph, values)
    }
}

/// Whether some expression holds a multiplier.
pub(crate) fn holds_reaction(graph: &Graph, values: &[ExprId]) -> bool {
    let symbols = Cone::new(graph, values).symbols(graph);
    let mut kinds = symbols.iter().map(|&symbol| graph.symbol_data(symbol).kind);
    kinds.any(|kind| kind == SymbolKind::Multiplier)
}

/// Nodes without a value of their own, by index: labels of constraints, and words that belong to their neighbour, as in `sin x`.
/// Empty where there is none.
pub(super) fn valueless(tree: &Tree) -> Vec<bool> {
    let mut found = Vec::new();
    let mut mark = |id: NodeId| {
        found.resize(tree.nodes().len(), false);
        found[id.index()] = true;
    };
    for node in tree.nodes() {
        match &node.kind {
            Kind::Call {
                function,
                arguments,
            } if is_reaction(function) || *function.text == *POWER => {
                for argument in arguments {
                    mark(argument.value);
                    if let Kind::Member { of, .. } = &tree[argument.value].kind {
                        mark(*of);
                    }
                }
            }
            // Names of files and columns.
            Kind::Call {
                function,
                arguments,
            } if *function.text == *TABLE => {
                let texts = arguments.iter().map(|argument| argument.value);
                let is_text = |id: &NodeId| matches!(tree[*id].kind, Kind::Text(_));
                texts.filter(is_text).for_each(&mut mark);
            }
            Kind::Sequence(items) => {
                let word = |id: &&NodeId| matches!(&tree[**id].kind, Kind::Name { name, primes: 0 } if is_word(name));
                items.iter().filter(word).for_each(|&id| mark(id));
            }
            _ => {}
        }
    }
    found
}

/// Whether a word that stands beside another is no name: a function, or a mark of a derivative.
pub(super) fn is_word(name: &str) -> bool {
    Function::named(name).is_some() || matches!(name, "dot" | "ddot")
}

pub(super) fn is_reaction(function: &Word) -> bool {
    matches!(&*function.text, "reaction" | "lambda")
}

/// `contact` or `contact.0`.
pub(crate) fn label(tree: &Tree, id: NodeId) -> Option<String> {
    match &tree[id].kind {
        Kind::Name { name, primes: 0 } => Some(name.to_string()),
        Kind::Member {
            of,
            name,
            primes: 0,
        } => match &tree[*of].kind {
            Kind::Name {
                name: constraint,
                primes: 0,
            } => Some(format!("{constraint}.{}", name.text)),
            _ => None,
        },
        _ => None,
    }
}

/// All numbers of a statement.
fn values(statement: &Statement) -> Vec<ExprId> {
    let sides = match statement {
        Statement::Value(value) => vec![value],
        Statement::Relation { left, right, .. } => vec![left, right],
        Statement::Condition(parts) => {
            let compared = parts.iter().filter_map(|part| match part {
                Part::Compared(_, sides) => Some(*sides),
                _ => None,
            });
            return compared.flatten().collect();
        }
    };
    let mut found = Vec::new();
    for value in sides {
        match value {
            Value::Scalar(id) => found.push(*id),
            Value::Vector(vector) => found.extend(vector),
            Value::Point {
                position, velocity, ..
            } => found.extend(position.iter().chain(velocity)),
            Value::Attitude(attitude) => {
                found.extend(attitude.matrix.iter().flatten().chain(&attitude.omega));
            }
            Value::Particle(_) | Value::Body(_) | Value::Frame(_) | Value::Ground => {}
        }
    }
    found
}
