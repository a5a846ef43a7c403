//! What the motion solves, taken apart into elements, and their derivatives.

use super::{By, Places};
use crate::Mechanism;
use crate::equations::{Entry, drive, quadratic};
use crate::ids::Id;
use crate::linear::Pattern;
use crate::lower::{Sparse, Symbols, System};
use dalembert_expr::calculus::jacobian;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId};

/// Entries from which the parts of one force in a large model are elements of their own.
const LONG: usize = 64;

/// Parts of R, S, P, V and C: each a list of rows and what is added there.
pub(super) struct Elements<'a> {
    mechanism: &'a Mechanism,
    g: &'a mut Graph,
    places: &'a Places,
    all: Vec<Sparse>,
}

/// The column of each symbol.
pub(super) fn columns(graph: &Graph, symbols: &Symbols, places: &Places) -> Vec<Option<usize>> {
    let mut columns = vec![None; graph.symbol_count()];
    let mut put = |list: &[SymbolId], start: usize| {
        for (i, symbol) in list.iter().enumerate() {
            columns[symbol.index()] = Some(start + i);
        }
    };
    put(&symbols.coordinates, places.coordinates.start);
    put(&symbols.rates, places.rates.start);
    put(&[symbols.time], places.time);
    put(&symbols.parameters, places.parameters.start);
    put(&symbols.accelerations, places.accelerations.start);
    put(&symbols.multipliers, places.multipliers.start);
    columns
}

impl<'a> Elements<'a> {
    pub(super) fn new(mechanism: &'a Mechanism, g: &'a mut Graph, places: &'a Places) -> Self {
        let mut elements = Self {
            mechanism,
            g,
            places,
            all: Vec::new(),
        };
        elements.inertia();
        elements.forces();
        elements.constraints();
        elements.drive();
        elements.speeds();
        elements
    }

