//! Walks an expression, children before parents, and gives each node its dimension.

use super::report::{How, Site, Source, Wanted};
use super::stated::dimension_of;
use super::unify::{Form, Outcome, Unifier, Unknown, one, over, plus, times, whole};
use crate::data::{DataColumn, TABLE};
use crate::diagnostic::Diagnostic;
use crate::elaborate::{Declared, MASS_CENTER, Names};
use crate::model::Model;
use crate::units::{Dimension, Exponent};
use dalembert_expr::syntax::{Argument, Arithmetic, CHOICE, Kind, Node, NodeId, Sign, Span, Tree};

/// What is known of a node.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    /// Its dimension; `None` fits any: bare numbers, their products, and what is no quantity.
    ///
    /// A bare number is an unknown of its own. As it occurs only once, whatever it multiplies is one
    /// too, and nothing need be written down for it.
    pub(super) form: Option<Form>,
    /// Its value, if it is made of plain numbers that can be an exponent.
    literal: Option<Exponent>,
    /// The part that shows the dimension best: the last term of a sum, a component of a vector.
    pub(super) witness: Span,
}

impl Measure {
    /// Nothing is known of what stands there.
    fn unknown(witness: Span) -> Self {
        Self {
            form: None,
            literal: None,
            witness,
        }
    }
}

/// What an expression says.
pub(super) enum Said {
    /// A value.
    Value(Measure),
    /// A relation, which has been taken into account, between sides of this dimension.
    Relation(Option<Form>),
}

/// A contradiction has been reported, or the work was too much.
pub(super) struct Stopped;

/// Collects what the expressions of a model say about dimensions.
pub(super) struct Inference<'m> {
    pub(super) model: &'m Model,
    pub(super) names: Names,
    pub(super) unifier: Unifier,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What settled each unknown.
    pub(super) sources: Vec<Option<Source<'m>>>,
    /// Dimensions of the constraints, as they are written.
    pub(super) rows: Vec<Vec<Option<Form>>>,
    /// Unknowns that alone were part of a contradiction: nothing more is said of them.
    pub(super) disputed: Vec<bool>,
}

