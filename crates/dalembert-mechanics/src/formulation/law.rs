//! Laws that use reactions: an algebraic problem on top of every route.
//!
//! A law adds forces f(x) that depend on the multipliers x of some rows (k of them); the multipliers in turn follow
//! from the forces:
//!
//! ```text
//! λ = (A M⁻¹ Aᵀ)⁺ (b − A M⁻¹ (h + w + f(x)))        x = c − V f(x)
//! ```
//!
//! with c the multipliers without the law, and the rows of V the motions M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ eᵢ. A row whose eᵢ cannot be
//! met has no unique reaction: a law that uses it is refused. What is found is added to h and w; from there on every
//! formulation goes its own way, and finds the same multipliers.
//!
//! * Friction alone, f = Σ D_c N_c with N_c = |F_c x|, changes x by no more than K|x|, K = Σ |V D_c| |F_c|. Where the
//!   spectral radius of K is below one x ↦ c − V f(x) is a contraction: there is exactly one solution.
//! * Otherwise Newton's method starts in every orthant of x. A law that is linear in each of them, as friction of single
//!   rows is, is solved in one step there, so that none is missed; for others this is a search. No or several
//!   solutions: [`Failure::Painleve`].
//! * Slip along a line that vanishes: of the two ways the one is taken in which it grows; if there is none, friction
//!   holds, [`Failure::AtRest`].

mod search;

use super::factorisation::Factorisation;
use super::failure::{Failure, Quantity};
use super::metric::finite;
use crate::equations::{Equations, Evaluator, Slipping};
use crate::linear::add_scaled;
use search::{Search, Solved};

/// Part of the terms of a slip that is rounding.
const ROUNDING: f64 = 1e-12;
/// Slip speeds that are none, in the user's units.
const STILL: f64 = 1e-13;
/// Part of the fastest slip so far at which slip in a plane ends, and slips along lines vanish together.
const SLOW: f64 = 1e-7;
/// Part of eᵢ that a row may lack where its reaction is unique.
const UNIQUE: f64 = 1e-6;
/// Part of a row that may differ from a force at the sliding point.
const MISFIT: f64 = 1e-6;
/// Slips that vanish at once, for all ways of which a motion is looked for.
const MOST_AT_REST: usize = 6;

/// Solves the laws of a model at one state after the other.
pub struct Laws {
    search: Search,
    /// Constraint of each slip.
    constraints: Vec<usize>,
    ways: Vec<f64>,
    /// Ways that are kept, whatever the slip says.
    kept: Vec<Option<f64>>,
    /// Slips that vanish, whatever rounding says.
    vanish: Vec<bool>,
    /// Slips along lines, with a sign, then in planes, at the state last looked at.
    slips: Vec<f64>,
    /// The fastest of each so far.
    fastest: Vec<f64>,
    coefficients: Vec<(usize, f64)>,
    /// h + w, nv.
    force: Vec<f64>,
    acceleration: Vec<f64>,
    multipliers: Vec<f64>,
    unit: Vec<f64>,
    /// Slope and rest of each slip along a line.
    slip_rates: Vec<SlipRate>,
}

/// s' = slope · v' + rest.
#[derive(Clone, Debug, Default)]
struct SlipRate {
    slope: Vec<(usize, f64)>,
    rest: f64,
}

impl Laws {
    /// Room for the laws of a model; `None` where none uses a reaction.
    #[must_use]
    pub fn of(equations: &Equations) -> Option<Self> {
        let rows = equations.law_rows();
        if rows.is_empty() {
            return None;
        }
        let (nv, nc, ways) = (
            equations.coordinates(),
            equations.rows(),
            equations.way_count(),
        );
        Some(Self {
            search: Search::new(rows.to_vec(), nv, equations.has_only_friction()),
            constraints: vec![0; ways + equations.plane_count()],
            ways: vec![1.0; ways],
            kept: vec![None; ways],
            vanish: vec![false; ways],
            slips: vec![0.0; ways + equations.plane_count()],
            fastest: vec![0.0; ways + equations.plane_count()],
            coefficients: Vec::new(),
            force: vec![0.0; nv],
            acceleration: vec![0.0; nv],
            multipliers: vec![0.0; nc],
            unit: vec![0.0; nc],
            slip_rates: vec![SlipRate::default(); ways],
        })
    }

    /// Evaluates the equations at the state that is set, finds the reactions that the laws use, and adds the laws'
    /// forces to h and w: [`Evaluator::latest`] is the whole problem then. Leaves M and A factored.
    ///
    /// # Errors
    /// No or several solutions, slips that friction holds, reactions that are not unique; and all that may be wrong with M
    /// and A.
    pub fn apply(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        let now = evaluator.canonical();
        finite(Quantity::MassMatrix, now.mass.values())?;
        finite(Quantity::Jacobian, now.jacobian.values())?;
        finite(Quantity::Bias, now.bias)?;
        finite(Quantity::Force, now.force)?;
        finite(Quantity::NonIdeal, now.nonideal)?;
        factorisation.factor(&now.mass, &now.jacobian)?;
        self.force.copy_from_slice(now.force);
        add_scaled(&mut self.force, 1.0, now.nonideal);
        factorisation.solve(
            &self.force,
            now.bias,
            &mut self.acceleration,
            &mut self.multipliers,
        )?;
        self.respond(factorisation)?;
        let undecided = self.look_at_contacts(evaluator)?;
        let solved = if undecided.is_empty() {
            self.solve(evaluator)?
        } else {
            self.depart(evaluator, factorisation, &undecided)?
        };
        self.settle(evaluator, &solved)
    }

