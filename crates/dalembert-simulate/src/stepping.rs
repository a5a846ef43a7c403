//! Steps of a mechanism that someone else drives: from one time to the next, with inputs that are set in between.
//!
//! The same equations, integrator and projection as in a run, kept from step to step. What a run watches besides (events, contacts, slips, kinks of
//! forces, places where rows lose their rank) is left to a run over that one step: [`Stepping::new`] and [`Stepping::step`] say when.

use super::kinks::Kinks;
use super::motion::{MotionSystem, Programs};
use super::passages::Passages;
use super::pulses::Pulses;
use super::switches::Switches;
use super::{Outcome, RunOptions, SimulateError, scales, simulate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::start::{Start, State};
use dalembert_ode::{Absolute, End, Failure, Integrator, Options, Projection, System};
use std::ops::ControlFlow;

/// How long a step is expected to be, for what has to know a span: the sizes of times, not the end.
const USUAL_STEP: f64 = 1.0;

/// A mechanism that is driven step by step.
pub struct Stepping<'m> {
    system: MotionSystem<'m>,
    integrator: Integrator<1>,
    /// Watches for places where rows lose their rank, where there are rows.
    passages: Option<Passages>,
    n: usize,
    t: f64,
    y: Vec<[f64; 1]>,
    rates: Vec<f64>,
    next_step: Option<f64>,
}

/// Why a step was not made; the state is the one before it.
#[derive(Clone, Debug, PartialEq)]
pub enum NotStepped {
    /// Rows may lose their rank on its way: a run knows how to cross such places.
    ByRun,
    /// The integrator gave up.
    Failed(Failure),
    /// No velocities meet the rows with these inputs.
    NotMet,
    /// Who watched asked to stop.
    Interrupted,
}

impl<'m> Stepping<'m> {
    /// Steps of a mechanism from a state; `None` where something may happen on the way that only runs look for.
    ///
    /// # Errors
    /// A tolerance makes no sense.
    pub fn new(
        mechanism: &'m Mechanism,
        state: &State,
        (rtol, atol): (f64, Option<f64>),
    ) -> Result<Option<Self>, SimulateError> {
        if !is_plain(mechanism, state) {
            return Ok(None);
        }
        let size = 2 * mechanism.equations.coordinates() + 1;
        let programs = Programs::new(mechanism, state);
        let mut system = MotionSystem::by(mechanism, state, programs);
        if system.slip_count() > 0 {
            return Ok(None);
        }
        let y = system.start(state.t, &state.coordinates, &state.rates);
        let measures = || Absolute::Measured(scales::measures(mechanism, system.units()));
        let options = Options {
            rtol,
            atol: atol.map_or_else(measures, |atol| {
                let mut each = vec![atol; size];
                // The work only reports: it does not choose the steps.
                each[size - 1] = f64::MAX / 1e10;
                Absolute::Each(each)
            }),
            ..Options::default()
        };
        let has_rows = mechanism.equations.rows() > 0;
        let units = || system.units()[0].clone();
        let passages = has_rows.then(|| Passages::new(units(), rtol, USUAL_STEP));
        Ok(Some(Self {
            n: mechanism.equations.coordinates(),
            integrator: Integrator::new(size, &options).map_err(SimulateError::Options)?,
            passages,
            t: state.t,
            rates: state.rates.clone(),
            y,
            next_step: None,
            system,
        }))
    }

    /// Goes on from another state.
    pub fn set_state(&mut self, state: &State) {
        self.t = state.t;
        self.y = (self.system).start(state.t, &state.coordinates, &state.rates);
        self.rates.copy_from_slice(&state.rates);
        self.next_step = None;
    }

