//! The layout as a sequence of marks: order, signs and parentheses, decided once for every notation.
//!
//! The notations differ in one respect only: where fractions are stacked the bar groups, where they
//! are written in line the parts need parentheses.
//!
//! A function has its argument without parentheses if that is one name, `ψ' sin θ`; in doubt — before a
//! slash, where the eye would go on — it gets them: `sin(θ)/l`. In exponents fractions are in line in
//! every notation.

use super::layout::{Item, ItemId, Layout, Product, takes_power};
use super::names::NameId;
use super::number::{Literal, vulgar};
use crate::op::Relation;
use crate::op::{Binary, Unary};
use crate::rational::Rational;

/// One mark. Those with an end enclose a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Sign of the first term.
    Minus,
    Add,
    Subtract,
    /// Product of things that stand apart by themselves.
    Juxtapose,
    /// Product of things that would run into one another: 2·3^x.
    Dot,
    /// Division in line.
    Slash,
    Comma,
    Open,
    Close,
    Abs,
    AbsEnd,
    Root,
    RootEnd,
    /// Stacked fraction: numerator, `Over`, denominator.
    Fraction,
    Over,
    FractionEnd,
    /// Base, `Exponent`, exponent.
    Power,
    Exponent,
    PowerEnd,
    /// A literal that is no fraction.
    Number(Literal),
    /// A fraction of two literals, such as ½.
    SmallFraction(String, String),
    Pi,
    Name(NameId),
    /// A function of one argument; a power goes to its name (sin²θ); `bare` is without parentheses.
    Function {
        op: Unary,
        power: i64,
        bare: bool,
    },
    Function2(Binary),
    /// A function made of a table: its name, and how often it is differentiated.
    Table(String, u8),
    /// [l > r], in brackets that are 1 where it is true and 0 elsewhere.
    Bracket,
    Relation(Relation),
    BracketEnd,
    FunctionEnd {
        bare: bool,
    },
}

/// Whether the part that begins behind `at` consists of one mark.
pub(super) fn is_single(tokens: &[Token], at: usize) -> bool {
    let atom = match tokens.get(at + 1) {
        Some(Token::Number(literal)) => literal.is_atom(),
        Some(Token::Pi | Token::Name(_)) => true,
        _ => false,
    };
    let ends = matches!(
        tokens.get(at + 2),
        Some(Token::Over | Token::Exponent | Token::FractionEnd | Token::PowerEnd | Token::RootEnd)
    );
    atom && ends
}

/// Whether a mark is the name of a function.
pub(super) fn is_function(token: Option<&Token>) -> bool {
    matches!(
        token,
        Some(Token::Function { .. } | Token::Function2(_) | Token::Table(..))
    )
}

/// Where an item stands: what is next to it decides about parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing can be misread: alone, or between delimiters.
    Free,
    /// A factor, or one side of a slash; `before_mark` if a parenthesis or a slash follows.
    Factor { before_mark: bool },
    /// The base of a power.
    Base,
    /// The exponent of a power.
    Exponent,
}

enum Work {
    Token(Token),
    Item(ItemId, Place),
    /// An item without its sign, that stands alone or is a term.
    Unsigned(ItemId),
    /// The end of an exponent.
    Lower,
}

/// The marks of a layout, with stacked fractions or all in one line.
pub(super) fn tokens(layout: &Layout, stacked: bool) -> Vec<Token> {
    let mut writer = Writer {
        layout,
        stacked,
        raised: 0,
        tokens: Vec::new(),
        stack: vec![Work::Item(0, Place::Free)],
    };
    let mut sequence = Vec::new();
    while let Some(work) = writer.stack.pop() {
        match work {
            Work::Token(token) => writer.tokens.push(token),
            Work::Item(item, place) => writer.item(item, place, &mut sequence),
            Work::Unsigned(item) => writer.unsigned(item, &mut sequence),
            Work::Lower => writer.raised -= 1,
        }
        writer.stack.extend(sequence.drain(..).rev());
    }
    writer.tokens
}

