//! A formulation with everything that belongs to it.

use super::DeriveOptions;
use super::algebra::Algebra;
use super::blocks::blocks;
use super::candidates::{Candidate, Derived, Proofs};
use super::canonical::{Canonical, in_laws};
use super::document::Equation;
use super::matrix::Matrix;
use super::reduction::Reduction;
use super::result::{Derivation, Independent, Matrices};
use super::shorthand::shortened;
use super::work::Work;
use super::{motion, reactions};
use dalembert_expr::normal::Fraction;
use dalembert_expr::{ExprId, SymbolId, substitute};

/// The derivation that a candidate is.
pub(super) fn finish(
    mut work: Work,
    best: Candidate,
    proofs: Proofs,
    options: &DeriveOptions,
) -> Derivation {
    let Derived {
        form,
        route,
        canonical,
        reduction,
    } = best.derived;
    let reduction = reduction.as_ref();
    let independent = reduction.map(|reduction| Independent {
        speeds: reduction
            .independent
            .iter()
            .map(|&k| work.algebra.graph.symbol_node(canonical.speeds[k]))
            .collect(),
        dependent: dependent(&mut work, reduction),
        nonzero: nonzero(&mut work.algebra, reduction),
    });
    let kinematics = kinematics(&mut work, &canonical, reduction);
    let tangent = match reduction {
        Some(reduction) => Some(reduction.D.clone()),
        None if work.paradoxical => None,
        // Found in the model's speeds, it belongs to no matrices in rates.
        None if canonical.quasi != work.in_speeds.quasi => None,
        None => work.tangent().ok().cloned(),
    };
    let tangent = route.tangent.or(tangent);
    let shown = options.steps || options.matrices;
    let matrices = match shown {
        true => matrices(&mut work, &canonical, tangent.as_ref()),
        false => Matrices::default(),
    };
    let (motions, energies) = match shown {
        true => (
            motion::motions(&mut work, &canonical, reduction),
            motion::energies(&mut work, &canonical, reduction),
        ),
        false => (Vec::new(), None),
    };
    let orthogonal = route.orthogonal.as_ref();
    let orthogonal = orthogonal.map(|matrix| written(&mut work.algebra, matrix));
    // Last: it may declare relations between the coordinates.
    let mut found = reactions::find(&mut work, reduction);
    let mut equations = best.printed;
    let formulas = &mut found.multipliers;
    let shorthands = shortened(&mut work.algebra.graph, &mut equations, formulas);
    let mut derivation = Derivation {
        form,
        title: work.model.title.clone(),
        coordinates: names(&work, &canonical.coordinates),
        speeds: names(&work, &canonical.speeds),
        rows: work
            .system
            .rows
            .iter()
            .map(|row| row.name.clone())
            .collect(),
        motions,
        energies,
        kinematics,
        independent,
        shorthands,
        equations,
        reactions: by_constraint(&mut work),
        multipliers: found.multipliers,
        forces: found.forces,
        matrices,
        proved: proofs.proved,
        not_proved: proofs.not_proved,
        notes: found.notes,
        blocks: Vec::new(),
        graph: work.algebra.graph,
    };
    derivation.blocks = blocks(&mut derivation, options, orthogonal);
    derivation
}

/// Names of symbols, with their primes.
fn names(work: &Work, symbols: &[SymbolId]) -> Vec<String> {
    let name = |&symbol: &SymbolId| work.algebra.graph.symbol_data(symbol).to_string();
    symbols.iter().map(name).collect()
}

fn written(algebra: &mut Algebra, matrix: &Matrix) -> Vec<Vec<ExprId>> {
    let entries = algebra.readable(matrix.entries(), &[]);
    let rows = entries.chunks(matrix.columns().max(1));
    rows.map(<[ExprId]>::to_vec).collect()
}

/// What D and N divide by.
fn nonzero(algebra: &mut Algebra, reduction: &Reduction) -> Vec<ExprId> {
    let mut divisors: Vec<Fraction> = Vec::new();
    let entries = reduction
        .D
        .entries()
        .iter()
        .chain(reduction.on_surface.N.entries());
    for entry in entries {
        let divisor = Fraction::from(entry.denominator().clone());
        if algebra.moves(&divisor) && !divisors.contains(&divisor) {
            divisors.push(divisor);
        }
    }
    algebra.readable(&divisors, &[])
}

