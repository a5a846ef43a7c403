//! From the formulation that was chosen to the derivation, with everything that belongs to it.

use super::DeriveOptions;
use super::algebra::Algebra;
use super::candidates::{Candidate, Proofs};
use super::canonical::{Canonical, in_laws};
use super::derived::{Derived, pivoted};
use super::divisors;
use super::equation::Tidy;
use super::layout::blocks;
use super::named::{self, Named};
use super::page::Equation;
use super::partial_velocities;
use super::reactions::{self, Found};
use super::reduction::Reduction;
use super::result::{Derivation, Independent, Matrices, Nonzero};
use super::samples::Samples;
use super::shorthand::shortened;
use super::work::Work;
use dalembert_expr::normal::Fraction;
use dalembert_expr::print::{Format, Options, print};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, substitute};
use dalembert_mechanics::ids::Id;
use dalembert_symbolic::matrix::Matrix;

/// The derivation that a candidate is, and the numbers that it is to be held against.
pub(super) fn finish<'m>(
    mut work: Work<'m>,
    best: Candidate,
    proofs: Proofs,
    options: &DeriveOptions,
) -> (Derivation, Option<Samples<'m>>) {
    let Derived {
        form,
        route,
        canonical,
        reduction,
        named,
        pivoted: is_pivoted,
    } = best.derived;
    let (reduction, named) = (reduction.as_ref(), named.as_ref());
    let mut independent = reduction.map(|it| independent_of(&mut work, &canonical, it, named));
    let kinematics = kinematics(&mut work, &canonical, reduction, named);
    let tangent = route.tangent.clone();
    let tangent = tangent.or_else(|| tangent_of(&mut work, &canonical, reduction));
    let shown = options.steps || options.matrices;
    let (matrices, motions, energies) = match shown {
        true => (
            matrices(&mut work, &canonical, tangent.as_ref()),
            partial_velocities::motions(&mut work, &canonical, reduction),
            partial_velocities::energies(&mut work, &canonical, reduction),
        ),
        false => (Matrices::default(), Vec::new(), None),
    };
    let orthogonal = route.orthogonal.as_ref();
    let orthogonal = orthogonal.map(|matrix| written(&mut work.algebra, matrix));
    let mut names_of_page = defined(&mut work, named);
    // Last: it may declare relations between the coordinates.
    let all_accelerations = reduction.is_none() || named.is_some();
    let mut found = reactions::find(&mut work, canonical.quasi, reduction, all_accelerations);
    if let Some(reduction) = reduction.filter(|_| options.independent.is_empty() && !is_pivoted) {
        found.notes.extend(other_choice(&mut work, reduction));
    }
    if let (Some(independent), Some(reduction)) = (&mut independent, reduction) {
        let shown = shown_accelerations(&work, reduction, named, &found.definitions);
        independent.accelerations = accelerations(&mut work, reduction, named, &shown);
    }
    let mut equations = best.printed;
    let dependent = independent.as_ref().map_or(&[][..], |it| &it.dependent);
    let parts = [&equations, &kinematics, dependent, &found.definitions];
    let mut all: Vec<ExprId> = parts.into_iter().flat_map(Equation::sides).collect();
    all.extend(found.multipliers.iter().flatten());
    all.extend(Equation::sides(&names_of_page));
    let lengths = lengths(&mut work, &all, independent.as_ref(), &found, &matrices);
    all.extend(Equation::sides(&lengths));
    names_of_page.splice(0..0, lengths);
    let parts = [&equations, &kinematics, &names_of_page, dependent];
    let nonzero = Nonzero::find(&mut work, &best.tidy, parts, &found);
    let notes = zero_at_start(&mut work, &all, best.singular);
    found.notes.extend(notes);
    let first = work.system.identities();
    let mut multipliers = found.multipliers.split_off(first);
    let mut reaction_shorthands = found.definitions;
    let of_state = equations.len();
    equations.append(&mut reaction_shorthands);
    let graph = &mut work.algebra.graph;
    let own = names_among(graph, &equations[of_state..]);
    let mut shorthands = names_of_page;
    shorthands.extend(shortened(graph, &mut equations, &mut multipliers, &own));
    let reaction_shorthands = equations.split_off(of_state);
    let reactions = by_constraint(&mut work);
    let speeds = names(&work, &canonical.speeds);
    let identities = identities(&mut work);
    let mut derivation = Derivation {
        speeds,
        identities,
        motions,
        energies,
        kinematics,
        independent,
        shorthands,
        equations,
        nonzero,
        reaction_shorthands,
        reactions,
        multipliers,
        forces: found.forces,
        matrices,
        proved: proofs.proved,
        agree: proofs.agree,
        not_proved: proofs.not_proved,
        notes: found.notes,
        ..Derivation::new(work.algebra.graph, form, work.model, work.system)
    };
    derivation.blocks = blocks(&mut derivation, options, orthogonal);
    (derivation, work.algebra.samples)
}

