//! Leaves with numbers: eliminated, taken to right sides and back, and what a solution leaves of their equations; eight at a time.
//!
//! ```text
//! row i of a leaf:  wᵢₖ = aᵢₖ − Σ wᵢₘ lₖₘ,  lᵢₖ = wᵢₖ / dₖ,  dₖ = wₖₖ;  left of rows i and j: −Σ wᵢₖ lⱼₖ
//! ```

use super::eliminate::{Judge, Outcome, Pivots};
use super::kkt::Equations;
use super::leaves::{Form, Group, LANES, Lanes, Leaves};

/// Calls a function for so many unknowns of a leaf.
macro_rules! of_pivots {
    ($pivots:expr, $function:ident($($argument:expr),*)) => {
        match $pivots {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            6 => $function::<6>($($argument),*),
            7 => $function::<7>($($argument),*),
            _ => $function::<8>($($argument),*),
        }
    };
}

impl Leaves {
    /// Eliminates one group: L with D⁻¹ on its diagonal to the factor, what is left to its place.
    #[inline(always)]
    pub(super) fn eliminate(
        &self,
        group: &Group,
        values: &[f64],
        wanted: Pivots,
        factor: &mut [f64],
        (left, room): (&mut [f64], &mut [Lanes]),
    ) -> Outcome {
        let form = &self.forms[group.form as usize];
        let values = lanes(&values[group.entries as usize..], form.entries.len());
        let own = lanes_mut(&mut factor[group.factor as usize..], form.factor());
        let left = lanes_mut(&mut left[group.left as usize..], form.left());
        of_pivots!(
            form.pivots,
            eliminate((form, values), wanted, own, left, room)
        )
    }

    /// x ← L⁻¹ x, the part of the leaves.
    #[inline(always)]
    pub(super) fn forward(&self, factor: &[f64], x: &mut [f64]) {
        for group in &self.groups {
            let (form, own, rows) = self.parts(group, factor);
            let (known, rest) = x.split_at_mut(self.unknowns);
            let known = lanes_mut(&mut known[group.first as usize..], form.pivots);
            of_pivots!(form.pivots, forward(own, rows, self.unknowns, known, rest));
        }
    }

    /// x ← L⁻ᵀ D⁻¹ x, the part of the leaves.
    #[inline(always)]
    pub(super) fn back(&self, factor: &[f64], x: &mut [f64]) {
        for group in &self.groups {
            let (form, own, rows) = self.parts(group, factor);
            let (unknown, rest) = x.split_at_mut(self.unknowns);
            let unknown = lanes_mut(&mut unknown[group.first as usize..], form.pivots);
            of_pivots!(form.pivots, back(own, rows, self.unknowns, unknown, rest));
        }
    }

    fn parts<'a>(
        &'a self,
        group: &Group,
        factor: &'a [f64],
    ) -> (&'a Form, &'a [Lanes], &'a [[u32; LANES]]) {
        let form = &self.forms[group.form as usize];
        let own = lanes(&factor[group.factor as usize..], form.factor());
        (form, own, &self.rows[group.rows as usize..][..form.below])
    }

    /// Takes from what is left of the equations, and adds to the sizes of their terms, what entries of K in the columns of leaves say.
    #[inline(always)]
    pub(super) fn left_over(&self, equations: &mut Equations<'_>) {
        for group in &self.groups {
            let form = &self.forms[group.form as usize];
            let rows = &self.rows[group.rows as usize..][..form.below];
            of_pivots!(form.pivots, left_over((form, group), rows, equations));
        }
    }

    /// Numbers become at least a part of the largest of their leaf.
    pub(super) fn share_largest(&self, part: f64, numbers: &mut [f64]) {
        for group in &self.groups {
            let pivots = self.forms[group.form as usize].pivots;
            let own = lanes_mut(&mut numbers[group.first as usize..], pivots);
            let mut least = [0.0_f64; LANES];
            for number in &*own {
                for (least, number) in least.iter_mut().zip(number) {
                    *least = least.max(part * number);
                }
            }
            for number in own {
                for (number, least) in number.iter_mut().zip(&least) {
                    *number = number.max(*least);
                }
            }
        }
    }

    /// Every entry of K in the columns of leaves: its column, its row and its place.
    pub(super) fn each_entry(&self, mut entry: impl FnMut(usize, usize, usize)) {
        for group in &self.groups {
            let form = &self.forms[group.form as usize];
            let own = |k: usize, lane: usize| group.first as usize + k * LANES + lane;
            for (index, &(k, i)) in form.entries.iter().enumerate() {
                let (k, i) = (usize::from(k), usize::from(i));
                for lane in 0..LANES {
                    let row = match i.checked_sub(form.pivots) {
                        None => own(i, lane),
                        Some(below) => self.rows[group.rows as usize + below][lane] as usize,
                    };
                    let place = group.entries as usize + index * LANES + lane;
                    entry(own(k, lane), row, place);
                }
            }
        }
    }
}

