//! How to run a model: numbers, the condition that ends the run, and what to record.

use super::Lowering;
use super::labels::Labels;
use crate::diagnostic::{Diagnostic, Severity};
use crate::elaborate::{Statement, Value};
use crate::model::Expression;
use dalembert_expr::ExprId;
use dalembert_expr::syntax::{Kind, NodeId, Relation, Tree, nearest};

/// Names of the integrators; `auto` chooses one.
pub const INTEGRATORS: [&str; 3] = ["auto", "dop853", "dopri5"];

/// `[run]`, lowered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPlan {
    /// Time at the start.
    pub from: Option<ExprId>,
    /// Duration.
    pub span: Option<ExprId>,
    /// Relative tolerance.
    pub rtol: Option<ExprId>,
    /// Absolute tolerance.
    pub atol: Option<ExprId>,
    /// Number of samples.
    pub samples: Option<ExprId>,
    /// Time between samples.
    pub step: Option<ExprId>,
    /// The run ends when this becomes positive.
    pub until: Option<ExprId>,
    /// Whether it is true already where it is zero, as `x >= 0` is.
    pub until_at_zero: bool,
    /// What to record.
    pub record: Vec<Record>,
}

/// Something to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A number, with the name of its column.
    Value(String, ExprId),
    /// Kinetic plus potential energy.
    Energy,
    /// The multiplier of a row, by index.
    Multiplier(usize),
    /// The generalized reaction of a constraint, by index.
    Reaction(usize),
    /// The power of a given force, by index.
    ForcePower(usize),
    /// The power of a constraint, by index.
    ConstraintPower(usize),
}

