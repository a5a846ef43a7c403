//! Velocities at the start.

use super::newton::{self, Equation, Metric};
use super::{Assembler, Start, error};
use crate::diagnostic::{Diagnostic, Place};
use crate::equations::Stored;
use crate::linear::Pattern;
use crate::lower::Started;
use std::sync::Arc;

/// A row that misses by more than this, measured by its terms, does not hold.
const HOLDS: f64 = 1e-10;
/// A rate that moved by less than this, measured by its size, did not move.
const MOVED: f64 = 1e-9;

/// A rate or speed that was given: row · q' + offset = value.
struct Given {
    what: String,
    place: Place,
    must: bool,
    row: Vec<(usize, f64)>,
    offset: f64,
    value: f64,
}

impl Given {
    /// row · q' + offset − value.
    fn residual(&self, rates: &[f64]) -> f64 {
        let sum: f64 = self.row.iter().map(|&(j, a)| a * rates[j]).sum();
        sum + self.offset - self.value
    }
}

/// The rows of what is given, one after the other.
fn rows_of(given: &[&Given], n: usize, stored: Stored) -> (Pattern, Vec<f64>) {
    let columns = |given: &&Given| given.row.iter().map(|&(j, _)| j).collect();
    let list: Vec<Vec<usize>> = given.iter().map(columns).collect();
    let pattern = match stored {
        Stored::Full => Pattern::full(given.len(), n),
        Stored::Compressed => Pattern::compressed(n, &list),
    };
    let mut values = vec![0.0; pattern.size()];
    for (i, given) in given.iter().enumerate() {
        for &(j, a) in &given.row {
            if let Some(place) = pattern.place(i, j) {
                values[place] = a;
            }
        }
    }
    (pattern, values)
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
        let equations = self.evaluator.equations();
        let mass = self.evaluator.canonical().mass.values().to_vec();
        let metric = Metric::definite(Arc::clone(equations.mass_pattern()), mass);
        let musts: Vec<&Given> = given.iter().filter(|given| given.must).collect();
        let (below, must_rows) = rows_of(&musts, n, equations.stored());
        let pattern = Arc::new(equations.velocity_pattern().stack(&below));
        let mut at = |x: &[f64]| {
            self.evaluator.set_rates(x);
            let found = self.evaluator.velocity();
            let must = musts.iter().map(|must| must.residual(x));
            Equation {
                residual: found.values.iter().copied().chain(must).collect(),
                pattern: Arc::clone(&pattern),
                jacobian: [found.jacobian.values(), &must_rows].concat(),
                given: Vec::new(),
            }
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
        for (given, (i, _)) in given.iter().zip(self.given_rates()) {
            if given.must {
                rates[i] = given.value;
            }
        }
        let rows = self.evaluator.equations().velocity_rows().len();
        start.velocity_residual = found.residual[..rows]
            .iter()
            .fold(0.0, |largest, r| r.abs().max(largest));
        let mut must = vec![false; n];
        for (i, started) in &self.system.start.rates {
            must[*i] |= started.must;
        }
        for (i, &rate) in rates.iter().enumerate() {
            if !must[i] && (rate - guessed[i]).abs() > MOVED * (1.0 + guessed[i].abs()) {
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
        let given: Vec<&Given> = given.iter().collect();
        let stored = self.evaluator.equations().stored();
        let (pattern, jacobian) = rows_of(&given, n, stored);
        let pattern = Arc::new(pattern);
        let mut rates = vec![0.0; n];
        newton::solve(&mut rates, &Metric::identity(n, stored), |x| Equation {
            residual: given.iter().map(|given| given.residual(x)).collect(),
            pattern: Arc::clone(&pattern),
            jacobian: jacobian.clone(),
            given: Vec::new(),
        });
        Ok(rates)
    }

    fn given_velocities(&mut self, q: &[f64]) -> Result<Vec<Given>, Vec<Diagnostic>> {
        let mut list = Vec::new();
        let rates: Vec<(usize, &Started)> = self.given_rates().collect();
        let written: Vec<&Started> = rates.iter().map(|&(_, started)| started).collect();
        for ((i, started), value) in rates.into_iter().zip(self.numbers(&written, q)?) {
            let what = format!("{}' = {value}", self.model.coordinates[i].0.text);
            list.push(Given {
                what,
                place: started.place.clone(),
                must: started.must,
                row: vec![(i, 1.0)],
                offset: 0.0,
                value,
            });
        }
        let speeds = self.system.start.speeds.iter();
        let given: Vec<_> = speeds.filter(|(_, s)| s.value.is_some()).collect();
        let written: Vec<&Started> = given.iter().map(|(_, started)| started).collect();
        let values = self.numbers(&written, q)?;
        let Some(speeds) = self.evaluator.speeds() else {
            return Ok(list);
        };
        for (&(k, ref started), value) in given.into_iter().zip(values) {
            let row = speeds.matrix.stored(k).filter(|(_, a)| *a != 0.0).collect();
            let offset = speeds.offset[k];
            let what = format!("{} = {value}", self.model.speeds[k].0.text);
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

    /// Rates that have a value.
    fn given_rates(&self) -> impl Iterator<Item = (usize, &Started)> {
        let rates = self.system.start.rates.iter();
        rates.filter_map(|(i, started)| started.value.map(|_| (*i, started)))
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
