//! Records that are made of multipliers, as expressions.

use dalembert_expr::{ExprId, Graph};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::driving_power;
use dalembert_mechanics::ids::{ConstraintId, Id};
use dalembert_mechanics::lower::{Record, Row, RowId};

/// What is made of multipliers, and ways of slips: the multipliers themselves, reactions, powers of constraints and of what is driven.
pub(super) fn by_multipliers(g: &mut Graph, mechanism: &Mechanism, record: &Record) -> Vec<ExprId> {
    let system = &mechanism.system;
    let of = |constraint: ConstraintId| {
        let rows = Id::enumerate(&system.rows);
        rows.filter(move |(_, row)| row.constraint == constraint)
    };
    match record {
        Record::Multiplier(row) => vec![g.symbol_node(system.symbols.multipliers[row.index()])],
        Record::Reaction(constraint) => {
            let mut forces = vec![g.integer(0); mechanism.equations.coordinates()];
            for (id, _) in of(*constraint) {
                let lambda = g.symbol_node(system.symbols.multipliers[id.index()]);
                for &(j, entry) in system.direction(id) {
                    let part = g.mul(lambda, entry);
                    forces[j] = g.add(forces[j], part);
                }
            }
            for &(j, entry) in &system.nonideal[constraint.index()] {
                forces[j] = g.add(forces[j], entry);
            }
            let known = mechanism.equations.reaction_pattern();
            known
                .columns_of(constraint.index())
                .map(|j| forces[j])
                .collect()
        }
        Record::ConstraintPower(constraint) => {
            let mut power = g.integer(0);
            let mut add = |g: &mut Graph, force: ExprId, j: usize| {
                let rate = g.symbol_node(system.symbols.rates[j]);
                let part = g.mul(force, rate);
                power = g.add(power, part);
            };
            let works = |id: RowId, row: &Row| !row.powerless && system.held_by(id).is_none();
            for (id, row) in of(*constraint).filter(|(id, row)| works(*id, row)) {
                let lambda = g.symbol_node(system.symbols.multipliers[id.index()]);
                for &(j, entry) in &row.jacobian {
                    let force = g.mul(lambda, entry);
                    add(g, force, j);
                }
            }
            for &(j, entry) in &system.nonideal[constraint.index()] {
                add(g, entry, j);
            }
            vec![power]
        }
        Record::DrivePower => vec![driving_power(g, system)],
        // Of a force that holds a row: as large as its multiplier says.
        Record::ForcePower(force) => {
            let servo = system.servo.iter().find(|servo| servo.force == *force);
            let mut power = g.integer(0);
            for &(j, entry) in &system.forces[*force].force {
                let rate = g.symbol_node(system.symbols.rates[j]);
                let part = g.mul(entry, rate);
                power = g.add(power, part);
            }
            let Some(servo) = servo else {
                return vec![power];
            };
            let lambda = g.symbol_node(system.symbols.multipliers[servo.row.index()]);
            vec![g.mul(lambda, power)]
        }
        _ => Vec::new(),
    }
}
