//! The surface on which a system moves, in symbols: what its constraints give in terms of the rest.
//!
//! ```text
//! position rows    φ(q, p, t) = 0     a coordinate that occurs linearly is solved for: x = l sin(phi)
//!                                     else a parameter that does: l2 = … ; else a power of a symbol is replaced
//! velocity rows    A q' + c = 0       solved for as many rates as there are independent rows, φ' included
//!                  ψ(q, q', p, t) = 0 not linear: as a position row, for a rate or a parameter
//! ```
//!
//! An expression vanishes on the surface, for every state and all values of the parameters that the rows allow, if it
//! vanishes with all this put in: the symbols that are left are free there. Solving for a parameter is as good as solving
//! for a coordinate, because it is done after everything was differentiated.
//!
//! What is divided by is assumed not to vanish, so a surface is described but for exceptional states, which are limits of
//! others.

mod corner;
mod solve;
mod witness;

pub use corner::{corner, may_have_corners};
pub use solve::{root, slopes};
pub use witness::{Met, Witnesses};

use dalembert_expr::normal::{Field, Fraction, Limits, Outside};
use dalembert_expr::{ExprId, Graph, SymbolId, substitute};
use dalembert_mechanics::lower::{Level, Row, System};
use dalembert_mechanics::start::State;
use solve::{Candidates, Solution};
use std::fmt;

/// Why a surface cannot be described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// A row that nothing can be solved from, by name.
    Row(String),
    /// Rows that cannot hold together, by the name of one.
    Contradictory(String),
    /// Solved only where the system does not move: what was divided by vanishes wherever the rows hold.
    Elsewhere,
    /// Solved on a branch that the start is not on.
    OnAnotherBranch,
    /// A row is beyond the normal form.
    Outside(Outside),
}

impl From<Outside> for Unsolved {
    fn from(outside: Outside) -> Self {
        Self::Outside(outside)
    }
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "the row `{row}` cannot be solved in symbols"),
            Self::Contradictory(row) => write!(f, "the row `{row}` contradicts the others"),
            Self::Elsewhere => f.write_str(
                "the rows depend on each other wherever they hold, and are not solved in symbols there",
            ),
            Self::OnAnotherBranch => f.write_str(
                "the rows have several branches, and are not solved in symbols on that of the start",
            ),
            Self::Outside(outside) => outside.fmt(f),
        }
    }
}

/// What stands for a symbol on the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// A coordinate, a rate or a parameter.
    pub symbol: SymbolId,
    /// Its value, in symbols that stay free.
    pub value: ExprId,
}

/// A power of a symbol that stands for a polynomial in others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The symbol.
    pub symbol: SymbolId,
    /// Its power.
    pub power: u16,
    /// What the power is.
    pub value: ExprId,
}

/// A row that is a product: it holds on this branch, and on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// left = right on this branch.
    pub left: ExprId,
    /// See there.
    pub right: ExprId,
    /// What vanishes on the other.
    pub other: ExprId,
}

/// The surface of a system.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Coordinates, and parameters, that rows give.
    pub positions: Vec<Given>,
    /// Rates that rows give.
    pub rates: Vec<Given>,
    /// What rows say about powers.
    pub relations: Vec<Relation>,
    /// Coordinates whose rates are given, by index, in the order in which they were solved for.
    pub dependent: Vec<usize>,
    /// Rows that are products, of which one factor vanishes here.
    pub branches: Vec<Branch>,
    /// What was put in for parameters from the start.
    fixed: Vec<(ExprId, ExprId)>,
}

