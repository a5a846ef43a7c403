//! The model's language is read back as the same node.

use super::{TABLE, parameter, printed, read};
use dalembert_expr::print::{Format, tree_size};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Rational, SymbolKind, Unary};

fn assert_reads_back(graph: &mut Graph, id: ExprId) {
    let text = printed(graph, id, Format::Model);
    let again = read(graph, &text);
    let other = printed(graph, again, Format::Model);
    assert_eq!(again, id, "{text} was read as {other}");
}

#[test]
fn the_table_reads_back() {
    let mut graph = Graph::new();
    for text in TABLE {
        let id = read(&mut graph, text);
        assert_reads_back(&mut graph, id);
    }
}

/// Literals of every kind, those beyond the reader's range and length included.
#[test]
fn literals_read_back() {
    let mut graph = Graph::new();
    let x = parameter(&mut graph, "a");
    let power = |base: i64, n| {
        Rational::integer(base)
            .checked_pow(n)
            .expect("not too long")
    };
    let third = Rational::new(1, 3).expect("nonzero");
    let mut values = vec![
        Rational::ZERO,
        Rational::integer(i64::MIN),
        Rational::integer(1_000_000),
        power(10, 400),
        power(10, -400),
        power(2, 2000),
        power(7, -700),
        power(7, 700)
            .checked_mul(&power(3, -1200))
            .expect("not too long"),
        power(2, -300)
            .checked_add(&Rational::ONE)
            .expect("not too long"),
        third.clone(),
    ];
    for text in [
        "9.81",
        "6.674e-11",
        "0.343",
        "0.0001",
        "0.00012",
        "123456.789",
        "5e-300",
    ] {
        values.push(Rational::parse_decimal(text).expect("a literal"));
    }
    for x in [0.1, 1.0 / 3.0, 1e300, 5e-324, 1.0 + f64::EPSILON] {
        values.push(Rational::from_f64(x).expect("finite"));
    }
    for value in values {
        for value in [value.clone(), value.negated()] {
            let number = graph.number(value);
            let forms = [
                number,
                graph.mul(number, x),
                graph.add(x, number),
                graph.sub(number, x),
                graph.pow(number, x),
                graph.pow(x, number),
                graph.div(x, number),
                graph.div(number, x),
            ];
            for form in forms {
                assert_reads_back(&mut graph, form);
            }
        }
    }
}

#[test]
fn random_expressions_read_back() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut count = 0;
    for _ in 0..60 {
        let mut graph = Graph::new();
        let mut pool = vec![graph.pi()];
        for name in ["x", "y", "z"] {
            let order = rng.u8(0..3);
            pool.push(graph.derivative_symbol(name, SymbolKind::Coordinate, order));
        }
        pool.push(graph.symbol("lambda(contact.0)", SymbolKind::Multiplier));
        pool.push(parameter(&mut graph, "link.x"));
        for _ in 0..100 {
            let mut pick = |rng: &mut fastrand::Rng| {
                if rng.u8(0..4) == 0 {
                    random_number(&mut graph, rng)
                } else {
                    // Recent ones more often: deep and wide.
                    let back = rng.usize(0..pool.len()).min(rng.usize(0..pool.len()));
                    pool[pool.len() - 1 - back]
                }
            };
            let (a, b) = (pick(&mut rng), pick(&mut rng));
            let id = if rng.u8(0..4) == 0 {
                let op = Unary::ALL[rng.usize(0..Unary::ALL.len())];
                graph.unary(op, a)
            } else {
                // Mostly arithmetic.
                let op = Binary::ALL[rng.usize(0..Binary::ALL.len()).min(rng.usize(0..8))];
                graph.binary(op, a, b)
            };
            if tree_size(&graph, id) < 200 && is_stable(&mut graph, id) {
                assert_reads_back(&mut graph, id);
                pool.push(id);
                count += 1;
            }
        }
    }
    assert!(count > 3000, "only {count} expressions were small enough");
}

/// Whether the constructors make each node of the expression again from its operands. Where they do
/// not, as for (−x − 3) + 4, no text can lead back to the node.
fn is_stable(graph: &mut Graph, id: ExprId) -> bool {
    let cone = Cone::new(graph, &[id]);
    cone.nodes().iter().all(|&id| {
        let node = graph.node(id);
        let mut operands = node.operands();
        let a = operands.next().unwrap_or(id);
        let b = operands.next().unwrap_or(id);
        graph.rebuild(node, [a, b]) == id
    })
}

fn random_number(graph: &mut Graph, rng: &mut fastrand::Rng) -> ExprId {
    let value = match rng.u8(0..8) {
        0 => Rational::new(rng.i64(-99..100), rng.i64(1..65)),
        1 => Rational::new(rng.i64(-5000..5000), 1000),
        2 => Rational::integer(rng.i64(-9..10)).checked_mul(&power_of_ten(rng.i64(-40..41))),
        _ => Some(Rational::integer(rng.i64(-4..5))),
    };
    graph.number(value.unwrap_or(Rational::ONE))
}

fn power_of_ten(n: i64) -> Rational {
    Rational::integer(10)
        .checked_pow(n)
        .unwrap_or(Rational::ONE)
}
