//! A file with everything, read into the expected model.

use super::{FULL, shown};
use dalembert_expr::Rational;
use dalembert_expr::syntax::Kind;
use dalembert_model::diagnostic::Place;
use dalembert_model::model::{
    Expression, Inertia, Load, Mass, Model, Name, Origin, SpringSpan, StartValue, read,
};

fn model() -> Model {
    let (model, warnings) = read(FULL).unwrap_or_else(|errors| panic!("{}", shown(FULL, &errors)));
    assert_eq!(shown(FULL, &warnings), "");
    model
}

/// The text in the file at a place.
fn slice(place: &Place) -> &'static str {
    match place {
        Place::File(span) => &FULL[span.clone()],
        other => panic!("{other:?}"),
    }
}

fn texts(list: &[(Name, Expression)]) -> Vec<(&str, &str)> {
    let both = |(name, value): &'_ (Name, Expression)| {
        assert_eq!(slice(&name.place), name.text);
        (name.text.clone(), value.text.clone())
    };
    let _: Vec<(String, String)> = list.iter().map(both).collect();
    list.iter()
        .map(|(name, value)| (name.text.as_str(), value.text.as_str()))
        .collect()
}

fn text(expression: Option<&Expression>) -> &str {
    expression.map_or("", |expression| &expression.text)
}

#[test]
fn names_and_values_keep_their_order() {
    let model = model();
    assert_eq!(model.title.as_deref(), Some("Thin disk, \"rolling\" (θ)"));
    assert_eq!(text(model.gravity.as_ref()), "[0, 0, -g]");
    assert_eq!(
        texts(&model.parameters),
        [
            ("m", "2 kg"),
            ("r", "0.343 m"),
            ("g", "9.81 m/s^2"),
            ("J", "m*r^2/4"),
            ("k", "1000"),
            ("c", "0.5"),
            ("tiny", "1e-9"),
            ("hex", "255"),
        ]
    );
    assert_eq!(texts(&model.definitions), [("speed2", "x'^2 + y'^2")]);
    let speeds = texts(&model.speeds);
    assert_eq!(speeds[1], ("w2", "phi' + psi'*sin(theta)"));
    assert_eq!(speeds.len(), 6);
}

