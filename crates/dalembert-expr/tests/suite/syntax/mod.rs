//! What texts mean: precedence, units, names and the places nodes remember.

mod mistakes;
mod robustness;
mod suggest;
mod sympy;

use dalembert_expr::syntax::{
    Arithmetic, Kind, Node, Relation, Sign, Tree, parse_expression, parse_value,
};

/// Expressions of models, and one of everything.
const VALID: &[&str] = &[
    "[0, 0, -g]",
    "m*r^2/4",
    "x'^2 + y'^2",
    "r*cos(theta)",
    "phi' + psi'*sin(theta)",
    "Rz(psi) Rx(theta)",
    "lean Ry(phi)",
    "m/2*(x'^2 + y'^2)",
    "c/2*theta'^2",
    "-m*g",
    "disk.center",
    "point(ground, [0,0,1])",
    "vel(disk, at = disk.center - r*lean.ez) = 0",
    "k*x - y = 0",
    "y = 0.1*x^2",
    "-a0*norm(vel(P))*vel(P)",
    "reaction(NAME, on = \"P\")",
    "x = sin(t)",
    "y < 0",
    "lambda(floor) < 0",
    "lambda(contact.0) >= 1e-3",
    "theta > 85 deg",
    "Rz(30 deg)",
    "[-0.5, 0, 0]",
    "reaction(contact).force.x",
    "link.x' + link.angle_ddot",
    "smooth_sign(x', 0.01 m*2) <= .5",
    "atan2(y - 1., x)^-2^n",
    "x_dot + x_ddot' + _dot",
    "9.81 m/s^2",
    "-2 kg*m^2",
    "3 m^2 + 2 s^-1/4",
    "((a)) b c.d",
];

/// The tree with parentheses around everything; `{a b}` is a sequence, `<2 m^1>` a quantity.
fn written_out(tree: &Tree) -> String {
    let mut texts: Vec<String> = Vec::new();
    for Node { kind, .. } in tree.nodes() {
        let text = |id: &dalembert_expr::syntax::NodeId| texts[id.index()].as_str();
        let list = |ids: &[dalembert_expr::syntax::NodeId], between: &str| {
            ids.iter().map(text).collect::<Vec<_>>().join(between)
        };
        let written = match kind {
            Kind::Number(number) => number.to_string(),
            Kind::Quantity { number, unit } => {
                let factor = |f: &dalembert_expr::syntax::UnitFactor| {
                    format!(" {}^{}", f.name.text, f.power)
                };
                format!("<{number}{}>", unit.iter().map(factor).collect::<String>())
            }
            Kind::Name { name, primes } => format!("{name}{}", "'".repeat((*primes).into())),
            Kind::Text(text) => format!("\"{text}\""),
            Kind::Signed { sign, operand } => {
                format!(
                    "({}{})",
                    if *sign == Sign::Plus { '+' } else { '-' },
                    text(operand)
                )
            }
            Kind::Binary { op, left, right } => {
                let op = match op {
                    Arithmetic::Add => '+',
                    Arithmetic::Subtract => '-',
                    Arithmetic::Multiply => '*',
                    Arithmetic::Divide => '/',
                    Arithmetic::Power => '^',
                };
                format!("({} {op} {})", text(left), text(right))
            }
            Kind::Vector(elements) => format!("[{}]", list(elements, ", ")),
            Kind::Call {
                function,
                arguments,
            } => {
                let argument = |a: &dalembert_expr::syntax::Argument| match &a.name {
                    Some(name) => format!("{} = {}", name.text, text(&a.value)),
                    None => text(&a.value).to_owned(),
                };
                let arguments: Vec<String> = arguments.iter().map(argument).collect();
                format!("{}({})", function.text, arguments.join(", "))
            }
            Kind::Member { of, name, primes } => {
                format!("{}.{}{}", text(of), name.text, "'".repeat((*primes).into()))
            }
            Kind::Sequence(items) => format!("{{{}}}", list(items, " ")),
            Kind::Joined { join, left, right } => {
                format!("({} {join:?} {})", text(left), text(right))
            }
            Kind::Not(operand) => format!("(Not {})", text(operand)),
            Kind::Relation {
                relation,
                left,
                right,
            } => {
                let relation = match relation {
                    Relation::Equal => "=",
                    Relation::Less => "<",
                    Relation::Greater => ">",
                    Relation::LessOrEqual => "<=",
                    Relation::GreaterOrEqual => ">=",
                };
                format!("{} {relation} {}", text(left), text(right))
            }
        };
        texts.push(written);
    }
    texts.pop().unwrap()
}

