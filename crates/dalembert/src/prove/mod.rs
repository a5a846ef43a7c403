//! Are these the equations of a model? Each is proved, refuted with a counterexample, or neither.
//!
//! An equation is *proved* if it holds for every motion of the model: put on the surface of the constraints, it is a
//! combination of the equations of motion, and what is left is zero in the normal form. It is *refuted* by one state that
//! meets the constraints at which its sides differ, and the terms that differ are named. Else it is *not proved*, and why.
//!
//! ```text
//! text ─read_equations─▶ Equations ─prove─▶ Proof
//! ```

mod alone;
mod constant;
mod direction;
mod file;
mod ideal;
mod lambda;
mod numbers;
mod open;
mod program;
mod reduced_motion;

pub use file::{Equation, Equations, Language, read_equations, read_equations_at_start};
pub use numbers::{Counterexample, Tried};

pub use dalembert_symbolic::surface::Branch;

use alone::Alone;
use dalembert_expr::normal::{Fraction, Limits, Outside};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};
use dalembert_symbolic::surface::{Unsolved, Witnesses};
use numbers::{Described, Numbers, Samples};
use open::Open;
use reduced_motion::{LIMITS, Reduced, ReducedMotion, length};

const LAWFUL: &str =
    "it does not follow from the equations of motion with the reactions of its laws left open";
const NO_VALUE: &str = "a division by zero, or a function outside its domain";
/// States near the start at which a surface must hold.
const STATES: usize = 6;
/// Longest difference that is worth reading, in terms, and how much is done to find it.
const MAX_TERMS: usize = 200;
const SHORT: Limits = Limits {
    terms: 10_000,
    steps: 500_000,
};

/// For which values of the parameters an equation is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For all.
    All,
    /// For those that are written in others as the model writes them.
    AsWritten,
    /// For the model's values.
    Values,
}

/// What is known about an equation.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds for every motion.
    Proved(Scope),
    /// It does not hold.
    Refuted {
        /// A state where it does not.
        counterexample: Box<Counterexample>,
        /// Left minus right side, less a multiple of an equation of motion; `None` if that is too large.
        difference: Option<ExprId>,
    },
    /// Neither.
    NotProved {
        /// Why not.
        why: String,
        /// How far it holds in numbers.
        tried: Tried,
    },
}

/// What is known about all equations of a file.
pub struct Proof {
    /// By equation.
    pub verdicts: Vec<Verdict>,
    /// By equation, what must not be zero where its proof holds: arguments of signs, in the language of models.
    pub nonzero: Vec<Vec<String>>,
    /// How many accelerations, and how many multipliers, the proved equations leave open together with the constraints;
    /// `None` if that is not known.
    pub left_open: Option<[usize; 2]>,
    /// Where the rows of the model have several branches: those of the start, for which the proofs hold.
    pub branches: Vec<Branch>,
    /// Whether the start is a change point: rows depend on each other there that do not elsewhere.
    pub change_point: bool,
    /// Holds the differences and the branches.
    pub graph: Graph,
}

impl Proof {
    /// Whether all equations are proved.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut verdicts = self.verdicts.iter();
        verdicts.all(|verdict| matches!(verdict, Verdict::Proved(_)))
    }
}

/// Proves equations about the motions of a mechanism on the branch of its start, or refutes them at states around it.
#[must_use]
pub fn prove(mechanism: &Mechanism, start: &State, equations: &Equations) -> Proof {
    let around = mechanism.states_around(start, STATES);
    let witnesses = Witnesses::new(mechanism, start, &around);
    let begin = Begin::new(mechanism, start, &around);
    let mut work = Work::new(mechanism, equations, (&witnesses, &begin));
    let described = match &work.free {
        Ok(motion) => {
            let unique = motion.unique_multipliers();
            Described::Wholly(motion.surface(), &motion.graph, unique)
        }
        Err(Open::Surface(Unsolved::OnAnotherBranch) | Open::ChangePoint) => Described::Elsewhere,
        Err(_) => Described::Not,
    };
    let samples = Samples::new(mechanism, (start, &begin), described, &witnesses);
    let (mut verdicts, mut nonzero) = (Vec::new(), Vec::new());
    let mut reduced = Some(Vec::new());
    for equation in &equations.list {
        let (verdict, beside) = work.verdict(equation, &samples);
        nonzero.push(beside);
        if let Verdict::Proved(scope) = verdict {
            let known = work.reduced(equation, scope);
            reduced = reduced.zip(known).map(|(mut all, known)| {
                all.extend(known);
                all
            });
        }
        verdicts.push(verdict);
    }
    let left_open = match (&work.free, reduced) {
        (Ok(motion), Some(reduced)) => motion.left_open(&reduced).ok(),
        _ => None,
    };
    let (graph, branches) = match work.free {
        Ok(motion) => {
            let branches = motion.surface().branches.clone();
            (motion.graph, branches)
        }
        Err(_) => (Graph::new(), Vec::new()),
    };
    Proof {
        verdicts,
        nonzero,
        left_open,
        branches,
        change_point: begin.change_point,
        graph,
    }
}

