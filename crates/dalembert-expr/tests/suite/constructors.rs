//! Simplifying constructors never change a value.

use crate::formula::{Formula, SYMBOLS, Step, random_point, symbols};
use dalembert_expr::{Binary, Graph, Rational, SymbolKind, Unary, evaluate};
use fastrand::Rng;

/// Largest intermediate value of a point at which values are compared.
const MODERATE: f64 = 1e6;

/// How far the value may be off: what roundings do that hit every step of the formula.
fn tolerance(formula: &Formula, x: &[f64; SYMBOLS]) -> f64 {
    let value = |x: &[f64; SYMBOLS]| *formula.values(x).last().unwrap();
    let exact = value(x);
    let mut spread = 0.0_f64;
    for relative in [1e-12, -1e-12] {
        let moved = formula.values_with_pi(x, std::f64::consts::PI * (1.0 + relative));
        spread = spread.max((moved.last().unwrap() - exact).abs());
        for i in 0..SYMBOLS {
            let mut moved = *x;
            moved[i] *= 1.0 + relative;
            spread = spread.max((value(&moved) - exact).abs());
        }
    }
    10.0 * spread + 1e-11 * exact.abs() + 1e-11
}

#[test]
fn built_expression_has_the_value_of_the_formula() {
    let mut rng = Rng::with_seed(1);
    let mut compared = 0;
    for _ in 0..6000 {
        let operations = rng.usize(2..14);
        let formula = Formula::random(&mut rng, operations, false);
        let mut graph = Graph::new();
        let names = symbols(&mut graph);
        let id = formula.build(&mut graph);
        let needed = formula.needed();
        for _ in 0..3 {
            let x = random_point(&mut rng);
            let values = formula.values(&x);
            // Where rounding decides, as in sign(tan(π)) or 0/sin(π), there is no value to compare.
            let at_a_jump = formula
                .steps
                .iter()
                .zip(&needed)
                .any(|(step, needed)| match *step {
                    Step::Unary(Unary::Sign, a) | Step::Binary(Binary::Atan2, a, _) => {
                        *needed && values[a].abs() < 1e-9
                    }
                    Step::Binary(Binary::Div, _, b) => *needed && values[b].abs() < 1e-9,
                    _ => false,
                });
            let all_moderate = values
                .iter()
                .zip(&needed)
                .all(|(value, needed)| !needed || (value.is_finite() && value.abs() < MODERATE));
            let tolerance = tolerance(&formula, &x);
            if at_a_jump || !all_moderate || !tolerance.is_finite() || tolerance > 1e-3 {
                continue;
            }
            let built = evaluate(&graph, &[id], |s| {
                x[names.iter().position(|&n| n == s).unwrap()]
            })[0];
            let expected = *values.last().unwrap();
            assert!(
                (built - expected).abs() <= tolerance,
                "{built} is not {expected} at {x:?}: {formula:?}"
            );
            compared += 1;
        }
    }
    assert!(compared > 5000, "only {compared} points compared");
}

#[test]
fn literals_do_not_move_into_overflow() {
    // (1e-300 x) y stays in this order: x y alone would overflow.
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let tiny = g.number(Rational::parse_decimal("1e-300").unwrap());
    let scaled = g.mul(tiny, x);
    let product = g.mul(scaled, y);
    assert_eq!(
        evaluate(&g, &[product], |_| 1e200)[0],
        1e-300 * 1e200 * 1e200
    );
    // 1e200 (1e200 x) is not (1e400) x.
    let huge = g.number(Rational::parse_decimal("1e200").unwrap());
    let once = g.mul(huge, x);
    let twice = g.mul(huge, once);
    assert_eq!(
        evaluate(&g, &[twice], |_| 1e-300)[0],
        1e200 * (1e200 * 1e-300)
    );
    // x/1e-310 is not x·1e310.
    let small = g.number(Rational::parse_decimal("1e-310").unwrap());
    let quotient = g.div(x, small);
    assert_eq!(evaluate(&g, &[quotient], |_| 1e-300)[0], 1e-300 / 1e-310);
}

#[test]
fn operands_in_either_order_are_one_node_and_keep_the_first_order() {
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let sum = g.add(y, x);
    assert_eq!(sum, g.add(x, y));
    assert_eq!(g.node(sum).operands().collect::<Vec<_>>(), [y, x]);
}

