//! From tokens to the tree, by operator precedence with explicit stacks.
//!
//! Reading alternates between two states: an operand is wanted, or one has just been read and
//! something must follow it. Operands wait on one stack and operators on another; an operator is
//! *applied*, that is, becomes a node with its operands below it, as soon as one that binds no
//! tighter follows. An opening bracket starts a new expression above the waiting ones and remembers
//! how high the operator stack was.
//!
//! After a mistake the parser puts in what is missing, a 0 for an operand and `*` for an operator,
//! and goes on. Such a tree only serves to look for further mistakes.

use super::Reading;
use super::error::{Errors, codes, quoted};
use super::foreign::method_cure;
use super::pending::{Bracket, Operand, Operator, Place, binding, joining};
use super::token::{Shape, Token, TokenKind};
use super::tree::{Argument, Arithmetic, Kind, Node, NodeId, Relation, Span, Tree, Word};
use crate::binding::Binding;

pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) nodes: Vec<Node>,
    operands: Vec<Operand>,
    pub(super) operators: Vec<Operator>,
    /// The innermost bracket, and those around it.
    pub(super) inside: Bracket,
    pub(super) outside: Vec<Bracket>,
    wants_operand: bool,
    /// Whether the operand just read is a name, a call, a member or in parentheses, which may be
    /// followed by a name to form a sequence.
    pub(super) in_sequence: bool,
    pub(super) errors: Errors,
}

/// Parses balanced tokens; `errors` are those found so far.
pub(super) fn parse(source: &str, tokens: Vec<Token>, errors: Errors) -> Reading {
    let mut parser = Parser {
        source,
        at: 0,
        tokens,
        nodes: Vec::new(),
        operands: Vec::new(),
        operators: Vec::new(),
        inside: Bracket::new(Place::Whole, Span::default(), 0),
        outside: Vec::new(),
        wants_operand: true,
        in_sequence: false,
        errors,
    };
    while !parser.errors.is_full() {
        if parser.wants_operand {
            parser.operand();
        } else if parser.kind(0) == TokenKind::End {
            parser.apply_down_to(Binding::Or);
            break;
        } else {
            parser.after_operand();
        }
    }
    // With so many mistakes that reading stopped there is no tree worth looking at.
    let complete = !parser.errors.is_full() && !parser.nodes.is_empty();
    Reading {
        tree: complete.then(|| Tree::new(parser.nodes)),
        errors: parser.errors.sorted(),
    }
}

impl Parser<'_> {
    pub(super) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    /// Kind of the token `offset` further on; `End` stands for whatever is beyond the end.
    pub(super) fn kind(&self, offset: usize) -> TokenKind {
        self.tokens
            .get(self.at + offset)
            .map_or(TokenKind::End, |token| token.kind)
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token();
        self.at += 1;
        token
    }

    pub(super) fn text(&self, span: Span) -> &str {
        span.text(self.source)
    }

    /// The operator that waits for the next operand, if there is one inside this bracket.
    pub(super) fn waiting(&self) -> Option<&Operator> {
        self.operators.get(self.inside.floor..)?.last()
    }

    pub(super) fn push_operand(&mut self, kind: Kind, span: Span) {
        let node = NodeId::new(self.nodes.len());
        self.nodes.push(Node { kind, span });
        self.operands.push(Operand { node, span });
        self.wants_operand = false;
    }

    pub(super) fn pop_operand(&mut self) -> Operand {
        self.operands
            .pop()
            .expect("every operator is pushed after an operand and applied after another")
    }

    pub(super) fn push_operator(&mut self, operator: Operator) {
        self.operators.push(operator);
        self.wants_operand = true;
    }

    /// Applies the operators of this bracket that bind at least as tightly as `least`.
    pub(super) fn apply_down_to(&mut self, least: Binding) {
        while self
            .waiting()
            .is_some_and(|operator| operator.binding() >= least)
        {
            if let Some(operator) = self.operators.pop() {
                self.apply(operator);
            }
        }
    }

    fn apply(&mut self, operator: Operator) {
        if let Operator::Sequence { items } = operator {
            let items = self.operands.split_off(self.operands.len() - items);
            let span = items[0].span.to(items[items.len() - 1].span);
            let items = items.iter().map(|operand| operand.node).collect();
            return self.push_operand(Kind::Sequence(items), span);
        }
        if matches!(operator, Operator::Joined { .. } | Operator::Not { .. }) {
            return self.apply_to_conditions(operator);
        }
        let right = self.pop_operand();
        self.refuse_condition(right);
        if let Operator::Sign { sign, span, .. } = operator {
            let operand = right.node;
            return self.push_operand(Kind::Signed { sign, operand }, span.to(right.span));
        }
        let left = self.pop_operand();
        self.refuse_condition(left);
        if let Operator::Missing { reported: false } = operator {
            self.missing_operator(left.span, right.span);
        }
        let span = left.span.to(right.span);
        let (left, right) = (left.node, right.node);
        let kind = match operator {
            Operator::Relation { relation, .. } => Kind::Relation {
                relation,
                left,
                right,
            },
            Operator::Arithmetic { op, .. } => Kind::Binary { op, left, right },
            _ => Kind::Binary {
                op: Arithmetic::Multiply,
                left,
                right,
            },
        };
        self.push_operand(kind, span);
    }
}

