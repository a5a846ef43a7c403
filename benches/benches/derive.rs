//! From energies to M and h: the planar N-link pendulum.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert_benches::{Clock, Pendulum, microseconds};

fn main() {
    let clock = Clock::from_arguments();
    println!("planar N-link pendulum, M and h from its Lagrangian");
    println!(
        "{:>5} {:>12} {:>14} {:>14}",
        "N", "time", "nodes needed", "nodes made"
    );
    for links in [2, 5, 10, 20, 50, 100] {
        let time = clock.least(|| Pendulum::derive(links));
        let pendulum = Pendulum::derive(links);
        println!(
            "{links:>5} {:>9.3} ms {:>14} {:>14}",
            microseconds(time) / 1e3,
            pendulum.size(),
            pendulum.graph.len()
        );
    }
}
