//! Contacts that press and do not pull, with friction: forces and accelerations at an instant, or impulses and velocities.
//!
//! ```text
//! a = W f + a₀                            W = J (M⁻¹ with the rows held) Jᵀ, symmetric and not negative
//! 0 ≤ fₙ ⟂ aₙ ≥ 0                         each contact presses, or opens
//! |f_t| ≤ μ fₙ,  f_t = −μ fₙ a_t/|a_t|    where a_t is not zero; a contact that slides already has f_t = −μ fₙ e
//! ```
//!
//! Of accelerations a and a₀ are those of gaps and slips that vanish with their rates. Of impulses (Moreau) they are velocities after the blow, along
//! normals g'⁺ + e g'⁻, so that a₀ is (1 + e) g'⁻ there and the velocity before along tangents.
//!
//! | file | what |
//! |---|---|
//! | `departing.rs` | contacts at rest that hold better than they slide |
//! | `groups.rs` | contacts that do not act on each other, apart |
//! | `lemke.rs` | a solution of a linear complementarity problem, by pivots |
//! | `modes.rs` | all contacts open, pressing, sticking or sliding: the solution if they are, and all that agree with themselves |
//! | `newton.rs` | friction in planes: disks, not pyramids, by Newton's method on projections |
//! | `routh.rs` | one contact with friction through an impact, by Poisson's hypothesis |
//! | `within.rs` | the least numbers within linear bounds: forces that are not unique, within friction |
//!
//! Without friction the accelerations are unique whatever W (a convex problem), though forces need not be. With friction all combinations of up to
//! [`MOST_CONTACTS`] contacts that act on each other are tried, and none or several solutions told; beyond that uniqueness is not established. A solution is accepted by what it
//! leaves of the equations, whoever found it.
//!
//! References: Cottle, Pang, Stone, "The linear complementarity problem" (1992), algorithm 4.4.5 (Lemke); Stewart, Trinkle, Int. J. Numer. Methods
//! Eng. 39 (1996) 2673–2691 (friction as such a problem); Alart, Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353–375 (projections).

mod departing;
mod groups;
mod lemke;
mod modes;
mod newton;
mod routh;
#[cfg(test)]
mod tests;
mod within;

pub use departing::solve_departing;
pub use routh::Collision;
pub use within::least_within;

use dalembert_linear::decide::{CANCELLED, CLEAR};
use dalembert_linear::dot;

/// Contacts that act on each other of which all combinations are tried.
pub const MOST_CONTACTS: usize = 8;

/// Friction of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// None.
    Smooth,
    /// Along a line whose place among forces and accelerations is this.
    Line {
        /// The place.
        at: usize,
        /// μ.
        coefficient: f64,
        /// +1 or −1 where it slides already.
        way: Option<f64>,
    },
    /// In a plane of two directions at right angles.
    Plane {
        /// The first of two places.
        at: usize,
        /// μ.
        coefficient: f64,
        /// A unit vector where it slides already.
        way: Option<[f64; 2]>,
    },
}

/// A contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Place of its normal among forces and accelerations.
    pub normal: usize,
    /// Its friction.
    pub friction: Friction,
}

/// Contacts at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// W, by rows.
    pub mobility: &'a [f64],
    /// a₀.
    pub free: &'a [f64],
    /// The contacts.
    pub contacts: &'a [Contact],
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It opens.
    Open,
    /// It presses, without friction or in the way it slides already.
    Pressed,
    /// It presses and does not slip.
    Sticks,
    /// It presses and begins to slip.
    Slips,
}

/// Forces and accelerations that agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// f.
    pub forces: Vec<f64>,
    /// a.
    pub accelerations: Vec<f64>,
    /// What each contact does.
    pub states: Vec<State>,
}

/// What is known of the number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uniqueness {
    /// Without friction, or with normal forces that friction does not change, the problem is convex: accelerations are unique.
    Convex,
    /// All combinations were tried.
    Tried,
    /// Neither.
    NotEstablished,
}

