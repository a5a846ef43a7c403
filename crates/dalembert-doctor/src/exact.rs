//! The integrable part of rows in the field of the normal form, and integrals of it.

use crate::closure::{Closure, Made};
use crate::forms::LIMITS;
use crate::integral::{integral, split};
use dalembert_expr::normal::{Field, Fraction, GeneratorId, Outside};
use dalembert_expr::{Graph, SymbolId};
use dalembert_symbolic::surface::Surface;

/// Functions that are tried as terms of integrals at most.
const TERMS: usize = 60;

/// Decides what is zero on the surface of the rows of positions, if not everywhere.
pub(crate) struct Zero<'a> {
    graph: &'a mut Graph,
    surface: Option<(&'a Surface, Field)>,
}

impl<'a> Zero<'a> {
    pub(crate) fn new(graph: &'a mut Graph, surface: Option<&'a Surface>) -> Self {
        let surface = surface.and_then(|surface| {
            let mut field = Field::with_limits(LIMITS);
            surface.declare(graph, &mut field).ok()?;
            Some((surface, field))
        });
        Self { graph, surface }
    }

    /// Everything was differentiated before.
    fn is(&mut self, field: &Field, element: &Fraction) -> Result<bool, Outside> {
        if field.is_zero(element)? {
            return Ok(true);
        }
        let Some((surface, own)) = &mut self.surface else {
            return Ok(false);
        };
        // What stands below the bar is not zero near the states that were looked at.
        let above = Fraction::from(element.numerator().clone());
        let above = field.to_graph(self.graph, &above);
        let above = surface.put_in(self.graph, &[above])[0];
        let taken = own.take(self.graph, above)?;
        own.is_zero(&taken)
    }
}

/// Rows over the field, and what they leave free.
pub(crate) struct Exact {
    /// Free directions, by variable.
    free: Vec<Vec<Fraction>>,
    /// All vectors that span what is reached.
    reached: Vec<Vec<Fraction>>,
    /// Forms that span the integrable part: 1 at one variable each, 0 at those of the others.
    pub(crate) part: Vec<Vec<Fraction>>,
    /// Those variables.
    own: Vec<usize>,
}

