//! What `prove` says: whether equations are those of the model.

use super::diagnostic::{Entry, entries, no_errors};
use super::text::{significant, wrapped};
use super::{Numbers, Report, named};
use crate::prove::{Counterexample, Equation, Proof, Scope, Tried, Verdict};
use dalembert_expr::print::{Format, print_one};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::{Diagnostic, Severity};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Digits of numbers.
const SHOWN: usize = 6;
/// Longest equation that is repeated in full; the file has it.
const MAX_SHOWN: usize = 100;
/// Characters of a line.
const LINE: usize = 115;

/// What is known about the equations of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProveReport {
    /// Equation by equation.
    pub equations: Vec<ProvedEquation>,
    /// Where the constraints have several branches, those of the start: the proofs hold there.
    pub branches: Vec<BranchReport>,
    /// Whether constraints depend on each other at the start that do not elsewhere.
    pub change_point: bool,
    /// Accelerations that the proved equations leave open together with the constraints, if that is known.
    pub open_accelerations: Option<usize>,
    /// Multipliers that they leave open.
    pub open_multipliers: Option<usize>,
    /// Whether all are proved, and determine the accelerations.
    pub equivalent: bool,
    /// What is wrong with lines that could not be read, then what else the reader should know; in the document where there is
    /// an error.
    #[serde(skip_serializing_if = "no_errors", serialize_with = "entries")]
    #[schemars(with = "Vec<Entry>")]
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the model has constraints.
    #[serde(skip)]
    is_constrained: bool,
}

/// What is known about an equation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProvedEquation {
    /// As written.
    pub text: String,
    /// Its line in the file.
    pub line: usize,
    /// "proved", "refuted" or "not proved".
    pub verdict: &'static str,
    /// For which values of the parameters it is proved: "all", "as written" or "values".
    pub parameters: Option<&'static str>,
    /// What must not be zero where it is proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nonzero: Vec<String>,
    /// Terms by which it differs from a right equation.
    pub difference: Option<String>,
    /// A state where it does not hold.
    pub counterexample: Option<CounterexampleReport>,
    /// Why it is neither proved nor refuted.
    pub why: Option<String>,
    /// States at which an equation that is not proved was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// How well it holds there, relative to its terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// States that were found to try it at.
    #[serde(skip)]
    found: usize,
}

/// A branch of the constraints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BranchReport {
    /// What holds on the branch of the start.
    pub start: String,
    /// What holds on the other.
    pub other: String,
}

/// A state where an equation does not hold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CounterexampleReport {
    /// Time.
    pub t: f64,
    /// q.
    pub coordinates: Numbers,
    /// q', by coordinate.
    pub rates: Numbers,
    /// q'', by coordinate.
    pub accelerations: Numbers,
    /// λ, by row.
    pub multipliers: Numbers,
    /// Value of the left side.
    pub left: f64,
    /// Value of the right side.
    pub right: f64,
    /// Their difference.
    pub difference: f64,
}

/// What was found of equations.
pub(crate) fn proved(
    mechanism: &Mechanism,
    equations: &[Equation],
    proof: &Proof,
    diagnostics: Vec<Diagnostic>,
) -> ProveReport {
    let text = |id| print_one(&proof.graph, id, Format::Model);
    let verdicts = proof.verdicts.iter().zip(&proof.nonzero);
    let entries = equations.iter().zip(verdicts);
    let entries = entries.map(|(equation, (verdict, nonzero))| {
        let mut entry = ProvedEquation {
            text: equation.text.clone(),
            line: equation.line,
            verdict: "proved",
            parameters: None,
            nonzero: nonzero.clone(),
            difference: None,
            counterexample: None,
            why: None,
            states: None,
            within: None,
            found: 0,
        };
        match verdict {
            Verdict::Proved(scope) => {
                entry.parameters = Some(match scope {
                    Scope::All => "all",
                    Scope::AsWritten => "as written",
                    Scope::Values => "values",
                });
            }
            Verdict::Refuted {
                counterexample,
                difference,
            } => {
                entry.verdict = "refuted";
                entry.difference = difference.map(text);
                entry.counterexample = Some(CounterexampleReport::new(mechanism, counterexample));
            }
            Verdict::NotProved { why, tried } => {
                let Tried {
                    found,
                    states,
                    within,
                    ..
                } = *tried;
                entry.verdict = "not proved";
                entry.why = Some(why.clone());
                (entry.found, entry.states, entry.within) = (found, Some(states), Some(within));
            }
        }
        entry
    });
    let branches = proof.branches.iter().map(|branch| BranchReport {
        start: format!("{} = {}", text(branch.left), text(branch.right)),
        other: format!("{} = 0", text(branch.other)),
    });
    let open = proof.left_open.map(|[accelerations, _]| accelerations);
    ProveReport {
        equations: entries.collect(),
        branches: branches.collect(),
        change_point: proof.change_point,
        open_accelerations: open,
        open_multipliers: proof.left_open.map(|[_, multipliers]| multipliers),
        equivalent: proof.is_complete() && open == Some(0),
        diagnostics,
        is_constrained: !mechanism.system.rows.is_empty(),
    }
}

