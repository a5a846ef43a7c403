//! What is eliminated before all else and has the same structure in many places, as the speeds of bodies: which unknowns these are, and
//! where their numbers stand, eight at a time.
//!
//! A leaf is a few unknowns that are eliminated one after the other, into which nothing else is eliminated. None waits for another, so that
//! leaves of one form stand side by side, a lane each: unknown k of all eight, then k + 1 of all; so do the entries of K. What is left of a
//! group is made just before the first front that takes part of it, in room that is free again once all of it is taken: it stays in the
//! nearest cache.

use super::fronts::{Fronts, LeafChild};
use super::order::Columns;
use faer::sparse::SymbolicSparseColMat;
use std::collections::BTreeMap;

/// Leaves at a time.
pub(super) const LANES: usize = 8;
/// The same number of each.
pub(super) type Lanes = [f64; LANES];
/// Unknowns of a leaf at most, and these with the rows that they are eliminated into.
pub(super) const PIVOTS: usize = 8;
pub(super) const SIZE: usize = 32;

/// All leaves that are eliminated in groups.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) forms: Vec<Form>,
    /// In the order that fronts need them in.
    pub(super) groups: Vec<Group>,
    /// Rows that groups are eliminated into, lanes side by side.
    pub(super) rows: Vec<[u32; LANES]>,
    /// Their unknowns are the first.
    pub(super) unknowns: usize,
    /// Entries of K in their columns: these are the first as well.
    pub(super) entries: usize,
    /// Numbers of their part of the factor.
    pub(super) factor: usize,
    /// Numbers that are left of them at a time, lanes side by side.
    pub(super) left: usize,
}

/// What leaves have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) pivots: usize,
    pub(super) below: usize,
    /// Of the unknowns: 1 for speeds, −1 for rows.
    pub(super) signs: Vec<i8>,
    /// Column and row of each entry of K, row after row, and where each row ends.
    pub(super) entries: Vec<(u8, u8)>,
    pub(super) ends: Vec<u16>,
}

/// Eight leaves of one form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) form: u32,
    /// The first unknown, the first entry of K, the first of its rows, its part of the factor.
    pub(super) first: u32,
    pub(super) entries: u32,
    pub(super) rows: u32,
    pub(super) factor: u32,
    /// Where what is left stands.
    pub(super) left: u32,
}

impl Form {
    /// Numbers of a leaf in the factor: L with D⁻¹ on the diagonal.
    pub(super) fn factor(&self) -> usize {
        (self.pivots + self.below) * self.pivots
    }

    /// Numbers that are left of a leaf: the lower triangle.
    pub(super) fn left(&self) -> usize {
        self.below * (self.below + 1) / 2
    }
}

/// Leaves found in an order of elimination: for each group its form, and the first unknowns of its members.
pub(super) struct Found(Vec<(Form, [u32; LANES])>);

impl Found {
    /// Those of K, given by its lower triangle, and its factor; `signs` are those of the unknowns.
    pub(super) fn of(columns: &Columns, lower: &SymbolicSparseColMat<u32>, signs: &[i8]) -> Self {
        let n = columns.len();
        let mut children = vec![0_u32; n];
        for column in 0..n {
            if let Some(parent) = columns.parent(column) {
                children[parent] += 1;
            }
        }
        let mut alike: BTreeMap<Form, Vec<u32>> = BTreeMap::new();
        for first in (0..n).filter(|&column| children[column] == 0) {
            let mut pivots = 1;
            loop {
                let (last, next) = (first + pivots - 1, first + pivots);
                let goes_on = columns.parent(last) == Some(next)
                    && children[next] == 1
                    && columns.count(last) == columns.count(next) + 1;
                if !goes_on || pivots > PIVOTS {
                    break;
                }
                pivots += 1;
            }
            let below = columns.below(first + pivots - 1);
            if pivots > PIVOTS || pivots + below.len() > SIZE {
                continue;
            }
            let entries = (0..pivots).flat_map(|k| {
                let column = first + k;
                let (from, to) = (lower.col_ptr()[column], lower.col_ptr()[column + 1]);
                let rows = &lower.row_idx()[from as usize..to as usize];
                rows.iter().map(move |&row| {
                    let row = row as usize;
                    let place = match row.checked_sub(first + pivots) {
                        None => row - first,
                        Some(_) => pivots + below.partition_point(|&it| (it as usize) < row),
                    };
                    (k as u8, place as u8)
                })
            });
            let mut entries: Vec<(u8, u8)> = entries.collect();
            entries.sort_unstable_by_key(|&(k, i)| (i, k));
            let ends = (0..pivots + below.len())
                .map(|row| entries.partition_point(|&(_, i)| usize::from(i) <= row) as u16);
            let form = Form {
                pivots,
                below: below.len(),
                signs: signs[first..first + pivots].to_vec(),
                ends: ends.collect(),
                entries,
            };
            alike.entry(form).or_default().push(first as u32);
        }
        let mut groups = Vec::new();
        for (form, members) in alike {
            for group in members.as_chunks::<LANES>().0 {
                groups.push((form.clone(), *group));
            }
        }
        // By the first front that takes part of one.
        groups.sort_by_key(|(form, members)| {
            let head = |&first: &u32| columns.below(first as usize + form.pivots - 1).first();
            members
                .iter()
                .filter_map(head)
                .min()
                .map_or(u32::MAX, |&it| it)
        });
        Self(groups)
    }

