//! Contacts in groups that do not act on each other, as those of two bodies that lie apart: each group is a problem of its own, and has no more
//! combinations than its own contacts make.

use super::{Contact, Friction, NoAnswer, Problem, Solution, Uniqueness};
use dalembert_linear::decide::SOLVED;

/// A group: its contacts, their places among forces and accelerations, and the problem with places of its own.
struct Group {
    places: Vec<usize>,
    mobility: Vec<f64>,
    free: Vec<f64>,
    contacts: Vec<Contact>,
}

impl Group {
    fn problem(&self) -> Problem<'_> {
        Problem {
            mobility: &self.mobility,
            free: &self.free,
            contacts: &self.contacts,
        }
    }
}

impl Problem<'_> {
    /// The solution of all groups, by what solves one; `None` if all contacts are one group.
    pub(super) fn by_groups(
        &self,
        solve: impl Fn(&Problem<'_>) -> Result<(Solution, Uniqueness), NoAnswer>,
    ) -> Option<Result<(Solution, Uniqueness), NoAnswer>> {
        if self.contacts.len() < 2 {
            return None;
        }
        let groups = self.groups();
        (groups.len() > 1).then(|| self.join(groups, solve))
    }

    fn join(
        &self,
        groups: Vec<Group>,
        solve: impl Fn(&Problem<'_>) -> Result<(Solution, Uniqueness), NoAnswer>,
    ) -> Result<(Solution, Uniqueness), NoAnswer> {
        let scales = self.scales();
        let mut forces = vec![0.0; self.count()];
        let mut others: Option<(Vec<usize>, Vec<Solution>)> = None;
        let mut known = Uniqueness::Convex;
        for group in groups {
            let is_rounding = |&it: &usize| self.free[it].abs() <= SOLVED * scales[it][1];
            // Nothing but rounding acts on these: they are as they are.
            if group.places.iter().all(is_rounding) {
                continue;
            }
            let found = match solve(&group.problem()) {
                Ok((found, uniqueness)) => {
                    known = known.weaker(uniqueness);
                    found
                }
                Err(NoAnswer::Several(mut all)) => {
                    let first = all.swap_remove(0);
                    others.get_or_insert((group.places.clone(), all));
                    first
                }
                nothing @ Err(NoAnswer::Nothing(_)) => return nothing,
            };
            for (&place, force) in group.places.iter().zip(found.forces) {
                forces[place] = force;
            }
        }
        let Some((places, others)) = others else {
            return Ok((self.solution(forces), known));
        };
        let other = |it: Solution| {
            let mut forces = forces.clone();
            for (&place, force) in places.iter().zip(it.forces) {
                forces[place] = force;
            }
            self.solution(forces)
        };
        let all = others.into_iter().map(other);
        let first = self.solution(forces.clone());
        Err(NoAnswer::Several(
            std::iter::once(first).chain(all).collect(),
        ))
    }

    /// The groups, in the order of their first contacts.
    fn groups(&self) -> Vec<Group> {
        let n = self.count();
        let all = self.contacts.len();
        let mut group: Vec<usize> = (0..all).collect();
        for i in 0..all {
            for k in 0..i {
                if group[i] != group[k] && self.act_on_each_other(i, k) {
                    let (from, to) = (group[i].max(group[k]), group[i].min(group[k]));
                    group
                        .iter_mut()
                        .filter(|it| **it == from)
                        .for_each(|it| *it = to);
                }
            }
        }
        let firsts = (0..all).filter(|&k| group[k] == k);
        firsts
            .map(|first| {
                let mut made = Group {
                    places: Vec::new(),
                    mobility: Vec::new(),
                    free: Vec::new(),
                    contacts: Vec::new(),
                };
                let own = self.contacts.iter().zip(&group);
                for (contact, _) in own.filter(|(_, of)| **of == first) {
                    let start = made.places.len();
                    made.places.extend(places(contact));
                    made.contacts.push(moved(contact, start));
                }
                made.free = made.places.iter().map(|&i| self.free[i]).collect();
                let rows = made.places.iter();
                let entries =
                    rows.flat_map(|&i| made.places.iter().map(move |&k| self.mobility[i * n + k]));
                made.mobility = entries.collect();
                made
            })
            .collect()
    }

    /// Whether a force of one contact moves another.
    #[must_use]
    pub fn act_on_each_other(&self, one: usize, other: usize) -> bool {
        let n = self.count();
        let entry = |i: usize, k: usize| self.mobility[i * n + k];
        places(&self.contacts[one]).any(|i| {
            places(&self.contacts[other]).any(|k| {
                let size = entry(i, i).abs().sqrt() * entry(k, k).abs().sqrt();
                // Not a number acts on all.
                !(entry(i, k).abs() <= SOLVED * size && entry(k, i).abs() <= SOLVED * size)
            })
        })
    }
}

/// Places of a contact among forces and accelerations: of its normal, then of its friction.
fn places(contact: &Contact) -> impl Iterator<Item = usize> + use<> {
    let tangents = match contact.friction {
        Friction::Smooth => 0..0,
        Friction::Line { at, .. } => at..at + 1,
        Friction::Plane { at, .. } => at..at + 2,
    };
    std::iter::once(contact.normal).chain(tangents)
}

/// The same contact with its places from here on.
fn moved(contact: &Contact, start: usize) -> Contact {
    let mut moved = Contact {
        normal: start,
        ..*contact
    };
    if let Friction::Line { at, .. } | Friction::Plane { at, .. } = &mut moved.friction {
        *at = start + 1;
    }
    moved
}
