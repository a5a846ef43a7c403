//! What an event does to the velocities, in symbols (\[A83\] 1.5.13, 1.5.17).
//!
//! ```text
//! M (q'⁺ − q'⁻) = p + Aᵀ Λ        A (q'⁺ − q'⁻) = r
//! ```
//!
//! The rows are those that hold in the blow, and one for each thing that is struck. r is 0 for rows that held before, −ψ(q, q'⁻) for those that
//! are engaged, and −(1 + e) g' for what is struck. So this is the problem of accelerations with p in place of the forces and r in place of b, and
//! is solved in the same place (`work.rs`).
//!
//! \[A83\]: Angeles, "Lagrangian dynamics" (1983).

use super::algebra::{Algebra, Vector};
use super::canonical::Canonical;
use super::divisors::{self, Signs};
use super::page::{Block, Equation, Item};
use super::refusal::{too_large, with_identities};
use super::samples::Samples;
use super::work::Work;
use super::write::{self, Style};
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::print::{Format, Options, Printed, print};
use dalembert_expr::syntax::meant_or_known;
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::impulse::not_linear;
use dalembert_mechanics::lower::{Event, Level, System};
use dalembert_mechanics::model::{Constraint, Model};
use dalembert_symbolic::matrix::along;
use std::collections::HashSet;

/// Work for one blow, in products of terms.
const STEPS: u64 = 5_000_000;
/// Endings of the names of rates after the blow; the first that makes no name of the model.
const ENDINGS: [&str; 3] = ["after", "plus", "later"];

/// A blow in symbols: rates after it and impulses, in terms of rates before it.
pub struct ImpulseDerivation {
    graph: Graph,
    blocks: Vec<Block>,
    /// The event.
    pub event: String,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// q'⁺ = …, by coordinate.
    pub after: Vec<Equation>,
    /// Names of the rows that hold in the blow, and of what is struck, with their impulses: nothing where rows that depend on each other
    /// share it.
    pub impulses: Vec<(String, Option<Equation>)>,
    /// The energy that rows and walls take, in terms of the impulses; nothing where one of them is not unique.
    pub lost: Option<ExprId>,
    /// What is divided by and may vanish.
    pub nonzero: Vec<ExprId>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

impl ImpulseDerivation {
    /// The page in a notation; as text, for a terminal with so many columns.
    #[must_use]
    pub fn page(&self, style: Style, columns: Option<usize>) -> String {
        let columns = columns.filter(|_| style == Style::Text);
        write::write(&self.graph, &self.blocks, style, columns)
    }

    /// Some of its expressions in a notation.
    #[must_use]
    pub fn print(&self, expressions: &[ExprId], format: Format) -> Printed {
        print(&self.graph, expressions, &Options::new(format))
    }

