//! Forces that hold slips at rest.
//!
//! A slip u = S q' + … that is held has S v' + s = 0. Its friction is a force Sᵀ τ of unknown size beside the rows:
//!
//! ```text
//! v' = v₀' + R τ,   λ = λ₀ + L τ          R, L: what forces Sᵀ make of a system whose rows hold
//! G τ = −(S v₀' + s),   G = S R           symmetric and not negative, but beside forces that hold rows
//! ```
//!
//! with v₀', λ₀ the motion under all other forces. Where G is singular, as with two feet of one block, the forces are not unique though
//! the motion is: of all that hold those are taken that use each friction alike, Σ τ²/(μ N) least. Where these are more than friction can do, as of a
//! ladder that leans at a wall, where friction and normal forces go over into each other, they are moved within its bounds, by as little as is needed:
//!
//! ```text
//! τ = τ₀ + Z z,   λ = λ₀ + L τ           G Z = 0
//! |τᵢ| ≤ μᵢ Nᵢ(λ)                        |z| least (`within.rs`)
//! ```

use super::slide::Slide;
use super::sparse_rows::SparseRows;
use super::within::Tangent;
use crate::decide::{CANCELLED, CLEAR, SOLVED};
use crate::equations::Canonical;
use crate::formulation::Failure;
use crate::linear::{Cholesky, CompleteOrthogonal, Matrix, dot};

/// Directions along which slips may be held at a state, and those that are.
pub(super) struct Holds {
    /// Slide and axis of each direction.
    pub(super) of: Vec<(usize, usize)>,
    /// Sᵀ, R and L, a row for each direction.
    pushes: SparseRows,
    motions: SparseRows,
    pub(super) reactions: SparseRows,
    /// G of all directions.
    pub(super) mobility: Vec<f64>,
    /// Directions that are held.
    pub(super) held: Vec<usize>,
    /// What G and τ of these are scaled by: rows of G, and forces.
    scales: Vec<[f64; 2]>,
    /// G where it is clearly definite; else, of any rank; and Gᵀ where forces that hold rows make G not symmetric.
    definite: Option<Cholesky>,
    orthogonal: CompleteOrthogonal,
    transposed: Option<CompleteOrthogonal>,
    is_symmetric: bool,
    /// What each direction would move by if there were no rows.
    alone: Vec<f64>,
    /// Z: forces by direction held that move nothing.
    pub(super) idle: Vec<Vec<f64>>,
    /// Where bounds of friction were cut the last time.
    pub(super) tangents: Vec<Tangent>,
    /// M, A and directions of forces that hold rows that all this belongs to, and whether G is factored for them.
    matrices: [Vec<f64>; 3],
    is_chosen: bool,
    /// How often something else has been held, or otherwise.
    pub(super) choices: usize,
    pub(super) room: [Vec<f64>; 3],
    /// Sᵀ as it is now; a row of it, of R and of L.
    next: SparseRows,
    rows: [Vec<f64>; 3],
}

impl Holds {
    pub(super) fn new(nv: usize, nc: usize, is_symmetric: bool) -> Self {
        Self {
            of: Vec::new(),
            pushes: SparseRows::default(),
            motions: SparseRows::default(),
            reactions: SparseRows::default(),
            mobility: Vec::new(),
            held: Vec::new(),
            scales: Vec::new(),
            definite: None,
            orthogonal: CompleteOrthogonal::new(0, 0),
            transposed: None,
            is_symmetric,
            alone: Vec::new(),
            idle: Vec::new(),
            tangents: Vec::new(),
            matrices: [const { Vec::new() }; 3],
            is_chosen: false,
            choices: 0,
            room: [const { Vec::new() }; 3],
            next: SparseRows::default(),
            rows: [nv, nv, nc].map(|size| vec![0.0; size]),
        }
    }

