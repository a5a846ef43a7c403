//! A piece of a page: headings, paragraphs and MathML, which browsers show without help.

use super::Part;
use dalembert_expr::print::mathml_element;

/// Browsers without a font for mathematics cannot stretch brackets: those of matrices are borders.
const STYLE: &str = "\
<style>
.dalembert math { font-size: 1.1em; }
.dalembert mtable.equations mtd { padding: 0.35em 0.25em; text-align: left; }
.dalembert mtable.matrix { border: solid; border-width: 0 0.08em; border-radius: 0.6em; }
.dalembert .equations { overflow-x: auto; overflow-y: hidden; padding: 0.3em 0; }
</style>";

pub(super) fn write(parts: &[Part]) -> String {
    let body: Vec<String> = parts.iter().map(part).collect();
    let body = body.join("\n");
    format!("<section class=\"dalembert\">\n{STYLE}\n{body}\n</section>")
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
            let rows: Vec<String> = equations
                .iter()
                .map(|(left, right)| {
                    format!("<mtr><mtd>{left}</mtd><mtd><mo>=</mo></mtd><mtd>{right}</mtd></mtr>")
                })
                .collect();
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

fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
