//! What is shown now: the last page that the model gave, and what is wrong with its file since.

use serde::Serialize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What all connections look at.
pub(super) struct Session {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    page: Arc<str>,
    news: News,
    /// Counts what was said, so that whoever waits knows whether there is more.
    said: u64,
}

/// What pages hear.
#[derive(Clone, Default, Serialize)]
pub(super) struct News {
    /// Counts the pages: whoever has another one loads this one.
    edition: u64,
    trouble: Option<Trouble>,
    /// How much of a run is done, in percent.
    working: Option<u8>,
}

/// What is wrong with the model file as it is now.
#[derive(Clone, Serialize)]
pub(super) struct Trouble {
    pub(super) kind: TroubleKind,
    /// Diagnostics as rendered.
    pub(super) text: String,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TroubleKind {
    /// There is no motion.
    Refused,
    /// The motion ended before its time.
    Stopped,
}

impl Session {
    pub(super) fn new(waiting: String) -> Self {
        Self {
            state: Mutex::new(State {
                page: waiting.into(),
                news: News::default(),
                said: 0,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing of it is ever half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        state.said += 1;
        self.changed.notify_all();
    }

    /// A run is under way.
    pub(super) fn works(&self, percent: u8) {
        if self.state().news.working != Some(percent) {
            self.say(|state| state.news.working = Some(percent));
        }
    }

    /// The number that the next page has.
    pub(super) fn next_edition(&self) -> u64 {
        self.state().news.edition + 1
    }

    /// There is another page, maybe of a run that stopped.
    pub(super) fn show(&self, page: String, trouble: Option<Trouble>) {
        self.say(|state| {
            state.page = page.into();
            state.news = News {
                edition: state.news.edition + 1,
                trouble,
                working: None,
            };
        });
    }

    /// The model is not right; the page stays.
    pub(super) fn refuse(&self, text: String) {
        let kind = TroubleKind::Refused;
        self.say(|state| {
            state.news.trouble = Some(Trouble { kind, text });
            state.news.working = None;
        });
    }

    pub(super) fn page(&self) -> Arc<str> {
        Arc::clone(&self.state().page)
    }

    /// What is new since `said`, if there is anything within this time.
    pub(super) fn news(&self, said: Option<u64>, within: Duration) -> Option<(u64, News)> {
        let known = |state: &mut State| Some(state.said) == said;
        let waited = self.changed.wait_timeout_while(self.state(), within, known);
        let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        (!timeout.timed_out()).then(|| (state.said, state.news.clone()))
    }
}
