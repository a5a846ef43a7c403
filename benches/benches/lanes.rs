//! Many runs at once: 10 000 double pendulums on two threads, one state at a time or eight side by side.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert_benches::{Clock, Pendulum, timed};
use dalembert_ode::{Evaluation, Integrator, Options, System};
use dalembert_program::{Program, Workspace, compile};
use std::ops::ControlFlow;

struct Pendulums<'a> {
    program: &'a Program,
    workspace: Workspace,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
}

impl<const L: usize> System<L> for Pendulums<'_> {
    fn size(&self) -> usize {
        4
    }
    fn derivative(&mut self, _: &mut Evaluation<L>, y: &[[f64; L]], dy: &mut [[f64; L]]) {
        self.inputs[..4 * L].copy_from_slice(y.as_flattened());
        self.program
            .eval::<L>(&mut self.workspace, &self.inputs, &mut self.outputs);
        dy[..2].copy_from_slice(&y[2..4]);
        dy[2..].as_flattened_mut().copy_from_slice(&self.outputs);
    }
}

fn run<const L: usize>(program: &Program, starts: &[[f64; 4]], rtol: f64) -> (f64, u64) {
    let (mut sum, mut evaluations) = (0.0, 0);
    let mut system = Pendulums {
        program,
        workspace: program.workspace(),
        inputs: [vec![0.0; 4 * L], vec![1.0; 4 * L], vec![9.81; L]].concat(),
        outputs: vec![0.0; 2 * L],
    };
    let options = Options {
        rtol,
        ..Options::default()
    };
    let mut integrator = Integrator::<L>::new(4, &options).expect("options");
    for block in starts.chunks_exact(L) {
        let y: [[f64; L]; 4] = std::array::from_fn(|i| std::array::from_fn(|l| block[l][i]));
        let report = integrator.run(&mut system, [0.0; L], [10.0; L], &y, |_| {
            ControlFlow::Continue(())
        });
        evaluations += report
            .lanes
            .iter()
            .map(|lane| lane.statistics.evaluations)
            .sum::<u64>();
        sum += integrator.state()[0].iter().sum::<f64>();
    }
    (sum, evaluations)
}

fn main() {
    let clock = Clock::from_arguments();
    let count = if clock.is_once() { 16 } else { 10_000 };
    let mut pendulum = Pendulum::derive(2);
    let g = &mut pendulum.graph;
    let [a, b, c, p, q] = pendulum.outputs[..] else {
        unreachable!("M and h of two links")
    };
    let (ac, bb) = (g.mul(a, c), g.powi(b, 2));
    let det = g.sub(ac, bb);
    let (cp, bq, aq, bp) = (g.mul(c, p), g.mul(b, q), g.mul(a, q), g.mul(b, p));
    let (x, y) = (g.sub(cp, bq), g.sub(aq, bp));
    let outputs = [g.div(x, det), g.div(y, det)];
    let program = compile(g, &pendulum.inputs, &outputs).expect("a program");
    program.make_native();
    let starts: Vec<[f64; 4]> = (0..count)
        .map(|i| {
            let s = i as f64 / count as f64;
            [0.3 + s, 1.1 - s, 0.5 * s, -0.2]
        })
        .collect();
    for rtol in [1e-6, 1e-9] {
        for lanes in [1, 8] {
            let (time, results) = timed(|| {
                std::thread::scope(|scope| {
                    let halves = starts.chunks(count / 2).map(|half| {
                        let program = &program;
                        scope.spawn(move || match lanes {
                            1 => run::<1>(program, half, rtol),
                            _ => run::<8>(program, half, rtol),
                        })
                    });
                    let handles: Vec<_> = halves.collect();
                    handles
                        .into_iter()
                        .map(|h| h.join().expect("a thread"))
                        .collect::<Vec<_>>()
                })
            });
            let evaluations: u64 = results.iter().map(|r| r.1).sum();
            println!(
                "rtol {rtol:e}, {lanes} lanes: {:.3} s, {evaluations} evaluations, {:.1} ns each on a thread, sum {}",
                time.as_secs_f64(),
                2e9 * time.as_secs_f64() / evaluations as f64,
                results.iter().map(|r| r.0).sum::<f64>()
            );
        }
    }
}
