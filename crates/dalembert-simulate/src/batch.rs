//! Many variants of one model: other parameters, other starts, the same programs.
//!
//! A variant differs by values of parameters; starts that differ are parameters too (`Model::run_many` in `dalembert` writes them so). Variants
//! without rows, and without anything that happens on the way, run eight side by side, each lane on its own steps; all others, and those of
//! which a lane cannot be trusted or whose energy is out of balance, run one by one as usual. What a variant gives depends neither on the others nor on
//! the number of threads.

use super::motion::Programs;
use super::plan::Plan;
use super::stepping::is_plain;
use super::{RunOptions, SimulateError, Simulation, scales, simulate_by};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::start::{Start, State};
use dalembert_mechanics::unrolled::{Unrolled, UnrolledLanes};
use dalembert_mechanics::values::checked_values;
use dalembert_ode::{Absolute, End, Evaluation, Integrator, Method, Options, Samples, System};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Variants that run side by side.
const LANES: usize = 8;

/// Variants that a thread takes at a time.
const TAKEN: usize = 8 * LANES;

/// Times the tolerance that energy and work may be out of balance beside what they are: otherwise a usual run looks closer.
const BALANCED: f64 = 1e3;

/// Steps of a lane from which a usual run decides what is wrong, or takes implicit steps.
const MOST_STEPS: u64 = 100_000;

/// How often whoever waits is asked.
const EVERY: Duration = Duration::from_millis(50);

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Variants<'a> {
    /// Places of the parameters that differ.
    pub places: &'a [usize],
    /// Their values, variant after variant.
    pub values: &'a [f64],
    /// How many there are.
    pub count: usize,
}

impl Variants<'_> {
    fn given(&self, index: usize) -> Vec<(usize, f64)> {
        let width = self.places.len();
        let values = &self.values[index * width..][..width];
        (self.places.iter().copied())
            .zip(values.iter().copied())
            .collect()
    }
}

/// How one variant ended.
#[derive(Debug)]
pub enum Ended {
    /// It was run: in a lane, or by itself.
    Run {
        /// What there is to say of a usual run; lanes reach the end, and have no more to say.
        outcome: super::Outcome,
        /// Samples that it has.
        samples: usize,
        /// Accepted steps.
        steps: u64,
    },
    /// It has no values that nature allows, or no start.
    Refused(Vec<Diagnostic>),
    /// The run stopped on its way, or could not begin; samples that it has.
    Stopped(Box<SimulateError>, usize),
    /// The caller asked to stop before.
    NotRun,
}

/// Many runs.
#[derive(Debug)]
pub struct Batch {
    /// Times of the samples.
    pub times: Vec<f64>,
    /// Coordinates, then rates, sample after sample, variant after variant; no numbers where a variant has no sample.
    pub states: Vec<f64>,
    /// How each ended.
    pub ended: Vec<Ended>,
    /// Variants that ran side by side.
    pub in_lanes: usize,
}

/// Values of the parameters of a variant, and its start.
type Begun = Result<(Vec<f64>, Start), Vec<Diagnostic>>;

/// A piece of work that is done.
struct Done {
    first: usize,
    states: Vec<f64>,
    ended: Vec<Ended>,
    in_lanes: usize,
}

