//! `simplify` and `substitute`: values stay, forms get shorter.

use crate::formula::{Formula, random_point, symbols};
use crate::scope::read_as;
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::{Cone, Graph, SymbolKind, evaluate, simplify, substitute};
use fastrand::Rng;

#[test]
fn simplified_expression_has_the_same_value() {
    let mut rng = Rng::with_seed(6);
    let mut compared = 0;
    for _ in 0..4000 {
        let mut g = Graph::new();
        let names = symbols(&mut g);
        let operations = rng.usize(3..20);
        let id = Formula::random(&mut rng, operations, false).build(&mut g);
        let simple = simplify(&mut g, &[id])[0];
        for _ in 0..3 {
            let x = random_point(&mut rng);
            let at = |g: &Graph, id, scale: f64| {
                evaluate(g, &[id], |s| {
                    scale * x[names.iter().position(|&n| n == s).unwrap()]
                })[0]
            };
            let (before, after) = (at(&g, id, 1.0), at(&g, simple, 1.0));
            let spread = (at(&g, id, 1.0 + 1e-12) - before)
                .abs()
                .max((at(&g, id, 1.0 - 1e-12) - before).abs());
            if before.is_finite() && before.abs() < 1e6 && spread < 1e-6 {
                let tolerance = 1e-9 * (1.0 + before.abs()) + 100.0 * spread;
                assert!(
                    (before - after).abs() <= tolerance,
                    "{before} became {after} at {x:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 4000, "only {compared} points compared");
}

#[test]
fn simplifying_twice_changes_nothing() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..2000 {
        let mut g = Graph::new();
        symbols(&mut g);
        let operations = rng.usize(3..12);
        let id = Formula::random(&mut rng, operations, false).build(&mut g);
        let once = simplify(&mut g, &[id])[0];
        let twice = simplify(&mut g, &[once])[0];
        let size = |g: &Graph, id| Cone::new(g, &[id]).len();
        assert!(size(&g, twice) <= size(&g, once));
    }
}

#[test]
fn terms_and_squares_are_collected() {
    let mut g = Graph::new();
    let [m, r, theta] = ["m", "r", "theta"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let (s, c) = (g.sin(theta), g.cos(theta));
    let (s2, c2) = (g.powi(s, 2), g.powi(c, 2));
    let mr = g.mul(m, r);
    let one = g.integer(1);
    let two = g.integer(2);

    // m r s² + 2 m r + m r c² = 3 m r
    let terms = [g.mul(mr, s2), g.mul(two, mr), g.mul(c2, mr)];
    let sum = g.sum(terms);
    let three = g.integer(3);
    let expected = g.mul(three, mr);
    assert_eq!(simplify(&mut g, &[sum]), [expected]);

    // 1 − s² = c², m r − m r c² = m r s²
    let difference = g.sub(one, s2);
    assert_eq!(simplify(&mut g, &[difference]), [c2]);
    let scaled = g.mul(mr, c2);
    let difference = g.sub(mr, scaled);
    let expected = g.mul(mr, s2);
    assert_eq!(simplify(&mut g, &[difference]), [expected]);

    // (m r + 2 r m) − m r 3 = 0
    let rm = g.mul(r, m);
    let (a, b) = (g.mul(two, rm), g.mul(mr, three));
    let sum = g.add(mr, a);
    let difference = g.sub(sum, b);
    let zero = g.integer(0);
    assert_eq!(simplify(&mut g, &[difference]), [zero]);

    // cosh² − sinh² = 1
    use dalembert_expr::Unary::{Cosh, Sinh};
    let (ch, sh) = (g.unary(Cosh, theta), g.unary(Sinh, theta));
    let (ch2, sh2) = (g.powi(ch, 2), g.powi(sh, 2));
    let difference = g.sub(ch2, sh2);
    assert_eq!(simplify(&mut g, &[difference]), [one]);

    // (m/r) r² m = m² r
    let (ratio, square) = (g.div(m, r), g.powi(r, 2));
    let product = g.product([ratio, square, m]);
    let m2 = g.powi(m, 2);
    let expected = g.mul(m2, r);
    assert_eq!(simplify(&mut g, &[product]), [expected]);
}

/// What `simplify` makes of a formula, as text. Of the names g, l, m, m2, l1, l2 are
/// parameters, all others coordinates.
fn simplified(text: &str) -> String {
    let mut g = Graph::new();
    let id = read_as(&mut g, text, |name| match name {
        "g" | "l" | "m" | "m2" | "l1" | "l2" => SymbolKind::Parameter,
        _ => SymbolKind::Coordinate,
    });
    let simple = simplify(&mut g, &[id])[0];
    print_one(&g, simple, Format::Text)
}

#[test]
fn nested_products_are_flattened() {
    for (text, expected) in [
        (
            "1/2*m*(2*(x' + l*theta'*cos(theta))*l*cos(theta) + 2*l*l*theta'*sin(theta)^2)",
            "m ((x' + l θ' cos θ) l cos θ + l² θ' sin²θ)",
        ),
        ("(l*theta')^2*m", "l² m θ'²"),
        // l θ' is used twice
        ("(l*theta')^2*m + l*theta'*x", "l² m θ'² + l x θ'"),
        ("sin(l*x)*(l*x)*x", "l x² sin(l x)"),
        ("x*(y + y)*2", "4 x y"),
        // contents
        ("(2*x + 4*y)*z/2", "z (x + 2 y)"),
        ("(-2*x - 2*y)*z", "-2 z (x + y)"),
        ("(2*x - 2*y)*(x - y)", "2 (x - y)²"),
        ("z/(0.5*x + 0.5*y)^2", "4 z/(x + y)²"),
        ("(0.3*x + 0.7*y)*z", "(0.3 x + 0.7 y) z"),
        ("sqrt(4*x + 4*y)*z", "z √(4 x + 4 y)"),
        // Products of sums stay.
        ("(x + y)*(x - y)", "(x + y) (x - y)"),
    ] {
        assert_eq!(simplified(text), expected, "{text}");
    }
}

#[test]
fn factors_have_one_order() {
    for (text, expected) in [
        (
            "-(m2*l1*l2)*sin(a - b)*b'*a'*(x + y)*x",
            "-m₂ l₁ l₂ x b' a' (x + y) sin(a - b)",
        ),
        (
            "cos(x)*x'*(x + 1)*x*m/(sin(x)*l)",
            "m x x' (x + 1) cos(x)/(l sin x)",
        ),
    ] {
        assert_eq!(simplified(text), expected, "{text}");
    }
}

/// A shared sum is looked at once, whatever the number of products it is in.
#[test]
fn shared_factors_cost_linear_work() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Parameter);
    let two = g.integer(2);
    let mut sum = g.mul(two, x);
    let mut products = Vec::new();
    for n in 0..20_000 {
        let y = g.symbol(&format!("y{n}"), SymbolKind::Parameter);
        let term = g.mul(two, y);
        sum = g.add(sum, term);
        products.push(g.mul(sum, y));
    }
    let start = std::time::Instant::now();
    simplify(&mut g, &products);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn substitution_is_simultaneous_and_reaches_subexpressions() {
    let mut g = Graph::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let sum = g.add(x, y);
    let sine = g.sin(sum);
    let product = g.mul(sine, x);
    // x + y is replaced as a whole, x elsewhere.
    let replaced = substitute(&mut g, &[product, z], &[(sum, z), (x, y)]);
    let sine_z = g.sin(z);
    assert_eq!(replaced, [g.mul(sine_z, y), z]);
    assert_eq!(substitute(&mut g, &[product], &[]), [product]);
}

/// Merging literals and distributing powers stops before doubles overflow.
#[test]
fn simplified_expressions_do_not_overflow_where_the_original_does_not() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Parameter);
    let pi = g.pi();
    let three = g.integer(3);
    let small = g.number(dalembert_expr::Rational::parse_decimal("1e-200").unwrap());
    let huge = g.number(dalembert_expr::Rational::parse_decimal("1e40").unwrap());
    let (scaled, turned, tiny, ratio) = (
        g.mul(three, x),
        g.mul(x, pi),
        g.mul(small, x),
        g.div(x, huge),
    );
    let cases = [
        (g.powi(scaled, 2000), 0.3),
        (g.powi(turned, 700), 0.3),
        (g.powi(ratio, 10), 1e41),
        (g.powi(tiny, 2), 1e150),
    ];
    for (id, at) in cases {
        let simple = simplify(&mut g, &[id])[0];
        let [before, after] = [id, simple].map(|id| evaluate(&g, &[id], |_| at)[0]);
        assert!(before.is_finite() && before > 0.0, "{before}");
        assert!(
            (after / before - 1.0).abs() < 1e-9,
            "{before} became {after}"
        );
    }
}
