//! Constraints that come and go.

use super::{assert_near, mechanism, run, run_with};
use dalembert_mechanics::formulation::Formulation;
use dalembert_simulate::{Happening, Outcome, RunOptions};

/// A bob falls inside the circle of its string: where that goes taut the velocity along it is lost.
const STRING: &str = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0.6\ny = 0\n\
    [particle.bob]\nmass = 2\nposition = \"[x, y, 0]\"\n\
    [constraint.string]\nholds = \"x^2 + y^2 = 1\"\nactive = false\n\
    [event.taut]\nwhen = \"x^2 + y^2 > 1\"\nengage = \"string\"\n";

#[test]
fn a_string_that_goes_taut_takes_the_velocity_along_it() {
    let found = run(&format!("{STRING}[run]\nspan = 2\n"));
    let hit = &found.happened[0];
    // At (0.6, −0.8) after a fall of 0.8.
    assert_near(hit.t, (1.6_f64 / 9.81).sqrt(), 1e-12);
    let v = (2.0 * 9.81 * 0.8_f64).sqrt();
    assert_near(hit.before[1], -v, 1e-11);
    // Along the tangent (0.8, 0.6): −0.6 v.
    assert_near(hit.after[0], -0.6 * v * 0.8, 1e-11);
    assert_near(hit.after[1], -0.6 * v * 0.6, 1e-11);
    assert_near(hit.lost.unwrap(), 0.64 * v * v, 1e-10);
    let radius = found.coordinates[0].hypot(found.coordinates[1]);
    assert_near(radius, 1.0, 1e-12);
    assert!(found.balance_error().abs() < 1e-8);
}

#[test]
fn modes_change_by_every_formulation_and_integrator() {
    let reference = run(&format!("{STRING}[run]\nspan = 2\nrtol = 1e-11\n"));
    for formulation in Formulation::ALL {
        let options = RunOptions {
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        let found = run_with(&format!("{STRING}[run]\nspan = 2\n"), &options);
        let found = found.unwrap_or_else(|error| panic!("{formulation:?}: {error:?}"));
        assert_near(found.coordinates[0], reference.coordinates[0], 1e-7);
    }
    for integrator in ["dopri5", "radau"] {
        let found = run(&format!(
            "{STRING}[run]\nspan = 2\nintegrator = \"{integrator}\"\n"
        ));
        assert_near(found.coordinates[0], reference.coordinates[0], 1e-6);
    }
}

/// From rest near the top a particle leaves a smooth sphere where cos θ = (2/3) cos θ₀.
#[test]
fn a_particle_leaves_a_sphere_at_two_thirds() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nr = 2\n[coordinates]\nx = \"r*sin(0.1)\"\ny = \"r*cos(0.1)\"\n\
        [particle.P]\nmass = 0.5\nposition = \"[x, y, 0]\"\n[constraint.sphere]\nholds = \"x^2 + y^2 = r^2\"\n\
        [event.leave]\nwhen = \"lambda(sphere) < 0\"\nrelease = \"sphere\"\n\
        [event.ground]\nwhen = \"y < 0\"\nstop = true\n[run]\nspan = 5\n";
    let found = run(text);
    assert_eq!(found.outcome, Outcome::Event(1));
    let leave = &found.happened[0];
    assert!(leave.impulses.is_empty() && !leave.is_blow);
    // Energy: v² = 2 g r (cos θ₀ − cos θ); the angle of the velocity is that of the tangent.
    let v2: f64 = leave.before.iter().map(|v| v * v).sum();
    let cos = 0.1_f64.cos() - v2 / (2.0 * 9.81 * 2.0);
    assert_near(cos, 2.0 / 3.0 * 0.1_f64.cos(), 1e-9);
    assert!(found.balance_error().abs() < 1e-8);
}

