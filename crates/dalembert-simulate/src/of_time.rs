//! Functions of time alone in forces and rows, and their bounds over whole stretches of time.

use super::bounds::{Bounded, Bounds, Given, Step, WHOLE, is_smooth};
use dalembert_expr::calculus::partial;
use dalembert_expr::table::{TableFunction, Taken};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::ROUNDING;
use dalembert_mechanics::start::State;

/// Powers up to which a power of a sine has no narrow peaks.
const BROAD: f64 = 4.0;

/// The functions of time of a mechanism.
pub(super) struct OfTime {
    /// All, of the time as their only input.
    all: Bounded,
    /// Those that switch something where they change their sign.
    pub(super) switching: Vec<usize>,
    /// Those that are no part of another, and may have peaks that are narrow beside the times they change in elsewhere.
    pub(super) peaked: Vec<usize>,
    /// Those that are no part of another and have a derivative everywhere, and it.
    slopes: Vec<[usize; 2]>,
    /// Bounds in the middle of a stretch of those that have a derivative.
    middles: Vec<Bounds>,
}

impl OfTime {
    /// The functions of time of a mechanism; `None` if nothing depends on time.
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Option<Self> {
        let system = &mechanism.system;
        let cone = Cone::new(&system.graph, &system.expressions());
        let is_time = |id: ExprId| match system.graph.node(id) {
            Node::Symbol(symbol) => symbol == system.symbols.time,
            _ => false,
        };
        cone.nodes().iter().copied().find(|&id| is_time(id))?;
        let mut graph = system.graph.clone();
        let Found {
            mut switching,
            mut ends,
        } = Found::new(mechanism, &cone, &mut graph);
        for ids in [&mut switching, &mut ends] {
            ids.sort_unstable();
            ids.dedup();
        }
        let all: Vec<ExprId> = switching.iter().chain(&ends).copied().collect();
        let mut slopes: Vec<[ExprId; 2]> = Vec::new();
        for &id in &ends {
            if is_smooth(&graph, id) {
                slopes.push([id, partial(&mut graph, id, system.symbols.time)]);
            }
        }
        let wanted: Vec<ExprId> = slopes.iter().map(|it| it[1]).chain(all).collect();
        let cone = Cone::new(&graph, &wanted);
        // Every node is a function of time, or a number, and has the place of its step.
        let place = |id: ExprId| cone.position(id).unwrap_or(0);
        let all = Bounded::new(&graph, &cone, |symbol| match symbol {
            _ if symbol == system.symbols.time => Given::Input(0),
            _ => Given::Number(mechanism.value_of(symbol, state)),
        });
        let narrow = narrow(all.steps());
        let peaked = ends.into_iter().map(place).filter(|&k| narrow[k]);
        Some(Self {
            switching: switching.into_iter().map(place).collect(),
            peaked: peaked.collect(),
            middles: vec![WHOLE; slopes.len()],
            slopes: slopes.into_iter().map(|it| it.map(place)).collect(),
            all,
        })
    }

    /// Bounds of a function over the stretch of time that was last looked at.
    pub(super) fn bounds(&self, function: usize) -> Bounds {
        self.all.bounds(function)
    }

    /// Bounds of all functions over a stretch of time. Where parts of a function cancel, what these are bounded by says little; then what it is in
    /// the middle does, and how fast it can change: f(t) is within f(m) ± (b − a)/2 max |f'|.
    pub(super) fn bound(&mut self, time: Bounds) {
        let [a, b] = time;
        if a < b && !self.slopes.is_empty() {
            let middle = f64::midpoint(a, b);
            // The middle is rounded, too: as far as to the end that is farther.
            let half = (b - middle).max(middle - a);
            self.bound_by_parts([middle; 2]);
            for (middle, [function, _]) in self.middles.iter_mut().zip(&self.slopes) {
                *middle = self.all.bounds(*function);
            }
            self.bound_by_parts(time);
            for ([low, high], &[function, slope]) in self.middles.iter().zip(&self.slopes) {
                let [least, largest] = self.all.bounds(slope);
                let by = half * largest.max(-least);
                // What rounding leaves of the sum is part of its terms.
                let by = by + ROUNDING * (by + low.abs().max(high.abs()));
                if by.is_finite() {
                    self.all.narrow(function, [low - by, high + by]);
                }
            }
            return;
        }
        self.bound_by_parts(time);
    }

