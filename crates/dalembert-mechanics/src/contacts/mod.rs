//! Contacts of a mechanism at an instant: gaps, who presses, and what impacts do.
//!
//! ```text
//! g'' = W f + g''₀         W = J (M⁻¹ with the other rows held) Jᵀ,   J of gaps and slips, f of normal forces and friction
//! ```
//!
//! | place | what |
//! |---|---|
//! | `press.rs` | which contacts that touch press from here on: accelerations |
//! | `beside.rs` | the same beside other laws: friction of equations, dry friction, reactions in forces, rows held by forces |
//! | `strike.rs` | impacts of all contacts that touch, at once (Moreau; Poisson): velocities |
//! | `collide.rs` | impacts with friction by Poisson's restitution, one by one |
//!
//! The problems themselves are solved in `dalembert-contact`, which says how many answers there are. Rows that are no contacts hold in all of
//! this, by the factorisation that accelerations are found with.
//!
//! Moreau, "Unilateral contact and dry friction in finite freedom dynamics" (1988).

mod beside;
mod collide;
mod press;
mod strike;

pub use press::Pressed;
pub use strike::Strike;

use crate::decide::{CANCELLED, CLEAR, KNOWN, SOLVED};
use crate::equations::Evaluator;
use crate::formulation::{Factorisation, Failure, Tolerance};
use crate::ids::ConstraintId;
use crate::impulse::not_linear;
use crate::linear::factorisation::Unsolved;
use crate::linear::{CompleteOrthogonal, Pattern, dot};
use crate::lower::{Rough, RowId, System};
use crate::mechanism::Mechanism;
use crate::mode::Mode;
use crate::state::State;
use crate::terms::{Terms, TermsRoom};
use beside::Beside;
use dalembert_contact::{Contact, Friction, NoAnswer, Solution, Uniqueness};
use dalembert_expr::ExprId;
use std::sync::Arc;

/// Why it is not known what contacts do.
#[derive(Clone, Debug, PartialEq)]
pub enum NoContact {
    /// M and the rows cannot be factored, or the motion without contacts is not determined.
    Failure(Failure),
    /// No or several forces agree with the motion they make; with the contacts that touch, and of each solution the forces of these.
    Answers {
        /// Of which contacts.
        contacts: Vec<usize>,
        /// Normal forces or impulses of each solution.
        forces: Vec<Vec<f64>>,
        /// Whether all combinations were tried where there is none.
        tried: bool,
    },
    /// This row is not linear in the velocities: what a blow does to it is not determined by its ends.
    NotLinear(RowId),
    /// The kinetic energy relative to the walls would grow by this much, beside what it is made of.
    Grows {
        /// Of which contacts.
        contacts: Vec<usize>,
        /// By how much.
        by: f64,
    },
    /// A coefficient of restitution is none.
    Restitution {
        /// Of which contact.
        contact: usize,
        /// What it is.
        value: f64,
    },
    /// A row with friction is no force at the point that slides.
    NotAContact(RowId),
    /// This row would have to take an impulse, and a law or a force depends on its reaction.
    Lawful(RowId),
    /// These act on each other in an impact with friction by Poisson's restitution.
    RoughCompression(Vec<usize>),
    /// The slip of this one turns on the way of such an impact.
    TurningSlip(usize),
}

impl From<Failure> for NoContact {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Unsolved> for NoContact {
    fn from(unsolved: Unsolved) -> Self {
        Self::Failure(unsolved.into())
    }
}

/// A contact that closes at the start, with a speed: an impact comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closing {
    /// Which contact.
    pub contact: usize,
    /// The rate of its gap.
    pub rate: f64,
}

/// A number that may vanish, beside its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// The number.
    pub value: f64,
    /// Its terms.
    pub size: f64,
}

impl Measured {
    /// Whether it is nothing but rounding of its terms.
    #[must_use]
    pub fn vanishes(&self) -> bool {
        self.value.abs() <= SOLVED * self.size
    }

    /// Whether it is zero as well as a start can make it so.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.value.abs() <= CANCELLED * self.size
    }
}