impl Uniqueness {
    /// What is known of two problems together.
    fn weaker(self, other: Self) -> Self {
        match (self, other) {
            (Self::NotEstablished, _) | (_, Self::NotEstablished) => Self::NotEstablished,
            (Self::Tried, _) | (_, Self::Tried) => Self::Tried,
            _ => Self::Convex,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum NoAnswer {
    /// No forces agree with the accelerations they make, as far as [`Uniqueness`] says.
    Nothing(Uniqueness),
    /// These, and perhaps others, do so all.
    Several(Vec<Solution>),
}

impl Problem<'_> {
    fn count(&self) -> usize {
        self.free.len()
    }

    /// W f + a₀.
    fn accelerations(&self, forces: &[f64]) -> Vec<f64> {
        let rows = self.mobility.chunks_exact(self.count().max(1));
        let pairs = rows.zip(self.free);
        pairs.map(|(row, free)| dot(row, forces) + free).collect()
    }

    /// What forces and accelerations are measured by: by place a scale of forces, and of accelerations.
    fn scales(&self) -> Vec<[f64; 2]> {
        let n = self.count();
        let largest = (0..n).fold(0.0_f64, |most, i| {
            let mobility = self.mobility[i * n + i];
            let root = if mobility > 0.0 { mobility.sqrt() } else { 1.0 };
            most.max(self.free[i].abs() / root)
        });
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let scale = |i: usize| {
            let mobility = self.mobility[i * n + i];
            let root = if mobility > 0.0 { mobility.sqrt() } else { 1.0 };
            [largest / root, largest * root]
        };
        let mut scales: Vec<[f64; 2]> = (0..n).map(scale).collect();
        // The two directions of a plane have one scale.
        for contact in self.contacts {
            if let Friction::Plane { at, .. } = contact.friction {
                let longer = scales[at][1].max(scales[at + 1][1]);
                let stronger = scales[at][0].min(scales[at + 1][0]);
                scales[at] = [stronger, longer];
                scales[at + 1] = [stronger, longer];
            }
        }
        scales
    }

    /// The largest part of a condition that forces leave, measured.
    fn residual(&self, forces: &[f64]) -> f64 {
        let a = self.accelerations(forces);
        let scales = self.scales();
        let force = |i: usize| forces[i] / scales[i][0];
        let rate = |i: usize| a[i] / scales[i][1];
        let mut worst: f64 = 0.0;
        for contact in self.contacts {
            let n = contact.normal;
            worst = worst.max(force(n).min(rate(n)).abs());
            let bound =
                |coefficient: f64, at: usize| (coefficient * forces[n] / scales[at][0]).max(0.0);
            match contact.friction {
                Friction::Smooth => {}
                Friction::Line {
                    at,
                    coefficient,
                    way: Some(way),
                } => worst = worst.max((force(at) + way * bound(coefficient, at)).abs()),
                Friction::Plane {
                    at,
                    coefficient,
                    way: Some(way),
                } => {
                    for (i, way) in way.into_iter().enumerate() {
                        let wanted = -way * bound(coefficient, at);
                        worst = worst.max((force(at + i) - wanted).abs());
                    }
                }
                Friction::Line {
                    at, coefficient, ..
                } => {
                    let bound = bound(coefficient, at);
                    let inside = (force(at) - rate(at)).clamp(-bound, bound);
                    worst = worst.max((force(at) - inside).abs());
                }
                Friction::Plane {
                    at, coefficient, ..
                } => {
                    let trial = [0, 1].map(|i| force(at + i) - rate(at + i));
                    let inside = on_disk(trial, bound(coefficient, at));
                    for (i, inside) in inside.into_iter().enumerate() {
                        worst = worst.max((force(at + i) - inside).abs());
                    }
                }
            }
        }
        if worst.is_nan() { f64::INFINITY } else { worst }
    }

    /// Whether friction changes normal forces that friction depends on.
    fn is_coupled(&self) -> bool {
        let (n, scales) = (self.count(), self.scales());
        let tangents = |friction: Friction| match friction {
            Friction::Smooth => 0..0,
            Friction::Line { at, .. } => at..at + 1,
            Friction::Plane { at, .. } => at..at + 2,
        };
        self.contacts.iter().any(|pressed| {
            self.contacts.iter().any(|rubbed| {
                tangents(rubbed.friction).any(|t| {
                    let entry = self.mobility[pressed.normal * n + t];
                    let size = scales[pressed.normal][1] / scales[t][0];
                    entry.abs() > CANCELLED * size
                })
            })
        })
    }

    fn has_planes(&self) -> bool {
        let open = |it: &Contact| matches!(it.friction, Friction::Plane { way: None, .. });
        self.contacts.iter().any(open)
    }

    fn is_smooth(&self) -> bool {
        let smooth = |it: &Contact| it.friction == Friction::Smooth;
        self.contacts.iter().all(smooth)
    }

    /// The force of a single contact without friction, which is the only one.
    #[must_use]
    pub fn force_alone(&self) -> Option<f64> {
        let (
            [
                Contact {
                    friction: Friction::Smooth,
                    ..
                },
            ],
            [mobility],
            [free],
        ) = (self.contacts, self.mobility, self.free)
        else {
            return None;
        };
        match *free >= 0.0 {
            true => Some(0.0),
            false => (*mobility > 0.0).then(|| -free / mobility),
        }
    }

    /// What a single contact without friction does.
    fn alone(&self) -> Option<Solution> {
        let force = self.force_alone()?;
        let (acceleration, state) = match self.free[0] >= 0.0 {
            true => (self.free[0], State::Open),
            false => (0.0, State::Pressed),
        };
        Some(Solution {
            forces: vec![force],
            accelerations: vec![acceleration],
            states: vec![state],
        })
    }

    /// A solution, if one is found; others are not looked for.
    #[must_use]
    pub fn find(&self) -> Option<Solution> {
        if let Some(found) = self.alone() {
            return Some(found);
        }
        let open = Uniqueness::NotEstablished;
        let one = |group: &Problem<'_>| {
            let found = group.find_together().map(|it| (it, open));
            found.ok_or(NoAnswer::Nothing(open))
        };
        match self.by_groups(one) {
            Some(found) => found.ok().map(|it| it.0),
            None => self.find_together(),
        }
    }

    /// The same of contacts that act on each other.
    fn find_together(&self) -> Option<Solution> {
        if let Some(found) = self.alone() {
            return Some(found);
        }
        let first = match self.has_planes() {
            false => lemke::solve(self),
            true => newton::solve(self),
        };
        first.filter(|it| self.residual(&it.forces) <= CANCELLED)
    }

    /// The solution, and what is known of it being the only one.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn solve(&self) -> Result<(Solution, Uniqueness), NoAnswer> {
        match self.by_groups(|group| group.solve_together()) {
            Some(found) => found,
            None => self.solve_together(),
        }
    }

