//! From the names and texts of a model to expressions in one graph.
//!
//! Coordinates and their rates are the symbols everything is a function of; parameters are symbols
//! too. A speed is the expression of the rates it was defined as, so no graph below knows speeds.

mod attitude;
mod call;
mod choice;
mod measured;
mod names;
mod needs;
mod reaction;
mod shadow;
mod shape;
mod table;
mod tree;
mod value;

pub use attitude::Attitude;
pub(crate) use measured::Measured;
pub(crate) use names::name_of;
pub use names::{Declared, Names};
pub use needs::Need;
pub(crate) use reaction::{ReactionUse, holds_reaction, label};
pub use shadow::Target;
pub use shape::{MASS_CENTER, Weighed};
pub use value::{Value, Vector, VectorAlgebra};

use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Expression, MAX_SHOWN, Model};
use dalembert_expr::calculus::Rates;
use dalembert_expr::syntax::{Join, Relation, meant_or_known};
use dalembert_expr::table::Table;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind};
use needs::Needs;
use shadow::Shadows;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a point moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointMotion {
    /// Position.
    pub position: Vector,
    /// Velocity.
    pub velocity: Vector,
}

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyMotion {
    /// The mass centre.
    pub center: PointMotion,
    /// Attitude and angular velocity.
    pub attitude: Attitude,
}

/// What an expression says: a value, or a relation between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A value.
    Value(Value),
    /// Several comparisons joined, each after the parts that it is made of.
    Condition(Vec<Part>),
    /// A relation.
    Relation {
        /// What is said of the two sides.
        relation: Relation,
        /// The left side.
        left: Value,
        /// The right side.
        right: Value,
    },
}

/// A part of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Two numbers are compared.
    Compared(Relation, [ExprId; 2]),
    /// The two conditions before it.
    Joined(Join),
    /// The opposite of the condition before it.
    Not,
}

/// Resolves names and texts of one model; collects what is wrong.
pub struct Elaborator<'m> {
    /// All expressions.
    pub graph: Graph,
    /// What is wrong so far.
    pub diagnostics: Vec<Diagnostic>,
    model: &'m Model,
    names: Names,
    parameters: Vec<ExprId>,
    /// What each parameter is worth, in terms of others.
    worth: Vec<Option<ExprId>>,
    /// Parameters, each after those it is written in.
    parameter_order: Vec<usize>,
    definitions: Vec<Option<Value>>,
    /// What was read needs to have a value, and each definition.
    needs: Needs,
    of_definitions: Vec<Needs>,
    speeds: Vec<Option<ExprId>>,
    particles: Vec<Option<PointMotion>>,
    frames: Vec<Option<Attitude>>,
    /// Attitudes of bodies, known before their centres.
    attitudes: Vec<Option<Attitude>>,
    bodies: Vec<Option<BodyMotion>>,
    /// Masses, mass centres and inertias that shapes give.
    weighed: Vec<Option<Weighed>>,
    /// Named points of bodies, in body coordinates.
    points: Vec<BTreeMap<String, Vector>>,
    /// Reactions that were read.
    reactions: Vec<ReactionUse>,
    /// Whether a reaction may stand in what is read.
    lawful: bool,
    /// Derivatives along the motion that were asked for.
    rates: Rates,
    /// Whether energies and powers may: in conditions.
    measuring: bool,
    /// Energies and powers that were read: the symbol, the word, the name in parentheses, and where.
    measured: Vec<Measured>,
    /// Whether the rate of a reaction was asked for.
    rate_of_reaction: bool,
    /// Definitions, speeds and frames: the place of each after those it is written in.
    order: BTreeMap<Declared, usize>,
    shadows: Shadows,
    /// Whether particles and bodies are seen displaced by their shadows.
    casting: bool,
    /// Tables that were made.
    tables: Vec<Arc<Table>>,
}

