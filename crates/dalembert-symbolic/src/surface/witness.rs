//! States that a surface must hold at: rows may have several branches, and symbols are solved on one of them.

use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, SymbolKind, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{CLEAR, IN_DOUBLES, KNOWN};
use dalembert_mechanics::start::State;

/// Turns of an angle that doubles still count.
const MOST_TURNS: f64 = 1e6;

/// The start of a mechanism and states around it, all of which meet the rows.
#[derive(Clone, Copy)]
pub struct Witnesses<'a> {
    mechanism: &'a Mechanism,
    start: &'a State,
    around: &'a [State],
}

impl<'a> Witnesses<'a> {
    /// All of these states meet the rows.
    #[must_use]
    pub fn new(mechanism: &'a Mechanism, start: &'a State, around: &'a [State]) -> Self {
        Self {
            mechanism,
            start,
            around,
        }
    }

    /// Whether a symbol has a value at the start; true too where that is no number.
    pub(super) fn begin_with(&self, graph: &Graph, symbol: SymbolId, value: ExprId) -> bool {
        self.meets(graph, self.start, symbol, value) != Some(false)
    }

    /// The factor of a product as it is written that vanishes at the start, and the others that may vanish; `None` if it is
    /// not one alone.
    pub(super) fn factor(&self, graph: &Graph, product: ExprId) -> Option<(ExprId, Vec<ExprId>)> {
        let factors = moving_factors(graph, product);
        if factors.len() < 2 {
            return None;
        }
        let values = self.at_start(graph, &factors);
        let vanishes = |it: &Bounded| it.value.size() <= IN_DOUBLES * it.size;
        let (own, others): (Vec<_>, Vec<_>) = factors
            .into_iter()
            .zip(values)
            .partition(|(_, value)| vanishes(value));
        match own.as_slice() {
            [(own, _)] => Some((*own, others.into_iter().map(|(factor, _)| factor).collect())),
            _ => None,
        }
    }

    /// sin u = 0 as u = k π with the k of the start, and the same for the next k; of cosines and tangents too. `None` if a
    /// residual is none of these.
    pub(super) fn angle(&self, graph: &mut Graph, residual: ExprId) -> Option<(ExprId, ExprId)> {
        let [factor] = moving_factors(graph, residual)[..] else {
            return None;
        };
        let (angle, halves) = match graph.node(factor) {
            Node::Unary(Unary::Sin | Unary::Tan, angle) => (angle, 0),
            Node::Unary(Unary::Cos, angle) => (angle, 1),
            _ => return None,
        };
        let found = self.at_start(graph, &[angle])[0];
        let quarters = found.value.to_f64() / std::f64::consts::FRAC_PI_2;
        let turns = ((quarters - f64::from(halves)) / 2.0).round();
        let nearest = 2.0 * turns + f64::from(halves);
        if (quarters - nearest).abs() > IN_DOUBLES * found.size.max(1.0) || turns.abs() > MOST_TURNS
        {
            return None;
        }
        let mut less = |quarters: i64| {
            let (pi, two) = (graph.pi(), graph.integer(2));
            let quarters = graph.integer(quarters);
            let whole = graph.mul(quarters, pi);
            let part = graph.div(whole, two);
            graph.sub(angle, part)
        };
        let nearest = nearest as i64;
        Some((less(nearest), less(nearest + 2)))
    }

    /// Which of two expressions vanishes at the start; `None` if both do, or neither.
    pub(super) fn vanishing(&self, graph: &Graph, expressions: [ExprId; 2]) -> Option<usize> {
        let found = self.at_start(graph, &expressions);
        let zero = |it: &Bounded| it.value.size() <= IN_DOUBLES * it.size;
        let other = |it: &Bounded| it.value.size() > CLEAR * it.size;
        match [&found[0], &found[1]] {
            [a, b] if zero(a) && other(b) => Some(0),
            [a, b] if other(a) && zero(b) => Some(1),
            _ => None,
        }
    }

