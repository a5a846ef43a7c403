//! What an integrator needs to know of a system: its right-hand side and, if it lives on a manifold, the
//! way back onto it.

use crate::linearised::{Linearisation, Linearised};

/// One truth value per lane.
pub type Mask<const L: usize> = [bool; L];

/// A system of first-order differential equations y' = f(t, y) in L lanes.
///
/// Lanes are independent states of the same system that are integrated side by side. A state is laid out
/// as `[value][lane]`. What a lane gets must depend on that lane alone.
pub trait System<const L: usize> {
    /// Number of values in a state.
    fn size(&self) -> usize;

    /// Writes f(t, y) to `dy` in the active lanes. What is written in other lanes is ignored.
    ///
    /// Where f is not defined (singular matrix, no convergence) set [`Evaluation::failed`] in that lane:
    /// the step is tried again with a smaller size, and the neighbours go on. A value that is not finite
    /// has the same effect.
    fn derivative(&mut self, now: &mut Evaluation<L>, y: &[[f64; L]], dy: &mut [[f64; L]]);

    /// Moves the state of the active lanes back to the manifold on which it belongs. What becomes of other
    /// lanes is ignored.
    ///
    /// Called once after each step that meets the tolerance, and for samples that ask for it. A failure
    /// has the effect of a step that misses the tolerance. By default nothing is done.
    fn project(&mut self, t: &[f64; L], y: &mut [[f64; L]], active: &Mask<L>) -> [Projection; L] {
        let _ = (t, y, active);
        [Projection::Unchanged { residual: 0.0 }; L]
    }

    /// Writes how much rounding may leave in each value at the end of a step of length h from (t, y), in the active lanes:
    /// errors below that cannot be told from rounding, as those of what rests because its forces cancel.
    ///
    /// Called only before a step is rejected, and where errors are measured by the motion, so it may cost more than an evaluation. By default nothing is known of it.
    fn rounding(
        &mut self,
        (t, h): (&[f64; L], &[f64; L]),
        y: &[[f64; L]],
        active: &Mask<L>,
        out: &mut [[f64; L]],
    ) {
        let _ = (t, h, y, active);
        out.fill([0.0; L]);
    }

    /// Finds J = ∂f/∂y at a state of which f is known, for [`System::linearisation`]; false where there is none. `errors` are those that each
    /// value may have, which differences may take for their size; infinite where a value does not count.
    ///
    /// This and what follows is asked only by methods for stiff problems, and for one lane.
    fn linearise(
        &mut self,
        now: &Evaluation<L>,
        y: &[[f64; L]],
        f: &[[f64; L]],
        errors: &[[f64; L]],
    ) -> bool {
        let _ = (now, y, f, errors);
        false
    }

    /// J as last found; `None` before.
    fn linearisation(&mut self) -> Option<&mut dyn Linearisation> {
        None
    }

    /// Whether the stages of implicit steps must meet rows themselves, not only the ends of steps after [`System::project`].
    fn solves_rows(&self) -> bool {
        false
    }

    /// At a stage of an implicit step of which f − y' is `left`: keeps of it what lies along the rows, and writes the shortest way to
    /// the rows to `way`; false where there is none. Asked only where [`System::solves_rows`] says so.
    fn along_rows(
        &mut self,
        now: &Evaluation<L>,
        y: &[[f64; L]],
        left: &mut [f64],
        way: &mut [f64],
    ) -> bool {
        let _ = (now, y, left, way);
        false
    }

    /// Number of values at the end of the state on which no derivative depends, and that must be right all the same: integrals of the
    /// others.
    fn followers(&self) -> usize {
        0
    }
}

/// Where and for which lanes a derivative is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation<const L: usize> {
    /// Time of each lane.
    pub t: [f64; L],
    /// Lanes whose result is used.
    pub active: Mask<L>,
    /// Lanes whose time and state are bit for bit those that the last call of [`System::project`] left,
    /// with no evaluation in between: matrices and factors of that call are still valid.
    pub projected: Mask<L>,
    /// Set by the system in lanes where the derivative is not defined. All false on entry.
    pub failed: Mask<L>,
}

/// Result of a projection in one lane. The residual is how far the state is from the manifold afterwards,
/// in a measure of the system's choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// The state was left as it was, to the bit: derivatives evaluated there stay valid.
    Unchanged {
        /// Distance from the manifold.
        residual: f64,
    },
    /// The state was changed.
    Moved {
        /// Distance from the manifold after the change.
        residual: f64,
    },
    /// The manifold was not reached.
    Failed {
        /// Distance that remains.
        residual: f64,
    },
}

/// A system given by a function of time, state and derivative to be written, see [`function`].
#[derive(Clone, Debug)]
pub struct Function<F> {
    size: usize,
    f: F,
    linearised: Option<Linearised>,
}

/// A system of `size` values whose right-hand side is `f(t, y, dy)`.
pub fn function<const L: usize, F>(size: usize, f: F) -> Function<F>
where
    F: FnMut(&[f64; L], &[[f64; L]], &mut [[f64; L]]),
{
    let linearised = None;
    Function {
        size,
        f,
        linearised,
    }
}

impl<const L: usize, F> System<L> for Function<F>
where
    F: FnMut(&[f64; L], &[[f64; L]], &mut [[f64; L]]),
{
    fn size(&self) -> usize {
        self.size
    }

    fn derivative(&mut self, now: &mut Evaluation<L>, y: &[[f64; L]], dy: &mut [[f64; L]]) {
        (self.f)(&now.t, y, dy);
    }

    fn linearise(
        &mut self,
        now: &Evaluation<L>,
        y: &[[f64; L]],
        f: &[[f64; L]],
        errors: &[[f64; L]],
    ) -> bool {
        if L != 1 {
            return false;
        }
        let size = self.size;
        let linearised = self.linearised.get_or_insert_with(|| Linearised::new(size));
        let flat = <[[f64; L]]>::as_flattened;
        let at = [flat(y), flat(f), flat(errors)];
        linearised.by_differences(at, |y, dy| {
            (self.f)(&now.t, y.as_chunks().0, dy.as_chunks_mut().0);
            true
        })
    }

    fn linearisation(&mut self) -> Option<&mut dyn Linearisation> {
        self.linearised.as_mut().map(|it| it as _)
    }
}
