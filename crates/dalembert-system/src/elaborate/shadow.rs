//! Small displacements of particles and bodies, to ask what an expression does when they are moved.
//!
//! While shadows are cast, a particle is at r + e and a body has its centre at c + e and its attitude
//! Rx(a₁) Ry(a₂) Rz(a₃) R, with symbols e and a of their own: world axes, zero along the motion. They
//! act where an expression, or a definition, speed or frame that it uses, speaks of the particle or
//! body; never in the kinematics of another one. So the derivative of a row by e' and a' is the force
//! and the moment on that very particle or body, whatever coordinates move it.

use super::{Attitude, BodyMotion, Declared, Elaborator, PointMotion, Value, Vector};
use super::{Statement, VectorAlgebra, names};
use crate::model::{Expression, Model};
use dalembert_expr::calculus::gradient;
use dalembert_expr::{Cone, ExprId, SymbolKind, simplify, substitute};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A particle or body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A particle, by index.
    Particle(usize),
    /// A body, by index.
    Body(usize),
}

impl Target {
    /// Its name in the model.
    #[must_use]
    pub fn name(self, model: &Model) -> &str {
        match self {
            Self::Particle(i) => &model.particles[i].name.text,
            Self::Body(i) => &model.bodies[i].name.text,
        }
    }
}

/// What is seen while shadows are cast.
#[derive(Default)]
pub(super) struct Shadows {
    particles: BTreeMap<usize, PointMotion>,
    bodies: BTreeMap<usize, BodyMotion>,
    definitions: BTreeMap<usize, Option<Value>>,
    speeds: BTreeMap<usize, Option<ExprId>>,
    frames: BTreeMap<usize, Option<Attitude>>,
    /// Whose displacement a name stands for: 0 to 2 of the position, 3 to 5 of the attitude.
    components: BTreeMap<Arc<str>, (Target, usize)>,
}

