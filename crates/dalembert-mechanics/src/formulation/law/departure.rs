//! Slips that vanish: which are held, and the directions in which the others begin to grow.
//!
//! The rate of a slip follows from the acceleration, u_t' = S v' + s. It is held by a force τ where |τ| ≤ μ_s N, and grows in a
//! direction e, against which friction μ N acts, where u_t'(e) is e times something positive. Along a line e is one of two; in a plane
//! e = cos θ e₁ + sin θ e₂, and the roots of e × u_t'(e) are looked for from a number of angles.
//!
//! All that vanish are held at first, if they can be; what cannot is let go, what does not grow is held again, until all agree. With normal
//! forces that do not depend on friction this is a convex problem, and its motion the only one. Otherwise all combinations along lines are
//! tried: if there are several that agree numbers cannot choose, and if there is none there is no motion, Painlevé. Several contacts whose slips in
//! planes vanish at once are decided together (`together.rs`).

use super::Laws;
use crate::decide::{CLEAR, KNOWN};
use crate::equations::Evaluator;
use crate::formulation::Failure;
use crate::linear::factorisation::Factorisation;
use crate::linear::{dot, norm};
use std::f64::consts::TAU;

/// Slips along lines that vanish at once, for all ways of which a motion is looked for.
const MOST_AT_REST: usize = 8;
/// Rounds in which all slips that disagree change at once; one after the other from then on, which cannot go round for ever where the
/// problem is convex.
const TOGETHER: usize = 6;
/// Rounds for each slip in which they may change.
const ROUNDS: usize = 20;
/// Rounds in which several slips in planes find their directions one after the other.
const TURNS: usize = 60;
/// Directions in planes that are looked at for one state: several slips that begin at once may find none that agree for ever.
const MOST_HEADINGS: usize = 10_000;
/// Angles between which roots are looked for.
const ANGLES: usize = 48;
/// Rounds in which an interval between angles is halved.
const HALVINGS: usize = 56;

/// Ways in which slips may begin to grow, which of them are held, and the motion then.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    ways: Vec<Vec<f64>>,
    held: Vec<Vec<bool>>,
    reactions: Vec<Vec<f64>>,
    accelerations: Vec<Vec<f64>>,
    /// Directions in planes that were looked at.
    headings: usize,
}

impl Found {
    fn clear(&mut self) {
        *self = Self::default();
    }

    fn count(&self) -> usize {
        self.ways.len()
    }
}

impl Laws {
    /// The reactions, the slips that are held, and the ways in which the others begin to grow.
    pub(super) fn depart(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.found.clear();
        if self.settle_together(evaluator, factorisation)? {
            if self.is_coupled(evaluator) {
                let of = self.undecided.iter().map(|&it| self.slides[it].of);
                self.doubtful = of.collect();
            }
            return Ok(());
        }
        self.look_at_holds(evaluator, factorisation)?;
        let settled = self.settle_slips(evaluator, factorisation);
        let lines = self.undecided.iter().all(|&it| !self.slides[it].in_plane);
        // Forces that hold rows make the problem not symmetric, and not convex either.
        let coupled = self.is_coupled(evaluator) || evaluator.equations().has_servos();
        let few = lines && self.undecided.len() <= MOST_AT_REST;
        let lets_go = self.undecided.iter().any(|&it| self.slides[it].let_go);
        let lets_go = lets_go || self.released.is_some();
        if settled == Ok(true) && (!coupled || !few || lets_go) {
            if coupled && !few {
                let of = self.undecided.iter().map(|&it| self.slides[it].of);
                self.doubtful = of.collect();
            }
            return Ok(());
        }
        if !few {
            let of = self.undecided.iter().map(|&it| self.slides[it].of);
            let of = of.collect();
            return Err(settled.err().unwrap_or(Failure::NotSettled { of }));
        }
        let failure = self.try_all(evaluator, factorisation)?;
        let same = self.found.accelerations.windows(2).all(|pair| {
            let apart = pair[0].iter().zip(&pair[1]).zip(&self.pushes);
            let mut apart = apart.map(|((a, b), push)| (a - b).abs() <= CLEAR * (a.abs() + push));
            apart.all(|same| same)
        });
        match self.found.count() {
            0 => Err(failure.unwrap_or_else(|| self.painleve(Vec::new(), None))),
            _ if same => self.take_found(evaluator, factorisation),
            _ => Err(self.painleve(self.found.reactions.clone(), None)),
        }
    }

    /// Goes back to the first motion that was found.
    fn take_found(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.ways.copy_from_slice(&self.found.ways[0]);
        for (slide, &held) in self.slides.iter_mut().zip(&self.found.held[0]) {
            slide.held = held;
        }
        self.solve(evaluator, factorisation)
    }

