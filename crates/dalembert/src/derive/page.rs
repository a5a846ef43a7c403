//! A formulation with everything that belongs to it, in the order in which it is read.

use super::DeriveOptions;
use super::algebra::Algebra;
use super::candidates::{Candidate, Derived, Proofs};
use super::canonical::{Canonical, in_laws};
use super::document::{Block, Equation, Item};
use super::matrix::Matrix;
use super::reactions;
use super::reduction::Reduction;
use super::result::{Derivation, Independent, Matrices, length};
use super::work::Work;
use dalembert_expr::normal::{Fraction, shorthands};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind, substitute};

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
        None => work.tangent().ok().cloned(),
    };
    let tangent = route.tangent.or(tangent);
    let matrices = match options.steps || options.matrices {
        true => matrices(&mut work, &canonical, tangent.as_ref()),
        false => Matrices::default(),
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
        rows: work.system.rows.iter().map(|row| row.name.clone()).collect(),
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

/// Equations and formulas of more characters than this get names for what occurs often.
const LONG: usize = 1500;

/// Names for what occurs often in long equations and formulas, put in there.
fn shortened(
    graph: &mut Graph,
    equations: &mut [Equation],
    formulas: &mut [Option<ExprId>],
) -> Vec<Equation> {
    let alone = formulas.iter().flatten();
    let alone = alone.map(|&it| Equation { left: it, right: it });
    let all: Vec<Equation> = equations.iter().copied().chain(alone).collect();
    if length(graph, all.iter()) <= LONG {
        return Vec::new();
    }
    let sides = equations.iter().flat_map(|it| [it.left, it.right]);
    let all: Vec<ExprId> = sides.chain(formulas.iter().flatten().copied()).collect();
    let prefix = free_prefix(graph, &all);
    // First by what they save, then numbered in the order in which they are defined.
    let (names, short) = shorthands(graph, &all, |n| format!("unnumbered {n}"));
    let numbered: Vec<(ExprId, ExprId)> = names
        .iter()
        .zip(1..)
        .map(|(it, n)| (it.symbol, graph.symbol(&format!("{prefix}{n}"), SymbolKind::Parameter)))
        .collect();
    let definitions: Vec<ExprId> = names.iter().map(|it| it.definition).collect();
    let definitions = substitute(graph, &definitions, &numbered);
    let mut short = substitute(graph, &short, &numbered).into_iter();
    for it in equations {
        it.left = short.next().unwrap_or(it.left);
        it.right = short.next().unwrap_or(it.right);
    }
    for formula in formulas.iter_mut().flatten() {
        *formula = short.next().unwrap_or(*formula);
    }
    let names = numbered.into_iter().map(|(_, name)| name);
    let pairs = names.zip(definitions);
    pairs.map(|(left, right)| Equation { left, right }).collect()
}

/// A letter that no name in some expressions begins with before its digits.
fn free_prefix(graph: &Graph, expressions: &[ExprId]) -> &'static str {
    let symbols = Cone::new(graph, expressions).symbols(graph);
    let is_numbered = |prefix: &str, name: &str| {
        let digits = name.strip_prefix(prefix).map(|rest| rest.trim_start_matches('_'));
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_free = |prefix: &&&str| {
        let mut names = symbols.iter().map(|&symbol| &*graph.symbol_data(symbol).name);
        names.all(|name| !is_numbered(prefix, name))
    };
    let letters = ["c", "k", "p", "s", "u", "w"];
    letters.iter().find(is_free).copied().unwrap_or("shorthand_")
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
    let entries = reduction.D.entries().iter().chain(reduction.on_surface.N.entries());
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
    let is_new = |speed: &usize| {
        surface.quasi || reduction.solved.iter().all(|it| it.coordinate != *speed)
    };
    let mut speeds: Vec<usize> = reduction.dependent.iter().map(|&(k, _)| k).collect();
    speeds.sort_unstable();
    speeds.retain(is_new);
    let solved = reduction.solved.iter();
    let pairs: Vec<(SymbolId, Fraction)> = solved
        .map(|it| (surface.coordinates[it.coordinate], it.value.clone()))
        .chain(speeds.iter().map(|&k| (surface.speeds[k], reduction.speeds[k].clone())))
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
    Matrices {
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

/// The page.
pub(super) fn blocks(
    derivation: &mut Derivation,
    options: &DeriveOptions,
    orthogonal: Option<Vec<Vec<ExprId>>>,
) -> Vec<Block> {
    let mut blocks = Vec::new();
    let title = derivation.title.as_deref().unwrap_or("Equations of motion");
    blocks.push(Block::Heading(format!("{title} — {}", derivation.form)));
    if options.steps {
        blocks.extend(steps(derivation, orthogonal));
    }
    let shown = derivation.independent.as_ref();
    if let Some(independent) = shown.filter(|it| !it.dependent.is_empty()) {
        let line = |label: &str, items: Vec<Item>| Block::Line {
            label: label.to_owned(),
            items,
        };
        let speeds = independent.speeds.iter().copied().map(Item::Expression);
        blocks.push(line("independent", speeds.collect()));
        let dependent = independent.dependent.iter().copied().map(Item::Equation);
        blocks.push(line("dependent", dependent.collect()));
        let nonzero = independent.nonzero.iter().copied().map(Item::Expression);
        if !independent.nonzero.is_empty() {
            blocks.push(line("not zero", nonzero.collect()));
        }
    }
    if !derivation.kinematics.is_empty() {
        blocks.push(Block::Heading("kinematics".to_owned()));
        blocks.push(Block::Equations(derivation.kinematics.clone()));
    }
    if !derivation.shorthands.is_empty() {
        blocks.push(Block::Heading("with".to_owned()));
        blocks.push(Block::Equations(derivation.shorthands.clone()));
    }
    let heading = blocks.len() > 1;
    if heading {
        blocks.push(Block::Heading("equations of motion".to_owned()));
    }
    blocks.push(Block::Equations(derivation.equations.clone()));
    blocks.extend(of_reactions(derivation));
    blocks.extend(of_proofs(derivation));
    blocks
}

/// How it was derived: kinematics, partial velocities, and the canonical problem.
fn steps(derivation: &Derivation, orthogonal: Option<Vec<Vec<ExprId>>>) -> Vec<Block> {
    let it = &derivation.matrices;
    let column = |vector: &[ExprId]| vector.iter().map(|&entry| vec![entry]).collect();
    let mut blocks = vec![Block::Heading("M v' = h + Aᵀ λ + w,  A v' = b".to_owned())];
    let mut matrix = |name: &str, rows: Vec<Vec<ExprId>>| {
        let name = name.to_owned();
        blocks.push(Block::Matrix { name, rows });
    };
    if !derivation.kinematics.is_empty() {
        matrix("N", it.N.clone());
        matrix("n", column(&it.n));
    }
    matrix("M", it.M.clone());
    matrix("h", column(&it.h));
    if !it.A.is_empty() {
        matrix("A", it.A.clone());
        matrix("b", column(&it.b));
        matrix("w", column(&it.w));
    }
    if let Some(orthogonal) = orthogonal {
        matrix("D by Gram and Schmidt", orthogonal);
    }
    if let Some(tangent) = &it.D {
        matrix("D", tangent.clone());
    }
    blocks
}

fn of_reactions(derivation: &mut Derivation) -> Vec<Block> {
    let mut equations = Vec::new();
    let g = &mut derivation.graph;
    for (row, formula) in derivation.rows.iter().zip(&derivation.multipliers) {
        let left = g.symbol(&format!("lambda({row})"), SymbolKind::Multiplier);
        equations.extend(formula.map(|right| Equation { left, right }));
    }
    let zero = g.integer(0);
    let is_zero = |force: &Option<ExprId>| force.is_none_or(|force| force == zero);
    if !derivation.forces.nonideal.iter().all(is_zero) {
        let parts = [
            ("ideal", &derivation.forces.ideal),
            ("nonideal", &derivation.forces.nonideal),
        ];
        for (name, forces) in parts {
            for (speed, force) in derivation.speeds.iter().zip(forces) {
                let speed = speed.trim_end_matches('\'');
                let left = g.symbol(&format!("F_{name}({speed})"), SymbolKind::Multiplier);
                equations.extend(force.map(|right| Equation { left, right }));
            }
        }
    }
    if equations.is_empty() {
        return Vec::new();
    }
    vec![
        Block::Heading("reactions".to_owned()),
        Block::Equations(equations),
    ]
}

fn of_proofs(derivation: &Derivation) -> Vec<Block> {
    let mut lines = derivation.notes.clone();
    let others = derivation.proved.iter().filter(|form| **form != derivation.form);
    let others: Vec<&str> = others.map(|form| form.name()).collect();
    if derivation.proved.contains(&derivation.form) && !others.is_empty() {
        lines.push(format!("proved equal: {}", others.join(", ")));
    }
    for (form, why) in &derivation.not_proved {
        lines.push(format!("not proved: {form}: {why}"));
    }
    lines.into_iter().map(Block::Text).collect()
}
