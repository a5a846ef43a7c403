//! Models that are wrong: the message, the help, and what the caret points at.

use super::{found, pendulum, plane};
use dalembert_model::model::Model;

#[test]
fn adding_a_force_and_a_speed() {
    assert_eq!(
        found(plane().definition("d", "2 + m*g + x' + y")),
        ["E0450 definitions.d: m*g + x'\n\
          m*g is N = kg*m/s^2, but x' is m/s: they cannot be added\n\
          m is kg by parameters.m; g is m/s^2 by parameters.g; x is m by particle.P.position"]
    );
}

#[test]
fn subtracting_a_time_from_a_length() {
    assert_eq!(
        found(plane().definition("d", "2*(x - t)")),
        ["E0450 definitions.d: x - t\n\
          x is m, but t is s: they cannot be subtracted\n\
          x is m by particle.P.position"]
    );
    assert_eq!(
        found(plane().definition("d", "(x + y) - (t + 1)")),
        ["E0450 definitions.d: (x + y) - (t + 1)\n\
          y is m, but t is s: they cannot be subtracted\n\
          y is m by particle.P.position"]
    );
}

/// The term that is wrong is told, and its dimension is not that of what stands beside it.
#[test]
fn a_time_in_a_position() {
    let model = Model::builder("")
        .parameter("T", "2 s")
        .coordinate("x", "0 m")
        .coordinate("y", "0 m")
        .particle("P", "1 kg", "[x + T, y, 0]");
    assert_eq!(
        found(model),
        ["E0450 particle.P.position: T\nT is s, but a position is m\nT is s by parameters.T"]
    );
}

#[test]
fn the_sine_of_a_length() {
    assert_eq!(
        found(plane().constraint("c", "y = 3*sin(x)")),
        ["E0451 constraint.c.holds: x\n\
          x is m, but sin takes an angle\n\
          x is m by particle.P.position"]
    );
    assert_eq!(
        found(plane().definition("d", "exp(2 + m*x)")),
        ["E0451 definitions.d: m*x\n\
          m*x is kg*m, but exp takes a pure number\n\
          m is kg by parameters.m; x is m by particle.P.position"]
    );
    assert_eq!(
        found(plane().frame("F", "Rz(x)").frame("G", "Rz(y/x)")),
        ["E0451 frame.F.attitude: x\n\
          x is m, but Rz takes an angle\n\
          x is m by particle.P.position"]
    );
}

#[test]
fn the_sine_of_time() {
    assert_eq!(
        found(plane().constraint("c", "y = sin(t)")),
        ["E0451 constraint.c.holds: t\n\
          t is s, but sin takes an angle\n\
          t is s: multiply it by a rate, as in w*t with the parameter w = \"1 rad/s\""]
    );
}

#[test]
fn a_mass_in_seconds_is_one_mistake() {
    let model = Model::builder("Mass")
        .gravity("[0, -g, 0]")
        .parameter("m", "2 s")
        .parameter("g", "9.81 m/s^2")
        .coordinate("y", "0")
        .particle("P", "m", "[0, y, 0]")
        .particle("Q", "m", "[0, 2*y, 0]")
        .generalized_force("F", &[("y", "m*g")]);
    assert_eq!(
        found(model),
        ["E0450 particle.P.mass: m\nm is s, but a mass is kg\nm is s by parameters.m"]
    );
}

#[test]
fn gravity_without_its_square() {
    let model = pendulum().potential_energy("m*g*l*cos(theta)");
    assert_eq!(found(model.clone()), [""; 0]);
    let model = Model::builder("Gravity")
        .gravity("[0, -g, 0]")
        .parameter("g", "9.81 m/s")
        .coordinate("y", "0")
        .particle("P", "2 kg", "[0, y, 0]");
    assert_eq!(
        found(model),
        ["E0450 gravity: -g\n-g is m/s, but gravity is m/s^2\ng is m/s by parameters.g"]
    );
}

#[test]
fn an_energy_that_is_a_force() {
    assert_eq!(
        found(plane().potential_energy("m*g")),
        ["E0450 energy.potential: m*g\n\
          m*g is N = kg*m/s^2, but a potential energy is J = kg*m^2/s^2\n\
          m is kg by parameters.m; g is m/s^2 by parameters.g"]
    );
    assert_eq!(
        found(plane().dissipation("m*x'^2")),
        ["E0450 energy.dissipation: m*x'^2\n\
          m*x'^2 is J = kg*m^2/s^2, but a dissipation function is W = kg*m^2/s^3\n\
          m is kg by parameters.m; x is m by particle.P.position"]
    );
}

#[test]
fn forces_in_metres() {
    assert_eq!(
        found(plane().force("F", "P", |force| force.vector("[0, 3 m, 0]"))),
        ["E0450 force.F.vector: 3 m\n3 m is m, but a force is N = kg*m/s^2\n-"]
    );
    assert_eq!(
        found(plane().generalized_force("F", &[("x", "3 m")])),
        ["E0450 force.F.generalized.x: 3 m\n\
          3 m is m, but a generalized force on x is N = kg*m/s^2\n\
          x is m by particle.P.position"]
    );
    assert_eq!(
        found(pendulum().generalized_force("F", &[("theta", "3 N")])),
        ["E0450 force.F.generalized.theta: 3 N\n\
          3 N is N = kg*m/s^2, but a generalized force on theta is J = kg*m^2/s^2\n\
          theta is a pure number by particle.P.position"]
    );
}

