//! The format as a JSON Schema, for editors.

use super::format::{
    COORDINATES, Count, Key, Kind, LOAD, Need, RESTITUTION, ROOT, SHAPE, SLIDER, START_VALUE,
    SWEEP, VARIED, VERSION,
};
use serde_json::{Map, Value, json};

/// What a name looks like.
const NAME: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

/// What a coordinate, a rate or a speed looks like.
const RATE: &str = "^[A-Za-z_][A-Za-z0-9_.]*'?$";

/// What a start is said of: a rate, a speed, or any value of the motion.
const STARTED: &str = "^[^']+'?$";

/// The JSON Schema (draft 2020-12) of model files, made from the table of keys that reads them.
///
/// It knows the shape of files, not the meaning of expressions; editors use it to complete keys and
/// to show what they mean.
///
/// ```
/// let schema = dalembert_model::model::json_schema();
/// assert_eq!(schema["properties"]["title"]["description"], "What the system is.");
/// ```
#[must_use]
pub fn json_schema() -> Value {
    document(ROOT, "model")
}

/// The JSON Schema of plans of sweeps, made in the same way.
#[must_use]
pub fn sweep_schema() -> Value {
    document(SWEEP, "sweep")
}

fn document(keys: &[Key], of: &str) -> Value {
    let mut schema = object(keys);
    let mut head = Map::new();
    head.insert(
        "$schema".to_owned(),
        "https://json-schema.org/draft/2020-12/schema".into(),
    );
    head.insert(
        "title".to_owned(),
        format!("dalembert {of}, version {VERSION}").into(),
    );
    head.append(&mut schema);
    head.insert("$defs".to_owned(), definitions());
    Value::Object(head)
}

fn definitions() -> Value {
    json!({
        "expression": {
            "description": "A number, or an expression in quotes: \"m*g*l\", \"9.81 m/s^2\".",
            "type": ["number", "string"],
        },
        "start": {
            "description": "A value at the start; \"?\" is found by the assembler.",
            "anyOf": [reference("expression"), object(START_VALUE)],
        },
        "components": named(RATE, reference("expression")),
        "load": object(LOAD),
    })
}

fn reference(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// A table with these keys.
fn object(keys: &[Key]) -> Map<String, Value> {
    let mut properties = Map::new();
    for key in keys {
        let mut schema = value(&key.kind);
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".to_owned(), key.doc.into());
        }
        properties.insert(key.name.to_owned(), schema);
    }
    let needed = keys.iter().filter(|key| key.need != Need::Optional);
    let required: Vec<&str> = needed.map(|key| key.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// A table with names of this pattern for keys.
fn named(pattern: &str, each: Value) -> Value {
    json!({
        "type": "object",
        "patternProperties": { pattern: each },
        "additionalProperties": false,
    })
}

/// A list; of so many elements, if that is known.
fn list(of: Value, count: Count) -> Value {
    match count {
        Count::Any => json!({ "type": "array", "items": of }),
        Count::Exactly(n) => {
            json!({ "type": "array", "items": of, "minItems": n, "maxItems": n })
        }
    }
}

fn value(kind: &Kind) -> Value {
    let expressions = |count| list(reference("expression"), count);
    match kind {
        Kind::Version => json!({ "const": 1 }),
        Kind::Title | Kind::Word | Kind::Equation | Kind::Condition => json!({ "type": "string" }),
        Kind::Equations => {
            let one = json!({ "type": "string" });
            json!({ "anyOf": [one, list(one.clone(), Count::Any)] })
        }
        Kind::Reference => json!({ "type": "string", "pattern": NAME }),
        Kind::Names => {
            let name = json!({ "type": "string", "pattern": NAME });
            json!({ "anyOf": [name, list(name.clone(), Count::Any)] })
        }
        Kind::References => list(json!({ "type": "string", "pattern": NAME }), Count::Any),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Switch => json!({ "type": "boolean" }),
        Kind::Value => reference("expression"),
        Kind::Start => reference("start"),
        Kind::Values(count) => expressions(*count),
        Kind::OneOrMore => {
            json!({ "anyOf": [reference("expression"), expressions(Count::Any)] })
        }
        Kind::Rows => list(expressions(Count::Any), Count::Any),
        Kind::Inertia => {
            let three = expressions(Count::Exactly(3));
            let rows = list(three.clone(), Count::Exactly(3));
            json!({ "anyOf": [three, rows] })
        }
        Kind::Table(keys) => Value::Object(object(keys)),
        Kind::Named(_, each @ Kind::Start) => {
            json!({ "anyOf": [{ "enum": COORDINATES }, named(NAME, value(each))] })
        }
        Kind::Named(_, each) => named(NAME, value(each)),
        Kind::Rates => named(STARTED, reference("start")),
        Kind::Copies => json!({ "type": "object" }),
        Kind::Components | Kind::Settings => reference("components"),
        Kind::Shapes => {
            let shape = Value::Object(object(SHAPE));
            json!({ "anyOf": [shape, list(shape.clone(), Count::Any)] })
        }
        Kind::Work => json!({ "anyOf": [reference("load"), reference("components")] }),
        Kind::Restitution => json!({ "anyOf": [reference("expression"), object(RESTITUTION)] }),
        Kind::Sliders => named(RATE, Value::Object(object(SLIDER))),
        Kind::Varied => named(STARTED, Value::Object(object(VARIED))),
        Kind::Words => list(json!({ "type": "string" }), Count::Any),
        Kind::Asked => reference("expression"),
    }
}
