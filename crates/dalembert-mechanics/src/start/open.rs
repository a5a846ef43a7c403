//! Parameters that are left open with "?", found from what is said of the start beyond what decides it: accelerations, as of a pose that a spring of
//! the right rest length holds, and positions and velocities that could not all be met with another value.
//!
//! ```text
//! a(p) − a₀ = 0        a: what the start that belongs to the parameters p has, without the conditions themselves
//! ```
//!
//! The search is that of all starts; slopes are central differences, because a start moves with its parameters in every way there is. A
//! position or velocity counts only if the start with it fails beside the value that was found: else it says where the motion starts, and nothing
//! of the parameter.

use super::solved::{Metric, Rows, Scales, Search};
use crate::decide::CLEAR;
use crate::diagnostic::{Diagnostic, Place};
use crate::formulation::Formulation;
use crate::linear::Pattern;
use crate::lower::Started;
use crate::mechanism::Mechanism;
use crate::model::{Expression, Model};
use crate::values::values_with;
use dalembert_expr::print::shortest;
use dalembert_expr::syntax::parse_expression;
use dalembert_expr::{ExprId, evaluate};
use std::sync::Arc;

/// Half of the distance of two points for a central difference, beside the parameter: the third root of a rounding error.
const APART: f64 = 6e-6;

/// Where the search sets out, in SI units: a loop may close for small parameters only, or for large ones.
const FIRST: [f64; 7] = [1.0, 0.3, 3.0, 0.1, 10.0, 0.03, 30.0];

/// Part of a parameter by which another value is tried, with which a condition that decides it cannot be met: far more than what is met but for errors.
const BESIDE: f64 = 1e-3;

/// Sets of conditions that are tried at most.
const MOST_TRIED: usize = 64;

/// What a condition is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// By place in `[start]`.
    Acceleration(usize),
    /// A value of coordinates or rates, by its place in that list of the start.
    Position(usize),
    Velocity(usize),
    /// A coordinate or rate; the latter by its place in the list of the start.
    Coordinate(usize),
    Rate(usize),
}

/// Something that is said of the start.
#[derive(Clone)]
struct Condition {
    about: About,
    name: String,
    /// What it is; a coordinate or rate by its index.
    value: Result<ExprId, usize>,
    wanted: ExprId,
    place: Place,
}

/// Why parameters were not found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unfound {
    /// No values meet the conditions, or the search did not come to them.
    NotMet,
    /// The conditions do not depend on them.
    Undetermined,
    /// Several values do.
    Several,
}

/// What is said of the start, as functions of the open parameters.
struct Conditions<'m> {
    mechanism: &'m mut Mechanism,
    /// Places of the open parameters.
    open: Vec<usize>,
    conditions: Vec<Condition>,
    pattern: Arc<Pattern>,
    /// Why there was no start or motion when it was last looked for.
    failed: Option<Vec<Diagnostic>>,
}

