//! What rounding leaves in a step: errors below it cannot be judged.
//!
//! What rests does so because its forces cancel, and its speeds are what rounding left of them. With F the sizes of the terms
//! of h, w, Gᵀ λ and M q'', and u the units in which each coordinate has an inertia of one, rounding leaves in a step of length h
//!
//! ```text
//! speeds         ε u · max (h u F + |q'|/u)          over all coordinates that M and the rows couple at the state
//! coordinates    ε |q| + h times that
//! energy         the work of all of F along the way h times that
//! ```
//!
//! The potential is known as well as its terms, of which it may be a small difference: weights of several bodies above and below zero.
//! Forces that cancel do no work, but those of rows are in no energy: what rests on rows that are met but for rounding has a potential that changes by their work.
//!
//! Rows are met as well as rounding beside coordinates of usual sizes lets them, which a speed near zero shows. Where speeds have a part b₀
//! that depends on time, rates are known beside that.

use super::coupling::Sets;
use super::scales::inertias;
use dalembert_expr::{Cone, ExprId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{ROUNDING, SOLVED};
use dalembert_mechanics::equations::{Canonical, Evaluator};
use dalembert_mechanics::linear::Matrix;
use dalembert_mechanics::start::State;
use dalembert_mechanics::terms::{Terms, TermsRoom};

/// Measures the rounding of steps of a mechanism.
pub(super) struct Rounding {
    /// Of all forces, and the coordinate that each acts on.
    terms: Terms,
    coordinates: Vec<usize>,
    /// Units of coordinates and speeds in which each has an inertia of one.
    pub(super) units: [Vec<f64>; 2],
    /// Whether forces depend on time by themselves.
    timed: bool,
    /// Of the potential, once someone asks.
    potential: Option<Terms>,
    /// Sizes of the rates beside which rows are met.
    rates: Vec<f64>,
    room: Room,
}

/// Room to compute in: what is coupled, what each coordinate and each coupled set has, and a rate that each speed is made of.
struct Room {
    terms: TermsRoom,
    coupled: Sets,
    sizes: Vec<f64>,
    /// h u F.
    pushes: Vec<f64>,
    left: Vec<f64>,
    rates: Vec<usize>,
}

/// What rounding leaves of the energy in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded {
    /// The root of twice the energy that speeds have by it.
    pub(super) root: f64,
    /// The work of forces along the ways that it leaves.
    pub(super) work: f64,
}

impl Rounding {
    pub(super) fn new(mechanism: &Mechanism, state: &State, rates: &[f64]) -> Self {
        let system = &mechanism.system;
        let given = system.given_forces().map(|given| &given.force);
        let inertial = system.inertia.iter().map(|inertial| &inertial.force);
        let lists: Vec<_> = given.chain(inertial).chain(&system.nonideal).collect();
        let all = lists.iter().copied().flatten();
        let (coordinates, forces): (Vec<usize>, Vec<ExprId>) = all.copied().unzip();
        let elements = lists.iter().map(|list| {
            let values = list.iter().map(|&(_, value)| value);
            values.collect::<Vec<_>>()
        });
        let terms = Terms::of_elements(&system.graph, elements);
        let symbols = Cone::new(&system.graph, &forces).symbols(&system.graph);
        Self {
            timed: symbols.contains(&system.symbols.time),
            coordinates,
            units: inertias(mechanism, state),
            potential: None,
            rates: rates.to_vec(),
            room: Room {
                terms: TermsRoom::default(),
                coupled: Sets::of(rates.len()),
                sizes: vec![0.0; rates.len()],
                pushes: vec![0.0; rates.len()],
                left: vec![0.0; rates.len()],
                rates: (0..rates.len()).collect(),
            },
            terms,
        }
    }

    /// Whether forces depend on time by themselves: they are known as well as it is.
    pub(super) fn is_timed(&self) -> bool {
        self.timed
    }

    /// What rounding leaves of the potential at the state that is set.
    pub(super) fn of_potential(&mut self, mechanism: &Mechanism, evaluator: &Evaluator<'_>) -> f64 {
        let system = &mechanism.system;
        let terms = || Terms::new(&system.graph, &[system.potential]);
        let terms = self.potential.get_or_insert_with(terms);
        let size: f64 = terms.sizes(evaluator.value_of()).into_iter().sum();
        if size.is_finite() {
            ROUNDING * size
        } else {
            0.0
        }
    }

    /// Whether the forces have neither corners nor jumps.
    pub(super) fn forces_are_smooth(&self) -> bool {
        !self.terms.analytic().contains(&false)
    }

