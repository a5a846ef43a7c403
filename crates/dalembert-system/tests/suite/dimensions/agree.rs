//! Models that are right.

use super::{found, pendulum, plane, read};
use dalembert_model::model::Model;
use dalembert_system::dimensions::check;

const NOTHING: [String; 0] = [];

/// The disk of the model format.
const DISK: &str = r#"
gravity   = "[0, 0, -g]"
[parameters]
m = "2 kg"
r = "0.343 m"
g = "9.81 m/s^2"
J = "m*r^2/4"
c = 0.5
tau = "1 N*m"
[definitions]
speed2 = "x'^2 + y'^2"
[coordinates]
x     = 0
y     = 0
z     = "r*cos(theta)"
psi   = 0
theta = "10 deg"
phi   = { value = 0, priority = "guess" }
[start]
"phi'"   = "8 rad/s"
"theta'" = { value = 0, priority = "guess" }
w3       = "60 rpm"
[speeds]
w1 = "theta'"
w2 = "phi' + psi'*sin(theta)"
w3 = "psi'"
w4 = "x'"
w5 = "y'"
w6 = "z'"
[frame.lean]
attitude = "Rz(psi) Rx(theta)"
[body.disk]
mass     = "m"
inertia  = ["J", "2*J", "J"]
center   = "[x, y, z]"
attitude = "lean Ry(phi)"
shape    = { disk = { radius = "r", axis = "y" } }
point    = { rim = "[r, 0, 0]" }
[energy]
dissipation = "c/2*theta'^2"
[force.motor]
generalized = { theta = "tau", w4 = "m*g" }
[force.wind]
on = "disk"
at = "disk.center + r*lean.ez"
vector = "[1, 0, m*g]"
torque = "tau*disk.ey"
[constraint.contact]
holds = "vel(disk, at = disk.center - r*lean.ez) = 0"
[run]
span   = "10 s"
step   = 0.01
until  = "theta > 85 deg"
record = ["energy", "reaction(contact)", "vel(disk)", "norm(omega(disk))", "speed2", "phi"]
"#;

#[test]
fn the_disk_of_the_model_format_agrees() {
    assert_eq!(check(&read(DISK)), []);
}

#[test]
fn the_disk_disagrees_if_its_radius_is_a_time() {
    // The test above could pass on nothing: here the same file is looked at closely.
    let errors = check(&read(&DISK.replace("0.343 m", "0.343 s")));
    let messages: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
    assert_eq!(messages, ["r is s, but body coordinates are m"]);
}

#[test]
fn pendulums_agree() {
    assert_eq!(found(pendulum()), NOTHING);
    let energies = Model::builder("Energies")
        .parameter("m", "2 kg")
        .parameter("l", "50 cm")
        .parameter("g", "9.81 m/s^2")
        .coordinate("theta", "10 deg")
        .kinetic_energy("m*l^2*theta'^2/2")
        .potential_energy("-m*g*l*cos(theta)");
    assert_eq!(found(energies), NOTHING);
}

#[test]
fn models_without_units_are_never_refused() {
    let nonsense = Model::builder("Nonsense")
        .parameter("m", "1")
        .parameter("a", "30 deg")
        .coordinate("x", "1 rad")
        .particle("P", "m + x", "[x, x', t]")
        .constraint("c", "sin(pos(P).x) = x'' + t^x");
    assert_eq!(found(nonsense.clone()), NOTHING);
    // One unit starts the checking.
    assert_eq!(found(nonsense.parameter("l", "1 m")).len(), 2);
}

#[test]
fn bare_numbers_fit_any_dimension() {
    let bare = plane()
        .parameter("k", "100")
        .constraint("wire", "y = 0.1*x^2")
        .constraint("drive", "x = 0.2*sin(3*t) + 0.1")
        .constraint("roll", "k*x' - 2*y = 1")
        .generalized_force("F", &[("x", "-k*x - 0.5*x'")])
        .nonideal_constraint("drag", "y = 2*x", &[("x", "1"), ("y", "2")])
        .run(|run| run.span("10").until("x > 3").samples("11").rtol("1e-9"));
    assert_eq!(found(bare.clone()), NOTHING);
    // A bare parameter is one quantity: k has been found to be a stiffness.
    assert_eq!(
        found(bare.constraint("fast", "k*x' = y")),
        ["E0450 constraint.fast.holds: k*x' = y\n\
          k*x' is kg*m/s^3, but y is m: they cannot be equal\n\
          k is kg/s^2 by force.F.generalized; x is m by particle.P.position; \
          y is m by particle.P.position"]
    );
}

#[test]
fn springs_agree() {
    let springs = plane()
        .parameter("k", "100 N/m")
        .parameter("c", "3 N*s/m")
        .parameter("kappa", "2 N*m")
        .coordinate("phi", "0")
        .body("B", "[0, 0, 0]", "Rz(phi)", |body| {
            body.density("7850 kg/m^3")
                .shape("cylinder", &[("radius", "0.1 m"), ("length", "3")])
        })
        .spring("S", |spring| {
            let ends = spring.between("point(ground, [0, 0, 1])", "P");
            ends.stiffness("k").length("20 cm").damping("c")
        })
        .spring("T", |spring| spring.on("phi").stiffness("kappa"))
        .spring("U", |spring| {
            spring.on("x - y").stiffness("k").length("1 m")
        });
    assert_eq!(found(springs), NOTHING);
}

#[test]
fn functions_and_powers_agree() {
    let functions = plane()
        .parameter("l", "1 m")
        .parameter("n", "3")
        .parameter("T", "2 s")
        .definition("r", "sqrt(x^2 + y^2)")
        .definition("a", "atan2(y, x) + pi/2 + asin(x/r)")
        .definition("u", "(x/l)^n*exp(-t/T)*tanh(log(r/l))")
        .definition("v", "norm(cross(vel(P), pos(P)))^(1/2)*r^-1")
        .definition("w", "smooth_sign(x', 0.1 m)*min(abs(x'), max(y', 3))")
        .definition("d", "r'*T + sign(x)*l + dot(acc(P), acc(P))^0.5*T^2")
        .constraint("c", "l*cos(a) + u*l = d")
        .constraint("e", "v*T^(1/2) = 1");
    // 0.1 m is no speed.
    let errors = found(functions);
    assert_eq!(
        errors,
        ["E0450 definitions.w: x', 0.1 m\n\
          x' is m/s, but 0.1 m is m: they cannot be compared\n\
          x is m by particle.P.position"]
    );
}

#[test]
fn equations_of_motion_agree() {
    let dynamics = Model::builder("Dynamics")
        .parameter("m", "2 kg")
        .parameter("J", "1 kg*m^2")
        .parameter("F", "3 N")
        .parameter("r", "1 m")
        .coordinate("x", "0 m")
        .coordinate("phi", "0")
        .dynamics(&[&["m", "m*r"], &["m*r", "J"]], &["F", "F*r*sin(phi)"]);
    assert_eq!(found(dynamics), NOTHING);
}

#[test]
fn what_is_not_understood_is_left_to_others() {
    let unknown = plane()
        .definition("a", "nowhere + 3 furlong + x.q + sin(x, y) + f(x)")
        .constraint("c", "x + P = [x, y] + a")
        .generalized_force("F", &[("nothing", "m")])
        .generalized_force("G", &[("P", "m")])
        .start("z'", "3 kg");
    assert_eq!(found(unknown), NOTHING);
}
