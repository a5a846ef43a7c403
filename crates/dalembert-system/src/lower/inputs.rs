//! Where inputs may stand: in forces, laws and constraints of velocities.
//!
//! An input is a parameter that is set from outside and constant between: its rate is not known. What is differentiated by time, positions and
//! inertias, may not depend on one.

use super::{Level, Lowering};
use dalembert_expr::{Cone, ExprId, SymbolId};

impl Lowering<'_> {
    /// Refuses inputs where their rates would be needed, by name.
    pub(super) fn refuse_inputs(&mut self) {
        let model = self.model;
        let names = model.parameters.iter().zip(self.scope.parameters());
        let inputs: Vec<(usize, SymbolId)> = (model.inputs.iter().enumerate())
            .filter_map(|(i, input)| {
                let (_, &own) = names
                    .clone()
                    .find(|((name, _), _)| name.text == input.text)?;
                Some((i, self.scope.graph.as_symbol(own)?))
            })
            .collect();
        if inputs.is_empty() {
            return;
        }
        let used = |work: &Self, expressions: &[ExprId]| {
            let symbols = Cone::new(&work.scope.graph, expressions).symbols(&work.scope.graph);
            let mut inputs = inputs.iter();
            let found = inputs.find(|(_, symbol)| symbols.contains(symbol));
            found.map(|&(i, _)| &model.inputs[i])
        };
        let worth: Vec<Option<ExprId>> = self.scope.worth().to_vec();
        for ((name, value), worth) in model.parameters.iter().zip(worth) {
            let own = worth.and_then(|worth| used(self, &[worth]));
            if let Some(input) = own.filter(|input| input.text != name.text) {
                let message = format!(
                    "the parameter `{}` uses the input `{}`, which changes",
                    name.text, input.text
                );
                let help = "write it into [definitions]";
                self.scope.refuse_whole(value, "E0498", message, help);
            }
        }
        let mass = self.inertia.iter().flat_map(|part| &part.mass);
        let mut inertia: Vec<ExprId> = mass.map(|&(_, _, value)| value).collect();
        inertia.push(self.kinetic);
        if let Some(input) = used(self, &inertia) {
            let message = format!(
                "a position, an inertia or the kinetic energy depends on the input `{}`, whose rate is not known",
                input.text
            );
            let help = "let a force or a constraint of velocities use it";
            self.scope
                .report("E0498", input.place.clone(), message, help);
        }
        let rows = self.rows.iter().filter(|row| row.level == Level::Position);
        let rows: Vec<_> = rows.map(|row| (row.constraint, row.residual)).collect();
        let mut told = None;
        for (constraint, residual) in rows {
            let Some(input) = used(self, &[residual]).filter(|_| told != Some(constraint)) else {
                continue;
            };
            told = Some(constraint);
            let message = format!(
                "the position constraint `{}` uses the input `{}`, whose rate is not known",
                model.constraints[constraint].name.text, input.text
            );
            let help = "prescribe a velocity by it, or let a force use it";
            let place = model.constraints[constraint].holds.whole();
            self.scope.report("E0498", place, message, help);
        }
    }
}
