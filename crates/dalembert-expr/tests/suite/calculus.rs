//! Derivatives: reverse against forward against finite differences.

use crate::formula::{Formula, SYMBOLS, random_point, symbols};
use dalembert_expr::calculus::{
    Standing, affine, forward, gradient, hessian_lower, jacobian, partial, standing,
    time_derivative,
};
use dalembert_expr::{Binary, ExprId, Graph, SymbolId, SymbolKind, Unary, evaluate};
use fastrand::Rng;

fn values_at(g: &Graph, ids: &[ExprId], names: &[SymbolId], x: &[f64; SYMBOLS]) -> Vec<f64> {
    evaluate(g, ids, |s| {
        x[names.iter().position(|&name| name == s).unwrap()]
    })
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Fourth-order difference quotient at two step sizes; `None` where they disagree (a kink or a pole).
fn difference_quotient(mut f: impl FnMut(f64) -> f64) -> Option<f64> {
    let mut quotient = |h: f64| (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
    let (coarse, fine) = (quotient(2e-3), quotient(1e-3));
    (coarse.is_finite() && close(coarse, fine, 1e-7)).then_some(fine)
}

#[test]
fn reverse_equals_forward_equals_finite_differences() {
    let mut rng = Rng::with_seed(2);
    let (mut compared, mut modes) = (0, 0);
    for round in 0..4000 {
        let operations = rng.usize(2..14);
        let formula = Formula::random(&mut rng, operations, round % 2 == 0);
        let mut g = Graph::new();
        let names = symbols(&mut g);
        let output = formula.build(&mut g);
        let by_reverse = gradient(&mut g, output, &names);
        let by_forward = names.map(|name| partial(&mut g, output, name));
        let matrix = jacobian(&mut g, &[output], &names);
        let zero = g.integer(0);
        let x = random_point(&mut rng);
        for i in 0..SYMBOLS {
            let entry = matrix.get(0, i).unwrap_or(zero);
            let slopes = values_at(&g, &[by_reverse[i], by_forward[i], entry], &names, &x);
            let finite = slopes
                .iter()
                .all(|slope| slope.is_finite() && slope.abs() < 1e6);
            if finite {
                assert!(
                    close(slopes[0], slopes[1], 1e-8),
                    "{slopes:?} at {x:?}: {formula:?}"
                );
                assert!(
                    close(slopes[0], slopes[2], 1e-8),
                    "{slopes:?} at {x:?}: {formula:?}"
                );
                modes += 1;
            }
            let quotient = difference_quotient(|h| {
                let mut moved = x;
                moved[i] += h;
                values_at(&g, &[output], &names, &moved)[0]
            });
            if let (true, Some(quotient)) =
                (finite && quotient.is_some_and(|q| q.abs() < 1e6), quotient)
            {
                assert!(
                    close(slopes[1], quotient, 1e-5),
                    "d/d{i} is {}, difference quotient {quotient} at {x:?}: {formula:?}",
                    slopes[1]
                );
                compared += 1;
            }
        }
    }
    assert!(
        compared > 4000 && modes > compared,
        "only {compared} slopes compared"
    );
}

/// Each operation alone at ordinary points: no rule can hide behind rare use in random formulas.
#[test]
fn slope_of_every_operation() {
    use dalembert_expr::{Binary, Unary};
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Coordinate));
    let names = [x, y].map(|id| g.as_symbol(id).unwrap());
    let mut cases: Vec<(String, ExprId)> = Vec::new();
    for op in Unary::ALL {
        cases.push((op.name().into(), g.unary(op, x)));
    }
    for op in Binary::ALL {
        cases.push((op.name().into(), g.binary(op, x, y)));
        cases.push((format!("{} reversed", op.name()), g.binary(op, y, x)));
    }
    for point in [[0.3, 0.7], [0.8, 0.2], [0.5, 1.5]] {
        for (what, id) in &cases {
            let slopes = gradient(&mut g, *id, &names);
            for i in 0..2 {
                let value = |g: &Graph, id, p: [f64; 2]| {
                    evaluate(g, &[id], |s| p[names.iter().position(|&n| n == s).unwrap()])[0]
                };
                let quotient = difference_quotient(|h| {
                    let mut moved = point;
                    moved[i] += h;
                    value(&g, *id, moved)
                });
                let slope = value(&g, slopes[i], point);
                let quotient = quotient.unwrap_or_else(|| panic!("{what} is smooth at {point:?}"));
                assert!(
                    close(slope, quotient, 1e-6),
                    "{what}: {slope} is not {quotient}"
                );
            }
        }
    }
}

