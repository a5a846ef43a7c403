//! What to record: expressions of the motion, and quantities that have a name only here.

use super::Lowering;
use super::labels::Labels;
use super::reaction_record::meant;
use crate::elaborate::{Declared, Target, Value, label};
use crate::ids::{ConstraintId, Id};
use crate::lower::{ForceId, RowId};
use crate::model::{Expression, constraint_of};
use dalembert_expr::ExprId;
use dalembert_expr::syntax::{Kind, meant_or_known};

/// Functions that mean something only in `record`.
const FUNCTIONS: [&str; 6] = [
    "lambda",
    "reaction",
    "power",
    "momentum",
    "resultant",
    "gap",
];

/// Something to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A number, with the name of its column.
    Value(String, ExprId),
    /// Kinetic plus potential energy.
    Energy,
    /// The multiplier of a row.
    Multiplier(RowId),
    /// The generalized reaction of a constraint.
    Reaction(ConstraintId),
    /// The power of a given force.
    ForcePower(ForceId),
    /// The power of a constraint.
    ConstraintPower(ConstraintId),
    /// The power of prescribed motions: of kinematics and potentials that depend on time.
    DrivePower,
    /// The reaction of a constraint on a particle or body, force and moment.
    ReactionOn {
        /// The constraint.
        constraint: ConstraintId,
        /// What it acts on.
        on: Target,
        /// The name of its columns.
        called: String,
        /// The place in `record` that says where and in which axes; at the mass centre in world axes if not said.
        placed: Option<usize>,
    },
    /// The resultant of all reactions on a particle or body.
    Resultant(Target),
    /// Linear momentum of all particles and bodies.
    Momentum,
    /// Their angular momentum about the origin.
    AngularMomentum,
    /// ∂T/∂q' of a coordinate, by index.
    GeneralizedMomentum(usize),
}

