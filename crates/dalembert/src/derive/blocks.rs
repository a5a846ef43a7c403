//! What stands on the page of a derivation, in the order in which it is read.

use super::DeriveOptions;
use super::document::{Block, Equation, Item};
use super::result::Derivation;
use dalembert_expr::{ExprId, SymbolKind};

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
    let matrix = |name: &str, rows: Vec<Vec<ExprId>>| Block::Matrix {
        name: name.to_owned(),
        rows,
    };
    let mut blocks = vec![Block::Heading("M v' = h + Aᵀ λ + w,  A v' = b".to_owned())];
    if !derivation.kinematics.is_empty() {
        blocks.push(Block::Text("kinematics q' = N v + n:".to_owned()));
        blocks.extend([matrix("N", it.N.clone()), matrix("n", column(&it.n))]);
    }
    blocks.extend([matrix("M", it.M.clone()), matrix("h", column(&it.h))]);
    if it.A.is_empty() {
        return blocks;
    }
    blocks.extend([matrix("A", it.A.clone()), matrix("b", column(&it.b))]);
    blocks.push(matrix("w", column(&it.w)));
    if let Some(orthogonal) = orthogonal {
        blocks.push(Block::Text("by Gram and Schmidt's process:".to_owned()));
        blocks.push(matrix("D", orthogonal));
        blocks.push(Block::Text(
            "without common denominators and factors:".to_owned(),
        ));
    } else if it.D.is_some() {
        let words = "partial velocities, the motions that the constraints allow, A D = 0:";
        blocks.push(Block::Text(words.to_owned()));
    }
    blocks.extend(it.D.clone().map(|tangent| matrix("D", tangent)));
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
    let others = derivation
        .proved
        .iter()
        .filter(|form| **form != derivation.form);
    let others: Vec<&str> = others.map(|form| form.name()).collect();
    if derivation.proved.contains(&derivation.form) && !others.is_empty() {
        lines.push(format!("proved equal: {}", others.join(", ")));
    }
    for (form, why) in &derivation.not_proved {
        lines.push(format!("not proved: {form}: {why}"));
    }
    lines.into_iter().map(Block::Text).collect()
}
