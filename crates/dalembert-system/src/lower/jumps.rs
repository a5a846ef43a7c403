//! Functions that jump. What is differentiated must not: the derivative of a step is zero almost everywhere, and what
//! happens at the step would be missing from the equations.
//!
//! `x*sign(x)` does not jump, `sign(x)` does: where g = 0, the values with sign(g) = 1 and with sign(g) = −1 differ.

use super::Lowering;
use super::dependence::Order;
use crate::model::Expression;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::table::{Beyond, Interpolation};
use dalembert_expr::{
    Cone, ExprId, Node, SymbolId, evaluate, jump_arguments, one_side, substitute,
};
use dalembert_linear::decide::CANCELLED;

/// Places at which a jump is looked at: it must be seen at all of them.
const PLACES: usize = 3;
/// Halves of an interval until it is a number.
const HALVES: usize = 80;

impl Lowering<'_> {
    /// Whether something stands in expressions that jumps, or has corners of its own: a sign, a condition, a table.
    pub(super) fn may_jump(&self, values: &[ExprId]) -> bool {
        values.iter().any(|&value| {
            let traits = self.traits(value);
            traits.jumps() || traits.has_tables()
        })
    }

    /// Refuses an expression of the model, to be differentiated by time, whose value jumps as symbols of some orders or time vary.
    pub(super) fn refuse_jumps_in_time(
        &mut self,
        expression: &Expression,
        value: ExprId,
        (what, orders): (&str, &[Order]),
    ) -> bool {
        if !self.traits(value).jumps() {
            return false;
        }
        if self.refuse_jumps(expression, value, (what, orders)) {
            return true;
        }
        let time = self.symbols.time;
        let mut arguments = jump_arguments(&self.scope.graph, &[value]).into_iter();
        let jump = arguments.find(|&argument| {
            let step = self.step_at(value, argument);
            self.differs_at_roots(step, argument, time)
        });
        jump.inspect(|&argument| self.refuse_jump(expression, what, argument))
            .is_some()
    }

    /// Refuses an expression of the model whose value jumps as symbols of some orders vary.
    pub(super) fn refuse_jumps(
        &mut self,
        expression: &Expression,
        value: ExprId,
        (what, orders): (&str, &[Order]),
    ) -> bool {
        let Some(argument) = self.jump_of(value, orders) else {
            return false;
        };
        self.refuse_jump(expression, what, argument);
        true
    }

    /// Refuses an expression of the model that is differentiated so often by time that a table in it jumps.
    pub(super) fn refuse_rough_tables(
        &mut self,
        expression: &Expression,
        value: ExprId,
        (what, times): (&str, u8),
    ) -> bool {
        if !self.traits(value).has_tables() {
            return false;
        }
        let graph = &self.scope.graph;
        let mut nodes = Cone::new(graph, &[value]).nodes().to_vec().into_iter();
        let rough = nodes.find_map(|id| match graph.node(id) {
            Node::Table(table, _) => {
                let function = graph.table_function(table);
                let enough = function.order() + times <= function.table.smoothness();
                (!enough).then(|| function.clone())
            }
            _ => None,
        });
        let Some(function) = rough else {
            return false;
        };
        let label = &function.table.label;
        let (reason, help) = match (label.interpolation, label.beyond) {
            (Interpolation::Linear, _) => (
                "its table has corners between straight lines",
                "write kind = \"cubic\" in table(...) for a spline",
            ),
            (_, Beyond::Hold) => (
                "its table has a corner where it ends",
                "write outside = \"line\" in table(...), or nothing if the run stays within its range",
            ),
            _ => (
                "its table is not smooth enough",
                "write the table of a smoother quantity",
            ),
        };
        let message = format!("{what} is differentiated by time, and {reason}");
        self.scope.refuse_whole(expression, "E0417", message, help);
        true
    }

    fn refuse_jump(&mut self, expression: &Expression, what: &str, argument: ExprId) {
        let shown = print_one(&self.scope.graph, argument, Format::Model);
        let message = format!("{what} jumps where {shown} changes its sign");
        let help = "what is differentiated must not jump: write smooth_sign(x, width) in place of sign(x), branches of if(...) that meet where its condition changes, or treat one side only";
        self.scope.refuse_whole(expression, "E0417", message, help);
    }

    /// What a value differs by on both sides of a zero of an argument.
    fn step_at(&mut self, value: ExprId, argument: ExprId) -> ExprId {
        let graph = self.graph();
        let sides = [true, false].map(|above| one_side(graph, &[value], argument, above)[0]);
        graph.sub(sides[0], sides[1])
    }

    /// The argument of a sign or a condition at whose zeros a value jumps.
    fn jump_of(&mut self, value: ExprId, orders: &[Order]) -> Option<ExprId> {
        if !self.traits(value).jumps() {
            return None;
        }
        let arguments = jump_arguments(&self.scope.graph, &[value]);
        arguments.into_iter().find(|&argument| {
            let mut orders = orders.iter();
            orders.any(|&order| self.jumps_at(value, argument, order))
        })
    }

    /// Whether a value is different on both sides of g = 0, where g depends on a symbol of an order.
    fn jumps_at(&mut self, value: ExprId, g: ExprId, order: Order) -> bool {
        let linear = self.linear_in(g, order).map(|(slopes, _)| slopes);
        let is_linear = linear.is_some();
        let slopes = linear.unwrap_or_else(|| self.sparse_gradient(g, order));
        let Some(&(k, slope)) = slopes.first() else {
            return false;
        };
        let symbol = match order {
            Order::Coordinates => self.symbols.coordinates[k],
            Order::Rates => self.symbols.rates[k],
            Order::Accelerations => self.symbols.accelerations[k],
        };
        let step = self.step_at(value, g);
        if !is_linear {
            return self.differs_at_roots(step, g, symbol);
        }
        let graph = self.graph();
        // g = 0 at x − g/c.
        let x = graph.symbol_node(symbol);
        let way = graph.div(g, slope);
        let root = graph.sub(x, way);
        let step = substitute(graph, &[step], &[(x, root)])[0];
        let zero = Bounded::exact(Number::ZERO);
        (0..PLACES).all(|place| {
            let at = |symbol| Bounded::exact(Number::from(somewhere(symbol, place)));
            evaluate_bounded(&self.scope.graph, &[step], at)[0].differs_from(&zero)
        })
    }

    /// Whether a step is not zero where g changes its sign along a symbol, at all places at which it does.
    fn differs_at_roots(&self, step: ExprId, g: ExprId, along: SymbolId) -> bool {
        let graph = &self.scope.graph;
        let mut found = 0;
        for place in 0..PLACES {
            let with = |x: f64| {
                move |symbol| match symbol == along {
                    true => x,
                    false => somewhere(symbol, place),
                }
            };
            let root = root_of(|x| evaluate(graph, &[g], with(x))[0]);
            let Some(root) = root else { continue };
            let exact = |symbol| Bounded::exact(Number::from(with(root)(symbol)));
            let step = evaluate_bounded(graph, &[step], exact)[0];
            if step.value.size() <= CANCELLED * step.size {
                return false;
            }
            found += 1;
        }
        found > 0
    }
}

