//! Numbers of the equations at a state, without allocation.

use super::Equations;
use super::contacts::{Contact, LawForces};
use super::stage::{Scratch, Stage};
use crate::linear::factorisation::RowTerms;
use crate::linear::tree::InertiaForce;
use crate::linear::{Matrix, Pattern, add_scaled};
use crate::mode::Mode;
use dalembert_expr::SymbolId;
use std::sync::Arc;

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
    /// q, q', t, parameters, q'', reactions that laws use, ways of slips.
    inputs: Vec<f64>,
    dynamics: Bench,
    position: Bench,
    velocity: Bench,
    speeds: Option<Bench>,
    report: Bench,
    /// Contacts, and forces by laws.
    laws: Option<(Bench, Bench)>,
    /// Of inertia that is left in links.
    hung: InertiaForce,
    /// What holds: the mode, constraints, and rows that do not count.
    mode: Mode,
    active: Vec<bool>,
    inactive_rows: Vec<usize>,
}

/// The canonical problem in coordinates at a state.
#[derive(Clone, Copy, Debug)]
pub struct Canonical<'a> {
    /// M, n × n.
    pub mass: Matrix<'a>,
    /// h, n.
    pub force: &'a [f64],
    /// w, n.
    pub nonideal: &'a [f64],
    /// A, rows × n.
    pub jacobian: Matrix<'a>,
    /// b, rows.
    pub bias: &'a [f64],
    /// Rows held by forces in place of their own reactions.
    pub servo_rows: &'a [usize],
    /// E, the directions of these forces, n for each row held.
    pub servo_directions: &'a [f64],
    /// The acceleration of gravity, where M is by links.
    pub field: &'a [f64],
}

/// Residuals of rows, and their Jacobian.
#[derive(Clone, Copy, Debug)]
pub struct Residuals<'a> {
    /// One for each row.
    pub values: &'a [f64],
    /// Rows × n.
    pub jacobian: Matrix<'a>,
}

/// v = B q' + b₀ and v' = B q'' + γ.
#[derive(Clone, Copy, Debug)]
pub struct SpeedMap<'a> {
    /// B, n × n.
    pub matrix: Matrix<'a>,
    /// b₀.
    pub offset: &'a [f64],
    /// γ.
    pub gamma: &'a [f64],
    /// Speeds that have names; those beyond are rates of identities, which are zero.
    pub named: usize,
}

impl SpeedMap<'_> {
    /// v of rates.
    pub fn speeds(&self, rates: &[f64]) -> impl Iterator<Item = f64> {
        self.with(self.offset, rates)
    }

    /// v' of accelerations.
    pub fn speed_rates(&self, accelerations: &[f64]) -> impl Iterator<Item = f64> {
        self.with(self.gamma, accelerations)
    }

    /// B x.
    pub fn along(&self, i: usize, x: &[f64]) -> f64 {
        match i < self.named {
            true => self.matrix.along(i, x),
            false => 0.0,
        }
    }

    fn with(&self, rest: &[f64], x: &[f64]) -> impl Iterator<Item = f64> {
        let value = |(i, rest): (usize, &f64)| match i < self.named {
            true => rest + self.matrix.along(i, x),
            false => 0.0,
        };
        rest.iter().enumerate().map(value)
    }
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
    /// Generalized forces of the given forces, a row each, in the order of the system.
    pub forces: Matrix<'a>,
    /// Virtual-work vectors of the constraints, a row each, in the order of the model.
    pub nonideal: Matrix<'a>,
}

impl<'e> Evaluator<'e> {
    /// An evaluator for given parameter values.
    #[must_use]
    pub fn new(equations: &'e Equations, parameters: &[f64]) -> Self {
        let mut inputs = vec![0.0; equations.input_count()];
        let start = 2 * equations.coordinates() + 1;
        inputs[start..start + equations.parameters].copy_from_slice(parameters);
        let mut evaluator = Self {
            equations,
            inputs,
            dynamics: Bench::new(&equations.dynamics),
            position: Bench::new(&equations.position),
            velocity: Bench::new(&equations.velocity),
            speeds: equations.speeds.as_ref().map(Bench::new),
            report: Bench::new(&equations.report),
            laws: equations
                .laws
                .as_ref()
                .map(|laws| (Bench::new(&laws.contacts), Bench::new(&laws.forces))),
            hung: InertiaForce::default(),
            mode: Mode::default(),
            active: Vec::new(),
            inactive_rows: Vec::new(),
        };
        evaluator.set_mode(&Mode::default());
        evaluator
    }

