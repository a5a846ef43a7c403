//! What `check` says of rows, speeds and forces.

use dalembert::report::CheckReport;
use dalembert::simulate::RunOptions;
use dalembert::{Model, Source};

fn checked(text: &str) -> CheckReport {
    let model = Model::read(Source::new("model", text)).unwrap();
    model.check().unwrap()
}

/// A particle of mass one in space.
fn particle(more: &str) -> String {
    format!(
        "dalembert = 1\n[parameters]\nc = 0.3\nl = 1\n[coordinates]\nx = 1\ny = 0\nz = 0\n[start]\n\"x'\" = {{ value = 1, priority = \"guess\" }}\n\
         \"y'\" = {{ value = 1, priority = \"guess\" }}\n[particle.p]\nmass = 1\nposition = \"[x, y, z]\"\n{more}"
    )
}

#[test]
fn a_product_shows_its_factors() {
    let report = checked(&particle("[constraint.c]\nholds = \"x'*y' = y'^2\"\n"));
    assert_eq!(
        report.constraints[0].factored.as_deref(),
        Some("y'*(x' - y')")
    );
    assert!(
        report
            .to_string()
            .contains("a product, y'*(x' - y'): write the factor that holds")
    );
    // A parameter is no factor to choose, and no row but its own.
    let report = checked(&particle(
        "[constraint.c]\nholds = \"l*(x'^2 + y'^2 - 2*l) = 0\"\n",
    ));
    assert_eq!(report.constraints[0].factored, None);
}

#[test]
fn a_redundant_row_says_of_which_others_it_is_the_sum() {
    let report = checked(&particle(
        "[constraint.rod]\nholds = \"x^2 + y^2 = l^2\"\n[constraint.floor]\nholds = \"z = 0\"\n\
         [constraint.mix]\nholds = \"x^2 + y^2 + 2*l*z = l^2\"\n",
    ));
    let [rod, floor, mix] = [0, 1, 2].map(|k| &report.constraints[k]);
    assert_eq!([&rod.repeats, &floor.repeats], [&None, &None]);
    assert_eq!(mix.repeats.as_deref(), Some("rod + 2*floor"));
    assert!(
        report
            .to_string()
            .contains("redundant: at the start it is rod + 2*floor")
    );
}

/// Kinds of forces by hand: −c v takes power c v², y and −x turn and give power, gravity has a potential.
#[test]
fn forces_and_speeds_are_told_in_words() {
    let report = checked(
        "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[parameters]\nc = 0.3\n[coordinates]\nx = 1\ny = 0.2\na = 0\n\
         [speeds]\nu = \"x'*cos(a) + y'*sin(a)\"\nv = \"y'*cos(a) - x'*sin(a)\"\nw = \"2*a'\"\n\
         [body.b]\nmass = 1\ninertia = [1, 1, 1]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
         [force.drag]\non = \"b\"\nvector = \"-c*vel(b)\"\n[force.swirl]\non = \"b\"\nvector = \"[y, -x, 0]\"\n\
         [spring.S]\nbetween = [\"[0, 0, 0]\", \"b.center\"]\ndamping = \"c\"\n",
    );
    let text = report.to_string();
    let line = |name: &str| text.lines().find(|it| it.starts_with(name)).unwrap();
    assert_eq!(
        line("speeds"),
        "speeds       quasi-velocities, rates of nothing: u, v; velocities: w of 2*a"
    );
    assert_eq!(
        line("forces"),
        "forces       conservative: gravity (V = 9.81*y); dissipative: drag, S; other: swirl"
    );
}

/// A planet: what is constant stays so along a run from a random state, and `verified` says to which part.
#[test]
fn what_is_constant_is_held_against_a_run() {
    let planet = particle("[energy]\npotential = \"-1/sqrt(x^2 + y^2 + z^2)\"\n");
    let report = checked(&planet);
    assert_eq!(report.conserved.len(), 4, "{:?}", report.conserved);
    let change = report.verified.change.unwrap();
    assert!(change > 0.0 && change < 1e-8, "{change:e}");
    assert!(report.to_string().contains("along a short run"));
    // With a drag nothing is, and nothing is said.
    let report = checked(&format!(
        "{planet}dissipation = \"c/2*(x'^2 + y'^2 + z'^2)\"\n"
    ));
    assert!(report.verified.change.is_none() && report.conserved.is_empty());
}

/// An angle that a row measures is counted anew where it begins, and the motion does not stop there: nothing holds it. A logarithm of what is
/// negative is taken of its size, and what has no value at the start is not given one.
#[test]
fn integrals_have_values_and_are_held_where_they_do_not_jump() {
    let text = |row: &str, x: f64| {
        format!(
            "dalembert = 1\n[coordinates]\nx = {x}\ny = 0.5\nz = 0\n[start]\n\"y'\" = -1\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
             dissipation = \"x'^2/10\"\n[constraint.a]\nholds = \"{row} = 0\"\n[run]\nspan = 1\n"
        )
    };
    let model = |row: &str, x: f64| Model::read(Source::new("model", &text(row, x))).unwrap();
    let line = |report: &CheckReport| {
        let text = report.to_string();
        let line = text.lines().find(|it| it.starts_with("a  ")).unwrap();
        line.split_once(", ").unwrap().1.to_owned()
    };
    // y passes through zero at t = 0.5.
    let angle = model("(x*y' - y*x')/(x^2 + y^2) + z'", 1.0);
    let report = angle.check().unwrap();
    assert_eq!(
        line(&report),
        "holonomic in disguise: z - atan(x/y) = -1.107149, linear"
    );
    let run = angle.run(&RunOptions::default()).unwrap();
    assert!(run.end["y"] < -0.3, "{:?}", run.end);
    assert_eq!(
        line(&model("x'/x + y'", -1.0).check().unwrap()),
        "holonomic in disguise: log(-x) + y = 0.5 (held at position level in runs), linear"
    );
    let report = model("(x - 1)^2*z' + (x - 1)*x'", 1.0).check().unwrap();
    let found = line(&report);
    assert!(
        found.starts_with("holonomic in disguise: it keeps z + log(x - 1) constant, linear"),
        "{found}"
    );
    assert_eq!(
        line(&model("x'/(2 + cos(x)) + y'", 0.3).check().unwrap()),
        "holonomic in disguise: it keeps a function constant that was not found, linear"
    );
}
