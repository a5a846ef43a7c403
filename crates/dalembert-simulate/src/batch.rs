//! Many variants of one model: other parameters, other starts, the same programs.
//!
//! A variant differs by values of parameters; starts that differ are parameters too (`Model::run_many` in `dalembert` writes them so). Variants
//! without rows, and without anything that happens on the way, run eight side by side, each lane on its own steps; all others, and those of
//! which a lane cannot be trusted or whose energy is out of balance, run one by one as usual. What a variant gives depends neither on the others nor on
//! the number of threads.

use super::gauges::{Gauged, PlainGauges};
use super::motion::Programs;
use super::plan::Plan;
use super::record::Recorder;
use super::stepping::is_plain;
use super::{Outcome, RunOptions, SimulateError, Simulation, scales, simulate_by};
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
    /// How each is run, where they differ in that too.
    pub options: Option<&'a [RunOptions]>,
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
        outcome: Outcome,
        /// Samples that it has.
        samples: usize,
        /// Accepted steps.
        steps: u64,
        /// What it was reduced to, if that was asked for.
        gauged: Option<Gauged>,
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

/// Variants that have been run.
#[derive(Debug)]
pub struct Done {
    /// The number of the first.
    pub first: usize,
    /// Rows of their samples without the time, sample after sample, variant after variant; no numbers where a variant has no sample.
    pub rows: Vec<f64>,
    /// How each ended.
    pub ended: Vec<Ended>,
    /// How many ran side by side.
    pub in_lanes: usize,
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
    let worker = || {
        let worker = Worker::new(make().map_err(Ended::Refused)?, wanted);
        worker.map_err(|error| Ended::Stopped(Box::new(error), 0))
    };
    let first = worker()?;
    let size = first.times.len() * first.width();
    let mut batch = Batch {
        states: vec![f64::NAN; variants.count * size],
        ended: (0..variants.count).map(|_| Ended::NotRun).collect(),
        times: first.times.clone(),
        in_lanes: 0,
    };
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel();
    let mut done = 0;
    let mut first = Some(first);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, over): (Sender<Done>, _, _) = (sender.clone(), &next, &over);
            let (own, worker) = (first.take(), &worker);
            scope.spawn(move || {
                let Ok(mut worker) = own.map_or_else(worker, Ok) else {
                    return;
                };
                while !over.load(Ordering::Relaxed) {
                    let first = next.fetch_add(TAKEN, Ordering::Relaxed);
                    if first >= variants.count {
                        break;
                    }
                    let count = TAKEN.min(variants.count - first);
                    if sender
                        .send(worker.work(variants, first, count, over))
                        .is_err()
                    {
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
                    batch.states[place..place + piece.rows.len()].copy_from_slice(&piece.rows);
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

/// What a thread runs variants with: the mechanism with its programs, which stay.
pub struct Worker {
    mechanism: Mechanism,
    wanted: RunOptions,
    plan: Plan,
    times: Vec<f64>,
    /// Names of the columns: t, coordinates, rates, records.
    columns: Vec<String>,
    /// Values and start of the model as it stands, for which programs are made.
    nominal: (Vec<f64>, Option<State>),
    lanes: Option<Lanes>,
    programs: Option<Programs>,
}

/// Programs and scales of lanes.
struct Lanes {
    unrolled: Unrolled,
    integrator: Integrator<LANES>,
    gauges: Option<PlainGauges>,
}

impl Worker {
    /// For variants of a mechanism.
    ///
    /// # Errors
    /// The options make no sense.
    pub fn new(mechanism: Mechanism, wanted: &RunOptions) -> Result<Self, SimulateError> {
        let plan = Plan::new(&mechanism, wanted)?;
        let columns = Recorder::new(&mechanism, false).names;
        let only_states = columns.len() == 1 + 2 * mechanism.equations.coordinates();
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
                && only_states
                && is_plain(&mechanism, state);
            plain
                .then(|| Lanes::new(&mechanism, state, &plan))
                .flatten()
        });
        Ok(Self {
            nominal: (mechanism.parameters.clone(), state),
            times: plan.times(mechanism.from),
            mechanism,
            wanted: wanted.clone(),
            plan,
            columns,
            lanes,
            programs: None,
        })
    }

    /// The mechanism; its parameters are those of the variant last run.
    #[must_use]
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Names of the columns of a variant's samples: t, coordinates, rates, records.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Times of the samples, where options do not differ.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Numbers of a sample, without its time.
    fn width(&self) -> usize {
        self.columns.len() - 1
    }

    /// Runs some variants, until all are to stop.
    pub fn work(
        &mut self,
        variants: Variants<'_>,
        first: usize,
        count: usize,
        over: &AtomicBool,
    ) -> Done {
        let size = self.times.len() * self.width();
        let mut done = Done {
            first,
            rows: vec![f64::NAN; count * size],
            ended: Vec::with_capacity(count),
            in_lanes: 0,
        };
        for block in (0..count).step_by(LANES) {
            let members = LANES.min(count - block);
            if over.load(Ordering::Relaxed) {
                done.ended.extend((0..members).map(|_| Ended::NotRun));
                continue;
            }
            let mut starts = Vec::with_capacity(members);
            for i in 0..members {
                starts.push(self.start_of(variants, first + block + i));
            }
            let rows = &mut done.rows[block * size..][..members * size];
            let mut lanes = self.lanes.take();
            let reached = match &mut lanes {
                Some(lanes) if variants.options.is_none() => lanes.run(self, &starts, (rows, over)),
                _ => [const { None }; LANES],
            };
            self.lanes = lanes;
            for (i, (start, reached)) in starts.into_iter().zip(reached).enumerate() {
                let rows = &mut rows[i * size..][..size];
                done.in_lanes += usize::from(reached.is_some());
                let options = variants.options.map(|it| &it[first + block + i]);
                done.ended.push(match (reached, start) {
                    (Some(ended), _) => ended,
                    (None, Err(why)) => Ended::Refused(why),
                    (None, Ok((values, start))) => {
                        self.alone(values, &start, (options, rows), over)
                    }
                });
            }
        }
        done
    }

    /// Values of the parameters of a variant, and its start.
    fn start_of(&mut self, variants: Variants<'_>, index: usize) -> Begun {
        let given = variants.given(index);
        let Mechanism { model, system, .. } = &self.mechanism;
        let values = checked_values(model, system, &given)?;
        self.mechanism.parameters.clone_from(&values);
        Ok((values, self.mechanism.start()?))
    }

    /// A variant by a usual run.
    fn alone(
        &mut self,
        values: Vec<f64>,
        start: &Start,
        (options, rows): (Option<&RunOptions>, &mut [f64]),
        over: &AtomicBool,
    ) -> Ended {
        rows.fill(f64::NAN);
        if over.load(Ordering::Relaxed) {
            return Ended::NotRun;
        }
        if self.programs.is_none()
            && let (nominal, Some(state)) = &self.nominal
        {
            self.mechanism.parameters.clone_from(nominal);
            self.programs = Some(Programs::new(&self.mechanism, state));
        }
        self.mechanism.parameters = values;
        let go_on = |_| match over.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let run = simulate_by(
            &self.mechanism,
            start,
            options.unwrap_or(&self.wanted),
            &mut self.programs,
            go_on,
        );
        let width = self.width();
        let write = |run: &Simulation, rows: &mut [f64]| {
            let (block, room) = run.table.block();
            let count = run.table.rows().min(self.times.len());
            for sample in 0..count {
                for i in 0..width {
                    rows[sample * width + i] = block[(i + 1) * room + sample];
                }
            }
            count
        };
        match run {
            Ok(run) => Ended::Run {
                outcome: run.outcome,
                samples: write(&run, rows),
                steps: run.steps,
                gauged: run.gauged,
            },
            Err(SimulateError::Stopped { why, so_far }) => {
                let samples = write(&so_far, rows);
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
        let gauges = match mechanism.system.run.gauges.is_empty() {
            true => None,
            false => Some(PlainGauges::new(mechanism)?),
        };
        Some(Self {
            unrolled,
            integrator,
            gauges,
        })
    }

    /// Runs variants side by side: how each ended that reached its end in balance.
    fn run(
        &mut self,
        worker: &mut Worker,
        starts: &[Begun],
        (rows, over): (&mut [f64], &AtomicBool),
    ) -> [Option<Ended>; LANES] {
        let n = worker.mechanism.equations.coordinates();
        let (times, width) = (worker.times.as_slice(), 2 * n);
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
        let gauges = &mut self.gauges;
        let mut followed = vec![gauges.as_ref().map(PlainGauges::beside); LANES];
        let mut state = vec![0.0; width + 1];
        let report = self
            .integrator
            .run(&mut system, [from; LANES], ends, &y, |step| {
                for (l, start) in starts.iter().enumerate() {
                    let piece @ [before, after] = [step.t_old(l), step.t_new(l)];
                    if let (Some(gauges), Some(followed), Ok((values, _))) =
                        (&mut *gauges, &mut followed[l], start)
                        && gauges.follows()
                        && step.accepted()[l]
                        && after > before
                    {
                        gauges.add(followed, values, piece, |t, to| {
                            step.state(l, t, &mut state);
                            to.copy_from_slice(&state[..width]);
                        });
                    }
                }
                samples.deliver(step, |_, sample| {
                    for l in (0..starts.len()).filter(|&l| sample.due[l]) {
                        let row = &mut rows[l * size + sample.index[l] * width..][..width];
                        for (value, y) in row.iter_mut().zip(sample.y) {
                            *value = y[l];
                        }
                    }
                    match over.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                })
            });
        let end = self.integrator.state();
        let mut reached = [const { None }; LANES];
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
            if out.abs() > BALANCED * worker.plan.rtol * sizes {
                continue;
            }
            let gauged = gauges.as_mut().zip(followed[l].as_ref());
            let gauged = gauged.map(|(gauges, followed)| {
                let ends = [&start.state, &last];
                let ends = ends.map(|it| (it.t, [&*it.coordinates, &*it.rates].concat()));
                let ends = [(ends[0].0, &*ends[0].1), (ends[1].0, &*ends[1].1)];
                gauges.finish(followed, values, ends)
            });
            reached[l] = Some(Ended::Run {
                outcome: Outcome::Done,
                samples: times.len(),
                steps: lane.statistics.steps,
                gauged,
            });
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
