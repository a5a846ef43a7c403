//! Blows: rates that jump at an instant (\[A83\] 1.5.13, 1.5.17).
//!
//! ```text
//! M (q'⁺ − q'⁻) = p + Aᵀ Λ + Gᵀ Γ        p is given; A of the rows that hold, G of what is struck
//! A q'⁺ = c                               rows of positions and velocities, with ψ = A q' − c
//! A (q'⁺ − q'⁻) = 0                       rows of accelerations
//! g'⁺ = −e g'⁻                            of what is struck: g' = G q' + ∂g/∂t, so that walls may move
//! ```
//!
//! One system with multipliers, as that of accelerations, and solved by the same factorisation. A constraint that is engaged is one of
//! the rows: what its rate misses is the blow. The work of the impulses is that of their forces at the mean of both velocities,
//! ½ (q'⁺ + q'⁻); what rows and walls take is Carnot's loss where they are plastic.
//!
//! \[A83\]: Angeles, "Lagrangian dynamics" (1983).

use crate::decide::KNOWN;
use crate::equations::Evaluator;
use crate::formulation::{Factorisation, Failure, Tolerance};

use crate::linear::Pattern;
use crate::lower::{Level, RowId, System};
use crate::mechanism::Mechanism;
use dalembert_expr::{Cone, ExprId};
use std::sync::Arc;

/// Something that is struck.
#[derive(Clone, Copy, Debug)]
pub struct Struck<'a> {
    /// The rate of the gap before.
    pub rate: f64,
    /// Its gradient: coordinates, and entries.
    pub coordinates: &'a [usize],
    /// The entries.
    pub gradient: &'a [f64],
}

/// Why there is no blow.
#[derive(Clone, Debug, PartialEq)]
pub enum NoBlow {
    /// The jump is not determined; rows after those of the system are what is struck.
    Failure(Failure),
    /// This row is not linear in the velocities: what a blow does to it is not determined by its ends.
    NotLinear(RowId),
    /// This row would have to take an impulse, and a law or a force depends on its reaction.
    Lawful(RowId),
}

/// Room to solve blows of one kind.
pub struct Blow {
    factorisation: Factorisation,
    pattern: Arc<Pattern>,
    jacobian: Vec<f64>,
    /// What the rates along the rows change by.
    wanted: Vec<f64>,
    given: Vec<f64>,
    change: Vec<f64>,
    impulses: Vec<f64>,
    /// Rows that a blow cannot have to do with.
    not_linear: Vec<usize>,
    lawful: Vec<usize>,
}

impl Blow {
    /// Room for blows on so many things, each with the coordinates that it is a function of; `None` if that is too large.
    #[must_use]
    pub fn new(mechanism: &Mechanism, struck: &[&[usize]]) -> Option<Self> {
        let equations = &mechanism.equations;
        let (mass, rows) = (equations.mass_pattern(), equations.row_pattern());
        let (n, count) = (equations.coordinates(), equations.rows() + struck.len());
        let pattern = match mass.is_full() {
            true => Pattern::full(count, n),
            false => {
                let known = (0..rows.rows()).map(|row| rows.columns_of(row).collect());
                let struck = struck.iter().map(|it| it.to_vec());
                Pattern::compressed(n, &known.chain(struck).collect::<Vec<Vec<usize>>>())
            }
        };
        let pattern = Arc::new(pattern);
        let system = &mechanism.system;
        let servo = system.servo.iter().map(|servo| servo.row.index());
        let lawful = equations.law_rows().iter().copied().chain(servo);
        Some(Self {
            factorisation: Factorisation::of(mass, &pattern, Tolerance::default())?,
            jacobian: vec![0.0; pattern.size()],
            pattern,
            wanted: vec![0.0; count],
            given: vec![0.0; n],
            change: vec![0.0; n],
            impulses: vec![0.0; count],
            not_linear: not_linear(system),
            lawful: lawful.collect(),
        })
    }

