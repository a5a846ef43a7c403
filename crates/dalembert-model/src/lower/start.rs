//! The motion at the start, as the user wrote it.

use super::Lowering;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::elaborate::Declared;
use crate::model::{Expression, StartValue};
use dalembert_expr::ExprId;
use dalembert_expr::syntax::{Kind, nearest};

/// A value at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The value in terms of parameters and other start values; `None` is "?".
    pub value: Option<ExprId>,
    /// Whether it must be met exactly.
    pub must: bool,
    /// Where it stands.
    pub place: Place,
}

/// All that is said of the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartCondition {
    /// One for each coordinate.
    pub coordinates: Vec<Started>,
    /// Rates by coordinate.
    pub rates: Vec<(usize, Started)>,
    /// Speeds by index.
    pub speeds: Vec<(usize, Started)>,
}

impl Lowering<'_> {
    pub(super) fn start(&mut self) -> StartCondition {
        let model = self.model;
        let mut start = StartCondition::default();
        for (_, given) in &model.coordinates {
            let started = self.started(given, "a start value");
            start.coordinates.push(started);
        }
        for (key, given) in &model.start {
            let started = self.started(given, "a start value");
            match self.target(key) {
                Some(Target::Rate(i)) => start.rates.push((i, started)),
                Some(Target::Speed(k)) => start.speeds.push((k, started)),
                None => {}
            }
        }
        start
    }

    fn started(&mut self, given: &StartValue, what: &str) -> Started {
        let value = given.value.as_ref().and_then(|expression| {
            let value = self.scope.scalar(expression)?;
            self.limit_order(expression, value, 0, what)
                .then_some(value)
        });
        Started {
            value,
            must: given.must,
            place: given.place.clone(),
        }
    }

    /// What a key of `[start]` names: `phi'`, or a speed.
    fn target(&mut self, key: &Expression) -> Option<Target> {
        if let Kind::Name { name, primes } = &key.tree[key.tree.root()].kind {
            match (self.scope.names().get(name), primes) {
                (Some(Declared::Coordinate(i)), 1) => return Some(Target::Rate(i)),
                (Some(Declared::Speed(k)), 0) => return Some(Target::Speed(k)),
                _ => {}
            }
        }
        let help = self.scope.is_shown().then(|| self.nearest_start(&key.text));
        self.scope.diagnostics.push(Diagnostic {
            code: "E0429",
            severity: Severity::Error,
            message: format!("`{}` is neither a rate nor a speed", key.text),
            help: help.flatten(),
            place: key.whole(),
        });
        None
    }

    /// The rate or speed that `key` was probably meant to be.
    fn nearest_start(&self, key: &str) -> Option<String> {
        let model = self.model;
        let rates: Vec<String> = model
            .coordinates
            .iter()
            .map(|(name, _)| format!("{}'", name.text))
            .collect();
        let speeds = model.speeds.iter().map(|(name, _)| name.text.as_str());
        let known = rates.iter().map(String::as_str).chain(speeds);
        let near = nearest(key, known).map(|near| format!("did you mean {near}?"));
        near.or_else(|| {
            let first = rates.first()?;
            Some(format!(
                "write a rate as \"{first}\", or a speed of [speeds]"
            ))
        })
    }
}

enum Target {
    Rate(usize),
    Speed(usize),
}
