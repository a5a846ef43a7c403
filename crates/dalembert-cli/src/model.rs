//! Commands that ask something of a model: `check`, `eval`, `derive`, `prove`.

use crate::arguments::{Derive, Eval, ModelArguments, Prove};
use crate::output::{Answer, Failure};
use dalembert::derive::{DeriveOptions, Style};
use dalembert::report::Error;
use dalembert::{EvalOptions, Model, Source};
use std::fmt::Display;
use std::io::IsTerminal;

/// Reads a model, with the values that were set.
pub(crate) fn load(arguments: &ModelArguments) -> Result<Model, Error> {
    Model::load(&arguments.model)?.set_all(&arguments.set)
}

/// What an option means.
pub(crate) fn parsed<T>(option: &str, text: &str) -> Result<T, Failure>
where
    T: std::str::FromStr<Err: Display>,
{
    text.parse()
        .map_err(|error| Failure::Usage(format!("{option}: {error}")))
}

pub(crate) fn check(arguments: &ModelArguments) -> Result<Answer, Failure> {
    Ok(load(arguments)?.check()?.into())
}

pub(crate) fn eval(arguments: &Eval) -> Result<Answer, Failure> {
    let at = |at: &String| {
        let t = at.strip_prefix("t=").unwrap_or(at).trim().parse::<f64>();
        let t = t.ok().filter(|t| t.is_finite());
        t.ok_or_else(|| Failure::Usage(format!("--at {at}: write a time, such as --at t=0.7")))
    };
    let options = EvalOptions {
        at: arguments.at.as_ref().map(at).transpose()?,
        raw: arguments.raw,
    };
    Ok(load(&arguments.model)?.eval_at(&options)?.into())
}

pub(crate) fn derive(arguments: &Derive, json: bool) -> Result<Answer, Failure> {
    let style: Style = parsed("--format", &arguments.format)?;
    if let Some(event) = &arguments.impulse {
        let mut report = load(&arguments.model)?.derive_impulse(event)?;
        (report.style, report.columns) = (style, columns());
        return Ok(report.into());
    }
    let form = arguments.formulation.as_ref();
    let independent = arguments.independent.iter();
    let options = DeriveOptions {
        form: form.map(|name| parsed("--formulation", name)).transpose()?,
        independent: independent.map(|name| name.trim().to_owned()).collect(),
        steps: arguments.steps,
        matrices: json,
    };
    let mut report = load(&arguments.model)?.derive(&options)?;
    (report.style, report.columns) = (style, columns());
    Ok(report.into())
}

/// Columns of the terminal that results go to, if they go to one.
fn columns() -> Option<usize> {
    let size = console::Term::stdout().size_checked();
    size.filter(|_| std::io::stdout().is_terminal())
        .map(|(_, columns)| usize::from(columns))
}

pub(crate) fn prove(arguments: &Prove) -> Result<Answer, Failure> {
    if arguments.model.model == "-" && arguments.equations == "-" {
        let message = "the model and the equations cannot both come from standard input";
        return Err(Failure::Usage(message.to_owned()));
    }
    let model = load(&arguments.model)?;
    model.mechanism()?;
    let equations = Source::open(&arguments.equations, "write one equation a line")?;
    let report = model.prove(&equations, arguments.from.into())?;
    let code = u8::from(!report.is_complete());
    let mut answer = Answer::from(report);
    answer.code = code;
    Ok(answer)
}