/// A ladder that slides down from rest leaves the wall where its height is 2/3 of that at the start.
#[test]
fn a_ladder_leaves_the_wall_at_two_thirds_of_its_height() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nl = 4\n[coordinates]\nx = \"?\"\ny = \"?\"\na = \"1.2\"\n\
        [body.ladder]\nmass = 10\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\ninertia = [0, 1, \"10*l^2/12\"]\n\
        point = { top = \"[-l/2, 0, 0]\", foot = \"[l/2, 0, 0]\" }\n\
        [constraint.wall]\nholds = \"ladder.top.x = 0\"\n[constraint.floor]\nholds = \"ladder.foot.y = 0\"\n\
        [event.leave]\nwhen = \"lambda(wall) < 0\"\nrelease = \"wall\"\n[run]\nspan = 5\nuntil = \"y < 0.3\"\n";
    let text = text.replace("a = \"1.2\"", "a = -1.2");
    let found = run(&text);
    let leave = &found.happened[0];
    // Energy: (2/3) … the height of the centre at the release follows from the kinetic energy there.
    let [vx, vy, w] = [leave.before[0], leave.before[1], leave.before[2]];
    let kinetic = 5.0 * (vx * vx + vy * vy) + 0.5 * (10.0 * 16.0 / 12.0) * w * w;
    let height = 2.0 * 1.2_f64.sin() - kinetic / (10.0 * 9.81);
    assert_near(height, 2.0 / 3.0 * 2.0 * 1.2_f64.sin(), 1e-8);
    // From there on the foot slides at a constant momentum along the floor: x' of the centre stays.
    assert_near(found.rates[0], vx, 1e-9);
}

/// What waits is in no count, has no multiplier, and does not restrict the start.
#[test]
fn what_waits_is_not_there() {
    let mechanism = mechanism(STRING);
    let start = mechanism.start().unwrap();
    assert_eq!(start.state.coordinates, [0.6, 0.0]);
    let motion = mechanism.snapshot(&start.state).unwrap();
    assert_eq!((motion.rank, motion.multipliers[0]), (0, 0.0));
    assert!(motion.unique[0] && !motion.redundant[0]);
    assert_near(motion.accelerations[1], -9.81, 1e-14);
    let engaged = start.state.mode.with(
        &mechanism.system,
        dalembert_mechanics::ids::ConstraintId::new(0),
        true,
    );
    let mut held = start.state.clone();
    held.mode = engaged;
    held.coordinates = vec![0.0, -1.0];
    let motion = mechanism.snapshot(&held).unwrap();
    assert_eq!(motion.rank, 1);
    assert_near(motion.accelerations[1], 0.0, 1e-13);
}

/// A non-ideal constraint does its work only while it holds.
#[test]
fn a_virtual_work_vector_waits_with_its_constraint() {
    let text = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 4\n[particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.track]\nholds = \"y = 0\"\nactive = false\nnonideal = { x = \"-3*x'\" }\n\
        [event.on]\nwhen = \"t > 1\"\nengage = \"track\"\n[event.off]\nwhen = \"t > 2\"\nrelease = \"track\"\n[run]\nspan = 3\n";
    let found = run(text);
    let v = 4.0 * (-1.5_f64).exp();
    assert_near(found.rates[0], v, 1e-9);
    let x = 4.0 + 4.0 / 1.5 * (1.0 - (-1.5_f64).exp()) + v;
    assert_near(found.coordinates[0], x, 1e-9);
    assert_near(found.work, v * v - 16.0, 1e-8);
}

/// A one-way clutch takes the wheel along while the motor drives, and lets it run on when the motor brakes: 3 N·m on two wheels of 1 kg·m²
/// for one second, then −3 N·m on one of them.
#[test]
fn a_sprag_drives_one_way() {
    let text = "[coordinates]\na = 0\nb = 0\n[energy]\nkinetic = \"(a'^2 + b'^2)/2\"\n\
        [force.motor]\ngeneralized = { a = \"if(t < 1, 3, -3)\" }\n\
        [constraint.sprag]\nholds = \"a' = b'\"\nactive = false\n\
        [event.grips]\nwhen = \"a' > b'\"\nengage = \"sprag\"\n\
        [event.runs_free]\nwhen = \"lambda(sprag) > 0\"\nrelease = \"sprag\"\n[run]\nspan = 2\n";
    let found = run(text);
    let order: Vec<&Happening> = found.happened.iter().map(|it| &it.of).collect();
    assert_eq!(
        order,
        [&Happening::Event(0), &Happening::Event(1)],
        "{:?}",
        found.happened
    );
    assert_near(found.happened[0].t, 0.0, 1e-12);
    assert_near(found.happened[1].t, 1.0, 1e-12);
    assert_near(found.rates[0], -1.5, 1e-10);
    assert_near(found.rates[1], 1.5, 1e-10);
    assert_near(found.coordinates[1], 0.75 + 1.5, 1e-10);
}

