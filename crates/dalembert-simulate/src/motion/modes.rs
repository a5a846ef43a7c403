//! Modes: what holds, and states that jump.

use super::MotionSystem;
use dalembert_mechanics::Mode;
use dalembert_mechanics::decide::{CANCELLED, EVALUATED, beside};
use dalembert_mechanics::lower::RowId;
use dalembert_mechanics::start::State;

impl MotionSystem<'_> {
    /// What holds.
    pub(crate) fn mode(&self) -> &Mode {
        self.solver.evaluator.mode()
    }

    /// The state y, with what holds there.
    pub(crate) fn state_at(&mut self, t: f64, y: &[[f64; 1]]) -> State {
        self.set(t, y);
        State {
            t,
            coordinates: y[..self.n].as_flattened().to_vec(),
            rates: self.rates.clone(),
            mode: self.mode().clone(),
        }
    }

    /// The same, in room that is used again.
    pub(crate) fn state_into(&mut self, t: f64, y: &[[f64; 1]], state: &mut State) {
        self.set(t, y);
        state.t = t;
        state.coordinates.clear();
        let q = y[..self.n].as_flattened();
        state.coordinates.extend_from_slice(q);
        state.rates.clone_from(&self.rates);
        state.mode.clone_from(self.mode());
    }

    /// Goes on from a state in another mode: the programs stay, and all that is decided by the rows is decided anew.
    pub(crate) fn change_mode(&mut self, mode: &Mode, t: f64, y: &[[f64; 1]]) {
        let mut state = self.state_at(t, y);
        state.mode.clone_from(mode);
        let active = mode.of(&self.mechanism.system);
        let (mut unrolled, mut way_back) = (self.unrolled.take(), self.way_back.take());
        unrolled.iter_mut().for_each(|it| it.set_active(&active));
        way_back.iter_mut().for_each(|it| it.set_active(&active));
        let programs = Some((unrolled, way_back));
        let mut next = Self::with_programs(self.mechanism, &state, self.formulation, programs);
        next.native_s = self.native_s;
        next.slopes = self.slopes.take();
        next.times = self.times;
        let (position, velocity) = self.largest_residuals();
        next.position.add_residual(position);
        next.velocity.add_residual(velocity);
        *self = next;
    }

    /// λ at a state; `None` where the motion is not determined.
    pub(crate) fn multipliers_at(&mut self, t: f64, y: &[[f64; 1]]) -> Option<&[f64]> {
        self.set(t, y).then_some(())?;
        self.accelerate().ok()?;
        Some(&self.multipliers)
    }

    /// Where a state leads in a short time, to first order.
    pub(crate) fn ahead(&mut self, t: f64, y: &[[f64; 1]], dt: f64) -> Option<Vec<[f64; 1]>> {
        self.set(t, y).then_some(())?;
        self.accelerate().ok()?;
        let mut ahead = y.to_vec();
        let mut rates = self.rates.clone();
        for (value, rate) in ahead.iter_mut().zip(&rates) {
            value[0] += dt * rate;
        }
        for (rate, acceleration) in rates.iter_mut().zip(&self.accelerations) {
            *rate += dt * acceleration;
        }
        self.put_rates(t + dt, &mut ahead, &rates);
        Some(ahead)
    }

    /// Puts rates into a state.
    pub(crate) fn put_rates(&mut self, t: f64, y: &mut [[f64; 1]], rates: &[f64]) {
        self.set(t, y);
        self.rates.copy_from_slice(rates);
        self.solver.evaluator.set_rates(rates);
        self.speeds_into(y);
        let n = self.n;
        if let Some(map) = self.solver.evaluator.speeds() {
            // Rates that identities do not allow: whoever put them there looks whether the rows are met.
            for i in map.named..n {
                y[n + i][0] = map.matrix.along(i, rates);
            }
        }
    }

    /// A row that a state does not meet, of positions and then of velocities, and by how much: beside the terms that it has there.
    pub(crate) fn unmet_row(&mut self, t: f64, y: &[[f64; 1]]) -> Option<(RowId, f64)> {
        self.unmet_positions(t, y).or_else(|| {
            let evaluator = &mut self.solver.evaluator;
            let sizes = evaluator.velocity_sizes();
            let rows = evaluator.equations().velocity_rows();
            let values = evaluator.velocity().values;
            let mut rows = rows.iter().zip(values.iter().zip(&sizes));
            let missed = rows.find(|(_, (r, size))| beside(**r, **size) > CANCELLED);
            missed.map(|(row, (r, _))| (RowId::new(*row), *r))
        })
    }

    /// A position row that a state does not meet, and by how much.
    pub(crate) fn unmet_positions(&mut self, t: f64, y: &[[f64; 1]]) -> Option<(RowId, f64)> {
        self.set(t, y);
        let rows = self.position_misfits(t, y[..self.n].as_flattened());
        let found = self.solver.evaluator.position().jacobian;
        // Where something happens is known to the resolution of time, in which what moves goes on.
        let goes_on = |place: usize| EVALUATED * t.abs() * found.size_along(place, &self.rates);
        let mut rows = rows.into_iter().enumerate();
        let missed = rows.find(|(place, (_, [r, size]))| {
            beside(*r, *size) > CANCELLED && r.abs() > goes_on(*place)
        });
        missed.map(|(_, (row, [r, _]))| (RowId::new(row), r))
    }
}
