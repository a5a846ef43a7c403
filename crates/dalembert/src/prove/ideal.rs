//! `F_ideal(q)` and `F_nonideal(q)` in equations: what ideal constraints would exert along a coordinate or a speed, and what
//! is not ideal about those of the model.
//!
//! ```text
//! M a = h + Aᵀ λ,  A a = b        the motion without w, at the same state
//! F_ideal = M a − h        F_nonideal = M q'' − h − F_ideal        [UK02 24, 37]
//! ```
//!
//! In quasi-velocities v = B q' + b₀ the same forces are F_v with Bᵀ F_v = F. Along coordinates that obey identities there are none.
//!
//! [UK02]: Udwadia, Kalaba, "On the foundations of analytical dynamics" (2002).

use super::reduced_motion::{LIMITS, dot};
use dalembert_expr::normal::linear::Matrix;
use dalembert_expr::normal::{Field, Fraction, Outside};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::System;
use dalembert_symbolic::assembled::Assembled;

/// How the parts are written.
pub(super) const WORDS: [&str; 2] = ["F_ideal", "F_nonideal"];

/// Names that forces are taken along: coordinates, then speeds; none where laws hold reactions, or forces rows.
pub(super) fn axes(mechanism: &Mechanism) -> Vec<String> {
    let (model, system) = (&mechanism.model, &mechanism.system);
    if system.has_laws() || !system.servo.is_empty() {
        return Vec::new();
    }
    let free = system.identities() == 0;
    let coordinates = model.coordinates.iter().filter(|_| free);
    let coordinates = coordinates.map(|(name, _)| name);
    let names = coordinates.chain(model.speeds.iter().map(|(name, _)| name));
    names.map(|name| name.text.clone()).collect()
}

/// What the names that occur among some symbols stand for.
pub(super) fn meanings(
    graph: &mut Graph,
    mechanism: &Mechanism,
    used: &[SymbolId],
) -> Result<Vec<(ExprId, ExprId)>, Outside> {
    let is_part = |&symbol: &SymbolId| {
        let data = graph.symbol_data(symbol);
        let word = data.name.split('(').next().unwrap_or_default();
        data.kind == SymbolKind::Multiplier && WORDS.contains(&word)
    };
    if !used.iter().any(is_part) {
        return Ok(Vec::new());
    }
    let system = &mechanism.system;
    let n = system.symbols.coordinates.len();
    let mut field = Field::with_limits(LIMITS);
    let parts = Parts::of(graph, &mut field, system)?;
    let ideal = parts.ideal(&field)?;
    let rates = system.symbols.accelerations.iter();
    let rates: Result<Vec<_>, Outside> = rates.map(|&it| field.symbol(it)).collect();
    let rates: Vec<Fraction> = rates?.into_iter().map(|it| field.element(it)).collect();
    let mut nonideal = Vec::with_capacity(n);
    for (force, ideal) in parts.along(&field, &rates)?.iter().zip(&ideal) {
        nonideal.push(field.sub(force, ideal)?);
    }
    let mut found = Vec::new();
    let axes = axes(mechanism);
    for (word, forces) in WORDS.into_iter().zip([ideal, nonideal]) {
        let mut forces: Matrix = forces.into_iter().map(|force| vec![force]).collect();
        if let Some(across) = speeds_across(graph, &mut field, system)? {
            let in_speeds = field.solve(&across, &forces)?.ok_or(Outside::Undefined)?;
            match system.identities() {
                0 => forces.extend(in_speeds),
                _ => forces = in_speeds,
            }
        }
        for (axis, force) in axes.iter().zip(forces.concat()) {
            let name = graph.symbol(&format!("{word}({axis})"), SymbolKind::Multiplier);
            found.push((name, field.to_graph(graph, &force)));
        }
    }
    Ok(found)
}

/// M, h and the rows of [A b].
struct Parts {
    mass: Matrix,
    given: Vec<Fraction>,
    rows: Matrix,
}

impl Parts {
    fn of(graph: &mut Graph, field: &mut Field, system: &System) -> Result<Self, Outside> {
        let (n, m) = (system.symbols.coordinates.len(), system.rows.len());
        let mut all = Assembled::of(graph, system).listed(graph);
        all.truncate(n * n + n + m * (n + 1));
        for &(k, part) in system.nonideal.iter().flatten() {
            all[n * n + k] = graph.sub(all[n * n + k], part);
        }
        let taken: Result<Vec<Fraction>, Outside> =
            field.take_all(graph, &all).into_iter().collect();
        let taken = taken?;
        let (mass, rest) = taken.split_at(n * n);
        let (given, rows) = rest.split_at(n);
        let by_rows = |entries: &[Fraction], width: usize| -> Matrix {
            entries.chunks(width).map(<[Fraction]>::to_vec).collect()
        };
        Ok(Self {
            mass: by_rows(mass, n),
            given: given.to_vec(),
            rows: by_rows(rows, n + 1),
        })
    }

    /// M a − h.
    fn along(&self, field: &Field, a: &[Fraction]) -> Result<Vec<Fraction>, Outside> {
        let rows = self.mass.iter().zip(&self.given);
        rows.map(|(row, given)| field.sub(&dot(field, row, a)?, given))
            .collect()
    }

    /// The same with the accelerations of the motion without w.
    fn ideal(&self, field: &Field) -> Result<Vec<Fraction>, Outside> {
        let (n, m) = (self.given.len(), self.rows.len());
        let mut whole: Matrix = Vec::with_capacity(n + m);
        for (k, (row, given)) in self.mass.iter().zip(&self.given).enumerate() {
            let reactions = self.rows.iter().map(|row| field.neg(&row[k]));
            let right = std::iter::once(given.clone());
            whole.push(row.iter().cloned().chain(reactions).chain(right).collect());
        }
        for row in &self.rows {
            let (entries, right) = row.split_at(n);
            let zeros = std::iter::repeat_n(Fraction::zero(), m);
            let right = right.iter().cloned();
            whole.push(entries.iter().cloned().chain(zeros).chain(right).collect());
        }
        let echelon = field.echelon(&whole, n + m, &(0..n).collect::<Vec<_>>())?;
        let mut a = vec![None; n];
        for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
            let mut others = (0..n + m).filter(|&k| k != pivot);
            if pivot < n && others.all(|k| row[k].is_zero()) {
                a[pivot] = Some(row[n + m].clone());
            }
        }
        let a: Option<Vec<Fraction>> = a.into_iter().collect();
        self.along(field, &a.ok_or(Outside::Undefined)?)
    }
}

/// Bᵀ, if the model has quasi-velocities.
fn speeds_across(
    graph: &Graph,
    field: &mut Field,
    system: &System,
) -> Result<Option<Matrix>, Outside> {
    let Some(speeds) = &system.speeds else {
        return Ok(None);
    };
    let n = system.symbols.coordinates.len();
    let mut across = vec![vec![Fraction::zero(); n]; n];
    for (row, entries) in speeds.matrix.iter().enumerate() {
        for &(column, entry) in entries {
            across[column][row] = field.take(graph, entry)?;
        }
    }
    Ok(Some(across))
}
