//! Names that users give: their form, the words they cannot be, and that they differ.

use super::Name;
use super::form_codes::names as code;
use super::format::{self, Space};
use super::mistakes::Mistakes;
use super::source::Text;
use crate::diagnostic::Place;
use dalembert_expr::syntax::{CONNECTIVES, Function};
use std::collections::HashMap;

/// Functions of vectors and things; scalar functions are in [`Function`].
///
/// `omega`, `lambda`, `point`, `power` and `reaction` are left to the user: they are functions only
/// with a parenthesis behind them, and some of them are favourite names of parameters.
const VECTOR_FUNCTIONS: &[&str] = &[
    "dot", "cross", "norm", "Rx", "Ry", "Rz", "pos", "vel", "acc",
];

/// What `record` knows without a declaration.
const RECORDED: &[&str] = &["energy", "momentum", "angular_momentum"];

/// Members that every body has.
const MEMBERS: &[&str] = &[
    "center", "ex", "ey", "ez", "x", "y", "z", "angle", "q0", "q1", "q2", "q3", "vx", "vy", "vz",
    "wx", "wy", "wz", "unit",
];

/// The names given so far.
#[derive(Default)]
pub(super) struct GivenNames {
    given: HashMap<(Space, String), (String, Place)>,
}

impl GivenNames {
    /// Takes the name `key` of something in the table `path`, if it can be one.
    pub(super) fn declare(
        &mut self,
        mistakes: &mut Mistakes,
        space: Space,
        path: &str,
        key: &Text,
    ) -> Option<Name> {
        if let Some((code, message, help)) = objection(space, path, &key.text) {
            mistakes.report(code, key.place(), message, help);
            return None;
        }
        let known_as = match space {
            Space::Points => format!("{path}.{}", key.text),
            _ => key.text.clone(),
        };
        let entry = (path.to_owned(), key.place());
        if let Some((table, first)) = self.given.get(&(space, known_as.clone())) {
            mistakes.report(
                code::GIVEN_TWICE,
                key.place(),
                format!("the name `{}` is given twice", key.text),
                format!(
                    "it stands in [{table}]{} already; choose another name",
                    mistakes.line_of(first)
                ),
            );
            return None;
        }
        self.given.insert((space, known_as), entry);
        Some(name(key))
    }

    /// Whether a particle, body or frame has this name.
    pub(super) fn is_thing(&self, name: &str) -> bool {
        self.given.contains_key(&(Space::Things, name.to_owned()))
    }

    /// The table in which the quantity `name` is declared.
    pub(super) fn table_of(&self, name: &str) -> Option<&str> {
        let key = (Space::Quantities, name.to_owned());
        self.given.get(&key).map(|(table, _)| table.as_str())
    }
}

/// A key as a name.
pub(super) fn name(key: &Text) -> Name {
    Name {
        text: key.text.clone(),
        place: key.place(),
    }
}

pub(super) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// What speaks against a name: code, message, cure.
fn objection(space: Space, path: &str, text: &str) -> Option<(&'static str, String, String)> {
    if !is_identifier(text) {
        let bare = text.trim_end_matches('\'');
        let help = if bare.len() < text.len() && is_identifier(bare) {
            match path {
                "coordinates" => format!("give the start value of the rate {text} in [start]"),
                _ => format!("a prime differentiates; call it {bare}_rate, say"),
            }
        } else {
            let rule =
                "write letters a-z A-Z, digits and _, no digit first; spell Greek letters out";
            match cleaned(text) {
                Some(clean) => format!("{rule}; such as {clean}"),
                None => rule.to_owned(),
            }
        };
        let message = match text {
            "" => "an empty text cannot be a name".to_owned(),
            _ => format!("`{text}` cannot be a name"),
        };
        return Some((code::NOT_A_NAME, message, help));
    }
    // Of `dalembert`, `title`, `gravity`: such a key below a table header belongs to that table.
    if matches!(space, Space::Quantities)
        && let Some(key) = format::find(format::ROOT, text)
        && !matches!(key.kind, format::Kind::Named(..) | format::Kind::Table(_))
        && !matches!(key.name, "start")
    {
        return Some((
            code::BELOW_A_HEADER,
            format!("`{text}` stands below the header [{path}] and so belongs to it"),
            format!(
                "move the line to the top of the file, before the first [table]; `{text}` cannot be the name of anything else"
            ),
        ));
    }
    let meaning = reserved(space, text)?;
    Some((
        code::RESERVED,
        format!("`{text}` cannot be the name of anything else: it is {meaning}"),
        format!("choose another name, such as {}", other_name(text)),
    ))
}

/// What a word means by itself where names of this space are used.
pub(super) fn reserved(space: Space, text: &str) -> Option<&'static str> {
    if text.ends_with("_ddot") {
        return Some("a second time derivative");
    }
    if text.ends_with("_dot") {
        return Some("a time derivative");
    }
    match space {
        // These stand only where nothing else can.
        Space::Forces
        | Space::Springs
        | Space::Constraints
        | Space::Events
        | Space::Drawings
        | Space::Results => {
            return None;
        }
        Space::Points => return MEMBERS.contains(&text).then_some("a part of every body"),
        Space::Quantities | Space::Things => {}
    }
    match text {
        _ if CONNECTIVES.contains(&text) => Some("a word of conditions"),
        "t" => Some("time"),
        "pi" => Some("the number pi"),
        "ground" | "world" => Some("what does not move"),
        _ if Function::reserves(text) || VECTOR_FUNCTIONS.contains(&text) => Some("a function"),
        _ if RECORDED.contains(&text) => Some("what [run] can record"),
        _ => None,
    }
}

fn other_name(text: &str) -> String {
    let derivatives = [("_ddot", "acceleration"), ("_dot", "rate")];
    let bare = |(ending, order)| Some((text.strip_suffix(ending)?, order));
    match derivatives.into_iter().find_map(bare) {
        Some((bare, order)) => format!("{bare}_{order}"),
        None => format!("{text}_1"),
    }
}

/// The name with _ in place of what names cannot have, if that leaves something of it.
fn cleaned(text: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let clean: String = text
        .trim()
        .chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    let clean = match clean.bytes().next() {
        Some(b'0'..=b'9') => format!("_{clean}"),
        _ => clean,
    };
    let kept = text.is_ascii() && clean.bytes().any(|b| b.is_ascii_alphabetic());
    kept.then_some(clean)
}
