//! Which integrator: explicit steps as long as they pay, implicit ones where the motion is stiff, and back.
//!
//! Explicit steps are as long as the tolerance allows, or as stability does: where it may be stability, step after step, implicit
//! steps are tried, and kept if they are much longer. They give way again where explicit steps of the same length would be stable.

use super::SimulateError;
use super::motion::MotionSystem;
use dalembert_ode::{Integrator, Method, Options, Step};

/// Length of an explicit step, times the fastest rate, from which stability may be what limits it.
const NEAR_LIMIT: f64 = 1.0;
/// Steps in a row, nearly, that are so long before implicit ones are tried (Hairer, Wanner, section IV.2); and after which those
/// are given up that explicit ones can take.
const PATIENCE: u32 = 15;
/// Shorter steps after which those before are forgotten.
const CALM_STEPS: u32 = 6;
/// A step in so many is looked at as long as nothing is suspected.
const LOOK_AT: u64 = 8;
/// Implicit steps that are tried, and how much longer they must have become to be kept: each costs as much as several explicit ones.
const TRIED: u64 = 8;
const PAYS: f64 = 4.0;
/// Coordinates up to which implicit steps are tried without being asked for where their equations are dense.
pub(super) const MOST_COORDINATES: usize = 200;

/// A change of the integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangedIntegrator {
    /// When.
    pub t: f64,
    /// The integrator from there on.
    pub to: Method,
}

/// The integrators of a run, and which is in use.
pub(super) struct Integrators {
    options: Options,
    /// Whether it may be changed.
    is_free: bool,
    now: Integrator<1>,
    other: Option<Integrator<1>>,
    /// Length of the explicit steps before the last change.
    explicit: f64,
    /// How often implicit steps were taken up.
    taken_up: u32,
    pub(super) switched: Vec<ChangedIntegrator>,
}

impl Integrators {
    pub(super) fn new(size: usize, options: Options, is_free: bool) -> Result<Self, SimulateError> {
        Ok(Self {
            now: Integrator::new(size, &options).map_err(SimulateError::Options)?,
            is_free,
            options,
            other: None,
            explicit: 0.0,
            taken_up: 0,
            switched: Vec::new(),
        })
    }

    /// The integrator in use.
    pub(super) fn now(&mut self) -> &mut Integrator<1> {
        &mut self.now
    }

    /// The method in use.
    pub(super) fn method(&self) -> Method {
        self.options.method
    }

    /// What looks at the steps of the next leg.
    pub(super) fn watch(&self) -> Watch {
        Watch {
            is_free: self.is_free,
            method: self.options.method,
            // Who changes often changes less.
            patience: PATIENCE << self.taken_up.saturating_sub(1).min(10),
            explicit: self.explicit,
            steps: 0,
            long: 0,
            short: 0,
        }
    }

    /// Takes implicit steps from a time on, where it may: several slips in planes set out from rest together. Their ways follow the velocities
    /// in a time as short as these are small, so that explicit steps would be ever shorter the nearer they are to rest.
    pub(super) fn depart(&mut self, t: f64) -> Result<(), SimulateError> {
        match self.is_free && self.options.method != Method::Radau5 {
            true => self.change(t, Wish::Implicit, 0.0),
            false => Ok(()),
        }
    }

    /// Takes the other method from a time on, where the next step would have had a length.
    pub(super) fn change(&mut self, t: f64, wish: Wish, next: f64) -> Result<(), SimulateError> {
        let to = match wish {
            Wish::Implicit => Method::Radau5,
            Wish::Explicit | Wish::NotWorthIt => Method::DormandPrince8,
        };
        self.options.method = to;
        let mut other = match self.other.take() {
            Some(other) => other,
            None => Integrator::new(self.now.state().len(), &self.options)
                .map_err(SimulateError::Options)?,
        };
        let first_step = (wish == Wish::Implicit && next > 0.0).then_some(next);
        other.take_over(&self.now, first_step);
        self.other = Some(std::mem::replace(&mut self.now, other));
        match wish {
            // What was only tried is not worth a word.
            Wish::NotWorthIt => drop(self.switched.pop()),
            _ => self.switched.push(ChangedIntegrator { t, to }),
        }
        if wish == Wish::Implicit {
            (self.explicit, self.taken_up) = (next, self.taken_up + 1);
        }
        Ok(())
    }
}

/// Which method should go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Explicit steps may be short for the sake of stability.
    Implicit,
    /// Implicit ones are no longer than explicit ones could be.
    Explicit,
    /// The implicit ones that were tried are not much longer.
    NotWorthIt,
}

/// Looks at the steps of a leg.
pub(super) struct Watch {
    is_free: bool,
    method: Method,
    patience: u32,
    explicit: f64,
    steps: u64,
    /// Steps that are as long as stability may allow, and shorter ones since.
    long: u32,
    short: u32,
}

impl Watch {
    /// Whether another method should go on after this step.
    pub(super) fn step(&mut self, step: &mut Step<'_, MotionSystem<'_>, 1>) -> Option<Wish> {
        self.steps += 1;
        if !self.is_free {
            return None;
        }
        if self.method == Method::Radau5 {
            let h = (step.t_new(0) - step.t_old(0)).abs();
            if self.steps == TRIED && h < PAYS * self.explicit {
                return Some(Wish::NotWorthIt);
            }
            if self.short == 0 && !self.steps.is_multiple_of(LOOK_AT) {
                return None;
            }
            let is_short = step.stiffness(0) < NEAR_LIMIT;
            self.short = if is_short { self.short + 1 } else { 0 };
            return (self.short >= self.patience).then_some(Wish::Explicit);
        }
        if self.long == 0 && !self.steps.is_multiple_of(LOOK_AT) {
            return None;
        }
        if step.stiffness(0) > NEAR_LIMIT {
            (self.long, self.short) = (self.long + 1, 0);
        } else {
            self.short += 1;
            if self.short >= CALM_STEPS {
                self.long = 0;
            }
        }
        (self.long >= self.patience).then_some(Wish::Implicit)
    }
}
