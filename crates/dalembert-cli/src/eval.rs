//! `dalembert eval`: numbers at one state.

mod document;
mod text;

use crate::arguments::Eval;
use crate::load::load;
use crate::output::{Failure, Report};
use dalembert::mechanics::reactions::{Dependences, Forces, Geometry};
use dalembert::mechanics::start::State;
use dalembert::mechanics::{Mechanism, Snapshot};

pub(crate) fn run(arguments: &Eval) -> Result<Report, Failure> {
    let mut loaded = load(&arguments.model)?;
    if let Some(at) = &arguments.at {
        let t = at.strip_prefix("t=").unwrap_or(at).trim().parse::<f64>();
        loaded.mechanism.from = t.ok().filter(|t| t.is_finite()).ok_or_else(|| {
            Failure::Usage(format!("--at {at}: write a time, such as --at t=0.7"))
        })?;
    }
    let mechanism = &loaded.mechanism;
    let state = if arguments.raw {
        mechanism.raw_start()
    } else {
        mechanism.start().map(|start| {
            let more = start.warnings.into_iter();
            let more = more.map(|warning| loaded.source.diagnostic(warning));
            loaded.warnings.extend(more);
            start.state
        })
    };
    let state: State = state.map_err(|errors| loaded.source.refuse(errors))?;
    let when = format!("at t = {}", state.t);
    let snapshot = mechanism
        .snapshot(&state)
        .map_err(|reason| loaded.source.no_motion(mechanism, &reason, &when))?;
    let idle = mechanism.idle_work(&state).into_iter();
    let idle = idle.map(|found| loaded.source.diagnostic(found));
    loaded.warnings.extend(idle);
    let by_speed = mechanism
        .reactions_by_speed(&snapshot)
        .map_err(|reason| loaded.source.no_motion(mechanism, &reason, &when))?;
    let found = Found {
        mechanism,
        forces: mechanism.forces(&snapshot),
        by_speed,
        geometry: mechanism.geometry(&snapshot),
        dependences: mechanism.dependences(&snapshot),
        snapshot,
    };
    Ok(Report {
        text: found.text(),
        json: found.document(),
        warnings: loaded.warnings,
    })
}

/// All there is to say of one state.
struct Found<'m> {
    mechanism: &'m Mechanism,
    snapshot: Snapshot,
    forces: Forces,
    /// Reactions by speed, where the system is not too large.
    by_speed: Option<Vec<Vec<f64>>>,
    geometry: Geometry,
    dependences: Dependences,
}

impl Found<'_> {
    fn rows(&self) -> impl Iterator<Item = &String> {
        self.mechanism.system.rows.iter().map(|row| &row.name)
    }
}