/// The motion at the start.
struct Begin {
    /// `None` where there is none.
    snapshot: Option<Snapshot>,
    /// Whether rows depend on each other there that do not around it.
    change_point: bool,
}

impl Begin {
    fn new(mechanism: &Mechanism, start: &State, around: &[State]) -> Self {
        let snapshot = mechanism.motion(start).ok();
        let rank = |snapshot: &Snapshot| snapshot.rank;
        let own = snapshot.as_ref().map(rank);
        let others = around
            .iter()
            .filter_map(|state| mechanism.motion(state).ok());
        let most = others.map(|snapshot| rank(&snapshot)).max();
        Self {
            change_point: own.zip(most).is_some_and(|(own, most)| own < most),
            snapshot,
        }
    }
}

/// What keeps an equation from following from the motion.
enum Left {
    /// Nothing, where some expressions are not zero.
    Nothing(Vec<ExprId>),
    /// A component, and what is left of it.
    Component(usize, ExprId),
}

/// A motion with parameters put in, once it was asked for; `None` inside if there is nothing to put in.
type Restricted = Option<Option<Result<ReducedMotion, Open>>>;

/// The motion with parameters left free, and with less and less freedom.
struct Work<'m> {
    mechanism: &'m Mechanism,
    equations: &'m Equations,
    witnesses: &'m Witnesses<'m>,
    begin: &'m Begin,
    free: Result<ReducedMotion, Open>,
    /// As written, and with the model's values.
    restricted: [Restricted; 2],
    alone: Option<Alone>,
}

