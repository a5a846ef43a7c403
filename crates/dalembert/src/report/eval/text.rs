//! Numbers at one state as text: tables of coordinates, rows, forces and reactions, and the balance.

use super::super::table::{Column, columns, shown, shown_beside, table};
use super::super::text::with_unit;
use super::super::{Numbers, named};
use super::{Determined, Energy, EvalReport, Momentum, Wrench};
use dalembert_mechanics::decide::KNOWN;
use dalembert_mechanics::reactions::Acting;
use std::fmt;

impl Wrench {
    fn components(&self) -> impl Iterator<Item = &f64> {
        self.force.iter().chain(&self.moment)
    }

    /// Force, and on a body the moment; rounding beside others of some size left out.
    fn text(&self, size: f64, [force, moment]: [Option<&str>; 2]) -> String {
        let force = with_unit(vector(&self.force, size), force);
        match self.on_body {
            false => force,
            true => format!("{force}  {}", with_unit(vector(&self.moment, size), moment)),
        }
    }
}

impl fmt::Display for EvalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.units.has_units.then_some("s");
        let t = with_unit(shown(self.t), unit);
        match self.values_of_start {
            false => writeln!(f, "t = {t}")?,
            true => writeln!(
                f,
                "t = {t}, with the values of the start: not the motion that arrives there, which `run` gives"
            )?,
        }
        if !self.found.is_empty() {
            writeln!(f, "{}", self.found)?;
        }
        let units = &self.units;
        let motion = [
            Column::new("value", &self.coordinates, &units.coordinates),
            Column::new("rate", &self.rates, &units.rates),
            Column::new("acceleration", &self.accelerations, &units.accelerations),
            Column::new("momentum", &self.momentum, &units.momenta),
        ];
        columns(f, "coordinate", &motion)?;
        let mut by_speed = &units.generalized_forces;
        if self.has_speeds {
            by_speed = &units.speed_forces;
            let motion = [
                Column::new("value", &self.speeds, &units.speeds),
                Column::new("rate", &self.speed_rates, &units.speed_rates),
            ];
            columns(f, "speed", &motion)?;
        }
        self.multipliers(f)?;
        let forces = &self.forces;
        let mut parts = vec![
            Column::new("applied and inertial", &forces.given, by_speed),
            Column::new("ideal reaction", &forces.ideal, by_speed),
            Column::new("non-ideal reaction", &forces.nonideal, by_speed),
        ];
        let servo = forces.servo.as_ref();
        parts.extend(servo.map(|it| Column::new("servo force", it, by_speed)));
        columns(f, "force on", &parts)?;
        self.reactions(f)?;
        self.balance(f)
    }
}

