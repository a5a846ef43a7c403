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

use super::inertia::Partials;
use super::{Lowering, Requirement, Sparse, Wrench};
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::elaborate::{Declared, Target, Value, Vector, VectorAlgebra};
use crate::model::{Constraint, Expression, Friction as Given, Name};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind, substitute};
use std::collections::BTreeMap;

/// How many times smaller than the smoothing a slip is where it is smoothed a second time, so that it may vanish.
const STILL: i64 = 100_000_000;

/// Friction, lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Friction {
    /// Index of its constraint.
    pub constraint: usize,
    /// μ.
    pub coefficient: ExprId,
    /// Rows that press, each with |f|: the force of a multiplier one.
    pub rows: Vec<(usize, ExprId)>,
    /// w of a normal force one, in coordinates.
    pub direction: Sparse,
    /// What Jᵀ f lacks of Aᵀ, and the row.
    pub misfit: Vec<(usize, ExprId)>,
    /// How it slips.
    pub slip: Slip,
    /// Whether the constraint has no other law that uses reactions.
    pub alone: bool,
    /// Forces on what slides and on what it slides on.
    pub acting: Vec<Wrench>,
}

/// Slip of a sliding point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Along a line.
    Line {
        /// u·e, with a sign.
        speed: ExprId,
        /// Sum of the sizes of its terms.
        size: ExprId,
        /// Its derivative by q'.
        slope: Sparse,
        /// Its rate without the terms that hold q''.
        rest: ExprId,
        /// Stands for the sign of the speed.
        way: SymbolId,
    },
    /// In a plane.
    Plane {
        /// |u_t|.
        speed: ExprId,
        /// Sum of the sizes of the terms of u.
        size: ExprId,
    },
    /// By a smooth law, which asks nothing at rest.
    Smooth,
}

/// The sliding point, relative to what it slides on.
struct Sliding {
    /// What slides.
    target: Target,
    /// The body it slides on.
    against: Option<usize>,
    position: Vector,
    velocity: Vector,
    partials: Partials,
}

