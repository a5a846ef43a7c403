//! An example beside itself in other units: states, motions and runs.

use super::{CHANGES, Changed, Units, change, times};
use crate::support::names;
use dalembert::simulate::{RunOptions, Simulation, simulate};
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::{Mechanism, Snapshot};
use std::ops::ControlFlow;

/// What is different by more than this, beside its size, was decided differently.
const SAME: f64 = 1e-9;

/// Differences beside the largest of their kind: a kind may have some zeros that are rounding of the others.
struct Comparison<'n> {
    what: String,
    name: &'n str,
    failures: Vec<String>,
}

impl Comparison<'_> {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, own: &T, other: &T) {
        if own != other {
            self.failures.push(format!(
                "{} {}: {what}: {own:?}, then {other:?}",
                self.name, self.what
            ));
        }
    }

    fn near(&mut self, what: &str, own: &[f64], other: &[f64], part: f64) {
        self.near_beside(what, (own, other), 0.0, part);
    }

    /// The same beside something larger, of which all of these may be rounding.
    fn near_beside(&mut self, what: &str, (own, other): (&[f64], &[f64]), floor: f64, part: f64) {
        let size = own.iter().fold(floor, |a, b| a.max(b.abs()));
        let apart = own.iter().zip(other).map(|(a, b)| (a - b).abs());
        let apart = apart.fold(0.0_f64, |a, b| if b > a || b.is_nan() { b } else { a });
        let equal = own.len() == other.len() && apart <= part * size;
        if !equal {
            self.failures.push(format!(
                "{} {}: {what} differ by {:e}: {own:?}, then {other:?}",
                self.name,
                self.what,
                apart / size
            ));
        }
    }
}

impl Changed {
    fn back(&self, values: &[f64], extra: i32) -> Vec<f64> {
        let pairs = values.iter().zip(&self.coordinates);
        pairs.map(|(x, s)| times(*x, s + extra)).collect()
    }

    /// Coordinates and rates by name.
    fn solved_back(&self, values: &[(String, f64)]) -> Vec<(String, f64)> {
        let back = |(name, value): &(String, f64)| {
            let coordinate = name.trim_end_matches('\'');
            let mut names = self.mechanism.coordinate_names();
            let place = names.position(|it| it == coordinate).unwrap();
            let per_time = self.units.time * i32::from(name.ends_with('\''));
            let power = self.coordinates[place] - per_time;
            (name.clone(), times(*value, power))
        };
        values.iter().map(back).collect()
    }

    fn multipliers_back(&self, values: &[f64]) -> Vec<f64> {
        let rows = Id::enumerate(&self.mechanism.system.rows).zip(values);
        rows.map(|((id, row), x)| {
            let held = self.mechanism.system.held_by(id).is_some();
            times(*x, self.units.multiplier(id.index(), row.level, held))
        })
        .collect()
    }

    fn forces_back(&self, values: &[f64]) -> Vec<f64> {
        let pairs = values.iter().zip(&self.coordinates);
        pairs
            .map(|(x, s)| times(*x, self.units.energy() - s))
            .collect()
    }
}

/// What `check` and `eval` say.
fn compare_states(own: &Mechanism, other: &Changed, report: &mut Comparison<'_>) {
    let (mine, theirs) = (own.start(), other.mechanism.start());
    let (Ok(mine), Ok(theirs)) = (mine.as_ref(), theirs.as_ref()) else {
        report.same("whether there is a start", &mine.is_ok(), &theirs.is_ok());
        return;
    };
    let time = other.units.time;
    let (a, b) = (&mine.state, &theirs.state);
    report.near(
        "coordinates",
        &a.coordinates,
        &other.back(&b.coordinates, 0),
        SAME,
    );
    report.near("rates", &a.rates, &other.back(&b.rates, -time), SAME);
    // Where what moved is rounding it may be one or the other.
    let largest = a
        .coordinates
        .iter()
        .chain(&a.rates)
        .fold(0.0_f64, |m, x| m.max(x.abs()));
    let names = |list: &[(String, f64)]| -> Vec<String> {
        let clear = list
            .iter()
            .filter(|(_, value)| value.abs() > SAME * largest);
        clear.map(|(name, _)| name.clone()).collect()
    };
    report.same(
        "values solved for",
        &names(&mine.solved),
        &names(&other.solved_back(&theirs.solved)),
    );
    report.same("warnings", &mine.warnings.len(), &theirs.warnings.len());

    let (mine, theirs) = (own.snapshot(a), other.mechanism.snapshot(b));
    let (Ok(mine), Ok(theirs)) = (mine.as_ref(), theirs.as_ref()) else {
        report.same("whether there is a motion", &mine.is_ok(), &theirs.is_ok());
        return;
    };
    compare_motions(mine, theirs, other, report);
    // Which are chosen may be a matter of the last digit, how many are not.
    let counts = |mechanism: &Mechanism, state| {
        let found = mechanism.independents(state);
        found.map(|it| (it.coordinates.len(), it.speeds.len()))
    };
    report.same(
        "numbers of independent coordinates and speeds",
        &counts(own, a),
        &counts(&other.mechanism, b),
    );
    let (mine, theirs) = (own.certify(a), other.mechanism.certify(b));
    report.same("agreement", &mine.agree(), &theirs.agree());
    report.same("states compared", &mine.states, &theirs.states);
}

