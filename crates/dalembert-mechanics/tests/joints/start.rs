//! Assembly from rough poses, and what can be said of a start.

use super::{Now, close};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::model::read;

fn refused(text: &str) -> Vec<String> {
    let text = format!("dalembert = 1\nplanar = true\n{text}");
    let (model, _) = match read(&text) {
        Ok(read) => read,
        Err(errors) => {
            return errors
                .into_iter()
                .map(|it| format!("{} {:?}", it.message, it.help))
                .collect();
        }
    };
    let errors = match Mechanism::new(model) {
        Ok(mechanism) => mechanism.start().unwrap_err(),
        Err(errors) => errors,
    };
    errors
        .into_iter()
        .map(|it| format!("{} {:?}", it.message, it.help))
        .collect()
}

fn two_bars(apart: &str, guess: &str) -> String {
    format!(
        r#"
[parameters]
l = "1 m"
[body.a]
mass = "1 kg"
shape = {{ rod = {{ length = "l", axis = "x" }} }}
point = {{ foot = "[-l/2, 0, 0]", tip = "[l/2, 0, 0]" }}
start = {{ center = "[0.3, {guess}, 0]", attitude = "Rz(0)" }}
[body.b]
mass = "1 kg"
shape = {{ rod = {{ length = "l", axis = "x" }} }}
point = {{ foot = "[-l/2, 0, 0]", tip = "[l/2, 0, 0]" }}
start = {{ center = "[1, {guess}, 0]" }}
[joint.A]
type = "revolute"
between = ["ground", "a.foot"]
[joint.B]
type = "revolute"
between = ["a.tip", "b.foot"]
[joint.C]
type = "revolute"
between = ["point(ground, [{apart}, 0, 0])", "b.tip"]
"#
    )
}

#[test]
fn the_guess_chooses_the_branch() {
    let height = |guess: &str| Now::of(&two_bars("1.2 m", guess)).position("a.y");
    close(height("0.5"), 0.4);
    close(height("-0.5"), -0.4);
}

#[test]
fn joints_that_cannot_close_are_named_with_the_gap() {
    let told = refused(&two_bars("2.5 m", "0.4")).join("\n");
    for name in [
        "the joints `A`, `B` and `C` cannot be closed",
        "stays open by 0.5 m",
    ] {
        assert!(told.contains(name), "{told}");
    }
}

#[test]
fn a_point_can_be_put_somewhere() {
    let text = two_bars("1.2 m", "0.5").replace("[joint.C]", "[joint.C]\nactive = false");
    let now = Now::of(&format!(
        "{text}\n[start]\n\"pos(b.tip).x\" = \"0.9 m\"\n\"pos(b.tip).y\" = \"1.1 m\"\n\"vel(b.tip).x\" = \"2 m/s\"\n"
    ));
    let (x, y, angle) = (
        now.position("b.x"),
        now.position("b.y"),
        now.position("b.angle"),
    );
    close(x + 0.5 * angle.cos(), 0.9);
    close(y + 0.5 * angle.sin(), 1.1);
    let rate = now.rate("b.x") - 0.5 * now.rate("b.angle") * angle.sin();
    close(rate, 2.0);
}

#[test]
fn what_cannot_be_started_from_is_refused() {
    let text = two_bars("1.2 m", "0.5");
    for (said, wanted) in [
        ("\"pos(b.tip).x\" = \"3 m\"", "pos(b.tip).x"),
        ("\"A.rate^2\" = 1", "is not a rate or a speed"),
        ("\"norm(vel(a.tip))\" = 1", "linear in the rates"),
        ("\"A.angel\" = 1", "unknown name `A`"),
        ("\"A.angle\" = { value = 1, priority = \"guess\" }", "guess"),
        ("\"l\" = 1", "parameters"),
    ] {
        let told = refused(&format!("{text}\n[start]\n{said}\n")).join("\n");
        assert!(told.contains(wanted), "{said}: {told}");
    }
}

#[test]
fn mistakes_in_joints_are_named() {
    let text = two_bars("1.2 m", "0.5");
    for (from, to, wanted) in [
        ("\"a.tip\"", "\"c.tip\"", "there is no body or particle `c`"),
        ("\"a.tip\"", "\"a.tp\"", "has no member `tp`"),
        ("\"a.tip\"", "\"b.tip\"", "connects `b` with itself"),
        ("\"a.tip\"", "\"[0, 0, 0]\"", "points of bodies"),
        ("\"revolute\"", "\"hinge\"", "hinge"),
        ("\"revolute\"", "\"prismatic\"", "has no `axis`"),
        (
            "\"revolute\"",
            "\"revolute\"\nlength = 2",
            "has no `length`",
        ),
        ("\"revolute\"", "\"revolute\"\naxis = \"x\"", "turn about z"),
        ("[joint.A]", "[joint.a]", "given twice"),
    ] {
        let told = refused(&text.replacen(from, to, 1)).join("\n");
        assert!(told.contains(wanted), "{to}: {told}");
    }
}

