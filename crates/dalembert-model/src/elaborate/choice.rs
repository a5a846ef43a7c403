//! `if(condition, a, b)`: one value or another.

use super::{Elaborator, Value};
use crate::model::{Expression, counted};
use dalembert_expr::syntax::{Argument, Relation, Word, choice};
use dalembert_expr::{ExprId, Graph};

/// How it is written.
const FORM: &str =
    "write if(condition, a, b) with a comparison by <, <=, > or >=, such as if(t < 1, a, b)";

/// What is compared, and how.
pub(super) type Comparison = (Relation, [Option<Value>; 2]);

impl Elaborator<'_> {
    /// The value of a choice, of numbers or of vectors.
    pub(super) fn choice(
        &mut self,
        expression: &Expression,
        function: &Word,
        arguments: &[Argument],
        (condition, values): (Option<Comparison>, &[Option<Value>]),
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
        let Some((relation, sides)) = condition.filter(|(it, _)| *it != Relation::Equal) else {
            let message = "the condition of `if` is not a comparison";
            self.refuse(expression, place, "E0402", message, FORM);
            return None;
        };
        let [left, right] = [sides[0]?, sides[1]?];
        let (Value::Scalar(left), Value::Scalar(right)) = (left, right) else {
            let message = "only numbers can be compared";
            let help = "compare components, or lengths by norm(...)";
            self.refuse(expression, place, "E0402", message, help);
            return None;
        };
        let (yes, no) = (values[1]?.without_point(), values[2]?.without_point());
        let choose = |graph: &mut Graph, yes: ExprId, no: ExprId| {
            choice(graph, relation, [left, right], [yes, no])
        };
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
}