impl Lowering<'_> {
    /// The friction of a constraint whose rows are lowered, and its w.
    pub(super) fn friction(&mut self, index: usize, constraint: &Constraint) -> Option<Sparse> {
        let given = constraint.friction.as_ref()?;
        let coefficient = self.coefficient(constraint, given)?;
        let width = match &given.smoothing {
            Some(width) => Some(self.smoothing(constraint, width)?),
            None => None,
        };
        let against = match &given.against {
            Some(name) => self.opposite(name)?,
            None => None,
        };
        let sliding = self.sliding(index, constraint, given, against)?;
        let mut normals: Vec<(usize, Vector)> = Vec::new();
        let mut misfit = Vec::new();
        for row in 0..self.rows.len() {
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
        let axes = self.axes_of(&sliding);
        let directions: Vec<Vector> = normals.iter().map(|&(_, force)| force).collect();
        let tangent = match (axes.as_slice(), directions.as_slice()) {
            (&[a, b], &[normal]) => Some(self.in_plane(3 - a - b, normal)),
            ([_, _, _], &[first, second]) => {
                let across = self.graph().cross3(first, second);
                Some(self.unit(across))
            }
            ([_, _, _], [_]) => None,
            _ => {
                let name = &constraint.name.text;
                let (message, help) = if directions.is_empty() {
                    (
                        format!("`{name}` does not press on the point that slides"),
                        "name the point by at = \"P\"",
                    )
                } else {
                    (
                        format!("`{name}` leaves no direction to slide in"),
                        "write friction into the constraint that keeps the surfaces in contact, and no other",
                    )
                };
                self.refuse_friction(constraint, "E0474", message, help);
                return None;
            }
        };
        let normal = self.normal_force(&normals);
        let (slip, along) = match tangent {
            Some(tangent) => self.line_slip(&constraint.name.text, &sliding, tangent, width),
            None => self.plane_slip(&sliding, directions[0], width),
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
        let acting = self.acting(&sliding, along, [coefficient, normal], &slip);
        self.frictions.push(Friction {
            constraint: index,
            coefficient,
            rows,
            direction,
            misfit,
            slip,
            alone: true,
            acting,
        });
        Some(work)
    }

    fn coefficient(&mut self, constraint: &Constraint, given: &Given) -> Option<ExprId> {
        let expression = &given.coefficient;
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
                self.unknown(name, "E0475", "is no body to slide on");
                None
            }
        }
    }

    /// The sliding point and how it moves relative to what it slides on.
    fn sliding(
        &mut self,
        index: usize,
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
                let g = self.graph();
                let arm = g.sub3(position, body.center.position);
                let turning = g.cross3(body.attitude.omega, arm);
                let carried = g.add3(body.center.velocity, turning);
                g.sub3(velocity, carried)
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
        index: usize,
        constraint: &Constraint,
        at: &Expression,
        against: Option<usize>,
    ) -> Option<(Target, Vector, Vector)> {
        let whole = 0..at.text.len();
        match self.scope.value(at)? {
            Value::Particle(i) => {
                let motion = self.scope.particle(i)?;
                Some((Target::Particle(i), motion.position, motion.velocity))
            }
            Value::Point {
                position,
                velocity,
                body: Some(body),
            } => Some((Target::Body(body), position, velocity)),
            // A place: of the one body there is.
            Value::Vector(position) => {
                let candidates = self.candidates(index, against);
                let [Declared::Body(index)] = candidates[..] else {
                    let message = "this place belongs to no body";
                    let help = "name a point of the body: point(B, [a, b, c]), or B.foot";
                    self.scope.refuse(at, whole, "E0473", message, help);
                    return None;
                };
                let body = *self.scope.body(index)?;
                let g = self.graph();
                let arm = g.sub3(position, body.center.position);
                let turning = g.cross3(body.attitude.omega, arm);
                let velocity = g.add3(body.center.velocity, turning);
                Some((Target::Body(index), position, velocity))
            }
            other => {
                let message = format!("{} does not slide", other.kind());
                let help = format!(
                    "`{}` needs a particle or a point of a body here",
                    constraint.name.text
                );
                self.scope.refuse(at, whole, "E0473", message, help);
                None
            }
        }
    }

    /// The one particle that the rows move, if nothing else is moved by them.
    fn only_point(
        &mut self,
        index: usize,
        constraint: &Constraint,
        against: Option<usize>,
    ) -> Option<(Target, Vector, Vector)> {
        let candidates = self.candidates(index, against);
        if let [Declared::Particle(i)] = candidates[..] {
            let motion = self.scope.particle(i)?;
            return Some((Target::Particle(i), motion.position, motion.velocity));
        }
        let name = &constraint.name.text;
        let listed: Vec<&str> = candidates.iter().map(|&it| self.thing(it)).collect();
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

    fn thing(&self, declared: Declared) -> &str {
        match declared {
            Declared::Particle(i) => &self.model.particles[i].name.text,
            Declared::Body(i) => &self.model.bodies[i].name.text,
            _ => "",
        }
    }

    /// Particles and bodies that move with a coordinate of the rows.
    fn candidates(&mut self, index: usize, against: Option<usize>) -> Vec<Declared> {
        let rows = self.rows.iter().filter(|row| row.constraint == index);
        let held: Vec<usize> = rows
            .flat_map(|row| row.jacobian.iter().map(|&(j, _)| j))
            .collect();
        let mut things: Vec<(Declared, Vec<ExprId>)> = Vec::new();
        for i in 0..self.model.particles.len() {
            let motion = self.scope.particle(i);
            things.extend(motion.map(|it| (Declared::Particle(i), it.velocity.to_vec())));
        }
        for i in (0..self.model.bodies.len()).filter(|i| against != Some(*i)) {
            let motion = self.scope.body(i);
            let velocities = motion.map(|it| [it.center.velocity, it.attitude.omega].concat());
            things.extend(velocities.map(|it| (Declared::Body(i), it)));
        }
        let mut found = Vec::new();
        for (thing, velocities) in things {
            let (_, rates) = self.by_rates(&velocities);
            if rates.iter().any(|rate| held.contains(rate)) {
                found.push(thing);
            }
        }
        found
    }

    /// f of a row: the force on the sliding point that a multiplier one stands for.
    fn contact_force(&mut self, row: usize, partials: &Partials) -> Vector {
        let slopes: BTreeMap<usize, ExprId> = self.rows[row].jacobian.iter().copied().collect();
        let g = &mut self.scope.graph;
        let zero = g.integer(0);
        let slope = |i: &usize| slopes.get(i).copied().unwrap_or(zero);
        let axes = moved_axes(g, partials);
        if partials.len() < axes.len() {
            // J (Jᵀ J)⁻¹ Aᵀ
            let n = partials.len();
            let mut matrix = vec![vec![zero; n]; n];
            for (i, &(_, a)) in partials.iter().enumerate() {
                for (j, &(_, b)) in partials.iter().enumerate() {
                    matrix[i][j] = g.dot3(a, b);
                }
            }
            let right: Vec<ExprId> = partials.iter().map(|(i, _)| slope(i)).collect();
            let factors = solve_small(g, &matrix, &right);
            let mut force = g.zero3();
            for (&(_, partial), factor) in partials.iter().zip(factors) {
                let part = g.scale3(factor, partial);
                force = g.add3(force, part);
            }
            return force;
        }
        // (J Jᵀ)⁻¹ J Aᵀ, along the axes that the point can move along
        let mut matrix = vec![vec![zero; axes.len()]; axes.len()];
        let mut right = vec![zero; axes.len()];
        for (i, partial) in partials {
            for (r, &a) in axes.iter().enumerate() {
                for (c, &b) in axes.iter().enumerate() {
                    let term = g.mul(partial[a], partial[b]);
                    matrix[r][c] = g.add(matrix[r][c], term);
                }
                let term = g.mul(partial[a], slope(i));
                right[r] = g.add(right[r], term);
            }
        }
        let components = solve_small(g, &matrix, &right);
        let mut force = g.zero3();
        for (&axis, component) in axes.iter().zip(components) {
            force[axis] = component;
        }
        force
    }

    /// Jᵀ f − Aᵀ where it does not vanish by itself.
    fn misfit(&mut self, row: usize, force: Vector, partials: &Partials) -> Vec<(usize, ExprId)> {
        let g = &mut self.scope.graph;
        let mut left: BTreeMap<usize, ExprId> = BTreeMap::new();
        for &(i, partial) in partials {
            left.insert(i, g.dot3(partial, force));
        }
        for &(i, slope) in &self.rows[row].jacobian {
            let before = left.get(&i).copied().unwrap_or_else(|| g.integer(0));
            left.insert(i, g.sub(before, slope));
        }
        let zero = g.integer(0);
        let left = left.into_values().filter(|&it| it != zero);
        left.map(|it| (row, it)).collect()
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

    /// |Σ f λ|.
    fn normal_force(&mut self, normals: &[(usize, Vector)]) -> ExprId {
        let names: Vec<String> = normals
            .iter()
            .map(|&(row, _)| self.rows[row].name.clone())
            .collect();
        let g = self.graph();
        let mut total = g.zero3();
        let mut lambdas = Vec::new();
        for (name, &(_, force)) in names.iter().zip(normals) {
            let lambda = g.symbol(name, SymbolKind::Multiplier);
            let part = g.scale3(lambda, force);
            total = g.add3(total, part);
            lambdas.push(lambda);
        }
        if let (&[lambda], &[(_, force)]) = (lambdas.as_slice(), normals) {
            // |λ| |f|, which has a derivative on either side of zero.
            let (size, length) = (g.abs(lambda), norm(g, force));
            return g.mul(size, length);
        }
        norm(g, total)
    }

    /// Slip along a tangent, and the direction u_t/|u_t| or what smoothing makes of it.
    fn line_slip(
        &mut self,
        name: &str,
        sliding: &Sliding,
        tangent: Vector,
        width: Option<ExprId>,
    ) -> (Slip, Vector) {
        let speed = self.graph().dot3(sliding.velocity, tangent);
        if let Some(width) = width {
            let g = self.graph();
            let part = g.smooth_sign(speed, width);
            return (Slip::Smooth, g.scale3(part, tangent));
        }
        let zero = self.graph().integer(0);
        let (mut slope, mut terms) = (Sparse::new(), Vec::new());
        for &(i, partial) in &sliding.partials {
            let part = self.graph().dot3(partial, tangent);
            if part != zero {
                let rate = self.scope.graph.symbol_node(self.symbols.rates[i]);
                let term = self.graph().mul(part, rate);
                terms.push(self.graph().abs(term));
                slope.push((i, part));
            }
        }
        // What time alone moves.
        let moved = self.without(speed, super::dependence::Order::Rates);
        terms.push(self.graph().abs(moved));
        let size = self.graph().sum(terms);
        let rest = self.rate_at_rest(&[speed])[0];
        let g = self.graph();
        let way = g.symbol(&format!("way of {name}"), SymbolKind::Multiplier);
        let along = g.scale3(way, tangent);
        let way = g.as_symbol(way).expect("a symbol was just made");
        let slip = Slip::Line {
            speed,
            size,
            slope,
            rest,
            way,
        };
        (slip, along)
    }

    /// Slip in the plane across a normal.
    fn plane_slip(
        &mut self,
        sliding: &Sliding,
        normal: Vector,
        width: Option<ExprId>,
    ) -> (Slip, Vector) {
        let rates: Vec<(ExprId, Vector)> = sliding
            .partials
            .iter()
            .map(|&(i, partial)| (self.scope.graph.symbol_node(self.symbols.rates[i]), partial))
            .collect();
        let g = self.graph();
        let (across, square) = (g.dot3(sliding.velocity, normal), g.dot3(normal, normal));
        let part = g.div(across, square);
        let lost = g.scale3(part, normal);
        let tangential = g.sub3(sliding.velocity, lost);
        let Some(width) = width else {
            let speed = norm(g, tangential);
            let along = tangential.map(|component| g.div(component, speed));
            let mut terms = Vec::new();
            for (rate, partial) in rates {
                for component in partial {
                    let term = g.mul(component, rate);
                    terms.push(g.abs(term));
                }
            }
            let size = g.sum(terms);
            return (Slip::Plane { speed, size }, along);
        };
        // tanh(s/width)/s, with a size s that does not vanish.
        let still = g.integer(STILL);
        let still = g.div(width, still);
        let still = g.mul(still, still);
        let square = g.dot3(tangential, tangential);
        let square = g.add(square, still);
        let size = g.sqrt(square);
        let sign = g.smooth_sign(size, width);
        let factor = g.div(sign, size);
        (Slip::Smooth, g.scale3(factor, tangential))
    }

    /// −μ N u_t/|u_t| on what slides, and the opposite on the body it slides on.
    fn acting(
        &mut self,
        sliding: &Sliding,
        along: Vector,
        [coefficient, normal]: [ExprId; 2],
        slip: &Slip,
    ) -> Vec<Wrench> {
        let g = &mut self.scope.graph;
        let size = g.mul(coefficient, normal);
        let size = g.neg(size);
        let mut force = g.scale3(size, along);
        if let Slip::Line { speed, way, .. } = slip {
            // Here the sign speaks for itself.
            let (way, sign) = (g.symbol_node(*way), g.sign(*speed));
            let signed = substitute(g, &force, &[(way, sign)]);
            force = [signed[0], signed[1], signed[2]];
        }
        let opposite = force.map(|component| g.neg(component));
        let mut acting = vec![(sliding.target, force)];
        acting.extend(sliding.against.map(|body| (Target::Body(body), opposite)));
        let mut wrenches = Vec::new();
        for (on, force) in acting {
            let center = match on {
                Target::Particle(_) => None,
                Target::Body(body) => self.scope.body(body).map(|body| body.center.position),
            };
            let g = &mut self.scope.graph;
            let moment = match center {
                None => g.zero3(),
                Some(center) => {
                    let arm = g.sub3(sliding.position, center);
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
        let place = constraint.friction.as_ref();
        let place = place.map_or(Place::Model, |it| it.coefficient.whole());
        self.scope.diagnostics.push(Diagnostic {
            code,
            severity: Severity::Error,
            message,
            help: Some(help.to_owned()),
            place,
        });
    }
}

/// World axes along which some partial velocity has a component.
fn moved_axes(g: &mut Graph, partials: &Partials) -> Vec<usize> {
    let zero = g.integer(0);
    let moved = |&axis: &usize| partials.iter().any(|(_, partial)| partial[axis] != zero);
    (0..3).filter(moved).collect()
}

fn norm(g: &mut Graph, vector: Vector) -> ExprId {
    let square = g.dot3(vector, vector);
    g.sqrt(square)
}

/// x of a symmetric system of up to three equations, by cofactors.
fn solve_small(g: &mut Graph, matrix: &[Vec<ExprId>], right: &[ExprId]) -> Vec<ExprId> {
    let minor = |g: &mut Graph, [a, b]: [usize; 2], [c, d]: [usize; 2]| {
        let (down, up) = (
            g.mul(matrix[a][c], matrix[b][d]),
            g.mul(matrix[a][d], matrix[b][c]),
        );
        g.sub(down, up)
    };
    match right.len() {
        0 => Vec::new(),
        1 => vec![g.div(right[0], matrix[0][0])],
        2 => {
            let determinant = minor(g, [0, 1], [0, 1]);
            let row = |g: &mut Graph, own: usize| {
                let other = 1 - own;
                let plus = g.mul(right[own], matrix[other][other]);
                let minus = g.mul(right[other], matrix[own][other]);
                let over = g.sub(plus, minus);
                g.div(over, determinant)
            };
            vec![row(g, 0), row(g, 1)]
        }
        _ => {
            let others = |i: usize| [(i + 1) % 3, (i + 2) % 3];
            let mut cofactors = [[right[0]; 3]; 3];
            for (i, row) in cofactors.iter_mut().enumerate() {
                for (j, cofactor) in row.iter_mut().enumerate() {
                    *cofactor = minor(g, others(i), others(j));
                }
            }
            let first: [ExprId; 3] = std::array::from_fn(|j| matrix[0][j]);
            let determinant = g.dot3(first, cofactors[0]);
            let right: [ExprId; 3] = std::array::from_fn(|i| right[i]);
            // The matrix is symmetric, and so are its cofactors.
            let over = cofactors.map(|row| g.dot3(row, right));
            over.map(|over| g.div(over, determinant)).to_vec()
        }
    }
}
