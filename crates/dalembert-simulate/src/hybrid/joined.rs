//! Conditions made of several comparisons.
//!
//! Each comparison is a number that is positive where it holds. Of two that must both hold the smaller counts, of two of which one
//! must the larger: signs decide, so that they may have different units. A comparison without a value decides nothing where the
//! other decides alone: `x > 0 and log(x) < 1` is false for x = −1.

use dalembert_expr::syntax::Join;
use dalembert_mechanics::lower::{Condition, ConditionPart};
use dalembert_ode::Known;

/// Parts of a condition, comparisons and joints, for which there is room without asking for it.
const FEW: usize = 15;

/// A condition over comparisons that are numbered in the order of all conditions.
pub(super) struct Joined {
    parts: Vec<Part>,
}

#[derive(Clone, Copy)]
enum Part {
    Comparison(usize),
    Joined(Join),
}

impl Joined {
    /// Conditions one after the other, and for each comparison of them whether it is true where it is zero.
    pub(super) fn all(conditions: &[Condition]) -> (Vec<Self>, Vec<bool>) {
        let mut at_zero = Vec::new();
        let mut part = |part: &ConditionPart| match *part {
            ConditionPart::Above { at_zero: zero, .. } => {
                at_zero.push(zero);
                Part::Comparison(at_zero.len() - 1)
            }
            ConditionPart::Joined(join) => Part::Joined(join),
        };
        let mut joined = Vec::with_capacity(conditions.len());
        for condition in conditions {
            let parts = condition.parts.iter().map(&mut part).collect();
            joined.push(Self { parts });
        }
        (joined, at_zero)
    }

    /// Whether a comparison is one of its parts.
    pub(super) fn has(&self, comparison: usize) -> bool {
        let is_it = |part: &Part| matches!(part, Part::Comparison(it) if *it == comparison);
        self.parts.iter().any(is_it)
    }

    /// Its number: not negative where it holds, not a number where that is not decided.
    pub(super) fn value(&self, comparison: impl Fn(usize) -> f64) -> f64 {
        if let [Part::Comparison(only)] = self.parts[..] {
            return comparison(only);
        }
        self.fold(comparison, |join, a: f64, b: f64| {
            let decides = |it: f64| match join {
                Join::And => it < 0.0,
                Join::Or => it >= 0.0,
            };
            match (a.is_nan(), b.is_nan()) {
                (true, false) if decides(b) => b,
                (false, true) if decides(a) => a,
                (true, _) | (_, true) => f64::NAN,
                _ if join == Join::And => a.min(b),
                _ => a.max(b),
            }
        })
    }

    /// Whether it is true, where that is decided.
    pub(super) fn is_true(&self, comparison: impl Fn(usize) -> Option<bool>) -> Option<bool> {
        self.fold(comparison, |join, a, b| {
            let deciding = join == Join::Or;
            match (a, b) {
                (Some(it), _) | (_, Some(it)) if it == deciding => Some(deciding),
                (Some(a), Some(_)) => Some(a),
                _ => None,
            }
        })
    }

    /// What is known of its number from what is known of its comparisons.
    pub(super) fn known(&self, comparison: impl FnMut(usize) -> Known) -> Known {
        self.fold(comparison, |join, a, b| {
            // The smaller of two, or the negative of the smaller of their negatives.
            let [a, b] = match join {
                Join::And => [a, b],
                Join::Or => [a, b].map(Known::negative),
            };
            let smaller = match (a.bounds, b.bounds) {
                ([_, high], [low, _]) if high <= low => a,
                ([low, _], [_, high]) if high <= low => b,
                ([low_a, high_a], [low_b, high_b]) => Known {
                    bounds: [low_a.min(low_b), high_a.min(high_b)],
                    way: if a.way == b.way { a.way } else { 0 },
                },
            };
            match join {
                Join::And => smaller,
                Join::Or => smaller.negative(),
            }
        })
    }

    fn fold<T: Copy>(&self, mut leaf: impl FnMut(usize) -> T, join: impl Fn(Join, T, T) -> T) -> T {
        // Steps do not allocate.
        let (mut few, mut many) = ([None; FEW], Vec::new());
        let open: &mut [Option<T>] = match self.parts.len() <= FEW {
            true => &mut few,
            false => {
                many.resize(self.parts.len(), None);
                &mut many
            }
        };
        let mut height = 0;
        for part in &self.parts {
            let value = match part {
                Part::Comparison(it) => leaf(*it),
                Part::Joined(how) => {
                    let both = open[height - 2].zip(open[height - 1]);
                    let (a, b) = both.expect("what is joined comes before");
                    height -= 2;
                    join(*how, a, b)
                }
            };
            open[height] = Some(value);
            height += 1;
        }
        open[0].expect("a condition has a part")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(join: Join) -> Joined {
        let parts = vec![Part::Comparison(0), Part::Comparison(1), Part::Joined(join)];
        Joined { parts }
    }

    #[test]
    fn what_has_no_value_decides_nothing() {
        let nan = f64::NAN;
        let value = |join, values: [f64; 2]| both(join).value(|it| values[it]);
        assert!(value(Join::And, [-1.0, nan]) < 0.0);
        assert!(value(Join::And, [1.0, nan]).is_nan());
        assert!(value(Join::Or, [nan, 1.0]) > 0.0);
        assert!(value(Join::Or, [nan, -1.0]).is_nan());
        let truth = |join, values: [Option<bool>; 2]| both(join).is_true(|it| values[it]);
        assert_eq!(truth(Join::And, [None, Some(false)]), Some(false));
        assert_eq!(truth(Join::And, [None, Some(true)]), None);
        assert_eq!(truth(Join::And, [Some(true), Some(true)]), Some(true));
        assert_eq!(truth(Join::Or, [Some(true), None]), Some(true));
        assert_eq!(truth(Join::Or, [Some(false), Some(false)]), Some(false));
        assert_eq!(truth(Join::Or, [Some(false), Some(true)]), Some(true));
    }
}
