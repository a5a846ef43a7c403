//! What `eval` says: numbers at one state.

use super::check::{disagreement, sticking};
use super::text::Independent;
use super::{Found, Numbers, Report, named};
use dalembert_mechanics::decide::{CLEAR, COARSE};
use dalembert_mechanics::diagnostic::{Diagnostic, Severity};
use dalembert_mechanics::dimensions::{EquationOf, Units};
use dalembert_mechanics::elaborate::Target;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::ids::{ConstraintId, Id};
use dalembert_mechanics::lower::RowId;
use dalembert_mechanics::lower::{Rough, Row};
use dalembert_mechanics::reactions::{Acting, Dependences, Geometry};
use dalembert_mechanics::{Mechanism, NoMotion, Snapshot};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

mod text;

/// Everything about the motion at one state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalReport {
    /// Time.
    pub t: f64,
    /// Values of the parameters.
    pub parameters: Numbers,
    /// Those that were "?", and are found from the start.
    #[serde(skip_serializing_if = "Found::is_empty")]
    #[schemars(with = "Numbers")]
    pub found: Found,
    /// q.
    pub coordinates: Numbers,
    /// q', by coordinate.
    pub rates: Numbers,
    /// v.
    pub speeds: Numbers,
    /// q'', by coordinate.
    pub accelerations: Numbers,
    /// v', by speed.
    pub speed_rates: Numbers,
    /// λ, by row.
    pub multipliers: Numbers,
    /// λ if the constraints were ideal, by row.
    pub multipliers_ideal: Numbers,
    /// Multipliers that are not determined.
    pub not_unique: NotUnique,
    /// Generalized forces by speed: M v' is their sum.
    pub forces: ForceSplit,
    /// What each constraint exerts.
    pub reactions: IndexMap<String, Reaction>,
    /// The sum of all reactions on each particle and body.
    pub resultants: IndexMap<String, Determined<Wrench>>,
    /// What constraints demand of the free motion.
    pub geometry: GeometryReport,
    /// ∂T/∂q', by coordinate.
    pub momentum: Numbers,
    /// Of all particles and bodies.
    pub total_momentum: Determined<Momentum>,
    /// Energies.
    pub energy: Energy,
    /// Power of each force and constraint, and of what drives the system from outside.
    pub power: Numbers,
    /// Whether motions branch off here: what follows from accelerations or multipliers is null then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub change_point: bool,
    /// What friction holds: constraints, and springs with dry friction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sticking: Vec<String>,
    /// Coordinates and speeds that the others follow from.
    pub independent: Option<Independent>,
    /// v' by each formulation that was compared.
    pub formulations: IndexMap<String, Option<Numbers>>,
    /// What the reader should know.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
    /// The force whose size is the multiplier of a row, by row.
    #[serde(skip)]
    held_by: Vec<Option<String>>,
    /// Whether the model has speeds of its own.
    #[serde(skip)]
    has_speeds: bool,
    /// Whether the time is another than that of the start.
    #[serde(skip)]
    values_of_start: bool,
    /// The formulation that differs most from multipliers, and by how much.
    #[serde(skip)]
    farthest: Option<(f64, Formulation)>,
    /// Units of the model.
    #[serde(skip)]
    units: Units,
    /// Units of the multipliers, and of b - A a, by row.
    #[serde(skip)]
    row_units: [ColumnUnits; 2],
}

/// Why there are no forces where motions branch off.
const AT_CHANGE_POINT: &str =
    "the state is a change point, and its rows alone do not give the motion along a branch";

/// Units of a column of numbers; `None` where one is not known.
type ColumnUnits = Vec<Option<String>>;

/// Multipliers that are not determined.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NotUnique {
    /// Their rows.
    pub rows: Vec<String>,
    /// How the rows depend on each other.
    pub why: Vec<String>,
}

impl NotUnique {
    pub(crate) fn new(mechanism: &Mechanism, found: &Dependences) -> Self {
        let row = |&row: &RowId| mechanism.system.rows[row].name.clone();
        Self {
            rows: found.rows.iter().map(row).collect(),
            why: found.words(mechanism),
        }
    }
}

/// Generalized forces by speed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ForceSplit {
    /// h: given forces, and inertia terms without accelerations.
    pub given: Numbers,
    /// What ideal constraints exert.
    pub ideal: Numbers,
    /// What is not ideal about them.
    pub nonideal: Numbers,
    /// Forces that hold constraints in place of reactions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servo: Option<Numbers>,
}

