//! What a part of a data set holds: a row for each run.

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers; what is no number is missing.
    Number(Vec<f64>),
    /// Texts, or none.
    Text(Vec<Option<String>>),
    /// Several numbers each.
    Series(Vec<Vec<f64>>),
}

impl Values {
    /// How many rows they are for.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Number(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::Series(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A column of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values, row by row.
    pub values: Values,
}

/// Some runs, in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Columns of equal length.
    pub columns: Vec<Column>,
}

impl Part {
    /// How many runs it has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |it| it.values.len())
    }

    /// The column of a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Values> {
        let found = self.columns.iter().find(|it| it.name == name);
        found.map(|it| &it.values)
    }
}