    /// Where unknowns stand now: leaves first, all others in the order in which they were; `None` if there are no leaves.
    pub(super) fn numbering(&self, n: usize) -> Option<Vec<u32>> {
        if self.0.is_empty() {
            return None;
        }
        let mut places = vec![u32::MAX; n];
        let mut next = 0;
        for (form, members) in &self.0 {
            for k in 0..form.pivots as u32 {
                for first in members {
                    places[(first + k) as usize] = next;
                    next += 1;
                }
            }
        }
        for place in places.iter_mut().filter(|place| **place == u32::MAX) {
            *place = next;
            next += 1;
        }
        Some(places)
    }

    /// Their places, for K and its factor in that numbering.
    pub(super) fn leaves(self, columns: &Columns, lower: &SymbolicSparseColMat<u32>) -> Leaves {
        let mut found = Leaves::default();
        for (form, _) in self.0 {
            let index = found.forms.iter().position(|it| *it == form);
            let index = index.unwrap_or_else(|| {
                found.forms.push(form.clone());
                found.forms.len() - 1
            });
            let first = found.unknowns;
            let last = first + (form.pivots - 1) * LANES;
            let rows = found.rows.len();
            found.groups.push(Group {
                form: index as u32,
                first: first as u32,
                entries: found.entries as u32,
                rows: rows as u32,
                factor: found.factor as u32,
                left: 0,
            });
            found.rows.resize(rows + form.below, [0; LANES]);
            for lane in 0..LANES {
                for (place, &row) in found.rows[rows..]
                    .iter_mut()
                    .zip(columns.below(last + lane))
                {
                    place[lane] = row;
                }
            }
            found.unknowns += form.pivots * LANES;
            found.entries += form.entries.len() * LANES;
            found.factor += form.factor() * LANES;
        }
        debug_assert_eq!(found.entries, lower.col_ptr()[found.unknowns] as usize);
        found
    }
}

impl Leaves {
    /// Entries of K as they stand side by side, for their places column after column.
    pub(super) fn side_by_side(&self, lower: &SymbolicSparseColMat<u32>) -> Vec<u32> {
        let mut places: Vec<u32> = (0..lower.compute_nnz() as u32).collect();
        for group in &self.groups {
            let form = &self.forms[group.form as usize];
            // Columns have their entries in the order of the rows.
            let mut next = vec![0; form.pivots * LANES];
            for (index, &(k, _)) in form.entries.iter().enumerate() {
                for lane in 0..LANES {
                    let own = usize::from(k) * LANES + lane;
                    let from = lower.col_ptr()[group.first as usize + own] as usize;
                    let place = group.entries as usize + index * LANES + lane;
                    places[from + next[own]] = place as u32;
                    next[own] += 1;
                }
            }
        }
        places
    }
}

impl Fronts {
    /// Tells each front which leaves it takes, and when groups are made.
    pub(super) fn take_leaves(&mut self, mut leaves: Leaves, front_of: impl Fn(u32) -> usize) {
        let count = self.fronts.len();
        let mut taken: Vec<Vec<(u32, u8)>> = vec![Vec::new(); count];
        let mut needed = vec![0_u32; leaves.groups.len()];
        for (index, group) in leaves.groups.iter().enumerate() {
            if leaves.forms[group.form as usize].below == 0 {
                continue;
            }
            for lane in 0..LANES {
                let front = front_of(leaves.rows[group.rows as usize][lane]);
                taken[front].push((index as u32, lane as u8));
                needed[index] += 1;
            }
        }
        let mut free: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut made = 0;
        for (index, taken) in taken.iter().enumerate() {
            let last = taken.iter().map(|(group, _)| *group as usize + 1).max();
            while made < last.unwrap_or(0) {
                let group = &mut leaves.groups[made];
                let size = leaves.forms[group.form as usize].left() * LANES;
                let place = free.entry(size).or_default().pop();
                group.left = place.unwrap_or_else(|| {
                    leaves.left += size;
                    (leaves.left - size) as u32
                });
                made += 1;
            }
            for &(group, lane) in taken {
                let own = leaves.groups[group as usize];
                let form = &leaves.forms[own.form as usize];
                let into = self.into.len() as u32;
                let rows = &leaves.rows[own.rows as usize..][..form.below];
                let places = self.places_of(index, rows.iter().map(|rows| rows[lane as usize]));
                self.into.extend(places);
                self.leaf_children.push(LeafChild {
                    left: own.left + u32::from(lane),
                    into,
                    below: form.below as u32,
                });
                needed[group as usize] -= 1;
                if needed[group as usize] == 0 {
                    free.entry(form.left() * LANES).or_default().push(own.left);
                }
            }
            self.fronts[index].groups = made as u32;
            self.fronts[index].leaves = self.leaf_children.len() as u32;
        }
        self.leaves = leaves;
    }
}
