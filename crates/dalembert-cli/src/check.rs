//! `dalembert check`: the constraint doctor.

use crate::arguments::ModelArguments;
use crate::load::{Loaded, load};
use crate::output::{Failure, Report, independent, number};
use dalembert::mechanics::diagnostic as mechanics;
use dalembert::mechanics::lower::{Level, Slip};
use dalembert::mechanics::start::Start;
use dalembert::mechanics::{Certificate, Mechanism, Snapshot};
use dalembert_expr::print::visible;
use serde_json::{Map, Value, json};

/// Values of the start that are listed; more are counted.
const SHOWN: usize = 12;

pub(crate) fn run(arguments: &ModelArguments) -> Result<Report, Failure> {
    let Loaded {
        source,
        mechanism,
        mut warnings,
        ..
    } = load(arguments)?;
    let start = mechanism.start().map_err(|errors| source.refuse(errors))?;
    let more = start.warnings.iter().cloned();
    warnings.extend(more.map(|warning| source.diagnostic(warning)));
    let snapshot = mechanism
        .motion(&start.state)
        .map_err(|reason| source.no_motion(&mechanism, &reason, "at the start"))?;
    let idle = mechanism.idle_work(&start.state);
    warnings.extend(idle.into_iter().map(|found| source.diagnostic(found)));
    let verified = mechanism.certify(&start.state);
    if let Some(route) = verified.farthest.filter(|_| !verified.agree()) {
        return Err(source.refuse(vec![disagreement(route.name(), verified.max_difference)]));
    }
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

/// Formulations that do not give the same motion: the numbers of none can be relied on.
pub(crate) fn disagreement(route: &str, difference: f64) -> mechanics::Diagnostic {
    let message = match difference.is_infinite() {
        true => format!("`{route}` finds no motion where `multipliers` does"),
        false => format!("`{route}` and `multipliers` differ by {difference:.0e}"),
    };
    mechanics::Diagnostic {
        code: "E0526",
        severity: mechanics::Severity::Error,
        message,
        help: Some(
            "the system is singular or nearly so: look for masses, lengths or rows of very different sizes, \
             and for motions with next to no inertia"
                .to_owned(),
        ),
        place: mechanics::Place::Model,
    }
}

struct Facts<'a> {
    mechanism: &'a Mechanism,
    start: &'a Start,
    snapshot: &'a Snapshot,
    verified: Certificate,
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
        let system = &self.mechanism.system;
        system.nonideal[system.rows[row].constraint].is_empty() && system.held_by(row).is_none()
    }

    /// What friction a constraint has, in words.
    fn friction_of(&self, constraint: usize) -> Option<String> {
        let mut all = self.mechanism.system.frictions.iter();
        let friction = all.find(|friction| friction.constraint == constraint)?;
        Some(match friction.slip {
            Slip::Smooth => "smooth friction".to_owned(),
            Slip::Line { .. } | Slip::Plane { .. } => "Coulomb friction".to_owned(),
        })
    }

    fn text(&self) -> String {
        let system = &self.mechanism.system;
        let rank = self.snapshot.rank;
        let positions = self
            .position_freedoms()
            .map_or_else(String::new, |n| format!(", {n} {}", plural(n, "position")));
        let velocities = self.n() - rank;
        let mut lines = Vec::new();
        let title = self.mechanism.model.title.as_deref();
        lines.extend(title.map(|title| visible(title).into_owned()));
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
            if !system.nonideal[row.constraint].is_empty() {
                facts.push("not ideal".to_owned());
            }
            facts.extend(self.friction_of(row.constraint));
            if self.mechanism.equations.law_rows().contains(&i) {
                facts.push("a law uses its reaction".to_owned());
            }
            if let Some(force) = system.held_by(i) {
                facts.push(format!("held by {}", system.forces[force].name));
            }
            if self.snapshot.redundant[i] {
                facts.push("redundant".to_owned());
            }
            if !self.snapshot.unique[i] {
                facts.push("reaction not unique".to_owned());
            }
            lines.push(format!("{:<12} {}", row.name, facts.join(", ")));
        }
        lines.push(format!("{:<12} {}", "start", self.started()));
        let ideal = (0..system.rows.len()).all(|row| self.is_ideal(row));
        let nonideal = system.nonideal.iter().any(|w| !w.is_empty());
        let ideal = if ideal {
            "yes: no virtual work"
        } else if !nonideal {
            "no: forces hold constraints, and do virtual work"
        } else {
            "no: constraints do virtual work"
        };
        if !system.rows.is_empty() {
            lines.push(format!("{:<12} {ideal}", "ideal"));
        }
        if let Some(chosen) = self.mechanism.independents(&self.start.state)
            && !system.rows.is_empty()
        {
            let choice = independent(self.mechanism, &chosen.coordinates, &chosen.speeds);
            lines.push(format!("{:<12} {choice}", "independent"));
        }
        lines.push(format!("{:<12} {}", "verified", self.verification()));
        lines.join("\n")
    }

    /// What was found of the start, and which given values moved from where to where.
    fn started(&self) -> String {
        let moved = &self.start.moved;
        let found: Vec<String> = self
            .start
            .solved
            .iter()
            .filter(|(name, _)| moved.iter().all(|moved| moved.name != *name))
            .map(|(name, value)| format!("{name} = {}", shown(*value)))
            .collect();
        let moved: Vec<String> = moved
            .iter()
            .map(|moved| {
                let [mut from, mut to] = [moved.given, moved.found].map(shown);
                if from == to {
                    // Little, but not nothing: all digits.
                    [from, to] = [moved.given, moved.found].map(|x| x.to_string());
                }
                format!("{} from {from} to {to}", moved.name)
            })
            .collect();
        let mut parts = Vec::new();
        for (list, verb) in [(found, "solved"), (moved, "moved")] {
            match list.len() {
                0 => {}
                n if n > SHOWN => {
                    let more = n - SHOWN;
                    parts.push(format!(
                        "{} and {more} more {verb}",
                        list[..SHOWN].join(", ")
                    ));
                }
                _ => parts.push(format!("{} {verb}", list.join(", "))),
            }
        }
        let met = match self.start.moved.is_empty() {
            true => "all given values met",
            false => "all other given values met",
        };
        parts.push(met.to_owned());
        parts.join(";  ")
    }

    /// What the comparison of formulations found, and what was left out of it.
    fn verification(&self) -> String {
        let found = &self.verified;
        let count = found.formulations.len();
        if count < 2 {
            return "by one formulation only: the model is large".to_owned();
        }
        let at = match found.states {
            0 => "the start, none at random meeting the constraints".to_owned(),
            n => format!("{n} random {}", plural(n, "state")),
        };
        let difference = found.max_difference;
        let mut text = format!("{count} formulations agree to {difference:.0e} at {at}");
        if found.is_limited() {
            text += "; fewer than usual: the model is large";
        }
        if let Some(&row) = found.not_reducible.first() {
            let name = &self.mechanism.system.rows[row].name;
            text += &format!("; no independent speeds under `{name}`");
        }
        text
    }

    fn document(&self, warnings: &[crate::diagnostic::Diagnostic]) -> Value {
        let system = &self.mechanism.system;
        let row = |(i, row): (usize, &dalembert::mechanics::lower::Row)| {
            let mut facts = json!({
                "name": row.name,
                "level": row.level.name(),
                "linear": row.linear,
                "holonomic": (row.level == Level::Position).then_some(true),
                "integral": null,
                "rheonomic": row.rheonomic,
                "ideal": self.is_ideal(i),
                "redundant": self.snapshot.redundant[i],
                "reaction_unique": self.snapshot.unique[i],
            });
            if let Some(force) = system.held_by(i) {
                facts["held_by"] = json!(system.forces[force].name);
            }
            facts
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
        let moved: Vec<Value> = self
            .start
            .moved
            .iter()
            .map(|moved| {
                let (given, found) = (number(moved.given), number(moved.found));
                json!({ "name": moved.name, "given": given, "found": found })
            })
            .collect();
        let warned: Vec<Value> = warnings
            .iter()
            .map(|warning| json!({ "code": warning.code, "message": warning.message }))
            .collect();
        let independent = self.mechanism.independents(&self.start.state).map(|chosen| {
            let coordinates: Vec<&str> = self.mechanism.coordinate_names().collect();
            let speeds = self.mechanism.speed_names();
            json!({
                "coordinates": chosen.coordinates.iter().map(|&i| coordinates[i]).collect::<Vec<_>>(),
                "speeds": chosen.speeds.iter().map(|&i| speeds[i].as_str()).collect::<Vec<_>>(),
            })
        });
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
                "moved": moved,
                "residual": {
                    "position": number(self.start.position_residual),
                    "velocity": number(self.start.velocity_residual),
                },
            },
            "independent": independent,
            "verified": { "states": self.verified.states, "max_difference": (self.verified.formulations.len() > 1).then(|| number(self.verified.max_difference)) },
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

/// A number to seven digits or so.
fn shown(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => format!("{value:.6}"),
        _ => format!("{value:.6e}"),
    }
}
