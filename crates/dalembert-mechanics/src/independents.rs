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

use crate::decide::{RANK, is_rounding};
use crate::equations::{Evaluator, SpeedInverse, diagonal};
use crate::linear::{Elimination, Matrix, dot, unit_rows};
use crate::lower::{Inertial, System};
use crate::mechanism::Mechanism;
use crate::snapshot::MAX_COMPARED;
use crate::state::State;
use crate::terms::{Terms, present};
use dalembert_expr::{ExprId, SymbolId};

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
        let mut evaluator = self.evaluator_at(state);
        choose(&mut evaluator, &self.inertias(state))
    }

    /// The unit of each coordinate in which its rate has an inertia of one; any where nothing tells.
    #[must_use]
    pub fn inertial_units(&self, state: &State) -> Vec<f64> {
        or_one(self.known_units(state))
    }

    /// The same; `None` where nothing tells.
    pub(crate) fn known_units(&self, state: &State) -> Vec<Option<f64>> {
        let mut evaluator = self.evaluator_at(state);
        let slopes = evaluator.velocity_terms().jacobian;
        let slopes = present(evaluator.velocity().jacobian.values(), &slopes);
        let slopes = self.equations.velocity_pattern().matrix(&slopes);
        units_of_inertia(&self.inertias(state), &slopes)
    }

    fn inertias(&self, state: &State) -> Vec<f64> {
        inertias(&self.system, |symbol| self.value_of(symbol, state))
    }
}

/// The diagonal of M, zero where it is rounding beside its terms, as that of m sin² π.
pub(crate) fn inertias(system: &System, value_of: impl FnMut(SymbolId) -> f64) -> Vec<f64> {
    if let Some(hung) = &system.hung {
        return diagonal(hung, system, value_of);
    }
    let places = system
        .inertia
        .iter()
        .flat_map(on_diagonal)
        .map(|&(i, ..)| i);
    let elements = system.inertia.iter().map(|part| {
        let values = on_diagonal(part).map(|&(_, _, value)| value);
        values.collect::<Vec<_>>()
    });
    let terms = Terms::of_elements(&system.graph, elements);
    let mut sums = vec![(0.0, 0.0); system.symbols.coordinates.len()];
    for (place, (value, size)) in places.zip(terms.measured(value_of)) {
        sums[place].0 += value;
        sums[place].1 += size;
    }
    sums.into_iter().map(inertia).collect()
}

/// The entries of a part on the diagonal of M.
fn on_diagonal(part: &Inertial) -> impl Iterator<Item = &(usize, usize, ExprId)> {
    part.mass.iter().filter(|(i, j, _)| i == j)
}

/// An inertia, or none where it is rounding beside its terms.
fn inertia((value, terms): (f64, f64)) -> f64 {
    match is_rounding(value, terms) {
        true => 0.0,
        false => value,
    }
}

fn choose(evaluator: &mut Evaluator<'_>, inertias: &[f64]) -> Option<Independents> {
    let n = evaluator.equations().coordinates();
    let coordinate_units = or_one(units_of_inertia(inertias, &evaluator.velocity().jacobian));
    let mut rows = evaluator.position().jacobian.to_full().into_owned();
    let eliminated = eliminate(&mut rows, &coordinate_units);
    let dependent = |elimination: &Elimination, j: &usize| {
        elimination.column_order()[..elimination.rank()].contains(j)
    };
    let coordinates: Vec<usize> = (0..n).filter(|j| !dependent(&eliminated, j)).collect();
    let jacobian = evaluator.velocity().jacobian.to_full().into_owned();
    if evaluator.equations().speed_pattern().is_some() {
        let (in_speeds, speed_units) = in_speeds(evaluator, jacobian)?;
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
    unit_rows(&mut rows, &coordinate_units);
    let free = coordinates.len();
    let (rank, order) = (eliminated.rank(), eliminated.column_order());
    let mut reduced = vec![0.0; rows.len() / n.max(1) * free];
    let (mut room, mut way) = (vec![0.0; rank], vec![0.0; n]);
    for k in 0..n - rank {
        eliminated.free_vector(k, &mut room, &mut way);
        let place = coordinates.iter().position(|&j| j == order[rank + k])?;
        for (row, target) in rows.chunks_exact(n).zip(reduced.chunks_exact_mut(free)) {
            target[place] = dot(row, &way);
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
fn in_speeds(evaluator: &mut Evaluator<'_>, mut rows: Vec<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
    let n = evaluator.equations().coordinates();
    let mut inverse = SpeedInverse::of(evaluator.equations())?;
    let map = evaluator.speeds()?;
    inverse.factor(&map.matrix).then_some(())?;
    for row in rows.chunks_exact_mut(n) {
        inverse.solve_transposed(row).then_some(())?;
    }
    let mass = evaluator.canonical().mass.to_vec();
    let mut inertias = Vec::with_capacity(n);
    for j in 0..n {
        let mut rates = vec![0.0; n];
        rates[j] = 1.0;
        inverse.solve(&mut rates).then_some(())?;
        let mut sum = (0.0, 0.0);
        for (row, v) in mass.chunks_exact(n).zip(&rates) {
            for (m, w) in row.iter().zip(&rates) {
                sum.0 += m * v * w;
                sum.1 += (m * v * w).abs();
            }
        }
        inertias.push(inertia(sum));
    }
    let units = units_of_inertia(&inertias, &Matrix::full(rows.len() / n.max(1), n, &rows));
    Some((rows, or_one(units)))
}

/// One over the root of each inertia. What has none moves as far as rows let it while the others move by their units; twice
/// that, so that it depends on them rather than they on it.
pub(crate) fn units_of_inertia(inertias: &[f64], rows: &Matrix<'_>) -> Vec<Option<f64>> {
    let root = |own: &f64| (*own > 0.0).then(|| 1.0 / own.sqrt());
    let mut units: Vec<Option<f64>> = inertias.iter().map(root).collect();
    while units.contains(&None) {
        let mut found = units.clone();
        for row in 0..rows.rows() {
            let entries = || rows.stored(row).filter(|(_, a)| *a != 0.0);
            let known = entries().filter_map(|(j, a)| Some((a * units[j]?).abs()));
            let most = known.fold(0.0, f64::max);
            for (j, a) in entries().filter(|&(j, _)| most > 0.0 && units[j].is_none()) {
                let far = 2.0 * most / a.abs();
                found[j] = Some(found[j].map_or(far, |known| known.min(far)));
            }
        }
        if found == units {
            // Nothing tells.
            break;
        }
        units = found;
    }
    units
}

/// Where nothing tells a unit any will do.
fn or_one(units: Vec<Option<f64>>) -> Vec<f64> {
    units.into_iter().map(|unit| unit.unwrap_or(1.0)).collect()
}

fn eliminate(rows: &mut [f64], units: &[f64]) -> Elimination {
    unit_rows(rows, units);
    let n = units.len();
    let mut elimination = Elimination::new(rows.len().checked_div(n).unwrap_or(0), n);
    elimination.factor(rows, RANK);
    elimination
}
