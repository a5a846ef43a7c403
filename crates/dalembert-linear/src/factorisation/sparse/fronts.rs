//! L D Lᵀ block by block: columns that have the same rows are eliminated together, in a small full matrix.
//!
//! ```text
//!        pivots  rows
//!      ⎡   F₁₁        ⎤     a front: entries of K in the columns of its pivots, and what its children left
//!      ⎣   F₂₁   F₂₂  ⎦     F₁₁ = L₁ D L₁ᵀ,  L₂ = F₂₁ L₁⁻ᵀ D⁻¹;  F₂₂ − L₂ D L₂ᵀ is left to the front of its first row
//! ```
//!
//! That is the multifrontal method (Duff, Reid 1983; Liu 1992). Fronts stand in post order, so that what is left lies on a stack, and for a tree of
//! bodies all of it stays in the nearest cache. Columns are padded to widths that the compiler knows: loops without remainders.

use super::leaves::{LANES, Lanes, Leaves, ROOM};
use super::order::Columns;
use faer::sparse::SymbolicSparseColMat;

/// The structure of all fronts.
#[derive(Debug)]
pub(super) struct Fronts {
    pub(super) fronts: Vec<Front>,
    /// Rows below the pivots of each front, and where they are in the front of the first of them.
    pub(super) rows: Vec<u32>,
    pub(super) into: Vec<u32>,
    /// Where each entry of K is in its front, from the first that no leaf has.
    pub(super) places: Vec<u32>,
    /// What is eliminated before, and who takes what it leaves.
    pub(super) leaves: Leaves,
    pub(super) leaf_children: Vec<LeafChild>,
    /// Numbers of the largest front, of the factor, and on the stack at most.
    largest: usize,
    size: usize,
    stack: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    /// Its first pivot, and how many they are.
    pub(super) first: u32,
    pub(super) pivots: u32,
    /// Where its rows begin, and how many they are.
    pub(super) rows: u32,
    pub(super) below: u32,
    /// Where its entries of K end.
    pub(super) entries: u32,
    /// Fronts that leave something to it.
    pub(super) children: u32,
    /// Length of a column.
    pub(super) width: u32,
    /// Up to which of the groups of leaves is made before it, and where the leaves end that it takes.
    pub(super) groups: u32,
    pub(super) leaves: u32,
}

/// A leaf for the front that takes what it leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafChild {
    /// Where that begins, lanes side by side.
    pub(super) left: u32,
    /// Where its places in the front begin, and how many rows it has.
    pub(super) into: u32,
    pub(super) below: u32,
}

/// Numbers that come and go while K is factored or a right side is solved.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) front: Vec<f64>,
    pub(super) stack: Vec<f64>,
    /// Fronts whose remains are on the stack.
    pub(super) waiting: Vec<u32>,
    /// Of leaves: what they leave, and one group.
    pub(super) left: Vec<f64>,
    pub(super) group: Vec<Lanes>,
}

/// Widths that loops are compiled for.
const WIDTHS: [usize; 5] = [4, 8, 12, 16, 24];

/// The padded length of a column.
fn width(size: usize) -> usize {
    let fitting = WIDTHS.into_iter().find(|&width| size <= width);
    fitting.unwrap_or(size.next_multiple_of(8))
}

impl Front {
    /// With so many pivots from the first on, and so many rows below them.
    fn new(first: u32, pivots: u32, below: u32) -> Self {
        Self {
            first,
            pivots,
            rows: 0,
            below,
            entries: 0,
            children: 0,
            width: width((pivots + below) as usize) as u32,
            groups: 0,
            leaves: 0,
        }
    }

    /// Roughly the instructions that it takes.
    fn cost(&self) -> f64 {
        let [pivots, size, width] =
            [self.pivots, self.pivots + self.below, self.width].map(f64::from);
        200.0 + size * width / 2.0 + pivots * (size - pivots / 2.0) * (width / 2.0 + 4.0)
    }

    pub(super) fn size(&self) -> usize {
        (self.pivots + self.below) as usize
    }

    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.rows as usize..(self.rows + self.below) as usize
    }

    /// Numbers that it leaves: its last columns.
    pub(super) fn left(&self) -> usize {
        (self.below * self.width) as usize
    }

    /// Numbers of its part of the factor: columns of L, then D⁻¹.
    pub(super) fn factor(&self) -> usize {
        (self.width as usize + 1) * self.pivots as usize
    }
}

