//! Models as parts of models: what is said with them is what one would write out.

use dalembert::report::Error;
use dalembert::{Model, Source};
use serde_json::Value;

const CART: &str = r#"dalembert = 1
gravity = "[0, -9.81, 0]"
[parameters]
m = "1 kg"
k = "10 N/m"
mu = 0.1
[definitions]
stretch = "x - 0.2 m"
[coordinates]
x = "0.5 m"
y = "0.1 m"
[start]
"x'" = "1 m/s"
[particle.P]
mass = "m"
position = "[x, y, 0]"
[constraint.floor]
holds = "y = 0.1 m"
friction = { coefficient = "mu", at = "P" }
[force.tow]
on = "P"
vector = "[-k*stretch, 0, 0]"
[force.push]
generalized = { x = "table(\"push.csv\", t) + reaction(floor, on = \"P\").y/10" }
[spring.S]
between = ["point(ground, [0, 0, 0])", "P"]
stiffness = "k"
length = "0.3 m"
[event.heavy]
when = "lambda(floor) > 1000 N"
release = "floor"
[run]
span = "1 s"
"#;

const TRAIN: &str = r#"dalembert = 1
gravity = "[0, -9.81, 0]"
[parameters]
M = "2 kg"
[use.one]
file = "../cart.toml"
[use.two]
file = "../cart.toml"
set = { m = "M/2 + 1 kg" }
[spring.coupling]
between = ["one.P", "two.P"]
stiffness = "3 N/m"
length = "0.1 m"
[start]
"two.x" = "1 m"
[run]
span = "0.5 s"
"#;

const PUSH: &str = "t [s],F [N]\n0,1\n1,3\n";

fn read(text: &str) -> Result<Model, Error> {
    let source = Source::new("main.toml", text);
    let files = [
        ("cart.toml", CART),
        ("trains/train.toml", TRAIN),
        ("trains/../cart.toml", CART),
        ("../cart.toml", CART),
        ("push.csv", PUSH),
        ("trains/../push.csv", PUSH),
    ];
    let source = files
        .into_iter()
        .fold(source, |source, (name, text)| source.with_file(name, text));
    Model::read(source)
}

fn numbers(text: &str) -> Value {
    let model = read(text).unwrap_or_else(|error| panic!("{error}"));
    serde_json::to_value(model.eval().unwrap()).unwrap()
}

fn codes(text: &str) -> Vec<String> {
    let error = read(text).and_then(|it| it.check().map(|_| it)).err();
    let found = error.map_or_else(Vec::new, |error| error.diagnostics);
    found.iter().map(|it| it.code.to_owned()).collect()
}

/// The same numbers, where the names of one have dots and of the other underscores.
fn assert_same(one: &Value, other: &Value, place: &str) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            assert_eq!(one.len(), other.len(), "{place}");
            for (key, value) in one {
                let place = format!("{place}/{key}");
                let plain = key.replace('.', "_");
                let same = other
                    .iter()
                    .find(|(name, _)| name.replace('.', "_") == plain);
                assert_same(value, same.unwrap_or_else(|| panic!("{place}")).1, &place);
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len(), "{place}");
            let pairs = one.iter().zip(other);
            pairs.for_each(|(one, other)| assert_same(one, other, place));
        }
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            assert!(
                (one - other).abs() <= 1e-12 * (1.0 + one.abs()),
                "{place}: {one} {other}"
            );
        }
        _ => {}
    }
}

/// A cart with a prefix before its names, as one would write it by hand.
fn written_out(prefix: &str, mass: &str, x: &str) -> String {
    let mut text = CART.to_owned();
    for name in ["m ", "k ", "mu ", "stretch ", "x ", "y "] {
        text = text.replace(&format!("\n{name}="), &format!("\n{prefix}{name}="));
    }
    for name in ["P", "floor", "tow", "push", "S", "heavy"] {
        text = text.replace(&format!(".{name}]"), &format!(".{prefix}{name}]"));
        text = text.replace(&format!("\"{name}\""), &format!("\"{prefix}{name}\""));
        text = text.replace(&format!("({name}"), &format!("({prefix}{name}"));
    }
    text.replace("\"x'\"", &format!("\"{prefix}x'\""))
        .replace("\"m\"", &format!("\"{prefix}m\""))
        .replace("\"k\"", &format!("\"{prefix}k\""))
        .replace("\"mu\"", &format!("\"{prefix}mu\""))
        .replace("-k*stretch", &format!("-{prefix}k*{prefix}stretch"))
        .replace("\"x - 0.2 m\"", &format!("\"{prefix}x - 0.2 m\""))
        .replace("[x, y, 0]", &format!("[{prefix}x, {prefix}y, 0]"))
        .replace("\"y = 0.1 m\"", &format!("\"{prefix}y = 0.1 m\""))
        .replace("{ x = ", &format!("{{ {prefix}x = "))
        .replace("on = \\\"P\\\"", &format!("on = \\\"{prefix}P\\\""))
        .replace("\"1 kg\"", mass)
        .replace("\"0.5 m\"", x)
        .replace("dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n", "")
        .replace("[run]\nspan = \"1 s\"\n", "")
}

