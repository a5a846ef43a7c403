//! The canonical problem, compiled: numbers at a state.
//!
//! ```text
//! v = B q' + b₀               q' = N (v − b₀), N = B⁻¹            [B92 2.1]
//! M q'' = h + Aᵀ λ + w        A q'' = b
//! ```
//!
//! The programs are in coordinates and rates. Where the model has speeds of its own, N is found by
//! factorising B at the state: no formula with a spurious pole is ever built, and the equations in
//! speeds follow by M_v = Nᵀ M N, h_v = Nᵀ (h + M N γ), A_v = A N, b_v = b + A N γ with
//! v' = B q'' + γ.

mod evaluator;
mod stage;

pub use evaluator::{Canonical, Energetics, Evaluator, Residuals, SpeedMap};
pub use stage::{Entry, Scratch, Stage};

use crate::lower::{Level, Symbols, System};
use dalembert_expr::calculus::{forward, gradient};
use dalembert_expr::{ExprId, Graph, SymbolId, substitute};

/// Places of the parts in the result of the dynamics stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of coordinates.
    pub n: usize,
    /// Number of rows.
    pub rows: usize,
}

impl Layout {
    fn mass(self, i: usize, j: usize) -> usize {
        i * self.n + j
    }
    fn force(self, i: usize) -> usize {
        self.n * self.n + i
    }
    fn nonideal(self, i: usize) -> usize {
        self.n * (self.n + 1) + i
    }
    fn jacobian(self, row: usize, j: usize) -> usize {
        self.n * (self.n + 2) + row * self.n + j
    }
    fn bias(self, row: usize) -> usize {
        self.n * (self.n + 2) + self.rows * self.n + row
    }
    fn size(self) -> usize {
        self.n * (self.n + 2) + self.rows * (self.n + 1)
    }
}

/// A model's equations, compiled.
pub struct Equations {
    layout: Layout,
    parameters: usize,
    /// M, h, w, A, b.
    dynamics: Stage,
    /// φ of the position rows, then ∂φ/∂q by rows.
    position: Stage,
    /// What vanishes at velocity level (φ' and ψ), then its derivative by q', by rows.
    velocity: Stage,
    /// B by rows, b₀, γ.
    speeds: Option<Stage>,
    /// T, V, drive, and the generalized forces of every given force and every w.
    report: Stage,
    /// Rows that hold at position level.
    position_rows: Vec<usize>,
    /// Rows that hold at velocity level or above.
    velocity_rows: Vec<usize>,
    forces: usize,
    driven: bool,
}

