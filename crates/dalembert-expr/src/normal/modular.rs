//! Images of polynomials modulo a prime: upper bounds for the degrees of a common divisor.

use super::GeneratorId;
use super::polynomial::Polynomial;
use crate::rational::Rational;

const PRIME: u64 = (1 << 61) - 1;

fn multiply(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    let sum = (wide as u64 & PRIME) + (wide >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn subtract(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

fn power(base: u64, exponent: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, base, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

fn inverse(a: u64) -> u64 {
    power(a, PRIME - 2)
}

/// The residue of a number; `None` if the prime divides its denominator.
fn residue(number: &Rational) -> Option<u64> {
    match number.residues(PRIME)? {
        [_, 0] => None,
        [n, 1] => Some(n),
        [n, d] => Some(multiply(n, inverse(d))),
    }
}

/// A value for each generator that no formula expects.
fn value(generator: GeneratorId) -> u64 {
    let mut x = (u64::from(generator.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 32;
    2 + (x & PRIME) % (PRIME - 4)
}

/// A polynomial with all its generators given values, term by term.
struct Image<'a> {
    polynomial: &'a Polynomial,
    values: Vec<u64>,
}

impl<'a> Image<'a> {
    fn new(polynomial: &'a Polynomial) -> Option<Self> {
        let values = polynomial
            .terms
            .iter()
            .map(|(m, c)| {
                let product = m.powers().fold(residue(c)?, |product, (g, n)| {
                    multiply(product, power(value(g), u64::from(n)))
                });
                Some(product)
            })
            .collect::<Option<_>>()?;
        Some(Self { polynomial, values })
    }

    /// Coefficients by ascending exponent of one generator, the others having values.
    fn in_powers(&self, generator: GeneratorId) -> Vec<u64> {
        let degree = usize::from(self.polynomial.degree(generator));
        let back = inverse(value(generator));
        let inverses: Vec<u64> = std::iter::successors(Some(1), |&x| Some(multiply(x, back)))
            .take(degree + 1)
            .collect();
        let mut coefficients = vec![0; degree + 1];
        for ((m, _), &x) in self.polynomial.terms.iter().zip(&self.values) {
            let n = usize::from(m.exponent(generator));
            let sum = coefficients[n] + multiply(x, inverses[n]);
            coefficients[n] = if sum >= PRIME { sum - PRIME } else { sum };
        }
        coefficients
    }
}

/// The degree of the greatest common divisor of two polynomials in one variable; `None` if a leading
/// coefficient vanished.
fn common_degree(mut a: Vec<u64>, mut b: Vec<u64>) -> Option<usize> {
    if *a.last()? == 0 || *b.last()? == 0 {
        return None;
    }
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    loop {
        // a modulo b
        let lead = inverse(*b.last()?);
        while a.len() >= b.len() {
            let factor = multiply(*a.last()?, lead);
            let shift = a.len() - b.len();
            for (i, &x) in b.iter().enumerate() {
                a[shift + i] = subtract(a[shift + i], multiply(factor, x));
            }
            while a.last() == Some(&0) {
                a.pop();
            }
        }
        if a.is_empty() {
            return Some(b.len() - 1);
        }
        if a.len() == 1 {
            return Some(0);
        }
        std::mem::swap(&mut a, &mut b);
    }
}

/// For each generator, a number that the degree of a common divisor of `a` and `b` cannot exceed.
///
/// The images of a and b have the image of every common divisor in common; where no leading
/// coefficient vanishes its degree is not less.
pub(super) fn degree_bounds(
    a: &Polynomial,
    b: &Polynomial,
    generators: &[GeneratorId],
) -> Vec<usize> {
    let images = Image::new(a).zip(Image::new(b));
    let bound = |&generator: &GeneratorId| {
        let trivial = usize::from(a.degree(generator).min(b.degree(generator)));
        let Some((a, b)) = &images else {
            return trivial;
        };
        let degree = common_degree(a.in_powers(generator), b.in_powers(generator));
        degree.unwrap_or(trivial).min(trivial)
    };
    generators.iter().map(bound).collect()
}

/// Whether no square of something with `generator` divides the polynomial: certain if true.
pub(super) fn is_square_free(p: &Polynomial, generator: GeneratorId) -> bool {
    let Some(image) = Image::new(p) else {
        return false;
    };
    let coefficients = image.in_powers(generator);
    let slope = (1_u64..)
        .zip(&coefficients[1..])
        .map(|(n, &c)| multiply(n, c))
        .collect();
    common_degree(coefficients, slope) == Some(0)
}
