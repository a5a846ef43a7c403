//! Positions at the start.

use super::words::{Party, Wording, shown, shown_in};
use super::{Assembler, error};
use crate::decide::{CLEAR, MET, PRODUCTS, SOLVED, is_rounding};
use crate::diagnostic::Diagnostic;
use crate::equations::{Evaluator, Stored};
use crate::independents::{inertias, units_of_inertia};
use crate::linear::Pattern;
use crate::linear::factorisation::RowTerms;
use crate::lower::{Said, Started, System};
use crate::sizes::{add_usual, faintly_coupled_sizes, like_sizes, natural_sizes};
use crate::start::solved::{Metric, Refused, Rows, Scales, Search};
use crate::start::{Moved, Start};
use crate::terms::present;
use dalembert_expr::{Cone, ExprId, Graph, SymbolKind, evaluate};
use std::sync::Arc;

/// φ(q, t) of the position rows, then what is said of positions otherwise: s(q, t) − value.
struct PositionRows<'w, 'e> {
    evaluator: &'w mut Evaluator<'e>,
    system: &'w System,
    /// What is said otherwise is written here.
    graph: &'w Graph,
    t: f64,
    natural: &'w [Option<f64>],
    /// How large the coordinates are.
    sizes: &'w [f64],
    said: &'w [(&'w Said, f64)],
    pattern: Arc<Pattern>,
}

impl PositionRows<'_, '_> {
    /// What is said otherwise at the position that is set: values, and slopes of each.
    fn otherwise(&self) -> Vec<(f64, Vec<(usize, f64)>)> {
        let (graph, value_of) = (self.graph, self.evaluator.value_of());
        let row = |&(said, value): &(&Said, f64)| {
            let slopes = said.slopes.iter().map(|&(_, slope)| slope);
            let wanted: Vec<ExprId> = std::iter::once(said.expression).chain(slopes).collect();
            let found = evaluate(graph, &wanted, &value_of);
            let columns = said.slopes.iter().map(|&(j, _)| j);
            let slopes = columns.zip(found[1..].iter().copied()).collect();
            (found[0] - value, slopes)
        };
        self.said.iter().map(row).collect()
    }

    /// Rows of the model.
    fn own(&self) -> usize {
        self.evaluator.equations().position_rows().len()
    }
}

impl Rows for PositionRows<'_, '_> {
    fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    fn known(&self, row: usize) -> Vec<usize> {
        if let Some((said, _)) = row.checked_sub(self.own()).and_then(|k| self.said.get(k)) {
            return said.slopes.iter().map(|&(j, _)| j).collect();
        }
        let row = self.evaluator.equations().position_rows()[row];
        let counts = self.evaluator.is_active(row);
        let jacobian = self.system.rows[row].jacobian.iter().filter(|_| counts);
        jacobian.map(|&(j, _)| j).collect()
    }

    fn at(&mut self, x: &[f64], residual: &mut Vec<f64>, slopes: &mut Vec<f64>) {
        self.evaluator.set_position(self.t, x);
        let found = self.evaluator.position();
        residual.clear();
        residual.extend_from_slice(found.values);
        slopes.clear();
        slopes.extend_from_slice(found.jacobian.values());
        slopes.resize(self.pattern.size(), 0.0);
        for (k, (value, own)) in self.otherwise().into_iter().enumerate() {
            residual.push(value);
            for (j, slope) in own {
                if let Some(place) = self.pattern.place(self.own() + k, j) {
                    slopes[place] = slope;
                }
            }
        }
    }

    /// A coordinate whose slopes cancel, as of one that carries a whole loop along, is coupled to nothing.
    fn present_slopes(&mut self, x: &[f64]) -> Vec<f64> {
        self.evaluator.set_position(self.t, x);
        let RowTerms { jacobian, .. } = self.evaluator.position_terms();
        let mut slopes = present(self.evaluator.position().jacobian.values(), &jacobian);
        slopes.resize(self.pattern.size(), 0.0);
        for (k, (_, own)) in self.otherwise().into_iter().enumerate() {
            for (j, slope) in own {
                if let Some(place) = self.pattern.place(self.own() + k, j) {
                    slopes[place] = slope;
                }
            }
        }
        slopes
    }