    /// The graph of all expressions.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// The model in which an event of another is a blow: what holds then holds, what does not is gone. Contacts are those among what holds at the start.
///
/// # Errors
/// There is no such event, or velocities do not jump by it.
pub fn in_blow(
    model: &Model,
    event: &str,
    at_start: &HashSet<String>,
) -> Result<Model, Diagnostic> {
    let Some(found) = model.events.iter().find(|it| it.name.text == event) else {
        let names = model.events.iter().map(|it| it.name.text.as_str());
        let help = meant_or_known(event, names);
        let help = help.unwrap_or_else(|| "the model has none".to_owned());
        let message = format!("there is no event `{event}`");
        return Err(Diagnostic::error("E0610", Place::Model, message, help));
    };
    if found.engage.is_empty() && found.impulse.is_none() && found.impact.is_none() {
        let message = format!("velocities do not jump by `{event}`");
        let help = "ask for an event with `engage`, `impulse` or `impact`";
        let place = found.name.place.clone();
        return Err(Diagnostic::error("E0610", place, message, help));
    }
    let closed = |it: &Constraint| it.is_contact() && at_start.contains(&it.name.text);
    if found.impact.is_some()
        && let Some(contact) = model.constraints.iter().find(|it| closed(it))
    {
        let name = &contact.name.text;
        let message = format!(
            "contact `{name}` takes part in the blow of `{event}` after it, which formulas for all at once do not say"
        );
        let help = "`run` gives its impulses as numbers; a constraint with = in place of >= takes part at once";
        let place = contact.name.place.clone();
        return Err(Diagnostic::error("E0610", place, message, help));
    }
    let mut found = found.clone();
    let mut model = model.at_events(|constraint| {
        if constraint.is_contact() {
            return closed(constraint);
        }
        let named = |names: &[dalembert_mechanics::model::Name]| {
            names.iter().any(|it| it.text == constraint.name.text)
        };
        named(&found.engage) || (constraint.active && !named(&found.release))
    });
    found.release.clear();
    for constraint in &mut model.constraints {
        constraint.active = true;
    }
    // A start of the whole need not meet what is engaged later.
    for (_, value) in &mut model.coordinates {
        value.must = false;
    }
    for (_, value) in &mut model.start {
        value.must = false;
    }
    model.events = vec![found];
    Ok(model)
}

/// Derives a blow of a model that [`in_blow`] gave.
///
/// # Errors
/// The blow is not determined by what holds, or is too large for symbols.
pub fn derive_impulse(mechanism: &Mechanism) -> Result<ImpulseDerivation, Vec<Diagnostic>> {
    let (model, system) = (&mechanism.model, &mechanism.system);
    let event = &system.events[0];
    let refuse = |message: String, help: &str| {
        let place = model.events[0].name.place.clone();
        vec![Diagnostic::error("E0611", place, message, help)]
    };
    let in_rates = "blows are solved for rates";
    let refused = with_identities((model, system), "blows", in_rates);
    if let Some(refused) = refused.or_else(|| too_large(system)) {
        return Err(vec![refused]);
    }
    if let Some(&row) = not_linear(system).first() {
        let message = format!(
            "what `{}` does is not determined: `{}` is not linear in the velocities",
            event.name, system.rows[row].name
        );
        let help = "a blow needs constraints that are linear in the velocities; release it first";
        return Err(refuse(message, help));
    }
    let signs = Signs::of(model, system);
    let mut algebra = Algebra::new(system.graph.clone(), system.symbols.rates.clone());
    algebra.allow(STEPS);
    algebra.samples = Samples::of(mechanism, &mut algebra.graph);
    let too_long = |outside: Outside| {
        let message = format!(
            "the blow of `{}` is not solved in symbols: {outside}",
            event.name
        );
        refuse(message, "`run --json` lists its numbers in `events`")
    };
    let work = Work::new(algebra, model, system, signs);
    let mut work = work.map_err(|refused| too_long(refused.0))?;
    let blow = Blow::of(&mut work, event).map_err(too_long)?;
    work.in_speeds = blow.canonical.clone();
    let mut solved = work.explicit().cloned().map_err(|outside| match outside {
        Outside::Undefined => refuse(
            format!(
                "inertia and constraints do not determine the blow of `{}`",
                event.name
            ),
            "give what moves without inertia a mass",
        ),
        other => too_long(other),
    })?;
    // A row that says 0 = 0 holds nothing.
    for (row, impulse) in solved.multipliers.iter_mut().enumerate() {
        if blow.canonical.A.row(row).is_empty() {
            *impulse = Some(Fraction::zero());
        }
    }
    if let Some(row) = blow
        .contradicted(&work, &solved.acceleration)
        .map_err(too_long)?
    {
        let message = format!(
            "`{}` asks for velocities that the other constraints do not allow: `{}` cannot be met",
            event.name, blow.names[row]
        );
        return Err(refuse(message, "let the event happen to what can move"));
    }
    if let Some(row) = lawful(mechanism, &solved.multipliers) {
        let message = format!(
            "`{}` has an impulse in `{}`, and a law or a force depends on its reaction",
            blow.names[row], event.name
        );
        return Err(refuse(
            message,
            "friction and forces that follow a reaction have no impulses",
        ));
    }
    blow.finish(work, &solved.acceleration, &solved.multipliers)
        .map_err(too_long)
}

/// A row on whose reaction something depends, and which takes an impulse.
fn lawful(mechanism: &Mechanism, impulses: &[Option<Fraction>]) -> Option<usize> {
    let servo = mechanism.system.servo.iter().map(|it| it.row.index());
    let mut rows = mechanism.equations.law_rows().iter().copied().chain(servo);
    rows.find(|&row| impulses[row].as_ref().is_none_or(|it| !it.is_zero()))
}

/// A blow on its way.
struct Blow {
    event: Event,
    /// With p in place of h, and r in place of b.
    canonical: Canonical,
    /// Of the rows and of what is struck.
    names: Vec<String>,
    /// A q'⁻, what the rows and walls see of the motion before.
    along: Vector,
}

impl Blow {
    fn of(work: &mut Work, event: &Event) -> Result<Self, Outside> {
        let system = work.system;
        let mut canonical = work.in_coordinates.clone();
        let algebra = &mut work.algebra;
        let before = algebra.symbols(&canonical.speeds)?;
        let given: Vec<ExprId> = event.impulse.iter().map(|&(_, value)| value).collect();
        let given = algebra.take(&given)?;
        canonical.h.fill(Fraction::zero());
        canonical.w.fill(Fraction::zero());
        for (&(i, _), part) in event.impulse.iter().zip(given) {
            canonical.h[i] = algebra.field.add(&canonical.h[i], &part)?;
        }
        let mut names: Vec<String> = system.rows.iter().map(|row| row.name.clone()).collect();
        let known = canonical.A.rows();
        let mut matrix =
            dalembert_symbolic::matrix::Matrix::zero(known + event.struck.len(), before.len());
        for row in 0..known {
            matrix.set_row(row, canonical.A.row(row).clone());
            let engaged = event.engage.contains(&system.rows[row].constraint);
            canonical.b[row] = match engaged && system.rows[row].level != Level::Acceleration {
                true => algebra.field.neg(&canonical.rates[row]),
                false => Fraction::zero(),
            };
        }
        let returned = match event.restitution {
            Some(restitution) => algebra.take(&[restitution])?.remove(0),
            None => Fraction::zero(),
        };
        let factor = algebra.field.add(&Fraction::one(), &returned)?;
        for (k, struck) in event.struck.iter().enumerate() {
            let entries: Vec<ExprId> = struck.jacobian.iter().map(|&(_, value)| value).collect();
            let entries = algebra.take(&entries)?;
            for (&(j, _), entry) in struck.jacobian.iter().zip(entries) {
                matrix.set((known + k, j), entry);
            }
            let rate = algebra.take(&[struck.rate])?.remove(0);
            let change = algebra.field.mul(&factor, &rate)?;
            canonical.b.push(algebra.field.neg(&change));
            canonical.rates.push(rate);
            names.push(format!("{}.{k}", event.name));
        }
        (canonical.A, canonical.E) = (matrix.clone(), matrix);
        let along = canonical.A.along(&algebra.field, &before)?;
        Ok(Self {
            event: event.clone(),
            canonical,
            names,
            along,
        })
    }

