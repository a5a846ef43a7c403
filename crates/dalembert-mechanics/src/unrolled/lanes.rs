//! The right-hand side of several variants at once: one program, other parameters in each lane.

use super::Unrolled;
use dalembert_program::{Program, Workspace};

/// The program of an [`Unrolled`] over L lanes, each with its own parameters and state.
pub struct UnrolledLanes<'u, const L: usize> {
    unrolled: &'u Unrolled,
    program: &'u Program,
    workspace: Workspace,
    /// As those of one lane, `[value][lane]`.
    inputs: Vec<[f64; L]>,
    outputs: Vec<[f64; L]>,
}

impl Unrolled {
    /// The same over lanes that all have the parameters which are set now; L is 8.
    #[must_use]
    pub fn lanes<const L: usize>(&self) -> UnrolledLanes<'_, L> {
        let program = &self.compiled.program;
        UnrolledLanes {
            unrolled: self,
            program,
            workspace: program.workspace(),
            inputs: self.compiled.inputs.iter().map(|&it| [it; L]).collect(),
            outputs: vec![[0.0; L]; self.compiled.outputs.len()],
        }
    }

    /// What only the parameters determine, as they are set now.
    #[must_use]
    pub fn constants(&self) -> &[f64] {
        let varying = 2 * self.n + 1 + self.masks.symbols.len();
        &self.compiled.inputs[varying..]
    }
}

impl<const L: usize> UnrolledLanes<'_, L> {
    /// Gives a lane its parameters, by the [`Unrolled::constants`] that belong to them.
    pub fn set_constants(&mut self, lane: usize, constants: &[f64]) {
        let first = self.inputs.len() - constants.len();
        for (input, value) in self.inputs[first..].iter_mut().zip(constants) {
            input[lane] = *value;
        }
    }

    /// Evaluates at a state of each lane, q and v; which of them can be trusted.
    pub fn evaluate(&mut self, t: &[f64; L], y: &[[f64; L]]) -> [bool; L] {
        let n = self.unrolled.n;
        self.inputs[..2 * n].copy_from_slice(&y[..2 * n]);
        self.inputs[2 * n] = *t;
        self.program.eval::<L>(
            &mut self.workspace,
            self.inputs.as_flattened(),
            self.outputs.as_flattened_mut(),
        );
        let judged = &self.outputs[2 * n + 1 + self.unrolled.rows..];
        let (values, sizes) = judged.split_at(judged.len() / 2);
        let limits = self.unrolled.limits.as_slice();
        let pivots = values.len() - self.unrolled.judged[3];
        let mut trusted = [true; L];
        for (i, (value, size)) in values.iter().zip(sizes).enumerate() {
            for l in 0..L {
                trusted[l] &= match i < pivots {
                    true => value[l] > limits[i] * size[l].abs(),
                    false => value[l].abs() <= limits[i] * size[l],
                };
            }
        }
        for values in self.result() {
            for l in 0..L {
                trusted[l] &= values[l].is_finite();
            }
        }
        trusted
    }

    /// q', v' and the power of all that is not the potential, 2 n + 1 numbers in each lane.
    #[must_use]
    pub fn result(&self) -> &[[f64; L]] {
        &self.outputs[..=2 * self.unrolled.n]
    }
}
