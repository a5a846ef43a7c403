//! Instructions, and the straight-line code they form before slots are assigned.
//!
//! The same [`Instruction`] serves twice: over *values* in [`Code`], where each is defined once, and
//! over *slots* in a tape, where a slot holds one value after another. The passes are
//! [`lower`](crate::lower) → [`fuse`](crate::fuse), from where native code goes its own way, →
//! [`schedule`](crate::schedule) → [`allocate`](crate::allocate).

use dalembert_expr::table::TableFunction;
use dalembert_expr::{Binary, Unary};
use std::sync::Arc;

/// What an instruction does with its arguments a, b, c.
///
/// The first group is open-coded over lanes. `Function` and `Function2` go lane by lane through the
/// operation table of `dalembert-expr`, and so agree with its evaluator to the bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    /// a·b + c, rounded twice: saves a dispatch, not a rounding.
    MulAdd,
    /// a·b − c, rounded twice
    MulSub,
    /// c − a·b, rounded twice
    SubMul,
    Neg,
    Abs,
    Sign,
    Sqrt,
    Min,
    Max,
    /// b where a > 0, else 0
    Above,
    /// b where a ≤ 0, else 0
    NotAbove,
    Sin,
    Cos,
    /// sin a to the destination, cos a to the destination `args[1]`.
    SinCos,
    Function(Unary),
    Function2(Binary),
    /// The function of this number among those of [`Code::tables`].
    Table(u32),
}

impl Op {
    /// Number of arguments.
    pub(crate) const fn arity(self) -> usize {
        match self {
            Self::Neg
            | Self::Abs
            | Self::Sign
            | Self::Sqrt
            | Self::Sin
            | Self::Cos
            | Self::SinCos
            | Self::Function(_)
            | Self::Table(_) => 1,
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Min
            | Self::Max
            | Self::Above
            | Self::NotAbove
            | Self::Function2(_) => 2,
            Self::MulAdd | Self::MulSub | Self::SubMul => 3,
        }
    }
}

impl From<Unary> for Op {
    fn from(op: Unary) -> Self {
        match op {
            Unary::Neg => Self::Neg,
            Unary::Sqrt => Self::Sqrt,
            Unary::Sin => Self::Sin,
            Unary::Cos => Self::Cos,
            Unary::Abs => Self::Abs,
            Unary::Sign => Self::Sign,
            Unary::Tan
            | Unary::Asin
            | Unary::Acos
            | Unary::Atan
            | Unary::Sinh
            | Unary::Cosh
            | Unary::Tanh
            | Unary::Exp
            | Unary::Log => Self::Function(op),
        }
    }
}

impl From<Binary> for Op {
    fn from(op: Binary) -> Self {
        match op {
            Binary::Add => Self::Add,
            Binary::Sub => Self::Sub,
            Binary::Mul => Self::Mul,
            Binary::Div => Self::Div,
            Binary::Min => Self::Min,
            Binary::Max => Self::Max,
            Binary::Above => Self::Above,
            Binary::NotAbove => Self::NotAbove,
            Binary::Pow | Binary::Atan2 => Self::Function2(op),
        }
    }
}

/// One operation: where its arguments are and where its result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    pub(crate) destination: u32,
    /// As many as [`Op::arity`] says; `SinCos` keeps its second destination in `args[1]`.
    pub(crate) args: [u32; 3],
}

impl Instruction {
    /// The arguments that count.
    pub(crate) fn arguments(&self) -> &[u32] {
        &self.args[..self.op.arity()]
    }

    /// The second result, of `SinCos`.
    pub(crate) fn second_destination(&self) -> Option<u32> {
        (self.op == Op::SinCos).then_some(self.args[1])
    }

    /// The one or two results.
    pub(crate) fn results(&self) -> impl Iterator<Item = u32> + use<> {
        std::iter::once(self.destination).chain(self.second_destination())
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Definition {
    /// The input of this number.
    Input(u32),
    /// A number known when compiling.
    Constant(f64),
    /// The instruction of this number.
    Result(u32),
}

/// Straight-line code in which each value is defined once, before its uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// Where each value comes from.
    pub(crate) definitions: Vec<Definition>,
    pub(crate) instructions: Vec<Instruction>,
    /// The value of each output.
    pub(crate) outputs: Vec<u32>,
    /// Functions made of tables; they stay where they are, for native code has their addresses.
    pub(crate) tables: Arc<[TableFunction]>,
}

/// A count that must fit the `u32` numbering of values, slots and instructions.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a program of 2^32 values is beyond memory")
}
