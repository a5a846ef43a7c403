//! What compiling accepts, refuses and makes, also at sizes where recursion or squares would show.

use dalembert_expr::{ExprId, Graph, Rational, SymbolId, SymbolKind, Unary, evaluate};
use dalembert_program::{CompileError, compile};

fn symbols<const N: usize>(graph: &mut Graph, names: [&str; N]) -> ([ExprId; N], [SymbolId; N]) {
    let ids = names.map(|name| graph.symbol(name, SymbolKind::Coordinate));
    (ids, ids.map(|id| graph.as_symbol(id).expect("a symbol")))
}

#[test]
fn missing_inputs_are_named() {
    let mut g = Graph::new();
    let ([x, y], [sx, _]) = symbols(&mut g, ["x", "y"]);
    let rate = g.derivative_symbol("y", SymbolKind::Coordinate, 1);
    let sum = g.sum([x, y, rate]);
    let error = compile(&g, &[sx], &[x, sum]).expect_err("y and y' are no inputs");
    assert_eq!(
        error,
        CompileError::MissingInputs {
            names: vec!["y".into(), "y'".into()]
        }
    );
    assert_eq!(
        error.to_string(),
        "the outputs depend on symbols not given as inputs: y, y'"
    );
}

#[test]
fn duplicate_inputs_are_refused() {
    let mut g = Graph::new();
    let ([x, _], [sx, sy]) = symbols(&mut g, ["x", "y"]);
    let error = compile(&g, &[sx, sy, sx], &[x]).expect_err("x is there twice");
    assert_eq!(
        error,
        CompileError::DuplicateInputs {
            names: vec!["x".into()]
        }
    );
}

#[test]
fn outputs_may_be_inputs_constants_and_repeated() {
    let mut g = Graph::new();
    let ([_, y], inputs) = symbols(&mut g, ["x", "y"]);
    let third = g.number(Rational::new(1, 3).expect("not over zero"));
    let pi = g.pi();
    let sine = g.sin(pi);
    let tape = compile(&g, &inputs, &[y, third, y, pi, sine])
        .expect("all is given")
        .tape()
        .clone();
    assert_eq!(
        (
            tape.input_count(),
            tape.output_count(),
            tape.instruction_count()
        ),
        (2, 5, 0)
    );
    let mut outputs = [9.0; 5];
    tape.eval::<1>(&mut tape.workspace(), &[1.0, 2.0], &mut outputs);
    let expected = [2.0, 1.0 / 3.0, 2.0, std::f64::consts::PI, 0.0];
    assert_eq!(outputs.map(f64::to_bits), expected.map(f64::to_bits));
    let nothing = compile(&g, &inputs, &[])
        .expect("no outputs are fine")
        .tape()
        .clone();
    nothing.eval::<1>(&mut nothing.workspace(), &[1.0, 2.0], &mut []);
    assert!(nothing.to_c("nothing").contains("(void)in;"));
}

#[test]
fn operations_on_literals_are_done_once() {
    let mut g = Graph::new();
    let ([x], inputs) = symbols(&mut g, ["x"]);
    let two = g.integer(2);
    let root = g.sqrt(two);
    let (sine, cosine) = (g.sin(root), g.cos(root));
    let factor = g.mul(sine, cosine);
    let y = g.mul(factor, x);
    let tape = compile(&g, &inputs, &[y])
        .expect("all is given")
        .tape()
        .clone();
    assert_eq!(tape.instruction_count(), 1);
}

#[test]
fn sine_cosine_and_powers_are_shared() {
    let mut g = Graph::new();
    let ([x, y], inputs) = symbols(&mut g, ["x", "y"]);
    let (sine, cosine) = (g.sin(x), g.cos(x));
    let tape = compile(&g, &inputs, &[sine, cosine])
        .expect("all is given")
        .tape()
        .clone();
    assert_eq!(tape.instruction_count(), 1, "one instruction for both");
    // y² y³ y⁶ y⁷: one multiplication each
    let powers: Vec<ExprId> = [2, 3, 6, 7].iter().map(|&n| g.powi(y, n)).collect();
    let tape = compile(&g, &inputs, &powers)
        .expect("all is given")
        .tape()
        .clone();
    assert_eq!(tape.instruction_count(), 4);
    // a product used by one sum only
    let product = g.mul(x, y);
    let sum = g.add(product, sine);
    let tape = compile(&g, &inputs, &[sum])
        .expect("all is given")
        .tape()
        .clone();
    assert_eq!(tape.instruction_count(), 2);
    let tape = compile(&g, &inputs, &[sum, product])
        .expect("all is given")
        .tape()
        .clone();
    assert_eq!(tape.instruction_count(), 3);
}

