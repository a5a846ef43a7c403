//! Speeds and forces: what they are rates and gradients of.

use crate::antiderivative::holds;
use crate::directions::{free, values};
use crate::forms::{Form, LIMITS, Point, part_of_limits};
use crate::integral::potential;
use crate::rows::fixed;
use crate::smooth::may_jump;
use crate::span::Value;
use dalembert_expr::calculus::forward;
use dalembert_expr::normal::precise::{Bounded, Number};
use dalembert_expr::normal::{Field, Fraction, Outside, Style};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::{Given, System};

/// Coordinates above which forces and speeds are not looked at.
const MANY: usize = 60;

/// What a speed is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// The rate of a function of coordinates and time.
    Velocity(ExprId),
    /// The rate of nothing, which is certain.
    Quasi,
    /// Not decided.
    Undecided,
}

/// What a force is (Angeles 1983, 2.1, and forces without power besides).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceKind {
    /// The gradient of a potential of the coordinates.
    Conservative,
    /// The gradient of a potential that depends on time too.
    Lamellar,
    /// It takes power from every motion, or none.
    Dissipative,
    /// It depends on rates, and has no power in any motion.
    Gyroscopic,
    /// None of these, which is certain.
    Other,
}

/// A force, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acting {
    /// Its kind, if that is proved.
    pub kind: Option<ForceKind>,
    /// V, of which it is the gradient with its sign changed.
    pub potential: Option<ExprId>,
    /// Whether V is a part of the model's.
    pub flagged: bool,
}

impl Acting {
    /// The potential of a conservative force that the model gives as a force: one of the model's own is counted there.
    pub(crate) fn of_coordinates(&self) -> Option<ExprId> {
        let counts = self.kind == Some(ForceKind::Conservative) && !self.flagged;
        self.potential.filter(|_| counts)
    }
}

