//! M and h by partial velocities equal M and h by Lagrange, with T and V written by hand.

use crate::models::{leaning_disk, mechanism};
use crate::numbers::{STATES, assert_close, canonical, random_state};
use fastrand::Rng;

/// The same system twice: what both share, its particles and bodies, its energies.
struct Twice {
    name: &'static str,
    shared: &'static str,
    bodies: &'static str,
    energies: &'static str,
}

const SYSTEMS: &[Twice] = &[
    Twice {
        name: "particle in polar coordinates with rheonomic radius",
        shared: "[parameters]\nm = 2\nb = 0.3\nw = 1.7\ng = 9.81\n[coordinates]\ns = 1\ntheta = 0.5\n",
        bodies: r#"
[definitions]
R = "s + b*sin(w*t)"
[particle.P]
mass = "m"
position = "[R*cos(theta), R*sin(theta), 0]"
"#,
        energies: r#"
[energy]
kinetic = "m/2*((s' + b*w*cos(w*t))^2 + (s + b*sin(w*t))^2*theta'^2)"
potential = "m*g*(s + b*sin(w*t))*sin(theta)"
"#,
    },
    Twice {
        name: "double pendulum",
        shared: "[parameters]\nm1 = 1.2\nm2 = 0.7\nl1 = 0.9\nl2 = 1.3\ng = 9.81\n[coordinates]\na = 0.1\nb = 0.2\n",
        bodies: r#"
[particle.P]
mass = "m1"
position = "[l1*sin(a), -l1*cos(a), 0]"
[particle.Q]
mass = "m2"
position = "pos(P) + l2*[sin(b), -cos(b), 0]"
"#,
        energies: r#"
[energy]
kinetic = "(m1 + m2)/2*l1^2*a'^2 + m2/2*l2^2*b'^2 + m2*l1*l2*cos(a - b)*a'*b'"
potential = "-(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)"
"#,
    },
    Twice {
        name: "spherical pendulum",
        shared: "[parameters]\nm = 1.2\nl = 0.9\ng = 9.81\n[coordinates]\ntheta = 0.1\nphi = 0.2\n",
        bodies: r#"
[particle.P]
mass = "m"
position = "l*[sin(theta)*cos(phi), -cos(theta), sin(theta)*sin(phi)]"
"#,
        energies: r#"
[energy]
kinetic = "m/2*l^2*(theta'^2 + sin(theta)^2*phi'^2)"
potential = "-m*g*l*cos(theta)"
"#,
    },
    Twice {
        name: "top with three moments",
        shared: "[parameters]\nm = 1.2\nl = 0.9\ng = 9.81\nI1 = 1\nI2 = 1.5\nI3 = 2\n[coordinates]\npsi = 0\ntheta = 0.1\nphi = 0.2\n",
        bodies: r#"
[body.top]
mass = "m"
inertia = ["I1", "I2", "I3"]
center = "l*top_axis"
attitude = "Rz(psi) Rx(theta) Rz(phi)"
[definitions]
top_axis = "[sin(psi)*sin(theta), -cos(psi)*sin(theta), cos(theta)]"
"#,
        energies: r#"
[definitions]
w1 = "psi'*sin(theta)*sin(phi) + theta'*cos(phi)"
w2 = "psi'*sin(theta)*cos(phi) - theta'*sin(phi)"
w3 = "psi'*cos(theta) + phi'"
[energy]
kinetic = "I1/2*w1^2 + I2/2*w2^2 + I3/2*w3^2 + m*l^2/2*(theta'^2 + sin(theta)^2*psi'^2)"
potential = "-m*g*l*cos(psi)*sin(theta)"
"#,
    },
    Twice {
        name: "body with products of inertia",
        shared: "[parameters]\nI1 = 1.4\nI2 = 1.5\nI3 = 2\nP = 0.2\nQ = -0.1\nR = 0.3\n[coordinates]\npsi = 0\ntheta = 0.1\nphi = 0.2\n",
        bodies: r#"
[body.B]
mass = 1
inertia = [["I1", "P", "Q"], ["P", "I2", "R"], ["Q", "R", "I3"]]
center = "[0, 0, 0]"
attitude = "Rz(psi) Rx(theta) Rz(phi)"
"#,
        energies: r#"
[definitions]
w1 = "psi'*sin(theta)*sin(phi) + theta'*cos(phi)"
w2 = "psi'*sin(theta)*cos(phi) - theta'*sin(phi)"
w3 = "psi'*cos(theta) + phi'"
[energy]
kinetic = "I1/2*w1^2 + I2/2*w2^2 + I3/2*w3^2 + P*w1*w2 + Q*w1*w3 + R*w2*w3"
"#,
    },
    Twice {
        name: "disk that does not roll",
        shared: "[parameters]\nm = 2\nJ = 0.3\ng = 9.81\n[coordinates]\nx = 0\ny = 0\nz = 0\npsi = 0\ntheta = 0.1\nphi = 0\n",
        bodies: leaning_disk!(),
        energies: r#"
[energy]
kinetic = "m/2*(x'^2 + y'^2 + z'^2) + J/2*(theta'^2 + psi'^2*cos(theta)^2) + J*(phi' + psi'*sin(theta))^2"
potential = "m*g*y"
"#,
    },
    Twice {
        name: "body on a turntable",
        shared: "[parameters]\nm = 2\nW = 1.1\ne = 0.4\nI1 = 1\nI2 = 1.5\nI3 = 2\ng = 9.81\n[coordinates]\ns = 0.5\ntheta = 0.1\n",
        bodies: r#"
[definitions]
turned = "W*t + e*t^2/2"
[frame.table]
attitude = "Rz(turned)"
[body.B]
mass = "m"
inertia = ["I1", "I2", "I3"]
center = "s*table.ex"
attitude = "table Rx(theta)"
"#,
        energies: r#"
[energy]
kinetic = "m/2*(s'^2 + s^2*(W + e*t)^2) + I1/2*theta'^2 + (W + e*t)^2/2*(I2*sin(theta)^2 + I3*cos(theta)^2)"
potential = "m*g*s*sin(W*t + e*t^2/2)"
"#,
    },
    Twice {
        name: "slider and crank",
        shared: "[parameters]\nm1 = 1\nm2 = 2\nm3 = 3\nJ1 = 0.1\nJ2 = 0.2\nr = 0.4\nl = 1.1\ng = 9.81\n[coordinates]\ntheta = 0\nphi = 0\nx = 1\n",
        bodies: r#"
[body.crank]
mass = "m1"
inertia = ["J1", "J1", "J1"]
center = "[r/2*cos(theta), r/2*sin(theta), 0]"
attitude = "Rz(theta)"
[body.rod]
mass = "m2"
inertia = ["J2", "J2", "J2"]
center = "[r*cos(theta) + l/2*cos(phi), r*sin(theta) + l/2*sin(phi), 0]"
attitude = "Rz(phi)"
[particle.slider]
mass = "m3"
position = "[x, 0, 0]"
"#,
        energies: r#"
[energy]
kinetic = "(m1*r^2/4 + J1)/2*theta'^2 + J2/2*phi'^2 + m2/2*(r^2*theta'^2 + l^2/4*phi'^2 + r*l*cos(theta - phi)*theta'*phi') + m3/2*x'^2"
potential = "m1*g*r/2*sin(theta) + m2*g*(r*sin(theta) + l/2*sin(phi))"
"#,
    },
    Twice {
        name: "particle on an incline that slides and tilts",
        shared: "[parameters]\nM = 3\nm = 0.5\ng = 9.81\n[coordinates]\nX = 0\ns = 1\n",
        bodies: r#"
[definitions]
alpha = "0.4 + 0.2*sin(3*t)"
[particle.wedge]
mass = "M"
position = "[X, 0, 0]"
[particle.P]
mass = "m"
position = "[X + s*cos(alpha), s*sin(alpha), 0]"
"#,
        energies: r#"
[definitions]
a = "0.4 + 0.2*sin(3*t)"
tilting = "0.6*cos(3*t)"
[energy]
kinetic = "M/2*X'^2 + m/2*(X'^2 + s'^2 + s^2*tilting^2 + 2*X'*(s'*cos(a) - s*tilting*sin(a)))"
potential = "m*g*s*sin(a)"
"#,
    },
    Twice {
        name: "half of each",
        shared: "[coordinates]\na = 0\nb = 0\n",
        bodies: r#"
[particle.P]
mass = 2
position = "[a*b, 0, 0]"
[particle.Q]
mass = 3
position = "[a + b, 0, sin(t)*b]"
"#,
        energies: r#"
[particle.P]
mass = 2
position = "[a*b, 0, 0]"
[energy]
kinetic = "3/2*((a' + b')^2 + (cos(t)*b + sin(t)*b')^2)"
"#,
    },
];

