//! Events: the times at which functions of the state rise through zero.
//!
//! An event is a function g(t, y). It is false where g < 0 and true where g ≥ 0, and happens where it becomes
//! true. A step is cut into cells, and each cell in which g is negative at all points looked at is cut further until the
//! parabola through three of them, with four times what it misses the others by, stays below zero:
//! so a g that becomes true and false again within a cell is found too, be it smooth or with corners such as that of |x|; and so is
//! one that is true at both ends of a cell and false in between, as where something leaves a wall and comes back.
//! A change from negative to not negative is then located on the dense output: by the inverse parabola through the last three places
//! looked at where that leads from one end of the bracket to the other, else by halves; and by halves alone after some rounds,
//! so that a g which is not smooth costs little more than bisection. With ξ = (x₁ − x₂)/(x₃ − x₂) and φ = (g₁ − g₂)/(g₃ − g₂),
//!
//! ```text
//! the parabola is followed where    1 − √(1 − ξ) < φ < √ξ
//! ```
//!
//! * An event that is true at the start happens only after it has been false.
//! * Of an event that is true twice in a cell, the first time that is found is told.
//!
//! Reference: Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without using
//! derivatives", Adv. Eng. Softw. 28 (1997) 145–149.

use crate::integrator::Step;
use crate::system::System;

/// Number of cells into which a step is cut to look for changes of sign.
const CHECKS_PER_STEP: usize = 4;
/// A cell is halved at most so often.
const MOST_HALVINGS: u32 = 40;
/// Cells of one step that are looked at, at most: a g that changes faster than this resolves is not followed any further.
const MOST_CELLS: u32 = 4000;
/// How much more than it misses the points in between a parabola may err.
const DOUBT: f64 = 4.0;
/// Rounds of the search for a zero in which parabolas are tried.
const INTERPOLATED: u32 = 12;

/// Times in a step whose values are kept for other events.
const MOST_SEEN: usize = 64;

/// An event that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which of the events.
    pub event: usize,
    /// When: the event is true at this time, and was false just before.
    pub t: f64,
}

/// Watches a number of events in all lanes of a run.
#[derive(Clone, Debug)]
pub struct Events<const L: usize> {
    /// g at the last check of each lane.
    before: Vec<[f64; L]>,
    now: Vec<f64>,
    trial: Vec<f64>,
    /// g at the probes of a cell.
    probed: [Vec<f64>; 3],
    state: Vec<f64>,
    found: Vec<Crossing>,
    cells: Vec<Cell>,
    /// Times in a step at which several events were looked at, and what was seen: others ask for the same.
    times: Vec<f64>,
    seen: Vec<f64>,
}

/// Both ends and the middle of a cell with the values there, and how often it was halved.
type Cell = ([f64; 3], [f64; 3], u32);

impl<const L: usize> Events<L> {
    /// A watch for `count` events of a state of `size` values.
    pub fn new(count: usize, size: usize) -> Self {
        Events {
            before: vec![[f64::NAN; L]; count],
            now: vec![0.0; count],
            trial: vec![0.0; count],
            probed: std::array::from_fn(|_| vec![0.0; count]),
            state: vec![0.0; size],
            found: Vec::with_capacity(count * CHECKS_PER_STEP),
            cells: Vec::with_capacity(MOST_HALVINGS as usize + 2),
            times: Vec::with_capacity(MOST_SEEN),
            seen: Vec::with_capacity(if count > 1 { MOST_SEEN * count } else { 0 }),
        }
    }

    /// Begins a new run: what was true at the end of the last one is not known any more.
    pub fn restart(&mut self) {
        self.before.fill([f64::NAN; L]);
    }

    /// Says what an event is worth in a lane where a run goes on: not negative where it is true already.
    pub fn know(&mut self, lane: usize, event: usize, value: f64) {
        self.before[event][lane] = value;
    }