fn expression(source: &str) -> String {
    written_out(&parse_expression(source).unwrap_or_else(|e| panic!("{source}: {e:?}")))
}

fn value(source: &str) -> String {
    written_out(&parse_value(source).unwrap_or_else(|e| panic!("{source}: {e:?}")))
}

/// Every node but the root is the child of exactly one later node.
fn assert_postorder(tree: &Tree) {
    let mut parents = vec![0; tree.nodes().len()];
    for (at, node) in tree.nodes().iter().enumerate() {
        for child in children(node) {
            assert!(child < at, "node {at} comes before its child {child}");
            parents[child] += 1;
        }
    }
    assert_eq!(parents.pop(), Some(0));
    assert!(parents.iter().all(|&count| count == 1));
}

fn children(node: &Node) -> Vec<usize> {
    let ids = match &node.kind {
        Kind::Number(_) | Kind::Quantity { .. } | Kind::Name { .. } | Kind::Text(_) => vec![],
        Kind::Signed { operand, .. } | Kind::Not(operand) => vec![*operand],
        Kind::Binary { left, right, .. }
        | Kind::Relation { left, right, .. }
        | Kind::Joined { left, right, .. } => {
            vec![*left, *right]
        }
        Kind::Vector(items) | Kind::Sequence(items) => items.to_vec(),
        Kind::Call { arguments, .. } => arguments.iter().map(|a| a.value).collect(),
        Kind::Member { of, .. } => vec![*of],
    };
    ids.into_iter()
        .map(dalembert_expr::syntax::NodeId::index)
        .collect()
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (source, expected) in [
        ("a + b*c", "(a + (b * c))"),
        (
            "a > 1 or b > 2 and not c > 3",
            "(a > 1 Or (b > 2 And (Not c > 3)))",
        ),
        (
            "(a > 1 or b > 2) and c > 3 m",
            "((a > 1 Or b > 2) And c > <3 m^1>)",
        ),
        (
            "if(not (a > 1 and b < 2), x, 0)",
            "if((Not (a > 1 And b < 2)), x, 0)",
        ),
        ("a*b + c", "((a * b) + c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a - b + c", "((a - b) + c)"),
        ("a/b/c", "((a / b) / c)"),
        ("a/b*c", "((a / b) * c)"),
        ("a^b^c", "(a ^ (b ^ c))"),
        ("a*b^c", "(a * (b ^ c))"),
        ("(a*b)^c", "((a * b) ^ c)"),
        ("-x^2", "(-(x ^ 2))"),
        ("(-x)^2", "((-x) ^ 2)"),
        ("-a*b", "((-a) * b)"),
        ("-a - -b", "((-a) - (-b))"),
        ("a*-b*c", "((a * (-b)) * c)"),
        ("a*-b^2", "(a * (-(b ^ 2)))"),
        ("+-+a", "(+(-(+a)))"),
        ("x^-2", "(x ^ (-2))"),
        ("x^-2*y", "((x ^ (-2)) * y)"),
        ("x^-y^2", "(x ^ (-(y ^ 2)))"),
        ("2^-x^2^-y", "(2 ^ (-(x ^ (2 ^ (-y)))))"),
        ("x^--2 + 1", "((x ^ (-(-2))) + 1)"),
        ("a + b = c*d", "(a + b) = (c * d)"),
        ("-a < b^2 - 1", "(-a) < ((b ^ 2) - 1)"),
        ("a>=b", "a >= b"),
        ("a<=b", "a <= b"),
        ("a>b", "a > b"),
        ("((((a))))", "a"),
    ] {
        assert_eq!(expression(source), expected, "{source}");
    }
}

