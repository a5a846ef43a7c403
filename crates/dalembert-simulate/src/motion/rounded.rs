//! What rounding leaves in a step.

use super::MotionSystem;

impl MotionSystem<'_> {
    /// Units of coordinates and of speeds in which each has an inertia of one, at the start or where the mode began.
    pub(crate) fn units(&self) -> &[Vec<f64>; 2] {
        &self.rounding.units
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
        rounded.map_or(0.0, |root| root * ((2.0 * kinetic.abs()).sqrt() + root))
    }

    /// Writes what rounding leaves in q and v in a step of length h from a state; the root of twice the energy that such speeds
    /// have, if all is known.
    pub(super) fn measure_rounding(
        &mut self,
        (t, h): (f64, f64),
        y: &[[f64; 1]],
        out: &mut [f64],
    ) -> Option<f64> {
        if !self.set(t, y) || self.accelerate().is_err() {
            return None;
        }
        let q = y[..self.n].as_flattened();
        let rounding = &mut self.rounding;
        let found = [&*self.accelerations, &*self.multipliers];
        let root = rounding.write(&mut self.solver.evaluator, (q, h), found, out);
        out.iter().all(|left| left.is_finite()).then_some(root)
    }
}
