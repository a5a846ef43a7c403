//! Everything from the text of a file to its equations in expressions takes work in proportion to
//! the number of elements, for models with mistakes as well.
//!
//! Work is counted in bytes that are allocated: whatever is copied, marked or collected for each
//! element shows there, where time would depend on the machine.

use crate::allocation::BYTES;
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::lower::{lower, physical};
use dalembert_mechanics::values::parameter_values;
use dalembert_mechanics::{dimensions, read_model};
use std::fmt::Write;

const HEAD: &str =
    "dalembert = 1\n[parameters]\nm = \"1 kg\"\nl = \"0.1 m\"\nk = \"9 N/m\"\ng = \"9.81 m/s^2\"\n";

/// What it is called, its text by the number of elements, and how many mistakes are shown.
type Shape = (&'static str, fn(usize) -> String, usize);

fn coordinates(n: usize, each: &[&str]) -> String {
    let mut text = "[coordinates]\n".to_owned();
    for i in 0..n {
        for name in each {
            writeln!(text, "{name}{i} = \"{i}*l\"").unwrap();
        }
    }
    text
}

fn particles(n: usize) -> String {
    let mut text = coordinates(n, &["x", "y"]);
    for i in 0..n {
        write!(
            text,
            "[particle.P{i}]\nmass = \"m\"\nposition = \"[x{i}, y{i}, 0]\"\n"
        )
        .unwrap();
    }
    text
}

/// Masses in the plane on rods, with their powers recorded.
fn rods(n: usize) -> String {
    let mut text = format!("gravity = \"[0, -g, 0]\"\n{HEAD}{}", particles(n));
    text += "[constraint.rod0]\nholds = \"x0^2 + y0^2 = l^2\"\n";
    let mut record = Vec::new();
    for i in 1..n {
        let j = i - 1;
        let holds = format!("(x{i} - x{j})^2 + (y{i} - y{j})^2 = l^2");
        write!(text, "[constraint.rod{i}]\nholds = \"{holds}\"\n").unwrap();
        record.push(format!("\"lambda(rod{i})\""));
    }
    writeln!(text, "[run]\nrecord = [{}]", record.join(", ")).unwrap();
    text
}

/// Masses on springs with dampers, each pushed by a force.
fn springs(n: usize) -> String {
    let mut text = format!("{HEAD}{}", particles(n));
    for i in 1..n {
        let j = i - 1;
        write!(
            text,
            "[spring.S{i}]\nbetween = [\"P{j}\", \"P{i}\"]\nstiffness = \"k\"\nlength = \"l\"\n\
             damping = 1\n[force.F{i}]\non = \"P{i}\"\nvector = \"[0, 1 N, 0]\"\n"
        )
        .unwrap();
    }
    text
}

/// A chain in the words of Lagrange: two formulas of n terms.
fn energies(n: usize) -> String {
    let sum = |term: &dyn Fn(usize) -> String| (1..n).map(term).collect::<Vec<_>>().join(" + ");
    let kinetic = sum(&|i| format!("m/2*x{i}'^2"));
    let potential = sum(&|i| format!("k/2*(x{i} - x{})^2", i - 1));
    let coordinates = coordinates(n, &["x"]);
    format!(
        "{HEAD}{coordinates}[energy]\nkinetic = \"m/2*x0'^2 + {kinetic}\"\npotential = \"{potential}\"\n"
    )
}

/// Rods that are bodies, hinged to each other by rows of positions and of velocities.
fn bodies(n: usize) -> String {
    let mut text = format!("{HEAD}{}", coordinates(n, &["x", "y"]));
    for i in 0..n {
        writeln!(text, "a{i} = 0").unwrap();
    }
    for i in 0..n {
        write!(
            text,
            "[body.B{i}]\nmass = \"m\"\nshape = {{ rod = {{ length = \"l\", axis = \"x\" }} }}\n\
             center = \"[x{i}, y{i}, 0]\"\nattitude = \"Rz(a{i})\"\n\
             point = {{ foot = \"[-l/2, 0, 0]\", tip = \"[l/2, 0, 0]\" }}\n"
        )
        .unwrap();
    }
    for i in 1..n {
        let j = i - 1;
        let holds = match i % 2 {
            0 => format!("B{i}.foot = B{j}.tip"),
            _ => format!("vel(B{i}, at = B{i}.foot) = vel(B{j}, at = B{j}.tip)"),
        };
        write!(text, "[constraint.J{i}]\nholds = \"{holds}\"\n").unwrap();
    }
    text
}

/// Bodies on hinges in space, in coordinates of their own: far fewer of them, each of which is much.
fn links(n: usize) -> String {
    let mut text = "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n".to_owned();
    for i in 0..n / 20 {
        let before = match i {
            0 => "ground".to_owned(),
            _ => format!("link{}.tip", i - 1),
        };
        write!(
            text,
            "[body.link{i}]\nmass = 1\nshape = {{ box = {{ size = [1, 0.1, 0.2] }} }}\n\
             point = {{ foot = \"[-0.5, 0, 0]\", tip = \"[0.5, 0, 0]\" }}\n\
             [joint.hinge{i}]\ntype = \"revolute\"\nbetween = [\"{before}\", \"link{i}.foot\"]\n\
             axis = \"[0, 1, 0]\"\n"
        )
        .unwrap();
    }
    text
}

/// Quasi-velocities, a long chain of parameters and one of definitions.
fn speeds(n: usize) -> String {
    let mut text = "dalembert = 1\n[parameters]\np0 = 1\n".to_owned();
    for i in 1..n {
        writeln!(text, "p{i} = \"p{}*1.01 + p0\"", i - 1).unwrap();
    }
    text += "[definitions]\nd0 = \"x0\"\n";
    for i in 1..n {
        writeln!(text, "d{i} = \"d{} + p{i}\"", i - 1).unwrap();
    }
    text += &coordinates(n, &["x"]).replace("*l", "");
    text += "[speeds]\nv0 = \"x0'\"\n";
    for i in 1..n {
        writeln!(text, "v{i} = \"x{i}' - x{}'\"", i - 1).unwrap();
    }
    for i in 0..n {
        write!(
            text,
            "[particle.P{i}]\nmass = \"p{i}\"\nposition = \"[x{i}, 0, 0]\"\n\
             [constraint.c{i}]\nholds = \"v{i} = t\"\n"
        )
        .unwrap();
    }
    writeln!(text, "[force.F]\ngeneralized = {{ x0 = \"d{}\" }}", n - 1).unwrap();
    text
}

/// Every position has an unknown name in it.
fn misspelt(n: usize) -> String {
    rods(n).replace("\"[x", "\"[xx")
}

/// Every particle has an unknown key, and every rod a mistake in its formula.
fn malformed(n: usize) -> String {
    rods(n)
        .replace("position", "positionn")
        .replace("l^2", "l^^2")
}

/// Reads and lowers a model; the mistakes in it.
fn set_up(text: &str) -> Result<(), Vec<Diagnostic>> {
    let (model, _) = read_model(text)?;
    let system = lower(&model)?;
    assert_eq!(dimensions::check(&model), []);
    let units = dimensions::units_of(&model).coordinates;
    assert_eq!(units.len(), model.coordinates.len());
    parameter_values(&model, &system).map(|_| ())
}

#[test]
fn work_grows_with_the_number_of_elements() {
    let shapes: [Shape; 8] = [
        ("rods", rods, 0),
        ("springs", springs, 0),
        ("energies", energies, 0),
        ("bodies", bodies, 0),
        ("links", links, 0),
        ("speeds", speeds, 0),
        ("misspelt", misspelt, 51),
        ("malformed", malformed, 51),
    ];
    for (name, shape, mistakes) in shapes {
        let bytes = |n: usize| {
            let text = shape(n);
            let before = BYTES.get();
            let errors = set_up(&text).err().unwrap_or_default();
            assert_eq!(errors.len(), mistakes, "{name}: {:?}", errors.first());
            (BYTES.get() - before) as f64
        };
        // Eight times as many elements; lists that grow by doubling add at most a quarter.
        let (few, many) = (bytes(500), bytes(4_000));
        assert!(many <= 10.0 * few, "{name}: {few} bytes, then {many}");
    }
}

/// Forces on particles and bodies too, for all rows and all given forces.
#[test]
fn physical_forces_cost_what_the_elements_cost() {
    let shapes: [Shape; 5] = [
        ("rods", rods, 0),
        ("springs", springs, 0),
        ("energies", energies, 0),
        ("bodies", bodies, 0),
        ("speeds", speeds, 0),
    ];
    for (name, shape, _) in shapes {
        let bytes = |n: usize| {
            let (model, _) = read_model(&shape(n)).unwrap();
            let before = BYTES.get();
            let found = physical(&model);
            assert_eq!(
                found.resultants.len(),
                model.particles.len() + model.bodies.len()
            );
            assert!(found.rows.iter().all(Result::is_ok), "{name}");
            (BYTES.get() - before) as f64
        };
        let (few, many) = (bytes(250), bytes(2_000));
        assert!(many <= 10.0 * few, "{name}: {few} bytes, then {many}");
    }
}

/// Fifty mistakes are shown in the order of the file, each with its suggestion, and then their number.
#[test]
fn of_many_mistakes_the_first_are_shown() {
    for (name, text, more) in [
        ("misspelt", misspelt(1_000), 950),
        ("malformed", malformed(1_000), 1_950),
    ] {
        let errors = set_up(&text).unwrap_err();
        assert_eq!(errors.len(), 51, "{name}");
        assert!(errors.iter().all(|error| error.help.is_some()), "{name}");
        let last = &errors[50].message;
        assert_eq!(*last, format!("{more} more mistakes are not shown"));
    }
}
