//! Names for roots of functions of the coordinates that only forces hold, such as the lengths of springs.
//!
//! A root that is put in squares away: k (L − l₀)/L has the root above and its square, written out, below. With a name for L
//! the forces stay what an author would write.

use super::algebra::Algebra;
use super::page::Equation;
use dalembert_expr::normal::Fraction;
use dalembert_expr::{Cone, ExprId, Graph, Node, SymbolId, SymbolKind, Unary, substitute};

/// The names that were given.
#[derive(Clone, Default)]
pub(super) struct Lengths {
    /// Each symbol, and the square of what it stands for.
    known: Vec<(SymbolId, Fraction)>,
    /// Names that are the model's own.
    taken: Vec<String>,
}

impl Lengths {
    /// None yet, with names that cannot be given.
    pub(super) fn new(taken: Vec<String>) -> Self {
        Self {
            known: Vec::new(),
            taken,
        }
    }

    /// Expressions with names in place of roots of functions of coordinates, but for roots that occur in `outside`.
    pub(super) fn put_in(
        &mut self,
        algebra: &mut Algebra,
        expressions: &[ExprId],
        outside: &[ExprId],
    ) -> Vec<ExprId> {
        let excluded = roots(&algebra.graph, outside);
        let excluded: Vec<Fraction> = excluded
            .into_iter()
            .filter_map(|(_, square)| algebra.field.take(&algebra.graph, square).ok())
            .collect();
        let mut pairs = Vec::new();
        for (root, square) in roots(&algebra.graph, expressions) {
            let Ok(square) = algebra.field.take(&algebra.graph, square) else {
                continue;
            };
            let same = |other: &Fraction| algebra.field.is_equal(other, &square) == Ok(true);
            // What does not move after all, as √(sin² + cos²), needs no name.
            if excluded.iter().any(same) || !algebra.moves(&square) {
                continue;
            }
            let known = self.known.iter().find(|(_, other)| same(other));
            let symbol = match known {
                Some(&(symbol, _)) => Some(symbol),
                None => self.name(algebra, square),
            };
            pairs.extend(symbol.map(|symbol| (root, algebra.graph.symbol_node(symbol))));
        }
        substitute(&mut algebra.graph, expressions, &pairs)
    }

    /// The names, and the squares of what they stand for.
    pub(super) fn squares(&self) -> &[(SymbolId, Fraction)] {
        &self.known
    }

    fn name(&mut self, algebra: &mut Algebra, square: Fraction) -> Option<SymbolId> {
        let number = self.known.len() + 1;
        // L₁ beside the model's l₁, or l₂, would be taken for it.
        let clashes = |letter: &&str| {
            self.taken.iter().any(|taken| {
                let plain = taken.replace('_', "").to_lowercase();
                let rest = plain.strip_prefix(&letter.to_lowercase());
                rest.is_some_and(|rest| {
                    !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
                })
            })
        };
        let mut letters = ["L", "d", "rho", "length"].into_iter();
        let letter = letters.find(|letter| !clashes(letter))?;
        let name = format!("{letter}{number}");
        let symbol = algebra.graph.symbol(&name, SymbolKind::Parameter);
        let symbol = algebra.graph.as_symbol(symbol)?;
        algebra.moves_with(symbol);
        if let Some(samples) = &mut algebra.samples {
            samples.define_root(&algebra.field, symbol, &square);
        }
        self.known.push((symbol, square));
        Some(symbol)
    }

    /// What the names stand for, those that occur in `expressions`.
    pub(super) fn definitions(
        &self,
        algebra: &mut Algebra,
        expressions: &[ExprId],
    ) -> Vec<Equation> {
        let used = Cone::new(&algebra.graph, expressions).symbols(&algebra.graph);
        let known = self
            .known
            .iter()
            .filter(|(symbol, _)| used.contains(symbol));
        let (symbols, squares): (Vec<SymbolId>, Vec<Fraction>) = known.cloned().unzip();
        let squares = algebra.readable(&squares, &[]);
        let pairs = symbols.into_iter().zip(squares);
        pairs
            .map(|(symbol, square)| Equation {
                left: algebra.graph.symbol_node(symbol),
                right: algebra.graph.sqrt(square),
            })
            .collect()
    }

    /// Elements with the roots in place of their names.
    pub(super) fn written_out(
        &self,
        algebra: &mut Algebra,
        elements: &[Fraction],
    ) -> Result<Vec<Fraction>, dalembert_expr::normal::Outside> {
        let squares: Vec<Fraction> = self.known.iter().map(|(_, it)| it.clone()).collect();
        let squares = algebra.expressions(&squares);
        let roots: Vec<ExprId> = squares
            .into_iter()
            .map(|square| algebra.graph.sqrt(square))
            .collect();
        let roots = algebra.take(&roots)?;
        let symbols = self.known.iter().map(|&(symbol, _)| symbol);
        let pairs: Vec<(SymbolId, Fraction)> = symbols.zip(roots).collect();
        algebra.put_in(elements, &pairs)
    }
}

/// Roots of functions of coordinates: the root, and what it is a root of.
fn roots(graph: &Graph, expressions: &[ExprId]) -> Vec<(ExprId, ExprId)> {
    let cone = Cone::new(graph, expressions);
    let of_coordinates = |id: ExprId| {
        let symbols = Cone::new(graph, &[id]).symbols(graph);
        let data = symbols.iter().map(|&symbol| graph.symbol_data(symbol));
        let mut moving = data
            .filter(|it| it.kind != SymbolKind::Parameter)
            .peekable();
        moving.peek().is_some()
            && moving.all(|it| it.kind == SymbolKind::Coordinate && it.order == 0)
    };
    let root = |&id: &ExprId| match graph.node(id) {
        Node::Unary(Unary::Sqrt, square) if of_coordinates(square) => Some((id, square)),
        _ => None,
    };
    cone.nodes().iter().filter_map(root).collect()
}
