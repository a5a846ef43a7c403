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
//! * Slip that vanishes is held where friction can, by a force found as that of a row is (`law/holds.rs`); else it begins
//!   in the direction in which it grows (`law/departure.rs`). Friction is −μ N e with the way e of the slip: of length one where it
//!   slides, less where it is held, up to μ_s/μ. So whatever asks for friction need not know which of the two it is.
//!
//! Nothing is allocated but by what fails, and by slips that are held.

mod departure;
mod holds;
mod kept;
mod response;
mod search;
mod slide;
mod sparse_rows;
mod together;
mod within;

use super::Failure;
use crate::decide::{CLEAR, KNOWN, SOLVED};
use crate::equations::{Canonical, Equations, Evaluator};
use crate::linear::factorisation::Factorisation;
use crate::linear::factorisation::metric::finite;
use crate::linear::factorisation::rows::Tolerance;
use crate::linear::factorisation::{Quantity, Unsolved};
use crate::linear::{add_scaled, norm};
use crate::lower::Rough;
use departure::Found;
use holds::Holds;
use response::Response;
use search::{Search, Solved};
use slide::{Kept, Slide};

/// Rounds in which contacts that carry something in many ways share it otherwise, so that all of them press: friction changes what they carry.
const SHARINGS: usize = 20;

/// Solves the laws of a model at one state after the other.
pub struct Laws {
    response: Response,
    search: Search,
    /// V without what holds slips, a row for each reaction.
    responses: Vec<f64>,
    /// Changes of V and choices of slips that are held, of which the search has V.
    taken: Option<[usize; 2]>,
    /// Slips that can vanish.
    slides: Vec<Slide>,
    /// Forces that hold slips.
    holds: Holds,
    /// What stands for the directions of slips.
    ways: Vec<f64>,
    /// Slides whose slip does not say which way they go.
    undecided: Vec<usize>,
    /// A slip whose friction has just let go; and slips in planes that let go together.
    released: Option<usize>,
    beginning: Vec<usize>,
    /// Slips that vanished at once and were decided, though no one knows whether otherwise too.
    doubtful: Vec<Rough>,
    /// Ways in which these begin to move.
    found: Found,
    coefficients: Vec<(Rough, f64)>,
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
    /// What was left out of the acceleration as rounding beside its forces.
    left_out: Vec<f64>,
    /// Whether these are the motion of the whole problem.
    is_moved: bool,
    /// The motion without the laws.
    free: (Vec<f64>, Vec<f64>),
}

impl Laws {
    /// Room for the laws of a model; `None` where none uses a reaction, and nothing slips.
    #[must_use]
    pub fn tolerating(equations: &Equations, tolerance: Tolerance) -> Option<Self> {
        let rows = equations.law_rows();
        let (slides, ways) = (equations.slide_count(), equations.way_count());
        if rows.is_empty() && slides == 0 {
            return None;
        }
        let (nv, nc) = (equations.coordinates(), equations.rows());
        Some(Self {
            response: Response::of(equations, tolerance),
            search: {
                let contacts = rows.iter().map(|&row| equations.is_contact(row));
                let rows = (rows.to_vec(), contacts.collect());
                Search::new(rows, nv, equations.has_only_friction())
            },
            responses: vec![0.0; rows.len() * nv],
            taken: None,
            slides: vec![Slide::default(); slides],
            holds: Holds::new(nv, nc, !equations.has_servos()),
            ways: vec![1.0; ways],
            undecided: Vec::with_capacity(slides),
            released: None,
            beginning: Vec::new(),
            doubtful: Vec::new(),
            found: Found::default(),
            coefficients: Vec::with_capacity(slides),
            sizes: vec![0.0; nc],
            none: vec![0.0; rows.len()],
            force: vec![0.0; nv],
            total: vec![0.0; nv],
            pushes: vec![0.0; nv],
            acceleration: vec![0.0; nv],
            multipliers: vec![0.0; nc],
            left_out: vec![0.0; nv],
            is_moved: false,
            free: (vec![0.0; nv], vec![0.0; nc]),
        })
    }

    /// Evaluates the equations at the state that is set, finds the reactions that the laws use, and adds the laws'
    /// forces to h and w: [`Evaluator::latest`] is the whole problem then. Leaves M and A factored.
    ///
    /// # Errors
    /// No or several solutions, reactions that are not unique; and all that may be wrong with M and A.
    pub fn apply(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.is_moved = false;
        self.begin(evaluator, factorisation)?;
        self.look_at_contacts(evaluator)?;
        if self.undecided.is_empty() {
            self.look_at_holds(evaluator, factorisation)?;
            self.solve(evaluator, factorisation)?;
        } else {
            self.depart(evaluator, factorisation)?;
        }
        self.settle(evaluator)
    }

