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
use crate::tape::Workspace;
use crate::vectors::LANES;
use crate::vectors::Vectors;
use emit::Form;
use module::{Action, Module};
use plan::{Home, Plan, Stage};
use std::sync::OnceLock;

/// Longest program that is compiled. Compile time is linear, some milliseconds for a thousand
/// instructions; but beyond this, seconds would pass, and code that no cache holds runs little faster than
/// the tape.
const LONGEST: usize = 300_000;

/// A program in native code.
pub(crate) struct Native {
    plan: Plan,
    vectors: Vectors,
    /// Each twice, for vectors of two.
    constants: Vec<f64>,
    single: Module,
    /// Compiled when first asked for; none if that fails.
    lanes: OnceLock<Option<Module>>,
}

impl Native {
    /// Compiles code for one state at a time; nothing where that is not possible.
    pub(crate) fn new(code: &Code, inputs: usize, vectors: Vectors) -> Option<Self> {
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
            vectors,
            constants: plan.constants.iter().flat_map(|&x| [x, x]).collect(),
            single: Module::new(&plan, Form::Single)?,
            lanes: OnceLock::new(),
            plan,
        })
    }

    /// Numbers in a workspace.
    pub(crate) fn room(&self) -> usize {
        self.plan.cells * LANES
    }

    /// Evaluates `L` states in rows of `L`. Returns whether it did: lanes may not compile.
    #[inline]
    pub(crate) fn eval<const L: usize>(
        &self,
        workspace: &mut Workspace,
        inputs: &[f64],
        outputs: &mut [f64],
    ) -> bool {
        const { assert!(L == 1 || L == LANES, "rows of one or of all lanes") };
        let module = match L {
            1 => Some(&self.single),
            _ => self.lanes(),
        };
        let scratch = workspace.numbers(self.room());
        module.is_some_and(|module| {
            self.run::<L>(module, inputs, outputs, scratch);
            true
        })
    }

    fn lanes(&self) -> Option<&Module> {
        let compile = || Module::new(&self.plan, Form::Lanes);
        self.lanes.get_or_init(compile).as_ref()
    }

    #[inline]
    #[expect(unsafe_code, reason = "calls native code")]
    fn run<const L: usize>(
        &self,
        module: &Module,
        inputs: &[f64],
        outputs: &mut [f64],
        scratch: &mut [f64],
    ) {
        assert!(
            scratch.len() >= self.plan.cells * L,
            "too little scratch memory"
        );
        for action in &module.actions {
            match *action {
                // SAFETY: the function reads and writes rows of L numbers, of which the slices hold as
                // many as it was compiled for: callers check inputs and outputs, and scratch memory was
                // checked above. The module is borrowed, so the function's memory is there.
                Action::Call(function) => unsafe {
                    function(
                        inputs.as_ptr(),
                        outputs.as_mut_ptr(),
                        scratch.as_mut_ptr(),
                        self.constants.as_ptr(),
                    );
                },
                Action::Pass(stage) => self.pass::<L>(stage, inputs, scratch),
            }
        }
    }

    /// Sines and cosines of a pass. Not inlined: programs with few angles come without.
    #[inline(never)]
    fn pass<const L: usize>(&self, stage: usize, inputs: &[f64], scratch: &mut [f64]) {
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
            return self.vectors.sin_cos(angles, sines, cosines);
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
        self.vectors.sin_cos(angles, sines, cosines);
    }
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Native")
    }
}
