//! Numbers with units.

use super::token::{Token, TokenKind};
use super::tree::{Arithmetic, Kind, Node, UnitFactor, Word};
use crate::rational::Rational;

const POWER: TokenKind = TokenKind::Arithmetic(Arithmetic::Power);
const MINUS: TokenKind = TokenKind::Arithmetic(Arithmetic::Subtract);
const PLUS: TokenKind = TokenKind::Arithmetic(Arithmetic::Add);

/// Reads `NAME` or `NAME ^ [sign] INTEGER` at the start of `tokens`, which is a name.
///
/// Gives the factor and how many tokens it takes; `None` if the power is not a whole number.
pub(super) fn unit_factor(source: &str, tokens: &[Token]) -> Option<(UnitFactor, usize)> {
    let name = Word::new(source, tokens.first()?.span);
    if kind(tokens, 1) != POWER {
        return Some((UnitFactor { name, power: 1 }, 1));
    }
    let (sign, digits) = match kind(tokens, 2) {
        MINUS => (-1, 3),
        PLUS => (1, 3),
        _ => (1, 2),
    };
    // A second power, `m^2^2`, could belong to the unit or to the quantity: neither is guessed.
    if kind(tokens, digits) != TokenKind::Number || kind(tokens, digits + 1) == POWER {
        return None;
    }
    let magnitude: i32 = tokens.get(digits)?.span.text(source).parse().ok()?;
    Some((
        UnitFactor {
            name,
            power: sign * magnitude,
        },
        digits + 1,
    ))
}

/// The quantity that the whole of `tokens` is, if it has exactly the shape of one.
pub(super) fn whole_quantity(source: &str, tokens: &[Token]) -> Option<Node> {
    let (negative, at) = match kind(tokens, 0) {
        MINUS => (true, 1),
        PLUS => (false, 1),
        _ => (false, 0),
    };
    if kind(tokens, at) != TokenKind::Number {
        return None;
    }
    let magnitude = Rational::parse_decimal(tokens.get(at)?.span.text(source)).ok()?;
    let mut rest = tokens.get(at + 1..)?;
    let mut unit = Vec::new();
    let mut divided = false;
    loop {
        if kind(rest, 0) != TokenKind::Name {
            return None;
        }
        let (mut factor, used) = unit_factor(source, rest)?;
        if divided {
            factor.power = -factor.power;
        }
        unit.push(factor);
        divided = match kind(rest, used) {
            TokenKind::Arithmetic(Arithmetic::Multiply) => false,
            TokenKind::Arithmetic(Arithmetic::Divide) => true,
            TokenKind::End => {
                let number = if negative {
                    magnitude.negated()
                } else {
                    magnitude
                };
                let kind = Kind::Quantity {
                    number,
                    unit: unit.into(),
                };
                return Some(Node {
                    kind,
                    span: tokens[0].span.to(rest[used - 1].span),
                });
            }
            _ => return None,
        };
        rest = &rest[used + 1..];
    }
}

fn kind(tokens: &[Token], at: usize) -> TokenKind {
    tokens.get(at).map_or(TokenKind::End, |token| token.kind)
}
