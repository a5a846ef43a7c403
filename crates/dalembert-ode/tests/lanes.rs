//! A lane is not disturbed by its neighbours, to the bit.
#![allow(clippy::float_cmp, reason = "equal to the bit is what is claimed")]

mod problems;

use dalembert_ode::{
    End, Evaluation, Events, Failure, LaneReport, Method, Options, Projection, Samples, System,
};
use problems::{METHODS, Pendulums, fixed, integrator, tolerance};
use std::ops::ControlFlow;

const FREQUENCY: [f64; 8] = [1.0, 173.0, 0.01, 9.0, 31.0, 2.0, 5.5, 1e-7];
const END: [f64; 8] = [10.0, 1.5, 300.0, -4.0, 2.0, 7.7, 0.0, 1e3];
const FAILS_AFTER: [f64; 8] = [
    f64::INFINITY,
    f64::INFINITY,
    120.5,
    f64::INFINITY,
    f64::INFINITY,
    3.0,
    f64::INFINITY,
    f64::INFINITY,
];
const START: [[f64; 8]; 2] = [
    [0.3, 1.0, -2.0, 0.01, 3.0, 1e-9, 1.0, 0.5],
    [0.0, 5.0, 0.001, 1.0, -20.0, 2.0, 0.0, 1e-8],
];
/// Samples wanted in each lane; none in some, so that dense output is wanted in some lanes only.
const SAMPLES: [&[f64]; 8] = [
    &[0.0, 0.1, 5.0, 10.0],
    &[],
    &[100.0, 120.0],
    &[-1.0, -3.99],
    &[],
    &[0.5],
    &[0.0],
    &[999.0],
];

/// All that was seen in a lane, as bits.
type Trace = (Vec<u64>, String);

fn traces<const L: usize>(which: [usize; L], options: &Options) -> [Trace; L] {
    let mut system = Pendulums {
        frequency: which.map(|i| FREQUENCY[i]),
        fails_after: which.map(|i| FAILS_AFTER[i]),
    };
    let start = START.map(|values| which.map(|i| values[i]));
    let mut samples = Samples::new(which.map(|i| SAMPLES[i])).projected();
    let mut seen: [Vec<u64>; L] = std::array::from_fn(|_| Vec::new());
    let mut sampled: [Vec<u64>; L] = std::array::from_fn(|_| Vec::new());
    let mut integrator = integrator(2, options);
    let report = integrator.run(
        &mut system,
        [0.0; L],
        which.map(|i| END[i]),
        &start,
        |step| {
            for lane in step.lanes() {
                seen[lane].push(step.t_new(lane).to_bits());
                seen[lane].extend(step.end_states().iter().map(|y| y[lane].to_bits()));
            }
            samples.deliver(step, |_, sample| {
                for lane in (0..L).filter(|&lane| sample.due[lane]) {
                    sampled[lane].push(sample.t[lane].to_bits());
                    sampled[lane].extend(sample.y.iter().map(|y| y[lane].to_bits()));
                }
                ControlFlow::Continue(())
            })
        },
    );
    std::array::from_fn(|lane| {
        let mut bits = std::mem::take(&mut seen[lane]);
        bits.append(&mut sampled[lane]);
        bits.extend(integrator.state().iter().map(|y| y[lane].to_bits()));
        (bits, format!("{:?}", report.lanes[lane]))
    })
}

#[test]
fn a_lane_runs_alone_as_it_runs_among_others() {
    for method in METHODS {
        for options in [tolerance(method, 1e-7), fixed(method, 0.13)] {
            let together = traces([0, 1, 2, 3, 4, 5, 6, 7], &options);
            let four = traces([5, 2, 7, 0], &options);
            for (i, among_others) in together.iter().enumerate() {
                let [alone] = traces([i], &options);
                assert_eq!(alone, *among_others, "{method:?} lane {i}");
            }
            for (lane, i) in [5, 2, 7, 0].into_iter().enumerate() {
                assert_eq!(
                    four[lane], together[i],
                    "{method:?} lane {i} in another place"
                );
            }
        }
    }
}

#[test]
fn a_sample_at_the_end_of_a_step_survives_the_projection_of_another() {
    let mut system = Pendulums {
        frequency: [1.0; 2],
        fails_after: [1e9; 2],
    };
    let mut integrator = integrator(2, &fixed(Method::DormandPrince8, 1.0));
    let mut samples = Samples::new([&[1.0][..], &[0.5][..]]).projected();
    let mut rounds = 0;
    integrator.run(
        &mut system,
        [0.0; 2],
        [2.0; 2],
        &[[0.3; 2], [0.0; 2]],
        |step| {
            let end = step.end_states()[0][0];
            samples.deliver(step, |_, sample| {
                assert_eq!(sample.due, [true, true]);
                assert_eq!(sample.y[0][0], end);
                assert!(sample.y[0][1].is_finite());
                rounds += 1;
                ControlFlow::Continue(())
            })
        },
    );
    assert_eq!(rounds, 1);
}

