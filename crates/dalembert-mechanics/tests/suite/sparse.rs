//! Sparse systems: the same answers as dense ones, and as solutions written by hand.

mod models;

use dalembert_mechanics::formulation::{Factorisation, RowReport, Symbolic, Tolerance, Unsolved};
use dalembert_mechanics::linear::{Matrix, Pattern};
use std::sync::Arc;

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a, b| a.max(b.abs()))
}

#[track_caller]
fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let size = largest(wanted).max(1e-3);
    for (i, (a, b)) in found.iter().zip(wanted).enumerate() {
        assert!(
            (a - b).abs() <= tolerance * size,
            "{what}, entry {i}: {a:e} for {b:e} of {size:e}"
        );
    }
}

/// v', λ, rank of A, reports.
type Answer = (Vec<f64>, Vec<f64>, usize, Vec<RowReport>);

/// A random system with few entries: blocks of three on the diagonal of M, rows of four entries.
struct Random {
    mass: (Arc<Pattern>, Vec<f64>),
    rows: (Arc<Pattern>, Vec<f64>),
    force: Vec<f64>,
    bias: Vec<f64>,
}

impl Random {
    fn new(rng: &mut fastrand::Rng, nv: usize, nc: usize) -> Self {
        let pairs = (0..nv).flat_map(|i| (i..nv.min(i - i % 3 + 3)).map(move |j| (i, j)));
        let mass = Pattern::symmetric(nv, pairs);
        let mut values = vec![0.0; mass.size()];
        for i in 0..nv {
            for place in mass.row(i) {
                values[place] = rng.f64() - 0.5;
            }
            // Masses over six decades.
            values[mass.diagonal_place(i)] = 2.0;
        }
        let heavy: Vec<f64> = (0..nv).map(|i| 10.0_f64.powi((i / 3 % 4) as i32)).collect();
        for i in 0..nv {
            for (j, place) in mass.columns_of(i).zip(mass.row(i)) {
                values[place] *= heavy[i].sqrt() * heavy[j].sqrt();
            }
        }
        let lists: Vec<Vec<usize>> = (0..nc)
            .map(|_| (0..4).map(|_| rng.usize(..nv)).collect())
            .collect();
        let rows = Pattern::compressed(nv, &lists);
        let number = |rng: &mut fastrand::Rng| 2.0 * rng.f64() - 1.0;
        Self {
            rows: (
                Arc::new(rows.clone()),
                (0..rows.size()).map(|_| number(rng)).collect(),
            ),
            mass: (Arc::new(mass), values),
            force: (0..nv).map(|_| number(rng)).collect(),
            bias: (0..nc).map(|_| number(rng)).collect(),
        }
    }

