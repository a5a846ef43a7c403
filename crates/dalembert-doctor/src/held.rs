//! Rows in disguise, held at position level.
//!
//! A row A q' + c = 0 that is the differential of F(q, t) holds F where it is at the start. As a row of positions F − F(start) = 0 it has the same A,
//! the same right side and the same multiplier; and what integration errs by does not add up.

use crate::acting::{is_clearly_not_closed, taken};
use crate::forms::LIMITS;
use crate::integral::{potential, with_value};
use crate::jumps::jump;
use crate::mechanism::{form_of, inputs, points};
use dalembert_expr::normal::Field;
use dalembert_expr::{ExprId, Graph, Rational, evaluate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::Equations;
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Level, Row, System, lower};
use dalembert_mechanics::start::State;
use std::sync::OnceLock;

/// Whether a mechanism may have rows that are held so. Events and contacts move what is constant, and rows that forces hold are left as they are.
#[must_use]
pub fn may_hold(system: &System) -> bool {
    let disguised = |row: &Row| row.level == Level::Velocity && row.linear;
    let steady = system.events.is_empty() && system.unilateral.is_empty();
    steady && system.servo.is_empty() && system.rows.iter().any(disguised)
}

/// The value of an integral at a start, if it can be held there: it has one, and jumps nowhere. An angle that a row measures begins anew
/// somewhere, and the motion does not.
#[must_use]
pub fn may_be_held(
    graph: &mut Graph,
    integral: ExprId,
    mechanism: &Mechanism,
    start: &State,
) -> Option<f64> {
    let value = evaluate(graph, &[integral], |it| mechanism.value_of(it, start))[0];
    let holds = value.is_finite() && jump(graph, integral, mechanism, start).is_none();
    holds.then_some(value)
}

/// A mechanism with all rows of velocities that are differentials held at position level, where they are at a start; `None` if there are none
/// such.
#[must_use]
pub fn held(mechanism: &Mechanism, start: &State) -> Option<Mechanism> {
    if !may_hold(&mechanism.system) {
        return None;
    }
    let mut system = lower(&mechanism.model).ok()?;
    if system.symbols != mechanism.system.symbols {
        return None;
    }
    let points = points(mechanism, start, &|_| true, Some(0));
    let mut variables = system.symbols.coordinates.clone();
    variables.push(system.symbols.time);
    variables.extend(inputs(mechanism));
    let mut found = Vec::new();
    let System { graph, rows, .. } = &system;
    let mut graph = graph.clone();
    let units: Vec<_> = (0..variables.len())
        .map(|k| [(k, graph.integer(1))].into())
        .collect();
    for (id, row) in Id::enumerate(rows) {
        let wanted = row.level == Level::Velocity && row.linear && !points.is_empty();
        let Some(rate) = row.rate.filter(|_| wanted) else {
            continue;
        };
        let form = form_of(&mut graph, &system, row, rate);
        if form.is_empty() || is_clearly_not_closed(&mut graph, &form, &variables, &units, &points)
        {
            continue;
        }
        let mut field = Field::with_limits(LIMITS);
        let integral = taken(&graph, &mut field, &form, variables.len())
            .and_then(|row| potential(&mut field, &row, &variables));
        let Ok(Some(integral)) = integral else {
            continue;
        };
        let integral = field.to_graph(&mut graph, &integral);
        let integral = with_value(&mut graph, integral, |it| mechanism.value_of(it, start));
        if let Some(value) = may_be_held(&mut graph, integral, mechanism, start) {
            found.push((id, integral, value));
        }
    }
    if found.is_empty() {
        return None;
    }
    for (id, integral, value) in found {
        let value = graph.number(Rational::from_f64(value)?);
        let row: &mut Row = &mut system.rows[id];
        row.level = Level::Position;
        row.residual = graph.sub(integral, value);
    }
    system.graph = graph;
    Some(Mechanism {
        model: mechanism.model.clone(),
        equations: Equations::compile(&mut system),
        system,
        parameters: mechanism.parameters.clone(),
        units: mechanism.units.clone(),
        from: mechanism.from,
        acting: OnceLock::new(),
    })
}