/// Independent speeds, and how the others follow from them; accelerations are found later.
fn independent_of(
    work: &mut Work,
    canonical: &Canonical,
    reduction: &Reduction,
    named: Option<&Named>,
) -> Independent {
    let graph = &mut work.algebra.graph;
    let speeds = reduction.independent.iter();
    Independent {
        speeds: speeds
            .map(|&k| graph.symbol_node(canonical.speeds[k]))
            .collect(),
        dependent: dependent(work, reduction, named),
        accelerations: Vec::new(),
    }
}

/// Definitions of the lengths that occur wherever the derivation may be read.
fn lengths(
    work: &mut Work,
    all: &[ExprId],
    independent: Option<&Independent>,
    found: &Found,
    matrices: &Matrices,
) -> Vec<Equation> {
    let accelerations = independent.iter();
    let accelerations = accelerations.flat_map(|it| Equation::sides(&it.accelerations));
    let forces = found.forces.ideal.iter().chain(&found.forces.nonideal);
    let mut used = all.to_vec();
    used.extend(accelerations);
    used.extend(&found.forces.given);
    used.extend(forces.flatten());
    used.extend(matrices.h.iter().chain(&matrices.w));
    work.lengths.definitions(&mut work.algebra, &used)
}

/// A basis of the motions that the rows allow, where the formulation has none of its own.
fn tangent_of(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
) -> Option<Matrix> {
    match reduction {
        Some(reduction) => Some(reduction.D.clone()),
        None if work.paradoxical => None,
        // Found in the model's speeds, it belongs to no matrices in rates.
        None if canonical.quasi != work.in_speeds.quasi => None,
        None => work.tangent().ok().cloned(),
    }
}

/// Names of symbols, with their primes.
fn names(work: &Work, symbols: &[SymbolId]) -> Vec<String> {
    let name = |&symbol: &SymbolId| work.algebra.graph.symbol_data(symbol).to_string();
    symbols.iter().map(name).collect()
}

fn written(algebra: &mut Algebra, matrix: &Matrix) -> Vec<Vec<ExprId>> {
    let entries: Vec<Fraction> = matrix.entries().cloned().collect();
    let mut entries = algebra.readable(&entries, &[]).into_iter();
    let zero = algebra.graph.integer(0);
    let mut rows = vec![vec![zero; matrix.columns()]; matrix.rows()];
    for (place, row) in rows.iter_mut().enumerate() {
        for (&column, entry) in matrix.row(place).keys().zip(entries.by_ref()) {
            row[column] = entry;
        }
    }
    rows
}

/// Says that numbers take other independent speeds.
fn other_choice(work: &mut Work, reduction: &Reduction) -> Option<String> {
    if reduction.is_trivial() {
        return None;
    }
    let speeds = pivoted(work)?;
    let in_numbers: Vec<SymbolId> = speeds.iter().map(|&k| work.in_speeds.speeds[k]).collect();
    let independent = reduction.independent.iter();
    let own: Vec<SymbolId> = independent
        .map(|&k| reduction.on_surface.speeds[k])
        .collect();
    (own != in_numbers).then(|| {
        let list = names(work, &in_numbers).join(", ");
        format!(
            "independent speeds with the shortest equations; `check` takes {list}, \
             the best conditioned at the start"
        )
    })
}

