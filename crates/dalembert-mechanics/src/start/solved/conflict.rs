//! The smallest sets of rows and given values that exclude each other.
//!
//! By the deletion filter [C]: what can be left out while the rest still cannot be met is left out, one after the
//! other; of what remains, everything can be met but one, whichever that is.
//!
//! [C]: Chinneck, "Feasibility and Infeasibility in Optimization", Springer 2008, section 6.2.

use super::{Found, Search};
use crate::decide::MET;

/// Rows and values among which the smallest set is looked for.
const MOST: usize = 64;
/// Conflicts that are reported.
const REPORTED: usize = 5;

/// Why a search ended without a solution.
pub(in crate::start) enum Refused {
    /// Rows without a value where it began.
    Undefined(Vec<usize>),
    Conflicts(Vec<Conflict>),
}

/// Rows and held unknowns that exclude each other.
pub(in crate::start) struct Conflict {
    /// Rows, and by how much each misses where all the others are met.
    pub(in crate::start) rows: Vec<(usize, f64)>,
    /// Held unknowns, and the value of each where all the others are met.
    pub(in crate::start) held: Vec<(usize, f64)>,
    /// Whether nothing can be left out; else these are the rows that are missed and all the values in them.
    pub(in crate::start) smallest: bool,
}

/// Conflicts among `rows` that cannot be met where `free` moves, as `found` has it.
fn conflicts(
    search: &mut Search<'_>,
    rows: &[usize],
    free: &[usize],
    found: &Found,
) -> Vec<Conflict> {
    let mut rows = rows.to_vec();
    let mut found = found.clone();
    let mut conflicts = Vec::new();
    while !found.met() && conflicts.len() < REPORTED {
        let conflict = one(search, &rows, free, &found);
        if conflict.rows.is_empty() {
            break;
        }
        rows.retain(|row| conflict.rows.iter().all(|(other, _)| other != row));
        let stop = !conflict.smallest || search.budget <= 0.0;
        conflicts.push(conflict);
        if stop {
            break;
        }
        found = search.solve(&rows, free);
    }
    conflicts.sort_by_key(|conflict| conflict.rows.iter().map(|(row, _)| *row).min());
    conflicts
}

fn one(search: &mut Search<'_>, rows: &[usize], free: &[usize], found: &Found) -> Conflict {
    let n = search.given.len();
    let mut is_free = vec![false; n];
    free.iter().for_each(|&j| is_free[j] = true);
    let (residual, beside) = search.misses(&found.x);
    let mut missed: Vec<usize> = rows.to_vec();
    missed.retain(|&row| beside[row] > MET);
    missed.sort_by(|&a, &b| beside[b].total_cmp(&beside[a]));
    let mut tried = vec![false; beside.len()];
    for &worst in &missed {
        let mut part = connected(search, rows, &is_free, worst);
        if tried[worst] {
            continue;
        }
        part.iter().for_each(|&row| tried[row] = true);
        if part.len() > MOST {
            part.clone_from(&missed);
        }
        let set = Set {
            held: held(search, &part, &is_free),
            rows: part,
        };
        if set.len() <= MOST && !search.can_meet(&set) {
            let rows_alone = without_values(search, rows, worst);
            for mut set in rows_alone.into_iter().chain([set]) {
                reduce(search, &mut set);
                if let Some(conflict) = measure(search, &set) {
                    return conflict;
                }
            }
        }
    }
    missed.sort_unstable();
    let held = held(search, &missed, &is_free);
    Conflict {
        rows: missed.iter().map(|&row| (row, residual[row])).collect(),
        held: held.iter().map(|&j| (j, search.given[j])).collect(),
        smallest: false,
    }
}

/// The rows about a row if they exclude each other whatever is given: then no value is to blame.
fn without_values(search: &mut Search<'_>, rows: &[usize], worst: usize) -> Option<Set> {
    let everything_free = vec![true; search.given.len()];
    let set = Set {
        rows: connected(search, rows, &everything_free, worst),
        held: Vec::new(),
    };
    (set.len() <= MOST && !search.can_meet(&set)).then_some(set)
}

/// Rows and held unknowns.
#[derive(Clone)]
struct Set {
    rows: Vec<usize>,
    held: Vec<usize>,
}

impl Set {
    fn len(&self) -> usize {
        self.rows.len() + self.held.len()
    }

    /// Without the k-th: rows first, then values.
    fn without(&self, k: usize) -> Self {
        let mut less = self.clone();
        match k.checked_sub(self.rows.len()) {
            None => less.rows.remove(k),
            Some(k) => less.held.remove(k),
        };
        less
    }
}

