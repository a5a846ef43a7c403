//! A run for who makes it elsewhere, as a page does: its programs with parameters as inputs, what it is measured by, and what becomes of its
//! samples; or why it cannot be made there.

use super::RunOptions;
use super::hybrid::divisors;
use super::kinks;
use super::motion::MotionSystem;
use super::plan::Plan;
use super::pulses::Pulses;
use super::record::{CarriedRecords, Recorder};
use super::scales;
use super::switches::{Switches, can_switch};
use dalembert_expr::calculus::affine;
use dalembert_expr::syntax::Join;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, Unary, substitute};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::lower::{ConditionPart, Event, SetTarget, Sparse, Started, is_literal};
use dalembert_mechanics::start::{Start, State};
use dalembert_mechanics::unrolled::{CarriedRight, CarriedWay, Unrolled};
use dalembert_ode::Measure;
use dalembert_program::{Program, compile};

mod laws;
mod needs;
mod numbers;
mod whole;
mod written;

pub use laws::{CarriedFriction, CarriedLaws};
pub use needs::{CarriedNeed, MustBe};
pub use numbers::CarriedNumbers;
use whole::Whole;
pub use written::{CarriedPrograms, Written};

/// Most unknowns, coordinates and rows, of a run that is made elsewhere.
pub const MOST_CARRIED: usize = 60;

/// Most places where something switches with time, of such a run.
const MOST_SWITCHES: usize = 1000;

/// Why a run cannot be made elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCarried {
    /// So many unknowns are too many.
    TooMany(usize),
    /// Its matrices are sparse.
    Sparse,
    /// Contacts open and close.
    Contacts,
    /// Laws use reactions, as friction does, beside constraints that forces hold.
    Laws,
    /// Events strike or engage what laws use reactions of.
    Blows,
    /// Conditions of events ask for reactions, or have poles.
    Events,
    /// Forces jump or bend where something changes its sign that may change faster than the motion.
    Kinks,
    /// Something switches at times that parameters determine, or very often.
    Switches,
    /// Something switches with time, and parameters determine when the run begins or ends.
    Timed,
    /// Functions of time may have narrow peaks.
    Pulses,
    /// Parameters are found from accelerations.
    Open,
    /// The start is a change point.
    ChangePoint,
    /// Rates are held at zero by rows, where forces ask for their sign.
    Still,
    /// Speeds at the start are guesses.
    GuessedSpeeds,
    /// The programs ask for more than parameters and the motion.
    NoProgram,
    /// It has no span.
    NoPlan,
}

/// What is said of the start, as programs.
#[derive(Clone, Debug)]
pub struct CarriedStart {
    /// Values of coordinates, rates, speeds and of what is said otherwise, those that have one, of q, q', t and parameters.
    pub values: Program,
    /// What each of these is a value of.
    pub given: Vec<CarriedGiven>,
    /// What is said otherwise of positions and of velocities, each followed by its slopes, of the same inputs.
    pub said: Program,
    /// Coordinates or rates of these slopes: of positions, then of velocities.
    pub slopes: [Vec<Vec<usize>>; 2],
}

/// Something that has a value at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarriedGiven {
    /// What it is.
    pub of: CarriedOf,
    /// Whether it must be met.
    pub must: bool,
    /// Whether the value is a number, and no expression of others.
    pub literal: bool,
}

/// What has a value at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarriedOf {
    /// A coordinate.
    Coordinate(usize),
    /// A rate.
    Rate(usize),
    /// A speed.
    Speed(usize),
    /// Something that is said of positions.
    Position(usize),
    /// Something that is said of velocities.
    Velocity(usize),
}

/// What happens on the way of a run.
#[derive(Clone, Debug)]
pub struct CarriedEvents {
    /// The number of each comparison, positive where it holds, then the sizes of what it is the sum of; of q, q', t and parameters.
    pub comparisons: Program,
    /// Whether each is true where it is zero.
    pub at_zero: Vec<bool>,
    /// Conditions of the events, then that which ends the run, if there is one: what is joined comes after its parts.
    pub conditions: Vec<Vec<CarriedPart>>,
    /// What the events do.
    pub events: Vec<CarriedEvent>,
}

/// A part of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarriedPart {
    /// One of the comparisons.
    Comparison(usize),
    /// The two before it, joined.
    Joined(Join),
}

