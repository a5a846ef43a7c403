//! Native functions and the memory they are in, which is freed with them.

use super::emit::{Emitter, Form, set_parameters};
use super::plan::{Group, Plan};
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::prelude::{Configurable, settings};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module as _, ModuleResult, default_libcall_names};
use std::sync::{LazyLock, Mutex};

/// A chunk: inputs, outputs, scratch memory, constants.
pub(super) type Function = unsafe extern "C" fn(*const f64, *mut f64, *mut f64, *const f64);

/// What an evaluation does, one after the other.
pub(super) enum Action {
    Call(Function),
    /// The sines of the pass that is this stage of the plan.
    Pass(usize),
}

/// The chunks of a plan in one form.
pub(super) struct Module {
    /// In the order of the plan.
    pub(super) actions: Vec<Action>,
    /// Owns the memory of the functions. The lock is never waited for: it only makes this type `Sync`.
    code: Mutex<Option<JITModule>>,
}

/// The processor of this machine with all it can do; none where Cranelift does not know it.
static PROCESSOR: LazyLock<Option<OwnedTargetIsa>> = LazyLock::new(|| {
    let mut flags = settings::builder();
    for (name, value) in [
        // Nothing is left to share or to fold, and the order is chosen: `speed` would compile twice as
        // long, and its own order makes the code a fifth slower.
        ("opt_level", "none"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_probestack", "false"),
        ("unwind_info", "false"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
    ] {
        flags.set(name, value).ok()?;
    }
    let builder = cranelift_native::builder().ok()?;
    builder.finish(settings::Flags::new(flags)).ok()
});

impl Module {
    /// Compiles all chunks; nothing if Cranelift cannot.
    pub(super) fn new(plan: &Plan, form: Form) -> Option<Self> {
        let processor = PROCESSOR.as_ref()?;
        if processor.pointer_bits() != 64 {
            return None;
        }
        let builder = JITBuilder::with_isa(processor.clone(), default_libcall_names());
        let mut module = Self {
            actions: Vec::new(),
            code: Mutex::new(None),
        };
        // In its place before anything is compiled, so that it is freed whatever happens.
        let mut code = JITModule::new(builder);
        let compiled = module.compile(&mut code, plan, form);
        module.code = Mutex::new(Some(code));
        compiled.ok().map(|()| module)
    }

    #[expect(unsafe_code, reason = "addresses become functions")]
    fn compile(&mut self, code: &mut JITModule, plan: &Plan, form: Form) -> ModuleResult<()> {
        let mut emitter = Emitter::new(plan, form, code.target_config());
        let mut context = code.make_context();
        let mut ids = Vec::new();
        let groups = plan.groups(form);
        for group in &groups {
            let Group::Function(stages) = group else {
                continue;
            };
            set_parameters(&mut context.func.signature);
            emitter.emit(&mut context.func, stages.clone());
            let id = code.declare_anonymous_function(&context.func.signature)?;
            code.define_function(id, &mut context)?;
            ids.push(id);
            code.clear_context(&mut context);
        }
        code.finalize_definitions()?;
        let function = |id| {
            let address = code.get_finalized_function(id);
            // SAFETY: the function was emitted with the parameters of this type, in the C convention.
            unsafe { std::mem::transmute::<*const u8, Function>(address) }
        };
        let mut functions = ids.into_iter().map(function);
        let action = |group: &Group| match *group {
            Group::Pass(stage) => Some(Action::Pass(stage)),
            Group::Function(_) => functions.next().map(Action::Call),
        };
        self.actions = groups.iter().filter_map(action).collect();
        Ok(())
    }
}

impl Drop for Module {
    #[expect(unsafe_code, reason = "native code is freed")]
    fn drop(&mut self) {
        let code = match self.code.get_mut() {
            Ok(code) => code.take(),
            Err(poisoned) => poisoned.into_inner().take(),
        };
        if let Some(code) = code {
            // SAFETY: functions are only called through this value, which ends here.
            unsafe { code.free_memory() };
        }
    }
}
