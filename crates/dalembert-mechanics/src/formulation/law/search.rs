//! Solutions of x = c − V f(x).

use super::sparse_rows::SparseRows;
use crate::decide::{CANCELLED, CLEAR, Ending, SOLVED};
use crate::equations::{Canonical, Contact, Evaluator};
use crate::linear::factorisation::Quantity;
use crate::linear::{Elimination, dot, norm};
use dalembert_contact::least_within;

/// Steps of Newton's method from one start.
const STEPS: usize = 60;
/// Unknowns up to which Newton's method starts in every orthant.
const MOST_ORTHANTS: usize = 10;
/// Sizes of the starts, measured by the multipliers without the law.
const SIZES: [f64; 3] = [1.0, 10.0, 100.0];
/// Unknowns up to which all of them are used.
const MOST_SIZED: usize = 4;
/// Rounds that improve the bound of the gain.
const ROUNDS: usize = 40;

/// What a search finds.
pub(super) enum Solved {
    /// [`Search::solution`].
    One,
    /// None or several, [`Search::solutions`], and the gain if it is known.
    Other(Option<f64>),
    /// A force by a law is not finite.
    NotFinite(Quantity, usize),
}

/// x = c − V f(x) at one state.
pub(super) struct Search {
    /// Rows whose multipliers are looked for.
    pub(super) rows: Vec<usize>,
    /// c.
    pub(super) free: Vec<f64>,
    /// V, a row for each; without zeros; and by coordinate.
    responses: Vec<f64>,
    sparse: SparseRows,
    by_coordinate: SparseRows,
    /// V D of one friction.
    pushes: Vec<f64>,
    /// Lengths of the rows of V: multipliers divided by these do not depend on how a row is scaled.
    scales: Vec<f64>,
    nv: usize,
    only_friction: bool,
    /// Those among the rows that press and do not pull.
    contacts: Vec<bool>,
    /// K, by rows.
    gains: Vec<f64>,
    elimination: Elimination,
    x: Vec<f64>,
    /// x − c + V f(x).
    error: Vec<f64>,
    slope: Vec<f64>,
    /// Solutions, one after the other.
    found: Vec<f64>,
    /// The nearest x so far.
    best: Vec<f64>,
    /// A step, of scaled multipliers.
    step: Vec<f64>,
    /// y > 0 and K y, for the gain; else room.
    trial: [Vec<f64>; 2],
}

impl Search {
    pub(super) fn new(
        (rows, contacts): (Vec<usize>, Vec<bool>),
        nv: usize,
        only_friction: bool,
    ) -> Self {
        let k = rows.len();
        Self {
            contacts,
            free: vec![0.0; k],
            responses: vec![0.0; k * nv],
            sparse: SparseRows::default(),
            by_coordinate: SparseRows::default(),
            pushes: vec![0.0; k],
            scales: vec![1.0; k],
            nv,
            only_friction,
            gains: vec![0.0; k * k],
            elimination: Elimination::new(k, k),
            x: vec![0.0; k],
            error: vec![0.0; k],
            slope: vec![0.0; k * k],
            found: Vec::with_capacity(4 * k),
            best: vec![0.0; k],
            step: vec![0.0; k],
            trial: [vec![0.0; k], vec![0.0; k]],
            rows,
        }
    }

    /// c, of all multipliers without the laws.
    pub(super) fn take_free(&mut self, multipliers: &[f64]) {
        for (free, &row) in self.free.iter_mut().zip(&self.rows) {
            *free = multipliers[row];
        }
    }

    /// Rows whose multipliers are looked for, and which of them press and do not pull.
    pub(super) fn pressing(&self) -> (&[usize], &[bool]) {
        (&self.rows, &self.contacts)
    }

    /// 1 − A V: by reaction looked for, what it may change by with the others without moving anything.
    pub(super) fn idle(&self, now: &Canonical<'_>) -> Vec<Vec<f64>> {
        let rows = self.rows.iter().enumerate();
        let entry = |(i, &row): (usize, &usize), j: usize| {
            f64::from(i == j) - now.jacobian.along(row, self.response(j))
        };
        rows.map(|it| (0..self.rows.len()).map(|j| entry(it, j)).collect())
            .collect()
    }

