//! Jumps, branches and rounding: what is proved holds for every value and on the branch of the start, and a refutation
//! shows a difference.

use crate::prove::{mechanism, proof, verdicts};
use dalembert::prove::{Scope, Verdict};
use dalembert_expr::print::{Format, print_one};

const OSCILLATOR: &str = r#"dalembert = 1
[parameters]
m = 2
k = 3
[coordinates]
x = 1
y = 2
[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "k/2*x^2"
"#;

/// Almost everywhere the derivative of a step is zero, and it still depends on what is in it.
#[test]
fn what_jumps_is_not_taken_for_linear() {
    let oscillator = mechanism(OSCILLATOR);
    let wrong = "sign(x'' - 1000) = -1\n\
                 sign(max(x'' - 100, 0)) = 0\n\
                 m*x'' = -k*x + y*(1 + sign(x'' - 1000))\n\
                 y'' = 1 + sign(x'' - 1000)\n\
                 m*x'' = -k*x + y*(1 + sign(-1000 - x))\n\
                 sign(x'') = sign(x)\n\
                 abs(x'') = x''\n";
    let found = verdicts(&oscillator, wrong);
    assert_eq!(found, ["refuted"; 7]);
    // Beyond all states that are tried: not proved, and not refuted.
    let far = "sign(x'' - 10^9) = -1\natan(x'' - 1000) + atan(1/(x'' - 1000)) = atan(-1000) + atan(-1/1000)\n\
               m*x'' = -k*x + y*(1 + sign(x'' - 10^12))\n";
    let found = verdicts(&oscillator, far);
    assert!(
        found.iter().all(|verdict| *verdict != "proved"),
        "{found:?}"
    );
    let right = "sign(x'') = -sign(x)\nabs(m*x'') = abs(k*x)\nmax(x'', 1) = max(-k*x/m, 1)\n\
                 sign(x''^2 + 1) = 1\nx''*sign(x'') = abs(x'')\n";
    let found = verdicts(&oscillator, right);
    assert!(
        found.iter().all(|verdict| *verdict != "refuted"),
        "{found:?}"
    );
    let signs = proof(&oscillator, "sign(x'') = -sign(x)\n");
    assert!(matches!(signs.verdicts[0], Verdict::Proved(Scope::Values)));
}

#[test]
fn multipliers_in_jumps_are_not_linear_either() {
    let on_floor = mechanism(
        r#"dalembert = 1
[parameters]
m = 2
g = 9.8
[coordinates]
x = 1
y = "?"
[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y + m*x^3"
[constraint.floor]
holds = "y = x"
"#,
    );
    let wrong =
        "sign(lambda(floor) + 1e5) = 1\n2*m*x'' = -m*g - 3*m*x^2 + 1 - sign(lambda(floor) + 1e5)\n";
    let found = verdicts(&on_floor, wrong);
    assert!(
        found.iter().all(|verdict| !verdict.starts_with("proved")),
        "{found:?}"
    );
    assert_eq!(
        verdicts(
            &on_floor,
            "2*lambda(floor) = m*g - 3*m*x^2\nsign(lambda(floor) - 1e5) = -1\n"
        ),
        ["proved", "proved with values"]
    );
}

const KNIFE: &str = r#"dalembert = 1
[parameters]
g = 9
[coordinates]
x = 0
y = 2
[start]
"x'" = 0
"y'" = 1
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "g*y"
[constraint.c]
holds = "x*y' = 0"
"#;

/// x y' = 0 is met by x = 0, where the start is, and by y' = 0, where it is not.
#[test]
fn proofs_are_of_the_branch_of_the_start() {
    let found = proof(
        &mechanism(KNIFE),
        "y' = 0\ny'' = -g\nx = 0\nx*y' = 0\ny'' = 0\n",
    );
    let word = |verdict: &Verdict| match verdict {
        Verdict::Proved(_) => "proved",
        Verdict::Refuted { .. } => "refuted",
        Verdict::NotProved { .. } => "not proved",
    };
    let words: Vec<&str> = found.verdicts.iter().map(word).collect();
    assert_eq!(
        words,
        ["refuted", "not proved", "not proved", "proved", "refuted"]
    );
    // On the other branch.
    let other = KNIFE
        .replace("x = 0", "x = 1")
        .replace("\"y'\" = 1", "\"y'\" = 0");
    let found = proof(&mechanism(&other), "y' = 0\ny'' = 0\n");
    assert!(found.is_complete());
    let branch = found.branches[0];
    let text = |id| print_one(&found.graph, id, Format::Model);
    let shown = [branch.left, branch.right, branch.other].map(text);
    assert_eq!(shown, ["y'", "0", "x"]);
}

#[test]
fn a_product_is_solved_by_the_factor_that_vanishes_at_the_start() {
    let crossing = |x: f64, y: f64, rates: [f64; 2]| {
        mechanism(&format!(
            "dalembert = 1\n[coordinates]\nx = {x}\ny = {y}\n[start]\n\"x'\" = {}\n\"y'\" = {}\n[energy]\n\
             kinetic = \"(x'^2 + y'^2)/2\"\npotential = \"3*y\"\n[constraint.c]\nholds = \"x*y = 0\"\n",
            rates[0], rates[1]
        ))
    };
    let along = crossing(1.0, 0.0, [-1.0, 0.0]);
    let equations = "y = 0\nx'' = 0\ny'' = 0\nx = 0\ny'' = -3\nlambda(c)*x = 3\n";
    let expected = ["proved", "proved", "proved", "refuted", "refuted", "proved"];
    assert_eq!(verdicts(&along, equations), expected);
    let found = proof(&along, equations);
    assert_eq!((found.branches.len(), found.change_point), (1, false));
    let across = crossing(0.0, 1.0, [0.0, 0.5]);
    let expected = [
        "refuted", "proved", "refuted", "proved", "proved", "refuted",
    ];
    assert_eq!(verdicts(&across, equations), expected);
    // A factor that is not linear in any coordinate.
    let parabola = mechanism(
        "dalembert = 1\n[parameters]\nk = 3\n[coordinates]\nx = 1\ny = 0\n[start]\n\"x'\" = 1\n\"y'\" = 0\n[energy]\n\
         kinetic = \"x'^2 + y'^2\"\npotential = \"k*y\"\n[constraint.c]\nholds = \"y*(y - x^2) = 0\"\n",
    );
    let found = verdicts(&parabola, "y = 0\ny'' = 0\ny = x^2\n");
    assert_eq!(found, ["proved", "proved", "refuted"]);
    // A row whose other factor vanishes nowhere has one branch.
    let one = mechanism(
        "dalembert = 1\n[coordinates]\nx = 1\ny = 0\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
         [constraint.c]\nholds = \"(1 + x^2)*y = 0\"\n",
    );
    assert!(proof(&one, "y = 0\n").branches.is_empty());
}

/// Squares, sines and magnitudes that vanish in several ways are solved as the start does.
#[test]
fn rows_with_several_solutions_are_solved_by_that_of_the_start() {
    let on = |x: &str, y: &str, rates: [f64; 2], row: &str| {
        mechanism(&format!(
            "dalembert = 1\n[parameters]\nl = 2\n[coordinates]\nx = \"{x}\"\ny = \"{y}\"\n[start]\n\"x'\" = {}\n\
             \"y'\" = {}\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"3*y\"\n[constraint.c]\nholds = \"{row}\"\n",
            rates[0], rates[1]
        ))
    };
    let along = [0.5, 0.5];
    let across = [0.5, -0.5];
    let still = [0.0, 0.5];
    let cases = [
        (on("1", "1", along, "x^2 = y^2"), "x = y", "x = -y"),
        (on("1", "-1", across, "x^2 = y^2"), "x = -y", "x = y"),
        (
            on("3", "2", along, "(x - l)^2 = (y - 1)^2"),
            "x - l = y - 1",
            "x - l = 1 - y",
        ),
        (
            on("2", "1", [1.0, 0.5], "x^2 - 3*x*y + 2*y^2 = 0"),
            "x = 2*y",
            "x = y",
        ),
        (on("1", "1", along, "sin(x - y) = 0"), "x = y", "x = y + pi"),
        (
            on("1 + 3*pi", "1", along, "l*sin(x - y) = 0"),
            "x = y + 3*pi",
            "x = y",
        ),
        (
            on("-pi/2", "1", still, "cos(x) = 0"),
            "x = -pi/2",
            "x = pi/2",
        ),
        (on("-1", "1", still, "abs(x) = 1"), "x = -1", "x = 1"),
        (on("2", "1", still, "abs(x) = l"), "x = l", "x = -l"),
    ];
    for (model, right, wrong) in &cases {
        let equations = format!("{right}\n{wrong}\n");
        let row = &model.system.rows[0];
        let shown = print_one(&model.system.graph, row.residual, Format::Model);
        let found = verdicts(model, &equations);
        assert_eq!(found, ["proved", "refuted"], "{shown}: {equations}");
    }
    let found = proof(&cases[8].0, "x = l\n");
    let branches = found.branches.iter();
    let others: Vec<String> = branches
        .map(|it| print_one(&found.graph, it.other, Format::Model))
        .collect();
    assert_eq!(others, ["l + x"]);
    assert!(matches!(found.verdicts[0], Verdict::Proved(Scope::All)));
    // Behind a corner the row goes on elsewhere: true up to there, and not refuted from beyond.
    let corner = on("0.5", "0.5", across, "abs(x) + abs(y) = 1");
    assert_ne!(verdicts(&corner, "x + y = 1\n"), ["refuted"]);
    // |x| = 3 - |x - 1|: on the branch of the start the right side stays what it is.
    let twice = on("2", "1", still, "abs(x) + abs(x - 1) = 3");
    assert_eq!(verdicts(&twice, "x = 2\nx = -1\n"), ["proved", "refuted"]);
    // |x| = 3 - |x - y| ends where the right side vanishes.
    let moving = on("2", "1", [0.25, 0.5], "abs(x) + abs(x - y) = 3");
    assert_eq!(verdicts(&moving, "2*x = 3 + y\n"), ["not proved"]);
    let in_time = on("1", "1", still, "abs(x) = cos(t)");
    assert_eq!(verdicts(&in_time, "x = cos(t)\n"), ["not proved"]);
}

/// (sgn x)² is 1 where x is not zero; that is said, and not claimed where x may be zero.
#[test]
fn squares_of_signs_are_one_beside_their_jumps() {
    let spring = mechanism(
        "dalembert = 1\n[parameters]\nm = 2\nk = 3\na = 0.5\n[coordinates]\nx = 1\ny = 0\nz = 0\n[energy]\n\
         kinetic = \"m/2*x'^2 + y'^2 + z'^2\"\npotential = \"k/2*(abs(x) - a)^2\"\n[constraint.c]\nholds = \"z = 0\"\n",
    );
    let equations = "m*x'' = -k*(x - a*sign(x))\nm*x'' = -k*(abs(x) - a)*x/abs(x)\nsign(x)^2 = 1\n\
                     abs(x)*sign(x) = x\nsign(x)^3 = sign(x)\nsign(y)^2 = 1\nsign(z)^2 = 1\nsign(x)^2 = sign(y)^2\n";
    let found = proof(&spring, equations);
    let proved = |verdict: &Verdict| matches!(verdict, Verdict::Proved(_));
    let proved: Vec<bool> = found.verdicts.iter().map(proved).collect();
    assert_eq!(proved, [true, true, true, true, true, false, false, false]);
    let beside: Vec<usize> = found.nonzero.iter().map(Vec::len).collect();
    assert_eq!(beside, [0, 0, 1, 0, 0, 0, 0, 0], "{:?}", found.nonzero);
    assert_eq!(found.nonzero[2], ["x"]);
}

/// Where branches meet, the motion may go on along either: nothing is proved of one of them that the other leaves.
#[test]
fn a_change_point_is_told() {
    let rest = KNIFE.replace("\"y'\" = 1", "\"y'\" = 0");
    let found = proof(&mechanism(&rest), "y' = 0\n");
    assert!(found.change_point);
    assert!(
        !matches!(found.verdicts[0], Verdict::Proved(_)),
        "{:?}",
        found.verdicts[0]
    );
}

/// Accelerations that vanish are differences of terms that do not.
#[test]
fn a_refutation_shows_a_difference() {
    let fixed = r#"dalembert = 1
[coordinates]
x = "-18/25"
y = 0
[energy]
kinetic = "(x'^2*(2 + sin(x)^2) + y'^2)/2"
potential = "sin(x)"
[constraint.c]
holds = "x = -18/25"
"#;
    assert_eq!(
        verdicts(&mechanism(fixed), "x'' = 0\nx' = 0\n"),
        ["proved"; 2]
    );
    let found = verdicts(
        &mechanism(fixed),
        "x'' = 1e-20\nlambda(c) = cos(x) + 1e-20\n",
    );
    assert_eq!(found, ["refuted"; 2]);
    let masses = r#"dalembert = 1
[parameters]
m2 = 2.75
[coordinates]
r = "-18/25"
[start]
"r'" = { value = 0.13, priority = "guess" }
[energy]
kinetic = "r'^2*(r^2/2 + 1/2)"
potential = "39*sin(r)/100"
[particle.P0]
mass = "m2"
position = "[11*cos(r)/10, -103*exp(r/2)/100, 59*exp(r/2)/50]"
[particle.P1]
mass = "m2"
position = "[7*r^2/50, -3*sin(r)/5, -11*sin(r)*cos(r)/25]"
[constraint.c0]
holds = "7*r/20 = -0.252000000000000000000000000000"
"#;
    assert_eq!(verdicts(&mechanism(masses), "r'' = 0\n"), ["proved"]);
    // Beside a coordinate without inertia.
    let massless = r#"dalembert = 1
[parameters]
k = 3
[coordinates]
x = "-18/25"
y = 1
[energy]
kinetic = "y'^2/2"
potential = "k*x + k*y^2/2"
[constraint.c]
holds = "x = -18/25"
"#;
    let found = verdicts(&mechanism(massless), "x'' = 0\nlambda(c) = k\ny'' = -k*y\n");
    assert_eq!(found, ["proved"; 3]);
}

/// Twice as many equations take twice as long, about.
#[test]
fn many_equations_are_read_and_proved_one_after_the_other() {
    let oscillator = mechanism(OSCILLATOR);
    let line = |i: usize| format!("{i}*m*x'' + {i}*k*x = {}*y''\n", i % 7);
    let lines: String = (1..800).map(line).collect();
    let begin = std::time::Instant::now();
    let found = proof(&oscillator, &lines);
    assert!(found.is_complete());
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

/// What is multiplied by a denominator that vanishes on every motion would always follow.
#[test]
fn what_has_no_value_is_not_proved() {
    let oscillator = mechanism(OSCILLATOR);
    let without_value = "(y'' + m*x'' + k*x)/(m*x'' + k*x) = 7\n\
                         1/(m*x'' + k*x) = 1/y''\n\
                         acos(2) = acos(2)\n";
    assert_eq!(verdicts(&oscillator, without_value), ["not proved"; 3]);
    // As it is written, also where simplification takes away what has no value.
    let simplified = "let root = sqrt(-1 - x^2)\nlet square = root^2\n\
                      sqrt(-1 - x^2)^2 = -1 - x^2\n\
                      sqrt(-1 - x^2)*sqrt(-1 - x^2) = -1 - x^2\n\
                      square = -1 - x^2\n\
                      (m*x'' + k*x)/(m*x'' + k*x) = 1\n\
                      0*(1/y'') = 0\n\
                      y''^(-1)*y'' = 1\n\
                      exp(log(-1 - x^2)) = -1 - x^2\n\
                      m*x'' = -k*x + 0*acos(2 + x^2)\n";
    assert_eq!(verdicts(&oscillator, simplified), ["not proved"; 8]);
    let with_value = "sqrt(1 + x^2)^2 = 1 + x^2\nx/x = 1\nsqrt(x)^2 = x\n";
    assert_eq!(verdicts(&oscillator, with_value), ["proved"; 3]);
    let ring = mechanism(
        r#"dalembert = 1
[coordinates]
x = 0.6
y = 0.8
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraint.ring]
holds = "x^2 + y^2 = 1"
"#,
    );
    let found = verdicts(&ring, "(x*x' + y*y')/(x^2 + y^2 - 1) = 42\nx*x'/y = -y'\n");
    assert_eq!(found, ["not proved", "proved"]);
}

/// Behind the origin x is -|y|: the branch of the start ends there, and the motion does not.
#[test]
fn a_magnitude_that_may_vanish_is_no_branch() {
    let cross = mechanism(
        r#"dalembert = 1
[coordinates]
x = 1
y = 1
[start]
"x'" = -1
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraint.c]
holds = "abs(x) = abs(y)"
"#,
    );
    let found = verdicts(&cross, "abs(x) = x\nx = abs(y)\nsign(x) = 1\n");
    assert!(
        found.iter().all(|verdict| *verdict != "proved"),
        "{found:?}"
    );
}
