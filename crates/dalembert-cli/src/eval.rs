//! `dalembert eval`: numbers at one state.

use crate::arguments::Eval;
use crate::load::load;
use crate::output::{Failure, Report, independent, number};
use dalembert::mechanics::formulation::Formulation;
use dalembert::mechanics::start::State;
use dalembert::mechanics::{Mechanism, Snapshot};
use serde_json::{Map, Value, json};

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
    Ok(Report {
        text: text(mechanism, &snapshot),
        json: document(mechanism, &snapshot),
        warnings: loaded.warnings,
    })
}

fn named<'a>(
    names: impl IntoIterator<Item = impl ToString>,
    values: impl IntoIterator<Item = &'a f64>,
) -> Value {
    let pairs = names
        .into_iter()
        .zip(values)
        .map(|(name, value)| (name.to_string(), number(*value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// A name that is not taken yet: a force and a constraint may have the same, as in result files.
fn unused(taken: &Map<String, Value>, name: &str) -> String {
    let numbered = (2..).map(|n| format!("{name} ({n})"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names
        .find(|name| !taken.contains_key(name) && name != "drive")
        .unwrap_or_default()
}

fn rows(mechanism: &Mechanism) -> impl Iterator<Item = &String> {
    mechanism.system.rows.iter().map(|row| &row.name)
}

fn document(mechanism: &Mechanism, s: &Snapshot) -> Value {
    let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
    let speeds = mechanism.speed_names();
    let mut power = Map::new();
    for (force, value) in mechanism.system.forces.iter().zip(&s.force_power) {
        power.insert(unused(&power, &force.name), number(*value));
    }
    for (constraint, value) in mechanism.model.constraints.iter().zip(&s.constraint_power) {
        power.insert(unused(&power, &constraint.name.text), number(*value));
    }
    power.insert("drive".to_owned(), number(s.drive));
    let reactions: Map<String, Value> = mechanism
        .model
        .constraints
        .iter()
        .enumerate()
        .map(|(i, constraint)| {
            // On all coordinates in small models, on those it knows in large ones.
            let (known, components): (Vec<&str>, Vec<f64>) = s
                .reactions
                .of(i)
                .map(|(coordinate, component)| (coordinates[coordinate], component))
                .unzip();
            (
                constraint.name.text.clone(),
                json!({ "generalized": named(known, &components) }),
            )
        })
        .collect();
    let by = |formulation: &Formulation| {
        let found = s.formulations.iter().find(|(name, _)| name == formulation);
        let rates = found.map_or(Value::Null, |(_, rates)| named(&speeds, rates));
        (formulation.name().to_owned(), rates)
    };
    let formulations: Map<String, Value> = Formulation::ALL.iter().map(by).collect();
    let mut forces = Map::new();
    forces.insert("given".to_owned(), named(&speeds, &s.force_given));
    forces.insert("ideal".to_owned(), named(&speeds, &s.force_ideal));
    forces.insert("nonideal".to_owned(), named(&speeds, &s.force_nonideal));
    if !mechanism.system.servo.is_empty() {
        forces.insert("servo".to_owned(), named(&speeds, &s.force_servo));
    }
    let independent = mechanism.independents(&s.state).map(|chosen| {
        let coordinates = chosen.coordinates.iter().map(|&i| coordinates[i]);
        let speeds = chosen.speeds.iter().map(|&i| speeds[i].as_str());
        json!({ "coordinates": coordinates.collect::<Vec<_>>(), "speeds": speeds.collect::<Vec<_>>() })
    });
    json!({
        "t": number(s.state.t),
        "coordinates": named(&coordinates, &s.state.coordinates),
        "rates": named(&coordinates, &s.state.rates),
        "speeds": named(&speeds, &s.speeds),
        "accelerations": named(&coordinates, &s.accelerations),
        "speed_rates": named(&speeds, &s.speed_rates),
        "multipliers": named(rows(mechanism), &s.multipliers),
        "multipliers_ideal": named(rows(mechanism), &s.multipliers_ideal),
        "forces": forces,
        "reactions": reactions,
        "energy": { "kinetic": number(s.kinetic), "potential": number(s.potential) },
        "power": power,
        "independent": independent,
        "formulations": formulations,
    })
}

fn text(mechanism: &Mechanism, s: &Snapshot) -> String {
    let mut lines = vec![format!("t = {}", shown(s.state.t))];
    lines.push(format!(
        "\n{:<12} {:>16} {:>16} {:>16}",
        "coordinate", "value", "rate", "acceleration"
    ));
    for (i, name) in mechanism.coordinate_names().enumerate() {
        let [q, v, a] = [s.state.coordinates[i], s.state.rates[i], s.accelerations[i]].map(shown);
        lines.push(format!("{name:<12} {q:>16} {v:>16} {a:>16}"));
    }
    if mechanism.system.speeds.is_some() {
        lines.push(format!("\n{:<12} {:>16} {:>16}", "speed", "value", "rate"));
        for (i, name) in mechanism.speed_names().iter().enumerate() {
            let [v, rate] = [s.speeds[i], s.speed_rates[i]].map(shown);
            lines.push(format!("{name:<12} {v:>16} {rate:>16}"));
        }
    }
    if !s.multipliers.is_empty() {
        lines.push(format!(
            "\n{:<12} {:>16} {:>16}",
            "row", "multiplier", "ideal part"
        ));
        for (i, name) in rows(mechanism).enumerate() {
            let mut note = if s.unique[i] { "" } else { "   not unique" }.to_owned();
            if let Some(force) = mechanism.system.held_by(i) {
                note += &format!("   size of {}", mechanism.system.forces[force].name);
            }
            let [actual, ideal] = [s.multipliers[i], s.multipliers_ideal[i]].map(shown);
            lines.push(format!("{name:<12} {actual:>16} {ideal:>16}{note}"));
        }
    }
    let mut parts = vec![
        ("given", &s.force_given),
        ("ideal", &s.force_ideal),
        ("non-ideal", &s.force_nonideal),
    ];
    if !mechanism.system.servo.is_empty() {
        parts.push(("servo", &s.force_servo));
    }
    let line = |name: &str, entry: &dyn Fn(usize) -> String| {
        let entries = (0..parts.len()).map(|part| format!(" {:>16}", entry(part)));
        format!("{name:<12}{}", entries.collect::<String>())
    };
    lines.push(format!(
        "\n{}",
        line("force on", &|part| parts[part].0.to_owned())
    ));
    for (i, name) in mechanism.speed_names().iter().enumerate() {
        lines.push(line(name, &|part| shown(parts[part].1[i])));
    }
    lines.push(format!(
        "\nenergy       kinetic {}, potential {}, total {}",
        shown(s.kinetic),
        shown(s.potential),
        shown(s.kinetic + s.potential)
    ));
    let forces = mechanism
        .system
        .forces
        .iter()
        .map(|force| &force.name)
        .zip(&s.force_power);
    let constraints = mechanism
        .model
        .constraints
        .iter()
        .map(|c| &c.name.text)
        .zip(&s.constraint_power);
    let powers: Vec<String> = forces
        .chain(constraints)
        .map(|(name, power)| format!("{name} {}", shown(*power)))
        .collect();
    lines.push(format!(
        "power        {}{}drive {}",
        powers.join(", "),
        if powers.is_empty() { "" } else { ", " },
        shown(s.drive)
    ));
    lines.extend(agreement(mechanism, s));
    lines.join("\n")
}

/// How far the formulations are apart, and which rates are the independent ones.
fn agreement(mechanism: &Mechanism, s: &Snapshot) -> Option<String> {
    let ((_, first), others) = s.formulations.split_first()?;
    if others.is_empty() {
        return None;
    }
    let size = first.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    let differences = others
        .iter()
        .flat_map(|(_, other)| first.iter().zip(other).map(|(a, b)| (a - b).abs()));
    let largest = differences.fold(0.0, f64::max) / size;
    let names: Vec<&str> = s.formulations.iter().map(|(name, _)| name.name()).collect();
    let mut text = format!("formulations {} agree to {largest:.0e}", names.join(", "));
    if let Some(chosen) = mechanism.independents(&s.state) {
        let choice = independent(mechanism, &chosen.coordinates, &chosen.speeds);
        text += &format!("\nindependent  {choice}");
    }
    Some(text)
}

/// A number in ten significant digits.
fn shown(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e9).contains(&value.abs()) {
        return format!("{value:.9e}");
    }
    let digits = (9 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
