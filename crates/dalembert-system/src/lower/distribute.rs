//! Generalized forces become forces on particles and bodies, where mechanics decides on which.
//!
//! A coordinate that moves one velocity or one rotation alone leaves no choice, nor do several that move as
//! many independent ones. Then
//!
//! ```text
//! g = J (JᵀJ)⁻¹ ρ
//! ```
//!
//! is the smallest force with the virtual work ρ. A coordinate that moves several things leaves the choice
//! open: the moment of a motor and a force at the end of its lever do the same work.

use super::inertia::Partials;
use super::sampling::Sampling;
use super::small_systems::{moved_axes, solve_symmetric};
use super::{Lowering, Sparse};
use crate::elaborate::{Target, Vector, VectorAlgebra};
use dalembert_expr::{ExprId, SymbolKind, simplify};
use std::collections::{BTreeMap, BTreeSet};

/// Most coordinates that share one force: vectors have three components.
const MOST_SHARED: usize = 3;

/// Forces by block, on the way.
pub(super) type Shares = BTreeMap<Block, Vector>;

/// What a coordinate may move: velocities of particles and mass centres, angular velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub(super) target: Target,
    pub(super) turning: bool,
}

/// All that moves, by what moves it; found when it is needed first.
pub(super) struct Movers {
    zero: Vector,
    pub(super) partials: BTreeMap<Block, Partials>,
    by_coordinate: BTreeMap<usize, Vec<Block>>,
    /// Coordinates with inertia given as an energy or a matrix.
    elsewhere: BTreeSet<usize>,
    /// World axes along which something moves, and about which something turns.
    pub(super) axes: [[bool; 3]; 2],
}

