//! Programs that `derive` writes for SymPy are read back, and what they say is proved.

use crate::prove::mechanism;
use dalembert::derive::{DeriveOptions, Form, Style, derive};
use dalembert::prove::{Language, Verdict, prove, read_equations};
use std::fs;
use std::path::Path;

fn program(text: &str) -> String {
    program_by(text, None).unwrap()
}

/// Nothing where there is no such formulation.
fn program_by(text: &str, form: Option<Form>) -> Option<String> {
    let options = DeriveOptions {
        form,
        ..DeriveOptions::default()
    };
    let found = derive(&mechanism(text), &options).ok()?;
    Some(found.page(Style::Sympy))
}

/// What takes long to derive; and in whose program what a file says is a function that SymPy knows by name alone.
const LEFT_OUT: [&str; 5] = [
    "table-drive",
    "bricard-iftomm-a04",
    "wheelset-ivp",
    "whipple-bicycle",
    "andrews-squeezer",
];

#[test]
fn programs_of_the_gallery_are_read_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut read = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_none_or(|end| end != "toml") || LEFT_OUT.contains(&name) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mechanism = mechanism(&text);
        for form in [None].into_iter().chain(Form::ALL.map(Some)) {
            let Some(program) = program_by(&text, form) else {
                assert!(form.is_some(), "{name}");
                continue;
            };
            let found = read_equations(&mechanism, &program, Language::Sympy);
            let equations = found.unwrap_or_else(|errors| panic!("{name} by {form:?}: {errors:?}"));
            assert!(!equations.list.is_empty(), "{name}");
            read += 1;
        }
    }
    assert!(read > 150, "{read}");
}

/// What ideal constraints would exert, and what is not ideal about those of the model, is proved too; in quasi-velocities, and
/// wrong forces are refuted.
#[test]
fn parts_of_forces_are_read_back_and_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let quasi = "\n[speeds]\nu = \"2*x1' + x2'\"\nw = \"x2'\"\n";
    let line = fs::read_to_string(folder.join("ukf-line.toml")).unwrap();
    let cone = fs::read_to_string(folder.join("appell-hamel.toml")).unwrap();
    for text in [line.clone(), cone, line.clone() + quasi] {
        let mechanism = mechanism(&text);
        let start = mechanism.start().unwrap().state;
        let page = program(&text);
        assert!(
            page.contains("F_ideal") && page.contains("F_nonideal"),
            "{page}"
        );
        let written = read_equations(&mechanism, &page, Language::Sympy).unwrap();
        assert!(prove(&mechanism, &start, &written).is_complete(), "{page}");
    }
    let mechanism = mechanism(&line);
    let start = mechanism.start().unwrap().state;
    let wrong = "F_ideal(x1) = -m*k*g/(k^2 + 2)\nF_ideal(x1) + F_nonideal(x1) = lambda(line)\n";
    let wrong = read_equations(&mechanism, wrong, Language::Model).unwrap();
    let found = prove(&mechanism, &start, &wrong).verdicts;
    assert!(
        found.iter().all(|it| matches!(it, Verdict::Refuted { .. })),
        "{found:?}"
    );
    let unknown = read_equations(&mechanism, "F_ideal(x3) = 0\n", Language::Model);
    assert!(unknown.is_err());
}

/// Names that SymPy has a meaning for are the model's own.
#[test]
fn names_of_sympy_may_be_names_of_a_model() {
    let text = r#"dalembert = 1
[parameters]
I = 1.5
E = 2.5
S = 0.7
N = 3
Q = 4
zeta = 0.2
[coordinates]
beta = 0.3
gamma = 0.4
[energy]
kinetic = "I*beta'^2/2 + N*E*gamma'^2/2"
potential = "S*cos(beta) + Q*zeta*gamma^2"
[constraint.C]
holds = "beta' = E*gamma'"
"#;
    let mechanism = mechanism(text);
    let start = mechanism.start().unwrap().state;
    let page = program(text);
    let written = read_equations(&mechanism, &page, Language::Sympy).unwrap();
    assert!(written.list.len() >= 3, "{page}");
    assert!(prove(&mechanism, &start, &written).is_complete(), "{page}");
    // As SymPy itself prints its symbols, by their names; and told not to evaluate.
    let printed = "Eq(Derivative(beta(t), t), E*Derivative(gamma(t), t), evaluate=False)\n\
                   I*Derivative(beta(t), (t, 2)) - S*sin(beta(t)) - lambda(C)\n";
    let printed = read_equations(&mechanism, printed, Language::Sympy).unwrap();
    assert!(prove(&mechanism, &start, &printed).is_complete());
}
