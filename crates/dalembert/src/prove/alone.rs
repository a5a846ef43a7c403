//! What follows without the whole motion, where that is too large or rows cannot be solved: an equation that vanishes on
//! the surface, or that is a combination of rows of the model, of their rates, and of equations of motion with
//! multipliers, with coefficients that hold parameters only.

use dalembert_expr::normal::{Field, Fraction, GeneratorId, GeneratorKind, Limits, Outside};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};
use dalembert_mechanics::lower::{Level, System};
use dalembert_symbolic::assembled::Assembled;
use dalembert_symbolic::law_symbols::LawSymbols;
use dalembert_symbolic::surface::{Surface, Witnesses};

/// How much may be done to combine rows, and for one equation.
const LIMITS: Limits = Limits {
    terms: 5_000,
    steps: 2_000_000,
};

/// Coordinates and rows above which nothing is combined.
const LARGE: usize = 60;

/// A row with a term that the others have not.
struct Solved {
    row: Fraction,
    term: Term,
    coefficient: Fraction,
}

/// Powers of generators that are no parameters.
type Term = Vec<(GeneratorId, u16)>;

/// Rows to combine, and the surface if it can be described.
pub(super) struct Alone {
    graph: Graph,
    field: Field,
    rows: Vec<Solved>,
    surface: Option<(Surface, Field)>,
}

impl Alone {
    /// With states that meet the rows if the surface may be looked for.
    pub(super) fn new(graph: &Graph, system: &System, witnesses: Option<&Witnesses<'_>>) -> Self {
        let mut graph = graph.clone();
        let size = system.symbols.coordinates.len() + system.rows.len();
        let rows = match size > LARGE {
            true => Vec::new(),
            false => rows(&mut graph, system),
        };
        let witnesses = witnesses.filter(|_| size <= LARGE);
        let surface = witnesses.and_then(|witnesses| {
            let choice = (&[][..], &[][..]);
            let surface = Surface::with_dependent(&mut graph, system, choice, Some(witnesses));
            let surface = surface.ok()?;
            let mut field = Field::with_limits(LIMITS);
            surface.declare(&graph, &mut field).ok()?;
            Some((surface, field))
        });
        let mut alone = Self {
            field: Field::with_limits(LIMITS),
            rows: Vec::new(),
            surface,
            graph,
        };
        for row in rows {
            // A row that is too large is left out.
            let _ = alone.add(row);
        }
        alone
    }

    /// Whether left = right follows.
    pub(super) fn follows(&mut self, left: ExprId, right: ExprId) -> bool {
        let residual = self.graph.sub(left, right);
        self.is_combination(residual).unwrap_or(false) || self.vanishes(residual).unwrap_or(false)
    }

    fn vanishes(&mut self, residual: ExprId) -> Result<bool, Outside> {
        let Some((surface, field)) = &mut self.surface else {
            return Ok(false);
        };
        let residual = surface.put_in(&mut self.graph, &[residual])[0];
        field.set_limits(super::reduced_motion::LIMITS);
        let taken = field.take(&self.graph, residual)?;
        field.is_zero(&taken)
    }

    fn is_combination(&mut self, residual: ExprId) -> Result<bool, Outside> {
        self.field.set_limits(LIMITS);
        let left = self.take(residual)?;
        let left = self.reduced(left)?;
        self.field.is_zero(&left)
    }

    /// What stands above the bar: it vanishes where the whole does.
    fn take(&mut self, expression: ExprId) -> Result<Fraction, Outside> {
        let taken = self.field.take(&self.graph, expression)?;
        Ok(Fraction::from(taken.numerator().clone()))
    }

    /// Less multiples of the rows, so that none of their terms is left.
    fn reduced(&self, mut left: Fraction) -> Result<Fraction, Outside> {
        for Solved {
            row,
            term,
            coefficient,
        } in &self.rows
        {
            let Some(part) = self.coefficient(&left, term) else {
                continue;
            };
            let factor = self.field.div(&part, coefficient)?;
            left = self.field.sub(&left, &self.field.mul(&factor, row)?)?;
        }
        Ok(left)
    }

