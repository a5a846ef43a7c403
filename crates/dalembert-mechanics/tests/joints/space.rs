//! Joints in space, each against the same body written by hand in the coordinates that the joint leaves it: position, velocity,
//! acceleration, and the force and moment of the joint, which there is what the body needs besides the given forces (no joint is known
//! to that model).

use super::{Mechanism, Now, close};
use dalembert_mechanics::lower::Record;
use dalembert_mechanics::model::read;

/// What a joint leaves free.
struct Case<'a> {
    /// The lines of the joint.
    joint: &'a str,
    /// Coordinates with their values and rates.
    free: &'a [(&'a str, f64, f64)],
    /// The attitude of the second body in axes of the first.
    attitude: &'a str,
    /// r₂ − r₁ in axes of the first, by components.
    shift: [&'a str; 3],
}

const MASSES: &str = r#"mass = 2
inertia = [0.1, 0.2, 0.25]
"#;

const GIVEN: &str = r#"
[force.given]
on = "b"
at = "point(b, [0.1, 0.3, -0.2])"
vector = "[0.7, -1.1, 0.4]"
torque = "[0.4, -0.3, 0.7]"
"#;

/// Angles of a body that nothing holds, and their rates.
const TURNING: [(&str, f64, f64); 3] = [("a", 0.4, 0.9), ("h", 0.7, -0.6), ("c", 0.2, 1.1)];

pub(super) fn started(text: &str) -> Now {
    Now::written(text)
}

/// pos, vel and omega of a body, at the start.
pub(super) fn motion(now: &Now) -> Vec<f64> {
    let Now {
        mechanism,
        snapshot,
        ..
    } = now;
    let values = mechanism.system.run.record.iter().map(|it| match it {
        Record::Value(_, value) => *value,
        other => panic!("{other:?}"),
    });
    let values: Vec<_> = values.collect();
    mechanism.values_at(&values, &snapshot.state)
}

fn records(bodies: &[&str]) -> String {
    let of = |body: &&str| format!("\"pos({body})\", \"vel({body})\", \"omega({body})\"");
    let all: Vec<String> = bodies.iter().map(of).collect();
    format!("[run]\nspan = 1\nrecord = [{}]\n", all.join(", "))
}

/// What a body needs besides the given forces: m a − f, and the moment about its centre.
pub(super) fn needed(now: &Now, body: &str) -> [f64; 6] {
    let model = &now.mechanism.model;
    let mut all = now.forces.resultants.iter();
    let (_, found) = all.find(|(on, _)| on.name(model) == body).unwrap();
    let found = found.as_ref().unwrap();
    let six = found.force.iter().chain(&found.moment);
    six.copied().collect::<Vec<_>>().try_into().unwrap()
}

#[track_caller]
pub(super) fn all_close(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        close(*found, *wanted);
    }
}

