//! The canonical problem as dense matrices over the field.
//!
//! ```text
//! q' = N v + n        M v' = h + Aᵀ λ + w        A v' = b        ψ(q, v, t) = 0
//! ```
//!
//! In coordinates v = q', N = 1 and n = 0. Where the model has quasi-velocities v = B q' + b₀ ([B92] 2.1), with
//! γ = B' q' + b₀':
//!
//! ```text
//! N = B⁻¹    n = −N b₀    M_v = Nᵀ M N    h_v = Nᵀ (h + M N γ)    A_v = A N    b_v = b + A N γ    w_v = Nᵀ w
//! ```
//!
//! Where coordinates obey identities, their rates are among the speeds that B gives, and zero: N has the columns of the others,
//! and the rows of the identities say 0 = 0, because φ_q N = 0.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).
//! [P99]: Dinh Van Phong (1999).

use super::algebra::{Algebra, Vector};
use super::lengths::Lengths;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::{Cone, ExprId, Node, SymbolId, SymbolKind, Unary, substitute};
use dalembert_mechanics::lower::{Slip, System};
use dalembert_mechanics::model::Model;
use dalembert_symbolic::assembled::{Assembled, Sparse};
use dalembert_symbolic::elimination::solve;
use dalembert_symbolic::law_symbols::meanings;
use dalembert_symbolic::matrix::{Entries, Matrix};

/// A replacement of a symbol.
pub(super) type Replacement = (SymbolId, Fraction);

/// A system in the field.
#[expect(non_snake_case, reason = "letters of the papers")]
#[derive(Clone)]
pub(super) struct Canonical {
    /// q.
    pub(super) coordinates: Vec<SymbolId>,
    /// v: rates, or the model's quasi-velocities.
    pub(super) speeds: Vec<SymbolId>,
    /// v'.
    pub(super) speed_rates: Vec<SymbolId>,
    /// Whether v is not q'.
    pub(super) quasi: bool,
    pub(super) time: SymbolId,
    pub(super) N: Matrix,
    pub(super) n: Vector,
    pub(super) M: Matrix,
    pub(super) h: Vector,
    pub(super) A: Matrix,
    pub(super) b: Vector,
    pub(super) w: Vector,
    /// Directions of the forces that hold the rows, one for each row: A, but for rows held by chosen forces [P99 §2].
    pub(super) E: Matrix,
    /// What must vanish at velocity level, by row; zero for acceleration rows.
    pub(super) rates: Vector,
}

impl Canonical {
    /// In coordinates and rates.
    pub(super) fn in_coordinates(
        algebra: &mut Algebra,
        system: &System,
        lengths: &mut Lengths,
    ) -> Result<Self, Outside> {
        let mut flat = assembled(algebra, system);
        // Roots that only forces hold get names.
        let matrices = flat.M.values().chain(flat.A.values());
        let outside = lengths_stay(system, matrices.chain(flat.E.values()));
        flat.h = lengths.put_in(algebra, &flat.h, &outside);
        flat.w = lengths.put_in(algebra, &flat.w, &outside);
        let (nv, nc) = (flat.h.len(), system.rows.len());
        let zero = algebra.graph.integer(0);
        let rates = system.rows.iter().map(|row| row.rate.unwrap_or(zero));
        let values = |sparse: &Sparse| sparse.values().copied().collect();
        let parts: [Vec<ExprId>; 7] = [
            values(&flat.M),
            flat.h,
            values(&flat.A),
            flat.w,
            flat.b,
            rates.collect(),
            values(&flat.E),
        ];
        // All at once, with what is taken later, so that one basis of angles serves all.
        let residuals = system.rows.iter().map(|row| row.residual);
        let speeds = system.speeds.iter().flat_map(|speeds| &speeds.values);
        let later = residuals.chain(speeds.copied());
        let all: Vec<ExprId> = parts.iter().flatten().copied().chain(later).collect();
        let mut taken = algebra.take(&all)?.into_iter();
        let mut next = |part: usize| -> Vector { taken.by_ref().take(parts[part].len()).collect() };
        Ok(Self {
            coordinates: system.symbols.coordinates.clone(),
            speeds: system.symbols.rates.clone(),
            speed_rates: system.symbols.accelerations.clone(),
            quasi: false,
            time: system.symbols.time,
            N: Matrix::identity(nv),
            n: vec![Fraction::zero(); nv],
            M: matrix([nv, nv], &flat.M, next(0)),
            h: next(1),
            A: matrix([nc, nv], &flat.A, next(2)),
            w: next(3),
            b: next(4),
            rates: next(5),
            E: matrix([nc, nv], &flat.E, next(6)),
        })
    }

