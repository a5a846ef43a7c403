//! From the syntax tree to the graph, for scalar expressions.
//!
//! The tree lists children before parents, so this is one loop. A name becomes an expression only
//! where it is used as one: in `link.x` the name `link` is but the beginning of another.

use super::error::{Errors, ExpressionError, MAX_ERRORS, codes, quoted};
use super::foreign::{MAX_REPEATED, angle_unit, function_cure, is_name, is_unit_name};
use super::function::Function;
use super::suggest::{meant_or_known, nearest};
use super::tree::{Argument, Kind, NodeId, Sign, Span, Tree, UnitFactor, Word};
use crate::graph::{ExprId, Graph};
use crate::rational::Rational;

/// Longest list of units that a message repeats.
const MAX_LISTED: usize = 8;

/// What the names and units mean where an expression stands.
pub trait Scope {
    /// The expression `name` stands for, with so many primes. Members come with their dot: `link.x`.
    ///
    /// # Errors
    /// The name is not known, or has no time derivative.
    fn name(&mut self, graph: &mut Graph, name: &str, primes: u8) -> Result<ExprId, Unresolved>;

    /// One of this unit in SI units; `None` if it is not a unit.
    fn unit(&mut self, graph: &mut Graph, name: &str) -> Option<ExprId>;

    /// How to write a name that is not known, if this scope can tell better than by likeness.
    fn cure(&self, _name: &str) -> Option<String> {
        None
    }

    /// All names and all units, to suggest one in place of an unknown one.
    fn known(&self) -> (Vec<String>, Vec<String>);
}

/// Why a name has no expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// There is no such name.
    Unknown,
    /// The name is known, but nothing it stands for moves.
    NoDerivative,
}

/// Brings a tree of scalars into the graph.
///
/// # Errors
/// Everything in the tree that has no scalar meaning, in the order of the text, at most twenty; and an equation or
/// comparison, where only a value makes sense.
pub fn elaborate_value(
    graph: &mut Graph,
    source: &str,
    tree: &Tree,
    scope: &mut dyn Scope,
) -> Result<ExprId, Vec<ExpressionError>> {
    let (value, mut errors) = elaborate(graph, source, tree, scope);
    if errors.is_empty() {
        let help = "write one of its sides, or their difference";
        let message = "a value is needed here, not an equation or comparison";
        let span = tree[tree.root()].span;
        match value {
            Some(value) => return Ok(value),
            None => errors.report(codes::UNWANTED_RELATION, span, message, help),
        }
    }
    Err(errors.sorted())
}

/// The value of a tree, unless it is an equation or comparison, and the mistakes in it.
fn elaborate(
    graph: &mut Graph,
    source: &str,
    tree: &Tree,
    scope: &mut dyn Scope,
) -> (Option<ExprId>, Errors) {
    let mut work = Elaboration {
        graph,
        source,
        tree,
        scope,
        errors: Errors::default(),
        values: Vec::new(),
    };
    (work.run(), work.errors)
}

/// Adds to the mistakes of form in a text those of meaning that its repaired tree shows.
///
/// What overlaps a mistake of form is left out, and so are numbers of arguments: they may be
/// consequences of the repair. In the order of the text, at most twenty.
pub fn further_mistakes(
    graph: &mut Graph,
    source: &str,
    tree: &Tree,
    scope: &mut dyn Scope,
    form: Vec<ExpressionError>,
) -> Vec<ExpressionError> {
    let (_, meaning) = elaborate(graph, source, tree, scope);
    let overlap = |a: Span, b: Span| a.start < b.end.max(b.start + 1) && b.start < a.end;
    let mut all = form;
    let form_count = all.len();
    for error in meaning.sorted() {
        let broken = all[..form_count]
            .iter()
            .any(|form| overlap(error.span, form.span));
        if !broken && error.code != codes::ARGUMENT_COUNT && all.len() < MAX_ERRORS {
            all.push(error);
        }
    }
    all.sort_by_key(|error| error.span);
    all
}

/// What a node of the tree has become.
enum Value {
    Scalar(ExprId),
    /// A name that may yet be the beginning of a longer one.
    Path {
        name: String,
        primes: u8,
    },
    /// Something that is no number, in words.
    Other(&'static str),
    /// A mistake that has been reported, or a value that has been used.
    Nothing,
}

struct Elaboration<'a> {
    graph: &'a mut Graph,
    source: &'a str,
    tree: &'a Tree,
    scope: &'a mut dyn Scope,
    errors: Errors,
    /// Parallel to the nodes of the tree.
    values: Vec<Value>,
}

