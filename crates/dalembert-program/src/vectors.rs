//! Which vector instructions the interpreter may use on this machine.
//!
//! The loop is compiled three times on x86-64. All of them do the same IEEE operations in the same
//! order (Rust never contracts a·b + c by itself), so the choice changes the speed and no bit. Vectors
//! wider than the lanes cannot help and are not used: a single lane is always done by the baseline.

use crate::code::Instruction;
use crate::interpret;
#[cfg(feature = "jit")]
use crate::sincos;
use dalembert_expr::table::TableFunction;

/// Lanes of an evaluation of many states at once.
pub const LANES: usize = 8;

/// A set of vector instructions that this machine has: a value is a proof of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// All levels of this machine, slowest first; never empty.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg_attr(
            not(target_arch = "x86_64"),
            expect(unused_mut, reason = "only x86-64 has further levels")
        )]
        let mut levels = vec![Self(Kind::Baseline)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                levels.push(Self(Kind::Avx2));
                if is_x86_feature_detected!("avx512f") {
                    levels.push(Self(Kind::Avx512));
                }
            }
        }
        levels
    }

    /// The fastest level of this machine.
    #[must_use]
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self(Kind::Baseline))
    }

    /// Sines and cosines of all angles; the three slices are of one length.
    #[cfg(feature = "jit")]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls of functions with target features")
    )]
    #[inline]
    pub(crate) fn sin_cos(self, angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
        match self.0 {
            // SAFETY: such a level is only made where the machine has the feature.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { sin_cos_avx512(angles, sines, cosines) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { sin_cos_avx2(angles, sines, cosines) },
            Kind::Baseline => sin_cos_all(angles, sines, cosines),
        }
    }

    /// Runs instructions with this level's vector instructions.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls of functions with target features")
    )]
    pub(crate) fn run<const L: usize>(
        self,
        instructions: &[Instruction],
        tables: &[TableFunction],
        slots: &mut [[f64; L]],
    ) {
        match self.0 {
            // SAFETY: such a level is only made where the machine has the feature.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 if L == LANES => unsafe { run_avx512(instructions, tables, slots) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 if L == LANES => unsafe { run_avx2(instructions, tables, slots) },
            _ => run_baseline(instructions, tables, slots),
        }
    }
}

fn run_baseline<const L: usize>(
    instructions: &[Instruction],
    tables: &[TableFunction],
    slots: &mut [[f64; L]],
) {
    interpret::run(instructions, tables, slots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<const L: usize>(
    instructions: &[Instruction],
    tables: &[TableFunction],
    slots: &mut [[f64; L]],
) {
    interpret::run(instructions, tables, slots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_avx512<const L: usize>(
    instructions: &[Instruction],
    tables: &[TableFunction],
    slots: &mut [[f64; L]],
) {
    interpret::run(instructions, tables, slots);
}

/// As many angles at a time as there are, up to eight. The last vector reaches back to angles that have
/// been done, instead of going beyond the end.
#[cfg(feature = "jit")]
#[inline(always)]
fn sin_cos_all(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    match angles.len() {
        0 => {}
        1 => sin_cos_vectors::<1>(angles, sines, cosines),
        2 | 3 => sin_cos_vectors::<2>(angles, sines, cosines),
        4..8 => sin_cos_vectors::<4>(angles, sines, cosines),
        _ => sin_cos_vectors::<8>(angles, sines, cosines),
    }
}

#[cfg(feature = "jit")]
#[inline(always)]
fn sin_cos_vectors<const L: usize>(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    let mut at = 0;
    while at < angles.len() {
        let start = at.min(angles.len() - L);
        let (_, angles) = angles.split_at(start);
        if let (Some(angles), Some(sines), Some(cosines)) = (
            angles.first_chunk::<L>(),
            sines[start..].first_chunk_mut::<L>(),
            cosines[start..].first_chunk_mut::<L>(),
        ) {
            sincos::sin_cos_into(angles, sines, cosines);
        }
        at += L;
    }
}

#[cfg(all(feature = "jit", target_arch = "x86_64"))]
#[target_feature(enable = "avx2")]
fn sin_cos_avx2(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    sin_cos_all(angles, sines, cosines);
}

#[cfg(all(feature = "jit", target_arch = "x86_64"))]
#[target_feature(enable = "avx512f")]
fn sin_cos_avx512(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    sin_cos_all(angles, sines, cosines);
}

#[cfg(all(test, feature = "jit"))]
mod tests {
    use super::Vectors;
    use crate::sin_cos;

    /// Passes of native code: any number of angles, on any machine, the same bits.
    #[test]
    fn passes_are_the_single_sine_to_the_bit() {
        let mut rng = fastrand::Rng::with_seed(3);
        for length in (0..40).chain([1_000]) {
            let x: Vec<f64> = (0..length)
                .map(|_| match rng.u8(0..16) {
                    0 => f64::NAN,
                    1 => f64::NEG_INFINITY,
                    2 => -0.0,
                    3 => 1e22 * rng.f64(),
                    4 => 2f64.powf(rng.f64() * 1060.0 - 1040.0),
                    _ => (rng.f64() - 0.5) * 1e6,
                })
                .collect();
            for level in Vectors::available() {
                let (mut sines, mut cosines) = (vec![0.0; length], vec![0.0; length]);
                level.sin_cos(&x, &mut sines, &mut cosines);
                for ((x, s), c) in x.iter().zip(sines).zip(cosines) {
                    let (sine, cosine) = sin_cos(*x);
                    for (one, many) in [(sine, s), (cosine, c)] {
                        assert!(one.to_bits() == many.to_bits() || one.is_nan() && many.is_nan());
                    }
                }
            }
        }
    }
}
