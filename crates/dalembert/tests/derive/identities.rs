//! Coordinates that obey identities: bodies in space by their speeds, and what is proved of them where a quaternion has length one.

use crate::second_reading::read_again;
use crate::support::{derived, text};
use dalembert::derive::{DeriveOptions, Form};
use dalembert::prove::{Language, Verdict, prove, read_equations};
use dalembert_expr::Cone;
use dalembert_expr::print::Format;
use dalembert_mechanics::{Mechanism, model};

/// Euler's equations of the heavy top about its tip, as `derive` prints them of a body and a joint.
const EULER: &str = "(I1 + m*l^2)*wx' = m*g*l*(2*q1^2 + 2*q2^2 - 1) - (I1 + m*l^2 - I2)*wy*wz
wy' = 0
(I1 + m*l^2)*wz' = (I1 + m*l^2 - I2)*wx*wy - 2*m*g*l*(q0*q2 - q1*q3)
";

/// The names of a body before those of its coordinates and speeds.
fn of_body(equations: &str) -> String {
    let mut text = equations.to_owned();
    for name in ["wx", "wy", "wz", "q0", "q1", "q2", "q3"] {
        text = text.replace(name, &format!("top.{name}"));
    }
    text
}

fn asked(form: Form) -> DeriveOptions {
    DeriveOptions {
        form: Some(form),
        steps: true,
        ..DeriveOptions::default()
    }
}

/// How many equations are proved, and how many refuted.
fn proved(model: &str, equations: &str) -> [usize; 2] {
    let (model, _) = model::read(model).unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    let start = mechanism.start().unwrap().state;
    let read = read_equations(&mechanism, equations, Language::Model).unwrap();
    assert!(read.refused.is_empty(), "{:#?}", read.refused);
    let verdicts = prove(&mechanism, &start, &read).verdicts;
    let count = |is: fn(&Verdict) -> bool| verdicts.iter().filter(|it| is(it)).count();
    [
        count(|it| matches!(it, Verdict::Proved(_))),
        count(|it| matches!(it, Verdict::Refuted { .. })),
    ]
}

/// M of a body is constant, N has a column for each speed, and identities are in no row.
#[test]
fn a_body_in_space_by_its_speeds() {
    let found = derived(&text("mechanisms/heavy-top"), &asked(Form::Multipliers)).unwrap();
    let it = &found.matrices;
    assert_eq!([it.N.len(), it.N[0].len()], [7, 6]);
    assert_eq!([it.M.len(), it.A.len(), it.b.len()], [6, 3, 3]);
    assert_eq!(found.rows, ["pivot.0", "pivot.1", "pivot.2"]);
    assert_eq!(found.multipliers.len(), 3);
    let graph = found.graph();
    let of_mass = Cone::new(graph, &it.M.concat()).symbols(graph);
    let names: Vec<String> = of_mass
        .iter()
        .map(|&it| graph.symbol_data(it).to_string())
        .collect();
    assert_eq!(names, ["m", "I1", "I2"]);
    let [identity] = found.identities[..] else {
        panic!("a body has one identity")
    };
    let identity = found.print(&[identity.left], Format::Model).expressions;
    assert_eq!(identity, ["top.q0^2 + top.q1^2 + top.q2^2 + top.q3^2 - 1"]);
    for form in [Form::UdwadiaKalaba, Form::Projection, Form::Independent] {
        assert!(found.proved.contains(&form), "{form}");
    }
}

/// What is derived by each formulation, read again by `prove`, whose elimination is in rates.
#[test]
fn bodies_in_space_are_read_again() {
    for form in [
        Form::Multipliers,
        Form::Independent,
        Form::UdwadiaKalaba,
        Form::Projection,
    ] {
        for name in ["mechanisms/heavy-top", "mechanisms/asymmetric-top"] {
            read_again(name, &text(name), form);
        }
    }
}

/// Euler's equations in a quaternion hold of the body, and of the same top in Euler's angles with its quaternion written in half of them.
#[test]
fn the_heavy_top_is_the_one_of_eulers_angles() {
    let top = text("mechanisms/heavy-top");
    assert_eq!(proved(&top, &of_body(EULER)), [3, 0]);
    let in_angles = r#"dalembert = 1
gravity = "[0, 0, -g]"
[parameters]
m  = 15
I1 = 0.234375
I2 = 0.46875
l  = 1
g  = 9.81
[coordinates]
psi   = 0.1
theta = 0.2
phi   = 0
[speeds]
wx = "theta'*cos(phi) - psi'*cos(theta)*sin(phi)"
wy = "phi' + psi'*sin(theta)"
wz = "theta'*sin(phi) + psi'*cos(theta)*cos(phi)"
[start]
wx = 1
wy = 150
wz = -4.6
[body.top]
mass     = "m"
inertia  = ["I1", "I2", "I1"]
attitude = "Rz(psi) Rx(theta) Ry(phi)"
center   = "point(ground, [-l*sin(psi)*cos(theta), l*cos(psi)*cos(theta), l*sin(theta)])"
"#;
    let quaternion = "let cz = cos(psi/2)
let sz = sin(psi/2)
let cx = cos(theta/2)
let sx = sin(theta/2)
let q0 = cz*cx*cos(phi/2) - sz*sx*sin(phi/2)
let q1 = cz*sx*cos(phi/2) - sz*cx*sin(phi/2)
let q2 = sz*sx*cos(phi/2) + cz*cx*sin(phi/2)
let q3 = sz*cx*cos(phi/2) + cz*sx*sin(phi/2)
";
    assert_eq!(proved(in_angles, &format!("{quaternion}{EULER}")), [3, 0]);
    let wrong = EULER.replace("2*q1^2", "q1^2");
    assert_eq!(proved(in_angles, &format!("{quaternion}{wrong}")), [2, 1]);
    assert_eq!(proved(&top, &of_body(&wrong)), [2, 1]);
}

/// What follows from the identity alone, what from the joint, and what from neither; reactions; directions in speeds.
#[test]
fn on_the_sphere_of_a_quaternion() {
    let claims = "top.q0*top.q0' + top.q1*top.q1' + top.q2*top.q2' + top.q3*top.q3' = 0
(top.q0^2 + top.q1^2)^2 + 2*(top.q0^2 + top.q1^2)*(top.q2^2 + top.q3^2) + (top.q2^2 + top.q3^2)^2 = 1
top.x^2 + top.y^2 + top.z^2 = l^2
lambda(pivot.0) = m*top.x''
lambda(pivot.2) = m*(top.z'' + g)
direction top.wx = 1, top.vz = l
direction top.wx = 1
top.q0^2 + top.q1^2 = 1
";
    assert_eq!(proved(&text("mechanisms/heavy-top"), claims), [6, 2]);
}

/// What would be in rates, and what an identity has not.
#[test]
fn refused_by_name() {
    let top = text("mechanisms/heavy-top");
    let refused = |options: &DeriveOptions| derived(&top, options).err().unwrap();
    assert!(refused(&asked(Form::Lagrange)).contains("E0612"));
    let rates = DeriveOptions {
        independent: ["q1", "q2", "q3"].map(|it| format!("top.{it}")).to_vec(),
        ..DeriveOptions::default()
    };
    assert!(refused(&rates).contains("name speeds of the model"));
    let (model, _) = model::read(&top).unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    let unknown = read_equations(&mechanism, "lambda(top.unit) = 0", Language::Model);
    let unknown = format!("{:?}", unknown.err().unwrap());
    assert!(
        unknown.contains("E0620") && unknown.contains("pivot.0"),
        "{unknown}"
    );
}
