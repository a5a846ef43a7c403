//! What to say of a contradiction, and where.

use super::infer::Inference;
use super::unify::{Form, whole};
use crate::diagnostic::Diagnostic;
use crate::elaborate::{Declared, name_of};
use crate::model::Expression;
use crate::units::Dimension;
use dalembert_expr::syntax::{Kind, Relation, Span};
use std::collections::BTreeSet;
use std::fmt;

/// Most letters of a text in a message.
const LONGEST: usize = 40;

/// Most names whose dimension the help explains.
const MOST_NAMES: usize = 4;

/// The key under which an expression stands: `particle.P.position`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'m> {
    pub(super) table: &'static str,
    pub(super) name: &'m str,
    /// Empty if the table has names and values only.
    pub(super) key: &'static str,
}

/// An expression of the model, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'m> {
    pub(super) expression: &'m Expression,
    pub(super) source: Source<'m>,
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [self.table, self.name, self.key];
        let mut parts = parts.into_iter().filter(|part| !part.is_empty());
        f.write_str(parts.next().unwrap_or_default())?;
        parts.try_for_each(|part| write!(f, ".{part}"))
    }
}

/// A dimension that a place asks for.
#[derive(Clone, Debug)]
pub(super) struct Wanted<'a> {
    /// What has it, with a verb: "a mass is".
    pub(super) what: &'a str,
    /// The dimension.
    pub(super) form: Form,
    /// The quantity that has it, if that has a name.
    pub(super) of: Option<Declared>,
}

impl<'a> Wanted<'a> {
    /// Of no quantity in particular.
    pub(super) fn known(what: &'a str, dimension: Dimension) -> Self {
        let form = Form::known(dimension);
        Self {
            what,
            form,
            of: None,
        }
    }
}

/// Why two dimensions must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Added,
    Subtracted,
    Compared,
    Equated,
    Vector,
    Chosen,
}

impl How {
    /// Of an equation or a comparison.
    pub(super) fn of_relation(kind: &Kind) -> Self {
        match kind {
            Kind::Relation {
                relation: Relation::Equal,
                ..
            } => Self::Equated,
            _ => Self::Compared,
        }
    }

    fn refusal(self) -> &'static str {
        match self {
            Self::Added => "they cannot be added",
            Self::Subtracted => "they cannot be subtracted",
            Self::Compared => "they cannot be compared",
            Self::Equated => "they cannot be equal",
            Self::Vector => "they cannot be components of one vector",
            Self::Chosen => "they cannot stand for one another",
        }
    }
}

