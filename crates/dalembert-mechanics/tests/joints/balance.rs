//! Free bodies in balance, by two derivations; and what is wrong is seen.

use super::{Mechanism, Now};
use dalembert_mechanics::lower::physical;
use dalembert_mechanics::model::read;
use dalembert_mechanics::{Snapshot, reactions::Unbalanced};

fn example(name: &str) -> (Mechanism, Snapshot) {
    let path = format!(
        "{}/../../examples/mechanisms/{name}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let (model, _) = read(&text).unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    let start = mechanism.start().unwrap();
    let snapshot = mechanism.snapshot(&start.state).unwrap();
    (mechanism, snapshot)
}

fn judged(mechanism: &Mechanism, snapshot: &Snapshot) -> Option<Unbalanced> {
    mechanism.unbalanced(&physical(&mechanism.model), snapshot)
}

#[test]
fn mechanisms_are_in_balance() {
    for name in [
        "slider-crank",
        "andrews-squeezer",
        "heavy-top",
        "governor-iftomm-a05",
        "bricard-iftomm-a04",
    ] {
        let (mechanism, snapshot) = example(name);
        assert_eq!(judged(&mechanism, &snapshot), None, "{name}");
    }
}

/// One multiplier that is off by a ten-thousandth, or one acceleration, and the bodies it belongs to are named.
#[test]
fn what_is_wrong_is_seen() {
    let (mechanism, snapshot) = example("bricard-iftomm-a04");
    let rows = mechanism.system.rows.iter().enumerate();
    let rows = rows.filter(|(_, row)| !row.identity);
    let largest = snapshot
        .multipliers
        .iter()
        .fold(0.0_f64, |a, it| a.max(it.abs()));
    for (i, row) in rows {
        let mut wrong = snapshot.clone();
        wrong.multipliers[i] += 1e-3 * largest;
        assert!(judged(&mechanism, &wrong).is_some(), "{}", row.name);
    }
    // That of a quaternion along itself moves nothing.
    let names = mechanism.coordinate_names().enumerate();
    let places = names.filter(|(_, name)| [".x", ".y", ".z"].iter().any(|it| name.ends_with(it)));
    for (i, name) in places {
        let mut wrong = snapshot.clone();
        let size = wrong.accelerations[i].abs().max(1.0);
        wrong.accelerations[i] += 1e-3 * size;
        assert!(judged(&mechanism, &wrong).is_some(), "{name}");
    }
}

/// A body that no joint holds, and forces that cancel: rounding is not taken for an imbalance.
#[test]
fn what_cancels_is_in_balance() {
    let now = Now::written(
        "gravity = \"[0, 0, -9.81]\"\n[body.a]\nmass = 2\ninertia = [1, 2, 2.5]\nstart = { omega = \"[3, 0.1, 7]\" }\n\
         [body.b]\nmass = 1\ninertia = [1, 2, 2.5]\n[joint.J]\ntype = \"weld\"\nbetween = [\"point(ground, [1, 2, 3])\", \"b\"]\n\
         [force.up]\non = \"a\"\nat = \"point(a, [0, 0, 0])\"\nvector = \"[1e6, 0, 0]\"\n[force.down]\non = \"a\"\nat = \"point(a, [0, 0, 0])\"\nvector = \"[-1e6, 0, 0]\"\n",
    );
    assert_eq!(judged(&now.mechanism, &now.snapshot), None);
}
