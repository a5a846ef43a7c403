//! What the README shows is what the command does.

use crate::run_in;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Splits a shell line into words; double quotes only, as the README writes them.
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

#[test]
fn console_blocks_are_true() {
    let text = std::fs::read_to_string(format!("{ROOT}/README.md")).expect("the README is there");
    let mut checked = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap_or_default();
        for example in block.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
            let command = command.trim_end();
            let arguments = command
                .strip_prefix("dalembert ")
                .or_else(|| command.strip_prefix("cargo run --release -- "))
                .unwrap_or_else(|| panic!("not a dalembert command: {command}"));
            let arguments = words(arguments);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let ran = run_in(ROOT, &arguments, "");
            let shown = format!("{}{}", ran.out, ran.err);
            assert_eq!(shown.trim_end(), expected.trim_end(), "$ {command}");
            checked += 1;
        }
    }
    assert!(checked > 3, "the README has examples");
}
