//! A solver at a state: the evaluator of the equations, room to solve them, the laws that use reactions, and what counts as
//! dependent. Whatever asks for a motion asks one; runs and what they record share theirs, so that both decide alike.

use crate::equations::Evaluator;
use crate::formulation::{Failure, Laws, Problem, Tolerance, Workspace, solve_accelerations};
use crate::mechanism::Mechanism;
use crate::mode::Mode;

/// Finds motions of a mechanism, at one state after the other.
pub struct Solver<'m> {
    /// Numbers of the equations at the state that is set.
    pub evaluator: Evaluator<'m>,
    /// Room to solve them.
    pub workspace: Workspace,
    /// Laws that use reactions, with the ways of slips that have none of their own.
    pub laws: Option<Laws>,
}

impl<'m> Solver<'m> {
    /// A solver that decides about ranks by a tolerance.
    #[must_use]
    pub fn new(mechanism: &'m Mechanism, tolerance: Tolerance) -> Self {
        let equations = &mechanism.equations;
        let mut solver = Self {
            evaluator: mechanism.evaluator(),
            workspace: Workspace::tolerating(equations, tolerance),
            laws: Laws::tolerating(equations, tolerance),
        };
        solver.set_mode(&Mode::default());
        solver
    }

    /// Goes on in another mode.
    pub fn set_mode(&mut self, mode: &Mode) {
        self.evaluator.set_mode(mode);
        let inactive = self.evaluator.inactive_rows();
        self.workspace.factorisation().leave_out(inactive);
    }

    /// Goes to a state.
    pub fn set(&mut self, t: f64, coordinates: &[f64], rates: &[f64]) {
        self.evaluator.set_position(t, coordinates);
        self.evaluator.set_rates(rates);
    }

    /// Measures rows by their terms at the state, from now on.
    pub fn measure(&mut self) {
        self.workspace.measure_by(self.evaluator.row_terms());
        self.laws.iter_mut().for_each(Laws::forget);
    }

    /// Evaluates M, h, A, b, w at the state, the laws included.
    ///
    /// # Errors
    /// The laws have no answer there.
    pub fn prepare(&mut self) -> Result<(), Failure> {
        match &mut self.laws {
            Some(laws) => laws.apply(&mut self.evaluator, self.workspace.factorisation()),
            None => {
                self.evaluator.canonical();
                Ok(())
            }
        }
    }

    /// Evaluates the same, and factors M and A.
    ///
    /// # Errors
    /// The laws have no answer there, or M and A cannot be factored.
    pub fn factor(&mut self) -> Result<(), Failure> {
        self.prepare()?;
        if self.laws.is_some() {
            return Ok(());
        }
        let now = self.evaluator.latest();
        let factorisation = self.workspace.factorisation();
        Ok(factorisation.factor(&now.mass, &now.jacobian)?)
    }

    /// Accelerations and multipliers at the state, the laws included, by multipliers.
    ///
    /// # Errors
    /// There is no motion, or several.
    pub fn accelerate(
        &mut self,
        accelerations: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Failure> {
        self.prepare()?;
        let Self {
            evaluator,
            workspace,
            laws,
        } = self;
        match laws {
            // M and A are factored already.
            Some(laws) => {
                let factorisation = workspace.factorisation();
                laws.motion(evaluator, factorisation, accelerations, multipliers)
            }
            None => {
                let problem = Problem::from(evaluator.latest());
                solve_accelerations(&problem, workspace, accelerations, multipliers)
            }
        }
    }

    /// Decides at the start of a run which slips are held, and which way the others go.
    ///
    /// # Errors
    /// No motion is found, or several.
    pub fn set_out(&mut self) -> Result<(), Failure> {
        let (evaluator, factorisation) = (&mut self.evaluator, self.workspace.factorisation());
        let laws = self.laws.as_mut();
        laws.map_or(Ok(()), |laws| laws.set_out(evaluator, factorisation))
    }

    /// Takes from rates what slips that are held have of velocity; whether that changes them.
    ///
    /// # Errors
    /// M and A cannot be factored.
    pub fn arrest(&mut self, rates: &mut [f64]) -> Result<bool, Failure> {
        let (evaluator, factorisation) = (&mut self.evaluator, self.workspace.factorisation());
        let laws = self.laws.as_mut();
        laws.map_or(Ok(false), |laws| {
            laws.arrest(evaluator, factorisation, rates)
        })
    }

    /// Goes on where a slip has vanished, or friction holds it no longer; whether several in planes begin together.
    ///
    /// # Errors
    /// No motion is found, or several.
    pub fn turn(&mut self, slip: usize) -> Result<bool, Failure> {
        let (evaluator, factorisation) = (&mut self.evaluator, self.workspace.factorisation());
        let laws = self.laws.as_mut();
        laws.map_or(Ok(false), |laws| laws.turn(slip, evaluator, factorisation))
    }

    /// Looks at slips that begin together, at a state a little later that is set; whether it is decided there which of them do.
    pub fn look_ahead(&mut self) -> bool {
        let (evaluator, factorisation) = (&mut self.evaluator, self.workspace.factorisation());
        let laws = self.laws.as_mut();
        laws.is_some_and(|laws| laws.look_ahead(evaluator, factorisation))
    }
}
