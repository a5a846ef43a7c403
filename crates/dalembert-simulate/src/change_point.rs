//! Change points on the way of a run: where rows depend on each other, and the crossing of one while it is under way. They are looked
//! for in `crossing.rs`.

use super::chart::Chart;
use dalembert_mechanics::decide::{AT_REST, CLEAR};
use dalembert_mechanics::linear::{Cholesky, Matrix, add_scaled, dot};
use dalembert_mechanics::lower::RowId;

/// A place where rows depend on each other, passed by a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangePoint {
    /// When.
    pub t: f64,
    /// The rows of the system that depend on each other there.
    pub rows: Vec<RowId>,
}

/// A crossing under way.
pub(super) struct Crossing {
    pub(super) chart: Chart,
    /// Where the place is.
    pub(super) place: f64,
    pub(super) rows: Vec<usize>,
    /// How far from the centre it begins, and is over.
    pub(super) end: f64,
    /// Time, progress and its rate at the last step.
    pub(super) last: [f64; 3],
    /// Where it was passed.
    pub(super) passed: Vec<f64>,
    /// When it came to rest there.
    pub(super) at_rest: Option<f64>,
}

impl Crossing {
    /// Takes notice of a step, which passed the place at a time, or did not.
    pub(super) fn step(&mut self, t: f64, [z, dz]: [f64; 2], passed: Option<f64>) {
        let slow = dz.abs().min(self.last[2].abs()) < AT_REST;
        let near = (z - self.place).abs() < AT_REST * self.chart.half;
        if slow && (near || passed.is_some()) {
            self.at_rest = Some(passed.unwrap_or(t));
        }
        self.passed.extend(passed);
        self.last = [t, z, dz];
    }

    /// When it is over, if the motion goes on as it does.
    pub(super) fn end(&self) -> f64 {
        let [t, z, dz] = self.last;
        let left = self.end * dz.signum() - z;
        match dz == 0.0 {
            true => f64::INFINITY,
            false => t + (1.001 * left / dz).max(0.0),
        }
    }

    /// Whether it is over, but for a part that may be less than the time resolves.
    pub(super) fn is_over(&self) -> bool {
        let [_, z, dz] = self.last;
        z.abs() >= (1.0 - CLEAR) * self.end && z * dz > 0.0
    }

    /// Goes back to a time.
    pub(super) fn forget_after(&mut self, t: f64) {
        self.passed.retain(|passed| *passed <= t);
    }

    /// Change points that were passed.
    pub(super) fn passed(&self) -> Vec<ChangePoint> {
        let rows = &self.rows;
        let point = |&t: &f64| ChangePoint {
            t,
            rows: rows.iter().copied().map(RowId::new).collect(),
        };
        self.passed.iter().map(point).collect()
    }
}

/// The reduced equations of motion on a branch: Dᵀ (M (D u' + γ) − h − w) = 0.
pub(super) fn accelerations(
    chart: &Chart,
    mass: &Matrix<'_>,
    force: impl Fn(usize) -> f64,
    accelerations: &mut [f64],
) -> Option<()> {
    let n = accelerations.len();
    let free = chart.independent_rates().len();
    let mut ways = vec![0.0; free * n];
    for (j, way) in ways.chunks_exact_mut(n).enumerate() {
        chart.way_into(j, way);
    }
    let (mut moved, mut right) = (vec![0.0; n], vec![0.0; free]);
    let mut reduced = vec![0.0; free * free];
    mass.multiply(&chart.gamma, &mut moved);
    let rest: Vec<f64> = (0..n).map(|i| force(i) - moved[i]).collect();
    for j in 0..free {
        let way = &ways[j * n..][..n];
        right[j] = dot(way, &rest);
        mass.multiply(way, &mut moved);
        for k in 0..free {
            reduced[k * free + j] = dot(&ways[k * n..][..n], &moved);
        }
    }
    let mut cholesky = Cholesky::new(free);
    cholesky.factor(&reduced, 0.0).ok()?;
    cholesky.solve(&mut right);
    accelerations.copy_from_slice(&chart.gamma);
    for (way, u) in ways.chunks_exact(n).zip(&right) {
        add_scaled(accelerations, *u, way);
    }
    Some(())
}
