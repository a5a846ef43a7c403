//! What the formulations share, each part computed when it is first asked for.

use super::algebra::{Algebra, Vector};
use super::canonical::Canonical;
use super::divisors::Signs;
use super::lengths::Lengths;
use super::route::Raw;
use dalembert_expr::normal::{Fraction, Outside};
use dalembert_expr::{SymbolId, SymbolKind};
use dalembert_mechanics::lower::{Level, System};
use dalembert_mechanics::model::Model;
use dalembert_symbolic::elimination::{Judge, reduce};
use dalembert_symbolic::law_symbols::multipliers;
use dalembert_symbolic::matrix::{Matrix, along};

/// A system on its way to equations.
pub(super) struct Work<'a> {
    pub(super) algebra: Algebra<'a>,
    pub(super) model: &'a Model,
    pub(super) system: &'a System,
    pub(super) in_coordinates: Canonical,
    /// In the model's quasi-velocities; the same as in coordinates where it has none.
    pub(super) in_speeds: Canonical,
    /// λ by row.
    pub(super) multipliers: Vec<SymbolId>,
    /// Names of roots in the forces.
    pub(super) lengths: Lengths,
    /// Signs of the parameters.
    pub(super) signs: Signs,
    /// Whether rows that are independent in symbols depend on each other where they are met.
    pub(super) paradoxical: bool,
    tangent: Option<Tangent>,
    explicit: Option<Result<Explicit, Outside>>,
}

/// D with A D = 0, by elimination.
#[expect(non_snake_case, reason = "letters of the papers")]
struct Tangent {
    /// Without common denominators and factors.
    D: Matrix,
    /// Rows that do not depend on others.
    rows: Vec<usize>,
    /// Speeds that were not solved for.
    independent: Vec<usize>,
    /// Rows that depend on others by numbers only.
    undecided: Vec<usize>,
}

/// Accelerations and multipliers, solved for.
#[derive(Clone)]
pub(super) struct Explicit {
    pub(super) acceleration: Vector,
    /// By row; nothing where rows that depend on each other share the reaction.
    pub(super) multipliers: Vec<Option<Fraction>>,
    /// The same with zeros for rows that depend on others: one of the ways to share a reaction.
    pub(super) kept_multipliers: Vec<Option<Fraction>>,
    /// And that without w.
    pub(super) kept_ideal: Vec<Option<Fraction>>,
}

impl<'a> Work<'a> {
    /// # Errors
    /// The system is too large for the normal form; gives the algebra back.
    pub(super) fn new(
        mut algebra: Algebra<'a>,
        model: &'a Model,
        system: &'a System,
        mut signs: Signs,
    ) -> Result<Self, Box<(Outside, Algebra<'a>)>> {
        // Known in the order of the model, in which they are then written.
        let symbols = &system.symbols;
        for list in [&symbols.coordinates, &symbols.rates, &symbols.accelerations] {
            if let Err(outside) = algebra.symbols(list) {
                return Err(Box::new((outside, algebra)));
            }
        }
        declare_identities(&mut algebra, system);
        let mut lengths = Lengths::new(names(model));
        let found = Canonical::in_coordinates(&mut algebra, system, &mut lengths).and_then(|it| {
            let in_speeds = it.in_speeds(&mut algebra, model, system)?;
            Ok((it, in_speeds))
        });
        let (in_coordinates, in_speeds) = match found {
            Ok(found) => found,
            Err(outside) => return Err(Box::new((outside, algebra))),
        };
        for (root, square) in lengths.squares() {
            signs.add_root(&algebra, *root, square);
        }
        Ok(Self {
            multipliers: multipliers(&mut algebra.graph, system),
            model,
            system,
            in_speeds: in_speeds.unwrap_or_else(|| in_coordinates.clone()),
            in_coordinates,
            algebra,
            lengths,
            signs,
            paradoxical: false,
            tangent: None,
            explicit: None,
        })
    }

    /// Symbols for names of our own: the first letter that makes none of the model's names with any of the endings.
    pub(super) fn fresh_symbols(&mut self, letters: &[&str], endings: &[String]) -> Vec<SymbolId> {
        let taken = names(self.model);
        let is_free = |letter: &&&str| {
            let mut names = endings.iter().map(|ending| format!("{letter}{ending}"));
            names.all(|name| {
                let alike = |taken: &String| taken.replace('_', "").eq_ignore_ascii_case(&name);
                !taken.iter().any(alike)
            })
        };
        let letter = letters.iter().find(is_free).copied();
        let letter = letter.unwrap_or("shorthand");
        let graph = &mut self.algebra.graph;
        let symbols = endings.iter().map(|ending| {
            let id = graph.symbol(&format!("{letter}{ending}"), SymbolKind::Parameter);
            graph.as_symbol(id)
        });
        symbols.flatten().collect()
    }

