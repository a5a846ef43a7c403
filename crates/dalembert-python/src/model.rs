//! A model, and the questions that Python puts to it.

use crate::derivation::Derivation;
use crate::document::document;
use crate::failure::failure;
use crate::many::Many;
use crate::numbers::{Numbers, from_bytes};
use crate::right_hand_side::RightHandSide;
use crate::run::Run;
use crate::simulator::Simulator;
use crate::split::split;
use crate::watch::Watch;
use dalembert::derive::DeriveOptions;
use dalembert::mechanics::model::json_schema;
use dalembert::page::html;
use dalembert::prove::Language;
use dalembert::report::{self, Error, GalleryReport, Report, rendered};
use dalembert::simulate::{RunOptions, method_named};
use dalembert::view::Shown;
use dalembert::{EvalOptions, Source};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{Bound, Py, PyAny, PyErr, PyResult, Python, pyclass, pyfunction, pymethods};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A model with the values that were set.
#[pyclass(frozen, module = "dalembert._native")]
pub(crate) struct Model {
    pub(crate) model: dalembert::Model,
}

/// A report: the JSON document, the same for people, and what the reader should know besides.
type Said = (String, String, Vec<String>);

/// A report as Python takes it.
fn said(report: &impl Report) -> PyResult<Said> {
    let notes = report.warnings().iter();
    let notes = notes.map(|it| rendered(it, false)).collect();
    Ok((document(report)?, report.to_string(), notes))
}

/// The names of an integrator and of a formulation.
pub(crate) type Route = (Option<String>, Option<String>);

/// What a run is asked to go by.
pub(crate) fn route((integrator, formulation): Route) -> PyResult<RunOptions> {
    let method = integrator.map(|name| {
        let unknown = || format!("integrator {name}: there are auto, dop853, dopri5 and radau");
        method_named(&name).ok_or_else(|| PyValueError::new_err(unknown()))
    });
    let formulation = formulation.map(|name| parsed("formulation", &name));
    Ok(RunOptions {
        method: method.transpose()?,
        formulation: formulation.transpose()?,
        ..RunOptions::default()
    })
}

/// What a name means, or the names that there are.
fn parsed<T: std::str::FromStr<Err: Display>>(what: &str, name: &str) -> PyResult<T> {
    name.parse()
        .map_err(|error| PyValueError::new_err(format!("{what}: {error}")))
}

impl From<dalembert::Model> for Model {
    fn from(model: dalembert::Model) -> Self {
        Self { model }
    }
}

impl Model {
    /// Asks, while the interpreter is free for others.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&dalembert::Model) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let model = &self.model;
        py.detach(|| question(model))
            .map_err(|error| failure(py, error))
    }
}

#[pymethods]
impl Model {
    /// Reads a model file.
    #[staticmethod]
    fn load(py: Python<'_>, path: &str) -> PyResult<Self> {
        let read = py.detach(|| dalembert::Model::load(path));
        read.map(Self::from).map_err(|error| failure(py, error))
    }

    /// Reads a model from a text; files that it names are looked for in a folder.
    #[staticmethod]
    #[pyo3(signature = (name, text, folder=None, files=BTreeMap::new()))]
    fn read(
        py: Python<'_>,
        name: &str,
        text: &str,
        folder: Option<&str>,
        files: BTreeMap<String, String>,
    ) -> PyResult<Self> {
        let files = files.iter();
        let source = files.fold(Source::new(name, text), |source, (name, text)| {
            source.with_file(name, text)
        });
        let source = match folder {
            Some(folder) => source.in_folder(folder),
            None => source,
        };
        let read = py.detach(|| dalembert::Model::read(source));
        read.map(Self::from).map_err(|error| failure(py, error))
    }

    /// A model of the gallery.
    #[staticmethod]
    fn gallery(py: Python<'_>, name: &str) -> PyResult<Self> {
        let read = py.detach(|| dalembert::Model::gallery(name));
        read.map(Self::from).map_err(|error| failure(py, error))
    }