/// Coordinates that rows give, and the other dependent speeds.
pub(super) fn dependent(work: &mut Work, reduction: &Reduction) -> Vec<Equation> {
    let surface = &reduction.on_surface;
    // The rate of a solved coordinate says nothing new.
    let is_new =
        |speed: &usize| surface.quasi || reduction.solved.iter().all(|it| it.coordinate != *speed);
    let mut speeds: Vec<usize> = reduction.dependent.iter().map(|&(k, _)| k).collect();
    speeds.sort_unstable();
    speeds.retain(is_new);
    let solved = reduction.solved.iter();
    let pairs: Vec<(SymbolId, Fraction)> = solved
        .map(|it| (surface.coordinates[it.coordinate], it.value.clone()))
        .chain(
            speeds
                .iter()
                .map(|&k| (surface.speeds[k], reduction.speeds[k].clone())),
        )
        .collect();
    definitions(&mut work.algebra, pairs)
}

/// symbol = value.
fn definitions(algebra: &mut Algebra, pairs: Vec<(SymbolId, Fraction)>) -> Vec<Equation> {
    let (symbols, values): (Vec<SymbolId>, Vec<Fraction>) = pairs.into_iter().unzip();
    let values = algebra.readable(&values, &[]);
    let pairs = symbols.into_iter().zip(values);
    pairs
        .map(|(symbol, right)| Equation {
            left: algebra.graph.symbol_node(symbol),
            right,
        })
        .collect()
}

/// q' = N v + n, where v is not q'; with independent speeds put in.
pub(super) fn kinematics(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
) -> Vec<Equation> {
    if !canonical.quasi {
        return Vec::new();
    }
    let algebra = &mut work.algebra;
    let speeds = match reduction {
        Some(reduction) => Ok(reduction.speeds.clone()),
        None => algebra.symbols(&canonical.speeds),
    };
    let rates = speeds.and_then(|speeds| {
        let moved = canonical.N.along(algebra, &speeds)?;
        algebra.add(&moved, &canonical.n)
    });
    let is_solved = |k: usize| {
        let mut solved = reduction.iter().flat_map(|it| &it.solved);
        solved.any(|it| it.coordinate == k)
    };
    let places = rates.into_iter().flatten().enumerate();
    let shown = places.filter(|&(k, _)| !is_solved(k));
    let shown = shown.map(|(k, rate)| (work.in_coordinates.speeds[k], rate));
    let shown = shown.collect();
    definitions(algebra, shown)
}

#[expect(non_snake_case, reason = "letters of the papers")]
fn matrices(work: &mut Work, canonical: &Canonical, tangent: Option<&Matrix>) -> Matrices {
    let algebra = &mut work.algebra;
    let speeds = canonical.speeds.iter();
    Matrices {
        v: speeds.map(|&v| algebra.graph.symbol_node(v)).collect(),
        N: written(algebra, &canonical.N),
        n: algebra.readable(&canonical.n, &[]),
        M: written(algebra, &canonical.M),
        h: algebra.readable(&canonical.h, &[]),
        A: written(algebra, &canonical.A),
        b: algebra.readable(&canonical.b, &[]),
        w: algebra.readable(&canonical.w, &[]),
        D: tangent.map(|D| written(algebra, D)),
    }
}

/// A_iᵀ λ_i + w_i of each constraint, by coordinate.
fn by_constraint(work: &mut Work) -> Vec<(String, Vec<(String, ExprId)>)> {
    let coordinates = names(work, &work.in_coordinates.coordinates);
    let mut all = Vec::new();
    for (index, constraint) in work.model.constraints.iter().enumerate() {
        let g = &mut work.algebra.graph;
        let mut parts = vec![g.integer(0); coordinates.len()];
        let rows = work.system.rows.iter().zip(&work.multipliers).enumerate();
        for (at, (row, &multiplier)) in rows.filter(|(_, (row, _))| row.constraint == index) {
            let multiplier = g.symbol_node(multiplier);
            let direction = match work.system.held_by(at) {
                Some(force) => &work.system.forces[force].force,
                None => &row.jacobian,
            };
            for &(k, entry) in direction {
                let part = g.mul(entry, multiplier);
                parts[k] = g.add(parts[k], part);
            }
        }
        let own = work.system.nonideal.get(index).into_iter().flatten();
        own.for_each(|&(k, part)| parts[k] = g.add(parts[k], part));
        let pairs = in_laws(g, work.system);
        let parts = substitute(g, &parts, &pairs);
        let parts = dalembert_expr::simplify(g, &parts);
        let zero = g.integer(0);
        let known = coordinates.iter().cloned().zip(parts);
        all.push((
            constraint.name.text.clone(),
            known.filter(|&(_, part)| part != zero).collect(),
        ));
    }
    all
}
