//! Narrow peaks of smooth functions of time, as of a bell curve: a step that is longer than one sees none of it, and its error
//! estimate neither. What the function is at some times of a step is held against its bounds over the whole of it. Where these
//! leave room for a peak, halves are looked at, and theirs, until it is found or there is room for none; a step that missed one is
//! made again, up to it. One that is no higher than the function differs within the step anyway is left to the error estimate.
//!
//! Where the search ends before there is an answer, because parts of a function cancel and its bounds are wide, that is told.

use super::bounds::Bounds;
use super::of_time::OfTime;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{COARSE, ROUNDING, SOLVED};
use dalembert_mechanics::start::State;

/// Times in a step at which functions are looked at, about as many as an integrator does.
const SAMPLES: usize = 8;
/// Stretches that are looked at in a step: halving finds a peak of a millionth of it in some twenty, more where parts cancel. Steps in
/// which that is not enough, after which it is no more looked for.
const MOST: usize = 1000;
const MOST_UNCLEAR: usize = 20;
/// Part of the highest that a peak can be up to which its top is looked for.
const NEARLY: f64 = 0.5;

/// Functions of time that may have narrow peaks.
pub(super) struct Pulses {
    functions: OfTime,
    /// The largest size of each so far.
    largest: Vec<f64>,
    /// Least and largest value of each at the times that were looked at in a step.
    seen: Vec<Bounds>,
    /// The first time about which there may be a peak that no step sees, and how many steps had such times.
    unclear: Option<f64>,
    unclear_steps: usize,
}

impl Pulses {
    /// Those of a mechanism; `None` if it has none.
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Option<Self> {
        let functions = OfTime::new(mechanism, state)?;
        let count = functions.peaked.len();
        (count > 0).then(|| Self {
            functions,
            largest: vec![0.0; count],
            seen: vec![[0.0; 2]; count],
            unclear: None,
            unclear_steps: 0,
        })
    }

    /// The first time, if there is any, about which a peak may hide.
    pub(super) fn unclear(&self) -> Option<f64> {
        self.unclear
    }

    /// A time within a step at which a function is far from what it is elsewhere in the step.
    pub(super) fn missed(&mut self, [from, to]: [f64; 2]) -> Option<f64> {
        if self.unclear_steps >= MOST_UNCLEAR {
            return None;
        }
        self.seen.fill([f64::INFINITY, f64::NEG_INFINITY]);
        self.see(from);
        self.see(to);
        self.functions.bound([from, to]);
        if !(0..self.seen.len()).any(|k| self.has_room(k)) {
            return None;
        }
        let length = to - from;
        for k in 1..SAMPLES {
            self.see(from + length * k as f64 / SAMPLES as f64);
        }
        (0..self.seen.len()).find_map(|k| self.peak(k, [from, to]))
    }

    /// About where a function is farthest from what was seen of it in a step, if there is such a place.
    fn peak(&mut self, k: usize, step: [f64; 2]) -> Option<f64> {
        let mut stretches = vec![(f64::INFINITY, step)];
        let (mut best, mut place) = (0.0, None);
        for looked_at in 0.. {
            let widest = |&a: &usize, &b: &usize| stretches[a].0.total_cmp(&stretches[b].0);
            let Some(widest) = (0..stretches.len()).max_by(widest) else {
                break;
            };
            let (room, [a, b]) = stretches.swap_remove(widest);
            if best >= NEARLY * room {
                break;
            }
            if looked_at == MOST {
                // Where something was found the step is made again, and looked at again.
                if place.is_none() {
                    self.unclear.get_or_insert(f64::midpoint(a, b));
                    self.unclear_steps += 1;
                }
                break;
            }
            self.functions.bound([a, b]);
            // Two times that differ by rounding have hardly any between them.
            let apart = b - a > 2.0 * ROUNDING * a.abs().max(b.abs());
            if !apart || !self.has_room(k) {
                continue;
            }
            let middle = f64::midpoint(a, b);
            self.functions.bound([middle; 2]);
            let here = self.beyond(k);
            if here > best && here.is_finite() && self.has_room(k) {
                (best, place) = (here, Some(middle));
            }
            for half in [[a, middle], [middle, b]] {
                self.functions.bound(half);
                stretches.push((self.beyond(k), half));
            }
        }
        place
    }

