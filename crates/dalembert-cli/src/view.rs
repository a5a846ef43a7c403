//! `dalembert view`: the page of a motion, opened in a browser.

mod site;

use crate::arguments::View;
use crate::browser;
use crate::output::{Answer, Failure, Plain};
use crate::run::{code_of, watched};
use dalembert::Model;
use dalembert::page::html;
use dalembert::report::{Error, Report};
use dalembert::results::{Table, can_be_written, is_standard_output, write_atomically};
use dalembert::view::Shown;
use dalembert_expr::print::visible;
use serde_json::json;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: &View) -> Result<Answer, Failure> {
    if let Some(folder) = &arguments.gallery {
        return site::run(folder, arguments.no_open);
    }
    let model = arguments.model.as_deref().unwrap_or_default();
    let out = out(arguments, model)?;
    let model = Model::load(model)?.set_all(&arguments.set)?;
    model.mechanism()?;
    let unwritten = |message: String| {
        let help = Some("choose another file with --out".to_owned());
        Failure::from(Error::about(&out, "E0911", message, help))
    };
    // Refused before the work is done, not after it.
    can_be_written(Path::new(&out)).map_err(|error| unwritten(error.to_string()))?;
    let (table, report) = match &arguments.result {
        Some(file) => (read(file)?, None),
        None => {
            let report = watched(&model, &model.options_to_see(), false)?;
            (report.table.clone(), Some(report))
        }
    };
    let shown = Shown {
        table: &table,
        run: report.as_ref(),
    };
    let data = model.page(&shown)?;
    let page = html(&data).map_err(|error| unwritten(error.to_string()))?;
    write_atomically(Path::new(&out), |file| file.write_all(page.as_bytes()))
        .map_err(|error| unwritten(error.to_string()))?;
    let is_stream = is_standard_output(Path::new(&out));
    let alone = opened(&out, arguments.no_open || is_stream);
    let kilobytes = page.len().div_ceil(1000);
    let samples = data.samples;
    let mut answer = Answer::from(Plain {
        text: format!(
            "wrote {}: {kilobytes} kB, {samples} samples{alone}",
            visible(&out)
        ),
        json: json!({
            "status": report.as_ref().map_or("done", |it| it.status),
            "file": out, "bytes": page.len(), "samples": samples,
        }),
        warnings: (report.as_ref()).map_or_else(Vec::new, |it| it.warnings().to_vec()),
    });
    answer.code = report.as_ref().map_or(0, code_of);
    answer.quiet = is_stream;
    Ok(answer)
}

/// Opens a page, unless that is not wanted; words if there is nothing to open it with.
fn opened(file: &str, unwanted: bool) -> &'static str {
    let open = || std::path::absolute(file).is_ok_and(|path| browser::open(path.as_ref()));
    match unwanted || open() {
        true => "",
        false => "; there is no browser to open it with: open the file yourself",
    }
}

/// The file of the page.
fn out(arguments: &View, model: &str) -> Result<String, Failure> {
    match &arguments.out {
        Some(out) if out == "-" => Ok("/dev/stdout".to_owned()),
        Some(out) => Ok(out.clone()),
        None if model == "-" => {
            let message = "nothing names the page: write --out FILE.html";
            Err(Failure::Usage(message.to_owned()))
        }
        None => {
            let name = Path::new(model).file_stem();
            let name = name.unwrap_or_default().to_string_lossy();
            Ok(format!("{name}.html"))
        }
    }
}

fn read(file: &str) -> Result<Table, Failure> {
    Table::read(Path::new(file)).map_err(|error| {
        let help = Some("give a .csv or .parquet file that `dalembert run --out` wrote".to_owned());
        Failure::from(Error::about(file, "E0912", error.to_string(), help))
    })
}
