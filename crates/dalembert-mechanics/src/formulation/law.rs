//! Laws that use reactions: an algebraic problem on top of every route.
//!
//! A law adds forces f(x) that depend on the multipliers x of some rows (k of them); the multipliers in turn follow
//! from the forces:
//!
//! ```text
//! λ = (A M⁻¹ Aᵀ)⁺ (b − A M⁻¹ (h + w + f(x)))        x = c − V f(x)
//! ```
//!
//! with c the multipliers without the law, and the rows of V the motions M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ eᵢ, or what rows held by
//! forces make of them (`law/response.rs`). A row whose eᵢ cannot be met has no unique reaction: a law that uses it is
//! refused. What is found is added to h and w; from there on every formulation goes its own way, and finds the same
//! multipliers.
//!
//! * Friction alone, f = Σ D_c N_c with N_c = |F_c x|, changes x by no more than K|x|, K = Σ |V D_c| |F_c|. Where the
//!   spectral radius of K is below one x ↦ c − V f(x) is a contraction: there is exactly one solution.
//! * Otherwise Newton's method starts in every orthant of x. A law that is linear in each of them, as friction of single
//!   rows is, is solved in one step there, so that none is missed; for others this is a search, from several sizes of
//!   x. No or several solutions: [`Failure::Painleve`].
//! * Slip that vanishes: the direction is taken in which it grows; if there is none, friction holds,
//!   [`Failure::AtRest`] (`law/departure.rs`).
//!
//! Nothing is allocated but by what fails.

mod departure;
mod response;
mod search;

use crate::decide::{CLEAR, KNOWN, USED_UP};
use crate::equations::{Equations, Evaluator};
use crate::factorisation::Factorisation;
use crate::factorisation::metric::finite;
use crate::factorisation::rows::Tolerance;
use crate::factorisation::{Failure, Quantity};
use crate::ids::ConstraintId;
use crate::linear::{add_scaled, norm};
use departure::{Found, Slide};
use response::Response;
use search::{Search, Solved};

/// Solves the laws of a model at one state after the other.
pub struct Laws {
    response: Response,
    search: Search,
    /// Slips that can vanish.
    slides: Vec<Slide>,
    /// What stands for the directions of slips.
    ways: Vec<f64>,
    /// Slides whose slip does not say which way they go.
    undecided: Vec<usize>,
    /// Ways in which these begin to move.
    found: Found,
    coefficients: Vec<(ConstraintId, f64)>,
    /// The largest entry of each row.
    sizes: Vec<f64>,
    /// No reactions.
    none: Vec<f64>,
    /// h + w without the laws, and with them, nv each.
    force: Vec<f64>,
    total: Vec<f64>,
    /// What the forces would make of each coordinate alone: accelerations that cancel are rounding beside these.
    pushes: Vec<f64>,
    acceleration: Vec<f64>,
    multipliers: Vec<f64>,
}

