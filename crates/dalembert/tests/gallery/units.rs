//! Units decide nothing: every example in other units of length, mass and time, and with rows multiplied by numbers, is the
//! same example.
//!
//! The change is made where a model is lowered: with q = s q̂, t = τ t̂ and E = ε Ê every expression is written in the new
//! variables, whatever the numbers in it mean. All factors are powers of two, so that rounding is the same and what
//! differs was decided by a size.

mod compared;

use crate::support::mechanism;
use dalembert_expr::{ExprId, Graph, SymbolId, substitute};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::Equations;
use dalembert_mechanics::lower::{
    ConditionPart, Level, Rough, SetTarget, Slip, Sparse, Started, System,
};
use dalembert_mechanics::terms::Terms;

/// A million, but for rounding.
const MILLION: i32 = 20;

/// Powers of two: units of length, mass and time, and what every other row is multiplied by, those between divided by.
#[derive(Clone, Copy, Debug, Default)]
struct Units {
    length: i32,
    mass: i32,
    time: i32,
    rows: i32,
}

impl Units {
    /// ε.
    fn energy(self) -> i32 {
        self.mass + 2 * self.length - 2 * self.time
    }

    fn row(self, index: usize) -> i32 {
        if index.is_multiple_of(2) {
            self.rows
        } else {
            -self.rows
        }
    }

    /// λ = k λ̂; of a row held by a force it is the size of that.
    fn multiplier(self, index: usize, level: Level, held: bool) -> i32 {
        if held {
            return 0;
        }
        let per_time = match level {
            Level::Position => 0,
            Level::Velocity => 1,
            Level::Acceleration => 2,
        };
        self.energy() - per_time * self.time + self.row(index)
    }
}

const CHANGES: [Units; 9] = {
    const NONE: Units = Units {
        length: 0,
        mass: 0,
        time: 0,
        rows: 0,
    };
    [
        Units {
            length: MILLION,
            ..NONE
        },
        Units {
            length: -MILLION,
            ..NONE
        },
        Units {
            mass: MILLION,
            ..NONE
        },
        Units {
            mass: -MILLION,
            ..NONE
        },
        Units {
            time: MILLION,
            ..NONE
        },
        Units {
            time: -MILLION,
            ..NONE
        },
        Units {
            rows: MILLION,
            ..NONE
        },
        Units {
            rows: -MILLION,
            ..NONE
        },
        Units {
            length: -MILLION,
            mass: MILLION,
            time: -MILLION,
            rows: MILLION,
        },
    ]
};

fn times(x: f64, power: i32) -> f64 {
    x * 2.0_f64.powi(power)
}

/// A mechanism in other units.
struct Changed {
    mechanism: Mechanism,
    units: Units,
    /// s of each coordinate, as a power of two.
    coordinates: Vec<i32>,
}

/// Which coordinates are lengths: those that stand in no sine or the like.
fn lengths(mechanism: &Mechanism) -> Vec<bool> {
    let system = &mechanism.system;
    let rows = system.rows.iter().map(|row| row.residual);
    let all: Vec<ExprId> = rows.chain([system.kinetic, system.potential]).collect();
    let natural = Terms::new(&system.graph, &all).natural(|_| 0.7);
    let is_length = |symbol: &SymbolId| natural[symbol.index()].is_none();
    system.symbols.coordinates.iter().map(is_length).collect()
}

/// Writes expressions in the new variables.
struct Writer<'g> {
    graph: &'g mut Graph,
    map: Vec<(ExprId, ExprId)>,
}

impl Writer<'_> {
    fn factor(&mut self, power: i32) -> ExprId {
        let two = self.graph.integer(2);
        self.graph.powi(two, i64::from(power))
    }

    /// The expression in new variables, times a power of two.
    fn put(&mut self, id: &mut ExprId, power: i32) {
        *id = substitute(self.graph, &[*id], &self.map)[0];
        if power != 0 {
            let factor = self.factor(power);
            *id = self.graph.mul(factor, *id);
        }
    }

    fn put_sparse(&mut self, list: &mut Sparse, power: impl Fn(usize) -> i32) {
        for (i, value) in list {
            self.put(value, power(*i));
        }
    }

    fn put_started(&mut self, started: &mut Started, power: i32) {
        if let Some(value) = &mut started.value {
            self.put(value, power);
        }
    }
}