    /// Bodies on a tree of joints, and loops: three speeds along and four about, whose M is singular along a direction that a row of
    /// their own holds, as for a unit quaternion; a joint has five rows of both bodies, what closes a loop two.
    fn bodies(rng: &mut fastrand::Rng, count: usize, loops: usize) -> Self {
        let nv = 7 * count;
        let about = |body: usize| (7 * body + 3..7 * body + 7).collect::<Vec<usize>>();
        let pairs = (0..count).flat_map(|body| {
            let about = about(body);
            let pair = move |i: usize| {
                about[i..]
                    .iter()
                    .map(|&j| (about[i], j))
                    .collect::<Vec<_>>()
            };
            (0..4).flat_map(pair).collect::<Vec<_>>()
        });
        let mass = Pattern::symmetric(nv, pairs.collect::<Vec<_>>());
        let mut values = vec![0.0; mass.size()];
        let number = |rng: &mut fastrand::Rng| 2.0 * rng.f64() - 1.0;
        let mut quaternions: Vec<[f64; 4]> = Vec::new();
        for body in 0..count {
            // The first stands straight: entries of its M are zero.
            let mut q = match body {
                0 => [1.0, 0.0, 0.0, 0.0],
                _ => [(); 4].map(|()| number(rng)),
            };
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            q.iter_mut().for_each(|x| *x /= length);
            let [a, b, c, d] = q;
            let turning = [[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]];
            let moments = [0.5 + rng.f64(), 2.0, 1e-2 + rng.f64()];
            for place in (0..3).map(|k| mass.diagonal_place(7 * body + k)) {
                values[place] = 1.0 + 10.0 * (body % 3) as f64;
            }
            let about = about(body);
            for i in 0..4 {
                for j in i..4 {
                    let terms = turning.iter().zip(moments);
                    let place = mass.place(about[i], about[j]).unwrap();
                    values[place] = terms.map(|(e, m)| 4.0 * m * e[i] * e[j]).sum();
                }
            }
            quaternions.push(q);
        }
        let (mut lists, mut entries): (Vec<Vec<usize>>, Vec<f64>) = Default::default();
        for (body, q) in quaternions.iter().enumerate() {
            lists.push(about(body));
            entries.extend(q.map(|x| 2.0 * x));
        }
        let mut join = |rng: &mut fastrand::Rng, bodies: &[usize], rows: usize| {
            for row in 0..rows {
                let mut list = Vec::new();
                for &body in bodies {
                    if row < 3 {
                        list.push(7 * body + row);
                    }
                    list.extend(about(body));
                }
                entries.extend(list.iter().map(|_| number(rng)));
                lists.push(list);
            }
        };
        for body in 0..count {
            match rng.usize(..=body) {
                0 => join(rng, &[body], 5),
                before => join(rng, &[before - 1, body], 5),
            }
        }
        for _ in 0..loops {
            let first = rng.usize(..count - 1);
            let second = rng.usize(first + 1..count);
            join(rng, &[first, second], 2);
        }
        // Loops may hold a part of the tree more than once: their rows agree.
        let some: Vec<f64> = (0..nv).map(|_| number(rng)).collect();
        let rows = Pattern::compressed(nv, &lists);
        let matrix = rows.matrix(&entries);
        let bias = (0..lists.len())
            .map(|row| matrix.along(row, &some))
            .collect();
        Self {
            rows: (Arc::new(rows), entries),
            mass: (Arc::new(mass), values),
            force: (0..nv).map(|_| number(rng)).collect(),
            bias,
        }
    }

    /// The same beside itself, with forces and right sides multiplied by a factor.
    fn beside(&self, factor: f64) -> Self {
        let ((mass, masses), (rows, entries)) = (&self.mass, &self.rows);
        let (nv, nc) = (self.force.len(), self.bias.len());
        let both = |list: &[f64]| [list, list].concat();
        let pairs = (0..2 * nv).flat_map(|i| {
            let from = i - i % nv;
            let columns: Vec<usize> = mass.columns_of(i % nv).collect();
            columns.into_iter().map(move |j| (i, from + j))
        });
        let lists: Vec<Vec<usize>> = (0..2 * nc)
            .map(|i| rows.columns_of(i % nc).map(|j| i / nc * nv + j).collect())
            .collect();
        let less = |list: &[f64]| {
            let less: Vec<f64> = list.iter().map(|x| factor * x).collect();
            [list, &less].concat()
        };
        Self {
            mass: (Arc::new(Pattern::symmetric(2 * nv, pairs)), both(masses)),
            rows: (Arc::new(Pattern::compressed(2 * nv, &lists)), both(entries)),
            force: less(&self.force),
            bias: less(&self.bias),
        }
    }

