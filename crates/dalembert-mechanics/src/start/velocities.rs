//! Velocities at the start.

use super::newton::{self, Equation};
use super::{Assembler, Start, error};
use crate::diagnostic::{Diagnostic, Place};

/// A row that misses by more than this, measured by its terms, does not hold.
const HOLDS: f64 = 1e-10;
/// A rate that moved by less than this, measured by its size, did not move.
const MOVED: f64 = 1e-9;

/// A rate or speed that was given: row · q' + offset = value.
struct Given {
    what: String,
    place: Place,
    must: bool,
    row: Vec<f64>,
    offset: f64,
    value: f64,
}

impl Assembler<'_> {
    /// Rates that meet all rows at velocity level, and the given rates and speeds.
    pub(super) fn velocities(
        &mut self,
        q: &[f64],
        start: &mut Start,
    ) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let n = q.len();
        self.evaluator.set_position(self.t, q);
        let given = self.given_velocities(q)?;
        let mut rates = self.guessed_rates(q)?;
        let guessed = rates.clone();
        self.evaluator.set_rates(&rates);
        let metric = newton::definite(self.evaluator.canonical().mass, n);
        let musts: Vec<&Given> = given.iter().filter(|given| given.must).collect();
        let mut at = |x: &[f64]| {
            self.evaluator.set_rates(x);
            let found = self.evaluator.velocity();
            let (mut residual, mut jacobian) = (found.values.to_vec(), found.jacobian.to_vec());
            for must in &musts {
                let sum: f64 = must.row.iter().zip(x).map(|(a, b)| a * b).sum();
                residual.push(sum + must.offset - must.value);
                jacobian.extend(&must.row);
            }
            Equation { residual, jacobian }
        };
        let mut found = newton::solve(&mut rates, &metric, &mut at);
        // Rows that are not linear may be singular at rest: try from beside it.
        for attempt in 1..=3 {
            if found.relative(&rates) <= HOLDS {
                break;
            }
            let beside =
                |k: usize| guessed[k] + f64::from(attempt) * 0.3 * (1.0 + k as f64 * 2.7).sin();
            let mut beside: Vec<f64> = (0..n).map(beside).collect();
            let other = newton::solve(&mut beside, &metric, &mut at);
            if other.relative(&beside) < found.relative(&rates) {
                (found, rates) = (other, beside);
            }
        }
        if found.relative(&rates) > HOLDS {
            return Err(self.refuse_velocities(&found, &musts));
        }
        // What must be met is met to the last bit.
        for (i, started) in self
            .system
            .start
            .rates
            .iter()
            .filter(|(_, started)| started.must)
        {
            if let Some(expression) = started.value {
                rates[*i] = self.number(expression, q, started)?;
            }
        }
        let rows = self.evaluator.equations().velocity_rows().len();
        start.velocity_residual = found.residual[..rows]
            .iter()
            .fold(0.0, |largest, r| r.abs().max(largest));
        for (i, &rate) in rates.iter().enumerate() {
            let must = self
                .system
                .start
                .rates
                .iter()
                .any(|(at, started)| *at == i && started.must);
            if !must && (rate - guessed[i]).abs() > MOVED * (1.0 + guessed[i].abs()) {
                start
                    .solved
                    .push((format!("{}'", self.model.coordinates[i].0.text), rate));
            }
        }
        Ok(rates)
    }

    /// Rates nearest to all that is given of them, guesses too; 0 where nothing is.
    pub(super) fn guessed_rates(&mut self, q: &[f64]) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let n = q.len();
        self.evaluator.set_position(self.t, q);
        let given = self.given_velocities(q)?;
        let identity: Vec<f64> = (0..n * n)
            .map(|k| f64::from(u8::from(k % (n + 1) == 0)))
            .collect();
        let mut rates = vec![0.0; n];
        newton::solve(&mut rates, &identity, |x| Equation {
            residual: given
                .iter()
                .map(|g| g.row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>() + g.offset - g.value)
                .collect(),
            jacobian: given.iter().flat_map(|g| g.row.clone()).collect(),
        });
        Ok(rates)
    }

    fn given_velocities(&mut self, q: &[f64]) -> Result<Vec<Given>, Vec<Diagnostic>> {
        let n = q.len();
        let mut list = Vec::new();
        let start = &self.system.start;
        for (i, started) in &start.rates {
            let Some(expression) = started.value else {
                continue;
            };
            let value = self.number(expression, q, started)?;
            let row = (0..n).map(|j| f64::from(u8::from(j == *i))).collect();
            let what = format!("{}' = {value}", self.model.coordinates[*i].0.text);
            list.push(Given {
                what,
                place: started.place.clone(),
                must: started.must,
                row,
                offset: 0.0,
                value,
            });
        }
        for (k, started) in &start.speeds {
            let Some(expression) = started.value else {
                continue;
            };
            let value = self.number(expression, q, started)?;
            let Some(speeds) = self.evaluator.speeds() else {
                continue;
            };
            let (row, offset) = (
                speeds.matrix[k * n..(k + 1) * n].to_vec(),
                speeds.offset[*k],
            );
            let what = format!("{} = {value}", self.model.speeds[*k].0.text);
            list.push(Given {
                what,
                place: started.place.clone(),
                must: started.must,
                row,
                offset,
                value,
            });
        }
        Ok(list)
    }

    fn refuse_velocities(&self, found: &Equation, musts: &[&Given]) -> Vec<Diagnostic> {
        let largest = found.residual.iter().fold(0.0_f64, |a, r| a.max(r.abs()));
        let velocity_rows = self.evaluator.equations().velocity_rows();
        let missed =
            |i: &usize| found.is_undefined(*i) || found.residual[*i].abs() >= 1e-3 * largest;
        let given: Vec<&str> = musts.iter().map(|must| must.what.as_str()).collect();
        let help = if given.is_empty() {
            "no velocities near the given ones meet all constraints; give guesses in [start]"
                .to_owned()
        } else {
            let which = if given.len() == 1 {
                "it"
            } else {
                "one of them"
            };
            format!("given: {}; make {which} a guess", given.join(", "))
        };
        let mut diagnostics = Vec::new();
        for i in (0..found.residual.len()).filter(missed) {
            let miss = found.residual[i];
            diagnostics.push(match velocity_rows.get(i) {
                Some(&row) if found.is_undefined(i) => {
                    self.undefined(&self.system.rows[row], "the given velocities")
                }
                Some(&row) => {
                    let row = &self.system.rows[row];
                    let message = format!(
                        "the start velocities do not meet `{}`: it misses by {miss:.3e}",
                        row.name
                    );
                    error(
                        "E0506",
                        message,
                        help.clone(),
                        self.model.constraints[row.constraint].holds.whole(),
                    )
                }
                None => {
                    let must = musts[i - velocity_rows.len()];
                    let message = format!(
                        "`{}` cannot be met at the start: it misses by {miss:.3e}",
                        must.what
                    );
                    error("E0506", message, help.clone(), must.place.clone())
                }
            });
        }
        diagnostics
    }
}
