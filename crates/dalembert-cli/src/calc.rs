//! `dalembert calc`: the expression room on its own.

use crate::arguments::{Calc, DerivativeStyle};
use crate::diagnostic::{Diagnostic, Severity};
use crate::output::{Failure, Report};
use dalembert_expr::calculus::{partial, time_derivative};
use dalembert_expr::print::{
    Derivatives, Format, Options, Printed, mathml_element, print, print_one,
};
use dalembert_expr::syntax::{
    Function, Kind, Scope, Tree, Unresolved, elaborate_value, parse_expression, parse_value,
};
use dalembert_expr::{
    Cone, ExprId, Graph, Rational, SymbolId, SymbolKind, evaluate, simplify, substitute,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::io::Read;

/// Longest expression read from standard input, a little more than the parser takes.
const MAX_INPUT: u64 = 17 << 20;

pub(crate) fn run(arguments: &Calc) -> Result<Report, Failure> {
    let source = source(&arguments.expression)?;
    let settings = arguments
        .set
        .iter()
        .map(|text| split_setting(text))
        .collect::<Result<Vec<_>, _>>()?;

    let mut refused = Vec::new();
    let mut read = |file: &str, text: &str, parse: fn(&str) -> _| {
        let tree: Result<Tree, _> = parse(text);
        tree.map_err(|errors| refused.extend(Diagnostic::of_expression(file, text, errors)))
            .ok()
    };
    let expression = read("EXPR", &source, parse_expression);
    let by: Vec<Option<Tree>> = arguments
        .diff
        .iter()
        .map(|text| read("--diff", text, parse_expression))
        .collect();
    let set: Vec<[Option<Tree>; 2]> = settings
        .iter()
        .map(|(name, value)| {
            [
                read("--set", name, parse_expression),
                read("--set", value, parse_value),
            ]
        })
        .collect();

    // A name that has a prime anywhere moves everywhere.
    let mut names = Names::default();
    let trees = expression
        .iter()
        .chain(by.iter().flatten())
        .chain(set.iter().flatten().flatten());
    trees.for_each(|tree| names.collect(tree));

    let mut graph = Graph::new();
    let mut elaborate = |graph: &mut Graph, file: &str, text: &str, tree: &Option<Tree>| {
        let value = elaborate_value(graph, text, tree.as_ref()?, &mut names);
        value
            .map_err(|errors| refused.extend(Diagnostic::of_expression(file, text, errors)))
            .ok()
    };
    let value = elaborate(&mut graph, "EXPR", &source, &expression);
    let by: Vec<Option<ExprId>> = arguments
        .diff
        .iter()
        .zip(&by)
        .map(|(text, tree)| elaborate(&mut graph, "--diff", text, tree))
        .collect();
    let set: Vec<[Option<ExprId>; 2]> = settings
        .iter()
        .zip(&set)
        .map(|((name, value), [name_tree, value_tree])| {
            [
                elaborate(&mut graph, "--set", name, name_tree),
                elaborate(&mut graph, "--set", value, value_tree),
            ]
        })
        .collect();

    let mut warnings = Vec::new();
    let mut result = value;
    for (text, by) in arguments.diff.iter().zip(by) {
        if let (Some(value), Some(by)) = (result, by) {
            match differentiate(&mut graph, value, by, text) {
                Ok((derivative, warning)) => {
                    result = Some(derivative);
                    warnings.extend(warning);
                }
                Err(error) => refused.push(error),
            }
        }
    }
    if let Some(value) = result {
        result = put_in(&mut graph, value, &settings, &set, &mut refused);
    }
    match result {
        Some(mut value) if refused.is_empty() => {
            if arguments.simplify {
                value = simplify(&mut graph, &[value])[0];
            }
            Ok(report(&graph, value, arguments, warnings))
        }
        _ => Err(Failure::Refused(refused)),
    }
}

fn source(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    std::io::stdin()
        .take(MAX_INPUT)
        .read_to_string(&mut text)
        .map_err(|error| Failure::Usage(format!("cannot read standard input: {error}")))?;
    Ok(text)
}

fn split_setting(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = text.split_once('=').ok_or_else(|| {
        Failure::Usage(format!("--set {text}: write NAME=VALUE, such as --set x=2"))
    })?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The derivative by a symbol; along the motion if that is time.
fn differentiate(
    graph: &mut Graph,
    value: ExprId,
    by: ExprId,
    text: &str,
) -> Result<(ExprId, Option<Diagnostic>), Diagnostic> {
    let about = |severity, code, message, help: &str| Diagnostic {
        code,
        severity,
        message,
        help: Some(help.to_owned()),
        file: "--diff".to_owned(),
        source: text.to_owned(),
        span: 0..text.len(),
    };
    let Some(symbol) = graph.as_symbol(by) else {
        let message = format!("`{text}` is not a name");
        return Err(about(
            Severity::Error,
            "E0901",
            message,
            "differentiate by a name such as x or x'",
        ));
    };
    if graph.symbol_data(symbol).kind == SymbolKind::Time {
        let derivative = time_derivative(graph, &[value]).map_err(|error| {
            about(
                Severity::Error,
                "E0902",
                error.to_string(),
                "differentiate by another name",
            )
        })?;
        return Ok((derivative[0], None));
    }
    let occurs = Cone::new(graph, &[value]).position(by).is_some();
    let warning = (!occurs).then(|| {
        let message = format!("`{text}` does not occur, so the derivative is 0");
        about(Severity::Warning, "W0901", message, "check the spelling")
    });
    Ok((partial(graph, value, symbol), warning))
}

/// Puts all settings in at once.
fn put_in(
    graph: &mut Graph,
    value: ExprId,
    settings: &[(String, String)],
    set: &[[Option<ExprId>; 2]],
    refused: &mut Vec<Diagnostic>,
) -> Option<ExprId> {
    let cone = Cone::new(graph, &[value]);
    let mut replacements = Vec::new();
    let mut seen = BTreeSet::new();
    for ((name, _), ids) in settings.iter().zip(set) {
        let [Some(from), Some(to)] = *ids else {
            continue;
        };
        let mut refuse = |code, message, help: &str| {
            refused.push(Diagnostic {
                code,
                severity: Severity::Error,
                message,
                help: Some(help.to_owned()),
                file: "--set".to_owned(),
                source: name.clone(),
                span: 0..name.len(),
            });
        };
        if graph.as_symbol(from).is_none() {
            refuse(
                "E0901",
                format!("`{name}` is not a name"),
                "set a name such as x or x'",
            );
        } else if !seen.insert(from) {
            refuse("E0904", format!("`{name}` is set twice"), "set it once");
        } else if cone.position(from).is_none() {
            refuse(
                "E0903",
                format!("`{name}` does not occur in the expression"),
                "check the spelling",
            );
        } else {
            replacements.push((from, to));
        }
    }
    Some(substitute(graph, &[value], &replacements)[0])
}

fn report(graph: &Graph, value: ExprId, arguments: &Calc, mut warnings: Vec<Diagnostic>) -> Report {
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
    } = all;
    let mut printed = expressions.concat();
    if arguments.format == Format::MathMl {
        printed = mathml_element(&printed, true);
    }
    let symbols: Vec<SymbolId> = Cone::new(graph, &[value]).symbols(graph);
    let number = symbols
        .is_empty()
        .then(|| evaluate(graph, &[value], |_| f64::NAN)[0]);
    if number.is_some_and(|number| !number.is_finite()) {
        let text = &arguments.expression;
        warnings.push(Diagnostic {
            code: "W0902",
            severity: Severity::Warning,
            message: "the value is not a finite number".to_owned(),
            help: Some("look for a division by zero, or a function outside its domain".to_owned()),
            file: "EXPR".to_owned(),
            source: text.clone(),
            span: 0..text.len(),
        });
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
    let warned: Vec<Value> = warnings
        .iter()
        .map(|warning| json!({ "code": warning.code, "message": warning.message }))
        .collect();
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
        "value": number,
        "warnings": warned,
    });
    if !renamed.is_empty() {
        json["names"] = Value::Object(renamed);
    }
    Report {
        text,
        json,
        warnings,
    }
}

