//! One front after the other is gathered and eliminated.
//!
//! The loops are compiled three times on x86-64. All do the same IEEE operations in the same order (Rust never contracts a·b + c by itself),
//! so the choice changes the speed and no bit.

use super::fronts::{Front, Fronts, LeafChild, Room};
use super::leaves::{LANES, Lanes};
use crate::decide::{REGULARISATION, SOLVED, USED_UP};

/// How K is factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pivots {
    /// As they come; none of them may be small.
    Plain,
    /// Those that are (nearly) zero become ε.
    Replaced,
}

/// How that went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All pivots are as they came.
    Sound,
    /// A plain pivot is small: nothing is factored.
    Weak,
    /// Pivots were replaced.
    Mended,
    /// A pivot is not a number.
    NoNumber,
}

impl Fronts {
    /// Factors K with these numbers in its lower triangle; `signs` are those that its pivots should have.
    pub(super) fn factor(
        &self,
        values: &[f64],
        wanted: (&[i8], Pivots),
        factor: &mut [f64],
        room: &mut Room,
    ) -> Outcome {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.factor_avx512(values, wanted, factor, room) };
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the machine has these instructions")]
            // SAFETY: so it has just said.
            return unsafe { self.factor_avx2(values, wanted, factor, room) };
        }
        self.factor_any(values, wanted, factor, room)
    }

    /// The same operations in the same order, four at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn factor_avx2(
        &self,
        values: &[f64],
        wanted: (&[i8], Pivots),
        factor: &mut [f64],
        room: &mut Room,
    ) -> Outcome {
        self.factor_any(values, wanted, factor, room)
    }

    /// The same, eight at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn factor_avx512(
        &self,
        values: &[f64],
        wanted: (&[i8], Pivots),
        factor: &mut [f64],
        room: &mut Room,
    ) -> Outcome {
        self.factor_any(values, wanted, factor, room)
    }

    #[inline(always)]
    fn factor_any(
        &self,
        values: &[f64],
        (signs, wanted): (&[i8], Pivots),
        factor: &mut [f64],
        room: &mut Room,
    ) -> Outcome {
        room.waiting.clear();
        let mut outcome = Outcome::Sound;
        let leaves = &self.leaves;
        let (of_leaves, factor) = factor.split_at_mut(leaves.factor);
        let (mut top, mut entry, mut made) = (0, leaves.entries, 0);
        let (mut groups, mut taken) = (0, 0);
        for (index, front) in self.fronts.iter().enumerate() {
            while groups < front.groups as usize {
                let room = (&mut room.left[..], &mut room.group[..]);
                let group = &leaves.groups[groups];
                match leaves.eliminate(group, values, wanted, of_leaves, room) {
                    Outcome::Sound => {}
                    Outcome::Mended => outcome = Outcome::Mended,
                    found => return found,
                }
                groups += 1;
            }
            let first = front.first as usize;
            let step = Step {
                fronts: self,
                front,
                values: &values[entry..front.entries as usize],
                places: &self.places
                    [entry - leaves.entries..front.entries as usize - leaves.entries],
                leaves: &self.leaf_children[taken..front.leaves as usize],
                judge: Judge {
                    signs: &signs[first..first + front.pivots as usize],
                    wanted,
                },
            };
            entry = front.entries as usize;
            taken = front.leaves as usize;
            let own = &mut factor[made..made + front.factor()];
            made += own.len();
            let found = match front.width {
                4 => step.make::<4>(own, room, &mut top),
                8 => step.make::<8>(own, room, &mut top),
                12 => step.make::<12>(own, room, &mut top),
                16 => step.make::<16>(own, room, &mut top),
                24 => step.make::<24>(own, room, &mut top),
                _ => step.make_wide(own, room, &mut top),
            };
            match found {
                Outcome::Sound => {}
                Outcome::Mended => outcome = Outcome::Mended,
                Outcome::Weak | Outcome::NoNumber => return found,
            }
            if front.below > 0 {
                room.waiting.push(index as u32);
            }
        }
        for group in &leaves.groups[groups..] {
            let room = (&mut room.left[..], &mut room.group[..]);
            match leaves.eliminate(group, values, wanted, of_leaves, room) {
                Outcome::Sound => {}
                Outcome::Mended => outcome = Outcome::Mended,
                found => return found,
            }
        }
        outcome
    }
}

