//! Elements: kernels shared by everything of the same form.
//!
//! A stage is a function from the inputs (coordinates, rates, time, parameters) to a flat vector. It is
//! a sum of elements; an element is a kernel with gather indices into the inputs and scatter indices
//! into the result. Elements whose expressions differ only in their symbols share one kernel, and
//! run through it eight at a time; all others are compiled together, so that they share work. Ten
//! thousand links cost one kernel and memory in proportion to their number.
//!
//! Indices lie in the order they are used in, group by group. The last group of eight is filled up with
//! repetitions of its last element, whose results go nowhere.

use dalembert_expr::{ExprId, Graph, Node, Numbering, SymbolId};
use dalembert_program::{LANES, NATIVE_AFTER, Program, Workspace, compile};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Fewer elements of one form than this are compiled with the rest.
const SHARED_FROM: usize = 8;

/// One value of an element and the places it is added to.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The value.
    pub value: ExprId,
    /// Places in the result.
    pub targets: Vec<usize>,
}

/// A kernel with all elements that use it, in groups: of eight, or of one if it is the only one.
struct Kernel {
    program: Program,
    /// How often it was run, by all together: a hint, not a count.
    runs: AtomicU64,
    lanes: usize,
    /// For each group the places of its inputs, lanes side by side.
    gather: Vec<u32>,
    /// If the kernel reads inputs that follow one another: the first of them.
    in_place: Option<usize>,
    /// Where a number of a group's results goes: its own place, and that in the result of the stage.
    scatter: Vec<(u32, u32)>,
    /// Where the scatter indices of each group end.
    ends: Vec<usize>,
}

/// A function from inputs to a flat vector, as a sum of elements.
pub struct Stage {
    kernels: Vec<Kernel>,
    size: usize,
}

/// Buffers of a stage, reused from call to call.
pub struct Scratch {
    /// One for each kernel, whose constants then stay in place.
    workspaces: Vec<Workspace>,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
}

impl Stage {
    /// Compiles elements. `input_of` gives the place of a symbol among the inputs.
    ///
    /// # Panics
    /// If an expression holds a symbol that is not an input: lowering lets none through.
    #[must_use]
    pub fn new(
        graph: &Graph,
        elements: &[Vec<Entry>],
        size: usize,
        input_of: impl Fn(SymbolId) -> Option<usize>,
    ) -> Self {
        let mut reader = FormReader::new(graph);
        let mut forms: BTreeMap<Vec<u32>, Vec<Member>> = BTreeMap::new();
        for (index, element) in elements.iter().enumerate() {
            if !element.is_empty() {
                let (form, symbols) = reader.form_of(element);
                let member = Member { index, symbols };
                forms.entry(form).or_default().push(member);
            }
        }
        let mut rest: Vec<usize> = Vec::new();
        let mut shared: Vec<Vec<Member>> = Vec::new();
        for members in forms.into_values() {
            if members.len() < SHARED_FROM {
                rest.extend(members.iter().map(|member| member.index));
            } else {
                shared.push(members);
            }
        }
        // In the order of the first element of each form.
        shared.sort_by_key(|members| members[0].index);
        rest.sort_unstable();
        let place = |symbol: SymbolId| {
            let place = input_of(symbol).unwrap_or_else(|| {
                panic!(
                    "`{}` is not an input of the equations",
                    graph.symbol_data(symbol)
                )
            });
            place as u32
        };
        let program = |symbols: &[SymbolId], element: &[Entry]| {
            let values: Vec<ExprId> = element.iter().map(|entry| entry.value).collect();
            compile(graph, symbols, &values).expect("the inputs are the symbols that occur")
        };
        let mut kernels = Vec::new();
        if !rest.is_empty() {
            let together: Vec<Entry> = rest
                .iter()
                .flat_map(|&index| elements[index].clone())
                .collect();
            let (_, mut symbols) = reader.form_of(&together);
            symbols.sort_by_key(|&symbol| place(symbol));
            let places: Vec<u32> = symbols.iter().map(|&symbol| place(symbol)).collect();
            let mut kernel = Kernel::new(program(&symbols, &together), 1);
            kernel.add_group(&[(&places, &together)]);
            kernels.push(kernel);
        }
        for members in &shared {
            let first = &members[0];
            let mut kernel = Kernel::new(program(&first.symbols, &elements[first.index]), LANES);
            for group in members.chunks(LANES) {
                let places: Vec<Vec<u32>> = group
                    .iter()
                    .map(|member| member.symbols.iter().map(|&s| place(s)).collect())
                    .collect();
                let group: Vec<(&[u32], &[Entry])> = places
                    .iter()
                    .zip(group)
                    .map(|(places, member)| (places.as_slice(), elements[member.index].as_slice()))
                    .collect();
                kernel.add_group(&group);
            }
            kernels.push(kernel);
        }
        Self { kernels, size }
    }

