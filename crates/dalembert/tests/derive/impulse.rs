//! Blows in symbols against the numbers of a run at the same instant.

use dalembert::derive::Style;
use dalembert::report::RunReport;
use dalembert::simulate::RunOptions;
use dalembert::{Model, Source};
use dalembert_expr::print::Format;
use dalembert_expr::{ExprId, SymbolKind, evaluate};
use std::collections::BTreeMap;

/// Models whose event `hit` ends the run, so that their end is where it happens.
const BLOWS: [(&str, &str); 6] = [
    (
        "engaged",
        "gravity = \"[0, -g, 0]\"\n[parameters]\nm = 2\ng = 9.81\nl = 1\n[coordinates]\nx = 0.6\ny = 0.1\n[start]\n\"x'\" = 0.4\n\
         [particle.bob]\nmass = \"m\"\nposition = \"[x, y, 0]\"\n[constraint.string]\nholds = \"x^2 + y^2 = l^2\"\nactive = false\n\
         [event.hit]\nwhen = \"x^2 + y^2 > l^2\"\nengage = \"string\"\nstop = true\n",
    ),
    (
        "a moving wall, restitution and a row that holds",
        "gravity = \"[0, -g, 0]\"\n[parameters]\nm = 2\ng = 9.81\ne = 0.7\na = 0.3\nk = 0.5\n[coordinates]\nx = 0\ny = \"?\"\n[start]\n\"x'\" = 1\n\
         [particle.P]\nmass = \"m\"\nposition = \"[x, y, 0]\"\n[constraint.wire]\nholds = \"y = 1 - k*x\"\n\
         [event.hit]\nwhen = \"y < a*t\"\nimpact = { on = \"y - a*t\", restitution = \"e\" }\nstop = true\n",
    ),
    (
        "an impulse at a point of a body",
        "[parameters]\nm = 2\nJ = 0.3\nl = 0.4\np = 1.5\n[coordinates]\nx = 0\ny = 0\nphi = 0.3\n[start]\n\"phi'\" = 2\n\"x'\" = -1\n\
         [body.B]\nmass = \"m\"\ninertia = [\"J\", \"J\", \"J\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(phi)\"\npoint = { tip = \"[l, 0, 0]\" }\n\
         [constraint.rail]\nholds = \"y' = 0\"\n\
         [event.hit]\nwhen = \"t > 0.3\"\nimpulse = { on = \"B\", at = \"B.tip\", vector = \"[p, 2*p, 0]\" }\nstop = true\n",
    ),
    (
        "an angular impulse and two plastic stops at once",
        "[parameters]\nm = 2\nJ = 0.3\np = 1.5\n[coordinates]\nx = 0\ny = 0\nphi = 0.3\n[start]\n\"phi'\" = 2\n\"x'\" = 1\n\"y'\" = 0.5\n\
         [body.B]\nmass = \"m\"\ninertia = [\"J\", \"J\", \"J\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(phi)\"\n\
         [event.hit]\nwhen = \"x > 0.2\"\nimpact = { on = [\"x\", \"y + 0.1*sin(phi)\"] }\nimpulse = { on = \"B\", angular = \"[0, 0, p]\" }\nstop = true\n",
    ),
    (
        "quasi-velocities, a knife edge and a generalized impulse",
        "[parameters]\nm = 2\nJ = 0.3\np = 1.5\n[coordinates]\nx = 0\ny = 0\nphi = 0.4\n[speeds]\nu = \"x'*cos(phi) + y'*sin(phi)\"\nv = \"y'*cos(phi) - x'*sin(phi)\"\nw = \"phi'\"\n\
         [start]\nu = 1\nw = 0.5\n[energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n\
         [constraint.edge]\nholds = \"y'*cos(phi) - x'*sin(phi) = 0\"\n\
         [event.hit]\nwhen = \"t > 0.5\"\nimpulse = { generalized = { x = \"p\", phi = \"-p*cos(phi)\" } }\nstop = true\n",
    ),
    (
        "rows said twice",
        "gravity = \"[0, -g, 0]\"\n[parameters]\nm = 2\ng = 9.81\n[coordinates]\nx = 0.5\ny = 1\n[start]\n\"x'\" = 0.4\n\
         [particle.P]\nmass = \"m\"\nposition = \"[x, y, 0]\"\n[constraint.floor]\nholds = \"y = 0\"\nactive = false\n\
         [constraint.again]\nholds = \"2*y = 0\"\nactive = false\n\
         [event.hit]\nwhen = \"y < 0\"\nengage = [\"floor\", \"again\"]\nstop = true\n",
    ),
];

