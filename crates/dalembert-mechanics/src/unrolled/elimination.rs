//! The system with multipliers by L D Lᵀ, written out.
//!
//! ```text
//! ⎡ M  Aᵀ ⎤ ⎡ v' ⎤   ⎡ f ⎤
//! ⎣ A  0  ⎦ ⎣ −λ ⎦ = ⎣ b ⎦        [B92 2.8a, c]
//! ```
//!
//! A row is eliminated after all speeds it holds, otherwise whatever has the fewest neighbours left comes next.
//! Then pivots of speeds are positive and those of rows negative wherever M is positive definite and
//! the rows are independent: each is a Schur complement of one sign, so no pivoting is needed and no root is
//! taken. Rows after their speeds, not after all speeds: chains of joints keep a narrow band.
//!
//! A pivot is a sum of terms of its own sign less what was eliminated before. The ratio of the two, the
//! *relative pivot*, is the part that cancellation left: for a speed what is left of its inertia, for
//! a row of unit length its squared distance from the rows before. It depends on no unit.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use super::Pivot;
use dalembert_expr::{ExprId, Graph};

/// The matrix above and its right side.
pub(super) struct Saddle {
    n: usize,
    size: usize,
    /// size × size, symmetric.
    entries: Vec<ExprId>,
    right: Vec<ExprId>,
    zero: ExprId,
}

/// An order of elimination and what it costs.
pub(super) struct Order {
    sequence: Vec<usize>,
    /// Operations of factorisation and solution.
    pub(super) operations: usize,
}

/// What solves the system.
pub(super) struct Solution {
    /// v'.
    pub(super) accelerations: Vec<ExprId>,
    /// λ.
    pub(super) multipliers: Vec<ExprId>,
    /// Pivots of the speeds, positive where M is.
    pub(super) speeds: Vec<Pivot>,
    /// Pivots of the rows with the sign changed, positive where they are independent.
    pub(super) rows: Vec<Pivot>,
}

impl Saddle {
    /// From M (n × n, its lower triangle is read), f, A (rows × n) and b, and what stands on the diagonal of the rows.
    pub(super) fn new(
        g: &mut Graph,
        mass: &[ExprId],
        force: &[ExprId],
        jacobian: &[ExprId],
        (bias, diagonal): (&[ExprId], &[ExprId]),
    ) -> Self {
        let (n, size) = (force.len(), force.len() + bias.len());
        let zero = g.integer(0);
        let mut entries = vec![zero; size * size];
        for i in 0..n {
            for j in 0..=i {
                entries[i * size + j] = mass[i * n + j];
                entries[j * size + i] = mass[i * n + j];
            }
        }
        for (row, line) in jacobian.chunks_exact(n.max(1)).enumerate() {
            if let Some(&own) = diagonal.get(row) {
                entries[(n + row) * (size + 1)] = own;
            }
            if bias[row] == zero && line.iter().all(|&entry| entry == zero) {
                // Nothing is asked: a multiplier of zero is the answer.
                entries[(n + row) * (size + 1)] = g.integer(-1);
            }
            for (j, &entry) in line.iter().enumerate() {
                entries[(n + row) * size + j] = entry;
                entries[j * size + n + row] = entry;
            }
        }
        Self {
            n,
            size,
            entries,
            right: [force, bias].concat(),
            zero,
        }
    }

    fn is_row(&self, i: usize) -> bool {
        i >= self.n
    }

    /// The order of elimination; `None` if a row holds no speed.
    pub(super) fn order(&self) -> Option<Order> {
        let size = self.size;
        let mut filled: Vec<bool> = self.entries.iter().map(|&e| e != self.zero).collect();
        let mut left: Vec<usize> = (0..size).collect();
        let mut order = Order {
            sequence: Vec::with_capacity(size),
            operations: 0,
        };
        while !left.is_empty() {
            let meets = |i: usize, j: usize| j != i && filled[i * size + j];
            let ready = |i: usize| {
                let speeds_left = left.iter().filter(|&&j| !self.is_row(j));
                !self.is_row(i) || speeds_left.clone().all(|&j| self.entry(i, j) == self.zero)
            };
            let next = left
                .iter()
                .copied()
                .filter(|&i| ready(i))
                .min_by_key(|&i| left.iter().filter(|&&j| meets(i, j)).count())?;
            let touched: Vec<usize> = left.iter().copied().filter(|&j| meets(next, j)).collect();
            left.retain(|&i| i != next);
            for &i in &touched {
                touched.iter().for_each(|&j| filled[i * size + j] = true);
            }
            order.sequence.push(next);
            let count = touched.len();
            order.operations += count * (count + 1) / 2 + 3 * count + 2;
        }
        let empty = |i: usize| {
            let none = (0..self.n).all(|j| self.entry(i, j) == self.zero);
            none && self.entry(i, i) == self.zero
        };
        (!(self.n..size).any(empty)).then_some(order)
    }

    fn entry(&self, i: usize, j: usize) -> ExprId {
        self.entries[i * self.size + j]
    }

