//! What conflicts at the start, in words.

use super::conflict::Conflict;
use super::error;
use crate::diagnostic::{Diagnostic, Place};

/// Names that are listed; more are counted.
const LISTED: usize = 8;

/// What rows and values are called.
pub(super) struct Party {
    /// `` `rod` `` or `x = 1`.
    pub(super) name: String,
    pub(super) place: Place,
    /// What becomes of it where all the others are met.
    pub(super) fate: String,
    /// The name of a value alone, `x`; `None` for a row.
    pub(super) value: Option<String>,
}

/// One message for a conflict between these parties, rows first. `cure` is what can be done about a value.
pub(super) fn describe(
    conflict: &Conflict,
    parties: &[Party],
    code: &'static str,
    cure: &str,
) -> Option<Diagnostic> {
    let (rows, values): (Vec<&Party>, Vec<&Party>) =
        parties.iter().partition(|party| party.value.is_none());
    let place = parties.first()?.place.clone();
    let names = |parties: &[&Party]| list(parties.iter().map(|p| p.name.clone()).collect(), "and");
    let told = |party: &&Party| conflict.smallest || party.value.is_none();
    let fates = parties.iter().filter(told);
    let fates: Vec<String> = fates.map(|party| party.fate.clone()).collect();
    let fates = fates[..fates.len().min(LISTED)].join(", ");
    let others = if parties.len() == 2 {
        "other"
    } else {
        "others"
    };
    let all: Vec<&Party> = rows.iter().chain(&values).copied().collect();
    let which: Vec<String> = values
        .iter()
        .filter_map(|party| party.value.clone())
        .collect();
    let which = list(which, "or");
    let (code, message, help) = match (rows.as_slice(), values.as_slice()) {
        _ if !conflict.smallest => (
            code,
            format!("the start does not meet {}: {fates}", names(&rows)),
            match values.len() {
                0 => {
                    format!("give values nearer to a start that meets all constraints; {TOO_MANY}")
                }
                _ => format!(
                    "given: {}; {}; {TOO_MANY}",
                    names(&values),
                    cure.replace("{}", "one of them")
                ),
            },
        ),
        ([row], []) => (
            "E0509",
            format!("no start was found that meets {}", row.name),
            format!(
                "where it comes nearest {}: check its numbers and signs, or give values near a start that meets it",
                row.fate
            ),
        ),
        (rows, []) => (
            "E0509",
            format!("no start was found that meets {} together", names(rows)),
            format!("with the {others} met, {fates}: take one of them away, or change its numbers"),
        ),
        (rows, values) => (
            code,
            match (rows, values) {
                ([], _) => format!("{} exclude each other at the start", names(&all)),
                (rows, values) => format!("{} cannot be met with {}", names(rows), names(values)),
            },
            format!(
                "with the {others} met, {fates}; {}",
                cure.replace("{}", &which)
            ),
        ),
    };
    Some(error(code, message, help, place))
}

const TOO_MANY: &str = "too many are involved to look for the smallest set that conflicts";

/// "a", "a and b", "a, b and c"; long lists are cut.
fn list(mut names: Vec<String>, last: &str) -> String {
    if names.len() > LISTED {
        let more = names.len() - LISTED;
        names.truncate(LISTED);
        names.push(format!("{more} more"));
    }
    match names.pop() {
        None => String::new(),
        Some(name) if names.is_empty() => name,
        Some(name) => format!("{} {last} {name}", names.join(", ")),
    }
}

/// A number to six digits; a trace of another is nothing.
pub(super) fn shown_beside(value: f64, other: f64) -> String {
    shown(if value.abs() < 1e-7 * other.abs() {
        0.0
    } else {
        value
    })
}

/// A number to six digits.
pub(super) fn shown(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let digits = (5 - value.abs().log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
