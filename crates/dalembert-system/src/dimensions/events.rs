//! What events say about dimensions: an impulse is a force times a time, and what is set keeps its dimension.

use super::anchors::{LoadWords, source};
use super::infer::Inference;
use super::report::Wanted;
use super::unify::{Form, whole};
use crate::elaborate::Declared;
use crate::model::{Event, Expression};
use crate::units::Dimension;
use dalembert_expr::syntax::Kind;

const IMPULSE: LoadWords = LoadWords {
    generalized: "a generalized impulse",
    vector: "an impulse is",
    moment: ("angular", "an angular impulse is"),
};

impl<'m> Inference<'m> {
    pub(super) fn events(&mut self) {
        let model = self.model;
        for event in &model.events {
            let at = |key| source("event", &event.name.text, key);
            self.measured(&event.when, at("when"));
            for (key, value) in &event.set {
                self.setting(event, key, value);
            }
            if let Some(impulse) = &event.impulse {
                // A force is the impulse over a time: as where something of that size is found.
                let per_time =
                    Form::known(Dimension::TIME).mul_pow(Form::known(Dimension::TIME), whole(-2));
                self.load(impulse, (per_time, &IMPULSE), at);
            }
            if let Some(impact) = &event.impact {
                for on in &impact.on {
                    self.measured(on, at("impact"));
                }
                if let Some(restitution) = &impact.restitution {
                    let needs = "a coefficient of restitution is a pure number";
                    self.numeric(restitution, at("impact"), needs);
                }
            }
        }
    }

    /// A new value is what the old one was.
    fn setting(&mut self, event: &'m Event, key: &'m Expression, value: &'m Expression) {
        let Kind::Name { name, primes } = &key.tree[key.tree.root()].kind else {
            return;
        };
        let declared = self.names.get(name);
        let of = match declared {
            Some(Declared::Coordinate(_) | Declared::Speed(_)) => declared,
            _ => None,
        };
        let form = of.and_then(|of| self.form_of(of));
        let form = match primes {
            0 => form,
            _ => form.and_then(|form| form.mul_pow(Form::known(Dimension::TIME), whole(-1))),
        };
        let what = format!("{} is", key.text);
        let wanted = form.map(|form| Wanted {
            what: &what,
            form,
            of: None,
        });
        let source = source("event", &event.name.text, "set");
        self.matched(value, source, wanted);
    }
}