    /// Looks at slips that may be held, for M and A as factored; nothing is done where these and the slips are what they were. `respond` says what
    /// a force makes of the motion and the reactions.
    pub(super) fn look_at(
        &mut self,
        slides: &[Slide],
        which: impl Fn(usize) -> bool,
        now: &Canonical<'_>,
        mut respond: impl FnMut(&[f64], (&mut [f64], &mut [f64])) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.of.clear();
        self.next.clear();
        for (index, slide) in slides.iter().enumerate().filter(|(index, _)| which(*index)) {
            let (directions, count) = slide.directions();
            self.of.extend((0..count).map(|axis| (index, axis)));
            for direction in &directions[..count] {
                self.next.push(slide.push(direction));
            }
        }
        let known = [
            now.mass.values(),
            now.jacobian.values(),
            now.servo_directions,
        ];
        let same = self.matrices.iter().zip(known).all(|(old, new)| old == new);
        if same && self.next == self.pushes {
            return Ok(());
        }
        self.is_chosen = false;
        for (old, new) in self.matrices.iter_mut().zip(known) {
            old.clear();
            old.extend_from_slice(new);
        }
        std::mem::swap(&mut self.pushes, &mut self.next);
        self.motions.clear();
        self.reactions.clear();
        let count = self.of.len();
        let [push, motion, reaction] = &mut self.rows;
        for place in 0..count {
            push.fill(0.0);
            self.pushes.add_scaled(place, 1.0, push);
            if let Err(failure) = respond(push, (motion, reaction)) {
                self.pushes.clear();
                self.matrices.iter_mut().for_each(Vec::clear);
                return Err(failure);
            }
            self.motions.push_full(motion);
            self.reactions.push_full(reaction);
        }
        self.mobility.resize(count * count, 0.0);
        for j in 0..count {
            motion.fill(0.0);
            self.motions.add_scaled(j, 1.0, motion);
            for i in 0..count {
                self.mobility[i * count + j] = self.pushes.dot(i, motion);
            }
        }
        self.leave_out_rounding(&now.mass);
        Ok(())
    }

