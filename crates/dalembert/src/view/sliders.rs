//! What can be changed in the page, and how far.

use super::words::Sayings;
use crate::results::Table;
use dalembert_expr::syntax::{Kind, UnitFactor};
use dalembert_mechanics::decide::{CLEAR, KNOWN};
use dalembert_mechanics::lower::Said;
use dalembert_mechanics::model::Expression;
use dalembert_mechanics::{Mechanism, units};
use dalembert_page::Slider;
use dalembert_simulate::{CarriedOf, given_at_start, literal_parameters};
use std::f64::consts::PI;

/// A value is changed from this part of itself to this multiple.
const LESS: f64 = 0.2;
const MORE: f64 = 5.0;

/// Sliders for parameters that are numbers, and for values at the start that are; those that the model names come first, in its order.
pub(super) fn sliders(mechanism: &Mechanism, table: &Table, sayings: &Sayings<'_>) -> Vec<Slider> {
    let model = &mechanism.model;
    let literals = literal_parameters(mechanism);
    let mut sliders = Vec::new();
    for (index, (name, _)) in model.parameters.iter().enumerate() {
        let value = mechanism.parameters[index];
        let unit = mechanism.units.parameters[index].clone();
        let asked = asked(mechanism, &name.text, value);
        let range = asked.map_or_else(
            || range(value, unit.as_deref(), 0.0),
            |(range, _)| Some(range),
        );
        if let (true, Some(range)) = (literals[index], range) {
            sliders.push(Slider {
                name: name.text.clone(),
                value,
                meaning: sayings.of_name(&name.text, "parameter"),
                log: is_log(
                    asked.and_then(|it| it.1),
                    is_stiffness(unit.as_deref()),
                    range,
                ),
                unit: as_written(&model.parameters[index].1).or(unit),
                parameter: true,
                index,
                range,
            });
        }
    }
    for (index, given) in given_at_start(mechanism).into_iter().enumerate() {
        let Some((name, unit)) = named(mechanism, given.of) else {
            continue;
        };
        // What is not recorded is what it was set to.
        let column = table.column(&name).map(|it| it.values.to_vec());
        let Some(values) = column.or_else(|| Some(vec![set_to(mechanism, given.of)?])) else {
            continue;
        };
        let value = values.first().copied().unwrap_or(f64::NAN);
        let reach = values.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        // What rounding leaves of zero is zero.
        let or_zero = |it: f64| if it.abs() > KNOWN { it } else { 0.0 };
        let (value, reach) = (or_zero(value), or_zero(reach));
        let is_position = matches!(given.of, CarriedOf::Coordinate(_) | CarriedOf::Position(_));
        let angle = is_position && is_angle(unit.as_deref());
        let asked = asked(mechanism, &name, value);
        let range = match (asked, angle) {
            (Some((range, _)), _) => Some(range),
            (None, true) => Some([-PI, PI]),
            (None, false) => range(value, unit.as_deref(), reach),
        };
        let range = range.filter(|[min, max]| (*min..=*max).contains(&value));
        if let (true, true, Some(range)) = (given.literal, given.must, range) {
            let bare = name.trim_end_matches('\'').to_owned();
            sliders.push(Slider {
                meaning: sayings.of_name(&bare, "at the start"),
                name,
                value,
                unit,
                parameter: false,
                index,
                range,
                log: is_log(asked.and_then(|it| it.1), false, range),
            });
        }
    }
    let asked = &mechanism.system.sliders;
    let place = |it: &Slider| asked.iter().position(|given| given.name == it.name);
    sliders.sort_by_key(|it| place(it).unwrap_or(asked.len()));
    sliders
}

