//! Mistakes that take the parser more than a line to report.

use super::error::{codes, quoted};
use super::foreign::MAX_REPEATED;
use super::function::Function;
use super::parser::Parser;
use super::pending::Place;
use super::token::{Shape, Token, TokenKind};
use super::tree::{Argument, Arithmetic, Kind, Span, Word};
use crate::rational::Rational;

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
        let behind = self.source[right.range().end..].trim_start();
        let (left, after) = (self.text(left), self.text(right));
        let cure = match number_and_name(left) {
            _ if !short => "* between the two".to_owned(),
            // `2 1/s`: a unit is written behind its number, without another one.
            None if after == "1" && is_number(left) && behind.starts_with('/') => {
                let unit = behind[1..].trim_start();
                let end = unit.find(|c: char| !c.is_ascii_alphanumeric());
                let unit = &unit[..end.unwrap_or(unit.len())];
                format!("{left} {unit}^-1 for a number with a unit")
            }
            // `3 N m`: N*m may be meant to be the unit.
            Some((number, name)) if is_unit(after) => {
                format!(
                    "{left}*{after} where {name}*{after} is a unit, and {number}*{name}*{after} where it is not"
                )
            }
            // `1/2 m x`: the first two would be a quantity of that unit.
            Some((number, name)) => {
                format!("{number}*{name}*{after} ({left} is a number with a unit)")
            }
            None => format!("{left}*{after}"),
        };
        let help = format!("there is no implicit multiplication: write {cure}");
        let message = format!("an operator is missing before {}", quoted(self.text(right)));
        self.errors
            .report(codes::MISSING_OPERATOR, right, message, help);
    }

    /// Reports `sin^2(x)` and `sin 2*x`, where the next token starts an operand; whether it did.
    pub(super) fn bare_function(&mut self) -> bool {
        const POWER: TokenKind = TokenKind::Arithmetic(Arithmetic::Power);
        const MINUS: TokenKind = TokenKind::Arithmetic(Arithmetic::Subtract);
        let before = |count: usize| {
            let at = self.at.checked_sub(count)?;
            self.tokens.get(at).copied()
        };
        let kinds = [4, 3, 2, 1].map(|count| before(count).map(|token| token.kind));
        let name_at = match (self.kind(0), kinds) {
            (TokenKind::Open(Shape::Round), [_, _, Some(POWER), Some(TokenKind::Number)]) => 3,
            (
                TokenKind::Open(Shape::Round),
                [_, Some(POWER), Some(MINUS), Some(TokenKind::Number)],
            ) => 4,
            (TokenKind::Number, [.., Some(TokenKind::Name)]) => 1,
            _ => return false,
        };
        let Some(name) = before(name_at).filter(|token| token.kind == TokenKind::Name) else {
            return false;
        };
        let is_member = before(name_at + 1).is_some_and(|token| token.kind == TokenKind::Dot);
        let function = self.text(name.span);
        if is_member || Function::named(function).is_none() {
            return false;
        }
        let (span, message, help) = if name_at == 1 {
            let message = format!("{} stands without parentheses", quoted(function));
            let argument = self.factors_here().unwrap_or("x");
            (
                name.span.to(self.token().span),
                message,
                format!("write {function}({argument})"),
            )
        } else {
            let span = name.span.to(self.tokens[self.at - 1].span);
            let power = self.text(self.tokens[self.at - 1].span);
            let argument = self
                .arguments_here()
                .map_or_else(|| "x".to_owned(), |arguments| arguments.join(", "));
            let help = match (name_at, function, power) {
                (4, "sin" | "cos" | "tan", "1") => format!(
                    "write a{function}({argument}) for the inverse function, \
                     1/{function}({argument}) for the reciprocal"
                ),
                (4, ..) => format!("write {function}({argument})^-{power}"),
                _ => format!("write {function}({argument})^{power}"),
            };
            let message = format!("{} is not a function", quoted(self.text(span)));
            (span, message, help)
        };
        self.errors
            .report(codes::MISSING_OPERATOR, span, message, help);
        true
    }

    /// The arguments in the brackets that open here, if they are short.
    pub(super) fn arguments_here(&self) -> Option<Vec<&str>> {
        let mut depth = 0_usize;
        let mut start = self.tokens.get(self.at)?.span.end as usize;
        let mut arguments = Vec::new();
        for token in self.tokens[self.at..].iter().take(MAX_REPEATED) {
            let at = token.span.start as usize;
            match token.kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) if depth > 1 => depth -= 1,
                TokenKind::Comma | TokenKind::Close(_) if depth == 1 => {
                    let text = self.short(start, at)?.trim();
                    if !text.is_empty() || !arguments.is_empty() {
                        arguments.push(text);
                    }
                    start = token.span.end as usize;
                    if token.kind != TokenKind::Comma {
                        return Some(arguments);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The text from here to the end of the product that starts here, if it is short.
    fn factors_here(&self) -> Option<&str> {
        let start = self.token().span.start as usize;
        let mut depth = 0_usize;
        let mut end = start;
        for (index, token) in self.tokens[self.at..].iter().enumerate().take(MAX_REPEATED) {
            let follows_operator = index > 0
                && matches!(
                    self.tokens[self.at + index - 1].kind,
                    TokenKind::Arithmetic(_)
                );
            match token.kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) if depth > 0 => depth -= 1,
                TokenKind::Close(_) | TokenKind::End => return self.short(start, end),
                TokenKind::Comma | TokenKind::Relation(_) if depth == 0 => {
                    return self.short(start, end);
                }
                TokenKind::Arithmetic(Arithmetic::Add | Arithmetic::Subtract)
                    if depth == 0 && !follows_operator =>
                {
                    return self.short(start, end);
                }
                _ => {}
            }
            end = token.span.end as usize;
        }
        None
    }

    fn short(&self, start: usize, end: usize) -> Option<&str> {
        let text = self.source.get(start..end)?;
        (text.len() <= MAX_REPEATED).then_some(text)
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

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// Whether a text has the form of a unit, with a power or not.
fn is_unit(text: &str) -> bool {
    let (name, power) = text.split_once('^').unwrap_or((text, "1"));
    name.bytes().all(|b| b.is_ascii_alphabetic()) && power.parse::<i32>().is_ok()
}

/// A text that ends in a number and a name of one letter, apart: that may be a unit or a parameter.
fn number_and_name(text: &str) -> Option<(&str, &str)> {
    let (number, name) = text.rsplit_once(char::is_whitespace)?;
    let number = number.trim_end();
    let digits = number.ends_with(|last: char| last.is_ascii_digit() || last == '.');
    let letter = name.chars().count() == 1 && name.starts_with(char::is_alphabetic);
    (digits && letter).then_some((number, name))
}
