//! Files of equations: one a line, in the words of a model.
//!
//! ```text
//! # Blajer (6.11), second line
//! let mu = 2*m*J/(m*r^2 + 2*J)          a name for this file, used below or above
//! J*v5' = J*v4*(2*v6 - v5*tan(theta))   an equation
//! lambda(along) = mu*v5*v3              with the multiplier of a row
//! F_ideal(x) = -m*x''                   what ideal constraints would exert along a coordinate or a speed; F_nonideal(x): the rest
//! direction v1 = -r, v6 = 1             a direction the constraints allow, in coordinates or in speeds
//! conserved: p_phi                      constant along every motion
//! holonomic: contact.2 = z - r*cos(theta)     what a row keeps constant on its own
//! ```

use super::constant::{Constant, Momenta};
use super::direction::{Direction, along_rows};
use super::ideal;
use super::lambda::{Multipliers, Unknown, name_end};
use super::program::{Stated, statements};
use dalembert_expr::syntax::{
    ExpressionError, FromSympy, Relation, SympyNames, from_sympy, meant_or_known, parse_expression,
};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind, substitute};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::elaborate::{Elaborator, Names, Need, Statement, Value};
use dalembert_mechanics::model::{Expression, Model, Name, Origin, constraint_of};
use dalembert_symbolic::law_symbols::label;
use std::ops::Range;

/// What equations are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The language of models.
    #[default]
    Model,
    /// What SymPy prints: `Eq(left, right)`, or an expression that vanishes; or a program of such, as `derive` writes it.
    Sympy,
}

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
    /// What it needs to have a value, as it is written.
    pub(super) needs: Vec<Need>,
}

/// Equations about a model, in one graph with its system.
pub struct Equations {
    /// The system's graph, and the equations.
    pub(super) graph: Graph,
    /// In the order of the file.
    pub list: Vec<Equation>,
    /// What is wrong with the lines that are not among them.
    pub refused: Vec<Diagnostic>,
}

/// A line that is not empty: its text without comments, and where it stands.
pub(super) struct Line<'t> {
    pub(super) text: &'t str,
    number: usize,
    pub(super) start: usize,
}

/// Reads the expressions of one file.
struct LineReader {
    language: Language,
    names: Names,
    multipliers: Multipliers,
    /// How names are spelled in SymPy.
    spelled: SympyNames,
}

/// What the lines of a file say.
#[derive(Default)]
struct Told<'t> {
    claims: Vec<(Line<'t>, Claim)>,
    /// Names that the file defines.
    own_names: Vec<&'t str>,
    /// Names whose value was refused: that is told once.
    unread: Vec<&'t str>,
    diagnostics: Vec<Diagnostic>,
}

/// A line, with the name that it defines and where its value begins.
type Said<'t> = (Line<'t>, Option<(&'t str, usize)>);

/// An equation, and the claim that it is of: of a direction it has components so far, of what is constant its value.
type Read<'d> = (Equation, &'d Claim);

/// What a line claims.
enum Claim {
    Equation(Expression),
    Direction(Direction),
    Constant(Constant),
}

impl Line<'_> {
    pub(super) fn refuse(
        &self,
        span: Range<usize>,
        code: &'static str,
        message: String,
        help: &str,
    ) -> Diagnostic {
        let span = self.start + span.start..self.start + span.end;
        error(code, message, help, span)
    }

    pub(super) fn whole(&self) -> Range<usize> {
        0..self.text.len()
    }
}

fn error(code: &'static str, message: String, help: &str, span: Range<usize>) -> Diagnostic {
    Diagnostic::error(code, Place::File(span), message, help)
}

/// Reads a file of equations about a mechanism. A line that cannot be read does not keep the others from being judged.
///
/// # Errors
/// Everything that is wrong with it, with places in `text`, if no equation is left.
pub fn read_equations(
    mechanism: &Mechanism,
    text: &str,
    language: Language,
) -> Result<Equations, Vec<Diagnostic>> {
    read_equations_at_start((mechanism, mechanism), text, language)
}

