//! Free bodies in balance: the reactions on each, found from multipliers and the words of the rows, are what its inertia asks for besides the
//! given forces, found from its acceleration. Both are derived apart from each other, and from the equations that are solved.
//!
//! ```text
//! Σ R = m a − f        Σ M = I α + ω × I ω − l
//! ```

use super::{Values, components};
use crate::decide::CLEAR;
use crate::elaborate::Target;
use crate::lower::{Physical, Wrench};
use crate::mechanism::Mechanism;
use crate::snapshot::Snapshot;
use dalembert_expr::ExprId;

/// A particle or body on which forces, or moments, do not balance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unbalanced {
    /// What they act on.
    pub on: Target,
    /// Whether these are moments.
    pub moments: bool,
    /// By how much.
    pub by: f64,
    /// All of them, added up without their directions.
    pub of: f64,
}

impl Mechanism {
    /// The particle or body that is farthest from balance, if one is by more than a state may be wrong; what has components that are not determined is not
    /// judged by these.
    #[must_use]
    pub fn unbalanced(&self, physical: &Physical, snapshot: &Snapshot) -> Option<Unbalanced> {
        let reactions: Result<Vec<&Vec<Wrench>>, &String> =
            physical.reactions.iter().map(Result::as_ref).collect();
        // Where one reaction is not known, nobody knows on what it acts.
        let reactions: Vec<&Wrench> = reactions.ok()?.into_iter().flatten().collect();
        let rows = physical.rows.iter().flatten().flatten();
        let resultants = || physical.resultants.iter().zip(&physical.terms);
        let sums = resultants().filter_map(|((_, it), _)| it.as_ref().ok());
        let wanted: Vec<ExprId> = (reactions.iter().copied())
            .chain(rows)
            .chain(sums)
            .chain(physical.terms.iter().flatten())
            .flat_map(components)
            .collect();
        let values = Values::of(self, physical, snapshot, wanted);
        let mut worst: Option<(f64, Unbalanced)> = None;
        for ((on, resultant), terms) in resultants() {
            let Ok(resultant) = resultant else { continue };
            for moments in [false, true] {
                let part = |wrench: &Wrench| match moments {
                    true => values.vector(wrench.moment),
                    false => values.vector(wrench.force),
                };
                let mut gap = part(resultant);
                for wrench in reactions.iter().filter(|it| it.on == *on) {
                    gap.iter_mut()
                        .zip(part(wrench))
                        .for_each(|(gap, it)| *gap -= it);
                }
                let mut of: f64 = terms.iter().map(|it| length(part(it))).sum();
                for (row, multiplier) in physical.rows.iter().zip(&snapshot.multipliers) {
                    let own = row.iter().flatten().filter(|it| it.on == *on);
                    of += own
                        .map(|it| multiplier.abs() * length(part(it)))
                        .sum::<f64>();
                }
                let by = length(gap);
                let share = by / of;
                if by > CLEAR * of && worst.is_none_or(|(most, _)| share > most) {
                    let on = *on;
                    worst = Some((
                        share,
                        Unbalanced {
                            on,
                            moments,
                            by,
                            of,
                        },
                    ));
                }
            }
        }
        worst.map(|(_, found)| found)
    }
}

/// The length of a vector as far as it is known.
fn length(vector: [f64; 3]) -> f64 {
    let known = vector.into_iter().filter(|it| !it.is_nan());
    known.map(|it| it * it).sum::<f64>().sqrt()
}
