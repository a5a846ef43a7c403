//! Programs that `derive` writes for SymPy are read back, and what they say is proved.

use crate::prove::mechanism;
use dalembert::derive::{DeriveOptions, Style, derive};
use dalembert::mechanics::lower::lower;
use dalembert::mechanics::read_model;
use dalembert::prove::{Language, prove, read_equations};
use std::fs;
use std::path::Path;

fn program(text: &str) -> String {
    let (model, _) = read_model(text).unwrap();
    let system = lower(&model).unwrap();
    let found = derive(&model, system, &DeriveOptions::default()).unwrap();
    found.page(Style::Sympy)
}

/// Where the split of forces is printed, whose parts equations do not know.
const SPLIT: [&str; 2] = ["appell-hamel", "ukf-line"];
/// What takes long to derive.
const LONG: [&str; 4] = [
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
        if path.extension().is_none_or(|end| end != "toml") || LONG.contains(&name) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let found = read_equations(&mechanism(&text), &program(&text), Language::Sympy);
        match found {
            Ok(equations) => {
                assert!(!equations.list.is_empty(), "{name}");
                assert!(!SPLIT.contains(&name), "{name}");
            }
            Err(errors) => assert!(SPLIT.contains(&name), "{name}: {errors:?}"),
        }
        read += 1;
    }
    assert!(read > 30, "{read}");
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
