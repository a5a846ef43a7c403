//! What the general route of a carried run asks for, in programs of q, q', t, masks, λ, parameters and ways of slips.
//!
//! | program | gives |
//! |---|---|
//! | whole | M, h + w without laws that use reactions, A, b, φ, ψ, B, b₀, γ |
//! | power | of the same and q'': the power of all that is not the potential |

use dalembert_expr::{ExprId, Graph, SymbolId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::equations::driving_power;
use dalembert_mechanics::ids::{ConstraintId, Id};
use dalembert_mechanics::lower::{RowId, Sparse, System};
use dalembert_mechanics::unrolled::Masks;
use dalembert_program::{Program, compile};

/// The inputs of these programs.
pub(super) fn inputs(system: &System, masks: &Masks) -> Vec<SymbolId> {
    let symbols = &system.symbols;
    let ways = system.frictions.iter().flat_map(|it| it.slip.ways());
    [
        symbols.coordinates.as_slice(),
        &symbols.rates,
        &[symbols.time],
        &masks.symbols,
        &symbols.multipliers,
        &symbols.parameters,
        &ways.copied().collect::<Vec<_>>(),
    ]
    .concat()
}

/// What the general route asks for, in one program: its outputs are the entries of a long row that are not zero.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Of q, q', t, masks, multipliers, parameters and ways of slips.
    pub program: Program,
    /// Where each output belongs: M, h + w, sizes of the parts of that, A, b, what a unit multiplier of each row does, φ, ψ, B, b₀, γ, then T, V,
    /// Σ P and Σ |P| of what is not in the potential.
    pub places: Vec<usize>,
    /// The power of all that is not the potential, of the same inputs and q''.
    pub power: Program,
    /// The constraints that come and go, whose masks are inputs.
    pub masked: Vec<usize>,
}

/// Σ of the entries of sparse vectors.
#[derive(Default)]
struct Sums(Vec<Vec<ExprId>>);

impl Sums {
    fn of(n: usize) -> Self {
        Self(vec![Vec::new(); n])
    }

    fn add(&mut self, vector: &Sparse) {
        for &(i, value) in vector {
            self.0[i].push(value);
        }
    }

    fn written(self, g: &mut Graph) -> Vec<ExprId> {
        self.0.into_iter().map(|parts| g.sum(parts)).collect()
    }
}

