//! The parts that a page is made of, before any notation is chosen: `layout.rs` says which of them and in which order.

use dalembert_expr::ExprId;

/// left = right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// Left side.
    pub left: ExprId,
    /// Right side.
    pub right: ExprId,
}

impl Equation {
    /// Equations from their sides: left, right, left, right.
    pub(super) fn all(sides: &[ExprId]) -> Vec<Self> {
        let pairs = sides.chunks_exact(2);
        pairs
            .map(|pair| Self {
                left: pair[0],
                right: pair[1],
            })
            .collect()
    }

    /// The sides of equations: left, right, left, right.
    pub(super) fn sides<'a>(equations: impl IntoIterator<Item = &'a Self>) -> Vec<ExprId> {
        let both = equations.into_iter().map(|it| [it.left, it.right]);
        both.flatten().collect()
    }
}

/// Something in a line of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// An expression.
    Expression(ExprId),
    /// An equation.
    Equation(Equation),
    /// The condition that an expression is not zero.
    NotZero(ExprId),
}

/// A part of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A title or a word over what follows.
    Heading(String),
    /// Words, and what they speak of.
    Line {
        /// The words.
        label: String,
        /// What follows on the same line.
        items: Vec<Item>,
    },
    /// Words alone.
    Text(String),
    /// Equations under each other, aligned.
    Equations(Vec<Equation>),
    /// Names and what they stand for, in the same way.
    Definitions(Vec<Equation>),
    /// A matrix with its name.
    Matrix {
        /// Such as M.
        name: String,
        /// Rows of entries.
        rows: Vec<Vec<ExprId>>,
    },
}

impl Block {
    /// All expressions of the block, in the order in which they stand.
    pub(super) fn expressions(&self) -> Vec<ExprId> {
        match self {
            Self::Heading(_) | Self::Text(_) => Vec::new(),
            Self::Line { items, .. } => items
                .iter()
                .flat_map(|item| match item {
                    Item::Expression(id) | Item::NotZero(id) => vec![*id],
                    Item::Equation(it) => vec![it.left, it.right],
                })
                .collect(),
            Self::Equations(equations) | Self::Definitions(equations) => Equation::sides(equations),
            Self::Matrix { rows, .. } => rows.concat(),
        }
    }
}
