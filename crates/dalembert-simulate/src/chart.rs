//! A branch of the motion as a graph over independent coordinates, also where rows lose their rank on it.
//!
//! Near such a place the rows determine the other coordinates badly, and in it not at all; but along the branch these are smooth
//! functions. So they are found by the rows at Chebyshev's points of the way across, none of which is near the place,
//! and between them by the polynomial through these. z, in seconds at the speed of the arrival, leads across; a state
//! lies on a line in the direction of its rates, s(z) = s + (z − z₀) s'/z':
//!
//! ```text
//! q = (s, g(s, t)),   q' = D u + ν,   q'' = D u' + γ,   γ = z' d/dz (D u + ν) on that line
//! ```
//!
//! Where the branch is a curve all lines are one, and its points are found once.

use super::chebyshev::{Chebyshev, POINTS};
use super::reduced::{Dependents, Measures};
use dalembert_mechanics::Independents;
use dalembert_mechanics::decide::{COARSE, KNOWN};
use dalembert_mechanics::equations::Evaluator;

/// Points that lead on to the next.
const LEADING: usize = 8;

/// A point of the branch.
#[derive(Clone, Default)]
struct Point {
    z: f64,
    t: f64,
    q: Vec<f64>,
    /// D and ν: how dependent rates follow.
    ways: Vec<f64>,
}

pub(super) struct Chart {
    position: Dependents,
    velocity: Dependents,
    /// Whether rows depend on time: then time leads across.
    timed: bool,
    /// Independent coordinates and time where z = 0, and the direction of the arrival.
    origin: (Vec<f64>, f64),
    direction: Vec<f64>,
    /// z by the independent coordinates, where time does not lead.
    gradient: Vec<f64>,
    /// The chart is for −half ≤ z ≤ half.
    pub(super) half: f64,
    chebyshev: Chebyshev,
    points: Vec<Point>,
    /// The state last looked at: coordinates, rates, γ, D and ν.
    pub(super) q: Vec<f64>,
    pub(super) rates: Vec<f64>,
    pub(super) gamma: Vec<f64>,
    pub(super) ways: Vec<f64>,
    still: Vec<f64>,
    /// The usual sizes of coordinates.
    sizes: Vec<f64>,
}

impl Chart {
    /// Around the place so many seconds ahead of a state; `None` if the rows lead to no smooth branch, as accurate as asked for.
    pub(super) fn new(
        evaluator: &mut Evaluator<'_>,
        (measures, chosen, timed): (&Measures, &Independents, bool),
        (t, q, rates): (f64, &[f64], &[f64]),
        [ahead, half, accuracy]: [f64; 3],
    ) -> Option<Self> {
        let n = q.len();
        let (position, velocity) = measures.dependents(chosen);
        let units = &chosen.coordinate_units;
        let direction: Vec<f64> = position.independent.iter().map(|&i| rates[i]).collect();
        let weighed = |i: &usize| rates[*i] / units[*i].powi(2);
        let along: f64 = (position.independent.iter())
            .map(|i| weighed(i) * rates[*i])
            .sum();
        if !timed && (along <= 0.0 || !along.is_finite()) {
            return None;
        }
        let gradient = position.independent.iter().map(|i| weighed(i) / along);
        let origin = (position.independent.iter()).map(|&i| q[i] + ahead * rates[i]);
        let room = velocity.columns.len() * (velocity.independent.len() + 1);
        let mut chart = Self {
            gradient: gradient.collect(),
            origin: (origin.collect(), t + ahead),
            position,
            velocity,
            timed,
            direction,
            half,
            chebyshev: Chebyshev::new(),
            points: Vec::with_capacity(POINTS),
            q: vec![0.0; n],
            rates: vec![0.0; n],
            gamma: vec![0.0; n],
            ways: vec![0.0; room],
            still: vec![0.0; n],
            sizes: measures.sizes.coordinates.clone(),
        };
        chart.go_along(evaluator, (t, q, rates), ahead)?;
        let size = |j: usize| measures.sizes.coordinates[j];
        let rate = |j: usize| size(j) / measures.sizes.time;
        chart
            .is_smooth(accuracy, size, rate, units)
            .then_some(chart)
    }

    /// Whether the branch is one curve.
    pub(super) fn is_curve(&self) -> bool {
        self.direction.len() + usize::from(self.timed) <= 1
    }

