//! Particles and bodies by their partial velocities ([A83] 1.5, Kane).
//!
//! ```text
//! v = J q' + j        ω = W q' + w̄         (ω in body axes)
//! M = Σ m JᵀJ + Wᵀ I W
//! h = Σ −Jᵀ m a° − Wᵀ (I α° + ω × I ω)      a°, α°: accelerations with q'' = 0
//! ```

use super::dependence::{Order, Places};
use super::sampling::Sampling;
use super::{Inertial, Lowering, Requirement, Sparse};
use crate::diagnostic::Diagnostic;
use crate::elaborate::{Target, Vector, VectorAlgebra};
use crate::model::{Body, Expression, Inertia, Mass};
use dalembert_expr::{ExprId, Form};
use dalembert_linear::decide::CANCELLED;
use dalembert_linear::{dot, norm};

/// Partial velocities of a vector: its derivative by each rate that moves it.
pub(super) type Partials = Vec<(usize, Vector)>;

/// How a particle or a body moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moving {
    /// What the user called it.
    pub name: String,
    /// Velocity of the particle or of the body's centre, in fixed axes.
    pub velocity: Vector,
    /// Angular velocity of a body, in its own axes.
    pub omega: Option<Vector>,
}

impl Lowering<'_> {
    pub(super) fn particles(&mut self) {
        let model = self.model;
        for (index, particle) in model.particles.iter().enumerate() {
            let mass = self.constant(&particle.mass, "a mass");
            let (Some(motion), Some(mass)) = (self.scope.particle(index), mass) else {
                continue;
            };
            if !self.is_geometric(&particle.position, motion.position) {
                continue;
            }
            self.requirements.push(Requirement::Mass {
                of: particle.name.text.clone(),
                value: mass,
                place: particle.mass.whole(),
            });
            let energy = if self.hung.is_none() {
                let mut part = Inertial::default();
                let energy = self.translation(mass, motion.velocity, &mut part);
                self.inertia.push(part);
                energy
            } else {
                self.translation_energy(mass, motion.velocity)
            };
            self.add_kinetic(energy);
            self.masses.insert(Target::Particle(index), (mass, None));
            self.moving.push(Moving {
                name: particle.name.text.clone(),
                velocity: motion.velocity,
                omega: None,
            });
        }
    }

    pub(super) fn bodies(&mut self) {
        let model = self.model;
        for (index, body) in model.bodies.iter().enumerate() {
            let (mass, inertia) = self.mass_and_inertia(index);
            let (Some(motion), Some(mass), Some(inertia)) =
                (self.scope.body(index).copied(), mass, inertia)
            else {
                continue;
            };
            if !self.is_geometric(&body.center, motion.center.position)
                || !self.turns_smoothly(body, &motion.attitude.matrix)
            {
                continue;
            }
            let omega = motion.attitude.own_omega(self.graph());
            self.require_of_body(body, mass, &inertia, omega);
            self.warn_of_inertia(body, &inertia, omega);
            if self.hung.is_none() {
                let own_mass = (!body.is_massless()).then_some(mass);
                let part = self.body_part(own_mass, motion.center.velocity, &inertia, omega);
                self.inertia.push(part);
            } else {
                // Inertia is left link by link: only the energy is written out.
                if !body.is_massless() {
                    let energy = self.translation_energy(mass, motion.center.velocity);
                    self.add_kinetic(energy);
                }
                let energy = self.rotation_energy(&inertia, omega);
                self.add_kinetic(energy);
            }
            let weighed = (mass, Some(inertia));
            self.masses.insert(Target::Body(index), weighed);
            self.moving.push(Moving {
                name: body.name.text.clone(),
                velocity: motion.center.velocity,
                omega: Some(omega),
            });
        }
    }

    fn require_of_body(
        &mut self,
        body: &Body,
        mass: ExprId,
        inertia: &[[ExprId; 3]; 3],
        omega: Vector,
    ) {
        let of = body.name.text.clone();
        if let Mass::Mass(expression) | Mass::Density(expression) = &body.mass {
            self.requirements.push(Requirement::Mass {
                of: of.clone(),
                value: mass,
                place: expression.whole(),
            });
        }
        for own in body.shapes.iter().filter_map(|it| it.mass.as_ref()) {
            let expression = own.expression();
            let value = expression.and_then(|it| self.constant(it, "a mass"));
            self.requirements
                .extend(value.zip(expression).map(|(value, it)| Requirement::Mass {
                    of: of.clone(),
                    value,
                    place: it.whole(),
                }));
        }
        let place = match &body.inertia {
            Some(Inertia::Principal(moments)) => moments[0].whole(),
            Some(Inertia::Matrix(rows)) => rows[0][0].whole(),
            None => return,
        };
        let zero = self.graph().integer(0);
        let turns = match (0..3).any(|axis| inertia[axis][axis] == zero) {
            true => {
                let sampling = Sampling::of(&self.scope.graph, &omega);
                std::array::from_fn(|axis| !sampling.sum_vanishes(axis..axis + 1))
            }
            false => omega.map(|component| component != zero),
        };
        self.requirements.push(Requirement::Inertia {
            of,
            matrix: Box::new(*inertia),
            turns,
            place,
        });
    }

    /// Warns of a body that turns, and only about axes about which it has no inertia: it moves like a point mass. A thin rod
    /// does that whose `axis` was forgotten.
    fn warn_of_inertia(&mut self, body: &Body, inertia: &[[ExprId; 3]; 3], omega: Vector) {
        let zero = self.graph().integer(0);
        let has_none = |axis: usize| inertia[axis][axis] == zero;
        // No inertia at all is what the user says, not what a shape does.
        if (0..3).all(has_none) || !(0..3).any(has_none) {
            return;
        }
        let entries = omega.into_iter().chain(inertia.iter().flatten().copied());
        let sampling = Sampling::of(&self.scope.graph, &entries.collect::<Vec<_>>());
        let spins_in_vain = |values: &[f64]| {
            let (omega, inertia) = values.split_at(3);
            let spin: Vec<f64> = inertia.chunks(3).map(|row| dot(row, omega)).collect();
            norm(omega) > 0.0 && norm(&spin) <= CANCELLED * norm(omega) * norm(inertia)
        };
        if !sampling.everywhere(spins_in_vain) {
            return;
        }
        let name = &body.name.text;
        let message = format!(
            "`{name}` turns only about axes about which it has no inertia: it moves like a point mass"
        );
        let (place, help) = match body.plain_shape() {
            Some(shape) if body.inertia.is_none() => {
                let kind = &shape.kind.text;
                let axis = shape.axis.as_ref().map_or("z", |axis| axis.text.as_str());
                let others: Vec<&str> = ["x", "y", "z"]
                    .into_iter()
                    .filter(|it| *it != axis)
                    .collect();
                let help = format!(
                    "the {kind} lies along its own {axis} axis: write axis = \"{}\" or \"{}\" in its shape if it lies along another",
                    others[0], others[1]
                );
                (shape.kind.place.clone(), help)
            }
            _ => {
                let help = "check the order of the moments, which are about its own axes x, y, z";
                (body.name.place.clone(), help.to_owned())
            }
        };
        let warning = Diagnostic::warning("W0427", place, message, help);
        self.warnings.push(warning);
    }

    /// A position may depend on coordinates and time only, and jumps nowhere.
    fn is_geometric(&mut self, expression: &Expression, position: Vector) -> bool {
        let jumps = ("a position", &[Order::Coordinates][..]);
        if !self.may_jump(&position) && position.iter().all(|&it| self.depends_on(it).order == 0) {
            return true;
        }
        position.into_iter().all(|component| {
            self.limit_order(expression, component, 0, "a position")
                && !self.refuse_jumps_in_time(expression, component, jumps)
                && !self.refuse_rough_tables(expression, component, ("a position", 2))
        })
    }

    /// Nor does an attitude.
    fn turns_smoothly(&mut self, body: &Body, matrix: &[Vector; 3]) -> bool {
        let jumps = ("an attitude", &[Order::Coordinates][..]);
        if !self.may_jump(matrix.as_flattened()) {
            return true;
        }
        let mut entries = matrix.iter().flatten();
        entries.all(|&entry| {
            !self.refuse_jumps_in_time(&body.attitude, entry, jumps)
                && !self.refuse_rough_tables(&body.attitude, entry, ("an attitude", 2))
        })
    }

    /// A number that does not change along the motion.
    pub(super) fn constant(&mut self, expression: &Expression, what: &str) -> Option<ExprId> {
        self.scope.constant(expression, what)
    }

    pub(super) fn mass_and_inertia(
        &mut self,
        index: usize,
    ) -> (Option<ExprId>, Option<[Vector; 3]>) {
        let body = &self.model.bodies[index];
        let mass = match &body.mass {
            Mass::None if body.is_massless() => Some(self.graph().integer(0)),
            Mass::Mass(mass) if body.inertia.is_some() || body.shapes.is_empty() => {
                self.constant(mass, "a mass")
            }
            _ => self.scope.weighed(index).map(|it| it.mass),
        };
        let inertia = match &body.inertia {
            Some(Inertia::Principal(moments)) => {
                let moments = [0, 1, 2].map(|i| self.constant(&moments[i], "an inertia"));
                let zero = self.graph().integer(0);
                match moments {
                    [Some(x), Some(y), Some(z)] => {
                        Some([[x, zero, zero], [zero, y, zero], [zero, zero, z]])
                    }
                    _ => None,
                }
            }
            Some(Inertia::Matrix(rows)) => self.inertia_matrix(rows),
            None if body.shapes.is_empty() => {
                let message = format!("the body `{}` has no inertia", body.name.text);
                let help = "give `inertia` or `shape`; a particle has none";
                let place = body.name.place.clone();
                self.scope.report("E0427", place, message, help);
                None
            }
            None => self.scope.weighed(index).map(|it| it.inertia),
        };
        (mass, inertia)
    }

    fn inertia_matrix(&mut self, rows: &[[Expression; 3]; 3]) -> Option<[[ExprId; 3]; 3]> {
        let entries =
            [0, 1, 2].map(|i| [0, 1, 2].map(|j| self.constant(&rows[i][j], "an inertia")));
        let zero = self.graph().integer(0);
        let matrix = entries.map(|row| row.map(|entry| entry.unwrap_or(zero)));
        entries
            .iter()
            .flatten()
            .all(Option::is_some)
            .then_some(matrix)
    }

    /// Partial velocities of a vector that is linear in the rates.
    pub(super) fn partials(&mut self, velocity: Vector) -> Partials {
        let (matrix, rates) = self.by_rates(&velocity);
        let zero = self.graph().zero3();
        let mut columns: std::collections::BTreeMap<usize, Vector> =
            std::collections::BTreeMap::new();
        for (row, column, value) in matrix.triplets() {
            columns.entry(rates[column]).or_insert(zero)[row] = value;
        }
        columns.into_iter().collect()
    }

    /// What a body is to M and h, and its kinetic energy; written out from another body of the same form if there is one.
    fn body_part(
        &mut self,
        mass: Option<ExprId>,
        velocity: Vector,
        inertia: &[[ExprId; 3]; 3],
        omega: Vector,
    ) -> Inertial {
        let moving = velocity.into_iter().chain(omega);
        let inputs = moving.chain(inertia.iter().flatten().copied()).chain(mass);
        let form = Form::of(&self.scope.graph, &inputs.collect::<Vec<_>>());
        let graph = &mut self.scope.graph;
        if let Some((found, derived)) = self.copies.bodies.again(graph, &form) {
            let (part, energies) = derived.written_out(&self.places, &form, &found);
            for &energy in energies {
                self.add_kinetic(energy);
            }
            return part;
        }
        let mut part = Inertial::default();
        let mut energies = Vec::new();
        if let Some(mass) = mass {
            let energy = self.translation(mass, velocity, &mut part);
            self.add_kinetic(energy);
            energies.push(energy);
        }
        let energy = self.rotation(inertia, omega, &mut part);
        self.add_kinetic(energy);
        energies.push(energy);
        if let Some(derived) = DerivedPart::of(&self.places, &form, &part) {
            let mass = part.mass.iter().map(|&(.., value)| value);
            let force = part.force.iter().map(|&(_, value)| value);
            let outputs: Vec<ExprId> = mass.chain(force).chain(energies).collect();
            let graph = &self.scope.graph;
            self.copies.bodies.keep(graph, &form, &outputs, derived);
        }
        part
    }

    /// Adds to M and h; returns the kinetic energy.
    fn translation(&mut self, mass: ExprId, velocity: Vector, part: &mut Inertial) -> ExprId {
        let partials = self.partials(velocity);
        let rest = self.rate_at_rest(&velocity);
        let momentum_rate = self.graph().scale3(mass, [rest[0], rest[1], rest[2]]);
        for (n, &(row, a)) in partials.iter().enumerate() {
            for &(column, b) in &partials[..=n] {
                let product = self.graph().dot3(a, b);
                let entry = self.graph().mul(mass, product);
                add_entry(self.graph(), &mut part.mass, row, column, entry);
            }
            let force = self.graph().dot3(a, momentum_rate);
            let force = self.graph().neg(force);
            add_component(self.graph(), &mut part.force, row, force);
        }
        self.translation_energy(mass, velocity)
    }

    /// m v·v/2.
    fn translation_energy(&mut self, mass: ExprId, velocity: Vector) -> ExprId {
        let square = self.square(velocity);
        let doubled = self.graph().mul(mass, square);
        self.half(doubled)
    }

    /// ω·I ω/2.
    fn rotation_energy(&mut self, inertia: &[[ExprId; 3]; 3], omega: Vector) -> ExprId {
        let g = self.graph();
        let spin = g.rotate3(inertia, omega);
        let doubled = g.dot3(omega, spin);
        self.half(doubled)
    }

    /// As [`translation`](Self::translation), with ω in body axes.
    fn rotation(
        &mut self,
        inertia: &[[ExprId; 3]; 3],
        omega: Vector,
        part: &mut Inertial,
    ) -> ExprId {
        let partials = self.partials(omega);
        let rest = self.rate_at_rest(&omega);
        let g = self.graph();
        let spin = g.rotate3(inertia, omega);
        let gyroscopic = g.cross3(omega, spin);
        let rest = g.rotate3(inertia, [rest[0], rest[1], rest[2]]);
        let torque = g.add3(rest, gyroscopic);
        for (n, &(row, a)) in partials.iter().enumerate() {
            for &(column, b) in &partials[..=n] {
                let turned = self.graph().rotate3(inertia, b);
                let entry = self.graph().dot3(a, turned);
                add_entry(self.graph(), &mut part.mass, row, column, entry);
            }
            let force = self.graph().dot3(a, torque);
            let force = self.graph().neg(force);
            add_component(self.graph(), &mut part.force, row, force);
        }
        let doubled = self.graph().dot3(omega, spin);
        self.half(doubled)
    }

    fn half(&mut self, doubled: ExprId) -> ExprId {
        let two = self.graph().integer(2);
        self.graph().div(doubled, two)
    }
}

