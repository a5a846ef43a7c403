//! What an event does to a state.

use super::{Happened, Happening};
use crate::Stop;
use crate::motion::MotionSystem;
use crate::observed::Observed;
use dalembert_expr::ExprId;
use dalembert_mechanics::decide::{CANCELLED, KNOWN};
use dalembert_mechanics::impulse::{Blow, Struck};
use dalembert_mechanics::lower::{Event, SetTarget};
use dalembert_mechanics::{Mechanism, Mode};

use dalembert_mechanics::start::State;

/// An event, compiled.
pub(super) struct Actions<'m> {
    mechanism: &'m Mechanism,
    event: &'m Event,
    /// New values, components of the impulse, restitution, then the rate of each that is struck and its gradient.
    values: Option<Observed<'m>>,
    /// Coordinates of the gradients.
    coordinates: Vec<Vec<usize>>,
    blow: Option<Blow>,
    given: Vec<f64>,
    /// The rate of each that was struck, before the last blow.
    struck: Vec<f64>,
}

impl<'m> Actions<'m> {
    pub(super) fn new(mechanism: &'m Mechanism, event: &'m Event) -> Self {
        let mut values: Vec<ExprId> = event.set.iter().map(|&(_, value)| value).collect();
        values.extend(event.impulse.iter().map(|&(_, value)| value));
        values.extend(event.restitution);
        let mut coordinates = Vec::new();
        for struck in &event.struck {
            values.push(struck.rate);
            values.extend(struck.jacobian.iter().map(|&(_, value)| value));
            coordinates.push(struck.jacobian.iter().map(|&(j, _)| j).collect());
        }
        let struck: Vec<&[usize]> = coordinates.iter().map(Vec::as_slice).collect();
        Self {
            mechanism,
            event,
            values: Observed::new(mechanism, &mechanism.system.graph, &values),
            blow: match event.is_blow() {
                true => Blow::new(mechanism, &struck),
                false => None,
            },
            coordinates,
            given: vec![0.0; mechanism.equations.coordinates()],
            struck: Vec::new(),
        }
    }

    /// Does it all, with a part of the restitution; what happened.
    pub(super) fn act(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        part: f64,
    ) -> Result<Happened, Stop> {
        let event = self.event;
        system.set(t, y);
        let before = system.rates().to_vec();
        let mut done = Happened {
            of: Happening::Event(0),
            t,
            is_blow: event.is_blow(),
            lost: None,
            before,
            after: Vec::new(),
            impulses: Vec::new(),
        };
        let values = match &mut self.values {
            Some(values) => values.at(system, (t, y)).to_vec(),
            None => Vec::new(),
        };
        if values.iter().any(|value| !value.is_finite()) {
            return Err(Stop::SenselessEvent {
                name: event.name.clone(),
                t,
            });
        }
        let (set, values) = values.split_at(event.set.len());
        if !set.is_empty() {
            done.lost = Some(self.set(system, (t, y), set)?);
        }
        system.set(t, y);
        // Rows that hold from here on may hold rates still: those that the blow begins with are not.
        let rates = system.rates().to_vec();
        self.change_mode(system, (t, y))?;
        if event.is_blow() {
            // What is struck moves as it was set.
            let now = self.values.as_mut().filter(|_| !set.is_empty());
            let now = now.map(|it| it.at(system, (t, y))[set.len()..].to_vec());
            let values = now.as_deref().unwrap_or(values);
            self.strike(system, (t, y), (&rates, values, part), &mut done)?;
        } else {
            system.set(t, y);
            done.after = system.rates().to_vec();
        }
        Ok(done)
    }

