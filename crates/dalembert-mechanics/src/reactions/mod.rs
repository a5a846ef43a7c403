//! Reactions at a state: on particles and bodies, and what the rows leave open.

mod balance;
mod dependence;
mod geometry;

pub use balance::Unbalanced;
pub use dependence::{Dependence, Dependences};
pub use geometry::Geometry;

use crate::elaborate::{Target, Vector};
use crate::equations::SpeedInverse;
use crate::lower::{Physical, Wrench};
use crate::mechanism::Mechanism;
use crate::snapshot::{MAX_COMPARED, NoMotion, Snapshot};
use dalembert_expr::{ExprId, evaluate};

/// Force and moment on a particle or body, in numbers: world axes, on a body at its mass centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acting {
    /// What it acts on.
    pub on: Target,
    /// Force; components that the model does not determine are no numbers.
    pub force: [f64; 3],
    /// Moment about the mass centre; zero on a particle.
    pub moment: [f64; 3],
}

impl Acting {
    /// Why a component may be no number.
    pub const WHY_OPEN: &str = "the coordinates hold it that way already, and no motion that they allow tells how much of what holds it is \
         this constraint's";

    /// Whether some component is not determined.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.force.iter().chain(&self.moment).any(|it| it.is_nan())
    }
}

/// Forces on particles and bodies and momenta at a state. What the model does not determine is a reason in words.
#[derive(Clone, Debug)]
pub struct Forces {
    /// Reaction of each constraint, its virtual-work vector included.
    pub reactions: Vec<Result<Vec<Acting>, String>>,
    /// The resultant of all reactions on each particle and body.
    pub resultants: Vec<(Target, Result<Acting, String>)>,
    /// Linear momentum, and angular momentum about the origin.
    pub momentum: Result<[[f64; 3]; 2], String>,
    /// ∂T/∂q' by coordinate.
    pub momenta: Vec<f64>,
}

impl Mechanism {
    /// Forces on particles and bodies, and momenta, where the motion is known.
    #[must_use]
    pub fn forces(&self, snapshot: &Snapshot) -> Forces {
        let physical = self.physical();
        let mut wanted = physical.momenta.clone();
        let reactions = physical.reactions.iter().flatten().flatten();
        let resultants = physical.resultants.iter();
        let resultants = resultants.filter_map(|(_, it)| it.as_ref().ok());
        wanted.extend(reactions.chain(resultants).flat_map(components));
        wanted.extend(physical.momentum.iter().flatten().flatten());
        let values = Values::of(self, physical, snapshot, wanted);
        let wrench = |wrench: &Wrench| Acting {
            on: wrench.on,
            force: values.vector(wrench.force),
            moment: values.vector(wrench.moment),
        };
        let all = |wrenches: &Vec<Wrench>| wrenches.iter().map(wrench).collect();
        let reactions = physical.reactions.iter();
        let resultants = physical.resultants.iter();
        Forces {
            reactions: reactions
                .map(|it| it.as_ref().map(all).map_err(Clone::clone))
                .collect(),
            resultants: resultants
                .map(|(on, it)| (*on, it.as_ref().map(wrench).map_err(Clone::clone)))
                .collect(),
            momentum: physical
                .momentum
                .as_ref()
                .map(|both| both.map(|vector| values.vector(vector)))
                .map_err(Clone::clone),
            momenta: physical
                .momenta
                .iter()
                .map(|&id| values.of_one(id))
                .collect(),
        }
    }

    /// The reaction of each constraint by speed; `None` for systems too large for that.
    ///
    /// # Errors
    /// The speeds do not determine the rates.
    pub fn reactions_by_speed(
        &self,
        snapshot: &Snapshot,
    ) -> Result<Option<Vec<Vec<f64>>>, NoMotion> {
        if self.equations.coordinates() + self.model.constraints.len() > MAX_COMPARED {
            return Ok(None);
        }
        let found = &snapshot.reactions;
        let mut reactions: Vec<Vec<f64>> = found.constraints().map(|it| found.on_all(it)).collect();
        let mut evaluator = self.evaluator_at(&snapshot.state);
        if let Some(map) = evaluator.speeds() {
            // F_v = Nᵀ F
            let inverse = SpeedInverse::of(&self.equations);
            let mut inverse = inverse.ok_or(NoMotion::SingularSpeeds)?;
            let found = inverse.factor(&map.matrix)
                && reactions.iter_mut().all(|f| inverse.solve_transposed(f));
            found.then_some(()).ok_or(NoMotion::SingularSpeeds)?;
            reactions.iter_mut().for_each(|f| f.truncate(map.named));
        }
        Ok(Some(reactions))
    }
}

fn components(wrench: &Wrench) -> impl Iterator<Item = ExprId> {
    wrench.force.into_iter().chain(wrench.moment)
}

/// Values of expressions of a [`Physical`].
struct Values {
    /// By expression.
    values: std::collections::HashMap<ExprId, f64>,
}

impl Values {
    fn of(
        mechanism: &Mechanism,
        physical: &Physical,
        snapshot: &Snapshot,
        wanted: Vec<ExprId>,
    ) -> Self {
        let inputs = mechanism.physical_inputs(snapshot);
        let mut by_symbol = vec![f64::NAN; physical.graph.symbol_count()];
        for (symbol, value) in physical.inputs().into_iter().zip(inputs) {
            by_symbol[symbol.index()] = value;
        }
        let values = evaluate(&physical.graph, &wanted, |symbol| by_symbol[symbol.index()]);
        Self {
            values: wanted.into_iter().zip(values).collect(),
        }
    }

    fn of_one(&self, id: ExprId) -> f64 {
        self.values.get(&id).copied().unwrap_or(f64::NAN)
    }

    fn vector(&self, vector: Vector) -> [f64; 3] {
        vector.map(|id| self.of_one(id))
    }
}

impl Mechanism {
    /// Values of [`Physical::inputs`] at a state.
    #[must_use]
    pub fn physical_inputs(&self, snapshot: &Snapshot) -> Vec<f64> {
        let state = &snapshot.state;
        // Where the motion is not known, the ways of slips are not either.
        let mut ways = snapshot.ways.clone();
        ways.resize(self.equations.way_count(), f64::NAN);
        [
            state.coordinates.as_slice(),
            &state.rates,
            &[state.t],
            &self.parameters,
            &snapshot.accelerations,
            &snapshot.multipliers,
            &ways,
            &[f64::NAN],
        ]
        .concat()
    }
}
