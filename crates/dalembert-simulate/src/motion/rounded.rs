//! What rounding leaves in a step.

use super::MotionSystem;
use crate::rounding::Rounded;
use dalembert_mechanics::decide::{COARSE, ROUNDING};
use dalembert_mechanics::equations::Residuals;
use dalembert_ode::{Evaluation, System};

impl MotionSystem<'_> {
    /// Units of coordinates and of speeds in which each has an inertia of one, at the start or where the mode began.
    pub(crate) fn units(&self) -> &[Vec<f64>; 2] {
        &self.rounding.units
    }

    /// Usual sizes of coordinates, and of their rates.
    pub(crate) fn sizes(&self) -> [&[f64]; 2] {
        [self.position.sizes(), self.velocity.sizes()]
    }

    /// What rounding explains of the energy in a step of length h to a state with a kinetic energy.
    pub(crate) fn rounded_energy(
        &mut self,
        (t, h): (f64, f64),
        y: &[[f64; 1]],
        kinetic: f64,
    ) -> f64 {
        let mut left = vec![0.0; 2 * self.n];
        let rounded = self.measure_rounding((t, h), y, &mut left);
        rounded.map_or(0.0, |Rounded { root, work }| {
            let potential = (self.rounding).of_potential(self.mechanism, &self.solver.evaluator);
            let moving = root * ((2.0 * kinetic.abs()).sqrt() + root) + work;
            moving + self.work_of_rounding(y) + potential
        })
    }

    /// The work of what moves the system along rounding of its coordinates: where it has hardly begun to move, they stay as they are, and so does the
    /// potential.
    fn work_of_rounding(&mut self, y: &[[f64; 1]]) -> f64 {
        let mass = self.solver.evaluator.canonical().mass;
        let mut moving = vec![0.0; self.n];
        mass.multiply(&self.accelerations, &mut moving);
        let work = |(force, q): (&f64, &f64)| f64::EPSILON * (force * q).abs();
        moving
            .iter()
            .zip(y[..self.n].as_flattened())
            .map(work)
            .sum()
    }

    /// Writes what rounding leaves in q and v in a step of length h from a state; what is left of the energy, if all is
    /// known.
    pub(super) fn measure_rounding(
        &mut self,
        (t, h): (f64, f64),
        y: &[[f64; 1]],
        out: &mut [f64],
    ) -> Option<Rounded> {
        if !self.set(t, y) || self.accelerate().is_err() {
            return None;
        }
        let q = y[..self.n].as_flattened();
        let rounding = &mut self.rounding;
        let found = [&*self.accelerations, &*self.multipliers];
        let rounded = rounding.write(&mut self.solver.evaluator, (q, h), found, out);
        out.iter().all(|left| left.is_finite()).then_some(rounded)
    }

    /// Adds what rounding of the time leaves in a step of length h: forces that change by themselves are known as well as the time is. Where
    /// one sets in, that may be all of the motion.
    pub(super) fn add_rounding_of_time(
        &mut self,
        (t, h): (f64, f64),
        y: &[[f64; 1]],
        out: &mut [f64],
    ) {
        if !self.rounding.is_timed() || self.crossing.is_some() {
            return;
        }
        let mut room = std::mem::take(&mut self.rounded);
        let failure = self.failure.take();
        let mut known = true;
        for (t, dy) in [t, t + h].into_iter().zip(&mut room) {
            dy.resize(y.len(), [0.0]);
            let mut now = Evaluation {
                t: [t],
                active: [true],
                projected: [false],
                failed: [false],
            };
            self.derivative(&mut now, y, dy);
            known &= !now.failed[0];
        }
        self.failure = failure;
        for i in (0..self.n).filter(|_| known) {
            let place = self.n + i;
            let left = f64::EPSILON * t.abs() * (room[1][place][0] - room[0][place][0]).abs();
            if left.is_finite() {
                out[i] += h.abs() * left;
                out[place] += left;
            }
        }
        self.rounded = room;
    }

    /// Adds what rounding of the rows leaves at a state: coordinates meet them but for it, and rates follow from rows that are off by what
    /// coordinates are. Where rows nearly lose their rank that is much.
    pub(super) fn add_rounding_of_rows(
        &mut self,
        (t, y): (f64, &[[f64; 1]]),
        out: &mut [f64],
    ) -> Option<()> {
        let q = y[..self.n].as_flattened();
        let sizes_of_rates = self.velocity.sizes().to_vec();
        self.set(t, y).then_some(())?;
        let evaluator = &mut self.solver.evaluator;
        evaluator.canonical();
        let terms = evaluator.position_sizes();
        let found = evaluator.position();
        let sizes = self.position.sizes();
        let missed: Vec<f64> = (0..found.values.len())
            .map(|row| {
                let has = |x: &[f64]| found.jacobian.size_along(row, x);
                let sign = if row % 2 == 0 { 1.0 } else { -1.0 };
                sign * ROUNDING * (has(sizes) + has(q)).max(terms[row])
            })
            .collect();
        let values = &missed;
        self.position.keep(&Residuals { values, ..found });
        self.position.factor(&evaluator.latest().mass)?;
        let places = self.position.way().to_vec();
        let beside: Vec<f64> = q.iter().zip(&places).map(|(q, by)| q + by).collect();
        evaluator.set_position(t, &beside);
        evaluator.set_rates(&self.rates);
        self.velocity.keep(&evaluator.velocity());
        self.velocity.factor(&evaluator.latest().mass)?;
        let rates = self.velocity.way();
        // What is known to less than three digits is not known.
        let sizes = [(&*places, self.position.sizes()), (rates, &*sizes_of_rates)];
        for (left, sizes) in sizes {
            let mut parts = left.iter().zip(sizes);
            parts
                .all(|(by, size)| by.abs() <= COARSE * size)
                .then_some(())?;
        }
        let map = evaluator.speeds();
        for (i, by) in places.iter().enumerate() {
            let speed = match &map {
                None => rates[i],
                Some(map) => map.along(i, rates),
            };
            out[i] += by.abs();
            out[self.n + i] += speed.abs();
        }
        Some(())
    }
}
