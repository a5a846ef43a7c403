//! A slip that can vanish: how it moves, and what is known of it.

use crate::equations::{Contact, directions};
use crate::ids::ConstraintId;
use crate::linear::norm;
use crate::lower::Rough;

/// What is kept of a slip from one state to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Kept {
    /// Nothing: it goes as its velocity says, and where that vanishes it is decided whether it is held.
    #[default]
    Nothing,
    /// It slides this way along its line, whatever its velocity says.
    Way(f64),
    /// It is held.
    Held,
}

/// A slip that can vanish.
#[derive(Clone, Debug)]
pub(super) struct Slide {
    /// Whose it is.
    pub(super) of: Rough,
    /// Whether that counts: what is open does not slide.
    pub(super) active: bool,
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
    pub(super) kept: Kept,
    /// It was let go, and has not been seen to move since: it begins with no rate at all where static friction is that of sliding.
    pub(super) let_go: bool,
    /// It vanishes, whatever rounding says.
    pub(super) vanishes: bool,
    /// Whether it is held at the state looked at.
    pub(super) held: bool,
    /// The force that holds it, in the directions of [`Self::directions`]; how much can.
    pub(super) force: [f64; 2],
    pub(super) bound: f64,
    /// The row that presses it, and how much a multiplier one of it can hold; `None` where several do.
    pub(super) pressed: Option<(usize, f64)>,
    /// Friction where it slides: of a multiplier one of that row, or whatever presses.
    pub(super) sliding: f64,
    /// What can hold it whatever presses.
    pub(super) always: f64,
    /// Whether that row presses and does not pull.
    pub(super) is_contact: bool,
    /// How much more than its bound the force was, within doubt, when it was decided that it holds.
    pub(super) over: f64,
    /// Whether static friction is more than that of sliding.
    pub(super) holds_better: bool,
}

impl Default for Slide {
    fn default() -> Self {
        Self {
            of: Rough::Constraint(ConstraintId::new(0)),
            active: true,
            in_plane: false,
            way: 0,
            velocity: [0.0; 3],
            size: 0.0,
            normal: [0.0; 3],
            coordinates: Vec::new(),
            slope: Vec::new(),
            rest: [0.0; 3],
            fastest: 0.0,
            kept: Kept::Nothing,
            let_go: false,
            vanishes: false,
            held: false,
            force: [0.0; 2],
            bound: 0.0,
            pressed: None,
            sliding: 0.0,
            always: 0.0,
            is_contact: false,
            over: 0.0,
            holds_better: false,
        }
    }
}

impl Slide {
    /// The slip of a contact at a state; of rows whose reactions laws use, which press and do not pull.
    pub(super) fn take(&mut self, contact: &Contact<'_>, (rows, contacts): (&[usize], &[bool])) {
        (self.of, self.active) = (contact.of, contact.active);
        self.pressed = match (contact.pressing, contact.lengths) {
            (&[place], &[length]) => Some((rows[place], contact.holding * length)),
            _ => None,
        };
        self.sliding = match (contact.pressing, contact.lengths) {
            ([_], &[length]) => contact.coefficient * length,
            _ => contact.coefficient * contact.normal,
        };
        self.always = match contact.pressing {
            [] => contact.holding * contact.normal,
            _ => 0.0,
        };
        self.is_contact = matches!(contact.pressing, &[place] if contacts[place]);
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

    /// With a sign along a line.
    pub(super) fn speed(&self) -> f64 {
        match self.in_plane {
            false => self.velocity[0],
            true => norm(&self.velocity),
        }
    }

    /// Numbers that say which way, and components of its velocity.
    pub(super) fn width(&self) -> usize {
        if self.in_plane { 3 } else { 1 }
    }

    /// The rate of its velocity at an acceleration.
    pub(super) fn rate_at(&self, acceleration: &[f64]) -> [f64; 3] {
        let mut rate = self.rest;
        let slopes = self.slope.chunks_exact(self.width());
        for (&i, slopes) in self.coordinates.iter().zip(slopes) {
            for (rate, slope) in rate.iter_mut().zip(slopes) {
                *rate += slope * acceleration[i];
            }
        }
        rate
    }

    /// The same, and the sum of the sizes of its terms and of what forces of these
    /// `pushes` would make of it.
    pub(super) fn rate(&self, acceleration: &[f64], pushes: &[f64]) -> ([f64; 3], f64) {
        let mut size = norm(&self.rest);
        let slopes = self.slope.chunks_exact(self.width());
        for (&i, slopes) in self.coordinates.iter().zip(slopes) {
            for slope in slopes {
                size += (slope * acceleration[i]).abs() + (slope * pushes[i]).abs();
            }
        }
        (self.rate_at(acceleration), size)
    }

    /// What its rate misses by what was left out of an acceleration.
    pub(super) fn missed(&self, left_out: &[f64]) -> f64 {
        let slopes = self.slope.chunks_exact(self.width());
        let parts = self.coordinates.iter().zip(slopes);
        parts.map(|(&i, it)| norm(it) * left_out[i].abs()).sum()
    }

    /// Directions in which a force can hold it: one along a line, two at right angles in a plane.
    pub(super) fn directions(&self) -> ([[f64; 3]; 2], usize) {
        directions(self.in_plane.then_some(self.normal))
    }

    /// The generalized force of a force one along a direction, by coordinates.
    pub(super) fn push(&self, direction: &[f64; 3]) -> impl Iterator<Item = (usize, f64)> + '_ {
        let direction = *direction;
        let slopes = self.slope.chunks_exact(self.width());
        self.coordinates
            .iter()
            .zip(slopes)
            .map(move |(&i, slopes)| {
                let parts = slopes.iter().zip(&direction);
                (i, parts.map(|(slope, d)| slope * d).sum())
            })
    }

    /// The size of the force that holds it.
    pub(super) fn strength(&self) -> f64 {
        self.force[0].hypot(self.force[1])
    }
}