    /// Writes what rounding leaves in q and v in a step of length h from the state that is set, whose accelerations and
    /// multipliers are given; returns what is left of the energy.
    pub(super) fn write(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        (q, h): (&[f64], f64),
        [accelerations, multipliers]: [&[f64]; 2],
        out: &mut [f64],
    ) -> Rounded {
        let [units, speed_units] = &self.units;
        let n = units.len();
        let Room {
            terms,
            coupled,
            sizes,
            pushes,
            left,
            rates,
        } = &mut self.room;
        sizes.fill(0.0);
        left.fill(0.0);
        coupled.part();
        let found = self.terms.measured_in(evaluator.value_of(), terms);
        for (&coordinate, (_, size)) in self.coordinates.iter().zip(found) {
            sizes[coordinate] += size;
        }
        // Where inertia is left in links its terms are in no expression: h itself is as large as they are, unless they cancel.
        if evaluator.latest().mass.tree().is_some() {
            let force = evaluator.latest().force;
            (sizes.iter_mut().zip(force)).for_each(|(size, h)| *size += h.abs());
        }
        add_solved(evaluator.latest(), [accelerations, multipliers], sizes);
        for (i, rate) in evaluator.rates().iter().enumerate() {
            pushes[i] = h.abs() * units[i] * sizes[i];
            sizes[i] = pushes[i] + rate.abs() / units[i];
        }
        couple(evaluator.latest().mass, coupled);
        couple(evaluator.latest().jacobian, coupled);
        let rows = evaluator.velocity().jacobian;
        for row in 0..rows.rows() {
            for (i, _) in rows.stored(row).filter(|(_, a)| *a != 0.0) {
                sizes[i] = sizes[i].max(self.rates[i] / units[i]);
            }
        }
        if let Some(map) = evaluator.speeds() {
            couple(map.matrix, coupled);
            for (i, rate) in rates.iter_mut().enumerate() {
                // Any of the rates that a speed is made of.
                let first = map.matrix.stored(i).find(|(_, b)| *b != 0.0);
                *rate = first.map_or(i, |(j, _)| j);
                // Rates are what is left of speeds without b₀, which may be all of them.
                for (j, b) in map.matrix.stored(i).filter(|(_, b)| *b != 0.0) {
                    sizes[j] = sizes[j].max((map.offset[i] / (b * units[j])).abs());
                }
            }
        }
        for (i, size) in sizes.iter().enumerate() {
            let part = &mut left[coupled.first(i)];
            *part = part.max(SOLVED * size);
        }
        for (i, &rate) in rates.iter().enumerate() {
            out[i] = SOLVED * q[i].abs() + h.abs() * units[i] * left[coupled.first(i)];
            out[n + i] = speed_units[i] * left[coupled.first(rate)];
        }
        let work = pushes.iter().enumerate();
        Rounded {
            root: left.iter().sum(),
            work: work.map(|(i, push)| push * left[coupled.first(i)]).sum(),
        }
    }
}

/// Joins the columns that stand together in a row; of a tree those that hang on each other, whatever they do to each other at this state.
fn couple(matrix: Matrix<'_>, coupled: &mut Sets) {
    if let Some(tree) = matrix.tree() {
        let pairs = tree.coupled();
        pairs.for_each(|(a, b)| coupled.join_all([a, b].map(Some)));
        return;
    }
    for row in 0..matrix.rows() {
        let present = matrix.stored(row).filter(|(_, a)| *a != 0.0);
        coupled.join_all(present.map(|(column, _)| Some(column)));
    }
}

/// Adds the sizes of M q'' and Gᵀ λ.
fn add_solved(now: Canonical<'_>, [accelerations, multipliers]: [&[f64]; 2], sizes: &mut [f64]) {
    match now.mass.tree() {
        Some(tree) => tree.add_product_sizes(now.mass.values(), accelerations, sizes),
        None => {
            for i in 0..sizes.len() {
                // Either triangle may be all that is stored.
                for (j, m) in now.mass.stored(i) {
                    sizes[i] += (m * accelerations[j]).abs();
                    sizes[j] += (m * accelerations[i]).abs();
                }
            }
        }
    }
    for (row, lambda) in multipliers.iter().enumerate() {
        for (i, a) in now.jacobian.stored(row) {
            sizes[i] += (a * lambda).abs();
        }
    }
    let directions = now.servo_directions.chunks_exact(sizes.len().max(1));
    for (&row, direction) in now.servo_rows.iter().zip(directions) {
        let parts = sizes.iter_mut().zip(direction);
        parts.for_each(|(size, e)| *size += (e * multipliers[row]).abs());
    }
}
