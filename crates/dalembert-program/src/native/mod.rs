//! Native code: what the tape does, compiled by Cranelift for the processor at hand.
//!
//! [`plan`] puts the code in order and cuts it into chunks between passes of sines and cosines; [`emit`]
//! writes a chunk as a function; [`module`] compiles the functions and owns their memory. An evaluation
//! goes through the plan: for a pass, the sines of all its angles with the widest vectors of the
//! processor; for a chunk, a call.
//!
//! Numbers are those of the tape, bit for bit (but for the payload of a NaN): the same operations in an
//! order that keeps operands before users, products rounded before they are added, the same sine, the
//! same functions.

mod emit;
mod functions;
mod module;
mod plan;

use crate::code::Code;
use crate::level::Level;
use crate::tape::Workspace;
use emit::Form;
use module::{Action, Module};
use plan::{Home, Plan, Stage};
use std::sync::OnceLock;

/// Lanes of the form for many states.
const LANES: usize = 8;

/// Longest program that is compiled. Compile time is linear, some milliseconds for a thousand
/// instructions; but beyond this, seconds would pass, and code that no cache holds runs little faster than
/// the tape.
const LONGEST: usize = 300_000;

/// A program in native code.
pub(crate) struct Native {
    plan: Plan,
    level: Level,
    /// Each twice, for vectors of two.
    constants: Vec<f64>,
    single: Module,
    /// Compiled when first asked for; none if that fails.
    lanes: OnceLock<Option<Module>>,
    inputs: usize,
    outputs: usize,
    /// Numbers in a workspace: scratch memory, and rows of inputs and outputs.
    room: usize,
}

/// Which columns of `[value][state]` arrays an evaluation reads and writes.
#[derive(Clone, Copy)]
struct Block {
    first: usize,
    count: usize,
    stride: usize,
}

impl Native {
    /// Compiles code for one state at a time; nothing where that is not possible.
    pub(crate) fn new(code: &Code, inputs: usize, level: Level) -> Option<Self> {
        if code.instructions.len() > LONGEST {
            return None;
        }
        let plan = Plan::new(code);
        // Offsets in native code have 32 bits.
        let rows = [plan.cells, plan.constants.len(), inputs, code.outputs.len()];
        let most = rows.into_iter().max().unwrap_or(0);
        if i32::try_from(most * LANES * size_of::<f64>()).is_err() {
            return None;
        }
        Some(Self {
            level,
            constants: plan.constants.iter().flat_map(|&x| [x, x]).collect(),
            single: Module::new(&plan, Form::Single)?,
            lanes: OnceLock::new(),
            inputs,
            outputs: code.outputs.len(),
            room: (plan.cells + inputs + code.outputs.len()) * LANES,
            plan,
        })
    }

    /// Numbers in a workspace.
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Bytes of native code.
    pub(crate) fn size(&self) -> usize {
        let lanes = self.lanes.get().and_then(Option::as_ref);
        self.single.size + lanes.map_or(0, |module| module.size)
    }

    /// Evaluates `L` states in rows of `L`. Returns whether it did: lanes may not compile.
    #[inline]
    pub(crate) fn eval<const L: usize>(
        &self,
        workspace: &mut Workspace,
        inputs: &[f64],
        outputs: &mut [f64],
    ) -> bool {
        let numbers = workspace.numbers(self.room());
        if L == 1 {
            self.run::<1>(&self.single, inputs, outputs, numbers, 1);
            return true;
        }
        let Some(module) = self.lanes() else {
            return false;
        };
        if L == LANES {
            self.run::<LANES>(module, inputs, outputs, numbers, L);
        } else {
            let block = Block {
                first: 0,
                count: L,
                stride: L,
            };
            self.run_block(module, block, inputs, outputs, numbers);
        }
        true
    }

    /// Evaluates any number of states, side by side for each value. Returns whether it did.
    pub(crate) fn eval_batch(
        &self,
        workspace: &mut Workspace,
        states: usize,
        inputs: &[f64],
        outputs: &mut [f64],
    ) -> bool {
        let Some(module) = self.lanes() else {
            return false;
        };
        let numbers = workspace.numbers(self.room());
        for first in (0..states).step_by(LANES) {
            let block = Block {
                first,
                count: LANES.min(states - first),
                stride: states,
            };
            self.run_block(module, block, inputs, outputs, numbers);
        }
        true
    }

