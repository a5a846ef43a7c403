//! Parameters that are left open with "?", found from accelerations that the start is to have: the rest length of a spring with which a given pose is
//! an equilibrium.
//!
//! ```text
//! a(p) − a₀ = 0        a: accelerations of the start that belongs to the parameters p
//! ```
//!
//! The search is that of all starts; slopes are central differences, because a start moves with its parameters in every way there is.

use super::solved::{Metric, Rows, Scales, Search};
use crate::decide::CLEAR;
use crate::diagnostic::Diagnostic;
use crate::formulation::Formulation;
use crate::linear::Pattern;
use crate::lower::Said;
use crate::mechanism::Mechanism;
use crate::model::{Expression, Model};
use crate::values::values_with;
use dalembert_expr::evaluate;
use dalembert_expr::print::shortest;
use dalembert_expr::syntax::parse_expression;
use std::sync::Arc;

/// Half of the distance of two points for a central difference, beside the parameter: the third root of a rounding error.
const APART: f64 = 6e-6;

/// Accelerations as functions of the open parameters.
struct Accelerations<'m> {
    mechanism: &'m mut Mechanism,
    /// Places of the open parameters.
    open: Vec<usize>,
    conditions: Vec<Said>,
    pattern: Arc<Pattern>,
    /// Why there was no start or motion when it was last looked for.
    failed: Option<Vec<Diagnostic>>,
}

impl Accelerations<'_> {
    /// What is found and what is wanted, of each condition; no numbers where there is no motion.
    fn found(&mut self, x: &[f64]) -> Vec<[f64; 2]> {
        let none = vec![[f64::NAN; 2]; self.conditions.len()];
        let given: Vec<(usize, f64)> = self.open.iter().copied().zip(x.iter().copied()).collect();
        self.mechanism.parameters = values_with(&self.mechanism.system, &given);
        let start = match self.mechanism.start() {
            Ok(start) => start,
            Err(why) => {
                self.failed = Some(why);
                return none;
            }
        };
        let state = &start.state;
        let Ok(motion) = self.mechanism.motion_by(Formulation::Multipliers, state) else {
            return none;
        };
        let system = &self.mechanism.system;
        let accelerations = &system.symbols.accelerations;
        let value = |symbol| match accelerations.iter().position(|it| *it == symbol) {
            Some(place) => motion.accelerations[place],
            None => self.mechanism.value_of(symbol, state),
        };
        let pair = |said: &Said| {
            let wanted = said.started.value.unwrap_or(said.offset);
            let both = evaluate(&system.graph, &[said.expression, wanted], &value);
            [both[0], both[1]]
        };
        self.conditions.iter().map(pair).collect()
    }

    fn slopes(&mut self, x: &[f64]) -> Vec<f64> {
        let k = x.len();
        let mut slopes = vec![0.0; self.conditions.len() * k];
        for j in 0..k {
            let apart = APART * x[j].abs().max(APART);
            let mut beside = x.to_vec();
            beside[j] = x[j] + apart;
            let above = self.found(&beside);
            beside[j] = x[j] - apart;
            let below = self.found(&beside);
            for (i, (above, below)) in above.iter().zip(&below).enumerate() {
                let change = (above[0] - above[1]) - (below[0] - below[1]);
                slopes[i * k + j] = change / (2.0 * apart);
            }
        }
        slopes
    }
}

impl Rows for Accelerations<'_> {
    fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    fn known(&self, _: usize) -> Vec<usize> {
        (0..self.open.len()).collect()
    }

    fn at(&mut self, x: &[f64], residual: &mut Vec<f64>, slopes: &mut Vec<f64>) {
        *residual = self.found(x).iter().map(|[a, b]| a - b).collect();
        *slopes = self.slopes(x);
    }

    fn terms(&mut self, x: &[f64]) -> Vec<f64> {
        let (found, slopes) = (self.found(x), self.slopes(x));
        let rows = found.iter().zip(slopes.chunks_exact(x.len()));
        let size = |([a, b], slopes): (&[f64; 2], &[f64])| {
            let by_parameters = slopes.iter().zip(x).map(|(slope, x)| (slope * x).abs());
            a.abs() + b.abs() + by_parameters.sum::<f64>()
        };
        rows.map(size).collect()
    }
}

