//! The planar pendulum of N links in absolute angles, from its Lagrangian.

use dalembert_expr::calculus::{forward, gradient, hessian_lower, time_derivative};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind};

/// Mass matrix and forcing of the N-link pendulum with masses m_i at the ends of links l_i.
pub struct Pendulum {
    /// All expressions.
    pub graph: Graph,
    /// Angles, rates and parameters (masses, lengths, gravity), in this order.
    pub inputs: Vec<SymbolId>,
    /// The lower triangle of M by rows, then the right-hand side h of M θ'' = h.
    pub outputs: Vec<ExprId>,
}

impl Pendulum {
    /// Derives M and h from T and V by Lagrange's equations.
    #[must_use]
    pub fn derive(links: usize) -> Self {
        let mut g = Graph::new();
        let mut symbols = |name: &str, kind, order| -> Vec<ExprId> {
            (1..=links)
                .map(|i| g.derivative_symbol(&format!("{name}{i}"), kind, order))
                .collect()
        };
        let angles = symbols("theta", SymbolKind::Coordinate, 0);
        let rates = symbols("theta", SymbolKind::Coordinate, 1);
        let masses = symbols("m", SymbolKind::Parameter, 0);
        let lengths = symbols("l", SymbolKind::Parameter, 0);
        let gravity = g.symbol("g", SymbolKind::Parameter);

        // x down, y to the side; each joint hangs on the one before.
        let zero = g.integer(0);
        let (mut x, mut y) = (zero, zero);
        let mut positions = Vec::new();
        for (&angle, &length) in angles.iter().zip(&lengths) {
            let (cosine, sine) = (g.cos(angle), g.sin(angle));
            let (dx, dy) = (g.mul(length, cosine), g.mul(length, sine));
            (x, y) = (g.add(x, dx), g.add(y, dy));
            positions.extend([x, y]);
        }
        let velocities = time_derivative(&mut g, &positions).expect("coordinates have rates");
        let (mut kinetic, mut potential) = (zero, zero);
        for (i, &mass) in masses.iter().enumerate() {
            let (vx, vy) = (
                g.powi(velocities[2 * i], 2),
                g.powi(velocities[2 * i + 1], 2),
            );
            let square = g.add(vx, vy);
            let energy = g.mul(mass, square);
            kinetic = g.add(kinetic, energy);
            let height = g.mul(mass, positions[2 * i]);
            potential = g.sub(potential, height);
        }
        let two = g.integer(2);
        kinetic = g.div(kinetic, two);
        potential = g.mul(gravity, potential);

        let symbol_ids = |ids: &[ExprId]| -> Vec<SymbolId> {
            ids.iter().filter_map(|&id| g.as_symbol(id)).collect()
        };
        let (q, v) = (symbol_ids(&angles), symbol_ids(&rates));
        let mut inputs = [
            q.clone(),
            v.clone(),
            symbol_ids(&masses),
            symbol_ids(&lengths),
        ]
        .concat();
        inputs.extend(g.as_symbol(gravity));

        // M = ∂²T/∂q'², h = ∂(T − V)/∂q − (∂p/∂q) q' with p = ∂T/∂q'
        let mass_matrix = hessian_lower(&mut g, kinetic, &v);
        let momenta = gradient(&mut g, kinetic, &v);
        let transport = forward(&mut g, &momenta, |_, symbol| {
            q.iter()
                .position(|&angle| angle == symbol)
                .map(|i| rates[i])
        });
        let lagrangian = g.sub(kinetic, potential);
        let slopes = gradient(&mut g, lagrangian, &q);
        let mut outputs = Vec::new();
        for row in 0..links {
            outputs.extend((0..=row).map(|column| mass_matrix.get(row, column).unwrap_or(zero)));
        }
        for (slope, transport) in slopes.into_iter().zip(transport) {
            outputs.push(g.sub(slope, transport));
        }
        Self {
            graph: g,
            inputs,
            outputs,
        }
    }

    /// Number of nodes the outputs need.
    #[must_use]
    pub fn size(&self) -> usize {
        Cone::new(&self.graph, &self.outputs).len()
    }
}