    /// M and A factored, the motion without the laws, and how reactions answer to forces.
    fn begin(
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
        let motion = (&mut self.free.0[..], &mut self.free.1[..]);
        self.response
            .solve(&now, factorisation, &self.force, motion)?;
        let now = evaluator.latest();
        let active = |row: usize| evaluator.is_active(row);
        let before = self.response.changes;
        self.response
            .respond(&now, factorisation, &mut self.search, active)?;
        if before != self.response.changes {
            self.responses.copy_from_slice(self.search.responses());
        }
        Ok(())
    }

    /// What was known of M and A counts no longer: rows are measured otherwise from now on.
    pub(crate) fn forget(&mut self) {
        self.response.forget();
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
        if self.is_moved {
            acceleration.copy_from_slice(&self.acceleration);
            multipliers.copy_from_slice(&self.multipliers);
            return Ok(());
        }
        let now = evaluator.latest();
        self.total.copy_from_slice(now.force);
        add_scaled(&mut self.total, 1.0, now.nonideal);
        let motion = (&mut *acceleration, &mut *multipliers);
        self.response
            .solve(&now, factorisation, &self.total, motion)?;
        let forces = (&mut self.total[..], &self.slides[..]);
        let motion = (acceleration, &*multipliers, &mut self.left_out[..]);
        leave_out_noise(&now, forces, motion);
        Ok(())
    }

    /// Number of slips that can vanish.
    #[must_use]
    pub fn slip_count(&self) -> usize {
        self.slides.len()
    }

