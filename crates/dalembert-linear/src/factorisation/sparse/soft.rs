//! Rows that depend on each other wherever they are met, as those of a loop that is held more often than it needs, and elsewhere but for the
//! error of a state, as between the ends of a step.
//!
//! ```text
//! ⎡ M̂  Âᵀ ⎤ ⎡ v̂  ⎤   ⎡ f̂ ⎤      each row gives way a little; refinement takes that back in every direction that the rows hold:
//! ⎣ Â  −ε ⎦ ⎣ −λ̂ ⎦ = ⎣ b̂ ⎦      what is left at a squared distance d is (ε/d)ⁿ after n solutions
//!
//! y ← (Â M̂⁻¹ Âᵀ + ε)⁻¹ ε y      leaves in y what is a relation, Âᵀ y = 0, and of the rest ε/d
//! λ̂ ← λ̂ − Σ y (y·λ̂)            over relations of length one: what rows ask for along them is the error of the state, and means nothing
//! ```
//!
//! The same in symbols, for small systems: `unrolled/redundant.rs` in `dalembert-mechanics`.

use super::dependence::Noise;
use super::eliminate::{Outcome, Pivots};
use super::factorisation::Sparse;
use super::kkt::Kkt;
use crate::decide::{CANCELLED, CLEAR, RELATED, SOFT, SOLVED};
use crate::factorisation::Unsolved;
use crate::{Matrix, add_scaled, dot};

/// Times that a relation is sifted, or a solution refined, at most; two or three are the rule.
const MOST: usize = 12;

/// Relations between rows that give way.
#[derive(Debug, Default)]
pub(super) struct Relations {
    /// (M̂⁻¹ Âᵀ y, −y) of each, in the order of elimination, |y| = 1. They are found from those of the state before.
    found: Vec<Vec<f64>>,
    /// Whether K is factored with them.
    pub(super) hold: bool,
    room: Vec<f64>,
}

impl Relations {
    /// So many of them, still to be found, between the rows of a system.
    pub(super) fn expect(&mut self, count: usize, kkt: &Kkt) {
        self.hold = false;
        let mut noise = Noise::default();
        let mut vector = || -> Vec<f64> {
            let mut y: Vec<f64> = (kkt.symbolic.signs.iter())
                .map(|&sign| if sign < 0 { noise.next() } else { 0.0 })
                .collect();
            let length = dot(&y, &y).sqrt();
            y.iter_mut().for_each(|y| *y /= length);
            y
        };
        self.found = (0..count).map(|_| vector()).collect();
    }

    /// How many hold wherever the rows are met.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    /// Finds them for K as it is factored; whether each is there.
    fn find(&mut self, kkt: &mut Kkt) -> bool {
        for index in 0..self.found.len() {
            let (before, rest) = self.found.split_at_mut(index);
            if !sift(&mut rest[0], before, &mut self.room, kkt) {
                return false;
            }
        }
        true
    }

    fn take_out(&self, kkt: &Kkt, unknowns: &mut [f64]) {
        take_out(&self.found, kkt, unknowns);
    }
}

/// Sifts one until nothing of it changes; whether there is one.
fn sift(relation: &mut [f64], others: &[Vec<f64>], room: &mut Vec<f64>, kkt: &mut Kkt) -> bool {
    for _ in 0..MOST {
        room.clear();
        room.extend_from_slice(relation);
        for (y, &sign) in relation.iter_mut().zip(&kkt.symbolic.signs) {
            *y = if sign < 0 { -SOFT * *y } else { 0.0 };
        }
        kkt.solve(relation);
        take_out(others, kkt, relation);
        let squared = along(relation, relation, kkt);
        // Also where it is not a number.
        if squared.is_nan() || squared <= CLEAR {
            return false;
        }
        let inverse = 1.0 / squared.sqrt();
        relation.iter_mut().for_each(|y| *y *= inverse);
        // 1 − cos is half the square of what it turned by.
        if 1.0 - along(relation, room, kkt).abs() <= SOLVED {
            return true;
        }
    }
    false
}

