//! What `eval` says: numbers at one state.

use super::check::{disagreement, sticking};
use super::table::{Column, columns, shown, shown_beside, table};
use super::text::{Independent, with_unit};
use super::{Numbers, Report, named};
use dalembert_mechanics::decide::{CLEAR, COARSE, KNOWN};
use dalembert_mechanics::diagnostic::{Diagnostic, Severity};
use dalembert_mechanics::dimensions::{EquationOf, Units};
use dalembert_mechanics::elaborate::Target;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::ids::{ConstraintId, Id};
use dalembert_mechanics::lower::Row;
use dalembert_mechanics::lower::RowId;
use dalembert_mechanics::reactions::{Acting, Dependences, Geometry};
use dalembert_mechanics::{Mechanism, NoMotion, Snapshot};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Everything about the motion at one state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalReport {
    /// Time.
    pub t: f64,
    /// Values of the parameters.
    pub parameters: Numbers,
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
            Err(why) => Self::Not {
                undetermined: why.clone(),
            },
        }
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
    /// What there is to say of a state whose motion is known.
    ///
    /// # Errors
    /// The speeds do not determine the rates.
    pub(crate) fn new(
        mechanism: &Mechanism,
        s: &Snapshot,
        warnings: Vec<Diagnostic>,
    ) -> Result<Self, NoMotion> {
        let by_speed = mechanism.reactions_by_speed(s)?;
        let forces = mechanism.forces(s);
        let dependences = mechanism.dependences(s);
        let (system, model) = (&mechanism.system, &mechanism.model);
        let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
        let speeds = mechanism.speed_names();
        let rows: Vec<&String> = system.rows.iter().map(|row| &row.name).collect();
        let name = |on: Target| on.name(model).to_owned();
        let by = |formulation: &Formulation| {
            let found = s.formulations.iter().find(|(name, _)| name == formulation);
            let rates = found.map(|(_, rates)| named(&speeds, rates));
            (formulation.name().to_owned(), rates)
        };
        let unique = |constraint: ConstraintId| {
            let mut rows = system.rows.iter().zip(&s.unique);
            rows.all(|(row, unique)| {
                row.constraint != constraint || *unique || row.jacobian.is_empty()
            })
        };
        let reactions = Id::enumerate(&model.constraints).map(|(id, constraint)| {
            let of = s
                .reactions
                .of(id)
                .map(|(i, it)| (coordinates[i].to_owned(), it));
            let acting = forces.reactions[id.index()].as_ref();
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
        let resultants = resultants.map(|(on, it)| (name(*on), Determined::new(it, Wrench::new)));
        let held_by = |row| system.held_by(row).map(|it| system.forces[it].name.clone());
        let chosen = mechanism.independents(&s.state);
        let units = &mechanism.units;
        let of_rows = |unit: fn(&Units, EquationOf, u8) -> Option<String>| {
            let rows = system.rows.iter();
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
            coordinates: named(&coordinates, &s.state.coordinates),
            rates: named(&coordinates, &s.state.rates),
            speeds: named(&speeds, &s.speeds),
            accelerations: named(&coordinates, &s.accelerations),
            speed_rates: named(&speeds, &s.speed_rates),
            multipliers: named(&rows, &s.multipliers),
            multipliers_ideal: named(&rows, &s.multipliers_ideal),
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
            held_by: Id::all(&system.rows).map(held_by).collect(),
            has_speeds: system.speeds.is_some(),
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

    fn components(&self) -> impl Iterator<Item = &f64> {
        self.force.iter().chain(&self.moment)
    }

    /// Force, and on a body the moment; rounding beside others of some size left out.
    fn text(&self, size: f64, [force, moment]: [Option<&str>; 2]) -> String {
        let force = with_unit(vector(&self.force, size), force);
        match self.on_body {
            false => force,
            true => format!("{force}  {}", with_unit(vector(&self.moment, size), moment)),
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
    let constraints = mechanism.model.constraints.iter();
    let constraints = constraints.map(|constraint| &constraint.name.text);
    let drive = "drive".to_owned();
    let all = forces.zip(&s.force_power);
    let all = all.chain(constraints.zip(&s.constraint_power));
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

impl fmt::Display for EvalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.units.has_units.then_some("s");
        let t = with_unit(shown(self.t), unit);
        match self.values_of_start {
            false => writeln!(f, "t = {t}")?,
            true => writeln!(
                f,
                "t = {t}, with the values of the start: not the motion that arrives there, which `run` gives"
            )?,
        }
        let units = &self.units;
        let motion = [
            Column::new("value", &self.coordinates, &units.coordinates),
            Column::new("rate", &self.rates, &units.rates),
            Column::new("acceleration", &self.accelerations, &units.accelerations),
            Column::new("momentum", &self.momentum, &units.momenta),
        ];
        columns(f, "coordinate", &motion)?;
        let mut by_speed = &units.generalized_forces;
        if self.has_speeds {
            by_speed = &units.speed_forces;
            let motion = [
                Column::new("value", &self.speeds, &units.speeds),
                Column::new("rate", &self.speed_rates, &units.speed_rates),
            ];
            columns(f, "speed", &motion)?;
        }
        self.multipliers(f)?;
        let forces = &self.forces;
        let mut parts = vec![
            Column::new("applied and inertial", &forces.given, by_speed),
            Column::new("ideal reaction", &forces.ideal, by_speed),
            Column::new("non-ideal reaction", &forces.nonideal, by_speed),
        ];
        let servo = forces.servo.as_ref();
        parts.extend(servo.map(|it| Column::new("servo force", it, by_speed)));
        columns(f, "force on", &parts)?;
        self.reactions(f)?;
        self.balance(f)
    }
}

impl EvalReport {
    fn multipliers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.multipliers.is_empty() {
            return Ok(());
        }
        let error = self.geometry.error.as_ref();
        let names = self.multipliers.keys();
        let error: Option<Numbers> = error.map(|error| named(names, error));
        let [units, row_units] = &self.row_units;
        let mut parts = vec![
            Column::new("multiplier", &self.multipliers, units),
            Column::new("ideal multiplier", &self.multipliers_ideal, units),
        ];
        parts.extend(
            error
                .as_ref()
                .map(|it| Column::new("b - A a", it, row_units)),
        );
        table(f, "row", &parts, |i, name| {
            let not_unique = self.not_unique.rows.contains(name);
            let mut marks = Vec::from_iter(not_unique.then(|| "not unique".to_owned()));
            marks.extend(
                self.held_by[i]
                    .iter()
                    .map(|force| format!("force of {force}")),
            );
            marks.join("   ")
        })?;
        let notes = self
            .not_unique
            .why
            .iter()
            .chain(&self.geometry.undetermined);
        notes.into_iter().try_for_each(|note| writeln!(f, "{note}"))
    }

    /// Forces on particles and bodies, constraint by constraint and all together.
    fn reactions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table: Vec<(String, Result<&Wrench, &String>, &str)> = Vec::new();
        for (name, reaction) in &self.reactions {
            let mark = match reaction.is_unique {
                true => "",
                false => "   not unique",
            };
            match (&reaction.bodies, &reaction.undetermined) {
                (Some(bodies), _) => table.extend(
                    bodies
                        .iter()
                        .map(|(on, it)| (format!("{name} on {on}"), Ok(it), mark)),
                ),
                (None, Some(why)) => table.push((name.clone(), Err(why), "")),
                (None, None) => {}
            }
        }
        table.extend(self.resultants.iter().map(|(on, found)| {
            let found = match found {
                Determined::Known(wrench) => Ok(wrench),
                Determined::Not { undetermined } => Err(undetermined),
            };
            (format!("all on {on}"), found, "")
        }));
        if table.is_empty() {
            return Ok(());
        }
        let known = || table.iter().filter_map(|(_, found, _)| found.ok());
        let size = largest(known().flat_map(Wrench::components));
        let labels = table.iter().map(|(label, _, _)| label.chars().count());
        let width = labels.max().unwrap_or(0).max(12);
        let head = "force, and moment about the mass centre";
        writeln!(f, "\n{:<width$} {head}", "reaction")?;
        // One reason is told once.
        let mut told: Vec<&String> = Vec::new();
        for (label, found, mark) in &table {
            let text = match found {
                Ok(wrench) => wrench.text(size, [self.si("N"), self.si("N*m")]),
                Err(why) if told.contains(why) => "not determined, as above".to_owned(),
                Err(why) => {
                    told.push(why);
                    format!("not determined: {why}")
                }
            };
            writeln!(f, "{label:<width$} {text}{mark}")?;
        }
        match known().flat_map(Wrench::components).any(|x| x.is_nan()) {
            true => writeln!(f, "not determined: {}", Acting::WHY_OPEN),
            false => Ok(()),
        }
    }

    /// A unit of mechanics, if the model has units.
    fn si(&self, unit: &'static str) -> Option<&'static str> {
        self.units.has_units.then_some(unit)
    }

    fn balance(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        if let Determined::Known(Momentum { linear, angular }) = &self.total_momentum {
            let size = largest(linear.iter().chain(angular));
            let linear = with_unit(vector(linear, size), self.si("kg*m/s"));
            let angular = with_unit(vector(angular, size), self.si("kg*m^2/s"));
            writeln!(
                f,
                "momentum     linear {linear}, angular {angular} about the origin"
            )?;
        }
        let Energy { kinetic, potential } = self.energy;
        let energies = [kinetic, potential, kinetic + potential];
        let [kinetic, potential, total] =
            energies.map(|energy| with_unit(shown(energy), self.si("J")));
        writeln!(
            f,
            "energy       kinetic {kinetic}, potential {potential}, total {total}"
        )?;
        let last = self.power.len() - 1;
        let size = largest(self.power.values());
        let powers = self.power.iter().enumerate().map(|(i, (name, power))| {
            // What moves the system from outside is no force of the model.
            let name = if i == last { "prescribed motion" } else { name };
            format!(
                "{name} {}",
                with_unit(shown_beside(*power, size), self.si("W"))
            )
        });
        write!(f, "power        {}", powers.collect::<Vec<_>>().join(", "))?;
        if !self.sticking.is_empty() {
            let sticks = self.sticking.join(", ");
            write!(f, "\nfriction     holds {sticks}")?;
        }
        if let Some((largest, _)) = self.farthest {
            let names = self.formulations.iter();
            let names = names.filter(|(_, rates)| rates.is_some());
            let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
            write!(
                f,
                "\nformulations {} agree to {largest:.0e}",
                names.join(", ")
            )?;
            if let Some(independent) = &self.independent {
                write!(f, "\nindependent  {independent}")?;
            }
        }
        Ok(())
    }
}

fn largest<'a>(numbers: impl Iterator<Item = &'a f64>) -> f64 {
    numbers.fold(0.0_f64, |size, x| size.max(x.abs()))
}

/// A vector, the rounding beside others of some size left out.
fn vector(components: &[f64; 3], size: f64) -> String {
    let component = |x: f64| match x.is_nan() {
        true => "not determined".to_owned(),
        false if x.abs() <= KNOWN * size => "0".to_owned(),
        false => shown(x),
    };
    format!("[{}]", components.map(component).join(", "))
}
