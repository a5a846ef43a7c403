//! Pages in every notation.

use crate::support::{by, derived, examples, text};
use dalembert::derive::{Block, Derivation, DeriveOptions, Equation, Form, Item, Style};
use dalembert_expr::{Cone, ExprId, SymbolKind};

#[test]
fn html_is_well_formed() {
    for name in ["rolling-disk", "double-pendulum", "heavy-top"] {
        let page = by(name, Form::Multipliers).page(Style::Html);
        let page = roxmltree::Document::parse(&page).unwrap();
        let tables = page
            .descendants()
            .filter(|node| node.has_tag_name("mtable"));
        assert!(tables.count() >= 1, "{name}");
    }
}

#[test]
fn every_style_shows_every_equation() {
    let derivation = by("rolling-disk", Form::Independent);
    let marks = [
        (Style::Text, "  =  "),
        (Style::Latex, " &= "),
        (Style::Typst, " &= "),
        (Style::Markdown, " &= "),
        (Style::Html, "<mtr>"),
        (Style::Sympy, "    Eq("),
    ];
    for (style, mark) in marks {
        let page = derivation.page(style);
        assert!(page.matches(mark).count() >= 6, "{}:\n{page}", style.name());
    }
}

#[test]
fn signs_of_equations_stand_under_each_other() {
    let page = by("rolling-disk", Form::Independent).page(Style::Text);
    let (_, equations) = page.split_once("equations of motion\n").unwrap();
    let (equations, _) = equations.split_once("\n\n").unwrap();
    let places: Vec<usize> = equations
        .lines()
        .filter_map(|line| line.split_once("  =  "))
        .map(|(left, _)| left.chars().count())
        .collect();
    assert_eq!(places.len(), 3, "{page}");
    assert!(places.iter().all(|&place| place == places[0]), "{page}");
}

fn with_steps(name: &str) -> Derivation {
    let options = DeriveOptions {
        steps: true,
        ..DeriveOptions::default()
    };
    derived(&text(name), &options).unwrap()
}

#[test]
fn wide_matrices_are_lists_of_entries() {
    let disk = with_steps("blajer-disk");
    let page = disk.page(Style::Text);
    assert!(
        page.contains("M[4,1] = M[1,4]  =  -m r cos φ sin θ"),
        "{page}"
    );
    assert!(!page.contains("M[1,2]"), "{page}");
    let wide = disk.page_for_terminal(200);
    assert!(wide.contains("M = ⎢") && !wide.contains("M[4,1]"), "{wide}");
}

#[test]
fn lines_fit_the_terminal() {
    for name in [
        "rolling-disk",
        "blajer-disk",
        "double-pendulum",
        "governor-iftomm-a05",
    ] {
        let page = with_steps(name).page_for_terminal(100);
        let widest = page
            .lines()
            .max_by_key(|line| line.chars().count())
            .unwrap();
        assert!(widest.chars().count() <= 100, "{name}: {widest}");
    }
}

#[test]
fn steps_show_partial_velocities_in_every_style() {
    let disk = with_steps("rolling-disk");
    let marks = [
        (Style::Text, "J(disk) = "),
        (Style::Latex, "J_{\\mathrm{disk}} = "),
        (Style::Typst, "J_\"disk\" = mat("),
        (Style::Markdown, "J_{\\mathrm{disk}} = "),
        (Style::Html, "<mi>W</mi>"),
        (Style::Sympy, "matrix_j_disk = Matrix("),
    ];
    for (style, mark) in marks {
        let page = disk.page(style);
        assert!(page.contains(mark), "{}:\n{page}", style.name());
    }
    let energies = with_steps("double-pendulum").page(Style::Text);
    assert!(
        energies.contains("kinetic    ½ ((m₁ + m₂) l₁² a'²"),
        "{energies}"
    );
    let given = with_steps("phong-disk").page(Style::Text);
    assert!(given.contains("M and h are given by the model"), "{given}");
}