    /// The same with other values, other numbers of `[run]` and other records.
    #[pyo3(signature = (settings, options=None, record=None))]
    fn with_values(
        &self,
        py: Python<'_>,
        settings: Vec<String>,
        options: Option<Vec<(String, String)>>,
        record: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let changed = py.detach(|| -> Result<dalembert::Model, Error> {
            let mut model = self.model.clone().set_all(&settings)?;
            for (option, value) in options.unwrap_or_default() {
                model = model.option(&option, &value)?;
            }
            match record {
                Some(record) => model.record(&record),
                None => Ok(model),
            }
        });
        changed.map(Self::from).map_err(|error| failure(py, error))
    }

    /// What it is read from again: its folder, and the files that came with the text.
    fn beside(&self) -> (Option<PathBuf>, BTreeMap<String, String>) {
        let source = self.model.source();
        (source.folder().map(Path::to_owned), source.files().clone())
    }

    /// What diagnostics call the file.
    #[getter]
    fn name(&self) -> &str {
        &self.model.source().name
    }

    /// The text that was read.
    #[getter]
    fn text(&self) -> &str {
        &self.model.source().text
    }

    /// The title.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.model.description().title.as_deref()
    }

    /// Names of the coordinates.
    fn coordinates(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |model| {
            let names = model.mechanism()?.coordinate_names();
            Ok(names.map(str::to_owned).collect())
        })
    }

    /// Names and values of the parameters.
    fn parameters(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        self.ask(py, |model| {
            let mechanism = model.mechanism()?;
            let names = mechanism.model.parameters.iter();
            let names = names.map(|(name, _)| name.text.clone());
            Ok(names.zip(mechanism.parameters.iter().copied()).collect())
        })
    }

    /// What the reader should know of the file, for people.
    fn notes(&self) -> Vec<String> {
        let notes = self.model.warnings().iter();
        notes.map(|it| rendered(it, false)).collect()
    }

    fn check(&self, py: Python<'_>) -> PyResult<Said> {
        said(&self.ask(py, dalembert::Model::check)?)
    }

    #[pyo3(signature = (at=None, raw=false))]
    fn eval(&self, py: Python<'_>, at: Option<f64>, raw: bool) -> PyResult<Said> {
        let options = EvalOptions { at, raw };
        said(&self.ask(py, |model| model.eval_at(&options))?)
    }

    #[pyo3(signature = (formulation=None, independent=Vec::new(), steps=false))]
    fn derive(
        &self,
        py: Python<'_>,
        formulation: Option<&str>,
        independent: Vec<String>,
        steps: bool,
    ) -> PyResult<Derivation> {
        let form = formulation.map(|name| parsed("formulation", name));
        let options = DeriveOptions {
            form: form.transpose()?,
            independent,
            steps,
            matrices: true,
        };
        let report = self.ask(py, |model| model.derive(&options))?;
        Ok(Derivation { report })
    }

    /// What an event does to the velocities, in symbols.
    fn derive_impulse(&self, py: Python<'_>, event: &str) -> PyResult<Said> {
        said(&self.ask(py, |model| model.derive_impulse(event))?)
    }

    /// Whether equations are those of the model; `from_sympy` reads what SymPy prints.
    fn prove(&self, py: Python<'_>, equations: &str, from_sympy: bool) -> PyResult<Said> {
        let equations = Source::new("equations", equations);
        let language = match from_sympy {
            true => Language::Sympy,
            false => Language::Model,
        };
        said(&self.ask(py, |model| model.prove(&equations, language))?)
    }

    /// Simulates by an integrator and a formulation; `kept` says whether everything is recorded, and whether the state at every time. What a
    /// handler of signals raises stops the run, which is kept as far as it came; a run that is made again ends after as many steps as it had
    /// (`as_far_as`).
    #[pyo3(signature = (by=(None, None), *, kept=(false, false), progress=None, as_far_as=None))]
    fn run(
        &self,
        py: Python<'_>,
        by: Route,
        kept: (bool, bool),
        progress: Option<Py<PyAny>>,
        as_far_as: Option<u64>,
    ) -> PyResult<(Run, Option<PyErr>)> {
        let (record_all, dense) = kept;
        let options = RunOptions {
            record_all,
            dense,
            ..route(by)?
        };
        let mut watch = Watch::new(progress);
        let mut far = 0;
        let report = self.ask(py, |model| {
            model.run_watched(&options, |fraction| {
                far += 1;
                match as_far_as == Some(far) {
                    true => ControlFlow::Break(()),
                    false => watch.look(fraction),
                }
            })
        })?;
        Ok((Run::new(report, far), watch.raised()))
    }

    /// The model as something that moves when it is told to.
    #[pyo3(signature = (rtol=None, atol=None))]
    fn simulator(
        &self,
        py: Python<'_>,
        rtol: Option<f64>,
        atol: Option<f64>,
    ) -> PyResult<Simulator> {
        let options = RunOptions {
            rtol,
            atol,
            ..RunOptions::default()
        };
        let made = self.ask(py, |model| model.simulator(&options))?;
        Ok(made.into())
    }

    /// Runs variants: values of names, variant after variant.
    #[pyo3(signature = (variants, *, by=(None, None), threads=1, progress=None))]
    fn run_many(
        &self,
        py: Python<'_>,
        variants: (Vec<String>, &[u8], usize),
        by: Route,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Many, Option<PyErr>)> {
        let (names, values, count) = variants;
        let values = from_bytes(values);
        if values.len() != names.len() * count {
            return Err(PyValueError::new_err(
                "there is a number for each name of each variant",
            ));
        }
        let variants = (&*names, &*values, count);
        Many::run(py, &self.model, variants, &route(by)?, (threads, progress))
    }

    /// v' as a function of time, coordinates and speeds.
    fn compile(&self, py: Python<'_>) -> PyResult<RightHandSide> {
        RightHandSide::new(py, self.model.clone())
    }

    /// Reactions of one constraint over a run by coordinate: the ideal part, then the rest.
    fn split(
        &self,
        py: Python<'_>,
        run: &Bound<'_, Run>,
        constraint: &str,
    ) -> PyResult<Option<Py<Numbers>>> {
        let run = &run.get().report;
        let found = self.ask(py, |model| split(model, run, constraint))?;
        let samples = run.table.rows();
        let made = found.map(|found| {
            let rows = found.len().checked_div(samples).unwrap_or(0);
            Py::new(py, Numbers::new(found, vec![2, rows / 2, samples]))
        });
        made.transpose()
    }

    /// How many samples a run should have to be looked at, if the model asks for fewer.
    fn samples_to_see(&self) -> Option<usize> {
        self.model.options_to_see().samples
    }

    /// The page of a run.
    fn page(&self, py: Python<'_>, run: &Bound<'_, Run>) -> PyResult<String> {
        let run = &run.get().report;
        let shown = Shown {
            table: &run.table,
            run: Some(run),
        };
        let data = self.ask(py, |model| model.page(&shown))?;
        html(&data).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

/// The JSON Schema of a report, by the name of its command.
#[pyfunction]
pub(crate) fn report_schema(command: &str) -> PyResult<String> {
    let schema = match command {
        "sweep-report" => Some(dalembert_sweep::SweepReport::schema()),
        command => report::schema(command),
    };
    let unknown = || PyValueError::new_err(format!("there is no schema of {command}"));
    document(&schema.ok_or_else(unknown)?)
}

/// The JSON Schema of model files.
#[pyfunction]
pub(crate) fn model_schema() -> PyResult<String> {
    document(&json_schema())
}

/// What a diagnostic means.
#[pyfunction]
pub(crate) fn explain(code: &str) -> PyResult<String> {
    let found = report::explain(code);
    let found = found.map_err(PyValueError::new_err)?;
    Ok(found.to_string())
}

/// Names and titles of the gallery.
#[pyfunction]
pub(crate) fn gallery_names() -> PyResult<String> {
    document(&GalleryReport::new())
}
