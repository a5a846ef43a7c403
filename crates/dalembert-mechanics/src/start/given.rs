//! Numbers for what the user wrote of the start.

use super::{Assembler, error};
use crate::diagnostic::Diagnostic;
use crate::lower::Started;
use dalembert_expr::{Cone, ExprId, SymbolId, evaluate};

impl Assembler<'_> {
    /// Start values of the coordinates; `None` is "?".
    pub(super) fn given_coordinates(&self) -> Result<Vec<Option<f64>>, Vec<Diagnostic>> {
        let given = &self.system.start.coordinates;
        let mut values: Vec<Option<f64>> = vec![None; given.len()];
        let mut done = vec![false; given.len()];
        // Values may be written in other start values: each after those it needs.
        let needs: Vec<Vec<usize>> = given
            .iter()
            .map(|started| {
                started
                    .value
                    .map_or_else(Vec::new, |value| self.coordinates_in(value))
            })
            .collect();
        for start in 0..given.len() {
            let mut pending = vec![(start, false)];
            let mut open: Vec<usize> = Vec::new();
            while let Some((i, back)) = pending.pop() {
                if done[i] {
                    continue;
                }
                if back {
                    open.pop();
                    done[i] = true;
                    values[i] = self.given_coordinate(&given[i], &needs[i], &values)?;
                    continue;
                }
                if open.contains(&i) {
                    let name = &self.model.coordinates[i].0.text;
                    let message = format!("the start value of `{name}` is defined by itself");
                    return Err(vec![error(
                        "E0501",
                        message,
                        "give one of the values as a number",
                        given[i].place.clone(),
                    )]);
                }
                open.push(i);
                pending.push((i, true));
                pending.extend(
                    needs[i]
                        .iter()
                        .filter(|&&need| !done[need])
                        .map(|&need| (need, false)),
                );
            }
        }
        Ok(values)
    }

    fn given_coordinate(
        &self,
        started: &Started,
        needs: &[usize],
        values: &[Option<f64>],
    ) -> Result<Option<f64>, Vec<Diagnostic>> {
        let Some(expression) = started.value else {
            return Ok(None);
        };
        if let Some(&unknown) = needs.iter().find(|&&need| values[need].is_none()) {
            let name = &self.model.coordinates[unknown].0.text;
            let message = format!("a start value is written in `{name}`, which is \"?\"");
            let help = format!("write a value for {name}, or \"?\" here too");
            return Err(vec![error("E0502", message, help, started.place.clone())]);
        }
        let known: Vec<f64> = values
            .iter()
            .map(|value| value.unwrap_or(f64::NAN))
            .collect();
        self.number(expression, &known, started).map(Some)
    }

    /// Indices of the coordinates in an expression.
    fn coordinates_in(&self, expression: ExprId) -> Vec<usize> {
        let graph = &self.system.graph;
        let symbols = Cone::new(graph, &[expression]).symbols(graph);
        let place = |symbol| {
            self.system
                .symbols
                .coordinates
                .iter()
                .position(|&s| s == symbol)
        };
        symbols.into_iter().filter_map(place).collect()
    }

    /// The finite value of an expression of parameters, coordinates and time.
    pub(super) fn number(
        &self,
        expression: ExprId,
        coordinates: &[f64],
        started: &Started,
    ) -> Result<f64, Vec<Diagnostic>> {
        let symbols = &self.system.symbols;
        let find = |list: &[SymbolId], symbol: SymbolId| list.iter().position(|&s| s == symbol);
        let value = evaluate(&self.system.graph, &[expression], |symbol| {
            if symbol == symbols.time {
                self.t
            } else if let Some(i) = find(&symbols.coordinates, symbol) {
                coordinates[i]
            } else {
                find(&symbols.parameters, symbol).map_or(f64::NAN, |i| self.parameters[i])
            }
        })[0];
        if value.is_finite() {
            return Ok(value);
        }
        let help = "look for a division by zero, or a function outside its domain";
        Err(vec![error(
            "E0503",
            format!("a start value is {value}"),
            help,
            started.place.clone(),
        )])
    }
}
