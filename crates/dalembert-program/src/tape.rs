//! The compiled program, and the room it needs to run.

use crate::allocate::{Allocation, allocate};
use crate::code::{Code, Instruction, number};
use crate::error::CompileError;
use crate::fuse::fuse;
use crate::lower::lower;
use crate::schedule::schedule;
use crate::vectors::{LANES, Vectors};
use dalembert_expr::table::TableFunction;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers in a cache line; rows of 8 lanes start on one.
const LINE: usize = 8;

/// Expressions compiled to straight-line code, run by an interpreter.
///
/// Immutable, and shared freely between threads; each thread brings its own [`Workspace`].
#[derive(Clone, Debug)]
pub struct Tape {
    /// Tells workspaces prepared for this tape from others; clones are the same program.
    id: u64,
    vectors: Vectors,
    pub(crate) input_names: Vec<String>,
    /// All slots in here and below are less than `slot_count`.
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) constants: Vec<f64>,
    pub(crate) loads: Vec<(u32, u32)>,
    pub(crate) outputs: Vec<u32>,
    pub(crate) slot_count: usize,
    pub(crate) tables: Arc<[TableFunction]>,
}

/// The tape of [`compile`](crate::compile), and the code in which each value is defined once.
pub(crate) fn compile_tape(
    graph: &Graph,
    inputs: &[SymbolId],
    outputs: &[ExprId],
) -> Result<(Tape, Code), CompileError> {
    const NONE: u32 = u32::MAX;
    let name = |symbol: SymbolId| graph.symbol_data(symbol).to_string();
    let mut input_of = vec![NONE; graph.symbol_count()];
    let mut duplicates = Vec::new();
    for (index, &symbol) in inputs.iter().enumerate() {
        if input_of[symbol.index()] == NONE {
            input_of[symbol.index()] = number(index);
        } else {
            duplicates.push(name(symbol));
        }
    }
    if !duplicates.is_empty() {
        return Err(CompileError::DuplicateInputs { names: duplicates });
    }
    let cone = Cone::new(graph, outputs);
    let mut symbols = cone.symbols(graph);
    symbols.retain(|symbol| input_of[symbol.index()] == NONE);
    if !symbols.is_empty() {
        let names = symbols.into_iter().map(name).collect();
        return Err(CompileError::MissingInputs { names });
    }

    let mut code = lower(graph, &cone, &input_of, outputs);
    fuse(&mut code);
    let mut scheduled = code.clone();
    schedule(&mut scheduled);
    let Allocation {
        instructions,
        constants,
        loads,
        outputs,
        slot_count,
    } = allocate(&scheduled);
    static NEXT_ID: AtomicU64 = AtomicU64::new(0);
    let tape = Tape {
        id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        vectors: Vectors::best(),
        input_names: inputs.iter().map(|&symbol| name(symbol)).collect(),
        instructions,
        constants,
        loads,
        outputs,
        slot_count: slot_count as usize,
        tables: Arc::clone(&code.tables),
    };
    Ok((tape, code))
}