impl Elaborator<'_> {
    /// What an expression says where every particle and body it speaks of is displaced.
    pub(crate) fn displaced(&mut self, expression: &Expression) -> Option<Statement> {
        self.casting = true;
        let before = self.diagnostics.len();
        self.declare_displaced(expression);
        let statement = self.statement(expression);
        // What is wrong was said when it was read the first time.
        self.diagnostics.truncate(before);
        self.casting = false;
        statement
    }

    /// The same of a value; a particle or body is its displaced position.
    pub(crate) fn displaced_value(&mut self, expression: &Expression) -> Option<Value> {
        let Some(Statement::Value(value)) = self.displaced(expression) else {
            return None;
        };
        self.casting = true;
        let position = match value {
            Value::Particle(i) => self.particle_motion(i).map(|motion| motion.position),
            Value::Body(i) => self.body_motion(i).map(|body| body.center.position),
            _ => None,
        };
        self.casting = false;
        Some(position.map_or(value, Value::Vector))
    }

    /// Definitions, speeds and frames that an expression uses, each after those it is written in.
    fn declare_displaced(&mut self, expression: &Expression) {
        let model = self.model;
        let mut needed: BTreeMap<usize, Declared> = BTreeMap::new();
        let mut pending = vec![expression];
        while let Some(expression) = pending.pop() {
            for name in names::used(&expression.tree) {
                let declared = self.names.get(name);
                let declared = declared.filter(|&declared| !self.shadows.knows(declared));
                let place = declared.and_then(|declared| self.order.get(&declared));
                if let (Some(declared), Some(&place)) = (declared, place)
                    && needed.insert(place, declared).is_none()
                {
                    pending.extend(names::expressions_of(model, declared));
                }
            }
        }
        for declared in needed.into_values() {
            match declared {
                Declared::Definition(i) => {
                    let value = self.value(&model.definitions[i].1);
                    self.shadows.definitions.insert(i, value);
                }
                Declared::Speed(i) => {
                    let value = self.scalar(&model.speeds[i].1);
                    self.shadows.speeds.insert(i, value);
                }
                Declared::Frame(i) => {
                    let value = self.attitude(&model.frames[i].attitude);
                    self.shadows.frames.insert(i, value);
                }
                _ => {}
            }
        }
    }

    /// How a particle moves, displaced while shadows are cast.
    pub(super) fn particle_motion(&mut self, index: usize) -> Option<PointMotion> {
        let motion = self.particles[index];
        if !self.casting {
            return motion;
        }
        if let Some(&motion) = self.shadows.particles.get(&index) {
            return Some(motion);
        }
        let motion = motion?;
        let displacement = self.cast(Target::Particle(index), "displacement", 0);
        let motion = self.displaced_point(motion, displacement);
        self.shadows.particles.insert(index, motion);
        Some(motion)
    }

    /// How a body moves, displaced while shadows are cast.
    pub(super) fn body_motion(&mut self, index: usize) -> Option<BodyMotion> {
        let motion = self.bodies[index];
        if !self.casting {
            return motion;
        }
        if let Some(&motion) = self.shadows.bodies.get(&index) {
            return Some(motion);
        }
        let BodyMotion { center, attitude } = motion?;
        let displacement = self.cast(Target::Body(index), "displacement", 0);
        let angles = self.cast(Target::Body(index), "turn", 3);
        let mut turn = Attitude::identity(&mut self.graph);
        for (axis, angle) in angles.into_iter().enumerate() {
            let rate = self.rate(angle);
            let about = Attitude::about_axis(&mut self.graph, axis, angle, rate);
            turn = turn.then(&mut self.graph, &about);
        }
        let motion = BodyMotion {
            center: self.displaced_point(center, displacement),
            attitude: turn.then(&mut self.graph, &attitude),
        };
        self.shadows.bodies.insert(index, motion);
        Some(motion)
    }

    /// The attitude of a body, displaced while shadows are cast. Known before its centre is.
    pub(super) fn body_attitude(&mut self, index: usize) -> Option<Attitude> {
        if self.casting {
            self.body_motion(index).map(|body| body.attitude)
        } else {
            self.attitudes[index]
        }
    }

    pub(super) fn frame_attitude(&self, index: usize) -> Option<Attitude> {
        let displaced = self.shadows.frames.get(&index).filter(|_| self.casting);
        displaced.map_or(self.frames[index], |attitude| *attitude)
    }

    pub(super) fn definition(&self, index: usize) -> Option<Value> {
        let displaced = self.shadows.definitions.get(&index);
        let displaced = displaced.filter(|_| self.casting);
        displaced.map_or(self.definitions[index], |value| *value)
    }

    pub(super) fn speed(&self, index: usize) -> Option<ExprId> {
        let displaced = self.shadows.speeds.get(&index).filter(|_| self.casting);
        displaced.map_or(self.speeds[index], |value| *value)
    }

    /// Three displacements of a target. Their names hold spaces, which those of a model do not.
    fn cast(&mut self, target: Target, what: &str, first: usize) -> Vector {
        [0, 1, 2].map(|axis| {
            let name = format!("{what} {axis} of {}", target.name(self.model));
            let name: Arc<str> = name.into();
            let components = &mut self.shadows.components;
            components.insert(Arc::clone(&name), (target, first + axis));
            self.graph.symbol(&name, SymbolKind::Coordinate)
        })
    }

    fn displaced_point(&mut self, motion: PointMotion, by: Vector) -> PointMotion {
        let rate = self.rate3(by);
        PointMotion {
            position: self.graph.add3(motion.position, by),
            velocity: self.graph.add3(motion.velocity, rate),
        }
    }

    /// Derivatives of an expression by displacements, or by their rates, where nothing is displaced:
    /// target, component and value.
    pub(crate) fn by_displacements(
        &mut self,
        expression: ExprId,
        order: u8,
    ) -> Vec<(Target, usize, ExprId)> {
        let graph = &mut self.graph;
        let (mut chosen, mut symbols, mut undo) = (Vec::new(), Vec::new(), Vec::new());
        let zero = graph.integer(0);
        for symbol in Cone::new(graph, &[expression]).symbols(graph) {
            let data = graph.symbol_data(symbol);
            if let Some(&component) = self.shadows.components.get(&*data.name) {
                undo.push((graph.symbol_node(symbol), zero));
                if data.order == order {
                    chosen.push(component);
                    symbols.push(symbol);
                }
            }
        }
        let slopes = gradient(graph, expression, &symbols);
        let slopes = substitute(graph, &slopes, &undo);
        let slopes = simplify(graph, &slopes);
        let slopes: Vec<(Target, usize, ExprId)> = chosen
            .into_iter()
            .zip(slopes)
            .filter(|&(_, slope)| slope != zero)
            .map(|((target, component), slope)| (target, component, slope))
            .collect();
        slopes
    }
}

impl Shadows {
    fn knows(&self, declared: Declared) -> bool {
        match declared {
            Declared::Definition(i) => self.definitions.contains_key(&i),
            Declared::Speed(i) => self.speeds.contains_key(&i),
            Declared::Frame(i) => self.frames.contains_key(&i),
            _ => false,
        }
    }
}
