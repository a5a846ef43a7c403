//! What becomes of a sample: a row of the table.

use super::columns::{column_names, column_units, record_names, width};
use super::motion::MotionSystem;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId};
use dalembert_mechanics::decide::CANCELLED;
use dalembert_mechanics::elaborate::Target;
use dalembert_mechanics::ids::{ConstraintId, Id};
use dalembert_mechanics::lower::{DRIVE, Physical, Record, Rough, Wrench};
use dalembert_mechanics::model::Model;
use dalembert_mechanics::reactions::Dependences;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, NoMotion, Reactions, Snapshot};
use dalembert_program::{Program, Workspace, compile};
use dalembert_results::{Column, Table};
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;

mod multipliers;

use multipliers::by_multipliers;

/// Records samples: t, coordinates, rates, then what was asked for.
pub(super) struct Recorder {
    pub(super) names: Vec<String>,
    records: Vec<Record>,
    /// Which of them are expressions of the state.
    expressed: Vec<bool>,
    all: bool,
    /// The recorded expressions, over q, q', t, parameters and q''.
    values: Option<Recorded>,
    /// Forces on particles and bodies and momenta, over the same and the multipliers.
    physical: Option<Recorded>,
    /// Whether accelerations or multipliers are asked for: what only the state determines costs no solution.
    needs_motion: bool,
    /// Room for a row, and for what its values are made of.
    row: RefCell<Vec<f64>>,
    inputs: RefCell<Vec<f64>>,
    /// How rows depended on each other at the first sample where some did.
    dependences: OnceCell<Dependences>,
}

/// Expressions that are recorded, compiled.
pub(super) struct Recorded {
    program: Program,
    workspace: RefCell<Workspace>,
    count: usize,
}

impl Recorded {
    pub(super) fn new(graph: &Graph, inputs: &[SymbolId], values: &[ExprId]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let program = compile(graph, inputs, values);
        let program = program.expect("records hold nothing but the inputs");
        Some(Self {
            workspace: RefCell::new(program.workspace()),
            program,
            count: values.len(),
        })
    }

    fn at(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.count];
        self.write(inputs, &mut values);
        values
    }

    pub(super) fn write(&self, inputs: &[f64], values: &mut [f64]) {
        let mut workspace = self.workspace.borrow_mut();
        self.program.eval::<1>(&mut workspace, inputs, values);
    }
}

/// What becomes of samples elsewhere.
#[derive(Clone, Debug)]
pub struct CarriedRecords {
    /// Name, unit and source of each column.
    pub columns: Vec<((String, Option<String>), Source)>,
    /// Of q, q', t, parameters, q'', λ, and ways of slips.
    pub values: Program,
    /// Of the same, and what is not determined.
    pub physical: Option<Program>,
}

/// Where the numbers of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The time.
    Time,
    /// A coordinate.
    Coordinate(usize),
    /// A rate.
    Rate(usize),
    /// A speed.
    Speed(usize),
    /// An acceleration.
    Acceleration(usize),
    /// One of the recorded expressions.
    Value(usize),
    /// One of the forces on particles and bodies, or of the momenta.
    Physical(usize),
    /// The largest residual of a position row.
    PositionResidual,
    /// The largest residual of a row at velocity level.
    VelocityResidual,
}

/// Why what needs accelerations or multipliers is not recorded at a sample.
#[derive(Clone, Debug, PartialEq)]
pub enum Undetermined {
    /// The motion is not determined.
    NoMotion(NoMotion),
    /// Rows that are independent elsewhere depend on each other: multipliers have a pole there.
    ChangePoint,
}

