//! Springs and dampers.
//!
//! Along its length or coordinate s a spring pulls with k (s − s₀) + c s'; it is lowered as the
//! potential ½ k (s − s₀)² and the dissipation ½ c s'². A spring of no unstretched length needs only
//! s², so it has no singularity at s = 0.

use super::Lowering;
use super::dependence::Order;
use crate::elaborate::{Target, Value, Vector, VectorAlgebra};
use crate::model::{Expression, Spring, SpringSpan};
use dalembert_expr::ExprId;

impl Lowering<'_> {
    pub(super) fn springs(&mut self) {
        let model = self.model;
        for spring in &model.springs {
            self.spring(spring);
        }
    }

    fn spring(&mut self, spring: &Spring) -> Option<()> {
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
        let both = stiffness.is_some() && damping.is_some();
        let part = |what: &str| {
            let name = &spring.name.text;
            if both {
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
        }
        Some(())
    }

    /// Stiffness, damping and unstretched length may depend on time, not on the motion: the force
    /// would not be what the words say.
    fn time_function(&mut self, expression: &Expression, what: &str) -> Option<ExprId> {
        let value = self.scope.scalar(expression)?;
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
