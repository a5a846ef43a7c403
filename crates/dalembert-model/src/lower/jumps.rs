//! Functions that jump. What is differentiated must not: the derivative of a step is zero almost everywhere, and what
//! happens at the step would be missing from the equations.
//!
//! `x*sign(x)` does not jump, `sign(x)` does: where g = 0, the values with sign(g) = 1 and with sign(g) = −1 differ.

use super::Lowering;
use super::dependence::Order;
use crate::model::Expression;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::{Cone, ExprId, Node, SymbolId, Unary, substitute};

/// Places at which a jump is looked at: it must be seen at all of them.
const PLACES: usize = 3;

impl Lowering<'_> {
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
        let shown = print_one(&self.scope.graph, argument, Format::Model);
        let message = format!("{what} jumps where {shown} changes its sign");
        let help = "what is differentiated must not jump: write smooth_sign(x, width) in place of sign(x), or treat one side only";
        self.scope
            .refuse(expression, 0..expression.text.len(), "E0417", message, help);
        true
    }

    /// The argument of a sign at whose zeros a value jumps.
    fn jump_of(&mut self, value: ExprId, orders: &[Order]) -> Option<ExprId> {
        let graph = &self.scope.graph;
        let cone = Cone::new(graph, &[value]);
        let sign = |&id: &ExprId| match graph.node(id) {
            Node::Unary(Unary::Sign, argument) => Some((id, argument)),
            _ => None,
        };
        let signs: Vec<(ExprId, ExprId)> = cone.nodes().iter().filter_map(sign).collect();
        signs.into_iter().find_map(|(sign, argument)| {
            let mut orders = orders.iter();
            orders
                .any(|&order| self.jumps_at(value, (sign, argument), order))
                .then_some(argument)
        })
    }

    /// Whether a value is different on both sides of sign(g) = 0, where g is linear in a symbol of an order.
    fn jumps_at(&mut self, value: ExprId, (sign, g): (ExprId, ExprId), order: Order) -> bool {
        let Some((slopes, _)) = self.linear_in(g, order) else {
            return false;
        };
        let Some(&(k, slope)) = slopes.first() else {
            return false;
        };
        let symbol = match order {
            Order::Coordinates => self.symbols.coordinates[k],
            Order::Rates => self.symbols.rates[k],
            Order::Accelerations => self.symbols.accelerations[k],
        };
        let graph = self.graph();
        let sides = [1, -1].map(|side| {
            let side = graph.integer(side);
            substitute(graph, &[value], &[(sign, side)])[0]
        });
        let step = graph.sub(sides[0], sides[1]);
        // g = 0 at x − g/c.
        let x = graph.symbol_node(symbol);
        let way = graph.div(g, slope);
        let root = graph.sub(x, way);
        let step = substitute(graph, &[step], &[(x, root)])[0];
        let zero = Bounded::exact(Number::ZERO);
        (0..PLACES).all(|place| {
            let at = |symbol: SymbolId| {
                let part = (symbol.index() + 1) * (2 * place + 3);
                Bounded::exact(Number::from(0.7 + (part as f64 * 0.618_034).fract()))
            };
            evaluate_bounded(&self.scope.graph, &[step], at)[0].differs_from(&zero)
        })
    }
}
