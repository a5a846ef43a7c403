//! Graph to straight-line code: which instructions compute each node.
//!
//! * Literals are rounded here, once; operations on nothing but literals are done here too, by the
//!   interpreter itself, so that folding cannot change a bit.
//! * xⁿ with |n| ≤ 64 is a chain of multiplications by binary exponentiation, shared between the powers
//!   of one base; x^(k/2) is √x times such a chain. Cheaper than `pow`, and within n roundings of it.
//!   Where x^(k/2) has no real value the chain gives NaN, also at −∞, where C's `pow` has +∞.
//! * sin and cos of the same angle become one instruction.

use crate::code::{Code, Definition, Instruction, Op, number};
use crate::interpret;
use dalembert_expr::table::TableFunction;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use std::collections::HashMap;
use std::f64::consts::PI;

/// Largest exponent done by multiplications: its chain has at most 10, about the price of one `pow`.
const LONGEST_CHAIN: u64 = 64;

/// No value yet.
const NONE: u32 = u32::MAX;

struct Lowering {
    code: Code,
    /// Values of literals by their bits.
    constants: HashMap<u64, u32>,
    /// The functions made of tables that were met.
    tables: Vec<TableFunction>,
    /// Values of powers by base and exponent.
    powers: HashMap<(u32, u64), u32>,
}

/// Code for `outputs`; `input_of` gives the number of the input that holds a symbol, by its index.
pub(crate) fn lower(graph: &Graph, cone: &Cone, input_of: &[u32], outputs: &[ExprId]) -> Code {
    let mut lowering = Lowering {
        code: Code::default(),
        constants: HashMap::new(),
        tables: Vec::new(),
        powers: HashMap::new(),
    };
    let position = |id: ExprId| cone.position(id).expect("operands of members are members");
    let wants_both = angles_of_sine_and_cosine(graph, cone);
    // For angles in `wants_both`: the value of the sine, followed by that of the cosine.
    let mut pairs = vec![NONE; wants_both.len()];
    let mut values = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let value = match graph.node(id) {
            Node::Number(n) => lowering.constant(graph.number_value(n).to_f64()),
            Node::Pi => lowering.constant(PI),
            Node::Symbol(symbol) => lowering.define(Definition::Input(input_of[symbol.index()])),
            Node::Unary(op @ (Unary::Sin | Unary::Cos), a) if wants_both[position(a)] => {
                let pair = &mut pairs[position(a)];
                if *pair == NONE {
                    *pair = lowering.sine_and_cosine(values[position(a)]);
                }
                *pair + u32::from(op == Unary::Cos)
            }
            Node::Table(table, a) => {
                let place = lowering.table(graph.table_function(table));
                lowering.emit(Op::Table(place), &[values[position(a)]])
            }
            Node::Unary(op, a) => lowering.emit(op.into(), &[values[position(a)]]),
            Node::Binary(Binary::Pow, a, n) => {
                let exponent = graph.as_number(n).and_then(|n| n.as_small());
                let base = values[position(a)];
                match exponent {
                    Some((n, 1)) if n.unsigned_abs() <= LONGEST_CHAIN => {
                        let power = lowering.power(base, n.unsigned_abs());
                        lowering.inverse_if(n < 0, power)
                    }
                    Some((k, 2)) if k.unsigned_abs() / 2 <= LONGEST_CHAIN => {
                        let power = lowering.half_power(base, k.unsigned_abs());
                        lowering.inverse_if(k < 0, power)
                    }
                    _ => lowering.emit(Binary::Pow.into(), &[base, values[position(n)]]),
                }
            }
            Node::Binary(op, a, b) => {
                lowering.emit(op.into(), &[values[position(a)], values[position(b)]])
            }
        };
        values.push(value);
    }
    lowering.code.tables = lowering.tables.into();
    lowering.code.outputs = outputs.iter().map(|&id| values[position(id)]).collect();
    lowering.code
}

