//! What is constant, what speeds are rates of, and what forces are: against what books say.

use super::{examined, integrals, letters};
use dalembert_doctor::{Doctor, ForceKind, Speed};
use dalembert_expr::print::{Format, print_one};

/// Energies, momenta as their constants by coordinate (or pair), and ignorable coordinates, in short.
fn short(doctor: &Doctor) -> String {
    let conserved = &doctor.conserved;
    let shown = |id| print_one(&doctor.graph, id, Format::Model);
    let mut words = Vec::new();
    words.extend(conserved.energy.then(|| "energy".to_owned()));
    words.extend(conserved.jacobi.then(|| "jacobi".to_owned()));
    for symmetry in &conserved.momenta {
        let shifts = symmetry
            .shifts
            .iter()
            .map(|&(k, c)| format!("{}@{k}", shown(c)));
        let turns = (symmetry.turns.iter()).map(|&((i, j), c)| format!("{}@{i}.{j}", shown(c)));
        words.push(shifts.chain(turns).collect::<Vec<_>>().join("+"));
    }
    let ignorable = conserved.ignorable.iter().map(usize::to_string);
    words.push(format!("| {}", ignorable.collect::<Vec<_>>().join(" ")));
    words.join(" ")
}

fn of(rest: &str) -> String {
    short(&examined(&format!("dalembert = 1\n{rest}")))
}

#[test]
fn momenta_along_symmetries() {
    let plane = "[parameters]\nm = 1.3\nn = 0.8\nk = 3\n[coordinates]\nx = 1\ny = 0.2\nu = -0.4\nv = 0.7\n[start]\n\"x'\" = 0.3\n[energy]\n\
                 kinetic = \"m/2*(x'^2 + y'^2) + n/2*(u'^2 + v'^2)\"\n";
    // A spring between two particles: linear momenta, angular momentum, energy.
    let spring = format!("{plane}potential = \"k/2*((x - u)^2 + (y - v)^2)\"\n");
    assert_eq!(of(&spring), "energy 1@0+1@2 1@1+1@3 1@0.1+1@2.3 | ");
    // With a weight along −y only what is across is left.
    let heavy = format!("{plane}potential = \"k/2*((x - u)^2 + (y - v)^2) + m*y + n*v\"\n");
    assert_eq!(of(&heavy), "energy 1@0+1@2 | ");
    // A centre of force.
    let centre = "[parameters]\nm = 1.3\nk = 3\n[coordinates]\nx = 1\ny = 0.2\n[start]\n\"y'\" = 0.9\n[energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\n\
                  potential = \"-k/sqrt(x^2 + y^2)\"\n";
    assert_eq!(of(centre), "energy 1@0.1 | ");
    // Drag: nothing but that the energies do not know where it is.
    let drag = "[coordinates]\nx = 1\n[start]\n\"x'\" = 2\n[energy]\nkinetic = \"x'^2/2\"\ndissipation = \"x'^2/4\"\n";
    assert_eq!(of(drag), "| 0");
    // A bead on a turning wire: Jacobi's integral, not the energy.
    let wire =
        "[parameters]\nw = 2\n[coordinates]\nr = 1\n[energy]\nkinetic = \"(r'^2 + w^2*r^2)/2\"\n";
    assert_eq!(of(wire), "jacobi | ");
    // A potential that depends on time.
    let shaken = "[coordinates]\nr = 1\n[energy]\nkinetic = \"r'^2/2\"\npotential = \"r*cos(t)\"\n";
    assert_eq!(of(shaken), "| ");
}

