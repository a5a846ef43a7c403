//! A system in numbers at states that meet its rows: what symbols say is held against it.
//!
//! The field of the normal form decides what follows from its rules, and no more: cos(atan z) √(1 + z²) − 1 is an element
//! like any other. So no element is divided by, and no row counts as independent, unless some thirty digits with a bound for
//! rounding show at these states that it is not zero; and what is printed is put to the same states.

use super::page::Equation;
use super::result::Derivation;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::normal::{Field, Fraction};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, SymbolKind, Unary, evaluate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{CLEAR, IN_DOUBLES, KNOWN};
use dalembert_mechanics::lower::{Row, System};
use dalembert_mechanics::model::Model;
use dalembert_mechanics::start::State;
use dalembert_symbolic::law_symbols::multipliers;
use dalembert_symbolic::matrix::Matrix;
use dalembert_symbolic::precise::{Line, Precise, Random, far_state, solve};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Random states near the start, and how many more far from it where functions jump.
const NEAR: usize = 4;
const FAR: usize = 4;
/// Coordinates and rows above which one random state is enough.
const LARGE: usize = 40;
/// Common digits below which numbers agree by rounding, and not because they are equal.
const LEAST_DIGITS: usize = 6;

/// A system in numbers.
pub(super) struct Samples<'m> {
    pub(super) mechanism: &'m Mechanism,
    pub(super) start: State,
    /// λ by row.
    multipliers: Vec<SymbolId>,
    at_start: Sample,
    list: Vec<Sample>,
}

/// Values of symbols at one state.
#[derive(Default)]
struct Sample {
    symbols: BTreeMap<SymbolId, Bounded>,
    /// Values of the generators of the field, as many as were asked for.
    generators: RefCell<Vec<Bounded>>,
    /// Rows that are independent there; not asked at the start, which may be an exception.
    rank: Option<usize>,
}

/// How well equations agree with the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// States at which they were compared.
    pub states: usize,
    /// Digits that both have in common at all of them.
    pub digits: usize,
}

/// Numbers contradict equations.
pub(super) struct Contradicted;

/// An equation that the numbers contradict.
pub(super) struct Contradiction {
    pub(super) equation: Equation,
    /// Values of its sides; nothing if it has none at any state.
    pub(super) values: Option<[f64; 2]>,
}

impl<'m> Samples<'m> {
    /// States around the start of a mechanism; none if it has no start. `graph` begins with that of its system.
    pub(super) fn of(mechanism: &'m Mechanism, graph: &mut Graph) -> Option<Self> {
        let system = &mechanism.system;
        let start = mechanism.start().ok()?.state;
        let precise = Precise::new(mechanism);
        let size = system.symbols.coordinates.len() + system.rows.len();
        let near = if size > LARGE { 1 } else { NEAR };
        let mut states = vec![start.clone()];
        states.extend(mechanism.states_around(&start, near));
        if size <= LARGE && jumps(graph, system) {
            let mut random = Random::new(1);
            let far = |_| far_state(&precise, &start, 1.0, &mut random);
            states.extend((0..FAR).filter_map(far));
        }
        let multipliers = multipliers(graph, system);
        let speeds = speeds(&mechanism.model, system, graph);
        let graph = &*graph;
        let sample = |state: &State| {
            let mut snapshot = mechanism.motion(state).ok()?;
            let values = precise.motion(&mut snapshot, None)?;
            let mut sample = Sample {
                symbols: values.known().clone(),
                ..Sample::default()
            };
            sample.set_speeds(graph, &speeds);
            let nodes = multipliers.iter().map(|&symbol| graph.symbol_node(symbol));
            let found = values.of(graph, &nodes.collect::<Vec<_>>());
            // Where several sets of multipliers are possible, one of them.
            let sizes = snapshot.multipliers.iter().map(|it| it.abs());
            let error = match precise.is_large() {
                true => IN_DOUBLES,
                false => f64::EPSILON,
            } * sizes.fold(0.0, f64::max);
            for ((&symbol, value), &other) in
                multipliers.iter().zip(found).zip(&snapshot.multipliers)
            {
                let value = match value.value.is_finite() {
                    true => value,
                    false => Bounded::within(Number::from(other), error),
                };
                sample.symbols.insert(symbol, value);
            }
            let entries = system.rows.iter().flat_map(|row| &row.jacobian);
            let entries: Vec<ExprId> = entries.map(|&(_, entry)| entry).collect();
            let rank = || rank(system, &values.of(graph, &entries)) - system.identities();
            sample.rank = (*state != start).then(rank);
            Some(sample)
        };
        let list: Vec<Sample> = states.iter().filter_map(sample).collect();
        let mut at_start = Sample::at(mechanism, &start);
        at_start.set_speeds(graph, &speeds);
        Some(Self {
            mechanism,
            start,
            multipliers,
            at_start,
            list,
        })
    }