/// What a constraint exerts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reaction {
    /// By coordinate; in large models on those that it speaks of.
    pub generalized: Numbers,
    /// By speed; not in large models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speeds: Option<Numbers>,
    /// On each particle and body; null where it is not determined.
    pub bodies: Option<IndexMap<String, Wrench>>,
    /// Why it, or some component, is not determined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undetermined: Option<String>,
    /// Whether its rows have one reaction only; a row that says nothing has none.
    #[serde(skip)]
    is_unique: bool,
}

/// Force and moment, in world axes, on a body at its mass centre; components that are not determined are no numbers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Wrench {
    /// Force.
    pub force: [f64; 3],
    /// Moment about the mass centre; zero on a particle.
    pub moment: [f64; 3],
    #[serde(skip)]
    on_body: bool,
}

/// A value, or why there is none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Determined<T> {
    /// The value.
    Known(T),
    /// There is none.
    Not {
        /// Why not.
        undetermined: String,
    },
}

impl<T> Determined<T> {
    fn new<U>(found: &Result<U, String>, make: impl Fn(&U) -> T) -> Self {
        match found {
            Ok(value) => Self::Known(make(value)),
            Err(why) => Self::unknown(why),
        }
    }

    fn unknown(why: &str) -> Self {
        let undetermined = why.to_owned();
        Self::Not { undetermined }
    }
}

/// What constraints demand of the free motion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GeometryReport {
    /// e = b − A a by row: by how much the motion without constraints would break it.
    pub error: Option<Vec<f64>>,
    /// Why there is no such motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undetermined: Option<String>,
    /// The part of q'' that the rows leave free, by coordinate.
    pub tangent: Vec<f64>,
    /// The part that they demand, by coordinate.
    pub normal: Vec<f64>,
}

/// Momentum of all particles and bodies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Momentum {
    /// Linear momentum.
    pub linear: [f64; 3],
    /// Angular momentum about the origin.
    pub angular: [f64; 3],
}

/// Energies.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Energy {
    /// T.
    pub kinetic: f64,
    /// V.
    pub potential: f64,
}

impl EvalReport {
    /// What there is to say of a state; of one where motions branch off, nothing that follows from accelerations or multipliers.
    ///
    /// # Errors
    /// The speeds do not determine the rates.
    pub(crate) fn new(
        mechanism: &Mechanism,
        s: &Snapshot,
        change_point: bool,
        warnings: Vec<Diagnostic>,
    ) -> Result<Self, NoMotion> {
        let by_speed = mechanism.reactions_by_speed(s)?;
        let forces = mechanism.forces(s);
        let dependences = mechanism.dependences(s);
        let (system, model) = (&mechanism.system, &mechanism.model);
        let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
        let speeds = mechanism.speed_names();
        // Identities, which stand first, have no multipliers.
        let first = system.identities();
        let rows: Vec<&String> = system.rows[first..].iter().map(|row| &row.name).collect();
        let name = |on: Target| on.name(model).to_owned();
        let by = |formulation: &Formulation| {
            let found = s.formulations.iter().find(|(name, _)| name == formulation);
            let rates = found.map(|(_, rates)| named(&speeds, rates));
            (formulation.name().to_owned(), rates)
        };
        let unique = |constraint: ConstraintId| {
            if s.held_in_many_ways.contains(&Rough::Constraint(constraint)) {
                return false;
            }
            let mut rows = system.rows.iter().zip(&s.unique);
            rows.all(|(row, unique)| {
                row.constraint != constraint || *unique || row.jacobian.is_empty()
            })
        };
        let acting = Id::enumerate(&model.constraints).filter(|(_, it)| !it.identity);
        let reactions = acting.map(|(id, constraint)| {
            let of = s
                .reactions
                .of(id)
                .map(|(i, it)| (coordinates[i].to_owned(), it));
            let acting = forces.reactions[id.index()].as_ref();
            let branching = &AT_CHANGE_POINT.to_owned();
            let acting = acting.and_then(|it| match change_point {
                true => Err(branching),
                false => Ok(it),
            });
            let bodies = acting.ok().map(|acting| {
                let each = acting.iter();
                each.map(|it| (name(it.on), Wrench::new(it))).collect()
            });
            let open = acting.is_ok_and(|acting| acting.iter().any(Acting::is_open));
            let why = acting.err().cloned();
            let reaction = Reaction {
                generalized: of.collect(),
                speeds: by_speed.as_ref().map(|it| named(&speeds, &it[id.index()])),
                bodies,
                undetermined: why.or_else(|| open.then(|| Acting::WHY_OPEN.to_owned())),
                is_unique: unique(id),
            };
            (constraint.name.text.clone(), reaction)
        });
        let resultants = forces.resultants.iter();
        let resultants = resultants.map(|(on, it)| match change_point {
            true => (name(*on), Determined::unknown(AT_CHANGE_POINT)),
            false => (name(*on), Determined::new(it, Wrench::new)),
        });
        let held_by = |row| system.held_by(row).map(|it| system.forces[it].name.clone());
        let chosen = mechanism.independents(&s.state);
        let units = &mechanism.units;
        let of_rows = |unit: fn(&Units, EquationOf, u8) -> Option<String>| {
            let rows = system.rows[first..].iter();
            let unit = |row: &Row| {
                unit(
                    units,
                    (row.constraint, row.equation),
                    row.level.derivatives(),
                )
            };
            rows.map(unit).collect()
        };
        Ok(Self {
            units: units.clone(),
            row_units: [of_rows(Units::multiplier), of_rows(Units::row_acceleration)],
            t: s.state.t,
            parameters: named(
                model.parameters.iter().map(|(name, _)| &name.text),
                &mechanism.parameters,
            ),
            found: Found::new(mechanism),
            coordinates: named(&coordinates, &s.state.coordinates),
            rates: named(&coordinates, &s.state.rates),
            speeds: named(&speeds, &s.speeds),
            accelerations: named(&coordinates, &s.accelerations),
            speed_rates: named(&speeds, &s.speed_rates),
            multipliers: named(&rows, s.multipliers.iter().skip(first)),
            multipliers_ideal: named(&rows, s.multipliers_ideal.iter().skip(first)),
            not_unique: NotUnique::new(mechanism, &dependences),
            forces: ForceSplit {
                given: named(&speeds, &s.force_given),
                ideal: named(&speeds, &s.force_ideal),
                nonideal: named(&speeds, &s.force_nonideal),
                servo: (!system.servo.is_empty()).then(|| named(&speeds, &s.force_servo)),
            },
            reactions: reactions.collect(),
            resultants: resultants.collect(),
            geometry: GeometryReport::new(mechanism.geometry(s)),
            momentum: named(&coordinates, &forces.momenta),
            total_momentum: Determined::new(&forces.momentum, |&[linear, angular]| Momentum {
                linear,
                angular,
            }),
            energy: Energy {
                kinetic: s.kinetic,
                potential: s.potential,
            },
            power: powers(mechanism, s),
            sticking: sticking(mechanism, s),
            independent: chosen.map(|chosen| Independent::chosen(mechanism, &chosen)),
            formulations: Formulation::ALL.iter().map(by).collect(),
            warnings,
            held_by: Id::all(&system.rows).skip(first).map(held_by).collect(),
            has_speeds: system.speeds.is_some(),
            change_point,
            values_of_start: (s.state.t - mechanism.from).abs() > 0.0,
            farthest: s.difference,
        })
    }