#[test]
fn kinks_have_the_documented_derivatives() {
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Coordinate));
    let names = [x, y].map(|id| g.as_symbol(id).unwrap());
    let at = |g: &mut Graph, id, point: [f64; 2]| {
        let slopes = gradient(g, id, &names);
        evaluate(g, &slopes, |s| {
            point[names.iter().position(|&n| n == s).unwrap()]
        })
    };
    let (abs, sign, min, max) = (g.abs(x), g.sign(x), g.min(x, y), g.max(x, y));
    assert_eq!(at(&mut g, abs, [-2.0, 0.0]), [-1.0, 0.0]);
    assert_eq!(at(&mut g, abs, [0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(at(&mut g, sign, [0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(at(&mut g, min, [1.0, 2.0]), [1.0, 0.0]);
    assert_eq!(at(&mut g, min, [2.0, 1.0]), [0.0, 1.0]);
    assert_eq!(at(&mut g, min, [1.0, 1.0]), [0.5, 0.5]);
    assert_eq!(at(&mut g, max, [1.0, 2.0]), [0.0, 1.0]);
    assert_eq!(at(&mut g, max, [1.0, 1.0]), [0.5, 0.5]);
}

/// Both sweeps of the Jacobian, on matrices of every shape, against one partial at a time.
#[test]
fn jacobian_has_the_entries_and_the_pattern() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..300 {
        let mut g = Graph::new();
        let names = symbols(&mut g);
        let outputs: Vec<ExprId> = (0..rng.usize(1..7))
            .map(|_| {
                let operations = rng.usize(1..6);
                Formula::random(&mut rng, operations, true).build(&mut g)
            })
            .collect();
        let wanted = &names[..rng.usize(1..=SYMBOLS)];
        let matrix = jacobian(&mut g, &outputs, wanted);
        assert_eq!(
            (matrix.rows(), matrix.columns()),
            (outputs.len(), wanted.len())
        );
        let x = random_point(&mut rng);
        for (row, &output) in outputs.iter().enumerate() {
            for (column, &name) in wanted.iter().enumerate() {
                let expected = partial(&mut g, output, name);
                let entry = matrix.get(row, column);
                let zero = g.integer(0);
                let v = values_at(&g, &[entry.unwrap_or(zero), expected], &names, &x);
                if v[1].is_finite() && v[0].is_finite() && v[1].abs() < 1e8 {
                    assert!(close(v[0], v[1], 1e-8), "row {row} column {column}: {v:?}");
                }
            }
        }
        assert_eq!(matrix.triplets().count(), matrix.len());
    }
}

#[test]
fn hessian_is_the_jacobian_of_the_gradient() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..300 {
        let mut g = Graph::new();
        let names = symbols(&mut g);
        let operations = rng.usize(2..8);
        let output = Formula::random(&mut rng, operations, true).build(&mut g);
        let lower = hessian_lower(&mut g, output, &names);
        let slopes = gradient(&mut g, output, &names);
        let full = jacobian(&mut g, &slopes, &names);
        let zero = g.integer(0);
        let x = random_point(&mut rng);
        for row in 0..SYMBOLS {
            assert!(lower.row(row).iter().all(|&(column, _)| column <= row));
            for column in 0..=row {
                let ids = [&lower, &full].map(|m| m.get(row, column).unwrap_or(zero));
                let mirrored = full.get(column, row).unwrap_or(zero);
                let v = values_at(&g, &[ids[0], ids[1], mirrored], &names, &x);
                if v.iter().all(|v| v.is_finite() && v.abs() < 1e6) {
                    assert!(close(v[0], v[1], 1e-6) && close(v[0], v[2], 1e-6), "{v:?}");
                }
            }
        }
    }
}

#[test]
fn a_symbol_may_be_asked_for_twice_or_not_occur() {
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let [sx, sy] = [x, y].map(|id| g.as_symbol(id).unwrap());
    let square = g.powi(x, 2);
    let matrix = jacobian(&mut g, &[square, square], &[sx, sy, sx]);
    let two = g.integer(2);
    let slope = g.mul(two, x);
    assert_eq!(matrix.row(0), [(0, slope), (2, slope)]);
    assert_eq!(matrix.row(1), matrix.row(0));
    // The other direction: one output by many symbols.
    let matrix = jacobian(&mut g, &[square], &[sx, sy, sx]);
    assert_eq!(matrix.row(0), [(0, slope), (2, slope)]);
}

/// A band of many rows and columns must not cost rows times columns.
#[test]
fn banded_jacobian_of_a_long_chain_has_only_its_band() {
    let mut g = Graph::new();
    let n = 50_000;
    let x: Vec<ExprId> = (0..n)
        .map(|i| g.symbol(&format!("x{i}"), SymbolKind::Coordinate))
        .collect();
    let names: Vec<SymbolId> = x.iter().map(|&id| g.as_symbol(id).unwrap()).collect();
    let forces: Vec<ExprId> = (1..n)
        .map(|i| {
            let stretch = g.sub(x[i], x[i - 1]);
            g.sin(stretch)
        })
        .collect();
    let matrix = jacobian(&mut g, &forces, &names);
    assert_eq!(matrix.len(), 2 * (n - 1));
    assert!(matrix.get(7, 7).is_some() && matrix.get(7, 8).is_some() && matrix.get(7, 9).is_none());
}

#[test]
fn time_derivative_follows_the_motion() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Coordinate);
    let [rate, acceleration] =
        [1, 2].map(|order| g.derivative_symbol("x", SymbolKind::Coordinate, order));
    let m = g.symbol("m", SymbolKind::Parameter);
    let t = g.symbol("t", SymbolKind::Time);
    // d/dt (m x x' t) = m x'² t + m x x'' t + m x x'
    let product = g.product([m, x, rate, t]);
    let derivative = time_derivative(&mut g, &[product]).unwrap()[0];
    let value = |g: &Graph, id| {
        evaluate(g, &[id], |s| match g.symbol_data(s).to_string().as_str() {
            "x" => 2.0,
            "x'" => 3.0,
            "x''" => 5.0,
            "m" => 7.0,
            _ => 11.0,
        })[0]
    };
    assert_eq!(value(&g, acceleration), 5.0);
    assert_eq!(
        value(&g, derivative),
        7.0 * 9.0 * 11.0 + 7.0 * 2.0 * 5.0 * 11.0 + 7.0 * 2.0 * 3.0
    );
    let multiplier = g.symbol("lambda(wire)", SymbolKind::Multiplier);
    let error = time_derivative(&mut g, &[multiplier]).unwrap_err();
    assert_eq!(error.to_string(), "'lambda(wire)' has no time derivative");
}

/// (∂p/∂q) q' by one forward sweep equals the Jacobian times q'.
#[test]
fn directional_derivative_is_the_jacobian_times_the_direction() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..200 {
        let mut g = Graph::new();
        let names = symbols(&mut g);
        let outputs: Vec<ExprId> = (0..3)
            .map(|_| Formula::random(&mut rng, 5, true).build(&mut g))
            .collect();
        let direction = [1, -2, 3, 5].map(|n| g.integer(n));
        let swept = forward(&mut g, &outputs, |_, symbol| {
            Some(direction[names.iter().position(|&name| name == symbol)?])
        });
        let matrix = jacobian(&mut g, &outputs, &names);
        let x = random_point(&mut rng);
        for (row, &swept) in swept.iter().enumerate() {
            let entries: Vec<ExprId> = matrix.row(row).iter().map(|&(_, id)| id).collect();
            let entries = values_at(&g, &entries, &names, &x);
            let product: f64 = matrix
                .row(row)
                .iter()
                .zip(entries)
                .map(|(&(column, _), entry)| entry * [1.0, -2.0, 3.0, 5.0][column])
                .sum();
            let swept = values_at(&g, &[swept], &names, &x)[0];
            if product.is_finite() && swept.is_finite() && product.abs() < 1e8 {
                assert!(close(swept, product, 1e-7), "{swept} is not {product}");
            }
        }
    }
}

