//! Conditions of events, and that which ends a run.

use super::event::{Condition, Part};
use super::labels::Labels;
use super::{Lowering, Record, Rough, Sparse};
use crate::diagnostic::Place;
use crate::elaborate::{self, Measured, Statement, Value};
use crate::ids::Id;
use crate::lower::ForceId;
use crate::model::Expression;
use dalembert_expr::syntax::{Join, Relation, meant_or_known};
use dalembert_expr::{ExprId, substitute};

impl Lowering<'_> {
    /// Comparisons as numbers that are positive where they are true, and how they are joined.
    pub(super) fn condition(&mut self, expression: &Expression) -> Option<Condition> {
        let known = self.scope.reactions().len();
        let read = self.scope.in_condition(|scope| scope.statement(expression));
        let (said, measured) = read?;
        let parts = match said {
            Statement::Relation {
                relation,
                left: Value::Scalar(left),
                right: Value::Scalar(right),
            } if relation != Relation::Equal => {
                vec![elaborate::Part::Compared(relation, [left, right])]
            }
            Statement::Condition(parts) => parts,
            _ => {
                let message = "a condition compares two numbers";
                let help = "write it with < or >: \"theta > 85 deg\"";
                self.scope.refuse_whole(expression, "E0433", message, help);
                return None;
            }
        };
        let meanings = self.meanings_of(&measured)?;
        let mut parts = self.without_not(&parts);
        for part in &mut parts {
            let Part::Above { value, .. } = part else {
                continue;
            };
            if !self.limit_order(expression, *value, 1, "a condition") {
                return None;
            }
            *value = substitute(self.graph(), &[*value], &meanings)[0];
            *value = self.reactions_in_condition(known, *value);
        }
        Some(Condition { parts })
    }

    /// What the symbols of energies and powers stand for.
    pub(super) fn meanings_of(&mut self, measured: &[Measured]) -> Option<Vec<(ExprId, ExprId)>> {
        let mut meanings = Vec::with_capacity(measured.len());
        for it in measured {
            let (kinetic, potential) = (self.kinetic, self.potential);
            let meaning = match (it.word.as_str(), &it.of) {
                ("kinetic", _) => Some(kinetic),
                ("potential", _) => Some(potential),
                (_, None) => Some(self.graph().add(kinetic, potential)),
                (_, Some(name)) => self.power_of(name, &it.place),
            };
            meanings.push(meaning.map(|meaning| (it.symbol, meaning)));
        }
        meanings.into_iter().collect()
    }

    /// The power of forces and constraints of a name, in coordinates, rates and multipliers.
    fn power_of(&mut self, name: &str, place: &Place) -> Option<ExprId> {
        let labels = Labels::of(self);
        let found = labels.records("power", name);
        if found.is_empty() {
            let message = format!("there is no force or constraint called `{name}`");
            let known = self.known_labels("power");
            let help = meant_or_known(name, known.iter().copied()).unwrap_or_default();
            self.scope.report("E0435", place.clone(), message, &help);
            return None;
        }
        let mut work: Sparse = Vec::new();
        for record in found {
            match self.force_of(&record) {
                Ok(force) => work.extend(force),
                Err(why) => {
                    let message =
                        format!("the power of `{name}` is not known in a condition: {why}");
                    let help = "write it out: the force times the velocity, with lambda(NAME) for a reaction";
                    self.scope.report("E0496", place.clone(), message, help);
                    return None;
                }
            }
        }
        let rates = self.symbols.rates.clone();
        let graph = self.graph();
        let mut power = graph.integer(0);
        for (j, force) in work {
            let rate = graph.symbol_node(rates[j]);
            let part = graph.mul(force, rate);
            power = graph.add(power, part);
        }
        Some(power)
    }

    /// The generalized force of a force or constraint, where an expression says all of it.
    fn force_of(&mut self, record: &Record) -> Result<Sparse, &'static str> {
        let is_rough = |id: ForceId| {
            let mut frictions = self.frictions.iter();
            frictions.any(|it| match it.of {
                Rough::Spring(k) => {
                    let spring = &self.model.springs[k].name.text;
                    let name = &self.forces[id].name;
                    *name == *spring || *name == format!("{spring}.dry")
                }
                Rough::Constraint(_) => false,
            })
        };
        match *record {
            Record::ForcePower(id) if is_rough(id) => Err("it holds where nothing slips"),
            Record::ForcePower(id) if self.servo.iter().any(|it| it.force == id) => {
                Err("the force holds a constraint, and its size is found")
            }
            Record::ForcePower(id) => Ok(self.forces[id].force.clone()),
            Record::ConstraintPower(id) => {
                let constraint = &self.model.constraints[id];
                if constraint.friction.is_some() {
                    return Err("it has friction");
                }
                if !constraint.enforced_by.is_empty() {
                    return Err("forces hold it");
                }
                let own = self.nonideal.get(id.index()).cloned().unwrap_or_default();
                let name = &constraint.name.text;
                let comes_and_goes = !constraint.active || self.is_named_by_events(name);
                if comes_and_goes && !own.is_empty() {
                    return Err("it comes and goes, and is not ideal");
                }
                let mut work = own;
                for (row, it) in Id::enumerate(&self.rows).filter(|(_, row)| row.constraint == id) {
                    let lambda = self.symbols.multipliers[row.index()];
                    let lambda = self.scope.graph.symbol_node(lambda);
                    for &(j, entry) in &it.jacobian {
                        work.push((j, self.scope.graph.mul(lambda, entry)));
                    }
                }
                Ok(work)
            }
            _ => Err("it is that of prescribed motions"),
        }
    }

    /// A condition of comparisons that are joined, and none that must not hold: not (a and b) is not a or not b.
    fn without_not(&mut self, parts: &[elaborate::Part]) -> Vec<Part> {
        // Parents come after what they are made of, the right part right before.
        let mut start: Vec<usize> = Vec::with_capacity(parts.len());
        for (k, part) in parts.iter().enumerate() {
            start.push(match part {
                elaborate::Part::Compared(..) => k,
                elaborate::Part::Not => start[k - 1],
                elaborate::Part::Joined(_) => start[start[k - 1] - 1],
            });
        }
        let mut denied = vec![false; parts.len()];
        for (k, part) in parts.iter().enumerate().rev() {
            match part {
                elaborate::Part::Compared(..) => {}
                elaborate::Part::Not => denied[k - 1] = !denied[k],
                elaborate::Part::Joined(_) => {
                    let right = k - 1;
                    denied[right] = denied[k];
                    denied[start[right] - 1] = denied[k];
                }
            }
        }
        let parts = parts.iter().zip(denied);
        let parts = parts.filter_map(|(part, denied)| match *part {
            elaborate::Part::Not => None,
            elaborate::Part::Joined(join) => Some(Part::Joined(match (join, denied) {
                (Join::And, false) | (Join::Or, true) => Join::And,
                (Join::Or, false) | (Join::And, true) => Join::Or,
            })),
            elaborate::Part::Compared(relation, sides) => Some(self.above(relation, sides, denied)),
        });
        parts.collect()
    }

    fn above(&mut self, relation: Relation, [left, right]: [ExprId; 2], denied: bool) -> Part {
        let graph = self.graph();
        let less = matches!(relation, Relation::Less | Relation::LessOrEqual);
        let with_equality = matches!(
            relation,
            Relation::LessOrEqual | Relation::GreaterOrEqual | Relation::Equal
        );
        let value = match less != denied {
            true => graph.sub(right, left),
            false => graph.sub(left, right),
        };
        Part::Above {
            value,
            at_zero: with_equality != denied,
        }
    }
}