    /// What has friction that slips can vanish of, and whether it is held at the state last asked about.
    pub fn slips(&self) -> impl Iterator<Item = (Rough, bool)> + '_ {
        self.slides.iter().map(|slide| (slide.of, slide.held))
    }

    /// Slips that are held, or pressed, by one of many forces at the state last asked about.
    pub fn held_in_many_ways(&self) -> impl Iterator<Item = Rough> + '_ {
        let all = self.slides.iter().enumerate();
        let open = all.filter(|(i, slide)| {
            slide.active && self.is_shared(slide) || slide.held && self.holds.is_one_of_many(*i)
        });
        open.map(|(_, slide)| slide.of)
    }

    /// Rows whose multipliers are one of many because friction holds in many ways, at the state last asked about.
    #[must_use]
    pub fn open_rows(&self) -> Vec<usize> {
        self.holds.open_rows()
    }

    /// Whether what presses a slip is one of many forces.
    fn is_shared(&self, slide: &Slide) -> bool {
        let Some((row, _)) = slide.pressed else {
            return false;
        };
        let place = self.search.rows.iter().position(|&it| it == row);
        let idle = place.and_then(|place| self.response.idle.get(place));
        idle.is_some_and(|idle| norm(idle) > CLEAR)
    }

    /// Slips that vanished at once, were decided, and change each other's normal forces: that there is no other motion is not established.
    #[must_use]
    pub fn doubtful(&self) -> &[Rough] {
        &self.doubtful
    }

    /// Slips at the state that is set.
    fn look(&mut self, evaluator: &mut Evaluator<'_>) {
        evaluator.set_unknowns(&self.none, &self.ways);
        let rows = self.search.pressing();
        let slides = &mut self.slides;
        let contacts = evaluator.contacts();
        let slipping = contacts.filter(|contact| contact.slip.is_some());
        for (slide, contact) in slides.iter_mut().zip(slipping) {
            slide.take(&contact, rows);
        }
    }

    /// Directions of all slips, and how much friction there is. Slips that have no direction are undecided.
    fn look_at_contacts(&mut self, evaluator: &mut Evaluator<'_>) -> Result<(), Failure> {
        self.look(evaluator);
        self.undecided.clear();
        for (index, slide) in self.slides.iter_mut().enumerate() {
            let speed = slide.speed();
            slide.fastest = slide.fastest.max(speed.abs());
            slide.held = slide.kept == Kept::Held;
            let open = slide.kept == Kept::Nothing && slide.active;
            let at_rest = slide.vanishes || open && is_rest(speed, slide.size + slide.fastest);
            if at_rest {
                self.undecided.push(index);
            }
            let ways = &mut self.ways[slide.way..];
            if !slide.in_plane {
                ways[0] = match slide.kept {
                    Kept::Way(way) => way,
                    _ => speed.signum(),
                };
            } else if !at_rest && !slide.held {
                // What is open may rest, and has no way then.
                let parts = ways.iter_mut().zip(slide.velocity);
                parts.for_each(|(way, part)| *way = if speed > 0.0 { part / speed } else { 0.0 });
            }
        }
        let jacobian = evaluator.latest().jacobian;
        for (row, size) in self.sizes.iter_mut().enumerate() {
            let entries = jacobian.stored(row);
            *size = entries.fold(0.0, |size: f64, (_, a)| size.max(a.abs()));
        }
        self.coefficients.clear();
        for contact in evaluator.contacts() {
            let of = contact.of;
            if !contact.active {
                self.coefficients.push((of, contact.coefficient));
                continue;
            }
            for (&row, part) in contact.misfit.0.iter().zip(contact.misfit.1) {
                if part.abs() > CLEAR * self.sizes[row.index()] {
                    let part = part.abs() / self.sizes[row.index()];
                    return Err(Failure::NotAContact { row, part });
                }
            }
            let (coefficient, holding) = (contact.coefficient, contact.holding);
            if coefficient < 0.0 {
                return Err(Failure::NegativeFriction { of, coefficient });
            }
            if holding < coefficient {
                return Err(Failure::WeakHold {
                    of,
                    coefficient,
                    holding,
                });
            }
            self.coefficients.push((of, coefficient));
        }
        Ok(())
    }

    /// Looks at forces that hold slips: those that are held, and those of which it is not known.
    fn look_at_holds(
        &mut self,
        evaluator: &Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        let (slides, undecided) = (&self.slides, &self.undecided);
        let which = |index: usize| slides[index].held || undecided.contains(&index);
        let response = &mut self.response;
        self.holds
            .look_at(slides, which, &evaluator.latest(), |push, motion| {
                response.move_by(factorisation, push, motion)
            })
    }

    /// The same for all slips that count.
    fn look_at_all(
        &mut self,
        evaluator: &Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        let (slides, response) = (&self.slides, &mut self.response);
        let which = |index: usize| slides[index].active;
        self.holds
            .look_at(slides, which, &evaluator.latest(), |push, motion| {
                response.move_by(factorisation, push, motion)
            })
    }

    /// The reactions, and the motion, for the ways and the slips held as they are.
    fn solve(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        let unique = self.holds.choose(&self.slides);
        self.solve_once(evaluator, factorisation)?;
        if !unique {
            // Shared out by what each can hold, which is known now.
            self.holds.choose(&self.slides);
            self.solve_once(evaluator, factorisation)?;
        }
        Ok(())
    }

    fn solve_once(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        for slide in self.slides.iter().filter(|slide| slide.held) {
            self.ways[slide.way..][..slide.width()].fill(0.0);
        }
        // c and V.
        self.acceleration.copy_from_slice(&self.free.0);
        self.multipliers.copy_from_slice(&self.free.1);
        let (acceleration, multipliers) = (&mut self.acceleration, &mut self.multipliers);
        self.holds.hold(&mut self.slides, acceleration, multipliers);
        let taken = Some([self.response.changes, self.holds.choices]);
        if self.taken != taken {
            self.taken = taken;
            self.search.take_responses(&self.responses);
            for i in 0..self.search.rows.len() {
                let row = self.search.rows[i];
                let response = self.search.response_mut(i);
                let columns = self.response.columns();
                self.holds.correct_response(row, response, columns);
            }
            self.search.measure_responses();
        }
        self.search.take_free(&self.multipliers);
        self.search.begin();
        evaluator.set_unknowns(&self.none, &self.ways);
        // What is held is found beside the rows: it does not follow the reactions.
        let mut slides = self.slides.iter();
        for contact in evaluator.contacts() {
            let slide = contact.slip.and_then(|_| slides.next());
            if !slide.is_some_and(|slide| slide.held) {
                self.search.add_friction(&contact);
            }
        }
        for _ in 0..SHARINGS {
            match self.search.solve(evaluator, &self.ways) {
                Solved::One => {}
                Solved::NotFinite(what, index) => {
                    return Err(Unsolved::NotFinite { what, index }.into());
                }
                Solved::Other(gain) => return Err(self.painleve(self.search.solutions(), gain)),
            }
            let idle = &self.response.idle;
            if idle.is_empty() || !self.search.press(idle) {
                break;
            }
        }
        if !self.slides.is_empty() {
            self.accelerate(evaluator, factorisation)?;
            self.measure_holds(evaluator);
        }
        Ok(())
    }

    /// The acceleration at the reactions and ways as they are.
    fn accelerate(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.is_moved = false;
        self.left_out.fill(0.0);
        if self.undecided.is_empty() && self.holds.is_empty() {
            return Ok(());
        }
        evaluator.set_unknowns(self.search.solution(), &self.ways);
        let law = evaluator.law_forces();
        self.total.copy_from_slice(&self.force);
        add_scaled(&mut self.total, 1.0, law.force);
        add_scaled(&mut self.total, 1.0, law.nonideal);
        let motion = (&mut self.acceleration[..], &mut self.multipliers[..]);
        let now = evaluator.latest();
        self.response
            .solve(&now, factorisation, &self.total, motion)?;
        let (acceleration, multipliers) = (&mut self.acceleration, &mut self.multipliers);
        self.holds.hold(&mut self.slides, acceleration, multipliers);
        leave_out_noise(
            &evaluator.latest(),
            (&mut self.total, &self.slides),
            (
                &mut self.acceleration,
                &self.multipliers,
                &mut self.left_out,
            ),
        );
        self.is_moved = true;
        Ok(())
    }

    /// What could hold each slip at the reactions found, and the ways that stand for what does.
    fn measure_holds(&mut self, evaluator: &mut Evaluator<'_>) {
        if self.undecided.is_empty() && self.holds.is_empty() {
            return;
        }
        let contacts = evaluator.contacts();
        let slipping = contacts.filter(|contact| contact.slip.is_some());
        for (slide, contact) in self.slides.iter_mut().zip(slipping) {
            slide.bound = contact.holding * contact.normal;
            slide.holds_better = contact.holding > contact.coefficient;
            if !slide.held {
                continue;
            }
            let sliding = contact.coefficient * contact.normal;
            if sliding == 0.0 {
                // Nothing presses: what it holds is rounding, or more than it can.
                self.ways[slide.way..][..slide.width()].fill(0.0);
                continue;
            }
            let (directions, _) = slide.directions();
            let ways = &mut self.ways[slide.way..][..slide.width()];
            for (component, way) in ways.iter_mut().enumerate() {
                let parts = slide.force.iter().zip(&directions);
                let force: f64 = parts.map(|(tau, e)| tau * e[component]).sum();
                *way = if force == 0.0 { 0.0 } else { -force / sliding };
            }
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
        if !evaluator.equations().has_only_friction() {
            // Coefficients that follow reactions are known now.
            for contact in evaluator.contacts().filter(|it| it.active) {
                let (of, coefficient) = (contact.of, contact.coefficient);
                if coefficient < 0.0 {
                    return Err(Failure::NegativeFriction { of, coefficient });
                }
            }
        }
        evaluator.add_law_forces();
        Ok(())
    }
}