    /// The first rows once more, multiplied by a factor; then a sum of two.
    fn add_dependent(&mut self, count: usize, factor: f64) {
        let (pattern, values) = &self.rows;
        let columns = |row| pattern.columns_of(row).collect::<Vec<_>>();
        let mut lists: Vec<Vec<usize>> = (0..count).map(columns).collect();
        lists.push([columns(0), columns(1)].concat());
        let below = Pattern::compressed(pattern.columns(), &lists);
        let matrix = pattern.matrix(values);
        let mut more = vec![0.0; below.size()];
        let mut put = |row: usize, from: usize, factor: f64| {
            for (column, a) in matrix.stored(from) {
                more[below.place(row, column).unwrap()] += factor * a;
            }
        };
        for row in 0..count {
            put(row, row, factor);
        }
        put(count, 0, 1.0);
        put(count, 1, -2.0);
        let mut bias: Vec<f64> = self.bias[..count].iter().map(|b| factor * b).collect();
        bias.push(self.bias[0] - 2.0 * self.bias[1]);
        let values = [values.as_slice(), &more].concat();
        self.rows = (Arc::new(pattern.stack(&below)), values);
        self.bias.extend(bias);
    }

    /// Sparse, then dense.
    fn both(&self) -> [Answer; 2] {
        let (mass, rows) = (
            self.mass.0.matrix(&self.mass.1),
            self.rows.0.matrix(&self.rows.1),
        );
        let (nv, nc) = (self.force.len(), self.bias.len());
        let tolerance = Tolerance::default();
        let sparse = Factorisation::of(&self.mass.0, &self.rows.0, tolerance).unwrap();
        let dense = Factorisation::new(nv, nc, tolerance);
        let (full_mass, full_rows) = (mass.to_vec(), rows.to_vec());
        let full = (
            dalembert_mechanics::linear::Matrix::full(nv, nv, &full_mass),
            dalembert_mechanics::linear::Matrix::full(nc, nv, &full_rows),
        );
        [(sparse, (mass, rows)), (dense, full)].map(|(mut factorisation, (mass, rows))| {
            factorisation.factor_any_rank(&mass, &rows).unwrap();
            let rank = factorisation.rank();
            let mut reports = vec![RowReport::default(); nc];
            factorisation.report(&mut reports);
            let (mut v, mut lambda) = (vec![0.0; nv], vec![0.0; nc]);
            factorisation
                .solve(&self.force, &self.bias, &mut v, &mut lambda)
                .unwrap();
            (v, lambda, rank, reports)
        })
    }

    /// Full matrices whose structure is known, factored in the fastest way: v', λ, rank.
    fn known(&self) -> (Vec<f64>, Vec<f64>, usize) {
        let symbolic = Arc::new(Symbolic::new(&self.mass.0, &self.rows.0).unwrap());
        let (nv, nc) = (self.force.len(), self.bias.len());
        let mass = self.mass.0.matrix(&self.mass.1).to_vec();
        let rows = self.rows.0.matrix(&self.rows.1).to_vec();
        let (mass, rows) = (Matrix::full(nv, nv, &mass), Matrix::full(nc, nv, &rows));
        let mut known = Factorisation::known(&symbolic, Tolerance::default());
        known.factor(&mass, &rows).unwrap();
        let rank = known.rank();
        let (mut v, mut lambda) = (vec![0.0; nv], vec![0.0; nc]);
        known
            .solve(&self.force, &self.bias, &mut v, &mut lambda)
            .unwrap();
        let mut correction = vec![0.0; nv];
        known.project(&self.bias, &mut correction);
        for (row, b) in self.bias.iter().enumerate() {
            assert!((rows.along(row, &correction) - b).abs() < 1e-8);
        }
        (v, lambda, rank)
    }
}

#[test]
fn random_systems_move_as_dense_ones() {
    let mut rng = fastrand::Rng::with_seed(31);
    for (nv, nc) in [(12, 3), (60, 25), (150, 60), (9, 0)] {
        let system = Random::new(&mut rng, nv, nc);
        let [sparse, dense] = system.both();
        assert_close(&sparse.0, &dense.0, 1e-11, "accelerations");
        assert_close(&sparse.1, &dense.1, 1e-11, "multipliers");
        assert_eq!((sparse.2, sparse.3), (dense.2, dense.3));
    }
}