/// Says which divisors are zero at the start, or that the equations say less there.
fn zero_at_start(work: &mut Work, all: &[ExprId], singular: bool) -> Option<String> {
    let Work { algebra, signs, .. } = work;
    let zero = divisors::zero_at_start(algebra, signs, all);
    let printed = print(&algebra.graph, &zero, &Options::new(Format::Text));
    let list = printed.expressions.join(", ");
    match (zero.is_empty(), singular) {
        (false, _) => Some(format!(
            "zero at the start, where what divides by it says nothing: {list}"
        )),
        (true, true) => Some("these equations say less at the start than elsewhere".to_owned()),
        (true, false) => None,
    }
}

/// Symbols on the left of definitions.
fn names_among(graph: &Graph, definitions: &[Equation]) -> Vec<SymbolId> {
    let left = definitions.iter().filter_map(|it| graph.as_symbol(it.left));
    left.collect()
}

impl Nonzero {
    /// What equations and formulas divide by, and what equations were multiplied by.
    fn find(work: &mut Work, tidy: &[Tidy], equations: [&[Equation]; 4], found: &Found) -> Self {
        let Work { algebra, signs, .. } = work;
        let mut moved: Vec<Fraction> = Vec::new();
        // What was divided out is no condition: the equation holds there too, as a limit.
        let factors = tidy.iter().map(|it| it.factor.numerator());
        moved.extend(factors.map(|part| Fraction::from(part.clone())));
        moved.retain(|part| algebra.moves(part));
        let mut factors = Vec::new();
        for part in algebra.readable(&moved, &[]) {
            divisors::factors(&algebra.graph, part, &mut factors);
        }
        let of_equations = Equation::sides(equations.into_iter().flatten());
        let mut of_equations = divisors::divisors(algebra, signs, &of_equations, &[]);
        let further = divisors::may_vanish(algebra, signs, &factors, &of_equations);
        of_equations.extend(further);
        let mut formulas: Vec<ExprId> = found.multipliers.iter().flatten().copied().collect();
        formulas.extend(Equation::sides(&found.definitions));
        if found.forces.is_split(&algebra.graph) {
            let forces = found.forces.ideal.iter().chain(&found.forces.nonideal);
            formulas.extend(forces.flatten());
        }
        Self {
            reactions: divisors::divisors(algebra, signs, &formulas, &of_equations),
            equations: of_equations,
        }
    }
}

/// Names in the equations, and what they stand for.
pub(super) fn defined(work: &mut Work, named: Option<&Named>) -> Vec<Equation> {
    let pairs = named.map_or_else(Vec::new, |named| named.definitions.clone());
    work.algebra.definitions(pairs, &[])
}

/// Dependent speeds whose accelerations the page speaks of.
fn shown_accelerations(
    work: &Work,
    reduction: &Reduction,
    named: Option<&Named>,
    further: &[Equation],
) -> Vec<usize> {
    let graph = &work.algebra.graph;
    let right: Vec<ExprId> = further.iter().map(|it| it.right).collect();
    let used = Cone::new(graph, &right).symbols(graph);
    let rates = &reduction.on_surface.speed_rates;
    let mut dependent: Vec<usize> = reduction.dependent.iter().map(|&(k, _)| k).collect();
    dependent.sort_unstable();
    dependent.retain(|&k| named.is_some() || used.contains(&rates[k]));
    dependent
}

/// v' of dependent speeds, in all speeds.
fn accelerations(
    work: &mut Work,
    reduction: &Reduction,
    named: Option<&Named>,
    shown: &[usize],
) -> Vec<Equation> {
    let surface = &reduction.on_surface;
    let values = match named {
        Some(named) => Ok(named.accelerations.clone()),
        None if shown.is_empty() => return Vec::new(),
        None => {
            let canonical = match surface.quasi {
                true => work.in_speeds.clone(),
                false => work.in_coordinates.clone(),
            };
            named::accelerations(&mut work.algebra, &canonical, reduction)
        }
    };
    let Ok(values) = values else {
        return Vec::new();
    };
    let pairs = shown
        .iter()
        .map(|&k| (surface.speed_rates[k], values[k].clone()));
    work.algebra.definitions(pairs.collect(), &[])
}

