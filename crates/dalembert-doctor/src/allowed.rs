//! Momenta along the directions that rows leave free, which need not be those of one symmetry everywhere.
//!
//! ```text
//! ξ = Σ c D(q), A D = 0:   d/dt (p·ξ) = ξ·∂L/∂q + ξ'·∂L/∂q' + (Q + w)·ξ     with q' = Σ D u, as the rows leave it
//! ```
//!
//! A skate with its mass centre above the edge keeps its speed along the edge, though the edge turns. D are the free directions without quotients, c
//! constants: linear again.

use crate::directions::{free, values};
use crate::forms::{Form, Point, part_of_limits, sides};
use crate::integral::split;
use crate::rows::{form_of, moving};
use crate::span::{Span, Standing, Value};
use dalembert_expr::calculus::forward;
use dalembert_expr::normal::precise::{Bounded, Number};
use dalembert_expr::normal::{Field, Fraction, Outside};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, substitute};
use dalembert_mechanics::lower::{Level, Row, System};
use std::collections::BTreeMap;

/// Free directions at most.
const DIRECTIONS: usize = 6;

/// A direction in which nothing changes: its momentum is Σ c p + Σ c (qᵢ pⱼ − qⱼ pᵢ).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// By coordinate; constants, or functions of the coordinates where rows leave such a direction free.
    pub shifts: Vec<(usize, ExprId)>,
    /// By pair of coordinates; constants.
    pub turns: Vec<((usize, usize), ExprId)>,
}

/// Symmetries whose shifts are functions of the coordinates, beyond those that are known; where there are rows of velocities, all of them
/// homogeneous in the rates.
pub(crate) fn allowed(
    graph: &mut Graph,
    (system, inputs): (&System, &[SymbolId]),
    (slopes, given): (&[ExprId], &[ExprId]),
    around: &[Point],
    known: &[Symmetry],
) -> Vec<Symmetry> {
    let n = system.symbols.coordinates.len();
    let has_velocities = system.rows.iter().any(|row| row.level == Level::Velocity);
    let is_plain = |row: &Row| row.linear && !row.rheonomic;
    let plain = system.rows.iter().all(is_plain) && system.servo.is_empty();
    let Some(point) = around.first().filter(|_| has_velocities && plain) else {
        return Vec::new();
    };
    let mut forms = Vec::with_capacity(system.rows.len());
    for row in &system.rows {
        let Some(rate) = row.rate else {
            return Vec::new();
        };
        let form = form_of(graph, system, row, rate);
        let entries: Vec<ExprId> = form.values().copied().collect();
        let present = Cone::new(graph, &entries).symbols(graph);
        let has_sides = sides(graph, &entries, &system.symbols.coordinates).is_some();
        if has_sides || form.contains_key(&n) || present.iter().any(|it| inputs.contains(it)) {
            return Vec::new();
        }
        forms.push(form);
    }
    let held: Vec<&Form> = forms.iter().collect();
    let Some(found) = free(graph, &held, n, None, point) else {
        return Vec::new();
    };
    let count = found.directions.len();
    if !(1..=DIRECTIONS).contains(&count) {
        return Vec::new();
    }
    let of = Allowed {
        system,
        forms: &forms,
        directions: found.directions,
        pivots: found.pivots,
    };
    let found = of.fields(graph).and_then(|fields| {
        let equation = of.changes(graph, &fields, (slopes, given));
        if leave_nothing(graph, std::slice::from_ref(&equation), around) {
            return Ok(Vec::new());
        }
        of.symmetries(graph, &fields, (&equation, inputs))
    });
    let mut span = Span::default();
    for symmetry in known {
        span.insert(of.at(graph, symmetry, around));
    }
    let mut found = found.unwrap_or_default();
    found.retain(|it| span.insert(of.at(graph, it, around)) == Standing::Outside);
    found
}

struct Allowed<'a> {
    system: &'a System,
    forms: &'a [Form],
    directions: Vec<crate::directions::Direction>,
    pivots: Vec<usize>,
}

