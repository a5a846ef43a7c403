//! From a model to the canonical problem, in expressions.
//!
//! ```text
//! M(q, q', t) q'' = h(q, q', t) + Aᵀ λ + w        A(q, q', t) q'' = b(q, q', t)
//! ```
//!
//! Everything here is in coordinates and their rates; speeds v = B q' + b₀ come in when numbers are
//! computed (`equations` in `dalembert-mechanics`). Contributions are sparse lists, one per thing the user named,
//! so that each can be asked for its power and its part.

mod condition;
mod contact;
mod dependence;
mod distribute;
mod drawing;
mod energy;
mod event;
mod factors;
mod friction;
mod gauge;
mod given;
mod hung;
mod inertia;
mod inputs;
mod jumps;
mod labels;
mod load;
mod physical;
mod reaction_record;
mod reactions_in_laws;
mod record;
mod rods;
mod rows;
mod run;
mod sampling;
mod senses;
mod servo;
mod sliders;
mod slip;
mod small_systems;
mod speeds;
mod spring;
mod start;
mod states;
mod undetermined;
mod unilateral;
mod wrench;

pub use drawing::{Drawing, Drawn, DrawnForce, DrawnShape, Form, JointPlace, drawing};
pub use event::{Activity, Condition, Event, Part as ConditionPart, Struck, Target as SetTarget};
pub use friction::{Friction, Rough};
pub use gauge::LoweredGauge;
pub use hung::{Hung, HungLink};
pub use inertia::Moving;
pub use jumps::root_of;
pub use labels::DRIVE;
pub use physical::{Physical, physical};
pub use record::Record;
pub use rows::{Level, Row, RowId};
pub use run::{INTEGRATORS, RunPlan};
pub use senses::Sense;
pub use servo::Servo;
pub use sliders::{LoweredSlider, is_literal};
pub use slip::Slip;
pub use speeds::Speeds;
pub use start::{Said, StartCondition, Started};
pub use unilateral::Unilateral;
pub use wrench::{Wrench, Wrenches};

use crate::diagnostic::{Diagnostic, Place};
use crate::dimensions::perhaps_degrees;
use crate::elaborate::{Elaborator, PointMotion, Target, Vector, VectorAlgebra};
use crate::ids::{ConstraintId, Id};
use crate::model::{Model, at_most_shown};
use dalembert_expr::{Copies, ExprId, Graph, SymbolId, SymbolKind};
use dependence::{Places, Traits};
use inertia::DerivedPart;
use rows::DerivedRow;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One of the forces of a system.
pub type ForceId = Id<Given>;

/// A sparse vector by coordinate.
pub type Sparse = Vec<(usize, ExprId)>;

/// The symbols a system is a function of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// Coordinates q.
    pub coordinates: Vec<SymbolId>,
    /// Rates q'.
    pub rates: Vec<SymbolId>,
    /// Accelerations q''.
    pub accelerations: Vec<SymbolId>,
    /// Multipliers, one for each row: reactions that laws use.
    pub multipliers: Vec<SymbolId>,
    /// Parameters.
    pub parameters: Vec<SymbolId>,
    /// Time.
    pub time: SymbolId,
}

/// A contribution to the inertia: entries of M with row ≥ column, and the inertia terms of h.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inertial {
    /// Row, column and value, each place of the lower triangle at most once.
    pub mass: Vec<(usize, usize, ExprId)>,
    /// −(terms of the inertia force that hold no q'').
    pub force: Sparse,
}

/// A given force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// What the user called it; `gravity`, `potential`, `dissipation` and `dynamics` for those,
    /// `S.stiffness`, `S.damping` and `S.dry` for a spring `S` that has several.
    pub name: String,
    /// Its generalized force.
    pub force: Sparse,
    /// Whether it is the gradient of a potential that is counted in the potential energy.
    pub conservative: bool,
    /// c of a damper, whose force is −c s' ∂s/∂q, or the size of dry friction along s: where it is positive, it takes power from every
    /// motion, unless s changes with time alone.
    pub damping: Option<ExprId>,
}

