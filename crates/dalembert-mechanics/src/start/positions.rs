//! Positions at the start.

use super::newton::{self, Equation};
use super::{Assembler, Start, error};
use crate::diagnostic::Diagnostic;
use crate::formulation::{Factorisation, RowReport, Tolerance};

/// A position row that misses by more than this, measured by its terms, does not hold.
const HOLDS: f64 = 1e-10;
/// A gradient smaller than this, beside that of a state nearby, has vanished.
const GRADIENT: f64 = 1e-4;
/// A value that moved by less than this, measured by its size, did not move.
const MOVED: f64 = 1e-9;

impl Assembler<'_> {
    /// Coordinates that meet the position rows.
    pub(super) fn positions(&mut self, start: &mut Start) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let given = self.given_coordinates()?;
        let n = given.len();
        let mut q: Vec<f64> = given.iter().map(|value| value.unwrap_or(0.0)).collect();
        let must = |i: usize| self.system.start.coordinates[i].must && given[i].is_some();
        let free: Vec<usize> = (0..n).filter(|&i| !must(i)).collect();

        self.evaluator.set_position(self.t, &q);
        self.evaluator.set_rates(&vec![0.0; n]);
        let metric = submatrix(self.evaluator.canonical().mass, n, &free);
        let metric = newton::definite(&metric, free.len());
        let mut moving: Vec<f64> = free.iter().map(|&i| q[i]).collect();
        let rows = self.evaluator.equations().position_rows().len();
        let fixed = q.clone();
        let mut at = |x: &[f64]| {
            let mut q = fixed.clone();
            free.iter().zip(x).for_each(|(&i, &x)| q[i] = x);
            self.evaluator.set_position(self.t, &q);
            let found = self.evaluator.position();
            Equation {
                residual: found.values.to_vec(),
                jacobian: columns(found.jacobian, rows, n, &free),
            }
        };
        let mut found = newton::solve(&mut moving, &metric, &mut at);
        // A start where the rows are singular, such as all zeros, may hold Newton up: try from beside it.
        for attempt in 1..=3 {
            if found.relative(&moving) <= HOLDS || free.is_empty() {
                break;
            }
            let mut beside: Vec<f64> = free
                .iter()
                .enumerate()
                .map(|(k, &i)| fixed[i] + f64::from(attempt) * 0.3 * (1.0 + k as f64 * 2.7).sin())
                .collect();
            let other = newton::solve(&mut beside, &metric, &mut at);
            if other.relative(&beside) < found.relative(&moving) {
                (found, moving) = (other, beside);
            }
        }
        free.iter().zip(&moving).for_each(|(&i, &x)| q[i] = x);
        self.evaluator.set_position(self.t, &q);
        start.position_residual = found
            .residual
            .iter()
            .fold(0.0, |largest, r| r.abs().max(largest));
        if found.relative(&moving) > HOLDS || !q.iter().all(|x| x.is_finite()) {
            return Err(self.refuse_positions(&found, &given));
        }
        self.refuse_singular(&q)?;
        self.refuse_undetermined(&given)?;
        for (i, value) in given.iter().enumerate() {
            let moved =
                value.is_none_or(|value| (q[i] - value).abs() > MOVED * (1.0 + value.abs()));
            if moved {
                start
                    .solved
                    .push((self.model.coordinates[i].0.text.clone(), q[i]));
            }
        }
        Ok(q)
    }

    /// Says which rows are missed by how much, and which values hold them up.
    fn refuse_positions(&mut self, found: &Equation, given: &[Option<f64>]) -> Vec<Diagnostic> {
        let n = given.len();
        let position_rows = self.evaluator.equations().position_rows().to_vec();
        let jacobian = self.evaluator.position().jacobian.to_vec();
        let largest = found.residual.iter().fold(0.0_f64, |a, r| a.max(r.abs()));
        let mut diagnostics = Vec::new();
        let missed: Vec<String> = position_rows
            .iter()
            .zip(&found.residual)
            .filter(|(_, residual)| residual.abs() >= 1e-3 * largest)
            .map(|(&row, _)| format!("`{}`", self.system.rows[row].name))
            .collect();
        for (place, &row) in position_rows.iter().enumerate() {
            let undefined = found.is_undefined(place);
            if !undefined && found.residual[place].abs() < 1e-3 * largest {
                continue;
            }
            let row = &self.system.rows[row];
            if undefined {
                diagnostics.push(self.undefined(row, "the given start"));
                continue;
            }
            let held: Vec<String> = (0..n)
                .filter(|&i| {
                    jacobian[place * n + i].abs() > 0.0 && self.system.start.coordinates[i].must
                })
                .filter_map(|i| {
                    Some(format!(
                        "{} = {}",
                        self.model.coordinates[i].0.text, given[i]?
                    ))
                })
                .collect();
            let message = format!(
                "the start does not meet `{}`: it misses by {:.3e}",
                row.name, found.residual[place]
            );
            let help = if held.is_empty() && missed.len() > 1 {
                let rows = missed.join(", ");
                format!(
                    "{rows} cannot all hold near the given values: take one away, or give other guesses"
                )
            } else if held.is_empty() {
                "no start near the given values meets all constraints; give other guesses"
                    .to_owned()
            } else {
                format!(
                    "given: {}; make one of them \"?\" or a guess",
                    held.join(", ")
                )
            };
            let place = self.model.constraints[row.constraint].holds.whole();
            diagnostics.push(error("E0504", message, help, place));
        }
        diagnostics
    }

    /// A row whose gradient vanishes at the start, as (x − 1)² = 0 does, exerts no reaction there.
    /// It vanishes if it is tiny beside what it is a hundredth away, whatever the row is multiplied by.
    fn refuse_singular(&mut self, q: &[f64]) -> Result<(), Vec<Diagnostic>> {
        let rows = self.evaluator.equations().position_rows().to_vec();
        let n = q.len();
        let mut largest = |q: &[f64]| -> Vec<f64> {
            self.evaluator.set_position(self.t, q);
            let rows = self.evaluator.position().jacobian.chunks_exact(n.max(1));
            rows.map(|row| row.iter().fold(0.0_f64, |a, slope| a.max(slope.abs())))
                .collect()
        };
        let beside: Vec<f64> = q
            .iter()
            .enumerate()
            .map(|(i, x)| x + 0.01 * (1.0 + x.abs()) * (1.0 + i as f64 * 2.7).sin())
            .collect();
        let (away, here) = (largest(&beside), largest(q));
        let vanishes = |place: usize| here[place] < GRADIENT * away[place];
        let mut diagnostics = Vec::new();
        for (place, row) in rows.into_iter().enumerate() {
            let row = &self.system.rows[row];
            if !row.jacobian.is_empty() && vanishes(place) {
                let message = format!(
                    "`{}` is singular at the start: its derivative by every coordinate is zero",
                    row.name
                );
                let help =
                    "write it so that its gradient does not vanish: x - 1 = 0, not (x - 1)^2 = 0";
                let place = self.model.constraints[row.constraint].holds.whole();
                diagnostics.push(error("E0508", message, help, place));
            }
        }
        if diagnostics.is_empty() {
            Ok(())
        } else {
            Err(diagnostics)
        }
    }

    /// Each "?" must be determined by the position rows.
    fn refuse_undetermined(&mut self, given: &[Option<f64>]) -> Result<(), Vec<Diagnostic>> {
        let n = given.len();
        let unknown: Vec<usize> = (0..n).filter(|&i| given[i].is_none()).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let rows = self.evaluator.equations().position_rows().len();
        let jacobian = self.evaluator.position().jacobian;
        // Columns as rows: a column that depends on those before it leaves its "?" open.
        let transposed: Vec<f64> = unknown
            .iter()
            .flat_map(|&i| (0..rows).map(move |row| jacobian[row * n + i]))
            .collect();
        let mut reports = vec![RowReport::default(); unknown.len()];
        let identity: Vec<f64> = (0..rows * rows)
            .map(|k| f64::from(u8::from(k % (rows + 1) == 0)))
            .collect();
        let mut factorisation = Factorisation::new(rows, unknown.len(), Tolerance::default());
        let open: Vec<usize> = if rows == 0
            || factorisation
                .factor_any_rank(&identity, &transposed)
                .is_err()
        {
            unknown
        } else {
            factorisation.report(&mut reports);
            unknown
                .iter()
                .zip(&reports)
                .filter(|(_, report)| report.redundant)
                .map(|(&i, _)| i)
                .collect()
        };
        if open.is_empty() {
            return Ok(());
        }
        let refuse = |&i: &usize| {
            let name = &self.model.coordinates[i].0.text;
            let message = format!("nothing determines the start value of `{name}`");
            let help = "give it a value, or a position constraint that leaves it no choice";
            error(
                "E0505",
                message,
                help,
                self.system.start.coordinates[i].place.clone(),
            )
        };
        Err(open.iter().map(refuse).collect())
    }
}

/// Rows and columns of a square matrix.
pub(super) fn submatrix(matrix: &[f64], n: usize, chosen: &[usize]) -> Vec<f64> {
    chosen
        .iter()
        .flat_map(|&i| chosen.iter().map(move |&j| matrix[i * n + j]))
        .collect()
}

/// Columns of a matrix of `rows` rows.
fn columns(matrix: &[f64], rows: usize, n: usize, chosen: &[usize]) -> Vec<f64> {
    (0..rows)
        .flat_map(|row| chosen.iter().map(move |&j| matrix[row * n + j]))
        .collect()
}
