//! Reading operands: what the parser does where one is wanted.

use super::condition::NOT;
use super::error::{codes, quoted};
use super::parser::Parser;
use super::pending::{Bracket, Operator, Place};
use super::quantity::unit_factor;
use super::token::{Shape, TokenKind};
use super::tree::{Arithmetic, Kind, MAX_PRIMES, Relation, Sign, Span, UnitFactor, Word};
use crate::binding::Binding;
use crate::rational::{LiteralError, Rational};

impl Parser<'_> {
    pub(super) fn operand(&mut self) {
        let token = self.token();
        match token.kind {
            TokenKind::Number | TokenKind::Index => self.number(),
            TokenKind::Name if self.text(token.span) == NOT => {
                self.advance();
                self.push_operator(Operator::Not { span: token.span });
            }
            TokenKind::Name => self.name(),
            TokenKind::Text => {
                self.advance();
                let text = self.text(token.span).trim_matches('"').into();
                self.push_operand(Kind::Text(text), token.span);
                self.in_sequence = false;
            }
            TokenKind::Open(shape) => {
                self.advance();
                let place = match shape {
                    Shape::Round => Place::Parentheses,
                    Shape::Square => Place::Vector,
                };
                self.open(place, token.span);
            }
            TokenKind::Arithmetic(Arithmetic::Add) => self.sign(Sign::Plus),
            TokenKind::Arithmetic(Arithmetic::Subtract) => self.sign(Sign::Minus),
            TokenKind::Close(_) if self.inside.is_call() && self.at_start_of_list() => self.close(),
            TokenKind::Primes => {
                self.errors.report(
                    codes::STRAY_PRIME,
                    token.span,
                    "the prime follows no name",
                    "write primes after the name, and texts in double quotes",
                );
                self.skip_for_operand();
            }
            TokenKind::Unknown => self.skip_for_operand(),
            _ => self.missing_operand(),
        }
    }

    fn at_start_of_list(&self) -> bool {
        self.inside.items.is_empty() && self.inside.name.is_none() && self.waiting().is_none()
    }

    /// Skips what has been reported, and lets it stand for an operand unless one follows.
    fn skip_for_operand(&mut self) {
        let token = self.advance();
        if !self.kind(0).starts_operand() {
            self.push_operand(Kind::Number(Rational::ZERO), token.span);
            self.in_sequence = false;
        }
    }

    fn number(&mut self) {
        let token = self.advance();
        let number = self.literal(token.span);
        let in_exponent = self
            .waiting()
            .is_some_and(|operator| operator.binding() == Binding::Power);
        if in_exponent || !self.unit_follows() {
            self.push_operand(Kind::Number(number), token.span);
        } else {
            let unit = [self.unit()].into();
            let span = token.span.to(self.tokens[self.at - 1].span);
            self.push_operand(Kind::Quantity { number, unit }, span);
        }
        self.in_sequence = false;
    }

    /// The unit that follows.
    fn unit(&mut self) -> UnitFactor {
        if let Some((factor, used)) = unit_factor(self.source, &self.tokens[self.at..]) {
            self.at += used;
            return factor;
        }
        let name = Word::new(self.source, self.advance().span);
        let message = format!(
            "the power of the unit {} is not a whole number",
            quoted(&name.text)
        );
        let kinds = [1, 2, 3, 4].map(|ahead| self.kind(ahead));
        let help = match kinds {
            [
                TokenKind::Open(_),
                TokenKind::Arithmetic(Arithmetic::Subtract),
                TokenKind::Number,
                TokenKind::Close(_),
            ]
            | [
                TokenKind::Open(_),
                TokenKind::Number,
                TokenKind::Close(_),
                _,
            ] => "write the power without parentheses: m^-1",
            _ => "put the quantity in parentheses to raise all of it to a power",
        };
        self.errors
            .report(codes::UNIT_POWER, self.token().span, message, help);
        UnitFactor { name, power: 1 }
    }

    fn literal(&mut self, span: Span) -> Rational {
        let text = self.text(span);
        // Nearly all literals are short whole numbers, which need no big integers on the way.
        if let Ok(whole) = text.parse::<i64>() {
            return Rational::integer(whole);
        }
        let (message, help) = match Rational::parse_decimal(text) {
            Ok(number) => return number,
            // Reported when the text was cut into tokens.
            Err(LiteralError::Malformed) => return Rational::ZERO,
            Err(LiteralError::TooManyDigits) => ("has too many digits", "write fewer digits"),
            Err(LiteralError::OutOfRange) => {
                ("is beyond the range of numbers", "choose other units")
            }
        };
        let message = format!("{} {message}", quoted(text));
        self.errors
            .report(codes::NUMBER_OUT_OF_RANGE, span, message, help);
        Rational::ZERO
    }

    /// Whether a name follows that can only be a unit: not a call, a rate, a member or the name of
    /// the next argument.
    fn unit_follows(&self) -> bool {
        let after = self.kind(1);
        self.kind(0) == TokenKind::Name
            && !matches!(
                after,
                TokenKind::Open(Shape::Round) | TokenKind::Primes | TokenKind::Dot
            )
            && !self.argument_name_follows()
            && self.join_follows().is_none()
    }

    pub(super) fn argument_name_follows(&self) -> bool {
        let equals = TokenKind::Relation(Relation::Equal);
        self.inside.is_call() && self.kind(0) == TokenKind::Name && self.kind(1) == equals
    }

    fn name(&mut self) {
        if self.argument_name_follows() && self.inside.name.is_none() && self.waiting().is_none() {
            self.inside.name = Some(Word::new(self.source, self.token().span));
            self.at += 2;
            return;
        }
        let token = self.advance();
        if self.kind(0) == TokenKind::Open(Shape::Round) {
            let opening = token.span.to(self.advance().span);
            return self.open(Place::Call(Word::new(self.source, token.span)), opening);
        }
        let (length, span, primes) = self.derivative(token.span);
        let name = self.source[token.span.range()][..length].into();
        self.push_operand(Kind::Name { name, primes }, span);
        self.in_sequence = true;
    }

    /// Length of the name at `word` without `_dot` and `_ddot`, the extent with all that marks
    /// derivatives, and their number. The primes after the name are consumed.
    pub(super) fn derivative(&mut self, word: Span) -> (usize, Span, u8) {
        let mut base = self.text(word);
        let mut count = 0;
        loop {
            let shorter = match (base.strip_suffix("_dot"), base.strip_suffix("_ddot")) {
                (Some(shorter), _) if !shorter.is_empty() => (shorter, 1),
                (_, Some(shorter)) if !shorter.is_empty() => (shorter, 2),
                _ => break,
            };
            base = shorter.0;
            count += shorter.1;
        }
        let length = base.len();
        let mut span = word;
        if self.kind(0) == TokenKind::Primes {
            let primes = self.advance().span;
            count += self.text(primes).chars().count();
            span = word.to(primes);
        }
        match u8::try_from(count) {
            Ok(primes) if primes <= MAX_PRIMES => (length, span, primes),
            _ => {
                let name = quoted(&self.source[word.range()][..length]);
                let message = format!("{name} is differentiated {count} times");
                self.errors.report(
                    codes::TOO_MANY_PRIMES,
                    span,
                    message,
                    format!("write at most {MAX_PRIMES} primes"),
                );
                (length, span, MAX_PRIMES)
            }
        }
    }

    fn sign(&mut self, sign: Sign) {
        let binding = match self.waiting() {
            Some(operator) if operator.binding() == Binding::Power => Binding::Power,
            _ => Binding::Sign,
        };
        let span = self.advance().span;
        self.push_operator(Operator::Sign {
            sign,
            binding,
            span,
        });
    }

    pub(super) fn open(&mut self, place: Place, opening: Span) {
        let mut bracket = Bracket::new(place, opening, self.operators.len());
        bracket.of_condition = self.in_condition();
        self.outside
            .push(std::mem::replace(&mut self.inside, bracket));
    }
}