    /// Number of states.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// Lets a name stand for an element.
    pub(super) fn define(&mut self, field: &Field, name: SymbolId, element: &Fraction) {
        for sample in self.all_mut() {
            let value = sample.value(field, element);
            sample.set(name, value);
        }
    }

    /// Lets a name stand for the root of an element.
    pub(super) fn define_root(&mut self, field: &Field, name: SymbolId, square: &Fraction) {
        let mut scratch = Graph::new();
        let below = scratch.symbol("square", SymbolKind::Parameter);
        let root = scratch.sqrt(below);
        for sample in self.all_mut() {
            let square = sample.value(field, square);
            let root = evaluate_bounded(&scratch, &[root], |_| square)[0];
            sample.set(name, root);
        }
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Sample> {
        self.list.iter_mut().chain([&mut self.at_start])
    }

    /// Whether an element is zero at every state, as far as can be told.
    pub(super) fn vanishes(&self, field: &Field, element: &Fraction) -> bool {
        let above = Fraction::from(element.numerator().clone());
        let mut known = false;
        for sample in self.list.iter().rev() {
            let value = sample.value(field, &above);
            if is_not_zero(&value) {
                return false;
            }
            known |= value.value.is_finite();
        }
        known
    }

    /// Whether an element is zero or has no value at the start.
    pub(super) fn vanishes_at_start(&self, field: &Field, element: &Fraction) -> bool {
        let above = Fraction::from(element.numerator().clone());
        !is_not_zero(&self.at_start.value(field, &above))
    }

    /// Those of some expressions that are zero or have no value at the start.
    pub(super) fn zero_at_start(&self, graph: &Graph, expressions: &[ExprId]) -> Vec<ExprId> {
        let values = self.at_start.of(graph, expressions);
        let pairs = expressions.iter().zip(values);
        let zero = pairs.filter(|(_, value)| !is_not_zero(value));
        zero.map(|(&expression, _)| expression).collect()
    }

    /// Whether the rows have so many independent ones at all states but the start.
    pub(super) fn has_rank(&self, rank: usize) -> bool {
        let mut known = self.list.iter().filter_map(|sample| sample.rank);
        known.all(|known| known == rank)
    }

    /// Whether a matrix has full rank at a state.
    pub(super) fn is_regular(&self, field: &Field, matrix: &Matrix) -> bool {
        let mut samples = self.list.iter().rev();
        samples.any(|sample| sample.rank(field, matrix) == matrix.rows())
    }

    /// Whether a matrix has a lower rank at the start than elsewhere.
    pub(super) fn loses_rank(&self, field: &Field, matrix: &Matrix) -> bool {
        let rank = |sample: &Sample| sample.rank(field, matrix);
        rank(&self.at_start) < self.list.last().map_or(0, rank)
    }

    /// How well elements agree, two by two; nothing if they have no values, or rounding leaves too little of them.
    pub(super) fn agreement(
        &self,
        field: &Field,
        pairs: &[(&Fraction, &Fraction)],
    ) -> Result<Option<Agreement>, Contradicted> {
        let mut found = Agreement {
            states: 0,
            digits: 30,
        };
        for sample in &self.list {
            let values = pairs
                .iter()
                .map(|(a, b)| [sample.value(field, a), sample.value(field, b)]);
            let mut finite = true;
            for [a, b] in values {
                if differ(&a, &b) {
                    return Err(Contradicted);
                }
                let apart = (a.value - b.value).size() + a.error + b.error;
                finite &= apart.is_finite();
                let size = a.size + b.size;
                if apart.is_finite() && apart > 0.0 && size > 0.0 {
                    let common = |digits: &i32| apart * 10_f64.powi(*digits) <= size;
                    found.digits = (1..=found.digits as i32).take_while(common).count();
                }
            }
            found.states += usize::from(finite);
        }
        Ok((found.states > 0 && found.digits >= LEAST_DIGITS).then_some(found))
    }

    /// The first equation of a page that is wrong at a state, or has no value at any.
    pub(super) fn contradiction(&self, page: &Derivation) -> Option<Contradiction> {
        let graph = page.graph();
        let mut equations: Vec<Equation> = page.equations.clone();
        equations.extend(page.kinematics.iter().chain(&page.identities));
        if let Some(independent) = &page.independent {
            equations.extend(&independent.dependent);
            equations.extend(&independent.accelerations);
        }
        let named = self.multipliers.iter().skip(page.identities.len());
        let named = named.zip(&page.multipliers);
        equations.extend(named.filter_map(|(&symbol, &right)| {
            let (left, right) = (graph.symbol_node(symbol), right?);
            Some(Equation { left, right })
        }));
        let sides = Equation::sides(&equations);
        let mut valued = vec![self.list.is_empty(); equations.len()];
        for sample in &self.list {
            let known = sample.with(graph, &page.shorthands);
            let known = known.with(graph, &page.reaction_shorthands);
            let values = known.of(graph, &sides);
            for (place, pair) in values.chunks_exact(2).enumerate() {
                if differ(&pair[0], &pair[1]) {
                    return Some(Contradiction {
                        equation: equations[place],
                        values: Some([pair[0].value.to_f64(), pair[1].value.to_f64()]),
                    });
                }
                valued[place] |= pair.iter().all(|side| side.value.is_finite());
            }
        }
        let is_empty = |&place: &usize| !valued[place] && !self.is_defined(page, equations[place]);
        let empty = (0..equations.len()).find(is_empty)?;
        Some(Contradiction {
            equation: equations[empty],
            values: None,
        })
    }
}

impl Samples<'_> {
    /// Whether an equation holds at a state in doubles: long formulas may leave no bound for what rounding did.
    fn is_defined(&self, page: &Derivation, equation: Equation) -> bool {
        let graph = page.graph();
        self.list.iter().any(|sample| {
            let known = sample.with(graph, &page.shorthands);
            let known = known.with(graph, &page.reaction_shorthands);
            let value = |symbol| known.symbol(symbol).value.to_f64();
            let sides = evaluate(graph, &[equation.left, equation.right], value);
            let size = sides[0].abs() + sides[1].abs();
            size.is_finite() && (sides[0] - sides[1]).abs() <= CLEAR * size
        })
    }
}

