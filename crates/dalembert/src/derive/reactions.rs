//! Formulas for the forces of the constraints.
//!
//! ```text
//! λ = (A M⁻¹ Aᵀ)⁻¹ (b − A M⁻¹ (h + w))                        [B92 3.6]
//! A_dᵀ λ = (M v' − h − w)_d                                   with the accelerations of the independent speeds
//! F_ideal = Aᵀ λ_ideal,  F_nonideal = w + Aᵀ (λ − λ_ideal)    [UK02 24, 37]
//! ```
//!
//! Both formulas for λ are tried, the first also with dependent speeds put in and with relations such as x² + y² = l²
//! used. Those that divide by nothing that moves come first, and of these the shortest; where that is still too long to be
//! read, the multipliers come from the equations of motion, see `by_equations.rs`. All are in the speeds of the page.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).
//! [UK02]: Udwadia, Kalaba, "On the foundations of analytical dynamics" (2002).

use super::algebra::{Algebra, Vector};
use super::by_equations::ByEquations;
use super::canonical::{Canonical, Replacement};
use super::derived::COMPARED;
use super::divisors::{divisors, zero_at_start};
use super::page::Equation;
use super::reduction::{Reduction, reduce_speeds};
use super::result::{Forces, length, length_of};
use super::work::Work;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::{Cone, ExprId, SymbolId};
use dalembert_symbolic::elimination::solve;
use dalembert_symbolic::matrix::Matrix;

/// A formula of more characters is too long to be read.
const LONG: usize = 500;

/// A multiplier for each row, where there is a formula.
type Multipliers = Vec<Option<Fraction>>;

/// Forces of the constraints.
pub(super) struct Found {
    pub(super) multipliers: Vec<Option<ExprId>>,
    /// Names that the multipliers use, and what these stand for.
    pub(super) definitions: Vec<Equation>,
    pub(super) forces: Forces,
    pub(super) notes: Vec<String>,
}

/// What elimination in the equations of the multipliers gives, in the speeds of the page.
struct Solved {
    multipliers: Multipliers,
    /// With zeros for rows that depend on others.
    kept: Multipliers,
    /// And that without w.
    kept_ideal: Multipliers,
}

/// Formulas for all of them on a page in model speeds or in rates; with `reduction`, formulas for a motion in its speeds are
/// looked for too. `all_accelerations` says whether all of them are on the page.
pub(super) fn find(
    work: &mut Work,
    in_model_speeds: bool,
    reduction: Option<&Reduction>,
    all_accelerations: bool,
) -> Found {
    let implicit = work.has_reactive_forces() || work.paradoxical;
    let canonical = match in_model_speeds {
        true => work.in_speeds.clone(),
        false => work.in_coordinates.clone(),
    };
    let explicit = match implicit {
        false => solved(work, &canonical).ok(),
        true => None,
    };
    let mut notes = Vec::new();
    let mut definitions = Vec::new();
    let multipliers = match implicit {
        false => {
            let mut found = multipliers(work, &canonical, reduction, explicit.as_ref());
            definitions = shorter(work, &canonical, all_accelerations, &mut found);
            found
        }
        true => {
            if !work.paradoxical {
                notes.push("forces depend on the reactions: no formula for these alone".to_owned());
            }
            vec![None; work.multipliers.len()]
        }
    };
    notes.extend(work.undecided_rows());
    notes.extend(work.shared_reactions());
    let forces = forces(work, &canonical, explicit.as_ref(), implicit);
    Found {
        multipliers,
        definitions,
        forces: forces.unwrap_or_default(),
        notes,
    }
}

/// What the explicit solution says, with rates in place of quasi-velocities if the page is in these.
fn solved(work: &mut Work, canonical: &Canonical) -> Result<Solved, Outside> {
    let explicit = work.explicit()?.clone();
    let mut known: Vec<Replacement> = Vec::new();
    if canonical.quasi != work.in_speeds.quasi {
        let values = work.system.speeds.iter().flat_map(|it| &it.values);
        let values: Vec<ExprId> = values.copied().collect();
        let values = work.algebra.take(&values)?;
        known.extend(work.in_speeds.speeds.iter().copied().zip(values));
    }
    let mut in_rates = |all: Multipliers| put_in(&mut work.algebra, &known, &all);
    Ok(Solved {
        multipliers: in_rates(explicit.multipliers)?,
        kept: in_rates(explicit.kept_multipliers)?,
        kept_ideal: in_rates(explicit.kept_ideal)?,
    })
}

