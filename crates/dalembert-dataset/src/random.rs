//! Numbers that look random, by their place: seed, axis and run say which, and nothing else. So no run waits for another.

/// Scatters the bits of a number (the finalizer of SplitMix64; Steele, Lea, Flood 2014).
fn scattered(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The step of SplitMix64: 2⁶⁴ over the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bits at a place.
pub(crate) fn bits(seed: u64, stream: u64, index: u64) -> u64 {
    let start =
        scattered(scattered(seed.wrapping_add(STEP)).wrapping_add(stream.wrapping_mul(STEP)));
    scattered(start.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP)))
}

/// A number between 0 and 1, neither of them included.
pub(crate) fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * 2.0_f64.powi(-52)
}

/// Where a number below `count` goes in an order of its own for each seed and stream: each place is taken once. A Feistel network over enough bits,
/// walked until it ends below `count`, so that nothing needs to be kept.
pub(crate) fn shuffled(seed: u64, stream: u64, index: u64, count: u64) -> u64 {
    let half = (64 - (count - 1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut place = index;
    loop {
        let (mut left, mut right) = (place >> half, place & mask);
        for round in 0..6 {
            let turned = bits(seed, stream ^ (round << 56), right) & mask;
            (left, right) = (right, left ^ turned);
        }
        place = (left << half) | right;
        if place < count {
            return place;
        }
    }
}

/// The number below which a part `p` of a normal distribution lies, to about 16 digits.
///
/// Reference: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988) 477–484, PPND16.
pub(crate) fn normal(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * ratio(r, &MIDDLE);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = (-tail.ln()).sqrt();
    let value = match r <= 5.0 {
        true => ratio(r - 1.6, &NEAR),
        false => ratio(r - 5.0, &FAR),
    };
    if q < 0.0 { -value } else { value }
}

/// Numerator and denominator of a fraction of polynomials, the constants first.
type Fraction = [[f64; 8]; 2];

fn ratio(r: f64, fraction: &Fraction) -> f64 {
    let value = |of: &[f64; 8]| of.iter().rev().fold(0.0, |sum, it| sum * r + it);
    value(&fraction[0]) / value(&fraction[1])
}

#[rustfmt::skip]
#[expect(clippy::excessive_precision, reason = "as they are published")]
const MIDDLE: Fraction = [
    [3.387_132_872_796_366_608, 1.331_416_678_917_843_774_5e2, 1.971_590_950_306_551_442_7e3, 1.373_169_376_550_946_112_5e4,
     4.592_195_393_154_987_145_7e4, 6.726_577_092_700_870_085_3e4, 3.343_057_558_358_812_810_5e4, 2.509_080_928_730_122_672_7e3],
    [1.0, 4.231_333_070_160_091_125_2e1, 6.871_870_074_920_579_083e2, 5.394_196_021_424_751_107_7e3,
     2.121_379_430_158_659_586_7e4, 3.930_789_580_009_271_061e4, 2.872_908_573_572_194_267_4e4, 5.226_495_278_852_854_561e3],
];
#[rustfmt::skip]
#[expect(clippy::excessive_precision, reason = "as they are published")]
const NEAR: Fraction = [
    [1.423_437_110_749_683_577_34, 4.630_337_846_156_545_295_9, 5.769_497_221_460_691_405_5, 3.647_848_324_763_204_605_04,
     1.270_458_252_452_368_382_58, 2.417_807_251_774_506_117_7e-1, 2.272_384_498_926_918_458_33e-2, 7.745_450_142_783_414_076_4e-4],
    [1.0, 2.053_191_626_637_758_821_87, 1.676_384_830_183_803_849_4, 6.897_673_349_851_000_045_5e-1,
     1.481_039_764_274_800_745_9e-1, 1.519_866_656_361_645_719_66e-2, 5.475_938_084_995_344_946e-4, 1.050_750_071_644_416_843_24e-9],
];
#[rustfmt::skip]
#[expect(clippy::excessive_precision, reason = "as they are published")]
const FAR: Fraction = [
    [6.657_904_643_501_103_777_2, 5.463_784_911_164_114_369_9, 1.784_826_539_917_291_335_8, 2.965_605_718_285_048_912_3e-1,
     2.653_218_952_657_612_309_3e-2, 1.242_660_947_388_078_438_6e-3, 2.711_555_568_743_487_578_15e-5, 2.010_334_399_292_288_132_65e-7],
    [1.0, 5.998_322_065_558_879_376_9e-1, 1.369_298_809_227_358_053_1e-1, 1.487_536_129_085_061_485_25e-2,
     7.868_691_311_456_132_591e-4, 1.846_318_317_510_054_681_8e-5, 1.421_511_758_316_445_888_7e-7, 2.044_263_103_389_939_785_64e-15],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Mathematica's InverseCDF[NormalDistribution[], p] as SciPy's ndtri gives them, too.
    #[test]
    fn quantiles_are_those_of_tables() {
        let known = [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.9, 1.281_551_565_544_600_4),
            (0.05, -1.644_853_626_951_472_9),
            (1e-10, -6.361_340_902_404_056),
            (1e-20, -9.262_340_089_798_408),
        ];
        for (p, value) in known {
            assert!(
                (normal(p) - value).abs() < 4e-15 * (1.0 + f64::abs(value)),
                "{p}: {}",
                normal(p)
            );
        }
    }

    #[test]
    fn shuffling_takes_each_place_once() {
        for count in [1, 2, 3, 7, 64, 1000] {
            let mut places: Vec<u64> = (0..count).map(|it| shuffled(5, 2, it, count)).collect();
            let moved = places.iter().zip(0..).filter(|(place, it)| **place != *it);
            assert!(count < 64 || moved.count() > 50);
            places.sort_unstable();
            assert_eq!(places, (0..count).collect::<Vec<_>>());
        }
    }

    /// Means and variances of two streams, and that they have nothing to do with each other.
    #[test]
    fn streams_are_uniform_and_apart() {
        let n = 100_000;
        let [a, b] = [0, 1].map(|stream| -> Vec<f64> {
            (0..n).map(|it| unit(bits(3, stream, it)) - 0.5).collect()
        });
        let sum = |f: &dyn Fn(usize) -> f64| (0..n as usize).map(f).sum::<f64>() / n as f64;
        // Five standard deviations of each.
        let root = (n as f64).sqrt();
        assert!(sum(&|i| a[i]).abs() < 5.0 * (1.0 / 12.0_f64).sqrt() / root);
        assert!((sum(&|i| a[i] * a[i]) - 1.0 / 12.0).abs() < 5.0 * (1.0 / 180.0_f64).sqrt() / root);
        assert!(sum(&|i| a[i] * b[i]).abs() < 5.0 / 12.0 / root);
    }
}
