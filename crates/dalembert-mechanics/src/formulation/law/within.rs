//! Forces that hold slips and are not unique, moved to where friction can.
//!
//! ```text
//! τ = τ₀ + Z z,   λ = λ₀ + L τ           G Z = 0
//! |τᵢ| ≤ μᵢ Nᵢ(λ),   Nᵢ ≥ 0              |z| least (`least_within` in `dalembert-contact`)
//! ```
//!
//! A bound that is not met is cut: along a line by one of its ends, in a plane by the tangent of its disk nearest to the force. Cuts are added until all is
//! met, each of which leaves a fourth of what was missed in a plane; or until nothing is within all of them, and then friction cannot hold.

use super::holds::Holds;
use super::slide::Slide;
use crate::decide::{CANCELLED, CLEAR, MET, SOLVED};
use crate::linear::{dot, norm};
use dalembert_contact::least_within;

/// Rounds in which bounds are cut.
const ROUNDS: usize = 60;

/// What a slip is held within, as z moves the forces.
struct Bound {
    /// μ N, and how it changes with each of Z.
    most: f64,
    slopes: Vec<f64>,
    /// Places of the force among the directions held: none where it slides.
    own: Vec<usize>,
    is_contact: bool,
    /// Part of the bound that is left, beyond what rounding does to it.
    margin: f64,
}

/// Something linear in z that may not be negative, and where it cuts.
struct Cut {
    slopes: Vec<f64>,
    least: f64,
    at: Tangent,
}

/// Where a bound is cut: which bound, and the way of the force there; none where what presses would pull.
#[derive(Clone)]
pub(super) struct Tangent {
    bound: usize,
    way: Option<Vec<f64>>,
}

impl Cut {
    /// Whether it is met, and no more, at forces moved by z.
    fn is_tight(&self, z: &[f64]) -> bool {
        let size = self.least.abs() + norm(&self.slopes) * norm(z);
        dot(&self.slopes, z) - self.least <= CLEAR * size
    }
}

impl Bound {
    /// What is not met at forces moved by z, if something is not, beside the largest bound.
    fn missed(
        &self,
        (tau, idle): (&[f64], &[Vec<f64>]),
        z: &[f64],
        largest: f64,
    ) -> Option<Option<Vec<f64>>> {
        let most = self.most + dot(&self.slopes, z);
        if self.is_contact && most < -CANCELLED * largest {
            return Some(None);
        }
        let moved = |k: usize| {
            let parts = idle.iter().zip(z).map(|(it, z)| it[k] * z);
            tau[k] + parts.sum::<f64>()
        };
        let force: Vec<f64> = self.own.iter().map(|&k| moved(k)).collect();
        let strength = norm(&force);
        // Where nothing presses, what rounding of the others leaves needs no holding.
        let enough = (1.0 - 0.5 * self.margin) * most.max(0.0);
        if strength <= enough.max(SOLVED * largest) {
            return None;
        }
        Some(Some(force.iter().map(|part| part / strength).collect()))
    }

    /// The bound as it is cut.
    fn cut(&self, (tau, idle): (&[f64], &[Vec<f64>]), at: Tangent) -> Cut {
        let Some(way) = &at.way else {
            return Cut {
                slopes: self.slopes.clone(),
                least: -self.most,
                at,
            };
        };
        let along = |forces: &[f64]| -> f64 {
            let parts = self.own.iter().zip(way);
            parts.map(|(&k, part)| forces[k] * part).sum()
        };
        let within = 1.0 - self.margin;
        let slopes = self.slopes.iter().zip(idle);
        Cut {
            slopes: slopes.map(|(s, it)| within * s - along(it)).collect(),
            least: along(tau) - within * self.most,
            at,
        }
    }
}

impl Holds {
    /// Moves forces that are not unique to where friction can hold, if there are such, for multipliers without them.
    pub(super) fn move_within(&mut self, slides: &[Slide], multipliers: &[f64]) {
        if self.idle.is_empty() {
            return;
        }
        let bounds = self.bounds(slides, multipliers);
        let largest = bounds.iter().fold(0.0_f64, |most, it| most.max(it.most));
        let [_, _, tau] = &self.room;
        let forces = (&tau[..], &self.idle[..]);
        let mut z = vec![0.0; self.idle.len()];
        let has_planes = bounds.iter().any(|it| it.own.len() > 1);
        // Cuts that were tight the last time are so again, or nearly; whichever are taken, all bounds are met in the end by the least z that does.
        let before = self.tangents.drain(..);
        let before = before.filter(|at| at.bound < bounds.len());
        let mut cuts: Vec<Cut> = before.map(|at| bounds[at.bound].cut(forces, at)).collect();
        for round in 0..=ROUNDS {
            // Those that are known already are tried first, so that none is cut twice.
            if round > 0 || cuts.is_empty() {
                let known = cuts.len();
                for (bound, it) in bounds.iter().enumerate() {
                    let way = it.missed(forces, &z, largest);
                    cuts.extend(way.map(|way| it.cut(forces, Tangent { bound, way })));
                }
                if cuts.len() == known {
                    break;
                }
            }
            let slopes: Vec<Vec<f64>> = cuts.iter().map(|cut| cut.slopes.clone()).collect();
            let least: Vec<f64> = cuts.iter().map(|cut| cut.least).collect();
            let next = least_within(&slopes, &least).filter(|_| round < ROUNDS);
            let Some(next) = next else { return };
            z = next;
            // z grows from round to round without the others, too. Lines have few: with all of them it is seen at once that nothing is within.
            if has_planes {
                cuts.retain(|cut| cut.is_tight(&z));
            }
        }
        cuts.retain(|cut| cut.is_tight(&z));
        self.tangents.extend(cuts.into_iter().map(|cut| cut.at));
        let [_, _, tau] = &mut self.room;
        for (it, z) in self.idle.iter().zip(z) {
            tau.iter_mut().zip(it).for_each(|(tau, it)| *tau += z * it);
        }
    }

    /// What slips are held within, at the forces as they are.
    fn bounds(&self, slides: &[Slide], multipliers: &[f64]) -> Vec<Bound> {
        let tau = &self.room[2];
        // λ of a row, at τ₀ and along each of Z.
        let along = |row: usize, forces: &[f64]| -> f64 {
            let parts = self.held.iter().zip(forces);
            let parts = parts.map(|(&place, force)| {
                let mut entries = self.reactions.row(place);
                let own = entries.find(|(column, _)| *column == row);
                own.map_or(0.0, |(_, entry)| entry * force)
            });
            parts.sum()
        };
        let active = slides.iter().enumerate().filter(|(_, it)| it.active);
        let bound = |(index, slide): (usize, &Slide)| {
            let (most, slopes) = match slide.pressed {
                Some((row, holding)) => {
                    let lambda = multipliers[row] + along(row, tau);
                    let pulls = !slide.is_contact && lambda < 0.0;
                    let hold = if pulls { -holding } else { holding };
                    let slopes = self.idle.iter().map(|it| hold * along(row, it));
                    (hold * lambda, slopes.collect())
                }
                None => (slide.always, vec![0.0; self.idle.len()]),
            };
            let held = self.held.iter().enumerate();
            let own = held.filter(|(_, place)| self.of[**place].0 == index);
            Bound {
                most,
                slopes,
                own: own.map(|(k, _)| k).collect(),
                is_contact: slide.is_contact,
                margin: if slide.in_plane { MET } else { CLEAR },
            }
        };
        active.map(bound).collect()
    }
}
