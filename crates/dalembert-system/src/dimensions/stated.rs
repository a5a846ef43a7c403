//! Dimensions that units in a text state.

use crate::model::Expression;
use crate::units::{self, Dimension};
use dalembert_expr::syntax::{Kind, UnitFactor};

/// The dimension of a unit; `None` if one of its names is unknown.
pub(super) fn dimension_of(unit: &[UnitFactor]) -> Option<Dimension> {
    let mut total = Dimension::NONE;
    for factor in unit {
        let one = units::lookup(&factor.name.text)?;
        let power = one.dimension.checked_pow(i64::from(factor.power), 1)?;
        total = total.checked_mul(&power)?;
    }
    Some(total)
}

/// Whether some number of the expression has a unit with a dimension.
pub(super) fn has_dimension(expression: &Expression) -> bool {
    let mut nodes = expression.tree.nodes().iter();
    nodes.any(|node| match &node.kind {
        Kind::Quantity { unit, .. } => unit.iter().any(|factor| {
            let one = units::lookup(&factor.name.text);
            one.is_some_and(|one| !one.dimension.is_none())
        }),
        _ => false,
    })
}
