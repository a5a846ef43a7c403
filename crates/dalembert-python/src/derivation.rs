//! Equations in symbols.

use crate::document::document;
use dalembert::derive::Style;
use dalembert::report::{DeriveReport, Report, rendered};
use pyo3::exceptions::PyValueError;
use pyo3::{PyResult, pyclass, pymethods};

/// Equations of motion: a page in any notation, a document for programs.
#[pyclass(frozen, module = "dalembert._native")]
pub(crate) struct Derivation {
    pub(crate) report: DeriveReport,
}

#[pymethods]
impl Derivation {
    /// The report as a JSON document.
    fn json(&self) -> PyResult<String> {
        document(&self.report)
    }

    /// The page in a notation: text, latex, typst, html, markdown or sympy.
    fn page(&self, style: &str) -> PyResult<String> {
        let style = style.parse::<Style>();
        let style = style.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(self.report.derivation.page(style))
    }

    /// What the reader should know besides, for people.
    fn notes(&self) -> Vec<String> {
        let notes = self.report.warnings().iter();
        notes.map(|it| rendered(it, false)).collect()
    }
}
