//! What is eliminated before all else and has the same structure in many places, as the speeds of bodies: which unknowns these are, and
//! where their numbers stand, eight at a time.
//!
//! A leaf is a few unknowns that are eliminated one after the other, into which nothing else is eliminated. None waits for another, so that
//! leaves of one form stand side by side, a lane each: unknown k of all eight, then k + 1 of all; so do the entries of K. The same holds for
//! whole branches: unknowns into which leaves are eliminated, as the rows of a joint after those of two bodies, and into these others. A
//! branch is a tree of nodes, and eight branches of one structure a tree of groups, each with the same lanes. What is left of a
//! group is made just before the first that takes part of it, in room that is free again once all of it is taken: it stays in the
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
/// Numbers of each leaf while a group is eliminated: of its columns, and of what it leaves.
pub(super) const ROOM: usize = SIZE * PIVOTS + SIZE * (SIZE + 1) / 2;

/// Nodes that stand above each other in a branch, at most.
const HEIGHT: u32 = 32;

/// All leaves that are eliminated in groups, and what is eliminated after them in the same lanes.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) forms: Vec<Form>,
    /// In the order that fronts need them in; of a branch those that are eliminated into others before these.
    pub(super) groups: Vec<Group>,
    /// Groups that are eliminated into others, and their rows there.
    pub(super) children: Vec<Child>,
    pub(super) into: Vec<u8>,
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

/// A group that leaves all to another with the same lanes, and where its rows there begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) group: u32,
    pub(super) into: u32,
}

/// Eight leaves of one form, or nodes of branches.
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
    /// Where its children begin, and how many they are.
    pub(super) children: u32,
    pub(super) count: u32,
    /// Rows that are unknowns of groups with the same lanes: they come first, and stand side by side.
    pub(super) inside: u32,
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

/// What is eliminated together, one column after the other.
struct Node {
    pivots: Vec<u32>,
    /// All that is eliminated into it.
    children: Vec<u32>,
    /// Which structure it has, if it is small, and all below it.
    class: Option<u32>,
}

/// The structure of a node: its own, and for each child that of it and its rows here.
type Structure = (Form, Vec<(u32, Vec<u8>)>);

/// Eight nodes of one form.
struct Alike {
    form: Form,
    /// Unknown after unknown, that of each.
    unknowns: Vec<[u32; LANES]>,
    /// Which groups before it are eliminated into it, and their rows here.
    children: Vec<(u32, Vec<u8>)>,
}

/// Groups found in an order of elimination.
pub(super) struct Found(Vec<Alike>);

impl Found {
    /// Those of K, given by its lower triangle, and its factor; `signs` are those of the unknowns.
    pub(super) fn of(columns: &Columns, lower: &SymbolicSparseColMat<u32>, signs: &[i8]) -> Self {
        let mut nodes = nodes(columns);
        let mut known: BTreeMap<Structure, u32> = BTreeMap::new();
        // By class: how many nodes stand above each other, and which have it.
        let mut classes: Vec<(u32, Vec<u32>)> = Vec::new();
        for index in 0..nodes.len() {
            let Some((structure, children)) = structure(&nodes, index, (columns, lower, signs))
            else {
                continue;
            };
            let below = structure
                .1
                .iter()
                .map(|&(class, _)| classes[class as usize].0);
            let height = below.max().map_or(0, |height| height + 1);
            if height == HEIGHT {
                continue;
            }
            let class = *known.entry(structure).or_insert(classes.len() as u32);
            if class as usize == classes.len() {
                classes.push((height, Vec::new()));
            }
            classes[class as usize].1.push(index as u32);
            (nodes[index].class, nodes[index].children) = (Some(class), children);
        }
        let mut structures: Vec<&Structure> = known.keys().collect();
        structures.sort_by_key(|structure| known[*structure]);
        // Whole branches come before their parts.
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(|&class| u32::MAX - classes[class].0);
        let mut taken = vec![false; nodes.len()];
        let mut branches: Vec<(u32, [u32; LANES])> = Vec::new();
        for class in order {
            let free = classes[class].1.iter().copied();
            let free: Vec<u32> = free.filter(|&node| !taken[node as usize]).collect();
            for members in free.as_chunks::<LANES>().0 {
                let mut pending = members.to_vec();
                while let Some(node) = pending.pop() {
                    taken[node as usize] = true;
                    pending.extend(&nodes[node as usize].children);
                }
                branches.push((class as u32, *members));
            }
        }
        // By the first front that takes part of one.
        branches.sort_by_key(|(_, members)| {
            let head = |&node: &u32| nodes[node as usize].below(columns).first();
            let heads = members.iter().filter_map(head);
            heads.min().map_or(u32::MAX, |&it| it)
        });
        let mut found = Self(Vec::new());
        for (class, members) in branches {
            found.add(&structures, &nodes, (class, members));
        }
        found
    }

