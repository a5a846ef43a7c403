//! `dalembert view --gallery`: the pages of all models of the gallery, and a front page that leads to them.

use super::opened;
use crate::output::{Answer, Failure, Plain};
use crate::run::{code_of, progress_bar, stop_flag, watched_by};
use dalembert::Model;
use dalembert::page::{Card, gallery_html, html};
use dalembert::report::Error;
use dalembert::results::write_atomically;
use dalembert::view::{Shown, card};
use dalembert_expr::print::visible;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A page that was written: its card, its length, and whether its run stopped on its way.
struct Page {
    card: Card,
    bytes: usize,
    code: u8,
}

pub(super) fn run(folder: &str, no_open: bool) -> Result<Answer, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let names = Model::gallery_names();
    let made = all(folder, &names);
    let mut failed = Error::new(Vec::new());
    let (mut cards, mut bytes, mut code) = (Vec::new(), 0, 0);
    for page in made {
        match page {
            Ok(page) => {
                code = code.max(page.code);
                bytes += page.bytes;
                cards.push(page.card);
            }
            Err(error) => {
                code = code.max(1);
                failed.diagnostics.extend(error.diagnostics);
            }
        }
    }
    let front = format!("{folder}/index.html");
    let page = gallery_html(&cards, env!("CARGO_PKG_VERSION"));
    let page = page.map_err(|error| unwritten(&front, &error.into()))?;
    write(&front, &page)?;
    bytes += page.len();
    let alone = opened(&front, no_open);
    let (count, missing) = (cards.len(), names.len() - cards.len());
    let missing = match missing {
        0 => String::new(),
        count => format!("; {count} models have no page"),
    };
    let mut answer = Answer::from(Plain {
        text: format!(
            "wrote {}: {count} pages, {:.1} MB{missing}{alone}",
            visible(&front),
            bytes as f64 / 1e6
        ),
        json: json!({
            "status": if code == 0 { "done" } else { "error" },
            "file": front, "pages": count, "bytes": bytes,
        }),
        warnings: failed.diagnostics,
    });
    answer.code = code;
    Ok(answer)
}

/// The pages of all models, on all processors.
fn all(folder: &str, names: &[&str]) -> Vec<Result<Page, Error>> {
    let bar = progress_bar(false, names.len() as u64);
    let stop = stop_flag();
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(name) = names.get(at) else { return };
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let page = one(folder, name, &|| stop.load(Ordering::Relaxed));
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            made.push((at, page));
            if let Some(bar) = &bar {
                bar.set_position(made.len() as u64);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, page)| page).collect()
}

fn one(folder: &str, name: &str, stopped: &dyn Fn() -> bool) -> Result<Page, Error> {
    let model = Model::gallery(name)?;
    let report = watched_by(&model, &model.options_to_see(), |_| stopped())?;
    let shown = Shown {
        table: &report.table,
        run: Some(&report),
    };
    let data = model.page(&shown)?;
    let file = format!("{name}.html");
    let path = format!("{folder}/{file}");
    let page = html(&data).map_err(|error| unwritten(&path, &error.into()))?;
    write(&path, &page)?;
    Ok(Page {
        card: card(name, &file, &data),
        bytes: page.len(),
        code: code_of(&report),
    })
}

fn write(path: &str, text: &str) -> Result<(), Error> {
    let written = write_atomically(Path::new(path), |file| file.write_all(text.as_bytes()));
    written.map_err(|error| unwritten(path, &std::io::Error::other(error.to_string())))
}

fn unwritten(path: &str, error: &std::io::Error) -> Error {
    let help = Some("choose another folder with --gallery".to_owned());
    Error::about(path, "E0911", error.to_string(), help)
}
