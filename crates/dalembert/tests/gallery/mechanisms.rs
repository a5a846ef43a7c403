//! Models written as bodies and joints, `examples/mechanisms`, against the same in coordinates: motion and reactions; and
//! against the numbers that are published.

use crate::support::{at, mechanism, number, ran, read, reference, text};
use dalembert::simulate::Simulation;

/// What is made of the columns of a run, and the sign of each: a sum.
type Sum<'a> = &'a [(f64, &'a str)];

/// A run of a model that records these as well.
fn run(name: &str, also: &[&str]) -> Simulation {
    let more: String = also.iter().map(|it| format!(", \"{it}\"")).collect();
    let text = text(name);
    let at_end = text.rfind(']').unwrap();
    let text = format!("{}{more}{}", &text[..at_end], &text[at_end..]);
    let mechanism = read(&text).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    ran(&mechanism, &at(1e-13)).unwrap()
}

fn column(run: &Simulation, sum: Sum) -> Vec<f64> {
    let first = run.table.column("t").unwrap().values;
    let mut total = vec![0.0; first.len()];
    for &(sign, name) in sum {
        let column = run.table.column(name).unwrap_or_else(|| panic!("{name}"));
        for (total, value) in total.iter_mut().zip(column.values) {
            *total += sign * value;
        }
    }
    total
}

/// The same mechanism in joints and in coordinates: `pairs` of columns agree over the whole run.
fn same(name: &str, records: [&[&str]; 2], pairs: &[(Sum, Sum)], tolerance: f64) -> Simulation {
    let joints = run(&format!("mechanisms/{name}"), records[0]);
    let coordinates = run(name, records[1]);
    assert!(joints.position_residual < 1e-11, "{name}");
    for &(ours, theirs) in pairs {
        let (found, wanted) = (column(&joints, ours), column(&coordinates, theirs));
        assert!(found.len() > 100 && found.len() == wanted.len());
        let size = wanted.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        assert!(size > 0.0, "{name}: {theirs:?} is zero throughout");
        for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert!(
                (found - wanted).abs() <= tolerance * size,
                "{name}: {ours:?} in row {i} is {found} and not {wanted}"
            );
        }
    }
    joints
}

/// The push of the bar in x and y is the force of the joint.
#[test]
fn pendulum() {
    let run = same(
        "pendulum-iftomm-a01",
        [&[], &["reaction(bar, on = P1)"]],
        &[
            (&[(1.0, "bar.x")], &[(1.0, "x")]),
            (&[(1.0, "bar.y'")], &[(1.0, "y'")]),
            (
                &[(1.0, "reaction(A).force.x")],
                &[(1.0, "reaction(bar).force.x")],
            ),
            (
                &[(1.0, "reaction(A).force.y")],
                &[(1.0, "reaction(bar).force.y")],
            ),
        ],
        1e-9,
    );
    // No moment in a hinge: the bar has no inertia of its own, and its mass is at its end.
    let moment = column(&run, &[(1.0, "reaction(A).moment.z")]);
    assert!(moment.iter().all(|moment| moment.abs() < 1e-9));
    let reference = reference("iftomm_a01");
    let last = reference["series"].as_array().unwrap().last().unwrap();
    let (x, y) = (
        column(&run, &[(1.0, "bar.x")]),
        column(&run, &[(1.0, "bar.y")]),
    );
    assert!((x.last().unwrap() - number(&last[1])).abs() < 1e-9);
    assert!((y.last().unwrap() - number(&last[2])).abs() < 1e-9);
}

/// The force of a reaction by its name: its column is there, in axes of the bar along which it pulls.
#[test]
fn a_member_of_a_reaction() {
    let run = run(
        "mechanisms/pendulum-iftomm-a01",
        &["reaction(A, in = bar).force.x"],
    );
    let names = [
        "reaction(A, in = bar).force.x",
        "reaction(A, in = bar).force.y",
        "reaction(A).force.x",
        "reaction(A).force.y",
    ];
    let [along, across, x, y] = names.map(|name| column(&run, &[(1.0, name)]));
    for i in 0..x.len() {
        assert!((along[i].abs() - x[i].hypot(y[i])).abs() < 1e-8 && across[i].abs() < 1e-8);
    }
}

#[test]
fn four_bars_past_their_change_points() {
    let run = same(
        "n-four-bar-iftomm-a02",
        [&[], &[]],
        &[
            (&[(1.0, "A0.angle")], &[(1.0, "a0")]),
            (&[(1.0, "A2.angle")], &[(1.0, "a2")]),
            (&[(1.0, "crank1.angle'")], &[(1.0, "a1'")]),
        ],
        1e-9,
    );
    let last = |name| *run.table.column(name).unwrap().values.last().unwrap();
    let later = &reference("n-four-bar-iftomm-a02")["later"];
    let wanted = later.as_array().unwrap().last().unwrap();
    assert!((number(&wanted["t"]) - 10.0).abs() < 1e-12);
    assert!((last("A0.angle") - number(&wanted["coordinates"]["a0"])).abs() < 1e-8);
    assert!((last("crank0.angle'") - number(&wanted["rates"]["a0"])).abs() < 1e-8);
}

/// Forces in the pins of the loops until the rods first lie in one line, where they are not unique.
#[test]
fn forces_of_four_bars() {
    let until = |name: &str, record: &str| {
        let text = text(name).replace("span   = \"10 s\"", "span   = \"0.6 s\"");
        let text = text.replace("step   = \"0.1 s\"", "step   = \"0.005 s\"");
        let text = text.replace("record = [", &format!("record = [{record}, "));
        ran(&read(&text).unwrap(), &at(1e-13)).unwrap()
    };
    let names = ["C0.0", "C0.1", "C1.0", "C1.1"].map(|it| format!("lambda({it})"));
    let rows = ["x0", "y0", "x1", "y1"].map(|it| format!("lambda({it})"));
    let list = |names: &[String]| {
        let quoted = names.iter().map(|it| format!("\"{it}\""));
        quoted.collect::<Vec<_>>().join(", ")
    };
    let joints = until("mechanisms/n-four-bar-iftomm-a02", &list(&names));
    let coordinates = until("n-four-bar-iftomm-a02", &list(&rows));
    for (name, row) in names.iter().zip(&rows) {
        let found = column(&joints, &[(1.0, name)]);
        let wanted = column(&coordinates, &[(1.0, row)]);
        let size = wanted.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!(
                (found - wanted).abs() < 1e-9 * size,
                "{name}: {found}, {wanted}"
            );
        }
    }
}