    /// Moves reactions of contacts that are not unique to where all press, by as little as is needed; whether that changes them.
    pub(super) fn press(&mut self, idle: &[Vec<f64>]) -> bool {
        let open = self.x.iter().zip(&self.contacts).zip(idle);
        let open = open.filter(|((_, is), idle)| **is && norm(idle) > CLEAR);
        let (least, slopes): (Vec<f64>, Vec<Vec<f64>>) =
            open.map(|((x, _), idle)| (-x, idle.clone())).unzip();
        let size = self.x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if least.iter().all(|least| *least <= CLEAR * size) {
            return false;
        }
        let Some(z) = least_within(&slopes, &least) else {
            return false;
        };
        for (free, idle) in self.free.iter_mut().zip(idle) {
            *free += dot(idle, &z);
        }
        true
    }

    /// The solution last found.
    pub(super) fn solution(&self) -> &[f64] {
        &self.x
    }

    /// All solutions found.
    pub(super) fn solutions(&self) -> Vec<Vec<f64>> {
        let each = self.found.chunks(self.rows.len());
        each.map(<[f64]>::to_vec).collect()
    }

    /// V.
    pub(super) fn responses(&self) -> &[f64] {
        &self.responses
    }

    pub(super) fn take_responses(&mut self, responses: &[f64]) {
        self.responses.copy_from_slice(responses);
    }

