//! Sine and cosine together, without branches, so that all lanes go through in step.
//!
//! ```text
//! x = n π/2 + r,  |r| ≤ π/4:   (sin x, cos x) = (sin r, cos r) turned by n quarters
//! ```
//!
//! * The reduction is Cody and Waite's: π/2 in pieces of 33 bits, so that n times a piece is exact for
//!   n ≤ 2²⁰, and a fourth, rounded one. All pieces are always subtracted, the rounding errors of the
//!   subtractions kept: r comes as a sum of two numbers, good to the last bit even where x is as near
//!   to a multiple of π/2 as a double can be.
//! * sin r and cos r are the polynomials of fdlibm's `k_sin.c` and `k_cos.c`, which take r in two parts.
//! * Beyond 2²⁰ quarters, and for infinities and NaN, the lane is done again by `libm`. That depends on
//!   the lane's argument alone, so lanes stay independent of each other.
//! * Below one unit in the last place of error; exactly odd and even.
//!
//! Constants and polynomials: Sun Microsystems' fdlibm 5.3, freely usable with this notice preserved:
//! "Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved."

use std::f64::consts::FRAC_2_PI;
use std::ops::{Add, Mul, Sub};

/// Largest argument reduced here: 2²⁰ quarter turns, less the half that rounding may add.
pub(crate) const LARGEST: f64 = 1_647_098.0;

/// 1.5·2⁵²: adding it rounds to an integer, which is then in the last bits of the sum.
pub(crate) const ROUNDER: f64 = 6_755_399_441_055_744.0;

// π/2 = HALF_PI_1 + HALF_PI_2 + HALF_PI_3 + HALF_PI_4 to 151 bits; the first three have 33 bits each.
pub(crate) const HALF_PI_1: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
pub(crate) const HALF_PI_2: f64 = f64::from_bits(0x3DD0_B461_1A60_0000);
pub(crate) const HALF_PI_3: f64 = f64::from_bits(0x3BA3_198A_2E00_0000);
pub(crate) const HALF_PI_4: f64 = f64::from_bits(0x397B_839A_2520_49C1);

// sin r = r + S1 r³ + S2 r⁵ + …
pub(crate) const S1: f64 = -1.666_666_666_666_663_2e-1;
pub(crate) const S2: f64 = 8.333_333_333_322_49e-3;
pub(crate) const S3: f64 = -1.984_126_982_985_795e-4;
pub(crate) const S4: f64 = 2.755_731_370_707_006_8e-6;
pub(crate) const S5: f64 = -2.505_076_025_340_686_3e-8;
pub(crate) const S6: f64 = 1.589_690_995_211_55e-10;

// cos r = 1 − r²/2 + C1 r⁴ + C2 r⁶ + …
pub(crate) const C1: f64 = 4.166_666_666_666_66e-2;
pub(crate) const C2: f64 = -1.388_888_888_887_411e-3;
pub(crate) const C3: f64 = 2.480_158_728_947_673e-5;
pub(crate) const C4: f64 = -2.755_731_435_139_066_3e-7;
pub(crate) const C5: f64 = 2.087_572_321_298_175e-9;
pub(crate) const C6: f64 = -1.135_964_755_778_819_5e-11;

/// sin x and cos x, as every program of this crate computes them.
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    let ([sine], [cosine]) = sin_cos_lanes([x]);
    (sine, cosine)
}

/// On cache lines, so that vectors on their way through the stack are not split.
#[repr(align(64))]
struct Aligned<const L: usize>([f64; L]);

/// [`sin_cos`] of each lane.
#[inline(always)]
pub(crate) fn sin_cos_lanes<const L: usize>(x: [f64; L]) -> ([f64; L], [f64; L]) {
    let x = Aligned(x);
    let (mut sine, mut cosine) = (Aligned([0.0; L]), Aligned([0.0; L]));
    sin_cos_into(&x.0, &mut sine.0, &mut cosine.0);
    (sine.0, cosine.0)
}