/// So many numbers of each leaf.
#[inline(always)]
fn lanes(numbers: &[f64], count: usize) -> &[Lanes] {
    &numbers.as_chunks::<LANES>().0[..count]
}

#[inline(always)]
fn lanes_mut(numbers: &mut [f64], count: usize) -> &mut [Lanes] {
    &mut numbers.as_chunks_mut::<LANES>().0[..count]
}

#[inline(always)]
fn eliminate<const PIVOTS: usize>(
    (form, values): (&Form, &[Lanes]),
    wanted: Pivots,
    own: &mut [Lanes],
    left: &mut [Lanes],
    room: &mut [Lanes],
) -> Outcome {
    let room = &mut room[..own.len()];
    if form.entries.len() < room.len() - PIVOTS * (PIVOTS - 1) / 2 {
        room.fill([0.0; LANES]);
    }
    for (value, &(k, i)) in values.iter().zip(&form.entries) {
        room[usize::from(i) * PIVOTS + usize::from(k)] = *value;
    }
    let rows = room.as_chunks::<PIVOTS>().0;
    let own = own.as_chunks_mut::<PIVOTS>().0;
    let mut outcome = Outcome::Sound;
    let mut inverses = [[0.0; LANES]; PIVOTS];
    let mut at = 0;
    for (i, row) in rows.iter().enumerate() {
        let mut weighed = *row;
        let (done, rest) = own.split_at_mut(i);
        let known = i.min(PIVOTS);
        for k in 0..PIVOTS {
            if k >= known {
                break;
            }
            for m in 0..k {
                for lane in 0..LANES {
                    weighed[k][lane] -= weighed[m][lane] * done[k][m][lane];
                }
            }
        }
        let lengthened = &mut rest[0];
        for k in 0..known {
            for lane in 0..LANES {
                lengthened[k][lane] = weighed[k][lane] * inverses[k][lane];
            }
        }
        if i < PIVOTS {
            let mut pivot = weighed[i];
            for k in 0..i {
                for lane in 0..LANES {
                    pivot[lane] -= weighed[k][lane] * lengthened[k][lane];
                }
            }
            let judge = Judge {
                signs: &form.signs,
                wanted,
            };
            if !judge.pivots(i, &mut pivot, &mut outcome) {
                return outcome;
            }
            for lane in 0..LANES {
                inverses[i][lane] = 1.0 / pivot[lane];
            }
            lengthened[i] = inverses[i];
            continue;
        }
        let lengthened = *lengthened;
        for other in done[PIVOTS..].iter().chain([&lengthened]) {
            let mut sum = [0.0; LANES];
            for k in 0..PIVOTS {
                for lane in 0..LANES {
                    sum[lane] += weighed[k][lane] * other[k][lane];
                }
            }
            left[at] = sum;
            at += 1;
        }
    }
    outcome
}

