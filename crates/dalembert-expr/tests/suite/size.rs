//! Deep and large inputs: no recursion, no quadratic time.

use dalembert_expr::calculus::{gradient, time_derivative};
use dalembert_expr::{Cone, Expr, ExprId, Graph, SymbolKind, evaluate, simplify, substitute};

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
fn owned_formulas_may_be_deep() {
    let x = Expr::symbol("x", SymbolKind::Coordinate);
    let (mut left, mut right, mut shared) = (x.clone(), x.clone(), x.clone());
    for _ in 0..DEEP {
        left = left.sin() + 1;
        right = 1 + (&x - right);
    }
    for _ in 0..200 {
        shared = &shared * &shared + &shared;
    }
    let mut g = Graph::new();
    for formula in [&left, &right, &shared] {
        let id = g.lower(formula);
        assert!(evaluate(&g, &[id], |_| 1e-9)[0].is_finite());
    }
    assert!(g.len() < 6 * DEEP);
    drop((left, right, shared));
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
