//! Names on a page: those that a derivation gives (lengths of springs, parts that occur often), and those that a notation
//! gives to parts of long formulas. Whoever reads the page from its beginning, a person or a program, meets each name after
//! what it stands for is known, and no name that stands for nothing.

use super::page::{Block, Equation};
use super::result::Derivation;
use dalembert_expr::print::Printed;
use dalembert_expr::{Cone, Graph, Node, SymbolId, SymbolKind};
use dalembert_mechanics::lower::System;

/// Both kinds of definitions as texts, each using only names before it: `given`, whose texts are `texts`, in their own order,
/// and those of `printed` between them.
pub(crate) fn in_order(
    graph: &Graph,
    given: &[Equation],
    texts: Vec<(String, String)>,
    printed: &Printed,
) -> Vec<(String, String)> {
    let names: Vec<_> = given.iter().map(|it| graph.as_symbol(it.left)).collect();
    // For each part, how many of the given names must be known before it.
    let cone = Cone::new(graph, &printed.named);
    let mut after: Vec<usize> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let own = match graph.node(id) {
            Node::Symbol(symbol) => names.iter().position(|&name| name == Some(symbol)),
            _ => None,
        };
        let own = own.map_or(0, |place| place + 1);
        let operands = graph.node(id).operands();
        let operands = operands.filter_map(|it| Some(after[cone.position(it)?]));
        after.push(operands.fold(own, usize::max));
    }
    let needs = |id| cone.position(id).map_or(0, |place| after[place]);
    let parts = printed.named.iter().zip(&printed.definitions);
    let parts = parts.map(|(&id, definition)| (needs(id), definition.clone()));
    let texts = texts.into_iter().enumerate();
    let texts = texts.map(|(place, definition)| (place + 1, definition));
    let mut ordered: Vec<(usize, (String, String))> = texts.chain(parts).collect();
    // A name before the parts that need it, and among equals in the order in which they were given.
    ordered.sort_by_key(|(place, _)| *place);
    ordered
        .into_iter()
        .map(|(_, definition)| definition)
        .collect()
}

/// A name that a page uses and does not define, or defines only after it was used in another definition.
pub(super) fn unknown_name(page: &Derivation, system: &System) -> Option<String> {
    let graph = page.graph();
    let is_multiplier = |name: &str| {
        let row = name.strip_prefix("lambda(");
        let row = row.and_then(|rest| rest.strip_suffix(')'));
        row.is_some_and(|row| page.rows.iter().any(|it| it == row))
    };
    let is_known = |symbol: SymbolId, defined: &[SymbolId]| {
        let data = graph.symbol_data(symbol);
        match data.kind {
            SymbolKind::Time | SymbolKind::Coordinate | SymbolKind::Speed => true,
            SymbolKind::Multiplier => is_multiplier(&data.name) || defined.contains(&symbol),
            SymbolKind::Parameter => {
                system.symbols.parameters.contains(&symbol) || defined.contains(&symbol)
            }
        }
    };
    let mut defined: Vec<SymbolId> = Vec::new();
    let unknown = |expressions: &[_], defined: &[SymbolId]| {
        let used = Cone::new(graph, expressions).symbols(graph);
        used.into_iter().find(|&it| !is_known(it, defined))
    };
    let mut found = None;
    for definition in page.shorthands.iter().chain(&page.reaction_shorthands) {
        found = found.or_else(|| unknown(&[definition.right], &defined));
        defined.extend(graph.as_symbol(definition.left));
    }
    // The components of forces have names of their own on the left of what gives them.
    for block in &page.blocks {
        if let Block::Equations(list) = block {
            defined.extend(list.iter().filter_map(|it| graph.as_symbol(it.left)));
        }
    }
    let mut all = page.expressions();
    all.extend(page.blocks.iter().flat_map(Block::expressions));
    let found = found.or_else(|| unknown(&all, &defined))?;
    Some(graph.symbol_data(found).to_string())
}
