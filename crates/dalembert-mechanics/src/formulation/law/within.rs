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
use crate::decide::{CANCELLED, CLEAR, MET};
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

/// Something linear in z that may not be negative.
struct Cut {
    slopes: Vec<f64>,
    least: f64,
}

impl Bound {
    /// What is not met at forces moved by z, if something is not, beside the largest bound.
    fn cut(&self, (tau, idle): (&[f64], &[Vec<f64>]), z: &[f64], largest: f64) -> Option<Cut> {
        let most = self.most + dot(&self.slopes, z);
        if self.is_contact && most < -CANCELLED * largest {
            let slopes = self.slopes.clone();
            return Some(Cut {
                slopes,
                least: -self.most,
            });
        }
        let moved = |k: usize| {
            let parts = idle.iter().zip(z).map(|(it, z)| it[k] * z);
            tau[k] + parts.sum::<f64>()
        };
        let force: Vec<f64> = self.own.iter().map(|&k| moved(k)).collect();
        let strength = norm(&force);
        if strength == 0.0 || strength <= (1.0 - 0.5 * self.margin) * most.max(0.0) {
            return None;
        }
        let along = |forces: &[f64]| -> f64 {
            let parts = self.own.iter().zip(&force);
            parts.map(|(&k, part)| forces[k] * part / strength).sum()
        };
        let within = 1.0 - self.margin;
        let slopes = self.slopes.iter().zip(idle);
        Some(Cut {
            slopes: slopes.map(|(s, it)| within * s - along(it)).collect(),
            least: along(tau) - within * self.most,
        })
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
        let [_, _, tau] = &mut self.room;
        let mut z = vec![0.0; self.idle.len()];
        let (mut slopes, mut least) = (Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            let known = slopes.len();
            for cut in bounds
                .iter()
                .filter_map(|it| it.cut((tau, &self.idle), &z, largest))
            {
                slopes.push(cut.slopes);
                least.push(cut.least);
            }
            if slopes.len() == known {
                break;
            }
            let next = least_within(&slopes, &least).filter(|_| round < ROUNDS);
            let Some(next) = next else { return };
            z = next;
        }
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