#[test]
fn numbers_are_exact_and_know_their_place() {
    let model = model();
    let number = |at: usize| {
        let value = &model.parameters[at].1;
        match &value.tree[value.tree.root()].kind {
            Kind::Number(number) => (number.as_small(), slice(&value.whole())),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(number(4), (Some((1000, 1)), "1_000"));
    assert_eq!(number(5), (Some((1, 2)), "0.5"));
    assert_eq!(number(6), (Some((1, 1_000_000_000)), "1e-9"));
    assert_eq!(number(7), (Some((255, 1)), "0xFF"));
    let mass = &model.parameters[0].1;
    let Kind::Quantity { number, unit } = &mass.tree[mass.tree.root()].kind else {
        panic!("{mass:?}");
    };
    assert_eq!((number, &*unit[0].name.text), (&Rational::integer(2), "kg"));
}

#[test]
fn start_values_are_open_guesses_or_must_be_met() {
    let model = model();
    let all = |list: Vec<(&str, &StartValue)>| {
        let line = |(name, start): (&str, &StartValue)| {
            let priority = if start.must { "must" } else { "guess" };
            format!(
                "{name} {} {priority} | {}",
                text(start.value.as_ref()),
                slice(&start.place)
            )
        };
        list.into_iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let coordinates = model.coordinates.iter();
    insta::assert_snapshot!(
        all(coordinates.map(|(name, start)| (name.text.as_str(), start)).collect()), @r#"
    x 0 must | 0
    y  guess | ?
    z r*cos(theta) must | r*cos(theta)
    psi -1.5 must | -1.5
    theta 10 deg must | 10 deg
    phi 0 guess | { value = 0, priority = "guess" }
    "#);
    let rates = model.start.iter();
    insta::assert_snapshot!(
        all(rates.map(|(key, start)| (key.text.as_str(), start)).collect()), @r#"
    phi' 8 rad/s must | 8 rad/s
    theta' 0 guess | { value = 0, priority = "guess" }
    w3  guess | { value = "?" }
    psi_dot 1 must | { value = 1, priority = "must" }
    "#);
    let keys: Vec<&str> = model
        .start
        .iter()
        .map(|(key, _)| slice(&key.whole()))
        .collect();
    assert_eq!(keys, ["phi'", "theta'", "w3", "psi_dot"]);
}

#[test]
fn things_have_masses_and_motion() {
    let model = model();
    let particle = &model.particles[0];
    assert_eq!(particle.name.text, "P");
    assert_eq!(
        (&*particle.mass.text, &*particle.position.text),
        ("m", "[x, y, 0]")
    );
    assert_eq!(model.frames[0].attitude.text, "Rz(psi) Rx(theta)");
    let [disk, brick, plate] = &model.bodies[..] else {
        panic!("{:?}", model.bodies);
    };
    assert!(matches!(&disk.mass, Mass::Mass(mass) if mass.text == "m"));
    assert!(matches!(&disk.inertia, Some(Inertia::Principal(j)) if j[1].text == "2*J"));
    assert_eq!(
        (&*disk.center.text, &*disk.attitude.text),
        ("[x, y, z]", "lean Ry(phi)")
    );
    let shape = &disk.shapes[0];
    assert_eq!(
        (shape.kind.text.as_str(), slice(&shape.kind.place)),
        ("disk", "disk")
    );
    assert_eq!(shape.axis.as_ref().unwrap().text, "y");
    assert_eq!(
        (shape.measures[0].0.text.as_str(), shape.measures.len()),
        ("radius", 1)
    );
    assert!(matches!(&brick.mass, Mass::Density(density) if density.text == "7850"));
    let size = &brick.shapes[0].measures[0];
    let size: Vec<&str> = size.1.iter().map(|value| value.text.as_str()).collect();
    assert_eq!(size, ["r", "0.2", "2*r"]);
    assert_eq!(
        texts(&brick.points),
        [("foot", "[-0.5, 0, 0]"), ("tip", "[0.5, 0, 0]")]
    );
    assert!(matches!(&plate.inertia, Some(Inertia::Matrix(j)) if j[1][1].text == "J"));
    assert!(plate.shapes.is_empty());
}

#[test]
fn energies_forces_springs_and_constraints_are_read() {
    let model = model();
    let energy = model.energy.as_ref().unwrap();
    assert_eq!(text(energy.potential.as_ref()), "m*g*y");
    assert_eq!(text(energy.dissipation.as_ref()), "c/2*theta'^2");
    let dynamics = model.dynamics.as_ref().unwrap();
    assert_eq!(dynamics.mass_matrix[1][1].text, "m");
    assert_eq!(dynamics.force[1].text, "-m*g");
    assert_eq!(slice(&dynamics.place), "[dynamics]");
    let Load::Generalized(components) = &model.forces[0].load else {
        panic!("{:?}", model.forces[0]);
    };
    assert_eq!(texts(components), [("theta", "tau"), ("w1", "2")]);
    let Load::Applied {
        on,
        at,
        vector,
        torque,
        axes,
    } = &model.forces[1].load
    else {
        panic!("{:?}", model.forces[1]);
    };
    assert_eq!((on.text.as_str(), slice(&on.place)), ("disk", "disk"));
    assert_eq!(text(at.as_ref()), "disk.center");
    assert_eq!(
        (text(vector.as_ref()), text(torque.as_ref())),
        ("[1, 0, 0]", "[0, 0, 1]")
    );
    assert_eq!(axes.as_ref().unwrap().text, "disk");
    let [s, t] = &model.springs[..] else {
        panic!("{:?}", model.springs);
    };
    assert!(matches!(&s.span, SpringSpan::Between(points) if points[1].text == "P"));
    assert_eq!(
        (text(s.stiffness.as_ref()), text(s.length.as_ref())),
        ("k", "0.5")
    );
    assert!(matches!(&t.span, SpringSpan::On(phi) if phi.text == "phi"));
    assert!(t.stiffness.is_none() && t.damping.is_some());
    let [contact, wire, drag] = &model.constraints[..] else {
        panic!("{:?}", model.constraints);
    };
    assert!(contact.nonideal.is_none() && contact.active && wire.active);
    let root = &contact.holds.tree[contact.holds.tree.root()];
    assert!(matches!(root.kind, Kind::Relation { .. }));
    assert!(
        matches!(wire.nonideal.as_deref(), Some(Load::Generalized(w)) if texts(w)[1] == ("y", "2"))
    );
    assert!(matches!(drag.nonideal.as_deref(), Some(Load::Applied { on, .. }) if on.text == "P"));
}

#[test]
fn runs_are_read() {
    let run = model().run;
    let given = [
        &run.from,
        &run.span,
        &run.rtol,
        &run.atol,
        &run.until,
        &run.samples,
    ];
    let given: Vec<&str> = given
        .into_iter()
        .map(|value| text(value.as_ref()))
        .collect();
    assert_eq!(
        given,
        ["0", "10", "1e-9", "1e-12", "theta > 85 deg", "1001"]
    );
    assert_eq!(run.integrator.unwrap().text, "auto");
    assert!(run.step.is_none());
    let record: Vec<&str> = run.record.iter().map(|value| value.text.as_str()).collect();
    assert_eq!(record, ["energy", "reaction(contact)", "vel(disk)"]);
}

#[test]
fn every_node_of_an_expression_has_its_place_in_the_file() {
    let model = model();
    let definition = &model.definitions[0].1;
    assert!(matches!(&definition.origin, Origin::File(pieces) if pieces.len() > 1));
    let slices: Vec<&str> = definition
        .tree
        .nodes()
        .iter()
        .map(|node| slice(&definition.place(node.span.range())))
        .collect();
    // The line continuation belongs to the sum that runs across it, and to nothing else.
    assert_eq!(
        slices,
        ["x'", "2", "x'^2", "y'", "2", "y'^2", "x'^2 \\\n  + y'^2"]
    );
}

#[test]
fn the_smallest_files_are_models() {
    for file in [
        "dalembert = 1\n[coordinates]\nx = 0",
        "\u{feff}dalembert = 1\r\n[coordinates]\r\nx = '0'\r\n",
        "coordinates = { x = 0 }\ndalembert = 1",
        "dalembert = 1\ncoordinates.x = 0\nparticle.P = { mass = 1, position = \"[x, 0, 0]\" }",
    ] {
        let (model, warnings) = read(file).unwrap();
        assert_eq!(model.coordinates[0].0.text, "x");
        assert!(warnings.is_empty());
    }
}

#[test]
fn warnings_come_with_the_model() {
    let file = "dalembert = 1\ncoordinates.x = 0\n[spring.S]\non = \"x\"\ndamping = 1\nlength = 2\n\
                [force.F]\non = \"P\"\nat = \"pos(P)\"\ntorque = \"[0, 0, 1]\"\n";
    let (_, warnings) = read(file).unwrap();
    insta::assert_snapshot!(shown(file, &warnings), @r#"
    E0325 6:1 length
      `length` of spring.S has no effect without `stiffness`
      leave it out, or add the stiffness
    E0325 9:1 at
      `at` of force.F has no effect on a torque
      leave it out: a torque has no point of action
    "#);
}