/// Weight along −y; none where the energies have no potential.
fn both(system: &Twice) -> [dalembert_mechanics::Mechanism; 2] {
    let weighs = system.energies.contains("potential");
    let gravity = if weighs {
        "gravity = \"[0, -9.81, 0]\"\n"
    } else {
        ""
    };
    [
        mechanism(&format!("{gravity}{}{}", system.shared, system.bodies)),
        mechanism(&format!("{}{}", system.shared, system.energies)),
    ]
}

#[test]
fn partial_velocities_and_lagrange_agree() {
    for system in SYSTEMS {
        let [kane, lagrange] = both(system);
        let mut rng = Rng::with_seed(1);
        for _ in 0..STATES {
            let state = random_state(&mut rng, kane.equations.coordinates());
            let (a, b) = (canonical(&kane, &state), canonical(&lagrange, &state));
            let what = format!("{} at {state:?}", system.name);
            assert_close(&a.mass, &b.mass, 1e-13, &format!("M of {what}"));
            assert_close(&a.force, &b.force, 1e-12, &format!("h of {what}"));
        }
    }
}

/// The same energies and the same drive; the potential up to what does not move.
#[test]
fn energies_agree() {
    for system in SYSTEMS {
        let [kane, lagrange] = both(system);
        let mut rng = Rng::with_seed(2);
        for _ in 0..STATES {
            let state = random_state(&mut rng, kane.equations.coordinates());
            let (a, b) = (kane.snapshot(&state), lagrange.snapshot(&state));
            let (a, b) = (a.unwrap(), b.unwrap());
            assert_close(&[a.kinetic], &[b.kinetic], 1e-13, system.name);
            assert_close(&[a.potential], &[b.potential], 1e-13, system.name);
            assert_close(&[a.drive], &[b.drive], 1e-11, system.name);
            assert_close(&a.accelerations, &b.accelerations, 1e-11, system.name);
        }
    }
}

