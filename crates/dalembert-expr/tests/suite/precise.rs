//! Values to 30 digits: what mpmath says with 150.

use crate::scope::read;
use dalembert_expr::normal::Field;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{Graph, Rational, SymbolKind, Unary};

/// A formula in x, x, and its value as a sum of two doubles.
const CASES: &[(&str, f64, f64, f64)] = &[
    ("sin(x)", 0.3, 0.29552020666133955, 1.8315357276792536e-17),
    ("sin(x)", 1.57, 0.9999996829318346, 9.93789799449594e-18),
    (
        "sin(x)",
        -2.75,
        -0.38166099205233167,
        -2.7333934873880806e-17,
    ),
    (
        "sin(x)",
        1000.125,
        0.8905424125934864,
        -3.2657908836649644e-17,
    ),
    ("cos(x)", 0.3, 0.955336489125606, 4.1935600297907467e-17),
    (
        "cos(x)",
        1.57,
        0.0007963267107332633,
        -3.2180847028677224e-20,
    ),
    ("cos(x)", -2.75, -0.9243023786324636, 1.7461892611378503e-17),
    (
        "cos(x)",
        1000.125,
        0.4549002213366934,
        1.3019841695812052e-18,
    ),
    ("tan(x)", 0.3, 0.30933624960962325, -2.7475966183811927e-17),
    ("tan(x)", -2.75, 0.4129178944849325, -2.8312745877899168e-18),
    ("asin(x)", 0.3, 0.3046926540153975, -2.7469740051157017e-17),
    ("asin(x)", -0.999, -1.526071239626163, -7.84631528833658e-17),
    (
        "asin(x)",
        0.0009765625,
        0.0009765626552204957,
        -2.887424393754486e-20,
    ),
    ("acos(x)", 0.3, 1.2661036727794992, -7.78313736852488e-17),
    ("acos(x)", -0.999, 3.09686756642106, -8.234911208429785e-17),
    ("atan(x)", 0.3, 0.2914567944778671, -1.6448555435075034e-17),
    (
        "atan(x)",
        -250.5,
        -1.5668043320324736,
        -1.5636980810849615e-17,
    ),
    ("exp(x)", 0.3, 1.3498588075760032, -9.447314673432387e-17),
    (
        "exp(x)",
        -20.5,
        1.2501528663867426e-09,
        6.448235878237776e-26,
    ),
    (
        "exp(x)",
        300.25,
        2.4941248615349213e+130,
        -6.154945403062824e+113,
    ),
    ("log(x)", 0.3, -1.2039728043259361, 8.935521583403776e-17),
    (
        "log(x)",
        1.0009765625,
        0.0009760859730554589,
        -2.8791156534096714e-20,
    ),
    ("log(x)", 12345.5, 9.42104690318671, -5.753742111924659e-16),
    ("sinh(x)", 0.3, 0.3045202934471426, 9.177343117072388e-18),
    (
        "sinh(x)",
        -5.5,
        -122.34392274639096,
        -3.0463153468293817e-15,
    ),
    (
        "sinh(x)",
        0.0009765625,
        0.0009765626552204365,
        -4.336791883732524e-20,
    ),
    ("cosh(x)", 0.3, 1.0453385141288605, 7.371812611119388e-18),
    ("cosh(x)", -5.5, 122.34800951782942, 1.0830048406214577e-15),
    ("tanh(x)", 0.3, 0.2913126124515909, -6.4602656586469586e-18),
    ("tanh(x)", -5.5, -0.9999665971563038, -4.933089545428797e-17),
    (
        "tanh(x)",
        0.0009765625,
        0.0009765621895592603,
        -4.341379977097105e-20,
    ),
    ("sqrt(x)", 7.0, 2.6457513110645907, -1.2566948082017735e-16),
    ("sqrt(x)", 0.3, 0.5477225575051661, 2.890126723719787e-17),
    ("x^(1/3)", 0.3, 0.6694329500821695, -6.398340323701905e-18),
    ("x^(1/3)", 2.75, 1.4010196653276936, -5.928357283164261e-17),
    ("x^7", 0.3, 0.00021869999999999995, -5.782874179516278e-21),
    ("x^7", 2.75, 1189.4025268554688, 0.0),
    ("1/x", 0.3, 3.3333333333333335, -2.467162276944792e-17),
    ("1/x", 2.75, 0.36363636363636365, -1.0092936587501423e-17),
    (
        "atan2(x, -1)",
        0.3,
        2.8501358591119264,
        -1.9415367203773662e-16,
    ),
    (
        "atan2(x, -1)",
        2.75,
        1.9195673303788037,
        -6.97882963613675e-17,
    ),
    (
        "(x + 1/3)*pi",
        0.3,
        1.9896753472735358,
        -1.0534745765077483e-16,
    ),
    (
        "(x + 1/3)*pi",
        2.75,
        9.686577348568528,
        6.736589029704756e-16,
    ),
];

