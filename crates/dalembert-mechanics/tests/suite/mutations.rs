//! Damaged models through the whole corridor: no panic, no hang, and every complaint is about a
//! place in the file.

use crate::models::leaning_disk;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::model::read;
use fastrand::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const MUTANTS: usize = 5000;

const MODELS: &[&str] = &[
    concat!(
        r#"dalembert = 1
title = "Thin disk rolling on a plane"
gravity = "[0, 0, -g]"
[parameters]
m = "2 kg"
r = "0.343 m"
g = "9.81 m/s^2"
J = "m*r^2/4"
[definitions]
speed2 = "x'^2 + y'^2"
[coordinates]
x = 0
y = 0
z = "r*cos(theta)"
psi = 0
theta = "10 deg"
phi = { value = 0, priority = "guess" }
[start]
"phi'" = "8 rad/s"
"theta'" = { value = 0, priority = "guess" }"#,
        leaning_disk!(),
        r#"[constraint.contact]
holds = "vel(disk, at = disk.center - r*lean.ez) = 0"
[run]
span = 10
rtol = 1e-9
until = "theta > 85 deg"
samples = 1001
record = ["energy", "reaction(contact)", "power(contact)", "vel(disk)", "lambda(contact.0)"]
"#
    ),
    r#"dalembert = 1
[parameters]
k = 2
c = 0.1
[coordinates]
x = 1
y = "?"
[speeds]
u = "x'"
w = "y' + x*x'"
[start]
u = 1
[particle.P]
mass = 1
position = "[x, y, 0]"
[spring.S]
between = ["point(ground, [0, 0, 1])", "P"]
stiffness = "k"
length = 0.5
damping = "c"
[force.wind]
on = "P"
vector = "[sin(t), 0, 0]"
[constraint.wire]
holds = "k*x - y = 0"
nonideal = { x = 1, w = "-w" }
"#,
    r#"dalembert = 1
[coordinates]
a = "30 deg"
b = "a/2"
[energy]
kinetic = "(a'^2 + b'^2 + cos(a - b)*a'*b')/2"
potential = "-9.81*(2*cos(a) + cos(b))"
dissipation = "0.1*a'^2"
[force.motor]
generalized = { a = "sin(t)" }
[constraint.gear]
holds = "a'^2 = 4*b'^2"
[start]
"a'" = 2
"b'" = { value = 1, priority = "guess" }
"#,
    r#"dalembert = 1
[coordinates]
x = 0
y = 1
[dynamics]
mass_matrix = [["2 + x^2", "0"], ["0", "3"]]
force = ["-x", "-9.81 + x'^2"]
[constraint.program]
holds = "x'' = sin(t) - y"
[run]
span = 1
step = 0.1
"#,
    r#"dalembert = 1
gravity = "[0, -9.81, 0]"
[coordinates]
theta = 0.1
s = 0.5
[body.rod]
density = 7850
center = "[s*cos(theta), s*sin(theta), 0]"
attitude = "Rz(theta)"
shape = { cylinder = { length = 1, radius = 0.02, axis = "x" } }
[body.box]
mass = 2
center = "rod.center + [1, 0, 0]"
attitude = "Rz(2*theta) Ry(t)"
shape = { box = { size = [1, 2, 3] } }
[spring.T]
on = "theta"
stiffness = 3
[force.push]
on = "rod"
at = "point(rod, [0.5, 0, 0])"
vector = "[0, 1, 0]"
in = "rod"
torque = "[0, 0, 1]"
"#,
];

