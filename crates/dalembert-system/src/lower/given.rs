//! Given forces as forces and moments on particles and bodies: weight, loads, springs, potentials.
//!
//! What acts on a named thing is known directly. A spring or a potential acts where its expression speaks of
//! something ([`crate::elaborate`], shadows): a term that speaks of one thing is a field, one that speaks of several is
//! known as far as a reaction of these words would be (`undetermined.rs`). What is given in coordinates is the
//! smallest force with that virtual work.

use super::dependence::Order;
use super::distribute::Shares;
use super::wrench::{Wrench, Wrenches};
use super::{Lowering, Rough, Sparse};
use crate::elaborate::{Statement, Target, Value, Vector, VectorAlgebra};
use crate::ids::ConstraintId;
use crate::lower::ForceId;
use crate::model::{Expression, Load, Spring, SpringSpan};
use dalembert_expr::{Binary, ExprId, Node, Unary, substitute};
use std::collections::{BTreeMap, BTreeSet};

/// What to do with a force that has no place.
pub(super) const ON: &str = "give it `on` a body or particle";

/// Components by target, force before moment.
pub(super) type Direct = Vec<(Target, usize, ExprId)>;

/// What is known of a given force without its virtual work.
enum Known {
    /// What a load says of a named thing.
    Load(Direct),
    /// The pull of a spring at its ends.
    Line(Direct),
    /// What the terms of an energy or a measure do to all they speak of.
    Words(Vec<Direct>),
}

/// Sums of given forces; where one is not determined, why.
#[derive(Default)]
pub(super) struct GivenForces {
    sums: BTreeMap<Target, Wrench>,
    open: BTreeMap<Target, String>,
}

impl GivenForces {
    fn on(&self, target: Target) -> Result<Option<Wrench>, String> {
        match self.open.get(&target) {
            Some(why) => Err(why.clone()),
            None => Ok(self.sums.get(&target).copied()),
        }
    }
}

