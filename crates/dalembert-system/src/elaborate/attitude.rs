//! Attitudes: rotations one after the other, quaternions, matrices.

use super::{Vector, VectorAlgebra};
use crate::random;
use dalembert_expr::{ExprId, Graph, evaluate};

/// States at which a matrix is looked at: one that is no rotation is one at few of them, if any.
const TRIALS: u64 = 4;

/// A rotation from its own axes to the world's, with its angular velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attitude {
    /// Rows of the rotation matrix R: world components = R · own components.
    pub matrix: [[ExprId; 3]; 3],
    /// Angular velocity in world axes.
    pub omega: Vector,
    /// The same in its own axes, where that is shorter than turning it back.
    own: Option<Vector>,
}

impl Attitude {
    /// The attitude of the world itself.
    pub fn identity(graph: &mut Graph) -> Self {
        let (zero, one) = (graph.integer(0), graph.integer(1));
        let matrix =
            std::array::from_fn(|i| std::array::from_fn(|j| if i == j { one } else { zero }));
        Self {
            matrix,
            omega: [zero; 3],
            own: None,
        }
    }

    /// Angular velocity in its own axes.
    pub fn own_omega(&self, graph: &mut Graph) -> Vector {
        let turned = |graph: &mut Graph| graph.rotate_back3(&self.matrix, self.omega);
        self.own.unwrap_or_else(|| turned(graph))
    }

    /// Rotation by `angle`, which changes at `rate`, about one of the coordinate axes.
    pub fn about_axis(graph: &mut Graph, axis: usize, angle: ExprId, rate: ExprId) -> Self {
        let mut attitude = Self::identity(graph);
        let (cosine, sine) = (graph.cos(angle), graph.sin(angle));
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        attitude.matrix[j][j] = cosine;
        attitude.matrix[k][k] = cosine;
        attitude.matrix[k][j] = sine;
        attitude.matrix[j][k] = graph.neg(sine);
        attitude.omega[axis] = rate;
        attitude
    }

    /// This rotation followed by `next` about the axes it has turned: R = R₁ R₂, ω = ω₁ + R₁ ω₂.
    pub fn then(&self, graph: &mut Graph, next: &Self) -> Self {
        let column = |m: &[[ExprId; 3]; 3], j: usize| [m[0][j], m[1][j], m[2][j]];
        let matrix = self
            .matrix
            .map(|row| std::array::from_fn(|j| graph.dot3(row, column(&next.matrix, j))));
        let turned = graph.rotate3(&self.matrix, next.omega);
        Self {
            matrix,
            omega: graph.add3(self.omega, turned),
            own: None,
        }
    }

    /// One of the axes, in world components.
    #[must_use]
    pub fn axis(&self, i: usize) -> Vector {
        [self.matrix[0][i], self.matrix[1][i], self.matrix[2][i]]
    }

    /// Of a quaternion q₀ + v, scalar first, which changes at a rate: R = ((q₀² − v·v) I + 2 v vᵀ + 2 q₀ v×)/q·q and
    /// ω = 2 (q₀ v' − q₀' v + v × v')/q·q, the vector part of 2 q' q⁻¹. A rotation for every q, of length one or not.
    pub fn of_quaternion(g: &mut Graph, q: [ExprId; 4], rate: [ExprId; 4]) -> Self {
        let ([q0, v @ ..], [q0_rate, v_rate @ ..]) = (q, rate);
        let (two, scalar, vector) = (g.integer(2), g.mul(q0, q0), g.dot3(v, v));
        let (length, along) = (g.add(scalar, vector), g.sub(scalar, vector));
        let share = g.div(two, length);
        let same = g.div(along, length);
        let matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let outer = g.mul(v[i], v[j]);
                if i == j {
                    let outer = g.mul(share, outer);
                    return g.add(same, outer);
                }
                // Entry (i, j) of v×: −v_k where j follows i, v_k where i follows j.
                let across = g.mul(q0, v[3 - i - j]);
                let entry = if (i + 1) % 3 == j {
                    g.sub(outer, across)
                } else {
                    g.add(outer, across)
                };
                g.mul(share, entry)
            })
        });
        let (forward, back) = (g.scale3(q0, v_rate), g.scale3(q0_rate, v));
        let (difference, turning) = (g.sub3(forward, back), g.cross3(v, v_rate));
        let (sum, own) = (g.add3(difference, turning), g.sub3(difference, turning));
        let (omega, own) = (g.scale3(share, sum), g.scale3(share, own));
        Self {
            matrix,
            omega,
            own: Some(own),
        }
    }

    /// Of a rotation matrix given by its rows, which change at a rate: ω× = R' Rᵀ.
    pub fn of_rows(g: &mut Graph, rows: [Vector; 3], rate: [Vector; 3]) -> Self {
        let omega = std::array::from_fn(|i| g.dot3(rate[(i + 2) % 3], rows[(i + 1) % 3]));
        Self {
            matrix: rows,
            omega,
            own: None,
        }
    }
}

/// By how much three rows fail to be a rotation, at the state where they fail most of some: the largest entry of R Rᵀ − I, or 2
/// for a reflection.
pub(super) fn not_a_rotation(g: &mut Graph, rows: &[Vector; 3]) -> f64 {
    let mut asked: Vec<ExprId> = Vec::new();
    for i in 0..3 {
        asked.extend((i..3).map(|j| g.dot3(rows[i], rows[j])));
    }
    let normal = g.cross3(rows[0], rows[1]);
    asked.push(g.dot3(normal, rows[2]));
    let expected = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0];
    let mut most = 0.0_f64;
    for trial in 0..TRIALS {
        let values = evaluate(g, &asked, |symbol| random(symbol.index() as u64, trial));
        for (value, expected) in values.iter().zip(expected) {
            most = most.max((value - expected).abs());
        }
    }
    most
}