    fn lanes(&self) -> Option<&Module> {
        let compile = || Module::new(&self.plan, Form::Lanes);
        self.lanes.get_or_init(compile).as_ref()
    }

    /// Copies the states of a block to rows, and their results back.
    fn run_block(
        &self,
        module: &Module,
        block: Block,
        inputs: &[f64],
        outputs: &mut [f64],
        numbers: &mut [f64],
    ) {
        let (scratch, rows) = numbers.split_at_mut(self.plan.cells * LANES);
        let (rows_in, rows_out) = rows.split_at_mut(self.inputs * LANES);
        let Block {
            first,
            count,
            stride,
        } = block;
        for (value, row) in rows_in.chunks_exact_mut(LANES).enumerate() {
            let from = value * stride + first;
            // Anything in the other lanes, but not what is slow.
            row.fill(0.0);
            copy_row(&inputs[from..from + count], &mut row[..count]);
        }
        self.run::<LANES>(module, rows_in, rows_out, scratch, count);
        for (value, row) in rows_out.chunks_exact(LANES).take(self.outputs).enumerate() {
            let to = value * stride + first;
            copy_row(&row[..count], &mut outputs[to..to + count]);
        }
    }

    #[inline]
    #[expect(unsafe_code, reason = "calls native code")]
    fn run<const L: usize>(
        &self,
        module: &Module,
        inputs: &[f64],
        outputs: &mut [f64],
        scratch: &mut [f64],
        used: usize,
    ) {
        assert!(
            scratch.len() >= self.plan.cells * L,
            "too little scratch memory"
        );
        let pairs = used.div_ceil(2) as i64;
        for action in &module.actions {
            match *action {
                // SAFETY: the function reads and writes rows of L numbers, of which the slices hold as
                // many as it was compiled for: callers check inputs and outputs, scratch memory was
                // checked above, and `pairs` goes no further than a row. The module is borrowed, so the
                // function's memory is there.
                Action::Call(function) => unsafe {
                    function(
                        inputs.as_ptr(),
                        outputs.as_mut_ptr(),
                        scratch.as_mut_ptr(),
                        self.constants.as_ptr(),
                        pairs,
                    );
                },
                Action::Pass(stage) => self.pass::<L>(stage, inputs, scratch, used),
            }
        }
    }

    /// Sines and cosines of a pass. Not inlined: programs with few angles come without.
    #[inline(never)]
    fn pass<const L: usize>(&self, stage: usize, inputs: &[f64], scratch: &mut [f64], used: usize) {
        let Stage::Pass(pass) = &self.plan.stages[stage] else {
            return;
        };
        let length = pass.count * L;
        let (before, here) = scratch.split_at_mut(pass.first * L);
        let (angles, here) = here.split_at_mut(length);
        let (sines, cosines) = here[..2 * length].split_at_mut(length);
        if let Some(first) = pass.inputs {
            let first = first as usize * L;
            let angles = &inputs[first..first + length];
            return self.level.sin_cos(angles, sines, cosines);
        }
        for &(index, from) in &pass.gather {
            let to = index as usize * L;
            let (row, from) = match from {
                Home::Input(input) => (inputs, input as usize * L),
                Home::Scratch(cell) => (&*before, cell as usize * L),
                Home::Constant(_) | Home::Output(_) | Home::Nowhere => {
                    unreachable!("angles are inputs, sines or stored by a chunk")
                }
            };
            angles[to..to + L].copy_from_slice(&row[from..from + L]);
        }
        // Lanes without use hold anything; large numbers there would take the slow way.
        if used < L {
            for row in angles.chunks_exact_mut(L) {
                row[used..].fill(0.0);
            }
        }
        self.level.sin_cos(angles, sines, cosines);
    }
}

/// Copies a row. The usual lengths are known here, so that no function is called for a few numbers.
#[inline(always)]
fn copy_row(from: &[f64], to: &mut [f64]) {
    if let (Ok(from), Ok(to)) = (
        <&[f64; 8]>::try_from(from),
        <&mut [f64; 8]>::try_from(&mut *to),
    ) {
        *to = *from;
    } else if let (Ok(from), Ok(to)) = (
        <&[f64; 4]>::try_from(from),
        <&mut [f64; 4]>::try_from(&mut *to),
    ) {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Native({} bytes)", self.size())
    }
}