    /// Whether friction of slips that vanish changes normal forces.
    fn is_coupled(&mut self, evaluator: &mut Evaluator<'_>) -> bool {
        let k = self.search.rows.len();
        let nv = self.force.len();
        let mut push = vec![0.0; nv];
        let rows = &self.responses;
        let mut coupled = false;
        for &index in &self.undecided {
            let (directions, count) = self.slides[index].directions();
            for direction in &directions[..count] {
                push.fill(0.0);
                let entries = self.slides[index].push(direction);
                entries.for_each(|(i, entry)| push[i] += entry);
                let length = norm(&push);
                for row in rows.chunks_exact(nv.max(1)).take(k) {
                    coupled |= dot(row, &push).abs() > KNOWN * norm(row) * length;
                }
            }
        }
        coupled && evaluator.equations().slide_count() > 0
    }

    /// Holds what can be held and lets go what cannot, until all agree; whether they come to.
    fn settle_slips(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<bool, Failure> {
        for place in 0..self.undecided.len() {
            let index = self.undecided[place];
            self.slides[index].held = true;
        }
        self.solve(evaluator, factorisation)?;
        if let Some(released) = self.released {
            self.let_go(released);
        }
        for place in 0..self.undecided.len() {
            let index = self.undecided[place];
            if self.slides[index].let_go && self.slides[index].held {
                self.let_go(index);
            }
        }
        if self.slides.iter().any(|slide| slide.let_go) || self.released.is_some() {
            self.solve(evaluator, factorisation)?;
        }
        for round in 0..ROUNDS * (self.undecided.len() + 1) {
            let planes = self.turn_planes(evaluator, factorisation)?;
            let mut changed = false;
            for index in 0..self.slides.len() {
                let changes = self.disagrees(index);
                if !changes {
                    continue;
                }
                changed = true;
                if !self.undecided.contains(&index) {
                    // One that was held cannot be any more.
                    self.undecided.push(index);
                    self.look_at_holds(evaluator, factorisation)?;
                }
                match self.slides[index].held {
                    true => self.let_go(index),
                    false => self.slides[index].held = true,
                }
                if round >= TOGETHER {
                    break;
                }
            }
            if !changed {
                return Ok(planes);
            }
            self.solve(evaluator, factorisation)?;
        }
        Ok(false)
    }

    /// Lets a slip go, against the force that held it.
    fn let_go(&mut self, index: usize) {
        let slide = &mut self.slides[index];
        slide.held = false;
        let (directions, _) = slide.directions();
        let strength = slide.strength();
        for component in 0..slide.width() {
            let parts = slide.force.iter().zip(&directions);
            let force: f64 = parts.map(|(tau, e)| tau * e[component]).sum();
            // What nothing held goes as its rate says, which is looked at next.
            self.ways[slide.way + component] = match strength > 0.0 {
                true => -force / strength,
                false => f64::from(component == 0),
            };
        }
    }

    /// How much more than it can the force does that holds a slip, beyond doubt.
    fn excess(&self, index: usize) -> f64 {
        let slide = &self.slides[index];
        let (_, size) = slide.rate(&self.acceleration, &self.pushes);
        let mobility = self.holds.mobility_of(index);
        let size = if mobility > 0.0 { size / mobility } else { 0.0 };
        slide.strength() - slide.bound - KNOWN * (slide.bound + size)
    }

    /// Whether a slip that is held cannot be, or one that vanishes and slides does not grow.
    fn disagrees(&self, index: usize) -> bool {
        let slide = &self.slides[index];
        let (rate, size) = slide.rate(&self.acceleration, &self.pushes);
        if slide.held {
            let size = size + self.holds.moved_by(index, &self.slides);
            // Where rows decide about it, what the forces leave of its rate is rounding.
            let rounding = match self.holds.mobility_of(index) > 0.0 {
                true => CLEAR * (norm(&rate) + size),
                false => KNOWN * size,
            };
            let missed = slide.missed(&self.left_out);
            return norm(&rate) > rounding + 2.0 * missed || self.excess(index) > 0.0;
        }
        if !self.undecided.contains(&index) || slide.bound == 0.0 {
            return false;
        }
        let ways = &self.ways[slide.way..][..slide.width()];
        let along = dot(&rate[..slide.width()], ways);
        // One that has just been let go begins with no rate at all where static friction is that of sliding.
        match self.released == Some(index) || slide.let_go {
            true => along < -CLEAR * size,
            false => along <= KNOWN * size,
        }
    }

    /// Tries all ways of slips along lines; hands back why one has no reactions.
    fn try_all(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<Option<Failure>, Failure> {
        let mut failure = None;
        let undecided = self.undecided.clone();
        let count = 3_usize.pow(undecided.len() as u32);
        for pattern in 0..count {
            let mut rest = pattern;
            for &index in &undecided {
                let slide = &mut self.slides[index];
                slide.held = rest % 3 == 0;
                self.ways[slide.way] = if rest % 3 == 1 { 1.0 } else { -1.0 };
                rest /= 3;
            }
            if let Err(other) = self.solve(evaluator, factorisation) {
                failure = Some(other);
                continue;
            }
            if (0..self.slides.len()).any(|index| self.disagrees(index)) {
                continue;
            }
            let ways = self.ways.clone();
            let held: Vec<bool> = self.slides.iter().map(|it| it.held).collect();
            let (reactions, acceleration) = (self.search.solution().to_vec(), &self.acceleration);
            let acceleration = acceleration.clone();
            if self.could_be_held(&undecided, &ways, evaluator, factorisation) {
                continue;
            }
            let found = &mut self.found;
            found.ways.push(ways);
            found.held.push(held);
            found.reactions.push(reactions);
            found.accelerations.push(acceleration);
        }
        Ok(failure)
    }

    /// Whether a slip that begins, where static friction is more than that of sliding, would be held if it did not: then it does not begin.
    fn could_be_held(
        &mut self,
        undecided: &[usize],
        ways: &[f64],
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> bool {
        let mut could = false;
        for &index in undecided {
            let slide = &self.slides[index];
            if slide.held || !slide.holds_better {
                continue;
            }
            self.slides[index].held = true;
            let solved = self.solve(evaluator, factorisation);
            could |= solved.is_ok() && !self.disagrees(index);
            self.slides[index].held = false;
            self.ways.copy_from_slice(ways);
        }
        could
    }

    /// Finds the directions in which slips in planes begin, one after the other until none changes; whether they come to.
    fn turn_planes(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<bool, Failure> {
        let planes = self.undecided.iter().copied().filter(|&index| {
            let slide = &self.slides[index];
            slide.in_plane && !slide.held && self.released != Some(index)
        });
        let planes: Vec<usize> = planes.collect();
        for _ in 0..TURNS {
            let mut turned = false;
            for &index in &planes {
                let before = self.ways.clone();
                if !self.depart_in_plane(index, evaluator, factorisation)? {
                    // Nothing grows: it is held again.
                    self.ways.copy_from_slice(&before);
                    self.solve(evaluator, factorisation)?;
                    return Ok(true);
                }
                let moved = self.ways.iter().zip(&before);
                turned |= moved.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) > KNOWN;
            }
            if !turned || planes.len() == 1 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds the direction in which a slip in a plane begins, the others being as they are; whether there is one.
    fn depart_in_plane(
        &mut self,
        slide: usize,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<bool, Failure> {
        let (axes, _) = self.slides[slide].directions();
        let mut failure = None;
        let mut before: Option<(f64, f64)> = None;
        let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
        for step in 0..=ANGLES {
            let angle = TAU * step as f64 / ANGLES as f64;
            let heading = match self.heading(slide, axes, angle, evaluator, factorisation) {
                Ok(heading) => heading,
                Err(other) => {
                    (failure, before) = (Some(other), None);
                    continue;
                }
            };
            let last = before.replace((angle, heading.across));
            let Some((mut low, across)) = last else {
                continue;
            };
            if (across < 0.0) == (heading.across < 0.0) {
                continue;
            }
            let (mut high, mut root) = (angle, heading);
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
                found.push((f64::midpoint(low, high), self.search.solution().to_vec()));
            }
        }
        match (found.as_slice(), failure) {
            ([], Some(failure)) => Err(failure),
            ([], None) => Ok(false),
            (&[(angle, _)], _) => {
                self.heading(slide, axes, angle, evaluator, factorisation)?;
                Ok(true)
            }
            (several, _) => {
                let several = several.iter().map(|(_, reactions)| reactions.clone());
                Err(self.painleve(several.collect(), None))
            }
        }
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
        self.found.headings += 1;
        if self.found.headings > MOST_HEADINGS {
            let of = self.undecided.iter().map(|&it| self.slides[it].of);
            return Err(Failure::NotSettled { of: of.collect() });
        }
        let (sin, cos) = angle.sin_cos();
        let mix =
            |a: f64, b: f64| -> [f64; 3] { std::array::from_fn(|i| a * first[i] + b * second[i]) };
        let (along, across) = (mix(cos, sin), mix(-sin, cos));
        let way = self.slides[slide].way;
        self.ways[way..way + 3].copy_from_slice(&along);
        self.solve(evaluator, factorisation)?;
        let (rate, size) = self.slides[slide].rate(&self.acceleration, &self.pushes);
        Ok(Heading {
            along: dot(&rate, &along),
            across: dot(&rate, &across),
            size,
        })
    }
}

/// The rate of a slip in a plane: along a direction, across it, and the sum of the sizes of its terms.
#[derive(Clone, Copy)]
struct Heading {
    along: f64,
    across: f64,
    size: f64,
}
