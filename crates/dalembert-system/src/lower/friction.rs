//! Coulomb friction of a constraint.
//!
//! A row that is a contact is the normal part of the relative velocity of the sliding point and the body it
//! slides on. With that velocity u = J q' + u₀, the row's reaction is a force f λ on the point (and −f λ on the
//! body), where
//!
//! ```text
//! Jᵀ f = Aᵀ          f = (J Jᵀ)⁻¹ J Aᵀ, or J (Jᵀ J)⁻¹ Aᵀ where coordinates are fewer than directions
//! N = |Σ f λ|        u_t = u without its part along the normals
//! w = −μ N Jᵀ u_t/|u_t|
//! ```
//!
//! Whether Jᵀ f = Aᵀ can be met is looked at in numbers, at each state: if not, the row is no contact at that point.
//!
//! Slip along a line (a plane with one normal, or space with two) has a tangent e that does not depend on velocities,
//! so u_t/|u_t| = ± e. The sign is a symbol of its own: a run keeps it while it looks for the time at which the slip vanishes.
//! In a plane the components of u_t/|u_t| are symbols, so that friction has a value also where the slip begins.

use super::contact::norm;
use super::inertia::Partials;
use super::slip::Slip;
use super::{Lowering, Requirement, Sparse, Wrench};
use crate::diagnostic::Place;
use crate::elaborate::{Declared, Target, Value, Vector, VectorAlgebra};
use crate::ids::{ConstraintId, Id};
use crate::lower::RowId;
use crate::model::{Constraint, Expression, Friction as Given, Name};
use dalembert_expr::{ExprId, Rational};

/// What has friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rough {
    /// This constraint of the model.
    Constraint(ConstraintId),
    /// This spring: dry friction of given size.
    Spring(usize),
}

/// Friction, lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Friction {
    /// Whose it is.
    pub of: Rough,
    /// μ.
    pub coefficient: ExprId,
    /// The same where nothing slips, not less.
    pub holding: ExprId,
    /// N, which may hold multipliers.
    pub normal: ExprId,
    /// Rows that press, each with |f|: the force of a multiplier one.
    pub rows: Vec<(RowId, ExprId)>,
    /// w of a normal force one, in coordinates.
    pub direction: Sparse,
    /// What Jᵀ f lacks of Aᵀ, and the row.
    pub misfit: Vec<(RowId, ExprId)>,
    /// How it slips.
    pub slip: Slip,
    /// Whether the constraint has no other law that uses reactions.
    pub alone: bool,
    /// Forces on what slides and on what it slides on.
    pub acting: Vec<Wrench>,
}

/// Something of each of some rows.
type OfRows<T> = Vec<(RowId, T)>;

/// The sliding point, relative to what it slides on.
pub(super) struct Sliding {
    /// What slides.
    target: Target,
    /// The body it slides on.
    against: Option<usize>,
    position: Vector,
    /// Relative to what it slides on, as are the partial velocities.
    pub(super) velocity: Vector,
    pub(super) partials: Partials,
}

