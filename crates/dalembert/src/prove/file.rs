//! Files of equations: one a line, in the words of a model.
//!
//! ```text
//! # Blajer (6.11), second line
//! let mu = 2*m*J/(m*r^2 + 2*J)          a name for this file, used below or above
//! J*v5' = J*v4*(2*v6 - v5*tan(theta))   an equation
//! lambda(along) = mu*v5*v3              with the multiplier of a row
//! ```

use super::multipliers::{Multipliers, name_end};
use dalembert_expr::syntax::{Relation, parse_expression};
use dalembert_expr::{Cone, ExprId, Graph, Node, SymbolKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::{Diagnostic, Place, Severity};
use dalembert_mechanics::elaborate::{Elaborator, Names, Statement, Value};
use dalembert_mechanics::model::{Expression, Model, Name, Origin};
use std::ops::Range;

/// An equation as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The text, without comments.
    pub text: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// Bytes of the file.
    pub span: Range<usize>,
    /// Left and right side, by component.
    pub(super) sides: Vec<(ExprId, ExprId)>,
}

/// Equations about a model, in one graph with its system.
pub struct Equations {
    /// The system's graph, and the equations.
    pub(super) graph: Graph,
    /// In the order of the file.
    pub list: Vec<Equation>,
}

/// A line that is not empty: its text without comments, and where it stands.
struct Line<'t> {
    text: &'t str,
    number: usize,
    start: usize,
}

impl Line<'_> {
    fn refuse(&self, span: Range<usize>, code: &'static str, message: String, help: &str) -> Diagnostic {
        error(code, message, help, self.start + span.start..self.start + span.end)
    }

    fn whole(&self) -> Range<usize> {
        0..self.text.len()
    }
}

fn error(code: &'static str, message: String, help: &str, span: Range<usize>) -> Diagnostic {
    Diagnostic {
        code,
        severity: Severity::Error,
        message,
        help: Some(help.to_owned()).filter(|help| !help.is_empty()),
        place: Place::File(span),
    }
}

/// Reads a file of equations about a mechanism.
///
/// # Errors
/// Everything that is wrong with it, with places in `text`.
pub fn read_equations(mechanism: &Mechanism, text: &str) -> Result<Equations, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut model = mechanism.model.clone();
    let names = Names::of(&model);
    let mut multipliers = Multipliers::of(mechanism);
    let mut equations: Vec<(Line<'_>, Expression)> = Vec::new();
    let mut own_names: Vec<&str> = Vec::new();
    for line in lines(text) {
        match definition(&line) {
            None => match expression(&line, 0, &names, &mut multipliers) {
                Ok(found) => equations.push((line, found)),
                Err(errors) => diagnostics.extend(errors),
            },
            Some((name, at)) => {
                let known = names.get(name).is_some() || own_names.contains(&name);
                if let Some(refusal) = unsuitable(&line, name, known) {
                    diagnostics.push(refusal);
                    continue;
                }
                own_names.push(name);
                match expression(&line, at, &names, &mut multipliers) {
                    Ok(found) => {
                        let place = found.place(0..0);
                        let text = name.to_owned();
                        model.definitions.push((Name { text, place }, found));
                    }
                    Err(errors) => diagnostics.extend(errors),
                }
            }
        }
    }
    if equations.is_empty() && diagnostics.is_empty() {
        let message = "there is no equation in the file".to_owned();
        let help = "write one equation a line, such as m*x'' = -k*x";
        diagnostics.push(error("E0624", message, help, 0..text.len().min(1)));
    }
    multipliers.declare(&mut model);
    let mut scope = Elaborator::new(&model);
    let mut list = Vec::new();
    for (line, expression) in &equations {
        if let Some(sides) = sides(&mut scope, line, expression, &mut diagnostics) {
            list.push(Equation {
                text: line.text.to_owned(),
                line: line.number,
                span: line.start..line.start + line.text.len(),
                sides,
            });
        }
    }
    diagnostics.append(&mut scope.diagnostics);
    diagnostics.sort_by_key(|diagnostic| match &diagnostic.place {
        Place::File(span) => span.start,
        _ => 0,
    });
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut graph = mechanism.system.graph.clone();
    let outputs: Vec<ExprId> = list
        .iter()
        .flat_map(|equation| equation.sides.iter().flat_map(|&(a, b)| [a, b]))
        .collect();
    let mut moved = copy(&scope.graph, &outputs, &mut graph, &multipliers).into_iter();
    for (left, right) in list.iter_mut().flat_map(|equation| &mut equation.sides) {
        *left = moved.next().unwrap_or(*left);
        *right = moved.next().unwrap_or(*right);
    }
    Ok(Equations { graph, list })
}

/// Lines that say something.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').enumerate().filter_map(move |(index, line)| {
        let from = start;
        start += line.len();
        let said = line.split('#').next().unwrap_or_default();
        let blank = said.len() - said.trim_start().len();
        let text = said.trim();
        (!text.is_empty()).then_some(Line {
            text,
            number: index + 1,
            start: from + blank,
        })
    })
}

/// `let NAME = …`: the name, and where its expression starts.
fn definition<'t>(line: &Line<'t>) -> Option<(&'t str, usize)> {
    let rest = line.text.strip_prefix("let")?;
    let blanks = rest.len() - rest.trim_start().len();
    if blanks == 0 {
        return None;
    }
    let (name, value) = rest.split_once('=')?;
    let skipped = value.len() - value.trim_start().len();
    Some((name.trim(), line.text.len() - value.len() + skipped))
}

