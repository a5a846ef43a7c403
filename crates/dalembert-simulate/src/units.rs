//! Units of the columns of a result.

use super::record::record_names;
use dalembert_mechanics::Mechanism;
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
        let unit = found.multiplier(row.constraint, row.level.derivatives());
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