/// Trees and loops of bodies, block by block: the same motion as by full matrices, whether all rows are independent or some follow
/// from others; so do full matrices whose structure is known.
#[test]
fn bodies_on_trees_and_loops_move_as_dense_ones() {
    let mut rng = fastrand::Rng::with_seed(33);
    for (bodies, loops) in [(1, 0), (2, 0), (9, 0), (14, 3), (25, 6)] {
        let mut system = Random::bodies(&mut rng, bodies, loops);
        let [sparse, dense] = system.both();
        assert_close(&sparse.0, &dense.0, 1e-8, "accelerations");
        assert_eq!(
            (sparse.2, &sparse.3),
            (dense.2, &dense.3),
            "{bodies} bodies"
        );
        let by_blocks = system.known();
        assert_close(&by_blocks.0, &dense.0, 1e-8, "accelerations by blocks");
        assert_eq!(by_blocks.2, dense.2, "{bodies} bodies");
        let count = system.bias.len();
        if dense.2 == count {
            assert_close(&by_blocks.1, &dense.1, 1e-7, "multipliers by blocks");
        }
        let known = sparse.0;
        system.add_dependent(2, -3.0);
        let by_blocks = system.known();
        assert_close(&by_blocks.0, &known, 1e-8, "dependent rows by blocks");
        assert_eq!(by_blocks.2, dense.2, "{bodies} bodies");
        let [sparse, dense] = system.both();
        assert_close(
            &sparse.0,
            &known,
            1e-8,
            "accelerations with rows that say the same",
        );
        assert_close(&dense.0, &known, 1e-8, "dense ones");
        assert_eq!(
            (sparse.2, &sparse.3),
            (dense.2, &dense.3),
            "{bodies} bodies"
        );
    }
}

/// What nothing couples is judged by itself: a mechanism beside one whose forces are 10⁶⁰ times as large moves as that one does.
#[test]
fn small_forces_are_answered_beside_large_ones() {
    let mut rng = fastrand::Rng::with_seed(34);
    let mut system = Random::bodies(&mut rng, 14, 3);
    for dependent in [false, true] {
        if dependent {
            system.add_dependent(2, -3.0);
        }
        let pair = system.beside(1e-60);
        let (mass, rows) = (
            pair.mass.0.matrix(&pair.mass.1),
            pair.rows.0.matrix(&pair.rows.1),
        );
        let tolerance = Tolerance::default();
        let mut sparse = Factorisation::of(&pair.mass.0, &pair.rows.0, tolerance).unwrap();
        sparse.factor(&mass, &rows).unwrap();
        let (mut v, mut lambda) = (vec![0.0; pair.force.len()], vec![0.0; pair.bias.len()]);
        sparse
            .solve(&pair.force, &pair.bias, &mut v, &mut lambda)
            .unwrap();
        let (first, second) = v.split_at(system.force.len());
        let second: Vec<f64> = second.iter().map(|x| 1e60 * x).collect();
        assert_close(&second, first, 1e-9, "beside large forces");
    }
}

