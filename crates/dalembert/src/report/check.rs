//! What `check` says: the constraint doctor.

use super::no_motion::rough_name;
use super::text::{Independent, SHOWN, plural, significant, with_unit};
use super::{Numbers, Report};
use dalembert_expr::print::visible;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Level, Rough, Row, RowId, Slip};
use dalembert_mechanics::model::constraint_of;
use dalembert_mechanics::start::Start;
use dalembert_mechanics::{Certificate, Mechanism, Snapshot};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt;

/// Counts, rows, start state and the agreement of formulations of a model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckReport {
    /// The model's title.
    pub title: Option<String>,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// The speeds.
    pub speeds: Vec<Speed>,
    /// How many there are of everything.
    pub counts: Counts,
    /// Identities that the coordinates obey by what they are, row by row; only models with such say so in the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identities: Vec<String>,
    /// The constraints, row by row.
    pub constraints: Vec<ConstraintRow>,
    /// The given forces.
    pub forces: Vec<Force>,
    /// The consistent start.
    pub start: StartReport,
    /// Coordinates and speeds that the others follow from at the start.
    pub independent: Option<Independent>,
    /// How well the formulations agree.
    pub verified: Verified,
    /// What the reader should know.
    #[serde(serialize_with = "short")]
    #[schemars(with = "Vec<Warning>")]
    pub warnings: Vec<Diagnostic>,
}

/// A speed of the model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Speed {
    /// Its name.
    pub name: String,
    /// "velocity" if it is the rate of a coordinate.
    pub kind: Option<&'static str>,
    /// What it is the rate of, if that is known.
    pub integral: Option<String>,
}

/// How many there are of everything.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Counts {
    /// Coordinates.
    pub coordinates: usize,
    /// Speeds.
    pub speeds: usize,
    /// Rows of the constraints.
    pub rows: usize,
    /// Independent rows at the start.
    pub rank: usize,
    /// Rows that follow from others there.
    pub redundant: usize,
    /// Velocities that the rows leave free.
    pub velocity_freedoms: usize,
    /// Positions that they leave free; known if all rows are of positions.
    pub position_freedoms: Option<usize>,
    /// Positions that the rows of positions leave free: rows of velocities may restrict them further, if they are integrable.
    #[serde(skip)]
    most_position_freedoms: usize,
}

/// A row of a constraint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConstraintRow {
    /// Its name.
    pub name: String,
    /// "position", "velocity" or "acceleration".
    pub level: &'static str,
    /// Whether it is linear in what it speaks of.
    pub linear: bool,
    /// Whether it lies in the integrable part of all rows, if that is known.
    pub holonomic: Option<bool>,
    /// What it is the rate of, if that is known.
    pub integral: Option<String>,
    /// Whether it depends on time.
    pub rheonomic: bool,
    /// Whether its reaction does no virtual work.
    pub ideal: bool,
    /// Whether it is 0 = 0 at every state, and restricts nothing.
    #[serde(skip)]
    empty: bool,
    /// Whether it is a contact, which presses and does not pull, and can open; only those say so in the document.
    #[serde(skip_serializing_if = "is_equation")]
    pub unilateral: bool,
    /// Whether it holds at the start; others wait for an event, and only they say so in the document.
    #[serde(skip_serializing_if = "holds")]
    pub active: bool,
    /// Whether it follows from other rows at the start.
    pub redundant: bool,
    /// Whether its reaction has one value at the start.
    pub reaction_unique: bool,
    /// The force that holds it in place of a reaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
    /// What else the text says.
    #[serde(skip)]
    laws: RowLaws,
}

#[derive(Clone, Debug)]
struct RowLaws {
    /// Its constraint has a virtual-work vector.
    nonideal: bool,
    friction: Option<&'static str>,
    /// A law uses its reaction.
    used: bool,
}

/// A given force.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Force {
    /// Its name.
    pub name: String,
    /// "conservative", if that is known.
    pub kind: Option<&'static str>,
    /// Its potential, if that is known.
    pub potential: Option<String>,
}