    /// In the model's quasi-velocities, if it has any and they determine the rates. Identities of the coordinates need that they do.
    #[expect(non_snake_case, reason = "letters of the papers")]
    pub(super) fn in_speeds(
        &self,
        algebra: &mut Algebra,
        model: &Model,
        system: &System,
    ) -> Result<Option<Self>, Outside> {
        let Some(given) = &system.speeds else {
            return Ok(None);
        };
        let nv = self.speeds.len();
        let mut B = Matrix::zero(nv, nv);
        for (row, entries) in given.matrix.iter().enumerate() {
            for &(column, value) in entries {
                let value = algebra.field.take(&algebra.graph, value)?;
                B.set((row, column), value);
            }
        }
        let named = |algebra: &mut Algebra, order| -> Vec<SymbolId> {
            let names = model.speeds.iter().map(|(name, _)| name.text.as_str());
            let g = &mut algebra.graph;
            names
                .filter_map(|name| {
                    let id = g.derivative_symbol(name, SymbolKind::Speed, order);
                    g.as_symbol(id)
                })
                .collect()
        };
        let (speeds, speed_rates) = (named(algebra, 0), named(algebra, 1));
        let identities = system.identities();
        let whole = match identities {
            0 => solve(algebra, &B, &Matrix::identity(nv))?,
            _ => Some(by_rows(algebra, &B)?.ok_or(Outside::Undefined)?),
        };
        let Some(whole) = whole else {
            return Ok(None);
        };
        let N = whole.with_columns(&(0..given.named).collect::<Vec<_>>());
        let offset = algebra.take(&given.offset)?;
        let n = whole.along(&algebra.field, &algebra.neg(&offset))?;
        // q' in terms of v, put in everywhere.
        let v = algebra.symbols(&speeds)?;
        let rates = algebra.add(&N.along(&algebra.field, &v)?, &n)?;
        let rates: Vec<Replacement> = self.speeds.iter().copied().zip(rates).collect();
        let gamma = algebra.take(&given.gamma)?;
        let gamma = algebra.put_in(&gamma, &rates)?;
        let shift = whole.along(&algebra.field, &gamma)?; // N γ
        let Self {
            M,
            h,
            A,
            b,
            w,
            E,
            rates: of_rows,
            ..
        } = self.put_in(algebra, &rates)?;
        let Nt = N.transposed();
        let h = algebra.add(&h, &M.along(&algebra.field, &shift)?)?;
        let b = algebra.add(&b, &A.along(&algebra.field, &shift)?)?;
        let of_rows = held(of_rows, identities);
        Ok(Some(Self {
            coordinates: self.coordinates.clone(),
            speeds,
            speed_rates,
            quasi: true,
            time: self.time,
            M: Nt.times(&algebra.field, &M.times(&algebra.field, &N)?)?,
            h: Nt.along(&algebra.field, &h)?,
            A: without(A.times(&algebra.field, &N)?, identities),
            b: held(b, identities),
            w: Nt.along(&algebra.field, &w)?,
            E: without(E.times(&algebra.field, &N)?, identities),
            rates: of_rows,
            N,
            n,
        }))
    }