/// What one front is made of.
struct Step<'a> {
    fronts: &'a Fronts,
    front: &'a Front,
    values: &'a [f64],
    places: &'a [u32],
    leaves: &'a [LeafChild],
    judge: Judge<'a>,
}

impl Step<'_> {
    /// Entries of K, and what leaves and children left.
    #[inline(always)]
    fn gather(
        &self,
        numbers: &mut [f64],
        (left, stack): (&[f64], &[f64]),
        waiting: &mut Vec<u32>,
        top: &mut usize,
    ) {
        let width = self.front.width as usize;
        for leaf in self.leaves {
            let into = &self.fronts.into[leaf.into as usize..][..leaf.below as usize];
            let mut left = left[leaf.left as usize..].iter().step_by(LANES);
            for (i, &row) in into.iter().enumerate() {
                for (&column, value) in into[..=i].iter().zip(&mut left) {
                    numbers[column as usize * width + row as usize] -= value;
                }
            }
        }
        for (value, &place) in self.values.iter().zip(self.places) {
            numbers[place as usize] += value;
        }
        for _ in 0..self.front.children {
            let Some(child) = waiting.pop() else { break };
            let child = &self.fronts.fronts[child as usize];
            *top -= child.left();
            let into = &self.fronts.into[child.rows()];
            let columns = stack[*top..].chunks_exact(child.width as usize);
            for ((j, &column), left) in into.iter().enumerate().zip(columns) {
                let left = &left[child.pivots as usize + j..];
                let column = &mut numbers[column as usize * width..][..width];
                for (&row, value) in into[j..].iter().zip(left) {
                    column[row as usize] += value;
                }
            }
        }
    }

    /// Gathers and eliminates: columns of L and D⁻¹ to the factor, what is left to the stack.
    #[inline(always)]
    fn make<const WIDTH: usize>(
        &self,
        own: &mut [f64],
        room: &mut Room,
        top: &mut usize,
    ) -> Outcome {
        let (size, pivots) = (self.front.size(), self.front.pivots as usize);
        let Room {
            front: numbers,
            stack,
            waiting,
            left,
            ..
        } = room;
        let numbers = &mut numbers[..size * WIDTH];
        for column in numbers.as_chunks_mut::<WIDTH>().0 {
            *column = [0.0; WIDTH];
        }
        self.gather(numbers, (left, stack), waiting, top);
        let (panel, inverses) = own.split_at_mut(WIDTH * pivots);
        let panel = panel.as_chunks_mut::<WIDTH>().0;
        let mut outcome = Outcome::Sound;
        let mut diagonal = [0.0; WIDTH];
        let columns = numbers.as_chunks::<WIDTH>().0;
        for (j, column) in columns[..pivots].iter().enumerate() {
            let (done, rest) = panel.split_at_mut(j);
            let mut column = *column;
            subtract(&mut column, done, &diagonal, j);
            let Some(pivot) = self.judge.pivot(j, column[j], &mut outcome) else {
                return outcome;
            };
            let inverse = 1.0 / pivot;
            (diagonal[j], inverses[j]) = (pivot, inverse);
            for (i, (l, entry)) in rest[0].iter_mut().zip(column).enumerate() {
                *l = if i > j { entry * inverse } else { 0.0 };
            }
        }
        let left = stack[*top..].as_chunks_mut::<WIDTH>().0;
        for ((j, column), left) in columns.iter().enumerate().skip(pivots).zip(left) {
            let mut column = *column;
            subtract(&mut column, panel, &diagonal, j);
            *left = column;
        }
        *top += self.front.left();
        if self.judge.wanted == Pivots::Plain {
            turn(panel);
        }
        outcome
    }

    /// The same for columns of any length.
    fn make_wide(&self, own: &mut [f64], room: &mut Room, top: &mut usize) -> Outcome {
        let (size, pivots) = (self.front.size(), self.front.pivots as usize);
        let width = self.front.width as usize;
        let Room {
            front: numbers,
            stack,
            waiting,
            left,
            ..
        } = room;
        let numbers = &mut numbers[..size * width];
        numbers.fill(0.0);
        self.gather(numbers, (left, stack), waiting, top);
        let (panel, inverses) = own.split_at_mut(width * pivots);
        let mut outcome = Outcome::Sound;
        for k in 0..pivots {
            let (done, rest) = numbers.split_at_mut((k + 1) * width);
            let column = &mut done[k * width..];
            let Some(pivot) = self.judge.pivot(k, column[k], &mut outcome) else {
                return outcome;
            };
            let inverse = 1.0 / pivot;
            inverses[k] = inverse;
            for (j, other) in (k + 1..).zip(rest.chunks_exact_mut(width)) {
                let factor = column[j] * inverse;
                if factor != 0.0 {
                    crate::add_scaled(&mut other[j..], -factor, &column[j..]);
                }
            }
            column.iter_mut().for_each(|entry| *entry *= inverse);
            column[..=k].fill(0.0);
        }
        let (columns, left) = numbers.split_at(width * pivots);
        panel.copy_from_slice(columns);
        stack[*top..*top + left.len()].copy_from_slice(left);
        *top += left.len();
        outcome
    }
}

