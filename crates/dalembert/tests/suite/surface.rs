//! Surfaces of the models of the gallery: all rows vanish on them.

use dalembert::surface::Surface;
use dalembert::{Model, Source};
use dalembert_expr::ExprId;
use dalembert_expr::normal::{Field, Outside};
use std::fs;
use std::path::Path;

#[test]
fn rows_of_the_gallery_vanish_on_their_surfaces() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut described = 0;
    let mut unsolved = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let model = Model::load(&path).unwrap();
        let mechanism = model.mechanism().unwrap();
        let system = &mechanism.system;
        let mut graph = system.graph.clone();
        let surface = match Surface::with_dependent(&mut graph, system, (&[], &[]), None) {
            Ok(surface) => surface,
            Err(why) => {
                unsolved.push(format!("{name}: {why}"));
                continue;
            }
        };
        let rows = system.rows.iter();
        let residuals: Vec<ExprId> = rows
            .flat_map(|row| [Some(row.residual).filter(|_| row.rate.is_some()), row.rate])
            .flatten()
            .collect();
        let put = surface.put_in(&mut graph, &residuals);
        let mut field = Field::new();
        surface.declare(&graph, &mut field).unwrap();
        let vanish: Result<Vec<bool>, Outside> = field
            .take_all(&graph, &put)
            .into_iter()
            .map(|taken| field.is_zero(&taken?))
            .collect();
        match vanish {
            Ok(vanish) => assert!(vanish.iter().all(|zero| *zero), "{name}"),
            Err(why) => unsolved.push(format!("{name}: {why}")),
        }
        described += 1;
    }
    unsolved.sort();
    assert!(described >= 30, "{described}");
    // Loops in space, contact of profiles, and the bicycle: what cannot be described is known.
    let expected = [
        "bricard-iftomm-a04: the row `axis1` cannot be solved in symbols",
        "wheelset-ivp: too long to decide in symbols (the limit of terms or of work was reached)",
        "whipple-bicycle: too long to decide in symbols (the limit of terms or of work was reached)",
    ];
    assert_eq!(unsolved, expected);
}

/// At a corner of a row no rates are right: `check` and `eval` say so, however the corner is written.
#[test]
fn a_state_at_a_corner_is_refused() {
    let with = |row: &str, x: &str| {
        let text = format!(
            "dalembert = 1\n[coordinates]\nx = {x}\ny = {{ value = 0.1, priority = \"guess\" }}\n[start]\n\"x'\" = 1\n\
             [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.c]\nholds = \"{row}\"\n"
        );
        let model = Model::read(Source::new("model.toml", &text)).unwrap();
        let codes = [model.check().err(), model.eval().err()];
        codes.map(|error| error.map(|error| error.diagnostics[0].code))
    };
    for row in [
        "y = abs(x)",
        "y = sqrt(x^2)",
        "y = max(x, 0)",
        "y = 2 - min(x, 0)*3",
    ] {
        assert_eq!(with(row, "0"), [Some("E0542"); 2], "{row}");
        assert_eq!(with(row, "1e-3"), [None; 2], "{row}");
    }
    // Only the curvature jumps, or nothing.
    for row in ["y = x*abs(x)", "y = abs(x)^3", "y = abs(x + 2)", "y = x"] {
        assert_eq!(with(row, "0"), [None; 2], "{row}");
    }
    // A start that is moved into the corner.
    let moved = "dalembert = 1\n[coordinates]\nx = { value = -1.78, priority = \"guess\" }\n\
                 y = { value = -0.5, priority = \"guess\" }\n[start]\n\"x'\" = { value = 0.7, priority = \"guess\" }\n\
                 [energy]\nkinetic = \"x'^2/4 + 3*y'^2/2\"\n\
                 [constraint.c]\nholds = \"y = sqrt(x^2)\"\n";
    let model = Model::read(Source::new("model.toml", moved)).unwrap();
    assert_eq!(model.eval().unwrap_err().diagnostics[0].code, "E0542");
}