impl Recorder {
    pub(super) fn new(mechanism: &Mechanism, all: bool) -> Self {
        let system = &mechanism.system;
        let mut records: Vec<Record> = Vec::new();
        // What is recorded anyway, or asked for twice, is recorded once.
        let mut taken: HashSet<String> = column_names(mechanism, &[], all).into_iter().collect();
        for record in &system.run.record {
            let names = record_names(mechanism, record);
            if names.iter().all(|name| !taken.contains(name)) {
                taken.extend(names);
                records.push(record.clone());
            }
        }
        let physical = (all || records.iter().any(is_physical)).then(|| mechanism.physical());
        if all {
            let listed = records.len();
            let mut add = |record| {
                if !records[..listed].contains(&record) {
                    records.push(record);
                }
            };
            let constraints = &mechanism.model.constraints;
            let rows = Id::enumerate(&system.rows).filter(|(_, row)| !row.identity);
            rows.for_each(|(row, _)| add(Record::Multiplier(row)));
            // Identities have no reactions.
            let acting = || Id::enumerate(constraints).filter(|(_, it)| !it.identity);
            acting().for_each(|(it, _)| add(Record::Reaction(it)));
            Id::all(&system.forces).for_each(|force| add(Record::ForcePower(force)));
            acting().for_each(|(it, _)| add(Record::ConstraintPower(it)));
            let forces = system.forces.iter().map(|force| &force.name);
            let constraints = mechanism.model.constraints.iter().map(|it| &it.name.text);
            if forces.chain(constraints).all(|name| name != DRIVE) {
                add(Record::DrivePower);
            }
            physical
                .iter()
                .flat_map(|it| determined(&mechanism.model, it))
                .for_each(&mut add);
            add(Record::Energy);
        }
        let mut graph = system.graph.clone();
        let expressions: Vec<Option<ExprId>> = records
            .iter()
            .map(|record| expression(&mut graph, mechanism, record))
            .collect();
        let expressed = expressions.iter().map(Option::is_some).collect();
        let values: Vec<ExprId> = expressions.into_iter().flatten().collect();
        let symbols = &system.symbols;
        let inputs = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &symbols.parameters,
            &symbols.accelerations,
        ]
        .concat();
        let cone = Cone::new(&graph, &values);
        let mut nodes = cone.nodes().iter();
        let accelerated = nodes.any(|&node| {
            let symbol = graph.as_symbol(node);
            symbol.is_some_and(|symbol| symbols.accelerations.contains(&symbol))
        });
        let by_expressions = values.len() == records.len();
        let values = Recorded::new(&graph, &inputs, &values);
        let physical = physical.and_then(|physical| {
            let parts = |record| components(physical, record);
            let outputs: Vec<ExprId> = records.iter().flat_map(parts).collect();
            Recorded::new(&physical.graph, &physical.inputs(), &outputs)
        });
        let names = column_names(mechanism, &records, all);
        Self {
            needs_motion: all || accelerated || !by_expressions,
            row: RefCell::default(),
            inputs: RefCell::default(),
            names,
            records,
            expressed,
            all,
            values,
            physical,
            dependences: OnceCell::new(),
        }
    }

    /// What becomes of samples elsewhere; `None` if a record asks for what is no input.
    pub(super) fn carried(&self, mechanism: &Mechanism) -> Option<CarriedRecords> {
        let system = &mechanism.system;
        let n = mechanism.equations.coordinates();
        let mut sources = vec![Source::Time];
        sources.extend((0..n).map(Source::Coordinate));
        sources.extend((0..n).map(Source::Rate));
        if self.all {
            if system.speeds.is_some() {
                sources.extend((0..system.named_speeds()).map(Source::Speed));
            }
            sources.extend((0..n).map(Source::Acceleration));
        }
        let mut graph = system.graph.clone();
        let mut values = Vec::new();
        let mut physical = 0;
        for record in &self.records {
            let found = match expression(&mut graph, mechanism, record) {
                Some(found) => vec![found],
                None => by_multipliers(&mut graph, mechanism, record),
            };
            for value in found {
                sources.push(Source::Value(values.len()));
                values.push(value);
            }
            let parts = match record {
                Record::ReactionOn { on, .. } | Record::Resultant(on) => width(*on),
                Record::Momentum | Record::AngularMomentum => 3,
                Record::GeneralizedMomentum(_) => 1,
                _ => 0,
            };
            sources.extend((physical..physical + parts).map(Source::Physical));
            physical += parts;
        }
        if self.all {
            sources.extend([Source::PositionResidual, Source::VelocityResidual]);
        }
        let symbols = &system.symbols;
        let ways = system.frictions.iter().flat_map(|it| it.slip.ways());
        let inputs = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &symbols.parameters,
            &symbols.accelerations,
            &symbols.multipliers,
            &ways.copied().collect::<Vec<_>>(),
        ]
        .concat();
        let units = column_units(mechanism, &self.records);
        let unit = |name: &String| units.get(name).cloned();
        (sources.len() == self.names.len()).then_some(())?;
        Some(CarriedRecords {
            columns: (self.names.iter())
                .map(|name| (name.clone(), unit(name)))
                .zip(sources)
                .collect(),
            values: compile(&graph, &inputs, &values).ok()?,
            physical: self.physical.as_ref().map(|it| it.program.clone()),
        })
    }

    /// What multipliers that were asked for had no number, and why.
    pub(super) fn not_unique(self) -> Option<Dependences> {
        self.dependences.into_inner()
    }

    /// Takes the numbers from a snapshot that are one of many: multipliers of rows that depend on each other, and what is made
    /// of them. A file has no other mark.
    fn leave_open(mechanism: &Mechanism, snapshot: &mut Snapshot) {
        let system = &mechanism.system;
        let rows = Id::enumerate(&system.rows).zip(&snapshot.unique);
        for ((id, row), _) in rows.filter(|(_, unique)| !**unique) {
            let index = id.index();
            snapshot.multipliers[index] = f64::NAN;
            let rates = &snapshot.state.rates;
            let works = snapshot.reactions.of(row.constraint);
            let works: f64 = works.map(|(j, force)| (force * rates[j]).abs()).sum();
            let power = &mut snapshot.constraint_power[row.constraint.index()];
            // Of rows that do no work this is rounding, whatever the multipliers are.
            if power.abs() > CANCELLED * works {
                *power = f64::NAN;
            }
            // Other rows of its constraint, and what they do, may be known; but forces beside them may follow from any.
            let ideal = system.nonideal[row.constraint.index()].is_empty();
            let along = system.direction(id).iter().map(|&(j, _)| j);
            match ideal && system.frictions.is_empty() {
                true => snapshot.reactions.leave_open_along(row.constraint, along),
                false => snapshot.reactions.leave_open(row.constraint),
            }
        }
        // Friction that is one of many is part of a reaction.
        for of in std::mem::take(&mut snapshot.held_in_many_ways) {
            if let Rough::Constraint(constraint) = of {
                snapshot.reactions.leave_open(constraint);
            }
        }
    }

    pub(super) fn table(&self, mechanism: &Mechanism) -> Table {
        let units = column_units(mechanism, &self.records);
        let column = |name: &String| {
            let unit = units.get(name).map(String::as_str);
            Column::new(name.clone(), unit, Vec::new())
        };
        let title = mechanism.model.title.clone().unwrap_or_default();
        Table::new(title, self.names.iter().map(column).collect()).expect("names of columns differ")
    }

    /// Whether accelerations or multipliers are asked for.
    pub(super) fn needs_motion(&self) -> bool {
        self.needs_motion
    }

    /// Adds the state that the system is set to, and what it alone determines.
    fn record_state(
        &self,
        mechanism: &Mechanism,
        system: &MotionSystem<'_>,
        (t, q): (f64, &[f64]),
        table: &mut Table,
    ) {
        let mut row = self.row.borrow_mut();
        row.clear();
        row.push(t);
        row.extend(q);
        row.extend(system.rates());
        if let Some(values) = &self.values {
            let mut inputs = self.inputs.borrow_mut();
            inputs.clear();
            inputs.extend(&row[1..]);
            inputs.push(t);
            inputs.extend(&mechanism.parameters);
            // Accelerations, which nothing here asks for.
            let all = inputs.len() + q.len();
            inputs.resize(all, 0.0);
            let known = row.len();
            row.resize(known + values.count, 0.0);
            values.write(&inputs, &mut row[known..]);
        }
        table.push_row(&row);
    }

    /// Adds the state that the system is set to. Where its motion is not determined, what needs it is no number, and the
    /// reason is given.
    pub(super) fn record(
        &self,
        mechanism: &Mechanism,
        system: &mut MotionSystem<'_>,
        (t, y): (f64, &[[f64; 1]]),
        is_singular: bool,
        table: &mut Table,
    ) -> Result<(), Undetermined> {
        let n = mechanism.equations.coordinates();
        if !self.needs_motion {
            let q = y[..n].as_flattened();
            self.record_state(mechanism, system, (t, q), table);
            return Ok(());
        }
        let state = State {
            t,
            coordinates: y[..n].as_flattened().to_vec(),
            rates: system.rates().to_vec(),
            mode: system.mode().clone(),
        };
        let mut row = vec![t];
        row.extend(&state.coordinates);
        row.extend(&state.rates);
        let speeds = y[n..2 * n].as_flattened();
        let found = match is_singular {
            true => Err(Undetermined::ChangePoint),
            false => system
                .snapshot(mechanism, &state)
                .map_err(Undetermined::NoMotion),
        };
        let (snapshot, done) = match found {
            Ok(mut snapshot) => {
                Self::leave_open(mechanism, &mut snapshot);
                (snapshot, Ok(()))
            }
            Err(reason) => (unknown(mechanism, system, &state), Err(reason)),
        };
        if self.all {
            if mechanism.system.speeds.is_some() {
                row.extend(&speeds[..mechanism.system.named_speeds()]);
            }
            row.extend(&snapshot.accelerations);
        }
        // What needs no multipliers reads the front of the same list.
        let inputs = mechanism.physical_inputs(&snapshot);
        let known = 3 * n + 1 + mechanism.parameters.len();
        let values = self.values.as_ref().map(|it| it.at(&inputs[..known]));
        let physical = self.physical.as_ref().map(|it| it.at(&inputs));
        let mut values = values.into_iter().flatten();
        let mut physical = physical.into_iter().flatten();
        for (record, &expressed) in self.records.iter().zip(&self.expressed) {
            match record {
                _ if expressed => row.extend(values.next()),
                Record::Value(..) | Record::Energy => unreachable!("they have expressions"),
                Record::Multiplier(i) => row.push(snapshot.multipliers[i.index()]),
                Record::Reaction(i) => row.extend(snapshot.reactions.components(*i)),
                Record::ForcePower(i) => row.push(snapshot.force_power[i.index()]),
                Record::ConstraintPower(i) => row.push(snapshot.constraint_power[i.index()]),
                Record::DrivePower => row.push(snapshot.drive),
                Record::ReactionOn { on, .. } | Record::Resultant(on) => {
                    row.extend(physical.by_ref().take(width(*on)));
                }
                Record::Momentum | Record::AngularMomentum => row.extend(physical.by_ref().take(3)),
                Record::GeneralizedMomentum(_) => row.extend(physical.next()),
            }
        }
        if self.all {
            let (position, velocity) = system.residuals();
            row.extend([position, velocity]);
        }
        let is_open = snapshot.unique.contains(&false) && row.iter().any(|value| value.is_nan());
        if is_open && done.is_ok() {
            self.dependences
                .get_or_init(|| mechanism.dependences(&snapshot));
        }
        table.push_row(&row);
        done
    }
}