#[test]
#[should_panic(expected = "length of inputs")]
fn wrong_lengths_panic() {
    let mut g = Graph::new();
    let ([x], inputs) = symbols(&mut g, ["x"]);
    let tape = compile(&g, &inputs, &[x])
        .expect("all is given")
        .tape()
        .clone();
    tape.eval::<8>(&mut tape.workspace(), &[1.0], &mut [0.0; 8]);
}

#[test]
fn c_names_its_inputs_and_keeps_comments_closed() {
    let mut g = Graph::new();
    let rate = g.derivative_symbol("q", SymbolKind::Coordinate, 1);
    let odd = g.symbol("a*/b", SymbolKind::Parameter);
    let tenth = g.number(Rational::new(1, 10).expect("not over zero"));
    let product = g.mul(rate, odd);
    let sum = g.add(product, tenth);
    let inputs = [rate, odd].map(|id| g.as_symbol(id).expect("a symbol"));
    let tape = compile(&g, &inputs, &[sum])
        .expect("all is given")
        .tape()
        .clone();
    let expected = "#include <math.h>

/* 2 inputs, 1 outputs, 1 operations.
 * Compile with -ffp-contract=off to get the same roundings everywhere.
 *
 * in[0]  q'
 * in[1]  a*_b
 * out[0]  the expression compiled
 */
void force(const double *restrict in, double *restrict out)
{
    const double v0 = in[0] * in[1] + 0.1;
    out[0] = v0;
}
";
    assert_eq!(tape.to_c("force"), expected);
}

#[test]
#[should_panic(expected = "is not a name in C")]
fn c_refuses_other_names() {
    let tape = compile(&Graph::new(), &[], &[])
        .expect("nothing to do")
        .tape()
        .clone();
    let _ = tape.to_c("f(void); evil");
}

/// 100 000 nodes deep: x ↦ sin(x) y + x, whose value needs all of them.
#[test]
fn deep_chains_compile_and_need_few_slots() {
    let mut g = Graph::new();
    let ([x, y], inputs) = symbols(&mut g, ["x", "y"]);
    let mut deep = x;
    for _ in 0..100_000 {
        let sine = g.sin(deep);
        let product = g.mul(sine, y);
        deep = g.add(product, deep);
    }
    let tape = compile(&g, &inputs, &[deep])
        .expect("all is given")
        .tape()
        .clone();
    assert_eq!(tape.instruction_count(), 200_000);
    assert!(tape.slot_count() <= 4, "{} slots", tape.slot_count());
    let mut value = 0.3f64;
    for _ in 0..100_000 {
        value = dalembert_program::sin_cos(value).0 * -1e-3 + value;
    }
    let mut outputs = [0.0];
    tape.eval::<1>(&mut tape.workspace(), &[0.3, -1e-3], &mut outputs);
    assert_eq!(outputs[0].to_bits(), value.to_bits());
}

#[test]
fn a_million_nodes_compile() {
    let mut g = Graph::new();
    let ([x, y], inputs) = symbols(&mut g, ["x", "y"]);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut pool = vec![x, y];
    while g.len() < 1_000_000 {
        let a = pool[rng.usize(pool.len().saturating_sub(1000)..pool.len())];
        let b = pool[rng.usize(0..pool.len())];
        let made = match rng.u8(0..4) {
            0 => g.add(a, b),
            1 => g.sub(a, b),
            2 => g.mul(a, b),
            // keeps the values small
            _ => g.unary(Unary::Tanh, a),
        };
        pool.push(made);
    }
    let outputs = &pool[pool.len() - 1000..];
    let tape = compile(&g, &inputs, outputs)
        .expect("all is given")
        .tape()
        .clone();
    assert!(tape.instruction_count() > 100_000);
    let mut values = vec![0.0; outputs.len()];
    tape.eval::<1>(&mut tape.workspace(), &[0.3, 0.7], &mut values);
    let expected = evaluate(&g, outputs, |s| if s == inputs[0] { 0.3 } else { 0.7 });
    assert!(values.iter().filter(|x| x.is_finite()).count() > 500);
    for (a, b) in values.iter().zip(&expected) {
        assert!(
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            "{a} and {b}"
        );
    }
}
