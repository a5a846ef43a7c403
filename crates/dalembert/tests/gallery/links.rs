//! Trees of bodies in coordinates of their joints with the inertia left in links, in time proportional to the bodies: against M written out from partial
//! velocities, and against free bodies with constraints, which know neither links nor coordinates of joints.

use crate::support::{at, ran};
use dalembert::mechanics::Mechanism;
use dalembert::mechanics::equations::Stored;
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
    let links = tree.mechanism(RELATIVE, Some(Stored::Links));
    assert_eq!(links.equations.stored(), Stored::Links);
    let others = [
        tree.mechanism(RELATIVE, Some(Stored::Full)),
        tree.mechanism("", None),
    ];
    let found = ran(&links, &at(1e-12)).unwrap();
    for (other, tolerance) in others.iter().zip([1e-9, 1e-9]) {
        let wanted = ran(other, &at(1e-12)).unwrap();
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

/// The columns of a tree with something beside it by links, with M written out, and of free bodies with constraints. A joint that closes a loop has its
/// rows in all of them.
fn held_alike(tree: &Random, more: &str, records: &[&str], tolerances: [f64; 2]) {
    let with = Random {
        bodies: format!("{}{more}", tree.bodies),
        start: tree.start.clone(),
        records: tree
            .records
            .iter()
            .cloned()
            .chain(records.iter().map(|it| (*it).to_owned()))
            .collect(),
    };
    let links = with.mechanism(RELATIVE, Some(Stored::Links));
    assert_eq!(links.equations.stored(), Stored::Links, "{more}");
    let full = with.mechanism(RELATIVE, Some(Stored::Full));
    assert!(full.system.hung.is_none() && full.system.rows.len() == links.system.rows.len());
    let free = with.mechanism("", None);
    let found = ran(&links, &at(1e-12)).unwrap();
    for (other, tolerance) in [full, free].iter().zip(tolerances) {
        let wanted = ran(other, &at(1e-12)).unwrap();
        for column in &with.records {
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
                    "{column} beside {more}: {found} and not {wanted}"
                );
            }
        }
    }
}

/// A motor that turns as told, with its torque.
#[test]
fn a_motor_beside_links() {
    let tree = Random::new(21, 9, &["revolute", "revolute", "weld", "cylindrical"]);
    let joint = tree
        .records
        .iter()
        .find(|it| it.ends_with(".angle"))
        .unwrap();
    let start = tree
        .start
        .lines()
        .find(|it| it.contains(joint.as_str()))
        .unwrap();
    let value = start.split(" = ").nth(1).unwrap();
    let motor = format!("[constraint.motor]\nholds = \"{joint} = {value} + 0.5*sin(2*t)\"\n");
    held_alike(
        &tree,
        &motor,
        &["lambda(motor)", "power(motor)"],
        [1e-8, 1e-7],
    );
}

/// A rod without mass closes a loop with a chain in the plane.
#[test]
fn a_loop_beside_links() {
    let count = 14;
    let text = |head: &str| {
        let mut text = format!("dalembert = 1\nplanar = true\n{head}gravity = \"[0, -9.81, 0]\"\n");
        for i in 0..count {
            let on = match i {
                0 => "ground".to_owned(),
                _ => format!("b{}.tip", i - 1),
            };
            let _ = writeln!(
                text,
                "[body.b{i}]\nmass = 1\nshape = {{ rod = {{ length = 1, axis = \"x\" }} }}\n\
                 point = {{ foot = \"[-0.5, 0, 0]\", tip = \"[0.5, 0, 0]\" }}\nstart = {{ center = \"[{i} + 0.5, 0, 0]\" }}\n\
                 [joint.J{i}]\ntype = \"revolute\"\nbetween = [\"{on}\", \"b{i}.foot\"]"
            );
        }
        text + "[joint.rod]\ntype = \"distance\"\nbetween = [\"b13.tip\", \"point(ground, [14, 2, 0])\"]\nlength = 2\n\
                [run]\nspan = 0.4\nsamples = 21\nrecord = [\"b13.x\", \"b13.y\", \"J6.angle\", \"lambda(rod)\"]\n"
    };
    let run = |head: &str, stored| {
        let (model, _) = model::read(&text(head)).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let mechanism = Mechanism::stored(model, stored).unwrap_or_else(|e| panic!("{e:#?}"));
        if stored == Some(Stored::Links) {
            assert_eq!(mechanism.equations.stored(), Stored::Links);
        }
        ran(&mechanism, &at(1e-11)).unwrap()
    };
    let found = run(RELATIVE, Some(Stored::Links));
    let wanted = run("", None);
    for column in ["b13.x", "b13.y", "J6.angle", "lambda(rod)"] {
        let [found, wanted] =
            [&found, &wanted].map(|run| run.table.column(column).unwrap().values.to_vec());
        let size = wanted.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        assert!(size > 0.0 && found.len() == 21);
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!(
                (found - wanted).abs() <= 1e-8 * size,
                "{column}: {found} and not {wanted}"
            );
        }
    }
}