/// Speeds change the basis, not the motion.
#[test]
fn speeds_do_not_change_the_motion() {
    let speeds = "[speeds]\nu = \"a' + sin(b)*b' + t\"\nv = \"b'*(2 + a) + a*t\"\n";
    let system = SYSTEMS.iter().find(|s| s.name == "half of each").unwrap();
    let plain = mechanism(&format!("{}{}", system.shared, system.bodies));
    let quasi = mechanism(&format!("{}{speeds}{}", system.shared, system.bodies));
    let mut rng = Rng::with_seed(3);
    for _ in 0..STATES {
        let state = random_state(&mut rng, 2);
        let (p, s) = (
            plain.snapshot(&state).unwrap(),
            quasi.snapshot(&state).unwrap(),
        );
        assert_close(&s.accelerations, &p.accelerations, 1e-12, "q''");
        let (q, v, acc, t) = (&state.coordinates, &state.rates, &p.accelerations, state.t);
        let expected = [v[0] + q[1].sin() * v[1] + t, v[1] * (2.0 + q[0]) + q[0] * t];
        assert_close(&s.speeds, &expected, 1e-14, "v");
        let expected = [
            acc[0] + q[1].sin() * acc[1] + q[1].cos() * v[1] * v[1] + 1.0,
            acc[1] * (2.0 + q[0]) + v[1] * v[0] + v[0] * t + q[0],
        ];
        assert_close(&s.speed_rates, &expected, 1e-12, "v'");
        // M_v v' = h_v with M_v = Nᵀ M N, as power: v·h_v = q'·(Bᵀ h_v).
        let (matrix, m) = (
            [[1.0, q[1].sin()], [0.0, 2.0 + q[0]]],
            canonical(&plain, &state).mass,
        );
        // B x = e_k, by hand.
        let columns = [
            [1.0, 0.0],
            [-matrix[0][1] / matrix[1][1], 1.0 / matrix[1][1]],
        ];
        let entry = |i: usize, j: usize| -> f64 {
            (0..2)
                .flat_map(|k| (0..2).map(move |l| (k, l)))
                .map(|(k, l)| columns[i][k] * m[2 * k + l] * columns[j][l])
                .sum()
        };
        let expected: Vec<f64> = (0..2)
            .map(|i| (0..2).map(|j| entry(i, j) * s.speed_rates[j]).sum())
            .collect();
        assert_close(&s.force_given, &expected, 1e-11, "h in speeds");
    }
}

/// A kinetic energy need not be quadratic in the rates. By hand, with n = x'² + y'²:
///
/// ```text
/// T = a/4 n² + c/2 x² n       p = (a n + c x²) (x', y')
/// M = (a n + c x²) I + 2 a (x', y')ᵀ(x', y')
/// h = c x n (1, 0) − 2 c x x' (x', y')
/// ```
#[test]
fn kinetic_energies_of_higher_degree_follow_lagrange() {
    let model = mechanism(
        "[parameters]\na = 0.7\nc = 1.3\n[coordinates]\nx = 1\ny = 0\n[energy]\n\
         kinetic = \"a/4*(x'^2 + y'^2)^2 + c/2*x^2*(x'^2 + y'^2)\"\n",
    );
    let (a, c) = (0.7, 1.3);
    let mut rng = Rng::with_seed(5);
    for _ in 0..STATES {
        let state = random_state(&mut rng, 2);
        let found = canonical(&model, &state);
        let (x, u, v) = (state.coordinates[0], state.rates[0], state.rates[1]);
        let n = u * u + v * v;
        let even = a * n + c * x * x;
        let mass = [
            even + 2.0 * a * u * u,
            2.0 * a * u * v,
            even + 2.0 * a * v * v,
        ];
        assert_close(
            &found.mass,
            &[mass[0], mass[1], mass[1], mass[2]],
            1e-13,
            "M",
        );
        let force = [c * x * n - 2.0 * c * x * u * u, -2.0 * c * x * u * v];
        assert_close(&found.force, &force, 1e-13, "h");
    }
}
