//! What acts on each particle and body, and how much momentum it has.
//!
//! ```text
//! reaction of a constraint     Σ λ_i g_i + w          g_i: the force of a unit multiplier of row i
//! resultant of all reactions   (m a − f, I α + ω × I ω − l)                              [A83] 1.5
//! momentum                     Σ m v                    Σ r × m v + I ω
//! ```
//!
//! It is found when someone asks, in a graph of its own: a model that is only run never pays for it.

use super::wrench::{Wrench, Wrenches};
use super::{Lowering, Symbols};
use crate::elaborate::{Target, Vector, VectorAlgebra};
use crate::ids::{ConstraintId, Id};
use crate::lower::RowId;
use crate::model::Model;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind};
use std::collections::BTreeMap;

/// Forces on particles and bodies and their momenta, in expressions of the motion and the multipliers.
pub struct Physical {
    /// All expressions.
    pub graph: Graph,
    /// What they are functions of.
    pub symbols: Symbols,
    /// Ways of slips, in the order of the frictions.
    pub ways: Vec<SymbolId>,
    /// Stands for components of forces that are not determined.
    pub open: SymbolId,
    /// Forces of a unit multiplier of each row.
    pub rows: Vec<Wrenches>,
    /// Reaction of each constraint, its virtual-work vector included.
    pub reactions: Vec<Wrenches>,
    /// What `record` asks of reactions at a place or in some axes, by the place in `record`.
    pub placed: Vec<Option<Wrench>>,
    /// The resultant of all reactions on each particle, then on each body; or why it is not determined.
    pub resultants: Vec<(Target, Result<Wrench, String>)>,
    /// What each of these is the sum of: inertia, what turning adds to it, and given forces with their sign turned; empty if it is not determined.
    pub terms: Vec<Vec<Wrench>>,
    /// Linear momentum and angular momentum about the origin of all particles and bodies; or why there is none.
    pub momentum: Result<[Vector; 2], String>,
    /// ∂T/∂q' by coordinate.
    pub momenta: Vec<ExprId>,
}

/// Forces and momenta of a model that can be lowered.
#[must_use]
pub fn physical(model: &Model) -> Physical {
    let model = &*model.with_measured_turns();
    // Nothing here asks for M.
    let mut work = Lowering::by(model, true);
    let rows: Vec<Wrenches> = Id::all(&work.rows)
        .map(|row| work.row_wrench(row))
        .collect();
    let mut of_constraint = vec![Vec::new(); model.constraints.len()];
    for (row, wrenches) in work.rows.iter().zip(&rows) {
        of_constraint[row.constraint.index()].push((row.name.clone(), wrenches.clone()));
    }
    let reactions = of_constraint
        .into_iter()
        .zip(Id::all(&model.constraints))
        .map(|(rows, constraint)| work.reaction_wrench(constraint, rows))
        .collect::<Vec<Wrenches>>();
    let asked = model.run.record.iter();
    let placed = asked
        .map(|expression| work.placed_reaction(expression, &reactions))
        .collect();
    let targets = work.targets().into_iter();
    let (mut resultants, mut terms) = (Vec::new(), Vec::new());
    for target in targets {
        let found = work.resultant(target);
        terms.push(
            found
                .as_ref()
                .map_or_else(|_| Vec::new(), |it| it.1.clone()),
        );
        resultants.push((target, found.map(|it| it.0)));
    }
    let momentum = work.momentum();
    let momenta = work.momenta();
    let open = work.open_force();
    let open = work
        .graph()
        .as_symbol(open)
        .expect("a symbol was just made");
    let frictions = work.frictions.iter();
    let ways = frictions.flat_map(|friction| friction.slip.ways().to_vec());
    let mut found = Physical {
        ways: ways.collect(),
        open,
        graph: work.scope.graph,
        symbols: work.symbols,
        rows,
        reactions,
        placed,
        resultants,
        terms,
        momentum,
        momenta,
    };
    found.refuse_unknowns();
    found
}

impl Physical {
    /// The inputs of a program of these expressions: q, q', t, parameters, q'', λ, ways of slips, and what is not
    /// determined.
    #[must_use]
    pub fn inputs(&self) -> Vec<SymbolId> {
        let symbols = &self.symbols;
        [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &symbols.parameters,
            &symbols.accelerations,
            &symbols.multipliers,
            &self.ways,
            &[self.open],
        ]
        .concat()
    }

    /// A force that depends on more than the inputs is not known here.
    fn refuse_unknowns(&mut self) {
        let mut known = vec![false; self.graph.symbol_count()];
        for symbol in self.inputs() {
            known[symbol.index()] = true;
        }
        let graph = &self.graph;
        let unknown = |wrenches: &[Wrench]| {
            let all = wrenches
                .iter()
                .flat_map(|it| it.force.into_iter().chain(it.moment));
            let all: Vec<ExprId> = all.collect();
            let symbols = Cone::new(graph, &all).symbols(graph);
            let unknown = symbols.into_iter().find(|symbol| !known[symbol.index()]);
            unknown.map(|symbol| format!("it depends on the {}", graph.symbol_data(symbol).name))
        };
        for reaction in &mut self.reactions {
            if let Some(why) = reaction.as_ref().ok().and_then(|it| unknown(it)) {
                *reaction = Err(why);
            }
        }
        for (_, resultant) in &mut self.resultants {
            if let Some(why) = resultant.as_ref().ok().and_then(|it| unknown(&[*it])) {
                *resultant = Err(why);
            }
        }
    }
}

