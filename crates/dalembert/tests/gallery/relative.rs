//! `coordinates = "relative"`: the same mechanisms in coordinates of their joints move as free bodies with constraints do.

use crate::support::{at, ran, read, text};
use dalembert::mechanics::Mechanism;

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
    for column in record {
        let values = |run: &dalembert::simulate::Simulation| {
            let found = run.table.column(column);
            found.unwrap_or_else(|| panic!("{column}")).values.to_vec()
        };
        let (found, wanted) = (values(&relative), values(&absolute));
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
