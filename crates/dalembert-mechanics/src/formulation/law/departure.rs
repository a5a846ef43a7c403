//! Slips that vanish, and the directions in which they begin to grow.
//!
//! The rate of a slip follows from the acceleration, u_t' = S v' + s, and that from the direction e that friction is against.
//! The slip grows where u_t'(e) is e times something positive:
//!
//! * along a line e is one of two, and all combinations of slips that vanish at once are tried;
//! * in a plane e = cos θ e₁ + sin θ e₂, and the roots of e × u_t'(e) are looked for from a number of angles.
//!
//! If there is none friction holds. If there are several, numbers cannot choose: Painlevé.

use super::Laws;
use crate::decide::{CLEAR, KNOWN};
use crate::equations::{Contact, Evaluator};
use crate::factorisation::Factorisation;
use crate::factorisation::Failure;
use crate::ids::ConstraintId;
use crate::linear::{add_scaled, dot, norm};
use std::f64::consts::TAU;

/// Slips along lines that vanish at once, for all ways of which a motion is looked for.
const MOST_AT_REST: usize = 6;
/// Angles between which roots are looked for.
const ANGLES: usize = 48;
/// Rounds in which an interval between angles is halved.
const HALVINGS: usize = 56;

/// A slip that can vanish.
#[derive(Clone, Debug, Default)]
pub(super) struct Slide {
    /// Its constraint.
    constraint: ConstraintId,
    /// Whether it is in a plane.
    pub(super) in_plane: bool,
    /// The first of the numbers that say which way.
    pub(super) way: usize,
    /// The velocity; along a line the speed with a sign, and nothing else.
    pub(super) velocity: [f64; 3],
    /// Sum of the sizes of its terms.
    pub(super) size: f64,
    /// What a plane is normal to.
    normal: [f64; 3],
    /// Coordinates, and derivatives by their rates: one each along a line, three in a plane.
    coordinates: Vec<usize>,
    slope: Vec<f64>,
    /// Its rate without q''.
    rest: [f64; 3],
    /// The fastest so far.
    pub(super) fastest: f64,
    /// The way that is kept, whatever the slip says.
    pub(super) kept: Option<f64>,
    /// It vanishes, whatever rounding says.
    pub(super) vanishes: bool,
}

impl Slide {
    /// The slip of a contact at a state.
    pub(super) fn take(&mut self, contact: &Contact<'_>) {
        self.constraint = contact.constraint;
        let Some(slip) = contact.slip else { return };
        (self.way, self.size, self.in_plane) = (slip.way, slip.size, slip.velocity.len() > 1);
        let vectors = [
            (&mut self.velocity, slip.velocity),
            (&mut self.rest, slip.rest),
            (&mut self.normal, slip.normal),
        ];
        for (to, from) in vectors {
            to[..from.len()].copy_from_slice(from);
        }
        self.coordinates.clear();
        self.coordinates.extend_from_slice(slip.slope.0);
        self.slope.clear();
        self.slope.extend_from_slice(slip.slope.1);
    }

    /// The rate of its velocity at an acceleration, and the sum of the sizes of its terms and of what forces of these
    /// `pushes` would make of it.
    fn rate(&self, acceleration: &[f64], pushes: &[f64]) -> ([f64; 3], f64) {
        let (mut rate, mut size) = (self.rest, norm(&self.rest));
        let width = if self.in_plane { 3 } else { 1 };
        for (&i, slopes) in self.coordinates.iter().zip(self.slope.chunks_exact(width)) {
            for (rate, slope) in rate.iter_mut().zip(slopes) {
                let term = slope * acceleration[i];
                *rate += term;
                size += term.abs() + (slope * pushes[i]).abs();
            }
        }
        (rate, size)
    }

    /// Two directions of a plane, at right angles.
    fn directions(&self) -> [[f64; 3]; 2] {
        let [x, y, z] = self.normal;
        // The axis that the normal is farthest from.
        let sizes = [x.abs(), y.abs(), z.abs()];
        let mut axis = [0.0; 3];
        let least = (0..3).min_by(|&a, &b| sizes[a].total_cmp(&sizes[b]));
        axis[least.unwrap_or(0)] = 1.0;
        let first = unit(cross(self.normal, axis));
        [first, unit(cross(self.normal, first))]
    }
}

/// Ways in which slips may begin to grow, and the reactions then.
#[derive(Clone, Debug)]
pub(super) struct Found {
    count: usize,
    ways: Vec<f64>,
    reactions: Vec<f64>,
}

