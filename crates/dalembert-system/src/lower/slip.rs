//! Slip: the tangential velocity of a sliding point, and the direction of friction.

use super::dependence::Order;
use super::friction::Sliding;
use super::{Lowering, Sparse};
use crate::elaborate::{Vector, VectorAlgebra};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};

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
        /// u_t.
        velocity: Vector,
        /// What it is normal to, of any length.
        normal: Vector,
        /// Sum of the sizes of the terms of u.
        size: ExprId,
        /// Coordinates, and the derivatives of u_t by their rates.
        slope: Vec<(usize, Vector)>,
        /// The rate of u_t without the terms that hold q''.
        rest: Vector,
        /// Stand for u_t/|u_t|.
        ways: [SymbolId; 3],
    },
    /// By a smooth law, which has a value at rest too: no way is needed there.
    Smooth,
}

impl Slip {
    /// Symbols that stand for the direction of the slip.
    #[must_use]
    pub fn ways(&self) -> &[SymbolId] {
        match self {
            Self::Line { way, .. } => std::slice::from_ref(way),
            Self::Plane { ways, .. } => ways,
            Self::Smooth => &[],
        }
    }
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
        let mut slope = Sparse::new();
        for &(i, partial) in &sliding.partials {
            let part = self.graph().dot3(partial, tangent);
            if part != zero {
                slope.push((i, part));
            }
        }
        let (slip, way) = self.rate_slip(name, speed, slope);
        (slip, self.graph().scale3(way, tangent))
    }

    /// Slip by a speed of this derivative by q', and its way.
    pub(super) fn rate_slip(&mut self, name: &str, speed: ExprId, slope: Sparse) -> (Slip, ExprId) {
        let mut terms = Vec::new();
        for &(i, part) in &slope {
            let rate = self.scope.graph.symbol_node(self.symbols.rates[i]);
            let term = self.graph().mul(part, rate);
            terms.push(self.graph().abs(term));
        }
        // What time alone moves.
        let moved = self.without(speed, Order::Rates);
        terms.push(self.graph().abs(moved));
        let size = self.graph().sum(terms);
        let rest = self.rate_at_rest(&[speed])[0];
        let g = self.graph();
        let along = g.symbol(&format!("way of {name}"), SymbolKind::Multiplier);
        let way = g.as_symbol(along).expect("a symbol was just made");
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
        name: &str,
        sliding: &Sliding,
        normal: Vector,
        width: Option<ExprId>,
    ) -> (Slip, Vector) {
        let velocity = across(self.graph(), sliding.velocity, normal);
        let Some(width) = width else {
            return self.rough_plane(name, sliding, normal, velocity);
        };
        // tanh(s/width)/s, with a size s that does not vanish.
        let g = self.graph();
        let still = g.integer(STILL);
        let still = g.div(width, still);
        let still = g.mul(still, still);
        let square = g.dot3(velocity, velocity);
        let square = g.add(square, still);
        let size = g.sqrt(square);
        let sign = g.smooth_sign(size, width);
        let factor = g.div(sign, size);
        (Slip::Smooth, g.scale3(factor, velocity))
    }

    fn rough_plane(
        &mut self,
        name: &str,
        sliding: &Sliding,
        normal: Vector,
        velocity: Vector,
    ) -> (Slip, Vector) {
        let (mut slope, mut terms) = (Vec::new(), Vec::new());
        for &(i, partial) in &sliding.partials {
            let rate = self.scope.graph.symbol_node(self.symbols.rates[i]);
            let g = self.graph();
            for component in partial {
                let term = g.mul(component, rate);
                terms.push(g.abs(term));
            }
            slope.push((i, across(g, partial, normal)));
        }
        // What time alone moves.
        for component in sliding.velocity {
            let moved = self.without(component, Order::Rates);
            terms.push(self.graph().abs(moved));
        }
        let size = self.graph().sum(terms);
        let rest = self.rate_at_rest(&velocity);
        let rest = [rest[0], rest[1], rest[2]];
        let g = self.graph();
        let along = ["x", "y", "z"].map(|axis| {
            let name = format!("way of {name} along {axis}");
            g.symbol(&name, SymbolKind::Multiplier)
        });
        let ways = along.map(|way| g.as_symbol(way).expect("a symbol was just made"));
        let slip = Slip::Plane {
            velocity,
            normal,
            size,
            slope,
            rest,
            ways,
        };
        (slip, along)
    }
}

/// The part of a vector across a normal.
fn across(g: &mut Graph, vector: Vector, normal: Vector) -> Vector {
    let (along, square) = (g.dot3(vector, normal), g.dot3(normal, normal));
    let part = g.div(along, square);
    let lost = g.scale3(part, normal);
    g.sub3(vector, lost)
}
