//! Laws that use reactions, in symbols.
//!
//! Where multipliers stand linearly in forces, they are part of the reactions: f = f₀ + Fᵀ λ, so that M q'' = f₀ + (G + F)ᵀ λ.
//! Elsewhere, in |λ| or λ², each is replaced by a symbol of its own that is worth the same. What is then proved for any
//! value of these symbols holds for the right one.

use dalembert_expr::calculus::partial;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, SymbolKind, Unary, substitute};
use dalembert_mechanics::elaborate::VectorAlgebra;
use dalembert_mechanics::lower::{Slip, System};

/// What the symbols of laws are in equations.
pub struct LawSymbols {
    /// λ of equations, by row.
    pub multipliers: Vec<SymbolId>,
    /// The same where it is not linear.
    frozen: Vec<(ExprId, ExprId)>,
    /// What stands for the symbols of the system: its multipliers, and the ways of slips.
    meanings: Vec<(ExprId, ExprId)>,
}

/// How a row's multiplier is written.
#[must_use]
pub fn label(row: &str) -> String {
    format!("lambda({row})")
}

/// The name of a multiplier where it is not linear.
pub fn frozen_name(row: &str) -> String {
    format!("{} in laws", label(row))
}

/// The direction of a slip, of length one.
fn direction(graph: &mut Graph, slip: &Slip) -> Vec<ExprId> {
    match slip {
        Slip::Line { speed, .. } => vec![graph.unary(Unary::Sign, *speed)],
        Slip::Plane { velocity, .. } => {
            let square = graph.dot3(*velocity, *velocity);
            let speed = graph.sqrt(square);
            velocity.map(|part| graph.div(part, speed)).to_vec()
        }
        Slip::Smooth => Vec::new(),
    }
}

/// The speeds of slips that vanish where friction has no direction, each with the size of its terms.
pub fn slips(graph: &mut Graph, system: &System) -> Vec<(ExprId, ExprId)> {
    let slips = system.frictions.iter();
    let speed = |slip: &Slip| match slip {
        Slip::Line { speed, size, .. } => Some((*speed, *size)),
        Slip::Plane { velocity, size, .. } => {
            let square = graph.dot3(*velocity, *velocity);
            Some((graph.sqrt(square), *size))
        }
        Slip::Smooth => None,
    };
    slips
        .map(|friction| &friction.slip)
        .filter_map(speed)
        .collect()
}

/// λ of each row, as it is written.
pub fn multipliers(graph: &mut Graph, system: &System) -> Vec<SymbolId> {
    let rows = system.rows.iter();
    let symbol = |name: &str| {
        let symbol = graph.symbol(&label(name), SymbolKind::Multiplier);
        graph.as_symbol(symbol)
    };
    rows.map(|row| row.name.as_str())
        .filter_map(symbol)
        .collect()
}

/// What stands for reactions and for signs of slip in lowered forces, and how these are written: lambda(row), sign(u).
pub fn meanings(graph: &mut Graph, system: &System) -> Vec<(ExprId, ExprId)> {
    let written = multipliers(graph, system);
    let own = system.symbols.multipliers.iter();
    let mut meanings: Vec<(ExprId, ExprId)> = own
        .zip(written)
        .map(|(&own, written)| (graph.symbol_node(own), graph.symbol_node(written)))
        .collect();
    for friction in &system.frictions {
        let ways = friction.slip.ways().iter();
        let ways: Vec<ExprId> = ways.map(|&way| graph.symbol_node(way)).collect();
        let direction = direction(graph, &friction.slip);
        meanings.extend(ways.into_iter().zip(direction));
    }
    meanings
}

impl LawSymbols {
    /// The symbols of the laws of a system.
    pub fn of(graph: &mut Graph, system: &System) -> Self {
        let multipliers = multipliers(graph, system);
        let frozen = system.rows.iter().zip(&multipliers).map(|(row, &own)| {
            let other = graph.symbol(&frozen_name(&row.name), SymbolKind::Multiplier);
            (graph.symbol_node(own), other)
        });
        Self {
            frozen: frozen.collect(),
            meanings: meanings(graph, system),
            multipliers,
        }
    }

    /// Expressions of the system in the symbols of equations.
    pub fn read(&self, graph: &mut Graph, expressions: &[ExprId]) -> Vec<ExprId> {
        substitute(graph, expressions, &self.meanings)
    }

    /// Expressions with other symbols for multipliers wherever they are not linear.
    pub fn freeze(&self, graph: &mut Graph, expressions: &[ExprId]) -> Vec<ExprId> {
        let cone = Cone::new(graph, expressions);
        let frozen = substitute(graph, cone.nodes(), &self.frozen);
        let mut images: Vec<ExprId> = Vec::with_capacity(cone.len());
        for (place, &id) in cone.nodes().iter().enumerate() {
            let at = |id: ExprId| cone.position(id).unwrap_or(place);
            let depends = |id: ExprId| frozen[at(id)] != id;
            let image = match graph.node(id) {
                Node::Unary(Unary::Neg, a) => graph.neg(images[at(a)]),
                Node::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                    graph.binary(op, images[at(a)], images[at(b)])
                }
                Node::Binary(Binary::Mul, a, b) if !(depends(a) && depends(b)) => {
                    graph.mul(images[at(a)], images[at(b)])
                }
                Node::Binary(Binary::Div, a, b) if !depends(b) => {
                    graph.div(images[at(a)], images[at(b)])
                }
                Node::Symbol(_) | Node::Number(_) | Node::Pi => id,
                _ => frozen[place],
            };
            images.push(image);
        }
        let image = |id: &ExprId| cone.position(*id).map_or(*id, |place| images[place]);
        expressions.iter().map(image).collect()
    }

    /// Whether multipliers occur where they are not linear.
    pub fn occur(&self, graph: &Graph, expressions: &[ExprId]) -> bool {
        let used = Cone::new(graph, expressions).symbols(graph);
        let mut frozen = self
            .frozen
            .iter()
            .filter_map(|&(_, symbol)| graph.as_symbol(symbol));
        frozen.any(|symbol| used.contains(&symbol))
    }

    /// The multipliers as they are written, everywhere.
    pub fn thaw(&self, graph: &mut Graph, expression: ExprId) -> ExprId {
        let back: Vec<(ExprId, ExprId)> = self.frozen.iter().map(|&(a, b)| (b, a)).collect();
        substitute(graph, &[expression], &back)[0]
    }

    /// Splits forces, by coordinate: what is left without multipliers, and the coefficients of these, by row and
    /// coordinate.
    pub fn split(&self, graph: &mut Graph, forces: &[ExprId]) -> (Vec<ExprId>, Vec<ExprId>) {
        let forces = self.freeze(graph, forces);
        let zero = graph.integer(0);
        let used = Cone::new(graph, &forces).symbols(graph);
        let mut slopes = Vec::with_capacity(self.multipliers.len() * forces.len());
        for symbol in &self.multipliers {
            for &force in &forces {
                slopes.push(match used.contains(symbol) {
                    true => partial(graph, force, *symbol),
                    false => zero,
                });
            }
        }
        let without: Vec<(ExprId, ExprId)> =
            self.frozen.iter().map(|&(own, _)| (own, zero)).collect();
        (substitute(graph, &forces, &without), slopes)
    }
}