fn read(text: &str) -> Model {
    let text = format!("dalembert = 1\n{text}[run]\nspan = 3\n");
    Model::read(Source::new("blow.toml", &text)).unwrap_or_else(|error| panic!("{error}"))
}

fn ran(model: &Model) -> RunReport {
    let report = model.run(&RunOptions::default());
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.status, "event");
    report
}

#[test]
fn formulas_of_blows_are_the_numbers_of_runs() {
    for (what, text) in BLOWS {
        let model = read(text);
        let run = ran(&model);
        let hit = &run.events[0];
        let found = model
            .derive_impulse("hit")
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let found = &found.derivation;
        let mut known: BTreeMap<String, f64> = hit.before.clone().into_iter().collect();
        known.insert("t".to_owned(), hit.t);
        let mechanism = model.mechanism().unwrap();
        let names = mechanism
            .model
            .parameters
            .iter()
            .map(|(name, _)| name.text.clone());
        known.extend(names.zip(mechanism.parameters.iter().copied()));
        let coordinates = mechanism.coordinate_names();
        known.extend(coordinates.map(|name| (name.to_owned(), run.end[name])));
        known.extend(
            hit.impulses
                .iter()
                .map(|(row, value)| (format!("Lambda({row})"), *value)),
        );
        let value = |id: ExprId| {
            evaluate(found.graph(), &[id], |symbol| {
                let data = found.graph().symbol_data(symbol);
                assert_ne!(data.kind, SymbolKind::Speed, "{what}");
                known[&data.to_string()]
            })[0]
        };
        let near = |found: f64, wanted: f64, of: &str| {
            let within = 1e-9 * wanted.abs().max(1.0);
            assert!(
                (found - wanted).abs() <= within,
                "{what}, {of}: {found} for {wanted}"
            );
        };
        for (name, equation) in found.coordinates.iter().zip(&found.after) {
            near(value(equation.right), hit.after[&format!("{name}'")], name);
        }
        for (name, formula) in &found.impulses {
            let Some(formula) = formula else {
                assert_eq!(what, "rows said twice");
                continue;
            };
            near(value(formula.right), hit.impulses[name], name);
        }
        match found.lost {
            Some(lost) => near(value(lost), hit.lost.unwrap(), "lost"),
            None => assert_eq!(what, "rows said twice"),
        }
    }
}

#[test]
fn a_blow_is_written_in_every_notation() {
    let model = read(BLOWS[0].1);
    let found = model.derive_impulse("hit").unwrap().derivation;
    for style in Style::ALL {
        let page = found.page(style, None);
        assert!(page.contains("string"), "{page}");
    }
    let page = found.page(Style::Text, Some(80));
    assert!(page.contains("M (v⁺ - v⁻) = p + Aᵀ Λ"), "{page}");
    let right = found.after.iter().map(|it| it.right).collect::<Vec<_>>();
    assert_eq!(found.print(&right, Format::Model).expressions.len(), 2);
}

#[test]
fn blows_that_symbols_do_not_determine_are_refused_by_name() {
    let refused = |text: &str, event: &str, code: &str, what: &str| {
        let error = read(text).derive_impulse(event).map(|_| ()).unwrap_err();
        let told = error.to_string();
        assert!(told.contains(code) && told.contains(what), "{told}");
    };
    refused(BLOWS[0].1, "hat", "E0610", "did you mean hit");
    let point = "[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n[particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n";
    let stop = format!("{point}[event.hit]\nwhen = \"x > 1\"\nstop = true\n");
    refused(&stop, "hit", "E0610", "do not jump");
    let bent = format!(
        "{point}[constraint.c]\nholds = \"x'^2 + y'^2 = 1\"\n[event.hit]\nwhen = \"x > 1\"\nimpulse = {{ generalized = {{ y = 1 }} }}\n"
    );
    refused(&bent, "hit", "E0611", "not linear");
    let driven = format!(
        "{point}[constraint.c]\nholds = \"x = t\"\n[event.hit]\nwhen = \"x > 1\"\nimpact = {{ on = \"x\" }}\n"
    );
    refused(&driven, "hit", "E0611", "cannot be met");
    let rough = format!(
        "gravity = \"[0, -9.81, 0]\"\n{point}[constraint.c]\nholds = \"y = 0\"\nfriction = {{ coefficient = 0.1 }}\n[event.hit]\nwhen = \"x > 1\"\nimpulse = {{ generalized = {{ y = -1 }} }}\n"
    );
    refused(&rough, "hit", "E0611", "depends on its reaction");
}

