//! What is looked at of a motion on its way to a place where rows lose their rank: their least pivot, its own direction, and the
//! states that can be relied on.

use super::motion::MotionSystem;
use dalembert_mechanics::linear::norm;

/// A state of the run, with its time.
#[derive(Clone, Default)]
pub(super) struct Moment {
    pub(super) t: f64,
    pub(super) y: Vec<[f64; 1]>,
}

/// A motion that is not the one which arrived at a change point.
pub(super) struct LostBranch {
    /// Where.
    pub(super) t: f64,
    /// The last state that can be relied on.
    pub(super) last: Moment,
    /// Whether it is not known how the motion goes on.
    pub(super) unclear: bool,
}

/// The least pivot of the rows at a time, and its rate of change.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) t: f64,
    pub(super) pivot: f64,
    pub(super) slope: f64,
}

impl Look {
    /// Seconds until rows lose their rank, if the pivot goes on as it does.
    pub(super) fn ahead(&self) -> f64 {
        match self.slope < 0.0 {
            true => -self.pivot / self.slope,
            false => f64::INFINITY,
        }
    }

    /// Seconds since they lost it, if the pivot came as it goes.
    pub(super) fn behind(&self) -> f64 {
        match self.slope > 0.0 {
            true => self.pivot / self.slope,
            false => f64::INFINITY,
        }
    }
}

/// Direction of the rates at a state, of length one where the units of inertia are one.
pub(super) fn direction_into(
    units: &[f64],
    system: &mut MotionSystem<'_>,
    (t, y): (f64, &[[f64; 1]]),
    direction: &mut Vec<f64>,
) {
    system.set(t, y);
    direction.clear();
    direction.extend(
        system
            .rates()
            .iter()
            .zip(units)
            .map(|(rate, unit)| rate / unit),
    );
    let length = norm(direction);
    direction.iter_mut().for_each(|part| *part /= length);
}
