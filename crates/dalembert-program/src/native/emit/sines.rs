//! Sines and cosines in the middle of a chunk: the operations of [`sincos`](crate::sincos) in their
//! order, on vectors of two angles, so that a program with few angles is one function without calls.
//!
//! ```text
//! all angles moderate? ─yes─▶ polynomials ─────────────┬─▶ what follows
//!                      └─no──▶ save, call, load again ─┘
//! ```
//!
//! Whatever the call would destroy and what follows needs is handed over as parameters of the block
//! behind: so no register has to be saved on the way that is taken nearly always.

use super::{Chunk, FLAGS, LITTLE, PAIR};
use crate::native::plan::{Home, Pass};
use crate::sincos::{
    C1, C2, C3, C4, C5, C6, HALF_PI_1, HALF_PI_2, HALF_PI_3, HALF_PI_4, LARGEST, ROUNDER, Real, S1,
    S2, S3, S4, S5, S6, sin_cos, sin_cos_of_rest,
};
use cranelift::codegen::ir::{BlockArg, StackSlot, StackSlotData, StackSlotKind};
use cranelift::prelude::{AbiParam, FloatCC, InstBuilder, IntCC, Signature, Type, Value, types};
use std::cell::RefCell;
use std::f64::consts::FRAC_2_PI;
use std::ops::{Add, Mul, Sub};

/// Most angles of a program whose sines are taken in its chunks. With more, passes over wider vectors
/// are faster, and the code would take long to compile.
pub(in crate::native) const MOST_ANGLES: usize = 4;

const MOST_PAIRS: usize = MOST_ANGLES.div_ceil(2);

/// A vector for each pair of angles.
type Pairs = [Value; MOST_PAIRS];

/// Integers as the bits of a number.
const ONE: f64 = f64::from_bits(1);
const SIGN: f64 = -0.0;

/// What is read from memory: the last constants of a plan whose chunks take sines.
pub(in crate::native) const NUMBERS: [f64; 23] = [
    FRAC_2_PI, ROUNDER, LARGEST, HALF_PI_1, HALF_PI_2, HALF_PI_3, HALF_PI_4, S1, S2, S3, S4, S5,
    S6, C1, C2, C3, C4, C5, C6, 0.5, 1.0, ONE, SIGN,
];

/// What the rare way saves: bases, then angles, sines and cosines.
const BASES: i32 = 4;

/// Sines and cosines of numbers of any size, in place of the polynomials.
#[expect(unsafe_code, reason = "called by native code")]
unsafe extern "C" fn any_size(angles: *mut f64, count: usize) {
    // SAFETY: native code hands over angles, and room behind them for as many sines and cosines.
    let numbers = unsafe { std::slice::from_raw_parts_mut(angles, 3 * count) };
    let (angles, results) = numbers.split_at_mut(count);
    let (sines, cosines) = results.split_at_mut(count);
    for ((&mut angle, sine), cosine) in angles.iter_mut().zip(sines).zip(cosines) {
        (*sine, *cosine) = sin_cos(angle);
    }
}

