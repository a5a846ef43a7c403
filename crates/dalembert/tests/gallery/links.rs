//! Trees of bodies in coordinates of their joints with the inertia left in links, in time proportional to the bodies: against M written out from partial
//! velocities, and against free bodies with constraints, which know neither links nor coordinates of joints.

use crate::support::{at, ran};
use dalembert::mechanics::Mechanism;
use dalembert::mechanics::equations::Stored;
use dalembert::simulate::RunOptions;
use dalembert_mechanics::model;
use std::fmt::Write;

/// A tree of bodies of unlike shapes on joints of all types that bodies hang by, either end first, with springs, dampers and drives. No guess says where
/// bodies are: all joints stand at their zeros, or as `[start]` says.
struct Random {
    bodies: String,
    start: String,
    records: Vec<String>,
}

impl Random {
    fn new(seed: u64, count: usize, kinds: &[&str]) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut number = move |size: f64| (2.0 * rng.f64() - 1.0) * size;
        let (mut bodies, mut start, mut records) = (String::new(), String::new(), Vec::new());
        for i in 0..count {
            let mut vector = |size: f64| {
                let [x, y, z] = [0; 3].map(|_| number(size));
                format!("[{x:.3}, {y:.3}, {z:.3}]")
            };
            let (at, tip, foot) = (vector(0.2), vector(0.5), vector(0.5));
            let direction = vector(1.0);
            let pick = |number: f64, of: usize| ((number + 1.0) / 2.0 * of as f64) as usize;
            let kind = kinds[pick(number(1.0), kinds.len())];
            let before = i.saturating_sub(1 + pick(number(1.0), 3));
            let on = match i {
                0 => "ground".to_owned(),
                _ => format!("b{before}.tip"),
            };
            let size = 0.4 + number(0.1);
            let off_center = i % 3 == 1;
            let shape = match off_center {
                true => format!(
                    "[{{ box = {{ size = [{size:.3}, 0.1, 0.2] }}, at = \"{at}\" }}, {{ sphere = {{ radius = 0.1 }}, at = \"[0.1, 0, 0]\" }}]"
                ),
                false => format!("{{ box = {{ size = [{size:.3}, 0.1, 0.2] }} }}"),
            };
            let mass = if off_center {
                "density = 800"
            } else {
                "mass = 1.5"
            };
            let _ = writeln!(
                bodies,
                "[body.b{i}]\n{mass}\nshape = {shape}\npoint = {{ tip = \"{tip}\", foot = \"{foot}\" }}"
            );
            let own = format!("b{i}.foot");
            let between = if number(1.0) > 0.3 {
                [&own, &on]
            } else {
                [&on, &own]
            };
            let _ = writeln!(
                bodies,
                "[joint.J{i}]\ntype = \"{kind}\"\nbetween = [\"{}\", \"{}\"]",
                between[0], between[1]
            );
            if kind != "weld" {
                let axis = ["x", "y", "z", &direction][pick(number(1.0), 4)];
                let _ = writeln!(bodies, "axis = \"{axis}\"");
            }
            if number(1.0) > 0.4 {
                let _ = writeln!(bodies, "attitude = \"Rz(20 deg) Rx({:.3})\"", number(1.0));
            }
            let mut moves = |member: &str, rate: f64| {
                let _ = writeln!(
                    bodies,
                    "[spring.{member}{i}]\non = \"J{i}.{member}\"\nstiffness = 30\ndamping = 0.4"
                );
                let _ = writeln!(
                    bodies,
                    "[force.{member}Drive{i}]\nalong = \"J{i}.{member}\"\nsize = \"2*sin(3*t + {i})\""
                );
                let _ = writeln!(start, "\"J{i}.{member}\" = {rate:.3}");
                records.push(format!("J{i}.{member}"));
            };
            if matches!(kind, "revolute" | "cylindrical") {
                moves("angle", number(0.8));
            }
            if matches!(kind, "prismatic" | "cylindrical") {
                moves("distance", number(0.1));
            }
        }
        for member in ["x", "z", "q1", "vy", "wz"] {
            records.push(format!("b{}.{member}", count - 1));
        }
        Self {
            bodies,
            start,
            records,
        }
    }

    fn mechanism(&self, head: &str, stored: Option<Stored>) -> Mechanism {
        let quoted: Vec<String> = self.records.iter().map(|it| format!("\"{it}\"")).collect();
        let text = format!(
            "dalembert = 1\n{head}gravity = \"[0.3, -0.7, -9.81]\"\n{}[force.push]\non = \"b2\"\nvector = \"[1, cos(t), 2]\"\n\
             [start]\n{}[run]\nspan = 0.4\nsamples = 51\nrecord = [{}]\n",
            self.bodies,
            self.start,
            quoted.join(", ")
        );
        let (model, _) = model::read(&text).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
        Mechanism::stored(model, stored).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
    }
}

