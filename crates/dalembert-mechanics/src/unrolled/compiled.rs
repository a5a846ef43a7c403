//! What programs of a system are built on, and a program with its buffers.

use super::{UNIT, constants};
use crate::Mechanism;
use crate::state::State;
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};
use dalembert_program::{NATIVE_AFTER, Program, Workspace, compile};
use std::time::Instant;

/// The mechanism and the state it starts at, which gives what is chosen once.
#[derive(Clone, Copy)]
pub(super) struct Ground<'m> {
    pub(super) mechanism: &'m Mechanism,
    pub(super) state: &'m State,
    /// Whether other values of the parameters may be set later.
    pub(super) adjustable: bool,
}

impl Ground<'_> {
    /// The graph to build in, and an expression worth one that is no literal.
    pub(super) fn graph(&self) -> (Graph, ExprId) {
        let mut g = self.mechanism.system.graph.clone();
        let unit = g.symbol(UNIT, SymbolKind::Parameter);
        (g, unit)
    }

    /// The value of a time, coordinate or parameter at the start; one for the unit.
    pub(super) fn value_of(&self, symbol: SymbolId) -> f64 {
        let symbols = &self.mechanism.system.symbols;
        let find = |list: &[SymbolId]| list.iter().position(|&s| s == symbol);
        if symbol == symbols.time {
            self.state.t
        } else if let Some(i) = find(&symbols.coordinates) {
            self.state.coordinates[i]
        } else {
            find(&symbols.parameters).map_or(1.0, |i| self.mechanism.parameters[i])
        }
    }

    /// Compiles outputs as functions of what varies; `None` if that takes more than `most` operations.
    pub(super) fn compile(
        &self,
        g: &mut Graph,
        varying: &[SymbolId],
        outputs: &[ExprId],
        most: usize,
    ) -> Option<Compiled> {
        let hoisted = constants::hoist(
            g,
            outputs,
            |symbol| varying.contains(&symbol),
            |symbol| self.value_of(symbol),
        );
        let symbols = [varying, &hoisted.inputs].concat();
        let program = compile(g, &symbols, &hoisted.outputs).ok()?;
        if program.instruction_count() > most {
            return None;
        }
        let constants = match self.adjustable {
            true => Some(Constants::new(g, self.mechanism, &hoisted.parts)?),
            false => None,
        };
        let mut inputs = vec![0.0; varying.len()];
        inputs.extend(hoisted.values);
        Some(Compiled {
            constants,
            workspace: program.workspace(),
            inputs,
            outputs: vec![0.0; outputs.len()],
            program,
            evaluations: 0,
            is_known: false,
            native_s: 0.0,
        })
    }
}

/// What only parameters determine, as a program of these.
struct Constants {
    program: Program,
    workspace: Workspace,
    /// The parameters, then one.
    inputs: Vec<f64>,
    values: Vec<f64>,
}

impl Constants {
    fn new(g: &mut Graph, mechanism: &Mechanism, parts: &[ExprId]) -> Option<Self> {
        let unit = g.symbol(UNIT, SymbolKind::Parameter);
        let mut symbols = mechanism.system.symbols.parameters.clone();
        symbols.push(g.as_symbol(unit)?);
        let program = compile(g, &symbols, parts).ok()?;
        Some(Self {
            workspace: program.workspace(),
            inputs: vec![1.0; symbols.len()],
            values: vec![0.0; parts.len()],
            program,
        })
    }

    fn at(&mut self, parameters: &[f64]) -> &[f64] {
        self.inputs[..parameters.len()].copy_from_slice(parameters);
        self.program
            .eval::<1>(&mut self.workspace, &self.inputs, &mut self.values);
        &self.values
    }
}

/// A program with its buffers and its last result.
pub(super) struct Compiled {
    constants: Option<Constants>,
    pub(super) program: Program,
    workspace: Workspace,
    /// q, v, t, what else varies, then what only parameters determine.
    pub(super) inputs: Vec<f64>,
    pub(super) outputs: Vec<f64>,
    evaluations: u64,
    /// Whether the outputs are those of the inputs.
    is_known: bool,
    pub(super) native_s: f64,
}

impl Compiled {
    /// What makes its last inputs of the parameters and a one, where other values may be set later.
    pub(super) fn constants_program(&self) -> Option<&Program> {
        self.constants.as_ref().map(|it| &it.program)
    }

    /// Evaluates at a state, without allocating (but for native code, once).
    pub(super) fn evaluate(&mut self, n: usize, (t, q, v): (f64, &[f64], &[f64])) {
        self.inputs[..n].copy_from_slice(q);
        self.inputs[n..2 * n].copy_from_slice(v);
        self.inputs[2 * n] = t;
        self.evaluations += 1;
        self.is_known = true;
        if self.evaluations == NATIVE_AFTER {
            self.make_native();
        }
        self.program
            .eval::<1>(&mut self.workspace, &self.inputs, &mut self.outputs);
    }

    /// Whether it was last evaluated at this state.
    #[expect(clippy::float_cmp, reason = "the same bits, or not the same state")]
    pub(super) fn is_at(&self, n: usize, (t, q, v): (f64, &[f64], &[f64])) -> bool {
        self.is_known
            && self.inputs[2 * n] == t
            && self.inputs[..n] == *q
            && self.inputs[n..2 * n] == *v
    }

    /// Goes on with other values of the parameters; false if that was not foreseen.
    pub(super) fn set_parameters(&mut self, parameters: &[f64]) -> bool {
        let Some(constants) = &mut self.constants else {
            return false;
        };
        let values = constants.at(parameters);
        let first = self.inputs.len() - values.len();
        self.inputs[first..].copy_from_slice(values);
        self.forget();
        true
    }

    /// Forgets the state it was last evaluated at.
    pub(super) fn forget(&mut self) {
        self.outputs.fill(f64::NAN);
        self.is_known = false;
    }

    /// Makes native code if there is none yet.
    pub(super) fn make_native(&mut self) {
        if !self.program.is_native() {
            let began = Instant::now();
            self.program.make_native();
            self.native_s += began.elapsed().as_secs_f64();
        }
    }
}
