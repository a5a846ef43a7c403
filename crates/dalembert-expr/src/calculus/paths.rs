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

    /// Places above `from` through which it acts on a row of at least `lowest_row`.
    fn find_users(&self, from: usize, lowest_row: u32, search: &mut Search) {
        let useful = |place: usize| self.last_row[place].is_some_and(|row| row >= lowest_row);
        search.run(from, useful, |place| {
            let users = &self.users[self.user_starts[place]..self.user_starts[place + 1]];
            users.iter().map(|&user| user as usize)
        });
    }

    /// Active places below `from`, itself included.
    fn find_operands(&self, graph: &Graph, from: usize, search: &mut Search) {
        let useful = |place: usize| self.active[place];
        search.run(from, useful, |place| {
            let node = graph.node(self.cone.nodes()[place]);
            node.operands().map(|operand| self.cone.place(operand))
        });
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
        let mut search = Search::new(self.cone.len());
        let visits = self.sources.iter().flatten().map(|&source| {
            self.find_users(source, 0, &mut search);
            search.found.len()
        });
        sum_within(visits, limit)
    }

    /// Nodes visited by all rows; stops counting above `limit`.
    fn reverse_visits(&self, graph: &Graph, limit: usize) -> usize {
        let mut search = Search::new(self.cone.len());
        let visits = self.outputs.iter().map(|&output| {
            self.find_operands(graph, self.cone.place(output), &mut search);
            search.found.len()
        });
        sum_within(visits, limit)
    }

    /// Row, column and value of the entries, one forward sweep a column; with `lower`, only those
    /// with row ≥ column.
    pub(super) fn forward_columns(
        &self,
        graph: &mut Graph,
        lower: bool,
    ) -> Vec<(usize, usize, ExprId)> {
        let mut triplets = Vec::new();
        let mut search = Search::new(self.cone.len());
        let mut tangents: Vec<Option<ExprId>> = vec![None; self.cone.len()];
        for (column, &source) in self.sources.iter().enumerate() {
            let Some(source) = source else { continue };
            let lowest_row = if lower { column as u32 } else { 0 };
            self.find_users(source, lowest_row, &mut search);
            search.found.sort_unstable();
            for &place in &search.found {
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
            search
                .found
                .iter()
                .for_each(|&place| tangents[place] = None);
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
        let mut search = Search::new(self.cone.len());
        let mut adjoints: Vec<Option<ExprId>> = vec![None; self.cone.len()];
        for (row, &output) in self.outputs.iter().enumerate() {
            let top = self.cone.place(output);
            self.find_operands(graph, top, &mut search);
            search.found.sort_unstable();
            adjoints[top] = Some(graph.integer(1));
            for &place in search.found.iter().rev() {
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

/// The sum of some counts, or of so many of them that it is above a limit.
fn sum_within(counts: impl Iterator<Item = usize>, limit: usize) -> usize {
    let mut sum = 0;
    for count in counts {
        sum += count;
        if sum > limit {
            break;
        }
    }
    sum
}

/// A search for the places that can be reached from one.
struct Search {
    found: Vec<usize>,
    /// By place: whether it was found; all false between two searches.
    marks: Vec<bool>,
}

impl Search {
    fn new(places: usize) -> Self {
        Self {
            found: Vec::new(),
            marks: vec![false; places],
        }
    }

    /// Finds the useful places that can be reached from `from` by steps to `next` ones, in no order.
    fn run<N: Iterator<Item = usize>>(
        &mut self,
        from: usize,
        useful: impl Fn(usize) -> bool,
        next: impl Fn(usize) -> N,
    ) {
        self.found.clear();
        if !useful(from) {
            return;
        }
        self.found.push(from);
        self.marks[from] = true;
        let mut at = 0;
        while let Some(&place) = self.found.get(at) {
            at += 1;
            for place in next(place) {
                if !self.marks[place] && useful(place) {
                    self.marks[place] = true;
                    self.found.push(place);
                }
            }
        }
        for &place in &self.found {
            self.marks[place] = false;
        }
    }
}
