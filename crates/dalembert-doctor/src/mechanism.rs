//! The rows of a mechanism as a Pfaffian system, at states that meet its rows.

use crate::acting::{Acting, Speed, force, speeds};
use crate::directions::free;
use crate::forms::{Form, Pfaffian, Point};
use crate::pfaffian::Diagnosis;
use crate::symmetry::{Conserved, conserved};
use dalembert_expr::{Cone, ExprId, Graph, substitute};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Level, Row, RowId, System};
use dalembert_mechanics::start::State;
use dalembert_symbolic::precise::Precise;
use std::collections::BTreeMap;

/// States at which numbers are looked at.
const STATES: usize = 3;
/// Where time counts, each is looked at so much later than the one before it: at the time of the start a function of time may be zero.
const LATER: f64 = 0.37;

/// What was found of the rows of a mechanism.
pub struct Doctor {
    /// The expressions of what was found.
    pub graph: Graph,
    /// Linear rows of velocities that hold, in the order of the diagnosis.
    pub rows: Vec<RowId>,
    /// What was found.
    pub diagnosis: Diagnosis,
    /// States at which numbers were looked at.
    pub states: usize,
    /// What the speeds that have names are rates of.
    pub speeds: Vec<Speed>,
    /// What the given forces are; those that hold constraints are not asked.
    pub forces: Vec<Acting>,
    /// What is constant along every motion.
    pub conserved: Conserved,
}

/// Looks at the rows that hold at a start, at speeds, forces and symmetries.
#[must_use]
pub fn examine(mechanism: &Mechanism, start: &State) -> Doctor {
    let system = &mechanism.system;
    let mut graph = system.graph.clone();
    let holds = |row: &Row| start.mode.is_active(system, row.constraint);
    let mut pfaffian = Pfaffian {
        variables: system.symbols.coordinates.clone(),
        ..Pfaffian::default()
    };
    let t = pfaffian.variables.len();
    let mut rows = Vec::new();
    let asks = |row: &Row| row.level == Level::Velocity && row.linear && holds(row);
    let asked = system.rows.iter().any(asks);
    for (id, row) in Id::enumerate(&system.rows).filter(|_| asked) {
        let Some(rate) = row.rate.filter(|_| holds(row) && row.linear) else {
            continue;
        };
        let form = form_of(&mut graph, system, row, rate);
        match row.level {
            Level::Position => pfaffian.exact.push(form),
            _ => {
                pfaffian.forms.push(form);
                rows.push(id);
            }
        }
    }
    let entries = pfaffian.exact.iter().chain(&pfaffian.forms);
    let entries: Vec<ExprId> = entries.flat_map(|it| it.values().copied()).collect();
    let depends = Cone::new(&graph, &entries)
        .symbols(&graph)
        .contains(&system.symbols.time);
    let has_drift = |form: &Form| form.contains_key(&t);
    if depends || pfaffian.exact.iter().chain(&pfaffian.forms).any(has_drift) {
        pfaffian.variables.push(system.symbols.time);
        pfaffian.time = Some(t);
    }
    let points = points(
        mechanism,
        start,
        &|row| holds(&system.rows[row]),
        pfaffian.time,
    );
    let diagnosis = match points.is_empty() {
        true => Diagnosis::undecided(rows.len()),
        false => pfaffian.examine(&mut graph, &points),
    };
    let forces = Id::enumerate(&system.forces).map(|(id, given)| match system.is_given(id) {
        true => force(&mut graph, system, given, &points),
        false => Acting::default(),
    });
    let forces = forces.collect();
    Doctor {
        rows,
        diagnosis,
        states: points.len(),
        speeds: speeds(&mut graph, system, &points),
        forces,
        conserved: conserved(&mut graph, system, points.first()),
        graph,
    }
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

/// Directions along the rows of positions, in coordinates and time, by pivots that are not zero at a state around the start; `None` if none
/// was found.
pub fn tangent_directions(
    graph: &mut Graph,
    mechanism: &Mechanism,
) -> Option<Vec<BTreeMap<usize, ExprId>>> {
    let system = &mechanism.system;
    let n = system.symbols.coordinates.len();
    let positions = system
        .rows
        .iter()
        .filter(|row| row.level == Level::Position);
    let positions: Vec<(&Row, ExprId)> =
        positions.filter_map(|row| Some((row, row.rate?))).collect();
    let forms: Vec<Form> = (positions.iter())
        .map(|&(row, rate)| form_of(graph, system, row, rate))
        .collect();
    let forms: Vec<&Form> = forms.iter().collect();
    let start = mechanism.start().ok()?.state;
    let points = match forms.is_empty() {
        true => vec![Point::new()],
        false => points(mechanism, &start, &|_| true, Some(n)),
    };
    let found = free(graph, &forms, n + 1, Some(n), points.first()?)?;
    Some(found.directions)
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
