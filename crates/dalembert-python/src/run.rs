//! A run: its report, and its samples as one block.

use crate::document::document;
use crate::numbers::{Numbers, array_interface, from_bytes};
use dalembert::report::{Report, RunReport, rendered};
use dalembert::results::CsvHead;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::types::PyDict;
use pyo3::{Bound, Py, PyResult, Python, pyclass, pymethods};
use std::path::PathBuf;

/// A run, finished or as far as it came.
#[pyclass(frozen, module = "dalembert._native")]
pub(crate) struct Run {
    pub(crate) report: RunReport,
    /// How many steps were heard of.
    far: u64,
}

impl Run {
    pub(crate) fn new(report: RunReport, far: u64) -> Self {
        Self { report, far }
    }
}

#[pymethods]
impl Run {
    /// How far it came, in steps that were heard of.
    fn far(&self) -> u64 {
        self.far
    }

    /// The report as a JSON document.
    fn json(&self) -> PyResult<String> {
        document(&self.report)
    }

    /// The report for people.
    fn text(&self) -> String {
        self.report.to_string()
    }

    /// What the reader should know besides, for people.
    fn notes(&self) -> Vec<String> {
        let notes = self.report.warnings().iter();
        notes.map(|it| rendered(it, false)).collect()
    }

    /// Names of the columns, each with its unit if that is known.
    fn columns(&self) -> Vec<(String, Option<String>)> {
        let columns = self.report.table.columns();
        let head = |it: &dalembert::results::ColumnView<'_>| (it.name.clone(), it.unit.clone());
        columns.iter().map(head).collect()
    }

    /// The samples, column after column.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = &self.report.table;
        let (block, room) = table.block();
        let shape = [table.columns().len(), table.rows()];
        array_interface(py, block, &shape, &[room, 1])
    }

    /// Coordinates, then rates at the times of a run whose state is known at every time; one row for each.
    fn at(&self, py: Python<'_>, times: &[u8]) -> PyResult<Py<Numbers>> {
        let times = from_bytes(times);
        let trail = self.report.trail.as_ref();
        let trail =
            trail.ok_or_else(|| PyValueError::new_err("the run was not to keep its way"))?;
        let mut states = Vec::with_capacity(times.len());
        for &t in &times {
            let outside = || PyValueError::new_err(format!("t = {t} is not a time of the run"));
            states.push(trail.at(t).ok_or_else(outside)?);
        }
        let size = trail.size();
        let row = |i: usize| states.iter().map(move |state| state[i]);
        let values = (0..size).flat_map(row).collect();
        Py::new(py, Numbers::new(values, vec![size, times.len()]))
    }

    /// Writes the samples to a file, Parquet or CSV by its name.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        let table = &self.report.table;
        let written = table.write_with(&path, CsvHead::Names);
        written.map_err(|error| PyOSError::new_err(error.to_string()))
    }
}
