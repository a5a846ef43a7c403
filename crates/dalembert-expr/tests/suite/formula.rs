//! Random formulas: a list of operations that can be evaluated without the graph, or built in it.

use dalembert_expr::{Binary, ExprId, Graph, Rational, SymbolId, SymbolKind, Unary};
use fastrand::Rng;

/// Number of symbols in a random formula.
pub(crate) const SYMBOLS: usize = 4;
const NAMES: [&str; SYMBOLS] = ["x", "y", "theta", "m"];

/// One operation; operands are earlier steps.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Number(i64, i64),
    Pi,
    Symbol(usize),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
}

/// A formula without any simplification: the last step is its value.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) steps: Vec<Step>,
}

impl Formula {
    /// `operations` random operations. `smooth` leaves out abs, sign, min and max.
    pub(crate) fn random(rng: &mut Rng, operations: usize, smooth: bool) -> Self {
        let mut steps: Vec<Step> = (0..SYMBOLS).map(Step::Symbol).collect();
        steps.push(Step::Pi);
        for _ in 0..3 {
            steps.push(Step::Number(rng.i64(-3..=3), rng.i64(1..=4)));
        }
        for _ in 0..operations {
            // Mostly recent operands, so that formulas are deep and share.
            let recent = |rng: &mut Rng| {
                let len = steps.len();
                if rng.bool() {
                    rng.usize(len.saturating_sub(6)..len)
                } else {
                    rng.usize(0..len)
                }
            };
            let (a, b) = (recent(rng), recent(rng));
            steps.push(match rng.u8(0..10) {
                0..=2 => Step::Unary(random_unary(rng, smooth), a),
                3 => Step::Binary(random_function(rng, smooth), a, b),
                4 => {
                    let exponents: Vec<usize> = (0..steps.len())
                        .filter(|&i| matches!(steps[i], Step::Number(..)))
                        .collect();
                    Step::Binary(Binary::Pow, a, *rng.choice(&exponents).unwrap())
                }
                _ => {
                    let ops = [
                        Binary::Add,
                        Binary::Sub,
                        Binary::Mul,
                        Binary::Mul,
                        Binary::Div,
                    ];
                    Step::Binary(*rng.choice(&ops).unwrap(), a, b)
                }
            });
        }
        Self { steps }
    }

    /// Value of every step, straight from the operations' definitions.
    pub(crate) fn values(&self, x: &[f64; SYMBOLS]) -> Vec<f64> {
        self.values_with_pi(x, std::f64::consts::PI)
    }

    /// The same with another π: its rounding matters in sin(π)^(1/3).
    pub(crate) fn values_with_pi(&self, x: &[f64; SYMBOLS], pi: f64) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::new();
        for step in &self.steps {
            values.push(match *step {
                Step::Number(n, d) => n as f64 / d as f64,
                Step::Pi => pi,
                Step::Symbol(i) => x[i],
                Step::Unary(op, a) => op.value(values[a]),
                Step::Binary(op, a, b) => op.value(values[a], values[b]),
            });
        }
        values
    }

    /// The steps the last one needs.
    pub(crate) fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for i in (0..self.steps.len()).rev() {
            if needed[i] {
                match self.steps[i] {
                    Step::Unary(_, a) => needed[a] = true,
                    Step::Binary(_, a, b) => (needed[a], needed[b]) = (true, true),
                    _ => {}
                }
            }
        }
        needed
    }

    /// The formula through the simplifying constructors.
    pub(crate) fn build(&self, graph: &mut Graph) -> ExprId {
        let symbols = symbols(graph).map(|symbol| graph.symbol_node(symbol));
        let mut ids: Vec<ExprId> = Vec::new();
        for step in &self.steps {
            ids.push(match *step {
                Step::Number(n, d) => graph.number(Rational::new(n, d).unwrap()),
                Step::Pi => graph.pi(),
                Step::Symbol(i) => symbols[i],
                Step::Unary(op, a) => graph.unary(op, ids[a]),
                Step::Binary(op, a, b) => graph.binary(op, ids[a], ids[b]),
            });
        }
        *ids.last().unwrap()
    }
}

/// The symbols of all random formulas.
pub(crate) fn symbols(graph: &mut Graph) -> [SymbolId; SYMBOLS] {
    NAMES.map(|name| {
        let id = graph.symbol(name, SymbolKind::Coordinate);
        graph.as_symbol(id).unwrap()
    })
}

/// A point in general position, moderate in size.
pub(crate) fn random_point(rng: &mut Rng) -> [f64; SYMBOLS] {
    std::array::from_fn(|_| rng.f64() * 4.0 - 2.0)
}

fn random_unary(rng: &mut Rng, smooth: bool) -> Unary {
    loop {
        let op = *rng.choice(&Unary::ALL).unwrap();
        if !smooth || !matches!(op, Unary::Abs | Unary::Sign) {
            return op;
        }
    }
}

fn random_function(rng: &mut Rng, smooth: bool) -> Binary {
    let functions = [Binary::Atan2, Binary::Pow, Binary::Min, Binary::Max];
    *rng.choice(&functions[..if smooth { 2 } else { 4 }])
        .unwrap()
}
