//! Impacts: all contacts that touch, at once.
//!
//! ```text
//! M (q'⁺ − q'⁻) = Aᵀ Λ + Σ Jᵀ Γ        A of the rows that hold, J of gaps and slips
//! 0 ≤ Γₙ ⟂ g'⁺ − e max(0, −g'⁻) ≥ 0    (Moreau, with Newton's restitution)
//! |Γ_t| ≤ μ Γₙ                         against the slip after the impact where that is not zero
//! ```
//!
//! By Poisson's hypothesis a first impact is plastic; then each contact gets back at least a part e of its impulse,
//! 0 ≤ Γₙ − e Γₙ₁ ⟂ g'⁺ ≥ 0. With friction the velocities on the way decide, not those at its end: that is followed for contacts that do not act on each
//! other, each by itself and along a line (`Collision` in `dalembert-contact`), and refused of others.

use super::{Contacts, Friction, NoContact, Roughness};
use crate::decide::{CANCELLED, CLEAR, KNOWN};
use crate::impulse::takes_impulse;
use crate::linear::{CompleteOrthogonal, add_scaled, dot};
use crate::lower::RowId;

/// An impact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strike {
    /// Rates after it.
    pub after: Vec<f64>,
    /// Impulses of all rows, those of contacts included.
    pub impulses: Vec<f64>,
    /// Contacts that took an impulse.
    pub struck: Vec<usize>,
    /// Work of the impulses on the mechanism: energy that it gained, less than nothing where walls took some.
    pub work: f64,
    /// Contacts that come back at once and act on each other: other laws of impact could say something else of these.
    pub together: Vec<usize>,
    /// Whether it was shown that nothing else could happen.
    pub established: bool,
}

