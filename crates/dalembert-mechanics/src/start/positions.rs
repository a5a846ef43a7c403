//! Positions at the start.

use super::newton::{self, Equation, Metric};
use super::{Assembler, Start, error};
use crate::diagnostic::Diagnostic;
use crate::equations::Stored;
use crate::formulation::{Factorisation, RowReport, Tolerance};
use crate::linear::Pattern;
use std::sync::Arc;

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
        let equations = self.evaluator.equations();
        let (mass, places) = equations.mass_pattern().select_columns(&free);
        let values = self.evaluator.canonical().mass.values();
        let values = places.iter().map(|&place| values[place]).collect();
        let metric = Metric::definite(Arc::new(mass), values);
        let mut moving: Vec<f64> = free.iter().map(|&i| q[i]).collect();
        let (pattern, places) = equations.position_pattern().select_columns(&free);
        let pattern = Arc::new(pattern);
        let fixed = q.clone();
        let mut at = |x: &[f64]| {
            let mut q = fixed.clone();
            free.iter().zip(x).for_each(|(&i, &x)| q[i] = x);
            self.evaluator.set_position(self.t, &q);
            let found = self.evaluator.position();
            Equation {
                given: (0..found.values.len())
                    .map(|row| found.jacobian.size_along(row, &q))
                    .collect(),
                residual: found.values.to_vec(),
                pattern: Arc::clone(&pattern),
                jacobian: places
                    .iter()
                    .map(|&place| found.jacobian.values()[place])
                    .collect(),
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
        let equations = self.evaluator.equations();
        let position_rows = equations.position_rows();
        let slopes = self.evaluator.position().jacobian.values().to_vec();
        let jacobian = equations.position_pattern().matrix(&slopes);
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
            let held: Vec<String> = jacobian
                .stored(place)
                .filter(|&(i, slope)| slope.abs() > 0.0 && self.system.start.coordinates[i].must)
                .filter_map(|(i, _)| {
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
        let mut largest = |q: &[f64]| -> Vec<f64> {
            self.evaluator.set_position(self.t, q);
            let jacobian = self.evaluator.position().jacobian;
            let steepest = |row| {
                let slopes = jacobian.stored(row);
                slopes.fold(0.0_f64, |a, (_, slope)| a.max(slope.abs()))
            };
            (0..jacobian.rows()).map(steepest).collect()
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
        // Columns as rows: a column that depends on those before it leaves its "?" open.
        let jacobian = self.evaluator.position().jacobian;
        let rows = jacobian.rows();
        let mut number = vec![None; n];
        for (k, &i) in unknown.iter().enumerate() {
            number[i] = Some(k);
        }
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); unknown.len()];
        for row in 0..rows {
            for (column, value) in jacobian.stored(row) {
                if let Some(k) = number[column] {
                    columns[k].push((row, value));
                }
            }
        }
        let stored = self.evaluator.equations().stored();
        let identity = Metric::identity(rows, stored);
        let list: Vec<Vec<usize>> = columns
            .iter()
            .map(|column| column.iter().map(|&(row, _)| row).collect())
            .collect();
        let transposed = Arc::new(match stored {
            Stored::Full => Pattern::full(unknown.len(), rows),
            Stored::Compressed => Pattern::compressed(rows, &list),
        });
        let values: Vec<f64> = columns.iter().flatten().map(|&(_, value)| value).collect();
        let mut reports = vec![RowReport::default(); unknown.len()];
        let found = Factorisation::of(&identity.pattern, &transposed, Tolerance::default());
        let determined = found.is_some_and(|mut factorisation| {
            let metric = identity.pattern.matrix(&identity.values);
            let matrix = transposed.matrix(&values);
            let factored = rows > 0 && factorisation.factor_any_rank(&metric, &matrix).is_ok();
            if factored {
                factorisation.report(&mut reports);
            }
            factored
        });
        let open: Vec<usize> = unknown
            .iter()
            .zip(&reports)
            .filter(|(_, report)| !determined || report.redundant)
            .map(|(&i, _)| i)
            .collect();
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