#[test]
fn a_failing_lane_leaves_the_others_to_finish() {
    let mut system = Pendulums {
        frequency: [1.0, 2.0, 3.0, 4.0],
        fails_after: [1e9, 2.5, 1e9, -1.0],
    };
    let mut integrator = integrator(2, &Options::default());
    let start = [[1.0; 4], [0.0; 4]];
    let report = integrator.run(&mut system, [0.0; 4], [5.0; 4], &start, |_| {
        ControlFlow::Continue(())
    });
    let [a, b, c, d]: [LaneReport; 4] = report.lanes;
    assert_eq!((a.end, c.end), (End::Reached, End::Reached));
    assert!(
        matches!(b.end, End::Failed(Failure::NonFinite { t, component: 1 }) if (t - 2.5).abs() < 1e-9)
    );
    assert_eq!(
        d.end,
        End::Failed(Failure::NonFinite {
            t: 0.0,
            component: 1
        })
    );
    assert_eq!(d.statistics.steps, 0);
    assert_eq!(report.failure().map(|(lane, _)| lane), Some(1));
}

#[test]
fn a_lane_can_be_stopped_by_itself() {
    let mut system = Pendulums {
        frequency: [1.0; 4],
        fails_after: [1e9; 4],
    };
    let mut integrator = integrator(2, &Options::default());
    let start = [[0.1, 0.2, 0.3, 0.4], [0.0; 4]];
    let mut events = Events::new(1, 2);
    let report = integrator.run(&mut system, [0.0; 4], [4.0; 4], &start, |step| {
        for lane in step.lanes().filter(|&lane| lane % 2 == 1) {
            let found = events
                .locate(step, lane, |_, _, y, out| out[0] = -y[0])
                .first()
                .copied();
            if let Some(crossing) = found {
                step.stop_at(lane, crossing.t);
            }
        }
        ControlFlow::Continue(())
    });
    let ends = report.lanes.map(|lane| lane.end);
    assert_eq!(
        ends,
        [End::Reached, End::Stopped, End::Reached, End::Stopped]
    );
    // Quarter period of the pendulum, π/2 (1 + a²/16 + 11 a⁴/3072 + …).
    for lane in [1, 3] {
        let a: f64 = start[0][lane];
        let series =
            1.0 + a.powi(2) / 16.0 + 11.0 * a.powi(4) / 3072.0 + 173.0 * a.powi(6) / 737_280.0;
        let quarter = std::f64::consts::FRAC_PI_2 * series;
        assert!((report.lanes[lane].t - quarter).abs() < 1e-7);
        assert!(integrator.state()[0][lane].abs() < 1e-15);
    }
}

/// A circle, kept by projection in the odd lanes only; checks which lanes are said to be projected.
struct Circles {
    projections: usize,
    reusable: usize,
    last: Vec<[f64; 4]>,
}

impl System<4> for Circles {
    fn size(&self) -> usize {
        2
    }

    fn derivative(&mut self, now: &mut Evaluation<4>, y: &[[f64; 4]], dy: &mut [[f64; 4]]) {
        for l in 0..4 {
            dy[0][l] = y[1][l];
            dy[1][l] = -y[0][l];
            if now.projected[l] {
                assert_eq!([y[0][l], y[1][l]], [self.last[0][l], self.last[1][l]]);
                self.reusable += usize::from(now.active[l]);
            }
        }
    }

    fn project(
        &mut self,
        _t: &[f64; 4],
        y: &mut [[f64; 4]],
        active: &[bool; 4],
    ) -> [Projection; 4] {
        let projection = std::array::from_fn(|l| {
            let radius = y[0][l].hypot(y[1][l]);
            if l % 2 == 1 && active[l] {
                self.projections += 1;
                y[0][l] /= radius;
                y[1][l] /= radius;
                return Projection::Moved {
                    residual: (y[0][l].hypot(y[1][l]) - 1.0).abs(),
                };
            }
            Projection::Unchanged {
                residual: (radius - 1.0).abs(),
            }
        });
        self.last = y.to_vec();
        projection
    }
}

#[test]
fn the_system_is_told_where_it_may_reuse_the_projection() {
    for method in METHODS {
        let mut system = Circles {
            projections: 0,
            reusable: 0,
            last: Vec::new(),
        };
        let mut integrator = integrator(2, &tolerance(method, 1e-6));
        let start = [[1.0; 4], [0.0; 4]];
        let report = integrator.run(&mut system, [0.0; 4], [30.0; 4], &start, |_| {
            ControlFlow::Continue(())
        });
        let steps = report.lanes.map(|lane| lane.statistics.steps as usize);
        let evaluations = report
            .lanes
            .map(|lane| lane.statistics.evaluations as usize);
        let tries = report
            .lanes
            .map(|lane| (lane.statistics.steps + lane.statistics.rejected) as usize);
        assert_eq!(system.projections, steps[1] + steps[3]);
        match method {
            // The derivative at the end is known before the projection, and lost where it moves.
            Method::DormandPrince5 => {
                assert_eq!(system.reusable, steps[1] + steps[3]);
                assert_eq!(evaluations[0], 2 + 6 * tries[0]);
                assert_eq!(evaluations[1], 2 + 6 * tries[1] + steps[1]);
            }
            // It is evaluated after the projection, which therefore costs nothing.
            Method::Radau5 => unreachable!("takes one lane"),
            Method::DormandPrince8 => {
                assert_eq!(system.reusable, steps.iter().sum::<usize>());
                assert_eq!(evaluations[1], 2 + 11 * tries[1] + steps[1]);
            }
        }
        assert!(report.lanes[1].statistics.max_residual < 3e-16);
        assert!(report.lanes[0].statistics.max_residual > 1e-9);
    }
}