/// Leaves out what can be left out, the last first, rows before values.
fn reduce(search: &mut Search<'_>, set: &mut Set) {
    let rows = (0..set.rows.len()).rev();
    for k in rows {
        leave_out(search, set, k);
    }
    for k in (0..set.held.len()).rev() {
        leave_out(search, set, set.rows.len() + k);
    }
}

fn leave_out(search: &mut Search<'_>, set: &mut Set, k: usize) {
    let less = set.without(k);
    if search.budget > 0.0 && !search.can_meet(&less) {
        *set = less;
    }
}

/// How much each misses where the others are met; `None` if they cannot be met.
fn measure(search: &mut Search<'_>, set: &Set) -> Option<Conflict> {
    let mut conflict = Conflict {
        rows: Vec::new(),
        held: Vec::new(),
        smallest: true,
    };
    let alone = set.len() == 1;
    for k in 0..set.len() {
        let less = set.without(k);
        let found = if alone {
            search.solve(&set.rows, &search.moving(set))
        } else {
            search.solve(&less.rows, &search.moving(&less))
        };
        if !alone && !found.met() {
            return None;
        }
        match k.checked_sub(set.rows.len()) {
            None => {
                let row = set.rows[k];
                conflict.rows.push((row, search.misses(&found.x).0[row]));
            }
            Some(k) => conflict.held.push((set.held[k], found.x[set.held[k]])),
        }
    }
    Some(conflict)
}

impl Search<'_> {
    /// Why `rows` are not met where `free` moves.
    pub(in crate::start) fn refuse(
        &mut self,
        rows: &[usize],
        free: &[usize],
        found: &Found,
    ) -> Refused {
        let undefined = self.undefined(rows);
        match undefined.is_empty() {
            true => Refused::Conflicts(conflicts(self, rows, free, found)),
            false => Refused::Undefined(undefined),
        }
    }

    /// Rows that have no finite value or slope where the search begins.
    fn undefined(&mut self, rows: &[usize]) -> Vec<usize> {
        let (mut residual, mut slopes) = (Vec::new(), Vec::new());
        self.rows.at(&self.given, &mut residual, &mut slopes);
        let pattern = self.rows.pattern();
        let is_defined = |&row: &usize| {
            let mut slopes = slopes[pattern.row(row)].iter();
            residual[row].is_finite() && slopes.all(|slope| slope.is_finite())
        };
        let undefined = rows.iter().copied().filter(|row| !is_defined(row));
        undefined.collect()
    }

    fn can_meet(&mut self, set: &Set) -> bool {
        self.solve(&set.rows, &self.moving(set)).met()
    }

    /// What moves where only the values of a set are held: of what its rows know, all else.
    fn moving(&self, set: &Set) -> Vec<usize> {
        let mut moves = vec![false; self.given.len()];
        for &row in &set.rows {
            self.rows
                .known(row)
                .into_iter()
                .for_each(|j| moves[j] = true);
        }
        set.held.iter().for_each(|&j| moves[j] = false);
        (0..moves.len()).filter(|&j| moves[j]).collect()
    }
}

/// Unknowns in rows that are not free.
fn held(search: &Search<'_>, rows: &[usize], is_free: &[bool]) -> Vec<usize> {
    let mut held = vec![false; is_free.len()];
    for &row in rows {
        let known = search.rows.known(row);
        known.into_iter().for_each(|j| held[j] = !is_free[j]);
    }
    (0..held.len()).filter(|&j| held[j]).collect()
}

/// Rows that share free unknowns with a row, directly or through others.
fn connected(search: &Search<'_>, rows: &[usize], is_free: &[bool], from: usize) -> Vec<usize> {
    let known = |&row: &usize| {
        let mut known = search.rows.known(row);
        known.retain(|&j| is_free[j]);
        known
    };
    let known: Vec<Vec<usize>> = rows.iter().map(known).collect();
    let mut knowing: Vec<Vec<usize>> = vec![Vec::new(); is_free.len()];
    for (k, known) in known.iter().enumerate() {
        known.iter().for_each(|&j| knowing[j].push(k));
    }
    let mut taken = vec![false; rows.len()];
    let mut pending: Vec<usize> = (0..rows.len()).filter(|&k| rows[k] == from).collect();
    while let Some(k) = pending.pop() {
        if !std::mem::replace(&mut taken[k], true) {
            known[k]
                .iter()
                .for_each(|&j| pending.append(&mut knowing[j]));
        }
    }
    let taken = rows.iter().zip(taken).filter(|(_, taken)| *taken);
    taken.map(|(&row, _)| row).collect()
}