    /// Whether formulations agree: a warning where they hardly do.
    ///
    /// # Errors
    /// They do not.
    pub(crate) fn compared(&self) -> Result<Option<Diagnostic>, Diagnostic> {
        let Some((largest, route)) = self.farthest.filter(|(it, _)| *it > CLEAR) else {
            return Ok(None);
        };
        let mut told = disagreement(route.name(), largest);
        // Beyond that none of their numbers means anything.
        if largest > COARSE {
            return Err(told);
        }
        told.severity = Severity::Warning;
        Ok(Some(told))
    }
}

impl Wrench {
    fn new(acting: &Acting) -> Self {
        Self {
            force: acting.force,
            moment: acting.moment,
            on_body: matches!(acting.on, Target::Body(_)),
        }
    }
}

impl GeometryReport {
    fn new(found: Geometry) -> Self {
        let (error, undetermined) = match found.error {
            Ok(error) => (Some(error), None),
            Err(why) => (None, Some(why)),
        };
        Self {
            error,
            undetermined,
            tangent: found.tangent,
            normal: found.normal,
        }
    }
}

/// Powers of forces, of constraints, and of what drives the system.
fn powers(mechanism: &Mechanism, s: &Snapshot) -> Numbers {
    let forces = mechanism.system.forces.iter().map(|force| &force.name);
    let constraints = mechanism.model.constraints.iter().zip(&s.constraint_power);
    let constraints = constraints.filter(|(constraint, _)| !constraint.identity);
    let constraints = constraints.map(|(constraint, power)| (&constraint.name.text, power));
    let drive = "drive".to_owned();
    let all = forces.zip(&s.force_power).chain(constraints);
    let mut power = Numbers::new();
    for (name, &value) in all.chain([(&drive, &s.drive)]) {
        // A force and a constraint may have the same name, as in result files; and a force of the model may be a drive.
        let numbered = (2..).map(|n| format!("{name} ({n})"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free = names.find(|name| !power.contains_key(name));
        power.insert(free.unwrap_or_default(), value);
    }
    power
}

impl Report for EvalReport {
    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}
