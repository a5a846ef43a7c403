//! Every notation over one table of expressions typical in mechanics, and what must hold for all.

mod depth;
mod notations;
mod programs;
mod reader;
mod round_trip;
mod shared;
mod visible;

use dalembert_expr::print::{Derivatives, Format, Options, print};
use dalembert_expr::{ExprId, Graph, SymbolKind};
use reader::read;

/// Expressions in the model's language; see [`reader`] for the kinds of the symbols.
const TABLE: &[&str] = &[
    // energies
    "1/2*m*(x'^2 + y'^2)",
    "1/2*m*x'^2 + 1/2*J*theta'^2 - m*g*l*cos(theta)",
    "-m*g*r*cos(theta)",
    "-6.674e-11*m_A*m_B/sqrt(x^2 + y^2)",
    // rows of Blajer's disk
    "((m*r^2 + J)*sin(theta)^2 + J)*phi'' + (m*r^2 + 2*J)*sin(theta)*psi''",
    "-2*(m*r^2 + J)*sin(theta)*cos(theta)*phi'*theta' - 2*J*cos(theta)*theta'*psi'",
    "(m*r^2 + 2*J)*(sin(theta)*phi'' + psi'')",
    // quotients
    "m*g/(2*l)",
    "a*b/(c*d)",
    "(a + b)/(c - d)",
    "a/(b/(c + 1))",
    "a/b/c",
    "1/x^2",
    "(a + b)/2",
    "3*x/16",
    "x/97",
    "g*sin(theta)/l",
    "1/(1 + x/(1 + x/y))",
    // powers and roots
    "x^(1/3) + x^(3/2)*y^1.7",
    "2^(-x) + (-2)^x*3^x",
    "x^y^z",
    "(x^y)^z",
    "(x + y)^2*(-x)^2",
    "sqrt(x)^3 + sqrt(x + y)/sqrt(2)",
    "(1/3)^x*(1e9)^y",
    // functions
    "sin(theta)*(a + b) + sin(theta + phi)*cos(2*theta)",
    "cos(theta)^2/sin(theta)^3 + log(x)^2 + tanh(x/y)^12",
    "asin(x) + acos(x)*atan(y) + atan2(y, x)",
    "exp(-k*t)*sign(x') - abs(x - abs(y))*min(a, b)^2 + max(a, 0)",
    "sin(cos(tan(x)))",
    // names
    "theta1'^2*theta_12'' + omega_phi*m_rod + speed' + Omega*varphi*epsilon",
    "lambda(contact.0)*link.x + lambda*pi",
    // numbers
    "3/16 + x*9.81 - 7*y",
    "-7",
    "-1/2*x + 0.05",
    "2.1e11*x - 1e6 + 1.5e-7*y",
    // signs
    "-x - y",
    "-(x + y)",
    "-(x + y)*z",
    "x - (y - (z - a)) - (b + c)",
    "a - -2*(b - c)*d",
    "-sin(x)^2/(-y)",
];

/// The table in one notation, one expression a line.
fn table(format: Format, derivatives: Derivatives) -> String {
    let mut graph = Graph::new();
    let mut lines = Vec::new();
    for text in TABLE {
        let expression = read(&mut graph, text);
        let options = Options {
            derivatives,
            ..Options::new(format)
        };
        let printed = print(&graph, &[expression], &options);
        assert!(!printed.is_shared());
        lines.push(printed.expressions.concat());
    }
    lines.join("\n")
}

fn parameter(graph: &mut Graph, name: &str) -> ExprId {
    graph.symbol(name, SymbolKind::Parameter)
}

fn printed(graph: &Graph, id: ExprId, format: Format) -> String {
    let options = Options {
        tree_limit: u64::MAX,
        ..Options::new(format)
    };
    print(graph, &[id], &options).expressions.concat()
}
