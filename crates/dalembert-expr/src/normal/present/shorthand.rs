//! Names for what comes again and again.

use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node};
use crate::op::Binary;
use crate::print::{Format, print_one, tree_size};
use crate::substitute::substitute;
use crate::symbol::SymbolKind;

/// A name must save this many characters, and this part of all, to be worth a line of its own.
const LEAST_SAVING: u64 = 40;
const LEAST_PART: u64 = 50;
/// Width of a name.
const NAME_WIDTH: u64 = 4;
/// Larger expressions are not measured: the printers give them names of their own.
const MAX_TREE: u64 = 20_000;
/// Most names.
const MAX_NAMES: usize = 12;

/// A name for an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shorthand {
    /// The symbol that stands for it, a parameter to the calculus whatever it stands for.
    pub symbol: ExprId,
    /// What it stands for; it may contain earlier names.
    pub definition: ExprId,
}

/// Gives names to sums and functions that come so often that a line for each saves characters, those
/// that save most first. Returns the names, in the order in which they are to be defined, and the
/// expressions with them put in.
///
/// The result is for reading, not for the calculus: a name has no derivative. `name` is asked for the
/// n-th name, which must not be one of the expressions' own.
///
/// ```
/// use dalembert_expr::normal::shorthands;
/// use dalembert_expr::print::{Format, print_one};
/// use dalembert_expr::{ExprId, Graph, SymbolKind};
/// let mut g = Graph::new();
/// let parameters = ["m_1", "m_2", "m_3"].map(|name| g.symbol(name, SymbolKind::Parameter));
/// let mass = g.sum(parameters);
/// let terms: Vec<ExprId> = (1..9)
///     .map(|i| {
///         let x = g.derivative_symbol(&format!("x_{i}"), SymbolKind::Coordinate, 2);
///         g.mul(mass, x)
///     })
///     .collect();
/// let (names, short) = shorthands(&mut g, &terms, |n| format!("M_{n}"));
/// assert_eq!(print_one(&g, names[0].definition, Format::Text), "m₁ + m₂ + m₃");
/// assert_eq!(print_one(&g, short[0], Format::Text), "M₁ x₁''");
/// ```
pub fn shorthands(
    graph: &mut Graph,
    expressions: &[ExprId],
    mut name: impl FnMut(usize) -> String,
) -> (Vec<Shorthand>, Vec<ExprId>) {
    let mut current = expressions.to_vec();
    let mut found: Vec<Shorthand> = Vec::new();
    let sizes = expressions.iter().map(|&id| tree_size(graph, id));
    if sizes.fold(0, u64::saturating_add) > MAX_TREE {
        return (found, current);
    }
    let widths = expressions.iter().map(|&id| width(graph, id));
    let least = LEAST_SAVING.max(widths.sum::<u64>() / LEAST_PART);
    while found.len() < MAX_NAMES {
        let all: Vec<ExprId> = found
            .iter()
            .map(|shorthand| shorthand.definition)
            .chain(current.iter().copied())
            .collect();
        let Some(definition) = most_saving(graph, &all, least) else {
            break;
        };
        // WrittenGenerators are given when their order is known.
        let symbol = graph.symbol(&format!("shorthand {}", found.len()), SymbolKind::Parameter);
        let changed = substitute(graph, &all, &[(definition, symbol)]);
        let (definitions, rest) = changed.split_at(found.len());
        for (shorthand, &definition) in found.iter_mut().zip(definitions) {
            shorthand.definition = definition;
        }
        current = rest.to_vec();
        found.push(Shorthand { symbol, definition });
    }
    let mut found = in_order(graph, found);
    let named: Vec<(ExprId, ExprId)> = (1..)
        .zip(&found)
        .map(|(n, shorthand)| {
            let symbol = graph.symbol(&name(n), SymbolKind::Parameter);
            (shorthand.symbol, symbol)
        })
        .collect();
    for (shorthand, &(_, symbol)) in found.iter_mut().zip(&named) {
        shorthand.definition = substitute(graph, &[shorthand.definition], &named)[0];
        shorthand.symbol = symbol;
    }
    let current = substitute(graph, &current, &named);
    (found, current)
}

fn width(graph: &Graph, id: ExprId) -> u64 {
    print_one(graph, id, Format::Latex).len() as u64
}

/// The expression whose name would save most characters.
fn most_saving(graph: &Graph, expressions: &[ExprId], least: u64) -> Option<ExprId> {
    let cone = Cone::new(graph, expressions);
    let is_sum = |id| matches!(graph.node(id), Node::Binary(Binary::Add | Binary::Sub, ..));
    // How often each node is written, all expressions being trees; the beginning of a longer sum is
    // not seen as one.
    let mut times = vec![0_u64; cone.len()];
    let mut hidden = vec![0_u64; cone.len()];
    for &id in expressions {
        times[cone.place(id)] += 1;
    }
    for (place, &id) in cone.nodes().iter().enumerate().rev() {
        for operand in graph.node(id).operands() {
            let at = cone.place(operand);
            times[at] = times[at].saturating_add(times[place]);
            if is_sum(id) && is_sum(operand) {
                hidden[at] = hidden[at].saturating_add(times[place]);
            }
        }
    }
    let mut best: Option<(u64, ExprId)> = None;
    for (place, &id) in cone.nodes().iter().enumerate() {
        let worth = matches!(
            graph.node(id),
            Node::Binary(Binary::Add | Binary::Sub | Binary::Div, ..) | Node::Unary(..)
        );
        let times = times[place].saturating_sub(hidden[place]);
        if !worth || times < 2 || tree_size(graph, id) < 3 || expressions.contains(&id) {
            continue;
        }
        let width = width(graph, id);
        let before = times.saturating_mul(width);
        let after = width + 2 * NAME_WIDTH + times.saturating_mul(NAME_WIDTH);
        let saved = before.saturating_sub(after);
        if saved >= least && best.is_none_or(|(most, _)| saved > most) {
            best = Some((saved, id));
        }
    }
    best.map(|(_, id)| id)
}

/// Each name after those its definition contains.
fn in_order(graph: &Graph, found: Vec<Shorthand>) -> Vec<Shorthand> {
    let mut ordered: Vec<Shorthand> = Vec::new();
    let mut rest = found;
    while !rest.is_empty() {
        let open = |shorthand: &Shorthand| {
            let cone = Cone::new(graph, &[shorthand.definition]);
            rest.iter()
                .any(|other| cone.position(other.symbol).is_some())
        };
        let ready: Vec<bool> = rest.iter().map(|shorthand| !open(shorthand)).collect();
        debug_assert!(ready.contains(&true), "definitions are not circular");
        let mut ready = ready.into_iter();
        let (done, left): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|_| ready.next().unwrap_or(true));
        ordered.extend(done);
        rest = left;
    }
    ordered
}
