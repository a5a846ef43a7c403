//! Slips in planes of several contacts that vanish at once, decided together.
//!
//! With the forces of friction f unknown, the rates of slips and the normal forces follow from them by what unit forces along the slips do
//! (`holds.rs`):
//!
//! ```text
//! u' = G f + u₀'            N = N₀ + L f
//! |f| ≤ μ N,  f = −μ N u'/|u'| where u' is not zero
//! ```
//!
//! That is the problem of `dalembert-contact`, where a normal force is one of its forces: it presses unless w (N − N₀ − L f) is more than zero, w a
//! mobility by which it is measured as the slip is.

use super::Laws;
use super::slide::Slide;
use crate::decide::{CLEAR, KNOWN};
use crate::equations::Evaluator;
use crate::formulation::Failure;
use crate::linear::factorisation::Factorisation;
use crate::linear::{dot, norm};
use dalembert_contact::{Contact, Friction, Solution, State, solve_departing};

/// The problem of all slips that count.
struct Posed {
    mobility: Vec<f64>,
    free: Vec<f64>,
    contacts: Vec<Contact>,
    /// By contact its slip, and its friction where it slides.
    slips: Vec<usize>,
    sliding: Vec<f64>,
}

impl Laws {
    /// Decides about slips that vanish, several of them in planes; whether that can be, and agrees with the motion it makes.
    pub(super) fn settle_together(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<bool, Failure> {
        let planes = self
            .undecided
            .iter()
            .filter(|&&it| self.slides[it].in_plane);
        if planes.count() < 2 || !self.can_be_posed(evaluator) {
            return Ok(false);
        }
        self.look_at_all(evaluator, factorisation)?;
        let mut posed = self.pose();
        let problem = (&posed.mobility[..], &posed.free[..]);
        // It is told that others are not excluded.
        let found = solve_departing(problem, &mut posed.contacts, &posed.sliding, false);
        let Ok((found, _)) = found else {
            return Ok(false);
        };
        for (k, &index) in posed.slips.iter().enumerate() {
            if self.undecided.contains(&index) {
                self.begin_as(index, &posed.contacts[k], found.states[k], &found);
            }
        }
        self.solve(evaluator, factorisation)?;
        Ok(self.undecided.iter().all(|&index| self.agrees(index)))
    }

    /// Whether all that has friction presses by one contact, or with a given force, and nothing else uses reactions.
    fn can_be_posed(&self, evaluator: &mut Evaluator<'_>) -> bool {
        let all_slip = (evaluator.contacts()).all(|it| !it.active || it.slip.is_some());
        let equations = evaluator.equations();
        let alone = |slide: &Slide| !slide.active || slide.is_contact || slide.pressed.is_none();
        let known = |slide: &Slide| slide.pressed.is_some() || slide.always > 0.0;
        equations.has_only_friction()
            && !equations.has_servos()
            && all_slip
            && self
                .slides
                .iter()
                .all(|it| alone(it) && (!it.active || known(it)))
    }

    fn pose(&self) -> Posed {
        let slips: Vec<usize> = (0..self.slides.len())
            .filter(|&it| self.slides[it].active)
            .collect();
        let widths = slips.iter().map(|&it| self.slides[it].directions().1);
        let count: usize = widths.map(|width| 1 + width).sum();
        let (mut mobility, mut free) = (vec![0.0; count * count], vec![0.0; count]);
        let (mut contacts, mut sliding) = (Vec::new(), Vec::new());
        // The place in the problem of each direction of a slip.
        let mut places = vec![0; self.holds.of.len()];
        let mut at = 0;
        for &index in &slips {
            let slide = &self.slides[index];
            let (directions, width) = slide.directions();
            let rate = slide.rate_at(&self.free.0);
            for (place, (_, axis)) in self.own_places(index) {
                places[place] = at + 1 + axis;
                free[at + 1 + axis] = dot(&rate, &directions[axis]);
            }
            let (normal, holding) = match slide.pressed {
                Some((row, holding)) => (self.free.1[row], holding),
                None => (slide.always, 1.0),
            };
            let w = self.measure_of(index);
            mobility[at * count + at] = w;
            free[at] = -w * normal;
            contacts.push(Contact {
                normal: at,
                friction: self.friction_of(index, at + 1, holding),
            });
            sliding.push(slide.sliding);
            at += 1 + width;
        }
        let directions = self.holds.of.len();
        for (i, &row) in places.iter().enumerate() {
            for (j, &column) in places.iter().enumerate() {
                mobility[row * count + column] = self.holds.mobility[i * directions + j];
            }
        }
        for (contact, &index) in contacts.iter().zip(&slips) {
            let Some((row, _)) = self.slides[index].pressed else {
                continue;
            };
            let w = mobility[contact.normal * count + contact.normal];
            for (place, &column) in places.iter().enumerate() {
                let mut entries = self.holds.reactions.row(place);
                let own = entries.find(|(of, _)| *of == row);
                mobility[contact.normal * count + column] -= w * own.map_or(0.0, |it| it.1);
            }
        }
        Posed {
            mobility,
            free,
            contacts,
            slips,
            sliding,
        }
    }

    /// Places of a slip's directions, with slip and axis.
    fn own_places(&self, index: usize) -> impl Iterator<Item = (usize, (usize, usize))> + '_ {
        let all = self.holds.of.iter().copied().enumerate();
        all.filter(move |(_, of)| of.0 == index)
    }

