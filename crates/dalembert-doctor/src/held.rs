//! Rows in disguise, held at position level.
//!
//! ```text
//! A q' + c = 0,   ω = A dq + c dt = Σ κᵢ dFᵢ + Σ νₖ dφₖ        Fᵢ constant, φₖ = 0 of rows of positions
//! φ = Σ κᵢ (Fᵢ − Cᵢ) + Σ νₖ φₖ                                 dφ = ω where φ and all φₖ vanish
//! ```
//!
//! So φ = 0, with Cᵢ from the start, is a row of positions that has the A of the row as written: its right side and its multiplier stay what they are, also where
//! the row is a multiple of a differential, or one only together with others. What integration errs by does not add up.

use crate::acting::taken;
use crate::forms::LIMITS;
use crate::integral::with_value;
use crate::jumps::jump;
use crate::pfaffian::{Diagnosis, Finding, Verdict};
use crate::rows::Asked;
use dalembert_decide::CLEAR;
use dalembert_expr::calculus::gradient;
use dalembert_expr::normal::{Field, Fraction, Outside};
use dalembert_expr::{Cone, ExprId, Graph, Rational, SymbolId, evaluate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::Equations;
use dalembert_mechanics::lower::{Activity, Level, Row, RowId, SetTarget, System, lower};
use dalembert_mechanics::start::State;
use std::sync::OnceLock;

/// Functions that rows of a part have to do with at most.
const FUNCTIONS: usize = 12;

/// A mechanism with rows of velocities held at position level, where they are at a start; `None` if none can be.
#[must_use]
pub fn held(mechanism: &Mechanism, start: &State) -> Option<Mechanism> {
    if !may_hold(&mechanism.system) {
        return None;
    }
    let mut system = lower(&mechanism.model).ok()?;
    if system.symbols != mechanism.system.symbols {
        return None;
    }
    let mut graph = system.graph.clone();
    let holds = |row: &Row| start.mode.is_active(&system, row.constraint);
    let (asked, diagnosis) = Asked::examined(&mut graph, (mechanism, &system), start, &holds);
    let found = held_rows(
        &mut graph,
        (mechanism, &system),
        start,
        (&asked, &diagnosis),
    );
    if found.is_empty() {
        return None;
    }
    for (id, residual) in found {
        let row: &mut Row = &mut system.rows[id];
        row.level = Level::Position;
        row.held = true;
        row.residual = residual;
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

/// Whether a mechanism may have rows that are held so: rows that forces hold are left as they are.
fn may_hold(system: &System) -> bool {
    let disguised = |row: &Row| row.level == Level::Velocity && row.linear;
    system.servo.is_empty() && system.rows.iter().any(disguised)
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

/// Rows of velocities that can be held at position level, each with what vanishes there.
pub(crate) fn held_rows(
    graph: &mut Graph,
    of: (&Mechanism, &System),
    start: &State,
    (asked, diagnosis): (&Asked, &Diagnosis),
) -> Vec<(RowId, ExprId)> {
    let system = of.1;
    // What is constant as long as a row holds may be another constant when it holds again.
    let always = |row: &Row| matches!(system.activity[row.constraint.index()], Activity::Always);
    let is_whole = |row: &RowId| always(&system.rows[*row]);
    let all = asked.rows.iter().chain(&asked.positions).all(is_whole);
    if !may_hold(system) || asked.points.is_empty() {
        return Vec::new();
    }
    let holding = Holding {
        of,
        start,
        asked,
        diagnosis,
    };
    let mut found = Vec::new();
    for (place, finding) in diagnosis.findings.iter().enumerate() {
        let row = asked.rows[place];
        if finding.verdict != Verdict::Holonomic || asked.pfaffian.forms[place].is_empty() {
            continue;
        }
        // A function that one row alone keeps constant is one whatever the others do.
        if !(all || (finding.integral.is_some() && is_whole(&row))) {
            continue;
        }
        // Errors leave a row as it is written.
        let residual = holding.residual(graph, place, finding);
        found.extend(residual.ok().flatten().map(|residual| (row, residual)));
    }
    found
}

struct Holding<'a> {
    of: (&'a Mechanism, &'a System),
    start: &'a State,
    asked: &'a Asked,
    diagnosis: &'a Diagnosis,
}

impl Holding<'_> {
    /// What vanishes as long as a row holds, and has the row for its slopes there.
    fn residual(
        &self,
        graph: &mut Graph,
        place: usize,
        finding: &Finding,
    ) -> Result<Option<ExprId>, Outside> {
        let (system, pfaffian) = (self.of.1, &self.asked.pfaffian);
        let variables = &pfaffian.variables;
        let mut field = Field::with_limits(LIMITS);
        let form = taken(graph, &mut field, &pfaffian.forms[place], variables.len())?;
        // Functions that are constant, then those that vanish, each with its slopes.
        let (integrals, positions): (&[ExprId], &[RowId]) = match &finding.integral {
            Some(integral) => (std::slice::from_ref(integral), &[]),
            None => (&self.diagnosis.integrals, &self.asked.positions),
        };
        if integrals.len() + positions.len() > FUNCTIONS {
            return Ok(None);
        }
        let residuals = positions.iter().map(|&row| system.rows[row].residual);
        let functions: Vec<ExprId> = integrals.iter().copied().chain(residuals).collect();
        let functions: Result<Vec<Fraction>, Outside> =
            field.take_all(graph, &functions).into_iter().collect();
        let mut functions = functions?;
        let mut values = Vec::new();
        for (k, &integral) in integrals.iter().enumerate() {
            let mut function = self.at_start(graph, integral);
            let mut value = self.values(graph, &[function])[0];
            if !value.is_finite() {
                // Where x/y has no value, y/x may have one.
                functions[k] = field.div(&Fraction::one(), &functions[k])?;
                function = field.to_graph(graph, &functions[k]);
                function = self.at_start(graph, function);
                value = self.values(graph, &[function])[0];
            }
            values.push(value);
        }
        let mut columns = vec![Vec::with_capacity(functions.len() + 1); variables.len()];
        for function in &functions {
            for (column, &variable) in columns.iter_mut().zip(variables) {
                column.push(field.derivative(function, variable)?);
            }
        }
        for (column, entry) in columns.iter_mut().zip(form) {
            column.push(entry);
        }
        let echelon = field.echelon(&columns, functions.len(), &[])?;
        for row in &echelon.rows[echelon.pivots.len()..] {
            if !field.is_zero(&row[functions.len()])? {
                return Ok(None);
            }
        }
        // Σ κ (F − C) + Σ ν φ
        let mut sum = Vec::new();
        for (row, &k) in echelon.rows.iter().zip(&echelon.pivots) {
            let factor = &row[functions.len()];
            if factor.is_zero() {
                continue;
            }
            let whole = field.mul(factor, &functions[k])?;
            let mut part = field.to_graph(graph, &whole);
            if let Some(&value) = values.get(k) {
                let Some(value) = Rational::from_f64(value) else {
                    return Ok(None);
                };
                let (value, factor) = (graph.number(value), field.to_graph(graph, factor));
                let constant = graph.mul(factor, value);
                part = graph.sub(part, constant);
            }
            sum.push(part);
        }
        let residual = graph.sum(sum);
        let residual = self.at_start(graph, residual);
        Ok(self.may_be_held(graph, place, residual).then_some(residual))
    }

    /// A function on the side of its logarithms where the start is.
    fn at_start(&self, graph: &mut Graph, function: ExprId) -> ExprId {
        with_value(graph, function, |it| self.value_of(it))
    }

    fn value_of(&self, symbol: SymbolId) -> f64 {
        self.of.0.value_of(symbol, self.start)
    }

    fn values(&self, graph: &Graph, of: &[ExprId]) -> Vec<f64> {
        evaluate(graph, of, |it| self.value_of(it))
    }

    /// Whether a function can be held: it has a value and the slopes of its row at the start, and jumps nowhere. Where a factor vanishes or has a pole,
    /// it has not.
    fn may_be_held(&self, graph: &mut Graph, place: usize, residual: ExprId) -> bool {
        let (mechanism, system) = self.of;
        let pfaffian = &self.asked.pfaffian;
        let coordinates = &system.symbols.coordinates;
        let sets = system.events.iter().flat_map(|event| &event.set);
        let moved: Vec<SymbolId> = sets
            .filter_map(|(target, _)| match *target {
                SetTarget::Coordinate(k) => Some(coordinates[k]),
                _ => None,
            })
            .collect();
        let present = Cone::new(graph, &[residual]).symbols(graph);
        // An event that moves a coordinate moves what was constant.
        if present.iter().any(|it| moved.contains(it)) {
            return false;
        }
        let slopes = gradient(graph, residual, &pfaffian.variables);
        let zero = graph.integer(0);
        let form = &pfaffian.forms[place];
        let entries = (0..slopes.len()).map(|k| form.get(&k).copied().unwrap_or(zero));
        let entries: Vec<ExprId> = entries.collect();
        let (slopes, entries) = (self.values(graph, &slopes), self.values(graph, &entries));
        let size = entries.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let alike = |(a, b): (&f64, &f64)| (a - b).abs() <= CLEAR * size;
        let met = self.values(graph, &[residual])[0].is_finite();
        met && slopes.iter().zip(&entries).all(alike)
            && jump(graph, residual, mechanism, self.start).is_none()
    }
}