impl Contacts<'_> {
    /// What an impact does at the state that is set, of contacts that touch; those that are `dead` do not come back.
    ///
    /// # Errors
    /// See [`NoContact`].
    pub fn strike(&mut self, touching: &[usize], dead: &[bool]) -> Result<Strike, NoContact> {
        let active = |row: &&usize| self.evaluator.is_active(**row);
        if let Some(&row) = self.not_linear.iter().find(active) {
            return Err(NoContact::NotLinear(RowId::new(row)));
        }
        let mut restitutions = self.restitutions();
        for (contact, e) in restitutions.iter_mut().enumerate() {
            if !(0.0..=1.0).contains(e) {
                let value = *e;
                return Err(NoContact::Restitution { contact, value });
            }
            if dead[contact] {
                *e = 0.0;
            }
        }
        let roughs = self.look_at(touching)?;
        let poisson = self.system().unilateral.iter().any(|it| it.poisson);
        let (impulses, established) = match poisson {
            false => self.newton(&restitutions, &roughs)?,
            true if self.is_rough(&roughs) => (self.collide(&restitutions, &roughs)?, true),
            true => self.poisson(&restitutions)?,
        };
        let found = self.struck(&impulses, &restitutions, established);
        (self.restitutions, self.roughs, self.room) = (restitutions, roughs, impulses);
        found
    }

    /// Impulses by Newton's restitution.
    fn newton(
        &mut self,
        restitutions: &[f64],
        roughs: &[Roughness],
    ) -> Result<(Vec<f64>, bool), NoContact> {
        for (contact, rough) in self.contacts.iter_mut().zip(roughs) {
            // Coulomb's law of sliding bounds impulses, whether it slides before or not.
            if let Friction::Line {
                coefficient, way, ..
            } = &mut contact.friction
            {
                (*coefficient, *way) = (rough.coefficient, None);
            }
            if let Friction::Plane {
                coefficient, way, ..
            } = &mut contact.friction
            {
                (*coefficient, *way) = (rough.coefficient, None);
            }
        }
        let mut free = std::mem::take(&mut self.room);
        free.clear();
        free.extend(self.directions.iter().map(|it| it.rate.value));
        for (contact, of) in self.contacts.iter().zip(&self.touching) {
            let rate = &mut free[contact.normal];
            *rate += restitutions[*of] * rate.min(0.0);
        }
        if let Some(force) = self.problem(&free).force_alone() {
            free[0] = force;
            return Ok((free, true));
        }
        let (found, uniqueness) = self.answered(self.problem(&free).solve())?;
        let established = uniqueness != dalembert_contact::Uniqueness::NotEstablished;
        Ok((found.forces, established))
    }

    /// Impulses by Poisson's, without friction.
    fn poisson(&mut self, restitutions: &[f64]) -> Result<(Vec<f64>, bool), NoContact> {
        let rates: Vec<f64> = self.directions.iter().map(|it| it.rate.value).collect();
        let (first, _) = self.answered(self.problem(&rates).solve())?;
        let mut given = first.forces;
        for (contact, of) in self.contacts.iter().zip(&self.touching) {
            given[contact.normal] *= 1.0 + restitutions[*of];
        }
        let count = rates.len();
        let free: Vec<f64> = (0..count)
            .map(|i| rates[i] + dot(&self.mobility[i * count..][..count], &given))
            .collect();
        let (second, _) = self.answered(self.problem(&free).solve())?;
        let total = given.iter().zip(&second.forces).map(|(a, b)| a + b);
        Ok((total.collect(), true))
    }

    /// What impulses along the directions do.
    fn struck(
        &self,
        forces: &[f64],
        restitutions: &[f64],
        established: bool,
    ) -> Result<Strike, NoContact> {
        let before = self.evaluator.rates();
        let (n, rows) = (before.len(), self.bias.len());
        let (mut change, mut impulses) = (vec![0.0; n], self.nothing.clone());
        for (k, force) in forces.iter().enumerate() {
            add_scaled(&mut change, *force, &self.motions[k * n..][..n]);
            add_scaled(&mut impulses, *force, &self.reactions[k * rows..][..rows]);
        }
        let mean = |i: usize| before[i] + 0.5 * change[i];
        let (mut work, mut relative, mut size) = (0.0, 0.0, 0.0);
        for (k, (direction, force)) in self.directions.iter().zip(forces).enumerate() {
            let jump = dot(self.slope(k), &change);
            let along = self.slope(k).iter().enumerate();
            work += force * along.map(|(i, a)| a * mean(i)).sum::<f64>();
            relative += force * (direction.rate.value + 0.5 * jump);
            size += (force * direction.rate.value).abs() + (force * jump).abs();
        }
        if relative > CLEAR * size {
            return Err(NoContact::Grows {
                contacts: self.touching.clone(),
                by: relative,
            });
        }
        let largest = self.contacts.iter();
        let largest = largest.fold(0.0_f64, |most, it| most.max(forces[it.normal]));
        let mut struck = Vec::with_capacity(self.touching.len());
        for (contact, &of) in self.contacts.iter().zip(&self.touching) {
            impulses[self.system().unilateral[of].row.index()] = forces[contact.normal];
            if forces[contact.normal] > KNOWN * largest {
                struck.push(of);
            }
        }
        let jacobian = self.rows.matrix(&self.jacobian);
        self.refuse_lawful(&impulses)?;
        // Rows that hold through the impact do work where they move.
        for (row, impulse) in impulses.iter().enumerate() {
            let along = jacobian.stored(row).map(|(i, a)| a * mean(i));
            work += impulse * along.sum::<f64>();
        }
        let (problem, touching) = (self.problem(forces), &self.touching);
        let lively = |one: usize, other: usize| {
            let comes_back = [one, other].map(|it| restitutions[touching[it]] > 0.0);
            one != other && comes_back.contains(&true) && problem.act_on_each_other(one, other)
        };
        let took = |it: &usize| struck.len() > 1 && struck.contains(&touching[*it]);
        let all = || (0..touching.len()).filter(took);
        let together = all().filter(|&one| all().any(|other| lively(one, other)));
        let mut after = change;
        add_scaled(&mut after, 1.0, before);
        Ok(Strike {
            after,
            impulses,
            together: together.map(|it| touching[it]).collect(),
            struck,
            work,
            established,
        })
    }

    /// A row on whose reaction something else depends may not take an impulse.
    fn refuse_lawful(&self, impulses: &[f64]) -> Result<(), NoContact> {
        let Some(beside) = &self.beside else {
            return Ok(());
        };
        let largest = |entries: &mut dyn Iterator<Item = f64>| {
            entries.fold(0.0_f64, |most, entry| most.max(entry.abs()))
        };
        let jacobian = self.rows.matrix(&self.jacobian);
        let mut sizes: Vec<f64> = (0..impulses.len())
            .map(|row| largest(&mut jacobian.stored(row).map(|(_, entry)| entry)))
            .collect();
        for (contact, &of) in self.contacts.iter().zip(&self.touching) {
            let slope = self.slope(contact.normal);
            let row = self.system().unilateral[of].row.index();
            sizes[row] = largest(&mut slope.iter().copied());
        }
        let moved = sizes.iter_mut().zip(impulses);
        moved.for_each(|(size, impulse)| *size *= impulse.abs());
        match takes_impulse(beside.rows(), &sizes) {
            Some(row) => Err(NoContact::Lawful(row)),
            None => Ok(()),
        }
    }

    /// Takes from rates what gaps of these contacts change by: they rest. The work that this does.
    ///
    /// # Errors
    /// See [`NoContact`].
    pub fn arrest(&mut self, resting: &[usize], rates: &mut [f64]) -> Result<f64, NoContact> {
        self.look_at(resting)?;
        let n = rates.len();
        let (matrix, scales) = self.scaled_normals();
        let m = scales.len();
        let mut orthogonal = CompleteOrthogonal::new(m, m);
        orthogonal.factor(&matrix, CANCELLED);
        let right = self.contacts.iter().zip(&scales);
        let right: Vec<f64> = right
            .map(|(it, scale)| -self.directions[it.normal].rate.value * scale)
            .collect();
        let mut impulses = vec![0.0; m];
        orthogonal.least(&right, &mut impulses);
        let mut change = vec![0.0; n];
        for ((contact, impulse), scale) in self.contacts.iter().zip(&mut impulses).zip(&scales) {
            *impulse *= scale;
            let motion = &self.motions[contact.normal * n..][..n];
            add_scaled(&mut change, *impulse, motion);
        }
        let mean: Vec<f64> = (0..n).map(|i| rates[i] + 0.5 * change[i]).collect();
        let work = self.contacts.iter().zip(&impulses);
        let work = work.map(|(it, impulse)| impulse * dot(self.slope(it.normal), &mean));
        let work = work.sum();
        add_scaled(rates, 1.0, &change);
        Ok(work)
    }
}