/// A wheel that slides and spins grips at a time: m r v + J ω is kept about the line of contact.
#[test]
fn rolling_begins_on_command() {
    let text = "[parameters]\nm = 2\nr = 0.3\nJ = 0.1\n[coordinates]\nx = 0\nphi = 0\n[start]\n\"x'\" = 3\n\"phi'\" = -1\n\
        [energy]\nkinetic = \"m/2*x'^2 + J/2*phi'^2\"\n\
        [constraint.rolls]\nholds = \"x' = r*phi'\"\nactive = false\n\
        [event.grips]\nwhen = \"t > 0.5\"\nengage = \"rolls\"\n[event.slides]\nwhen = \"t > 1\"\nrelease = \"rolls\"\n[run]\nspan = 2\n";
    let found = run(text);
    let spin = (2.0 * 0.3 * 3.0 - 0.1) / (2.0 * 0.09 + 0.1);
    assert_near(found.rates[1], spin, 1e-12);
    assert_near(found.rates[0], 0.3 * spin, 1e-12);
    let lost = 9.0 + 0.05 - 0.5 * (2.0 * 0.09 + 0.1) * spin * spin;
    assert_near(found.happened[0].lost.unwrap(), lost, 1e-12);
}

/// The end of a rod at zero angle has a row of one term that is nothing: the gap closes but for the resolution of time.
#[test]
fn a_rod_is_caught_at_one_end() {
    let text = "gravity = \"[0, -10, 0]\"\n[coordinates]\nx = 0.5\ny = 0.45\nphi = 0\n\
        [body.rod]\nmass = 2\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(phi)\"\nshape = { rod = { length = 1, axis = \"x\" } }\npoint = { foot = \"[-0.5, 0, 0]\" }\n\
        [constraint.pin]\nholds = \"pos(rod.foot) = [0, 0, 0]\"\nactive = false\n\
        [event.caught]\nwhen = \"pos(rod.foot).y < 0\"\nengage = \"pin\"\n[run]\nspan = 1\n";
    let found = run(text);
    let caught = &found.happened[0];
    assert_near(caught.t, 0.3, 1e-12);
    assert_near(caught.after[2], -4.5, 1e-12);
    assert_near(caught.impulses[1], 2.0 * 3.0 / 4.0, 1e-12);
    assert_near(caught.lost.unwrap(), 2.0 * 9.0 / 8.0, 1e-12);
}

/// A block on a belt that moves at v, on a spring: with A = (μ_s − μ) m g/k and ω = √(k/m) it sticks for 2 A/v and slides for
/// 2 (π − atan(A ω/v))/ω.
#[test]
fn stick_and_slip_have_the_period_of_the_textbook() {
    let text = "gravity = \"[0, -10, 0]\"\n[parameters]\nv = 0.3\n[coordinates]\nx = 0\ny = \"?\"\n[start]\n\"x'\" = \"v\"\n\
        [particle.block]\nmass = 1\nposition = \"[x, y, 0]\"\n[body.belt]\nmass = 1\ninertia = [1, 1, 1]\ncenter = \"[v*t, 0, 0]\"\nattitude = \"Rz(0)\"\n\
        [spring.S]\non = \"x\"\nstiffness = 40\n[constraint.table]\nholds = \"y = 0\"\nfriction = { coefficient = 0.2, static = 0.4, at = \"block\", against = \"belt\" }\n\
        [run]\nspan = 10\n";
    let found = run(text);
    let (a, w, v) = (0.2 * 10.0 / 40.0, 40.0_f64.sqrt(), 0.3);
    let (sticks, slides) = (
        2.0 * a / v,
        2.0 * (std::f64::consts::PI - (a * w / v).atan()) / w,
    );
    assert!(found.slips.len() > 15, "{:?}", found.slips);
    let mut expected = 0.4 * 10.0 / 40.0 / v;
    for change in &found.slips[1..] {
        assert_near(change.t, expected, 1e-8);
        expected += if change.held { sticks } else { slides };
    }
}

