//! The order of elimination: first what M couples to little else, block by block, then the rows along what joins them.
//!
//! Speeds that M couples (those of a body, of a particle) are a block. Blocks that few rows touch are eliminated first, and the rows
//! that are left, each a pivot −Â M̂⁻¹ Âᵀ that needs no ε, in the order of approximate minimum degree: along the joints of a tree nothing
//! fills in. Where that costs much more than minimum degree of all (nothing is small, or a block has very many neighbours) the
//! latter it is, but for systems of few unknowns.

use super::leaves::{LANES, PIVOTS};
use super::symbolic::{FEW, assemble};
use crate::{Groups, Pattern};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, amd};
use std::collections::{BTreeMap, BTreeSet};

/// Speeds and rows that a block has at most to be eliminated first.
const SPEEDS: usize = 16;
const ROWS: usize = 32;
/// Columns of a way that is short.
const SHORT: u32 = 8;
/// How much more multiplications that may cost.
const DEARER: f64 = 2.0;

/// The place of each speed, then of each row; `None` if there is no memory for it.
pub(super) fn order(mass: &Pattern, rows: &Pattern, pairs: &[(u32, u32)]) -> Option<Vec<u32>> {
    let n = mass.rows() + rows.rows();
    let (least, multiplications) = minimum_degree(n, pairs)?;
    let least = in_post_order(pairs, &least)?.0;
    let Some(blocks) = Blocks::of(mass, rows, pairs) else {
        return Some(least);
    };
    let (places, _) = minimum_degree(blocks.left.len(), &blocks.among)?;
    let (order, own) = in_post_order(pairs, &blocks.followed_by(&places))?;
    // Of few unknowns any order is cheap, and where a row comes before a speed its pivot may vanish.
    if n > FEW && own > DEARER * multiplications.max(n as f64) {
        return Some(least);
    }
    let Some(places) = in_turns(blocks.left.len(), &blocks.among) else {
        return Some(order);
    };
    // Eight at a time more multiplications are quicker.
    let (turned, more) = in_post_order(pairs, &blocks.followed_by(&places))?;
    Some(if more <= DEARER * own { turned } else { order })
}

/// Rows that M couples all speeds of already: they may be added to M as a penalty without a new entry.
pub(super) fn within(mass: &Pattern, rows: &Pattern, row: usize) -> bool {
    let columns: Vec<usize> = rows.columns_of(row).collect();
    let coupled = |(k, &j): (usize, &usize)| {
        let before = &columns[..k];
        before.iter().all(|&i| mass.place(i, j).is_some())
    };
    !columns.is_empty() && columns.len() <= SPEEDS && columns.iter().enumerate().all(coupled)
}

/// An order that begins with what M couples.
struct Blocks {
    /// Places of what is in small blocks; of all others none yet.
    order: Vec<u32>,
    /// The others, and which of them have to do with each other once the blocks are eliminated.
    left: Vec<u32>,
    among: Vec<(u32, u32)>,
}

