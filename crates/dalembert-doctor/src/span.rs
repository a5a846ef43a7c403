//! Spans of vectors of thirty digits: what is independent there is independent, whatever rounding did.

use dalembert_decide::thirty::{CLEAR, OPERATION};
use dalembert_decide::{CANCELLED, KNOWN};
use dalembert_expr::normal::precise::{Bounded, Number};

/// A number and how wrong it may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) number: Number,
    pub(crate) error: f64,
    /// The largest of the terms that it was added up of: beside these it may be nothing.
    pub(crate) terms: f64,
}

impl From<Bounded> for Value {
    fn from(bounded: Bounded) -> Self {
        Self {
            number: bounded.value,
            error: bounded.error,
            terms: bounded.size,
        }
    }
}

impl Value {
    pub(crate) const ZERO: Self = Self {
        number: Number::ZERO,
        error: 0.0,
        terms: 0.0,
    };
    const ONE: Self = Self {
        number: Number::ONE,
        error: 0.0,
        terms: 1.0,
    };

    /// Whether it is not zero, whatever rounding did.
    pub(crate) fn is_clear(self) -> bool {
        self.number.is_finite() && self.number.size() > CLEAR * self.error
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        let number = self.number - other.number;
        let terms = self.number.size() + other.number.size();
        Self {
            number,
            error: self.error + other.error + OPERATION * terms,
            terms: self.terms.max(other.terms),
        }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let number = self.number * other.number;
        let error = self.number.size() * other.error
            + other.number.size() * self.error
            + self.error * other.error;
        Self {
            number,
            error: error + OPERATION * number.size(),
            terms: (self.terms * other.number.size()).max(self.number.size() * other.terms),
        }
    }

    pub(crate) fn over(self, other: Self) -> Self {
        let number = self.number / other.number;
        let error = 2.0 * (self.error + number.size() * other.error) / other.number.size();
        Self {
            number,
            error: error + OPERATION * number.size(),
            terms: self.terms / other.number.size(),
        }
    }
}

/// The largest of the terms of some values.
pub(crate) fn largest_term(of: &[Value]) -> f64 {
    of.iter().map(|x| x.terms).fold(0.0, f64::max)
}

/// Where a vector stands to a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Independent of it, which is certain.
    Outside,
    /// In it, as far as thirty digits tell.
    Inside,
    /// Too few digits are left to tell.
    Unknown,
}

/// What some vectors span, in echelon form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Span {
    rows: Vec<(usize, Vec<Value>)>,
}

impl Span {
    pub(crate) fn dimension(&self) -> usize {
        self.rows.len()
    }

    /// Adds a vector, if it is independent of those that are there.
    pub(crate) fn insert(&mut self, mut vector: Vec<Value>) -> Standing {
        let (standing, pivot) = self.reduce(&mut vector);
        if standing == Standing::Outside {
            let by = vector[pivot];
            for entry in &mut vector {
                *entry = entry.over(by);
            }
            vector[pivot] = Value::ONE;
            self.rows.push((pivot, vector));
        }
        standing
    }

    /// Where a vector stands.
    pub(crate) fn standing(&self, mut vector: Vec<Value>) -> Standing {
        self.reduce(&mut vector).0
    }

    /// Takes the span away; what is left has its largest entry that is clear at the place told.
    fn reduce(&self, vector: &mut [Value]) -> (Standing, usize) {
        let mut scale = largest_term(vector);
        for (pivot, row) in &self.rows {
            let factor = vector[*pivot];
            for (entry, other) in vector.iter_mut().zip(row) {
                *entry = entry.minus(factor.times(*other));
            }
            vector[*pivot] = Value::ZERO;
            scale = scale.max(largest_term(vector));
        }
        if vector
            .iter()
            .any(|x| !x.number.is_finite() || !x.error.is_finite())
        {
            return (Standing::Unknown, 0);
        }
        let clear = vector.iter().enumerate().filter(|(_, x)| x.is_clear());
        let largest = clear.max_by(|a, b| a.1.number.size().total_cmp(&b.1.number.size()));
        if let Some((place, _)) = largest {
            return (Standing::Outside, place);
        }
        // What is left is rounding, and little of it.
        let left = vector.iter().map(|x| x.error).fold(0.0, f64::max);
        match left <= KNOWN * scale || scale <= CANCELLED * f64::MIN_POSITIVE {
            true => (Standing::Inside, 0),
            false => (Standing::Unknown, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, Standing, Value};
    use dalembert_expr::normal::precise::{Bounded, Number};

    fn vector(numbers: &[f64], error: f64) -> Vec<Value> {
        let value = |&x: &f64| Value::from(Bounded::within(Number::from(x), error));
        numbers.iter().map(value).collect()
    }

    #[test]
    fn independence_is_certain_or_not_said() {
        let mut span = Span::default();
        assert_eq!(
            span.insert(vector(&[1.0, 2.0, 3.0], 1e-30)),
            Standing::Outside
        );
        assert_eq!(
            span.insert(vector(&[2.0, 4.0, 6.0], 1e-30)),
            Standing::Inside
        );
        // A difference of 1e-15 is one, beside errors of 1e-30; beside errors of 1e-3 nothing is known.
        assert_eq!(
            span.standing(vector(&[2.0, 4.0, 6.0 + 1e-15], 1e-30)),
            Standing::Outside
        );
        assert_eq!(
            span.standing(vector(&[2.0, 4.0, 6.0], 1e-3)),
            Standing::Unknown
        );
        assert_eq!(
            span.insert(vector(&[0.0, 1.0, 0.0], 0.0)),
            Standing::Outside
        );
        assert_eq!(span.dimension(), 2);
        assert_eq!(
            span.standing(vector(&[3.0, -5.0, 9.0], 1e-30)),
            Standing::Inside
        );
    }
}
