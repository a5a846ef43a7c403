//! The rows of a mechanism as a Pfaffian system, at states that meet its rows.

use crate::acting::{Acting, Speed, force, speeds};
use crate::directions::free;
use crate::forms::{Form, LIMITS, Pfaffian, Point};
use crate::held::held_rows;
use crate::integral::with_value;
use crate::pfaffian::Diagnosis;
use crate::symmetry::{Conserved, conserved};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, substitute};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Level, Row, RowId, System};
use dalembert_mechanics::start::State;
use dalembert_symbolic::precise::Precise;
use dalembert_symbolic::surface::{Surface, Witnesses};
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
    /// Which of them runs hold at position level.
    pub held: Vec<RowId>,
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
    /// Linear rows that count.
    pub(crate) fn new(
        graph: &mut Graph,
        (mechanism, system): (&Mechanism, &System),
        start: &State,
        holds: &dyn Fn(&Row) -> bool,
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

/// Looks at the rows that hold at a start, at speeds, forces and symmetries.
#[must_use]
pub fn examine(mechanism: &Mechanism, start: &State) -> Doctor {
    let system = &mechanism.system;
    let mut graph = system.graph.clone();
    let holds = |row: &Row| start.mode.is_active(system, row.constraint);
    let mut asked = Asked::new(&mut graph, (mechanism, system), start, &holds);
    let mut diagnosis = asked.diagnosis(&mut graph);
    let held = held_rows(&mut graph, (mechanism, system), start, (&asked, &diagnosis));
    if !diagnosis.is_settled() && !asked.pfaffian.exact.is_empty() {
        // Rows may be integrable on the surface of the rows of positions only.
        asked.pfaffian.surface = surface(&mut graph, mechanism, start, &holds);
        if asked.pfaffian.surface.is_some() {
            diagnosis = asked.diagnosis(&mut graph);
        }
    }
    let Asked { rows, points, .. } = asked;
    let own = diagnosis
        .findings
        .iter_mut()
        .flat_map(|it| &mut it.integral);
    for integral in own.chain(&mut diagnosis.integrals) {
        *integral = with_value(&mut graph, *integral, |it| mechanism.value_of(it, start));
    }
    let inputs = inputs(mechanism);
    let forces = Id::enumerate(&system.forces).map(|(id, given)| match system.is_given(id) {
        true => force(&mut graph, (system, &inputs), given, &points),
        false => Acting::default(),
    });
    let forces = forces.collect();
    Doctor {
        rows,
        held: held.into_iter().map(|(row, _)| row).collect(),
        diagnosis,
        states: points.len(),
        speeds: speeds(&mut graph, system, &points),
        forces,
        conserved: conserved(&mut graph, (system, &inputs), points.first()),
        graph,
    }
}

/// Where the rows of positions that hold are met, on the branch of a start; `None` if they are not solved in symbols.
fn surface(
    graph: &mut Graph,
    mechanism: &Mechanism,
    start: &State,
    holds: &dyn Fn(&Row) -> bool,
) -> Option<Surface> {
    let around = mechanism.states_around(start, STATES);
    let witnesses = Witnesses::new(mechanism, start, &around);
    Surface::of_positions(graph, (&mechanism.system, holds), &witnesses, LIMITS).ok()
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