impl<'m> Inference<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let unknowns = model.parameters.len()
            + model.definitions.len()
            + model.coordinates.len()
            + model.speeds.len()
            + model.forces.len();
        Self {
            model,
            names: Names::of(model),
            unifier: Unifier::new(unknowns),
            diagnostics: Vec::new(),
            sources: vec![None; unknowns],
            disputed: vec![false; unknowns],
            rows: Vec::new(),
        }
    }

    /// The unknown dimension of a declared quantity; `None` for things.
    pub(super) fn unknown(&self, declared: Declared) -> Option<Unknown> {
        let parameters = self.model.parameters.len();
        let definitions = parameters + self.model.definitions.len();
        let coordinates = definitions + self.model.coordinates.len();
        Some(Unknown(match declared {
            Declared::Parameter(i) => i,
            Declared::Definition(i) => parameters + i,
            Declared::Coordinate(i) => definitions + i,
            Declared::Speed(i) => coordinates + i,
            Declared::Particle(_)
            | Declared::Frame(_)
            | Declared::Attitude(_)
            | Declared::Body(_) => return None,
        }))
    }

    /// The dimension of a declared quantity; `None` for things, and where it is disputed.
    pub(super) fn form_of(&mut self, declared: Declared) -> Option<Form> {
        let unknown = self.unknown(declared)?;
        (!self.disputed[unknown.0]).then(|| self.unifier.value(unknown))
    }

    /// The dimension of the size of a force that holds a constraint; `None` for forces that are given.
    pub(super) fn size_of_force(&mut self, force: usize) -> Option<Form> {
        let name = &self.model.forces[force].name.text;
        let mut held = self.model.constraints.iter().flat_map(|it| &it.enforced_by);
        let holds = held.any(|by| by.text == *name);
        let sizes = self.sources.len() - self.model.forces.len();
        holds.then(|| self.unifier.value(Unknown(sizes + force)))
    }

    /// What an expression says; of which a dimension is wanted, if it is known. Each term of a sum and each component of a
    /// vector is held against that by itself, before the others: so the term that is wrong is told, and says
    /// nothing of the names beside it.
    pub(super) fn walk(
        &mut self,
        at: Site<'m>,
        wanted: Option<&Wanted<'_>>,
    ) -> Result<Said, Stopped> {
        let tree = &at.expression.tree;
        let wanted = wanted.filter(|wanted| self.known(&wanted.form).is_some());
        let terms = match wanted {
            Some(_) => terms(tree),
            None => Vec::new(),
        };
        let mut measures: Vec<Option<Measure>> = Vec::with_capacity(tree.nodes().len());
        for node in tree.nodes() {
            // Every node has one parent, which takes what it needs.
            let mut take = |id: NodeId| {
                let measure = measures[id.index()].take();
                measure.unwrap_or(Measure::unknown(tree[id].span))
            };
            if let Kind::Relation { left, right, .. } = &node.kind {
                let sides = [take(*left), take(*right)];
                let form = self.same(at, node.span, sides, How::of_relation(&node.kind))?;
                if measures.len() == tree.root().index() {
                    return Ok(Said::Relation(form));
                }
                // The condition of a choice.
                measures.push(None);
                continue;
            }
            if let Kind::Joined { .. } | Kind::Not(_) = &node.kind {
                if measures.len() == tree.root().index() {
                    return Ok(Said::Relation(None));
                }
                measures.push(None);
                continue;
            }
            let measure = self.measure(at, node, &mut take)?;
            if !self.unifier.spend(0) {
                return Err(Stopped);
            }
            if let Some(wanted) = wanted
                && terms[measures.len()]
            {
                self.equal(at, &measure, wanted)?;
            }
            measures.push(Some(measure));
        }
        let root = measures.pop().flatten().ok_or(Stopped)?;
        Ok(Said::Value(root))
    }

    /// The dimension of a node, made of those of its children.
    fn measure(
        &mut self,
        at: Site<'m>,
        node: &'m Node,
        take: &mut dyn FnMut(NodeId) -> Measure,
    ) -> Result<Measure, Stopped> {
        let mut literal = None;
        let mut witness = None;
        let form = match &node.kind {
            Kind::Number(number) => {
                let small = number.as_small();
                literal = small.and_then(|(p, q)| Exponent::new(p, q));
                None
            }
            Kind::Quantity { unit, .. } => dimension_of(unit).map(Form::known),
            Kind::Name { name, primes } => self.name(name, *primes),
            Kind::Text(_) => None,
            Kind::Signed { sign, operand } => {
                let operand = take(*operand);
                literal = match sign {
                    Sign::Plus => operand.literal,
                    Sign::Minus => operand.literal.and_then(|n| times(n, whole(-1))),
                };
                operand.form
            }
            Kind::Binary { op, left, right } => {
                let (left, right) = (take(*left), take(*right));
                literal = folded(*op, left.literal, right.literal);
                match op {
                    Arithmetic::Add | Arithmetic::Subtract => {
                        let how = match op {
                            Arithmetic::Add => How::Added,
                            _ => How::Subtracted,
                        };
                        let sum = self.together(at, node.span, [left, right], how)?;
                        witness = Some(sum.witness);
                        sum.form
                    }
                    Arithmetic::Multiply => self.product(left.form, right.form, one()),
                    Arithmetic::Divide => self.product(left.form, right.form, whole(-1)),
                    Arithmetic::Power => self.power(at, left, right)?,
                }
            }
            Kind::Vector(elements) => {
                let mut total = Measure::unknown(node.span);
                for &element in elements {
                    let both = [total, take(element)];
                    total = self.together(at, node.span, both, How::Vector)?;
                }
                witness = Some(total.witness);
                total.form
            }
            Kind::Call {
                function,
                arguments,
            } => {
                let given = arguments.iter().map(|argument| take(argument.value));
                let given: Vec<Measure> = given.collect();
                let call = Call {
                    function: &function.text,
                    arguments,
                    given,
                    span: node.span,
                };
                self.call(at, call)?
            }
            Kind::Member { of, name, primes } => {
                let point = self.is_point(&at.expression.tree, *of, &name.text);
                let of = take(*of);
                let form = match &*name.text {
                    _ if point => Some(Form::known(Dimension::LENGTH)),
                    "x" | "y" | "z" => of.form,
                    "ex" | "ey" | "ez" => Some(Form::known(Dimension::NONE)),
                    "center" | MASS_CENTER => Some(Form::known(Dimension::LENGTH)),
                    _ => None,
                };
                differentiated(form, *primes)
            }
            Kind::Sequence(items) => {
                items.iter().for_each(|&item| drop(take(item)));
                None
            }
            // Seen to where the tree is walked.
            Kind::Relation { .. } | Kind::Joined { .. } | Kind::Not(_) => None,
        };
        Ok(Measure {
            form,
            literal,
            witness: witness.unwrap_or(node.span),
        })
    }

    /// Whether it is a named point of a body.
    fn is_point(&self, tree: &Tree, of: NodeId, member: &str) -> bool {
        let body = match &tree[of].kind {
            Kind::Name { name, primes: 0 } => self.names.get(name),
            _ => None,
        };
        let Some(Declared::Body(index)) = body else {
            return false;
        };
        let mut points = self.model.bodies[index].points.iter();
        points.any(|(name, _)| name.text == member)
    }

    /// What terms of one sum, or components of one vector, have in common; shown by the last that has a dimension.
    fn together(
        &mut self,
        at: Site<'m>,
        span: Span,
        [first, next]: [Measure; 2],
        how: How,
    ) -> Result<Measure, Stopped> {
        let last = if next.form.is_some() { &next } else { &first };
        let witness = last.witness;
        let form = self.same(at, span, [first, next], how)?;
        Ok(Measure {
            form,
            ..Measure::unknown(witness)
        })
    }

    fn name(&mut self, name: &str, primes: u8) -> Option<Form> {
        let form = match (name, self.names.get(name)) {
            ("t", None) => Some(Form::known(Dimension::TIME)),
            ("pi", None) => Some(Form::known(Dimension::NONE)),
            ("energy" | "kinetic" | "potential", None) => Some(Form::known(Dimension::ENERGY)),
            (_, Some(declared)) => self.form_of(declared),
            (_, None) => None,
        };
        differentiated(form, primes)
    }

    /// left · right^power
    fn product(
        &mut self,
        left: Option<Form>,
        right: Option<Form>,
        power: Exponent,
    ) -> Option<Form> {
        let (left, right) = (left?, right?);
        // The shorter goes into the longer; only the power goes through all of it.
        let touched = match power == one() {
            true => left.len().min(right.len()),
            false => right.len(),
        };
        let more = self.unifier.spend(touched);
        more.then(|| left.mul_pow(right, power))?
    }

    fn power(
        &mut self,
        at: Site<'m>,
        base: Measure,
        exponent: Measure,
    ) -> Result<Option<Form>, Stopped> {
        if let Some(power) = exponent.literal {
            self.unifier.spend(base.form.as_ref().map_or(0, Form::len));
            return Ok(base.form.and_then(|form| form.pow(power)));
        }
        self.pure(at, exponent, "an exponent is a pure number")?;
        // Powers of pure numbers are pure; of others, nothing is known.
        let form = base.form.and_then(|form| self.unifier.reduce(form));
        Ok(form.filter(|form| form.dimension().is_some_and(|it| it.is_none())))
    }

    fn call(&mut self, at: Site<'m>, call: Call<'_>) -> Result<Option<Form>, Stopped> {
        let none = Some(Form::known(Dimension::NONE));
        let length = Form::known(Dimension::LENGTH);
        let (name, span) = (call.function, call.span);
        let mut given = call.given.into_iter();
        let (first, second) = (given.next(), given.next());
        if name == "quat" {
            for component in first.into_iter().chain(second).chain(given) {
                self.pure(
                    at,
                    component,
                    "the components of a quaternion are pure numbers",
                )?;
            }
            return Ok(None);
        }
        let Some(first) = first else {
            return Ok(None);
        };
        if name == TABLE {
            return self.table(at, call.arguments, second);
        }
        if name == CHOICE {
            return match (second, given.next()) {
                (Some(yes), Some(no)) => self.same(at, span, [yes, no], How::Chosen),
                _ => Ok(None),
            };
        }
        Ok(match (name, second) {
            ("sin" | "cos" | "tan" | "Rx" | "Ry" | "Rz", None) => {
                let needs = format!("{name} takes an angle");
                self.pure(at, first, &needs)?;
                none.filter(|_| !name.starts_with('R'))
            }
            ("asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "exp" | "log", None) => {
                let needs = format!("{name} takes a pure number");
                self.pure(at, first, &needs)?;
                none
            }
            ("sqrt", None) => {
                let half = over(one(), whole(2)).unwrap_or(one());
                first.form.and_then(|form| form.pow(half))
            }
            ("abs" | "norm" | "ramp", None) => first.form,
            ("sign" | "step", None) => none,
            ("min" | "max" | "atan2" | "smooth_sign" | "pulse", Some(second)) => {
                let both = [first, second];
                let form = self.same(at, span, both, How::Compared)?;
                match name {
                    "min" | "max" => form,
                    _ => none,
                }
            }
            ("dot" | "cross", Some(second)) => self.product(first.form, second.form, one()),
            ("pos" | "vel" | "acc", place) => {
                if let Some(place) = place
                    && call.arguments[1].name.is_some()
                {
                    let wanted = Wanted::known("a place is", Dimension::LENGTH);
                    self.equal(at, &place, &wanted)?;
                }
                let primes = match name {
                    "pos" => 0,
                    "vel" => 1,
                    _ => 2,
                };
                differentiated(Some(length), primes)
            }
            ("omega", None) => differentiated(none, 1),
            ("point", Some(place)) => {
                let wanted = Wanted::known("body coordinates are", Dimension::LENGTH);
                self.equal(at, &place, &wanted)?;
                Some(length)
            }
            _ => None,
        })
    }

    /// The dimension of a table's values; its argument has that of the first column.
    fn table(
        &mut self,
        at: Site<'m>,
        arguments: &[Argument],
        argument: Option<Measure>,
    ) -> Result<Option<Form>, Stopped> {
        let tree = &at.expression.tree;
        let text = |argument: &Argument| match &tree[argument.value].kind {
            Kind::Text(text) => Some(&**text),
            _ => None,
        };
        let option = |name: &str| {
            let named = |it: &&Argument| it.name.as_ref().is_some_and(|it| *it.text == *name);
            arguments.iter().find(named)
        };
        let file = arguments.first().and_then(text);
        let Some(columns) = file.and_then(|name| self.model.files.get(name)).cloned() else {
            return Ok(None);
        };
        let wanted = option("column").and_then(text);
        let is_wanted = |it: &&DataColumn| wanted.is_none_or(|wanted| it.name == wanted);
        let values = columns.iter().skip(1).find(is_wanted);
        let of_argument = columns[0].dimension;
        if let (Some(argument), Some(dimension)) = (argument, of_argument) {
            let what = format!("the column {} is", columns[0].name);
            let wanted = Wanted::known(&what, dimension);
            self.equal(at, &argument, &wanted)?;
        }
        let order = option("derivative").and_then(|it| match &tree[it.value].kind {
            Kind::Number(number) => number.as_integer(),
            _ => None,
        });
        let form = values.and_then(|it| it.dimension).map(Form::known);
        let by = of_argument.map(Form::known);
        Ok(match order.and_then(|n| i16::try_from(n).ok()) {
            None | Some(0) => form,
            Some(n) => form
                .zip(by)
                .and_then(|(form, by)| form.mul_pow(by, whole(-n))),
        })
    }

    /// Two that must have the same dimension; gives it.
    fn same(
        &mut self,
        at: Site<'m>,
        span: Span,
        [left, right]: [Measure; 2],
        how: How,
    ) -> Result<Option<Form>, Stopped> {
        let (a, b) = match (left.form, right.form) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return Ok(a.or(b)),
        };
        if a == b {
            return Ok(Some(a));
        }
        match self.require_same(a.clone(), b.clone(), at.source) {
            Outcome::Clash => {
                let witnesses = [(left.witness, a), (right.witness, b)];
                self.report_clash(at.expression, span, witnesses, how);
                Err(Stopped)
            }
            // Of two names for the same dimension, the shorter.
            _ if b.len() < a.len() => Ok(Some(b)),
            _ => Ok(Some(a)),
        }
    }

    /// A measure that must have the dimension that its place asks for.
    pub(super) fn equal(
        &mut self,
        at: Site<'m>,
        measure: &Measure,
        wanted: &Wanted<'_>,
    ) -> Result<(), Stopped> {
        let Some(form) = measure.form.clone() else {
            return Ok(());
        };
        match self.require_same(form.clone(), wanted.form.clone(), at.source) {
            Outcome::Clash => {
                let found = (measure.witness, form);
                self.report_wanted(at.expression, found, wanted);
                Err(Stopped)
            }
            _ => Ok(()),
        }
    }

    /// A measure that must be a pure number.
    pub(super) fn pure(
        &mut self,
        at: Site<'m>,
        measure: Measure,
        needs: &str,
    ) -> Result<(), Stopped> {
        let Some(form) = measure.form else {
            return Ok(());
        };
        let none = Form::known(Dimension::NONE);
        match self.require_same(form.clone(), none, at.source) {
            Outcome::Clash => {
                self.report_impure(at.expression, (measure.witness, form), needs);
                Err(Stopped)
            }
            _ => Ok(()),
        }
    }

    fn require_same(&mut self, a: Form, b: Form, source: Source<'m>) -> Outcome {
        let Some(quotient) = a.mul_pow(b, whole(-1)) else {
            return Outcome::GaveUp;
        };
        let outcome = self.unifier.require_none(quotient);
        if let Outcome::Settles(unknown) = outcome {
            self.sources[unknown.0] = Some(source);
        }
        outcome
    }
}

