//! Whole runs of mechanisms to a given error: `dalembert bench simulate` without its peers.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert_benches::{BenchError, Clock, Room, SIMULATE};

fn main() -> Result<(), BenchError> {
    let room = Room::new(Clock::from_arguments())?;
    let say = &mut |line: &str| {
        println!("{line}");
        Ok(())
    };
    SIMULATE.run(&room, say).map(|_| ())
}
