//! What rests because its forces cancel can be run, alone and beside what moves, in any units: errors are not measured by rounding.

use crate::support::read;
use dalembert::simulate::{RunOptions, SimulateError, Simulation, simulate};
use dalembert_mechanics::formulation::Formulation;
use std::ops::ControlFlow;

fn ran(text: &str, options: &RunOptions) -> Simulation {
    let mechanism = read(text).unwrap_or_else(|errors| panic!("{text}: {errors}"));
    let start = mechanism.start().unwrap();
    match simulate(&mechanism, &start, options, |_| ControlFlow::Continue(())) {
        Ok(end) => end,
        Err(SimulateError::Stopped { why, so_far }) => {
            panic!("{text}: {why:?} at {}", so_far.t_end)
        }
        Err(other) => panic!("{text}: {other:?}"),
    }
}

/// Units of length and time, as powers of two, so that the numbers of a model are the same but for their exponents.
const UNITS: [(i32, i32); 5] = [(0, 0), (20, 0), (-20, 0), (0, 20), (-30, -20)];

/// A model with g, the unit of length L and the unit of time T.
fn model((length, time): (i32, i32), rest: &str) -> String {
    let (length, time) = (f64::from(length).exp2(), f64::from(time).exp2());
    format!(
        "dalembert = 1\ngravity = \"[0, 0, -g]\"\n[parameters]\nL = {length:e}\nT = {time:e}\ng = \"9.81*L/T^2\"\n{rest}"
    )
}

/// A particle held by three rows.
const HELD: &str = "[coordinates]\nx = \"L\"\ny = \"2*L\"\nz = \"3*L\"\ns = \"L\"\n\
    [particle.P]\nmass = 1.3\nposition = \"[x, y, z]\"\n\
    [constraint.a]\nholds = \"x + 0.3*y + 0.1*z = 1.9*L\"\n\
    [constraint.b]\nholds = \"x - 0.7*y + z = 2.6*L\"\n\
    [constraint.c]\nholds = \"x*y + z^2 = 11*L^2\"\n";

const OSCILLATOR: &str = "[particle.Q]\nmass = 1\nposition = \"[s, 0, 0]\"\n\
    [force.f]\non = \"Q\"\nvector = \"[-s/T^2, 0, 0]\"\n[run]\nspan = \"10*T\"\n";

/// A particle that is held beside an oscillator: the one rests, the other is s = cos t, and it costs what the oscillator does.
#[test]
fn what_is_held_beside_what_moves() {
    for units in UNITS {
        let length = f64::from(units.0).exp2();
        let alone = model(units, &format!("[coordinates]\ns = \"L\"\n{OSCILLATOR}"));
        let usual = ran(&alone, &RunOptions::default()).steps;
        let text = model(units, &format!("{HELD}{OSCILLATOR}"));
        for rtol in [1e-6, 1e-9, 1e-12] {
            let options = RunOptions {
                rtol: Some(rtol),
                ..RunOptions::default()
            };
            let end = ran(&text, &options);
            let wanted = [1.0, 2.0, 3.0, 10.0_f64.cos()];
            for (found, wanted) in end.coordinates.iter().zip(wanted) {
                let off = (found / length - wanted).abs();
                assert!(off < 30.0 * rtol, "{units:?} {rtol:e}: {off:e}");
            }
            let most = if rtol < 1e-9 { 5 * usual } else { 2 * usual };
            assert!(end.steps <= most, "{units:?} {rtol:e}: {} steps", end.steps);
        }
    }
}

/// A block on a slope: held by a pin; balanced by a spring; at the origin, where nothing has a size.
#[test]
fn a_block_at_rest_on_a_slope() {
    let block = "[particle.block]\nmass = 2\nposition = \"[x, 0, z]\"\n[constraint.slope]\nholds = \"4*z = 3*x\"\n\
        [run]\nspan = \"10*T\"\n";
    let pin = "[constraint.pin]\nholds = \"x' = 0\"\n";
    let rod = "[constraint.pin]\nholds = \"x + 0.3*z = 0.49*L\"\n";
    let spring = "[force.spring]\non = \"block\"\n\
        vector = \"-12*g/L*(0.8*x + 0.6*z - 0.1*L)*[0.8, 0, 0.6]\"\n";
    let spring_of_rods = "[force.spring]\non = \"block\"\n\
        vector = \"-12*g/L*(norm([x + 0.72*L, 0, z + 0.54*L]) - L)*[x + 0.72*L, 0, z + 0.54*L]/norm([x + 0.72*L, 0, z + 0.54*L])\"\n";
    for units in UNITS {
        for (at, by) in [
            ("0.4*L", pin),
            ("0.4*L", rod),
            ("0", pin),
            ("0", spring),
            ("0", spring_of_rods),
        ] {
            let text = model(
                units,
                &format!("[coordinates]\nx = \"{at}\"\nz = \"?\"\n{block}{by}"),
            );
            for formulation in [Formulation::Multipliers, Formulation::Projection] {
                let options = RunOptions {
                    formulation: Some(formulation),
                    ..RunOptions::default()
                };
                let end = ran(&text, &options);
                let length = f64::from(units.0).exp2();
                let wanted = if at == "0" { 0.0 } else { 0.4 };
                let off = (end.coordinates[0] / length - wanted).abs();
                assert!(off < 1e-11, "{units:?} {by}: {off:e}");
                assert!(end.steps < 300, "{units:?} {by}: {} steps", end.steps);
            }
        }
    }
}

