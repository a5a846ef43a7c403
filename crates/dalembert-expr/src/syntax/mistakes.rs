//! Mistakes that take the parser more than a line to report.

use super::error::{codes, quoted};
use super::parser::Parser;
use super::pending::Place;
use super::token::{Token, TokenKind};
use super::tree::{Argument, Kind, Span, Word};
use crate::rational::Rational;

/// Longest text repeated in a cure, in bytes.
const MAX_REPEATED: usize = 60;

impl Parser<'_> {
    /// Nothing here can be an operand: says what misses one, and puts in a placeholder.
    pub(super) fn missing_operand(&mut self) {
        let token = self.token();
        let here = Span {
            start: token.span.start,
            end: token.span.start,
        };
        if let Some(operator) = self.waiting() {
            if let Some(span) = operator.span() {
                let message = format!("{} has nothing on its right", quoted(self.text(span)));
                self.errors.report(
                    codes::MISSING_OPERAND,
                    span,
                    message,
                    "write an operand after it",
                );
            }
        } else if matches!(
            token.kind,
            TokenKind::Arithmetic(_) | TokenKind::Relation(_) | TokenKind::Dot
        ) {
            let message = format!("{} has nothing on its left", quoted(self.text(token.span)));
            self.errors.report(
                codes::MISSING_OPERAND,
                token.span,
                message,
                "write an operand before it",
            );
        } else if let Some(name) = &self.inside.name {
            let message = format!("the argument {} has no value", quoted(&name.text));
            self.errors.report(
                codes::MISSING_ITEM,
                name.span,
                message,
                "write its value after the =",
            );
        } else {
            self.missing_item(token);
        }
        self.push_operand(Kind::Number(Rational::ZERO), here);
        self.in_sequence = false;
    }

    /// Nothing stands before the next comma, closing bracket or end of text.
    fn missing_item(&mut self, token: Token) {
        let whole = self.inside.opening.to(token.span);
        let empty = token.kind != TokenKind::Comma && self.inside.items.is_empty();
        let (code, span, message, help) = match &self.inside.place {
            // A comma here is reported when it is read.
            Place::Whole | Place::Parentheses if !empty => return,
            Place::Whole => (
                codes::EMPTY,
                whole,
                "the expression is empty".to_owned(),
                "write a formula",
            ),
            Place::Parentheses => {
                let message = "the parentheses are empty".to_owned();
                (
                    codes::EMPTY_BRACKETS,
                    whole,
                    message,
                    "write an expression in them",
                )
            }
            Place::Vector if empty => {
                let message = "the vector is empty".to_owned();
                (
                    codes::EMPTY_BRACKETS,
                    whole,
                    message,
                    "write its elements: [a, b, c]",
                )
            }
            Place::Vector => {
                let message = "an element of the vector is missing".to_owned();
                (
                    codes::MISSING_ITEM,
                    token.span,
                    message,
                    "write it, or remove the comma",
                )
            }
            Place::Call(function) => {
                let message = format!("an argument of {} is missing", quoted(&function.text));
                (
                    codes::MISSING_ITEM,
                    token.span,
                    message,
                    "write it, or remove the comma",
                )
            }
        };
        self.errors.report(code, span, message, help);
    }

    pub(super) fn missing_operator(&mut self, left: Span, right: Span) {
        let both = left.to(right);
        let short = both.range().len() <= MAX_REPEATED && !self.errors.touch(both);
        let cure = if short {
            format!("{}*{}", self.text(left), self.text(right))
        } else {
            "* between the two".to_owned()
        };
        let help = format!("there is no implicit multiplication: write {cure}");
        let message = format!("an operator is missing before {}", quoted(self.text(right)));
        self.errors
            .report(codes::MISSING_OPERATOR, right, message, help);
    }

    pub(super) fn repeated_arguments(&mut self, arguments: &[Argument]) {
        let mut names: Vec<&Word> = arguments.iter().filter_map(|a| a.name.as_ref()).collect();
        names.sort_by(|a, b| a.text.cmp(&b.text).then(a.span.cmp(&b.span)));
        for pair in names.windows(2) {
            if pair[0].text == pair[1].text {
                let message = format!("the argument {} is given twice", quoted(&pair[1].text));
                self.errors.report(
                    codes::REPEATED_ARGUMENT,
                    pair[1].span,
                    message,
                    "remove one of the two",
                );
            }
        }
    }
}
