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

    /// Numerator and denominator modulo a prime below 2^63.
    #[must_use]
    pub(crate) fn residues(&self, prime: u64) -> Option<[u64; 2]> {
        let small = |n: i64| n.rem_euclid(prime as i64) as u64;
        let large = |n: &BigInt| n.mod_floor(&BigInt::from(prime)).to_u64();
        match &self.0 {
            Repr::Small(n, d) => Some([small(*n), small(*d)]),
            Repr::Big(parts) => Some([large(&parts.0)?, large(&parts.1)?]),
        }
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
