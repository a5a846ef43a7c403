//! Every name on a page is defined there, and before it is used, in every notation: a formula with a name that nobody knows
//! cannot be read.

use crate::support::{examples, text};
use dalembert::derive::{DeriveOptions, Form, Style};
use dalembert::report::DeriveReport;
use dalembert::{Model, Source};
use std::collections::BTreeSet;
use std::path::Path;

/// Long enough that parts of its formulas get names, beside those that the derivation gives.
const LONG: &str = r#"dalembert = 1
gravity = "[0, -(g), 0]"
[parameters]
m = 1.60
k = 1.13
l = 1.00
g = 9.81
[coordinates]
u = { value = 0.96, priority = "guess" }
psi = { value = 1.87, priority = "guess" }
x = { value = 1.58, priority = "guess" }
y = { value = 1.83, priority = "guess" }
[start]
"u'" = { value = -1.53, priority = "guess" }
"psi'" = { value = 1.96, priority = "guess" }
"x'" = { value = -1.07, priority = "guess" }
"y'" = { value = 1.65, priority = "guess" }
[speeds]
w1 = "u'"
w2 = "psi' + atan(x)*u' + 0.3*cos(t)"
w3 = "x' + 1/(2 + cos(y + x))*psi'"
w4 = "y' + sqrt(1 + (y - x)^2)*x'"
[particle.P]
mass = "m"
position = "[u, psi, x]"
[energy]
kinetic = "1.49/2*y'^2 + 0.48*u'^2 + 0.79*y'^2 + 0.2*cos(psi)*u'*y'"
potential = "k/2*u^2 + k/2*y^2"
dissipation = "1.85/2*x'^2"
[constraint.d0]
holds = "(3 + sin(max(psi - u, 0)))*((sin(u - x)^2 + cos(u - x)^2)*u' + 0.92*psi') = (3 + sin((abs(psi - u) + (psi - u))/2))*(1.44 - 0.2*t)"
[constraint.c0]
holds = "x' = (sin(psi)^2 + cos(psi)^2)*u'"
[constraint.c1]
holds = "1*vel(P).x + 0.92*vel(P).y = 1.44 - 0.2*t"
"#;

fn derived(text: &str, form: Option<Form>) -> Option<DeriveReport> {
    let options = DeriveOptions {
        form,
        steps: true,
        ..DeriveOptions::default()
    };
    read(text).derive(&options).ok()
}

fn read(text: &str) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    Model::read(Source::new("model.toml", text).in_folder(folder)).unwrap()
}

