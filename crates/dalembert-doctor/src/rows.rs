//! Rows of a mechanism as forms, and states at which they are looked at.

use crate::forms::{Form, Pfaffian, Point};
use crate::integral::with_value;
use crate::pfaffian::Diagnosis;
use dalembert_expr::{Cone, ExprId, Graph, Rational, SymbolId, evaluate, substitute};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Level, Row, RowId, System};
use dalembert_mechanics::start::State;
use dalembert_symbolic::precise::Precise;
use std::collections::HashMap;

/// States at which numbers are looked at.
pub(crate) const STATES: usize = 3;
/// Where time counts, each is looked at so much later than the one before it: at the time of the start a function of time may be zero.
const LATER: f64 = 0.37;

/// Whole numbers up to which parameters are taken for special ones.
const LARGEST: f64 = 16.0;

/// Symbols of parameters, each with its value as a number.
type Numbers<'a> = &'a [(ExprId, ExprId)];

/// Rows as forms, at states that meet those of positions.
pub(crate) struct Asked {
    pub(crate) pfaffian: Pfaffian,
    /// Rows of positions, in the order of what is exact.
    pub(crate) positions: Vec<RowId>,
    /// Rows of velocities, in the order of the forms.
    pub(crate) rows: Vec<RowId>,
    pub(crate) points: Vec<Point>,
}

impl Asked {
    /// Linear rows that count, and what can be said of them. Parameters that are zero stand there as that: what is divided by them has no value. Where
    /// that is not enough, so do whole numbers: z' = y x' + k x y' is a differential for k = 1 alone.
    pub(crate) fn examined(
        graph: &mut Graph,
        of: (&Mechanism, &System),
        start: &State,
        holds: &dyn Fn(&Row) -> bool,
    ) -> (Self, Diagnosis) {
        let zeros = numbers(graph, of, |it| it == 0.0);
        let asked = Self::new(graph, of, start, (holds, &zeros));
        let diagnosis = asked.diagnosis(graph);
        let has_value = |graph: &mut Graph, it: ExprId| {
            let value = |symbol| of.0.value_of(symbol, start);
            let integral = with_value(graph, it, value);
            evaluate(graph, &[integral], value)[0].is_finite()
        };
        let own = diagnosis.findings.iter().filter_map(|it| it.integral);
        let mut integrals: Vec<ExprId> = own.chain(diagnosis.integrals.clone()).collect();
        integrals.retain(|&it| !has_value(graph, it));
        if diagnosis.is_settled() && integrals.is_empty() {
            return (asked, diagnosis);
        }
        let whole = numbers(graph, of, |it| it.fract() == 0.0 && it.abs() <= LARGEST);
        if whole.len() == zeros.len() {
            return (asked, diagnosis);
        }
        let special = Self::new(graph, of, start, (holds, &whole));
        let found = special.diagnosis(graph);
        match found.is_settled() {
            true => (special, found),
            false => (asked, diagnosis),
        }
    }