/// A model, lowered.
pub struct System {
    /// All expressions.
    pub graph: Graph,
    /// What they are functions of.
    pub symbols: Symbols,
    /// Inertia of particles, bodies, energies; none where it is left in links.
    pub inertia: Vec<Inertial>,
    /// All of the inertia, left in links; then there are no rows: [`lower_by_links`].
    pub hung: Option<Hung>,
    /// How particles and bodies move, in the order of the model: particles first.
    pub moving: Vec<Moving>,
    /// Given forces.
    pub forces: Vec<Given>,
    /// Kinetic energy.
    pub kinetic: ExprId,
    /// Potential energy.
    pub potential: ExprId,
    /// Rows of all constraints.
    pub rows: Vec<Row>,
    /// The virtual-work vector of each constraint, in the order of the model.
    pub nonideal: Vec<Sparse>,
    /// Friction, part of the virtual-work vectors.
    pub frictions: Vec<Friction>,
    /// Rows held by forces, which then act in the size that is found and not as they are written.
    pub servo: Vec<Servo>,
    /// When each constraint holds.
    pub activity: Vec<Activity>,
    /// Contacts, in the order of the model.
    pub unilateral: Vec<Unilateral>,
    /// What happens when conditions become true, in the order of the model.
    pub events: Vec<Event>,
    /// Quasi-velocities, if the model has any.
    pub speeds: Option<Speeds>,
    /// What each parameter is worth, in terms of others.
    pub parameters: Vec<ExprId>,
    /// Parameters, each after those it is written in.
    pub parameter_order: Vec<usize>,
    /// What must hold of the parameters.
    pub requirements: Vec<Requirement>,
    /// The motion at the start, as written.
    pub start: StartCondition,
    /// Which way round joints stand.
    pub senses: Vec<Sense>,
    /// How to run it.
    pub run: RunPlan,
    /// Ranges of values that are changed in the page.
    pub sliders: Vec<LoweredSlider>,
    /// What the reader should know.
    pub warnings: Vec<Diagnostic>,
}

/// Something nature asks of the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// A mass, which is positive.
    Mass {
        /// Whose.
        of: String,
        /// The mass.
        value: ExprId,
        /// Where it stands.
        place: Place,
    },
    /// An inertia matrix: symmetric, and each principal moment no larger than the sum of the others.
    Inertia {
        /// Whose.
        of: String,
        /// The matrix in body axes.
        matrix: Box<[[ExprId; 3]; 3]>,
        /// About which of these axes the body turns: a moment about another one may be left 0.
        turns: [bool; 3],
        /// Where it stands.
        place: Place,
    },
    /// A coefficient of restitution, from 0 to 1.
    Restitution {
        /// Of which event or constraint.
        of: String,
        /// The number.
        value: ExprId,
        /// Where it stands.
        place: Place,
    },
    /// A coefficient of friction or the width of a smooth law, which is not negative.
    Friction {
        /// Whose.
        of: String,
        /// The number.
        value: ExprId,
        /// Whether it may be zero.
        zero: bool,
        /// Where it stands.
        place: Place,
    },
    /// A coefficient of static friction, which is not less than that of sliding.
    Holding {
        /// Whose.
        of: String,
        /// The coefficient of sliding, and this one.
        values: [ExprId; 2],
        /// Where it stands.
        place: Place,
    },
    /// A length, which is not negative.
    Length {
        /// Whose.
        of: String,
        /// Which.
        what: &'static str,
        /// The number; of what depends on the motion there is none.
        value: ExprId,
        /// Whether it may be zero.
        zero: bool,
        /// Where it stands.
        place: Place,
    },
    /// The size of dry friction, which is not negative.
    Dry {
        /// Whose.
        of: String,
        /// The number.
        value: ExprId,
        /// Where it stands.
        place: Place,
    },
}

