//! The canonical problem, compiled: numbers at a state.
//!
//! ```text
//! v = B q' + b₀               q' = N (v − b₀), N = B⁻¹            [B92 2.1], with rates of identities among v (`lower/speeds.rs`)
//! M q'' = h + Aᵀ λ + w        A q'' = b
//! ```
//!
//! The programs are in coordinates and rates. Where the model has speeds of its own, N is found by
//! factorising B at the state: no formula with a spurious pole is ever built, and the equations in
//! speeds follow by M_v = Nᵀ M N, h_v = Nᵀ (h + M N γ), A_v = A N, b_v = b + A N γ with
//! v' = B q'' + γ.

mod assemble;
mod contacts;
mod evaluator;
mod hung;
mod inverse;
mod measure;
mod stage;
mod storage;

pub use crate::linear::factorisation::RowTerms;
pub(crate) use contacts::directions;
pub use contacts::{Contact, LawForces, Slipping};
pub use evaluator::{Canonical, Energetics, Evaluator, Residuals, SpeedMap};
pub(crate) use hung::diagonal;
pub use inverse::SpeedInverse;
pub use stage::{Entry, Scratch, Stage};
pub use storage::Stored;

use crate::linear::Pattern;
use crate::linear::factorisation::{Factorisation, Tolerance};
use crate::lower::{Activity, Level, Symbols, System};
use crate::state::State;
use contacts::{LawPrograms, Parts};
use dalembert_expr::calculus::{forward, gradient};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, substitute};
use measure::Measures;
use std::collections::HashSet;
use std::sync::Arc;
use storage::Storage;

/// A model's equations, compiled.
pub struct Equations {
    storage: Storage,
    parameters: usize,
    /// M, h, w, A, b, E.
    dynamics: Stage,
    /// φ of the position rows, then ∂φ/∂q.
    position: Stage,
    /// What vanishes at velocity level (φ' and ψ), then its derivative by q'.
    velocity: Stage,
    /// B, b₀, γ.
    speeds: Option<Stage>,
    /// Speeds that have names; those beyond are rates of identities, which are zero.
    named_speeds: usize,
    /// T, V, drive, and the generalized forces of every given force and every w.
    report: Stage,
    /// Laws that use reactions.
    laws: Option<LawPrograms>,
    /// Rows that hold at position level.
    position_rows: Vec<usize>,
    /// Rows that hold at velocity level or above.
    velocity_rows: Vec<usize>,
    driven: bool,
    measures: Measures,
    /// Expressions of rows that are identically zero.
    vanishing: HashSet<ExprId>,
    /// When each constraint holds, and which one each row is of.
    activity: Vec<Activity>,
    constraint_of_row: Vec<usize>,
}

impl Equations {
    /// Compiles a lowered model.
    #[must_use]
    pub fn compile(system: &mut System) -> Self {
        Self::compile_stored(system, None)
    }