/// The quasi-velocities and their rates, as expressions in coordinates and their rates.
fn speeds(model: &Model, system: &System, graph: &mut Graph) -> Vec<(SymbolId, ExprId)> {
    let mut found = Vec::new();
    let Some(given) = &system.speeds else {
        return found;
    };
    for order in 0..2 {
        for (row, (name, _)) in model.speeds.iter().enumerate() {
            let mut value = given.values[row];
            if order == 1 {
                value = given.gamma[row];
                for &(column, entry) in &given.matrix[row] {
                    let acceleration = graph.symbol_node(system.symbols.accelerations[column]);
                    let part = graph.mul(entry, acceleration);
                    value = graph.add(value, part);
                }
            }
            let symbol = graph.derivative_symbol(&name.text, SymbolKind::Speed, order);
            found.extend(graph.as_symbol(symbol).map(|symbol| (symbol, value)));
        }
    }
    found
}

impl Sample {
    /// Coordinates, rates, parameters and time at a start, as well as these are known.
    fn at(mechanism: &Mechanism, state: &State) -> Self {
        let mut sample = Self::default();
        let symbols = &mechanism.system.symbols;
        let sizes = mechanism.sizes(state);
        // A parameter is what it is, and no other is a measure of it.
        let none = vec![0.0; mechanism.parameters.len()];
        for (list, values, sizes) in [
            (&symbols.coordinates, &state.coordinates, &sizes.coordinates),
            (&symbols.rates, &state.rates, &sizes.rates),
            (&symbols.parameters, &mechanism.parameters, &none),
        ] {
            for ((&symbol, &value), size) in list.iter().zip(values).zip(sizes) {
                let error = KNOWN * size.max(value.abs());
                let value = Bounded::within(Number::from(value), error);
                sample.symbols.insert(symbol, value);
            }
        }
        let time = Bounded::exact(Number::from(state.t));
        sample.symbols.insert(symbols.time, time);
        sample
    }

    fn set_speeds(&mut self, graph: &Graph, speeds: &[(SymbolId, ExprId)]) {
        let values: Vec<ExprId> = speeds.iter().map(|&(_, value)| value).collect();
        let values = self.of(graph, &values);
        let symbols = speeds.iter().map(|&(symbol, _)| symbol);
        self.symbols.extend(symbols.zip(values));
    }

