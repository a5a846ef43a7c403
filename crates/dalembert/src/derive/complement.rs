//! Phong's orthogonal complement, in symbols.
//!
//! Gram and Schmidt's process on the rows gᵢ of A, and on vectors xᵢ outside their span ([P99] 2.9–2.12):
//!
//! ```text
//! bᵢ = gᵢ − Σⱼ (gᵢᵀ bⱼ)/(bⱼᵀ bⱼ) bⱼ
//! dᵢ = xᵢ − Σⱼ (xᵢᵀ bⱼ)/(bⱼᵀ bⱼ) bⱼ − Σⱼ (xᵢᵀ dⱼ)/(dⱼᵀ dⱼ) dⱼ        D = [d₁ d₂ …],  A D = 0
//! Dᵀ (M v' − h − w) = 0, and the constraints themselves as the other equations        [P99 2.7]
//! ```
//!
//! * Deviation: the vectors are not scaled to length one, so there are no roots, and each dᵢ is freed of common
//!   denominators and factors at the end: its direction is what counts.
//! * xᵢ is the unit vector of an independent speed: such are outside the span wherever D by elimination exists. The
//!   paper's rule, "different from any bᵢ, dᵢ", is not enough.
//!
//! [P99]: Dinh Van Phong (1999).

use super::algebra::Algebra;
use super::projection::tangential;
use super::route::{Raw, Route};
use super::work::Work;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_symbolic::matrix::{Entries, Matrix};

#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) fn route(work: &mut Work) -> Result<Route, Outside> {
    let (rows, independent) = work.pivots()?;
    let A = work.in_speeds.A.with_rows(&rows);
    let raw = gram_schmidt(&work.algebra, &A, &independent)?;
    let D = work.algebra.cleaned(&raw)?;
    let mut equations = tangential(work, &D)?;
    let constraints = work.residuals()?;
    let zero = vec![Fraction::zero(); constraints.len()];
    equations.extend(Raw::all(constraints, zero));
    Ok(Route {
        tangent: Some(D),
        orthogonal: Some(raw),
        ..Route::new(equations)
    })
}

/// The dᵢ as columns.
fn gram_schmidt(algebra: &Algebra, rows: &Matrix, outside: &[usize]) -> Result<Matrix, Outside> {
    let given = (0..rows.rows()).map(|row| rows.row(row).clone());
    let unit = |&k: &usize| Entries::from([(k, Fraction::one())]);
    let given = given.chain(outside.iter().map(unit));
    // Each vector with the square of its length.
    let mut vectors: Vec<(Entries, Fraction)> = Vec::new();
    for start in given {
        let mut vector = start.clone();
        for (other, square) in &vectors {
            let product = dot(algebra, &start, other)?;
            if product.is_zero() {
                continue;
            }
            let part = algebra.field.div(&product, square)?;
            for (&k, entry) in other {
                let along = algebra.field.mul(&part, entry)?;
                let entry = vector.entry(k).or_insert_with(Fraction::zero);
                *entry = algebra.field.sub(entry, &along)?;
            }
        }
        let square = dot(algebra, &vector, &vector)?;
        vectors.push((vector, square));
    }
    let columns = vectors.into_iter().skip(rows.rows());
    let columns = columns.map(|(vector, _)| vector).collect();
    Ok(Matrix::from_rows(rows.columns(), columns).transposed())
}

fn dot(algebra: &Algebra, a: &Entries, b: &Entries) -> Result<Fraction, Outside> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut terms = Vec::new();
    for (k, entry) in short {
        if let Some(other) = long.get(k) {
            terms.push(algebra.field.mul(entry, other)?);
        }
    }
    algebra.field.sum(&terms)
}
