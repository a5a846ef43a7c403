//! The builder makes the same models as files do, and refuses the same mistakes.

use super::{FULL, shown};
use dalembert_model::model::builder::ModelBuilder;
use dalembert_model::model::{Model, read};

/// Everything a model says, without the places.
fn without_places(model: &Model) -> String {
    let text = format!("{model:?}");
    let mut kept = String::new();
    let mut rest = text.as_str();
    let field = |text: &str| {
        let fields = ["place: ", "origin: "];
        fields.into_iter().filter_map(|name| text.find(name)).min()
    };
    while let Some(at) = field(rest) {
        kept.push_str(&rest[..at]);
        rest = &rest[at + past_value(&rest[at..])..];
    }
    kept + rest
}

/// Length of a field with its value in debug output.
fn past_value(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' | ',' if depth == 0 => return at,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[rustfmt::skip] // One line for each thing.
fn full() -> ModelBuilder {
    Model::builder("Thin disk, \"rolling\" (θ)")
        .gravity("[0, 0, -g]")
        .parameter("m", "2 kg")
        .parameter("r", "0.343 m")
        .parameter("g", "9.81 m/s^2")
        .parameter("J", "m*r^2/4")
        .parameter("k", "1000")
        .parameter("c", "0.5")
        .parameter("tiny", "1e-9")
        .parameter("hex", "255")
        .definition("speed2", "x'^2 + y'^2")
        .coordinate("x", "0")
        .coordinate("y", "?")
        .coordinate("z", "r*cos(theta)")
        .coordinate("psi", "-1.5")
        .coordinate("theta", "10 deg")
        .coordinate_guess("phi", "0")
        .start("phi'", "8 rad/s")
        .start_guess("theta'", "0")
        .start("w3", "?")
        .start("psi_dot", "1")
        .speed("w1", "theta'")
        .speed("w2", "phi' + psi'*sin(theta)")
        .speed("w3", "psi'")
        .speed("w4", "x'")
        .speed("w5", "y'")
        .speed("w6", "z'")
        .particle("P", "m", "[x, y, 0]")
        .frame("lean", "Rz(psi) Rx(theta)")
        .body("disk", "[x, y, z]", "lean Ry(phi)", |body| {
            body.mass("m").principal_inertia(["J", "2*J", "J"]).shape("disk", &[("radius", "r"), ("axis", "y")])
        })
        .body("brick", "[x, 0, 0]", "Rz(phi)", |body| {
            body.density("7850").box_shape(["r", "0.2", "2*r"]).point("foot", "[-0.5, 0, 0]").point("tip", "[0.5, 0, 0]")
        })
        .body("plate", "[0, y, 0]", "Rx(psi)", |body| {
            body.mass("1").inertia_matrix([["1", "0", "0"], ["0", "J", "0"], ["0", "0", "3"]])
        })
        .kinetic_energy("m/2*(x'^2 + y'^2)")
        .potential_energy("m*g*y")
        .dissipation("c/2*theta'^2")
        .dynamics(&[&["m", "0"], &["0", "m"]], &["0", "-m*g"])
        .generalized_force("motor", &[("theta", "tau"), ("w1", "2")])
        .force("wind", "disk", |force| force.at("disk.center").vector("[1, 0, 0]").torque("[0, 0, 1]").axes("disk"))
        .spring("S", |spring| spring.between("point(ground, [0,0,1])", "P").stiffness("k").length("0.5").damping("c"))
        .spring("T", |spring| spring.on("phi").damping("c"))
        .constraint("contact", "vel(disk, at = disk.center - r*lean.ez) = 0")
        .nonideal_constraint("wire", "k*x - y = 0", &[("x", "1"), ("y", "2")])
        .nonideal_constraint_on("drag", "y = 0.1*x^2", "P", |work| work.vector("-c*norm(vel(P))*vel(P)"))
        .run(|run| {
            run.from("0").span("10").rtol("1e-9").atol("1e-12").integrator("auto").until("theta > 85 deg")
                .samples("1001").record(&["energy", "reaction(contact)", "vel(disk)"])
        })
}

#[test]
fn builder_and_file_make_the_same_model() {
    let built = full()
        .build()
        .unwrap_or_else(|errors| panic!("{}", shown("", &errors)));
    let (read, _) = read(FULL).unwrap();
    let (built, read) = (without_places(&built), without_places(&read));
    assert!(built.len() > 5000 && !built.contains("place:"), "{built}");
    let differ = built.bytes().zip(read.bytes()).position(|(a, b)| a != b);
    let around = differ.map(|at| {
        (
            &built[at.saturating_sub(80)..],
            &read[at.saturating_sub(80)..],
        )
    });
    assert!(built == read, "{around:.300?}");
}

#[test]
fn another_value_makes_another_model() {
    let (model, _) = read(FULL).unwrap();
    let other = FULL.replace("dissipation = \"c/2", "dissipation = \"c/3");
    let (other, _) = read(&other).unwrap();
    assert_ne!(without_places(&model), without_places(&other));
}

#[test]
fn mistakes_name_the_key_and_the_part_of_the_text() {
    let errors = Model::builder("Wrong")
        .parameter("m", "2 kg +")
        .parameter("m", "3")
        .parameter("t", "1")
        .coordinate("x", "0")
        .coordinate("m", "0")
        .start("x", "2")
        .start("x''", "2")
        .particle("P", "?", "[x, 0, 0]")
        .particle("P", "m", "[x, 0, 0] = 0")
        .body("b", "[x, 0, 0]", "Rz(x)", |body| {
            body.mass("1").density("2")
        })
        .body("c", "[x, 0, 0]", "Rz(x)", |body| {
            body.mass("1").mass("2").shape("dsik", &[("radius", "1")])
        })
        .body("d", "[x, 0, 0]", "Rz(x)", |body| {
            body.mass("1")
                .shape("rod", &[("length", "1"), ("axis", "w")])
                .point("a", "[1")
                .point("a", "[2, 0, 0]")
        })
        .dynamics(&[&["m", "0"], &["0"]], &["0"])
        .generalized_force("none", &[])
        .generalized_force("twice", &[("x", "1"), ("x", "2")])
        .force("weak", "P", |force| force)
        .spring("S", |spring| spring.between("P", "Q").on("x"))
        .constraint("rod", "x^2")
        .nonideal_constraint("wire", "x = 1", &[("x", "1 +")])
        .run(|run| run.until("x"))
        .run(|run| run)
        .build()
        .unwrap_err();
    insta::assert_snapshot!(shown("", &errors), @r#"
    E0112 parameters.m: +
      `+` has nothing on its right
      write an operand after it
    E0309 parameters.m: m
      the name `m` is given twice
      it stands in [parameters] already; choose another name
    E0308 parameters.t: t
      `t` cannot be the name of anything else: it is time
      choose another name, such as t_1
    E0309 coordinates.m: m
      the name `m` is given twice
      it stands in [parameters] already; choose another name
    E0318 start.x'': x''
      `x''` is not a rate or a speed
      write a rate, such as "phi'", or the name of a speed
    E0319 particle.P.mass: ?
      `mass` of particle.P cannot be left open with "?"
      give a value; only parameters, and start values of coordinates and rates, can be found
    E0309 particle.P: P
      the name `P` is given twice
      it stands in [particle] already; choose another name
    E0313 particle.P.position: [x, 0, 0] = 0
      `position` of particle.P needs a value, not an equation or comparison
      write one of its sides, or their difference; equations belong into holds of [constraint.NAME]
    E0309 body.c.mass: mass
      `mass` is given twice
      keep one of them
    E0304 body.c.shape.dsik: dsik
      there is no key `dsik` in [body.c.shape]
      did you mean `disk`?
    E0314 body.d.shape.rod.axis: w
      `axis` of body.d.shape.rod cannot be `w`
      write one of: x, y, z
    E0109 body.d.point.a: [
      `[` is never closed
      write the `]` that closes it
    E0309 body.d.point.a: a
      the name `a` is given twice
      it stands in [body.d.point] already; choose another name
    E0317 dynamics.mass_matrix: 
      a row of `mass_matrix` of dynamics has 1 element, but there are 2 rows
      write as many elements in each row as there are rows
    E0316 force.none.generalized: force.none.generalized
      `generalized` of force.none has no components
      write them by coordinate or speed, such as { x = "F" }
    E0309 force.twice.generalized.x: x
      `x` is given twice
      keep one of them
    E0311 constraint.rod.holds: x^2
      `holds` of constraint.rod is not an equation
      write left = right, such as x^2 = 0
    E0112 constraint.wire.nonideal.x: +
      `+` has nothing on its right
      write an operand after it
    E0312 run.until: x
      `until` of run is not a comparison
      write left < right or left > right, such as y < 0
    E0309 run: run
      `run` is given twice
      keep one of them
    E0318 start.x: x
      `x` is a coordinate, not a rate
      give its start value in [coordinates], or write "x'" for its rate
    E0315 body.b.density: density
      [body.b] has both `mass` and `density`
      keep one of them
    E0316 body.b: body.b
      [body.b] has neither `inertia` nor `shape`
      add inertia = ["Jx", "Jy", "Jz"], or a shape such as { sphere = { radius = "r" } }; a point mass is a particle
    E0316 body.b.density: density
      [body.b] has a `density` but no `shape` to fill
      add a shape, or give the mass
    E0316 force.weak: force.weak
      [force.weak] has none of `vector`, `torque`
      add one of them, such as vector = "[1, 0, 0]"
    E0315 spring.S.on: on
      [spring.S] has both `between` and `on`
      keep one of them
    E0316 spring.S: spring.S
      [spring.S] has none of `stiffness`, `damping`, `dry`
      add one of them, such as stiffness = "k"
    "#);
}

#[test]
fn a_model_without_anything_is_refused() {
    let errors = Model::builder("Empty").build().unwrap_err();
    insta::assert_snapshot!(shown("", &errors), @r#"
    E0305 model
      the model has no `coordinates`
      add a table [coordinates] with at least one name
    "#);
}

#[test]
fn warnings_can_be_had() {
    let builder = Model::builder("Damper")
        .coordinate("x", "0")
        .spring("D", |spring| spring.on("x").damping("1").length("1"));
    assert!(builder.clone().build().is_ok());
    let (_, warnings) = builder.build_with_warnings().unwrap();
    insta::assert_snapshot!(shown("", &warnings), @r#"
    E0325 spring.D.length: length
      `length` of spring.D has no effect without `stiffness`
      leave it out, or add the stiffness
    "#);
}
