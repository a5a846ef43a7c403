//! The numbers of one state for the eye.

use super::Found;
use crate::output::{independent, significant};
use dalembert::mechanics::elaborate::Target;
use dalembert::mechanics::reactions::Acting;

/// What is smaller than this part of a vector's largest component is rounding.
const ROUNDING: f64 = 1e-13;

impl Found<'_> {
    pub(super) fn text(&self) -> String {
        let mut lines = vec![format!("t = {}", shown(self.snapshot.state.t))];
        self.motion(&mut lines);
        self.multipliers(&mut lines);
        self.generalized(&mut lines);
        self.reactions_on(&mut lines);
        self.balance(&mut lines);
        lines.extend(self.agreement());
        lines.join("\n")
    }

    fn motion(&self, lines: &mut Vec<String>) {
        let (mechanism, s) = (self.mechanism, &self.snapshot);
        lines.push(format!(
            "\n{:<12} {:>16} {:>16} {:>16} {:>16}",
            "coordinate", "value", "rate", "acceleration", "momentum"
        ));
        for (i, name) in mechanism.coordinate_names().enumerate() {
            let state = &s.state;
            let numbers = [
                state.coordinates[i],
                state.rates[i],
                s.accelerations[i],
                self.forces.momenta[i],
            ];
            let [q, v, a, p] = numbers.map(shown);
            lines.push(format!("{name:<12} {q:>16} {v:>16} {a:>16} {p:>16}"));
        }
        if mechanism.system.speeds.is_some() {
            lines.push(format!("\n{:<12} {:>16} {:>16}", "speed", "value", "rate"));
            for (i, name) in mechanism.speed_names().iter().enumerate() {
                let [v, rate] = [s.speeds[i], s.speed_rates[i]].map(shown);
                lines.push(format!("{name:<12} {v:>16} {rate:>16}"));
            }
        }
    }

    fn multipliers(&self, lines: &mut Vec<String>) {
        let s = &self.snapshot;
        if s.multipliers.is_empty() {
            return;
        }
        lines.push(format!(
            "\n{:<12} {:>16} {:>16} {:>16}",
            "row", "multiplier", "ideal part", "error if free"
        ));
        for (i, name) in self.rows().enumerate() {
            let mut note = if s.unique[i] { "" } else { "   not unique" }.to_owned();
            let system = &self.mechanism.system;
            if let Some(force) = system.held_by(i) {
                note += &format!("   size of {}", system.forces[force].name);
            }
            let [actual, ideal] = [s.multipliers[i], s.multipliers_ideal[i]].map(shown);
            let error = self.geometry.error.as_ref().ok();
            let error = error.map_or_else(|| "-".to_owned(), |error| shown(error[i]));
            lines.push(format!(
                "{name:<12} {actual:>16} {ideal:>16} {error:>16}{note}"
            ));
        }
        lines.extend(self.dependences.words(self.mechanism));
        lines.extend(self.geometry.error.as_ref().err().cloned());
    }

    fn generalized(&self, lines: &mut Vec<String>) {
        let s = &self.snapshot;
        let mut parts = vec![
            ("given", &s.force_given),
            ("ideal", &s.force_ideal),
            ("non-ideal", &s.force_nonideal),
        ];
        if !self.mechanism.system.servo.is_empty() {
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
        for (i, name) in self.mechanism.speed_names().iter().enumerate() {
            lines.push(line(name, &|part| shown(parts[part].1[i])));
        }
    }

    /// Forces on particles and bodies, constraint by constraint and all together.
    fn reactions_on(&self, lines: &mut Vec<String>) {
        let model = &self.mechanism.model;
        let mut table: Vec<(String, Result<&Acting, &String>, &str)> = Vec::new();
        let constraints = model.constraints.iter().enumerate();
        for ((index, constraint), reaction) in constraints.zip(&self.forces.reactions) {
            let name = &constraint.name.text;
            let mark = match self.is_unique(index) {
                true => "",
                false => "   not unique",
            };
            match reaction {
                Ok(acting) => table.extend(acting.iter().map(|acting| {
                    let on = acting.on.name(model);
                    (format!("{name} on {on}"), Ok(acting), mark)
                })),
                Err(why) => table.push((name.clone(), Err(why), "")),
            }
        }
        for (on, resultant) in &self.forces.resultants {
            let label = format!("all on {}", on.name(model));
            table.push((label, resultant.as_ref(), ""));
        }
        if table.is_empty() {
            return;
        }
        let known = table.iter().filter_map(|(_, found, _)| found.ok());
        let components = known.flat_map(|it| it.force.iter().chain(&it.moment));
        let size = components.fold(0.0_f64, |size, x| size.max(x.abs()));
        let labels = table.iter().map(|(label, _, _)| label.chars().count());
        let width = labels.max().unwrap_or(0).max(12);
        let head = "force, and moment about the mass centre";
        lines.push(format!("\n{:<width$} {head}", "reaction"));
        // One reason is told once.
        let mut told: Vec<&String> = Vec::new();
        for (label, found, mark) in &table {
            let text = match found {
                Ok(acting) => vectors(acting, size),
                Err(why) if told.contains(why) => "not determined, as above".to_owned(),
                Err(why) => {
                    told.push(why);
                    format!("not determined: {why}")
                }
            };
            lines.push(format!("{label:<width$} {text}{mark}"));
        }
        if table
            .iter()
            .any(|(_, found, _)| found.is_ok_and(Acting::is_open))
        {
            lines.push(format!("not determined: {}", Acting::WHY_OPEN));
        }
    }

    /// Whether the rows of a constraint have one reaction only; a row that says nothing has none.
    fn is_unique(&self, constraint: usize) -> bool {
        let rows = self.mechanism.system.rows.iter();
        let rows = rows.zip(&self.snapshot.unique);
        let mut rows = rows.filter(|(row, _)| row.constraint == constraint);
        rows.all(|(row, unique)| *unique || row.jacobian.is_empty())
    }

    fn balance(&self, lines: &mut Vec<String>) {
        let (mechanism, s) = (self.mechanism, &self.snapshot);
        lines.push(String::new());
        if let Ok(both @ [linear, angular]) = &self.forces.momentum {
            let size = both.as_flattened().iter();
            let size = size.fold(0.0_f64, |size, x| size.max(x.abs()));
            lines.push(format!(
                "momentum     linear {}, angular {} about the origin",
                vector(linear, size),
                vector(angular, size)
            ));
        }
        lines.push(format!(
            "energy       kinetic {}, potential {}, total {}",
            shown(s.kinetic),
            shown(s.potential),
            shown(s.kinetic + s.potential)
        ));
        let forces = mechanism.system.forces.iter();
        let forces = forces.map(|force| &force.name).zip(&s.force_power);
        let constraints = mechanism.model.constraints.iter();
        let constraints = constraints
            .map(|constraint| &constraint.name.text)
            .zip(&s.constraint_power);
        let powers: Vec<String> = forces
            .chain(constraints)
            .map(|(name, power)| format!("{name} {}", shown(*power)))
            .collect();
        // A force of the model keeps its name, also this one.
        let taken = powers.iter().any(|power| power.starts_with("drive "));
        lines.push(format!(
            "power        {}{}{} {}",
            powers.join(", "),
            if powers.is_empty() { "" } else { ", " },
            if taken { "drive (2)" } else { "drive" },
            shown(s.drive)
        ));
    }

    /// How far the formulations are apart, and which rates are the independent ones.
    fn agreement(&self) -> Option<String> {
        let (mechanism, s) = (self.mechanism, &self.snapshot);
        let (largest, _) = self.difference()?;
        let names: Vec<&str> = s.formulations.iter().map(|(name, _)| name.name()).collect();
        let mut text = format!("formulations {} agree to {largest:.0e}", names.join(", "));
        if let Some(chosen) = mechanism.independents(&s.state) {
            let choice = independent(mechanism, &chosen.coordinates, &chosen.speeds);
            text += &format!("\nindependent  {choice}");
        }
        Some(text)
    }
}

/// Force, and on a body the moment.
fn vectors(acting: &Acting, size: f64) -> String {
    let force = vector(&acting.force, size);
    match acting.on {
        Target::Particle(_) => force,
        Target::Body(_) => format!("{force}  {}", vector(&acting.moment, size)),
    }
}

/// A vector, the rounding beside others of some size left out.
fn vector(components: &[f64; 3], size: f64) -> String {
    let component = |x: f64| match x.abs() <= ROUNDING * size {
        _ if x.is_nan() => "not determined".to_owned(),
        true => "0".to_owned(),
        false => shown(x),
    };
    format!("[{}]", components.map(component).join(", "))
}

/// A number in ten significant digits.
fn shown(value: f64) -> String {
    significant(value, 10)
}
