//! Physical forces of rows: the force and moment of a unit multiplier on each particle and body.
//!
//! One such force g is found from the words of the row: the derivative of φ by a displacement, of ψ by its
//! rate, of an acceleration row by its second rate ([`crate::elaborate`], shadows). What a row says in raw
//! coordinates,
//!
//! ```text
//! ρ = A − Σ J_kᵀ g_k          J_k = ∂v_k/∂q', ∂ω_k/∂q'
//! ```
//!
//! is given to particles and bodies only where mechanics decides it (`distribute.rs`). Of what is found that way
//! only those components are kept that every other wording of the same row has as well (`undetermined.rs`); but a joint between points has no
//! other wording: its type says where and how it acts, whatever the coordinates hold.
//! Everywhere else the force is not determined by the model, and the reason is kept in words.

use super::distribute::{Block, Shares};
use super::given::{Direct, ON};
use super::inertia::Partials;
use super::sampling::Sampling;
use super::{Lowering, Sparse};
use crate::elaborate::{Statement, Target, Value, Vector, VectorAlgebra};
use crate::ids::Id;
use crate::lower::RowId;
use crate::model::Expression;
use dalembert_expr::ExprId;
use dalembert_linear::decide::CANCELLED;
use std::collections::BTreeMap;

/// Force and moment on a particle or body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrench {
    /// What it acts on.
    pub on: Target,
    /// Force in world axes, on a body at its mass centre.
    pub force: Vector,
    /// Moment about the mass centre in world axes; zero on a particle.
    pub moment: Vector,
}

/// Forces on particles and bodies, each named at most once; or why the model does not determine them.
pub type Wrenches = Result<Vec<Wrench>, String>;

