//! Virtual work that changes nothing.

use super::shake::Shaker;
use crate::decide::CANCELLED;
use crate::diagnostic::Diagnostic;
use crate::formulation::Tolerance;
use crate::mechanism::Mechanism;
use crate::solver::Solver;
use crate::state::State;

/// States looked at besides the start.
const STATES: usize = 5;

impl Mechanism {
    /// Constraints whose virtual-work vector lies in the range of Aᵀ wherever it is looked at: their reactions take it up,
    /// and the motion is that of ideal constraints.
    #[must_use]
    pub fn idle_work(&self, start: &State) -> Vec<Diagnostic> {
        let with_work: Vec<usize> = (0..self.model.constraints.len())
            .filter(|&constraint| !self.system.nonideal[constraint].is_empty())
            .collect();
        if with_work.is_empty() {
            return Vec::new();
        }
        let mut found = vec![Idle::default(); with_work.len()];
        let mut solver = Solver::new(self, Tolerance::default());
        let mut shaker = Shaker::new(self, start);
        for number in 0..=STATES {
            let state = match number {
                0 => Some(start),
                _ => shaker.next(),
            };
            if let Some(state) = state {
                look(&mut solver, state, &with_work, &mut found);
            }
        }
        let idle = with_work.iter().zip(found).filter(|(_, it)| it.is_idle());
        idle.map(|(&constraint, _)| self.warning(constraint))
            .collect()
    }

    fn warning(&self, constraint: usize) -> Diagnostic {
        let constraint = &self.model.constraints[constraint];
        let message = format!(
            "the virtual work of `{}` has no effect: w lies in the range of Aᵀ",
            constraint.name.text
        );
        let help = "a part of w that is along constraints is taken up by their reactions: give it a part along the motion";
        Diagnostic::warning("W0470", constraint.holds.whole(), message, help)
    }
}

/// What was seen of a virtual-work vector.
#[derive(Clone, Copy, Debug, Default)]
struct Idle {
    /// It differs from zero somewhere.
    works: bool,
    /// It changes the motion somewhere.
    moves: bool,
}

impl Idle {
    fn is_idle(self) -> bool {
        self.works && !self.moves
    }
}

/// Looks at one state; where there is no motion nothing is learned.
fn look(solver: &mut Solver<'_>, state: &State, constraints: &[usize], found: &mut [Idle]) {
    solver.set(state.t, &state.coordinates, &state.rates);
    if solver.factor().is_err() {
        return;
    }
    let Solver {
        evaluator,
        workspace,
        ..
    } = solver;
    let factorisation = workspace.factorisation();
    let (n, rows) = (state.coordinates.len(), evaluator.equations().rows());
    let work: Vec<Vec<f64>> = {
        let nonideal = evaluator.energetics(&vec![0.0; n]).nonideal;
        let full = |&constraint: &usize| {
            let mut w = vec![0.0; n];
            for (i, value) in nonideal.stored(constraint) {
                w[i] = value;
            }
            w
        };
        constraints.iter().map(full).collect()
    };
    let jacobian = evaluator.latest().jacobian;
    let (mut acceleration, mut multipliers) = (vec![0.0; n], vec![0.0; rows]);
    for (w, idle) in work.into_iter().zip(found) {
        let zero = vec![0.0; rows];
        let solved = factorisation.solve(&w, &zero, &mut acceleration, &mut multipliers);
        if solved.is_err() || w.iter().all(|part| *part == 0.0) {
            continue;
        }
        idle.works = true;
        let mut left = w.clone();
        jacobian.add_transposed(&multipliers, &mut left);
        let size = w.iter().fold(0.0_f64, |size, part| size.max(part.abs()));
        idle.moves |= left.iter().zip(&w).any(|(left, w)| {
            let taken = (left - w).abs() + w.abs();
            // Components along coordinates of other units are measured by themselves.
            left.abs() > CANCELLED * taken && left.abs() > CANCELLED * CANCELLED * size
        });
    }
}
