//! Which contacts press: accelerations.

use super::{Contacts, Friction, NoContact, Roughness};
use crate::decide::{CANCELLED, COARSE};
use crate::linear::{add_scaled, dot};
use dalembert_contact::{NoAnswer, Problem, Solution, Uniqueness, solve_departing};

/// What contacts that touch do from an instant on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pressed {
    /// By contact looked at: whether it presses.
    pub presses: Vec<bool>,
    /// Whether neither its force nor its acceleration is more than rounding.
    pub undecided: Vec<bool>,
    /// Normal forces: multipliers.
    pub forces: Vec<f64>,
    /// What normal forces are measured by.
    pub scales: Vec<f64>,
    /// Accelerations of the gaps, beside what forces make of them.
    pub lifts: Vec<f64>,
    /// The same without forces of the contacts, as they are.
    pub free: Vec<f64>,
    /// Whether it was shown that nothing else could happen.
    pub established: bool,
    /// Whether gaps depend on each other, so that the forces are not unique.
    pub dependent: bool,
}

impl Contacts<'_> {
    /// Which of the contacts that touch, and whose gaps have no rate, press from the state that is set on.
    ///
    /// # Errors
    /// See [`NoContact`].
    pub fn press(&mut self, touching: &[usize]) -> Result<Pressed, NoContact> {
        if touching.is_empty() {
            return Ok(Pressed {
                established: true,
                ..Pressed::default()
            });
        }
        let roughs = self.look_at(touching)?;
        let free = self.free_accelerations()?;
        if self.beside.is_some() {
            return self.press_beside(&free);
        }
        let (found, uniqueness) = self.solve_press(&free, &roughs)?;
        let normals: Vec<usize> = self.contacts.iter().map(|it| it.normal).collect();
        let of = |values: &[f64]| normals.iter().map(|&i| values[i]).collect();
        let moved = (of(&found.forces), of(&found.accelerations), of(&free));
        let established = uniqueness != Uniqueness::NotEstablished;
        Ok(self.pressed(moved, &self.press_scales(&free), established))
    }

    /// How fast the rate of a gap falls from the state that is set on, without a force of its contact and with those of others that `rest`.
    ///
    /// # Errors
    /// See [`NoContact`].
    pub fn falling(&mut self, contact: usize, rest: &[usize]) -> Result<f64, NoContact> {
        if self.beside.is_some() {
            return self.press(&[contact]).map(|it| -it.free[0]);
        }
        let roughs = self.look_at(&[&[contact], rest].concat())?;
        let free = self.free_accelerations()?;
        self.rub(&roughs);
        let others = Problem {
            contacts: &self.contacts[1..],
            ..self.problem(&free)
        };
        let found = others.find();
        Ok(-found.map_or(free[0], |it| it.accelerations[0]))
    }

    /// How fast gaps of contacts that press begin to open, beside what forces make of them: nothing unless no forces that press keep them closed. Whether
    /// something else could happen is not asked.
    ///
    /// # Errors
    /// See [`NoContact`].
    pub fn lifts(&mut self, touching: &[usize]) -> Result<Vec<f64>, NoContact> {
        if self.beside.is_some() {
            return self.press(touching).map(|it| it.lifts);
        }
        let roughs = self.look_at(touching)?;
        let free = self.free_accelerations()?;
        // Whether what rests begins to slip is watched elsewhere: a little more friction keeps away from where it just does.
        let more = roughs.into_iter().map(|rough| Roughness {
            holding: (1.0 + COARSE) * rough.holding,
            ..rough
        });
        self.rub(&more.collect::<Vec<_>>());
        let found = self.problem(&free).find();
        let found = found.ok_or_else(|| NoContact::Answers {
            contacts: self.touching.clone(),
            forces: Vec::new(),
            tried: false,
        })?;
        let scales = self.press_scales(&free);
        let each = self.contacts.iter().zip(&scales);
        let each = each.map(|(it, scale)| found.accelerations[it.normal] / scale[1]);
        Ok(each.collect())
    }

    /// What normal forces are measured by, and accelerations of gaps, by contact looked at: the largest free acceleration, by mobilities.
    pub(super) fn press_scales(&self, free: &[f64]) -> Vec<[f64; 2]> {
        let count = self.directions.len();
        let root = |i: usize| match self.mobility[i * count + i] {
            w if w > 0.0 => w.sqrt(),
            _ => 1.0,
        };
        let sizes = self.sizes_of_free(free);
        let most = (0..count).fold(0.0_f64, |most, i| most.max(sizes[i] / root(i)));
        let most = if most > 0.0 { most } else { 1.0 };
        let normals = self.contacts.iter().map(|it| root(it.normal));
        normals.map(|root| [most / root, most * root]).collect()
    }

    /// What forces, accelerations and free accelerations of the gaps looked at say, beside what rounding leaves of them.
    pub(super) fn pressed(
        &self,
        (forces, accelerations, free): (Vec<f64>, Vec<f64>, Vec<f64>),
        scales: &[[f64; 2]],
        established: bool,
    ) -> Pressed {
        let press = forces.iter().zip(scales).map(|(force, it)| force / it[0]);
        let lifts = accelerations.iter().zip(scales).map(|(a, it)| a / it[1]);
        let lifts: Vec<f64> = lifts.collect();
        let presses: Vec<bool> = press.map(|it| it > CANCELLED).collect();
        let undecided = presses.iter().zip(&lifts);
        let undecided = undecided.map(|(presses, lift)| !presses && *lift <= CANCELLED);
        Pressed {
            undecided: undecided.collect(),
            presses,
            forces,
            scales: scales.iter().map(|it| it[0]).collect(),
            free,
            lifts,
            established,
            dependent: self.is_dependent(),
        }
    }

    /// Accelerations of gaps and slips without forces of the contacts.
    fn free_accelerations(&mut self) -> Result<Vec<f64>, NoContact> {
        let now = self.evaluator.latest();
        let mut force = now.force.to_vec();
        add_scaled(&mut force, 1.0, now.nonideal);
        let mut acceleration = vec![0.0; force.len()];
        let mut multipliers = vec![0.0; self.bias.len()];
        self.factorisation
            .solve(&force, &self.bias, &mut acceleration, &mut multipliers)?;
        let all = self.directions.iter().enumerate();
        Ok(all
            .map(|(k, it)| it.rest + dot(self.slope(k), &acceleration))
            .collect())
    }

    /// What the forces would make of each coordinate alone.
    pub(super) fn pushes(&self) -> Vec<f64> {
        let now = self.evaluator.latest();
        (now.force.iter().zip(now.nonideal).enumerate())
            .map(|(i, (h, w))| match now.mass.diagonal(i) {
                inertia if inertia > 0.0 => (h.abs() + w.abs()) / inertia,
                _ => 0.0,
            })
            .collect()
    }

    /// The sizes of what free accelerations are made of: they may cancel.
    fn sizes_of_free(&self, free: &[f64]) -> Vec<f64> {
        let pushes = self.pushes();
        let size = |(k, free): (usize, &f64)| {
            let terms = self.slope(k).iter().zip(&pushes);
            let terms: f64 = terms.map(|(a, push)| (a * push).abs()).sum();
            terms + self.directions[k].rest.abs() + free.abs()
        };
        free.iter().enumerate().map(size).collect()
    }

    /// Friction holds where nothing slips, by its static coefficient; what begins to slip has that of sliding.
    fn solve_press(
        &mut self,
        free: &[f64],
        roughs: &[Roughness],
    ) -> Result<(Solution, Uniqueness), NoContact> {
        self.rub(roughs);
        let sliding: Vec<f64> = roughs.iter().map(|it| it.coefficient).collect();
        let problem = (&self.mobility[..], free);
        let found = match solve_departing(problem, &mut self.contacts, &sliding, true) {
            Err(NoAnswer::Several(all)) if self.all_stay(&all, free) => {
                let open = Uniqueness::NotEstablished;
                let first = all.into_iter().next();
                first.map(|it| (it, open)).ok_or(NoAnswer::Nothing(open))
            }
            found => found,
        };
        self.answered(found)
    }

    /// Whether contacts that share what they carry in many ways stay closed in each of these: how they slide then is that of the forces taken.
    fn all_stay(&self, all: &[Solution], free: &[f64]) -> bool {
        let scales = self.press_scales(free);
        let stays = |it: &Solution| {
            let mut gaps = self.contacts.iter().zip(&scales);
            gaps.all(|(contact, scale)| it.accelerations[contact.normal] <= CANCELLED * scale[1])
        };
        self.is_dependent() && all.iter().all(stays)
    }

    /// Gives the contacts looked at the way they slip, and the friction that they have then.
    fn rub(&mut self, roughs: &[Roughness]) {
        let directions = &self.directions;
        let rate = |at: usize| directions[at].rate.value;
        for (contact, rough) in self.contacts.iter_mut().zip(roughs) {
            let friction = match rough.slips {
                true => rough.coefficient,
                false => rough.holding,
            };
            match &mut contact.friction {
                Friction::Smooth => {}
                Friction::Line {
                    at,
                    coefficient,
                    way,
                } => {
                    *coefficient = friction;
                    *way = rough.slips.then_some(rate(*at).signum());
                }
                Friction::Plane {
                    at,
                    coefficient,
                    way,
                } => {
                    let [x, y] = [rate(*at), rate(*at + 1)];
                    let speed = x.hypot(y);
                    *coefficient = friction;
                    *way = rough.slips.then_some([x / speed, y / speed]);
                }
            }
        }
    }

    pub(super) fn problem<'a>(&'a self, free: &'a [f64]) -> Problem<'a> {
        Problem {
            mobility: &self.mobility,
            free,
            contacts: &self.contacts,
        }
    }
}
