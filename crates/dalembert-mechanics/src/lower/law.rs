//! Laws that use reactions: what `reaction(…)` stands for, once all rows are known.

use super::{Lowering, Sparse, System};
use crate::diagnostic::{Diagnostic, Severity};
use crate::elaborate::ReactionUse;
use dalembert_expr::{Cone, ExprId, Graph, SymbolKind};

impl System {
    /// Whether a force or virtual-work vector depends on reactions.
    #[must_use]
    pub fn uses_reactions(&self, force: &Sparse) -> bool {
        let values: Vec<ExprId> = force.iter().map(|&(_, value)| value).collect();
        holds_reaction(&self.graph, &values)
    }

    /// Whether any law uses a reaction, so that accelerations follow from an algebraic problem.
    #[must_use]
    pub fn has_laws(&self) -> bool {
        let forces = self.forces.iter().map(|force| &force.force);
        let all = forces.chain(&self.nonideal).flatten();
        let values: Vec<ExprId> = all.map(|&(_, value)| value).collect();
        holds_reaction(&self.graph, &values)
    }
}

/// Whether some expression holds a multiplier.
pub(crate) fn holds_reaction(graph: &Graph, values: &[ExprId]) -> bool {
    let symbols = Cone::new(graph, values).symbols(graph);
    let mut kinds = symbols.iter().map(|&symbol| graph.symbol_data(symbol).kind);
    kinds.any(|kind| kind == SymbolKind::Multiplier)
}

impl Lowering<'_> {
    /// Gives the rows their multipliers, and refuses reactions of no row.
    pub(super) fn reactions_in_laws(&mut self) {
        let names: Vec<String> = self.rows.iter().map(|row| row.name.clone()).collect();
        for name in &names {
            let graph = self.graph();
            let symbol = graph.symbol(name, SymbolKind::Multiplier);
            let symbol = graph.as_symbol(symbol).expect("a symbol was just made");
            self.symbols.multipliers.push(symbol);
        }
        let uses: Vec<ReactionUse> = self.scope.reactions().to_vec();
        for used in uses {
            if used.on.is_some() {
                self.refuse_use(
                    &used,
                    "E0310",
                    "the force of a constraint on a body is not supported in a law yet".to_owned(),
                    "write reaction(NAME), the multiplier of a row",
                );
                continue;
            }
            if names.contains(&used.label) {
                continue;
            }
            let prefix = format!("{}.", used.label);
            let parts: Vec<&str> = names
                .iter()
                .filter(|name| name.starts_with(&prefix))
                .map(String::as_str)
                .collect();
            // Rows that were refused are not missed as well.
            if parts.is_empty() && !self.scope.diagnostics.is_empty() {
                continue;
            }
            let (message, help) = if parts.is_empty() {
                let constraint = used.label.split('.').next().unwrap_or_default();
                (
                    format!("there is no row `{}`", used.label),
                    format!("write reaction({constraint})"),
                )
            } else {
                (
                    format!("`{}` has {} rows, and each has a reaction", used.label, parts.len()),
                    format!("write reaction({}), …", parts.join("), reaction(")),
                )
            };
            self.refuse_use(&used, "E0472", message, &help);
        }
    }

    fn refuse_use(&mut self, used: &ReactionUse, code: &'static str, message: String, help: &str) {
        self.scope.diagnostics.push(Diagnostic {
            code,
            severity: Severity::Error,
            message,
            help: Some(help.to_owned()),
            place: used.place.clone(),
        });
    }
}