    /// The motion of the whole problem by multipliers, after [`Self::apply`].
    ///
    /// # Errors
    /// As [`Factorisation::solve`].
    pub fn motion(
        &mut self,
        evaluator: &Evaluator<'_>,
        factorisation: &mut Factorisation,
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Failure> {
        let now = evaluator.latest();
        self.force.copy_from_slice(now.force);
        add_scaled(&mut self.force, 1.0, now.nonideal);
        factorisation.solve(&self.force, now.bias, acceleration, multipliers)
    }

    /// Number of slips that can vanish.
    #[must_use]
    pub fn slip_count(&self) -> usize {
        self.slips.len()
    }

    /// As [`Self::apply`], and keeps the ways of slips along lines from here on, until [`Self::turn`].
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn set_out(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.kept.fill(None);
        self.apply(evaluator, factorisation)?;
        for (kept, way) in self.kept.iter_mut().zip(&self.ways) {
            *kept = Some(*way);
        }
        Ok(())
    }

    /// Goes on where a slip has vanished, in the way in which it grows again.
    ///
    /// # Errors
    /// As [`Self::apply`]: above all [`Failure::AtRest`].
    pub fn turn(
        &mut self,
        slip: usize,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.look(evaluator);
        if slip >= self.ways.len() {
            let constraint = self.constraints[slip];
            let holds = false;
            return Err(Failure::AtRest { constraint, holds });
        }
        for way in 0..self.ways.len() {
            let small = self.slips[way].abs() <= SLOW * self.fastest[way];
            self.vanish[way] = way == slip || small;
        }
        let done = self.set_out(evaluator, factorisation);
        self.vanish.fill(false);
        done
    }

    /// How far each slip is from vanishing at the state that is set: rises through zero there.
    pub fn watch(&mut self, evaluator: &mut Evaluator<'_>, conditions: &mut [f64]) {
        self.look(evaluator);
        for (slip, condition) in conditions.iter_mut().enumerate() {
            let speed = self.slips[slip];
            *condition = match self.kept.get(slip) {
                Some(kept) => -kept.unwrap_or(1.0) * speed,
                None => SLOW * self.fastest[slip] - speed,
            };
        }
    }

    /// Slips at the state that is set.
    fn look(&mut self, evaluator: &mut Evaluator<'_>) {
        let mut plane = self.ways.len();
        for contact in evaluator.contacts() {
            match contact.slip {
                Slipping::Line { way, speed, .. } => self.slips[way] = speed,
                Slipping::Plane { speed, .. } => {
                    self.slips[plane] = speed;
                    self.constraints[plane] = contact.constraint;
                    plane += 1;
                }
                Slipping::Smooth => {}
            }
        }
    }

    /// c and V: how the reactions follow from forces.
    fn respond(&mut self, factorisation: &mut Factorisation) -> Result<(), Failure> {
        let mut lost = Vec::new();
        for i in 0..self.search.rows.len() {
            let row = self.search.rows[i];
            self.search.free[i] = self.multipliers[row];
            self.unit.fill(0.0);
            self.unit[row] = 1.0;
            let missed = factorisation.project(&self.unit, self.search.response_mut(i));
            if missed.is_nan() || missed > UNIQUE {
                lost.push(row);
            }
        }
        if lost.is_empty() {
            Ok(())
        } else {
            Err(Failure::ReactionNotUnique { rows: lost })
        }
    }

    /// Ways of all slips; those that the slips do not decide are handed back.
    fn look_at_contacts(&mut self, evaluator: &mut Evaluator<'_>) -> Result<Vec<usize>, Failure> {
        let mut undecided = Vec::new();
        self.coefficients.clear();
        self.search.begin();
        let sizes: Vec<f64> = {
            let jacobian = evaluator.latest().jacobian;
            let largest = |row| {
                let entries = jacobian.stored(row);
                entries.fold(0.0_f64, |size, (_, a)| size.max(a.abs()))
            };
            (0..jacobian.rows()).map(largest).collect()
        };
        self.ways.fill(1.0);
        let reactions = vec![0.0; self.search.rows.len()];
        evaluator.set_unknowns(&reactions, &self.ways);
        let mut plane = self.ways.len();
        for contact in evaluator.contacts() {
            let constraint = contact.constraint;
            for (&row, part) in contact.misfit.0.iter().zip(contact.misfit.1) {
                if part.abs() > MISFIT * sizes[row] {
                    let part = part.abs() / sizes[row];
                    return Err(Failure::NotAContact { row, part });
                }
            }
            let coefficient = contact.coefficient;
            if coefficient < 0.0 {
                return Err(Failure::NegativeFriction {
                    constraint,
                    coefficient,
                });
            }
            self.coefficients.push((constraint, coefficient));
            self.search.add_friction(&contact);
            match contact.slip {
                Slipping::Smooth => {}
                Slipping::Plane { speed, size } => {
                    self.fastest[plane] = self.fastest[plane].max(speed);
                    plane += 1;
                    if is_rest(speed, size) {
                        let holds = false;
                        return Err(Failure::AtRest { constraint, holds });
                    }
                }
                Slipping::Line {
                    way,
                    speed,
                    size,
                    rest,
                    slope,
                } => {
                    self.constraints[way] = constraint;
                    self.fastest[way] = self.fastest[way].max(speed.abs());
                    let rate = &mut self.slip_rates[way];
                    rate.rest = rest;
                    rate.slope.clear();
                    let slope = slope.0.iter().copied().zip(slope.1.iter().copied());
                    rate.slope.extend(slope);
                    match self.kept[way] {
                        _ if self.vanish[way] => undecided.push(way),
                        Some(kept) => self.ways[way] = kept,
                        None if is_rest(speed, size) => undecided.push(way),
                        None => self.ways[way] = speed.signum(),
                    }
                }
            }
        }
        Ok(undecided)
    }

    /// The reactions for the ways as they are.
    fn solve(&mut self, evaluator: &mut Evaluator<'_>) -> Result<Vec<f64>, Failure> {
        match self.search.solve(evaluator, &self.ways) {
            Solved::One(solution) => Ok(solution),
            Solved::NotFinite(what, index) => Err(Failure::NotFinite { what, index }),
            Solved::Other(solutions, gain) => Err(self.painleve(solutions, gain)),
        }
    }

    fn painleve(&self, solutions: Vec<Vec<f64>>, gain: Option<f64>) -> Failure {
        Failure::Painleve {
            rows: self.search.rows.clone(),
            free: self.search.free.clone(),
            solutions,
            coefficients: self.coefficients.clone(),
            gain,
        }
    }

    /// The ways in which slips that vanish begin to grow.
    fn depart(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
        undecided: &[usize],
    ) -> Result<Vec<f64>, Failure> {
        let at_rest = Failure::AtRest {
            constraint: self.constraints[undecided[0]],
            holds: undecided.len() <= MOST_AT_REST,
        };
        if undecided.len() > MOST_AT_REST {
            return Err(at_rest);
        }
        let bias = evaluator.latest().bias.to_vec();
        let mut found: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        let mut failure = None;
        for pattern in 0..1_usize << undecided.len() {
            for (bit, &way) in undecided.iter().enumerate() {
                self.ways[way] = if pattern >> bit & 1 == 0 { 1.0 } else { -1.0 };
            }
            let reactions = match self.solve(evaluator) {
                Ok(reactions) => reactions,
                Err(other) => {
                    failure = Some(other);
                    continue;
                }
            };
            evaluator.set_unknowns(&reactions, &self.ways);
            let law = evaluator.law_forces();
            let mut force = self.force.clone();
            add_scaled(&mut force, 1.0, law.force);
            add_scaled(&mut force, 1.0, law.nonideal);
            factorisation.solve(&force, &bias, &mut self.acceleration, &mut self.multipliers)?;
            let grows = |&way: &usize| {
                let rate = &self.slip_rates[way];
                let terms = rate.slope.iter().map(|&(i, a)| a * self.acceleration[i]);
                let (sum, size) = terms.fold((rate.rest, rate.rest.abs()), |(sum, size), term| {
                    (sum + term, size + term.abs())
                });
                sum * self.ways[way] > ROUNDING * size + STILL
            };
            if undecided.iter().all(grows) {
                found.push((self.ways.clone(), reactions));
            }
        }
        match found.len() {
            0 => Err(failure.unwrap_or(at_rest)),
            1 => {
                let (ways, reactions) = found.swap_remove(0);
                self.ways = ways;
                Ok(reactions)
            }
            _ => {
                let solutions = found.into_iter().map(|(_, reactions)| reactions).collect();
                Err(self.painleve(solutions, None))
            }
        }
    }

    /// Adds the forces at the reactions found.
    fn settle(&mut self, evaluator: &mut Evaluator<'_>, solution: &[f64]) -> Result<(), Failure> {
        evaluator.set_unknowns(solution, &self.ways);
        let law = evaluator.law_forces();
        finite(Quantity::Force, law.force)?;
        finite(Quantity::NonIdeal, law.nonideal)?;
        evaluator.add_law_forces();
        Ok(())
    }
}

fn is_rest(speed: f64, size: f64) -> bool {
    speed.abs() <= ROUNDING * size + STILL
}