/// Why a name cannot be a name of this file.
fn unsuitable(line: &Line<'_>, name: &str, known: bool) -> Option<Diagnostic> {
    let at = line.text.find(name).filter(|_| !name.is_empty()).unwrap_or(0);
    let span = at..at + name.len().max(1);
    if name_end(name) != name.len() || name.is_empty() {
        let message = format!("`{name}` is not a name");
        let help = "write let NAME = …, with letters, digits and underscores";
        return Some(line.refuse(span, "E0625", message, help));
    }
    let taken = known || ["t", "pi", "ground", "lambda"].contains(&name);
    taken.then(|| {
        let message = format!("`{name}` has a meaning already");
        line.refuse(span, "E0625", message, "choose another name")
    })
}

/// The expression of a line from byte `at` on, with its place in the file.
fn expression(
    line: &Line<'_>,
    at: usize,
    names: &Names,
    multipliers: &mut Multipliers,
) -> Result<Expression, Vec<Diagnostic>> {
    let text = &line.text[at..];
    let start = line.start + at;
    let shown = |error: super::multipliers::Unknown| {
        let span = start + error.span.start..start + error.span.end;
        self::error("E0620", error.message, &error.help, span)
    };
    let read = match names.get("lambda") {
        None => multipliers
            .named(text)
            .map_err(|errors| errors.into_iter().map(shown).collect::<Vec<_>>())?,
        Some(_) => text.to_owned(),
    };
    let place = |span: Range<usize>| Place::File(start + span.start..start + span.end);
    let tree = parse_expression(&read).map_err(|errors| {
        let errors = errors.into_iter();
        let convert = errors.map(|error| Diagnostic {
            code: error.code,
            severity: Severity::Error,
            message: error.message,
            help: error.help,
            place: place(error.span.range()),
        });
        convert.collect::<Vec<_>>()
    })?;
    Ok(Expression {
        text: text.to_owned(),
        tree,
        origin: Origin::File(vec![(0, start)]),
    })
}

/// Both sides of an equation, by component.
fn sides(
    scope: &mut Elaborator<'_>,
    line: &Line<'_>,
    expression: &Expression,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<(ExprId, ExprId)>> {
    let (left, right) = match scope.statement(expression)? {
        Statement::Relation {
            relation: Relation::Equal,
            left,
            right,
        } => (left, right),
        found => {
            let (message, help) = match found {
                Statement::Value(_) => ("an equation is needed here", "write … = …"),
                Statement::Relation { .. } => (
                    "a comparison cannot be proved",
                    "write = between the two sides",
                ),
            };
            diagnostics.push(line.refuse(line.whole(), "E0621", message.to_owned(), help));
            return None;
        }
    };
    let plain = |value| match value {
        Value::Point { position, .. } => Value::Vector(position),
        other => other,
    };
    let zero = scope.graph.integer(0);
    let pairs: Vec<(ExprId, ExprId)> = match (plain(left), plain(right)) {
        (Value::Scalar(a), Value::Scalar(b)) => vec![(a, b)],
        (Value::Vector(a), Value::Vector(b)) => a.into_iter().zip(b).collect(),
        (Value::Vector(a), Value::Scalar(b)) if b == zero => a.map(|a| (a, zero)).to_vec(),
        (Value::Scalar(a), Value::Vector(b)) if a == zero => b.map(|b| (zero, b)).to_vec(),
        (left, right) => {
            let message = format!("the sides are {} and {}", left.kind(), right.kind());
            let help = "both sides are numbers, or both are vectors";
            diagnostics.push(line.refuse(line.whole(), "E0622", message, help));
            return None;
        }
    };
    let all: Vec<ExprId> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let symbols = Cone::new(&scope.graph, &all).symbols(&scope.graph);
    if symbols
        .into_iter()
        .any(|symbol| scope.graph.symbol_data(symbol).order > 2)
    {
        let message = "the equation holds a third derivative".to_owned();
        let help = "the motion determines coordinates, rates, accelerations and multipliers";
        diagnostics.push(line.refuse(line.whole(), "E0623", message, help));
        return None;
    }
    Some(pairs)
}

/// Expressions of one graph in another; the names that stand for multipliers become these.
fn copy(from: &Graph, outputs: &[ExprId], to: &mut Graph, multipliers: &Multipliers) -> Vec<ExprId> {
    let cone = Cone::new(from, outputs);
    let mut images: Vec<ExprId> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let node = from.node(id);
        let image = match node {
            Node::Number(number) => to.number(from.number_value(number).clone()),
            Node::Pi => to.pi(),
            Node::Symbol(symbol) => {
                let symbol = from.symbol_data(symbol);
                match multipliers.label(&symbol.name) {
                    Some(label) if symbol.kind == SymbolKind::Parameter => {
                        to.symbol(label, SymbolKind::Multiplier)
                    }
                    _ => to.derivative_symbol(&symbol.name, symbol.kind, symbol.order),
                }
            }
            Node::Unary(op, a) => to.unary(op, images[cone.place(a)]),
            Node::Binary(op, a, b) => to.binary(op, images[cone.place(a)], images[cone.place(b)]),
        };
        images.push(image);
    }
    outputs.iter().map(|&id| images[cone.place(id)]).collect()
}
