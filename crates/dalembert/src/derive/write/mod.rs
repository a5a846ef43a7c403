//! The page in a notation.
//!
//! All expressions of a page are printed at once, so that a symbol looks the same everywhere; what is too large for one
//! formula gets named parts, which come first.

mod html;
mod latex;
mod markdown;
mod sympy;
mod terminal;
mod typst;

use super::page::{Block, Item};
use dalembert_expr::print::{Format, Options, Printed, print, visible};
use dalembert_expr::{Graph, SymbolId, SymbolKind, named_choices};
use terminal::Widths;

/// How the page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// For the terminal, equations aligned.
    Text,
    /// LaTeX with amsmath, to be put into a document.
    Latex,
    /// Typst, to be put into a document.
    Typst,
    /// A piece of a page, with MathML.
    Html,
    /// Markdown with LaTeX between dollars.
    Markdown,
    /// A Python program that has the equations as SymPy's.
    Sympy,
}

named_choices! {
    Style, "format", 6:
    Text "text", Latex "latex", Typst "typst", Html "html", Markdown "markdown", Sympy "sympy",
}

impl Style {
    const fn format(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Latex | Self::Markdown => Format::Latex,
            Self::Typst => Format::Typst,
            Self::Html => Format::MathMl,
            Self::Sympy => Format::Sympy,
        }
    }
}

/// The two sides of an equation as text.
type Sides = (String, String);

/// A part of the page, its expressions written.
enum Part {
    Heading(String),
    Line(String, Vec<String>),
    Text(String),
    Equations(Vec<Sides>),
    Matrix(String, Vec<Vec<String>>),
}

/// A page in a notation; a text for a terminal with so many columns, or to be read elsewhere.
#[must_use]
pub(super) fn write(
    graph: &Graph,
    blocks: &[Block],
    style: Style,
    columns: Option<usize>,
) -> String {
    let blocks = &clean(blocks);
    let expressions: Vec<_> = blocks.iter().flat_map(Block::expressions).collect();
    let printed = print(graph, &expressions, &Options::new(style.format()));
    if style == Style::Sympy {
        return sympy::write(graph, &printed, blocks);
    }
    let parts = parts(&printed, blocks, style);
    match style {
        Style::Text => {
            let widths = columns.map_or(Widths::ELSEWHERE, Widths::of_terminal);
            terminal::write(&parts, widths)
        }
        Style::Latex => paragraphs(&parts, latex::part),
        Style::Typst => paragraphs(&parts, typst::part),
        Style::Html => html::write(&parts),
        Style::Markdown => paragraphs(&parts, markdown::part),
        Style::Sympy => unreachable!("it was written above"),
    }
}

/// A page as HTML without a style sheet, and how its symbols are written.
pub(super) fn html_with_symbols(
    graph: &Graph,
    blocks: &[Block],
) -> (String, Vec<(SymbolId, String)>) {
    let blocks = &clean(blocks);
    let expressions: Vec<_> = blocks.iter().flat_map(Block::expressions).collect();
    let printed = print(graph, &expressions, &Options::new(Format::MathMl));
    let html = html::without_style(&parts(&printed, blocks, Style::Html));
    // Invisible signs as they are, not as their numbers: there are many.
    let html = html
        .replace("&#x2062;", "\u{2062}")
        .replace("&#x2061;", "\u{2061}");
    (html, printed.symbols)
}

/// Parts with an empty line between them.
fn paragraphs(parts: &[Part], part: fn(&Part) -> String) -> String {
    let parts: Vec<String> = parts.iter().map(part).collect();
    parts.join("\n\n")
}

/// Words of a model as words: a title is one line.
fn clean(blocks: &[Block]) -> Vec<Block> {
    let line = |words: &str| visible(words).into_owned();
    let mut blocks = blocks.to_vec();
    for block in &mut blocks {
        match block {
            Block::Heading(words) | Block::Text(words) | Block::Line { label: words, .. } => {
                *words = line(words);
            }
            Block::Matrix { name, .. } => *name = line(name),
            Block::Equations(_) | Block::Definitions(_) => {}
        }
    }
    blocks
}

/// Words with a backslash before each of some characters, which would be marks.
fn marked(words: &str, marks: &str) -> String {
    let plain = |c: char| [marks.contains(c).then_some('\\'), Some(c)];
    words.chars().flat_map(plain).flatten().collect()
}

/// Terms one after the other in lines of about so many letters.
fn packed(terms: &[&str], room: usize, width: fn(&str) -> usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for term in terms {
        match lines.last_mut() {
            Some(line) if line.is_empty() || width(line) + width(term) <= room => {
                line.push_str(term);
            }
            _ => lines.push((*term).to_owned()),
        }
    }
    lines
}

/// The name of a matrix, written as symbols are.
fn label(name: &str, format: Format) -> String {
    let mut graph = Graph::new();
    let symbol = graph.symbol(name, SymbolKind::Multiplier);
    let printed = print(&graph, &[symbol], &Options::new(format));
    printed.expressions.into_iter().next().unwrap_or_default()
}

/// left = right within a line.
fn equation(style: Style, left: &str, right: &str) -> String {
    match style {
        Style::Html => format!("<mrow>{left}<mo>=</mo>{right}</mrow>"),
        _ => format!("{left} = {right}"),
    }
}

/// A condition within a line.
fn not_zero(style: Style, expression: &str) -> String {
    match style {
        Style::Text => format!("{expression} ≠ 0"),
        Style::Latex | Style::Markdown => format!("{expression} \\neq 0"),
        Style::Typst => format!("{expression} != 0"),
        Style::Html => format!("<mrow>{expression}<mo>≠</mo><mn>0</mn></mrow>"),
        Style::Sympy => format!("Ne({expression}, 0)"),
    }
}

fn parts(printed: &Printed, blocks: &[Block], style: Style) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut texts = printed.expressions.iter().cloned();
    let mut next = || texts.next().unwrap_or_default();
    for block in blocks {
        parts.push(match block {
            Block::Heading(words) => Part::Heading(words.clone()),
            Block::Text(words) => Part::Text(words.clone()),
            Block::Line { label, items } => {
                let mut item = |item: &Item| match item {
                    Item::Expression(_) => next(),
                    Item::NotZero(_) => not_zero(style, &next()),
                    Item::Equation(_) => {
                        let (left, right) = (next(), next());
                        equation(style, &left, &right)
                    }
                };
                Part::Line(label.clone(), items.iter().map(&mut item).collect())
            }
            Block::Equations(equations) | Block::Definitions(equations) => {
                Part::Equations(equations.iter().map(|_| (next(), next())).collect())
            }
            Block::Matrix { name, rows } => {
                let mut row = |row: &Vec<_>| row.iter().map(|_| next()).collect();
                let name = label(name, style.format());
                let rows: Vec<Vec<String>> = rows.iter().map(&mut row).collect();
                match rows.iter().all(Vec::is_empty) {
                    true => Part::Text("none: nothing is free to move".to_owned()),
                    false => Part::Matrix(name, rows),
                }
            }
        });
    }
    if printed.is_shared() {
        let place = usize::from(matches!(parts.first(), Some(Part::Heading(_))));
        let words = "named parts".to_owned();
        parts.insert(place, Part::Equations(printed.definitions.clone()));
        parts.insert(place, Part::Heading(words));
    }
    parts
}
