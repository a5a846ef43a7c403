//! Laws that use reactions, of a run that is made elsewhere: forces as functions of the reactions, and what is known of each friction.

use super::whole::inputs;
use dalembert_expr::calculus::jacobian;
use dalembert_expr::{ExprId, SymbolId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::{Rough, RowId, Slip, Sparse};
use dalembert_mechanics::unrolled::Masks;
use dalembert_program::{Program, compile};

/// The laws of a model, as programs of q, q', t, masks, λ, parameters and ways of slips.
#[derive(Clone, Debug)]
pub struct CarriedLaws {
    /// Forces by coordinate, the sums of the sizes of their terms, and the slopes by the reactions.
    pub forces: Program,
    /// Coordinates on which laws act.
    pub coordinates: Vec<usize>,
    /// Rows whose reactions are used.
    pub rows: Vec<usize>,
    /// The place of the force, and of the reaction, of each slope.
    pub slopes: Vec<[usize; 2]>,
    /// Numbers of the frictions, one after the other.
    pub frictions: Program,
    /// What these numbers are.
    pub shapes: Vec<CarriedFriction>,
    /// Whether all laws are friction that is proportional to a normal force.
    pub only_friction: bool,
}

/// A friction: its numbers are the coefficient, the one where nothing slips, forces of multipliers one that press, w for a normal force one,
/// misfits of rows, and of its slip the velocity, its rate without q'', the size of its terms, and slopes of the velocity by rates.
#[derive(Clone, Debug)]
pub struct CarriedFriction {
    /// Whose it is.
    pub of: Rough,
    /// Which reactions press, by place among those used.
    pub pressing: Vec<usize>,
    /// Coordinates of w.
    pub direction: Vec<usize>,
    /// Rows of the misfits.
    pub misfit: Vec<usize>,
    /// Components of the velocity of its slip: one along a line, three in a plane, none by a smooth law.
    pub width: usize,
    /// Coordinates of the slopes.
    pub slope: Vec<usize>,
}

impl CarriedLaws {
    /// Of a mechanism that has some; `None` if they ask for what is no input.
    pub(super) fn new(mechanism: &Mechanism) -> Option<Self> {
        let (system, equations) = (&mechanism.system, &mechanism.equations);
        let mut g = system.graph.clone();
        let inputs = inputs(system, &Masks::new(&mut g, system));
        let coordinates = equations.law_coordinates().to_vec();
        let rows = equations.law_rows().to_vec();
        let given = system.forces.iter().map(|given| &given.force);
        let all = given.chain(&system.nonideal);
        let lawful: Vec<&Sparse> = all.filter(|it| system.uses_reactions(it)).collect();
        let parts = |i: usize| {
            let own = lawful.iter().flat_map(move |force| force.iter());
            own.filter_map(move |&(j, value)| (i == j).then_some(value))
        };
        let (mut sums, mut sizes) = (Vec::new(), Vec::new());
        for &i in &coordinates {
            let values: Vec<ExprId> = parts(i).collect();
            let each: Vec<ExprId> = values.iter().map(|&value| g.abs(value)).collect();
            sizes.push(g.sum(each));
            sums.push(g.sum(values));
        }
        let reactions: Vec<SymbolId> = (rows.iter())
            .map(|&row| system.symbols.multipliers[row])
            .collect();
        let found = jacobian(&mut g, &sums, &reactions);
        let (mut slopes, mut values) = (Vec::new(), Vec::new());
        for (force, reaction, value) in found.triplets() {
            slopes.push([force, reaction]);
            values.push(value);
        }
        let forces = compile(&g, &inputs, &[sums, sizes, values].concat()).ok()?;
        let place = |row: RowId| rows.iter().position(|&known| known == row.index());
        let (mut numbers, mut shapes) = (Vec::new(), Vec::new());
        for friction in &system.frictions {
            numbers.extend([friction.coefficient, friction.holding]);
            numbers.extend(friction.rows.iter().map(|&(_, length)| length));
            numbers.extend(friction.direction.iter().map(|&(_, part)| part));
            numbers.extend(friction.misfit.iter().map(|&(_, part)| part));
            let slope: Vec<usize> = match &friction.slip {
                Slip::Smooth => Vec::new(),
                Slip::Line {
                    speed,
                    size,
                    slope,
                    rest,
                    ..
                } => {
                    numbers.extend([*speed, *rest, *size]);
                    numbers.extend(slope.iter().map(|&(_, it)| it));
                    slope.iter().map(|&(i, _)| i).collect()
                }
                Slip::Plane {
                    velocity,
                    size,
                    slope,
                    rest,
                    ..
                } => {
                    numbers.extend(velocity.iter().chain(rest).chain([size]));
                    numbers.extend(slope.iter().flat_map(|(_, it)| it));
                    slope.iter().map(|&(i, _)| i).collect()
                }
            };
            let pressing = friction.rows.iter();
            shapes.push(CarriedFriction {
                of: friction.of,
                pressing: pressing.filter_map(|&(row, _)| place(row)).collect(),
                direction: friction.direction.iter().map(|&(i, _)| i).collect(),
                misfit: friction.misfit.iter().map(|(row, _)| row.index()).collect(),
                width: friction.slip.ways().len(),
                slope,
            });
        }
        Some(Self {
            forces,
            coordinates,
            rows,
            slopes,
            frictions: compile(&g, &inputs, &numbers).ok()?,
            shapes,
            only_friction: equations.has_only_friction(),
        })
    }
}
