//! What expressions depend on, and their derivatives by that alone.
//!
//! An element of a large model depends on a few coordinates. Nothing here looks at the others, so
//! that lowering an element costs the size of the element.

use super::{Lowering, Sparse, Symbols};
use crate::model::Expression;
use dalembert_expr::calculus::{Jacobian, affine, forward, gradient, jacobian};
use dalembert_expr::{
    Cone, ExprId, Form, Graph, Node, SymbolId, SymbolKind, jump_argument, substitute,
};

/// Derivatives of the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// q
    Coordinates,
    /// q'
    Rates,
    /// q''
    Accelerations,
}

/// Which derivative of which coordinate a symbol is.
pub(super) struct Places {
    /// By symbol.
    places: Vec<Option<(Order, usize)>>,
}

impl Places {
    pub(super) fn of(symbols: &Symbols) -> Self {
        let families = [
            (Order::Coordinates, &symbols.coordinates),
            (Order::Rates, &symbols.rates),
            (Order::Accelerations, &symbols.accelerations),
        ];
        let all = families.iter().flat_map(|(_, list)| list.iter());
        let count = all.map(|symbol| symbol.index() + 1).max().unwrap_or(0);
        let mut places = vec![None; count];
        for (order, list) in families {
            for (i, symbol) in list.iter().enumerate() {
                places[symbol.index()] = Some((order, i));
            }
        }
        Self { places }
    }

    /// Which symbols of a form the derivatives of some coordinates are; `None` if one of them is not in it.
    pub(super) fn among(
        &self,
        form: &Form,
        order: Order,
        coordinates: impl Iterator<Item = usize>,
    ) -> Option<Vec<usize>> {
        let place = |symbol: &SymbolId| self.places.get(symbol.index()).copied().flatten();
        let known: Vec<_> = form.symbols().iter().map(place).collect();
        let number = |i| known.iter().position(|it| *it == Some((order, i)));
        coordinates.map(number).collect()
    }

    /// The coordinate that a symbol of a form is a derivative of, by its number there.
    pub(super) fn coordinate(&self, form: &Form, number: usize) -> usize {
        let place = self.places[form.symbols()[number].index()];
        place.expect("a copy has symbols of the same kinds").1
    }

    /// Values by the coordinates that symbols of a form are derivatives of.
    pub(super) fn sparse(&self, form: &Form, columns: &[usize], values: &[ExprId]) -> Sparse {
        let columns = columns.iter().map(|&column| self.coordinate(form, column));
        let mut sparse: Sparse = columns.zip(values.iter().copied()).collect();
        sparse.sort_unstable_by_key(|&(i, _)| i);
        sparse
    }
}

/// What an expression depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dependence {
    pub(super) time: bool,
    /// Coordinates or their derivatives.
    pub(super) motion: bool,
    /// Highest derivative of a coordinate.
    pub(super) order: u8,
}

/// What is known of a node and all below it, in a byte: a large model has one for each of its nodes. The highest derivative of a coordinate in the
/// lower half, as far as that counts, what else there is in the upper.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traits(u8);

impl Traits {
    const ORDER: u8 = 0b1111;
    const TIME: u8 = 1 << 4;
    const MOTION: u8 = 1 << 5;
    const JUMPS: u8 = 1 << 6;
    const TABLES: u8 = 1 << 7;

    pub(super) fn dependence(self) -> Dependence {
        Dependence {
            time: self.0 & Self::TIME != 0,
            motion: self.0 & Self::MOTION != 0,
            order: self.0 & Self::ORDER,
        }
    }

    /// Whether something there jumps.
    pub(super) fn jumps(self) -> bool {
        self.0 & Self::JUMPS != 0
    }

    /// Whether something there is a table.
    pub(super) fn has_tables(self) -> bool {
        self.0 & Self::TABLES != 0
    }

    /// What is known of two nodes together.
    fn and(self, other: Self) -> Self {
        let order = (self.0 & Self::ORDER).max(other.0 & Self::ORDER);
        Self((self.0 | other.0) & !Self::ORDER | order)
    }

    /// What a node has of its own, whatever stands below it.
    fn own(graph: &Graph, node: Node) -> Self {
        let mut own = 0;
        if let Node::Symbol(symbol) = node {
            let data = graph.symbol_data(symbol);
            own |= match data.kind {
                SymbolKind::Time => Self::TIME,
                SymbolKind::Coordinate => Self::MOTION | data.order.min(Self::ORDER),
                _ => 0,
            };
        }
        if matches!(node, Node::Table(..)) {
            own |= Self::TABLES;
        }
        if jump_argument(node).is_some() {
            own |= Self::JUMPS;
        }
        Self(own)
    }
}