impl<'m> Work<'m> {
    fn new(
        mechanism: &'m Mechanism,
        equations: &'m Equations,
        (witnesses, begin): (&'m Witnesses<'m>, &'m Begin),
    ) -> Self {
        let mut work = Self {
            mechanism,
            equations,
            witnesses,
            begin,
            free: Err(Open::Undetermined),
            restricted: [None, None],
            alone: None,
        };
        work.free = work.on_branch(&equations.graph, &[]);
        work
    }

    /// The motion on the branch of the start, with parameters put in.
    fn on_branch(&self, graph: &Graph, fixed: &[(ExprId, ExprId)]) -> Result<ReducedMotion, Open> {
        let system = &self.mechanism.system;
        let mut motion = ReducedMotion::new(graph, system, fixed, self.witnesses)?;
        let begin = self.begin.snapshot.as_ref();
        let begin = begin.filter(|_| self.begin.change_point);
        match begin.is_some_and(|begin| motion.is_left_by(self.mechanism, begin)) {
            true => Err(Open::ChangePoint),
            false => Ok(motion),
        }
    }

    /// What is known about an equation, and what must not be zero where it is proved.
    fn verdict(&mut self, equation: &Equation, samples: &Samples) -> (Verdict, Vec<String>) {
        let everywhere = |verdict| (verdict, Vec::new());
        let tried = match samples.ask(&self.equations.graph, equation) {
            Numbers::Equal(tried) => tried,
            Numbers::Different {
                component,
                counterexample,
            } => {
                return everywhere(Verdict::Refuted {
                    difference: self.difference(equation.sides[component]),
                    counterexample,
                });
            }
        };
        let mut why = None;
        if tried.states == 0 && samples.is_ambiguous(&self.equations.graph, equation) {
            // A sum of such multipliers may still follow.
            why = Some(Open::NotUnique.to_string());
        } else if tried.states == 0 && tried.found > 0 {
            // Cleared of its denominators, which vanish on every motion, 0/0 = 42 would follow.
            let why = NO_VALUE.to_owned();
            return everywhere(Verdict::NotProved { why, tried });
        }
        for scope in [Scope::All, Scope::AsWritten, Scope::Values] {
            match self.follows(equation, scope) {
                Some(Ok(Left::Nothing(nonzero))) => {
                    let Some(Ok(motion)) = self.motion(scope) else {
                        continue;
                    };
                    // A sign whose argument vanishes where the system moves is no unit.
                    if samples.never_vanish(&motion.graph, &nonzero) {
                        let text = |&id: &ExprId| print_one(&motion.graph, id, Format::Model);
                        return (Verdict::Proved(scope), nonzero.iter().map(text).collect());
                    }
                }
                // A difference that the sides are too large to show.
                Some(Ok(Left::Component(component, rest))) => {
                    let sides = (&self.equations.graph, equation.sides[component]);
                    let Some(Ok(motion)) = self.motion(scope) else {
                        continue;
                    };
                    if let Some(counterexample) = samples.refute(sides, (&motion.graph, rest)) {
                        return everywhere(Verdict::Refuted {
                            difference: self.difference(sides.1),
                            counterexample,
                        });
                    }
                    let lawful = motion.is_lawful();
                    why = why.or_else(|| match lawful {
                        true => Some(LAWFUL.to_owned()),
                        false => Some(undecided(sides.0, sides.1)),
                    });
                }
                Some(Err(_)) if scope == Scope::All && self.follows_alone(equation) => {
                    return everywhere(Verdict::Proved(scope));
                }
                Some(Err(open)) => why = why.or(Some(open.to_string())),
                None => {}
            }
        }
        everywhere(Verdict::NotProved {
            why: why.unwrap_or_else(|| undecided(&self.equations.graph, equation.sides[0])),
            tried,
        })
    }

    /// What keeps an equation from following from the motion; `None` if that was asked before.
    fn follows(&mut self, equation: &Equation, scope: Scope) -> Option<Result<Left, Open>> {
        let motion = match self.motion(scope)? {
            Ok(motion) => motion,
            Err(open) => return Some(Err(open.clone())),
        };
        let mut nonzero = Vec::new();
        for (component, &(left, right)) in equation.sides.iter().enumerate() {
            motion.field.set_limits(LIMITS);
            let rest = motion.rest(left, right);
            let beside = |rest: &Fraction| motion.field.vanishes_beside_signs(rest);
            match rest.and_then(|rest| Ok((beside(&rest)?, rest))) {
                Ok((Some(arguments), _)) => {
                    for argument in &arguments {
                        let argument = motion.field.to_graph(&mut motion.graph, argument);
                        nonzero.push(motion.thawed(argument));
                    }
                }
                Ok((None, rest)) => {
                    let rest = motion.field.to_graph(&mut motion.graph, &rest);
                    return Some(Ok(Left::Component(component, rest)));
                }
                Err(open) => return Some(Err(open)),
            }
        }
        nonzero.sort_unstable();
        nonzero.dedup();
        Some(Ok(Left::Nothing(nonzero)))
    }

    /// Whether an equation follows without the whole motion.
    fn follows_alone(&mut self, equation: &Equation) -> bool {
        let solvable = !matches!(self.free, Err(Open::Surface(_) | Open::ChangePoint));
        let witnesses = solvable.then_some(self.witnesses);
        let new = || Alone::new(&self.equations.graph, &self.mechanism.system, witnesses);
        let alone = self.alone.get_or_insert_with(new);
        let mut sides = equation.sides.iter();
        sides.all(|&(left, right)| alone.follows(left, right))
    }

    /// The motion with parameters put in; `None` if there is nothing to put in that was not before.
    fn motion(&mut self, scope: Scope) -> Option<&mut Result<ReducedMotion, Open>> {
        let slot = match scope {
            Scope::All => return Some(&mut self.free),
            Scope::AsWritten => 0,
            Scope::Values => 1,
        };
        if self.restricted[slot].is_none() {
            self.restricted[slot] = Some(self.restricted(scope));
        }
        self.restricted[slot].as_mut()?.as_mut()
    }

    fn restricted(&self, scope: Scope) -> Option<Result<ReducedMotion, Open>> {
        let system = &self.mechanism.system;
        let mut graph = self.equations.graph.clone();
        let order = system.parameter_order.iter();
        let worth = order.map(|&i| {
            let symbol = graph.symbol_node(system.symbols.parameters[i]);
            (symbol, system.parameters[i])
        });
        let wanted =
            |&(_, value): &(ExprId, ExprId)| scope == Scope::Values || !is_number(&graph, value);
        let fixed: Vec<(ExprId, ExprId)> = worth.filter(wanted).collect();
        // A surface that is too large does not become small by numbers.
        let too_large = Open::Surface(Unsolved::Outside(Outside::TooLarge));
        if fixed.is_empty() || self.free.as_ref().err() == Some(&too_large) {
            return None;
        }
        let fixed = settled(&mut graph, fixed);
        Some(self.on_branch(&graph, &fixed))
    }

    /// A proved equation as it is reduced with free parameters.
    fn reduced(&mut self, equation: &Equation, scope: Scope) -> Option<Vec<Reduced>> {
        let motion = self.free.as_mut().ok().filter(|_| scope == Scope::All)?;
        let mut reduced = Vec::new();
        for &(left, right) in &equation.sides {
            motion.field.set_limits(LIMITS);
            match motion.reduced(left, right) {
                Ok(one) => reduced.push(one),
                // Not counted: what it determines is not asked.
                Err(Open::NotLinear) => {}
                Err(_) => return None,
            }
        }
        Some(reduced)
    }

    /// What is wrong with an equation, in as few terms as are found; nothing if they are many.
    fn difference(&mut self, (left, right): (ExprId, ExprId)) -> Option<ExprId> {
        let rates = &self.mechanism.system.symbols.rates;
        let motion = self.free.as_mut().ok()?;
        motion.field.set_limits(SHORT);
        let equation = motion.reduced(left, right);
        let best = match equation {
            Ok(equation) => shortest(motion, &equation)?,
            Err(Open::NotLinear) => motion.rest(left, right).ok()?,
            Err(_) => return None,
        };
        (length(&best) <= MAX_TERMS).then(|| motion.written(&best, rates))
    }
}

/// An equation less a right one, with which it has the most in common.
fn shortest(motion: &mut ReducedMotion, equation: &Reduced) -> Option<Fraction> {
    let mut candidates: Vec<Fraction> = motion.remainder(equation).into_iter().collect();
    // What speaks of no accelerations is told what it should be without them.
    let speaks = |row: &&Reduced| !equation.speaks_only_of_states(row.accelerations.len());
    for row in motion.rows().iter().filter(speaks) {
        let pairs = equation.accelerations.iter().zip(&row.accelerations);
        let pairs = pairs.chain([(&equation.rest, &row.rest)]);
        for (part, of_row) in pairs.filter(|(a, b)| !a.is_zero() && !b.is_zero()) {
            let less = less(motion, equation, row, (part, of_row));
            candidates.extend(less.and_then(|less| motion.whole(&less).ok()));
        }
    }
    candidates.into_iter().min_by_key(length)
}

/// An equation less the multiple of a row of the motion that takes one of its parts away.
fn less(
    motion: &ReducedMotion,
    equation: &Reduced,
    row: &Reduced,
    (part, of_row): (&Fraction, &Fraction),
) -> Option<Reduced> {
    let field = &motion.field;
    let factor = field.div(part, of_row).ok()?;
    let minus = |a: &Fraction, b: &Fraction| field.sub(a, &field.mul(&factor, b).ok()?).ok();
    let pairs = equation.accelerations.iter().zip(&row.accelerations);
    Some(Reduced {
        accelerations: pairs.map(|(a, b)| minus(a, b)).collect::<Option<_>>()?,
        rest: minus(&equation.rest, &row.rest)?,
        coefficients: Vec::new(),
    })
}

/// Why nothing is known of sides that hold no unknown of which symbols could be solved for: the functions that exact algebra
/// knows too little of.
fn undecided(graph: &Graph, (left, right): (ExprId, ExprId)) -> String {
    let cone = Cone::new(graph, &[left, right]);
    let mut names: Vec<&str> = Vec::new();
    for &id in cone.nodes() {
        let name = match graph.node(id) {
            Node::Unary(Unary::Neg | Unary::Sqrt | Unary::Sin | Unary::Cos, _) => continue,
            Node::Unary(op, _) => op.name(),
            Node::Binary(op @ (Binary::Min | Binary::Max | Binary::Atan2), ..) => op.name(),
            Node::Binary(op, ..) if op.is_condition() => op.name(),
            _ => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => "it is outside what can be decided exactly".to_owned(),
        false => format!(
            "it is outside what can be decided exactly (it contains {})",
            names.join(", ")
        ),
    }
}

/// Whether no symbol occurs.
fn is_number(graph: &Graph, expression: ExprId) -> bool {
    Cone::new(graph, &[expression]).symbols(graph).is_empty()
}

/// Replacements, each after those its value is written in, with the earlier ones put in.
fn settled(graph: &mut Graph, replacements: Vec<(ExprId, ExprId)>) -> Vec<(ExprId, ExprId)> {
    let mut settled: Vec<(ExprId, ExprId)> = Vec::with_capacity(replacements.len());
    for (from, to) in replacements {
        let to = dalembert_expr::substitute(graph, &[to], &settled)[0];
        settled.push((from, to));
    }
    settled
}