impl Surface {
    /// Describes the surface of a system whose expressions are in `graph`, with values put in for some parameters first, and
    /// rates that are solved for before others, where rows allow it, by index of their coordinates. With witnesses, on the
    /// branch of the start, and where states that meet the rows are.
    ///
    /// # Errors
    /// A row cannot be solved in symbols.
    pub fn with_dependent(
        graph: &mut Graph,
        system: &System,
        (fixed, dependent): (&[(ExprId, ExprId)], &[usize]),
        witnesses: Option<&Witnesses<'_>>,
    ) -> Result<Self, Unsolved> {
        let mut surface = Self {
            fixed: fixed.to_vec(),
            ..Self::default()
        };
        let mut field = Field::new();
        surface.solve_positions(graph, &mut field, (system, &|_| true), witnesses)?;
        surface.solve_rates(graph, &mut field, system, dependent)?;
        let nonlinear = |row: &&Row| row.level == Level::Velocity && !row.linear;
        for row in system.rows.iter().filter(nonlinear) {
            let found = Candidates::of_rates(system, &surface);
            surface.solve(graph, &mut field, row, (&found, witnesses))?;
        }
        surface.met(graph, witnesses)
    }

    /// Describes what the rows of positions that hold give alone, on the branch of the start, and within limits.
    ///
    /// # Errors
    /// A row cannot be solved in symbols.
    pub fn of_positions(
        graph: &mut Graph,
        rows: (&System, &dyn Fn(&Row) -> bool),
        witnesses: &Witnesses<'_>,
        limits: Limits,
    ) -> Result<Self, Unsolved> {
        let mut surface = Self::default();
        let mut field = Field::with_limits(limits);
        surface.solve_positions(graph, &mut field, rows, Some(witnesses))?;
        surface.met(graph, Some(witnesses))
    }

    fn solve_positions(
        &mut self,
        graph: &mut Graph,
        field: &mut Field,
        (system, holds): (&System, &dyn Fn(&Row) -> bool),
        witnesses: Option<&Witnesses<'_>>,
    ) -> Result<(), Unsolved> {
        let positions = |row: &&Row| row.level == Level::Position && holds(row);
        for row in system.rows.iter().filter(positions) {
            let found = Candidates::of_positions(system, self);
            self.solve(graph, field, row, (&found, witnesses))?;
        }
        Ok(())
    }

    /// As it is, if the witnesses are on it.
    fn met(
        mut self,
        graph: &mut Graph,
        witnesses: Option<&Witnesses<'_>>,
    ) -> Result<Self, Unsolved> {
        self.settle(graph);
        match witnesses.map_or(Met::Everywhere, |it| it.meet(graph, &self.given())) {
            Met::Everywhere => Ok(self),
            Met::OnAnotherBranch => Err(Unsolved::OnAnotherBranch),
            Met::Nowhere => Err(Unsolved::Elsewhere),
        }
    }

    /// Whether a state that meets the rows is on the surface, as far as doubles can tell.
    #[must_use]
    pub fn holds(&self, graph: &Graph, witnesses: &Witnesses<'_>, state: &State) -> bool {
        let met = |&(symbol, value): &(SymbolId, ExprId)| {
            witnesses.meets(graph, state, symbol, value) != Some(false)
        };
        self.given().iter().all(met)
    }

    /// Symbols that rows give, and their values.
    #[must_use]
    pub fn given(&self) -> Vec<(SymbolId, ExprId)> {
        let given = self.positions.iter().chain(&self.rates);
        given.map(|given| (given.symbol, given.value)).collect()
    }

    /// Expressions on the surface.
    #[must_use]
    pub fn put_in(&self, graph: &mut Graph, expressions: &[ExprId]) -> Vec<ExprId> {
        let replacements = self.replacements(graph);
        substitute(graph, expressions, &replacements)
    }

    /// Lets a field know the relations.
    ///
    /// # Errors
    /// A relation is too large.
    pub fn declare(&self, graph: &Graph, field: &mut Field) -> Result<(), Outside> {
        for relation in &self.relations {
            let generator = field.symbol(relation.symbol)?;
            let image = field.take(graph, relation.value)?;
            let image = image.as_polynomial().ok_or(Outside::Circular)?;
            field.declare(generator, relation.power, image)?;
        }
        Ok(())
    }