/// The contacts of a mechanism, at one state after the other.
pub struct Contacts<'m> {
    mechanism: &'m Mechanism,
    evaluator: Evaluator<'m>,
    factorisation: Factorisation,
    rows: Arc<Pattern>,
    /// Gaps, their rates, and restitutions.
    terms: Terms,
    /// Rows that a blow cannot have to do with.
    not_linear: Vec<usize>,
    /// What else uses reactions.
    beside: Option<Box<Beside<'m>>>,
    /// Contacts whose slips are held, whatever rounding leaves of their velocities.
    held: Vec<ConstraintId>,
    /// What coordinates and rates of usual sizes would be in the gaps, then in their rates.
    usual: Vec<f64>,
    /// Gaps, their rates and restitutions at the state that is set, where they were asked for.
    measured: Vec<Measured>,
    is_measured: bool,
    terms_room: TermsRoom,
    restitutions: Vec<f64>,
    roughs: Vec<Roughness>,
    room: Vec<f64>,
    /// The mode of the state that is set, and whether the evaluator has it with the contacts closed that are looked at.
    given: Mode,
    is_fitted: bool,
    /// M and A that are factored, and rows left out there; and those left out now.
    factored: [Vec<f64>; 2],
    left_out: [Vec<usize>; 2],
    nothing: Vec<f64>,
    jacobian: Vec<f64>,
    bias: Vec<f64>,
    /// What is looked at: contacts that touch, and directions of gaps and slips.
    touching: Vec<usize>,
    contacts: Vec<Contact>,
    directions: Vec<Direction>,
    /// By direction nv each: what it follows from the rates by; and those whose motions are known.
    slopes: Vec<f64>,
    known_slopes: Vec<f64>,
    /// By direction nv or nc each: what a force one does.
    motions: Vec<f64>,
    reactions: Vec<f64>,
    mobility: Vec<f64>,
}

/// A gap or a slip.
#[derive(Clone, Copy)]
struct Direction {
    /// Its rate at the velocities that are set, with the terms of that.
    rate: Measured,
    /// Its acceleration without q''.
    rest: f64,
}

/// Friction of a contact where it slides, and where it does not.
#[derive(Clone, Copy, Debug, Default)]
struct Roughness {
    coefficient: f64,
    holding: f64,
    /// Whether it slips.
    slips: bool,
}

impl<'m> Contacts<'m> {
    /// `None` where a mechanism has none, or is too large.
    #[must_use]
    pub fn new(mechanism: &'m Mechanism) -> Option<Self> {
        let (system, equations) = (&mechanism.system, &mechanism.equations);
        if system.unilateral.is_empty() {
            return None;
        }
        let rows = system.unilateral.iter().map(|it| &system.rows[it.row]);
        let mut outputs: Vec<ExprId> = rows.clone().map(|row| row.residual).collect();
        outputs.extend(rows.filter_map(|row| row.rate));
        outputs.extend(system.unilateral.iter().filter_map(|it| it.restitution));
        let (mass, pattern) = (equations.mass_pattern(), equations.row_pattern());
        Some(Self {
            evaluator: mechanism.evaluator(),
            factorisation: Factorisation::of(mass, pattern, Tolerance::default())?,
            rows: Arc::clone(pattern),
            terms: Terms::new(&system.graph, &outputs),
            not_linear: not_linear(system),
            beside: Beside::of(mechanism).map(Box::new),
            held: Vec::new(),
            usual: vec![0.0; 2 * system.unilateral.len()],
            measured: Vec::with_capacity(outputs.len()),
            is_measured: false,
            terms_room: TermsRoom::default(),
            given: Mode::default(),
            is_fitted: false,
            factored: Default::default(),
            left_out: Default::default(),
            restitutions: Vec::new(),
            roughs: Vec::new(),
            room: Vec::new(),
            nothing: vec![0.0; equations.rows()],
            jacobian: vec![0.0; pattern.size()],
            bias: vec![0.0; equations.rows()],
            touching: Vec::new(),
            contacts: Vec::new(),
            directions: Vec::new(),
            slopes: Vec::new(),
            known_slopes: Vec::new(),
            motions: Vec::new(),
            reactions: Vec::new(),
            mobility: Vec::new(),
            mechanism,
        })
    }

