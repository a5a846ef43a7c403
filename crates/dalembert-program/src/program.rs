//! What [`compile`] makes: a tape that runs at once.

use crate::error::CompileError;
use crate::tape::{Tape, Workspace, compile_tape};
use dalembert_expr::{ExprId, Graph, SymbolId};

/// Expressions compiled to straight-line code.
///
/// Immutable once made, and shared freely between threads; each thread brings its own [`Workspace`].
#[derive(Clone, Debug)]
pub struct Program {
    tape: Tape,
}

/// Compiles `outputs` as functions of `inputs`, in time and memory linear in their nodes.
///
/// Inputs may be unused; outputs may repeat, and may be inputs or constants.
///
/// # Errors
/// If the outputs depend on a symbol that is not an input, or an input is given twice.
pub fn compile(
    graph: &Graph,
    inputs: &[SymbolId],
    outputs: &[ExprId],
) -> Result<Program, CompileError> {
    let tape = compile_tape(graph, inputs, outputs)?;
    Ok(Program { tape })
}

impl Program {
    /// Compiles to native code, which then runs instead of the tape. Returns whether it does: where
    /// this machine or this build has none, the tape goes on.
    pub fn make_native(&mut self) -> bool {
        false
    }

    /// Whether native code runs.
    #[must_use]
    pub fn is_native(&self) -> bool {
        false
    }

    /// The tape: the oracle for native code, and the source of C.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Number of inputs.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.tape.input_count()
    }

    /// Number of outputs.
    #[must_use]
    pub fn output_count(&self) -> usize {
        self.tape.output_count()
    }

    /// Number of instructions: the length of one evaluation.
    #[must_use]
    pub fn instruction_count(&self) -> usize {
        self.tape.instruction_count()
    }

    /// Room to evaluate this program in.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        self.tape.workspace()
    }

    /// Evaluates `L` states at once; `L` is 1, 4 or 8. See [`Tape::eval`].
    pub fn eval<const L: usize>(
        &self,
        workspace: &mut Workspace,
        inputs: &[f64],
        outputs: &mut [f64],
    ) {
        self.tape.eval::<L>(workspace, inputs, outputs);
    }

    /// Evaluates any number of states. See [`Tape::eval_batch`].
    pub fn eval_batch(
        &self,
        workspace: &mut Workspace,
        states: usize,
        inputs: &[f64],
        outputs: &mut [f64],
    ) {
        self.tape.eval_batch(workspace, states, inputs, outputs);
    }

    /// C source, see [`Tape::to_c`].
    #[must_use]
    pub fn to_c(&self, name: &str) -> String {
        self.tape.to_c(name)
    }
}