impl Lowering<'_> {
    /// Gives ρ to what its coordinates move; whether there was anything to give.
    pub(super) fn distribute(
        &mut self,
        rest: Sparse,
        shares: &mut Shares,
        cure: &str,
    ) -> Result<bool, String> {
        if rest.is_empty() {
            return Ok(false);
        }
        let movers = self.take_movers();
        let result = self.distribute_among(&movers, rest, shares, cure);
        self.movers = Some(movers);
        result
    }

    /// The particles and bodies that the coordinates of a generalized force move.
    pub(super) fn moved_by(&mut self, force: &Sparse) -> BTreeSet<Target> {
        let movers = self.take_movers();
        let blocks = |(i, _): &(usize, ExprId)| movers.by_coordinate.get(i);
        let blocks = force.iter().filter_map(blocks).flatten();
        let moved = blocks.map(|block| block.target).collect();
        self.movers = Some(movers);
        moved
    }

    /// Stands for a component of a force that is not determined.
    pub(super) fn open_force(&mut self) -> ExprId {
        let name = "force that is not determined";
        self.graph().symbol(name, SymbolKind::Multiplier)
    }

    pub(super) fn take_movers(&mut self) -> Movers {
        match self.movers.take() {
            Some(movers) => movers,
            None => self.find_movers(),
        }
    }

    fn distribute_among(
        &mut self,
        movers: &Movers,
        rest: Sparse,
        shares: &mut Shares,
        cure: &str,
    ) -> Result<bool, String> {
        // What moves neither mass nor inertia is acted on by no force.
        let moves =
            |i: &usize| movers.by_coordinate.contains_key(i) || movers.elsewhere.contains(i);
        let rest = rest.into_iter().filter(|(i, _)| moves(i));
        let values: BTreeMap<usize, ExprId> = rest.collect();
        let mut done = BTreeSet::new();
        for &start in values.keys() {
            if done.contains(&start) {
                continue;
            }
            let together = self.together(movers, start)?;
            done.extend(together.iter().copied());
            let blocks = self
                .independent_blocks(movers, &together)
                .map_err(|why| format!("{why}: {cure}"))?;
            let zero = self.graph().integer(0);
            let wanted: Vec<ExprId> = together
                .iter()
                .map(|i| values.get(i).copied().unwrap_or(zero))
                .collect();
            self.least(movers, &together, &blocks, &wanted, shares);
        }
        Ok(!values.is_empty())
    }

    /// The coordinates that a coordinate shares a direction with: their partial velocities are not at right
    /// angles. A force that works on one of them alone is a matter of all of them.
    fn together(&mut self, movers: &Movers, start: usize) -> Result<Vec<usize>, String> {
        let mut found = vec![start];
        let mut next = 0;
        while let Some(&i) = found.get(next).filter(|_| found.len() <= MOST_SHARED) {
            next += 1;
            let blocks = self.blocks_of(movers, i)?;
            for block in blocks {
                let partials = &movers.partials[block];
                let Some(own) = partials.iter().position(|(j, _)| *j == i) else {
                    continue;
                };
                let components = components(partials);
                let oblique = Sampling::of(&self.scope.graph, &components).oblique(own);
                for (&(j, _), oblique) in partials.iter().zip(oblique) {
                    if oblique && !found.contains(&j) {
                        found.push(j);
                    }
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    fn blocks_of<'b>(&self, movers: &'b Movers, i: usize) -> Result<&'b [Block], String> {
        let name = &self.model.coordinates[i].0.text;
        if movers.elsewhere.contains(&i) {
            return Err(format!(
                "`{name}` moves inertia that is given as an energy or a matrix, not as a particle or body"
            ));
        }
        Ok(movers.by_coordinate.get(&i).map_or(&[], Vec::as_slice))
    }

    /// The blocks that some coordinates move, if these are as many as the blocks have independent directions.
    fn independent_blocks(
        &mut self,
        movers: &Movers,
        together: &[usize],
    ) -> Result<Vec<Block>, String> {
        let mut blocks = BTreeSet::new();
        for &i in together {
            blocks.extend(self.blocks_of(movers, i)?.iter().copied());
        }
        let blocks: Vec<Block> = blocks.into_iter().collect();
        let name = |i: &usize| format!("`{}`", self.model.coordinates[*i].0.text);
        let names: Vec<String> = together.iter().map(name).collect();
        let moved = self.moved(&blocks);
        if together.len() > MOST_SHARED {
            return Err(format!("{} together move {moved}", names.join(", ")));
        }
        let rank = |blocks: &[Block]| self.rank(movers, together, blocks);
        let apart: usize = blocks.iter().map(|&block| rank(&[block])).sum();
        if apart == together.len() && rank(&blocks) == together.len() {
            return Ok(blocks);
        }
        // The one that moves most is the one to speak of.
        let most = together.iter().max_by_key(|i| {
            (
                movers.by_coordinate.get(i).map_or(0, Vec::len),
                usize::MAX - **i,
            )
        });
        Err(match most {
            Some(i) if movers.by_coordinate[i].len() > 1 => {
                let moved = self.moved(&movers.by_coordinate[i]);
                format!("{} moves {moved}", name(i))
            }
            _ => format!(
                "{} move {moved} in fewer directions than they are",
                names.join(", ")
            ),
        })
    }

    /// In how many independent ways some coordinates move some blocks.
    fn rank(&self, movers: &Movers, together: &[usize], blocks: &[Block]) -> usize {
        let mut entries = Vec::new();
        for i in together {
            for block in blocks {
                let partials = &movers.partials[block];
                let own = partials.iter().find(|(j, _)| j == i);
                entries.extend(own.map_or(movers.zero, |(_, v)| *v));
            }
        }
        Sampling::of(&self.scope.graph, &entries).rank(together.len())
    }

    /// "both the velocity and the rotation of `rod`", "`P` and `Q`".
    fn moved(&self, blocks: &[Block]) -> String {
        let targets: BTreeSet<Target> = blocks.iter().map(|block| block.target).collect();
        let mut names: Vec<String> = targets
            .iter()
            .map(|target| format!("`{}`", target.name(self.model)))
            .collect();
        if let ([name], [block, rest @ ..]) = (names.as_slice(), blocks) {
            return match (block.turning, rest) {
                (_, [_, ..]) => format!("both the velocity and the rotation of {name}"),
                (true, []) => format!("the rotation of {name}"),
                (false, []) => name.clone(),
            };
        }
        if names.len() > 3 {
            let others = names.len() - 2;
            names.truncate(2);
            names.push(format!("{others} others"));
        }
        match names.split_last() {
            Some((last, first)) => format!("{} and {last}", first.join(", ")),
            None => "nothing".to_owned(),
        }
    }

    /// g = J (JᵀJ)⁻¹ ρ
    fn least(
        &mut self,
        movers: &Movers,
        together: &[usize],
        blocks: &[Block],
        wanted: &[ExprId],
        shares: &mut Shares,
    ) {
        let graph = &mut self.scope.graph;
        let zero = graph.zero3();
        let columns: Vec<Vec<Vector>> = blocks
            .iter()
            .map(|block| {
                let partials = &movers.partials[block];
                let column = |i: &usize| partials.iter().find(|(j, _)| j == i);
                let column = |i| column(i).map_or(zero, |(_, v)| *v);
                together.iter().map(column).collect()
            })
            .collect();
        let n = together.len();
        let mut gram = vec![vec![zero[0]; n]; n];
        for block in &columns {
            for a in 0..n {
                for b in 0..n {
                    let product = graph.dot3(block[a], block[b]);
                    gram[a][b] = graph.add(gram[a][b], product);
                }
            }
        }
        let factors = solve_symmetric(graph, &gram, wanted);
        for (&block, columns) in blocks.iter().zip(&columns) {
            let share = shares.entry(block).or_insert(zero);
            for (&factor, &column) in factors.iter().zip(columns) {
                let part = graph.scale3(factor, column);
                *share = graph.add3(*share, part);
            }
            let simple = simplify(graph, share);
            share.copy_from_slice(&simple);
        }
    }

    fn find_movers(&mut self) -> Movers {
        let mut movers = Movers {
            zero: self.graph().zero3(),
            partials: BTreeMap::new(),
            by_coordinate: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
            axes: [[false; 3]; 2],
        };
        let particles = (0..self.model.particles.len()).map(|i| (Target::Particle(i), false));
        let bodies = (0..self.model.bodies.len())
            .flat_map(|i| [(Target::Body(i), false), (Target::Body(i), true)]);
        for (target, turning) in particles.chain(bodies) {
            let block = Block { target, turning };
            let mut partials = self.partials_of(block);
            // What cancels in them was not seen to cancel.
            let components = components(&partials);
            let mut present = Sampling::of(&self.scope.graph, &components)
                .present()
                .into_iter();
            partials.retain(|_| present.next().unwrap_or(true));
            for &(i, _) in &partials {
                movers.by_coordinate.entry(i).or_default().push(block);
            }
            let moved = moved_axes(movers.zero[0], &partials);
            let axes = movers.axes[usize::from(turning)].iter_mut().zip(moved);
            axes.for_each(|(any, moved)| *any |= moved);
            movers.partials.insert(block, partials);
        }
        let known = self.model.particles.len() + self.model.bodies.len();
        for part in self.inertia.get(known..).unwrap_or_default() {
            for &(row, column, _) in &part.mass {
                movers.elsewhere.extend([row, column]);
            }
        }
        movers
    }
}

fn components(partials: &Partials) -> Vec<ExprId> {
    partials.iter().flat_map(|(_, vector)| *vector).collect()
}