    /// A row that the jump does not meet: it depends on others that ask for something else.
    fn contradicted(&self, work: &Work, change: &[Fraction]) -> Result<Option<usize>, Outside> {
        let field = &work.algebra.field;
        for row in 0..self.names.len() {
            let reached = along(field, self.canonical.A.row(row), change)?;
            let missed = field.sub(&reached, &self.canonical.b[row])?;
            // Numbers do not tell: at states that meet the rows nothing is missed.
            if !missed.is_zero() && !self.canonical.b[row].is_zero() {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    fn finish(
        self,
        mut work: Work<'_>,
        change: &[Fraction],
        impulses: &[Option<Fraction>],
    ) -> Result<ImpulseDerivation, Outside> {
        let (model, system) = (work.model, work.system);
        let before = work.algebra.symbols(&self.canonical.speeds)?;
        let after = work.algebra.add(&before, change)?;
        let names = after_names(&mut work.algebra.graph, model);
        let after = names.into_iter().zip(after).collect();
        let after = work.algebra.definitions(after, &[]);
        let symbols = self.impulse_symbols(&mut work.algebra.graph);
        let lost = self.lost(&mut work.algebra, &symbols, impulses)?;
        let known: Vec<Fraction> = impulses.iter().flatten().cloned().collect();
        let mut known = work.algebra.readable(&known, &[]).into_iter();
        let graph = &mut work.algebra.graph;
        let mut list: Vec<(String, Option<Equation>)> = Vec::new();
        for ((name, &symbol), impulse) in self.names.iter().zip(&symbols).zip(impulses) {
            let right = impulse.as_ref().and_then(|_| known.next());
            let left = graph.symbol_node(symbol);
            list.push((name.clone(), right.map(|right| Equation { left, right })));
        }
        let formulas = list.iter().filter_map(|(_, it)| *it);
        let formulas: Vec<Equation> = after.iter().copied().chain(formulas).collect();
        let sides = Equation::sides(&formulas);
        let nonzero = divisors::divisors(&mut work.algebra, &work.signs, &sides, &[]);
        let mut found = ImpulseDerivation {
            graph: work.algebra.graph,
            blocks: Vec::new(),
            event: self.event.name.clone(),
            coordinates: model
                .coordinates
                .iter()
                .map(|(name, _)| name.text.clone())
                .collect(),
            after,
            impulses: list,
            lost,
            nonzero,
            notes: notes(system, &self.event, impulses, &self.names),
        };
        found.blocks = blocks(&mut found, model.title.as_deref());
        Ok(found)
    }

    fn impulse_symbols(&self, graph: &mut Graph) -> Vec<SymbolId> {
        let names = self.names.iter();
        let symbols = names.map(|name| {
            let id = graph.symbol(&format!("Lambda({name})"), SymbolKind::Multiplier);
            graph.as_symbol(id).expect("a symbol was just made")
        });
        symbols.collect()
    }

    /// −Λ · ½ (A q'⁻ + A q'⁺), the work of rows and walls at the mean of both velocities.
    fn lost(
        &self,
        algebra: &mut Algebra,
        symbols: &[SymbolId],
        impulses: &[Option<Fraction>],
    ) -> Result<Option<ExprId>, Outside> {
        if impulses.iter().any(Option::is_none) {
            return Ok(None);
        }
        let half = algebra.field.div(&Fraction::one(), &Fraction::number(2))?;
        let mut lost = Fraction::zero();
        for (row, impulse) in impulses.iter().flatten().enumerate() {
            if impulse.is_zero() {
                continue;
            }
            let change = algebra.field.mul(&half, &self.canonical.b[row])?;
            let mean = algebra.field.add(&self.along[row], &change)?;
            // A q' vanishes along rows that hold before, and do no work.
            let held = row < self.canonical.rates.len() && self.canonical.b[row].is_zero();
            let mean = match held {
                true => algebra.field.sub(&mean, &self.canonical.rates[row])?,
                false => mean,
            };
            let symbol = algebra.symbol(symbols[row])?;
            let part = algebra.field.mul(&symbol, &mean)?;
            lost = algebra.field.sub(&lost, &part)?;
        }
        Ok(algebra.readable(&[lost], symbols).into_iter().next())
    }
}

/// Symbols of the rates after the blow.
fn after_names(graph: &mut Graph, model: &Model) -> Vec<SymbolId> {
    let names: Vec<&str> = model
        .coordinates
        .iter()
        .map(|(name, _)| name.text.as_str())
        .collect();
    let is_free = |ending: &&&str| {
        let mut made = names.iter().map(|name| format!("{name}_{ending}"));
        made.all(|made| !names.contains(&made.as_str()))
    };
    let ending = ENDINGS.iter().find(is_free).unwrap_or(&ENDINGS[0]);
    let symbols = names.iter().map(|name| {
        let name = format!("{name}_{ending}");
        let id = graph.derivative_symbol(&name, SymbolKind::Coordinate, 1);
        graph.as_symbol(id).expect("a symbol was just made")
    });
    symbols.collect()
}

/// What a reader should know of a blow.
fn notes(
    system: &System,
    event: &Event,
    impulses: &[Option<Fraction>],
    names: &[String],
) -> Vec<String> {
    let mut notes = Vec::new();
    let shared = names.iter().zip(impulses).filter(|(_, it)| it.is_none());
    let shared: Vec<String> = shared.map(|(name, _)| format!("`{name}`")).collect();
    if !shared.is_empty() {
        let list = shared.join(", ");
        notes.push(format!(
            "rows whose impulses cannot be told apart (they depend on each other): {list}"
        ));
    }
    if !event.set.is_empty() {
        notes.push("rates before the blow are those that `set` leaves".to_owned());
    }
    let held: Vec<String> = (system.rows.iter())
        .filter(|row| !event.engage.contains(&row.constraint))
        .map(|row| format!("`{}`", row.name))
        .collect();
    if !held.is_empty() {
        let list = held.join(", ");
        notes.push(format!("hold before the blow and after it: {list}"));
    }
    notes
}

fn blocks(found: &mut ImpulseDerivation, title: Option<&str>) -> Vec<Block> {
    let event = &found.event;
    let title = title.unwrap_or("A blow");
    let mut blocks = vec![
        Block::Heading(format!("{title} — {event}")),
        Block::Text("M (v⁺ - v⁻) = p + Aᵀ Λ; rates without a mark are those before".to_owned()),
        Block::Equations(found.after.clone()),
    ];
    let formulas: Vec<Equation> = found.impulses.iter().filter_map(|(_, it)| *it).collect();
    if !formulas.is_empty() {
        blocks.push(Block::Heading("impulses".to_owned()));
        blocks.push(Block::Equations(formulas));
    }
    if let Some(lost) = found.lost {
        let items = vec![Item::Expression(lost)];
        let label = "energy lost".to_owned();
        blocks.push(Block::Line { label, items });
    }
    if !found.nonzero.is_empty() {
        blocks.push(Block::Line {
            label: "valid where".to_owned(),
            items: found.nonzero.iter().copied().map(Item::NotZero).collect(),
        });
    }
    blocks.extend(found.notes.iter().cloned().map(Block::Text));
    blocks
}