impl Allowed<'_> {
    /// The directions without quotients, along which every row is proved to vanish.
    fn fields(&self, graph: &mut Graph) -> Result<Vec<Vec<(usize, ExprId)>>, Outside> {
        let mut field = Field::with_limits(part_of_limits(2));
        let mut rows = Vec::new();
        for form in self.forms {
            let entries: Vec<ExprId> = form.values().copied().collect();
            let taken: Result<Vec<Fraction>, Outside> =
                field.take_all(graph, &entries).into_iter().collect();
            rows.push(taken?);
        }
        let mut fields = Vec::new();
        for direction in &self.directions {
            let entries: Vec<ExprId> = direction.values().copied().collect();
            let taken: Result<Vec<Fraction>, Outside> =
                field.take_all(graph, &entries).into_iter().collect();
            let mut taken = taken?;
            let mut scale = Fraction::one();
            for entry in &taken {
                let below = field.mul(entry, &scale)?.denominator().clone();
                scale = field.mul(&scale, &Fraction::from(below))?;
            }
            for entry in &mut taken {
                *entry = field.mul(entry, &scale)?;
            }
            for (form, row) in self.forms.iter().zip(&rows) {
                let mut sum = Vec::new();
                for (k, entry) in direction.keys().zip(&taken) {
                    if let Some(place) = form.keys().position(|it| it == k) {
                        sum.push(field.mul(&row[place], entry)?);
                    }
                }
                let sum = field.sum(&sum)?;
                if !field.is_zero(&sum)? {
                    return Err(Outside::Undefined);
                }
            }
            let shown = taken.iter().map(|it| field.to_graph(graph, it));
            fields.push(direction.keys().copied().zip(shown).collect());
        }
        Ok(fields)
    }

    /// d/dt (p·ξ) of each field, with the rates that follow put in.
    fn changes(
        &self,
        graph: &mut Graph,
        fields: &[Vec<(usize, ExprId)>],
        (slopes, given): (&[ExprId], &[ExprId]),
    ) -> Vec<ExprId> {
        let symbols = &self.system.symbols;
        let n = symbols.coordinates.len();
        let rates: Vec<ExprId> = symbols
            .rates
            .iter()
            .map(|&it| graph.symbol_node(it))
            .collect();
        let mut follow = Vec::new();
        for &p in &self.pivots {
            let mut sum = graph.integer(0);
            for direction in &self.directions {
                // 1 at its own variable.
                let own = direction.keys().find(|it| !self.pivots.contains(it));
                if let (Some(&own), Some(&entry)) = (own, direction.get(&p)) {
                    let part = graph.mul(entry, rates[own]);
                    sum = graph.add(sum, part);
                }
            }
            follow.push((rates[p], sum));
        }
        let rate_of = |symbol: SymbolId| {
            let place = symbols.coordinates.iter().position(|&it| it == symbol);
            place.map(|k| rates[k])
        };
        let mut changes = Vec::new();
        for field in fields {
            let entries: Vec<ExprId> = field.iter().map(|&(_, it)| it).collect();
            let turned = forward(graph, &entries, |_, symbol| rate_of(symbol));
            let mut sum = graph.integer(0);
            for (&(k, entry), turned) in field.iter().zip(turned) {
                let force = graph.add(slopes[k], given[k]);
                let first = graph.mul(entry, force);
                let second = graph.mul(turned, slopes[n + k]);
                let both = graph.add(first, second);
                sum = graph.add(sum, both);
            }
            changes.push(sum);
        }
        substitute(graph, &changes, &follow)
    }

    /// Σ c D with constants c for which Σ c E = 0 for all states.
    fn symmetries(
        &self,
        graph: &mut Graph,
        fields: &[Vec<(usize, ExprId)>],
        (equation, inputs): (&[ExprId], &[SymbolId]),
    ) -> Result<Vec<Symmetry>, Outside> {
        let mut field = Field::with_limits(part_of_limits(2));
        let taken: Result<Vec<Fraction>, Outside> =
            field.take_all(graph, equation).into_iter().collect();
        let moving = moving(graph, self.system, inputs, equation);
        let mut rows = split(&field, &[taken?], &moving)?;
        if rows.is_empty() {
            rows.push(vec![Fraction::zero(); equation.len()]);
        }
        let mut found = Vec::new();
        for constants in field.nullspace(&rows, &[])? {
            // Without quotients: a parameter below the bar may be zero.
            let mut scale = Fraction::one();
            for constant in &constants {
                let below = field.mul(constant, &scale)?.denominator().clone();
                scale = field.mul(&scale, &Fraction::from(below))?;
            }
            let mut shifts: BTreeMap<usize, ExprId> = BTreeMap::new();
            for (constant, parts) in constants.iter().zip(fields) {
                if constant.is_zero() {
                    continue;
                }
                let constant = field.mul(constant, &scale)?;
                let constant = field.to_graph(graph, &constant);
                for &(k, entry) in parts {
                    let zero = graph.integer(0);
                    let part = graph.mul(constant, entry);
                    let sum = shifts.entry(k).or_insert(zero);
                    *sum = graph.add(*sum, part);
                }
            }
            let shifts = shifts.into_iter().collect();
            found.push(Symmetry {
                shifts,
                turns: Vec::new(),
            });
        }
        Ok(found)
    }

    /// ξ at some states, one after the other.
    fn at(&self, graph: &Graph, symmetry: &Symmetry, states: &[Point]) -> Vec<Value> {
        let coordinates = &self.system.symbols.coordinates;
        let mut all = Vec::new();
        for state in states.iter().take(3) {
            let place = |k: usize| {
                state
                    .get(&coordinates[k])
                    .copied()
                    .map_or(Value::ZERO, Value::from)
            };
            let mut vector = vec![Value::ZERO; coordinates.len()];
            for &(k, entry) in &symmetry.shifts {
                vector[k] = values(graph, &[entry], state)[0];
            }
            for &((i, j), entry) in &symmetry.turns {
                let constant = values(graph, &[entry], state)[0];
                let minus = Value::ZERO.minus(constant);
                vector[j] = vector[j].minus(minus.times(place(i)));
                vector[i] = vector[i].minus(constant.times(place(j)));
            }
            all.extend(vector);
        }
        all
    }
}

/// Whether the equations have no constants but zero, by as many that are independent as there are unknowns, which is certain.
pub(crate) fn leave_nothing(graph: &Graph, equations: &[Vec<ExprId>], around: &[Point]) -> bool {
    let unknowns = equations.first().map_or(0, Vec::len);
    let all: Vec<ExprId> = equations.iter().flatten().copied().collect();
    let symbols = Cone::new(graph, &all).symbols(graph);
    let mut span = Span::default();
    for (place, state) in around.iter().enumerate() {
        let before = span.dimension();
        let mut state = state.clone();
        // What laws use besides, as normal forces, is anything.
        for (k, &symbol) in symbols.iter().enumerate() {
            let any = Number::from(0.7 + 0.13 * ((3 * k + place) % 11) as f64);
            state.entry(symbol).or_insert(Bounded::exact(any));
        }
        let found = values(graph, &all, &state);
        for equation in found.chunks(unknowns) {
            if equation.iter().all(|it| it.number.is_finite()) {
                span.insert(equation.to_vec());
            }
        }
        if span.dimension() == unknowns || span.dimension() == before {
            break;
        }
    }
    span.dimension() == unknowns
}
