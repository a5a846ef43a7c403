//! Forces that hold slips at rest.
//!
//! A slip u = S q' + … that is held has S v' + s = 0. Its friction is a force Sᵀ τ of unknown size beside the rows:
//!
//! ```text
//! v' = v₀' + R τ,   λ = λ₀ + L τ          R, L: what forces Sᵀ make of a system whose rows hold
//! G τ = −(S v₀' + s),   G = S R           symmetric, not negative
//! ```
//!
//! with v₀', λ₀ the motion under all other forces. Where G is singular, as with two feet of one block, the forces are not unique though
//! the motion is: of all that hold those are taken that use each friction alike, Σ τ²/(μ N) least.

use super::slide::Slide;
use crate::decide::{CANCELLED, CLEAR};
use crate::formulation::Failure;
use crate::linear::factorisation::Factorisation;
use crate::linear::{Cholesky, CompleteOrthogonal, Matrix, add_scaled, dot};

/// Directions along which slips may be held at a state, and those that are.
pub(super) struct Holds {
    nv: usize,
    nc: usize,
    /// Slide and axis of each direction.
    pub(super) of: Vec<(usize, usize)>,
    /// Sᵀ, R and L, a row for each direction.
    pushes: Vec<f64>,
    motions: Vec<f64>,
    reactions: Vec<f64>,
    /// G of all directions.
    mobility: Vec<f64>,
    /// Directions that are held.
    held: Vec<usize>,
    /// What G and τ of these are scaled by: rows of G, and forces.
    scales: Vec<[f64; 2]>,
    /// G where it is clearly definite; else, of any rank.
    definite: Option<Cholesky>,
    orthogonal: CompleteOrthogonal,
    /// M, A and Sᵀ that all this belongs to, and whether G is factored for them.
    matrices: [Vec<f64>; 3],
    is_chosen: bool,
    room: [Vec<f64>; 3],
    zero: Vec<f64>,
}

impl Holds {
    pub(super) fn new(nv: usize, nc: usize) -> Self {
        Self {
            nv,
            nc,
            of: Vec::new(),
            pushes: Vec::new(),
            motions: Vec::new(),
            reactions: Vec::new(),
            mobility: Vec::new(),
            held: Vec::new(),
            scales: Vec::new(),
            definite: None,
            orthogonal: CompleteOrthogonal::new(0, 0),
            matrices: [const { Vec::new() }; 3],
            is_chosen: false,
            room: [const { Vec::new() }; 3],
            zero: vec![0.0; nc],
        }
    }

    /// Looks at slips that may be held, for M and A as factored; nothing is done where these and the slips are what they were.
    pub(super) fn look_at(
        &mut self,
        slides: &[Slide],
        which: impl Fn(usize) -> bool,
        factorisation: &mut Factorisation,
        [mass, jacobian]: [&Matrix<'_>; 2],
    ) -> Result<(), Failure> {
        let (nv, nc) = (self.nv, self.nc);
        let before = self.of.len();
        self.of.clear();
        for (index, slide) in slides.iter().enumerate().filter(|(index, _)| which(*index)) {
            let (_, count) = slide.directions();
            self.of.extend((0..count).map(|axis| (index, axis)));
        }
        let count = self.of.len();
        self.pushes.resize(count * nv, 0.0);
        self.motions.resize(count * nv, 0.0);
        self.reactions.resize(count * nc, 0.0);
        self.mobility.resize(count * count, 0.0);
        for (place, &(slide, axis)) in self.of.iter().enumerate() {
            let push = &mut self.pushes[place * nv..][..nv];
            slides[slide].push_into(&slides[slide].directions().0[axis], push);
        }
        let known = [mass.values(), jacobian.values(), &self.pushes];
        let same = self.matrices.iter().zip(known).all(|(old, new)| old == new);
        if same && before == count {
            return Ok(());
        }
        self.is_chosen = false;
        for (old, new) in self.matrices.iter_mut().zip(known) {
            old.clear();
            old.extend_from_slice(new);
        }
        for place in 0..count {
            let push = &self.pushes[place * nv..][..nv];
            factorisation.solve(
                push,
                &self.zero,
                &mut self.motions[place * nv..][..nv],
                &mut self.reactions[place * nc..][..nc],
            )?;
        }
        for i in 0..count {
            for j in 0..count {
                let (push, motion) = (&self.pushes[i * nv..][..nv], &self.motions[j * nv..][..nv]);
                self.mobility[i * count + j] = dot(push, motion);
            }
        }
        Ok(())
    }

    /// G of a direction with itself.
    pub(super) fn mobility(&self, direction: usize) -> f64 {
        self.mobility[direction * self.of.len() + direction]
    }

    /// The mobility of a slip, the larger of two in a plane.
    pub(super) fn mobility_of(&self, slide: usize) -> f64 {
        let own = self.of.iter().enumerate().filter(|(_, it)| it.0 == slide);
        own.fold(0.0, |most, (place, _)| most.max(self.mobility(place)))
    }

    /// Takes the slips that are held from now on; whether the forces are unique.
    pub(super) fn choose(&mut self, slides: &[Slide]) -> bool {
        let count = self.of.len();
        let is_held = |place: &usize| slides[self.of[*place].0].held;
        let same = (0..count).filter(is_held).eq(self.held.iter().copied());
        // Shares do not matter where forces are unique.
        if same && self.is_chosen && self.definite.is_some() {
            return true;
        }
        let held: Vec<usize> = (0..count).filter(is_held).collect();
        self.held = held;
        self.is_chosen = true;
        let m = self.held.len();
        if self.factor_definite() {
            return true;
        }
        let most = slides.iter().fold(0.0, |most: f64, it| most.max(it.bound));
        self.scales.clear();
        for &place in &self.held {
            let mobility = self.mobility[place * count + place];
            let root = if mobility > 0.0 { mobility.sqrt() } else { 0.0 };
            let inverse = if root > 0.0 { 1.0 / root } else { 0.0 };
            let bound = slides[self.of[place].0].bound;
            let share = if most > 0.0 {
                (bound / most).sqrt()
            } else {
                1.0
            };
            // What can hold hardly anything is not left out.
            self.scales.push([inverse, inverse * share.max(CANCELLED)]);
        }
        self.take_scaled();
        self.orthogonal = CompleteOrthogonal::new(m, m);
        self.orthogonal.factor(&self.room[0], CANCELLED);
        self.orthogonal.rank() == m
    }

    /// Factors G, scaled to a diagonal of ones, if it is clearly definite.
    fn factor_definite(&mut self) -> bool {
        let (count, m) = (self.of.len(), self.held.len());
        self.scales.clear();
        self.definite = None;
        for &place in &self.held {
            let mobility = self.mobility[place * count + place];
            if mobility.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
                return false;
            }
            let scale = 1.0 / mobility.sqrt();
            self.scales.push([scale, scale]);
        }
        self.take_scaled();
        let mut cholesky = Cholesky::new(m);
        let found = cholesky.factor(&self.room[0], CLEAR).is_ok();
        self.definite = found.then_some(cholesky);
        found
    }

