//! Which coordinates and speeds are independent at a state, as in [B92] §4–6: position rows are solved for coordinates first, then
//! velocity rows for speeds.
//!
//! ```text
//! φ(q, t) = 0          Φ = ∂φ/∂q: the columns of its pivots are the dependent coordinates      [B92 4.1–4.5]
//! ψ(q, v, t) = 0       Ψ D, with Φ D = 0: those of its pivots are dependent speeds too         [B92 5.2, 6.3]
//! ```
//!
//! Pivots are the largest entries of rows of length one, in units in which each speed has an inertia of one. Independent speeds
//! are then rates of independent coordinates. Quasi-velocities are not rates, so there all rows, in speeds, are eliminated at
//! once.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use crate::decide::RANK;
use crate::equations::{Evaluator, SpeedInverse};
use crate::linear::{Elimination, Matrix, norm};
use crate::mechanism::Mechanism;
use crate::snapshot::MAX_COMPARED;
use crate::start::State;

/// A choice of independent coordinates and speeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Independents {
    /// Coordinates that the others follow from by the position rows, ascending.
    pub coordinates: Vec<usize>,
    /// Speeds that the others follow from by the rows at velocity level, ascending.
    pub speeds: Vec<usize>,
    /// The unit of each coordinate in which its rate has an inertia of one.
    pub coordinate_units: Vec<f64>,
    /// The unit of each speed, likewise.
    pub speed_units: Vec<f64>,
}

impl Mechanism {
    /// The independent coordinates and speeds at a state, chosen by pivoting.
    ///
    /// `None` where rows admit none (not linear in the velocities, or of accelerations), where the speeds do not determine the
    /// rates, and for models too large for full matrices.
    #[must_use]
    pub fn independents(&self, state: &State) -> Option<Independents> {
        let size = self.equations.coordinates() + self.equations.rows();
        if size > MAX_COMPARED || !self.not_reducible_rows().is_empty() {
            return None;
        }
        let mut evaluator = self.evaluator();
        evaluator.set_position(state.t, &state.coordinates);
        evaluator.set_rates(&state.rates);
        choose(&mut evaluator)
    }
}

fn choose(evaluator: &mut Evaluator<'_>) -> Option<Independents> {
    let n = evaluator.equations().coordinates();
    let mass = evaluator.canonical().mass.to_vec();
    let coordinate_units = units_of_inertia((0..n).map(|i| mass[i * n + i]));
    let mut rows = evaluator.position().jacobian.to_full().into_owned();
    let eliminated = eliminate(&mut rows, &coordinate_units);
    let dependent = |elimination: &Elimination, j: &usize| {
        elimination.column_order()[..elimination.rank()].contains(j)
    };
    let coordinates: Vec<usize> = (0..n).filter(|j| !dependent(&eliminated, j)).collect();
    let jacobian = evaluator.velocity().jacobian.to_full().into_owned();
    if evaluator.equations().speed_pattern().is_some() {
        let (in_speeds, speed_units) = in_speeds(evaluator, &mass, jacobian)?;
        let mut rows = in_speeds;
        let eliminated = eliminate(&mut rows, &speed_units);
        let speeds = (0..n).filter(|j| !dependent(&eliminated, j)).collect();
        return Some(Independents {
            coordinates,
            speeds,
            coordinate_units,
            speed_units,
        });
    }
    // Ψ D in units: what the rows say of the independent coordinates.
    let mut rows = jacobian;
    scale(&mut rows, &coordinate_units);
    let free = coordinates.len();
    let (rank, order) = (eliminated.rank(), eliminated.column_order());
    let mut reduced = vec![0.0; rows.len() / n.max(1) * free];
    let mut short = vec![0.0; rank];
    for k in 0..n - rank {
        eliminated.null_vector(k, &mut short);
        let place = coordinates.iter().position(|&j| j == order[rank + k])?;
        for (row, target) in rows.chunks_exact(n).zip(reduced.chunks_exact_mut(free)) {
            let through: f64 = order.iter().zip(&short).map(|(&j, d)| row[j] * d).sum();
            target[place] = row[order[rank + k]] + through;
        }
    }
    let mut second = Elimination::new(reduced.len().checked_div(free).unwrap_or(0), free);
    second.factor(&reduced, RANK);
    let speeds = (0..free).filter(|k| !dependent(&second, k));
    Some(Independents {
        speeds: speeds.map(|k| coordinates[k]).collect(),
        speed_units: coordinate_units.clone(),
        coordinates,
        coordinate_units,
    })
}

/// The rows in speeds, A N, and the units of the speeds.
fn in_speeds(
    evaluator: &mut Evaluator<'_>,
    mass: &[f64],
    mut rows: Vec<f64>,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let n = evaluator.equations().coordinates();
    let mut inverse = SpeedInverse::of(evaluator.equations())?;
    let map = evaluator.speeds()?;
    inverse.factor(&map.matrix).then_some(())?;
    for row in rows.chunks_exact_mut(n) {
        inverse.solve_transposed(row).then_some(())?;
    }
    let mut inertia = Vec::with_capacity(n);
    for j in 0..n {
        let mut rates = vec![0.0; n];
        rates[j] = 1.0;
        inverse.solve(&mut rates).then_some(())?;
        let mut momentum = vec![0.0; n];
        Matrix::full(n, n, mass).multiply(&rates, &mut momentum);
        inertia.push(rates.iter().zip(&momentum).map(|(v, p)| v * p).sum());
    }
    Some((rows, units_of_inertia(inertia.into_iter())))
}

/// One over the root of each inertia; what has none takes the largest.
pub fn units_of_inertia(inertia: impl Iterator<Item = f64>) -> Vec<f64> {
    let inertia: Vec<f64> = inertia.collect();
    let largest = inertia.iter().fold(0.0_f64, |a, b| a.max(*b));
    let unit = |own: &f64| match *own > 1e-12 * largest {
        true => 1.0 / own.sqrt(),
        false if largest > 0.0 => 1.0 / largest.sqrt(),
        false => 1.0,
    };
    inertia.iter().map(unit).collect()
}

/// Rows in units, of length one.
fn scale(rows: &mut [f64], units: &[f64]) {
    for row in rows.chunks_exact_mut(units.len().max(1)) {
        row.iter_mut().zip(units).for_each(|(a, unit)| *a *= unit);
        let length = norm(row);
        if length > 0.0 {
            row.iter_mut().for_each(|a| *a /= length);
        }
    }
}

fn eliminate(rows: &mut [f64], units: &[f64]) -> Elimination {
    scale(rows, units);
    let n = units.len();
    let mut elimination = Elimination::new(rows.len().checked_div(n).unwrap_or(0), n);
    elimination.factor(rows, RANK);
    elimination
}
