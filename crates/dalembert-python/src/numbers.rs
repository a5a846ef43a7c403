//! Numbers that NumPy looks at without copying.

use pyo3::types::{PyDict, PyDictMethods, PyTuple};
use pyo3::{Bound, PyResult, Python, pyclass, pymethods};

/// A block of numbers. NumPy takes it by the array interface: the array holds on to the block, and may not write to it.
#[pyclass(frozen, module = "dalembert._native")]
pub(crate) struct Numbers {
    values: Vec<f64>,
    shape: Vec<usize>,
}

impl Numbers {
    /// A block of this shape, the last axis dense.
    pub(crate) fn new(values: Vec<f64>, shape: Vec<usize>) -> Self {
        Self { values, shape }
    }
}

#[pymethods]
impl Numbers {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut strides = vec![1; self.shape.len()];
        for axis in (1..self.shape.len()).rev() {
            strides[axis - 1] = strides[axis] * self.shape[axis];
        }
        array_interface(py, &self.values, &self.shape, &strides)
    }
}

/// What NumPy asks of something that is an array: numbers, their shape, and how many numbers apart entries are along each axis.
pub(crate) fn array_interface<'py>(
    py: Python<'py>,
    values: &[f64],
    shape: &[usize],
    strides: &[usize],
) -> PyResult<Bound<'py, PyDict>> {
    const BYTES: usize = size_of::<f64>();
    let interface = PyDict::new(py);
    let order = match cfg!(target_endian = "little") {
        true => "<f8",
        false => ">f8",
    };
    let strides = PyTuple::new(py, strides.iter().map(|it| it * BYTES))?;
    interface.set_item("version", 3)?;
    interface.set_item("typestr", order)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("strides", strides)?;
    // The second says that nobody writes.
    interface.set_item("data", (values.as_ptr().addr(), true))?;
    Ok(interface)
}

/// Numbers that NumPy has written one after the other.
pub(crate) fn from_bytes(bytes: &[u8]) -> Vec<f64> {
    let (each, _) = bytes.as_chunks();
    each.iter().copied().map(f64::from_ne_bytes).collect()
}
