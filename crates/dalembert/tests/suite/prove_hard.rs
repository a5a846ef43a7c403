//! What is hard to prove or to refute: small differences, signs, laws, large models.

use crate::prove::{example, mechanism, proof, verdicts};
use dalembert::prove::Verdict;

/// True to all but the last digits: no number of digits hides a difference inside the ring.
#[test]
fn differences_however_small_are_refuted() {
    let pendulum = example("phong-pendulum");
    let small = "(J + m*l^2*(1 + 1e-9))*phi'' + m*g*l*sin(phi) = 0\n\
                 (J + m*l^2)*phi'' + m*g*l*sin(phi) = 1e-8*x\n\
                 (J + m*l^2)*phi'' + m*g*l*sin(phi) = 1e-40*x\n\
                 1e20*(x - l*sin(phi)) + y + l*cos(phi) = 1e-12*phi'\n\
                 lambda(across)*(1 + 1e-15) = m*x''\n\
                 exp(phi)*(1 + 1e-9) = exp(phi)\n\
                 10^30*x = 10^30*x + 1e-30*y\n";
    let found = proof(&pendulum, small);
    for verdict in &found.verdicts {
        let Verdict::Refuted {
            counterexample,
            difference,
        } = verdict
        else {
            panic!("{verdict:?}");
        };
        assert!(difference.is_some());
        let (left, right) = (counterexample.left, counterexample.right);
        assert!(counterexample.difference != 0.0, "{left} and {right}");
    }
}

#[test]
fn states_of_both_signs_are_tried() {
    let pendulum = example("phong-pendulum");
    let one_sided = "abs(phi') = phi'\nabs(x) = x\nabs(x') = -x'\nsqrt(y^2) = -y\nphi = asin(x/l)\n\
                     phi = atan2(x, -y)\n";
    assert_eq!(verdicts(&pendulum, one_sided), ["refuted"; 6]);
    // The slider never gets to the other side: only the sign that the start has can be reached.
    let slider = "s = r*cos(a) + sqrt(l^2 - r^2*sin(a)^2)\n";
    let found = proof(&example("slider-crank"), slider);
    assert!(
        !matches!(found.verdicts[0], Verdict::Refuted { .. }),
        "{:?}",
        found.verdicts[0]
    );
    let wrong = "s = r*cos(a) - sqrt(l^2 - r^2*sin(a)^2)\n";
    assert_eq!(verdicts(&example("slider-crank"), wrong), ["refuted"]);
}

#[test]
fn what_no_normal_form_shows_is_tried_to_many_digits() {
    let found = proof(
        &example("phong-pendulum"),
        "log(m*exp(phi)) = log(m) + phi\n1/(x - x) = 1\n",
    );
    match &found.verdicts[0] {
        Verdict::NotProved { tried, .. } => {
            assert!(tried.states >= 10 && tried.within < 1e-20, "{tried:?}");
        }
        other => panic!("{other:?}"),
    }
    match &found.verdicts[1] {
        Verdict::NotProved { tried, .. } => assert_eq!(tried.states, 0),
        other => panic!("{other:?}"),
    }
}