impl Conditions<'_> {
    /// What is found and what is wanted, of each condition; no numbers where there is no motion.
    fn found(&mut self, x: &[f64]) -> Vec<[f64; 2]> {
        let none = vec![[f64::NAN; 2]; self.conditions.len()];
        self.mechanism.put_open(&self.open, x);
        let start = match self.mechanism.start() {
            Ok(start) => start,
            Err(why) => {
                self.failed = Some(why);
                return none;
            }
        };
        let state = &start.state;
        let accelerated = |it: &Condition| matches!(it.about, About::Acceleration(_));
        let motion = match self.conditions.iter().any(accelerated) {
            true => match self.mechanism.motion_by(Formulation::Multipliers, state) {
                Ok(motion) => motion.accelerations,
                Err(_) => return none,
            },
            false => Vec::new(),
        };
        let system = &self.mechanism.system;
        let accelerations = &system.symbols.accelerations;
        let value = |symbol| match accelerations.iter().position(|it| *it == symbol) {
            Some(place) => motion.get(place).copied().unwrap_or(f64::NAN),
            None => self.mechanism.value_of(symbol, state),
        };
        let pair = |condition: &Condition| {
            let wanted = evaluate(&system.graph, &[condition.wanted], &value)[0];
            let found = match (condition.value, condition.about) {
                (Ok(it), _) => evaluate(&system.graph, &[it], &value)[0],
                (Err(i), About::Rate(_)) => state.rates[i],
                (Err(i), _) => state.coordinates[i],
            };
            [found, wanted]
        };
        self.conditions.iter().map(pair).collect()
    }

    fn slopes(&mut self, x: &[f64]) -> Vec<f64> {
        let k = x.len();
        let mut slopes = vec![0.0; self.conditions.len() * k];
        for j in 0..k {
            let apart = APART * x[j].abs().max(APART);
            let mut beside = x.to_vec();
            beside[j] = x[j] + apart;
            let above = self.found(&beside);
            beside[j] = x[j] - apart;
            let below = self.found(&beside);
            for (i, (above, below)) in above.iter().zip(&below).enumerate() {
                let change = (above[0] - above[1]) - (below[0] - below[1]);
                slopes[i * k + j] = change / (2.0 * apart);
            }
        }
        slopes
    }
}

impl Rows for Conditions<'_> {
    fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    fn known(&self, _: usize) -> Vec<usize> {
        (0..self.open.len()).collect()
    }

    fn at(&mut self, x: &[f64], residual: &mut Vec<f64>, slopes: &mut Vec<f64>) {
        *residual = self.found(x).iter().map(|[a, b]| a - b).collect();
        *slopes = self.slopes(x);
    }

    fn terms(&mut self, x: &[f64]) -> Vec<f64> {
        let (found, slopes) = (self.found(x), self.slopes(x));
        let rows = found.iter().zip(slopes.chunks_exact(x.len()));
        let size = |([a, b], slopes): (&[f64; 2], &[f64])| {
            let by_parameters = slopes.iter().zip(x).map(|(slope, x)| (slope * x).abs());
            a.abs() + b.abs() + by_parameters.sum::<f64>()
        };
        rows.map(size).collect()
    }
}

impl Mechanism {
    fn put_open(&mut self, open: &[usize], x: &[f64]) {
        let given: Vec<(usize, f64)> = open.iter().copied().zip(x.iter().copied()).collect();
        self.parameters = values_with(&self.system, &given);
    }

    /// The model with numbers for the parameters that it leaves open.
    pub(crate) fn completed(mut self) -> Result<Model, Vec<Diagnostic>> {
        let model = self.model.clone();
        let is_open = |name: &str| model.open.iter().any(|it| it.text == name);
        let open = model.parameters.iter().enumerate();
        let open = open.filter(|(_, (name, _))| is_open(&name.text));
        let open: Vec<usize> = open.map(|(i, _)| i).collect();
        let asked = std::mem::take(&mut self.system.start.accelerations);
        let asked = asked.into_iter().filter_map(|(place, said)| {
            Some(Condition {
                about: About::Acceleration(place),
                name: said.name,
                value: Ok(said.expression),
                wanted: said.started.value?,
                place: said.started.place,
            })
        });
        let asked: Vec<Condition> = asked.collect();
        match open.len().checked_sub(asked.len()) {
            None => Err(vec![refuse_count(&model, &open, &asked)]),
            Some(0) => self.found_from(&open, &asked).map_err(|it| it.1),
            Some(more) => {
                let sets = subsets(&self.said(), more).into_iter();
                let sets = sets.map(|others| [asked.as_slice(), &others].concat());
                // What a start fails for whether it is said or not decides nothing, as a rate beside a pose that no length of now allows. Such sets
                // come last: each of their starts is looked for in vain.
                let mut vain = Vec::new();
                for conditions in sets {
                    if !self.starts_without(&open, &conditions) {
                        vain.push(conditions);
                    } else if let Some(done) = settled(self.found_from(&open, &conditions)) {
                        return done;
                    }
                }
                for conditions in vain {
                    if let Some(done) = settled(self.found_from(&open, &conditions)) {
                        return done;
                    }
                }
                Err(vec![refuse_count(&model, &open, &asked)])
            }
        }
    }