impl Tape {
    /// Number of inputs.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.input_names.len()
    }

    /// Number of outputs.
    #[must_use]
    pub fn output_count(&self) -> usize {
        self.outputs.len()
    }

    /// Names of the inputs, primes included.
    #[must_use]
    pub fn input_names(&self) -> &[String] {
        &self.input_names
    }

    /// Number of instructions: the length of one evaluation.
    #[must_use]
    pub fn instruction_count(&self) -> usize {
        self.instructions.len()
    }

    /// Number of slots: the working set of one evaluation is this times 8 bytes times the lanes.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slot_count
    }

    /// The same program run with other vector instructions; for tests and measurements.
    #[must_use]
    pub fn with_vectors(mut self, vectors: Vectors) -> Self {
        self.vectors = vectors;
        self
    }

    /// Room to evaluate this tape in.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        Workspace::with_room(self.room())
    }

    /// Evaluates `L` states at once; `L` is 1 or 8.
    ///
    /// `inputs` is `[input][lane]` and `outputs` is `[output][lane]`: input i of lane l is at `i * L + l`.
    /// Does not allocate if the workspace is this tape's, or that of a tape with as many slots.
    ///
    /// # Panics
    /// If the lengths are not `L` times [`Self::input_count`] and [`Self::output_count`].
    pub fn eval<const L: usize>(
        &self,
        workspace: &mut Workspace,
        inputs: &[f64],
        outputs: &mut [f64],
    ) {
        const { assert!(L == 1 || L == LANES, "1 or 8 lanes") };
        self.check_lengths(L, inputs, outputs);
        let slots = workspace.prepare::<L>(self);
        for &(slot, input) in &self.loads {
            slots[slot as usize].copy_from_slice(&inputs[row::<L>(input as usize)]);
        }
        self.vectors.run(&self.instructions, &self.tables, slots);
        for (output, &slot) in self.outputs.iter().enumerate() {
            outputs[row::<L>(output)].copy_from_slice(&slots[slot as usize]);
        }
    }

    #[inline]
    pub(crate) fn check_lengths(&self, lanes: usize, inputs: &[f64], outputs: &[f64]) {
        check_length("inputs", inputs.len(), lanes * self.input_count());
        check_length("outputs", outputs.len(), lanes * self.output_count());
    }

    /// Numbers in a workspace: all slots with most lanes.
    fn room(&self) -> usize {
        self.slot_count * LANES
    }

    /// The vector instructions it is run with.
    #[cfg(feature = "jit")]
    pub(crate) fn vectors(&self) -> Vectors {
        self.vectors
    }
}

/// Where the lanes of a value stand.
#[inline(always)]
fn row<const L: usize>(value: usize) -> std::ops::Range<usize> {
    value * L..(value + 1) * L
}

/// By hand, for `assert_eq!` would keep both numbers in memory on the way that small programs hurry along.
#[inline]
fn check_length(what: &str, length: usize, expected: usize) {
    #[cold]
    #[inline(never)]
    fn fail(what: &str, length: usize, expected: usize) -> ! {
        panic!("length of {what}: {length}, expected {expected}")
    }
    if length != expected {
        fail(what, length, expected);
    }
}

/// Scratch memory of evaluations, reusable. Results never depend on what it was used for before.
///
/// A workspace fits the tape that made it. It may serve other tapes too; then it grows if it must, and
/// constants are filled in anew whenever tape or number of lanes change.
pub struct Workspace {
    cells: Vec<f64>,
    /// Tape and lanes whose constants are in place.
    prepared: Option<(u64, usize)>,
}

impl Workspace {
    /// Room for `count` numbers.
    pub(crate) fn with_room(count: usize) -> Self {
        Self {
            cells: vec![0.0; count + LINE],
            prepared: None,
        }
    }

    /// Out of line, for it happens once.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        *self = Self::with_room(count);
    }

    /// `count` numbers that start on a cache line, whatever is in them. Constants of tapes are gone.
    #[cfg(feature = "jit")]
    #[inline]
    pub(crate) fn numbers(&mut self, count: usize) -> &mut [f64] {
        if self.cells.len() < count + LINE {
            self.grow(count);
        }
        self.prepared = None;
        let skip = self.cells.as_ptr().align_offset(LINE * size_of::<f64>());
        &mut self.cells[skip.min(LINE)..][..count]
    }

    /// The slots as rows `[value][lane]`, constants in place.
    fn prepare<const L: usize>(&mut self, tape: &Tape) -> &mut [[f64; L]] {
        if self.cells.len() < tape.room() + LINE {
            self.grow(tape.room());
        }
        // A row of 8 lanes that straddled two cache lines would cost two accesses. The numbers of a
        // vector stay where they are as long as it is not cloned or resized, so this does not move.
        let skip = self.cells.as_ptr().align_offset(LINE * size_of::<f64>());
        let (rows, _) = self.cells[skip.min(LINE)..].as_chunks_mut::<L>();
        let rows = &mut rows[..tape.slot_count];
        if self.prepared != Some((tape.id, L)) {
            for (row, &x) in rows.iter_mut().zip(&tape.constants) {
                *row = [x; L];
            }
            self.prepared = Some((tape.id, L));
        }
        rows
    }
}