#[test]
fn what_is_not_of_the_plane_is_refused() {
    let text = two_bars("1.2 m", "0.5");
    let slot = "\"point-on-line\"\naxis = ";
    for (from, to, wanted) in [
        ("\"revolute\"", "\"spherical\"", "of space"),
        ("0.5, 0]", "0.5, 1]", "moves in the plane"),
        (
            "attitude",
            "omega = \"[1, 0, 0]\", attitude",
            "the x component here is 0",
        ),
        (
            "attitude",
            "velocity = \"[1, 0, 2]\", attitude",
            "the z component here is 0",
        ),
        (
            "\"revolute\"",
            &format!("{slot}\"[1, 0, 1]\""),
            "lies in the plane",
        ),
        (
            "\"revolute\"",
            &format!("{slot}\"[0, 0, 0]\""),
            "has no length",
        ),
        (
            "\"revolute\"",
            "\"revolute\"\nfriction = { coefficient = 0.1 }",
            "has no `friction`",
        ),
        (
            "[joint.A]",
            "[constraint.c]\nholds = [\"a.x = 0\", \"a.y >= 0\"]\n[joint.A]",
            "has a contact among other equations",
        ),
    ] {
        let told = refused(&text.replacen(from, to, 1)).join("\n");
        assert!(told.contains(wanted), "{to}: {told}");
    }
}

/// Bodies and particles with coordinates of their own may be joined in the plane if they stay there.
#[test]
fn what_is_joined_in_the_plane_stays_there() {
    let joined = |position: &str, attitude: &str| {
        format!(
            r#"
[coordinates]
u = 0.5
w = 0
[particle.P]
mass = 1
position = "{position}"
[body.B]
mass = 1
inertia = [1, 1, 1]
center = "[1, w, 0]"
attitude = "{attitude}"
[joint.S]
type = "point-on-line"
axis = "x"
between = ["B", "P"]
"#
        )
    };
    let now = Now::of(&joined("[u, 0, 2]", "Rz(w)"));
    close(now.position("w"), 0.0);
    let told = refused(&joined("[u, 0, w]", "Rz(w)")).join("\n");
    assert!(told.contains("moves along z too"), "{told}");
    let told = refused(&joined("[u, 0, 2]", "Rx(w)")).join("\n");
    assert!(told.contains("the angle of `B`"), "{told}");
}

/// A chain in space whose poses are a little off: it is closed to rounding, and not to a part of what components of quaternions that are zero could be.
#[test]
fn a_chain_of_three_closes_to_rounding() {
    let body = |name: &str, rest: &str| format!("[body.{name}]\n{rest}\n");
    let hinge = |name: &str, axis: &str, ends: &str| {
        format!("[joint.{name}]\ntype = \"revolute\"\naxis = \"{axis}\"\nbetween = [{ends}]\n")
    };
    let text = [
        "dalembert = 1\n".to_owned(),
        body(
            "column",
            "mass = 8\nshape = { cylinder = { radius = 0.1, length = 0.6 } }\npoint = { foot = \"[0, 0, -0.3]\", head = \"[0, 0, 0.3]\" }\nstart = { center = \"[0, 0, 0.3]\" }",
        ),
        body(
            "upper",
            "mass = 5.317\ninertia = [0.0102, 0.16, 0.16]\npoint = { shoulder = \"[-0.3205, 0, 0]\", elbow = \"[0.1795, 0, 0]\" }\nstart = { center = \"[0.3, 0, 0.6]\" }",
        ),
        body(
            "lower",
            "mass = 3.375\ninertia = [0.005, 0.08, 0.08]\npoint = { elbow = \"[-0.27407, 0, 0]\" }\nstart = { center = \"[0.8, 0, 0.6]\" }",
        ),
        hinge("A", "z", "\"ground\", \"column.foot\""),
        hinge("B", "y", "\"column.head\", \"upper.shoulder\""),
        hinge("C", "y", "\"upper.elbow\", \"lower.elbow\""),
    ];
    let (model, _) = read(&text.concat()).expect("a model");
    let start = Mechanism::new(model).expect("a mechanism").start();
    let start = start.expect("a start");
    assert!(
        start.position_residual < 1e-12,
        "{}",
        start.position_residual
    );
}
