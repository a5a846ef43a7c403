//! Systems that are too large for the normal form: the equations with multipliers, as they were lowered.
//!
//! Nothing is expanded or proved; parts that occur more than once get names when they are printed.

use super::DeriveOptions;
use super::algebra::Algebra;
use super::canonical::Flat;
use super::document::Equation;
use super::form::Form;
use super::motion;
use super::refusal::Missing;
use super::result::{Derivation, Energies, Forces, Matrices, Nonzero};
use dalembert_expr::normal::Outside;
use dalembert_expr::{Cone, ExprId, SymbolKind, simplify};
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::lower::System;
use dalembert_mechanics::model::Model;

pub(super) fn derive(
    model: &Model,
    system: &System,
    mut algebra: Algebra,
    outside: Outside,
    options: &DeriveOptions,
) -> Result<Derivation, Vec<Diagnostic>> {
    let wanted = options.form.unwrap_or(Form::Multipliers);
    if wanted != Form::Multipliers || !options.independent.is_empty() {
        return Err(vec![
            Missing::Outside(outside).diagnostic(wanted, &system.rows),
        ]);
    }
    let flat = Flat::of(&mut algebra, system);
    let (mut g, samples) = (algebra.graph, algebra.samples);
    let nv = flat.h.len();
    let bias: Vec<ExprId> = system.rows.iter().map(|row| row.bias).collect();
    let parts = [&flat.M, &flat.h, &flat.A, &flat.w, &bias, &flat.E];
    let all: Vec<ExprId> = parts.into_iter().flatten().copied().collect();
    // Collected terms share less: where that makes more of them, they stay as they were lowered.
    let collected = simplify(&mut g, &all);
    let size = |list: &[ExprId]| Cone::new(&g, list).len();
    let shorter = if size(&collected) < size(&all) {
        collected
    } else {
        all
    };
    let mut simple = shorter.into_iter();
    let mut next = |list: &[ExprId]| -> Vec<ExprId> { simple.by_ref().take(list.len()).collect() };
    let (mass, h, rows, w, b, directions) = (
        next(&flat.M),
        next(&flat.h),
        next(&flat.A),
        next(&flat.w),
        next(&bias),
        next(&flat.E),
    );
    let by_rows = |entries: &[ExprId]| -> Vec<Vec<ExprId>> {
        entries.chunks(nv.max(1)).map(<[ExprId]>::to_vec).collect()
    };
    let (mass, rows, directions) = (by_rows(&mass), by_rows(&rows), by_rows(&directions));
    let accelerations: Vec<ExprId> = system
        .symbols
        .accelerations
        .iter()
        .map(|&symbol| g.symbol_node(symbol))
        .collect();
    let multipliers: Vec<ExprId> = system
        .rows
        .iter()
        .map(|row| g.symbol(&format!("lambda({})", row.name), SymbolKind::Multiplier))
        .collect();
    let mut dot = |a: &[ExprId], b: &[ExprId]| {
        let mut sum = g.integer(0);
        for (&a, &b) in a.iter().zip(b) {
            let product = g.mul(a, b);
            sum = g.add(sum, product);
        }
        sum
    };
    let mut equations = Vec::new();
    let mut ideal = Vec::new();
    for k in 0..nv {
        let column: Vec<ExprId> = directions.iter().map(|row| row[k]).collect();
        ideal.push(dot(&column, &multipliers));
        equations.push(dot(&mass[k], &accelerations));
    }
    let left_of_rows: Vec<ExprId> = rows.iter().map(|row| dot(row, &accelerations)).collect();
    let mut equations: Vec<Equation> = equations
        .into_iter()
        .enumerate()
        .map(|(k, left)| Equation {
            left,
            right: g.sum([h[k], w[k], ideal[k]]),
        })
        .collect();
    let pairs = left_of_rows.into_iter().zip(&b);
    equations.extend(pairs.map(|(left, &right)| Equation { left, right }));
    let rates = system.symbols.rates.iter();
    let rates: Vec<ExprId> = rates.map(|&rate| g.symbol_node(rate)).collect();
    let zero = g.integer(0);
    let one = g.integer(1);
    let unit = |row: usize| (0..nv).map(|k| if k == row { one } else { zero }).collect();
    let names = |order: usize| -> Vec<String> {
        let names = model.coordinates.iter().map(|(name, _)| &name.text);
        names
            .map(|name| format!("{name}{}", "'".repeat(order)))
            .collect()
    };
    let (motions, energies) = match options.steps || options.matrices {
        true => {
            let both = simplify(&mut g, &[system.kinetic, system.potential]);
            let energies = Energies {
                kinetic: both[0],
                potential: both[1],
            };
            let given = model.dynamics.is_none().then_some(energies);
            (motion::as_lowered(&mut g, system), given)
        }
        false => (Vec::new(), None),
    };
    let is_ideal = system.servo.is_empty() && w.iter().all(|&part| part == zero);
    let known = |part: ExprId| is_ideal.then_some(part);
    let mut derivation = Derivation {
        form: Form::Multipliers,
        title: model.title.clone(),
        coordinates: names(0),
        speeds: names(1),
        rows: system.rows.iter().map(|row| row.name.clone()).collect(),
        motions,
        energies,
        kinematics: Vec::new(),
        independent: None,
        shorthands: Vec::new(),
        equations,
        nonzero: Nonzero::default(),
        reaction_shorthands: Vec::new(),
        multipliers: vec![None; rows.len()],
        forces: Forces {
            given: h.clone(),
            ideal: ideal.into_iter().map(known).collect(),
            nonideal: vec![known(zero); nv],
        },
        reactions: Vec::new(),
        matrices: Matrices {
            v: rates,
            N: (0..nv).map(unit).collect(),
            n: vec![zero; nv],
            M: mass,
            h,
            E: (directions != rows).then_some(directions),
            A: rows,
            b,
            w,
            D: None,
        },
        proved: Vec::new(),
        agree: Vec::new(),
        not_proved: Vec::new(),
        notes: vec![format!(
            "{outside}: the equations are as they were lowered, and nothing is proved"
        )],
        blocks: Vec::new(),
        graph: g,
    };
    derivation.blocks = super::blocks::blocks(&mut derivation, options, None);
    super::candidates::checked(derivation, samples.as_ref())
}
