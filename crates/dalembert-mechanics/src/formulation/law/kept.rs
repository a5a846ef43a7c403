//! What is kept of slips along a run: which are held, and which way the others go, until one of them turns.

use super::Laws;
use super::slide::Kept;
use crate::decide::{SOLVED, USED_UP};
use crate::equations::Evaluator;
use crate::formulation::Failure;
use crate::linear::factorisation::Factorisation;

impl Laws {
    /// As [`Self::apply`], and keeps from here on which slips are held and the ways of the others along lines, until
    /// [`Self::turn`].
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn set_out(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        let slides = self.slides.iter_mut();
        slides.for_each(|slide| slide.kept = Kept::Nothing);
        self.decide(evaluator, factorisation)
    }

    fn decide(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.apply(evaluator, factorisation)?;
        for slide in &mut self.slides {
            slide.over = (slide.strength() - slide.bound).max(0.0);
            slide.kept = match (slide.held, slide.in_plane) {
                _ if !slide.active => Kept::Nothing,
                (true, _) => Kept::Held,
                (false, false) => Kept::Way(self.ways[slide.way]),
                (false, true) => Kept::Nothing,
            };
        }
        Ok(())
    }

    /// Goes on where a slip has vanished, or friction holds it no longer.
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn turn(
        &mut self,
        slip: usize,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<(), Failure> {
        self.look(evaluator);
        let lets_go = self.slides[slip].kept == Kept::Held;
        self.released = lets_go.then_some(slip);
        for (index, slide) in self.slides.iter_mut().enumerate() {
            if slide.kept == Kept::Held && index != slip {
                continue;
            }
            let small = slide.speed().abs() <= USED_UP * slide.fastest;
            slide.vanishes = index == slip || small && slide.active;
            if slide.vanishes {
                slide.kept = Kept::Nothing;
            }
        }
        let done = self.decide(evaluator, factorisation);
        self.released = None;
        self.slides
            .iter_mut()
            .for_each(|slide| slide.vanishes = false);
        done
    }

    /// Takes from rates what slips that are held have of velocity at the state that is set; whether that changes them.
    ///
    /// # Errors
    /// M and A cannot be factored.
    pub fn arrest(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
        rates: &mut [f64],
    ) -> Result<bool, Failure> {
        if !self.slides.iter().any(|slide| slide.kept == Kept::Held) {
            return Ok(false);
        }
        match evaluator.equations().has_servos() {
            true => self.begin(evaluator, factorisation)?,
            false => {
                let now = evaluator.canonical();
                factorisation.factor(&now.mass, &now.jacobian)?;
            }
        }
        self.look(evaluator);
        for slide in &mut self.slides {
            slide.held = slide.kept == Kept::Held;
        }
        self.look_at_holds(evaluator, factorisation)?;
        self.holds.choose(&self.slides);
        Ok(self.holds.arrest(&self.slides, rates))
    }

    /// How far each slip is from vanishing, or the force that holds it from its bound, at the state that is set: rises through zero
    /// there.
    pub fn watch(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
        conditions: &mut [f64],
    ) {
        let any = self.slides.iter().any(|slide| slide.kept == Kept::Held);
        let known = !any || self.apply(evaluator, factorisation).is_ok();
        if !any || !known {
            self.look(evaluator);
        }
        for (slide, condition) in self.slides.iter().zip(conditions) {
            *condition = match slide.kept {
                _ if !slide.active => -1.0,
                Kept::Held if !known => f64::NAN,
                Kept::Held => {
                    let bound = slide.bound + slide.over;
                    slide.strength() - bound - SOLVED * bound
                }
                Kept::Way(way) => -way * slide.speed(),
                Kept::Nothing => USED_UP * slide.fastest - slide.speed(),
            };
        }
    }
}
