//! Dependent coordinates and speeds, solved for.
//!
//! ```text
//! position rows   q_d = g(q_i, t)                 where a row is linear in a coordinate, with a constant coefficient
//! velocity rows   v = D u + ν                     [B92 4.2, 5.2] [A83 2.6.3], u the independent ones of v
//!                 v' = D u' + γ,  γ = D' u + ν'   [B92 4.5]
//! ```
//!
//! Other position rows stay implicit: their rates are rows like those of velocities, and their coordinates stay in D.
//!
//! * Nonlinear velocity rows and acceleration rows have no D [B92 5.8–5.9]: [`Unreduced::NotReducible`].
//! * Rows that depend on others are left out; rows that contradict them are named.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).
//! [A83]: Angeles, "Lagrangian dynamics" (1983).

use super::algebra::{Algebra, Vector};
use super::canonical::{Canonical, Replacement};
use dalembert_expr::SymbolId;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_mechanics::lower::{Level, Row};
use dalembert_symbolic::elimination::{Judge, reduce};
use dalembert_symbolic::matrix::Matrix;
use dalembert_symbolic::surface::{root, slopes};
use std::collections::BTreeSet;

/// Dependent coordinates and speeds, and how independent speeds move them.
#[expect(non_snake_case, reason = "letters of the papers")]
#[derive(Clone)]
pub(super) struct Reduction {
    /// Coordinates that rows give explicitly.
    pub(super) solved: Vec<Solved>,
    /// Independent speeds, by index.
    pub(super) independent: Vec<usize>,
    /// Dependent speeds and the rows that give them.
    pub(super) dependent: Vec<(usize, usize)>,
    pub(super) D: Matrix,
    /// v in terms of independent speeds: D u + ν.
    pub(super) speeds: Vector,
    pub(super) gamma: Vector,
    /// Everything in terms of independent speeds and coordinates that are not solved for.
    pub(super) on_surface: Canonical,
}

impl Reduction {
    /// Whether nothing depends on anything else.
    pub(super) fn is_trivial(&self) -> bool {
        self.solved.is_empty() && self.dependent.is_empty()
    }
}

/// A coordinate that a row gives explicitly.
#[derive(Clone)]
pub(super) struct Solved {
    /// Its index.
    pub(super) coordinate: usize,
    /// In terms of coordinates that are not solved for, and time.
    pub(super) value: Fraction,
}

/// Why there are no independent speeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unreduced {
    /// Rows that are not linear in the velocities, or of accelerations.
    NotReducible(Vec<usize>),
    /// A row contradicts those before it.
    Contradictory(usize),
    /// The speeds that were chosen are not independent, or not all: how many there are.
    BadChoice(usize),
    /// Rows that are independent almost everywhere depend on each other where they are met.
    Paradoxical,
    /// No normal form.
    Outside(Outside),
}

impl From<Outside> for Unreduced {
    fn from(outside: Outside) -> Self {
        Self::Outside(outside)
    }
}

/// Solves position rows for coordinates that they give explicitly, each in terms of those that are not solved for.
/// Coordinates in `kept` are not solved for.
pub(super) fn solve_positions(
    algebra: &mut Algebra,
    canonical: &Canonical,
    rows: &[Row],
    kept: &[usize],
) -> Result<Vec<Solved>, Outside> {
    let mut solved: Vec<Solved> = Vec::new();
    let positions = rows.iter().filter(|row| row.level == Level::Position);
    for row in positions {
        let known = replacements(&canonical.coordinates, &solved);
        let residual = algebra.take(&[row.residual])?;
        let residual = algebra.put_in(&residual, &known)?.remove(0);
        let present = algebra.symbols_of(&residual);
        let is_free = |k: &usize| {
            let taken = solved.iter().any(|other| other.coordinate == *k);
            present.contains(&canonical.coordinates[*k]) && !kept.contains(k) && !taken
        };
        let free = (0..canonical.coordinates.len()).filter(is_free);
        let free: Vec<SymbolId> = free.map(|k| canonical.coordinates[k]).collect();
        let slopes = slopes(&mut algebra.field, &residual, &free)?;
        let slopes = slopes
            .into_iter()
            .filter(|(_, slope)| !algebra.moves(slope) && !algebra.vanishes(slope));
        let simplest = slopes.min_by_key(|(_, slope)| algebra.complexity(slope));
        let Some((coordinate, slope)) = simplest else {
            continue;
        };
        let Some(value) = root(&mut algebra.field, &residual, coordinate, &slope)? else {
            continue;
        };
        let place = canonical.coordinates.iter().position(|&q| q == coordinate);
        let Some(k) = place else { continue };
        for earlier in &mut solved {
            let with = algebra.put_in(
                std::slice::from_ref(&earlier.value),
                &[(coordinate, value.clone())],
            )?;
            earlier.value = with.into_iter().next().unwrap_or_else(Fraction::zero);
        }
        solved.push(Solved {
            coordinate: k,
            value,
        });
    }
    Ok(solved)
}

/// Solved coordinates as replacements.
fn replacements(coordinates: &[SymbolId], solved: &[Solved]) -> Vec<Replacement> {
    let replacement = |it: &Solved| (coordinates[it.coordinate], it.value.clone());
    solved.iter().map(replacement).collect()
}