    /// The solution; `None` if a pivot is zero whatever the state. `unit` is an expression worth one that is
    /// no literal: see [`super::UNIT`].
    pub(super) fn solve(self, g: &mut Graph, unit: ExprId, order: &Order) -> Option<Solution> {
        let factors = Factors::new(g, unit, &self, order)?;
        let unknowns = factors.solve(g, &self.right);
        Some(factors.into_solution(g, self.n, unknowns))
    }

    /// The solution where rows may depend on each other: each gives way a little (`softness`, one for each row), which refinements
    /// take away again in every direction that the rows determine: what is left of a unit row at a squared distance d from the others
    /// is (softness/d)³ after two. Also the last correction of the unknowns, which tells whether they have.
    ///
    /// Rows that depend on each other where they are met do so but for the error of a state elsewhere, and hold a direction that means
    /// nothing: what they ask for there is taken out, by relations that are found from vectors for each (`related`).
    pub(super) fn solve_softly(
        mut self,
        g: &mut Graph,
        unit: ExprId,
        order: &Order,
        (softness, refinements): (&[ExprId], usize),
        related: &[Vec<Vec<ExprId>>],
    ) -> Option<(Solution, Vec<ExprId>)> {
        let hard = self.entries.clone();
        for (row, &softness) in softness.iter().enumerate() {
            let diagonal = &mut self.entries[(self.n + row) * (self.size + 1)];
            *diagonal = g.sub(*diagonal, softness);
        }
        let mut factors = Factors::new(g, unit, &self, order)?;
        let mut unknowns = factors.solve(g, &self.right);
        let mut correction = Vec::new();
        for _ in 0..refinements {
            let mut left = self.right.clone();
            for (left, line) in left.iter_mut().zip(hard.chunks_exact(self.size)) {
                for (&entry, &unknown) in line.iter().zip(&unknowns) {
                    if entry != self.zero {
                        let product = g.mul(entry, unknown);
                        *left = g.sub(*left, product);
                    }
                }
            }
            correction = factors.solve(g, &left);
            for (unknown, &correction) in unknowns.iter_mut().zip(&correction) {
                *unknown = g.add(*unknown, correction);
            }
        }
        let relations = Relations::new(g, unit, &factors, (self.n, softness), related);
        relations.take_out(g, &mut unknowns);
        if refinements > 0 {
            relations.take_out(g, &mut correction);
            correction.truncate(self.n);
        }
        if !related.is_empty() {
            factors.rows = relations.found.into_iter().map(|it| it.left).collect();
        }
        Some((factors.into_solution(g, self.n, unknowns), correction))
    }
}

/// Relations of rows that give way, y with yᵀ A = 0 but for the error of a state, and what they would move.
///
/// ```text
/// y ← (A M⁻¹ Aᵀ + E)⁻¹ E y             E of the softness; leaves in y what is a relation, and of the rest E/d
/// λ ← λ − Σ y (yᵀ E λ)/Σ (yᵀ E y)      over vectors that are multiples of one relation
/// ```
struct Relations {
    n: usize,
    softness: Vec<ExprId>,
    found: Vec<Relation>,
}

/// Multiples of one relation.
struct Relation {
    /// (M⁻¹ Aᵀ y, −y) of each.
    unknowns: Vec<Vec<ExprId>>,
    /// 1/Σ (yᵀ E y).
    inverse: ExprId,
    /// What is left of the vectors that it was found from, squared.
    left: Pivot,
}

/// Times that relations are sifted: the rest is (softness/d)³ after three.
const SIFTED: usize = 3;

impl Relations {
    /// From vectors for each.
    fn new(
        g: &mut Graph,
        unit: ExprId,
        factors: &Factors<'_>,
        (n, softness): (usize, &[ExprId]),
        related: &[Vec<Vec<ExprId>>],
    ) -> Self {
        let zero = g.integer(0);
        let mut relations = Self {
            n,
            softness: softness.to_vec(),
            found: Vec::new(),
        };
        for first in related {
            let (mut value, mut size) = (zero, zero);
            let mut all = Vec::with_capacity(first.len());
            for first in first {
                let mut unknowns = vec![zero; n];
                unknowns.extend(first.iter().map(|&y| g.neg(y)));
                let squared = relations.product(g, &unknowns, &unknowns);
                size = g.add(size, squared);
                for _ in 0..SIFTED {
                    let mut right = vec![zero; n];
                    for (&soft, &y) in softness.iter().zip(&unknowns[n..]) {
                        let product = g.mul(soft, y);
                        right.push(g.neg(product));
                    }
                    unknowns = factors.solve(g, &right);
                }
                relations.take_out(g, &mut unknowns);
                let squared = relations.product(g, &unknowns, &unknowns);
                value = g.add(value, squared);
                all.push(unknowns);
            }
            relations.found.push(Relation {
                unknowns: all,
                inverse: g.div(unit, value),
                left: Pivot { value, size },
            });
        }
        relations
    }

