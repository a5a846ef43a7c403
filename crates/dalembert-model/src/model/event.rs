//! Events.

use super::check::{Check, Content, Fields};
use super::form_codes::names as code;
use super::{Event, Impact, Name};

/// What an event may do.
const ACTIONS: [&str; 6] = ["stop", "set", "release", "engage", "impulse", "impact"];

impl Check {
    pub(super) fn event(&mut self, name: Name, mut table: Fields) -> Option<Event> {
        self.one_of(&table, &ACTIONS, "stop = true");
        let stop = match table.take("stop") {
            Some(Content::Switch(stop, place)) => {
                if !stop && table.names().count() == 2 {
                    let message = format!("[{}] does nothing", table.path);
                    let help = "write stop = true, or say what happens";
                    self.mistakes.report(code::NO_EFFECT, place, message, help);
                }
                stop
            }
            _ => false,
        };
        let set = match table.take("set") {
            Some(Content::Settings(set)) => set,
            _ => Vec::new(),
        };
        let impulse = table.fields("impulse");
        let impulse = impulse
            .and_then(|it| self.load(it, "angular", "give one of them in an event of its own"));
        let impact = table.fields("impact").and_then(impact);
        Some(Event {
            name,
            when: table.expression("when")?,
            stop,
            set,
            release: table.words("release").unwrap_or_default(),
            engage: table.words("engage").unwrap_or_default(),
            impulse,
            impact,
        })
    }
}

fn impact(mut table: Fields) -> Option<Impact> {
    Some(Impact {
        on: table.values("on")?,
        restitution: table.expression("restitution"),
    })
}