impl Whole {
    /// Of a mechanism; `None` if its forces ask for what is no input.
    #[must_use]
    pub fn new(mechanism: &Mechanism) -> Option<Self> {
        let (system, equations) = (&mechanism.system, &mechanism.equations);
        let n = system.symbols.coordinates.len();
        let mut g = system.graph.clone();
        let masks = Masks::new(&mut g, system);
        let zero = g.integer(0);
        let mut mass = Sums::of(n * n);
        let (mut force, mut sizes) = (Sums::of(n), Sums::of(n));
        let (mut powers, mut power_sizes) = (Vec::new(), Vec::new());
        let mut lawful_powers = Vec::new();
        for part in &system.inertia {
            for &(i, j, value) in &part.mass {
                mass.0[i * n + j].push(value);
                if i != j {
                    mass.0[j * n + i].push(value);
                }
            }
        }
        let inertial = system
            .inertia
            .iter()
            .map(|part| (part.force.clone(), false));
        let given = system.given_forces();
        let given = given.map(|given| (given.force.clone(), !given.conservative));
        let mut all: Vec<(Sparse, bool)> = inertial.chain(given).collect();
        for (constraint, nonideal) in system.nonideal.iter().enumerate() {
            let constraint = ConstraintId::new(constraint);
            let masked = nonideal.iter();
            let masked = masked.map(|&(i, value)| (i, masks.put_on(&mut g, constraint, value)));
            let masked: Sparse = masked.collect();
            all.push((masked, true));
        }
        for (vector, works) in &all {
            // What reactions make is found beside it.
            let lawful = system.uses_reactions(vector);
            if !lawful {
                force.add(vector);
                let each = vector.iter().map(|&(i, value)| (i, g.abs(value)));
                sizes.add(&each.collect());
            }
            if *works {
                let rates = vector.iter().map(|&(i, value)| {
                    let rate = g.symbol_node(system.symbols.rates[i]);
                    g.mul(value, rate)
                });
                let products: Vec<ExprId> = rates.collect();
                let power = g.sum(products);
                if lawful {
                    lawful_powers.push(power);
                    continue;
                }
                powers.push(power);
                power_sizes.push(g.abs(power));
            }
        }
        let rows = system.rows.len();
        let line = |g: &mut Graph, row: usize, vector: &Sparse| {
            let mut line = vec![zero; n];
            for &(j, value) in vector.iter().filter(|(_, it)| !equations.vanishes(*it)) {
                line[j] = masks.put_on(g, system.rows[row].constraint, value);
            }
            line
        };
        let (mut jacobian, mut reach, mut bias) = (Vec::new(), Vec::new(), Vec::new());
        for (id, row) in Id::enumerate(&system.rows) {
            jacobian.extend(line(&mut g, id.index(), &row.jacobian));
            reach.extend(line(&mut g, id.index(), system.direction(id)));
            bias.push(match equations.vanishes(row.bias) {
                true => zero,
                false => masks.put_on(&mut g, row.constraint, row.bias),
            });
        }
        let residual = |g: &mut Graph, row: usize, value: Option<ExprId>| match value {
            Some(it) if !equations.vanishes(it) => masks.put_on(g, system.rows[row].constraint, it),
            _ => zero,
        };
        let mut position = Vec::new();
        for &row in equations.position_rows() {
            position.push(residual(&mut g, row, Some(system.rows[row].residual)));
        }
        let mut velocity = Vec::new();
        for &row in equations.velocity_rows() {
            velocity.push(residual(&mut g, row, system.rows[row].rate));
        }
        let mut speeds = vec![zero; n * n + 2 * n];
        if let Some(map) = &system.speeds {
            for (i, row) in map.matrix.iter().enumerate() {
                row.iter().for_each(|&(j, value)| speeds[i * n + j] = value);
            }
            speeds[n * n..n * n + n].copy_from_slice(&map.offset);
            speeds[n * n + n..].copy_from_slice(&map.gamma);
        }
        let force = force.written(&mut g);
        let drive = driving_power(&mut g, system);
        let rates: Vec<ExprId> = (system.symbols.rates.iter())
            .map(|&rate| g.symbol_node(rate))
            .collect();
        let exchanged = [g.sum(powers), g.sum(power_sizes)];
        let lawful = g.sum(lawful_powers);
        let mut power = g.add(exchanged[0], lawful);
        power = g.add(power, drive);
        for row in 0..rows {
            let own = &system.rows[row];
            let held = system.held_by(RowId::new(row)).is_some();
            if !own.powerless || held {
                let along = reach[row * n..(row + 1) * n].iter().zip(&rates);
                let along: Vec<ExprId> = along.map(|(&a, &rate)| g.mul(a, rate)).collect();
                let along = g.sum(along);
                let lambda = g.symbol_node(*system.symbols.multipliers.get(row)?);
                let part = g.mul(lambda, along);
                power = g.add(power, part);
            }
        }
        let room = [
            mass.written(&mut g),
            force,
            sizes.written(&mut g),
            jacobian,
            bias,
            reach,
            position,
            velocity,
            speeds,
            vec![system.kinetic, system.potential],
            exchanged.to_vec(),
        ]
        .concat();
        let (places, outputs): (Vec<usize>, Vec<ExprId>) = (room.into_iter().enumerate())
            .filter(|(_, it)| *it != zero)
            .unzip();
        let mut inputs = inputs(system, &masks);
        let program = compile(&g, &inputs, &outputs).ok()?;
        inputs.extend(&system.symbols.accelerations);
        Some(Self {
            power: compile(&g, &inputs, &[power]).ok()?,
            program,
            places,
            masked: masks.constraints().to_vec(),
        })
    }
}