/// A double in the fewest digits that say which it is.
fn shortest(value: f64) -> String {
    if value == 0.0 || (1e-5..1e16).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// Every name is a symbol; those that have a prime somewhere are functions of time.
#[derive(Default)]
struct Names {
    moving: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl Names {
    fn collect(&mut self, tree: &Tree) {
        // Members are names with a dot, collected from left to right.
        let mut paths: Vec<Option<String>> = Vec::new();
        for node in tree.nodes() {
            let (path, primes) = match &node.kind {
                Kind::Name { name, primes } => (Some(name.to_string()), *primes),
                Kind::Member { of, name, primes } => {
                    let path = paths[of.index()]
                        .take()
                        .map(|of| format!("{of}.{}", name.text));
                    (path, *primes)
                }
                _ => (None, 0),
            };
            if let (Some(path), true) = (&path, primes > 0) {
                self.moving.insert(path.clone());
            }
            paths.push(path);
        }
        self.known.extend(paths.into_iter().flatten());
    }
}

impl Scope for Names {
    fn name(&mut self, graph: &mut Graph, name: &str, primes: u8) -> Result<ExprId, Unresolved> {
        match name {
            "pi" | "t" if primes > 0 => Err(Unresolved::NoDerivative),
            "pi" => Ok(graph.pi()),
            "t" => Ok(graph.symbol("t", SymbolKind::Time)),
            _ if Function::named(name).is_some() => Err(Unresolved::Unknown),
            _ if primes > 0 || self.moving.contains(name) => {
                Ok(graph.derivative_symbol(name, SymbolKind::Coordinate, primes))
            }
            _ => Ok(graph.symbol(name, SymbolKind::Parameter)),
        }
    }

    fn unit(&mut self, graph: &mut Graph, name: &str) -> Option<ExprId> {
        match name {
            "rad" => Some(graph.integer(1)),
            "deg" => {
                let (degree, pi) = (Rational::new(1, 180)?, graph.pi());
                let degree = graph.number(degree);
                Some(graph.mul(degree, pi))
            }
            _ => None,
        }
    }

    fn known(&self) -> (Vec<String>, Vec<String>) {
        (
            self.known.iter().cloned().collect(),
            vec!["rad".to_owned(), "deg".to_owned()],
        )
    }
}
