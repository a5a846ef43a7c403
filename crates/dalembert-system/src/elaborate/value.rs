//! Values of the expression language: numbers, vectors, attitudes and points.

use super::Attitude;
use dalembert_expr::{ExprId, Graph};

/// A vector in world axes.
pub type Vector = [ExprId; 3];

/// What an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Scalar(ExprId),
    /// A vector in world axes.
    Vector(Vector),
    /// An attitude.
    Attitude(Attitude),
    /// A point of a body, or of the ground.
    Point {
        /// Where it is.
        position: Vector,
        /// The rate of its position: not a velocity of the body where its body coordinates change.
        velocity: Vector,
        /// The body it belongs to; `None` is the ground.
        body: Option<usize>,
    },
    /// A particle, by index.
    Particle(usize),
    /// A body, by index.
    Body(usize),
    /// A frame, by index.
    Frame(usize),
    /// The ground.
    Ground,
}

impl Value {
    /// A vector, or a point in its place, which is its position.
    #[must_use]
    pub fn as_vector(&self) -> Option<Vector> {
        match self {
            Self::Vector(vector)
            | Self::Point {
                position: vector, ..
            } => Some(*vector),
            _ => None,
        }
    }

    /// A point as the vector to it; anything else as it is.
    #[must_use]
    pub fn without_point(self) -> Self {
        self.as_vector().map_or(self, Self::Vector)
    }

    /// What it is, in words with an article.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Scalar(_) => "a number",
            Self::Vector(_) => "a vector",
            Self::Attitude(_) => "a rotation",
            Self::Point { .. } => "a point",
            Self::Particle(_) => "a particle",
            Self::Body(_) => "a body",
            Self::Frame(_) => "a frame",
            Self::Ground => "the ground",
        }
    }
}

/// Vector algebra in a graph.
pub trait VectorAlgebra {
    /// a + b
    fn add3(&mut self, a: Vector, b: Vector) -> Vector;
    /// a − b
    fn sub3(&mut self, a: Vector, b: Vector) -> Vector;
    /// s a
    fn scale3(&mut self, s: ExprId, a: Vector) -> Vector;
    /// a · b
    fn dot3(&mut self, a: Vector, b: Vector) -> ExprId;
    /// a × b
    fn cross3(&mut self, a: Vector, b: Vector) -> Vector;
    /// R a
    fn rotate3(&mut self, r: &[[ExprId; 3]; 3], a: Vector) -> Vector;
    /// Rᵀ a
    fn rotate_back3(&mut self, r: &[[ExprId; 3]; 3], a: Vector) -> Vector;
    /// The zero vector.
    fn zero3(&mut self) -> Vector;
}

impl VectorAlgebra for Graph {
    fn add3(&mut self, a: Vector, b: Vector) -> Vector {
        std::array::from_fn(|i| self.add(a[i], b[i]))
    }

    fn sub3(&mut self, a: Vector, b: Vector) -> Vector {
        std::array::from_fn(|i| self.sub(a[i], b[i]))
    }

    fn scale3(&mut self, s: ExprId, a: Vector) -> Vector {
        a.map(|x| self.mul(s, x))
    }

    fn dot3(&mut self, a: Vector, b: Vector) -> ExprId {
        let terms: Vector = std::array::from_fn(|i| self.mul(a[i], b[i]));
        self.sum(terms)
    }

    fn cross3(&mut self, a: Vector, b: Vector) -> Vector {
        std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (first, second) = (self.mul(a[j], b[k]), self.mul(a[k], b[j]));
            self.sub(first, second)
        })
    }

    fn rotate3(&mut self, r: &[[ExprId; 3]; 3], a: Vector) -> Vector {
        r.map(|row| self.dot3(row, a))
    }

    fn rotate_back3(&mut self, r: &[[ExprId; 3]; 3], a: Vector) -> Vector {
        std::array::from_fn(|i| self.dot3([r[0][i], r[1][i], r[2][i]], a))
    }

    fn zero3(&mut self) -> Vector {
        [self.integer(0); 3]
    }
}
