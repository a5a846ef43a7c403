//! The table of operations: name, arity and value of each.
//!
//! The set is closed. Derivatives are in [`crate::calculus`], notation in [`crate::print`]; the compiler
//! lists what is missing when an operation is added.

/// Operations of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Unary {
    /// −x
    Neg,
    /// √x
    Sqrt,
    /// sine
    Sin,
    /// cosine
    Cos,
    /// tangent
    Tan,
    /// inverse sine
    Asin,
    /// inverse cosine
    Acos,
    /// inverse tangent
    Atan,
    /// hyperbolic sine
    Sinh,
    /// hyperbolic cosine
    Cosh,
    /// hyperbolic tangent
    Tanh,
    /// exponential
    Exp,
    /// natural logarithm
    Log,
    /// |x|
    Abs,
    /// −1, 0 or 1; sign(0) = 0
    Sign,
}

/// Operations of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Binary {
    /// x + y
    Add,
    /// x − y
    Sub,
    /// x·y
    Mul,
    /// x/y
    Div,
    /// x^y
    Pow,
    /// angle of the point (second, first argument): atan2(y, x)
    Atan2,
    /// the smaller
    Min,
    /// the larger
    Max,
}

impl Unary {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 15] = [
        Self::Neg,
        Self::Sqrt,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Exp,
        Self::Log,
        Self::Abs,
        Self::Sign,
    ];

    /// Name in the model language; negation is written with an operator and has none there.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Neg => "-",
            Self::Sqrt => "sqrt",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Abs => "abs",
            Self::Sign => "sign",
        }
    }

    /// Value in double precision, the same on every platform. NaN in, NaN out.
    #[must_use]
    pub fn value(self, x: f64) -> f64 {
        match self {
            Self::Neg => -x,
            Self::Sqrt => libm::sqrt(x),
            Self::Sin => libm::sin(x),
            Self::Cos => libm::cos(x),
            Self::Tan => libm::tan(x),
            Self::Asin => libm::asin(x),
            Self::Acos => libm::acos(x),
            Self::Atan => libm::atan(x),
            Self::Sinh => libm::sinh(x),
            Self::Cosh => libm::cosh(x),
            Self::Tanh => libm::tanh(x),
            Self::Exp => libm::exp(x),
            Self::Log => libm::log(x),
            Self::Abs => x.abs(),
            Self::Sign => {
                if x > 0.0 {
                    1.0
                } else if x < 0.0 {
                    -1.0
                } else {
                    x
                }
            }
        }
    }
}

impl Binary {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Pow,
        Self::Atan2,
        Self::Min,
        Self::Max,
    ];

    /// Name or operator sign in the model language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Pow => "^",
            Self::Atan2 => "atan2",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// Whether the arguments may be exchanged.
    #[must_use]
    pub const fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::Min | Self::Max)
    }

    /// Value in double precision, the same on every platform.
    /// `min` and `max` hand a NaN on instead of hiding it, unlike C's `fmin`.
    #[must_use]
    pub fn value(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => x + y,
            Self::Sub => x - y,
            Self::Mul => x * y,
            Self::Div => x / y,
            Self::Pow => libm::pow(x, y),
            // −0 is 0 to mathematics: the angle of (−1, −0) is π, not −π.
            Self::Atan2 => libm::atan2(x + 0.0, y),
            Self::Min => {
                if x < y || x.is_nan() {
                    x
                } else {
                    y
                }
            }
            Self::Max => {
                if x > y || x.is_nan() {
                    x
                } else {
                    y
                }
            }
        }
    }
}
