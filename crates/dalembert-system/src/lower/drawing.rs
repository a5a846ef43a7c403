//! What a model looks like: where its particles, bodies and springs are, and what `[draw]` adds, in expressions of the motion.
//!
//! It is found when someone asks, in a graph of its own: a model that is only run never pays for it.

use super::{Lowering, Symbols};
use crate::diagnostic::{Diagnostic, Place};
use crate::elaborate::{Attitude, Declared, Target, Value, Vector, VectorAlgebra};
use crate::ids::ConstraintId;
use crate::mesh::Mesh;
use crate::model::{Draw, Expression, Figure, Model, Name, Shape, SpringSpan};
use crate::units::lookup;
use dalembert_expr::{Cone, ExprId, Graph, Rational, SymbolId};
use std::sync::Arc;

/// A model as something to look at.
pub struct Drawing {
    /// All expressions.
    pub graph: Graph,
    /// What they are functions of. Behind the parameters of the model stand those that run along curves.
    pub symbols: Symbols,
    /// What is seen.
    pub figures: Vec<Drawn>,
    /// Given forces at points.
    pub forces: Vec<DrawnForce>,
    /// Where joints hold what they connect.
    pub joints: Vec<JointPlace>,
    /// Acceleration of gravity.
    pub gravity: Option<Vector>,
    /// Where the camera is, and what it looks at.
    pub camera: Option<[Vector; 2]>,
}

/// Something that is seen.
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// What it is, and where.
    pub form: Form,
    /// Its shapes.
    pub shapes: Vec<DrawnShape>,
    /// A name of the palette, or #rrggbb.
    pub color: Option<String>,
    /// Words beside it.
    pub label: Option<String>,
    /// Whether its way stays visible.
    pub trail: bool,
}

/// What is seen, and where.
pub enum Form {
    /// A point mass.
    Particle {
        /// Where it is.
        at: Vector,
        /// How heavy it is.
        mass: ExprId,
    },
    /// A rigid body.
    Body {
        /// Its mass centre.
        at: Vector,
        /// Rows of its attitude.
        attitude: [Vector; 3],
        /// How heavy it is.
        mass: ExprId,
        /// Its inertia in body axes.
        inertia: Option<[Vector; 3]>,
        /// Its named points in body axes.
        points: Vec<Vector>,
    },
    /// A shape at a point.
    Point {
        /// The point.
        at: Vector,
        /// Rows of its attitude.
        attitude: [Vector; 3],
    },
    /// A rod between two points.
    Line([Vector; 2]),
    /// A spring or damper between two points.
    Spring([Vector; 2]),
    /// A wire.
    Curve {
        /// What runs along it.
        running: SymbolId,
        /// From there, to there.
        range: [ExprId; 2],
        /// The point at each.
        at: Vector,
    },
}

/// A shape with its measures.
pub struct DrawnShape {
    /// disk, rod, box, sphere, cylinder, tube, cone, ellipsoid or mesh.
    pub kind: String,
    /// Its measures by name.
    pub measures: Vec<(String, Vec<ExprId>)>,
    /// Its axis of symmetry: x, y or z.
    pub axis: String,
    /// Where it stands in the axes of what it belongs to, from its mass centre.
    pub at: Vector,
    /// Rows of how it stands in them, if not along them.
    pub attitude: Option<[Vector; 3]>,
    /// The triangles of a mesh, and what their numbers are to be multiplied by.
    pub mesh: Option<(Arc<Mesh>, f64)>,
}

/// A given force at a point.
pub struct DrawnForce {
    /// Its name.
    pub name: String,
    /// Where it acts.
    pub at: Vector,
    /// The force.
    pub force: Vector,
}

/// Where a joint holds something.
pub struct JointPlace {
    /// The constraint.
    pub of: ConstraintId,
    /// What it holds.
    pub on: Target,
    /// Where.
    pub at: Vector,
}

/// A model as something to look at.
///
/// # Errors
/// What is wrong with its meaning.
pub fn drawing(model: &Model) -> Result<Drawing, Vec<Diagnostic>> {
    let extended = model.with_running();
    let mut work = Lowering::new(&extended);
    work.particles();
    work.bodies();
    let mut figures = work.things();
    work.spring_figures(&mut figures);
    for draw in &model.draws {
        work.figure(draw, &mut figures);
    }
    work.rod_figures(&mut figures);
    let forces = work.drawn_forces();
    let joints = work.joint_places();
    let gravity = model.gravity.as_ref();
    let gravity = gravity.and_then(|it| work.scope.vector(it));
    let camera = model.view.camera.as_ref();
    let camera = camera.and_then(|it| Some([work.seen(&it[0], 0)?, work.seen(&it[1], 0)?]));
    if !work.scope.diagnostics.is_empty() {
        return Err(work.scope.diagnostics);
    }
    Ok(Drawing {
        graph: work.scope.graph,
        symbols: work.symbols,
        figures,
        forces,
        joints,
        gravity,
        camera,
    })
}

