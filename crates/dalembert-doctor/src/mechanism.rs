//! A mechanism as the doctor sees it: its rows, speeds, forces and symmetries.

use crate::acting::{Acting, Speed, force, speeds};
use crate::directions::free;
use crate::forms::{Form, LIMITS, Point};
use crate::held::held_rows;
use crate::integral::with_value;
use crate::pfaffian::Diagnosis;
use crate::rows::{Asked, STATES, form_of, inputs, points};
use crate::symmetry::{Conserved, conserved};
use dalembert_expr::normal::precise::{Bounded, Number};
use dalembert_expr::{ExprId, Graph, SymbolId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Level, Row, RowId};
use dalembert_mechanics::start::State;
use dalembert_symbolic::surface::{Surface, Witnesses};

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

/// Looks at the rows that hold at a start, at speeds, forces and symmetries.
#[must_use]
pub fn examine(mechanism: &Mechanism, start: &State) -> Doctor {
    let system = &mechanism.system;
    let mut graph = system.graph.clone();
    let holds = |row: &Row| start.mode.is_active(system, row.constraint);
    let found = Asked::examined(&mut graph, (mechanism, system), start, &holds);
    let (mut asked, mut diagnosis) = found;
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
        true => force(&mut graph, (mechanism, &inputs), given, &points),
        false => Acting::default(),
    });
    let forces: Vec<Acting> = forces.collect();
    let found = (points.first(), forces.as_slice());
    let conserved = conserved(&mut graph, (mechanism, &inputs), found);
    Doctor {
        rows,
        held: held.into_iter().map(|(row, _)| row).collect(),
        diagnosis,
        states: points.len(),
        speeds: speeds(&mut graph, mechanism, &points),
        forces,
        conserved,
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

/// Directions along the rows of positions, in coordinates and time, by pivots that are not zero at a state around the start; `None` if none
/// was found. And that state.
pub(crate) fn tangent_directions(
    graph: &mut Graph,
    mechanism: &Mechanism,
) -> Option<(Vec<Form>, Point)> {
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
    let points = points(mechanism, &start, &|_| true, Some(n));
    let anywhere = || {
        let symbols = &system.symbols;
        let known = symbols.coordinates.iter().chain(&symbols.parameters);
        let known = known.chain([&symbols.time]);
        let value = |&it: &SymbolId| {
            let value = Number::from(mechanism.value_of(it, &start));
            (it, Bounded::exact(value))
        };
        forms.is_empty().then(|| known.map(value).collect())
    };
    let point = points.into_iter().next().or_else(anywhere)?;
    let found = free(graph, &forms, n + 1, Some(n), &point)?;
    Some((found.directions, point))
}
