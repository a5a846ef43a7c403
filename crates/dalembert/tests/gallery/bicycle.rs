//! The Whipple bicycle, linearized about upright riding, against the published matrices of the benchmark:
//! M q'' + v C1 q' + (g K0 + v² K2) q = 0 for q = (roll, steer).

use crate::support::{numbers, read, reference, text};

/// Roll and steer accelerations with one of roll, steer and their rates displaced.
fn accelerations(speed: f64, displaced: usize, by: f64) -> [f64; 2] {
    let mut values = [0.0; 4];
    values[displaced] = by;
    let [roll, steer, roll_rate, steer_rate] = values;
    let text = text("whipple-bicycle")
        .replace("\"4.6 m/s\"", &format!("\"{speed} m/s\""))
        .replace("phi    = 0 ", &format!("phi    = {roll:e} "))
        .replace("delta  = 0 ", &format!("delta  = {steer:e} "))
        .replace("\"0.5 rad/s\"", &format!("{roll_rate:e}"))
        .replace("\"delta'\"  = 0", &format!("\"delta'\"  = {steer_rate:e}"));
    let mechanism = read(&text).unwrap();
    let now = mechanism
        .snapshot(&mechanism.start().unwrap().state)
        .unwrap();
    let place = |name| {
        mechanism
            .coordinate_names()
            .position(|known| known == name)
            .unwrap()
    };
    let (phi, delta) = (place("phi"), place("delta"));
    assert!((now.state.coordinates[phi] - roll).abs() < 1e-15);
    assert!((now.state.coordinates[delta] - steer).abs() < 1e-15);
    assert!((now.state.rates[phi] - roll_rate).abs() < 1e-15);
    assert!((now.state.rates[delta] - steer_rate).abs() < 1e-15);
    [now.accelerations[phi], now.accelerations[delta]]
}

/// A derivative by differences of order six.
fn derivative(speed: f64, displaced: usize) -> [f64; 2] {
    let h = 1e-3;
    let slope = |k: f64| {
        let (up, down) = (
            accelerations(speed, displaced, k * h),
            accelerations(speed, displaced, -k * h),
        );
        [0, 1].map(|i| (up[i] - down[i]) / (2.0 * k * h))
    };
    let (one, two, three) = (slope(1.0), slope(2.0), slope(3.0));
    [0, 1].map(|i| (15.0 * one[i] - 6.0 * two[i] + three[i]) / 10.0)
}

#[test]
fn it_has_the_published_matrices() {
    let benchmark = reference("whipple_bicycle");
    let matrix = |name: &str| -> Vec<Vec<f64>> {
        benchmark[name]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect()
    };
    let (mass, c1, k0, k2) = (matrix("M"), matrix("C1"), matrix("K0"), matrix("K2"));
    for speed in [3.0, 4.6, 8.0] {
        for displaced in 0..4 {
            let a = derivative(speed, displaced);
            for row in 0..2 {
                let column = displaced % 2;
                let stiff = 9.81 * k0[row][column] + speed * speed * k2[row][column];
                let force = if displaced < 2 {
                    stiff
                } else {
                    speed * c1[row][column]
                };
                let found = mass[row][0] * a[0] + mass[row][1] * a[1];
                assert!(
                    (found + force).abs() < 1e-7 * (1.0 + stiff.abs()),
                    "{speed} m/s, {row} by {displaced}: {found} for {}",
                    -force
                );
            }
        }
    }
}