    /// Whether the last blow stopped something that it strikes, and that goes on where it came from nevertheless, at once: nothing holds it.
    pub(super) fn goes_through(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &[[f64; 1]]),
        span: f64,
    ) -> bool {
        if self.struck.is_empty() || self.event.stop {
            return false;
        }
        let Some(values) = &mut self.values else {
            return false;
        };
        let first = values_before_struck(self.event);
        let now = &values.at(system, (t, y))[first..];
        let mut place = 0;
        // Those that were stopped: where their rates stand, and what they were.
        let mut stopped = Vec::new();
        for (before, coordinates) in self.struck.iter().zip(&self.coordinates) {
            if now[place].abs() <= KNOWN * before.abs() {
                stopped.push((place, now[place], *before));
            }
            place += 1 + coordinates.len();
        }
        if stopped.is_empty() {
            return false;
        }
        let dt = CANCELLED * span;
        let Some(ahead) = system.ahead(t, y, dt) else {
            return false;
        };
        let then = &values.at(system, (t + dt, &ahead))[first..];
        let goes = stopped.iter().any(|&(place, now, before)| {
            (then[place] - now) * before.signum() > KNOWN * before.abs()
        });
        system.set(t, y);
        goes
    }

    /// Gives coordinates, rates and speeds new values; the energy that this takes.
    fn set(
        &self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        values: &[f64],
    ) -> Result<f64, Stop> {
        let n = self.given.len();
        let energy = |system: &mut MotionSystem<'m>| {
            let (kinetic, potential) = system.energies();
            kinetic + potential
        };
        system.set(t, y);
        let energy_before = energy(system);
        let mut rates = system.rates().to_vec();
        let mut speeds = Vec::new();
        for (&(target, _), &value) in self.event.set.iter().zip(values) {
            match target {
                SetTarget::Coordinate(i) => y[i][0] = value,
                SetTarget::Rate(i) => rates[i] = value,
                SetTarget::Speed(k) => speeds.push((k, value)),
            }
        }
        system.put_rates(t, y, &rates);
        for (k, value) in speeds {
            y[n + k][0] = value;
        }
        if let Some((row, by)) = system.unmet_row(t, y) {
            return Err(Stop::Unset {
                name: self.event.name.clone(),
                t,
                row,
                by,
            });
        }
        self.not_reversed(system.mode(), (t, y))?;
        system.set(t, y);
        let lost = energy_before - energy(system);
        y[2 * n][0] -= lost;
        Ok(lost)
    }

    /// Lets constraints go, and others hold.
    fn change_mode(
        &self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
    ) -> Result<(), Stop> {
        let of = &self.mechanism.system;
        let mut mode = system.mode().clone();
        for &constraint in &self.event.release {
            mode = mode.with(of, constraint, false);
        }
        for &constraint in &self.event.engage {
            mode = mode.with(of, constraint, true);
        }
        if mode.of(of) == system.mode().of(of) {
            return Ok(());
        }
        system.change_mode(&mode, t, y);
        match system.unmet_positions(t, y) {
            Some((row, by)) => Err(Stop::NotMet {
                name: self.event.name.clone(),
                t,
                row,
                by,
            }),
            None => self.not_reversed(&mode, (t, y)),
        }
    }

    /// Refuses joints that stand the other way round than they are defined.
    fn not_reversed(&self, mode: &Mode, (t, y): (f64, &[[f64; 1]])) -> Result<(), Stop> {
        let n = self.given.len();
        let state = State {
            t,
            coordinates: y[..n].iter().map(|it| it[0]).collect(),
            rates: vec![0.0; n],
            mode: mode.clone(),
        };
        match self.mechanism.reversed_joint(&state) {
            Some(joint) => Err(Stop::Reversed {
                name: self.event.name.clone(),
                t,
                joint,
            }),
            None => Ok(()),
        }
    }

    /// Lets the rates jump.
    fn strike(
        &mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &mut [[f64; 1]]),
        (before, values, part): (&[f64], &[f64], f64),
        done: &mut Happened,
    ) -> Result<(), Stop> {
        let event = self.event;
        let refuse = |why| Stop::NoBlow {
            name: event.name.clone(),
            t,
            why,
        };
        let (impulse, values) = values.split_at(event.impulse.len());
        self.given.fill(0.0);
        for (&(i, _), value) in event.impulse.iter().zip(impulse) {
            self.given[i] += value;
        }
        let (restitution, mut values) = match event.restitution {
            Some(_) => (part * values[0], &values[1..]),
            None => (0.0, values),
        };
        if !(0.0..=1.0).contains(&restitution) {
            return Err(Stop::Restitution {
                name: event.name.clone(),
                t,
                value: restitution,
            });
        }
        let mut struck = Vec::with_capacity(self.coordinates.len());
        for coordinates in &self.coordinates {
            let (own, others) = values.split_at(1 + coordinates.len());
            struck.push(Struck {
                rate: own[0],
                coordinates,
                gradient: &own[1..],
            });
            values = others;
        }
        self.struck.clear();
        self.struck.extend(struck.iter().map(|it| it.rate));
        let Some(blow) = &mut self.blow else {
            let failure = dalembert_mechanics::formulation::Unsolved::TooLarge.into();
            return Err(refuse(dalembert_mechanics::impulse::NoBlow::Failure(
                failure,
            )));
        };
        system.set(t, y);
        system.evaluator().set_rates(before);
        let solved = blow.solve(system.evaluator(), &self.given, (&struck, restitution));
        solved.map_err(refuse)?;
        let after = before.iter().zip(blow.change()).map(|(v, jump)| v + jump);
        done.after = after.collect();
        let [given, taken] = blow.works(before);
        done.lost = Some(done.lost.unwrap_or(0.0) - taken);
        done.impulses = blow.impulses().to_vec();
        system.put_rates(t, y, &done.after);
        y[2 * self.given.len()][0] += given + taken;
        Ok(())
    }
}

/// How many values of an event stand before those of what it strikes.
fn values_before_struck(event: &Event) -> usize {
    event.set.len() + event.impulse.len() + usize::from(event.restitution.is_some())
}
