//! `dalembert derive`: equations of motion in symbols.

use crate::arguments::Derive;
use crate::load::{Lowered, lower};
use crate::output::{Failure, Report};
use dalembert::derive::{Derivation, DeriveOptions, Equation, Form, Motion, Style, derive};
use dalembert_expr::ExprId;
use dalembert_expr::print::Format;
use serde_json::{Map, Value, json};
use std::io::IsTerminal;

pub(crate) fn run(arguments: &Derive, json: bool) -> Result<Report, Failure> {
    let style: Style = arguments
        .format
        .parse()
        .map_err(|error| Failure::Usage(format!("--format: {error}")))?;
    let form: Option<Form> = match &arguments.formulation {
        None => None,
        Some(name) => Some(
            name.parse()
                .map_err(|error| Failure::Usage(format!("--formulation: {error}")))?,
        ),
    };
    let independent = arguments.independent.iter();
    let options = DeriveOptions {
        form,
        independent: independent.map(|name| name.trim().to_owned()).collect(),
        steps: arguments.steps,
        matrices: json,
    };
    let Lowered {
        source,
        model,
        system,
        warnings,
    } = lower(&arguments.model)?;
    let derivation = derive(&model, system, &options).map_err(|errors| source.refuse(errors))?;
    let text = match columns().filter(|_| style == Style::Text) {
        Some(columns) => derivation.page_for_terminal(columns),
        None => derivation.page(style),
    };
    Ok(Report {
        text,
        json: document(&derivation),
        warnings,
    })
}

/// Columns of the terminal that results go to, if they go to one.
fn columns() -> Option<usize> {
    let columns = console::Term::stdout()
        .size_checked()
        .map(|(_, columns)| columns);
    columns
        .filter(|_| std::io::stdout().is_terminal())
        .map(usize::from)
}

/// All expressions of a derivation in one notation, to be asked for one by one.
struct Written<'a> {
    expressions: Vec<ExprId>,
    texts: Vec<String>,
    derivation: &'a Derivation,
}

impl<'a> Written<'a> {
    fn new(derivation: &'a Derivation, format: Format) -> (Self, Vec<(String, String)>) {
        let sides = |equations: &[Equation]| -> Vec<ExprId> {
            equations
                .iter()
                .flat_map(|it| [it.left, it.right])
                .collect()
        };
        let it = &derivation.matrices;
        let mut expressions = sides(&derivation.equations);
        expressions.extend(sides(&derivation.kinematics));
        expressions.extend(sides(&derivation.shorthands));
        if let Some(part) = &derivation.independent {
            expressions.extend(&part.speeds);
            expressions.extend(sides(&part.dependent));
            expressions.extend(sides(&part.accelerations));
        }
        expressions.extend(&derivation.nonzero.equations);
        expressions.extend(&derivation.nonzero.reactions);
        expressions.extend(sides(&derivation.reaction_shorthands));
        expressions.extend(derivation.multipliers.iter().flatten());
        let forces = &derivation.forces;
        expressions.extend(&forces.given);
        expressions.extend(forces.ideal.iter().chain(&forces.nonideal).flatten());
        let reactions = derivation.reactions.iter();
        expressions.extend(reactions.flat_map(|(_, parts)| parts.iter().map(|(_, part)| part)));
        let matrices = it.N.iter().chain(&it.M).chain(&it.A);
        expressions.extend(matrices.chain(it.D.iter().flatten()).flatten());
        expressions.extend(it.n.iter().chain(&it.h).chain(&it.b).chain(&it.w));
        for motion in &derivation.motions {
            expressions.extend(motion.velocity.iter().chain(motion.omega.iter().flatten()));
            for partial in &motion.partials {
                expressions.push(partial.speed);
                let parts = partial.velocity.iter();
                expressions.extend(parts.chain(partial.omega.iter().flatten()));
            }
        }
        let energies = derivation.energies.iter();
        expressions.extend(energies.flat_map(|it| [it.kinetic, it.potential]));
        let printed = derivation.print(&expressions, format);
        let written = Self {
            expressions,
            texts: printed.expressions,
            derivation,
        };
        (written, printed.definitions)
    }

    fn text(&self, id: ExprId) -> String {
        let place = self.expressions.iter().position(|&known| known == id);
        place.map_or_else(String::new, |place| self.texts[place].clone())
    }

    fn list(&self, ids: &[ExprId]) -> Value {
        ids.iter().map(|&id| self.text(id)).collect()
    }

    fn matrix(&self, rows: &[Vec<ExprId>]) -> Value {
        rows.iter().map(|row| self.list(row)).collect()
    }