/// Coordinates that rows give, and the other dependent speeds.
pub(super) fn dependent(
    work: &mut Work,
    reduction: &Reduction,
    named: Option<&Named>,
) -> Vec<Equation> {
    let values = named.map_or(&reduction.speeds, |named| &named.speeds);
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
                .map(|&k| (surface.speeds[k], values[k].clone())),
        )
        .collect();
    work.algebra.definitions(pairs, &[])
}

/// q' = N v + n, where v is not q'; with independent speeds put in.
pub(super) fn kinematics(
    work: &mut Work,
    canonical: &Canonical,
    reduction: Option<&Reduction>,
    named: Option<&Named>,
) -> Vec<Equation> {
    if !canonical.quasi {
        return Vec::new();
    }
    let algebra = &mut work.algebra;
    let speeds = match (named, reduction) {
        (Some(named), _) => Ok(named.speeds.clone()),
        (None, Some(reduction)) => Ok(reduction.speeds.clone()),
        (None, None) => algebra.symbols(&canonical.speeds),
    };
    let rates = speeds.and_then(|speeds| {
        let moved = canonical.N.along(&algebra.field, &speeds)?;
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
    algebra.definitions(shown, &[])
}

#[expect(non_snake_case, reason = "letters of the papers")]
fn matrices(work: &mut Work, canonical: &Canonical, tangent: Option<&Matrix>) -> Matrices {
    let algebra = &mut work.algebra;
    let speeds = canonical.speeds.iter();
    // Those of identities say nothing.
    let first = work.system.identities();
    let rows: Vec<usize> = (first..canonical.A.rows()).collect();
    let (A, E) = (
        written(algebra, &canonical.A.with_rows(&rows)),
        written(algebra, &canonical.E.with_rows(&rows)),
    );
    Matrices {
        v: speeds.map(|&v| algebra.graph.symbol_node(v)).collect(),
        N: written(algebra, &canonical.N),
        n: algebra.readable(&canonical.n, &[]),
        M: written(algebra, &canonical.M),
        h: algebra.readable(&canonical.h, &[]),
        E: (E != A).then_some(E),
        A,
        b: algebra.readable(&canonical.b[first..], &[]),
        w: algebra.readable(&canonical.w, &[]),
        D: tangent.map(|D| written(algebra, D)),
    }
}

/// What the coordinates obey, as it is written.
fn identities(work: &mut Work) -> Vec<Equation> {
    let rows = work.system.rows.iter().filter(|row| row.identity);
    let residuals: Vec<ExprId> = rows.map(|row| row.residual).collect();
    let graph = &mut work.algebra.graph;
    let right = graph.integer(0);
    let residuals = dalembert_expr::simplify(graph, &residuals);
    let each = residuals.into_iter();
    each.map(|left| Equation { left, right }).collect()
}

/// A_iᵀ λ_i + w_i of each constraint, by coordinate.
fn by_constraint(work: &mut Work) -> Vec<(String, Vec<(String, ExprId)>)> {
    let coordinates = names(work, &work.in_coordinates.coordinates);
    let mut all = Vec::new();
    let constraints = Id::enumerate(&work.model.constraints);
    for (index, constraint) in constraints.filter(|(_, it)| !it.identity) {
        let g = &mut work.algebra.graph;
        let mut parts = vec![g.integer(0); coordinates.len()];
        let rows = Id::enumerate(&work.system.rows).zip(&work.multipliers);
        for ((id, _), &multiplier) in rows.filter(|((_, row), _)| row.constraint == index) {
            let multiplier = g.symbol_node(multiplier);
            for &(k, entry) in work.system.direction(id) {
                let part = g.mul(entry, multiplier);
                parts[k] = g.add(parts[k], part);
            }
        }
        let own = work
            .system
            .nonideal
            .get(index.index())
            .into_iter()
            .flatten();
        own.for_each(|&(k, part)| parts[k] = g.add(parts[k], part));
        let pairs = in_laws(&mut work.algebra, work.system);
        let g = &mut work.algebra.graph;
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