/// The consistent start.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StartReport {
    /// Whether all constraints and given values are met; a start that does not is an error.
    pub consistent: bool,
    /// Values that were found.
    pub solved: Numbers,
    /// Guesses that were not met.
    pub moved: Vec<Moved>,
    /// What friction holds: constraints, and springs with dry friction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sticking: Vec<String>,
    /// What is left of the constraints.
    pub residual: Residual,
    /// Units of coordinates, rates and speeds, by name.
    #[serde(skip)]
    units: IndexMap<String, String>,
}

/// A guess that was not met.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Moved {
    /// Of which coordinate, rate or speed.
    pub name: String,
    /// The guess.
    pub given: f64,
    /// The value in its place.
    pub found: f64,
}

/// What is left of constraints.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Residual {
    /// Of rows of positions.
    pub position: f64,
    /// Of all rows, as rows of velocities.
    pub velocity: f64,
}

/// How well the formulations agree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Verified {
    /// Random states besides the start.
    pub states: usize,
    /// Largest relative difference of accelerations and forces, if there is something to compare.
    pub max_difference: Option<f64>,
    #[serde(skip)]
    formulations: usize,
    /// Whether there are rows to meet.
    #[serde(skip)]
    has_rows: bool,
    #[serde(skip)]
    is_limited: bool,
    /// A row that independent speeds cannot meet.
    #[serde(skip)]
    not_reducible: Option<String>,
}

/// A warning in short.
#[derive(Serialize, JsonSchema)]
struct Warning<'a> {
    /// What `explain` knows it by.
    code: &'static str,
    /// What the reader should know.
    message: &'a str,
}

fn short<S: Serializer>(list: &[Diagnostic], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(|it| Warning {
        code: it.code,
        message: &it.message,
    }))
}

/// Formulations that do not give the same motion: the numbers of none can be relied on.
pub(super) fn disagreement(route: &str, difference: f64) -> Diagnostic {
    let message = match difference.is_infinite() {
        true => format!("`{route}` finds no motion where `multipliers` does"),
        false => format!("`{route}` and `multipliers` differ by {difference:.0e}"),
    };
    let help = "the system is singular or nearly so: look for masses, lengths or rows of very different sizes, \
                and for motions with next to no inertia";
    Diagnostic::error("E0526", Place::Model, message, help)
}

impl CheckReport {
    /// What there is to say of a mechanism with a start and the motion there.
    ///
    /// # Errors
    /// The formulations do not agree.
    pub(crate) fn new(
        mechanism: &Mechanism,
        start: &Start,
        snapshot: &Snapshot,
        warnings: Vec<Diagnostic>,
    ) -> Result<Self, Diagnostic> {
        let verified = mechanism.certify(&start.state);
        if let Some(route) = verified.farthest.filter(|_| !verified.agree()) {
            return Err(disagreement(route.name(), verified.max_difference));
        }
        let system = &mechanism.system;
        let n = mechanism.equations.coordinates();
        let identities = system.identities();
        let (nv, rank) = (system.named_speeds(), snapshot.rank - identities);
        let names = || mechanism.coordinate_names().map(str::to_owned);
        let speeds = mechanism.speed_names().into_iter().map(|name| Speed {
            name,
            kind: system.speeds.is_none().then_some("velocity"),
            integral: None,
        });
        let forces = system.forces.iter().map(|force| Force {
            name: force.name.clone(),
            kind: force.conservative.then_some("conservative"),
            potential: None,
        });
        let positions = |level| level == Level::Position;
        let mode = &start.state.mode;
        let counts = |row: &&Row| mode.is_active(system, row.constraint) && !row.identity;
        let active: Vec<&Row> = system.rows.iter().filter(counts).collect();
        let own = system.rows.iter().zip(&snapshot.redundant);
        let own = own.filter(|(row, _)| counts(row));
        let own = own.filter(|(row, redundant)| positions(row.level) && !**redundant);
        let of_positions = own.count();
        let counts = Counts {
            coordinates: n,
            speeds: nv,
            rows: active.len(),
            rank,
            redundant: active.len() - rank,
            velocity_freedoms: nv - rank,
            // With other rows one has to know which of them are integrable.
            position_freedoms: active
                .iter()
                .all(|row| positions(row.level))
                .then(|| nv - rank),
            most_position_freedoms: nv - of_positions,
        };
        let chosen = mechanism.independents(&start.state);
        Ok(Self {
            title: mechanism.model.title.clone(),
            coordinates: names().collect(),
            speeds: speeds.collect(),
            counts,
            identities: (system.rows.iter().take(identities))
                .map(|row| row.name.clone())
                .collect(),
            constraints: rows(mechanism, snapshot),
            forces: forces.collect(),
            independent: chosen.map(|chosen| Independent::chosen(mechanism, &chosen)),
            verified: Verified::new(mechanism, &verified),
            start: StartReport::new(mechanism, start, snapshot),
            warnings,
        })
    }
}

