//! What `run` says: how a simulation went and ended; and why one stopped on its way.

use super::check::Residual;
use super::contacts;
use super::diagnostic::{Entry, Error, entries, no_errors};
use super::eval::NotUnique;
use super::no_motion::rough_name;
use super::text::{Independent, SHOWN, significant, with_unit};
use super::{Found, Numbers, Report};
use crate::results::{ResultsError, Table};
use crate::simulate::{
    ChangePoint, ChangedIntegrator, Happened, Happening, Outcome, Simulation, SlipChange, Trail,
    method_name,
};
use dalembert_expr::print::visible;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::PRODUCTS;
use dalembert_mechanics::diagnostic::{Diagnostic, Severity};
use dalembert_mechanics::dimensions::Units;
use dalembert_ode::Method;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::path::Path;

mod notes;

use notes::{
    at_rest, doubtful, not_unique, passed_change_points, unclear, undetermined, unfollowed,
    valueless,
};

/// Events that the text tells.
const TOLD: usize = 3;

/// A run: finished, or as far as it came.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunReport {
    /// "done" at the end of the span, "until" where the condition became true, "event" where one ended it, "rest" where impacts, or other
    /// events, that follow each other ever faster are over, "interrupted", or "error".
    pub status: &'static str,
    /// Time reached.
    pub t_end: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub rhs_evaluations: u64,
    /// Seconds spent integrating and recording. The three together are what a run takes, but for reading and writing files and the
    /// start of a process.
    pub wall_s: f64,
    /// Seconds from text to equations and a consistent start.
    pub derive_s: f64,
    /// Seconds spent on the programs of the run.
    pub compile_s: f64,
    /// Where accelerations and reactions came from.
    pub formulation: &'static str,
    /// The integrator, the last where there were several.
    pub integrator: &'static str,
    /// Derivatives of the right-hand side by the state, for implicit steps.
    pub jacobians: u64,
    /// Factorisations for implicit steps.
    pub factorisations: u64,
    /// Changes of the integrator on the way.
    pub switched: Vec<Switched>,
    /// Largest residuals of the constraints.
    pub max_residual: Residual,
    /// The ledger of energy and work.
    pub energy: Ledger,
    /// What happened on the way.
    pub events: Vec<Event>,
    /// Coordinates and rates at the end.
    pub end: Numbers,
    /// Parameters that were "?", and are found from the start.
    #[serde(skip_serializing_if = "Found::is_empty")]
    #[schemars(with = "Numbers")]
    pub found: Found,
    /// What governed the run, if that was its formulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub independent: Option<Independent>,
    /// How often these changed on the way, to stay well conditioned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rechosen: Option<u64>,
    /// Multipliers that were to be recorded and are not determined: the samples have no numbers of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_unique: Option<NotUnique>,
    /// The files that the samples were written to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<WrittenFile>,
    /// What ended the run on its way or kept its file from being written, then what else the reader should know; in the
    /// document where there is an error.
    #[serde(skip_serializing_if = "no_errors", serialize_with = "entries")]
    #[schemars(with = "Vec<Entry>")]
    pub diagnostics: Vec<Diagnostic>,
    /// The samples.
    #[serde(skip)]
    pub table: Table,
    /// The state at every time, if the run was to keep it.
    #[serde(skip)]
    pub trail: Option<Trail>,
    #[serde(skip)]
    outcome: Outcome,
    /// The condition that was to end it, as written.
    #[serde(skip)]
    until: Option<String>,
    /// Units of the model, for the text.
    #[serde(skip)]
    units: Units,
}

/// A file of samples.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WrittenFile {
    /// Its name.
    pub path: String,
    /// Samples.
    pub rows: usize,
    /// Quantities.
    pub columns: usize,
}

/// Energy and work of a run.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Ledger {
    /// Energy at the start.
    pub start: f64,
    /// Energy at the end.
    pub end: f64,
    /// Work of all that is not the potential.
    pub work: f64,
    /// How far they are from balance.
    pub balance_error: f64,
}

/// A change of the integrator.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Switched {
    /// When.
    pub t: f64,
    /// The integrator from there on.
    pub to: &'static str,
    /// Why.
    pub reason: &'static str,
}

impl From<&ChangedIntegrator> for Switched {
    fn from(switch: &ChangedIntegrator) -> Self {
        let reason = match switch.to {
            Method::Radau5 => {
                "the motion is stiff: stability, not accuracy, kept explicit steps short"
            }
            _ => "the motion is no longer stiff",
        };
        Self {
            t: switch.t,
            to: method_name(switch.to),
            reason,
        }
    }
}

