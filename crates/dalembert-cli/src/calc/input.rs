//! The texts of a command: the expression, and what options give.

use super::MAX_REPEATED;
use crate::output::Failure;
use dalembert::mechanics::diagnostic::{Diagnostic, Place};
use dalembert_expr::syntax::{ExpressionError, Kind, Reading, Span, read_expression, read_value};
use std::io::Read;
use std::ops::Range;

/// Longest expression read from standard input, a little more than the parser takes.
const MAX_INPUT: u64 = 17 << 20;

pub(super) fn source(words: &[String]) -> Result<String, Failure> {
    match words {
        [word] if word == "-" => {}
        [word] => return Ok(word.clone()),
        words => {
            let text = words.join(" ");
            let example = if text.len() <= MAX_REPEATED && !text.contains('"') {
                format!("dalembert calc \"{text}\"")
            } else {
                "dalembert calc \"x^2 + y^2\"".to_owned()
            };
            let message = format!(
                "EXPR is one argument, and {} were given: quote the expression, as in {example}",
                words.len()
            );
            return Err(Failure::Usage(message));
        }
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(MAX_INPUT)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Unreadable(format!("cannot read standard input: {error}")))?;
    // What is too long may be cut within a character, and is refused for its length.
    if bytes.len() as u64 == MAX_INPUT {
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::Unreadable(format!("standard input is not UTF-8 text: see byte {at}"))
    })
}

/// The texts given by an option.
pub(super) fn inputs<'a>(argument: &str, texts: &'a [String]) -> Vec<Input<'a>> {
    let whole =
        |text: &'a String| Input::new(argument.to_owned(), text, 0..text.len(), read_expression);
    texts.iter().map(whole).collect()
}

/// Name and value of every `--set`.
pub(super) fn settings(texts: &[String]) -> Result<Vec<[Input<'_>; 2]>, Failure> {
    let split = |(index, text): (usize, &'_ String)| {
        let usage = |what: &str| {
            let message = format!("--set {text}: {what}; write NAME=VALUE, such as --set x=2");
            Failure::Usage(message)
        };
        let at = text.find('=').ok_or_else(|| usage("the = is missing"))?;
        let name = trimmed(text, 0..at);
        if name.is_empty() {
            return Err(usage("the name is missing"));
        }
        // Of several it is said which.
        let argument = if texts.len() > 1 {
            format!("--set {}", index + 1)
        } else {
            "--set".to_owned()
        };
        Ok((argument, name, trimmed(text, at + 1..text.len())))
    };
    let mut settings = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let (argument, name, value) = split((index, text))?;
        settings.push([
            Input::new(argument.clone(), text, name, read_expression),
            Input::new(argument, text, value, read_value),
        ]);
    }
    Ok(settings)
}

/// A part of a text without the blanks around it.
fn trimmed(text: &str, part: Range<usize>) -> Range<usize> {
    let inside = &text[part.clone()];
    let start = part.start + (inside.len() - inside.trim_start().len());
    start..start + inside.trim().len()
}

/// A text to be read: an argument or a part of it.
pub(super) struct Input<'a> {
    /// The argument as messages call it.
    pub(super) argument: String,
    pub(super) whole: &'a str,
    pub(super) part: Range<usize>,
    pub(super) reading: Reading,
}

impl<'a> Input<'a> {
    pub(super) fn new(
        argument: String,
        whole: &'a str,
        part: Range<usize>,
        read: fn(&str) -> Reading,
    ) -> Self {
        let reading = read(&whole[part.clone()]);
        Self {
            argument,
            whole,
            part,
            reading,
        }
    }

    pub(super) fn text(&self) -> &'a str {
        &self.whole[self.part.clone()]
    }

    /// A diagnostic about some of its bytes.
    pub(super) fn diagnostic(
        &self,
        code: &'static str,
        span: Range<usize>,
        message: String,
        help: impl Into<String>,
    ) -> Diagnostic {
        let span = self.part.start + span.start..self.part.start + span.end;
        let place = place(&self.argument, self.whole, span);
        match code.starts_with('W') {
            true => Diagnostic::warning(code, place, message, help),
            false => Diagnostic::error(code, place, message, help),
        }
    }

    /// A diagnostic about all of it.
    pub(super) fn about(
        &self,
        code: &'static str,
        message: String,
        help: impl Into<String>,
    ) -> Diagnostic {
        self.diagnostic(code, 0..self.part.len(), message, help)
    }

    /// Its names, with their primes and places.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, u8, Span)> {
        let nodes = self.reading.tree.iter().flat_map(|tree| tree.nodes());
        nodes.filter_map(|node| match &node.kind {
            Kind::Name { name, primes } => Some((&**name, *primes, node.span)),
            _ => None,
        })
    }
}

/// The mistakes in an expression that was given as an argument, or from a byte of it on.
pub(super) fn mistakes(
    key: &str,
    text: &str,
    start: usize,
    errors: &[ExpressionError],
) -> Vec<Diagnostic> {
    let convert = |error: &ExpressionError| {
        let span = error.span.range();
        let place = place(key, text, start + span.start..start + span.end);
        Diagnostic::of_text(error.clone(), place)
    };
    errors.iter().map(convert).collect()
}

fn place(key: &str, text: &str, span: Range<usize>) -> Place {
    Place::given(key, text, span)
}
