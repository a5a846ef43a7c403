//! Why there is no report, as a Python exception.

use crate::document::document;
use crate::run::Run;
use dalembert::report::Error;
use pyo3::exceptions::PyException;
use pyo3::{Py, PyErr, Python, create_exception};

create_exception!(
    dalembert._native,
    Failure,
    PyException,
    "What was refused: the JSON document of its diagnostics, the same for people, and a run as far as it came."
);

/// The exception of a refusal. A run that stopped on its way comes along.
pub(crate) fn failure(py: Python<'_>, mut error: Error) -> PyErr {
    let so_far = error.so_far.take().map(|report| Run::new(*report, 0));
    let so_far = match so_far.map(|run| Py::new(py, run)).transpose() {
        Ok(so_far) => so_far,
        Err(error) => return error,
    };
    match document(&error) {
        Ok(document) => Failure::new_err((document, error.to_string(), so_far)),
        Err(error) => error,
    }
}
