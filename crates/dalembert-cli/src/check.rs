//! `dalembert check`: the constraint doctor.

use crate::arguments::ModelArguments;
use crate::load::{Loaded, load};
use crate::output::{Failure, Report, number};
use dalembert::mechanics::lower::Level;
use dalembert::mechanics::start::{Start, State};
use dalembert::mechanics::{Mechanism, Snapshot};
use serde_json::{Map, Value, json};

/// Random states at which the formulations are compared.
const STATES: usize = 100;
/// Coordinates and rows above which fewer states are compared.
const LARGE: usize = 60;

pub(crate) fn run(arguments: &ModelArguments) -> Result<Report, Failure> {
    let Loaded {
        source,
        mechanism,
        warnings,
        ..
    } = load(arguments)?;
    let start = mechanism.start().map_err(|errors| source.refuse(errors))?;
    let snapshot = mechanism
        .snapshot(&start.state)
        .map_err(|reason| source.no_motion(&mechanism, &reason, "at the start"))?;
    let verified = verify(&mechanism, &start.state, &snapshot);
    let facts = Facts {
        mechanism: &mechanism,
        start: &start,
        snapshot: &snapshot,
        verified,
    };
    Ok(Report {
        text: facts.text(),
        json: facts.document(&warnings),
        warnings,
    })
}

/// How many states were compared, and how far the formulations were apart at most.
#[derive(Clone, Copy)]
struct Verified {
    states: usize,
    max_difference: f64,
}

/// Compares the formulations at the start and at random states around it. A state where the motion is not
/// determined, as where redundant rows do not agree off the constraints, is left out.
fn verify(mechanism: &Mechanism, start: &State, snapshot: &Snapshot) -> Verified {
    let size = mechanism.equations.coordinates() + mechanism.equations.rows();
    let wanted = if size > LARGE { 3 } else { STATES };
    let mut verified = Verified {
        states: 1,
        max_difference: difference(snapshot),
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 1..wanted {
        let mut state = start.clone();
        for value in state.coordinates.iter_mut().chain(&mut state.rates) {
            *value += random.next() * (0.1 + 0.1 * value.abs());
        }
        if let Ok(snapshot) = mechanism.snapshot(&state) {
            verified.states += 1;
            verified.max_difference = verified.max_difference.max(difference(&snapshot));
        }
    }
    verified
}

/// Largest difference of accelerations between formulations, relative to the largest acceleration.
fn difference(snapshot: &Snapshot) -> f64 {
    let Some(((_, first), others)) = snapshot.formulations.split_first() else {
        return 0.0;
    };
    let size = first.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    let apart = |other: &[f64]| {
        first
            .iter()
            .zip(other)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max)
    };
    others
        .iter()
        .map(|(_, other)| apart(other))
        .fold(0.0, f64::max)
        / size
}

/// Reproducible numbers between −1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

struct Facts<'a> {
    mechanism: &'a Mechanism,
    start: &'a Start,
    snapshot: &'a Snapshot,
    verified: Verified,
}

