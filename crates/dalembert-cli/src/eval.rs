//! `dalembert eval`: numbers at one state.

mod document;
mod text;

use crate::arguments::Eval;
use crate::check::disagreement;
use crate::load::load;
use crate::output::{Failure, Report};
use dalembert::mechanics::diagnostic as mechanics;
use dalembert::mechanics::formulation::Formulation;
use dalembert::mechanics::reactions::{Dependences, Forces, Geometry};
use dalembert::mechanics::start::State;
use dalembert::mechanics::{AGREEMENT, Mechanism, Snapshot};

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
    if let Some((largest, route)) = found
        .difference()
        .filter(|(largest, _)| *largest > AGREEMENT)
    {
        let warning = mechanics::Diagnostic {
            severity: mechanics::Severity::Warning,
            ..disagreement(route.name(), largest)
        };
        loaded.warnings.push(loaded.source.diagnostic(warning));
    }
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
    /// The largest difference of an acceleration from those by multipliers, beside their size, and whose it is.
    fn difference(&self) -> Option<(f64, Formulation)> {
        let ((_, first), others) = self.snapshot.formulations.split_first()?;
        let size = first.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
        let apart = |(name, other): &(Formulation, Vec<f64>)| {
            let differences = first.iter().zip(other).map(|(a, b)| (a - b).abs() / size);
            (differences.fold(0.0, f64::max), *name)
        };
        others.iter().map(apart).max_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn rows(&self) -> impl Iterator<Item = &String> {
        self.mechanism.system.rows.iter().map(|row| &row.name)
    }
}