/// Solves the velocity rows for dependent speeds. `chosen` are the independent ones, if the user named them.
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn reduce_speeds(
    algebra: &mut Algebra,
    canonical: &Canonical,
    rows: &[Row],
    chosen: Option<&[usize]>,
) -> Result<Reduction, Unreduced> {
    let refused: Vec<usize> = (0..rows.len())
        .filter(|&row| !rows[row].linear || rows[row].level == Level::Acceleration)
        .collect();
    if !refused.is_empty() {
        return Err(Unreduced::NotReducible(refused));
    }
    let nv = canonical.speeds.len();
    let kept = chosen.filter(|_| !canonical.quasi).unwrap_or_default();
    let solved = solve_positions(algebra, canonical, rows, kept)?;
    let known = replacements(&canonical.coordinates, &solved);
    let surface = canonical.put_in(algebra, &known)?;

    // Rows of [A c], ψ = A v + c.
    let at_rest: Vec<Replacement> = surface
        .speeds
        .iter()
        .map(|&v| (v, Fraction::zero()))
        .collect();
    let constants = algebra.put_in(&surface.rates, &at_rest)?;
    let whole = surface.A.clone().beside(&Matrix::from_column(constants));
    let used = used_coordinates(algebra, &surface);
    let price = |column: usize| match chosen {
        Some(chosen) if chosen.contains(&column) => None,
        _ => Some(u64::from(used[column])),
    };
    let reduced = reduce(algebra, whole.clone(), nv, &price)?;
    let rank = match chosen {
        Some(_) => reduce(algebra, whole, nv, &|_| Some(0))?.pivots.len(),
        None => reduced.pivots.len(),
    };
    for row in (0..rows.len()).filter(|row| reduced.pivots.iter().all(|(r, _)| r != row)) {
        let rest = reduced.matrix.row(row);
        let mut entries = rest.range(..nv);
        match entries.all(|(_, entry)| algebra.vanishes(entry)) {
            false => return Err(Unreduced::BadChoice(nv - rank)),
            true if !algebra.vanishes(&reduced.matrix[(row, nv)]) => {
                return Err(Unreduced::Contradictory(row));
            }
            true => {}
        }
    }
    let independent = reduced.free_columns(nv);
    if chosen.is_some_and(|chosen| chosen.len() != independent.len()) {
        return Err(Unreduced::BadChoice(nv - rank));
    }

    let D = reduced.null_space(&algebra.field, &independent, nv);
    let mut nu = vec![Fraction::zero(); nv];
    for &(row, column) in &reduced.pivots {
        nu[column] = algebra.field.neg(&reduced.matrix[(row, nv)]);
    }
    let u: Vec<SymbolId> = independent.iter().map(|&k| surface.speeds[k]).collect();
    let u = algebra.symbols(&u)?;
    let speeds = algebra.add(&D.along(&algebra.field, &u)?, &nu)?;
    let dependent: Vec<(usize, usize)> = reduced.pivots.iter().map(|&(r, c)| (c, r)).collect();
    let moved: Vec<Replacement> = dependent
        .iter()
        .map(|&(k, _)| (surface.speeds[k], speeds[k].clone()))
        .collect();
    let on_surface = surface.put_in(algebra, &moved)?;
    let gamma = rate_at_rest(algebra, &on_surface, &speeds)?;
    Ok(Reduction {
        solved,
        independent,
        dependent,
        D,
        speeds,
        gamma,
        on_surface,
    })
}

/// d/dt of functions of coordinates, independent speeds and time, without the terms that hold rates of speeds.
fn rate_at_rest(
    algebra: &mut Algebra,
    surface: &Canonical,
    speeds: &[Fraction],
) -> Result<Vector, Outside> {
    let rates = algebra.add(&surface.N.along(&algebra.field, speeds)?, &surface.n)?;
    let along: Vec<Replacement> = surface
        .coordinates
        .iter()
        .copied()
        .zip(rates)
        .chain([(surface.time, Fraction::one())])
        .collect();
    let mut derivatives = Vec::new();
    for speed in speeds {
        let mut terms = Vec::new();
        let present = algebra.symbols_of(speed);
        for (symbol, rate) in along.iter().filter(|(it, _)| present.contains(it)) {
            let slope = algebra.field.derivative(speed, *symbol)?;
            if !slope.is_zero() {
                terms.push(algebra.field.mul(&slope, rate)?);
            }
        }
        derivatives.push(algebra.field.sum(&terms)?);
    }
    Ok(derivatives)
}

/// Whether the matrices depend on the coordinate of a rate: such rates are better kept.
fn used_coordinates(algebra: &Algebra, surface: &Canonical) -> Vec<bool> {
    if surface.quasi {
        return vec![false; surface.speeds.len()];
    }
    let matrices = surface.M.entries().chain(surface.A.entries());
    let all = matrices.chain(&surface.h).chain(&surface.w);
    let used: BTreeSet<SymbolId> = all.flat_map(|entry| algebra.symbols_of(entry)).collect();
    let coordinates = surface.coordinates.iter();
    coordinates.map(|it| used.contains(it)).collect()
}
