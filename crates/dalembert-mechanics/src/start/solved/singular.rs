//! Places where the position rows say too little: gradients that vanish, and "?" that nothing determines.

use super::newton::Newton;
use super::{NEARBY, SMALL, Search};
use crate::decide::{COARSE, MET};
use crate::linear::Pattern;
use crate::linear::factorisation::{Factorisation, RowReport, Tolerance};
use crate::signed;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Search<'_> {
    /// x, with some unknowns moved to a place nearby.
    fn shaken(&self, x: &[f64], moving: &[usize]) -> Vec<f64> {
        let mut random = Rng::with_seed(1);
        let mut x = x.to_vec();
        for &j in moving {
            let size = match self.scales.open[j] && x[j] != 0.0 {
                true => x[j].abs(),
                false => self.scales.sizes[j],
            };
            let towards = signed(&mut random);
            x[j] += NEARBY * size * (0.5 + 0.5 * towards.abs()) * towards.signum();
        }
        x
    }

    /// The solution of `rows` that is reached from nearby x.
    fn beside(&mut self, rows: &[usize], moving: &[usize], x: &[f64]) -> Option<Vec<f64>> {
        let mut beside = self.shaken(x, moving);
        let metric = (&self.metric, self.scales.sizes.as_slice());
        let mut newton = Newton::new(self.rows, rows, moving, metric);
        newton.begin(&beside);
        newton.reach(&mut beside);
        (newton.relative(&beside) <= MET).then_some(beside)
    }

    /// The steepest slope of each row at x, along steps of the unknowns' sizes.
    fn steepest(&mut self, x: &[f64]) -> Vec<f64> {
        let (mut residual, mut slopes) = (Vec::new(), Vec::new());
        self.rows.at(x, &mut residual, &mut slopes);
        let matrix = self.rows.pattern().matrix(&slopes);
        let steep = |(j, slope): (usize, f64)| (slope * self.scales.sizes[j]).abs();
        let steepest = |row| matrix.stored(row).map(steep).fold(0.0, f64::max);
        (0..residual.len()).map(steepest).collect()
    }

    /// Rows whose gradient vanishes at x and at all solutions beside it, as that of (x − 1)² = 0 does: they exert no
    /// reaction. It vanishes if it is tiny beside what it is a hundredth away, whatever the row is multiplied by. A
    /// mechanism that is flat for an instant is another thing: beside that place its rows have gradients.
    pub(in crate::start) fn singular_rows(&mut self, rows: &[usize], x: &[f64]) -> Vec<usize> {
        let (vanishing, moving, away) = self.vanishing(rows, x);
        if vanishing.is_empty() || moving.len() > SMALL {
            return vanishing;
        }
        let Some(beside) = self.beside(rows, &moving, x) else {
            return vanishing;
        };
        let beside = self.steepest(&beside);
        let still = vanishing.into_iter();
        still
            .filter(|&row| beside[row] <= COARSE * away[row])
            .collect()
    }

    /// Rows whose gradient vanishes at x, and not away from it.
    pub(in crate::start) fn flat_rows(&mut self, rows: &[usize], x: &[f64]) -> Vec<usize> {
        let (vanishing, _, away) = self.vanishing(rows, x);
        let flat = vanishing.into_iter().filter(|&row| away[row] > 0.0);
        flat.collect()
    }

    /// Rows whose gradient vanishes at x, unknowns that are moved to see what it is away from there, and that.
    fn vanishing(&mut self, rows: &[usize], x: &[f64]) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
        // What has no size of its own cannot be moved by a part of it.
        let has_size = |j: usize| !self.scales.open[j] || x[j] != 0.0;
        let sized: Vec<usize> = (0..x.len()).filter(|&j| has_size(j)).collect();
        // Nothing in such a row has one: any way is as good, and its gradient vanishes only where it is zero.
        let open = rows.iter().filter_map(|&row| {
            let known = self.rows.known(row);
            let is_open = !known.is_empty() && !known.iter().any(|&j| has_size(j));
            is_open.then_some((row, known))
        });
        let open: BTreeMap<usize, Vec<usize>> = open.collect();
        let here = self.steepest(x);
        let shaken = self.shaken(x, &sized);
        let mut away = self.steepest(&shaken);
        let mut moving = sized;
        if !open.is_empty() {
            moving.extend(open.values().flatten());
            moving.sort_unstable();
            moving.dedup();
            let shaken = self.shaken(x, &moving);
            let beyond = self.steepest(&shaken);
            open.keys().for_each(|&row| away[row] = beyond[row]);
        }
        let small = |row: usize| match open.contains_key(&row) {
            true => here[row] == 0.0,
            false => here[row] <= COARSE * away[row],
        };
        let known = |row: usize| !self.rows.known(row).is_empty();
        let rows = rows.iter().copied();
        let vanishing = rows.filter(|&row| known(row) && small(row)).collect();
        (vanishing, moving, away)
    }

    /// Those of the `unknown` that the rows leave a choice at x.
    pub(in crate::start) fn undetermined(&mut self, unknown: &[usize], x: &[f64]) -> Vec<usize> {
        let (mut residual, mut slopes) = (Vec::new(), Vec::new());
        self.rows.at(x, &mut residual, &mut slopes);
        let open = self.dependent_columns(unknown, &slopes);
        if open.is_empty() || unknown.len() > SMALL {
            return open;
        }
        // A root where the slope vanishes is one, too: what is moved from it comes back.
        let rows: Vec<usize> = (0..residual.len()).collect();
        let shaken = self.shaken(x, unknown);
        let Some(back) = self.beside(&rows, unknown, x) else {
            return open;
        };
        let stays = |&j: &usize| (back[j] - x[j]).abs() > COARSE * (shaken[j] - x[j]).abs();
        match unknown.iter().any(stays) {
            true => open,
            false => Vec::new(),
        }
    }

    /// Columns that depend on those before them: they leave their unknown open.
    fn dependent_columns(&self, unknown: &[usize], slopes: &[f64]) -> Vec<usize> {
        let pattern = self.rows.pattern();
        let jacobian = pattern.matrix(slopes);
        let rows = jacobian.rows();
        let mut number = vec![None; pattern.columns()];
        for (k, &j) in unknown.iter().enumerate() {
            number[j] = Some(k);
        }
        // Columns as rows, of slopes along steps of the unknowns' sizes, beside the steepest of each row.
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); unknown.len()];
        for row in 0..rows {
            let steep = |(j, slope): (usize, f64)| (slope * self.scales.sizes[j]).abs();
            let steepest = jacobian.stored(row).map(steep).fold(0.0, f64::max);
            let size = if steepest > 0.0 { steepest } else { 1.0 };
            for (j, slope) in jacobian.stored(row) {
                if let Some(k) = number[j] {
                    columns[k].push((row, slope * self.scales.sizes[j] / size));
                }
            }
        }
        let list: Vec<Vec<usize>> = columns
            .iter()
            .map(|column| column.iter().map(|&(row, _)| row).collect())
            .collect();
        let (identity, transposed) = match pattern.is_full() {
            true => (
                Pattern::full_symmetric(rows),
                Pattern::full(unknown.len(), rows),
            ),
            false => (Pattern::diagonal(rows), Pattern::compressed(rows, &list)),
        };
        let (identity, transposed) = (Arc::new(identity), Arc::new(transposed));
        let mut ones = vec![0.0; identity.size()];
        (0..rows).for_each(|i| ones[identity.diagonal_place(i)] = 1.0);
        let values: Vec<f64> = columns.iter().flatten().map(|&(_, value)| value).collect();
        let mut reports = vec![RowReport::default(); unknown.len()];
        let found = Factorisation::of(&identity, &transposed, Tolerance::default());
        let factored = found.is_some_and(|mut factorisation| {
            let (metric, matrix) = (identity.matrix(&ones), transposed.matrix(&values));
            let factored = rows > 0 && factorisation.factor_any_rank(&metric, &matrix).is_ok();
            if factored {
                factorisation.report(&mut reports);
            }
            factored
        });
        let depends = unknown.iter().zip(&reports);
        let depends = depends.filter(|(_, report)| !factored || report.redundant);
        depends.map(|(&j, _)| j).collect()
    }
}
