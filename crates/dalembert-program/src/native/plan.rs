//! What native code does in which order, and where each value lives.
//!
//! ```text
//! pass 0   sin, cos of all angles that need none before
//! chunks   what the angles of pass 1 need
//! pass 1   …
//! chunks   everything else
//! ```
//!
//! * Angles are sorted by how many sines lie under them. Those of one depth stand side by side in scratch
//!   memory, and one pass over them takes all their sines and cosines with the widest vectors there are.
//! * What no angle waits for is computed after the last pass, when it is wanted.
//! * A program with few angles has no passes when it runs for one state: its sines are taken in the chunks,
//!   which become one function if they are short.
//! * The instructions between two passes are cut into chunks, a native function each: register allocation
//!   takes more than linear time, so its input must not grow with the program.
//! * A value that outlives its chunk has a *home* in memory: an input, a constant, an output it is anyway
//!   stored to, the place of an angle, or else a cell of scratch memory, which is free again after the
//!   chunk of the last use. So has a value that is used long after it is computed.

use super::emit::{Form, MOST_ANGLES, NUMBERS};
use crate::code::{Code, Definition, Instruction, Op, number};
use dalembert_expr::table::TableFunction;
use std::ops::Range;
use std::sync::Arc;

/// Most steps of a chunk. Longer ones take longer to compile per step and run no faster.
const CHUNK: usize = 256;

/// How many steps after its computation a value is still expected in a register. One that is used later
/// gets a home, from where it is cheaper to read than from where register allocation would save it.
pub(super) const NEAR: usize = 32;

const NONE: u32 = u32::MAX;

/// Where a value is found outside of the chunk that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// It does not leave its chunk.
    Nowhere,
    Input(u32),
    Constant(u32),
    Scratch(u32),
    Output(u32),
}

/// What chunks consist of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// An instruction, whose result is stored to all outputs it is.
    Compute(Instruction),
    /// Copies the value of an output that no instruction computes.
    Output { value: u32, output: u32 },
}

/// Sines and cosines of all angles of one depth.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    /// The cell of the first angle. All angles, all sines and all cosines follow one another.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Angles that no instruction stores, by their number, and where they come from.
    pub(super) gather: Vec<(u32, Home)>,
    /// If the angles are inputs side by side, the first of these: then they are read in place.
    pub(super) inputs: Option<u32>,
    /// The angles as values.
    pub(super) angles: Vec<u32>,
    /// The sines and cosines as values.
    pub(super) turns: Vec<Turn>,
}

/// A sine or cosine of a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) value: u32,
    /// The number of its angle in the pass.
    pub(super) index: u32,
    pub(super) cosine: bool,
}

impl Pass {
    /// Whether the angles are inputs side by side.
    fn find_inputs(&mut self) {
        let Some(&(0, Home::Input(first))) = self.gather.first() else {
            return;
        };
        let in_place = |&(index, home): &(u32, Home)| home == Home::Input(first + index);
        if self.gather.len() == self.count && self.gather.iter().all(in_place) {
            self.inputs = Some(first);
        }
    }
}

/// A part of the program, in order.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    Pass(Pass),
    /// A range of steps.
    Chunk(Range<usize>),
}

/// Stages that are done together.
pub(super) enum Group {
    /// The stage of this number.
    Pass(usize),
    /// A range of stages that become one function.
    Function(Range<usize>),
}

/// A program, ready to be emitted.
pub(super) struct Plan {
    pub(super) stages: Vec<Stage>,
    pub(super) steps: Vec<Step>,
    /// By value.
    pub(super) homes: Vec<Home>,
    /// By value: the first output it is; by output: the next of the same value.
    first_output: Vec<u32>,
    next_output: Vec<u32>,
    pub(super) constants: Vec<f64>,
    /// The first of the constants that sines in chunks need, if there are such.
    pub(super) numbers_of_sines: usize,
    /// Whether the sines of one state are taken in its chunks, without passes.
    pub(super) few_angles: bool,
    /// Cells of scratch memory.
    pub(super) cells: usize,
    /// Functions made of tables.
    pub(super) tables: Arc<[TableFunction]>,
}

