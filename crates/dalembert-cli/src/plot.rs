//! `dalembert plot`: a figure of a result file.

use crate::arguments::Plot;
use crate::output::{Answer, Failure, Plain};
use dalembert::plot::{FigureOptions, PlotError, figure};
use dalembert::report::Error;
use dalembert::results::{Table, is_standard_output, is_stream, write_atomically};
use dalembert_expr::print::visible;
use dalembert_expr::syntax::meant_or_known;
use dalembert_sweep::drawn;
use serde_json::json;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: &Plot) -> Result<Answer, Failure> {
    let refuse = |file: &str, message: String, help: Option<String>| {
        Failure::from(Error::about(file, "E0912", message, help))
    };
    if Path::new(&arguments.result).is_dir() {
        return sweep(arguments);
    }
    let table = Table::read(Path::new(&arguments.result)).map_err(|error| {
        let help = Some("give a .csv or .parquet file that `dalembert run --out` wrote".to_owned());
        refuse(&arguments.result, error.to_string(), help)
    })?;
    let columns: Vec<&str> = arguments.columns.iter().map(String::as_str).collect();
    let options = FigureOptions {
        x: arguments.x.clone(),
        ..FigureOptions::default()
    };
    let svg = figure(&table, &columns, &options).map_err(|error| {
        let (message, help) = match &error {
            PlotError::UnknownColumn { name, known } => {
                let help = meant_or_known(name, known.iter().map(String::as_str));
                (format!("there is no column `{name}`"), help)
            }
            _ => (error.to_string(), None),
        };
        refuse(&arguments.result, message, help)
    })?;
    let out = figure_file(arguments)?;
    write_atomically(Path::new(&out), |file| file.write_all(svg.as_bytes()))
        .map_err(|error| refuse(&out, error.to_string(), None))?;
    let has_units = (table.columns().iter()).any(|column| column.head.unit.is_some());
    let no_units = match has_units {
        true => "",
        false => "; the file has no units: `run --out FILE.parquet` keeps them",
    };
    let text = match is_standard_output(Path::new(&out)) {
        true => String::new(),
        false => format!("wrote {}: {} rows{no_units}", visible(&out), table.rows()),
    };
    let plain = Plain {
        text,
        json: json!({ "status": "done", "file": out, "rows": table.rows() }),
        warnings: Vec::new(),
    };
    Ok(plain.into())
}

/// The figure of a sweep.
fn sweep(arguments: &Plot) -> Result<Answer, Failure> {
    let columns: Vec<&str> = arguments.columns.iter().map(String::as_str).collect();
    let folder = Path::new(&arguments.result);
    let svg = drawn(folder, &columns, arguments.x.as_deref())?;
    let out = figure_file(arguments)?;
    write_atomically(Path::new(&out), |file| file.write_all(svg.as_bytes()))
        .map_err(|error| Error::about(&out, "E0912", error.to_string(), None))?;
    let text = match is_standard_output(Path::new(&out)) {
        true => String::new(),
        false => format!("wrote {}", visible(&out)),
    };
    let plain = Plain {
        text,
        json: json!({ "status": "done", "file": out }),
        warnings: Vec::new(),
    };
    Ok(plain.into())
}

/// The file for the figure.
fn figure_file(arguments: &Plot) -> Result<String, Failure> {
    let refuse = |file: &str, message: String, help: Option<String>| {
        Failure::from(Error::about(file, "E0912", message, help))
    };
    let result = Path::new(&arguments.result);
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None if is_stream(result) => {
            let message = "nothing names the figure: write --out FILE.svg";
            return Err(Failure::Usage(message.to_owned()));
        }
        None => result.with_extension("svg").to_string_lossy().into_owned(),
    };
    let ending = Path::new(&out)
        .extension()
        .and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| !ending.eq_ignore_ascii_case("svg")) {
        let help = Some(
            "give a name that ends in .svg; browsers and Inkscape turn it into others".to_owned(),
        );
        return Err(refuse(
            &out,
            "figures are drawn as SVG only".to_owned(),
            help,
        ));
    }
    Ok(out)
}
