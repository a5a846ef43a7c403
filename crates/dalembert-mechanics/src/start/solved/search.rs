//! The search for values that meet the rows of one level: from what is given, and from elsewhere if that fails.

use super::newton::Newton;
use super::{MEDIUM, Metric, Rows};
use crate::decide::{CLEAR, COARSE, MET, ROUNDING, SOLVED, beside};
use crate::signed;
use fastrand::Rng;

/// Work of one level, in multiplications or so: some seconds at worst.
const BUDGET: f64 = 3e9;
/// Unknowns up to which other solutions are looked for when one is found, and restarts are many.
const FEW: usize = 40;
/// Solutions found from elsewhere that are compared.
const COMPARED: usize = 8;
/// How far from what is given restarts begin, in sizes of the unknowns, one after the other.
const REACHES: [f64; 8] = [0.1, 1.0, 0.3, 2.0, 3.1, 1.0, 10.0, 0.5];

/// What is looked for at one level.
pub(in crate::start) struct Search<'s> {
    pub(in crate::start) rows: &'s mut dyn Rows,
    /// What is given of each unknown; where nothing is, 0.
    pub(in crate::start) given: Vec<f64>,
    pub(super) metric: Metric,
    pub(super) scales: Scales,
    /// Whether the values nearest to those given are found from these alone: rows are linear, or a solution lies next to them.
    pub(in crate::start) one_try: bool,
    /// Work that may still be done, in multiplications or so.
    pub(super) budget: f64,
}

/// Sizes of the unknowns.
#[derive(Clone, Debug)]
pub(in crate::start) struct Scales {
    pub(in crate::start) sizes: Vec<f64>,
    /// Those that nothing tells but the rows: sizes relative to each other only.
    pub(in crate::start) open: Vec<bool>,
}

/// Where a search has come to.
#[derive(Clone, Debug)]
pub(in crate::start) struct Found {
    pub(in crate::start) x: Vec<f64>,
    /// Largest residual, measured by the terms of its row.
    pub(super) miss: f64,
    /// All residuals, measured by the terms where the search began, and added up.
    rest: f64,
    distance: f64,
    /// Another solution, if one was found on the way.
    pub(in crate::start) other: Option<Vec<f64>>,
}

impl Found {
    pub(in crate::start) fn met(&self) -> bool {
        self.miss <= MET
    }

    /// Whether it meets the rows much better than another.
    pub(in crate::start) fn is_closer(&self, other: &Self) -> bool {
        self.met() && (!other.met() || self.miss < COARSE * other.miss)
    }

    /// Whether it meets the rows as well as numbers can.
    pub(in crate::start) fn is_exact(&self) -> bool {
        self.miss <= SOLVED
    }

    fn is_better(&self, other: &Self) -> bool {
        match (self.met(), other.met()) {
            (true, true) => self.distance < other.distance * (1.0 - CLEAR),
            (met, other_met) if met != other_met => met,
            _ => self.rest < other.rest,
        }
    }
}

impl<'s> Search<'s> {
    /// A search from what is given, in a metric.
    pub(in crate::start) fn new(
        rows: &'s mut dyn Rows,
        given: Vec<f64>,
        metric: Metric,
        scales: Scales,
    ) -> Self {
        Self {
            rows,
            given,
            metric,
            scales,
            one_try: false,
            budget: BUDGET,
        }
    }

