//! Claims about what is constant.
//!
//! ```text
//! conserved: p_phi                          constant along every motion: its time derivative is 0; p_phi = ∂T/∂phi'
//! holonomic: contact.2 = z - r*cos(theta)   the row keeps this constant on its own: its differential is a multiple of the row
//! ```

use super::file::Line;
use dalembert_doctor::{NoClaim, fixed, inputs, may_jump, parallel};
use dalembert_expr::calculus::{gradient, time_derivative};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::syntax::meant_or_known;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::elaborate::{Elaborator, Names};
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::lower::{Event, System};
use dalembert_mechanics::model::{Expression, Model, Name};
use std::ops::Range;

/// What is claimed to be constant.
pub(super) struct Constant {
    /// The row that keeps it so, if one is named, by index.
    row: Option<usize>,
    value: Expression,
}

impl Constant {
    /// Reads a line that begins with `conserved:` or `holonomic:`; `None` if it does not.
    pub(super) fn read(
        line: &Line<'_>,
        mechanism: &Mechanism,
        read: &mut impl FnMut(Range<usize>) -> Result<Expression, Vec<Diagnostic>>,
    ) -> Option<Result<Self, Vec<Diagnostic>>> {
        let (word, said) = line.text.split_once(':')?;
        let from = line.text.len() - said.len();
        let whole = |at: usize| {
            let blanks = line.text[at..].len() - line.text[at..].trim_start().len();
            at + blanks..line.text.len()
        };
        match word.trim_end() {
            "conserved" => Some(read(whole(from)).map(|value| Self { row: None, value })),
            "holonomic" => {
                let Some((name, value)) = said.split_once('=') else {
                    let message = "a row and what it keeps constant are needed here".to_owned();
                    let help = "such as holonomic: contact.2 = z - r*cos(theta)";
                    return Some(Err(vec![line.refuse(line.whole(), "E0621", message, help)]));
                };
                let rows = &mechanism.system.rows;
                let Some(row) = rows.iter().position(|row| row.name == name.trim()) else {
                    let place = whole(from).start..from + name.trim_end().len();
                    let message = format!("there is no row `{}`", name.trim());
                    let known = rows.iter().map(|row| row.name.as_str());
                    let help = meant_or_known(name.trim(), known).unwrap_or_default();
                    return Some(Err(vec![line.refuse(place, "E0621", message, &help)]));
                };
                let value = read(whole(line.text.len() - value.len()));
                Some(value.map(|value| Self {
                    row: Some(row),
                    value,
                }))
            }
            word if is_word(word) && !said.starts_with('=') => {
                let message = format!("`{word}` is no claim");
                let help = meant_or_known(word, ["conserved", "holonomic"]).unwrap_or_default();
                let place = 0..word.len();
                Some(Err(vec![line.refuse(place, "E0621", message, &help)]))
            }
            _ => None,
        }
    }

    /// What is claimed to be constant, on the left side.
    pub(super) fn sides(&self, scope: &mut Elaborator<'_>) -> Option<Vec<(ExprId, ExprId)>> {
        let zero = scope.graph.integer(0);
        let value = scope.scalar(&self.value)?;
        Some(vec![(value, zero)])
    }