impl Fronts {
    /// For the lower triangle of K, whose factor has these columns; behind the leaves its order is a post order.
    pub(super) fn new(
        columns: &Columns,
        lower: &SymbolicSparseColMat<u32>,
        leaves: Leaves,
    ) -> Self {
        let n = columns.len();
        let mut fronts: Vec<Front> = Vec::new();
        let mut first = leaves.unknowns;
        for column in leaves.unknowns..n {
            let shares = column + 1 < n
                && columns.parent(column) == Some(column + 1)
                && columns.count(column) == columns.count(column + 1) + 1;
            if shares {
                continue;
            }
            let below = columns.count(column) as u32;
            let mut front = Front::new(first as u32, column as u32 + 1 - first as u32, below);
            // What comes just before and is eliminated into it may be taken along, if that saves work.
            while let Some(before) = fronts.last() {
                let last = before.first + before.pivots - 1;
                let together = Front::new(before.first, before.pivots + front.pivots, below);
                let is_child = columns.parent(last as usize).is_some_and(|it| it <= column);
                if !is_child || together.cost() > before.cost() + front.cost() {
                    break;
                }
                front = together;
                fronts.pop();
            }
            fronts.push(front);
            first = column + 1;
        }
        let mut front_of = vec![0_u32; n];
        let mut rows: Vec<u32> = Vec::new();
        for (index, front) in fronts.iter_mut().enumerate() {
            let end = (front.first + front.pivots) as usize;
            front_of[front.first as usize..end].fill(index as u32);
            front.rows = rows.len() as u32;
            front.entries = lower.col_ptr()[end];
            rows.extend(columns.below(end - 1));
        }
        let mut into = vec![0; rows.len()];
        for index in 0..fronts.len() {
            let own = fronts[index];
            let Some(&head) = rows[own.rows()].first() else {
                continue;
            };
            let parent = &mut fronts[front_of[head as usize] as usize];
            parent.children += 1;
            let mut places = Places::of(parent, &rows);
            for k in own.rows() {
                into[k] = places.next(rows[k]);
            }
        }
        let mut places = Vec::with_capacity(lower.row_idx().len() - leaves.entries);
        for front in &fronts {
            for k in 0..front.pivots {
                let column = (front.first + k) as usize;
                let (from, to) = (lower.col_ptr()[column], lower.col_ptr()[column + 1]);
                let mut within = Places::of(front, &rows);
                for &row in &lower.row_idx()[from as usize..to as usize] {
                    places.push(k * front.width + within.next(row));
                }
            }
        }
        let mut found = Self {
            largest: fronts
                .iter()
                .map(|it| it.size() * it.width as usize)
                .max()
                .unwrap_or(0),
            size: leaves.factor + fronts.iter().map(Front::factor).sum::<usize>(),
            stack: 0,
            fronts,
            rows,
            into,
            places,
            leaves: Leaves::default(),
            leaf_children: Vec::new(),
        };
        found.stack = found.most_on_stack();
        found.take_leaves(leaves, |row| front_of[row as usize] as usize);
        found
    }

    /// Where ascending rows are in a front.
    pub(super) fn places_of(&self, front: usize, rows: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut within = Places::of(&self.fronts[front], &self.rows);
        rows.map(|row| within.next(row)).collect()
    }

    /// Numbers on the stack at most.
    fn most_on_stack(&self) -> usize {
        let (mut waiting, mut now, mut most) = (Vec::new(), 0, 0);
        for front in &self.fronts {
            for _ in 0..front.children {
                now -= waiting.pop().unwrap_or(0);
            }
            if front.below > 0 {
                waiting.push(front.left());
                now += front.left();
                most = most.max(now);
            }
        }
        most
    }

    /// Numbers of the factor.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn room(&self) -> Room {
        let widest = self.fronts.iter().map(|front| front.width).max();
        Room {
            front: vec![0.0; self.largest.max(widest.unwrap_or(0) as usize)],
            stack: vec![0.0; self.stack],
            waiting: Vec::new(),
            left: vec![0.0; self.leaves.left],
            group: vec![[0.0; LANES]; ROOM],
        }
    }
}

/// Where ascending rows are in a front.
struct Places<'a> {
    front: Front,
    rows: &'a [u32],
    at: usize,
}

impl<'a> Places<'a> {
    fn of(front: &Front, rows: &'a [u32]) -> Self {
        Self {
            front: *front,
            rows: &rows[front.rows()],
            at: 0,
        }
    }

    /// The place of a row behind those before.
    fn next(&mut self, row: u32) -> u32 {
        let Front { first, pivots, .. } = self.front;
        if row < first + pivots {
            return row - first;
        }
        while self.rows[self.at] != row {
            self.at += 1;
        }
        pivots + self.at as u32
    }
}
