//! From energies to M and h: the planar N-link pendulum.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert_benches::{BenchError, Clock, DERIVE, Room};

fn main() -> Result<(), BenchError> {
    let room = Room::new(Clock::from_arguments())?;
    let say = &mut |line: &str| {
        println!("{line}");
        Ok(())
    };
    DERIVE.run(&room, say).map(|_| ())
}
