//! Bodies that hang in a tree, link by link: what M and the inertia terms of h are made of, and never multiplied out.
//!
//! A chain of n bodies in coordinates of its joints has a full M, whose entries are sums over all bodies beyond: n³ terms. What moves
//! each link against the one it hangs on is as short as its joint. Numbers are made of that in `dalembert-linear`, `tree/`.

use super::{ForceId, Lowering};
use crate::elaborate::{Attitude, Vector, VectorAlgebra};
use crate::ids::Id;
use crate::model::{Expression, Hanging};
use dalembert_expr::ExprId;
use std::collections::HashMap;

/// Inertia by links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hung {
    /// Each after the one it hangs on.
    pub links: Vec<HungLink>,
    /// The weight of all, and the acceleration of gravity that it is made of.
    pub gravity: Option<(ForceId, Vector)>,
}

/// What moves along one coordinate at most: a body, or something without mass between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HungLink {
    /// The link it hangs on; none is the ground.
    pub on: Option<usize>,
    /// What moves it.
    pub coordinate: Option<usize>,
    /// The rotation from its axes to those of the other, by rows.
    pub turn: [Vector; 3],
    /// From the other's mass centre to its own, in axes of the other.
    pub offset: Vector,
    /// How it turns, and how its mass centre moves, where the coordinate has the rate one; in its own axes.
    pub along: [Vector; 2],
    /// Its mass.
    pub mass: ExprId,
    /// Its inertia in its own axes.
    pub inertia: [Vector; 3],
}

impl HungLink {
    /// The numbers of a link, in the order of `dalembert_linear::tree::NUMBERS`.
    pub fn numbers(&self) -> impl Iterator<Item = ExprId> + '_ {
        let [x, y, z] = self.inertia;
        let turn = self.turn.iter().flatten().copied();
        let ways = self
            .offset
            .into_iter()
            .chain(self.along.into_iter().flatten());
        let inertia = [self.mass, x[0], x[1], x[2], y[1], y[2], z[2]];
        turn.chain(ways).chain(inertia)
    }
}

impl Hung {
    /// Everything that it is made of.
    pub fn expressions(&self) -> impl Iterator<Item = ExprId> + '_ {
        let gravity = self.gravity.iter().flat_map(|(_, vector)| *vector);
        self.links.iter().flat_map(HungLink::numbers).chain(gravity)
    }
}

