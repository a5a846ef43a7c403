//! Right sides go forward through the fronts, and back.
//!
//! Compiled twice on x86-64, as the elimination is.

use super::fronts::{Front, Fronts, Room};

impl Fronts {
    /// x ← K⁻¹ x.
    pub(super) fn solve(&self, factor: &[f64], x: &mut [f64], room: &mut Room) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.solve_avx2(factor, x, room) };
        }
        self.solve_any(factor, x, room);
    }

    /// The same operations in the same order, four at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn solve_avx2(&self, factor: &[f64], x: &mut [f64], room: &mut Room) {
        self.solve_any(factor, x, room);
    }

    #[inline(always)]
    pub(super) fn solve_any(&self, factor: &[f64], x: &mut [f64], room: &mut Room) {
        let mut made = 0;
        for front in &self.fronts {
            let own = &factor[made..made + front.factor()];
            made += own.len();
            let rows = &self.rows[front.rows()];
            match front.width {
                4 => forward::<4>(front, own, rows, x),
                8 => forward::<8>(front, own, rows, x),
                12 => forward::<12>(front, own, rows, x),
                16 => forward::<16>(front, own, rows, x),
                24 => forward::<24>(front, own, rows, x),
                _ => forward_wide(front, own, rows, x, &mut room.front),
            }
        }
        for front in self.fronts.iter().rev() {
            made -= front.factor();
            let own = &factor[made..made + front.factor()];
            let rows = &self.rows[front.rows()];
            match front.width {
                4 => back::<4>(front, own, rows, x),
                8 => back::<8>(front, own, rows, x),
                12 => back::<12>(front, own, rows, x),
                16 => back::<16>(front, own, rows, x),
                24 => back::<24>(front, own, rows, x),
                _ => back_wide(front, own, rows, x, &mut room.front),
            }
        }
    }
}

/// The pivots' part of x, in a column.
#[inline(always)]
fn pivots_of<const WIDTH: usize>(x: &[f64], first: usize, pivots: usize) -> [f64; WIDTH] {
    let mut local = [0.0; WIDTH];
    match x[first..].first_chunk::<WIDTH>() {
        // A whole column at once is quicker than a few numbers.
        Some(whole) => {
            for (k, (value, x)) in local.iter_mut().zip(whole).enumerate() {
                *value = if k < pivots { *x } else { 0.0 };
            }
        }
        None => local[..pivots].copy_from_slice(&x[first..first + pivots]),
    }
    local
}

#[inline(always)]
fn put_pivots<const WIDTH: usize>(
    local: &[f64; WIDTH],
    x: &mut [f64],
    first: usize,
    pivots: usize,
) {
    match x[first..].first_chunk_mut::<WIDTH>() {
        Some(whole) => {
            for (k, (x, value)) in whole.iter_mut().zip(local).enumerate() {
                *x = if k < pivots { *value } else { *x };
            }
        }
        None => x[first..first + pivots].copy_from_slice(&local[..pivots]),
    }
}

/// x ← L⁻¹ x, the part of a front.
#[inline(always)]
fn forward<const WIDTH: usize>(front: &Front, own: &[f64], rows: &[u32], x: &mut [f64]) {
    let (first, pivots) = (front.first as usize, front.pivots as usize);
    let columns = own.as_chunks::<WIDTH>().0;
    let mut local = pivots_of::<WIDTH>(x, first, pivots);
    for (k, column) in columns[..pivots].iter().enumerate() {
        let known = local[k];
        for (value, l) in local.iter_mut().zip(column) {
            *value -= l * known;
        }
    }
    put_pivots(&local, x, first, pivots);
    for (value, &row) in local[pivots..].iter().zip(rows) {
        x[row as usize] += value;
    }
}

/// x ← L⁻ᵀ D⁻¹ x, the part of a front.
#[inline(always)]
fn back<const WIDTH: usize>(front: &Front, own: &[f64], rows: &[u32], x: &mut [f64]) {
    let (first, pivots) = (front.first as usize, front.pivots as usize);
    let (columns, inverses) = own.split_at(WIDTH * pivots);
    let columns = columns.as_chunks::<WIDTH>().0;
    let mut local = pivots_of::<WIDTH>(x, first, pivots);
    for (value, inverse) in local.iter_mut().zip(inverses) {
        *value *= inverse;
    }
    for (value, &row) in local[pivots..].iter_mut().zip(rows) {
        *value = x[row as usize];
    }
    for (k, column) in columns.iter().enumerate().rev() {
        let mut sums = [0.0; 4];
        for (values, entries) in local
            .as_chunks::<4>()
            .0
            .iter()
            .zip(column.as_chunks::<4>().0)
        {
            for ((sum, value), entry) in sums.iter_mut().zip(values).zip(entries) {
                *sum += value * entry;
            }
        }
        local[k] -= (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
    put_pivots(&local, x, first, pivots);
}

fn forward_wide(front: &Front, own: &[f64], rows: &[u32], x: &mut [f64], local: &mut [f64]) {
    let (first, pivots, width) = (
        front.first as usize,
        front.pivots as usize,
        front.width as usize,
    );
    let local = &mut local[..width];
    local.fill(0.0);
    local[..pivots].copy_from_slice(&x[first..first + pivots]);
    for (k, column) in own.chunks_exact(width).take(pivots).enumerate() {
        let known = local[k];
        crate::add_scaled(local, -known, column);
    }
    x[first..first + pivots].copy_from_slice(&local[..pivots]);
    for (value, &row) in local[pivots..].iter().zip(rows) {
        x[row as usize] += value;
    }
}

fn back_wide(front: &Front, own: &[f64], rows: &[u32], x: &mut [f64], local: &mut [f64]) {
    let (first, pivots, width) = (
        front.first as usize,
        front.pivots as usize,
        front.width as usize,
    );
    let (columns, inverses) = own.split_at(width * pivots);
    let local = &mut local[..width];
    local.fill(0.0);
    for ((value, x), inverse) in local.iter_mut().zip(&x[first..]).zip(inverses) {
        *value = x * inverse;
    }
    for (value, &row) in local[pivots..].iter_mut().zip(rows) {
        *value = x[row as usize];
    }
    for (k, column) in columns.chunks_exact(width).enumerate().rev() {
        local[k] -= crate::dot(column, local);
    }
    x[first..first + pivots].copy_from_slice(&local[..pivots]);
}