/// Runs all variants of a mechanism, of which `make` makes one for each thread. `watch` hears the fraction that is done, and may stop the rest.
///
/// # Errors
/// The options make no sense, or the model as it stands has no start or motion that programs could be made for.
pub fn run_many(
    make: impl Fn() -> Result<Mechanism, Vec<Diagnostic>> + Sync,
    wanted: &RunOptions,
    variants: Variants<'_>,
    threads: usize,
    mut watch: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Batch, Ended> {
    let nominal = make().map_err(Ended::Refused)?;
    let stopped = |error| Ended::Stopped(Box::new(error), 0);
    let plan = Plan::new(&nominal, wanted).map_err(stopped)?;
    let times = plan.times(nominal.from);
    let width = 2 * nominal.equations.coordinates();
    let mut batch = Batch {
        states: vec![f64::NAN; variants.count * times.len() * width],
        ended: (0..variants.count).map(|_| Ended::NotRun).collect(),
        times,
        in_lanes: 0,
    };
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel();
    let times = batch.times.clone();
    let size = times.len() * width;
    let mut done = 0;
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, over): (Sender<Done>, _, _) = (sender.clone(), &next, &over);
            let (make, plan, times) = (&make, &plan, &times);
            scope.spawn(move || {
                let Ok(mechanism) = make() else { return };
                let mut worker = Worker::new(mechanism, wanted, plan, (times, variants), over);
                while !over.load(Ordering::Relaxed) {
                    let first = next.fetch_add(TAKEN, Ordering::Relaxed);
                    if first >= variants.count {
                        break;
                    }
                    let count = TAKEN.min(variants.count - first);
                    if sender.send(worker.work(first, count)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(EVERY) {
                Ok(piece) => {
                    let place = piece.first * size;
                    batch.states[place..place + piece.states.len()].copy_from_slice(&piece.states);
                    batch.in_lanes += piece.in_lanes;
                    done += piece.ended.len();
                    for (i, ended) in piece.ended.into_iter().enumerate() {
                        batch.ended[piece.first + i] = ended;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if watch(done as f64 / variants.count as f64).is_break() {
                over.store(true, Ordering::Relaxed);
            }
        }
    });
    Ok(batch)
}

/// What a thread works with.
struct Worker<'a> {
    mechanism: Mechanism,
    wanted: &'a RunOptions,
    plan: &'a Plan,
    times: &'a [f64],
    variants: Variants<'a>,
    /// Whether all are to stop.
    over: &'a AtomicBool,
    /// Values and start of the model as it stands, for which programs are made.
    nominal: (Vec<f64>, Option<State>),
    lanes: Option<Lanes>,
    programs: Option<Programs>,
}

/// Programs and scales of lanes.
struct Lanes {
    unrolled: Unrolled,
    integrator: Integrator<LANES>,
}

impl<'a> Worker<'a> {
    fn new(
        mechanism: Mechanism,
        wanted: &'a RunOptions,
        plan: &'a Plan,
        (times, variants): (&'a [f64], Variants<'a>),
        over: &'a AtomicBool,
    ) -> Self {
        let state = mechanism.start().ok().map(|start| start.state);
        let lanes = state.as_ref().and_then(|state| {
            let explicit = matches!(plan.method, None | Some(Method::DormandPrince8));
            let by_multipliers =
                matches!(wanted.formulation, None | Some(Formulation::Multipliers));
            let plain = mechanism.equations.rows() == 0
                && mechanism.system.speeds.is_none()
                && mechanism.model.run.until.is_none()
                && explicit
                && by_multipliers
                && is_plain(&mechanism, state);
            plain.then(|| Lanes::new(&mechanism, state, plan)).flatten()
        });
        Self {
            nominal: (mechanism.parameters.clone(), state),
            mechanism,
            wanted,
            plan,
            times,
            variants,
            over,
            lanes,
            programs: None,
        }
    }

    /// Runs some variants.
    fn work(&mut self, first: usize, count: usize) -> Done {
        let width = 2 * self.mechanism.equations.coordinates();
        let size = self.times.len() * width;
        let mut done = Done {
            first,
            states: vec![f64::NAN; count * size],
            ended: Vec::with_capacity(count),
            in_lanes: 0,
        };
        for block in (0..count).step_by(LANES) {
            let members = LANES.min(count - block);
            if self.is_over() {
                done.ended.extend((0..members).map(|_| Ended::NotRun));
                continue;
            }
            let mut starts = Vec::with_capacity(members);
            for i in 0..members {
                starts.push(self.start_of(first + block + i));
            }
            let states = &mut done.states[block * size..][..members * size];
            let mut lanes = self.lanes.take();
            let reached = match &mut lanes {
                Some(lanes) => lanes.run(self, &starts, states),
                None => [None; LANES],
            };
            self.lanes = lanes;
            for (i, start) in starts.into_iter().enumerate() {
                let states = &mut states[i * size..][..size];
                done.in_lanes += usize::from(reached[i].is_some());
                done.ended.push(match (reached[i], start) {
                    (Some(steps), _) => Ended::Run {
                        outcome: super::Outcome::Done,
                        samples: self.times.len(),
                        steps,
                    },
                    (None, Err(why)) => Ended::Refused(why),
                    (None, Ok((values, start))) => self.alone(values, &start, states),
                });
            }
        }
        done
    }

    /// Whether whoever waits asked to stop.
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Values of the parameters of a variant, and its start.
    fn start_of(&mut self, index: usize) -> Begun {
        let given = self.variants.given(index);
        let Mechanism { model, system, .. } = &self.mechanism;
        let values = checked_values(model, system, &given)?;
        self.mechanism.parameters.clone_from(&values);
        Ok((values, self.mechanism.start()?))
    }

    /// A variant by a usual run.
    fn alone(&mut self, values: Vec<f64>, start: &Start, states: &mut [f64]) -> Ended {
        states.fill(f64::NAN);
        if self.is_over() {
            return Ended::NotRun;
        }
        if self.programs.is_none()
            && let (nominal, Some(state)) = &self.nominal
        {
            self.mechanism.parameters.clone_from(nominal);
            self.programs = Some(Programs::new(&self.mechanism, state));
        }
        self.mechanism.parameters = values;
        let over = self.over;
        let go_on = |_| match over.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let run = simulate_by(
            &self.mechanism,
            start,
            self.wanted,
            &mut self.programs,
            go_on,
        );
        let write = |run: &Simulation, states: &mut [f64]| {
            let (block, room) = run.table.block();
            let (width, rows) = (2 * run.coordinates.len(), run.table.rows());
            let rows = rows.min(self.times.len());
            for sample in 0..rows {
                for i in 0..width {
                    states[sample * width + i] = block[(i + 1) * room + sample];
                }
            }
            rows
        };
        match run {
            Ok(run) => Ended::Run {
                outcome: run.outcome,
                samples: write(&run, states),
                steps: run.steps,
            },
            Err(SimulateError::Stopped { why, so_far }) => {
                let samples = write(&so_far, states);
                Ended::Stopped(Box::new(SimulateError::Stopped { why, so_far }), samples)
            }
            Err(error) => Ended::Stopped(Box::new(error), 0),
        }
    }
}

impl Lanes {
    fn new(mechanism: &Mechanism, state: &State, plan: &Plan) -> Option<Self> {
        let unrolled = Unrolled::adjustable(
            mechanism,
            state,
            dalembert_mechanics::unrolled::MOST_OPERATIONS,
        )?;
        unrolled.make_native();
        let size = 2 * state.coordinates.len() + 1;
        let units = scales::inertias(mechanism, state);
        let options = Options {
            rtol: plan.rtol,
            atol: match plan.atol {
                None => Absolute::Measured(scales::measures(mechanism, &units)),
                Some(atol) => {
                    let mut each = vec![atol; size];
                    each[size - 1] = f64::MAX / 1e10;
                    Absolute::Each(each)
                }
            },
            max_step: plan.max_step,
            max_steps: plan.max_steps.min(MOST_STEPS),
            ..Options::default()
        };
        let integrator = Integrator::new(size, &options).ok()?;
        Some(Self {
            unrolled,
            integrator,
        })
    }

    /// Runs variants side by side: the steps of each that reached its end in balance.
    fn run(
        &mut self,
        worker: &mut Worker<'_>,
        starts: &[Begun],
        states: &mut [f64],
    ) -> [Option<u64>; LANES] {
        let n = worker.mechanism.equations.coordinates();
        let (times, width) = (worker.times, 2 * n);
        let from = worker.mechanism.from;
        let mut ends = [from; LANES];
        let mut y = vec![[0.0; LANES]; width + 1];
        let mut constants = vec![None; LANES];
        for (l, start) in starts.iter().enumerate() {
            let Ok((values, Start { state, .. })) = start else {
                continue;
            };
            self.unrolled.set_parameters(values);
            constants[l] = Some(self.unrolled.constants().to_vec());
            ends[l] = from + worker.plan.span;
            for i in 0..n {
                y[i][l] = state.coordinates[i];
                y[n + i][l] = state.rates[i];
            }
        }
        let mut system = LaneSystem {
            lanes: self.unrolled.lanes(),
            n,
        };
        for (l, constants) in constants.iter().enumerate() {
            if let Some(constants) = constants {
                system.lanes.set_constants(l, constants);
            }
        }
        let mut samples = Samples::new([times; LANES]);
        let size = times.len() * width;
        let report = self
            .integrator
            .run(&mut system, [from; LANES], ends, &y, |step| {
                samples.deliver(step, |_, sample| {
                    for l in (0..starts.len()).filter(|&l| sample.due[l]) {
                        let row = &mut states[l * size + sample.index[l] * width..][..width];
                        for (value, y) in row.iter_mut().zip(sample.y) {
                            *value = y[l];
                        }
                    }
                    match worker.over.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                })
            });
        let end = self.integrator.state();
        let mut reached = [None; LANES];
        for (l, start) in starts.iter().enumerate() {
            let lane = &report.lanes[l];
            let Ok((values, start)) = start else {
                continue;
            };
            if lane.end != End::Reached {
                continue;
            }
            let last = State {
                t: lane.t,
                coordinates: (0..n).map(|i| end[i][l]).collect(),
                rates: (n..width).map(|i| end[i][l]).collect(),
                mode: start.state.mode.clone(),
            };
            worker.mechanism.parameters.clone_from(values);
            let [before, after] = [&start.state, &last].map(|it| energies(&worker.mechanism, it));
            let work = end[width][l];
            let out = (after[0] + after[1]) - (before[0] + before[1]) - work;
            let all = before.into_iter().chain(after);
            let sizes = all.fold(work.abs(), |sum, it| sum + it.abs());
            if out.abs() <= BALANCED * worker.plan.rtol * sizes {
                reached[l] = Some(lane.statistics.steps);
            }
        }
        reached
    }
}

/// Kinetic and potential energy at a state.
fn energies(mechanism: &Mechanism, state: &State) -> [f64; 2] {
    let system = &mechanism.system;
    let found = mechanism.values_at(&[system.kinetic, system.potential], state);
    [found[0], found[1]]
}

/// The equations of all lanes.
struct LaneSystem<'u> {
    lanes: UnrolledLanes<'u, LANES>,
    n: usize,
}

impl System<LANES> for LaneSystem<'_> {
    fn size(&self) -> usize {
        2 * self.n + 1
    }

    fn derivative(
        &mut self,
        now: &mut Evaluation<LANES>,
        y: &[[f64; LANES]],
        dy: &mut [[f64; LANES]],
    ) {
        let trusted = self.lanes.evaluate(&now.t, y);
        now.failed = trusted.map(|trusted| !trusted);
        dy.copy_from_slice(self.lanes.result());
    }
}