    /// G of what is held, scaled.
    fn take_scaled(&mut self) {
        let count = self.of.len();
        let [matrix, ..] = &mut self.room;
        matrix.clear();
        for (&row, left) in self.held.iter().zip(&self.scales) {
            for (&column, right) in self.held.iter().zip(&self.scales) {
                matrix.push(left[0] * self.mobility[row * count + column] * right[1]);
            }
        }
    }

    /// Whether nothing is held.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// G⁺ e, for entries by direction held.
    fn solve(&mut self) {
        let Self {
            room: [_, e, tau],
            scales,
            definite,
            orthogonal,
            ..
        } = self;
        for (e, scale) in e.iter_mut().zip(scales.iter()) {
            *e *= scale[0];
        }
        tau.resize(e.len(), 0.0);
        match definite {
            Some(cholesky) => {
                tau.copy_from_slice(e);
                cholesky.solve(tau);
            }
            None => orthogonal.least(e, tau),
        }
        for (tau, scale) in tau.iter_mut().zip(scales.iter()) {
            *tau *= scale[1];
        }
    }

    /// Adds the forces that hold slips to a motion without them, and tells the slides.
    pub(super) fn hold(
        &mut self,
        slides: &mut [Slide],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) {
        if self.held.is_empty() {
            return;
        }
        self.room[1].clear();
        for &place in &self.held {
            let (slide, axis) = self.of[place];
            let rate = slides[slide].rate_at(acceleration);
            let direction = slides[slide].directions().0[axis];
            self.room[1].push(-dot(&rate, &direction));
        }
        self.solve();
        for (&place, &tau) in self.held.iter().zip(&self.room[2]) {
            let (slide, axis) = self.of[place];
            slides[slide].force[axis] = tau;
            add_scaled(
                acceleration,
                tau,
                &self.motions[place * self.nv..][..self.nv],
            );
            add_scaled(
                multipliers,
                tau,
                &self.reactions[place * self.nc..][..self.nc],
            );
        }
    }

    /// The response of a row's multiplier to forces, V: what holds slips takes its part.
    pub(super) fn correct_response(&mut self, row: usize, response: &mut [f64]) {
        if self.held.is_empty() {
            return;
        }
        self.room[1].clear();
        let own = self
            .held
            .iter()
            .map(|&place| self.reactions[place * self.nc + row]);
        self.room[1].extend(own);
        // G is symmetric.
        self.solve();
        for (&place, &part) in self.held.iter().zip(&self.room[2]) {
            add_scaled(response, part, &self.motions[place * self.nv..][..self.nv]);
        }
    }

    /// Takes from rates what slips that are held have of velocity; whether that changes anything.
    pub(super) fn arrest(&mut self, slides: &[Slide], rates: &mut [f64]) -> bool {
        if self.held.is_empty() {
            return false;
        }
        self.room[1].clear();
        for &place in &self.held {
            let (slide, axis) = self.of[place];
            let direction = slides[slide].directions().0[axis];
            let width = slides[slide].width();
            self.room[1].push(-dot(&slides[slide].velocity[..width], &direction[..width]));
        }
        if self.room[1].iter().all(|speed| *speed == 0.0) {
            return false;
        }
        self.solve();
        for (&place, &part) in self.held.iter().zip(&self.room[2]) {
            add_scaled(rates, part, &self.motions[place * self.nv..][..self.nv]);
        }
        true
    }
}