    /// A slip that the rows hold has no mobility: what rounding leaves of it is taken away, beside what it would be without the rows.
    fn leave_out_rounding(&mut self, mass: &Matrix<'_>) {
        let count = self.of.len();
        self.alone.clear();
        for place in 0..count {
            let alone = self.pushes.row(place).map(|(i, push)| {
                let inertia = mass.diagonal(i);
                if inertia > 0.0 {
                    push * push / inertia
                } else {
                    0.0
                }
            });
            let alone = alone.fold(0.0, f64::max);
            self.alone.push(alone);
            if self.mobility(place) > CANCELLED * alone {
                continue;
            }
            for other in 0..count {
                self.mobility[place * count + other] = 0.0;
                self.mobility[other * count + place] = 0.0;
            }
        }
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

    /// Sum of the sizes of what forces that hold slips do to the rate of one.
    pub(super) fn moved_by(&self, slide: usize, slides: &[Slide]) -> f64 {
        let count = self.of.len();
        let own = (0..count).filter(|&place| self.of[place].0 == slide);
        let moved = own.map(|place| {
            let parts = self.held.iter().map(|&other| {
                let (holder, axis) = self.of[other];
                (self.mobility[place * count + other] * slides[holder].force[axis]).abs()
            });
            parts.sum::<f64>()
        });
        moved.fold(0.0, f64::max)
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
        if !same {
            self.held = (0..count).filter(is_held).collect();
            self.tangents.clear();
        }
        self.is_chosen = true;
        self.choices += 1;
        let m = self.held.len();
        self.idle.clear();
        if self.factor_definite() {
            return true;
        }
        let most = slides.iter().fold(0.0, |most: f64, it| most.max(it.bound));
        self.scales.clear();
        for &place in &self.held {
            let mobility = self.mobility[place * count + place];
            let inverse_root = |of: f64| if of > 0.0 { 1.0 / of.sqrt() } else { 0.0 };
            let inverse = inverse_root(mobility);
            let force = match mobility > 0.0 {
                true => inverse,
                false => inverse_root(self.alone[place]),
            };
            let bound = slides[self.of[place].0].bound;
            let share = if most > 0.0 {
                (bound / most).sqrt()
            } else {
                1.0
            };
            // What can hold hardly anything is not left out.
            self.scales.push([inverse, force * share.max(CANCELLED)]);
        }
        self.take_scaled();
        self.orthogonal = CompleteOrthogonal::new(m, m);
        self.orthogonal.factor(&self.room[0], CANCELLED);
        if !self.is_symmetric {
            let matrix = &self.room[0];
            let entries = (0..m * m).map(|k| matrix[k % m * m + k / m]);
            let mut transposed = CompleteOrthogonal::new(m, m);
            transposed.factor(&entries.collect::<Vec<f64>>(), CANCELLED);
            self.transposed = Some(transposed);
        }
        for k in 0..m - self.orthogonal.rank() {
            let mut idle = vec![0.0; m];
            self.orthogonal.null_vector(k, &mut idle);
            for (it, scale) in idle.iter_mut().zip(&self.scales) {
                // What is rounding takes no part.
                *it = if it.abs() > CANCELLED {
                    *it * scale[1]
                } else {
                    0.0
                };
            }
            self.idle.push(idle);
        }
        self.idle.is_empty()
    }

    /// Factors G, scaled to a diagonal of ones, if it is clearly definite.
    fn factor_definite(&mut self) -> bool {
        let (count, m) = (self.of.len(), self.held.len());
        self.scales.clear();
        let known = self.definite.take().filter(|it| it.size() == m);
        if !self.is_symmetric {
            return false;
        }
        for &place in &self.held {
            let mobility = self.mobility[place * count + place];
            if mobility.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
                return false;
            }
            let scale = 1.0 / mobility.sqrt();
            self.scales.push([scale, scale]);
        }
        self.take_scaled();
        let mut cholesky = known.unwrap_or_else(|| Cholesky::new(m));
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

    /// Whether the force that holds a slip is one of many that do: some move nothing together with others.
    pub(super) fn is_one_of_many(&self, slide: usize) -> bool {
        let of = self.held.iter().enumerate();
        let mut own = of.filter(|(_, place)| self.of[**place].0 == slide);
        own.any(|(k, _)| self.idle.iter().any(|idle| idle[k] != 0.0))
    }

    /// Rows whose multipliers are one of many because forces that hold slips are.
    pub(super) fn open_rows(&self) -> Vec<usize> {
        let nc = self.rows[2].len();
        let (mut change, mut size) = (vec![0.0; nc], vec![0.0_f64; nc]);
        let mut open = vec![false; nc];
        for idle in &self.idle {
            change.fill(0.0);
            size.fill(0.0);
            for (&place, force) in self.held.iter().zip(idle) {
                for (row, entry) in self.reactions.row(place) {
                    change[row] += force * entry;
                    size[row] += (force * entry).abs();
                }
            }
            let each = open.iter_mut().zip(change.iter().zip(&size));
            each.for_each(|(open, (change, size))| *open |= change.abs() > CLEAR * size);
        }
        (0..nc).filter(|&row| open[row]).collect()
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
        self.move_within(slides, multipliers);
        for (&place, &tau) in self.held.iter().zip(&self.room[2]) {
            let (slide, axis) = self.of[place];
            slides[slide].force[axis] = tau;
            self.motions.add_scaled(place, tau, acceleration);
            self.reactions.add_scaled(place, tau, multipliers);
        }
        self.leave_out_noise(acceleration);
    }

    /// What forces that are not unique leave of an acceleration, beside what all of them do, is rounding: what rests would creep by it.
    fn leave_out_noise(&self, acceleration: &mut [f64]) {
        if self.idle.is_empty() {
            return;
        }
        let root = |place: usize| self.mobility(place).max(0.0).sqrt();
        let forces = self.held.iter().zip(&self.room[2]);
        let most = forces.fold(0.0_f64, |most, (&place, tau)| {
            most.max(tau.abs() * root(place))
        });
        let mut sizes = vec![0.0; acceleration.len()];
        for &place in self.held.iter().filter(|place| root(**place) > 0.0) {
            for (i, motion) in self.motions.row(place) {
                sizes[i] += motion.abs() / root(place) * most;
            }
        }
        for (acceleration, size) in acceleration.iter_mut().zip(&sizes) {
            if acceleration.abs() <= SOLVED * size {
                *acceleration = 0.0;
            }
        }
    }

    /// y with Gᵀ y = e, for entries by direction held.
    fn solve_transposed(&mut self) {
        let Some(transposed) = &self.transposed else {
            return self.solve();
        };
        let [_, e, y] = &mut self.room;
        e.iter_mut()
            .zip(&self.scales)
            .for_each(|(e, it)| *e *= it[1]);
        y.resize(e.len(), 0.0);
        transposed.least(e, y);
        y.iter_mut()
            .zip(&self.scales)
            .for_each(|(y, it)| *y *= it[0]);
    }

    /// The response of a row's multiplier to forces, V: what holds slips takes its part, Lᵀ G⁻¹ S B, where B e is the motion that a force e brings about.
    /// B Sᵀ is R; where B is not symmetric its `columns` are given, for the coordinates on which laws act.
    pub(super) fn correct_response(
        &mut self,
        row: usize,
        response: &mut [f64],
        columns: Option<(&[usize], &[f64])>,
    ) {
        if self.held.is_empty() {
            return;
        }
        self.room[1].clear();
        for &place in &self.held {
            let mut entries = self.reactions.row(place);
            let own = entries.find(|(column, _)| *column == row);
            self.room[1].push(own.map_or(0.0, |(_, value)| value));
        }
        if self.room[1].iter().all(|own| *own == 0.0) {
            return;
        }
        self.solve_transposed();
        let parts = self.held.iter().zip(&self.room[2]);
        let Some((coordinates, columns)) = columns else {
            parts.for_each(|(&place, &part)| self.motions.add_scaled(place, part, response));
            return;
        };
        let columns = columns.chunks_exact(response.len().max(1));
        for (&j, column) in coordinates.iter().zip(columns) {
            let along = parts.clone();
            let along = along.map(|(&place, part)| part * self.pushes.dot(place, column));
            response[j] += along.sum::<f64>();
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
            self.motions.add_scaled(place, part, rates);
        }
        true
    }
}
