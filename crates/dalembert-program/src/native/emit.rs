//! Writes chunks as functions of Cranelift's intermediate language.
//!
//! ```text
//! fn(inputs: *const f64, outputs: *mut f64, scratch: *mut f64, constants: *const f64)
//! ```
//!
//! A chunk is emitted for one state (numbers lie side by side), or for lanes: then each value is a row of
//! eight numbers, and a loop goes over pairs of lanes with vectors of two, the widest Cranelift has. Constants are stored twice in a row, so that both forms read them in place.
//!
//! What has a home is loaded where it is used, so that the load becomes part of the instruction that uses
//! it; if it was computed or loaded a few steps ago, it is taken from its register instead.

mod sines;

use super::functions;
use super::plan::{Home, NEAR, Plan, Stage, Step};
use crate::code::{Instruction, Op};
use crate::vectors::LANES;
use cranelift::codegen::ir::{Function, Inst, SigRef, StackSlot};
use cranelift::codegen::isa::TargetFrontendConfig;
use cranelift::prelude::{
    AbiParam, FloatCC, FunctionBuilder, FunctionBuilderContext, InstBuilder, IntCC, MemFlagsData,
    Signature, Type, Value, types,
};
pub(super) use sines::{MOST_ANGLES, NUMBERS};
use std::ops::Range;

/// Which form of the chunks is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One state.
    Single,
    /// Eight lanes, two at a time.
    Lanes,
}

impl Form {
    fn value_type(self) -> Type {
        match self {
            Self::Single => types::F64,
            Self::Lanes => types::F64X2,
        }
    }

    /// Numbers from one value to the next.
    pub(super) fn stride(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Lanes => LANES,
        }
    }
}

/// Bytes that a loop over pairs goes on by, and the distance of constants.
const PAIR: i32 = 16;

/// Adds the parameters of a chunk to a signature.
pub(super) fn set_parameters(signature: &mut Signature) {
    signature.params.clear();
    signature.params.resize(4, AbiParam::new(types::I64));
}

/// What is known about a value while a chunk is emitted.
#[derive(Clone, Copy)]
struct Known {
    /// The function this is about, as its first stage plus one; 0 is none.
    chunk: u32,
    /// When it was computed or loaded last.
    step: u32,
    value: Value,
    /// Whether it can be loaded again.
    at_home: bool,
}

/// Emits chunks of one plan, one after the other.
pub(super) struct Emitter<'a> {
    plan: &'a Plan,
    form: Form,
    target: TargetFrontendConfig,
    context: FunctionBuilderContext,
    known: Vec<Known>,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(plan: &'a Plan, form: Form, target: TargetFrontendConfig) -> Self {
        let nothing = Known {
            chunk: 0,
            step: 0,
            value: Value::from_u32(0),
            at_home: false,
        };
        Self {
            plan,
            form,
            target,
            context: FunctionBuilderContext::new(),
            known: vec![nothing; plan.homes.len()],
        }
    }

    /// Writes the stages of this range as the body of `function`, whose signature is set.
    pub(super) fn emit(&mut self, function: &mut Function, stages: Range<usize>) {
        let mut builder = FunctionBuilder::new(function, &mut self.context);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        builder.seal_block(entry);
        let &[inputs, outputs, scratch, constants] = builder.block_params(entry) else {
            unreachable!("chunks have four parameters")
        };
        let mut chunk = Chunk {
            plan: self.plan,
            form: self.form,
            known: &mut self.known,
            builder,
            bases: [inputs, outputs, scratch, constants],
            number: stages.start as u32 + 1,
            step: 0,
            signatures: [None, None],
            slot: None,
        };
        match self.form {
            Form::Single => chunk.stages(stages),
            Form::Lanes => chunk.lanes(stages),
        }
        chunk.builder.ins().return_(&[]);
        chunk.builder.finalize(self.target);
    }
}

/// A function being written.
struct Chunk<'a> {
    plan: &'a Plan,
    form: Form,
    known: &'a mut [Known],
    builder: FunctionBuilder<'a>,
    /// Inputs, outputs, scratch, constants.
    bases: [Value; 4],
    number: u32,
    step: u32,
    /// Of functions of one and of two numbers.
    signatures: [Option<SigRef>; 2],
    /// Where the rare way of sines saves what it needs.
    slot: Option<StackSlot>,
}

const FLAGS: MemFlagsData = MemFlagsData::new().with_notrap();

