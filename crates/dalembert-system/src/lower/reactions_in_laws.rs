//! Laws that use reactions: what `reaction(…)` stands for, once all rows are known.

use super::{Lowering, Sparse, System};
use crate::elaborate::{ReactionUse, Target, Vector, VectorAlgebra, holds_reaction};
use crate::ids::Id;
use crate::lower::RowId;
use crate::model::constraint_of;
use dalembert_expr::{Cone, ExprId, SymbolKind, substitute};

impl System {
    /// Whether a force or virtual-work vector depends on reactions.
    #[must_use]
    pub fn uses_reactions(&self, force: &Sparse) -> bool {
        let values: Vec<ExprId> = force.iter().map(|&(_, value)| value).collect();
        holds_reaction(&self.graph, &values)
    }

    /// Whether any law uses a reaction, so that accelerations follow from an algebraic problem.
    #[must_use]
    pub fn has_laws(&self) -> bool {
        let forces = self.forces.iter().map(|force| &force.force);
        let all = forces.chain(&self.nonideal).flatten();
        let values: Vec<ExprId> = all.map(|&(_, value)| value).collect();
        holds_reaction(&self.graph, &values)
    }
}

impl Lowering<'_> {
    /// Gives the rows their multipliers, and refuses reactions of no row.
    pub(super) fn reactions_in_laws(&mut self) {
        let names: Vec<String> = self.rows.iter().map(|row| row.name.clone()).collect();
        for name in &names {
            let graph = self.graph();
            let symbol = graph.symbol(name, SymbolKind::Multiplier);
            let symbol = graph.as_symbol(symbol).expect("a symbol was just made");
            self.symbols.multipliers.push(symbol);
        }
        let uses: Vec<ReactionUse> = self.scope.reactions().to_vec();
        let forces = self.meanings(&uses);
        if forces.is_empty() {
            return;
        }
        let g = &mut self.scope.graph;
        let mut put = |value: &mut ExprId| *value = substitute(g, &[*value], &forces)[0];
        let given = self.forces.iter_mut().map(|force| &mut force.force);
        let all = given.chain(&mut self.nonideal).flatten();
        all.for_each(|(_, value)| put(value));
        for friction in &mut self.frictions {
            put(&mut friction.coefficient);
            put(&mut friction.holding);
            let direction = friction.direction.iter_mut();
            direction.for_each(|(_, value)| put(value));
        }
        self.stands_for = forces;
        self.refuse_open_forces(&uses);
    }

    /// A condition with reactions: read after the laws, so what it uses besides is given its meaning here.
    pub(super) fn reactions_in_condition(&mut self, known: usize, condition: ExprId) -> ExprId {
        let uses: Vec<ReactionUse> = self.scope.reactions()[known..].to_vec();
        let mut forces = self.meanings(&uses);
        forces.extend(&self.stands_for);
        let condition = substitute(self.graph(), &[condition], &forces)[0];
        let open = self.open_force();
        let graph = &self.scope.graph;
        let symbols = Cone::new(graph, &[condition]).symbols(graph);
        if symbols
            .iter()
            .any(|&symbol| graph.as_symbol(open) == Some(symbol))
            && let Some(used) = uses.first()
        {
            let message = format!(
                "the force of `{}` is not determined along this axis",
                used.label
            );
            let help = "write lambda(NAME), the multiplier of a row";
            self.refuse_use(used, message, help);
        }
        condition
    }

    /// What the symbols of reactions stand for where they are no multipliers themselves; refuses reactions of no row.
    fn meanings(&mut self, uses: &[ReactionUse]) -> Vec<(ExprId, ExprId)> {
        let names: Vec<String> = self.rows.iter().map(|row| row.name.clone()).collect();
        let mut forces: Vec<(ExprId, ExprId)> = Vec::new();
        for used in uses {
            let rows = self.rows_of(&used.label);
            match (&used.on, rows.as_slice()) {
                // Rows that were refused are not missed as well.
                (_, []) if !self.scope.diagnostics.is_empty() => {}
                (_, []) => {
                    let constraint = constraint_of(&used.label);
                    let message = format!("there is no row `{}`", used.label);
                    let help = format!("write reaction({constraint})");
                    self.refuse_use(used, message, &help);
                }
                (Some((target, symbols)), rows) => {
                    if let Some(force) = self.force_on(used, *target, rows) {
                        forces.extend(symbols.iter().copied().zip(force));
                    }
                }
                (None, &[row]) if self.is_trivial(row) => {
                    let lambda = self.symbols.multipliers[row.index()];
                    let g = self.graph();
                    forces.push((g.symbol_node(lambda), g.integer(0)));
                }
                (None, [_]) => {}
                (None, rows) => {
                    let parts: Vec<&str> = rows
                        .iter()
                        .map(|&row| names[row.index()].as_str())
                        .collect();
                    let (label, count) = (&used.label, parts.len());
                    let message = format!("`{label}` has {count} rows, and each has a reaction");
                    let help = format!("write reaction({}), …", parts.join("), reaction("));
                    self.refuse_use(used, message, &help);
                }
            }
        }
        forces
    }

    /// Refuses laws that use a component of a force that is not determined.
    fn refuse_open_forces(&mut self, uses: &[ReactionUse]) {
        let open = self.open_force();
        let graph = &self.scope.graph;
        let holds = |values: &[ExprId]| {
            let symbols = Cone::new(graph, values).symbols(graph);
            symbols
                .iter()
                .any(|&symbol| graph.as_symbol(open) == Some(symbol))
        };
        let given = self.forces.iter().map(|force| &force.force);
        let all = given.chain(&self.nonideal).flatten();
        let mut values: Vec<ExprId> = all.map(|&(_, value)| value).collect();
        let coefficients = self.frictions.iter();
        values.extend(coefficients.flat_map(|it| [it.coefficient, it.holding]));
        if !holds(&values) {
            return;
        }
        let meant = |symbol: ExprId| {
            let known = self.stands_for.iter().find(|(known, _)| *known == symbol);
            known.map_or(symbol, |&(_, force)| force)
        };
        let guilty = uses.iter().find(|used| {
            let on = used.on.as_ref();
            on.is_some_and(|(_, symbols)| holds(&symbols.map(meant)))
        });
        if let Some(used) = guilty.cloned() {
            let message = format!(
                "the force of `{}` is not determined along an axis that the law uses",
                used.label
            );
            let help = "write the constraint with pos, vel or omega of what is held";
            self.refuse_use(&used, message, help);
        }
    }

    /// Whether a row says 0 = 0: nothing holds it, and its reaction is none.
    fn is_trivial(&mut self, row: RowId) -> bool {
        let zero = self.graph().integer(0);
        self.rows[row].residual == zero
    }

    /// Rows of a constraint, or the row of that name.
    fn rows_of(&self, label: &str) -> Vec<RowId> {
        let constraints = &self.model.constraints;
        let rows = Id::enumerate(&self.rows);
        rows.filter(|(_, row)| row.name == label || constraints[row.constraint].name.text == label)
            .map(|(id, _)| id)
            .collect()
    }

    /// Σ λ f on a particle or body.
    fn force_on(&mut self, used: &ReactionUse, target: Target, rows: &[RowId]) -> Option<Vector> {
        let mut sum = self.graph().zero3();
        let mut found = false;
        if let Some(held) = self.model.constraints[self.rows[rows[0]].constraint]
            .enforced_by
            .first()
        {
            let message = format!(
                "`{}` holds `{}`, which has no reaction",
                held.text, used.label
            );
            self.refuse_use(used, message, "write reaction(NAME), the size of the force");
            return None;
        }
        for &row in rows {
            if self.is_trivial(row) {
                continue;
            }
            let wrenches = match self.row_wrench(row) {
                Ok(wrenches) => wrenches,
                Err(reason) => {
                    let message = format!(
                        "the force of `{}` on `{}` is not determined: {reason}",
                        used.label,
                        target.name(self.model)
                    );
                    let help = "write reaction(NAME), the multiplier of a row";
                    self.refuse_use(used, message, help);
                    return None;
                }
            };
            let lambda = self.symbols.multipliers[row.index()];
            let g = &mut self.scope.graph;
            for wrench in wrenches.iter().filter(|wrench| wrench.on == target) {
                found = true;
                let lambda = g.symbol_node(lambda);
                let part = g.scale3(lambda, wrench.force);
                sum = g.add3(sum, part);
            }
        }
        if !found {
            let (label, name) = (&used.label, target.name(self.model));
            let message = format!("`{label}` does not act on `{name}`");
            self.refuse_use(used, message, "name what the constraint speaks of");
            return None;
        }
        Some(sum)
    }

    /// Directions of forces that hold constraints are known before the reactions are.
    pub(super) fn refuse_lawful_servos(&mut self) {
        for index in 0..self.servo.len() {
            let force = &self.forces[self.servo[index].force];
            let values: Vec<ExprId> = force.force.iter().map(|&(_, value)| value).collect();
            if !self.scope.holds_reaction(&values) {
                continue;
            }
            let constraint = self.rows[self.servo[index].row].constraint;
            let constraint = &self.model.constraints[constraint];
            let message = format!(
                "`{}` holds `{}`, and its direction uses a reaction",
                force.name, constraint.name.text
            );
            let help = "a force that holds a constraint gives a direction; add what follows a reaction as a force of its own";
            let place = constraint.enforced_by[0].place.clone();
            self.scope.report("E0479", place, message, help);
        }
    }

    fn refuse_use(&mut self, used: &ReactionUse, message: String, help: &str) {
        self.scope
            .report("E0472", used.place.clone(), message, help);
    }
}