impl Chunk<'_> {
    /// Sines and cosines of a pass, to registers and to their homes.
    pub(super) fn sines(&mut self, pass: &Pass) {
        let pairs = pass.count.div_ceil(2);
        let angles: Vec<Value> = (0..pairs).map(|pair| self.angles(pass, pair)).collect();
        let moderate = self.all_moderate(&angles);
        let [usual, rare, behind] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(rare);
        for _ in self.bases {
            self.builder.append_block_param(behind, types::I64);
        }
        for _ in 0..2 * pairs {
            self.builder.append_block_param(behind, types::F64X2);
        }
        self.builder.ins().brif(moderate, usual, &[], rare, &[]);

        self.builder.switch_to_block(rare);
        self.builder.seal_block(rare);
        let found = self.by_call(&angles);
        self.builder.ins().jump(behind, &found);

        self.builder.switch_to_block(usual);
        self.builder.seal_block(usual);
        let mut found: Vec<BlockArg> = self.bases.map(Into::into).to_vec();
        let [sines, cosines] = self.moderate(&angles);
        for pair in 0..pairs {
            found.extend([sines[pair], cosines[pair]].map(BlockArg::from));
        }
        self.builder.ins().jump(behind, &found);

        self.builder.switch_to_block(behind);
        self.builder.seal_block(behind);
        let found = self.builder.block_params(behind).to_vec();
        let (bases, found) = found.split_at(self.bases.len());
        self.bases.copy_from_slice(bases);
        self.hand_on(pass, found);
    }

    /// The angles of one pair; beyond the last, zero.
    fn angles(&mut self, pass: &Pass, pair: usize) -> Value {
        let low = pass.angles[2 * pair];
        let Some(&high) = pass.angles.get(2 * pair + 1) else {
            let low = self.read(low);
            return self.builder.ins().scalar_to_vector(types::F64X2, low);
        };
        if let [Home::Input(first), Home::Input(second)] =
            [low, high].map(|value| self.plan.homes[value as usize])
            && second == first + 1
            && let Some((base, offset)) = self.address(Home::Input(first))
        {
            return self.builder.ins().load(types::F64X2, FLAGS, base, offset);
        }
        let [low, high] = [low, high].map(|value| self.read(value));
        let both = self.builder.ins().scalar_to_vector(types::F64X2, low);
        self.builder.ins().insertlane(both, high, 1u8)
    }

    /// Whether the polynomials are good for all angles; not for NaN.
    fn all_moderate(&mut self, angles: &[Value]) -> Value {
        let mut all = None;
        for &x in angles {
            let magnitude = self.builder.ins().fabs(x);
            let largest = self.vector(types::F64X2, LARGEST);
            let here = self
                .builder
                .ins()
                .fcmp(FloatCC::LessThanOrEqual, magnitude, largest);
            all = Some(all.map_or(here, |others| self.builder.ins().band(others, here)));
        }
        let Some(all) = all else {
            return self.builder.ins().iconst(types::I32, 1);
        };
        let bits = self.builder.ins().vhigh_bits(types::I32, all);
        self.builder.ins().icmp_imm_u(IntCC::Equal, bits, 3)
    }

    /// The way for angles of any size. Returns bases, and sines and cosines of each pair.
    fn by_call(&mut self, angles: &[Value]) -> Vec<BlockArg> {
        let slot = self.room();
        let pairs = angles.len() as i32;
        let place = |pair: i32| 8 * BASES + PAIR * pair;
        for (index, base) in self.bases.into_iter().enumerate() {
            self.builder
                .ins()
                .stack_store(types::I64, base, slot, 8 * index as i32);
        }
        for (pair, &x) in (0..).zip(angles) {
            self.builder
                .ins()
                .stack_store(types::I64, x, slot, place(pair));
        }
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        signature.params.resize(2, AbiParam::new(types::I64));
        let signature = self.builder.import_signature(signature);
        let address: unsafe extern "C" fn(*mut f64, usize) = any_size;
        let callee = self
            .builder
            .ins()
            .iconst(types::I64, address as usize as i64);
        let first = self.builder.ins().stack_addr(types::I64, slot, place(0));
        let count = self.builder.ins().iconst(types::I64, i64::from(2 * pairs));
        self.builder
            .ins()
            .call_indirect(signature, callee, &[first, count]);
        let load = |chunk: &mut Self, ty: Type, offset: i32| -> BlockArg {
            chunk
                .builder
                .ins()
                .stack_load(types::I64, ty, slot, offset)
                .into()
        };
        let mut found: Vec<BlockArg> = (0..BASES)
            .map(|index| load(self, types::I64, 8 * index))
            .collect();
        for pair in 0..pairs {
            found.push(load(self, types::F64X2, place(pairs + pair)));
            found.push(load(self, types::F64X2, place(2 * pairs + pair)));
        }
        found
    }

    /// Room on the stack for all that [`Self::by_call`] saves; one for all passes of the function.
    fn room(&mut self) -> StackSlot {
        let bytes = 8 * BASES + 3 * PAIR * MOST_PAIRS as i32;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 4);
        *self
            .slot
            .get_or_insert_with(|| self.builder.create_sized_stack_slot(data))
    }

    /// Tells the steps that follow where sines and cosines are, and stores them for those far away.
    fn hand_on(&mut self, pass: &Pass, found: &[Value]) {
        for turn in &pass.turns {
            let index = turn.index as usize;
            let vector = found[index / 2 * 2 + usize::from(turn.cosine)];
            let x = self.builder.ins().extractlane(vector, (index % 2) as u8);
            self.store(x, self.plan.homes[turn.value as usize]);
            self.learn(turn.value, x, true);
        }
    }

    /// Sines and cosines of all pairs.
    fn moderate(&mut self, angles: &[Value]) -> [Pairs; 2] {
        let count = angles.len();
        let x: Pairs = std::array::from_fn(|pair| angles[pair.min(count - 1)]);
        let chunk = RefCell::new(&mut *self);
        let vectors = |pairs: Pairs| Vectors {
            chunk: &chunk,
            count,
            pairs,
        };
        // Loaded where it is used, as part of the instruction.
        let constant = |number: f64| {
            let both = chunk.borrow_mut().vector(types::F64X2, number);
            vectors([both; MOST_PAIRS])
        };
        let [sine, cosine, rounded] = sin_cos_of_rest(vectors(x), constant).map(|it| it.pairs);
        let mut found = [sine, cosine];
        for pair in 0..count {
            let [sine, cosine] = self.quarters(rounded[pair], found.map(|x| x[pair]));
            (found[0][pair], found[1][pair]) = (sine, cosine);
        }
        found
    }

    /// Exchanges sine and cosine for odd quarters, and sets the signs.
    fn quarters(&mut self, rounded: Value, [sine, cosine]: [Value; 2]) -> [Value; 2] {
        let quarter = self.builder.ins().bitcast(types::I64X2, LITTLE, rounded);
        let one = self.vector(types::I64X2, ONE);
        let odd = self.builder.ins().band(quarter, one);
        let odd = self.builder.ins().icmp(IntCC::Equal, odd, one);
        let odd = self.builder.ins().bitcast(types::F64X2, LITTLE, odd);
        let next = self.builder.ins().iadd(quarter, one);
        let turned = [(cosine, sine, quarter), (sine, cosine, next)];
        turned.map(|(other, same, quarter)| {
            // The bit of the half turns becomes the sign.
            let places = self.builder.ins().iconst(types::I32, 62);
            let sign = self.builder.ins().ishl(quarter, places);
            let only = self.vector(types::I64X2, SIGN);
            let sign = self.builder.ins().band(sign, only);
            let sign = self.builder.ins().bitcast(types::F64X2, LITTLE, sign);
            let x = self.builder.ins().bitselect(odd, other, same);
            self.builder.ins().bxor(x, sign)
        })
    }

    /// One of [`NUMBERS`] in both lanes.
    fn vector(&mut self, ty: Type, number: f64) -> Value {
        let place = NUMBERS
            .iter()
            .position(|x| x.to_bits() == number.to_bits())
            .unwrap_or_else(|| unreachable!("all numbers are listed"));
        let offset = (self.plan.numbers_of_sines + place) as i32 * PAIR;
        self.builder.ins().load(ty, FLAGS, self.bases[3], offset)
    }
}

/// The vectors of all pairs, and the function that is written while one computes with them. The operations of the pairs
/// take turns, for each waits for the one before.
#[derive(Clone, Copy)]
struct Vectors<'s, 'c, 'p> {
    chunk: &'s RefCell<&'c mut Chunk<'p>>,
    /// How many of the pairs there are.
    count: usize,
    pairs: Pairs,
}

impl Real for Vectors<'_, '_, '_> {}

/// An operator that writes an instruction for each pair.
macro_rules! operator {
    ($operator:ident $method:ident $instruction:ident) => {
        impl $operator for Vectors<'_, '_, '_> {
            type Output = Self;

            fn $method(mut self, other: Self) -> Self {
                let chunk = &mut *self.chunk.borrow_mut();
                for (x, y) in self.pairs.iter_mut().zip(other.pairs).take(self.count) {
                    *x = chunk.builder.ins().$instruction(*x, y);
                }
                self
            }
        }
    };
}

operator!(Add add fadd);
operator!(Sub sub fsub);
operator!(Mul mul fmul);
