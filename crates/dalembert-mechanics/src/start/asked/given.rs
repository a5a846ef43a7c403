//! Numbers for what the user wrote of the start.

use super::{Assembler, error};
use crate::diagnostic::Diagnostic;
use crate::lower::Started;
use dalembert_expr::{Cone, ExprId, evaluate};

impl Assembler<'_> {
    /// Start values of the coordinates; `None` is "?".
    pub(in crate::start) fn given_coordinates(
        &mut self,
    ) -> Result<Vec<Option<f64>>, Vec<Diagnostic>> {
        let system = self.system;
        let given = &system.start.coordinates;
        let needs = self.needs();
        let mut values = vec![None; given.len()];
        let mut known = vec![f64::NAN; given.len()];
        let mut done = vec![false; given.len()];
        let mut waiting: Vec<usize> = (0..given.len()).collect();
        // Values may be written in other start values: each after those it needs.
        while !waiting.is_empty() {
            let is_ready = |i: &usize| needs[*i].iter().all(|&need| done[need]);
            let (ready, rest): (Vec<usize>, Vec<usize>) = waiting.into_iter().partition(is_ready);
            if ready.is_empty() {
                return Err(vec![self.refuse_circle(&needs, &done, rest[0])]);
            }
            for &i in &ready {
                let unknown = |need: &&usize| values[**need].is_none();
                if let Some(&unknown) = needs[i].iter().find(unknown) {
                    let name = &self.model.coordinates[unknown].0.text;
                    let message = format!("a start value is written in `{name}`, which is \"?\"");
                    let help = format!("write a value for {name}, or \"?\" here too");
                    return Err(vec![error("E0502", message, help, given[i].place.clone())]);
                }
            }
            let written: Vec<usize> = ready
                .iter()
                .copied()
                .filter(|&i| given[i].value.is_some())
                .collect();
            let list: Vec<&Started> = written.iter().map(|&i| &given[i]).collect();
            for (i, number) in written.into_iter().zip(self.numbers(&list, &known)?) {
                (values[i], known[i]) = (Some(number), number);
            }
            ready.into_iter().for_each(|i| done[i] = true);
            waiting = rest;
        }
        Ok(values)
    }

    /// For each coordinate those that its start value is written in.
    fn needs(&self) -> Vec<Vec<usize>> {
        let (graph, symbols) = (&self.system.graph, &self.system.symbols.coordinates);
        let mut places = vec![None; graph.symbol_count()];
        for (i, symbol) in symbols.iter().enumerate() {
            places[symbol.index()] = Some(i);
        }
        let needs = |started: &Started| {
            let value: Vec<ExprId> = started.value.into_iter().collect();
            let symbols = Cone::new(graph, &value).symbols(graph).into_iter();
            symbols
                .filter_map(|symbol| places[symbol.index()])
                .collect()
        };
        self.system.start.coordinates.iter().map(needs).collect()
    }

    /// Says that a value is defined by itself: one that is met again on the way through what is needed from `i` on.
    fn refuse_circle(&self, needs: &[Vec<usize>], done: &[bool], mut i: usize) -> Diagnostic {
        let mut seen = vec![false; needs.len()];
        while !std::mem::replace(&mut seen[i], true) {
            let next = needs[i].iter().copied().find(|&need| !done[need]);
            i = next.unwrap_or(i);
        }
        let name = &self.model.coordinates[i].0.text;
        let message = format!("the start value of `{name}` is defined by itself");
        let place = self.system.start.coordinates[i].place.clone();
        error(
            "E0501",
            message,
            "give one of the values as a number",
            place,
        )
    }

    /// The finite values of what is written in parameters, coordinates and time; all at once, because they
    /// share much.
    pub(super) fn numbers(
        &mut self,
        written: &[&Started],
        coordinates: &[f64],
    ) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let expressions: Vec<ExprId> = written.iter().filter_map(|s| s.value).collect();
        self.evaluator.set_position(self.t, coordinates);
        let values = evaluate(&self.system.graph, &expressions, self.evaluator.value_of());
        let values = values.into_iter().zip(written);
        values
            .map(|(value, started)| finite(value, started))
            .collect()
    }
}

fn finite(value: f64, started: &Started) -> Result<f64, Vec<Diagnostic>> {
    if value.is_finite() {
        return Ok(value);
    }
    let help = "look for a division by zero, or a function outside its domain";
    let message = format!("a start value is {value}");
    Err(vec![error("E0503", message, help, started.place.clone())])
}
