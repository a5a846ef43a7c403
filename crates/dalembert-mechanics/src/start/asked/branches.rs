//! Starts at a change point: where rows lose rank for an instant, several motions branch off.
//!
//! With μ A = 0 there, accelerations exist only if μ b(q, q') = 0: a condition on velocities that rows of full rank do not
//! know. It picks the tangents of the branches out of the too many velocities that the rows allow at that place.

use super::velocities::Given;
use super::{Assembler, error};
use crate::decide::{CANCELLED, CLEAR};
use crate::diagnostic::Diagnostic;
use crate::equations::{Evaluator, Stored};
use crate::linear::{CompleteOrthogonal, add_scaled, dot};
use crate::lower::Level;
use crate::signed;
use crate::start::Start;
use crate::start::solved::{Found, NEARBY, SMALL};
use fastrand::Rng;

impl Evaluator<'_> {
    /// μ b for each μ, the size of its terms, and its derivatives by the rates, at rates x.
    pub(super) fn branches(&mut self, null: &[Vec<f64>], x: &[f64]) -> (Vec<(f64, f64)>, Vec<f64>) {
        let n = x.len();
        let mut at = |x: &[f64]| {
            self.set_rates(x);
            let terms = self.row_terms().bias;
            let bias = self.canonical().bias;
            let along = |mu: &Vec<f64>| {
                let terms = mu.iter().zip(&terms).map(|(mu, size)| (mu * size).abs());
                (dot(mu, bias), terms.sum())
            };
            null.iter().map(along).collect::<Vec<(f64, f64)>>()
        };
        let values = at(x);
        let largest = x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        // b is of second degree in the rates, so differences of any step are exact.
        let step = if largest > 0.0 { largest } else { 1.0 };
        let mut slopes = vec![0.0; null.len() * n];
        let mut beside = x.to_vec();
        for j in 0..n {
            beside[j] = x[j] + step;
            let ahead = at(&beside);
            beside[j] = x[j] - step;
            let behind = at(&beside);
            beside[j] = x[j];
            for (k, (ahead, behind)) in ahead.iter().zip(&behind).enumerate() {
                slopes[k * n + j] = (ahead.0 - behind.0) / (2.0 * step);
            }
        }
        self.set_rates(x);
        (values, slopes)
    }
}

