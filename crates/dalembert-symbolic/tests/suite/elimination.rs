//! Elimination over the field, with a judge that knows no numbers.

use dalembert_expr::normal::{Field, Fraction};
use dalembert_expr::{Graph, SymbolKind};
use dalembert_symbolic::elimination::{Judge, reduce, solve};
use dalembert_symbolic::matrix::{Entries, Matrix};

struct Plain(Field);

impl Judge for Plain {
    fn field(&self) -> &Field {
        &self.0
    }

    fn complexity(&self, entry: &Fraction) -> u64 {
        entry.len() as u64
    }

    fn vanishes(&self, entry: &Fraction) -> bool {
        entry.is_zero()
    }

    fn vanishes_at_start(&self, entry: &Fraction) -> bool {
        entry.is_zero()
    }
}

/// Rows a, b and a + b in three unknowns and two symbols: rank two, one free column, and A D = 0.
#[test]
fn dependent_rows_have_a_null_space() {
    let mut graph = Graph::new();
    let [x, y] = ["x", "y"].map(|name| graph.symbol(name, SymbolKind::Parameter));
    let mut field = Field::new();
    let [x, y] = [x, y].map(|id| field.take(&graph, id).unwrap());
    let one = Fraction::one();
    let sum = field.add(&x, &y).unwrap();
    let more = field.add(&one, &y).unwrap();
    let row = |a: &Fraction, b: &Fraction, c: &Fraction| {
        Entries::from([(0, a.clone()), (1, b.clone()), (2, c.clone())])
    };
    let rows = vec![row(&x, &y, &one), row(&y, &one, &x), {
        let last = field.add(&one, &x).unwrap();
        row(&sum, &more, &last)
    }];
    let matrix = Matrix::from_rows(3, rows);
    let judge = Plain(field);
    let reduced = reduce(&judge, matrix.clone(), 3, &|_| Some(0)).unwrap();
    assert_eq!(reduced.pivots.len(), 2);
    let free = reduced.free_columns(3);
    assert_eq!(free.len(), 1);
    let space = reduced.null_space(judge.field(), &free, 3);
    assert!(!space.is_zero());
    assert!(matrix.times(judge.field(), &space).unwrap().is_zero());
    // The first two rows with the free unknown fixed have one solution.
    let kept: Vec<usize> = (0..3).filter(|k| !free.contains(k)).collect();
    let square = matrix.with_rows(&[0, 1]).with_columns(&kept);
    let inverse = solve(&judge, &square, &Matrix::identity(2))
        .unwrap()
        .unwrap();
    assert_eq!(
        square.times(judge.field(), &inverse).unwrap(),
        Matrix::identity(2)
    );
    assert!(
        solve(&judge, &matrix, &Matrix::identity(3))
            .unwrap()
            .is_none()
    );
}