impl Elaboration<'_> {
    /// `None` where something was reported, and for an equation or comparison.
    fn run(&mut self) -> Option<ExprId> {
        let tree = self.tree;
        for node in tree.nodes() {
            let value = match &node.kind {
                Kind::Number(n) => Value::Scalar(self.graph.number(n.clone())),
                Kind::Quantity { number, unit } => self.quantity(number, unit, node.span),
                Kind::Name { name, primes } => Value::Path {
                    name: name.to_string(),
                    primes: *primes,
                },
                Kind::Text(_) => Value::Other("a text"),
                Kind::Signed { sign, operand } => {
                    let operand = self.scalar(*operand);
                    Value::of(operand.map(|x| match sign {
                        Sign::Plus => x,
                        Sign::Minus => self.graph.neg(x),
                    }))
                }
                Kind::Binary { op, left, right } => {
                    let sides = (self.scalar(*left), self.scalar(*right));
                    Value::of(match sides {
                        (Some(left), Some(right)) => {
                            Some(self.graph.binary((*op).into(), left, right))
                        }
                        _ => None,
                    })
                }
                Kind::Vector(elements) => {
                    elements.iter().for_each(|&element| self.settle(element));
                    Value::Other("a vector")
                }
                Kind::Call {
                    function,
                    arguments,
                } => Value::of(self.call(function, arguments)),
                Kind::Member { of, name, primes } => self.member(*of, name, *primes, node.span),
                Kind::Sequence(items) => {
                    self.sequence(items, node.span);
                    Value::Nothing
                }
                Kind::Relation { left, right, .. } => {
                    self.scalar(*left);
                    self.scalar(*right);
                    Value::Nothing
                }
            };
            self.values.push(value);
        }
        self.scalar(tree.root())
    }

    /// The number a node stands for; reports what is in the way.
    fn scalar(&mut self, id: NodeId) -> Option<ExprId> {
        let span = self.tree[id].span;
        match std::mem::replace(&mut self.values[id.index()], Value::Nothing) {
            Value::Scalar(value) => Some(value),
            Value::Nothing => None,
            Value::Other(what) => {
                let message = format!("{what} stands where a number is needed");
                self.errors.report(
                    codes::NOT_A_NUMBER,
                    span,
                    message,
                    "write a number or a formula",
                );
                None
            }
            Value::Path { name, primes } => self.resolve(&name, primes, span),
        }
    }

    /// Reports what is wrong inside a value that is not used as a number.
    fn settle(&mut self, id: NodeId) {
        if let Value::Path { .. } = self.values[id.index()] {
            self.scalar(id);
        }
    }

    fn resolve(&mut self, name: &str, primes: u8, span: Span) -> Option<ExprId> {
        let written = quoted(span.text(self.source));
        match self.scope.name(self.graph, name, primes) {
            Ok(value) => return Some(value),
            Err(Unresolved::NoDerivative) => {
                let message = format!("{written}: {} does not depend on time", quoted(name));
                let help = "write the name without a prime";
                self.errors
                    .report(codes::NO_DERIVATIVE, span, message, help);
            }
            Err(Unresolved::Unknown) => {
                let (names, _) = self.scope.known();
                let help = if let Some(cure) = self.scope.cure(name) {
                    cure
                } else if let Some(function) = Function::named(name) {
                    format!(
                        "{name} is a function: write {name}({})",
                        function.arguments().join(", ")
                    )
                } else {
                    meant_or_known(name, names.iter().map(String::as_str)).unwrap_or_default()
                };
                let message = format!("unknown name {}", quoted(name));
                self.errors.report(codes::UNKNOWN_NAME, span, message, help);
            }
        }
        None
    }

    /// A number with its unit, in SI units.
    fn quantity(&mut self, number: &Rational, unit: &[UnitFactor], span: Span) -> Value {
        let mut value = self.graph.number(number.clone());
        let mut complete = true;
        for factor in unit {
            if factor.power != 1 && matches!(&*factor.name.text, "deg" | "rad") && unit.len() == 1 {
                self.angle_power(&factor.name, span);
                return Value::Nothing;
            }
            match self.scope.unit(self.graph, &factor.name.text) {
                Some(one) => {
                    let power = self.graph.powi(one, i64::from(factor.power));
                    value = self.graph.mul(value, power);
                }
                None => {
                    self.unknown_unit(&factor.name, span, unit.len() == 1);
                    complete = false;
                }
            }
        }
        Value::of(complete.then_some(value))
    }

    fn angle_power(&mut self, name: &Word, whole: Span) {
        let text = whole.text(self.source);
        let written = Span {
            start: name.span.start,
            end: whole.end,
        };
        let help = match text.split_once('^') {
            Some((angle, power)) if text.len() <= MAX_REPEATED => {
                format!("write ({})^{}", angle.trim(), power.trim())
            }
            _ => "put the angle in parentheses".to_owned(),
        };
        let message = format!("{} is not a unit", quoted(written.text(self.source)));
        self.errors
            .report(codes::UNKNOWN_UNIT, name.span, message, help);
    }

    fn unknown_unit(&mut self, name: &Word, whole: Span, alone: bool) {
        let (names, units) = self.scope.known();
        let before = Span {
            start: whole.start,
            end: name.span.start,
        };
        let number = before.text(self.source).trim();
        let multiply = if alone {
            format!("to multiply, write {number}*{}", name.text)
        } else {
            "to multiply with a name, write * after the number".to_owned()
        };
        let angle = angle_unit(&name.text).filter(|unit| units.iter().any(|known| known == unit));
        let few = units.len() <= MAX_LISTED;
        let help = if let Some(angle) = angle {
            format!("write {number} {angle}")
        } else if few && is_unit_name(&name.text) {
            let units = units.join(" and ");
            format!("only {units} are units here: write the number alone; {multiply}")
        } else if names.iter().any(|known| **known == *name.text) {
            multiply
        } else {
            match did_you_mean(&name.text, &units) {
                Some(suggestion) => suggestion,
                None if !few => multiply,
                None => format!("the units are {}; {multiply}", units.join(", ")),
            }
        };
        let message = format!("{} is not a unit", quoted(&name.text));
        self.errors
            .report(codes::UNKNOWN_UNIT, name.span, message, help);
    }

    fn call(&mut self, function: &Word, arguments: &[Argument]) -> Option<ExprId> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            if let Some(name) = &argument.name {
                let message = format!(
                    "{} has no argument {}",
                    quoted(&function.text),
                    quoted(&name.text)
                );
                let help = "write the value alone";
                self.errors
                    .report(codes::NAMED_ARGUMENT, name.span, message, help);
            }
            values.push(self.scalar(argument.value));
        }
        let Some(known) = Function::named(&function.text) else {
            self.unknown_function(function, arguments);
            return None;
        };
        let wanted = known.arguments();
        if wanted.len() != arguments.len() {
            let form = format!("{}({})", function.text, wanted.join(", "));
            let message = format!(
                "{} takes {}, not {}",
                quoted(&function.text),
                count(wanted.len()),
                arguments.len()
            );
            self.errors.report(
                codes::ARGUMENT_COUNT,
                function.span,
                message,
                format!("write {form}"),
            );
            return None;
        }
        let values: Option<Vec<ExprId>> = values.into_iter().collect();
        known.apply(self.graph, &values?)
    }

    fn unknown_function(&mut self, function: &Word, arguments: &[Argument]) {
        let (names, _) = self.scope.known();
        let (source, tree) = (self.source, self.tree);
        let texts: Vec<&str> = arguments
            .iter()
            .take(2)
            .map(|argument| tree[argument.value].span.text(source))
            .collect();
        let name = &*function.text;
        let help = if let Some(cure) = function_cure(name, &texts) {
            cure
        } else if texts == ["t"] && arguments.len() == 1 && name.len() <= MAX_REPEATED {
            format!(
                "write {name} for the function and {name}' for its derivative; \
                 to multiply, write {name}*t"
            )
        } else if names.iter().any(|name| **name == *function.text) {
            format!("to multiply, write {}*(…)", function.text)
        } else {
            let functions: Vec<String> = Function::all().map(|f| f.name().to_owned()).collect();
            did_you_mean(&function.text, &functions)
                .unwrap_or_else(|| format!("the functions are {}", functions.join(" ")))
        };
        let message = format!("unknown function {}", quoted(&function.text));
        self.errors
            .report(codes::UNKNOWN_FUNCTION, function.span, message, help);
    }

    fn member(&mut self, of: NodeId, name: &Word, primes: u8, span: Span) -> Value {
        match std::mem::replace(&mut self.values[of.index()], Value::Nothing) {
            Value::Path {
                name: mut path,
                primes: 0,
            } => {
                path.push('.');
                path.push_str(&name.text);
                Value::Path { name: path, primes }
            }
            Value::Nothing => Value::Nothing,
            _ => {
                let message = format!(
                    "{} has no member {}",
                    quoted(self.tree[of].span.text(self.source)),
                    quoted(&name.text)
                );
                self.errors.report(
                    codes::NOT_A_NUMBER,
                    span,
                    message,
                    "only names have members",
                );
                Value::Nothing
            }
        }
    }

    fn sequence(&mut self, items: &[NodeId], span: Span) {
        let texts: Vec<&str> = items
            .iter()
            .map(|&item| self.tree[item].span.text(self.source))
            .collect();
        let cure = match texts.as_slice() {
            [name, "dot"] if is_name(name) => format!("{name}'"),
            [name, "ddot"] if is_name(name) => format!("{name}''"),
            [function, argument] if Function::named(function).is_some() => {
                format!("{function}({argument})")
            }
            texts => texts.join("*"),
        };
        let help = if cure.len() <= 60 {
            format!("there is no implicit multiplication: write {cure}")
        } else {
            "there is no implicit multiplication: write * between them".to_owned()
        };
        let message = format!("{} stand side by side", quoted(span.text(self.source)));
        self.errors.report(codes::SIDE_BY_SIDE, span, message, help);
    }
}

impl Value {
    fn of(scalar: Option<ExprId>) -> Self {
        scalar.map_or(Self::Nothing, Self::Scalar)
    }
}

fn did_you_mean(name: &str, known: &[String]) -> Option<String> {
    let nearest = nearest(name, known.iter().map(String::as_str))?;
    Some(format!("did you mean {nearest}?"))
}

fn count(arguments: usize) -> &'static str {
    if arguments == 1 {
        "1 argument"
    } else {
        "2 arguments"
    }
}