/// Tables of two texts put together: TOML has each header once.
fn merged(texts: &[String]) -> String {
    let mut tables: Vec<(String, String)> = Vec::new();
    for block in texts.iter().flat_map(|text| text.split("\n[")) {
        let (header, lines) = block.trim_start_matches('[').split_once("]\n").unwrap();
        match tables.iter_mut().find(|(known, _)| known == header) {
            Some((_, all)) => *all += &format!("{lines}\n"),
            None => tables.push((header.to_owned(), format!("{lines}\n"))),
        }
    }
    let tables = tables.into_iter();
    tables
        .map(|(header, lines)| format!("[{header}]\n{lines}\n"))
        .collect()
}

#[test]
fn parts_of_parts_are_what_one_would_write_out() {
    let head = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n";
    let link = |part: &str, dot: &str| {
        format!(
            "[force.wind]\non = \"{part}two{dot}P\"\nvector = \"[0.5 N - {part}one{dot}stretch*{part}M*(1 s^-2), 0, 0]\"\n"
        )
    };
    let used = format!(
        "{head}[use.train]\nfile = \"trains/train.toml\"\n{}",
        link("train.", ".")
    );
    let one = written_out("train_one_", "\"1 kg\"", "\"0.5 m\"");
    let two = written_out("train_two_", "\"train_M/2 + 1 kg\"", "\"1 m\"");
    let coupling = "[parameters]\ntrain_M = \"2 kg\"\n[spring.train_coupling]\nbetween = [\"train_one_P\", \"train_two_P\"]\nstiffness = \"3 N/m\"\nlength = \"0.1 m\"\n";
    let own = link("train_", "_");
    let written = format!("{head}{}", merged(&[one, two, coupling.to_owned(), own]));
    let (used, written) = (numbers(&used), numbers(&written));
    assert!(used["accelerations"]["train.two.x"].as_f64().unwrap().abs() > 1.0);
    assert_same(&used, &written, "");
}

#[test]
fn bodies_of_parts_are_joined() {
    let link = r#"dalembert = 1
planar = true
[parameters]
m = 1
l = 1
[body.link]
mass = "m"
shape = { rod = { length = "l", axis = "x" } }
start = { center = "[l/2, 0, 0]" }
point = { foot = "[-l/2, 0, 0]", tip = "[l/2, 0, 0]" }
"#;
    let model = r#"dalembert = 1
gravity = "[0, -9.81, 0]"
planar = true
[use.upper]
file = "link.toml"
[use.lower]
file = "link.toml"
set = { l = 0.5 }
[joint.A]
type = "revolute"
between = ["ground", "upper.link.foot"]
[joint.B]
type = "revolute"
between = ["upper.link.tip", "lower.link.foot"]
[start]
"A.angle" = 0
"B.angle" = 0
"#;
    let source = Source::new("model.toml", model).with_file("link.toml", link);
    let eval = Model::read(source).unwrap().eval().unwrap();
    // Two level rods let go: Lagrange's equations of the angles with I = m l²/3 about the foot, l = 1 and 1/2.
    let [a, b, c] = [1.0 / 3.0 + 1.0, 0.25, 1.0 / 12.0];
    let [f, g] = [-9.81 * 1.5, -9.81 * 0.25];
    let determinant = a * c - b * b;
    let upper = (f * c - b * g) / determinant;
    let lower = (a * g - b * f) / determinant;
    assert!((eval.accelerations["upper.link.angle"] - upper).abs() < 1e-12);
    assert!((eval.accelerations["lower.link.angle"] - lower).abs() < 1e-12);
}