    /// Symbols and what stands for them.
    fn replacements(&self, graph: &Graph) -> Vec<(ExprId, ExprId)> {
        let given = self.positions.iter().chain(&self.rates);
        let given = given.map(|given| (graph.symbol_node(given.symbol), given.value));
        self.fixed.iter().copied().chain(given).collect()
    }

    fn is_given(&self, symbol: SymbolId) -> bool {
        let given = self.positions.iter().chain(&self.rates);
        let mut symbols = given
            .map(|given| given.symbol)
            .chain(self.relations.iter().map(|relation| relation.symbol));
        symbols.any(|known| known == symbol)
    }

    /// Solves one row for one of the candidates.
    fn solve(
        &mut self,
        graph: &mut Graph,
        field: &mut Field,
        row: &Row,
        wanted: (&Candidates, Option<&Witnesses<'_>>),
    ) -> Result<(), Unsolved> {
        self.settle(graph);
        let mut residual = self.put_in(graph, &[row.residual])[0];
        if let Some(witnesses) = wanted.1
            && let Some((own, others)) = witnesses.factor(graph, residual)
        {
            let right = graph.integer(0);
            let branch = |other| Branch {
                left: own,
                right,
                other,
            };
            for other in others {
                let taken = field.take(graph, other)?;
                if !solve::cannot_vanish(field, &taken) {
                    self.branches.push(branch(other));
                }
            }
            residual = own;
        }
        if let Some((own, other)) = wanted.1.and_then(|it| it.angle(graph, residual)) {
            let right = graph.integer(0);
            self.branches.push(Branch {
                left: own,
                right,
                other,
            });
            residual = own;
        }
        match solve::solve(graph, field, residual, wanted)? {
            Solution::Holds => {}
            Solution::Given(given, others) => {
                self.branches.extend(others.into_iter().map(|other| Branch {
                    left: graph.symbol_node(given.symbol),
                    right: given.value,
                    other,
                }));
                let is_rate = graph.symbol_data(given.symbol).order > 0;
                let list = if is_rate {
                    &mut self.rates
                } else {
                    &mut self.positions
                };
                list.push(given);
            }
            Solution::Relation(relation) => {
                self.relations.push(relation);
                let generator = field.symbol(relation.symbol)?;
                let image = field.take(graph, relation.value)?;
                let image = image.as_polynomial().ok_or(Outside::Circular)?;
                field.declare(generator, relation.power, image)?;
            }
            Solution::None => return Err(Unsolved::Row(row.name.clone())),
        }
        Ok(())
    }

    /// Solves φ' = 0 and the linear velocity rows for rates.
    fn solve_rates(
        &mut self,
        graph: &mut Graph,
        field: &mut Field,
        system: &System,
        dependent: &[usize],
    ) -> Result<(), Unsolved> {
        self.settle(graph);
        let rates = &system.symbols.rates;
        let n = rates.len();
        let zero = graph.integer(0);
        let rows: Vec<(&Row, ExprId)> = system
            .rows
            .iter()
            .filter(|row| row.linear)
            .filter_map(|row| Some((row, row.rate?)))
            .collect();
        let at_rest: Vec<(ExprId, ExprId)> = rates
            .iter()
            .map(|&rate| (graph.symbol_node(rate), zero))
            .collect();
        let mut entries = Vec::with_capacity(rows.len() * (n + 1));
        for &(row, rate) in &rows {
            let start = entries.len();
            entries.resize(start + n, zero);
            for &(column, entry) in &row.jacobian {
                entries[start + column] = graph.add(entries[start + column], entry);
            }
            entries.push(substitute(graph, &[rate], &at_rest)[0]);
        }
        let entries = self.put_in(graph, &entries);
        let taken: Result<Vec<Fraction>, Outside> =
            field.take_all(graph, &entries).into_iter().collect();
        let matrix: Vec<Vec<Fraction>> = taken?.chunks(n + 1).map(<[Fraction]>::to_vec).collect();
        for ((row, _), entries) in rows.iter().zip(&matrix) {
            if row.level == Level::Velocity {
                self.branches.extend(common(graph, field, entries, rates)?);
            }
        }
        let mut solved = self.solved_coordinates(system);
        solved.extend(
            dependent
                .iter()
                .filter(|&k| !solved.contains(k))
                .copied()
                .collect::<Vec<_>>(),
        );
        let echelon = field.echelon(&matrix, n, &solved)?;
        for row in &echelon.rows[echelon.pivots.len()..] {
            if !field.is_zero(&row[n])? {
                let name = rows.last().map_or("", |(row, _)| &row.name);
                return Err(Unsolved::Contradictory(name.to_owned()));
            }
        }
        for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
            let mut value = graph.integer(0);
            for (column, entry) in row.iter().enumerate() {
                if column == pivot || entry.is_zero() {
                    continue;
                }
                let entry = field.to_graph(graph, entry);
                let term = match rates.get(column) {
                    Some(&rate) => {
                        let rate = graph.symbol_node(rate);
                        graph.mul(entry, rate)
                    }
                    None => entry,
                };
                value = graph.sub(value, term);
            }
            let symbol = rates[pivot];
            self.rates.push(Given { symbol, value });
            self.dependent.push(pivot);
        }
        Ok(())
    }