    /// Compiles a lowered model with matrices stored as wanted, rather than as is cheaper.
    #[must_use]
    pub fn compile_stored(system: &mut System, wanted: Option<Stored>) -> Self {
        let (kinetic, potential) = (system.kinetic, system.potential);
        let quadratic = quadratic(system);
        let (graph, symbols) = (&mut system.graph, &system.symbols);
        let drive = match system.hung {
            // Links depend on nothing but their coordinates.
            Some(_) => gradient(graph, potential, &[symbols.time])[0],
            None => drive(graph, symbols, (kinetic, potential), quadratic),
        };
        let driven = drive != system.graph.integer(0);
        // Whoever derives more from it has a graph of his own.
        system.graph.settle();
        let rows_at = |levels: &[Level]| -> Vec<usize> {
            let chosen = |&row: &usize| levels.contains(&system.rows[row].level);
            (0..system.rows.len()).filter(chosen).collect()
        };
        let position_rows = rows_at(&[Level::Position]);
        let velocity_rows = rows_at(&[Level::Position, Level::Velocity]);
        let storage = Storage::new(system, &position_rows, &velocity_rows, wanted);
        let parts = Parts::of(system);
        let System { graph, symbols, .. } = &*system;
        let mut order: Vec<SymbolId> = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &symbols.parameters,
            &symbols.accelerations,
        ]
        .concat();
        order.extend(parts.iter().flat_map(|parts| &parts.unknowns));
        let mut places = vec![None; graph.symbol_count()];
        for (place, symbol) in order.iter().enumerate() {
            places[symbol.index()] = Some(place);
        }
        let stage = |elements: Vec<Vec<Entry>>, size: usize| {
            Stage::new(graph, &elements, size, |symbol| places[symbol.index()])
        };
        let n = symbols.coordinates.len();
        let measures = Measures::new(system, &storage, &places);
        let vanishing = measures.vanishing(system);
        let laws = parts.map(|parts| LawPrograms::new(parts, n, &stage));
        let report_size = 3 + storage.forces.size() + storage.nonideal.size();
        Self {
            parameters: symbols.parameters.len(),
            dynamics: stage(
                assemble::dynamics(system, &storage, &vanishing),
                storage.dynamics().size(),
            ),
            position: stage(
                assemble::level(
                    system,
                    (&position_rows, &storage.position),
                    &vanishing,
                    |row| Some(row.residual),
                ),
                position_rows.len() + storage.position.size(),
            ),
            velocity: stage(
                assemble::level(
                    system,
                    (&velocity_rows, &storage.velocity),
                    &vanishing,
                    |row| row.rate,
                ),
                velocity_rows.len() + storage.velocity.size(),
            ),
            speeds: storage
                .speeds
                .as_ref()
                .map(|pattern| stage(assemble::speeds(system, pattern), pattern.size() + 2 * n)),
            named_speeds: system.named_speeds(),
            report: stage(assemble::report(system, drive, &storage), report_size),
            laws,
            storage,
            position_rows,
            velocity_rows,
            driven,
            measures,
            vanishing,
            activity: system.activity.clone(),
            constraint_of_row: system
                .rows
                .iter()
                .map(|row| row.constraint.index())
                .collect(),
        }
    }

    /// Compiles everything to native code, see [`Stage::make_native`]. Returns whether all of it is.
    ///
    /// What is evaluated often is compiled by itself; this is for those who know beforehand.
    pub fn make_native(&self) -> bool {
        let stages = [
            Some(&self.dynamics),
            Some(&self.position),
            Some(&self.velocity),
            self.speeds.as_ref(),
            Some(&self.report),
            self.laws.as_ref().map(|laws| &laws.contacts),
            self.laws.as_ref().map(|laws| &laws.forces),
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

    /// The value of a coordinate, a rate, a parameter or time at a state; no number for other symbols.
    pub(crate) fn value_of(&self, symbol: SymbolId, state: &State, parameters: &[f64]) -> f64 {
        let n = self.coordinates();
        let value = self.measures.place(symbol).and_then(|place| match place {
            _ if place < n => state.coordinates.get(place),
            _ if place < 2 * n => state.rates.get(place - n),
            _ if place == 2 * n => Some(&state.t),
            _ => parameters.get(place - 2 * n - 1),
        });
        value.copied().unwrap_or(f64::NAN)
    }

    /// Whether an expression of the rows is identically zero, as far as numbers tell.
    pub fn vanishes(&self, expression: ExprId) -> bool {
        self.vanishing.contains(&expression)
    }

    /// Number of coordinates.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.storage.mass.rows()
    }

    /// Number of speeds: of coordinates, less one for each identity that these obey. A state has zeros for the others.
    #[must_use]
    pub fn named_speeds(&self) -> usize {
        self.named_speeds
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.storage.rows.rows()
    }

    /// How the matrices are stored.
    #[must_use]
    pub fn stored(&self) -> Stored {
        match &*self.storage.mass {
            mass if mass.is_full() => Stored::Full,
            mass if mass.tree().is_some() => Stored::Links,
            _ => Stored::Compressed,
        }
    }

    /// Room for M and A.
    #[must_use]
    pub fn factorisation(&self, tolerance: Tolerance) -> Factorisation {
        self.storage.factorisation(&self.storage.rows, tolerance)
    }

    /// Room for M and the position rows.
    #[must_use]
    pub fn position_factorisation(&self, tolerance: Tolerance) -> Factorisation {
        self.storage
            .factorisation(&self.storage.position, tolerance)
    }

    /// Room for M and the rows at velocity level.
    #[must_use]
    pub fn velocity_factorisation(&self, tolerance: Tolerance) -> Factorisation {
        self.storage
            .factorisation(&self.storage.velocity, tolerance)
    }

    /// Where M is stored.
    #[must_use]
    pub fn mass_pattern(&self) -> &Arc<Pattern> {
        &self.storage.mass
    }

    /// Where A is stored.
    #[must_use]
    pub fn row_pattern(&self) -> &Arc<Pattern> {
        &self.storage.rows
    }

    /// Where the Jacobian of the position rows is stored.
    #[must_use]
    pub fn position_pattern(&self) -> &Arc<Pattern> {
        &self.storage.position
    }

    /// Where the Jacobian of the rows at velocity level is stored.
    #[must_use]
    pub fn velocity_pattern(&self) -> &Arc<Pattern> {
        &self.storage.velocity
    }

    /// Where the reactions of the constraints are stored, a row each.
    #[must_use]
    pub fn reaction_pattern(&self) -> &Arc<Pattern> {
        &self.storage.reactions
    }

    /// Where B of the speeds is stored; `None` where the speeds are the rates.
    #[must_use]
    pub fn speed_pattern(&self) -> Option<&Arc<Pattern>> {
        self.storage.speeds.as_ref()
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

    /// Length of the vector of inputs: q, q', t, parameters, q'', and where laws use reactions these and the
    /// ways of slips.
    #[must_use]
    pub fn input_count(&self) -> usize {
        let unknowns = self
            .laws
            .as_ref()
            .map_or(0, |laws| laws.parts.unknowns.len());
        3 * self.coordinates() + 1 + self.parameters + unknowns
    }

    /// Whether a row is a contact, which presses and does not pull.
    #[must_use]
    pub fn is_contact(&self, row: usize) -> bool {
        self.activity[self.constraint_of_row[row]] == Activity::Contact
    }

    /// Rows whose reactions laws use, ascending; the motion follows from an algebraic problem where there are any.
    #[must_use]
    pub fn law_rows(&self) -> &[usize] {
        self.laws.as_ref().map_or(&[], |laws| &laws.parts.rows)
    }

    /// Whether rows are held by forces.
    #[must_use]
    pub fn has_servos(&self) -> bool {
        !self.storage.servo_rows.is_empty()
    }

    /// Coordinates on which such laws act, ascending.
    #[must_use]
    pub fn law_coordinates(&self) -> &[usize] {
        self.laws
            .as_ref()
            .map_or(&[], |laws| &laws.parts.coordinates)
    }

    /// Numbers that say which way slips go: one along a line, three in a plane.
    #[must_use]
    pub fn way_count(&self) -> usize {
        self.laws.as_ref().map_or(0, |laws| laws.parts.ways)
    }

    /// Slips that can vanish.
    #[must_use]
    pub fn slide_count(&self) -> usize {
        self.laws.as_ref().map_or(0, LawPrograms::slides)
    }

    /// Whether all laws are friction that is proportional to a normal force.
    #[must_use]
    pub fn has_only_friction(&self) -> bool {
        self.laws
            .as_ref()
            .is_some_and(|laws| laws.parts.only_friction)
    }

    /// Number of operations of one evaluation of M, h, A, b, w, shared kernels counted once.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.dynamics.operations()
    }
}