    fn terms(&mut self, x: &[f64]) -> Vec<f64> {
        let slopes = self.present_slopes(x);
        let mut bias = self.evaluator.position_sizes();
        for (k, (miss, _)) in self.otherwise().into_iter().enumerate() {
            let value = self.said[k].1;
            bias.push(value.abs() + (value + miss).abs());
        }
        let slopes = self.pattern().matrix(&slopes);
        // An angle that is zero but for rounding is small beside a turn, a length beside those that rows couple it to.
        let own = x.iter().zip(self.natural);
        let own: Vec<f64> = own
            .map(|(x, natural)| x.abs().max(natural.unwrap_or(0.0)))
            .collect();
        // A component of a quaternion that rows hardly speak of yet would seem to be of any size, and any residual small beside it.
        let usual = faintly_coupled_sizes(&slopes, &own);
        let usual = usual.into_iter().zip(&own).zip(self.sizes);
        let usual: Vec<f64> = usual
            .map(|((usual, own), size)| usual.min(own.max(*size)))
            .collect();
        add_usual(&mut bias, &slopes, &usual);
        bias
    }
}

/// Coordinates that meet the position rows.
struct Closed {
    q: Vec<f64>,
    /// What is rounding of each.
    coupled: Vec<f64>,
    /// Largest residual.
    residual: f64,
    /// Another choice of what is unknown.
    other: Option<Vec<f64>>,
}

/// The same with zeros for coordinates that may be rounding of those that rows couple them to, if all rows are met as well: a
/// component of a quaternion that is next to zero would make inertias and slopes that are next to zero, and not rounding beside anything.
fn settled(search: &mut Search<'_>, q: Vec<f64>, free: &[usize]) -> Vec<f64> {
    let (mut residual, mut slopes) = (Vec::new(), search.rows.present_slopes(&q));
    let sizes = faintly_coupled_sizes(&search.rows.pattern().matrix(&slopes), &q);
    let mut still = q.clone();
    for &i in free {
        if q[i].abs() <= PRODUCTS * sizes[i] {
            still[i] = 0.0;
        }
    }
    if still == q {
        return q;
    }
    search.rows.at(&still, &mut residual, &mut slopes);
    let terms = search.rows.terms(&still);
    let mut rows = residual.iter().zip(terms);
    match rows.all(|(&r, terms)| is_rounding(r, terms)) {
        true => still,
        false => q,
    }
}

impl<'a> Assembler<'a> {
    /// Coordinates that meet the position rows, and their sizes.
    pub(in crate::start) fn positions(
        &mut self,
        start: &mut Start,
    ) -> Result<(Vec<f64>, Vec<f64>), Vec<Diagnostic>> {
        let given = self.given_coordinates()?;
        let said = self.said_of_positions(&given)?;
        let (mut closed, mut scales) = self.closed_from(&given, &said, false)?;
        if self.reversed(&closed.q).is_some() {
            let near = self.turned_round(&given, &said);
            if let Some(near) = near {
                (closed, scales) = self.closed_from(&near, &said, true)?;
                closed.other = None;
            }
            if let Some(refused) = self.refuse_reversed(&closed.q) {
                return Err(refused);
            }
        }
        let Closed {
            q, coupled, other, ..
        } = closed;
        start.position_residual = closed.residual;
        let unknown: Vec<usize> = (0..given.len()).filter(|&i| given[i].is_none()).collect();
        let several = other.map(|other| self.several_starts(&unknown, &q, &other));
        start.warnings.extend(several);
        for (i, value) in given.iter().enumerate() {
            let has_moved = |value: f64| {
                let own = MET * q[i].abs().max(value.abs());
                (q[i] - value).abs() > own.max(SOLVED * coupled[i])
            };
            if value.is_none_or(has_moved) {
                let name = self.model.coordinates[i].0.text.clone();
                start.solved.push((name.clone(), q[i]));
                start.moved.extend(value.map(|given| Moved {
                    name,
                    given,
                    found: q[i],
                }));
            }
        }
        Ok((q, scales.sizes))
    }

