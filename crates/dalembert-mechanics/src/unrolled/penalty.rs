//! Where M is singular, a penalty on the rows makes it definite and changes neither v' nor λ, because A v' = b:
//!
//! ```text
//! (M + Aᵀ G A) v' = h + w + Aᵀ G b + Aᵀ λ        1/gᵢ ≈ Σⱼ Aᵢⱼ² / Mⱼⱼ at the start, to a power of two
//! ```
//!
//! As in the general route (`factorisation/metric.rs`), but the weights of the start are kept (any positive ones will
//! do), and they are large enough for massless speeds to need no refinement.

use super::parts::Parts;
use crate::Mechanism;
use crate::decide::SOFT;
use crate::mode::Mode;
use crate::state::State;
use dalembert_expr::{ExprId, Graph, Rational};

/// Part of the heaviest speed of a row that a speed counts for, at least. A row on massless speeds alone takes the
/// heaviest of all.
const LIGHT: f64 = 0.1;
/// Weights beyond 2 to the power of this are beyond reason.
const LARGEST_EXPONENT: f64 = 60.0;

/// A weight for each row; `None` if there are no rows, or no sensible weights.
pub(super) fn weights(mechanism: &Mechanism, state: &State) -> Option<Vec<Rational>> {
    let n = state.coordinates.len();
    let mut evaluator = mechanism.evaluator_at(state);
    // Those of rows that do not count now are known too.
    evaluator.set_mode(&Mode::all_active(&mechanism.system));
    let now = evaluator.canonical();
    let (mass, jacobian) = (now.mass.to_full(), now.jacobian.to_full());
    let diagonal = || mass.iter().step_by(n + 1);
    let largest = |a: f64, b: f64| if b > a { b } else { a };
    let heaviest = diagonal().fold(0.0, |a, &b| largest(a, b));
    let weight = |row: &[f64]| {
        let own = row.iter().zip(diagonal()).filter(|(a, _)| **a != 0.0);
        let mut size = own.fold(0.0, |size, (_, &m)| largest(size, m));
        if size <= 0.0 {
            size = if heaviest > 0.0 { heaviest } else { 1.0 };
        }
        let terms = row.iter().zip(diagonal());
        let terms = terms.map(|(a, m)| a * a / m.max(LIGHT * size));
        let exponent = -terms.sum::<f64>().log2().round();
        if exponent.is_nan() || exponent.abs() > LARGEST_EXPONENT {
            return None;
        }
        let power = 1_i64 << exponent.abs() as u32;
        if exponent < 0.0 {
            Rational::new(1, power)
        } else {
            Some(Rational::integer(power))
        }
    };
    let rows = jacobian.chunks_exact(n.max(1));
    let weights: Vec<Rational> = rows.map(weight).collect::<Option<_>>()?;
    (!weights.is_empty()).then_some(weights)
}

/// How much each row gives way.
pub(super) fn softness(g: &mut Graph, weights: &[Rational]) -> Vec<ExprId> {
    let part = Rational::from_f64(SOFT).expect("a number");
    let part = g.number(part);
    let mut each = |weight: &Rational| {
        let weight = g.number(weight.clone());
        g.div(part, weight)
    };
    weights.iter().map(&mut each).collect()
}

/// Adds Aᵀ G A to M and Aᵀ G b to the force; no weights, no penalty.
pub(super) fn put_on(g: &mut Graph, parts: &mut Parts, weights: &[Rational]) {
    let n = parts.force.len();
    for (row, weight) in weights.iter().enumerate() {
        let weight = g.number(weight.clone());
        for i in 0..n {
            let pull = g.mul(weight, parts.jacobian[row * n + i]);
            for j in 0..=i {
                let product = g.mul(pull, parts.jacobian[row * n + j]);
                parts.mass[i * n + j] = g.add(parts.mass[i * n + j], product);
            }
            let push = g.mul(pull, parts.bias[row]);
            parts.force[i] = g.add(parts.force[i], push);
        }
    }
}
