//! `dalembert prove`: what it says, how it exits, and the tables of `docs/papers.md`.

use crate::{run, run_with_input};
use insta::assert_snapshot;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

/// The model of a file of equations: beside it, or in the gallery.
fn model(name: &str) -> PathBuf {
    let beside = root().join(format!("docs/papers/{name}.toml"));
    match beside.exists() {
        true => beside,
        false => root().join(format!("examples/{name}.toml")),
    }
}

/// Equations of a file with their verdicts.
fn entries(name: &str, file: &Path) -> (Vec<Value>, i32) {
    let model = model(name);
    let ran = run(&["prove", text(&model), "--equations", text(file), "--json"]);
    let document: Value = serde_json::from_str(&ran.out)
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", file.display(), ran.err));
    let list = document["equations"].as_array().expect("a list").clone();
    (list, ran.code)
}

/// A line of a table for each equation, called what the comment above it says.
fn rows(name: &str, file: &Path, wanted: &str) -> Vec<String> {
    let source = fs::read_to_string(file).expect("the file is text");
    let lines: Vec<&str> = source.lines().collect();
    let label = |line: usize| {
        let mut before = lines[..line - 1].iter().rev();
        let comment = before.find_map(|line| line.strip_prefix("# "));
        comment
            .expect("a comment says which equation it is")
            .to_owned()
    };
    let (list, code) = entries(name, file);
    assert_eq!(code, i32::from(wanted != "proved"), "{}", file.display());
    let row = |entry: &Value| {
        let line = entry["line"].as_u64().expect("a line") as usize;
        let verdict = entry["verdict"].as_str().expect("a verdict");
        assert_eq!(verdict, wanted, "{}:{line}", file.display());
        let said = match (
            verdict,
            entry["difference"].as_str(),
            entry["parameters"].as_str(),
        ) {
            ("refuted", Some(difference), _) => format!("**refuted**: differs by `{difference}`"),
            ("refuted", None, _) => "**refuted**".to_owned(),
            (_, _, Some("all")) => "proved".to_owned(),
            (_, _, scope) => format!("proved, with the parameters {}", scope.unwrap_or_default()),
        };
        let equation = entry["text"].as_str().expect("a text");
        format!("| {} | `{equation}` | {said} |", label(line))
    };
    list.iter().map(row).collect()
}

/// The table of a model: right equations, then misprints.
fn table(name: &str) -> String {
    let folder = root().join("docs/papers");
    let mut lines = vec![
        "| | equation | verdict |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    lines.extend(rows(name, &folder.join(format!("{name}.txt")), "proved"));
    let misprints = folder.join(format!("{name}-misprints.txt"));
    if misprints.exists() {
        lines.extend(rows(name, &misprints, "refuted"));
    }
    lines.join("\n")
}

#[test]
fn every_equation_of_the_papers_has_its_verdict() {
    let path = root().join("docs/papers.md");
    let document = fs::read_to_string(&path).expect("the page is text");
    let mut made = String::new();
    let mut rest = document.as_str();
    let mut names = Vec::new();
    while let Some(at) = rest.find("<!-- ") {
        let after = &rest[at + 5..];
        let name = &after[..after.find(" -->").expect("a mark ends")];
        let end = after.find("<!-- end -->").expect("a table ends");
        made += &format!("{}<!-- {name} -->\n\n{}\n\n", &rest[..at], table(name));
        names.push(name.to_owned());
        made += "<!-- end -->";
        rest = &after[end + "<!-- end -->".len()..];
    }
    made += rest;
    let files = fs::read_dir(root().join("docs/papers")).expect("the folder is there");
    for file in files {
        let file = file.expect("its files can be listed").path();
        let stem = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        let name = stem.strip_suffix("-misprints").unwrap_or(stem);
        assert!(
            names.iter().any(|known| known == name),
            "{stem} is not in docs/papers.md"
        );
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, &made).expect("the page can be written");
        return;
    }
    assert!(
        made == document,
        "docs/papers.md is not what prove says; INSTA_UPDATE=always makes it anew"
    );
}

