//! Tables of results: their columns, their rows, and figures of them.

use super::{Folder, document};
use crate::run;
use std::collections::BTreeSet;
use std::fs;

/// The first line of a result file and the number of its rows.
fn columns(path: &str) -> (Vec<String>, usize) {
    let text = fs::read_to_string(path).expect("a result");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header = lines.next().expect("a header");
    (
        header.split(',').map(str::to_owned).collect(),
        lines.count(),
    )
}

const STATE: [&str; 13] = [
    "t", "x", "y", "z", "psi", "theta", "phi", "x'", "y'", "z'", "psi'", "theta'", "phi'",
];

#[test]
fn columns_stand_in_the_order_of_the_contract() {
    let folder = Folder::new("columns");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.csv"));
    let ran = run(&["run", &model, "--out", &out, "--quiet"]);
    assert_eq!((ran.code, ran.out.trim(), ran.err.as_str()), (0, "", ""));
    let (found, rows) = columns(&out);
    assert_eq!(rows, 11);
    assert_eq!(found[..13], STATE);
    assert_eq!(
        found[13..17],
        ["vel(disk).x", "vel(disk).y", "vel(disk).z", "energy"]
    );
    assert!(found[17].starts_with("reaction(contact)"), "{found:?}");
    assert_eq!(
        found[found.len() - 2..],
        ["lambda(contact.1)", "power(contact)"]
    );

    let ran = run(&["run", &model, "--out", &out, "--record", "all", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (found, _) = columns(&out);
    assert_eq!(found[..13], STATE);
    assert_eq!(
        found[13..19],
        ["x''", "y''", "z''", "psi''", "theta''", "phi''"]
    );
    for name in [
        "lambda(contact.0)",
        "lambda(contact.1)",
        "lambda(contact.2)",
        "power(gravity)",
        "power(contact)",
        "energy",
        "residual.position",
        "residual.velocity",
    ] {
        assert_eq!(
            found.iter().filter(|column| *column == name).count(),
            1,
            "{name}"
        );
    }
    assert!(
        found
            .iter()
            .any(|name| name.starts_with("reaction(contact)"))
    );
    let distinct: BTreeSet<&String> = found.iter().collect();
    assert_eq!(distinct.len(), found.len());
}

/// A spring and its damper are told apart: a power and a column for each.
#[test]
fn a_spring_and_its_damper_have_a_power_each() {
    let folder = Folder::new("spring");
    let (model, out) = (folder.path("spring.toml"), folder.path("out.csv"));
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[start]\n\"x'\" = 2\n[particle.P]\nmass = 2\n\
                position = \"[x, 0, 0]\"\n[spring.S]\non = \"x\"\nstiffness = 3\ndamping = 0.1\n\
                [run]\nspan = 1\n";
    fs::write(&model, text).expect("a file");
    let power = document(&run(&["eval", &model, "--json"]))["power"].clone();
    let sum: f64 = power
        .as_object()
        .expect("an object")
        .iter()
        .filter(|(name, _)| name.starts_with('S'))
        .map(|(_, value)| value.as_f64().expect("a number"))
        .sum();
    assert!((sum + 2.0 * (3.0 + 0.1 * 2.0)).abs() < 1e-12, "{power}");
    let ran = run(&["run", &model, "--record", "all", "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (found, _) = columns(&out);
    let powers = found.iter().filter(|name| name.starts_with("power(S"));
    assert_eq!(powers.count(), 2, "{found:?}");
}

#[test]
fn parquet_has_the_same_columns() {
    let folder = Folder::new("parquet");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.parquet"));
    let ran = run(&["run", &model, "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let bytes = fs::read(&out).expect("a result");
    assert_eq!(
        (&bytes[..4], &bytes[bytes.len() - 4..]),
        (&b"PAR1"[..], &b"PAR1"[..])
    );
    // Plot reads it, by the names of its columns.
    let figure = folder.path("theta.svg");
    let drawn = run(&["plot", &out, "theta", "vel(disk).x", "--out", &figure]);
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    assert!(
        fs::read_to_string(&figure)
            .expect("a figure")
            .contains("</svg>")
    );
}

#[test]
fn plot_draws_results() {
    let folder = Folder::new("plot");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.csv"));
    assert_eq!(run(&["run", &model, "--out", &out]).code, 0);
    let ran = run(&["plot", &out, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let svg = fs::read_to_string(folder.path("out.svg")).expect("a figure");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"));
    let png = run(&["plot", &out, "--out", &folder.path("figure.png")]);
    assert_eq!(png.code, 1);
    assert!(
        png.err.contains("figures are drawn as SVG only"),
        "{}",
        png.err
    );
    let wrong = run(&["plot", &out, "thetta"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.err.contains("did you mean theta?"), "{}", wrong.err);
    assert_eq!(run(&["plot", &folder.path("none.csv")]).code, 1);
}

#[test]
fn sampling_is_as_asked() {
    let folder = Folder::new("sampling");
    let (model, out) = (folder.path("disk.toml"), folder.path("out.csv"));
    let rows = |options: &[&str]| {
        let ran = run(&[&["run", &model, "--out", &out][..], options].concat());
        assert_eq!(ran.code, 0, "{options:?}: {}", ran.err);
        let text = fs::read_to_string(&out).expect("a result");
        let times: Vec<f64> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .skip(1)
            .map(|line| {
                line.split(',')
                    .next()
                    .unwrap_or_default()
                    .parse()
                    .expect("a time")
            })
            .collect();
        times
    };
    let times = rows(&["--samples", "5"]);
    assert_eq!(times, [0.0, 0.125, 0.25, 0.375, 0.5]);
    let times = rows(&["--span", "0.2", "--step", "0.05"]);
    assert_eq!(times.len(), 5);
    assert!((times[4] - 0.2).abs() < 1e-12);
    // 0.007·400/400 is more than 0.007: the last sample is the end of the span all the same.
    for (span, samples) in [("0.007", "401"), ("0.013", "401"), ("0.014", "101")] {
        let times = rows(&["--span", span, "--samples", samples]);
        let last = (times.len().to_string(), times[times.len() - 1].to_string());
        assert_eq!(last, (samples.to_owned(), span.to_owned()));
    }
    let times = rows(&["--span", "2", "--until", "x > 1", "--samples", "101"]);
    let last = times[times.len() - 1];
    assert!((0.36..0.37).contains(&last), "{last}");
    let until = run(&["run", &model, "--span", "2", "--until", "x > 1", "--json"]);
    let until = document(&until);
    assert_eq!(until["status"], "until");
    let x = until["end"]["x"].as_f64().expect("a number");
    assert!((x - 1.0).abs() < 1e-8, "{x}");
    let both = run(&["run", &model, "--samples", "5", "--step", "0.1"]);
    assert_eq!(both.code, 2);
    assert_eq!(run(&["run", &model, "--samples", "1"]).code, 1);
    assert_eq!(run(&["run", &model, "--span", "0"]).code, 1);
    assert_eq!(run(&["run", &model, "--span=-1"]).code, 1);
    assert_eq!(run(&["run", &model, "--until", "x +"]).code, 1);
    assert_eq!(run(&["run", &model, "--integrator", "rk45"]).code, 2);
    assert_eq!(run(&["run", &model, "--record", "some"]).code, 2);
    assert_eq!(run(&["run", &model, "--formulation", "magic"]).code, 2);
}
