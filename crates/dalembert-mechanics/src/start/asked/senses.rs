//! Joints that closed the other way round.
//!
//! That an axis of one body is square to two directions of another holds as well where it points the other way, and a bad guess may end there. Such a start
//! is looked for once more, with the cosines of all joints as further rows: cos = 1 pulls where the rows alone push away.

use super::{Assembler, error};
use crate::diagnostic::Diagnostic;
use crate::ids::ConstraintId;
use crate::lower::{Said, Started};
use crate::mode::{Mode, reversed_joint};
use dalembert_expr::calculus::gradient;
use dalembert_expr::{Cone, Graph, SymbolId};

impl Assembler<'_> {
    /// The first joint that stands the other way round.
    pub(super) fn reversed(&mut self, q: &[f64]) -> Option<ConstraintId> {
        self.evaluator.set_position(self.t, q);
        let value_of = self.evaluator.value_of();
        reversed_joint(self.system, &Mode::default(), value_of)
    }

    /// cos = 1 for all joints, in a graph that has their slopes too.
    pub(super) fn cosines_as_said(&self) -> (Graph, Vec<Said>) {
        let mut graph = self.system.graph.clone();
        let coordinates = &self.system.symbols.coordinates;
        let mut places = vec![None; graph.symbol_count()];
        for (i, symbol) in coordinates.iter().enumerate() {
            places[symbol.index()] = Some(i);
        }
        let (zero, one) = (graph.integer(0), graph.integer(1));
        let said = self.system.senses.iter().filter(|sense| {
            let activity = &self.system.activity;
            activity[sense.constraint.index()].at_start()
        });
        let said = said.map(|sense| {
            let joint = &self.model.constraints[sense.constraint];
            let symbols = Cone::new(&graph, &[sense.cosine])
                .symbols(&graph)
                .into_iter();
            let own: Vec<(usize, SymbolId)> = symbols
                .filter_map(|symbol| Some((places[symbol.index()]?, symbol)))
                .collect();
            let symbols: Vec<SymbolId> = own.iter().map(|it| it.1).collect();
            let slopes = gradient(&mut graph, sense.cosine, &symbols);
            Said {
                name: joint.name.text.clone(),
                expression: sense.cosine,
                slopes: own.iter().map(|it| it.0).zip(slopes).collect(),
                offset: zero,
                started: Started {
                    value: Some(one),
                    must: true,
                    place: joint.name.place.clone(),
                },
            }
        });
        let said = said.collect();
        (graph, said)
    }

    pub(super) fn refuse_reversed(&mut self, q: &[f64]) -> Option<Vec<Diagnostic>> {
        let constraint = self.reversed(q)?;
        let name = &self.model.constraints[constraint].name;
        let ends = self.model.constraints[constraint].joint.as_ref();
        let on = ends.into_iter().flat_map(|ends| ends.on.iter().flatten());
        let bodies: Vec<String> = on.map(|body| format!("`{}`", body.text)).collect();
        let message = format!(
            "the joint `{}` closes the other way round only: the axes of {} point against each other there",
            name.text,
            match bodies.as_slice() {
                [one] => format!("{one} and the ground"),
                bodies => bodies.join(" and "),
            }
        );
        let help = format!(
            "turn the guess for {}: start = {{ attitude = … }}, so that its axes stand within a right angle of how they are meant; or turn the axis or the `attitude` of the joint",
            bodies.last().map_or("its body", String::as_str)
        );
        Some(vec![error("E0532", message, help, name.place.clone())])
    }
}