impl Lowering<'_> {
    pub(super) fn records(&mut self) -> Vec<Record> {
        let model = self.model;
        if model.run.record.is_empty() {
            return Vec::new(); // Nobody needs the names of all rows and forces.
        }
        let labels = Labels::of(self);
        let record = |(index, expression)| self.record(index, expression, &labels);
        let asked = model.run.record.iter().enumerate();
        asked.flat_map(record).collect()
    }

    fn record(&mut self, index: usize, expression: &Expression, labels: &Labels) -> Vec<Record> {
        if let Some(record) = self.named_record(index, expression, labels) {
            return record;
        }
        // A text over several lines is the name of a column in one.
        let words: Vec<&str> = expression.text.split_whitespace().collect();
        let column = words.join(" ");
        match self.scope.value(expression) {
            Some(Value::Scalar(id)) => self.recorded(expression, vec![(column, id)]),
            Some(other) => {
                if let Some(vector) = other.as_vector() {
                    let columns = ["x", "y", "z"].map(|axis| format!("{column}.{axis}"));
                    return self.recorded(expression, columns.into_iter().zip(vector).collect());
                }
                let message = format!("{} cannot be recorded", other.kind());
                let help = "record a number or a vector, such as pos(…) or vel(…)";
                self.scope.refuse_whole(expression, "E0402", message, help);
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
            self.scope.refuse_whole(expression, "E0434", message, help);
            return Vec::new();
        }
        let record = |(column, id)| Record::Value(column, id);
        columns.into_iter().map(record).collect()
    }

    /// `energy`, `momentum`, `lambda(ROW)`, `reaction(NAME)` and others: names that mean something only here.
    fn named_record(
        &mut self,
        index: usize,
        expression: &Expression,
        labels: &Labels,
    ) -> Option<Vec<Record>> {
        let tree = &expression.tree;
        match &tree[tree.root()].kind {
            Kind::Name { name, primes: 0 } if self.scope.names().get(name).is_none() => {
                match &**name {
                    "energy" => Some(vec![Record::Energy]),
                    "momentum" => Some(self.total_momentum(expression, Record::Momentum)),
                    "angular_momentum" => {
                        Some(self.total_momentum(expression, Record::AngularMomentum))
                    }
                    _ => None,
                }
            }
            Kind::Call {
                function,
                arguments,
            } if FUNCTIONS.contains(&&*function.text) => {
                let function = &*function.text;
                let what = match arguments.as_ref() {
                    [argument] if argument.name.is_none() => label(tree, argument.value),
                    [argument, ..] if function == "reaction" && argument.name.is_none() => {
                        return Some(self.reaction_on(index, expression, labels));
                    }
                    _ => None,
                };
                let joint = what.as_deref().and_then(|it| self.joint_called(it));
                if joint.is_some() && function == "reaction" {
                    return Some(self.reaction_on(index, expression, labels));
                }
                Some(self.labelled(expression, labels, function, what))
            }
            Kind::Member { .. } => {
                let (call, has) = meant(tree)?;
                let whole = Expression {
                    tree: tree.part(call),
                    ..expression.clone()
                };
                if has {
                    return self.named_record(index, &whole, labels);
                }
                let message = "a reaction has .force and .moment, and each of them .x, .y and .z";
                let help = "write reaction(NAME).force, or reaction(NAME) for all";
                self.scope.refuse_whole(expression, "E0204", message, help);
                Some(Vec::new())
            }
            _ => None,
        }
    }

    /// What a function of `record` says of a label.
    fn labelled(
        &mut self,
        expression: &Expression,
        labels: &Labels,
        function: &str,
        label: Option<String>,
    ) -> Vec<Record> {
        let found = label
            .as_deref()
            .map_or_else(Vec::new, |label| match function {
                "momentum" | "resultant" => self.moving(function, label),
                "gap" => self.gap(label),
                _ => labels.records(function, label),
            });
        match found.as_slice() {
            [] => {
                self.refuse_label(expression, function, label);
                found
            }
            // Where it acts on one thing alone, the physical force stands beside the generalized one.
            &[Record::Reaction(constraint)] => match self.reaction_targets(constraint).as_deref() {
                Ok(&[on]) => {
                    let physical = Record::ReactionOn {
                        constraint,
                        on,
                        called: self.reaction_called(constraint, None),
                        placed: None,
                    };
                    vec![Record::Reaction(constraint), physical]
                }
                _ => found,
            },
            &[Record::Resultant(target)] => {
                let Err(why) = self.resultant(target) else {
                    return found;
                };
                let name = target.name(self.model);
                let message = format!("the resultant on `{name}` is not determined");
                self.refuse_record(expression, "E0462", message, &why)
            }
            _ => found,
        }
    }

    /// The gap of a contact.
    fn gap(&self, label: &str) -> Vec<Record> {
        let constraints = &self.model.constraints;
        let mut rows = self.rows.iter();
        let row = rows.find(|it| it.name == label && constraints[it.constraint].is_contact());
        let value = row.map(|it| Record::Value(format!("gap({label})"), it.residual));
        value.into_iter().collect()
    }

    fn moving(&self, function: &str, label: &str) -> Vec<Record> {
        let record = match (function, self.scope.names().get(label)) {
            ("momentum", Some(Declared::Coordinate(i))) => Record::GeneralizedMomentum(i),
            ("resultant", Some(declared)) => {
                let target = declared.target().map(Record::Resultant);
                return target.into_iter().collect();
            }
            _ => return Vec::new(),
        };
        vec![record]
    }

    fn total_momentum(&mut self, expression: &Expression, record: Record) -> Vec<Record> {
        let Some(what) = self.inertia_elsewhere() else {
            return vec![record];
        };
        let message = format!("`{}` is not defined", expression.text.trim());
        let help = format!(
            "the model has {what}, which does not say what moves where; momentum({}) is",
            self.known_labels("momentum").first().unwrap_or(&"x")
        );
        self.refuse_record(expression, "E0460", message, &help)
    }

    pub(super) fn refuse_record(
        &mut self,
        expression: &Expression,
        code: &'static str,
        message: String,
        help: &str,
    ) -> Vec<Record> {
        self.scope.refuse_whole(expression, code, message, help);
        Vec::new()
    }

    pub(super) fn refuse_label(
        &mut self,
        expression: &Expression,
        function: &str,
        label: Option<String>,
    ) {
        // What was refused where it is described is not missed as well.
        let constraint = label.as_deref().map(constraint_of);
        let mut constraints = Id::enumerate(&self.model.constraints);
        let described = constraints.find(|(_, it)| Some(it.name.text.as_str()) == constraint);
        let has_rows = |index| self.rows.iter().any(|row| row.constraint == index);
        if described.is_some_and(|(id, _)| !has_rows(id)) && !self.scope.diagnostics.is_empty() {
            return;
        }
        if let Some((_, identity)) = described.filter(|(_, it)| it.identity) {
            let message = no_reaction(&identity.name.text);
            let help = "leave it out of `record`";
            self.refuse_record(expression, "E0435", message, help);
            return;
        }
        let kind = match function {
            "lambda" => "constraint or row",
            "reaction" => "constraint",
            "gap" => "contact",
            "momentum" => "coordinate",
            "resultant" => "particle or body",
            _ => "force or constraint",
        };
        let (message, what) = match label {
            Some(label) => (format!("there is no {kind} called `{label}`"), label),
            None => {
                let message = format!("`{function}` needs the name of a {kind}");
                (message, expression.text.clone())
            }
        };
        let help = self.label_help(function, &what);
        self.refuse_record(expression, "E0435", message, &help);
    }

    /// What `what` was probably meant to be, or what there is.
    fn label_help(&self, function: &str, what: &str) -> String {
        if !self.scope.is_shown() {
            return String::new();
        }
        let known = self.known_labels(function);
        let help = meant_or_known(what, known.iter().copied());
        help.unwrap_or_else(|| "the model has none".to_owned())
    }
}

/// What is said where the reaction of an identity is asked for.
fn no_reaction(identity: &str) -> String {
    format!("`{identity}` is an identity of the coordinates, and has no reaction")
}
