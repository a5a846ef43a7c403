//! What runs say about dimensions, and which their results have.
//!
//! | place | dimension |
//! |---|---|
//! | span, step and start of a run | s |
//! | tolerances, counts | none |
//! | what an integral over time is of, times | s |

use super::anchors::{power, source};
use super::infer::Inference;
use super::report::Wanted;
use crate::model::{Expression, Gauge};
use crate::units::Dimension;
use dalembert_expr::syntax::Kind;

impl<'m> Inference<'m> {
    /// How it is run.
    pub(super) fn run(&mut self) {
        let run = &self.model.run;
        let times = [
            (&run.from, "from", "the start of time is"),
            (&run.span, "span", "a span of time is"),
            (&run.step, "step", "a step of time is"),
            (&run.max_step, "max_step", "a step of time is"),
        ];
        for (value, key, what) in times {
            if let Some(value) = value {
                self.anchored(value, source("run", "", key), what, Dimension::TIME);
            }
        }
        let numbers = [
            (&run.rtol, "rtol", "a relative tolerance is a pure number"),
            (&run.samples, "samples", "a count is a pure number"),
            (&run.max_steps, "max_steps", "a count is a pure number"),
        ];
        for (value, key, needs) in numbers {
            if let Some(value) = value {
                self.numeric(value, source("run", "", key), needs);
            }
        }
        if let Some(until) = &run.until {
            self.measured(until, source("run", "", "until"));
        }
        for record in &run.record {
            self.measured(record, source("run", "", "record"));
        }
        for (index, gauge) in run.gauges.iter().enumerate() {
            for expression in gauge.expressions() {
                self.measured(expression, source("run", "", "results"));
            }
            let scaled = matches!(gauge, Gauge::Integral(_));
            let stands = run.reduced.iter().find(|(of, _)| *of == index && !scaled);
            let declared = stands.and_then(|(_, name)| self.names.get(name));
            if let (Some(declared), Some(value)) = (declared, gauge.expressions().next()) {
                // What stands for a number of the whole run is like what it is a number of.
                let wanted = self.form_of(declared).map(|form| Wanted {
                    what: "it is",
                    form,
                    of: Some(declared),
                });
                self.matched(value, source("run", "", "results"), wanted);
            }
        }
    }

    /// The dimension of what a run is reduced to.
    pub(super) fn gauged(&mut self, gauge: &'m Gauge) -> Option<Dimension> {
        let value = gauge.expressions().next();
        match gauge {
            Gauge::Count(_) => Some(Dimension::NONE),
            Gauge::First(_) | Gauge::Last(_) => Some(Dimension::TIME),
            Gauge::Integral(_) => self.recorded(value?)?.checked_mul(&Dimension::TIME),
            _ => self.recorded(value?),
        }
    }

    /// The dimension of something recorded.
    pub(super) fn recorded(&mut self, record: &'m Expression) -> Option<Dimension> {
        let tree = &record.tree;
        match &tree[tree.root()].kind {
            Kind::Name { name, primes: 0 }
                if **name == *"energy" && self.names.get(name).is_none() =>
            {
                return Some(Dimension::ENERGY);
            }
            Kind::Call { function, .. } if *function.text == *"power" => return Some(power()),
            _ => {}
        }
        let before = self.diagnostics.len();
        let form = self.measured(record, source("run", "", "record"))?.form?;
        self.diagnostics.truncate(before);
        self.unifier.reduce(form)?.dimension()
    }
}
