//! Conditions made of several: `x > 0 and not (y > 1 or z > 2)`.

use super::error::{codes, quoted};
use super::parser::Parser;
use super::pending::{Operand, Operator, Place};
use super::token::TokenKind;
use super::tree::{Join, Kind};

/// The word before a condition that must not hold.
pub(super) const NOT: &str = "not";
/// Words that are no names.
pub const CONNECTIVES: [&str; 3] = ["and", "or", NOT];

impl Parser<'_> {
    /// Whether a word follows that joins two conditions.
    pub(super) fn join_follows(&self) -> Option<Join> {
        let token = self.token();
        match (token.kind, self.text(token.span)) {
            (TokenKind::Name, "and") => Some(Join::And),
            (TokenKind::Name, "or") => Some(Join::Or),
            _ => None,
        }
    }

    /// Whether what is read stands in parentheses only, in a condition or by itself.
    pub(super) fn in_condition(&self) -> bool {
        match self.inside.place {
            Place::Whole => true,
            Place::Parentheses => self.inside.of_condition,
            _ => self.inside.is_condition_of_choice(),
        }
    }

    /// Makes one condition of two, or of one its opposite.
    pub(super) fn apply_to_conditions(&mut self, operator: Operator) {
        let right = self.pop_operand();
        let (kind, all) = match operator {
            Operator::Joined { join, .. } => {
                let left = self.pop_operand();
                self.want_condition(left, &operator);
                let all = left.span.to(right.span);
                let (left, right) = (left.node, right.node);
                (Kind::Joined { join, left, right }, all)
            }
            _ => {
                let start = operator.span().unwrap_or(right.span);
                (Kind::Not(right.node), start.to(right.span))
            }
        };
        self.want_condition(right, &operator);
        self.push_operand(kind, all);
    }

    /// A part of a condition compares.
    fn want_condition(&mut self, part: Operand, operator: &Operator) {
        let is_missing = part.span.start == part.span.end;
        let is_condition = self.nodes[part.node.index()].kind.is_condition();
        if is_condition || is_missing || self.errors.touch(part.span) {
            return;
        }
        let word = operator.span().map(|span| quoted(self.text(span)));
        let (what, word) = (quoted(self.text(part.span)), word.unwrap_or_default());
        let message = format!("{what} is no comparison, and {word} is about comparisons");
        let help = "write what is compared on both sides: x > 1 and x < 2";
        self.errors
            .report(codes::NO_CONDITION, part.span, message, help);
    }

    /// A condition in parentheses has no value to compute with.
    pub(super) fn refuse_condition(&mut self, part: Operand) {
        let node = &self.nodes[part.node.index()];
        let in_parentheses = node.span != part.span;
        if !node.kind.is_condition() || !in_parentheses || self.errors.touch(part.span) {
            return;
        }
        let message = format!("{} has no value", quoted(self.text(part.span)));
        let help = "a condition holds or does not; write if(condition, 1, 0) for a number";
        self.errors
            .report(codes::RELATION_IN_BRACKETS, part.span, message, help);
    }
}