/// Lowers a model.
///
/// # Errors
/// What is wrong with its meaning; at most fifty mistakes, and a last entry if there are more.
pub fn lower(model: &Model) -> Result<System, Vec<Diagnostic>> {
    lower_reporting_all(model).map_err(at_most_shown)
}

/// As [`lower`], with the inertia of bodies that hang in a tree left in links, if that is possible: for numbers, which a long tree has sooner that way.
///
/// # Errors
/// As [`lower`].
pub fn lower_by_links(model: &Model) -> Result<System, Vec<Diagnostic>> {
    lower_with(model, true).map_err(at_most_shown)
}

/// As [`lower`], with all mistakes however many there are.
pub(crate) fn lower_reporting_all(model: &Model) -> Result<System, Vec<Diagnostic>> {
    lower_with(model, false)
}

fn lower_with(model: &Model, by_links: bool) -> Result<System, Vec<Diagnostic>> {
    let mut work = Lowering::by(model, by_links);
    work.check_that_something_moves();
    let start = work.start();
    let run = (work.run_plan(), work.sliders(&start));
    let hybrid = (work.activity(), work.unilateral(), work.events());
    let drawn = !model.draws.is_empty() || model.view.camera.is_some();
    if drawn && work.scope.diagnostics.is_empty() {
        // Nobody draws yet, but what is wrong is told.
        work.scope
            .diagnostics
            .extend(drawing(model).err().into_iter().flatten());
    }
    let senses = work.senses();
    work.finish((start, senses), run, hybrid)
}

/// A model on its way.
struct Lowering<'m> {
    model: &'m Model,
    scope: Elaborator<'m>,
    symbols: Symbols,
    places: Places,
    inertia: Vec<Inertial>,
    hung: Option<Hung>,
    moving: Vec<Moving>,
    /// What is known of each node, as far as some was asked about.
    traits: RefCell<Vec<Traits>>,
    /// Mass, and inertia in body axes, of each particle and body.
    masses: BTreeMap<Target, (ExprId, Option<[Vector; 3]>)>,
    forces: Vec<Given>,
    kinetic: ExprId,
    potential: ExprId,
    rows: Vec<Row>,
    nonideal: Vec<Sparse>,
    frictions: Vec<Friction>,
    servo: Vec<Servo>,
    /// Where the forces of the model begin among all.
    first_force: usize,
    speeds: Option<Speeds>,
    /// What vanishes by each identity, by equation; none if it was refused.
    identities: BTreeMap<ConstraintId, Option<Vec<Vec<ExprId>>>>,
    requirements: Vec<Requirement>,
    /// What each coordinate moves, once that is asked for.
    movers: Option<distribute::Movers>,
    /// Random states, once they are asked for.
    states: Option<states::States>,
    /// Given forces on particles and bodies, once they are asked for.
    given: Option<given::GivenForces>,
    /// Where the forces of springs begin.
    first_spring: usize,
    /// What the symbols of `reaction(C, on = B)` in laws stand for.
    stands_for: Vec<(ExprId, ExprId)>,
    /// What was derived of one form.
    copies: Derived,
    warnings: Vec<Diagnostic>,
}

/// What was derived of expressions, to be written out for others of their form.
#[derive(Default)]
struct Derived {
    residuals: Copies<()>,
    rows: Copies<DerivedRow>,
    speeds: Copies<Vec<usize>>,
    bodies: Copies<DerivedPart>,
}