/// Along symmetries that the constraints allow, and not along others: p_x is not constant where a row holds x.
#[test]
fn momenta_beside_constraints() {
    let coin = "[parameters]\nr = 0.3\nm = 1.2\nI = 0.1\nJ = 0.2\n[coordinates]\nx = 0\ny = 0\np = 0.4\ns = 0\n[start]\n\"s'\" = 2\n\"p'\" = 0.5\n[energy]\n\
                kinetic = \"m/2*(x'^2 + y'^2) + I/2*p'^2 + J/2*s'^2\"\n\
                [constraint.a]\nholds = \"x' = r*cos(p)*s'\"\n[constraint.b]\nholds = \"y' = r*sin(p)*s'\"\n";
    // How fast it turns, and how fast it rolls.
    assert_eq!(of(coin), "energy 1@2 r*cos(p)@0+r*sin(p)@1+1@3 | 0 1 2 3");
    // A skate under its mass centre keeps its speed along the edge; with the mass centre ahead of it nothing but energy is constant (Chaplygin 1911).
    let skate = |ahead: &str| {
        format!(
            "[parameters]\nm = 1.2\nJ = 0.2\n[coordinates]\nx = 0\ny = 0\na = 0.4\n[start]\n\"a'\" = 0.5\n[energy]\n\
             kinetic = \"m/2*(x'^2 + y'^2) + J/2*a'^2 + {ahead}*a'*(y'*cos(a) - x'*sin(a))\"\n\
             [constraint.edge]\nholds = \"sin(a)*x' - cos(a)*y' = 0\"\n"
        )
    };
    assert_eq!(of(&skate("0")), "energy 1@2 cos(a)@0+sin(a)@1 | 0 1 2");
    assert_eq!(of(&skate("m*0.3")), "energy | 0 1");
    // In the plane x = z also the angular momentum about its normal.
    let rail = "[coordinates]\nx = 0\ny = 1\nz = 0\n[start]\n\"x'\" = 1\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[constraint.rail]\nholds = \"x = z\"\n";
    assert_eq!(of(rail), "energy 1@1 1@0+1@2 -1@0.1+1@1.2 | 0 1 2");
    // A row with a drift has power.
    let driven = rail.replace("x = z", "x' = z' + 0.3");
    assert_eq!(of(&driven), "1@1 1@0+1@2 -1@0.1+1@1.2 | 0 1 2");
}

/// Two bodies in space, joined by a spring that acts on the centre of one of them: linear and angular momentum of both together, and the spin of that one.
#[test]
fn momenta_of_free_bodies() {
    let text = "dalembert = 1\n[parameters]\nk = 3\n\
                [body.a]\nmass = 1\ninertia = [0.1, 0.2, 0.25]\n\
                [body.b]\nmass = 2\ninertia = [0.3, 0.2, 0.25]\nstart = { center = \"[1, 0.2, 0.4]\" }\n\
                [spring.S]\nbetween = [\"a.center + 0.1*a.ex\", \"b.center\"]\nstiffness = \"k\"\n";
    let doctor = examined(text);
    assert_eq!(doctor.conserved.momenta.len(), 9, "{}", short(&doctor));
    assert!(doctor.conserved.energy);
}

/// What is set from outside changes as nobody knows: z' = w y' with such a w is a contact form, and a potential with it holds no energy.
#[test]
fn inputs_are_no_constants() {
    let text = |row: &str, potential: &str| {
        format!(
            "dalembert = 1\n[inputs]\nu = 2\nw = 1.3\n[coordinates]\nx = 1\ny = 0.2\nz = 0.4\n[start]\n\"x'\" = 1\n[energy]\n\
             kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"{potential}\"\n[constraint.a]\nholds = \"{row}\"\n"
        )
    };
    let doctor = examined(&text("z' = w*y'", "u*x"));
    assert_eq!(letters(&doctor), "n");
    assert_eq!(doctor.diagnosis.reached, Some(3));
    assert_eq!(short(&doctor), "| 1 2");
    assert_eq!(doctor.forces[0].kind, Some(ForceKind::Lamellar));
    // A factor that is set says nothing of the row; but where it is nothing, the row is.
    let doctor = examined(&text("w*z' = w*y'", "x"));
    assert_eq!(letters(&doctor), "h");
    assert_eq!(integrals(&doctor), ["y - z"]);
    assert_eq!(short(&doctor), "1@1+1@2 | 1 2");
}

#[test]
fn forces_by_kind() {
    let text = "dalembert = 1\n[parameters]\nc = 0.4\nk = 2\n[coordinates]\nx = 1\ny = 0.3\n[start]\n\"x'\" = 1\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                [force.spring]\ngeneralized = { x = \"-k*(x - y)\", y = \"k*(x - y)\" }\n\
                [force.tide]\ngeneralized = { x = \"cos(t)\" }\n\
                [force.drag]\ngeneralized = { x = \"-c*(x' - y')\", y = \"c*(x' - y')\" }\n\
                [force.film]\ngeneralized = { x = \"-c*(2*x' - y')\", y = \"c*(x' - 2*y')\" }\n\
                [force.magnet]\ngeneralized = { x = \"k*y'\", y = \"-k*x'\" }\n\
                [force.whirl]\ngeneralized = { x = \"-k*y\", y = \"k*x\" }\n\
                [force.motor]\ngeneralized = { x = \"c*x'\" }\n\
                [force.both]\ngeneralized = { x = \"-c*x' + k\" }\n";
    let doctor = examined(text);
    let kinds: Vec<Option<ForceKind>> = doctor.forces.iter().map(|it| it.kind).collect();
    let expected = [
        ForceKind::Conservative,
        ForceKind::Lamellar,
        ForceKind::Dissipative,
        ForceKind::Dissipative,
        ForceKind::Gyroscopic,
        ForceKind::Other,
        ForceKind::Other,
        ForceKind::Other,
    ];
    assert_eq!(kinds, expected.map(Some));
    let potential = |k: usize| {
        let found = doctor.forces[k].potential;
        found.map(|it| print_one(&doctor.graph, it, Format::Model))
    };
    assert_eq!(potential(0).as_deref(), Some("1/2*k*(x - y)^2"));
    assert_eq!(potential(1).as_deref(), Some("-x*cos(t)"));
    assert_eq!(potential(2), None);
}