    /// Compiles all kernels to native code. Returns whether all of them are: the others stay on the
    /// tape. Numbers do not change.
    pub fn make_native(&self) -> bool {
        let mut all = true;
        for kernel in &self.kernels {
            all &= kernel.program.make_native();
        }
        all
    }

    /// Length of the result.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Number of operations of all kernels, each counted once.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.kernels
            .iter()
            .map(|kernel| kernel.program.instruction_count())
            .sum()
    }

    /// Buffers for [`Self::eval`].
    #[must_use]
    pub fn scratch(&self) -> Scratch {
        let longest = |count: fn(&Program) -> usize| {
            let lengths = self.kernels.iter();
            let lengths = lengths.map(|kernel| kernel.lanes * count(&kernel.program));
            lengths.max().unwrap_or(0)
        };
        Scratch {
            workspaces: self
                .kernels
                .iter()
                .map(|kernel| kernel.program.workspace())
                .collect(),
            inputs: vec![0.0; longest(Program::input_count)],
            outputs: vec![0.0; longest(Program::output_count)],
        }
    }

    /// Evaluates at one state, with the buffers of this stage, without allocating, but for native code
    /// once a kernel has run [`NATIVE_AFTER`] times.
    pub fn eval(&self, scratch: &mut Scratch, inputs: &[f64], result: &mut [f64]) {
        result.fill(0.0);
        let Scratch {
            workspaces,
            inputs: gathered,
            outputs,
        } = scratch;
        for (kernel, workspace) in self.kernels.iter().zip(workspaces) {
            kernel.count_runs();
            let buffers = Buffers {
                workspace,
                gathered: &mut gathered[..kernel.lanes * kernel.program.input_count()],
                outputs: &mut outputs[..kernel.lanes * kernel.program.output_count()],
            };
            if kernel.lanes == 1 {
                kernel.eval::<1>(buffers, inputs, result);
            } else {
                kernel.eval::<LANES>(buffers, inputs, result);
            }
        }
    }
}

/// The buffers of one kernel.
struct Buffers<'a> {
    workspace: &'a mut Workspace,
    gathered: &'a mut [f64],
    outputs: &'a mut [f64],
}

