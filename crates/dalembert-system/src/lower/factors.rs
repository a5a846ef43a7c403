//! Rows that are products: one of the factors holds, and which is for the author to say.

use super::{Row, System};
use dalembert_expr::normal::{Field, Limits};
use dalembert_expr::{ExprId, Graph, SymbolId};

/// A hint is not worth more.
const LIMITS: Limits = Limits {
    terms: 200,
    steps: 20_000,
};

impl System {
    /// A row as a product or a power of factors in which something moves, if that is seen; written into a graph that holds its expressions.
    pub fn factored(&self, graph: &mut Graph, row: &Row) -> Option<ExprId> {
        let mut field = Field::with_limits(LIMITS);
        let taken = field.take(graph, row.residual).ok()?;
        let symbols = &self.symbols;
        let moves = |it: SymbolId| {
            let all = [&symbols.coordinates, &symbols.rates, &symbols.accelerations];
            all.iter().any(|list| list.contains(&it))
        };
        let mut factors = field.factors(&taken).ok()?;
        factors.retain(|(factor, _)| field.holds(factor, moves));
        let count: u32 = factors.iter().map(|&(_, n)| u32::from(n)).sum();
        if count < 2 {
            return None;
        }
        let mut product = graph.integer(1);
        for (factor, n) in factors {
            let factor = field.to_graph(graph, &factor);
            let power = graph.powi(factor, i64::from(n));
            product = graph.mul(product, power);
        }
        Some(product)
    }
}
