//! Numbers for what the user wrote of the start.

use super::{Assembler, Known, error, value_of};
use crate::diagnostic::Diagnostic;
use crate::lower::Started;
use dalembert_expr::{Cone, ExprId, SymbolId, evaluate};

impl Assembler<'_> {
    /// Start values of the coordinates; `None` is "?".
    pub(super) fn given_coordinates(&self) -> Result<Vec<Option<f64>>, Vec<Diagnostic>> {
        let given = &self.system.start.coordinates;
        let written: Vec<&Started> = given.iter().filter(|s| s.value.is_some()).collect();
        let expressions: Vec<ExprId> = written.iter().filter_map(|s| s.value).collect();
        if self.coordinates_in(&expressions).is_empty() {
            let mut numbers = self.numbers(&written, &[])?.into_iter();
            let value = |started: &Started| started.value.and_then(|_| numbers.next());
            return Ok(given.iter().map(value).collect());
        }
        let mut values: Vec<Option<f64>> = vec![None; given.len()];
        let mut done = vec![false; given.len()];
        let mut open = vec![false; given.len()];
        // Values may be written in other start values: each after those it needs.
        let needs: Vec<Vec<usize>> = given
            .iter()
            .map(|started| {
                started
                    .value
                    .map_or_else(Vec::new, |value| self.coordinates_in(&[value]))
            })
            .collect();
        for start in 0..given.len() {
            let mut pending = vec![(start, false)];
            while let Some((i, back)) = pending.pop() {
                if done[i] {
                    continue;
                }
                if back {
                    open[i] = false;
                    done[i] = true;
                    values[i] = self.given_coordinate(&given[i], &needs[i], &values)?;
                    continue;
                }
                if open[i] {
                    let name = &self.model.coordinates[i].0.text;
                    let message = format!("the start value of `{name}` is defined by itself");
                    return Err(vec![error(
                        "E0501",
                        message,
                        "give one of the values as a number",
                        given[i].place.clone(),
                    )]);
                }
                open[i] = true;
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
        let known = (self.t, self.parameters, [].as_slice(), [].as_slice());
        let rest = value_of(&self.places, known);
        let known = |symbol: SymbolId| match self.places[symbol.index()] {
            Known::Coordinate(i) => values[i].unwrap_or(f64::NAN),
            _ => rest(symbol),
        };
        let value = evaluate(&self.system.graph, &[expression], known)[0];
        finite(value, started).map(Some)
    }

    /// Indices of the coordinates in expressions.
    fn coordinates_in(&self, expressions: &[ExprId]) -> Vec<usize> {
        let graph = &self.system.graph;
        let symbols = Cone::new(graph, expressions).symbols(graph);
        let place = |symbol: SymbolId| match self.places[symbol.index()] {
            Known::Coordinate(i) => Some(i),
            _ => None,
        };
        symbols.into_iter().filter_map(place).collect()
    }

    /// The finite values of what is written in parameters, coordinates and time; all at once, because they
    /// share much.
    pub(super) fn numbers(
        &self,
        written: &[&Started],
        coordinates: &[f64],
    ) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let expressions: Vec<ExprId> = written.iter().filter_map(|s| s.value).collect();
        let known = (self.t, self.parameters, coordinates, [].as_slice());
        let known = value_of(&self.places, known);
        let values = evaluate(&self.system.graph, &expressions, known);
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
    Err(vec![error(
        "E0503",
        format!("a start value is {value}"),
        help,
        started.place.clone(),
    )])
}