impl Inference<'_> {
    /// Two parts of an expression that should have the same dimension have not.
    pub(super) fn report_clash(
        &mut self,
        expression: &Expression,
        all: Span,
        [left, right]: [(Span, Form); 2],
        how: How,
    ) {
        let texts = [left.0, right.0].map(|span| shown(expression, span));
        let [a, b] = [&left.1, &right.1].map(|form| self.known(form));
        let refusal = how.refusal();
        let message = match (a, b) {
            (Some(a), Some(b)) => {
                let (a, b) = (described(&a), described(&b));
                format!("{} is {a}, but {} is {b}: {refusal}", texts[0], texts[1])
            }
            _ => {
                let Some(ratio) = self.ratio(left.1, right.1) else {
                    return;
                };
                format!("{} and {} differ by {ratio}: {refusal}", texts[0], texts[1])
            }
        };
        let between = left.0.to(right.0);
        let place = if balanced(between.text(&expression.text)) {
            between
        } else {
            all
        };
        self.report(expression, "E0450", place, message, &[left.0, right.0]);
    }

    /// An expression has not the dimension that its place asks for.
    pub(super) fn report_wanted(
        &mut self,
        expression: &Expression,
        (span, form): (Span, Form),
        wanted: &Wanted<'_>,
    ) {
        let text = shown(expression, span);
        let Wanted { what, of, .. } = *wanted;
        let message = match (self.known(&form), self.known(&wanted.form)) {
            (Some(a), Some(b)) => {
                format!("{text} is {}, but {what} {}", described(&a), described(&b))
            }
            _ => {
                let Some(ratio) = self.ratio(form, wanted.form.clone()) else {
                    return;
                };
                let what = what.strip_suffix(" is").unwrap_or(what);
                format!("{text} differs by {ratio} from {what}")
            }
        };
        self.report(expression, "E0450", span, message, &[span]);
        if let Some(line) = of.and_then(|of| self.origin(of))
            && let Some(last) = self.diagnostics.last_mut()
        {
            let help = last.help.take().map(|help| format!("{help}; {line}"));
            last.help = help.or(Some(line));
        }
    }

    /// Where the dimension of a name comes from: "x is m by particle.P.position".
    fn origin(&mut self, declared: Declared) -> Option<String> {
        let unknown = self.unknown(declared)?;
        let source = self.sources[unknown.0]?;
        let dimension = self.known(&Form::of(unknown))?;
        let name = name_of(self.model, declared);
        let dimension = described(&dimension);
        Some(format!("{} is {dimension} by {source}", name.text))
    }

    /// An expression should be a pure number, and is not.
    pub(super) fn report_impure(
        &mut self,
        expression: &Expression,
        (span, form): (Span, Form),
        needs: &str,
    ) {
        let text = shown(expression, span);
        let Some(dimension) = self.known(&form) else {
            return;
        };
        let message = format!("{text} is {}, but {needs}", described(&dimension));
        self.report(expression, "E0451", span, message, &[span]);
    }

    pub(super) fn known(&mut self, form: &Form) -> Option<Dimension> {
        self.unifier.reduce(form.clone())?.dimension()
    }

    /// The dimension of a quotient; `None` if finding it is too much work.
    fn ratio(&mut self, a: Form, b: Form) -> Option<String> {
        let quotient = a.mul_pow(b, whole(-1))?;
        Some(described(&self.known(&quotient)?))
    }

    fn report(
        &mut self,
        expression: &Expression,
        code: &'static str,
        place: Span,
        message: String,
        parts: &[Span],
    ) {
        let help = self.explained(expression, parts, code);
        let place = expression.place(place.range());
        let help = help.unwrap_or_default();
        self.diagnostics
            .push(Diagnostic::error(code, place, message, help));
    }

    /// Where the dimensions of the names in some parts of an expression come from. If there is only
    /// one such name, it is the root of the contradiction, and nothing more is said of it.
    fn explained(&mut self, expression: &Expression, parts: &[Span], code: &str) -> Option<String> {
        let inside = |span: Span| {
            let mut parts = parts.iter();
            parts.any(|part| part.start <= span.start && span.end <= part.end)
        };
        let mut lines = Vec::new();
        let mut found = BTreeSet::new();
        let mut time = false;
        for node in expression.tree.nodes() {
            let Kind::Name { name, .. } = &node.kind else {
                continue;
            };
            if !inside(node.span) {
                continue;
            }
            let declared = self.names.get(name);
            time |= declared.is_none() && **name == *"t";
            let Some(declared) = declared else {
                continue;
            };
            if found.insert(declared) && lines.len() < MOST_NAMES {
                lines.extend(self.origin(declared));
            }
        }
        if let (Some(&only), 1, false) = (found.first(), found.len(), time)
            && let Some(unknown) = self.unknown(only)
        {
            self.disputed[unknown.0] = true;
        }
        if time && code == "E0451" {
            lines.push(
                "t is s: multiply it by a rate, as in w*t with the parameter w = \"1 rad/s\""
                    .to_owned(),
            );
        }
        (!lines.is_empty()).then(|| lines.join("; "))
    }
}

fn described(dimension: &Dimension) -> String {
    if dimension.is_none() {
        "a pure number".to_owned()
    } else {
        dimension.described()
    }
}

/// A part of an expression, shortened if it is long.
fn shown(expression: &Expression, span: Span) -> String {
    let text = span.text(&expression.text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Whether every bracket is closed, and none before it was opened.
fn balanced(text: &str) -> bool {
    let mut open = 0_i64;
    text.bytes().all(|byte| {
        open += match byte {
            b'(' | b'[' => 1,
            b')' | b']' => -1,
            _ => 0,
        };
        open >= 0
    }) && open == 0
}