    /// Linear rows that count, with some parameters as numbers.
    fn new(
        graph: &mut Graph,
        (mechanism, system): (&Mechanism, &System),
        start: &State,
        (holds, special): (&dyn Fn(&Row) -> bool, Numbers<'_>),
    ) -> Self {
        let mut pfaffian = Pfaffian {
            variables: system.symbols.coordinates.clone(),
            ..Pfaffian::default()
        };
        let t = pfaffian.variables.len();
        let (mut positions, mut rows) = (Vec::new(), Vec::new());
        let asks = |row: &Row| row.level == Level::Velocity && row.linear && holds(row);
        let asked = system.rows.iter().any(asks);
        for (id, row) in Id::enumerate(&system.rows).filter(|_| asked) {
            let Some(rate) = row.rate.filter(|_| holds(row) && row.linear) else {
                continue;
            };
            let form = form_of(graph, system, row, rate);
            let form = put(graph, form, special);
            match row.level {
                Level::Position => {
                    pfaffian.exact.push(form);
                    positions.push(id);
                }
                _ => {
                    pfaffian.forms.push(form);
                    rows.push(id);
                }
            }
        }
        let entries = pfaffian.exact.iter().chain(&pfaffian.forms);
        let entries: Vec<ExprId> = entries.flat_map(|it| it.values().copied()).collect();
        let present = Cone::new(graph, &entries).symbols(graph);
        let depends = present.contains(&system.symbols.time);
        let has_drift = |form: &Form| form.contains_key(&t);
        if depends || pfaffian.exact.iter().chain(&pfaffian.forms).any(has_drift) {
            pfaffian.variables.push(system.symbols.time);
            pfaffian.time = Some(t);
            pfaffian.outer.push(t);
        }
        let inputs = inputs(mechanism);
        for &input in inputs.iter().filter(|it| present.contains(it)) {
            pfaffian.outer.push(pfaffian.variables.len());
            pfaffian.variables.push(input);
        }
        let holds = |row: usize| holds(&system.rows[row]);
        let points = points(mechanism, start, &holds, pfaffian.time);
        Self {
            pfaffian,
            positions,
            rows,
            points,
        }
    }

    /// What can be said of them.
    pub(crate) fn diagnosis(&self, graph: &mut Graph) -> Diagnosis {
        match self.points.is_empty() {
            true => Diagnosis::undecided(self.rows.len()),
            false => self.pfaffian.examine(graph, &self.points),
        }
    }
}

/// Parameters whose values are such, each with its value; inputs have none.
fn numbers(
    graph: &mut Graph,
    (mechanism, system): (&Mechanism, &System),
    such: impl Fn(f64) -> bool,
) -> Vec<(ExprId, ExprId)> {
    let inputs = inputs(mechanism);
    let parameters = system.symbols.parameters.iter().zip(&mechanism.parameters);
    let these = parameters.filter(|(it, value)| such(**value) && !inputs.contains(it));
    let these = these.filter_map(|(&it, &value)| Some((it, Rational::from_f64(value)?)));
    let these: Vec<(SymbolId, Rational)> = these.collect();
    let pair = |(it, value)| (graph.symbol_node(it), graph.number(value));
    these.into_iter().map(pair).collect()
}

/// A form with some symbols as numbers.
fn put(graph: &mut Graph, form: Form, special: Numbers<'_>) -> Form {
    if special.is_empty() {
        return form;
    }
    let (places, entries): (Vec<usize>, Vec<ExprId>) = form.into_iter().unzip();
    let entries = substitute(graph, &entries, special);
    let form = places.into_iter().zip(entries);
    let is_zero = |it: ExprId| graph.as_number(it).is_some_and(|it| it.is_zero());
    form.filter(|&(_, it)| !is_zero(it)).collect()
}

/// Parameters that are set from outside: how they change is not known.
#[must_use]
pub fn inputs(mechanism: &Mechanism) -> Vec<SymbolId> {
    let names = mechanism.model.parameters.iter().map(|(name, _)| name);
    let named = names.zip(&mechanism.system.symbols.parameters);
    let inputs = &mechanism.model.inputs;
    let is_input = named.filter(|(name, _)| inputs.iter().any(|it| it.text == name.text));
    is_input.map(|(_, &symbol)| symbol).collect()
}

/// What changes on the way: all but parameters. Laws bring unknowns of their own, as the way of a friction.
pub(crate) fn moving(
    graph: &Graph,
    system: &System,
    inputs: &[SymbolId],
    equations: &[ExprId],
) -> Vec<SymbolId> {
    let parameters = &system.symbols.parameters;
    let present = Cone::new(graph, equations).symbols(graph).into_iter();
    let moves = |it: &SymbolId| inputs.contains(it) || !parameters.contains(it);
    present.filter(moves).collect()
}

/// The values of what does not change along a motion: parameters, unless they are set from outside.
pub fn fixed(mechanism: &Mechanism) -> impl Fn(SymbolId) -> Option<f64> {
    let parameters = &mechanism.system.symbols.parameters;
    let values = parameters.iter().zip(&mechanism.parameters);
    let mut values: HashMap<SymbolId, f64> = values.map(|(&it, &value)| (it, value)).collect();
    inputs(mechanism).iter().for_each(|it| {
        values.remove(it);
    });
    move |symbol| values.get(&symbol).copied()
}

/// A row A q' + c = 0 as the form A dq + c dt, with time after the coordinates.
pub(crate) fn form_of(graph: &mut Graph, system: &System, row: &Row, rate: ExprId) -> Form {
    let zero = graph.integer(0);
    let rates = system.symbols.rates.iter();
    let at_rest: Vec<(ExprId, ExprId)> = rates.map(|&it| (graph.symbol_node(it), zero)).collect();
    let mut form = Form::new();
    for &(column, entry) in &row.jacobian {
        let sum = form.entry(column).or_insert(zero);
        *sum = graph.add(*sum, entry);
    }
    let rest = substitute(graph, &[rate], &at_rest)[0];
    form.insert(system.symbols.coordinates.len(), rest);
    form.retain(|_, entry| graph.as_number(*entry).is_none_or(|it| !it.is_zero()));
    form
}

/// States around a start on the rows of positions that hold, in thirty digits.
pub(crate) fn points(
    mechanism: &Mechanism,
    start: &State,
    holds: &dyn Fn(usize) -> bool,
    time: Option<usize>,
) -> Vec<Point> {
    let precise = Precise::new(mechanism);
    // Elimination in thirty digits costs the cube of coordinates and rows.
    if precise.is_large() {
        return Vec::new();
    }
    let states = mechanism.states_around(start, STATES).into_iter();
    let later = states.enumerate().map(|(place, mut state)| {
        if time.is_some() {
            state.t += LATER * (place + 1) as f64;
        }
        state
    });
    later
        .filter_map(|state| precise.on_positions(&state, holds))
        .collect()
}