impl System {
    /// All that a motion is computed from.
    #[must_use]
    pub fn expressions(&self) -> Vec<ExprId> {
        let mut all = vec![self.kinetic, self.potential];
        for part in &self.inertia {
            all.extend(part.mass.iter().map(|&(_, _, value)| value));
            all.extend(part.force.iter().map(|&(_, value)| value));
        }
        all.extend(self.hung.iter().flat_map(Hung::expressions));
        let forces = self.forces.iter().map(|given| &given.force);
        let lists = forces.chain(&self.nonideal);
        all.extend(lists.flatten().map(|&(_, value)| value));
        for row in &self.rows {
            all.extend(row.jacobian.iter().map(|&(_, value)| value));
            all.extend([row.residual, row.bias]);
            all.extend(row.rate);
        }
        for friction in &self.frictions {
            all.push(friction.coefficient);
            if let Slip::Line { speed, .. } = &friction.slip {
                all.push(*speed);
            }
        }
        if let Some(speeds) = &self.speeds {
            all.extend(speeds.matrix.iter().flatten().map(|&(_, value)| value));
            all.extend(speeds.offset.iter().chain(&speeds.gamma));
        }
        all
    }

    /// Rows that the coordinates obey by what they are: the first of all rows, without reactions.
    #[must_use]
    pub fn identities(&self) -> usize {
        self.rows.iter().take_while(|row| row.identity).count()
    }

    /// Speeds that have names: those of the model, or the rates.
    #[must_use]
    pub fn named_speeds(&self) -> usize {
        let own = self.speeds.as_ref().map(|speeds| speeds.named);
        own.unwrap_or(self.symbols.coordinates.len())
    }

    /// Whether a force acts as it is written, and does not hold a constraint.
    #[must_use]
    pub fn is_given(&self, force: ForceId) -> bool {
        self.servo.iter().all(|servo| servo.force != force)
    }

    /// The forces that act as they are written.
    pub fn given_forces(&self) -> impl Iterator<Item = &Given> {
        let all = Id::enumerate(&self.forces);
        all.filter(|&(id, _)| self.is_given(id))
            .map(|(_, force)| force)
    }

    /// The force that holds a row in place of its own reaction.
    #[must_use]
    pub fn held_by(&self, row: RowId) -> Option<ForceId> {
        let servo = self.servo.iter().find(|servo| servo.row == row);
        servo.map(|servo| servo.force)
    }

    /// What a multiplier one of a row does: its own reaction, or the force that holds it.
    #[must_use]
    pub fn direction(&self, row: RowId) -> &Sparse {
        match self.held_by(row) {
            Some(force) => &self.forces[force].force,
            None => &self.rows[row].jacobian,
        }
    }
}

impl<'m> Lowering<'m> {
    /// Everything that moves, acts and holds; the inertia in links where that is wanted and possible.
    fn by(model: &'m Model, by_links: bool) -> Self {
        let mut work = Self::new(model);
        let links = if by_links { work.links() } else { None };
        work.hung = links.map(|links| Hung {
            links,
            gravity: None,
        });
        work.particles();
        work.bodies();
        work.energies();
        work.dynamics();
        work.gravity();
        work.forces();
        work.first_spring = work.forces.len();
        work.springs();
        work.constraints();
        work.reactions_in_laws();
        work.servos();
        work.refuse_lawful_servos();
        work.refuse_inputs();
        work
    }

    fn new(model: &'m Model) -> Self {
        let mut scope = Elaborator::new(model);
        let g = &mut scope.graph;
        let mut symbols = |order: u8| -> Vec<SymbolId> {
            let symbol = |name: &str| {
                let id = g.derivative_symbol(name, SymbolKind::Coordinate, order);
                g.as_symbol(id)
            };
            model
                .coordinates
                .iter()
                .map(|(name, _)| name.text.as_str())
                .filter_map(symbol)
                .collect()
        };
        let (coordinates, rates, accelerations) = (symbols(0), symbols(1), symbols(2));
        let time = g.symbol("t", SymbolKind::Time);
        let time = g.as_symbol(time).expect("a symbol was just made");
        let zero = g.integer(0);
        let parameters = scope
            .parameters()
            .iter()
            .filter_map(|&id| scope.graph.as_symbol(id))
            .collect();
        let symbols = Symbols {
            coordinates,
            rates,
            accelerations,
            multipliers: Vec::new(),
            parameters,
            time,
        };
        let mut work = Self {
            model,
            scope,
            places: Places::of(&symbols),
            symbols,
            inertia: Vec::new(),
            hung: None,
            moving: Vec::new(),
            traits: RefCell::default(),
            masses: BTreeMap::new(),
            forces: Vec::new(),
            kinetic: zero,
            potential: zero,
            rows: Vec::new(),
            nonideal: Vec::new(),
            frictions: Vec::new(),
            servo: Vec::new(),
            first_force: 0,
            speeds: None,
            identities: BTreeMap::new(),
            requirements: Vec::new(),
            movers: None,
            states: None,
            given: None,
            first_spring: 0,
            stands_for: Vec::new(),
            copies: Derived::default(),
            warnings: perhaps_degrees(model),
        };
        work.speeds = work.lower_speeds();
        work
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.scope.graph
    }