    fn system(&self) -> &'m System {
        &self.mechanism.system
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.system().unilateral.len()
    }

    /// Goes to a state; of its mode what is no contact counts.
    pub fn set(&mut self, state: &State) {
        let known = self.evaluator.state();
        let (q, rest) = known.split_at(state.coordinates.len());
        let (v, t) = rest.split_at(state.rates.len());
        let same = t[0].total_cmp(&state.t).is_eq() && q == state.coordinates && v == state.rates;
        self.is_measured &= same;
        if self.given != state.mode {
            self.given.clone_from(&state.mode);
            self.evaluator.set_mode(&state.mode);
            self.is_fitted = false;
        }
        self.evaluator.set_position(state.t, &state.coordinates);
        self.evaluator.set_rates(&state.rates);
    }

    /// Says which slips are held from here on: they rest, whatever rounding leaves of their velocities.
    pub fn hold(&mut self, slips: impl Iterator<Item = (Rough, bool)>) {
        self.held.clear();
        let held = slips.filter(|(_, held)| *held);
        self.held.extend(held.filter_map(|(of, _)| match of {
            Rough::Constraint(id) => Some(id),
            Rough::Spring(_) => None,
        }));
    }

    /// Which contacts are closed in a mode.
    #[must_use]
    pub fn closed(&self, mode: &Mode) -> Vec<bool> {
        let mut closed = Vec::new();
        self.closed_into(mode, &mut closed);
        closed
    }

    /// The same, in room that is used again.
    pub fn closed_into(&self, mode: &Mode, closed: &mut Vec<bool>) {
        let system = self.system();
        let is_closed = |row: RowId| mode.is_active(system, system.rows[row].constraint);
        closed.clear();
        closed.extend(system.unilateral.iter().map(|it| is_closed(it.row)));
    }

    /// A mode in which these are closed, and others open.
    #[must_use]
    pub fn mode(&self, mode: &Mode, closed: &[bool]) -> Mode {
        let system = self.system();
        let mut mode = mode.clone();
        for (contact, &closed) in system.unilateral.iter().zip(closed) {
            mode = mode.with(system, system.rows[contact.row].constraint, closed);
        }
        mode
    }

    /// Measures gaps and their rates beside coordinates and rates of these sizes too, by the slopes at the state that is set: a gap that is the
    /// difference of nothing, as that of a point on a floor y = 0, is small beside how far the motion goes.
    pub fn measure_beside(&mut self, [coordinates, of_rates]: [&[f64]; 2]) {
        let system = self.system();
        let count = self.count();
        let all = self.mode(&self.given, &vec![true; count]);
        self.evaluator.set_mode(&all);
        let jacobian = self.evaluator.canonical().jacobian;
        let (gaps, rates) = self.usual.split_at_mut(count);
        let usual = [(gaps, coordinates), (rates, of_rates)];
        for (usual, sizes) in usual {
            usual.fill(0.0);
            for (usual, contact) in usual.iter_mut().zip(&system.unilateral) {
                let size = jacobian.size_along(contact.row.index(), sizes);
                *usual = if size.is_finite() { size } else { 0.0 };
            }
        }
        self.evaluator.set_mode(&self.given);
        (self.is_fitted, self.is_measured) = (false, false);
    }

    /// The terms of a gap alone: how small a flight may be is known by these.
    #[must_use]
    pub fn terms_of_gap(&self, contact: usize, gap: Measured) -> f64 {
        (gap.size - self.usual[contact]).max(0.0)
    }

    /// Gap of each contact at the state that is set, then the rate of it.
    pub fn gaps(&mut self) -> [&[Measured]; 2] {
        self.measure();
        let count = self.count();
        let (gaps, rest) = self.measured.split_at(count);
        [gaps, &rest[..count]]
    }

    fn measure(&mut self) {
        if std::mem::replace(&mut self.is_measured, true) {
            return;
        }
        let value_of = self.evaluator.value_of();
        let found = self.terms.measured_in(value_of, &mut self.terms_room);
        self.measured.clear();
        (self.measured).extend(found.map(|(value, size)| Measured { value, size }));
        let beside = self.measured.iter_mut().zip(&self.usual);
        beside.for_each(|(it, usual)| it.size += usual);
    }

    /// Restitution of each contact at the state that is set.
    fn restitutions(&mut self) -> Vec<f64> {
        self.measure();
        let mut restitutions = std::mem::take(&mut self.restitutions);
        let mut given = self.measured[2 * self.count()..].iter();
        let all = self.system().unilateral.iter();
        restitutions.clear();
        restitutions.extend(all.map(|it| match it.restitution {
            Some(_) => given.next().map_or(0.0, |it| it.value),
            None => 0.0,
        }));
        restitutions
    }

    /// What a direction looked at follows from the rates by.
    fn slope(&self, direction: usize) -> &[f64] {
        let n = self.mechanism.equations.coordinates();
        &self.slopes[direction * n..][..n]
    }

    /// Looks at contacts that touch, at the state that is set: their directions, and what forces along them do. The roughness of each.
    fn look_at(&mut self, touching: &[usize]) -> Result<Vec<Roughness>, NoContact> {
        if !self.is_fitted || self.touching != touching {
            self.touching.clear();
            self.touching.extend_from_slice(touching);
            let mut closed = vec![false; self.count()];
            touching.iter().for_each(|&it| closed[it] = true);
            let mode = self.mode(&self.given, &closed);
            self.evaluator.set_mode(&mode);
            self.is_fitted = true;
        }
        let rough = self.find_directions()?;
        self.respond()?;
        Ok(rough)
    }

    /// Normals and tangents of the contacts that touch.
    fn find_directions(&mut self) -> Result<Vec<Roughness>, NoContact> {
        let system = self.system();
        self.measure();
        let (count, n) = (self.count(), self.mechanism.equations.coordinates());
        self.contacts.clear();
        self.directions.clear();
        self.slopes.clear();
        let mut roughs = std::mem::take(&mut self.roughs);
        roughs.clear();
        let now = self.evaluator.canonical();
        for &contact in &self.touching {
            let row = system.unilateral[contact].row.index();
            let at = self.slopes.len();
            self.slopes.resize(at + n, 0.0);
            let slope = &mut self.slopes[at..];
            now.jacobian.stored(row).for_each(|(i, a)| slope[i] = a);
            self.contacts.push(Contact {
                normal: self.directions.len(),
                friction: Friction::Smooth,
            });
            self.directions.push(Direction {
                rate: self.measured[count + contact],
                rest: -now.bias[row],
            });
            roughs.push(Roughness::default());
        }
        for found in self.evaluator.contacts() {
            let Rough::Constraint(constraint) = found.of else {
                continue;
            };
            let own = |&&contact: &&usize| {
                system.rows[system.unilateral[contact].row].constraint == constraint
            };
            let Some(place) = self.touching.iter().position(|it| own(&it)) else {
                continue;
            };
            let Some(slip) = found.slip else { continue };
            let normal = &self.slopes[place * n..][..n];
            let longest = normal.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
            let misfit = found.misfit.0.iter().zip(found.misfit.1);
            for (&row, part) in misfit {
                if part.abs() > CLEAR * longest {
                    return Err(NoContact::NotAContact(row));
                }
            }
            // What a multiplier one presses with.
            let length: f64 = found.lengths.iter().sum();
            let (coefficient, holding) = (found.coefficient * length, found.holding * length);
            let (axes, count) = slip.directions();
            let at = self.directions.len();
            let width = slip.velocity.len();
            for axis in &axes[..count] {
                let start = self.slopes.len();
                self.slopes.resize(start + n, 0.0);
                let slope = &mut self.slopes[start..];
                let entries = slip.slope.1.chunks_exact(width);
                for (&i, entries) in slip.slope.0.iter().zip(entries) {
                    slope[i] = dot(entries, &axis[..width]);
                }
                self.directions.push(Direction {
                    rate: Measured {
                        value: dot(slip.velocity, &axis[..width]),
                        size: slip.size,
                    },
                    rest: dot(slip.rest, &axis[..width]),
                });
            }
            let speed = self.directions[at..]
                .iter()
                .map(|it| it.rate.value.powi(2))
                .sum::<f64>()
                .sqrt();
            roughs[place] = Roughness {
                coefficient,
                holding,
                slips: speed > KNOWN * slip.size && !self.held.contains(&constraint),
            };
            self.contacts[place].friction = match count {
                1 => Friction::Line {
                    at,
                    coefficient,
                    way: None,
                },
                _ => Friction::Plane {
                    at,
                    coefficient,
                    way: None,
                },
            };
        }
        Ok(roughs)
    }

    /// W, and what a force one along each direction does.
    fn respond(&mut self) -> Result<(), NoContact> {
        let (n, rows) = (
            self.mechanism.equations.coordinates(),
            self.mechanism.equations.rows(),
        );
        if self.factor()? && self.known_slopes == self.slopes {
            return Ok(());
        }
        self.known_slopes.clear();
        let count = self.directions.len();
        self.motions.resize(count * n, 0.0);
        self.reactions.resize(count * rows, 0.0);
        self.mobility.resize(count * count, 0.0);
        for k in 0..count {
            self.factorisation.solve(
                &self.slopes[k * n..][..n],
                &self.nothing,
                &mut self.motions[k * n..][..n],
                &mut self.reactions[k * rows..][..rows],
            )?;
        }
        for (i, slope) in self.slopes.chunks_exact(n).enumerate() {
            for (k, motion) in self.motions[..count * n].chunks_exact(n).enumerate() {
                self.mobility[i * count + k] = dot(slope, motion);
            }
        }
        self.known_slopes.extend_from_slice(&self.slopes);
        Ok(())
    }

    /// M and the rows that are no contacts, factored; whether they were so already.
    fn factor(&mut self) -> Result<bool, NoContact> {
        let now = self.evaluator.latest();
        self.jacobian.copy_from_slice(now.jacobian.values());
        self.bias.copy_from_slice(now.bias);
        self.left_out.swap(0, 1);
        let [left_out, before] = &mut self.left_out;
        left_out.clear();
        left_out.extend_from_slice(self.evaluator.inactive_rows());
        for contact in &self.mechanism.system.unilateral {
            let row = contact.row.index();
            self.jacobian[self.rows.row(row)].fill(0.0);
            self.bias[row] = 0.0;
            if !left_out.contains(&row) {
                left_out.push(row);
            }
        }
        left_out.sort_unstable();
        let known = [now.mass.values(), &self.jacobian[..]];
        let same = self.factored.iter().zip(known).all(|(old, new)| old == new);
        if same && before == left_out {
            return Ok(true);
        }
        self.factored.iter_mut().for_each(Vec::clear);
        self.factorisation.leave_out(left_out);
        let jacobian = self.rows.matrix(&self.jacobian);
        self.factorisation.factor(&now.mass, &jacobian)?;
        for (kept, new) in self.factored.iter_mut().zip(known) {
            kept.extend_from_slice(new);
        }
        Ok(false)
    }

    /// What a solver of contacts says of its answer.
    fn answered(
        &self,
        found: Result<(Solution, Uniqueness), NoAnswer>,
    ) -> Result<(Solution, Uniqueness), NoContact> {
        let normals = |forces: &[f64]| -> Vec<f64> {
            let contacts = self.contacts.iter();
            contacts.map(|it| forces[it.normal]).collect()
        };
        found.map_err(|why| {
            let (forces, tried) = match why {
                NoAnswer::Nothing(known) => (Vec::new(), known == Uniqueness::Tried),
                NoAnswer::Several(all) => {
                    let all = all.iter().map(|it| normals(&it.forces));
                    (all.collect(), false)
                }
            };
            NoContact::Answers {
                contacts: self.touching.clone(),
                forces,
                tried,
            }
        })
    }

    /// W of the gaps alone, scaled to a diagonal of ones, with the scales: by contact looked at.
    fn scaled_normals(&self) -> (Vec<f64>, Vec<f64>) {
        let count = self.directions.len();
        let normals: Vec<usize> = self.contacts.iter().map(|it| it.normal).collect();
        let scale = |&i: &usize| match self.mobility[i * count + i] {
            w if w > 0.0 => 1.0 / w.sqrt(),
            _ => 0.0,
        };
        let scales: Vec<f64> = normals.iter().map(scale).collect();
        let mut matrix = Vec::with_capacity(normals.len() * normals.len());
        for (i, a) in normals.iter().zip(&scales) {
            for (k, b) in normals.iter().zip(&scales) {
                matrix.push(a * self.mobility[i * count + k] * b);
            }
        }
        (matrix, scales)
    }

    /// Whether gaps of the contacts looked at depend on each other, so that forces are not unique.
    fn is_dependent(&self) -> bool {
        let m = self.contacts.len();
        let mut orthogonal = CompleteOrthogonal::new(m, m);
        orthogonal.factor(&self.scaled_normals().0, CANCELLED);
        orthogonal.rank() < m
    }
}