const PIECES: &[&str] = &[
    "0",
    "1",
    "-1",
    "1e300",
    "1e-300",
    "0/0",
    "x",
    "y",
    "t",
    "theta",
    "x'",
    "x''",
    "theta'",
    "P",
    "disk",
    "lean",
    "ground",
    "disk.center",
    "lean.ex",
    "[1, 2, 3]",
    "[x, 0, 0]",
    "Rz(x)",
    "vel(P)",
    "acc(disk)",
    "omega(disk)",
    "sqrt(x)",
    "log(0)",
    "1/x",
    "atan2(0, 0)",
    "abs(x)",
    "sign(x)",
    "max(x, y)",
    "=",
    "<",
    "?",
    "\"?\"",
    "'",
    "\"",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ",",
    ".",
    "^",
    "*",
    "^(1/2)",
    "^x",
    "m",
    "k",
    "kg",
    "deg",
    "rad",
    "true",
    "false",
    "guess",
    "must",
    "energy",
    "mass",
    "nan",
    "inf",
    "x_dot",
    "pi",
    "é",
    "\n",
    "#",
    "speed2",
    "pos(speed2)",
    "-",
    "1000000000000",
    "^99",
    "^1e9",
    "norm([0, 0, 0])",
    "cross(lean.ex, lean.ex)",
    "point(disk, [0, 0, 0])",
];

/// Bounds of names, numbers and signs.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut begin: Option<usize> = None;
    for (at, c) in text.char_indices() {
        let word = c.is_alphanumeric() || c == '_';
        if let Some(from) = begin.filter(|_| !word) {
            found.push((from, at));
            begin = None;
        }
        if word {
            begin = begin.or(Some(at));
        } else if !c.is_whitespace() {
            found.push((at, at + c.len_utf8()));
        }
    }
    found
}

fn by_tokens(rng: &mut Rng, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..rng.usize(1..3) {
        let places = tokens(&text);
        let (from, to) = places[rng.usize(..places.len())];
        let (other_from, other_to) = places[rng.usize(..places.len())];
        let other = text[other_from..other_to].to_owned();
        match rng.u8(0..4) {
            0 => text.replace_range(from..to, ""),
            1 => text.replace_range(from..to, &other),
            2 => text.replace_range(from..to, PIECES[rng.usize(..PIECES.len())]),
            _ => text.insert_str(from, PIECES[rng.usize(..PIECES.len())]),
        }
    }
    text
}

const NUMBERS: &[&str] = &[
    "0", "1", "2", "-1", "0.5", "3", "10", "1e-9", "1e9", "1e300",
];

/// Numbers for numbers and names for names, inside expressions and outside: most of these files can
/// be read, and fail later if they fail.
fn by_kind(rng: &mut Rng, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..rng.usize(1..4) {
        let is_number =
            |&(from, to): &(usize, usize)| text[from..to].bytes().all(|byte| byte.is_ascii_digit());
        // The version stays.
        let body = text.find('\n').unwrap_or(0);
        let places: Vec<(usize, usize)> = tokens(&text)
            .into_iter()
            .filter(|&(from, _)| from > body)
            .collect();
        let (numbers, others): (Vec<_>, Vec<_>) = places.into_iter().partition(is_number);
        // A name inside quotes: an odd number of quotes before it in its line.
        let quoted = |&(from, to): &(usize, usize)| {
            let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
            text[line..from].matches('"').count() % 2 == 1
                && text.as_bytes()[from].is_ascii_alphabetic()
                && text.as_bytes().get(to) != Some(&b'(')
        };
        let names: Vec<(usize, usize)> = others.into_iter().filter(quoted).collect();
        if (rng.bool() || names.is_empty()) && !numbers.is_empty() {
            let (from, to) = numbers[rng.usize(..numbers.len())];
            text.replace_range(from..to, NUMBERS[rng.usize(..NUMBERS.len())]);
        } else if !names.is_empty() {
            let (from, to) = names[rng.usize(..names.len())];
            let (other_from, other_to) = names[rng.usize(..names.len())];
            let other = text[other_from..other_to].to_owned();
            text.replace_range(from..to, &other);
        }
    }
    text
}

fn by_lines(rng: &mut Rng, text: &str) -> String {
    let donor = MODELS[rng.usize(..MODELS.len())];
    let donor: Vec<&str> = donor.lines().collect();
    let mut lines: Vec<&str> = text.lines().collect();
    for _ in 0..rng.usize(1..4) {
        let (a, b) = (rng.usize(1..lines.len()), rng.usize(1..lines.len()));
        match rng.u8(0..4) {
            0 => {
                lines.remove(a);
            }
            1 => lines.swap(a, b),
            2 => lines.insert(a, lines[b]),
            _ => lines.insert(a, donor[rng.usize(..donor.len())]),
        }
    }
    lines.join("\n")
}

