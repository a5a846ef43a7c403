//! Walks a syntax tree, children before parents, and gives each node its value.

use super::attitude::not_a_rotation;
use super::choice::compared;
use super::{
    Attitude, Declared, Elaborator, MASS_CENTER, Statement, Value, Vector, VectorAlgebra, reaction,
};
use crate::data::TABLE;
use crate::model::Expression;
use crate::units;
use dalembert_expr::syntax::{
    Argument, Arithmetic, CHOICE, Function, Kind, NodeId, Sign, Span, Tree, UnitFactor, Word,
    nearest, parse_value, product_cure, quoted,
};
use dalembert_expr::{Binary, ExprId, Node, Rational, SymbolKind};
use dalembert_linear::decide::KNOWN;

/// Names that always have a meaning.
pub(super) const BUILT_IN: [&str; 3] = ["t", "pi", "ground"];

impl Elaborator<'_> {
    /// What an expression says; `None` if something was wrong, which is then reported.
    pub fn statement(&mut self, expression: &Expression) -> Option<Statement> {
        let with_dots = self.names.joined(&expression.tree).map(|tree| Expression {
            tree,
            ..expression.clone()
        });
        let expression = with_dots.as_ref().unwrap_or(expression);
        let tree = &expression.tree;
        let mut values: Vec<Option<Value>> = Vec::with_capacity(tree.nodes().len());
        let valueless = reaction::valueless(tree);
        for (index, node) in tree.nodes().iter().enumerate() {
            if valueless.get(index) == Some(&true) {
                values.push(None);
                continue;
            }
            let span = node.span.range();
            let value = |id: NodeId| values[id.index()];
            let result = match &node.kind {
                Kind::Number(n) => Some(Value::Scalar(self.graph.number(n.clone()))),
                Kind::Quantity { number, unit } => self.quantity(expression, number, unit),
                Kind::Name { name, primes } => self.name(expression, name, *primes, span),
                Kind::Text(_) => {
                    let message = "a text has no value here";
                    let help = "write a name without quotes";
                    self.refuse(expression, span, "E0402", message, help);
                    None
                }
                Kind::Signed { sign, operand } => {
                    value(*operand).and_then(|v| self.signed(expression, *sign, v, span))
                }
                Kind::Binary { op, left, right } => match (value(*left), value(*right)) {
                    (Some(left), Some(right)) => {
                        self.arithmetic(expression, *op, left, right, span)
                    }
                    _ => None,
                },
                Kind::Vector(elements) => {
                    let elements: Vec<Option<Value>> =
                        elements.iter().map(|&id| value(id)).collect();
                    self.components(expression, &elements, span)
                }
                Kind::Call {
                    function,
                    arguments,
                } => self.called(expression, (function, arguments, node.span), value),
                Kind::Member { of, name, primes } => {
                    value(*of).and_then(|of| self.member(expression, of, name, *primes, span))
                }
                Kind::Sequence(items) => {
                    let items: Vec<(Option<Value>, std::ops::Range<usize>)> = items
                        .iter()
                        .map(|&id| (value(id), tree[id].span.range()))
                        .collect();
                    self.sequence(expression, &items, span)
                }
                // Conditions, which the call above them looks at.
                Kind::Relation { .. } | Kind::Joined { .. } | Kind::Not(_)
                    if index < tree.root().index() =>
                {
                    None
                }
                Kind::Joined { .. } | Kind::Not(_) => {
                    let parts = compared(tree, tree.root(), value);
                    let parts = self.condition(expression, parts)?;
                    return self.refuse_reactions(expression, Statement::Condition(parts));
                }
                Kind::Relation {
                    relation,
                    left,
                    right,
                } => {
                    let (left, right) = (value(*left)?, value(*right)?);
                    let relation = Statement::Relation {
                        relation: *relation,
                        left,
                        right,
                    };
                    return self.refuse_reactions(expression, relation);
                }
            };
            self.note_needs(&node.kind, value);
            values.push(result);
        }
        let value = values[tree.root().index()].map(Statement::Value)?;
        self.refuse_reactions(expression, value)
    }

    /// A call, with values of what was read before.
    fn called(
        &mut self,
        expression: &Expression,
        (function, arguments, span): (&Word, &[Argument], Span),
        value: impl Fn(NodeId) -> Option<Value>,
    ) -> Option<Value> {
        if reaction::is_reaction(function) {
            return self.reaction(expression, function, arguments, span);
        }
        if self.is_power(function) {
            return self.power(expression, function, arguments, span);
        }
        if *function.text == *TABLE {
            return self.table(expression, function, arguments, value);
        }
        if *function.text == *CHOICE {
            let values: Vec<Option<Value>> = arguments.iter().map(|it| value(it.value)).collect();
            let condition = arguments.first().filter(|it| it.name.is_none());
            let condition = condition.map(|it| compared(&expression.tree, it.value, value));
            return self.choice(expression, function, arguments, (condition, &values));
        }
        let arguments: Vec<(Option<&Word>, Option<Value>)> = arguments
            .iter()
            .map(|argument| (argument.name.as_ref(), value(argument.value)))
            .collect();
        self.call(expression, function, &arguments)
    }

    fn quantity(
        &mut self,
        expression: &Expression,
        number: &Rational,
        unit: &[UnitFactor],
    ) -> Option<Value> {
        let mut value = self.graph.number(number.clone());
        for factor in unit {
            let Some(one) = self.unit(&factor.name.text) else {
                self.unknown_unit(expression, &factor.name);
                return None;
            };
            let power = self.graph.powi(one, i64::from(factor.power));
            value = self.graph.mul(value, power);
        }
        Some(Value::Scalar(value))
    }

    /// One of a unit in SI units.
    fn unit(&mut self, name: &str) -> Option<ExprId> {
        let unit = units::lookup(name)?;
        let (factor, pi) = (self.graph.number(unit.factor), self.graph.pi());
        let power = self.graph.powi(pi, i64::from(unit.pi_power));
        Some(self.graph.mul(factor, power))
    }

    fn unknown_unit(&mut self, expression: &Expression, name: &Word) {
        let help = if self.names.get(&name.text).is_some() {
            format!("to multiply, write * before {}", name.text)
        } else {
            units::suggestion(&name.text)
                .map_or_else(String::new, |unit| format!("did you mean {unit}?"))
        };
        let message = format!("`{}` is not a unit", name.text);
        self.refuse(expression, name.span.range(), "E0207", message, help);
    }

    fn name(
        &mut self,
        expression: &Expression,
        name: &str,
        primes: u8,
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        let value = match (name, self.names.get(name)) {
            ("t", None) => Value::Scalar(self.graph.symbol("t", SymbolKind::Time)),
            ("pi", None) => Value::Scalar(self.graph.pi()),
            ("ground", None) => Value::Ground,
            (_, Some(Declared::Parameter(i))) => Value::Scalar(self.parameters[i]),
            (_, Some(Declared::Coordinate(_))) => {
                return Some(Value::Scalar(self.graph.derivative_symbol(
                    name,
                    SymbolKind::Coordinate,
                    primes,
                )));
            }
            (_, Some(Declared::Definition(i))) => {
                self.needs.definitions.push(i);
                self.definition(i)?
            }
            (_, Some(Declared::Speed(i))) => Value::Scalar(self.speed(i)?),
            (_, Some(Declared::Particle(i))) => Value::Particle(i),
            (_, Some(Declared::Frame(i))) => Value::Frame(i),
            (_, Some(Declared::Attitude(i) | Declared::Body(i))) => Value::Body(i),
            (_, None) if primes == 0 && self.is_energy(name) => {
                return Some(self.energy(expression, name, span));
            }
            (_, None) => {
                let help = if let Some(function) = Function::named(name) {
                    let form = function.arguments().join(", ");
                    format!("{name} is a function: write {name}({form})")
                } else if matches!(name, "rad" | "deg") {
                    let plain = "angles without a unit are in radians";
                    format!("a unit follows a number, as in 2 {name}; {plain}")
                } else if units::lookup(name).is_some() && has_quantity(&expression.tree) {
                    if let Some(whole) = several_units(&expression.text, &span) {
                        let text = &expression.text[whole.clone()];
                        let message = format!(
                            "{} has more than one unit, which a number has only by itself",
                            quoted(text)
                        );
                        let help = format!(
                            "inside an expression give it a name: a = \"{text}\" in [parameters], and write a here"
                        );
                        self.refuse(expression, whole, "E0201", message, help);
                        return None;
                    }
                    format!(
                        "inside an expression a number takes one unit: write (1 {name}), or give the quantity a name in [parameters]"
                    )
                } else {
                    self.known_of(name)
                };
                let message = format!("unknown name {}", quoted(name));
                self.refuse(expression, span, "E0201", message, help);
                return None;
            }
        };
        self.differentiated(expression, value, primes, span)
    }

    /// The time derivative of a number, vector or point's position, as often as there are primes.
    fn differentiated(
        &mut self,
        expression: &Expression,
        mut value: Value,
        primes: u8,
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        let constant = matches!(value, Value::Scalar(id) if self.is_constant(id));
        for _ in 0..primes {
            value = match value {
                Value::Scalar(id) if !constant => Value::Scalar(self.rate(id)),
                Value::Vector(vector) => Value::Vector(self.rate3(vector)),
                Value::Point { velocity, .. } => Value::Vector(velocity),
                _ => {
                    let written = &expression.text[span.clone()];
                    let name = written.trim_end_matches('\'');
                    let (written, name) = (quoted(written), quoted(name));
                    let message = format!("{written}: {name} does not depend on time");
                    let help = "write the name without a prime";
                    self.refuse(expression, span, "E0208", message, help);
                    return None;
                }
            };
        }
        Some(value)
    }

    /// Whether it is a parameter, or the number pi: a prime behind its name would be a slip.
    fn is_constant(&self, id: ExprId) -> bool {
        let symbol = self.graph.as_symbol(id);
        let kind = symbol.map(|symbol| self.graph.symbol_data(symbol).kind);
        kind == Some(SymbolKind::Parameter) || self.graph.node(id) == Node::Pi
    }

    fn signed(
        &mut self,
        expression: &Expression,
        sign: Sign,
        value: Value,
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        match (sign, value) {
            (Sign::Plus, Value::Scalar(_) | Value::Vector(_)) => Some(value),
            (Sign::Minus, Value::Scalar(id)) => Some(Value::Scalar(self.graph.neg(id))),
            (Sign::Minus, Value::Vector(vector)) => {
                Some(Value::Vector(vector.map(|x| self.graph.neg(x))))
            }
            (_, other) => {
                let message = format!("{} has no sign", other.kind());
                let help = "only numbers and vectors have one";
                self.refuse(expression, span, "E0402", message, help);
                None
            }
        }
    }

    fn arithmetic(
        &mut self,
        expression: &Expression,
        op: Arithmetic,
        left: Value,
        right: Value,
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        // A point in a sum is its position.
        let (left, right) = (left.without_point(), right.without_point());
        let g = &mut self.graph;
        let result = match (op, left, right) {
            (op, Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(g.binary(op.into(), a, b)),
            (Arithmetic::Add, Value::Vector(a), Value::Vector(b)) => Value::Vector(g.add3(a, b)),
            (Arithmetic::Subtract, Value::Vector(a), Value::Vector(b)) => {
                Value::Vector(g.sub3(a, b))
            }
            (Arithmetic::Multiply, Value::Scalar(s), Value::Vector(v))
            | (Arithmetic::Multiply, Value::Vector(v), Value::Scalar(s)) => {
                Value::Vector(g.scale3(s, v))
            }
            (Arithmetic::Divide, Value::Vector(v), Value::Scalar(s)) => {
                Value::Vector(v.map(|x| g.div(x, s)))
            }
            (op, left, right) => {
                let (sign, one, other) = (Binary::from(op).name(), left.kind(), right.kind());
                let message = format!("`{sign}` between {one} and {other}");
                let help = no_arithmetic(op, left, right);
                self.refuse(expression, span, "E0402", message, help);
                return None;
            }
        };
        Some(result)
    }

    fn components(
        &mut self,
        expression: &Expression,
        elements: &[Option<Value>],
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        if elements.len() != 3 {
            let message = format!("a vector has 3 components, not {}", elements.len());
            let help = "write [a, b, 0] in the plane";
            self.refuse(expression, span, "E0402", message, help);
            return None;
        }
        if let [
            Some(Value::Vector(a)),
            Some(Value::Vector(b)),
            Some(Value::Vector(c)),
        ] = elements
        {
            return self.matrix(expression, [*a, *b, *c], span);
        }
        let mut vector = self.graph.zero3();
        let mut complete = true;
        for (component, element) in vector.iter_mut().zip(elements) {
            match element {
                Some(Value::Scalar(id)) => *component = *id,
                Some(other) => {
                    let message = format!(
                        "a component of a vector is a number, and this is {}",
                        other.kind()
                    );
                    self.refuse(expression, span.clone(), "E0402", message, "");
                    complete = false;
                }
                None => complete = false,
            }
        }
        complete.then_some(Value::Vector(vector))
    }

    /// Rows of a rotation matrix.
    fn matrix(
        &mut self,
        expression: &Expression,
        rows: [Vector; 3],
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        let off = not_a_rotation(&mut self.graph, &rows);
        if off.is_nan() || off > KNOWN {
            let message = format!(
                "these rows are not a rotation: rows times columns differ from 1 and 0 by {off:.1e}"
            );
            let help = "each row has length 1 for all values of coordinates and parameters, and is normal to the others, in a right-handed order";
            self.refuse(expression, span, "E0405", message, help);
            return None;
        }
        let rate = rows.map(|row| self.rate3(row));
        Some(Value::Attitude(Attitude::of_rows(
            &mut self.graph,
            rows,
            rate,
        )))
    }

    fn member(
        &mut self,
        expression: &Expression,
        of: Value,
        name: &Word,
        primes: u8,
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        let named = |names: [&str; 3]| names.iter().position(|it| **it == *name.text);
        let (component, axis) = (named(["x", "y", "z"]), named(["ex", "ey", "ez"]));
        let value = match of {
            Value::Vector(vector)
            | Value::Point {
                position: vector, ..
            } => component.map(|i| Value::Scalar(vector[i])),
            Value::Frame(_) | Value::Attitude(_) | Value::Ground | Value::Body(_)
                if axis.is_some() =>
            {
                let attitude = self.attitude_of(of)?;
                axis.map(|i| Value::Vector(attitude.axis(i)))
            }
            Value::Body(index) if *name.text == *MASS_CENTER => {
                let center = self.mass_center(index);
                Some(Value::Vector(center))
            }
            Value::Body(index) => {
                let body = self.body_motion(index)?;
                if *name.text == *"center" {
                    let super::PointMotion { position, velocity } = body.center;
                    Some(Value::Point {
                        position,
                        velocity,
                        body: Some(index),
                    })
                } else {
                    let at = self.points[index].get(&*name.text).copied();
                    at.map(|at| self.point_of_body(index, &body, at))
                }
            }
            _ => None,
        };
        match value {
            Some(value) => self.differentiated(expression, value, primes, span),
            None => {
                let near = match of {
                    Value::Body(index) => {
                        let points = self.points[index].keys().map(String::as_str);
                        nearest(&name.text, points.chain(["center", MASS_CENTER]))
                    }
                    _ => None,
                };
                let near = near.map(|near| format!("did you mean .{near}?"));
                let help = match of {
                    Value::Vector(_) | Value::Point { .. } => "a vector has .x, .y and .z",
                    Value::Frame(_) | Value::Attitude(_) | Value::Ground => {
                        "a frame has .ex, .ey and .ez"
                    }
                    Value::Body(_) => "a body has .center, .ex, .ey, .ez and its named points",
                    Value::Particle(_) => "write pos(…) or vel(…) of the particle",
                    Value::Scalar(_) => "a number has no members",
                };
                let message = format!("{} has no member `{}`", of.kind(), name.text);
                let help = near.as_deref().unwrap_or(help);
                self.refuse(expression, name.span.range(), "E0403", message, help);
                None
            }
        }
    }

    /// Rotations one after the other.
    fn sequence(
        &mut self,
        expression: &Expression,
        items: &[(Option<Value>, std::ops::Range<usize>)],
        span: std::ops::Range<usize>,
    ) -> Option<Value> {
        let written = items.iter().map(|(_, at)| &expression.text[at.clone()]);
        let written: Vec<&str> = written.collect();
        let wordy = written.iter().any(|word| reaction::is_word(word));
        if items.iter().any(|(item, _)| item.is_none()) && !wordy {
            return None; // It was said already what is wrong with it.
        }
        let mut total: Option<Attitude> = None;
        for (item, _) in items {
            let Some(next) = item.and_then(|value| self.attitude_of(value)) else {
                if wordy || matches!(item, Some(Value::Scalar(_) | Value::Vector(_))) {
                    let message = format!(
                        "{} stand side by side",
                        quoted(&expression.text[span.clone()])
                    );
                    let help = product_cure(&written);
                    self.refuse(expression, span, "E0206", message, help);
                }
                return None;
            };
            total = Some(match total {
                None => next,
                Some(total) => total.then(&mut self.graph, &next),
            });
        }
        total.map(Value::Attitude)
    }

    /// The point with given body coordinates: c + R (a − a_c), a_c those of the mass centre, which moves at v_c + ω × R a + R a'. It stays at one
    /// material point of the body only where its body coordinates do not change.
    pub(super) fn point_of_body(
        &mut self,
        index: usize,
        body: &super::BodyMotion,
        at: super::Vector,
    ) -> Value {
        let change = self.rate3(at);
        let at = self.from_mass_center(index, at);
        let g = &mut self.graph;
        let arm = g.rotate3(&body.attitude.matrix, at);
        let position = g.add3(body.center.position, arm);
        let turning = g.cross3(body.attitude.omega, arm);
        let carried = g.add3(body.center.velocity, turning);
        let along = g.rotate3(&body.attitude.matrix, change);
        let velocity = g.add3(carried, along);
        Value::Point {
            position,
            velocity,
            body: Some(index),
        }
    }
}

