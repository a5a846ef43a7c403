//! Elaboration: what expressions become in the graph, and mistakes of meaning.

use dalembert_expr::syntax::{parse_expression, parse_value};
use dalembert_expr::{ExprId, Graph, Rational, SymbolKind};
use dalembert_model::diagnostic::{Diagnostic, Place};
use dalembert_model::model::{Expression, Model, Origin};
use dalembert_system::elaborate::Elaborator;

/// Reads a number where x moves, and m and length do not.
fn read_with<T>(
    source: &str,
    then: impl FnOnce(&mut Graph, ExprId) -> T,
) -> Result<T, Vec<Diagnostic>> {
    let model = Model::of_names(["m", "length"], ["x"]);
    let mut scope = Elaborator::new(&model);
    let expression = Expression {
        text: source.to_owned(),
        tree: parse_value(source).unwrap(),
        origin: Origin::Key("here".to_owned()),
    };
    match scope.scalar(&expression) {
        Some(value) if scope.diagnostics.is_empty() => Ok(then(&mut scope.graph, value)),
        _ => Err(scope.diagnostics),
    }
}

fn written(source: &str, found: &Diagnostic) -> String {
    match &found.place {
        Place::Text(given) => source[given.span.clone()].to_owned(),
        place => panic!("{place:?}"),
    }
}

#[test]
fn expressions_become_the_nodes_they_describe() {
    type Node = fn(&mut Graph) -> ExprId;
    let cases: [(&str, Node); 16] = [
        ("-x^2", |g| {
            let x = coordinate(g, 0);
            let s = g.powi(x, 2);
            g.neg(s)
        }),
        ("m*x''", |g| {
            let (m, a) = (parameter(g), coordinate(g, 2));
            g.mul(m, a)
        }),
        ("x_dot", |g| coordinate(g, 1)),
        ("t'", |g| g.integer(1)),
        ("+x - -m", |g| {
            let (x, m) = (coordinate(g, 0), parameter(g));
            g.add(x, m)
        }),
        ("2^x", |g| {
            let (two, x) = (g.integer(2), coordinate(g, 0));
            g.pow(two, x)
        }),
        ("atan2(x, m)", |g| {
            let (x, m) = (coordinate(g, 0), parameter(g));
            g.atan2(x, m)
        }),
        ("smooth_sign(x, m)", |g| {
            let (x, m) = (coordinate(g, 0), parameter(g));
            g.smooth_sign(x, m)
        }),
        ("x^0.5", |g| {
            let x = coordinate(g, 0);
            g.sqrt(x)
        }),
        ("0.1 + 0.2 - 0.3", |g| g.integer(0)),
        ("180 deg", Graph::pi),
        ("2 km", |g| g.integer(2000)),
        ("3 km*m^2/m", |g| g.integer(3000)),
        ("norm([3, 4, 0])", |g| g.integer(5)),
        ("sin(30 deg)", |g| g.number(Rational::new(1, 2).unwrap())),
        ("x^2/x", |g| coordinate(g, 0)),
    ];
    for (source, expected) in cases {
        let same = read_with(source, |graph, value| value == expected(graph));
        assert_eq!(same, Ok(true), "{source}");
    }
}

fn coordinate(graph: &mut Graph, order: u8) -> ExprId {
    graph.derivative_symbol("x", SymbolKind::Coordinate, order)
}

fn parameter(graph: &mut Graph) -> ExprId {
    graph.symbol("m", SymbolKind::Parameter)
}