impl EvalReport {
    fn multipliers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.multipliers.is_empty() {
            return Ok(());
        }
        let error = self.geometry.error.as_ref();
        let names = self.multipliers.keys();
        let error: Option<Numbers> = error.map(|error| named(names, error));
        let [units, row_units] = &self.row_units;
        let mut parts = vec![
            Column::new("multiplier", &self.multipliers, units),
            Column::new("ideal multiplier", &self.multipliers_ideal, units),
        ];
        parts.extend(
            error
                .as_ref()
                .map(|it| Column::new("b - A a", it, row_units)),
        );
        table(f, "row", &parts, |i, name| {
            let not_unique = self.not_unique.rows.contains(name);
            let mut marks = Vec::from_iter(not_unique.then(|| "not unique".to_owned()));
            marks.extend(
                self.held_by[i]
                    .iter()
                    .map(|force| format!("force of {force}")),
            );
            marks.join("   ")
        })?;
        let notes = self
            .not_unique
            .why
            .iter()
            .chain(&self.geometry.undetermined);
        notes.into_iter().try_for_each(|note| writeln!(f, "{note}"))
    }

    /// Forces on particles and bodies, constraint by constraint and all together.
    fn reactions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table: Vec<(String, Result<&Wrench, &String>, &str)> = Vec::new();
        for (name, reaction) in &self.reactions {
            let mark = match reaction.is_unique {
                true => "",
                false => "   not unique",
            };
            match (&reaction.bodies, &reaction.undetermined) {
                (Some(bodies), _) => table.extend(
                    bodies
                        .iter()
                        .map(|(on, it)| (format!("{name} on {on}"), Ok(it), mark)),
                ),
                (None, Some(why)) => table.push((name.clone(), Err(why), "")),
                (None, None) => {}
            }
        }
        table.extend(self.resultants.iter().map(|(on, found)| {
            let found = match found {
                Determined::Known(wrench) => Ok(wrench),
                Determined::Not { undetermined } => Err(undetermined),
            };
            (format!("all on {on}"), found, "")
        }));
        if table.is_empty() {
            return Ok(());
        }
        let known = || table.iter().filter_map(|(_, found, _)| found.ok());
        let size = largest(known().flat_map(Wrench::components));
        let labels = table.iter().map(|(label, _, _)| label.chars().count());
        let width = labels.max().unwrap_or(0).max(12);
        let head = "force, and moment about the mass centre";
        writeln!(f, "\n{:<width$} {head}", "reaction")?;
        // One reason is told once.
        let mut told: Vec<&String> = Vec::new();
        for (label, found, mark) in &table {
            let text = match found {
                Ok(wrench) => wrench.text(size, [self.si("N"), self.si("N*m")]),
                Err(why) if told.contains(why) => "not determined, as above".to_owned(),
                Err(why) => {
                    told.push(why);
                    format!("not determined: {why}")
                }
            };
            writeln!(f, "{label:<width$} {text}{mark}")?;
        }
        match known().flat_map(Wrench::components).any(|x| x.is_nan()) {
            true => writeln!(f, "not determined: {}", Acting::WHY_OPEN),
            false => Ok(()),
        }
    }

    /// A unit of mechanics, if the model has units.
    fn si(&self, unit: &'static str) -> Option<&'static str> {
        self.units.has_units.then_some(unit)
    }

    fn balance(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        if let Determined::Known(Momentum { linear, angular }) = &self.total_momentum {
            let size = largest(linear.iter().chain(angular));
            let linear = with_unit(vector(linear, size), self.si("kg*m/s"));
            let angular = with_unit(vector(angular, size), self.si("kg*m^2/s"));
            writeln!(
                f,
                "momentum     linear {linear}, angular {angular} about the origin"
            )?;
        }
        let Energy { kinetic, potential } = self.energy;
        let energies = [kinetic, potential, kinetic + potential];
        let [kinetic, potential, total] =
            energies.map(|energy| with_unit(shown(energy), self.si("J")));
        writeln!(
            f,
            "energy       kinetic {kinetic}, potential {potential}, total {total}"
        )?;
        let last = self.power.len() - 1;
        let size = largest(self.power.values());
        let powers = self.power.iter().enumerate().map(|(i, (name, power))| {
            // What moves the system from outside is no force of the model.
            let name = if i == last { "prescribed motion" } else { name };
            format!(
                "{name} {}",
                with_unit(shown_beside(*power, size), self.si("W"))
            )
        });
        write!(f, "power        {}", powers.collect::<Vec<_>>().join(", "))?;
        if !self.sticking.is_empty() {
            let sticks = self.sticking.join(", ");
            write!(f, "\nfriction     holds {sticks}")?;
        }
        if let Some((largest, _)) = self.farthest {
            let names = self.formulations.iter();
            let names = names.filter(|(_, rates)| rates.is_some());
            let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
            write!(
                f,
                "\nformulations {} agree to {largest:.0e}",
                names.join(", ")
            )?;
            if let Some(independent) = &self.independent {
                write!(f, "\nindependent  {independent}")?;
            }
        }
        Ok(())
    }
}

fn largest<'a>(numbers: impl Iterator<Item = &'a f64>) -> f64 {
    numbers.fold(0.0_f64, |size, x| size.max(x.abs()))
}

/// A vector, the rounding beside others of some size left out.
fn vector(components: &[f64; 3], size: f64) -> String {
    let component = |x: f64| match x.abs() <= KNOWN * size {
        true => "0".to_owned(),
        false => shown(x),
    };
    format!("[{}]", components.map(component).join(", "))
}
