//! Numbers of the equations at a state, without allocation.

use super::stage::{Scratch, Stage};
use super::{Equations, Layout};

/// A stage with its buffers and its last result.
struct Bench {
    scratch: Scratch,
    result: Vec<f64>,
}

impl Bench {
    fn new(stage: &Stage) -> Self {
        Self {
            scratch: stage.scratch(),
            result: vec![0.0; stage.size()],
        }
    }
}

/// Evaluates equations at one state after the other.
pub struct Evaluator<'e> {
    equations: &'e Equations,
    /// q, q', t, parameters, q''.
    inputs: Vec<f64>,
    dynamics: Bench,
    position: Bench,
    velocity: Bench,
    speeds: Option<Bench>,
    report: Bench,
}

/// The canonical problem in coordinates at a state; matrices by rows.
#[derive(Clone, Copy, Debug)]
pub struct Canonical<'a> {
    /// M, n × n.
    pub mass: &'a [f64],
    /// h, n.
    pub force: &'a [f64],
    /// w, n.
    pub nonideal: &'a [f64],
    /// A, rows × n.
    pub jacobian: &'a [f64],
    /// b, rows.
    pub bias: &'a [f64],
}

/// Residuals of rows, and their Jacobian by rows.
#[derive(Clone, Copy, Debug)]
pub struct Residuals<'a> {
    /// One for each row.
    pub values: &'a [f64],
    /// Rows × n.
    pub jacobian: &'a [f64],
}

/// v = B q' + b₀ and v' = B q'' + γ.
#[derive(Clone, Copy, Debug)]
pub struct SpeedMap<'a> {
    /// B by rows, n × n.
    pub matrix: &'a [f64],
    /// b₀.
    pub offset: &'a [f64],
    /// γ.
    pub gamma: &'a [f64],
}

/// Energies and forces at a state.
#[derive(Clone, Copy, Debug)]
pub struct Energetics<'a> {
    /// T.
    pub kinetic: f64,
    /// V.
    pub potential: f64,
    /// Power of explicitly time-dependent kinematics and potentials.
    pub drive: f64,
    /// Generalized forces of the given forces, n each, in the order of the system.
    pub forces: &'a [f64],
    /// Virtual-work vectors of the constraints, n each, in the order of the model.
    pub nonideal: &'a [f64],
}

impl<'e> Evaluator<'e> {
    /// An evaluator for given parameter values.
    #[must_use]
    pub fn new(equations: &'e Equations, parameters: &[f64]) -> Self {
        let mut inputs = vec![0.0; equations.input_count()];
        let start = 2 * equations.layout.n + 1;
        inputs[start..start + equations.parameters].copy_from_slice(parameters);
        Self {
            equations,
            inputs,
            dynamics: Bench::new(&equations.dynamics),
            position: Bench::new(&equations.position),
            velocity: Bench::new(&equations.velocity),
            speeds: equations.speeds.as_ref().map(Bench::new),
            report: Bench::new(&equations.report),
        }
    }

    /// The equations evaluated.
    #[must_use]
    pub fn equations(&self) -> &'e Equations {
        self.equations
    }

    /// Sets time and coordinates.
    pub fn set_position(&mut self, t: f64, q: &[f64]) {
        let n = self.equations.layout.n;
        self.inputs[..n].copy_from_slice(q);
        self.inputs[2 * n] = t;
    }

    /// Sets the rates.
    pub fn set_rates(&mut self, rates: &[f64]) {
        let n = self.equations.layout.n;
        self.inputs[n..2 * n].copy_from_slice(rates);
    }

    /// The rates as they were set.
    #[must_use]
    pub fn rates(&self) -> &[f64] {
        let n = self.equations.layout.n;
        &self.inputs[n..2 * n]
    }

    /// M, h, w, A, b.
    pub fn canonical(&mut self) -> Canonical<'_> {
        let Bench { scratch, result } = &mut self.dynamics;
        self.equations.dynamics.eval(scratch, &self.inputs, result);
        let layout: Layout = self.equations.layout;
        Canonical {
            mass: &result[..layout.force(0)],
            force: &result[layout.force(0)..layout.nonideal(0)],
            nonideal: &result[layout.nonideal(0)..layout.jacobian(0, 0)],
            jacobian: &result[layout.jacobian(0, 0)..layout.bias(0)],
            bias: &result[layout.bias(0)..],
        }
    }

    /// φ and ∂φ/∂q of the position rows.
    pub fn position(&mut self) -> Residuals<'_> {
        let Bench { scratch, result } = &mut self.position;
        self.equations.position.eval(scratch, &self.inputs, result);
        let (values, jacobian) = result.split_at(self.equations.position_rows.len());
        Residuals { values, jacobian }
    }

    /// What vanishes at velocity level, and its derivative by q'.
    pub fn velocity(&mut self) -> Residuals<'_> {
        let Bench { scratch, result } = &mut self.velocity;
        self.equations.velocity.eval(scratch, &self.inputs, result);
        let (values, jacobian) = result.split_at(self.equations.velocity_rows.len());
        Residuals { values, jacobian }
    }

    /// B, b₀ and γ; `None` where the speeds are the rates.
    pub fn speeds(&mut self) -> Option<SpeedMap<'_>> {
        let (stage, bench) = (self.equations.speeds.as_ref()?, self.speeds.as_mut()?);
        stage.eval(&mut bench.scratch, &self.inputs, &mut bench.result);
        let n = self.equations.layout.n;
        let (matrix, rest) = bench.result.split_at(n * n);
        let (offset, gamma) = rest.split_at(n);
        Some(SpeedMap {
            matrix,
            offset,
            gamma,
        })
    }

    /// Energies, drive and forces; the drive needs the accelerations.
    pub fn energetics(&mut self, accelerations: &[f64]) -> Energetics<'_> {
        let n = self.equations.layout.n;
        let start = self.inputs.len() - n;
        self.inputs[start..].copy_from_slice(accelerations);
        let Bench { scratch, result } = &mut self.report;
        self.equations.report.eval(scratch, &self.inputs, result);
        let (scalars, vectors) = result.split_at(3);
        let (forces, nonideal) = vectors.split_at(self.equations.forces * n);
        Energetics {
            kinetic: scalars[0],
            potential: scalars[1],
            drive: scalars[2],
            forces,
            nonideal,
        }
    }
}
