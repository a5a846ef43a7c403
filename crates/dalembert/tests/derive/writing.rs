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
                            Item::Expression(id) => vec![*id],
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