/// The nodes that have the dimension of the whole: terms of sums with their signs, components of vectors, values of choices, and these taken
/// apart again.
fn terms(tree: &Tree) -> Vec<bool> {
    let mut terms = vec![false; tree.nodes().len()];
    terms[tree.root().index()] = true;
    // Parents come after their children.
    for (index, node) in tree.nodes().iter().enumerate().rev() {
        if !terms[index] {
            continue;
        }
        let parts: Vec<NodeId> = match &node.kind {
            Kind::Binary {
                op: Arithmetic::Add | Arithmetic::Subtract,
                left,
                right,
            } => vec![*left, *right],
            Kind::Vector(elements) => elements.to_vec(),
            Kind::Call {
                function,
                arguments,
            } if *function.text == *CHOICE => {
                let values = arguments.iter().skip(1);
                values.map(|argument| argument.value).collect()
            }
            _ => continue,
        };
        parts.iter().for_each(|part| terms[part.index()] = true);
    }
    terms
}

/// A function with what it is called with.
struct Call<'a> {
    function: &'a str,
    arguments: &'a [Argument],
    given: Vec<Measure>,
    span: Span,
}

/// The value of an operation on plain numbers.
fn folded(op: Arithmetic, left: Option<Exponent>, right: Option<Exponent>) -> Option<Exponent> {
    let (left, right) = (left?, right?);
    match op {
        Arithmetic::Add => plus(left, right),
        Arithmetic::Subtract => plus(left, times(right, whole(-1))?),
        Arithmetic::Multiply => times(left, right),
        Arithmetic::Divide => over(left, right),
        Arithmetic::Power => None,
    }
}

/// The dimension of a derivative by time.
fn differentiated(form: Option<Form>, primes: u8) -> Option<Form> {
    match primes {
        0 => form,
        _ => form?.mul_pow(Form::known(Dimension::TIME), whole(-i16::from(primes))),
    }
}