impl Equations {
    /// Compiles a lowered model.
    #[must_use]
    pub fn compile(system: &mut System) -> Self {
        let layout = Layout {
            n: system.symbols.coordinates.len(),
            rows: system.rows.len(),
        };
        let (kinetic, potential) = (system.kinetic, system.potential);
        let drive = drive(&mut system.graph, &system.symbols, kinetic, potential);
        let driven = drive != system.graph.integer(0);
        let System { graph, symbols, .. } = &*system;
        let order: Vec<SymbolId> = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &symbols.parameters,
            &symbols.accelerations,
        ]
        .concat();
        let mut places = vec![None; graph.symbol_count()];
        for (place, symbol) in order.iter().enumerate() {
            places[symbol.index()] = Some(place);
        }
        let stage = |elements: Vec<Vec<Entry>>, size: usize| {
            Stage::new(graph, &elements, size, |symbol| places[symbol.index()])
        };
        let rows_at = |levels: &[Level]| -> Vec<usize> {
            let chosen = |&row: &usize| levels.contains(&system.rows[row].level);
            (0..layout.rows).filter(chosen).collect()
        };
        let position_rows = rows_at(&[Level::Position]);
        let velocity_rows = rows_at(&[Level::Position, Level::Velocity]);
        let (forces, constraints) = (system.forces.len(), system.nonideal.len());
        let report_size = 3 + (forces + constraints) * layout.n;
        Self {
            layout,
            parameters: symbols.parameters.len(),
            dynamics: stage(dynamics(system, layout), layout.size()),
            position: stage(
                level(system, &position_rows, layout.n, |row| Some(row.residual)),
                position_rows.len() * (layout.n + 1),
            ),
            velocity: stage(
                level(system, &velocity_rows, layout.n, |row| row.rate),
                velocity_rows.len() * (layout.n + 1),
            ),
            speeds: system
                .speeds
                .as_ref()
                .map(|_| stage(speeds(system, layout.n), layout.n * (layout.n + 2))),
            report: stage(report(system, drive, layout.n), report_size),
            position_rows,
            velocity_rows,
            forces,
            driven,
        }
    }

    /// Compiles everything to native code, see [`Stage::make_native`]. Returns whether all of it is.
    pub fn make_native(&mut self) -> bool {
        let stages = [
            Some(&mut self.dynamics),
            Some(&mut self.position),
            Some(&mut self.velocity),
            self.speeds.as_mut(),
            Some(&mut self.report),
        ];
        let mut all = true;
        for stage in stages.into_iter().flatten() {
            all &= stage.make_native();
        }
        all
    }

    /// Whether kinematics or potentials that depend on time can do work.
    #[must_use]
    pub fn driven(&self) -> bool {
        self.driven
    }

    /// Number of coordinates.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.layout.n
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.layout.rows
    }

    /// Rows that hold at position level.
    #[must_use]
    pub fn position_rows(&self) -> &[usize] {
        &self.position_rows
    }

    /// Rows that hold at velocity level: position and velocity rows.
    #[must_use]
    pub fn velocity_rows(&self) -> &[usize] {
        &self.velocity_rows
    }

    /// Length of the vector of inputs: q, q', t, parameters, q''.
    #[must_use]
    pub fn input_count(&self) -> usize {
        3 * self.layout.n + 1 + self.parameters
    }

    /// Number of operations of one evaluation of M, h, A, b, w, shared kernels counted once.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.dynamics.operations()
    }
}

/// d/dt(T₁ + 2 T₀) − ∂(T − V)/∂t: the power of explicitly time-dependent kinematics and potentials.
pub(crate) fn drive(
    g: &mut Graph,
    symbols: &Symbols,
    kinetic: ExprId,
    potential: ExprId,
) -> ExprId {
    let lagrangian = g.sub(kinetic, potential);
    let explicit = gradient(g, lagrangian, &[symbols.time])[0];
    let momenta = gradient(g, kinetic, &symbols.rates);
    if vanish_at_rest(g, kinetic, &momenta, &symbols.rates) {
        return g.neg(explicit);
    }
    // T₁ + 2 T₀ = 2 T − q'·∂T/∂q'
    let rates: Vec<ExprId> = symbols
        .rates
        .iter()
        .map(|&rate| g.symbol_node(rate))
        .collect();
    let products: Vec<ExprId> = momenta
        .iter()
        .zip(&rates)
        .map(|(&p, &v)| g.mul(p, v))
        .collect();
    let homogeneous = g.sum(products);
    let doubled = g.add(kinetic, kinetic);
    let uneven = g.sub(doubled, homogeneous);
    let follow = |from: &[SymbolId], to: &[SymbolId], symbol: SymbolId| {
        from.iter().position(|&s| s == symbol).map(|i| to[i])
    };
    let rate = forward(g, &[uneven], |g, symbol| {
        if symbol == symbols.time {
            return Some(g.integer(1));
        }
        let next = follow(&symbols.coordinates, &symbols.rates, symbol)
            .or_else(|| follow(&symbols.rates, &symbols.accelerations, symbol));
        next.map(|next| g.symbol_node(next))
    })[0];
    g.sub(rate, explicit)
}

