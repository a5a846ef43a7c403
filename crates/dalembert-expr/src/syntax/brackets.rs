//! Balancing of brackets while the text is cut into tokens.
//!
//! Mistakes with brackets are found and repaired here, where only brackets matter. The parser then
//! sees every bracket closed by one of its own shape and has no such cases of its own.

use super::error::{Errors, codes};
use super::token::{Shape, Token, TokenKind};
use super::tree::Span;

/// The brackets open at some point of the text.
#[derive(Default)]
pub(super) struct Brackets {
    open: Vec<(Shape, Span)>,
    /// How many of each shape are open.
    depth: [usize; 2],
    /// How many of each shape were closed by the other one. If the right closer still comes, as in
    /// `f(a] + b)`, it has been missed already and is dropped without a second complaint.
    owed: [usize; 2],
    /// Whether closing brackets may have been swallowed by a text that never ends.
    excused: bool,
}

impl Brackets {
    pub(super) fn open(&mut self, shape: Shape, span: Span) {
        self.open.push((shape, span));
        self.depth[shape as usize] += 1;
    }

    /// Appends the closing bracket, or what should have stood there, to `tokens`.
    pub(super) fn close(
        &mut self,
        shape: Shape,
        span: Span,
        tokens: &mut Vec<Token>,
        errors: &mut Errors,
    ) {
        let closer = shape.closer();
        if self.depth[shape as usize] > 0 {
            while let Some((innermost, opening)) = self.pop() {
                if innermost == shape {
                    tokens.push(Token {
                        kind: TokenKind::Close(shape),
                        span,
                    });
                    return;
                }
                never_closed(innermost, opening, errors);
                tokens.push(missing_closer(innermost, span.start));
            }
        } else if self.owed[shape as usize] > 0 {
            self.owed[shape as usize] -= 1;
        } else if let Some((innermost, _)) = self.pop() {
            let opener = innermost.opener();
            errors.report(
                codes::WRONG_BRACKET,
                span,
                format!("`{closer}` does not close `{opener}`"),
                format!("write `{}`", innermost.closer()),
            );
            self.owed[innermost as usize] += 1;
            tokens.push(Token {
                kind: TokenKind::Close(innermost),
                span,
            });
        } else {
            errors.report(
                codes::CLOSES_NOTHING,
                span,
                format!("`{closer}` closes nothing"),
                format!(
                    "remove it, or write the `{}` that it closes",
                    shape.opener()
                ),
            );
        }
    }

    /// Takes note that a text in quotes runs to the end.
    pub(super) fn excuse(&mut self) {
        self.excused = true;
    }

    /// Closes what is still open at the end of the text.
    pub(super) fn finish(self, end: u32, tokens: &mut Vec<Token>, errors: &mut Errors) {
        for &(shape, opening) in self.open.iter().filter(|_| !self.excused) {
            never_closed(shape, opening, errors);
        }
        tokens.extend(
            self.open
                .iter()
                .rev()
                .map(|&(shape, _)| missing_closer(shape, end)),
        );
    }

    fn pop(&mut self) -> Option<(Shape, Span)> {
        let (shape, span) = self.open.pop()?;
        self.depth[shape as usize] -= 1;
        Some((shape, span))
    }
}

fn missing_closer(shape: Shape, at: u32) -> Token {
    Token {
        kind: TokenKind::Close(shape),
        span: Span { start: at, end: at },
    }
}

fn never_closed(shape: Shape, opening: Span, errors: &mut Errors) {
    errors.report(
        codes::NEVER_CLOSED,
        opening,
        format!("`{}` is never closed", shape.opener()),
        format!("write the `{}` that closes it", shape.closer()),
    );
}