/// Formulas with others put in for symbols.
fn put_in(
    algebra: &mut Algebra,
    known: &[Replacement],
    formulas: &[Option<Fraction>],
) -> Result<Multipliers, Outside> {
    let mut found = Vec::new();
    for formula in formulas {
        found.push(match formula {
            None => None,
            Some(formula) => algebra.put_in(std::slice::from_ref(formula), known)?.pop(),
        });
    }
    Ok(found)
}

fn multipliers(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
    explicit: Option<&Solved>,
) -> Vec<Option<ExprId>> {
    let mut tries: Vec<Multipliers> = Vec::new();
    let own;
    let reduction = match reduction {
        Some(reduction) => Some(reduction),
        None if !work.system.servo.is_empty() => None,
        None => {
            let rows = &work.system.rows;
            own = reduce_speeds(&mut work.algebra, canonical, rows, None).ok();
            own.as_ref()
        }
    };
    if let Some(reduction) = reduction {
        tries.extend(by_dependent_speeds(&mut work.algebra, reduction).ok());
    }
    if let Some(explicit) = explicit {
        let on_surface = reduction.map(|reduction| {
            let known = on_surface(canonical, reduction);
            put_in(&mut work.algebra, &known, &explicit.multipliers)
        });
        tries.extend(on_surface.and_then(Result::ok));
        tries.push(explicit.multipliers.clone());
        if work.declare_surface() {
            let known = |it: &Option<Fraction>| it.as_ref().map(|it| work.algebra.renewed(it));
            let renewed = explicit.multipliers.iter().map(known);
            tries.push(renewed.map(|it| it.and_then(Result::ok)).collect());
        }
    }
    let unique = work.unique().unwrap_or_default();
    let formulas = |row: usize| tries.iter().filter_map(move |all| all[row].clone());
    let rows = 0..work.multipliers.len();
    let mut best = vec![None; work.multipliers.len()];
    for row in rows.filter(|&row| unique.get(row) == Some(&true)) {
        let formulas: Vector = formulas(row).collect();
        let written = work.algebra.readable(&formulas, &[]);
        let Work { algebra, signs, .. } = &mut *work;
        // What divides by nothing that can vanish holds everywhere.
        best[row] = written.into_iter().min_by_key(|&formula| {
            let divides = !divisors(algebra, signs, &[formula], &[]).is_empty();
            let at_start = divides && !zero_at_start(algebra, signs, &[formula]).is_empty();
            (at_start, divides, length_of(&algebra.graph, &[formula]))
        });
    }
    best
}

/// What is to be known of a formula before another is taken in its place.
struct Merits {
    row: usize,
    /// Too long to be read, or missing.
    long: bool,
    /// Whether it divides by what may vanish.
    divides: bool,
    /// Whether it divides by what is zero at the start.
    zero_at_start: bool,
    /// Whether it is in the state alone.
    of_state: bool,
    length: usize,
}

impl Merits {
    fn of(work: &mut Work, canonical: &Canonical, row: usize, formula: Option<ExprId>) -> Self {
        let all: Vec<ExprId> = formula.into_iter().collect();
        let Work { algebra, signs, .. } = work;
        let graph = &algebra.graph;
        let symbols = Cone::new(graph, &all).symbols(graph);
        let mut rates = canonical.speed_rates.iter();
        let length = length_of(graph, &all);
        Self {
            row,
            long: formula.is_none() || length > LONG,
            of_state: rates.all(|rate| !symbols.contains(rate)),
            length,
            divides: !divisors(algebra, signs, &all, &[]).is_empty(),
            zero_at_start: !zero_at_start(algebra, signs, &all).is_empty(),
        }
    }
}

