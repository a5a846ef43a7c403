//! Rows of the gallery, and systems as large as they get.

use super::{Rows, examined, integrals, letters};

macro_rules! example {
    ($name:literal) => {
        include_str!(concat!("../../../../examples/", $name, ".toml"))
    };
}

#[test]
fn the_vertical_row_of_a_rolling_disk_is_found() {
    let doctor = examined(example!("rolling-disk"));
    assert_eq!(letters(&doctor), "nnh");
    assert_eq!(integrals(&doctor), ["z - r*cos(theta)"]);
    let diagnosis = &doctor.diagnosis;
    assert_eq!((diagnosis.reached, diagnosis.proved), (Some(5), true));
    assert_eq!(diagnosis.growth, [3, 4, 5]);
}

/// Heights of both wheels; of the rest, everything is reached (Meijaard et al. 2007, section 4: seven positions, three velocities).
#[test]
fn the_vertical_rows_of_a_bicycle_are_found() {
    let doctor = examined(example!("whipple-bicycle"));
    assert_eq!(letters(&doctor), "nnhnnh");
    let diagnosis = &doctor.diagnosis;
    assert_eq!((diagnosis.reached, diagnosis.proved), (Some(7), true));
    let found = integrals(&doctor);
    assert_eq!(found[0], "z - rR*cos(phi)");
    assert!(
        found.len() == 2 && found[1].contains("rF*sqrt("),
        "{found:?}"
    );
}

/// A gear train is holonomic though it is written in rates, an axle is so in part.
#[test]
fn gears_and_axles() {
    let doctor = examined(example!("angeles-gear-train"));
    assert_eq!(
        (letters(&doctor).as_str(), doctor.diagnosis.reached),
        ("hh", Some(2))
    );
    let doctor = examined(example!("angeles-axle"));
    assert_eq!(
        (letters(&doctor).as_str(), doctor.diagnosis.reached),
        ("nnh", Some(4))
    );
    let doctor = examined(example!("tractor-trailer"));
    assert_eq!(
        (letters(&doctor).as_str(), doctor.diagnosis.reached),
        ("nnn", Some(4))
    );
}

/// Fifty rows in sixty coordinates: many small systems are as quick as one; one that hangs together ends, and says nothing wrong.
#[test]
fn many_rows_come_to_an_end() {
    let mut coordinates = Vec::new();
    let mut rows = Vec::new();
    for k in 0..20 {
        coordinates.extend([format!("x{k}"), format!("y{k}"), format!("z{k}")]);
        rows.push(format!("z{k}' - y{k}*x{k}'"));
    }
    for k in 0..15 {
        rows.push(format!("x{k}' - r*y{k}'"));
    }
    let many = Rows {
        coordinates,
        positions: Vec::new(),
        velocities: rows,
    };
    let doctor = many.examined();
    assert_eq!(letters(&doctor), "hhhhhhhhhhhhhhhnnnnnhhhhhhhhhhhhhhh");
    assert_eq!(doctor.diagnosis.reached, Some(60 - 30));
    // A chain in which each row needs the one before it.
    let names: Vec<String> = (0..60).map(|k| format!("q{k}")).collect();
    let row = |k: usize| format!("q{}' - sin(q{})*q0' - q{}*q{}'", k + 2, k + 1, k, k + 9);
    let chain = Rows {
        coordinates: names,
        positions: Vec::new(),
        velocities: (0..50).map(row).collect(),
    };
    let doctor = chain.examined();
    assert_eq!(letters(&doctor), "n".repeat(50));
    assert_eq!(doctor.diagnosis.growth, [10, 26, 60]);
}
