//! Slip: the tangential velocity of a sliding point, and the direction of friction.

use super::contact::norm;
use super::dependence::Order;
use super::friction::Sliding;
use super::{Lowering, Sparse};
use crate::elaborate::{Vector, VectorAlgebra};
use dalembert_expr::{ExprId, SymbolId, SymbolKind};

/// How many times smaller than the smoothing a slip is where it is smoothed a second time, so that it may vanish.
const STILL: i64 = 100_000_000;

/// Slip of a sliding point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Along a line.
    Line {
        /// u·e, with a sign.
        speed: ExprId,
        /// Sum of the sizes of its terms.
        size: ExprId,
        /// Its derivative by q'.
        slope: Sparse,
        /// Its rate without the terms that hold q''.
        rest: ExprId,
        /// Stands for the sign of the speed.
        way: SymbolId,
    },
    /// In a plane.
    Plane {
        /// |u_t|.
        speed: ExprId,
        /// Sum of the sizes of the terms of u.
        size: ExprId,
    },
    /// By a smooth law, which asks nothing at rest.
    Smooth,
}

impl Lowering<'_> {
    /// Slip along a tangent, and the direction u_t/|u_t| or what smoothing makes of it.
    pub(super) fn line_slip(
        &mut self,
        name: &str,
        sliding: &Sliding,
        tangent: Vector,
        width: Option<ExprId>,
    ) -> (Slip, Vector) {
        let speed = self.graph().dot3(sliding.velocity, tangent);
        if let Some(width) = width {
            let g = self.graph();
            let part = g.smooth_sign(speed, width);
            return (Slip::Smooth, g.scale3(part, tangent));
        }
        let zero = self.graph().integer(0);
        let (mut slope, mut terms) = (Sparse::new(), Vec::new());
        for &(i, partial) in &sliding.partials {
            let part = self.graph().dot3(partial, tangent);
            if part != zero {
                let rate = self.scope.graph.symbol_node(self.symbols.rates[i]);
                let term = self.graph().mul(part, rate);
                terms.push(self.graph().abs(term));
                slope.push((i, part));
            }
        }
        // What time alone moves.
        let moved = self.without(speed, Order::Rates);
        terms.push(self.graph().abs(moved));
        let size = self.graph().sum(terms);
        let rest = self.rate_at_rest(&[speed])[0];
        let g = self.graph();
        let way = g.symbol(&format!("way of {name}"), SymbolKind::Multiplier);
        let along = g.scale3(way, tangent);
        let way = g.as_symbol(way).expect("a symbol was just made");
        let slip = Slip::Line {
            speed,
            size,
            slope,
            rest,
            way,
        };
        (slip, along)
    }

    /// Slip in the plane across a normal.
    pub(super) fn plane_slip(
        &mut self,
        sliding: &Sliding,
        normal: Vector,
        width: Option<ExprId>,
    ) -> (Slip, Vector) {
        let rates: Vec<(ExprId, Vector)> = sliding
            .partials
            .iter()
            .map(|&(i, partial)| (self.scope.graph.symbol_node(self.symbols.rates[i]), partial))
            .collect();
        let g = self.graph();
        let (across, square) = (g.dot3(sliding.velocity, normal), g.dot3(normal, normal));
        let part = g.div(across, square);
        let lost = g.scale3(part, normal);
        let tangential = g.sub3(sliding.velocity, lost);
        let Some(width) = width else {
            let speed = norm(g, tangential);
            let along = tangential.map(|component| g.div(component, speed));
            let mut terms = Vec::new();
            for (rate, partial) in rates {
                for component in partial {
                    let term = g.mul(component, rate);
                    terms.push(g.abs(term));
                }
            }
            let size = g.sum(terms);
            return (Slip::Plane { speed, size }, along);
        };
        // tanh(s/width)/s, with a size s that does not vanish.
        let still = g.integer(STILL);
        let still = g.div(width, still);
        let still = g.mul(still, still);
        let square = g.dot3(tangential, tangential);
        let square = g.add(square, still);
        let size = g.sqrt(square);
        let sign = g.smooth_sign(size, width);
        let factor = g.div(sign, size);
        (Slip::Smooth, g.scale3(factor, tangential))
    }
}