fn at(text: &str, x: f64) -> Bounded {
    let mut graph = Graph::new();
    let formula = read(&mut graph, text);
    evaluate_bounded(&graph, &[formula], |_| Bounded::exact(Number::from(x)))[0]
}

#[test]
fn functions_have_thirty_digits() {
    for &(text, x, high, low) in CASES {
        let found = at(text, x);
        let error = (found.value - Number::from(high) - Number::from(low)).size();
        assert!(
            error <= 1e-29 * high.abs().max(0.1),
            "{text} at {x}: {error:e}"
        );
        assert!(error <= found.error, "{text} at {x}: {error:e}");
        assert!(found.error <= 1e-27 * (1.0 + x.abs()) * high.abs().max(1.0));
    }
}

#[test]
fn literals_are_what_they_say() {
    let third = Number::from(&Rational::new(1, 3).unwrap());
    assert!((third * Number::from(3.0) - Number::ONE).size() < 1e-31);
    let tenth = Number::from(&Rational::parse_decimal("0.1").unwrap());
    assert!((tenth - Number::from(0.1)).size() > 1e-18);
}

/// Whatever rounding may have done is counted: what is equal never differs, and what differs a little does.
#[test]
fn equal_values_do_not_differ_and_others_do() {
    let equal = [
        ("sin(x)^2 + cos(x)^2", "1"),
        ("exp(log(x))", "x"),
        ("tan(atan(x))", "x"),
        ("sqrt(x)^2", "x"),
        ("(x + 1e8) - 1e8", "x"),
        ("sinh(2*x)", "2*sinh(x)*cosh(x)"),
        ("acos(cos(x))", "x"),
        ("x^(5/2)", "x^2*sqrt(x)"),
        ("min(x, 5) + max(x, 5)", "x + 5"),
        ("abs(-x)*sign(x)", "x"),
        ("x + (x - x*1)^2 + sin(0*x)^3", "x"),
    ];
    for (left, right) in equal {
        for x in [0.1, 0.37, 1.0, 2.9] {
            assert!(!at(left, x).differs_from(&at(right, x)), "{left} at {x}");
            let more = format!("({right})*(1 + 1e-18)");
            assert!(at(left, x).differs_from(&at(&more, x)), "{left} at {x}");
        }
    }
}

#[test]
fn what_has_no_value_differs_from_nothing() {
    for text in [
        "log(x - 1)",
        "sqrt(-x)",
        "1/(x - x)",
        "asin(x + 2)",
        "exp(2000*x)",
    ] {
        let found = at(text, 0.5);
        assert!(!found.differs_from(&at("x", 0.5)), "{text}: {found:?}");
    }
}

#[test]
fn what_the_field_does_not_know_to_vanish_has_the_value_zero() {
    let mut g = Graph::new();
    let z = g.symbol("z", SymbolKind::Coordinate);
    let one = g.integer(1);
    // cos(atan z) √(1 + z²) − 1
    let angle = g.unary(Unary::Atan, z);
    let cosine = g.cos(angle);
    let square = g.powi(z, 2);
    let square = g.add(one, square);
    let root = g.sqrt(square);
    let product = g.mul(cosine, root);
    let rest = g.sub(product, one);
    let mut field = Field::new();
    let rest = field.take(&g, rest).unwrap();
    let product = field.take(&g, product).unwrap();
    assert!(!field.is_zero(&rest).unwrap());
    let mut values = Vec::new();
    field.extend_values(&mut values, |_| Bounded::exact(Number::from(0.7)));
    let zero = Bounded::exact(Number::ZERO);
    let [rest, product] = [rest, product].map(|it| field.value(&it, &values));
    assert!(!rest.differs_from(&zero) && rest.error < 1e-27);
    assert!(product.differs_from(&zero));
}