#[test]
fn brackets_calls_and_members_bind_tightest() {
    for (source, expected) in [
        ("[a]", "[a]"),
        ("[a, -b, c + 1].y^2", "([a, (-b), (c + 1)].y ^ 2)"),
        ("f()", "f()"),
        ("f (a)", "f(a)"),
        ("f(g(a, [b]), at = c.d)", "f(g(a, [b]), at = c.d)"),
        (
            "f(at = a*(b + c), on = \"P\")",
            "f(at = (a * (b + c)), on = \"P\")",
        ),
        ("-v.x^2", "(-(v.x ^ 2))"),
        ("a^b.c", "(a ^ b.c)"),
        ("(a + b).x", "(a + b).x"),
        ("f(a).force.x", "f(a).force.x"),
        ("contact.0", "contact.0"),
        ("contact.0.5.x", "contact.0.5.x"),
        ("contact . 12", "contact.12"),
        ("x' .y", "x'.y"),
        ("f(\"\")", "f(\"\")"),
    ] {
        assert_eq!(expression(source), expected, "{source}");
    }
}

#[test]
fn sequences_bind_between_products_and_powers() {
    for (source, expected) in [
        ("Rz(a) Rx(b)", "{Rz(a) Rx(b)}"),
        ("lean Ry(b) Rz(c)", "{lean Ry(b) Rz(c)}"),
        ("a b*c d", "({a b} * {c d})"),
        ("a b^n c", "{a (b ^ n) c}"),
        ("a b^2", "{a (b ^ 2)}"),
        ("a^n b", "{(a ^ n) b}"),
        ("2^-a b", "{(2 ^ (-a)) b}"),
        ("-a b", "(-{a b})"),
        ("(a b) c", "{{a b} c}"),
        ("x' b.c d", "{x' b.c d}"),
        ("a f(b c) d", "{a f({b c}) d}"),
        ("a - b c", "(a - {b c})"),
    ] {
        assert_eq!(expression(source), expected, "{source}");
    }
}

#[test]
fn numbers_are_exact_and_may_carry_one_unit() {
    for (source, expected) in [
        ("12", "12"),
        ("0.1", "1/10"),
        (".5", "1/2"),
        ("1.", "1"),
        ("25e-1", "5/2"),
        ("2E+1", "20"),
        ("30 deg", "<30 deg^1>"),
        ("30deg", "<30 deg^1>"),
        ("0.01 rad*x", "(<1/100 rad^1> * x)"),
        ("3 m^2", "<3 m^2>"),
        ("2 s^-1 + 1", "(<2 s^-1> + 1)"),
        ("2 s^+1", "<2 s^1>"),
        ("-3 m^2", "(-<3 m^2>)"),
        ("9.81 m/s^2", "(<981/100 m^1> / (s ^ 2))"),
        ("theta > 85 deg", "theta > <85 deg^1>"),
        ("f(2 m, at = 3 s)", "f(<2 m^1>, at = <3 s^1>)"),
        ("(3 m)^n", "(<3 m^1> ^ n)"),
    ] {
        assert_eq!(expression(source), expected, "{source}");
    }
}