fn take_out(relations: &[Vec<f64>], kkt: &Kkt, unknowns: &mut [f64]) {
    for relation in relations {
        let part = along(relation, unknowns, kkt);
        add_scaled(unknowns, -part, relation);
    }
}

/// y·y' of the rows.
fn along(a: &[f64], b: &[f64], kkt: &Kkt) -> f64 {
    let rows = a.iter().zip(b).zip(&kkt.symbolic.signs);
    rows.map(|((a, b), &sign)| if sign < 0 { a * b } else { 0.0 })
        .sum()
}

/// v̂·v̂ of the speeds.
fn motion(x: &[f64], kkt: &Kkt) -> f64 {
    let speeds = x.iter().zip(&kkt.symbolic.signs);
    speeds
        .map(|(x, &sign)| if sign > 0 { x * x } else { 0.0 })
        .sum()
}

impl Sparse {
    /// Factors M and A whose rows have relations; whether they are there and all else is definite.
    pub(super) fn factor_softly(
        &mut self,
        mass: &Matrix<'_>,
        rows: &Matrix<'_>,
    ) -> Result<bool, Unsolved> {
        self.relations.hold = false;
        if self.relations.count() == 0 || !self.kkt.may_be_plain() {
            return Ok(false);
        }
        self.kkt.softness = SOFT;
        let found = self.kkt.factor(mass, rows, Pivots::Plain);
        self.kkt.softness = 0.0;
        self.relations.hold = found? == Outcome::Sound && self.relations.find(&mut self.kkt);
        Ok(self.relations.hold)
    }

    /// One solution for the right side, refined, without what is along relations; whether refinement has found it.
    pub(super) fn solve_softly(&mut self) -> bool {
        self.solution.copy_from_slice(&self.right);
        self.kkt.solve(&mut self.solution);
        self.relations.take_out(&self.kkt, &mut self.solution);
        let mut before = f64::INFINITY;
        for _ in 0..MOST {
            self.kkt
                .left_over(&self.right, &self.solution, &mut self.left);
            self.kkt.solve(&mut self.left);
            self.relations.take_out(&self.kkt, &mut self.left);
            add_scaled(&mut self.solution, 1.0, &self.left);
            let moved = motion(&self.left, &self.kkt);
            if moved <= CANCELLED * CANCELLED * motion(&self.solution, &self.kkt) {
                return self.solution.iter().all(|x| x.is_finite());
            }
            // Also where it is not a number.
            let better = moved < RELATED * before;
            if !better {
                break;
            }
            before = moved;
        }
        false
    }