    fn by_speed(&self, ids: &[Option<ExprId>]) -> Value {
        let speeds = self.derivation.speeds.iter().zip(ids);
        let named = speeds.map(|(name, id)| (name.clone(), json!(id.map(|id| self.text(id)))));
        Value::Object(named.collect())
    }
}

/// How a particle or body moves.
fn motion(written: &Written, motion: &Motion) -> Value {
    let partials: Map<String, Value> = motion
        .partials
        .iter()
        .map(|it| {
            let omega = it.omega.map(|omega| written.list(&omega));
            let both = json!({ "velocity": written.list(&it.velocity), "omega": omega });
            (written.text(it.speed), both)
        })
        .collect();
    json!({
        "name": motion.name,
        "velocity": written.list(&motion.velocity),
        "omega": motion.omega.map(|omega| written.list(&omega)),
        "partials": partials,
    })
}

fn document(derivation: &Derivation) -> Value {
    let (written, shared) = Written::new(derivation, Format::Model);
    let (latex, _) = Written::new(derivation, Format::Latex);
    let text = |id: ExprId| written.text(id);
    let equation = |it: &Equation| {
        let in_latex = format!("{} = {}", latex.text(it.left), latex.text(it.right));
        json!({ "left": text(it.left), "right": text(it.right), "latex": in_latex })
    };
    let mut shorthands: Map<String, Value> = derivation
        .shorthands
        .iter()
        .chain(&derivation.reaction_shorthands)
        .map(|it| (text(it.left), json!(text(it.right))))
        .collect();
    shorthands.extend(shared.into_iter().map(|(name, text)| (name, json!(text))));
    let independent = derivation.independent.as_ref().map(|it| {
        let dependent = it.dependent.iter().chain(&it.accelerations);
        let dependent: Map<String, Value> = dependent
            .map(|it| (text(it.left), json!(text(it.right))))
            .collect();
        json!({
            "speeds": written.list(&it.speeds),
            "dependent": dependent,
        })
    });
    let rows = derivation.rows.iter().zip(&derivation.multipliers);
    let multipliers: Map<String, Value> = rows
        .map(|(row, formula)| {
            let formula = formula.map(|it| json!({ "expr": text(it), "latex": latex.text(it) }));
            (row.clone(), json!(formula))
        })
        .collect();
    let reactions: Map<String, Value> = derivation
        .reactions
        .iter()
        .map(|(name, parts)| {
            let parts = parts
                .iter()
                .map(|(name, part)| (name.clone(), json!(text(*part))));
            (name.clone(), Value::Object(parts.collect()))
        })
        .collect();
    let it = &derivation.matrices;
    let agrees: Map<String, Value> = derivation
        .agree
        .iter()
        .map(|(form, it)| {
            let found = json!({ "digits": it.digits, "states": it.states });
            (form.name().to_owned(), found)
        })
        .collect();
    let not_proved: Map<String, Value> = derivation
        .not_proved
        .iter()
        .map(|(form, why)| (form.name().to_owned(), json!(why)))
        .collect();
    let given: Vec<Option<ExprId>> = derivation.forces.given.iter().copied().map(Some).collect();
    json!({
        "formulation": derivation.form.name(),
        "coordinates": derivation.coordinates,
        "speeds": derivation.speeds,
        "independent": independent,
        "kinematics": derivation.kinematics.iter().map(equation).collect::<Vec<_>>(),
        "shorthands": shorthands,
        "motions": derivation.motions.iter().map(|it| motion(&written, it)).collect::<Vec<_>>(),
        "energies": derivation.energies.map(|it| {
            json!({ "kinetic": text(it.kinetic), "potential": text(it.potential) })
        }),
        "matrices": {
            "N": written.matrix(&it.N),
            "n": written.list(&it.n),
            "M": written.matrix(&it.M),
            "h": written.list(&it.h),
            "A": written.matrix(&it.A),
            "b": written.list(&it.b),
            "w": written.list(&it.w),
            "E": it.E.as_ref().map(|it| written.matrix(it)),
            "D": it.D.as_ref().map(|it| written.matrix(it)),
        },
        "nonzero": {
            "equations": written.list(&derivation.nonzero.equations),
            "reactions": written.list(&derivation.nonzero.reactions),
        },
        "equations": derivation.equations.iter().map(equation).collect::<Vec<_>>(),
        "multipliers": multipliers,
        "forces": {
            "given": written.by_speed(&given),
            "ideal": written.by_speed(&derivation.forces.ideal),
            "nonideal": written.by_speed(&derivation.forces.nonideal),
        },
        "reactions": reactions,
        "proved": derivation.proved.iter().map(|form| form.name()).collect::<Vec<_>>(),
        "agrees": agrees,
        "not_proved": not_proved,
        "notes": derivation.notes,
    })
}