/// A chain that hangs on one end at an angle: what the links far from it differ by from free fall fades away, beyond the least
/// of numbers, and is no reason to doubt the others.
#[test]
fn what_fades_along_a_chain_is_solved() {
    let links = 3000;
    let mass = Arc::new(Pattern::diagonal(3 * links));
    let masses: Vec<f64> = (0..3 * links)
        .map(|j| if j % 3 == 2 { 1.0 / 12.0 } else { 1.0 })
        .collect();
    let (mut lists, mut entries): (Vec<Vec<usize>>, Vec<f64>) = Default::default();
    let half = |link: usize| {
        let (sin, cos) = (0.37 * link as f64).sin().sin_cos();
        [0.5 * sin, -0.5 * cos]
    };
    for link in 0..links {
        for axis in 0..2 {
            let mut list = Vec::new();
            if let Some(before) = link.checked_sub(1) {
                list.extend([3 * before + axis, 3 * before + 2]);
                entries.extend([-1.0, half(before)[axis]]);
            }
            list.extend([3 * link + axis, 3 * link + 2]);
            entries.extend([1.0, half(link)[axis]]);
            lists.push(list);
        }
    }
    let rows = Arc::new(Pattern::compressed(3 * links, &lists));
    let weight: Vec<f64> = (0..3 * links)
        .map(|j| if j % 3 == 1 { -9.81 } else { 0.0 })
        .collect();
    let (mass_matrix, jacobian) = (mass.matrix(&masses), rows.matrix(&entries));
    let mut sparse = Factorisation::of(&mass, &rows, Tolerance::default()).unwrap();
    let (mut v, mut lambda) = (vec![0.0; 3 * links], vec![0.0; 2 * links]);
    let mut answers = Vec::new();
    for any_rank in [false, true] {
        match any_rank {
            false => sparse.factor(&mass_matrix, &jacobian).unwrap(),
            true => sparse.factor_any_rank(&mass_matrix, &jacobian).unwrap(),
        }
        if any_rank {
            assert_eq!(sparse.rank(), 2 * links);
        }
        let zero = vec![0.0; 2 * links];
        sparse.solve(&weight, &zero, &mut v, &mut lambda).unwrap();
        answers.push(v.clone());
    }
    assert_close(&answers[0], &answers[1], 1e-12, "with and without ε");
    for row in 0..2 * links {
        assert!(jacobian.along(row, &v).abs() < 1e-12);
    }
    // The last link falls freely.
    assert!(
        (v[3 * links - 2] + 9.81).abs() < 1e-9,
        "{}",
        v[3 * links - 2]
    );
}

#[test]
fn dependent_rows_share_the_load_as_dense_ones() {
    let mut rng = fastrand::Rng::with_seed(32);
    for factor in [1.0, -1e3, 1e-4] {
        let mut system = Random::new(&mut rng, 90, 30);
        // Diagonal M: the norm of unit rows is then the same in both ways.
        let (pattern, values) = &mut system.mass;
        for i in 0..90 {
            let own = values[pattern.diagonal_place(i)];
            values[pattern.row(i)].fill(0.0);
            values[pattern.diagonal_place(i)] = own;
        }
        system.add_dependent(3, factor);
        let [sparse, dense] = system.both();
        assert_eq!((sparse.2, dense.2), (30, 30));
        assert_eq!(sparse.3, dense.3);
        assert_close(&sparse.0, &dense.0, 1e-10, "accelerations");
        for (i, (a, b)) in sparse.1.iter().zip(&dense.1).enumerate() {
            assert!((a - b).abs() <= 1e-7 * b.abs().max(1e-3), "{i}: {a} {b}");
        }
        // A right side that contradicts: both say which rows.
        *system.bias.last_mut().unwrap() += 1.0;
        let tolerance = Tolerance::default();
        let mut sparse = Factorisation::of(&system.mass.0, &system.rows.0, tolerance).unwrap();
        let (mass, rows) = (
            system.mass.0.matrix(&system.mass.1),
            system.rows.0.matrix(&system.rows.1),
        );
        sparse.factor(&mass, &rows).unwrap();
        let (mut v, mut lambda) = (vec![0.0; 90], vec![0.0; 34]);
        let failure = sparse
            .solve(&system.force, &system.bias, &mut v, &mut lambda)
            .unwrap_err();
        let Unsolved::Contradictory { rows, residual } = failure else {
            panic!("{failure:?}");
        };
        assert_eq!((rows.len(), rows[2]), (3, 33), "{rows:?}");
        assert!((residual.abs() - 1.0).abs() < 1e-6, "{residual}");
        let mut correction = vec![0.0; 90];
        assert!(sparse.project(&system.bias, &mut correction) > 0.01);
    }
}