/// Where a number with several units stands around a name in a text, as in `[0, 0, -9.81 m/s^2]`.
fn several_units(text: &str, name: &std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
    let of_quantity = |c: char| c.is_alphanumeric() || " ._*/^".contains(c);
    let before = text[..name.start].trim_end_matches(of_quantity).len();
    let after = text[name.end..].trim_start_matches(of_quantity).len();
    let found = text[before..text.len() - after].trim();
    let start = before + text[before..].find(found)?;
    let tree = parse_value(found).ok()?;
    let several = matches!(&tree[tree.root()].kind, Kind::Quantity { unit, .. } if unit.len() > 1);
    several.then_some(start..start + found.len())
}

/// Whether a number with a unit stands in it.
fn has_quantity(tree: &Tree) -> bool {
    let mut nodes = tree.nodes().iter();
    nodes.any(|node| matches!(node.kind, Kind::Quantity { .. }))
}

/// What to write in place of an operation between these.
fn no_arithmetic(op: Arithmetic, left: Value, right: Value) -> &'static str {
    use Arithmetic::{Add, Multiply, Power, Subtract};
    use Value::{Attitude, Body, Frame, Scalar, Vector};
    match (op, left, right) {
        (Multiply, Vector(_), Vector(_)) => "write dot(a, b) or cross(a, b)",
        (Multiply, Attitude(_) | Frame(_) | Body(_), Attitude(_) | Frame(_) | Body(_)) => {
            "write rotations one after the other, without a sign: Rz(a) Rx(b)"
        }
        (Power, Vector(_), _) => "write dot(a, a) for its square",
        (Add | Subtract, Vector(_), Scalar(_)) | (Add | Subtract, Scalar(_), Vector(_)) => {
            "take a component with .x, .y or .z, or write the number as a vector [a, b, c]"
        }
        _ => "write pos(…), vel(…) or omega(…) of it",
    }
}
