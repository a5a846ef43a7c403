//! What [`compile`] makes: a tape that runs at once, and native code if it is asked for.

use crate::error::CompileError;
use crate::tape::{Tape, Workspace, compile_tape};
use dalembert_expr::{ExprId, Graph, SymbolId};
#[cfg(feature = "jit")]
use {
    crate::code::Code,
    crate::native::Native,
    std::sync::{Arc, OnceLock},
};

/// Evaluations after which native code pays: the tape has then cost about what compiling costs (4 µs an
/// instruction against the 2.6 ns it saves), so that nothing takes twice the least possible.
pub const NATIVE_AFTER: u64 = 1500;

/// Expressions compiled to straight-line code.
///
/// Immutable (native code changes no number), and shared freely between threads; each thread brings its own [`Workspace`].
/// Clones share native code, whose memory is freed with the last of them.
#[derive(Clone, Debug)]
pub struct Program {
    tape: Tape,
    /// What native code is made of.
    #[cfg(feature = "jit")]
    code: Arc<Code>,
    /// Empty until it is asked for; none where there cannot be any.
    #[cfg(feature = "jit")]
    native: OnceLock<Option<Arc<Native>>>,
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
    #[cfg_attr(
        not(feature = "jit"),
        expect(unused_variables, reason = "of use to native code")
    )]
    let (tape, code) = compile_tape(graph, inputs, outputs)?;
    Ok(Program {
        tape,
        #[cfg(feature = "jit")]
        code: Arc::new(code),
        #[cfg(feature = "jit")]
        native: OnceLock::new(),
    })
}

impl Program {
    /// Compiles to native code, which then runs instead of the tape. Returns whether it does: where this
    /// machine or this build has none, or the program is longer than 300 000 instructions, the tape
    /// goes on.
    ///
    /// This makes the code for one state at a time. That for lanes is made when lanes are first asked for,
    /// in about the same time. Numbers do not change, see the head of this crate.
    pub fn make_native(&self) -> bool {
        #[cfg(feature = "jit")]
        self.native.get_or_init(|| {
            Native::new(&self.code, self.input_count(), self.tape.vectors()).map(Arc::new)
        });
        self.is_native()
    }

    /// Whether native code runs.
    #[must_use]
    pub fn is_native(&self) -> bool {
        #[cfg(feature = "jit")]
        return self.native().is_some();
        #[cfg(not(feature = "jit"))]
        false
    }

    #[cfg(feature = "jit")]
    #[inline]
    fn native(&self) -> Option<&Native> {
        self.native.get()?.as_deref()
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
        #[cfg(feature = "jit")]
        if let Some(native) = self.native() {
            return Workspace::with_room(native.room());
        }
        self.tape.workspace()
    }

    /// Evaluates `L` states at once; `L` is 1 or 8. See [`Tape::eval`].
    ///
    /// Does not allocate if the workspace was made by this program as it is now, except that native code
    /// for lanes is compiled when they are first asked for.
    ///
    /// # Panics
    /// If the lengths are not `L` times [`Self::input_count`] and [`Self::output_count`].
    pub fn eval<const L: usize>(
        &self,
        workspace: &mut Workspace,
        inputs: &[f64],
        outputs: &mut [f64],
    ) {
        #[cfg(feature = "jit")]
        if let Some(native) = self.native() {
            self.tape.check_lengths(L, inputs, outputs);
            if native.eval::<L>(workspace, inputs, outputs) {
                return;
            }
        }
        self.tape.eval::<L>(workspace, inputs, outputs);
    }

    /// C source, see [`Tape::to_c`].
    #[must_use]
    pub fn to_c(&self, name: &str) -> String {
        self.tape.to_c(name)
    }
}