/// The angles of the joints are those of the published model, and the forces at E are its multipliers.
#[test]
fn andrews() {
    let forces = ["E3.0", "E3.1", "E4.0", "E4.1", "E6.0", "E6.1"].map(|it| format!("lambda({it})"));
    let loops = ["3_x", "3_y", "5_x", "5_y", "7_x", "7_y"].map(|it| format!("lambda(loop{it})"));
    let forces: Vec<&str> = forces.iter().map(String::as_str).collect();
    let loops: Vec<&str> = loops.iter().map(String::as_str).collect();
    let ours: Vec<[(f64, &str); 1]> = forces.iter().map(|&it| [(1.0, it)]).collect();
    let theirs: Vec<[(f64, &str); 1]> = loops.iter().map(|&it| [(1.0, it)]).collect();
    let mut pairs: Vec<(Sum, Sum)> = vec![
        (&[(1.0, "O.angle")], &[(1.0, "beta")]),
        (&[(1.0, "F.angle")], &[(1.0, "Theta")]),
        (&[(1.0, "K3.angle")], &[(1.0, "gamma")]),
        (&[(1.0, "K4.angle"), (-1.0, "K5.angle")], &[(1.0, "Phi")]),
        (&[(1.0, "K6.angle"), (-1.0, "K7.angle")], &[(1.0, "Omega")]),
        (&[(1.0, "K7.angle'")], &[(1.0, "epsilon'")]),
        (&[(1.0, "power(motor)")], &[(1.0, "power(motor)")]),
    ];
    for (ours, theirs) in ours.iter().zip(&theirs) {
        pairs.push((ours, theirs));
    }
    let run = same("andrews-squeezer", [&forces, &loops], &pairs, 1e-9);
    let wanted = &reference("andrews-squeezer")["later"][0];
    assert!((number(&wanted["t"]) - 0.03).abs() < 1e-15);
    let last = |name| *run.table.column(name).unwrap().values.last().unwrap();
    for (name, angle) in [
        ("O.angle", "beta"),
        ("F.angle", "Theta"),
        ("K3.angle", "gamma"),
    ] {
        let wanted = number(&wanted["coordinates"][angle]);
        assert!(
            (last(name) - wanted).abs() < 1e-9 * wanted.abs().max(1.0),
            "{name}"
        );
    }
}

