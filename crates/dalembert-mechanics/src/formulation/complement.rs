//! Orthogonal complement: Gram and Schmidt's vectors, and as many differential equations as there are freedoms.
//!
//! With G = A, and h there the negative of f here:
//!
//! ```text
//! Step 1   bᵢ = gᵢ − Σ_{j<i} (gᵢᵀ bⱼ) bⱼ,   bᵢ ← bᵢ / |bᵢ|                               the rows, made orthonormal
//! Step 2   dᵢ = xᵢ − Σ_j (xᵢᵀ bⱼ) bⱼ − Σ_{j<i} (xᵢᵀ dⱼ) dⱼ,   dᵢ ← dᵢ / |dᵢ|              D = [d₁ … d_m]
//! A v' = b                                                                            [P99 2.1], differentiated twice
//! Dᵀ (M v' − f) = 0                                                                   [P99 2.7]
//! r = M v' − f                                                                        [P99 2.4]
//! ```
//!
//! The constraints themselves are the other equations: [A; Dᵀ M] v' = [b; Dᵀ f] is solved as it stands, by elimination.
//! Multipliers are not in the paper; with A = Rᵀ B (R: the sums of step 1, B: the bᵢ) they follow from R λ = B r.
//!
//! * M symmetric, positive definite on the null space of A; any rank.
//! * Deviation: the paper's rule for xᵢ, "different from any bᵢ or dᵢ", is not enough: outside their *span* is what it takes
//!   (x = [1 1 1] fails for the paper's disk of radius 1, x = [0 1 0] for its pendulum at sin φ = 0). Here xᵢ
//!   is the direction of the speed that is farthest from the span: at least √((nv − i) / nv) away if i vectors are there.
//! * Likewise the gᵢ are taken in the order of what they add; those that add nothing are redundant, as the paper suggests.
//! * Each vector is made orthogonal twice: once loses digits where a remainder is short.
//! * Further deviations, such as rows that do work and M v' = h + …: `tangent.rs`; rows held by forces, whose directions take the
//!   place of gᵢ in both steps: `servo.rs`.
//! * Cost: 2 nv³ and an elimination, nv³.
//!
//! [P99]: Dinh Van Phong, "An algorithm for deriving equations of motion…" (1999).

use super::tangent::{Basis, Decomposition, Scaled, reaction_into};
use crate::linear::{Elimination, add_scaled, dot, multiply, norm};

/// Rows made orthonormal: step 1.
#[derive(Clone, Debug)]
pub(super) struct Orthonormal {
    nv: usize,
    nc: usize,
    rank: usize,
    /// What is left of the rows, in the order in which they are taken; the first `rank` are the bᵢ.
    rows: Vec<f64>,
    order: Vec<usize>,
    /// Row k: the parts of row `order[k]` along the bᵢ, nc × nv.
    parts: Vec<f64>,
    lengths: Vec<f64>,
}

/// D by Gram and Schmidt's process.
#[derive(Clone, Debug)]
pub(super) struct Complement {
    nv: usize,
    /// The dᵢ, one after the other.
    D: Vec<f64>,
    /// Squares of the distances of the speeds' directions from the span of all bᵢ and dᵢ.
    distances: Vec<f64>,
    /// [A; Dᵀ M], nv × nv.
    stacked: Vec<f64>,
    elimination: Elimination,
    right: Vec<f64>,
    reaction: Vec<f64>,
}

impl Basis for Complement {
    type Rows = Orthonormal;

    fn new(nv: usize, _nc: usize) -> Self {
        Self {
            nv,
            D: vec![0.0; nv * nv],
            distances: vec![0.0; nv],
            stacked: vec![0.0; nv * nv],
            elimination: Elimination::new(nv, nv),
            right: vec![0.0; nv],
            reaction: vec![0.0; nv],
        }
    }

    fn choose(&mut self, now: &Scaled, [rows, directions]: [&Orthonormal; 2]) -> bool {
        let (nv, rank) = (self.nv, rows.rank);
        self.second_step(directions);
        for k in 0..nv {
            let row = &mut self.stacked[k * nv..][..nv];
            match rows.order.get(k).filter(|_| k < rank) {
                Some(&i) => row.copy_from_slice(&now.A[i * nv..][..nv]),
                None => multiply(&now.M, &self.D[(k - rank) * nv..][..nv], row),
            }
        }
        self.elimination.factor(&self.stacked, 0.0);
        self.elimination.rank() == nv
    }

    fn solve(
        &mut self,
        now: &Scaled,
        [rows, directions]: [&Orthonormal; 2],
        (f, b): (&[f64], &[f64]),
        (v_dot, lambda): (&mut [f64], &mut [f64]),
    ) {
        let rank = rows.rank;
        // A v' = b, Dᵀ M v' = Dᵀ f
        let (met, along) = self.reaction.split_at_mut(rank);
        for (right, &i) in met.iter_mut().zip(&rows.order) {
            *right = b[i];
        }
        multiply(&self.D, f, along);
        self.elimination
            .solution(&self.reaction, &mut self.right, v_dot);
        // R λ = B r with r = M v' − f
        reaction_into(&now.M, v_dot, f, &mut self.reaction);
        let along = &mut self.right[..rank];
        multiply(&directions.rows, &self.reaction, along); // bᵢᵀ r
        solve_triangle(&directions.parts, self.nv, along);
        lambda.fill(0.0);
        for (&i, value) in directions.order.iter().zip(along) {
            lambda[i] = *value;
        }
    }
}