/// What an event does.
#[derive(Clone, Debug)]
pub struct CarriedEvent {
    /// Its name.
    pub name: String,
    /// New values, components of the impulse, restitution if there is one, then the rate of each that is struck and its gradient; of q, q', t
    /// and parameters.
    pub values: Program,
    /// What is set.
    pub set: Vec<CarriedOf>,
    /// Coordinates that the impulse acts on.
    pub impulse: Vec<usize>,
    /// Whether some of the rates of what is struck come back.
    pub restitution: bool,
    /// Coordinates of the gradients of what is struck.
    pub struck: Vec<Vec<usize>>,
    /// Constraints that are let go, and those that hold from then on.
    pub release: Vec<usize>,
    /// See above.
    pub engage: Vec<usize>,
    /// Whether the run ends.
    pub stop: bool,
}

/// A run, ready to be carried away.
#[derive(Clone, Debug)]
pub struct CarriedRun {
    /// The right-hand side, where it is one program.
    pub right: Option<CarriedRight>,
    /// The way back to the rows, where it is one.
    pub way: Option<CarriedWay>,
    /// What the general route asks for.
    pub whole: Whole,
    /// Laws that use reactions.
    pub laws: Option<CarriedLaws>,
    /// Values of all parameters, of those that have literals.
    pub parameters: Program,
    /// Usual sizes of coordinates and of rates.
    pub sizes: [Vec<f64>; 2],
    /// What errors are measured by.
    pub measures: Vec<Measure>,
    /// Whether a unit of these is that of the dimension, and not of the inertia.
    pub has_unit: Vec<bool>,
    /// What becomes of samples.
    pub records: CarriedRecords,
    /// The start.
    pub start: CarriedStart,
    /// What happens on the way.
    pub events: CarriedEvents,
    /// What changes its sign where forces jump or bend, of q, q', t and parameters: it is linear in q and q'.
    pub kinks: Program,
    /// The last time before each place where something switches, and the first behind it.
    pub switches: Vec<[f64; 2]>,
    /// Rates that rows hold at zero, whatever the motion.
    pub still: Vec<usize>,
    /// What nature asks of the parameters.
    pub needs: (Program, Vec<CarriedNeed>),
    /// Duration, relative tolerance, longest step, and most steps.
    pub numbers: [f64; 4],
    /// The same and others for other values of the parameters, as far as the model writes them.
    pub asked: CarriedNumbers,
    /// The change of each coordinate that counts in the argument of a sine or the like.
    pub natural: Vec<Option<f64>>,
    /// The absolute tolerance, if one is given.
    pub absolute: Option<f64>,
    /// How many samples there are.
    pub samples: usize,
}

