//! What is derived, read again by `prove`: another way from the text to the motion, with elimination of its own.

use crate::support::{derived, text};
use dalembert::derive::{DeriveOptions, Equation, Form};
use dalembert::prove::{Language, Verdict, prove, read_equations};
use dalembert_expr::print::Format;
use dalembert_mechanics::{Mechanism, model};

fn proved(name: &str, form: Form) {
    read_again(name, &text(name), form);
}

pub(crate) fn read_again(name: &str, model: &str, form: Form) {
    let options = DeriveOptions {
        form: Some(form),
        ..DeriveOptions::default()
    };
    let derivation = derived(model, &options).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let text_of = |it: &Equation| {
        let printed = derivation.print(&[it.left, it.right], Format::Model);
        assert!(!printed.is_shared(), "{name}");
        printed.expressions.join(" = ")
    };
    let mut lines: Vec<String> = derivation
        .shorthands
        .iter()
        .chain(&derivation.reaction_shorthands)
        .map(|it| format!("let {}", text_of(it)))
        .collect();
    let equations = derivation.equations.iter().chain(&derivation.kinematics);
    lines.extend(equations.map(text_of));
    for (row, formula) in derivation.rows.iter().zip(&derivation.multipliers) {
        let formula = formula.map(|it| derivation.print(&[it], Format::Model));
        lines.extend(formula.map(|it| format!("lambda({row}) = {}", it.expressions.concat())));
    }
    // That a single quantity is zero is left to numbers, which the other tests compare.
    lines.retain(|line| !line.ends_with(" = 0") || line.contains(['+', '-', '*']));
    let (model, _) = model::read(model).unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    let start = mechanism.start().unwrap().state;
    let file = lines.join("\n");
    let equations = read_equations(&mechanism, &file, Language::Model)
        .unwrap_or_else(|errors| panic!("{name} by {form}: {errors:#?}\n{file}"));
    assert!(equations.refused.is_empty(), "{:#?}", equations.refused);
    let proof = prove(&mechanism, &start, &equations);
    for (equation, verdict) in equations.list.iter().zip(&proof.verdicts) {
        let proved = matches!(verdict, Verdict::Proved(_));
        assert!(proved, "{name} by {form}: {}: {verdict:?}", equation.text);
    }
    assert!(!proof.verdicts.is_empty(), "{name}");
}

/// The slip along a wire in space is divided by a length: its sign has none.
#[test]
fn friction_along_a_wire() {
    for row in ["[y - a*x^2, z - x, 0] = 0", "[y - a*sin(x), z - x, 0] = 0"] {
        let model = format!(
            "dalembert = 1\ngravity = \"[0, 0, -g]\"\n[parameters]\nm = 1\ng = 9.81\nmu = 0.3\na = 0.5\n[coordinates]\n\
             x = 1\ny = \"?\"\nz = \"?\"\n[start]\n\"x'\" = 2\n[particle.P]\nmass = \"m\"\nposition = \"[x, y, z]\"\n\
             [constraint.wire]\nholds = \"{row}\"\nfriction = {{ coefficient = \"mu\" }}\n"
        );
        read_again(row, &model, Form::Multipliers);
    }
}

#[test]
fn the_papers_examples() {
    for name in [
        "blajer-disk",
        "rolling-disk",
        "phong-pendulum",
        "angeles-disk",
        "angeles-gear-train",
    ] {
        for form in Form::ALL {
            proved(name, form);
        }
    }
    for form in [
        Form::Multipliers,
        Form::UdwadiaKalaba,
        Form::Projection,
        Form::Complement,
    ] {
        proved("appell-hamel", form);
    }
}

#[test]
fn systems_without_constraints() {
    for name in [
        "double-pendulum",
        "angeles-bar",
        "angeles-bar-torque",
        "wheelset",
    ] {
        proved(name, Form::Independent);
    }
}