/// Puts formulas by the equations in place of those that are long or missing. On pages whose equations hold all
/// accelerations, also of others that are not in the state alone, if they are longer or divide by what may vanish where these
/// do not. Gives the names that they use.
fn shorter(
    work: &mut Work,
    canonical: &Canonical,
    all_accelerations: bool,
    found: &mut [Option<ExprId>],
) -> Vec<Equation> {
    work.algebra.allow(COMPARED);
    let (Ok(unique), Ok((rows, _))) = (work.unique(), work.pivots()) else {
        return Vec::new();
    };
    let rows_of_page = (0..found.len()).filter(|&row| unique[row]);
    let mut merits: Vec<Merits> = rows_of_page
        .map(|row| Merits::of(work, canonical, row, found[row]))
        .collect();
    merits.retain(|it| it.long || it.zero_at_start || all_accelerations && !it.of_state);
    if merits.is_empty() {
        return Vec::new();
    }
    let wanted: Vec<usize> = merits.iter().map(|it| it.row).collect();
    let Ok(other) = ByEquations::find(work, canonical, &rows, &wanted) else {
        return Vec::new();
    };
    let mut taken = Vec::new();
    for it in &merits {
        let Some((divides, zero)) = other.divides(&work.algebra, &work.signs, it.row) else {
            continue;
        };
        let better = match (it.long, it.divides, divides) {
            _ if zero != it.zero_at_start => it.zero_at_start,
            (true, ..) | (false, true, false) => true,
            (false, false, true) => false,
            (false, ..) => {
                let (formula, names) = other.written(&mut work.algebra, &[it.row]);
                let graph = &work.algebra.graph;
                let length = length_of(graph, &formula) + length(graph, names.iter());
                4 * length < 3 * it.length
            }
        };
        if better {
            taken.push(it);
        }
    }
    let rows: Vec<usize> = taken.iter().map(|it| it.row).collect();
    let (formulas, definitions) = other.written(&mut work.algebra, &rows);
    let before: usize = taken.iter().map(|it| it.length).sum();
    let needed = |it: &&Merits| it.zero_at_start || found[it.row].is_none();
    let missing = taken.iter().any(needed);
    let graph = &work.algebra.graph;
    let after = length_of(graph, &formulas) + length(graph, definitions.iter());
    if !missing && after > before {
        return Vec::new();
    }
    for (row, formula) in rows.into_iter().zip(formulas) {
        found[row] = Some(formula);
    }
    definitions
}

/// What solved coordinates and dependent speeds are.
fn on_surface(canonical: &Canonical, reduction: &Reduction) -> Vec<Replacement> {
    let coordinates = reduction.solved.iter();
    let mut known: Vec<Replacement> = coordinates
        .map(|it| (canonical.coordinates[it.coordinate], it.value.clone()))
        .collect();
    let speeds = reduction.dependent.iter();
    known.extend(speeds.map(|&(k, _)| (canonical.speeds[k], reduction.speeds[k].clone())));
    known
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
    let moved = reduction.D.along(&algebra.field, &rates)?;
    let acceleration = algebra.add(&moved, &reduction.gamma)?;
    let residual = surface.residual(algebra, &acceleration)?;
    let (speeds, rows): (Vec<usize>, Vec<usize>) = reduction.dependent.iter().copied().unzip();
    let A_d = surface.A.with_rows(&rows).with_columns(&speeds);
    let right: Vector = speeds.iter().map(|&k| residual[k].clone()).collect();
    let right = Matrix::from_column(right);
    let mut multipliers = vec![None; surface.b.len()];
    if let Some(solution) = solve(algebra, &A_d.transposed(), &right)? {
        for (place, &row) in rows.iter().enumerate() {
            multipliers[row] = Some(solution[(place, 0)].clone());
        }
    }
    Ok(multipliers)
}

/// h, Aᵀ λ_ideal, and what is left.
fn forces(
    work: &mut Work,
    canonical: &Canonical,
    explicit: Option<&Solved>,
    implicit: bool,
) -> Result<Forces, Outside> {
    let nv = canonical.speeds.len();
    let algebra = &mut work.algebra;
    let across = canonical.A.transposed();
    let symbols = algebra.symbols(&work.multipliers)?;
    let is_ideal = canonical.w.iter().all(Fraction::is_zero);
    let implicit = implicit || !work.system.servo.is_empty();
    let (ideal, nonideal) = match (is_ideal, explicit) {
        _ if implicit => (vec![None; nv], vec![None; nv]),
        (true, _) => {
            let ideal = across.along(&algebra.field, &symbols)?;
            let zero = vec![Some(Fraction::zero()); nv];
            (ideal.into_iter().map(Some).collect(), zero)
        }
        (false, None) => (vec![None; nv], vec![None; nv]),
        (false, Some(explicit)) => {
            let zeros = |all: &Multipliers| -> Vector {
                let part = |it: &Option<Fraction>| it.clone().unwrap_or_else(Fraction::zero);
                all.iter().map(part).collect()
            };
            let actual = zeros(&explicit.kept);
            let of_ideal = zeros(&explicit.kept_ideal);
            let ideal = across.along(&algebra.field, &of_ideal)?;
            let rest = across.along(&algebra.field, &algebra.sub(&actual, &of_ideal)?)?;
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
