//! The least numbers within bounds that are linear in them.

use super::lemke::lemke;
use dalembert_linear::decide::KNOWN;
use dalembert_linear::{dot, norm};

/// The least z with G z ≥ h, G by rows of as many numbers as z has; `None` where there is none.
///
/// z = Gᵀ u with 0 ≤ u ⟂ G Gᵀ u − h ≥ 0, which Lemke's method solves wherever it can be solved: the matrix is not negative (Cottle, Pang,
/// Stone 1992, theorem 4.4.12).
#[must_use]
pub fn least_within(slopes: &[Vec<f64>], least: &[f64]) -> Option<Vec<f64>> {
    let width = slopes.first()?.len();
    let scale = least.iter().fold(0.0_f64, |most, h| most.max(h.abs()));
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut bounds: Vec<f64> = Vec::new();
    for (row, &h) in slopes.iter().zip(least) {
        let length = norm(row);
        if length > 0.0 {
            rows.push(row.iter().map(|entry| entry / length).collect());
            bounds.push(h / length);
        } else if h > KNOWN * scale {
            return None;
        }
    }
    let most = bounds.iter().fold(0.0_f64, |most, h| most.max(h.abs()));
    let mut z = vec![0.0; width];
    if most == 0.0 {
        return Some(z);
    }
    let matrix: Vec<f64> = rows
        .iter()
        .flat_map(|a| rows.iter().map(move |b| dot(a, b)))
        .collect();
    let right: Vec<f64> = bounds.iter().map(|h| -h / most).collect();
    let u = lemke(&matrix, &right)?;
    for (row, u) in rows.iter().zip(&u) {
        z.iter_mut()
            .zip(row)
            .for_each(|(z, entry)| *z += most * u * entry);
    }
    let met = |(row, h): (&Vec<f64>, &f64)| dot(row, &z) >= h - KNOWN * most;
    rows.iter().zip(&bounds).all(met).then_some(z)
}

#[cfg(test)]
mod tests {
    use super::least_within;

    #[test]
    fn the_least_point_of_a_corner_is_found_and_an_empty_one_is_none() {
        // x ≥ 1, x + y ≥ 3: (1.5, 1.5).
        let found = least_within(&[vec![1.0, 0.0], vec![1.0, 1.0]], &[1.0, 3.0]);
        let found = found.expect("a corner");
        assert!((found[0] - 1.5).abs() < 1e-12 && (found[1] - 1.5).abs() < 1e-12);
        // The same far away, and in other units.
        let found = least_within(&[vec![1e9, 0.0], vec![1e-9, 1e-9]], &[2e9, 3e-9]);
        let found = found.expect("a corner");
        assert!((found[0] - 2.0).abs() < 1e-12 && (found[1] - 1.0).abs() < 1e-12);
        // 1 ≤ x ≤ 0.
        assert_eq!(least_within(&[vec![1.0], vec![-1.0]], &[1.0, 0.0]), None);
        // What is met already is not moved.
        assert_eq!(least_within(&[vec![1.0]], &[-1.0]), Some(vec![0.0]));
    }
}
