//! What others ask of the motion at a state.

use super::MotionSystem;
use crate::ledger::Entry;
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, NoMotion, Snapshot};

impl MotionSystem<'_> {
    /// Everything about the motion at the state that is set, as the run sees it.
    pub(crate) fn snapshot(
        &mut self,
        mechanism: &Mechanism,
        state: &State,
    ) -> Result<Snapshot, NoMotion> {
        mechanism.snapshot_with(&mut self.solver, state, &[self.formulation])
    }

    /// Kinetic and potential energy at the state that is set.
    pub(crate) fn energies(&mut self) -> (f64, f64) {
        let found = self.solver.evaluator.energetics(&self.accelerations);
        (found.kinetic, found.potential)
    }

    /// What the ledger says at a state, with the power of all that is not the potential there.
    pub(crate) fn entry(&mut self, t: f64, y: &[[f64; 1]], power: f64) -> Entry {
        let (q, v) = y[..2 * self.n].as_flattened().split_at(self.n);
        if let Some(way_back) = self.way_back.as_ref().filter(|it| it.is_at(t, q, v)) {
            let found = way_back.exchanged();
            let [sum, powers] = found.power;
            return Entry {
                t,
                kinetic: found.kinetic,
                potential: found.potential,
                work: y[2 * self.n][0],
                powers: powers + (power - sum).abs(),
            };
        }
        self.set(t, y);
        let found = self.solver.evaluator.energetics(&self.accelerations);
        let given = (0..found.forces.rows()).filter(|&force| self.working[force]);
        let given = given.map(|force| found.forces.along(force, &self.rates));
        let nonideal = 0..found.nonideal.rows();
        let nonideal = nonideal.map(|constraint| found.nonideal.along(constraint, &self.rates));
        let (mut powers, mut rest) = (0.0, power);
        for part in given.chain(nonideal) {
            powers += part.abs();
            rest -= part;
        }
        Entry {
            t,
            kinetic: found.kinetic,
            potential: found.potential,
            work: y[2 * self.n][0],
            powers: powers + rest.abs(),
        }
    }

    /// Whether rows can lose their rank, and it can be seen.
    pub(crate) fn can_lose_rank(&self) -> bool {
        let equations = self.solver.evaluator.equations();
        !equations.velocity_rows().is_empty() && equations.stored() == Stored::Full
    }

    /// The rows at velocity level by the rates, at a state; none where they are not stored in full.
    pub(crate) fn velocity_jacobian(&mut self, t: f64, y: &[[f64; 1]], rows: &mut Vec<f64>) {
        rows.clear();
        let (q, v) = y[..2 * self.n].as_flattened().split_at(self.n);
        if let Some(way_back) = self.way_back.as_ref().filter(|it| it.is_at(t, q, v)) {
            rows.extend_from_slice(way_back.velocity_jacobian());
            self.rates.copy_from_slice(v);
            return;
        }
        self.set(t, y);
        let found = self.solver.evaluator.velocity();
        rows.extend_from_slice(found.jacobian.as_full().unwrap_or_default());
    }

    /// Sizes of the terms of these rows, stored alike.
    pub(crate) fn velocity_terms(&mut self, t: f64, y: &[[f64; 1]]) -> Vec<f64> {
        self.set(t, y);
        self.solver.evaluator.velocity_terms().jacobian
    }

    /// Largest residuals of the rows at the state that is set.
    pub(crate) fn residuals(&mut self) -> (f64, f64) {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |a, r| a.max(r.abs()));
        (
            largest(self.solver.evaluator.position().values),
            largest(self.solver.evaluator.velocity().values),
        )
    }
}