impl Case<'_> {
    /// The body by hand: its own coordinates, on the ground or on a body `base` that nothing holds.
    fn by_hand(&self, moves: bool) -> String {
        let mut text = "gravity = \"[0.3, -9.81, 1.2]\"\n[coordinates]\n".to_owned();
        let base: &[(&str, f64, f64)] = match moves {
            true => &[
                ("x", 0.3, 0.5),
                ("y", -0.2, -0.4),
                ("z", 0.6, 0.8),
                ("psi", 0.5, 1.2),
                ("theta", 0.8, -0.7),
                ("phi", -0.3, 0.4),
            ],
            false => &[],
        };
        let all = || base.iter().chain(self.free);
        all().for_each(|(name, value, _)| text += &format!("{name} = {value}\n"));
        text += "[start]\n";
        all().for_each(|(name, _, rate)| text += &format!("\"{name}'\" = {rate}\n"));
        let (first, body) = match moves {
            true => ("point(base, [0.2, -0.1, 0.3])", "base"),
            false => ("[0.2, -0.1, 0.3]", "ground"),
        };
        if moves {
            text += &format!(
                "[body.base]\n{MASSES}center = \"[x, y, z]\"\nattitude = \"Rz(psi) Rx(theta) Rz(phi)\"\n"
            );
        }
        let before = if moves { "base " } else { "" };
        text += &format!("[frame.F]\nattitude = \"{before}{}\"\n", self.attitude);
        let [x, y, z] = self.shift;
        let shift = format!("({x})*{body}.ex + ({y})*{body}.ey + ({z})*{body}.ez");
        text += &format!(
            "[body.b]\n{MASSES}center = \"{first} + {shift} + 0.5*F.ex - 0.1*F.ey - 0.2*F.ez\"\nattitude = \"F\"\n{GIVEN}"
        );
        text + &records(if moves { &["b", "base"] } else { &["b"] })
    }

    /// The same with free bodies and a joint, started as the other one is.
    fn jointed(&self, moves: bool, at: &[f64]) -> String {
        let mut text = "gravity = \"[0.3, -9.81, 1.2]\"\n[parameters]\n".to_owned();
        for (name, value, _) in self.free {
            text += &format!("{name} = {value}\n");
        }
        let start = |at: &[f64], attitude: &str| {
            let vector = |at: &[f64]| format!("\"[{:?}, {:?}, {:?}]\"", at[0], at[1], at[2]);
            format!(
                "start = {{ center = {}, attitude = \"{attitude}\", velocity = {}, omega = {} }}\n",
                vector(&at[..3]),
                vector(&at[3..6]),
                vector(&at[6..9])
            )
        };
        let turned = "Rz(0.5) Rx(0.8) Rz(-0.3)";
        let (first, attitude) = match moves {
            true => {
                text += &format!("[body.base]\n{MASSES}{}", start(&at[9..], turned));
                (
                    "point(base, [0.2, -0.1, 0.3])",
                    format!("{turned} {}", self.attitude),
                )
            }
            false => ("point(ground, [0.2, -0.1, 0.3])", self.attitude.to_owned()),
        };
        text += &format!("[body.b]\n{MASSES}{}{GIVEN}", start(at, &attitude));
        text += &format!(
            "[joint.J]\nbetween = [\"{first}\", \"point(b, [-0.5, 0.1, 0.2])\"]\n{}\n",
            self.joint
        );
        text + &records(if moves { &["b", "base"] } else { &["b"] })
    }

    /// On the ground, and on a body that moves. Returns the first.
    #[track_caller]
    fn holds(&self) -> Now {
        let [grounded, _] = [false, true].map(|moves| {
            let hand = started(&self.by_hand(moves));
            let wanted = motion(&hand);
            let now = started(&self.jointed(moves, &wanted));
            all_close(&motion(&now), &wanted);
            let bodies: &[&str] = if moves { &["b", "base"] } else { &["b"] };
            for body in bodies {
                let wanted = needed(&hand, body);
                all_close(&needed(&now, body), &wanted);
                let on = now.reaction("J", body);
                let found: Vec<f64> = on.force.iter().chain(&on.moment).copied().collect();
                all_close(&found, &wanted);
            }
            let freedoms = self.free.len() + if moves { 6 } else { 0 };
            let system = &now.mechanism.system;
            assert_eq!(
                system.named_speeds() + system.identities() - now.snapshot.rank,
                freedoms
            );
            now
        });
        grounded
    }
}

#[test]
fn spherical() {
    let case = Case {
        joint: "type = \"spherical\"",
        free: &TURNING,
        attitude: "Rz(a) Rx(h) Rz(c)",
        shift: ["0", "0", "0"],
    };
    case.holds();
}

/// About a coordinate axis, about any other, and with axes of the bodies that do not agree at the angle zero.
#[test]
fn revolute() {
    let free = [("a", 0.4, 0.9)];
    let about = |joint, attitude| {
        let case = Case {
            joint,
            free: &free,
            attitude,
            shift: ["0", "0", "0"],
        };
        case.holds()
    };
    about("type = \"revolute\"\naxis = \"y\"", "Ry(a)");
    about(
        "type = \"revolute\"\naxis = \"[1, 2, 2]\"",
        "quat(cos(a/2), sin(a/2)/3, 2*sin(a/2)/3, 2*sin(a/2)/3)",
    );
    about(
        "type = \"revolute\"\naxis = \"z\"\nattitude = \"Rx(0.3) Ry(0.5)\"",
        "Rz(a) Rx(0.3) Ry(0.5)",
    );
}

