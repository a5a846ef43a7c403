//! A model that Python drives, step by step.

use crate::failure::failure;
use crate::watch::{Signals, Watch};
use pyo3::types::{PyAnyMethods, PyDict, PyDictMethods};
use pyo3::{Bound, PyResult, Python, pyclass, pymethods};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A model that moves when it is told to.
#[pyclass(module = "dalembert._native")]
pub(crate) struct Simulator {
    simulator: dalembert::Simulator,
    /// Places of inputs that were set before.
    places: HashMap<String, usize>,
    inputs: Vec<(usize, f64)>,
}

impl From<dalembert::Simulator> for Simulator {
    fn from(simulator: dalembert::Simulator) -> Self {
        Self {
            simulator,
            places: HashMap::new(),
            inputs: Vec::new(),
        }
    }
}

#[pymethods]
impl Simulator {
    /// Names of the coordinates.
    fn coordinates(&self) -> Vec<String> {
        let names = self.simulator.coordinate_names();
        names.map(str::to_owned).collect()
    }

    /// Names and values of the inputs.
    fn inputs(&self) -> Vec<(String, f64)> {
        let inputs = self.simulator.inputs();
        inputs
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// Whether steps are made without a run for each.
    #[getter]
    fn is_fast(&self) -> bool {
        self.simulator.is_fast()
    }

    #[getter]
    fn t(&self) -> f64 {
        self.simulator.t()
    }

    /// Coordinates, then rates.
    fn state(&self) -> Vec<f64> {
        [self.simulator.coordinates(), self.simulator.rates()].concat()
    }

    fn set(&mut self, py: Python<'_>, values: Vec<(String, f64)>) -> PyResult<()> {
        let values: Vec<(&str, f64)> = values.iter().map(|(name, it)| (&**name, *it)).collect();
        let set = self.simulator.set(&values);
        set.map_err(|error| failure(py, error))
    }

    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        let reset = self.simulator.reset();
        reset.map_err(|error| failure(py, error))
    }

    /// Several steps at once, all with the inputs as they are.
    fn steps(&mut self, py: Python<'_>, dt: f64, count: usize) -> PyResult<()> {
        let simulator = &mut self.simulator;
        let mut watch = Watch::new(None);
        let stepped = py.detach(|| {
            (0..count).try_for_each(|_| {
                let stepped = simulator.step_watched(dt, &[], || watch.look(0.0));
                match stepped {
                    Ok(ControlFlow::Continue(())) => Ok(()),
                    Ok(ControlFlow::Break(())) => Err(None),
                    Err(error) => Err(Some(error)),
                }
            })
        });
        match (watch.raised(), stepped) {
            (Some(raised), _) => Err(raised),
            (None, Err(Some(error))) => Err(failure(py, error)),
            (None, _) => Ok(()),
        }
    }

    #[pyo3(signature = (dt, inputs=None))]
    fn step(
        &mut self,
        py: Python<'_>,
        dt: f64,
        inputs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        self.inputs.clear();
        for (name, value) in inputs.into_iter().flat_map(PyDictMethods::iter) {
            let name: &Bound<'_, pyo3::types::PyString> = name.cast()?;
            let name = pyo3::types::PyStringMethods::to_cow(name)?;
            let place = match self.places.get(&*name) {
                Some(&place) => place,
                None => {
                    let place = self.simulator.input(&name);
                    let place = place.map_err(|error| failure(py, error))?;
                    self.places.insert(name.into_owned(), place);
                    place
                }
            };
            self.inputs.push((place, value.extract()?));
        }
        let mut watch = Signals::new(py);
        let stepped = (self.simulator).step_watched(dt, &self.inputs, || watch.look());
        match watch.raised {
            Some(raised) => Err(raised),
            None => stepped.map(drop).map_err(|error| failure(py, error)),
        }
    }
}
