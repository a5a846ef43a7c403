//! Rows of axes hold both ways round: whatever the guess, a joint closes as it is defined, or is refused by name.

use super::{Mechanism, Now};
use dalembert_mechanics::model::read;

/// Axes of a body in the world's: columns of the rotation of its quaternion.
fn axes(now: &Now, body: &str) -> [[f64; 3]; 3] {
    let [w, x, y, z] = ["q0", "q1", "q2", "q3"].map(|part| now.position(&format!("{body}.{part}")));
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
        ],
        [
            2.0 * (x * y - w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + w * x),
        ],
        [
            2.0 * (x * z + w * y),
            2.0 * (y * z - w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

fn one_body(joint: &str, guess: &str) -> String {
    format!(
        "[body.b]\nmass = 2\ninertia = [0.1, 0.2, 0.25]\nstart = {{ center = \"[0.4, 0.3, -0.2]\", attitude = \"{guess}\" }}\n\
         [joint.J]\nbetween = [\"point(ground, [0.2, -0.1, 0.3])\", \"point(b, [-0.5, 0.1, 0.2])\"]\n{joint}\n"
    )
}

const GUESSES: [&str; 8] = [
    "Rx(100 deg)",
    "Rx(150 deg) Rz(40 deg)",
    "Rz(70 deg) Ry(-170 deg)",
    "Rx(180 deg)",
    "Ry(180 deg)",
    "Rz(180 deg)",
    "Rz(50 deg) Rx(180 deg) Rz(-20 deg)",
    "Ry(200 deg) Rz(200 deg)",
];

#[test]
fn an_axis_is_never_reversed() {
    for kind in ["revolute", "cylindrical", "planar", "screw", "prismatic"] {
        let pitch = if kind == "screw" { "\npitch = 0.1" } else { "" };
        let joint = format!("type = \"{kind}\"\naxis = \"z\"{pitch}");
        for guess in GUESSES {
            let axis = axes(&Now::written(&one_body(&joint, guess)), "b")[2];
            assert!(axis[2] > 1.0 - 1e-12, "{kind} from {guess}: {axis:?}");
        }
    }
}

/// All three axes of a weld and of a slide are as the joint says, also with an attitude of half a turn, which no guess is near to.
#[test]
fn a_weld_is_never_turned() {
    for (attitude, wanted) in [("", [1.0, 1.0, 1.0]), ("Rx(180 deg)", [1.0, -1.0, -1.0])] {
        let turned = match attitude {
            "" => String::new(),
            attitude => format!("\nattitude = \"{attitude}\""),
        };
        for joint in ["type = \"weld\"", "type = \"prismatic\"\naxis = \"y\""] {
            for guess in GUESSES {
                let now = Now::written(&one_body(&format!("{joint}{turned}"), guess));
                let axes = axes(&now, "b");
                for i in 0..3 {
                    let found = axes[i][i] * wanted[i];
                    assert!(
                        found > 1.0 - 1e-12,
                        "{joint}{turned} from {guess}: {axes:?}"
                    );
                }
            }
        }
    }
}

/// Shafts of a constant-velocity joint turn alike: φ₂ = φ₁, and not φ₁ + π. Where the shafts are at an angle θ, R₁₁ + R₂₂ = 1 + cos θ.
#[test]
fn shafts_do_not_turn_oppositely() {
    let joint = "type = \"constant-velocity\"\naxis = \"z\"";
    for guess in GUESSES {
        let axes = axes(&Now::written(&one_body(joint, guess)), "b");
        let alike = axes[0][0] + axes[1][1];
        assert!(
            (alike - 1.0 - axes[2][2]).abs() < 1e-11,
            "{guess}: {axes:?}"
        );
    }
}

/// A loop of three bars with hinges in space: bad guesses of several bodies, in a plane that it is nowhere near.
#[test]
fn a_loop_closes_with_all_axes_one_way() {
    let bar = |name: &str, length: f64, guess: &str| {
        format!(
            "[body.{name}]\nmass = 1\nshape = {{ cylinder = {{ length = {length}, radius = 0.05, axis = \"x\" }} }}\n\
             point = {{ foot = \"[-{0}, 0, 0]\", tip = \"[{0}, 0, 0]\" }}\nstart = {{ {guess} }}\n",
            length / 2.0
        )
    };
    let joint = |name: &str, one: &str, other: &str| {
        format!(
            "[joint.{name}]\ntype = \"revolute\"\naxis = \"z\"\nbetween = [\"{one}\", \"{other}\"]\n"
        )
    };
    for (a, b, c) in [
        ("Rz(60 deg)", "Rx(130 deg)", "Rz(60 deg)"),
        ("Rx(110 deg)", "Ry(120 deg)", "Rz(60 deg)"),
        ("Rx(180 deg) Rz(-60 deg)", "Rx(180 deg)", "Rz(60 deg)"),
    ] {
        let text = bar(
            "a",
            1.0,
            &format!("center = \"[0.25, 0.4, 0]\", attitude = \"{a}\""),
        ) + &bar(
            "b",
            2.0,
            &format!("center = \"[1.5, 0.9, 0.2]\", attitude = \"{b}\""),
        ) + &bar(
            "c",
            1.0,
            &format!("center = \"[2.2, 0.4, 0]\", attitude = \"{c}\""),
        ) + &joint("A", "ground", "a.foot")
            + &joint("B", "a.tip", "b.foot")
            + &joint("C", "c.tip", "b.tip")
            + &joint("D", "point(ground, [2, 0, 0])", "c.foot");
        let now = Now::written(&text);
        for body in ["a", "b", "c"] {
            let axis = axes(&now, body)[2];
            assert!(axis[2] > 1.0 - 1e-11, "{body}: {axis:?}");
        }
    }
}

fn refused(text: &str) -> String {
    let text = format!("dalembert = 1\n{text}");
    let (model, _) = match read(&text) {
        Ok(model) => model,
        Err(errors) => panic!("{errors:#?}"),
    };
    let errors = match Mechanism::new(model) {
        Ok(mechanism) => mechanism.start().unwrap_err(),
        Err(errors) => errors,
    };
    let told = errors.iter();
    let told = told.map(|it| format!("{} {} {:?}\n", it.code, it.message, it.help));
    told.collect()
}

/// Values that must be met and hold the axis reversed leave no start.
#[test]
fn what_must_be_reversed_is_refused_by_name() {
    let start = "[start]\n\"b.q0\" = 0\n\"b.q1\" = 1\n\"b.q2\" = 0\n\"b.q3\" = 0\n";
    let told = refused(&format!(
        "{}{start}",
        one_body("type = \"revolute\"\naxis = \"z\"", "Rx(180 deg)")
    ));
    assert!(told.contains("E0532"), "{told}");
    assert!(told.contains("`J`") && told.contains("`b`"), "{told}");
}

#[test]
fn lengths_are_not_negative() {
    let given = |joint: &str| one_body(joint, "Rx(0)");
    let shaped = |shape: &str| {
        format!("[body.b]\nmass = 1\nshape = {{ {shape} }}\n[parameters]\nl = \"-2 m\"\n")
    };
    for (text, wanted) in [
        (
            given("type = \"distance\"\nlength = -1"),
            "length of `J` is -1",
        ),
        (
            given("type = \"distance\"\nlength = 0"),
            "length of `J` is 0",
        ),
        (
            given("type = \"rolling\"\naxis = \"z\"\nradius = \"-0.5 m\""),
            "radius of `J` is -0.5",
        ),
        (
            given("type = \"rope\"\nlength = -1").replace("between", "through"),
            "length of `J` is -1",
        ),
        (shaped("rod = { length = \"l\" }"), "length of `b` is -2"),
        (
            shaped("box = { size = [1, \"l\", 1] }"),
            "size of `b` is -2",
        ),
        (
            shaped("tube = { radius = 1, inner_radius = 2, length = 1 }"),
            "wall (radius - inner_radius) of `b` is -1",
        ),
    ] {
        let told = refused(&text);
        assert!(told.contains("E0444") && told.contains(wanted), "{told}");
    }
}