const ON_A_RAIL: &str = r#"dalembert = 1
[parameters]
m = 0.7
g = 9.81
mu = 0.2
p = 0.3
[coordinates]
x = 0.3
y = "?"
[start]
"x'" = 0.5
[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"
[constraint.rail]
holds = "y - p*x^2 = 0"
[force.drag]
"#;

#[test]
fn laws_are_part_of_the_equations_of_motion() {
    let law = r#"generalized = { x = "-mu*abs(reaction(rail))*tanh(x')" }"#;
    let rail = mechanism(&format!("{ON_A_RAIL}{law}"));
    let right = "m*x'' = -2*p*x*lambda(rail) - mu*abs(lambda(rail))*tanh(x')\n\
                 m*y'' = -m*g + reaction(rail)\n\
                 y = p*x^2\n\
                 y'' = 2*p*x*x'' + 2*p*x'^2\n\
                 m*(x'*x'' + y'*y'' + g*y') = -mu*abs(lambda(rail))*tanh(x')*x'\n\
                 lambda(rail)*(1 + 4*p^2*x^2) = m*g + 2*m*p*x'^2 - 2*p*x*mu*abs(lambda(rail))*tanh(x')\n";
    assert_eq!(verdicts(&rail, right), ["proved"; 6]);
    let wrong = "m*x'' = -2*p*x*lambda(rail) - mu*lambda(rail)*tanh(x')*(1 + 1e-9)\n\
                 m*x'' = -2*p*x*lambda(rail) + mu*abs(lambda(rail))*tanh(x')\n\
                 m*y'' = -m*g + lambda(rail)*(1 + 1e-12)\n\
                 lambda(rail)*(1 + 4*p^2*x^2) = m*g + 2*m*p*x'^2\n";
    assert_eq!(verdicts(&rail, wrong), ["refuted"; 4]);
    let nested = "m*x'' + 2*p*x*m*(y'' + g) = -mu*abs(m*(y'' + g))*tanh(x')\n";
    match &proof(&rail, nested).verdicts[0] {
        Verdict::NotProved { why, tried } => {
            assert!(why.contains("no closed form"), "{why}");
            assert!(tried.states > 0 && tried.within < 1e-20, "{tried:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn laws_that_are_linear_leave_nothing_open() {
    let law = r#"generalized = { x = "-mu*reaction(rail)*x'" }"#;
    let rail = mechanism(&format!("{ON_A_RAIL}{law}"));
    let right = "m*x'' = -(2*p*x + mu*x')*m*(y'' + g)\n\
                 x''*(1 + 2*p*x*(2*p*x + mu*x')) = -(2*p*x + mu*x')*(g + 2*p*x'^2)\n\
                 lambda(rail)*(1 + 2*p*x*(2*p*x + mu*x')) = m*(g + 2*p*x'^2)\n\
                 lambda(rail)^2 = m^2*(y'' + g)^2\n";
    assert_eq!(verdicts(&rail, right), ["proved"; 4]);
    let wrong = "m*x'' = -2*p*x*lambda(rail)\nlambda(rail)^2 = m^2*(y'' + g)^2*(1 + 1e-10)\n";
    assert_eq!(verdicts(&rail, wrong), ["refuted"; 2]);
}

#[test]
fn friction_is_a_law() {
    let rod = "y = a*sin(theta)\nm*y'' = lambda(contact) - m*g\n\
               m*x'' = -mu*abs(lambda(contact))*sign(vel(rod.foot).x)\n";
    assert_eq!(verdicts(&example("painleve-rod"), rod), ["proved"; 3]);
    let hoop = "m*(x*y'' - y*x'' + g*x) = -mu*2*a^2*abs(lambda(hoop))*sign(x*y' - y*x')\n\
                m*(x*x'' + y*y'' + g*y) = 2*a^2*reaction(hoop)\n";
    assert_eq!(
        verdicts(&example("bead-on-rough-hoop"), hoop),
        ["proved"; 2]
    );
    // cos(alpha) > 0 is a matter of the model's value.
    let block = "m*x'' = -tan(alpha)*lambda(slope) - mu*abs(lambda(slope))*sign(x')\n";
    assert_eq!(
        verdicts(&example("sliding-block"), block),
        ["proved with values"]
    );
    let one_way = "x'' = -g*(sin(alpha) + mu*cos(alpha))*cos(alpha)\n";
    assert_eq!(verdicts(&example("sliding-block"), one_way), ["refuted"]);
    let plane = r#"dalembert = 1
gravity = "[0, 0, -g]"
[parameters]
m = 0.7
g = 9.81
mu = 0.2
p = 0.3
[coordinates]
x = 0.3
y = 0.1
z = "?"
[start]
"x'" = 0.5
"y'" = 0.7
[particle.P]
mass = "m"
position = "[x, y, z]"
[constraint.plane]
holds = "z = p*x"
friction = { coefficient = "mu" }
"#;
    let right = "m*y'' = -mu*sqrt(1 + p^2)*abs(lambda(plane))*y'/sqrt(x'^2 + y'^2 + z'^2)\n\
                 x'*y'' - y'*x'' = p/m*lambda(plane)*y'\n";
    assert_eq!(verdicts(&mechanism(plane), right), ["proved"; 2]);
    let wrong = "m*y'' = -mu*abs(lambda(plane))*y'/sqrt(x'^2 + y'^2 + z'^2)\nx'*y'' - y'*x'' = 0\n";
    assert_eq!(verdicts(&mechanism(plane), wrong), ["refuted"; 2]);
}

/// The motion of these is too large for symbols, or their rows cannot be solved; rows are still rows.
#[test]
fn rows_of_large_models_are_proved_alone() {
    let bricard = "dot(rod3.ey, rod4.ex) = 0\n\
                   point(rod3, [0, 0, l/2]) = point(rod4, [l/2, 0, 0])\n\
                   2*dot(rod3.ey, rod4.ex) - m*dot(rod3.ey, rod4.ez) = 0\n\
                   a1'' = 0\na1' = -a3'\n";
    let found = verdicts(&example("bricard-iftomm-a04"), bricard);
    assert_eq!(found, ["proved", "proved", "proved", "refuted", "refuted"]);
    let whipple = "vel(rear, at = rear.center - rR*lean.ez) = 0\n\
                   x'*cos(psi) + y'*sin(psi) = rR*(theta' + spin_R' + psi'*sin(phi))\n\
                   z' = -rR*sin(phi)*phi'\nphi'' = 0\nz' = rR*sin(phi)*phi'\n";
    let found = verdicts(&example("whipple-bicycle"), whipple);
    assert_eq!(found, ["proved", "proved", "proved", "refuted", "refuted"]);
}

/// l (cos p − cos q) = 0 is not solved by l = 0: rows that depend on each other wherever they hold prove nothing false.
#[test]
fn rows_are_not_solved_where_the_system_does_not_move() {
    let cranks = mechanism(
        "dalembert = 1\n[parameters]\nJ = 1\nm = 2\nl = 0.5\ng = 9.81\n[coordinates]\np = 0.4\n\
         q = { value = 0.4, priority = \"guess\" }\n[energy]\nkinetic = \"J/2*p'^2 + J/2*q'^2\"\n\
         potential = \"m*g*l*sin(p)\"\n[constraint.a]\nholds = \"l*cos(p) = l*cos(q)\"\n\
         [constraint.b]\nholds = \"l*sin(p) = l*sin(q)\"\n",
    );
    let wrong = "J*p'' + m*g*l*cos(p) = l*lambda(a)*sin(p) + l*lambda(b)*cos(p)\nJ*q'' = l*lambda(a)*sin(q)\n\
                 p''*lambda(b) = q''\np'' = 0\n2*J*p'' = -3*m*g*l*cos(p)\n";
    assert!(verdicts(&cranks, wrong).iter().all(|it| *it != "proved"));
    let right = "J*p'' + m*g*l*cos(p) = -l*lambda(a)*sin(p) + l*lambda(b)*cos(p)\n2*J*p'' = -m*g*l*cos(p)\np'' = q''\n";
    assert!(verdicts(&cranks, right).iter().all(|it| *it != "refuted"));
}