    /// Adds the groups of eight branches; returns the last, into which all others are eliminated.
    fn add(
        &mut self,
        structures: &[&Structure],
        nodes: &[Node],
        (class, members): (u32, [u32; LANES]),
    ) -> u32 {
        let (form, below) = structures[class as usize];
        let child = |(place, (class, into)): (usize, &(u32, Vec<u8>))| {
            let members = members.map(|node| nodes[node as usize].children[place]);
            let group = self.add(structures, nodes, (*class, members));
            (group, into.clone())
        };
        let children = below.iter().enumerate().map(child).collect();
        let unknown = |k: usize| members.map(|node| nodes[node as usize].pivots[k]);
        self.0.push(Alike {
            form: form.clone(),
            unknowns: (0..form.pivots).map(unknown).collect(),
            children,
        });
        self.0.len() as u32 - 1
    }

    /// Where unknowns stand now: leaves first, all others in the order in which they were; `None` if there are no leaves.
    pub(super) fn numbering(&self, n: usize) -> Option<Vec<u32>> {
        if self.0.is_empty() {
            return None;
        }
        let mut places = vec![u32::MAX; n];
        let mut next = 0;
        for &unknown in self.0.iter().flat_map(|it| it.unknowns.as_flattened()) {
            places[unknown as usize] = next;
            next += 1;
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
        let mut numbers: BTreeMap<Form, u32> = BTreeMap::new();
        for Alike { form, children, .. } in self.0 {
            let first = found.unknowns;
            let last = first + (form.pivots - 1) * LANES;
            let rows = found.rows.len();
            found.rows.resize(rows + form.below, [0; LANES]);
            for lane in 0..LANES {
                let below = columns.below(last + lane);
                for (place, &row) in found.rows[rows..].iter_mut().zip(below) {
                    place[lane] = row;
                }
            }
            let index = *numbers.entry(form.clone()).or_insert_with(|| {
                found.forms.push(form.clone());
                found.forms.len() as u32 - 1
            });
            found.groups.push(Group {
                form: index,
                first: first as u32,
                entries: found.entries as u32,
                rows: rows as u32,
                factor: found.factor as u32,
                left: 0,
                children: found.children.len() as u32,
                count: children.len() as u32,
                inside: 0,
            });
            for (group, into) in children {
                let start = found.into.len() as u32;
                found.into.extend(into);
                found.children.push(Child { group, into: start });
            }
            found.unknowns += form.pivots * LANES;
            found.entries += form.entries.len() * LANES;
            found.factor += form.factor() * LANES;
        }
        for group in &mut found.groups {
            let below = found.forms[group.form as usize].below;
            let rows = &found.rows[group.rows as usize..][..below];
            let inside = rows.partition_point(|row| (row[0] as usize) < found.unknowns);
            group.inside = inside as u32;
            debug_assert!(
                rows[..inside]
                    .iter()
                    .all(|row| (row[0]..).zip(row).all(|(a, b)| a == *b)),
                "the same lanes"
            );
        }
        debug_assert_eq!(found.entries, lower.col_ptr()[found.unknowns] as usize);
        found
    }
}

impl Node {
    /// Its last unknown: all that is eliminated into it comes before.
    fn last(&self) -> usize {
        self.pivots[self.pivots.len() - 1] as usize
    }

    /// Rows that it is eliminated into.
    fn below<'a>(&self, columns: &'a Columns) -> &'a [u32] {
        columns.below(self.last())
    }

    /// The place of a row among its unknowns and the rows below them.
    fn place(&self, columns: &Columns, row: u32) -> u8 {
        let place = self.pivots.binary_search(&row).unwrap_or_else(|_| {
            let below = self.below(columns);
            self.pivots.len() + below.partition_point(|&below| below < row)
        });
        place as u8
    }
}

