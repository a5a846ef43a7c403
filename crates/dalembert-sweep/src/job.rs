//! A sweep as text, for whoever makes its parts elsewhere.

use super::Sweep;
use dalembert::report::Error;
use dalembert::{Model, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Model and plan with the files that they take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    model: Text,
    plan: Text,
    /// Values that are set in place of those of the model.
    set: Vec<String>,
}

/// A text with the files that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Text {
    name: String,
    text: String,
    files: BTreeMap<String, String>,
}

impl Text {
    fn of(source: &Source) -> Result<Self, Error> {
        let mut files = BTreeMap::new();
        for (name, text) in source.taken_texts() {
            let Some(text) = text else {
                let message = format!("{name} is no text, and cannot travel with the plan");
                let help = "make shares with `dalembert sweep --shard` where the file is";
                return Err(Error::about(&name, "E0910", message, Some(help.to_owned())));
            };
            files.insert(name, text);
        }
        Ok(Self {
            name: source.name.clone(),
            text: source.text.clone(),
            files,
        })
    }

    fn source(&self) -> Source {
        let source = Source::new(&self.name, &self.text);
        let files = self.files.iter();
        files.fold(source, |source, (name, text)| source.with_file(name, text))
    }
}

impl Job {
    /// That of a sweep, whose model and plan have been read.
    ///
    /// # Errors
    /// A file is no text.
    pub fn of(model: &Model, plan: &Source) -> Result<Self, Error> {
        Ok(Self {
            model: Text::of(model.source())?,
            plan: Text::of(plan)?,
            set: model.settings().to_vec(),
        })
    }

    /// The sweep.
    ///
    /// # Errors
    /// As [`Sweep::new`].
    pub fn sweep(&self) -> Result<Sweep, Error> {
        let model = Model::read(self.model.source())?.with_settings(&self.set)?;
        Sweep::new(&model, &self.plan.source())
    }
}