impl CounterexampleReport {
    fn new(mechanism: &Mechanism, at: &Counterexample) -> Self {
        let names = || mechanism.coordinate_names();
        let rows = mechanism.system.rows.iter().map(|row| &row.name);
        let snapshot = &at.snapshot;
        Self {
            t: snapshot.state.t,
            coordinates: named(names(), &snapshot.state.coordinates),
            rates: named(names(), &snapshot.state.rates),
            accelerations: named(names(), &snapshot.accelerations),
            multipliers: named(rows, &snapshot.multipliers),
            left: at.left,
            right: at.right,
            difference: at.difference,
        }
    }

    /// The state in one line: coordinates, rates, and time if it matters.
    fn place(&self) -> String {
        let shown = |value: f64| significant(value, SHOWN);
        let time = (self.t != 0.0).then(|| format!("t = {}", shown(self.t)));
        let coordinates = self.coordinates.iter();
        let coordinates = coordinates.map(|(name, value)| format!("{name} = {}", shown(*value)));
        let rates = self.rates.iter();
        let rates = rates.map(|(name, value)| format!("{name}' = {}", shown(*value)));
        let parts: Vec<String> = time.into_iter().chain(coordinates).chain(rates).collect();
        parts.join(", ")
    }

    /// Values of both sides, in as many digits as tell them apart.
    fn sides(&self) -> String {
        let shown = |digits| [self.left, self.right].map(|value| significant(value, digits));
        let mut all = [SHOWN, 10, 13, 16].into_iter().map(shown);
        match all.find(|[left, right]| left != right) {
            Some([left, right]) => format!("left {left}, right {right}"),
            None => {
                let both = significant(self.left, 16);
                let difference = significant(self.difference, SHOWN);
                format!("left and right {both}, which differ by {difference}")
            }
        }
    }
}

impl ProveReport {
    /// Whether all equations are proved.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.count("proved") == self.equations.len() && no_errors(&self.diagnostics)
    }

    fn count(&self, verdict: &str) -> usize {
        let all = self.equations.iter();
        all.filter(|equation| equation.verdict == verdict).count()
    }

    /// What the equations are together.
    fn summary(&self) -> String {
        let proved = self.count("proved");
        let mut counts = format!("{proved} proved");
        for verdict in ["refuted", "not proved"] {
            match self.count(verdict) {
                0 => {}
                n => counts += &format!(", {n} {verdict}"),
            }
        }
        let errors = self.diagnostics.iter();
        match errors.filter(|it| it.severity == Severity::Error).count() {
            0 => {}
            1 => counts += ", one mistake in what could not be read",
            n => counts += &format!(", {n} mistakes in what could not be read"),
        }
        let constraints = match self.is_constrained {
            true => " with the constraints",
            false => "",
        };
        let open = match self.open_accelerations {
            Some(0) => {
                "determine the accelerations at almost every state, as the model does".to_owned()
            }
            Some(1) => "leave one acceleration open".to_owned(),
            Some(left) => format!("leave {left} accelerations open"),
            None => return counts,
        };
        match proved {
            0 => counts,
            _ => format!("{counts}; together{constraints} the proved ones {open}"),
        }
    }
}

impl Report for ProveReport {
    fn warnings(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for ProveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for equation in &self.equations {
            write!(f, "{equation}")?;
        }
        writeln!(f)?;
        for BranchReport { start, other } in &self.branches {
            writeln!(
                f,
                "on the branch of the start, where {}; the constraints hold where {} too",
                shortened(start),
                shortened(other)
            )?;
        }
        if self.change_point {
            writeln!(
                f,
                "the start is a change point: constraints depend on each other there that do not elsewhere"
            )?;
        }
        f.write_str(&self.summary())
    }
}

impl fmt::Display for ProvedEquation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<12} {}", self.verdict, shortened(&self.text))?;
        // For which parameters, where not for all.
        match self.parameters {
            Some("as written") => writeln!(
                f,
                "             with the parameters that the model writes in others as it writes them"
            )?,
            Some("values") => writeln!(
                f,
                "             with the model's values of the parameters, not for all"
            )?,
            _ => {}
        }
        for nonzero in &self.nonzero {
            writeln!(f, "             where {} is not zero", shortened(nonzero))?;
        }
        if let Some(terms) = &self.difference {
            writeln!(f, "  differs by {}", wrapped(terms, LINE, 13))?;
        }
        if let Some(at) = &self.counterexample {
            writeln!(
                f,
                "  at         {}\n             {}",
                at.place(),
                at.sides()
            )?;
        }
        match &self.why {
            Some(why) => writeln!(f, "             {why}; {}", self.tried()),
            None => Ok(()),
        }
    }
}

impl ProvedEquation {
    /// How far an equation that is not proved holds in numbers.
    fn tried(&self) -> String {
        let states = match (self.found, self.states.unwrap_or(0)) {
            (0, _) => return "no state was found to try it at".to_owned(),
            (_, 0) => return "it has no value at any state tried".to_owned(),
            (_, 1) => "one state".to_owned(),
            (_, states) => format!("{states} states"),
        };
        match self.within.filter(|&within| within > 0.0) {
            Some(within) => {
                let digits = (-within.log10()).min(30.0);
                if digits < 3.0 {
                    return format!("its sides are both lost in rounding at {states} tried");
                }
                format!("it holds at {states} tried, to {digits:.0} digits")
            }
            None => format!("it holds at {states} tried"),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