    /// The same with other elements put in everywhere.
    pub(super) fn put_in(
        &self,
        algebra: &mut Algebra,
        replacements: &[Replacement],
    ) -> Result<Self, Outside> {
        let mut changed = self.clone();
        if replacements.is_empty() {
            return Ok(changed);
        }
        for matrix in [
            &mut changed.M,
            &mut changed.A,
            &mut changed.N,
            &mut changed.E,
        ] {
            let entries: Vector = matrix.entries().cloned().collect();
            *matrix = matrix.with_entries(algebra.put_in(&entries, replacements)?);
        }
        for vector in [
            &mut changed.h,
            &mut changed.b,
            &mut changed.w,
            &mut changed.n,
            &mut changed.rates,
        ] {
            *vector = algebra.put_in(vector, replacements)?;
        }
        Ok(changed)
    }

    /// h + w.
    pub(super) fn forces(&self, algebra: &Algebra) -> Result<Vector, Outside> {
        algebra.add(&self.h, &self.w)
    }

    /// M v' − h − w, with any v'.
    pub(super) fn residual(
        &self,
        algebra: &Algebra,
        acceleration: &[Fraction],
    ) -> Result<Vector, Outside> {
        let inertial = self.M.along(&algebra.field, acceleration)?;
        algebra.sub(&inertial, &self.forces(algebra)?)
    }
}

/// B⁻¹. Coordinates that one row alone speaks of, with a number before them, follow from the others, as angles that count turns do.
#[expect(non_snake_case, reason = "letters of the papers")]
fn by_rows(algebra: &Algebra, B: &Matrix) -> Result<Option<Matrix>, Outside> {
    let (n, columns) = (B.rows(), B.transposed());
    let mut lone: Vec<(usize, usize)> = Vec::new();
    for column in 0..n {
        let mut entries = columns.row(column).iter();
        if let (Some((&row, entry)), None) = (entries.next(), entries.next())
            && entry.as_number().is_some()
            && lone.iter().all(|&(taken, _)| taken != row)
        {
            lone.push((row, column));
        }
    }
    let others = |is: fn(&(usize, usize)) -> usize| -> Vec<usize> {
        (0..n)
            .filter(|k| lone.iter().all(|it| is(it) != *k))
            .collect()
    };
    let (rows, kept) = (others(|it| it.0), others(|it| it.1));
    let core = B.with_rows(&rows).with_columns(&kept);
    let Some(found) = inverse(algebra, &core)? else {
        return inverse(algebra, B);
    };
    let mut N = Matrix::zero(n, n);
    for (place, &coordinate) in kept.iter().enumerate() {
        for (&k, entry) in found.row(place) {
            N.set((coordinate, rows[k]), entry.clone());
        }
    }
    for &(row, column) in &lone {
        let slope = &B[(row, column)];
        let mut entries = Entries::from([(row, Fraction::one())]);
        for (&k, entry) in B.row(row).iter().filter(|it| *it.0 != column) {
            for (&speed, part) in N.row(k) {
                let part = algebra.field.mul(entry, part)?;
                let sum = entries.entry(speed).or_insert_with(Fraction::zero);
                *sum = algebra.field.sub(sum, &part)?;
            }
        }
        for entry in entries.values_mut() {
            *entry = algebra.field.div(entry, slope)?;
        }
        N.set_row(column, entries);
    }
    Ok(Some(N))
}

/// B⁻¹, from Bᵀ (B Bᵀ)⁻¹ where the rows of B are orthogonal: those of a unit quaternion are, and nothing is divided by then.
#[expect(non_snake_case, reason = "letters of the papers")]
fn inverse(algebra: &Algebra, B: &Matrix) -> Result<Option<Matrix>, Outside> {
    let across = B.transposed();
    let products = B.times(&algebra.field, &across)?;
    let orthogonal = (0..B.rows()).all(|row| products.row(row).keys().all(|&k| k == row));
    let unit = Matrix::identity(B.rows());
    match orthogonal {
        false => solve(algebra, B, &unit),
        true => match solve(algebra, &products, &unit)? {
            Some(inverse) => across.times(&algebra.field, &inverse).map(Some),
            None => Ok(None),
        },
    }
}

/// A matrix whose first rows, those of identities, say nothing.
fn without(mut matrix: Matrix, identities: usize) -> Matrix {
    (0..identities).for_each(|row| matrix.set_row(row, Entries::new()));
    matrix
}