    /// The equations that it claims, from its value in the symbols of the system.
    pub(super) fn equations(
        &self,
        graph: &mut Graph,
        (mechanism, whole): (&Mechanism, &Mechanism),
        value: ExprId,
    ) -> Result<Vec<(ExprId, ExprId)>, String> {
        let symbols = Cone::new(graph, &[value]).symbols(graph);
        let most = match self.row {
            None => 1,
            Some(_) => 0,
        };
        let beyond = |it: &SymbolId| {
            let symbol = graph.symbol_data(*it);
            symbol.kind == SymbolKind::Multiplier || symbol.order > most
        };
        if symbols.iter().any(beyond) {
            return Err(match self.row {
                None => "what is conserved depends on coordinates, rates and time alone".to_owned(),
                Some(_) => {
                    "what a row keeps constant depends on coordinates and time alone".to_owned()
                }
            });
        }
        let zero = graph.integer(0);
        let mut asked = vec![value];
        asked.extend(mechanism.system.rows.iter().filter_map(|row| row.rate));
        let symbols = Cone::new(graph, &asked).symbols(graph);
        let inputs = inputs(mechanism);
        if let Some(input) = inputs.into_iter().find(|it| symbols.contains(it)) {
            let name = &graph.symbol_data(input).name;
            return Err(format!(
                "the input `{name}` is set from outside: it or a row depends on it, and what is constant between may change then"
            ));
        }
        if self.row.is_none()
            && let Some(what) = changes_at_once(&whole.system)
        {
            return Err(format!(
                "{what} may change it at once: what is constant between is not constant along a run"
            ));
        }
        if self.row.is_none()
            && let Some(argument) = may_jump(graph, value, &fixed(mechanism))
        {
            let argument = print_one(graph, argument, Format::Model);
            return Err(format!(
                "it may jump where {argument} = 0, and be constant on either side only"
            ));
        }
        let Some(row) = self.row else {
            let rate = time_derivative(graph, &[value]);
            let rate = rate.map_err(|_| "it has no time derivative".to_owned())?;
            return Ok(vec![(rate[0], zero)]);
        };
        parallel(graph, mechanism, Id::new(row), value).map_err(|why| match why {
            NoClaim::NotLinear => {
                let row = &mechanism.system.rows[row].name;
                format!("`{row}` is no row that is linear in rates")
            }
            NoClaim::TwoSided(argument) => {
                let argument = print_one(graph, argument, Format::Model);
                format!("it or the row is another expression on either side of {argument} = 0, and what holds on one may not hold on the other")
            }
            NoClaim::Constant => "this is constant whatever moves".to_owned(),
            NoClaim::Unfollowed => "the rows of positions cannot be followed at the start".to_owned(),
            NoClaim::ByPositions => {
                "it is constant by the rows of positions alone, or changes too little to tell".to_owned()
            }
        })
    }
}

/// What gives the motion a blow, or other rows, on its way.
fn changes_at_once(system: &System) -> Option<String> {
    let changes =
        |event: &&Event| !event.set.is_empty() || !event.release.is_empty() || event.is_blow();
    let event = system.events.iter().find(changes);
    let event = event.map(|event| format!("the event `{}`", event.name));
    let contact = || {
        let contact = system.unilateral.first()?;
        Some(format!("the contact `{}`", system.rows[contact.row].name))
    };
    event.or_else(contact)
}

/// Whether a text is one word of letters.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphabetic() || c == '_')
}

/// Momenta p_x = ∂T/∂x' that a file of equations may speak of: names that have no other meaning.
pub(super) struct Momenta(Vec<(String, usize)>);

impl Momenta {
    /// Those of the coordinates of a mechanism whose names are not taken.
    pub(super) fn of(mechanism: &Mechanism, names: &Names, own: &[&str]) -> Self {
        let coordinates = mechanism.coordinate_names().enumerate();
        let named = coordinates.map(|(k, name)| (format!("p_{name}"), k));
        let free = |(name, _): &(String, usize)| {
            names.get(name).is_none() && !own.contains(&name.as_str())
        };
        Self(named.filter(free).collect())
    }

    /// Makes the names known in a model.
    pub(super) fn declare(&self, model: &mut Model) {
        for (text, _) in &self.0 {
            let value = Expression::given(text, "0");
            let (text, place) = (text.clone(), Place::Model);
            model
                .parameters
                .extend(value.ok().map(|value| (Name { text, place }, value)));
        }
    }

    /// What those stand for that are used.
    pub(super) fn meanings(
        &self,
        graph: &mut Graph,
        mechanism: &Mechanism,
        used: &[SymbolId],
    ) -> Vec<(ExprId, ExprId)> {
        let system = &mechanism.system;
        let is_used = |name: &str| {
            used.iter().any(|&it| {
                let symbol = graph.symbol_data(it);
                symbol.kind == SymbolKind::Parameter && *symbol.name == *name
            })
        };
        let wanted: Vec<&(String, usize)> = self.0.iter().filter(|it| is_used(&it.0)).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let momenta = gradient(graph, system.kinetic, &system.symbols.rates);
        let meaning =
            |(name, k): &&(String, usize)| (graph.symbol(name, SymbolKind::Parameter), momenta[*k]);
        wanted.iter().map(meaning).collect()
    }
}
