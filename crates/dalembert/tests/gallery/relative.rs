//! `coordinates = "relative"`: the same mechanisms in coordinates of their joints move as free bodies with constraints do.

use crate::support::{at, ran, read, text};
use dalembert::mechanics::Mechanism;
use dalembert::mechanics::formulation::Formulation;
use dalembert::simulate::{RunOptions, Simulation};

/// The mechanism with these records, in absolute or relative coordinates.
fn mechanism(name: &str, coordinates: &str, record: &[&str]) -> Mechanism {
    let text = text(&format!("mechanisms/{name}"));
    let head = format!("dalembert = 1\ncoordinates = \"{coordinates}\"");
    let text = text.replacen("dalembert = 1", &head, 1);
    // The governor, which is stiff, for a part of its time.
    let text = text.replace("\"10 s\"\n", "\"0.3 s\"\n");
    let text = text.replace("step   = \"0.1 s\"", "step   = \"0.005 s\"");
    let start = text.rfind("record").unwrap();
    let quoted: Vec<String> = record.iter().map(|it| format!("\"{it}\"")).collect();
    let text = format!("{}record = [{}]\n", &text[..start], quoted.join(", "));
    read(&text).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

/// Columns agree over the run; by relative coordinates there are so many coordinates and rows.
fn same(name: &str, [coordinates, rows]: [usize; 2], record: &[&str], tolerance: f64) {
    let [absolute, relative] = ["absolute", "relative"].map(|it| mechanism(name, it, record));
    assert_eq!(relative.coordinate_names().count(), coordinates, "{name}");
    assert_eq!(relative.system.rows.len(), rows, "{name}");
    let [absolute, relative] = [absolute, relative].map(|it| ran(&it, &at(1e-12)).unwrap());
    agree(name, &relative, &absolute, record, tolerance);
}

fn agree(name: &str, found: &Simulation, wanted: &Simulation, record: &[&str], tolerance: f64) {
    for column in record {
        let values = |run: &Simulation| {
            let found = run.table.column(column);
            found.unwrap_or_else(|| panic!("{column}")).values.to_vec()
        };
        let (found, wanted) = (values(found), values(wanted));
        assert!(found.len() > 50 && found.len() == wanted.len());
        let size = wanted.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        assert!(size > 0.0, "{name}: {column} is zero throughout");
        for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert!(
                (found - wanted).abs() <= tolerance * size,
                "{name}: {column} in row {i} is {found} and not {wanted}"
            );
        }
    }
}

#[test]
fn in_the_plane() {
    same("pendulum-iftomm-a01", [1, 0], &["bar.x", "bar.y'"], 1e-9);
    let records = [
        "slider.x",
        "rod.angle",
        "A.angle",
        "S.rate",
        "rod.y'",
        "energy",
    ];
    same("slider-crank", [3, 2], &records, 1e-8);
    // A joint whose reaction is asked for stays a constraint, with the reaction it had: the rod hangs on the slider then.
    let records = ["slider.x", "lambda(B.0)", "lambda(B.1)"];
    same("slider-crank", [3, 2], &records, 1e-7);
}

#[test]
fn in_space() {
    let records = ["arm1.x", "arm2.q0", "slider.z", "shaft.wz", "arm1.vy"];
    same("governor-iftomm-a05", [4, 0], &records, 1e-7);
}

