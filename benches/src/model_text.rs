//! Model files of any size.

use std::fmt::Write;

/// Masses, lengths and a state of the N-link pendulum; the same numbers for us and for our peers.
pub struct PendulumValues {
    /// Masses at the ends of the links.
    pub masses: Vec<f64>,
    /// Lengths of the links.
    pub lengths: Vec<f64>,
    /// Gravity.
    pub gravity: f64,
    /// Angles from the vertical.
    pub angles: Vec<f64>,
    /// Rates of the angles.
    pub rates: Vec<f64>,
}

impl PendulumValues {
    /// Values for a number of links: unequal, and nothing near a singular place.
    #[must_use]
    pub fn new(links: usize) -> Self {
        let each = |value: fn(f64) -> f64| (0..links).map(|i| value(i as f64)).collect();
        Self {
            masses: each(|i| 1.0 + i / 8.0),
            lengths: each(|i| 0.5 + i / 16.0),
            gravity: 9.81,
            angles: each(|i| 0.3 + (2.0 * i).sin() / 2.0),
            rates: each(|i| (3.0 * i + 1.0).cos() / 2.0),
        }
    }

    /// Another state nearby, one of any number.
    #[must_use]
    pub fn state(&self, number: usize) -> Vec<f64> {
        let shift = number as f64 / 1024.0;
        let angles = self.angles.iter().map(|angle| angle + shift);
        angles.chain(self.rates.iter().copied()).collect()
    }
}

/// The planar pendulum in absolute angles, by its energies; x points down.
#[must_use]
pub fn pendulum(values: &PendulumValues) -> String {
    let links = values.masses.len();
    let mut text = format!(
        "dalembert = 1\ntitle = \"Pendulum\"\n[parameters]\ng = {}\n",
        values.gravity
    );
    let mut list = |head: &str, line: &dyn Fn(usize) -> String| {
        text += head;
        (0..links).for_each(|i| text += &line(i));
    };
    list("", &|i| {
        format!(
            "m{i} = {}\nl{i} = {}\n",
            values.masses[i], values.lengths[i]
        )
    });
    list("[coordinates]\n", &|i| {
        format!("a{i} = {}\n", values.angles[i])
    });
    list("[start]\n", &|i| {
        format!("\"a{i}'\" = {}\n", values.rates[i])
    });
    list("[definitions]\n", &|i| {
        let before = |axis: &str| match i {
            0 => String::new(),
            _ => format!("{axis}{} + ", i - 1),
        };
        let (x, y) = (before("x"), before("y"));
        format!("x{i} = \"{x}l{i}*cos(a{i})\"\ny{i} = \"{y}l{i}*sin(a{i})\"\n")
    });
    let sum = |term: &dyn Fn(usize) -> String| (0..links).map(term).collect::<Vec<_>>().join(" + ");
    let kinetic = sum(&|i| format!("m{i}*(x{i}'^2 + y{i}'^2)/2"));
    let weight = sum(&|i| format!("m{i}*x{i}"));
    text + &format!("[energy]\nkinetic = \"{kinetic}\"\npotential = \"-g*({weight})\"\n")
}

/// Masses in x and y on rods, one below the other, a little to the side.
#[must_use]
pub fn chain(masses: usize) -> String {
    let mut text = "dalembert = 1\ntitle = \"Chain\"\ngravity = \"[0, -g, 0]\"\n\
                    [parameters]\ng = 9.81\nl = 0.1\n[coordinates]\n"
        .to_owned();
    for i in 0..masses {
        let steps = i + 1;
        let _ = writeln!(text, "x{i} = \"{steps}*l*0.6\"\ny{i} = \"-{steps}*l*0.8\"");
    }
    for i in 0..masses {
        let _ = writeln!(
            text,
            "[particle.P{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\""
        );
    }
    for i in 0..masses {
        let rod = match i {
            0 => "x0^2 + y0^2".to_owned(),
            _ => format!("(x{i} - x{p})^2 + (y{i} - y{p})^2", p = i - 1),
        };
        let _ = writeln!(text, "[constraint.rod{i}]\nholds = \"{rod} = l^2\"");
    }
    text
}

/// How a chain of bodies is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    /// In the plane, three coordinates each.
    Plane,
    /// In space, a place and a quaternion each.
    Space,
    /// In space, by the angles of its hinges.
    Relative,
    /// In the plane, by these.
    PlaneRelative,
}