impl Lowering<'_> {
    /// The friction of a constraint whose rows are lowered, and its w; where they were not understood, what is wrong with the friction's own texts.
    pub(super) fn friction(
        &mut self,
        index: ConstraintId,
        constraint: &Constraint,
        understood: bool,
    ) -> Option<Sparse> {
        let given = constraint.friction.as_ref()?;
        let coefficient = self.coefficient(constraint, &given.coefficient)?;
        let holding = match &given.holding {
            None => coefficient,
            Some(holding) => {
                let value = self.coefficient(constraint, holding)?;
                self.requirements.push(Requirement::Holding {
                    of: constraint.name.text.clone(),
                    values: [coefficient, value],
                    place: holding.whole(),
                });
                value
            }
        };
        let width = match &given.smoothing {
            Some(width) => Some(self.smoothing(constraint, width)?),
            None => None,
        };
        let against = match &given.against {
            Some(name) => self.opposite(name)?,
            None => None,
        };
        if !understood {
            return None;
        }
        let sliding = self.sliding(index, constraint, given, against)?;
        let (normals, misfit) = self.pressing(index, &sliding);
        let axes = self.axes_of(&sliding);
        let directions: Vec<Vector> = normals.iter().map(|&(_, force)| force).collect();
        let name = &constraint.name.text;
        let tangent = match (axes.as_slice(), directions.as_slice()) {
            (&[a, b], &[normal]) => Some(self.in_plane(3 - a - b, normal)),
            ([_, _, _], &[first, second]) => {
                let across = self.graph().cross3(first, second);
                Some(self.unit(across))
            }
            ([_, _, _], [_]) => None,
            (_, []) => {
                let moved = self.candidates(index, against);
                let moved: Vec<&str> = moved.iter().map(|it| it.name(self.model)).collect();
                let help = match moved.as_slice() {
                    [] => "the constraint moves neither a particle nor a body: write friction into one that presses on something".to_owned(),
                    moved => format!("the constraint moves {}: name a point of it by `at`", moved.join(", ")),
                };
                let message = format!("`{name}` does not press on the point that slides");
                self.refuse_friction(constraint, "E0474", message, &help);
                return None;
            }
            _ => {
                let help = "write friction into the constraint that keeps the surfaces in contact, and no other";
                let message = format!("`{name}` leaves no direction to slide in");
                self.refuse_friction(constraint, "E0474", message, help);
                return None;
            }
        };
        // Without a coefficient there is no friction, and no slip that could vanish.
        if self.is_nothing(coefficient) {
            if let Some(holding) = given.holding.as_ref().filter(|_| !self.is_nothing(holding)) {
                let message =
                    format!("the friction of `{name}` has a static coefficient, and no other");
                let help = "give `coefficient` a value above 0: how much it slows what slides";
                self.scope.report("E0478", holding.whole(), message, help);
            }
            return None;
        }
        let normal = self.normal_force(&normals);
        let (slip, along) = match tangent {
            Some(tangent) => self.line_slip(name, &sliding, tangent, width),
            None => self.plane_slip(name, &sliding, directions[0], width),
        };
        let g = self.graph();
        let strength = g.neg(coefficient);
        let mut direction = Sparse::new();
        for &(i, partial) in &sliding.partials {
            let part = g.dot3(partial, along);
            let part = g.mul(strength, part);
            if g.as_number(part).is_none_or(|n| !n.is_zero()) {
                direction.push((i, part));
            }
        }
        let rows = normals
            .iter()
            .map(|&(row, force)| (row, norm(g, force)))
            .collect();
        let work = direction
            .iter()
            .map(|&(i, part)| (i, g.mul(normal, part)))
            .collect();
        let acting = self.acting(&sliding, along, [coefficient, normal]);
        self.frictions.push(Friction {
            of: Rough::Constraint(index),
            coefficient,
            holding,
            normal,
            rows,
            direction,
            misfit,
            slip,
            alone: true,
            acting,
        });
        Some(work)
    }

    /// The rows of a constraint that press on a point, with their forces there for multipliers of one; and what of the rows is no force
    /// at the point.
    fn pressing(
        &mut self,
        index: ConstraintId,
        sliding: &Sliding,
    ) -> (OfRows<Vector>, OfRows<ExprId>) {
        let (mut normals, mut misfit) = (Vec::new(), Vec::new());
        for row in Id::all(&self.rows) {
            if self.rows[row].constraint != index {
                continue;
            }
            let force = self.contact_force(row, &sliding.partials);
            let zero = self.graph().zero3();
            if force != zero {
                normals.push((row, force));
            }
            misfit.extend(self.misfit(row, force, &sliding.partials));
        }
        (normals, misfit)
    }

    fn coefficient(&mut self, constraint: &Constraint, expression: &Expression) -> Option<ExprId> {
        let value = self.scope.in_law(|scope| scope.scalar(expression))?;
        if !self.limit_order(expression, value, 1, "a coefficient of friction") {
            return None;
        }
        let found = self.depends_on(value);
        if !found.motion && !found.time && !self.scope.holds_reaction(&[value]) {
            self.requirements.push(Requirement::Friction {
                of: constraint.name.text.clone(),
                value,
                zero: true,
                place: expression.whole(),
            });
        }
        Some(value)
    }

    /// Whether an expression is the number zero.
    pub(super) fn is_nothing(&self, value: ExprId) -> bool {
        let number = self.scope.graph.as_number(value);
        number.is_some_and(Rational::is_zero)
    }

    fn smoothing(&mut self, constraint: &Constraint, width: &Expression) -> Option<ExprId> {
        let value = self.constant(width, "the smoothing of friction")?;
        self.requirements.push(Requirement::Friction {
            of: constraint.name.text.clone(),
            value,
            zero: false,
            place: width.whole(),
        });
        Some(value)
    }

    /// The body slid on; `None` is the ground.
    fn opposite(&mut self, name: &Name) -> Option<Option<usize>> {
        match self.scope.names().get(&name.text) {
            Some(Declared::Body(body)) => self.scope.body(body).map(|_| Some(body)),
            None if name.text == "ground" => Some(None),
            _ => {
                let message = format!("`{}` is no body to slide on", name.text);
                let help = "name a body, or leave it out for the ground";
                let place = name.place.clone();
                self.scope.report("E0475", place, message, help);
                None
            }
        }
    }

    /// The sliding point and how it moves relative to what it slides on.
    fn sliding(
        &mut self,
        index: ConstraintId,
        constraint: &Constraint,
        given: &Given,
        against: Option<usize>,
    ) -> Option<Sliding> {
        let (target, position, velocity) = match &given.at {
            Some(at) => self.named_point(index, constraint, at, against)?,
            None => self.only_point(index, constraint, against)?,
        };
        let velocity = match against {
            None => velocity,
            Some(body) => {
                let body = *self.scope.body(body)?;
                let carried = self.scope.material_velocity(&body, position);
                self.graph().sub3(velocity, carried)
            }
        };
        let partials = self.partials(velocity);
        Some(Sliding {
            target,
            against,
            position,
            velocity,
            partials,
        })
    }

    fn named_point(
        &mut self,
        index: ConstraintId,
        constraint: &Constraint,
        at: &Expression,
        against: Option<usize>,
    ) -> Option<(Target, Vector, Vector)> {
        match self.scope.value(at)? {
            Value::Particle(i) => {
                let motion = self.scope.particle(i)?;
                Some((Target::Particle(i), motion.position, motion.velocity))
            }
            // What slides is the material point that is there now, though the place may move along the body.
            Value::Point {
                position,
                body: Some(body),
                ..
            } => self.material_point(body, position),
            Value::Vector(position) => {
                let Some(body) = self.body_at(index, at, against) else {
                    let message = "this place belongs to no body";
                    let help = "name a point of the body: point(B, [a, b, c]), or B.foot";
                    self.scope.refuse_whole(at, "E0473", message, help);
                    return None;
                };
                self.material_point(body, position)
            }
            other => {
                let message = format!("{} does not slide", other.kind());
                let help = format!(
                    "`{}` needs a particle or a point of a body here",
                    constraint.name.text
                );
                self.scope.refuse_whole(at, "E0473", message, help);
                None
            }
        }
    }

    fn material_point(&mut self, body: usize, place: Vector) -> Option<(Target, Vector, Vector)> {
        let motion = *self.scope.body(body)?;
        let velocity = self.scope.material_velocity(&motion, place);
        Some((Target::Body(body), place, velocity))
    }

    /// The body whose point is at a place: the one that the rows move, or the one of several that the place speaks of.
    fn body_at(
        &mut self,
        index: ConstraintId,
        at: &Expression,
        against: Option<usize>,
    ) -> Option<usize> {
        let candidates = self.candidates(index, against);
        if let [Target::Body(body)] = candidates[..] {
            return Some(body);
        }
        let Some(Value::Vector(place)) = self.scope.displaced_value(at) else {
            return None;
        };
        let mut spoken_of: Vec<usize> = Vec::new();
        for component in place {
            for (target, ..) in self.scope.by_displacements(component, 0) {
                if let Target::Body(body) = target
                    && candidates.contains(&target)
                    && !spoken_of.contains(&body)
                {
                    spoken_of.push(body);
                }
            }
        }
        match spoken_of[..] {
            [body] => Some(body),
            _ => None,
        }
    }

    /// The one particle that the rows move, if nothing else is moved by them.
    fn only_point(
        &mut self,
        index: ConstraintId,
        constraint: &Constraint,
        against: Option<usize>,
    ) -> Option<(Target, Vector, Vector)> {
        let candidates = self.candidates(index, against);
        if let [Target::Particle(i)] = candidates[..] {
            let motion = self.scope.particle(i)?;
            return Some((Target::Particle(i), motion.position, motion.velocity));
        }
        let name = &constraint.name.text;
        let listed: Vec<&str> = candidates.iter().map(|it| it.name(self.model)).collect();
        let (message, help) = match candidates.len() {
            0 => (
                format!("nothing is known that slides in `{name}`"),
                "friction needs a particle or a body: energies do not say what slides".to_owned(),
            ),
            1 => (
                format!(
                    "`{name}` does not say which point of `{}` slides",
                    listed[0]
                ),
                format!("add at = \"point({}, [a, b, c])\" to friction", listed[0]),
            ),
            _ => (
                format!(
                    "`{name}` moves {}: which of them slides?",
                    listed.join(", ")
                ),
                "add at = \"P\" to friction".to_owned(),
            ),
        };
        self.refuse_friction(constraint, "E0473", message, &help);
        None
    }

    /// Particles and bodies that move with a coordinate of the rows.
    fn candidates(&mut self, index: ConstraintId, against: Option<usize>) -> Vec<Target> {
        let rows = self.rows.iter().filter(|row| row.constraint == index);
        let held: Vec<usize> = rows
            .flat_map(|row| row.jacobian.iter().map(|&(j, _)| j))
            .collect();
        let mut targets = self.targets();
        targets.retain(|&target| against.map(Target::Body) != Some(target));
        let is_moved = |&target: &Target| {
            let mut velocities: Vec<ExprId> = Vec::new();
            velocities.extend(self.center(target).iter().flat_map(|it| it.velocity));
            if let Target::Body(i) = target {
                let body = self.scope.body(i);
                velocities.extend(body.iter().flat_map(|it| it.attitude.omega));
            }
            let (_, rates) = self.by_rates(&velocities);
            rates.iter().any(|rate| held.contains(rate))
        };
        targets.into_iter().filter(is_moved).collect()
    }

    /// World axes along which the sliding point can move.
    fn axes_of(&mut self, sliding: &Sliding) -> Vec<usize> {
        let zero = self.graph().integer(0);
        let moves = |&axis: &usize| sliding.velocity[axis] != zero;
        (0..3).filter(moves).collect()
    }

    /// e_axis × f/|f|.
    fn in_plane(&mut self, axis: usize, normal: Vector) -> Vector {
        let g = self.graph();
        let mut about = g.zero3();
        about[axis] = g.integer(1);
        let across = g.cross3(about, normal);
        self.unit(across)
    }

    fn unit(&mut self, vector: Vector) -> Vector {
        let g = self.graph();
        let length = norm(g, vector);
        vector.map(|component| g.div(component, length))
    }

    /// −μ N u_t/|u_t| on what slides, and the opposite on the body it slides on.
    fn acting(
        &mut self,
        sliding: &Sliding,
        along: Vector,
        [coefficient, normal]: [ExprId; 2],
    ) -> Vec<Wrench> {
        let g = &mut self.scope.graph;
        let size = g.mul(coefficient, normal);
        let size = g.neg(size);
        let force = g.scale3(size, along);
        let opposite = force.map(|component| g.neg(component));
        let mut acting = vec![(sliding.target, force)];
        acting.extend(sliding.against.map(|body| (Target::Body(body), opposite)));
        let mut wrenches = Vec::new();
        for (on, force) in acting {
            let center = self.center(on).filter(|_| matches!(on, Target::Body(_)));
            let g = &mut self.scope.graph;
            let moment = match center {
                None => g.zero3(),
                Some(center) => {
                    let arm = g.sub3(sliding.position, center.position);
                    g.cross3(arm, force)
                }
            };
            wrenches.push(Wrench { on, force, moment });
        }
        wrenches
    }

    fn refuse_friction(
        &mut self,
        constraint: &Constraint,
        code: &'static str,
        message: String,
        help: &str,
    ) {
        let friction = constraint.friction.as_ref();
        let place = friction.map_or(Place::Model, |it| it.coefficient.whole());
        self.scope.report(code, place, message, help);
    }
}
