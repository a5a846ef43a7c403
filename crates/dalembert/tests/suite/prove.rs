//! Equations proved and refuted.

use dalembert::derive::{DeriveOptions, Form, derive};
use dalembert::mechanics::{Mechanism, read_model};
use dalembert::prove::{Language, Proof, Scope, Verdict, prove, read_equations};
use dalembert::{Model, Source};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn mechanism(text: &str) -> Mechanism {
    let source = Source::new("model.toml", text).in_folder(root().join("examples"));
    let model = Model::read(source).unwrap_or_else(|error| panic!("{error}"));
    Mechanism::new(model.description().clone()).unwrap()
}

pub(crate) fn example(name: &str) -> Mechanism {
    let path = root().join(format!("examples/{name}.toml"));
    mechanism(&fs::read_to_string(path).unwrap())
}

pub(crate) fn proof(mechanism: &Mechanism, equations: &str) -> Proof {
    let equations = read_equations(mechanism, equations, Language::Model).unwrap();
    assert!(equations.refused.is_empty(), "{:#?}", equations.refused);
    let start = mechanism.start().unwrap().state;
    prove(mechanism, &start, &equations)
}

pub(crate) fn verdicts(mechanism: &Mechanism, equations: &str) -> Vec<&'static str> {
    let word = |verdict: &Verdict| match verdict {
        Verdict::Proved(Scope::All) => "proved",
        Verdict::Proved(_) => "proved with values",
        Verdict::Refuted { .. } => "refuted",
        Verdict::NotProved { .. } => "not proved",
    };
    proof(mechanism, equations)
        .verdicts
        .iter()
        .map(word)
        .collect()
}

/// Right equations of the papers, each with something small added: none is proved any more.
#[test]
fn a_small_term_too_many_is_found() {
    let folder = root().join("docs/papers");
    let mut spoiled = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_right =
            path.extension().is_some_and(|end| end == "txt") && !name.ends_with("-misprints");
        if !is_right {
            continue;
        }
        let beside = folder.join(format!("{name}.toml"));
        let mechanism = match beside.exists() {
            true => mechanism(&fs::read_to_string(beside).unwrap()),
            false => example(name),
        };
        let text = fs::read_to_string(&path).unwrap();
        let spoil = |line: &str| match line.split_once(" = ") {
            Some((left, right)) if !line.starts_with("let ") && !line.starts_with("direction ") => {
                let vector = ["vel(disk)", "omega(disk)"].contains(&left);
                let more = if vector { "[1/1000, 0, 0]" } else { "1/1000" };
                format!("{left} = {right} + {more}")
            }
            _ if line.starts_with("direction ") => String::new(),
            _ => line.to_owned(),
        };
        let wrong: Vec<String> = text.lines().map(spoil).collect();
        let found = verdicts(&mechanism, &wrong.join("\n"));
        assert!(
            found.iter().all(|verdict| *verdict == "refuted"),
            "{name}: {found:?}"
        );
        spoiled += found.len();
    }
    assert!(spoiled > 100, "{spoiled}");
}

/// A loop that cannot be solved for its angles: the theorem of energy on its surface.
#[test]
fn the_theorem_of_energy_holds_for_a_four_bar_linkage() {
    let energy = "let T = m1/2*dot(vel(crank), vel(crank)) + m1*l1^2/24*q1'^2 \
         + m2/2*dot(vel(coupler), vel(coupler)) + m2*l2^2/24*q2'^2 \
         + m3/2*dot(vel(rocker), vel(rocker)) + m3*l3^2/24*q3'^2\n\
         let V = g*(m1*pos(crank).y + m2*pos(coupler).y + m3*pos(rocker).y)\n\
         let E = T + V\n";
    let right = format!("{energy}E' = M*q1'\nl1*sin(q1) + l2*sin(q2) = l3*sin(q3)\n");
    assert_eq!(verdicts(&example("four-bar"), &right), ["proved", "proved"]);
    let wrong = format!("{energy}E' = M*q2'\nE' = 0\n");
    assert_eq!(
        verdicts(&example("four-bar"), &wrong),
        ["refuted", "refuted"]
    );
}