/// Everything rests: three rods hold a particle; springs that are as long as they want to be hold another.
#[test]
fn everything_rests() {
    let rods = "[coordinates]\nx = \"0.3*L\"\ny = \"0.1*L\"\nz = \"?\"\n[particle.P]\nmass = 1.7\nposition = \"[x, y, z]\"\n\
        [constraint.rod]\nholds = \"x^2 + y^2 + z^2 = 1.3*L^2\"\n[constraint.b]\nholds = \"(x - L)^2 + y^2 = 0.5*L^2\"\n\
        [constraint.c]\nholds = \"y = x/3\"\n[run]\nspan = \"5*T\"\n";
    let springs = "[coordinates]\nx = \"0.3*L\"\ny = \"0.4*L\"\n[particle.P]\nmass = 1.7\nposition = \"[x, y, 0]\"\n\
        [force.a]\non = \"P\"\nvector = \"-(norm([x, y, 0]) - L/2)*[x, y, 0]/norm([x, y, 0])/T^2\"\n\
        [force.b]\non = \"P\"\nvector = \"-3*(norm([x - L, y, 0]) - sqrt(0.65)*L)*[x - L, y, 0]/norm([x - L, y, 0])/T^2\"\n\
        [run]\nspan = \"50*T\"\n";
    for units in UNITS {
        let length = f64::from(units.0).exp2();
        for rest in [rods, springs] {
            let text = model(units, rest);
            let mechanism = read(&text).unwrap();
            let start = mechanism.start().unwrap().state.coordinates;
            let end = ran(&text, &RunOptions::default());
            for (found, wanted) in end.coordinates.iter().zip(start) {
                let off = (found - wanted).abs() / length;
                assert!(off < 1e-11, "{units:?} {rest}: {off:e}");
            }
            assert!(end.steps < 300, "{units:?} {rest}: {} steps", end.steps);
        }
    }
}

/// What rests until a force acts on it is not taken for rounding then: s = F (t - 1)²/2 after t = 1.
#[test]
fn what_rests_is_still_moved() {
    for units in UNITS {
        for force in ["1", "1e-9", "1e9"] {
            let push = format!(
                "[coordinates]\nx = \"L\"\nz = \"L\"\n[particle.P]\nmass = 1\nposition = \"[x, 0, z]\"\n\
                 [constraint.floor]\nholds = \"z = L\"\n[force.push]\non = \"P\"\n\
                 vector = \"{force}*(1 + sign(t - T))/2*L/T^2*[1, 0, 0]\"\n[run]\nspan = \"3*T\"\n"
            );
            let end = ran(&model(units, &push), &RunOptions::default());
            let (length, time) = (f64::from(units.0).exp2(), f64::from(units.1).exp2());
            let speed = end.rates[0] * time / length / force.parse::<f64>().unwrap();
            assert!((speed - 2.0).abs() < 1e-7, "{units:?} {force}: {speed}");
        }
    }
}

/// A rate that rows hold at zero has no sign on the way either: a force by it, on another particle or on the one that is held,
/// does not act.
#[test]
fn what_is_held_has_no_sign() {
    let force =
        "[force.by_sign]\non = \"P\"\nvector = \"-3*L/T^2*[sign(x'), sign(y'), sign(z')]\"\n";
    let oscillator = OSCILLATOR.replace("-s/T^2", "-s/T^2 + L/T^2*sign(x')");
    let recorded = format!("{oscillator}record = [\"lambda(a)\", \"lambda(c)\"]\n");
    for units in UNITS {
        let text = model(units, &format!("{HELD}{force}{recorded}"));
        for formulation in Formulation::ALL {
            let options = RunOptions {
                formulation: Some(formulation),
                ..RunOptions::default()
            };
            let end = ran(&text, &options);
            let s = end.coordinates[3] / f64::from(units.0).exp2();
            let off = (s - 10.0_f64.cos()).abs();
            assert!(off < 1e-7, "{units:?} {formulation:?}: {off:e}");
            for name in ["lambda(a)", "lambda(c)"] {
                let column = end.table.column(name).unwrap();
                let (first, last) = (column.values[0], column.values[column.values.len() - 1]);
                assert!(
                    (last / first - 1.0).abs() < 1e-9,
                    "{units:?}: {first} {last}"
                );
            }
        }
    }
}

/// A particle that rests beside a body in space whose joint is projected to: what the rows do not touch stays where it is.
#[test]
fn what_rests_beside_a_body_in_space_does_not_move() {
    let text = "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[coordinates]\ns = 0.2\n\
                [particle.P]\nmass = 1\nposition = \"[s, 1, 0]\"\n\
                [body.bar]\nmass = 2\ninertia = [0.1, 0.2, 0.3]\nstart = { center = \"[0.5, 0, 0]\" }\npoint = { foot = \"[-0.5, 0, 0]\" }\n\
                [joint.A]\ntype = \"revolute\"\naxis = \"y\"\nbetween = [\"ground\", \"bar.foot\"]\n[run]\nspan = 3\n";
    for formulation in [
        Formulation::Multipliers,
        Formulation::UdwadiaKalaba,
        Formulation::Complement,
    ] {
        let options = RunOptions {
            formulation: Some(formulation),
            ..RunOptions::default()
        };
        let end = ran(text, &options);
        let moved = [end.coordinates[0] - 0.2, end.rates[0]];
        assert!(
            moved.iter().all(|by| *by == 0.0),
            "{formulation}: {moved:?}"
        );
    }
}
