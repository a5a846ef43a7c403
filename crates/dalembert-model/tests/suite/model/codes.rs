//! The table of codes: complete, and its examples do what they say.

use super::shown;
use dalembert_model::model::form_codes::CODES;
use dalembert_model::model::{Parts, at_most_shown, examine, read};
use std::path::Path;

/// A whole file around the lines of an example.
fn whole(lines: &str) -> String {
    let version = if lines.contains("dalembert = ")
        || lines.contains("Pendulum\"\n") && !lines.contains('[')
    {
        ""
    } else {
        "dalembert = 1\n"
    };
    let coordinates = if lines.contains("[coordinates]") {
        ""
    } else {
        "[coordinates]\nx = 0\n"
    };
    format!("{version}{lines}{coordinates}")
}

/// Examples of parts use this one.
fn leg() -> Parts {
    let text = "dalembert = 1\n[parameters]\nm = 1\n[coordinates]\ny = 0\n[particle.P]\nmass = \"m\"\nposition = \"[y, 0, 0]\"\n";
    let (part, _) = read(text).unwrap();
    let part = part.as_part("leg", Path::new(""), ("leg.toml", text));
    Parts::from([("leg".to_owned(), part)])
}

#[test]
fn examples_are_wrong_and_right_as_they_say() {
    for explanation in CODES {
        let code = explanation.code;
        // There are more mistakes than are shown: no example is that long.
        if code == "E0349" {
            continue;
        }
        let wrong = whole(explanation.wrong);
        let found = match examine(&wrong, leg()) {
            Ok((_, warnings)) => warnings,
            Err(refused) => at_most_shown(refused.errors),
        };
        assert!(!found.is_empty(), "{code}");
        for diagnostic in &found {
            assert_eq!(diagnostic.code, code, "{}", shown(&wrong, &found));
        }
        let right = whole(explanation.right);
        match examine(&right, leg()) {
            Ok((_, warnings)) => assert_eq!(shown(&right, &warnings), "", "{code}"),
            Err(refused) => panic!("{code}: {}", shown(&right, &refused.errors)),
        }
    }
}

#[test]
fn codes_are_ascending_and_in_range() {
    for pair in CODES.windows(2) {
        assert!(pair[0].code < pair[1].code);
    }
    for explanation in CODES {
        assert!(("E0301"..="E0349").contains(&explanation.code));
        assert!(explanation.text.ends_with('.') && !explanation.text.contains("  "));
    }
}