#[test]
fn prismatic() {
    let case = Case {
        joint: "type = \"prismatic\"\naxis = \"x\"\nattitude = \"Rx(0.3) Rz(0.2)\"",
        free: &[("s", 0.6, -0.4)],
        attitude: "Rx(0.3) Rz(0.2)",
        shift: ["s", "0", "0"],
    };
    case.holds();
}

#[test]
fn cylindrical() {
    let case = Case {
        joint: "type = \"cylindrical\"\naxis = \"z\"",
        free: &[("s", 0.6, -0.4), ("a", 0.4, 0.9)],
        attitude: "Rz(a)",
        shift: ["0", "0", "s"],
    };
    case.holds();
}

#[test]
fn screw() {
    let case = Case {
        joint: "type = \"screw\"\naxis = \"z\"\npitch = 0.3",
        free: &[("a", 0.4, 0.9)],
        attitude: "Rz(a)",
        shift: ["0", "0", "0.3*a/(2*pi)"],
    };
    case.holds();
}

#[test]
fn universal() {
    let case = Case {
        joint: "type = \"universal\"\naxis = \"x\"\nsecond_axis = \"y\"",
        free: &[("a", 0.4, 0.9), ("h", 0.7, -0.6)],
        attitude: "Rx(a) Ry(h)",
        shift: ["0", "0", "0"],
    };
    case.holds();
}

/// The second shaft is turned by h about a line across the first: at every h both turn equally fast.
#[test]
fn constant_velocity() {
    let case = Case {
        joint: "type = \"constant-velocity\"\naxis = \"z\"",
        free: &[("c", 0.4, 0.9), ("h", 0.7, -0.6)],
        attitude: "Rz(c) Rx(h) Rz(-c)",
        shift: ["0", "0", "0"],
    };
    case.holds();
}

#[test]
fn planar() {
    let case = Case {
        joint: "type = \"planar\"\naxis = \"z\"",
        free: &[("s", 0.6, -0.4), ("u", -0.2, 0.8), ("a", 0.4, 0.9)],
        attitude: "Rz(a)",
        shift: ["s", "u", "0"],
    };
    case.holds();
}

#[test]
fn point_on_plane() {
    let [a, h, c] = TURNING;
    let case = Case {
        joint: "type = \"point-on-plane\"\naxis = \"z\"",
        free: &[("s", 0.6, -0.4), ("u", -0.2, 0.8), a, h, c],
        attitude: "Rz(a) Rx(h) Rz(c)",
        shift: ["s", "u", "0"],
    };
    case.holds();
}

#[test]
fn point_on_line() {
    let [a, h, c] = TURNING;
    let case = Case {
        joint: "type = \"point-on-line\"\naxis = \"x\"",
        free: &[("s", 0.6, -0.4), a, h, c],
        attitude: "Rz(a) Rx(h) Rz(c)",
        shift: ["s", "0", "0"],
    };
    case.holds();
}

#[test]
fn distance() {
    let [a, h, c] = TURNING;
    let case = Case {
        joint: "type = \"distance\"\nlength = 0.8",
        free: &[("d", 0.3, 0.7), ("e", 0.5, -0.9), a, h, c],
        attitude: "Rz(a) Rx(h) Rz(c)",
        shift: ["0.8*cos(d)*cos(e)", "0.8*cos(d)*sin(e)", "0.8*sin(d)"],
    };
    case.holds();
}

#[test]
fn track() {
    let [a, h, c] = TURNING;
    let case = Case {
        joint: "type = \"track\"\ncurve = \"z = 0.3*x^2 + 0.2*x*y\"",
        free: &[("s", 0.6, -0.4), ("u", -0.2, 0.8), a, h, c],
        attitude: "Rz(a) Rx(h) Rz(c)",
        shift: ["s", "u", "0.3*s^2 + 0.2*s*u"],
    };
    case.holds();
}

