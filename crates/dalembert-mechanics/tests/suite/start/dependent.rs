//! Rows that depend on each other, or hold what is given at zero: rounding decides nothing.

use super::{assembled, guess, particle};
use dalembert_mechanics::{Mechanism, model};
use std::fmt::Write as _;

fn mechanism(text: &str) -> Mechanism {
    let (model, _) = model::read(&format!("dalembert = 1\n{text}")).unwrap();
    Mechanism::new(model).unwrap()
}

/// A rate that rows hold at zero is zero, not what rounding left of the guess: it has no sign, and no centrifugal force.
#[test]
fn rates_held_at_zero_have_no_sign() {
    for size in [1e-7, 1.0, 6e8] {
        let rows = [
            format!("x/3 = {:e}/3", 0.7 * size),
            format!("x^2 = ({:e})^2", 0.7 * size),
        ];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let start = format!("\"x'\" = {}", guess(0.37 * size));
        let mut text = particle(&format!("{:e}", 0.7 * size), "0", &start, &rows);
        text += "[force.rub]\ngeneralized = { x = \"-sign(x')\" }\n";
        let mechanism = mechanism(&text);
        let start = mechanism.start().unwrap().state;
        assert!(start.rates[0].abs() == 0.0, "{start:?}");
        let motion = mechanism.snapshot(&start).unwrap();
        assert!(motion.force_given[0].abs() == 0.0, "{motion:?}");
        assert!(mechanism.certify(&start).agree());
    }
    // One that is small is another thing.
    for row in ["x' = 1e-25", "x' = 1e-25*cos(y)"] {
        let start = format!("\"x'\" = {}", guess(1.0));
        let text = particle("0.3", "0", &start, &[row]);
        let found = assembled(&text).unwrap().state.rates[0];
        assert!((found / 1e-25 - 1.0).abs() < 1e-9, "{row}: {found:e}");
    }
}

/// Rows that differ by little say what dependent rows do not: x' = y' = 0. Numbers that take them for one are refused.
#[test]
fn rows_that_are_nearly_dependent_are_refused() {
    for apart in ["1e-9", "3e-12", "-4e-13"] {
        for factor in ["1", "1e9", "1e-9"] {
            let second = format!("{factor}*(x' + (1 + {apart})*y') = 0");
            for rows in [
                ["x' + y' = 0", second.as_str()],
                [second.as_str(), "x' + y' = 0"],
            ] {
                let found = assembled(&particle("1", "2", "", &rows));
                assert_eq!(found.unwrap_err()[0].0, "E0527", "{rows:?}");
            }
        }
    }
    let clear = particle("1", "2", "", &["x' + y' = 0", "x' + (1 + 1e-6)*y' = 0"]);
    let mechanism = mechanism(&clear);
    let start = mechanism.start().unwrap().state;
    assert_eq!(mechanism.snapshot(&start).unwrap().rank, 2);
}

/// Below what numbers tell, exact arithmetic decides: a difference that the file states is one, another spelling of the same is not.
#[test]
fn rows_that_differ_by_less_than_rounding_are_refused() {
    for apart in ["1e-14", "1e-16", "1e-20", "-1e-40"] {
        for rows in [
            [
                "x' + y' = 0".to_owned(),
                format!("x' + (1 + {apart})*y' = 0"),
            ],
            [
                "x' = y'*x^2".to_owned(),
                format!("x' + {apart}*y' = y'*x^2"),
            ],
            [
                "x^2 + 4*y^2 = 17".to_owned(),
                format!("x^2 + {apart}*(x - 1) + 4*y^2 = 17"),
            ],
        ] {
            let rows = rows.each_ref().map(String::as_str);
            let found = assembled(&particle("1", "2", "", &rows));
            assert_eq!(found.unwrap_err()[0].0, "E0527", "{rows:?}");
        }
    }
    for rows in [
        ["10*x' = y'", "x' = 0.1*y'"],
        ["3*x' + y' = 0", "x' = -y'/3"],
        ["x' = a*y'", "10*x' = y'"],
        ["x' = b*y'", "30*x' = y'"],
        ["x' = y'*(x + y)^2", "x' = y'*(x^2 + 2*x*y + y^2)"],
        ["x^2 + 4*y^2 = 17", "(x - 2*y)*(x + 2*y) = 17 - 8*y^2"],
    ] {
        let text = particle("1", "2", "", &rows) + "[parameters]\na = 0.1\nb = \"a/3\"\n";
        let found = assembled(&text);
        assert!(found.is_ok(), "{rows:?}: {:?}", found.err());
    }
}

