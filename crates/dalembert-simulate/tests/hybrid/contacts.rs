//! Contacts without friction, against closed forms.

use super::{assert_near, mechanism, run, run_with};
use dalembert_mechanics::contacts::NoContact;
use dalembert_mechanics::formulation::Formulation;
use dalembert_ode::Method;
use dalembert_simulate::{
    Happened, Happening, Outcome, RunOptions, SimulateError, Simulation, Stop,
};

const G: f64 = 9.81;

const BALL: &str = "gravity = \"[0, -g, 0]\"\n[parameters]\ng = 9.81\nh = 1\ne = 0.8\n[coordinates]\ny = \"h\"\n\
    [particle.ball]\nmass = 1\nposition = \"[0, y, 0]\"\n\
    [constraint.floor]\nholds = \"y >= 0\"\nrestitution = \"e\"\n";

fn impacts(found: &Simulation) -> Vec<&Happened> {
    let all = found.happened.iter();
    all.filter(|it| matches!(it.of, Happening::Impact(_)))
        .collect()
}

fn times(found: &Simulation, of: &Happening) -> Vec<f64> {
    let all = found.happened.iter();
    all.filter(|it| it.of == *of).map(|it| it.t).collect()
}

fn last(found: &Simulation, name: &str) -> f64 {
    let column = found.table.column(name);
    let column = column.unwrap_or_else(|| panic!("no column {name}"));
    *column.values.last().expect("samples")
}

/// The k-th impact is at √(2h/g) (1 + 2e + 2e² + …), all are over at √(2h/g) (1 + e)/(1 − e), and the ball lies on the floor from there on.
#[test]
fn a_ball_bounces_comes_to_rest_and_is_carried() {
    let text = format!("{BALL}[run]\nspan = 10\nrecord = [\"lambda(floor)\", \"gap(floor)\"]\n");
    let found = run(&text);
    let (first, e) = ((2.0_f64 / G).sqrt(), 0.8_f64);
    let mut expected = first;
    for (k, hit) in impacts(&found).iter().take(60).enumerate() {
        assert_near(hit.t, expected, 1e-12);
        let v = (2.0 * G).sqrt() * e.powi(k as i32);
        assert_near(hit.after[0], e * v, 1e-10);
        assert_near(hit.impulses[0], (1.0 + e) * v, 1e-10);
        assert_near(hit.lost.unwrap(), 0.5 * v * v * (1.0 - e * e), 1e-9);
        expected += 2.0 * first * e.powi(k as i32 + 1);
    }
    assert_eq!(found.outcome, Outcome::Done);
    let closes = times(&found, &Happening::Close(0));
    assert_eq!(closes.len(), 1);
    assert_near(closes[0], first * (1.0 + e) / (1.0 - e), 1e-7);
    assert_eq!(found.contacts.rested.len(), 1);
    assert_near(found.coordinates[0], 0.0, 1e-9);
    assert_near(last(&found, "lambda(floor)"), G, 1e-9);
    assert_near(last(&found, "gap(floor)"), 0.0, 1e-9);
    let lambda = found.table.column("lambda(floor)").expect("a column");
    assert_near(lambda.values[0], 0.0, 1e-15);
    assert_near(found.work, -G, 1e-9);
}

/// Where the radius hides low bounces behind rounding, the sequence ends all the same.
#[test]
fn a_ball_with_a_radius_comes_to_rest() {
    let text = BALL
        .replace("y >= 0", "y >= 0.1")
        .replace("y = \"h\"", "y = \"h + 0.1\"");
    let found = run(&format!("{text}[run]\nspan = 10\n"));
    let closes = times(&found, &Happening::Close(0));
    assert_eq!(closes.len(), 1);
    let first = (2.0_f64 / G).sqrt();
    assert_near(closes[0], first * 1.8 / 0.2, 1e-6);
}

#[test]
fn elastic_bounces_keep_the_energy_whatever_integrates() {
    let text = format!("{BALL}[run]\nspan = 20\n").replace("e = 0.8", "e = 1");
    for method in [Method::DormandPrince8, Method::Radau5] {
        for formulation in [Formulation::Multipliers, Formulation::Independent] {
            let options = RunOptions {
                method: Some(Some(method)),
                formulation: Some(formulation),
                ..RunOptions::default()
            };
            let found = run_with(&text, &options).expect("a run");
            let first = (2.0_f64 / G).sqrt();
            let count = ((20.0 / first - 1.0) / 2.0).floor() as usize + 1;
            assert_eq!(impacts(&found).len(), count, "{method:?} {formulation:?}");
            assert!(found.balance_error().abs() < 1e-8);
        }
    }
}

