//! Equations at states in numbers of thirty digits: where one differs, it is refuted.

use super::file::Equation;
use super::multipliers::label;
use super::precise::{Precise, Values};
use super::states::states;
use crate::surface::Surface;
use dalembert_expr::normal::precise::{Bounded, Number};
use dalembert_expr::{Cone, ExprId, Graph};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};

/// A state where an equation does not hold.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Everything about the motion there.
    pub snapshot: Snapshot,
    /// Value of the left side.
    pub left: f64,
    /// Value of the right side.
    pub right: f64,
    /// Left less right side, also where doubles do not tell them apart.
    pub difference: f64,
}

/// How far an equation holds in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    /// States that were found.
    pub found: usize,
    /// States at which both sides have values.
    pub states: usize,
    /// Largest difference there, and what rounding may hide, as a part of the terms of the equation.
    pub within: f64,
}

/// States and the motion at them.
pub(super) struct Samples {
    list: Vec<Sample>,
    /// Names of the rows.
    rows: Vec<String>,
}

struct Sample {
    snapshot: Snapshot,
    values: Values,
}

/// What numbers say.
pub(super) enum Numbers {
    /// It differs.
    Different {
        /// In this component.
        component: usize,
        /// There.
        counterexample: Box<Counterexample>,
    },
    /// It holds.
    Equal(Tried),
}

impl Samples {
    /// States around a start; with the surface, some of them in short numbers.
    pub(super) fn new(
        mechanism: &Mechanism,
        start: &State,
        surface: Option<(&Surface, &Graph)>,
    ) -> Self {
        let precise = Precise::new(mechanism);
        let sample = |state: State| {
            let mut snapshot = mechanism.motion(&state).ok()?;
            let values = precise.motion(&mut snapshot)?;
            Some(Sample { snapshot, values })
        };
        let states = states(&precise, mechanism, start, surface);
        let rows = mechanism.system.rows.iter();
        Self {
            list: states.into_iter().filter_map(sample).collect(),
            rows: rows.map(|row| row.name.clone()).collect(),
        }
    }

    /// An equation at the states.
    pub(super) fn ask(&self, graph: &Graph, equation: &Equation) -> Numbers {
        let mut tried = Tried {
            found: self.list.len(),
            states: 0,
            within: 0.0,
        };
        for sample in &self.list {
            let mut has_values = true;
            for (component, &(left, right)) in equation.sides.iter().enumerate() {
                let found = sample.values.of(graph, &[left, right]);
                let [left, right] = [found[0], found[1]];
                if left.differs_from(&right) {
                    let difference = (left.value - right.value).to_f64();
                    let counterexample =
                        sample.counterexample([left.value, right.value], difference);
                    return Numbers::Different {
                        component,
                        counterexample,
                    };
                }
                let apart = (left.value - right.value).size() + left.error + right.error;
                has_values &= apart.is_finite();
                if apart > 0.0 && apart.is_finite() {
                    tried.within = tried.within.max(apart / (left.size + right.size));
                }
            }
            tried.states += usize::from(has_values);
        }
        Numbers::Equal(tried)
    }

    /// Whether an equation holds a multiplier that is not unique at some state.
    pub(super) fn is_ambiguous(&self, graph: &Graph, equation: &Equation) -> bool {
        let sides: Vec<ExprId> = equation.sides.iter().flat_map(|&(a, b)| [a, b]).collect();
        let used = Cone::new(graph, &sides).symbols(graph);
        self.list.iter().any(|sample| {
            let rows = self.rows.iter().zip(&sample.snapshot.unique);
            let mut ambiguous = rows
                .filter(|(_, unique)| !**unique)
                .map(|(row, _)| label(row));
            ambiguous.any(|name| {
                let mut names = used.iter().map(|&symbol| &graph.symbol_data(symbol).name);
                names.any(|known| **known == *name)
            })
        })
    }

    /// A state where the difference of two sides, which is what is left of them on the surface, is not zero; for
    /// differences that the sides themselves do not show.
    pub(super) fn refute(
        &self,
        (graph, sides): (&Graph, (ExprId, ExprId)),
        (of_rest, rest): (&Graph, ExprId),
    ) -> Option<Box<Counterexample>> {
        let zero = Bounded::exact(Number::ZERO);
        self.list.iter().find_map(|sample| {
            let rest = sample.values.of(of_rest, &[rest])[0];
            if !rest.differs_from(&zero) {
                return None;
            }
            let found = sample.values.of(graph, &[sides.0, sides.1]);
            let values = [found[0].value, found[1].value];
            Some(sample.counterexample(values, rest.value.to_f64()))
        })
    }
}

impl Sample {
    fn counterexample(&self, [left, right]: [Number; 2], difference: f64) -> Box<Counterexample> {
        Box::new(Counterexample {
            snapshot: self.snapshot.clone(),
            left: left.to_f64(),
            right: right.to_f64(),
            difference,
        })
    }
}
