//! What is said of a result.

use super::input::Input;
use super::range;
use super::{MAX_REPEATED, Work};
use crate::arguments::{Calc, DerivativeStyle};
use crate::output::Plain;
use dalembert::report::Entry;
use dalembert_expr::print::{
    Derivatives, Format, Options, Printed, mathml_element, print, print_one, shortest,
};
use dalembert_expr::{Cone, ExprId, SymbolId, evaluate};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

pub(super) fn report(
    work: Work<'_>,
    moving: BTreeSet<String>,
    value: ExprId,
    arguments: &Calc,
    expression: &Input,
) -> Plain {
    let Work {
        scope,
        mut warnings,
        ..
    } = work;
    let graph = &scope.graph;
    let mut options = Options::new(arguments.format);
    if let Some(style) = arguments.derivatives {
        options.derivatives = match style {
            DerivativeStyle::Dots => Derivatives::Dots,
            DerivativeStyle::Primes => Derivatives::Primes,
        };
    }
    let all = print(graph, &[value], &options);
    let mut text = all.document(arguments.format);
    let Printed {
        definitions,
        expressions,
        symbols: spelled,
        ..
    } = all;
    let mut printed = expressions.concat();
    if arguments.format == Format::MathMl {
        printed = mathml_element(&printed, true);
    }
    let symbols: Vec<SymbolId> = Cone::new(graph, &[value]).symbols(graph);
    let mut number = symbols
        .is_empty()
        .then(|| evaluate(graph, &[value], |_| f64::NAN)[0]);
    let beyond = number.and_then(|_| range::beyond(graph, value));
    if let Some((part, small)) = beyond {
        number = None;
        let (what, not) = match small {
            true => ("small", "zero"),
            false => ("large", "infinite"),
        };
        let part = print_one(graph, part, Format::Model);
        let message = format!(
            "`{}` is too {what} for a double, and not {not}",
            shortened(&part)
        );
        let help = "the value is left out: it would be made of a number that is not known";
        warnings.push(expression.about("W0902", message, help));
    } else if number.is_some_and(|number| !number.is_finite()) {
        let message = "the value is not a finite number".to_owned();
        let help = "look for a division by zero, or a function outside its domain";
        warnings.push(expression.about("W0902", message, help));
    }

    // Text is for reading: beside a formula without symbols stands its value.
    let shown = number
        .filter(|_| arguments.format == Format::Text)
        .map(shortest);
    if let Some(shown) = shown.filter(|shown| *shown != printed) {
        text.push_str(&format!(" = {shown}"));
    }
    let definitions: Map<String, Value> = definitions
        .into_iter()
        .map(|(name, value)| (name, Value::String(value)))
        .collect();
    let names: Vec<String> = symbols
        .iter()
        .map(|&symbol| graph.symbol_data(symbol).to_string())
        .collect();
    let warned: Vec<Entry> = warnings.iter().map(Entry::from).collect();
    // How a program calls what is called otherwise in models.
    let program = matches!(arguments.format, Format::C | Format::Python | Format::Sympy);
    let renamed: Map<String, Value> = spelled
        .into_iter()
        .map(|(symbol, spelling)| (graph.symbol_data(symbol).to_string(), spelling))
        .filter(|(name, spelling)| program && name != spelling)
        .map(|(name, spelling)| (name, Value::String(spelling)))
        .collect();
    let mut json = json!({
        "status": "ok",
        "expression": print_one(graph, value, Format::Model),
        "format": arguments.format.name(),
        "printed": printed,
        "definitions": definitions,
        "symbols": names,
        "moving": moving,
        "value": number,
        "warnings": warned,
    });
    if !renamed.is_empty() {
        json["names"] = Value::Object(renamed);
    }
    Plain {
        text,
        json,
        warnings,
    }
}

/// A text that a message repeats, at most so long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_REPEATED) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