/// The value of a symbol at a place.
fn somewhere(symbol: SymbolId, place: usize) -> f64 {
    let part = (symbol.index() + 1) * (2 * place + 3);
    0.7 + (part as f64 * 0.618_034).fract()
}

/// A number of any size at which a function changes its sign, and has no pole.
#[must_use]
pub fn root_of(f: impl Fn(f64) -> f64) -> Option<f64> {
    let sizes = (-12..=12).map(|k| 10_f64.powf(f64::from(k) / 2.0));
    let mut grid: Vec<f64> = sizes.flat_map(|x| [x, -x]).chain([0.0]).collect();
    grid.sort_by(f64::total_cmp);
    grid.windows(2).find_map(|pair| {
        let (mut low, mut high) = (pair[0], pair[1]);
        let (at_low, at_high) = (f(low), f(high));
        let change = at_low.is_finite() && at_high.is_finite() && at_low * at_high <= 0.0;
        // Zero at both ends is no change.
        if !change || at_low.abs() + at_high.abs() == 0.0 {
            return None;
        }
        for _ in 0..HALVES {
            let middle = low + (high - low) / 2.0;
            match f(middle) * at_low > 0.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        let root = if at_low == 0.0 { pair[0] } else { high };
        (f(root).abs() <= at_low.abs().max(at_high.abs())).then_some(root)
    })
}
