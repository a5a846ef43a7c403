//! `dalembert`, the command line.
//!
//! Results go to standard output, diagnostics to standard error. Exit codes: 0 done (warnings
//! allowed), 1 the input was refused or the work failed, 2 wrong usage, 130 interrupted. A reader of
//! either stream that goes away is no failure: what it did not want is left out, and the code is the same.

mod arguments;
mod bench;
mod browser;
mod calc;
mod explain;
mod gallery;
mod model;
mod output;
mod plot;
mod run;
mod serve;
mod sweep;
mod view;

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
        Command::Check(arguments) => model::check(&arguments),
        Command::Derive(derive) => model::derive(&derive, json),
        Command::Prove(prove) => model::prove(&prove),
        Command::Eval(eval) => model::eval(&eval),
        Command::Run(run) => run::run(&run),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Merge(arguments) => sweep::merge(&arguments),
        Command::Plot(plot) => plot::run(&plot),
        Command::View(view) => view::run(&view),
        Command::Serve(serve) => serve::run(&serve, json),
        Command::Bench(bench) => bench::run(&bench, json),
        Command::Calc(calc) => calc::run(&calc).map(Into::into),
        Command::Explain(explain) => explain::explain(&explain.code),
        Command::Schema(schema) => explain::schema(&schema),
        Command::Completions(completions) => Ok(explain::completions(&completions)),
    };
    output::deliver(result, json, color)
}
