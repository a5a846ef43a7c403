//! Values and options that are set in place of those of the file.

use super::Model;
use crate::report::Error;
use dalembert_expr::syntax::parse_expression;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use std::sync::OnceLock;

impl Model {
    /// Sets a parameter, a start value or a start rate: `set("m", "3 kg")`, `set("theta'", "2")`.
    ///
    /// # Errors
    /// There is no such name, or the value is no expression.
    pub fn set(self, name: &str, value: &str) -> Result<Self, Error> {
        self.set_all(&[format!("{name}={value}")])
    }

    /// Sets several by `NAME=VALUE`, each once.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn set_all(mut self, settings: &[String]) -> Result<Self, Error> {
        let mut errors = Vec::new();
        for (index, setting) in settings.iter().enumerate() {
            let name = name_set(setting);
            let mut before = settings[..index].iter().map(|it| name_set(it));
            if name.is_some() && before.any(|it| it == name) {
                errors.push(set_twice(setting));
            } else if let Err(found) = self.description.set(setting) {
                errors.extend(found);
            }
            self.settings.push(setting.clone());
        }
        self.forget();
        if !errors.is_empty() {
            return Err(self.source.refuse(errors));
        }
        self.read_files()?;
        Ok(self)
    }

    /// Sets a number or the condition of `[run]` as the command line does: `option("--span", "3 s")`.
    ///
    /// # Errors
    /// The value is no expression.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn option(mut self, option: &str, value: &str) -> Result<Self, Error> {
        let set = self.description.set_run(option, value);
        set.map_err(|errors| self.source.refuse(errors))?;
        self.settings.push(format!("{option}={value}"));
        self.forget();
        self.read_files()?;
        Ok(self)
    }

    /// Records these, besides coordinates and rates, in place of what `[run]` says: `["energy", "reaction(contact)"]`.
    ///
    /// # Errors
    /// One of them is no expression.
    pub fn record(mut self, wanted: &[String]) -> Result<Self, Error> {
        let set = self.description.set_record(wanted);
        set.map_err(|errors| self.source.refuse(errors))?;
        self.forget();
        self.read_files()?;
        Ok(self)
    }

    /// What was found for other values does not hold any more.
    fn forget(&mut self) {
        (self.compiled, self.started) = (OnceLock::new(), OnceLock::new());
        (self.at_start, self.held) = (OnceLock::new(), OnceLock::new());
    }

    /// What was set in place of values of the file.
    #[must_use]
    pub fn settings(&self) -> &[String] {
        &self.settings
    }

    /// The same with values and options of runs that were set in another one: see [`settings`](Self::settings).
    ///
    /// # Errors
    /// One of them is none here.
    pub fn with_settings(self, settings: &[String]) -> Result<Self, Error> {
        let (options, values): (Vec<&String>, Vec<&String>) =
            settings.iter().partition(|it| it.starts_with("--"));
        let values: Vec<String> = values.into_iter().cloned().collect();
        let mut model = self.set_all(&values)?;
        for (option, value) in options.iter().filter_map(|it| it.split_once('=')) {
            model = model.option(option, value)?;
        }
        Ok(model)
    }
}

/// What NAME=VALUE sets, with its primes.
fn name_set(setting: &str) -> Option<(String, u8)> {
    let tree = parse_expression(setting.split_once('=')?.0).ok()?;
    tree.dotted(tree.root())
}

fn set_twice(setting: &str) -> Diagnostic {
    let end = setting.find('=').unwrap_or(setting.len());
    let place = Place::given("--set", setting, 0..end);
    let message = format!("`{}` is set twice", setting[..end].trim());
    Diagnostic::error("E0904", place, message, "set it once")
}