    /// Whether a motion leaves nothing of the forces, and of the rows no more than the error of a state explains.
    pub(super) fn is_met_softly(&mut self) -> bool {
        self.kkt
            .left_over_with_sizes(&self.right, &self.solution, &mut self.left, &mut self.sizes);
        let largest = self.sizes.iter().fold(0.0_f64, |a, b| a.max(*b));
        let parts = self.left.iter().zip(&self.sizes);
        let all = parts.zip(&self.kkt.symbolic.signs);
        // What has no terms of its own, as across a plane that a motion does not leave, has rounding of others.
        all.fold(true, |met, ((left, size), &sign)| {
            let part = if sign < 0 { RELATED } else { CANCELLED };
            met & (left.abs() <= part * size + CANCELLED * largest)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::factorisation::{Factorisation, Symbolic, Tolerance};
    use crate::{Matrix, Pattern};
    use std::sync::Arc;

    const SPEEDS: usize = 8;
    const ROWS: usize = 5;

    /// M of two blocks, and rows on both of which the last is the sum of the first two.
    fn numbers(rng: &mut fastrand::Rng) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut mass = vec![0.0; SPEEDS * SPEEDS];
        for i in 0..SPEEDS {
            for j in 0..SPEEDS {
                if i / 4 == j / 4 {
                    mass[i * SPEEDS + j] = 0.2 / (1.0 + i.abs_diff(j) as f64);
                }
            }
            mass[i * (SPEEDS + 1)] += 1.0 + rng.f64();
        }
        let mut rows: Vec<f64> = (0..ROWS * SPEEDS).map(|_| rng.f64() - 0.5).collect();
        let mut bias: Vec<f64> = (0..ROWS).map(|_| rng.f64() - 0.5).collect();
        for j in 0..SPEEDS {
            rows[(ROWS - 1) * SPEEDS + j] = rows[j] + rows[SPEEDS + j];
        }
        bias[ROWS - 1] = bias[0] + bias[1];
        let force = (0..SPEEDS).map(|_| rng.f64() - 0.5).collect();
        (mass, rows, bias, force)
    }

    fn solve(
        by: &mut Factorisation,
        (mass, rows): (&[f64], &[f64]),
        (force, bias): (&[f64], &[f64]),
    ) -> (Vec<f64>, Vec<f64>) {
        let (mut v, mut lambda) = (vec![0.0; SPEEDS], vec![0.0; ROWS]);
        by.factor(
            &Matrix::full(SPEEDS, SPEEDS, mass),
            &Matrix::full(ROWS, SPEEDS, rows),
        )
        .expect("a definite M");
        by.solve(force, bias, &mut v, &mut lambda)
            .expect("rows that agree");
        (v, lambda)
    }

    fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
        a.iter()
            .zip(b)
            .fold(0.0, |d, (a, b)| f64::max(d, (a - b).abs()))
    }

    /// Where rows are met the motion and the forces of the rows are those of the way that knows ranks. Where they are met but for an error,
    /// and the last row is one of its own by as much, the motion differs by that; without the relation it would be another.
    #[test]
    fn relations_take_the_error_of_a_state_out() {
        let mut rng = fastrand::Rng::with_seed(7);
        let blocks = (0..SPEEDS).flat_map(|i| (i..(i / 4 + 1) * 4).map(move |j| (i, j)));
        let pattern = Arc::new(Pattern::symmetric(SPEEDS, blocks));
        let lists = vec![(0..SPEEDS).collect::<Vec<_>>(); ROWS];
        let rows_pattern = Arc::new(Pattern::compressed(SPEEDS, &lists));
        let symbolic = Arc::new(Symbolic::new(&pattern, &rows_pattern).expect("a small system"));
        for _ in 0..20 {
            let (mass, rows, bias, force) = numbers(&mut rng);
            let mut exact = Factorisation::new(SPEEDS, ROWS, Tolerance::default());
            let (v, lambda) = solve(&mut exact, (&mass, &rows), (&force, &bias));
            let mut soft = Factorisation::known(&symbolic, Tolerance::default());
            soft.relate(1);
            let (found, multipliers) = solve(&mut soft, (&mass, &rows), (&force, &bias));
            assert!(largest_difference(&found, &v) < 1e-11);
            // Of multipliers that are not unique only the forces are the same.
            let forces = [&multipliers, &lambda].map(|it| {
                let mut force = vec![0.0; SPEEDS];
                Matrix::full(ROWS, SPEEDS, &rows).add_transposed(it, &mut force);
                force
            });
            assert!(largest_difference(&forces[0], &forces[1]) < 1e-10);
            assert_eq!(soft.rank(), ROWS - 1);

            let error = 1e-5;
            let mut off = rows.clone();
            for entry in &mut off[(ROWS - 1) * SPEEDS..] {
                *entry += error * (rng.f64() - 0.5);
            }
            let mut asked = bias.clone();
            asked[ROWS - 1] += error * (0.5 + rng.f64());
            let (found, _) = solve(&mut soft, (&mass, &off), (&force, &asked));
            assert!(largest_difference(&found, &v) < 100.0 * error);
            let mut hard = Factorisation::known(&symbolic, Tolerance::default());
            let (found, _) = solve(&mut hard, (&mass, &off), (&force, &asked));
            assert!(largest_difference(&found, &v) > 100.0 * error);
        }
    }
}
