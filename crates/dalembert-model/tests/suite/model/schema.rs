//! The JSON Schema: it takes the good file, refuses bad ones, and lists every key.

use super::FULL;
use dalembert_model::model::json_schema;
use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

/// A TOML value as JSON.
fn to_json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(integer) => {
            json!(i64::from_str_radix(integer.as_str(), integer.radix()).unwrap())
        }
        DeValue::Float(float) => json!(float.as_str().parse::<f64>().unwrap()),
        DeValue::Boolean(on) => json!(on),
        DeValue::Datetime(date) => json!(date.to_string()),
        DeValue::Array(items) => items.iter().map(|item| to_json(item.get_ref())).collect(),
        DeValue::Table(table) => table_to_json(table),
    }
}

fn table_to_json(table: &DeTable<'_>) -> Value {
    let entries = table
        .iter()
        .map(|(key, value)| (key.get_ref().to_string(), to_json(value.get_ref())));
    Value::Object(entries.collect::<Map<_, _>>())
}

/// Whether `text` has the form of the three patterns that the schema uses.
fn matches(pattern: &str, text: &str) -> bool {
    let rate = text.strip_suffix('\'').unwrap_or(text);
    let (text, dots) = match pattern {
        "^[^']+'?$" => return !rate.is_empty() && !rate.contains('\''),
        "^[A-Za-z_][A-Za-z0-9_.]*'?$" => (rate, true),
        "^[A-Za-z_][A-Za-z0-9_]*$" => (text, false),
        other => panic!("unexpected pattern {other}"),
    };
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let other = |c: char| letter(c) || c.is_ascii_digit() || (dots && c == '.');
    text.starts_with(letter) && text.chars().all(other)
}

/// Validation as far as our schema goes; every other word of a schema is a failure of the test.
fn valid(root: &Value, schema: &Value, value: &Value) -> bool {
    let schema = schema.as_object().expect("a schema is an object");
    schema.iter().all(|(word, rule)| match word.as_str() {
        "$schema" | "$defs" | "title" | "description" | "properties" | "patternProperties" => true,
        "$ref" => {
            let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
            valid(root, &root["$defs"][name], value)
        }
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "anyOf" => rule
            .as_array()
            .unwrap()
            .iter()
            .any(|rule| valid(root, rule, value)),
        "not" => !valid(root, rule, value),
        "pattern" => value
            .as_str()
            .is_none_or(|text| matches(rule.as_str().unwrap(), text)),
        "type" => {
            let types = rule
                .as_array()
                .cloned()
                .unwrap_or_else(|| vec![rule.clone()]);
            types.iter().any(|kind| match kind.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                other => panic!("unexpected type {other}"),
            })
        }
        "minItems" => value
            .as_array()
            .is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value
            .as_array()
            .is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap()),
        "items" => value
            .as_array()
            .is_none_or(|list| list.iter().all(|item| valid(root, rule, item))),
        "required" => value.as_object().is_none_or(|table| {
            let mut keys = rule.as_array().unwrap().iter();
            keys.all(|key| table.contains_key(key.as_str().unwrap()))
        }),
        "additionalProperties" => {
            assert_eq!(rule, false);
            value.as_object().is_none_or(|table| {
                table.iter().all(|(key, value)| {
                    let own = schema.get("properties").and_then(|all| all.get(key));
                    let patterns = schema.get("patternProperties").and_then(Value::as_object);
                    let by_pattern =
                        patterns.and_then(|all| all.iter().find(|(p, _)| matches(p, key)));
                    own.or(by_pattern.map(|(_, rule)| rule))
                        .is_some_and(|rule| valid(root, rule, value))
                })
            })
        }
        other => panic!("unexpected word {other} in a schema"),
    })
}

fn is_valid(file: &str) -> bool {
    let table = DeTable::parse(file).unwrap();
    let schema = json_schema();
    valid(&schema, &schema, &table_to_json(table.get_ref()))
}

#[test]
fn the_good_file_is_valid() {
    assert!(is_valid(FULL));
    assert!(is_valid("dalembert = 1\n[coordinates]\nx = 0\n"));
}

#[test]
fn files_with_mistakes_of_shape_are_not() {
    for (from, to) in [
        ("dalembert = 1", "dalembert = 2"),
        ("title ", "titel "),
        ("mass     = \"m\"", "mas     = \"m\""),
        ("mass     = \"m\"", "mass     = true"),
        ("position = \"[x, y, 0]\"", ""),
        ("position = \"[x, y, 0]\"", "position = [0, 0, 0]"),
        ("[frame.lean]", "[frame.\"le an\"]"),
        ("priority = \"guess\"", "priority = \"maybe\""),
        ("axis = \"y\"", "axis = \"w\""),
        ("inertia  = [\"J\", \"2*J\", \"J\"]", "inertia = [\"J\"]"),
        ("holds    = \"k*x - y = 0\"", ""),
        ("active   = true", "friction = { static = 0.3 }"),
        ("[run]", "[joint.A]\ntype = \"revolut\"\n[run]"),
        ("w3        = ", "\"w3''\" = "),
    ] {
        assert!(FULL.contains(from), "{from}");
        assert!(!is_valid(&FULL.replacen(from, to, 1)), "{from} -> {to}");
    }
}
