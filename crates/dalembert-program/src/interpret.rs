//! The interpreter: one loop over instructions, each done for all lanes at once.
//!
//! [`run`] is generic and always inlined, so that [`Vectors`](crate::Vectors) can instantiate it for the
//! vector instructions of the machine; the loops over lanes then become one or two instructions each.
//! Nothing here may mix lanes or round differently for another number of them.
//!
//! Slots are indexed with bounds checks. Leaving them out changed the time of 8 lanes by less than 5 %,
//! up or down, which the layout of the code alone does too: the checks always pass and wait for nothing.

use crate::code::{Instruction, Op};
use crate::sincos;
use dalembert_expr::table::TableFunction;
use std::array::from_fn;

/// Runs `instructions` with the functions of `tables` over `slots`, whose rows are `[value][lane]`.
#[inline(always)]
pub(crate) fn run<const L: usize>(
    instructions: &[Instruction],
    tables: &[TableFunction],
    slots: &mut [[f64; L]],
) {
    for instruction in instructions {
        let [a, b, c] = instruction.args;
        let result = match instruction.op {
            Op::Add => zip(slots, a, b, |x, y| x + y),
            Op::Sub => zip(slots, a, b, |x, y| x - y),
            Op::Mul => zip(slots, a, b, |x, y| x * y),
            Op::Div => zip(slots, a, b, |x, y| x / y),
            Op::MulAdd => zip3(slots, a, b, c, |x, y, z| x * y + z),
            Op::MulSub => zip3(slots, a, b, c, |x, y, z| x * y - z),
            Op::SubMul => zip3(slots, a, b, c, |x, y, z| z - x * y),
            Op::Neg => map(slots, a, |x| -x),
            Op::Abs => map(slots, a, f64::abs),
            Op::Sign => map(slots, a, sign),
            Op::Sqrt => map(slots, a, f64::sqrt),
            Op::Min => zip(slots, a, b, |x, y| if x < y || x.is_nan() { x } else { y }),
            Op::Max => zip(slots, a, b, |x, y| if x > y || x.is_nan() { x } else { y }),
            Op::Above => zip(slots, a, b, |x, y| counting(x, y, 0.0)),
            Op::NotAbove => zip(slots, a, b, |x, y| counting(x, 0.0, y)),
            Op::Sin => sincos::sin_cos_lanes(read(slots, a)).0,
            Op::Cos => sincos::sin_cos_lanes(read(slots, a)).1,
            Op::SinCos => {
                let (sine, cosine) = sincos::sin_cos_lanes(read(slots, a));
                slots[b as usize] = cosine;
                sine
            }
            Op::Table(table) => {
                let table = &tables[table as usize];
                read(slots, a).map(|x| table.value(x))
            }
            Op::Function(function) => read(slots, a).map(|x| function.value(x)),
            Op::Function2(function) => {
                let (x, y) = (read(slots, a), read(slots, b));
                from_fn(|lane| function.value(x[lane], y[lane]))
            }
        };
        slots[instruction.destination as usize] = result;
    }
}

#[inline(always)]
fn sign(x: f64) -> f64 {
    let positive = if x > 0.0 { 1.0 } else { x };
    if x < 0.0 { -1.0 } else { positive }
}

/// What counts where x is above zero, and elsewhere.
#[inline(always)]
fn counting(x: f64, above: f64, elsewhere: f64) -> f64 {
    let chosen = if x > 0.0 { above } else { elsewhere };
    if x.is_nan() { x } else { chosen }
}

#[inline(always)]
fn read<const L: usize>(slots: &[[f64; L]], slot: u32) -> [f64; L] {
    slots[slot as usize]
}

#[inline(always)]
fn map<const L: usize>(slots: &[[f64; L]], a: u32, f: impl Fn(f64) -> f64) -> [f64; L] {
    let x = read(slots, a);
    from_fn(|lane| f(x[lane]))
}

#[inline(always)]
fn zip<const L: usize>(
    slots: &[[f64; L]],
    a: u32,
    b: u32,
    f: impl Fn(f64, f64) -> f64,
) -> [f64; L] {
    let (x, y) = (read(slots, a), read(slots, b));
    from_fn(|lane| f(x[lane], y[lane]))
}

#[inline(always)]
fn zip3<const L: usize>(
    slots: &[[f64; L]],
    a: u32,
    b: u32,
    c: u32,
    f: impl Fn(f64, f64, f64) -> f64,
) -> [f64; L] {
    let (x, y, z) = (read(slots, a), read(slots, b), read(slots, c));
    from_fn(|lane| f(x[lane], y[lane], z[lane]))
}
