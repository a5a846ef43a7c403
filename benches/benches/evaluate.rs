//! Programs: compiling them, and evaluating them against a C compiler and over lanes.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert_benches::{BATCH, BenchError, COMPILE, Clock, EVALUATE, Room};

fn main() -> Result<(), BenchError> {
    let room = Room::new(Clock::from_arguments())?;
    for skipped in &room.skipped {
        println!("skipped {skipped}");
    }
    for experiment in [COMPILE, EVALUATE, BATCH] {
        println!();
        experiment.run(&room, &mut |line| {
            println!("{line}");
            Ok(())
        })?;
    }
    Ok(())
}