/// A body welded to the ground needs its weight and the given forces, and their moments; one welded to another moves with it.
#[test]
fn weld() {
    let text = format!(
        "gravity = \"[0.3, -9.81, 1.2]\"\n[body.b]\n{MASSES}start = {{ attitude = \"Rx(0.3)\" }}\n{GIVEN}\
         [joint.J]\ntype = \"weld\"\nattitude = \"Rx(0.2) Rz(0.4)\"\n\
         between = [\"point(ground, [0.2, -0.1, 0.3])\", \"point(b, [-0.5, 0.1, 0.2])\"]\n"
    );
    let now = Now::written(&text);
    let on = now.reaction("J", "b");
    let force = [0.7, -1.1, 0.4];
    let gravity = [0.3, -9.81, 1.2];
    for i in 0..3 {
        close(on.force[i], -force[i] - 2.0 * gravity[i]);
    }
    // R = Rx(0.2) Rz(0.4), and the arm of the force R (0.1, 0.3, −0.2).
    let ((sa, ca), (sb, cb)) = (0.2_f64.sin_cos(), 0.4_f64.sin_cos());
    let turned = [0.1 * cb - 0.3 * sb, 0.1 * sb + 0.3 * cb, -0.2];
    let arm = [
        turned[0],
        ca * turned[1] - sa * turned[2],
        sa * turned[1] + ca * turned[2],
    ];
    for (i, torque) in [0.4, -0.3, 0.7].into_iter().enumerate() {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let moment = arm[j] * force[k] - arm[k] * force[j];
        close(on.moment[i], -torque - moment);
    }
    let moving = Case {
        joint: "type = \"weld\"\nattitude = \"Rx(0.2) Rz(0.4)\"",
        free: &[],
        attitude: "Rx(0.2) Rz(0.4)",
        shift: ["0", "0", "0"],
    };
    let hand = started(&moving.by_hand(true));
    let wanted = motion(&hand);
    let now = started(&moving.jointed(true, &wanted));
    all_close(&motion(&now), &wanted);
    let found = now.reaction("J", "b");
    let found: Vec<f64> = found.force.iter().chain(&found.moment).copied().collect();
    all_close(&found, &needed(&hand, "b"));
}

/// Angles and distances can be started from, and rough poses close.
#[test]
fn started_by_the_joint() {
    let now = Now::written(
        r#"
gravity = "[0, 0, -9.81]"
[body.b]
mass = 2
inertia = [0.1, 0.2, 0.3]
start = { center = "[0.4, 0.1, 0.2]", attitude = "Rz(20 deg) Rx(5 deg)" }
[joint.J]
type = "cylindrical"
axis = "z"
between = ["ground", "point(b, [-0.5, 0, 0])"]
[start]
"J.angle" = 0.7
"J.rate" = 1.3
"J.distance" = 0.25
[run]
span = 1
record = ["pos(b)", "vel(b)", "omega(b)"]
"#,
    );
    let (s, c) = 0.7_f64.sin_cos();
    let wanted = [
        0.5 * c,
        0.5 * s,
        0.25,
        -0.65 * s,
        0.65 * c,
        0.0,
        0.0,
        0.0,
        1.3,
    ];
    all_close(&motion(&now), &wanted);
    let length: f64 = (0..4)
        .map(|i| now.position(&format!("b.q{i}")).powi(2))
        .sum();
    close(length, 1.0);
}

