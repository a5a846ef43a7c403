//! Times at which forces and rows switch: where the argument of a sign, an absolute value or a condition, or the difference under a
//! minimum or maximum changes its sign, or that of a table passes one of its points, and is a function of time alone. A run steps onto them, and sets out again behind: no pulse is stepped
//! over, however short, and no step is spoilt by a jump within it.
//!
//! They are looked for ahead, with bounds of the functions over whole stretches of time: a stretch in which no argument can vanish
//! is done with, others are halved. What changes its sign twice within the shortest stretch is not seen.

use super::bounds::sign;
use super::of_time::OfTime;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::KNOWN;
use dalembert_mechanics::start::State;

/// Stretches that are looked at before the shortest becomes longer, and by how much: functions whose bounds always
/// hold zero do not take for ever.
const MANY: usize = 4000;
const LONGER: f64 = 1e3;
/// Halves of a stretch until it is two numbers next to each other.
const HALVES: usize = 64;

/// A time at which something switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Switch {
    /// The last time before.
    pub(super) before: f64,
    /// The first time behind.
    pub(super) behind: f64,
}

/// What switches with time in a mechanism.
pub(super) struct Switches {
    of_time: OfTime,
    /// Stretches still to be looked at, the earliest last.
    stretches: Vec<[f64; 2]>,
    /// What was asked for last, and found: every leg asks anew.
    known: Option<([f64; 2], Option<Switch>)>,
}

impl Switches {
    /// The switches of a mechanism; `None` if it has none.
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Option<Self> {
        let graph = &mechanism.system.graph;
        let cone = Cone::new(graph, &mechanism.system.expressions());
        let switches = cone.nodes().iter().any(|&id| can_switch(graph, id));
        let of_time = switches.then(|| OfTime::new(mechanism, state))??;
        (!of_time.switching.is_empty()).then_some(Self {
            of_time,
            stretches: Vec::with_capacity(HALVES),
            known: None,
        })
    }

    /// The first switch from a time on, before an end.
    pub(super) fn next(&mut self, from: f64, end: f64) -> Option<Switch> {
        let same = |asked: &[f64; 2]| asked.map(f64::to_bits) == [from, end].map(f64::to_bits);
        match self.known.filter(|(asked, _)| same(asked)) {
            Some((_, found)) => found,
            None => {
                let found = self.look_for(from, end);
                self.known = Some(([from, end], found));
                found
            }
        }
    }