/// For each node of the cone, whether both its sine and its cosine are needed.
fn angles_of_sine_and_cosine(graph: &Graph, cone: &Cone) -> Vec<bool> {
    let mut seen = vec![0u8; cone.len()];
    for &id in cone.nodes() {
        if let Node::Unary(op @ (Unary::Sin | Unary::Cos), a) = graph.node(id)
            && let Some(position) = cone.position(a)
        {
            seen[position] |= if op == Unary::Sin { 1 } else { 2 };
        }
    }
    seen.into_iter().map(|seen| seen == 3).collect()
}

impl Lowering {
    fn table(&mut self, function: &TableFunction) -> u32 {
        let known = self.tables.iter().position(|it| it == function);
        number(known.unwrap_or_else(|| {
            self.tables.push(function.clone());
            self.tables.len() - 1
        }))
    }

    fn define(&mut self, definition: Definition) -> u32 {
        self.code.definitions.push(definition);
        number(self.code.definitions.len() - 1)
    }

    fn constant(&mut self, x: f64) -> u32 {
        let next = number(self.code.definitions.len());
        let value = *self.constants.entry(x.to_bits()).or_insert(next);
        if value == next {
            self.define(Definition::Constant(x));
        }
        value
    }

    fn as_constant(&self, value: u32) -> Option<f64> {
        match self.code.definitions[value as usize] {
            Definition::Constant(x) => Some(x),
            Definition::Input(_) | Definition::Result(_) => None,
        }
    }

    /// The result of an operation of one destination.
    fn emit(&mut self, op: Op, arguments: &[u32]) -> u32 {
        let mut args = [0; 3];
        args[..arguments.len()].copy_from_slice(arguments);
        let mut numbers = [[0.0]; 3];
        let mut known = arguments.iter().zip(&mut numbers);
        if known.all(|(&value, x)| self.as_constant(value).map(|c| *x = [c]).is_some()) {
            let here = Instruction {
                op,
                destination: 0,
                args: [0, 1, 2],
            };
            interpret::run(&[here], &self.tables, &mut numbers);
            return self.constant(numbers[0][0]);
        }
        let destination = self.define(Definition::Result(number(self.code.instructions.len())));
        self.code.instructions.push(Instruction {
            op,
            destination,
            args,
        });
        destination
    }

    /// The value of sin(angle), followed by that of cos(angle).
    fn sine_and_cosine(&mut self, angle: u32) -> u32 {
        if let Some(x) = self.as_constant(angle) {
            // Not through `constant`: the two must be neighbours.
            let (sine, cosine) = crate::sin_cos(x);
            let first = self.define(Definition::Constant(sine));
            self.define(Definition::Constant(cosine));
            return first;
        }
        let here = Definition::Result(number(self.code.instructions.len()));
        let (sine, cosine) = (self.define(here), self.define(here));
        self.code.instructions.push(Instruction {
            op: Op::SinCos,
            destination: sine,
            args: [angle, cosine, 0],
        });
        sine
    }

    /// base^n by binary exponentiation from the leading bit, so that all powers share x², and x⁶ uses x³.
    fn power(&mut self, base: u32, n: u64) -> u32 {
        if n == 0 {
            return self.constant(1.0);
        }
        let (mut power, mut exponent) = (base, 1);
        for bit in (0..n.ilog2()).rev() {
            exponent *= 2;
            power = self.shared_power(base, exponent, power, power);
            if n >> bit & 1 == 1 {
                exponent += 1;
                power = self.shared_power(base, exponent, power, base);
            }
        }
        power
    }

    /// base^(k/2) for odd k.
    fn half_power(&mut self, base: u32, k: u64) -> u32 {
        let root = self.emit(Op::Sqrt, &[base]);
        if k == 1 {
            return root;
        }
        let rest = self.power(base, k / 2);
        self.emit(Op::Mul, &[root, rest])
    }

    fn shared_power(&mut self, base: u32, exponent: u64, a: u32, b: u32) -> u32 {
        if let Some(&value) = self.powers.get(&(base, exponent)) {
            return value;
        }
        let value = self.emit(Op::Mul, &[a, b]);
        self.powers.insert((base, exponent), value);
        value
    }

    fn inverse_if(&mut self, invert: bool, power: u32) -> u32 {
        if !invert {
            return power;
        }
        let one = self.constant(1.0);
        self.emit(Op::Div, &[one, power])
    }
}
