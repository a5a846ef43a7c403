//! `dalembert`, the command line.
//!
//! Results go to standard output, diagnostics to standard error. Exit codes: 0 done (warnings
//! allowed), 1 the input was refused or the work failed, 2 wrong usage, 130 interrupted. A reader of
//! either stream that goes away is no failure: what it did not want is left out, and the code is the same.

mod arguments;
mod bench;
mod calc;
mod check;
mod derive;
mod diagnostic;
mod eval;
mod explain;
mod gallery;
mod load;
mod output;
mod plot;
mod prove;
mod run;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words = arguments::words(std::env::args_os());
    let Arguments {
        command,
        color,
        json,
    } = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => return output::usage(&error, words.iter().any(|word| word == "--json")),
    };
    let result = match command {
        Command::New(new) => gallery::run(&new),
        Command::Check(model) => check::run(&model),
        Command::Derive(arguments) => derive::run(&arguments, json),
        Command::Prove(prove) => prove::run(&prove),
        Command::Eval(eval) => eval::run(&eval),
        Command::Run(run) => run::run(&run),
        Command::Plot(plot) => plot::run(&plot),
        Command::Bench(bench) => bench::run(&bench, json),
        Command::Calc(calc) => calc::run(&calc),
        Command::Explain(explain) => explain::run(&explain),
        Command::Schema => Ok(explain::schema()),
        Command::Completions(completions) => Ok(explain::completions(&completions)),
    };
    output::deliver(result, json, color)
}