/// Particles that bodies carry.
#[test]
fn particles_beside_links() {
    let tree = Random::new(23, 8, &["revolute", "cylindrical", "prismatic"]);
    let more = "[parameters]\narm = 0.3\n[particle.P]\nmass = 1.5\nposition = \"b3.tip\"\n\
                [particle.Q]\nmass = 0.5\nposition = \"pos(b7) + arm*b7.ey + 0.1*b7.ez\"\n";
    held_alike(&tree, more, &["pos(Q).x"], [1e-9, 1e-9]);
    // One that moves against the bodies is in no link.
    let with = Random {
        bodies: format!(
            "{}{}",
            tree.bodies, "[particle.R]\nmass = 1\nposition = \"pos(b1) + [0, 0, 0.1]\"\n"
        ),
        start: String::new(),
        records: tree.records.clone(),
    };
    let written_out = with.mechanism(RELATIVE, Some(Stored::Links));
    assert!(written_out.system.hung.is_none() && written_out.equations.stored() != Stored::Links);
}

/// In the plane, with slides and welds at angles, either end first; by itself, and against a stop.
#[test]
fn a_tree_in_the_plane() {
    let stop = "[constraint.stop]\nholds = \"J0.angle >= -0.2\"\nrestitution = 0.5\n";
    for more in ["", stop] {
        in_the_plane(more);
    }
}

fn in_the_plane(more: &str) {
    let mut bodies = String::new();
    let mut records = Vec::new();
    for i in 0..14_usize {
        let _ = writeln!(
            bodies,
            "[body.b{i}]\nmass = 1.5\ninertia = [0, 0, 0.2]\npoint = {{ tip = \"[0.5, 0.1, 0]\", foot = \"[-0.4, 0.05, 0]\" }}"
        );
        let on = match i {
            0 => "ground".to_owned(),
            _ => format!("b{}.tip", i - 1 - usize::from(i > 3 && i % 4 == 0)),
        };
        let own = format!("b{i}.foot");
        let [first, second] = if i % 3 == 2 { [own, on] } else { [on, own] };
        let kind = match i % 7 {
            3 => "type = \"prismatic\"\naxis = \"[1, 2, 0]\"\nangle = 0.3",
            5 => "type = \"weld\"\nangle = -0.4",
            _ => "type = \"revolute\"",
        };
        let _ = writeln!(
            bodies,
            "[joint.J{i}]\n{kind}\nbetween = [\"{first}\", \"{second}\"]"
        );
        let member = if i % 7 == 3 { "distance" } else { "angle" };
        if i % 7 != 5 {
            let _ = writeln!(
                bodies,
                "[spring.S{i}]\non = \"J{i}.{member}\"\nstiffness = 20\ndamping = 0.3"
            );
            records.push(format!("J{i}.{member}"));
        }
    }
    records.push("b13.y".to_owned());
    records.push("b13.angle'".to_owned());
    let text = |head: &str| {
        let quoted: Vec<String> = records.iter().map(|it| format!("\"{it}\"")).collect();
        format!(
            "dalembert = 1\nplanar = true\n{head}gravity = \"[1, -9.81, 0]\"\n{bodies}{more}[start]\n\"J0.rate\" = -1\n[run]\nspan = 0.5\nsamples = 51\nrecord = [{}]\n",
            quoted.join(", ")
        )
    };
    let mechanism = |head: &str, stored| {
        let (model, _) = model::read(&text(head)).unwrap_or_else(|errors| panic!("{errors:#?}"));
        Mechanism::stored(model, stored).unwrap_or_else(|errors| panic!("{errors:#?}"))
    };
    let links = mechanism(RELATIVE, Some(Stored::Links));
    assert_eq!(links.equations.stored(), Stored::Links);
    let full = mechanism(RELATIVE, Some(Stored::Full));
    let found = ran(&links, &at(1e-12)).unwrap();
    let wanted = ran(&full, &at(1e-12)).unwrap();
    let events = |run: &dalembert::simulate::Simulation| run.happened.len();
    assert_eq!(events(&found), events(&wanted));
    assert!(events(&found) > 0 || more.is_empty(), "the stop is met");
    let tolerance = if more.is_empty() { 1e-9 } else { 1e-8 };
    for column in &records {
        let [found, wanted] =
            [&found, &wanted].map(|run| run.table.column(column).unwrap().values.to_vec());
        let size = wanted.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        assert!(size > 0.0 || column.contains("J5"), "{column}");
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!(
                (found - wanted).abs() <= tolerance * size.max(0.1),
                "{column}: {found} and not {wanted}"
            );
        }
    }
}

/// What links do not tell goes the old way: a law that uses a reaction, and a row that is held by a force.
#[test]
fn what_is_no_tree_of_bodies_alone_is_written_out() {
    let tree = Random::new(1, 30, &["revolute"]);
    let row = "[constraint.more]\nholds = \"J29.angle = J28.angle\"\n";
    let [plain, held, servo] = [
        String::new(),
        row.to_owned(),
        format!("{row}enforced_by = [\"drive\"]\n[force.drive]\nalong = \"J29.angle\"\nsize = 1\n"),
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
    assert_eq!(held.equations.stored(), Stored::Links);
    assert!(servo.system.hung.is_none() && servo.equations.stored() != Stored::Links);
}
