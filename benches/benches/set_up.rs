//! Long chains of bodies on hinges, from their text to a start: what each part takes, in time and in memory.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert::mechanics::dimensions;
use dalembert::mechanics::equations::Equations;
use dalembert::mechanics::lower::lower;
use dalembert::mechanics::{Mechanism, read_model};
use dalembert::simulate::RightHandSide;
use dalembert_benches::{Bodies, bodies};
use dalembert_expr::Cone;
use std::time::Instant;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let links: usize = arguments
        .iter()
        .find_map(|it| it.parse().ok())
        .unwrap_or(100);
    let written = match arguments.iter().any(|it| it == "plane") {
        true => Bodies::Plane,
        false => Bodies::Space,
    };
    let text = bodies(written, links);
    let first =
        |errors: Vec<dalembert::mechanics::diagnostic::Diagnostic>| errors[0].message.clone();
    println!("{:>12} {:>10} {:>14}", "part", "ms", "kB of most");
    let part = |name: &str, began: Instant| {
        let ms = began.elapsed().as_secs_f64() * 1e3;
        println!("{name:>12} {ms:>10.2} {:>14}", most_kilobytes());
    };
    if arguments.iter().any(|it| it == "parts") {
        let began = Instant::now();
        let (model, _) = read_model(&text).map_err(first)?;
        part("read", began);
        let began = Instant::now();
        let mut system = lower(&model).map_err(first)?;
        part("lower", began);
        let needed = Cone::new(&system.graph, &system.expressions()).len();
        println!("nodes {}, needed {needed}", system.graph.len());
        let began = Instant::now();
        dimensions::checked(&model).map_err(first)?;
        part("dimensions", began);
        let began = Instant::now();
        let equations = Equations::compile(&mut system);
        part("compile", began);
        println!("nodes {}", system.graph.len());
        drop(equations);
        return Ok(());
    }
    let all = Instant::now();
    let began = Instant::now();
    let (model, _) = read_model(&text).map_err(first)?;
    part("read", began);
    let began = Instant::now();
    let mechanism = Mechanism::new(model).map_err(first)?;
    part("mechanism", began);
    let began = Instant::now();
    let start = mechanism.start().map_err(first)?;
    part("start", began);
    let began = Instant::now();
    let mut right = RightHandSide::new(&mechanism, &start.state);
    let y = right.start(&start.state);
    let mut rates = vec![0.0; y.len()];
    right
        .derivative(start.state.t, &y, &mut rates)
        .map_err(|error| format!("{error:?}"))?;
    part("right", began);
    part("all", all);
    let sum: f64 = rates.iter().map(|v| v.abs()).sum();
    println!("{sum:.17e}");
    Ok(())
}

/// The most memory that the process has had so far.
fn most_kilobytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|it| it.parse().ok()).unwrap_or(0)
}