#[inline(always)]
fn left_over<const PIVOTS: usize>(
    (form, group): (&Form, &Group),
    rows: &[[u32; LANES]],
    equations: &mut Equations<'_>,
) {
    let Equations {
        values,
        x,
        left,
        sizes,
    } = equations;
    let first = group.first as usize;
    let values = lanes(&values[group.entries as usize..], form.entries.len());
    let mut known = [[0.0; LANES]; PIVOTS];
    known.copy_from_slice(lanes(&x[first..], PIVOTS));
    // What is taken, and added.
    let mut own = [[[0.0; LANES]; 2]; PIVOTS];
    let add = |sums: &mut [Lanes; 2], value: &Lanes, x: &Lanes| {
        for lane in 0..LANES {
            let term = value[lane] * x[lane];
            sums[0][lane] += term;
            sums[1][lane] += term.abs();
        }
    };
    let mut start = 0;
    for (i, &end) in form.ends.iter().enumerate() {
        let end = usize::from(end);
        let entries = form.entries[start..end].iter().zip(&values[start..end]);
        start = end;
        let Some(below) = i.checked_sub(PIVOTS) else {
            for (&(k, _), value) in entries {
                let k = usize::from(k);
                if k < i {
                    add(&mut own[i], value, &known[k]);
                    add(&mut own[k], value, &known[i]);
                } else if form.signs[i] > 0 {
                    add(&mut own[i], value, &known[i]);
                }
            }
            continue;
        };
        let rows = &rows[below];
        let mut other = [0.0; LANES];
        for (other, &row) in other.iter_mut().zip(rows) {
            *other = x[row as usize];
        }
        let mut sums = [[0.0; LANES]; 2];
        for (&(k, _), value) in entries {
            let k = usize::from(k);
            add(&mut sums, value, &known[k]);
            add(&mut own[k], value, &other);
        }
        for (lane, &row) in rows.iter().enumerate() {
            left[row as usize] -= sums[0][lane];
            sizes[row as usize] += sums[1][lane];
        }
    }
    let left = lanes_mut(&mut left[first..], PIVOTS).iter_mut();
    let sizes = lanes_mut(&mut sizes[first..], PIVOTS).iter_mut();
    for ((left, size), [taken, added]) in left.zip(sizes).zip(&own) {
        for lane in 0..LANES {
            left[lane] -= taken[lane];
            size[lane] += added[lane];
        }
    }
}

#[inline(always)]
fn forward<const PIVOTS: usize>(
    own: &[Lanes],
    rows: &[[u32; LANES]],
    unknowns: usize,
    x: &mut [Lanes],
    rest: &mut [f64],
) {
    let own = own.as_chunks::<PIVOTS>().0;
    let mut known = [[0.0; LANES]; PIVOTS];
    known.copy_from_slice(x);
    for k in 1..PIVOTS {
        for m in 0..k {
            for lane in 0..LANES {
                known[k][lane] -= own[k][m][lane] * known[m][lane];
            }
        }
    }
    x.copy_from_slice(&known);
    for (own, rows) in own[PIVOTS..].iter().zip(rows) {
        let mut sum = [0.0; LANES];
        for k in 0..PIVOTS {
            for lane in 0..LANES {
                sum[lane] += own[k][lane] * known[k][lane];
            }
        }
        for (&row, sum) in rows.iter().zip(&sum) {
            rest[row as usize - unknowns] -= sum;
        }
    }
}

#[inline(always)]
fn back<const PIVOTS: usize>(
    own: &[Lanes],
    rows: &[[u32; LANES]],
    unknowns: usize,
    x: &mut [Lanes],
    rest: &[f64],
) {
    let own = own.as_chunks::<PIVOTS>().0;
    let mut found = [[0.0; LANES]; PIVOTS];
    for k in 0..PIVOTS {
        for lane in 0..LANES {
            found[k][lane] = x[k][lane] * own[k][k][lane];
        }
    }
    for (own, rows) in own[PIVOTS..].iter().zip(rows) {
        let mut known = [0.0; LANES];
        for (known, &row) in known.iter_mut().zip(rows) {
            *known = rest[row as usize - unknowns];
        }
        for k in 0..PIVOTS {
            for lane in 0..LANES {
                found[k][lane] -= own[k][lane] * known[lane];
            }
        }
    }
    for k in (0..PIVOTS).rev() {
        for i in k + 1..PIVOTS {
            for lane in 0..LANES {
                found[k][lane] -= own[i][k][lane] * found[i][lane];
            }
        }
    }
    x.copy_from_slice(&found);
}