/// Where the inertia of bodies of one form stands, by numbers of symbols in the form.
pub(super) struct DerivedPart {
    mass: Vec<[usize; 2]>,
    force: Vec<usize>,
}

impl DerivedPart {
    /// `None` if it stands where the form has no symbol.
    fn of(places: &Places, form: &Form, part: &Inertial) -> Option<Self> {
        let ends = part.mass.iter().flat_map(|&(row, column, _)| [row, column]);
        let ends = places.among(form, Order::Rates, ends)?;
        let force = part.force.iter().map(|&(i, _)| i);
        Some(Self {
            mass: ends.as_chunks().0.to_vec(),
            force: places.among(form, Order::Rates, force)?,
        })
    }

    /// The inertia of another body of the form, and what is left of its expressions: energies.
    fn written_out<'f>(
        &self,
        places: &Places,
        form: &Form,
        found: &'f [ExprId],
    ) -> (Inertial, &'f [ExprId]) {
        let (mass, rest) = found.split_at(self.mass.len());
        let (force, energies) = rest.split_at(self.force.len());
        let place = |number| places.coordinate(form, number);
        let entry = |(ends, &value): (&[usize; 2], &ExprId)| {
            let [i, j] = ends.map(place);
            (i.max(j), i.min(j), value)
        };
        let mut mass: Vec<_> = self.mass.iter().zip(mass).map(entry).collect();
        mass.sort_unstable_by_key(|&(row, column, _)| (row, column));
        let force = self.force.iter().zip(force);
        let force = force.map(|(&number, &value)| (place(number), value));
        let part = Inertial {
            mass,
            force: force.collect(),
        };
        (part, energies)
    }
}

/// Adds to an entry of the lower triangle; the list is in order, so that thousands of entries cost as many searches.
pub(super) fn add_entry(
    graph: &mut dalembert_expr::Graph,
    list: &mut Vec<(usize, usize, ExprId)>,
    row: usize,
    column: usize,
    value: ExprId,
) {
    let (row, column) = (row.max(column), row.min(column));
    match list.binary_search_by_key(&(row, column), |&(r, c, _)| (r, c)) {
        Ok(place) => list[place].2 = graph.add(list[place].2, value),
        Err(place) => list.insert(place, (row, column, value)),
    }
}

/// Adds to a component of a sparse vector.
pub(super) fn add_component(
    graph: &mut dalembert_expr::Graph,
    list: &mut Sparse,
    index: usize,
    value: ExprId,
) {
    match list.iter_mut().find(|(i, _)| *i == index) {
        Some((_, total)) => *total = graph.add(*total, value),
        None => list.push((index, value)),
    }
}