    /// Which coordinates must be as given.
    fn must(&self, given: &[Option<f64>]) -> Vec<bool> {
        let written = self.system.start.coordinates.iter().zip(given);
        written
            .map(|(written, given)| written.must && given.is_some())
            .collect()
    }

    /// Coordinates from which the joints close as they are defined, if some are found.
    fn turned_round(
        &mut self,
        given: &[Option<f64>],
        said: &[(&Said, f64)],
    ) -> Option<Vec<Option<f64>>> {
        let (graph, cosines) = self.cosines_as_said();
        let cosines = cosines.iter().map(|it| (it, 1.0));
        let all: Vec<(&Said, f64)> = said.iter().copied().chain(cosines).collect();
        let must = self.must(given);
        let free: Vec<usize> = (0..given.len()).filter(|&i| !must[i]).collect();
        let own = self.evaluator.equations().position_rows().len();
        let rows: Vec<usize> = (0..own + all.len()).collect();
        let (found, scales) = self.search_positions(given, &must, (&graph, &all), |search| {
            let found = search.solve(&rows, &free);
            found.met().then_some(found.x)
        });
        // A component of a quaternion that is a trace would couple faintly what it is not meant to couple at all.
        let whole = |(x, size): (f64, &f64)| match x.abs() <= CLEAR * size {
            true => Some(0.0),
            false => Some(x),
        };
        found.map(|q| q.into_iter().zip(&scales.sizes).map(whole).collect())
    }

    /// Coordinates near those given that meet the position rows, whichever way round joints stand; `next` if a solution is known to lie next to
    /// them.
    fn closed_from(
        &mut self,
        given: &[Option<f64>],
        said: &[(&Said, f64)],
        next: bool,
    ) -> Result<(Closed, Scales), Vec<Diagnostic>> {
        let n = given.len();
        let must = self.must(given);
        let free: Vec<usize> = (0..n).filter(|&i| !must[i]).collect();
        let unknown: Vec<usize> = (0..n).filter(|&i| given[i].is_none()).collect();
        let own = self.evaluator.equations().position_rows().len();
        let rows: Vec<usize> = (0..own + said.len()).collect();
        let graph = &self.system.graph;
        let (looked, scales) = self.search_positions(given, &must, (graph, said), |search| {
            search.one_try |= next;
            // Guesses stay if what is unknown can do without them moving.
            let mut found = match unknown.len() {
                0 => search.solve(&rows, &free),
                _ => search.solve(&rows, &unknown),
            };
            // Where guesses move as well, another solution is no other choice of what is unknown.
            let mut other = found.other.take().filter(|_| !unknown.is_empty());
            if !found.is_exact() && unknown.len() < free.len() && !unknown.is_empty() {
                let all = search.solve(&rows, &free);
                if all.is_closer(&found) || !found.met() {
                    (found, other) = (all, None);
                }
            }
            if !found.met() {
                return Err((search.refuse(&rows, &free, &found), search.given.clone()));
            }
            // What is left of a step that went to zero: a slope of it would be a slope, and its inverse is infinite.
            let whole = |x: f64| if x.is_subnormal() { 0.0 } else { x };
            let q: Vec<f64> = found.x.into_iter().map(whole).collect();
            let q = settled(search, q, &free);
            let singular = search.singular_rows(&rows, &q);
            let undetermined = match (singular.is_empty(), unknown.is_empty()) {
                (true, false) => search.undetermined(&unknown, &q),
                _ => Vec::new(),
            };
            let (mut residual, mut slopes) = (Vec::new(), Vec::new());
            search.rows.at(&q, &mut residual, &mut slopes);
            let slopes = search.rows.present_slopes(&q);
            let coupled = faintly_coupled_sizes(&search.rows.pattern().matrix(&slopes), &q);
            let residual = residual.iter().fold(0.0, |a: f64, r| r.abs().max(a));
            let closed = Closed {
                q,
                coupled,
                residual,
                other,
            };
            Ok((closed, singular, undetermined))
        });
        let looked =
            looked.map_err(|(refused, given)| self.refuse_positions(&refused, &given, said));
        let (closed, singular, undetermined) = looked?;
        let refused: Vec<Diagnostic> = singular
            .iter()
            .map(|&row| self.refuse_singular(row, said))
            .chain(undetermined.iter().map(|&i| self.refuse_undetermined(i)))
            .collect();
        match refused.is_empty() {
            true => Ok((closed, scales)),
            false => Err(refused),
        }
    }