    fn system(&self) -> &'a System {
        &self.mechanism.system
    }

    fn acceleration(&mut self, i: usize) -> ExprId {
        let symbol = self.system().symbols.accelerations[i];
        self.g.symbol_node(symbol)
    }

    fn rate(&mut self, i: usize) -> ExprId {
        let symbol = self.system().symbols.rates[i];
        self.g.symbol_node(symbol)
    }

    fn inertia(&mut self) {
        let row = self.places.equations.start;
        for part in &self.system().inertia {
            let mut element = Vec::new();
            for &(i, j, value) in &part.mass {
                let (a_i, a_j) = (self.acceleration(i), self.acceleration(j));
                element.push((row + i, self.g.mul(value, a_j)));
                if i != j {
                    element.push((row + j, self.g.mul(value, a_i)));
                }
            }
            for &(i, value) in &part.force {
                element.push((row + i, self.g.neg(value)));
            }
            self.all.push(element);
        }
    }

    /// Given forces and w; those that are not in the potential have a power.
    fn forces(&mut self) {
        let system = self.system();
        for force in system.given_forces() {
            self.force(&force.force, !force.conservative);
        }
        for nonideal in &system.nonideal {
            self.force(nonideal, true);
        }
    }

    fn force(&mut self, force: &Sparse, works: bool) {
        let mut element = Vec::new();
        for &(i, value) in force {
            element.push((self.places.equations.start + i, self.g.neg(value)));
            if works {
                let rate = self.rate(i);
                element.push((self.places.power, self.g.mul(value, rate)));
            }
        }
        if force.len() < LONG {
            self.all.push(element);
        } else {
            self.all.extend(element.into_iter().map(|part| vec![part]));
        }
    }

    fn constraints(&mut self) {
        let (system, equations) = (self.system(), &self.mechanism.equations);
        let first = self.places.constraints.start;
        for (id, row) in Id::enumerate(&system.rows) {
            let (index, held_by) = (id.index(), system.held_by(id));
            let lambda = self.g.symbol_node(system.symbols.multipliers[index]);
            let mut element = Vec::new();
            let mut reach = self.g.integer(0);
            let present = row.jacobian.iter();
            for &(j, value) in present.filter(|(_, value)| !equations.vanishes(*value)) {
                let (acceleration, rate) = (self.acceleration(j), self.rate(j));
                element.push((first + index, self.g.mul(value, acceleration)));
                let along = self.g.mul(value, rate);
                reach = self.g.add(reach, along);
                if held_by.is_none() {
                    let reaction = self.g.mul(value, lambda);
                    let row = self.places.equations.start + j;
                    element.push((row, self.g.neg(reaction)));
                }
            }
            if !equations.vanishes(row.bias) {
                element.push((first + index, self.g.neg(row.bias)));
            }
            if let Some(force) = held_by {
                reach = self.g.integer(0);
                for &(j, value) in &system.forces[force].force {
                    let (reaction, rate) = (self.g.mul(value, lambda), self.rate(j));
                    let row = self.places.equations.start + j;
                    element.push((row, self.g.neg(reaction)));
                    let along = self.g.mul(value, rate);
                    reach = self.g.add(reach, along);
                }
            }
            if !row.powerless || held_by.is_some() {
                element.push((self.places.power, self.g.mul(lambda, reach)));
            }
            self.all.push(element);
        }
    }

    fn drive(&mut self) {
        let system = self.system();
        let energies = (system.kinetic, system.potential);
        let drive = drive(self.g, &system.symbols, energies, quadratic(system));
        self.all.push(vec![(self.places.power, drive)]);
    }

    fn speeds(&mut self) {
        let Some(speeds) = &self.system().speeds else {
            return;
        };
        for (i, row) in speeds.matrix.iter().enumerate() {
            let mut rate = speeds.gamma[i];
            let is_named = i < speeds.named;
            if !is_named {
                // It stays zero, by whatever its identity says.
                rate = self.g.integer(0);
            }
            for &(j, value) in row.iter().filter(|_| is_named) {
                let acceleration = self.acceleration(j);
                let product = self.g.mul(value, acceleration);
                rate = self.g.add(rate, product);
            }
            let (value, rate_row) = (speeds.values[i], self.places.speed_rates.start + i);
            let value_row = self.places.speeds.start + i;
            self.all.push(vec![(value_row, value), (rate_row, rate)]);
        }
    }

    /// All derivatives, element by element, and where they are stored.
    pub(super) fn derivatives(self, by: By) -> (Vec<Vec<Entry>>, Pattern) {
        let Self { g, places, .. } = self;
        let columns = columns(g, &self.mechanism.system.symbols, places);
        let is_wanted = |column: usize| match by {
            By::State => column < places.time || column >= places.accelerations.start,
            By::Everything => true,
        };
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); places.rows()];
        let mut found: Vec<Vec<(usize, usize, ExprId)>> = Vec::with_capacity(self.all.len());
        for element in &self.all {
            let values: Vec<ExprId> = element.iter().map(|&(_, value)| value).collect();
            let symbols = Cone::new(g, &values).symbols(g);
            let known = |symbol: &SymbolId| columns[symbol.index()].filter(|&it| is_wanted(it));
            let symbols: Vec<SymbolId> =
                symbols.into_iter().filter(|s| known(s).is_some()).collect();
            let slopes = jacobian(g, &values, &symbols);
            let mut entries = Vec::with_capacity(slopes.len());
            for (from, by, slope) in slopes.triplets() {
                let (row, column) = (element[from].0, known(&symbols[by]));
                let column = column.expect("chosen above");
                lists[row].push(column);
                entries.push((row, column, slope));
            }
            found.push(entries);
        }
        let pattern = Pattern::compressed(places.columns(), &lists);
        let entry = |(row, column, value)| Entry {
            value,
            targets: vec![pattern.place(row, column).expect("listed above")],
        };
        let entries = found.into_iter();
        let entries = entries.map(|part| part.into_iter().map(entry).collect());
        (entries.collect(), pattern)
    }
}
