//! Sine and cosine: the operations of [`sincos`](crate::sincos) in their order.

use super::{Body, SINE_COSINE};
use crate::sincos::{LARGEST, Real, sin_cos_of_rest};
use std::cell::RefCell;
use std::ops::{Add, Mul, Sub};
use wasm_encoder::{BlockType, InstructionSink, ValType};

/// The imported functions, for arguments that are too large.
const MATH_SIN: u32 = 0;
const MATH_COS: u32 = 1;

/// Integer locals: n in the last bits, the mask of an exchange, both results.
const QUARTER: u32 = 1;
const DIFFERENCE: u32 = 2;
const BITS: [u32; 2] = [3, 4];

/// A number of the function that is being written, in a local.
#[derive(Clone, Copy)]
struct Value<'a> {
    local: u32,
    body: &'a RefCell<Body>,
}

impl<'a> Value<'a> {
    fn constant(body: &'a RefCell<Body>, x: f64) -> Self {
        let mut writing = body.borrow_mut();
        let local = writing.local();
        writing.code().f64_const(x.into()).local_set(local);
        Self { local, body }
    }

    fn joined(
        self,
        other: Self,
        operation: impl for<'s, 'b> Fn(&'s mut InstructionSink<'b>) -> &'s mut InstructionSink<'b>,
    ) -> Self {
        let mut body = self.body.borrow_mut();
        let local = body.local();
        let mut code = body.code();
        code.local_get(self.local).local_get(other.local);
        operation(&mut code).local_set(local);
        Self {
            local,
            body: self.body,
        }
    }
}

impl Add for Value<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.joined(other, |code| code.f64_add())
    }
}

impl Sub for Value<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.joined(other, |code| code.f64_sub())
    }
}

impl Mul for Value<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.joined(other, |code| code.f64_mul())
    }
}

impl Real for Value<'_> {}

/// The function of an angle that has its sine and its cosine.
pub(super) fn pair() -> Body {
    let body = RefCell::new(Body::with_integers(1, (4, ValType::I64)));
    body.borrow_mut()
        .code()
        .local_get(0)
        .f64_abs()
        .f64_const(LARGEST.into())
        .f64_le()
        .i32_eqz()
        .if_(BlockType::Empty)
        .local_get(0)
        .call(MATH_SIN)
        .local_get(0)
        .call(MATH_COS)
        .return_()
        .end();
    let angle = Value {
        local: 0,
        body: &body,
    };
    let constant = |x| Value::constant(&body, x);
    let [sine, cosine, rounded] = sin_cos_of_rest(angle, constant).map(|value| value.local);
    let mut body = body.into_inner();
    // Quarter turns: an odd number exchanges the two; the signs follow bit 1 of n and of n + 1.
    body.code()
        .local_get(rounded)
        .i64_reinterpret_f64()
        .local_set(QUARTER)
        .local_get(sine)
        .i64_reinterpret_f64()
        .local_tee(BITS[0])
        .local_get(cosine)
        .i64_reinterpret_f64()
        .local_tee(BITS[1])
        .i64_xor()
        .i64_const(0)
        .local_get(QUARTER)
        .i64_const(1)
        .i64_and()
        .i64_sub()
        .i64_and()
        .local_set(DIFFERENCE);
    for (ahead, bits) in [0, 1].into_iter().zip(BITS) {
        body.code()
            .local_get(bits)
            .local_get(DIFFERENCE)
            .i64_xor()
            .local_get(QUARTER)
            .i64_const(ahead)
            .i64_add()
            .i64_const(2)
            .i64_and()
            .i64_const(62)
            .i64_shl()
            .i64_xor()
            .f64_reinterpret_i64();
    }
    body
}

/// The function of an angle that has one of the two.
pub(super) fn one(cosine: bool) -> Body {
    let mut body = Body::new(1);
    let other = body.local();
    body.code().local_get(0).call(SINE_COSINE);
    match cosine {
        true => body.code().local_set(other).drop().local_get(other),
        false => body.code().drop(),
    };
    body
}
