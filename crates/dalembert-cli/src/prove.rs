//! `dalembert prove`: are these the equations of the model?

use crate::arguments::Prove;
use crate::load::{Loaded, Source, load};
use crate::output::{Failure, Report, number, significant};
use dalembert::mechanics::Mechanism;
use dalembert::prove::{
    Branch, Counterexample, Equation, Proof, Scope, Tried, Verdict, prove, read_equations,
};
use dalembert_expr::print::{Format, print_one};
use serde_json::{Map, Value, json};

/// Digits of numbers.
const SHOWN: usize = 6;
/// Longest equation that is repeated in full.
const MAX_SHOWN: usize = 100;

pub(crate) fn run(arguments: &Prove) -> Result<Report, Failure> {
    if arguments.model.model == "-" && arguments.equations == "-" {
        let message = "the model and the equations cannot both come from standard input";
        return Err(Failure::Usage(message.to_owned()));
    }
    let Loaded {
        source,
        mechanism,
        warnings,
        ..
    } = load(&arguments.model)?;
    let file = Source::open(&arguments.equations, "write one equation a line")?;
    let equations = read_equations(&mechanism, &file.text, arguments.from.into())
        .map_err(|errors| file.refuse(errors))?;
    let start = mechanism.start().map_err(|errors| source.refuse(errors))?;
    let proof = prove(&mechanism, &start.state, &equations);
    let facts = Facts {
        mechanism: &mechanism,
        equations: &equations.list,
        proof: &proof,
    };
    let report = Report {
        text: facts.text(),
        json: facts.document(),
        warnings,
    };
    match proof.is_complete() {
        true => Ok(report),
        false => Err(Failure::No(report)),
    }
}

struct Facts<'a> {
    mechanism: &'a Mechanism,
    equations: &'a [Equation],
    proof: &'a Proof,
}

impl Facts<'_> {
    fn text(&self) -> String {
        let mut lines = Vec::new();
        for (equation, verdict) in self.equations.iter().zip(&self.proof.verdicts) {
            let text = shortened(&equation.text);
            match verdict {
                Verdict::Proved(scope) => {
                    lines.push(format!("proved       {text}"));
                    lines.extend(restriction(*scope).map(|scope| format!("             {scope}")));
                }
                Verdict::Refuted {
                    counterexample,
                    difference,
                } => {
                    lines.push(format!("refuted      {text}"));
                    if let Some(difference) = difference {
                        let terms = print_one(&self.proof.graph, *difference, Format::Model);
                        lines.push(format!("  differs by {}", shortened(&terms)));
                    }
                    lines.push(format!("  at         {}", self.place(counterexample)));
                    lines.push(format!("             {}", sides(counterexample)));
                }
                Verdict::NotProved { why, tried } => {
                    lines.push(format!("not proved   {text}"));
                    lines.push(format!("             {why}; {}", numbers(tried)));
                }
            }
        }
        lines.push(String::new());
        lines.extend(self.branches());
        lines.push(self.summary());
        lines.join("\n")
    }

    /// For which motions the proofs hold, where the constraints have several branches.
    fn branches(&self) -> Vec<String> {
        let branches = self.proof.branches.iter();
        let mut lines: Vec<String> = branches
            .map(|branch| {
                let [own, other] = self.branch(branch);
                format!("on the branch of the start, where {own}; the constraints hold where {other} too")
            })
            .collect();
        if self.proof.change_point {
            lines.push(
                "the start is a change point: constraints depend on each other there that do not elsewhere"
                    .to_owned(),
            );
        }
        lines
    }

    /// What holds on a branch, and what on the other.
    fn branch(&self, branch: &Branch) -> [String; 2] {
        let text = |id| shortened(&print_one(&self.proof.graph, id, Format::Model));
        let own = format!("{} = {}", text(branch.left), text(branch.right));
        [own, format!("{} = 0", text(branch.other))]
    }

    /// What the equations are together.
    fn summary(&self) -> String {
        let count = |wanted: fn(&Verdict) -> bool| {
            self.proof
                .verdicts
                .iter()
                .filter(|verdict| wanted(verdict))
                .count()
        };
        let proved = count(|verdict| matches!(verdict, Verdict::Proved(_)));
        let refuted = count(|verdict| matches!(verdict, Verdict::Refuted { .. }));
        let open = self.proof.verdicts.len() - proved - refuted;
        let mut parts = vec![format!("{proved} proved")];
        if refuted > 0 {
            parts.push(format!("{refuted} refuted"));
        }
        if open > 0 {
            parts.push(format!("{open} not proved"));
        }
        let counts = parts.join(", ");
        let constraints = match self.mechanism.system.rows.is_empty() {
            true => "",
            false => " with the constraints",
        };
        match self.proof.left_open {
            _ if proved == 0 => counts,
            Some([0, _]) => format!(
                "{counts}; together{constraints} the proved ones determine the accelerations: equivalent to the model"
            ),
            Some([1, _]) => format!(
                "{counts}; together{constraints} the proved ones leave one acceleration open"
            ),
            Some([left, _]) => format!(
                "{counts}; together{constraints} the proved ones leave {left} accelerations open"
            ),
            None => counts,
        }
    }

    /// A state in one line: coordinates, rates, and time if it matters.
    fn place(&self, at: &Counterexample) -> String {
        let state = &at.snapshot.state;
        let names: Vec<&str> = self.mechanism.coordinate_names().collect();
        let coordinates = names.iter().zip(&state.coordinates);
        let rates = names.iter().zip(&state.rates);
        let shown = |value: f64| significant(value, SHOWN);
        let mut parts: Vec<String> = coordinates
            .map(|(name, value)| format!("{name} = {}", shown(*value)))
            .chain(rates.map(|(name, value)| format!("{name}' = {}", shown(*value))))
            .collect();
        if state.t != 0.0 {
            parts.insert(0, format!("t = {}", shown(state.t)));
        }
        parts.join(", ")
    }

    fn document(&self) -> Value {
        let entries: Vec<Value> = self
            .equations
            .iter()
            .zip(&self.proof.verdicts)
            .map(|(equation, verdict)| self.entry(equation, verdict))
            .collect();
        let [accelerations, multipliers] = match self.proof.left_open {
            Some([accelerations, multipliers]) => [Some(accelerations), Some(multipliers)],
            None => [None, None],
        };
        let branches = self.proof.branches.iter().map(|branch| {
            let [own, other] = self.branch(branch);
            json!({ "start": own, "other": other })
        });
        json!({
            "equations": entries,
            "branches": branches.collect::<Vec<Value>>(),
            "change_point": self.proof.change_point,
            "open_accelerations": accelerations,
            "open_multipliers": multipliers,
            "equivalent": self.proof.is_complete() && accelerations == Some(0),
        })
    }

    fn entry(&self, equation: &Equation, verdict: &Verdict) -> Value {
        let mut entry = json!({
            "text": equation.text,
            "line": equation.line,
            "verdict": "proved",
            "parameters": null,
            "difference": null,
            "counterexample": null,
            "why": null,
        });
        match verdict {
            Verdict::Proved(scope) => {
                entry["parameters"] = json!(match scope {
                    Scope::All => "all",
                    Scope::AsWritten => "as written",
                    Scope::Values => "values",
                });
            }
            Verdict::Refuted {
                counterexample,
                difference,
            } => {
                entry["verdict"] = json!("refuted");
                let text = |&id| print_one(&self.proof.graph, id, Format::Model);
                entry["difference"] = json!(difference.as_ref().map(text));
                entry["counterexample"] = self.state(counterexample);
            }
            Verdict::NotProved { why, tried } => {
                entry["verdict"] = json!("not proved");
                entry["why"] = json!(why);
                entry["states"] = json!(tried.states);
                entry["within"] = number(tried.within);
            }
        }
        entry
    }

    fn state(&self, at: &Counterexample) -> Value {
        let names = || self.mechanism.coordinate_names();
        let rows = || {
            self.mechanism
                .system
                .rows
                .iter()
                .map(|row| row.name.as_str())
        };
        let snapshot = &at.snapshot;
        json!({
            "t": number(snapshot.state.t),
            "coordinates": table(names(), &snapshot.state.coordinates),
            "rates": table(names(), &snapshot.state.rates),
            "accelerations": table(names(), &snapshot.accelerations),
            "multipliers": table(rows(), &snapshot.multipliers),
            "left": number(at.left),
            "right": number(at.right),
            "difference": number(at.difference),
        })
    }
}

