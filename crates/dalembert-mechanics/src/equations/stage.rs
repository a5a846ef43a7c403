//! Elements: kernels shared by everything of the same form.
//!
//! A stage is a function from the inputs (coordinates, rates, time, parameters) to a flat vector. It is
//! a sum of elements; an element is a kernel with gather indices into the inputs and scatter indices
//! into the result. Elements whose expressions differ only in their symbols share one kernel, and
//! run through it eight at a time; all others are compiled together, so that they share work. Ten
//! thousand links cost one kernel and memory in proportion to their number.

use dalembert_expr::{ExprId, Graph, Node, SymbolId};
use dalembert_program::{Program, Workspace, compile};
use std::collections::BTreeMap;

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

/// A kernel with all elements that use it.
struct Kernel {
    program: Program,
    /// Inputs of each element, one after the other.
    gather: Vec<u32>,
    /// For each element and each output: how many targets, then the targets.
    scatter: Vec<Vec<(u32, u32)>>,
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
        let mut forms: BTreeMap<Vec<u32>, Vec<(usize, Vec<SymbolId>)>> = BTreeMap::new();
        for (index, element) in elements
            .iter()
            .enumerate()
            .filter(|(_, element)| !element.is_empty())
        {
            let (form, symbols) = form_of(graph, element);
            forms.entry(form).or_default().push((index, symbols));
        }
        let mut kernels = Vec::new();
        let mut rest: Vec<usize> = Vec::new();
        // In the order of the first element of each form.
        let mut shared: Vec<Vec<(usize, Vec<SymbolId>)>> = Vec::new();
        for members in forms.into_values() {
            if members.len() < SHARED_FROM {
                rest.extend(members.iter().map(|(index, _)| index));
            } else {
                shared.push(members);
            }
        }
        shared.sort_by_key(|members| members[0].0);
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
        let mut build = |symbols: &[SymbolId], values: &[ExprId], gather: Vec<u32>, scatter| {
            let program =
                compile(graph, symbols, values).expect("the inputs are the symbols that occur");
            kernels.push(Kernel {
                program,
                gather,
                scatter,
            });
        };
        if !rest.is_empty() {
            let together: Vec<Entry> = rest
                .iter()
                .flat_map(|&index| elements[index].clone())
                .collect();
            let (_, symbols) = form_of(graph, &together);
            let values: Vec<ExprId> = together.iter().map(|entry| entry.value).collect();
            let gather = symbols.iter().map(|&symbol| place(symbol)).collect();
            build(&symbols, &values, gather, vec![targets(&together)]);
        }
        for members in shared {
            let (first, symbols) = &members[0];
            let values: Vec<ExprId> = elements[*first].iter().map(|entry| entry.value).collect();
            let gather = members
                .iter()
                .flat_map(|(_, symbols)| symbols.iter().map(|&s| place(s)))
                .collect();
            let scatter = members
                .iter()
                .map(|&(index, _)| targets(&elements[index]))
                .collect();
            build(symbols, &values, gather, scatter);
        }
        Self { kernels, size }
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
            self.kernels
                .iter()
                .map(|kernel| 8 * count(&kernel.program))
                .max()
                .unwrap_or(0)
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

    /// Evaluates at one state, with the buffers of this stage, without allocating.
    pub fn eval(&self, scratch: &mut Scratch, inputs: &[f64], result: &mut [f64]) {
        result.fill(0.0);
        let Scratch {
            workspaces,
            inputs: gathered,
            outputs,
        } = scratch;
        for (kernel, workspace) in self.kernels.iter().zip(workspaces) {
            let mut buffers = Buffers {
                workspace,
                gathered,
                outputs,
            };
            let count = kernel.scatter.len();
            let mut next = 0;
            while next < count {
                let lanes = match count - next {
                    8.. => 8,
                    4..8 => 4,
                    _ => 1,
                };
                match lanes {
                    8 => kernel.block::<8>(next, &mut buffers, inputs, result),
                    4 => kernel.block::<4>(next, &mut buffers, inputs, result),
                    _ => kernel.block::<1>(next, &mut buffers, inputs, result),
                }
                next += lanes;
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
    /// Elements `first` to `first + L` as lanes.
    fn block<const L: usize>(
        &self,
        first: usize,
        buffers: &mut Buffers<'_>,
        inputs: &[f64],
        result: &mut [f64],
    ) {
        let (wide, long) = (self.program.input_count(), self.program.output_count());
        let Buffers {
            workspace,
            gathered,
            outputs,
        } = buffers;
        for lane in 0..L {
            let from = &self.gather[(first + lane) * wide..(first + lane + 1) * wide];
            for (i, &place) in from.iter().enumerate() {
                gathered[i * L + lane] = inputs[place as usize];
            }
        }
        self.program
            .eval::<L>(workspace, &gathered[..wide * L], &mut outputs[..long * L]);
        for lane in 0..L {
            for &(output, target) in &self.scatter[first + lane] {
                result[target as usize] += outputs[output as usize * L + lane];
            }
        }
    }
}

fn targets(element: &[Entry]) -> Vec<(u32, u32)> {
    let pairs = |(output, entry): (usize, &Entry)| {
        let output = output as u32;
        entry
            .targets
            .iter()
            .map(move |&target| (output, target as u32))
            .collect::<Vec<_>>()
    };
    element.iter().enumerate().flat_map(pairs).collect()
}

/// The form of an element, the same for elements that differ only in their symbols, and its symbols
/// in the order of the form.
fn form_of(graph: &Graph, element: &[Entry]) -> (Vec<u32>, Vec<SymbolId>) {
    let mut form = Vec::new();
    let mut symbols: Vec<SymbolId> = Vec::new();
    let mut symbol_number: BTreeMap<SymbolId, u32> = BTreeMap::new();
    let mut numbers: BTreeMap<ExprId, u32> = BTreeMap::new();
    for entry in element {
        let mut pending = vec![entry.value];
        while let Some(&id) = pending.last() {
            if numbers.contains_key(&id) {
                pending.pop();
                continue;
            }
            let node = graph.node(id);
            let waiting = pending.len();
            let missing = |operand: &ExprId| !numbers.contains_key(operand);
            pending.extend(node.operands().filter(missing));
            if pending.len() > waiting {
                // The first operand first, whatever its number.
                pending[waiting..].reverse();
                continue;
            }
            pending.pop();
            match node {
                Node::Number(n) => form.extend([1, n.index() as u32]),
                Node::Pi => form.push(2),
                Node::Symbol(symbol) => {
                    let next = symbols.len() as u32;
                    let number = *symbol_number.entry(symbol).or_insert_with(|| {
                        symbols.push(symbol);
                        next
                    });
                    form.extend([3, number]);
                }
                Node::Unary(op, a) => form.extend([16 + op as u32, numbers[&a]]),
                Node::Binary(op, a, b) => form.extend([64 + op as u32, numbers[&a], numbers[&b]]),
            }
            numbers.insert(id, numbers.len() as u32);
        }
        // Where an output ends, and which node it is.
        form.extend([4, numbers[&entry.value]]);
    }
    (form, symbols)
}