/// Whether a form is not closed along directions, which is certain: dω(X, Y) ≠ 0 at a point.
pub(crate) fn is_clearly_not_closed(
    graph: &mut Graph,
    form: &Form,
    variables: &[SymbolId],
    directions: &[std::collections::BTreeMap<usize, ExprId>],
    points: &[Point],
) -> bool {
    let size = variables.len();
    let (places, entries): (Vec<usize>, Vec<ExprId>) =
        form.iter().map(|(&k, &entry)| (k, entry)).unzip();
    let mut slopes = Vec::with_capacity(size * places.len());
    for &variable in variables {
        slopes.extend(forward(graph, &entries, |graph, symbol| {
            (symbol == variable).then(|| graph.integer(1))
        }));
    }
    points.iter().any(|point| {
        let found = values(graph, &slopes, point);
        let mut slope = vec![vec![Value::ZERO; size]; size];
        for (i, &k) in places.iter().enumerate() {
            for (j, row) in slope.iter_mut().enumerate() {
                row[k] = found[j * places.len() + i];
            }
        }
        let along: Vec<Vec<(usize, Value)>> = directions
            .iter()
            .map(|direction| {
                let parts: Vec<ExprId> = direction.values().copied().collect();
                let found = values(graph, &parts, point);
                direction.keys().copied().zip(found).collect()
            })
            .collect();
        let mut pairs = (0..along.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.any(|(a, b)| {
            let mut sum = Value::ZERO;
            for &(j, x) in &along[a] {
                for &(k, y) in &along[b] {
                    let curl = slope[j][k].minus(slope[k][j]);
                    sum = sum.minus(curl.times(x.times(y)));
                }
            }
            sum.is_clear()
        })
    })
}

/// What the speeds of a system are rates of.
pub(crate) fn speeds(graph: &mut Graph, mechanism: &Mechanism, points: &[Point]) -> Vec<Speed> {
    let system = &mechanism.system;
    let Some(speeds) = &system.speeds else {
        let coordinates = &system.symbols.coordinates;
        let node = |&it: &SymbolId| Speed::Velocity(graph.symbol_node(it));
        return coordinates.iter().map(node).collect();
    };
    let n = system.symbols.coordinates.len();
    if n > MANY {
        return vec![Speed::Undecided; speeds.named];
    }
    let mut variables = system.symbols.coordinates.clone();
    variables.push(system.symbols.time);
    // Coordinates that obey identities move along these only.
    let identities: Vec<Form> = (system.rows.iter().filter(|row| row.identity))
        .map(|row| row.jacobian.iter().copied().collect())
        .collect();
    let held: Vec<&Form> = identities.iter().collect();
    let free = points
        .first()
        .and_then(|point| free(graph, &held, n + 1, Some(n), point));
    let mut found = Vec::with_capacity(speeds.named);
    for (row, &offset) in speeds.matrix.iter().zip(&speeds.offset).take(speeds.named) {
        let mut form: Form = row.iter().copied().collect();
        form.insert(n, offset);
        form.retain(|_, entry| graph.as_number(*entry).is_none_or(|it| !it.is_zero()));
        let mut field = Field::with_limits(LIMITS);
        let integral = taken(graph, &mut field, &form, n + 1)
            .and_then(|row| potential(&mut field, &row, &variables));
        let integral = integral.ok().flatten();
        let integral = integral.map(|it| field.present(graph, &[it], &Style::default())[0]);
        found.push(match (integral, &free) {
            (Some(integral), _) if may_jump(graph, integral, &fixed(mechanism)).is_some() => {
                Speed::Undecided
            }
            (Some(integral), _) => Speed::Velocity(integral),
            (_, Some(free))
                if is_clearly_not_closed(graph, &form, &variables, &free.directions, points) =>
            {
                Speed::Quasi
            }
            _ => Speed::Undecided,
        });
    }
    found
}

pub(crate) fn taken(
    graph: &Graph,
    field: &mut Field,
    form: &Form,
    size: usize,
) -> Result<Vec<Fraction>, Outside> {
    let entries: Vec<ExprId> = form.values().copied().collect();
    let mut row = vec![Fraction::zero(); size];
    for (&k, entry) in form.keys().zip(field.take_all(graph, &entries)) {
        row[k] = entry?;
    }
    Ok(row)
}

/// What a given force is.
pub(crate) fn force(
    graph: &mut Graph,
    (mechanism, inputs): (&Mechanism, &[SymbolId]),
    given: &Given,
    points: &[Point],
) -> Acting {
    let system = &mechanism.system;
    // The model may give it as a gradient.
    let flagged = given.conservative;
    let n = system.symbols.coordinates.len();
    // What `dynamics` gives beside M holds inertia too.
    if n > MANY || given.name == "dynamics" {
        return Acting::default();
    }
    let mut form = Form::new();
    for &(k, entry) in &given.force {
        let zero = graph.integer(0);
        let sum = form.entry(k).or_insert(zero);
        *sum = graph.sub(*sum, entry);
    }
    let entries: Vec<ExprId> = form.values().copied().collect();
    let symbols = Cone::new(graph, &entries).symbols(graph);
    let nothing = Acting {
        flagged,
        ..Acting::default()
    };
    let from_outside = |it: &SymbolId| *it == system.symbols.time || inputs.contains(it);
    if let Some(damping) = given.damping
        && !symbols.iter().any(from_outside)
        && let Some(point) = points.first()
    {
        let c = values(graph, &[damping], point)[0];
        if c.is_clear() && c.number.to_f64() > 0.0 {
            return Acting {
                kind: Some(ForceKind::Dissipative),
                ..nothing
            };
        }
    }
    let kind_of = |it: SymbolId| graph.symbol_data(it).kind;
    if symbols
        .iter()
        .any(|&it| kind_of(it) == SymbolKind::Multiplier)
    {
        return Acting {
            kind: Some(ForceKind::Other),
            ..nothing
        };
    }
    let rates = &system.symbols.rates;
    let of_rates = symbols.iter().any(|it| rates.contains(it));
    if of_rates && gives_power(graph, system, &form, points) {
        return Acting {
            kind: Some(ForceKind::Other),
            ..nothing
        };
    }
    // All forces together have what one question of rows has.
    let share = part_of_limits(4 * system.forces.len() as u64);
    let mut field = Field::with_limits(share);
    let row = match taken(graph, &mut field, &form, n) {
        Ok(row) => row,
        Err(_) if flagged => {
            // A gradient by what the model says; of time it may depend.
            let of_time = symbols.iter().any(from_outside);
            return Acting {
                kind: (!of_time).then_some(ForceKind::Conservative),
                ..nothing
            };
        }
        Err(_) => return nothing,
    };
    let of_rates = |field: &Field| {
        row.iter()
            .any(|it| field.holds(it, |symbol| system.symbols.rates.contains(&symbol)))
    };
    if of_rates(&field) {
        return Acting {
            kind: by_power(&mut field, (system, inputs), &row, points),
            ..nothing
        };
    }
    let of_time = row
        .iter()
        .any(|it| field.holds(it, |symbol| from_outside(&symbol)));
    let kind = match of_time {
        true => ForceKind::Lamellar,
        false => ForceKind::Conservative,
    };
    match potential(&mut field, &row, &system.symbols.coordinates) {
        Ok(Some(found)) => {
            let found = field.present(graph, &[found], &Style::default())[0];
            // Around a place where V begins anew, or across a step of it, work is done without V; as time goes V may jump.
            let parameter = fixed(mechanism);
            let time = |it| (it == system.symbols.time).then_some(f64::NAN);
            match may_jump(graph, found, &|it| parameter(it).or(time(it))) {
                None => Acting {
                    kind: Some(kind),
                    potential: Some(found),
                    ..nothing
                },
                Some(_) => nothing,
            }
        }
        _ if flagged => Acting {
            kind: Some(kind),
            ..nothing
        },
        _ => {
            let unit = |graph: &mut Graph, k| [(k, graph.integer(1))].into();
            let directions: Vec<_> = (0..n).map(|k| unit(graph, k)).collect();
            let coordinates = &system.symbols.coordinates;
            let curls = is_clearly_not_closed(graph, &form, coordinates, &directions, points);
            Acting {
                kind: curls.then_some(ForceKind::Other),
                ..nothing
            }
        }
    }
}

/// Whether a force that depends on rates gives power in some motion, which is certain: it is none of the kinds that have a name.
fn gives_power(graph: &mut Graph, system: &System, form: &Form, points: &[Point]) -> bool {
    let rates = &system.symbols.rates;
    let mut taken = graph.integer(0);
    for (&k, &entry) in form {
        let rate = graph.symbol_node(rates[k]);
        let part = graph.mul(entry, rate);
        taken = graph.add(taken, part);
    }
    let mut asked: Vec<ExprId> = form.values().copied().collect();
    asked.push(taken);
    // Rates of both signs and several sizes.
    points.iter().enumerate().any(|(place, point)| {
        let at = |pattern: usize| {
            let mut point = point.clone();
            for (k, &rate) in rates.iter().enumerate() {
                let sign = if (k >> (pattern / 2)) & 1 == pattern & 1 {
                    1.0
                } else {
                    -1.0
                };
                let size = 0.3 + 0.21 * ((k + 2 * place) % 5) as f64;
                point.insert(rate, Bounded::exact(Number::from(sign * size)));
            }
            values(graph, &asked, &point)
        };
        let found: Vec<Vec<Value>> = (0..4).map(at).collect();
        let entries = 0..asked.len() - 1;
        let mut changes = entries.flat_map(|k| found.iter().map(move |it| (k, it)));
        let gives = |it: &Vec<Value>| {
            let power = it[asked.len() - 1];
            power.is_clear() && power.number.to_f64() < 0.0
        };
        found.iter().any(gives) && changes.any(|(k, it)| it[k].minus(found[0][k]).is_clear())
    })
}

/// The kind of a force that depends on rates, by its power; the row is what it takes.
fn by_power(
    field: &mut Field,
    (system, inputs): (&System, &[SymbolId]),
    row: &[Fraction],
    points: &[Point],
) -> Option<ForceKind> {
    let mut terms = Vec::new();
    for (entry, &rate) in row.iter().zip(&system.symbols.rates) {
        let rate = field.symbol(rate).ok()?;
        terms.push(field.mul(entry, &field.element(rate)).ok()?);
    }
    let taken = field.sum(&terms).ok()?;
    if field.is_zero(&taken).ok()? {
        return Some(ForceKind::Gyroscopic);
    }
    let is_square = is_square(field, &taken, (system, inputs), points.first()?)?;
    is_square.then_some(ForceKind::Dissipative)
}

/// Whether the power taken is p s² with a positive parameter p, or a product of such, or a quadratic form of the rates whose
/// coefficients are constants and whose pivots are positive.
fn is_square(
    field: &mut Field,
    taken: &Fraction,
    (system, inputs): (&System, &[SymbolId]),
    point: &Point,
) -> Option<bool> {
    let sign = |field: &Field, element: &Fraction| -> Option<f64> {
        let mut generators = Vec::new();
        let unknown = || Bounded::exact(Number::from(f64::NAN));
        field.extend_values(&mut generators, |it| {
            point.get(&it).copied().unwrap_or_else(unknown)
        });
        let value = Value::from(field.value(element, &generators));
        value.is_clear().then(|| value.number.to_f64())
    };
    // The sign of what is set from outside is not known.
    if field.holds(taken, |it| inputs.contains(&it)) {
        return Some(false);
    }
    for &parameter in &system.symbols.parameters {
        if !holds(field, taken, parameter) {
            continue;
        }
        let p = field.symbol(parameter).ok()?;
        let p = field.element(p);
        let quotient = field.div(taken, &p).ok()?;
        if field.square_root(&quotient).ok()?.is_some() {
            return Some(sign(field, &p)? > 0.0);
        }
    }
    if field.square_root(taken).ok()?.is_some() {
        return Some(true);
    }
    // Half the second derivatives, eliminated.
    let rates = &system.symbols.rates;
    let n = rates.len();
    let mut matrix = vec![vec![Fraction::zero(); n]; n];
    for i in 0..n {
        let slope = field.derivative(taken, rates[i]).ok()?;
        for k in 0..n {
            let entry = field.derivative(&slope, rates[k]).ok()?;
            let moves = |it: SymbolId| {
                rates.contains(&it)
                    || system.symbols.coordinates.contains(&it)
                    || it == system.symbols.time
            };
            if field.holds(&entry, moves) {
                return Some(false);
            }
            matrix[i][k] = entry;
        }
    }
    // Terms of other degrees in the rates may give power.
    let mut terms = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        for (k, entry) in row.iter().enumerate().filter(|(_, it)| !it.is_zero()) {
            let [a, b] = [rates[i], rates[k]].map(|it| field.symbol(it));
            let product = field
                .mul(&field.element(a.ok()?), &field.element(b.ok()?))
                .ok()?;
            terms.push(field.mul(entry, &product).ok()?);
        }
    }
    let twice = field.mul(taken, &Fraction::number(2)).ok()?;
    let form = field.sum(&terms).ok()?;
    if !field.is_equal(&form, &twice).ok()? {
        return Some(false);
    }
    let mut left: Vec<usize> = (0..n).collect();
    while let Some(place) = left.iter().position(|&k| !matrix[k][k].is_zero()) {
        let k = left.remove(place);
        let pivot = matrix[k][k].clone();
        if sign(field, &pivot)? <= 0.0 {
            return Some(false);
        }
        for &i in &left {
            let factor = field.div(&matrix[i][k], &pivot).ok()?;
            for &j in &left {
                let part = field.mul(&factor, &matrix[k][j]).ok()?;
                matrix[i][j] = field.sub(&matrix[i][j], &part).ok()?;
            }
        }
    }
    Some(
        left.iter()
            .all(|&i| left.iter().all(|&j| matrix[i][j].is_zero())),
    )
}