/// The run of a mechanism from a start; or why it cannot be carried away.
///
/// # Errors
/// The first reason that is found.
pub fn carried(
    mechanism: &Mechanism,
    start: &Start,
    wanted: &RunOptions,
) -> Result<CarriedRun, NotCarried> {
    let plan = Plan::new(mechanism, wanted).map_err(|_| NotCarried::NoPlan)?;
    let (system, equations) = (&mechanism.system, &mechanism.equations);
    let unknowns = equations.coordinates() + equations.rows();
    let state = &start.state;
    let has_laws = system.has_laws();
    let strikes =
        |it: &Event| !(it.impulse.is_empty() && it.struck.is_empty() && it.engage.is_empty());
    let reasons = [
        (unknowns > MOST_CARRIED, NotCarried::TooMany(unknowns)),
        (equations.stored() != Stored::Full, NotCarried::Sparse),
        (!system.unilateral.is_empty(), NotCarried::Contacts),
        (has_laws && equations.has_servos(), NotCarried::Laws),
        (
            has_laws && system.events.iter().any(strikes),
            NotCarried::Blows,
        ),
        (
            !mechanism.model.open.is_empty() || !mechanism.model.found.is_empty(),
            NotCarried::Open,
        ),
        (start.change_point, NotCarried::ChangePoint),
    ];
    if let Some((_, reason)) = reasons.into_iter().find(|(holds, _)| *holds) {
        return Err(reason);
    }
    let motion = MotionSystem::new(mechanism, state, Formulation::Multipliers);
    let still = motion.held_still().to_vec();
    if !still.iter().all(|&it| stays(mechanism, it)) {
        return Err(NotCarried::Still);
    }
    let switches = switches_of(mechanism, state, plan.span).ok_or(NotCarried::Switches)?;
    let asked = CarriedNumbers::new(mechanism).ok_or(NotCarried::NoProgram)?;
    if asked.is_timed && Switches::new(mechanism, state).is_some() {
        return Err(NotCarried::Timed);
    }
    let kinks = kinks_of(mechanism).ok_or(NotCarried::Kinks)?;
    if Pulses::new(mechanism, state).is_some() {
        return Err(NotCarried::Pulses);
    }
    let sizes = mechanism.sizes(state);
    let sizes = [sizes.coordinates, sizes.rates];
    let programs = Unrolled::carried(mechanism, state, [&sizes[0], &sizes[1]]);
    let (right, way) = programs.map_or((None, None), |(right, way)| (Some(right), way));
    let way = way.filter(|_| still.is_empty());
    let units = &mechanism.units;
    let speeds = match system.speeds {
        Some(_) => &units.speeds,
        None => &units.rates,
    };
    let named = units.coordinates.iter().chain(speeds);
    let mut has_unit: Vec<bool> = named.map(Option::is_some).collect();
    has_unit.resize(2 * equations.coordinates(), false);
    let measures = scales::measures(mechanism, motion.units());
    let parameters = parameters(mechanism).ok_or(NotCarried::NoProgram)?;
    Ok(CarriedRun {
        right,
        way,
        whole: Whole::new(mechanism).ok_or(NotCarried::NoProgram)?,
        laws: match has_laws {
            true => Some(CarriedLaws::new(mechanism).ok_or(NotCarried::NoProgram)?),
            false => None,
        },
        parameters,
        sizes,
        measures,
        has_unit,
        records: Recorder::new(mechanism, true)
            .carried(mechanism)
            .ok_or(NotCarried::NoProgram)?,
        start: start_of(mechanism)?,
        events: events_of(mechanism)?,
        kinks,
        switches,
        still,
        needs: needs::needs_of(mechanism).ok_or(NotCarried::NoProgram)?,
        numbers: [plan.span, plan.rtol, plan.max_step, plan.max_steps as f64],
        asked,
        natural: mechanism.natural_sizes(state),
        absolute: plan.atol,
        samples: plan.times(state.t).len(),
    })
}

/// Where forces jump or bend along the motion; `None` if that may come and go within a step unseen: only what is linear in the motion, and does not
/// depend on time, changes no faster than that.
fn kinks_of(mechanism: &Mechanism) -> Option<Program> {
    let inputs = state_inputs(mechanism);
    let Some((mut graph, arguments)) = kinks::arguments(mechanism) else {
        return compile(&mechanism.system.graph, &inputs, &[]).ok();
    };
    let symbols = &mechanism.system.symbols;
    let motion = [symbols.coordinates.as_slice(), &symbols.rates].concat();
    for &argument in &arguments {
        affine(&mut graph, argument, &motion)?;
        let used = Cone::new(&graph, &[argument]).symbols(&graph);
        (!used.contains(&symbols.time)).then_some(())?;
    }
    compile(&graph, &inputs, &arguments).ok()
}

/// When something switches in a run; `None` if parameters say when, or it does so very often.
fn switches_of(mechanism: &Mechanism, state: &State, span: f64) -> Option<Vec<[f64; 2]>> {
    let Some(mut switches) = Switches::new(mechanism, state) else {
        return Some(Vec::new());
    };
    let (system, symbols) = (&mechanism.system, &mechanism.system.symbols);
    let cone = Cone::new(&system.graph, &system.expressions());
    let by_parameters = cone.nodes().iter().any(|&id| {
        let used = Cone::new(&system.graph, &[id]).symbols(&system.graph);
        let timed = used.contains(&symbols.time);
        let only = |it: &SymbolId| *it == symbols.time || symbols.parameters.contains(it);
        can_switch(&system.graph, id) && timed && used.len() > 1 && used.iter().all(only)
    });
    if by_parameters {
        return None;
    }
    let (mut from, end) = (state.t, state.t + span);
    let mut found = Vec::new();
    while let Some(switch) = switches.next(from, end) {
        found.push([switch.before, switch.behind]);
        from = switch.behind;
        if found.len() > MOST_SWITCHES {
            return None;
        }
    }
    Some(found)
}

