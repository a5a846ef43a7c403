//! Inertia and volume of homogeneous shapes.
//!
//! | shape | measures | moments about the axis, across it |
//! |---|---|---|
//! | disk (thin) | radius | m r²/2, m r²/4 |
//! | rod (thin) | length | 0, m l²/12 |
//! | cylinder | radius, length | m r²/2, m (3 r² + l²)/12 |
//! | tube | radius, inner_radius, length | m (r² + i²)/2, m (3 (r² + i²) + l²)/12 |
//! | cone | radius, length | 3 m r²/10, 3 m (4 r² + l²)/80 (about the mass centre) |
//! | sphere | radius | 2 m r²/5 |
//! | box | size = [a, b, c] | m (b² + c²)/12, … |

use super::Lowering;
use crate::model::{Body, Expression, Shape};
use dalembert_expr::{ExprId, Rational};

impl Lowering<'_> {
    /// The inertia matrix in body axes.
    pub(super) fn inertia_by_shape(
        &mut self,
        body: &Body,
        mass: ExprId,
    ) -> Option<[[ExprId; 3]; 3]> {
        let Some(shape) = &body.shape else {
            let message = format!("the body `{}` has no inertia", body.name.text);
            let help = "give `inertia` or `shape`; a particle has none";
            let place = body.name.place.clone();
            self.scope.report("E0427", place, message, help);
            return None;
        };
        let moments = self.moments(shape)?;
        let moments = moments.map(|moment| self.graph().mul(mass, moment));
        let zero = self.graph().integer(0);
        Some([
            [moments[0], zero, zero],
            [zero, moments[1], zero],
            [zero, zero, moments[2]],
        ])
    }

    /// Density times volume.
    pub(super) fn mass_by_density(&mut self, body: &Body, density: &Expression) -> Option<ExprId> {
        let density = self.constant(density, "a density")?;
        let shape = body.shape.as_ref()?;
        let volume = self.volume(shape)?;
        Some(self.graph().mul(density, volume))
    }

    fn measure(&mut self, shape: &Shape, name: &str) -> Option<ExprId> {
        self.measures(shape, name)?.first().copied()
    }

    /// All values of a measure: a box has three sizes.
    fn measures(&mut self, shape: &Shape, name: &str) -> Option<Vec<ExprId>> {
        let mut measures = shape.measures.iter();
        let (_, expressions) = measures.find(|(measure, _)| measure.text == name)?;
        let values = expressions.iter().map(|it| self.constant(it, "a measure"));
        values.collect()
    }

    /// a/b · x²
    fn part(&mut self, numerator: i64, denominator: i64, x: ExprId) -> ExprId {
        let factor = Rational::new(numerator, denominator).unwrap_or(Rational::ZERO);
        let factor = self.graph().number(factor);
        let square = self.graph().powi(x, 2);
        self.graph().mul(factor, square)
    }

    /// Moments of inertia per mass, about x, y and z.
    fn moments(&mut self, shape: &Shape) -> Option<[ExprId; 3]> {
        let zero = self.graph().integer(0);
        let (along, across) = match shape.kind.text.as_str() {
            "sphere" => {
                let r = self.measure(shape, "radius")?;
                let moment = self.part(2, 5, r);
                return Some([moment; 3]);
            }
            "box" => {
                let size = self.measures(shape, "size")?;
                let squares = [0, 1, 2].map(|i| self.part(1, 12, size[i]));
                let g = self.graph();
                return Some([0, 1, 2].map(|i| g.add(squares[(i + 1) % 3], squares[(i + 2) % 3])));
            }
            "disk" => {
                let r = self.measure(shape, "radius")?;
                (self.part(1, 2, r), self.part(1, 4, r))
            }
            "rod" => {
                let l = self.measure(shape, "length")?;
                (zero, self.part(1, 12, l))
            }
            "cylinder" => {
                let r = self.measure(shape, "radius")?;
                let l = self.measure(shape, "length")?;
                let (round, long) = (self.part(1, 4, r), self.part(1, 12, l));
                (self.part(1, 2, r), self.graph().add(round, long))
            }
            "tube" => {
                let r = self.measure(shape, "radius")?;
                let l = self.measure(shape, "length")?;
                let inner = self.measure(shape, "inner_radius")?;
                let along = [self.part(1, 2, r), self.part(1, 2, inner)];
                let across = [
                    self.part(1, 4, r),
                    self.part(1, 4, inner),
                    self.part(1, 12, l),
                ];
                (self.graph().sum(along), self.graph().sum(across))
            }
            "cone" => {
                let r = self.measure(shape, "radius")?;
                let h = self.measure(shape, "length")?;
                let across = [self.part(3, 20, r), self.part(3, 80, h)];
                (self.part(3, 10, r), self.graph().sum(across))
            }
            _ => return None,
        };
        let axis = shape.axis.as_ref().map_or("z", |axis| axis.text.as_str());
        Some(["x", "y", "z"].map(|name| if name == axis { along } else { across }))
    }

    fn volume(&mut self, shape: &Shape) -> Option<ExprId> {
        let pi = self.graph().pi();
        let r = self.measure(shape, "radius");
        let value = match shape.kind.text.as_str() {
            "sphere" => {
                let cube = self.scope.graph.powi(r?, 3);
                let factor = Rational::new(4, 3).unwrap_or(Rational::ZERO);
                let factor = self.graph().number(factor);
                self.graph().product([factor, pi, cube])
            }
            "box" => {
                let size = self.measures(shape, "size")?;
                self.graph().product(size)
            }
            "cylinder" => {
                let (round, length) = (self.part(1, 1, r?), self.measure(shape, "length")?);
                self.graph().product([pi, round, length])
            }
            "tube" => {
                let inner = self.measure(shape, "inner_radius")?;
                let (outer, inner) = (self.part(1, 1, r?), self.part(1, 1, inner));
                let ring = self.graph().sub(outer, inner);
                let length = self.measure(shape, "length")?;
                self.graph().product([pi, ring, length])
            }
            "cone" => {
                let (round, height) = (self.part(1, 3, r?), self.measure(shape, "length")?);
                self.graph().product([pi, round, height])
            }
            _ => {
                let message = format!("a thin {} has no volume", shape.kind.text);
                let help = "give `mass` in place of `density`";
                let place = shape.kind.place.clone();
                self.scope.report("E0428", place, message, help);
                return None;
            }
        };
        Some(value)
    }
}
