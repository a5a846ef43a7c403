//! Rows that are nearly dependent, and not by rounding: numbers of double precision would take them for one row.
//!
//! A formulation takes rows for dependent up to [`RANK`](crate::decide::RANK), because states are met as well as a step errs
//! only. Here, where the state is known to rounding, it is looked whether they are: the rank of the rows with a tolerance of
//! what rounding of their entries and of the state explains must be the same. Where it is not, neither at the start nor
//! beside it, the model says something that the numbers would not. (Where rows lose their rank at the start alone it is a change
//! point, and the state itself is known to half the digits.)
//!
//! Differences that are rounding are decided exactly where the coefficients are fractions of what the model says: at a random place
//! of few digits the rank of the rows in exact arithmetic is the one that numbers see there. So a run and a proof speak of the
//! same rows.

use super::State;
use crate::decide::{KNOWN, PRODUCTS, RANK};
use crate::diagnostic::Diagnostic;
use crate::equations::Evaluator;
use crate::linear::factorisation::RowTerms;
use crate::linear::factorisation::{RowReport, Tolerance};
use crate::linear::{CompleteOrthogonal, norm};
use crate::mechanism::Mechanism;
use crate::random;
use dalembert_expr::normal::{Field, Fraction};
use dalembert_expr::{ExprId, Rational, SymbolId, substitute};

/// States beside the start that are looked at.
const BESIDE: usize = 3;
/// Multiplications that rows which depend on each other may cost; of more it is not asked whether they do so by rounding.
const MOST: usize = 2_000_000_000;
/// Entries of dependent rows, at most, of which the rank is found exactly.
const MOST_EXACT: usize = 1000;
/// Binary digits that are taken off numbers, so that exact ones stay short.
const SHORTENED: u32 = 40;

const HELP: &str = "write rows that are the same or clearly different: compare their coefficients";