    /// What is said of positions and velocities, last things first: those before decide where the motion starts.
    fn said(&self) -> Vec<Condition> {
        let start = &self.system.start;
        let condition = |about, name: &str, value, started: &Started| {
            Some(Condition {
                about,
                name: name.to_owned(),
                value,
                wanted: started.value.filter(|_| started.must)?,
                place: started.place.clone(),
            })
        };
        let mut found = Vec::new();
        let name = |i: usize| &self.model.coordinates[i].0.text;
        for (i, started) in start.coordinates.iter().enumerate() {
            found.extend(condition(About::Coordinate(i), name(i), Err(i), started));
        }
        for (k, said) in start.positions.iter().enumerate() {
            let about = About::Position(k);
            found.extend(condition(
                about,
                &said.name,
                Ok(said.expression),
                &said.started,
            ));
        }
        for (k, (i, started)) in start.rates.iter().enumerate() {
            let name = format!("{}'", name(*i));
            found.extend(condition(About::Rate(k), &name, Err(*i), started));
        }
        for (k, said) in start.velocities.iter().enumerate() {
            let about = About::Velocity(k);
            found.extend(condition(
                about,
                &said.name,
                Ok(said.expression),
                &said.started,
            ));
        }
        found.reverse();
        found
    }

    /// Whether there is a start without these conditions for one of two trial values.
    fn starts_without(&mut self, open: &[usize], conditions: &[Condition]) -> bool {
        let whole = self.system.start.clone();
        self.leave_out(conditions);
        let starts = trials(open).iter().any(|x| {
            self.put_open(open, x);
            self.start().is_ok()
        });
        self.system.start = whole;
        starts
    }

    /// Leaves conditions out of the start; coordinates and rates become guesses.
    fn leave_out(&mut self, conditions: &[Condition]) {
        let start = &mut self.system.start;
        let left_out = |about: About| conditions.iter().any(|it| it.about == about);
        for (i, started) in start.coordinates.iter_mut().enumerate() {
            started.must &= !left_out(About::Coordinate(i));
        }
        for (k, (_, started)) in start.rates.iter_mut().enumerate() {
            started.must &= !left_out(About::Rate(k));
        }
        let mut place = 0..;
        let mut stays =
            |about: fn(usize) -> About| place.next().is_none_or(|k| !left_out(about(k)));
        start.positions.retain(|_| stays(About::Position));
        let mut place = 0..;
        let mut stays =
            |about: fn(usize) -> About| place.next().is_none_or(|k| !left_out(about(k)));
        start.velocities.retain(|_| stays(About::Velocity));
    }

    /// The model with parameters found from these conditions.
    fn found_from(
        &mut self,
        open: &[usize],
        conditions: &[Condition],
    ) -> Result<Model, (Unfound, Vec<Diagnostic>)> {
        // Cheap to see for most that bind nothing: the start is met whatever the parameters are.
        self.bind(open, conditions, &trials(open))?;
        let whole = self.system.start.clone();
        self.leave_out(conditions);
        let mut found = self.search(open, conditions, FIRST[0]);
        for first in &FIRST[1..] {
            if !matches!(&found, Err((Unfound::NotMet, _))) {
                break;
            }
            // The first failure tells most.
            let other = self.search(open, conditions, *first);
            if !matches!(&other, Err((Unfound::NotMet, _))) {
                found = other;
            }
        }
        self.system.start = whole;
        let x = found?;
        let beside = |(k, x): (usize, &f64)| x + BESIDE * (1.0 + k as f64) * x.abs().max(APART);
        let beside: Vec<f64> = x.iter().enumerate().map(beside).collect();
        self.bind(open, conditions, &[beside])?;
        Ok(with_numbers(self.model.clone(), (open, &x), conditions))
    }