    /// The same of contacts that act on each other.
    fn solve_together(&self) -> Result<(Solution, Uniqueness), NoAnswer> {
        let convex = self.is_smooth() || !self.is_coupled();
        let first = self.find_together();
        if convex && let Some(found) = first {
            return Ok((found, Uniqueness::Convex));
        }
        let few = self.contacts.len() <= MOST_CONTACTS;
        if !few || self.has_planes() {
            let found = first.ok_or(NoAnswer::Nothing(Uniqueness::NotEstablished))?;
            let all = match self.has_planes() {
                true => newton::solutions(self),
                false => Vec::new(),
            };
            let apart = all.into_iter().filter(|it| self.differ(it, &found));
            let several: Vec<Solution> = std::iter::once(found.clone()).chain(apart).collect();
            return match several.len() {
                1 => Ok((found, Uniqueness::NotEstablished)),
                _ => Err(NoAnswer::Several(several)),
            };
        }
        let mut all = modes::solutions(self);
        // Where contacts depend on each other the least forces need not be within friction, and others may be.
        all.extend(first.filter(|it| all.iter().all(|known| self.differ(known, it))));
        match all.len() {
            0 => Err(NoAnswer::Nothing(Uniqueness::Tried)),
            1 => Ok((all.swap_remove(0), Uniqueness::Tried)),
            _ => Err(NoAnswer::Several(all)),
        }
    }

    /// Whether two solutions are two motions.
    fn differ(&self, one: &Solution, other: &Solution) -> bool {
        let pairs = one.accelerations.iter().zip(&other.accelerations);
        let mut pairs = pairs.zip(self.scales());
        pairs.any(|((a, b), scale)| (a - b).abs() > CLEAR * (scale[1] + a.abs().max(b.abs())))
    }

    /// A solution by its forces.
    fn solution(&self, forces: Vec<f64>) -> Solution {
        let accelerations = self.accelerations(&forces);
        let scales = self.scales();
        let state = |contact: &Contact| {
            let n = contact.normal;
            if forces[n] / scales[n][0] <= CANCELLED {
                return State::Open;
            }
            let moves = |at: usize| accelerations[at].abs() > CANCELLED * scales[at][1];
            match contact.friction {
                Friction::Line { at, way: None, .. } if moves(at) => State::Slips,
                Friction::Plane { at, way: None, .. } if moves(at) || moves(at + 1) => State::Slips,
                Friction::Line { way: None, .. } | Friction::Plane { way: None, .. } => {
                    State::Sticks
                }
                _ => State::Pressed,
            }
        };
        Solution {
            states: self.contacts.iter().map(state).collect(),
            forces,
            accelerations,
        }
    }
}

/// The nearest point of a disk.
fn on_disk([x, y]: [f64; 2], radius: f64) -> [f64; 2] {
    let length = x.hypot(y);
    match length <= radius {
        true => [x, y],
        false => [x, y].map(|part| part * radius / length),
    }
}
