//! What `derive --impulse` says: a blow in symbols.

use super::Report;
use super::derive::{Formula, FormulaEquation};
use crate::derive::{Equation, ImpulseDerivation, Style};
use dalembert_expr::ExprId;
use dalembert_expr::print::Format;
use dalembert_mechanics::diagnostic::Diagnostic;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt;

/// A blow: a page for people, [`DerivedImpulse`] for programs.
pub struct ImpulseReport {
    /// The formulas, in their graph.
    pub derivation: ImpulseDerivation,
    /// The notation of the page.
    pub style: Style,
    /// Columns of the terminal that a page of text is for.
    pub columns: Option<usize>,
    /// What the reader should know.
    pub warnings: Vec<Diagnostic>,
}

impl Report for ImpulseReport {
    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl fmt::Display for ImpulseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.derivation.page(self.style, self.columns))
    }
}

impl Serialize for ImpulseReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DerivedImpulse::new(&self.derivation).serialize(serializer)
    }
}

/// A blow in the model's own syntax, and in LaTeX.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DerivedImpulse {
    /// The event.
    pub event: String,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names for parts that occur often, each in terms of those before.
    pub shorthands: IndexMap<String, String>,
    /// Rates after the blow, in terms of those before.
    pub after: Vec<FormulaEquation>,
    /// Impulses of the rows that hold in the blow, and of what is struck by its number, `hit.0`; null where rows that depend on each other
    /// share them.
    pub impulses: IndexMap<String, Option<Formula>>,
    /// The energy that rows and walls take, in terms of the impulses, `Lambda(ROW)`; null where these are not unique.
    pub lost: Option<Formula>,
    /// What is divided by and may vanish.
    pub nonzero: Vec<String>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

impl DerivedImpulse {
    fn new(it: &ImpulseDerivation) -> Self {
        let mut all: Vec<ExprId> = Vec::new();
        let both = |equation: &Equation| [equation.left, equation.right];
        all.extend(it.after.iter().flat_map(both));
        all.extend(
            it.impulses
                .iter()
                .filter_map(|(_, it)| it.map(|it| it.right)),
        );
        all.extend(it.lost);
        all.extend(&it.nonzero);
        let model = it.print(&all, Format::Model);
        let latex = it.print(&all, Format::Latex);
        let texts = model.expressions.iter().cloned();
        let mut texts = texts.zip(latex.expressions.iter().cloned());
        let mut next = || {
            let (expr, latex) = texts.next().unwrap_or_default();
            Formula { expr, latex }
        };
        let after = it.after.iter().map(|_| {
            let (left, right) = (next(), next());
            FormulaEquation {
                latex: format!("{} = {}", left.latex, right.latex),
                left: left.expr,
                right: right.expr,
            }
        });
        let after = after.collect();
        let impulses = it.impulses.iter();
        let impulses = impulses.map(|(name, formula)| (name.clone(), formula.map(|_| next())));
        let impulses = impulses.collect();
        let lost = it.lost.map(|_| next());
        let nonzero = it.nonzero.iter().map(|_| next().expr).collect();
        Self {
            event: it.event.clone(),
            coordinates: it.coordinates.clone(),
            shorthands: model.definitions.into_iter().collect(),
            after,
            impulses,
            lost,
            nonzero,
            notes: it.notes.clone(),
        }
    }
}