    /// Whether each of the positions and velocities, with the others left out, cannot be met with one of these values of the parameters.
    fn bind(
        &mut self,
        open: &[usize],
        conditions: &[Condition],
        values: &[Vec<f64>],
    ) -> Result<(), (Unfound, Vec<Diagnostic>)> {
        let whole = self.system.start.clone();
        for (i, condition) in conditions.iter().enumerate() {
            if matches!(condition.about, About::Acceleration(_)) {
                continue;
            }
            let others: Vec<Condition> = [&conditions[..i], &conditions[i + 1..]].concat();
            self.leave_out(&others);
            let met = values.iter().all(|x| {
                self.put_open(open, x);
                self.start().is_ok()
            });
            self.system.start.clone_from(&whole);
            if met {
                let why = undetermined(&self.model, open[0], std::slice::from_ref(&condition.name));
                return Err((Unfound::Undetermined, vec![why]));
            }
        }
        Ok(())
    }

    /// The parameters, looked for from `first` on.
    fn search(
        &mut self,
        open: &[usize],
        conditions: &[Condition],
        first: f64,
    ) -> Result<Vec<f64>, (Unfound, Vec<Diagnostic>)> {
        let model = self.model.clone();
        let k = open.len();
        let names = conditions.iter().map(|it| it.name.clone());
        let names: Vec<String> = names.collect();
        let mut rows = Conditions {
            mechanism: self,
            open: open.to_vec(),
            conditions: conditions.to_vec(),
            pattern: Arc::new(Pattern::full(k, k)),
            failed: None,
        };
        let (all, scales) = ((0..k).collect::<Vec<usize>>(), vec![1.0; k]);
        let metric = Metric::sizes(&Arc::new(Pattern::full(k, k)), &scales);
        let scales = Scales {
            sizes: scales,
            open: vec![true; k],
        };
        let mut search = Search::new(&mut rows, vec![first; k], metric, scales);
        let found = search.solve(&all, &all);
        if !found.met() {
            let failed = rows.failed.take();
            let why = failed.unwrap_or_else(|| vec![not_found(&model, open, &names)]);
            return Err((Unfound::NotMet, why));
        }
        if let Some(&first) = search.undetermined(&all, &found.x).first() {
            let why = undetermined(&model, open[first], &names);
            return Err((Unfound::Undetermined, vec![why]));
        }
        let differs = |other: &Vec<f64>| {
            let mut pairs = found.x.iter().zip(other);
            pairs.any(|(a, b)| (a - b).abs() > CLEAR * (a.abs() + b.abs()))
        };
        if let Some(other) = found.other.as_ref().filter(|it| differs(it)) {
            return Err((
                Unfound::Several,
                vec![several(&model, open, [&found.x, other])],
            ));
        }
        Ok(found.x)
    }
}

/// What ends the search among sets of conditions: parameters, or several of them.
fn settled(
    found: Result<Model, (Unfound, Vec<Diagnostic>)>,
) -> Option<Result<Model, Vec<Diagnostic>>> {
    match found {
        Ok(model) => Some(Ok(model)),
        Err((Unfound::Several, why)) => Some(Err(why)),
        Err(_) => None,
    }
}

/// Values that are tried before any is looked for.
fn trials(open: &[usize]) -> [Vec<f64>; 2] {
    [FIRST[0], FIRST[1]].map(|first| vec![first; open.len()])
}

/// Sets of so many conditions, in order.
fn subsets(conditions: &[Condition], size: usize) -> Vec<Vec<Condition>> {
    let mut found = Vec::new();
    let mut places: Vec<usize> = (0..size).collect();
    while size <= conditions.len() && found.len() < MOST_TRIED {
        found.push(places.iter().map(|&i| conditions[i].clone()).collect());
        let room = |k: &usize| places[*k] + size < conditions.len() + k;
        let Some(k) = (0..size).rev().find(room) else {
            break;
        };
        places[k] += 1;
        for next in k + 1..size {
            places[next] = places[next - 1] + 1;
        }
    }
    found
}

