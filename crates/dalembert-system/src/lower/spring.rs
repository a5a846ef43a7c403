//! Springs and dampers.
//!
//! Along its length or coordinate s a spring pulls with k (s − s₀) + c s' + F₀ sign s'; it is lowered as the
//! potential ½ k (s − s₀)², the dissipation ½ c s'², and friction whose slip is s' and whose normal force is one. A spring of no unstretched length needs only
//! s², so it has no singularity at s = 0.

use super::dependence::Order;
use super::{Friction, Given, Lowering, Requirement, Rough, Sparse};
use crate::elaborate::{Target, Value, Vector, VectorAlgebra};
use crate::model::{Expression, Spring, SpringSpan};
use dalembert_expr::ExprId;

impl Lowering<'_> {
    pub(super) fn springs(&mut self) {
        let model = self.model;
        for (index, spring) in model.springs.iter().enumerate() {
            self.spring(index, spring);
        }
    }

    fn spring(&mut self, index: usize, spring: &Spring) -> Option<()> {
        let zero = self.graph().integer(0);
        let rest = match &spring.length {
            Some(length) => self.time_function(length, "an unstretched length")?,
            None => zero,
        };
        let stiffness = match &spring.stiffness {
            Some(stiffness) => Some(self.time_function(stiffness, "a stiffness")?),
            None => None,
        };
        let damping = match &spring.damping {
            Some(damping) => Some(self.time_function(damping, "a damping")?),
            None => None,
        };
        let dry = match &spring.dry {
            Some(dry) => Some(self.dry_size(spring, dry)?),
            None => None,
        };
        let (length, square) = match &spring.span {
            SpringSpan::On(expression) => {
                let length = self.scope.scalar(expression)?;
                self.limit_order(expression, length, 0, "the measure of a spring")
                    .then_some(())?;
                let square = self.graph().powi(length, 2);
                (length, square)
            }
            SpringSpan::Between(ends) => {
                let (from, to) = (self.end(&ends[0]), self.end(&ends[1]));
                let line = self.scope.graph.sub3(to?, from?);
                let square = self.square(line);
                let length = self.graph().sqrt(square);
                (length, square)
            }
        };
        let two = self.graph().integer(2);
        let several = [stiffness, damping, dry].iter().flatten().count() > 1;
        let part = |what: &str| {
            let name = &spring.name.text;
            if several {
                format!("{name}.{what}")
            } else {
                name.clone()
            }
        };
        if let Some(stiffness) = stiffness {
            let stretch = if rest == zero {
                square
            } else {
                let stretch = self.graph().sub(length, rest);
                self.graph().powi(stretch, 2)
            };
            let doubled = self.graph().mul(stiffness, stretch);
            let potential = self.graph().div(doubled, two);
            self.conservative(&part("stiffness"), potential);
        }
        if let Some(damping) = damping {
            let rate = self.scope.rate(length);
            let square = self.graph().powi(rate, 2);
            let doubled = self.graph().mul(damping, square);
            let dissipation = self.graph().div(doubled, two);
            self.force_from(&part("damping"), dissipation, Order::Rates, false);
            if let Some(force) = self.forces.last_mut() {
                force.damping = Some(damping);
            }
        }
        if let Some(size) = dry {
            self.dry_friction(Rough::Spring(index), &part("dry"), length, size);
        }
        Some(())
    }

    fn dry_size(&mut self, spring: &Spring, dry: &Expression) -> Option<ExprId> {
        let value = self
            .scope
            .in_law(|scope| scope.scalar(dry))
            .and_then(|value| self.known_at_times(dry, value, "the size of dry friction"))?;
        if !self.depends_on(value).time && !self.scope.holds_reaction(&[value]) {
            self.requirements.push(Requirement::Dry {
                of: spring.name.text.clone(),
                value,
                place: dry.whole(),
            });
        }
        Some(value)
    }

    /// −F₀ sign(s') ∂s/∂q, the sign being a symbol that is any number between −1 and 1 where s' vanishes.
    fn dry_friction(&mut self, of: Rough, name: &str, length: ExprId, size: ExprId) {
        let rate = self.scope.rate(length);
        let slope = self.sparse_gradient(length, Order::Coordinates);
        let (slip, way) = self.rate_slip(name, rate, slope.clone());
        let g = self.graph();
        let strength = g.mul(size, way);
        let strength = g.neg(strength);
        let direction: Sparse = slope
            .into_iter()
            .map(|(i, slope)| (i, g.mul(strength, slope)))
            .collect();
        let normal = g.integer(1);
        self.forces.push(Given {
            name: name.to_owned(),
            force: direction.clone(),
            conservative: false,
            damping: Some(size),
        });
        if self.is_nothing(size) {
            return;
        }
        self.frictions.push(Friction {
            of,
            coefficient: size,
            holding: size,
            normal,
            rows: Vec::new(),
            direction,
            misfit: Vec::new(),
            slip,
            alone: true,
            acting: Vec::new(),
        });
    }

    /// Stiffness, damping and unstretched length may depend on time, not on the motion: the force
    /// would not be what the words say.
    fn time_function(&mut self, expression: &Expression, what: &str) -> Option<ExprId> {
        let value = self.scope.scalar(expression)?;
        self.known_at_times(expression, value, what)
    }

    /// A value, if it does not depend on the motion.
    fn known_at_times(
        &mut self,
        expression: &Expression,
        value: ExprId,
        what: &str,
    ) -> Option<ExprId> {
        if self.depends_on(value).motion {
            let message = format!("{what} depends on the motion");
            let help = "write such a spring as a potential energy or a force";
            self.scope.refuse_whole(expression, "E0426", message, help);
            return None;
        }
        Some(value)
    }

    /// Where a vector, point, particle or mass centre is.
    pub(super) fn position_of(&self, value: Value) -> Option<Vector> {
        let center = match value {
            Value::Particle(i) => self.center(Target::Particle(i)),
            Value::Body(i) => self.center(Target::Body(i)),
            _ => return value.as_vector(),
        };
        center.map(|motion| motion.position)
    }

    fn end(&mut self, expression: &Expression) -> Option<Vector> {
        match self.scope.value(expression)? {
            end
            @ (Value::Vector(_) | Value::Point { .. } | Value::Particle(_) | Value::Body(_)) => {
                self.position_of(end)
            }
            other => {
                let message = format!("a spring ends at a point, and this is {}", other.kind());
                let help = "write a particle, a body's point, or point(ground, [a, b, c])";
                self.scope.refuse_whole(expression, "E0402", message, help);
                None
            }
        }
    }
}