/// Something that happened on the way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// When.
    pub t: f64,
    /// What it is: `event`, `impact` where velocities jump by a blow, `open` and `close` of a contact, `stick`, `slip` or `change point`.
    pub kind: &'static str,
    /// Energy that constraints and walls took in a blow, or that was taken by new values.
    pub lost: Option<f64>,
    /// Rates before it.
    pub before: Numbers,
    /// Rates after it.
    pub after: Numbers,
    /// Impulses of the rows in a blow, and of what was struck by its number: `hit.0`.
    pub impulses: Numbers,
}

impl Event {
    /// A change point is named after the rows that depend on each other there.
    fn of(mechanism: &Mechanism, point: &ChangePoint) -> Self {
        let rows = point.rows.iter().map(|&row| &mechanism.system.rows[row]);
        let names: Vec<&str> = rows.map(|row| row.name.as_str()).collect();
        Self {
            name: names.join(", "),
            t: point.t,
            kind: "change point",
            lost: None,
            before: Numbers::default(),
            after: Numbers::default(),
            impulses: Numbers::default(),
        }
    }

    /// An event of the model that happened.
    fn happened(mechanism: &Mechanism, happened: &Happened) -> Self {
        let system = &mechanism.system;
        let contact = |it: usize| system.rows[system.unilateral[it].row].name.clone();
        let (name, kind, struck) = match &happened.of {
            Happening::Event(event) => {
                let event = &system.events[*event];
                let kind = if happened.is_blow { "impact" } else { "event" };
                (event.name.clone(), kind, event.struck.len())
            }
            Happening::Impact(contacts) => {
                let names: Vec<String> = contacts.iter().map(|&it| contact(it)).collect();
                (names.join(", "), "impact", 0)
            }
            Happening::Close(it) => (contact(*it), "close", 0),
            Happening::Open(it) => (contact(*it), "open", 0),
        };
        let rates = |values: &[f64]| {
            let names = mechanism.coordinate_names().map(|name| format!("{name}'"));
            super::named(names, values)
        };
        let rows = system.rows.iter().skip(system.identities());
        let rows = rows.map(|row| row.name.clone());
        let struck = (0..struck).map(|k| format!("{name}.{k}"));
        let impulses = happened.impulses.iter().skip(system.identities());
        let impulses = super::named(rows.chain(struck), impulses);
        Self {
            name,
            t: happened.t,
            kind,
            lost: happened.lost,
            before: rates(&happened.before),
            after: rates(&happened.after),
            impulses,
        }
    }
}

/// All that happened on the way, in the order of time.
fn events(mechanism: &Mechanism, run: &Simulation) -> Vec<Event> {
    let points = run.change_points.iter();
    let points = points.map(|point| Event::of(mechanism, point));
    let happened = run.happened.iter();
    let happened = happened.map(|it| Event::happened(mechanism, it));
    let slips = run.slips.iter();
    let slips = slips.map(|change| Event::of_slip(mechanism, change));
    let mut all: Vec<Event> = points.chain(slips).chain(happened).collect();
    all.sort_by(|a, b| a.t.total_cmp(&b.t));
    all
}

impl Event {
    fn of_slip(mechanism: &Mechanism, change: &SlipChange) -> Self {
        Self {
            name: rough_name(mechanism, change.of).to_owned(),
            t: change.t,
            kind: if change.held { "stick" } else { "slip" },
            lost: None,
            before: Numbers::default(),
            after: Numbers::default(),
            impulses: Numbers::default(),
        }
    }
}

