//! Linear means linear for every value: a function that jumps has no slope that tells.

use dalembert_mechanics::{Mechanism, read_model};

/// A particle in a plane with something more; the codes of what is refused.
fn refused(more: &str) -> Vec<&'static str> {
    let text = format!(
        "dalembert = 1\n[parameters]\nk = 2\nc = 3\n[coordinates]\nx = 1\ny = 2\n[start]\n\"x'\" = 0.5\n{more}"
    );
    let (model, _) = read_model(&text).unwrap();
    let errors = Mechanism::new(model).err().unwrap_or_default();
    errors.iter().map(|error| error.code).collect()
}

fn with_row(row: &str) -> Vec<&'static str> {
    refused(&format!(
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[constraint.c]\nholds = \"{row}\"\n"
    ))
}

fn with_energy(energy: &str) -> Vec<&'static str> {
    refused(&format!("[energy]\n{energy}\n"))
}

#[test]
fn rows_that_jump_in_what_they_determine_are_refused() {
    let wrong = [
        ("x'' + sign(x'') = 3", "E0431"),
        ("x'' + y*sign(y'' - 1000) = 3", "E0431"),
        ("abs(x'') = 3", "E0431"),
        ("max(x'', 0) = 3", "E0431"),
        ("x'' + atan(y'') + atan(1/y'') = 3", "E0431"),
        ("x' + sign(x') = 3", "E0417"),
        ("sign(x') = 1", "E0417"),
        ("y = sign(x)", "E0417"),
        ("sign(x - y)*x = 1", "E0417"),
        ("y = sign(x^2 - 1)", "E0417"),
        ("y = x + sign(sin(x))*cos(x)", "E0417"),
        ("y = sign(t - 1)", "E0417"),
        ("y = x*(2 + sign(sin(t) - 0.9))", "E0417"),
        ("x' = y*sign(t - 1)", "E0417"),
    ];
    for (row, code) in wrong {
        assert_eq!(with_row(row), [code], "{row}");
    }
    let right = [
        "x'' + sign(x')*y'' = 3",
        "x'' + sign(x) = 3",
        "x'' = sign(t - 1)",
        "y = (t - 1)*abs(t - 1)",
        "2*(x'' + y*y'') - x*(x'' + 1) = 3*y",
        "y' = abs(x')",
        "y = x*abs(x)",
        "y = x^2*sign(x)",
        "y' = sign(x)*x'",
        "y = (x^2 - 1)*sign(x^2 - 1)",
        "y = sign(sin(x))*sin(2*x)",
        "y = sign(1 + x^2)",
    ];
    for row in right {
        assert!(with_row(row).is_empty(), "{row}: {:?}", with_row(row));
    }
}

#[test]
fn whether_a_velocity_row_is_linear_is_told_for_every_value() {
    let linear = |row: &str| {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = 1\ny = 2\n[start]\n\"x'\" = 0.5\n\"y'\" = \"?\"\n[energy]\n\
             kinetic = \"(x'^2 + y'^2)/2\"\n[constraint.c]\nholds = \"{row}\"\n"
        );
        let (model, _) = read_model(&text).unwrap();
        Mechanism::new(model).unwrap().system.rows[0].linear
    };
    assert!(linear("y' = sign(x)*x'"));
    assert!(linear("2*(x' + y*y') - x*(x' + 1) = 3*y"));
    assert!(!linear("y' = abs(x')"));
    assert!(!linear("y' = x'*sign(x')"));
}

#[test]
fn speeds_that_jump_are_refused() {
    let with = |speed: &str| {
        refused(&format!(
            "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[speeds]\nw1 = \"{speed}\"\nw2 = \"y'\"\n"
        ))
    };
    for speed in [
        "x' + sign(x')",
        "abs(x')",
        "x' + sign(y' - 100)",
        "max(x', -5)",
    ] {
        assert_eq!(with(speed), ["E0421"], "{speed}");
    }
    for speed in ["x' + sign(x)", "sign(x)*x' + 3", "x'*cos(y) - y'"] {
        assert!(with(speed).is_empty(), "{speed}");
    }
}

#[test]
fn positions_and_attitudes_that_jump_are_refused() {
    let particle = |position: &str| {
        refused(&format!(
            "[particle.P]\nmass = 1\nposition = \"{position}\"\n"
        ))
    };
    let body = |attitude: &str| {
        refused(&format!(
            "[body.B]\nmass = 1\ninertia = [1, 1, 1]\ncenter = \"[x, y, 0]\"\nattitude = \"{attitude}\"\n"
        ))
    };
    for wrong in [
        "[sign(x), y, 0]",
        "[x, y*sign(x), 0]",
        "[x, y + sign(x^2 - 1), 0]",
        "[x, y, sign(t - 1)]",
        "[x, y + x*sign(sin(3*t)), 0]",
    ] {
        assert_eq!(particle(wrong), ["E0417"], "{wrong}");
    }
    for wrong in ["Rz(sign(x))", "Rx(y) Rz(x*sign(y))", "Rz(x + sign(t - 2))"] {
        assert_eq!(body(wrong), ["E0417"], "{wrong}");
    }
    for right in [
        "[x, y, 0]",
        "[x*sign(x), y, 0]",
        "[x, y, (t - 1)^2*sign(t - 1)]",
        "[x, y, (x^2 - 1)*sign(x^2 - 1)]",
    ] {
        assert!(particle(right).is_empty(), "{right}: {:?}", particle(right));
    }
    assert!(body("Rz(x*sign(x))").is_empty());
}

#[test]
fn energies_that_jump_are_refused() {
    let plane = "kinetic = \"(x'^2 + y'^2)/2\"";
    let wrong = [
        format!("{plane}\npotential = \"k*sign(x)\""),
        format!("{plane}\npotential = \"k*x*(1 + sign(x - y))\""),
        format!("{plane}\ndissipation = \"c*sign(x' - y')\""),
        "kinetic = \"(x'^2 + y'^2)/2 + sign(x')\"".to_owned(),
        "kinetic = \"(x'^2 + y'^2)/2 + abs(x')\"".to_owned(),
        "kinetic = \"(x'^2 + y'^2)*(2 + sign(x))/2\"".to_owned(),
        "kinetic = \"(x'^2 + y'^2)*(2 + sign(t - 1))/2\"".to_owned(),
    ];
    for energy in wrong {
        let found = with_energy(&energy);
        assert!(found.contains(&"E0417"), "{energy}: {found:?}");
    }
    let right = [
        format!("{plane}\npotential = \"k*x^2*(1 + sign(x))/4\""),
        format!("{plane}\npotential = \"k*abs(x - y)\""),
        format!("{plane}\ndissipation = \"c*abs(x')\""),
        format!("{plane}\ndissipation = \"c*(1 + sign(x))*x'^2/2\""),
        format!("{plane}\ndissipation = \"c*x'^2*(2 + sign(x'))/2\""),
        "kinetic = \"(x'^2 + y'^2)/2 + x'^2*(2 + sign(x'))\"".to_owned(),
    ];
    for energy in right {
        let found = with_energy(&energy);
        assert!(found.is_empty(), "{energy}: {found:?}");
    }
}