impl Lowering<'_> {
    pub(super) fn run_plan(&mut self) -> RunPlan {
        self.check_integrator();
        let run = &self.model.run;
        let mut number = |expression: &Option<Expression>, what: &str| {
            expression
                .as_ref()
                .and_then(|expression| self.constant(expression, what))
        };
        RunPlan {
            from: number(&run.from, "the start of time"),
            span: number(&run.span, "the span"),
            rtol: number(&run.rtol, "a tolerance"),
            atol: number(&run.atol, "a tolerance"),
            samples: number(&run.samples, "the number of samples"),
            step: number(&run.step, "the time between samples"),
            until: run.until.as_ref().and_then(|until| self.condition(until)),
            until_at_zero: run.until.as_ref().is_some_and(|until| {
                let root = &until.tree[until.tree.root()].kind;
                let with_equality = [Relation::LessOrEqual, Relation::GreaterOrEqual];
                matches!(root, Kind::Relation { relation, .. } if with_equality.contains(relation))
            }),
            record: self.records(),
        }
    }

    /// A comparison as a number that is positive where it is true.
    pub(super) fn condition(&mut self, expression: &Expression) -> Option<ExprId> {
        let whole = 0..expression.text.len();
        let difference = match self.scope.statement(expression)? {
            Statement::Relation {
                relation,
                left: Value::Scalar(a),
                right: Value::Scalar(b),
            } => match relation {
                Relation::Less | Relation::LessOrEqual => Some(self.graph().sub(b, a)),
                Relation::Greater | Relation::GreaterOrEqual => Some(self.graph().sub(a, b)),
                Relation::Equal => None,
            },
            _ => None,
        };
        let Some(difference) = difference else {
            let message = "a condition compares two numbers";
            self.scope.refuse(
                expression,
                whole,
                "E0433",
                message,
                "write it with < or >: \"theta > 85 deg\"",
            );
            return None;
        };
        self.limit_order(expression, difference, 1, "a condition")
            .then_some(difference)
    }

    fn records(&mut self) -> Vec<Record> {
        let model = self.model;
        let labels = Labels::of(self);
        let record = |expression| self.record(expression, &labels);
        model.run.record.iter().flat_map(record).collect()
    }

    fn record(&mut self, expression: &Expression, labels: &Labels) -> Vec<Record> {
        if let Some(record) = self.named_record(expression, labels) {
            return record;
        }
        let column = expression.text.trim().to_owned();
        match self.scope.value(expression) {
            Some(Value::Scalar(id)) => self.recorded(expression, vec![(column, id)]),
            Some(
                Value::Vector(vector)
                | Value::Point {
                    position: vector, ..
                },
            ) => {
                let columns = ["x", "y", "z"].map(|axis| format!("{column}.{axis}"));
                self.recorded(expression, columns.into_iter().zip(vector).collect())
            }
            Some(other) => {
                let message = format!("{} cannot be recorded", other.kind());
                let help = "record a number or a vector, such as pos(…) or vel(…)";
                self.scope
                    .refuse(expression, 0..expression.text.len(), "E0402", message, help);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Columns of numbers that the motion determines: of coordinates, rates and accelerations.
    fn recorded(&mut self, expression: &Expression, columns: Vec<(String, ExprId)>) -> Vec<Record> {
        if columns.iter().any(|&(_, id)| self.depends_on(id).order > 2) {
            let message = "a third derivative cannot be recorded";
            let help = "record coordinates, rates, accelerations and what they give";
            let whole = 0..expression.text.len();
            self.scope.refuse(expression, whole, "E0434", message, help);
            return Vec::new();
        }
        let record = |(column, id)| Record::Value(column, id);
        columns.into_iter().map(record).collect()
    }

    /// Refuses an integrator that there is not.
    fn check_integrator(&mut self) {
        let Some(name) = &self.model.run.integrator else {
            return;
        };
        if INTEGRATORS.contains(&name.text.as_str()) {
            return;
        }
        self.scope.diagnostics.push(Diagnostic {
            code: "E0436",
            severity: Severity::Error,
            message: format!("there is no integrator `{}`", name.text),
            help: Some(format!("known here: {}", INTEGRATORS.join(", "))),
            place: name.place.clone(),
        });
    }

    /// `energy`, `lambda(ROW)`, `reaction(NAME)`, `power(NAME)`: names that mean something only here.
    fn named_record(&mut self, expression: &Expression, labels: &Labels) -> Option<Vec<Record>> {
        let tree = &expression.tree;
        match &tree[tree.root()].kind {
            Kind::Name { name, primes: 0 } if self.scope.names().get(name).is_none() => {
                match &**name {
                    "energy" => Some(vec![Record::Energy]),
                    "momentum" | "angular_momentum" => {
                        let message = format!("`{name}` cannot be recorded yet");
                        let help = "record the expression itself, such as m*vel(P) or m*cross(pos(P), vel(P))";
                        self.scope.refuse(
                            expression,
                            0..expression.text.len(),
                            "E0434",
                            message,
                            help,
                        );
                        Some(Vec::new())
                    }
                    _ => None,
                }
            }
            Kind::Call {
                function,
                arguments,
            } if matches!(&*function.text, "lambda" | "reaction" | "power") => {
                let label = match arguments.as_ref() {
                    [argument] if argument.name.is_none() => label(tree, argument.value),
                    _ => None,
                };
                let found = label
                    .as_deref()
                    .map_or_else(Vec::new, |label| labels.records(&function.text, label));
                if found.is_empty() {
                    let what = label.unwrap_or_else(|| expression.text.clone());
                    let help = self.label_help(&function.text, &what);
                    let message = format!("`{}` has no `{what}` to speak of", function.text);
                    self.scope
                        .refuse(expression, 0..expression.text.len(), "E0435", message, help);
                }
                Some(found)
            }
            _ => None,
        }
    }

    /// What `what` was probably meant to be, or what there is.
    fn label_help(&self, function: &str, what: &str) -> String {
        if !self.scope.is_shown() {
            return String::new();
        }
        let known = self.known_labels(function);
        let near = nearest(what, known.iter().copied());
        near.map_or_else(
            || format!("known here: {}", known.join(", ")),
            |near| format!("did you mean {near}?"),
        )
    }
}

/// `contact` or `contact.0`.
fn label(tree: &Tree, id: NodeId) -> Option<String> {
    match &tree[id].kind {
        Kind::Name { name, primes: 0 } => Some(name.to_string()),
        Kind::Member {
            of,
            name,
            primes: 0,
        } => Some(format!("{}.{}", label_of_name(tree, *of)?, name.text)),
        _ => None,
    }
}

fn label_of_name(tree: &Tree, id: NodeId) -> Option<String> {
    match &tree[id].kind {
        Kind::Name { name, primes: 0 } => Some(name.to_string()),
        _ => None,
    }
}
