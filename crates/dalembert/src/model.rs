//! The library's front door: a model, and the questions that the commands put to it.

use crate::derive::{DeriveOptions, Style, derive, derive_impulse, in_blow};
use crate::prove::{Language, prove, read_equations_at_start};
use crate::report::{
    CheckReport, DeriveReport, Error, EvalReport, Found, ImpulseReport, ProveReport, RunReport,
    at_change_point, at_corner, beyond_table, contacts_at_start, gallery_files, gallery_model,
    held_in_many_ways, no_contact, no_motion, proved, stopped, while_closed,
};
use crate::simulate::{RunOptions, simulate};
use dalembert_doctor::held;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::model::Model as Description;
use dalembert_mechanics::model::builder::ModelBuilder;
use dalembert_mechanics::start::{Start, State};
use dalembert_mechanics::{Mechanism, Mode, read_model_of};
use dalembert_symbolic::surface::corner;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

mod columns;
mod folder;
mod meshes;
mod parts;
mod settings;
mod source;

pub use folder::Folder;
pub use source::Source;

use columns::columns;
use meshes::mesh;
use parts::parts;

/// What to do if there is no such file.
const NO_MODEL: &str = "`dalembert new --list` shows models to start from";

/// A model file with the values that were set, lowered and compiled once, when a question needs it.
///
/// What the file says is [`description`](Self::description), a [`mechanics::model::Model`](Description); what is computed with
/// is [`mechanism`](Self::mechanism).
pub struct Model {
    source: Source,
    description: Description,
    /// What was set in place of values of the file.
    settings: Vec<String>,
    warnings: Vec<Diagnostic>,
    /// Seconds spent reading.
    read_s: f64,
    compiled: OnceLock<(Mechanism, f64)>,
    /// A consistent start, and the seconds that it took.
    started: OnceLock<(Start, f64)>,
    /// The same without constraints that wait for an event, where there are any.
    at_start: OnceLock<Mechanism>,
    /// The same with rows of velocities that are differentials held at position level, where there are any.
    held: OnceLock<Option<Mechanism>>,
}

/// Which state `eval` is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvalOptions {
    /// Time; that of the start if nothing is said.
    pub at: Option<f64>,
    /// Whether the state is taken as given, without making it consistent.
    pub raw: bool,
}