    /// Goes on with other values of the parameters; velocities that meet the rows no longer are moved to those that do, as by a blow.
    ///
    /// # Errors
    /// There are none such.
    pub fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), NotStepped> {
        self.system.set_parameters(parameters);
        let found = self.system.project(&[self.t], &mut self.y, &[true]);
        if matches!(found[0], Projection::Failed { .. }) {
            return Err(NotStepped::NotMet);
        }
        self.find_rates();
        Ok(())
    }

    fn find_rates(&mut self) {
        if let Some(rates) = self.system.rates_at(self.t, &self.y) {
            self.rates.copy_from_slice(rates);
        }
    }

    /// Goes on by a time; `watch` is asked at each step of the integrator, and may end it.
    ///
    /// # Errors
    /// See [`NotStepped`].
    pub fn step(
        &mut self,
        dt: f64,
        mut watch: impl FnMut() -> ControlFlow<()>,
    ) -> Result<(), NotStepped> {
        let Self {
            system,
            integrator,
            passages,
            ..
        } = self;
        let (begin, end) = (self.t, self.t + dt);
        let mut near = false;
        if let Some(passages) = passages {
            passages.start(system, begin, &self.y);
        }
        if let Some(step) = self.next_step {
            integrator.hand_step(step.min(dt));
        }
        let report = integrator.go_on(system, [begin], [end], &self.y, |step| {
            let whole = [step.t_old(0), step.t_new(0)];
            if let Some(passages) = passages.as_mut().filter(|_| whole[1] > whole[0]) {
                let states = step.end_states().to_vec();
                near |= passages.reaches(step.system(), whole, &states).is_some();
                near |= passages.step(step.system(), whole[1], &states).is_err();
            }
            match near {
                true => ControlFlow::Break(()),
                false => watch(),
            }
        });
        let lane = &report.lanes[0];
        match lane.end {
            _ if near => return Err(NotStepped::ByRun),
            End::Reached => {}
            End::Failed(failure) => return Err(NotStepped::Failed(failure)),
            End::Stopped => return Err(NotStepped::Interrupted),
        }
        self.next_step = (lane.next_step > 0.0).then_some(lane.next_step);
        self.y.copy_from_slice(integrator.state());
        self.t = end;
        self.find_rates();
        Ok(())
    }

    /// Time.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Coordinates.
    #[must_use]
    pub fn coordinates(&self) -> &[f64] {
        self.y[..self.n].as_flattened()
    }

    /// Rates.
    #[must_use]
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }
}

/// Whether nothing can happen on the way that only runs look for: events, contacts, slips, kinks of forces, and functions of time that a
/// step could miss.
pub(super) fn is_plain(mechanism: &Mechanism, state: &State) -> bool {
    let system = &mechanism.system;
    let size = 2 * mechanism.equations.coordinates() + 1;
    let changes = system.activity.iter().any(|it| it.changes());
    !changes
        && system.events.is_empty()
        && system.unilateral.is_empty()
        && !system.has_laws()
        && system.servo.is_empty()
        && Kinks::new(mechanism, size).is_none()
        && Pulses::new(mechanism, state).is_none()
        && Switches::new(mechanism, state).is_none()
}

/// Goes on from a state by a time, as a run over that time does; `None` if `watch` ended it.
///
/// # Errors
/// As [`simulate`].
pub fn step_by_run(
    mechanism: &Mechanism,
    state: &State,
    dt: f64,
    options: &RunOptions,
    mut watch: impl FnMut() -> ControlFlow<()>,
) -> Result<Option<State>, SimulateError> {
    let start = Start {
        state: state.clone(),
        ..Start::default()
    };
    let wanted = RunOptions {
        span: Some(dt),
        samples: Some(2),
        ..options.clone()
    };
    let reached = simulate(mechanism, &start, &wanted, |_| watch())?;
    let whole = !matches!(reached.outcome, Outcome::Interrupted);
    Ok(whole.then_some(State {
        t: reached.t_end,
        coordinates: reached.coordinates,
        rates: reached.rates,
        mode: reached.mode,
    }))
}

/// The state nearest to one, in the metric of the mass matrix, that meets the rows; `None` if none was found.
#[must_use]
pub fn nearest(mechanism: &Mechanism, state: &State) -> Option<State> {
    let mut system = MotionSystem::new(mechanism, state, Formulation::Multipliers);
    let mut y = system.start(state.t, &state.coordinates, &state.rates);
    let found = system.project(&[state.t], &mut y, &[true]);
    if matches!(found[0], Projection::Failed { .. }) {
        return None;
    }
    let n = mechanism.equations.coordinates();
    Some(State {
        t: state.t,
        coordinates: y[..n].as_flattened().to_vec(),
        rates: system.rates_at(state.t, &y)?.to_vec(),
        mode: state.mode.clone(),
    })
}