impl Blocks {
    fn of(mass: &Pattern, rows: &Pattern, pairs: &[(u32, u32)]) -> Option<Self> {
        let (nv, nc) = (mass.rows(), rows.rows());
        let mut groups = Groups::new(nv);
        for i in 0..nv {
            groups.join(mass.columns_of(i));
        }
        let block: Vec<usize> = (0..nv).map(|j| groups.of(j)).collect();
        // By the first speed of a block.
        let mut speeds: Vec<Vec<u32>> = vec![Vec::new(); nv];
        for (j, &block) in block.iter().enumerate() {
            speeds[block].push(j as u32);
        }
        let mut touching: Vec<Vec<u32>> = vec![Vec::new(); nv];
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); nv];
        for row in 0..nc {
            let mut touched: Vec<usize> = rows.columns_of(row).map(|j| block[j]).collect();
            touched.sort_unstable();
            touched.dedup();
            let list = match touched[..] {
                [only] if within(mass, rows, row) => &mut own[only],
                _ => {
                    for &block in &touched {
                        touching[block].push((nv + row) as u32);
                    }
                    continue;
                }
            };
            list.push((nv + row) as u32);
        }
        let is_small =
            |block: usize| speeds[block].len() <= SPEEDS && touching[block].len() <= ROWS;
        let mut order = vec![u32::MAX; nv + nc];
        let mut next = 0;
        for first in (0..nv).filter(|&first| !speeds[first].is_empty() && is_small(first)) {
            for &variable in speeds[first].iter().chain(&own[first]) {
                order[variable as usize] = next;
                next += 1;
            }
        }
        let left: Vec<u32> = (0..(nv + nc) as u32)
            .filter(|&variable| order[variable as usize] == u32::MAX)
            .collect();
        let mut number = vec![u32::MAX; nv + nc];
        for (k, &variable) in left.iter().enumerate() {
            number[variable as usize] = k as u32;
        }
        let mut among: Vec<(u32, u32)> = Vec::new();
        let mut couple = |i: u32, j: u32| {
            let (i, j) = (number[i as usize], number[j as usize]);
            if i != u32::MAX && j != u32::MAX {
                among.push((i.min(j), i.max(j)));
            }
        };
        pairs.iter().for_each(|&(i, j)| couple(i, j));
        for first in (0..nv).filter(|&first| is_small(first)) {
            for (k, &i) in touching[first].iter().enumerate() {
                touching[first][..k].iter().for_each(|&j| couple(i, j));
            }
        }
        among.sort_unstable();
        among.dedup();
        Some(Self { order, left, among })
    }

    /// The whole order, with these places of the others among themselves.
    fn followed_by(&self, places: &[u32]) -> Vec<u32> {
        let mut order = self.order.clone();
        let first = (order.len() - self.left.len()) as u32;
        for (&variable, place) in self.left.iter().zip(places) {
            order[variable as usize] = first + place;
        }
        order
    }
}

/// Every second of those that have two neighbours, as joints along a chain have, then every second of what is left, as long as many are
/// chosen at a time; the rest by minimum degree. None of a turn waits for another, and what is eliminated into them is alike: they are
/// eliminated eight at a time, though with two neighbours each in place of one. `None` where not enough are chosen.
fn in_turns(n: usize, pairs: &[(u32, u32)]) -> Option<Vec<u32>> {
    let mut near: Vec<Vec<u32>> = (0..n as u32).map(|i| vec![i]).collect();
    for &(i, j) in pairs.iter().filter(|(i, j)| i != j) {
        near[i as usize].push(j);
        near[j as usize].push(i);
    }
    near.iter_mut().for_each(|list| list.sort_unstable());
    // Those with the same neighbours go together, as the rows of a joint.
    let mut classes: BTreeMap<&[u32], Vec<u32>> = BTreeMap::new();
    for (i, list) in near.iter().enumerate() {
        classes.entry(list).or_default().push(i as u32);
    }
    let mut members: Vec<Vec<u32>> = classes.into_values().collect();
    members.sort_unstable();
    let mut class_of = vec![0; n];
    for (class, members) in members.iter().enumerate() {
        members.iter().for_each(|&i| class_of[i as usize] = class);
    }
    let mut around: Vec<BTreeSet<usize>> = (members.iter().enumerate())
        .map(|(class, members)| {
            let near = near[members[0] as usize].iter();
            let others = near.map(|&j| class_of[j as usize]);
            others.filter(|&other| other != class).collect()
        })
        .collect();
    let mut places = vec![u32::MAX; n];
    let mut next = 0;
    loop {
        let mut beside = vec![false; members.len()];
        let mut chosen = Vec::new();
        for (class, members) in members.iter().enumerate() {
            let fits = around[class].len() == 2 && members.len() <= PIVOTS;
            if fits && places[members[0] as usize] == u32::MAX && !beside[class] {
                around[class].iter().for_each(|&it| beside[it] = true);
                chosen.push(class);
            }
        }
        if chosen.len() < LANES {
            break;
        }
        for class in chosen {
            for &i in &members[class] {
                places[i as usize] = next;
                next += 1;
            }
            let ends = std::mem::take(&mut around[class]);
            for &end in &ends {
                around[end].remove(&class);
                around[end].extend(ends.iter().filter(|&&other| other != end));
            }
        }
    }
    if next == 0 {
        return None;
    }
    let left: Vec<usize> = (0..members.len())
        .filter(|&class| places[members[class][0] as usize] == u32::MAX)
        .collect();
    let mut among = Vec::new();
    for (k, &class) in left.iter().enumerate() {
        let others = around[class]
            .iter()
            .filter_map(|it| left.binary_search(it).ok());
        among.extend(
            others
                .filter(|&other| k <= other)
                .map(|other| (k as u32, other as u32)),
        );
    }
    let (rest, _) = minimum_degree(left.len(), &among)?;
    let mut last: Vec<(u32, usize)> = rest.into_iter().zip(left).collect();
    last.sort_unstable();
    for &i in last.iter().flat_map(|&(_, class)| &members[class]) {
        places[i as usize] = next;
        next += 1;
    }
    Some(places)
}

