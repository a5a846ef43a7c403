//! How to integrate: method, tolerances, limits.

use crate::tableau::Method;
use std::fmt;

/// How to integrate. A step is accepted when the estimated error e of each value y satisfies, in the root
/// mean square over the values, |e| ≤ atol + rtol |y|, or |e| ≤ rtol · scale where scales are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The Runge–Kutta method.
    pub method: Method,
    /// Relative tolerance, not negative.
    pub rtol: f64,
    /// Absolute tolerance, positive.
    pub atol: Absolute,
    /// Size of all steps; switches error control off. The last step is cut or stretched by up to 1 % to
    /// land on the end.
    pub fixed_step: Option<f64>,
    /// Size of the first step; chosen from f and its change if not given.
    pub first_step: Option<f64>,
    /// Largest size of a step.
    pub max_step: f64,
    /// Largest number of steps, rejected ones included, in a lane.
    pub max_steps: u64,
}

/// Absolute tolerance.
#[derive(Clone, Debug, PartialEq)]
pub enum Absolute {
    /// The same for all values of the state.
    All(f64),
    /// One for each value of the state.
    Each(Vec<f64>),
    /// None: errors are relative to scales that the motion itself gives, one for each value of the state, see [`Measure`].
    Measured(Vec<Measure>),
}

/// How the scale of a value is measured: the largest of what the value has been so far, of what it changes by in
/// the step, of a thousandth of what any value of its group has been, in the unit of each, and of the rounding that any value
/// of its part may leave in it. So no unit of the state is built in; and a value that is zero by symmetry is not asked for
/// more digits than rounding leaves in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The value is not controlled: it only reports.
    Free,
    /// A member of a group of values that can be compared.
    Group {
        /// Number of the group; groups are counted from 0.
        group: usize,
        /// Values of a group are compared in units of these, positive.
        unit: f64,
        /// Number of the part, counted like the groups and not one of them: values that meet in one solution of equations.
        part: usize,
        /// Rounding of one value of a part is of this size beside that of another, positive.
        share: f64,
    },
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::default(),
            rtol: 1e-9,
            atol: Absolute::All(1e-9),
            fixed_step: None,
            first_step: None,
            max_step: f64::INFINITY,
            max_steps: 10_000_000,
        }
    }
}

/// Options that make no sense.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionsError {
    /// The relative tolerance is negative or not a number.
    RelativeTolerance(f64),
    /// An absolute tolerance is not a positive number.
    AbsoluteTolerance {
        /// Which value of the state it belongs to.
        component: usize,
        /// The tolerance.
        atol: f64,
    },
    /// The number of absolute tolerances is not the number of values in a state.
    AbsoluteToleranceCount {
        /// Number of tolerances.
        given: usize,
        /// Number of values in a state.
        size: usize,
    },
    /// Scales are measured, but the relative tolerance is zero or a unit is not positive.
    Measure,
    /// The method takes one state at a time, and several lanes were asked for.
    Lanes(Method),
    /// A step size is not positive.
    StepSize {
        /// Name of the option.
        option: &'static str,
        /// The size.
        h: f64,
    },
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionsError::RelativeTolerance(rtol) => {
                write!(
                    f,
                    "relative tolerance is {rtol}, but must be zero or positive"
                )
            }
            OptionsError::AbsoluteTolerance { component, atol } => {
                write!(
                    f,
                    "absolute tolerance of value {component} is {atol}, but must be positive"
                )
            }
            OptionsError::AbsoluteToleranceCount { given, size } => {
                write!(
                    f,
                    "{given} absolute tolerances are given for a state of {size} values"
                )
            }
            OptionsError::Measure => {
                f.write_str("measured scales need a positive relative tolerance and positive units")
            }
            OptionsError::Lanes(method) => write!(f, "{method:?} takes one lane"),
            OptionsError::StepSize { option, h } => {
                write!(f, "{option} is {h}, but must be positive")
            }
        }
    }
}