impl Found {
    /// Room for one and a second one.
    pub(super) fn with_room(ways: usize, reactions: usize) -> Self {
        Self {
            count: 0,
            ways: Vec::with_capacity(2 * ways),
            reactions: Vec::with_capacity(2 * reactions),
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.ways.clear();
        self.reactions.clear();
    }

    fn add(&mut self, ways: &[f64], reactions: &[f64]) {
        self.count += 1;
        self.ways.extend_from_slice(ways);
        self.reactions.extend_from_slice(reactions);
    }
}

impl Laws {
    /// The reactions, and the ways in which slips that vanish begin to grow.
    pub(super) fn depart(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        let first = self.undecided[0];
        let constraint = self.slides[first].constraint;
        let lines = self.undecided.iter().all(|&it| !self.slides[it].in_plane);
        let alone = self.undecided.len() == 1;
        if !alone && (!lines || self.undecided.len() > MOST_AT_REST) {
            let holds = false;
            return Err(Failure::AtRest { constraint, holds });
        }
        // Where nothing can move at all nothing slips, whatever the reactions are.
        if factorisation.rank() == self.acceleration.len() {
            let holds = true;
            return Err(Failure::AtRest { constraint, holds });
        }
        self.found.clear();
        let failure = match lines {
            true => self.depart_along_lines(evaluator, factorisation)?,
            false => self.depart_in_plane(first, evaluator, factorisation)?,
        };
        match self.found.count {
            0 => {
                let holds = true;
                Err(failure.unwrap_or(Failure::AtRest { constraint, holds }))
            }
            1 => {
                self.ways.copy_from_slice(&self.found.ways);
                self.search.settle_on(&self.found.reactions);
                Ok(())
            }
            _ => {
                let each = self.found.reactions.chunks(self.search.rows.len());
                Err(self.painleve(each.map(<[f64]>::to_vec).collect(), None))
            }
        }
    }

    /// Tries all ways of slips along lines; hands back why one has no reactions.
    fn depart_along_lines(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<Option<Failure>, Failure> {
        let mut failure = None;
        for pattern in 0..1_usize << self.undecided.len() {
            for (bit, &slide) in self.undecided.iter().enumerate() {
                let sign = if pattern >> bit & 1 == 0 { 1.0 } else { -1.0 };
                self.ways[self.slides[slide].way] = sign;
            }
            if let Err(other) = self.solve(evaluator) {
                failure = Some(other);
                continue;
            }
            self.accelerate(evaluator, factorisation)?;
            let grows = |&slide: &usize| {
                let slide = &self.slides[slide];
                let (rate, size) = slide.rate(&self.acceleration, &self.pushes);
                rate[0] * self.ways[slide.way] > KNOWN * size
            };
            if self.undecided.iter().all(grows) {
                self.found.add(&self.ways, self.search.solution());
            }
        }
        Ok(failure)
    }

    /// The same for a slip in a plane.
    fn depart_in_plane(
        &mut self,
        slide: usize,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<Option<Failure>, Failure> {
        let axes = self.slides[slide].directions();
        let mut failure = None;
        let mut before: Option<(f64, f64)> = None;
        for step in 0..=ANGLES {
            let angle = TAU * step as f64 / ANGLES as f64;
            let found = match self.heading(slide, axes, angle, evaluator, factorisation) {
                Ok(heading) => heading,
                Err(other) => {
                    (failure, before) = (Some(other), None);
                    continue;
                }
            };
            let last = before.replace((angle, found.across));
            let Some((mut low, across)) = last else {
                continue;
            };
            if (across < 0.0) == (found.across < 0.0) {
                continue;
            }
            let (mut high, mut root) = (angle, found);
            for _ in 0..HALVINGS {
                let middle = low + (high - low) / 2.0;
                root = self.heading(slide, axes, middle, evaluator, factorisation)?;
                match (root.across < 0.0) == (across < 0.0) {
                    true => low = middle,
                    false => high = middle,
                }
            }
            let grows = root.along > KNOWN * root.size;
            // Not a root but a jump.
            let jumps = root.across.abs() > CLEAR * root.size;
            if grows && !jumps {
                self.found.add(&self.ways, self.search.solution());
            }
        }
        Ok(failure)
    }

    /// How a slip in a plane would grow at an angle.
    fn heading(
        &mut self,
        slide: usize,
        [first, second]: [[f64; 3]; 2],
        angle: f64,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<Heading, Failure> {
        let (sin, cos) = angle.sin_cos();
        let mix =
            |a: f64, b: f64| -> [f64; 3] { std::array::from_fn(|i| a * first[i] + b * second[i]) };
        let (along, across) = (mix(cos, sin), mix(-sin, cos));
        let way = self.slides[slide].way;
        self.ways[way..way + 3].copy_from_slice(&along);
        self.solve(evaluator)?;
        self.accelerate(evaluator, factorisation)?;
        let (rate, size) = self.slides[slide].rate(&self.acceleration, &self.pushes);
        Ok(Heading {
            along: dot(&rate, &along),
            across: dot(&rate, &across),
            size,
        })
    }

    /// The acceleration at the reactions and ways as they are.
    fn accelerate(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        evaluator.set_unknowns(self.search.solution(), &self.ways);
        let law = evaluator.law_forces();
        self.total.copy_from_slice(&self.force);
        add_scaled(&mut self.total, 1.0, law.force);
        add_scaled(&mut self.total, 1.0, law.nonideal);
        let motion = (&mut self.acceleration[..], &mut self.multipliers[..]);
        let now = evaluator.latest();
        self.response
            .solve(&now, factorisation, &self.total, motion)
    }
}

/// The rate of a slip in a plane: along a direction, across it, and the sum of the sizes of its terms.
#[derive(Clone, Copy)]
struct Heading {
    along: f64,
    across: f64,
    size: f64,
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = norm(&vector);
    vector.map(|part| part / length)
}