    /// Finds the points on the line through a state, from one to the next.
    fn go_along(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        (t, q, rates): (f64, &[f64], &[f64]),
        ahead: f64,
    ) -> Option<()> {
        let places = self.chebyshev.points.map(|x| x * self.half);
        let first_ahead = places.iter().position(|z| *z > -ahead).unwrap_or(POINTS);
        let mut known: Vec<(f64, Vec<f64>)> = vec![(-ahead, q.to_vec())];
        let mut points = vec![Point::default(); POINTS];
        for k in (0..first_ahead).rev().chain(first_ahead..POINTS) {
            let z = places[k];
            let mut point = Point {
                z,
                t: if self.timed { self.origin.1 + z } else { t },
                q: led_on(&mut known, rates, z),
                ways: vec![0.0; self.ways.len()],
            };
            for ((&i, s), way) in (self.position.independent.iter())
                .zip(&self.origin.0)
                .zip(&self.direction)
            {
                point.q[i] = s + z * way;
            }
            self.meet(evaluator, &mut point)?;
            known.push((z, point.q.clone()));
            points[k] = point;
        }
        self.points = points;
        Some(())
    }

    /// Puts the dependent coordinates of a point where the rows want them, and finds how rates follow.
    fn meet(&mut self, evaluator: &mut Evaluator<'_>, point: &mut Point) -> Option<()> {
        self.position.begin();
        let mut last = f64::INFINITY;
        loop {
            evaluator.set_position(point.t, &point.q);
            if let Some(outcome) = self.position.judge(&evaluator.position(), &point.q) {
                outcome?;
                break;
            }
            let before = point.q.clone();
            self.position.correct(None, &mut point.q)?;
            // A search that does not get there fast may get to another branch.
            let parts = self.position.columns.iter();
            let parts = parts.map(|&j| ((point.q[j] - before[j]) / self.sizes[j]).abs());
            let moved = parts.fold(0.0, f64::max);
            (moved <= FASTER * last || moved <= KNOWN).then_some(())?;
            last = moved;
        }
        evaluator.set_rates(&self.still);
        self.velocity.keep(&evaluator.velocity());
        self.velocity.ways(&mut point.ways)
    }

    /// Whether what polynomials leave out of coordinates and directions is small.
    fn is_smooth(
        &self,
        accuracy: f64,
        size: impl Fn(usize) -> f64,
        rate: impl Fn(usize) -> f64,
        units: &[f64],
    ) -> bool {
        let rest = |value: &dyn Fn(&Point) -> f64| self.chebyshev.rest(|k| value(&self.points[k]));
        let mut places = self.position.columns.iter();
        let coordinates = places.all(|&j| rest(&|point| point.q[j]) <= accuracy * size(j));
        let free = self.velocity.independent.len();
        let slopes = (0..self.ways.len()).all(|place| {
            let (own, by) = (
                self.velocity.columns[place / (free + 1)],
                self.velocity.independent.get(place % (free + 1)),
            );
            let scale = by.map_or_else(|| rate(own), |&by| units[own] / units[by]);
            rest(&|point| point.ways[place]) <= ROUGHER * accuracy * scale
        });
        coordinates && slopes
    }

    /// Coordinates where the line of the arrival has got to z; the time.
    pub(super) fn on_line(&self, z: f64, q: &mut [f64]) -> f64 {
        let [weights, _] = self.chebyshev.weights(z / self.half);
        q.fill(0.0);
        for &j in &self.position.columns {
            let parts = weights.iter().zip(&self.points);
            q[j] = parts.map(|(weight, point)| weight * point.q[j]).sum();
        }
        let (s, t) = &self.origin;
        for ((&i, s), way) in self.position.independent.iter().zip(s).zip(&self.direction) {
            q[i] = s + z * way;
        }
        if self.timed { t + z } else { self.points[0].t }
    }

    /// How far a state has got, and its rate, by its independent coordinates and the rates of these.
    pub(super) fn progress(&self, t: f64, q: &[f64], rates: &[f64]) -> [f64; 2] {
        if self.timed {
            return [t - self.origin.1, 1.0];
        }
        let mut progress = [0.0; 2];
        for ((&i, s), by) in (self.position.independent.iter())
            .zip(&self.origin.0)
            .zip(&self.gradient)
        {
            progress[0] += by * (q[i] - s);
            progress[1] += by * rates[i];
        }
        progress
    }

