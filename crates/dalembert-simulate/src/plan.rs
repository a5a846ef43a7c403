//! The numbers of a run: what was asked for, else what the model says, else a default.

use super::{RunOptions, SimulateError};
use dalembert_expr::ExprId;
use dalembert_mechanics::decide::KNOWN;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::values::{MAX_SAMPLES, run_needs};
use dalembert_mechanics::{MAX_COMPARED, Mechanism};
use dalembert_ode::Method;

/// Numbers of a run.
pub(super) struct Plan {
    pub(super) span: f64,
    sampling: Sampling,
    pub(super) rtol: f64,
    /// `None`: by what the motion has reached so far.
    pub(super) atol: Option<f64>,
    pub(super) max_step: f64,
    pub(super) max_steps: u64,
    /// The integrator; `None`: whichever pays.
    pub(super) method: Option<Method>,
}

enum Sampling {
    Count(usize),
    Step(f64),
}

impl Plan {
    pub(super) fn new(mechanism: &Mechanism, wanted: &RunOptions) -> Result<Self, SimulateError> {
        let run = &mechanism.system.run;
        let size = mechanism.equations.coordinates() + mechanism.equations.rows();
        match wanted.formulation {
            Some(full) if full != Formulation::Multipliers && size > MAX_COMPARED => {
                return Err(SimulateError::TooLargeFor(full, size));
            }
            _ => {}
        }
        let number = |name, asked: Option<f64>, written: Option<ExprId>| {
            let written = || written.map(|expression| mechanism.run_value(expression));
            let Some(value) = asked.or_else(written) else {
                return Ok(None);
            };
            match run_needs(name, value) {
                Some(wanted) => Err(SimulateError::BadNumber(name, value, wanted)),
                None => Ok(Some(value)),
            }
        };
        let span = number("span", wanted.span, run.span)?.ok_or(SimulateError::NoSpan)?;
        if span <= 0.0 {
            return Err(SimulateError::BadNumber("span", span, "positive"));
        }
        let asked = wanted.samples.map(|samples| samples as f64);
        let step = number("step", wanted.step, run.step.filter(|_| asked.is_none()))?;
        let sampling = match step {
            Some(step) if span / step > MAX_SAMPLES => {
                let wanted = "larger: this asks for over ten million samples";
                return Err(SimulateError::BadNumber("step", step, wanted));
            }
            Some(step) => Sampling::Step(step),
            None => {
                let count = number("samples", asked, run.samples)?;
                Sampling::Count(count.unwrap_or(1001.0) as usize)
            }
        };
        let named = mechanism.model.run.integrator.as_ref();
        let named = named.and_then(|name| super::method_named(&name.text));
        let method = wanted.method.or(named).unwrap_or_default();
        let max_steps = wanted.max_steps.map(|steps| steps as f64);
        Ok(Self {
            span,
            sampling,
            rtol: number("rtol", wanted.rtol, run.rtol)?.unwrap_or(1e-9),
            atol: number("atol", wanted.atol, run.atol)?,
            max_step: number("max_step", wanted.max_step, run.max_step)?.unwrap_or(f64::INFINITY),
            max_steps: number("max_steps", max_steps, run.max_steps)?
                .map_or(dalembert_ode::Options::default().max_steps, |n| n as u64),
            method,
        })
    }

    /// Sample times; the last is the end of the span exactly.
    pub(super) fn times(&self, from: f64) -> Vec<f64> {
        let count = match self.sampling {
            Sampling::Count(count) => count,
            Sampling::Step(step) => (self.span / step * (1.0 + KNOWN)).floor() as usize + 1,
        };
        // One beyond the end by a rounding error would have no state.
        let end = from + self.span;
        let time = |i: usize| match self.sampling {
            Sampling::Count(count) if i + 1 == count => end,
            Sampling::Count(count) => from + self.span * i as f64 / (count - 1) as f64,
            Sampling::Step(step) => (from + step * i as f64).min(end),
        };
        (0..count).map(time).collect()
    }
}

/// The relative tolerance that the options come to.
pub(super) struct Tolerated {
    rtol: f64,
    atol: Option<f64>,
    n: usize,
    /// Largest coordinate and largest speed so far.
    largest: [f64; 2],
}

impl Tolerated {
    pub(super) fn new(plan: &Plan, n: usize) -> Self {
        Self {
            rtol: plan.rtol,
            atol: plan.atol,
            n,
            largest: [0.0; 2],
        }
    }

    /// An absolute tolerance is relative to what the motion has reached.
    pub(super) fn relative(&mut self, y: &[[f64; 1]]) -> f64 {
        let Some(atol) = self.atol else {
            return self.rtol;
        };
        let parts = y[..2 * self.n].as_flattened().chunks(self.n.max(1));
        for (largest, part) in self.largest.iter_mut().zip(parts) {
            *largest = part.iter().fold(*largest, |a, b| a.max(b.abs()));
        }
        let [q, v] = self.largest;
        // Nothing has moved yet: any tolerance is large beside it.
        (self.rtol + atol / q.min(v)).min(1.0)
    }
}