impl std::error::Error for OptionsError {}

impl Options {
    /// Checks all options and returns how errors in states of `size` values are judged.
    pub(crate) fn control(&self, size: usize) -> Result<Control, OptionsError> {
        let steps = [
            ("fixed_step", self.fixed_step),
            ("first_step", self.first_step),
            ("max_step", Some(self.max_step)),
        ];
        for (option, h) in steps {
            if let Some(h) = h.filter(|&h| h.is_nan() || h <= 0.0) {
                return Err(OptionsError::StepSize { option, h });
            }
        }
        if !(self.rtol.is_finite() && self.rtol >= 0.0) {
            return Err(OptionsError::RelativeTolerance(self.rtol));
        }
        let given = match &self.atol {
            Absolute::All(_) => size,
            Absolute::Each(each) => each.len(),
            Absolute::Measured(each) => each.len(),
        };
        if given != size {
            return Err(OptionsError::AbsoluteToleranceCount { given, size });
        }
        let atol = match &self.atol {
            Absolute::All(atol) => vec![*atol; size],
            Absolute::Each(each) => each.clone(),
            Absolute::Measured(measures) => {
                let positive = |measure: &Measure| match measure {
                    Measure::Free => true,
                    Measure::Group { unit, share, .. } => {
                        [unit, share].iter().all(|x| x.is_finite() && **x > 0.0)
                    }
                };
                if self.rtol <= 0.0 || !measures.iter().all(positive) {
                    return Err(OptionsError::Measure);
                }
                return Ok(Control::Measured(measures.clone()));
            }
        };
        match atol.iter().position(|&a| !(a.is_finite() && a > 0.0)) {
            Some(component) => Err(OptionsError::AbsoluteTolerance {
                component,
                atol: atol[component],
            }),
            None => Ok(Control::Absolute(atol)),
        }
    }
}

/// How errors are judged: checked options.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// By an absolute tolerance of each value, beside the relative one.
    Absolute(Vec<f64>),
    /// By measured scales.
    Measured(Vec<Measure>),
}

impl Control {
    /// Number of groups of values.
    pub(crate) fn groups(&self) -> usize {
        let Control::Measured(measures) = self else {
            return 0;
        };
        let number = |measure: &Measure| match measure {
            Measure::Free => 0,
            Measure::Group { group, part, .. } => group.max(part) + 1,
        };
        measures.iter().map(number).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_options_are_refused_with_their_numbers() {
        let with = |change: fn(&mut Options)| {
            let mut options = Options::default();
            change(&mut options);
            options.control(2).unwrap_err().to_string()
        };
        assert_eq!(
            with(|o| o.rtol = -1.0),
            "relative tolerance is -1, but must be zero or positive"
        );
        assert_eq!(
            with(|o| o.atol = Absolute::Each(vec![1.0, 0.0])),
            "absolute tolerance of value 1 is 0, but must be positive"
        );
        assert_eq!(
            with(|o| o.atol = Absolute::Each(vec![1.0])),
            "1 absolute tolerances are given for a state of 2 values"
        );
        assert_eq!(
            with(|o| o.max_step = f64::NAN),
            "max_step is NaN, but must be positive"
        );
        assert_eq!(
            with(|o| o.fixed_step = Some(0.0)),
            "fixed_step is 0, but must be positive"
        );
        let measure = |unit| Measure::Group {
            group: 0,
            unit,
            part: 1,
            share: 1.0,
        };
        let measured = |unit| Absolute::Measured(vec![measure(unit); 2]);
        for (rtol, unit) in [(0.0, 1.0), (1e-9, 0.0)] {
            let atol = measured(unit);
            let options = Options {
                rtol,
                atol,
                ..Options::default()
            };
            assert_eq!(options.control(2).unwrap_err(), OptionsError::Measure);
        }
    }
}
