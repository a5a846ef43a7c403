//! Functions of the language: those of numbers, of vectors, and of the motion.

use super::{Attitude, BodyMotion, Elaborator, PointMotion, Value, Vector, VectorAlgebra};
use crate::data::TABLE;
use crate::model::{Expression, counted};
use dalembert_expr::ExprId;
use dalembert_expr::syntax::{CHOICE, Function, Kind, Word, function_cure, nearest, quoted};

/// Functions beyond those of numbers: how they are written, and how many arguments they take.
const FUNCTIONS: [(&str, &str, usize); 14] = [
    (TABLE, "\"file.csv\", x", 2),
    (CHOICE, "condition, a, b", 3),
    ("dot", "a, b", 2),
    ("cross", "a, b", 2),
    ("norm", "a", 1),
    ("Rx", "angle", 1),
    ("Ry", "angle", 1),
    ("Rz", "angle", 1),
    ("quat", "q0, q1, q2, q3", 4),
    ("pos", "P", 1),
    ("vel", "P", 1),
    ("acc", "P", 1),
    ("omega", "B", 1),
    ("point", "B, [a, b, c]", 2),
];

impl Elaborator<'_> {
    pub(super) fn call(
        &mut self,
        expression: &Expression,
        function: &Word,
        arguments: &[(Option<&Word>, Option<Value>)],
    ) -> Option<Value> {
        let name = &*function.text;
        let span = function.span.range();
        let known = FUNCTIONS.iter().find(|(known, ..)| *known == name);
        let (form, wanted) = match (Function::named(name), known) {
            (Some(function), _) => (function.arguments().join(", "), function.arguments().len()),
            (None, Some((_, form, wanted))) => ((*form).to_owned(), *wanted),
            (None, None) => {
                self.unknown_function(expression, function);
                return None;
            }
        };
        // Only the velocity and acceleration of a body have a named argument.
        let named = arguments
            .iter()
            .find_map(|(name, value)| name.map(|name| (name, *value)));
        if let Some((argument, _)) = named
            && !(*argument.text == *"at" && matches!(name, "vel" | "acc"))
        {
            let message = format!("`{name}` has no argument `{}`", argument.text);
            let (at, help) = (argument.span.range(), format!("write {name}({form})"));
            self.refuse(expression, at, "E0204", message, help);
            return None;
        }
        let at = match named {
            Some((_, value)) => Some(value?),
            None => None,
        };
        let positional: Vec<Option<Value>> = arguments
            .iter()
            .filter(|(name, _)| name.is_none())
            .map(|(_, value)| *value)
            .collect();
        if positional.len() != wanted {
            let (wanted, given) = (counted(wanted, "argument"), positional.len());
            let message = format!("`{name}` takes {wanted}, not {given}");
            // dot(x) may be meant for a derivative.
            let cure = function_cure(name, &arguments_of(expression, function));
            let help = cure.unwrap_or_else(|| format!("write {name}({form})"));
            self.refuse(expression, span, "E0203", message, help);
            return None;
        }
        let values: Vec<Value> = positional.into_iter().collect::<Option<_>>()?;
        match self.apply(name, &values, at) {
            Applied::Value(value) => Some(value),
            Applied::Refused => None,
            Applied::WrongKind { found, needed } => {
                let message = format!("`{name}` needs {needed}, and this is {}", found.kind());
                let help = format!("write {name}({form})");
                self.refuse(expression, span, "E0402", message, help);
                None
            }
        }
    }

    fn unknown_function(&mut self, expression: &Expression, function: &Word) {
        let name = &*function.text;
        let span = function.span.range();
        let arguments = arguments_of(expression, function);
        let known = self.names.get(name).is_some();
        let cure = function_cure(name, &arguments).filter(|_| !known);
        let help = if let Some(cure) = cure {
            cure
        } else if arguments == ["t"] {
            format!(
                "write {name} for the function and {name}' for its derivative; to multiply, write {name}*t"
            )
        } else if known {
            format!("to multiply, write {name}*(…)")
        } else {
            let known = Function::all().map(Function::name);
            let known: Vec<&str> = known.chain(FUNCTIONS.iter().map(|it| it.0)).collect();
            match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("the functions are {}", known.join(" ")),
            }
        };
        let message = format!("unknown function {}", quoted(name));
        self.refuse(expression, span, "E0202", message, help);
    }

    fn apply(&mut self, name: &str, values: &[Value], at: Option<Value>) -> Applied {
        if let Some(function) = Function::named(name) {
            let scalars = match numbers(values, "numbers") {
                Ok(scalars) => scalars,
                Err(wrong) => return wrong,
            };
            return function
                .apply(&mut self.graph, &scalars)
                .map_or(Applied::Refused, |id| Applied::Value(Value::Scalar(id)));
        }
        match name {
            "dot" | "cross" | "norm" => self.vector_function(name, values),
            "Rx" | "Ry" | "Rz" => match values[0] {
                Value::Scalar(angle) => {
                    let axis = ["Rx", "Ry", "Rz"]
                        .iter()
                        .position(|rotation| *rotation == name)
                        .unwrap_or(0);
                    let rate = self.rate(angle);
                    Applied::Value(Value::Attitude(Attitude::about_axis(
                        &mut self.graph,
                        axis,
                        angle,
                        rate,
                    )))
                }
                found => Applied::WrongKind {
                    found,
                    needed: "an angle",
                },
            },
            "quat" => {
                let components = match numbers(values, "four numbers") {
                    Ok(components) => components,
                    Err(wrong) => return wrong,
                };
                let q: [ExprId; 4] = std::array::from_fn(|i| components[i]);
                let rate = q.map(|component| self.rate(component));
                let attitude = Attitude::of_quaternion(&mut self.graph, q, rate);
                Applied::Value(Value::Attitude(attitude))
            }
            "omega" => match self.attitude_of(values[0]) {
                Some(attitude) if !matches!(values[0], Value::Attitude(_)) => {
                    Applied::Value(Value::Vector(attitude.omega))
                }
                _ if matches!(values[0], Value::Frame(_) | Value::Body(_)) => Applied::Refused,
                _ => Applied::WrongKind {
                    found: values[0],
                    needed: "a body or frame",
                },
            },
            "point" => self.point(values),
            _ => self.motion(name, values[0], at),
        }
    }

    fn vector_function(&mut self, name: &str, values: &[Value]) -> Applied {
        let mut vectors: Vec<Vector> = Vec::new();
        for &found in values {
            let Some(vector) = found.as_vector() else {
                let needed = "vectors";
                return Applied::WrongKind { found, needed };
            };
            vectors.push(vector);
        }
        let g = &mut self.graph;
        Applied::Value(match name {
            "dot" => Value::Scalar(g.dot3(vectors[0], vectors[1])),
            "cross" => Value::Vector(g.cross3(vectors[0], vectors[1])),
            _ => {
                let square = g.dot3(vectors[0], vectors[0]);
                Value::Scalar(g.sqrt(square))
            }
        })
    }

    fn point(&mut self, values: &[Value]) -> Applied {
        let Value::Vector(at) = values[1] else {
            let (found, needed) = (values[1], "body coordinates [a, b, c]");
            return Applied::WrongKind { found, needed };
        };
        match values[0] {
            Value::Ground => {
                let velocity = self.rate3(at);
                Applied::Value(Value::Point {
                    position: at,
                    velocity,
                    body: None,
                })
            }
            Value::Body(index) => match self.body_motion(index) {
                Some(body) => Applied::Value(self.point_of_body(index, &body, at)),
                None => Applied::Refused,
            },
            found => Applied::WrongKind {
                found,
                needed: "a body or ground",
            },
        }
    }

    /// `pos`, `vel` and `acc` of a point, particle or body; of the material point of a body `at` a place.
    fn motion(&mut self, name: &str, of: Value, at: Option<Value>) -> Applied {
        let moving = match of {
            Value::Particle(i) => self.particle_motion(i),
            Value::Body(i) => self.body_motion(i).map(|body| body.center),
            Value::Point {
                position, velocity, ..
            } => Some(PointMotion { position, velocity }),
            found => {
                let needed = "a particle, body or point";
                return Applied::WrongKind { found, needed };
            }
        };
        let Some(moving) = moving else {
            return Applied::Refused;
        };
        let Some(at) = at else {
            return Applied::Value(Value::Vector(match name {
                "pos" => moving.position,
                "vel" => moving.velocity,
                _ => self.rate3(moving.velocity),
            }));
        };
        let Some(place) = at.as_vector() else {
            let (found, needed) = (at, "a place (at = …)");
            return Applied::WrongKind { found, needed };
        };
        let Value::Body(index) = of else {
            let (found, needed) = (of, "a body if a place is given");
            return Applied::WrongKind { found, needed };
        };
        let Some(body) = self.body_motion(index) else {
            return Applied::Refused;
        };
        Applied::Value(Value::Vector(self.material_point(name, &body, place)))
    }

    /// v = v_c + ω × d, a = a_c + ω' × d + ω × (ω × d), with d from the mass centre to the place.
    fn material_point(&mut self, name: &str, body: &BodyMotion, place: Vector) -> Vector {
        if name == "vel" {
            return self.material_velocity(body, place);
        }
        let omega = body.attitude.omega;
        let arm = self.graph.sub3(place, body.center.position);
        let turning = self.graph.cross3(omega, arm);
        let (center, alpha) = (self.rate3(body.center.velocity), self.rate3(omega));
        let g = &mut self.graph;
        let (tangential, centripetal) = (g.cross3(alpha, arm), g.cross3(omega, turning));
        let sum = g.add3(center, tangential);
        g.add3(sum, centripetal)
    }

    /// Velocity of the material point of a body that is at a place now.
    pub fn material_velocity(&mut self, body: &BodyMotion, place: Vector) -> Vector {
        let g = &mut self.graph;
        let arm = g.sub3(place, body.center.position);
        let turning = g.cross3(body.attitude.omega, arm);
        g.add3(body.center.velocity, turning)
    }
}

/// Values that are numbers, as `needed`.
fn numbers(values: &[Value], needed: &'static str) -> Result<Vec<ExprId>, Applied> {
    let number = |&found: &Value| match found {
        Value::Scalar(id) => Ok(id),
        _ => Err(Applied::WrongKind { found, needed }),
    };
    values.iter().map(number).collect()
}

enum Applied {
    Value(Value),
    WrongKind {
        found: Value,
        needed: &'static str,
    },
    /// Something it stands on was refused before.
    Refused,
}

/// The arguments of a call, as they are written.
fn arguments_of<'e>(expression: &'e Expression, called: &Word) -> Vec<&'e str> {
    let Expression { text, tree, .. } = expression;
    let arguments = tree.nodes().iter().find_map(|node| match &node.kind {
        Kind::Call {
            function,
            arguments,
        } if function == called => Some(arguments),
        _ => None,
    });
    let arguments = arguments.into_iter().flatten();
    arguments
        .map(|argument| tree[argument.value].span.text(text))
        .collect()
}
