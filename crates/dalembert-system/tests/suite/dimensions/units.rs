//! Units at the heads of columns.

use super::{built, pendulum, plane};
use dalembert_model::model::Model;
use dalembert_model::model::builder::ModelBuilder;
use dalembert_system::dimensions::{Units, units_of};

fn units(builder: ModelBuilder) -> Units {
    units_of(&built(builder))
}

fn list(units: &[Option<String>]) -> Vec<&str> {
    units
        .iter()
        .map(|it| it.as_deref().unwrap_or("?"))
        .collect()
}

#[test]
fn angles_are_in_rad() {
    let units = units(
        pendulum()
            .parameter("omega", "2")
            .parameter("a", "5 deg")
            .parameter("w", "60 rpm")
            .definition("height", "l*sin(theta)")
            .definition("drive", "sin(omega*t)")
            .definition("sum", "theta + a"),
    );
    assert_eq!(list(&units.coordinates), ["rad"]);
    assert_eq!(list(&units.rates), ["rad/s"]);
    assert_eq!(list(&units.accelerations), ["rad/s^2"]);
    assert_eq!(list(&units.generalized_forces), ["N*m"]);
    assert_eq!(
        list(&units.parameters),
        ["kg", "m", "m/s^2", "rad/s", "rad", "rad/s"]
    );
    assert_eq!(list(&units.definitions), ["m", "1", "rad"]);
}

#[test]
fn lengths_speeds_and_records_have_units() {
    let units = units(
        plane()
            .parameter("k", "3")
            .parameter("free", "3")
            .coordinate("phi", "0")
            .coordinate("q", "0")
            .frame("F", "Rz(2*phi)")
            .speed("u", "x' + y'")
            .speed("w", "2*phi'")
            .speed("v", "y'")
            .speed("s", "q'")
            .generalized_force("S", &[("x", "-k*x")])
            .run(|run| {
                run.record(&[
                    "energy", "power(S)", "vel(P)", "phi'", "omega(F)", "m*x'", "2*x", "k/m",
                ])
            }),
    );
    assert_eq!(list(&units.coordinates), ["m", "m", "rad", "?"]);
    assert_eq!(list(&units.rates), ["m/s", "m/s", "rad/s", "?"]);
    assert_eq!(
        list(&units.accelerations),
        ["m/s^2", "m/s^2", "rad/s^2", "?"]
    );
    assert_eq!(list(&units.generalized_forces), ["N", "N", "N*m", "?"]);
    assert_eq!(list(&units.speeds), ["m/s", "?", "m/s", "?"]);
    assert_eq!(list(&units.parameters), ["kg", "m/s^2", "kg/s^2", "?"]);
    assert_eq!(
        list(&units.records),
        ["J", "W", "m/s", "rad/s", "rad/s", "kg*m/s", "?", "1/s^2"]
    );
}

#[test]
fn without_units_only_angles_are_known() {
    let units = units(
        Model::builder("Bare")
            .parameter("l", "1")
            .coordinate("x", "0")
            .coordinate("theta", "0")
            .particle("P", "1", "[x + l*sin(theta), -l*cos(theta), 0]"),
    );
    assert_eq!(list(&units.coordinates), ["?", "rad"]);
    assert_eq!(list(&units.rates), ["?", "?"]);
    assert_eq!(list(&units.parameters), ["?"]);
}