    /// The events that happen in a lane during `step`, the earliest first.
    ///
    /// `g(system, t, y, out)` writes the values of all events at a state of that lane. To be called from the
    /// observer of a run, in each step, the one of zero length at the start included.
    pub fn locate<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        lane: usize,
        g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
    ) -> &[Crossing] {
        self.search(step, (lane, 0), g)
    }

    /// As [`Self::locate`], for who ends the step with the first of the events that is among the first `ending`: what comes after
    /// it in the step is not looked for. A watch that has found one begins anew.
    pub fn locate_first<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        (lane, ending): (usize, usize),
        g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
    ) -> &[Crossing] {
        self.search(step, (lane, ending), g)
    }

    fn search<S: System<L>>(
        &mut self,
        step: &mut Step<'_, S, L>,
        (lane, ending): (usize, usize),
        mut g: impl FnMut(&mut S, f64, &[f64], &mut [f64]),
    ) -> &[Crossing] {
        self.found.clear();
        let (start, end) = (step.t_old(lane), step.t_new(lane));
        let (state, times, seen) = (&mut self.state, &mut self.times, &mut self.seen);
        let count = self.now.len();
        times.clear();
        seen.clear();
        let mut values_at = |t: f64, out: &mut [f64]| {
            let known = times.iter().position(|other| other.total_cmp(&t).is_eq());
            if let Some(place) = known {
                out.copy_from_slice(&seen[place * count..][..count]);
                return;
            }
            step.state(lane, t, state);
            g(step.system(), t, state, out);
            if count > 1 && times.len() < MOST_SEEN {
                times.push(t);
                seen.extend_from_slice(out);
            }
        };
        if start.total_cmp(&end).is_eq() {
            if self.before.iter().any(|before| before[lane].is_nan()) {
                values_at(start, &mut self.now);
                let news = self.before.iter_mut().zip(&self.now);
                let news = news.filter(|(before, _)| before[lane].is_nan());
                news.for_each(|(before, now)| before[lane] = *now);
            }
            return &self.found;
        }
        let mut a = start;
        for check in 1..=CHECKS_PER_STEP {
            let b = match check {
                CHECKS_PER_STEP => end,
                _ => start + (end - start) * (check as f64 / CHECKS_PER_STEP as f64),
            };
            values_at(b, &mut self.now);
            let mut is_probed = false;
            for (event, before) in self.before.iter_mut().enumerate() {
                let (g_a, g_b) = (before[lane], self.now[event]);
                // What happens in between does not show at the ends.
                let is_hidden = (g_a < 0.0 && g_b < 0.0) || (g_a >= 0.0 && g_b >= 0.0);
                if is_hidden && !std::mem::replace(&mut is_probed, true) {
                    // Once for all events: they may be as many as the state has values.
                    for (t, values) in probes([a, b]).into_iter().zip(&mut self.probed) {
                        values_at(t, values);
                    }
                }
                let trial = &mut self.trial;
                let mut g = |t: f64| {
                    values_at(t, trial);
                    trial[event]
                };
                let probed = self.probed.each_ref().map(|values| values[event]);
                let rises = match (g_a < 0.0, g_b < 0.0) {
                    (true, true) => {
                        let rise = hidden_rise([a, b], [g_a, g_b], probed, &mut self.cells, &mut g);
                        rise.map(|[(a, g_a), (b, g_b), _]| ([a, b], [g_a, g_b]))
                    }
                    (true, false) => (g_b >= 0.0).then_some(([a, b], [g_a, g_b])),
                    // True at both ends, and perhaps not in between.
                    (false, false) if is_hidden => {
                        // Zero is true.
                        let untrue = |value: f64| match value == 0.0 {
                            true => -f64::MIN_POSITIVE,
                            false => -value,
                        };
                        let mut g = |t: f64| untrue(g(t));
                        let (ends, probed) = ([-g_a, -g_b], probed.map(untrue));
                        let dip = hidden_rise([a, b], ends, probed, &mut self.cells, &mut g);
                        dip.map(|[_, (t, value), (after, true_again)]| {
                            ([t, after], [-value, -true_again])
                        })
                    }
                    _ => None,
                };
                if let Some((cell, values)) = rises {
                    let t = rising_zero(cell, values, g);
                    self.found.push(Crossing { event, t });
                }
                before[lane] = g_b;
            }
            if self.found.iter().any(|crossing| crossing.event < ending) {
                break;
            }
            a = b;
        }
        let direction = (end - start).signum();
        self.found.sort_unstable_by(|p, q| {
            let by_time = (p.t * direction).total_cmp(&(q.t * direction));
            by_time.then(p.event.cmp(&q.event))
        });
        &self.found
    }
}

/// The middle of a cell, and of its halves.
fn probes([a, b]: [f64; 2]) -> [f64; 3] {
    let middle = f64::midpoint(a, b);
    [middle, f64::midpoint(a, middle), f64::midpoint(middle, b)]
}

/// A time, and the value there.
type Seen = (f64, f64);

/// Where g, negative at both ends of a cell, becomes not negative inside, if it does: the last place before that was looked at, one where it is not
/// negative, and the next after it, where it is negative again. Its values at the probes are known.
fn hidden_rise(
    [a, b]: [f64; 2],
    [g_a, g_b]: [f64; 2],
    [g_middle, g_left, g_right]: [f64; 3],
    cells: &mut Vec<Cell>,
    g: &mut impl FnMut(f64) -> f64,
) -> Option<[Seen; 3]> {
    // Cells still to be looked at, the earliest last.
    let [middle, ..] = probes([a, b]);
    cells.clear();
    cells.push(([a, middle, b], [g_a, g_middle, g_b], 0));
    let mut known = Some((g_left, g_right));
    let mut looked_at = 0;
    while let Some(([a, m, b], [g_a, g_m, g_b], depth)) = cells.pop() {
        if g_m >= 0.0 {
            return Some([(a, g_a), (m, g_m), (b, g_b)]);
        }
        let (left, right) = (f64::midpoint(a, m), f64::midpoint(m, b));
        let (g_left, g_right) = known.take().unwrap_or_else(|| (g(left), g(right)));
        if g_left >= 0.0 {
            return Some([(a, g_a), (left, g_left), (m, g_m)]);
        }
        // The parabola g_m + s x + c x², x from −1 to 1.
        let (s, c) = ((g_b - g_a) / 2.0, f64::midpoint(g_a, g_b) - g_m);
        let at = |x: f64| g_m + x * (s + x * c);
        let missed = (g_left - at(-0.5)).abs().max((g_right - at(0.5)).abs());
        let peak = match c < 0.0 && s.abs() < -2.0 * c {
            true => at(-s / (2.0 * c)),
            false => g_a.max(g_b),
        };
        looked_at += 1;
        let resolved = peak + DOUBT * missed < 0.0;
        if resolved || depth == MOST_HALVINGS || looked_at >= MOST_CELLS {
            // Not a number is left to who wrote g.
            if g_right >= 0.0 {
                return Some([(m, g_m), (right, g_right), (b, g_b)]);
            }
            continue;
        }
        cells.push(([m, right, b], [g_m, g_right, g_b], depth + 1));
        cells.push(([a, left, m], [g_a, g_left, g_m], depth + 1));
    }
    None
}