impl Chunk<'_> {
    /// The loop over pairs of lanes.
    fn lanes(&mut self, stages: Range<usize>) {
        let (body, exit) = (self.builder.create_block(), self.builder.create_block());
        let [inputs, outputs, scratch, _] = self.bases;
        for _ in 0..4 {
            self.builder.append_block_param(body, types::I64);
        }
        let pairs = self.builder.ins().iconst(types::I64, LANES as i64 / 2);
        let start = [inputs, outputs, scratch, pairs].map(Into::into);
        self.builder.ins().jump(body, &start);
        self.builder.switch_to_block(body);
        let mut current = [inputs; 4];
        current.copy_from_slice(self.builder.block_params(body));
        self.bases[..3].copy_from_slice(&current[..3]);
        self.stages(stages);
        let [inputs, outputs, scratch, left] = current;
        let next = [inputs, outputs, scratch]
            .map(|base| self.builder.ins().iadd_imm_s(base, i64::from(PAIR)));
        let left = self.builder.ins().iadd_imm_s(left, -1);
        let again = self.builder.ins().icmp_imm_s(IntCC::NotEqual, left, 0);
        let next = [next[0], next[1], next[2], left].map(Into::into);
        self.builder.ins().brif(again, body, &next, exit, &[]);
        self.builder.seal_block(body);
        self.builder.switch_to_block(exit);
        self.builder.seal_block(exit);
    }

    fn stages(&mut self, stages: Range<usize>) {
        let plan = self.plan;
        for stage in &plan.stages[stages] {
            match stage {
                Stage::Pass(pass) => self.sines(pass),
                Stage::Chunk(range) => self.steps(range.clone()),
            }
        }
    }

    fn steps(&mut self, range: Range<usize>) {
        for step in &self.plan.steps[range] {
            self.step += 1;
            match *step {
                Step::Compute(instruction) => self.compute(&instruction),
                Step::Output { value, output } => {
                    let x = self.read(value);
                    self.store(x, Home::Output(output));
                }
            }
        }
    }

    /// Base and offset of a home.
    fn address(&self, home: Home) -> Option<(Value, i32)> {
        let [inputs, outputs, scratch, constants] = self.bases;
        let row = 8 * self.form.stride() as i32;
        Some(match home {
            Home::Input(i) => (inputs, i as i32 * row),
            Home::Output(i) => (outputs, i as i32 * row),
            Home::Scratch(i) => (scratch, i as i32 * row),
            Home::Constant(i) => (constants, i as i32 * PAIR),
            Home::Nowhere => return None,
        })
    }

    fn store(&mut self, x: Value, home: Home) {
        if let Some((base, offset)) = self.address(home) {
            self.builder.ins().store(FLAGS, x, base, offset);
        }
    }

    /// The value in a register, or loaded from its home.
    fn read(&mut self, value: u32) -> Value {
        let known = self.known[value as usize];
        let here = known.chunk == self.number;
        if here && (!known.at_home || self.step - known.step <= NEAR as u32) {
            return known.value;
        }
        let Some((base, offset)) = self.address(self.plan.homes[value as usize]) else {
            unreachable!("a value without home is used where it is computed")
        };
        let ty = self.form.value_type();
        let x = self.builder.ins().load(ty, FLAGS, base, offset);
        self.learn(value, x, true);
        x
    }

    fn learn(&mut self, value: u32, x: Value, at_home: bool) {
        self.known[value as usize] = Known {
            chunk: self.number,
            step: self.step,
            value: x,
            at_home,
        };
    }

    fn compute(&mut self, instruction: &Instruction) {
        let x = self.result(instruction);
        let value = instruction.destination;
        let plan = self.plan;
        let home = plan.homes[value as usize];
        self.learn(value, x, home != Home::Nowhere);
        if let Home::Scratch(_) = home {
            self.store(x, home);
        }
        for output in plan.outputs_of(value) {
            self.store(x, Home::Output(output));
        }
    }

    fn result(&mut self, instruction: &Instruction) -> Value {
        let [a, b, c] = instruction.args;
        match instruction.op {
            Op::Above | Op::NotAbove => {
                let (x, y) = (self.read(a), self.read(b));
                let zero = self.number(0.0);
                let (above, elsewhere) = match instruction.op {
                    Op::Above => (y, zero),
                    _ => (zero, y),
                };
                let chosen = self.choose(FloatCC::GreaterThan, [x, zero], above, elsewhere);
                self.choose(FloatCC::Unordered, [x, x], x, chosen)
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Min | Op::Max => {
                let (x, y) = (self.read(a), self.read(b));
                self.binary(instruction.op, x, y)
            }
            Op::MulAdd | Op::MulSub | Op::SubMul => {
                let (x, y) = (self.read(a), self.read(b));
                let product = self.builder.ins().fmul(x, y);
                let z = self.read(c);
                match instruction.op {
                    Op::MulAdd => self.builder.ins().fadd(product, z),
                    Op::MulSub => self.builder.ins().fsub(product, z),
                    _ => self.builder.ins().fsub(z, product),
                }
            }
            Op::Neg | Op::Abs | Op::Sign | Op::Sqrt => {
                let x = self.read(a);
                self.unary(instruction.op, x)
            }
            Op::Function(function) => {
                let x = self.read(a);
                self.call(functions::unary(function), &[x])
            }
            Op::Function2(function) => {
                let (x, y) = (self.read(a), self.read(b));
                self.call(functions::binary(function), &[x, y])
            }
            Op::Table(table) => {
                let x = self.read(a);
                self.table(table, x)
            }
            Op::Sin | Op::Cos | Op::SinCos => unreachable!("sines are done in passes"),
        }
    }

    fn unary(&mut self, op: Op, x: Value) -> Value {
        match op {
            Op::Neg => self.builder.ins().fneg(x),
            Op::Abs => self.builder.ins().fabs(x),
            Op::Sqrt => self.builder.ins().sqrt(x),
            _ => {
                let [zero, one, minus] = [0.0, 1.0, -1.0].map(|number| self.number(number));
                let positive = self.choose(FloatCC::GreaterThan, [x, zero], one, x);
                self.choose(FloatCC::LessThan, [x, zero], minus, positive)
            }
        }
    }

    fn binary(&mut self, op: Op, x: Value, y: Value) -> Value {
        match op {
            Op::Add => self.builder.ins().fadd(x, y),
            Op::Sub => self.builder.ins().fsub(x, y),
            Op::Mul => self.builder.ins().fmul(x, y),
            Op::Div => self.builder.ins().fdiv(x, y),
            // A NaN on the left is handed on; one on the right fails the comparison, and is taken.
            _ => {
                let order = match op {
                    Op::Min => FloatCC::LessThan,
                    _ => FloatCC::GreaterThan,
                };
                let chosen = self.choose(order, [x, y], x, y);
                self.choose(FloatCC::Unordered, [x, x], x, chosen)
            }
        }
    }

    fn number(&mut self, x: f64) -> Value {
        let number = self.builder.ins().f64const(x);
        match self.form {
            Form::Single => number,
            Form::Lanes => self.builder.ins().splat(types::F64X2, number),
        }
    }

    /// `yes` where the condition holds, `no` elsewhere.
    fn choose(&mut self, condition: FloatCC, [x, y]: [Value; 2], yes: Value, no: Value) -> Value {
        let holds = self.builder.ins().fcmp(condition, x, y);
        match self.form {
            Form::Single => self.builder.ins().select(holds, yes, no),
            Form::Lanes => {
                let mask = self.builder.ins().bitcast(types::F64X2, LITTLE, holds);
                self.builder.ins().bitselect(mask, yes, no)
            }
        }
    }

    /// Calls the function made of a table.
    fn table(&mut self, table: u32, x: Value) -> Value {
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        let parameters = [types::F64, types::I64].map(AbiParam::new);
        signature.params.extend(parameters);
        signature.returns.push(AbiParam::new(types::F64));
        let signature = self.builder.import_signature(signature);
        let function = &raw const self.plan.tables[table as usize];
        let function = self.builder.ins().iconst(types::I64, function as i64);
        self.call_with(signature, functions::table(), &[x], Some(function))
    }

    /// Calls a function, lane by lane.
    fn call(&mut self, address: usize, arguments: &[Value]) -> Value {
        let signature = self.signature(arguments.len());
        self.call_with(signature, address, arguments, None)
    }

    /// The same with a last argument that all lanes share.
    fn call_with(
        &mut self,
        signature: SigRef,
        address: usize,
        arguments: &[Value],
        shared: Option<Value>,
    ) -> Value {
        let callee = self.builder.ins().iconst(types::I64, address as i64);
        let call = |chunk: &mut Self, arguments: &[Value]| -> Value {
            let arguments: Vec<Value> = arguments.iter().copied().chain(shared).collect();
            let call: Inst = chunk
                .builder
                .ins()
                .call_indirect(signature, callee, &arguments);
            chunk.builder.inst_results(call)[0]
        };
        if self.form == Form::Single {
            return call(self, arguments);
        }
        let [low, high] = [0u8, 1].map(|lane| {
            let lanes = arguments.iter();
            let lanes: Vec<Value> = lanes
                .map(|&x| self.builder.ins().extractlane(x, lane))
                .collect();
            call(self, &lanes)
        });
        let both = self.builder.ins().splat(types::F64X2, low);
        self.builder.ins().insertlane(both, high, 1u8)
    }

    fn signature(&mut self, arity: usize) -> SigRef {
        if let Some(signature) = self.signatures[arity - 1] {
            return signature;
        }
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        signature.params.resize(arity, AbiParam::new(types::F64));
        signature.returns.push(AbiParam::new(types::F64));
        let signature = self.builder.import_signature(signature);
        self.signatures[arity - 1] = Some(signature);
        signature
    }
}

/// Both lanes keep their places.
const LITTLE: MemFlagsData =
    MemFlagsData::new().with_endianness(cranelift::codegen::ir::Endianness::Little);
