//! The model that is shown: read, run and made a page of, whenever one of its files changes.

use super::session::{Session, Trouble, TroubleKind};
use crate::run::watched_by;
use dalembert::page::served_html;
use dalembert::report::{Error, RunReport};
use dalembert::view::Shown;
use dalembert::{Folder, Model};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Files are looked at so often.
const LOOK: Duration = Duration::from_millis(100);

/// Whoever writes a file has so long to finish it before it is read; if it changes later, it is read again.
const SETTLED: Duration = Duration::from_millis(50);

/// What is shown.
pub(super) struct Subject {
    pub(super) file: String,
    /// NAME=VALUE, as the command was given them.
    pub(super) set: Vec<String>,
    /// Beyond this nothing is read.
    pub(super) folder: PathBuf,
}

/// How a run ended.
pub(super) enum Ran {
    /// By itself, maybe before its time.
    Whole(Box<RunReport>),
    /// Nobody wants it any more.
    Unwanted,
}

impl Subject {
    pub(super) fn folder(&self) -> io::Result<Arc<Folder>> {
        Folder::new(&self.folder).map(Arc::new)
    }

    /// The model, with these values set besides those of the command, or in their place.
    pub(super) fn load(
        &self,
        folder: &Arc<Folder>,
        settings: &[(String, f64)],
    ) -> Result<Model, Error> {
        let name = |setting: &str| {
            setting
                .split('=')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        let own = self.set.iter();
        let own = own.filter(|it| settings.iter().all(|(other, _)| *other != name(it)));
        let more = settings
            .iter()
            .map(|(name, value)| format!("{name}={value:e}"));
        let all: Vec<String> = own.cloned().chain(more).collect();
        Model::load_within(&self.file, folder)?.set_all(&all)
    }

    /// Shows the model as long as there is someone to show it to.
    pub(super) fn keep_showing(&self, session: &Session) {
        loop {
            let folder = match self.folder() {
                Ok(folder) => folder,
                Err(error) => {
                    session.refuse(format!("{}: {error}", self.folder.display()));
                    std::thread::sleep(10 * LOOK);
                    continue;
                }
            };
            session.works(0);
            // Whatever happens to one model, the next may be right.
            match catch_unwind(AssertUnwindSafe(|| self.show(session, &folder))) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => session.refuse(error.to_string()),
                Err(_) => session.refuse(FAILED.to_owned()),
            }
            while !folder.has_changed() {
                std::thread::sleep(LOOK);
            }
            std::thread::sleep(SETTLED);
        }
    }

    fn show(&self, session: &Session, folder: &Arc<Folder>) -> Result<(), Error> {
        let model = self.load(folder, &[])?;
        model.mechanism()?;
        let mut looked = Instant::now();
        let ran = run(&model, |done| {
            if looked.elapsed() < LOOK {
                return false;
            }
            looked = Instant::now();
            session.works((100.0 * done) as u8);
            folder.has_changed()
        })?;
        let Ran::Whole(report) = ran else {
            return Ok(());
        };
        let shown = Shown {
            table: &report.table,
            run: Some(&report),
        };
        let data = model.page(&shown)?;
        let page = served_html(&data, session.next_edition());
        let page =
            page.map_err(|error| Error::about(&self.file, "E0911", error.to_string(), None))?;
        let stopped = report.status == "error";
        let trouble = stopped.then(|| Trouble {
            kind: TroubleKind::Stopped,
            text: Error::new(report.diagnostics.clone()).to_string(),
        });
        session.show(page, trouble);
        Ok(())
    }
}

/// What is said where the program itself failed.
const FAILED: &str = "error: the program failed on this model, which is a mistake of the program: please report it with the model";

/// Runs a model for the eye, until it ends or is not wanted any more.
pub(super) fn run(model: &Model, unwanted: impl FnMut(f64) -> bool) -> Result<Ran, Error> {
    let report = watched_by(model, &model.options_to_see(), unwanted)?;
    Ok(match report.status {
        "interrupted" => Ran::Unwanted,
        _ => Ran::Whole(Box::new(report)),
    })
}