#[test]
fn what_is_no_part_is_told() {
    let with =
        |part: &str| format!("dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[use.c]\n{part}\n");
    assert_eq!(codes(&with("file = \"cart.toml\"")), [""; 0]);
    assert_eq!(codes(&with("file = \"nothing.toml\"")), ["E0328"]);
    assert_eq!(codes(&with("set = { m = 1 }")), ["E0305"]);
    assert_eq!(
        codes(&with("file = \"cart.toml\"\nset = { mass = 1 }")),
        ["E0328"]
    );
    assert_eq!(
        codes(&with("file = \"cart.toml\"\nset = { m = \"Q\" }")),
        ["E0201"]
    );
    assert_eq!(
        codes("dalembert = 1\n[use.c]\nfile = \"cart.toml\"\n"),
        ["E0328"]
    );
    let energy = "dalembert = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2\"\n";
    let two = "dalembert = 1\n[use.a]\nfile = \"e.toml\"\n[use.b]\nfile = \"e.toml\"\n";
    let source = Source::new("main.toml", two).with_file("e.toml", energy);
    let error = Model::read(source).err().unwrap();
    assert_eq!(error.diagnostics[0].code, "E0328");
    let circle = Source::new("main.toml", &with("file = \"b.toml\""));
    let circle = circle
        .with_file("b.toml", &with("file = \"main.toml\""))
        .with_file("main.toml", "");
    let error = Model::read(circle).err().unwrap();
    assert!(
        error.diagnostics[0].message.contains("part of itself"),
        "{error}"
    );
    // A mistake in a part is shown in its file.
    let broken = CART.replace("k*stretch", "k*strech");
    let source = Source::new("main.toml", &with("file = \"b.toml\"")).with_file("b.toml", &broken);
    let error = Model::read(source.with_file("push.csv", PUSH))
        .unwrap()
        .check()
        .unwrap_err();
    assert!(error.to_string().contains("b.toml:22:"), "{error}");
    assert!(
        error.to_string().contains("did you mean c.stretch?"),
        "{error}"
    );
}

/// A family of parts is the parts one after the other.
#[test]
fn parts_in_a_family_are_parts() {
    let head = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n";
    let family = format!(
        "{head}[repeat.carts]\ncount = 2\nfrom = 1\n[repeat.carts.use.cart]\nfile = \"cart.toml\"\nset = {{ m = \"{{i}} kg\" }}\n\
         [repeat.carts.start]\n\"cart{{i}}.x\" = \"{{i}} m\"\n"
    );
    let one = |i: usize| {
        format!(
            "[use.cart{i}]\nfile = \"cart.toml\"\nset = {{ m = \"{i} kg\" }}\n[start]\n\"cart{i}.x\" = \"{i} m\"\n"
        )
    };
    let written = format!("{head}{}{}", one(1), one(2).replace("[start]\n", ""));
    // A table is opened once: what the second part says stands below the first.
    let (parts, said) = written.split_once("[start]\n").unwrap();
    let (first, second) = said.split_once("[use").unwrap();
    let (second, last) = second.split_once("\"cart2.x").unwrap();
    let written = format!("{parts}[use{second}[start]\n{first}\"cart2.x{last}");
    assert_same(&numbers(&family), &numbers(&written), "");
}

/// What is wrong with a file is told once, however many parts it is.
#[test]
fn a_mistake_of_a_part_is_told_once() {
    let cart = CART.replace("mu = 0.1\n", "");
    let text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[use.one]\nfile = \"cart.toml\"\n[use.two]\nfile = \"cart.toml\"\n";
    let source = Source::new("main.toml", text);
    let source = source
        .with_file("cart.toml", &cart)
        .with_file("push.csv", PUSH);
    let error = Model::read(source).and_then(|it| it.check().map(|_| ()));
    let told = error.expect_err("mu is missing").diagnostics;
    let told: Vec<&str> = told.iter().map(|it| it.code).collect();
    assert_eq!(told, ["E0201"]);
}

/// A number with several units in a vector.
#[test]
fn units_in_a_vector_are_told_whole() {
    let text = "dalembert = 1\ngravity = \"[0, 0, -9.81 m/s^2]\"\n[coordinates]\nx = 0\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n";
    let error = read(text).and_then(|it| it.check().map(|_| ()));
    let told = error.expect_err("several units").diagnostics;
    assert_eq!(told.len(), 1);
    assert!(
        told[0]
            .message
            .starts_with("`9.81 m/s^2` has more than one unit")
    );
}