impl RunReport {
    /// What there is to say of a run of a mechanism that took so many seconds to derive, besides what is known already.
    pub(crate) fn new(
        mechanism: &Mechanism,
        run: Simulation,
        derive_s: f64,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Self {
        diagnostics.extend(undetermined(mechanism, &run));
        diagnostics.extend(valueless(mechanism, &run));
        diagnostics.extend(not_unique(mechanism, &run));
        diagnostics.extend(passed_change_points(mechanism, &run));
        diagnostics.extend(at_rest(mechanism, &run));
        diagnostics.extend(contacts::notes(mechanism, &run));
        diagnostics.extend(doubtful(mechanism, &run));
        diagnostics.extend(unclear(&run));
        diagnostics.extend(unfollowed(mechanism, &run));
        let names = || mechanism.coordinate_names();
        let values = run.coordinates.iter().chain(&run.rates);
        let names = names()
            .map(str::to_owned)
            .chain(names().map(|name| format!("{name}'")));
        let reduction = run.reduction.as_ref();
        Self {
            status: match run.outcome {
                Outcome::Done => "done",
                Outcome::Until => "until",
                Outcome::Event(_) => "event",
                Outcome::Rest { .. } => "rest",
                Outcome::Interrupted => "interrupted",
                Outcome::Stopped => "error",
            },
            t_end: run.t_end,
            steps: run.steps,
            rejected: run.rejected,
            rhs_evaluations: run.rhs_evaluations,
            wall_s: run.wall_s,
            derive_s,
            compile_s: run.compile_s,
            formulation: run.formulation.name(),
            integrator: run.integrator,
            jacobians: run.jacobians,
            factorisations: run.factorisations,
            switched: run.switched.iter().map(Switched::from).collect(),
            max_residual: Residual {
                position: run.position_residual,
                velocity: run.velocity_residual,
            },
            energy: Ledger {
                start: run.energy_start,
                end: run.energy_end,
                work: run.work,
                balance_error: run.balance_error(),
            },
            events: events(mechanism, &run),
            end: super::named(names, values),
            found: Found::new(mechanism),
            independent: reduction
                .map(|it| Independent::new(mechanism, &it.coordinates, &it.speeds)),
            rechosen: reduction.map(|it| it.rechosen),
            not_unique: (run.not_unique.as_ref()).map(|open| NotUnique::new(mechanism, open)),
            files: Vec::new(),
            diagnostics,
            outcome: run.outcome,
            until: (mechanism.model.run.until.as_ref()).map(|it| it.text.clone()),
            units: mechanism.units.clone(),
            table: run.table,
            trail: run.trail,
        }
    }

    /// A unit of mechanics, if the model has units.
    fn si(&self, unit: &'static str) -> Option<&'static str> {
        self.units.has_units.then_some(unit)
    }

    /// When another integrator went on, and why.
    fn write_switches(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Switched { t, to, reason }) = self.switched.first() else {
            return Ok(());
        };
        let t = significant(*t, 6);
        write!(f, "switched     to {to} at t = {t}, because {reason}")?;
        match self.switched.len() - 1 {
            0 => writeln!(f),
            1 => writeln!(f, "; and once more"),
            more => writeln!(f, "; and {more} times more"),
        }
    }

    /// The state at the end.
    fn write_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (coordinates, rates) = (&self.units.coordinates, &self.units.rates);
        let units = || coordinates.iter().chain(rates).enumerate();
        // Rounding beside what is of the same kind is zero.
        let is_rate = |i: usize| i >= coordinates.len();
        let largest = |i: usize, unit: &Option<String>| {
            let like = self.end.values().zip(units());
            let like = like.filter(|(_, (k, own))| is_rate(*k) == is_rate(i) && *own == unit);
            like.map(|(value, _)| value.abs()).fold(0.0, f64::max)
        };
        let end = self.end.iter().zip(units()).take(SHOWN);
        let end = end.map(|((name, &value), (i, unit))| {
            let rounding = value.abs() <= PRODUCTS * largest(i, unit);
            let value = if rounding { 0.0 } else { value };
            let value = with_unit(significant(value, 7), unit.as_deref());
            format!("{name} = {value}")
        });
        write!(f, "end          {}", end.collect::<Vec<_>>().join(", "))?;
        match self.end.len().saturating_sub(SHOWN) {
            0 => writeln!(f),
            more => writeln!(f, " and {more} more"),
        }
    }

    /// What sticks and what slips, from when on.
    fn write_slips(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slips = self.events.iter();
        let slips = slips.filter(|event| ["stick", "slip"].contains(&event.kind));
        let told: Vec<String> = slips
            .map(|event| {
                let t = with_unit(significant(event.t, 7), self.si("s"));
                format!("{} {}s from t = {t}", event.name, event.kind)
            })
            .collect();
        match told.len() {
            0 => Ok(()),
            n if n <= SHOWN => writeln!(f, "friction     {}", told.join(", ")),
            n => {
                let (told, more) = (told[..SHOWN].join(", "), n - SHOWN);
                writeln!(f, "friction     {told} and {more} more changes")
            }
        }
    }

    /// Writes the samples to a .csv or .parquet file, and says so.
    ///
    /// # Errors
    /// The ending is another, or the file cannot be written.
    pub fn write(&mut self, path: impl AsRef<Path>) -> Result<(), ResultsError> {
        let path = path.as_ref();
        self.table.write(path)?;
        let file = WrittenFile {
            path: path.to_string_lossy().into_owned(),
            rows: self.table.rows(),
            columns: self.table.columns().len(),
        };
        let reached = format!("what was reached is in {}: {} rows", file.path, file.rows);
        let errors = self.diagnostics.iter_mut();
        for error in errors.filter(|it| it.severity == Severity::Error) {
            let help = error.help.take();
            let both = help.map_or_else(|| reached.clone(), |help| format!("{help}; {reached}"));
            error.help = Some(both);
        }
        self.files.push(file);
        Ok(())
    }