/// What is left of an acceleration beside the forces that it is the sum of is rounding: what contacts hold would creep by it. Of forces given, of
/// reactions, and of friction as strong as it can be; the first are used up. What is left out is told.
fn leave_out_noise(
    now: &Canonical<'_>,
    (sizes, slides): (&mut [f64], &[Slide]),
    (acceleration, multipliers, left_out): (&mut [f64], &[f64], &mut [f64]),
) {
    left_out.fill(0.0);
    if !slides.iter().any(|it| it.active && it.is_contact) {
        return;
    }
    sizes.iter_mut().for_each(|size| *size = size.abs());
    for (row, multiplier) in multipliers.iter().enumerate() {
        let entries = now.jacobian.stored(row);
        entries.for_each(|(i, a)| sizes[i] += (a * multiplier).abs());
    }
    for slide in slides.iter().filter(|it| it.active) {
        let (directions, count) = slide.directions();
        for direction in &directions[..count] {
            let pushes = slide.push(direction);
            pushes.for_each(|(i, push)| sizes[i] += (push * slide.bound).abs());
        }
    }
    for (i, (acceleration, size)) in acceleration.iter_mut().zip(sizes).enumerate() {
        let inertia = now.mass.diagonal(i);
        if inertia > 0.0 && (*acceleration * inertia).abs() <= SOLVED * *size {
            left_out[i] = std::mem::take(acceleration);
        }
    }
}

fn is_rest(speed: f64, size: f64) -> bool {
    speed.abs() <= KNOWN * size
}
