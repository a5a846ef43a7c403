//! Equations at states in numbers of thirty digits: where one differs, it is refuted.

use super::Begin;
use super::file::Equation;
use dalembert_expr::normal::precise::{Bounded, Number};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::elaborate::Need;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};
use dalembert_symbolic::law_symbols::label;
use dalembert_symbolic::precise::{Precise, Values, far_away, states};
use dalembert_symbolic::surface::{Surface, Witnesses};
use std::cell::OnceCell;

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
pub(super) struct Samples<'m> {
    list: Vec<Sample>,
    /// Others, far away, for equations that jump.
    beyond: OnceCell<Vec<Sample>>,
    /// Whether they may be on another branch than the motion of the start.
    mixed: bool,
    /// Names of the rows.
    rows: Vec<String>,
    maker: Maker<'m>,
}

struct Sample {
    snapshot: Snapshot,
    values: Values,
}

/// What makes samples of states, on the branch of the start.
struct Maker<'m> {
    precise: Precise<'m>,
    mechanism: &'m Mechanism,
    start: &'m State,
    witnesses: &'m Witnesses<'m>,
    /// The surface of that branch, if it is described.
    surface: Option<(Surface, Graph)>,
    /// The rank of the rows on that branch, if that tells it from others.
    rank: Option<usize>,
    /// Multipliers that are unique in symbols.
    unique: Option<Vec<bool>>,
}

impl Maker<'_> {
    fn sample(&self, state: State) -> Option<Sample> {
        if let Some((surface, graph)) = &self.surface
            && !surface.holds(graph, self.witnesses, &state)
        {
            return None;
        }
        let mut snapshot = self.mechanism.motion(&state).ok()?;
        if self.rank.is_some_and(|rank| rank != snapshot.rank) {
            return None;
        }
        let values = self.precise.motion(&mut snapshot, self.unique.as_deref())?;
        Some(Sample { snapshot, values })
    }
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

/// What is known of the surface of the branch of the start.
pub(super) enum Described<'a> {
    /// All of it; and which multipliers are unique on it.
    Wholly(&'a Surface, &'a Graph, Option<Vec<bool>>),
    /// That of another branch only.
    Elsewhere,
    /// Nothing.
    Not,
}

