//! The tape as C source, for use without this library.
//!
//! One self-contained C99 function of scalar locals, each assigned once, in the order of the tape. It
//! does the tape's operations and rounds like it, except that `sin`, `exp` and the like are those of the
//! C library at hand, which differ in the last bit. That holds as long as the compiler does not join
//! a·b + c into one rounding: gcc does so by default outside of `-std=c99`, hence the advice in the
//! header.
//!
//! Functions made of tables bring their numbers along, as arrays before the function.
//!
//! gcc takes quadratic time for one long function: 3 s for 4 000 operations, 24 s for 15 000, four minutes
//! for 40 000, at `-O1` as at `-O2`.

mod tables;

use crate::code::{Instruction, Op};
use crate::tape::Tape;
use dalembert_expr::Binary;
use std::fmt::Write;

impl Tape {
    /// C99 source of `void name(const double *restrict in, double *restrict out)`.
    ///
    /// Needs `<math.h>` and nothing else; several such sources may stand in one file.
    ///
    /// # Panics
    /// If `name` is not made of ASCII letters, digits and underscores, or starts with a digit.
    #[must_use]
    pub fn to_c(&self, name: &str) -> String {
        assert!(is_identifier(name), "'{name}' is not a name in C");
        let mut text = String::new();
        self.write_c(&mut text, name)
            .expect("a String takes everything");
        text
    }

    fn write_c(&self, text: &mut String, name: &str) -> std::fmt::Result {
        writeln!(text, "#include <math.h>\n")?;
        for (index, function) in self.tables.iter().enumerate() {
            tables::write(text, &format!("{name}_table_{index}"), function)?;
        }
        writeln!(
            text,
            "/* {} inputs, {} outputs, {} operations.",
            self.input_count(),
            self.output_count(),
            self.instructions.len()
        )?;
        writeln!(
            text,
            " * Compile with -ffp-contract=off to get the same roundings everywhere."
        )?;
        writeln!(text, " *")?;
        for (index, input) in self.input_names.iter().enumerate() {
            writeln!(text, " * in[{index}]  {}", comment(input))?;
        }
        match self.output_count() {
            0 => {}
            1 => writeln!(text, " * out[0]  the expression compiled")?,
            n => writeln!(
                text,
                " * out[0] to out[{}]  the expressions compiled, in their order",
                n - 1
            )?,
        }
        writeln!(text, " */")?;
        writeln!(
            text,
            "void {name}(const double *restrict in, double *restrict out)\n{{"
        )?;
        if self.loads.is_empty() {
            writeln!(text, "    (void)in;")?;
        }
        if self.outputs.is_empty() {
            writeln!(text, "    (void)out;")?;
        }

        // What each slot holds at this point of the tape.
        let mut slots = vec![Operand::Constant(0.0); self.slot_count];
        for (slot, &x) in slots.iter_mut().zip(&self.constants) {
            *slot = Operand::Constant(x);
        }
        for &(slot, input) in &self.loads {
            slots[slot as usize] = Operand::Input(input);
        }
        let mut next = 0..;
        let mut local = || Operand::Local(next.next().unwrap_or(u32::MAX));
        for instruction in &self.instructions {
            let [a, b, c] = instruction
                .args
                .map(|slot| slots.get(slot as usize).copied());
            let [a, b, c] = [a, b, c].map(|operand| operand.unwrap_or(Operand::Constant(0.0)));
            let result = local();
            writeln!(
                text,
                "    const double {result} = {};",
                Expression(instruction, [a, b, c], name)
            )?;
            slots[instruction.destination as usize] = result;
            if let Some(second) = instruction.second_destination() {
                let cosine = local();
                writeln!(text, "    const double {cosine} = cos({a});")?;
                slots[second as usize] = cosine;
            }
        }
        for (output, &slot) in self.outputs.iter().enumerate() {
            writeln!(text, "    out[{output}] = {};", slots[slot as usize])?;
        }
        writeln!(text, "}}")
    }
}

fn is_identifier(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(word) && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// A name that cannot end the comment it is written in.
fn comment(name: &str) -> String {
    name.replace(|c: char| c.is_control() || c == '/' || c == '\\', "_")
}

#[derive(Clone, Copy)]
enum Operand {
    Constant(f64),
    Input(u32),
    Local(u32),
}

impl std::fmt::Display for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Constant(x) if x.is_nan() => write!(f, "NAN"),
            Self::Constant(f64::INFINITY) => write!(f, "INFINITY"),
            Self::Constant(f64::NEG_INFINITY) => write!(f, "(-INFINITY)"),
            // The shortest decimal that reads back as the same number.
            Self::Constant(x) if x.is_sign_negative() => write!(f, "({x:?})"),
            Self::Constant(x) => write!(f, "{x:?}"),
            Self::Input(index) => write!(f, "in[{index}]"),
            Self::Local(index) => write!(f, "v{index}"),
        }
    }
}

/// The right-hand side of an instruction; for `SinCos`, its sine.
struct Expression<'a>(&'a Instruction, [Operand; 3], &'a str);

impl std::fmt::Display for Expression<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(instruction, [a, b, c], name) = self;
        match instruction.op {
            Op::Add => write!(f, "{a} + {b}"),
            Op::Sub => write!(f, "{a} - {b}"),
            Op::Mul => write!(f, "{a} * {b}"),
            Op::Div => write!(f, "{a} / {b}"),
            Op::MulAdd => write!(f, "{a} * {b} + {c}"),
            Op::MulSub => write!(f, "{a} * {b} - {c}"),
            Op::SubMul => write!(f, "{c} - {a} * {b}"),
            Op::Neg => write!(f, "-{a}"),
            Op::Abs => write!(f, "fabs({a})"),
            Op::Sign => write!(f, "({a} > 0.0) ? 1.0 : ({a} < 0.0) ? -1.0 : {a}"),
            Op::Sqrt => write!(f, "sqrt({a})"),
            // Unlike fmin and fmax, these hand a NaN on.
            Op::Min => write!(f, "({a} < {b} || {a} != {a}) ? {a} : {b}"),
            Op::Max => write!(f, "({a} > {b} || {a} != {a}) ? {a} : {b}"),
            Op::Above => write!(f, "({a} > 0.0) ? {b} : ({a} <= 0.0) ? 0.0 : {a}"),
            Op::NotAbove => write!(f, "({a} <= 0.0) ? {b} : ({a} > 0.0) ? 0.0 : {a}"),
            Op::Table(table) => write!(f, "{name}_table_{table}({a})"),
            Op::Sin | Op::SinCos => write!(f, "sin({a})"),
            Op::Cos => write!(f, "cos({a})"),
            // C has the names of the model language, but for powers.
            Op::Function(function) => write!(f, "{}({a})", function.name()),
            Op::Function2(Binary::Pow) => write!(f, "pow({a}, {b})"),
            // Adding 0 turns −0 into 0, as the operation table does.
            Op::Function2(Binary::Atan2) => write!(f, "atan2({a} + 0.0, {b})"),
            Op::Function2(function) => write!(f, "{}({a}, {b})", function.name()),
        }
    }
}
