//! What newcomers stumble over, though it is no error: taken, and told.

use crate::run_with_input;

/// What `check` says on standard error of a model, which it takes.
fn warned(model: &str, more: &[&str]) -> String {
    let ran = run_with_input(&[&["check", "-"], more].concat(), model);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.err
}

fn rod(shape: &str, attitude: &str) -> String {
    format!(
        "dalembert = 1
gravity = \"[0, -9.81, 0]\"
[parameters]
l = 2
[coordinates]
theta = 0.5
[body.rod]
mass = 3
center = \"[l/2*sin(theta), -l/2*cos(theta), 0]\"
attitude = \"{attitude}\"
{shape}
"
    )
}

/// A thin rod lies along its own z unless its `axis` says otherwise: swinging about z it would be a point mass.
#[test]
fn a_rod_that_turns_about_its_own_axis() {
    let plain = "shape = { rod = { length = \"l\" } }";
    let told = warned(&rod(plain, "Rz(theta)"), &[]);
    assert!(told.contains("warning[W0427]"), "{told}");
    assert!(told.contains("moves like a point mass"), "{told}");
    assert!(told.contains("write axis = \"x\" or \"y\""), "{told}");
    // The same where rounding stands in place of zeros.
    let told = warned(&rod(plain, "Rx(0.3) Rz(theta) Rz(0.2)"), &[]);
    assert!(told.contains("W0427"), "{told}");
    let told = warned(&rod("inertia = [1, 1, 0]", "Rz(theta)"), &[]);
    assert!(told.contains("check the order of the moments"), "{told}");
    for fine in [
        "shape = { rod = { length = \"l\", axis = \"x\" } }",
        "shape = { disk = { radius = \"l\" } }",
        "inertia = [0, 0, 1]",
        // What is said is meant.
        "inertia = [0, 0, 0]",
    ] {
        assert_eq!(warned(&rod(fine, "Rz(theta)"), &[]), "", "{fine}");
    }
    assert_eq!(warned(&rod(plain, "Ry(theta)"), &[]), "");
}

/// Numbers without a unit are radians: 90 of them are rarely meant.
#[test]
fn degrees_as_bare_numbers() {
    let model = rod("inertia = [0, 0, 1]", "Rz(theta)");
    let told = warned(&model, &["--set", "theta=90"]);
    assert!(told.contains("warning[W0450]"), "{told}");
    assert!(
        told.contains("starts at 90 rad, more than a turn"),
        "{told}"
    );
    assert!(told.contains("write \"90 deg\", or \"90 rad\""), "{told}");
    for fine in [
        "theta=6",
        "theta=90 deg",
        "theta=90 rad",
        "theta=-pi",
        "l=90",
    ] {
        assert_eq!(warned(&model, &["--set", fine]), "", "{fine}");
    }
    let told = warned(&model, &["--set", "theta=-45"]);
    assert!(told.contains("-45 deg"), "{told}");
    let slope = "dalembert = 1
[parameters]
alpha = 30
[coordinates]
s = 0
[particle.P]
mass = 1
position = \"[s*cos(alpha), s*sin(alpha), 0]\"
";
    let told = warned(slope, &[]);
    assert!(told.contains("the angle `alpha` is 30 rad"), "{told}");
    // A rate is no angle, though t times it is one.
    let turning = slope.replace("cos(alpha)", "cos(alpha*t)");
    assert_eq!(
        warned(&turning.replace("sin(alpha)", "sin(alpha*t)"), &[]),
        ""
    );
}

/// A warning is told by every command that answers.
#[test]
fn warnings_of_the_model_are_told_by_all() {
    let model = rod("inertia = [0, 0, 1]\n[run]\nspan = 0.1", "Rz(theta)");
    for command in ["check", "eval", "derive", "run"] {
        let ran = run_with_input(&[command, "-", "--set", "theta=90"], &model);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("W0450"), "{command}: {}", ran.err);
    }
}