/// Linear means linear for every value: what jumps, or is constant in pieces, is not.
#[test]
fn only_what_is_linear_for_every_value_is_linear() {
    let mut g = Graph::new();
    let [x, y, a] = ["x", "y", "a"].map(|name| g.symbol(name, SymbolKind::Parameter));
    let by = [x, y].map(|node| g.as_symbol(node).unwrap());
    let (one, two) = (g.integer(1), g.integer(2));
    let jump = g.sign(x);
    let inverse = g.div(one, x);
    let pieces = [g.unary(Unary::Atan, x), g.unary(Unary::Atan, inverse)];
    let pieces = g.add(pieces[0], pieces[1]);
    let size = g.unary(Unary::Abs, x);
    let larger = g.binary(Binary::Max, x, a);
    for other in [jump, pieces, size, larger, inverse] {
        let sum = g.add(y, other);
        assert_eq!(affine(&mut g, sum, &by), None);
    }
    // a (x + 1) + 2 y
    let more = g.add(x, one);
    let (first, second) = (g.mul(a, more), g.mul(two, y));
    let sum = g.add(first, second);
    let found = affine(&mut g, sum, &by).unwrap();
    assert_eq!((found.slopes, found.rest), (vec![a, two], a));
    let square = g.powi(more, 2);
    assert_eq!(affine(&mut g, square, &by), None);
    // Functions of other symbols are coefficients.
    let sine = g.sin(a);
    let product = g.mul(sine, y);
    let found = affine(&mut g, product, &by).unwrap();
    assert_eq!(found.slopes[1], sine);
    assert_eq!(standing(&g, sine, &by), Standing::Absent);
}