/// Whether no rate is in M = ∂²T/∂q'².
pub(crate) fn quadratic(system: &System) -> bool {
    let mass = system.inertia.iter().flat_map(|part| &part.mass);
    let mass: Vec<ExprId> = mass.map(|&(_, _, value)| value).collect();
    let mut rates = vec![false; system.graph.symbol_count()];
    for rate in &system.symbols.rates {
        rates[rate.index()] = true;
    }
    let symbols = Cone::new(&system.graph, &mass).symbols(&system.graph);
    !symbols.iter().any(|symbol| rates[symbol.index()])
}

/// Whether T is seen to be a form of second degree in the rates; false where that is not seen.
pub fn is_quadratic_form(g: &mut Graph, system: &System) -> bool {
    let momenta = gradient(g, system.kinetic, &system.symbols.rates);
    quadratic(system) && vanish_at_rest(g, system.kinetic, &momenta, &system.symbols.rates)
}

/// The power of explicitly time-dependent kinematics and potentials of a system, written into a graph that holds its expressions.
pub fn driving_power(g: &mut Graph, system: &System) -> ExprId {
    let energies = (system.kinetic, system.potential);
    drive(g, &system.symbols, energies, quadratic(system))
}

/// d/dt(T₁ + 2 T₀) − ∂(T − V)/∂t: the power of explicitly time-dependent kinematics and potentials.
///
/// Where T is not `quadratic` in the rates, T₁ + 2 T₀ stands for 2 T − q'·∂T/∂q', which is what T lacks of being so.
pub(crate) fn drive(
    g: &mut Graph,
    symbols: &Symbols,
    (kinetic, potential): (ExprId, ExprId),
    quadratic: bool,
) -> ExprId {
    let lagrangian = g.sub(kinetic, potential);
    let explicit = gradient(g, lagrangian, &[symbols.time])[0];
    let momenta = gradient(g, kinetic, &symbols.rates);
    if quadratic && vanish_at_rest(g, kinetic, &momenta, &symbols.rates) {
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
    let mut following = vec![None; g.symbol_count()];
    let chain = [&symbols.coordinates, &symbols.rates, &symbols.accelerations];
    for (from, to) in chain.iter().zip(&chain[1..]) {
        for (from, &to) in from.iter().zip(to.iter()) {
            following[from.index()] = Some(to);
        }
    }
    let rate = forward(g, &[uneven], |g, symbol| {
        if symbol == symbols.time {
            return Some(g.integer(1));
        }
        following[symbol.index()].map(|next| g.symbol_node(next))
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
