//! M of a tree of bodies, as the factors it is the product of: never n × n.
//!
//! Each link moves against the link it hangs on along one direction at most, so that its motion V, turning and velocity of its origin
//! in its own axes, and the wrench F that it hands on follow from link to link:
//!
//! ```text
//! V_i = X_i V_p + S_i x_i        F_p = Σ X_iᵀ F_i + I_p V_p        (M x)_i = S_iᵀ F_i
//! ```
//!
//! So M = Sᵀ (1 − X)⁻ᵀ I (1 − X)⁻¹ S costs time and memory in the number of links. See Featherstone, "Rigid Body Dynamics
//! Algorithms" (2008), chapters 5 to 7; `factorisation/articulated.rs` solves with it.

mod force;
mod spatial;

pub use force::InertiaForce;
pub(crate) use spatial::{Block, Rigid};
pub use spatial::{Spatial, Vector};

/// Numbers of a link, in this order: the rotation R from its axes to those of the link it hangs on (by rows), from the origin of that
/// one to its own in axes of that one, along what it moves (turning, then velocity of its origin, in its own axes), its mass,
/// and its inertia about its origin (xx, xy, xz, yy, yz, zz). The origin is the mass centre.
pub const NUMBERS: usize = 25;

/// Where a link hangs, and which coordinate moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The link it hangs on, which stands before it; none is the ground.
    pub parent: Option<usize>,
    /// None if it is fixed to that one.
    pub coordinate: Option<usize>,
}

/// Links, each after the one it hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    coordinates: usize,
    links: Vec<Link>,
}

/// The numbers of one link.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a>(&'a [f64; NUMBERS]);

impl Tree {
    /// Links that are moved by so many coordinates.
    ///
    /// # Panics
    /// If a link stands before the one it hangs on, or a coordinate moves none or several.
    #[must_use]
    pub fn new(coordinates: usize, links: Vec<Link>) -> Self {
        let mut moved = vec![0; coordinates];
        for (i, link) in links.iter().enumerate() {
            assert!(link.parent.is_none_or(|parent| parent < i), "parents first");
            link.coordinate.iter().for_each(|&it| moved[it] += 1);
        }
        assert!(moved.iter().all(|&times| times == 1), "one link for each");
        Self { coordinates, links }
    }

