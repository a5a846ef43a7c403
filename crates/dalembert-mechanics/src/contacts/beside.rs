//! Which contacts press beside other laws: friction of equations, dry friction, forces that use reactions, rows held by forces.
//!
//! These are solved for where a run solves for them (`formulation/law.rs`), in a mode that says which contacts are closed. So each set of contacts is taken to
//! be the one that presses, and its motion found with all laws, and with slips that are held; it agrees with itself where no contact of
//! the set pulls and no gap of the others closes:
//!
//! ```text
//! λ ≥ 0 of those in the set,   g'' ≥ 0 of the others
//! ```
//!
//! All sets of up to [`MOST_CONTACTS`] contacts are tried. Of more, contacts are let go that pull and held whose gaps close, until all agree; that
//! there is no other motion is not established then.

use super::{Contacts, NoContact, Pressed};
use crate::decide::{CANCELLED, CLEAR};
use crate::formulation::{Failure, Laws, Tolerance};
use crate::linear::dot;
use crate::lower::{Rough, System};
use crate::mechanism::Mechanism;
use crate::solver::Solver;
use dalembert_contact::MOST_CONTACTS;
use dalembert_expr::{Cone, ExprId};

/// Rounds for each contact in which they may change, where not all sets are tried.
const ROUNDS: usize = 20;

/// Laws beside contacts.
pub(super) struct Beside<'m> {
    solver: Solver<'m>,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    /// Rows whose reactions something else than the friction of contacts depends on.
    rows: Vec<usize>,
}

/// A motion with some contacts closed.
struct Moved {
    accelerations: Vec<f64>,
    /// By contact looked at.
    forces: Vec<f64>,
    gaps: Vec<f64>,
}

impl<'m> Beside<'m> {
    /// `None` where a mechanism has no laws but the friction of contacts.
    pub(super) fn of(mechanism: &'m Mechanism) -> Option<Self> {
        let system = &mechanism.system;
        let rows = used_otherwise(system);
        let of_contact = |of: Rough| match of {
            Rough::Constraint(id) => mechanism.model.constraints[id].is_contact(),
            Rough::Spring(_) => false,
        };
        let others = system.frictions.iter().any(|it| !of_contact(it.of));
        let equations = &mechanism.equations;
        (others || !rows.is_empty()).then(|| Self {
            solver: Solver::new(mechanism, Tolerance::default()),
            accelerations: vec![0.0; equations.coordinates()],
            multipliers: vec![0.0; equations.rows()],
            rows,
        })
    }

    /// Rows that may take no impulse.
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }
}

/// Rows whose reactions are used by more than the friction of contacts: by friction of equations, by forces, or that forces hold.
fn used_otherwise(system: &System) -> Vec<usize> {
    let is_contact = |constraint: usize| {
        let mut all = system.unilateral.iter();
        all.any(|it| system.rows[it.row].constraint.index() == constraint)
    };
    let forces = system.forces.iter().map(|it| &it.force);
    let works = system.nonideal.iter().enumerate();
    let works = works.filter(|it| !is_contact(it.0)).map(|it| it.1);
    let mut values: Vec<ExprId> = forces.chain(works).flatten().map(|it| it.1).collect();
    let coefficients = system.frictions.iter();
    values.extend(coefficients.flat_map(|it| [it.coefficient, it.holding]));
    let used = Cone::new(&system.graph, &values).symbols(&system.graph);
    let multipliers = system.symbols.multipliers.iter().enumerate();
    let rows = multipliers.filter(|(_, symbol)| used.contains(symbol));
    let mut rows: Vec<usize> = rows.map(|(row, _)| row).collect();
    rows.extend(system.servo.iter().map(|it| it.row.index()));
    rows.sort_unstable();
    rows.dedup();
    rows
}