impl Decomposition for Orthonormal {
    fn of_size(nc: usize, nv: usize) -> Self {
        Self {
            nv,
            nc,
            rank: 0,
            rows: vec![0.0; nc * nv],
            order: (0..nc).collect(),
            parts: vec![0.0; nc * nv],
            lengths: vec![0.0; nc],
        }
    }

    /// The bᵢ, and the parts of all rows along them.
    fn take(&mut self, A: &[f64], tolerance: f64) {
        let (nv, nc) = (self.nv, self.nc);
        self.rows.copy_from_slice(A);
        self.parts.fill(0.0);
        for i in 0..nc {
            self.order[i] = i;
            self.lengths[i] = norm(&A[i * nv..][..nv]);
        }
        self.rank = 0;
        while self.rank < nc.min(nv) {
            let i = self.rank;
            let longest = (i..nc).fold(i, |best, row| {
                let longer = self.lengths[row] > self.lengths[best];
                if longer { row } else { best }
            });
            if self.lengths[longest] <= tolerance {
                break;
            }
            self.bring_forward(longest, i);
            let (done, rest) = self.rows.split_at_mut(i * nv);
            let (b, rest) = rest.split_at_mut(nv);
            // Once more against what the subtractions left.
            for (j, other) in done.chunks_exact(nv).enumerate() {
                let part = dot(b, other);
                add_scaled(b, -part, other);
                self.parts[i * nv + j] += part;
            }
            let length = norm(b);
            b.iter_mut().for_each(|entry| *entry /= length);
            self.parts[i * nv + i] = length;
            // bᵢ is taken from all rows behind at once: gₖ ← gₖ − (gₖᵀ bᵢ) bᵢ.
            for (k, g) in (i + 1..nc).zip(rest.chunks_exact_mut(nv)) {
                let part = dot(g, b);
                add_scaled(g, -part, b);
                self.parts[k * nv + i] = part;
                self.lengths[k] = norm(g);
            }
            self.rank += 1;
        }
    }

    fn rank(&self) -> usize {
        self.rank
    }

    /// R x = 0 with the entry of one dependent row equal to one.
    fn relation(&self, k: usize, room: &mut [f64], x: &mut [f64]) {
        let row = self.rank + k;
        let solution = &mut room[..self.rank];
        solution.copy_from_slice(&self.parts[row * self.nv..][..self.rank]);
        solve_triangle(&self.parts, self.nv, solution);
        for (&i, part) in self.order.iter().zip(solution) {
            x[i] = -*part;
        }
        x[self.order[row]] = 1.0;
    }
}

impl Orthonormal {
    fn bring_forward(&mut self, from: usize, to: usize) {
        if from != to {
            for table in [&mut self.rows, &mut self.parts] {
                let (head, tail) = table.split_at_mut(from * self.nv);
                head[to * self.nv..][..self.nv].swap_with_slice(&mut tail[..self.nv]);
            }
            self.order.swap(from, to);
            self.lengths.swap(from, to);
        }
    }
}

impl Complement {
    /// The dᵢ.
    fn second_step(&mut self, directions: &Orthonormal) {
        let (nv, rank) = (self.nv, directions.rank);
        let bs = &directions.rows[..rank * nv];
        self.distances.fill(1.0);
        for b in bs.chunks_exact(nv.max(1)) {
            come_nearer(&mut self.distances, b);
        }
        for i in 0..nv - rank {
            let (done, rest) = self.D.split_at_mut(i * nv);
            let d = &mut rest[..nv];
            let farthest = (0..nv).fold(0, |best, j| {
                let farther = self.distances[j] > self.distances[best];
                if farther { j } else { best }
            });
            d.fill(0.0);
            d[farthest] = 1.0; // xᵢ
            for _ in 0..2 {
                for other in bs.chunks_exact(nv).chain(done.chunks_exact(nv)) {
                    let part = dot(d, other);
                    add_scaled(d, -part, other);
                }
            }
            let length = norm(d);
            d.iter_mut().for_each(|entry| *entry /= length);
            come_nearer(&mut self.distances, d);
        }
    }
}

/// Squares of distances, with one more vector of length one in the span.
fn come_nearer(distances: &mut [f64], vector: &[f64]) {
    for (distance, entry) in distances.iter_mut().zip(vector) {
        *distance -= entry * entry;
    }
}

/// x ← R⁻¹ x, R by columns: column k in row k of `parts`.
fn solve_triangle(parts: &[f64], nv: usize, x: &mut [f64]) {
    for k in (0..x.len()).rev() {
        let column = &parts[k * nv..][..=k];
        let (before, from) = x.split_at_mut(k);
        from[0] /= column[k];
        add_scaled(before, -from[0], column);
    }
}
