//! Bodies that hang in a tree, link by link: what M and the inertia terms of h are made of, and never multiplied out.
//!
//! A chain of n bodies in coordinates of its joints has a full M, whose entries are sums over all bodies beyond: n³ terms. What moves
//! each link against the one it hangs on is as short as its joint. Numbers are made of that in `dalembert-linear`, `tree/`.

use super::{ForceId, Lowering, System};
use crate::elaborate::{Attitude, Vector, VectorAlgebra};
use crate::ids::Id;
use crate::model::{Expression, Hanging};
use crate::random;
use dalembert_expr::{ExprId, SymbolId, SymbolKind, evaluate, substitute};
use dalembert_linear::decide::CANCELLED;
use std::collections::HashMap;

/// Numbers of where a body is: its mass centre and its axes.
const POSE: usize = 12;

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

/// Multiplications, or as long, for a link: of itself, and of each row; and of each entry of M that a body adds to where it is written out, in space and in the
/// plane. In space a chain of twelve bodies costs as much in either way.
const LINK: f64 = 500.0;
const ROW_OF_LINK: f64 = 120.0;
const ENTRY: [f64; 2] = [10.0, 3.0];

impl System {
    /// Whether solving by links costs less than with M written out, whose entries are those of coordinates one of which carries the other.
    #[must_use]
    pub fn links_pay(&self) -> bool {
        let Some(hung) = &self.hung else {
            return false;
        };
        let zero = |it: ExprId| self.graph.as_number(it).is_some_and(|it| it.is_zero());
        let planar = |link: &HungLink| {
            let [[x, y, _], [.., z]] = link.along;
            [x, y, z].into_iter().all(zero)
        };
        let entry = ENTRY[usize::from(hung.links.iter().all(planar))];
        let mut depths: Vec<f64> = Vec::with_capacity(hung.links.len());
        for link in &hung.links {
            let before = link.on.map_or(0.0, |on| depths[on]);
            depths.push(before + f64::from(u8::from(link.coordinate.is_some())));
        }
        let (n, rows) = (depths.len() as f64, self.rows.len() as f64);
        let solved = rows * rows * (n / 2.0 + rows / 6.0);
        let by_links = n * (LINK + rows * ROW_OF_LINK) + solved;
        by_links < entry * depths.iter().map(|depth| depth * depth).sum::<f64>()
    }
}

impl Lowering<'_> {
    /// The bodies of a model link by link, with particles that they carry, if these are all that has inertia, and hang in coordinates that move nothing else.
    pub(super) fn links(&mut self) -> Option<Vec<HungLink>> {
        let model = self.model;
        let kinetic = model.energy.as_ref().is_some_and(|it| it.kinetic.is_some());
        let moves =
            |it: &Hanging| usize::from(it.angle.is_some()) + usize::from(it.distance.is_some());
        let is_tree = model.hanging.len() == model.bodies.len()
            && model.hanging.iter().map(moves).sum::<usize>() == model.coordinates.len()
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
            work.riders(&own, &mut links)?;
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

    /// Particles as links that stand still on a body: where they are in its axes is the same wherever all is, which is seen at two random states.
    fn riders(&mut self, own: &[Option<usize>], links: &mut Vec<HungLink>) -> Option<()> {
        let model = self.model;
        if model.particles.is_empty() {
            return Some(());
        }
        let bodies: Option<Vec<(Vector, [Vector; 3])>> = (0..own.len())
            .map(|i| {
                Some((
                    self.scope.body(i)?.center.position,
                    self.scope.body(i)?.attitude.matrix,
                ))
            })
            .collect();
        let bodies = bodies?;
        let particles: Option<Vec<Vector>> = (0..model.particles.len())
            .map(|i| Some(self.scope.particle(i)?.position))
            .collect();
        let particles = particles?;
        let poses = bodies
            .iter()
            .flat_map(|(center, axes)| center.iter().chain(axes.iter().flatten()));
        let all: Vec<ExprId> = poses.chain(particles.iter().flatten()).copied().collect();
        let at = |trial: u64| {
            let graph = &self.scope.graph;
            // Parameters stay what they are.
            let trial = |symbol| match graph.symbol_data(symbol).kind {
                SymbolKind::Parameter => 0,
                _ => trial,
            };
            let value = |symbol: SymbolId| random(symbol.index() as u64, trial(symbol));
            evaluate(graph, &all, value)
        };
        let states = [at(0), at(1)];
        let rides = |particle: usize, body: usize| {
            let seen = states.each_ref().map(|state| {
                let (pose, place) = (
                    &state[POSE * body..],
                    &state[POSE * own.len() + 3 * particle..],
                );
                let away: Vec<f64> = (0..3).map(|i| place[i] - pose[i]).collect();
                let column = |j: usize| (0..3).map(|i| pose[3 + 3 * i + j] * away[i]).sum::<f64>();
                let size = (0..3).map(|i| place[i].abs() + pose[i].abs()).sum::<f64>();
                ([column(0), column(1), column(2)], size)
            });
            let [(one, size), (other, more)] = seen;
            let apart = one.iter().zip(other).map(|(a, b)| (a - b).abs());
            apart.sum::<f64>() <= CANCELLED * size.max(more)
        };
        let mut places = Vec::new();
        let mut carriers = Vec::new();
        for (particle, &position) in particles.iter().enumerate() {
            let body = (0..own.len()).find(|&body| rides(particle, body))?;
            let (center, axes) = bodies[body];
            let g = self.graph();
            let away = g.sub3(position, center);
            places.extend(g.rotate_back3(&axes, away));
            carriers.push(own[body]);
        }
        // The same everywhere: so where all coordinates are zero.
        let coordinates = self.symbols.coordinates.clone();
        let g = self.graph();
        let nothing = g.integer(0);
        let zeros: Vec<(ExprId, ExprId)> = coordinates
            .into_iter()
            .map(|it| (g.symbol_node(it), nothing))
            .collect();
        let places = substitute(g, &places, &zeros);
        let (turn, zero) = (Attitude::identity(g).matrix, g.zero3());
        for ((particle, place), on) in model
            .particles
            .iter()
            .zip(places.chunks_exact(3))
            .zip(carriers)
        {
            let mass = self.constant(&particle.mass, "a mass")?;
            links.push(HungLink {
                on,
                coordinate: None,
                turn,
                offset: [place[0], place[1], place[2]],
                along: [zero; 2],
                mass,
                inertia: [zero; 3],
            });
        }
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
