//! Constraints become rows.
//!
//! ```text
//! position      φ(q, t) = 0           A = ∂φ/∂q        b = −(φ' differentiated once more, without q'')
//! velocity      ψ(q, q', t) = 0       A = ∂ψ/∂q'       b = −(ψ' without q'')
//! acceleration  A q'' − b = 0         linear in q''
//! ```
//!
//! A row is left side minus right side as written, of a contact the larger side minus the smaller; its multiplier belongs to it as written.

use super::dependence::Order;
use super::inertia::add_component;
use super::{Lowering, Sparse};
use crate::elaborate::{Statement, Value};
use crate::ids::{ConstraintId, Id};
use crate::model::{Constraint, Expression};
use dalembert_expr::syntax::Relation;
use dalembert_expr::{ExprId, Form, simplify};

/// What a row speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Coordinates.
    Position,
    /// Rates.
    Velocity,
    /// Accelerations.
    Acceleration,
}

impl Level {
    /// How many times the coordinates it speaks of are differentiated by time.
    #[must_use]
    pub const fn derivatives(self) -> u8 {
        self as u8
    }

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
        }
    }
}

/// One of the rows of a system.
pub type RowId = Id<Row>;

/// One scalar equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `wire`, or `contact.0` for a component.
    pub name: String,
    /// Its constraint.
    pub constraint: ConstraintId,
    /// Which of the equations of that it comes from.
    pub equation: usize,
    /// What it speaks of.
    pub level: Level,
    /// φ, ψ, or the acceleration row itself.
    pub residual: ExprId,
    /// φ' of a position row, ψ of a velocity row: what must vanish at velocity level.
    pub rate: Option<ExprId>,
    /// Row of A.
    pub jacobian: Sparse,
    /// b.
    pub bias: ExprId,
    /// Whether a velocity row is linear in the rates; rows of the other levels are.
    pub linear: bool,
    /// Whether time occurs explicitly.
    pub rheonomic: bool,
    /// Whether the reaction of this row has no power at any velocity it allows: A q' = 0.
    pub powerless: bool,
    /// Whether the coordinates obey it by what they are: it has no reaction, and what holds its multiplier is not shown. Rows of
    /// identities stand before all others.
    pub identity: bool,
    /// Whether it is written in velocities, and held at position level.
    pub held: bool,
}

impl Row {
    /// The level that it is written at.
    #[must_use]
    pub const fn written(&self) -> Level {
        if self.held {
            Level::Velocity
        } else {
            self.level
        }
    }
}

/// What rows of one form have in common, beside their expressions: the slopes, b, and if there is one the rate.
pub(super) struct DerivedRow {
    /// The symbol of each slope, by its number in the form.
    columns: Vec<usize>,
    level: Level,
    linear: bool,
    rheonomic: bool,
    powerless: bool,
}

