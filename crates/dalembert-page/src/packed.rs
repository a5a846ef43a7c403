//! Data of a page in few letters: JSON, with its numbers over time behind it as bytes, all of it deflated (RFC 1951) and written in base64.
//!
//! ```text
//! length of the JSON, four bytes, the least first | JSON | bytes
//! ```
//!
//! In the JSON `{"f32": [at, count]}` says where numbers are among the bytes: the first bytes of all of them, then the second, …, since neighbours
//! over time have alike signs and exponents. The page opens it with what browsers have for that (`js/data.js`).

use crate::base64::{decode, encode};
use miniz_oxide::deflate::compress_to_vec;
use serde_json::{Value, json};

/// How hard it is tried to find what repeats, of ten.
const LEVEL: u8 = 8;

/// Kinds of bytes that stand behind the JSON, and how many a number of them has.
const KINDS: [(&str, usize); 3] = [("f32", 4), ("f64", 8), ("bytes", 1)];

/// The data as text.
pub(crate) fn packed(mut data: Value) -> String {
    let mut bytes = Vec::new();
    take(&mut data, &mut bytes);
    let json = data.to_string();
    let length = u32::try_from(json.len()).unwrap_or(u32::MAX);
    let all = [&length.to_le_bytes()[..], json.as_bytes(), &bytes].concat();
    encode(&compress_to_vec(&all, LEVEL))
}

/// Letters that bytes take in a page, about.
#[must_use]
pub fn packed_size(bytes: &[u8]) -> usize {
    4 * compress_to_vec(bytes, LEVEL).len() / 3
}

/// Takes numbers out, and says where they are.
fn take(value: &mut Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|it| take(it, bytes)),
        Value::Object(map) => {
            for (kind, size) in KINDS {
                if let Some(Value::String(text)) = map.get(kind)
                    && map.len() == 1
                    && let Some(own) = decode(text)
                {
                    let place = json!([bytes.len(), own.len() / size]);
                    for k in 0..size {
                        bytes.extend(own.iter().skip(k).step_by(size));
                    }
                    map.insert(kind.to_owned(), place);
                    return;
                }
            }
            map.values_mut().for_each(|it| take(it, bytes));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::packed;
    use crate::base64::{decode, encode};
    use miniz_oxide::inflate::decompress_to_vec;
    use serde_json::{Value, json};

    #[test]
    fn what_was_packed_comes_back() {
        let numbers: Vec<u8> = [1.5_f32, -2.0, 3.25]
            .iter()
            .flat_map(|it| it.to_le_bytes())
            .collect();
        let module: Vec<u8> = (0..=255).collect();
        let text = packed(json!({
            "words": "<é>", "columns": [{ "f32": encode(&numbers) }, { "bytes": encode(&module) }, 7.0],
        }));
        let all = decompress_to_vec(&decode(&text).unwrap()).unwrap();
        let (length, rest) = all.split_first_chunk().unwrap();
        let (json, bytes) = rest.split_at(u32::from_le_bytes(*length) as usize);
        let data: Value = serde_json::from_slice(json).unwrap();
        assert_eq!(data["words"], "<é>");
        assert_eq!(
            data["columns"],
            json!([{ "f32": [0, 3] }, { "bytes": [12, 256] }, 7.0])
        );
        let (planes, rest) = bytes.split_at(12);
        let number = |i: usize| [0, 3, 6, 9].map(|k| planes[k + i]);
        assert_eq!([0, 1, 2].map(number).as_flattened(), numbers);
        assert_eq!(rest, module);
    }

    #[test]
    fn what_repeats_takes_no_room() {
        let row = "<mrow><msub><mi>s</mi><mn>7</mn></msub><mo>+</mo></mrow>";
        let long = row.repeat(2000);
        assert!(50 * packed(json!(long)).len() < long.len());
    }
}
