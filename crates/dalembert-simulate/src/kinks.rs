//! Kinks and jumps of forces that the motion runs into: where the argument of a sign, an absolute value or a condition, or the difference under a
//! minimum or maximum changes its sign, or that of a table passes one of its points, a run sets out again. So a force that acts in a thin place is not stepped over, and no step
//! is judged by what lies on both sides. (Where that is a matter of time alone it is known ahead: `switches.rs`.)

use super::enclosure::Enclosures;
use super::motion::MotionSystem;
use super::observed::{Observed, follows_motion};
use super::switches::can_switch;
use dalembert_expr::table::{TableFunction, Taken};
use dalembert_expr::{Cone, ExprId, Graph, Node};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{CANCELLED, ROUNDING};
use dalembert_ode::{Events, Known, Step};

/// A kink that comes before this part of a step is looked for again in shorter ones: what lies before it was hardly seen.
const EARLY: f64 = 0.5;
/// Legs of few steps in a row that end where the same changes its sign: more of them are no way through but to and fro, and
/// the steps are left to the integrator.
const MOST_SHORT: usize = 30;
const FEW_STEPS: u64 = 3;

/// What changes its sign in forces.
pub(super) struct Kinks<'m> {
    arguments: Observed<'m>,
    enclosures: Enclosures,
    events: Events<1>,
    /// How often in a row each was met after a few steps, and since when.
    short: Vec<usize>,
    since: Vec<f64>,
}

/// What changes its sign where forces have kinks or jump along the motion, in a graph of its own; `None` where nothing can.
pub(super) fn arguments(mechanism: &Mechanism) -> Option<(Graph, Vec<ExprId>)> {
    let system = &mechanism.system;
    let given = system.forces.iter().map(|given| &given.force);
    let inertial = system.inertia.iter().map(|part| &part.force);
    let forces = given.chain(inertial).chain(&system.nonideal).flatten();
    let forces: Vec<ExprId> = forces.map(|&(_, force)| force).collect();
    let cone = Cone::new(&system.graph, &forces);
    let mut nodes = cone.nodes().iter().copied();
    nodes.find(|&id| can_switch(&system.graph, id))?;
    let mut graph = system.graph.clone();
    let mut arguments = Vec::new();
    for &id in cone.nodes() {
        let node = system.graph.node(id);
        let switched_by = match node {
            Node::Binary(op, argument, _) if op.is_condition() => argument,
            _ => id,
        };
        if !can_switch(&system.graph, id) || !follows_motion(mechanism, switched_by) {
            continue;
        }
        arguments.push(match node {
            Node::Binary(op, argument, _) if op.is_condition() => argument,
            Node::Binary(_, a, b) => graph.sub(a, b),
            Node::Table(table, a) => {
                let function = TableFunction {
                    taken: Taken::Sides,
                    ..graph.table_function(table).clone()
                };
                graph.table(&function, a)
            }
            Node::Unary(_, a) => a,
            _ => continue,
        });
    }
    arguments.sort_unstable();
    arguments.dedup();
    Some((graph, arguments))
}

/// Where something changes its sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kink {
    argument: usize,
    pub(super) t: f64,
}

impl<'m> Kinks<'m> {
    /// The kinks of a mechanism, for states of a size; `None` if it has none.
    pub(super) fn new(mechanism: &'m Mechanism, size: usize) -> Option<Self> {
        let (graph, arguments) = arguments(mechanism)?;
        Some(Self {
            events: Events::new(2 * arguments.len(), size),
            short: vec![0; arguments.len()],
            since: vec![0.0; arguments.len()],
            enclosures: Enclosures::new(mechanism, &graph, &arguments, |it| it),
            arguments: Observed::new(mechanism, &graph, &arguments)?,
        })
    }

    /// Begins a leg.
    pub(super) fn start(&mut self) {
        self.events.restart();
    }

    /// The first time at which something changed too fast to be followed.
    pub(super) fn unfollowed(&self) -> Option<f64> {
        self.events.unfollowed().map(|it| it.t)
    }

    /// The first kink in a step.
    pub(super) fn locate(&mut self, step: &mut Step<'_, MotionSystem<'_>, 1>) -> Option<Kink> {
        let Self {
            arguments,
            enclosures,
            events,
            short,
            ..
        } = self;
        if short.iter().all(|count| *count > MOST_SHORT) {
            return None;
        }
        let all = 2 * short.len();
        if step.t_new(0) > step.t_old(0) {
            enclosures.take(step);
        }
        let known = |event: usize, times| match event % 2 {
            _ if short[event / 2] > MOST_SHORT => Known::always(-1.0),
            0 => enclosures.known(event / 2, times),
            _ => enclosures.known(event / 2, times).negative(),
        };
        let values_at = |system: &mut MotionSystem<'_>, t: f64, y: &[f64], g: &mut [f64]| {
            let values = arguments.at(system, (t, y.as_chunks().0));
            for ((sides, value), count) in g.chunks_exact_mut(2).zip(values).zip(&*short) {
                sides.copy_from_slice(&match *count > MOST_SHORT {
                    true => [-1.0; 2],
                    false => [*value, -value],
                });
            }
        };
        let found = events.locate_first_within(step, (0, all), values_at, known);
        found.first().map(|crossing| Kink {
            argument: crossing.event / 2,
            t: crossing.t,
        })
    }

    /// Whether a step has hardly looked at what lies before a kink in it, so that it is to be made again up to there.
    pub(super) fn is_early(kink: Kink, [start, end]: [f64; 2], span: f64) -> bool {
        let way = kink.t - start;
        // Two times that differ by rounding have hardly any between them; near zero, by what is nothing beside the run.
        let nothing = 2.0 * ROUNDING * kink.t.abs().max(start.abs()).max(span);
        way < EARLY * (end - start) && way > nothing
    }

    /// Takes notice of a leg that ended at a kink after so many steps; whether the motion is driven back to it from both sides, again and
    /// again in a time that is nothing beside the run.
    pub(super) fn passed(&mut self, kink: Kink, steps: u64, span: f64) -> bool {
        let count = &mut self.short[kink.argument];
        *count = if steps <= FEW_STEPS { *count + 1 } else { 0 };
        let since = &mut self.since[kink.argument];
        if *count <= 1 {
            *since = kink.t;
        }
        *count > MOST_SHORT && kink.t - *since <= CANCELLED * span
    }
}