fn by_bytes(rng: &mut Rng, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..3) {
        let at = rng.usize(..bytes.len());
        match rng.u8(0..3) {
            0 => bytes[at] = rng.u8(32..127),
            1 => {
                bytes.remove(at);
            }
            _ => bytes.insert(at, rng.u8(32..127)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How far a file comes: 0 refused as it reads, 1 as it is lowered, 2 at the start, 3 in motion, 4 not at all.
fn travel(file: &str) -> (usize, Vec<Diagnostic>) {
    let (model, warnings) = match read(file) {
        Ok(found) => found,
        Err(errors) => return (0, errors),
    };
    let mechanism = match Mechanism::new(model) {
        Ok(mechanism) => mechanism,
        Err(errors) => return (1, errors),
    };
    let _ = mechanism.raw_start(mechanism.from);
    let start = match mechanism.start() {
        Ok(start) => start,
        Err(errors) => return (2, errors),
    };
    for value in start.state.coordinates.iter().chain(&start.state.rates) {
        assert!(value.is_finite(), "a start at {:?}", start.state);
    }
    let Ok(snapshot) = mechanism.snapshot(&start.state) else {
        return (3, warnings);
    };
    assert!(
        start.position_residual < 1e-6 && start.velocity_residual < 1e-6,
        "a start that does not meet the rows: {start:?}"
    );
    for value in snapshot.accelerations.iter().chain(&snapshot.multipliers) {
        assert!(value.is_finite(), "accelerations {snapshot:?}");
    }
    (4, warnings)
}

/// Where a refused file was refused, after checking what was said.
fn survey(file: &str) -> usize {
    // Mistakes of form and of meaning together: what is left of a damaged model is lowered too.
    let _ = dalembert_mechanics::read_model(file);
    let began = Instant::now();
    let (stage, diagnostics) = travel(file);
    let took = began.elapsed();
    assert!(took < Duration::from_secs(60), "took {took:?}");
    assert!(
        stage > 2 || !diagnostics.is_empty(),
        "refused without a reason"
    );
    for diagnostic in &diagnostics {
        match &diagnostic.place {
            Place::File(span) => {
                assert!(file.get(span.clone()).is_some(), "{diagnostic:?}");
            }
            Place::Text(_) => panic!("a place outside the file: {diagnostic:?}"),
            Place::Model => assert!(
                WHOLE.contains(&diagnostic.code),
                "this has a place in the file: {diagnostic:?}"
            ),
        }
        assert!(!diagnostic.message.is_empty() && !diagnostic.message.ends_with('.'));
        assert!(
            dalembert_mechanics::codes::explanation(diagnostic.code).is_some()
                || dalembert_expr::syntax::CODES
                    .iter()
                    .any(|(code, _)| *code == diagnostic.code),
            "no explanation of {}",
            diagnostic.code
        );
    }
    stage
}

/// What is said of the model as a whole.
const WHOLE: &[&str] = &["E0411", "E0412"];

#[test]
fn damaged_models_are_refused_or_run() {
    let mut rng = Rng::with_seed(0x00da_1e4b);
    let mut reached = [0_usize; 5];
    let mut failures = Vec::new();
    for model in MODELS {
        assert_eq!(survey(model), 4, "the undamaged model runs");
    }
    for index in 0..MUTANTS {
        let model = MODELS[rng.usize(..MODELS.len())];
        let file = match index % 5 {
            0 => by_bytes(&mut rng, model),
            1 => by_lines(&mut rng, model),
            2 | 3 => by_kind(&mut rng, model),
            _ => by_tokens(&mut rng, model),
        };
        match catch_unwind(AssertUnwindSafe(|| survey(&file))) {
            Ok(stage) => reached[stage] += 1,
            Err(reason) => {
                let reason = reason
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| reason.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                failures.push(format!("{}\n{file}", reason.unwrap_or_default()));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {MUTANTS} failed:\n{}",
        failures.len(),
        failures[..failures.len().min(10)].join("\n\n----\n")
    );
    // Mutants of all kinds were made.
    assert!(
        reached.iter().all(|&count| count > MUTANTS / 200),
        "{reached:?}"
    );
}