/// The model with these values, and without what they were found from.
fn with_numbers(
    mut model: Model,
    (open, values): (&[usize], &[f64]),
    conditions: &[Condition],
) -> Model {
    for (&i, value) in open.iter().zip(values) {
        let (_, given) = &mut model.parameters[i];
        let text = format!("{value:?}");
        if let Ok(tree) = parse_expression(&text) {
            let origin = given.origin.clone();
            *given = Expression { text, tree, origin };
        }
    }
    let mut places = 0..;
    model.start.retain_mut(|(key, value)| {
        let place = places.next();
        let same = |it: &&Condition| it.place == value.place && it.name == key.text.trim();
        let about = |it: &Condition| match it.about {
            About::Acceleration(of) => place == Some(of),
            About::Position(_) | About::Velocity(_) => same(&it),
            _ => false,
        };
        let guessed = |it: &&Condition| matches!(it.about, About::Rate(_)) && same(it);
        value.must &= conditions.iter().find(guessed).is_none();
        !conditions.iter().any(about)
    });
    for condition in conditions {
        if let About::Coordinate(i) = condition.about {
            model.coordinates[i].1.must = false;
        }
    }
    model.found = std::mem::take(&mut model.open);
    model
}

fn listed(model: &Model, open: &[usize]) -> String {
    let names = open
        .iter()
        .map(|&i| format!("`{}`", model.parameters[i].0.text));
    names.collect::<Vec<_>>().join(", ")
}

fn refuse_count(model: &Model, open: &[usize], conditions: &[Condition]) -> Diagnostic {
    let names = listed(model, open);
    let message = format!(
        "{} \"?\" ({names}), and [start] asks for {} to find them from",
        match open.len() {
            1 => "one parameter is".to_owned(),
            count => format!("{count} parameters are"),
        },
        match conditions.len() {
            0 => "no acceleration".to_owned(),
            1 => "one acceleration".to_owned(),
            count => format!("{count} accelerations"),
        }
    );
    let help = "say as much more of the start as parameters are \"?\": accelerations, such as \"theta''\" = 0 of a pose in equilibrium, or positions and velocities that decide them";
    let place = match conditions.get(open.len()) {
        Some(extra) => extra.place.clone(),
        None => model.parameters[open[0]].1.whole(),
    };
    Diagnostic::error("E0533", place, message, help)
}

fn not_found(model: &Model, open: &[usize], conditions: &[String]) -> Diagnostic {
    let message = format!(
        "no values of {} were found with which the start has {}",
        listed(model, open),
        conditions.join(", ")
    );
    let help = "check what [start] asks for, or give the parameters";
    let place = model.parameters[open[0]].1.whole();
    Diagnostic::error("E0533", place, message, help)
}

fn undetermined(model: &Model, open: usize, conditions: &[String]) -> Diagnostic {
    let (name, value) = &model.parameters[open];
    let message = format!(
        "nothing determines the parameter `{}`: {} does not depend on it",
        name.text,
        conditions.join(", ")
    );
    let help = "ask for something that it changes, or give it a value";
    Diagnostic::error("E0533", value.whole(), message, help)
}

fn several(model: &Model, open: &[usize], values: [&[f64]; 2]) -> Diagnostic {
    let shown = |values: &[f64]| {
        let each = open.iter().zip(values);
        let each = each
            .map(|(&i, value)| format!("{} = {}", model.parameters[i].0.text, shortest(*value)));
        each.collect::<Vec<_>>().join(", ")
    };
    let message = format!(
        "several values of parameters give the start what is asked of it: {}, and {}",
        shown(values[0]),
        shown(values[1])
    );
    let help = "give the one that you mean in place of \"?\"";
    let place = model.parameters[open[0]].1.whole();
    Diagnostic::error("E0533", place, message, help)
}
