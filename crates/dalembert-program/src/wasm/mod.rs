//! Programs as one WebAssembly module, for browsers and whatever else runs it.
//!
//! ```text
//! imports   Math.sin, Math.exp, …: JavaScript's own object has them all by these names
//! exports   memory
//!           free            the first byte that the module does not use, a multiple of 8
//!           NAME(in, out)   for each program: addresses of its inputs and of room for its outputs
//! ```
//!
//! * Numbers are those of the tape, bit for bit (but for the payload of a NaN), unless functions are imported: these are the engine's, good
//!   to some units in the last place.
//! * A program is cut into functions of at most [`CHUNK`] steps: engines compile long functions in more than linear time, and refuse
//!   very long ones. A value that outlives its chunk passes through memory, in the cell of its slot.
//! * Memory holds the numbers of tables, then one row of slots that all programs share: only one runs at a time.

mod chunks;
mod sines;
mod tables;

use crate::code::number;
use crate::tape::Tape;
use dalembert_expr::{Binary, Unary};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, GlobalType, ImportSection, InstructionSink, MemArg,
    MemArgTarget, MemorySection, MemoryType, Module, TypeSection, ValType,
};

/// Most steps of a function.
const CHUNK: usize = 256;
const PAGE: u32 = 1 << 16;

/// What is imported, by its name in JavaScript's `Math`.
const IMPORTED: [&str; 13] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "pow",
    "atan2",
];
/// The number of those that take one argument.
const OF_ONE: usize = 11;

/// Types of functions, by their number in the module.
const ONE: u32 = 0;
const TWO: u32 = 1;
const PAIR: u32 = 2;
const RUN: u32 = 3;

/// Functions that every module has behind the imported ones, by their number.
const SINE_COSINE: u32 = IMPORTED.len() as u32;
const SINE: u32 = SINE_COSINE + 1;
const COSINE: u32 = SINE_COSINE + 2;
const POWER: u32 = SINE_COSINE + 3;

/// The bytes of a module with a function for each program.
///
/// Inputs and outputs of a call must not overlap.
#[must_use]
pub fn to_wasm(programs: &[(&str, &Tape)]) -> Vec<u8> {
    let mut functions = Functions::default();
    functions.add(PAIR, sines::pair());
    functions.add(ONE, sines::one(false));
    functions.add(ONE, sines::one(true));
    functions.add(TWO, power());

    let mut data = tables::Data::default();
    let mut first_table = Vec::with_capacity(programs.len());
    for (_, tape) in programs {
        first_table.push(functions.next());
        for table in tape.tables.iter() {
            functions.add(ONE, tables::function(table, &mut data));
        }
    }
    let slots = data.end();
    let most = programs.iter().map(|(_, tape)| tape.slot_count).max();
    let free = slots + 8 * number(most.unwrap_or(0));

    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("free", ExportKind::Global, 0);
    for ((name, tape), &tables) in programs.iter().zip(&first_table) {
        let chunks = chunks::chunks(tape, slots, tables);
        let mut whole = Body::new(2);
        for chunk in chunks {
            let callee = functions.add(RUN, chunk);
            whole.code().local_get(0).local_get(1).call(callee);
        }
        let entry = functions.add(RUN, whole);
        exports.export(name, ExportKind::Func, entry);
    }
    module(&functions, &exports, &data, free)
}

fn module(
    functions: &Functions,
    exports: &ExportSection,
    data: &tables::Data,
    free: u32,
) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([ValType::F64], [ValType::F64]);
    types.ty().function([ValType::F64; 2], [ValType::F64]);
    types.ty().function([ValType::F64], [ValType::F64; 2]);
    types.ty().function([ValType::I32; 2], []);
    let mut imports = ImportSection::new();
    for (index, name) in IMPORTED.iter().enumerate() {
        let of = if index < OF_ONE { ONE } else { TWO };
        imports.import("Math", name, EntityType::Function(of));
    }
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: u64::from(free.div_ceil(PAGE).max(1)),
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let constant = GlobalType {
        val_type: ValType::I32,
        mutable: false,
        shared: false,
    };
    globals.global(constant, &ConstExpr::i32_const(free.cast_signed()));
    let mut segments = DataSection::new();
    segments.active(0, &ConstExpr::i32_const(0), data.bytes());
    let mut module = Module::new();
    module
        .section(&types)
        .section(&imports)
        .section(&functions.types)
        .section(&memories)
        .section(&globals)
        .section(exports)
        .section(&functions.code)
        .section(&segments);
    module.finish()
}

/// The functions of a module, without the imported ones.
#[derive(Default)]
struct Functions {
    types: FunctionSection,
    code: CodeSection,
}

impl Functions {
    /// The number of the function that is added next.
    fn next(&self) -> u32 {
        number(IMPORTED.len()) + self.types.len()
    }

    /// The number of the function that is added.
    fn add(&mut self, of: u32, body: Body) -> u32 {
        let index = self.next();
        self.types.function(of);
        self.code.function(&body.finish());
        index
    }
}

/// A function that is being written: integers first among its locals, then numbers.
struct Body {
    bytes: Vec<u8>,
    integers: (u32, ValType),
    parameters: u32,
    numbers: u32,
}

impl Body {
    fn new(parameters: u32) -> Self {
        Self::with_integers(parameters, (0, ValType::I32))
    }

    fn with_integers(parameters: u32, integers: (u32, ValType)) -> Self {
        Self {
            bytes: Vec::new(),
            integers,
            parameters,
            numbers: 0,
        }
    }

    fn code(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.bytes)
    }

    /// A new local number.
    fn local(&mut self) -> u32 {
        self.numbers += 1;
        self.parameters + self.integers.0 + self.numbers - 1
    }

    fn finish(mut self) -> Function {
        self.code().end();
        let mut function = Function::new([self.integers, (self.numbers, ValType::F64)]);
        function.raw(self.bytes);
        function
    }
}

/// A number in memory, by a constant part of its address.
fn cell(offset: u32) -> MemArg {
    MemArg {
        offset: u64::from(offset),
        align: 3,
        target: MemArgTarget::Memory(0),
        ordering: None,
    }
}

/// x to the power of y as C has it: JavaScript has no number for powers of 1 and −1 that C has one for.
fn power() -> Body {
    let mut body = Body::new(2);
    let pow = number(IMPORTED.len()) - 2;
    body.code()
        .f64_const(1.0.into())
        .local_get(0)
        .local_get(1)
        .call(pow)
        .local_get(0)
        .f64_const(1.0.into())
        .f64_eq()
        .local_get(0)
        .f64_const((-1.0).into())
        .f64_eq()
        .local_get(1)
        .f64_abs()
        .f64_const(f64::INFINITY.into())
        .f64_eq()
        .i32_and()
        .i32_or()
        .select();
    body
}

/// The number of a function of one argument.
fn unary(function: Unary) -> u32 {
    let place = IMPORTED.iter().position(|&name| name == function.name());
    number(place.expect("what is not imported is written out"))
}

/// The number of a function of two arguments.
fn binary(function: Binary) -> u32 {
    match function {
        Binary::Atan2 => number(IMPORTED.len()) - 1,
        _ => POWER,
    }
}
