//! `docs/notation.md`: every name it gives a letter exists where it says.

use super::run_in;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// All files below a folder that end so, as one text.
fn texts(folder: &Path, ending: &str) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all += &texts(&path, ending);
        } else if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            all += &std::fs::read_to_string(path).expect("a text");
        }
    }
    all
}

/// What stands between backquotes.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_name_of_the_notation_exists() {
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/notation.md")).unwrap();
    let models = run_in(ROOT, &["schema"], "").out
        + &std::fs::read_to_string(Path::new(ROOT).join("docs/model.md")).unwrap();
    let results: String = [
        &["eval", "examples/servo-pendulum.toml", "--json"][..],
        &["derive", "examples/ukf-line.toml", "--json"],
        &[
            "run",
            "examples/servo-pendulum.toml",
            "--span",
            "0.01",
            "--json",
        ],
    ]
    .iter()
    .map(|arguments| run_in(ROOT, arguments, "").out)
    .collect();
    let sources = texts(&Path::new(ROOT).join("crates"), "rs");
    let declared = |name: &str| {
        let kinds = ["struct ", "enum ", "fn "].map(|kind| format!("{kind}{name}"));
        kinds.iter().any(|kind| sources.contains(kind)) || sources.contains(&format!("pub {name}:"))
    };
    let rows: Vec<Vec<&str>> = (page.lines())
        .filter(|line| line.starts_with("| ") && !line.starts_with("| letter"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 15, "{page}");
    for cells in rows {
        let [_, letter, _, model, result, source, _] = cells[..] else {
            panic!("{cells:?}")
        };
        for name in names(model) {
            let written = [
                format!("\"{name}\""),
                format!("`{name}"),
                format!("[{name}."),
            ];
            assert!(
                written.iter().any(|written| models.contains(written)),
                "{letter}: {name} in a model file"
            );
        }
        for name in names(result) {
            assert!(
                results.contains(&format!("\"{name}\":")),
                "{letter}: {name} in the results"
            );
        }
        for name in names(source) {
            assert!(declared(name), "{letter}: {name} in the sources");
        }
    }
}
