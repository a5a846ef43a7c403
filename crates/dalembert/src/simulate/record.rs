//! What becomes of a sample: a row of the table.

use super::motion::MotionSystem;
use super::units::column_units;
use crate::results::{Column, Table};
use dalembert_expr::ExprId;
use dalembert_mechanics::lower::Record;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Reactions, Snapshot};
use dalembert_program::{Program, Workspace, compile};
use std::cell::RefCell;
use std::collections::HashMap;

/// Records samples: t, coordinates, rates, then what was asked for.
pub(super) struct Recorder {
    names: Vec<String>,
    records: Vec<Record>,
    all: bool,
    /// The recorded expressions, over q, q', t and parameters.
    program: Option<(Program, RefCell<Workspace>)>,
    values: usize,
}

impl Recorder {
    pub(super) fn new(mechanism: &Mechanism, all: bool) -> Self {
        let system = &mechanism.system;
        let mut records: Vec<Record> = Vec::new();
        // What is recorded anyway, or asked for twice, is recorded once.
        let mut taken: Vec<String> = column_names(mechanism, &[], all);
        for record in &system.run.record {
            let names = record_names(mechanism, record);
            if names.iter().all(|name| !taken.contains(name)) {
                taken.extend(names);
                records.push(record.clone());
            }
        }
        if all {
            let mut add = |record| {
                if !records.contains(&record) {
                    records.push(record);
                }
            };
            (0..system.rows.len()).for_each(|row| add(Record::Multiplier(row)));
            (0..mechanism.model.constraints.len()).for_each(|i| add(Record::Reaction(i)));
            (0..system.forces.len()).for_each(|i| add(Record::ForcePower(i)));
            (0..mechanism.model.constraints.len()).for_each(|i| add(Record::ConstraintPower(i)));
            add(Record::Energy);
        }
        let values: Vec<ExprId> = records
            .iter()
            .filter_map(|record| match record {
                Record::Value(_, id) => Some(*id),
                _ => None,
            })
            .collect();
        let symbols = &system.symbols;
        let inputs = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &symbols.parameters,
            &symbols.accelerations,
        ]
        .concat();
        let program = (!values.is_empty()).then(|| {
            let program = compile(&system.graph, &inputs, &values);
            let program = program.expect("records hold nothing but the inputs");
            let workspace = RefCell::new(program.workspace());
            (program, workspace)
        });
        let names = column_names(mechanism, &records, all);
        Self {
            names,
            records,
            all,
            program,
            values: values.len(),
        }
    }

    pub(super) fn table(&self, mechanism: &Mechanism) -> Table {
        let units = column_units(mechanism);
        let column = |name: &String| {
            let unit = units.get(name).map(String::as_str);
            Column::new(name.clone(), unit, Vec::new())
        };
        let title = mechanism.model.title.clone().unwrap_or_default();
        Table::new(title, self.names.iter().map(column).collect()).expect("names of columns differ")
    }

    /// Adds the state that the system is set to.
    pub(super) fn record(
        &self,
        mechanism: &Mechanism,
        system: &mut MotionSystem<'_>,
        t: f64,
        y: &[[f64; 1]],
        table: &mut Table,
    ) {
        let n = mechanism.equations.coordinates();
        let state = State {
            t,
            coordinates: y[..n].as_flattened().to_vec(),
            rates: system.rates().to_vec(),
        };
        let mut row = vec![t];
        row.extend(&state.coordinates);
        row.extend(&state.rates);
        let needs_motion = self.all || !self.records.is_empty();
        let snapshot = needs_motion
            .then(|| mechanism.motion_by(system.formulation(), &state).ok())
            .flatten();
        let snapshot = snapshot.unwrap_or_else(|| unknown(mechanism, &state));
        if self.all {
            row.extend(&snapshot.accelerations);
        }
        let mut values = vec![0.0; self.values];
        if let Some((program, workspace)) = &self.program {
            let inputs: Vec<f64> = [
                state.coordinates.as_slice(),
                &state.rates,
                &[t],
                &mechanism.parameters,
                &snapshot.accelerations,
            ]
            .concat();
            program.eval::<1>(&mut workspace.borrow_mut(), &inputs, &mut values);
        }
        let mut values = values.into_iter();
        for record in &self.records {
            match record {
                Record::Value(..) => row.extend(values.next()),
                Record::Energy => row.push(snapshot.kinetic + snapshot.potential),
                Record::Multiplier(i) => row.push(snapshot.multipliers[*i]),
                Record::Reaction(i) => row.extend(snapshot.reactions.components(*i)),
                Record::ForcePower(i) => row.push(snapshot.force_power[*i]),
                Record::ConstraintPower(i) => row.push(snapshot.constraint_power[*i]),
            }
        }
        if self.all {
            let (position, velocity) = system.residuals();
            row.extend([position, velocity]);
        }
        table.push_row(&row);
    }
}

/// A snapshot where the motion is not determined: nothing is known.
fn unknown(mechanism: &Mechanism, state: &State) -> Snapshot {
    let n = state.coordinates.len();
    let constraints = mechanism.model.constraints.len();
    Snapshot {
        state: state.clone(),
        accelerations: vec![f64::NAN; n],
        multipliers: vec![f64::NAN; mechanism.system.rows.len()],
        reactions: Reactions::filled(mechanism.equations.reaction_pattern(), f64::NAN),
        force_power: vec![f64::NAN; mechanism.system.forces.len()],
        constraint_power: vec![f64::NAN; constraints],
        kinetic: f64::NAN,
        potential: f64::NAN,
        ..Snapshot::default()
    }
}

fn column_names(mechanism: &Mechanism, records: &[Record], all: bool) -> Vec<String> {
    let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
    let mut names = vec!["t".to_owned()];
    names.extend(coordinates.iter().map(|&name| name.to_owned()));
    names.extend(coordinates.iter().map(|name| format!("{name}'")));
    if all {
        names.extend(coordinates.iter().map(|name| format!("{name}''")));
    }
    names.extend(
        records
            .iter()
            .flat_map(|record| record_names(mechanism, record)),
    );
    if all {
        names.extend([
            "residual.position".to_owned(),
            "residual.velocity".to_owned(),
        ]);
    }
    tell_apart(&mut names);
    names
}

/// Things of different kinds may have one name, such as a force and a constraint: the second one of
/// them gets a number.
fn tell_apart(names: &mut [String]) {
    let mut seen = HashMap::new();
    for name in names {
        let times: &mut usize = seen.entry(name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            *name = format!("{name} ({times})");
        }
    }
}

fn record_names(mechanism: &Mechanism, record: &Record) -> Vec<String> {
    let constraint = |i: usize| &mechanism.model.constraints[i].name.text;
    match record {
        Record::Value(name, _) => vec![name.clone()],
        Record::Energy => vec!["energy".to_owned()],
        Record::Multiplier(i) => vec![format!("lambda({})", mechanism.system.rows[*i].name)],
        Record::Reaction(i) => {
            let coordinates = &mechanism.model.coordinates;
            let name = |k: usize| format!("reaction({}).{}", constraint(*i), coordinates[k].0.text);
            let known = mechanism.equations.reaction_pattern().columns_of(*i);
            known.map(name).collect()
        }
        Record::ForcePower(i) => vec![format!("power({})", mechanism.system.forces[*i].name)],
        Record::ConstraintPower(i) => vec![format!("power({})", constraint(*i))],
    }
}
