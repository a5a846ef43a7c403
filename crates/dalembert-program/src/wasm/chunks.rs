//! The steps of a tape, cut into functions.

use super::{Body, CHUNK, COSINE, SINE, SINE_COSINE, binary, cell, unary};
use crate::code::{Instruction, Op, number};
use crate::tape::Tape;
use dalembert_expr::Binary;

/// What a slot holds.
#[derive(Clone, Copy)]
enum Held {
    Constant(f64),
    Input(u32),
    /// The result of an instruction.
    Result,
}

/// Functions of the steps of a tape, to be called one after the other. Slots are kept from an address on; the first function of a
/// table has a number.
pub(super) fn chunks(tape: &Tape, slots: u32, tables: u32) -> Vec<Body> {
    let steps = tape.instructions.len() + tape.outputs.len();
    let mut held = vec![Held::Constant(0.0); tape.slot_count];
    for (held, &x) in held.iter_mut().zip(&tape.constants) {
        *held = Held::Constant(x);
    }
    for &(slot, input) in &tape.loads {
        held[slot as usize] = Held::Input(input);
    }
    let mut writer = Writer {
        body: Body::new(2),
        held,
        known: vec![None; tape.slot_count],
        outlives: outliving(tape),
        definitions: 0,
        slots,
        tables,
    };
    let mut bodies = Vec::with_capacity(steps.div_ceil(CHUNK));
    for step in 0..steps {
        if step > 0 && step % CHUNK == 0 {
            bodies.push(writer.next());
        }
        match tape.instructions.get(step) {
            Some(instruction) => writer.compute(instruction),
            None => {
                let output = step - tape.instructions.len();
                writer.output(number(output), tape.outputs[output]);
            }
        }
    }
    bodies.push(writer.next());
    bodies
}

/// Whether each result is read in a later chunk than that which computes it.
fn outliving(tape: &Tape) -> Vec<bool> {
    let mut outlives = Vec::with_capacity(tape.instructions.len());
    // The number of the definition in each slot, and its chunk.
    let mut defined = vec![None::<(usize, usize)>; tape.slot_count];
    let read = |outlives: &mut Vec<bool>, held: Option<(usize, usize)>, chunk: usize| {
        if let Some((definition, made)) = held {
            outlives[definition] |= made < chunk;
        }
    };
    for (step, instruction) in tape.instructions.iter().enumerate() {
        for &slot in instruction.arguments() {
            read(&mut outlives, defined[slot as usize], step / CHUNK);
        }
        for slot in instruction.results() {
            defined[slot as usize] = Some((outlives.len(), step / CHUNK));
            outlives.push(false);
        }
    }
    for (output, &slot) in tape.outputs.iter().enumerate() {
        let step = tape.instructions.len() + output;
        read(&mut outlives, defined[slot as usize], step / CHUNK);
    }
    outlives
}

struct Writer {
    body: Body,
    held: Vec<Held>,
    /// The local of this chunk that has the value of a slot.
    known: Vec<Option<u32>>,
    outlives: Vec<bool>,
    /// Results so far.
    definitions: usize,
    slots: u32,
    tables: u32,
}

impl Writer {
    /// Ends a chunk and begins the next.
    fn next(&mut self) -> Body {
        self.known.fill(None);
        std::mem::replace(&mut self.body, Body::new(2))
    }

    /// Puts the value of a slot on the stack.
    fn read(&mut self, slot: u32) {
        let at = slot as usize;
        if let Some(local) = self.known[at] {
            self.body.code().local_get(local);
            return;
        }
        let (mut base, offset) = (None, 8 * slot);
        let offset = match self.held[at] {
            Held::Constant(x) => {
                self.body.code().f64_const(x.into());
                return;
            }
            Held::Input(input) => {
                base = Some(0);
                8 * input
            }
            Held::Result => self.slots + offset,
        };
        let local = self.body.local();
        self.known[at] = Some(local);
        let mut code = self.body.code();
        match base {
            Some(parameter) => code.local_get(parameter),
            None => code.i32_const(0),
        };
        code.f64_load(cell(offset)).local_tee(local);
    }

    fn output(&mut self, output: u32, slot: u32) {
        self.body.code().local_get(1);
        self.read(slot);
        self.body.code().f64_store(cell(8 * output));
    }

    /// Takes the value of a slot from the stack.
    fn define(&mut self, slot: u32) {
        let local = self.body.local();
        self.body.code().local_set(local);
        self.known[slot as usize] = Some(local);
        self.held[slot as usize] = Held::Result;
    }