/// The name of what has a value at the start, as it is set, and its unit; `None` for what has no name, as a component of a place.
fn named(mechanism: &Mechanism, of: CarriedOf) -> Option<(String, Option<String>)> {
    let units = &mechanism.units;
    let coordinate = |i| mechanism.coordinate_names().nth(i);
    Some(match of {
        CarriedOf::Coordinate(i) => (coordinate(i)?.to_owned(), units.coordinates[i].clone()),
        CarriedOf::Rate(i) => (format!("{}'", coordinate(i)?), units.rates[i].clone()),
        CarriedOf::Speed(i) => (mechanism.speed_names()[i].clone(), units.speeds[i].clone()),
        CarriedOf::Position(_) | CarriedOf::Velocity(_) => {
            let name = &said(mechanism, of)?.name;
            let mut keys = mechanism.model.start.iter();
            let place = keys.position(|(key, _)| key.text.trim() == name)?;
            let key = &mechanism.model.start[place].0;
            key.tree.dotted(key.tree.root())?;
            (name.clone(), units.starts[place].clone())
        }
    })
}

/// What is said of the start otherwise than by coordinates, rates and speeds.
fn said(mechanism: &Mechanism, of: CarriedOf) -> Option<&Said> {
    let start = &mechanism.system.start;
    match of {
        CarriedOf::Position(k) => start.positions.get(k),
        CarriedOf::Velocity(k) => start.velocities.get(k),
        _ => None,
    }
}

/// The value that it has at the start.
fn set_to(mechanism: &Mechanism, of: CarriedOf) -> Option<f64> {
    let value = said(mechanism, of)?.started.value?;
    Some(mechanism.run_value(value))
}

/// The range that the model asks for, in which a value that is set elsewhere can be reached too, and whether its scale is logarithmic.
fn asked(mechanism: &Mechanism, name: &str, value: f64) -> Option<([f64; 2], Option<bool>)> {
    let mut asked = mechanism.system.sliders.iter();
    let given = asked.find(|it| it.name == name)?;
    let [min, max] = given.range.map(|it| mechanism.run_value(it));
    let range = [min.min(value), max.max(value)];
    value.is_finite().then_some((range, given.log))
}

/// Whether a scale is logarithmic, of what has logarithms.
fn is_log(asked: Option<bool>, stiffness: bool, range: [f64; 2]) -> bool {
    asked.unwrap_or(stiffness) && range[0] > 0.0
}

/// The unit of a value as the file has it, if a number is the same in SI: N*m, and not J.
fn as_written(value: &Expression) -> Option<String> {
    let Kind::Quantity { unit, .. } = &value.tree[value.tree.root()].kind else {
        return None;
    };
    let is_si = |name: &str| {
        units::lookup(name).is_some_and(|it| it.value().to_bits() == 1.0_f64.to_bits())
    };
    let power = |it: &UnitFactor| match it.power.unsigned_abs() {
        1 => it.name.text.to_string(),
        power => format!("{}^{power}", it.name.text),
    };
    let (over, under): (Vec<&UnitFactor>, Vec<&UnitFactor>) =
        unit.iter().partition(|it| it.power > 0);
    if over.is_empty() || under.len() > 1 || !unit.iter().all(|it| is_si(&it.name.text)) {
        return None;
    }
    let over: Vec<String> = over.into_iter().map(power).collect();
    let under = under.into_iter().map(|it| format!("/{}", power(it)));
    Some(over.join("*") + &under.collect::<String>())
}

fn is_angle(unit: Option<&str>) -> bool {
    matches!(unit, Some("rad"))
}

fn is_stiffness(unit: Option<&str>) -> bool {
    matches!(unit, Some("N/m" | "N*m" | "kg/s^2"))
}

/// How far a value is changed; what is zero is changed as far as it reaches.
fn range(value: f64, unit: Option<&str>, reach: f64) -> Option<[f64; 2]> {
    if is_angle(unit) && value.abs() <= PI {
        return Some([-PI, PI]);
    }
    let ends = match value {
        value if value.abs() <= CLEAR * reach => [-reach, reach],
        value => [LESS * value, MORE * value],
    };
    let ordered = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    (ordered[0] < ordered[1] && ordered.iter().all(|it| it.is_finite())).then_some(ordered)
}