/// The four-bar with hinges in space: 15 rows of three hinges and 5 of the fourth, of which 17 are independent; its motion is that in the plane.
#[test]
fn four_bar_with_hinges_in_space() {
    let text = |flat: bool| {
        let inertia = if flat {
            "[0, 0, 0.3]"
        } else {
            "[0.1, 0.2, 0.3]"
        };
        let axis = if flat { "" } else { "axis = \"z\"" };
        let bar = |name: &str, center: &str, angle: &str, half: f64| {
            format!(
                "[body.{name}]\nmass = 1.5\ninertia = {inertia}\nstart = {{ center = \"{center}\", attitude = \"Rz({angle})\" }}\n\
                 point = {{ a = \"[-{half}, 0, 0]\", b = \"[{half}, 0, 0]\" }}\n"
            )
        };
        let hinge = |name: &str, first: &str, second: &str| {
            format!(
                "[joint.{name}]\ntype = \"revolute\"\n{axis}\nbetween = [\"{first}\", \"{second}\"]\n"
            )
        };
        format!(
            "gravity = \"[0, -9.81, 0]\"\n{}{}{}{}{}{}{}[start]\n\"A.angle\" = 1.2\n\"A.rate\" = 2\n",
            bar("p", "[0.1, 0.45, 0]", "70 deg", 0.5),
            bar("q", "[1, 1.2, 0]", "10 deg", 1.0),
            bar("r", "[2.1, 0.8, 0]", "-100 deg", 0.75),
            hinge("A", "ground", "p.a"),
            hinge("B", "p.b", "q.a"),
            hinge("C", "q.b", "r.a"),
            hinge("D", "point(ground, [2, 0, 0])", "r.b"),
        )
    };
    let flat = Now::of(&text(true));
    let space = Now::written(&text(false));
    for body in ["p", "q", "r"] {
        for axis in ["x", "y"] {
            let name = format!("{body}.{axis}");
            close(space.position(&name), flat.position(&name));
            close(space.rate(&name), flat.rate(&name));
            close(space.acceleration(&name), flat.acceleration(&name));
        }
    }
    let system = &space.mechanism.system;
    assert_eq!(system.rows.len() - system.identities(), 20);
    assert_eq!(space.snapshot.rank - system.identities(), 17);
    // Rows that are to spare everywhere make no change point, though their own terms are rounding in the plane.
    assert!(!space.mechanism.start().unwrap().change_point);
    // Which rows are to spare is said; identities are not among them.
    let dependences = space.mechanism.dependences(&space.snapshot);
    let open = dependences.rows.iter();
    assert!(open.clone().count() > 0);
    assert!(open.clone().all(|&row| !system.rows[row].identity));
}

/// What is of the plane alone, or of space alone, or not known, is refused by name.
#[test]
fn refusals() {
    let refused = |text: &str| {
        let errors = read(&format!("dalembert = 1\n{text}")).unwrap_err();
        let first = errors.into_iter().next().unwrap();
        (first.code.to_owned(), first.message)
    };
    let body = "[body.b]\nmass = 1\ninertia = [1, 1, 1]\n";
    let joint =
        |kind: &str| format!("{body}[joint.J]\ntype = \"{kind}\"\nbetween = [\"ground\", \"b\"]\n");
    let (_, message) = refused(&joint("rolling"));
    assert!(message.contains("no `radius`"), "{message}");
    let (code, message) = refused(&format!("planar = true\n{}", joint("spherical")));
    assert_eq!(code, "E0310");
    assert!(message.contains("of space"), "{message}");
    let (_, message) = refused(&joint("constant-velocity"));
    assert!(message.contains("no `axis`"), "{message}");
    let (_, message) = refused(&joint("revolute"));
    assert!(message.contains("no `axis`"), "{message}");
    let (_, message) = refused(&format!("{}axis = \"[0, 0, 0]\"\n", joint("revolute")));
    assert!(message.contains("no length"), "{message}");
    let (_, message) = refused(&format!("{}axis = \"x\"\n", joint("universal")));
    assert!(message.contains("no `second_axis`"), "{message}");
    let text = format!(
        "dalembert = 1\n{body}point = {{ tip = \"[1, 0, 0]\" }}\n[joint.J]\ntype = \"spherical\"\nbetween = [\"ground\", \"b.tpi\"]\n"
    );
    let (model, _) = read(&text).unwrap();
    let errors = Mechanism::new(model).err().unwrap();
    assert_eq!(errors[0].code, "E0403");
    assert_eq!(errors[0].help.as_deref(), Some("did you mean .tip?"));
    let (_, message) =
        refused("[body.b]\nmass = 1\ninertia = [1, 1, 1]\nstart = { attitude = \"[1, 0, 0]\" }\n");
    assert!(message.contains("written out"), "{message}");
}