/// The gudgeon pin pushes the rod by the multipliers of the loop; what the slide carries besides the slider's weight is its side force.
#[test]
fn slider_crank() {
    let run = same(
        "slider-crank",
        [&["lambda(C.0)", "lambda(C.1)"], &[]],
        &[
            (&[(1.0, "A.angle")], &[(1.0, "a")]),
            (&[(1.0, "rod.angle")], &[(1.0, "b")]),
            (&[(1.0, "S.distance")], &[(1.0, "s")]),
            (&[(1.0, "slider.x'")], &[(1.0, "s'")]),
            (&[(1.0, "lambda(C.0)")], &[(1.0, "lambda(pin_x)")]),
            (&[(1.0, "reaction(C).force.y")], &[(1.0, "lambda(pin_y)")]),
            (&[(1.0, "power(friction)")], &[(1.0, "power(friction)")]),
        ],
        1e-9,
    );
    let push = column(&run, &[(1.0, "reaction(S).force.y"), (-1.0, "lambda(C.1)")]);
    let weight = 0.4 * 9.81;
    assert!(push.iter().all(|push| (push - weight).abs() < 1e-8));
    let wanted = &reference("slider-crank")["later"];
    let wanted = wanted.as_array().unwrap().last().unwrap();
    let a = number(&wanted["coordinates"]["a"]);
    let t = number(&wanted["t"]);
    let times = column(&run, &[(1.0, "t")]);
    let row = times.iter().position(|it| (it - t).abs() < 1e-9).unwrap();
    assert!((column(&run, &[(1.0, "A.angle")])[row] - a).abs() < 1e-9 * a.abs());
}

/// Newton and Euler for each body: m a and I α are the given forces and the reactions of all its joints, as they are recorded at
/// the joints, moved to the mass centre.
#[test]
fn each_body_is_in_balance() {
    let name = "mechanisms/andrews-squeezer";
    let mechanism = mechanism(name);
    let (model, state) = (
        &mechanism.model,
        crate::support::state_on_the_way(&mechanism),
    );
    let snapshot = mechanism.snapshot(&state).unwrap();
    let forces = mechanism.forces(&snapshot);
    let place = |name: &str| {
        mechanism
            .coordinate_names()
            .position(|it| it == name)
            .unwrap()
    };
    let value = |name: &str| state.coordinates[place(name)];
    let parameter = |name: &str| {
        let mut names = model.parameters.iter();
        let index = names.position(|(it, _)| it.text == name).unwrap();
        mechanism.parameters[index]
    };
    for i in 1..=7 {
        let body = format!("K{i}");
        let (mut force, mut moment) = ([0.0; 2], 0.0);
        for acting in forces.reactions.iter().flatten().flatten() {
            if acting.on.name(model) == body {
                force[0] += acting.force[0];
                force[1] += acting.force[1];
                moment += acting.moment[2];
            }
        }
        if i == 1 {
            moment += parameter("mom");
        }
        if i == 3 {
            // The spring, by hand, from D of the body to C.
            let (s, c) = value("K3.angle").sin_cos();
            let local = [
                parameter("sd") - parameter("sb"),
                parameter("sa") - parameter("sc"),
            ];
            let arm = [c * local[0] - s * local[1], s * local[0] + c * local[1]];
            let to = [
                parameter("xc") - value("K3.x") - arm[0],
                parameter("yc") - value("K3.y") - arm[1],
            ];
            let length = to[0].hypot(to[1]);
            let pull = parameter("c0") * (length - parameter("l0")) / length;
            force[0] += pull * to[0];
            force[1] += pull * to[1];
            moment += pull * (arm[0] * to[1] - arm[1] * to[0]);
        }
        let of = |member: &str| snapshot.accelerations[place(&format!("{body}.{member}"))];
        let (mass, inertia) = (parameter(&format!("m{i}")), parameter(&format!("i{i}")));
        let wanted = [mass * of("x"), mass * of("y"), inertia * of("angle")];
        let found = [force[0], force[1], moment];
        for (k, (found, wanted)) in found.into_iter().zip(wanted).enumerate() {
            let size = if k == 2 { 1.0 } else { 100.0 };
            assert!(
                (found - wanted).abs() < 1e-9 * size,
                "{body}: {found}, {wanted}"
            );
        }
    }
}

