//! The derivative of the right-hand side by the state, for implicit steps.
//!
//! It is exact ([`Slopes`]) where the equations alone tell it: not where rows depend on each other, nor where they hold rates
//! still, nor by independent coordinates, whose right-hand side is another function of the state. There differences tell.
//!
//! They do so too where the right-hand side is one short program, of which 2 n evaluations cost less than one of the derivatives: 1.9 µs for
//! 7.4 on IFToMM's governor, 4.5 for 10 on Andrews' squeezer, while laws and servo constraints cost 9 for 1, the wheelset 730 for 120.
//!
//! Where matrices are compressed, nothing of the size of J is made: implicit steps solve with the equations themselves
//! ([`SparseLinearised`]).

use super::MotionSystem;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::derivatives::{By, Derivatives, Slopes};
use dalembert_mechanics::equations::Stored;
use dalembert_mechanics::formulation::Formulation;
use dalembert_ode::{Evaluation, Linearisation, Linearised, Parts, SparseLinearised, System};
use std::time::Instant;

/// J of a motion.
pub(super) enum Found {
    /// All of it.
    Full(Box<Linearised>),
    /// By the equations that accelerations solve.
    Sparse(Box<Derivatives>, Box<SparseLinearised>),
}

impl Found {
    /// As implicit steps need it.
    pub(super) fn as_linearisation(&mut self) -> &mut dyn Linearisation {
        match self {
            Self::Full(linearised) => &mut **linearised,
            Self::Sparse(_, linearised) => &mut **linearised,
        }
    }

    fn sparse(mechanism: &Mechanism) -> Option<Self> {
        let derivatives = Derivatives::new(mechanism, By::State);
        let places = derivatives.places();
        let columns = [
            &places.coordinates,
            &places.rates,
            &places.accelerations,
            &places.multipliers,
        ];
        let parts = Parts {
            columns: columns.map(|range| range.start),
            sizes: [places.coordinates.len(), places.multipliers.len()],
            equations: places.equations.start..places.constraints.end,
            followers: places.power..places.power + 1,
        };
        let linearised = SparseLinearised::new(derivatives.pattern(), &parts)?;
        Some(Self::Sparse(Box::new(derivatives), Box::new(linearised)))
    }
}

/// Whether implicit steps of a mechanism solve sparse equations by a formulation.
pub(crate) fn is_sparse(mechanism: &Mechanism, formulation: Formulation) -> bool {
    mechanism.equations.stored() == Stored::Compressed
        && mechanism.system.speeds.is_none()
        && formulation != Formulation::Independent
}

impl MotionSystem<'_> {
    /// Finds J at a state of which f is known, with the errors that its values may have; whether there is one.
    pub(super) fn find_linearised(&mut self, now: &Evaluation<1>, at: [&[f64]; 3]) -> bool {
        if is_sparse(self.mechanism, self.formulation) {
            return self.find_sparse(now.t[0], at[0]);
        }
        // Where the speeds are not the rates, nothing is known of the structure.
        let pairs = if self.has_speeds { 0 } else { self.n };
        let size = self.size();
        let mut linearised = match self.linearised.take() {
            Some(Found::Full(made)) => made,
            _ => Box::new(Linearised::with_pairs(size, pairs)),
        };
        // Forces that hold slips follow the state, and the slopes do not know it.
        let holds = self.slips().iter().any(|&(_, held)| held);
        let exact = self.unrolled.is_none()
            && !holds
            && self.reduced.is_none()
            && linearised.by_formula(|jacobian| self.write_slopes(now.t[0], at[0], jacobian));
        let known = exact
            || linearised.by_differences(at, |y, dy| {
                let mut now = now.clone();
                self.derivative(&mut now, y.as_chunks().0, dy.as_chunks_mut().0);
                !now.failed[0]
            });
        self.linearised = Some(Found::Full(linearised));
        known
    }

    /// The same by sparse equations.
    fn find_sparse(&mut self, t: f64, y: &[f64]) -> bool {
        let t = self.seen(t);
        if self.linearised.is_none() {
            let began = Instant::now();
            self.linearised = Found::sparse(self.mechanism);
            self.native_s += began.elapsed().as_secs_f64();
        }
        if !self.set(t, y.as_chunks().0) || self.accelerate().is_err() {
            return false;
        }
        let Some(Found::Sparse(derivatives, linearised)) = &mut self.linearised else {
            return false;
        };
        let motion = [&*self.accelerations, &*self.multipliers];
        let found = derivatives.evaluate(&self.solver.evaluator, motion[0], motion[1]);
        linearised.set(found.values())
    }

    /// Writes the exact J, if the equations alone tell it.
    pub(crate) fn write_slopes(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        let found = self.find_slopes(t, y);
        let slopes = self.slopes.as_ref().filter(|_| found);
        slopes.is_some_and(|slopes| {
            slopes.write(jacobian);
            jacobian.iter().all(|entry| entry.is_finite())
        })
    }

    /// The derivatives of the motion at a state, if the equations alone tell them.
    fn find_slopes(&mut self, t: f64, y: &[f64]) -> bool {
        // What is left in links is in no expression.
        if self.mechanism.system.hung.is_some() {
            return false;
        }
        let t = self.seen(t);
        // Made before it is known whether they serve here: runs differ in that, and not in what they compile.
        if self.slopes.is_none() {
            let began = Instant::now();
            self.slopes = Some(Slopes::new(self.mechanism, By::State));
            self.native_s += began.elapsed().as_secs_f64();
        }
        let left_out = self.solver.evaluator.leaves_out_work();
        if left_out || self.reduced.is_some() || !self.set(t, y.as_chunks().0) || self.hold_still()
        {
            return false;
        }
        let (q, v) = y[..2 * self.n].split_at(self.n);
        let unrolled = self.unrolled.as_mut().filter(|_| !self.has_speeds);
        let is_trusted = unrolled.is_some_and(|unrolled| unrolled.evaluate(t, q, v));
        if !is_trusted && self.accelerate().is_err() {
            return false;
        }
        let (accelerations, multipliers) = match &self.unrolled {
            Some(unrolled) if is_trusted => (
                &unrolled.result()[self.n..2 * self.n],
                unrolled.multipliers(),
            ),
            _ => (&*self.accelerations, &*self.multipliers),
        };
        let slopes = self.slopes.as_mut();
        slopes.is_some_and(|it| it.find(&self.solver.evaluator, accelerations, multipliers))
    }
}