/// All of them, each behind what is eliminated into it.
fn nodes(columns: &Columns) -> Vec<Node> {
    let n = columns.len();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    for column in 0..n {
        if let Some(parent) = columns.parent(column) {
            children[parent].push(column as u32);
        }
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut node_of = vec![0_u32; n];
    for column in 0..n {
        let is_leaf = |child: u32| {
            let node = &nodes[node_of[child as usize] as usize];
            children[node.pivots[0] as usize].is_empty()
        };
        let own = &children[column];
        // A leaf ends where anything else comes in, a branch where another one does.
        let goes_on = own.iter().find(|&&child| {
            columns.count(child as usize) == columns.count(column) + 1
                && match is_leaf(child) {
                    true => own.len() == 1,
                    false => own.iter().all(|&it| it == child || is_leaf(it)),
                }
        });
        match goes_on {
            Some(&child) => node_of[column] = node_of[child as usize],
            None => {
                node_of[column] = nodes.len() as u32;
                nodes.push(Node {
                    pivots: Vec::new(),
                    children: Vec::new(),
                    class: None,
                });
            }
        }
        nodes[node_of[column] as usize].pivots.push(column as u32);
    }
    // Nodes stand by their last unknowns.
    nodes.sort_unstable_by_key(Node::last);
    for (index, node) in nodes.iter().enumerate() {
        let own = node.pivots.iter();
        own.for_each(|&column| node_of[column as usize] = index as u32);
    }
    for index in 0..nodes.len() {
        if let Some(&head) = nodes[index].below(columns).first() {
            let parent = node_of[head as usize] as usize;
            nodes[parent].children.push(index as u32);
        }
    }
    nodes
}

/// The structure of a node and its children in the order of that, if it is small and those of all its children are known.
fn structure(
    nodes: &[Node],
    index: usize,
    (columns, lower, signs): (&Columns, &SymbolicSparseColMat<u32>, &[i8]),
) -> Option<(Structure, Vec<u32>)> {
    let node = &nodes[index];
    let pivots = node.pivots.len();
    let below = node.below(columns);
    if pivots > PIVOTS || pivots + below.len() > SIZE {
        return None;
    }
    let mut children = Vec::new();
    for &child in &node.children {
        let class = nodes[child as usize].class?;
        let rows = nodes[child as usize].below(columns).iter();
        let into: Vec<u8> = rows.map(|&row| node.place(columns, row)).collect();
        children.push(((class, into), child));
    }
    // Whatever their order was.
    children.sort();
    let (children, order) = children.into_iter().unzip();
    let entries = node.pivots.iter().enumerate().flat_map(|(k, &column)| {
        let column = column as usize;
        let (from, to) = (lower.col_ptr()[column], lower.col_ptr()[column + 1]);
        let rows = lower.row_idx()[from as usize..to as usize].iter();
        rows.map(move |&row| (k as u8, node.place(columns, row)))
    });
    let mut entries: Vec<(u8, u8)> = entries.collect();
    entries.sort_unstable_by_key(|&(k, i)| (i, k));
    let ends = (0..pivots + below.len())
        .map(|row| entries.partition_point(|&(_, i)| usize::from(i) <= row) as u16);
    let form = Form {
        pivots,
        below: below.len(),
        signs: node.pivots.iter().map(|&it| signs[it as usize]).collect(),
        ends: ends.collect(),
        entries,
    };
    Some(((form, children), order))
}

impl Leaves {
    /// Finds room for what is left of a group, beside that of its children, whose room is free then.
    fn make_room(&mut self, group: usize, free: &mut BTreeMap<usize, Vec<u32>>) {
        let size = |leaves: &Self, group: Group| leaves.forms[group.form as usize].left() * LANES;
        let own = self.groups[group];
        let needed = size(self, own);
        let place = free.entry(needed).or_default().pop();
        self.groups[group].left = place.unwrap_or_else(|| {
            self.left += needed;
            (self.left - needed) as u32
        });
        for child in self.children_of(&own) {
            let child = self.groups[child.group as usize];
            free.entry(size(self, child)).or_default().push(child.left);
        }
    }

    /// What is eliminated into a group, in the same lanes.
    pub(super) fn children_of(&self, group: &Group) -> &[Child] {
        &self.children[group.children as usize..][..group.count as usize]
    }

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
            if leaves.forms[group.form as usize].below == 0 || group.inside > 0 {
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
                leaves.make_room(made, &mut free);
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
        (made..leaves.groups.len()).for_each(|group| leaves.make_room(group, &mut free));
        self.leaves = leaves;
    }
}