    /// Finds the jump of the rates at the state that an evaluator is set to: by an impulse that is given, by coordinate, along
    /// what is struck, of whose rates a part comes back, and by the rows that hold.
    ///
    /// # Errors
    /// See [`NoBlow`].
    pub fn solve(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        given: &[f64],
        (struck, restitution): (&[Struck<'_>], f64),
    ) -> Result<(), NoBlow> {
        let counts = |row: &&usize| evaluator.is_active(**row);
        if let Some(&row) = self.not_linear.iter().find(counts) {
            return Err(NoBlow::NotLinear(RowId::new(row)));
        }
        let equations = evaluator.equations();
        let rows = equations.rows();
        self.given.copy_from_slice(given);
        self.wanted.fill(0.0);
        for (&row, missed) in equations
            .velocity_rows()
            .iter()
            .zip(evaluator.velocity().values)
        {
            self.wanted[row] = -missed;
        }
        for (wanted, struck) in self.wanted[rows..].iter_mut().zip(struck) {
            *wanted = -(1.0 + restitution) * struck.rate;
        }
        self.factorisation.leave_out(evaluator.inactive_rows());
        let now = evaluator.canonical();
        self.jacobian.fill(0.0);
        let known = now.jacobian.values();
        self.jacobian[..known.len()].copy_from_slice(known);
        for (k, struck) in struck.iter().enumerate() {
            for (&column, entry) in struck.coordinates.iter().zip(struck.gradient) {
                if let Some(place) = self.pattern.place(rows + k, column) {
                    self.jacobian[place] = *entry;
                }
            }
        }
        let jacobian = self.pattern.matrix(&self.jacobian);
        let unsolved = |unsolved| NoBlow::Failure(Failure::Unsolved(unsolved));
        let factored = self.factorisation.factor(&now.mass, &jacobian);
        factored.map_err(unsolved)?;
        let (change, impulses) = (&mut self.change, &mut self.impulses);
        let solved = self
            .factorisation
            .solve(&self.given, &self.wanted, change, impulses);
        solved.map_err(unsolved)?;
        self.refuse_lawful()
    }

    /// A row on whose reaction something depends may not take an impulse.
    fn refuse_lawful(&self) -> Result<(), NoBlow> {
        let jacobian = self.pattern.matrix(&self.jacobian);
        let size = |row: usize| {
            let entries = jacobian.stored(row).map(|(_, entry)| entry.abs());
            self.impulses[row].abs() * entries.fold(0.0, f64::max)
        };
        let sizes: Vec<f64> = (0..self.impulses.len()).map(size).collect();
        match takes_impulse(&self.lawful, &sizes) {
            Some(row) => Err(NoBlow::Lawful(row)),
            None => Ok(()),
        }
    }

    /// What the rates jump by.
    #[must_use]
    pub fn change(&self) -> &[f64] {
        &self.change
    }

    /// The impulses of the rows, then of what is struck.
    #[must_use]
    pub fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// The work of what is given, and of the rows and walls, for the rates before.
    #[must_use]
    pub fn works(&self, before: &[f64]) -> [f64; 2] {
        let jacobian = self.pattern.matrix(&self.jacobian);
        let mean = |i: usize| before[i] + 0.5 * self.change[i];
        let given = self.given.iter().enumerate().map(|(i, p)| p * mean(i));
        let along = |row: usize| -> f64 {
            let entries = jacobian.stored(row);
            entries.map(|(column, entry)| entry * mean(column)).sum()
        };
        let impulses = self.impulses.iter().enumerate();
        let rows = impulses.map(|(row, impulse)| match *impulse {
            0.0 => 0.0,
            impulse => impulse * along(row),
        });
        [given.sum(), rows.sum()]
    }
}

/// One of some rows that takes an impulse, beside the largest of all; impulses are measured by what they move.
pub(crate) fn takes_impulse(rows: &[usize], sizes: &[f64]) -> Option<RowId> {
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let struck = rows.iter().find(|row| sizes[**row] > KNOWN * largest);
    struck.map(|&row| RowId::new(row))
}

/// Rows of which a blow leaves open what they do: not linear in the velocities, or of accelerations with a row of A that depends on these.
#[must_use]
pub fn not_linear(system: &System) -> Vec<usize> {
    let bends = |values: &[ExprId]| {
        let symbols = Cone::new(&system.graph, values).symbols(&system.graph);
        let mut rates = system.symbols.rates.iter();
        rates.any(|rate| symbols.contains(rate))
    };
    let rows = system.rows.iter().enumerate();
    let found = rows.filter(|(_, row)| match row.level {
        Level::Position => false,
        Level::Velocity => !row.linear,
        Level::Acceleration => {
            let entries: Vec<ExprId> = row.jacobian.iter().map(|&(_, value)| value).collect();
            bends(&entries)
        }
    });
    found.map(|(index, _)| index).collect()
}
