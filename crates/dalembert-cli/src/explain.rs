//! `dalembert explain`, `schema` and `completions`: what a diagnostic means, documents look like, and shells complete.

use crate::arguments::{Arguments, Completions, Schema};
use crate::output::{Answer, Failure, Plain};
use clap::CommandFactory;
use dalembert::mechanics::model::{json_schema, sweep_schema};
use dalembert::report;
use serde_json::{Value, json};

pub(crate) fn explain(code: &str) -> Result<Answer, Failure> {
    let explanation = report::explain(code).map_err(Failure::Usage)?;
    Ok(explanation.into())
}

pub(crate) fn schema(arguments: &Schema) -> Result<Answer, Failure> {
    let json: Value = match arguments.of.as_str() {
        "model" => json_schema(),
        "sweep" => sweep_schema(),
        "sweep-report" => dalembert_sweep::SweepReport::schema().into(),
        command => report::schema(command)
            .ok_or_else(|| {
                Failure::Usage(format!(
                    "there is no schema of {command}: model, sweep, check, derive, impulse, eval, prove, run, sweep-report or error"
                ))
            })?
            .into(),
    };
    let text = serde_json::to_string_pretty(&json).unwrap_or_default();
    let warnings = Vec::new();
    Ok(Plain {
        text,
        json,
        warnings,
    }
    .into())
}

/// What completes our words in a shell.
pub(crate) fn completions(arguments: &Completions) -> Answer {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "dalembert", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let plain = Plain {
        text: script.trim_end().to_owned(),
        json: json!({ "shell": arguments.shell.to_string(), "script": script }),
        warnings: Vec::new(),
    };
    plain.into()
}