    /// The nearest values that meet `rows`, where `free` unknowns move; or the best that was found.
    pub(in crate::start) fn solve(&mut self, rows: &[usize], free: &[usize]) -> Found {
        let given = self.given.clone();
        let scales = self.scales.sizes.clone();
        let mut newton = Newton::new(self.rows, rows, free, (&self.metric, &scales));
        let mut best = Found {
            miss: 0.0,
            rest: 0.0,
            x: given.clone(),
            distance: 0.0,
            other: None,
        };
        if newton.is_met(&given) {
            return best;
        }
        let terms = newton.begin(&given);
        best.miss = newton.beside(&terms);
        best.rest = newton.all_beside(&terms);
        if best.miss <= ROUNDING || free.is_empty() || rows.is_empty() {
            return best;
        }
        let mut first = attempt(&mut newton, (&given, &terms), given.clone());
        let cost = (free.len() + rows.len()) as f64;
        let cost = match newton.is_full() {
            true => cost * cost * cost,
            false => 1000.0 * cost,
        };
        if !first.met() && self.budget > 0.0 && newton.in_full() {
            let sparse = std::mem::take(&mut newton.factored);
            let again = attempt(&mut newton, (&given, &terms), given.clone());
            let full = (free.len() + rows.len()) as f64;
            self.budget -= newton.factored as f64 * full.powi(3);
            newton.factored = sparse;
            if again.is_better(&first) {
                first = again;
            }
        }
        // What was given meets the rows to rounding or not at all: a solution is better, however near.
        if first.met() || first.is_better(&best) {
            best = first;
        }
        let restarts = match (best.met(), free.len()) {
            _ if self.one_try => 0,
            (true, 0..=FEW) => COMPARED,
            (true, _) => 0,
            (false, 0..=FEW) => 40,
            (false, 0..=MEDIUM) => 12,
            (false, _) => 3,
        };
        if restarts == 0 {
            self.budget -= newton.factored as f64 * cost;
            return best;
        }
        let mut known = vec![false; given.len()];
        for &row in rows {
            self.rows.known(row).iter().for_each(|&j| known[j] = true);
        }
        let moving: Vec<usize> = free.iter().copied().filter(|&j| known[j]).collect();
        let open: Vec<usize> = moving
            .iter()
            .copied()
            .filter(|&j| self.scales.open[j])
            .collect();
        let unit = natural_size(self.rows, rows, &open, (&given, &scales));
        let mut newton = Newton::new(self.rows, rows, free, (&self.metric, &scales));
        newton.begin(&given);
        let mut random = Rng::with_seed(1);
        let mut solutions = 0;
        let mut others: Vec<Vec<f64>> = Vec::new();
        for restart in 0..restarts {
            let mut x = given.clone();
            for &j in &moving {
                let unit = if self.scales.open[j] { unit } else { 1.0 };
                // The first to the positive side: of two mirror images that one is taken.
                let towards = match restart {
                    0 => 0.75 + 0.25 * signed(&mut random),
                    _ => signed(&mut random),
                };
                x[j] += REACHES[restart % REACHES.len()] * unit * scales[j] * towards;
            }
            let found = attempt(&mut newton, (&given, &terms), x);
            solutions += usize::from(found.met());
            let rejected = match found.is_better(&best) {
                true => std::mem::replace(&mut best, found),
                false => found,
            };
            others.extend(rejected.met().then_some(rejected.x));
            let enough = if free.len() <= FEW { COMPARED } else { 1 };
            if solutions >= enough || self.budget < newton.factored as f64 * cost {
                break;
            }
        }
        self.budget -= newton.factored as f64 * cost;
        let mut others = others.into_iter().filter(|_| best.met());
        best.other = others.find(|other| is_another(other, &best.x, &self.scales));
        best
    }

    /// Where linear rows that contradict each other are missed least: the sum of the squares of what each is missed by, in changes of the
    /// unknowns by their sizes. Many rows are left as least steps leave them.
    pub(in crate::start) fn between(&mut self, rows: &[usize], free: &[usize]) -> Vec<f64> {
        let (mut residual, mut slopes) = (Vec::new(), Vec::new());
        self.rows.at(&self.given, &mut residual, &mut slopes);
        let matrix = self.rows.pattern().matrix(&slopes);
        let sizes = (0..residual.len()).map(|row| matrix.size_along(row, &self.scales.sizes));
        let sizes: Vec<f64> = sizes.collect();
        let told: Vec<usize> = rows
            .iter()
            .copied()
            .filter(|&row| sizes[row] > 0.0)
            .collect();
        let mut x = self.given.clone();
        let mut newton = Newton::new(self.rows, &told, free, (&self.metric, &self.scales.sizes));
        newton.reach(&mut x);
        newton.descend(&mut x, &sizes);
        x
    }