/// Takes from column j what the pivots before it have of it; entries far above the diagonal, which nobody reads, may stay.
#[inline(always)]
fn subtract<const WIDTH: usize>(
    column: &mut [f64; WIDTH],
    before: &[[f64; WIDTH]],
    diagonal: &[f64; WIDTH],
    j: usize,
) {
    match j / 8 {
        0 => subtract_from::<WIDTH, 0>(column, before, diagonal, j),
        1 => subtract_from::<WIDTH, 8>(column, before, diagonal, j),
        _ => subtract_from::<WIDTH, 16>(column, before, diagonal, j),
    }
}

/// The same from a row on.
#[inline(always)]
fn subtract_from<const WIDTH: usize, const FIRST: usize>(
    column: &mut [f64; WIDTH],
    before: &[[f64; WIDTH]],
    diagonal: &[f64; WIDTH],
    j: usize,
) {
    for (before, d) in before.iter().zip(diagonal) {
        let factor = before[j] * d;
        // A place is coupled to few rows of a joint.
        if factor == 0.0 {
            continue;
        }
        for i in FIRST..WIDTH {
            column[i] -= factor * before[i];
        }
    }
}

/// Columns of L, zero down to the diagonal, become those of the inverse of what they and ones make, less the ones: a right side then needs
/// no number of a front before the others (selective inversion; Raghavan 1998). Only where no pivot is small.
#[inline(always)]
fn turn<const WIDTH: usize>(panel: &mut [[f64; WIDTH]]) {
    for k in (0..panel.len()).rev() {
        let (head, done) = panel.split_at_mut(k + 1);
        let column = head[k];
        let mut turned = [0.0; WIDTH];
        for (turned, l) in turned.iter_mut().zip(&column) {
            *turned = -l;
        }
        for (other, &l) in done.iter().zip(&column[k + 1..]) {
            if l != 0.0 {
                for (turned, other) in turned.iter_mut().zip(other) {
                    *turned -= l * other;
                }
            }
        }
        head[k] = turned;
    }
}

/// Which pivots will do.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub(super) signs: &'a [i8],
    pub(super) wanted: Pivots,
}

impl Judge<'_> {
    /// The pivot to take for one that came.
    #[inline(always)]
    fn pivot(self, k: usize, came: f64, outcome: &mut Outcome) -> Option<f64> {
        let sign = f64::from(self.signs[k]);
        match self.wanted {
            Pivots::Plain if came * sign >= USED_UP => Some(came),
            Pivots::Plain => {
                *outcome = Outcome::Weak;
                None
            }
            Pivots::Replaced if came * sign <= SOLVED => {
                *outcome = Outcome::Mended;
                Some(sign * REGULARISATION)
            }
            Pivots::Replaced if came.is_finite() => Some(came),
            Pivots::Replaced => {
                *outcome = Outcome::NoNumber;
                None
            }
        }
    }
}