/// Source, code, text at the span, message, help.
const CASES: &[(&str, &str, &str, &str, &str)] = &[
    (
        "ln(x)",
        "E0202",
        "ln",
        "unknown function `ln`",
        "log is the natural logarithm: write log(x)",
    ),
    (
        "log10(x)",
        "E0202",
        "log10",
        "unknown function `log10`",
        "write log(x)/log(10)",
    ),
    (
        "pow(x + 1, 2)",
        "E0202",
        "pow",
        "unknown function `pow`",
        "write (x + 1)^2",
    ),
    (
        "sec(x)",
        "E0202",
        "sec",
        "unknown function `sec`",
        "write 1/cos(x)",
    ),
    (
        "cot(x)",
        "E0202",
        "cot",
        "unknown function `cot`",
        "write 1/tan(x)",
    ),
    (
        "tg(x)",
        "E0202",
        "tg",
        "unknown function `tg`",
        "write tan(x)",
    ),
    (
        "arcsin(x)",
        "E0202",
        "arcsin",
        "unknown function `arcsin`",
        "write asin(x)",
    ),
    (
        "arccos(x)",
        "E0202",
        "arccos",
        "unknown function `arccos`",
        "write acos(x)",
    ),
    (
        "arctan(x)",
        "E0202",
        "arctan",
        "unknown function `arctan`",
        "write atan(x)",
    ),
    (
        "sgn(x)",
        "E0202",
        "sgn",
        "unknown function `sgn`",
        "write sign(x)",
    ),
    (
        "fabs(x)",
        "E0202",
        "fabs",
        "unknown function `fabs`",
        "write abs(x)",
    ),
    (
        "cbrt(x)",
        "E0202",
        "cbrt",
        "unknown function `cbrt`",
        "write x^(1/3)",
    ),
    (
        "diff(x, pi)",
        "E0202",
        "diff",
        "unknown function `diff`",
        "a prime is the time derivative: write x', or x'' for the second, vel(P) and acc(P) of points; `dalembert calc` differentiates by --diff",
    ),
    (
        "diff(x, t)",
        "E0202",
        "diff",
        "unknown function `diff`",
        "write x'",
    ),
    (
        "dot(x)",
        "E0203",
        "dot",
        "`dot` takes 2 arguments, not 1",
        "write x'",
    ),
    (
        "x(t)",
        "E0202",
        "x",
        "unknown function `x`",
        "write x for the function and x' for its derivative; to multiply, write x*t",
    ),
    (
        "x dot",
        "E0206",
        "x dot",
        "`x dot` stand side by side",
        "there is no implicit multiplication: write x'",
    ),
    (
        "45 degrees",
        "E0207",
        "degrees",
        "`degrees` is not a unit",
        "did you mean deg?",
    ),
    (
        "2*lenght + x",
        "E0201",
        "lenght",
        "unknown name `lenght`",
        "did you mean length?",
    ),
    (
        "2*sin",
        "E0201",
        "sin",
        "unknown name `sin`",
        "sin is a function: write sin(x)",
    ),
    (
        "sine(x)",
        "E0202",
        "sine",
        "unknown function `sine`",
        "did you mean sin?",
    ),
    (
        "m(x + 1)",
        "E0202",
        "m",
        "unknown function `m`",
        "to multiply, write m*(…)",
    ),
    (
        "sin(x, m)",
        "E0203",
        "sin",
        "`sin` takes 1 argument, not 2",
        "write sin(x)",
    ),
    (
        "max()",
        "E0203",
        "max",
        "`max` takes 2 arguments, not 0",
        "write max(x, y)",
    ),
    (
        "sin(at = x)",
        "E0204",
        "at",
        "`sin` has no argument `at`",
        "write sin(x)",
    ),
    (
        "[x, 1] + 2",
        "E0402",
        "[x, 1]",
        "a vector has 3 components, not 2",
        "write [a, b, 0] in the plane",
    ),
    (
        "sin(\"P\")",
        "E0402",
        "\"P\"",
        "a text has no value here",
        "write a name without quotes",
    ),
    (
        "m x",
        "E0206",
        "m x",
        "`m x` stand side by side",
        "there is no implicit multiplication: write m*x",
    ),
    (
        "sin x",
        "E0206",
        "sin x",
        "`sin x` stand side by side",
        "there is no implicit multiplication: write sin(x)",
    ),
    (
        "2 length",
        "E0207",
        "length",
        "`length` is not a unit",
        "to multiply, write * before length",
    ),
    (
        "m'*x",
        "E0208",
        "m'",
        "`m'`: `m` does not depend on time",
        "write the name without a prime",
    ),
    (
        "x = 1",
        "E0209",
        "x = 1",
        "a value is needed here, not an equation or comparison",
        "write one of its sides, or their difference",
    ),
];

#[test]
fn mistakes_of_meaning_name_the_place_and_the_cure() {
    for &(source, code, text, message, help) in CASES {
        let errors = read_with(source, |_, _| ()).expect_err(source);
        assert_eq!(errors.len(), 1, "{source}: {errors:?}");
        let error = &errors[0];
        let found = (error.code, &*written(source, error), error.message.as_str());
        assert_eq!(found, (code, text, message), "{source}");
        assert_eq!(error.help.as_deref().unwrap_or_default(), help, "{source}");
    }
}

#[test]
fn all_mistakes_of_meaning_are_reported_at_once() {
    let source = "foo + sin(bar, 1) + [baz, 2] + 3 ells = x m";
    parse_expression(source).unwrap();
    let errors = read_with(source, |_, _| ()).unwrap_err();
    let codes: Vec<&str> = errors.iter().map(|error| error.code).collect();
    assert_eq!(
        codes,
        [
            "E0201", "E0201", "E0203", "E0201", "E0402", "E0207", "E0206"
        ]
    );
}

#[test]
fn deep_and_long_texts_are_elaborated_without_recursion() {
    let deep = format!("{}x{}", "sin(".repeat(100_000), ")".repeat(100_000));
    assert!(read_with(&deep, |_, _| ()).is_ok());
    let long = format!("x{}", " + m*x".repeat(200_000));
    assert!(read_with(&long, |_, _| ()).is_ok());
    let members = format!("x{}", ".x".repeat(100_000));
    assert_eq!(read_with(&members, |_, _| ()).unwrap_err().len(), 1);
}
