//! The wheelset of the IVP test set: the state that is published for t = 10, after 49 swings.

use crate::support::{assert_close, mechanism, picked, reference, run};
use dalembert::simulate::RunOptions;
use dalembert_mechanics::start::State;

#[test]
fn the_published_end_is_reached() {
    let wheelset = mechanism("wheelset-ivp");
    let options = RunOptions {
        samples: Some(2),
        ..RunOptions::default()
    };
    let end = run(&wheelset, 10.0, &options);
    let published = &reference("wheelset-ivp")["published"];
    let (q, v) = (&end.coordinates, &end.rates);
    let names = ["x", "y", "z", "theta", "phi"];
    assert_close(&q[..5], &picked(published, &names), 1e-5, "place");
    let contacts = ["psi_l", "xi_l", "psi_r", "xi_r"];
    assert_close(&q[6..], &picked(published, &contacts), 1e-5, "contacts");
    let rates = ["x'", "y'", "z'", "theta'", "phi'", "beta"];
    let found = [v[0], v[1], v[2], v[3], v[4], v[5] - 300.0];
    assert_close(&found, &picked(published, &rates), 1e-5, "rates");
    let state = State {
        t: end.t_end,
        coordinates: q.clone(),
        rates: v.clone(),
        ..State::default()
    };
    let now = wheelset.snapshot(&state).unwrap();
    let normal = picked(published, &["lambda(left)", "lambda(right)"]);
    assert_close(&now.multipliers[..2], &normal, 1e-5, "normal forces");
    // What makes the normals parallel needs no force.
    assert_close(&now.multipliers[2..], &[0.0; 4], 1e-9, "massless points");
    assert!(end.position_residual < 1e-13 && end.velocity_residual < 1e-12);
}