/// The right sides to it.
fn held(mut right: Vector, identities: usize) -> Vector {
    right[..identities].fill(Fraction::zero());
    right
}

/// Expressions in which roots keep their places: matrices, rows and speeds.
pub(super) fn lengths_stay<'a>(
    system: &System,
    matrices: impl Iterator<Item = &'a ExprId>,
) -> Vec<ExprId> {
    let rows = system.rows.iter();
    let rows = rows.flat_map(|row| [Some(row.residual), Some(row.bias), row.rate]);
    let speeds = system.speeds.iter().flat_map(|speeds| &speeds.values);
    let all = matrices.copied().chain(rows.flatten());
    all.chain(speeds.copied()).collect()
}

/// Entries and what they are in the field.
fn matrix([rows, columns]: [usize; 2], sparse: &Sparse, taken: Vector) -> Matrix {
    let mut matrix = Matrix::zero(rows, columns);
    for (&place, entry) in sparse.keys().zip(taken) {
        matrix.set(place, entry);
    }
    matrix
}

/// What stands for reactions and for signs of slip in lowered forces, and how these are written: a sign, of what divides by
/// nothing and has no roots.
pub(super) fn in_laws(algebra: &mut Algebra, system: &System) -> Vec<(ExprId, ExprId)> {
    let mut pairs = meanings(&mut algebra.graph, system);
    for friction in &system.frictions {
        if let Slip::Line { speed, way, .. } = friction.slip {
            let speed = without_lengths(algebra, speed);
            let speed = without_denominator(algebra, speed);
            let way = algebra.graph.symbol_node(way);
            let written = algebra.graph.sign(speed);
            let own = pairs.iter_mut().filter(|(from, _)| *from == way);
            own.for_each(|pair| pair.1 = written);
        }
    }
    pairs
}

/// The parts of a system added up, with reactions and signs in forces as they are written.
pub(super) fn assembled(algebra: &mut Algebra, system: &System) -> Assembled {
    let mut all = Assembled::of(&mut algebra.graph, system);
    let pairs = in_laws(algebra, system);
    all.h = substitute(&mut algebra.graph, &all.h, &pairs);
    all.w = substitute(&mut algebra.graph, &all.w, &pairs);
    all
}

/// An expression of the same sign that divides by nothing: n/d is as n d.
fn without_denominator(algebra: &mut Algebra, expression: ExprId) -> ExprId {
    let taken = algebra.take(&[expression]).map(|it| it[0].clone());
    let product = taken.and_then(|taken| {
        let (n, d) = (taken.numerator().clone(), taken.denominator().clone());
        algebra.field.mul(&Fraction::from(n), &Fraction::from(d))
    });
    let written = product.map(|product| algebra.expressions(&[product])[0]);
    written.unwrap_or(expression)
}

/// An expression of the same sign without roots, where leaving them out multiplies it by what they are, once or twice: the
/// tangent of a contact need not have length one.
fn without_lengths(algebra: &mut Algebra, expression: ExprId) -> ExprId {
    let graph = &mut algebra.graph;
    let roots: Vec<ExprId> = Cone::new(graph, &[expression])
        .nodes()
        .iter()
        .copied()
        .filter(|&id| matches!(graph.node(id), Node::Unary(Unary::Sqrt, _)))
        .collect();
    let one = graph.integer(1);
    let ones: Vec<(ExprId, ExprId)> = roots.iter().map(|&root| (root, one)).collect();
    let plain = substitute(graph, &[expression], &ones)[0];
    let length = roots
        .iter()
        .fold(one, |product, &root| graph.mul(product, root));
    let once = graph.mul(expression, length);
    let twice = graph.mul(once, length);
    let same = |algebra: &mut Algebra, scaled: ExprId| {
        let taken = algebra.take(&[plain, scaled]);
        taken.is_ok_and(|it| algebra.field.is_equal(&it[0], &it[1]) == Ok(true))
    };
    match same(algebra, once) || same(algebra, twice) {
        true => plain,
        false => expression,
    }
}