    /// A v' = b, row by row.
    pub(super) fn acceleration_rows(&mut self, canonical: &Canonical) -> Result<Vec<Raw>, Outside> {
        let accelerations = self.algebra.symbols(&canonical.speed_rates)?;
        let left = canonical.A.along(&self.algebra.field, &accelerations)?;
        Ok(Raw::all(left, canonical.b.clone()))
    }

    /// What vanishes by the rows as they were written, in the model's speeds.
    pub(super) fn residuals(&mut self) -> Result<Vector, Outside> {
        let accelerations = self.algebra.symbols(&self.in_speeds.speed_rates)?;
        let (canonical, algebra) = (&self.in_speeds, &mut self.algebra);
        let rows = self.system.rows.iter().enumerate();
        rows.map(|(index, row)| match row.level {
            Level::Velocity => Ok(canonical.rates[index].clone()),
            Level::Position => algebra.field.take(&algebra.graph, row.residual),
            Level::Acceleration => {
                let left = along(&algebra.field, canonical.A.row(index), &accelerations)?;
                algebra.field.sub(&left, &canonical.b[index])
            }
        })
        .collect()
    }

    /// A basis D of the motions that the rows allow, A D = 0.
    pub(super) fn tangent(&mut self) -> Result<&Matrix, Outside> {
        Ok(&self.find_tangent()?.D)
    }

    /// Rows that do not depend on others, and speeds that were not solved for.
    pub(super) fn pivots(&mut self) -> Result<(Vec<usize>, Vec<usize>), Outside> {
        let found = self.find_tangent()?;
        Ok((found.rows.clone(), found.independent.clone()))
    }

    #[expect(non_snake_case, reason = "letters of the papers")]
    fn find_tangent(&mut self) -> Result<&Tangent, Outside> {
        if self.tangent.is_none() {
            let A = self.in_speeds.A.clone();
            let nv = self.in_speeds.speeds.len();
            let algebra = &self.algebra;
            let reduced = reduce(algebra, A, nv, &|_| Some(0))?;
            let independent = reduced.free_columns(nv);
            let D = reduced.null_space(&algebra.field, &independent, nv);
            let mut rows: Vec<usize> = reduced.pivots.iter().map(|&(row, _)| row).collect();
            rows.sort_unstable();
            let is_undecided =
                |row: &usize| !rows.contains(row) && !reduced.matrix.row(*row).is_empty();
            let undecided = (0..reduced.matrix.rows()).filter(is_undecided).collect();
            self.tangent = Some(Tangent {
                undecided,
                D: algebra.cleaned(&D)?,
                rows,
                independent,
            });
        }
        Ok(self.tangent.as_ref().expect("it was just found"))
    }

    /// Accelerations and multipliers by elimination in [M −Aᵀ; A 0] [v'; λ] = [h + w; b].
    pub(super) fn explicit(&mut self) -> Result<&Explicit, Outside> {
        if self.explicit.is_none() {
            self.explicit = Some(self.find_explicit());
        }
        match self.explicit.as_ref() {
            Some(Ok(found)) => Ok(found),
            Some(Err(outside)) => Err(*outside),
            None => unreachable!("it was just looked for"),
        }
    }

    fn find_explicit(&mut self) -> Result<Explicit, Outside> {
        let (rows, _) = self.pivots()?;
        let unique = self.unique()?;
        let Canonical { M, A, E, h, b, .. } = self.in_speeds.clone();
        let forces = self.in_speeds.forces(&self.algebra)?;
        let (nv, nc) = (h.len(), rows.len());
        let algebra = &self.algebra;
        let mut matrix = Matrix::zero(nv + nc, nv + nc);
        let mut right = Matrix::zero(nv + nc, 2);
        for i in 0..nv {
            matrix.set_row(i, M.row(i).clone());
            right.set((i, 0), forces[i].clone());
            right.set((i, 1), h[i].clone());
        }
        for (place, &row) in rows.iter().enumerate() {
            matrix.set_row(nv + place, A.row(row).clone());
            for (&k, entry) in E.row(row) {
                matrix.set((k, nv + place), algebra.field.neg(entry));
            }
            (0..2).for_each(|k| right.set((nv + place, k), b[row].clone()));
        }
        let solution = dalembert_symbolic::elimination::solve(algebra, &matrix, &right)?;
        let solution = solution.ok_or(Outside::Undefined)?;
        let by_row = |column: usize| -> Vec<Option<Fraction>> {
            let found = |row| {
                let place = rows.iter().position(|&kept| kept == row)?;
                Some(solution[(nv + place, column)].clone())
            };
            (0..b.len()).map(found).collect()
        };
        let kept_multipliers = by_row(0);
        let known = kept_multipliers.iter().cloned().zip(unique);
        Ok(Explicit {
            acceleration: solution.column(0).into_iter().take(nv).collect(),
            multipliers: known.map(|(it, unique)| it.filter(|_| unique)).collect(),
            kept_ideal: by_row(1),
            kept_multipliers,
        })
    }