/// A flywheel has inertia, and its mass is of no consequence: it may be left out, but not be zero or forgotten with a shape.
#[test]
fn a_body_with_inertia_and_no_mass() {
    let body = |mass: &str, inertia: &str| {
        format!(
            "dalembert = 1
[coordinates]
phi = 0
x = 1
[particle.P]
mass = 2
position = \"[x, 0, 0]\"
[body.wheel]
{mass}
{inertia}
center = \"[x, 0, 0]\"
attitude = \"Rz(phi)\"
[force.motor]
generalized = {{ phi = 3, x = 1 }}
"
        )
    };
    let accelerations = |mass: &str| {
        let ran = run_with_input(&["eval", "-", "--json"], &body(mass, "inertia = [1, 1, 2]"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        ["phi", "x"].map(|name| json["accelerations"][name].as_f64().expect("a number"))
    };
    // J phi'' = 3 and m x'' = 1, with the mass of the wheel in m or not.
    for (mass, expected) in [("", [1.5, 0.5]), ("mass = 2", [1.5, 0.25])] {
        for (found, expected) in accelerations(mass).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{mass}: {found}");
        }
    }
    for (mass, inertia, told) in [
        ("mass = 0", "inertia = [1, 1, 2]", "leave out what has none"),
        (
            "",
            "shape = { sphere = { radius = 1 } }",
            "has none of `mass`, `density`",
        ),
    ] {
        let ran = run_with_input(&["check", "-"], &body(mass, inertia));
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}

/// "?" with two roots: which is taken is told, and a guess gets the other.
#[test]
fn a_start_with_two_roots() {
    let circle = |y: &str| {
        format!(
            "dalembert = 1
[coordinates]
x = \"0.6 m\"
y = {y}
[particle.P]
mass = \"1 kg\"
position = \"[x, y, 0]\"
[constraint.rod]
holds = \"x^2 + y^2 = 1 m^2\"
"
        )
    };
    let told = warned(&circle("\"?\""), &[]);
    assert!(told.contains("warning[W0505]"), "{told}");
    assert!(
        told.contains("y = 0.8 m is taken, y = -0.8 m is another"),
        "{told}"
    );
    let guess = "{ value = -0.8, priority = \"guess\" }";
    assert!(told.contains(&format!("y = {guess}")), "{told}");
    let ran = run_with_input(&["eval", "-", "--json"], &circle(guess));
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (ran.err.as_str(), &json["coordinates"]["y"]),
        ("", &(-0.8).into())
    );
    // A root that is the only one needs no word, nor does a whole turn.
    assert_eq!(
        warned(&circle("\"?\"").replace("x^2 + y^2 = 1 m^2", "y = x"), &[]),
        ""
    );
}

/// A name that is like none of the model's: those that there are.
#[test]
fn unknown_names_are_told_what_there_is() {
    let model = rod("inertia = [0, 0, 1]", "Rz(theta)");
    for (more, list) in [
        (
            "[energy]\npotential = \"zeta\"",
            "known here: l, rod, theta, t, pi, ground",
        ),
        ("[start]\nomega = 1", "known here: theta'"),
        (
            "[force.F]\non = \"wheel\"\nvector = \"[1, 0, 0]\"",
            "known here: rod",
        ),
        ("[force.F]\ngeneralized = { s = 1 }", "known here: theta"),
        (
            "[run]\nspan = 1\nrecord = [\"resultant(wheel)\"]",
            "known here: rod",
        ),
        (
            "[energy]\npotential = \"bessel(theta)\"",
            "the functions are sqrt sin cos",
        ),
        (
            "[energy]\npotential = \"heaviside(theta)\"",
            "write step(theta)",
        ),
        (
            "[energy]\npotential = \"where(theta, 1, 2)\"",
            "write if(theta, 1, 2)",
        ),
        (
            "[energy]\npotential = \"interp(theta)\"",
            "write table(\"file.csv\", x)",
        ),
    ] {
        let ran = run_with_input(&["check", "-"], &format!("{model}{more}\n"));
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(list), "{more}: {}", ran.err);
    }
    let ran = run_with_input(&["check", "-", "--set", "zeta=1"], &model);
    assert!(
        ran.err.contains("known here: l, theta, theta'"),
        "{}",
        ran.err
    );
}