/// The expression of a record, if it has one: values, energies, and the powers of forces.
fn expression(g: &mut Graph, mechanism: &Mechanism, record: &Record) -> Option<ExprId> {
    let system = &mechanism.system;
    match record {
        Record::Value(_, id) => Some(*id),
        Record::Energy => Some(g.add(system.kinetic, system.potential)),
        // Of a force that uses no reaction, and holds no row in place of one.
        Record::ForcePower(i) if !system.has_laws() && system.is_given(*i) => {
            let mut power = g.integer(0);
            for &(j, force) in &system.forces[*i].force {
                let rate = g.symbol_node(system.symbols.rates[j]);
                let part = g.mul(force, rate);
                power = g.add(power, part);
            }
            Some(power)
        }
        _ => None,
    }
}

/// Whether a record comes from forces on particles and bodies, or momenta.
fn is_physical(record: &Record) -> bool {
    matches!(
        record,
        Record::ReactionOn { .. }
            | Record::Resultant(_)
            | Record::Momentum
            | Record::AngularMomentum
            | Record::GeneralizedMomentum(_)
    )
}

/// Everything of this kind that the model determines.
fn determined(model: &Model, physical: &Physical) -> Vec<Record> {
    let mut records = Vec::new();
    for (index, wrenches) in physical.reactions.iter().enumerate() {
        let constraint = ConstraintId::new(index);
        if model.constraints[constraint].identity {
            continue;
        }
        let on = wrenches.iter().flatten().map(|wrench| wrench.on);
        let alone = on.clone().count() == 1;
        let name = &model.constraints[constraint].name.text;
        let called = |on: Target| match alone {
            true => format!("reaction({name})"),
            false => format!("reaction({name}, on = {})", on.name(model)),
        };
        records.extend(on.map(|on| Record::ReactionOn {
            constraint,
            on,
            called: called(on),
            placed: None,
        }));
    }
    let resultants = physical.resultants.iter();
    let resultants = resultants.filter(|(_, resultant)| resultant.is_ok());
    records.extend(resultants.map(|(on, _)| Record::Resultant(*on)));
    if physical.momentum.is_ok() {
        records.extend([Record::Momentum, Record::AngularMomentum]);
    }
    records.extend((0..physical.momenta.len()).map(Record::GeneralizedMomentum));
    records
}