const RELATIVE: &str = "coordinates = \"relative\"\n";

/// At random states: M row by row, h, and accelerations, which the one finds from links and the other from partial velocities of all bodies.
#[test]
fn the_matrices_are_those_written_out() {
    let all = ["revolute", "prismatic", "cylindrical", "weld"];
    for seed in 0..12 {
        let tree = Random::new(seed, 6 + seed as usize % 5, &all);
        let links = tree.mechanism(RELATIVE, Some(Stored::Links));
        assert_eq!(links.equations.stored(), Stored::Links, "{seed}");
        let full = tree.mechanism(RELATIVE, Some(Stored::Full));
        assert_eq!(full.equations.stored(), Stored::Full);
        assert!(full.system.hung.is_none() && links.system.inertia.is_empty());
        let mut state = full.start().unwrap().state;
        let mut rng = fastrand::Rng::with_seed(seed + 100);
        for q in state.coordinates.iter_mut().chain(&mut state.rates) {
            *q += 2.0 * rng.f64() - 1.0;
        }
        let n = state.coordinates.len();
        let [by_links, in_full] = [&links, &full].map(|it| {
            let mut evaluator = it.evaluator_at(&state);
            let now = evaluator.canonical();
            assert_eq!(now.mass.whole_diagonal().len(), n);
            (now.mass.to_full().into_owned(), now.force.to_vec())
        });
        let close = |a: &[f64], b: &[f64]| {
            let size = b.iter().fold(0.0_f64, |size, b| size.max(b.abs()));
            let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
            assert!(a.len() == b.len() && size > 0.0);
            apart.fold(0.0, f64::max) / size
        };
        assert!(close(&by_links.0, &in_full.0) < 1e-12, "{seed}");
        assert!(close(&by_links.1, &in_full.1) < 1e-12, "{seed}");
        let [a, b] = [&links, &full].map(|it| it.motion(&state).unwrap().accelerations);
        assert!(close(&a, &b) < 1e-9, "{seed}");
    }
}

/// Runs with their ledgers of energy: the same columns by links, with M written out, and of free bodies with constraints.
#[test]
fn a_tree_moves_as_free_bodies_do() {
    let tree = Random::new(
        3,
        14,
        &["revolute", "cylindrical", "prismatic", "revolute", "weld"],
    );
    let links = tree.mechanism(RELATIVE, None);
    assert_eq!(links.equations.stored(), Stored::Links, "long enough");
    let others = [
        tree.mechanism(RELATIVE, Some(Stored::Full)),
        tree.mechanism("", None),
    ];
    let options = RunOptions { ..at(1e-11) };
    let found = ran(&links, &options).unwrap();
    for (other, tolerance) in others.iter().zip([1e-9, 1e-7]) {
        let wanted = ran(other, &options).unwrap();
        for column in &tree.records {
            let values = |run: &dalembert::simulate::Simulation| {
                let found = run.table.column(column);
                found.unwrap_or_else(|| panic!("{column}")).values.to_vec()
            };
            let (found, wanted) = (values(&found), values(&wanted));
            assert!(found.len() > 50 && found.len() == wanted.len());
            let size = wanted.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            for (found, wanted) in found.iter().zip(&wanted) {
                assert!(
                    (found - wanted).abs() <= tolerance * size.max(0.1),
                    "{column}: {found} and not {wanted}"
                );
            }
        }
    }
}

/// What links do not tell goes the old way: a joint that a text speaks of, which is a constraint then, and a particle beside the tree.
#[test]
fn what_is_no_tree_of_bodies_alone_is_written_out() {
    let tree = Random::new(1, 13, &["revolute"]);
    let [plain, particle, spoken] = [
        String::new(),
        "[particle.P]\nmass = 1\nposition = \"pos(b1) + [0, 0, 0.1]\"\n".to_owned(),
        "[constraint.more]\nholds = \"J12.angle = J11.angle\"\n".to_owned(),
    ]
    .map(|more| {
        let more = Random {
            bodies: format!("{}{more}", tree.bodies),
            start: String::new(),
            records: tree.records.clone(),
        };
        more.mechanism(RELATIVE, None)
    });
    assert_eq!(plain.equations.stored(), Stored::Links);
    assert!(particle.system.hung.is_none() && particle.equations.stored() != Stored::Links);
    assert!(spoken.system.hung.is_none() && spoken.equations.stored() != Stored::Links);
}
