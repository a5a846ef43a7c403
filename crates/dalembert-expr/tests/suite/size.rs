//! Deep and large inputs: no recursion, no quadratic time.

use dalembert_expr::calculus::{gradient, time_derivative};
use dalembert_expr::{Cone, ExprId, Graph, SymbolKind, evaluate, simplify, substitute};

const DEEP: usize = 100_000;
const LARGE: usize = 1_000_000;

/// A chain x → sin(x) + y → …, one sum and one sine a level.
fn chain(g: &mut Graph, levels: usize) -> (ExprId, ExprId, ExprId) {
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Coordinate));
    let mut top = x;
    for _ in 0..levels {
        top = g.sin(top);
        top = g.add(top, y);
    }
    (top, x, y)
}

#[test]
fn deep_expressions_go_through_every_algorithm() {
    let mut g = Graph::new();
    let (top, x, y) = chain(&mut g, DEEP);
    assert_eq!(Cone::new(&g, &[top]).len(), 2 * DEEP + 2);
    let names = [x, y].map(|id| g.as_symbol(id).unwrap());
    let slopes = gradient(&mut g, top, &names);
    let rates = time_derivative(&mut g, &[top]).unwrap();
    let exchanged = substitute(&mut g, &[top], &[(x, y)]);
    let simple = simplify(&mut g, &[top]);
    let ids = [slopes, rates, exchanged, simple].concat();
    assert!(
        evaluate(&g, &ids, |_| 0.3)
            .iter()
            .all(|value| value.is_finite())
    );
}

#[test]
fn a_million_nodes_take_linear_time() {
    let mut g = Graph::new();
    let symbols: Vec<ExprId> = (0..LARGE / 4)
        .map(|i| g.symbol(&format!("x{i}"), SymbolKind::Coordinate))
        .collect();
    let squares: Vec<ExprId> = symbols.iter().map(|&x| g.powi(x, 2)).collect();
    let sum = g.sum(squares);
    assert!(g.len() > LARGE / 2);
    let names: Vec<_> = symbols.iter().map(|&id| g.as_symbol(id).unwrap()).collect();
    let slopes = gradient(&mut g, sum, &names);
    assert_eq!(slopes.len(), names.len());
    assert!(g.len() >= 3 * LARGE / 4);
    let simple = simplify(&mut g, &[sum]);
    assert_eq!(evaluate(&g, &simple, |_| 1.0)[0], (LARGE / 4) as f64);
}

#[test]
fn long_sums_of_equal_and_opposite_terms_collapse() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Parameter);
    let sum = g.sum(std::iter::repeat_n(x, DEEP));
    assert_eq!(g.node(sum).operands().count(), 2);
    assert_eq!(evaluate(&g, &[sum], |_| 1.0)[0], DEEP as f64);
}

#[test]
fn literals_that_grow_without_bound_stop_folding() {
    let mut g = Graph::new();
    let mut value = g.integer(3);
    for _ in 0..60 {
        value = g.mul(value, value);
    }
    assert_eq!(evaluate(&g, &[value], |_| 0.0)[0], f64::INFINITY);
    let mut sum = g.integer(0);
    for n in 1..20_000 {
        let n = g.integer(n);
        let one = g.integer(1);
        let term = g.div(one, n);
        sum = g.add(sum, term);
    }
    let harmonic = evaluate(&g, &[sum], |_| 0.0)[0];
    let expected: f64 = (1..20_000).map(|n| 1.0 / f64::from(n)).sum();
    assert!((harmonic - expected).abs() < 1e-10);
}

/// Chains that each constructor could follow down: literals and exponents that merge only in the end.
#[test]
fn chains_of_literals_and_powers_are_followed_in_a_loop() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Parameter);
    let (two_thirds, three_halves) = (
        g.number(dalembert_expr::Rational::new(2, 3).unwrap()),
        g.number(dalembert_expr::Rational::new(3, 2).unwrap()),
    );
    let mut power = x;
    for level in 0..DEEP {
        power = g.pow(
            power,
            if level % 2 == 0 {
                two_thirds
            } else {
                three_halves
            },
        );
    }
    g.powi(power, 2);

    let huge = g.number(dalembert_expr::Rational::parse_decimal("1e80").unwrap());
    let mut product = x;
    for _ in 0..DEEP {
        product = g.mul(product, huge);
    }
    g.abs(product);
    g.sign(product);

    let offsets = ["0.1e90", "1.7e90", "-0.1e90", "-1.7e90"].map(|text| {
        let value = dalembert_expr::Rational::parse_decimal(text.trim_start_matches('-')).unwrap();
        g.number(if text.starts_with('-') {
            value.negated()
        } else {
            value
        })
    });
    let mut sum = x;
    for level in 0..DEEP {
        sum = g.add(sum, offsets[level % 4]);
    }
    let last = g.number(dalembert_expr::Rational::parse_decimal("0.9e90").unwrap());
    let sum = g.add(sum, last);
    let sum = g.sub(sum, offsets[0]);
    assert!(Cone::new(&g, &[sum]).len() > 1);
}

/// A product that is shared stands for many more factors than it has nodes.
#[test]
fn simplification_does_not_unfold_shared_products() {
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let (mut a, mut b) = (x, y);
    for _ in 0..60 {
        (a, b) = (b, g.mul(a, b));
    }
    let sine = g.sin(x);
    let square = g.powi(sine, 2);
    let quotient = g.div(square, b);
    let one = g.integer(1);
    let sum = g.add(quotient, one);
    simplify(&mut g, &[sum]);
    assert!(g.len() < 1000);
}
