//! Systems given by their energies ([A83] 2.3–2.5), or by their equations.
//!
//! ```text
//! M = ∂²T/∂q'²        h = ∂T/∂q − (d/dt ∂T/∂q')|q''=0 − ∂V/∂q − ∂D/∂q'
//! ```

use super::dependence::Order;
use super::inertia::{add_component, add_entry};
use super::{Given, Inertial, Lowering, Sparse};
use crate::model::Expression;
use dalembert_expr::ExprId;
use dalembert_expr::calculus::{gradient, hessian_lower};

impl Lowering<'_> {
    pub(super) fn energies(&mut self) {
        let Some(energy) = &self.model.energy else {
            return;
        };
        if let Some(expression) = &energy.kinetic
            && let Some(kinetic) = self.scope.scalar(expression)
            && self.limit_order(expression, kinetic, 1, "a kinetic energy")
            && !self.kinetic_jumps(expression, kinetic)
        {
            self.lagrange(kinetic);
        }
        if let Some(expression) = &energy.potential
            && let Some(potential) = self.scope.scalar(expression)
            && self.limit_order(expression, potential, 0, "a potential energy")
            && !self.refuse_jumps(
                expression,
                potential,
                ("a potential energy", &[Order::Coordinates]),
            )
        {
            self.conservative("potential", potential);
        }
        if let Some(expression) = &energy.dissipation
            && let Some(dissipation) = self.scope.scalar(expression)
            && self.limit_order(expression, dissipation, 1, "a dissipation function")
            && !self.refuse_jumps(
                expression,
                dissipation,
                ("a dissipation function", &[Order::Rates]),
            )
        {
            self.force_from("dissipation", dissipation, Order::Rates, false);
        }
    }

    /// Refuses a kinetic energy that jumps, or whose momenta do: |x'| has one that does.
    fn kinetic_jumps(&mut self, expression: &Expression, kinetic: ExprId) -> bool {
        let both = [Order::Coordinates, Order::Rates];
        if self.refuse_jumps_in_time(expression, kinetic, ("a kinetic energy", &both)) {
            return true;
        }
        let momenta = self.sparse_gradient(kinetic, Order::Rates);
        momenta.into_iter().any(|(_, momentum)| {
            let what = ("a momentum of this kinetic energy", &both[1..]);
            self.refuse_jumps_in_time(expression, momentum, what)
        })
    }

    fn lagrange(&mut self, kinetic: ExprId) {
        let rates = self.symbols.rates.clone();
        let mass = hessian_lower(self.graph(), kinetic, &rates);
        let part = Inertial {
            mass: mass.triplets().collect(),
            force: self.inertia_force(kinetic),
        };
        self.inertia.push(part);
        self.add_kinetic(kinetic);
    }

    /// ∂T/∂q − (d/dt ∂T/∂q')|q''=0
    fn inertia_force(&mut self, kinetic: ExprId) -> Sparse {
        let (q, v) = (self.symbols.coordinates.clone(), self.symbols.rates.clone());
        let momenta = gradient(self.graph(), kinetic, &v);
        let transport = self.rate_at_rest(&momenta);
        let slopes = gradient(self.graph(), kinetic, &q);
        let zero = self.graph().integer(0);
        let mut sparse = Sparse::new();
        for (i, (slope, transport)) in slopes.into_iter().zip(transport).enumerate() {
            let force = self.graph().sub(slope, transport);
            if force != zero {
                sparse.push((i, force));
            }
        }
        sparse
    }

    /// A force with the potential V: −∂V/∂q.
    pub(super) fn conservative(&mut self, name: &str, potential: ExprId) {
        self.force_from(name, potential, Order::Coordinates, true);
        self.add_potential(potential);
    }

    /// A force that is minus the gradient of a function by coordinates or rates.
    pub(super) fn force_from(
        &mut self,
        name: &str,
        function: ExprId,
        by: Order,
        conservative: bool,
    ) {
        let slopes = self.sparse_gradient(function, by);
        let force = slopes
            .into_iter()
            .map(|(i, slope)| (i, self.graph().neg(slope)))
            .collect();
        self.forces.push(Given {
            name: name.to_owned(),
            force,
            conservative,
            damping: None,
        });
    }

    /// M v' = h in the basis of the speeds: with v' = B q'' + γ, Bᵀ M B q'' = Bᵀ (h − M γ).
    pub(super) fn dynamics(&mut self) {
        let model = self.model;
        let Some(dynamics) = &model.dynamics else {
            return;
        };
        let n = match model.speeds.len() {
            0 => model.coordinates.len(),
            named => named,
        };
        let square = dynamics.mass_matrix.len() == n
            && dynamics.mass_matrix.iter().all(|row| row.len() == n);
        if !square || dynamics.force.len() != n {
            let (rows, entries) = (dynamics.mass_matrix.len(), dynamics.force.len());
            let message = format!(
                "mass_matrix has {rows} rows and force {entries} entries, and there are {n} speeds"
            );
            let help = "write one row, one column and one entry for each speed, or for each coordinate if there are none";
            let place = dynamics.place.clone();
            self.scope.report("E0415", place, message, help);
            return;
        }
        let zero = self.graph().integer(0);
        let mut entries = vec![vec![zero; n]; n];
        let mut force = vec![zero; n];
        for (row, expressions) in entries.iter_mut().zip(&dynamics.mass_matrix) {
            for (entry, expression) in row.iter_mut().zip(expressions) {
                let value = self.scope.scalar(expression);
                let what = "an entry of the mass matrix";
                *entry = value
                    .filter(|&value| self.limit_order(expression, value, 0, what))
                    .unwrap_or(zero);
            }
        }
        for (entry, expression) in force.iter_mut().zip(&dynamics.force) {
            let value = self.scope.scalar(expression);
            *entry = value
                .filter(|&value| self.limit_order(expression, value, 1, "a force"))
                .unwrap_or(zero);
        }
        self.symmetric(dynamics, &entries);
        self.in_coordinates(&entries, &force);
    }

    fn symmetric(&mut self, dynamics: &crate::model::Dynamics, entries: &[Vec<ExprId>]) {
        for (i, row) in entries.iter().enumerate() {
            for j in 0..i {
                let difference = self.graph().sub(row[j], entries[j][i]);
                let difference = dalembert_expr::simplify(self.graph(), &[difference])[0];
                let zero = self.graph().integer(0);
                if difference != zero {
                    let expression = &dynamics.mass_matrix[i][j];
                    let (i, j) = (i + 1, j + 1);
                    let message = format!(
                        "the mass matrix is not symmetric: entry {i}, {j} differs from entry {j}, {i}"
                    );
                    let help = "write the same expression in both";
                    self.scope.refuse_whole(expression, "E0416", message, help);
                }
            }
        }
    }

    fn in_coordinates(&mut self, entries: &[Vec<ExprId>], force: &[ExprId]) {
        let n = force.len();
        // B and γ of the speeds; the identity and 0 where the speeds are the rates.
        let (columns, gamma) = match &self.speeds {
            Some(speeds) => (speeds.matrix.clone(), speeds.gamma.clone()),
            None => {
                let (one, zero) = (self.graph().integer(1), self.graph().integer(0));
                ((0..n).map(|i| vec![(i, one)]).collect(), vec![zero; n])
            }
        };
        let mut part = Inertial::default();
        let mut given = Sparse::new();
        for (k, row) in entries.iter().enumerate() {
            for (l, &entry) in row.iter().enumerate() {
                for &(i, a) in &columns[k] {
                    for &(j, b) in &columns[l] {
                        if i >= j {
                            let product = self.graph().product([a, entry, b]);
                            add_entry(self.graph(), &mut part.mass, i, j, product);
                        }
                    }
                }
            }
            let products: Vec<ExprId> = row
                .iter()
                .zip(&gamma)
                .map(|(&m, &c)| self.scope.graph.mul(m, c))
                .collect();
            let inertial = self.graph().sum(products);
            let rest = self.graph().sub(force[k], inertial);
            for &(i, a) in &columns[k] {
                let component = self.graph().mul(a, rest);
                add_component(self.graph(), &mut given, i, component);
            }
        }
        // What of h is not the inertia of T is a given force, which has power.
        let kinetic = self.kinetic_of_matrix(entries);
        part.force = self.inertia_force(kinetic);
        for &(i, inertial) in &part.force {
            let opposite = self.graph().neg(inertial);
            add_component(self.graph(), &mut given, i, opposite);
        }
        let zero = self.graph().integer(0);
        given.retain(|&(_, force)| force != zero);
        self.forces.push(Given {
            name: "dynamics".to_owned(),
            force: given,
            conservative: false,
            damping: None,
        });
        self.inertia.push(part);
        self.add_kinetic(kinetic);
    }

    /// T = ½ vᵀ M v
    fn kinetic_of_matrix(&mut self, entries: &[Vec<ExprId>]) -> ExprId {
        let n = entries.len();
        let speeds: Vec<ExprId> = match &self.speeds {
            Some(speeds) => speeds.values.clone(),
            None => (0..n)
                .map(|i| self.scope.graph.symbol_node(self.symbols.rates[i]))
                .collect(),
        };
        let mut terms = Vec::new();
        for (i, row) in entries.iter().enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                terms.push(self.scope.graph.product([speeds[i], entry, speeds[j]]));
            }
        }
        let doubled = self.graph().sum(terms);
        let two = self.graph().integer(2);
        self.graph().div(doubled, two)
    }
}