#[test]
fn every_speed_on_a_page_is_defined_there() {
    let mut pages = 0;
    for name in examples() {
        let text = text(&name);
        if !text.contains("[speeds]") {
            continue;
        }
        for form in Form::ALL {
            let options = DeriveOptions {
                form: Some(form),
                steps: true,
                ..DeriveOptions::default()
            };
            let Ok(derivation) = derived(&text, &options) else {
                continue;
            };
            let graph = derivation.graph();
            let speeds = |ids: &[ExprId]| -> Vec<String> {
                let symbols = Cone::new(graph, ids).symbols(graph);
                let data = symbols.iter().map(|&symbol| graph.symbol_data(symbol));
                let speeds = data.filter(|it| it.kind == SymbolKind::Speed);
                speeds.map(|it| it.name.to_string()).collect()
            };
            let sides = |list: &[Equation]| -> Vec<ExprId> {
                list.iter().flat_map(|it| [it.left, it.right]).collect()
            };
            let mut page: Vec<ExprId> = Vec::new();
            for block in derivation.blocks() {
                match block {
                    Block::Heading(_) | Block::Text(_) => {}
                    Block::Equations(list) | Block::Definitions(list) => page.extend(sides(list)),
                    Block::Matrix { rows, .. } => page.extend(rows.iter().flatten()),
                    Block::Line { items, .. } => {
                        page.extend(items.iter().flat_map(|it| match it {
                            Item::Expression(id) | Item::NotZero(id) => vec![*id],
                            Item::Equation(it) => vec![it.left, it.right],
                        }))
                    }
                }
            }
            let mut defined = speeds(&sides(&derivation.kinematics));
            let dependent = derivation.independent.iter().flat_map(|it| &it.dependent);
            defined.extend(speeds(&dependent.map(|it| it.left).collect::<Vec<_>>()));
            for speed in speeds(&page) {
                assert!(defined.contains(&speed), "{name} by {form}: {speed}");
            }
            pages += 1;
        }
    }
    assert!(pages >= 10, "{pages}");
}

#[test]
fn a_title_is_one_line_of_words() {
    let title = "a\\nprint('injected')\\n# \\u001b[31mred\\u0000\\u2028b";
    let model = format!(
        "dalembert = 1\ntitle = \"{title}\"\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n"
    );
    let found = derived(&model, &DeriveOptions::default()).unwrap();
    for style in Style::ALL {
        let page = found.page(style);
        let allowed = |c: char| c == '\n' || !c.is_control();
        assert!(page.chars().all(allowed), "{}: {page:?}", style.name());
        assert!(
            !page.lines().any(|line| line.starts_with("print")),
            "{page}"
        );
    }
    assert!(
        found
            .page_for_terminal(80)
            .starts_with("a\\nprint('injected')\\n#")
    );
}

#[test]
fn names_in_sympy_are_assigned_before_they_are_used() {
    let mut named = 0;
    for name in ["four-bar", "slider-crank", "tractor-trailer"] {
        let found = by(name, Form::Independent);
        let page = found.page(Style::Sympy);
        let (_, program) = page.split_once("\n#").unwrap();
        assert!(!program.is_empty(), "{name}");
        for shorthand in found.shorthands.iter().chain(&found.reaction_shorthands) {
            let printed = found.print(&[shorthand.left], dalembert_expr::print::Format::Sympy);
            let own = printed.expressions.concat();
            let uses = |line: &&str| {
                let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                words.any(|word| word == own) && !line.contains("Symbol(")
            };
            let first = page.lines().find(uses).unwrap();
            assert!(first.starts_with(&format!("{own} = ")), "{name}: {first}");
            named += 1;
        }
    }
    assert!(named > 3, "{named}");
}

#[test]
fn the_square_of_a_sign_is_one() {
    let model = r#"dalembert = 1
[parameters]
m = 1
k = 3
c = 0.2
l0 = 0.3
[coordinates]
x = 0.5
[particle.P]
mass = "m"
position = "[x, 0, 0]"
[spring.s]
between = ["[0, 0, 0]", "P"]
stiffness = "k"
length = "l0"
damping = "c"
"#;
    let page = derived(model, &DeriveOptions::default())
        .unwrap()
        .page(Style::Text);
    assert!(
        page.contains("- c x'\n") && page.contains("proved equal"),
        "{page}"
    );
}

