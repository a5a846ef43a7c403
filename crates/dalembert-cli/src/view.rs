//! `dalembert view`: the page of a motion, opened in a browser.

use crate::arguments::View;
use crate::model::load;
use crate::output::{Answer, Failure, Plain};
use crate::run::{code_of, watched};
use dalembert::page::html;
use dalembert::report::{Error, Report};
use dalembert::results::{Table, can_be_written, is_standard_output, write_atomically};
use dalembert::simulate::RunOptions;
use dalembert::view::Shown;
use dalembert_expr::print::visible;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn run(arguments: &View) -> Result<Answer, Failure> {
    let model = load(&arguments.model)?;
    model.mechanism()?;
    let out = out(arguments)?;
    let unwritten = |message: String| {
        let help = Some("choose another file with --out".to_owned());
        Failure::from(Error::about(&out, "E0911", message, help))
    };
    // Refused before the work is done, not after it.
    can_be_written(Path::new(&out)).map_err(|error| unwritten(error.to_string()))?;
    let (table, report) = match &arguments.result {
        Some(file) => (read(file)?, None),
        None => {
            let options = RunOptions {
                record_all: true,
                samples: model.samples_to_see(),
                ..RunOptions::default()
            };
            let report = watched(&model, &options, false)?;
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
    let opened = arguments.no_open || is_stream || open(&out);
    let alone = match opened {
        true => "",
        false => "; there is no browser to open it with: open the file yourself",
    };
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

/// The file of the page.
fn out(arguments: &View) -> Result<String, Failure> {
    match &arguments.out {
        Some(out) if out == "-" => Ok("/dev/stdout".to_owned()),
        Some(out) => Ok(out.clone()),
        None if arguments.model.model == "-" => {
            let message = "nothing names the page: write --out FILE.html";
            Err(Failure::Usage(message.to_owned()))
        }
        None => {
            let name = Path::new(&arguments.model.model).file_stem();
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

/// Opens a file with what the system opens pages with; whether that was there.
fn open(file: &str) -> bool {
    let Ok(path) = std::path::absolute(file) else {
        return false;
    };
    let mut command = match () {
        () if cfg!(target_os = "macos") => Command::new("open"),
        () if cfg!(windows) => Command::new("explorer"),
        () => Command::new("xdg-open"),
    };
    let quiet = command.arg(path).stdin(Stdio::null());
    let quiet = quiet.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().is_ok()
}
