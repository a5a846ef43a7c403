//! Worked examples of the papers: accelerations, multipliers, the split of forces, later states.

use crate::support::{
    assert_close, exact, mechanism, number, numbers, picked, read, reference, run,
    snapshot_at_start, text,
};
use dalembert_mechanics::ids::ConstraintId;
use dalembert_mechanics::start::State;
use serde_json::Value;

fn example(name: &str) -> Value {
    reference("seed_examples")["examples"][name].clone()
}

/// Later states, each by a run of its own: what is picked from the JSON, and what of the run it is.
fn assert_later(name: &str, example: &Value, layout: impl Fn(&Value) -> Vec<f64>, of: &[usize]) {
    let mechanism = mechanism(name);
    let later = example["later_states"].as_array().unwrap();
    assert!(later.len() >= 2);
    for state in later {
        let end = run(&mechanism, number(&state["t"]), &exact());
        let all = [end.coordinates.as_slice(), &end.rates].concat();
        let found: Vec<f64> = of.iter().map(|&i| all[i]).collect();
        assert_close(
            &found,
            &layout(state),
            1e-8,
            &format!("{name} at {}", state["t"]),
        );
        assert!(end.position_residual <= 1e-12 && end.velocity_residual <= 1e-11);
    }
}

#[test]
fn blajer_disk_at_the_start() {
    let example = example("blajer_rolling_disk");
    let mechanism = mechanism("blajer-disk");
    let now = snapshot_at_start(&mechanism);
    let given = picked(&example["state0"], &["xPd", "yPd", "zPd"]);
    assert_close(&now.state.rates[..3], &given, 1e-12, "rolling");
    let keys = ["phidd", "thetadd", "psidd", "xPdd", "yPdd"];
    let a = &now.accelerations;
    let found = [a[3], a[4], a[5], a[0], a[1]];
    assert_close(
        &found,
        &picked(&example["acceleration"], &keys),
        1e-10,
        "x''",
    );
    let quasi = &example["quasi_velocities"];
    assert_close(&now.speeds, &numbers(&quasi["v"]), 1e-10, "v");
    assert_close(&now.speed_rates, &numbers(&quasi["vdot"]), 1e-10, "v'");
    for (formulation, rates) in &now.formulations {
        let what = format!("v' by {formulation:?}");
        assert_close(rates, &numbers(&quasi["vdot"]), 1e-10, &what);
    }
    let contact = numbers(&example["contact_force_inertial"]);
    assert_close(&now.multipliers, &contact, 1e-10, "multipliers of (6.1)");
    let total: Vec<f64> = (0..6)
        .map(|i| {
            now.reactions
                .constraints()
                .map(|k| now.reactions.on_all(k)[i])
                .sum()
        })
        .collect();
    let wanted = numbers(&example["generalized_ideal_constraint_force_xcoords"]);
    assert_close(&total, &wanted, 1e-10, "reactions by coordinate");
    let energy = now.kinetic + now.potential;
    assert_close(&[energy], &[number(&example["energy0"])], 1e-12, "energy");
}

/// With the rows (6.5) the multipliers are the contact force in the axes of the disk, (6.12), and the
/// reactions by speed are those of (6.13).
#[test]
fn blajer_disk_with_rows_in_speeds() {
    let example = example("blajer_rolling_disk");
    let text = text("blajer-disk")
        .replace("xP' + r*psi'*cos(phi) = 0", "v1 + r*v6 = 0")
        .replace("yP' + r*psi'*sin(phi) = 0", "v2 = 0")
        .replace("zP = 0\"", "v3 - r*v4 = 0\"");
    let now = snapshot_at_start(&read(&text).unwrap());
    let lambda = numbers(&example["lambda_6_12_corrected"]);
    assert_close(&now.multipliers, &lambda, 1e-10, "multipliers of (6.5)");
    let by_speed = [
        lambda[0],
        lambda[1],
        lambda[2],
        -0.5 * lambda[2],
        0.0,
        0.5 * lambda[0],
    ];
    assert_close(&now.force_ideal, &by_speed, 1e-10, "(6.13)");
}

#[test]
fn blajer_disk_without_friction() {
    let example = example("blajer_rolling_disk");
    let whole = text("blajer-disk");
    let (from, to) = (
        whole.find("[constraint.along]").unwrap(),
        whole.find("[constraint.floor]").unwrap(),
    );
    let text = format!("{}{}", &whole[..from], &whole[to..])
        .replace(", \"lambda(along)\", \"lambda(across)\"", "");
    let mechanism = read(&text).unwrap();
    let state0 = &example["state0"];
    let state = State {
        t: 0.0,
        coordinates: picked(state0, &["xP", "yP", "zP", "phi", "theta", "psi"]),
        rates: picked(state0, &["xPd", "yPd", "zPd", "phid", "thetad", "psid"]),
        ..State::default()
    };
    let now = mechanism.snapshot(&state).unwrap();
    let wanted = number(&example["lambda_6_19_corrected_frictionless_disk"]);
    assert_close(&now.multipliers, &[wanted], 1e-10, "(6.19)");
}

#[test]
fn blajer_disk_later() {
    let example = example("blajer_rolling_disk");
    let of = [0, 1, 3, 4, 5, 9, 10, 11];
    assert_later("blajer-disk", &example, |state| numbers(&state["y"]), &of);
}