    /// Takes notice of all functions at a time.
    fn see(&mut self, t: f64) {
        self.functions.bound([t, t]);
        let all = self.seen.iter_mut().zip(&mut self.largest);
        for (&k, (seen, largest)) in self.functions.peaked.iter().zip(all) {
            let [low, high] = self.functions.bounds(k);
            *seen = [seen[0].min(low), seen[1].max(high)];
            let size = low.abs().max(high.abs());
            *largest = largest.max(if size.is_finite() { size } else { 0.0 });
        }
    }

    /// How far the bounds of a function over the stretch last looked at go beyond what was seen of it.
    fn beyond(&self, k: usize) -> f64 {
        let [low, high] = self.functions.bounds(self.functions.peaked[k]);
        (high - self.seen[k][1]).max(self.seen[k][0] - low)
    }

    /// Whether they leave room for a peak: they are farther from what was seen than that differs among itself.
    fn has_room(&self, k: usize) -> bool {
        let [low, high] = self.functions.bounds(self.functions.peaked[k]);
        let size = low.abs().max(high.abs());
        let known = (self.seen[k][1] - self.seen[k][0]) + SOLVED * self.largest[k];
        match size.is_finite() {
            true => self.beyond(k) > known + COARSE * size,
            false => known.is_finite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dalembert_mechanics::read_model;

    fn pulses(force: &str) -> Option<Pulses> {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[force.f]\ngeneralized = {{ x = \"{force}\" }}\n"
        );
        let (model, _) = read_model(&text).expect("a model");
        let mechanism = Mechanism::new(model).expect("a mechanism");
        let start = mechanism.start().expect("a start");
        Pulses::new(&mechanism, &start.state)
    }

    fn missed(force: &str, step: [f64; 2]) -> Option<f64> {
        let mut pulses = pulses(force)?;
        let missed = pulses.missed(step);
        assert_eq!(pulses.unclear(), None, "{force}");
        missed
    }

    #[test]
    fn narrow_peaks_are_found_and_others_are_not_invented() {
        for (force, width) in [
            ("1e3*exp(-((t - 3)/1e-3)^2)", 1e-2),
            ("x + 7 - exp(-((t - 3)/1e-9)^2)", 1e-8),
            ("1/(1 + ((t - 3)/1e-6)^2)*x'", 1e-4),
            // Its bounds are wide: its skirts are found, and the next look comes nearer.
            ("1/(t^2 - 6*t + 9 + 1e-10)", 0.1),
            ("tanh(1e6*(t - 3)) - tanh(1e6*(t - 3) - 1)", 1e-4),
            ("cos((t - 3)/2)^10000000", 1e-2),
            // Parts that cancel.
            ("t + exp(t) - exp(t)*(1 - exp(-((t - 3)/1e-4)^2))", 1e-2),
            (
                "3 + sqrt(1 + t) - sqrt(1 + t - exp(-((t - 3)/1e-5)^2))",
                1e-3,
            ),
            ("t/(1 + t) + 1/(1 + t) + exp(-((t - 3)/1e-5)^2)/20", 1e-3),
        ] {
            let found = missed(force, [0.1, 9.0]).unwrap_or_else(|| panic!("{force}"));
            assert!((found - 3.0).abs() < width, "{force}: {found}");
            assert_eq!(missed(force, [4.0, 9.0]), None, "{force}");
        }
        for force in [
            "exp(-t)",
            "exp(-(t - 3)^2)",
            "sin(3*t)*exp(-t/5)",
            "sqrt(1 + t)*sin(40*t)",
            "tanh(t - 3)",
            "tanh(1e6*(t - 3))",
            "t^3 - t",
            "exp(sin(t))^2 + exp(cos(t))^2",
            "exp(10*sin(t)^2 + 10*cos(t + 1e-7)^2 - 10)",
        ] {
            assert_eq!(missed(force, [2.0, 3.5]), None, "{force}");
        }
    }

    /// Nothing is said to have no peak that was not looked at closely enough.
    #[test]
    fn what_cannot_be_told_is_told() {
        let mut pulses = pulses("exp(1e4*sin(t)^2 + 1e4*cos(t + 1e-7)^2 - 1e4)").expect("pulses");
        assert_eq!(pulses.missed([2.0, 3.5]), None);
        assert!(pulses.unclear().is_some_and(|t| (2.0..3.5).contains(&t)));
        // In short steps it can.
        let unclear = pulses.unclear();
        assert_eq!(pulses.missed([2.0, 2.0001]), None);
        assert_eq!((pulses.unclear(), pulses.unclear_steps), (unclear, 1));
    }
}
