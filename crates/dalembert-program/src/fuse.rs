//! Joins a product with the sum that is its only use: one dispatch instead of two.
//!
//! Half of what mechanics computes is a·b + c. The product is still rounded by itself, so the numbers
//! stay those of the two instructions; only the interpreter's overhead is halved.

use crate::code::{Code, Definition, Op};

/// Replaces sums of products; the instructions change, the values do not.
pub(crate) fn fuse(code: &mut Code) {
    let mut uses = vec![0u32; code.definitions.len()];
    let arguments = code.instructions.iter().flat_map(|i| i.arguments());
    for &value in arguments.chain(&code.outputs) {
        uses[value as usize] = uses[value as usize].saturating_add(1);
    }
    let mut absorbed = vec![false; code.instructions.len()];
    for index in 0..code.instructions.len() {
        let sum = code.instructions[index];
        // The product that is used here and nowhere else, as the number of its instruction.
        let product = |value: u32| match code.definitions[value as usize] {
            Definition::Result(at) if uses[value as usize] == 1 => {
                (code.instructions[at as usize].op == Op::Mul).then_some(at as usize)
            }
            _ => None,
        };
        let [a, b, _] = sum.args;
        let (op, at, c) = match (sum.op, product(a), product(b)) {
            (Op::Add, _, Some(at)) => (Op::MulAdd, at, a),
            (Op::Add, Some(at), None) => (Op::MulAdd, at, b),
            (Op::Sub, _, Some(at)) => (Op::SubMul, at, a),
            (Op::Sub, Some(at), None) => (Op::MulSub, at, b),
            _ => continue,
        };
        let [x, y, _] = code.instructions[at].args;
        absorbed[at] = true;
        let fused = &mut code.instructions[index];
        fused.op = op;
        fused.args = [x, y, c];
    }
    // Definitions of results keep the old numbering; nothing after this pass reads it.
    let mut index = 0;
    code.instructions.retain(|_| {
        index += 1;
        !absorbed[index - 1]
    });
}
