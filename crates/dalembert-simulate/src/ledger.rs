//! The ledger of a run: energy against work, step by step, and the verdict on it.
//!
//! ```text
//! S = max T + range of V + Σ ∫ |Pᵢ| dt                  all that the energy of the run could come from
//! |E − E₀ − W| ≤ 30 rtol √n S + e_W + 1e-13 √n S        after n steps; e_W is the estimated error of the work
//! |ΔE − ΔW| ≤ 100 rtol S + …                            in each single step, which gives time and place
//! s = mean T + mean |V − mean V| + Σ ∫ |Pᵢ| dt          the same as it usually is: means are over time
//! |E − E₀ − W| ≤ max(1e-3, 30 rtol √n) s + e_W          so what a short rush loses is seen beside the rest of the motion
//! ```
//!
//! A run in balance stays within about 4 rtol √n S. Rounding of T and V themselves, which may be large beside what they change
//! by, is allowed for too, and before a step is blamed, what rounding of the forces leaves in it: energies that have only begun
//! to grow are no measure of their terms. Nothing is ever moved to make the ledger close.

use dalembert_mechanics::decide::{ADDED_UP, COARSE, EVALUATED, SINGLE, WHOLE};

/// Energy, work and powers at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) t: f64,
    pub(super) kinetic: f64,
    pub(super) potential: f64,
    /// Work of all that is not the potential, since the start.
    pub(super) work: f64,
    /// Sum of the sizes of all powers.
    pub(super) powers: f64,
}

impl Entry {
    fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// What its energy is the sum of.
    fn size(&self) -> f64 {
        self.kinetic.abs() + self.potential.abs()
    }
}

/// A ledger that does not close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Imbalance {
    /// The last time at which it closed.
    pub t: f64,
    /// The end of the step after which it does not.
    pub t_after: f64,
    /// E − E₀ − W there.
    pub by: f64,
    /// What tolerances and rounding explain.
    pub explained: f64,
    /// Whether that is a loss of the last step alone.
    pub in_step: bool,
}

/// The ledger so far.
#[derive(Clone)]
pub(super) struct Ledger {
    first: Entry,
    last: Entry,
    kinetic: f64,
    potential: (f64, f64),
    size: f64,
    /// Integrals over time of T, V and |V − mean V|.
    integrals: [f64; 3],
    exchanged: f64,
    work_error: f64,
    /// That of the last step: what is cut off of it has it too.
    step_error: f64,
    steps: u64,
}

impl Ledger {
    pub(super) fn new(first: Entry) -> Self {
        Self {
            first,
            last: first,
            kinetic: first.kinetic.abs(),
            potential: (first.potential, first.potential),
            size: first.size(),
            integrals: [0.0; 3],
            exchanged: 0.0,
            work_error: 0.0,
            step_error: 0.0,
            steps: 0,
        }
    }

    /// Energy at the start.
    pub(super) fn energy_start(&self) -> f64 {
        self.first.energy()
    }

    /// What energies and works are measured by: S.
    fn scale(&self) -> f64 {
        self.kinetic + (self.potential.1 - self.potential.0) + self.exchanged
    }

    /// What they usually are: s.
    fn usual(&self) -> f64 {
        let [kinetic, _, potential] = self.integrals;
        let elapsed = (self.last.t - self.first.t).abs();
        (kinetic + potential) / elapsed + self.exchanged
    }

    /// Adds a time in which the energies were these.
    fn integrate(&mut self, dt: f64, now: &Entry) {
        let before = self.last;
        let elapsed = (now.t - self.first.t).abs();
        let potential = f64::midpoint(before.potential, now.potential) - self.first.potential;
        self.integrals[0] += dt * f64::midpoint(before.kinetic.abs(), now.kinetic.abs());
        self.integrals[1] += dt * potential;
        self.integrals[2] += dt * (potential - self.integrals[1] / elapsed).abs();
    }

    /// Enters a step, with the estimated error of its work; whether the ledger still closes at a relative tolerance. If it does
    /// not, `rounded` is asked how much of the step's energy may be rounding.
    pub(super) fn enter(
        &mut self,
        now: Entry,
        error: f64,
        rtol: f64,
        mut rounded: impl FnMut() -> f64,
    ) -> Result<(), Imbalance> {
        let before = self.last;
        let dt = (now.t - before.t).abs();
        self.steps += 1;
        self.kinetic = self.kinetic.max(now.kinetic.abs());
        let (low, high) = self.potential;
        self.potential = (low.min(now.potential), high.max(now.potential));
        self.size = self.size.max(now.size());
        self.exchanged += f64::midpoint(before.powers, now.powers) * dt;
        self.integrate(dt, &now);
        self.work_error += error.abs();
        self.step_error = error.abs();
        self.last = now;
        let verdict = self.judge_step(&before, &now, error.abs(), rtol);
        verdict.or_else(|_| {
            let rounded = rounded();
            self.work_error += rounded;
            self.judge_step(&before, &now, error.abs() + rounded, rtol)
        })
    }

