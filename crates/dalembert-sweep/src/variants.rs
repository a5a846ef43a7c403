//! The model of a sweep: what varies are parameters, what runs are reduced to are gauges.

use super::plan::{Numbers, Role};
use dalembert::Model;
use dalembert::report::Error;
use dalembert::simulate::{RunOptions, Worker};
use dalembert::varied;
use dalembert_dataset::{Head, HeadKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::model::{Asked, Expression, Kept, Model as Description, SweepPlan};

/// A model of a sweep, made ready for its variants.
pub(super) struct Alternative {
    model: Model,
    description: Description,
    /// Places of the parameters that vary, in the order of the values that do.
    pub(super) places: Vec<usize>,
    /// What becomes of each result.
    pub(super) results: Vec<Kept>,
    /// Texts of what runs are reduced to, by gauge.
    pub(super) gauged: Vec<String>,
    units: Units,
    from: f64,
}

/// Units of what varies and of what is kept.
struct Units {
    varied: Vec<Option<String>>,
    results: Vec<Option<String>>,
}

/// The options of all runs, as far as they do not vary.
pub(super) fn options(plan: &SweepPlan) -> RunOptions {
    let formulation = plan.formulation.as_ref();
    let has_series = plan.results.iter().any(|(_, asked)| is_series(asked));
    RunOptions {
        formulation: formulation.and_then(|it| it.text.parse::<Formulation>().ok()),
        // Nobody looks at what lies between.
        samples: (!has_series).then_some(2),
        ..RunOptions::default()
    }
}

/// Whether a result is a number at every sample.
fn is_series(asked: &Asked) -> bool {
    match asked {
        Asked::Number(it) => it.text.trim_start().starts_with("series"),
        Asked::When { .. } => false,
    }
}

/// The models of a sweep.
pub(super) fn alternatives(
    model: &Model,
    plan: &SweepPlan,
    numbers: &Numbers,
) -> Result<Vec<Alternative>, Error> {
    let files = numbers.roles.iter().find_map(|role| match role {
        Role::Model(files) => Some(files),
        _ => None,
    });
    let Some(files) = files else {
        return Ok(vec![Alternative::new(model.clone(), plan, numbers)?]);
    };
    files
        .iter()
        .map(|file| {
            Alternative::new(
                model.beside(file)?.set_all(model.settings())?,
                plan,
                numbers,
            )
        })
        .collect()
}

/// The columns of the data set.
pub(super) fn heads(
    plan: &SweepPlan,
    numbers: &Numbers,
    alternative: &Alternative,
) -> Result<Vec<Head>, Error> {
    let head = |name: &str, kind, unit: &Option<String>| Head {
        name: name.to_owned(),
        kind,
        unit: unit.clone(),
    };
    let mut heads = vec![head("run", HeadKind::Run, &None)];
    let axes = numbers.design.axes().iter();
    for (axis, unit) in axes.zip(&alternative.units.varied) {
        heads.push(head(&axis.name, HeadKind::Varied, unit));
    }
    heads.push(head("status", HeadKind::Status, &None));
    heads.push(head("reason", HeadKind::Reason, &None));
    let names = result_names(plan, alternative);
    let mut twice = Vec::new();
    for ((name, kept), unit) in names
        .iter()
        .zip(&alternative.results)
        .zip(&alternative.units.results)
    {
        let kind = match kept {
            Kept::Gauge(_) => HeadKind::Result,
            Kept::Series(_) => HeadKind::Series,
        };
        if heads.iter().any(|it| it.name == *name) {
            let place = plan.results.iter().find(|(it, _)| it.text == *name);
            let place = place.map_or_else(|| plan.vary[0].of.whole(), |(it, _)| it.place.clone());
            let message = format!("there is a column `{name}` already");
            let help = "choose another name for the result";
            twice.push(Diagnostic::error("E0309", place, message, help));
        }
        heads.push(head(name, kind, unit));
    }
    match twice.is_empty() {
        true => Ok(heads),
        false => Err(Error::new(twice)),
    }
}

/// The names of the results: of the time and the state at the end if the plan asks for none.
fn result_names(plan: &SweepPlan, alternative: &Alternative) -> Vec<String> {
    match plan.results.is_empty() {
        true => alternative
            .gauged
            .iter()
            .map(|it| format!("end({it})"))
            .collect(),
        false => plan
            .results
            .iter()
            .map(|(name, _)| name.text.clone())
            .collect(),
    }
}

impl Alternative {
    fn new(model: Model, plan: &SweepPlan, numbers: &Numbers) -> Result<Self, Error> {
        model.mechanism()?;
        let refuse = |errors: Vec<Diagnostic>| model.source().refuse(errors);
        let mut description = model.description().clone();
        let mut errors = Vec::new();
        for (key, value) in &plan.set {
            errors.extend(description.set_to(key, value).err().unwrap_or_default());
        }
        let run = &plan.run;
        let written = [
            ("from", &run.from),
            ("span", &run.span),
            ("rtol", &run.rtol),
            ("atol", &run.atol),
            ("samples", &run.samples),
            ("step", &run.step),
            ("max_step", &run.max_step),
            ("max_steps", &run.max_steps),
        ];
        if run.samples.is_some() {
            description.run.step = None;
        }
        if run.step.is_some() {
            description.run.samples = None;
        }
        for (key, value) in written {
            if let Some(value) = value {
                description.run_number(key, value.clone());
            }
        }
        if run.until.is_some() {
            description.run.until.clone_from(&run.until);
        }
        if run.integrator.is_some() {
            description.run.integrator.clone_from(&run.integrator);
        }
        description.run.record = Vec::new();
        // What is set is looked at before anything varies.
        if errors.is_empty() {
            Mechanism::new(description.clone()).map_err(&refuse)?;
        }
        let mut results = Vec::new();
        for (_, asked) in &plan.results {
            match description.keep(asked) {
                Ok(kept) => results.push(kept),
                Err(found) => errors.extend(found),
            }
        }
        let mut gauged: Vec<String> = Vec::new();
        if plan.results.is_empty() {
            let coordinates: Vec<String> = description
                .coordinates
                .iter()
                .map(|(name, _)| name.text.clone())
                .collect();
            let rates = coordinates.iter().map(|name| format!("{name}'"));
            for text in std::iter::once("t".to_owned())
                .chain(coordinates.clone())
                .chain(rates)
            {
                let value = Expression::given("results", &text).map_err(&refuse)?;
                results.push(description.keep(&Asked::Number(value)).map_err(&refuse)?);
                gauged.push(text);
            }
        }
        if !errors.is_empty() {
            return Err(refuse(errors));
        }
        let mut names = Vec::new();
        for role in &numbers.roles {
            if let Role::Value(name) = role {
                let nominal = model.nominal(name);
                names.push(varied(&mut description, name, nominal).map_err(&refuse)?);
            }
        }
        let mechanism = Mechanism::new(description.clone()).map_err(&refuse)?;
        let place = |name: &String| {
            let mut known = mechanism.model.parameters.iter();
            known.position(|(known, _)| known.text == *name)
        };
        let places = names.iter().filter_map(place).collect();
        if gauged.is_empty() {
            let gauges = description.run.gauges.iter();
            gauged = gauges
                .map(|gauge| {
                    gauge
                        .expressions()
                        .next()
                        .map_or_else(String::new, |it| it.text.trim().to_owned())
                })
                .collect();
        }
        let units = Units::of(&mechanism, numbers, &results);
        let alternative = Self {
            from: mechanism.from,
            model,
            description,
            places,
            results,
            gauged,
            units,
        };
        // A series is of numbers.
        if let Some(kept) = alternative.not_in_columns(&options(plan))? {
            let (_, asked) = &plan.results[kept];
            let Asked::Number(it) = asked else {
                unreachable!("a series is no condition")
            };
            let help = "write a component: series(vel(P).x)";
            let message = "a series has one number at each sample".to_owned();
            return Err(Error::new(vec![Diagnostic::error(
                "E0630",
                it.whole(),
                message,
                help,
            )]));
        }
        Ok(alternative)
    }

    /// The first result that is a series, and of which there is no column.
    fn not_in_columns(&self, options: &RunOptions) -> Result<Option<usize>, Error> {
        if !self.results.iter().any(|it| matches!(it, Kept::Series(_))) {
            return Ok(None);
        }
        let worker = self.worker(options)?;
        let missing = |kept: &Kept| match kept {
            Kept::Series(index) => self.column(worker.columns(), *index).is_none(),
            Kept::Gauge(_) => false,
        };
        Ok(self.results.iter().position(missing))
    }

    /// The column of a series.
    pub(super) fn column(&self, columns: &[String], series: usize) -> Option<usize> {
        let written = &self.description.run.record[series];
        let tree = &written.tree;
        let text = tree[tree.root()].span.text(&written.text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let name = words.join(" ");
        columns.iter().position(|it| *it == name)
    }

    /// What a thread runs its variants with.
    ///
    /// # Errors
    /// It cannot be run with these options.
    pub(super) fn worker(&self, options: &RunOptions) -> Result<Worker, Error> {
        let mechanism = Mechanism::new(self.description.clone())
            .map_err(|errors| self.model.source().refuse(errors))?;
        let shown = Mechanism::new(self.description.clone())
            .map_err(|errors| self.model.source().refuse(errors))?;
        Worker::new(mechanism, options).map_err(|error| {
            let (why, _) = dalembert::report::stopped(&shown, error);
            self.model.source().refuse(vec![why])
        })
    }

    /// Times of the samples of series; none if there are no series.
    pub(super) fn series_times(&self, options: &RunOptions) -> Vec<f64> {
        let has_series = self.results.iter().any(|it| matches!(it, Kept::Series(_)));
        let worker = has_series.then(|| self.worker(options).ok()).flatten();
        worker.map_or_else(Vec::new, |it| {
            it.times().iter().map(|t| t - self.from).collect()
        })
    }
}

impl Units {
    fn of(mechanism: &Mechanism, numbers: &Numbers, results: &[Kept]) -> Self {
        let units = &mechanism.units;
        let coordinate = |name: &str| mechanism.coordinate_names().position(|it| it == name);
        let value = |name: &str| {
            let mut parameters = mechanism.model.parameters.iter();
            if let Some(i) = parameters.position(|(known, _)| known.text == name) {
                return units.parameters[i].clone();
            }
            match name.strip_suffix('\'') {
                Some(name) => units.rates[coordinate(name)?].clone(),
                None => units.coordinates[coordinate(name)?].clone(),
            }
        };
        let varied = numbers.roles.iter().map(|role| match role {
            Role::Value(name) => value(name),
            Role::Option("span" | "max_step") => Some("s".to_owned()),
            _ => None,
        });
        let results = results.iter().map(|kept| match kept {
            Kept::Gauge(i) => units.gauges[*i].clone(),
            Kept::Series(i) => units.records[*i].clone(),
        });
        Self {
            varied: varied.collect(),
            results: results.collect(),
        }
    }
}