/// The same about the rows that hold at the start, and the whole mechanism that they are of, with its events and contacts.
///
/// # Errors
/// See there.
pub fn read_equations_at_start(
    (mechanism, whole): (&Mechanism, &Mechanism),
    text: &str,
    language: Language,
) -> Result<Equations, Vec<Diagnostic>> {
    let mut model = mechanism.model.clone();
    let mut reader = LineReader {
        language,
        names: Names::of(&model),
        multipliers: Multipliers::of(mechanism),
        spelled: SympyNames::default(),
    };
    let Told {
        claims,
        mut own_names,
        unread,
        mut diagnostics,
    } = reader.told(mechanism, text, &mut model);
    if claims.is_empty() && diagnostics.is_empty() {
        let message = "there is no equation in the file".to_owned();
        let help = "write one equation a line, such as m*x'' = -k*x";
        diagnostics.push(error("E0624", message, help, 0..text.len().min(1)));
    }
    reader.multipliers.declare(&mut model);
    let momenta = Momenta::of(mechanism, &reader.names, &own_names);
    momenta.declare(&mut model);
    let rows = &reader.multipliers.rows;
    let mut scope = Elaborator::new(&model);
    let mut list = Vec::new();
    for (line, claim) in &claims {
        scope.take_needs();
        let sides = match claim {
            Claim::Equation(expression) => {
                let found = sides(&mut scope, line, expression, (language, rows));
                found.map_err(|error| diagnostics.extend(error)).ok()
            }
            Claim::Direction(direction) => direction.components(&mut scope),
            Claim::Constant(constant) => constant.sides(&mut scope),
        };
        if let Some(sides) = sides {
            let equation = Equation {
                text: line.text.to_owned(),
                line: line.number,
                span: line.start..line.start + line.text.len(),
                sides,
                needs: scope.take_needs(),
            };
            list.push((equation, claim));
        }
    }
    diagnostics.append(&mut scope.diagnostics);
    own_names.extend(reader.names.all());
    for diagnostic in &mut diagnostics {
        help_with_name(
            diagnostic,
            mechanism,
            &reader.multipliers.labels(),
            &own_names,
        );
    }
    diagnostics.retain(|it| !unknown_name(it).is_some_and(|name| unread.contains(&name)));
    let from = (&scope.graph, &reader.multipliers, &momenta);
    let mut equations = match list.is_empty() {
        true => Err(Vec::new()),
        false => about_system((mechanism, whole), (list, from), text.len()),
    };
    let found = match &mut equations {
        Ok(equations) => &mut equations.refused,
        Err(errors) => errors,
    };
    found.append(&mut diagnostics);
    found.sort_by_key(|diagnostic| match &diagnostic.place {
        Place::File(span) => span.start,
        _ => 0,
    });
    equations
}

