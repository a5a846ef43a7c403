//! Figures of a sweep: maps, points, and quantiles over time.

use super::unusable;
use dalembert::plot::{FigureOptions, Marks, PlotError, figure};
use dalembert::report::Error;
use dalembert::results::{Column, Table};
use dalembert_dataset::{Folder, Head, HeadKind, Values};
use dalembert_expr::syntax::meant_or_known;
use std::path::Path;

/// Parts of all runs between which the bands of a series lie.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Draws a sweep: a series as bands between its quantiles over time; other results over what varies, as points where one thing does or where
/// `x` names it, as a map in colours where two do. Without names the first result is drawn.
///
/// # Errors
/// There is no such column, or nothing to draw.
pub fn drawn(out: &Path, columns: &[&str], x: Option<&str>) -> Result<String, Error> {
    let folder = Folder::open(out).map_err(|error| unusable(out, error))?;
    let heads = &folder.manifest().columns;
    let named = |name: &str| {
        heads.iter().find(|head| head.name == name).ok_or_else(|| {
            let help = meant_or_known(name, heads.iter().map(|head| head.name.as_str()));
            refused(out, format!("there is no column `{name}`"), help)
        })
    };
    let is_result = |head: &&Head| matches!(head.kind, HeadKind::Result | HeadKind::Series);
    let chosen: Vec<&Head> = match columns {
        [] => heads.iter().find(is_result).into_iter().collect(),
        names => names
            .iter()
            .map(|name| named(name))
            .collect::<Result<_, _>>()?,
    };
    let Some(first) = chosen.first() else {
        return Err(refused(out, "there is no result to draw".to_owned(), None));
    };
    let title = &folder.manifest().title;
    let (table, names, options) = if first.kind == HeadKind::Series {
        let mut columns = vec![Column::new(
            "t",
            Some("s"),
            folder.manifest().series_t.clone(),
        )];
        columns.extend(bands(&folder, first, out)?);
        let names: Vec<String> = columns[1..].iter().map(|it| it.name.clone()).collect();
        let options = FigureOptions {
            marks: Marks::Bands,
            title: Some(format!("{title}: {}", first.name)),
            ..FigureOptions::default()
        };
        (columns, names, options)
    } else {
        let numeric =
            |head: &&Head| head.kind == HeadKind::Varied && !head.name.starts_with("run.integ");
        let mut axes: Vec<&Head> = heads.iter().filter(numeric).collect();
        if let Some(x) = x {
            axes = vec![named(x)?];
        }
        let map = axes.len() == 2 && chosen.len() == 1;
        axes.truncate(if map { 2 } else { 1 });
        let all: Vec<&Head> = axes.iter().copied().chain(chosen.iter().copied()).collect();
        let columns = all.iter().map(|head| numbers(&folder, head, out));
        let columns: Vec<Column> = columns.collect::<Result<_, _>>()?;
        let names = columns[1..].iter().map(|it| it.name.clone()).collect();
        let options = FigureOptions {
            marks: if map { Marks::Map } else { Marks::Dots },
            x: Some(columns[0].name.clone()),
            title: Some(title.clone()),
            ..FigureOptions::default()
        };
        (columns, names, options)
    };
    let table = Table::new("", table).map_err(|error| refused(out, error.to_string(), None))?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    figure(&table, &names, &options)
        .map_err(|error: PlotError| refused(out, error.to_string(), None))
}

fn refused(out: &Path, message: String, help: Option<String>) -> Error {
    Error::about(&out.display().to_string(), "E0912", message, help)
}

/// A column of all parts that are there.
fn values(folder: &Folder, head: &Head, out: &Path) -> Result<Vec<Values>, Error> {
    let parts = (0..folder.manifest().parts()).filter(|&part| folder.file(part).exists());
    let read = |part| {
        let mut part = folder.read(part, &[&head.name])?;
        Ok(part.columns.remove(0).values)
    };
    parts
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(|error| unusable(out, error))
}

fn numbers(folder: &Folder, head: &Head, out: &Path) -> Result<Column, Error> {
    let mut all = Vec::new();
    for values in values(folder, head, out)? {
        match values {
            Values::Number(values) => all.extend(values),
            Values::Whole(values) => all.extend(values.into_iter().map(|it| it as f64)),
            Values::Text(_) | Values::Series(_) => {
                let message = format!("`{}` is no column of numbers", head.name);
                let help = "a series is drawn by itself, over time".to_owned();
                return Err(refused(out, message, Some(help)));
            }
        }
    }
    Ok(Column::new(head.name.clone(), head.unit.as_deref(), all))
}

/// Quantiles of a series at each of its times, over the runs that came so far.
fn bands(folder: &Folder, head: &Head, out: &Path) -> Result<Vec<Column>, Error> {
    let count = folder.manifest().series_t.len();
    let mut at = vec![Vec::new(); count];
    for values in values(folder, head, out)? {
        let Values::Series(rows) = values else {
            continue;
        };
        for row in rows {
            for (all, value) in at.iter_mut().zip(row) {
                all.push(value);
            }
        }
    }
    at.iter_mut().for_each(|all| all.sort_by(f64::total_cmp));
    let column = |part: f64| {
        let quantile = |all: &Vec<f64>| match all.len() {
            0 => f64::NAN,
            many => {
                let place = part * (many - 1) as f64;
                let first = place as usize;
                let next = (first + 1).min(many - 1);
                all[first] + (place - first as f64) * (all[next] - all[first])
            }
        };
        let name = if (part - 0.5).abs() < f64::EPSILON {
            "median".to_owned()
        } else {
            format!("{:.0} %", 100.0 * part)
        };
        Column::new(
            name,
            head.unit.as_deref(),
            at.iter().map(quantile).collect(),
        )
    };
    Ok(QUANTILES.map(column).into())
}