/// Approximate minimum degree, and the multiplications of an elimination in that order.
fn minimum_degree(n: usize, pairs: &[(u32, u32)]) -> Option<(Vec<u32>, f64)> {
    let natural: Vec<u32> = (0..n as u32).collect();
    if n == 0 {
        return Some((natural, 0.0));
    }
    let (given, _) = assemble(pairs, &natural, true);
    let (mut forward, mut order) = (vec![0_u32; n], vec![0_u32; n]);
    let nnz = given.compute_nnz();
    let request = amd::order_maybe_unsorted_scratch::<u32>(n, nnz);
    let mut memory = MemBuffer::try_new(request).ok()?;
    let flops = amd::order_maybe_unsorted(
        &mut forward,
        &mut order,
        given.as_ref(),
        amd::Control::default(),
        MemStack::new(&mut memory),
    )
    .ok()?;
    Some((order, flops.n_mult_subs_ldl))
}

/// The same elimination, each variable just before what it is eliminated into, and its multiplications.
fn in_post_order(pairs: &[(u32, u32)], order: &[u32]) -> Option<(Vec<u32>, f64)> {
    let n = order.len();
    let (matrix, _) = assemble(pairs, order, true);
    let columns = Columns::of(matrix.as_ref())?;
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
    let mut sizes = vec![1_u32; n + 1];
    for column in 0..n {
        let parent = columns.parent(column).unwrap_or(n);
        children[parent].push(column as u32);
        sizes[parent] += sizes[column];
    }
    // Long ways come first; those that are short, or have all rows of the parent, may be eliminated together with it.
    for list in &mut children {
        list.sort_by_key(|&child| {
            let child = child as usize;
            (columns.count(child), u32::MAX - sizes[child])
        });
        list.sort_by_key(|&child| sizes[child as usize] <= SHORT);
    }
    let mut places = vec![0; n];
    let mut pending = vec![(n, 0)];
    let mut next = 0;
    while let Some((parent, seen)) = pending.last_mut() {
        if let Some(&child) = children[*parent].get(*seen) {
            *seen += 1;
            pending.push((child as usize, 0));
            continue;
        }
        if *parent < n {
            places[*parent] = next;
            next += 1;
        }
        pending.pop();
    }
    let order = order.iter().map(|&place| places[place as usize]).collect();
    Some((order, columns.multiplications()))
}

/// The columns of L, without numbers.
pub(super) struct Columns {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Columns {
    /// Of the upper triangle of a matrix.
    pub(super) fn of(upper: SymbolicSparseColMatRef<'_, u32>) -> Option<Self> {
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..Default::default()
        };
        let order = SymmetricOrdering::Identity;
        let found = factorize_symbolic_cholesky(upper, faer::Side::Upper, order, parameters);
        match found.ok()?.raw() {
            SymbolicCholeskyRaw::Simplicial(found) => Some(Self {
                starts: found.col_ptr().to_vec(),
                rows: found.row_idx().to_vec(),
            }),
            SymbolicCholeskyRaw::Supernodal(_) => None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows below the diagonal, ascending.
    pub(super) fn below(&self, column: usize) -> &[u32] {
        let (from, to) = (self.starts[column], self.starts[column + 1]);
        &self.rows[from as usize + 1..to as usize]
    }

    /// How many these are.
    pub(super) fn count(&self, column: usize) -> usize {
        self.below(column).len()
    }

    /// Multiplications of a factorisation.
    pub(super) fn multiplications(&self) -> f64 {
        let of_column = |column: usize| {
            let count = self.count(column) as f64;
            count * (count + 1.0) / 2.0
        };
        (0..self.len()).map(of_column).sum()
    }

    /// The first column that this one is eliminated into.
    pub(super) fn parent(&self, column: usize) -> Option<usize> {
        self.below(column).first().map(|&row| row as usize)
    }
}