    /// Adds a row, of which the others are freed.
    fn add(&mut self, row: ExprId) -> Result<(), Outside> {
        let row = self.take(row)?;
        let row = self.reduced(row)?;
        let Some((term, coefficient)) = self.terms(&row).into_iter().next() else {
            return Ok(());
        };
        let mut freed = Vec::new();
        for other in &self.rows {
            let part = self.coefficient(&other.row, &term);
            freed.push(match part {
                Some(part) => {
                    let factor = self.field.div(&part, &coefficient)?;
                    self.field
                        .sub(&other.row, &self.field.mul(&factor, &row)?)?
                }
                None => other.row.clone(),
            });
        }
        for (solved, row) in self.rows.iter_mut().zip(freed) {
            solved.row = row;
        }
        self.rows.push(Solved {
            row,
            term,
            coefficient,
        });
        Ok(())
    }

    /// Terms in what is no parameter, with their coefficients.
    fn terms(&self, fraction: &Fraction) -> Vec<(Term, Fraction)> {
        let moving: Vec<GeneratorId> = fraction
            .generators()
            .into_iter()
            .filter(|&g| self.is_moving(g))
            .collect();
        let found = self
            .field
            .coefficients(fraction, &moving)
            .unwrap_or_default();
        let named = |(powers, coefficient): (Vec<u16>, Fraction)| {
            let term = moving.iter().copied().zip(powers);
            (term.filter(|&(_, n)| n > 0).collect(), coefficient)
        };
        found
            .into_iter()
            .map(named)
            .filter(|(term, _): &(Term, _)| !term.is_empty())
            .collect()
    }

    fn coefficient(&self, fraction: &Fraction, term: &Term) -> Option<Fraction> {
        let mut terms = self.terms(fraction).into_iter();
        terms
            .find(|(other, _)| other == term)
            .map(|(_, coefficient)| coefficient)
    }

    fn is_moving(&self, generator: GeneratorId) -> bool {
        match self.field.kind(generator) {
            GeneratorKind::Symbol(symbol) => {
                self.graph.symbol_data(*symbol).kind != SymbolKind::Parameter
            }
            GeneratorKind::Pi => false,
            _ => true,
        }
    }
}

/// Residuals of rows, their rates, A q'' − b, and M q'' − f − Gᵀ λ.
fn rows(graph: &mut Graph, system: &System) -> Vec<ExprId> {
    let symbols = &system.symbols;
    let (n, m) = (symbols.coordinates.len(), system.rows.len());
    let laws = LawSymbols::of(graph, system);
    let all = Assembled::of(graph, system).listed(graph);
    let all = laws.read(graph, &all);
    let (mass, rest) = all.split_at(n * n);
    let (force, rest) = rest.split_at(n);
    let (accelerations, reactions) = rest.split_at(m * (n + 1));
    let position = system
        .rows
        .iter()
        .filter(|row| row.level == Level::Position);
    let mut rows: Vec<ExprId> = position.map(|row| row.residual).collect();
    rows.extend(system.rows.iter().filter_map(|row| row.rate));
    let times = |graph: &mut Graph, entries: &mut dyn Iterator<Item = ExprId>, of: &[SymbolId]| {
        let mut sum = graph.integer(0);
        for (entry, &symbol) in entries.zip(of) {
            let symbol = graph.symbol_node(symbol);
            let term = graph.mul(entry, symbol);
            sum = graph.add(sum, term);
        }
        sum
    };
    for row in accelerations.chunks(n + 1) {
        let sum = times(graph, &mut row.iter().copied(), &symbols.accelerations);
        rows.push(graph.sub(sum, row[n]));
    }
    for i in 0..n {
        let inertia = times(
            graph,
            &mut mass[i * n..(i + 1) * n].iter().copied(),
            &symbols.accelerations,
        );
        let mut column = (0..m).map(|k| reactions[k * n + i]);
        let reaction = times(graph, &mut column, &laws.multipliers);
        let given = graph.add(force[i], reaction);
        rows.push(graph.sub(inertia, given));
    }
    rows
}
