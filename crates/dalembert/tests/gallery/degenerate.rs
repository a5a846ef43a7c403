//! Rows that say nothing, or the same thing twice: valid models that numbers could mistake for others.

use crate::support::{assert_close, read, run};
use dalembert::simulate::RunOptions;
use dalembert::{Model, Source};
use dalembert_mechanics::formulation::Formulation;

/// A disc whose centre is built on its contact: the third component of its rolling vanishes identically, which only
/// trigonometry knows.
fn disc(roll: &str) -> String {
    format!(
        r#"dalembert = 1
gravity = "[0, 0, -9.81]"
[coordinates]
a = 0.1
b = 0.2
c = 0.3
x = 0
y = 0
[start]
"a'" = 0.3
"b'" = 2
"c'" = 0.5
[frame.L]
attitude = "Rz(a) Rx(b)"
[body.disc]
mass = 3
shape = {{ disk = {{ radius = 0.4, axis = "y" }} }}
center = "[x, y, 0] + 0.4*L.ez"
attitude = "L Ry(c)"
{roll}
[run]
span = 2
"#
    )
}

#[test]
fn a_row_that_vanishes_identically_changes_nothing() {
    let three = read(&disc(
        "[constraint.roll]\nholds = \"vel(disc, at = [x, y, 0]) = [0, 0, 0]\"",
    ));
    let two = read(&disc(
        "[constraint.x]\nholds = \"dot(vel(disc, at = [x, y, 0]), [1, 0, 0]) = 0\"\n\
         [constraint.y]\nholds = \"dot(vel(disc, at = [x, y, 0]), [0, 1, 0]) = 0\"",
    ));
    let (three, two) = (three.unwrap(), two.unwrap());
    let start = three.start().unwrap().state;
    let now = three.snapshot(&start).unwrap();
    assert_eq!((now.rank, now.redundant), (2, vec![false, false, true]));
    assert_eq!(now.formulations.len(), Formulation::ALL.len());
    assert!(now.multipliers[2] == 0.0 && !now.unique[2] && now.unique[0]);
    assert_eq!(three.independents(&start).unwrap().speeds.len(), 3);
    for formulation in Formulation::ALL {
        let options = RunOptions {
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        let (own, wanted) = (run(&three, 0.5, &options), run(&two, 0.5, &options));
        assert_close(&own.coordinates, &wanted.coordinates, 1e-7, "the end");
        assert!(own.steps <= wanted.steps + 2, "{} steps", own.steps);
    }
}

/// What vanishes on one side of a corner only is a row like any other.
#[test]
fn a_corner_is_no_zero() {
    let text = "dalembert = 1\n[coordinates]\nx = 6\ny = \"?\"\n[start]\n\"x'\" = 1\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
                [constraint.ramp]\nholds = \"y = max(0, x - 5)\"\n";
    let mechanism = read(text).unwrap();
    let start = mechanism.start().unwrap().state;
    assert_close(&start.coordinates[1..], &[1.0], 1e-12, "y");
    assert_close(&start.rates[1..], &[1.0], 1e-12, "y'");
}

#[test]
fn quasi_velocities_meet_a_row_that_vanishes() {
    let speeds = "[speeds]\nu1 = \"dot(omega(disc), L.ex)\"\nu2 = \"dot(omega(disc), L.ey)\"\n\
                  u3 = \"dot(omega(disc), L.ez)\"\nvx = \"x'\"\nvy = \"y'\"\n\
                  [constraint.roll]\nholds = \"vel(disc, at = [x, y, 0]) = [0, 0, 0]\"";
    let text = disc(speeds).replace(
        "\"a'\" = 0.3\n\"b'\" = 2\n\"c'\" = 0.5",
        "u1 = 0.3\nu2 = 2\nu3 = 0.5",
    );
    let mechanism = read(&text).unwrap();
    let now = mechanism
        .snapshot(&mechanism.start().unwrap().state)
        .unwrap();
    assert_eq!(now.rank, 2);
    assert_close(&now.speeds[..3], &[0.3, 2.0, 0.5], 1e-12, "speeds");
}

/// A cone rolls on a plane about its apex: its rows depend on each other everywhere, and what a row of the contact lacks at
/// the heading of the start is no change point.
#[test]
fn a_cone_that_rolls_about_its_apex_starts_anywhere() {
    let contacts = [
        "h*[-sin(psi), cos(psi), 0]",
        "h/cos(al)*[cos(psi + pi/2), sin(psi + pi/2), 0]",
    ];
    for contact in contacts {
        for heading in ["0", "0.7"] {
            let text = format!(
                r#"dalembert = 1
gravity = "[0, 0, -g]"
[parameters]
m = "1 kg"
h = "0.4 m"
al = "20 deg"
g = "9.81 m/s^2"
[coordinates]
psi = {heading}
th = "90 deg - 20 deg"
ph = 0
[start]
"psi'" = "2 rad/s"
[body.cone]
mass = "m"
shape = {{ cone = {{ radius = "h*tan(al)", length = "h", axis = "z" }} }}
attitude = "Rz(psi) Rx(-th) Rz(ph)"
center = "3/4*h*cone.ez"
[constraint.lie]
holds = "th = pi/2 - al"
[constraint.roll]
holds = "vel(cone, at = {contact}) = 0"
[run]
span = "1 s"
"#
            );
            let mechanism = read(&text).unwrap();
            let start = mechanism.start();
            let start = start.unwrap_or_else(|errors| panic!("{contact}: {errors:#?}"));
            assert!(
                start.warnings.is_empty(),
                "{contact}: {:#?}",
                start.warnings
            );
            assert_eq!(mechanism.snapshot(&start.state).unwrap().rank, 2);
            let end = run(&mechanism, 1.0, &RunOptions::default());
            // Nothing drives it: it goes round at the speed it was given.
            let expected = heading.parse::<f64>().unwrap() + 2.0;
            assert_close(&end.coordinates[..1], &[expected], 1e-9, contact);
        }
    }
}

/// A ball that turns about a fixed point and rolls at another: six rows of rank five, one of which says that nothing moves
/// there. Judged alone, its share of what rounding leaves of the others would contradict them.
#[test]
fn redundant_rows_of_one_body_do_not_contradict_each_other_on_the_way() {
    let text = r#"dalembert = 1
gravity = "[-71/100, -197/100, -186/25]"
[coordinates]
x0 = "-131/100"
y0 = "137/100"
z0 = "1/5"
x1 = "-63/50"
y1 = "-39/100"
z1 = "101/100"
X0 = "28/25"
Y0 = "39/50"
Z0 = "-9/25"
a0 = "49/100"
b0 = "103/100"
g0 = "1/100"
[start]
"x0'" = { value = -0.61, priority = "guess" }
"y0'" = { value = -1.26, priority = "guess" }
"z0'" = { value = 1.42, priority = "guess" }
"x1'" = { value = -1.0, priority = "guess" }
"y1'" = { value = -1.47, priority = "guess" }
"z1'" = { value = 0.35, priority = "guess" }
"X0'" = { value = -1.37, priority = "guess" }
"Y0'" = { value = -1.2, priority = "guess" }
"Z0'" = { value = -1.38, priority = "guess" }
"a0'" = { value = 0.7, priority = "guess" }
"b0'" = { value = 0.1, priority = "guess" }
"g0'" = { value = 1.01, priority = "guess" }
[particle.P0]
mass = "9/5"
position = "[x0, y0, z0]"
[particle.P1]
mass = "29/10"
position = "[x1, y1, z1]"
[body.B0]
mass = "191/100"
center = "[X0, Y0, Z0]"
attitude = "Rz(a0) Ry(b0) Rz(g0)"
inertia = ["19/20","39/50","91/100"]
[constraint.k0]
holds = "pos(point(B0, [6/25, -59/100, 39/50])) = [2.09822841003732573193796183213 + (0), 0.635847002980358821821029653490, -0.169240750562125982167315621613]"
[constraint.k1]
holds = "vel(B0, at = B0.center - [0, 0, 8/25]) = [0, 0, 0]"
[force.wind]
on = "B0"
at = "point(B0, [23/100, 16/25, -13/25])"
vector = "[-11/10, -101/100, 21/25]"
[run]
span = 0.5
record = []
"#;
    let mechanism = read(text).unwrap();
    for formulation in [Formulation::Multipliers, Formulation::Complement] {
        let options = RunOptions {
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        let end = run(&mechanism, 0.5, &options);
        assert_close(&end.coordinates[9..10], &[0.119_672_023_865], 1e-8, "a0");
    }
}

/// The nearest rates in the metric of M, by thirty digits elsewhere; `q_1` hardly occurs in the rows.
#[test]
fn guessed_rates_are_the_nearest_where_a_rate_hardly_occurs_in_the_rows() {
    let text = r#"dalembert = 1
[parameters]
m0 = "27/50"
m1 = 1.41
m2 = 2.81
[coordinates]
q_1 = "0"
y = -1.03000
z = 1.32000
[start]
"q_1'" = { value = -0.05, priority = "guess" }
"y'" = { value = 0.4, priority = "guess" }
[energy]
kinetic = "m0*(-19*q_1^3*q_1_dot/80 + z_dot)^2/2 + m1*(21*q_1_dot*exp(-37*y/75 - 59/300)/25 + y_dot)^2/2 + q_1_dot^2*(11*sin(z)^2/100 + 37/100) + 41*q_1_dot*atan(101*y/100)/50 + 59*y_dot*atan(y/2)/50 - 9*z_dot*sin(19*q_1/50 - 19/50)*cos(q_1)/20"
[particle.P0]
mass = "m2"
position = "[11*z/25 - 71*sin(29*z/100)/100 + 9*sinh(143*z/200)/10, 33*q_1/50 + 77*z/(100*(z^2 + 2)) - 57*exp(-23*y/50)/100, 81*y^3/400 - 97*atan(4*z/5 - 37/50)/100]"
[body.B0]
mass = "m0"
center = "[-87*q_1*z/100 - 99*y/100, -12*y/25 + 22*tanh(59*y/100 + 1/5)/25, -9*sinh(49*q_1/200 + 1/50)/20]"
attitude = "Rz(z + 69/100) Ry(y/2)"
inertia = ["19/25", "7/10", "69/100"]
[constraint.c0]
holds = "q_1_dot*(21*q_1/25 - 77*cos(t/5 - 119*z/100)/100) + y_dot*(-31*z/100 - 47*cosh(81*t/200 - 9*y/100 + 77/200)/100) - 43*z_dot/50 = 0"
[constraint.rd]
holds = "(11*sqrt(q_1^2 + 1)/100 + 143/125)*(q_1_dot*(21*q_1/25 - 77*cos(t/5 - 119*z/100)/100) + y_dot*(-31*z/100 - 47*cosh(81*t/200 - 9*y/100 + 77/200)/100) - 43*z_dot/50) = 0"
"#;
    let start = read(text).unwrap().start().unwrap().state;
    let nearest = [
        0.138_674_686_310_063_7,
        0.103_823_444_679_869_6,
        -0.112_739_000_093_035_1,
    ];
    assert_close(&start.rates, &nearest, 1e-10, "rates");
}

/// Three planes leave a particle no motion: it does not slip, whatever the reactions are, and no paradox of rigid bodies is
/// met.
#[test]
fn a_particle_held_by_three_planes_does_not_slip() {
    let text = "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = 0\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, z]\"\n\
                [constraint.a]\nholds = \"x = 0\"\n[constraint.b]\nholds = \"y = 0\"\n\
                [constraint.c]\nholds = \"x + y + z = 0\"\nfriction = { coefficient = 2, at = \"P\" }\n";
    let mechanism = read(text).unwrap();
    let start = mechanism.start().unwrap().state;
    let held = mechanism.snapshot(&start).unwrap();
    assert_close(&held.accelerations, &[0.0; 3], 1e-15, "held");
}

/// Where two lines cross, the rows of that instant do not hold the motion on its line: what they would give is no number.
#[test]
fn at_a_change_point_accelerations_and_reactions_are_left_out() {
    let text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = -1\n\
                [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.lines]\nholds = \"x*y = 0\"\n";
    let at = |text: &str| {
        let model = Model::read(Source::new("lines.toml", text)).unwrap();
        serde_json::to_value(model.eval().unwrap()).unwrap()
    };
    let crossing = at(text);
    assert_eq!(crossing["change_point"], true);
    for unknown in [
        "/accelerations/y",
        "/multipliers/lines",
        "/forces/ideal/y'",
        "/power/lines",
    ] {
        assert!(crossing.pointer(unknown).unwrap().is_null(), "{unknown}");
    }
    let reaction = crossing.pointer("/reactions/lines/undetermined").unwrap();
    assert!(
        reaction.as_str().unwrap().contains("change point"),
        "{reaction}"
    );
    assert_eq!(crossing["rates"]["x"], -1.0);
    let beside = at(&text.replace("x = 0\ny", "x = 0.1\ny"));
    assert_eq!(beside.get("change_point"), None);
    assert_eq!(beside["accelerations"]["y"], 0.0);
}