/// A free body on a ball joint is the top in coordinates; its pivot carries what the rows of the loop carry there.
#[test]
fn heavy_top() {
    let run = same(
        "heavy-top",
        [&[], &[]],
        &[
            (&[(1.0, "top.x")], &[(1.0, "x")]),
            (&[(1.0, "top.z")], &[(1.0, "z")]),
            (&[(1.0, "top.q0")], &[(1.0, "q0")]),
            (&[(1.0, "top.q3")], &[(1.0, "q3")]),
            (&[(1.0, "top.wx")], &[(1.0, "w1")]),
            (&[(1.0, "top.wy")], &[(1.0, "w2")]),
            (&[(1.0, "top.z'")], &[(1.0, "z'")]),
            (
                &[(1.0, "reaction(pivot).force.x")],
                &[(1.0, "lambda(pivot.0)")],
            ),
            (
                &[(1.0, "reaction(pivot).force.z")],
                &[(1.0, "lambda(pivot.2)")],
            ),
        ],
        1e-9,
    );
    let moments = ["x", "y", "z"].map(|axis| format!("reaction(pivot).moment.{axis}"));
    for moment in &moments {
        let moment = column(&run, &[(1.0, moment)]);
        assert!(
            moment.iter().all(|moment| moment.abs() < 1e-7),
            "{moment:?}"
        );
    }
}

/// sn, cn and dn of Jacobi by the arithmetic-geometric mean (Abramowitz and Stegun 16.4).
fn jacobi(u: f64, k: f64) -> [f64; 3] {
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c.last().unwrap().abs() > 1e-17 {
        let last = *a.last().unwrap();
        a.push((last + b) / 2.0);
        c.push((last - b) / 2.0);
        b = (last * b).sqrt();
        if a.len() > 40 {
            break;
        }
    }
    let n = a.len() - 1;
    let mut phi = 2.0_f64.powi(n as i32) * a[n] * u;
    for i in (1..=n).rev() {
        phi = (phi + (c[i] / a[i] * phi.sin()).asin()) / 2.0;
    }
    let (sn, cn) = phi.sin_cos();
    [sn, cn, (1.0 - k * k * sn * sn).sqrt()]
}

/// Fewer speeds than coordinates: Euler's equations by elliptic functions, and all that is conserved over two hundred seconds.
#[test]
fn asymmetric_top() {
    let run = run("mechanisms/asymmetric-top", &[]);
    let ([i1, i2, i3], [a, c]) = ([1.0_f64, 2.0, 2.5], [1.0, 1.1]);
    let b = a * (i1 * (i3 - i1) / (i2 * (i3 - i2))).sqrt();
    let p = (i3 - i1) * a * c / (i2 * b);
    let k = ((i2 - i1) * a * b / (i3 * c * p)).sqrt();
    assert!(k < 1.0, "{k}");
    let columns = ["t", "w1", "w2", "w3"].map(|name| column(&run, &[(1.0, name)]));
    for row in 0..columns[0].len() {
        let [sn, cn, dn] = jacobi(p * columns[0][row], k);
        for (column, wanted) in columns[1..].iter().zip([a * cn, b * sn, c * dn]) {
            let found = column[row];
            assert!(
                (found - wanted).abs() < 1e-9,
                "{row}: {found} and not {wanted}"
            );
        }
    }
    let steady = |name: &str, size: f64| {
        let values = column(&run, &[(1.0, name)]);
        let most = values.iter().map(|it| (it - values[0]).abs());
        let most = most.fold(0.0, f64::max);
        assert!(most < 1e-12 * size, "{name}: {most}");
    };
    steady("energy", 2.0);
    steady("angular_momentum.x", 2.9);
    steady("angular_momentum.y", 2.9);
    steady("angular_momentum.z", 2.9);
    let q = [0, 1, 2, 3].map(|i| column(&run, &[(1.0, &format!("q{i}"))]));
    for row in 0..q[0].len() {
        let length: f64 = q.iter().map(|q| q[row] * q[row]).sum();
        assert!((length - 1.0).abs() < 1e-12, "{length}");
    }
}

