//! Right sides go forward through the fronts, and back.
//!
//! Compiled three times on x86-64, as the elimination is.

use super::eliminate::Pivots;
use super::fronts::{Front, Fronts, Room};
use super::kkt::Equations;

impl Fronts {
    /// x ← K⁻¹ x, as it was factored.
    pub(super) fn solve(&self, (factor, by): (&[f64], Pivots), x: &mut [f64], room: &mut Room) {
        match by {
            Pivots::Plain => self.solve_by::<true>(factor, x, room),
            Pivots::Replaced => self.solve_by::<false>(factor, x, room),
        }
    }

    fn solve_by<const TURNED: bool>(&self, factor: &[f64], x: &mut [f64], room: &mut Room) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.solve_avx512::<TURNED>(factor, x, room) };
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.solve_avx2::<TURNED>(factor, x, room) };
        }
        self.solve_any::<TURNED>(factor, x, room);
    }

    /// The same operations in the same order, four at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn solve_avx2<const TURNED: bool>(&self, factor: &[f64], x: &mut [f64], room: &mut Room) {
        self.solve_any::<TURNED>(factor, x, room);
    }

    /// The same, eight at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn solve_avx512<const TURNED: bool>(&self, factor: &[f64], x: &mut [f64], room: &mut Room) {
        self.solve_any::<TURNED>(factor, x, room);
    }

    #[inline(always)]
    pub(super) fn solve_any<const TURNED: bool>(
        &self,
        factor: &[f64],
        x: &mut [f64],
        room: &mut Room,
    ) {
        let (of_leaves, factor) = factor.split_at(self.leaves.factor);
        self.leaves.forward(of_leaves, x);
        let mut made = 0;
        for front in &self.fronts {
            let own = &factor[made..made + front.factor()];
            made += own.len();
            let rows = &self.rows[front.rows()];
            match front.width {
                4 => forward::<4, TURNED>(front, own, rows, x),
                8 => forward::<8, TURNED>(front, own, rows, x),
                12 => forward::<12, TURNED>(front, own, rows, x),
                16 => forward::<16, TURNED>(front, own, rows, x),
                24 => forward::<24, TURNED>(front, own, rows, x),
                _ => forward_wide(front, own, rows, x, &mut room.front),
            }
        }
        for front in self.fronts.iter().rev() {
            made -= front.factor();
            let own = &factor[made..made + front.factor()];
            let rows = &self.rows[front.rows()];
            match front.width {
                4 => back::<4, TURNED>(front, own, rows, x),
                8 => back::<8, TURNED>(front, own, rows, x),
                12 => back::<12, TURNED>(front, own, rows, x),
                16 => back::<16, TURNED>(front, own, rows, x),
                24 => back::<24, TURNED>(front, own, rows, x),
                _ => back_wide(front, own, rows, x, &mut room.front),
            }
        }
        self.leaves.back(of_leaves, x);
    }
}

impl Fronts {
    /// What leaves say of equations: taken from what is left of them, and added to the sizes of their terms.
    pub(super) fn left_over(&self, equations: &mut Equations<'_>) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.left_over_avx512(equations) };
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.left_over_avx2(equations) };
        }
        self.leaves.left_over(equations);
    }

    /// The same operations in the same order, four at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn left_over_avx2(&self, equations: &mut Equations<'_>) {
        self.leaves.left_over(equations);
    }

    /// The same, eight at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn left_over_avx512(&self, equations: &mut Equations<'_>) {
        self.leaves.left_over(equations);
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
fn forward<const WIDTH: usize, const TURNED: bool>(
    front: &Front,
    own: &[f64],
    rows: &[u32],
    x: &mut [f64],
) {
    let (first, pivots) = (front.first as usize, front.pivots as usize);
    let columns = own.as_chunks::<WIDTH>().0;
    let mut local = pivots_of::<WIDTH>(x, first, pivots);
    if TURNED {
        // No number waits for another.
        let known = local;
        for (column, known) in columns[..pivots].iter().zip(known) {
            for (value, entry) in local.iter_mut().zip(column) {
                *value += entry * known;
            }
        }
    } else {
        for (k, column) in columns[..pivots].iter().enumerate() {
            let known = local[k];
            for (value, l) in local.iter_mut().zip(column) {
                *value -= l * known;
            }
        }
    }
    put_pivots(&local, x, first, pivots);
    for (value, &row) in local[pivots..].iter().zip(rows) {
        x[row as usize] += value;
    }
}

/// x ← L⁻ᵀ D⁻¹ x, the part of a front.
#[inline(always)]
fn back<const WIDTH: usize, const TURNED: bool>(
    front: &Front,
    own: &[f64],
    rows: &[u32],
    x: &mut [f64],
) {
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
    let along = |column: &[f64; WIDTH], local: &[f64; WIDTH]| match WIDTH % 8 {
        0 => product::<8>(local, column),
        _ => product::<4>(local, column),
    };
    if TURNED {
        let known = local;
        for (value, column) in local.iter_mut().zip(columns) {
            *value += along(column, &known);
        }
    } else {
        for (k, column) in columns.iter().enumerate().rev() {
            local[k] -= along(column, &local);
        }
    }
    put_pivots(&local, x, first, pivots);
}

/// The product of two columns, in so many sums, which are then added in pairs.
#[inline(always)]
fn product<const SUMS: usize>(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    for (x, y) in x.as_chunks::<SUMS>().0.iter().zip(y.as_chunks::<SUMS>().0) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    let mut left = SUMS;
    while left > 1 {
        left /= 2;
        for k in 0..left {
            sums[k] += sums[k + left];
        }
    }
    sums[0]
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
