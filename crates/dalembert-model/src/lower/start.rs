//! The motion at the start, as the user wrote it.

use super::Lowering;
use crate::diagnostic::Place;
use crate::elaborate::Declared;
use crate::model::{Expression, StartValue};
use dalembert_expr::ExprId;
use dalembert_expr::syntax::{Kind, meant_or_known};

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
            match self.rate_or_speed(key) {
                Some(Declared::Coordinate(i)) => start.rates.push((i, started)),
                Some(Declared::Speed(k)) => start.speeds.push((k, started)),
                _ => {}
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

    /// What a key of `[start]` names: `phi'`, by its coordinate, or a speed.
    fn rate_or_speed(&mut self, key: &Expression) -> Option<Declared> {
        if let Kind::Name { name, primes } = &key.tree[key.tree.root()].kind
            && let declared = self.scope.names().get(name)
            && let (Some(Declared::Coordinate(_)), 1) | (Some(Declared::Speed(_)), 0) =
                (declared, primes)
        {
            return declared;
        }
        let help = self.scope.is_shown().then(|| self.nearest_start(&key.text));
        let help = help.flatten().unwrap_or_default();
        let message = format!("`{}` is neither a rate nor a speed", key.text);
        self.scope.refuse_whole(key, "E0429", message, help);
        None
    }

    /// The rate or speed that `key` was probably meant to be, or those that there are.
    fn nearest_start(&self, key: &str) -> Option<String> {
        let model = self.model;
        let rates = model.coordinates.iter();
        let rates: Vec<String> = rates.map(|(name, _)| format!("{}'", name.text)).collect();
        let speeds = model.speeds.iter().map(|(name, _)| name.text.as_str());
        let known = rates.iter().map(String::as_str).chain(speeds);
        meant_or_known(key, known)
    }
}
