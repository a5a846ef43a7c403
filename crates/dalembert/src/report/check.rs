//! What `check` says: the constraint doctor.

mod constants;
mod doctor;
mod text;

use super::no_motion::rough_name;
use super::text::{Independent, significant, with_unit};
use super::{Numbers, Report};
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Level, Rough, Row, RowId, Slip};
use dalembert_mechanics::start::Start;
use dalembert_mechanics::{Certificate, Mechanism, Snapshot};
use doctor::{Holonomy, Rows};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// From so many bodies on that hang by joints their full mass matrix costs more than rows of few bodies each (docs/performance.md).
const FEW_BODIES: usize = 31;

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
    /// Bodies of a long tree in coordinates of its joints, whose inertia is left link by link and not written out as a matrix; only models with
    /// such say so in the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Bodies that would hang by their joints with `coordinates = "relative"`, where that makes runs faster; only such models say so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub could_hang: Vec<String>,
    /// The constraints, row by row.
    pub constraints: Vec<ConstraintRow>,
    /// The given forces.
    pub forces: Vec<Force>,
    /// Functions of the coordinates, and of time, that rows of velocities keep constant, beyond what rows of positions hold.
    pub integrals: Vec<String>,
    /// Dimensions of what is reached along one, two, … of the directions that the rows leave free, in turn: its last entry is that of all
    /// positions. Empty without rows of velocities.
    pub growth: Vec<usize>,
    /// Coordinates that neither the kinetic nor the potential energy depends on.
    pub ignorable: Vec<String>,
    /// What is constant along every motion, proved: "energy", "Jacobi integral", and momenta as sums of `p_x`, which is ∂T/∂x'.
    pub conserved: Vec<String>,
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
    /// "velocity" if it is the rate of a function of coordinates and time, "quasi" if it is the rate of nothing; where that is known.
    pub kind: Option<&'static str>,
    /// That function, if it is known.
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
    /// Positions that they leave free, if that is known without doubt.
    pub position_freedoms: Option<usize>,
    /// Positions that they leave free at most.
    #[serde(skip)]
    most_position_freedoms: usize,
    /// Whether numbers tell that so many it is, though nothing proves it.
    #[serde(skip)]
    numerically: bool,
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
    /// A function that it keeps constant on its own, if one is known.
    pub integral: Option<String>,
    /// The same in words.
    #[serde(skip)]
    holonomy: Holonomy,
    /// The row as a product, where it is one: `y'*(x' - y')`. One of the factors holds, and is the row to write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factored: Option<String>,
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
    /// Of which rows it is the sum there, `rod + 2*floor`; "0" where it restricts nothing there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
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
    /// "conservative" (it has a potential of the coordinates), "lamellar" (one that depends on time), "dissipative" (it takes power from every
    /// motion, or none), "gyroscopic" (it depends on rates, and has no power), or "other"; where that is known.
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
    /// Largest change of what is said to be constant along a short run from a random state, as part of its terms; where there is such a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<f64>,
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
    Diagnostic::error("E0526", Place::Model, message, SINGULAR)
}

/// What helps where numbers do not agree.
const SINGULAR: &str = "the system is singular or nearly so: look for masses, lengths or rows of very different sizes, \
                        and for motions with next to no inertia";

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
        let positions = |level| level == Level::Position;
        let mode = &start.state.mode;
        let counts = |row: &&Row| mode.is_active(system, row.constraint) && !row.identity;
        let active: Vec<&Row> = system.rows.iter().filter(counts).collect();
        let own = system.rows.iter().zip(&snapshot.redundant);
        let own = own.filter(|(row, _)| counts(row));
        let own = own.filter(|(row, redundant)| positions(row.level) && !**redundant);
        let of_positions = own.count();
        let mut examined = Rows::examined(mechanism, start);
        let left = nv - of_positions;
        let (reached, proved, most) = match active.iter().all(|row| positions(row.level)) {
            true => (Some(nv - rank), true, left),
            false => examined.reached(&active, left),
        };
        let counts = Counts {
            coordinates: n,
            speeds: nv,
            rows: active.len(),
            rank,
            redundant: active.len() - rank,
            velocity_freedoms: nv - rank,
            position_freedoms: reached.filter(|_| proved),
            most_position_freedoms: reached.unwrap_or(most),
            numerically: reached.is_some() && !proved,
        };
        let change = examined.held_against_a_run().map_err(|(name, part)| {
            let message = format!("`{name}` is proved to be constant, and changes by {part:.0e} of its terms along a run");
            Diagnostic::error("E0526", Place::Model, message, SINGULAR)
        })?;
        let chosen = mechanism.independents(&start.state);
        Ok(Self {
            title: mechanism.model.title.clone(),
            coordinates: names().collect(),
            speeds: examined.speeds(),
            counts,
            links: match system.hung {
                Some(_) => system.moving.iter().map(|it| it.name.clone()).collect(),
                None => Vec::new(),
            },
            could_hang: match mechanism.model.could_hang.len() {
                FEW_BODIES.. => Vec::new(),
                _ => mechanism.model.could_hang.clone(),
            },
            identities: (system.rows.iter().take(identities))
                .map(|row| row.name.clone())
                .collect(),
            constraints: rows(mechanism, snapshot, &mut examined),
            forces: examined.forces(),
            integrals: examined.integrals(),
            growth: examined.growth(),
            ignorable: examined.ignorable(),
            conserved: examined.conserved(),
            independent: chosen.map(|chosen| Independent::chosen(mechanism, &chosen)),
            verified: Verified::new(mechanism, &verified, change),
            start: StartReport::new(mechanism, start, snapshot),
            warnings,
        })
    }
}

fn rows(mechanism: &Mechanism, snapshot: &Snapshot, examined: &mut Rows) -> Vec<ConstraintRow> {
    let system = &mechanism.system;
    let used = mechanism.equations.law_rows();
    let dependences = mechanism.dependences(snapshot).of;
    let repeats = |id: RowId| {
        let found = dependences.iter().find(|it| it.row == id)?;
        let sum = found.sum(mechanism);
        Some(if sum.is_empty() { "0".to_owned() } else { sum })
    };
    let mut row = |(id, row): (RowId, &Row)| {
        let i = id.index();
        let held_by = system.held_by(id).map(|it| system.forces[it].name.clone());
        let nonideal = !system.nonideal[row.constraint.index()].is_empty();
        let mut frictions = system.frictions.iter();
        let friction = frictions.find(|it| it.of == Rough::Constraint(row.constraint));
        let holonomy = examined.holonomy(id, row);
        ConstraintRow {
            name: row.name.clone(),
            level: row.level.name(),
            linear: row.linear,
            holonomic: holonomy.is_holonomic(),
            integral: holonomy.integral().map(str::to_owned),
            holonomy,
            factored: examined.factored(row),
            rheonomic: row.rheonomic,
            ideal: !nonideal && held_by.is_none(),
            empty: row
                .jacobian
                .iter()
                .all(|&(_, slope)| mechanism.equations.vanishes(slope)),
            active: snapshot.state.mode.is_active(system, row.constraint),
            unilateral: system.unilateral.iter().any(|it| it.row == id),
            redundant: snapshot.redundant[i],
            repeats: repeats(id),
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
    rows.map(&mut row).collect()
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
    fn new(mechanism: &Mechanism, found: &Certificate, change: Option<f64>) -> Self {
        let row = found.not_reducible.first();
        Self {
            states: found.states,
            max_difference: (found.formulations.len() > 1).then_some(found.max_difference),
            change,
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn holds(active: &bool) -> bool {
    *active
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_equation(unilateral: &bool) -> bool {
    !*unilateral
}
