//! The centre of a body may be written in its own axes, and in nothing else of its own.

use crate::models::mechanism;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::model::read;

fn rod(center: &str) -> String {
    format!(
        "gravity = \"[0, -9.81, 0]\"\n[coordinates]\ntheta = 0.5\n[body.rod]\nmass = 2\n\
         center = \"{center}\"\nattitude = \"Rz(theta)\"\nshape = {{ rod = {{ length = 1.2, axis = \"y\" }} }}\n"
    )
}

#[test]
fn a_rod_hanging_at_its_end_swings_as_it_should() {
    let mechanism = mechanism(&rod("-0.6*rod.ey"));
    let start = mechanism.start().expect("a start");
    let motion = mechanism.snapshot(&start.state).expect("a motion");
    // θ'' = −3 g sin θ/(2 l)
    let expected = -1.5 * 9.81 / 1.2 * 0.5_f64.sin();
    assert!((motion.accelerations[0] - expected).abs() < 1e-12);
}

#[test]
fn a_centre_cannot_be_written_in_itself() {
    for center in [
        "rod.center",
        "pos(rod)",
        "vel(rod)",
        "point(rod, [1, 0, 0])",
    ] {
        let (model, _) = read(&format!("dalembert = 1\n{}", rod(center))).expect("a model");
        let Err(errors) = Mechanism::new(model) else {
            panic!("{center} was accepted");
        };
        assert_eq!(errors[0].code, "E0401", "{center}");
    }
}