fn table<'n>(names: impl Iterator<Item = &'n str>, values: &[f64]) -> Value {
    let entries = names.zip(values);
    let entries: Map<String, Value> = entries
        .map(|(name, &value)| (name.to_owned(), number(value)))
        .collect();
    Value::Object(entries)
}

/// Values of both sides, in as many digits as tell them apart.
fn sides(at: &Counterexample) -> String {
    let shown = |digits| [at.left, at.right].map(|value| significant(value, digits));
    let mut all = [SHOWN, 10, 13, 16].into_iter().map(shown);
    match all.find(|[left, right]| left != right) {
        Some([left, right]) => format!("left {left}, right {right}"),
        None => {
            let both = significant(at.left, 16);
            let difference = significant(at.difference, SHOWN);
            format!("left and right {both}, which differ by {difference}")
        }
    }
}

/// How far an equation holds in numbers.
fn numbers(tried: &Tried) -> String {
    let states = match (tried.found, tried.states) {
        (0, _) => return "no state was found to try it at".to_owned(),
        (_, 0) => return "it has no value at any state tried".to_owned(),
        (_, 1) => "one state".to_owned(),
        (_, states) => format!("{states} states"),
    };
    match tried.within > 0.0 {
        true => {
            let digits = (-tried.within.log10()).min(30.0);
            if digits < 3.0 {
                return format!("its sides are both lost in rounding at {states} tried");
            }
            format!("it holds at {states} tried, to {digits:.0} digits")
        }
        false => format!("it holds at {states} tried"),
    }
}

/// For which parameters, where not for all.
fn restriction(scope: Scope) -> Option<&'static str> {
    match scope {
        Scope::All => None,
        Scope::AsWritten => {
            Some("with the parameters that the model writes in others as it writes them")
        }
        Scope::Values => Some("with the model's values of the parameters, not for all"),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
