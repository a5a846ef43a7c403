//! v' = f(t, q, v), for integrators of others.

use crate::failure::failure;
use crate::numbers::{Numbers, from_bytes};
use dalembert::mechanics::start::State;
use pyo3::exceptions::PyValueError;
use pyo3::{Py, PyResult, Python, pyclass, pymethods};
use self_cell::self_cell;
use std::sync::Mutex;

type Function<'m> = Mutex<dalembert::simulate::RightHandSide<'m>>;

self_cell!(
    struct Held {
        owner: dalembert::Model,
        #[not_covariant]
        dependent: Function,
    }
);

/// Accelerations, or the rates of quasi-velocities, as a function of time, coordinates and speeds.
#[pyclass(frozen, module = "dalembert._native")]
pub(crate) struct RightHandSide {
    held: Held,
    coordinates: usize,
}

impl RightHandSide {
    pub(crate) fn new(py: Python<'_>, model: dalembert::Model) -> PyResult<Self> {
        let refused = |error| failure(py, error);
        let count = |model: &dalembert::Model| {
            let names = model.mechanism().map(|it| it.coordinate_names().count());
            names.map_err(refused)
        };
        let coordinates = count(&model)?;
        let held = Held::try_new(model, |model| {
            let mechanism = model.mechanism().map_err(refused)?;
            let start: &State = &model.start().map_err(refused)?.state;
            let function = dalembert::simulate::RightHandSide::new(mechanism, start);
            function.make_native();
            Ok::<_, pyo3::PyErr>(Mutex::new(function))
        })?;
        Ok(Self { held, coordinates })
    }
}

#[pymethods]
impl RightHandSide {
    /// Number of coordinates.
    #[getter]
    fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// q' and v' at states one after the other: times, coordinates and speeds; as many rows as states, each q' then v'.
    fn at(&self, py: Python<'_>, t: &[u8], q: &[u8], v: &[u8]) -> PyResult<Py<Numbers>> {
        let n = self.coordinates;
        let [t, q, v] = [t, q, v].map(from_bytes);
        if q.len() != n * t.len() || v.len() != q.len() {
            let message = format!("there are {n} coordinates and as many speeds at each state");
            return Err(PyValueError::new_err(message));
        }
        let found = py.detach(|| {
            self.held.with_dependent(|_, function| {
                let mut function = function.lock().unwrap_or_else(|it| it.into_inner());
                let mut found = Vec::with_capacity(2 * q.len());
                let (mut y, mut dy) = (vec![0.0; 2 * n + 1], vec![0.0; 2 * n + 1]);
                for (i, &t) in t.iter().enumerate() {
                    y[..n].copy_from_slice(&q[i * n..][..n]);
                    y[n..2 * n].copy_from_slice(&v[i * n..][..n]);
                    if function.derivative(t, &y, &mut dy).is_err() {
                        return Err(i);
                    }
                    found.extend_from_slice(&dy[..2 * n]);
                }
                Ok(found)
            })
        });
        let found = found.map_err(|i| {
            PyValueError::new_err(format!(
                "the motion is not determined at state {i}: `eval` at this state, with raw=True, says why"
            ))
        })?;
        Py::new(py, Numbers::new(found, vec![t.len(), 2 * n]))
    }
}