impl Mechanism {
    /// Refuses rows that formulations take for dependent though they are not.
    pub(crate) fn refuse_near_rows(&self, start: &State) -> Result<(), Vec<Diagnostic>> {
        if self.equations.rows() < 2 {
            return Ok(());
        }
        let mut evaluator = self.evaluator();
        let Some(near) = self.near_row(&mut evaluator, start) else {
            return self.refuse_hidden_rows(&mut evaluator, start);
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
        let place = self.model.constraints[row.constraint].holds.whole();
        Err(vec![Diagnostic::error("E0527", place, message, HELP)])
    }

    /// A row that is farther from the others than rounding explains, where formulations take it for dependent, and how far it is.
    fn near_row(&self, evaluator: &mut Evaluator<'_>, state: &State) -> Option<(usize, f64)> {
        let terms = set(evaluator, state);
        let reports = self.reports(evaluator, &terms)?;
        let members = members(&reports);
        let redundant = members.iter().filter(|&&row| reports[row].redundant);
        let rank = members.len() - redundant.count();
        let pattern = self.equations.row_pattern();
        let columns = pattern.columns_of_all(&members);
        let (count, n) = (members.len(), columns.len());
        if rank == 0 || count * count * n > MOST {
            return None;
        }
        let part = |values: &[f64]| pattern.matrix(values).block(&members, &columns);
        let now = evaluator.canonical();
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

    /// What formulations say of the rows at the state that is set.
    fn reports(&self, evaluator: &mut Evaluator<'_>, terms: &RowTerms) -> Option<Vec<RowReport>> {
        let mut factorisation = self.equations.factorisation(Tolerance::default());
        factorisation.measure_by(terms);
        let now = evaluator.canonical();
        let factored = factorisation.factor_any_rank(&now.mass, &now.jacobian);
        let mut reports = vec![RowReport::default(); now.jacobian.rows()];
        factored.ok().map(|()| {
            factorisation.report(&mut reports);
            for &row in evaluator.inactive_rows() {
                reports[row] = RowReport::INDEPENDENT;
            }
            reports
        })
    }

    /// Refuses rows that differ exactly where numbers see no difference at all.
    fn refuse_hidden_rows(
        &self,
        evaluator: &mut Evaluator<'_>,
        start: &State,
    ) -> Result<(), Vec<Diagnostic>> {
        let terms = set(evaluator, start);
        let reports = self.reports(evaluator, &terms).unwrap_or_default();
        let members = members(&reports);
        let of_members = members.iter().map(|&row| &self.system.rows[row].jacobian);
        if members.is_empty() || of_members.map(Vec::len).sum::<usize>() > MOST_EXACT {
            return Ok(());
        }
        let mut hidden = None;
        for trial in 0..2 {
            hidden = self.hidden_row(evaluator, &members, &self.place(start, trial));
            if hidden.is_none() {
                return Ok(());
            }
        }
        let row = &self.system.rows[hidden.unwrap_or(0)];
        let message = format!(
            "`{}` depends on other rows as far as numbers of double precision tell, but not exactly",
            row.name
        );
        let place = self.model.constraints[row.constraint].holds.whole();
        Err(vec![Diagnostic::error("E0527", place, message, HELP)])
    }

    /// A random place as far from a start as that is large, in numbers of few digits.
    fn place(&self, start: &State, trial: u64) -> State {
        let sizes = self.sizes(start);
        let short = |x: f64| f64::from_bits(x.to_bits() & !((1 << SHORTENED) - 1));
        let beside = |values: &[f64], sizes: &[f64], kind: u64| -> Vec<f64> {
            let pairs = values.iter().zip(sizes).enumerate();
            let moved = |(i, (x, size)): (usize, (&f64, &f64))| {
                short(x + size * random(3 * i as u64 + kind, trial))
            };
            pairs.map(moved).collect()
        };
        State {
            mode: start.mode.clone(),
            t: short(start.t + sizes.time * random(2, trial)),
            coordinates: beside(&start.coordinates, &sizes.coordinates, 0),
            rates: beside(&start.rates, &sizes.rates, 1),
        }
    }

    /// The row of these, at a place, that numbers take for dependent though exact arithmetic does not.
    fn hidden_row(
        &self,
        evaluator: &mut Evaluator<'_>,
        members: &[usize],
        place: &State,
    ) -> Option<usize> {
        set(evaluator, place);
        let units = self.inertial_units(place);
        let n = units.len();
        let now = evaluator.canonical();
        let mut unit = vec![0.0; members.len() * n];
        for (&row, entries) in members.iter().zip(unit.chunks_exact_mut(n)) {
            let stored = now.jacobian.stored(row);
            stored.for_each(|(column, value)| entries[column] = value * units[column]);
            let length = norm(entries).max(f64::MIN_POSITIVE);
            entries.iter_mut().for_each(|entry| *entry /= length);
        }
        if unit.iter().any(|entry| !entry.is_finite()) {
            return None;
        }
        let mut orthogonal = CompleteOrthogonal::new(members.len(), n);
        orthogonal.factor(&unit, 0.0);
        let clear = |k: &usize| orthogonal.pivot(*k).is_some_and(|(_, far)| far > RANK);
        let seen = (0..members.len()).take_while(clear).count();
        let exact = self.exact_rank(members, place)?;
        // Rows that are the same to the last digit have no order.
        let first = orthogonal
            .pivot(seen)
            .map_or(members.len() - 1, |(row, _)| row);
        (exact > seen).then(|| members[first])
    }

    /// The rank of rows at a place in exact arithmetic, if their entries are fractions there.
    fn exact_rank(&self, members: &[usize], place: &State) -> Option<usize> {
        let mut graph = self.system.graph.clone();
        let symbols = &self.system.symbols;
        let entries = members
            .iter()
            .flat_map(|&row| &self.system.rows[row].jacobian);
        let mut entries: Vec<ExprId> = entries.map(|&(_, entry)| entry).collect();
        // A parameter may be worth others, which come before it.
        for &i in self.system.parameter_order.iter().rev() {
            let parameter = graph.symbol_node(symbols.parameters[i]);
            let worth = self.system.parameters[i];
            entries = substitute(&mut graph, &entries, &[(parameter, worth)]);
        }
        let lists = [
            (&symbols.coordinates, &place.coordinates),
            (&symbols.rates, &place.rates),
        ];
        let known = lists
            .iter()
            .flat_map(|(symbols, values)| symbols.iter().zip(*values));
        let known: Vec<(SymbolId, f64)> = known
            .map(|(symbol, value)| (*symbol, *value))
            .chain([(symbols.time, place.t)])
            .collect();
        let mut values = Vec::new();
        for (symbol, value) in known {
            let number = graph.number(Rational::from_f64(value)?);
            values.push((graph.symbol_node(symbol), number));
        }
        let entries = substitute(&mut graph, &entries, &values);
        let mut field = Field::new();
        let taken = field.take_all(&graph, &entries);
        let mut taken = taken.into_iter();
        let mut rows = Vec::new();
        for &row in members {
            let mut line = vec![Fraction::zero(); symbols.coordinates.len()];
            for &(column, _) in &self.system.rows[row].jacobian {
                let entry = taken.next()?.ok()?;
                entry.as_number()?;
                line[column] = field.add(&line[column], &entry).ok()?;
            }
            rows.push(line);
        }
        let columns = symbols.coordinates.len();
        let echelon = field.echelon(&rows, columns, &[]).ok()?;
        Some(echelon.pivots.len())
    }
}

/// Goes to a state; the sizes of the terms of the rows there.
fn set(evaluator: &mut Evaluator<'_>, state: &State) -> RowTerms {
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    evaluator.row_terms()
}

/// The rows that depend on each other: one whose reaction is unique is clearly independent of all others.
fn members(reports: &[RowReport]) -> Vec<usize> {
    let rows = 0..reports.len();
    rows.filter(|&row| !reports[row].reaction_unique).collect()
}