/// The expressions of a record; none if it is not of this kind. The lowering refused what is not determined.
fn components(physical: &Physical, record: &Record) -> Vec<ExprId> {
    let six = |wrench: &Wrench| -> Vec<ExprId> {
        let all = wrench.force.into_iter().chain(wrench.moment);
        all.take(width(wrench.on)).collect()
    };
    match record {
        Record::ReactionOn {
            placed: Some(index),
            ..
        } => physical.placed[*index].iter().flat_map(six).collect(),
        Record::ReactionOn { constraint, on, .. } => {
            let mut wrenches = physical.reactions[constraint.index()].iter().flatten();
            let wrench = wrenches.find(|wrench| wrench.on == *on);
            wrench.map_or_else(Vec::new, six)
        }
        Record::Resultant(target) => {
            let mut resultants = physical.resultants.iter();
            let found = resultants.find(|(on, _)| on == target);
            let wrench = found.and_then(|(_, resultant)| resultant.as_ref().ok());
            wrench.map_or_else(Vec::new, six)
        }
        Record::Momentum => physical.momentum.iter().flat_map(|[p, _]| *p).collect(),
        Record::AngularMomentum => physical.momentum.iter().flat_map(|[_, l]| *l).collect(),
        Record::GeneralizedMomentum(i) => vec![physical.momenta[*i]],
        _ => Vec::new(),
    }
}

/// A snapshot where the motion is not determined: nothing is known but what the state gives.
fn unknown(mechanism: &Mechanism, system: &mut MotionSystem<'_>, state: &State) -> Snapshot {
    let (kinetic, potential) = system.energies();
    let n = state.coordinates.len();
    let constraints = mechanism.model.constraints.len();
    Snapshot {
        state: state.clone(),
        accelerations: vec![f64::NAN; n],
        multipliers: vec![f64::NAN; mechanism.system.rows.len()],
        reactions: Reactions::filled(mechanism.equations.reaction_pattern(), f64::NAN),
        force_power: vec![f64::NAN; mechanism.system.forces.len()],
        constraint_power: vec![f64::NAN; constraints],
        kinetic,
        potential,
        ..Snapshot::default()
    }
}
