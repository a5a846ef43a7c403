//! What expressions depend on, and their derivatives by that alone.
//!
//! An element of a large model depends on a few coordinates. Nothing here looks at the others, so
//! that lowering an element costs the size of the element.

use super::{Lowering, Sparse, Symbols};
use crate::model::Expression;
use dalembert_expr::calculus::{Jacobian, affine, forward, gradient, jacobian};
use dalembert_expr::{Cone, ExprId, Form, Node, SymbolId, SymbolKind, jump_argument, substitute};

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

/// What is known of a node and all below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traits {
    pub(super) dependence: Dependence,
    /// Whether something there jumps, or is a table.
    pub(super) jumps: bool,
    pub(super) has_tables: bool,
}

impl Lowering<'_> {
    /// Kinds and orders of the symbols in an expression.
    pub(super) fn depends_on(&self, expression: ExprId) -> Dependence {
        self.traits(expression).dependence
    }

    /// What is known of an expression. Operands come first, so that each node is looked at once, whatever the number of expressions.
    pub(super) fn traits(&self, expression: ExprId) -> Traits {
        let graph = &self.scope.graph;
        let mut known = self.traits.borrow_mut();
        for index in known.len()..=expression.index() {
            let node = graph.node_at(index);
            let mut found = Traits::default();
            for operand in node.operands() {
                let Traits {
                    dependence:
                        Dependence {
                            time,
                            motion,
                            order,
                        },
                    jumps,
                    has_tables,
                } = known[operand.index()];
                found.dependence.time |= time;
                found.dependence.motion |= motion;
                found.dependence.order = found.dependence.order.max(order);
                found.jumps |= jumps;
                found.has_tables |= has_tables;
            }
            found.has_tables |= matches!(node, Node::Table(..));
            found.jumps |= jump_argument(node).is_some();
            if let Node::Symbol(symbol) = node {
                let data = graph.symbol_data(symbol);
                found.dependence.time = data.kind == SymbolKind::Time;
                if data.kind == SymbolKind::Coordinate {
                    found.dependence.motion = true;
                    found.dependence.order = data.order;
                }
            }
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