/// What may follow an operand.
impl Parser<'_> {
    fn after_operand(&mut self) {
        let token = self.token();
        if let Some(join) = self.join_follows() {
            self.advance();
            self.apply_down_to(joining(join));
            let span = token.span;
            return self.push_operator(Operator::Joined { join, span });
        }
        match token.kind {
            TokenKind::Arithmetic(op) => {
                self.advance();
                // A power waits for the one on its right, and nothing binds tighter.
                if op != Arithmetic::Power {
                    self.apply_down_to(binding(op));
                }
                self.push_operator(Operator::Arithmetic {
                    op,
                    span: token.span,
                });
            }
            TokenKind::Relation(relation) => self.relation(relation),
            TokenKind::Comma => self.comma(),
            TokenKind::Close(_) => {
                self.end_item();
                self.close();
            }
            TokenKind::Dot => self.member(),
            TokenKind::Primes => {
                self.advance();
                self.errors.report(
                    codes::STRAY_PRIME,
                    token.span,
                    "only names take primes",
                    "write the primes directly after each name",
                );
            }
            TokenKind::Unknown => {
                self.advance();
                if self.kind(0).starts_operand() {
                    self.apply_down_to(Binding::Product);
                    self.push_operator(Operator::Missing { reported: true });
                }
            }
            // The loop ends before `End`; what is left starts an operand.
            _ => self.side_by_side(),
        }
    }

    /// Two operands without an operator between them: a sequence, or a mistake.
    fn side_by_side(&mut self) {
        if self.bare_function() {
            self.apply_down_to(Binding::Product);
            self.push_operator(Operator::Missing { reported: true });
            return;
        }
        let token = self.token();
        let next_item = matches!(
            token.kind,
            TokenKind::Number | TokenKind::Text | TokenKind::Open(Shape::Square)
        );
        if self.inside.is_list() && (next_item || self.argument_name_follows()) {
            let message = format!(
                "a comma is missing before {}",
                quoted(self.text(token.span))
            );
            self.errors.report(
                codes::MISSING_COMMA,
                token.span,
                message,
                "separate elements and arguments by commas",
            );
            self.end_item();
            self.wants_operand = true;
        } else if token.kind == TokenKind::Name && self.in_sequence {
            self.apply_down_to(Binding::Power);
            let items = match self.waiting() {
                Some(Operator::Sequence { items }) => items + 1,
                _ => 2,
            };
            if items > 2 {
                self.operators.pop();
            }
            self.push_operator(Operator::Sequence { items });
        } else {
            self.apply_down_to(Binding::Product);
            self.push_operator(Operator::Missing { reported: false });
        }
    }

    fn relation(&mut self, relation: Relation) {
        let span = self.advance().span;
        let sign = quoted(self.text(span));
        self.apply_down_to(Binding::Sum);
        let of_choice = self.inside.is_condition_of_choice();
        let in_parentheses = matches!(self.inside.place, Place::Parentheses);
        if !self.in_condition() || (in_parentheses && relation == Relation::Equal) {
            self.errors.report(
                codes::RELATION_IN_BRACKETS,
                span,
                format!("{sign} stands inside brackets"),
                "an equation or condition stands by itself, outside of all brackets, or first in if(condition, a, b)",
            );
        } else if matches!(self.waiting(), Some(Operator::Relation { .. })) {
            let help = match of_choice {
                true => "join two comparisons by and: if(x > 1 and x < 2, a, b)",
                false if relation == Relation::Equal => "write two equations",
                false => "join two comparisons by and: x > 1 and x < 2",
            };
            self.errors.report(
                codes::CHAINED_RELATION,
                span,
                format!("{sign} would give a third side"),
                help,
            );
        }
        self.apply_down_to(Binding::Relation);
        self.push_operator(Operator::Relation { relation, span });
    }

    fn comma(&mut self) {
        let span = self.advance().span;
        if self.inside.is_list() {
            self.end_item();
            self.wants_operand = true;
            return;
        }
        if !self.inside.comma_reported && !self.errors.touch(self.inside.opening) {
            self.errors.report(
                codes::STRAY_COMMA,
                span,
                "the comma separates nothing",
                "write vectors in square brackets, and decimals with a point",
            );
        }
        self.inside.comma_reported = true;
        self.apply_down_to(Binding::Or);
        self.push_operator(Operator::Missing { reported: true });
    }

    fn member(&mut self) {
        let dot = self.advance().span;
        if !matches!(self.kind(0), TokenKind::Name | TokenKind::Index) {
            self.errors.report(
                codes::MISSING_MEMBER,
                dot,
                "no name follows the dot",
                "write a member such as .x or .center",
            );
            return;
        }
        let word = self.advance().span;
        let touched = Token {
            kind: TokenKind::Open(Shape::Round),
            span: Span::new(word.end as usize, word.end as usize + 1),
        };
        if self.token() == touched {
            return self.method(word);
        }
        let (length, span, primes) = self.derivative(word);
        let text = self.source[word.range()][..length].into();
        let of = self.pop_operand();
        let kind = Kind::Member {
            of: of.node,
            name: Word { text, span },
            primes,
        };
        self.push_operand(kind, of.span.to(span));
        self.in_sequence = true;
    }

    /// `math.sin(x)`: there are no such calls; what stands before the dot is dropped.
    fn method(&mut self, word: Span) {
        let of = self.pop_operand();
        let cure = method_cure(
            self.text(of.span),
            self.text(word),
            &self.arguments_here().unwrap_or_default(),
        );
        let whole = of.span.to(word);
        let message = format!("{} is not a function", quoted(self.text(whole)));
        self.errors.report(codes::METHOD_CALL, whole, message, cure);
        let opening = word.to(self.advance().span);
        self.open(Place::Call(Word::new(self.source, word)), opening);
        self.wants_operand = true;
    }

    /// Completes the expression in this bracket; in a list it becomes an item.
    fn end_item(&mut self) {
        self.apply_down_to(Binding::Or);
        if !self.inside.is_list() {
            return;
        }
        let value = self.pop_operand();
        let name = self.inside.name.take();
        let follows_named = self
            .inside
            .items
            .last()
            .is_some_and(|item| item.name.is_some());
        if name.is_none() && follows_named {
            let message = "an argument without a name follows one with a name";
            self.errors.report(
                codes::POSITIONAL_AFTER_NAMED,
                value.span,
                message,
                "write the arguments without a name first",
            );
        }
        self.inside.items.push(Argument {
            name,
            value: value.node,
        });
    }

    /// Leaves the bracket; its last item has ended.
    pub(super) fn close(&mut self) {
        let closing = self.advance();
        self.in_sequence = closing.kind == TokenKind::Close(Shape::Round);
        let Some(outer) = self.outside.pop() else {
            return;
        };
        let bracket = std::mem::replace(&mut self.inside, outer);
        let span = bracket.opening.to(closing.span);
        match bracket.place {
            Place::Whole => {}
            Place::Parentheses => {
                if let Some(operand) = self.operands.last_mut() {
                    operand.span = span;
                }
            }
            Place::Vector => {
                let elements = bracket.items.iter().map(|item| item.value).collect();
                self.push_operand(Kind::Vector(elements), span);
            }
            Place::Call(function) => {
                self.repeated_arguments(&bracket.items);
                let arguments = bracket.items.into();
                self.push_operand(
                    Kind::Call {
                        function,
                        arguments,
                    },
                    span,
                );
            }
        }
    }
}
