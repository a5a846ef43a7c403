//! What happens at an instant: what impacts, landings, sticking and slipping cost, beside the steps between them.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert::mechanics::{Mechanism, model};
use dalembert::simulate::{RunOptions, Simulation, simulate};
use dalembert_benches::Clock;
use dalembert_ode::Method;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Duration;

/// Impacts of the ball, and how long one flight takes.
const IMPACTS: u32 = 10_000;
const FLIGHT: f64 = 0.903_047_141_2;

fn main() -> Result<(), String> {
    let clock = Clock::from_arguments();
    println!("ms of integration; µs of an event with the step to it, and of a step without");
    println!(
        "{:<34} {:>7} {:>7} {:>9} {:>9} {:>9} {:>6}",
        "", "events", "steps", "integrate", "an event", "a step", "ratio"
    );
    for (what, method) in [("default", None), ("dopri5", Some(Method::DormandPrince5))] {
        let count = if clock.is_once() { 100 } else { IMPACTS };
        let span = (f64::from(count) + 0.3) * FLIGHT;
        let bounces = RunOptions {
            span: Some(span),
            method: Some(method),
            samples: Some(101),
            ..RunOptions::default()
        };
        // The same flights without a floor: a step for each.
        let falls = RunOptions {
            max_step: Some(FLIGHT),
            ..bounces.clone()
        };
        let name = format!("ball, {count} impacts, {what}");
        let on_floor = ball("holds = \"y >= 0\"\nrestitution = 1");
        let alone = ball("holds = \"y >= -1e12\"");
        compare(&clock, &name, (&on_floor, &bounces), (&alone, &falls))?;
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    for name in ["rocking-block", "stick-slip", "bouncing-ball", "ladder"] {
        let path = format!("{folder}/{name}.toml");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        show(&clock, name, &text, &RunOptions::default())?;
    }
    let blocks = if clock.is_once() { 3 } else { 50 };
    let options = RunOptions {
        rtol: Some(1e-6),
        samples: Some(2),
        ..RunOptions::default()
    };
    for floor in ["=", ">="] {
        let name = format!("{blocks} blocks, friction, y {floor} 0");
        show(&clock, &name, &row_of_blocks(blocks, floor), &options)?;
    }
    Ok(())
}

/// A ball that falls from one metre.
fn ball(floor: &str) -> String {
    format!(
        "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\ny = 1\n[particle.ball]\nmass = 1\nposition = \"[0, y, 0]\"\n\
         [constraint.floor]\n{floor}\n[run]\nspan = 1\n"
    )
}

/// Blocks in a row with springs between them, on a rough floor, pushed from one end.
fn row_of_blocks(count: usize, floor: &str) -> String {
    let mut text = String::from("dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\n");
    for i in 0..count {
        let _ = writeln!(text, "x{i} = 0\ny{i} = 0");
    }
    for i in 0..count {
        let _ = write!(
            text,
            "[particle.b{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\"\n\
             [constraint.f{i}]\nholds = \"y{i} {floor} 0\"\nfriction = {{ coefficient = 0.1, at = \"b{i}\" }}\n"
        );
        let before = match i {
            0 => "t/5".to_owned(),
            _ => format!("x{}", i - 1),
        };
        let _ = write!(
            text,
            "[spring.s{i}]\non = \"{before} - x{i}\"\nstiffness = 100\n"
        );
    }
    text + "[run]\nspan = 10\n"
}

/// The quickest of several runs, and its time.
fn quickest(
    clock: &Clock,
    text: &str,
    options: &RunOptions,
) -> Result<(Simulation, Duration), String> {
    let (model, _) = model::read(text).map_err(|errors| format!("{errors:?}"))?;
    let mechanism = Mechanism::new(model).map_err(|errors| format!("{errors:?}"))?;
    let start = mechanism.start().map_err(|errors| format!("{errors:?}"))?;
    let mut last = None;
    let time = clock.least_part(|| {
        let run = simulate(&mechanism, &start, options, |_| ControlFlow::Continue(()));
        let run = run.unwrap_or_else(|error| panic!("{error:?}"));
        let time = Duration::from_secs_f64(run.wall_s);
        last = Some(run);
        time
    });
    Ok((last.ok_or("no run")?, time))
}

/// Events of a run beside steps of one in which nothing happens.
fn compare(
    clock: &Clock,
    name: &str,
    (text, options): (&str, &RunOptions),
    (quiet, quietly): (&str, &RunOptions),
) -> Result<(), String> {
    let (run, time) = quickest(clock, text, options)?;
    let (steps, stepping) = quickest(clock, quiet, quietly)?;
    let event = time.as_secs_f64() * 1e6 / run.happened.len() as f64;
    let step = stepping.as_secs_f64() * 1e6 / steps.steps as f64;
    println!(
        "{name:<34} {:>7} {:>7} {:>9.2} {event:>9.2} {step:>9.2} {:>6.1}",
        run.happened.len(),
        run.steps,
        time.as_secs_f64() * 1e3,
        event / step
    );
    Ok(())
}

/// What happens in a run, and how long it takes.
fn show(clock: &Clock, name: &str, text: &str, options: &RunOptions) -> Result<(), String> {
    let (run, time) = quickest(clock, text, options)?;
    println!(
        "{name:<34} {:>7} {:>7} {:>9.2}",
        run.happened.len() + run.slips.len(),
        run.steps,
        time.as_secs_f64() * 1e3
    );
    Ok(())
}
