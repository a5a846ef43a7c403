//! Leaves with numbers: eliminated, taken to right sides and back, and what a solution leaves of their equations; eight at a time.
//!
//! ```text
//! row i of a leaf:  wᵢₖ = aᵢₖ − Σ wᵢₘ lₖₘ,  lᵢₖ = wᵢₖ / dₖ,  dₖ = wₖₖ;  left of rows i and j: −Σ wᵢₖ lⱼₖ
//! ```
//!
//! Where leaves are eliminated into others in the same lanes, a is what entries of K and these have left of it.

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
        let (columns, rest) = room.split_at_mut(own.len());
        fill(form, values, columns);
        let children = self.children_of(group);
        // Leaves have no rest.
        let rest = &mut rest[..form.left() * usize::from(!children.is_empty())];
        rest.fill([0.0; LANES]);
        for child in children {
            let of = &self.groups[child.group as usize];
            let below = self.forms[of.form as usize].below;
            let left = &left[of.left as usize..];
            let into = &self.into[child.into as usize..][..below];
            take(left.as_chunks().0, into, (columns, form.pivots), rest);
        }
        let left = lanes_mut(&mut left[group.left as usize..], form.left());
        let judge = Judge {
            signs: &form.signs,
            wanted,
        };
        of_pivots!(form.pivots, eliminate(judge, (columns, rest), own, left))
    }

    /// x ← L⁻¹ x, the part of the leaves.
    #[inline(always)]
    pub(super) fn forward(&self, factor: &[f64], x: &mut [f64]) {
        for group in &self.groups {
            let (form, own, rows) = self.parts(group, factor);
            of_pivots!(form.pivots, forward(group, own, rows, x));
        }
    }

    /// x ← L⁻ᵀ D⁻¹ x, the part of the leaves.
    #[inline(always)]
    pub(super) fn back(&self, factor: &[f64], x: &mut [f64]) {
        for group in self.groups.iter().rev() {
            let (form, own, rows) = self.parts(group, factor);
            of_pivots!(form.pivots, back(group, own, rows, x));
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

    /// Numbers become at least a part of the largest of their leaf; where rows are eliminated after what they hold, of their multipliers x
    /// as well.
    pub(super) fn share_largest(&self, part: f64, x: &[f64], numbers: &mut [f64]) {
        for group in &self.groups {
            let form = &self.forms[group.form as usize];
            let own = lanes_mut(&mut numbers[group.first as usize..], form.pivots);
            let x = lanes(&x[group.first as usize..], form.pivots);
            let mut least = [0.0_f64; LANES];
            for ((number, x), &sign) in own.iter().zip(x).zip(&form.signs) {
                for lane in 0..LANES {
                    least[lane] = least[lane].max(part * number[lane]);
                    if sign < 0 && group.count > 0 {
                        least[lane] = least[lane].max(part * x[lane].abs());
                    }
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
fn less(mut from: Lanes, what: Lanes) -> Lanes {
    for lane in 0..LANES {
        from[lane] -= what[lane];
    }
    from
}

#[inline(always)]
fn more(mut to: Lanes, what: Lanes) -> Lanes {
    for lane in 0..LANES {
        to[lane] += what[lane];
    }
    to
}

/// The columns of a group, with entries of K.
#[inline(always)]
fn fill(form: &Form, values: &[Lanes], columns: &mut [Lanes]) {
    if form.entries.len() < columns.len() - form.pivots * (form.pivots - 1) / 2 {
        columns.fill([0.0; LANES]);
    }
    for (value, &(k, i)) in values.iter().zip(&form.entries) {
        columns[usize::from(i) * form.pivots + usize::from(k)] = *value;
    }
}

/// Takes what a child left from the columns, and adds it to what is left below these.
#[inline(always)]
fn take(left: &[Lanes], into: &[u8], (columns, pivots): (&mut [Lanes], usize), rest: &mut [Lanes]) {
    let own = into.partition_point(|&row| usize::from(row) < pivots);
    let mut left = left.iter();
    for (i, &row) in into.iter().enumerate() {
        let row = usize::from(row);
        let (inside, outside) = into[..=i].split_at(own.min(i + 1));
        let column = &mut columns[row * pivots..][..pivots];
        for (&k, left) in inside.iter().zip(&mut left) {
            let entry = &mut column[usize::from(k)];
            *entry = less(*entry, *left);
        }
        if outside.is_empty() {
            continue;
        }
        let row = row - pivots;
        let rest = &mut rest[row * (row + 1) / 2..][..=row];
        for (&k, left) in outside.iter().zip(&mut left) {
            let entry = &mut rest[usize::from(k) - pivots];
            *entry = more(*entry, *left);
        }
    }
}

/// w of a row, so many of them.
#[inline(always)]
fn weigh<const PIVOTS: usize>(
    row: &mut [Lanes; PIVOTS],
    above: &[[Lanes; PIVOTS]; PIVOTS],
    count: usize,
) {
    for k in 1..count {
        for m in 0..k {
            for lane in 0..LANES {
                row[k][lane] -= row[m][lane] * above[k][m][lane];
            }
        }
    }
}

#[inline(always)]
fn eliminate<const PIVOTS: usize>(
    judge: Judge<'_>,
    (columns, below): (&[Lanes], &[Lanes]),
    own: &mut [Lanes],
    left: &mut [Lanes],
) -> Outcome {
    let rows = columns.as_chunks::<PIVOTS>().0;
    let own = own.as_chunks_mut::<PIVOTS>().0;
    let mut outcome = Outcome::Sound;
    let mut inverses = [[0.0; LANES]; PIVOTS];
    let (heads, bodies) = rows.split_at(PIVOTS);
    let (own_heads, own_bodies) = own.split_at_mut(PIVOTS);
    // Of L, above.
    let mut above = [[[0.0; LANES]; PIVOTS]; PIVOTS];
    for i in 0..PIVOTS {
        let mut weighed = heads[i];
        weigh(&mut weighed, &above, i);
        let mut pivot = weighed[i];
        for k in 0..i {
            for lane in 0..LANES {
                above[i][k][lane] = weighed[k][lane] * inverses[k][lane];
                pivot[lane] -= weighed[k][lane] * above[i][k][lane];
            }
        }
        if !judge.pivots(i, &mut pivot, &mut outcome) {
            return outcome;
        }
        for lane in 0..LANES {
            inverses[i][lane] = 1.0 / pivot[lane];
        }
        above[i][i] = inverses[i];
        own_heads[i] = above[i];
    }
    let mut at = 0;
    for (i, row) in bodies.iter().enumerate() {
        let mut weighed = *row;
        weigh(&mut weighed, &above, PIVOTS);
        let mut lengthened = weighed;
        for k in 0..PIVOTS {
            for lane in 0..LANES {
                lengthened[k][lane] *= inverses[k][lane];
            }
        }
        own_bodies[i] = lengthened;
        for other in &own_bodies[..=i] {
            let mut sum = below.get(at).copied().unwrap_or_default();
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
        let inside = below < group.inside as usize;
        let other = values_of(x, rows, inside);
        let mut sums = [[0.0; LANES]; 2];
        for (&(k, _), value) in entries {
            let k = usize::from(k);
            add(&mut sums, value, &known[k]);
            add(&mut own[k], value, &other);
        }
        if inside {
            let (left, sizes) = (
                &mut left[rows[0] as usize..],
                &mut sizes[rows[0] as usize..],
            );
            let (left, sizes) = (&mut lanes_mut(left, 1)[0], &mut lanes_mut(sizes, 1)[0]);
            (*left, *sizes) = (less(*left, sums[0]), more(*sizes, sums[1]));
            continue;
        }
        for (lane, &row) in rows.iter().enumerate() {
            left[row as usize] -= sums[0][lane];
            sizes[row as usize] += sums[1][lane];
        }
    }
    let left = lanes_mut(&mut left[first..], PIVOTS).iter_mut();
    let sizes = lanes_mut(&mut sizes[first..], PIVOTS).iter_mut();
    for ((left, size), [taken, added]) in left.zip(sizes).zip(&own) {
        (*left, *size) = (less(*left, *taken), more(*size, *added));
    }
}

#[inline(always)]
fn forward<const PIVOTS: usize>(
    group: &Group,
    own: &[Lanes],
    rows: &[[u32; LANES]],
    x: &mut [f64],
) {
    let own = own.as_chunks::<PIVOTS>().0;
    let mut known = [[0.0; LANES]; PIVOTS];
    known.copy_from_slice(lanes(&x[group.first as usize..], PIVOTS));
    for k in 1..PIVOTS {
        for m in 0..k {
            for lane in 0..LANES {
                known[k][lane] -= own[k][m][lane] * known[m][lane];
            }
        }
    }
    lanes_mut(&mut x[group.first as usize..], PIVOTS).copy_from_slice(&known);
    let part = |own: &[Lanes; PIVOTS]| {
        let mut sum = [0.0; LANES];
        for k in 0..PIVOTS {
            for lane in 0..LANES {
                sum[lane] += own[k][lane] * known[k][lane];
            }
        }
        sum
    };
    let own = own[PIVOTS..].split_at(group.inside as usize);
    let rows = rows.split_at(group.inside as usize);
    for (own, rows) in own.0.iter().zip(rows.0) {
        let sum = part(own);
        let values = &mut lanes_mut(&mut x[rows[0] as usize..], 1)[0];
        *values = less(*values, sum);
    }
    for (own, rows) in own.1.iter().zip(rows.1) {
        let sum = part(own);
        for (&row, sum) in rows.iter().zip(&sum) {
            x[row as usize] -= sum;
        }
    }
}

#[inline(always)]
fn back<const PIVOTS: usize>(group: &Group, own: &[Lanes], rows: &[[u32; LANES]], x: &mut [f64]) {
    let own = own.as_chunks::<PIVOTS>().0;
    let mut found = [[0.0; LANES]; PIVOTS];
    let right = lanes(&x[group.first as usize..], PIVOTS);
    for k in 0..PIVOTS {
        for lane in 0..LANES {
            found[k][lane] = right[k][lane] * own[k][k][lane];
        }
    }
    for (i, (own, rows)) in own[PIVOTS..].iter().zip(rows).enumerate() {
        let known = values_of(x, rows, i < group.inside as usize);
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
    lanes_mut(&mut x[group.first as usize..], PIVOTS).copy_from_slice(&found);
}

/// Numbers of rows, which may stand side by side.
#[inline(always)]
fn values_of(x: &[f64], rows: &[u32; LANES], inside: bool) -> Lanes {
    match inside {
        true => lanes(&x[rows[0] as usize..], 1)[0],
        false => rows.map(|row| x[row as usize]),
    }
}

#[cfg(test)]
mod tests {
    use crate::decide::{REGULARISATION, SOLVED};
    use crate::factorisation::sparse::eliminate::{Outcome, Pivots};
    use crate::factorisation::sparse::kkt::Kkt;
    use crate::factorisation::sparse::leaves::Group;
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
        let (symbolic, mass, rows) = chain(60, &mut rng);
        let symbolic = Arc::new(symbolic);
        let Blocks::Small(fronts) = &symbolic.blocks else {
            panic!("a chain falls apart into small blocks");
        };
        // Sixteen quaternions at least, and joints between joints.
        assert!(fronts.leaves.unknowns >= 16 * 5);
        let between = |group: &Group| group.count > 0 && group.inside > 0;
        assert!(fronts.leaves.groups.iter().any(between));
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
        for bodies in [7, 8, 9, 17, 30, 70] {
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
