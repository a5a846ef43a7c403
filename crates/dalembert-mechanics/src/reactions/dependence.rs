//! Which rows are combinations of which others, so that their multipliers are not unique, in words.

use crate::decide::USED_UP;
use crate::linear::{add_scaled, dot, norm};
use crate::mechanism::Mechanism;
use crate::snapshot::Snapshot;

/// Rows that are examined, at most: of more it is only said how many they are.
const MOST: usize = 200;

/// A row of A that is a combination of rows before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// The row.
    pub row: usize,
    /// Rows and coefficients; none where the row vanishes.
    pub of: Vec<(usize, f64)>,
}

/// What the rows leave open at a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependences {
    /// Rows whose multipliers are not unique.
    pub rows: Vec<usize>,
    /// How they depend on each other; empty where they are too many to examine.
    pub of: Vec<Dependence>,
}

impl Mechanism {
    /// Which rows depend on which at a state.
    #[must_use]
    pub fn dependences(&self, snapshot: &Snapshot) -> Dependences {
        let open = |&row: &usize| !snapshot.unique[row];
        let rows: Vec<usize> = (0..snapshot.unique.len()).filter(open).collect();
        if rows.is_empty() || rows.len() > MOST {
            return Dependences {
                rows,
                of: Vec::new(),
            };
        }
        let mut evaluator = self.evaluator_at(&snapshot.state);
        let jacobian = evaluator.canonical().jacobian;
        let full = |row: usize| {
            let mut entries = vec![0.0; jacobian.columns()];
            let stored = jacobian.stored(row);
            stored.for_each(|(column, entry)| entries[column] = entry);
            entries
        };
        let mut base = Base::default();
        let mut of = Vec::new();
        for &row in &rows {
            let entries = full(row);
            match snapshot.redundant[row] {
                true => of.push(Dependence {
                    row,
                    of: base.combination(&entries),
                }),
                false => base.take(row, entries),
            }
        }
        Dependences { rows, of }
    }
}

impl Dependences {
    /// In words: how a row depends on others, and what of their multipliers is determined all the same.
    #[must_use]
    pub fn words(&self, mechanism: &Mechanism) -> Vec<String> {
        let name = |row: usize| mechanism.system.rows[row].name.as_str();
        if self.of.is_empty() && !self.rows.is_empty() {
            return vec![format!(
                "the multipliers of {} rows are not unique, {} among them",
                self.rows.len(),
                name(self.rows[0])
            )];
        }
        let said = |dependence: &Dependence| {
            let row = name(dependence.row);
            if dependence.of.is_empty() {
                return format!(
                    "{row} is 0 = 0 at this state: it restricts nothing, and its multiplier may be anything"
                );
            }
            let terms: Vec<(f64, String)> = dependence
                .of
                .iter()
                .map(|&(row, factor)| (factor, name(row).to_owned()))
                .collect();
            let sums: Vec<String> = dependence
                .of
                .iter()
                .map(|&(base, _)| self.determined(base, name))
                .collect();
            let (last, first) = sums.split_last().expect("a combination has terms");
            let (sums, are) = match first {
                [] => (last.clone(), "is"),
                _ => (format!("{} and {last}", first.join(", ")), "are"),
            };
            format!("{row} = {}: only {sums} {are} determined", sum(&terms))
        };
        self.of.iter().map(said).collect()
    }

    /// λ of a row with its part in all rows that depend on it.
    fn determined<'n>(&self, base: usize, name: impl Fn(usize) -> &'n str) -> String {
        let mut terms = vec![(1.0, format!("lambda({})", name(base)))];
        for dependence in &self.of {
            let part = dependence.of.iter().find(|(row, _)| *row == base);
            terms.extend(part.map(|&(_, factor)| {
                let lambda = format!("lambda({})", name(dependence.row));
                (factor, lambda)
            }));
        }
        sum(&terms)
    }
}

/// `2*a - b`
fn sum(terms: &[(f64, String)]) -> String {
    let mut text = String::new();
    for (place, (factor, name)) in terms.iter().enumerate() {
        text += match (place, *factor < 0.0) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        let size = factor.abs();
        if (size - 1.0).abs() > USED_UP {
            text += &format!("{}*", shown(size));
        }
        text += name;
    }
    text
}

/// A coefficient in six digits.
fn shown(value: f64) -> String {
    let digits = (5 - value.log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Independent rows, made orthonormal by Gram–Schmidt: row_i = Σ r_ij u_j.
#[derive(Default)]
struct Base {
    rows: Vec<usize>,
    directions: Vec<Vec<f64>>,
    /// Lower triangle.
    factors: Vec<Vec<f64>>,
}

impl Base {
    fn take(&mut self, row: usize, mut entries: Vec<f64>) {
        let mut factors = self.strip(&mut entries);
        let length = norm(&entries);
        if length > 0.0 {
            entries.iter_mut().for_each(|entry| *entry /= length);
            factors.push(length);
            self.rows.push(row);
            self.directions.push(entries);
            self.factors.push(factors);
        }
    }

    /// Takes away what lies along the directions, and tells how much that was.
    fn strip(&self, entries: &mut [f64]) -> Vec<f64> {
        let mut parts = vec![0.0; self.directions.len()];
        // Twice is enough.
        for _ in 0..2 {
            for (part, direction) in parts.iter_mut().zip(&self.directions) {
                let along = dot(direction, entries);
                add_scaled(entries, -along, direction);
                *part += along;
            }
        }
        parts
    }

    /// The coefficients c of Σ c_i row_i = entries.
    fn combination(&self, entries: &[f64]) -> Vec<(usize, f64)> {
        let size = norm(entries);
        let mut parts = self.strip(&mut entries.to_vec());
        for i in (0..parts.len()).rev() {
            parts[i] /= self.factors[i][i];
            for j in 0..i {
                parts[j] -= parts[i] * self.factors[i][j];
            }
        }
        // A coefficient that matters is one whose part of the row does.
        let matters = |&(i, part): &(usize, f64)| {
            let length = norm(&self.factors[i]);
            part.abs() * length > USED_UP * size
        };
        let all = parts.into_iter().enumerate().filter(matters);
        all.map(|(i, part)| (self.rows[i], part)).collect()
    }
}
