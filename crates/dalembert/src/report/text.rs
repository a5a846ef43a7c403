//! Words and numbers that several reports share.

use dalembert_mechanics::{Independents, Mechanism};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Names that are listed; more are counted.
pub(super) const SHOWN: usize = 12;

/// Coordinates and speeds that the others follow from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Independent {
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the speeds.
    pub speeds: Vec<String>,
}

impl Independent {
    pub(super) fn new(mechanism: &Mechanism, coordinates: &[usize], speeds: &[usize]) -> Self {
        let names: Vec<&str> = mechanism.coordinate_names().collect();
        let all = mechanism.speed_names();
        Self {
            coordinates: coordinates.iter().map(|&i| names[i].to_owned()).collect(),
            speeds: speeds.iter().map(|&i| all[i].clone()).collect(),
        }
    }

    pub(super) fn chosen(mechanism: &Mechanism, chosen: &Independents) -> Self {
        Self::new(mechanism, &chosen.coordinates, &chosen.speeds)
    }
}

impl fmt::Display for Independent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |names: &[String]| match names.len() {
            0 => "none".to_owned(),
            count if count > SHOWN => {
                format!("{} and {} more", names[..SHOWN].join(", "), count - SHOWN)
            }
            _ => names.join(", "),
        };
        let (coordinates, speeds) = (listed(&self.coordinates), listed(&self.speeds));
        write!(f, "coordinates {coordinates}; speeds {speeds}")
    }
}

/// A number in so many significant digits, without zeros at its end.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e9).contains(&value.abs()) {
        return format!("{value:.*e}", digits - 1);
    }
    let before = value.abs().log10().floor() as i32 + 1;
    let after = (digits as i32 - before).clamp(0, digits as i32 + 2) as usize;
    let text = format!("{value:.after$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number with its unit, if that is known; a pure number has none.
pub(super) fn with_unit(number: String, unit: Option<&str>) -> String {
    match unit {
        Some(unit) if unit != "1" => format!("{number} {unit}"),
        _ => number,
    }
}

pub(super) fn plural(n: usize, noun: &str) -> String {
    match n {
        1 => noun.to_owned(),
        _ => format!("{noun}s"),
    }
}

/// A text in lines of so many characters where blanks allow it, those after the first indented.
pub(super) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = indent;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            lines += &format!("\n{:indent$}", "");
            column = indent;
        } else if column > indent {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += length;
    }
    lines
}