/// The same by the angles of the joints.
fn relative(name: &str) -> String {
    text(name).replacen(
        "dalembert = 1",
        "dalembert = 1\ncoordinates = \"relative\"",
        1,
    )
}

/// Five free bodies in a ring of six hinges: 30 rows, 29 of them independent. All of the published series, by both kinds of coordinates.
#[test]
fn bricard() {
    let name = "mechanisms/bricard-iftomm-a04";
    let joints = ran(&read(&text(name)).unwrap(), &at(1e-9)).unwrap();
    assert_eq!(published(&joints, "iftomm_a04", &P3, 1e-8), 201);
    let joints = ran(&read(&relative(name)).unwrap(), &at(1e-11)).unwrap();
    assert_eq!(published(&joints, "iftomm_a04", &P3, 1e-10), 201);
    let coordinates = ran(&read(&text("bricard-iftomm-a04")).unwrap(), &at(1e-11)).unwrap();
    for axis in ["x", "y", "z"] {
        let found = column(&joints, &[(1.0, &format!("pos(rod2.P3).{axis}"))]);
        let name = format!("pos(point(rod2, [0, -l/2, 0])).{axis}");
        let wanted = column(&coordinates, &[(1.0, &name)]);
        for (row, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert!(
                (found - wanted).abs() < 1e-9,
                "{axis} in row {row}: {found} and not {wanted}"
            );
        }
    }
}

const P3: [(&str, usize); 3] = [
    ("pos(rod2.P3).x", 1),
    ("pos(rod2.P3).y", 2),
    ("pos(rod2.P3).z", 3),
];

/// Columns of a run against those of a published series, at the times that both have; how many there are.
fn published(run: &Simulation, data: &str, columns: &[(&str, usize)], tolerance: f64) -> usize {
    let reference = reference(data);
    let times = column(run, &[(1.0, "t")]);
    let mut compared = 0;
    for wanted in reference["series"].as_array().unwrap() {
        let t = number(&wanted[0]);
        let Some(row) = times.iter().position(|it| (it - t).abs() < 1e-9) else {
            continue;
        };
        compared += 1;
        for &(name, place) in columns {
            let (found, wanted) = (column(run, &[(1.0, name)])[row], number(&wanted[place]));
            assert!(
                (found - wanted).abs() < tolerance,
                "{name} at {t}: {found} and not {wanted}"
            );
        }
    }
    compared
}

/// All of the published series, by both kinds of coordinates.
#[test]
fn governor() {
    let name = "mechanisms/governor-iftomm-a05";
    let known = [("S.distance", 1)];
    // Free bodies with many rows, for which implicit steps are dear.
    let joints = ran(&read(&text(name)).unwrap(), &at(1e-6)).unwrap();
    assert_eq!(published(&joints, "iftomm_a05", &known, 1e-6), 21);
    let joints = ran(&read(&relative(name)).unwrap(), &at(1e-9)).unwrap();
    assert_eq!(published(&joints, "iftomm_a05", &known, 1e-8), 21);
    let coordinates = ran(&read(&text("governor-iftomm-a05")).unwrap(), &at(1e-9)).unwrap();
    let found = column(&joints, &[(1.0, "S.distance")]);
    let wanted = column(&coordinates, &[(1.0, "s")]);
    for (row, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        assert!(
            (found - wanted).abs() < 1e-8,
            "row {row}: {found} and not {wanted}"
        );
    }
}