    /// What happened, the first few of it.
    fn write_events(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let happened = self.events.iter();
        let happened =
            happened.filter(|it| ["event", "impact", "open", "close"].contains(&it.kind));
        let told: Vec<String> = happened
            .clone()
            .take(TOLD)
            .map(|event| {
                let t = significant(event.t, 6);
                let lost = event.lost.filter(|lost| *lost != 0.0).map(|lost| {
                    let joules = with_unit(significant(lost, 6), self.si("J"));
                    format!(" (lost {joules})")
                });
                let does = match event.kind {
                    "open" => " opens",
                    "close" => " closes",
                    _ => "",
                };
                format!(
                    "{}{does} at t = {t}{}",
                    event.name,
                    lost.unwrap_or_default()
                )
            })
            .collect();
        if told.is_empty() {
            return Ok(());
        }
        write!(f, "{:<12} {}", "events", told.join(", "))?;
        match happened.count() - told.len() {
            0 => writeln!(f),
            more => writeln!(f, " and {more} more"),
        }
    }

    /// Takes an error in, after those that are there.
    pub fn fail(&mut self, error: Error) {
        self.status = "error";
        let warning = |it: &Diagnostic| it.severity == Severity::Warning;
        let end = self.diagnostics.iter().position(warning);
        let end = end.unwrap_or(self.diagnostics.len());
        self.diagnostics.splice(end..end, error.diagnostics);
    }
}

impl Report for RunReport {
    fn warnings(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = match (self.outcome, &self.until) {
            (Outcome::Done, None) => String::new(),
            (Outcome::Done, Some(until)) => {
                format!(" (the whole span: {} did not become true)", visible(until))
            }
            (Outcome::Until, _) => " (until)".to_owned(),
            (Outcome::Event(_), _) => " (ended by an event)".to_owned(),
            (Outcome::Rest { .. }, _) => " (infinitely many events are over)".to_owned(),
            (Outcome::Interrupted, _) => " (interrupted)".to_owned(),
            (Outcome::Stopped, _) => " (stopped)".to_owned(),
        };
        let by = match self.formulation {
            "multipliers" => String::new(),
            other => format!(", accelerations by {other}"),
        };
        let t = with_unit(format!("{:.6}", self.t_end), self.si("s"));
        writeln!(f, "t            {t}{ended}")?;
        if !self.found.is_empty() {
            writeln!(f, "parameters   {}", self.found)?;
        }
        writeln!(
            f,
            "steps        {} ({} rejected, {} evaluations) by {}{by}",
            self.steps, self.rejected, self.rhs_evaluations, self.integrator
        )?;
        self.write_switches(f)?;
        if let (Some(independent), Some(rechosen)) = (&self.independent, self.rechosen) {
            let rechosen = match rechosen {
                0 => "the same all the time".to_owned(),
                1 => "changed once to stay well conditioned".to_owned(),
                n => format!("changed {n} times to stay well conditioned"),
            };
            writeln!(f, "{:<12} {independent}; {rechosen}", "independent")?;
        }
        self.write_slips(f)?;
        let number = |value: f64, digits: usize| match value {
            0.0 => "0".to_owned(),
            _ => format!("{value:.digits$e}"),
        };
        self.write_events(f)?;
        let Residual { position, velocity } = self.max_residual;
        writeln!(
            f,
            "residuals    position {}, velocity {}",
            number(position, 1),
            number(velocity, 1)
        )?;
        let energy = &self.energy;
        // Ten decimals of a joule say nothing of a nanometre's pendulum.
        let start = match energy.start.abs() {
            0.0 => "0".to_owned(),
            size if (1e-3..1e9).contains(&size) => format!("{:.10}", energy.start),
            _ => format!("{:.10e}", energy.start),
        };
        let joules = |number: String| with_unit(number, self.si("J"));
        writeln!(
            f,
            "energy       {} at the start, changed by {}, work {}, out of balance by {}",
            joules(start),
            joules(number(energy.end - energy.start, 6)),
            joules(number(energy.work, 6)),
            joules(number(energy.balance_error, 1))
        )?;
        if self.files.is_empty() {
            // Nothing else tells where the motion went.
            self.write_end(f)?;
        }
        write!(
            f,
            "time         {:.1} ms to derive, {:.1} ms to compile, {:.1} ms to integrate",
            1e3 * self.derive_s,
            1e3 * self.compile_s,
            1e3 * self.wall_s
        )?;
        self.files.iter().try_for_each(|file| {
            write!(
                f,
                "\nwrote        {}: {} rows, {} columns",
                visible(&file.path),
                file.rows,
                file.columns
            )
        })
    }
}