impl<'m> Samples<'m> {
    /// States around a start; with the surface, some of them in short numbers.
    pub(super) fn new(
        mechanism: &'m Mechanism,
        (start, begin): (&'m State, &Begin),
        described: Described<'_>,
        witnesses: &'m Witnesses<'m>,
    ) -> Self {
        let rank = begin.snapshot.as_ref().map(|snapshot| snapshot.rank);
        let mut maker = Maker {
            precise: Precise::new(mechanism),
            mechanism,
            start,
            witnesses,
            surface: None,
            rank: None,
            unique: None,
        };
        let mut mixed = false;
        match described {
            Described::Wholly(surface, graph, unique) => {
                maker.surface = Some((surface.clone(), graph.clone()));
                maker.unique = unique;
            }
            // The start is where rows say less than elsewhere, and so are the states of its branch.
            Described::Elsewhere => maker.rank = rank,
            Described::Not => mixed = begin.change_point,
        }
        let surface = maker.surface.as_ref();
        let surface = surface.map(|(surface, graph)| (surface, graph));
        let mut states = states(&maker.precise, mechanism, start, surface);
        if !begin.change_point || maker.rank.is_some() {
            states.push(start.clone());
        }
        let rows = mechanism.system.rows.iter();
        Self {
            list: states
                .into_iter()
                .filter_map(|it| maker.sample(it))
                .collect(),
            beyond: OnceCell::new(),
            mixed,
            rows: rows.map(|row| row.name.clone()).collect(),
            maker,
        }
    }

    /// An equation at the states; one that jumps at states far away too.
    pub(super) fn ask(&self, graph: &Graph, equation: &Equation) -> Numbers {
        let mut tried = Tried {
            found: self.list.len(),
            states: 0,
            within: 0.0,
        };
        let mut different = None;
        for sample in &self.list {
            match sample.ask(graph, equation, &mut tried) {
                Some(found) if !self.mixed => return found,
                Some(found) => different = Some(found),
                None => {}
            }
        }
        // Where branches meet, an equation is wrong on that of the start if it is wrong on all.
        if let Some(found) = different.filter(|_| tried.states == 0) {
            return found;
        }
        if !self.mixed && jumps(graph, equation) {
            let sample = |state| self.maker.sample(state);
            let far = || far_away(&self.maker.precise, self.maker.start);
            let beyond = self
                .beyond
                .get_or_init(|| far().into_iter().filter_map(sample).collect());
            tried.found += beyond.len();
            let mut found = beyond.iter();
            if let Some(found) = found.find_map(|it| it.ask(graph, equation, &mut tried)) {
                return found;
            }
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

    /// Whether expressions are not zero at any state that is known.
    pub(super) fn never_vanish(&self, graph: &Graph, expressions: &[ExprId]) -> bool {
        let zero = Bounded::exact(Number::ZERO);
        self.list.iter().all(|sample| {
            let values = sample.values.of(graph, expressions);
            values.iter().all(|value| value.differs_from(&zero))
        })
    }

    /// A state where the difference of two sides, which is what is left of them on the surface, is not zero; for
    /// differences that the sides themselves do not show.
    pub(super) fn refute(
        &self,
        (graph, sides): (&Graph, (ExprId, ExprId)),
        (of_rest, rest): (&Graph, ExprId),
    ) -> Option<Box<Counterexample>> {
        if self.mixed {
            return None;
        }
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
    /// An equation at this state: how it differs, if it does.
    fn ask(&self, graph: &Graph, equation: &Equation, tried: &mut Tried) -> Option<Numbers> {
        if !self.meets(graph, &equation.needs) {
            return None;
        }
        let mut has_values = true;
        for (component, &(left, right)) in equation.sides.iter().enumerate() {
            let found = self.values.of(graph, &[left, right]);
            let [left, right] = [found[0], found[1]];
            if left.differs_from(&right) {
                let difference = (left.value - right.value).to_f64();
                return Some(Numbers::Different {
                    component,
                    counterexample: self.counterexample([left.value, right.value], difference),
                });
            }
            let apart = (left.value - right.value).size() + left.error + right.error;
            has_values &= apart.is_finite();
            if apart > 0.0 && apart.is_finite() {
                tried.within = tried.within.max(apart / (left.size + right.size));
            }
        }
        tried.states += usize::from(has_values);
        None
    }

    /// Whether an equation has a value here as it is written, as far as rounding can tell.
    fn meets(&self, graph: &Graph, needs: &[Need]) -> bool {
        let about: Vec<ExprId> = needs.iter().map(|need| need.about()).collect();
        let found = self.values.of(graph, &about);
        let (zero, one) = (Number::ZERO, Number::ONE);
        needs.iter().zip(found).all(|(need, found)| {
            let apart = |bound: Number| found.differs_from(&Bounded::exact(bound));
            let above = |bound: Number| apart(bound) && found.value > bound;
            let below = |bound: Number| apart(bound) && found.value < bound;
            match need {
                Need::Nonzero(_) => apart(zero),
                Need::Positive(_) => above(zero),
                Need::NotNegative(_) => !below(zero),
                Need::WithinOne(_) => !above(one) && !below(-one),
            }
        })
    }

    fn counterexample(&self, [left, right]: [Number; 2], difference: f64) -> Box<Counterexample> {
        Box::new(Counterexample {
            snapshot: self.snapshot.clone(),
            left: left.to_f64(),
            right: right.to_f64(),
            difference,
        })
    }
}

/// Whether an equation holds a function that jumps, or whose slope does: it may hold on one side only.
fn jumps(graph: &Graph, equation: &Equation) -> bool {
    let sides: Vec<ExprId> = equation.sides.iter().flat_map(|&(a, b)| [a, b]).collect();
    let cone = Cone::new(graph, &sides);
    let jump = |node: Node| match node {
        Node::Unary(op, _) => matches!(op, Unary::Sign | Unary::Abs),
        Node::Binary(op, ..) => {
            op.is_condition() || matches!(op, Binary::Min | Binary::Max | Binary::Atan2)
        }
        _ => false,
    };
    cone.nodes().iter().any(|&id| jump(graph.node(id)))
}