    /// Looks at the state that has these independent coordinates, and rates of them. `None` if the chart does not reach there.
    pub(super) fn look(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        (t, q, rates): (f64, &[f64], &[f64]),
    ) -> Option<()> {
        let [z, dz] = self.progress(t, q, rates);
        (z.abs() <= self.half).then_some(())?;
        if !self.is_curve() {
            self.shift(evaluator, (t, q, rates), [z, dz])?;
        }
        let [weights, slopes] = self.chebyshev.weights(z / self.half);
        let free = self.velocity.independent.len();
        self.ways.fill(0.0);
        self.gamma.fill(0.0);
        self.q.copy_from_slice(q);
        self.rates.copy_from_slice(rates);
        for &j in &self.position.columns {
            self.q[j] = 0.0;
        }
        for (point, (weight, slope)) in self.points.iter().zip(weights.iter().zip(&slopes)) {
            for &j in &self.position.columns {
                self.q[j] += weight * point.q[j];
            }
            for (sum, way) in self.ways.iter_mut().zip(&point.ways) {
                *sum += weight * way;
            }
            for (&j, ways) in (self.velocity.columns.iter()).zip(point.ways.chunks_exact(free + 1))
            {
                let led = led_by(ways, &self.velocity.independent, rates);
                self.gamma[j] += dz / self.half * slope * led;
            }
        }
        for (&j, ways) in (self.velocity.columns.iter()).zip(self.ways.chunks_exact(free + 1)) {
            self.rates[j] = led_by(ways, &self.velocity.independent, rates);
        }
        Some(())
    }

    /// Moves the points onto the line through a state in the direction of its rates.
    fn shift(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        (t, q, rates): (f64, &[f64], &[f64]),
        [z, dz]: [f64; 2],
    ) -> Option<()> {
        // Who does not go across has no such line.
        (dz.abs() > COARSE).then_some(())?;
        let mut points = std::mem::take(&mut self.points);
        let met = points.iter_mut().try_for_each(|point| {
            let dt = (point.z - z) / dz;
            point.t = if self.timed { t + dt } else { t };
            let free = self.velocity.independent.len();
            let is_holonomic = self.velocity.independent == self.position.independent;
            for (j, &i) in self.position.independent.iter().enumerate() {
                let moved = q[i] + dt * rates[i] - point.q[i];
                point.q[i] += moved;
                if is_holonomic {
                    for (row, &k) in self.velocity.columns.iter().enumerate() {
                        point.q[k] += moved * point.ways[row * (free + 1) + j];
                    }
                }
            }
            self.meet(evaluator, point)
        });
        self.points = points;
        met
    }

    /// The independent rates.
    pub(super) fn independent_rates(&self) -> &[usize] {
        &self.velocity.independent
    }

    /// Column j of D: how all rates follow the j-th independent one.
    pub(super) fn way_into(&self, j: usize, way: &mut [f64]) {
        let free = self.velocity.independent.len();
        way.fill(0.0);
        way[self.velocity.independent[j]] = 1.0;
        for (&k, ways) in (self.velocity.columns.iter()).zip(self.ways.chunks_exact(free + 1)) {
            way[k] = ways[j];
        }
    }
}

/// Part of a correction of a point that the next may be.
const FASTER: f64 = 0.3;
/// Directions are known less well than places.
const ROUGHER: f64 = 100.0;

/// One dependent rate.
fn led_by(ways: &[f64], independent: &[usize], rates: &[f64]) -> f64 {
    let (rest, slopes) = ways.split_last().unwrap_or((&0.0, &[]));
    let along = slopes.iter().zip(independent);
    rest + along.map(|(slope, &i)| slope * rates[i]).sum::<f64>()
}

/// The polynomial through the nearest of the states that are known, at z; the first of these has these rates, too.
fn led_on(known: &mut [(f64, Vec<f64>)], rates: &[f64], z: f64) -> Vec<f64> {
    let (first, others) = known.split_at_mut(1);
    others.sort_by(|a, b| (a.0 - z).abs().total_cmp(&(b.0 - z).abs()));
    let nearest = &others[..others.len().min(LEADING)];
    let places: Vec<f64> = [first[0].0, first[0].0]
        .into_iter()
        .chain(nearest.iter().map(|it| it.0))
        .collect();
    let led = |j: usize| {
        let own = first[0].1[j];
        let mut differences = vec![own, own];
        differences.extend(nearest.iter().map(|it| it.1[j]));
        let count = places.len();
        for order in 1..count {
            for i in (order..count).rev() {
                differences[i] = match order == 1 && i == 1 {
                    true => rates[j],
                    false => {
                        let by = places[i] - places[i - order];
                        (differences[i] - differences[i - 1]) / by
                    }
                };
            }
        }
        (0..count)
            .rev()
            .fold(0.0, |sum, i| sum * (z - places[i]) + differences[i])
    };
    (0..rates.len()).map(led).collect()
}
