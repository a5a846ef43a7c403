//! The loops over values and lanes in which the time of an integrator is spent.
//!
//! Sums run over the stages in the order of the row, and over the values in the order of the state, in
//! every lane alike and for every number of lanes: results do not depend on L.

use crate::options::Measure;
use crate::tableau::Row;
use dalembert_linear::decide::{COARSE, SOLVED};

/// `out` = y + h Σ a k, the sum over the stages in `row`. `k` holds the stages one after another.
pub(crate) fn advance<const L: usize>(
    out: &mut [[f64; L]],
    y: &[[f64; L]],
    h: &[f64; L],
    row: Row,
    k: &[[f64; L]],
) {
    let n = out.len();
    let y = &y[..n];
    each_sum(row, k, n, |i, sum| {
        for l in 0..L {
            out[i][l] = y[i][l] + h[l] * sum[l];
        }
    });
}

/// `out` = h Σ a k.
pub(crate) fn weigh<const L: usize>(out: &mut [[f64; L]], h: &[f64; L], row: Row, k: &[[f64; L]]) {
    let n = out.len();
    each_sum(row, k, n, |i, sum| {
        for l in 0..L {
            out[i][l] = h[l] * sum[l];
        }
    });
}

/// Hands Σ a k of each of the n values to `write`, with the length of the row known to the compiler.
#[inline(always)]
fn each_sum<const L: usize>(
    row: Row,
    k: &[[f64; L]],
    n: usize,
    write: impl FnMut(usize, [f64; L]),
) {
    match row.len() {
        1 => each_sum_of::<L, 1>(row, k, n, write),
        2 => each_sum_of::<L, 2>(row, k, n, write),
        3 => each_sum_of::<L, 3>(row, k, n, write),
        4 => each_sum_of::<L, 4>(row, k, n, write),
        5 => each_sum_of::<L, 5>(row, k, n, write),
        6 => each_sum_of::<L, 6>(row, k, n, write),
        7 => each_sum_of::<L, 7>(row, k, n, write),
        8 => each_sum_of::<L, 8>(row, k, n, write),
        9 => each_sum_of::<L, 9>(row, k, n, write),
        12 => each_sum_of::<L, 12>(row, k, n, write),
        length => unreachable!("no method has a row of {length} weights"),
    }
}

#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "the same index into all stages")]
fn each_sum_of<const L: usize, const W: usize>(
    row: Row,
    k: &[[f64; L]],
    n: usize,
    mut write: impl FnMut(usize, [f64; L]),
) {
    let weights: [f64; W] = std::array::from_fn(|w| row[w].1);
    let stages: [&[[f64; L]]; W] = std::array::from_fn(|w| &k[row[w].0 * n..][..n]);
    for i in 0..n {
        let mut sum = [0.0; L];
        for l in 0..L {
            sum[l] = weights[0] * stages[0][i][l];
        }
        for w in 1..W {
            for l in 0..L {
                sum[l] += weights[w] * stages[w][i][l];
            }
        }
        write(i, sum);
    }
}

/// Copies the lanes in `mask` from `source` to `target`.
pub(crate) fn copy_lanes<const L: usize>(
    target: &mut [[f64; L]],
    source: &[[f64; L]],
    mask: &[bool; L],
) {
    for (target, source) in target.iter_mut().zip(source) {
        for l in 0..L {
            target[l] = if mask[l] { source[l] } else { target[l] };
        }
    }
}

/// 1 / (atol + rtol max(|a|, |b|)) of each value.
pub(crate) fn inverse_scales<const L: usize>(
    out: &mut [[f64; L]],
    atol: &[f64],
    rtol: f64,
    a: &[[f64; L]],
    b: &[[f64; L]],
) {
    for (((out, atol), a), b) in out.iter_mut().zip(atol).zip(a).zip(b) {
        for l in 0..L {
            let (a, b) = (a[l].abs(), b[l].abs());
            // Not f64::max, which would hide a NaN in b.
            let largest = if a > b { a } else { b };
            out[l] = 1.0 / (atol + rtol * largest);
        }
    }
}

/// 1 / (rtol · scale) of each value, see [`Measure`]; `largest` is what each value has been so far, `k` the derivative at the
/// start of the step. What has been zero so far, and stays it, has no scale: any error there counts in full.
#[expect(clippy::too_many_arguments, reason = "all that a scale is made of")]
pub(crate) fn inverse_measured<const L: usize>(
    out: &mut [[f64; L]],
    groups: &mut [[f64; L]],
    measures: &[Measure],
    rtol: f64,
    largest: &[[f64; L]],
    y: &[[f64; L]],
    h: &[f64; L],
    k: &[[f64; L]],
) {
    groups.fill([0.0; L]);
    for ((out, measure), (largest, y)) in out.iter_mut().zip(measures).zip(largest.iter().zip(y)) {
        for l in 0..L {
            out[l] = largest[l].max(y[l].abs());
            if let Measure::Group {
                group,
                unit,
                part,
                share,
            } = measure
            {
                groups[*group][l] = groups[*group][l].max(out[l] / unit);
                groups[*part][l] = groups[*part][l].max(out[l] / share);
            }
        }
    }
    for ((out, measure), k) in out.iter_mut().zip(measures).zip(k) {
        for l in 0..L {
            out[l] = match measure {
                Measure::Free => 0.0,
                Measure::Group {
                    group,
                    unit,
                    part,
                    share,
                } => {
                    let of_group = COARSE * unit * groups[*group][l];
                    // Values of a part leave rounding in each other.
                    let of_part = SOLVED / rtol * share * groups[*part][l];
                    let own = out[l].max((h[l] * k[l]).abs());
                    let scale = own.max(of_group).max(of_part);
                    (1.0 / (rtol * scale)).min(f64::MAX)
                }
            };
        }
    }
}

/// largest ← max(largest, |y|) in the lanes in `mask`.
pub(crate) fn remember_largest<const L: usize>(
    largest: &mut [[f64; L]],
    y: &[[f64; L]],
    mask: &[bool; L],
) {
    for (largest, y) in largest.iter_mut().zip(y) {
        for l in 0..L {
            if mask[l] {
                largest[l] = largest[l].max(y[l].abs());
            }
        }
    }
}

/// Sum over the values of (e · inverse scale)².
pub(crate) fn square_sum<const L: usize>(e: &[[f64; L]], inverse_scales: &[[f64; L]]) -> [f64; L] {
    let mut sum = [0.0; L];
    for (e, s) in e.iter().zip(inverse_scales) {
        for l in 0..L {
            let scaled = e[l] * s[l];
            sum[l] += scaled * scaled;
        }
    }
    sum
}

/// Lanes in which all values are finite.
pub(crate) fn finite_lanes<const L: usize>(values: &[[f64; L]]) -> [bool; L] {
    let mut sum = [0.0; L];
    for value in values {
        for l in 0..L {
            sum[l] += value[l] * 0.0;
        }
    }
    sum.map(|zero: f64| zero.is_finite())
}
