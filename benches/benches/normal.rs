//! From equations of motion as the calculus leaves them to equations for the eye.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert_benches::{BenchError, Clock, NORMAL, NORMAL_RELATIVE, Room};

fn main() -> Result<(), BenchError> {
    let room = Room::new(Clock::from_arguments())?;
    let say = &mut |line: &str| {
        println!("{line}");
        Ok(())
    };
    NORMAL.run(&room, say)?;
    NORMAL_RELATIVE.run(&room, say).map(|_| ())
}