    /// How a particle or the mass centre of a body moves; `None` where it was refused.
    fn center(&self, target: Target) -> Option<PointMotion> {
        match target {
            Target::Particle(i) => self.scope.particle(i),
            Target::Body(i) => self.scope.body(i).map(|body| body.center),
        }
    }

    /// All particles and bodies.
    fn targets(&self) -> Vec<Target> {
        let particles = (0..self.model.particles.len()).map(Target::Particle);
        let bodies = (0..self.model.bodies.len()).map(Target::Body);
        particles.chain(bodies).collect()
    }

    fn add_kinetic(&mut self, part: ExprId) {
        let total = self.kinetic;
        self.kinetic = self.graph().add(total, part);
    }

    fn add_potential(&mut self, part: ExprId) {
        let total = self.potential;
        self.potential = self.graph().add(total, part);
    }

    /// Gravity needs something to act on, and a system needs inertia.
    fn check_that_something_moves(&mut self) {
        let model = self.model;
        let whole = Place::Model;
        if model.coordinates.is_empty() {
            let message = "the model has no coordinates";
            let help = "declare them: [coordinates] x = 0";
            self.scope.report("E0411", whole, message, help);
            return;
        }
        let massive = !model.particles.is_empty() || !model.bodies.is_empty();
        let energy = model.energy.as_ref();
        let energetic = energy.is_some_and(|energy| energy.kinetic.is_some());
        if !massive && !energetic && model.dynamics.is_none() {
            let message = "nothing in the model has mass";
            let help = "add a particle, a body, a kinetic energy, or [dynamics]";
            self.scope.report("E0412", whole, message, help);
        }
        if let (Some(gravity), false) = (&model.gravity, massive) {
            let message = "gravity acts on particles and bodies, and there is none";
            let help = "write the weight into the potential energy, or add a particle or body";
            self.scope.refuse_whole(gravity, "E0413", message, help);
        }
    }

    fn finish(
        self,
        (start, senses): (StartCondition, Vec<Sense>),
        (run, sliders): (RunPlan, Vec<LoweredSlider>),
        (activity, unilateral, events): (Vec<Activity>, Vec<Unilateral>, Vec<Event>),
    ) -> Result<System, Vec<Diagnostic>> {
        if !self.scope.diagnostics.is_empty() {
            return Err(self.scope.diagnostics);
        }
        let parameters = self.scope.worth().iter().copied().flatten().collect();
        let parameter_order = self.scope.parameter_order().to_vec();
        Ok(System {
            graph: self.scope.graph,
            symbols: self.symbols,
            inertia: self.inertia,
            hung: self.hung,
            moving: self.moving,
            forces: self.forces,
            kinetic: self.kinetic,
            potential: self.potential,
            rows: self.rows,
            nonideal: self.nonideal,
            frictions: self.frictions,
            servo: self.servo,
            activity,
            unilateral,
            events,
            speeds: self.speeds,
            parameters,
            parameter_order,
            requirements: self.requirements,
            start,
            senses,
            run,
            sliders,
            warnings: self.warnings,
        })
    }

    fn square(&mut self, vector: [ExprId; 3]) -> ExprId {
        self.graph().dot3(vector, vector)
    }
}
