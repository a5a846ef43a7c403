//! From expressions to fractions.

use super::Outside;
use super::field::{Field, Fraction};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node};
use crate::op::{Binary, Unary};
use crate::rational::Rational;

impl Field {
    /// The normal form of an expression.
    ///
    /// # Errors
    /// The limits are reached, or the expression divides by zero.
    pub fn take(&mut self, graph: &Graph, expression: ExprId) -> Result<Fraction, Outside> {
        let taken = self.take_all(graph, &[expression]).pop();
        taken.unwrap_or(Err(Outside::Undefined))
    }

    /// The normal forms of several expressions, what they share being done once. Those that are outside
    /// do not keep the others from being taken.
    pub fn take_all(
        &mut self,
        graph: &Graph,
        expressions: &[ExprId],
    ) -> Vec<Result<Fraction, Outside>> {
        let mut taking = Taking::new(graph, expressions);
        // The order of generators, and so of terms in print, is the order of symbols in the graph.
        let mut symbols = taking.cone.symbols(graph);
        symbols.sort_unstable();
        if let Err(outside) = symbols.iter().try_for_each(|&s| self.symbol(s).map(|_| ())) {
            return expressions.iter().map(|_| Err(outside)).collect();
        }
        if let Err(outside) = taking.find_angles(self) {
            return expressions.iter().map(|_| Err(outside)).collect();
        }
        for place in 0..taking.cone.len() {
            taking.visit(self, place);
        }
        let of = |&id: &ExprId| match taking.cone.position(id) {
            Some(place) => taking.values[place].clone(),
            None => None,
        };
        expressions
            .iter()
            .map(|id| of(id).unwrap_or(Err(Outside::TooLarge)))
            .collect()
    }
}

/// The nodes below some expressions with what has been found about them.
struct Taking<'a> {
    graph: &'a Graph,
    cone: Cone,
    /// Until the last user has taken it away.
    values: Vec<Option<Result<Fraction, Outside>>>,
    visited: Vec<bool>,
    /// Users that have not been visited; an output has one more.
    users: Vec<u32>,
    /// Sums that are only a part of one larger sum.
    inner: Vec<bool>,
}

fn is_sum(node: Node) -> bool {
    matches!(
        node,
        Node::Unary(Unary::Neg, _) | Node::Binary(Binary::Add | Binary::Sub, _, _)
    )
}

fn is_of_angle(node: Node) -> bool {
    matches!(node, Node::Unary(Unary::Sin | Unary::Cos | Unary::Tan, _))
}

impl<'a> Taking<'a> {
    fn new(graph: &'a Graph, expressions: &[ExprId]) -> Self {
        let cone = Cone::new(graph, expressions);
        let users = cone.users(graph, expressions);
        let mut sums = vec![0; cone.len()];
        for &id in cone.nodes() {
            let node = graph.node(id);
            for operand in node.operands().filter(|_| is_sum(node)) {
                sums[cone.place(operand)] += 1;
            }
        }
        let inner = cone.nodes().iter().enumerate();
        let inner = inner
            .map(|(place, &id)| is_sum(graph.node(id)) && users[place] == 1 && sums[place] == 1)
            .collect();
        Self {
            graph,
            values: vec![None; cone.len()],
            visited: vec![false; cone.len()],
            users,
            inner,
            cone,
        }
    }

    /// Visits the angles that contain no angles, and lets the field choose a basis for them.
    fn find_angles(&mut self, field: &mut Field) -> Result<(), Outside> {
        let mut nested = vec![false; self.cone.len()];
        let mut wanted = vec![false; self.cone.len()];
        for (place, &id) in self.cone.nodes().iter().enumerate() {
            let node = self.graph.node(id);
            let operands = node.operands().map(|x| self.cone.place(x));
            nested[place] = is_of_angle(node) || operands.into_iter().any(|x| nested[x]);
            if let (true, Some(a)) = (is_of_angle(node), node.operands().next()) {
                let a = self.cone.place(a);
                wanted[a] |= !nested[a];
            }
        }
        let angles: Vec<usize> = (0..self.cone.len())
            .filter(|&place| wanted[place])
            .collect();
        for place in (0..self.cone.len()).rev() {
            if wanted[place] {
                for operand in self.graph.node(self.cone.nodes()[place]).operands() {
                    wanted[self.cone.place(operand)] = true;
                }
            }
        }
        for place in (0..self.cone.len()).filter(|&place| wanted[place]) {
            self.visit(field, place);
        }
        let mut polynomials = Vec::new();
        for place in angles {
            if let Some(Ok(fraction)) = &self.values[place] {
                polynomials.push(field.angle(&fraction.clone())?);
            }
        }
        field.prepare_angles(&polynomials)
    }

