//! Sweeps: parts by their numbers, and the data sets that they make.

use crate::document::document;
use crate::failure::failure;
use crate::model::Model;
use crate::watch::Watch;
use dalembert::Source;
use dalembert::mechanics::model;
use dalembert::report::Error;
use dalembert_sweep::{Folder, Job, Shard, Sweep as Made, SweepReport, Values, merged};
use pyo3::exceptions::PyValueError;
use pyo3::types::PyBytes;
use pyo3::{Bound, Py, PyAny, PyErr, PyResult, Python, pyclass, pyfunction, pymethods};
use std::path::{Path, PathBuf};

/// A sweep whose parts are made here.
#[pyclass(frozen, module = "dalembert._native")]
pub(crate) struct Sweep {
    sweep: Made,
    job: Result<String, String>,
}

/// A report: the JSON document, and the same for people.
type Said = (String, String);

fn said(report: &SweepReport) -> PyResult<Said> {
    Ok((document(report)?, report.to_string()))
}

fn share(text: Option<&str>) -> PyResult<Shard> {
    let Some(text) = text else {
        return Ok(Shard::ALL);
    };
    let wrong = || PyValueError::new_err(format!("shard {text}: write K/N with K from 1 to N"));
    Shard::parse(text).ok_or_else(wrong)
}

#[pymethods]
impl Sweep {
    /// The sweep of a model by the text of a plan; files that it names are in a folder.
    #[new]
    #[pyo3(signature = (model, name, plan, folder=None))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, Model>,
        name: &str,
        plan: &str,
        folder: Option<&str>,
    ) -> PyResult<Self> {
        let plan = Source::new(name, plan);
        let plan = match folder {
            Some(folder) => plan.in_folder(folder),
            None => plan,
        };
        let model = &model.get().model;
        let made = py.detach(|| -> Result<_, Error> {
            let sweep = Made::new(model, &plan)?;
            Ok((sweep, Job::of(model, &plan)))
        });
        let (sweep, job) = made.map_err(|error| failure(py, error))?;
        let job = match job {
            Ok(job) => Ok(document(&job)?),
            Err(error) => Err(error.to_string()),
        };
        Ok(Self { sweep, job })
    }

    /// The same from what [`job`](Self::job) says.
    #[staticmethod]
    fn of_job(py: Python<'_>, job: &str) -> PyResult<Self> {
        let read: Job =
            serde_json::from_str(job).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let sweep = py.detach(|| read.sweep());
        Ok(Self {
            sweep: sweep.map_err(|error| failure(py, error))?,
            job: Ok(job.to_owned()),
        })
    }

    /// Model and plan with their files, as text.
    fn job(&self) -> PyResult<&str> {
        let job = self.job.as_deref();
        job.map_err(|error| PyValueError::new_err(error.clone()))
    }

    /// How many parts there are.
    fn parts(&self) -> u64 {
        self.sweep.manifest().parts()
    }

    /// How many runs there are.
    fn runs(&self) -> u64 {
        self.sweep.manifest().runs
    }

    /// What a data set of it is of, as JSON.
    fn manifest(&self) -> PyResult<String> {
        document(self.sweep.manifest())
    }

    /// The bytes of the file of a part.
    fn part<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Bound<'py, PyBytes>> {
        if index >= self.parts() {
            return Err(PyValueError::new_err(format!("there is no part {index}")));
        }
        let bytes = py.detach(|| self.sweep.encoded(index));
        let bytes = bytes.map_err(|error| failure(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The parts that are missing in a folder, which is begun if there is nothing.
    #[pyo3(signature = (out, shard=None))]
    fn missing(&self, py: Python<'_>, out: &str, shard: Option<&str>) -> PyResult<Vec<u64>> {
        let shard = share(shard)?;
        let folder = self.sweep.folder(Path::new(out));
        let folder = folder.map_err(|error| failure(py, error))?;
        Ok(folder.missing(shard))
    }

    /// Writes the file of a part.
    fn write(&self, py: Python<'_>, out: &str, index: u64, bytes: &[u8]) -> PyResult<()> {
        let written = py.detach(|| self.sweep.write(Path::new(out), index, bytes));
        written.map_err(|error| failure(py, error))
    }

    /// Makes what is missing in a folder. What a handler of signals raises stops it; parts that are there stay.
    #[pyo3(signature = (out, *, shard=None, threads=1, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        out: &str,
        shard: Option<&str>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Said, Option<PyErr>)> {
        let shard = share(shard)?;
        let mut watch = Watch::new(progress);
        let report = py.detach(|| {
            self.sweep.run(Path::new(out), (shard, threads), |it| {
                watch.look(it.done as f64 / it.of.max(1) as f64)
            })
        });
        let report = report.map_err(|error| failure(py, error))?;
        Ok((said(&report)?, watch.raised()))
    }
}

/// What is there of a sweep in a folder.
#[pyfunction]
pub(crate) fn sweep_report(py: Python<'_>, out: &str) -> PyResult<Said> {
    let report = py.detach(|| Made::report(Path::new(out)));
    said(&report.map_err(|error| failure(py, error))?)
}

/// Joins data sets of shares.
#[pyfunction]
pub(crate) fn sweep_merge(py: Python<'_>, folders: Vec<String>, out: &str) -> PyResult<Said> {
    let folders: Vec<PathBuf> = folders.into_iter().map(PathBuf::from).collect();
    let report = py.detach(|| merged(&folders, Path::new(out)));
    said(&report.map_err(|error| failure(py, error))?)
}

/// The JSON Schema of plans.
#[pyfunction]
pub(crate) fn sweep_schema() -> PyResult<String> {
    document(&model::sweep_schema())
}

fn opened(out: &str) -> PyResult<Folder> {
    Folder::open(Path::new(out)).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What a data set is of, as JSON.
#[pyfunction]
pub(crate) fn sweep_manifest(out: &str) -> PyResult<String> {
    document(opened(out)?.manifest())
}

/// A column of the parts that are there: numbers, texts or lists of numbers.
#[pyfunction]
pub(crate) fn sweep_column<'py>(
    py: Python<'py>,
    out: &str,
    name: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    use pyo3::IntoPyObject;
    let folder = opened(out)?;
    let mut all = Vec::new();
    for part in 0..folder.manifest().parts() {
        if !folder.file(part).exists() {
            continue;
        }
        let read = folder.read(part, &[name]);
        let read = read.map_err(|error| PyValueError::new_err(error.to_string()))?;
        for column in read.columns {
            all.push(match column.values {
                Values::Whole(values) => values.into_pyobject(py)?.into_any(),
                Values::Number(values) => values.into_pyobject(py)?.into_any(),
                Values::Text(values) => values.into_pyobject(py)?.into_any(),
                Values::Series(values) => values.into_pyobject(py)?.into_any(),
            });
        }
    }
    Ok(all)
}