impl Lowering<'_> {
    /// The reaction of a constraint with given forces of its rows: Σ λ g + w.
    fn reaction_wrench(
        &mut self,
        constraint: ConstraintId,
        rows: Vec<(String, Wrenches)>,
    ) -> Wrenches {
        let mut sums: BTreeMap<Target, Wrench> = BTreeMap::new();
        for (name, wrenches) in rows {
            let lambda = self.graph().symbol(&name, SymbolKind::Multiplier);
            for wrench in wrenches? {
                let g = self.graph();
                let (force, moment) = (
                    g.scale3(lambda, wrench.force),
                    g.scale3(lambda, wrench.moment),
                );
                let on = wrench.on;
                self.add_wrench(&mut sums, Wrench { on, force, moment });
            }
        }
        for wrench in self.nonideal_wrench(constraint)? {
            self.add_wrench(&mut sums, wrench);
        }
        Ok(sums.into_values().collect())
    }

    /// What a constraint acts on, or why that is not determined.
    pub(super) fn reaction_targets(
        &mut self,
        constraint: ConstraintId,
    ) -> Result<Vec<Target>, String> {
        // Rows stand in the order of their constraints.
        let begin = self.rows.partition_point(|row| row.constraint < constraint);
        let end = (self.rows).partition_point(|row| row.constraint <= constraint);
        let rows = (begin..end)
            .map(RowId::new)
            .map(|row| (self.rows[row].name.clone(), self.row_wrench(row)))
            .collect();
        let wrenches = self.reaction_wrench(constraint, rows)?;
        Ok(wrenches.into_iter().map(|wrench| wrench.on).collect())
    }

    /// (m a − f, I α + ω × I ω − l), and the terms of it.
    pub(super) fn resultant(&mut self, target: Target) -> Result<(Wrench, Vec<Wrench>), String> {
        let given = self.given_on(target)?;
        let zero = self.graph().zero3();
        let refused = || "its mass or motion was refused".to_owned();
        let (&(mass, inertia), motion) =
            (self.masses.get(&target).zip(self.center(target))).ok_or_else(refused)?;
        let attitude = match target {
            Target::Particle(_) => None,
            Target::Body(i) => self.scope.body(i).map(|body| body.attitude),
        };
        let acceleration = self.scope.rate3(motion.velocity);
        let mut force = self.graph().scale3(mass, acceleration);
        let mut moment = zero;
        let on = target;
        let part = |force, moment| Wrench { on, force, moment };
        let mut terms = vec![part(force, zero)];
        if let Some((inertia, attitude)) = inertia.zip(attitude) {
            // In body axes, where the inertia does not change.
            let g = self.graph();
            let omega = attitude.own_omega(g);
            let spin = g.rotate3(&inertia, omega);
            let gyroscopic = g.cross3(omega, spin);
            let alpha = self.scope.rate3(omega);
            let g = self.graph();
            let change = g.rotate3(&inertia, alpha);
            let sum = g.add3(change, gyroscopic);
            moment = g.rotate3(&attitude.matrix, sum);
            terms.extend([part(zero, change), part(zero, gyroscopic)]);
        }
        if let Some(given) = given {
            let g = self.graph();
            force = g.sub3(force, given.force);
            moment = g.sub3(moment, given.moment);
            terms.push(given);
        }
        Ok((part(force, moment), terms))
    }

    /// Whether all inertia belongs to particles and bodies; if not, in what it is given.
    pub(super) fn inertia_elsewhere(&self) -> Option<&'static str> {
        let kinetic = self.model.energy.as_ref();
        match kinetic.and_then(|energy| energy.kinetic.as_ref()) {
            Some(_) => Some("a kinetic energy"),
            None if self.model.dynamics.is_some() => Some("[dynamics]"),
            None => None,
        }
    }

    /// Σ m v and Σ r × m v + I ω
    fn momentum(&mut self) -> Result<[Vector; 2], String> {
        if let Some(what) = self.inertia_elsewhere() {
            return Err(format!(
                "the model has {what}, and which mass moves where is not known"
            ));
        }
        let zero = self.graph().zero3();
        let [mut linear, mut angular] = [zero; 2];
        for target in self.targets() {
            let Some((&(mass, inertia), motion)) =
                self.masses.get(&target).zip(self.center(target))
            else {
                continue;
            };
            let turning = match target {
                Target::Particle(_) => None,
                Target::Body(i) => inertia.zip(self.scope.body(i).map(|body| body.attitude)),
            };
            let g = self.graph();
            let own = g.scale3(mass, motion.velocity);
            linear = g.add3(linear, own);
            let about = g.cross3(motion.position, own);
            angular = g.add3(angular, about);
            if let Some((inertia, attitude)) = turning {
                let omega = attitude.own_omega(g);
                let spin = g.rotate3(&inertia, omega);
                let spin = g.rotate3(&attitude.matrix, spin);
                angular = g.add3(angular, spin);
            }
        }
        Ok([linear, angular])
    }
}