#[cfg(test)]
mod tests {
    use crate::decide::{REGULARISATION, SOLVED};
    use crate::factorisation::sparse::eliminate::{Outcome, Pivots};
    use crate::factorisation::sparse::kkt::Kkt;
    use crate::factorisation::sparse::symbolic::{Blocks, Symbolic};
    use crate::factorisation::{Factorisation, Tolerance};
    use crate::{Matrix, Pattern};
    use std::sync::Arc;

    /// Speeds of a body: three that M does not couple, and a unit vector of four along which M is singular, held by a row of its own.
    const SPEEDS: usize = 7;
    const JOINT: usize = 5;

    /// M and A of a chain of so many bodies.
    fn chain(bodies: usize, rng: &mut fastrand::Rng) -> (Symbolic, Vec<f64>, Vec<f64>) {
        let n = bodies * SPEEDS;
        let pairs = (0..n).flat_map(|i| {
            let end = if i % SPEEDS < 3 {
                i + 1
            } else {
                i - i % SPEEDS + SPEEDS
            };
            (i..end).map(move |j| (i, j))
        });
        let pattern = Arc::new(Pattern::symmetric(n, pairs));
        let mut mass = vec![0.0; pattern.size()];
        let mut lists: Vec<Vec<(usize, f64)>> = Vec::new();
        for body in 0..bodies {
            let first = body * SPEEDS;
            let direction: [f64; 4] = std::array::from_fn(|_| 0.5 + rng.f64());
            let square: f64 = direction.iter().map(|x| x * x).sum();
            for i in 0..SPEEDS {
                for j in i..SPEEDS {
                    let same = f64::from(u8::from(i == j));
                    let value = match i {
                        0..3 => 2.0 * same,
                        _ => same - direction[i - 3] * direction[j - 3] / square,
                    };
                    if let Some(place) = pattern.place(first + i, first + j) {
                        mass[place] = value;
                    }
                }
            }
            lists.push((0..4).map(|k| (first + 3 + k, direction[k])).collect());
        }
        for joint in 0..bodies {
            for row in 0..JOINT {
                let mut list = Vec::new();
                for body in [joint.checked_sub(1), Some(joint)].into_iter().flatten() {
                    let own = (row..row + 1).filter(|&row| row < 3).chain(3..SPEEDS);
                    list.extend(own.map(|k| (body * SPEEDS + k, rng.f64() - 0.5)));
                }
                lists.push(list);
            }
        }
        let columns: Vec<Vec<usize>> = (lists.iter())
            .map(|list| list.iter().map(|&(column, _)| column).collect())
            .collect();
        let rows = Arc::new(Pattern::compressed(n, &columns));
        let values = lists.iter().flatten().map(|&(_, value)| value).collect();
        (
            Symbolic::new(&pattern, &rows).expect("a small system"),
            mass,
            values,
        )
    }

    fn random(count: usize, rng: &mut fastrand::Rng) -> Vec<f64> {
        (0..count).map(|_| rng.f64() - 0.5).collect()
    }

