//! Which parts stand on the page of a derivation, in the order in which they are read.

use super::DeriveOptions;
use super::page::{Block, Equation, Item};
use super::result::{Derivation, Partial};
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
        let zero = derivation.graph.integer(0);
        blocks.extend(steps(derivation, zero, orthogonal));
    }
    let line = |label: &str, items: Vec<Item>| Block::Line {
        label: label.to_owned(),
        items,
    };
    let expressions = |list: &[ExprId]| list.iter().copied().map(Item::Expression).collect();
    let equations = |list: &[Equation]| list.iter().copied().map(Item::Equation).collect();
    let shown = derivation.independent.as_ref();
    if let Some(independent) = shown.filter(|it| !it.dependent.is_empty()) {
        blocks.push(line("independent", expressions(&independent.speeds)));
        let dependent = [&independent.dependent[..], &independent.accelerations].concat();
        blocks.push(line("dependent", equations(&dependent)));
    }
    blocks.extend(valid_where(&derivation.nonzero.equations));
    if !derivation.kinematics.is_empty() {
        blocks.push(Block::Heading("kinematics".to_owned()));
        let identities = derivation.identities.clone();
        blocks.push(Block::Equations(
            [identities, derivation.kinematics.clone()].concat(),
        ));
    }
    if !derivation.shorthands.is_empty() {
        blocks.push(Block::Heading("with".to_owned()));
        blocks.push(Block::Definitions(derivation.shorthands.clone()));
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
fn steps(
    derivation: &Derivation,
    zero: ExprId,
    orthogonal: Option<Vec<Vec<ExprId>>>,
) -> Vec<Block> {
    let it = &derivation.matrices;
    let is_ideal = it.w.iter().all(|&part| part == zero);
    let mut blocks = of_motions(derivation);
    let heading = match (it.A.is_empty(), is_ideal) {
        (true, true) => "M v' = h",
        (true, false) => "M v' = h + w",
        (false, true) => "M v' = h + Aᵀ λ,  A v' = b",
        (false, false) => "M v' = h + Aᵀ λ + w,  A v' = b",
    };
    // Rows that forces hold are held in the directions of these.
    let heading = match it.E {
        Some(_) => heading.replace("Aᵀ", "Eᵀ"),
        None => heading.to_owned(),
    };
    let speeds = it.v.iter().copied().map(Item::Expression);
    let speeds = Block::Line {
        label: "v".to_owned(),
        items: speeds.collect(),
    };
    if derivation.kinematics.is_empty() {
        blocks.extend([Block::Heading(heading), speeds]);
    } else {
        let words = "q' = N v + n".to_owned();
        blocks.extend([Block::Heading(words), speeds]);
        blocks.extend([matrix("N", it.N.clone()), matrix("n", column(&it.n))]);
        blocks.push(Block::Heading(heading));
    }
    blocks.extend([matrix("M", it.M.clone()), matrix("h", column(&it.h))]);
    if !is_ideal {
        blocks.push(matrix("w", column(&it.w)));
    }
    if it.A.is_empty() {
        return blocks;
    }
    blocks.extend([matrix("A", it.A.clone()), matrix("b", column(&it.b))]);
    blocks.extend(it.E.clone().map(|directions| matrix("E", directions)));
    if let Some(orthogonal) = orthogonal {
        blocks.push(Block::Text("by Gram and Schmidt's process:".to_owned()));
        blocks.push(matrix("D", orthogonal));
        blocks.push(Block::Text(
            "without common denominators and factors:".to_owned(),
        ));
    } else if it.D.is_some() {
        let words = "the motions that the constraints allow, A D = 0:";
        blocks.push(Block::Text(words.to_owned()));
    }
    blocks.extend(it.D.clone().map(|tangent| matrix("D", tangent)));
    blocks
}

fn column(vector: &[ExprId]) -> Vec<Vec<ExprId>> {
    vector.iter().map(|&entry| vec![entry]).collect()
}

fn matrix(name: &str, rows: Vec<Vec<ExprId>>) -> Block {
    Block::Matrix {
        name: name.to_owned(),
        rows,
    }
}

/// Velocities and partial velocities, and the energies.
fn of_motions(derivation: &Derivation) -> Vec<Block> {
    let mut blocks = Vec::new();
    let line = |label: String, items: Vec<Item>| Block::Line { label, items };
    if !derivation.motions.is_empty() {
        let words = "motion of particles and bodies: v = J u + …, ω = W u + …";
        blocks.push(Block::Heading(words.to_owned()));
        let words =
            "v in fixed axes, ω in the body's own; the columns of J and W are partial velocities";
        blocks.push(Block::Text(words.to_owned()));
    }
    for motion in &derivation.motions {
        let name = &motion.name;
        let of = |letter: &str| format!("{letter}({name})");
        let by_speed = |part: &dyn Fn(&Partial) -> [ExprId; 3]| {
            let columns: Vec<[ExprId; 3]> = motion.partials.iter().map(part).collect();
            let row = |k: usize| columns.iter().map(|column| column[k]).collect();
            (0..3).map(row).collect::<Vec<Vec<ExprId>>>()
        };
        let speeds = motion.partials.iter().map(|it| Item::Expression(it.speed));
        let moves = !motion.partials.is_empty();
        if moves {
            blocks.push(line(format!("speeds u of {name}"), speeds.collect()));
        }
        blocks.push(matrix(&of("v"), column(&motion.velocity)));
        if moves {
            blocks.push(matrix(&of("J"), by_speed(&|it| it.velocity)));
        }
        if let Some(omega) = motion.omega {
            blocks.push(matrix(&of("omega"), column(&omega)));
            if moves {
                let turning = by_speed(&|it| it.omega.unwrap_or(it.velocity));
                blocks.push(matrix(&of("W"), turning));
            }
        }
    }
    match &derivation.energies {
        Some(it) => {
            blocks.push(Block::Heading("energies".to_owned()));
            let alone = |id| vec![Item::Expression(id)];
            blocks.push(line("kinetic".to_owned(), alone(it.kinetic)));
            blocks.push(line("potential".to_owned(), alone(it.potential)));
        }
        None if derivation.motions.is_empty() => {
            let words = "M and h are given by the model, without particles, bodies or energies";
            blocks.push(Block::Text(words.to_owned()));
        }
        None => {}
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
    if derivation.forces.is_split(g) {
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
    let mut blocks = vec![Block::Heading("reactions".to_owned())];
    if !derivation.reaction_shorthands.is_empty() {
        let words = "R = M v' - h - w: what the constraints must supply (M, h and w: --steps)";
        let words = words.to_owned();
        blocks.push(Block::Text(words));
        let shorthands = derivation.reaction_shorthands.clone();
        blocks.push(Block::Definitions(shorthands));
    }
    blocks.push(Block::Equations(equations));
    blocks.extend(valid_where(&derivation.nonzero.reactions));
    blocks
}

/// The conditions under which formulas hold, if there are any.
fn valid_where(nonzero: &[ExprId]) -> Option<Block> {
    (!nonzero.is_empty()).then(|| Block::Line {
        label: "valid where".to_owned(),
        items: nonzero.iter().copied().map(Item::NotZero).collect(),
    })
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
    if let Some((_, first)) = derivation.agree.first() {
        let agree = derivation.agree.iter();
        let forms: Vec<&str> = agree.clone().map(|(form, _)| form.name()).collect();
        let (digits, states) = agree.fold((first.digits, first.states), |least, (_, it)| {
            (least.0.min(it.digits), least.1.min(it.states))
        });
        let forms = forms.join(", ");
        lines.push(format!(
            "agrees to {digits} digits at {states} states, not proved: {forms}"
        ));
    }
    // Those with the same reason in one line.
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (form, why) in &derivation.not_proved {
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, forms)) => forms.push(form.name()),
            None => reasons.push((why, vec![form.name()])),
        }
    }
    for (why, forms) in reasons {
        lines.push(format!("not proved: {}: {why}", forms.join(", ")));
    }
    lines.into_iter().map(Block::Text).collect()
}