    /// The same by their parts alone, which are exact where a function of a few operations is zero.
    pub(super) fn bound_by_parts(&mut self, time: Bounds) {
        self.all.bound(&[time]);
    }
}

/// What is found in the expressions of a mechanism.
struct Found {
    /// Functions of time that switch something where they change their sign.
    switching: Vec<ExprId>,
    /// Functions of time that are no part of another.
    ends: Vec<ExprId>,
}

impl Found {
    /// In expressions, all parts of which are given, of a graph, to which what they are compared by is added.
    fn new(mechanism: &Mechanism, cone: &Cone, graph: &mut Graph) -> Self {
        let system = &mechanism.system;
        let mut ends: Vec<ExprId> = system.expressions();
        let mut switching = Vec::new();
        // Of each node: a function of time, a number, or neither.
        let mut kinds: Vec<Option<bool>> = Vec::with_capacity(cone.len());
        for &id in cone.nodes() {
            let kind = |operand: ExprId| kinds[cone.position(operand)?];
            let is_timed = |operand: ExprId| kind(operand) == Some(true);
            let node = graph.node(id);
            let found = match node {
                Node::Number(_) | Node::Pi => Some(false),
                Node::Symbol(symbol) if symbol == system.symbols.time => Some(true),
                Node::Symbol(symbol) => {
                    (system.symbols.parameters.contains(&symbol)).then_some(false)
                }
                Node::Table(_, a) | Node::Unary(_, a) => kind(a),
                Node::Binary(_, a, b) => kind(a).zip(kind(b)).map(|(a, b)| a || b),
            };
            match node {
                Node::Unary(Unary::Abs | Unary::Sign, a) if is_timed(a) => switching.push(a),
                // At its knots it is stepped onto: no piece of it is stepped over.
                Node::Table(table, a) if is_timed(a) => {
                    let function = TableFunction {
                        taken: Taken::Sides,
                        ..graph.table_function(table).clone()
                    };
                    switching.push(graph.table(&function, a));
                }
                // It switches also what is no function of time.
                Node::Binary(op, x, _) if op.is_condition() && is_timed(x) => switching.push(x),
                Node::Binary(Binary::Min | Binary::Max, a, b) if found == Some(true) => {
                    switching.push(graph.sub(a, b));
                }
                _ => {}
            }
            match node {
                _ if found.is_some() => {}
                // What is divided by may peak where it is least.
                Node::Binary(Binary::Div, a, b) => {
                    ends.push(a);
                    if is_timed(b) {
                        let one = graph.integer(1);
                        ends.push(graph.div(one, b));
                    }
                }
                node => ends.extend(node.operands()),
            }
            kinds.push(found);
        }
        let is_timed = |id: ExprId| match cone.position(id) {
            Some(place) => kinds[place] == Some(true),
            // Made of such functions a moment ago.
            None => true,
        };
        ends.retain(|&id| is_timed(id));
        Self { switching, ends }
    }
}

/// Which functions may have narrow peaks: none that is made of sums, products, sines and low powers of the time only.
fn narrow(steps: &[Step]) -> Vec<bool> {
    let (mut timed, mut narrow) = (Vec::with_capacity(steps.len()), Vec::new());
    for step in steps {
        let (is, may) = match *step {
            Step::Number(_) => (false, false),
            Step::Input(_) => (true, false),
            // Tables are stepped onto at every point.
            Step::Table(_, a) | Step::Unary(Unary::Sin | Unary::Cos | Unary::Neg, a) => {
                (timed[a], narrow[a])
            }
            Step::Unary(_, a) => (timed[a], timed[a]),
            Step::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) => {
                (timed[a] || timed[b], narrow[a] || narrow[b])
            }
            Step::Binary(op, a, b) => {
                let broad = match (op, &steps[b]) {
                    (Binary::Div, _) => !timed[b],
                    (Binary::Pow, Step::Number(n)) => n.fract() == 0.0 && (0.0..=BROAD).contains(n),
                    _ => false,
                };
                let is = timed[a] || timed[b];
                (is, if broad { narrow[a] } else { is })
            }
        };
        timed.push(is);
        narrow.push(may);
    }
    narrow
}
