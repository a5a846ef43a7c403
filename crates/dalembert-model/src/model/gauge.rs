//! What is kept of a run besides its samples, as plans of sweeps ask for it: values at the end, extremes, means, values at the time at which
//! something becomes true.
//!
//! ```text
//! max(theta) - min(theta)      max, min, mean, integral, start, end of ONE expression are numbers of the whole run
//! theta'                       what stands outside of these is taken at the end
//! t when theta > 85 deg        its value when that becomes true for the first time
//! count(hit)                   how often an event happened; first(hit), last(hit): when
//! series(theta)                its value at every sample
//! ```
//!
//! What is reduced becomes a parameter of the expression around it, so that this is read, checked and computed as all expressions are.

use super::{Expression, Model, Name, Origin};
use crate::diagnostic::{Diagnostic, Place};
use dalembert_expr::Rational;
use dalembert_expr::syntax::{Argument, Kind, NodeId, Tree, Word};

/// A number that a run is reduced to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gauge {
    /// The value at the start.
    Start(Expression),
    /// The value at the end, of the motion and of gauges before it.
    End(Expression),
    /// The largest value.
    Largest(Expression),
    /// The least value.
    Least(Expression),
    /// The mean over time.
    Mean(Expression),
    /// The integral over time.
    Integral(Expression),
    /// The value when a condition becomes true for the first time: no number if it never does.
    When {
        /// What is kept.
        value: Expression,
        /// The condition.
        condition: Expression,
    },
    /// How often an event happened.
    Count(Name),
    /// When it happened first.
    First(Name),
    /// When it happened last.
    Last(Name),
}

impl Gauge {
    /// The expressions in it.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let [one, other] = match self {
            Self::Start(it)
            | Self::End(it)
            | Self::Largest(it)
            | Self::Least(it)
            | Self::Mean(it)
            | Self::Integral(it) => [Some(it), None],
            Self::When { value, condition } => [Some(value), Some(condition)],
            Self::Count(_) | Self::First(_) | Self::Last(_) => [None, None],
        };
        [one, other].into_iter().flatten()
    }
}

/// What a result of a run is written as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A number, in which parts may be reduced.
    Number(Expression),
    /// `VALUE when CONDITION`.
    When {
        /// What is kept.
        value: Expression,
        /// The condition.
        condition: Expression,
    },
}

/// What becomes of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The gauge of this number.
    Gauge(usize),
    /// The record of this number, at every sample.
    Series(usize),
}

/// Words that reduce what stands in their parentheses.
const REDUCING: [&str; 9] = [
    "max", "min", "mean", "integral", "start", "end", "count", "first", "last",
];

/// The word for values at every sample.
const SERIES: &str = "series";

/// What stands for what is reduced.
const REDUCED: &str = "reduced_";

impl Model {
    /// Has runs keep a result, and says where it will be found.
    ///
    /// # Errors
    /// What is reduced within what is reduced, or no event is called so.
    pub fn keep(&mut self, asked: &Asked) -> Result<Kept, Vec<Diagnostic>> {
        let expression = match asked {
            Asked::When { value, condition } => {
                let (value, condition) = (value.clone(), condition.clone());
                return Ok(self.gauge(Gauge::When { value, condition }));
            }
            Asked::Number(expression) => expression,
        };
        let tree = &expression.tree;
        if let Some((SERIES, [argument])) = reducing(tree, tree.root(), &[SERIES]) {
            let inner = part(expression, argument.value);
            no_reduction(&inner)?;
            self.run.record.push(inner);
            return Ok(Kept::Series(self.run.record.len() - 1));
        }
        let mut stands = Vec::new();
        for id in tree.ids() {
            if let Some((word, [argument])) = reducing(tree, id, &REDUCING) {
                let gauge = self.reduction(expression, word, argument)?;
                let Kept::Gauge(index) = self.gauge(gauge) else {
                    unreachable!("a gauge was added");
                };
                if id == tree.root() {
                    return Ok(Kept::Gauge(index));
                }
                stands.push((id, self.reduced(index)));
            } else if let Some((_, _)) = reducing(tree, id, &[SERIES]) {
                return Err(refused(
                    expression,
                    id,
                    "`series` is a result by itself",
                    "write it alone: path = \"series(theta)\"",
                ));
            }
        }
        let outer = tree.clone().with_kinds(|id, kind| {
            if let Some((_, name)) = stands.iter().find(|(of, _)| *of == id) {
                let name = name.as_str().into();
                *kind = Kind::Name { name, primes: 0 };
            }
        });
        let outer = Expression {
            tree: outer.part(outer.root()),
            ..expression.clone()
        };
        Ok(self.gauge(Gauge::End(outer)))
    }