    /// Coordinates that positions give, by index.
    fn solved_coordinates(&self, system: &System) -> Vec<usize> {
        let coordinates = &system.symbols.coordinates;
        let index = |given: &Given| coordinates.iter().position(|&q| q == given.symbol);
        self.positions.iter().filter_map(index).collect()
    }

    /// Puts what is given into what is given: no value holds a symbol that another gives.
    fn settle(&mut self, graph: &mut Graph) {
        // Each was solved for after those before it were put in, so a few rounds are enough.
        for _ in 0..self.positions.len() + self.rates.len() {
            let replacements = self.replacements(graph);
            let values = |list: &[Given]| list.iter().map(|given| given.value).collect::<Vec<_>>();
            let mut before = values(&self.positions);
            before.extend(values(&self.rates));
            before.extend(self.relations.iter().map(|relation| relation.value));
            let after = substitute(graph, &before, &replacements);
            if after == before {
                return;
            }
            let mut after = after.into_iter();
            let given = self.positions.iter_mut().chain(&mut self.rates);
            let relations = self.relations.iter_mut();
            let slots = given.map(|given| &mut given.value);
            for slot in slots.chain(relations.map(|relation| &mut relation.value)) {
                *slot = after.next().unwrap_or(*slot);
            }
        }
    }
}

/// A row of rates, and what is known beside them, whose entries have something in common that may vanish: the row says
/// nothing there.
fn common(
    graph: &mut Graph,
    field: &Field,
    entries: &[Fraction],
    rates: &[SymbolId],
) -> Result<Option<Branch>, Outside> {
    let Some(first) = entries.iter().find(|entry| !entry.is_zero()) else {
        return Ok(None);
    };
    // What all ratios to the first have below the bar.
    let mut below = Fraction::one();
    let mut ratios = Vec::with_capacity(entries.len());
    for entry in entries {
        let ratio = field.div(entry, first)?;
        let more = field.mul(&ratio, &below)?.denominator().clone();
        below = field.mul(&below, &Fraction::from(more))?;
        ratios.push(ratio);
    }
    let inverse = field.div(&Fraction::one(), &below)?;
    let Some(other) = solve::factor(graph, field, first, &inverse)? else {
        return Ok(None);
    };
    let mut left = graph.integer(0);
    for (ratio, rate) in ratios.iter().zip(rates.iter().map(Some).chain([None])) {
        let part = field.to_graph(graph, &field.mul(ratio, &below)?);
        let term = match rate {
            Some(&rate) => {
                let rate = graph.symbol_node(rate);
                graph.mul(part, rate)
            }
            None => part,
        };
        left = graph.add(left, term);
    }
    let right = graph.integer(0);
    Ok(Some(Branch { left, right, other }))
}