impl Lowering<'_> {
    /// The sum of all given forces on a particle or body, `None` where nothing acts.
    pub(super) fn given_on(&mut self, target: Target) -> Result<Option<Wrench>, String> {
        let given = match self.given.take() {
            Some(given) => given,
            None => self.given_forces(),
        };
        let sum = given.on(target);
        self.given = Some(given);
        sum
    }

    fn given_forces(&mut self) -> GivenForces {
        let model = self.model;
        let mut given = GivenForces::default();
        if let Some(gravity) = &model.gravity
            && let Some(gravity) = self.scope.vector(gravity)
        {
            let moment = self.graph().zero3();
            for (on, (mass, _)) in self.masses.clone() {
                let force = self.graph().scale3(mass, gravity);
                self.add_wrench(&mut given.sums, Wrench { on, force, moment });
            }
        }
        if let Some(energy) = &model.energy {
            let functions = [
                ("potential", &energy.potential, 0),
                ("dissipation", &energy.dissipation, 1),
            ];
            for (name, function, order) in functions {
                if let Some(function) = function {
                    let total = self.total_of(name);
                    let words = self.slopes_of(function, order);
                    self.take(&mut given, name, &total, Known::Words(words));
                }
            }
        }
        if model.dynamics.is_some() {
            let total = self.total_of("dynamics");
            self.take(&mut given, "dynamics", &total, Known::Words(Vec::new()));
        }
        for (i, force) in model.forces.iter().enumerate() {
            // One that holds a constraint is a reaction.
            let place = ForceId::new(self.first_force + i);
            if self.servo.iter().any(|servo| servo.force == place) {
                continue;
            }
            let direct = self.load_direct(&force.load);
            let total = self.forces[place].force.clone();
            self.take(&mut given, &force.name.text, &total, Known::Load(direct));
        }
        let mut next = self.first_spring;
        for (index, spring) in model.springs.iter().enumerate() {
            // Up to three forces, as it has stiffness, damping and dry friction.
            let name = &spring.name.text;
            let part = format!("{name}.");
            let own = self.forces[next..].iter().map(|force| &force.name);
            let own = own.take_while(|it| **it == *name || it.starts_with(&part));
            let count = own.count();
            let total = self.sum_of(next..next + count);
            next += count;
            let direct = self.spring_direct(index, spring).unwrap_or_default();
            let known = match spring.span {
                SpringSpan::Between(_) => Known::Line(direct),
                SpringSpan::On(_) => Known::Words(vec![direct]),
            };
            self.take(&mut given, name, &total, known);
        }
        given
    }

    pub(super) fn add_wrench(&mut self, sums: &mut BTreeMap<Target, Wrench>, wrench: Wrench) {
        let g = self.graph();
        let sum = sums.entry(wrench.on).and_modify(|sum| {
            sum.force = g.add3(sum.force, wrench.force);
            sum.moment = g.add3(sum.moment, wrench.moment);
        });
        sum.or_insert(wrench);
    }

    /// The generalized force of an energy or of [dynamics].
    fn total_of(&self, name: &str) -> Sparse {
        let found = self.forces.iter().find(|force| force.name == name);
        found.map_or_else(Sparse::new, |force| force.force.clone())
    }

    fn sum_of(&mut self, forces: std::ops::Range<usize>) -> Sparse {
        let mut sum: BTreeMap<usize, ExprId> = BTreeMap::new();
        let g = &mut self.scope.graph;
        for &(i, value) in self.forces[forces].iter().flat_map(|force| &force.force) {
            let total = sum.get(&i).map_or(value, |&total| g.add(total, value));
            sum.insert(i, total);
        }
        sum.into_iter().collect()
    }

    /// Adds one given force to the sums.
    fn take(&mut self, given: &mut GivenForces, name: &str, total: &Sparse, known: Known) {
        match self.given_wrenches(total, known) {
            Ok(wrenches) => {
                for wrench in wrenches {
                    self.add_wrench(&mut given.sums, wrench);
                }
            }
            Err(why) => {
                let why = format!("where `{name}` acts is not determined: {why}");
                for target in self.moved_by(total) {
                    given.open.entry(target).or_insert_with(|| why.clone());
                }
            }
        }
    }

    fn given_wrenches(&mut self, total: &Sparse, known: Known) -> Wrenches {
        let (mut shares, terms) = match known {
            Known::Load(direct) => (self.shares(total, direct, ON)?.0, Vec::new()),
            Known::Line(direct) => {
                let (mut shares, raw) = self.shares(total, direct, ON)?;
                // An end that moves along its body pulls at more than the body.
                if raw {
                    self.open_undetermined(raw, &mut shares)?;
                }
                (shares, Vec::new())
            }
            Known::Words(terms) => {
                let mut sum = Direct::new();
                for &(target, i, slope) in terms.iter().flatten() {
                    self.add_direct(&mut sum, (target, i, slope));
                }
                (self.shares(total, sum, ON)?.0, terms)
            }
        };
        for term in terms {
            let targets: BTreeSet<Target> = term.iter().map(|&(target, ..)| target).collect();
            if targets.len() > 1 {
                let mut own = self.direct_shares(term);
                self.open_undetermined(false, &mut own)?;
                self.hand_on_open(&own, &mut shares);
            }
        }
        Ok(self.wrenches(shares))
    }

    /// A sum has no component that one of its terms does not have.
    fn hand_on_open(&mut self, own: &Shares, shares: &mut Shares) {
        let (open, zero) = (self.open_force(), self.graph().zero3());
        for (&block, share) in own {
            for axis in (0..3).filter(|&axis| share[axis] == open) {
                shares.entry(block).or_insert(zero)[axis] = open;
            }
        }
    }

    /// −∂F/∂e of each term of a potential or a dissipation function.
    fn slopes_of(&mut self, function: &Expression, order: u8) -> Vec<Direct> {
        let Some(Statement::Value(Value::Scalar(value))) = self.scope.displaced(function) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut pending = vec![(value, true)];
        while let Some((term, minus)) = pending.pop() {
            match self.scope.graph.node(term) {
                Node::Binary(Binary::Add, a, b) => pending.extend([(a, minus), (b, minus)]),
                Node::Binary(Binary::Sub, a, b) => pending.extend([(a, minus), (b, !minus)]),
                Node::Unary(Unary::Neg, a) => pending.push((a, !minus)),
                _ => {
                    let mut slopes = self.scope.by_displacements(term, order);
                    for (_, _, slope) in slopes.iter_mut().filter(|_| minus) {
                        *slope = self.scope.graph.neg(*slope);
                    }
                    found.extend((!slopes.is_empty()).then_some(slopes));
                }
            }
        }
        found
    }

    fn add_direct(&mut self, sum: &mut Direct, (target, component, part): (Target, usize, ExprId)) {
        let same = |known: &&mut (Target, usize, ExprId)| (known.0, known.1) == (target, component);
        match sum.iter_mut().find(same) {
            Some(known) => known.2 = self.scope.graph.add(known.2, part),
            None => sum.push((target, component, part)),
        }
    }

    /// −(k (s − s₀) + c s' + F₀ sign s') ∂s/∂e. Between points ∂s/∂e = (l·∂l/∂e)/s with the line l, so that a spring of no
    /// unstretched length is not singular where its ends meet.
    fn spring_direct(&mut self, index: usize, spring: &Spring) -> Option<Direct> {
        let number = |work: &mut Self, expression: &Option<Expression>| match expression {
            Some(expression) => work.scope.scalar(expression),
            None => Some(work.graph().integer(0)),
        };
        let stiffness = number(self, &spring.stiffness)?;
        let damping = number(self, &spring.damping)?;
        let rest = number(self, &spring.length)?;
        let dry = self.dry_pull(index);
        let (slopes, pull) = match &spring.span {
            SpringSpan::On(measure) => {
                let length = self.scope.scalar(measure)?;
                let rate = self.scope.rate(length);
                let Statement::Value(Value::Scalar(displaced)) = self.scope.displaced(measure)?
                else {
                    return None;
                };
                let g = self.graph();
                let stretch = g.sub(length, rest);
                let (spring, damper) = (g.mul(stiffness, stretch), g.mul(damping, rate));
                let pull = g.add(spring, damper);
                let pull = g.add(pull, dry);
                (self.scope.by_displacements(displaced, 0), pull)
            }
            SpringSpan::Between(ends) => {
                let plain = [0, 1].map(|i| self.scope.value(&ends[i]));
                let line = self.line(plain)?;
                let displaced = [0, 1].map(|i| self.scope.displaced_value(&ends[i]));
                let moved = self.line(displaced)?;
                let rate = self.scope.rate3(line);
                let g = self.graph();
                let half = {
                    let square = g.dot3(moved, moved);
                    let two = g.integer(2);
                    g.div(square, two)
                };
                let square = g.dot3(line, line);
                let length = g.sqrt(square);
                // k (1 − s₀/s) + c (l·l')/s²
                let slack = {
                    let part = g.mul(stiffness, rest);
                    g.div(part, length)
                };
                let spring = g.sub(stiffness, slack);
                let damper = {
                    let along = g.dot3(line, rate);
                    let part = g.mul(damping, along);
                    g.div(part, square)
                };
                let pull = g.add(spring, damper);
                let dry = g.div(dry, length);
                let pull = g.add(pull, dry);
                (self.scope.by_displacements(half, 0), pull)
            }
        };
        let g = self.graph();
        let pull = g.neg(pull);
        let part = |(target, i, slope)| (target, i, g.mul(pull, slope));
        Some(slopes.into_iter().map(part).collect())
    }

    /// F₀ times the way of a spring's slip.
    fn dry_pull(&mut self, index: usize) -> ExprId {
        let mut frictions = self.frictions.iter();
        let own = frictions.find(|friction| friction.of == Rough::Spring(index));
        let known = own.and_then(|it| Some((it.coefficient, *it.slip.ways().first()?)));
        let g = &mut self.scope.graph;
        match known {
            None => g.integer(0),
            Some((size, way)) => {
                let way = g.symbol_node(way);
                g.mul(size, way)
            }
        }
    }

    fn line(&mut self, [from, to]: [Option<Value>; 2]) -> Option<Vector> {
        let (from, to) = (self.position_of(from?)?, self.position_of(to?)?);
        Some(self.graph().sub3(to, from))
    }

    /// What a load says directly; nothing where it is given in coordinates.
    pub(super) fn load_direct(&mut self, load: &Load) -> Direct {
        if let Load::Along { measure, size } = load {
            return self.along_direct(measure, size).unwrap_or_default();
        }
        let Some(wrench) = self.applied_wrench(load) else {
            return Direct::new();
        };
        let zero = self.graph().integer(0);
        let components = wrench.force.into_iter().chain(wrench.moment).enumerate();
        let components = components.filter(|&(_, value)| value != zero);
        components.map(|(i, value)| (wrench.on, i, value)).collect()
    }

    /// What a force along a scalar does to all that the scalar speaks of.
    fn along_direct(&mut self, measure: &Expression, size: &Expression) -> Option<Direct> {
        let size = self.quietly(|it| it.scope.in_law(|scope| scope.scalar(size)))?;
        let size = substitute(&mut self.scope.graph, &[size], &self.stands_for)[0];
        let Some(Value::Scalar(along)) = self.scope.displaced_value(measure) else {
            return None;
        };
        let slopes = self.scope.by_displacements(along, 0);
        let g = self.graph();
        Some(
            slopes
                .into_iter()
                .map(|(target, component, slope)| (target, component, g.mul(size, slope)))
                .collect(),
        )
    }

    fn applied_wrench(&mut self, load: &Load) -> Option<Wrench> {
        let read = self.read_load(load)?;
        let stands_for = std::mem::take(&mut self.stands_for);
        let graph = self.graph();
        let mut law = |v: Option<Vector>| match v {
            Some(v) => {
                let known = substitute(graph, &v, &stands_for);
                [known[0], known[1], known[2]]
            }
            None => graph.zero3(),
        };
        let (force, mut moment) = (law(read.force), law(read.torque));
        self.stands_for = stands_for;
        if let Some(at) = read.at {
            let center = self.center(read.on)?.position;
            let g = self.graph();
            let arm = g.sub3(at, center);
            let turning = g.cross3(arm, force);
            moment = g.add3(moment, turning);
        }
        let on = read.on;
        Some(Wrench { on, force, moment })
    }

    /// The virtual-work vector of a constraint as forces.
    pub(super) fn nonideal_wrench(&mut self, constraint: ConstraintId) -> Wrenches {
        let load = self.model.constraints[constraint].nonideal.as_ref();
        let mut direct = load.map_or_else(Direct::new, |load| self.load_direct(load));
        self.add_friction(constraint, &mut direct);
        let total = self.nonideal[constraint.index()].clone();
        self.physical_forces(&total, direct, ON)
    }

    /// Adds the friction of a constraint, which acts where it is said to.
    fn add_friction(&mut self, constraint: ConstraintId, direct: &mut Direct) {
        let frictions = self.frictions.iter();
        let own = frictions.filter(|friction| friction.of == Rough::Constraint(constraint));
        let acting: Vec<Wrench> = own.flat_map(|friction| friction.acting.clone()).collect();
        let zero = self.graph().integer(0);
        for wrench in acting {
            let parts = wrench.force.into_iter().chain(wrench.moment).enumerate();
            for (component, part) in parts.filter(|&(_, part)| part != zero) {
                self.add_direct(direct, (wrench.on, component, part));
            }
        }
    }

    /// ∂T/∂q' by coordinate, zeros too.
    pub(super) fn momenta(&mut self) -> Vec<ExprId> {
        let zero = self.graph().integer(0);
        let mut all = vec![zero; self.model.coordinates.len()];
        let kinetic = self.kinetic;
        for (i, momentum) in self.sparse_gradient(kinetic, Order::Rates) {
            all[i] = momentum;
        }
        all
    }
}