impl Lowering<'_> {
    /// Particles and bodies.
    fn things(&mut self) -> Vec<Drawn> {
        let model = self.model;
        let mut found = Vec::new();
        for target in self.targets() {
            let Some((motion, (mass, inertia))) =
                self.center(target).zip(self.masses.get(&target).copied())
            else {
                continue;
            };
            let at = motion.position;
            let (form, shapes) = match target {
                Target::Particle(_) => (Form::Particle { at, mass }, Vec::new()),
                Target::Body(i) => {
                    let Some(attitude) = self.scope.body(i).map(|body| body.attitude.matrix) else {
                        continue;
                    };
                    let body = &model.bodies[i];
                    let points = body.points.iter();
                    let points = points
                        .filter_map(|(_, at)| self.scope.vector(at))
                        .collect::<Vec<_>>();
                    let points = points.into_iter();
                    let points = points
                        .map(|at| self.scope.from_mass_center(i, at))
                        .collect();
                    let mut shapes: Vec<DrawnShape> = Vec::new();
                    for shape in &body.shapes {
                        shapes.extend(self.drawn_shape(shape));
                    }
                    for shape in &mut shapes {
                        shape.at = self.scope.from_mass_center(i, shape.at);
                    }
                    let form = Form::Body {
                        at,
                        attitude,
                        mass,
                        inertia,
                        points,
                    };
                    (form, shapes)
                }
            };
            let name = target.name(model).to_owned();
            found.push(plain(name, form, shapes));
        }
        found
    }

    fn spring_figures(&mut self, figures: &mut Vec<Drawn>) {
        let model = self.model;
        for spring in &model.springs {
            if let SpringSpan::Between(ends) = &spring.span
                && let (Some(from), Some(to)) = (self.point(&ends[0]), self.point(&ends[1]))
            {
                let form = Form::Spring([from, to]);
                figures.push(plain(spring.name.text.clone(), form, Vec::new()));
            }
        }
    }

    /// Rods and ropes of constraints, unless they are drawn already; a wire that is drawn may be what a constraint is.
    fn rod_figures(&mut self, figures: &mut Vec<Drawn>) {
        let model = self.model;
        let wired = figures
            .iter()
            .any(|it| matches!(it.form, Form::Curve { .. }));
        for constraint in &model.constraints {
            let Some([a, b]) = self.rod(constraint) else {
                continue;
            };
            let drawn = figures.iter().any(|it| match it.form {
                Form::Line(ends) | Form::Spring(ends) => ends == [a, b] || ends == [b, a],
                _ => false,
            });
            if !drawn && (!wired || constraint.is_contact()) {
                let form = Form::Line([a, b]);
                figures.push(plain(constraint.name.text.clone(), form, Vec::new()));
            }
        }
    }

    fn joint_places(&mut self) -> Vec<JointPlace> {
        let model = self.model;
        let mut found = Vec::new();
        for constraint in &model.constraints {
            let Some((of, ends)) = self.joint_called(&constraint.name.text) else {
                continue;
            };
            for on in ends.into_iter().flatten() {
                let end = self.joint_end(of, ends, on).cloned();
                let at = end.and_then(|end| self.quietly(|work| work.point(&end)));
                found.extend(at.map(|at| JointPlace { of, on, at }));
            }
        }
        found
    }

    /// A point, or the centre of what is named.
    pub(super) fn point(&mut self, expression: &Expression) -> Option<Vector> {
        match self.scope.value(expression)? {
            Value::Particle(i) => self.scope.particle(i).map(|it| it.position),
            Value::Body(i) => self.scope.body(i).map(|it| it.center.position),
            other => other.as_vector(),
        }
    }

    fn figure(&mut self, draw: &Draw, figures: &mut Vec<Drawn>) -> Option<()> {
        let shape = match &draw.shape {
            Some(shape) => Some(self.drawn_shape(shape)?),
            None => None,
        };
        let form = match &draw.figure {
            Figure::Thing(thing) => return self.look(draw, thing, shape, figures),
            Figure::Point { at, attitude } => {
                let at = self.seen(at, 1)?;
                let attitude = match attitude {
                    Some(attitude) => self.scope.attitude(attitude)?,
                    None => Attitude::identity(self.graph()),
                };
                let attitude = attitude.matrix;
                Form::Point { at, attitude }
            }
            Figure::Line(ends) => Form::Line([self.seen(&ends[0], 1)?, self.seen(&ends[1], 1)?]),
            Figure::Curve(curve) => {
                let running = self.scope.names().get(&curve.of.text);
                let Some(Declared::Parameter(i)) = running else {
                    return None;
                };
                let running = self.symbols.parameters[i];
                let from = self.constant(&curve.from, "an end of a curve")?;
                let to = self.constant(&curve.to, "an end of a curve")?;
                let at = self.seen(&curve.at, 1)?;
                Form::Curve {
                    running,
                    range: [from, to],
                    at,
                }
            }
        };
        figures.push(Drawn {
            name: draw.name.text.clone(),
            form,
            shapes: shape.into_iter().collect(),
            color: draw.color.as_ref().map(|color| color.text.clone()),
            label: draw.label.clone(),
            trail: draw.trail,
        });
        Some(())
    }

    /// Another look for a body or particle.
    fn look(
        &mut self,
        draw: &Draw,
        thing: &Name,
        shape: Option<DrawnShape>,
        figures: &mut [Drawn],
    ) -> Option<()> {
        let target = self.scope.names().get(&thing.text);
        let target = target.and_then(Declared::target);
        if target.is_none() {
            let message = format!("`{}` is neither a body nor a particle", thing.text);
            let help = "name one of the model, or give a point, a line or a curve";
            let place: Place = thing.place.clone();
            self.scope.report("E0497", place, message, help);
            return None;
        }
        let figure = figures.iter_mut().find(|it| it.name == thing.text)?;
        if let Some(mut shape) = shape {
            if let Some(Target::Body(index)) = target {
                shape.at = self.scope.from_mass_center(index, shape.at);
            }
            figure.shapes = vec![shape];
        }
        if let Some(color) = &draw.color {
            figure.color = Some(color.text.clone());
        }
        if draw.label.is_some() {
            figure.label.clone_from(&draw.label);
        }
        figure.trail |= draw.trail;
        Some(())
    }

    /// A vector that is drawn: of coordinates, time, and rates if they may be there.
    fn seen(&mut self, expression: &Expression, order: u8) -> Option<Vector> {
        let found = self.point(expression);
        let Some(vector) = found else {
            if self.scope.diagnostics.is_empty() {
                let message = "a vector is needed here";
                let help = "write its three components: [a, b, c]";
                self.scope.refuse_whole(expression, "E0402", message, help);
            }
            return None;
        };
        let limited = |work: &mut Self, &component: &ExprId| {
            work.limit_order(expression, component, order, "what is drawn")
        };
        vector.iter().all(|it| limited(self, it)).then_some(vector)
    }

    fn drawn_shape(&mut self, shape: &Shape) -> Option<DrawnShape> {
        let mut measures = Vec::with_capacity(shape.measures.len());
        for (name, values) in &shape.measures {
            let values = values.iter().map(|it| self.constant(it, "a measure"));
            measures.push((name.text.clone(), values.collect::<Option<Vec<_>>>()?));
        }
        let axis = shape.axis.as_ref();
        let zero = self.graph().zero3();
        Some(DrawnShape {
            kind: shape.kind.text.clone(),
            measures,
            axis: axis.map_or_else(|| "z".to_owned(), |axis| axis.text.clone()),
            at: self.scope.place_of_shape(shape)?.unwrap_or(zero),
            attitude: self.scope.attitude_of_shape(shape)?,
            mesh: shape.file.as_ref().and_then(|[file, unit]| {
                let mesh = self.model.files.mesh(&file.text)?;
                Some((mesh.clone(), lookup(&unit.text)?.value()))
            }),
        })
    }

    /// Forces on particles and bodies that are known without accelerations and reactions, weight among them.
    fn drawn_forces(&mut self) -> Vec<DrawnForce> {
        let model = self.model;
        let mut found = Vec::new();
        for force in &model.forces {
            let read = self.quietly(|work| work.read_load(&force.load));
            let Some(read) = read else {
                continue;
            };
            let center = self.center(read.on).map(|it| it.position);
            if let (Some(at), Some(vector)) = (read.at.or(center), read.force) {
                found.push(DrawnForce {
                    name: force.name.text.clone(),
                    at,
                    force: vector,
                });
            }
        }
        let gravity = model.gravity.as_ref();
        if let Some(gravity) = gravity.and_then(|it| self.scope.vector(it)) {
            for target in self.targets() {
                let (Some(motion), Some(&(mass, _))) =
                    (self.center(target), self.masses.get(&target))
                else {
                    continue;
                };
                if self.scope.graph.as_number(mass) == Some(&Rational::ZERO) {
                    continue;
                }
                found.push(DrawnForce {
                    name: format!("weight of {}", target.name(model)),
                    at: motion.position,
                    force: self.graph().scale3(mass, gravity),
                });
            }
        }
        let known = self.symbols.known();
        let graph = &self.scope.graph;
        found.retain(|it| {
            let all: Vec<ExprId> = it.at.into_iter().chain(it.force).collect();
            let symbols = Cone::new(graph, &all).symbols(graph);
            symbols.iter().all(|symbol| known.contains(symbol))
        });
        found
    }
}

impl Symbols {
    /// q, q', t and the parameters: what a sample of a run knows.
    #[must_use]
    pub fn known(&self) -> Vec<SymbolId> {
        [
            self.coordinates.as_slice(),
            &self.rates,
            &[self.time],
            &self.parameters,
        ]
        .concat()
    }
}

fn plain(name: String, form: Form, shapes: Vec<DrawnShape>) -> Drawn {
    Drawn {
        name,
        form,
        shapes,
        color: None,
        label: None,
        trail: false,
    }
}