    /// Room for a row of V.
    pub(super) fn response_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.responses[i * self.nv..][..self.nv]
    }

    fn response(&self, i: usize) -> &[f64] {
        &self.responses[i * self.nv..][..self.nv]
    }

    /// Begins a state whose c and V are set.
    pub(super) fn begin(&mut self) {
        self.gains.fill(0.0);
    }

    /// Looks at V as it is set.
    pub(super) fn measure_responses(&mut self) {
        self.sparse.clear();
        self.by_coordinate.clear();
        for row in self.responses.chunks_exact(self.nv.max(1)) {
            self.sparse.push_full(row);
        }
        let k = self.rows.len();
        for at in 0..self.nv {
            let column = (0..k).map(|i| (i, self.responses[i * self.nv + at]));
            self.by_coordinate.push(column);
        }
        for i in 0..self.rows.len() {
            let length = norm(self.response(i));
            let sound = length > 0.0 && length.is_finite();
            self.scales[i] = if sound { length } else { 1.0 };
        }
    }

    /// K ← K + |V D| |F|.
    pub(super) fn add_friction(&mut self, contact: &Contact<'_>) {
        let k = self.rows.len();
        self.pushes.fill(0.0);
        for (&at, d) in contact.coordinates.iter().zip(contact.direction) {
            self.by_coordinate.add_scaled(at, *d, &mut self.pushes);
        }
        let pushes = self.pushes.iter().enumerate();
        for (i, push) in pushes.filter(|(_, push)| **push != 0.0) {
            for (&j, length) in contact.pressing.iter().zip(contact.lengths) {
                self.gains[i * k + j] += push.abs() * length;
            }
        }
    }

    /// A bound of the spectral radius of K (exact for one reaction): the largest (K y)ᵢ/yᵢ for a positive y.
    fn gain(&mut self) -> f64 {
        let k = self.rows.len();
        let [y, next] = &mut self.trial;
        y.fill(1.0);
        let mut bound = f64::INFINITY;
        for _ in 0..ROUNDS {
            for (next, gains) in next.iter_mut().zip(self.gains.chunks_exact(k)) {
                *next = dot(gains, y);
            }
            let ratios = next.iter().zip(&*y).map(|(n, y)| n / y);
            bound = bound.min(ratios.fold(0.0, f64::max));
            let largest = next.iter().fold(0.0_f64, |a, &b| a.max(b));
            if bound < 0.5 || largest == 0.0 || !largest.is_finite() {
                break;
            }
            // Held away from zero, and from swinging.
            for (y, next) in y.iter_mut().zip(&*next) {
                *y = 0.5 * *y + 0.5 * next / largest + 1e-6;
            }
        }
        bound
    }

    pub(super) fn solve(&mut self, evaluator: &mut Evaluator<'_>, ways: &[f64]) -> Solved {
        let k = self.rows.len();
        self.found.clear();
        if k == 0 {
            return Solved::One;
        }
        let gain = self.only_friction.then(|| self.gain());
        if let Some(gain) = gain
            && gain < 1.0
        {
            self.x.copy_from_slice(&self.free);
            if self.contract(evaluator, ways) {
                return Solved::One;
            }
        }
        for start in 0..self.start_count() {
            self.go_to_start(start);
            let solved = self.newton(evaluator, ways);
            if solved && self.found.chunks(k).all(|known| self.is_apart(known)) {
                self.found.extend_from_slice(&self.x);
            }
        }
        self.leave_out_pulls();
        if self.found.len() == k {
            self.x.copy_from_slice(&self.found);
            return Solved::One;
        }
        // Nothing is known of a law that has no value without reactions.
        if self.found.is_empty() {
            evaluator.set_unknowns(&self.free, ways);
            let law = evaluator.law_forces();
            let bad = |values: &[f64]| values.iter().position(|value| !value.is_finite());
            if let Some(index) = bad(law.force) {
                return Solved::NotFinite(Quantity::Force, index);
            }
            if let Some(index) = bad(law.nonideal) {
                return Solved::NotFinite(Quantity::NonIdeal, index);
            }
        }
        Solved::Other(gain)
    }

    /// Of several solutions those count in which contacts press.
    fn leave_out_pulls(&mut self) {
        let k = self.rows.len();
        if self.found.len() <= k || !self.contacts.contains(&true) {
            return;
        }
        let presses = |x: &[f64]| x.iter().zip(&self.contacts).all(|(x, is)| !is || *x >= 0.0);
        let pressing: Vec<f64> = (self.found.chunks(k))
            .filter(|x| presses(x))
            .flatten()
            .copied()
            .collect();
        if !pressing.is_empty() {
            self.found = pressing;
        }
    }

    /// Points with different signs; in many dimensions only those of c with one sign changed, and with all.
    fn orthants(&self) -> usize {
        let k = self.rows.len();
        match k <= MOST_ORTHANTS {
            true => 1 << k,
            false => 1 + k,
        }
    }

    /// c, and a point in every orthant; where a law is more than friction and reactions are few, of several sizes.
    fn start_count(&self) -> usize {
        let several = !self.only_friction && self.rows.len() <= MOST_SIZED;
        1 + self.orthants() * if several { SIZES.len() } else { 1 }
    }

    /// x ← one of the starts, measured by c.
    fn go_to_start(&mut self, start: usize) {
        self.x.copy_from_slice(&self.free);
        let Some(start) = start.checked_sub(1) else {
            return;
        };
        let (k, largest) = (self.rows.len(), self.largest());
        let (far, start) = (start / self.orthants(), start % self.orthants());
        for i in 0..k {
            let (scale, free) = (self.scales[i], self.free[i]);
            let size = match largest {
                0.0 => scale,
                largest => free.abs().max(1e-3 * largest * scale),
            };
            let own = free.signum();
            let sign = match (k <= MOST_ORTHANTS, start) {
                (true, pattern) => 1.0 - 2.0 * (pattern >> i & 1) as f64,
                (false, 0) => -own,
                (false, flipped) if flipped == i + 1 => -own,
                (false, _) => own,
            };
            self.x[i] = sign * size * SIZES[far];
        }
    }

    /// The largest multiplier without the law, by scale.
    fn largest(&self) -> f64 {
        let scaled = self.free.iter().zip(&self.scales);
        scaled.fold(0.0, |largest, (c, scale)| largest.max(c.abs() / scale))
    }

    fn is_apart(&self, known: &[f64]) -> bool {
        let largest = self.largest();
        let mut pairs = self.x.iter().zip(known).zip(&self.scales);
        pairs.any(|((a, b), scale)| {
            let size = a.abs().max(b.abs()).max(largest * scale);
            (a - b).abs() > CLEAR * size
        })
    }

    /// x − c + V f(x) at x; the largest part of an equation that is not met.
    fn measure(&mut self, evaluator: &mut Evaluator<'_>, ways: &[f64]) -> f64 {
        let k = self.rows.len();
        evaluator.set_unknowns(&self.x, ways);
        let law = evaluator.law_forces();
        let mut worst: f64 = 0.0;
        for i in 0..k {
            let (mut push, mut size) = (0.0, self.x[i].abs() + self.free[i].abs());
            for (at, v) in self.sparse.row(i) {
                let (force, nonideal) = (law.force[at], law.nonideal[at]);
                push += v * (force + nonideal);
                size += (v * force).abs() + (v * nonideal).abs();
            }
            self.error[i] = self.x[i] - self.free[i] + push;
            let part = match size {
                0.0 => 0.0,
                size => self.error[i].abs() / size,
            };
            // Not finite is never near.
            worst = if part.is_nan() {
                f64::INFINITY
            } else {
                worst.max(part)
            };
        }
        worst
    }

    /// The derivative of x − c + V f(x) by scaled multipliers, at the x last measured.
    fn find_slope(&mut self, evaluator: &mut Evaluator<'_>) {
        let k = self.rows.len();
        let law = evaluator.law_forces();
        for i in 0..k {
            let row = &self.responses[i * self.nv..][..self.nv];
            for j in 0..k {
                let slope = law.gradient.along(j, row) * self.scales[j] / self.scales[i];
                self.slope[i * k + j] = slope + f64::from(i == j);
            }
        }
    }

    /// x ← x − slope⁻¹ error; whether there is such a step.
    fn step(&mut self, evaluator: &mut Evaluator<'_>) -> bool {
        self.find_slope(evaluator);
        let k = self.rows.len();
        if self.slope.iter().any(|slope| !slope.is_finite()) {
            return false;
        }
        self.elimination.factor(&self.slope, SOLVED);
        if self.elimination.rank() < k {
            return false;
        }
        let [right, room] = &mut self.trial;
        for ((right, error), scale) in right.iter_mut().zip(&self.error).zip(&self.scales) {
            *right = error / scale;
        }
        self.elimination.solution(right, room, &mut self.step);
        for ((x, step), scale) in self.x.iter_mut().zip(&self.step).zip(&self.scales) {
            *x -= step * scale;
        }
        true
    }

    /// Newton's method without a brake: whether it comes to a solution.
    fn newton(&mut self, evaluator: &mut Evaluator<'_>, ways: &[f64]) -> bool {
        let mut best = f64::INFINITY;
        self.best.copy_from_slice(&self.x);
        let mut ending = Ending::new(SOLVED, STEPS);
        loop {
            let worst = self.measure(evaluator, ways);
            let over = ending.is_over(worst, best <= CANCELLED);
            if worst < best {
                best = worst;
                self.best.copy_from_slice(&self.x);
            }
            if over || !worst.is_finite() || !self.step(evaluator) {
                break;
            }
        }
        self.x.copy_from_slice(&self.best);
        best <= CANCELLED
    }

    /// The solution of a contraction: Newton's steps where they come nearer, else the map itself.
    fn contract(&mut self, evaluator: &mut Evaluator<'_>, ways: &[f64]) -> bool {
        if self.newton(evaluator, ways) {
            return true;
        }
        self.x.copy_from_slice(&self.free);
        for _ in 0..10_000 {
            let worst = self.measure(evaluator, ways);
            if worst <= SOLVED {
                return true;
            }
            if !worst.is_finite() {
                return false;
            }
            for (x, error) in self.x.iter_mut().zip(&self.error) {
                *x -= error;
            }
        }
        self.measure(evaluator, ways) <= CANCELLED
    }
}
