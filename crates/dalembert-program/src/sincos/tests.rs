//! Accuracy against twice the precision, agreement with `libm`, symmetry, lanes.

use super::{HALF_PI_1, HALF_PI_2, HALF_PI_3, HALF_PI_4, LARGEST, sin_cos, sin_cos_lanes};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// A number as the sum of two doubles, the second below half a unit in the last place of the first.
#[derive(Clone, Copy)]
struct Double2(f64, f64);

impl Double2 {
    fn sum(a: f64, b: f64) -> Self {
        let s = a + b;
        let t = s - a;
        Self(s, (a - (s - t)) + (b - t))
    }

    fn add(self, other: Self) -> Self {
        let s = Self::sum(self.0, other.0);
        let t = Self::sum(self.1, other.1);
        let s = Self::sum(s.0, s.1 + t.0);
        Self::sum(s.0, s.1 + t.1)
    }

    fn mul(self, other: Self) -> Self {
        let p = self.0 * other.0;
        let error = self.0.mul_add(other.0, -p) + (self.0 * other.1 + self.1 * other.0);
        Self::sum(p, error)
    }

    fn div(self, n: f64) -> Self {
        let q = self.0 / n;
        let rest = (-q).mul_add(n, self.0) + self.1;
        Self::sum(q, rest / n)
    }

    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }

    /// How far `x` is from this, in units of the last place.
    fn ulps_to(self, x: f64) -> f64 {
        let ulp = f64::from_bits(self.0.abs().to_bits() + 1) - self.0.abs();
        (((x - self.0) - self.1) / ulp).abs()
    }
}

/// sin x and cos x to some 30 digits for |x| ≤ [`LARGEST`], by reduction and Taylor series in pairs.
fn precise(x: f64) -> (Double2, Double2) {
    let n = (x / FRAC_PI_2).round();
    let mut r = Double2(x - n * HALF_PI_1, 0.0);
    for part in [HALF_PI_2, HALF_PI_3, HALF_PI_4] {
        r = r.add(Double2(-n * part, 0.0));
    }
    let minus_square = r.mul(r).neg();
    let series = |mut term: Double2, start: u32| {
        let mut sum = term;
        for k in 0..16 {
            let i = f64::from(start + 2 * k);
            term = term.mul(minus_square).div(i * (i + 1.0));
            sum = sum.add(term);
        }
        sum
    };
    let (s, c) = (series(r, 2), series(Double2(1.0, 0.0), 1));
    match n.rem_euclid(4.0) as u8 {
        0 => (s, c),
        1 => (c, s.neg()),
        2 => (s.neg(), c.neg()),
        _ => (c.neg(), s),
    }
}

/// Arguments in all of the range, dense around multiples of π/4 and down to the subnormal.
fn arguments() -> Vec<f64> {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut x = vec![0.0, f64::MIN_POSITIVE, 5e-324, LARGEST];
    for _ in 0..20_000 {
        x.push(rng.f64() * FRAC_PI_4);
        x.push(rng.f64() * 10.0);
        x.push(rng.f64() * LARGEST);
        x.push(2f64.powf(rng.f64() * 1060.0 - 1040.0));
        let near = f64::from(rng.u32(0..1 << 21)) * FRAC_PI_4;
        x.push(near);
        x.push(near * (1.0 + (rng.f64() - 0.5) * 1e-10));
    }
    x.retain(|x| *x <= LARGEST);
    x
}

#[test]
fn error_is_below_one_unit_in_the_last_place() {
    let mut worst = (0.0f64, 0.0);
    for x in arguments() {
        let (sine, cosine) = sin_cos(x);
        let (s, c) = precise(x);
        for error in [s.ulps_to(sine), c.ulps_to(cosine)] {
            if error > worst.0 {
                worst = (error, x);
            }
        }
    }
    println!("worst error {:.4} ulp at {:e}", worst.0, worst.1);
    assert!(worst.0 < 0.8, "error {} ulp at {:e}", worst.0, worst.1);
}

/// `libm` has its own constants and its own way to reduce, so a wrong digit here would show.
#[test]
fn agrees_with_libm_within_one_unit() {
    for x in arguments() {
        let (sine, cosine) = sin_cos(x);
        for (ours, theirs) in [(sine, libm::sin(x)), (cosine, libm::cos(x))] {
            let distance = ours.to_bits().abs_diff(theirs.to_bits());
            assert!(distance <= 1, "{ours:e} and {theirs:e} at {x:e}");
        }
    }
}

/// Computed in rational arithmetic with 1300 digits of π: near multiples of π/2, and beyond the range.
/// Of all doubles, 6381956970095103·2^797 is the nearest to a multiple of π/2.
#[test]
fn hard_values() {
    let hard = 6_381_956_970_095_103.0 * 2f64.powi(797);
    let values: [(f64, f64); 5] = [
        (sin_cos(std::f64::consts::PI).0, 1.224_646_799_147_353_2e-16),
        (sin_cos(FRAC_PI_2).1, 6.123_233_995_736_766e-17),
        (sin_cos(1e22).0, -0.852_200_849_767_188_8),
        (sin_cos(1e22).1, 0.523_214_785_395_139),
        (sin_cos(hard).1, -4.687_165_924_254_628e-19),
    ];
    for (ours, exact) in values {
        assert_eq!(ours.to_bits(), exact.to_bits(), "{ours:e} and {exact:e}");
    }
}

#[test]
fn sine_is_odd_and_cosine_even_to_the_bit() {
    for x in arguments().into_iter().chain([1e7, 1e22, 1e300]) {
        let ((s, c), (t, d)) = (sin_cos(x), sin_cos(-x));
        assert_eq!(
            (s.to_bits(), c.to_bits()),
            ((-t).to_bits(), d.to_bits()),
            "{x:e}"
        );
    }
}

#[test]
fn not_a_number_where_there_is_no_value() {
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (s, c) = sin_cos(x);
        assert!(s.is_nan() && c.is_nan());
    }
}

/// A neighbour that needs the slow way must not disturb a lane.
#[test]
fn lanes_do_not_see_each_other() {
    let mut rng = fastrand::Rng::with_seed(2);
    let pool = arguments();
    for _ in 0..5_000 {
        let x: [f64; 8] = std::array::from_fn(|_| match rng.u8(0..8) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => 1e22 * rng.f64(),
            _ => pool[rng.usize(0..pool.len())] * if rng.bool() { 1.0 } else { -1.0 },
        });
        let (sine, cosine) = sin_cos_lanes(x);
        for lane in 0..8 {
            let (s, c) = sin_cos(x[lane]);
            for (one, many) in [(s, sine[lane]), (c, cosine[lane])] {
                assert!(one.to_bits() == many.to_bits() || one.is_nan() && many.is_nan());
            }
        }
    }
}