    /// The mobility by which the normal force of a slip is measured.
    fn measure_of(&self, index: usize) -> f64 {
        match self.holds.mobility_of(index) {
            w if w > 0.0 => w,
            _ => 1.0,
        }
    }

    /// Friction of a slip: the way it goes is known, or it is held or not.
    fn friction_of(&self, index: usize, at: usize, holding: f64) -> Friction {
        let slide = &self.slides[index];
        let slides = !slide.held && !self.undecided.contains(&index);
        let (directions, _) = slide.directions();
        let ways = &self.ways[slide.way..][..slide.width()];
        let coefficient = if slides { slide.sliding } else { holding };
        match slide.in_plane {
            true => Friction::Plane {
                at,
                coefficient,
                way: slides.then(|| [0, 1].map(|axis| dot(ways, &directions[axis]))),
            },
            false => Friction::Line {
                at,
                coefficient,
                way: slides.then(|| ways[0]),
            },
        }
    }

    /// Lets a slip begin, or be held, as was found.
    fn begin_as(&mut self, index: usize, contact: &Contact, state: State, found: &Solution) {
        let (at, width) = match contact.friction {
            Friction::Smooth => return,
            Friction::Line { at, .. } => (at, 1),
            Friction::Plane { at, .. } => (at, 2),
        };
        let slide = &mut self.slides[index];
        let (directions, _) = slide.directions();
        slide.held = matches!(state, State::Sticks);
        if slide.held {
            return;
        }
        // It goes against its friction: a rate may be little more than rounding. What nothing presses goes as its rate says.
        let mut along: Vec<f64> = (found.forces[at..at + width].iter())
            .map(|force| -force)
            .collect();
        if norm(&along) == 0.0 {
            along.copy_from_slice(&found.accelerations[at..at + width]);
        }
        let length = norm(&along);
        let ways = &mut self.ways[slide.way..][..slide.width()];
        for (component, way) in ways.iter_mut().enumerate() {
            let parts = along.iter().zip(&directions);
            let part: f64 = parts.map(|(part, e)| part * e[component]).sum();
            *way = if length > 0.0 { part / length } else { 0.0 };
        }
    }

    /// Whether a slip that is held stays, and one that begins grows, or is pressed by nothing.
    fn agrees(&self, index: usize) -> bool {
        let slide = &self.slides[index];
        let (rate, size) = slide.rate(&self.acceleration, &self.pushes);
        if slide.held {
            let size = size + self.holds.moved_by(index, &self.slides);
            let missed = slide.missed(&self.left_out);
            return norm(&rate) <= CLEAR * (norm(&rate) + size) + 2.0 * missed;
        }
        let ways = &self.ways[slide.way..][..slide.width()];
        slide.bound == 0.0 || dot(&rate[..slide.width()], ways) > -KNOWN * size
    }
}