/// Names in a formula of the model's language or of SymPy, without what is called as a function.
fn names(formula: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut rest = formula;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    while let Some(start) = rest.find(is_word) {
        // Of a table: its file, its column and its kind are no names of quantities.
        let is_quoted = rest[..start].ends_with('"') || rest[..start].ends_with("('");
        rest = &rest[start..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        let is_argument = is_quoted || after.starts_with(" = ");
        if word == "lambda" && after.starts_with('(') {
            rest = &after[after.find(')').unwrap()..];
        } else if !word.starts_with(|c: char| c.is_ascii_digit())
            && !after.starts_with('(')
            && !is_argument
        {
            names.insert(word.to_owned());
        }
    }
    names
}

/// Names of the model's own quantities; the rest must be defined.
fn known(text: &str) -> BTreeSet<String> {
    let mut known: BTreeSet<String> = ["t", "pi"].map(str::to_owned).into();
    let model = read(text);
    let description = model.description();
    let names = description.coordinates.iter().map(|(name, _)| name);
    let names = names.chain(description.speeds.iter().map(|(name, _)| name));
    let names = names.chain(description.parameters.iter().map(|(name, _)| name));
    known.extend(names.map(|name| name.text.clone()));
    known
}

/// The document for programs.
fn check_document(name: &str, report: &DeriveReport, mut known: BTreeSet<String>) {
    let derived = report.derived();
    let check = |formula: &str, known: &BTreeSet<String>| {
        for used in names(formula) {
            assert!(known.contains(&used), "{name}: {used} in {formula}");
        }
    };
    for (own, formula) in &derived.shorthands {
        check(formula, &known);
        known.insert(own.clone());
    }
    let mut formulas: Vec<&String> = Vec::new();
    for equation in derived.equations.iter().chain(&derived.kinematics) {
        formulas.extend([&equation.left, &equation.right]);
    }
    formulas.extend(derived.multipliers.values().flatten().map(|it| &it.expr));
    let forces = &derived.forces;
    for force in [&forces.given, &forces.ideal, &forces.nonideal] {
        formulas.extend(force.values().flatten());
    }
    formulas.extend(derived.reactions.values().flat_map(|it| it.values()));
    formulas.extend(
        derived
            .nonzero
            .equations
            .iter()
            .chain(&derived.nonzero.reactions),
    );
    formulas.extend(
        derived
            .independent
            .iter()
            .flat_map(|it| it.dependent.values()),
    );
    for formula in formulas {
        check(formula, &known);
    }
    // Parts of long formulas, s1 and so on, are named on their own in LaTeX.
    let lefts = derived.shorthands_latex.iter();
    let lefts = lefts.filter_map(|definition| definition.split(" = ").next());
    let defined: BTreeSet<String> = lefts.flat_map(numbered).collect();
    for equation in &derived.equations {
        let used = numbered(&equation.latex);
        assert!(used.is_subset(&defined), "{name}: {:?}", equation.latex);
    }
}

/// The names that a notation for people gives to parts: s₁, s_1, s_{12}, in the order of the text's lines.
fn numbered(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let subscript = |c: char| match c {
        '₀'..='₉' => char::from_digit(c as u32 - '₀' as u32, 10),
        _ => c.is_ascii_digit().then_some(c),
    };
    for (place, _) in text.match_indices('s') {
        let before = text[..place].chars().next_back();
        let after = text[place + 1..].trim_start_matches(['_', '{']);
        let is_subscript =
            after.len() < text.len() - place - 1 || after.starts_with(|c| ('₀'..='₉').contains(&c));
        let digits: String = after.chars().map_while(subscript).collect();
        let inside_word = before.is_some_and(|c| c.is_alphanumeric() || c == '\\' || c == '_');
        if is_subscript && !digits.is_empty() && !inside_word {
            found.insert(format!("s{digits}"));
        }
    }
    found
}

/// A program: each name is assigned, or declared, on a line before.
fn check_program(name: &str, page: &str) {
    let mut known: BTreeSet<String> = ["pi", "evaluate", "False", "real", "True", "E", "I"]
        .map(str::to_owned)
        .into();
    for line in page.lines().skip(1) {
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let line: String = line.split('"').step_by(2).collect();
        let (left, right) = match line.split_once(" = ") {
            Some((left, right)) if !left.starts_with(' ') => (Some(left), right),
            _ => (None, line.as_str()),
        };
        for used in names(right) {
            assert!(known.contains(&used), "{name}: {used} in {line}");
        }
        known.extend(left.map(str::to_owned));
    }
}

/// A page for people: what is used as s₁ is defined as s₁ somewhere.
fn check_page(name: &str, page: &str, equals: &str) {
    let lines = page.lines().filter_map(|line| line.split_once(equals));
    let defined: BTreeSet<String> = lines.flat_map(|(left, _)| numbered(left)).collect();
    let used = numbered(page);
    let unknown: Vec<&String> = used.difference(&defined).collect();
    assert!(unknown.is_empty(), "{name}: {unknown:?}");
}

fn check(name: &str, text: &str, report: &DeriveReport) {
    check_document(name, report, known(text));
    let page = |style| report.derivation.page(style);
    check_program(name, &page(Style::Sympy));
    check_page(name, &page(Style::Text), " = ");
    check_page(name, &page(Style::Latex), "&=");
    check_page(name, &page(Style::Typst), "&=");
    check_page(name, &page(Style::Markdown), "&=");
}

#[test]
fn long_pages_define_every_name_before_it_is_used() {
    let report = derived(LONG, Some(Form::UdwadiaKalaba)).unwrap();
    let shorthands = &report.derived().shorthands;
    let is_named = |letter: char| shorthands.keys().any(|it| it.starts_with(letter));
    assert!(
        is_named('s') && is_named('c'),
        "the model is too small for this test"
    );
    check("long", LONG, &report);
}

#[test]
fn pages_of_the_gallery_define_every_name() {
    for name in examples() {
        let text = text(&name);
        if let Some(report) = derived(&text, None) {
            check(&name, &text, &report);
        }
    }
}
