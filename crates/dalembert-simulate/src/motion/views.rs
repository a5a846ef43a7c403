//! What others ask of the motion at a state.

use super::super::still::Still;
use super::MotionSystem;
use crate::ledger::Entry;
use crate::rank::Rank;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{MAX_COMPARED, Mechanism, NoMotion, Snapshot};

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
        if let Some(way_back) = &mut self.way_back {
            if !way_back.is_at(t, q, v) {
                way_back.set(t, q, v);
            }
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

    /// Rates that are held at zero by rows, where forces may ask for their sign.
    pub(crate) fn held_still(&self) -> &[usize] {
        self.still.as_ref().map_or(&[], Still::held)
    }

    /// Whether rows can lose their rank, and it can be seen: some count, and there are not too many for full matrices.
    pub(crate) fn can_lose_rank(&self) -> bool {
        let equations = self.solver.evaluator.equations();
        let size = equations.coordinates() + equations.rows();
        size <= MAX_COMPARED && self.has_active_rows()
    }

    fn has_active_rows(&self) -> bool {
        let evaluator = &self.solver.evaluator;
        let mut rows = evaluator.equations().velocity_rows().iter();
        rows.any(|&row| evaluator.is_active(row))
    }

    /// The rows at velocity level by the rates, at a state, in full.
    pub(crate) fn velocity_jacobian(&mut self, t: f64, y: &[[f64; 1]], rows: &mut Vec<f64>) {
        let (q, v) = y[..2 * self.n].as_flattened().split_at(self.n);
        if let Some(way_back) = self.way_back.as_ref().filter(|it| it.is_at(t, q, v)) {
            rows.clear();
            rows.extend_from_slice(way_back.velocity_jacobian());
            self.rates.copy_from_slice(v);
            return;
        }
        self.set(t, y);
        self.solver.evaluator.velocity().jacobian.full_into(rows);
    }

    /// Sizes of the terms of these rows, in full.
    pub(crate) fn velocity_terms(&mut self, t: f64, y: &[[f64; 1]]) -> Vec<f64> {
        self.set(t, y);
        let evaluator = &mut self.solver.evaluator;
        let terms = evaluator.velocity_terms().jacobian;
        let pattern = evaluator.equations().velocity_pattern();
        let mut full = Vec::new();
        pattern.matrix(&terms).full_into(&mut full);
        full
    }

    /// Whether rows can lose their rank, but are too many for it to be seen more closely than by [`strength`](Self::strength).
    pub(crate) fn can_weaken(&self) -> bool {
        self.has_active_rows() && !self.can_lose_rank() && self.solver.laws.is_none()
    }

    /// How far the rows at velocity level are from depending on each other at coordinates; zero where nothing can be told.
    pub(crate) fn strength(&mut self, t: f64, q: &[f64], rank: &mut Rank) -> f64 {
        let evaluator = &mut self.solver.evaluator;
        evaluator.set_position(t, q);
        self.velocity.keep(&evaluator.velocity());
        let mass = evaluator.canonical().mass;
        let (units, lengths) = rank.measures();
        let found = self.velocity.strength(&mass, units, lengths);
        found.unwrap_or(0.0)
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