#[test]
fn a_whole_value_may_carry_a_product_of_units() {
    for (source, expected) in [
        ("9.81 m/s^2", "<981/100 m^1 s^-2>"),
        ("-9.81 m / s ^ 2", "<-981/100 m^1 s^-2>"),
        ("+1 N*m/rad", "<1 N^1 m^1 rad^-1>"),
        ("2 kg*m^2", "<2 kg^1 m^2>"),
        ("60 rpm", "<60 rpm^1>"),
        ("1 J/kg^-1", "<1 J^1 kg^1>"),
        // Not of that shape, hence expressions.
        ("2", "2"),
        ("-2", "(-2)"),
        ("m*r^2/4", "((m * (r ^ 2)) / 4)"),
        ("9.81 m/s^2 + a", "((<981/100 m^1> / (s ^ 2)) + a)"),
        ("2 m*x'", "(<2 m^1> * x')"),
        ("2 m*f(x)", "(<2 m^1> * f(x))"),
        ("2 m/4", "(<2 m^1> / 4)"),
        ("(2 m)", "<2 m^1>"),
        ("--2 m", "(-(-<2 m^1>))"),
    ] {
        assert_eq!(value(source), expected, "{source}");
    }
}

#[test]
fn primes_and_dots_both_differentiate() {
    for (source, expected) in [
        ("x'", "x'"),
        ("x''", "x''"),
        ("x'''''''''", "x'''''''''"),
        ("x_dot", "x'"),
        ("x_ddot", "x''"),
        ("x_dot'", "x''"),
        ("x_dot_ddot", "x'''"),
        ("_dot", "_dot"),
        ("_ddot'", "_ddot'"),
        ("__dot", "_'"),
        ("dot", "dot"),
        ("link.x_ddot'", "link.x'''"),
        ("f_dot(x)", "f_dot(x)"),
        ("f(x_dot = 1)", "f(x_dot = 1)"),
        ("theta'^2", "(theta' ^ 2)"),
    ] {
        assert_eq!(expression(source), expected, "{source}");
    }
}

#[test]
fn spans_give_back_the_text() {
    let source = " -( a + 2 m^-2 )*vel(disk, at = lean.ez').x = [x_dot, \"P\"]";
    let tree = parse_expression(source).unwrap();
    let texts: Vec<&str> = tree
        .nodes()
        .iter()
        .map(|node| node.span.text(source))
        .collect();
    let expected = [
        "a",
        "2 m^-2",
        "a + 2 m^-2",
        "-( a + 2 m^-2 )",
        "disk",
        "lean",
        "lean.ez'",
        "vel(disk, at = lean.ez')",
        "vel(disk, at = lean.ez').x",
        "-( a + 2 m^-2 )*vel(disk, at = lean.ez').x",
        "x_dot",
        "\"P\"",
        "[x_dot, \"P\"]",
        source.trim(),
    ];
    assert_eq!(texts, expected);

    let words: Vec<&str> = tree
        .nodes()
        .iter()
        .flat_map(|node| match &node.kind {
            Kind::Call {
                function,
                arguments,
            } => {
                let names = arguments.iter().filter_map(|a| a.name.as_ref());
                std::iter::once(function)
                    .chain(names)
                    .map(|word| word.span)
                    .collect()
            }
            Kind::Member { name, .. } => vec![name.span],
            Kind::Quantity { unit, .. } => unit.iter().map(|factor| factor.name.span).collect(),
            _ => vec![],
        })
        .map(|span| span.text(source))
        .collect();
    assert_eq!(words, ["m", "ez'", "vel", "at", "x"]);
}

#[test]
fn nodes_stand_alone_when_read_again() {
    for &source in VALID {
        for parse in [parse_expression, parse_value] {
            let tree = parse(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
            assert_postorder(&tree);
            for node in tree.nodes() {
                // A number after ^ takes no unit, and relations are roots: reading the text of a
                // node gives that node again.
                let text = node.span.text(source);
                let again = parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
                let same = std::mem::discriminant(&again[again.root()].kind);
                assert_eq!(
                    same,
                    std::mem::discriminant(&node.kind),
                    "{text} of {source}"
                );
            }
        }
    }
}