#[test]
fn rows_that_say_nothing_are_not_equations() {
    let model = text("phong-pendulum") + "[constraint.nothing]\nholds = \"0*x' = 0\"\n";
    for form in Form::ALL {
        let options = DeriveOptions {
            form: Some(form),
            ..DeriveOptions::default()
        };
        let page = derived(&model, &options).unwrap().page(Style::Text);
        assert!(!page.contains("0  =  0"), "{page}");
    }
}

/// Both wheels of an axle say the same about the car, as they are or times a number.
#[test]
fn no_equation_is_printed_twice() {
    let car = r#"dalembert = 1
[parameters]
m = 1200
J = 1800
a = 1.2
w = 1.5
[coordinates]
x = 0
y = 0
psi = 0
[start]
"x'" = 10
[body.car]
mass = "m"
inertia = ["J", "J", "J"]
center = "[x, y, 0]"
attitude = "Rz(psi)"
point = { l = "[-a, w/2, 0]", r = "[-a, -w/2, 0]" }
[constraint.l]
holds = "dot(vel(car.l), car.ey) = 0"
[constraint.r]
holds = "-3*dot(vel(car.r), car.ey) = 0"
"#;
    for form in Form::ALL {
        let options = DeriveOptions {
            form: Some(form),
            ..DeriveOptions::default()
        };
        let page = derived(car, &options).unwrap().page(Style::Text);
        let equations: Vec<&str> = page.lines().filter(|line| line.contains("  =  ")).collect();
        let mut once = equations.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), equations.len(), "{page}");
    }
}

/// λ of two steered wheels, by a start at which both are parallel.
#[test]
fn formulas_are_not_divided_by_what_is_zero_at_the_start() {
    let board = r#"dalembert = 1
[parameters]
m = 6
J = 0.016
Jr = 0.072
Jw = 0.0013
l = 0.2
[coordinates]
x = 0
y = 0
th = 0
psi = 0
phi1 = 0.3
phi2 = 0.3
[start]
"psi'" = 0.2
"phi1'" = 0.1
"phi2'" = -0.1
[energy]
kinetic = "m*(x'^2 + y'^2)/2 + J*th'^2/2 + Jr*(th' + psi')^2/2 + Jw*((th' + phi1')^2 + (th' + phi2')^2)/2"
[constraint.front]
holds = "-x'*sin(th + phi1) + y'*cos(th + phi1) + l*th'*cos(phi1) = 0"
[constraint.back]
holds = "-x'*sin(th + phi2) + y'*cos(th + phi2) - l*th'*cos(phi2) = 0"
"#;
    let slider = r#"dalembert = 1
[parameters]
r = 0.1
l = 0.3
m = 2
[coordinates]
phi = 0
psi = { value = 0, priority = "guess" }
x = { value = 0.4, priority = "guess" }
[start]
"phi'" = 3
[particle.A]
mass = "m"
position = "[r*cos(phi), r*sin(phi), 0]"
[particle.B]
mass = "m"
position = "[x, 0, 0]"
[constraint.pin]
holds = "[r*cos(phi) + l*cos(psi), r*sin(phi) - l*sin(psi), 0] = [x, 0, 0]"
"#;
    for model in [board, slider, &text("tractor-trailer")] {
        for form in Form::ALL {
            let options = DeriveOptions {
                form: Some(form),
                ..DeriveOptions::default()
            };
            let Ok(found) = derived(model, &options) else {
                continue;
            };
            let page = found.page(Style::Text);
            let said = ["zero at the start", "less at the start"];
            assert!(!said.iter().any(|words| page.contains(words)), "{page}");
        }
    }
}

