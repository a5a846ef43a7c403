//! What conflicts at the start, in words.

use super::{Assembler, error};
use crate::decide::CLEAR;
use crate::diagnostic::{Diagnostic, Place};
use crate::lower::{Level, Row};
use crate::start::solved::{Conflict, Refused};
use dalembert_expr::print::{Format, print_one};

/// Names that are listed; more are counted.
const LISTED: usize = 8;

/// How one level of the start is spoken of.
pub(super) struct Wording<'a> {
    /// Its rows in the system; those behind them are given values.
    pub(super) rows: &'a [usize],
    /// Where the search began.
    pub(super) near: &'static str,
    /// The code of conflicts in which values take part.
    pub(super) code: &'static str,
    /// What can be done about a value.
    pub(super) cure: &'static str,
}

/// What rows and values are called.
pub(super) struct Party {
    /// `` `rod` `` or `x = 1`.
    name: String,
    place: Place,
    /// What becomes of it where all the others are met.
    fate: String,
    /// The name of a value alone, `x`; `None` for a row.
    value: Option<String>,
    /// The joint that a row belongs to, how far it stays open, and that in words.
    joint: Option<(String, f64, String)>,
}

impl Party {
    /// A given value, and what it is where all the others are met.
    pub(super) fn value(
        name: &str,
        unit: Option<&str>,
        place: &Place,
        [given, found]: [f64; 2],
    ) -> Self {
        // A trace of another number is nothing.
        let found = if found.abs() < CLEAR * given.abs() {
            0.0
        } else {
            found
        };
        Self {
            name: format!("{name} = {}", shown_in(given, unit)),
            place: place.clone(),
            fate: format!("{name} is {}", shown_in(found, unit)),
            value: Some(name.to_owned()),
            joint: None,
        }
    }
}

impl Assembler<'_> {
    /// Says that the gradient of a row vanishes at the start, and what to write instead.
    pub(super) fn refuse_flat(&self, row: &Row) -> Diagnostic {
        let is_of_positions = row.level == Level::Position;
        let by = if is_of_positions {
            "coordinate"
        } else {
            "rate"
        };
        let message = format!(
            "`{}` is singular at the start: its derivative by every {by} is zero",
            row.name
        );
        let mut graph = self.system.graph.clone();
        let help = match self.system.factored(&mut graph, row) {
            Some(product) => format!(
                "it is {} = 0: write the factor that holds",
                print_one(&graph, product, Format::Model)
            ),
            None if is_of_positions => {
                "write it so that its gradient does not vanish: x - 1 = 0, not (x - 1)^2 = 0"
                    .to_owned()
            }
            None => {
                "it says nothing of the accelerations there: start with velocities at which it does"
                    .to_owned()
            }
        };
        error("E0508", message, help, self.place_of(row))
    }

    /// Says why a level has no solution: rows without a value, or the rows and values that exclude each other, and by how
    /// much each misses. `held` and `given` are the parties of held unknowns and of given values.
    pub(super) fn refuse(
        &self,
        refused: &Refused,
        level: &Wording<'_>,
        held: impl Fn(usize, f64) -> Option<Party>,
        given: impl Fn(usize, f64) -> Option<Party>,
    ) -> Vec<Diagnostic> {
        let own = |k: usize| level.rows.get(k).map(|&row| &self.system.rows[row]);
        let conflicts = match refused {
            Refused::Undefined(list) => {
                let rows = list.iter().filter_map(|&k| own(k));
                return rows.map(|row| self.undefined(row, level.near)).collect();
            }
            Refused::Conflicts(conflicts) => conflicts,
        };
        let described = |conflict: &Conflict| {
            let rows = || conflict.rows.iter();
            let own = rows().filter_map(|&(k, miss)| Some(self.row_party(own(k)?, miss)));
            let held = conflict
                .held
                .iter()
                .filter_map(|&(i, found)| held(i, found));
            let behind = |&(k, miss): &(usize, f64)| {
                let k = k.checked_sub(level.rows.len())?;
                given(k, miss)
            };
            let parties: Vec<Party> = own.chain(held).chain(rows().filter_map(behind)).collect();
            describe(conflict, &parties, level.code, level.cure)
        };
        conflicts.iter().filter_map(described).collect()
    }

    /// A row that has no value, or no slope, where the search has come to.
    fn undefined(&self, row: &Row, near: &str) -> Diagnostic {
        let message = format!("`{}` has no finite value or slope near {near}", row.name);
        let help = "look for a division by zero, or a function outside its domain";
        error("E0507", message, help, self.place_of(row))
    }

    /// A row in a conflict, that is violated by so much where the others are met.
    fn row_party(&self, row: &Row, miss: f64) -> Party {
        let name = format!("`{}`", row.name);
        let unit = self.units.row((row.constraint, row.equation));
        let constraint = &self.model.constraints[row.constraint.index()];
        Party {
            fate: format!(
                "{name} is violated by {}",
                shown_in(miss.abs(), unit.as_deref())
            ),
            place: self.place_of(row),
            value: None,
            joint: constraint.joint.as_ref().map(|_| {
                let open = shown_in(miss.abs(), unit.as_deref());
                (format!("`{}`", constraint.name.text), miss.abs(), open)
            }),
            name,
        }
    }
}

impl Party {
    /// Where it is met, in words.
    fn kept(&self) -> String {
        match self.value {
            Some(_) => format!("with {}", self.name),
            None => format!("with {} met", self.name),
        }
    }
}

/// One message for a conflict between these parties, rows first. `cure` is what can be done about a value.
fn describe(
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
    let each = match parties {
        [one, other] => format!(
            "{}, {}; {}, {}",
            other.kept(),
            one.fate,
            one.kept(),
            other.fate
        ),
        _ => format!("each with all the others met: {fates}"),
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
            match rows.as_slice() {
                [] => format!("no start was found with {}", names(&values)),
                rows => format!("the start does not meet {}: {fates}", names(rows)),
            },
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
        (rows, []) => match unclosed(rows) {
            Some((names, gap)) => (
                "E0509",
                format!("the joints {names} cannot be closed together"),
                format!(
                    "with the others closed, {gap}: check lengths and places, or give guesses near a closed pose"
                ),
            ),
            None => (
                "E0509",
                format!("no start was found that meets {} together", names(rows)),
                format!("{each}: take one of them away, or change its numbers"),
            ),
        },
        (rows, values) => (
            code,
            match (rows, values) {
                ([], _) => format!("{} exclude each other at the start", names(&all)),
                (rows, values) => format!("{} cannot be met with {}", names(rows), names(values)),
            },
            format!("{each}; {}", cure.replace("{}", &which)),
        ),
    };
    Some(error(code, message, help, place))
}

/// The joints that these rows belong to, and the one that stays open least.
fn unclosed(rows: &[&Party]) -> Option<(String, String)> {
    let joints: Option<Vec<&(String, f64, String)>> =
        rows.iter().map(|it| it.joint.as_ref()).collect();
    let joints = joints?;
    let (name, _, open) = joints.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut names: Vec<String> = joints.iter().map(|it| it.0.clone()).collect();
    names.dedup();
    (names.len() > 1).then(|| (list(names, "and"), format!("{name} stays open by {open}")))
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

/// A number to six digits, with its unit.
pub(super) fn shown_in(value: f64, unit: Option<&str>) -> String {
    match unit.filter(|unit| *unit != "1") {
        Some(unit) => format!("{} {unit}", shown(value)),
        None => shown(value),
    }
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