/// Whether a row that always holds speaks of one rate alone, and of nothing else: it is zero in every motion.
fn stays(mechanism: &Mechanism, coordinate: usize) -> bool {
    let (system, equations) = (&mechanism.system, &mechanism.equations);
    system.rows.iter().any(|row| {
        let entries = row.jacobian.iter();
        let mut entries = entries.filter(|(_, value)| !equations.vanishes(*value));
        let alone = entries.next().is_some_and(|&(j, _)| j == coordinate);
        alone && entries.next().is_none() && !system.activity[row.constraint.index()].changes()
    })
}

/// Values of the parameters as a program of themselves: those that are written in others follow from these.
fn parameters(mechanism: &Mechanism) -> Option<Program> {
    let system = &mechanism.system;
    let symbols = &system.symbols.parameters;
    let literals = literal_parameters(mechanism);
    let mut graph = system.graph.clone();
    // Each after those it is written in, so that all are written in literal ones at last.
    let mut known: Vec<ExprId> = symbols.iter().map(|&it| graph.symbol_node(it)).collect();
    for &i in &system.parameter_order {
        if literals[i] {
            continue;
        }
        let replacements: Vec<(ExprId, ExprId)> = (symbols.iter())
            .map(|&it| graph.symbol_node(it))
            .zip(known.iter().copied())
            .filter(|(symbol, value)| symbol != value)
            .collect();
        let value = system.parameters[i];
        known[i] = substitute(&mut graph, &[value], &replacements)[0];
    }
    compile(&graph, symbols, &known).ok()
}

/// Whether each parameter is a number, and no expression of others.
#[must_use]
pub fn literal_parameters(mechanism: &Mechanism) -> Vec<bool> {
    let system = &mechanism.system;
    let values = system.parameters.iter();
    values.map(|&it| is_literal(&system.graph, it)).collect()
}

/// What has a value at the start, in the order of the model.
#[must_use]
pub fn given_at_start(mechanism: &Mechanism) -> Vec<CarriedGiven> {
    let given = started(mechanism).into_iter().map(|(given, _)| given);
    given.collect()
}

/// The same with these values.
fn started(mechanism: &Mechanism) -> Vec<(CarriedGiven, ExprId)> {
    let system = &mechanism.system;
    let start = &system.start;
    let list = start.coordinates.iter().enumerate();
    let coordinates = list.map(|(i, it)| (CarriedOf::Coordinate(i), it));
    let rates = (start.rates.iter()).map(|(i, it)| (CarriedOf::Rate(*i), it));
    let speeds = (start.speeds.iter()).map(|(k, it)| (CarriedOf::Speed(*k), it));
    let positions = start.positions.iter().enumerate();
    let positions = positions.map(|(k, it)| (CarriedOf::Position(k), &it.started));
    let velocities = start.velocities.iter().enumerate();
    let velocities = velocities.map(|(k, it)| (CarriedOf::Velocity(k), &it.started));
    let all = coordinates.chain(rates).chain(speeds);
    let given = |(of, started): (CarriedOf, &Started)| {
        let value = started.value?;
        let (must, literal) = (started.must, is_literal(&system.graph, value));
        Some((CarriedGiven { of, must, literal }, value))
    };
    all.chain(positions)
        .chain(velocities)
        .filter_map(given)
        .collect()
}

fn start_of(mechanism: &Mechanism) -> Result<CarriedStart, NotCarried> {
    let system = &mechanism.system;
    let (graph, start) = (&system.graph, &system.start);
    let (given, values): (Vec<CarriedGiven>, Vec<ExprId>) = started(mechanism).into_iter().unzip();
    let guessed = |it: &CarriedGiven| matches!(it.of, CarriedOf::Speed(_)) && !it.must;
    if given.iter().any(guessed) {
        return Err(NotCarried::GuessedSpeeds);
    }
    let mut outputs = Vec::new();
    let mut slopes = [Vec::new(), Vec::new()];
    for (list, slopes) in [&start.positions, &start.velocities]
        .into_iter()
        .zip(&mut slopes)
    {
        for said in list {
            outputs.push(said.expression);
            outputs.extend(said.slopes.iter().map(|&(_, slope)| slope));
            slopes.push(said.slopes.iter().map(|&(j, _)| j).collect());
        }
    }
    let inputs = state_inputs(mechanism);
    let made =
        |outputs: &[ExprId]| compile(graph, &inputs, outputs).map_err(|_| NotCarried::NoProgram);
    Ok(CarriedStart {
        values: made(&values)?,
        given,
        said: made(&outputs)?,
        slopes,
    })
}