impl Facts<'_> {
    fn n(&self) -> usize {
        self.mechanism.equations.coordinates()
    }

    /// Freedoms of position, known if there are position rows only: the rest needs to know which
    /// velocity rows are integrable.
    fn position_freedoms(&self) -> Option<usize> {
        let all_positions = self
            .mechanism
            .system
            .rows
            .iter()
            .all(|row| row.level == Level::Position);
        all_positions.then(|| self.n() - self.snapshot.rank)
    }

    fn is_ideal(&self, row: usize) -> bool {
        self.mechanism.system.nonideal[self.mechanism.system.rows[row].constraint].is_empty()
    }

    fn text(&self) -> String {
        let system = &self.mechanism.system;
        let rank = self.snapshot.rank;
        let positions = self
            .position_freedoms()
            .map_or_else(String::new, |n| format!(", {n} {}", plural(n, "position")));
        let velocities = self.n() - rank;
        let mut lines = Vec::new();
        lines.extend(self.mechanism.model.title.clone());
        lines.push(format!(
            "coordinates {}   rows {}   rank {rank}   freedoms: {velocities} {}{positions}",
            self.n(),
            system.rows.len(),
            if velocities == 1 {
                "velocity"
            } else {
                "velocities"
            },
        ));
        for (i, row) in system.rows.iter().enumerate() {
            let mut facts = vec![row.level.name().to_owned()];
            match row.level {
                Level::Position => facts.push("holonomic".to_owned()),
                Level::Velocity => {
                    facts.push(if row.linear { "linear" } else { "nonlinear" }.to_owned())
                }
                Level::Acceleration => {}
            }
            if row.rheonomic {
                facts.push("depends on time".to_owned());
            }
            if !self.is_ideal(i) {
                facts.push("not ideal".to_owned());
            }
            if self.snapshot.redundant[i] {
                facts.push("redundant".to_owned());
            }
            if !self.snapshot.unique[i] {
                facts.push("reaction not unique".to_owned());
            }
            lines.push(format!("{:<12} {}", row.name, facts.join(", ")));
        }
        let solved: Vec<String> = self
            .start
            .solved
            .iter()
            .map(|(name, value)| format!("{name} = {value:.6}"))
            .collect();
        let met = "all given values met";
        lines.push(match solved.is_empty() {
            true => format!("{:<12} {met}", "start"),
            false => format!("{:<12} {} solved;  {met}", "start", solved.join(", ")),
        });
        let ideal = (0..system.rows.len()).all(|row| self.is_ideal(row));
        let ideal = if ideal {
            "yes: no virtual work"
        } else {
            "no: constraints do virtual work"
        };
        if !system.rows.is_empty() {
            lines.push(format!("{:<12} {ideal}", "ideal"));
        }
        if self.snapshot.formulations.len() < 2 {
            lines.push(format!(
                "{:<12} by one formulation only: the model is large",
                "verified"
            ));
            return lines.join("\n");
        }
        lines.push(format!(
            "{:<12} {} formulations agree to {:.0e} at {} {}",
            "verified",
            self.snapshot.formulations.len(),
            self.verified.max_difference,
            self.verified.states,
            plural(self.verified.states, "state"),
        ));
        lines.join("\n")
    }

    fn document(&self, warnings: &[crate::diagnostic::Diagnostic]) -> Value {
        let system = &self.mechanism.system;
        let row = |(i, row): (usize, &dalembert::mechanics::lower::Row)| {
            json!({
                "name": row.name,
                "level": row.level.name(),
                "linear": row.linear,
                "holonomic": (row.level == Level::Position).then_some(true),
                "integral": null,
                "rheonomic": row.rheonomic,
                "ideal": self.is_ideal(i),
                "redundant": self.snapshot.redundant[i],
                "reaction_unique": self.snapshot.unique[i],
            })
        };
        let constraints: Vec<Value> = system.rows.iter().enumerate().map(row).collect();
        let true_velocity = system.speeds.is_none().then_some("velocity");
        let speeds: Vec<Value> = self
            .mechanism
            .speed_names()
            .iter()
            .map(|name| json!({ "name": name, "kind": true_velocity, "integral": null }))
            .collect();
        let forces: Vec<Value> = system
            .forces
            .iter()
            .map(|force| json!({ "name": force.name, "kind": force.conservative.then_some("conservative"), "potential": null }))
            .collect();
        let solved: Map<String, Value> = self
            .start
            .solved
            .iter()
            .map(|(name, value)| (name.clone(), number(*value)))
            .collect();
        let warned: Vec<Value> = warnings
            .iter()
            .map(|warning| json!({ "code": warning.code, "message": warning.message }))
            .collect();
        json!({
            "title": self.mechanism.model.title,
            "coordinates": self.mechanism.coordinate_names().collect::<Vec<_>>(),
            "speeds": speeds,
            "counts": {
                "coordinates": self.n(),
                "speeds": self.n(),
                "rows": system.rows.len(),
                "rank": self.snapshot.rank,
                "redundant": system.rows.len() - self.snapshot.rank,
                "velocity_freedoms": self.n() - self.snapshot.rank,
                "position_freedoms": self.position_freedoms(),
            },
            "constraints": constraints,
            "forces": forces,
            "start": {
                "consistent": true,
                "solved": solved,
                "residual": {
                    "position": number(self.start.position_residual),
                    "velocity": number(self.start.velocity_residual),
                },
            },
            "verified": { "states": self.verified.states, "max_difference": number(self.verified.max_difference) },
            "warnings": warned,
        })
    }
}

fn plural(n: usize, noun: &str) -> String {
    if n == 1 {
        noun.to_owned()
    } else {
        format!("{noun}s")
    }
}