/// A bar that lies on a smooth floor with its left end, and is struck at the other: contacts are taken as they are at the start, and where they press all in all the
/// formulas are the numbers of a run, whose blow contacts take part in afterwards.
#[test]
fn closed_contacts_take_part_in_a_blow() {
    let text = "gravity = \"[0, -g, 0]\"\n[parameters]\nm = 2\nJ = 0.3\nl = 0.4\np = -1.5\ng = 9.81\n[coordinates]\nx = 0\ny = \"l*sin(0.3)\"\nphi = 0.3\n\
        [body.B]\nmass = \"m\"\ninertia = [\"J\", \"J\", \"J\"]\ncenter = \"[x, y, 0]\"\nattitude = \"Rz(phi)\"\n\
        point = { foot = \"[-l, 0, 0]\", tip = \"[l, 0, 0]\" }\n\
        [constraint.floor]\nholds = \"pos(B.foot).y >= 0\"\n[constraint.lid]\nholds = \"y <= 5\"\n\
        [event.hit]\nwhen = \"t > 0.05\"\nimpulse = { on = \"B\", vector = \"[0, p, 0]\" }\n[event.later]\nwhen = \"t > 0.06\"\nstop = true\n";
    let model = read(text);
    let run = ran(&model);
    let [hit, floor] = [0, 1].map(|it| &run.events[it]);
    let report = model
        .derive_impulse("hit")
        .unwrap_or_else(|error| panic!("{error}"));
    let told = format!("{:?}", report.warnings);
    assert!(
        told.contains("W0570")
            && told.contains("Lambda(floor) >= 0")
            && told.contains("gap(lid) > 0"),
        "{told}"
    );
    let found = &report.derivation;
    // By hand: the foot keeps its rate, and the bar turns about it by p l cos(phi)/(J + m l² cos²(phi)); angles at the blow are taken from their rates.
    let (m, j, l, p) = (2.0, 0.3, 0.4, -1.5);
    let jump = |of: &str| floor.after[of] - hit.before[of];
    let (turn, sink) = (jump("phi'"), jump("y'"));
    let arm = sink / turn;
    let by_hand = p * arm / (j + m * arm * arm);
    assert!((turn - by_hand).abs() < 1e-9, "{turn} {by_hand}");
    assert!(arm > 0.3 && arm <= l);
    let value = |id: ExprId| {
        evaluate(found.graph(), &[id], |symbol| {
            match found.graph().symbol_data(symbol).to_string().as_str() {
                "m" => m,
                "J" => j,
                "l" => l,
                "p" => p,
                "phi" => (arm / l).acos(),
                rate => hit.before[rate],
            }
        })[0]
    };
    for (name, equation) in found.coordinates.iter().zip(&found.after) {
        let (found, wanted) = (value(equation.right), floor.after[&format!("{name}'")]);
        assert!((found - wanted).abs() < 1e-7, "{name}: {found} {wanted}");
    }
    let pressed = found.impulses.iter().find(|it| it.0 == "floor");
    let pressed = value(pressed.and_then(|it| it.1).expect("a formula").right);
    let wanted = floor.impulses["floor"];
    assert!((pressed - wanted).abs() < 1e-7, "{pressed} {wanted}");
    assert!(found.impulses.iter().all(|it| it.0 != "lid"));
}

/// An impact gives back a part of a speed before contacts take part: formulas for all at once would say something else.
#[test]
fn an_impact_beside_a_closed_contact_is_refused() {
    let text = |floor: &str| {
        format!(
            "gravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 1\ny = 0\n[start]\n\"x'\" = -1\n[particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n\
             [constraint.floor]\nholds = \"y >= {floor}\"\n[event.hit]\nwhen = \"x < 0\"\nimpact = {{ on = \"x\", restitution = 0.5 }}\n"
        )
    };
    let error = read(&text("0")).derive_impulse("hit").map(|_| ());
    let told = error.unwrap_err().to_string();
    assert!(told.contains("E0610") && told.contains("`floor`"), "{told}");
    assert!(read(&text("-9")).derive_impulse("hit").is_ok());
}