    /// Whether the multiplier of each row has one value: no combination of rows that vanishes holds it.
    pub(super) fn unique(&mut self) -> Result<Vec<bool>, Outside> {
        let (kept, _) = self.pivots()?;
        let count = self.in_speeds.A.rows();
        if kept.len() == count {
            return Ok(vec![true; count]);
        }
        let transposed = self.in_speeds.A.transposed();
        let algebra = &self.algebra;
        let reduced = reduce(algebra, transposed, count, &|_| Some(0))?;
        let free = reduced.free_columns(count);
        let vanishing = reduced.null_space(&algebra.field, &free, count);
        let is_unique = |row: usize| {
            let mut entries = vanishing.row(row).values();
            entries.all(|entry| algebra.vanishes(entry))
        };
        Ok((0..count).map(is_unique).collect())
    }

    /// Lets squares of coordinates stand for what position rows make them; whether there were any.
    pub(super) fn declare_surface(&mut self) -> bool {
        let mut declared = false;
        let rows = self.system.rows.iter();
        for row in rows.filter(|row| row.level == Level::Position) {
            if let Ok(residual) = self.algebra.field.take(&self.algebra.graph, row.residual) {
                let coordinates = &self.in_coordinates.coordinates;
                declared |= self.algebra.declare_zero(&residual, coordinates);
            }
        }
        declared
    }

    /// Says which reactions are not unique.
    pub(super) fn shared_reactions(&mut self) -> Option<String> {
        if self.paradoxical {
            let words =
                "the reactions of the rows cannot be told apart: the rows depend on each other";
            return Some(words.to_owned());
        }
        let unique = self.unique().ok()?;
        let rows = self.system.rows.iter().zip(unique);
        let shared: Vec<String> = rows
            .filter(|(row, unique)| !unique && !row.identity)
            .map(|(row, _)| format!("`{}`", row.name))
            .collect();
        let list = shared.join(", ");
        (!shared.is_empty()).then(|| {
            format!("rows whose reactions cannot be told apart (they depend on each other): {list}")
        })
    }

    /// Says which rows were left out without a proof.
    pub(super) fn undecided_rows(&mut self) -> Option<String> {
        let states = self.algebra.samples.as_ref()?.count();
        let rows = &self.system.rows;
        let undecided = self.find_tangent().ok()?.undecided.iter();
        let undecided: Vec<String> = undecided
            .map(|&row| format!("`{}`", rows[row].name))
            .collect();
        let (list, verb) = (
            undecided.join(", "),
            if undecided.len() == 1 { "s" } else { "" },
        );
        let words = format!(
            "{list} follow{verb} from the other rows: thirty digits say so at {states} states, symbols do not"
        );
        (!undecided.is_empty()).then_some(words)
    }

    /// Whether forces depend on reactions, as friction does.
    pub(super) fn has_reactive_forces(&self) -> bool {
        let canonical = &self.in_coordinates;
        let mut forces = canonical.h.iter().chain(&canonical.w);
        forces.any(|force| {
            let algebra = &self.algebra;
            algebra.holds(force, |symbol| self.multipliers.contains(&symbol))
        })
    }
}

/// Lets squares of coordinates stand for what identities make them: q0² = 1 − q1² − q2² − q3².
fn declare_identities(algebra: &mut Algebra, system: &System) {
    let first_last: Vec<SymbolId> = system.symbols.coordinates.iter().rev().copied().collect();
    for row in system.rows.iter().filter(|row| row.identity) {
        if let Ok(residual) = algebra.field.take(&algebra.graph, row.residual) {
            algebra.declare_zero(&residual, &first_last);
        }
    }
}

/// All names of a model's quantities.
fn names(model: &Model) -> Vec<String> {
    let named = model.coordinates.iter().map(|(name, _)| name);
    let named = named.chain(model.speeds.iter().map(|(name, _)| name));
    let named = named.chain(model.parameters.iter().map(|(name, _)| name));
    named.map(|name| name.text.clone()).collect()
}
