//! Elementary functions to some 30 digits: arguments are made small, series do the rest, inverse functions take one step
//! of Newton's method from the double.

use super::TERMS;
use super::number::Number;
use crate::op::{Binary, Unary};
use dalembert_decide::thirty::{FEW_DIGITS_LEFT, NOTHING};

/// π/2 and ln 2, each as a sum of three doubles, so that many turns can be taken away.
const QUARTER: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_169_8e-33,
];
const LN_2: [f64; 3] = [
    std::f64::consts::LN_2,
    2.319_046_813_846_299_6e-17,
    5.707_708_438_416_212e-34,
];
/// The value of an operation.
pub(super) fn unary(op: Unary, x: Number) -> Number {
    match op {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Sign => Number::from(op.value(x.to_f64())),
        Unary::Sqrt => x.sqrt(),
        Unary::Sin => sine_and_cosine(x)[0],
        Unary::Cos => sine_and_cosine(x)[1],
        Unary::Tan => {
            let [sine, cosine] = sine_and_cosine(x);
            sine / cosine
        }
        Unary::Asin => angle(x, across(x)),
        Unary::Acos => angle(across(x), x),
        Unary::Atan => angle(x, Number::ONE),
        Unary::Exp => exponential(x),
        Unary::Log => logarithm(x),
        Unary::Sinh => hyperbolic_sine(x),
        Unary::Cosh => hyperbolic_cosine(x),
        Unary::Tanh => match x.size() > 40.0 {
            true => Number::from(op.value(x.to_f64())),
            false => hyperbolic_sine(x) / hyperbolic_cosine(x),
        },
    }
}

/// The value of an operation.
pub(super) fn binary(op: Binary, x: Number, y: Number) -> Number {
    match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
        Binary::Pow => power(x, y),
        Binary::Atan2 => angle(x, y),
        Binary::Min if x < y || x.to_f64().is_nan() => x,
        Binary::Max if x > y || x.to_f64().is_nan() => x,
        Binary::Min | Binary::Max => y,
        Binary::Above | Binary::NotAbove if x.to_f64().is_nan() => x,
        Binary::Above | Binary::NotAbove if (x > Number::ZERO) == (op == Binary::Above) => y,
        Binary::Above | Binary::NotAbove => Number::ZERO,
    }
}

/// Σ xⁿ/n! over n = first, first + 2, …, with signs that alternate if they are asked to.
fn series(x: Number, first: u32, alternating: bool) -> Number {
    let square = if alternating { -(x * x) } else { x * x };
    let mut term = if first == 0 { Number::ONE } else { x };
    let mut sum = term;
    for n in (first..).step_by(2).take(TERMS as usize) {
        term = term * square / Number::from(f64::from((n + 1) * (n + 2)));
        sum = sum + term;
        if term.size() <= NOTHING * sum.size() {
            break;
        }
    }
    sum
}

/// x less a multiple of a constant, and the multiple.
fn remainder(x: Number, constant: [f64; 3]) -> (Number, f64) {
    let turns = libm::rint(x.to_f64() / constant[0]);
    let turns_exact = Number::from(turns);
    let rest = constant
        .iter()
        .fold(x, |rest, &part| rest - turns_exact * Number::from(part));
    (rest, turns)
}

fn sine_and_cosine(x: Number) -> [Number; 2] {
    if !x.is_finite() || x.size() > FEW_DIGITS_LEFT {
        return [Number::from(f64::NAN); 2];
    }
    let (rest, turns) = remainder(x, QUARTER);
    let (sine, cosine) = (series(rest, 1, true), series(rest, 0, true));
    match turns.rem_euclid(4.0) as u8 {
        0 => [sine, cosine],
        1 => [cosine, -sine],
        2 => [-sine, -cosine],
        _ => [-cosine, sine],
    }
}

/// √(1 − x²)
fn across(x: Number) -> Number {
    ((Number::ONE - x) * (Number::ONE + x)).sqrt()
}

/// The angle whose tangent is y/x: one step from the double.
fn angle(y: Number, x: Number) -> Number {
    let near = Binary::Atan2.value(y.to_f64(), x.to_f64());
    if !near.is_finite() || (y.size() <= 0.0 && x.size() <= 0.0) {
        return Number::from(near);
    }
    let near = Number::from(near);
    let [sine, cosine] = sine_and_cosine(near);
    let tangent = (y * cosine - x * sine) / (x * cosine + y * sine);
    let cube = tangent * tangent * tangent;
    near + tangent - cube / Number::from(3.0)
}

fn exponential(x: Number) -> Number {
    let size = libm::exp(x.to_f64());
    if !size.is_finite() || size <= 0.0 {
        return Number::from(size);
    }
    let (rest, turns) = remainder(x, LN_2);
    let small = rest.scaled(1.0 / 64.0);
    let mut value = series(small, 0, false) + series(small, 1, false);
    for _ in 0..6 {
        value = value * value;
    }
    // In two halves: 2^turns alone may be out of range.
    let half = libm::trunc(turns / 2.0);
    let by = |n: f64| libm::exp2(n);
    value.scaled(by(half)).scaled(by(turns - half))
}

fn logarithm(x: Number) -> Number {
    let near = libm::log(x.to_f64());
    if !near.is_finite() {
        return Number::from(near);
    }
    // log(1 + e) with e of the size of rounding.
    let near = Number::from(near);
    let e = x * exponential(-near) - Number::ONE;
    near + e - (e * e).scaled(0.5)
}

fn hyperbolic_sine(x: Number) -> Number {
    match x.size() < 1.0 {
        true => series(x, 1, false),
        false => (exponential(x) - exponential(-x)).scaled(0.5),
    }
}

fn hyperbolic_cosine(x: Number) -> Number {
    (exponential(x) + exponential(-x)).scaled(0.5)
}

fn power(x: Number, y: Number) -> Number {
    let exponent = y.to_f64();
    let whole = libm::rint(exponent);
    if y == Number::from(whole) && whole.abs() < 1e6 {
        return x.power(whole as i32);
    }
    match x.to_f64() > 0.0 {
        true => exponential(y * logarithm(x)),
        false => Number::from(Binary::Pow.value(x.to_f64(), exponent)),
    }
}