#[test]
fn a_start_value_in_seconds_for_an_angle() {
    let model = Model::builder("Start")
        .parameter("l", "1 m")
        .coordinate("theta", "3 s")
        .kinetic_energy("l^2*theta'^2/2")
        .potential_energy("3*cos(theta)")
        .start("theta'", "2 m/s");
    assert_eq!(
        found(model),
        [
            "E0450 coordinates.theta: 3 s\n\
             3 s is s, but theta is a pure number\n\
             theta is a pure number by energy.potential",
            "E0450 start.theta': 2 m/s\n\
             2 m/s is m/s, but theta' is 1/s\n\
             theta is a pure number by energy.potential"
        ]
    );
}

#[test]
fn the_sides_of_a_constraint() {
    assert_eq!(
        found(plane().constraint("c", "2 + x = y'")),
        ["E0450 constraint.c.holds: x = y'\n\
          x is m, but y' is m/s: they cannot be equal\n\
          x is m by particle.P.position; y is m by particle.P.position"]
    );
    assert_eq!(
        found(plane().constraint("c", "vel(P) = pos(P)")),
        ["E0450 constraint.c.holds: vel(P) = pos(P)\n\
          vel(P) is m/s, but pos(P) is m: they cannot be equal\n\
          -"]
    );
    assert_eq!(
        found(plane().run(|run| run.span("3 m").until("x > 3 s"))),
        [
            "E0450 run.span: 3 m\n3 m is m, but a span of time is s\n-",
            "E0450 run.until: x > 3 s\n\
             x is m, but 3 s is s: they cannot be compared\n\
             x is m by particle.P.position"
        ]
    );
}

#[test]
fn a_definition_that_is_not_what_it_is_used_for() {
    let model = plane()
        .definition("speed2", "x'^2 + y'^2")
        .potential_energy("m*g*y + speed2");
    assert_eq!(
        found(model),
        ["E0450 energy.potential: speed2\n\
          speed2 is m^2/s^2, but a potential energy is J = kg*m^2/s^2\n\
          speed2 is m^2/s^2 by definitions.speed2"]
    );
}

#[test]
fn exponents_with_units() {
    assert_eq!(
        found(plane().definition("d", "2^(x + 1)")),
        ["E0451 definitions.d: x\n\
          x is m, but an exponent is a pure number\n\
          x is m by particle.P.position"]
    );
    assert_eq!(
        found(plane().definition("d", "x^(2 s)")),
        ["E0451 definitions.d: 2 s\n2 s is s, but an exponent is a pure number\n-"]
    );
}

#[test]
fn a_parameter_that_is_used_in_two_ways() {
    let model = plane()
        .parameter("k", "3")
        .definition("force", "k*x + m*g")
        .definition("angle", "sin(k)")
        .definition("again", "cos(k) + exp(k)");
    assert_eq!(
        found(model),
        ["E0451 definitions.angle: k\n\
          k is kg/s^2, but sin takes an angle\n\
          k is kg/s^2 by definitions.force"]
    );
}

#[test]
fn a_sum_that_cannot_be_whatever_its_names_are() {
    let model = plane().parameter("k", "3").definition("d", "k + k*x");
    assert_eq!(
        found(model),
        ["E0450 definitions.d: k + k*x\n\
          k and k*x differ by 1/m: they cannot be added\n\
          x is m by particle.P.position"]
    );
}

#[test]
fn vectors_of_mixed_components_and_points_in_seconds() {
    assert_eq!(
        found(
            plane()
                .definition("d", "[0, x, t]")
                .definition("e", "point(ground, [0, 0, 2 s])")
        ),
        [
            "E0450 definitions.d: x, t\n\
             x is m, but t is s: they cannot be components of one vector\n\
             x is m by particle.P.position",
            "E0450 definitions.e: 2 s\n2 s is s, but body coordinates are m\n-"
        ]
    );
}

#[test]
fn springs_and_bodies_with_wrong_units() {
    let model = plane()
        .body("B", "[x, 0, 0]", "Rz(0)", |body| {
            body.mass("1 kg").principal_inertia(["1 kg*m", "1", "1"])
        })
        .body("C", "[y, 0, 0]", "Rz(0)", |body| {
            body.density("1 kg").shape("sphere", &[("radius", "1 m^2")])
        })
        .spring("S", |spring| {
            let ends = spring.between("point(ground, [0, 0, 1])", "P");
            ends.stiffness("1 N").damping("1 N*m").length("3 s")
        });
    let messages: Vec<String> = found(model)
        .iter()
        .map(|error| error.lines().nth(1).unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        messages,
        [
            "1 kg*m is kg*m, but a moment of inertia is kg*m^2",
            "1 kg is kg, but a density is kg/m^3",
            "1 m^2 is m^2, but a measure is m",
            "3 s is s, but the spring's length is m",
            "1 N is N = kg*m/s^2, but its stiffness is kg/s^2",
            "1 N*m is J = kg*m^2/s^2, but its damping is kg/s",
        ]
    );
}

#[test]
fn entries_of_equations_with_wrong_units() {
    let model = Model::builder("Dynamics")
        .coordinate("x", "0 m")
        .coordinate("y", "0 m")
        .dynamics(&[&["2 kg", "0"], &["0", "2 s"]], &["1 N", "1 J"]);
    let messages: Vec<String> = found(model);
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("2 s is s, but this entry of the mass matrix is kg"));
    assert!(messages[1].contains("but this entry of the force is N = kg*m/s^2"));
}
