//! Systems that are too large for the normal form, or longer in it: the equations with multipliers, as they were lowered.
//!
//! Nothing is expanded or proved; parts that occur more than once get names when they are printed.

use super::DeriveOptions;
use super::algebra::Algebra;
use super::canonical::assembled;
use super::form::Form;
use super::page::Equation;
use super::partial_velocities;
use super::refusal::{Missing, with_identities};
use super::result::{Derivation, Energies, Forces, Matrices, length};
use dalembert_expr::normal::Outside;
use dalembert_expr::{Cone, ExprId, Graph, simplify};
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::lower::System;
use dalembert_mechanics::model::Model;
use dalembert_symbolic::assembled::Sparse;
use dalembert_symbolic::law_symbols::multipliers;

/// Why the equations are as they were lowered.
pub(super) enum Reason {
    /// There is no normal form.
    Outside(Outside),
    /// They are longer in it, by so many times.
    Longer(usize),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Outside(outside) => outside.fmt(f),
            Self::Longer(times) => write!(f, "expanded, they are {times} times as long"),
        }
    }
}

/// The equations with multipliers as they were lowered.
#[expect(non_snake_case, reason = "letters of the papers")]
pub(super) struct Lowered {
    M: Vec<Vec<ExprId>>,
    h: Vec<ExprId>,
    A: Vec<Vec<ExprId>>,
    b: Vec<ExprId>,
    w: Vec<ExprId>,
    E: Vec<Vec<ExprId>>,
    /// Eᵀ λ.
    ideal: Vec<ExprId>,
    equations: Vec<Equation>,
}

impl Lowered {
    #[expect(non_snake_case, reason = "letters of the papers")]
    pub(super) fn of(algebra: &mut Algebra, system: &System) -> Self {
        let flat = assembled(algebra, system);
        let g = &mut algebra.graph;
        let (nv, zero) = (flat.h.len(), g.integer(0));
        let values = |sparse: &Sparse| -> Vec<ExprId> { sparse.values().copied().collect() };
        let (M, A, E) = (values(&flat.M), values(&flat.A), values(&flat.E));
        let parts = [&M, &flat.h, &A, &flat.w, &flat.b, &E];
        let all: Vec<ExprId> = parts.into_iter().flatten().copied().collect();
        // Collected terms share less: where that makes more of them, they stay as they were lowered.
        let collected = simplify(g, &all);
        let size = |list: &[ExprId]| Cone::new(g, list).len();
        let shorter = if size(&collected) < size(&all) {
            collected
        } else {
            all
        };
        let mut simple = shorter.into_iter();
        let mut next = |count: usize| -> Vec<ExprId> { simple.by_ref().take(count).collect() };
        let (M, h, A) = (next(M.len()), next(nv), next(A.len()));
        let (w, b, E) = (next(nv), next(flat.b.len()), next(E.len()));
        let full = |sparse: &Sparse, values: Vec<ExprId>, rows: usize| {
            let mut full = vec![vec![zero; nv]; rows];
            for (&(row, column), value) in sparse.keys().zip(values) {
                full[row][column] = value;
            }
            full
        };
        let nc = system.rows.len();
        let mut lowered = Self {
            M: full(&flat.M, M, nv),
            h,
            A: full(&flat.A, A, nc),
            b,
            w,
            E: full(&flat.E, E, nc),
            ideal: Vec::new(),
            equations: Vec::new(),
        };
        lowered.write(g, system);
        lowered
    }

