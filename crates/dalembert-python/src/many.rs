//! Many runs at once.

use crate::document::document;
use crate::failure::failure;
use crate::numbers::Numbers;
use dalembert::report::Error;
use pyo3::{Py, PyErr, PyResult, Python, pyclass, pymethods};
use std::sync::Mutex;

/// Many runs: how each ended, and their states in one block.
#[pyclass(frozen, module = "dalembert._native")]
pub(crate) struct Many {
    many: Mutex<dalembert::Many>,
}

impl From<dalembert::Many> for Many {
    fn from(many: dalembert::Many) -> Self {
        Self {
            many: Mutex::new(many),
        }
    }
}

/// Why a variant stopped: the JSON document of its diagnostics, and the same for people.
type Reason = Option<(String, String)>;

#[pymethods]
impl Many {
    /// Names of the coordinates, then of the rates.
    fn names(&self) -> Vec<String> {
        self.with(|many| many.names.clone())
    }

    /// How many ran side by side.
    fn in_lanes(&self) -> usize {
        self.with(|many| many.in_lanes)
    }

    /// Times of the samples.
    fn times(&self, py: Python<'_>) -> PyResult<Py<Numbers>> {
        let times = self.with(|many| many.times.clone());
        let count = times.len();
        Py::new(py, Numbers::new(times, vec![count]))
    }

    /// States by variant, sample and name; they are handed over once.
    fn states(&self, py: Python<'_>) -> PyResult<Py<Numbers>> {
        let (states, shape) = self.with(|many| {
            let shape = vec![many.runs.len(), many.times.len(), many.names.len()];
            (std::mem::take(&mut many.states), shape)
        });
        Py::new(py, Numbers::new(states, shape))
    }

    /// How each ended: status, samples, steps, and why it stopped.
    fn runs(&self) -> PyResult<Vec<(&'static str, usize, u64, Reason)>> {
        self.with(|many| {
            let told = |error: &Error| -> PyResult<_> { Ok((document(error)?, error.to_string())) };
            let run = |it: &dalembert::OneOfMany| {
                let reason = it.reason.as_ref().map(told).transpose()?;
                Ok((it.status, it.samples, it.steps, reason))
            };
            many.runs.iter().map(run).collect()
        })
    }
}

impl Many {
    fn with<T>(&self, ask: impl FnOnce(&mut dalembert::Many) -> T) -> T {
        ask(&mut self.many.lock().unwrap_or_else(|it| it.into_inner()))
    }

    /// Runs variants; what a handler of signals raises stops them all, which are kept as far as they came.
    pub(crate) fn run(
        py: Python<'_>,
        model: &dalembert::Model,
        (names, values, count): (&[String], &[f64], usize),
        options: &dalembert::simulate::RunOptions,
        (threads, progress): (usize, Option<Py<pyo3::PyAny>>),
    ) -> PyResult<(Self, Option<PyErr>)> {
        let mut watch = crate::watch::Watch::new(progress);
        let found = py.detach(|| {
            let look = |fraction| watch.look(fraction);
            model.run_many(names, (values, count), options, threads, look)
        });
        let found = found.map_err(|error| failure(py, error))?;
        Ok((found.into(), watch.raised()))
    }
}
