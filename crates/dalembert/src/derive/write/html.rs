//! A piece of a page: headings, paragraphs and MathML, which browsers show without help.

use super::{Part, Sides, packed};
use dalembert_expr::print::mathml_element;

/// Letters of a line, about.
const LINE: usize = 100;
/// A wider left side has lines of its own.
const LEFT: usize = 50;

/// Browsers without a font for mathematics cannot stretch brackets: those of matrices are borders.
const STYLE: &str = "\
<style>
.dalembert math { font-size: 1.1em; }
.dalembert mtable.equations mtd { padding: 0.35em 0.25em; text-align: left; }
.dalembert mover > mo { padding-bottom: 0.14em; }
.dalembert mtable.matrix { border: solid; border-width: 0 0.08em; border-radius: 0.6em; }
.dalembert .equations { overflow-x: auto; overflow-y: hidden; padding: 0.3em 0; }
</style>";

pub(super) fn write(parts: &[Part]) -> String {
    section(&format!("{STYLE}\n"), parts)
}

/// The same for a page that has such a style sheet.
pub(super) fn without_style(parts: &[Part]) -> String {
    section("", parts)
}

fn section(style: &str, parts: &[Part]) -> String {
    let body: Vec<String> = parts.iter().map(part).collect();
    let body = body.join("\n");
    format!("<section class=\"dalembert\">\n{style}{body}\n</section>")
}

fn part(part: &Part) -> String {
    match part {
        Part::Heading(words) => format!("<h3>{}</h3>", escaped(words)),
        Part::Text(words) => format!("<p>{}</p>", escaped(words)),
        Part::Line(label, items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| mathml_element(item, false))
                .collect();
            format!("<p>{}: {}</p>", escaped(label), items.join(", "))
        }
        Part::Equations(equations) => {
            let rows: Vec<String> = equations.iter().flat_map(rows).collect();
            let table = format!(
                "<mtable class=\"equations\" displaystyle=\"true\">{}</mtable>",
                rows.join("\n")
            );
            format!(
                "<div class=\"equations\">{}</div>",
                mathml_element(&table, true)
            )
        }
        Part::Matrix(name, rows) => {
            let row = |row: &Vec<String>| {
                let cells: Vec<String> = row
                    .iter()
                    .map(|cell| format!("<mtd>{cell}</mtd>"))
                    .collect();
                format!("<mtr>{}</mtr>", cells.concat())
            };
            let rows: Vec<String> = rows.iter().map(row).collect();
            let matrix = format!(
                "<mrow>{name}<mo>=</mo><mtable class=\"matrix\">{}</mtable></mrow>",
                rows.concat()
            );
            format!(
                "<div class=\"equations\">{}</div>",
                mathml_element(&matrix, true)
            )
        }
    }
}

/// The rows of an equation: one, or several where it is long.
fn rows((left, right): &Sides) -> Vec<String> {
    let mut heads = broken(left, LINE);
    let wide = heads.len() > 1 || width(left) > LEFT;
    let room = if wide { LINE } else { LINE - width(left) };
    let mut rows = Vec::new();
    let mut first = String::new();
    if wide {
        let head = |it: &String| format!("<mtr><mtd columnspan=\"3\">{it}</mtd></mtr>");
        rows.extend(heads.iter().map(head));
    } else {
        first = heads.pop().unwrap_or_default();
    }
    let mut sign = "<mo>=</mo>";
    for piece in broken(right, room.max(LINE / 2)) {
        let head = std::mem::take(&mut first);
        rows.push(format!(
            "<mtr><mtd>{head}</mtd><mtd>{sign}</mtd><mtd>{piece}</mtd></mtr>"
        ));
        sign = "";
    }
    rows
}

/// A sum in pieces of about so many letters, cut before its signs.
fn broken(formula: &str, room: usize) -> Vec<String> {
    let inner = formula
        .strip_prefix("<mrow>")
        .and_then(|it| it.strip_suffix("</mrow>"));
    let Some(inner) = inner.filter(|_| width(formula) > room) else {
        return vec![formula.to_owned()];
    };
    let pieces = packed(&terms(inner), room, width);
    let whole = pieces.into_iter().map(|it| format!("<mrow>{it}</mrow>"));
    whole.collect()
}

/// The terms among the children of a row, each with the sign before it.
fn terms(children: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let mut depth = 0_i32;
    for (at, _) in children.match_indices('<') {
        let rest = &children[at..];
        if rest.starts_with("</") {
            depth -= 1;
            continue;
        }
        let is_sign = ["<mo>+</mo>", "<mo>−</mo>", "<mo>-</mo>"]
            .iter()
            .any(|sign| rest.starts_with(sign));
        if depth == 0 && at > 0 && is_sign {
            cuts.push(at);
        }
        let tag = rest.split_once('>').map_or("", |(tag, _)| tag);
        depth += i32::from(!tag.ends_with('/'));
    }
    cuts.push(children.len());
    cuts.windows(2)
        .map(|cut| &children[cut[0]..cut[1]])
        .collect()
}

/// Letters that are seen.
fn width(formula: &str) -> usize {
    let mut letters = 0;
    let mut is_tag = false;
    let mut rest = formula;
    while let Some(c) = rest.chars().next() {
        let mut step = c.len_utf8();
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            '&' if !is_tag => step = rest.find(';').map_or(step, |at| at + 1),
            _ => letters += usize::from(!is_tag),
        }
        rest = &rest[step..];
    }
    letters
}

fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
