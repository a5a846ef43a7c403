//! Angles of joints in space that count turns: started from, in forces, and in what couples joints. Each by a closed form.

use super::space::{motion, needed, started};
use super::{Mechanism, Now, close, read};

/// Two wheels on shafts of their own, about z and about x, and what couples them.
fn wheels(more: &str) -> String {
    format!(
        "[body.a]\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n[body.b]\nmass = 3\ninertia = [0.5, 0.6, 0.7]\n\
         [joint.A]\ntype = \"revolute\"\naxis = \"z\"\nbetween = [\"ground\", \"a\"]\n\
         [joint.B]\ntype = \"revolute\"\naxis = \"x\"\nbetween = [\"ground\", \"b\"]\n\
         [force.drive]\nalong = \"A.angle\"\nsize = 1.7\n{more}"
    )
}

/// I_b φ_b'' = λ, I_a φ_a'' = τ − i λ, φ_b = i φ_a + s: several turns from zero, and reactions about the shafts.
#[test]
fn gear() {
    let (ratio, offset, angle) = (-2.5, 0.3, 17.0);
    // Roughly as they stand.
    let poses = |text: String| {
        let text = text.replace("0.3]\n", "0.3]\nstart = { attitude = \"Rz(-1.7)\" }\n");
        text.replace("0.7]\n", "0.7]\nstart = { attitude = \"Rx(1.6)\" }\n")
    };
    let now = Now::written(&poses(wheels(&format!(
        "[joint.G]\ntype = \"gear\"\nof = [\"A\", \"B\"]\nratio = {ratio}\noffset = {offset}\n\
         [start]\n\"A.angle\" = {angle}\n\"A.rate\" = 0.8\n"
    ))));
    close(now.position("A.angle"), angle);
    close(now.position("B.angle"), ratio * angle + offset);
    close(now.rate("B.angle"), ratio * 0.8);
    let wanted = 1.7 / (0.3 + ratio * ratio * 0.5);
    close(now.acceleration("A.angle"), wanted);
    close(now.acceleration("B.angle"), ratio * wanted);
    let torque = 0.5 * ratio * wanted;
    close(now.reaction("G", "b").moment[0], torque);
    close(now.reaction("G", "a").moment[2], -ratio * torque);
    // The bodies stand where the angles say, but for turns.
    close(now.position("a.q0").abs(), (angle / 2.0).cos().abs());
    close(
        now.position("b.q1").abs(),
        ((ratio * angle + offset) / 2.0).sin().abs(),
    );
}

/// m s'' = λ, I φ'' = τ − r λ, s = r φ + s₀.
#[test]
fn rack() {
    let (radius, offset, angle) = (0.4, 0.1, -9.0);
    let now = Now::written(&format!(
        "[body.a]\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n[body.b]\nmass = 3\ninertia = [0.5, 0.6, 0.7]\n\
         [joint.A]\ntype = \"revolute\"\naxis = \"z\"\nbetween = [\"ground\", \"a\"]\n\
         [joint.S]\ntype = \"prismatic\"\naxis = \"y\"\nbetween = [\"ground\", \"b\"]\n\
         [joint.R]\ntype = \"rack\"\nof = [\"A\", \"S\"]\nradius = {radius}\noffset = {offset}\n\
         [force.drive]\nalong = \"A.angle\"\nsize = 1.7\n[start]\n\"A.angle\" = {angle}\n\"A.rate\" = 0.8\n"
    ));
    close(now.position("b.y"), radius * angle + offset);
    let wanted = 1.7 / (0.3 + radius * radius * 3.0);
    close(now.acceleration("A.angle"), wanted);
    close(now.acceleration("b.y"), radius * wanted);
    let force = 3.0 * radius * wanted;
    close(now.reaction("R", "b").force[1], force);
    close(now.reaction("R", "a").moment[2], -radius * force);
}

/// A torsion spring wound up by three turns pulls with all of them; half a turn and poses beside the cut of the angle are started from.
#[test]
fn a_wound_spring() {
    for angle in [6.0 * std::f64::consts::PI + 0.4, std::f64::consts::PI, -3.2] {
        let now = Now::written(&wheels(&format!(
            "[spring.K]\non = \"A.angle\"\nstiffness = 0.9\nlength = 0.2\n[start]\n\"A.angle\" = {angle:?}\n"
        )));
        close(now.position("A.angle"), angle);
        close(
            now.acceleration("A.angle"),
            (1.7 - 0.9 * (angle - 0.2)) / 0.3,
        );
    }
    let turned = wheels("").replace("0.3]\n", "0.3]\nstart = { attitude = \"Rz(180 deg)\" }\n");
    close(
        Now::written(&turned).position("A.angle").abs(),
        std::f64::consts::PI,
    );
}

/// What acts along an angle acts on the bodies: it is in no reaction of the joint, whose moment about its axis is zero; and not as a component of its own.
#[test]
fn forces_along_an_angle() {
    let spring = "[spring.K]\non = \"A.angle\"\nstiffness = 0.9\nlength = 0.2\n";
    let now = Now::written(&wheels(&format!("{spring}[start]\n\"A.angle\" = 8\n")));
    close(now.reaction("A", "a").moment[2], 0.0);
    let wanted = needed(&now, "a");
    close(wanted[5], 0.0);
    let text = wheels("").replace(
        "along = \"A.angle\"\nsize = 1.7",
        "generalized = { \"A.angle\" = 1.7 }",
    );
    let text = format!("dalembert = 1\n{text}[run]\nspan = 1\nrecord = [\"A.angle\"]\n");
    let (model, _) = read(&text).unwrap();
    let errors = Mechanism::new(model).err().unwrap();
    assert_eq!(errors[0].code, "E0423");
    assert!(errors[0].message.contains("angle of a joint"), "{errors:?}");
}

/// Nothing is added where nothing speaks of an angle, and the rate is that of the angle where something does.
#[test]
fn only_where_it_is_spoken_of() {
    let text = wheels(
        "[run]\nspan = 1\nrecord = [\"A.angle'\", \"A.rate\", \"B.rate\"]\n[start]\n\"A.rate\" = 0.8\n",
    );
    let now = started(&text);
    let names: Vec<&str> = now.mechanism.coordinate_names().collect();
    assert!(
        names.contains(&"A.angle") && !names.contains(&"B.angle"),
        "{names:?}"
    );
    assert_eq!(now.mechanism.system.identities(), 3);
    let found = motion(&now);
    close(found[0], 0.8);
    close(found[1], 0.8);
}
