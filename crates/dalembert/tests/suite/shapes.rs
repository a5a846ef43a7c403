//! Shapes from files and bodies of several shapes: what follows from them is what one would work out by hand.

use dalembert::report::{Error, EvalReport};
use dalembert::{Model, Source};

/// A block of 0.4, 0.2 and 0.1 m with its corner at (10, 20, 30) mm.
fn block_in_mm() -> String {
    let mut text = String::new();
    for i in 0..8 {
        let at = |k: usize, low: f64, size: f64| low + size * f64::from(i >> k & 1);
        let [x, y, z] = [at(0, 10.0, 400.0), at(1, 20.0, 200.0), at(2, 30.0, 100.0)];
        text += &format!("v {x} {y} {z}\n");
    }
    text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

fn model(text: &str) -> Result<Model, Error> {
    let source = Source::new("it.toml", &format!("dalembert = 1\n{text}"));
    Model::read(source.with_file("block.obj", &block_in_mm()))
}

fn eval(text: &str) -> EvalReport {
    let found = model(text).and_then(|it| it.eval());
    found.unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    let found = model(text).and_then(|it| it.eval());
    let error = found.expect_err("refused");
    let first = &error.diagnostics[0];
    format!("{} {}", first.code, first.message)
}

fn close(found: f64, known: f64) {
    assert!(
        (found - known).abs() <= 1e-12 * (1.0 + known.abs()),
        "{found} is not {known}"
    );
}

/// A hammer that swings about the end of its handle, in the plane and in space, in coordinates of its own and of its joint.
#[test]
fn a_hammer_swings_as_a_physical_pendulum() {
    let hammer = r#"
        [body.hammer]
        shape = [
          { rod = { length = 0.6, axis = "x" }, at = "[0.3, 0, 0]", mass = 0.5 },
          { box = { size = [0.1, 0.2, 0.1] }, at = "[0.6, 0.02, 0]", attitude = "Rz(90 deg)", density = 1000 },
        ]
        point = { grip = "[0, 0, 0]" }
        [joint.A]
        type = "revolute"
        between = ["ground", "hammer.grip"]
    "#;
    // By hand: masses 0.5 and 2, moments about the grip.
    let (rod, head) = (0.5, 2.0);
    let about_grip =
        rod * 0.36 / 3.0 + head * ((0.04_f64 + 0.01) / 12.0 + 0.6_f64.powi(2) + 0.02_f64.powi(2));
    let moment = 9.81 * (rod * 0.3 + head * 0.6);
    for (head_of_file, member) in [
        ("planar = true", "hammer.angle"),
        ("planar = true\ncoordinates = \"relative\"", "A.angle"),
    ] {
        let text = format!("gravity = \"[0, -9.81, 0]\"\n{head_of_file}\n{hammer}");
        let found = eval(&text);
        close(found.accelerations[member], -moment / about_grip);
    }
    let hinge = hammer.replace("\"revolute\"", "\"revolute\"\naxis = \"z\"");
    for relative in ["", "coordinates = \"relative\"\n"] {
        let text = format!("gravity = \"[0, -9.81, 0]\"\n{relative}{hinge}");
        let found = eval(&text);
        let member = if relative.is_empty() {
            "hammer.wz"
        } else {
            "A.angle'"
        };
        close(found.speed_rates[member], -moment / about_grip);
    }
}

/// A mesh, the same block as a shape, and the same inertia by hand.
#[test]
fn a_mesh_is_the_solid_that_it_encloses() {
    let rest = r#"
        point = { corner = "[0.01, 0.02, 0.03]" }
        [joint.A]
        type = "spherical"
        between = ["ground", "block.corner"]
    "#;
    let gravity = "gravity = \"[1, 2, -9.81]\"\n[body.block]\n";
    let ways = [
        "density = 500\nshape = { mesh = { file = \"block.obj\", unit = \"mm\" } }",
        "mass = 4\nshape = { mesh = { file = \"block.obj\", unit = \"mm\" } }",
        "density = 500\nshape = { box = { size = [0.4, 0.2, 0.1] }, at = \"[0.21, 0.12, 0.08]\" }",
        // Two halves share the mass by volume.
        "mass = 4\nshape = [{ box = { size = [0.1, 0.2, 0.1] }, at = \"[0.06, 0.12, 0.08]\" }, { box = { size = [0.3, 0.2, 0.1] }, at = \"[0.26, 0.12, 0.08]\" }]",
    ];
    let known = eval(&format!(
        "{gravity}mass = 4\ninertia = [\"4*0.05/12\", \"4*0.17/12\", \"4*0.2/12\"]\n{}",
        rest.replace("[0.01, 0.02, 0.03]", "[-0.2, -0.1, -0.05]")
    ));
    for way in ways {
        let found = eval(&format!("{gravity}{way}\n{rest}"));
        for (name, value) in &known.speed_rates {
            close(found.speed_rates[name], *value);
        }
    }
}

#[test]
fn an_ellipsoid_has_its_moments() {
    let text = "[body.E]\nmass = 5\nshape = { ellipsoid = { radii = [1, 2, 3] } }\n\
        [force.turn]\non = \"E\"\ntorque = \"[1, 1, 1]\"\n";
    let found = eval(text);
    for (axis, moment) in [("x", 13.0), ("y", 10.0), ("z", 5.0)] {
        close(found.speed_rates[&format!("E.w{axis}")], 1.0 / moment);
    }
}

/// The mass centre can be spoken of.
#[test]
fn the_mass_center_is_a_member() {
    let text = "[body.E]\ndensity = 1\nshape = [{ sphere = { radius = 1 } }, { sphere = { radius = 1 }, at = \"[2, 0, 0]\", density = 3 }]\n\
        [definitions]\nd = \"E.mass_center.x\"\n[start]\n\"E.x\" = \"4*d\"\n";
    close(eval(text).coordinates["E.x"], 6.0);
}

#[test]
fn what_does_not_weigh_up_is_refused() {
    let body = |text: &str| refused(&format!("[body.B]\n{text}"));
    let sphere = "{ sphere = { radius = 1 } }";
    for (text, known) in [
        (
            "mass = 1\nshape = { mesh = { file = \"none.stl\", unit = \"mm\" } }",
            "E0488 there is no file none.stl: the model was not read from a file",
        ),
        (
            "mass = 1\nshape = { mesh = { file = \"block.obj\", unit = \"kg\" } }",
            "E0314 `kg` is no unit of length",
        ),
        (
            "mass = 1\nshape = [{ sphere = { radius = 1 }, mass = 2 }]",
            "E0315 [body.B] has a `mass`, and a part of it has a `mass`",
        ),
        (
            "shape = [{ sphere = { radius = 1 }, mass = 2 }, { sphere = { radius = 1 } }]",
            "E0315 a part of [body.B] has neither `mass` nor `density`",
        ),
        (
            "mass = 1\nshape = [{ rod = { length = 1 } }, { rod = { length = 1 } }]",
            "E0324 a rod is thin and has no volume for a density",
        ),
        (
            "inertia = [1, 1, 1]\nmass = 1\nshape = { sphere = { radius = 1 }, mass = 2 }",
            "E0315 `mass` of a part of [body.B] has no effect beside its `inertia`",
        ),
        (
            "mass = 1\nshape = []",
            "E0317 `shape` of body.B needs a table, or a list of tables, not an empty list",
        ),
        (
            "mass = 1\nshape = { sphere = { radius = 1 }, at = \"[t, 0, 0]\" }",
            "E0414 the place of a shape in its body cannot change in time",
        ),
        (
            "shape = [{ sphere = { radius = 1 }, mass = -2 }]",
            "E0441 the mass of `B` is -2",
        ),
    ] {
        assert_eq!(body(text), known, "{text}");
    }
    let both = format!(
        "mass = 1\nshape = [{sphere}, {sphere}]\n[contact.c]\nbetween = [\"B\", \"ground\"]\nplane = {{ normal = \"[0, 0, 1]\" }}\n"
    );
    assert!(body(&both).starts_with("E0310"), "{}", body(&both));
    let open = Source::new(
        "it.toml",
        "dalembert = 1\n[body.B]\nmass = 1\nshape = { mesh = { file = \"open.obj\", unit = \"m\" } }\n",
    );
    let text = block_in_mm();
    let text = &text[..text.trim_end().rfind('\n').expect("lines")];
    let open = Model::read(open.with_file("open.obj", text));
    let error = open.and_then(|it| it.eval()).expect_err("open");
    assert_eq!(error.diagnostics[0].code, "E0489");
    assert!(
        error.diagnostics[0].message.contains("4 of its edges"),
        "{error}"
    );
}
