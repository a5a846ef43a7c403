//! Pages in every notation.

use crate::support::by;
use dalembert::derive::{Form, Style};

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