/// Equations moved from the graph they were read in to that of the system, in its symbols; the file has so many bytes.
fn about_system(
    (mechanism, whole): (&Mechanism, &Mechanism),
    (read, (from, multipliers, momenta)): (Vec<Read<'_>>, (&Graph, &Multipliers, &Momenta)),
    length: usize,
) -> Result<Equations, Vec<Diagnostic>> {
    let mut graph = mechanism.system.graph.clone();
    let mut outputs: Vec<ExprId> = Vec::new();
    for (equation, _) in &read {
        outputs.extend(equation.sides.iter().flat_map(|&(a, b)| [a, b]));
        outputs.extend(equation.needs.iter().map(|need| need.about()));
    }
    let moved = multipliers.copy(from, &outputs, &mut graph);
    let used = Cone::new(&graph, &moved).symbols(&graph);
    let mut parts = momenta.meanings(&mut graph, mechanism, &used);
    let forces = ideal::meanings(&mut graph, mechanism, &used).map_err(|outside| {
        let message = format!("F_ideal and F_nonideal were not found in symbols: {outside}");
        let help = "write the forces of the constraints in multipliers";
        vec![error("E0620", message, help, 0..length.min(1))]
    })?;
    parts.extend(forces);
    let mut moved = substitute(&mut graph, &moved, &parts).into_iter();
    let mut next = |id: ExprId| moved.next().unwrap_or(id);
    let (mut list, mut refused) = (Vec::new(), Vec::new());
    for (mut equation, claim) in read {
        for (left, right) in &mut equation.sides {
            (*left, *right) = (next(*left), next(*right));
        }
        for need in &mut equation.needs {
            *need = need.of(next(need.about()));
        }
        let (code, sides) = match claim {
            Claim::Equation(_) => {
                list.push(equation);
                continue;
            }
            Claim::Direction(direction) => (
                "E0627",
                along_rows(&mut graph, mechanism, direction, &equation.sides),
            ),
            Claim::Constant(constant) => (
                "E0621",
                constant.equations(&mut graph, (mechanism, whole), equation.sides[0].0),
            ),
        };
        match sides {
            Ok(sides) => {
                equation.sides = sides;
                list.push(equation);
            }
            Err(message) => refused.push(error(code, message, "", equation.span)),
        }
    }
    match list.is_empty() {
        true => Err(refused),
        false => Ok(Equations {
            graph,
            list,
            refused,
        }),
    }
}

/// The name that a mistake says to be unknown.
fn unknown_name(diagnostic: &Diagnostic) -> Option<&str> {
    let name = diagnostic.message.strip_prefix("unknown name `")?;
    name.strip_suffix('`')
}

/// Tells what a name of the model is that stands for no value, or which names there are.
fn help_with_name(
    diagnostic: &mut Diagnostic,
    mechanism: &Mechanism,
    labels: &[String],
    names: &[&str],
) {
    let Some(name) = unknown_name(diagnostic) else {
        return;
    };
    let model = &mechanism.model;
    let mut forces = model.forces.iter().map(|force| &force.name.text);
    let mut springs = model.springs.iter().map(|spring| &spring.name.text);
    let mut constraints = model.constraints.iter().map(|it| &it.name.text);
    let is_own = |label: &&String| {
        let row = label.trim_start_matches("lambda(").trim_end_matches(')');
        constraint_of(row) == name
    };
    let help = if constraints.any(|known| known == name) {
        let own: Vec<&str> = labels.iter().filter(is_own).map(String::as_str).collect();
        format!("`{name}` is a constraint: write {}", own.join(", "))
    } else if forces.any(|known| known == name) || springs.any(|known| known == name) {
        format!(
            "`{name}` is a force of the model: write its components in coordinates and parameters"
        )
    } else if diagnostic.help.is_some() {
        // The names that stand for multipliers are not the user's.
        let known = names.iter().copied();
        let known = known.chain(labels.iter().map(String::as_str));
        meant_or_known(name, known).unwrap_or_default()
    } else {
        return;
    };
    diagnostic.help = Some(help);
}

/// Lines that say something.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .enumerate()
        .filter_map(move |(index, line)| {
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
    let at = line
        .text
        .find(name)
        .filter(|_| !name.is_empty())
        .unwrap_or(0);
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

impl LineReader {
    /// Reads a file line by line; what it defines is added to the model.
    fn told<'t>(&mut self, mechanism: &Mechanism, text: &'t str, model: &mut Model) -> Told<'t> {
        let mut told = Told::default();
        let said: Vec<Said<'_>> = match self.language {
            Language::Model => lines(text)
                .map(|line| {
                    let definition = definition(&line);
                    (line, definition)
                })
                .collect(),
            Language::Sympy => self.statements(text),
        };
        for (line, definition) in said {
            let Some((name, at)) = definition else {
                let mut read = |at: Range<usize>| self.expression(&line, at);
                let constant = Constant::read(&line, mechanism, &mut read);
                let claim = match Direction::read(&line, &mechanism.model, &mut read) {
                    Some(direction) => direction.map(Claim::Direction),
                    None => match constant {
                        Some(constant) => constant.map(Claim::Constant),
                        None => read(line.whole()).map(Claim::Equation),
                    },
                };
                match claim {
                    Ok(claim) => told.claims.push((line, claim)),
                    Err(errors) => told.diagnostics.extend(errors),
                }
                continue;
            };
            let known = self.names.get(name).is_some() || told.own_names.contains(&name);
            if let Some(refusal) = unsuitable(&line, name, known) {
                told.diagnostics.push(refusal);
                told.unread.push(name);
                continue;
            }
            told.own_names.push(name);
            match self.expression(&line, at..line.text.len()) {
                Ok(found) => {
                    let (text, place) = (name.to_owned(), found.place(0..0));
                    model.definitions.push((Name { text, place }, found));
                }
                Err(errors) => {
                    told.diagnostics.extend(errors);
                    told.unread.push(name);
                }
            }
        }
        told
    }

    /// The statements of a text of SymPy, in which names are spelled as it says.
    fn statements<'t>(&mut self, text: &'t str) -> Vec<Said<'t>> {
        self.names.all().for_each(|name| self.spelled.add(name));
        let labels = self.multipliers.labels().into_iter();
        labels
            .chain(self.multipliers.parts())
            .for_each(|label| self.spelled.add(&label));
        let (mut counted, mut number) = (0, 1);
        let mut line = |whole: Range<usize>| {
            number += text[counted..whole.start].matches('\n').count();
            counted = whole.start;
            Line {
                text: &text[whole.clone()],
                number,
                start: whole.start,
            }
        };
        let mut said = Vec::new();
        for stated in statements(text) {
            match stated {
                Stated::Equation(whole) => said.push((line(whole), None)),
                Stated::Definition(name, value) => {
                    let known = &text[name.clone()];
                    self.spelled.spell(known, known);
                    let at = value.start - name.start;
                    said.push((line(name.start..value.end), Some((known, at))));
                }
                Stated::Spelling(identifier, name) => {
                    // What the model has not stays unknown under its own name.
                    self.spelled.spell(&identifier, &name);
                }
            }
        }
        said
    }

    /// The expression in some bytes of a line, with its place in the file.
    fn expression(
        &mut self,
        line: &Line<'_>,
        at: Range<usize>,
    ) -> Result<Expression, Vec<Diagnostic>> {
        let start = line.start + at.start;
        let source = &line.text[at];
        let read = match self.language {
            Language::Model => FromSympy {
                text: source.to_owned(),
                places: vec![(0, 0)],
                functions: Vec::new(),
            },
            Language::Sympy => from_sympy(source, &self.spelled)
                .map_err(|errors| located(errors, |offset| start + offset))?,
        };
        let place = |offset: usize| start + read.origin(offset);
        let shown = |error: Unknown| {
            let span = place(error.span.start)..place(error.span.end);
            self::error("E0620", error.message, &error.help, span)
        };
        let named = match self.names.get("lambda") {
            None => self
                .multipliers
                .named(&read.text)
                .map_err(|errors| errors.into_iter().map(shown).collect::<Vec<_>>())?,
            Some(_) => read.text.clone(),
        };
        let tree = parse_expression(&named).map_err(|errors| located(errors, place))?;
        let pieces = read.places.iter();
        let pieces = pieces
            .map(|&(text, source)| (text, start + source))
            .collect();
        Ok(Expression {
            text: read.text,
            tree,
            origin: Origin::File(pieces),
        })
    }
}