impl Plan {
    /// Plans code in which each value is defined once.
    pub(super) fn new(code: &Code) -> Self {
        let values = code.definitions.len();
        let mut plan = Self {
            stages: Vec::new(),
            steps: Vec::with_capacity(code.instructions.len()),
            homes: vec![Home::Nowhere; values],
            first_output: vec![NONE; values],
            next_output: vec![NONE; code.outputs.len()],
            constants: Vec::new(),
            numbers_of_sines: 0,
            few_angles: false,
            cells: 0,
            tables: Arc::clone(&code.tables),
        };
        for (value, definition) in code.definitions.iter().enumerate() {
            plan.homes[value] = match *definition {
                Definition::Input(input) => Home::Input(input),
                Definition::Constant(x) => {
                    plan.constants.push(x);
                    Home::Constant(number(plan.constants.len() - 1))
                }
                Definition::Result(_) => Home::Nowhere,
            };
        }
        for (output, &value) in code.outputs.iter().enumerate().rev() {
            plan.next_output[output] = plan.first_output[value as usize];
            plan.first_output[value as usize] = number(output);
        }
        let depths = depths(code);
        let passes = plan.place_angles(code, &depths);
        let angles: usize = passes.iter().map(|pass| pass.count).sum();
        if (1..=MOST_ANGLES).contains(&angles) {
            plan.few_angles = true;
            plan.numbers_of_sines = plan.constants.len();
            plan.constants.extend(NUMBERS);
        }
        let ends = plan.order_steps(code, &depths, passes.len());
        plan.cut(passes, &ends);
        plan.place_crossing();
        plan
    }

    /// The outputs a value is.
    pub(super) fn outputs_of(&self, value: u32) -> impl Iterator<Item = u32> {
        let existing = |output: u32| (output != NONE).then_some(output);
        std::iter::successors(
            existing(self.first_output[value as usize]),
            move |&output| existing(self.next_output[output as usize]),
        )
    }

    /// Gives cells to all angles, sines and cosines: one pass for each depth.
    fn place_angles(&mut self, code: &Code, depths: &[u32]) -> Vec<Pass> {
        let mut passes: Vec<Pass> = Vec::new();
        // By angle: its number in its pass.
        let mut index_of = vec![NONE; code.definitions.len()];
        let turns = || code.instructions.iter().filter(|i| is_turn(i));
        for angle in turns().map(|instruction| instruction.args[0] as usize) {
            let depth = depths[angle] as usize;
            passes.resize_with(passes.len().max(depth + 1), Pass::default);
            if index_of[angle] == NONE {
                index_of[angle] = number(passes[depth].count);
                passes[depth].count += 1;
                passes[depth].angles.push(number(angle));
            }
        }
        for pass in &mut passes {
            pass.first = self.cells;
            self.cells += 3 * pass.count;
        }
        let mut placed = vec![false; code.definitions.len()];
        for turn in turns() {
            let angle = turn.args[0] as usize;
            let pass = &mut passes[depths[angle] as usize];
            let cell = number(pass.first) + index_of[angle];
            if !std::mem::replace(&mut placed[angle], true) {
                match self.homes[angle] {
                    Home::Nowhere => self.homes[angle] = Home::Scratch(cell),
                    elsewhere => pass.gather.push((index_of[angle], elsewhere)),
                }
            }
            let first = (turn.destination, turn.op == Op::Cos);
            let second = turn.second_destination().map(|value| (value, true));
            for (value, cosine) in std::iter::once(first).chain(second) {
                let before = number(pass.count) * (1 + u32::from(cosine));
                self.homes[value as usize] = Home::Scratch(cell + before);
                let index = index_of[angle];
                pass.turns.push(Turn {
                    value,
                    index,
                    cosine,
                });
            }
        }
        for pass in &mut passes {
            pass.find_inputs();
        }
        passes
    }

    /// Lists the steps by the pass that waits for them. Returns where those before each pass end, and
    /// those after the last.
    fn order_steps(&mut self, code: &Code, depths: &[u32], passes: usize) -> Vec<usize> {
        // By value: the pass it must be computed before.
        let mut due = vec![number(passes); code.definitions.len()];
        let mut counts = vec![0usize; passes + 1];
        for instruction in code.instructions.iter().rev() {
            let at = if is_turn(instruction) {
                depths[instruction.args[0] as usize]
            } else {
                let at = due[instruction.destination as usize];
                counts[at as usize] += 1;
                at
            };
            for &value in instruction.arguments() {
                due[value as usize] = due[value as usize].min(at);
            }
        }
        let mut next = Vec::with_capacity(counts.len());
        let mut total = 0;
        for count in counts {
            next.push(total);
            total += count;
        }
        // Sorted by counting, so that a million passes of one angle each cost no more than one of a million.
        let mut sorted = vec![NONE; total];
        for (index, instruction) in code.instructions.iter().enumerate() {
            if !is_turn(instruction) {
                let place = &mut next[due[instruction.destination as usize] as usize];
                sorted[*place] = number(index);
                *place += 1;
            }
        }
        let instruction = |&index: &u32| Step::Compute(code.instructions[index as usize]);
        self.steps.extend(sorted.iter().map(instruction));
        let mut computed = vec![false; code.definitions.len()];
        for &index in &sorted {
            computed[code.instructions[index as usize].destination as usize] = true;
        }
        for (output, &value) in code.outputs.iter().enumerate() {
            if computed[value as usize] {
                if self.homes[value as usize] == Home::Nowhere {
                    self.homes[value as usize] = Home::Output(number(output));
                }
            } else {
                let output = number(output);
                self.steps.push(Step::Output { value, output });
            }
        }
        // Copies belong to what comes after the last pass.
        if let Some(end) = next.last_mut() {
            *end = self.steps.len();
        }
        next
    }

