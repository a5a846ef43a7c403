//! What is kept of slips along a run: which are held, and which way the others go, until one of them turns.

use super::Laws;
use super::slide::Kept;
use crate::decide::{MET, SOLVED, USED_UP};
use crate::equations::Evaluator;
use crate::formulation::Failure;
use crate::linear::factorisation::Factorisation;
use crate::lower::Rough;

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
        slides.for_each(|slide| (slide.kept, slide.let_go) = (Kept::Nothing, false));
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
            slide.let_go &= !slide.held;
            slide.kept = match (slide.held, slide.in_plane) {
                _ if !slide.active => Kept::Nothing,
                (true, _) => Kept::Held,
                (false, false) => Kept::Way(self.ways[slide.way]),
                (false, true) => Kept::Nothing,
            };
        }
        Ok(())
    }

    /// What has friction that slips can vanish of, and whether it is kept held until [`Self::turn`].
    pub fn kept_slips(&self) -> impl Iterator<Item = (Rough, bool)> + '_ {
        let slides = self.slides.iter();
        slides.map(|slide| (slide.of, slide.kept == Kept::Held))
    }

    /// Which way a slip along a line goes, if it does.
    #[must_use]
    pub fn way_of(&self, slip: usize) -> Option<f64> {
        match self.slides[slip].kept {
            Kept::Way(way) => Some(way),
            _ => None,
        }
    }

    /// Goes on where a slip has vanished, or friction holds it no longer; whether several in planes begin together, with no rate at all.
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn turn(
        &mut self,
        slip: usize,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> Result<bool, Failure> {
        self.look(evaluator);
        let lets_go = self.slides[slip].kept == Kept::Held;
        let group = match lets_go {
            true => self.held_together(slip),
            false => Vec::new(),
        };
        self.released = Some(slip).filter(|_| lets_go && group.is_empty());
        self.slides[slip].let_go |= self.released.is_some() && !self.slides[slip].in_plane;
        for (index, slide) in self.slides.iter_mut().enumerate() {
            let goes = index == slip || group.contains(&index);
            if slide.kept == Kept::Held && !goes {
                continue;
            }
            let small = slide.speed().abs() <= USED_UP * slide.fastest;
            // A slip that vanishes by itself was seen to move, and with it what was let go before.
            slide.let_go &= small && lets_go;
            slide.vanishes = goes || small && slide.active;
            if slide.vanishes {
                slide.kept = Kept::Nothing;
            }
        }
        let done = self.decide(evaluator, factorisation);
        self.released = None;
        self.slides
            .iter_mut()
            .for_each(|slide| slide.vanishes = false);
        // What holds better than it slides sets out with a jump.
        let eases = group.iter().any(|&index| self.slides[index].holds_better);
        let together = group.len() > 1 && !eases;
        for &index in &group {
            // They begin with no rate at all: whether they go is decided at each state from here on.
            let slide = &mut self.slides[index];
            (slide.held, slide.kept) = (false, Kept::Nothing);
        }
        self.beginning = group;
        done.map(|()| together)
    }

    /// Looks at slips that begin together, at a state a little later that is set: some may be held while the others begin, as where a box turns about one
    /// of its corners. Whether that is decided there.
    pub fn look_ahead(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        factorisation: &mut Factorisation,
    ) -> bool {
        for &index in &self.beginning {
            self.slides[index].vanishes = true;
        }
        let found = self.apply(evaluator, factorisation);
        let mut begins = false;
        for &index in &self.beginning {
            let slide = &mut self.slides[index];
            slide.vanishes = false;
            begins |= !slide.held;
        }
        if found.is_err() || !begins {
            return false;
        }
        for &index in &self.beginning {
            let slide = &mut self.slides[index];
            if slide.held {
                slide.kept = Kept::Held;
                slide.over = (slide.strength() - slide.bound).max(0.0);
            }
        }
        true
    }

    /// Slips in planes that are held together with one of them, by forces of which many would do: where these are not enough all may begin.
    fn held_together(&self, slip: usize) -> Vec<usize> {
        let in_plane = |index: &usize| {
            let slide = &self.slides[*index];
            slide.in_plane && slide.kept == Kept::Held && self.holds.is_one_of_many(*index)
        };
        let group: Vec<usize> = (0..self.slides.len()).filter(in_plane).collect();
        match group.contains(&slip) {
            true => group,
            false => Vec::new(),
        }
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
        let held = self.slides.iter().filter(|it| it.kept == Kept::Held);
        let most = held.fold(0.0_f64, |most, it| most.max(it.bound));
        for (slide, condition) in self.slides.iter().zip(conditions) {
            *condition = match slide.kept {
                _ if !slide.active => -1.0,
                Kept::Held if !known => f64::NAN,
                Kept::Held => {
                    let bound = slide.bound + slide.over;
                    // What shares a load with others may carry nothing of it, but for rounding beside these.
                    let beyond = slide.strength() - bound - SOLVED * bound.max(most);
                    // Forces that were moved within friction in a plane are as near to its bound as that was cut.
                    match slide.in_plane && beyond < 0.0 {
                        true => beyond.min(-MET * bound),
                        false => beyond,
                    }
                }
                Kept::Way(way) => -way * slide.speed(),
                Kept::Nothing => USED_UP * slide.fastest - slide.speed(),
            };
        }
    }
}