impl<'m> Elaborator<'m> {
    /// Resolves everything that has a name.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        let mut graph = Graph::new();
        let names = model.parameters.iter().map(|(name, _)| &name.text);
        let parameters = names.map(|name| graph.symbol(name, SymbolKind::Parameter));
        let parameters: Vec<ExprId> = parameters.collect();
        // Coordinates come after them, in the order of the model.
        for (name, _) in &model.coordinates {
            graph.symbol(&name.text, SymbolKind::Coordinate);
        }
        let mut elaborator = Self {
            graph,
            diagnostics: Vec::new(),
            model,
            names: Names::of(model),
            parameters,
            worth: vec![None; model.parameters.len()],
            parameter_order: Vec::new(),
            definitions: vec![None; model.definitions.len()],
            needs: Needs::default(),
            of_definitions: vec![Needs::default(); model.definitions.len()],
            speeds: vec![None; model.speeds.len()],
            particles: vec![None; model.particles.len()],
            frames: vec![None; model.frames.len()],
            attitudes: vec![None; model.bodies.len()],
            bodies: vec![None; model.bodies.len()],
            weighed: vec![None; model.bodies.len()],
            points: vec![BTreeMap::new(); model.bodies.len()],
            reactions: Vec::new(),
            lawful: false,
            measuring: false,
            measured: Vec::new(),
            rate_of_reaction: false,
            rates: Rates::default(),
            order: BTreeMap::new(),
            shadows: Shadows::default(),
            casting: false,
            tables: Vec::new(),
        };
        match names::order(model, &elaborator.names) {
            Ok(order) => {
                let read_again = |(declared, _): &(Declared, usize)| {
                    matches!(
                        declared,
                        Declared::Definition(_) | Declared::Speed(_) | Declared::Frame(_)
                    )
                };
                elaborator.order = order.iter().copied().zip(0..).filter(read_again).collect();
                order
                    .into_iter()
                    .for_each(|declared| elaborator.declare(declared));
            }
            Err(circle) => elaborator.refuse_circle(&circle),
        }
        elaborator
    }

    fn declare(&mut self, declared: Declared) {
        let model = self.model;
        match declared {
            Declared::Coordinate(_) => {}
            Declared::Parameter(i) => {
                let expression = &model.parameters[i].1;
                self.worth[i] = self.scalar(expression);
                if let Some(worth) = self.worth[i]
                    && self.depends_on_motion(worth)
                {
                    let message = "a parameter depends on the motion or on time";
                    let help = "write it in other parameters, or move it to [definitions]";
                    self.refuse_whole(expression, "E0404", message, help);
                }
                self.parameter_order.push(i);
            }
            Declared::Definition(i) => {
                // A law may use it; where it is used otherwise, its reactions are refused there.
                let before = std::mem::take(&mut self.needs);
                self.definitions[i] = self.in_law(|it| it.value(&model.definitions[i].1));
                self.of_definitions[i] = std::mem::replace(&mut self.needs, before);
            }
            Declared::Speed(i) => self.speeds[i] = self.scalar(&model.speeds[i].1),
            Declared::Frame(i) => self.frames[i] = self.attitude(&model.frames[i].attitude),
            Declared::Particle(i) => {
                let position = self.vector(&model.particles[i].position);
                self.particles[i] = position.map(|position| self.point_motion(position));
            }
            Declared::Attitude(i) => {
                self.attitudes[i] = self.attitude(&model.bodies[i].attitude);
                if model.bodies[i].is_off_center() {
                    self.weighed(i);
                }
            }
            Declared::Body(i) => {
                let body = &model.bodies[i];
                let before = self.diagnostics.len();
                let center = self.vector(&body.center);
                let own = names::used(&body.center.tree).any(|name| name == body.name.text);
                if center.is_none() && own && self.diagnostics.len() == before {
                    let name = &body.name.text;
                    let message = format!("the centre of `{name}` is defined by itself");
                    let help =
                        format!("only its axes are known here: {name}.ex, {name}.ey, {name}.ez");
                    self.refuse_whole(&body.center, "E0401", message, help);
                }
                let attitude = self.attitudes[i];
                for (name, at) in &body.points {
                    let at = self.vector(at).map(|at| (name.text.clone(), at));
                    self.points[i].extend(at);
                }
                if let (Some(center), Some(attitude)) = (center, attitude) {
                    let center = self.point_motion(center);
                    self.bodies[i] = Some(BodyMotion { center, attitude });
                }
            }
        }
    }

    fn refuse_circle(&mut self, circle: &[Declared]) {
        let model = self.model;
        let name = |declared: &Declared| names::name_of(model, *declared).text.as_str();
        let mut chain: Vec<&str> = circle.iter().map(name).collect();
        chain.extend(chain.first().copied());
        let place = circle.first().map_or(Place::Model, |&first| {
            names::name_of(model, first).place.clone()
        });
        let (first, chain) = (chain[0], chain.join(" uses "));
        let message = format!("`{first}` is defined by itself: {chain}");
        let help = "write one of them without the others";
        self.report("E0401", place, message, help);
    }

    /// Position with its velocity along the motion.
    fn point_motion(&mut self, position: Vector) -> PointMotion {
        let velocity = self.rate3(position);
        PointMotion { position, velocity }
    }

    /// Derivative of a vector along the motion.
    pub fn rate3(&mut self, vector: Vector) -> Vector {
        let zero = self.graph.zero3();
        match self.rates.of(&mut self.graph, &vector) {
            Ok(rates) => [rates[0], rates[1], rates[2]],
            Err(_) => {
                self.rate_of_reaction = true;
                zero
            }
        }
    }

    /// Derivative of a number along the motion.
    pub fn rate(&mut self, scalar: ExprId) -> ExprId {
        let zero = self.graph.integer(0);
        self.rates.of(&mut self.graph, &[scalar]).map_or_else(
            |_| {
                self.rate_of_reaction = true;
                zero
            },
            |rates| rates[0],
        )
    }

    /// The expression of a parameter.
    #[must_use]
    pub fn parameters(&self) -> &[ExprId] {
        &self.parameters
    }

    /// What each parameter is worth, in terms of others; `None` where it was refused.
    #[must_use]
    pub fn worth(&self) -> &[Option<ExprId>] {
        &self.worth
    }

    /// Parameters, each after those it is written in.
    #[must_use]
    pub fn parameter_order(&self) -> &[usize] {
        &self.parameter_order
    }

    fn depends_on_motion(&self, id: ExprId) -> bool {
        let symbols = Cone::new(&self.graph, &[id]).symbols(&self.graph);
        let kind = |&symbol: &SymbolId| self.graph.symbol_data(symbol).kind;
        symbols
            .iter()
            .any(|symbol| kind(symbol) != SymbolKind::Parameter)
    }

    /// Speeds as expressions of the rates; `None` where one was refused.
    #[must_use]
    pub fn speeds(&self) -> &[Option<ExprId>] {
        &self.speeds
    }

    /// How a particle moves; `None` where it was refused.
    #[must_use]
    pub fn particle(&self, index: usize) -> Option<PointMotion> {
        self.particles[index]
    }

    /// How a body moves; `None` where it was refused.
    #[must_use]
    pub fn body(&self, index: usize) -> Option<&BodyMotion> {
        self.bodies[index].as_ref()
    }

    /// Attitude of a frame; `None` where it was refused.
    #[must_use]
    pub fn frame(&self, index: usize) -> Option<Attitude> {
        self.frames[index]
    }

    /// All names of the model.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Reports a mistake in a part of an expression.
    pub fn refuse(
        &mut self,
        expression: &Expression,
        span: std::ops::Range<usize>,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(code, expression.place(span), message, help);
    }

    /// Reports that an expression as a whole is wrong.
    pub fn refuse_whole(
        &mut self,
        expression: &Expression,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(code, expression.whole(), message, help);
    }

    /// Reports a mistake at a place.
    pub fn report(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let found = Diagnostic::error(code, place, message, help);
        self.diagnostics.push(found);
    }

    /// Whether the next mistake will be shown: one of many thousands needs no suggestion, which is
    /// looked for among all names.
    pub(crate) fn is_shown(&self) -> bool {
        self.diagnostics.len() < MAX_SHOWN
    }

    /// A suggestion for an unknown name, or what there is; `None` if there is nothing.
    pub(crate) fn did_you_mean<'c>(
        &self,
        name: &str,
        known: impl IntoIterator<Item = &'c str>,
    ) -> Option<String> {
        self.is_shown()
            .then(|| meant_or_known(name, known))
            .flatten()
    }

    /// What is known of a name that stands for nothing by itself, as that of a joint does, or what it was probably meant to be.
    fn known_of(&self, name: &str) -> String {
        if !self.is_shown() {
            return String::new();
        }
        let own = format!("{name}.");
        let parts: Vec<&str> = (self.names.all())
            .filter(|it| it.starts_with(&own))
            .collect();
        match parts.is_empty() {
            false => format!("known of {name}: {}", parts.join(", ")),
            true => {
                let known = self.names.all().chain(tree::BUILT_IN);
                meant_or_known(name, known).unwrap_or_default()
            }
        }
    }

    /// The value of an expression; `None` if something was wrong, which is then reported.
    pub fn value(&mut self, expression: &Expression) -> Option<Value> {
        match self.statement(expression)? {
            Statement::Value(value) => Some(value),
            Statement::Relation { .. } | Statement::Condition(_) => {
                let message = "a value is needed here, not an equation or comparison";
                let help = "write one of its sides, or their difference";
                self.refuse_whole(expression, "E0209", message, help);
                None
            }
        }
    }

    /// As [`Self::value`], where a number is needed.
    pub fn scalar(&mut self, expression: &Expression) -> Option<ExprId> {
        match self.value(expression)? {
            Value::Scalar(id) => Some(id),
            other => self.refuse_kind(expression, "a number", other),
        }
    }

    /// As [`Self::value`], where a vector is needed. A point is its position.
    pub fn vector(&mut self, expression: &Expression) -> Option<Vector> {
        let value = self.value(expression)?;
        match value.as_vector() {
            Some(vector) => Some(vector),
            None => self.refuse_kind(expression, "a vector", value),
        }
    }

    /// As [`Self::value`], where an attitude is needed. A frame or body is its attitude.
    pub fn attitude(&mut self, expression: &Expression) -> Option<Attitude> {
        let value = self.value(expression)?;
        match self.attitude_of(value) {
            Some(attitude) => Some(attitude),
            // A frame that was refused before is not refused again.
            None if matches!(value, Value::Frame(_) | Value::Body(_)) => None,
            None => self.refuse_kind(expression, "a rotation", value),
        }
    }

    fn attitude_of(&mut self, value: Value) -> Option<Attitude> {
        match value {
            Value::Attitude(attitude) => Some(attitude),
            Value::Frame(i) => self.frame_attitude(i),
            Value::Body(i) => self.body_attitude(i),
            Value::Ground => Some(Attitude::identity(&mut self.graph)),
            _ => None,
        }
    }

    fn refuse_kind<T>(&mut self, expression: &Expression, wanted: &str, found: Value) -> Option<T> {
        let help = match (wanted, found) {
            ("a vector", Value::Scalar(_)) => "write its three components: [a, b, c]",
            ("a number", Value::Vector(_)) => "take a component with .x, .y or .z, or its norm",
            ("a vector", Value::Particle(_) | Value::Body(_)) => "write pos(…) for its position",
            ("a rotation", _) => {
                "write rotations one after the other, Rz(psi) Rx(theta), a quaternion quat(q0, q1, q2, q3), or the rows of a matrix"
            }
            _ => "",
        };
        let message = format!("{wanted} is needed here, and this is {}", found.kind());
        self.refuse_whole(expression, "E0402", message, help);
        None
    }
}
