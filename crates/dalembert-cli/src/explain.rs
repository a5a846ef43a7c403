//! `dalembert explain`: what a diagnostic means; the schema of model files; completions.

use crate::arguments::{Arguments, Completions, Explain};
use crate::output::{Failure, Report};
use clap::CommandFactory;
use dalembert::mechanics::codes;
use dalembert_expr::syntax::{CODES, nearest};
use serde_json::{Value, json};

pub(crate) fn run(arguments: &Explain) -> Result<Report, Failure> {
    let code = arguments.code.to_uppercase();
    let explanation = codes::explanation(&code)
        .or_else(|| {
            CODES
                .iter()
                .find(|(known, _)| *known == code)
                .map(|(_, text)| (*text).to_owned())
        })
        .or_else(|| {
            OWN.iter()
                .find(|(known, _)| *known == code)
                .map(|(_, text)| (*text).to_owned())
        });
    let Some(text) = explanation else {
        let known: Vec<&str> = CODES
            .iter()
            .chain(OWN)
            .map(|(code, _)| *code)
            .chain(codes::all())
            .collect();
        let near = nearest(&code, known.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        return Err(Failure::Usage(format!(
            "there is no diagnostic {code}{near}"
        )));
    };
    let json = json!({ "code": code, "explanation": text });
    Ok(Report {
        text: format!("{code}: {text}"),
        json,
        warnings: Vec::new(),
    })
}

pub(crate) fn schema() -> Report {
    let schema: Value = dalembert::mechanics::model::json_schema();
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    Report {
        text,
        json: schema,
        warnings: Vec::new(),
    }
}

/// What completes our words in a shell.
pub(crate) fn completions(arguments: &Completions) -> Report {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "dalembert", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    Report {
        text: script.trim_end().to_owned(),
        json: json!({ "shell": arguments.shell.to_string(), "script": script }),
        warnings: Vec::new(),
    }
}

/// Diagnostics of the command line itself.
const OWN: &[(&str, &str)] = &[
    ("E0901", "A name is needed, and something else is given."),
    (
        "E0902",
        "The expression holds something that has no time derivative.",
    ),
    ("E0903", "A name is set that does not occur."),
    ("E0904", "A name is set twice."),
    (
        "E0910",
        "The file of the model or of the equations cannot be read.",
    ),
    ("E0911", "The result cannot be written."),
    ("E0912", "The result file cannot be read or drawn."),
    (
        "E0913",
        "What a bench compares with fails, or computes something else: the C compiler, CasADi, or code of ours.",
    ),
    (
        "W0901",
        "The expression does not depend on the name it is differentiated by.",
    ),
    (
        "W0902",
        "The value of the expression is infinite, not a number, or beyond the range of doubles (1e-308 to 1e308).",
    ),
    (
        "W0903",
        "The derivative by t is asked for, and names are constants that look as if they could move; --moving NAME declares functions of time.",
    ),
    (
        "W0904",
        "A value is put in for a name while its time derivative stays in the expression.",
    ),
    (
        "W0905",
        "A name looks like a constant or notation of another language.",
    ),
    ("W0906", "A name is declared to move that does not occur."),
];