impl Model {
    /// Reads a model file; `-` is standard input.
    ///
    /// # Errors
    /// The file cannot be read, or everything that is wrong with its form.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::read(Source::open(&path.as_ref().to_string_lossy(), NO_MODEL)?)
    }

    /// The same; no file is read that is not in the folder or below it.
    ///
    /// # Errors
    /// As those of [`load`](Self::load), and that a file lies elsewhere.
    pub fn load_within(path: impl AsRef<Path>, folder: &Arc<Folder>) -> Result<Self, Error> {
        let path = path.as_ref().to_string_lossy();
        Self::read(Source::open_within(&path, NO_MODEL, folder)?)
    }

    /// Reads a model from a text.
    ///
    /// # Errors
    /// Everything that is wrong with its form.
    pub fn read(source: Source) -> Result<Self, Error> {
        let began = Instant::now();
        let (parts, mut found) = parts(&source, &[])?;
        let read = read_model_of(&source.text, parts);
        let (description, warnings) = read.map_err(|errors| source.refuse(errors))?;
        found.extend(source.located(warnings));
        let mut model = Self {
            warnings: found,
            ..Self::of(source, description)
        };
        model.read_files()?;
        model.read_s = began.elapsed().as_secs_f64();
        Ok(model)
    }

    /// A model of the gallery, by name.
    ///
    /// # Errors
    /// There is none such.
    pub fn gallery(name: &str) -> Result<Self, Error> {
        let text = gallery_model(name);
        let text = text.map_err(|message| Error::about("gallery", "E0910", message, None))?;
        let source = Source::new(&format!("{name}.toml"), text);
        let files = gallery_files(name);
        Self::read(files.fold(source, |source, (name, text)| source.with_file(name, text)))
    }

    /// Starts a model in Rust: the same tables as in a file.
    pub fn builder(title: &str) -> ModelBuilder {
        Description::builder(title)
    }

    /// A model that was built in Rust.
    ///
    /// # Errors
    /// Everything that is wrong with its form.
    pub fn built(builder: ModelBuilder) -> Result<Self, Error> {
        builder.build().map(Self::from).map_err(Error::new)
    }

    /// Reads the files that the model names: tables and meshes.
    fn read_files(&mut self) -> Result<(), Error> {
        let mut errors = Vec::new();
        // Where a file is named, not where it is not.
        let at = |mut error: Error, place: &Place, code: &'static str| {
            error.diagnostics.iter_mut().for_each(|it| {
                it.place = self.source.located_place(place.clone());
                it.code = code;
            });
            error.diagnostics
        };
        for (name, place) in self.description.missing_files() {
            let read = self.source.beside(&name);
            let read = read.map_err(|error| at(error, &place, "E0485"));
            match read.and_then(|file| columns(&file).map_err(|found| vec![found])) {
                Ok(columns) => self.description.files.insert(&name, columns),
                Err(found) => errors.extend(found),
            }
        }
        for (name, place) in self.description.missing_meshes() {
            let read = self.source.bytes_beside(&name);
            let read = read.map_err(|error| at(error, &place, "E0488"));
            match read.and_then(|file| mesh(&file).map_err(|found| vec![found])) {
                Ok(mesh) => self.description.files.insert_mesh(&name, mesh),
                Err(found) => errors.extend(found),
            }
        }
        match errors.is_empty() {
            true => Ok(()),
            false => Err(Error::new(errors)),
        }
    }

    fn of(source: Source, description: Description) -> Self {
        Self {
            source,
            description,
            settings: Vec::new(),
            warnings: Vec::new(),
            read_s: 0.0,
            compiled: OnceLock::new(),
            started: OnceLock::new(),
            at_start: OnceLock::new(),
            held: OnceLock::new(),
        }
    }

    /// The text it was read from.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What the file says, with the values that were set.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// What the reader should know of the file.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The model with its equations as programs, compiled when first asked for.
    ///
    /// # Errors
    /// Everything that is wrong with its meaning.
    pub fn mechanism(&self) -> Result<&Mechanism, Error> {
        self.compiled().map(|(mechanism, _)| mechanism)
    }

    fn compiled(&self) -> Result<&(Mechanism, f64), Error> {
        if let Some(compiled) = self.compiled.get() {
            return Ok(compiled);
        }
        let began = Instant::now();
        let mechanism = Mechanism::new(self.description.clone());
        let mechanism = mechanism.map_err(|errors| self.source.refuse(errors))?;
        let seconds = began.elapsed().as_secs_f64();
        Ok(self.compiled.get_or_init(|| (mechanism, seconds)))
    }

    /// The mechanism as it starts: what waits for an event, and contacts that are open, are not there, and contacts that are closed stay so.
    /// Equations in symbols are of this one.
    fn mechanism_at_start(&self) -> Result<&Mechanism, Error> {
        let whole = self.mechanism()?;
        let (system, in_full) = (&whole.system, whole.system.hung.is_none());
        if in_full && system.activity.iter().all(|it| it.at_start()) {
            return Ok(whole);
        }
        if let Some(known) = self.at_start.get() {
            return Ok(known);
        }
        let holds = self.holds_at_start()?;
        let at_start = (self.description).at_events(|it| holds.contains(&it.name.text));
        // Symbols need M written out.
        let mechanism = Mechanism::stored(at_start, (!in_full).then_some(Stored::Full));
        let mechanism = mechanism.map_err(|errors| self.source.refuse(errors))?;
        Ok(self.at_start.get_or_init(|| mechanism))
    }

    /// Names of the constraints that hold at the start: a mechanism may have more of them than its description.
    fn holds_at_start(&self) -> Result<HashSet<String>, Error> {
        let whole = self.mechanism()?;
        let system = &whole.system;
        let holds = match system.unilateral.is_empty() {
            true => Mode::default().of(system),
            false => self.decided_start()?.state.mode.of(system),
        };
        let all = whole.model.constraints.iter().zip(holds);
        let held = all.filter(|(_, holds)| *holds);
        Ok(held.map(|(it, _)| it.name.text.clone()).collect())
    }

    /// What of contacts must be so for equations in symbols, or for formulas of a blow.
    fn while_closed(&self, in_blow: bool) -> Result<Vec<Diagnostic>, Error> {
        let mechanism = self.mechanism()?;
        let none = mechanism.system.unilateral.is_empty();
        let told = match none {
            true => None,
            false => while_closed(mechanism, self.decided_start()?, in_blow),
        };
        Ok(told.into_iter().collect())
    }

    /// A consistent start, looked for when first asked for.
    ///
    /// # Errors
    /// The model has no meaning, or what conflicts and by how much.
    pub fn start(&self) -> Result<&Start, Error> {
        Ok(&self.started()?.0)
    }

    fn started(&self) -> Result<&(Start, f64), Error> {
        if let Some(started) = self.started.get() {
            return Ok(started);
        }
        let mechanism = self.mechanism()?;
        let began = Instant::now();
        let start = mechanism.start();
        let start = start.map_err(|errors| self.source.refuse(errors))?;
        let seconds = began.elapsed().as_secs_f64();
        Ok(self.started.get_or_init(|| (start, seconds)))
    }

    /// A consistent start at which it is known what contacts do.
    fn decided_start(&self) -> Result<&Start, Error> {
        let (mechanism, start) = (self.mechanism()?, self.start()?);
        match &start.undecided {
            None => Ok(start),
            Some(why) => {
                let why = no_contact(mechanism, why, "at the start");
                Err(self.source.refuse(vec![why]))
            }
        }
    }

    /// The model beside this one in its folder.
    ///
    /// # Errors
    /// There is none, or all that is wrong with its form.
    pub fn beside(&self, name: &str) -> Result<Self, Error> {
        Self::read(self.source.beside(name)?)
    }

    /// The warnings of the file, and others that are yet to be located.
    fn with_warnings(&self, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let lowered = self.compiled.get();
        let lowered = lowered.map_or_else(Vec::new, |(it, _)| it.system.warnings.clone());
        let own = self.warnings.iter().cloned();
        let own = own.chain(self.source.located(lowered));
        own.chain(self.source.located(more)).collect()
    }

    /// Refuses a state at a corner of a constraint, where no rates and accelerations are right.
    fn without_corner(
        &self,
        mechanism: &Mechanism,
        state: &State,
        when: &str,
    ) -> Result<(), Error> {
        match corner(mechanism, state) {
            None => Ok(()),
            Some(row) => Err(self.source.refuse(vec![at_corner(mechanism, row, when)])),
        }
    }

    /// The constraint doctor: counts, rank, freedoms, redundant rows, start state, agreement of formulations.
    ///
    /// # Errors
    /// The model has no meaning, no start, or no motion there.
    pub fn check(&self) -> Result<CheckReport, Error> {
        let (mechanism, start) = (self.mechanism()?, self.decided_start()?);
        self.without_corner(mechanism, &start.state, "at the start")?;
        let snapshot = mechanism.motion(&start.state).map_err(|reason| {
            let table = beyond_table(mechanism, &start.state, "at the start");
            let why = table.unwrap_or_else(|| no_motion(mechanism, &reason, "at the start"));
            self.source.refuse(vec![why])
        })?;
        let mut found = start.warnings.clone();
        found.extend(mechanism.idle_work(&start.state));
        found.extend(contacts_at_start(mechanism, start));
        found.extend(held_in_many_ways(
            mechanism,
            &snapshot.held_in_many_ways,
            None,
        ));
        CheckReport::new(mechanism, start, &snapshot, self.with_warnings(found))
            .map_err(|error| self.source.refuse(vec![error]))
    }

    /// Numbers at the start: accelerations, multipliers, forces, energy, powers.
    ///
    /// # Errors
    /// The model has no meaning, no start, or no motion there.
    pub fn eval(&self) -> Result<EvalReport, Error> {
        self.eval_at(&EvalOptions::default())
    }

    /// The same at another time, or without making the state consistent.
    ///
    /// # Errors
    /// The model has no meaning, no such state, or no motion there.
    pub fn eval_at(&self, options: &EvalOptions) -> Result<EvalReport, Error> {
        let (mechanism, mut found) = (self.mechanism()?, Vec::new());
        let t = options.at.unwrap_or(mechanism.from);
        if !t.is_finite() {
            let help = Some("give a finite time".to_owned());
            return Err(Error::about(
                "at",
                "E0521",
                format!("the time is {t}"),
                help,
            ));
        }
        let mut branching = false;
        let mut taken = |start: Start| {
            branching = start.change_point;
            found.extend(branching.then(at_change_point));
            if let Some(why) = &start.undecided {
                return Err(vec![no_contact(mechanism, why, &format!("at t = {t}"))]);
            }
            found.extend(contacts_at_start(mechanism, &start));
            found.extend(start.warnings);
            Ok(start.state)
        };
        let state = match (options.raw, options.at) {
            (true, _) => mechanism.raw_start(t),
            (false, None) => taken(self.start()?.clone()),
            (false, Some(t)) => mechanism.start_at(t).and_then(taken),
        };
        let state = state.map_err(|errors| self.source.refuse(errors))?;
        let nowhere = |reason| {
            let when = format!("at t = {t}");
            let table = beyond_table(mechanism, &state, &when);
            let why = table.unwrap_or_else(|| no_motion(mechanism, &reason, &when));
            self.source.refuse(vec![why])
        };
        self.without_corner(mechanism, &state, &format!("at t = {t}"))?;
        let mut snapshot = mechanism.snapshot(&state).map_err(nowhere)?;
        if branching {
            snapshot.leave_motion_open();
        }
        found.extend(mechanism.idle_work(&state));
        found.extend(held_in_many_ways(
            mechanism,
            &snapshot.held_in_many_ways,
            None,
        ));
        let warnings = self.with_warnings(found);
        let report = EvalReport::new(mechanism, &snapshot, branching, warnings);
        let mut report = report.map_err(nowhere)?;
        let compared = report.compared();
        let apart = compared.map_err(|error| self.source.refuse(vec![error]))?;
        report
            .warnings
            .extend(apart.map(|it| self.source.locate(it)));
        Ok(report)
    }

    /// Equations of motion and reactions in symbols, proved.
    ///
    /// # Errors
    /// The model has no meaning, or the formulation does not exist for it.
    pub fn derive(&self, options: &DeriveOptions) -> Result<DeriveReport, Error> {
        let mechanism = self.mechanism_at_start()?;
        let lowered = self.source.located(mechanism.system.warnings.clone());
        let closed = self.source.located(self.while_closed(false)?);
        let warnings = self.warnings.iter().cloned();
        let warnings = warnings.chain(lowered).chain(closed).collect();
        let derivation = derive(mechanism, options);
        let mut derivation = derivation.map_err(|errors| self.source.refuse(errors))?;
        let found = Found::new(mechanism);
        if !found.is_empty() {
            derivation.notes.push(found.to_string());
        }
        Ok(DeriveReport::new(derivation, warnings))
    }

    /// What an event does to the velocities, in symbols: rates after it, and impulses of all constraints.
    ///
    /// # Errors
    /// The model has no meaning, or no such event, or the blow is not determined in symbols.
    pub fn derive_impulse(&self, event: &str) -> Result<ImpulseReport, Error> {
        // What is wrong with the model as a whole is said first.
        let whole = self.mechanism()?;
        let lowered = self.source.located(whole.system.warnings.clone());
        let closed = self.source.located(self.while_closed(true)?);
        let warnings = self.warnings.iter().cloned();
        let warnings = warnings.chain(lowered).chain(closed).collect();
        let model = in_blow(&self.description, event, &self.holds_at_start()?);
        let model = model.map_err(|error| self.source.refuse(vec![error]))?;
        let mechanism = Mechanism::new(model).map_err(|errors| self.source.refuse(errors))?;
        let derivation = derive_impulse(&mechanism);
        let derivation = derivation.map_err(|errors| self.source.refuse(errors))?;
        Ok(ImpulseReport {
            derivation,
            style: Style::Text,
            columns: None,
            warnings,
        })
    }

    /// Whether equations are those of the model: each is proved, or refuted with a counterexample.
    ///
    /// # Errors
    /// The model has no meaning or no start, or the equations have no meaning.
    pub fn prove(&self, equations: &Source, language: Language) -> Result<ProveReport, Error> {
        let mechanism = self.mechanism_at_start()?;
        let of = (mechanism, self.mechanism()?);
        let read = read_equations_at_start(of, &equations.text, language);
        let read = read.map_err(|errors| equations.refuse(errors))?;
        let start = self.decided_start()?;
        let state = State {
            mode: Mode::default(),
            ..start.state.clone()
        };
        let proof = prove(mechanism, &state, &read);
        let mut diagnostics: Vec<Diagnostic> = equations.located(read.refused).collect();
        diagnostics.extend(self.with_warnings(self.while_closed(false)?));
        Ok(proved(mechanism, &read.list, &proof, diagnostics))
    }

    /// Simulates.
    ///
    /// # Errors
    /// The model has no meaning or no start, or the run stopped on its way: what it reached is in [`Error::so_far`].
    pub fn run(&self, options: &RunOptions) -> Result<RunReport, Error> {
        self.run_watched(options, |_| ControlFlow::Continue(()))
    }

    /// The same; `progress` hears the fraction done after each step, and may stop the run.
    ///
    /// # Errors
    /// As those of [`run`](Self::run).
    pub fn run_watched(
        &self,
        options: &RunOptions,
        progress: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Result<RunReport, Error> {
        let ((mechanism, compile_s), (start, start_s)) = (self.compiled()?, self.started()?);
        let began = Instant::now();
        let held = self.held.get_or_init(|| held(mechanism, &start.state));
        let compile_s = compile_s + began.elapsed().as_secs_f64();
        let mechanism = held.as_ref().unwrap_or(mechanism);
        let (simulation, error) = match simulate(mechanism, start, options, progress) {
            Ok(simulation) => (simulation, None),
            Err(error) => match stopped(mechanism, error) {
                (why, Some(so_far)) => (so_far, Some(self.source.locate(why))),
                (why, None) => return Err(self.source.refuse(vec![why])),
            },
        };
        let mut found = start.warnings.clone();
        found.extend(mechanism.idle_work(&start.state));
        if let Some((t, of)) = &simulation.shared_slips {
            let since = (*t > start.state.t).then_some(*t);
            found.extend(held_in_many_ways(mechanism, of, since));
        }
        let derive_s = self.read_s + compile_s + start_s;
        let mut report = RunReport::new(mechanism, simulation, derive_s, found);
        let warnings = self.with_warnings(std::mem::take(&mut report.diagnostics));
        report.diagnostics = error.iter().cloned().chain(warnings).collect();
        let Some(error) = error else {
            return Ok(report);
        };
        let mut error = Error::new(vec![error]);
        error.so_far = Some(Box::new(report));
        Err(error)
    }
}

/// The same file with the same values; what was compiled is not taken along.
impl Clone for Model {
    fn clone(&self) -> Self {
        Self {
            warnings: self.warnings.clone(),
            settings: self.settings.clone(),
            read_s: self.read_s,
            ..Self::of(self.source.clone(), self.description.clone())
        }
    }
}

/// A model that was described in Rust.
impl From<Description> for Model {
    fn from(description: Description) -> Self {
        Self::of(Source::new("model", ""), description)
    }
}
