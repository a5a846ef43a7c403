//! `dalembert`, the command line.
//!
//! Results go to standard output, diagnostics to standard error. Exit codes: 0 done (warnings
//! allowed), 1 the input was refused or the work failed, 2 wrong usage.

mod arguments;
mod calc;
mod diagnostic;
mod output;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Arguments {
        command,
        color,
        json,
    } = Arguments::parse_from(std::env::args_os().map(arguments::protect_sign));
    let result = match command {
        Command::Calc(calc) => calc::run(&calc),
    };
    output::deliver(result, json, color)
}