fn rows(mechanism: &Mechanism, snapshot: &Snapshot) -> Vec<ConstraintRow> {
    let system = &mechanism.system;
    let used = mechanism.equations.law_rows();
    let row = |(id, row): (RowId, &Row)| {
        let i = id.index();
        let held_by = system.held_by(id).map(|it| system.forces[it].name.clone());
        let nonideal = !system.nonideal[row.constraint.index()].is_empty();
        let mut frictions = system.frictions.iter();
        let friction = frictions.find(|it| it.of == Rough::Constraint(row.constraint));
        ConstraintRow {
            name: row.name.clone(),
            level: row.level.name(),
            linear: row.linear,
            holonomic: (row.level == Level::Position).then_some(true),
            integral: None,
            rheonomic: row.rheonomic,
            ideal: !nonideal && held_by.is_none(),
            empty: row
                .jacobian
                .iter()
                .all(|&(_, slope)| mechanism.equations.vanishes(slope)),
            active: snapshot.state.mode.is_active(system, row.constraint),
            unilateral: system.unilateral.iter().any(|it| it.row == id),
            redundant: snapshot.redundant[i],
            reaction_unique: snapshot.unique[i],
            held_by,
            laws: RowLaws {
                nonideal,
                friction: friction.map(|friction| match friction.slip {
                    Slip::Smooth => "smooth friction",
                    Slip::Line { .. } | Slip::Plane { .. } => "Coulomb friction",
                }),
                used: used.contains(&i),
            },
        }
    };
    let rows = Id::enumerate(&system.rows).skip(system.identities());
    rows.map(row).collect()
}

/// Names of what friction holds.
pub(super) fn sticking(mechanism: &Mechanism, snapshot: &Snapshot) -> Vec<String> {
    let held = snapshot.slips.iter().filter(|(_, held)| *held);
    held.map(|&(of, _)| rough_name(mechanism, of).to_owned())
        .collect()
}

impl StartReport {
    fn new(mechanism: &Mechanism, start: &Start, snapshot: &Snapshot) -> Self {
        let moved = start.moved.iter().map(|moved| Moved {
            name: moved.name.clone(),
            given: moved.given,
            found: moved.found,
        });
        Self {
            consistent: true,
            solved: start.solved.iter().cloned().collect(),
            moved: moved.collect(),
            sticking: sticking(mechanism, snapshot),
            residual: Residual {
                position: start.position_residual,
                velocity: start.velocity_residual,
            },
            units: units_by_name(mechanism),
        }
    }

    fn shown(&self, name: &str, value: f64) -> String {
        let unit = self.units.get(name).map(String::as_str);
        with_unit(significant(value, 7), unit)
    }
}

