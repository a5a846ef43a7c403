//! What is kept of a run: an expression, or `value when condition`.

use super::Check;
use crate::model::Asked;
use crate::model::format::Kind;
use crate::model::source::{Item, Text};

/// What stands between a value and the condition at which it is taken.
const WHEN: &str = " when ";

impl Check {
    pub(super) fn asked(&mut self, path: &str, item: Item) -> Option<Asked> {
        let (value, condition) = match &item {
            Item::Text(text) => match text.text.find(WHEN) {
                Some(at) => {
                    let condition = at + WHEN.len()..text.text.len();
                    (text.part(0..at), text.part(condition))
                }
                None => return self.asked_number(path, item),
            },
            _ => return self.asked_number(path, item),
        };
        let read = |it: &mut Self, kind, text: Text| it.expression(path, kind, Item::Text(text));
        let value = read(self, &Kind::Value, value);
        let condition = read(self, &Kind::Condition, condition);
        Some(Asked::When {
            value: value?,
            condition: condition?,
        })
    }

    fn asked_number(&mut self, path: &str, item: Item) -> Option<Asked> {
        Some(Asked::Number(self.expression(path, &Kind::Value, item)?))
    }
}
