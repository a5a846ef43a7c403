//! Rows that are nearly dependent, and not by rounding: numbers of double precision would take them for one row.
//!
//! A formulation takes rows for dependent up to [`RANK`](crate::decide::RANK), because states are met as well as a step errs
//! only. Here, where the state is known to rounding, it is looked whether they are: the rank of the rows with a tolerance of
//! what rounding of their entries and of the state explains must be the same. Where it is not, neither at the start nor
//! beside it, the model says something that the numbers would not. (Where rows lose their rank at the start alone it is a change
//! point, and the state itself is known to half the digits.)

use super::State;
use crate::decide::{KNOWN, PRODUCTS};
use crate::diagnostic::Diagnostic;
use crate::equations::Evaluator;
use crate::factorisation::{RowReport, Tolerance};
use crate::linear::{CompleteOrthogonal, norm};
use crate::mechanism::Mechanism;

/// States beside the start that are looked at.
const BESIDE: usize = 3;
/// Multiplications that rows which depend on each other may cost; of more it is not asked whether they do so by rounding.
const MOST: usize = 2_000_000_000;

impl Mechanism {
    /// Refuses rows that formulations take for dependent though they are not.
    pub(crate) fn refuse_near_rows(&self, start: &State) -> Result<(), Vec<Diagnostic>> {
        if self.equations.rows() < 2 {
            return Ok(());
        }
        let mut evaluator = self.evaluator();
        let Some(near) = self.near_row(&mut evaluator, start) else {
            return Ok(());
        };
        let beside = self.states_around(start, BESIDE);
        if beside
            .iter()
            .any(|state| self.near_row(&mut evaluator, state).is_none())
        {
            return Ok(());
        }
        let (row, distance) = near;
        let row = &self.system.rows[row];
        let message = format!(
            "`{}` depends on other rows but for {distance:.0e} of its length: more than rounding, and too little for numbers",
            row.name
        );
        let help = "write rows that are the same or clearly different: compare their coefficients";
        let place = self.model.constraints[row.constraint].holds.whole();
        Err(vec![Diagnostic::error("E0527", place, message, help)])
    }

    /// A row that is farther from the others than rounding explains, where formulations take it for dependent, and how far it is.
    fn near_row(&self, evaluator: &mut Evaluator<'_>, state: &State) -> Option<(usize, f64)> {
        evaluator.set_position(state.t, &state.coordinates);
        evaluator.set_rates(&state.rates);
        let terms = evaluator.row_terms();
        let mut factorisation = self.equations.factorisation(Tolerance::default());
        factorisation.measure_by(&terms);
        let now = evaluator.canonical();
        factorisation
            .factor_any_rank(&now.mass, &now.jacobian)
            .ok()?;
        let mut reports = vec![RowReport::default(); now.jacobian.rows()];
        factorisation.report(&mut reports);
        // A row whose reaction is unique is clearly independent of all others.
        let members: Vec<usize> = (0..reports.len())
            .filter(|&row| !reports[row].reaction_unique)
            .collect();
        let redundant = members.iter().filter(|&&row| reports[row].redundant);
        let rank = members.len() - redundant.count();
        let pattern = self.equations.row_pattern();
        let mut columns: Vec<usize> = members
            .iter()
            .flat_map(|&row| pattern.columns_of(row))
            .collect();
        columns.sort_unstable();
        columns.dedup();
        let (count, n) = (members.len(), columns.len());
        if rank == 0 || count * count * n > MOST {
            return None;
        }
        let part = |values: &[f64]| {
            let matrix = pattern.matrix(values);
            let mut part = vec![0.0; count * n];
            for (&row, entries) in members.iter().zip(part.chunks_exact_mut(n)) {
                for (column, value) in matrix.stored(row) {
                    if let Ok(j) = columns.binary_search(&column) {
                        entries[j] = value;
                    }
                }
            }
            part
        };
        let (rows, terms) = (part(now.jacobian.values()), part(&terms.jacobian));
        // What rounding of the state makes of the rows.
        let sizes = self.sizes(state).coordinates;
        let shaken = state.coordinates.iter().zip(&sizes).enumerate();
        let shaken = shaken.map(|(j, (x, size))| {
            let towards = if j.is_multiple_of(2) { 1.0 } else { -1.0 };
            x + towards * KNOWN * size
        });
        evaluator.set_position(state.t, &shaken.collect::<Vec<f64>>());
        let elsewhere = part(evaluator.canonical().jacobian.values());
        let units = self.inertial_units(state);
        let units: Vec<f64> = columns.iter().map(|&j| units[j]).collect();
        let (mut unit, mut noise) = (rows.clone(), 0.0_f64);
        for (i, row) in unit.chunks_exact_mut(n).enumerate() {
            row.iter_mut().zip(&units).for_each(|(a, unit)| *a *= unit);
            let length = norm(row);
            let unsure = |j: usize| {
                let moved = (elsewhere[i * n + j] - rows[i * n + j]).abs();
                (PRODUCTS * terms[i * n + j] + moved) * units[j]
            };
            let unsure: f64 = (0..n).map(unsure).sum();
            if length <= unsure {
                row.fill(0.0);
                continue;
            }
            noise = noise.max(unsure / length);
            row.iter_mut().for_each(|a| *a /= length);
        }
        let mut orthogonal = CompleteOrthogonal::new(count, n);
        orthogonal.factor(&unit, 0.0);
        let distance = |k: usize| orthogonal.pivot(k).map_or(0.0, |(_, distance)| distance);
        // Rows that are near each other tell the span of all with as much less precision.
        let explained = count as f64 * noise / distance(rank - 1);
        let first = orthogonal.pivot(rank);
        let near = first.filter(|(_, distance)| *distance > explained);
        near.map(|(row, distance)| (members[row], distance))
    }
}