#[test]
fn a_towed_trailer_has_reactions_at_any_heading() {
    let trailer = r#"dalembert = 1
[parameters]
m1 = 4
J1 = 0.5
m2 = 3
J2 = 0.4
a = 0.3
b = 0.8
[coordinates]
x = 0
y = 0
th = 0
ph = 0.35
[start]
"x'" = 1
"th'" = 0.4
[body.sled]
mass = "m1"
inertia = ["J1", "J1", "J1"]
attitude = "Rz(th)"
center = "[x, y, 0]"
point = { hitch = "[-a, 0, 0]" }
[body.trailer]
mass = "m2"
inertia = ["J2", "J2", "J2"]
attitude = "Rz(ph)"
center = "pos(sled.hitch) - b*trailer.ex"
[constraint.edge1]
holds = "dot(vel(sled), sled.ey) = 0"
[constraint.edge2]
holds = "dot(vel(trailer), trailer.ey) = 0"
"#;
    let found = derived(trailer, &DeriveOptions::default()).unwrap();
    assert!(found.nonzero.equations.is_empty() && found.nonzero.reactions.is_empty());
}

/// A spatial chain of links that turn about so many axes each.
fn spatial_chain(links: usize, axes: &[&str]) -> String {
    let mut chain = String::from("dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[coordinates]\n");
    for n in 1..=links {
        for (k, _) in axes.iter().enumerate() {
            chain += &format!("q{n}{k} = 0.{n}{k}\n");
        }
    }
    for n in 1..=links {
        let (before, at) = match n {
            1 => (String::new(), String::new()),
            _ => (format!("link{} ", n - 1), format!("pos(link{}.tip)", n - 1)),
        };
        let turns = axes.iter().enumerate();
        let turns: Vec<String> = turns.map(|(k, axis)| format!("{axis}(q{n}{k})")).collect();
        let turns = turns.join(" ");
        chain += &format!(
            "[body.link{n}]\nmass = 1.{n}\ninertia = [0.02, 0.021, 0.003]\nattitude = \"{before}{turns}\"\n\
             center = \"{at} - 0.2*link{n}.ez\"\npoint = {{ tip = \"[0, 0, -0.2]\" }}\n"
        );
    }
    chain
}

/// Named parts are not more than what they name was lowered from, with and without a normal form.
#[test]
fn named_parts_are_no_more_than_operations() {
    let lowered = "the equations are as they follow from the model";
    let (long, named) = names_and_operations(&spatial_chain(4, &["Rz", "Rx", "Rz"]));
    assert!(long.contains(lowered) && named > 100, "{named}");
    // Expanded, that would be 800 names and 70 000 characters.
    let chain = spatial_chain(3, &["Rz", "Rx"]);
    let parameters =
        "[parameters]\nm = 1\nl = 0.2\nIx = 0.02\nIy = 0.021\nIz = 0.003\n[coordinates]";
    let chain = chain.replace("[coordinates]", parameters);
    let chain = chain.replace("[0.02, 0.021, 0.003]", "[\"Ix\", \"Iy\", \"Iz\"]");
    let chain = chain.replace("0.2*link", "l*link").replace("-0.2]", "-l]");
    let mut chain = chain;
    for n in 1..=3 {
        chain = chain.replace(&format!("mass = 1.{n}"), "mass = \"m\"");
    }
    let (page, named) = names_and_operations(&chain);
    assert!(page.contains(lowered) && named < 300, "{page}");
    assert!(page.chars().count() < 16_000, "{}", page.chars().count());
}

#[track_caller]
fn names_and_operations(chain: &str) -> (String, usize) {
    let (model, _) = dalembert_mechanics::model::read(chain).unwrap();
    let system = dalembert_mechanics::lower::lower(&model).unwrap();
    let mass = system.inertia.iter().flat_map(|it| &it.mass);
    let force = system.inertia.iter().flat_map(|it| &it.force);
    let given = system.forces.iter().flat_map(|it| &it.force);
    let mut parts: Vec<ExprId> = mass.map(|it| it.2).collect();
    parts.extend(force.chain(given).map(|it| it.1));
    let operations = Cone::new(&system.graph, &parts).len();
    let found = derived(chain, &DeriveOptions::default()).unwrap();
    let page = found.page(Style::Text);
    let named = page.lines().filter(|line| line.starts_with('s')).count();
    assert!(named <= operations, "{named} for {operations}");
    // In one line: sentences are broken where the page is wide enough.
    (page.replace('\n', " "), named)
}
