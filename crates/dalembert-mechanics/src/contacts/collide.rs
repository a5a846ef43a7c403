//! Impacts with friction by Poisson's restitution: contacts that do not act on each other, each by itself.
//!
//! Friction of an impact of two parts depends on the velocities on its way (Routh). Along a line that way is known in closed form; in a plane it is where the
//! slip keeps its direction, as that of a ball does. Where slips turn on the way, and of contacts that act on each other, nothing says which of them ends its
//! compression first: that is refused.

use super::{Contacts, Friction, NoContact, Roughness};
use crate::decide::CANCELLED;
use dalembert_contact::Collision;

impl Contacts<'_> {
    /// Whether friction takes part in an impact of the contacts looked at.
    pub(super) fn is_rough(&self, roughs: &[Roughness]) -> bool {
        let mut all = self.contacts.iter().zip(roughs);
        all.any(|(it, rough)| it.friction != Friction::Smooth && rough.coefficient > 0.0)
    }

    /// Impulses along the directions.
    pub(super) fn collide(
        &self,
        restitutions: &[f64],
        roughs: &[Roughness],
    ) -> Result<Vec<f64>, NoContact> {
        let count = self.directions.len();
        let mut impulses = vec![0.0; count];
        for (k, &of) in self.touching.iter().enumerate() {
            let (normal, tangents) = self.places(k);
            let own = |it: usize| it == normal || tangents.contains(&it);
            let joined = |it: usize| {
                let mut others = (0..count).filter(|&other| !own(other));
                others.any(|other| self.is_joined(it, other))
            };
            if (0..count).any(|it| own(it) && joined(it)) {
                return Err(NoContact::RoughCompression(self.touching.clone()));
            }
            let rate = self.directions[normal].rate.value;
            if rate >= 0.0 {
                continue;
            }
            let Some((mobility, slip, along)) = self.line_of_slip(k, roughs[k].slips) else {
                return Err(NoContact::TurningSlip(of));
            };
            let collision = Collision {
                mobility,
                rates: [rate, slip],
                coefficient: roughs[k].coefficient,
                restitution: restitutions[of],
            };
            let found = collision.impulses();
            let [pressed, rubbed] = found.ok_or_else(|| NoContact::Answers {
                contacts: vec![of],
                forces: Vec::new(),
                tried: true,
            })?;
            impulses[normal] = pressed;
            for (i, part) in tangents.zip(along) {
                impulses[i] = part * rubbed;
            }
        }
        Ok(impulses)
    }

    /// Places of the normal of a contact looked at, and of its tangents.
    fn places(&self, k: usize) -> (usize, std::ops::Range<usize>) {
        let contact = &self.contacts[k];
        let tangents = match contact.friction {
            Friction::Smooth => 0..0,
            Friction::Line { at, .. } => at..at + 1,
            Friction::Plane { at, .. } => at..at + 2,
        };
        (contact.normal, tangents)
    }

    /// Whether a force along one direction moves another.
    fn is_joined(&self, i: usize, k: usize) -> bool {
        let count = self.directions.len();
        let entry = |i: usize, k: usize| self.mobility[i * count + k];
        entry(i, k).powi(2) > CANCELLED.powi(2) * entry(i, i) * entry(k, k)
    }

    /// Mobilities of a contact along its normal and the line that its slip stays on, with the slip and that line; `None` where it turns.
    fn line_of_slip(&self, k: usize, slips: bool) -> Option<([f64; 3], f64, [f64; 2])> {
        let count = self.directions.len();
        let entry = |i: usize, k: usize| self.mobility[i * count + k];
        let (n, tangents) = self.places(k);
        let rate = |i: usize| match slips {
            true => self.directions[i].rate.value,
            false => 0.0,
        };
        let at = tangents.start;
        match tangents.len() {
            0 => return Some(([entry(n, n), 0.0, 0.0], 0.0, [0.0; 2])),
            1 => {
                let mobility = [entry(n, n), entry(n, at), entry(at, at)];
                return Some((mobility, rate(at), [1.0, 0.0]));
            }
            _ => {}
        }
        let push = [entry(n, at), entry(n, at + 1)];
        let plane =
            |[a, b]: [f64; 2]| [0, 1].map(|i| entry(at + i, at) * a + entry(at + i, at + 1) * b);
        let slip = [rate(at), rate(at + 1)];
        // What does not slip is driven the way that the normal impulse pushes it.
        let way = if slips { slip } else { push };
        let along = match way[0].hypot(way[1]) {
            0.0 => [1.0, 0.0],
            length => way.map(|part| part / length),
        };
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let across = [-along[1], along[0]];
        let moved = plane(along);
        let trace = entry(at, at) + entry(at + 1, at + 1);
        let is_straight = dot(across, push).powi(2) <= CANCELLED.powi(2) * entry(n, n) * trace
            && dot(across, moved).abs() <= CANCELLED * trace;
        let mobility = [entry(n, n), dot(along, push), dot(along, moved)];
        is_straight.then(|| (mobility, dot(along, slip), along))
    }
}