/// Links of 1 m and 1 kg on hinges, one behind the other, the first on the ground; in space the axes of the hinges are across and
/// upright in turn.
#[must_use]
pub fn bodies(written: Bodies, links: usize) -> String {
    let plane = matches!(written, Bodies::Plane | Bodies::PlaneRelative);
    let relative = matches!(written, Bodies::Relative | Bodies::PlaneRelative);
    let mut text = "dalembert = 1\ntitle = \"Chain of bodies\"\n".to_owned();
    if plane {
        text += "planar = true\n";
    }
    if relative {
        text += "coordinates = \"relative\"\n";
    }
    text += match plane {
        true => "gravity = \"[0, -9.81, 0]\"\n",
        false => "gravity = \"[0, 0, -9.81]\"\n",
    };
    for i in 0..links {
        let shape = match plane {
            true => "rod = { length = 1, axis = \"x\" }",
            false => "box = { size = [1, 0.1, 0.2] }",
        };
        let _ = writeln!(
            text,
            "[body.link{i}]\nmass = 1\nshape = {{ {shape} }}\n\
             point = {{ foot = \"[-0.5, 0, 0]\", tip = \"[0.5, 0, 0]\" }}"
        );
        if !relative {
            let _ = writeln!(text, "start = {{ center = \"[{i} + 0.5, 0, 0]\" }}");
        }
    }
    for i in 0..links {
        let before = match i {
            0 => "ground".to_owned(),
            _ => format!("link{}.tip", i - 1),
        };
        let _ = writeln!(
            text,
            "[joint.hinge{i}]\ntype = \"revolute\"\nbetween = [\"{before}\", \"link{i}.foot\"]"
        );
        if !plane {
            let axis = ["[0, 1, 0]", "[0, 0, 1]"][i % 2];
            let _ = writeln!(text, "axis = \"{axis}\"");
        }
    }
    text
}

/// IFToMM's N-four-bar mechanism: upright cranks on pivots 1 m apart, joined by couplers, all rods of 1 m and 1 kg.
pub(crate) fn four_bars(count: usize) -> String {
    let mut text = "dalembert = 1\ntitle = \"N-four-bar\"\ngravity = \"[0, -9.81, 0]\"\n\
                    [coordinates]\na0 = \"90 deg\"\n"
        .to_owned();
    for i in 0..count {
        let near = |angle| format!("{{ value = \"{angle} deg\", priority = \"guess\" }}");
        let _ = writeln!(text, "a{} = {}\nb{i} = {}", i + 1, near(90), near(0));
    }
    text += "[start]\n\"a0'\" = -1\n";
    let mut rod = |name: &str, foot: &str, angle: &str| {
        let _ = writeln!(
            text,
            "[body.{name}]\nmass = 1\nshape = {{ rod = {{ length = 1, axis = \"x\" }} }}\n\
             center = \"{foot} + 0.5*{name}.ex\"\nattitude = \"Rz({angle})\""
        );
    };
    for i in 0..=count {
        rod(
            &format!("crank{i}"),
            &format!("[{i}, 0, 0]"),
            &format!("a{i}"),
        );
    }
    for i in 0..count {
        let foot = format!("[{i}, 0, 0] + crank{i}.ex");
        rod(&format!("coupler{i}"), &foot, &format!("b{i}"));
    }
    for i in 0..count {
        let next = i + 1;
        let _ = writeln!(
            text,
            "[constraint.x{i}]\nholds = \"cos(a{i}) + cos(b{i}) - cos(a{next}) = 1\"\n\
             [constraint.y{i}]\nholds = \"sin(a{i}) + sin(b{i}) - sin(a{next}) = 0\""
        );
    }
    text
}

