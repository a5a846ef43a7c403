//! The table of operations: name, arity and value of each.
//!
//! The set is closed. Derivatives are in [`crate::calculus`], notation in [`crate::print`]; the compiler
//! lists what is missing when an operation is added.

use crate::rational::Rational;

/// An enumeration of operations, each with the name or operator sign it has in the model language.
macro_rules! operations {
    ($(#[$about:meta])* $table:ident { $($(#[$meaning:meta])* $operation:ident $name:literal)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $table {
            $($(#[$meaning])* $operation,)*
        }

        impl $table {
            /// All of them, in the order of the table.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$operation),*];

            /// Name or operator sign in the model language.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$operation => $name,)*
                }
            }
        }
    };
}

operations! {
    /// Operations of one argument.
    Unary {
        /// −x
        Neg "-"
        /// √x
        Sqrt "sqrt"
        /// sine
        Sin "sin"
        /// cosine
        Cos "cos"
        /// tangent
        Tan "tan"
        /// inverse sine
        Asin "asin"
        /// inverse cosine
        Acos "acos"
        /// inverse tangent
        Atan "atan"
        /// hyperbolic sine
        Sinh "sinh"
        /// hyperbolic cosine
        Cosh "cosh"
        /// hyperbolic tangent
        Tanh "tanh"
        /// exponential
        Exp "exp"
        /// natural logarithm
        Log "log"
        /// |x|
        Abs "abs"
        /// −1, 0 or 1; sign(0) = 0
        Sign "sign"
    }
}

operations! {
    /// Operations of two arguments.
    Binary {
        /// x + y
        Add "+"
        /// x − y
        Sub "-"
        /// x·y
        Mul "*"
        /// x/y
        Div "/"
        /// x^y
        Pow "^"
        /// angle of the point (second, first argument): atan2(y, x)
        Atan2 "atan2"
        /// the smaller
        Min "min"
        /// the larger
        Max "max"
        /// the second argument where the first is above zero, 0 elsewhere, whatever the second is there
        Above "if"
        /// the second argument where the first is not above zero, 0 elsewhere, whatever the second is there
        NotAbove "if"
    }
}

/// What a function does with the sign of its argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parity {
    /// f(−x) = −f(x)
    Odd,
    /// f(−x) = f(x)
    Even,
    /// Neither.
    None,
}

/// A value that can be written exactly.
pub(crate) enum Exact {
    Number(i64),
    /// This part of π.
    OfPi(Rational),
}

impl Unary {
    /// Whether the function is odd or even; a sign before an argument of negation or roots is not looked at.
    pub(crate) const fn parity(self) -> Parity {
        match self {
            Self::Sin
            | Self::Tan
            | Self::Asin
            | Self::Atan
            | Self::Sinh
            | Self::Tanh
            | Self::Sign => Parity::Odd,
            Self::Cos | Self::Cosh | Self::Abs => Parity::Even,
            Self::Neg | Self::Sqrt | Self::Acos | Self::Exp | Self::Log => Parity::None,
        }
    }

    /// The value at a whole number, where it is exact; −1 is left to [`Self::parity`] where that says it.
    pub(crate) fn exact_value(self, n: i64) -> Option<Exact> {
        let of_pi = |n, d| Rational::new(n, d).map(Exact::OfPi);
        match (self, n) {
            (Self::Tan | Self::Asin | Self::Atan | Self::Sinh | Self::Tanh, 0)
            | (Self::Log | Self::Acos, 1) => Some(Exact::Number(0)),
            (Self::Cosh | Self::Exp, 0) => Some(Exact::Number(1)),
            (Self::Asin, 1) | (Self::Acos, 0) => of_pi(1, 2),
            (Self::Acos, -1) => of_pi(1, 1),
            (Self::Atan, 1) => of_pi(1, 4),
            _ => None,
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
    /// Of a condition, the one that holds elsewhere.
    pub(crate) const fn opposite(self) -> Option<Self> {
        match self {
            Self::Above => Some(Self::NotAbove),
            Self::NotAbove => Some(Self::Above),
            _ => None,
        }
    }

    /// Whether this is its second argument where the first has a sign, and 0 elsewhere.
    #[must_use]
    pub const fn is_condition(self) -> bool {
        self.opposite().is_some()
    }

    /// Whether the arguments may be exchanged.
    #[must_use]
    pub const fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::Min | Self::Max)
    }

    /// Value in double precision, the same on every platform.
    /// `min` and `max` hand a NaN on instead of hiding it, unlike C's `fmin`; so do conditions.
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
            Self::Above | Self::NotAbove => {
                if x.is_nan() {
                    x
                } else if (x > 0.0) == (self == Self::Above) {
                    y
                } else {
                    0.0
                }
            }
        }
    }
}

/// What an equation or condition says of its two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessOrEqual,
    /// `>=`
    GreaterOrEqual,
}