#[test]
fn speeds_that_are_rates_and_those_that_are_not() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\ny = 0.3\na = 0.2\n[speeds]\nu = \"cos(a)*x' + sin(a)*y'\"\nv = \"-sin(a)*x' + cos(a)*y'\"\n\
                w = \"a' + x*y' + y*x'\"\n[start]\nu = 1\n[energy]\nkinetic = \"(x'^2 + y'^2 + a'^2)/2\"\n";
    let doctor = examined(text);
    assert_eq!(doctor.speeds[..2], [Speed::Quasi, Speed::Quasi]);
    let Speed::Velocity(integral) = doctor.speeds[2] else {
        panic!("{:?}", doctor.speeds[2]);
    };
    assert_eq!(print_one(&doctor.graph, integral, Format::Model), "x*y + a");
}

/// Friction of a spring has a way of its own, which turns: no momentum that holds it is constant. Nor is the energy of a potential that begins anew.
#[test]
fn ways_of_friction_and_angles_are_no_constants() {
    let dry = "[coordinates]\nx = 1\ny = 0.2\nz = 0.1\n[start]\n\"x'\" = 0.3\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"z\"\n\
               [spring.s]\non = \"x\"\ndry = 0.1\n";
    assert_eq!(of(dry), "1@1 | 0 1");
    let turning = "[coordinates]\nx = -0.5\ny = 0.1\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"atan2(y, x)/10\"\n";
    assert_eq!(of(turning), "| ");
}

/// A whirl does work on every turn around it, and a step of a force is no step of a potential.
#[test]
fn potentials_that_jump_are_none() {
    let whirl = "dalembert = 1\n[coordinates]\nx = 1\ny = 0.2\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[force.f]\n\
                 generalized = { x = \"-y/(x^2 + y^2)\", y = \"x/(x^2 + y^2)\" }\n[force.g]\ngeneralized = { x = \"3*step(x - 2)\" }\n\
                 [force.h]\ngeneralized = { x = \"-x/(x^2 + y^2)\", y = \"-y/(x^2 + y^2)\" }\n";
    let doctor = examined(whirl);
    let kinds: Vec<Option<ForceKind>> = doctor.forces.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [None, None, Some(ForceKind::Conservative)]);
}

/// Forces with a potential that was found are part of what is constant: Kepler's problem written as a force.
#[test]
fn energies_count_potentials_that_were_found() {
    let kepler = "dalembert = 1\n[parameters]\nk = 3\n[coordinates]\nx = 1\ny = 0.2\n[start]\n\"y'\" = 0.9\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[force.f]\n\
                  generalized = { x = \"-k*x/(x^2 + y^2)^(3/2)\", y = \"-k*y/(x^2 + y^2)^(3/2)\" }\n";
    let doctor = examined(kepler);
    assert!(doctor.conserved.energy);
    let potential = doctor.conserved.potential.expect("a potential");
    let shown = print_one(&doctor.graph, potential, Format::Model);
    assert_eq!(shown, "-k/sqrt(x^2 + y^2)");
}

/// Parameters that are zero, or a whole number that matters, stand for themselves; on either side of a condition a row is another one.
#[test]
fn values_that_decide_and_conditions() {
    let row = |k: &str, row: &str| {
        let text = format!(
            "dalembert = 1\n[parameters]\nk = {k}\n[coordinates]\nx = 0.7\ny = 4\nz = 0.3\n[start]\n\"x'\" = 0.5\n[energy]\n\
             kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[constraint.r]\nholds = \"{row}\"\n"
        );
        letters(&examined(&text))
    };
    assert_eq!(row("0", "z' = k*y*x'"), "h");
    assert_eq!(row("0.5", "z' = k*y*x'"), "n");
    assert_eq!(row("0", "z' = exp(k*x)*x'"), "h");
    assert_eq!(row("1", "z' = y*x' + k*x*y'"), "h");
    assert_eq!(row("2", "z' = y*x' + k*x*y'"), "n");
    assert_eq!(row("1", "z' = if(y > 5, y - 5, 0)*x'"), "?");
    assert_eq!(row("1", "z' = if(y > 3, y - 5, 0)*x'"), "n");
}
