//! What acts on each particle and body: reactions and virtual-work vectors as forces and moments.
//!
//! It is found when someone asks, in a graph of its own: a model that is only run never pays for it.

use super::wrench::{Wrench, Wrenches};
use super::{Lowering, Symbols};
use crate::elaborate::{Declared, Target, Value, VectorAlgebra};
use crate::model::{Expression, Load, Model, Name};
use dalembert_expr::Graph;

/// Forces on particles and bodies, in expressions.
pub struct Physical {
    /// All expressions.
    pub graph: Graph,
    /// What they are functions of.
    pub symbols: Symbols,
    /// Forces of a unit multiplier of each row.
    pub rows: Vec<Wrenches>,
    /// Forces of the virtual-work vector of each constraint.
    pub nonideal: Vec<Wrenches>,
}

/// Forces on the particles and bodies of a model that can be lowered.
#[must_use]
pub fn physical(model: &Model) -> Physical {
    let mut work = Lowering::of(model);
    let rows = (0..work.rows.len())
        .map(|row| work.row_wrench(row))
        .collect();
    let nonideal = model.constraints.iter().map(|constraint| {
        let load = constraint.nonideal.as_ref();
        load.map_or(Ok(Vec::new()), |load| work.load_wrench(load))
    });
    let nonideal = nonideal.collect();
    Physical {
        graph: work.scope.graph,
        symbols: work.symbols,
        rows,
        nonideal,
    }
}

impl Lowering<'_> {
    /// The physical forces of a load.
    fn load_wrench(&mut self, load: &Load) -> Wrenches {
        let wrench = match load {
            Load::Generalized(_) => {
                let force = self.load(load).unwrap_or_default();
                return self.physical_forces(&force, Vec::new());
            }
            Load::Applied {
                on,
                at,
                vector,
                torque,
                axes,
            } => self.applied_wrench(
                on,
                at.as_ref(),
                [vector.as_ref(), torque.as_ref()],
                axes.as_ref(),
            ),
        };
        Ok(wrench.into_iter().collect())
    }

    fn applied_wrench(
        &mut self,
        on: &Name,
        at: Option<&Expression>,
        [vector, torque]: [Option<&Expression>; 2],
        axes: Option<&Name>,
    ) -> Option<Wrench> {
        let target = match self.scope.names().get(&on.text)? {
            Declared::Particle(i) => Target::Particle(i),
            Declared::Body(i) => Target::Body(i),
            _ => return None,
        };
        let turn = match axes {
            Some(axes) => Some(self.axes(axes)?),
            None => None,
        };
        let zero = self.graph().zero3();
        let mut part = |expression: Option<&Expression>| match expression {
            Some(expression) => self.force_vector(expression, turn.as_ref()),
            None => Some(zero),
        };
        let (force, mut moment) = (part(vector)?, part(torque)?);
        if let (Some(at), Target::Body(i)) = (at, target) {
            let place = match self.scope.value(at)? {
                Value::Vector(place)
                | Value::Point {
                    position: place, ..
                } => place,
                _ => return None,
            };
            let center = self.scope.body(i)?.center.position;
            let g = self.graph();
            let arm = g.sub3(place, center);
            let turning = g.cross3(arm, force);
            moment = g.add3(moment, turning);
        }
        Some(Wrench {
            on: target,
            force,
            moment,
        })
    }
}
