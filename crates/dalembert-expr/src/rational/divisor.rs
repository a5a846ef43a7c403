//! Divisors of rational numbers, for polynomials over them.

use super::{Rational, Repr};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

impl Rational {
    /// The largest d ≥ 0 of which both are integer multiples: gcd(4/3, 2) is 2/3.
    #[must_use]
    pub fn common_divisor(&self, other: &Self) -> Self {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            let numerator = a.unsigned_abs().gcd(&c.unsigned_abs());
            let denominator = if b == d {
                i128::from(*b)
            } else {
                i128::from(*b) / i128::from(b.gcd(d)) * i128::from(*d)
            };
            return Self::from_wide(i128::from(numerator), denominator);
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Self::from_big(a.gcd(&c).abs(), b.lcm(&d))
    }

    /// The residue modulo a prime below 2^62; `None` if the prime divides the denominator.
    #[must_use]
    pub(crate) fn residue(&self, prime: u64) -> Option<u64> {
        let reduce = |n: &BigInt| n.mod_floor(&BigInt::from(prime)).to_u64();
        let (n, d) = match &self.0 {
            Repr::Small(n, 1) => return Some(i128::from(*n).rem_euclid(i128::from(prime)) as u64),
            Repr::Small(n, d) => (
                i128::from(*n).rem_euclid(i128::from(prime)) as u64,
                i128::from(*d).rem_euclid(i128::from(prime)) as u64,
            ),
            Repr::Big(parts) => (reduce(&parts.0)?, reduce(&parts.1)?),
        };
        let multiply = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(prime)) as u64;
        let (mut inverse, mut base, mut exponent) = (1, d, prime - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                inverse = multiply(inverse, base);
            }
            base = multiply(base, base);
            exponent >>= 1;
        }
        (d != 0).then(|| multiply(n, inverse))
    }

    /// x = outside² · Π primes · rest for x > 0: what comes out of √x, the primes below 1000 that stay
    /// once under it, and an integer without such primes.
    pub(crate) fn square_parts(&self) -> Option<(Self, Vec<i64>, Self)> {
        let (n, d) = self.as_small().filter(|&(n, _)| n > 0)?;
        let mut rest = i128::from(n) * i128::from(d);
        let mut outside = Self::new(1, d)?;
        let mut primes = Vec::new();
        for p in 2..1000_i64 {
            let mut odd = false;
            while rest % i128::from(p) == 0 {
                rest /= i128::from(p);
                odd = !odd;
                if !odd {
                    outside = outside.checked_mul(&Self::integer(p))?;
                }
            }
            if odd {
                primes.push(p);
            }
            if rest.is_one() {
                break;
            }
        }
        let rest = Self::integer(i64::try_from(rest).ok()?);
        match rest.exact_sqrt() {
            Some(root) => Some((outside.checked_mul(&root)?, primes, Self::ONE)),
            None => Some((outside, primes, rest)),
        }
    }
}