    fn reduction(
        &self,
        expression: &Expression,
        word: &str,
        argument: &Argument,
    ) -> Result<Gauge, Vec<Diagnostic>> {
        let inner = part(expression, argument.value);
        no_reduction(&inner)?;
        let event = || {
            let id = argument.value;
            let text = expression.tree[id].span.text(&expression.text).trim();
            let mut events = self.events.iter();
            match events.find(|event| event.name.text == text) {
                Some(event) => Ok(Name {
                    text: event.name.text.clone(),
                    place: expression.place(expression.tree[id].span.range()),
                }),
                None => Err(refused(
                    expression,
                    id,
                    &format!("there is no event called `{text}`"),
                    "count, first and last are of events of the model: [event.NAME]",
                )),
            }
        };
        Ok(match word {
            "max" => Gauge::Largest(inner),
            "min" => Gauge::Least(inner),
            "mean" => Gauge::Mean(inner),
            "integral" => Gauge::Integral(inner),
            "start" => Gauge::Start(inner),
            "end" => Gauge::End(inner),
            "count" => Gauge::Count(event()?),
            "first" => Gauge::First(event()?),
            _ => Gauge::Last(event()?),
        })
    }

    fn gauge(&mut self, gauge: Gauge) -> Kept {
        self.run.gauges.push(gauge);
        Kept::Gauge(self.run.gauges.len() - 1)
    }

    /// A parameter for the number of a gauge.
    fn reduced(&mut self, index: usize) -> String {
        let mut name = format!("{REDUCED}{index}");
        while self.parameters.iter().any(|(known, _)| known.text == name) {
            name.push('_');
        }
        let zero = Expression {
            text: "0".to_owned(),
            tree: Tree::number(Rational::from(0)),
            origin: Origin::Key(name.clone()),
        };
        let place = Place::Model;
        let text = name.clone();
        self.parameters.push((Name { text, place }, zero));
        self.run.reduced.push((index, name.clone()));
        name
    }
}

/// The word and the arguments of a call that reduces: by one of these words, of one expression.
fn reducing<'t>(
    tree: &'t Tree,
    id: NodeId,
    words: &[&'static str],
) -> Option<(&'static str, &'t [Argument; 1])> {
    let Kind::Call {
        function: Word { text, .. },
        arguments,
    } = &tree[id].kind
    else {
        return None;
    };
    let word = words.iter().find(|word| ***word == **text)?;
    let one = <&[Argument; 1]>::try_from(&**arguments).ok()?;
    one[0].name.is_none().then_some((*word, one))
}

/// A part of an expression, which stands where that does.
fn part(expression: &Expression, id: NodeId) -> Expression {
    Expression {
        tree: expression.tree.part(id),
        ..expression.clone()
    }
}

fn no_reduction(inner: &Expression) -> Result<(), Vec<Diagnostic>> {
    let all: Vec<&str> = [SERIES].into_iter().chain(REDUCING).collect();
    let within = |id: &NodeId| reducing(&inner.tree, *id, &all).is_some();
    match inner.tree.ids().find(within) {
        None => Ok(()),
        Some(id) => Err(refused(
            inner,
            id,
            "a number of the whole run has no value on the way",
            "write it outside, as in max(x) - mean(x)",
        )),
    }
}

fn refused(expression: &Expression, id: NodeId, message: &str, help: &str) -> Vec<Diagnostic> {
    let place = expression.place(expression.tree[id].span.range());
    vec![Diagnostic::error("E0630", place, message, help)]
}
