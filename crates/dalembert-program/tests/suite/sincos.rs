//! Accuracy against twice the precision, agreement with `libm`, symmetry, lanes.

use dalembert_expr::{Graph, SymbolKind};
use dalembert_program::{Vectors, compile, sin_cos};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// Largest argument that is reduced by subtraction: 2²⁰ quarter turns.
const LARGEST: f64 = 1_647_098.0;
/// π/2 to 151 bits; the first three have 33 bits each, so that multiples of them are exact.
const HALF_PI: [f64; 4] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E00_0000),
    f64::from_bits(0x397B_839A_2520_49C1),
];

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
    let mut r = Double2(x - n * HALF_PI[0], 0.0);
    for part in &HALF_PI[1..] {
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

/// Arguments with their sines and cosines, as bits, rounded correctly from integer arithmetic with 1450
/// digits of π: around and beyond the end of the range, up to the largest double; the doubles nearest to
/// some multiples n π/2; and the six with n < 2²⁰ that come nearest to theirs of all.
#[rustfmt::skip]
const EXACT: [(u64, u64, u64); 37] = [
    (0x4139_21FA_0000_0000, 0xBFEF_1203_9882_2BA6, 0x3FCE_A0F1_80B7_1C45),
    (0x4139_21FB_0000_0000, 0xBFD4_B02E_5BE9_1E9E, 0x3FEE_4831_257A_62DA),
    (0x4140_0000_0000_0000, 0x3FE3_F688_87A1_37EF, 0x3FE9_0272_24E7_04FA),
    (0x4163_12D0_0000_0000, 0x3FDA_EA41_4A8A_3352, 0xBFED_085B_E7A8_F4A1),
    (0x419D_6F34_5400_0000, 0x3FEF_AF05_21C8_DC5C, 0x3FC1_F407_7C91_589F),
    (0x4202_A05F_2000_0000, 0xBFDF_334C_7896_A4E3, 0x3FEB_F098_901C_931A),
    (0x4270_0000_0000_0000, 0xBFD9_F712_2716_D5D9, 0xBFED_3F85_77B3_AA88),
    (0x430C_6BF5_2634_0004, 0x3FE0_3AB6_6600_EC7A, 0xBFEB_9441_C6FA_0530),
    (0x4340_0000_0000_0000, 0xBFEB_2A66_C8F3_5586, 0xBFE0_E991_8BB3_5AAC),
    (0x4480_F0CF_064D_D592, 0xBFEB_453A_B76B_F397, 0x3FE0_BE2C_EF01_C8F4),
    (0x4630_0000_0000_0000, 0xBFEB_E8ED_97AC_1F59, 0x3FDF_4EB3_FF66_E36D),
    (0x54B2_49AD_2594_C37D, 0xBFD8_5C5E_5B92_9359, 0x3FED_9757_4968_41F5),
    (0x5F30_0000_0000_0000, 0x3FDB_78F3_FF6B_537B, 0x3FEC_E6DE_5CD1_DB81),
    (0x6974_E718_D7D7_625A, 0xBFE4_9B64_4938_C64C, 0x3FE8_7B4D_F51F_679E),
    (0x7E70_0000_0000_0000, 0xBFC4_60B8_AE1C_886E, 0x3FEF_9785_160C_8815),
    (0x7FEF_FFFF_FFFF_FFFF, 0x3F74_52FC_98B3_4E97, 0xBFEF_FFE6_2ECF_AB75),
    (0x7506_AC5B_262C_A1FF, 0x3FF0_0000_0000_0000, 0xBC21_4AE7_2E6B_A22F),
    (0x4183_CEB3_FF2F_6EA1, 0xBF9A_8A41_924B_A4BF, 0x3FEF_FD3F_81B8_AB03),
    (0x43B8_B529_B442_C6C6, 0x3FC2_36C1_8889_6EE4, 0xBFEF_ACA3_B0B2_5B0C),
    (0x4775_EB56_1BD4_F6B8, 0x3FC3_5149_8013_8B00, 0x3FEF_A22B_C245_FEEE),
    (0x52B9_A9A8_0EF2_B725, 0x3FEF_841E_8709_EBDE, 0xBFC6_2D10_51C2_3F24),
    (0x6BBA_02F3_4B29_6572, 0xBFE6_C3FB_6E03_CC36, 0xBFE6_7D09_C338_F037),
    (0x7FB1_0C67_FD36_1124, 0x3FEC_2BE6_48D8_617E, 0xBFDE_5B11_0A7E_32DC),
    (0x3FF9_21FB_5444_2D18, 0x3FF0_0000_0000_0000, 0x3C91_A626_3314_5C07),
    (0x4009_21FB_5444_2D18, 0x3CA1_A626_3314_5C07, 0xBFF0_0000_0000_0000),
    (0x4012_D97C_7F33_21D2, 0xBFF0_0000_0000_0000, 0xBCAA_7939_4C9E_8A0A),
    (0x4019_21FB_5444_2D18, 0xBCB1_A626_3314_5C07, 0x3FF0_0000_0000_0000),
    (0x4098_8B2F_704A_940A, 0x3D32_C3BE_B21E_1E21, 0x3FF0_0000_0000_0000),
    (0x40F9_2214_763F_815C, 0x3FF0_0000_0000_0000, 0x3D9C_EC37_D93A_8F1B),
    (0x412B_7A45_79B4_5B77, 0xBDC6_BAB1_2277_61CF, 0x3FF0_0000_0000_0000),
    (0x4139_21F9_C224_77D4, 0xBFF0_0000_0000_0000, 0xBD8E_38A3_163F_1AB3),
    (0x4113_9C6F_D678_05A7, 0xBFF0_0000_0000_0000, 0xBC89_88EF_E18F_F83F),
    (0x4123_9C6F_D678_05A7, 0x3C99_88EF_E18F_F83F, 0xBFF0_0000_0000_0000),
    (0x4133_9C6F_D678_05A7, 0xBCA9_88EF_E18F_F83F, 0x3FF0_0000_0000_0000),
    (0x412A_9ADC_C7F9_6CF0, 0xBFF0_0000_0000_0000, 0xBCBD_2A4F_27E8_C119),
    (0x4119_3C05_C9ED_3CBC, 0x3FF0_0000_0000_0000, 0xBCB0_65D7_3720_C4F9),
    (0x4129_3C05_C9ED_3CBC, 0xBCC0_65D7_3720_C4F9, 0xBFF0_0000_0000_0000),
];

#[test]
fn exact_values_near_quarter_turns_and_far_away() {
    for (x, sine, cosine) in EXACT {
        let x = f64::from_bits(x);
        let (s, c) = sin_cos(x);
        for (ours, exact) in [(s, sine), (c, cosine)] {
            let distance = ours.to_bits().abs_diff(exact);
            assert!(distance <= 1, "{ours:e} at {x:e}, {distance} units off");
        }
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
    let mut graph = Graph::new();
    let x = graph.symbol("x", SymbolKind::Coordinate);
    let turns = [graph.sin(x), graph.cos(x)];
    let inputs = [graph.as_symbol(x).unwrap()];
    let program = compile(&graph, &inputs, &turns).unwrap();
    let mut rng = fastrand::Rng::with_seed(2);
    let mut pool = arguments();
    pool.extend(EXACT.map(|(x, _, _)| f64::from_bits(x)));
    for level in Vectors::available() {
        let tape = program.tape().clone().with_vectors(level);
        let mut workspace = tape.workspace();
        for _ in 0..5_000 {
            let x: [f64; 8] = std::array::from_fn(|_| match rng.u8(0..8) {
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => 1e22 * rng.f64(),
                _ => pool[rng.usize(0..pool.len())] * if rng.bool() { 1.0 } else { -1.0 },
            });
            let mut found = [0.0; 16];
            tape.eval::<8>(&mut workspace, &x, &mut found);
            for lane in 0..8 {
                let (s, c) = sin_cos(x[lane]);
                for (one, many) in [(s, found[lane]), (c, found[8 + lane])] {
                    assert!(one.to_bits() == many.to_bits() || one.is_nan() && many.is_nan());
                }
            }
        }
    }
}