/// Every worked result of the papers: proved, and where its print is wrong the print is refuted.
#[test]
fn the_papers_results_are_all_in_the_table() {
    let document = fs::read_to_string(root().join("docs/papers.md")).expect("the page is text");
    let rows: Vec<[&str; 2]> = document
        .lines()
        .filter(|line| line.starts_with("| ") && line.ends_with(" |"))
        .filter_map(|line| {
            let (label, rest) = line[2..].split_once(" | `")?;
            let (_, verdict) = rest.split_once("` | ")?;
            Some([label, verdict])
        })
        .collect();
    let count = |result: &str, wanted: &str| {
        let named = |[label, _]: &&[&str; 2]| label.contains(result);
        let said = |[_, verdict]: &&[&str; 2]| verdict.contains(wanted);
        rows.iter().filter(named).filter(said).count()
    };
    // Result, rows proved at least, prints refuted at least.
    let results = [
        ("(6.11)", 3, 1),
        ("(6.12)", 3, 3),
        ("(6.17), (6.18)", 5, 0),
        ("(6.18) row 4", 1, 1),
        ("(6.19)", 1, 1),
        ("(6.27), (6.28)", 3, 3),
        ("(41)", 3, 0),
        ("(42)", 3, 0),
        ("(32)", 4, 0),
        ("(3.8)", 1, 0),
        ("(3.16)", 2, 0),
        ("D", 2, 3),
        ("Example 2.2.1", 5, 2),
        ("Example 2.3.1", 3, 2),
        ("Example 2.6.1 (a)", 1, 0),
        ("Example 2.6.1 (b')", 1, 0),
        ("Example 2.6.1 (c)", 1, 0),
        ("Example 2.4.1", 3, 2),
        ("Example 2.5.1", 2, 2),
        ("Example 2.6.2", 13, 6),
    ];
    for (result, proved, refuted) in results {
        let found = (count(result, "proved"), count(result, "refuted"));
        assert!(
            found.0 >= proved && found.1 >= refuted,
            "{result}: {found:?}"
        );
    }
}

#[test]
fn mistakes_in_equations_are_shown_where_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/equations");
    let model = model("blajer-disk");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder is there")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let path = folder.join(format!("{name}.txt"));
        let ran = run(&["prove", text(&model), "--equations", text(&path)]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        let shown = ran.err.replace(text(&path), &format!("{name}.txt"));
        assert_snapshot!(format!("equations_{name}"), shown.trim_end());
        let json = run(&["prove", text(&model), "--equations", text(&path), "--json"]);
        let document: Value = serde_json::from_str(&json.out).expect("one JSON document");
        for diagnostic in document["diagnostics"].as_array().expect("a list") {
            let code = diagnostic["code"].as_str().expect("a code");
            assert_eq!(run(&["explain", code]).code, 0, "{code}");
        }
    }
}

fn prove(model: &str, equations: &str) -> crate::Ran {
    let path = root().join(format!("examples/{model}.toml"));
    run_with_input(&["prove", text(&path), "--equations", "-"], equations)
}

#[test]
fn what_people_see() {
    let right = prove("phong-pendulum", "(J + m*l^2)*phi'' + m*g*l*sin(phi) = 0\n");
    assert_eq!(right.code, 0);
    assert_snapshot!("prove_right", right.out);
    let wrong = prove(
        "phong-pendulum",
        "(J + m*l^2)*phi'' + m*g*l*cos(phi) = 0 # cosine\nx' = 0\n",
    );
    assert_eq!(wrong.code, 1);
    assert_snapshot!("prove_wrong", wrong.out);
    let partial = prove(
        "double-pendulum",
        "l2*b'' + l1*cos(a - b)*a'' = l1*sin(a - b)*a'^2 - g*sin(b)\n",
    );
    assert_snapshot!("prove_partial", partial.out);
    let close = prove(
        "phong-pendulum",
        "log(m*exp(phi)) = log(m) + phi\nx = l*sin(phi) + 1e-9*y\n1e12*x = 1e12*x + 1e-25*y\n1/(x - x) = 1\n",
    );
    assert_eq!(close.code, 1);
    assert_snapshot!("prove_close", close.out);
}

