//! Elaboration: what expressions become in the graph, and mistakes of meaning.

use dalembert_expr::Rational;
use dalembert_expr::SymbolKind;
use dalembert_expr::syntax::{
    ExpressionError, Scope, Unresolved, elaborate_value, further_mistakes, parse_expression,
    parse_value, read_expression,
};
use dalembert_expr::{ExprId, Graph};

/// x and link.x move, m does not; degrees and metres are units.
struct Names;

impl Scope for Names {
    fn name(&mut self, graph: &mut Graph, name: &str, primes: u8) -> Result<ExprId, Unresolved> {
        match (name, primes) {
            ("x" | "link.x", _) => {
                Ok(graph.derivative_symbol(name, SymbolKind::Coordinate, primes))
            }
            ("m" | "length", 0) => Ok(graph.symbol(name, SymbolKind::Parameter)),
            ("m" | "length", _) => Err(Unresolved::NoDerivative),
            ("pi", 0) => Ok(graph.pi()),
            _ => Err(Unresolved::Unknown),
        }
    }

    fn unit(&mut self, graph: &mut Graph, name: &str) -> Option<ExprId> {
        match name {
            "m" => Some(graph.integer(1)),
            "km" => Some(graph.integer(1000)),
            "deg" => {
                let (pi, one) = (graph.pi(), Rational::new(1, 180)?);
                let one = graph.number(one);
                Some(graph.mul(one, pi))
            }
            _ => None,
        }
    }

    fn known(&self) -> (Vec<String>, Vec<String>) {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        (
            owned(&["x", "link.x", "m", "length", "pi"]),
            owned(&["m", "km", "deg"]),
        )
    }
}

fn read(graph: &mut Graph, source: &str) -> Result<ExprId, Vec<ExpressionError>> {
    let tree = parse_value(source)?;
    elaborate_value(graph, source, &tree, &mut Names)
}

#[test]
fn expressions_become_the_nodes_they_describe() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Coordinate);
    let [rate, acceleration] =
        [1, 2].map(|order| g.derivative_symbol("x", SymbolKind::Coordinate, order));
    let m = g.symbol("m", SymbolKind::Parameter);
    let member_rate = g.derivative_symbol("link.x", SymbolKind::Coordinate, 1);
    let (pi, two) = (g.pi(), g.integer(2));
    let tanh = g.smooth_sign(x, m);
    let root = g.sqrt(x);
    let cases = [
        ("-x^2", {
            let s = g.powi(x, 2);
            g.neg(s)
        }),
        ("m*x''", g.mul(m, acceleration)),
        ("x_dot", rate),
        ("link.x'", member_rate),
        ("+x - -m", g.add(x, m)),
        ("2^x", g.pow(two, x)),
        ("atan2(x, m)", g.atan2(x, m)),
        ("smooth_sign(x, m)", tanh),
        ("x^0.5", root),
        ("0.1 + 0.2 - 0.3", g.integer(0)),
        ("180 deg", pi),
        ("2 km", g.integer(2000)),
        ("3 km*m^2/m", g.integer(3000)),
        ("-90 deg", {
            let half = g.div(pi, two);
            g.neg(half)
        }),
        ("sin(30 deg)", g.number(Rational::new(1, 2).unwrap())),
        ("x^2/x", x),
    ];
    for (source, expected) in cases {
        assert_eq!(read(&mut g, source), Ok(expected), "{source}");
    }
}

