//! What Python gets to see of long work: progress, and the way to stop it.

use pyo3::{Py, PyAny, PyErr, PyResult, Python};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How often signals are looked at.
const EVERY: Duration = Duration::from_millis(50);

/// Looks at signals now and then, while the interpreter is free for others.
pub(crate) struct Watch {
    last: Instant,
    progress: Option<Py<PyAny>>,
    /// What a handler of signals or the progress bar raised.
    raised: Option<PyErr>,
}

impl Watch {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Self {
            last: Instant::now(),
            progress,
            raised: None,
        }
    }

    /// Hears of the fraction that is done; whether to go on.
    pub(crate) fn look(&mut self, fraction: f64) -> ControlFlow<()> {
        if self.last.elapsed() < EVERY {
            return ControlFlow::Continue(());
        }
        self.last = Instant::now();
        let seen = Python::attach(|py| -> PyResult<()> {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.call1(py, (fraction,))?;
            }
            Ok(())
        });
        match seen {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// What stopped the work, if something did.
    pub(crate) fn raised(self) -> Option<PyErr> {
        self.raised
    }
}
