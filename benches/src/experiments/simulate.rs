//! Whole runs of mechanisms to a given error, against the fastest of other simulators.

use crate::motions::{MOTIONS, Motion, Reference};
use crate::{BenchError, Cell, Column, Experiment, Kind, Room, Row, milliseconds};
use dalembert::mechanics::start::Start;
use dalembert::mechanics::{Mechanism, read_model};
use dalembert::simulate::{RunOptions, SimulateError, Simulation, simulate};
use std::ops::ControlFlow;
use std::time::Duration;

/// The error that everyone's run must meet.
const TARGET: f64 = 1e-6;

/// From a start to a table of samples.
pub const SIMULATE: Experiment = Experiment {
    key: "simulate",
    title: "simulate: runs to an error of 1e-6 at every sample, by the first of the tolerances 1e-3, 1e-4, ... that meets it (stopped: \
            those before at which a run ended with an error); integration alone, and with compiling the right-hand side",
    goal: "peer : ours, by integration, at least that of the column goal",
    limit: "",
    columns: &[
        Column::new("problem", "", Kind::Word(23)),
        Column::measure("integrate_ms", "ours ms"),
        Column::measure("compile_integrate_ms", "compile, integrate ms"),
        Column::new("peer", "peer", Kind::Word(9)),
        Column::measure("peer_ms", "peer ms"),
        Column::measure("ratio", "peer : ours"),
        Column::count("goal", "goal"),
        Column::new("rtol", "rtol", Kind::Small),
        Column::new("error", "error", Kind::Small),
        Column::count("steps", "steps"),
        Column::count("evaluations", "evaluations"),
        Column::count("stopped", "stopped"),
        Column::new("integrator", "integrator", Kind::Word(8)),
        Column::new("formulation", "formulation", Kind::Word(12)),
        Column::new("peer_setting", "peer's setting", Kind::Word(0)),
    ],
    sizes: &[0, 1, 2, 3, 4, 5, 6, 7],
    quick_sizes: &[0, 3, 7],
    measure,
};

/// The same mechanisms as bodies and joints, in both kinds of coordinates.
pub const SIMULATE_BODIES: Experiment = Experiment {
    key: "simulate-bodies",
    title: "simulate-bodies: the same to the same error, written as bodies and joints, in coordinates of the bodies and of the joints \
            (relative); integration alone",
    goal: "of the bodies' or of the joints', whichever is faster: no more than 3 times as long as in coordinates",
    limit: "",
    columns: &[
        Column::new("problem", "", Kind::Word(23)),
        Column::measure("coordinates_ms", "coordinates ms"),
        Column::measure("bodies_ms", "bodies ms"),
        Column::measure("bodies_ratio", "ratio"),
        Column::measure("relative_ms", "relative ms"),
        Column::measure("relative_ratio", "ratio"),
        Column::new("coordinates_rtol", "rtol", Kind::Small),
        Column::new("bodies_rtol", "bodies", Kind::Small),
        Column::new("relative_rtol", "relative", Kind::Small),
        Column::count("coordinates_evaluations", "evaluations"),
        Column::count("bodies_evaluations", "bodies"),
        Column::count("relative_evaluations", "relative"),
        Column::new("bodies_integrator", "bodies by", Kind::Word(8)),
        Column::new("relative_integrator", "relative by", Kind::Word(8)),
    ],
    sizes: &[0, 1, 2, 3, 4, 5],
    quick_sizes: &[0, 3],
    measure: measure_bodies,
};

/// The loosest tolerance that meets the target.
struct Met {
    rtol: f64,
    error: f64,
    run: Simulation,
}

/// A mechanism at its start, and what is to be seen of its motion.
struct Case<'a> {
    motion: &'a Motion,
    reference: &'a Reference,
    columns: &'static [&'static str],
    mechanism: Mechanism,
    start: Start,
}