impl Lowering<'_> {
    /// The bodies of a model link by link, if they are all that has inertia, hang in coordinates that move nothing else, and no constraint holds them.
    pub(super) fn links(&mut self) -> Option<Vec<HungLink>> {
        let model = self.model;
        let kinetic = model.energy.as_ref().is_some_and(|it| it.kinetic.is_some());
        let moves =
            |it: &Hanging| usize::from(it.angle.is_some()) + usize::from(it.distance.is_some());
        let is_tree = model.hanging.len() == model.bodies.len()
            && model.hanging.iter().map(moves).sum::<usize>() == model.coordinates.len()
            && model.particles.is_empty()
            && model.constraints.is_empty()
            && model.events.is_empty()
            && model.speeds.is_empty()
            && model.inputs.is_empty()
            && model.dynamics.is_none()
            && !kinetic;
        if !is_tree {
            return None;
        }
        // What is wrong with them is told where bodies are lowered.
        self.quietly(|work| {
            let mut links = Vec::new();
            let mut own = vec![None; model.bodies.len()];
            let names = model.coordinates.iter().enumerate();
            let places: HashMap<&str, usize> = names
                .map(|(i, (name, _))| (name.text.as_str(), i))
                .collect();
            for hanging in &model.hanging {
                let on = match hanging.on {
                    Some(on) => Some(own[on]?),
                    None => None,
                };
                work.link(hanging, (on, &places), &mut links)?;
                own[hanging.body] = Some(links.len() - 1);
            }
            Some(links)
        })
    }

    fn link(
        &mut self,
        hanging: &Hanging,
        (on, places): (Option<usize>, &HashMap<&str, usize>),
        links: &mut Vec<HungLink>,
    ) -> Option<()> {
        let place = |name: &Option<String>| match name {
            Some(name) => places.get(name.as_str()).copied().map(Some),
            None => Some(None),
        };
        let (angle, distance) = (place(&hanging.angle)?, place(&hanging.distance)?);
        let (mass, inertia) = self.mass_and_inertia(hanging.body);
        let (mass, inertia) = (mass?, inertia?);
        let turn = self.scope.attitude(&hanging.turn)?.matrix;
        let [own, other] = self.arms(hanging)?;
        let axis = self.fixed(&hanging.axis)?;
        let mount = match &hanging.mount {
            Some(mount) => Some(self.scope.attitude(mount)?),
            None => None,
        };
        // In axes of the body; it turns about the axis, which stays.
        let mounted = |work: &mut Self, mount: &Attitude| {
            let entries: Vec<ExprId> = mount.matrix.iter().flatten().copied().collect();
            let fixed = entries.iter().all(|&it| !work.moves(it));
            fixed.then(|| work.graph().rotate_back3(&mount.matrix, axis))
        };
        let own_axis = match &mount {
            Some(mount) => {
                let seen = mounted(self, mount)?;
                if hanging.forward { seen } else { axis }
            }
            None => axis,
        };
        let g = self.graph();
        let sign = g.integer(if hanging.forward { 1 } else { -1 });
        let (zero, nothing) = (g.zero3(), g.integer(0));
        let own_axis = g.scale3(sign, own_axis);
        let other_axis = g.rotate3(&turn, own_axis);
        let carried = g.rotate3(&turn, own);
        let offset = g.sub3(other, carried);
        // The body turns about the joint, which its centre is a way of −arm from.
        let swing = g.cross3(own, own_axis);
        let identity = Attitude::identity(g).matrix;
        let slid = |work: &mut Self, distance: usize, offset: Vector, axis: Vector| {
            let symbol = work.symbols.coordinates[distance];
            let g = work.graph();
            let distance = g.symbol_node(symbol);
            let way = g.scale3(distance, axis);
            g.add3(offset, way)
        };
        let body = |on, coordinate, offset, along| HungLink {
            on,
            coordinate,
            turn,
            offset,
            along,
            mass,
            inertia,
        };
        let link = match (angle, distance) {
            (Some(_), Some(distance)) => {
                // Between the two something without mass slides, in axes of the other, which the body turns against.
                let axis = match (hanging.forward, &mount) {
                    (true, _) => axis,
                    (false, None) => own_axis,
                    (false, Some(mount)) => self.graph().rotate_back3(&mount.matrix, own_axis),
                };
                let offset = slid(self, distance, other, axis);
                links.push(HungLink {
                    on,
                    coordinate: Some(distance),
                    turn: identity,
                    offset,
                    along: [zero, axis],
                    mass: nothing,
                    inertia: [zero; 3],
                });
                let away = self.graph().sub3(zero, carried);
                body(Some(links.len() - 1), angle, away, [own_axis, swing])
            }
            (Some(_), None) => body(on, angle, offset, [own_axis, swing]),
            (None, Some(distance)) => {
                let offset = slid(self, distance, offset, other_axis);
                body(on, Some(distance), offset, [zero, own_axis])
            }
            (None, None) => body(on, None, offset, [zero; 2]),
        };
        links.push(link);
        Some(())
    }

    /// From the mass centres of a body and of what it hangs on to the joint, in axes of each.
    fn arms(&mut self, hanging: &Hanging) -> Option<[Vector; 2]> {
        let bodies = [Some(hanging.body), hanging.on];
        let mut found = [self.graph().zero3(); 2];
        for (i, body) in bodies.into_iter().enumerate() {
            found[i] = self.fixed(&hanging.arms[i])?;
            if let (Some(body), true) = (body, hanging.off_center[i]) {
                found[i] = self.scope.from_mass_center(body, found[i]);
            }
        }
        Some(found)
    }

    /// A vector that does not change.
    fn fixed(&mut self, expression: &Expression) -> Option<Vector> {
        let vector = self.scope.vector(expression)?;
        vector.iter().all(|&it| !self.moves(it)).then_some(vector)
    }

    fn moves(&self, expression: ExprId) -> bool {
        let found = self.depends_on(expression);
        found.motion || found.time
    }

    /// Notes that the force before is the weight of all links.
    pub(super) fn hung_by(&mut self, gravity: Vector) {
        let last = Id::all(&self.forces).last();
        if let (Some(hung), Some(force)) = (&mut self.hung, last) {
            hung.gravity = Some((force, gravity));
        }
    }
}
