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

/// Looks at signals now and then in work that is short as a rule and keeps the interpreter: the clock is not read before it is long.
pub(crate) struct Signals<'py> {
    py: Python<'py>,
    steps: u32,
    last: Option<Instant>,
    /// What a handler of signals raised.
    pub(crate) raised: Option<PyErr>,
}

impl<'py> Signals<'py> {
    /// Steps between two looks at the clock.
    const STEPS: u32 = 256;

    pub(crate) fn new(py: Python<'py>) -> Self {
        Self {
            py,
            steps: 0,
            last: None,
            raised: None,
        }
    }

    /// Hears of a step; whether to go on.
    pub(crate) fn look(&mut self) -> ControlFlow<()> {
        self.steps += 1;
        if !self.steps.is_multiple_of(Self::STEPS) {
            return ControlFlow::Continue(());
        }
        let last = *self.last.get_or_insert_with(Instant::now);
        if last.elapsed() < EVERY {
            return ControlFlow::Continue(());
        }
        self.last = Some(Instant::now());
        // Others get their turn.
        self.py.detach(|| ());
        match self.py.check_signals() {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                self.raised = Some(raised);
                ControlFlow::Break(())
            }
        }
    }
}