fn change(name: &str, units: Units) -> Changed {
    let mut mechanism = mechanism(name);
    let s: Vec<i32> = lengths(&mechanism)
        .into_iter()
        .map(|is_length| if is_length { units.length } else { 0 })
        .collect();
    let (energy, time) = (units.energy(), units.time);
    let Mechanism { system, .. } = &mut mechanism;
    let System {
        graph,
        symbols,
        inertia,
        forces,
        kinetic,
        potential,
        rows,
        nonideal,
        frictions,
        servo,
        events,
        speeds,
        start,
        run,
        ..
    } = system;
    // Old symbols in terms of the new, which have their names.
    let mut map = Vec::new();
    let mut writer = Writer {
        graph,
        map: Vec::new(),
    };
    let mut replace = |symbol: SymbolId, power: i32| {
        if power != 0 {
            let (old, factor) = (writer.graph.symbol_node(symbol), writer.factor(power));
            let new = writer.graph.mul(factor, old);
            map.push((old, new));
        }
    };
    for (i, &power) in s.iter().enumerate() {
        replace(symbols.coordinates[i], power);
        replace(symbols.rates[i], power - time);
        replace(symbols.accelerations[i], power - 2 * time);
    }
    replace(symbols.time, time);
    for (index, &symbol) in symbols.multipliers.iter().enumerate() {
        let held = servo.iter().any(|servo| servo.row.index() == index);
        replace(symbol, units.multiplier(index, rows[index].level, held));
    }
    writer.map = map;

    for part in inertia {
        for (i, j, value) in &mut part.mass {
            writer.put(value, s[*i] + s[*j] - 2 * time - energy);
        }
        writer.put_sparse(&mut part.force, |i| s[i] - energy);
    }
    for force in forces {
        writer.put_sparse(&mut force.force, |i| s[i] - energy);
    }
    for work in nonideal {
        writer.put_sparse(work, |i| s[i] - energy);
    }
    writer.put(kinetic, -energy);
    writer.put(potential, -energy);
    for (index, row) in rows.iter_mut().enumerate() {
        let own = units.row(index);
        let (slope, bias) = match row.level {
            Level::Position => (0, 2 * time),
            Level::Velocity => (-time, time),
            Level::Acceleration => (-2 * time, 0),
        };
        writer.put(&mut row.residual, own);
        if let Some(rate) = &mut row.rate {
            let per_time = if row.level == Level::Position {
                time
            } else {
                0
            };
            writer.put(rate, own + per_time);
        }
        writer.put_sparse(&mut row.jacobian, |j| own + s[j] + slope);
        writer.put(&mut row.bias, own + bias);
    }
    let speed = time - units.length;
    for friction in frictions {
        // Of a constraint a number times a normal force, of a spring a force.
        let force = units.length - energy;
        let (number, normal) = match friction.of {
            Rough::Constraint(_) => (0, force),
            Rough::Spring(_) => (force, 0),
        };
        writer.put(&mut friction.coefficient, number);
        writer.put(&mut friction.holding, number);
        writer.put(&mut friction.normal, normal);
        for (row, length) in &mut friction.rows {
            let per_multiplier = units.multiplier(row.index(), rows[*row].level, false);
            writer.put(length, per_multiplier - energy + units.length);
        }
        writer.put_sparse(&mut friction.direction, |i| s[i] - units.length + number);
        friction.misfit.clear();
        match &mut friction.slip {
            Slip::Line {
                speed: slip,
                size,
                slope,
                rest,
                ..
            } => {
                writer.put(slip, speed);
                writer.put(size, speed);
                writer.put_sparse(slope, |j| s[j] - units.length);
                writer.put(rest, speed + time);
            }
            Slip::Plane {
                velocity,
                normal,
                size,
                slope,
                rest,
                ..
            } => {
                velocity.iter_mut().for_each(|u| writer.put(u, speed));
                normal.iter_mut().for_each(|n| writer.put(n, 0));
                writer.put(size, speed);
                for (j, slope) in slope {
                    slope
                        .iter_mut()
                        .for_each(|it| writer.put(it, s[*j] - units.length));
                }
                rest.iter_mut().for_each(|u| writer.put(u, speed + time));
            }
            Slip::Smooth => {}
        }
    }
    if let Some(speeds) = speeds {
        // Speeds keep their numbers: v = B q' + b₀.
        for row in &mut speeds.matrix {
            writer.put_sparse(row, |j| s[j] - time);
        }
        speeds.values.iter_mut().for_each(|v| writer.put(v, 0));
        speeds.offset.iter_mut().for_each(|v| writer.put(v, 0));
        speeds.gamma.iter_mut().for_each(|v| writer.put(v, time));
    }
    for (i, started) in start.coordinates.iter_mut().enumerate() {
        writer.put_started(started, -s[i]);
    }
    for (i, started) in &mut start.rates {
        writer.put_started(started, time - s[*i]);
    }
    for (_, started) in &mut start.speeds {
        writer.put_started(started, 0);
    }
    for value in [&mut run.from, &mut run.span].into_iter().flatten() {
        writer.put(value, -time);
    }
    let until = run.until.iter_mut();
    let when = events.iter_mut().map(|event| &mut event.when);
    for part in until.chain(when).flat_map(|it| &mut it.parts) {
        if let ConditionPart::Above { value, .. } = part {
            writer.put(value, 0);
        }
    }
    for event in events {
        for (target, value) in &mut event.set {
            let power = match *target {
                SetTarget::Coordinate(i) => -s[i],
                SetTarget::Rate(i) => time - s[i],
                SetTarget::Speed(_) => 0,
            };
            writer.put(value, power);
        }
        // An impulse is a force times a time.
        writer.put_sparse(&mut event.impulse, |i| s[i] - energy - time);
        for struck in &mut event.struck {
            // The gap keeps its numbers.
            writer.put(&mut struck.rate, time);
            writer.put_sparse(&mut struck.jacobian, |j| s[j]);
        }
        if let Some(restitution) = &mut event.restitution {
            writer.put(restitution, 0);
        }
    }
    (run.atol, run.samples, run.step) = (None, None, None);
    run.record.clear();
    mechanism.equations = Equations::compile(&mut mechanism.system);
    mechanism.from = times(mechanism.from, -time);
    Changed {
        mechanism,
        units,
        coordinates: s,
    }
}