    /// Keeps what outlives the chunk; in the order of definitions.
    fn keep(&mut self, slot: u32) {
        if std::mem::replace(&mut self.outlives[self.definitions], false) {
            self.body.code().i32_const(0);
            self.read(slot);
            let to = cell(self.slots + 8 * slot);
            self.body.code().f64_store(to);
        }
        self.definitions += 1;
    }

    fn compute(&mut self, instruction: &Instruction) {
        let [a, b, c] = instruction.args;
        match instruction.op {
            Op::Add | Op::Sub | Op::Mul | Op::Div => {
                self.read(a);
                self.read(b);
                self.arithmetic(instruction.op);
            }
            Op::MulAdd | Op::MulSub => {
                self.read(a);
                self.read(b);
                self.body.code().f64_mul();
                self.read(c);
                let sum = match instruction.op {
                    Op::MulAdd => Op::Add,
                    _ => Op::Sub,
                };
                self.arithmetic(sum);
            }
            Op::SubMul => {
                self.read(c);
                self.read(a);
                self.read(b);
                self.body.code().f64_mul().f64_sub();
            }
            Op::Neg | Op::Abs | Op::Sqrt => {
                self.read(a);
                let mut code = self.body.code();
                match instruction.op {
                    Op::Neg => code.f64_neg(),
                    Op::Abs => code.f64_abs(),
                    _ => code.f64_sqrt(),
                };
            }
            Op::Sign => self.sign(a),
            Op::Min | Op::Max => self.extreme(instruction.op, [a, b]),
            Op::Above | Op::NotAbove => self.counting(instruction.op, [a, b]),
            Op::Sin => self.call(SINE, &[a]),
            Op::Cos => self.call(COSINE, &[a]),
            Op::SinCos => {
                self.call(SINE_COSINE, &[a]);
                self.define(b);
            }
            Op::Function(function) => self.call(unary(function), &[a]),
            Op::Function2(Binary::Atan2) => {
                // Adding 0 turns −0 into 0, as the operation table does.
                self.read(a);
                self.body.code().f64_const(0.0.into()).f64_add();
                self.call(binary(Binary::Atan2), &[b]);
            }
            Op::Function2(function) => self.call(binary(function), &[a, b]),
            Op::Table(table) => self.call(self.tables + table, &[a]),
        }
        self.define(instruction.destination);
        for slot in instruction.results() {
            self.keep(slot);
        }
    }

    fn arithmetic(&mut self, op: Op) {
        let mut code = self.body.code();
        match op {
            Op::Add => code.f64_add(),
            Op::Sub => code.f64_sub(),
            Op::Mul => code.f64_mul(),
            _ => code.f64_div(),
        };
    }

    fn call(&mut self, function: u32, arguments: &[u32]) {
        for &slot in arguments {
            self.read(slot);
        }
        self.body.code().call(function);
    }

    /// Whether the value of a slot is not a number, as an integer.
    fn is_nan(&mut self, slot: u32) {
        self.read(slot);
        self.read(slot);
        self.body.code().f64_ne();
    }

    fn sign(&mut self, x: u32) {
        self.body
            .code()
            .f64_const((-1.0).into())
            .f64_const(1.0.into());
        self.read(x);
        self.read(x);
        self.body.code().f64_const(0.0.into()).f64_gt().select();
        self.read(x);
        self.body.code().f64_const(0.0.into()).f64_lt().select();
    }

    /// A NaN on the left is handed on; one on the right fails the comparison, and is taken.
    fn extreme(&mut self, op: Op, [x, y]: [u32; 2]) {
        for slot in [x, y, x, y] {
            self.read(slot);
        }
        let mut code = self.body.code();
        match op {
            Op::Min => code.f64_lt(),
            _ => code.f64_gt(),
        };
        self.is_nan(x);
        self.body.code().i32_or().select();
    }

    /// What counts where x is above zero, and elsewhere.
    fn counting(&mut self, op: Op, [x, y]: [u32; 2]) {
        self.read(x);
        if op == Op::Above {
            self.read(y);
            self.body.code().f64_const(0.0.into());
        } else {
            self.body.code().f64_const(0.0.into());
            self.read(y);
        }
        self.read(x);
        self.body.code().f64_const(0.0.into()).f64_gt().select();
        self.is_nan(x);
        self.body.code().select();
    }
}
