//! What is refused, by name.

use crate::support::{derived, text};
use dalembert::derive::{DeriveOptions, Form};

#[track_caller]
fn refused(model: &str, options: &DeriveOptions, code: &str, words: &str) {
    let errors = derived(model, options).err().unwrap();
    assert!(errors.contains(code) && errors.contains(words), "{errors}");
}

fn form(form: Form) -> DeriveOptions {
    DeriveOptions {
        form: Some(form),
        ..DeriveOptions::default()
    }
}

fn independent(names: &[&str]) -> DeriveOptions {
    DeriveOptions {
        independent: names.iter().map(|&name| name.to_owned()).collect(),
        ..DeriveOptions::default()
    }
}

#[test]
fn rows_that_are_not_linear_have_no_independent_speeds() {
    refused(
        &text("appell-hamel"),
        &form(Form::Independent),
        "E0602",
        "`cone`",
    );
}

#[test]
fn forces_have_no_energies() {
    refused(
        &text("phong-disk"),
        &form(Form::Lagrange),
        "E0603",
        "[dynamics]",
    );
}

#[test]
fn independent_speeds_are_names_of_the_model() {
    refused(
        &text("rolling-disk"),
        &independent(&["theta", "chi"]),
        "E0600",
        "`chi`",
    );
}

#[test]
fn independent_speeds_are_as_many_as_there_are_freedoms() {
    let disk = text("rolling-disk");
    refused(&disk, &independent(&["theta"]), "E0601", "3 independent");
    refused(
        &disk,
        &independent(&["x", "y", "z"]),
        "E0601",
        "3 independent",
    );
    assert!(derived(&disk, &independent(&["theta", "psi'", "phi"])).is_ok());
}

#[test]
fn contradictory_rows_are_named() {
    let model =
        text("phong-pendulum") + "[constraint.third]\nholds = \"x' - l*cos(phi)*phi' = 1\"\n";
    refused(&model, &form(Form::Independent), "E0604", "`third`");
}

#[test]
fn rows_that_depend_on_others_share_their_reactions() {
    let model = text("phong-pendulum") + "[constraint.again]\nholds = \"2*x - 2*l*sin(phi) = 0\"\n";
    let found = derived(&model, &form(Form::Independent)).unwrap();
    let shared =
        "rows whose reactions cannot be told apart (they depend on each other): `across`, `again`";
    let other = "independent speeds with the shortest equations; `check` takes y', the best conditioned at the start";
    assert_eq!(found.notes, [shared, other]);
    let formulas: Vec<bool> = found.multipliers.iter().map(Option::is_some).collect();
    assert_eq!(formulas, [false, true, false]);
}

#[test]
fn rates_and_quasi_velocities_are_not_mixed() {
    let disk = text("blajer-disk");
    let mixed = independent(&["theta", "v4", "v6"]);
    refused(&disk, &mixed, "E0600", "not both: theta and v4, v6");
}