    /// M v' = h + w + Eᵀ λ and A v' = b.
    fn write(&mut self, g: &mut Graph, system: &System) {
        let accelerations = system.symbols.accelerations.iter();
        let accelerations: Vec<ExprId> = accelerations.map(|&it| g.symbol_node(it)).collect();
        let multipliers = multipliers(g, system);
        let multipliers: Vec<ExprId> = multipliers.iter().map(|&it| g.symbol_node(it)).collect();
        for (k, mass) in self.M.iter().enumerate() {
            let directions = self.E.iter().map(|row| row[k]);
            let ideal = dot(g, directions, &multipliers);
            let left = dot(g, mass.iter().copied(), &accelerations);
            let right = g.sum([self.h[k], self.w[k], ideal]);
            self.ideal.push(ideal);
            self.equations.push(Equation { left, right });
        }
        for (row, &right) in self.A.iter().zip(&self.b) {
            let left = dot(g, row.iter().copied(), &accelerations);
            let row = Equation { left, right };
            // None twice, and none that says nothing.
            if left != right && !self.equations.contains(&row) {
                self.equations.push(row);
            }
        }
    }

    /// Number of characters in LaTeX.
    pub(super) fn length(&self, graph: &Graph) -> usize {
        length(graph, self.equations.iter())
    }

    /// The page that shows them.
    pub(super) fn page(
        self,
        model: &Model,
        system: &System,
        algebra: Algebra,
        (form, why): (Form, &Reason),
        options: &DeriveOptions,
    ) -> Result<Derivation, Vec<Diagnostic>> {
        let (mut g, samples) = (algebra.graph, algebra.samples);
        let nv = self.h.len();
        let rates = system.symbols.rates.iter();
        let rates: Vec<ExprId> = rates.map(|&rate| g.symbol_node(rate)).collect();
        let (zero, one) = (g.integer(0), g.integer(1));
        let unit = |row: usize| (0..nv).map(|k| if k == row { one } else { zero }).collect();
        let (motions, energies) = match options.steps || options.matrices {
            true => {
                let both = simplify(&mut g, &[system.kinetic, system.potential]);
                let energies = Energies {
                    kinetic: both[0],
                    potential: both[1],
                };
                let given = model.dynamics.is_none().then_some(energies);
                (partial_velocities::as_lowered(&mut g, system), given)
            }
            false => (Vec::new(), None),
        };
        let is_ideal = system.servo.is_empty() && self.w.iter().all(|&part| part == zero);
        let known = |part: ExprId| is_ideal.then_some(part);
        let mut derivation = Derivation {
            motions,
            energies,
            equations: self.equations,
            forces: Forces {
                given: self.h.clone(),
                ideal: self.ideal.into_iter().map(known).collect(),
                nonideal: vec![known(zero); nv],
            },
            matrices: Matrices {
                v: rates,
                N: (0..nv).map(unit).collect(),
                n: vec![zero; nv],
                M: self.M,
                h: self.h,
                E: (self.E != self.A).then_some(self.E),
                A: self.A,
                b: self.b,
                w: self.w,
                D: None,
            },
            notes: vec![format!(
                "{why}: the equations are as they follow from the model, not expanded, and nothing is proved"
            )],
            ..Derivation::new(g, form, model, system)
        };
        derivation.blocks = super::layout::blocks(&mut derivation, options, None);
        super::candidates::checked(derivation, system, samples.as_ref())
    }
}

/// The sum of products.
fn dot(g: &mut Graph, a: impl Iterator<Item = ExprId>, b: &[ExprId]) -> ExprId {
    let mut sum = g.integer(0);
    for (a, &b) in a.zip(b) {
        let product = g.mul(a, b);
        sum = g.add(sum, product);
    }
    sum
}

/// The page of a system that has no normal form.
pub(super) fn derive(
    model: &Model,
    system: &System,
    mut algebra: Algebra,
    outside: Outside,
    options: &DeriveOptions,
) -> Result<Derivation, Vec<Diagnostic>> {
    if let Some(refused) = with_identities((model, system), "equations", outside) {
        return Err(vec![refused]);
    }
    let wanted = options.form.unwrap_or(Form::Multipliers);
    if wanted != Form::Multipliers || !options.independent.is_empty() {
        return Err(vec![
            Missing::Outside(outside).diagnostic(wanted, &system.rows),
        ]);
    }
    let lowered = Lowered::of(&mut algebra, system);
    let why = Reason::Outside(outside);
    lowered.page(model, system, algebra, (wanted, &why), options)
}
