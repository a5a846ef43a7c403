//! Three stages with a J each, coupled by a matrix D: D ⊗ 1 − diag(J₁, J₂, J₃), factored as a whole.
//!
//! With q' = v, v' = a(q, v) the speeds u of the stages are eliminated:
//!
//! ```text
//! D x − u = r                ⇒        (D² − ∂a/∂v D − ∂a/∂q) x = p + D r − ∂a/∂v r,      u = D x − r
//! D u − ∂a/∂q x − ∂a/∂v u = p
//! ```

use dalembert_linear::{Lu, dot};

/// The J of the stages, that of the start of the step, and factors.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    start: Vec<f64>,
    jacobians: [Vec<f64>; 3],
    weights: [[f64; 3]; 3],
    lu: Lu<f64>,
    room: Vec<f64>,
}

impl Stages {
    pub(super) fn new(size: usize, equations: usize) -> Self {
        let matrix = vec![0.0; size * size];
        Self {
            start: matrix.clone(),
            jacobians: [matrix.clone(), matrix.clone(), matrix],
            weights: [[0.0; 3]; 3],
            lu: Lu::new(3 * equations),
            room: vec![0.0; 3 * size],
        }
    }

    pub(super) fn keep_start(&mut self, jacobian: &[f64]) {
        self.start.copy_from_slice(jacobian);
    }

    pub(super) fn recall_start(&self, jacobian: &mut [f64]) {
        jacobian.copy_from_slice(&self.start);
    }

    pub(super) fn keep(&mut self, stage: usize, jacobian: &[f64]) {
        self.jacobians[stage].copy_from_slice(jacobian);
    }

    pub(super) fn factor(&mut self, weights: [[f64; 3]; 3], size: usize, pairs: usize) -> bool {
        let n = if pairs == 0 { size } else { pairs };
        self.weights = weights;
        let squared = squared(&weights);
        let jacobians = &self.jacobians;
        self.lu.factor(|row, target| {
            let (stage, i) = (row / n, row % n);
            let line = &jacobians[stage][(pairs + i) * size..][..size];
            for (other, block) in target.chunks_exact_mut(n).enumerate() {
                block.fill(0.0);
                let own = f64::from(u8::from(other == stage));
                if pairs == 0 {
                    block[i] = weights[stage][other];
                    for (entry, slope) in block.iter_mut().zip(line) {
                        *entry -= own * slope;
                    }
                    continue;
                }
                let (by_position, by_speed) = line[..2 * pairs].split_at(pairs);
                for ((entry, q), v) in block.iter_mut().zip(by_position).zip(by_speed) {
                    *entry = -own * q - weights[stage][other] * v;
                }
                block[i] += squared[stage][other];
            }
        })
    }

    pub(super) fn solve(&mut self, x: &mut [f64], size: usize, pairs: usize) {
        if pairs == 0 {
            return self.lu.solve(x);
        }
        let (n, weights) = (pairs, &self.weights);
        let room = &mut self.room[..3 * n];
        let mix = |x: &[f64], stage: usize, i: usize| -> f64 {
            (0..3).map(|k| weights[stage][k] * x[k * size + i]).sum()
        };
        for (row, target) in room.iter_mut().enumerate() {
            let (stage, i) = (row / n, row % n);
            let by_speed = &self.jacobians[stage][(pairs + i) * size + pairs..][..pairs];
            let drift = dot(by_speed, &x[stage * size..][..pairs]);
            *target = x[stage * size + pairs + i] + mix(x, stage, i) - drift;
        }
        self.lu.solve(room);
        for i in 0..n {
            let right = [0, 1, 2].map(|stage| x[stage * size + i]);
            let solved = [0, 1, 2].map(|stage| room[stage * n + i]);
            for stage in 0..3 {
                let mixed: f64 = (0..3).map(|k| weights[stage][k] * solved[k]).sum();
                x[stage * size + pairs + i] = mixed - right[stage];
                x[stage * size + i] = solved[stage];
            }
        }
        // What follows is integrated after the stages are known.
        for stage in 0..3 {
            x[stage * size + 2 * pairs..][..size - 2 * pairs].fill(0.0);
        }
    }
}

/// D².
pub(super) fn squared(weights: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| (0..3).map(|k| weights[i][k] * weights[k][j]).sum())
    })
}
