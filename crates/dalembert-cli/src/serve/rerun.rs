//! Motions with other values: what a page asks for when a slider is moved.

use super::subject::{Ran, Subject, run};
use super::timed::is_gone;
use dalembert::page::json;
use dalembert::report::Error;
use dalembert::view::Shown;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest run that a page waits for.
const LONGEST: Duration = Duration::from_secs(60);

/// How often it is looked whether somebody still waits.
const LOOK: Duration = Duration::from_millis(20);

/// The most runs that wait for others to end.
const MOST_WAITING: usize = 16;

/// Other values, as a page sends them: numbers in SI units, by the names of parameters, coordinates and rates.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    settings: BTreeMap<String, f64>,
}

/// What came of it.
pub(super) enum Rerun {
    /// The data of the page, without equations: those hold for all values.
    Moved(String),
    /// Why there is no motion.
    Refused(String),
    /// What was sent are no settings, and why.
    Malformed(String),
    /// There are too many already.
    Busy,
    /// Nobody waits any more.
    Unwanted,
}

/// Runs that are under way, of which there are no more than processors.
pub(super) struct Reruns {
    under_way: Mutex<Counts>,
    ended: Condvar,
    most: usize,
}

#[derive(Default)]
struct Counts {
    running: usize,
    waiting: usize,
}

/// A processor for a run; given back when this is dropped.
struct Turn<'r>(&'r Reruns);

impl Reruns {
    pub(super) fn new() -> Self {
        let most = std::thread::available_parallelism();
        Self {
            under_way: Mutex::default(),
            ended: Condvar::new(),
            most: most.map_or(1, usize::from),
        }
    }

    /// Waits for a processor, as long as somebody waits for the run.
    fn turn(&self, stream: &TcpStream) -> Result<Turn<'_>, Rerun> {
        let lock = self.under_way.lock();
        let mut counts = lock.unwrap_or_else(PoisonError::into_inner);
        if counts.running >= self.most && counts.waiting >= MOST_WAITING {
            return Err(Rerun::Busy);
        }
        counts.waiting += 1;
        while counts.running >= self.most {
            let waited = self.ended.wait_timeout(counts, LOOK);
            counts = waited.unwrap_or_else(PoisonError::into_inner).0;
            if is_gone(stream) {
                counts.waiting -= 1;
                return Err(Rerun::Unwanted);
            }
        }
        counts.waiting -= 1;
        counts.running += 1;
        Ok(Turn(self))
    }

    /// Runs the model with the settings that were sent, until nobody waits any more at the other end of the stream.
    pub(super) fn rerun(&self, subject: &Subject, settings: &[u8], stream: &TcpStream) -> Rerun {
        let settings = match settings_of(settings) {
            Ok(settings) => settings,
            Err(why) => return Rerun::Malformed(why),
        };
        let turn = match self.turn(stream) {
            Ok(turn) => turn,
            Err(why) => return why,
        };
        let moved = moved(subject, &settings, stream);
        drop(turn);
        match moved {
            Ok(Some(data)) => Rerun::Moved(data),
            Ok(None) => Rerun::Unwanted,
            Err(error) => Rerun::Refused(error.to_string()),
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let lock = self.0.under_way.lock();
        lock.unwrap_or_else(PoisonError::into_inner).running -= 1;
        self.0.ended.notify_one();
    }
}

/// Settings by name. Names are names and values numbers, so that nothing that is sent names a file.
fn settings_of(sent: &[u8]) -> Result<Vec<(String, f64)>, String> {
    let sent: Settings = serde_json::from_slice(sent).map_err(|error| error.to_string())?;
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
    for (name, value) in &sent.settings {
        if name.is_empty() || name.len() > 200 || !name.chars().all(is_letter) {
            return Err(format!("{name:?} is no name of the model"));
        }
        if !value.is_finite() {
            return Err(format!("{name} is no number"));
        }
    }
    Ok(sent.settings.into_iter().collect())
}

fn moved(
    subject: &Subject,
    settings: &[(String, f64)],
    stream: &TcpStream,
) -> Result<Option<String>, Error> {
    let about = |why: String| Error::about(&subject.file, "E0910", why, None);
    let folder = subject.folder().map_err(|error| about(error.to_string()))?;
    let model = subject.load(&folder, settings)?;
    let (began, mut looked) = (Instant::now(), Instant::now());
    let mut late = false;
    let ran = run(&model, |_| {
        if looked.elapsed() < LOOK {
            return false;
        }
        looked = Instant::now();
        late = began.elapsed() > LONGEST;
        late || is_gone(stream)
    })?;
    let report = match ran {
        Ran::Whole(report) => report,
        Ran::Unwanted if late => {
            let seconds = LONGEST.as_secs();
            return Err(about(format!(
                "the run took more than {seconds} s, and was stopped"
            )));
        }
        Ran::Unwanted => return Ok(None),
    };
    let shown = Shown {
        table: &report.table,
        run: Some(&report),
    };
    let data = json(&model.moved_page(&shown)?);
    data.map(Some).map_err(|error| about(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::settings_of;

    #[test]
    fn settings_are_names_and_numbers() {
        let found = settings_of(br#"{"settings": {"theta'": -1e-3, "leg.m": 2}}"#).unwrap();
        assert_eq!(
            found,
            [("leg.m".to_owned(), 2.0), ("theta'".to_owned(), -1e-3)]
        );
        for wrong in [
            r#"{"settings": {"m": "table(\"/etc/passwd\", t)"}}"#,
            r#"{"settings": {"m=table(\"x\", t)": 1}}"#,
            r#"{"settings": {"": 1}}"#,
            r#"{"settings": {"m": null}}"#,
            r#"{"settings": {"m": 1e999}}"#,
            r#"{"settings": {"m": 1}, "model": "/etc/passwd"}"#,
            r#"{"settings": [1]}"#,
            "{",
            "",
            "\u{0}",
        ] {
            assert!(settings_of(wrong.as_bytes()).is_err(), "{wrong}");
        }
        let deep = format!(
            "{{\"settings\": {}{}",
            "[".repeat(60_000),
            "]".repeat(60_000)
        );
        assert!(settings_of(deep.as_bytes()).is_err());
    }
}
