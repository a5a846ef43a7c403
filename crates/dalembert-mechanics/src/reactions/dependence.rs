//! Which rows are combinations of which others, so that their multipliers are not unique, in words.

use crate::decide::USED_UP;
use crate::ids::Id;
use crate::linear::{CompleteOrthogonal, norm};
use crate::lower::RowId;
use crate::mechanism::Mechanism;
use crate::snapshot::Snapshot;

/// Rows that are examined, at most: of more it is only said how many they are.
const MOST: usize = 200;

/// A row of A that is a combination of rows before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// The row.
    pub row: RowId,
    /// Rows and coefficients; none where the row vanishes.
    pub of: Vec<(RowId, f64)>,
}

/// What the rows leave open at a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependences {
    /// Rows whose multipliers are not unique.
    pub rows: Vec<RowId>,
    /// How they depend on each other; empty where they are too many to examine.
    pub of: Vec<Dependence>,
}

impl Mechanism {
    /// Which rows depend on which at a state.
    #[must_use]
    pub fn dependences(&self, snapshot: &Snapshot) -> Dependences {
        let open = |row: &RowId| !snapshot.unique[row.index()];
        let rows: Vec<RowId> = Id::all(&self.system.rows).filter(open).collect();
        if rows.is_empty() || rows.len() > MOST {
            return Dependences {
                rows,
                of: Vec::new(),
            };
        }
        let mut evaluator = self.evaluator_at(&snapshot.state);
        let jacobian = evaluator.canonical().jacobian;
        let places: Vec<usize> = rows.iter().map(|row| row.index()).collect();
        let columns = self.equations.row_pattern().columns_of_all(&places);
        let (mut base, mut of) = (Vec::new(), Vec::new());
        for &row in &rows {
            let entries = jacobian.block(&[row.index()], &columns);
            match snapshot.redundant[row.index()] {
                true => of.push(Dependence {
                    row,
                    of: combination(&base, &entries),
                }),
                false if norm(&entries) > 0.0 => base.push((row, entries)),
                false => {}
            }
        }
        Dependences { rows, of }
    }
}

impl Dependence {
    /// Of which rows it is the sum: `2*rod - floor`; nothing where the row vanishes.
    #[must_use]
    pub fn sum(&self, mechanism: &Mechanism) -> String {
        let name = |row: RowId| mechanism.system.rows[row].name.clone();
        let terms: Vec<(f64, String)> = (self.of.iter())
            .map(|&(row, factor)| (factor, name(row)))
            .collect();
        sum(&terms)
    }
}

impl Dependences {
    /// In words: how a row depends on others, and what of their multipliers is determined all the same.
    #[must_use]
    pub fn words(&self, mechanism: &Mechanism) -> Vec<String> {
        let name = |row: RowId| mechanism.system.rows[row].name.as_str();
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
            let sum = dependence.sum(mechanism);
            format!("{row} = {sum}: only {sums} {are} determined")
        };
        self.of.iter().map(said).collect()
    }

    /// λ of a row with its part in all rows that depend on it.
    fn determined<'n>(&self, base: RowId, name: impl Fn(RowId) -> &'n str) -> String {
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

/// The coefficients c of Σ c_i row_i = entries, over independent rows; those whose part of the row matters.
fn combination(base: &[(RowId, Vec<f64>)], entries: &[f64]) -> Vec<(RowId, f64)> {
    let (count, n) = (base.len(), entries.len());
    let lengths: Vec<f64> = base.iter().map(|(_, row)| norm(row)).collect();
    // The rows of the base as columns, of length one.
    let mut columns = vec![0.0; n * count];
    for (i, ((_, row), length)) in base.iter().zip(&lengths).enumerate() {
        for (j, entry) in row.iter().enumerate() {
            columns[j * count + i] = entry / length;
        }
    }
    let mut orthogonal = CompleteOrthogonal::new(n, count);
    orthogonal.factor(&columns, 0.0);
    let mut parts = vec![0.0; count];
    orthogonal.least(entries, &mut parts);
    let size = norm(entries);
    let found = base.iter().zip(lengths).zip(parts);
    let found = found.filter(|(_, part)| part.abs() > USED_UP * size);
    found
        .map(|(((row, _), length), part)| (*row, part / length))
        .collect()
}
