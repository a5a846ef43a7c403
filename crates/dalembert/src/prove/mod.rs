//! Are these the equations of a model? Each is proved, refuted with a counterexample, or neither.
//!
//! An equation is *proved* if it holds for every motion of the model: put on the surface of the constraints, it is a
//! combination of the equations of motion, and what is left is zero in the normal form. It is *refuted* by one state that
//! meets the constraints at which its sides differ, and the terms that differ are named. Else it is *not proved*, and why.
//!
//! ```text
//! text ─read_equations─▶ Equations ─prove─▶ Proof
//! ```

mod canonical;
mod direction;
mod file;
mod motion;
mod multipliers;
mod numbers;

pub use file::{Equation, Equations, Language, read_equations};
pub use numbers::Counterexample;

use dalembert_expr::normal::{Fraction, Limits};
use dalembert_expr::{ExprId, Graph};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::start::State;
use motion::{Motion, Open, Reduced, length};
use numbers::{Numbers, Samples};

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
        /// Number of states at which it holds.
        states: usize,
    },
}

/// What is known about all equations of a file.
pub struct Proof {
    /// By equation.
    pub verdicts: Vec<Verdict>,
    /// How many accelerations, and how many multipliers, the proved equations leave open together with the constraints;
    /// `None` if that is not known.
    pub left_open: Option<[usize; 2]>,
    /// Holds the differences.
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

/// Proves equations about a mechanism, or refutes them at states around `start`.
#[must_use]
pub fn prove(mechanism: &Mechanism, start: &State, equations: &Equations) -> Proof {
    let mut work = Work::new(mechanism, equations);
    let surface = work.free.as_ref().ok();
    let surface = surface.map(|motion| (motion.surface(), &motion.graph));
    let samples = Samples::new(mechanism, start, surface);
    let mut verdicts = Vec::new();
    let mut reduced = Some(Vec::new());
    for equation in &equations.list {
        let numbers = samples.ask(&equations.graph, equation);
        // What is proved holds, whatever rounding says.
        let verdict = match (work.proof(equation, &numbers), numbers) {
            (Ok(scope), _) => {
                let known = work.reduced(equation, scope);
                reduced = reduced.zip(known).map(|(all, known)| [all, known].concat());
                Verdict::Proved(scope)
            }
            (
                Err(_),
                Numbers::Different {
                    component,
                    counterexample,
                    ..
                },
            ) => Verdict::Refuted {
                difference: work.difference(equation.sides[component]),
                counterexample,
            },
            (Err(why), Numbers::Equal(states)) => Verdict::NotProved { why, states },
        };
        verdicts.push(verdict);
    }
    let left_open = match (&work.free, reduced) {
        (Ok(motion), Some(reduced)) => motion.left_open(&reduced).ok(),
        _ => None,
    };
    let graph = match work.free {
        Ok(motion) => motion.graph,
        Err(_) => Graph::new(),
    };
    Proof {
        verdicts,
        left_open,
        graph,
    }
}

/// The motion with parameters left free, and with less and less freedom.
struct Work<'m> {
    mechanism: &'m Mechanism,
    equations: &'m Equations,
    labels: Vec<String>,
    free: Result<Motion, Open>,
    as_written: Option<Result<Motion, Open>>,
    values: Option<Result<Motion, Open>>,
}

impl<'m> Work<'m> {
    fn new(mechanism: &'m Mechanism, equations: &'m Equations) -> Self {
        let rows = mechanism.system.rows.iter();
        let labels: Vec<String> = rows.map(|row| multipliers::label(&row.name)).collect();
        Self {
            free: Motion::new(&equations.graph, &mechanism.system, &[], &labels),
            mechanism,
            equations,
            labels,
            as_written: None,
            values: None,
        }
    }

    /// For which parameters an equation is proved, or why it is not. What differs in numbers is not proved for the
    /// model's values.
    fn proof(&mut self, equation: &Equation, numbers: &Numbers) -> Result<Scope, String> {
        let mut why = None;
        let scopes = [Scope::All, Scope::AsWritten, Scope::Values];
        let asked = match numbers {
            Numbers::Equal(_) => scopes.len(),
            Numbers::Different { .. } => 1,
        };
        for scope in scopes.into_iter().take(asked) {
            match self.follows(equation, scope) {
                Some(Ok(true)) => return Ok(scope),
                Some(Ok(false)) | None => {}
                Some(Err(open)) => why = why.or(Some(open.to_string())),
            }
        }
        Err(why.unwrap_or_else(|| "no normal form shows it".to_owned()))
    }

    /// Whether an equation follows from the motion; `None` if that was asked before.
    fn follows(&mut self, equation: &Equation, scope: Scope) -> Option<Result<bool, Open>> {
        let motion = match self.motion(scope)? {
            Ok(motion) => motion,
            Err(open) => return Some(Err(open.clone())),
        };
        for &(left, right) in &equation.sides {
            let zero = motion
                .rest(left, right)
                .and_then(|rest| motion.field.is_zero(&rest).map_err(Open::from));
            match zero {
                Ok(true) => {}
                other => return Some(other),
            }
        }
        Some(Ok(true))
    }

    /// The motion with parameters put in; `None` if there is nothing to put in that was not before.
    fn motion(&mut self, scope: Scope) -> Option<&mut Result<Motion, Open>> {
        let system = &self.mechanism.system;
        let mut graph = self.equations.graph.clone();
        let worth = |i: usize| {
            (
                graph.symbol_node(system.symbols.parameters[i]),
                system.parameters[i],
            )
        };
        let order = system.parameter_order.iter();
        let fixed: Vec<(ExprId, ExprId)> = match scope {
            Scope::All => return Some(&mut self.free),
            Scope::AsWritten => order
                .map(|&i| worth(i))
                .filter(|&(_, value)| !is_number(&graph, value))
                .collect(),
            Scope::Values => order.map(|&i| worth(i)).collect(),
        };
        if fixed.is_empty() {
            return None;
        }
        let slot = match scope {
            Scope::AsWritten => &mut self.as_written,
            _ => &mut self.values,
        };
        let labels = &self.labels;
        Some(slot.get_or_insert_with(|| {
            let fixed = settled(&mut graph, fixed);
            Motion::new(&graph, system, &fixed, labels)
        }))
    }

    /// A proved equation as it is reduced with free parameters.
    fn reduced(&mut self, equation: &Equation, scope: Scope) -> Option<Vec<Reduced>> {
        let motion = self.free.as_mut().ok().filter(|_| scope == Scope::All)?;
        let mut reduced = Vec::new();
        for &(left, right) in &equation.sides {
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
        let equation = motion.reduced(left, right);
        motion.field.set_limits(SHORT);
        let best = match equation {
            Ok(equation) => shortest(motion, &equation)?,
            Err(Open::NotLinear) => motion.rest(left, right).ok()?,
            Err(_) => return None,
        };
        (length(&best) <= MAX_TERMS).then(|| motion.written(&best, rates))
    }
}

/// An equation less a right one, with which it has the most in common.
fn shortest(motion: &mut Motion, equation: &Reduced) -> Option<Fraction> {
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
    motion: &Motion,
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

/// Whether no symbol occurs.
fn is_number(graph: &Graph, expression: ExprId) -> bool {
    dalembert_expr::Cone::new(graph, &[expression])
        .symbols(graph)
        .is_empty()
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
