//! What runs are reduced to: numbers of the whole run.

use super::Lowering;
use super::event::Condition;
use crate::model::{Expression, Gauge};
use dalembert_expr::{ExprId, substitute};

/// A number that a run is reduced to, lowered: see [`Gauge`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoweredGauge {
    /// The value at the start.
    Start(ExprId),
    /// The value at the end.
    End(ExprId),
    /// The largest value.
    Largest(ExprId),
    /// The least value.
    Least(ExprId),
    /// The mean over time.
    Mean(ExprId),
    /// The integral over time.
    Integral(ExprId),
    /// The value when a condition becomes true for the first time.
    When(ExprId, Condition),
    /// How often an event happened, by its place.
    Count(usize),
    /// When it happened first.
    First(usize),
    /// When it happened last.
    Last(usize),
}

impl Lowering<'_> {
    pub(super) fn gauges(&mut self) -> Vec<LoweredGauge> {
        let model = self.model;
        let gauges = model.run.gauges.iter();
        gauges.filter_map(|gauge| self.gauge(gauge)).collect()
    }

    fn gauge(&mut self, gauge: &Gauge) -> Option<LoweredGauge> {
        let place = |name: &str| {
            let mut events = self.model.events.iter();
            events.position(|event| event.name.text == name)
        };
        Some(match gauge {
            Gauge::Start(it) => LoweredGauge::Start(self.gauged(it)?),
            Gauge::End(it) => LoweredGauge::End(self.gauged(it)?),
            Gauge::Largest(it) => LoweredGauge::Largest(self.gauged(it)?),
            Gauge::Least(it) => LoweredGauge::Least(self.gauged(it)?),
            Gauge::Mean(it) => LoweredGauge::Mean(self.gauged(it)?),
            Gauge::Integral(it) => LoweredGauge::Integral(self.gauged(it)?),
            Gauge::When { value, condition } => {
                let value = self.gauged(value);
                let condition = self.condition(condition);
                LoweredGauge::When(value?, condition?)
            }
            Gauge::Count(name) => LoweredGauge::Count(place(&name.text)?),
            Gauge::First(name) => LoweredGauge::First(place(&name.text)?),
            Gauge::Last(name) => LoweredGauge::Last(place(&name.text)?),
        })
    }

    /// A number of the motion, in which energies, powers and reactions may stand as in a condition.
    fn gauged(&mut self, expression: &Expression) -> Option<ExprId> {
        let known = self.scope.reactions().len();
        let read = self.scope.in_condition(|scope| scope.scalar(expression));
        let (value, measured) = read?;
        let meanings = self.meanings_of(&measured)?;
        if !self.limit_order(expression, value, 1, "what a run is reduced to") {
            return None;
        }
        let value = substitute(self.graph(), &[value], &meanings)[0];
        Some(self.reactions_in_condition(known, value))
    }
}
