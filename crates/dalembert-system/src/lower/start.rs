//! The motion at the start, as the user wrote it.

use super::dependence::Order;
use super::{Lowering, Sparse};
use crate::diagnostic::Place;
use crate::elaborate::Declared;
use crate::model::{Expression, Origin, StartValue};
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

/// A value at the start of something else than a coordinate, rate or speed: an angle of a joint, the place of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// As it is written.
    pub name: String,
    /// What it is, of coordinates, or linear in the rates.
    pub expression: ExprId,
    /// Its derivatives by coordinates, or by rates.
    pub slopes: Sparse,
    /// What it is where all rates are zero.
    pub offset: ExprId,
    /// Its value at the start.
    pub started: Started,
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
    /// What is said of positions otherwise.
    pub positions: Vec<Said>,
    /// What is said of velocities otherwise.
    pub velocities: Vec<Said>,
    /// Accelerations that open parameters are found from, each with its place in `[start]`.
    pub accelerations: Vec<(usize, Said)>,
}

impl Lowering<'_> {
    pub(super) fn start(&mut self) -> StartCondition {
        let model = self.model;
        let mut start = StartCondition::default();
        for (_, given) in &model.coordinates {
            let started = self.started(given, "a start value");
            start.coordinates.push(started);
        }
        for (place, (key, given)) in model.start.iter().enumerate() {
            let started = self.started(given, "a start value");
            match self.rate_or_speed(key) {
                Some(Declared::Coordinate(i)) => start.rates.push((i, started)),
                Some(Declared::Speed(k)) => start.speeds.push((k, started)),
                // What has no meaning was refused.
                _ if given.value.is_some() && started.value.is_none() => {}
                _ => self.said((place, key), started, &mut start),
            }
        }
        start
    }

    /// A value of an expression of the motion.
    fn said(
        &mut self,
        (place, key): (usize, &Expression),
        started: Started,
        start: &mut StartCondition,
    ) {
        if self.is_unknown(key) {
            return;
        }
        let Some(expression) = self.scope.scalar(key) else {
            return;
        };
        let name = key.text.trim().to_owned();
        let zero = self.graph().integer(0);
        let found = self.depends_on(expression);
        let linear = match (found.motion, found.order) {
            (true, 0) => Some((self.sparse_gradient(expression, Order::Coordinates), zero)),
            (true, 1) => self.linear_in(expression, Order::Rates),
            _ => None,
        };
        let open = started.value.is_none();
        if found.order == 2 && !self.model.open.is_empty() && !open && started.must {
            let said = Said {
                name,
                expression,
                slopes: Sparse::new(),
                offset: zero,
                started,
            };
            start.accelerations.push((place, said));
            return;
        }
        let guess = found.order == 0 && !started.must;
        // A guess that a body is given, of a motion that the joint it hangs by does not have.
        if guess && !found.motion && matches!(key.origin, Origin::Of(_)) {
            return;
        }
        let Some((slopes, offset)) = linear.filter(|_| !open && !guess) else {
            let message = match (open, guess) {
                (true, _) => format!("`{name}` is left open with \"?\", so nothing is said of it"),
                (_, true) => format!("`{name}` cannot be a guess: it is no coordinate"),
                _ => format!("`{name}` does not say where or how fast the motion starts"),
            };
            let help = "give a value of coordinates, or of something linear in the rates, such as \"pos(P).x\" = 1 or \"A.rate\" = 2; guesses are of coordinates";
            self.scope.refuse_whole(key, "E0429", message, help);
            return;
        };
        let list = match found.order {
            0 => &mut start.positions,
            _ => &mut start.velocities,
        };
        list.push(Said {
            name,
            expression,
            slopes,
            offset,
            started,
        });
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
    fn rate_or_speed(&self, key: &Expression) -> Option<Declared> {
        let (name, primes) = key.tree.dotted(key.tree.root())?;
        let declared = self.scope.names().get(&name);
        match (declared, primes) {
            (Some(Declared::Coordinate(_)), 1) | (Some(Declared::Speed(_)), 0) => declared,
            _ => None,
        }
    }

    /// Whether a key is a name that nothing has; it is refused then.
    fn is_unknown(&mut self, key: &Expression) -> bool {
        let Kind::Name { name, .. } = &key.tree[key.tree.root()].kind else {
            return false;
        };
        if let Some(Declared::Definition(_) | Declared::Coordinate(_) | Declared::Speed(_)) =
            self.scope.names().get(name)
        {
            return false;
        }
        let help = self.scope.is_shown().then(|| self.nearest_start(&key.text));
        let help = help.flatten().unwrap_or_default();
        let message = format!("`{}` is neither a rate nor a speed", key.text);
        self.scope.refuse_whole(key, "E0429", message, help);
        true
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