    /// Goes on with other values of the parameters.
    pub fn set_parameters(&mut self, parameters: &[f64]) {
        let start = 2 * self.equations.coordinates() + 1;
        self.inputs[start..start + self.equations.parameters].copy_from_slice(parameters);
    }

    /// Goes on in another mode.
    pub fn set_mode(&mut self, mode: &Mode) {
        let equations = self.equations;
        self.mode.clone_from(mode);
        self.active = mode.among(&equations.activity);
        let rows = equations.constraint_of_row.iter().enumerate();
        let inactive = rows.filter(|(_, constraint)| !self.active[**constraint]);
        self.inactive_rows.clear();
        self.inactive_rows.extend(inactive.map(|(row, _)| row));
    }

    /// The mode that is set.
    #[must_use]
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// Rows that do not count in the mode that is set.
    #[must_use]
    pub fn inactive_rows(&self) -> &[usize] {
        &self.inactive_rows
    }

    /// Whether a row counts.
    #[must_use]
    pub fn is_active(&self, row: usize) -> bool {
        self.active[self.equations.constraint_of_row[row]]
    }

    /// Whether virtual-work vectors are left out in the mode that is set.
    #[must_use]
    pub fn leaves_out_work(&self) -> bool {
        let waiting = &self.equations.storage.waiting;
        waiting.iter().any(|&constraint| !self.active[constraint])
    }