/// The same as bodies and joints.
pub(crate) fn four_bars_of_bodies(count: usize) -> String {
    let mut text =
        "dalembert = 1\ntitle = \"N-four-bar, as bodies and joints\"\nplanar = true\ngravity = \"[0, -9.81, 0]\"\n"
            .to_owned();
    let mut rod = |name: String, center: String, angle: u8| {
        let _ = writeln!(
            text,
            "[body.{name}]\nmass = 1\nshape = {{ rod = {{ length = 1, axis = \"x\" }} }}\n\
             point = {{ foot = \"[-0.5, 0, 0]\", tip = \"[0.5, 0, 0]\" }}\n\
             start = {{ center = \"{center}\", attitude = \"Rz({angle} deg)\" }}"
        );
    };
    for i in 0..=count {
        rod(format!("crank{i}"), format!("[{i}, 0.5, 0]"), 90);
    }
    for i in 0..count {
        rod(format!("coupler{i}"), format!("[{i} + 0.5, 1, 0]"), 0);
    }
    let mut hinge = |name: String, first: String, second: String| {
        let _ = writeln!(
            text,
            "[joint.{name}]\ntype = \"revolute\"\nbetween = [\"{first}\", \"{second}\"]"
        );
    };
    for i in 0..=count {
        let place = format!("point(ground, [{i}, 0, 0])");
        hinge(format!("A{i}"), place, format!("crank{i}.foot"));
    }
    for i in 0..count {
        let (before, coupler, next) = (format!("crank{i}.tip"), format!("coupler{i}"), i + 1);
        hinge(format!("B{i}"), before, format!("{coupler}.foot"));
        hinge(
            format!("C{i}"),
            format!("crank{next}.tip"),
            format!("{coupler}.tip"),
        );
    }
    let _ = writeln!(
        text,
        "[start]\n\"A0.angle\" = \"90 deg\"\n\"A0.rate\" = -1\n[run]\nrecord = [\"A0.angle\", \"A{count}.angle\"]"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pendulum;
    use dalembert::mechanics::{Mechanism, read_model};
    use dalembert::simulate::RightHandSide;

    fn mechanism(text: &str) -> Mechanism {
        let (model, warnings) = read_model(text).expect("a model");
        assert!(warnings.is_empty());
        Mechanism::new(model).expect("a mechanism")
    }

    /// M and h of the pendulum by hand, with μ the mass at and below a joint:
    /// M_ij = μ_max(i,j) l_i l_j cos(θ_i − θ_j), h_i = −Σ μ_max(i,j) l_i l_j sin(θ_i − θ_j) θ_j'² − g μ_i l_i sin θ_i
    fn by_hand(values: &PendulumValues) -> (Vec<Vec<f64>>, Vec<f64>) {
        let (m, l, q, v) = (
            &values.masses,
            &values.lengths,
            &values.angles,
            &values.rates,
        );
        let n = m.len();
        let below = |i: usize| m[i..].iter().sum::<f64>();
        let couple = |i: usize, j: usize| below(i.max(j)) * l[i] * l[j];
        let mass = (0..n)
            .map(|i| (0..n).map(|j| couple(i, j) * (q[i] - q[j]).cos()).collect())
            .collect();
        let force = (0..n)
            .map(|i| {
                let turning = |j: usize| couple(i, j) * (q[i] - q[j]).sin() * v[j] * v[j];
                let weight = values.gravity * below(i) * l[i] * q[i].sin();
                -(0..n).map(turning).sum::<f64>() - weight
            })
            .collect();
        (mass, force)
    }

    #[test]
    fn the_model_file_is_the_pendulum() {
        let values = PendulumValues::new(7);
        let (mass, force) = by_hand(&values);
        let mechanism = mechanism(&pendulum(&values));
        let start = mechanism.start().expect("a start");
        let mut right = RightHandSide::new(&mechanism, &start.state);
        let y = [values.state(0), vec![0.0]].concat();
        let mut rates = vec![0.0; y.len()];
        right.derivative(0.0, &y, &mut rates).expect("a motion");
        for (row, h) in mass.iter().zip(&force) {
            let product: f64 = row.iter().zip(&rates[7..14]).map(|(m, a)| m * a).sum();
            assert!((product - h).abs() < 1e-11, "{product} is not {h}");
        }
    }

    #[test]
    fn the_lagrangian_is_the_pendulum() {
        let values = PendulumValues::new(6);
        let (mass, force) = by_hand(&values);
        let pendulum = Pendulum::derive(6);
        let program =
            dalembert_program::compile(&pendulum.graph, &pendulum.inputs, &pendulum.outputs)
                .expect("a program");
        let parameters = [values.masses.clone(), values.lengths.clone()].concat();
        let inputs = [values.state(0), parameters, vec![values.gravity]].concat();
        let mut outputs = vec![0.0; program.output_count()];
        program.eval::<1>(&mut program.workspace(), &inputs, &mut outputs);
        let lower = (0..6).flat_map(|i| mass[i][..=i].to_vec());
        let expected: Vec<f64> = lower.chain(force).collect();
        assert_eq!(expected.len(), outputs.len());
        for (found, expected) in outputs.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-12,
                "{found} is not {expected}"
            );
        }
    }

    /// The chain hangs straight and at rest: its tip falls as a compound pendulum's would, and no rod changes
    /// its length.
    #[test]
    fn the_chain_keeps_its_rods() {
        let mechanism = mechanism(&chain(5));
        let start = mechanism.start().expect("a start");
        assert!(start.position_residual < 1e-14);
        let mut right = RightHandSide::new(&mechanism, &start.state);
        let y = right.start(&start.state);
        let mut rates = vec![0.0; y.len()];
        right.derivative(0.0, &y, &mut rates).expect("a motion");
        // At rest a rod keeps its length if the difference of the accelerations is across it.
        let accelerations = &rates[10..20];
        let mut before = [0.0, 0.0];
        for mass in accelerations.chunks_exact(2) {
            let along = (mass[0] - before[0]) * 0.6 - (mass[1] - before[1]) * 0.8;
            assert!(along.abs() < 1e-12, "{along}");
            before = [mass[0], mass[1]];
        }
        // Straight, only the first rod is pulled: the others' masses fall alike across it, at g sin α cos α.
        assert!((accelerations[0] + 9.81 * 0.6 * 0.8).abs() < 1e-12);
        assert!((accelerations[8] - accelerations[0]).abs() < 1e-12);
    }
}