#[test]
fn rules_give_the_expected_nodes() {
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let [zero, one, two, three] = [0, 1, 2, 3].map(|n| g.integer(n));
    let minus_x = g.neg(x);
    let two_x = g.mul(two, x);
    let root = g.sqrt(x);
    let square = g.powi(x, 2);
    let reciprocal = g.div(one, x);
    let pi = g.pi();
    let cases = [
        ("x - x", g.sub(x, x), zero),
        ("x + x", g.add(x, x), two_x),
        ("2x - x", g.sub(two_x, x), x),
        ("x + (-x)", g.add(x, minus_x), zero),
        ("-(-x)", g.neg(minus_x), x),
        ("x/x", g.div(x, x), one),
        ("x x", g.mul(x, x), square),
        ("√x √x", g.mul(root, root), x),
        ("√x²", g.sqrt(square), g.abs(x)),
        ("x² (1/x)", g.mul(square, reciprocal), x),
        ("x^0", g.powi(x, 0), one),
        ("(-x)²", g.powi(minus_x, 2), square),
        ("sin π", g.sin(pi), zero),
        ("cos π", g.cos(pi), g.integer(-1)),
        ("|−x|", g.abs(minus_x), g.abs(x)),
        ("max(2, 3)", g.max(two, three), three),
        ("min(x, x)", g.min(x, x), x),
        ("x/2", g.div(x, two), {
            let half = g.number(Rational::new(1, 2).unwrap());
            g.mul(half, x)
        }),
        (
            "(x + 2) + 3",
            {
                let s = g.add(x, two);
                g.add(s, three)
            },
            {
                let five = g.integer(5);
                g.add(x, five)
            },
        ),
        (
            "(2x)(3y)",
            {
                let t = g.mul(three, y);
                g.mul(two_x, t)
            },
            {
                let (six, product) = (g.integer(6), g.mul(x, y));
                g.mul(six, product)
            },
        ),
    ];
    for (what, got, expected) in cases {
        assert_eq!(g.node(got), g.node(expected), "{what}");
        assert_eq!(got, expected, "{what}");
    }
}

#[test]
fn division_by_zero_stays_visible() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Parameter);
    let zero = g.integer(0);
    let quotient = g.div(x, zero);
    assert_eq!(evaluate(&g, &[quotient], |_| 1.0)[0], f64::INFINITY);
    let nothing = g.div(zero, zero);
    assert!(evaluate(&g, &[nothing], |_| 1.0)[0].is_nan());
    let power = g.powi(zero, -1);
    assert_eq!(evaluate(&g, &[power], |_| 1.0)[0], f64::INFINITY);
}

/// Every function at every exact argument near the rules, against its double-precision value.
#[test]
fn exact_values_are_the_values() {
    let mut g = Graph::new();
    let pi = g.pi();
    for numerator in -24..=24 {
        for denominator in [1, 2, 3, 4, 6, 12] {
            let ratio = g.number(Rational::new(numerator, denominator).unwrap());
            let turn = g.mul(ratio, pi);
            for argument in [ratio, turn] {
                let x = evaluate(&g, &[argument], |_| f64::NAN)[0];
                for op in Unary::ALL {
                    let id = g.unary(op, argument);
                    let (got, expected) = (evaluate(&g, &[id], |_| f64::NAN)[0], op.value(x));
                    let near_pole = op == Unary::Tan && expected.abs() > 1e10;
                    assert!(
                        (got - expected).abs() <= 1e-14 * (1.0 + expected.abs())
                            || got == expected
                            || (got.is_nan() && expected.is_nan())
                            || near_pole,
                        "{}({x}) = {expected}, folded to {got}",
                        op.name()
                    );
                }
                for op in Binary::ALL {
                    let id = g.binary(op, argument, ratio);
                    let y = f64::from(numerator as i32) / f64::from(denominator as i32);
                    let (got, expected) = (evaluate(&g, &[id], |_| f64::NAN)[0], op.value(x, y));
                    let same = (got - expected).abs() <= 1e-13 * (1.0 + expected.abs());
                    let undefined = expected.is_nan() || !expected.is_finite();
                    assert!(
                        same || undefined,
                        "{}({x}, {y}) = {expected}, folded to {got}",
                        op.name()
                    );
                }
            }
        }
    }
}

#[test]
fn whole_turns_do_not_count_however_many() {
    let mut g = Graph::new();
    let (pi, one) = (g.pi(), g.integer(1));
    let many = g.number(Rational::parse_decimal("1e30").unwrap());
    let turns = g.mul(many, pi);
    assert_eq!(g.cos(turns), one);
    assert_eq!(g.sin(turns), g.integer(0));
}
