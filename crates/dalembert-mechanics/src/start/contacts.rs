//! Contacts at a start: none is penetrated, those that touch and press are closed, and one that closes with a speed begins with an impact.

use super::{Assembler, Start};
use crate::contacts::{Closing, Contacts, NoContact};
use crate::diagnostic::Diagnostic;
use crate::mechanism::Mechanism;
use crate::mode::Mode;
use crate::state::State;

impl Mechanism {
    /// Rates of a start whose positions are known, and which contacts are closed there.
    pub(super) fn start_contacts(
        &self,
        work: &mut Assembler<'_>,
        (coordinates, sizes): (&[f64], &[f64]),
        start: &mut Start,
    ) -> Result<State, Vec<Diagnostic>> {
        let mut state = State {
            t: work.time(),
            coordinates: coordinates.to_vec(),
            rates: work.velocities(coordinates, sizes, start)?,
            mode: Mode::default(),
        };
        let Some(mut contacts) = Contacts::new(self) else {
            return Ok(state);
        };
        contacts.set(&state);
        let sizes = self.sizes(&state);
        contacts.measure_beside([&sizes.coordinates, &sizes.rates]);
        let [gaps, rates] = contacts.gaps();
        let through = gaps.iter().position(|it| it.value < 0.0 && !it.is_met());
        if let Some(contact) = through {
            return Err(vec![self.penetrates(contact, gaps[contact].value)]);
        }
        let touching = (0..gaps.len()).filter(|&it| gaps[it].is_met());
        start.touching = touching.collect();
        let touching = start.touching.clone();
        let moves = |it: usize| !rates[it].is_met();
        let closing = touching.iter().copied();
        let closing = closing.filter(|&it| moves(it) && rates[it].value < 0.0);
        start.closing = closing
            .map(|contact| Closing {
                contact,
                rate: rates[contact].value,
            })
            .collect();
        let resting: Vec<usize> = touching.into_iter().filter(|&it| !moves(it)).collect();
        match pressed_mode(&mut contacts, &state, &resting) {
            Ok(mode) => state.mode = mode,
            Err(why) => start.undecided = Some(why),
        }
        Ok(state)
    }

    fn penetrates(&self, contact: usize, gap: f64) -> Diagnostic {
        let row = &self.system.rows[self.system.unilateral[contact].row];
        let unit = self.units.row((row.constraint, row.equation));
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        let message = format!(
            "`{}` is penetrated at the start: its gap is {gap:.6e}{unit}",
            row.name
        );
        let help = "a gap is never negative: change the values of the coordinates at the start";
        let place = self.model.constraints[row.constraint].holds.whole();
        Diagnostic::error("E0564", place, message, help)
    }
}

fn pressed_mode(
    contacts: &mut Contacts<'_>,
    state: &State,
    resting: &[usize],
) -> Result<Mode, NoContact> {
    let found = contacts.press(resting)?;
    let mut closed = vec![false; contacts.count()];
    for (k, &contact) in resting.iter().enumerate() {
        closed[contact] = found.presses[k] || found.undecided[k];
    }
    Ok(contacts.mode(&state.mode, &closed))
}
