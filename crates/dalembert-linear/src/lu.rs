//! L U of general square matrices, real or complex, with partial pivoting.

use std::ops::{Add, Div, Mul, Sub};

/// Numbers that matrices are made of.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Zero.
    const ZERO: Self;
    /// A real number.
    fn real(value: f64) -> Self;
    /// Times a real number.
    fn times(self, factor: f64) -> Self;
    /// A size, as pivots are compared by: not that of [`f64::abs`] where another is cheaper and as good.
    fn size(self) -> f64;
}

impl Scalar for f64 {
    const ZERO: Self = 0.0;
    fn real(value: f64) -> Self {
        value
    }
    fn times(self, factor: f64) -> Self {
        self * factor
    }
    fn size(self) -> f64 {
        self.abs()
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            re: self.re - other.re,
            im: self.im - other.im,
        }
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl Div for Complex {
    type Output = Self;
    /// Smith's way: neither part is squared, so nothing overflows that need not.
    fn div(self, other: Self) -> Self {
        let (a, b) = (self, other);
        if b.re.abs() >= b.im.abs() {
            let part = b.im / b.re;
            let length = b.re + b.im * part;
            Self {
                re: (a.re + a.im * part) / length,
                im: (a.im - a.re * part) / length,
            }
        } else {
            let part = b.re / b.im;
            let length = b.re * part + b.im;
            Self {
                re: (a.re * part + a.im) / length,
                im: (a.im * part - a.re) / length,
            }
        }
    }
}

impl Scalar for Complex {
    const ZERO: Self = Self { re: 0.0, im: 0.0 };
    fn real(value: f64) -> Self {
        Self { re: value, im: 0.0 }
    }
    fn times(self, factor: f64) -> Self {
        Self {
            re: self.re * factor,
            im: self.im * factor,
        }
    }
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

/// Factors of a matrix of n rows.
#[derive(Clone, Debug)]
pub struct Lu<T> {
    n: usize,
    factors: Vec<T>,
    order: Vec<usize>,
    room: Vec<T>,
}

impl<T: Scalar> Lu<T> {
    /// Room for matrices of n rows.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self {
            n,
            factors: vec![T::ZERO; n * n],
            order: vec![0; n],
            room: vec![T::ZERO; n],
        }
    }

    /// Factors the matrix whose rows `write` gives; false where it is singular, or no numbers.
    pub fn factor(&mut self, mut write: impl FnMut(usize, &mut [T])) -> bool {
        let n = self.n;
        for (row, target) in self.factors.chunks_exact_mut(n.max(1)).enumerate() {
            write(row, target);
        }
        self.order.iter_mut().enumerate().for_each(|(i, k)| *k = i);
        for k in 0..n {
            let size = |row: &usize| self.factors[row * n + k].size();
            let best = (k..n).max_by(|a, b| size(a).total_cmp(&size(b)));
            let best = best.unwrap_or(k);
            if !(size(&best) > 0.0 && size(&best).is_finite()) {
                return false;
            }
            if best != k {
                self.order.swap(best, k);
                let (upper, lower) = self.factors.split_at_mut(best * n);
                upper[k * n..][..n].swap_with_slice(&mut lower[..n]);
            }
            let (done, below) = self.factors.split_at_mut((k + 1) * n);
            let pivot_row = &done[k * n..];
            let pivot = pivot_row[k];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] / pivot;
                row[k] = factor;
                for (entry, above) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                    *entry = *entry - factor * *above;
                }
            }
        }
        true
    }

    /// Size of the least pivot, as [`Scalar::size`] has it.
    #[must_use]
    pub fn least_pivot(&self) -> f64 {
        let pivots = (0..self.n).map(|i| self.factors[i * self.n + i].size());
        pivots.fold(f64::INFINITY, f64::min)
    }

    /// x ← the solution for the right side x.
    pub fn solve(&mut self, x: &mut [T]) {
        let n = self.n;
        for (target, &row) in self.room.iter_mut().zip(&self.order) {
            *target = x[row];
        }
        for (i, row) in self.factors.chunks_exact(n.max(1)).enumerate() {
            let mut sum = self.room[i];
            for (factor, known) in row[..i].iter().zip(&self.room[..i]) {
                sum = sum - *factor * *known;
            }
            self.room[i] = sum;
        }
        for (i, row) in self.factors.chunks_exact(n.max(1)).enumerate().rev() {
            let mut sum = self.room[i];
            for (factor, known) in row[i + 1..].iter().zip(&self.room[i + 1..]) {
                sum = sum - *factor * *known;
            }
            self.room[i] = sum / row[i];
        }
        x.copy_from_slice(&self.room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(generator: &mut fastrand::Rng) -> f64 {
        generator.f64() - 0.5
    }

    #[test]
    fn products_with_the_matrix_are_the_right_sides() {
        let mut generator = fastrand::Rng::with_seed(3);
        for n in [1, 2, 5, 17] {
            let matrix: Vec<Complex> = (0..n * n)
                .map(|_| Complex {
                    re: random(&mut generator),
                    im: random(&mut generator),
                })
                .collect();
            let (mut real, mut complex) = (Lu::<f64>::new(n), Lu::<Complex>::new(n));
            let row = |i: usize| &matrix[i * n..][..n];
            assert!(complex.factor(|i, target| target.copy_from_slice(row(i))));
            assert!(real.factor(|i, target| {
                for (target, entry) in target.iter_mut().zip(row(i)) {
                    *target = entry.re;
                }
            }));
            let right: Vec<f64> = (0..n).map(|_| random(&mut generator)).collect();
            let mut x = right.clone();
            real.solve(&mut x);
            let mut z: Vec<Complex> = right.iter().map(|&re| Complex { re, im: -re }).collect();
            complex.solve(&mut z);
            for (i, &right) in right.iter().enumerate() {
                let real: f64 = row(i).iter().zip(&x).map(|(a, x)| a.re * x).sum();
                assert!((real - right).abs() < 1e-12);
                let products = row(i).iter().zip(&z).map(|(a, z)| *a * *z);
                let sum = products.fold(Complex::ZERO, |sum, part| sum + part);
                let left = sum
                    - Complex {
                        re: right,
                        im: -right,
                    };
                assert!(left.size() < 1e-12);
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::<f64>::new(2);
        assert!(!lu.factor(|_, row| row.copy_from_slice(&[1.0, 2.0])));
        assert!(!lu.factor(|_, row| row.copy_from_slice(&[f64::NAN, 2.0])));
        assert!(lu.factor(|i, row| row.copy_from_slice(&[i as f64, 1.0 - i as f64])));
    }
}
