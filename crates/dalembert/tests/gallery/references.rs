//! Every model against a second derivation, a closed form or published numbers: `examples/reference/<name>.json`.
//! Where those come from is written in each file, and in `tests/python/references`.

use crate::support::{
    exact, mechanism, names, number, reference, references, run, snapshot_at_start,
};
use dalembert_mechanics::Mechanism;
use serde_json::Value;

/// Compares by name, measured by the largest entry; how many were compared.
#[track_caller]
fn assert_named(found: (&[&str], &[f64]), wanted: &Value, tolerance: f64, what: &str) -> usize {
    let Some(wanted) = wanted.as_object() else {
        return 0;
    };
    let size = wanted
        .values()
        .map(|x| number(x).abs())
        .fold(1e-3, f64::max);
    for (name, wanted) in wanted {
        let place = found.0.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| panic!("{what}: there is no {name}"));
        let (found, wanted) = (found.1[place], number(wanted));
        assert!(
            (found - wanted).abs() <= tolerance * size,
            "{what}, {name}: {found:.17e} for {wanted:.17e}"
        );
    }
    wanted.len()
}

fn assert_reference(name: &str, mechanism: &Mechanism, wanted: &Value) {
    let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
    let rows: Vec<&str> = mechanism
        .system
        .rows
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    let now = snapshot_at_start(mechanism);
    let start = &wanted["start"];
    let near = number(&wanted["tolerance"]["start"]);
    let mut compared = 0;
    for (labels, found, key) in [
        (&coordinates, &now.state.coordinates, "coordinates"),
        (&coordinates, &now.state.rates, "rates"),
        (&coordinates, &now.accelerations, "accelerations"),
        (&rows, &now.multipliers, "multipliers"),
    ] {
        let what = format!("{name} at the start, {key}");
        compared += assert_named((labels, found), &start[key], near, &what);
    }
    assert!(compared >= 3, "{name}: {compared} numbers at the start");
    let later = wanted["later"].as_array().unwrap();
    assert!(later.len() >= 2, "{name}");
    let far = number(&wanted["tolerance"]["later"]);
    for state in later {
        let t = number(&state["t"]);
        let end = run(mechanism, t, &exact());
        for (found, key) in [(&end.coordinates, "coordinates"), (&end.rates, "rates")] {
            let what = format!("{name} at {t}, {key}");
            let compared = assert_named((&coordinates, found), &state[key], far, &what);
            assert!(compared > 0, "{what}");
        }
    }
}

#[test]
fn every_model_meets_its_reference() {
    for name in names() {
        let wanted = reference(&name);
        assert_eq!(wanted["model"], name.as_str());
        for key in ["title", "source", "derivation"] {
            assert!(
                wanted[key].as_str().is_some_and(|text| !text.is_empty()),
                "{name}: {key}"
            );
        }
        assert_reference(&name, &mechanism(&name), &wanted);
    }
}

/// No file of numbers is left over that no model and no test knows.
#[test]
fn every_reference_has_a_model() {
    let data = [
        "heavy_top",
        "iftomm_a01",
        "iftomm_a02",
        "iftomm_a04",
        "iftomm_a05",
        "ivp_andrews",
        "seed_examples",
        "whipple_bicycle",
    ];
    let models = names();
    for name in references() {
        assert!(
            models.contains(&name) || data.contains(&name.as_str()),
            "{name}"
        );
    }
}

/// The paper's wrong equations of the gear would give other accelerations: the printed ones are refuted, not met.
#[test]
fn the_printed_gear_is_wrong() {
    let wanted = reference("angeles-gear-train");
    let now = snapshot_at_start(&mechanism("angeles-gear-train"));
    let printed = number(&wanted["printed_wrong"]["theta1''"]);
    assert!((now.accelerations[0] - printed).abs() > 10.0);
}

/// The published equilibrium of the IFToMM four-bar: at rest there, it stays.
#[test]
fn the_four_bar_rests_where_it_is_published() {
    let text = crate::support::text("four-bar-iftomm");
    let rest = number(&reference("four-bar-iftomm")["equilibrium"]);
    assert!((rest - 2.234_331_018_98).abs() < 1e-10);
    let text = text.replace("\"110 deg\"", &format!("{rest:.17}"));
    let mechanism = crate::support::read(&text).unwrap();
    let now = snapshot_at_start(&mechanism);
    assert!((now.state.coordinates[2] - rest).abs() < 1e-14);
    assert!(
        now.accelerations.iter().all(|a| a.abs() < 1e-12),
        "{:?}",
        now.accelerations
    );
}
