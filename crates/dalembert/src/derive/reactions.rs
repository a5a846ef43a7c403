//! Formulas for the forces of the constraints.
//!
//! ```text
//! λ = (A M⁻¹ Aᵀ)⁻¹ (b − A M⁻¹ (h + w))                        [B92 3.6]
//! A_dᵀ λ = (M v' − h − w)_d                                   with the accelerations of the independent speeds
//! F_ideal = Aᵀ λ_ideal,  F_nonideal = w + Aᵀ (λ − λ_ideal)    [UK02 24, 37]
//! ```
//!
//! Both formulas for λ are tried, the first also with dependent speeds put in and with relations such as x² + y² = l²
//! used. Those that divide by nothing that moves come first, and of these the shortest.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992), `seeds/000`.
//! [UK02]: Udwadia, Kalaba, "On the foundations of analytical dynamics" (2002), `seeds/001`.

use super::algebra::{Algebra, Vector};
use super::canonical::Replacement;
use super::document::Equation;
use super::linear::solve;
use super::matrix::Matrix;
use super::reduction::{Reduction, reduce_speeds};
use super::result::{Forces, length};
use super::work::{Explicit, Work};
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::{ExprId, SymbolId};

/// A multiplier for each row, where there is a formula.
type Multipliers = Vec<Option<Fraction>>;

/// Forces of the constraints.
pub(super) struct Found {
    pub(super) multipliers: Vec<Option<ExprId>>,
    pub(super) forces: Forces,
    pub(super) notes: Vec<String>,
}

/// Formulas for all of them; with `reduction`, formulas for a motion in its speeds are looked for too.
pub(super) fn find(work: &mut Work, reduction: Option<&Reduction>) -> Found {
    let implicit = work.has_reactive_forces() || work.paradoxical;
    let explicit = match implicit {
        false => work.explicit().ok().cloned(),
        true => None,
    };
    let mut notes = Vec::new();
    let multipliers = match implicit {
        false => multipliers(work, reduction, explicit.as_ref()),
        true => {
            if !work.paradoxical {
                notes.push("forces depend on the reactions: no formula for these alone".to_owned());
            }
            vec![None; work.multipliers.len()]
        }
    };
    notes.extend(work.shared_reactions());
    let forces = forces(work, explicit.as_ref(), implicit);
    Found {
        multipliers,
        forces: forces.unwrap_or_default(),
        notes,
    }
}

fn multipliers(
    work: &mut Work,
    reduction: Option<&Reduction>,
    explicit: Option<&Explicit>,
) -> Vec<Option<ExprId>> {
    let mut tries: Vec<Multipliers> = Vec::new();
    let own;
    let reduction = match reduction {
        Some(reduction) => Some(reduction),
        None if !work.system.servo.is_empty() => None,
        None => {
            let canonical = work.in_speeds.clone();
            let rows = &work.system.rows;
            own = reduce_speeds(&mut work.algebra, &canonical, rows, None).ok();
            own.as_ref()
        }
    };
    if let Some(reduction) = reduction {
        tries.extend(by_dependent_speeds(&mut work.algebra, reduction).ok());
    }
    if let Some(explicit) = explicit {
        let same = reduction.filter(|it| it.on_surface.quasi == work.in_speeds.quasi);
        let on_surface = same.and_then(|it| on_surface(work, it, &explicit.multipliers).ok());
        tries.extend(on_surface);
        tries.push(explicit.multipliers.clone());
        if work.declare_surface() {
            let known = |it: &Option<Fraction>| it.as_ref().map(|it| work.algebra.renewed(it));
            let renewed = explicit.multipliers.iter().map(known);
            tries.push(renewed.map(|it| it.and_then(Result::ok)).collect());
        }
    }
    let unique = work.unique().unwrap_or_default();
    let formulas = |row: usize| tries.iter().filter_map(move |all| all[row].clone());
    let divides = |algebra: &Algebra, formula: &Fraction| {
        algebra.moves(&Fraction::from(formula.denominator().clone()))
    };
    let rows = 0..work.multipliers.len();
    let mut best = vec![None; work.multipliers.len()];
    for row in rows.filter(|&row| unique.get(row) == Some(&true)) {
        let mut formulas: Vector = formulas(row).collect();
        // What divides by a constant holds everywhere.
        if formulas
            .iter()
            .any(|formula| !divides(&work.algebra, formula))
        {
            formulas.retain(|formula| !divides(&work.algebra, formula));
        }
        let written = work.algebra.readable(&formulas, &[]);
        let graph = &work.algebra.graph;
        let long = |&right: &ExprId| length(graph, [Equation { left: right, right }].iter());
        best[row] = written.into_iter().min_by_key(long);
    }
    best
}

