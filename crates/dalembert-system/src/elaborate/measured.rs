//! `energy`, `kinetic`, `potential` and `power(NAME)` in conditions.
//!
//! They are not known where a condition is read: they are symbols, put in when all forces and rows are.

use super::{Elaborator, Value, label};
use crate::diagnostic::Place;
use crate::model::Expression;
use dalembert_expr::syntax::{Argument, Span, Word};
use dalembert_expr::{ExprId, SymbolKind};

/// Words for energies.
pub(super) const ENERGIES: [&str; 3] = ["energy", "kinetic", "potential"];
/// The word for powers.
pub(super) const POWER: &str = "power";

/// An energy or a power that a condition uses.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// What stands for it.
    pub(crate) symbol: ExprId,
    /// Its word.
    pub(crate) word: String,
    /// The name of the force or constraint.
    pub(crate) of: Option<String>,
    /// Where.
    pub(crate) place: Place,
}

impl Elaborator<'_> {
    /// Elaborates a condition: there reactions, energies and powers may stand. What it used of the latter.
    pub(crate) fn in_condition<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(T, Vec<Measured>)> {
        self.measuring = true;
        let read = self.in_law(read);
        self.measuring = false;
        let measured = std::mem::take(&mut self.measured);
        Some((read?, measured))
    }

    /// An energy, where that is known.
    pub(super) fn energy(
        &mut self,
        expression: &Expression,
        name: &str,
        span: std::ops::Range<usize>,
    ) -> Value {
        let place = expression.place(span);
        self.measure(name, None, place)
    }

    /// Whether a name is that of an energy that is known.
    pub(super) fn is_energy(&self, name: &str) -> bool {
        self.measuring && ENERGIES.contains(&name)
    }

    /// `power(NAME)` in a condition.
    pub(super) fn power(
        &mut self,
        expression: &Expression,
        function: &Word,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Value> {
        let of = match arguments {
            [it] if it.name.is_none() => label(&expression.tree, it.value),
            _ => None,
        };
        let Some(of) = of else {
            let message = "`power` needs the name of a force or constraint";
            let at = function.span.range();
            self.refuse(expression, at, "E0435", message, "write power(NAME)");
            return None;
        };
        Some(self.measure(POWER, Some(of), expression.place(span.range())))
    }

    fn measure(&mut self, word: &str, of: Option<String>, place: Place) -> Value {
        // No constraint or row has a name like this.
        let name = format!("{word}({})", of.as_deref().unwrap_or_default());
        let symbol = self.graph.symbol(&name, SymbolKind::Multiplier);
        self.measured.push(Measured {
            symbol,
            word: word.to_owned(),
            of,
            place,
        });
        Value::Scalar(symbol)
    }

    /// Whether a call is that of a power that is known.
    pub(super) fn is_power(&self, function: &Word) -> bool {
        self.measuring && *function.text == *POWER
    }
}