    /// The time of the last entry.
    pub(super) fn last_time(&self) -> f64 {
        self.last.t
    }

    /// Enters where the last step was cut off, or an instant at which energy jumps, by the work of impulses; whether the ledger still closes. If it does not, `rounded` is asked as in a step.
    pub(super) fn enter_jump(
        &mut self,
        now: Entry,
        rtol: f64,
        mut rounded: impl FnMut() -> f64,
    ) -> Result<(), Imbalance> {
        let before = self.last;
        self.kinetic = self.kinetic.max(now.kinetic.abs());
        let (low, high) = self.potential;
        self.potential = (low.min(now.potential), high.max(now.potential));
        self.size = self.size.max(now.size());
        self.exchanged += (now.work - before.work).abs();
        self.last = now;
        let error = std::mem::take(&mut self.step_error);
        let verdict = self.judge_step(&before, &now, error, rtol);
        verdict.or_else(|_| {
            let rounded = rounded();
            self.work_error += rounded;
            self.judge_step(&before, &now, error + rounded, rtol)
        })
    }

    /// Whether the ledger closes over a step, and then from its beginning on.
    fn judge_step(
        &self,
        before: &Entry,
        now: &Entry,
        error: f64,
        rtol: f64,
    ) -> Result<(), Imbalance> {
        let explained = (SINGLE * rtol + ADDED_UP) * self.scale() + error + self.evaluated(now);
        let by = (now.energy() - before.energy()) - (now.work - before.work);
        // Not a number is no balance either.
        if by.abs() <= explained {
            return self.judge(now, before.t, rtol);
        }
        Err(Imbalance {
            t: before.t,
            t_after: now.t,
            by,
            explained,
            in_step: true,
        })
    }

    /// Whether the ledger closes at an entry, from its beginning on; it did at an earlier time.
    pub(super) fn judge(&self, now: &Entry, earlier: f64, rtol: f64) -> Result<(), Imbalance> {
        let root = (self.steps.max(1) as f64).sqrt();
        let tolerated = (WHOLE * rtol + ADDED_UP) * root * self.scale() + self.evaluated(now);
        let rounded = EVALUATED * (self.first.size() + now.size() + now.work.abs());
        // More than that part of the usual energy lost is another motion, whatever the tolerance.
        let usual = COARSE.max(WHOLE * rtol * root) * self.usual() + rounded + f64::MIN_POSITIVE;
        let explained = tolerated.min(usual) + self.work_error;
        let by = now.energy() - self.first.energy() - now.work;
        match by.abs() <= explained {
            true => Ok(()),
            false => Err(Imbalance {
                t: earlier,
                t_after: now.t,
                by,
                explained,
                in_step: false,
            }),
        }
    }

    /// Rounding of T, V and W as they are evaluated. Numbers below the least normal one have no relative precision.
    fn evaluated(&self, now: &Entry) -> f64 {
        EVALUATED * (self.size + now.work.abs()) + f64::MIN_POSITIVE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(t: f64, kinetic: f64, potential: f64, work: f64) -> Entry {
        let powers = 0.0;
        Entry {
            t,
            kinetic,
            potential,
            work,
            powers,
        }
    }

    #[test]
    fn a_ledger_closes_in_any_unit_or_says_where_it_does_not() {
        for unit in [1e-40, 1.0, 1e30] {
            let at = |t: f64, kinetic: f64, potential: f64| {
                entry(t, unit * kinetic, unit * potential, 0.0)
            };
            let mut ledger = Ledger::new(at(0.0, 0.0, 2.0));
            assert_eq!(
                ledger.enter(at(0.1, 1.0, 1.0 + 1e-9), 0.0, 1e-9, || 0.0),
                Ok(())
            );
            let lost = ledger
                .enter(at(0.2, 1.0, 0.5), 0.0, 1e-9, || 0.0)
                .unwrap_err();
            assert_eq!((lost.t, lost.t_after), (0.1, 0.2));
            assert!((lost.by + 0.5 * unit).abs() < 1e-8 * unit, "{lost:?}");
        }
    }

    #[test]
    fn many_steps_that_err_alike_are_found_though_none_of_them_stands_out() {
        let mut ledger = Ledger::new(entry(0.0, 1.0, 0.0, 0.0));
        let lost = (1..1000).find_map(|i| {
            let kinetic = 1.0 - 2e-8 * f64::from(i);
            ledger
                .enter(entry(f64::from(i), kinetic, 0.0, 0.0), 0.0, 1e-9, || 0.0)
                .err()
        });
        assert!(lost.is_some_and(|lost| lost.t < 10.0), "{lost:?}");
    }
}
