//! Full and compressed matrices.

#![expect(clippy::float_cmp, reason = "whole numbers are exact")]
use dalembert_linear::Pattern;

#[test]
fn a_symmetric_matrix_is_its_upper_triangle() {
    let pattern = Pattern::symmetric(3, [(2, 0), (0, 2), (1, 1)]);
    assert_eq!(pattern.size(), 4);
    let matrix = pattern.matrix(&[1.0, 5.0, 2.0, 3.0]);
    let full = [1.0, 0.0, 5.0, 0.0, 2.0, 0.0, 5.0, 0.0, 3.0];
    assert_eq!(matrix.to_vec(), full);
    let mut y = [0.0; 3];
    matrix.multiply(&[1.0, 10.0, 100.0], &mut y);
    assert_eq!(y, [501.0, 20.0, 305.0]);
    let (part, places) = pattern.select(&[0, 2], &[0, 2]);
    assert_eq!(places, [0, 1, 3]);
    assert_eq!(part.matrix(&[1.0, 5.0, 3.0]).to_vec(), [1.0, 5.0, 5.0, 3.0]);
}

#[test]
fn rows_are_sorted_and_hold_each_column_once() {
    let pattern = Pattern::compressed(5, &[vec![4, 1, 4], vec![], vec![0]]);
    assert_eq!(pattern.columns_of(0).collect::<Vec<_>>(), [1, 4]);
    assert_eq!(pattern.place(0, 4), Some(1));
    assert_eq!(pattern.place(1, 0), None);
    let (part, places) = pattern.select(&[0, 1, 2], &[0, 4]);
    assert_eq!(part.columns_of(0).collect::<Vec<_>>(), [1]);
    assert_eq!(places, [1, 2]);
    let both = pattern.stack(&Pattern::compressed(5, &[vec![3]]));
    assert_eq!((both.rows(), both.size()), (4, 4));
    let matrix = both.matrix(&[2.0, 3.0, 4.0, 5.0]);
    let x = [1.0, 10.0, 100.0, 1000.0, 1e4];
    let mut y = [0.0; 4];
    matrix.multiply(&x, &mut y);
    assert_eq!(y, [30020.0, 0.0, 4.0, 5000.0]);
    assert_eq!(matrix.along(0, &x), 30020.0);
    let mut back = [0.0; 5];
    matrix.add_transposed(&[1.0, 1.0, 2.0, 3.0], &mut back);
    assert_eq!(back, [8.0, 2.0, 0.0, 15.0, 3.0]);
}
