//! One contact with friction through an impact, by Poisson's hypothesis (Routh's method).
//!
//! ```text
//! dg'/dp = Wₙₙ + r Wₙₜ,   du/dp = Wₜₙ + r Wₜₜ      p grows from 0; r is the part of it that is friction
//! r = −μ u/|u| where it slips;  −Wₜₙ/Wₜₜ where it does not and that is within μ, else it begins to slip the way Wₜₙ drives it
//! ```
//!
//! Compression is over where g' = 0, at p = P; the impact at p = (1 + e) P. Both velocities are made of straight pieces, and a slip stops once at most.
//! Kinetic energy never grows for 0 ≤ e ≤ 1.
//!
//! Wang, Mason, "Two-dimensional rigid-body collisions with friction", J. Appl. Mech. 59 (1992) 635–642.

use dalembert_linear::decide::CANCELLED;

/// Pieces of the way: slipping, then sticking or slipping back, each in compression and after it.
const PIECES: usize = 4;

/// One contact with friction along a line, about to be struck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// Wₙₙ, Wₙₜ, Wₜₜ.
    pub mobility: [f64; 3],
    /// Rates of gap and slip before; the gap closes.
    pub rates: [f64; 2],
    /// μ.
    pub coefficient: f64,
    /// e.
    pub restitution: f64,
}

impl Collision {
    /// The impulses along normal and tangent; `None` where compression does not end, as normal and tangent are one direction to what is struck.
    #[must_use]
    pub fn impulses(&self) -> Option<[f64; 2]> {
        let [nn, nt, tt] = self.mobility;
        let [mut gap, mut slip] = self.rates;
        let (mut normal, mut tangent, mut end) = (0.0, 0.0, f64::INFINITY);
        for _ in 0..PIECES {
            let part = self.friction(slip);
            let [gap_slope, slip_slope] = [nn + part * nt, nt + part * tt];
            let stops = match slip * slip_slope < 0.0 {
                true => -slip / slip_slope,
                false => f64::INFINITY,
            };
            // The slope that sticking leaves of a gap is a difference.
            let is_compressed = end.is_infinite();
            let turns = match is_compressed && gap_slope > CANCELLED * nn {
                true => -gap / gap_slope,
                false => f64::INFINITY,
            };
            let piece = stops.min(turns).min(end - normal);
            if !piece.is_finite() {
                return None;
            }
            normal += piece;
            tangent += part * piece;
            gap += piece * gap_slope;
            slip = if stops <= piece {
                0.0
            } else {
                slip + piece * slip_slope
            };
            if turns <= piece {
                (gap, end) = (0.0, (1.0 + self.restitution) * normal);
            }
            if normal >= end {
                break;
            }
        }
        Some([normal, tangent])
    }

    /// The part of a small normal impulse that is friction.
    fn friction(&self, slip: f64) -> f64 {
        let [_, nt, tt] = self.mobility;
        let most = self.coefficient;
        if slip != 0.0 {
            return -most * slip.signum();
        }
        match tt > 0.0 {
            true => (-nt / tt).clamp(-most, most),
            false => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Collision;

    /// The same in many small impulses, each with the friction of the velocities that those before it have left.
    fn marched(of: &Collision, steps: usize) -> [f64; 2] {
        let [nn, nt, tt] = of.mobility;
        let [mut gap, mut slip] = of.rates;
        let step = -gap / nn / steps as f64;
        let (mut normal, mut tangent, mut end) = (0.0, 0.0, f64::INFINITY);
        while normal < end {
            // Coulomb's law at the end of each: what would stop the slip, within the cone.
            let stop = -(slip + step * nt) / tt;
            let friction = stop.clamp(-of.coefficient * step, of.coefficient * step);
            (normal, tangent) = (normal + step, tangent + friction);
            gap += nn * step + nt * friction;
            slip += nt * step + tt * friction;
            if gap >= 0.0 && end.is_infinite() {
                end = (1.0 + of.restitution) * normal;
            }
        }
        [normal, tangent]
    }

    #[test]
    fn impacts_are_those_of_many_small_impulses_and_bring_no_energy() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut number = || 2.0 * random.f64() - 1.0;
        for _ in 0..300 {
            let [a, b, c, d] = std::array::from_fn(|_| number());
            let mobility = [a * a + b * b, a * c + b * d, c * c + d * d + 0.01];
            let [nn, nt, tt] = mobility;
            if nn * tt - nt * nt < 0.05 * nn * tt {
                continue;
            }
            let of = Collision {
                mobility,
                rates: [-0.1 - number().abs(), number()],
                coefficient: 1.5 * number().abs(),
                restitution: number().abs(),
            };
            let [normal, tangent] = of.impulses().expect("an end");
            let [by_steps, aside] = marched(&of, 40_000);
            let size = normal.max(by_steps);
            assert!((normal - by_steps).abs() < 1e-3 * size, "{of:?}");
            assert!((tangent - aside).abs() < 1e-3 * size, "{of:?}");
            assert!(tangent.abs() <= of.coefficient * normal * (1.0 + 1e-12));
            let gap = of.rates[0] + nn * normal + nt * tangent;
            let slip = of.rates[1] + nt * normal + tt * tangent;
            assert!(gap >= -1e-12, "{of:?}: {gap}");
            let work = 0.5 * (normal * (gap + of.rates[0]) + tangent * (slip + of.rates[1]));
            assert!(work <= 1e-12, "{of:?}: {work}");
        }
    }

    #[test]
    fn smooth_impacts_and_uncoupled_ones_are_newtons() {
        let mut of = Collision {
            mobility: [2.0, 0.7, 1.0],
            rates: [-3.0, 0.4],
            coefficient: 0.0,
            restitution: 0.5,
        };
        assert_eq!(of.impulses(), Some([2.25, 0.0]));
        // A ball with spin, whose slip stops: 0.4 = 1 · 0.4.
        (of.mobility, of.coefficient) = ([2.0, 0.0, 1.0], 0.3);
        let [normal, tangent] = of.impulses().expect("an end");
        assert!((normal - 2.25).abs() < 1e-14 && (tangent + 0.4).abs() < 1e-14);
        // Normal and tangent are one direction: friction that jams does not let compression end.
        (of.mobility, of.rates, of.coefficient) = ([1.0, 1.0, 1.0], [-1.0, 1.0], 2.0);
        assert_eq!(of.impulses(), None);
    }
}