impl<'a> Case<'a> {
    fn new(
        (motion, reference): (&'a Motion, &'a Reference),
        text: &str,
        columns: &'static [&'static str],
    ) -> Result<Self, BenchError> {
        let (model, _) = read_model(text)?;
        let mechanism = Mechanism::new(model)?;
        let start = mechanism.start()?;
        Ok(Self {
            motion,
            reference,
            columns,
            mechanism,
            start,
        })
    }

    fn run(&self, rtol: f64) -> Result<Simulation, SimulateError> {
        let options = RunOptions {
            span: self.reference.times.last().copied(),
            samples: Some(self.reference.times.len()),
            rtol: Some(rtol),
            atol: Some(rtol),
            ..RunOptions::default()
        };
        simulate(&self.mechanism, &self.start, &options, |_| {
            ControlFlow::Continue(())
        })
    }

    /// Walks the tolerances down; also how many of them stopped the run.
    fn met(&self) -> Result<(Option<Met>, usize), BenchError> {
        let mut stopped = 0;
        for digits in 3..=12 {
            let rtol = 10_f64.powi(-digits);
            let Ok(run) = self.run(rtol) else {
                stopped += 1;
                continue;
            };
            let error = self.error(&run)?;
            if error <= TARGET {
                return Ok((Some(Met { rtol, error, run }), stopped));
            }
        }
        Ok((None, stopped))
    }

    fn error(&self, run: &Simulation) -> Result<f64, BenchError> {
        let column = |name: &str| Some(run.table.column(name)?.values);
        let columns: Option<Vec<&[f64]>> = self.columns.iter().copied().map(column).collect();
        let found = column("t").zip(columns);
        let error = found.and_then(|(t, columns)| self.motion.error(self.reference, t, &columns));
        let wrong = || {
            format!(
                "the run of {} has other columns than its reference",
                self.motion.key
            )
        };
        error.ok_or_else(|| BenchError::Workload(wrong()))
    }

    /// Milliseconds of integration, and of it with compiling, the least of many runs.
    fn times(&self, room: &Room, met: &Met) -> (f64, f64) {
        let mut whole = f64::INFINITY;
        let alone = room.clock.least_part(|| match self.run(met.rtol) {
            Ok(run) => {
                whole = whole.min(1e3 * (run.wall_s + run.compile_s));
                Duration::from_secs_f64(run.wall_s)
            }
            // It ran a moment ago.
            Err(_) => Duration::MAX,
        });
        (milliseconds(alone), whole)
    }
}

fn measure(room: &Room, number: usize) -> Result<Row, BenchError> {
    let motion = &MOTIONS[number];
    let reference = &motion.reference()?;
    let case = Case::new((motion, reference), &(motion.text)(), motion.columns)?;
    let (met, stopped) = case.met()?;
    let times = met.as_ref().map(|met| case.times(room, met));
    let peer = match &room.simulators {
        None => None,
        Some(peers) => peers
            .measure(motion, reference, TARGET)
            .map_err(BenchError::Peer)?,
    };
    let met = met.as_ref();
    let of = |figure: fn(&Met) -> f64| Cell::from(met.map(figure));
    let word = |word: Option<&str>| word.map_or(Cell::Absent, Cell::from);
    let peer_ms = peer.as_ref().map(|peer| peer.ms);
    let ratio = peer_ms.zip(times).map(|(peer, (ours, _))| peer / ours);
    Ok(vec![
        motion.name.into(),
        times.map(|(alone, _)| alone).into(),
        times.map(|(_, whole)| whole).into(),
        motion.peer.into(),
        peer_ms.into(),
        ratio.into(),
        Some(motion.goal).into(),
        of(|met| met.rtol),
        of(|met| met.error),
        of(|met| met.run.steps as f64),
        of(|met| met.run.rhs_evaluations as f64),
        Some(stopped as f64).into(),
        word(met.map(|met| met.run.integrator)),
        word(met.map(|met| met.run.formulation.name())),
        word(peer.as_ref().map(|peer| peer.setting.as_str())),
    ])
}

/// The model with these records and no others: whoever records the reaction of a joint keeps its rows.
fn recording(mut text: String, columns: &[&str]) -> String {
    if let Some(place) = text.rfind("record") {
        text.truncate(place);
    }
    let quoted: Vec<String> = columns.iter().map(|it| format!("\"{it}\"")).collect();
    text + &format!("record = [{}]\n", quoted.join(", "))
}

fn measure_bodies(room: &Room, number: usize) -> Result<Row, BenchError> {
    let motion = &MOTIONS[number];
    let reference = &motion.reference()?;
    let Some(written) = &motion.bodies else {
        let message = format!("{} is not written as bodies and joints", motion.key);
        return Err(BenchError::Workload(message));
    };
    let bodies = recording((written.text)(), written.columns);
    let relative = bodies.replacen(
        "dalembert = 1",
        "dalembert = 1\ncoordinates = \"relative\"",
        1,
    );
    let in_coordinates = (motion.text)();
    let texts = [
        (&in_coordinates, motion.columns),
        (&bodies, written.columns),
        (&relative, written.columns),
    ];
    let mut found = Vec::new();
    for (text, columns) in texts {
        let case = Case::new((motion, reference), text, columns)?;
        let (met, _) = case.met()?;
        let ms = met.as_ref().map(|met| case.times(room, met).0);
        found.push((met, ms));
    }
    let ratio = |i: usize| Cell::from(found[i].1.zip(found[0].1).map(|(ours, other)| ours / other));
    let of = |i: usize, figure: fn(&Met) -> f64| Cell::from(found[i].0.as_ref().map(figure));
    let by = |i: usize| {
        let met = found[i].0.as_ref();
        met.map_or(Cell::Absent, |met| Cell::from(met.run.integrator))
    };
    let evaluations = |met: &Met| met.run.rhs_evaluations as f64;
    Ok(vec![
        motion.name.into(),
        found[0].1.into(),
        found[1].1.into(),
        ratio(1),
        found[2].1.into(),
        ratio(2),
        of(0, |met| met.rtol),
        of(1, |met| met.rtol),
        of(2, |met| met.rtol),
        of(0, evaluations),
        of(1, evaluations),
        of(2, evaluations),
        by(1),
        by(2),
    ])
}
