//! Names for what occurs often in long equations.

use super::page::Equation;
use super::result::length_of;
use dalembert_expr::normal::shorthands;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind, substitute};

/// Equations and formulas of more characters than this get names for what occurs often.
const LONG: usize = 1500;

/// Names for what occurs often in long equations and formulas, put in there. Formulas that use names in `own`, which are
/// defined later, stay as they are.
pub(super) fn shortened(
    graph: &mut Graph,
    equations: &mut [Equation],
    formulas: &mut [Option<ExprId>],
    own: &[SymbolId],
) -> Vec<Equation> {
    let uses_own = |graph: &Graph, id: ExprId| {
        let symbols = Cone::new(graph, &[id]).symbols(graph);
        symbols.iter().any(|symbol| own.contains(symbol))
    };
    let mut formulas: Vec<&mut ExprId> = formulas.iter_mut().flatten().collect();
    formulas.retain(|id| !uses_own(graph, **id));
    let mut all = Equation::sides(&*equations);
    all.extend(formulas.iter().map(|id| **id));
    if length_of(graph, &all) <= LONG {
        return Vec::new();
    }
    let prefix = free_prefix(graph, &all);
    // First by what they save, then numbered in the order in which they are defined.
    let (names, short) = shorthands(graph, &all, |n| format!("unnumbered {n}"));
    let numbered: Vec<(ExprId, ExprId)> = names
        .iter()
        .zip(1..)
        .map(|(it, n)| {
            (
                it.symbol,
                graph.symbol(&format!("{prefix}{n}"), SymbolKind::Parameter),
            )
        })
        .collect();
    let definitions: Vec<ExprId> = names.iter().map(|it| it.definition).collect();
    let definitions = substitute(graph, &definitions, &numbered);
    let mut short = substitute(graph, &short, &numbered).into_iter();
    for it in equations {
        it.left = short.next().unwrap_or(it.left);
        it.right = short.next().unwrap_or(it.right);
    }
    for formula in formulas {
        *formula = short.next().unwrap_or(*formula);
    }
    let names = numbered.into_iter().map(|(_, name)| name);
    let pairs = names.zip(definitions);
    pairs
        .map(|(left, right)| Equation { left, right })
        .collect()
}

/// A letter that no name in some expressions begins with before its digits.
fn free_prefix(graph: &Graph, expressions: &[ExprId]) -> &'static str {
    let symbols = Cone::new(graph, expressions).symbols(graph);
    let is_numbered = |prefix: &str, name: &str| {
        // C₁ beside c₁ would be taken for it.
        let name = name.to_lowercase();
        let digits = name
            .strip_prefix(prefix)
            .map(|rest| rest.trim_start_matches('_'));
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_free = |prefix: &&&str| {
        let mut names = symbols
            .iter()
            .map(|&symbol| &*graph.symbol_data(symbol).name);
        names.all(|name| !is_numbered(prefix, name))
    };
    let letters = ["c", "k", "p", "s", "u", "w"];
    letters
        .iter()
        .find(is_free)
        .copied()
        .unwrap_or("shorthand_")
}
