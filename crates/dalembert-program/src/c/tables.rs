//! Functions made of tables: arrays of knots and coefficients, and a search in them.

use dalembert_expr::table::{Beyond, TableFunction, Taken};
use std::fmt::Write;

/// `static double name(double x)`, with the operations of [`TableFunction::value`] in their order.
pub(super) fn write(text: &mut String, name: &str, function: &TableFunction) -> std::fmt::Result {
    let table = &*function.table;
    let knots = table.knots();
    let n = knots.len();
    writeln!(text, "/* {} */", function.name())?;
    writeln!(text, "static double {name}(double x)\n{{")?;
    array(text, &format!("knots[{n}]"), knots.iter().copied())?;
    let [first, last] = table.limits();
    writeln!(text, "    if (x != x) return x;")?;
    match function.taken {
        Taken::Derivative(order) => {
            for (end, sign, at) in [(0, '<', first), (1, '>', last)] {
                writeln!(
                    text,
                    "    if (x {sign} {at:?}) return {};",
                    beyond(function, order, end)
                )?;
            }
            let c = table.pieces().iter().flatten().copied();
            array(text, &format!("c[{}]", 4 * (n - 1)), c)?;
            search(text, n, "n - 2")?;
            let value = match order {
                0 => "((p[3] * u + p[2]) * u + p[1]) * u + p[0]",
                1 => "(3.0 * p[3] * u + 2.0 * p[2]) * u + p[1]",
                2 => "6.0 * p[3] * u + 2.0 * p[2]",
                _ => "6.0 * p[3]",
            };
            writeln!(text, "    const double *p = c + 4 * i;")?;
            writeln!(text, "    const double u = x - knots[i];\n    (void)u;")?;
            writeln!(text, "    return {value};\n}}\n")
        }
        Taken::Sides => {
            search(text, n, "n")?;
            writeln!(
                text,
                "    const double a = after > 0 ? x - knots[after - 1] : INFINITY;"
            )?;
            writeln!(
                text,
                "    const double b = after < n ? knots[after] - x : INFINITY;"
            )?;
            writeln!(text, "    const double size = a < b ? a : b;\n    (void)i;")?;
            writeln!(text, "    return after % 2 == 0 ? size : -size;\n}}\n")
        }
    }
}

/// Sets `after`, the number of knots up to x, and `i`, the piece it is in, at most `last`.
fn search(text: &mut String, n: usize, last: &str) -> std::fmt::Result {
    writeln!(text, "    const int n = {n};\n    int after = 0, end = n;")?;
    writeln!(text, "    while (after < end) {{")?;
    writeln!(
        text,
        "        const int middle = after + (end - after) / 2;"
    )?;
    writeln!(
        text,
        "        if (knots[middle] <= x) after = middle + 1; else end = middle;"
    )?;
    writeln!(text, "    }}\n    int i = after > 0 ? after - 1 : 0;")?;
    writeln!(text, "    if (i > {last}) i = {last};")
}

fn beyond(function: &TableFunction, order: u8, end: usize) -> String {
    let table = &*function.table;
    let ([value, slope], at) = (table.ends()[end], table.range()[end]);
    match (table.label.beyond, order) {
        (Beyond::Refused, _) => "NAN".to_owned(),
        (Beyond::Hold | Beyond::Line, 2..) | (Beyond::Hold, 1) => "0.0".to_owned(),
        (Beyond::Hold, 0) => format!("{value:?}"),
        (Beyond::Line, 0) => format!("{value:?} + ({slope:?}) * (x - ({at:?}))"),
        (Beyond::Line, 1) => format!("{slope:?}"),
    }
}

fn array(text: &mut String, name: &str, numbers: impl Iterator<Item = f64>) -> std::fmt::Result {
    write!(text, "    static const double {name} = {{")?;
    for (index, number) in numbers.enumerate() {
        let separator = if index % 8 == 0 { "\n        " } else { " " };
        write!(text, "{separator}{number:?},")?;
    }
    writeln!(text, "\n    }};")
}