/// Two Cardan joints that bend alike: the middle shaft turns at ω cos β/(1 − sin² β cos² φ) or so, the last one as the first.
#[test]
fn cardan_shaft() {
    let run = run("mechanisms/cardan-shaft", &[]);
    let [input, output] = ["A.angle", "B.angle"].map(|it| column(&run, &[(1.0, it)]));
    let middle = column(&run, &[(1.0, "dot(omega(middle), middle.ex)")]);
    let (s, c) = (0.5_f64, 0.75_f64.sqrt());
    for i in 0..input.len() {
        assert!((input[i] - output[i]).abs() < 1e-8);
        // Hooke: the fork of the input stands along y at the start, in the axis about which the shaft is bent.
        let wanted = 5.0 * c / (1.0 - (s * input[i].cos()).powi(2));
        let other = 5.0 * c / (1.0 - (s * input[i].sin()).powi(2));
        let near = |wanted: f64| (middle[i] - wanted).abs() < 1e-8;
        assert!(
            near(wanted) || near(other),
            "{} {wanted} {other}",
            middle[i]
        );
    }
    let [least, most] = [f64::min, f64::max].map(|f| middle.iter().copied().fold(middle[0], f));
    assert!(
        (least - 5.0 * c).abs() < 1e-3 && (most - 5.0 / c).abs() < 1e-3,
        "{least} {most}"
    );
}

/// Rows to spare change nothing of the motion: hinges in space, and pins in the plane.
#[test]
fn hinges_in_space() {
    let space = run("mechanisms/hinged-four-bar", &[]);
    let flat = text("mechanisms/hinged-four-bar").replace("axis    = \"z\"\n", "");
    let flat = flat.replacen("gravity", "planar = true\ngravity", 1);
    let flat = ran(
        &read(&flat).unwrap_or_else(|error| panic!("{error}")),
        &at(1e-13),
    )
    .unwrap();
    for name in ["A.angle", "D.angle", "coupler.x", "coupler.y'"] {
        let (one, other) = (
            column(&space, &[(1.0, name)]),
            column(&flat, &[(1.0, name)]),
        );
        for (one, other) in one.iter().zip(&other) {
            assert!((one - other).abs() < 1e-8, "{name}: {one} {other}");
        }
    }
}

/// A disk that rolls: energy, and the angular momentum about the point of contact, whose rate is that of the weight and of the moving point.
#[test]
fn rolling_disk() {
    let also = [
        "disk.x",
        "vel(disk)",
        "omega(disk)",
        "pos(disk).z",
        "disk.ez",
    ];
    let run = run("mechanisms/rolling-disk", &also);
    let energy = column(&run, &[(1.0, "energy")]);
    assert!(
        energy
            .iter()
            .all(|it| (it - energy[0]).abs() < 1e-9 * energy[0])
    );
    let get = |name: &str| column(&run, &[(1.0, name)]);
    let vector = |name: &str| ["x", "y", "z"].map(|axis| get(&format!("{name}.{axis}")));
    let (v, omega, axle, height) = (
        vector("vel(disk)"),
        vector("omega(disk)"),
        vector("disk.ez"),
        get("pos(disk).z"),
    );
    for i in 0..energy.len() {
        let [v, w, e] = [&v, &omega, &axle].map(|it| [it[0][i], it[1][i], it[2][i]]);
        // The lowest point of the rim: from the centre along −z, square to the axle.
        let flat = (1.0 - e[2] * e[2]).sqrt();
        let arm = [0, 1, 2].map(|k| 0.5 * (e[2] * e[k] - f64::from(u8::from(k == 2))) / flat);
        assert!((height[i] + arm[2]).abs() < 1e-10);
        let turned = [
            w[1] * arm[2] - w[2] * arm[1],
            w[2] * arm[0] - w[0] * arm[2],
            w[0] * arm[1] - w[1] * arm[0],
        ];
        for k in 0..3 {
            assert!((v[k] + turned[k]).abs() < 1e-9, "it slips at {i}");
        }
    }
}

/// The same arm in coordinates of its bodies.
#[test]
fn robot_arm() {
    let names = [
        "A.angle",
        "B.angle",
        "C.angle",
        "pos(lower.hand).x",
        "energy",
    ];
    let relative = run("mechanisms/robot-arm", &[]);
    let absolute = text("mechanisms/robot-arm").replace("coordinates = \"relative\"\n", "");
    let absolute = read(&absolute).unwrap_or_else(|error| panic!("{error}"));
    let absolute = ran(&absolute, &at(1e-13)).unwrap();
    for name in names {
        let (one, other) = (
            column(&relative, &[(1.0, name)]),
            column(&absolute, &[(1.0, name)]),
        );
        let size = one.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        for (one, other) in one.iter().zip(&other) {
            assert!((one - other).abs() <= 1e-9 * size, "{name}: {one} {other}");
        }
    }
}
