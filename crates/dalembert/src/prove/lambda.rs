//! `lambda(ROW)` in equations: the multiplier of a row, which the language of models has not. And `F_ideal(q)`,
//! `F_nonideal(q)`: see `ideal.rs`.
//!
//! Each is replaced by a name of the same length, so that all places in the text stay where they are.

use super::ideal;
use dalembert_expr::syntax::meant_or_known;
use dalembert_expr::{Cone, ExprId, Graph, Node, SymbolKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Place;
use dalembert_mechanics::elaborate::Names;
use dalembert_mechanics::model::{Expression, Model, Name, constraint_of};
use dalembert_symbolic::law_symbols::label;
use std::ops::Range;

/// The multiplier of a row that there is not.
pub(super) struct Unknown {
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

/// Rows that equations speak of.
pub(super) struct Multipliers {
    pub(super) rows: Vec<String>,
    /// What parts of forces are taken along.
    axes: Vec<String>,
    taken: Names,
    /// The name in the text, and `lambda(contact.0)`.
    used: Vec<(String, String)>,
}

/// Bytes of the name at the start of a text.
pub(super) fn name_end(text: &str) -> usize {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.starts_with(|c: char| c.is_ascii_digit()) {
        true => 0,
        false => text.find(|c| !inside(c)).unwrap_or(text.len()),
    }
}

impl Multipliers {
    pub(super) fn of(mechanism: &Mechanism) -> Self {
        Self {
            rows: mechanism
                .system
                .rows
                .iter()
                .filter(|row| !row.identity)
                .map(|row| row.name.clone())
                .collect(),
            axes: ideal::axes(mechanism),
            taken: Names::of(&mechanism.model),
            used: Vec::new(),
        }
    }

    /// A text of the same length with a name for each multiplier.
    pub(super) fn named(&mut self, text: &str) -> Result<String, Vec<Unknown>> {
        let mut read = String::with_capacity(text.len());
        let mut unknown = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let word = &rest[..name_end(rest)];
            let is_part = ideal::WORDS.contains(&word);
            if word != "lambda" && !is_part {
                // The whole word, or one character: also a number, so that 2lambda is not cut in two.
                let number = rest
                    .find(|c: char| !c.is_ascii_alphanumeric())
                    .unwrap_or(rest.len());
                let first = rest.chars().next().map_or(1, char::len_utf8);
                let length = word.len().max(number).max(first);
                read.push_str(&rest[..length]);
                at += length;
                continue;
            }
            let after = &rest[word.len()..];
            let open = rest.len() - after.trim_start().len();
            let close = rest.find(')');
            let Some(close) = close.filter(|_| rest[open..].starts_with('(')) else {
                read.push_str(word);
                at += word.len();
                continue;
            };
            let row = rest[open + 1..close].trim();
            let list = if is_part { &self.axes } else { &self.rows };
            match list.iter().any(|known| known == row) {
                true => read.push_str(&self.name(&format!("{word}({row})"), close + 1)),
                false => {
                    unknown.push(match is_part {
                        true => self.no_axis(row, at..at + close + 1),
                        false => self.unknown(row, at..at + close + 1),
                    });
                    read.push_str(&rest[..=close]);
                }
            }
            at += close + 1;
        }
        if unknown.is_empty() {
            Ok(read)
        } else {
            Err(unknown)
        }
    }

    fn no_axis(&self, name: &str, span: Range<usize>) -> Unknown {
        let none = || "forces that hold reactions, or rows, are not split".to_owned();
        let help = meant_or_known(name, self.axes.iter().map(String::as_str));
        let help = help.unwrap_or_else(none);
        Unknown {
            span,
            message: format!("there are no forces along `{name}` to be split"),
            help,
        }
    }

    fn unknown(&self, row: &str, span: Range<usize>) -> Unknown {
        let rows = self.rows.iter();
        let parts = rows.filter(|known| constraint_of(known) == row);
        let parts: Vec<&String> = parts.collect();
        let help = if let [first, ..] = parts.as_slice() {
            format!(
                "it has {} rows: write lambda({first}) and so on",
                parts.len()
            )
        } else {
            let labels = self.labels();
            let help = meant_or_known(&label(row), labels.iter().map(String::as_str));
            help.unwrap_or_else(|| "the model has no constraints".to_owned())
        };
        Unknown {
            span,
            message: format!("there is no row `{row}`"),
            help,
        }
    }

    /// A name of some length, the same whenever it is asked for.
    fn name(&mut self, label: &str, length: usize) -> String {
        let known = self
            .used
            .iter()
            .find(|(name, known)| known == label && name.len() == length);
        if let Some((name, _)) = known {
            return name.clone();
        }
        let mut serial = self.used.len();
        let name = loop {
            let name = format!("lambda{serial:0>width$}", width = length.saturating_sub(6));
            let is_used = self.used.iter().any(|(used, _)| *used == name);
            if self.taken.get(&name).is_none() && !is_used {
                break name;
            }
            serial += 1;
        };
        self.used.push((name.clone(), label.to_owned()));
        name
    }

    /// How the multipliers of all rows are written.
    pub(super) fn labels(&self) -> Vec<String> {
        self.rows.iter().map(|row| label(row)).collect()
    }

    /// How the parts of forces are written.
    pub(super) fn parts(&self) -> Vec<String> {
        let parts =
            |word: &'static str| self.axes.iter().map(move |axis| format!("{word}({axis})"));
        ideal::WORDS.into_iter().flat_map(parts).collect()
    }

    /// Makes the names known in a model.
    pub(super) fn declare(&self, model: &mut Model) {
        for (text, label) in &self.used {
            let (text, place) = (text.clone(), Place::Model);
            let value = Expression::given(label, "0");
            model
                .parameters
                .extend(value.ok().map(|value| (Name { text, place }, value)));
        }
    }

    /// Expressions of one graph in another; the names that stand for multipliers become these.
    pub(super) fn copy(&self, from: &Graph, outputs: &[ExprId], to: &mut Graph) -> Vec<ExprId> {
        let cone = Cone::new(from, outputs);
        let mut images: Vec<ExprId> = Vec::with_capacity(cone.len());
        let place = |id| cone.position(id).expect("operands are in the cone");
        for &id in cone.nodes() {
            let node = from.node(id);
            let image = match node {
                Node::Number(number) => to.number(from.number_value(number).clone()),
                Node::Pi => to.pi(),
                Node::Symbol(symbol) => {
                    let symbol = from.symbol_data(symbol);
                    match (symbol.kind, self.label(&symbol.name)) {
                        (SymbolKind::Parameter, Some(label)) => {
                            to.symbol(label, SymbolKind::Multiplier)
                        }
                        // reaction(wire) is the multiplier of a row.
                        (SymbolKind::Multiplier, _) => {
                            to.symbol(&label(&symbol.name), SymbolKind::Multiplier)
                        }
                        _ => to.derivative_symbol(&symbol.name, symbol.kind, symbol.order),
                    }
                }
                Node::Table(table, a) => to.table(from.table_function(table), images[place(a)]),
                Node::Unary(op, a) => to.unary(op, images[place(a)]),
                Node::Binary(op, a, b) => to.binary(op, images[place(a)], images[place(b)]),
            };
            images.push(image);
        }
        outputs.iter().map(|&id| images[place(id)]).collect()
    }

    /// The multiplier that a name stands for.
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        let (_, label) = self.used.iter().find(|(used, _)| used == name)?;
        Some(label)
    }
}