    #[test]
    fn what_is_left_is_the_same_entry_by_entry() {
        let mut rng = fastrand::Rng::with_seed(11);
        let (symbolic, mass, rows) = chain(21, &mut rng);
        let symbolic = Arc::new(symbolic);
        let Blocks::Small(fronts) = &symbolic.blocks else {
            panic!("a chain falls apart into small blocks");
        };
        // Sixteen quaternions at least.
        assert!(fronts.leaves.unknowns >= 16 * 5);
        let mut kkt = Kkt::new(&symbolic);
        let (mass, rows) = (symbolic.mass.matrix(&mass), symbolic.rows.matrix(&rows));
        let n = symbolic.order.len();
        for wanted in [Pivots::Plain, Pivots::Replaced] {
            assert_eq!(kkt.factor(&mass, &rows, wanted), Ok(Outcome::Sound));
            let (right, x) = (random(n, &mut rng), random(n, &mut rng));
            let [mut left, mut sizes, mut plain, mut terms] = [const { Vec::new() }; 4];
            for numbers in [&mut left, &mut sizes, &mut plain, &mut terms] {
                numbers.resize(n, 0.0);
            }
            kkt.left_over_with_sizes(&right, &x, &mut left, &mut sizes);
            kkt.left_over(&right, &x, &mut plain);
            kkt.sizes(&right, &x, &mut terms);
            let pairs = left.iter().zip(&plain).chain(sizes.iter().zip(&terms));
            for (one, other) in pairs {
                assert!((one - other).abs() < 1e-13, "{one} is not {other}");
            }
            let mut x = right.clone();
            kkt.solve(&mut x);
            kkt.left_over(&right, &x, &mut left);
            // What ε makes of multipliers is left.
            let allowed = match wanted {
                Pivots::Plain => SOLVED,
                Pivots::Replaced => 2.0 * REGULARISATION,
            };
            let largest = |all: &[f64]| all.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            assert!(largest(&left) < allowed * largest(&x).max(1.0));
        }
    }

    #[test]
    fn many_bodies_move_as_by_full_matrices() {
        let mut rng = fastrand::Rng::with_seed(12);
        for bodies in [7, 8, 9, 17, 30] {
            let (symbolic, mass, rows) = chain(bodies, &mut rng);
            let symbolic = Arc::new(symbolic);
            let (mass, rows) = (symbolic.mass.matrix(&mass), symbolic.rows.matrix(&rows));
            let (nv, nc) = (symbolic.nv(), symbolic.nc());
            let (force, bias) = (random(nv, &mut rng), random(nc, &mut rng));
            let mut by_leaves = Factorisation::sparse(&symbolic, Tolerance::default());
            let mut by_all = Factorisation::new(nv, nc, Tolerance::default());
            let full = [mass.to_vec(), rows.to_vec()];
            by_leaves.factor(&mass, &rows).expect("definite");
            let full = (
                Matrix::full(nv, nv, &full[0]),
                Matrix::full(nc, nv, &full[1]),
            );
            by_all.factor(&full.0, &full.1).expect("definite");
            let found = [&mut by_leaves, &mut by_all].map(|by| {
                let (mut v, mut reactions) = (vec![0.0; nv], vec![0.0; nc]);
                let solved = by.solve(&force, &bias, &mut v, &mut reactions);
                solved.expect("rows that agree");
                v.extend(reactions);
                v
            });
            let largest = found[1].iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            for (one, other) in found[0].iter().zip(&found[1]) {
                let apart = (one - other).abs();
                assert!(apart < 1e-9 * largest, "{bodies}: {one} is not {other}");
            }
        }
    }

    /// A speed without inertia is found among seven others that have it.
    #[test]
    fn one_small_pivot_among_eight_is_seen() {
        let mut rng = fastrand::Rng::with_seed(13);
        let (symbolic, mut mass, rows) = chain(24, &mut rng);
        let symbolic = Arc::new(symbolic);
        let mut kkt = Kkt::new(&symbolic);
        let rows = symbolic.rows.matrix(&rows);
        let speed = 9 * SPEEDS + 1;
        mass[symbolic.mass.diagonal_place(speed)] = 0.0;
        let mass = symbolic.mass.matrix(&mass);
        let mut found = |wanted| kkt.factor(&mass, &rows, wanted);
        assert_eq!(found(Pivots::Plain), Ok(Outcome::Weak));
        assert_eq!(found(Pivots::Replaced), Ok(Outcome::Mended));
    }
}
