//! Options of runs that are chosen by a word.

use dalembert::simulate::{RunOptions, method_named};
use dalembert_expr::syntax::nearest;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::lower::INTEGRATORS;

/// Gives an option that is a word.
///
/// # Errors
/// There is no such word: those that are known, and what to do.
pub(super) fn word(option: &str, text: &str) -> Result<RunOptions, (String, Option<String>)> {
    let mut options = RunOptions::default();
    let formulations = Formulation::ALL.map(Formulation::name);
    let known: &[&str] = if option == "integrator" {
        &INTEGRATORS
    } else {
        &formulations
    };
    match option {
        "integrator" => options.method = method_named(text),
        _ => options.formulation = text.parse().ok(),
    }
    if options.method.is_some() || options.formulation.is_some() {
        return Ok(options);
    }
    let near = nearest(text, known.iter().copied());
    let near = near.map(|it| format!("did you mean `{it}`?"));
    Err((known.join(", "), near))
}