    /// Cuts the steps into chunks of about equal length, between the passes.
    fn cut(&mut self, passes: Vec<Pass>, ends: &[usize]) {
        let mut passes = passes.into_iter();
        let mut start = 0;
        for &end in ends {
            let count = end - start;
            let chunks = count.div_ceil(CHUNK);
            for chunk in 0..chunks {
                let from = start + chunk * count / chunks;
                let to = start + (chunk + 1) * count / chunks;
                self.stages.push(Stage::Chunk(from..to));
            }
            self.stages.extend(passes.next().map(Stage::Pass));
            start = end;
        }
    }

    /// Gives cells to values that are used in later chunks, or late in their own, and have no home yet.
    fn place_crossing(&mut self) {
        // By value: the chunk and the step of its last use.
        let mut last_in = vec![(NONE, 0); self.homes.len()];
        for (chunk, range) in self.chunks() {
            for step in range {
                if let Step::Compute(instruction) = self.steps[step] {
                    for &value in instruction.arguments() {
                        last_in[value as usize] = (chunk, step);
                    }
                }
            }
        }
        let mut free: Vec<u32> = Vec::new();
        // Cells to be freed after each chunk.
        let mut ending: Vec<Vec<u32>> = vec![Vec::new(); self.stages.len()];
        for (chunk, range) in self.chunks() {
            for step in range {
                let Step::Compute(instruction) = self.steps[step] else {
                    continue;
                };
                let value = instruction.destination as usize;
                let (last, last_step) = last_in[value];
                let near = last == chunk && last_step <= step + NEAR;
                if self.homes[value] != Home::Nowhere || last == NONE || near {
                    continue;
                }
                let cell = free.pop().unwrap_or_else(|| {
                    self.cells += 1;
                    number(self.cells - 1)
                });
                self.homes[value] = Home::Scratch(cell);
                ending[last as usize].push(cell);
            }
            free.append(&mut ending[chunk as usize]);
        }
    }

    /// The stages in groups. For lanes a function is a chunk; for one state it is as many chunks as are
    /// together no longer than one, and the passes between them if there are few angles.
    pub(super) fn groups(&self, form: Form) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut length = 0;
        for (index, stage) in self.stages.iter().enumerate() {
            let steps = match stage {
                Stage::Pass(_) if self.few_angles && form == Form::Single => 0,
                Stage::Pass(_) => {
                    groups.push(Group::Pass(index));
                    continue;
                }
                Stage::Chunk(range) => range.len(),
            };
            length += steps;
            match groups.last_mut() {
                Some(Group::Function(stages)) if form == Form::Single && length <= CHUNK => {
                    stages.end += 1;
                }
                _ => {
                    groups.push(Group::Function(index..index + 1));
                    length = steps;
                }
            }
        }
        groups
    }

    /// The chunks, by their number among the stages.
    fn chunks(&self) -> Vec<(u32, Range<usize>)> {
        let chunk = |(index, stage): (usize, &Stage)| match stage {
            Stage::Chunk(range) => Some((number(index), range.clone())),
            Stage::Pass(_) => None,
        };
        self.stages.iter().enumerate().filter_map(chunk).collect()
    }
}

/// By value: how many passes of sines and cosines come before it.
fn depths(code: &Code) -> Vec<u32> {
    let mut depths = vec![0; code.definitions.len()];
    for instruction in &code.instructions {
        let arguments = instruction.arguments().iter();
        let deepest = arguments.map(|&value| depths[value as usize]).max();
        for value in instruction.results() {
            depths[value as usize] = deepest.unwrap_or(0) + u32::from(is_turn(instruction));
        }
    }
    depths
}

/// Whether an instruction is a sine, a cosine or both.
fn is_turn(instruction: &Instruction) -> bool {
    matches!(instruction.op, Op::Sin | Op::Cos | Op::SinCos)
}
