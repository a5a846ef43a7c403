//! What errors of a state are relative to: no unit is built in.
//!
//! Coordinates that have one dimension and are coupled are compared with each other, and so are speeds. Where the model does not say
//! dimensions, they are compared by their inertia: an error of a speed matters by the root of the energy that it has. What
//! is solved together leaves rounding in each other, by their inertia too.

use super::coupling;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use dalembert_ode::Measure;
use std::collections::HashMap;

/// Measures of q, v and, last, the work, which only reports; with the units of [`inertias`].
pub(super) fn measures(mechanism: &Mechanism, inertial: &[Vec<f64>; 2]) -> Vec<Measure> {
    let units = &mechanism.units;
    let speeds = match mechanism.system.speeds {
        Some(_) => &units.speeds,
        None => &units.rates,
    };
    let [by_coordinate, by_speed] = inertial;
    let parts = coupling::parts(mechanism);
    let of_speed = |i: usize| match mechanism.system.speeds.as_ref() {
        None => parts[i],
        // Any of the rates that it is made of.
        Some(speeds) => speeds.matrix[i].first().map_or(0, |&(j, _)| parts[j]),
    };
    let mut groups: HashMap<(bool, usize, Option<&Option<String>>), usize> = HashMap::new();
    let mut measures = Vec::new();
    let lists = [
        (false, &units.coordinates, by_coordinate),
        (true, speeds, by_speed),
    ];
    for (is_speed, list, inertial) in lists {
        // Rates of identities have no name, and are zero.
        let list = list.iter().chain(std::iter::repeat(&None));
        for (i, (unit, inertial)) in list.zip(inertial).enumerate() {
            let part = if is_speed { of_speed(i) } else { parts[i] };
            let mut number = |key| {
                let next = groups.len();
                *groups.entry(key).or_insert(next)
            };
            let (group, part) = (
                number((is_speed, part, Some(unit))),
                number((is_speed, part, None)),
            );
            let unit = match unit {
                Some(_) => 1.0,
                None => *inertial,
            };
            measures.push(Measure::Group {
                group,
                unit,
                part,
                share: *inertial,
            });
        }
    }
    measures.push(Measure::Free);
    measures
}

/// Units of coordinates and of speeds in which each has an inertia of one.
pub(super) fn inertias(mechanism: &Mechanism, state: &State) -> [Vec<f64>; 2] {
    if mechanism.system.speeds.is_some() {
        let ones = vec![1.0; state.coordinates.len()];
        let found = mechanism.independents(state);
        return found.map_or([ones.clone(), ones], |found| {
            [found.coordinate_units, found.speed_units]
        });
    }
    let units = mechanism.inertial_units(state);
    [units.clone(), units]
}