impl Lowering<'_> {
    pub(super) fn constraints(&mut self) {
        let model = self.model;
        for (index, constraint) in Id::enumerate(&model.constraints) {
            let ends = constraint.joint.iter();
            for height in ends.flat_map(|ends| &ends.heights) {
                self.stays_in_plane(height);
            }
            let told = self.scope.diagnostics.len();
            let residuals = self.equations_of(index);
            let read = residuals.is_some();
            if let Some(residuals) = residuals {
                let single = residuals.iter().flatten().count() == 1;
                let mut component = 0;
                for (equation, residuals) in residuals.into_iter().enumerate() {
                    // A component that is 0 = 0 is of the kind of the others: vel(P) = 0 in a plane has three velocity rows.
                    let orders = residuals.iter().map(|&it| self.depends_on(it).order);
                    let highest = orders.max().unwrap_or(0);
                    for residual in residuals {
                        let name = match single {
                            true => constraint.name.text.clone(),
                            false => format!("{}.{component}", constraint.name.text),
                        };
                        component += 1;
                        let of = (index, constraint, equation);
                        self.row(of, name, residual, highest);
                    }
                }
            }
            let understood = read && self.scope.diagnostics.len() == told;
            let nonideal = constraint
                .nonideal
                .as_ref()
                .and_then(|load| self.load(load));
            let mut nonideal = nonideal.unwrap_or_default();
            if let Some(work) = self.friction(index, constraint, understood) {
                let own: Vec<ExprId> = nonideal.iter().map(|&(_, value)| value).collect();
                let alone = !self.scope.holds_reaction(&own);
                self.frictions
                    .last_mut()
                    .expect("friction was just found")
                    .alone = alone;
                for (i, part) in work {
                    add_component(self.graph(), &mut nonideal, i, part);
                }
            }
            self.nonideal.push(nonideal);
        }
    }

    /// Joints of the plane say nothing of heights: what they connect must keep its own.
    fn stays_in_plane(&mut self, height: &Expression) {
        let Some(value) = self.scope.scalar(height) else {
            return;
        };
        if self.depends_on(value).motion {
            let message =
                "a joint in the plane connects what moves in the plane, and this moves along z too";
            let help = "leave z of the position constant, or write the joint as a constraint";
            self.scope.refuse_whole(height, "E0471", message, help);
        }
    }

    /// Left minus right, by components; of a contact the larger side minus the smaller.
    pub(super) fn residuals(&mut self, holds: &Expression) -> Option<Vec<ExprId>> {
        let (left, right) = match self.scope.statement(holds)? {
            Statement::Relation {
                relation: Relation::Equal | Relation::GreaterOrEqual,
                left,
                right,
            } => (left, right),
            Statement::Relation {
                relation: Relation::LessOrEqual,
                left,
                right,
            } => (right, left),
            Statement::Relation { .. } | Statement::Condition(_) => {
                let message =
                    "a constraint is an equation, or a comparison that its sides may be equal in";
                let help = "write =, >= or <= between the two sides";
                self.scope.refuse_whole(holds, "E0430", message, help);
                return None;
            }
            Statement::Value(_) => {
                let message = "a constraint is an equation";
                let help = "write … = 0";
                self.scope.refuse_whole(holds, "E0430", message, help);
                return None;
            }
        };
        let g = &mut self.scope.graph;
        let zero = g.integer(0);
        let differences = match (left.without_point(), right.without_point()) {
            (Value::Scalar(a), Value::Scalar(b)) => vec![g.sub(a, b)],
            (Value::Vector(a), Value::Vector(b)) => (0..3).map(|i| g.sub(a[i], b[i])).collect(),
            // `vel(P) = 0`: the zero vector.
            (Value::Vector(a), Value::Scalar(b)) if b == zero => a.to_vec(),
            (Value::Scalar(a), Value::Vector(b)) if a == zero => {
                b.iter().map(|&x| g.neg(x)).collect()
            }
            (left, right) => {
                let message = format!("the sides are {} and {}", left.kind(), right.kind());
                let help = "both sides are numbers, or both are vectors";
                self.scope.refuse_whole(holds, "E0402", message, help);
                return None;
            }
        };
        let form = Form::of(g, &differences);
        if let Some((again, ())) = self.copies.residuals.again(g, &form) {
            return Some(again);
        }
        let residuals = simplify(g, &differences);
        self.copies.residuals.keep(g, &form, &residuals, ());
        Some(residuals)
    }

    fn row(
        &mut self,
        (index, constraint, equation): (ConstraintId, &Constraint, usize),
        name: String,
        residual: ExprId,
        highest: u8,
    ) {
        let form = Form::of(&self.scope.graph, &[residual]);
        let graph = &mut self.scope.graph;
        if let Some((found, derived)) = self.copies.rows.again(graph, &form) {
            let (slopes, rest) = found.split_at(derived.columns.len());
            self.rows.push(Row {
                name,
                constraint: index,
                equation,
                level: derived.level,
                residual,
                rate: rest.get(1).copied(),
                jacobian: self.places.sparse(&form, &derived.columns, slopes),
                bias: rest[0],
                linear: derived.linear,
                rheonomic: derived.rheonomic,
                powerless: derived.powerless,
                identity: constraint.identity,
                held: false,
            });
            return;
        }
        let mut found = self.depends_on(residual);
        if residual == self.graph().integer(0) {
            found.order = highest;
        }
        let holds = constraint.equations().nth(equation);
        let holds = holds.unwrap_or(&constraint.holds);
        let own = match found.order {
            0 => Some(Order::Coordinates),
            1 => Some(Order::Rates),
            _ => None,
        };
        let what = format!("`{name}`");
        if own.is_some_and(|own| self.refuse_jumps_in_time(holds, residual, (&what, &[own]))) {
            return;
        }
        // Positions are differentiated twice, velocities once.
        let times = 2_u8.saturating_sub(found.order);
        if own.is_some() && self.refuse_rough_tables(holds, residual, (&what, times)) {
            return;
        }
        let (level, jacobian, bias, rate, linear) = match found.order {
            0 => {
                let jacobian = self.sparse_gradient(residual, Order::Coordinates);
                let rate = self.scope.rate(residual);
                let rest = self.rate_at_rest(&[rate])[0];
                let bias = self.graph().neg(rest);
                (Level::Position, jacobian, bias, Some(rate), true)
            }
            1 => {
                let found = self.linear_in(residual, Order::Rates);
                let linear = found.is_some();
                let jacobian = match found {
                    Some((slopes, _)) => slopes,
                    None => self.sparse_gradient(residual, Order::Rates),
                };
                let rest = self.rate_at_rest(&[residual])[0];
                let bias = self.graph().neg(rest);
                (Level::Velocity, jacobian, bias, Some(residual), linear)
            }
            2 => {
                let Some((jacobian, rest)) = self.linear_in(residual, Order::Accelerations) else {
                    let message = format!("`{name}` is not linear in the accelerations");
                    let help = "write a sum of accelerations times functions of coordinates and rates: in sign, abs, min, max or another function of an acceleration it is not linear for every value";
                    self.scope.refuse_whole(holds, "E0431", message, help);
                    return;
                };
                let bias = self.graph().neg(rest);
                (Level::Acceleration, jacobian, bias, None, true)
            }
            _ => {
                let message = format!("`{name}` holds a third derivative");
                let help = "a constraint speaks of coordinates, rates or accelerations";
                self.scope.refuse_whole(holds, "E0431", message, help);
                return;
            }
        };
        if let Some(n) = self.scope.graph.as_number(residual)
            && !n.is_zero()
        {
            let message = format!("`{name}` says {n} = 0");
            self.scope
                .refuse_whole(holds, "E0432", message, "check the two sides");
            return;
        }
        let powerless = match level {
            Level::Position => !found.time,
            Level::Velocity => {
                let at_rest = self.without(residual, Order::Rates);
                let at_rest = simplify(self.graph(), &[at_rest])[0];
                linear && at_rest == self.graph().integer(0)
            }
            Level::Acceleration => false,
        };
        let row = Row {
            name,
            constraint: index,
            equation,
            level,
            residual,
            rate,
            jacobian,
            bias,
            linear,
            rheonomic: found.time,
            powerless,
            identity: constraint.identity,
            held: false,
        };
        self.keep_row(&form, &row);
        self.rows.push(row);
    }

    /// Keeps how a row was derived, for others of its form.
    fn keep_row(&mut self, form: &Form, row: &Row) {
        let order = match row.level {
            Level::Position => Order::Coordinates,
            Level::Velocity => Order::Rates,
            Level::Acceleration => Order::Accelerations,
        };
        let places = row.jacobian.iter().map(|&(place, _)| place);
        // 0 = 0 is of the level of the other components of its vector, which its form does not say.
        let columns = self.places.among(form, order, places);
        let Some(columns) = columns.filter(|_| !form.symbols().is_empty()) else {
            return;
        };
        let slopes = row.jacobian.iter().map(|&(_, slope)| slope);
        let outputs: Vec<ExprId> = slopes.chain([row.bias]).chain(row.rate).collect();
        let derived = DerivedRow {
            columns,
            level: row.level,
            linear: row.linear,
            rheonomic: row.rheonomic,
            powerless: row.powerless,
        };
        let graph = &self.scope.graph;
        self.copies.rows.keep(graph, form, &outputs, derived);
    }
}
