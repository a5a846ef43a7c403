//! The page of a model: what `dalembert-page` shows, found by the rooms that know mechanics.

mod arrows;
mod columns;
mod gallery;
mod live;
mod scene;
mod sliders;
mod words;

use crate::Model;
use crate::derive::DeriveOptions;
use crate::report::{Error, Report, RunReport, rendered};
use crate::results::Table;
use crate::simulate::RunOptions;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::units;
use dalembert_page::{Happened, PageData, Quantity, Section, Symbol, UnitTable};
use live::LiveRun;
use words::Sayings;

pub use gallery::card;

/// Coordinates and rows up to which equations stand on the page: nobody reads more of them there, and they take longer than the run.
const READABLE: usize = 24;

/// Samples that a motion is looked at with, at least.
const SEEN: usize = 401;

/// A run as it is shown: its samples, and what is known about it besides.
pub struct Shown<'r> {
    /// The samples: time, all coordinates, and whatever else there is.
    pub table: &'r Table,
    /// How they came about, if that is known; a run that failed on its way is shown as far as it came.
    pub run: Option<&'r RunReport>,
}

impl Model {
    /// The run that a page shows: everything is recorded, with samples enough.
    #[must_use]
    pub fn options_to_see(&self) -> RunOptions {
        RunOptions {
            record_all: true,
            samples: self.samples_to_see(),
            ..RunOptions::default()
        }
    }

    /// How many samples a run should have to be looked at, if the model asks for fewer.
    ///
    /// Between samples the page goes straight: motions that turn need enough of them.
    fn samples_to_see(&self) -> Option<usize> {
        let mechanism = self.mechanism().ok()?;
        let run = &mechanism.system.run;
        let value = |it| mechanism.run_value(it);
        let span = run.span.map(value)?;
        let asked = match (run.samples, run.step) {
            (Some(samples), _) => value(samples),
            (None, Some(step)) => span / value(step),
            (None, None) => return Some(SEEN),
        };
        (asked < SEEN as f64).then_some(SEEN)
    }

    /// The data of a page that shows a motion of the model.
    ///
    /// # Errors
    /// The model has no meaning, or the samples are not of it.
    pub fn page(&self, shown: &Shown<'_>) -> Result<PageData, Error> {
        self.page_with(shown, true)
    }

    /// The same without what holds for all values of the parameters, and what `check` says: for a page that shows the model already.
    ///
    /// # Errors
    /// As those of [`page`](Self::page).
    pub fn moved_page(&self, shown: &Shown<'_>) -> Result<PageData, Error> {
        self.page_with(shown, false)
    }

    fn page_with(&self, shown: &Shown<'_>, whole: bool) -> Result<PageData, Error> {
        let mechanism = self.mechanism()?;
        let runs = match whole {
            true => LiveRun::new(self, mechanism, shown.run),
            false => Err(String::new()),
        };
        let programs = runs.as_ref().map_or(0, LiveRun::weight);
        // A result that was given is shown as it is.
        let thinned = shown
            .run
            .and_then(|run| columns::thinned(&run.table, programs));
        let table = thinned.as_ref().unwrap_or(shown.table);
        let samples = columns::samples(mechanism, table)?;
        let drawing = dalembert_mechanics::lower::drawing(&mechanism.model);
        let drawing = drawing.map_err(|errors| self.source().refuse(errors))?;
        let mut scene = scene::scene(mechanism, &drawing, table, &samples);
        let mut columns = columns::columns(mechanism, table);
        columns::share(&mut columns, &mut scene);
        let live = runs.and_then(|it| it.drawn((mechanism, &drawing), &scene));
        let (live, not_live) = match live {
            Ok(live) => (Some(live), String::new()),
            Err(reason) => (None, reason),
        };
        let sayings = Sayings::of(self.source(), mechanism);
        let sliders = sliders::sliders(mechanism, table, &sayings);
        let first_plots = columns::plots(mechanism, table);
        let (equations, symbols, about_equations) = match whole {
            true => self.page_equations(mechanism),
            false => Default::default(),
        };
        let events = shown.run.map_or_else(Vec::new, |run| {
            let event = |it: &crate::report::Event| Happened {
                t: it.t,
                what: words::event(it),
            };
            run.events.iter().map(event).collect()
        });
        let units = &mechanism.units.parameters;
        let names = mechanism.model.parameters.iter();
        let parameters = names.zip(&mechanism.parameters).zip(units);
        let parameters = parameters.map(|(((name, _), value), unit)| Quantity {
            name: name.text.clone(),
            value: Some(*value).filter(|value| value.is_finite()),
            unit: unit.clone(),
        });
        let source = self.source();
        let title = mechanism.model.title.clone();
        Ok(PageData {
            title: title.unwrap_or_else(|| source.name.clone()),
            file: words::file_name(&source.name),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            source: source.text.clone(),
            citation: words::citation(&source.text),
            parameters: parameters.collect(),
            symbols,
            columns,
            samples: samples.rows,
            events,
            scene,
            live,
            not_live,
            sliders,
            units: unit_table(),
            reports: self.page_reports(shown.run, whole),
            plots: first_plots,
            equations,
            about_equations,
        })
    }