impl Lowering<'_> {
    /// Kinds and orders of the symbols in an expression.
    pub(super) fn depends_on(&self, expression: ExprId) -> Dependence {
        self.traits(expression).dependence()
    }

    /// What is known of an expression. Operands come first, so that each node is looked at once, whatever the number of expressions.
    pub(super) fn traits(&self, expression: ExprId) -> Traits {
        let graph = &self.scope.graph;
        let mut known = self.traits.borrow_mut();
        for index in known.len()..=expression.index() {
            let node = graph.node_at(index);
            let below = node.operands().map(|operand| known[operand.index()]);
            let found = below.fold(Traits::own(graph, node), Traits::and);
            known.push(found);
        }
        known[expression.index()]
    }

    /// Refuses an expression that may not hold rates, or may not hold accelerations.
    pub(super) fn limit_order(
        &mut self,
        expression: &Expression,
        value: ExprId,
        order: u8,
        what: &str,
    ) -> bool {
        let found = self.depends_on(value);
        if found.order <= order {
            return true;
        }
        let (kind, help) = if found.order == 1 {
            ("rates", "write it in coordinates")
        } else {
            ("accelerations", "write it in coordinates and rates")
        };
        let message = format!("{what} depends on {kind}");
        self.scope.refuse_whole(expression, "E0410", message, help);
        false
    }

    /// The symbols of one order that some expressions depend on, by coordinate.
    fn variables(&self, expressions: &[ExprId], order: Order) -> Vec<(usize, SymbolId)> {
        let graph = &self.scope.graph;
        let symbols = Cone::new(graph, expressions).symbols(graph);
        let variable = |symbol: SymbolId| match self.places.places.get(symbol.index())? {
            Some((found, i)) if *found == order => Some((*i, symbol)),
            _ => None,
        };
        let mut variables: Vec<_> = symbols.into_iter().filter_map(variable).collect();
        variables.sort_unstable();
        variables
    }

    /// Derivative of one expression by the symbols of one order, zeros left out.
    pub(super) fn sparse_gradient(&mut self, expression: ExprId, order: Order) -> Sparse {
        let (places, symbols): (Vec<usize>, Vec<SymbolId>) =
            self.variables(&[expression], order).into_iter().unzip();
        let slopes = gradient(self.graph(), expression, &symbols);
        let zero = self.graph().integer(0);
        places
            .into_iter()
            .zip(slopes)
            .filter(|&(_, slope)| slope != zero)
            .collect()
    }

    /// An expression that is linear in the symbols of one order, for every value of them: its coefficients, zeros left
    /// out, and the rest; `None` if it is not.
    pub(super) fn linear_in(
        &mut self,
        expression: ExprId,
        order: Order,
    ) -> Option<(Sparse, ExprId)> {
        let (places, symbols): (Vec<usize>, Vec<SymbolId>) =
            self.variables(&[expression], order).into_iter().unzip();
        let found = affine(self.graph(), expression, &symbols)?;
        let zero = self.graph().integer(0);
        let slopes = places.into_iter().zip(found.slopes);
        let slopes = slopes.filter(|&(_, slope)| slope != zero).collect();
        Some((slopes, found.rest))
    }

    /// Derivatives of some expressions by the rates they depend on, and which these are.
    pub(super) fn by_rates(&mut self, expressions: &[ExprId]) -> (Jacobian, Vec<usize>) {
        let (places, symbols): (Vec<usize>, Vec<SymbolId>) = self
            .variables(expressions, Order::Rates)
            .into_iter()
            .unzip();
        (jacobian(self.graph(), expressions, &symbols), places)
    }

    /// An expression with the symbols of one order put to zero.
    pub(super) fn without(&mut self, expression: ExprId, order: Order) -> ExprId {
        let zero = self.graph().integer(0);
        let replacements: Vec<(ExprId, ExprId)> = self
            .variables(&[expression], order)
            .into_iter()
            .map(|(_, symbol)| (self.scope.graph.symbol_node(symbol), zero))
            .collect();
        substitute(self.graph(), &[expression], &replacements)[0]
    }

    /// d/dt of expressions along the motion, without the terms that hold q''.
    pub(super) fn rate_at_rest(&mut self, expressions: &[ExprId]) -> Vec<ExprId> {
        let Self { scope, symbols, .. } = self;
        let one = scope.graph.integer(1);
        forward(&mut scope.graph, expressions, |graph, symbol| {
            if symbol == symbols.time {
                return Some(one);
            }
            let data = graph.symbol_data(symbol);
            if data.kind != SymbolKind::Coordinate || data.order > 0 {
                return None;
            }
            Some(graph.derivative_of(symbol, 1))
        })
    }
}
