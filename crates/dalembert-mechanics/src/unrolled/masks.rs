//! Constraints that come and go, in programs: an input for each of them is one where it holds, and zero where it does not.
//!
//! What is masked asks for nothing: its row, its right side and its virtual-work vector are zero, and −1 stands on the diagonal, so that
//! its multiplier is zero too. A system without such constraints has no such inputs.

use super::compiled::Compiled;
use crate::ids::ConstraintId;
use crate::lower::System;
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};

/// The inputs for the constraints that come and go.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    constraints: Vec<usize>,
    /// The inputs.
    pub symbols: Vec<SymbolId>,
}

impl Masks {
    /// Inputs for a system, in a graph that holds its expressions.
    #[must_use]
    pub fn new(g: &mut Graph, system: &System) -> Self {
        let mut masks = Self::default();
        for (constraint, activity) in system.activity.iter().enumerate() {
            if activity.changes() {
                // A name that no model can give.
                let symbol = g.symbol(&format!("active {constraint}"), SymbolKind::Parameter);
                masks.symbols.extend(g.as_symbol(symbol));
                masks.constraints.push(constraint);
            }
        }
        masks
    }

    /// The constraints that come and go.
    #[must_use]
    pub fn constraints(&self) -> &[usize] {
        &self.constraints
    }

    /// What a constraint is multiplied by, if it comes and goes.
    pub(super) fn of(&self, g: &mut Graph, constraint: ConstraintId) -> Option<ExprId> {
        let mut constraints = self.constraints.iter();
        let place = constraints.position(|&it| it == constraint.index())?;
        Some(g.symbol_node(self.symbols[place]))
    }

    /// A value of a constraint where that holds.
    pub fn put_on(&self, g: &mut Graph, constraint: ConstraintId, value: ExprId) -> ExprId {
        match self.of(g, constraint) {
            Some(mask) => g.mul(mask, value),
            None => value,
        }
    }

    /// What stands on the diagonal of some rows.
    pub(super) fn diagonal(&self, g: &mut Graph, system: &System, rows: &[usize]) -> Vec<ExprId> {
        let one = g.integer(1);
        let each = rows
            .iter()
            .map(|&row| match self.of(g, system.rows[row].constraint) {
                Some(mask) => g.sub(mask, one),
                None => g.integer(0),
            });
        each.collect()
    }

    /// Sets the inputs of a program, which begin at a place.
    pub(super) fn set(&self, compiled: &mut Compiled, start: usize, active: &[bool]) {
        for (place, &constraint) in self.constraints.iter().enumerate() {
            compiled.inputs[start + place] = f64::from(u8::from(active[constraint]));
        }
        compiled.forget();
    }
}