    /// Equations, their symbols, and words beside them.
    fn page_equations(&self, mechanism: &Mechanism) -> (String, Vec<Symbol>, String) {
        let none = |why: String| (String::new(), Vec::new(), why);
        let size = mechanism.equations.coordinates() + mechanism.equations.rows();
        if size > READABLE {
            return none(format!(
                "The model has {size} coordinates and rows, and equations of more than {READABLE} are too long to be read here. `dalembert derive {}` prints them, and `--format html` writes them as a page of their own.",
                words::file_name(&self.source().name)
            ));
        }
        let report = match self.derive(&DeriveOptions::default()) {
            Ok(report) => report,
            Err(error) => {
                let why: Vec<String> = error
                    .diagnostics
                    .iter()
                    .map(|it| it.message.clone())
                    .collect();
                return none(format!(
                    "There are no equations in symbols here: {}.",
                    why.join("; ")
                ));
            }
        };
        let (html, symbols) = report.derivation.page_with_symbols();
        let graph = report.derivation.graph();
        let sayings = Sayings::of(self.source(), mechanism);
        let symbols = symbols.into_iter().map(|(id, mathml)| {
            let (name, meaning) = sayings.of_symbol(graph.symbol_data(id));
            Symbol {
                mathml,
                name,
                meaning,
            }
        });
        let about: Vec<&str> = report
            .warnings
            .iter()
            .map(|it| it.message.as_str())
            .collect();
        (html, symbols.collect(), about.join(" "))
    }

    /// What `run` says, and `check` if it is asked.
    fn page_reports(&self, run: Option<&RunReport>, checked: bool) -> Vec<Section> {
        let section = |heading: &str, text: String| Section {
            heading: heading.to_owned(),
            text,
        };
        let diagnosed = |report: &dyn Said| {
            let mut text = report.text();
            for found in report.told() {
                text += &format!("\n\n{}", rendered(found, false));
            }
            text
        };
        let run = run.map(|run| section("The run", diagnosed(run)));
        let check = checked.then(|| match self.check() {
            Ok(report) => diagnosed(&report),
            Err(error) => error.to_string(),
        });
        let check = check.map(|text| section("The constraint doctor", text));
        run.into_iter().chain(check).collect()
    }
}

/// A report of any kind.
trait Said {
    fn text(&self) -> String;
    fn told(&self) -> &[dalembert_mechanics::diagnostic::Diagnostic];
}

impl<R: Report> Said for R {
    fn text(&self) -> String {
        self.to_string()
    }

    fn told(&self) -> &[dalembert_mechanics::diagnostic::Diagnostic] {
        self.warnings()
    }
}

/// The units of model files, in which values may be typed.
fn unit_table() -> UnitTable {
    let names = units::table().map(|(name, factor, powers, takes_prefixes)| {
        (name.to_owned(), factor, powers, takes_prefixes)
    });
    let prefixes = units::prefixes().map(|(prefix, power)| (prefix.to_owned(), power));
    UnitTable {
        names: names.collect(),
        prefixes: prefixes.collect(),
    }
}