    fn visit(&mut self, field: &mut Field, place: usize) {
        if std::mem::replace(&mut self.visited[place], true) || self.inner[place] {
            return;
        }
        let id = self.cone.nodes()[place];
        let value = if is_sum(self.graph.node(id)) {
            self.sum(field, id)
        } else {
            self.operation(field, id)
        };
        self.values[place] = Some(value);
    }

    /// The value of an operand; the last user takes it away.
    fn operand(&mut self, id: ExprId) -> Result<Fraction, Outside> {
        let place = self.cone.place(id);
        self.users[place] = self.users[place].saturating_sub(1);
        let value = if self.users[place] == 0 {
            self.values[place].take()
        } else {
            self.values[place].clone()
        };
        value.unwrap_or(Err(Outside::TooLarge))
    }

    fn sum(&mut self, field: &Field, top: ExprId) -> Result<Fraction, Outside> {
        let is_open = |id| id == top || self.inner[self.cone.place(id)];
        let mut terms = Vec::new();
        for (id, negative) in self.graph.signed_terms(top, is_open) {
            let value = self.operand(id)?;
            terms.push(if negative { field.neg(&value) } else { value });
        }
        field.sum(&terms)
    }

    fn operation(&mut self, field: &mut Field, id: ExprId) -> Result<Fraction, Outside> {
        match self.graph.node(id) {
            Node::Number(n) => Ok(Fraction::number(self.graph.number_value(n).clone())),
            Node::Pi => field.pi(),
            Node::Symbol(symbol) => {
                let generator = field.symbol(symbol)?;
                let element = field.element(generator);
                Ok(Fraction::from(field.reduced(element.numerator)?))
            }
            Node::Unary(op, a) => {
                let a = self.operand(a)?;
                field.unary(op, &a)
            }
            Node::Table(table, a) => {
                let a = self.operand(a)?;
                field.table(self.graph.table_function(table), &a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                match op {
                    Binary::Add => field.add(&a, &b),
                    Binary::Sub => field.sub(&a, &b),
                    Binary::Mul => field.mul(&a, &b),
                    Binary::Div => field.div(&a, &b),
                    Binary::Pow => field.power(&a, &b),
                    Binary::Atan2 | Binary::Min | Binary::Max => field.function2(op, &a, &b),
                    Binary::Above | Binary::NotAbove => field.condition(op, &a, &b),
                }
            }
        }
    }
}

impl Field {
    /// A function of one argument.
    ///
    /// # Errors
    /// The limits are reached, or tan of a right angle is asked for.
    pub fn unary(&mut self, op: Unary, a: &Fraction) -> Result<Fraction, Outside> {
        match op {
            Unary::Neg => Ok(self.neg(a)),
            Unary::Sqrt => self.root(a, 2),
            Unary::Sin | Unary::Cos | Unary::Tan => {
                let angle = self.angle(a)?;
                let (sin, cos) = self.sine_and_cosine(&angle)?;
                match op {
                    Unary::Sin => Ok(Fraction::from(sin)),
                    Unary::Cos => Ok(Fraction::from(cos)),
                    _ => self.fraction(sin, cos),
                }
            }
            _ => self.function(op, a),
        }
    }

    /// An angle as a polynomial; what stands below the bar becomes generators.
    pub(super) fn angle(&mut self, a: &Fraction) -> Result<Polynomial, Outside> {
        if let Some(angle) = a.as_polynomial() {
            return Ok(angle.clone());
        }
        // n/(m p) with a monomial m is (q + r/p)/m, so that (x t + r y)/r is x t/r + y.
        let below = a.denominator.common_monomial();
        let rest = a.denominator.without_factor(&below, &Rational::ONE)?;
        let mut angle = a.numerator.clone();
        if !rest.is_one() {
            let (quotient, remainder) = angle.divided(&rest, &self.work)?;
            let over = Monomial::power(self.reciprocal(&rest)?, 1);
            let remainder = remainder.shifted(&over, &Rational::ONE)?;
            angle = quotient.plus(&remainder, &Rational::ONE, &self.work)?;
        }
        for (g, n) in below.powers() {
            let over = self.reciprocal(&Polynomial::generator(g))?;
            let mut total = Polynomial::zero();
            for (m, c) in &angle.terms {
                let (above, rest) = m.without(g);
                let left = Monomial::power(g, above.saturating_sub(n));
                let left = left.times(&Monomial::power(over, n.saturating_sub(above)))?;
                let term = Polynomial::term(rest.times(&left)?, c.clone());
                total = total.plus(&term, &Rational::ONE, &self.work)?;
            }
            angle = total;
        }
        Ok(angle)
    }
}
