//! The nodes between some symbols and some outputs, and derivative sweeps along them.

use super::reverse::{active_nodes, spread};
use super::rules::tangent;
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, SymbolId};

/// The nodes between symbols and outputs, linked both ways.
pub(super) struct Paths<'a> {
    cone: Cone,
    outputs: &'a [ExprId],
    active: Vec<bool>,
    /// Place of each column's symbol in the cone.
    sources: Vec<Option<usize>>,
    /// Users of the node at each place, compressed: `users[starts[place]..starts[place + 1]]`.
    user_starts: Vec<usize>,
    users: Vec<u32>,
    /// Outputs at each place, linked: the first at `first_row[place]`, the next at `next_row[row]`.
    first_row: Vec<Option<u32>>,
    next_row: Vec<Option<u32>>,
    /// Largest row that depends on the node at each place.
    last_row: Vec<Option<u32>>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(graph: &Graph, outputs: &'a [ExprId], symbols: &[SymbolId]) -> Self {
        let cone = Cone::new(graph, outputs);
        let active = active_nodes(graph, &cone, symbols);
        let sources = symbols
            .iter()
            .map(|&symbol| cone.position(graph.symbol_node(symbol)))
            .collect();

        let mut user_starts = vec![0usize; cone.len() + 1];
        for (place, &id) in cone.nodes().iter().enumerate() {
            if active[place] {
                graph
                    .node(id)
                    .operands()
                    .for_each(|operand| user_starts[cone.place(operand) + 1] += 1);
            }
        }
        for place in 0..cone.len() {
            user_starts[place + 1] += user_starts[place];
        }
        let mut filled = user_starts.clone();
        let mut users = vec![0u32; user_starts[cone.len()]];
        for (place, &id) in cone.nodes().iter().enumerate() {
            if active[place] {
                for operand in graph.node(id).operands() {
                    let slot = &mut filled[cone.place(operand)];
                    users[*slot] = place as u32;
                    *slot += 1;
                }
            }
        }

        let mut first_row = vec![None; cone.len()];
        let mut next_row = vec![None; outputs.len()];
        let mut last_row: Vec<Option<u32>> = vec![None; cone.len()];
        for (row, &output) in outputs.iter().enumerate() {
            let place = cone.place(output);
            next_row[row] = first_row[place].replace(row as u32);
            last_row[place] = Some(row as u32);
        }
        for place in (0..cone.len()).rev() {
            let users = &users[user_starts[place]..user_starts[place + 1]];
            let through = users
                .iter()
                .filter_map(|&user| last_row[user as usize])
                .max();
            last_row[place] = last_row[place].max(through);
        }
        Self {
            cone,
            outputs,
            active,
            sources,
            user_starts,
            users,
            first_row,
            next_row,
            last_row,
        }
    }

    /// Places above `from` through which it acts on a row of at least `lowest_row`, unsorted.
    fn collect_users(
        &self,
        from: usize,
        lowest_row: u32,
        marks: &mut [bool],
        found: &mut Vec<usize>,
    ) {
        let useful = |place: usize| self.last_row[place].is_some_and(|row| row >= lowest_row);
        if !useful(from) {
            return;
        }
        let start = found.len();
        found.push(from);
        marks[from] = true;
        let mut next = start;
        while next < found.len() {
            let place = found[next];
            next += 1;
            for &user in &self.users[self.user_starts[place]..self.user_starts[place + 1]] {
                let user = user as usize;
                if !marks[user] && useful(user) {
                    marks[user] = true;
                    found.push(user);
                }
            }
        }
        found[start..]
            .iter()
            .for_each(|&place| marks[place] = false);
    }

    /// Active places below `from`, itself included, unsorted.
    fn collect_operands(
        &self,
        graph: &Graph,
        from: usize,
        marks: &mut [bool],
        found: &mut Vec<usize>,
    ) {
        if !self.active[from] {
            return;
        }
        let start = found.len();
        found.push(from);
        marks[from] = true;
        let mut next = start;
        while next < found.len() {
            let id = self.cone.nodes()[found[next]];
            next += 1;
            for operand in graph.node(id).operands() {
                let place = self.cone.place(operand);
                if !marks[place] && self.active[place] {
                    marks[place] = true;
                    found.push(place);
                }
            }
        }
        found[start..]
            .iter()
            .for_each(|&place| marks[place] = false);
    }

    /// Whether sweeping by columns visits fewer nodes than sweeping by rows. The side with fewer
    /// sweeps is counted first and bounds the count of the other.
    pub(super) fn is_forward_cheaper(&self, graph: &Graph) -> bool {
        if self.sources.len() <= self.outputs.len() {
            let forward = self.forward_visits(usize::MAX);
            forward <= self.reverse_visits(graph, forward)
        } else {
            let reverse = self.reverse_visits(graph, usize::MAX);
            self.forward_visits(reverse) <= reverse
        }
    }

    /// Nodes visited by all columns; stops counting above `limit`.
    fn forward_visits(&self, limit: usize) -> usize {
        let (mut marks, mut found, mut visits) = (vec![false; self.cone.len()], Vec::new(), 0);
        for &source in self.sources.iter().flatten() {
            found.clear();
            self.collect_users(source, 0, &mut marks, &mut found);
            visits += found.len();
            if visits > limit {
                break;
            }
        }
        visits
    }

    /// Nodes visited by all rows; stops counting above `limit`.
    fn reverse_visits(&self, graph: &Graph, limit: usize) -> usize {
        let (mut marks, mut found, mut visits) = (vec![false; self.cone.len()], Vec::new(), 0);
        for &output in self.outputs {
            found.clear();
            self.collect_operands(graph, self.cone.place(output), &mut marks, &mut found);
            visits += found.len();
            if visits > limit {
                break;
            }
        }
        visits
    }

    /// Row, column and value of the entries, one forward sweep a column; with `lower`, only those
    /// with row ≥ column.
    pub(super) fn forward_columns(
        &self,
        graph: &mut Graph,
        lower: bool,
    ) -> Vec<(usize, usize, ExprId)> {
        let mut triplets = Vec::new();
        let (mut marks, mut found) = (vec![false; self.cone.len()], Vec::new());
        let mut tangents: Vec<Option<ExprId>> = vec![None; self.cone.len()];
        for (column, &source) in self.sources.iter().enumerate() {
            let Some(source) = source else { continue };
            let lowest_row = if lower { column as u32 } else { 0 };
            found.clear();
            self.collect_users(source, lowest_row, &mut marks, &mut found);
            found.sort_unstable();
            for &place in &found {
                let id = self.cone.nodes()[place];
                let derivative = if place == source {
                    Some(graph.integer(1))
                } else {
                    let node = graph.node(id);
                    let mut operands = node
                        .operands()
                        .map(|operand| tangents[self.cone.place(operand)]);
                    let (da, db) = (operands.next().flatten(), operands.next().flatten());
                    tangent(graph, id, node, da, db)
                };
                tangents[place] = derivative;
                let Some(value) = derivative else { continue };
                let mut row = self.first_row[place];
                while let Some(at) = row {
                    if at >= lowest_row {
                        triplets.push((at as usize, column, value));
                    }
                    row = self.next_row[at as usize];
                }
            }
            found.iter().for_each(|&place| tangents[place] = None);
        }
        triplets
    }

    /// Row, column and value of the entries, one reverse sweep a row.
    pub(super) fn reverse_rows(&self, graph: &mut Graph) -> Vec<(usize, usize, ExprId)> {
        // Columns at each place: usually one, several if a symbol is listed twice.
        let mut columns: Vec<(usize, usize)> = self
            .sources
            .iter()
            .enumerate()
            .filter_map(|(column, &place)| Some((place?, column)))
            .collect();
        columns.sort_unstable();
        let mut triplets = Vec::new();
        let (mut marks, mut found) = (vec![false; self.cone.len()], Vec::new());
        let mut adjoints: Vec<Option<ExprId>> = vec![None; self.cone.len()];
        for (row, &output) in self.outputs.iter().enumerate() {
            found.clear();
            let top = self.cone.place(output);
            self.collect_operands(graph, top, &mut marks, &mut found);
            found.sort_unstable();
            adjoints[top] = Some(graph.integer(1));
            for &place in found.iter().rev() {
                let Some(adjoint) = adjoints[place].take() else {
                    continue;
                };
                let id = self.cone.nodes()[place];
                spread(graph, &self.cone, &self.active, id, adjoint, &mut adjoints);
                let first = columns.partition_point(|&(at, _)| at < place);
                for &(_, column) in columns[first..].iter().take_while(|&&(at, _)| at == place) {
                    triplets.push((row, column, adjoint));
                }
            }
            adjoints[top] = None;
        }
        triplets
    }
}
