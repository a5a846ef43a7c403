//! The expression language of model files: from text to a spanned syntax tree.
//!
//! The way through: `token` cuts the text into tokens (`brackets` already balanced), `parser`
//! and `operand` build a [`Tree`] by operator precedence, `quantity` reads numbers with units. What
//! the names and functions mean, and which of them are units, is decided by whoever elaborates the
//! tree.
//!
//! Every mistake in the text is reported, not only the first, each with its place and a cure: a text
//! with mistakes of form is repaired, so that those of meaning can be looked for too. Text
//! may come from anywhere, so nothing here recurses over the depth of an expression, and the time
//! is linear in its length.

mod brackets;
mod condition;
mod error;
mod foreign;
mod function;
mod mistakes;
mod operand;
mod parser;
mod pending;
mod piecewise;
mod quantity;
mod suggest;
mod sympy;
mod token;
mod tree;

pub use condition::CONNECTIVES;
pub use error::{CODES, ExpressionError, quoted};
pub use foreign::{function_cure, product_cure, undotted};
pub use function::{CHOICE, Function, choice};
pub use suggest::{meant_or_known, nearest};
pub use sympy::{FromSympy, SympyNames, from_sympy};
pub use tree::{
    Argument, Arithmetic, Join, Kind, MAX_PRIMES, Node, NodeId, Relation, Sign, Span, Tree,
    UnitFactor, Word,
};

use error::{Errors, codes};

/// Longest text that is read, in bytes: positions fit `u32`, and trees fit memory.
pub const MAX_LENGTH: usize = 16 << 20;

/// Reads an expression, an equation or a comparison.
///
/// ```
/// use dalembert_expr::syntax::{Arithmetic, Kind, parse_expression};
///
/// let tree = parse_expression("m*g*y")?;
/// assert!(matches!(tree[tree.root()].kind, Kind::Binary { op: Arithmetic::Multiply, .. }));
///
/// let errors = parse_expression("2 sin(x) + ").unwrap_err();
/// assert_eq!(errors[0].message, "an operator is missing before `sin(x)`");
/// assert!(errors[0].help.as_deref().is_some_and(|help| help.ends_with("write 2*sin(x)")));
/// assert_eq!(errors[1].message, "`+` has nothing on its right");
/// # Ok::<(), Vec<dalembert_expr::syntax::ExpressionError>>(())
/// ```
///
/// # Errors
/// Everything that is wrong with the text, in the order of the text, at most twenty entries.
pub fn parse_expression(source: &str) -> Result<Tree, Vec<ExpressionError>> {
    read_expression(source).into()
}

/// What a text was read as: a tree, the mistakes of form, or both.
///
/// A tree with mistakes has numbers in place of what could not be read, and nodes without a parent;
/// it only serves to look for mistakes of meaning.
pub struct Reading {
    /// The tree, repaired if there are errors; `None` if there was nothing to repair.
    pub tree: Option<Tree>,
    /// Everything that is wrong with the form of the text, as [`parse_expression`] says.
    pub errors: Vec<ExpressionError>,
}

impl From<Reading> for Result<Tree, Vec<ExpressionError>> {
    fn from(reading: Reading) -> Self {
        match reading.tree {
            Some(tree) if reading.errors.is_empty() => Ok(tree),
            _ => Err(reading.errors),
        }
    }
}

/// As [`parse_expression`], also giving a repaired tree where there are mistakes.
#[must_use]
pub fn read_expression(source: &str) -> Reading {
    let mut errors = Errors::default();
    match tokens_within_limit(source, &mut errors) {
        Ok(tokens) => parser::parse(source, tokens, errors),
        Err(errors) => Reading { tree: None, errors },
    }
}

/// Reads the value of a key: a quantity such as `9.81 m/s^2`, or else as [`parse_expression`].
///
/// Text of exactly the shape `[sign] NUMBER UNIT`, where UNIT joins names by `*` and `/` with whole
/// powers, is one [`Kind::Quantity`] with the sign in its number. Inside a longer expression a
/// number takes only one unit name, so there `9.81 m/s^2` is divided by a name `s`.
///
/// # Errors
/// As [`parse_expression`].
pub fn parse_value(source: &str) -> Result<Tree, Vec<ExpressionError>> {
    read_value(source).into()
}

/// As [`parse_value`], also giving a repaired tree where there are mistakes.
#[must_use]
pub fn read_value(source: &str) -> Reading {
    let mut errors = Errors::default();
    let tokens = match tokens_within_limit(source, &mut errors) {
        Ok(tokens) => tokens,
        Err(errors) => return Reading { tree: None, errors },
    };
    if errors.is_empty()
        && let Some(quantity) = quantity::whole_quantity(source, &tokens)
    {
        return Reading {
            tree: Some(Tree::new(vec![quantity])),
            errors: Vec::new(),
        };
    }
    parser::parse(source, tokens, errors)
}

fn tokens_within_limit(
    source: &str,
    errors: &mut Errors,
) -> Result<Vec<token::Token>, Vec<ExpressionError>> {
    if source.len() > MAX_LENGTH {
        let message = format!("the expression is {} bytes long", source.len());
        errors.report(
            codes::TOO_LONG,
            Span::default(),
            message,
            format!("write at most {MAX_LENGTH} bytes"),
        );
        return Err(std::mem::take(errors).sorted());
    }
    Ok(token::tokens(source, errors))
}
