//! What `explain` says: the meaning of a diagnostic.

use super::Report;
use dalembert_expr::syntax::{CODES, nearest};
use dalembert_mechanics::codes;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// What a diagnostic means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Explanation {
    /// Its code.
    pub code: String,
    /// What it means.
    pub explanation: String,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.explanation)
    }
}

impl Report for Explanation {}

/// Explains a code, such as E0201.
///
/// # Errors
/// There is none such, in words.
pub fn explain(code: &str) -> Result<Explanation, String> {
    let code = code.to_uppercase();
    let listed = || CODES.iter().chain(OWN);
    let own = listed().find(|(known, _)| *known == code);
    let own = || own.map(|(_, text)| (*text).to_owned());
    if let Some(explanation) = codes::explanation(&code).or_else(own) {
        return Ok(Explanation { code, explanation });
    }
    let known = listed().map(|(code, _)| *code).chain(codes::all());
    let near = nearest(&code, known);
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    Err(format!("there is no diagnostic {code}{near}"))
}

/// Diagnostics of commands, files and results.
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
        "What a bench compares with fails, or computes something else: the C compiler, CasADi, a simulator, or code of ours.",
    ),
    (
        "E0914",
        "The page of a model shows a result of that model: samples of time and of all its coordinates.",
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