#[test]
fn appell_hamel_at_the_start() {
    let example = example("uk2002_appell_hamel_nonideal");
    let now = snapshot_at_start(&mechanism("appell-hamel"));
    let velocity = numbers(&example["state0"]["vel"]);
    assert_close(&now.state.rates, &velocity, 1e-12, "velocity");
    assert_close(
        &now.accelerations,
        &numbers(&example["acceleration"]),
        1e-10,
        "(42)",
    );
    assert_close(&now.force_given, &numbers(&example["F_N"]), 1e-10, "F^N");
    assert_close(
        &now.force_ideal,
        &numbers(&example["F_L_ideal"]),
        1e-10,
        "F^L",
    );
    assert_close(
        &now.force_nonideal,
        &numbers(&example["F_C_nonideal"]),
        1e-10,
        "F^C",
    );
    // The paper halves the row; ours is as written.
    let ideal = number(&example["lambda_ideal"]) / 2.0;
    assert_close(&now.multipliers_ideal, &[ideal], 1e-10, "ideal multiplier");
    // A^T lambda + w is the whole reaction: the actual multiplier takes w's part along A.
    let (row, w) = (numbers(&example["A"]), numbers(&example["C_vector"]));
    let row: Vec<f64> = row.iter().map(|a| 2.0 * a).collect();
    let along: f64 = row.iter().zip(&w).map(|(a, w)| a * w).sum();
    let square: f64 = row.iter().map(|a| a * a).sum();
    assert_close(
        &now.multipliers,
        &[ideal - along / square],
        1e-10,
        "actual multiplier",
    );
    let power: f64 = now
        .force_nonideal
        .iter()
        .zip(&velocity)
        .map(|(f, v)| f * v)
        .sum();
    assert_close(
        &[power],
        &[number(&example["power_of_nonideal"])],
        1e-10,
        "power of F^C",
    );
}

#[test]
fn appell_hamel_later() {
    let example = example("uk2002_appell_hamel_nonideal");
    let of = [0, 1, 2, 3, 4, 5];
    assert_later("appell-hamel", &example, |state| numbers(&state["y"]), &of);
}

#[test]
fn line_at_the_start() {
    let example = example("ukf2005_particle_on_line");
    let now = snapshot_at_start(&mechanism("ukf-line"));
    assert_close(
        &now.state.coordinates,
        &numbers(&example["state0"]["x"]),
        1e-12,
        "x",
    );
    assert_close(
        &now.state.rates,
        &numbers(&example["state0"]["v"]),
        1e-12,
        "x'",
    );
    assert_close(
        &now.accelerations,
        &numbers(&example["acceleration"]),
        1e-10,
        "x''",
    );
    assert_close(&now.force_given, &numbers(&example["F_N"]), 1e-10, "F^N");
    assert_close(&now.force_ideal, &numbers(&example["F_L"]), 1e-10, "F^L");
    assert_close(&now.force_nonideal, &numbers(&example["F_C"]), 1e-10, "F^C");
    let ideal = number(&example["lambda_ideal"]);
    assert_close(&now.multipliers_ideal, &[ideal], 1e-10, "ideal multiplier");
    // w = (1, 2) lies along the line: nothing of it is left for the row.
    assert_close(&now.multipliers, &[ideal], 1e-10, "actual multiplier");
    assert_close(
        &now.reactions.on_all(ConstraintId::new(0)),
        &[-2.924, 3.962],
        1e-10,
        "reaction",
    );
}

#[test]
fn line_later() {
    let example = example("ukf2005_particle_on_line");
    let layout = |state: &Value| [numbers(&state["x"]), numbers(&state["v"])].concat();
    assert_later("ukf-line", &example, layout, &[0, 1, 2, 3]);
}

#[test]
fn phong_disk_on_the_way() {
    let example = example("phong_ex1_planar_rolling_disk");
    let mechanism = mechanism("phong-disk");
    let start = mechanism.start().unwrap().state;
    let state0 = picked(&example["state0"], &["s", "u", "phi"]);
    assert_close(&start.coordinates, &state0, 1e-12, "start");
    let now = mechanism.snapshot(&State { t: 0.7, ..start }).unwrap();
    let wanted = &example["at_t_0_7"];
    assert_close(
        &now.accelerations,
        &picked(wanted, &["sdd", "udd", "phidd"]),
        1e-10,
        "q''",
    );
    let lambdas = picked(wanted, &["lambda_u", "lambda_roll"]);
    assert_close(&now.multipliers, &lambdas, 1e-10, "multipliers");
    assert_close(&now.multipliers_ideal, &lambdas, 1e-10, "ideal multipliers");
    assert_close(
        &now.force_ideal,
        &picked(wanted, &["r_s", "r_u", "r_phi"]),
        1e-10,
        "reactions",
    );
}

#[test]
fn phong_disk_later() {
    let example = example("phong_ex1_planar_rolling_disk");
    let layout = |state: &Value| picked(state, &["s", "u", "phi", "sd", "phid"]);
    assert_later("phong-disk", &example, layout, &[0, 1, 2, 3, 5]);
}

#[test]
fn phong_pendulum_at_the_start() {
    let example = example("phong_ex2_pendulum");
    let now = snapshot_at_start(&mechanism("phong-pendulum"));
    let wanted = picked(&example["acceleration"], &["xdd", "ydd", "phidd"]);
    assert_close(&now.accelerations, &wanted, 1e-10, "q''");
    assert_close(
        &now.multipliers,
        &numbers(&example["lambdas"]),
        1e-10,
        "multipliers",
    );
    let wanted = picked(&example["reactions"], &["r_x", "r_y", "r_phi"]);
    assert_close(&now.force_ideal, &wanted, 1e-10, "reactions");
}

#[test]
fn phong_pendulum_later() {
    let example = example("phong_ex2_pendulum");
    let layout = |state: &Value| picked(state, &["x", "y", "phi", "phid"]);
    assert_later("phong-pendulum", &example, layout, &[0, 1, 2, 5]);
}