    /// What is said of positions otherwise than by coordinates, with its value.
    fn said_of_positions(
        &mut self,
        given: &[Option<f64>],
    ) -> Result<Vec<(&'a Said, f64)>, Vec<Diagnostic>> {
        let system = self.system;
        let said = &system.start.positions;
        let written: Vec<&Started> = said.iter().map(|it| &it.started).collect();
        let q: Vec<f64> = given.iter().map(|value| value.unwrap_or(0.0)).collect();
        let values = self.numbers(&written, &q)?;
        Ok(said.iter().zip(values).collect())
    }

    /// Looks for coordinates, from those that are given; also gives their sizes.
    fn search_positions<T>(
        &mut self,
        given: &[Option<f64>],
        must: &[bool],
        (graph, said): (&Graph, &[(&Said, f64)]),
        look: impl FnOnce(&mut Search<'_>) -> T,
    ) -> (T, Scales) {
        let q: Vec<f64> = given.iter().map(|value| value.unwrap_or(0.0)).collect();
        let own = self.evaluator.equations().position_rows().len();
        let (mass_pattern, mass) = self.mass_at(&q, own + said.len());
        let (system, evaluator) = (self.system, self.at_rest(&q));
        let rows = evaluator.equations().position_rows().iter();
        let slopes = rows.flat_map(|&row| system.rows[row].jacobian.iter().map(|&(_, a)| a));
        let slopes = Cone::new(&system.graph, &slopes.collect::<Vec<ExprId>>());
        let slopes = slopes.symbols(&system.graph);
        let mut kinds = slopes.iter().map(|&it| system.graph.symbol_data(it).kind);
        let linear = kinds.all(|kind| kind != SymbolKind::Coordinate) && said.is_empty();
        let natural = natural_sizes(system, evaluator.value_of());
        let inertias = inertias(system, evaluator.value_of());
        let slopes = evaluator.position_terms().jacobian;
        let slopes = present(evaluator.position().jacobian.values(), &slopes);
        let slopes = evaluator.equations().position_pattern().matrix(&slopes);
        let units = units_of_inertia(&inertias, &slopes);
        let scales = sizes(&natural, given, &units);
        let metric = Metric::definite(
            &mass_pattern,
            &mass,
            &scales.sizes,
            |i| given[i].is_some(),
            |i| !must[i],
        );
        let equations = self.evaluator.equations();
        let pattern = match said.is_empty() {
            true => Arc::clone(equations.position_pattern()),
            false => {
                let columns = |it: &(&Said, f64)| it.0.slopes.iter().map(|&(j, _)| j).collect();
                let list: Vec<Vec<usize>> = said.iter().map(columns).collect();
                let below = match equations.stored() {
                    Stored::Full | Stored::Links => Pattern::full(said.len(), given.len()),
                    Stored::Compressed => Pattern::compressed(given.len(), &list),
                };
                Arc::new(equations.position_pattern().stack(&below))
            }
        };
        let mut source = PositionRows {
            said,
            pattern,
            evaluator: &mut self.evaluator,
            system,
            graph,
            t: self.t,
            natural: &natural,
            sizes: &scales.sizes,
        };
        let mut search = Search::new(&mut source, q, metric, scales.clone());
        search.one_try = linear;
        (look(&mut search), scales)
    }

    /// Whether the position rows can be met, from coordinates on that meet them at another time.
    pub(in crate::start) fn can_meet(&mut self, from: &[f64]) -> bool {
        let rows = self.evaluator.equations().position_rows().iter();
        let system = self.system;
        let residuals: Vec<ExprId> = rows.map(|&row| system.rows[row].residual).collect();
        let known = Cone::new(&system.graph, &residuals).symbols(&system.graph);
        if !known.contains(&system.symbols.time) {
            return true;
        }
        let rows: Vec<usize> = (0..residuals.len()).collect();
        let free: Vec<usize> = (0..from.len()).collect();
        let given: Vec<Option<f64>> = from.iter().copied().map(Some).collect();
        let must = vec![false; from.len()];
        let graph = &self.system.graph;
        let (met, _) = self.search_positions(&given, &must, (graph, &[]), |search| {
            search.solve(&rows, &free).met()
        });
        met
    }

    fn refuse_singular(&self, row: usize, said: &[(&Said, f64)]) -> Diagnostic {
        let own = self.evaluator.equations().position_rows();
        if let Some((said, _)) = row.checked_sub(own.len()).and_then(|k| said.get(k)) {
            let message = format!(
                "`{}` does not change at the start, whatever moves",
                said.name
            );
            let help = "say something else of the start";
            return error("E0508", message, help, said.started.place.clone());
        }
        self.refuse_flat(&self.system.rows[own[row]])
    }

    /// Says that "?" has several values, which is taken, and how to get another.
    fn several_starts(&self, unknown: &[usize], q: &[f64], other: &[f64]) -> Diagnostic {
        let differ = |i: &&usize| shown(q[**i]) != shown(other[**i]);
        let unknown: Vec<usize> = unknown.iter().filter(differ).copied().collect();
        let name = |i: usize| self.model.coordinates[i].0.text.as_str();
        let listed = |x: &[f64]| {
            let each = unknown.iter().take(3);
            let unit = |i: usize| self.units.coordinates[i].as_deref();
            let each = each.map(|&i| format!("{} = {}", name(i), shown_in(x[i], unit(i))));
            each.collect::<Vec<_>>().join(", ")
        };
        let (taken, another) = (listed(q), listed(other));
        let message =
            format!("several starts meet the constraints: {taken} is taken, {another} is another");
        let first = unknown.first().copied().unwrap_or(0);
        let help = format!(
            "give a guess near the one you mean: {} = {{ value = {}, priority = \"guess\" }}",
            name(first),
            shown(other[first])
        );
        let place = self.system.start.coordinates[first].place.clone();
        Diagnostic::warning("W0505", place, message, help)
    }

    fn refuse_undetermined(&self, i: usize) -> Diagnostic {
        let name = &self.model.coordinates[i].0.text;
        let message = format!("nothing determines the start value of `{name}`");
        let help = "give it a value, or a position constraint that leaves it no choice";
        let place = self.system.start.coordinates[i].place.clone();
        error("E0505", message, help, place)
    }

    fn refuse_positions(
        &self,
        refused: &Refused,
        given: &[f64],
        said: &[(&Said, f64)],
    ) -> Vec<Diagnostic> {
        let level = Wording {
            rows: self.evaluator.equations().position_rows(),
            near: "the given start",
            code: "E0504",
            cure: "make {} \"?\" or a guess",
        };
        let held = |i: usize, found: f64| {
            let place = &self.system.start.coordinates[i].place;
            let name = &self.model.coordinates[i].0.text;
            Some(Party::value(
                name,
                self.units.coordinates[i].as_deref(),
                place,
                [given[i], found],
            ))
        };
        let otherwise = |k: usize, miss: f64| {
            let (said, value) = said.get(k)?;
            let place = &said.started.place;
            Some(Party::value(
                &said.name,
                None,
                place,
                [*value, value + miss],
            ))
        };
        self.refuse(refused, &level, held, otherwise)
    }
}

/// How large the coordinates of a model are: angles 1, others what is given of them or, where that is nothing, what is
/// given of the others.
fn sizes(natural: &[Option<f64>], given: &[Option<f64>], units: &[Option<f64>]) -> Scales {
    let own = |(natural, given): (&Option<f64>, &Option<f64>)| match (natural, given) {
        (None, Some(value)) if *value != 0.0 => Some(value.abs()),
        _ => None,
    };
    let own: Vec<Option<f64>> = natural.iter().zip(given).map(own).collect();
    let usual = like_sizes(&own, units, |count| count / 2);
    let known = natural
        .iter()
        .zip(&own)
        .map(|(natural, own)| natural.or(*own));
    let known: Vec<Option<f64>> = known.collect();
    let size = |(known, usual): (&Option<f64>, &Option<f64>)| known.or(*usual).unwrap_or(1.0);
    Scales {
        sizes: known.iter().zip(&usual).map(size).collect(),
        open: known.iter().map(Option::is_none).collect(),
    }
}