/// Thrown up from a floor that rises with 1 m/s: v⁺ − u = −e (v⁻ − u).
#[test]
fn a_wall_that_moves_gives_back_what_it_meets() {
    let text = "[parameters]\nu = 1\n[coordinates]\nx = 2\n[start]\n\"x'\" = -3\n\
        [particle.P]\nmass = 2\nposition = \"[x, 0, 0]\"\n\
        [constraint.wall]\nholds = \"u*t <= x\"\nrestitution = 0.5\n[run]\nspan = 1\n";
    let found = run(text);
    let hits = impacts(&found);
    assert_eq!(hits.len(), 1);
    assert_near(hits[0].t, 0.5, 1e-12);
    assert_near(hits[0].after[0], 3.0, 1e-12);
}

/// A string of length l goes taut at the lowest point of a fall and holds, as the weight pulls; the loss is Carnot's.
#[test]
fn a_string_goes_taut_and_holds() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nl = 1\n[coordinates]\nx = 0.6\ny = 0\n\
        [particle.P]\nmass = 2\nposition = \"[x, y, 0]\"\n\
        [constraint.string]\nholds = \"norm(pos(P)) <= l\"\n[run]\nspan = 3\nrecord = [\"lambda(string)\"]\n";
    let found = run(text);
    let hits = impacts(&found);
    let t = (2.0 * 0.8 / G).sqrt();
    assert_near(hits[0].t, t, 1e-12);
    let v = G * t;
    // The part along the string, 0.8 v, is lost.
    assert_near(hits[0].lost.unwrap(), 0.5 * 2.0 * (0.8 * v).powi(2), 1e-10);
    assert_near(hits[0].after[0], -0.8 * 0.6 * v, 1e-10);
    assert_near(hits[0].after[1], -0.6 * 0.6 * v, 1e-10);
    assert_eq!(hits.len(), 1);
    let r = found.coordinates[0].hypot(found.coordinates[1]);
    assert_near(r, 1.0, 1e-10);
    assert!(last(&found, "lambda(string)") > 0.0);
}

/// A particle leaves a smooth sphere where cos θ = 2/3.
#[test]
fn a_particle_leaves_a_sphere_at_two_thirds() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = \"sin(0.1)\"\ny = \"cos(0.1)\"\n\
        [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
        [constraint.sphere]\nholds = \"norm(pos(P)) >= 1\"\n[run]\nspan = 2\nrtol = 1e-10\nuntil = \"y < 0.2\"\n";
    let found = run(text);
    let opens: Vec<&Happened> = (found.happened.iter())
        .filter(|it| it.of == Happening::Open(0))
        .collect();
    assert_eq!(opens.len(), 1, "{:?}", found.happened);
    // v² = 2 g (cos 0.1 − cos θ) = g cos θ
    let v2 = opens[0].after[0].powi(2) + opens[0].after[1].powi(2);
    assert_near(v2, G * 2.0 / 3.0 * 0.1_f64.cos(), 1e-8);
}

/// A ladder leaves the wall where its height has fallen to two thirds.
#[test]
fn a_ladder_leaves_the_wall_at_two_thirds_of_its_height() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nl = 2\nm = 3\n\
        [coordinates]\nx = \"l/2*sin(0.3)\"\ny = \"l/2*cos(0.3)\"\na = 0.3\n\
        [body.ladder]\nmass = \"m\"\ninertia = [0, 0, \"m*l^2/12\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        [constraint.wall]\nholds = \"x >= l/2*sin(a)\"\n\
        [constraint.floor]\nholds = \"y >= l/2*cos(a)\"\n\
        [run]\nspan = 2\nrtol = 1e-10\nuntil = \"a > 80 deg\"\n";
    let found = run(text);
    let opens = found.happened.iter();
    let opens: Vec<&Happened> = opens.filter(|it| it.of == Happening::Open(0)).collect();
    assert_eq!(opens.len(), 1, "{:?}", found.happened);
    // a' at that place: a'² = 3 g (cos 0.3 − cos a)/l with cos a = 2/3 cos 0.3
    let expected = (3.0 * G / 2.0 * 0.3_f64.cos() / 3.0).sqrt();
    assert_near(opens[0].after[2], expected, 1e-8);
    assert!(times(&found, &Happening::Open(1)).is_empty());
}