/// Where g changes its sign between two places, if it has one at the first and another, or is zero, at the second; to within two spacings of
/// the numbers.
pub fn change_of_sign([a, b]: [f64; 2], mut g: impl FnMut(f64) -> f64) -> Option<f64> {
    let (g_a, g_b) = (g(a), g(b));
    let sign = if g_a > 0.0 { -1.0 } else { 1.0 };
    let ends = [sign * g_a, sign * g_b];
    (ends[0] < 0.0 && ends[1] >= 0.0).then(|| rising_zero([a, b], ends, |x| sign * g(x)))
}

/// The first representable time at or after which g, negative at a and not negative at b, is not negative;
/// to within two spacings of the numbers.
fn rising_zero([a, b]: [f64; 2], [g_a, g_b]: [f64; 2], mut g: impl FnMut(f64) -> f64) -> f64 {
    let epsilon = f64::EPSILON * a.abs().max(b.abs());
    // The last place looked at, one on the other side of the zero, and the one before.
    let (mut last, mut other, mut before) = ((a, g_a), (b, g_b), (b, g_b));
    for round in 0.. {
        let width = (other.0 - last.0).abs();
        if width <= 2.0 * epsilon {
            break;
        }
        let part = match round {
            0 => last.1 / (last.1 - other.1),
            1..INTERPOLATED => interpolated([last, other, before]).unwrap_or(0.5),
            _ => 0.5,
        };
        let least = epsilon / width;
        // Not a number is no place.
        let part = part.max(least).min(1.0 - least);
        let x = last.0 + part * (other.0 - last.0);
        let here = (x, g(x));
        before = match (here.1 < 0.0) == (last.1 < 0.0) {
            true => last,
            false => std::mem::replace(&mut other, last),
        };
        last = here;
    }
    if last.1 < 0.0 { other.0 } else { last.0 }
}

/// Where the inverse parabola through three places vanishes, as a part of the way from the first to the second; `None` where it does not
/// lead from one to the other.
fn interpolated([(x, g_x), (y, g_y), (z, g_z)]: [Seen; 3]) -> Option<f64> {
    let (xi, phi) = ((x - y) / (z - y), (g_x - g_y) / (g_z - g_y));
    let is_monotone = 1.0 - (1.0 - xi).sqrt() < phi && phi < xi.sqrt();
    let part = || {
        let first = g_x / (g_y - g_x) * (g_z / (g_y - g_z));
        first + (z - x) / (y - x) * (g_x / (g_z - g_x)) * (g_y / (g_z - g_y))
    };
    is_monotone.then(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: f64, b: f64, zero: f64, g: impl Fn(f64) -> f64) {
        let mut evaluations = 0;
        let found = rising_zero([a, b], [g(a), g(b)], |t| {
            evaluations += 1;
            g(t)
        });
        let spacing = f64::EPSILON * a.abs().max(b.abs());
        assert!(
            (found - zero).abs() <= 3.0 * spacing,
            "{found} is not {zero}"
        );
        assert!(g(found) >= 0.0);
        assert!(evaluations <= 56, "{evaluations} evaluations");
    }

    #[test]
    fn zeros_are_found_to_the_last_digits() {
        check(1.0, 2.0, 2f64.sqrt(), |t| t * t - 2.0);
        check(2.0, 1.0, 2f64.sqrt(), |t| 2.0 - t * t);
        check(0.0, 3.0, 1.0, |t| (t - 1.0) * 1e-200);
        check(0.0, 10.0, 2.0, |t| (t - 2.0).powi(9));
        check(-4.0, 9.0, 0.0, |t| t.atan());
        check(100.0, 101.0, 100.7, |t| if t < 100.7 { -1.0 } else { 1.0 });
        check(0.0, 1.0, 1.0, |t| t - 1.0);
    }

    #[test]
    fn smooth_zeros_need_few_evaluations() {
        let mut evaluations = 0;
        rising_zero([1.0, 2.0], [-1.0, 2.0], |t: f64| {
            evaluations += 1;
            t * t - 2.0
        });
        assert!(evaluations <= 12, "{evaluations}");
    }
}