/// [`sin_cos`] of each lane, written where it is wanted.
#[inline(always)]
pub(crate) fn sin_cos_into<const L: usize>(
    x: &[f64; L],
    sine: &mut [f64; L],
    cosine: &mut [f64; L],
) {
    for lane in 0..L {
        (sine[lane], cosine[lane]) = moderate(x[lane]);
    }
    // No short circuit: one comparison for all lanes.
    if !x.iter().fold(true, |all, &x| all & is_moderate(x)) {
        patch(x, sine, cosine);
    }
}

/// Whether [`moderate`] is good for x; not for NaN.
#[inline(always)]
fn is_moderate(x: f64) -> bool {
    x.abs() <= LARGEST
}

/// Does lanes again whose argument is too large, infinite or NaN.
#[cold]
#[inline(never)]
fn patch(x: &[f64], sine: &mut [f64], cosine: &mut [f64]) {
    for lane in 0..x.len() {
        if !is_moderate(x[lane]) {
            sine[lane] = libm::sin(x[lane]);
            cosine[lane] = libm::cos(x[lane]);
        }
    }
}

/// What the polynomials are taken of: doubles, or vectors of the native code that is being written. Both do the same
/// operations in the same order.
pub(crate) trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl Real for f64 {}

/// sin r, cos r and the number in whose last bits n stands, for x = n π/2 + r up to [`LARGEST`]; `c` makes a constant.
#[inline(always)]
pub(crate) fn sin_cos_of_rest<T: Real>(x: T, c: impl Fn(f64) -> T) -> [T; 3] {
    let rounded = x * c(FRAC_2_PI) + c(ROUNDER);
    let n = rounded - c(ROUNDER);

    // r = x − n π/2. The first product and difference are exact; of the next two the products are, and
    // the differences leave the errors e. (If n·HALF_PI_2 is the larger, both are multiples of 2⁻⁶⁶ and
    // there is no error.)
    let r1 = x - n * c(HALF_PI_1);
    let w2 = n * c(HALF_PI_2);
    let r2 = r1 - w2;
    let e2 = (r1 - r2) - w2;
    let w3 = n * c(HALF_PI_3);
    let r3 = r2 - w3;
    let e3 = (r2 - r3) - w3;
    // Subtracted, not added, so that −0 stays −0.
    let rest = n * c(HALF_PI_4) - (e2 + e3);
    let r = r3 - rest;
    let tail = (r3 - r) - rest;

    let z = r * r;
    let w = z * z;

    let v = z * r;
    let p = c(S2) + z * (c(S3) + z * c(S4)) + z * w * (c(S5) + z * c(S6));
    let sine = r - ((z * (c(0.5) * tail - v * p) - tail) - v * c(S1));

    let p = z * (c(C1) + z * (c(C2) + z * c(C3))) + w * w * (c(C4) + z * (c(C5) + z * c(C6)));
    let half = c(0.5) * z;
    let one = c(1.0) - half;
    let cosine = one + (((c(1.0) - one) - half) + (z * p - r * tail));
    [sine, cosine, rounded]
}

/// sin x and cos x for |x| up to [`LARGEST`]; anything for other x.
#[inline(always)]
fn moderate(x: f64) -> (f64, f64) {
    let [sine, cosine, rounded] = sin_cos_of_rest(x, |constant| constant);
    // Quarter turns: an odd number exchanges the two; the signs follow bit 1 of n and of n + 1.
    let quarter = rounded.to_bits();
    let exchange = (quarter & 1).wrapping_neg();
    let (s, c) = (sine.to_bits(), cosine.to_bits());
    let difference = (s ^ c) & exchange;
    let sine_sign = (quarter & 2) << 62;
    let cosine_sign = (quarter.wrapping_add(1) & 2) << 62;
    (
        f64::from_bits(s ^ difference ^ sine_sign),
        f64::from_bits(c ^ difference ^ cosine_sign),
    )
}
