//! The normal form: expressions as fractions of polynomials, in which equality can be decided.
//!
//! A [`Field`] has generators: symbols, sin and cos of angles, roots, and functions it knows nothing
//! about. Its elements are [`Fraction`]s of polynomials over them with exact rational coefficients.
//! Sums of angles are expanded over a basis of the angles that occur, so cos(a + b) and
//! cos a cos b − sin a sin b are the same element; cos² is 1 − sin², √p squared is p, and relations
//! such as x'² = z'² − y'² can be declared ([`Field::declare`]). An element that is zero *is* zero:
//! [`Field::is_zero`] decides by arithmetic, so what it calls equal is proved equal, wherever both
//! sides have values. What it does not call equal may still be (log(x y) = log x + log y): values to
//! thirty digits ([`precise`]) tell whether two expressions differ at a point.
//!
//! Everything is bounded by [`Limits`]: past them the answer is [`Outside::TooLarge`].
//!
//! ```
//! use dalembert_expr::normal::Field;
//! use dalembert_expr::print::{Format, print_one};
//! use dalembert_expr::{Graph, SymbolKind};
//!
//! let mut g = Graph::new();
//! let [m, l] = ["m", "l"].map(|name| g.symbol(name, SymbolKind::Parameter));
//! let theta = g.symbol("theta", SymbolKind::Coordinate);
//! let (sine, cosine) = (g.sin(theta), g.cos(theta));
//! let (x, y) = (g.mul(l, sine), g.mul(l, cosine));
//! let (xx, yy) = (g.powi(x, 2), g.powi(y, 2));
//! let square = g.add(xx, yy);
//! let moment = g.mul(m, square);
//!
//! let mut field = Field::new();
//! let value = field.take(&g, moment)?;
//! let short = field.to_graph(&mut g, &value);
//! assert_eq!(print_one(&g, short, Format::Text), "m l²");
//!
//! let slope = field.derivative(&value, g.as_symbol(l).unwrap())?;
//! let ml = g.mul(m, l);
//! let two_m_l = g.add(ml, ml);
//! let two_m_l = field.take(&g, two_m_l)?;
//! assert!(field.is_equal(&slope, &two_m_l)?);
//! # Ok::<(), dalembert_expr::normal::Outside>(())
//! ```
//!
//! Systems of linear equations over a field are solved in [`linear`].
//!
//! ```text
//! graph ──take──▶ Fraction ──add, mul, solve, substitute──▶ Fraction ──to_graph──▶ graph
//! ```

mod angles;
mod arithmetic;
mod definite;
mod derivative;
mod divisor;
mod field;
mod functions;
pub mod linear;
mod minors;
mod modular;
mod monomial;
mod polynomial;
pub mod precise;
mod present;
mod signs;
mod square;
mod substitute;
mod take;
mod work;
mod write;

pub use field::{Field, Fraction, GeneratorId, GeneratorKind};
pub use polynomial::Polynomial;
pub use present::{Shorthand, Style, shorthands};
pub use work::Limits;

pub(crate) use work::Work;

use std::fmt;

/// Why there is no normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Larger than the [`Limits`] allow.
    TooLarge,
    /// A division by zero.
    Undefined,
    /// The derivative of a function that has none in the field.
    NoDerivative,
    /// A relation that would define a generator by itself.
    Circular,
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => {
                "too long to decide in symbols (the limit of terms or of work was reached)"
            }
            Self::Undefined => "a division by zero",
            Self::NoDerivative => "a function without derivative in closed form",
            Self::Circular => "a relation that defines something by itself",
        })
    }
}

impl std::error::Error for Outside {}