    /// yᵀ E λ.
    fn product(&self, g: &mut Graph, left: &[ExprId], right: &[ExprId]) -> ExprId {
        let mut soft = Vec::with_capacity(self.softness.len());
        for (&softness, &right) in self.softness.iter().zip(&right[self.n..]) {
            soft.push(g.mul(softness, right));
        }
        super::dot(g, &left[self.n..], &soft)
    }

    /// Takes out of a solution what is along the relations.
    fn take_out(&self, g: &mut Graph, unknowns: &mut [ExprId]) {
        for relation in &self.found {
            let whole = unknowns.to_vec();
            for along in &relation.unknowns {
                let part = self.product(g, along, &whole);
                let part = g.mul(part, relation.inverse);
                for (unknown, &along) in unknowns.iter_mut().zip(along) {
                    let product = g.mul(part, along);
                    *unknown = g.sub(*unknown, product);
                }
            }
        }
    }
}

/// L and D, written out.
struct Factors<'o> {
    sequence: &'o [usize],
    /// Of each pivot the entries of L before it, and below it.
    before: Vec<Vec<(usize, ExprId)>>,
    below: Vec<Vec<(usize, ExprId)>>,
    /// 1/D, by unknown.
    inverses: Vec<ExprId>,
    speeds: Vec<Pivot>,
    rows: Vec<Pivot>,
}

impl<'o> Factors<'o> {
    fn new(g: &mut Graph, unit: ExprId, saddle: &Saddle, order: &'o Order) -> Option<Self> {
        let (size, zero) = (saddle.size, saddle.zero);
        let mut entries = saddle.entries.clone();
        let mut sizes: Vec<ExprId> = (0..size).map(|i| saddle.entry(i, i)).collect();
        let mut factors = vec![zero; size * size];
        let mut made = Self {
            sequence: &order.sequence,
            before: Vec::with_capacity(size),
            below: Vec::with_capacity(size),
            inverses: vec![zero; size],
            speeds: Vec::new(),
            rows: Vec::new(),
        };
        for (done, &p) in order.sequence.iter().enumerate() {
            let (before, from_here) = order.sequence.split_at(done);
            let (factor, earlier) = (&factors, before.iter().copied());
            let earlier: Vec<usize> = earlier.filter(|&k| entries[p * size + k] != zero).collect();
            // One entry after the other, each less all that was eliminated before: programs keep the order in
            // which things are written, and so the sum in a register.
            for &i in from_here {
                let mut value = entries[i * size + p];
                for &k in earlier.iter().filter(|&&k| factor[i * size + k] != zero) {
                    let product = g.mul(factor[i * size + k], entries[p * size + k]);
                    value = g.sub(value, product);
                    if i == p && saddle.is_row(p) != saddle.is_row(k) {
                        sizes[p] = g.sub(sizes[p], product);
                    }
                }
                entries[i * size + p] = value;
                entries[p * size + i] = value;
            }
            let earlier = earlier.iter().map(|&k| (k, factor[p * size + k]));
            made.before.push(earlier.collect());
            let pivot = entries[p * (size + 1)];
            if pivot == zero {
                return None;
            }
            if saddle.is_row(p) {
                made.rows.push(Pivot {
                    value: g.neg(pivot),
                    size: g.neg(sizes[p]),
                });
            } else {
                made.speeds.push(Pivot {
                    value: pivot,
                    size: sizes[p],
                });
            }
            let inverse = g.div(unit, pivot);
            made.inverses[p] = inverse;
            let below = from_here[1..].iter().copied();
            let below: Vec<(usize, ExprId)> = below
                .filter(|&i| entries[i * size + p] != zero)
                .map(|i| (i, g.mul(entries[i * size + p], inverse)))
                .collect();
            for &(i, factor) in &below {
                factors[i * size + p] = factor;
            }
            made.below.push(below);
        }
        Some(made)
    }

    /// What solves the equations with a right side.
    fn solve(&self, g: &mut Graph, right: &[ExprId]) -> Vec<ExprId> {
        let mut unknowns = right.to_vec();
        for (&p, before) in self.sequence.iter().zip(&self.before) {
            for &(k, factor) in before {
                let product = g.mul(factor, unknowns[k]);
                unknowns[p] = g.sub(unknowns[p], product);
            }
        }
        for (&p, below) in self.sequence.iter().zip(&self.below).rev() {
            let mut value = g.mul(unknowns[p], self.inverses[p]);
            // The unknown found last is put in last, so that nothing but it is waited for.
            for &(i, factor) in below.iter().rev() {
                let product = g.mul(factor, unknowns[i]);
                value = g.sub(value, product);
            }
            unknowns[p] = value;
        }
        unknowns
    }

    fn into_solution(self, g: &mut Graph, n: usize, mut unknowns: Vec<ExprId>) -> Solution {
        let reactions = unknowns.split_off(n);
        Solution {
            accelerations: unknowns,
            multipliers: reactions.into_iter().map(|value| g.neg(value)).collect(),
            speeds: self.speeds,
            rows: self.rows,
        }
    }
}
