//! States at given times.

use crate::integrator::Step;
use crate::system::{Mask, Projection, System};
use std::ops::ControlFlow;

/// Delivers the states at given times, in order, as a run passes them.
///
/// Times must be sorted in the direction in which the lane runs; those outside the span are passed over. The
/// start and the end of the span and the ends of steps come out exactly as they were integrated; other
/// states are interpolated and then, if wanted, projected.
#[derive(Clone, Debug)]
pub struct Samples<'a, const L: usize> {
    times: [&'a [f64]; L],
    next: [usize; L],
    project: bool,
}

/// States of the lanes in which a sample is due.
#[derive(Clone, Debug)]
pub struct Sample<'a, const L: usize> {
    /// Lanes in which a sample is due; the other lanes of all fields are meaningless.
    pub due: Mask<L>,
    /// Number of the sample in its lane, from 0.
    pub index: [usize; L],
    /// Time in each lane.
    pub t: [f64; L],
    /// State, `[value][lane]`.
    pub y: &'a [[f64; L]],
    /// What the projection did; a residual of zero where none was made.
    pub projection: [Projection; L],
}

impl<'a, const L: usize> Samples<'a, L> {
    /// Samples at the given times of each lane.
    pub fn new(times: [&'a [f64]; L]) -> Self {
        Samples {
            times,
            next: [0; L],
            project: false,
        }
    }

    /// The same samples, each handed to [`System::project`] after interpolation. Where that fails, or moves a state by
    /// much more than the step errs, it stays as it was interpolated.
    pub fn projected(self) -> Self {
        Samples {
            project: true,
            ..self
        }
    }

    /// Time of the next sample of a lane.
    pub fn next(&self, lane: usize) -> Option<f64> {
        self.times[lane].get(self.next[lane]).copied()
    }

    /// Hands all samples that fall into `step` to `sink`, several lanes at once where they are due.
    ///
    /// To be called from the observer of a run, in each step. Breaks if `sink` does.
    pub fn deliver<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        mut sink: impl FnMut(&mut S, &Sample<'_, L>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        loop {
            let mut due = [false; L];
            let mut inside = [false; L];
            let mut t = [0.0; L];
            let mut index = [0; L];
            for lane in 0..L {
                t[lane] = step.t_new(lane);
                if !step.accepted()[lane] {
                    continue;
                }
                if let Some((number, time)) = self.take_due(step, lane) {
                    due[lane] = true;
                    index[lane] = number;
                    inside[lane] = !step.is_end(lane, time);
                    t[lane] = time;
                    step.sample(lane, time);
                }
            }
            if !due.contains(&true) {
                return ControlFlow::Continue(());
            }
            let mut projection = [Projection::Unchanged { residual: 0.0 }; L];
            if self.project && inside.contains(&true) {
                let made = step.project_sample(&t, &inside);
                for lane in (0..L).filter(|&lane| due[lane]) {
                    match inside[lane] {
                        true => projection[lane] = made[lane],
                        // The projection of others may have touched it.
                        false => step.sample(lane, t[lane]),
                    }
                }
            }
            let (system, y) = step.system_and_sample();
            sink(
                system,
                &Sample {
                    due,
                    index,
                    t,
                    y,
                    projection,
                },
            )?;
        }
    }

    /// Number and time of the next sample of a lane, if it falls into the step.
    fn take_due<S: System<L>>(
        &mut self,
        step: &Step<'_, S, L>,
        lane: usize,
    ) -> Option<(usize, f64)> {
        let direction = step.direction(lane);
        while let Some(&time) = self.times[lane].get(self.next[lane]) {
            let number = self.next[lane];
            if (time - step.t_new(lane)) * direction > 0.0 {
                return None;
            }
            self.next[lane] += 1;
            if (time - step.t_old(lane)) * direction >= 0.0 {
                return Some((number, time));
            }
        }
        None
    }
}
