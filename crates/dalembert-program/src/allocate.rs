//! Assigns slots to values: a slot is free again after the last use of the value in it.
//!
//! The slot freed last is taken first, so that the working set is as small as the code allows and stays
//! in cache. Constants come first and keep their slots, so that a workspace is filled with them once.
//! Inputs are copied in for every evaluation; their slots are reused like any other.

use crate::code::{Code, Definition, Instruction, number};

/// Code over slots instead of values.
pub(crate) struct Allocation {
    pub(crate) instructions: Vec<Instruction>,
    /// Slot i holds the constant i, always.
    pub(crate) constants: Vec<f64>,
    /// Slot and number of each input that is used.
    pub(crate) loads: Vec<(u32, u32)>,
    /// The slot of each output.
    pub(crate) outputs: Vec<u32>,
    pub(crate) slot_count: u32,
}

/// No slot yet, or no use.
const NONE: u32 = u32::MAX;
/// Used after the last instruction.
const FOREVER: u32 = u32::MAX - 1;

struct Slots {
    count: u32,
    free: Vec<u32>,
}

impl Slots {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

/// Assigns slots in one pass over the code. Values without use get none.
pub(crate) fn allocate(code: &Code) -> Allocation {
    let mut last_use = vec![NONE; code.definitions.len()];
    for (index, instruction) in code.instructions.iter().enumerate() {
        for &value in instruction.arguments() {
            last_use[value as usize] = number(index);
        }
    }
    for &value in &code.outputs {
        last_use[value as usize] = FOREVER;
    }

    let mut slot_of = vec![NONE; code.definitions.len()];
    let mut slots = Slots {
        count: 0,
        free: Vec::new(),
    };
    let (mut constants, mut loads) = (Vec::new(), Vec::new());
    for (value, definition) in code.definitions.iter().enumerate() {
        if let Definition::Constant(x) = *definition
            && last_use[value] != NONE
        {
            slot_of[value] = slots.take();
            last_use[value] = FOREVER;
            constants.push(x);
        }
    }
    for (value, definition) in code.definitions.iter().enumerate() {
        if let Definition::Input(input) = *definition
            && last_use[value] != NONE
        {
            slot_of[value] = slots.take();
            loads.push((slot_of[value], input));
        }
    }

    let mut instructions = code.instructions.clone();
    for (index, instruction) in instructions.iter_mut().enumerate() {
        let arity = instruction.op.arity();
        for arg in &mut instruction.args[..arity] {
            let value = *arg as usize;
            *arg = slot_of[value];
            if last_use[value] == number(index) {
                // The result may take this slot: arguments are read before it is written.
                slots.free.push(slot_of[value]);
                // An argument that occurs twice must not be freed twice.
                last_use[value] = NONE;
            }
        }
        let mut place = |value: &mut u32| {
            let slot = slots.take();
            slot_of[*value as usize] = slot;
            *value = slot;
        };
        place(&mut instruction.destination);
        if instruction.second_destination().is_some() {
            place(&mut instruction.args[1]);
        }
    }
    let outputs = code
        .outputs
        .iter()
        .map(|&value| slot_of[value as usize])
        .collect();
    Allocation {
        instructions,
        constants,
        loads,
        outputs,
        slot_count: slots.count,
    }
}