/// Boxes on hinges about y and z in turn, straight and at rest: entries of their rows that vanish only by rounding say nothing of the others.
#[test]
fn a_chain_in_space_from_rest() {
    let record = [
        "link0.z",
        "link4.x",
        "link9.z",
        "link9.q2",
        "link9.vx",
        "hinge0.angle",
        "hinge2.angle",
    ];
    let chain = |coordinates: &str| {
        let quoted: Vec<String> = record.iter().map(|it| format!("\"{it}\"")).collect();
        let mut text = format!(
            r#"dalembert = 1
coordinates = "{coordinates}"
gravity = "[0, 0, -9.81]"
[repeat.chain]
count = 10
[repeat.chain.body.link]
mass = 1
shape = {{ box = {{ size = [1, 0.1, 0.2] }} }}
point = {{ foot = "[-0.5, 0, 0]", tip = "[0.5, 0, 0]" }}
start = {{ center = "[{{i}} + 0.5, 0, 0]" }}
[run]
span = "0.5 s"
samples = 51
record = [{}]
"#,
            quoted.join(", ")
        );
        for i in 0..10 {
            let on = match i {
                0 => "ground".to_owned(),
                _ => format!("link{}.tip", i - 1),
            };
            let axis = ["[0, 1, 0]", "[0, 0, 1]"][i % 2];
            text += &format!(
                "[joint.hinge{i}]\ntype = \"revolute\"\naxis = \"{axis}\"\nbetween = [\"{on}\", \"link{i}.foot\"]\n"
            );
        }
        read(&text).unwrap_or_else(|errors| panic!("{errors}"))
    };
    let [absolute, relative] = ["absolute", "relative"].map(chain);
    let wanted = ran(&relative, &at(1e-12)).unwrap();
    for formulation in [Formulation::Multipliers, Formulation::Projection] {
        let options = RunOptions {
            formulation: Some(formulation),
            ..at(1e-12)
        };
        let found = ran(&absolute, &options).unwrap();
        agree(&format!("{formulation:?}"), &found, &wanted, &record, 1e-9);
    }
}

/// Twenty loops that all lie flat at once, in compressed matrices: on the chart across M counts whole, and cranks stay parallel.
#[test]
fn change_points_of_many_loops() {
    let mut text = "dalembert = 1\ntitle = \"N-four-bar\"\nplanar = true\ncoordinates = \"relative\"\ngravity = \"[0, -9.81, 0]\"\n".to_owned();
    let count = 20;
    for i in 0..=2 * count {
        let (name, place, angle) = match i <= count {
            true => (format!("crank{i}"), format!("[{i}, 0.5, 0]"), 90),
            false => (
                format!("coupler{}", i - count - 1),
                format!("[{} - 0.5, 1, 0]", i - count),
                0,
            ),
        };
        text += &format!(
            "[body.{name}]\nmass = 1\nshape = {{ rod = {{ length = 1, axis = \"x\" }} }}\n\
             point = {{ foot = \"[-0.5, 0, 0]\", tip = \"[0.5, 0, 0]\" }}\n\
             start = {{ center = \"{place}\", attitude = \"Rz({angle} deg)\" }}\n"
        );
    }
    let mut hinge = |name: String, first: String, second: String| {
        text += &format!(
            "[joint.{name}]\ntype = \"revolute\"\nbetween = [\"{first}\", \"{second}\"]\n"
        );
    };
    for i in 0..=count {
        hinge(
            format!("A{i}"),
            format!("point(ground, [{i}, 0, 0])"),
            format!("crank{i}.foot"),
        );
    }
    for i in 0..count {
        hinge(
            format!("B{i}"),
            format!("crank{i}.tip"),
            format!("coupler{i}.foot"),
        );
        hinge(
            format!("C{i}"),
            format!("crank{}.tip", i + 1),
            format!("coupler{i}.tip"),
        );
    }
    text += "[start]\n\"A0.angle\" = \"90 deg\"\n\"A0.rate\" = -1\n[run]\nspan = 1\nsamples = 11\nrecord = [\"A0.angle\", \"A20.angle\", \"energy\"]\n";
    let mechanism = read(&text).unwrap_or_else(|error| panic!("{error}"));
    let run = ran(&mechanism, &at(1e-8)).unwrap();
    let column = |name: &str| run.table.column(name).unwrap().values.to_vec();
    let (first, last, energy) = (column("A0.angle"), column("A20.angle"), column("energy"));
    assert!(
        first[0] > 1.5 && first[10] < -0.2,
        "past the place where all lie flat: {first:?}"
    );
    for i in 0..first.len() {
        assert!((first[i] - last[i]).abs() < 1e-7 && (energy[i] - energy[0]).abs() < 1e-5);
    }
}
