//! Step size control: a proportional-integral controller and the choice of the first step.
//!
//! With errₙ the error of step n in units of the tolerance, and k the order with which it falls with h,
//!
//! ```text
//! hₙ₊₁ = hₙ · safety · errₙ^(−α) · errₙ₋₁^β,      α = 1/k − 0.75 β
//! ```
//!
//! the factor being kept between `shrink` and `grow`, and at most 1 in the step after a rejection. β > 0
//! damps the swinging of the step size where stability limits it.
//!
//! Reference: Gustafsson, "Control theoretic techniques for stepsize selection in explicit Runge–Kutta
//! methods", ACM Trans. Math. Softw. 17 (1991) 533–554; constants as in Hairer, Nørsett, Wanner,
//! "Solving Ordinary Differential Equations I", 1993, section II.4 and code DOPRI5.

use dalembert_linear::decide::{NO_SIZE, SMALLEST_STEP_IN_ULPS};

/// Constants of the controller, part of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Controller {
    /// Factor below one that makes the next step likely to be accepted.
    pub(crate) safety: f64,
    /// Smallest factor from one step to the next.
    pub(crate) shrink: f64,
    /// Largest factor from one step to the next.
    pub(crate) grow: f64,
    /// k: the error estimate of a step falls as hᵏ.
    pub(crate) order: f64,
    pub(crate) beta: f64,
}

/// Errors below this do not count as memory of the controller: a step that was too good by accident says
/// nothing about the next.
pub(crate) const SMALLEST_REMEMBERED_ERROR: f64 = 1e-4;

/// Factor after a step that could not be evaluated at all.
pub(crate) const FACTOR_AFTER_FAILURE: f64 = 0.25;

/// Part of the span, or of the longest step, that the first step has at least: a longer one than it should be is rejected.
pub(crate) const SMALLEST_FIRST: f64 = 1e-10;

/// If the end is nearer than this multiple of the step, the step is stretched to land on it.
pub(crate) const STRETCH_TO_END: f64 = 1.01;

impl Controller {
    fn alpha(&self) -> f64 {
        1.0 / self.order - 0.75 * self.beta
    }

    /// Factor for the step after an accepted one; `before` is the error of the step before that.
    pub(crate) fn after_accepted(&self, error: f64, before: f64, just_rejected: bool) -> f64 {
        let memory = if self.beta > 0.0 {
            before.max(SMALLEST_REMEMBERED_ERROR).powf(self.beta)
        } else {
            1.0
        };
        let factor = self.safety * error.powf(-self.alpha()) * memory;
        let grow = if just_rejected { 1.0 } else { self.grow };
        factor.clamp(self.shrink, grow)
    }

    /// Factor for trying a step again whose error was above one.
    pub(crate) fn after_rejected(&self, error: f64) -> f64 {
        (self.safety * error.powf(-self.alpha())).clamp(self.shrink, 1.0)
    }
}

/// Smallest step that advances the time from `t` in a span of the given length.
#[must_use]
pub fn smallest_step(t: f64, span: f64) -> f64 {
    SMALLEST_STEP_IN_ULPS * f64::EPSILON * t.abs().max(f64::EPSILON * span.abs())
}

/// First guess of the first step from the norms of y and f in units of the tolerance: an Euler step of this
/// size changes y by about a hundredth.
pub(crate) fn trial_step(y_norm: f64, f_norm: f64, max_step: f64) -> f64 {
    let h = if y_norm <= NO_SIZE || f_norm <= 0.0 {
        1e-6 * max_step
    } else {
        0.01 * y_norm / f_norm
    };
    h.min(max_step)
}

/// First step such that (ω h)^k ‖y‖ = 0.02, with ω² the larger of ‖f'‖/‖y‖ and (‖f‖/‖y‖)². `change` is the norm of the change of f
/// over the trial step.
///
/// Hairer, Nørsett, Wanner, section II.4, "Starting step size", have h^k · max(‖f‖, ‖f'‖) = 0.01, whose sides differ by powers of
/// time: this step is the same in any unit of time.
pub(crate) fn first_step(
    trial: f64,
    (y_norm, f_norm, change): (f64, f64, f64),
    order: f64,
    max_step: f64,
) -> f64 {
    let slope = change / trial;
    let h = if !slope.is_finite() {
        trial * 1e-3
    } else if y_norm > NO_SIZE {
        let rate = (f_norm / y_norm).max((slope / y_norm).sqrt());
        (0.02 / y_norm).powf(1.0 / order) / rate
    } else {
        // From nothing: h ‖f‖ + h² ‖f'‖ = 0.02.
        0.04 / (f_norm + (f_norm * f_norm + 0.08 * slope).sqrt())
    };
    // What has only begun to move has no scale yet, and asks for nothing.
    h.min(100.0 * trial)
        .max(SMALLEST_FIRST * max_step)
        .min(max_step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;

    #[test]
    fn factors_never_leave_their_limits() {
        for method in [Method::DormandPrince5, Method::DormandPrince8] {
            let c = &method.tableau().expect("explicit").controller;
            let errors = [0.0, 1e-300, 1e-12, 1e-4, 0.1, 1.0, 1.5, 1e6, f64::MAX];
            for error in errors {
                for before in errors {
                    let free = c.after_accepted(error, before, false);
                    assert!(
                        (c.shrink..=c.grow).contains(&free),
                        "{error} {before} {free}"
                    );
                    let held = c.after_accepted(error, before, true);
                    assert!((c.shrink..=1.0).contains(&held), "{error} {before} {held}");
                }
                let again = c.after_rejected(error);
                assert!((c.shrink..=1.0).contains(&again), "{error} {again}");
            }
        }
    }

    #[test]
    fn the_first_step_knows_no_unit_of_time() {
        for (y, f, change) in [
            (1e10, 3e9, 1e7),
            (1e10, 0.0, 1e7),
            (1e-9, 1e3, 1e3),
            (1e4, 1e4, 0.0),
        ] {
            let first = |unit: f64| {
                let (f, limit) = (f * unit, 10.0 / unit);
                let trial = trial_step(y, f, limit);
                unit * first_step(trial, (y, f, change * unit), 8.0, limit)
            };
            for power in [-40, -20, 20, 40] {
                let other = first(2.0_f64.powi(power));
                assert!(
                    (other / first(1.0) - 1.0).abs() < 1e-12,
                    "{y} {f} {change} {power}"
                );
            }
        }
    }

    #[test]
    fn a_rejected_step_shrinks() {
        for method in [Method::DormandPrince5, Method::DormandPrince8] {
            let c = &method.tableau().expect("explicit").controller;
            assert!(c.after_rejected(1.0 + 1e-10) <= c.safety);
        }
    }

    #[test]
    fn a_growing_error_makes_a_smaller_step_than_a_falling_one() {
        let c = &Method::DormandPrince5
            .tableau()
            .expect("explicit")
            .controller;
        let growing = c.after_accepted(0.5, 0.05, false);
        let falling = c.after_accepted(0.5, 1.0, false);
        assert!(growing < falling);
    }

    #[test]
    fn the_smallest_step_advances_the_time() {
        for t in [0.0, 1e-9, 1.0, 12345.678, -1e9] {
            assert!(t + smallest_step(t, 10.0) > t, "at {t}");
        }
    }
}