    fn look_for(&mut self, from: f64, end: f64) -> Option<Switch> {
        // Times are known to this part of what is looked at; longer stretches after many.
        let mut shortest = KNOWN * (end - from);
        let mut looked_at = 0;
        self.stretches.clear();
        self.stretches.push([from, end]);
        while let Some([a, b]) = self.stretches.pop() {
            self.of_time.bound_by_parts([a, b]);
            let mut arguments = self.of_time.switching.iter();
            if arguments.all(|&k| sign(self.of_time.bounds(k)).is_some()) {
                continue;
            }
            looked_at += 1;
            if looked_at % MANY == 0 {
                shortest *= LONGER;
            }
            let middle = f64::midpoint(a, b);
            if b - a > shortest && a < middle && middle < b {
                self.stretches.extend([[middle, b], [a, middle]]);
                continue;
            }
            let found = (0..self.of_time.switching.len())
                .filter_map(|k| self.change(k, [a, b], [from, end]))
                .min_by(|one, other| one.before.total_cmp(&other.before));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Where an argument changes its sign about a short stretch, if it does.
    fn change(&mut self, k: usize, [a, b]: [f64; 2], [from, end]: [f64; 2]) -> Option<Switch> {
        let place = self.of_time.switching[k];
        self.of_time.bound_by_parts([a, b]);
        if sign(self.of_time.bounds(place)).is_some() {
            return None;
        }
        let mut sign_at = |t: f64| {
            self.of_time.bound_by_parts([t, t]);
            sign(self.of_time.bounds(place))
        };
        // Where rounding hides the sign at an end, farther out.
        let (mut before, mut behind) = (a, b);
        let mut way = (b - a).max(f64::EPSILON * b.abs());
        let (mut first, mut last) = (sign_at(before), sign_at(behind));
        while first.is_none() && before > from {
            before = (before - way).max(from);
            (first, way) = (sign_at(before), 2.0 * way);
        }
        while last.is_none() && behind < end {
            behind = (behind + way).min(end);
            (last, way) = (sign_at(behind), 2.0 * way);
        }
        // What cannot be told at the end does not matter any more.
        if last.is_none() || first == last {
            return None;
        }
        let [low, high] = [before, behind];
        let (mut low_end, mut high_end) = ([low, high], [low, high]);
        for _ in 0..HALVES {
            halve(&mut low_end, |t| sign_at(t) == first);
            halve(&mut high_end, |t| sign_at(t) != last);
        }
        Some(Switch {
            before: low_end[0],
            behind: high_end[1],
        })
    }
}

/// Halves a stretch with a change of what holds at its beginning.
fn halve([a, b]: &mut [f64; 2], mut holds: impl FnMut(f64) -> bool) {
    let middle = f64::midpoint(*a, *b);
    if *a < middle && middle < *b {
        *(if holds(middle) { a } else { b }) = middle;
    }
}

/// Whether a node has a kink or jumps where its (first) argument, or the difference of its arguments, changes its sign.
pub(super) fn can_switch(graph: &Graph, id: ExprId) -> bool {
    matches!(
        graph.node(id),
        Node::Unary(Unary::Abs | Unary::Sign, _)
            | Node::Table(..)
            | Node::Binary(
                Binary::Min | Binary::Max | Binary::Above | Binary::NotAbove,
                ..
            )
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use dalembert_mechanics::read_model;
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    fn switches(force: &str) -> Option<Switches> {
        let text = format!(
            "dalembert = 1\n[parameters]\na = 1.5\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n\
             [force.f]\ngeneralized = {{ x = \"{force}\" }}\n"
        );
        let (model, _) = read_model(&text).expect("a model");
        let mechanism = Mechanism::new(model).expect("a mechanism");
        let start = mechanism.start().expect("a start");
        Switches::new(&mechanism, &start.state)
    }

    /// All switches of a force up to a time.
    fn times(force: &str, end: f64) -> Vec<f64> {
        let mut switches = switches(force).expect("switches");
        let (mut from, mut found) = (0.0, Vec::new());
        while let Some(switch) = switches.next(from, end) {
            assert!(
                switch.before >= from && switch.behind > switch.before,
                "{switch:?}"
            );
            from = switch.behind;
            found.push(f64::midpoint(switch.before, switch.behind));
        }
        found
    }

    fn assert_times(force: &str, end: f64, wanted: &[f64]) {
        let found = times(force, end);
        assert_eq!(found.len(), wanted.len(), "{force}: {found:?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(
                (found - wanted).abs() < 1e-14 * (1.0 + wanted),
                "{force}: {found} for {wanted}"
            );
        }
    }

    #[test]
    fn switches_are_found_in_any_function_of_time() {
        let first = 0.9_f64.asin();
        assert_times(
            "max(0, sin(t) - 0.9)",
            9.0,
            &[first, PI - first, TAU + first, 3.0 * PI - first],
        );
        assert_times("sign(t - a) - sign(t - a - 1e-9)", 1e6, &[1.5, 1.5 + 1e-9]);
        assert_times("abs(t^3 - 2*t^2 - t + 2)", 10.0, &[1.0, 2.0]);
        assert_times("min(exp(-t), 0.5)", 50.0, &[2.0_f64.ln()]);
        assert_times(
            "sign(cos(1e3*t))",
            0.01,
            &[1.0, 3.0, 5.0].map(|k| k * FRAC_PI_2 / 1e3),
        );
        assert_times("sign(t)", 1.0, &[0.0]);
        assert_times("sign(sqrt(t) - 3)*abs(tan(t/100))", 50.0, &[0.0, 9.0]);
        // A touch is no change of sign, nor is what is zero for a while and was before.
        assert_times("abs(t^2 - 2*t + 1)", 3.0, &[]);
        assert_times("sign(max(0, t - 2))", 3.0, &[2.0]);
    }

    #[test]
    fn what_does_not_switch_by_time_alone_has_none() {
        assert!(switches("sin(t)").is_none());
        assert!(switches("abs(x - t)").is_none());
        assert!(switches("max(x, 0)*t").is_none());
    }

    /// Infinitely many zeros take no infinite time.
    #[test]
    fn the_search_is_bounded() {
        let mut wild = switches("sign(sin(1/(t - 1)))").expect("switches");
        assert!(wild.next(0.0, 2.0).is_some());
        let mut hidden = switches("sign(t*t - 2*t + 1 + 0*sin(1/t))").expect("switches");
        assert!(hidden.next(0.0, 2.0).is_none_or(|it| it.before < 1.1));
    }
}