    /// Number of coordinates.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// The links.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    pub(crate) fn values<'a>(&self, values: &'a [f64], link: usize) -> Values<'a> {
        let own = &values[link * NUMBERS..][..NUMBERS];
        Values(own.try_into().expect("as many as a link has"))
    }

    /// Motions of the links, where the ground has that of `ground` and coordinates have x; `more` is added to each of them.
    pub fn spread(
        &self,
        (values, x): (&[f64], &[f64]),
        ground: &Spatial,
        motions: &mut [Spatial],
        mut more: impl FnMut(usize, &Spatial, &mut Spatial),
    ) {
        for (i, link) in self.links.iter().enumerate() {
            let own = self.values(values, i);
            let before = link.parent.map_or(ground, |parent| &motions[parent]);
            let mut motion = own.carried(before);
            let along = own.along();
            let x = link.coordinate.map_or(0.0, |it| x[it]);
            let relative = along.scaled(x);
            motion.add(&relative);
            more(i, &relative, &mut motion);
            motions[i] = motion;
        }
    }

    /// y ← Sᵀ F, where each link hands on its wrench: those of `wrenches`, which become what each hands on.
    pub fn gather(&self, values: &[f64], wrenches: &mut [Spatial], y: &mut [f64]) {
        for (i, link) in self.links.iter().enumerate().rev() {
            let own = self.values(values, i);
            let wrench = wrenches[i];
            if let Some(coordinate) = link.coordinate {
                y[coordinate] = own.along().dot(&wrench);
            }
            if let Some(parent) = link.parent {
                wrenches[parent].add(&own.handed_on(&wrench));
            }
        }
    }

    /// I V of a link.
    #[must_use]
    pub fn momentum(&self, values: &[f64], link: usize, motion: &Spatial) -> Spatial {
        self.values(values, link).momentum(motion)
    }

    /// y ← M x.
    pub fn multiply(&self, values: &[f64], x: &[f64], y: &mut [f64]) {
        let mut motions = vec![Spatial::ZERO; self.links.len()];
        self.multiply_in(values, x, &mut motions, y);
    }

    /// The same in room for a motion of each link.
    pub(crate) fn multiply_in(
        &self,
        values: &[f64],
        x: &[f64],
        motions: &mut [Spatial],
        y: &mut [f64],
    ) {
        self.spread((values, x), &Spatial::ZERO, motions, |_, _, _| ());
        for (i, motion) in motions.iter_mut().enumerate() {
            *motion = self.momentum(values, i, motion);
        }
        self.gather(values, motions, y);
    }

    /// Adds the sizes of what each entry of M x is the sum of: along each coordinate, the wrenches that links hand on to it, without their directions.
    pub fn add_product_sizes(&self, values: &[f64], x: &[f64], sizes: &mut [f64]) {
        let mut motions = vec![Spatial::ZERO; self.links.len()];
        self.spread((values, x), &Spatial::ZERO, &mut motions, |_, _, _| ());
        let lengths = motions.iter().enumerate();
        let mut felt: Vec<[f64; 2]> = lengths
            .map(|(i, motion)| self.momentum(values, i, motion).lengths())
            .collect();
        for (i, link) in self.links.iter().enumerate().rev() {
            let own = self.values(values, i);
            let [moment, force] = felt[i];
            if let Some(coordinate) = link.coordinate {
                let [turning, moving] = own.along().lengths();
                sizes[coordinate] += turning * moment + moving * force;
            }
            if let Some(parent) = link.parent {
                let [x, y, z] = own.offset();
                let arm = (x * x + y * y + z * z).sqrt();
                felt[parent][0] += moment + arm * force;
                felt[parent][1] += force;
            }
        }
    }

    /// For each coordinate the nearest one before it, which M couples it to.
    pub fn coupled(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut nearest: Vec<Option<usize>> = Vec::with_capacity(self.links.len());
        self.links.iter().filter_map(move |link| {
            let before = link.parent.and_then(|parent| nearest[parent]);
            nearest.push(link.coordinate.or(before));
            before.zip(link.coordinate)
        })
    }

    /// A row of M.
    #[must_use]
    pub fn row(&self, values: &[f64], row: usize) -> Vec<f64> {
        let mut x = vec![0.0; self.coordinates];
        let mut y = x.clone();
        x[row] = 1.0;
        self.multiply(values, &x, &mut y);
        y
    }

    /// The diagonal of M: what each coordinate moves, as one rigid body.
    #[must_use]
    pub fn diagonal(&self, values: &[f64]) -> Vec<f64> {
        let links = self.links.iter().enumerate();
        let mut carried: Vec<Rigid> = links
            .map(|(i, _)| self.values(values, i).inertia())
            .collect();
        let mut diagonal = vec![0.0; self.coordinates];
        for (i, link) in self.links.iter().enumerate().rev() {
            let own = self.values(values, i);
            if let Some(coordinate) = link.coordinate {
                diagonal[coordinate] = carried[i].twice_energy(&own.along());
            }
            if let Some(parent) = link.parent {
                let more = carried[i].seen_from(&own.turn(), own.offset());
                carried[parent].add(&more);
            }
        }
        diagonal
    }
}

impl Values<'_> {
    pub(crate) fn turn(&self) -> [Vector; 3] {
        let v = self.0;
        [[v[0], v[1], v[2]], [v[3], v[4], v[5]], [v[6], v[7], v[8]]]
    }

    pub(crate) fn offset(&self) -> Vector {
        [self.0[9], self.0[10], self.0[11]]
    }

    /// S.
    pub(crate) fn along(&self) -> Spatial {
        let v = self.0;
        Spatial {
            turning: [v[12], v[13], v[14]],
            moving: [v[15], v[16], v[17]],
        }
    }

    pub(crate) fn inertia(&self) -> Rigid {
        let v = self.0;
        Rigid {
            mass: v[18],
            moment: [0.0; 3],
            inertia: [v[19], v[20], v[21], v[22], v[23], v[24]],
        }
    }

    fn momentum(&self, motion: &Spatial) -> Spatial {
        let [_, .., xx, xy, xz, yy, yz, zz] = *self.0;
        let ([x, y, z], m) = (motion.turning, self.0[18]);
        Spatial {
            turning: [
                xx * x + xy * y + xz * z,
                xy * x + yy * y + yz * z,
                xz * x + yz * y + zz * z,
            ],
            moving: motion.moving.map(|v| m * v),
        }
    }

    /// X V: the motion of the link it hangs on, at its own origin in its own axes.
    pub(crate) fn carried(&self, motion: &Spatial) -> Spatial {
        motion.carried_by(&self.turn(), self.offset())
    }

    /// Xᵀ F: its wrench at the origin of the link it hangs on, in axes of that one.
    pub(crate) fn handed_on(&self, wrench: &Spatial) -> Spatial {
        wrench.handed_on_by(&self.turn(), self.offset())
    }
}

#[cfg(test)]
mod tests;