impl Kernel {
    /// A kernel without elements.
    fn new(program: Program, lanes: usize) -> Self {
        Self {
            program,
            runs: AtomicU64::new(0),
            lanes,
            gather: Vec::new(),
            in_place: None,
            scatter: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds elements, each with the places of its inputs: as many as there are lanes, or fewer.
    fn add_group(&mut self, elements: &[(&[u32], &[Entry])]) {
        for input in 0..self.program.input_count() {
            for lane in 0..self.lanes {
                let (places, _) = elements[lane.min(elements.len() - 1)];
                self.gather.push(places[input]);
            }
        }
        for (lane, (_, element)) in elements.iter().enumerate() {
            for (output, entry) in element.iter().enumerate() {
                let from = (output * self.lanes + lane) as u32;
                let targets = entry.targets.iter();
                self.scatter
                    .extend(targets.map(|&target| (from, target as u32)));
            }
        }
        self.ends.push(self.scatter.len());
        let follow = |places: &[u32]| places.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if self.lanes == 1 && follow(&self.gather) {
            self.in_place = self.gather.first().map(|&first| first as usize);
        }
    }

    /// Compiles to native code when it is time.
    fn count_runs(&self) {
        // Not added in one step, which would cost as much as a small kernel: a run lost is no harm.
        let before = self.runs.load(Ordering::Relaxed);
        let now = before + self.ends.len() as u64;
        self.runs.store(now, Ordering::Relaxed);
        if before < NATIVE_AFTER && now >= NATIVE_AFTER {
            self.program.make_native();
        }
    }

    /// Adds the results of all groups.
    fn eval<const L: usize>(&self, buffers: Buffers<'_>, inputs: &[f64], result: &mut [f64]) {
        let Buffers {
            workspace,
            gathered,
            outputs,
        } = buffers;
        let mut start = 0;
        for (group, &end) in self.ends.iter().enumerate() {
            if let Some(first) = self.in_place {
                let inputs = &inputs[first..first + gathered.len()];
                self.program.eval::<L>(workspace, inputs, outputs);
            } else {
                let places = &self.gather[group * gathered.len()..][..gathered.len()];
                for (number, &place) in gathered.iter_mut().zip(places) {
                    *number = inputs[place as usize];
                }
                self.program.eval::<L>(workspace, gathered, outputs);
            }
            for &(from, to) in &self.scatter[start..end] {
                result[to as usize] += outputs[from as usize];
            }
            start = end;
        }
    }
}

/// An element of some form.
struct Member {
    index: usize,
    /// In the order of the form.
    symbols: Vec<SymbolId>,
}

/// Reads the forms of elements, one after the other.
struct FormReader<'g> {
    graph: &'g Graph,
    /// Nodes of the element, by numbers in it.
    nodes: Numbering,
    /// How many elements have been read.
    turn: u32,
    /// By symbol: its number in the element of a turn.
    symbols: Vec<(u32, u32)>,
    pending: Vec<ExprId>,
}

impl<'g> FormReader<'g> {
    fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            turn: 0,
            nodes: Numbering::default(),
            symbols: vec![(0, 0); graph.symbol_count()],
            pending: Vec::new(),
        }
    }

    /// The form of an element, the same for elements that differ only in their symbols, and its symbols
    /// in the order of the form.
    fn form_of(&mut self, element: &[Entry]) -> (Vec<u32>, Vec<SymbolId>) {
        self.turn += 1;
        self.nodes.clear();
        let mut form = Vec::new();
        let mut symbols: Vec<SymbolId> = Vec::new();
        for entry in element {
            self.pending.push(entry.value);
            while let Some(&id) = self.pending.last() {
                if self.nodes.get(id).is_some() {
                    self.pending.pop();
                    continue;
                }
                let node = self.graph.node(id);
                let operands = match node {
                    Node::Binary(_, a, b) => [Some(a), Some(b)],
                    Node::Unary(_, a) | Node::Table(_, a) => [Some(a), None],
                    Node::Number(_) | Node::Pi | Node::Symbol(_) => [None; 2],
                };
                let (mut numbers, mut waits) = ([0; 2], false);
                // The first operand first, whatever its number.
                for place in [1, 0] {
                    let Some(operand) = operands[place] else {
                        continue;
                    };
                    match self.nodes.get(operand) {
                        Some(number) => numbers[place] = number,
                        None => {
                            self.pending.push(operand);
                            waits = true;
                        }
                    }
                }
                if waits {
                    continue;
                }
                self.pending.pop();
                let [first, second] = numbers;
                match node {
                    Node::Number(n) => form.extend([1, n.index() as u32]),
                    Node::Pi => form.push(2),
                    Node::Symbol(symbol) => {
                        let known = &mut self.symbols[symbol.index()];
                        if known.0 != self.turn {
                            *known = (self.turn, symbols.len() as u32);
                            symbols.push(symbol);
                        }
                        form.extend([3, known.1]);
                    }
                    Node::Table(table, _) => form.extend([5, table.index() as u32, first]),
                    Node::Unary(op, _) => form.extend([16 + op as u32, first]),
                    Node::Binary(op, ..) => form.extend([64 + op as u32, first, second]),
                }
                self.nodes.insert(id);
            }
            // Where an output ends, and which node it is.
            let value = self.nodes.get(entry.value);
            form.extend([4, value.expect("it was just read")]);
        }
        (form, symbols)
    }
}