impl Exact {
    /// Rows (of positions and velocities, in this order) with the brackets that numbers have shown to be independent; `None` if
    /// the field does not see the ranks that numbers have.
    pub(crate) fn new(
        field: &mut Field,
        zero: &mut Zero<'_>,
        rows: &[Vec<Fraction>],
        (variables, closure): (&[SymbolId], &Closure),
    ) -> Result<Option<Self>, Outside> {
        let size = variables.len();
        let solved = &closure.free.rows;
        let matrix: Vec<Vec<Fraction>> = solved.iter().map(|&row| rows[row].clone()).collect();
        let echelon = field.echelon(&matrix, size, &closure.free.pivots)?;
        if echelon.pivots.len() != closure.free.pivots.len()
            || echelon
                .pivots
                .iter()
                .any(|it| !closure.free.pivots.contains(it))
        {
            return Ok(None);
        }
        let columns: Vec<usize> = (0..size).filter(|k| !echelon.pivots.contains(k)).collect();
        let mut free = Vec::with_capacity(columns.len());
        for &column in &columns {
            let mut vector = vec![Fraction::zero(); size];
            vector[column] = Fraction::one();
            for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
                vector[pivot] = field.neg(&row[column]);
            }
            free.push(vector);
        }
        // Rows that depend on the others may do so on the surface alone.
        for row in (0..rows.len()).filter(|row| !solved.contains(row)) {
            for vector in &free {
                if !zero.is(field, &along(field, &rows[row], vector)?)? {
                    return Ok(None);
                }
            }
        }
        let mut reached = free.clone();
        for made in &closure.made[free.len()..] {
            if let Made::Bracket(a, b) = *made {
                let found = bracket(field, variables, &reached[a], &reached[b])?;
                reached.push(found);
            }
        }
        let (part, own) = match reached.len() == free.len() {
            true => {
                let rows = echelon.rows.into_iter().take(echelon.pivots.len());
                (rows.collect(), echelon.pivots)
            }
            false => {
                let solved = field.echelon(&reached, size, &columns)?;
                if solved.pivots.len() != reached.len() {
                    return Ok(None);
                }
                let own: Vec<usize> = (0..size).filter(|k| !solved.pivots.contains(k)).collect();
                let form = |&k: &usize| {
                    let mut form = vec![Fraction::zero(); size];
                    form[k] = Fraction::one();
                    for (row, &pivot) in solved.rows.iter().zip(&solved.pivots) {
                        form[pivot] = field.neg(&row[k]);
                    }
                    form
                };
                (own.iter().map(form).collect(), own)
            }
        };
        Ok(Some(Self {
            free,
            reached,
            part,
            own,
        }))
    }

    /// Whether the part obeys Frobenius' condition: with dx_p = −Σ c_pf dx_f and Y_f = ∂_f − Σ c_pf ∂_p, Y_f c_pg = Y_g c_pf.
    pub(crate) fn is_integrable(
        &self,
        field: &mut Field,
        zero: &mut Zero<'_>,
        variables: &[SymbolId],
    ) -> Result<bool, Outside> {
        let size = variables.len();
        let others: Vec<usize> = (0..size).filter(|k| !self.own.contains(k)).collect();
        for form in &self.part {
            // Y_g c_f for all g and f.
            let mut slopes: Vec<Vec<Fraction>> = Vec::with_capacity(others.len());
            for &f in &others {
                let mut partial = Vec::with_capacity(size);
                for &variable in variables {
                    partial.push(field.derivative(&form[f], variable)?);
                }
                let mut along = Vec::with_capacity(others.len());
                for &g in &others {
                    let mut terms = vec![partial[g].clone()];
                    for (row, &p) in self.part.iter().zip(&self.own) {
                        if !row[g].is_zero() && !partial[p].is_zero() {
                            terms.push(field.neg(&field.mul(&row[g], &partial[p])?));
                        }
                    }
                    along.push(field.sum(&terms)?);
                }
                slopes.push(along);
            }
            for (f, of_f) in slopes.iter().enumerate() {
                for (g, of_g) in slopes[..f].iter().enumerate() {
                    if !zero.is(field, &field.sub(&of_f[g], &of_g[f])?)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether a form vanishes on all that is reached: proved if so.
    pub(crate) fn contains(
        &self,
        field: &Field,
        zero: &mut Zero<'_>,
        form: &[Fraction],
    ) -> Result<bool, Outside> {
        for vector in &self.reached {
            if !zero.is(field, &along(field, form, vector)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Integrals of the part: of its forms one by one, then sums of products of what occurs that no free direction changes.
    pub(crate) fn integrals(
        &self,
        field: &mut Field,
        variables: &[SymbolId],
    ) -> Result<Vec<Fraction>, Outside> {
        let mut found = Vec::new();
        for form in &self.part {
            found.extend(integral(field, form, variables)?);
        }
        if found.len() < self.part.len() {
            found.extend(self.sums(field, variables)?);
        }
        Ok(found)
    }

    /// Σ c g of products g of two of what occurs, with constants c, that no free direction changes.
    fn sums(&self, field: &mut Field, variables: &[SymbolId]) -> Result<Vec<Fraction>, Outside> {
        let is_moving = |field: &Field, it: GeneratorId| {
            field.holds(&field.element(it), |symbol| variables.contains(&symbol))
        };
        let mut bases: Vec<Fraction> = Vec::new();
        for &variable in variables {
            let x = field.symbol(variable)?;
            bases.push(field.element(x));
        }
        for entry in self.free.iter().flatten() {
            for generator in entry.generators() {
                let element = field.element(generator);
                if is_moving(field, generator) && !bases.contains(&element) {
                    bases.push(element);
                }
            }
        }
        let mut terms = bases.clone();
        for (k, a) in bases.iter().enumerate() {
            for b in &bases[k..] {
                terms.push(field.mul(a, b)?);
            }
        }
        terms.truncate(TERMS.max(bases.len()));
        let mut equations = vec![Vec::with_capacity(terms.len()); self.free.len()];
        for term in &terms {
            let mut slopes = Vec::with_capacity(variables.len());
            for &variable in variables {
                slopes.push(field.derivative(term, variable)?);
            }
            for (equation, direction) in equations.iter_mut().zip(&self.free) {
                equation.push(along(field, &slopes, direction)?);
            }
        }
        let rows = split(field, &equations, variables)?;
        let mut found = Vec::new();
        for constants in field.nullspace(&rows, &[])? {
            let mut sum = Vec::new();
            for (constant, term) in constants.iter().zip(&terms) {
                sum.push(field.mul(constant, term)?);
            }
            found.push(field.sum(&sum)?);
        }
        Ok(found)
    }
}

fn along(field: &Field, form: &[Fraction], vector: &[Fraction]) -> Result<Fraction, Outside> {
    let mut terms = Vec::new();
    for (a, b) in form.iter().zip(vector) {
        if !a.is_zero() && !b.is_zero() {
            terms.push(field.mul(a, b)?);
        }
    }
    field.sum(&terms)
}

fn bracket(
    field: &mut Field,
    variables: &[SymbolId],
    x: &[Fraction],
    y: &[Fraction],
) -> Result<Vec<Fraction>, Outside> {
    let mut result = Vec::with_capacity(variables.len());
    for place in 0..variables.len() {
        let mut terms = Vec::new();
        for (k, &variable) in variables.iter().enumerate() {
            if !x[k].is_zero() {
                let slope = field.derivative(&y[place], variable)?;
                terms.push(field.mul(&x[k], &slope)?);
            }
            if !y[k].is_zero() {
                let slope = field.derivative(&x[place], variable)?;
                terms.push(field.neg(&field.mul(&y[k], &slope)?));
            }
        }
        result.push(field.sum(&terms)?);
    }
    Ok(result)
}