/// Implicit surfaces, rows of all levels, rows that are not linear.
#[test]
fn surfaces_of_all_kinds() {
    let pendulum = "m*(x*y'' - y*x'') = -m*g*x\nx*x' + y*y' = 0\nx*x'' + y*y'' + x'^2 + y'^2 = 0\n\
         lambda(rod) = -m*(x'^2 + y'^2 - g*y)/(2*l^2)\n";
    assert_eq!(verdicts(&example("pendulum"), pendulum), ["proved"; 4]);
    let spherical = "x*y'' - y*x'' = 0\n";
    assert_eq!(
        verdicts(&example("spherical-pendulum"), spherical),
        ["proved"]
    );
    let sleigh = "let u = cos(theta)*x' + sin(theta)*y'\nu' = a*theta'^2\n\
                  (J + m*a^2)*theta'' = -m*a*u*theta'\n";
    assert_eq!(
        verdicts(&example("chaplygin-sleigh"), sleigh),
        ["proved"; 2]
    );
    let row = r#"dalembert = 1
[parameters]
m = 2
k = 3
[coordinates]
x = 1
y = 0
[particle.P]
mass = "m"
position = "[x, y, 0]"
[force.pull]
generalized = { x = 1, y = "-k*y" }
[constraint.held]
holds = "x'' + y'' = -k*x"
"#;
    let equations = "x'' + y'' = -k*x\nm*(x'' - y'') = 1 + k*y\nlambda(held) = -(m*k*x + 1 - k*y)/2\n\
                     2*m*x'' = 1 + k*y - m*k*x\n";
    assert_eq!(verdicts(&mechanism(row), equations), ["proved"; 4]);
    assert_eq!(verdicts(&mechanism(row), "x'' = y''"), ["refuted"]);
}

#[test]
fn forces_that_hold_rows_are_counted_as_they_act() {
    // The trolley's force holds theta = 0.4 sin(3 t + 0.5): the pendulum's own equation still holds.
    let servo = example("servo-pendulum");
    let names: Vec<&str> = servo.coordinate_names().collect();
    assert_eq!(names, ["x", "theta"]);
    let found = proof(&servo, "l*theta'' + cos(theta)*x'' + g*sin(theta) = 0\n");
    assert!(
        matches!(found.verdicts[0], Verdict::Proved(Scope::All)),
        "{:?}",
        found.verdicts[0]
    );
}

#[test]
fn multipliers_of_rows_that_depend_on_each_other_are_left_open() {
    let twice = r#"dalembert = 1
gravity = "[0, -g, 0]"
[parameters]
m = 1
g = 9.81
[coordinates]
x = 0
y = 0
[particle.P]
mass = "m"
position = "[x, y, 0]"
[constraint.floor]
holds = "y = 0"
[constraint.again]
holds = "2*y = 0"
"#;
    let mechanism = mechanism(twice);
    let found = proof(
        &mechanism,
        "x'' = 0\nlambda(floor) + 2*lambda(again) = m*g\nlambda(floor) = m*g\n",
    );
    assert!(matches!(found.verdicts[0], Verdict::Proved(Scope::All)));
    assert!(
        matches!(found.verdicts[1], Verdict::Proved(Scope::All)),
        "{:?}",
        found.verdicts[1]
    );
    match &found.verdicts[2] {
        Verdict::NotProved { why, .. } => assert!(why.contains("not unique"), "{why}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(found.left_open, Some([0, 1]));
}

/// The models of the papers that are not in the gallery; for those that are, derivations are tested by themselves.
#[test]
fn all_formulations_of_the_papers_models_are_proved_equal() {
    let mut seen = 0;
    for entry in fs::read_dir(root().join("docs/papers")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let (model, _) = read_model(&fs::read_to_string(&path).unwrap()).unwrap();
        let mechanism = Mechanism::new(model).unwrap();
        let linear = mechanism.system.rows.iter().all(|row| row.linear);
        let found = derive(&mechanism, &DeriveOptions::default()).unwrap();
        let wanted: Vec<Form> = Form::ALL
            .into_iter()
            .filter(|&form| linear || form != Form::Independent)
            .collect();
        let name = path.display();
        assert_eq!(found.proved, wanted, "{name}: {:?}", found.not_proved);
        seen += 1;
    }
    assert!(seen >= 7, "{seen}");
}

#[test]
fn what_is_left_open_is_counted() {
    let pendulum = example("double-pendulum");
    let one = "l2*b'' + l1*cos(a - b)*a'' = l1*sin(a - b)*a'^2 - g*sin(b)\n";
    let other =
        "(m1 + m2)*l1*a'' + m2*l2*cos(a - b)*b'' = -m2*l2*sin(a - b)*b'^2 - (m1 + m2)*g*sin(a)\n";
    assert_eq!(proof(&pendulum, one).left_open, Some([1, 0]));
    assert_eq!(
        proof(&pendulum, &format!("{one}{one}")).left_open,
        Some([1, 0])
    );
    assert_eq!(
        proof(&pendulum, &format!("{one}{other}")).left_open,
        Some([0, 0])
    );
    assert!(proof(&pendulum, &format!("{one}{other}")).is_complete());
}