    /// Residuals of all rows, and how they stand beside their terms.
    pub(super) fn misses(&mut self, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut residual, mut slopes) = (Vec::new(), Vec::new());
        self.rows.at(x, &mut residual, &mut slopes);
        let (terms, given) = (self.rows.terms(x), self.rows.terms(&self.given));
        let sizes = terms.iter().zip(given);
        let parts = residual.iter().zip(sizes);
        let parts = parts.map(|(&r, (now, given))| beside(r, now.max(SOLVED * given)));
        let parts = parts.collect();
        (residual, parts)
    }
}

/// From x to a solution, and along the solutions to the nearest.
fn attempt(newton: &mut Newton<'_>, (given, terms): (&[f64], &[f64]), mut x: Vec<f64>) -> Found {
    newton.reach(&mut x);
    let mut miss = newton.relative(&x);
    if miss > MET {
        let mut other = x.clone();
        newton.descend(&mut other, terms);
        newton.reach(&mut other);
        if newton.relative(&other) <= MET {
            x = other;
        }
        miss = newton.relative(&x);
    }
    if miss <= MET {
        newton.approach(&mut x, given);
        newton.reach(&mut x);
        miss = newton.relative(&x);
    }
    if !x.iter().all(|value| value.is_finite()) {
        miss = f64::INFINITY;
    }
    Found {
        rest: newton.all_beside(terms),
        miss,
        distance: newton.distance(&x, given),
        x,
        other: None,
    }
}

/// Whether two solutions differ by more than rounding, and angles by more than whole turns.
fn is_another(one: &[f64], other: &[f64], scales: &Scales) -> bool {
    let pairs = one.iter().zip(other).zip(&scales.sizes);
    let mut pairs = pairs.zip(&scales.open);
    pairs.any(|(((a, b), size), open)| {
        let turns = (a - b) / std::f64::consts::TAU;
        let is_turned = !open && (turns - turns.round()).abs() <= CLEAR;
        (a - b).abs() > CLEAR * size && !is_turned
    })
}

/// How large unknowns are that only the rows tell about: the least power of ten by which moving them changes half of
/// the rows that are missed by half of what they miss.
fn natural_size(
    source: &mut dyn Rows,
    rows: &[usize],
    open: &[usize],
    (given, scales): (&[f64], &[f64]),
) -> f64 {
    if open.is_empty() {
        return 1.0;
    }
    let (mut residual, mut slopes) = (Vec::new(), Vec::new());
    source.at(given, &mut residual, &mut slopes);
    let (before, terms) = (residual.clone(), source.terms(given));
    let is_missed = |&&row: &&usize| beside(before[row], terms[row]) > CLEAR;
    let missed: Vec<usize> = rows.iter().filter(is_missed).copied().collect();
    let mut size = None;
    for power in -15..=15 {
        let unit = 10.0_f64.powi(power);
        let mut random = Rng::with_seed(2);
        let mut x = given.to_vec();
        for &j in open {
            x[j] += unit * scales[j] * (0.75 + 0.25 * signed(&mut random));
        }
        source.at(&x, &mut residual, &mut slopes);
        let has_changed =
            |&&row: &&usize| (residual[row] - before[row]).abs() >= before[row].abs() / 2.0;
        let changed = missed.iter().filter(has_changed).count();
        if changed > 0 {
            size = size.or(Some(unit));
        }
        if 2 * changed >= missed.len() && changed > 0 {
            return unit;
        }
    }
    size.unwrap_or(1.0)
}
