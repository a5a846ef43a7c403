//! Given forces: gravity, generalized forces, forces and moments on bodies and particles.
//!
//! A force F at a point with velocity v has the generalized force Q_k = F · ∂v/∂q'_k.

use super::dependence::Order;
use super::inertia::{Partials, add_component};
use super::{Given, Lowering, Sparse};
use crate::elaborate::{Declared, Target, Vector, VectorAlgebra};
use crate::model::{Expression, Load, Name};
use dalembert_expr::{ExprId, Graph};
use std::collections::HashMap;

/// A load on a particle or body, read.
pub(super) struct ReadLoad {
    /// What it acts on.
    pub(super) on: Target,
    /// Where the force acts; the mass centre if not said.
    pub(super) at: Option<Vector>,
    pub(super) force: Option<Vector>,
    pub(super) torque: Option<Vector>,
}

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
            self.scope.refuse_whole(expression, "E0422", message, help);
            return;
        }
        let mut terms = Vec::new();
        for (target, (mass, _)) in self.masses.clone() {
            if let Some(motion) = self.center(target) {
                let height = self.graph().dot3(gravity, motion.position);
                let term = self.graph().mul(mass, height);
                terms.push(self.graph().neg(term));
            }
        }
        let potential = self.graph().sum(terms);
        self.conservative("gravity", potential);
        self.hung_by(gravity);
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
                    damping: None,
                });
            }
        }
    }

    /// The generalized force of a load, in coordinates; reactions may be in it.
    pub(super) fn load(&mut self, load: &Load) -> Option<Sparse> {
        if let Load::Generalized(components) = load {
            return self.generalized(components);
        }
        if let Load::Along { measure, size } = load {
            return self.along(measure, size);
        }
        let read = self.read_load(load)?;
        let mut force = Sparse::new();
        let center = self.center(read.on)?;
        let turning = match read.on {
            Target::Body(i) => Some(self.scope.body(i)?.attitude.omega),
            Target::Particle(_) => None,
        };
        if let Some(vector) = read.force {
            let mut partials = self.partials(center.velocity);
            if let (Some(at), Some(omega)) = (read.at, turning) {
                self.carry_to(at, center.position, omega, &mut partials);
            }
            self.project_on(&partials, vector, &mut force);
        }
        if let (Some(torque), Some(omega)) = (read.torque, turning) {
            let partials = self.partials(omega);
            self.project_on(&partials, torque, &mut force);
        }
        Some(force)
    }

    /// What a load on a particle or body says, in world axes; `None` if something is wrong with it, or it is given in
    /// coordinates.
    pub(super) fn read_load(&mut self, load: &Load) -> Option<ReadLoad> {
        let Load::Applied {
            on,
            at,
            vector,
            torque,
            axes,
        } = load
        else {
            return None;
        };
        let Some(target) = self.scope.names().get(&on.text).and_then(Declared::target) else {
            let is_known = |it: Declared| it.target().is_some();
            self.unknown(on, ("E0424", "is neither a body nor a particle"), is_known);
            return None;
        };
        let turn = match axes {
            Some(axes) => Some(self.axes(axes)?),
            None => None,
        };
        let mut read = ReadLoad {
            on: target,
            at: None,
            force: None,
            torque: None,
        };
        let is_particle = matches!(target, Target::Particle(_));
        if let Some(expression) = vector {
            read.force = Some(self.force_vector(expression, turn.as_ref())?);
            if let (Some(at), true) = (at, is_particle) {
                let message = "a force on a particle acts at the particle";
                self.scope
                    .refuse_whole(at, "E0425", message, "leave out `at`");
                return None;
            }
            if let Some(at) = at {
                read.at = Some(self.place(at)?);
            }
        }
        if let Some(expression) = torque {
            if is_particle {
                let message = "a particle takes no moment";
                self.scope
                    .refuse_whole(expression, "E0425", message, "put it on a body");
                return None;
            }
            read.torque = Some(self.force_vector(expression, turn.as_ref())?);
        }
        Some(read)
    }

    /// Work per change of a scalar s: Q = F ∂s/∂q.
    fn along(&mut self, measure: &Expression, size: &Expression) -> Option<Sparse> {
        let along = self.scope.scalar(measure);
        let size_of = self.scope.in_law(|scope| scope.scalar(size));
        let (along, value) = (along?, size_of?);
        let geometric = self.limit_order(measure, along, 0, "what a force acts along");
        let jumps = ("what a force acts along", &[Order::Coordinates][..]);
        if !geometric
            || self.refuse_jumps_in_time(measure, along, jumps)
            || !self.limit_order(size, value, 1, "a force")
        {
            return None;
        }
        let slopes = self.sparse_gradient(along, Order::Coordinates);
        let g = self.graph();
        Some(
            slopes
                .into_iter()
                .map(|(i, slope)| (i, g.mul(value, slope)))
                .collect(),
        )
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
            if self.model.counts_turns(&name.text) {
                let message = format!(
                    "`{}` is the angle of a joint, and moves no body by itself",
                    name.text
                );
                let help = format!(
                    "write along = \"{}\" and size in place of generalized",
                    name.text
                );
                self.scope
                    .report("E0423", name.place.clone(), message, &help);
                complete = false;
                continue;
            }
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
                    let is_known = |it| matches!(it, Declared::Coordinate(_) | Declared::Speed(_));
                    let code = ("E0423", "is neither a coordinate nor a speed");
                    self.unknown(name, code, is_known);
                    complete = false;
                }
            }
        }
        complete.then_some(force)
    }

    fn force_vector(
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

    fn axes(&mut self, axes: &Name) -> Option<[[ExprId; 3]; 3]> {
        let attitude = match self.scope.names().get(&axes.text) {
            Some(Declared::Frame(i)) => self.scope.frame(i)?,
            Some(Declared::Body(i)) => self.scope.body(i)?.attitude,
            _ => {
                let is_known = |it| matches!(it, Declared::Body(_) | Declared::Frame(_));
                self.unknown(axes, ("E0424", "is neither a body nor a frame"), is_known);
                return None;
            }
        };
        Some(attitude.matrix)
    }

    fn place(&mut self, at: &Expression) -> Option<Vector> {
        let value = self.scope.value(at)?;
        let place = value.as_vector();
        if place.is_none() {
            let message = format!("a place is needed here, and this is {}", value.kind());
            let help = "write a vector or a point";
            self.scope.refuse_whole(at, "E0402", message, help);
        }
        place
    }

    /// From the partial velocities of a mass centre to those of the material point at a place: ∂v/∂q' + ∂ω/∂q' × arm.
    fn carry_to(&mut self, at: Vector, center: Vector, omega: Vector, partials: &mut Partials) {
        let arm = self.graph().sub3(at, center);
        for (i, turning) in self.partials(omega) {
            let part = self.graph().cross3(turning, arm);
            match partials.iter_mut().find(|(index, _)| *index == i) {
                Some((_, total)) => *total = self.scope.graph.add3(*total, part),
                None => partials.push((i, part)),
            }
        }
    }

    fn project_on(&mut self, partials: &Partials, vector: Vector, force: &mut Sparse) {
        for &(i, partial) in partials {
            let component = self.graph().dot3(partial, vector);
            add_component(self.graph(), force, i, component);
        }
    }

    fn unknown(
        &mut self,
        name: &Name,
        (code, what): (&'static str, &str),
        is_known: impl Fn(Declared) -> bool,
    ) {
        let known = self.scope.names().only(is_known);
        let near = self.scope.did_you_mean(&name.text, known);
        let message = format!("`{}` {what}", name.text);
        let place = name.place.clone();
        self.scope
            .report(code, place, message, near.unwrap_or_default());
    }
}
