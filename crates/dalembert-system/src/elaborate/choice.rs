//! `if(condition, a, b)`: one value or another.

use super::{Elaborator, Part, Value};
use crate::model::{Expression, counted};
use dalembert_expr::syntax::{Argument, Join, Kind, NodeId, Relation, Tree, Word, choice};
use dalembert_expr::{ExprId, Graph};
use std::ops::Range;

/// How it is written.
const FORM: &str = "write if(condition, a, b) with a comparison by <, <=, > or >=, such as if(t < 1, a, b) or if(t > 1 and t < 2, a, b)";

/// A part of a condition as written.
pub(super) enum Written {
    /// What is compared, how, and where.
    Compared(Relation, [Option<Value>; 2], Range<usize>),
    Joined(Join),
    Not,
}

/// The parts of a condition, each after those that it is made of; none if it is something else.
pub(super) fn compared(
    tree: &Tree,
    root: NodeId,
    value: impl Fn(NodeId) -> Option<Value>,
) -> Vec<Written> {
    let (mut open, mut parts) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        parts.push(match &tree[id].kind {
            Kind::Relation {
                relation,
                left,
                right,
            } => {
                let sides = [value(*left), value(*right)];
                Written::Compared(*relation, sides, tree[id].span.range())
            }
            Kind::Joined { join, left, right } => {
                open.extend([*left, *right]);
                Written::Joined(*join)
            }
            Kind::Not(operand) => {
                open.push(*operand);
                Written::Not
            }
            _ => return Vec::new(),
        });
    }
    parts.reverse();
    parts
}

impl Elaborator<'_> {
    /// The value of a choice, of numbers or of vectors.
    pub(super) fn choice(
        &mut self,
        expression: &Expression,
        function: &Word,
        arguments: &[Argument],
        (condition, values): (Option<Vec<Written>>, &[Option<Value>]),
    ) -> Option<Value> {
        let (tree, at) = (&expression.tree, function.span.range());
        if let Some(named) = arguments.iter().find_map(|it| it.name.as_ref()) {
            let message = format!("`if` has no argument `{}`", named.text);
            self.refuse(expression, named.span.range(), "E0204", message, FORM);
            return None;
        }
        if arguments.len() != 3 {
            let (wanted, given) = (counted(3, "argument"), arguments.len());
            let message = format!("`if` takes {wanted}, not {given}");
            self.refuse(expression, at, "E0203", message, FORM);
            return None;
        }
        let place = tree[arguments[0].value].span.range();
        let equation = |part: &Written| matches!(part, Written::Compared(Relation::Equal, ..));
        let Some(condition) =
            condition.filter(|parts| !parts.is_empty() && !parts.iter().any(equation))
        else {
            let message = "the condition of `if` is not a comparison";
            self.refuse(expression, place, "E0402", message, FORM);
            return None;
        };
        let condition = self.condition(expression, condition)?;
        let (yes, no) = (values[1]?.without_point(), values[2]?.without_point());
        let choose =
            |graph: &mut Graph, yes: ExprId, no: ExprId| chosen(graph, &condition, [yes, no]);
        match (yes, no) {
            (Value::Scalar(yes), Value::Scalar(no)) => {
                Some(Value::Scalar(choose(&mut self.graph, yes, no)))
            }
            (Value::Vector(yes), Value::Vector(no)) => {
                Some(Value::Vector(std::array::from_fn(|i| {
                    choose(&mut self.graph, yes[i], no[i])
                })))
            }
            (yes, no) => {
                let message = format!("`if` cannot be {} or {}", yes.kind(), no.kind());
                let help = "both values are numbers, or both are vectors";
                self.refuse(expression, at, "E0402", message, help);
                None
            }
        }
    }

    /// A condition, with numbers on both sides of all comparisons.
    pub(super) fn condition(
        &mut self,
        expression: &Expression,
        parts: Vec<Written>,
    ) -> Option<Vec<Part>> {
        let mut found = Vec::with_capacity(parts.len());
        for part in parts {
            found.push(match part {
                Written::Joined(join) => Some(Part::Joined(join)),
                Written::Not => Some(Part::Not),
                Written::Compared(relation, [Some(left), Some(right)], at) => match (left, right) {
                    (Value::Scalar(left), Value::Scalar(right)) => {
                        Some(Part::Compared(relation, [left, right]))
                    }
                    _ => {
                        let message = "only numbers can be compared";
                        let help = "compare components, or lengths by norm(...)";
                        self.refuse(expression, at, "E0402", message, help);
                        None
                    }
                },
                // It was said already what is wrong with it.
                Written::Compared(..) => None,
            });
        }
        found.into_iter().collect()
    }
}

/// Where a comparison leads to.
#[derive(Clone, Copy)]
enum Way {
    Value(ExprId),
    /// Another comparison, by its place.
    On(usize),
}

/// One value where a condition holds, another where it does not: each comparison is asked once, from the left, and only where those before it
/// have not decided.
fn chosen(graph: &mut Graph, parts: &[Part], [yes, no]: [ExprId; 2]) -> ExprId {
    // The comparison that each part begins with.
    let mut first: Vec<usize> = Vec::with_capacity(parts.len());
    for (k, part) in parts.iter().enumerate() {
        first.push(match part {
            Part::Compared(..) => k,
            Part::Not => first[k - 1],
            Part::Joined(_) => first[first[k - 1] - 1],
        });
    }
    let mut ways = vec![[Way::Value(yes), Way::Value(no)]; parts.len()];
    let mut values = vec![no; parts.len()];
    for (k, part) in parts.iter().enumerate().rev() {
        let [holds, fails] = ways[k];
        match part {
            Part::Not => ways[k - 1] = [fails, holds],
            Part::Joined(join) => {
                let right = k - 1;
                let left = first[right] - 1;
                ways[right] = [holds, fails];
                let on = Way::On(first[right]);
                ways[left] = match join {
                    Join::And => [on, fails],
                    Join::Or => [holds, on],
                };
            }
            Part::Compared(relation, sides) => {
                let found = [holds, fails].map(|way| match way {
                    Way::Value(value) => value,
                    Way::On(next) => values[next],
                });
                values[k] = choice(graph, *relation, *sides, found);
            }
        }
    }
    values[0]
}
