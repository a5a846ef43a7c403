//! Long chains of bodies on hinges: one evaluation of all accelerations, at the start, where all lie on one line at rest, and moving.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert::mechanics::{Mechanism, read_model};
use dalembert::simulate::RightHandSide;
use dalembert_benches::{Bodies, Clock, bodies, microseconds};

/// Steps of Runge and Kutta, and how long they are.
const STEPS: usize = 100;
const STEP: f64 = 1e-3;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let clock = Clock::from_arguments();
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|it| it.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![10, 100, 1000];
    }
    let written = match &arguments {
        all if all.iter().any(|it| it == "plane") => Bodies::Plane,
        all if all.iter().any(|it| it == "relative") => Bodies::Relative,
        _ => Bodies::Space,
    };
    println!(
        "{:>8} {:>14} {:>14}",
        "N", "start µs/body", "moving µs/body"
    );
    for links in sizes {
        let first =
            |errors: Vec<dalembert::mechanics::diagnostic::Diagnostic>| errors[0].message.clone();
        let (model, _) = read_model(&bodies(written, links)).map_err(first)?;
        let mechanism = Mechanism::new(model).map_err(first)?;
        let start = mechanism.start().map_err(first)?.state;
        let mut right = RightHandSide::new(&mechanism, &start);
        let mut y = right.start(&start);
        let mut rates = vec![0.0; y.len()];
        let mut times = [0.0; 2];
        for time in &mut times {
            let evaluation = clock.least(|| right.derivative(start.t, &y, &mut rates).is_ok());
            *time = microseconds(evaluation) / links as f64;
            for _ in 0..STEPS {
                step(&mut right, start.t, &mut y)?;
            }
        }
        println!("{links:>8} {:>14.3} {:>14.3}", times[0], times[1]);
    }
    Ok(())
}

/// The classical step of order four; nothing depends on the time.
fn step(right: &mut RightHandSide<'_>, t: f64, y: &mut [f64]) -> Result<(), String> {
    let start = y.to_vec();
    let mut sum = vec![0.0; y.len()];
    let mut rates = vec![0.0; y.len()];
    let mut at = start.clone();
    for (share, ahead) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
        let found = right.derivative(t, &at, &mut rates);
        found.map_err(|error| format!("{error:?}"))?;
        for i in 0..y.len() {
            sum[i] += share * rates[i];
            at[i] = start[i] + ahead * STEP * rates[i];
        }
    }
    for (y, (start, sum)) in y.iter_mut().zip(start.iter().zip(&sum)) {
        *y = start + STEP / 6.0 * sum;
    }
    Ok(())
}