/// A block that was pushed loose and comes to rest under a load between the two frictions: it stays, whatever let it go before; under more it slides back.
#[test]
fn what_was_let_go_is_held_where_it_comes_to_rest() {
    let ends = |holds: &str, back: f64, formulation: Formulation| {
        let text = format!(
            "gravity = \"[0, -10, 0]\"\n[coordinates]\nx = 0\ny = 0\n[particle.b]\nmass = 1\nposition = \"[x, y, 0]\"\n\
             [constraint.floor]\nholds = \"{holds}\"\nfriction = {{ coefficient = 0.3, static = 0.35 }}\n\
             [force.F]\non = \"b\"\nvector = \"[if(t < 0.5, 0, if(t < 1, 4, -{back})), 0, 0]\"\n[run]\nspan = 2\n"
        );
        let options = RunOptions {
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        let found = run_with(&text, &options).unwrap();
        (found.coordinates[0], found.slips.last().unwrap().held)
    };
    // It slides at 1 m/s^2 for half a second, to 1/8 m and 1/2 m/s, and stops by what pushes back and 3 N of friction.
    for formulation in Formulation::ALL {
        for holds in ["y = 0", "y >= 0"] {
            let stops = |back: f64| (0.5 / (back + 3.0), 0.125 + 0.125 / (back + 3.0));
            let (x, held) = ends(holds, 3.2, formulation);
            assert_near(x, stops(3.2).1, 1e-9);
            assert!(held, "{holds}: {formulation:?}");
            let (x, held) = ends(holds, 3.6, formulation);
            let (took, at) = stops(3.6);
            assert_near(x, at - 0.3 * (1.0 - took).powi(2), 1e-9);
            assert!(!held, "{holds}: {formulation:?}");
        }
    }
}

/// A push that swings, and a load that does: the block sticks and slips by turns. Places and rates in closed form from one turn to the next, each
/// turn by halves.
#[test]
fn a_block_that_is_shaken_is_held_at_some_turns_only() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n[particle.b]\nmass = 1\nposition = \"[x, y, 0]\"\n\
        [constraint.floor]\nholds = \"y = 0\"\nfriction = { coefficient = 0.3, static = 0.35 }\n\
        [force.F]\non = \"b\"\nvector = \"[6*sin(3*t), 1.5*cos(2*t), 0]\"\n[run]\nspan = 10\nrtol = 1e-10\n";
    let found = run(text);
    let held: Vec<bool> = found.slips.iter().map(|it| it.held).collect();
    let times = [
        1.392489127530247,
        2.247098127803161,
        2.301384373951393,
        3.422722531540497,
        4.411114235798407,
        4.422668510152341,
        5.411780270896503,
        5.442977027541186,
        6.56431518513029,
        7.552706889388199,
        7.564261163742134,
        8.553372924486295,
        8.58456968113098,
        9.705907838720082,
    ];
    assert_eq!(found.slips.len(), times.len(), "{:?}", found.slips);
    for (change, t) in found.slips.iter().zip(times) {
        assert_near(change.t, t, 1e-7);
    }
    let sticks = [1, 4, 6, 9, 11];
    assert!(
        held.iter()
            .enumerate()
            .all(|(it, held)| *held == sticks.contains(&it))
    );
    assert_near(found.coordinates[0], 2.484658992940183, 1e-7);
    assert_near(found.rates[0], -0.8583248362516116, 1e-7);
}

/// A sprag locks where a wheel would turn back, and lets go where it would have to push: a' = 1 − t² to t = 1, and 3/2 (t − 10/3)² from t = 10/3 on.
#[test]
fn a_sprag_turns_one_way_only() {
    let text = "[coordinates]\na = 0\n[start]\n\"a'\" = 1\n[particle.P]\nmass = 1\nposition = \"[cos(a), sin(a), 0]\"\n\
        [force.M]\ngeneralized = { a = \"if(t < 2, -2*t, 3*(t - 2) - 4)\" }\n\
        [constraint.sprag]\nholds = \"a' = 0\"\nactive = false\n\
        [event.locks]\nwhen = \"a' < 0\"\nengage = \"sprag\"\n\
        [event.runs]\nwhen = \"lambda(sprag) < 0\"\nrelease = \"sprag\"\n[run]\nspan = 5\n";
    let found = run(text);
    let times: Vec<f64> = found.happened.iter().map(|it| it.t).collect();
    assert_eq!(times.len(), 2, "{times:?}");
    assert_near(times[0], 1.0, 1e-10);
    assert_near(times[1], 10.0 / 3.0, 1e-10);
    let d: f64 = 5.0 / 3.0;
    assert_near(found.rates[0], 1.5 * d * d, 1e-9);
    assert_near(found.coordinates[0], 2.0 / 3.0 + 0.5 * d.powi(3), 1e-9);
}
