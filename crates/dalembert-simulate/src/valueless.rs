//! Recorded expressions that have no value at some samples, as √x has none where x is negative, and a table outside its range.

use dalembert_expr::ExprId;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::Record;
use dalembert_mechanics::start::State;
use dalembert_results::Table;

/// A recorded expression without a value at a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Valueless {
    /// The name of its column.
    pub name: String,
    /// What was to be recorded.
    pub expression: ExprId,
    /// The state of the first sample without a value.
    pub first: State,
}

/// Columns of expressions, and what had no value so far.
pub(super) struct Values {
    columns: Vec<(usize, String, ExprId)>,
    pub(super) found: Vec<Valueless>,
}

impl Values {
    /// Those of a mechanism, in a table with columns of these names.
    pub(super) fn new(mechanism: &Mechanism, names: &[String]) -> Self {
        let place = |record: &Record| match record {
            Record::Value(name, id) => {
                let place = names.iter().position(|it| it == name)?;
                Some((place, name.clone(), *id))
            }
            _ => None,
        };
        Self {
            columns: (mechanism.system.run.record.iter())
                .filter_map(place)
                .collect(),
            found: Vec::new(),
        }
    }

    /// Looks at the last row of a table, of a sample in a state.
    pub(super) fn look(&mut self, table: &Table, mut state: impl FnMut() -> State) {
        let (block, room) = table.block();
        for (place, name, expression) in &self.columns {
            let value = block[place * room + table.rows() - 1];
            if value.is_finite() || self.found.iter().any(|it| it.name == *name) {
                continue;
            }
            self.found.push(Valueless {
                name: name.clone(),
                expression: *expression,
                first: state(),
            });
        }
    }
}