impl Laws {
    /// Room for the laws of a model; `None` where none uses a reaction.
    #[must_use]
    pub fn tolerating(equations: &Equations, tolerance: Tolerance) -> Option<Self> {
        let rows = equations.law_rows();
        if rows.is_empty() {
            return None;
        }
        let (nv, nc) = (equations.coordinates(), equations.rows());
        let (slides, ways) = (equations.slide_count(), equations.way_count());
        Some(Self {
            response: Response::of(equations, tolerance),
            search: Search::new(rows.to_vec(), nv, equations.has_only_friction()),
            slides: vec![Slide::default(); slides],
            ways: vec![1.0; ways],
            undecided: Vec::with_capacity(slides),
            found: Found::with_room(ways, rows.len()),
            coefficients: Vec::with_capacity(slides),
            sizes: vec![0.0; nc],
            none: vec![0.0; rows.len()],
            force: vec![0.0; nv],
            total: vec![0.0; nv],
            pushes: vec![0.0; nv],
            acceleration: vec![0.0; nv],
            multipliers: vec![0.0; nc],
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
        finite(Quantity::Direction, now.servo_directions)?;
        factorisation.factor(&now.mass, &now.jacobian)?;
        self.force.copy_from_slice(now.force);
        add_scaled(&mut self.force, 1.0, now.nonideal);
        for (i, (push, force)) in self.pushes.iter_mut().zip(&self.force).enumerate() {
            let inertia = now.mass.diagonal(i);
            *push = if inertia > 0.0 {
                force.abs() / inertia
            } else {
                0.0
            };
        }
        let motion = (&mut self.acceleration[..], &mut self.multipliers[..]);
        self.response
            .solve(&now, factorisation, &self.force, motion)?;
        self.search.take_free(&self.multipliers);
        self.response.respond(factorisation, &mut self.search)?;
        self.look_at_contacts(evaluator)?;
        if self.undecided.is_empty() {
            self.solve(evaluator)?;
        } else {
            self.depart(evaluator, factorisation)?;
        }
        self.settle(evaluator)
    }

    /// The motion of the whole problem by multipliers, after [`Self::apply`].
    ///
    /// # Errors
    /// The rows contradict each other, or a number is not finite.
    pub fn motion(
        &mut self,
        evaluator: &Evaluator<'_>,
        factorisation: &mut Factorisation,
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Failure> {
        let now = evaluator.latest();
        self.total.copy_from_slice(now.force);
        add_scaled(&mut self.total, 1.0, now.nonideal);
        let motion = (acceleration, multipliers);
        self.response
            .solve(&now, factorisation, &self.total, motion)
    }

    /// Number of slips that can vanish.
    #[must_use]
    pub fn slip_count(&self) -> usize {
        self.slides.len()
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
        self.slides.iter_mut().for_each(|slide| slide.kept = None);
        self.apply(evaluator, factorisation)?;
        for slide in self.slides.iter_mut().filter(|slide| !slide.in_plane) {
            slide.kept = Some(self.ways[slide.way]);
        }
        Ok(())
    }

    /// Goes on where a slip has vanished, in the direction in which it grows again.
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
        for (index, slide) in self.slides.iter_mut().enumerate() {
            let small = slide.speed().abs() <= USED_UP * slide.fastest;
            slide.vanishes = index == slip || small;
        }
        let done = self.set_out(evaluator, factorisation);
        self.slides
            .iter_mut()
            .for_each(|slide| slide.vanishes = false);
        done
    }

    /// How far each slip is from vanishing at the state that is set: rises through zero there.
    pub fn watch(&mut self, evaluator: &mut Evaluator<'_>, conditions: &mut [f64]) {
        self.look(evaluator);
        for (slide, condition) in self.slides.iter().zip(conditions) {
            *condition = match slide.in_plane {
                false => -slide.kept.unwrap_or(1.0) * slide.speed(),
                true => USED_UP * slide.fastest - slide.speed(),
            };
        }
    }

    /// Slips at the state that is set.
    fn look(&mut self, evaluator: &mut Evaluator<'_>) {
        evaluator.set_unknowns(&self.none, &self.ways);
        let slides = &mut self.slides;
        let contacts = evaluator.contacts();
        let slipping = contacts.filter(|contact| contact.slip.is_some());
        for (slide, contact) in slides.iter_mut().zip(slipping) {
            slide.take(&contact);
        }
    }

    /// Directions of all slips, and how much friction there is. Slips that have no direction are undecided.
    fn look_at_contacts(&mut self, evaluator: &mut Evaluator<'_>) -> Result<(), Failure> {
        self.look(evaluator);
        self.undecided.clear();
        for (index, slide) in self.slides.iter_mut().enumerate() {
            let speed = slide.speed();
            slide.fastest = slide.fastest.max(speed.abs());
            let at_rest = slide.vanishes
                || slide.kept.is_none() && is_rest(speed, slide.size + slide.fastest);
            if at_rest {
                self.undecided.push(index);
            }
            let ways = &mut self.ways[slide.way..];
            if !slide.in_plane {
                ways[0] = slide.kept.unwrap_or_else(|| speed.signum());
            } else if !at_rest {
                let parts = ways.iter_mut().zip(slide.velocity);
                parts.for_each(|(way, part)| *way = part / speed);
            }
        }
        let jacobian = evaluator.latest().jacobian;
        for (row, size) in self.sizes.iter_mut().enumerate() {
            let entries = jacobian.stored(row);
            *size = entries.fold(0.0, |size: f64, (_, a)| size.max(a.abs()));
        }
        self.coefficients.clear();
        self.search.begin();
        evaluator.set_unknowns(&self.none, &self.ways);
        for contact in evaluator.contacts() {
            let constraint = contact.constraint;
            for (&row, part) in contact.misfit.0.iter().zip(contact.misfit.1) {
                if part.abs() > CLEAR * self.sizes[row.index()] {
                    let part = part.abs() / self.sizes[row.index()];
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
        }
        Ok(())
    }

    /// The reactions for the ways as they are.
    fn solve(&mut self, evaluator: &mut Evaluator<'_>) -> Result<(), Failure> {
        match self.search.solve(evaluator, &self.ways) {
            Solved::One => Ok(()),
            Solved::NotFinite(what, index) => Err(Failure::NotFinite { what, index }),
            Solved::Other(gain) => Err(self.painleve(self.search.solutions(), gain)),
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

    /// Adds the forces at the reactions found.
    fn settle(&mut self, evaluator: &mut Evaluator<'_>) -> Result<(), Failure> {
        evaluator.set_unknowns(self.search.solution(), &self.ways);
        let law = evaluator.law_forces();
        finite(Quantity::Force, law.force)?;
        finite(Quantity::NonIdeal, law.nonideal)?;
        evaluator.add_law_forces();
        Ok(())
    }
}

fn is_rest(speed: f64, size: f64) -> bool {
    speed.abs() <= KNOWN * size
}

impl Slide {
    /// With a sign along a line.
    fn speed(&self) -> f64 {
        match self.in_plane {
            false => self.velocity[0],
            true => norm(&self.velocity),
        }
    }
}