/// So are two of the rows of a large model, of which only those that depend on each other are looked at.
#[test]
fn nearly_dependent_rows_of_a_large_model_are_refused() {
    let model = |apart: &str| {
        let (mut coordinates, mut rest) = (String::new(), String::new());
        for i in 0..600 {
            let _ = writeln!(coordinates, "x{i} = {i}\ny{i} = 2");
            let _ = writeln!(
                rest,
                "[particle.P{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\""
            );
            let _ = writeln!(rest, "[constraint.r{i}]\nholds = \"x{i}' + y{i}' = 0\"");
        }
        let near = format!("[constraint.near]\nholds = \"x7' + (1 + {apart})*y7' = 0\"\n");
        assembled(&format!("[coordinates]\n{coordinates}{rest}{near}"))
    };
    assert_eq!(model("1e-9").unwrap_err()[0].0, "E0527");
    assert!(model("0").is_ok() && model("1e-6").is_ok());
}

/// Rows that are the same but for how they are written are dependent, wherever they are looked at.
#[test]
fn spellings_of_one_row_are_dependent() {
    let circles = [
        "x^2 + y^2 = 0.65^2",
        "sqrt(x^2 + y^2) = 0.65",
        "log(x^2 + y^2) = 2*log(0.65)",
        "1/(x^2 + y^2) = 1/0.65^2",
        "atan2(sqrt(x^2 + y^2), 0.65) = pi/4",
        "x' * cos(atan2(y, x)) = -y' * sin(atan2(y, x))",
    ];
    for (i, one) in circles.iter().enumerate() {
        for other in &circles[..i] {
            for [x, y] in [["0.25", "0.6"], ["-0.39", "0.52"], ["-0.65", "0"]] {
                let mechanism = mechanism(&particle(x, y, "", &[one, other]));
                let start = mechanism
                    .start()
                    .unwrap_or_else(|e| panic!("{one}, {other}: {e:?}"));
                let motion = mechanism.snapshot(&start.state).unwrap();
                assert_eq!(motion.rank, 1, "{one}, {other}");
                assert!(mechanism.certify(&start.state).agree(), "{one}, {other}");
            }
        }
    }
}

/// Where all accelerations vanish, formulations agree though rounding of their terms does not.
#[test]
fn agreement_is_measured_by_the_terms_of_the_rows() {
    let rows = [
        "sqrt(x^2 + y^2) = 5.1 + 0.1*t",
        "x^2 + y^2 = (5.1 + 0.1*t)^2",
    ];
    for (x, y) in [("2.4", "4.5"), ("-4.5", "2.4")] {
        let mechanism = mechanism(&particle(x, y, "", &rows));
        let start = mechanism.start().unwrap().state;
        let certificate = mechanism.certify(&start);
        assert!(certificate.agree(), "{certificate:?}");
    }
}

/// What is independent does not depend on the units of length, mass and time, be it ever so light.
#[test]
fn the_choice_of_independent_coordinates_knows_no_units() {
    let chosen = |length: f64, mass: f64| {
        let text = format!(
            "[parameters]\nm = {mass:e}\nJ = {:e}\nl = {length:e}\n[coordinates]\nx = \"l*cos(0.8)\"\ny = \"l*sin(0.8)\"\nth = 0.8\nu = \"?\"\n\
             [body.B]\nmass = \"m\"\ninertia = [\"J\", \"J\", \"J\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(th)\"\n\
             [constraint.a]\nholds = \"x = l*cos(th)\"\n[constraint.b]\nholds = \"y = l*sin(th)\"\n[constraint.c]\nholds = \"u = x/2\"\n",
            0.7 * mass * length * length,
        );
        let mechanism = mechanism(&text);
        let start = mechanism.start().unwrap().state;
        let found = mechanism.independents(&start).unwrap();
        (found.coordinates, found.speeds)
    };
    let wanted = chosen(1.0, 1.0);
    for length in [1e-9, 1e-6, 1e-3, 1e3, 1e7] {
        for mass in [1e-8, 1.0, 1e6] {
            assert_eq!(chosen(length, mass), wanted, "{length:e} {mass:e}");
        }
    }
}

/// Two spellings of a circle are no obstacle to a third row, wherever the search begins.
#[test]
fn dependent_rows_do_not_hide_a_start() {
    let rows = [
        "x^2 + y^2 = 0.87^2",
        "(3 + sin(1.1*x))*sqrt(x^2 + y^2) = (3 + sin(1.1*x))*0.87",
        "z = 2*x",
    ];
    for (x, y, z) in [(-1.52, -1.69, 0.81), (1.52, -1.69, -3.0), (0.3, 2.0, 0.0)] {
        let mut text = particle(&guess(x), &guess(y), "", &rows);
        text = text.replace("[particle.P]", &format!("z = {}\n[particle.P]", guess(z)));
        text = text.replace("[x, y, 0]", "[x, y, z]");
        let start = assembled(&text).unwrap().state.coordinates;
        let (x, y, z) = (start[0], start[1], start[2]);
        assert!((x.hypot(y) - 0.87).abs() < 1e-14 && (z - 2.0 * x).abs() < 1e-14);
    }
}
