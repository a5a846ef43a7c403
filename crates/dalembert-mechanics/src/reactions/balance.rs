//! Free bodies in balance: the reactions on each, found from multipliers and the words of the rows, are what its inertia asks for besides the
//! given forces, found from its acceleration. Free bodies are judged that carry nothing else. Both are derived apart from each other, and from the equations that are solved.
//!
//! ```text
//! Σ R = m a − f        Σ M = I α + ω × I ω − l
//! ```

use super::{Values, components};
use crate::decide::{CLEAR, KNOWN};
use crate::elaborate::Target;
use crate::lower::{Physical, Wrench};
use crate::mechanism::Mechanism;
use crate::snapshot::Snapshot;
use dalembert_expr::{Cone, ExprId};

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
        let constraints = self.model.constraints.iter().zip(&physical.reactions);
        // Identities have no reactions.
        let reactions = constraints.filter(|(constraint, _)| !constraint.identity);
        let reactions: Result<Vec<&Vec<Wrench>>, &String> =
            reactions.map(|(_, reaction)| reaction.as_ref()).collect();
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
        let mut all: Vec<Unbalanced> = Vec::new();
        let mut arm = 0.0_f64;
        for ((on, resultant), terms) in resultants() {
            let (Ok(resultant), Some(free)) = (resultant, self.freedom(*on)) else {
                continue;
            };
            for moments in [false, true] {
                let part = |wrench: &Wrench| {
                    let vector = match moments {
                        true => values.vector(wrench.moment),
                        false => values.vector(wrench.force),
                    };
                    // What the plane itself holds has no reaction.
                    match (free, moments) {
                        (Freedom::Space, _) => vector,
                        (Freedom::Plane, true) => [0.0, 0.0, vector[2]],
                        (Freedom::Plane, false) => [vector[0], vector[1], 0.0],
                    }
                };
                let mut gap = part(resultant);
                for wrench in reactions.iter().filter(|it| it.on == *on) {
                    gap.iter_mut()
                        .zip(part(wrench))
                        .for_each(|(gap, it)| *gap -= it);
                }
                let mut of: f64 = terms.iter().map(|it| length(part(it))).sum();
                for (row, multiplier) in physical.rows.iter().zip(&snapshot.multipliers) {
                    for own in row.iter().flatten().filter(|it| it.on == *on) {
                        of += multiplier.abs() * length(part(own));
                        let force = length(values.vector(own.force));
                        if force > 0.0 {
                            arm = arm.max(length(values.vector(own.moment)) / force);
                        }
                    }
                }
                let (on, by) = (*on, length(gap));
                all.push(Unbalanced {
                    on,
                    moments,
                    by,
                    of,
                });
            }
        }
        let largest = |moments: bool| {
            let own = all.iter().filter(|it| it.moments == moments);
            own.map(|it| it.of).fold(0.0, f64::max)
        };
        // Moments that are zero are rounding of forces with their arms, of what is larger elsewhere, and of what the motion could ask for:
        // I ω², which is of the size of the energy, where a body spins and nothing turns it.
        let far = if arm > 0.0 { arm } else { self.reach(snapshot) };
        let by_motion = if far > 0.0 {
            snapshot.kinetic / far
        } else {
            0.0
        };
        let floors = [
            KNOWN * (largest(false) + by_motion),
            KNOWN * (largest(true) + arm * largest(false) + snapshot.kinetic),
        ];
        let is_wrong =
            |it: &&Unbalanced| it.by > CLEAR * it.of && it.by > floors[usize::from(it.moments)];
        let wrong = all.iter().filter(is_wrong);
        wrong
            .max_by(|a, b| (a.by / a.of).total_cmp(&(b.by / b.of)))
            .copied()
    }
}

/// How a free body can move.
#[derive(Clone, Copy)]
enum Freedom {
    Plane,
    Space,
}

impl Mechanism {
    /// How far from the origin mass centres of free bodies are, at most.
    fn reach(&self, snapshot: &Snapshot) -> f64 {
        let all = self.coordinate_names().zip(&snapshot.state.coordinates);
        let is_place = |name: &str| [".x", ".y", ".z"].iter().any(|it| name.ends_with(it));
        let places = all.filter(|(name, _)| is_place(name));
        places.fold(0.0, |most, (_, place)| most.max(place.abs()))
    }

    /// Of a body with coordinates of its own, which move nothing else: what coordinates hold, or carry along, has no reaction by name.
    fn freedom(&self, on: Target) -> Option<Freedom> {
        let Target::Body(index) = on else { return None };
        let name = &self.model.bodies[index].name.text;
        let own = |member: &str| {
            let called = format!("{name}.{member}");
            self.coordinate_names().position(|it| it == called)
        };
        let x = own("x")?;
        let freedom = match (own("q0"), own("angle")) {
            (Some(_), _) => Freedom::Space,
            (None, Some(_)) => Freedom::Plane,
            (None, None) => return None,
        };
        let graph = &self.system.graph;
        let rate = self.system.symbols.rates[x];
        let moved = self.system.moving.iter().filter(|it| {
            let turned = it.omega.iter().flatten();
            let motion: Vec<ExprId> = it.velocity.iter().chain(turned).copied().collect();
            Cone::new(graph, &motion).symbols(graph).contains(&rate)
        });
        (moved.count() == 1).then_some(freedom)
    }
}

/// The length of a vector as far as it is known.
fn length(vector: [f64; 3]) -> f64 {
    let known = vector.into_iter().filter(|it| !it.is_nan());
    known.map(|it| it * it).sum::<f64>().sqrt()
}
