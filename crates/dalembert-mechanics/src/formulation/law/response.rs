//! How multipliers follow from forces: c and V of x = c − V f(x).
//!
//! ```text
//! reactions      V eⱼ from  M v' = eⱼ + Aᵀ λ,  A v' = 0; its rows are the motions M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ eᵢ
//! held by forces             M v' = eⱼ + Gᵀ λ,  A v' = 0      for each coordinate j on which laws act
//! ```
//!
//! With G, the directions of reactions and of forces that hold rows (`../servo.rs`), the matrix is not symmetric any
//! more, and V is found column by column.

use super::search::Search;
use crate::decide::CLEAR;
use crate::equations::{Canonical, Equations};
use crate::formulation::Failure;
use crate::formulation::saddle::Saddle;
use crate::formulation::tangent::Tangent;
use crate::formulation::{Motion, Problem};
use crate::linear::factorisation::Factorisation;
use crate::linear::factorisation::rows::Tolerance;

/// How multipliers follow from forces at a state.
pub(super) struct Response {
    /// Where rows are held by forces.
    held: Option<Box<Held>>,
    /// eᵢ, or a column of V.
    unit: Vec<f64>,
    /// M, A and the rows that count, of which V is known.
    known: Option<[Vec<f64>; 2]>,
    active: Vec<bool>,
    /// How often V has become another.
    pub(super) changes: usize,
    /// 1 − A V, by rows that laws use: what reactions of contacts may change by together without moving anything; none where they are unique.
    pub(super) idle: Vec<Vec<f64>>,
}

/// Room for rows held by forces.
struct Held {
    saddle: Tangent<Saddle>,
    tolerance: Tolerance,
    motion: Motion,
    /// No w: it is with the force.
    none: Vec<f64>,
    /// eⱼ.
    push: Vec<f64>,
    coordinates: Vec<usize>,
    /// v' that each eⱼ brings about, nv each.
    columns: Vec<f64>,
}

impl Response {
    pub(super) fn of(equations: &Equations, tolerance: Tolerance) -> Self {
        let (nv, nc) = (equations.coordinates(), equations.rows());
        let held = equations.has_servos().then(|| {
            Box::new(Held {
                saddle: Tangent::new(nv, nc),
                tolerance,
                motion: Motion::new(nv, nc),
                none: vec![0.0; nv],
                push: vec![0.0; nv],
                columns: vec![0.0; nv * equations.law_coordinates().len()],
                coordinates: equations.law_coordinates().to_vec(),
            })
        });
        Self {
            held,
            unit: vec![0.0; nc],
            known: None,
            active: Vec::new(),
            changes: 0,
            idle: Vec::new(),
        }
    }

    /// V is to be found anew.
    pub(super) fn forget(&mut self) {
        self.known = None;
    }

    /// Whether V of the matrices and rows is known; they are kept if not.
    fn is_known(
        &mut self,
        now: &Canonical<'_>,
        rows: &[usize],
        active: &impl Fn(usize) -> bool,
    ) -> bool {
        let matrices = [now.mass.values(), now.jacobian.values()];
        let counts = rows.iter().map(|&row| active(row));
        if let Some(known) = &self.known
            && counts.clone().eq(self.active.iter().copied())
            && known.iter().zip(matrices).all(|(old, new)| old == new)
        {
            return true;
        }
        self.active.clear();
        self.active.extend(counts);
        let known = self.known.get_or_insert_default();
        for (old, new) in known.iter_mut().zip(matrices) {
            old.clear();
            old.extend_from_slice(new);
        }
        self.changes += 1;
        false
    }

    /// v' and λ under a force, for M and A as factored.
    pub(super) fn solve(
        &mut self,
        now: &Canonical<'_>,
        factorisation: &mut Factorisation,
        force: &[f64],
        (acceleration, multipliers): (&mut [f64], &mut [f64]),
    ) -> Result<(), Failure> {
        let Some(held) = &mut self.held else {
            return Ok(factorisation.solve(force, now.bias, acceleration, multipliers)?);
        };
        let problem = Problem {
            force,
            nonideal: &held.none,
            ..Problem::from(*now)
        };
        held.saddle
            .solve(&problem, held.tolerance, &mut held.motion)?;
        acceleration.copy_from_slice(&held.motion.acceleration);
        multipliers.copy_from_slice(&held.motion.multipliers);
        Ok(())
    }

    /// Coordinates on which laws act, and v' that forces one along these bring about: where forces that hold rows make it no symmetric matrix.
    pub(super) fn columns(&self) -> Option<(&[usize], &[f64])> {
        let held = self.held.as_ref()?;
        Some((&held.coordinates, &held.columns))
    }

    /// v' and λ that a force alone brings about, for the problem last solved.
    pub(super) fn move_by(
        &mut self,
        factorisation: &mut Factorisation,
        push: &[f64],
        (acceleration, multipliers): (&mut [f64], &mut [f64]),
    ) -> Result<(), Failure> {
        if let Some(held) = &mut self.held {
            held.saddle.respond(push, (acceleration, multipliers));
            return Ok(());
        }
        self.unit.fill(0.0);
        Ok(factorisation.solve(push, &self.unit, acceleration, multipliers)?)
    }

    /// V, for the problem last solved; nothing is done where M and A are those of which it is known.
    pub(super) fn respond(
        &mut self,
        now: &Canonical<'_>,
        factorisation: &mut Factorisation,
        search: &mut Search,
        active: impl Fn(usize) -> bool,
    ) -> Result<(), Failure> {
        // What holds rows by forces has directions of its own at each state.
        if self.held.is_some() {
            self.forget();
        }
        if self.is_known(now, &search.rows, &active) {
            return Ok(());
        }
        let mut lost = Vec::new();
        self.idle.clear();
        for i in 0..search.rows.len() {
            let row = search.rows[i];
            if !active(row) {
                // It has no reaction, whatever the forces.
                search.response_mut(i).fill(0.0);
                continue;
            }
            let unique = match &self.held {
                Some(held) => held.motion.rows[row].reaction_unique,
                None => {
                    self.unit.fill(0.0);
                    self.unit[row] = 1.0;
                    // Not where it is no number either.
                    factorisation.project(&self.unit, search.response_mut(i)) <= CLEAR
                }
            };
            if !unique {
                lost.push(row);
            }
        }
        if !lost.is_empty() {
            // Contacts share what they carry in many ways, and press in each: the least forces are taken.
            let (rows, contacts) = search.pressing();
            let is_contact = |row: &usize| {
                let mut all = rows.iter().zip(contacts);
                all.any(|(known, is)| known == row && *is)
            };
            if self.held.is_some() || !lost.iter().all(is_contact) {
                self.forget();
                return Err(Failure::ReactionNotUnique { rows: lost });
            }
            self.idle = search.idle(now);
        }
        let Some(held) = &mut self.held else {
            return Ok(());
        };
        let nv = held.push.len();
        for (k, &j) in held.coordinates.iter().enumerate() {
            held.push.fill(0.0);
            held.push[j] = 1.0;
            let moved = &mut held.columns[k * nv..][..nv];
            held.saddle.respond(&held.push, (moved, &mut self.unit));
            for i in 0..search.rows.len() {
                let row = search.rows[i];
                search.response_mut(i)[j] = -self.unit[row];
            }
        }
        Ok(())
    }
}