impl Mechanism {
    /// The model with numbers for the parameters that it leaves open.
    pub(crate) fn completed(mut self) -> Result<Model, Vec<Diagnostic>> {
        let model = self.model.clone();
        let is_open = |name: &str| model.open.iter().any(|it| it.text == name);
        let open = model.parameters.iter().enumerate();
        let open = open.filter(|(_, (name, _))| is_open(&name.text));
        let open: Vec<usize> = open.map(|(i, _)| i).collect();
        let conditions = std::mem::take(&mut self.system.start.accelerations);
        let (asked, conditions): (Vec<usize>, Vec<Said>) = conditions.into_iter().unzip();
        if open.len() != conditions.len() {
            return Err(vec![refuse_count(&model, &open, &conditions)]);
        }
        let k = open.len();
        let names = conditions.iter().map(|it| it.name.clone());
        let names: Vec<String> = names.collect();
        let mut rows = Accelerations {
            mechanism: &mut self,
            open: open.clone(),
            conditions,
            pattern: Arc::new(Pattern::full(k, k)),
            failed: None,
        };
        let (all, scales) = ((0..k).collect::<Vec<usize>>(), vec![1.0; k]);
        let metric = Metric::sizes(&Arc::new(Pattern::full(k, k)), &scales);
        let scales = Scales {
            sizes: scales,
            open: vec![true; k],
        };
        let mut search = Search::new(&mut rows, vec![1.0; k], metric, scales);
        let found = search.solve(&all, &all);
        if !found.met() {
            let failed = rows.failed.take();
            return Err(failed.unwrap_or_else(|| vec![not_found(&model, &open, &names)]));
        }
        if let Some(&first) = search.undetermined(&all, &found.x).first() {
            return Err(vec![undetermined(&model, open[first], &names)]);
        }
        let differs = |other: &Vec<f64>| {
            let mut pairs = found.x.iter().zip(other);
            pairs.any(|(a, b)| (a - b).abs() > CLEAR * (a.abs() + b.abs()))
        };
        if let Some(other) = found.other.as_ref().filter(|it| differs(it)) {
            return Err(vec![several(&model, &open, [&found.x, other])]);
        }
        Ok(with_numbers(model, (&open, &found.x), &asked))
    }
}

/// The model with these values, and without what they were found from.
fn with_numbers(mut model: Model, (open, values): (&[usize], &[f64]), asked: &[usize]) -> Model {
    for (&i, value) in open.iter().zip(values) {
        let (_, given) = &mut model.parameters[i];
        let text = format!("{value:?}");
        if let Ok(tree) = parse_expression(&text) {
            let origin = given.origin.clone();
            *given = Expression { text, tree, origin };
        }
    }
    let mut place = 0..;
    model
        .start
        .retain(|_| place.next().is_none_or(|it| !asked.contains(&it)));
    model.found = std::mem::take(&mut model.open);
    model
}

fn listed(model: &Model, open: &[usize]) -> String {
    let names = open
        .iter()
        .map(|&i| format!("`{}`", model.parameters[i].0.text));
    names.collect::<Vec<_>>().join(", ")
}

fn refuse_count(model: &Model, open: &[usize], conditions: &[Said]) -> Diagnostic {
    let names = listed(model, open);
    let message = format!(
        "{} \"?\" ({names}), and [start] asks for {} to find them from",
        match open.len() {
            1 => "one parameter is".to_owned(),
            count => format!("{count} parameters are"),
        },
        match conditions.len() {
            0 => "no acceleration".to_owned(),
            1 => "one acceleration".to_owned(),
            count => format!("{count} accelerations"),
        }
    );
    let help = "give as many accelerations in [start] as parameters are \"?\", such as \"theta''\" = 0 of a pose in equilibrium";
    let place = match conditions.get(open.len()) {
        Some(extra) => extra.started.place.clone(),
        None => model.parameters[open[0]].1.whole(),
    };
    Diagnostic::error("E0533", place, message, help)
}

fn not_found(model: &Model, open: &[usize], conditions: &[String]) -> Diagnostic {
    let message = format!(
        "no values of {} were found with which the start has the accelerations {}",
        listed(model, open),
        conditions.join(", ")
    );
    let help = "check the accelerations that [start] asks for, or give the parameters";
    let place = model.parameters[open[0]].1.whole();
    Diagnostic::error("E0533", place, message, help)
}

fn undetermined(model: &Model, open: usize, conditions: &[String]) -> Diagnostic {
    let (name, value) = &model.parameters[open];
    let message = format!(
        "nothing determines the parameter `{}`: {} does not depend on it",
        name.text,
        conditions.join(", ")
    );
    let help = "ask for an acceleration that it changes, or give it a value";
    Diagnostic::error("E0533", value.whole(), message, help)
}

fn several(model: &Model, open: &[usize], values: [&[f64]; 2]) -> Diagnostic {
    let shown = |values: &[f64]| {
        let each = open.iter().zip(values);
        let each = each
            .map(|(&i, value)| format!("{} = {}", model.parameters[i].0.text, shortest(*value)));
        each.collect::<Vec<_>>().join(", ")
    };
    let message = format!(
        "several values of parameters give the start its accelerations: {}, and {}",
        shown(values[0]),
        shown(values[1])
    );
    let help = "give the one that you mean in place of \"?\"";
    let place = model.parameters[open[0]].1.whole();
    Diagnostic::error("E0533", place, message, help)
}