#[test]
fn one_input_is_not_read_twice() {
    let ran = run_with_input(&["prove", "-", "--equations", "-"], "x = 0");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

#[test]
fn parameters_are_free_unless_a_proof_needs_their_values() {
    // m = 2 in the model, and J = m r²/4.
    let said = |equations: &str| {
        let path = root().join("examples/blajer-disk.toml");
        let arguments = ["prove", text(&path), "--equations", "-", "--json"];
        let ran = run_with_input(&arguments, equations);
        let document: Value = serde_json::from_str(&ran.out).expect("one JSON document");
        let entry = document["equations"][0].clone();
        (entry["verdict"].clone(), entry["parameters"].clone())
    };
    let cases = [
        ("cos(theta)*phi'' + 2*psi'*theta' = 0", "proved", "all"),
        (
            "3*sin(theta)*phi'' + 3*psi'' + 5*cos(theta)*theta'*phi' = 0",
            "proved",
            "as written",
        ),
        ("4*J = m*r^2", "proved", "as written"),
        ("m = 2", "proved", "values"),
        ("xP' + psi'*cos(phi)/2 = 0", "proved", "values"),
    ];
    for (equation, verdict, parameters) in cases {
        assert_eq!(
            said(equation),
            (verdict.into(), parameters.into()),
            "{equation}"
        );
    }
    assert_eq!(said("m = 3").0, "refuted");
}

#[test]
fn text_of_sympy_is_read() {
    let path = root().join("examples/phong-pendulum.toml");
    let arguments = ["prove", text(&path), "--equations", "-", "--from", "sympy"];
    let right = "Eq(m*Derivative(x(t), (t, 2)), lambda_across)\n\
                 Derivative(phi(t), (t, 2))*(J + l**2*m) + g*l*m*sin(phi(t))\n\
                 x(t) - l*sin(phi(t))\n";
    let ran = run_with_input(&arguments, right);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let wrong = run_with_input(
        &arguments,
        "m*Derivative(x(t)**2, t) + I\nEq(y(t), lenght)\n",
    );
    assert_eq!(wrong.code, 1);
    assert_snapshot!("prove_wrong_sympy", wrong.err);
}

/// A line that cannot be read is told, and the others are judged.
#[test]
fn one_bad_line_keeps_no_other_from_being_judged() {
    let pendulum = model("pendulum");
    let lines = "m*x'' = 2*x*lambda(rod)\n\
                 m*y'' = = 3\n\
                 let w = sqrt(\n\
                 x'' = w*zeta\n\
                 x'' = w\n\
                 x^2 + y^2 = 2*l^2\n";
    let arguments = ["prove", text(&pendulum), "--equations", "-"];
    let ran = run_with_input(&arguments, lines);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("proved       m*x''"), "{}", ran.out);
    assert!(ran.out.contains("refuted      x^2"), "{}", ran.out);
    assert!(
        ran.out
            .contains("1 proved, 1 refuted, 4 mistakes in what could not be read"),
        "{}",
        ran.out
    );
    // Of a name whose value was refused nothing more is said; other names are told.
    assert!(!ran.err.contains("unknown name `w`"), "{}", ran.err);
    assert!(ran.err.contains("unknown name `zeta`"), "{}", ran.err);
    assert!(ran.err.contains("lambda(rod)"), "{}", ran.err);
    let document = run_with_input(&[&arguments[..], &["--json"]].concat(), lines);
    let document: Value = serde_json::from_str(&document.out).expect("a document");
    assert_eq!(document["diagnostics"].as_array().map(Vec::len), Some(4));
    assert_eq!(document["equations"].as_array().map(Vec::len), Some(2));
    // Nothing that can be read is an error as before.
    let ran = run_with_input(&arguments, "m*y'' = = 3\n");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
}