/// Formulas with solved coordinates and dependent speeds put in.
fn on_surface(
    work: &mut Work,
    reduction: &Reduction,
    formulas: &[Option<Fraction>],
) -> Result<Multipliers, Outside> {
    let canonical = &work.in_speeds;
    let coordinates = reduction.solved.iter();
    let mut known: Vec<Replacement> = coordinates
        .map(|it| (canonical.coordinates[it.coordinate], it.value.clone()))
        .collect();
    let speeds = reduction.dependent.iter();
    known.extend(speeds.map(|&(k, _)| (canonical.speeds[k], reduction.speeds[k].clone())));
    let mut found = Vec::new();
    for formula in formulas {
        found.push(match formula {
            None => None,
            Some(formula) => {
                let formula = std::slice::from_ref(formula);
                work.algebra.put_in(formula, &known)?.pop()
            }
        });
    }
    Ok(found)
}

/// Multipliers by the dependent ones of the equations of motion, in terms of independent accelerations.
#[expect(non_snake_case, reason = "letters of the papers")]
fn by_dependent_speeds(
    algebra: &mut Algebra,
    reduction: &Reduction,
) -> Result<Multipliers, Outside> {
    let surface = &reduction.on_surface;
    let rates = reduction.independent.iter();
    let rates: Vec<SymbolId> = rates.map(|&k| surface.speed_rates[k]).collect();
    let rates = algebra.symbols(&rates)?;
    let moved = reduction.D.along(algebra, &rates)?;
    let acceleration = algebra.add(&moved, &reduction.gamma)?;
    let residual = surface.residual(algebra, &acceleration)?;
    let (speeds, rows): (Vec<usize>, Vec<usize>) = reduction.dependent.iter().copied().unzip();
    let A_d = surface.A.with_rows(&rows).with_columns(&speeds);
    let right: Vector = speeds.iter().map(|&k| residual[k].clone()).collect();
    let right = Matrix::from_entries(right.len(), 1, right);
    let mut multipliers = vec![None; surface.b.len()];
    if let Some(solution) = solve(algebra, &A_d.transposed(), &right)? {
        for (place, &row) in rows.iter().enumerate() {
            multipliers[row] = Some(solution[(place, 0)].clone());
        }
    }
    Ok(multipliers)
}

/// h, Aᵀ λ_ideal, and what is left.
fn forces(work: &mut Work, explicit: Option<&Explicit>, implicit: bool) -> Result<Forces, Outside> {
    let canonical = work.in_speeds.clone();
    let nv = canonical.speeds.len();
    let algebra = &mut work.algebra;
    let across = canonical.A.transposed();
    let symbols = algebra.symbols(&work.multipliers)?;
    let is_ideal = canonical.w.iter().all(Fraction::is_zero);
    let implicit = implicit || !work.system.servo.is_empty();
    let (ideal, nonideal) = match (is_ideal, explicit) {
        _ if implicit => (vec![None; nv], vec![None; nv]),
        (true, _) => {
            let ideal = across.along(algebra, &symbols)?;
            let zero = vec![Some(Fraction::zero()); nv];
            (ideal.into_iter().map(Some).collect(), zero)
        }
        (false, None) => (vec![None; nv], vec![None; nv]),
        (false, Some(explicit)) => {
            let zeros = |all: &Multipliers| -> Vector {
                let part = |it: &Option<Fraction>| it.clone().unwrap_or_else(Fraction::zero);
                all.iter().map(part).collect()
            };
            let actual = zeros(&explicit.kept_multipliers);
            let of_ideal = zeros(&explicit.kept_ideal);
            let ideal = across.along(algebra, &of_ideal)?;
            let rest = across.along(algebra, &algebra.sub(&actual, &of_ideal)?)?;
            let nonideal = algebra.add(&canonical.w, &rest)?;
            (
                ideal.into_iter().map(Some).collect(),
                nonideal.into_iter().map(Some).collect(),
            )
        }
    };
    let mut written = |list: Vec<Option<Fraction>>| -> Vec<Option<ExprId>> {
        let known: Vector = list.iter().flatten().cloned().collect();
        let mut known = algebra.readable(&known, &[]).into_iter();
        list.iter()
            .map(|it| it.as_ref().and_then(|_| known.next()))
            .collect()
    };
    let (ideal, nonideal) = (written(ideal), written(nonideal));
    let given = algebra.readable(&canonical.h, &[]);
    Ok(Forces {
        given,
        ideal,
        nonideal,
    })
}