/// Mistakes in an expression, with their places in the file.
fn located(errors: Vec<ExpressionError>, place: impl Fn(usize) -> usize) -> Vec<Diagnostic> {
    let convert = |error: ExpressionError| {
        let span = error.span.range();
        let span = place(span.start)..place(span.end).max(place(span.start));
        self::error(
            error.code,
            error.message,
            &error.help.unwrap_or_default(),
            span,
        )
    };
    errors.into_iter().map(convert).collect()
}

/// Both sides of an equation, by component; nothing to say where the scope has refused it.
fn sides(
    scope: &mut Elaborator<'_>,
    line: &Line<'_>,
    expression: &Expression,
    (language, rows): (Language, &[String]),
) -> Result<Vec<(ExprId, ExprId)>, Option<Diagnostic>> {
    let refuse =
        |code, message: String, help| Err(Some(line.refuse(line.whole(), code, message, help)));
    let zero = scope.graph.integer(0);
    let (left, right) = match scope
        .in_law(|scope| scope.statement(expression))
        .ok_or(None)?
    {
        Statement::Relation {
            relation: Relation::Equal,
            left,
            right,
        } => (left, right),
        Statement::Value(value) if language == Language::Sympy => (value, Value::Scalar(zero)),
        Statement::Value(_) => {
            return refuse(
                "E0621",
                "an equation is needed here".to_owned(),
                "write … = …",
            );
        }
        Statement::Relation { .. } | Statement::Condition(_) => {
            let message = "a comparison cannot be proved".to_owned();
            return refuse("E0621", message, "write = between the two sides");
        }
    };
    let plain = |value| match value {
        Value::Point { position, .. } => Value::Vector(position),
        other => other,
    };
    let pairs: Vec<(ExprId, ExprId)> = match (plain(left), plain(right)) {
        (Value::Scalar(a), Value::Scalar(b)) => vec![(a, b)],
        (Value::Vector(a), Value::Vector(b)) => a.into_iter().zip(b).collect(),
        (Value::Vector(a), Value::Scalar(b)) if b == zero => a.map(|a| (a, zero)).to_vec(),
        (Value::Scalar(a), Value::Vector(b)) if a == zero => b.map(|b| (zero, b)).to_vec(),
        (left, right) => {
            let message = format!("the sides are {} and {}", left.kind(), right.kind());
            return refuse(
                "E0622",
                message,
                "both sides are numbers, or both are vectors",
            );
        }
    };
    let all: Vec<ExprId> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let symbols = Cone::new(&scope.graph, &all).symbols(&scope.graph);
    let data = |symbol: &SymbolId| scope.graph.symbol_data(*symbol);
    let is_row = |name: &str| rows.iter().any(|row| row == name);
    if symbols
        .iter()
        .map(data)
        .any(|symbol| symbol.kind == SymbolKind::Multiplier && !is_row(&symbol.name))
    {
        let message = "only reactions of single rows are known to equations".to_owned();
        let known: Vec<String> = rows.iter().take(6).map(|row| label(row)).collect();
        let help = format!("write them in multipliers: {}", known.join(", "));
        return refuse("E0620", message, &help);
    }
    if symbols.iter().map(data).any(|symbol| symbol.order > 2) {
        let message = "the equation holds a third derivative".to_owned();
        let help = "the motion determines coordinates, rates, accelerations and multipliers";
        return refuse("E0623", message, help);
    }
    Ok(pairs)
}
