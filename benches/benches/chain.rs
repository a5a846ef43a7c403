//! Long chains of masses in x and y, and of bodies on hinges in space: what one acceleration costs for each of them, and where it goes.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert::mechanics::equations::{Equations, SpeedInverse, Stored};
use dalembert::mechanics::formulation::{Problem, Tolerance, Workspace, solve_accelerations};
use dalembert::mechanics::model::Model;
use dalembert::mechanics::{Mechanism, read_model};
use dalembert::simulate::RightHandSide;
use dalembert_benches::{Bodies, Clock, bodies};
use std::time::{Duration, Instant};

fn main() -> Result<(), String> {
    let clock = Clock::from_arguments();
    let sizes: &[usize] = if clock.is_once() {
        &[20]
    } else {
        &[10, 20, 50, 100, 1000, 10_000]
    };
    println!("ns for each mass: programs, factor, solve and refine, all of an acceleration");
    println!("ms: structure and programs from the lowered model, a start");
    println!(
        "{:>7} {:>10} {:>9} {:>9} {:>9} {:>9} {:>10} {:>10}",
        "masses", "stored", "programs", "factor", "solve", "all", "compile", "start"
    );
    for &masses in sizes {
        report(clock, masses, None)?;
        if masses <= 200 {
            report(clock, masses, Some(Stored::Full))?;
            report(clock, masses, Some(Stored::Compressed))?;
        }
    }
    println!(
        "ns for each body of a chain in space: rates of speeds, programs, factor, solve and refine, all of an acceleration"
    );
    println!(
        "{:>7} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "bodies", "rates", "programs", "factor", "solve", "all"
    );
    let sizes: &[usize] = if clock.is_once() {
        &[8]
    } else {
        &[10, 100, 1000, 10_000]
    };
    sizes
        .iter()
        .try_for_each(|&links| report_bodies(clock, links))
}

fn report_bodies(clock: Clock, links: usize) -> Result<(), String> {
    let first =
        |errors: Vec<dalembert::mechanics::diagnostic::Diagnostic>| errors[0].message.clone();
    let (model, _) = read_model(&bodies(Bodies::Space, links)).map_err(first)?;
    let mechanism = Mechanism::new(model).map_err(first)?;
    let state = mechanism.start().map_err(first)?.state;
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let mut inverse = SpeedInverse::of(&mechanism.equations).ok_or("too large")?;
    let mut rates = state.rates.clone();
    let of_speeds = clock.least(|| {
        let Some(map) = evaluator.speeds() else {
            return true;
        };
        inverse.factor(&map.matrix) && inverse.solve(&mut rates)
    });
    let programs = clock.least(|| evaluator.canonical().force[0]);
    let mut factorisation = mechanism.equations.factorisation(Tolerance::default());
    let now = evaluator.canonical();
    let factor = clock.least(|| factorisation.factor(&now.mass, &now.jacobian).is_ok());
    let (mut v, mut lambda) = (vec![0.0; now.force.len()], vec![0.0; now.bias.len()]);
    let solve = clock.least(|| {
        let solved = factorisation.solve(now.force, now.bias, &mut v, &mut lambda);
        solved.is_ok()
    });
    let mut right = RightHandSide::new(&mechanism, &state);
    let y = right.start(&state);
    let mut derivative = vec![0.0; y.len()];
    let all = clock.least(|| right.derivative(state.t, &y, &mut derivative).is_ok());
    let each = |time: Duration| time.as_secs_f64() * 1e9 / links as f64;
    println!(
        "{links:>7} {:>9.0} {:>9.0} {:>9.0} {:>9.0} {:>9.0}",
        each(of_speeds),
        each(programs),
        each(factor),
        each(solve),
        each(all)
    );
    Ok(())
}

fn report(clock: Clock, masses: usize, wanted: Option<Stored>) -> Result<(), String> {
    let first =
        |errors: Vec<dalembert::mechanics::diagnostic::Diagnostic>| errors[0].message.clone();
    let mut mechanism = Mechanism::stored(chain(masses)?, wanted).map_err(first)?;
    let began = Instant::now();
    mechanism.equations = Equations::compile_stored(&mut mechanism.system, wanted);
    let compile = began.elapsed();
    let began = Instant::now();
    let state = mechanism.start().map_err(first)?.state;
    let start = began.elapsed();
    let mut evaluator = mechanism.evaluator();
    evaluator.set_position(state.t, &state.coordinates);
    evaluator.set_rates(&state.rates);
    let programs = clock.least(|| evaluator.canonical().force[0]);
    let problem = Problem::from(evaluator.canonical());
    let mut workspace = Workspace::of(&mechanism.equations);
    let (mut v, mut lambda) = (vec![0.0; 2 * masses], vec![0.0; masses]);
    let all =
        clock.least(|| solve_accelerations(&problem, &mut workspace, &mut v, &mut lambda).is_ok());
    let mut factorisation = mechanism.equations.factorisation(Tolerance::default());
    let now = evaluator.canonical();
    let factor = clock.least(|| factorisation.factor(&now.mass, &now.jacobian).is_ok());
    let stored = format!("{:?}", mechanism.equations.stored());
    let each = |time: Duration| time.as_secs_f64() * 1e9 / masses as f64;
    println!(
        "{masses:>7} {stored:>10} {:>9.0} {:>9.0} {:>9.0} {:>9.0} {:>10.2} {:>10.2}",
        each(programs),
        each(factor),
        each(all) - each(factor),
        each(all) + each(programs),
        compile.as_secs_f64() * 1e3,
        start.as_secs_f64() * 1e3
    );
    Ok(())
}

/// Bent, so that all rods pull in different directions.
fn chain(masses: usize) -> Result<Model, String> {
    let mut model = Model::builder("Chain")
        .gravity("[0, -g, 0]")
        .parameter("m", "0.1 kg")
        .parameter("l", "0.05 m")
        .parameter("g", "9.81 m/s^2");
    let (mut x, mut y) = (0.0, 0.0);
    for i in 1..=masses {
        let before = i - 1;
        let link = if i == 1 {
            "x1^2 + y1^2 = l^2".to_owned()
        } else {
            format!("(x{i} - x{before})^2 + (y{i} - y{before})^2 = l^2")
        };
        let angle = 0.6 * (0.37 * i as f64).sin() - 0.4;
        (x, y) = (x + 0.05 * f64::cos(angle), y + 0.05 * f64::sin(angle));
        model = model
            .coordinate(&format!("x{i}"), &format!("{x:.17} m"))
            .coordinate(&format!("y{i}"), &format!("{y:.17} m"))
            .particle(&format!("P{i}"), "m", &format!("[x{i}, y{i}, 0]"))
            .constraint(&format!("link{i}"), &link);
    }
    model.build().map_err(|errors| errors[0].message.clone())
}
