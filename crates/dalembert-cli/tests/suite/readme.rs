//! What the README and the gallery's pages show is what the command does, the models say and the references hold.
//! `INSTA_UPDATE=always` writes the console blocks anew.

use crate::run_in;
use serde_json::Value;
use std::collections::BTreeSet;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn text(path: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/{path}"))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Names of the files of a folder with an ending, without it.
fn names(folder: &str, ending: &str) -> BTreeSet<String> {
    std::fs::read_dir(format!("{ROOT}/{folder}"))
        .expect("the folder is there")
        .filter_map(|entry| {
            Some(
                entry
                    .ok()?
                    .file_name()
                    .to_str()?
                    .strip_suffix(ending)?
                    .to_owned(),
            )
        })
        .collect()
}

/// Splits a shell line into words; double quotes only, as the pages write them.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted, mut open) = (String::new(), false, false);
    for c in line.chars() {
        match c {
            '"' => (quoted, open) = (!quoted, true),
            ' ' if !quoted => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            c => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

/// What a command shows, run from the root of the repository.
fn shown(command: &str) -> String {
    let arguments = command
        .strip_prefix("dalembert ")
        .or_else(|| command.strip_prefix("cargo run --release -- "))
        .unwrap_or_else(|| panic!("not a dalembert command: {command}"));
    let arguments = words(arguments);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = run_in(ROOT, &arguments, "");
    format!("{}{}", ran.out, ran.err).trim_end().to_owned()
}

/// The blocks of a page in a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    page.split(&format!("```{language}\n"))
        .skip(1)
        .map(|block| block.split("\n```").next().unwrap_or_default())
        .collect()
}

/// Checks the console blocks of a page, or writes them anew; how many commands there are.
fn assert_console(path: &str) -> usize {
    let page = text(path);
    let mut renewed = page.clone();
    let mut commands = 0;
    for block in blocks(&page, "console") {
        let mut lines = Vec::new();
        for example in block.split("$ ").skip(1) {
            let command = example.lines().next().unwrap_or_default().trim_end();
            lines.push(
                format!("$ {command}\n{}", shown(command))
                    .trim_end()
                    .to_owned(),
            );
            commands += 1;
        }
        renewed = renewed.replacen(block, &lines.join("\n"), 1);
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(format!("{ROOT}/{path}"), &renewed).expect("the page can be written");
    } else {
        assert_eq!(page, renewed, "{path}: INSTA_UPDATE=always writes it anew");
    }
    commands
}

#[test]
fn console_blocks_are_true() {
    assert!(assert_console("README.md") > 3, "the README has examples");
    assert!(assert_console("docs/mechanisms.md") > 0);
    assert!(assert_console("docs/contacts.md") > 0);
    assert!(assert_console("docs/doctor.md") > 0);
    for name in names("docs/gallery", ".md") {
        let commands = assert_console(&format!("docs/gallery/{name}.md"));
        assert!(commands > 0 || name == "README", "{name}");
    }
}

/// The page on the model file knows every key that a model may have, and its models are models.
#[test]
fn the_model_page_is_complete() {
    let page = text("docs/model.md");
    let schema = run_in(ROOT, &["schema"], "").out;
    let schema: Value = serde_json::from_str(&schema).expect("a JSON document");
    let mut keys = BTreeSet::new();
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        if let Some(properties) = value["properties"].as_object() {
            keys.extend(properties.keys().cloned());
        }
        match value {
            Value::Object(entries) => open.extend(entries.values()),
            Value::Array(entries) => open.extend(entries),
            _ => {}
        }
    }
    assert!(keys.len() > 40, "{keys:?}");
    let quoted: BTreeSet<&str> = page
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .collect();
    let missing: Vec<&String> = keys
        .iter()
        .filter(|key| !quoted.contains(key.as_str()))
        .collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
    for model in blocks(&page, "toml") {
        let ran = run_in(ROOT, &["check", "-"], model);
        assert_eq!(ran.err, "", "{model}");
    }
}

#[test]
fn every_model_has_a_page() {
    let models = names("examples", ".toml");
    let mut pages = names("docs/gallery", ".md");
    assert!(pages.remove("README"), "the gallery has an index");
    assert_eq!(models, pages);
    let index = text("docs/gallery/README.md");
    for name in models {
        assert!(
            index.contains(&format!("| [{name}]({name}.md) |")),
            "{name} is in the index"
        );
    }
}

/// What a page quotes of its model stands in the model.
#[test]
fn excerpts_are_true() {
    let page = text("docs/mechanisms.md");
    let models = ["slider-crank", "heavy-top"];
    let models = models.map(|name| text(&format!("examples/mechanisms/{name}.toml")));
    for excerpt in blocks(&page, "toml") {
        assert!(
            models.iter().any(|model| model.contains(excerpt)),
            "{excerpt}"
        );
    }
    for name in names("examples", ".toml") {
        let model = text(&format!("examples/{name}.toml"));
        let page = text(&format!("docs/gallery/{name}.md"));
        let excerpts = blocks(&page, "toml");
        assert!(!excerpts.is_empty(), "{name}");
        for excerpt in excerpts {
            assert!(model.contains(excerpt), "{name}:\n{excerpt}");
        }
    }
}

/// The number of a reference for `x`, `x'`, `x''` or `lambda(row)` at a time.
fn referenced<'a>(reference: &'a Value, quantity: &str, time: &str) -> &'a Value {
    let later = reference["later"].as_array().expect("later states");
    let same = |state: &&Value| state["t"].as_f64() == time.parse().ok();
    let state = match time {
        "0" => &reference["start"],
        _ => later
            .iter()
            .find(same)
            .expect("the time is among the later ones"),
    };
    if let Some(row) = quantity.strip_prefix("lambda(") {
        return &state["multipliers"][row.trim_end_matches(')')];
    }
    let name = quantity.trim_end_matches('\'');
    let kind = ["coordinates", "rates", "accelerations"][quantity.len() - name.len()];
    &state[kind][name]
}

/// The numbers on the pages are those of the references, which the gallery's tests hold against the program.
#[test]
fn numbers_are_true() {
    for name in names("examples", ".toml") {
        let reference = text(&format!("examples/reference/{name}.json"));
        let reference: Value = serde_json::from_str(&reference).expect("a JSON document");
        let page = text(&format!("docs/gallery/{name}.md"));
        let mut compared = 0;
        for line in page.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let (quantity, time) = (cells[1].trim_matches('`'), cells[2]);
            let printed: f64 = cells[3]
                .parse()
                .unwrap_or_else(|_| panic!("{name}: {line}"));
            let wanted = referenced(&reference, quantity, time).as_f64();
            let wanted = wanted.unwrap_or_else(|| panic!("{name}: {line}"));
            assert!(
                (printed - wanted).abs() <= 1e-11 * wanted.abs() + 1e-13,
                "{name}: {line}: {wanted}"
            );
            compared += 1;
        }
        assert!(compared >= 2, "{name}");
    }
}