impl Contacts<'_> {
    /// Which of the contacts looked at press, beside other laws; for their accelerations without laws and contacts.
    pub(super) fn press_beside(&mut self, free: &[f64]) -> Result<Pressed, NoContact> {
        let scales = self.press_scales(free);
        let count = self.contacts.len();
        let (found, established) = match count <= MOST_CONTACTS {
            true => self.try_all(&scales)?,
            false => (self.exchange(&scales)?, false),
        };
        let open = self.move_with(&vec![false; count]);
        let free = match open {
            Ok(open) => open.gaps,
            Err(_) => self.contacts.iter().map(|it| free[it.normal]).collect(),
        };
        let moved = (found.forces, found.gaps, free);
        Ok(self.pressed(moved, &scales, established))
    }

    /// The one motion that agrees with itself, of all sets; whether all others are excluded.
    fn try_all(&mut self, scales: &[[f64; 2]]) -> Result<(Moved, bool), NoContact> {
        let count = self.contacts.len();
        let pushes = self.pushes();
        let mut found: Vec<Moved> = Vec::new();
        let mut failure: Option<Failure> = None;
        for pattern in (0..1_usize << count).rev() {
            let closed: Vec<bool> = (0..count).map(|k| pattern >> k & 1 == 1).collect();
            let moved = match self.move_with(&closed) {
                Ok(moved) => moved,
                // With this set there is no motion.
                Err(Failure::Painleve { solutions, .. }) if solutions.is_empty() => continue,
                Err(other) => {
                    failure.get_or_insert(other);
                    continue;
                }
            };
            let agrees = worst(&moved, &closed, scales).is_none();
            if agrees && found.iter().all(|known| differ(known, &moved, &pushes)) {
                found.push(moved);
            }
        }
        match (found.len(), failure) {
            (1, failure) => {
                let laws = self.beside.as_ref().and_then(|it| it.solver.laws.as_ref());
                let sure = laws.is_none_or(|laws| laws.doubtful().is_empty());
                Ok((found.swap_remove(0), sure && failure.is_none()))
            }
            (_, Some(failure)) => Err(failure.into()),
            (_, None) => Err(NoContact::Answers {
                contacts: self.touching.clone(),
                forces: found.into_iter().map(|it| it.forces).collect(),
                tried: true,
            }),
        }
    }

    /// A motion that agrees with itself: all contacts closed at first, then one after the other let go or held.
    fn exchange(&mut self, scales: &[[f64; 2]]) -> Result<Moved, NoContact> {
        let count = self.contacts.len();
        let mut closed = vec![true; count];
        for _ in 0..ROUNDS * count {
            let moved = self.move_with(&closed)?;
            match worst(&moved, &closed, scales) {
                None => return Ok(moved),
                Some(k) => closed[k] = !closed[k],
            }
        }
        Err(NoContact::Answers {
            contacts: self.touching.clone(),
            forces: Vec::new(),
            tried: false,
        })
    }

    /// The motion with these of the contacts looked at closed.
    fn move_with(&mut self, closed: &[bool]) -> Result<Moved, Failure> {
        let mut all = vec![false; self.count()];
        for (&contact, &closed) in self.touching.iter().zip(closed) {
            all[contact] = closed;
        }
        let mode = self.mode(self.evaluator.mode(), &all);
        let system = self.system();
        let Some(beside) = &mut self.beside else {
            unreachable!("laws beside contacts were looked at")
        };
        let Beside {
            solver,
            accelerations,
            multipliers,
            ..
        } = &mut **beside;
        solver.set_mode(&mode);
        let (moving, time) = self.evaluator.state().split_at(2 * accelerations.len());
        let (coordinates, rates) = moving.split_at(accelerations.len());
        solver.set(time[0], coordinates, rates);
        solver.laws.iter_mut().for_each(Laws::forget);
        solver.accelerate(accelerations, multipliers)?;
        let rows = self.touching.iter().map(|&it| system.unilateral[it].row);
        let forces = rows.map(|row| multipliers[row.index()]).collect();
        let accelerations = accelerations.clone();
        let gaps = self.contacts.iter().map(|it| {
            let rest = self.directions[it.normal].rest;
            rest + dot(self.slope(it.normal), &accelerations)
        });
        Ok(Moved {
            gaps: gaps.collect(),
            forces,
            accelerations,
        })
    }
}

/// The contact that disagrees most with being closed or open, if one does beyond rounding.
fn worst(moved: &Moved, closed: &[bool], scales: &[[f64; 2]]) -> Option<usize> {
    let miss = |k: usize| match closed[k] {
        true => -moved.forces[k] / scales[k][0],
        false => -moved.gaps[k] / scales[k][1],
    };
    let misses = (0..closed.len()).map(|k| (k, miss(k)));
    let misses = misses.filter(|(_, miss)| *miss > CANCELLED);
    misses.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
}

/// Whether two motions are not the same.
fn differ(one: &Moved, other: &Moved, pushes: &[f64]) -> bool {
    let pairs = one.accelerations.iter().zip(&other.accelerations);
    let mut pairs = pairs.zip(pushes);
    pairs.any(|((a, b), push)| (a - b).abs() > CLEAR * (a.abs().max(b.abs()) + push))
}