/// Source, code, text at the span, message, help.
pub(super) const CASES: &[(&str, &str, &str, &str, &str)] = &[
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
        "write x' for a time derivative; `dalembert calc` differentiates by --diff",
    ),
    (
        "dot(x)",
        "E0202",
        "dot",
        "unknown function `dot`",
        "write x'",
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
        "write 45 deg",
    ),
    (
        "2 deg^2",
        "E0207",
        "deg",
        "`deg^2` is not a unit",
        "write (2 deg)^2",
    ),
    (
        "3 kg",
        "E0207",
        "kg",
        "`kg` is not a unit",
        "only m and km and deg are units here: write the number alone; to multiply, write 3*kg",
    ),
    (
        "2*lenght + x",
        "E0201",
        "lenght",
        "unknown name `lenght`",
        "did you mean length?",
    ),
    (
        "link.y",
        "E0201",
        "link.y",
        "unknown name `link.y`",
        "did you mean link.x?",
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
        "write the value alone",
    ),
    (
        "[x, 1] + 2",
        "E0205",
        "[x, 1]",
        "a vector stands where a number is needed",
        "write a number or a formula",
    ),
    (
        "sin(\"P\")",
        "E0205",
        "\"P\"",
        "a text stands where a number is needed",
        "write a number or a formula",
    ),
    (
        "[x].y",
        "E0205",
        "[x].y",
        "`[x]` has no member `y`",
        "only names have members",
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
        "to multiply, write 2*length",
    ),
    (
        "2 dag",
        "E0207",
        "dag",
        "`dag` is not a unit",
        "did you mean deg?",
    ),
    (
        "2 parsec",
        "E0207",
        "parsec",
        "`parsec` is not a unit",
        "the units are m, km, deg; to multiply, write 2*parsec",
    ),
    (
        "9 km/length",
        "E0207",
        "length",
        "`length` is not a unit",
        "to multiply with a name, write * after the number",
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
        let errors = read(&mut Graph::new(), source).expect_err(source);
        assert_eq!(errors.len(), 1, "{source}: {errors:?}");
        let error = &errors[0];
        let found = (error.code, error.span.text(source), error.message.as_str());
        assert_eq!(found, (code, text, message), "{source}");
        assert_eq!(error.help.as_deref().unwrap_or_default(), help, "{source}");
    }
}

#[test]
fn all_mistakes_of_meaning_are_reported_at_once() {
    let source = "foo + sin(bar, 1) + [baz, 2] + 3 ells = x m";
    let tree = parse_expression(source).unwrap();
    let errors = elaborate_value(&mut Graph::new(), source, &tree, &mut Names).unwrap_err();
    let codes: Vec<&str> = errors.iter().map(|error| error.code).collect();
    assert_eq!(
        codes,
        [
            "E0201", "E0203", "E0201", "E0205", "E0201", "E0207", "E0206"
        ]
    );
}

#[test]
fn deep_and_long_texts_are_elaborated_without_recursion() {
    let mut g = Graph::new();
    let deep = format!("{}x{}", "sin(".repeat(100_000), ")".repeat(100_000));
    assert!(read(&mut g, &deep).is_ok());
    let long = format!("x{}", " + m*x".repeat(200_000));
    assert!(read(&mut g, &long).is_ok());
    let members = format!("link{}", ".x".repeat(100_000));
    assert_eq!(read(&mut g, &members).unwrap_err().len(), 1);
}

#[test]
fn mistakes_of_meaning_are_found_beside_those_of_form() {
    let found = |source: &str| -> Vec<(&'static str, String)> {
        let reading = read_expression(source);
        let tree = reading.tree.expect("a repaired tree");
        let mut graph = Graph::new();
        further_mistakes(&mut graph, source, &tree, &mut Names, reading.errors)
            .into_iter()
            .map(|error| (error.code, error.span.text(source).to_owned()))
            .collect()
    };
    for (source, expected) in [
        ("x + 2 y + sin(m", &[("E0207", "y"), ("E0109", "(")][..]),
        (
            "(x = q)*z + ",
            &[
                ("E0123", "="),
                ("E0201", "q"),
                ("E0201", "z"),
                ("E0112", "+"),
            ],
        ),
        // Consequences of a repair are not mistakes.
        ("atan2(x; m)", &[("E0103", ";")]),
        ("sin^2(x)", &[("E0113", "sin^2")]),
        (
            "math.tg(x) + \\dot{q}",
            &[("E0126", "math.tg"), ("E0103", "\\dot{q}")],
        ),
        ("x", &[]),
    ] {
        let expected: Vec<_> = expected.iter().map(|&(c, t)| (c, t.to_owned())).collect();
        assert_eq!(found(source), expected, "{source}");
    }
    assert!(read_expression(&"$ + ".repeat(30)).tree.is_none());
}