struct Writer<'a> {
    layout: &'a Layout,
    /// Whether the notation stacks fractions.
    stacked: bool,
    /// Number of exponents around what is written.
    raised: usize,
    tokens: Vec<Token>,
    /// What is left to write, the next on top.
    stack: Vec<Work>,
}

/// What takes the place of one item, in reading order.
type Sequence = Vec<Work>;

fn mark(sequence: &mut Sequence, token: Token) {
    sequence.push(Work::Token(token));
}

impl Writer<'_> {
    /// Whether a fraction is stacked here.
    fn is_stacked(&self) -> bool {
        self.stacked && self.raised == 0
    }

    /// The form of a literal that is no factor.
    fn literal(&self, value: &Rational) -> Literal {
        if self.stacked {
            Literal::of(value)
        } else {
            Literal::alone(value)
        }
    }

    fn item(&mut self, id: ItemId, place: Place, out: &mut Sequence) {
        if place == Place::Exponent {
            self.raised += 1;
        }
        if self.needs_parentheses(id, place) {
            mark(out, Token::Open);
            out.push(Work::Item(id, Place::Free));
            return mark(out, Token::Close);
        }
        match &self.layout.items[id] {
            Item::Number(value) if place == Place::Exponent => {
                exponent_number(value, out);
                out.push(Work::Lower);
            }
            _ if place == Place::Exponent => {
                out.extend([Work::Item(id, Place::Free), Work::Lower]);
            }
            Item::Number(_) | Item::Product(_) => {
                if self.is_negative(id) {
                    mark(out, Token::Minus);
                }
                out.push(Work::Unsigned(id));
            }
            Item::Pi => mark(out, Token::Pi),
            Item::Name(name) => mark(out, Token::Name(*name)),
            Item::Sum(range) => {
                for (n, term) in self.layout.terms[range.clone()].iter().enumerate() {
                    match (n, term.negative != self.is_negative(term.item)) {
                        (0, false) => {}
                        (0, true) => mark(out, Token::Minus),
                        (_, false) => mark(out, Token::Add),
                        (_, true) => mark(out, Token::Subtract),
                    }
                    out.push(Work::Unsigned(term.item));
                }
            }
            Item::Power(base, exponent) => self.power(*base, *exponent, place, out),
            Item::Function(op, x) => self.function(*op, 1, *x, place, out),
            Item::Function2(op, a, b) => {
                mark(out, Token::Function2(*op));
                out.push(Work::Item(*a, Place::Free));
                mark(out, Token::Comma);
                out.push(Work::Item(*b, Place::Free));
                mark(out, Token::FunctionEnd { bare: false });
            }
            Item::Table(name, order, x) => {
                mark(out, Token::Table(name.clone(), *order));
                out.push(Work::Item(*x, Place::Free));
                mark(out, Token::FunctionEnd { bare: false });
            }
            Item::Condition(relation, [left, right], a) => {
                mark(out, Token::Bracket);
                out.push(Work::Item(*left, Place::Free));
                mark(out, Token::Relation(*relation));
                out.push(Work::Item(*right, Place::Free));
                mark(out, Token::BracketEnd);
                let alone = matches!(&self.layout.items[*a], Item::Number(n) if n.is_one());
                if !alone {
                    let factors = &self.layout.items[*a];
                    let product = matches!(factors, Item::Product(_) | Item::Condition(..));
                    let digit = self.starts_with_digit(*a);
                    mark(out, if digit { Token::Dot } else { Token::Juxtapose });
                    out.push(match product && !self.is_negative(*a) {
                        true => Work::Unsigned(*a),
                        false => Work::Item(*a, Place::Factor { before_mark: false }),
                    });
                }
            }
        }
    }

    fn unsigned(&mut self, id: ItemId, out: &mut Sequence) {
        match &self.layout.items[id] {
            Item::Number(value) => match self.literal(value) {
                Literal::Fraction(n, d) if self.stacked && self.raised > 0 => in_line(n, d, out),
                Literal::Fraction(n, d) => mark(out, Token::SmallFraction(n, d)),
                literal => mark(out, Token::Number(literal)),
            },
            Item::Product(product) => self.product(&product.clone(), out),
            _ => self.item(id, Place::Free, out),
        }
    }

    fn is_negative(&self, id: ItemId) -> bool {
        match &self.layout.items[id] {
            Item::Number(value) => value.is_negative(),
            Item::Product(product) => product.coefficient.is_negative(),
            _ => false,
        }
    }

    fn needs_parentheses(&self, id: ItemId, place: Place) -> bool {
        let tight = matches!(place, Place::Base);
        match (&self.layout.items[id], place) {
            (_, Place::Free | Place::Exponent) => false,
            (Item::Sum(_) | Item::Product(_) | Item::Condition(..), _) => true,
            (Item::Number(value), _) => {
                let literal = self.literal(value);
                let splits = match literal {
                    Literal::Integer(_) | Literal::Decimal(_) => false,
                    Literal::Scientific(..) => tight,
                    Literal::Fraction(..) => tight || !self.is_stacked(),
                };
                splits || value.is_negative()
            }
            (Item::Power(..), _) => tight,
            (Item::Function(Unary::Abs, _), _) => false,
            (Item::Function(Unary::Sqrt, _), _) => tight && !self.stacked,
            (Item::Function(..), _) => tight,
            (Item::Table(..), _) => tight,
            (Item::Pi | Item::Name(_) | Item::Function2(..), _) => false,
        }
    }

    fn power(&self, base: ItemId, exponent: ItemId, place: Place, out: &mut Sequence) {
        if let Some((op, x, power)) = self.power_of_function(base, exponent) {
            return self.function(op, power, x, place, out);
        }
        mark(out, Token::Power);
        out.push(Work::Item(base, Place::Base));
        mark(out, Token::Exponent);
        out.push(Work::Item(exponent, Place::Exponent));
        mark(out, Token::PowerEnd);
    }

    /// sin²θ: function, argument and exponent, where that is how it is written.
    fn power_of_function(&self, base: ItemId, exponent: ItemId) -> Option<(Unary, ItemId, i64)> {
        let Item::Function(op, x) = self.layout.items[base] else {
            return None;
        };
        let Item::Number(n) = &self.layout.items[exponent] else {
            return None;
        };
        let n = n.as_integer().filter(|n| takes_power(op) && *n > 1)?;
        Some((op, x, n))
    }

    fn function(&self, op: Unary, power: i64, x: ItemId, place: Place, out: &mut Sequence) {
        let (start, end) = match op {
            Unary::Abs => (Token::Abs, Token::AbsEnd),
            Unary::Sqrt => (Token::Root, Token::RootEnd),
            _ => {
                let doubtful = place == Place::Factor { before_mark: true };
                let usual = !matches!(op, Unary::Exp | Unary::Sign);
                let name = matches!(self.layout.items[x], Item::Name(_) | Item::Pi);
                let bare = usual && name && !doubtful;
                (
                    Token::Function { op, power, bare },
                    Token::FunctionEnd { bare },
                )
            }
        };
        mark(out, start);
        out.push(Work::Item(x, Place::Free));
        mark(out, end);
    }

    fn product(&self, product: &Product, out: &mut Sequence) {
        let numerator = &self.layout.factors[product.numerator.clone()];
        let denominator = &self.layout.factors[product.denominator.clone()];
        // π/2, not ½ π
        let only_pi =
            matches!(numerator, [single] if matches!(self.layout.items[*single], Item::Pi));
        let (above, below) = match Literal::of(&product.coefficient) {
            Literal::Fraction(p, q)
                if denominator.is_empty()
                    && !only_pi
                    && (self.is_stacked() || (!self.stacked && vulgar(&p, &q).is_some())) =>
            {
                (Some(Token::SmallFraction(p, q)), None)
            }
            Literal::Fraction(p, q) => (integer_token(p), Some(Token::Number(Literal::Integer(q)))),
            Literal::Integer(n) => (integer_token(n), None),
            literal => (Some(Token::Number(literal)), None),
        };
        if denominator.is_empty() && below.is_none() {
            return self.factors(above, numerator, false, out);
        }
        if self.is_stacked() {
            mark(out, Token::Fraction);
            self.side(above, numerator, out);
            mark(out, Token::Over);
            self.side(below, denominator, out);
            return mark(out, Token::FractionEnd);
        }
        self.factors(above, numerator, true, out);
        mark(out, Token::Slash);
        let enclosed = denominator.len() + usize::from(below.is_some()) > 1;
        if enclosed {
            mark(out, Token::Open);
        }
        self.factors(below, denominator, false, out);
        if enclosed {
            mark(out, Token::Close);
        }
    }

    /// One side of a stacked fraction, where a single factor needs no parentheses.
    fn side(&self, number: Option<Token>, factors: &[ItemId], out: &mut Sequence) {
        match (&number, factors) {
            (None, [single]) => out.push(Work::Item(*single, Place::Free)),
            _ => self.factors(number, factors, false, out),
        }
    }

    /// Factors side by side; 1 if there are none.
    fn factors(
        &self,
        number: Option<Token>,
        factors: &[ItemId],
        before_slash: bool,
        out: &mut Sequence,
    ) {
        let number = number.or_else(|| factors.is_empty().then(one));
        let mut is_first = number.is_none();
        out.extend(number.map(Work::Token));
        for (n, &factor) in factors.iter().enumerate() {
            if !is_first {
                let mark = if self.starts_with_digit(factor) {
                    Token::Dot
                } else {
                    Token::Juxtapose
                };
                out.push(Work::Token(mark));
            }
            is_first = false;
            let before_mark = match factors.get(n + 1) {
                Some(&next) => self.starts_with_parenthesis(next),
                None => before_slash,
            };
            out.push(Work::Item(factor, Place::Factor { before_mark }));
        }
    }

    fn starts_with_digit(&self, factor: ItemId) -> bool {
        let number = |id: ItemId, place| {
            matches!(self.layout.items[id], Item::Number(_)) && !self.needs_parentheses(id, place)
        };
        match self.layout.items[factor] {
            Item::Power(base, _) => number(base, Place::Base),
            _ => number(factor, Place::Factor { before_mark: false }),
        }
    }

    fn starts_with_parenthesis(&self, factor: ItemId) -> bool {
        match self.layout.items[factor] {
            Item::Power(base, exponent) => {
                self.power_of_function(base, exponent).is_none()
                    && self.needs_parentheses(base, Place::Base)
            }
            _ => self.needs_parentheses(factor, Place::Factor { before_mark: false }),
        }
    }
}

/// A literal exponent: fractions go in line there.
fn exponent_number(value: &Rational, out: &mut Sequence) {
    if value.is_negative() {
        mark(out, Token::Minus);
    }
    match Literal::of(value) {
        Literal::Fraction(n, d) => in_line(n, d, out),
        literal => mark(out, Token::Number(literal)),
    }
}

fn in_line(numerator: String, denominator: String, out: &mut Sequence) {
    mark(out, Token::Number(Literal::Integer(numerator)));
    mark(out, Token::Slash);
    mark(out, Token::Number(Literal::Integer(denominator)));
}

fn one() -> Token {
    Token::Number(Literal::Integer("1".to_owned()))
}

/// An integer coefficient; 1 is not written.
fn integer_token(digits: String) -> Option<Token> {
    (digits != "1").then_some(Token::Number(Literal::Integer(digits)))
}
