//! Forces, and the virtual-work vectors of non-ideal constraints.

use super::check::{Check, Content, Fields};
use super::form_codes::names as code;
use super::{Force, Load, Name};

impl Check {
    pub(super) fn force(&mut self, name: Name, table: Fields) -> Option<Force> {
        let load = self.load(table, "torque", "make two forces of it")?;
        Some(Force { name, load })
    }

    /// A force or an impulse, whose moment has a name, by components or on a body or particle.
    pub(super) fn load(
        &mut self,
        mut table: Fields,
        moment: &'static str,
        otherwise: &str,
    ) -> Option<Load> {
        let measured = ["along", "size"].into_iter().any(|key| table.has(key));
        let own: &[&str] = match measured {
            true => &["along", "size"],
            false if !table.has("generalized") => return self.applied(table, moment),
            false => &["generalized"],
        };
        if let Some(other) = table.names().find(|key| !own.contains(key)) {
            self.mistakes.report(
                code::EXCLUSIVE,
                table.place_of(other),
                format!("[{}] has both `{}` and `{other}`", table.path, own[0]),
                otherwise,
            );
        }
        if measured {
            for key in own.iter().filter(|key| !table.has(key)) {
                let message = format!("[{}] has no `{key}`", table.path);
                let help = "write both: along = \"A.angle\", size = \"tau\"";
                let place = table.place.clone();
                self.mistakes.report(code::MISSING, place, message, help);
            }
            return Some(Load::Along {
                measure: table.expression("along")?,
                size: table.expression("size")?,
            });
        }
        match table.take("generalized")? {
            Content::Components(components) => Some(Load::Generalized(components)),
            _ => None,
        }
    }

    /// What `nonideal` says.
    pub(super) fn work(&mut self, content: Content) -> Option<Load> {
        match content {
            Content::Components(components) => Some(Load::Generalized(components)),
            Content::Fields(table) => self.applied(table, "torque"),
            _ => None,
        }
    }

    /// A force on a body or particle.
    fn applied(&mut self, mut table: Fields, moment: &'static str) -> Option<Load> {
        if !table.has("on") {
            let otherwise = if table.path.starts_with("force.") || moment != "torque" {
                "write generalized = { x = \"F\" }"
            } else {
                "write components only: { x = \"F\" }"
            };
            self.mistakes.report(
                code::ONE_OF,
                table.place.clone(),
                format!("[{}] does not say what it acts on", table.path),
                format!("add on = \"P\" with the name of a particle or body, or {otherwise}"),
            );
        }
        let keys = ["vector", moment];
        if table.has("on") || table.has("at") {
            self.one_of(&table, &keys, "vector = \"[1, 0, 0]\"");
        }
        if table.has("at") && table.has(moment) && !table.has("vector") {
            let it = if moment == "torque" {
                "a torque"
            } else {
                "an angular impulse"
            };
            let message = format!("`at` of {} has no effect on {it}", table.path);
            let help = format!("leave it out: {it} has no point of action");
            self.mistakes.warn(table.place_of("at"), message, &help);
        }
        Some(Load::Applied {
            on: table.word("on")?,
            at: table.expression("at"),
            vector: table.expression("vector"),
            torque: table.expression(moment),
            axes: table.word("in"),
        })
    }
}