impl Judge<'_> {
    /// The same for several pivots; whether they will do.
    #[inline(always)]
    pub(super) fn pivots(self, k: usize, came: &mut Lanes, outcome: &mut Outcome) -> bool {
        let sign = f64::from(self.signs[k]);
        if self.wanted == Pivots::Plain {
            let weak = came.iter().fold(false, |weak, came| {
                let fine = came * sign >= USED_UP;
                weak | !fine
            });
            if weak {
                *outcome = Outcome::Weak;
            }
            return !weak;
        }
        for came in came {
            match self.pivot(k, *came, outcome) {
                Some(pivot) => *came = pivot,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pattern;
    use crate::factorisation::sparse::symbolic::{Blocks, Symbolic};
    use std::sync::Arc;

    /// Whatever vector instructions the machine has, numbers are the same to the last bit: in fronts of all widths.
    #[test]
    fn vectors_change_no_bit() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut leaves = 0;
        for (rows_of_one, span) in [(1, 2), (2, 4), (5, 9), (7, 20), (3, 40)] {
            let speeds = 120;
            let mass = Arc::new(Pattern::symmetric(
                speeds,
                (0..speeds).flat_map(|i| (i..(i - i % 6 + 6)).map(move |j| (i, j))),
            ));
            let lists: Vec<Vec<usize>> = (0..60)
                .map(|row| {
                    let first = row / rows_of_one * 3 % (speeds - span);
                    (first..first + span).collect()
                })
                .collect();
            let rows = Arc::new(Pattern::compressed(speeds, &lists));
            let symbolic = Symbolic::new(&mass, &rows).expect("a small system");
            let Blocks::Small(fronts) = &symbolic.blocks else {
                continue;
            };
            let mut values: Vec<f64> = (0..symbolic.kkt.compute_nnz())
                .map(|_| rng.f64() - 0.5)
                .collect();
            // So that no pivot is small.
            let first = fronts.leaves.unknowns;
            let starts = symbolic.kkt.col_ptr().iter().zip(&symbolic.signs);
            for (&start, &sign) in starts.skip(first) {
                values[start as usize] = 40.0 * f64::from(sign);
            }
            fronts.leaves.each_entry(|column, row, place| {
                if column == row {
                    values[place] = 40.0 * f64::from(symbolic.signs[column]);
                }
            });
            leaves += first;
            let right: Vec<f64> = (0..speeds + 60).map(|_| rng.f64() - 0.5).collect();
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let mut room = fronts.room();
            let solutions = [Pivots::Replaced, Pivots::Plain].map(|by| {
                let wanted = (&symbolic.signs[..], by);
                let (mut factor, mut x) = (vec![0.0; fronts.size()], right.clone());
                let outcome = fronts.factor(&values, wanted, &mut factor, &mut room);
                assert_eq!(outcome, Outcome::Sound);
                fronts.solve((&factor, by), &mut x, &mut room);
                let (mut plain, mut y) = (vec![0.0; fronts.size()], right.clone());
                let again = fronts.factor_any(&values, wanted, &mut plain, &mut room);
                assert_eq!(again, outcome);
                match by {
                    Pivots::Replaced => fronts.solve_any::<false>(&plain, &mut y, &mut room),
                    Pivots::Plain => fronts.solve_any::<true>(&plain, &mut y, &mut room),
                }
                assert_eq!(bits(&factor), bits(&plain));
                assert_eq!(bits(&x), bits(&y));
                x
            });
            // Columns that are turned solve the same system.
            for (x, y) in solutions[0].iter().zip(&solutions[1]) {
                assert!((x - y).abs() < 1e-14, "{x} is not {y}");
            }
        }
        assert!(leaves > 0, "some are eliminated eight at a time");
    }
}