/// Units of coordinates, rates and speeds, where they are known.
fn units_by_name(mechanism: &Mechanism) -> IndexMap<String, String> {
    let units = &mechanism.units;
    let coordinates = || mechanism.coordinate_names();
    let rates = coordinates().map(|name| format!("{name}'"));
    let own = mechanism.model.speeds.iter().map(|(name, _)| &name.text);
    let names = coordinates().map(str::to_owned).chain(rates);
    let names = names.chain(own.cloned());
    let units = units
        .coordinates
        .iter()
        .chain(&units.rates)
        .chain(&units.speeds);
    let known = names
        .zip(units)
        .filter_map(|(name, unit)| Some((name, unit.clone()?)));
    known.collect()
}

impl Verified {
    fn new(mechanism: &Mechanism, found: &Certificate) -> Self {
        let row = found.not_reducible.first();
        Self {
            states: found.states,
            max_difference: (found.formulations.len() > 1).then_some(found.max_difference),
            formulations: found.formulations.len(),
            has_rows: !mechanism.system.rows.is_empty(),
            is_limited: found.is_limited(),
            not_reducible: row.map(|&row| mechanism.system.rows[row].name.clone()),
        }
    }
}

impl Report for CheckReport {
    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = &self.counts;
        if let Some(title) = &self.title {
            writeln!(f, "{}", visible(title))?;
        }
        write!(
            f,
            "coordinates {}{}   rows {}   rank {}   freedoms: {} {}",
            counts.coordinates,
            match self.identities.len() {
                0 => String::new(),
                _ => format!("   speeds {}", counts.speeds),
            },
            counts.rows,
            counts.rank,
            counts.velocity_freedoms,
            match counts.velocity_freedoms {
                1 => "velocity",
                _ => "velocities",
            },
        )?;
        match (counts.position_freedoms, counts.most_position_freedoms) {
            (Some(n), _) => write!(f, ", {n} {}", plural(n, "position"))?,
            (None, n) => write!(f, ", at most {n} {}", plural(n, "position"))?,
        }
        for name in &self.identities {
            write!(f, "\n{name:<12} identity of the coordinates, no reaction")?;
        }
        for row in &self.constraints {
            write!(f, "\n{:<12} {}", row.name, row.facts().join(", "))?;
        }
        if let Some(words) = self.shared_reactions() {
            write!(f, "\n{:<12} {words}", "not unique")?;
        }
        write!(f, "\n{:<12} {}", "start", self.start)?;
        if !self.start.sticking.is_empty() {
            let sticks = self.start.sticking.join(" sticks, ");
            write!(f, "\n{:<12} {sticks} sticks at the start", "friction")?;
        }
        if !self.constraints.is_empty() {
            let ideal = if self.constraints.iter().all(|row| row.ideal) {
                "yes: no virtual work"
            } else if self.constraints.iter().any(|row| row.laws.nonideal) {
                "no: constraints do virtual work"
            } else {
                "no: forces hold constraints, and do virtual work"
            };
            write!(f, "\n{:<12} {ideal}", "ideal")?;
            if let Some(independent) = &self.independent {
                write!(f, "\n{:<12} {independent}", "independent")?;
            }
        }
        write!(f, "\n{:<12} {}", "verified", self.verified)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn holds(active: &bool) -> bool {
    *active
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_equation(unilateral: &bool) -> bool {
    !*unilateral
}

impl CheckReport {
    /// Which constraints share their reactions in no one way, and what would make them unique.
    fn shared_reactions(&self) -> Option<String> {
        let rows = self.constraints.iter().filter(|row| !row.empty);
        let open = rows.clone().filter(|row| !row.reaction_unique);
        let mut shared: Vec<&str> = open.map(|row| constraint_of(&row.name)).collect();
        shared.dedup();
        let spare: Vec<&str> = rows
            .filter(|row| row.redundant)
            .map(|row| row.name.as_str())
            .collect();
        let repeats = match spare.len() {
            0 => return None,
            1 => "1 row repeats".to_owned(),
            n => format!("{n} rows repeat"),
        };
        Some(format!(
            "{repeats} what the others hold: how {} share their reactions depends on how stiff they are, which rigid parts do not say; \
             reactions are unique without {}, as of joints that hold less, or where one of them gives way: springs in its place",
            listed(&shared),
            listed(&spare),
        ))
    }
}

/// "a, b and c"; of many the first.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        _ if names.len() > SHOWN => {
            let first = names[..SHOWN].join(", ");
            format!("{first} and {} more", names.len() - SHOWN)
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl ConstraintRow {
    /// In words.
    fn facts(&self) -> Vec<String> {
        let level = match (self.level, self.linear) {
            ("position", _) => Some("holonomic"),
            ("velocity", true) => Some("linear"),
            ("velocity", false) => Some("nonlinear"),
            _ => None,
        };
        if self.empty {
            return vec![
                self.level.to_owned(),
                "0 = 0: it restricts nothing".to_owned(),
            ];
        }
        let mut facts: Vec<String> = [Some(self.level), level]
            .into_iter()
            .flatten()
            .chain(self.rheonomic.then_some("depends on time"))
            .chain(self.laws.nonideal.then_some("not ideal"))
            .chain(self.laws.friction)
            .chain(self.laws.used.then_some("a law uses its reaction"))
            .map(str::to_owned)
            .collect();
        facts.extend(self.held_by.iter().map(|force| format!("held by {force}")));
        facts.extend(match (self.unilateral, self.active) {
            (true, true) => Some("a contact, closed at the start".to_owned()),
            (true, false) => Some("a contact, open at the start".to_owned()),
            (false, true) => None,
            (false, false) => Some("waits for an event".to_owned()),
        });
        facts.extend(self.redundant.then(|| "redundant".to_owned()));
        facts.extend((!self.reaction_unique).then(|| "reaction not unique".to_owned()));
        facts
    }
}

/// What was found of the start, and which given values moved from where to where.
impl fmt::Display for StartReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.solved.iter();
        let found = found.filter(|(name, _)| self.moved.iter().all(|moved| moved.name != **name));
        let found: Vec<String> = found
            .map(|(name, value)| format!("{name} = {}", self.shown(name, *value)))
            .collect();
        let moved = self.moved.iter().map(|moved| {
            let [mut from, mut to] = [moved.given, moved.found].map(|x| self.shown(&moved.name, x));
            if from == to {
                // Little, but not nothing: all digits.
                [from, to] = [moved.given, moved.found].map(|x| x.to_string());
            }
            format!("{} from {from} to {to}", moved.name)
        });
        let moved: Vec<String> = moved.collect();
        let listed = |list: &[String]| {
            let shown = list[..list.len().min(SHOWN)].join(", ");
            match list.len().saturating_sub(SHOWN) {
                0 => shown,
                more => format!("{shown} and {more} more"),
            }
        };
        if !found.is_empty() {
            let verb = if found.len() == 1 {
                "follows"
            } else {
                "follow"
            };
            write!(f, "{} {verb} from the constraints; ", listed(&found))?;
        }
        if !moved.is_empty() {
            write!(f, "guesses changed to meet them: {}; ", listed(&moved))?;
        }
        f.write_str(match self.moved.is_empty() {
            true => "all given values are met",
            false => "all other given values are met",
        })
    }
}

/// What the comparison of formulations found, and what was left out of it.
impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(difference) = self.max_difference else {
            return f.write_str("by one formulation only: the model is large");
        };
        let count = self.formulations;
        write!(f, "{count} formulations give the same accelerations at ")?;
        match self.states {
            0 => {
                f.write_str("the start, as no random state was found that meets the constraints")?
            }
            n => write!(f, "{n} random {}", plural(n, "state"))?,
        }
        if self.states > 0 && self.has_rows {
            f.write_str(" that meet the constraints")?;
        }
        write!(f, " (to {difference:.0e})")?;
        if self.is_limited {
            f.write_str("; fewer than usual: the model is large")?;
        }
        match &self.not_reducible {
            Some(name) => write!(f, "; no independent speeds under `{name}`"),
            None => Ok(()),
        }
    }
}
