//! Given forces: gravity, generalized forces, forces and moments on bodies and particles.
//!
//! A force F at a point with velocity v has the generalized force Q_k = F · ∂v/∂q'_k.

use super::inertia::{Partials, add_component};
use super::{Given, Lowering, Sparse};
use crate::diagnostic::{Diagnostic, Severity};
use crate::elaborate::{Declared, Value, Vector, VectorAlgebra};
use crate::model::{Expression, Load, Mass, Name};
use dalembert_expr::{ExprId, Graph};
use std::collections::HashMap;

impl Lowering<'_> {
    /// Weight has the potential −m g·r, if gravity is constant or depends on time only.
    pub(super) fn gravity(&mut self) {
        let model = self.model;
        let Some(expression) = &model.gravity else {
            return;
        };
        let Some(gravity) = self.scope.vector(expression) else {
            return;
        };
        let uniform = gravity
            .iter()
            .all(|&component| !self.depends_on(component).motion);
        if !uniform {
            let message = "gravity depends on the motion";
            let help = "write a field of forces as [force.NAME] on each body";
            self.scope
                .refuse(expression, 0..expression.text.len(), "E0422", message, help);
            return;
        }
        let mut weights = Vec::new();
        for (index, particle) in model.particles.iter().enumerate() {
            if let (Some(mass), Some(motion)) =
                (self.quiet_mass(&particle.mass), self.scope.particle(index))
            {
                weights.push((mass, motion.position));
            }
        }
        for (index, body) in model.bodies.iter().enumerate() {
            let mass = match &body.mass {
                Mass::Mass(mass) => self.quiet_mass(mass),
                Mass::Density(density) => self.quietly(|work| work.mass_by_density(body, density)),
            };
            if let (Some(mass), Some(motion)) = (mass, self.scope.body(index)) {
                let position = motion.center.position;
                weights.push((mass, position));
            }
        }
        let mut terms = Vec::new();
        for (mass, position) in weights {
            let height = self.graph().dot3(gravity, position);
            let term = self.graph().mul(mass, height);
            terms.push(self.graph().neg(term));
        }
        let potential = self.graph().sum(terms);
        self.conservative("gravity", potential);
    }

    fn quiet_mass(&mut self, expression: &Expression) -> Option<ExprId> {
        self.quietly(|work| work.scope.scalar(expression))
    }

    /// Looks something up again that was refused before, if it was: without refusing it twice.
    pub(super) fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.scope.diagnostics.len();
        let result = work(self);
        self.scope.diagnostics.truncate(before);
        result
    }

    pub(super) fn forces(&mut self) {
        let model = self.model;
        self.first_force = self.forces.len();
        for force in &model.forces {
            if let Some(components) = self.load(&force.load) {
                self.forces.push(Given {
                    name: force.name.text.clone(),
                    force: components,
                    conservative: false,
                });
            }
        }
    }

    /// The generalized force of a load, in coordinates; reactions may be in it.
    pub(super) fn load(&mut self, load: &Load) -> Option<Sparse> {
        match load {
            Load::Generalized(components) => self.generalized(components),
            Load::Applied {
                on,
                at,
                vector,
                torque,
                axes,
            } => self.applied(
                on,
                at.as_ref(),
                [vector.as_ref(), torque.as_ref()],
                axes.as_ref(),
            ),
        }
    }

    fn generalized(&mut self, components: &[(Name, Expression)]) -> Option<Sparse> {
        let mut force = Sparse::new();
        // Where the component along each coordinate stands: there may be as many as coordinates.
        let mut places = HashMap::new();
        let mut add = |graph: &mut Graph, i: usize, value: ExprId| {
            let place = *places.entry(i).or_insert(force.len());
            match force.get_mut(place) {
                Some((_, total)) => *total = graph.add(*total, value),
                None => force.push((i, value)),
            }
        };
        let mut complete = true;
        for (name, expression) in components {
            let value = self.scope.in_law(|scope| scope.scalar(expression));
            let value = value.filter(|&value| self.limit_order(expression, value, 1, "a force"));
            match (self.scope.names().get(&name.text), value) {
                (Some(Declared::Coordinate(i)), Some(value)) => {
                    add(self.graph(), i, value);
                }
                // Power per speed: Q = Bᵀ F
                (Some(Declared::Speed(k)), Some(value)) => {
                    let row = self.speeds.as_ref().map(|speeds| speeds.matrix[k].clone());
                    for (i, slope) in row.unwrap_or_default() {
                        let component = self.graph().mul(slope, value);
                        add(self.graph(), i, component);
                    }
                }
                (Some(Declared::Coordinate(_) | Declared::Speed(_)), None) => complete = false,
                _ => {
                    self.unknown(name, "E0423", "is neither a coordinate nor a speed");
                    complete = false;
                }
            }
        }
        complete.then_some(force)
    }

    fn applied(
        &mut self,
        on: &Name,
        at: Option<&Expression>,
        [vector, torque]: [Option<&Expression>; 2],
        axes: Option<&Name>,
    ) -> Option<Sparse> {
        let target = self.scope.names().get(&on.text);
        let (velocity, omega, center) = match target {
            Some(Declared::Particle(i)) => {
                let motion = self.scope.particle(i)?;
                (motion.velocity, None, motion.position)
            }
            Some(Declared::Body(i)) => {
                let body = self.scope.body(i)?;
                (
                    body.center.velocity,
                    Some(body.attitude.omega),
                    body.center.position,
                )
            }
            _ => {
                self.unknown(on, "E0424", "is neither a body nor a particle");
                return None;
            }
        };
        let turn = match axes {
            Some(axes) => Some(self.axes(axes)?),
            None => None,
        };
        let mut force = Sparse::new();
        if let Some(expression) = vector {
            let components = self.force_vector(expression, turn.as_ref())?;
            let partials = match (at, omega) {
                (None, _) => self.partials(velocity),
                (Some(at), Some(omega)) => self.partials_at(at, velocity, omega, center)?,
                (Some(at), None) => {
                    let message = "a force on a particle acts at the particle";
                    self.scope
                        .refuse(at, 0..at.text.len(), "E0425", message, "leave out `at`");
                    return None;
                }
            };
            self.project_on(&partials, components, &mut force);
        }
        if let Some(expression) = torque {
            let Some(omega) = omega else {
                let message = "a particle takes no moment";
                self.scope.refuse(
                    expression,
                    0..expression.text.len(),
                    "E0425",
                    message,
                    "put it on a body",
                );
                return None;
            };
            let components = self.force_vector(expression, turn.as_ref())?;
            let partials = self.partials(omega);
            self.project_on(&partials, components, &mut force);
        }
        Some(force)
    }

    pub(super) fn force_vector(
        &mut self,
        expression: &Expression,
        turn: Option<&[[ExprId; 3]; 3]>,
    ) -> Option<Vector> {
        let components = self.scope.in_law(|scope| scope.vector(expression))?;
        if !components
            .into_iter()
            .all(|component| self.limit_order(expression, component, 1, "a force"))
        {
            return None;
        }
        Some(match turn {
            Some(matrix) => self.graph().rotate3(matrix, components),
            None => components,
        })
    }

    pub(super) fn axes(&mut self, axes: &Name) -> Option<[[ExprId; 3]; 3]> {
        let attitude = match self.scope.names().get(&axes.text) {
            Some(Declared::Frame(i)) => self.scope.frame(i)?,
            Some(Declared::Body(i)) => self.scope.body(i)?.attitude,
            _ => {
                self.unknown(axes, "E0424", "is neither a body nor a frame");
                return None;
            }
        };
        Some(attitude.matrix)
    }

    /// Partial velocities of the material point of a body at a place: ∂v/∂q' + ∂ω/∂q' × arm.
    fn partials_at(
        &mut self,
        at: &Expression,
        velocity: Vector,
        omega: Vector,
        center: Vector,
    ) -> Option<Partials> {
        let place = match self.scope.value(at)? {
            Value::Vector(place)
            | Value::Point {
                position: place, ..
            } => place,
            other => {
                let message = format!("a place is needed here, and this is {}", other.kind());
                self.scope.refuse(
                    at,
                    0..at.text.len(),
                    "E0402",
                    message,
                    "write a vector or a point",
                );
                return None;
            }
        };
        let arm = self.graph().sub3(place, center);
        let mut partials = self.partials(velocity);
        for (i, turning) in self.partials(omega) {
            let part = self.graph().cross3(turning, arm);
            match partials.iter_mut().find(|(index, _)| *index == i) {
                Some((_, total)) => *total = self.scope.graph.add3(*total, part),
                None => partials.push((i, part)),
            }
        }
        Some(partials)
    }

    fn project_on(&mut self, partials: &Partials, vector: Vector, force: &mut Sparse) {
        for &(i, partial) in partials {
            let component = self.graph().dot3(partial, vector);
            add_component(self.graph(), force, i, component);
        }
    }

    fn unknown(&mut self, name: &Name, code: &'static str, what: &str) {
        let near = self
            .scope
            .did_you_mean(&name.text, self.scope.names().all());
        self.scope.diagnostics.push(Diagnostic {
            code,
            severity: Severity::Error,
            message: format!("`{}` {what}", name.text),
            help: near,
            place: name.place.clone(),
        });
    }
}