    /// The equations evaluated.
    #[must_use]
    pub fn equations(&self) -> &'e Equations {
        self.equations
    }

    /// Sets time and coordinates.
    pub fn set_position(&mut self, t: f64, q: &[f64]) {
        let n = self.equations.coordinates();
        self.inputs[..n].copy_from_slice(q);
        self.inputs[2 * n] = t;
    }

    /// Sets the rates.
    pub fn set_rates(&mut self, rates: &[f64]) {
        let n = self.equations.coordinates();
        self.inputs[n..2 * n].copy_from_slice(rates);
    }

    /// The rates as they were set.
    #[must_use]
    pub fn rates(&self) -> &[f64] {
        let n = self.equations.coordinates();
        &self.inputs[n..2 * n]
    }

    /// Coordinates, rates and time as they were set.
    pub(crate) fn state(&self) -> &[f64] {
        &self.inputs[..=2 * self.equations.coordinates()]
    }

    /// M, h, w, A, b, E; h and w without laws that use reactions.
    pub fn canonical(&mut self) -> Canonical<'_> {
        let Bench { scratch, result } = &mut self.dynamics;
        self.equations.dynamics.eval(scratch, &self.inputs, result);
        self.leave_out();
        self.add_inertia_of_links();
        self.latest()
    }

    /// Inertia terms of h, and weight, where M is by links.
    fn add_inertia_of_links(&mut self) {
        let storage = &self.equations.storage;
        let Some(tree) = storage.mass.tree() else {
            return;
        };
        let layout = storage.dynamics();
        let (mass, rest) = self.dynamics.result.split_at_mut(layout.force);
        let (force, rest) = rest.split_at_mut(layout.nonideal - layout.force);
        let gravity = &rest[layout.field - layout.nonideal..][..3];
        let n = self.equations.coordinates();
        let links = (&**tree, &*mass);
        self.hung
            .add(links, (&self.inputs[n..2 * n], gravity), force);
    }

    /// What [`Self::canonical`] gave last, and what was added to it since.
    #[must_use]
    pub fn latest(&self) -> Canonical<'_> {
        let result = &self.dynamics.result;
        let storage = &self.equations.storage;
        let layout = storage.dynamics();
        Canonical {
            mass: storage.mass.matrix(&result[..layout.force]),
            force: &result[layout.force..layout.nonideal],
            nonideal: &result[layout.nonideal..layout.jacobian],
            jacobian: storage.rows.matrix(&result[layout.jacobian..layout.bias]),
            bias: &result[layout.bias..layout.servo],
            servo_rows: &storage.servo_rows,
            servo_directions: &result[layout.servo..layout.waiting],
            field: &result[layout.field..],
        }
    }

    /// Zeros for the rows that do not count; w of constraints that come and go where they are active.
    fn leave_out(&mut self) {
        let storage = &self.equations.storage;
        let layout = storage.dynamics();
        let result = &mut self.dynamics.result;
        for &row in &self.inactive_rows {
            let entries = storage.rows.row(row);
            result[layout.jacobian..][entries].fill(0.0);
            result[layout.bias + row] = 0.0;
        }
        if storage.waiting.is_empty() {
            return;
        }
        let n = self.equations.coordinates();
        let (known, works) = result.split_at_mut(layout.waiting);
        for (&constraint, work) in storage.waiting.iter().zip(works.chunks_exact(n)) {
            if self.active[constraint] {
                add_scaled(&mut known[layout.nonideal..][..n], 1.0, work);
            }
        }
    }

    /// Sets the reactions that laws use, and the ways of slips: +1 or −1.
    pub(crate) fn set_unknowns(&mut self, reactions: &[f64], ways: &[f64]) {
        let start = self.inputs.len() - reactions.len() - ways.len();
        let (first, second) = self.inputs[start..].split_at_mut(reactions.len());
        first.copy_from_slice(reactions);
        second.copy_from_slice(ways);
    }

    /// The ways of slips as they were set.
    pub(crate) fn ways(&self) -> &[f64] {
        &self.inputs[self.inputs.len() - self.equations.way_count()..]
    }

    /// Every friction at this state.
    pub(crate) fn contacts(&mut self) -> impl Iterator<Item = Contact<'_>> {
        let laws = self.equations.laws.as_ref().zip(self.laws.as_mut());
        let found = laws.map(|(laws, (bench, _))| {
            laws.contacts
                .eval(&mut bench.scratch, &self.inputs, &mut bench.result);
            laws.contact_list(&bench.result, &self.active)
        });
        found.into_iter().flatten()
    }

    /// Forces by laws at the reactions that are set, and their derivatives by these.
    pub(crate) fn law_forces(&mut self) -> LawForces<'_> {
        let laws = self.equations.laws.as_ref().zip(self.laws.as_mut());
        let Some((laws, (_, bench))) = laws else {
            return LawForces::default();
        };
        laws.forces
            .eval(&mut bench.scratch, &self.inputs, &mut bench.result);
        laws.law_forces(&bench.result)
    }

    /// Adds the forces by laws, as last evaluated, to h and w.
    pub(crate) fn add_law_forces(&mut self) {
        let Some((_, bench)) = &self.laws else {
            return;
        };
        let layout = self.equations.storage.dynamics();
        let n = self.equations.coordinates();
        // h and w follow one another here as there.
        let total = &mut self.dynamics.result[layout.force..layout.force + 2 * n];
        add_scaled(total, 1.0, &bench.result[..2 * n]);
    }

    /// φ and ∂φ/∂q of the position rows.
    pub fn position(&mut self) -> Residuals<'_> {
        let Bench { scratch, result } = &mut self.position;
        self.equations.position.eval(scratch, &self.inputs, result);
        let Equations {
            storage,
            position_rows,
            ..
        } = self.equations;
        leave_out(
            &self.inactive_rows,
            position_rows,
            (&storage.position, result),
        );
        residuals(&storage.position, result)
    }

    /// What vanishes at velocity level, and its derivative by q'.
    pub fn velocity(&mut self) -> Residuals<'_> {
        let Bench { scratch, result } = &mut self.velocity;
        self.equations.velocity.eval(scratch, &self.inputs, result);
        let Equations {
            storage,
            velocity_rows,
            ..
        } = self.equations;
        leave_out(
            &self.inactive_rows,
            velocity_rows,
            (&storage.velocity, result),
        );
        residuals(&storage.velocity, result)
    }

    /// The size of the terms of each φ at this state, and of its derivatives by the coordinates; costs more than an
    /// evaluation.
    #[must_use]
    pub fn position_terms(&self) -> RowTerms {
        let Equations {
            storage,
            position_rows,
            ..
        } = self.equations;
        RowTerms {
            jacobian: self.slope_terms(&storage.position, position_rows),
            bias: self.position_sizes(),
        }
    }

    /// The size of the terms of what vanishes at position level.
    #[must_use]
    pub fn position_sizes(&self) -> Vec<f64> {
        self.equations.measures.position(&self.inputs)
    }

    /// The size of the terms of what vanishes at velocity level.
    #[must_use]
    pub fn velocity_sizes(&self) -> Vec<f64> {
        self.equations.measures.velocity(&self.inputs)
    }

    /// The same, and those of its derivatives by the rates.
    #[must_use]
    pub fn velocity_terms(&self) -> RowTerms {
        let Equations {
            storage,
            velocity_rows,
            ..
        } = self.equations;
        RowTerms {
            jacobian: self.slope_terms(&storage.velocity, velocity_rows),
            bias: self.velocity_sizes(),
        }
    }

    /// The terms of some rows of A, stored in a pattern of their own.
    fn slope_terms(&self, pattern: &Pattern, rows: &[usize]) -> Vec<f64> {
        let all = self.row_terms().jacobian;
        let all = self.equations.storage.rows.matrix(&all);
        let mut terms = vec![0.0; pattern.size()];
        for (place, &row) in rows.iter().enumerate() {
            for (column, size) in all.stored(row) {
                if let Some(place) = pattern.place(place, column) {
                    terms[place] = size;
                }
            }
        }
        terms
    }

    /// The size of the terms of the entries of A and of b.
    #[must_use]
    pub fn row_terms(&self) -> RowTerms {
        self.equations.measures.rows(&self.inputs)
    }

    /// Values of the symbols at this state.
    pub fn value_of(&self) -> impl Fn(SymbolId) -> f64 + '_ {
        self.equations.measures.value_of(&self.inputs)
    }

    /// B, b₀ and γ; `None` where the speeds are the rates.
    pub fn speeds(&mut self) -> Option<SpeedMap<'_>> {
        let (stage, bench) = (self.equations.speeds.as_ref()?, self.speeds.as_mut()?);
        stage.eval(&mut bench.scratch, &self.inputs, &mut bench.result);
        let pattern = self.equations.storage.speeds.as_ref()?;
        let (matrix, rest) = bench.result.split_at(pattern.size());
        let (offset, gamma) = rest.split_at(pattern.rows());
        Some(SpeedMap {
            matrix: pattern.matrix(matrix),
            offset,
            gamma,
            named: self.equations.named_speeds,
        })
    }

    /// Energies, drive and forces; the drive needs the accelerations.
    pub fn energetics(&mut self, accelerations: &[f64]) -> Energetics<'_> {
        let n = self.equations.coordinates();
        let start = 2 * n + 1 + self.equations.parameters;
        self.inputs[start..start + n].copy_from_slice(accelerations);
        let Bench { scratch, result } = &mut self.report;
        self.equations.report.eval(scratch, &self.inputs, result);
        let storage = &self.equations.storage;
        let (scalars, vectors) = result.split_at_mut(3);
        let (forces, nonideal) = vectors.split_at_mut(storage.forces.size());
        for &constraint in &storage.waiting {
            if !self.active[constraint] {
                nonideal[storage.nonideal.row(constraint)].fill(0.0);
            }
        }
        Energetics {
            kinetic: scalars[0],
            potential: scalars[1],
            drive: scalars[2],
            forces: storage.forces.matrix(forces),
            nonideal: storage.nonideal.matrix(nonideal),
        }
    }
}

/// Zeros for the rows of one level that do not count.
fn leave_out(inactive: &[usize], rows: &[usize], (pattern, result): (&Pattern, &mut [f64])) {
    for row in inactive {
        if let Ok(place) = rows.binary_search(row) {
            result[place] = 0.0;
            result[rows.len()..][pattern.row(place)].fill(0.0);
        }
    }
}

fn residuals<'a>(pattern: &'a Arc<Pattern>, result: &'a [f64]) -> Residuals<'a> {
    let (values, jacobian) = result.split_at(pattern.rows());
    Residuals {
        values,
        jacobian: pattern.matrix(jacobian),
    }
}
