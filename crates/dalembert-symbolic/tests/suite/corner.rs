//! Corners of rows, however they are written.

use dalembert_mechanics::{Mechanism, read_model};
use dalembert_symbolic::surface::corner;

fn corner_of(row: &str, x: &str) -> Option<usize> {
    let text = format!(
        "dalembert = 1\n[coordinates]\nx = {x}\ny = {{ value = 0.1, priority = \"guess\" }}\n[start]\n\"x'\" = 1\n\
         [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n[constraint.c]\nholds = \"{row}\"\n"
    );
    let (model, _) = read_model(&text).unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    let start = mechanism.start().unwrap().state;
    corner(&mechanism, &start).map(|row| row.index())
}

#[test]
fn slopes_that_jump_are_corners() {
    for row in [
        "y = abs(x)",
        "y = sqrt(x^2)",
        "y = max(x, 0)",
        "y = 2 - min(x, 0)*3",
    ] {
        assert_eq!(corner_of(row, "0"), Some(0), "{row}");
        assert_eq!(corner_of(row, "1e-3"), None, "{row}");
    }
}

/// Only the curvature jumps, or nothing.
#[test]
fn slopes_that_do_not_jump_are_none() {
    for row in ["y = x*abs(x)", "y = abs(x)^3", "y = abs(x + 2)", "y = x"] {
        assert_eq!(corner_of(row, "0"), None, "{row}");
    }
}