fn compare_motions(
    mine: &Snapshot,
    theirs: &Snapshot,
    other: &Changed,
    report: &mut Comparison<'_>,
) {
    let (time, energy) = (other.units.time, other.units.energy());
    report.same("rank", &mine.rank, &theirs.rank);
    report.same("redundant rows", &mine.redundant, &theirs.redundant);
    report.same("unique reactions", &mine.unique, &theirs.unique);
    let accelerations = other.back(&theirs.accelerations, -2 * time);
    report.near("accelerations", &mine.accelerations, &accelerations, SAME);
    let multipliers = other.multipliers_back(&theirs.multipliers);
    let force = mine.force_given.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let both = (&mine.multipliers[..], &multipliers[..]);
    report.near_beside("multipliers", both, force, SAME);
    for constraint in mine.reactions.constraints() {
        let theirs = other.forces_back(&theirs.reactions.on_all(constraint));
        let mine = mine.reactions.on_all(constraint);
        report.near_beside("reactions", (&mine, &theirs), force, SAME);
    }
    let energies = [theirs.kinetic, theirs.potential].map(|e| times(e, energy));
    report.near("energies", &[mine.kinetic, mine.potential], &energies, SAME);
    let powers =
        |all: &[f64]| -> Vec<f64> { all.iter().map(|p| times(*p, energy - time)).collect() };
    report.near(
        "powers",
        &mine.force_power,
        &powers(&theirs.force_power),
        SAME,
    );
    let formulations = |snapshot: &Snapshot| -> Vec<_> {
        snapshot
            .formulations
            .iter()
            .map(|(name, _)| *name)
            .collect()
    };
    report.same("formulations", &formulations(mine), &formulations(theirs));
}

fn run(mechanism: &Mechanism, span: f64) -> Result<Simulation, String> {
    let start = mechanism.start().map_err(|errors| format!("{errors:?}"))?;
    let options = RunOptions {
        span: Some(span),
        samples: Some(2),
        ..RunOptions::default()
    };
    let done = simulate(mechanism, &start, &options, |_| ControlFlow::Continue(()));
    // What kind of error: its numbers are in units.
    done.map_err(|error| format!("{error:?}").split([' ', '(']).take(1).collect())
}

/// What `run` says.
fn compare_runs(own: &Changed, other: &Changed, part: f64, report: &mut Comparison<'_>) {
    let span = |of: &Changed| {
        of.mechanism
            .run_value(of.mechanism.system.run.span.unwrap())
    };
    let (mine, theirs) = (
        run(&own.mechanism, part * span(own)),
        run(&other.mechanism, part * span(other)),
    );
    let (mine, theirs) = match (mine, theirs) {
        (Ok(mine), Ok(theirs)) => (mine, theirs),
        (mine, theirs) => {
            report.same("whether it runs", &mine.err(), &theirs.err());
            return;
        }
    };
    let (time, energy) = (other.units.time, other.units.energy());
    report.near("end", &[mine.t_end], &[times(theirs.t_end, time)], SAME);
    let tolerance = 1e-6;
    let coordinates = other.back(&theirs.coordinates, 0);
    report.near(
        "coordinates at the end",
        &mine.coordinates,
        &coordinates,
        tolerance,
    );
    let rates = other.back(&theirs.rates, -time);
    report.near("rates at the end", &mine.rates, &rates, tolerance);
    let energies = [theirs.energy_start, theirs.energy_end].map(|e| times(e, energy));
    let own = [mine.energy_start, mine.energy_end];
    let size = mine.rates.iter().chain(&mine.coordinates);
    let size = size.fold(0.0_f64, |a, x| a.max(x.abs()));
    report.near_beside("energies at both ends", (&own, &energies), size, tolerance);
    let (most, least) = (mine.steps.max(theirs.steps), mine.steps.min(theirs.steps));
    report.same(
        "about the number of steps",
        &true,
        &(most <= least + least / 10 + 2),
    );
}

fn compare(chosen: impl Fn(usize) -> bool, look: impl Fn(&Changed, &Changed, &mut Comparison<'_>)) {
    let mut failures = Vec::new();
    for (k, name) in names().iter().enumerate() {
        let own = change(name, Units::default());
        let some = CHANGES.into_iter().enumerate();
        for (_, units) in some.filter(|(c, _)| chosen(k + c)) {
            let mut report = Comparison {
                what: format!("{units:?}"),
                name,
                failures: Vec::new(),
            };
            look(&own, &change(name, units), &mut report);
            failures.append(&mut report.failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Each example by some of the changes; all of them in the thorough layer.
#[test]
fn units_decide_nothing_at_the_start() {
    compare(
        |k| k % 3 == 0,
        |own, other, report| compare_states(&own.mechanism, other, report),
    );
}

#[test]
#[ignore = "thorough"]
fn units_decide_nothing_at_the_start_in_all_units() {
    compare(
        |_| true,
        |own, other, report| compare_states(&own.mechanism, other, report),
    );
}

#[test]
#[ignore = "thorough"]
fn units_decide_nothing_on_the_way() {
    compare(
        |_| true,
        |own, other, report| compare_runs(own, other, 0.2, report),
    );
}
