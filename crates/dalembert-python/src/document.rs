//! Reports as JSON documents.

use pyo3::PyResult;
use pyo3::exceptions::PyRuntimeError;
use serde::Serialize;

/// A report as a JSON document.
pub(crate) fn document(report: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(report).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