/// Whether T and ∂T/∂q' vanish for q' = 0, so that T₀ = T₁ = 0.
fn vanish_at_rest(g: &mut Graph, kinetic: ExprId, momenta: &[ExprId], rates: &[SymbolId]) -> bool {
    let zero = g.integer(0);
    let at_rest: Vec<(ExprId, ExprId)> = rates
        .iter()
        .map(|&rate| (g.symbol_node(rate), zero))
        .collect();
    let all: Vec<ExprId> = momenta.iter().copied().chain([kinetic]).collect();
    substitute(g, &all, &at_rest)
        .into_iter()
        .all(|value| value == zero)
}

fn dynamics(system: &System, layout: Layout) -> Vec<Vec<Entry>> {
    let mut elements = Vec::new();
    for part in &system.inertia {
        let mut element = Vec::new();
        for &(i, j, value) in &part.mass {
            let mut targets = vec![layout.mass(i, j)];
            if i != j {
                targets.push(layout.mass(j, i));
            }
            element.push(Entry { value, targets });
        }
        element.extend(part.force.iter().map(|&(i, value)| Entry {
            value,
            targets: vec![layout.force(i)],
        }));
        elements.push(element);
    }
    for force in &system.forces {
        let entry = |&(i, value): &(usize, ExprId)| Entry {
            value,
            targets: vec![layout.force(i)],
        };
        elements.push(force.force.iter().map(entry).collect());
    }
    for nonideal in &system.nonideal {
        let entry = |&(i, value): &(usize, ExprId)| Entry {
            value,
            targets: vec![layout.nonideal(i)],
        };
        elements.push(nonideal.iter().map(entry).collect());
    }
    for (index, row) in system.rows.iter().enumerate() {
        let entry = |&(j, value): &(usize, ExprId)| Entry {
            value,
            targets: vec![layout.jacobian(index, j)],
        };
        let mut element: Vec<Entry> = row.jacobian.iter().map(entry).collect();
        element.push(Entry {
            value: row.bias,
            targets: vec![layout.bias(index)],
        });
        elements.push(element);
    }
    elements
}

/// Residuals of some rows, then the rows of A.
fn level(
    system: &System,
    rows: &[usize],
    n: usize,
    residual: impl Fn(&crate::lower::Row) -> Option<ExprId>,
) -> Vec<Vec<Entry>> {
    let element = |(place, &index): (usize, &usize)| {
        let row = &system.rows[index];
        let start = rows.len() + place * n;
        let mut element: Vec<Entry> = row
            .jacobian
            .iter()
            .map(|&(j, value)| Entry {
                value,
                targets: vec![start + j],
            })
            .collect();
        element.extend(residual(row).map(|value| Entry {
            value,
            targets: vec![place],
        }));
        element
    };
    rows.iter().enumerate().map(element).collect()
}

fn speeds(system: &System, n: usize) -> Vec<Vec<Entry>> {
    let Some(speeds) = &system.speeds else {
        return Vec::new();
    };
    let mut element = Vec::new();
    for (i, row) in speeds.matrix.iter().enumerate() {
        element.extend(row.iter().map(|&(j, value)| Entry {
            value,
            targets: vec![i * n + j],
        }));
        element.push(Entry {
            value: speeds.offset[i],
            targets: vec![n * n + i],
        });
        element.push(Entry {
            value: speeds.gamma[i],
            targets: vec![n * (n + 1) + i],
        });
    }
    vec![element]
}

/// T, V, drive; then forces and virtual-work vectors, n numbers each.
fn report(system: &System, drive: ExprId, n: usize) -> Vec<Vec<Entry>> {
    let scalars = [system.kinetic, system.potential, drive];
    let mut elements = vec![
        scalars
            .iter()
            .enumerate()
            .map(|(i, &value)| Entry {
                value,
                targets: vec![i],
            })
            .collect::<Vec<_>>(),
    ];
    let given = system.forces.iter().map(|force| &force.force);
    for (index, vector) in given.chain(&system.nonideal).enumerate() {
        let start = 3 + index * n;
        elements.push(
            vector
                .iter()
                .map(|&(i, value)| Entry {
                    value,
                    targets: vec![start + i],
                })
                .collect(),
        );
    }
    elements
}