impl Lowering<'_> {
    /// The physical forces of a unit multiplier of a row.
    pub(super) fn row_wrench(&mut self, row: RowId) -> Wrenches {
        let model = self.model;
        // A row that is held by a force has that force's direction.
        if let Some(servo) = self.servo.iter().find(|servo| servo.row == row) {
            let force = servo.force;
            let direct = self.load_direct(&model.forces[force.index() - self.first_force].load);
            let total = self.forces[force].force.clone();
            return self.physical_forces(&total, direct, ON);
        }
        let (mut shares, raw) = self.said_by(row)?;
        // A row that says 0 = 0 says nothing of forces across the plane of a plane model.
        let zero = self.graph().integer(0);
        if self.rows[row].residual == zero {
            self.drop_across_the_plane(&mut shares);
        }
        let own = self.rows[row].constraint;
        if model.constraints[own].placed && !raw {
            if self.holds_something(row, &shares) {
                self.open_across_the_plane(&mut shares);
                return Ok(self.wrenches(shares));
            }
            // What the coordinates hold in place of this row is not known; other rows of the joint act as they say.
            let others = Id::all(&self.rows).filter(|it| *it != row);
            let others = others.filter(|it| self.rows[*it].constraint == own);
            let others: Vec<RowId> = others.collect();
            let acts = |other: RowId| {
                let said = self.said_by(other);
                said.is_ok_and(|(shares, raw)| !raw && self.holds_something(other, &shares))
            };
            if others.into_iter().any(acts) {
                self.open_all(&mut shares);
                return Ok(self.wrenches(shares));
            }
        }
        self.open_undetermined(raw, &mut shares)?;
        Ok(self.wrenches(shares))
    }

    /// Whether a row holds something that its forces act on: the coordinates allow what it forbids.
    fn holds_something(&mut self, row: RowId, shares: &Shares) -> bool {
        let held: Vec<ExprId> = self.rows[row].jacobian.iter().map(|it| it.1).collect();
        let said = shares.values().flatten().copied();
        let all: Vec<ExprId> = held.iter().copied().chain(said).collect();
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
        let sampling = Sampling::of(&self.scope.graph, &all);
        !sampling.everywhere(|it| largest(&it[..held.len()]) <= CANCELLED * largest(it))
    }

    /// What a row says of forces, by block, and whether a part was given to what coordinates move.
    fn said_by(&mut self, row: RowId) -> Result<(Shares, bool), String> {
        let model = self.model;
        let (constraint, level) = (self.rows[row].constraint, self.rows[row].level);
        // Rows of an equation stand together.
        let own = (constraint, self.rows[row].equation);
        let before = self.rows[..row.index()].iter().rev();
        let component = before.take_while(|it| (it.constraint, it.equation) == own);
        let component = component.count();
        let holds = model.constraints[constraint].equations().nth(own.1);
        let direct = match holds.and_then(|holds| self.displaced_side(holds, component)) {
            Some(residual) => self.scope.by_displacements(residual, level.derivatives()),
            None => Direct::new(),
        };
        let total = self.rows[row].jacobian.clone();
        let cure = "write the constraint with pos, vel or omega of what is held";
        self.shares(&total, direct, cure)
    }

    /// Left minus right of one component of an equation, particles and bodies displaced.
    fn displaced_side(&mut self, holds: &Expression, component: usize) -> Option<ExprId> {
        let Some(Statement::Relation { left, right, .. }) = self.scope.displaced(holds) else {
            return None;
        };
        let side = |value| match value {
            Value::Scalar(id) => Some((id, true)),
            Value::Vector(v) | Value::Point { position: v, .. } => {
                v.get(component).map(|&id| (id, false))
            }
            _ => None,
        };
        // Beside a vector only the number 0 stands, which is the zero vector.
        match (side(left)?, side(right)?) {
            ((a, false), (_, true)) => Some(a),
            ((_, true), (b, false)) => Some(self.graph().neg(b)),
            ((a, _), (b, _)) => Some(self.graph().sub(a, b)),
        }
    }

    /// Physical forces with the virtual work of a generalized force, of which a part is known directly:
    /// by target and component, force before moment. The cure is what to do where the rest has no place.
    pub(super) fn physical_forces(
        &mut self,
        total: &Sparse,
        direct: Direct,
        cure: &str,
    ) -> Wrenches {
        let (shares, _) = self.shares(total, direct, cure)?;
        Ok(self.wrenches(shares))
    }

    /// The same by block, and whether a part was given to what coordinates move.
    pub(super) fn shares(
        &mut self,
        total: &Sparse,
        direct: Direct,
        cure: &str,
    ) -> Result<(Shares, bool), String> {
        let mut shares = self.direct_shares(direct);
        let rest = self.remainder(total, &shares);
        let raw = self.distribute(rest, &mut shares, cure)?;
        Ok((shares, raw))
    }

    pub(super) fn direct_shares(&mut self, direct: Direct) -> Shares {
        let zero = self.graph().zero3();
        let mut shares = Shares::new();
        for (target, component, value) in direct {
            let turning = component >= 3;
            let share = shares.entry(Block { target, turning }).or_insert(zero);
            share[component % 3] = value;
        }
        shares
    }

    pub(super) fn wrenches(&mut self, shares: Shares) -> Vec<Wrench> {
        let zero = self.graph().zero3();
        let mut wrenches: Vec<Wrench> = Vec::new();
        for (Block { target, turning }, share) in shares {
            if wrenches.last().is_none_or(|last| last.on != target) {
                wrenches.push(Wrench {
                    on: target,
                    force: zero,
                    moment: zero,
                });
            }
            if let Some(last) = wrenches.last_mut() {
                *(if turning {
                    &mut last.moment
                } else {
                    &mut last.force
                }) = share;
            }
        }
        wrenches
    }

    /// ρ = A − Σ J_kᵀ g_k where it does not vanish.
    fn remainder(&mut self, total: &Sparse, shares: &Shares) -> Sparse {
        let mut terms: BTreeMap<usize, Vec<ExprId>> = BTreeMap::new();
        for &(i, value) in total {
            terms.entry(i).or_default().push(value);
        }
        for (&block, &share) in shares {
            for (i, partial) in self.partials_of(block) {
                // One by one, so that a sum that cancels is seen to.
                for (a, b) in partial.into_iter().zip(share) {
                    let work = self.graph().mul(a, b);
                    let work = self.graph().neg(work);
                    terms.entry(i).or_default().push(work);
                }
            }
        }
        let all: Vec<ExprId> = terms.values().flatten().copied().collect();
        let sampling = Sampling::of(&self.scope.graph, &all);
        let mut rest = Sparse::new();
        let mut next = 0;
        for (i, terms) in terms {
            let own = next..next + terms.len();
            next = own.end;
            if !sampling.sum_vanishes(own) {
                let sum = self.graph().sum(terms);
                rest.push((i, sum));
            }
        }
        rest
    }

    pub(super) fn partials_of(&mut self, block: Block) -> Partials {
        let motion = match block.target {
            Target::Particle(i) => self.scope.particle(i).map(|motion| motion.velocity),
            Target::Body(i) => self.scope.body(i).map(|body| match block.turning {
                true => body.attitude.omega,
                false => body.center.velocity,
            }),
        };
        motion.map_or_else(Partials::new, |velocity| self.partials(velocity))
    }
}
