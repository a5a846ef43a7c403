//! Velocities at the start.

use super::Assembler;
use super::words::{Party, Wording};
use crate::decide::{MET, PRODUCTS, ROUNDING, is_rounding};
use crate::diagnostic::{Diagnostic, Place};
use crate::equations::{Evaluator, Stored};
use crate::linear::Pattern;
use crate::lower::{Started, System};
use crate::sizes::{add_usual, faintly_coupled_sizes};
use crate::start::solved::{Found, Metric, Refused, Rows, Scales, Search};
use crate::start::{Moved, Start};
use crate::terms::{Terms, present};
use dalembert_expr::ExprId;
use std::sync::Arc;

/// Rounding of a row that tells a rate, beside what a row that does not hold misses by.
const TOLD: f64 = 10.0 * ROUNDING / MET;

/// A rate or speed that was given: row · q' + offset = value.
pub(super) struct Given {
    name: String,
    unit: Option<String>,
    place: Place,
    must: bool,
    /// The rate, if it is one.
    rate: Option<usize>,
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

    fn terms(&self, rates: &[f64]) -> f64 {
        let terms = self.row.iter().map(|&(j, a)| (a * rates[j]).abs());
        terms.sum::<f64>() + self.offset.abs() + self.value.abs()
    }
}

/// The rows of what is given, one after the other.
fn rows_of(given: &[&Given], n: usize, stored: Stored) -> (Pattern, Vec<f64>) {
    let columns = |given: &&Given| given.row.iter().map(|&(j, _)| j).collect();
    let list: Vec<Vec<usize>> = given.iter().map(columns).collect();
    let pattern = match stored {
        Stored::Full | Stored::Links => Pattern::full(given.len(), n),
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

/// What vanishes at velocity level, then given rates and speeds as rows, then what keeps the motion on a branch.
struct VelocityRows<'w, 'e> {
    evaluator: &'w mut Evaluator<'e>,
    system: &'w System,
    t: f64,
    q: &'w [f64],
    /// Of the slopes at q: one that is rounding beside them is zero, as sin(pi) is.
    slope_terms: Vec<f64>,
    /// Rows of the model: all, or none where only what is given counts.
    own: usize,
    given: Vec<&'w Given>,
    given_slopes: Vec<f64>,
    branches: &'w [Vec<f64>],
    pattern: Arc<Pattern>,
}

impl Rows for VelocityRows<'_, '_> {
    fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    fn known(&self, row: usize) -> Vec<usize> {
        if row < self.own {
            let row = self.evaluator.equations().velocity_rows()[row];
            let counts = self.evaluator.is_active(row);
            let jacobian = self.system.rows[row].jacobian.iter().filter(|_| counts);
            return jacobian.map(|&(j, _)| j).collect();
        }
        match self.given.get(row - self.own) {
            Some(given) => given.row.iter().map(|&(j, _)| j).collect(),
            None => (0..self.q.len()).collect(),
        }
    }

    fn at(&mut self, x: &[f64], residual: &mut Vec<f64>, slopes: &mut Vec<f64>) {
        residual.clear();
        slopes.clear();
        self.evaluator.set_position(self.t, self.q);
        if self.own > 0 {
            self.evaluator.set_rates(x);
            let found = self.evaluator.velocity();
            residual.extend_from_slice(found.values);
            slopes.extend(present(found.jacobian.values(), &self.slope_terms));
        }
        residual.extend(self.given.iter().map(|given| given.residual(x)));
        slopes.extend_from_slice(&self.given_slopes);
        if !self.branches.is_empty() {
            let (values, derivatives) = self.evaluator.branches(self.branches, x);
            residual.extend(values.iter().map(|(value, _)| value));
            slopes.extend(derivatives);
        }
    }

    fn terms(&mut self, x: &[f64]) -> Vec<f64> {
        let mut terms = Vec::new();
        if self.own > 0 {
            self.evaluator.set_position(self.t, self.q);
            self.evaluator.set_rates(x);
            terms = self.evaluator.velocity_sizes();
        }
        terms.extend(self.given.iter().map(|given| given.terms(x)));
        // A rate that is zero but for rounding is small beside the rates that rows couple it to.
        let (mut residual, mut slopes) = (Vec::new(), Vec::new());
        self.at(x, &mut residual, &mut slopes);
        let slopes = self.pattern.matrix(&slopes);
        let mut sizes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
        // Nor is it known better than rounding lets a row tell it.
        for (row, size) in terms.iter().enumerate().take(self.own) {
            for (j, slope) in slopes.stored(row).filter(|(_, slope)| *slope != 0.0) {
                sizes[j] = sizes[j].max(TOLD * size / slope.abs());
            }
        }
        add_usual(&mut terms, &slopes, &faintly_coupled_sizes(&slopes, &sizes));
        if !self.branches.is_empty() {
            let (values, _) = self.evaluator.branches(self.branches, x);
            terms.extend(values.iter().map(|(_, size)| size));
        }
        terms
    }
}

impl Assembler<'_> {
    /// Rates that meet all rows at velocity level, and the given rates and speeds.
    pub(in crate::start) fn velocities(
        &mut self,
        q: &[f64],
        sizes: &[f64],
        start: &mut Start,
    ) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let n = q.len();
        let given = self.given_velocities(q)?;
        let guessed = self.guessed(q, &given, sizes);
        let mut held = vec![false; n];
        let musts = || given.iter().filter(|given| given.must);
        musts()
            .filter_map(|given| given.rate)
            .for_each(|i| held[i] = true);
        let free: Vec<usize> = (0..n).filter(|&i| !held[i]).collect();
        let speeds: Vec<&Given> = musts().filter(|given| given.rate.is_none()).collect();
        let own = self.evaluator.equations().velocity_rows().len();

        let found = self.search_velocities((q, &guessed), &speeds, sizes, &[], |search| {
            let rows: Vec<usize> = (0..own + speeds.len()).collect();
            let found = search.solve(&rows, &free);
            match found.met() {
                true => Ok(found),
                false => Err(search.refuse(&rows, &free, &found)),
            }
        });
        let refuse = |refused| self.refuse_velocities(&refused, &given, &speeds);
        let found: Found = found.map_err(refuse)?;
        let found = self.on_a_branch((q, &guessed), (&speeds, &free), sizes, found, start)?;
        let flat = self.flat_rows((q, &guessed), sizes, &found.x);
        if !flat.is_empty() {
            return Err(flat);
        }
        let mut rates = found.x;
        self.evaluator.set_position(self.t, q);
        self.evaluator.set_rates(&rates);
        // What rounding leaves of slopes that cancel couples nothing.
        let terms = self.evaluator.velocity_terms().jacobian;
        let slopes = present(self.evaluator.velocity().jacobian.values(), &terms);
        let pattern = Arc::clone(self.evaluator.equations().velocity_pattern());
        let jacobian = pattern.matrix(&slopes);
        let mut usual = faintly_coupled_sizes(&jacobian, &rates);
        let larger = |(a, b): (&f64, &f64)| a.abs().max(b.abs());
        let asked: Vec<f64> = rates.iter().zip(&guessed).map(larger).collect();
        let asked = faintly_coupled_sizes(&jacobian, &asked);
        self.add_inertial_sizes(q, &rates, &mut usual);
        for ((rate, guess), size) in rates.iter_mut().zip(&guessed).zip(&usual) {
            if (*rate - guess).abs() <= PRODUCTS * size {
                *rate = *guess;
            }
        }
        let noise =
            |i: &usize| !held[*i] && rates[*i] != 0.0 && rates[*i].abs() <= PRODUCTS * asked[*i];
        let noise: Vec<usize> = (0..n).filter(noise).collect();
        self.settle(q, noise, &speeds, &mut rates);
        self.evaluator.set_position(self.t, q);
        self.evaluator.set_rates(&rates);
        let residuals = self.evaluator.velocity().values.iter();
        start.velocity_residual = residuals.fold(0.0, |a, r| r.abs().max(a));
        self.tell_velocities((&usual, &rates, &guessed), (&given, &held), start);
        Ok(rates)
    }

    /// Refuses rows that are not linear in the rates and say nothing of accelerations at these: the motion does not follow from them.
    fn flat_rows(
        &mut self,
        (q, guessed): (&[f64], &[f64]),
        sizes: &[f64],
        rates: &[f64],
    ) -> Vec<Diagnostic> {
        let (rows, system) = (self.evaluator.equations().velocity_rows(), self.system);
        let nonlinear = (0..rows.len()).filter(|&k| !system.rows[rows[k]].linear);
        let nonlinear: Vec<usize> = nonlinear.collect();
        if nonlinear.is_empty() {
            return Vec::new();
        }
        let flat = self.search_velocities((q, guessed), &[], sizes, &[], |search| {
            search.flat_rows(&nonlinear, rates)
        });
        let rows = self.evaluator.equations().velocity_rows();
        let refuse = |&k: &usize| self.refuse_flat(&system.rows[rows[k]]);
        flat.iter().map(refuse).collect()
    }

    /// Sets rates to zero that may be rounding of those that were asked for, where all rows are met as well without them: a rate
    /// that rows hold at zero has no sign.
    fn settle(&mut self, q: &[f64], mut noise: Vec<usize>, given: &[&Given], rates: &mut [f64]) {
        let rows = self.evaluator.equations().velocity_rows();
        self.evaluator.set_position(self.t, q);
        let mut misses = |rates: &[f64]| -> Vec<(f64, f64)> {
            self.evaluator.set_rates(rates);
            let terms = self.evaluator.velocity_sizes();
            let own = self.evaluator.velocity().values.iter().copied().zip(terms);
            let given = given.iter().map(|it| (it.residual(rates), it.terms(rates)));
            own.chain(given).collect()
        };
        let before = match noise.is_empty() {
            true => return,
            false => misses(rates),
        };
        while !noise.is_empty() {
            let mut still = rates.to_vec();
            noise.iter().for_each(|&i| still[i] = 0.0);
            let after = misses(&still);
            let is_worse = |k: &usize| {
                let ((was, beside), (is, terms)) = (before[*k], after[*k]);
                let as_well = is.abs() <= was.abs() && was.abs() <= MET * beside;
                !is_rounding(is, terms) && !as_well
            };
            let worse: Vec<usize> = (0..after.len()).filter(is_worse).collect();
            if worse.is_empty() {
                rates.copy_from_slice(&still);
                return;
            }
            // What stands in a row that is not met without it is a rate.
            let count = noise.len();
            noise.retain(|&i| {
                let stands = |&k: &usize| match rows.get(k) {
                    Some(&row) => self.system.rows[row].jacobian.iter().any(|&(j, _)| j == i),
                    None => given[k - rows.len()].row.iter().any(|&(j, _)| j == i),
                };
                !worse.iter().any(stands)
            });
            if noise.len() == count {
                return;
            }
        }
    }

    /// Adds the rate that each coordinate would have with all of the kinetic energy.
    fn add_inertial_sizes(&mut self, q: &[f64], rates: &[f64], sizes: &mut [f64]) {
        let diagonal = self.at_rest(q).canonical().mass.whole_diagonal();
        let inertia = |i: usize| diagonal[i].max(0.0);
        let energies = rates.iter().enumerate().map(|(i, x)| inertia(i) * x * x);
        let speed = energies.sum::<f64>().sqrt();
        for (i, size) in sizes.iter_mut().enumerate() {
            let rate = speed / inertia(i).sqrt();
            *size += if rate.is_finite() { rate } else { 0.0 };
        }
    }

    /// Notes which rates were found, and which of the given moved.
    fn tell_velocities(
        &self,
        (sizes, rates, guessed): (&[f64], &[f64], &[f64]),
        (given, held): (&[Given], &[bool]),
        start: &mut Start,
    ) {
        for (i, (&rate, &guess)) in rates.iter().zip(guessed).enumerate() {
            let size = rate.abs().max(guess.abs()).max(sizes[i]);
            if held[i] || (rate - guess).abs() <= MET * size {
                continue;
            }
            let name = format!("{}'", self.model.coordinates[i].0.text);
            start.solved.push((name.clone(), rate));
            if given.iter().any(|given| given.rate == Some(i)) {
                start.moved.push(Moved {
                    name,
                    given: guess,
                    found: rate,
                });
            }
        }
        for speed in given.iter().filter(|given| given.rate.is_none()) {
            let found = speed.value + speed.residual(rates);
            if (found - speed.value).abs() > MET * speed.terms(rates) {
                start.moved.push(Moved {
                    name: speed.name.clone(),
                    given: speed.value,
                    found,
                });
            }
        }
    }

    /// Looks for rates, with given ones as rows besides those of the model.
    pub(super) fn search_velocities<T>(
        &mut self,
        (q, guessed): (&[f64], &[f64]),
        given: &[&Given],
        sizes: &[f64],
        branches: &[Vec<f64>],
        look: impl FnOnce(&mut Search<'_>) -> T,
    ) -> T {
        let own = self.evaluator.equations().velocity_rows().len();
        let (mass_pattern, mass) = self.mass_at(q, own + given.len() + branches.len());
        let equations = self.evaluator.equations();
        let metric = Metric::definite(&mass_pattern, &mass, sizes, |_| true, |_| true);
        let (below, given_slopes) = rows_of(given, q.len(), equations.stored());
        let mut pattern = equations.velocity_pattern().stack(&below);
        if !branches.is_empty() {
            pattern = pattern.stack(&Pattern::full(branches.len(), q.len()));
        }
        let rows = equations.velocity_rows();
        let system = self.system;
        self.evaluator.set_position(self.t, q);
        self.evaluator.set_rates(guessed);
        let slope_terms = self.evaluator.velocity_terms().jacobian;
        let mut source = VelocityRows {
            slope_terms,
            own: rows.len(),
            evaluator: &mut self.evaluator,
            system,
            t: self.t,
            q,
            given: given.to_vec(),
            given_slopes,
            branches,
            pattern: Arc::new(pattern),
        };
        // Nothing but the rows tells how fast things move.
        let scales = Scales {
            sizes: sizes.to_vec(),
            open: vec![true; q.len()],
        };
        let mut search = Search::new(&mut source, guessed.to_vec(), metric, scales);
        search.one_try = rows.iter().all(|&row| system.rows[row].linear) && branches.is_empty();
        look(&mut search)
    }

    /// Rates nearest to all that is given of them, guesses too; 0 where nothing is.
    pub(in crate::start) fn guessed_rates(
        &mut self,
        q: &[f64],
    ) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let given = self.given_velocities(q)?;
        Ok(self.guessed(q, &given, &vec![1.0; q.len()]))
    }

    fn guessed(&mut self, q: &[f64], given: &[Given], sizes: &[f64]) -> Vec<f64> {
        let mut rates = vec![0.0; q.len()];
        let mut free = vec![true; q.len()];
        for given in given {
            if let Some(i) = given.rate {
                (rates[i], free[i]) = (given.value, false);
            }
        }
        let speeds: Vec<&Given> = given.iter().filter(|given| given.rate.is_none()).collect();
        if speeds.is_empty() {
            return rates;
        }
        let free: Vec<usize> = (0..q.len()).filter(|&i| free[i]).collect();
        let own = self.evaluator.equations().velocity_rows().len();
        self.search_velocities((q, &rates), &speeds, sizes, &[], |search| {
            let rows: Vec<usize> = (own..own + speeds.len()).collect();
            search.one_try = true;
            let found = search.solve(&rows, &free);
            if found.met() {
                return found.x;
            }
            // They contradict each other: what is a guess gives way, each by as little as the others let it.
            let is_guess = |row: &usize| !speeds[row - own].must;
            let (guesses, musts): (Vec<usize>, Vec<usize>) = rows.into_iter().partition(is_guess);
            search.given = search.solve(&musts, &free).x;
            search.between(&guesses, &free)
        })
    }

    fn given_velocities(&mut self, q: &[f64]) -> Result<Vec<Given>, Vec<Diagnostic>> {
        self.evaluator.set_position(self.t, q);
        let mut list = Vec::new();
        let system = self.system;
        let rates = system.start.rates.iter();
        let rates: Vec<_> = rates.filter(|(_, s)| s.value.is_some()).collect();
        let written: Vec<&Started> = rates.iter().map(|(_, started)| started).collect();
        for (&(i, ref started), value) in rates.into_iter().zip(self.numbers(&written, q)?) {
            list.push(Given {
                name: format!("{}'", self.model.coordinates[i].0.text),
                unit: self.units.rates[i].clone(),
                place: started.place.clone(),
                must: started.must,
                rate: Some(i),
                row: vec![(i, 1.0)],
                offset: 0.0,
                value,
            });
        }
        let wanted = system.start.velocities.iter().map(|said| {
            let slopes = said.slopes.iter().map(|&(_, slope)| slope);
            std::iter::once(said.offset).chain(slopes).collect()
        });
        let wanted: Vec<Vec<ExprId>> = wanted.collect();
        let terms = Terms::of_elements(&system.graph, &wanted);
        // cos(90°) is 6e-17: what is rounding of its terms tells nothing.
        let found = terms.measured(self.evaluator.value_of());
        let (found, sizes): (Vec<f64>, Vec<f64>) = found.unzip();
        let mut found = present(&found, &sizes).into_iter();
        for said in &system.start.velocities {
            let value = self.numbers(&[&said.started], q)?[0];
            let offset = found.next().unwrap_or(0.0);
            let columns = said.slopes.iter().map(|&(j, _)| j);
            let row: Vec<(usize, f64)> = columns.zip(found.by_ref()).collect();
            list.push(Given {
                name: said.name.clone(),
                unit: None,
                place: said.started.place.clone(),
                must: said.started.must,
                rate: None,
                row: row.into_iter().filter(|&(_, a)| a != 0.0).collect(),
                offset,
                value,
            });
        }
        let speeds = system.start.speeds.iter();
        let given: Vec<_> = speeds.filter(|(_, s)| s.value.is_some()).collect();
        let written: Vec<&Started> = given.iter().map(|(_, started)| started).collect();
        let values = self.numbers(&written, q)?;
        let Some(speeds) = self.evaluator.speeds() else {
            return Ok(list);
        };
        for (&(k, ref started), value) in given.into_iter().zip(values) {
            let row = speeds.matrix.stored(k).filter(|(_, a)| *a != 0.0).collect();
            list.push(Given {
                name: self.model.speeds[k].0.text.clone(),
                unit: self.units.speeds[k].clone(),
                place: started.place.clone(),
                must: started.must,
                rate: None,
                row,
                offset: speeds.offset[k],
                value,
            });
        }
        Ok(list)
    }

    fn refuse_velocities(
        &self,
        refused: &Refused,
        given: &[Given],
        speeds: &[&Given],
    ) -> Vec<Diagnostic> {
        let level = Wording {
            rows: self.evaluator.equations().velocity_rows(),
            near: "the given velocities",
            code: "E0506",
            cure: "make {} a guess",
        };
        let value = |it: &Given, found: f64| {
            Party::value(&it.name, it.unit.as_deref(), &it.place, [it.value, found])
        };
        let held = |i: usize, found: f64| {
            let given = given.iter().find(|given| given.rate == Some(i))?;
            Some(value(given, found))
        };
        let speed = |k: usize, miss: f64| {
            let given = speeds.get(k)?;
            Some(value(given, given.value + miss))
        };
        self.refuse(refused, &level, held, speed)
    }
}