impl Assembler<'_> {
    /// Rates on a branch, if the start is a change point.
    pub(super) fn on_a_branch(
        &mut self,
        (q, guessed): (&[f64], &[f64]),
        (speeds, free): (&[&Given], &[usize]),
        sizes: &[f64],
        found: Found,
        start: &mut Start,
    ) -> Result<Found, Vec<Diagnostic>> {
        let conditions = self.branch_conditions(q, &found.x, sizes);
        let Some((first, _)) = conditions.first() else {
            return Ok(found);
        };
        let row = &self.system.rows[*first];
        let place = self.place_of(row);
        let null: Vec<Vec<f64>> = conditions.iter().map(|(_, mu)| mu.clone()).collect();
        let rows = self.evaluator.equations().velocity_rows().len() + speeds.len() + null.len();
        let rows: Vec<usize> = (0..rows).collect();
        let on = self.search_velocities((q, guessed), speeds, sizes, &null, |search| {
            search.solve(&rows, free)
        });
        if !on.met() {
            let message = format!(
                "the start is a change point of `{}`, and no motion branches off with these velocities",
                row.name
            );
            let help = "give velocities along one of the motions that meet there, make them guesses, or start beside it";
            return Err(vec![error("E0524", message, help, place)]);
        }
        let message = format!(
            "the start is a change point: `{}` depends on other rows there, and not beside it",
            row.name
        );
        let help = "several motions branch off; the one nearest to the given velocities is taken";
        let warning = Diagnostic::warning("E0523", place, message, help);
        start.warnings.push(warning);
        start.change_point = true;
        Ok(on)
    }

    /// The rows at q along steps of the unknowns' `sizes`, and their lengths.
    fn slopes(&mut self, q: &[f64], rates: &[f64], sizes: &[f64]) -> (Vec<f64>, Vec<f64>) {
        self.evaluator.set_position(self.t, q);
        self.evaluator.set_rates(rates);
        let mut jacobian = self.evaluator.canonical().jacobian.to_vec();
        let mut lengths = Vec::new();
        for row in jacobian.chunks_exact_mut(q.len()) {
            row.iter_mut()
                .zip(sizes)
                .for_each(|(entry, size)| *entry *= size);
            lengths.push(dot(row, row).sqrt());
        }
        (jacobian, lengths)
    }

    /// The largest of the terms of b at the rates that are set, by the lengths of the rows.
    fn asked(&mut self, lengths: &[f64]) -> f64 {
        let asked = self.evaluator.row_terms().bias;
        let asked = asked.iter().zip(lengths).map(|(b, length)| b / length);
        asked.fold(0.0, f64::max)
    }

    /// Vectors μ of length one over all rows with μ A = 0 at q, whose μ b does not vanish for all rates, each with the row
    /// it speaks of most. Neither units nor what a row is multiplied by change the decision: unknowns are measured by
    /// their sizes, and a row vanishes beside what it is a little away.
    fn branch_conditions(
        &mut self,
        q: &[f64],
        rates: &[f64],
        sizes: &[f64],
    ) -> Vec<(usize, Vec<f64>)> {
        let equations = self.evaluator.equations();
        let (n, m) = (q.len(), equations.rows());
        let known = |row: &crate::lower::Row| row.linear && row.level != Level::Acceleration;
        let small = n.max(m) <= SMALL && equations.stored() == Stored::Full;
        if m == 0 || !small || !self.system.rows.iter().all(known) {
            return Vec::new();
        }
        let mut random = Rng::with_seed(2);
        let away = q
            .iter()
            .zip(sizes)
            .map(|(q, size)| q + NEARBY * size * signed(&mut random));
        let (_, away) = self.slopes(&away.collect::<Vec<f64>>(), rates, sizes);
        let (mut jacobian, mut lengths) = self.slopes(q, rates, sizes);
        let rows = jacobian.chunks_exact_mut(n).zip(&mut lengths);
        for ((row, length), away) in rows.zip(away) {
            if *length <= CLEAR * away || *length == 0.0 {
                row.fill(0.0);
                *length = away.max(f64::MIN_POSITIVE);
            } else {
                row.iter_mut().for_each(|entry| *entry /= *length);
            }
        }
        let mut orthogonal = CompleteOrthogonal::new(m, n);
        orthogonal.factor(&jacobian, CLEAR);
        let rank = orthogonal.rank();
        let mut null = Vec::new();
        for k in rank..m {
            let (mut unit, mut mu) = (vec![0.0; m], vec![0.0; m]);
            unit[k] = 1.0;
            orthogonal.expand(&mut unit, &mut mu);
            for (mu, length) in mu.iter_mut().zip(&lengths) {
                *mu = if mu.abs() > CANCELLED {
                    *mu / length
                } else {
                    0.0
                };
            }
            null.push(mu);
        }
        if null.is_empty() {
            return Vec::new();
        }
        // At some rates or other that the rows allow a condition that is one does not hold.
        // What is the same at all rates is no condition on them: the rows contradict each other, or they do not.
        let (same, _) = self.evaluator.branches(&null, rates);
        let mut size = vec![0.0_f64; null.len()];
        let fast = rates.iter().zip(sizes);
        let fast = fast.fold(0.0_f64, |a, (rate, size)| a.max((rate / size).abs()));
        let fast = if fast > 0.0 && fast.is_finite() {
            fast
        } else {
            1.0
        };
        // What rows ask for at rates that they do not allow, as large: rates that they allow may have nothing but rounding along all that b knows of,
        // and b is rounding then.
        let mut any = Rng::with_seed(3);
        let wild = rates.iter().zip(sizes);
        let wild: Vec<f64> = wild
            .map(|(rate, size)| rate + fast * size * signed(&mut any))
            .collect();
        self.evaluator.set_rates(&wild);
        let beside_all = self.asked(&lengths);
        let mut free = vec![0.0; n];
        for _ in 0..3 {
            let mut some = rates.to_vec();
            for k in 0..n - rank {
                orthogonal.null_vector(k, &mut free);
                free.iter_mut()
                    .zip(sizes)
                    .for_each(|(free, size)| *free *= size);
                add_scaled(&mut some, fast * signed(&mut random), &free);
            }
            let (values, _) = self.evaluator.branches(&null, &some);
            // What rows ask for at these rates, by their lengths: beside that a condition may be nothing but rounding, as of rows
            // across a plane in which all moves, whose own terms are rounding too.
            let asked = self.asked(&lengths).max(beside_all);
            for (size, ((value, terms), (same, _))) in size.iter_mut().zip(values.iter().zip(&same))
            {
                let value = value.abs().min((value - same).abs());
                let relative = value / terms;
                if relative.is_finite() && value > CANCELLED * asked {
                    *size = size.max(relative);
                }
            }
        }
        let conditions = null.into_iter().zip(size).filter(|(_, size)| *size > CLEAR);
        conditions
            .map(|(mu, _)| {
                let share = |i: &usize| mu[*i].abs() * lengths[*i];
                let most = (0..m).max_by(|a, b| share(a).total_cmp(&share(b)));
                (most.unwrap_or(0), mu)
            })
            .collect()
    }
}
