//! Parameters that a model leaves open with "?".

use super::Numbers;
use super::text::{significant, with_unit};
use dalembert_mechanics::Mechanism;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Parameters that were "?", with the values that were found for them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Found {
    /// By name.
    pub values: Numbers,
    /// Each with its unit.
    #[serde(skip)]
    words: Vec<String>,
}

impl Found {
    pub(crate) fn new(mechanism: &Mechanism) -> Self {
        let model = &mechanism.model;
        let mut found = Self::default();
        let values = mechanism.parameters.iter().zip(&mechanism.units.parameters);
        for ((name, _), (value, unit)) in model.parameters.iter().zip(values) {
            if model.found.iter().any(|it| it.text == name.text) {
                let shown = with_unit(significant(*value, 7), unit.as_deref());
                found.words.push(format!("{} = {shown}", name.text));
                found.values.insert(name.text.clone(), *value);
            }
        }
        found
    }

    /// Whether the model leaves none open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} found from the start", self.words.join(", "))
    }
}