/// A block that rocks over its corners, its base guided: ω⁺/ω⁻ = (J − b²/4)/(J + b²/4) with J about the base, and it lies flat in the end.
#[test]
fn a_block_rocks_and_comes_to_lie_flat() {
    let text = "gravity = \"[0, -9.81, 0]\"\n[parameters]\nm = 2\nb = 0.2\nh = 0.8\np = 0.05\n\
        [coordinates]\nx = \"h/2*sin(p)\"\ny = \"b/2*sin(p) + h/2*cos(p)\"\na = \"-p\"\n\
        [body.block]\nmass = \"m\"\ninertia = [0, 0, \"m*(b^2 + h^2)/12\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
        point = { A = \"[-b/2, -h/2, 0]\", B = \"[b/2, -h/2, 0]\" }\n\
        [constraint.left]\nholds = \"pos(block.A).y >= 0\"\n[constraint.right]\nholds = \"pos(block.B).y >= 0\"\n\
        [constraint.foot]\nholds = \"x + h/2*sin(a) = 0\"\n[run]\nspan = 6\nrtol = 1e-9\n";
    let found = run(text);
    let hits = impacts(&found);
    assert!(hits.len() > 4, "{} impacts", hits.len());
    assert_eq!(found.outcome, Outcome::Done);
    let (b, h) = (0.2_f64, 0.8_f64);
    let inertia = (b * b + h * h) / 12.0 + h * h / 4.0;
    let quarter = b * b / 4.0;
    let ratio = (inertia - quarter) / (inertia + quarter);
    assert_near(hits[0].after[2] / hits[0].before[2], ratio, 1e-8);
    assert!(!found.contacts.rested.is_empty(), "it rests");
    assert_near(found.coordinates[2], 0.0, 1e-7);
    assert_near(found.rates[2], 0.0, 1e-12);
}

/// A rod falls flat, and one end is caught: the other goes on. Plastic: ω⁺ = 3v/(2l).
#[test]
fn a_rod_caught_at_one_end_turns() {
    let text = "[parameters]\nl = 2\nm = 3\n[coordinates]\ny = 1\na = 0\n[start]\n\"y'\" = -4\n\
        [body.rod]\nmass = \"m\"\ninertia = [0, 0, \"m*l^2/12\"]\ncenter = \"[0, y, 0]\"\nattitude = \"Rz(a)\"\n\
        [constraint.post]\nholds = \"y - l/2*sin(a) >= 0\"\n[run]\nspan = 0.3\n";
    let found = run(text);
    let hits = impacts(&found);
    assert_near(hits[0].t, 0.25, 1e-12);
    assert_near(hits[0].after[1].abs(), 1.5 * 4.0 / 2.0, 1e-10);
    assert_near(hits[0].impulses[0], 3.0 * 4.0 / 4.0, 1e-10);
}

const CRADLE: &str = "[coordinates]\nx1 = 0\nx2 = 1\nx3 = 2\n[start]\n\"x1'\" = 1\n\
    [particle.A]\nmass = 1\nposition = \"[x1, 0, 0]\"\n[particle.B]\nmass = 1\nposition = \"[x2, 0, 0]\"\n\
    [particle.C]\nmass = 1\nposition = \"[x3, 0, 0]\"\n\
    [constraint.AB]\nholds = \"x2 - x1 >= 1\"\nrestitution = 1\n\
    [constraint.BC]\nholds = \"x3 - x2 >= 1\"\nrestitution = 1\n[run]\nspan = 3\n";

/// Three balls at once, by Moreau's law, and one after the other where there is a gap: laws of impact differ.
#[test]
fn three_balls_at_once_and_one_after_the_other() {
    let at_once = run(CRADLE);
    let v = &at_once.rates;
    assert_near(v[0] + v[1] + v[2], 1.0, 1e-12);
    assert_near(v.iter().map(|v| v * v).sum(), 1.0, 1e-12);
    assert_near(v[0], -1.0 / 3.0, 1e-12);
    assert_near(v[1], 2.0 / 3.0, 1e-12);
    let several = at_once.contacts.several.expect("both come back");
    assert_eq!(several.1, [0, 1]);
    let text = CRADLE.replace("x3 = 2", "x3 = 2.01");
    let chain = run(&text);
    assert_near(chain.rates[0], 0.0, 1e-12);
    assert_near(chain.rates[2], 1.0, 1e-12);
    assert!(chain.contacts.several.is_none());
}

/// What comes back at once from places that do not act on each other is no question of laws.
#[test]
fn contacts_of_bodies_apart_are_no_impact_of_several() {
    let ball = |of: &str| {
        format!(
            "[particle.ball_{of}]\nmass = 1\nposition = \"[0, {of}, 0]\"\n\
             [constraint.under_{of}]\nholds = \"{of} >= 0\"\nrestitution = 0.5\n"
        )
    };
    let both = format!(
        "gravity = \"[0, -9.81, 0]\"\n[coordinates]\na = 1\nb = 1\n{}{}[run]\nspan = 0.6\n",
        ball("a"),
        ball("b")
    );
    let found = run(&both);
    assert_eq!(found.happened[0].of, Happening::Impact(vec![0, 1]));
    assert!(found.contacts.several.is_none());
}

/// Blocks dropped on each other all come to rest: what bounces last falls on what rests, and not with it.
#[test]
fn a_stack_of_blocks_comes_to_rest() {
    let mut text = "gravity = \"[0, -9.81, 0]\"\n[coordinates]\n".to_owned();
    for i in 0..4 {
        text += &format!("y{i} = {}\n", 1.5 * f64::from(i) + 1.0);
    }
    for i in 0..4 {
        let gap = match i {
            0 => "y0 >= 0".to_owned(),
            _ => format!("y{i} - y{} >= 1", i - 1),
        };
        text += &format!(
            "[particle.b{i}]\nmass = {}\nposition = \"[0, y{i}, 0]\"\n[constraint.c{i}]\nholds = \"{gap}\"\nrestitution = 0.4\n",
            i + 1
        );
    }
    let found = run(&format!("{text}[run]\nspan = 5\n"));
    assert_eq!(found.outcome, Outcome::Done);
    for (i, y) in found.coordinates.iter().enumerate() {
        assert_near(*y, i as f64, 1e-9);
    }
    assert!(found.rates.iter().all(|v| v.abs() < 1e-9));
}

/// A plank on three supports under a load that moves out to where it tips: how they share the load is open, and when two of them open is not.
#[test]
fn contacts_that_share_a_load_open_when_they_do() {
    let plank = "[coordinates]\ny = 0\na = 0\n[energy]\nkinetic = \"y'^2/2 + a'^2/6\"\npotential = \"9.81*y\"\n\
        [force.load]\ngeneralized = { y = \"-9.81\", a = \"-9.81*t\" }\n\
        [constraint.left]\nholds = \"y - a >= 0\"\n[constraint.middle]\nholds = \"y >= 0\"\n\
        [constraint.right]\nholds = \"y + a >= 0\"\n[run]\nspan = 3\n";
    let found = run(plank);
    let opened: Vec<&Happening> = found.happened.iter().map(|it| &it.of).collect();
    assert_eq!(opened, [&Happening::Open(0), &Happening::Open(1)]);
    for it in &found.happened {
        assert_near(it.t, 2.0, 1e-12);
    }
    // About the right support: inertia 1/3 + 1, and the moment 9.81 (t - 2).
    assert_near(found.coordinates[1], -9.81 / 6.0 / (4.0 / 3.0), 1e-12);
}

/// By Poisson's hypothesis the third ball leaves as by Newton's where impulses are not coupled backwards; momentum and energy hold.
#[test]
fn poissons_restitution_of_one_contact_is_newtons() {
    let text = format!("{BALL}[run]\nspan = 1\n");
    let newton = run(&text);
    let poisson = run(&text.replace("restitution = \"e\"", "restitution = { poisson = \"e\" }"));
    assert_near(newton.rates[0], poisson.rates[0], 1e-11);
}

/// Four feet of a table carry it, though the force of each is open; one is lifted off when the load goes beyond the edge.
#[test]
fn contacts_that_depend_on_each_other_carry_and_open() {
    let text = "gravity = \"[0, 0, -10]\"\n[coordinates]\nz = 0\na = 0\nb = 0\nw = 0\n[particle.bystander]\nmass = 1\nposition = \"[0, 9, w]\"\n\
        [body.table]\nmass = 2\ninertia = [1, 1, 1]\ncenter = \"[0, 0, z]\"\nattitude = \"Rx(a) Ry(b)\"\n\
        [force.load]\non = \"table\"\nat = \"[t, 0, z]\"\nvector = \"[0, 0, -10]\"\n\
        [constraint.f1]\nholds = \"(pos(table) + table.ex + table.ey).z >= 0\"\n\
        [constraint.f2]\nholds = \"(pos(table) + table.ex - table.ey).z >= 0\"\n\
        [constraint.f3]\nholds = \"(pos(table) - table.ex + table.ey).z >= 0\"\n\
        [constraint.f4]\nholds = \"(pos(table) - table.ex - table.ey).z >= 0\"\n\
        [run]\nspan = 3.1\n";
    let found = run(text);
    // Moments about the edge x = 1: 20·1 = 10 (t − 1).
    let opens = times(&found, &Happening::Open(2));
    assert_near(opens[0], 3.0, 1e-6);
    assert_near(times(&found, &Happening::Open(3))[0], 3.0, 1e-6);
    assert!(times(&found, &Happening::Open(0)).is_empty());
}

#[test]
fn a_start_that_penetrates_is_refused_and_one_that_approaches_begins_with_an_impact() {
    let below = mechanism(&BALL.replace("h = 1", "h = -0.1"));
    let errors = below.start().expect_err("no start");
    assert_eq!(errors[0].code, "E0564");
    assert!(errors[0].message.contains("-1.0"), "{}", errors[0].message);
    let text = BALL
        .replace("h = 1", "h = 0")
        .replace("[particle.ball]", "[start]\n\"y'\" = -2\n[particle.ball]");
    let found = run(&format!("{text}[run]\nspan = 0.1\n"));
    let hits = impacts(&found);
    assert_near(hits[0].t, 0.0, 1e-15);
    assert_near(hits[0].after[0], 1.6, 1e-12);
    let rests = run(&format!(
        "{}[run]\nspan = 0.1\n",
        BALL.replace("h = 1", "h = 0")
    ));
    assert!(rests.happened.is_empty(), "{:?}", rests.happened);
}

/// Restitutions that differ can bring energy where contacts are coupled (Kane): here 0.325 J of nothing, an error with that number.
#[test]
fn an_impact_that_would_bring_energy_is_refused() {
    let text = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = -1\n\"y'\" = 0.5\n\
        [energy]\nkinetic = \"x'^2/2 + y'^2/2 + 0.9*x'*y'\"\n\
        [constraint.a]\nholds = \"x >= 0\"\nrestitution = 1\n\
        [constraint.b]\nholds = \"y >= 0\"\n[run]\nspan = 1\n";
    match run_with(text, &RunOptions::default()) {
        Err(SimulateError::Stopped {
            why:
                Stop::NoContact {
                    why: NoContact::Grows { by, .. },
                    t,
                },
            ..
        }) => {
            assert_near(by, 0.325, 1e-12);
            assert_near(t, 0.0, 1e-12);
        }
        other => panic!("{other:?}"),
    }
}

/// A pull on a ball that lies opens the contact where it exceeds the weight, and a given impulse lifts it at once.
#[test]
fn pulls_and_impulses_open_contacts() {
    let text = BALL.replace("h = 1", "h = 0");
    let pull = run(&format!(
        "{text}[force.pull]\ngeneralized = {{ y = \"10*t\" }}\n[run]\nspan = 1.2\n"
    ));
    assert_near(times(&pull, &Happening::Open(0))[0], 0.981, 1e-9);
    assert_near(pull.rates[0], 10.0 * 0.219_f64.powi(2) / 2.0, 1e-8);
    let kick = "[event.kick]\nwhen = \"t > 0.5\"\nimpulse = { generalized = { y = \"3\" } }\n[run]\nspan = 0.6\n";
    let found = run(&format!("{text}{kick}"));
    assert_near(found.rates[0], 3.0 - 0.981, 1e-9);
    let press = kick.replace("\"3\"", "\"-3\"");
    let found = run(&format!("{text}{press}"));
    assert_near(found.rates[0], 0.0, 1e-12);
    assert_near(found.coordinates[0], 0.0, 1e-12);
}

/// A plank that lies on a floor y = 0: its gaps are differences of nothing, its energies are nothing, and it stays where it is.
#[test]
fn a_plank_rests_on_a_floor_at_zero_in_any_unit() {
    for unit in [1e-5_f64, 0.11276207245205477, 1.0, 116483.05427126284] {
        for integrator in ["dop853", "dopri5", "radau"] {
            let text = format!(
                "gravity = \"[0, {}, 0]\"\n[coordinates]\nx = 0\ny = 0\na = 0\n\
                 [body.plank]\nmass = 1\ninertia = [{1}, {1}, {1}]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(a)\"\n\
                 point = {{ A = \"[{2}, 0, 0]\", B = \"[{3}, 0, 0]\" }}\n\
                 [constraint.A]\nholds = \"pos(plank.A).y >= 0\"\n[constraint.B]\nholds = \"pos(plank.B).y >= 0\"\n\
                 [run]\nspan = 2\nintegrator = \"{integrator}\"\n",
                -10.0 * unit,
                unit * unit,
                -0.63 * unit,
                0.99 * unit,
            );
            let found = run(&text);
            assert!(found.happened.is_empty(), "{:?}", found.happened);
            assert!(found.coordinates[1].abs() <= 1e-12 * unit);
            assert!(found.coordinates[2].abs() <= 1e-12);
        }
    }
}