/// Numbers that were written as decimals are printed as such, at the scale at which they are short.
#[test]
fn equations_keep_decimals() {
    let pendulum = |mass: &str, g: &str| {
        format!(
            "dalembert = 1\ngravity = \"[0, -{g}, 0]\"\n[parameters]\nl = 1\n[coordinates]\ntheta = 0.5\n[particle.P]\n\
             mass = {mass}\nposition = \"[l*sin(theta), -l*cos(theta), 0]\"\n"
        )
    };
    for (mass, g, equation) in [
        ("1", "9.81", "l θ''  =  -9.81 sin θ"),
        ("2", "9.81", "l θ''  =  -9.81 sin θ"),
        ("0.7", "9.8", "l θ''  =  -9.8 sin θ"),
        ("1/3", "10", "l θ''  =  -10 sin θ"),
        ("3", "7/2", "2 l θ''  =  -7 sin θ"),
    ] {
        let mass = if mass.contains('/') {
            format!("\"{mass}\"")
        } else {
            mass.to_owned()
        };
        let ran = run_with_input(&["derive", "-"], &pendulum(&mass, g));
        assert!(ran.out.contains(equation), "{equation}: {}", ran.out);
    }
}

/// L₁ beside the model's own l₁ would be taken for it.
#[test]
fn names_of_a_page_are_unlike_those_of_the_model() {
    let model = |length: &str| {
        format!(
            "dalembert = 1\n[parameters]\nm = 1\nk = 3\n{length} = 1\n[coordinates]\nx = 1\ny = 0\n[particle.P]\nmass = \"m\"\n\
             position = \"[x, y, 0]\"\n[spring.S]\nbetween = [\"point(ground, [0, 0, 1])\", \"P\"]\nstiffness = \"k\"\n\
             length = \"{length}\"\n"
        )
    };
    let derived = |length: &str| run_with_input(&["derive", "-"], &model(length)).out;
    assert!(derived("l").contains("L₁  =  √"), "{}", derived("l"));
    let beside = derived("l1");
    assert!(
        !beside.contains('L') && beside.contains("d₁  =  √"),
        "{beside}"
    );
}

/// What restricts nothing is told as that; and how many positions there are.
#[test]
fn rows_that_say_nothing() {
    let model = "dalembert = 1\n[coordinates]\nx = 0\ny = 1\nphi = 0\n[body.sled]\nmass = 1\ninertia = [1, 1, 1]\n\
                 center = \"[x, y, 0]\"\nattitude = \"Rz(phi)\"\n[constraint.edge]\nholds = \"dot(vel(sled), sled.ey) = 0\"\n\
                 [constraint.flat]\nholds = \"vel(sled).z = 0\"\n";
    let ran = run_with_input(&["check", "-"], model);
    assert!(ran.out.contains("2 velocities, 3 positions"), "{}", ran.out);
    assert!(
        ran.out.contains("0 = 0: it restricts nothing"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("redundant"), "{}", ran.out);
}

/// What drives a system from outside can be recorded, and multipliers have units.
#[test]
fn power_of_prescribed_motions() {
    let model = "dalembert = 1\n[parameters]\nm = \"2 kg\"\nw = \"3 rad/s\"\nl = \"1 m\"\n[coordinates]\ns = \"1 m\"\ny = \"0 m\"\n\
                 [particle.P]\nmass = \"m\"\nposition = \"[s*cos(w*t), s*sin(w*t), y]\"\n[constraint.c]\nholds = \"y = 0\"\n\
                 [run]\nspan = 1\nsamples = 3\nrecord = [\"power(drive)\", \"lambda(c)\"]\n";
    let folder = std::env::temp_dir().join(format!("dalembert-drive-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let folder = folder.to_str().expect("a path");
    let ran = crate::run_in(folder, &["run", "-", "--out", "a.parquet"], model);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let csv = crate::run_in(folder, &["run", "-", "--out", "-"], model);
    let plot = crate::run_in(
        folder,
        &["plot", "a.parquet", "lambda(c)", "power(drive)"],
        "",
    );
    assert_eq!(plot.code, 0, "{}", plot.err);
    let figure = std::fs::read_to_string(format!("{folder}/a.svg")).expect("a figure");
    std::fs::remove_dir_all(folder).expect("it is there");
    // All the energy m/2 (s'² + s² w²) comes from what turns the wire: 2 m w² s s' of power, with s = cosh(w t).
    let last = csv.out.lines().last().expect("a row");
    let power: f64 = last
        .split(',')
        .nth(5)
        .and_then(|it| it.parse().ok())
        .expect("a number");
    let right = 2.0 * 2.0 * 27.0 * 3_f64.cosh() * 3_f64.sinh();
    assert!(
        (power - right).abs() < 1e-6 * right,
        "{power} {right} {last}"
    );
    assert!(figure.contains("(N)"), "{figure}");
}
