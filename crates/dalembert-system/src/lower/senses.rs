//! Which way round joints stand, and lengths that are none if they are negative.

use super::{Lowering, Requirement};
use crate::ids::{ConstraintId, Id};
use crate::model::{Expression, Shape};
use dalembert_expr::ExprId;

/// A cosine of a joint: 1 where it stands as it is defined, −1 where its rows hold the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sense {
    /// The constraint that the joint is.
    pub constraint: ConstraintId,
    /// The cosine.
    pub cosine: ExprId,
}

impl Lowering<'_> {
    /// Called last, so that no other expression is made in another order for it.
    pub(super) fn senses(&mut self) -> Vec<Sense> {
        let model = self.model;
        let mut found = Vec::new();
        for (constraint, written) in Id::enumerate(&model.constraints) {
            for (what, length) in &written.lengths {
                let value = self.scope.scalar(length);
                self.is_a_length((&written.name.text, what), value, (length, false));
            }
            let senses = written.joint.iter().flat_map(|ends| &ends.senses);
            let cosines = senses.filter_map(|sense| self.scope.scalar(sense));
            found.extend(cosines.map(|cosine| Sense { constraint, cosine }));
        }
        for body in &model.bodies {
            for shape in &body.shapes {
                self.measures_are_lengths(&body.name.text, shape);
            }
        }
        found
    }

    fn measures_are_lengths(&mut self, of: &str, shape: &Shape) {
        let mut radii = Vec::new();
        for (name, values) in &shape.measures {
            let what = match name.text.as_str() {
                "radius" => "radius",
                "inner_radius" => "inner radius",
                "length" => "length",
                "radii" => "half size",
                _ => "size",
            };
            for written in values {
                let value = self.scope.scalar(written);
                radii.extend(value.filter(|_| what.ends_with("radius")));
                self.is_a_length((of, what), value, (written, true));
            }
            if let ("inner radius", &[outer, inner], [written]) =
                (what, radii.as_slice(), values.as_slice())
            {
                let wall = self.graph().sub(outer, inner);
                let wall = Some(wall);
                self.is_a_length((of, "wall (radius - inner_radius)"), wall, (written, true));
            }
        }
    }

    fn is_a_length(
        &mut self,
        (of, what): (&str, &'static str),
        value: Option<ExprId>,
        (written, zero): (&Expression, bool),
    ) {
        self.requirements
            .extend(value.map(|value| Requirement::Length {
                of: of.to_owned(),
                what,
                value,
                zero,
                place: written.whole(),
            }));
    }
}