    /// Values at the start.
    fn at_start(&self, graph: &Graph, expressions: &[ExprId]) -> Vec<Bounded> {
        let at = |it| self.mechanism.value_of(it, self.start);
        evaluate_bounded(graph, expressions, |symbol| {
            Bounded::exact(Number::from(at(symbol)))
        })
    }

    /// Whether symbols have their values at the start, and often enough around it: where they never have, what was
    /// divided by vanishes wherever the rows hold.
    pub(super) fn meet(&self, graph: &Graph, given: &[(SymbolId, ExprId)]) -> Met {
        let begins = |&(symbol, value): &(SymbolId, ExprId)| self.begin_with(graph, symbol, value);
        if !given.iter().all(begins) {
            return Met::OnAnotherBranch;
        }
        for &(symbol, value) in given {
            let states = self.around.iter().chain([self.start]);
            let found = states.map(|state| self.meets(graph, state, symbol, value));
            let met = found.filter(|met| *met == Some(true)).count();
            // Around a point where branches meet there are states of the others too.
            if 4 * met < self.around.len() + 1 {
                return Met::Nowhere;
            }
        }
        Met::Everywhere
    }

    /// Whether a symbol has a value at a state, as far as doubles can tell; `None` where the value is no number.
    pub(super) fn meets(
        &self,
        graph: &Graph,
        state: &State,
        symbol: SymbolId,
        value: ExprId,
    ) -> Option<bool> {
        let at = |it| self.mechanism.value_of(it, state);
        let exact = |symbol| Bounded::exact(Number::from(at(symbol)));
        let own = graph.symbol_node(symbol);
        let found = evaluate_bounded(graph, &[own, value], exact);
        let apart = (found[0].value - found[1].value).size();
        let [of_symbol, of_kind] = self.scales(symbol);
        let allowed = IN_DOUBLES * (found[1].size + of_symbol) + KNOWN * of_kind;
        apart.is_finite().then_some(apart <= allowed)
    }

    /// The largest value of a symbol among all states, and of all symbols of its kind.
    fn scales(&self, symbol: SymbolId) -> [f64; 2] {
        let symbols = &self.mechanism.system.symbols;
        let states = || self.around.iter().chain([self.start]);
        type List = fn(&State) -> &Vec<f64>;
        let kinds: [(_, List); 2] = [
            (&symbols.coordinates, |state| &state.coordinates),
            (&symbols.rates, |state| &state.rates),
        ];
        for (list, values) in kinds {
            if let Some(k) = list.iter().position(|&known| known == symbol) {
                let own = states().map(|state| values(state)[k].abs());
                let all = states().flat_map(|state| values(state).iter().map(|x| x.abs()));
                return [own.fold(0.0, f64::max), all.fold(0.0, f64::max)];
            }
        }
        let value = self.mechanism.value_of(symbol, self.start).abs();
        [value, value]
    }
}

/// The factors of a product that hold coordinates or rates, in the order in which they are written.
fn moving_factors(graph: &Graph, product: ExprId) -> Vec<ExprId> {
    let mut factors = Vec::new();
    let mut pending = vec![product];
    while let Some(id) = pending.pop() {
        match graph.node(id) {
            Node::Binary(Binary::Mul, a, b) => pending.extend([b, a]),
            Node::Binary(Binary::Div, a, _) | Node::Unary(Unary::Neg, a) => pending.push(a),
            _ => {
                let symbols = Cone::new(graph, &[id]).symbols(graph);
                let moving =
                    |&symbol: &SymbolId| graph.symbol_data(symbol).kind == SymbolKind::Coordinate;
                if symbols.iter().any(moving) {
                    factors.push(id);
                }
            }
        }
    }
    factors
}

/// Where a surface holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// At the start and around it.
    Everywhere,
    /// Not at the start.
    OnAnotherBranch,
    /// At few states that meet the rows.
    Nowhere,
}