/// The symbols that conditions and events are functions of.
fn state_inputs(mechanism: &Mechanism) -> Vec<SymbolId> {
    let symbols = &mechanism.system.symbols;
    [
        symbols.coordinates.as_slice(),
        &symbols.rates,
        &[symbols.time],
        &symbols.parameters,
    ]
    .concat()
}

fn events_of(mechanism: &Mechanism) -> Result<CarriedEvents, NotCarried> {
    let system = &mechanism.system;
    let inputs = state_inputs(mechanism);
    let mut graph = system.graph.clone();
    let (mut values, mut at_zero) = (Vec::new(), Vec::new());
    let events = system.events.iter().map(|event| &event.when);
    let mut conditions = Vec::new();
    for condition in events.chain(&system.run.until) {
        let parts = condition.parts.iter().map(|part| match *part {
            ConditionPart::Above {
                value,
                at_zero: zero,
            } => {
                values.push(value);
                at_zero.push(zero);
                CarriedPart::Comparison(values.len() - 1)
            }
            ConditionPart::Joined(join) => CarriedPart::Joined(join),
        });
        conditions.push(parts.collect::<Vec<_>>());
    }
    if values.iter().any(|&it| has_poles(mechanism, it)) {
        return Err(NotCarried::Events);
    }
    let sizes: Vec<ExprId> = (values.iter())
        .map(|&value| size_of_terms(&mut graph, value))
        .collect();
    values.extend(sizes);
    let made = |graph: &Graph, outputs: &[ExprId]| {
        compile(graph, &inputs, outputs).map_err(|_| NotCarried::Events)
    };
    let mut events = Vec::new();
    for event in &system.events {
        let mut outputs: Vec<ExprId> = event.set.iter().map(|&(_, value)| value).collect();
        outputs.extend(event.impulse.iter().map(|&(_, value)| value));
        outputs.extend(event.restitution);
        for struck in &event.struck {
            outputs.push(struck.rate);
            outputs.extend(struck.jacobian.iter().map(|&(_, value)| value));
        }
        let coordinates = |vector: &Sparse| vector.iter().map(|&(j, _)| j).collect();
        events.push(CarriedEvent {
            name: event.name.clone(),
            values: made(&graph, &outputs)?,
            set: (event.set.iter())
                .map(|&(target, _)| match target {
                    SetTarget::Coordinate(i) => CarriedOf::Coordinate(i),
                    SetTarget::Rate(i) => CarriedOf::Rate(i),
                    SetTarget::Speed(k) => CarriedOf::Speed(k),
                })
                .collect(),
            impulse: coordinates(&event.impulse),
            restitution: event.restitution.is_some(),
            struck: (event.struck.iter())
                .map(|struck| coordinates(&struck.jacobian))
                .collect(),
            release: event.release.iter().map(|it| it.index()).collect(),
            engage: event.engage.iter().map(|it| it.index()).collect(),
            stop: event.stop,
        });
    }
    Ok(CarriedEvents {
        comparisons: made(&graph, &values)?,
        at_zero,
        conditions,
        events,
    })
}

/// Whether an expression divides by something that moves.
fn has_poles(mechanism: &Mechanism, value: ExprId) -> bool {
    let system = &mechanism.system;
    let divisors = divisors(&system.graph, value);
    let symbols = Cone::new(&system.graph, &divisors).symbols(&system.graph);
    let is_parameter = |it: &SymbolId| system.symbols.parameters.contains(it);
    !symbols.iter().all(is_parameter)
}

/// The sum of the sizes of what an expression is the sum of.
fn size_of_terms(g: &mut Graph, value: ExprId) -> ExprId {
    let (mut open, mut sizes) = (vec![value], Vec::new());
    while let Some(id) = open.pop() {
        match g.node(id) {
            Node::Binary(Binary::Add | Binary::Sub, a, b) => open.extend([a, b]),
            Node::Unary(Unary::Neg, a) => open.push(a),
            _ => sizes.push(g.abs(id)),
        }
    }
    g.sum(sizes)
}
