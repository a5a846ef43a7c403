//! Names and units of the columns of a result.

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::elaborate::Target;
use dalembert_mechanics::ids::ConstraintId;
use dalembert_mechanics::lower::{DRIVE, Record};
use std::collections::HashMap;

/// The unit of each column whose dimension the model determines, by name.
pub(super) fn column_units(mechanism: &Mechanism, records: &[Record]) -> HashMap<String, String> {
    let found = &mechanism.units;
    let mut units = HashMap::from([("t".to_owned(), "s".to_owned())]);
    let mut put = |name: String, unit: &Option<String>| {
        if let Some(unit) = unit {
            units.insert(name, unit.clone());
        }
    };
    for (i, name) in mechanism.coordinate_names().enumerate() {
        put(name.to_owned(), &found.coordinates[i]);
        put(format!("{name}'"), &found.rates[i]);
        put(format!("{name}''"), &found.accelerations[i]);
        put(format!("momentum({name})"), &found.momenta[i]);
    }
    if mechanism.system.speeds.is_some() {
        for (name, unit) in mechanism.speed_names().into_iter().zip(&found.speeds) {
            put(name, unit);
        }
    }
    for (k, constraint) in mechanism.model.constraints.iter().enumerate() {
        for i in mechanism.equations.reaction_pattern().columns_of(k) {
            let coordinate = &mechanism.model.coordinates[i].0.text;
            let column = format!("reaction({}).{coordinate}", constraint.name.text);
            put(column, &found.generalized_forces[i]);
        }
    }
    for (record, unit) in mechanism.model.run.record.iter().zip(&found.records) {
        let column = record.text.trim();
        put(column.to_owned(), unit);
        for axis in ["x", "y", "z"] {
            put(format!("{column}.{axis}"), unit);
        }
    }
    for row in &mechanism.system.rows {
        let unit = found.multiplier((row.constraint, row.equation), row.written().derivatives());
        put(format!("lambda({})", row.name), &unit);
    }
    // Energies and powers have units as soon as forces have.
    if found.generalized_forces.iter().any(Option::is_some) {
        put("energy".to_owned(), &Some("J".to_owned()));
        let forces = mechanism.system.forces.iter().map(|force| &force.name);
        let constraints = mechanism
            .model
            .constraints
            .iter()
            .map(|constraint| &constraint.name.text);
        for name in forces.chain(constraints).map(String::as_str).chain([DRIVE]) {
            put(format!("power({name})"), &Some("W".to_owned()));
        }
        for record in records {
            let units = match record {
                Record::ReactionOn { .. } | Record::Resultant(_) => ["N", "N*m"],
                Record::Momentum => ["kg*m/s"; 2],
                Record::AngularMomentum => ["kg*m^2/s"; 2],
                _ => continue,
            };
            // Three components of the one, then three of the other.
            for (i, column) in record_names(mechanism, record).into_iter().enumerate() {
                put(column, &Some(units[i / 3].to_owned()));
            }
        }
    }
    units
}

/// All columns, in order.
pub(super) fn column_names(mechanism: &Mechanism, records: &[Record], all: bool) -> Vec<String> {
    let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
    let mut names = vec!["t".to_owned()];
    names.extend(coordinates.iter().map(|&name| name.to_owned()));
    names.extend(coordinates.iter().map(|name| format!("{name}'")));
    if all {
        if mechanism.system.speeds.is_some() {
            names.extend(mechanism.speed_names());
        }
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

/// The columns of a record.
pub(super) fn record_names(mechanism: &Mechanism, record: &Record) -> Vec<String> {
    let axes = |what: String| ["x", "y", "z"].map(|axis| format!("{what}.{axis}"));
    let wrench = |what: String, on: Target| {
        let parts = ["force", "moment"].map(|part| axes(format!("{what}.{part}")));
        parts.into_iter().flatten().take(width(on)).collect()
    };
    let constraint = |i: ConstraintId| &mechanism.model.constraints[i].name.text;
    match record {
        Record::Value(name, _) => vec![name.clone()],
        Record::Energy => vec!["energy".to_owned()],
        Record::Multiplier(i) => vec![format!("lambda({})", mechanism.system.rows[*i].name)],
        Record::Reaction(i) => {
            let coordinates = &mechanism.model.coordinates;
            let name = |k: usize| format!("reaction({}).{}", constraint(*i), coordinates[k].0.text);
            let known = mechanism.equations.reaction_pattern().columns_of(i.index());
            known.map(name).collect()
        }
        Record::ForcePower(i) => vec![format!("power({})", mechanism.system.forces[*i].name)],
        Record::ConstraintPower(i) => vec![format!("power({})", constraint(*i))],
        Record::DrivePower => vec![format!("power({DRIVE})")],
        Record::ReactionOn { on, called, .. } => wrench(called.clone(), *on),
        Record::Resultant(on) => wrench(format!("resultant({})", on.name(&mechanism.model)), *on),
        Record::Momentum => axes("momentum".to_owned()).into(),
        Record::AngularMomentum => axes("angular_momentum".to_owned()).into(),
        Record::GeneralizedMomentum(i) => {
            let coordinate = &mechanism.model.coordinates[*i].0.text;
            vec![format!("momentum({coordinate})")]
        }
    }
}

/// Force, and on a body moment too.
pub(super) fn width(target: Target) -> usize {
    match target {
        Target::Particle(_) => 3,
        Target::Body(_) => 6,
    }
}
