//! What a mechanism does depends neither on names nor on the order of its tables, nor on where the frame of the ground stands, nor on the units that
//! numbers are in: accelerations and reactions of a loop in space, written in many ways.

use super::Now;

type Vector = [f64; 3];

/// The loop as it is written: a crank on a hinge, a rod on its tip, whose other end keeps its distance from a point of the ground.
struct Written {
    /// Of crank, rod, hinge, ball and stay.
    names: [&'static str; 5],
    /// Tables come last first.
    reversed: bool,
    /// The frame of the ground is turned about z, by sine and cosine, and moved.
    turn: [f64; 2],
    shift: Vector,
    /// Numbers for a metre, a kilogram and a second.
    units: [f64; 3],
}

const PLAIN: Written = Written {
    names: ["crank", "rod", "hinge", "ball", "stay"],
    reversed: false,
    turn: [0.0, 1.0],
    shift: [0.0; 3],
    units: [1.0; 3],
};

impl Written {
    /// A vector of the ground as it is seen.
    fn seen(&self, [x, y, z]: Vector, size: f64) -> Vector {
        let [sine, cosine] = self.turn;
        [cosine * x - sine * y, sine * x + cosine * y, z].map(|part| part * size)
    }

    fn vector(&self, vector: Vector, size: f64) -> String {
        let [x, y, z] = self.seen(vector, size);
        format!("[{x:?}, {y:?}, {z:?}]")
    }

    fn place(&self, [x, y, z]: Vector) -> String {
        let [a, b, c] = self.shift;
        let (seen, metre) = (self.seen([x, y, z], 1.0), self.units[0]);
        let [x, y, z] = [seen[0] + a, seen[1] + b, seen[2] + c].map(|part| part * metre);
        format!("[{x:?}, {y:?}, {z:?}]")
    }

    /// Numbers for a unit of acceleration, force and moment.
    fn sizes(&self) -> [f64; 3] {
        let [metre, kilogram, second] = self.units;
        let acceleration = metre / (second * second);
        let force = kilogram * acceleration;
        [acceleration, force, force * metre]
    }

    fn text(&self) -> String {
        let [crank, rod, hinge, ball, stay] = self.names;
        let [metre, kilogram, second] = self.units;
        let [acceleration, force, moment] = self.sizes();
        let attitude = format!("Rz({:?})", self.turn[0].atan2(self.turn[1]));
        let body = |name: &str, mass: f64, inertia: Vector, center: Vector| {
            let inertia = inertia.map(|moment| moment * kilogram * metre * metre);
            let (mass, half, center) = (mass * kilogram, 0.5 * metre, self.place(center));
            format!(
                "[body.{name}]\nmass = {mass:?}\ninertia = {inertia:?}\n\
                 point = {{ foot = \"[-{half:?}, 0, 0]\", tip = \"[{half:?}, 0, 0]\" }}\n\
                 start = {{ center = \"{center}\", attitude = \"{attitude}\" }}\n"
            )
        };
        let mut tables = [
            body(crank, 2.0, [0.1, 0.3, 0.35], [0.5, 0.0, 0.0]),
            body(rod, 1.5, [0.05, 0.2, 0.22], [1.5, 0.0, 0.0]),
            format!(
                "[joint.{hinge}]\ntype = \"revolute\"\naxis = \"{}\"\nattitude = \"{attitude}\"\n\
                 between = [\"point(ground, {})\", \"{crank}.foot\"]\n",
                self.vector([0.0, 1.0, 0.0], 1.0),
                self.place([0.0; 3])
            ),
            format!(
                "[joint.{ball}]\ntype = \"spherical\"\nbetween = [\"{crank}.tip\", \"{rod}.foot\"]\n"
            ),
            format!(
                "[joint.{stay}]\ntype = \"distance\"\nlength = {:?}\nbetween = [\"point(ground, {})\", \"{rod}.tip\"]\n",
                1.5 * metre,
                self.place([2.0, 1.5, 0.0])
            ),
            format!(
                "[force.push]\non = \"{rod}\"\nat = \"{rod}.tip\"\nvector = \"{}\"\ntorque = \"{}\"\n",
                self.vector([0.3, -0.7, 1.1], force),
                self.vector([0.2, 0.4, -0.1], moment)
            ),
            format!(
                "[spring.torsion]\non = \"{hinge}.angle\"\nstiffness = {:?}\nlength = 0.4\ndamping = {:?}\n",
                3.0 * moment,
                0.2 * moment * second
            ),
            format!(
                "[start]\n\"{hinge}.angle\" = 0\n\"{hinge}.rate\" = {:?}\n\
                 \"{rod}.wx\" = {:?}\n\"{rod}.wy\" = {:?}\n\"{rod}.wz\" = 0\n",
                2.0 / second,
                0.5 / second,
                -1.0 / second
            ),
        ];
        if self.reversed {
            tables.reverse();
        }
        let gravity = self.vector([0.0, 0.0, -9.81], acceleration);
        format!("gravity = \"{gravity}\"\n{}", tables.concat())
    }