    fn set(&mut self, symbol: SymbolId, value: Bounded) {
        self.symbols.insert(symbol, value);
        // The field may have asked for it before.
        self.generators.get_mut().clear();
    }

    fn symbol(&self, symbol: SymbolId) -> Bounded {
        let nothing = || Bounded::exact(Number::from(f64::NAN));
        self.symbols.get(&symbol).copied().unwrap_or_else(nothing)
    }

    fn of(&self, graph: &Graph, expressions: &[ExprId]) -> Vec<Bounded> {
        evaluate_bounded(graph, expressions, |symbol| self.symbol(symbol))
    }

    fn value(&self, field: &Field, element: &Fraction) -> Bounded {
        let mut generators = self.generators.borrow_mut();
        field.extend_values(&mut generators, |symbol| self.symbol(symbol));
        field.value(element, &generators)
    }

    fn rank(&self, field: &Field, matrix: &Matrix) -> usize {
        let row = |row: usize| {
            let mut line = vec![Bounded::exact(Number::ZERO); matrix.columns()];
            for (&column, entry) in matrix.row(row) {
                line[column] = self.value(field, entry);
            }
            line
        };
        rank_of((0..matrix.rows()).map(row), matrix.columns())
    }

    /// The same with names and what they stand for, each in terms of those before.
    fn with(&self, graph: &Graph, definitions: &[Equation]) -> Self {
        let mut known = Self {
            symbols: self.symbols.clone(),
            ..Self::default()
        };
        for definition in definitions {
            if let Some(name) = graph.as_symbol(definition.left) {
                let value = known.of(graph, &[definition.right])[0];
                known.symbols.insert(name, value);
            }
        }
        known
    }
}

fn is_not_zero(value: &Bounded) -> bool {
    value.differs_from(&Bounded::exact(Number::ZERO))
}

/// Whether values differ by more than rounding.
fn differ(a: &Bounded, b: &Bounded) -> bool {
    a.differs_from(b) && (a.value - b.value).size() > KNOWN * (a.size + b.size)
}

/// How many rows are independent; `entries` of their Jacobians one after the other.
fn rank(system: &System, entries: &[Bounded]) -> usize {
    let columns = system.symbols.coordinates.len();
    let mut entries = entries.iter();
    let row = |row: &Row| {
        let zero = Bounded::exact(Number::ZERO);
        let mut line = vec![zero; columns];
        for (&(column, _), entry) in row.jacobian.iter().zip(entries.by_ref()) {
            let sum = line[column].value + entry.value;
            line[column] = Bounded::within(sum, line[column].error + entry.error);
        }
        line
    };
    rank_of(system.rows.iter().map(row), columns)
}

/// The rank of rows, beyond what rounding may have done to them; zero where one has no value.
fn rank_of(rows: impl Iterator<Item = Vec<Bounded>>, columns: usize) -> usize {
    let line = |row: Vec<Bounded>| {
        let errors = row.iter().map(|it| it.error);
        Line {
            doubt: errors.fold(0.0, f64::max),
            error: 0.0,
            entries: row
                .iter()
                .map(|it| it.value)
                .chain([Number::ZERO])
                .collect(),
        }
    };
    let lines: Vec<Line> = rows.map(line).collect();
    let mut entries = lines.iter().flat_map(|line| &line.entries);
    match entries.all(|entry| entry.is_finite()) {
        true => solve(lines, columns, 0.0).rank,
        false => 0,
    }
}

/// Whether functions occur that are not one and the same on both sides of a point.
fn jumps(graph: &Graph, system: &System) -> bool {
    let rows = system.rows.iter();
    let rows = rows.flat_map(|row| row.jacobian.iter().map(|it| it.1).chain([row.bias]));
    let forces = system.forces.iter().flat_map(|it| &it.force);
    let inertia = system.inertia.iter();
    let inertia = inertia.flat_map(|it| it.mass.iter().map(|it| it.2));
    let all: Vec<ExprId> = rows.chain(forces.map(|it| it.1)).chain(inertia).collect();
    let cone = Cone::new(graph, &all);
    cone.nodes().iter().any(|&id| {
        matches!(
            graph.node(id),
            Node::Unary(Unary::Abs | Unary::Sign | Unary::Sqrt, _)
                | Node::Binary(
                    Binary::Min | Binary::Max | Binary::Atan2 | Binary::Above | Binary::NotAbove,
                    ..
                )
        )
    })
}

#[cfg(test)]
#[path = "../../tests/inside/derive_samples.rs"]
mod tests;
