//! A Pfaffian system: forms A dq + c dt beside differentials dφ of what is held already.

use dalembert_expr::normal::Limits;
use dalembert_expr::normal::precise::Bounded;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, Unary, jump_argument};
use dalembert_symbolic::surface::Surface;
use std::collections::BTreeMap;

/// How much is done in symbols for rows that hang together: some 0.1 s at most.
pub(crate) const LIMITS: Limits = Limits {
    terms: 20_000,
    steps: 1_000_000,
};

/// The limits of one of several things that are done in symbols.
pub(crate) fn part_of_limits(parts: u64) -> Limits {
    Limits {
        steps: LIMITS.steps / parts,
        ..LIMITS
    }
}

/// What moves and is zero where expressions become others, if something is. A factor may vanish on one side alone there, as (|x| + x)/2 does: the
/// field takes it for a number that it may divide by, and what follows holds on the other side only.
pub(crate) fn sides(
    graph: &mut Graph,
    expressions: &[ExprId],
    moving: &[SymbolId],
) -> Option<ExprId> {
    let nodes = Cone::new(graph, expressions).nodes().to_vec();
    nodes.into_iter().find_map(|id| {
        let argument = match graph.node(id) {
            Node::Unary(Unary::Abs, a) => a,
            Node::Binary(Binary::Min | Binary::Max, a, b) => graph.sub(a, b),
            node => jump_argument(node)?,
        };
        let of = Cone::new(graph, &[argument]).symbols(graph);
        let moves = of.iter().any(|it| moving.contains(it));
        moves.then_some(argument)
    })
}

/// Entries that are not zero, by variable.
pub type Form = BTreeMap<usize, ExprId>;
/// Values of variables and parameters, where all φ vanish.
pub type Point = BTreeMap<SymbolId, Bounded>;

/// Forms in some variables.
#[derive(Clone, Debug, Default)]
pub struct Pfaffian {
    /// Coordinates, and time and inputs where something depends on them.
    pub variables: Vec<SymbolId>,
    /// Which of them is time.
    pub time: Option<usize>,
    /// Which of them go their own way, whatever the mechanism does: time, and inputs that something depends on.
    pub outer: Vec<usize>,
    /// Differentials of functions that vanish.
    pub exact: Vec<Form>,
    /// Forms that vanish along motions.
    pub forms: Vec<Form>,
    /// Where all functions vanish of which `exact` has the differentials, if that is solved for.
    pub surface: Option<Surface>,
}
