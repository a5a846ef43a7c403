//! What only the inside of this room knows; the rest is tested from outside, in `tests/suite/model`.

mod places;

use super::form_codes::CODES;
use super::format;
use super::{file, json_schema};
use serde_json::Value;

#[test]
fn every_code_that_is_used_is_explained() {
    let used = include_str!("form_codes.rs")
        .matches("pub(in crate::model) const")
        .count();
    assert_eq!(used, CODES.len());
    for code in file::CONSEQUENCES {
        assert!(CODES.iter().any(|explanation| explanation.code == *code));
    }
}

/// The schema under a path of keys.
fn at<'s>(root: &'s Value, path: &str) -> Option<&'s Value> {
    let mut schema = root;
    for part in path.split('.') {
        let inside = |schema: &'s Value| {
            let direct = schema["properties"].get(part);
            let by_name = || schema["patternProperties"].as_object()?.values().next();
            direct.or_else(|| (part == "NAME").then(by_name)?)
        };
        let mut open = vec![schema];
        schema = loop {
            let next = open.pop()?;
            if let Some(found) = inside(next) {
                break found;
            }
            if let Some(name) = next["$ref"].as_str() {
                open.push(&root["$defs"][name.trim_start_matches("#/$defs/")]);
            }
            open.extend(next["anyOf"].as_array().into_iter().flatten());
        };
    }
    Some(schema)
}

#[test]
fn every_key_is_listed_with_its_sentence() {
    let schema = json_schema();
    let keys = format::all();
    assert!(keys.len() > 90, "{}", keys.len());
    for (path, key) in keys {
        let found = at(&schema, &path).unwrap_or_else(|| panic!("{path}"));
        let description = found["description"].as_str().unwrap();
        assert_eq!(description, key.doc, "{path}");
        assert!(key.doc.ends_with('.') && !key.doc.contains("  "), "{path}");
    }
}