    /// Accelerations of mass centres, and reactions on bodies, in the frame and the units of the plain mechanism.
    fn found(&self) -> Vec<f64> {
        let now = Now::written(&self.text());
        let [crank, rod, hinge, ball, stay] = self.names;
        let [acceleration, force, moment] = self.sizes();
        let [sine, cosine] = self.turn;
        let plain = |[x, y, z]: Vector, size: f64| {
            [cosine * x + sine * y, cosine * y - sine * x, z].map(|part| part / size)
        };
        let mut all = Vec::new();
        for body in [crank, rod] {
            let parts = ["x", "y", "z"].map(|part| now.acceleration(&format!("{body}.{part}")));
            all.extend(plain(parts, acceleration));
        }
        for (joint, body) in [(hinge, crank), (ball, crank), (ball, rod), (stay, rod)] {
            let reaction = now.reaction(joint, body);
            all.extend(plain(reaction.force, force));
            all.extend(plain(reaction.moment, moment));
        }
        all
    }
}

#[track_caller]
fn same(written: &Written) {
    let (found, wanted) = (written.found(), PLAIN.found());
    // Nothing is compared with nothing: accelerations, forces and moments are there.
    assert!(
        wanted.iter().filter(|it| it.abs() > 0.1).count() > 15,
        "{wanted:?}"
    );
    for (i, (a, b)) in found.iter().zip(&wanted).enumerate() {
        assert!((a - b).abs() <= 1e-10, "entry {i}: {a} and not {b}");
    }
}

#[test]
fn names_do_not_matter() {
    same(&Written {
        names: ["z", "a0", "zz", "m", "b"],
        ..PLAIN
    });
}

#[test]
fn the_order_of_tables_does_not_matter() {
    same(&Written {
        reversed: true,
        ..PLAIN
    });
}

#[test]
fn the_frame_of_the_ground_does_not_matter() {
    same(&Written {
        turn: [0.6, 0.8],
        shift: [2.0, -1.0, 3.0],
        ..PLAIN
    });
}

/// Numbers of lengths, masses and times that are a thousand times as large, or as small.
#[test]
fn units_do_not_matter() {
    for units in [
        [1e3, 1.0, 1.0],
        [1e-3, 1e3, 1.0],
        [1.0, 1e-2, 1e3],
        [1e2, 1e3, 1e-2],
    ] {
        same(&Written { units, ..PLAIN });
    }
}

#[test]
fn all_together_does_not_matter() {
    same(&Written {
        names: ["z", "a0", "zz", "m", "b"],
        reversed: true,
        turn: [-0.28, 0.96],
        shift: [0.5, 4.0, -2.0],
        units: [1e2, 1e3, 1e-1],
    });
}
