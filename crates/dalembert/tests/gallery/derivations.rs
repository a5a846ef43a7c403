//! Two derivations of one motion: the rolling disk as a body with a point at rest and by Blajer's energies in
//! quasi-velocities; the free body by its quaternion and by Euler's equations.

use crate::support::{assert_close, exact, mechanism, run, state_on_the_way};
use dalembert_mechanics::start::State;

/// A function of time: value, rate, second rate.
type Jet = [f64; 3];

fn times(a: Jet, b: Jet) -> Jet {
    [
        a[0] * b[0],
        a[1] * b[0] + a[0] * b[1],
        a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2],
    ]
}

fn sin(a: Jet) -> Jet {
    let (s, c) = a[0].sin_cos();
    [s, c * a[1], c * a[2] - s * a[1] * a[1]]
}

fn cos(a: Jet) -> Jet {
    sin([a[0] + std::f64::consts::FRAC_PI_2, a[1], a[2]])
}

#[test]
fn rolling_disks_agree() {
    let (by_speeds, by_body) = (mechanism("blajer-disk"), mechanism("rolling-disk"));
    let mut rng = fastrand::Rng::with_seed(5);
    let r = 0.5;
    for _ in 0..20 {
        let mut any = |size: f64| size * (2.0 * rng.f64() - 1.0);
        let (phi, theta, psi) = (any(3.0), any(1.2), any(3.0));
        let (phi_rate, theta_rate, psi_rate) = (any(2.0), any(2.0), any(6.0));
        let contact = [any(1.0), any(1.0), 0.0];
        let contact_rate = [-r * psi_rate * phi.cos(), -r * psi_rate * phi.sin(), 0.0];
        let first = by_speeds
            .snapshot(&State {
                t: 0.0,
                coordinates: [contact.as_slice(), &[phi, theta, psi]].concat(),
                rates: [contact_rate.as_slice(), &[phi_rate, theta_rate, psi_rate]].concat(),
                ..State::default()
            })
            .unwrap();
        // The centre is r eta above the point of contact.
        let a = &first.accelerations;
        let heading: Jet = [phi, phi_rate, a[3]];
        let lean: Jet = [theta, theta_rate, a[4]];
        let minus = |a: Jet| a.map(|x| -x);
        let eta = [
            minus(times(sin(lean), sin(heading))),
            times(sin(lean), cos(heading)),
            cos(lean),
        ];
        let center = |order: usize, from: [f64; 3]| -> Vec<f64> {
            (0..3).map(|i| from[i] + r * eta[i][order]).collect()
        };
        let second = by_body
            .snapshot(&State {
                t: 0.0,
                coordinates: [center(0, contact), vec![phi, -theta, -psi]].concat(),
                rates: [
                    center(1, contact_rate),
                    vec![phi_rate, -theta_rate, -psi_rate],
                ]
                .concat(),
                ..State::default()
            })
            .unwrap();
        let wanted = [center(2, [a[0], a[1], a[2]]), vec![a[3], -a[4], -a[5]]].concat();
        assert_close(&second.accelerations, &wanted, 1e-10, "accelerations");
        assert_close(
            &second.multipliers,
            &first.multipliers,
            1e-10,
            "contact force",
        );
        assert_close(&[second.kinetic], &[first.kinetic], 1e-12, "T");
        assert_close(&[second.potential], &[first.potential], 1e-12, "V");
    }
}

/// ω = 2 E q' in body axes; ω' = 2 E q'', since E' q' = 0.
fn turned(q: &[f64], rates: &[f64]) -> [f64; 3] {
    [
        2.0 * (-q[1] * rates[0] + q[0] * rates[1] + q[3] * rates[2] - q[2] * rates[3]),
        2.0 * (-q[2] * rates[0] - q[3] * rates[1] + q[0] * rates[2] + q[1] * rates[3]),
        2.0 * (-q[3] * rates[0] + q[2] * rates[1] - q[1] * rates[2] + q[0] * rates[3]),
    ]
}

#[test]
fn the_quaternion_obeys_euler() {
    let mechanism = mechanism("rigid-body-quaternion");
    let moments = [1.0, 2.0, 2.5];
    let now = mechanism.snapshot(&state_on_the_way(&mechanism)).unwrap();
    let q = &now.state.coordinates;
    let w = turned(q, &now.state.rates);
    let found = turned(q, &now.accelerations);
    let wanted = [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        (moments[j] - moments[k]) * w[j] * w[k] / moments[i]
    });
    assert_close(&found, &wanted, 1e-10, "Euler");
    let size = |w: [f64; 3]| -> f64 { (0..3).map(|i| (moments[i] * w[i]).powi(2)).sum() };
    let end = run(&mechanism, 10.0, &exact());
    let last = turned(&end.coordinates, &end.rates);
    assert_close(&[size(last)], &[size(w)], 1e-9, "angular momentum");
    assert!(last[1] < 0.0, "it tumbles: {last:?}");
}
