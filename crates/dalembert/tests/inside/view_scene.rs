use super::{equal_box, quaternion};
use dalembert_page::Shape;

/// Rows of the matrix of a unit quaternion.
fn matrix([w, x, y, z]: [f64; 4]) -> [f64; 9] {
    [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    ]
}

#[test]
fn quaternions_come_back_from_their_matrices() {
    for k in 0..200 {
        let angle = f64::from(k);
        let mut q = [
            angle.sin(),
            (2.0 * angle).cos(),
            (3.0 * angle).sin(),
            angle.cos(),
        ];
        let norm = q.iter().map(|it| it * it).sum::<f64>().sqrt();
        q.iter_mut().for_each(|it| *it /= norm);
        let found = quaternion(&matrix(q));
        let same: f64 = found.iter().zip(&q).map(|(a, b)| a * b).sum();
        assert!((same.abs() - 1.0).abs() < 1e-12, "{k}: {found:?} {q:?}");
    }
}

#[test]
fn a_box_of_equal_inertia_has_its_moments() {
    let moments = [13.0, 10.0, 5.0].map(|it| it * 2.0 / 12.0);
    let Some(Shape::Box { size: [a, b, c] }) = equal_box(2.0, moments) else {
        panic!("there is one");
    };
    for (size, known) in [(a, 1.0), (b, 2.0), (c, 3.0_f64)] {
        assert!((size - known).abs() < 1e-12);
    }
    let Some(Shape::Box { size }) = equal_box(0.0, moments) else {
        panic!("there is one");
    };
    for (size, known) in size.iter().zip([1.0, 2.0, 3.0]) {
        assert!((size - known / 3.0).abs() < 1e-12);
    }
    assert!(equal_box(0.0, [0.0; 3]).is_none());
}
