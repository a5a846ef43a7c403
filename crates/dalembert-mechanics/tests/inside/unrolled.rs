//! The eliminations, against the general route on random systems with structural zeros.

use super::Pivot;
use super::collect::collect;
use super::elimination::{Saddle, Solution};
use super::speeds::Square;
use crate::formulation::{Problem, Workspace, solve_accelerations};
use crate::linear::Elimination;
use dalembert_expr::{ExprId, Graph, SymbolKind, evaluate};
use fastrand::Rng;

/// Numbers as symbols of their own, so that nothing folds; zeros stay literal.
struct Sheet {
    graph: Graph,
    values: Vec<f64>,
    unit: ExprId,
}

impl Sheet {
    fn new() -> Self {
        let mut graph = Graph::new();
        let unit = graph.symbol("unit", SymbolKind::Parameter);
        Self {
            graph,
            values: vec![1.0],
            unit,
        }
    }

    fn write(&mut self, numbers: &[f64]) -> Vec<ExprId> {
        let mut one = |&x: &f64| {
            if x == 0.0 {
                return self.graph.integer(0);
            }
            self.values.push(x);
            let name = format!("x{}", self.values.len());
            self.graph.symbol(&name, SymbolKind::Parameter)
        };
        numbers.iter().map(&mut one).collect()
    }

    fn read(&self, expressions: &[ExprId]) -> Vec<f64> {
        evaluate(&self.graph, expressions, |symbol| {
            self.values[symbol.index()]
        })
    }

    fn least(&self, pivots: &[Pivot]) -> f64 {
        let values = self.read(&pivots.iter().map(|p| p.value).collect::<Vec<_>>());
        let sizes = self.read(&pivots.iter().map(|p| p.size).collect::<Vec<_>>());
        let parts = values.iter().zip(sizes).map(|(v, s)| v / s.abs());
        parts.fold(1.0, f64::min)
    }
}

fn sparse(rng: &mut Rng, count: usize, filled: f64) -> Vec<f64> {
    let mut entry = || match rng.f64() < filled {
        true => 2.0 * rng.f64() - 1.0,
        false => 0.0,
    };
    (0..count).map(|_| entry()).collect()
}

struct Numbers {
    mass: Vec<f64>,
    force: Vec<f64>,
    jacobian: Vec<f64>,
    bias: Vec<f64>,
}

impl Numbers {
    fn random(rng: &mut Rng, n: usize, rows: usize) -> Self {
        let factor = sparse(rng, n * n, 0.3);
        let mut mass = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                mass[i * n + j] = (0..n).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
            }
            mass[i * n + i] += 0.5;
        }
        let mut jacobian = sparse(rng, rows * n, 0.4);
        for row in jacobian.chunks_exact_mut(n) {
            row[rng.usize(..n)] = 1.5;
        }
        Self {
            mass,
            force: sparse(rng, n, 0.8),
            jacobian,
            bias: sparse(rng, rows, 0.8),
        }
    }

    fn unrolled(&self) -> (Sheet, Solution) {
        let mut sheet = Sheet::new();
        let mass = sheet.write(&self.mass);
        let force = sheet.write(&self.force);
        let jacobian = sheet.write(&self.jacobian);
        let bias = sheet.write(&self.bias);
        let saddle = Saddle::new(&mut sheet.graph, &mass, &force, &jacobian, (&bias, &[]));
        let order = saddle.order().expect("no row is empty");
        let unit = sheet.unit;
        let solution = saddle.solve(&mut sheet.graph, unit, &order);
        (sheet, solution.expect("no pivot is zero by structure"))
    }

    fn general(&self) -> (Vec<f64>, Vec<f64>) {
        let (n, rows) = (self.force.len(), self.bias.len());
        let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; rows]);
        let none = vec![0.0; n];
        let problem = Problem::new(&self.mass, &self.force, &self.jacobian, &self.bias, &none);
        solve_accelerations(&problem, &mut Workspace::new(n, rows), &mut a, &mut lambda)
            .expect("M is definite");
        (a, lambda)
    }
}

fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    let size = wanted.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    for (a, b) in found.iter().zip(wanted) {
        assert!(
            (a - b).abs() <= tolerance * size,
            "{found:?} for {wanted:?}"
        );
    }
}

#[test]
fn the_system_with_multipliers_is_solved() {
    let mut rng = Rng::with_seed(31);
    let mut trusted = 0;
    for trial in 0..200 {
        let n = 1 + trial % 9;
        let rows = rng.usize(0..=n);
        let numbers = Numbers::random(&mut rng, n, rows);
        let (sheet, found) = numbers.unrolled();
        if sheet.least(&found.rows) < super::TRUSTED.rows {
            continue;
        }
        trusted += 1;
        assert!(sheet.least(&found.speeds) > 1e-6);
        let (a, lambda) = numbers.general();
        assert_close(&sheet.read(&found.accelerations), &a, 1e-11);
        assert_close(&sheet.read(&found.multipliers), &lambda, 1e-11);
    }
    assert!(trusted > 120, "{trusted}");
}

#[test]
fn the_unit_of_a_row_changes_no_relative_pivot() {
    let mut rng = Rng::with_seed(32);
    let mut compared = 0;
    for _ in 0..50 {
        let mut numbers = Numbers::random(&mut rng, 6, 3);
        let (sheet, found) = numbers.unrolled();
        let before = [sheet.least(&found.rows), sheet.least(&found.speeds)];
        if before[0] < super::TRUSTED.rows {
            continue;
        }
        compared += 1;
        let multipliers = sheet.read(&found.multipliers);
        let scale = [1e6, 1.0, -1e-6];
        for (row, scale) in scale.iter().enumerate() {
            let entries = numbers.jacobian[row * 6..][..6].iter_mut();
            entries.for_each(|entry| *entry *= scale);
            numbers.bias[row] *= scale;
        }
        let (sheet, found) = numbers.unrolled();
        let after = [sheet.least(&found.rows), sheet.least(&found.speeds)];
        for (before, after) in before.iter().zip(after) {
            assert!((before - after).abs() <= 1e-12, "{before} {after}");
        }
        let scaled = sheet.read(&found.multipliers);
        let back: Vec<f64> = scaled.iter().zip(scale).map(|(l, s)| l * s).collect();
        assert_close(&back, &multipliers, 1e-11);
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn dependent_rows_and_singular_masses_have_no_pivot_left() {
    let mut rng = Rng::with_seed(33);
    for _ in 0..50 {
        let mut numbers = Numbers::random(&mut rng, 5, 2);
        let (first, second) = numbers.jacobian.split_at_mut(5);
        for (a, b) in first.iter().zip(second) {
            *b = -3.0 * a;
        }
        let (sheet, found) = numbers.unrolled();
        let least = sheet.least(&found.rows);
        assert!(least.is_nan() || least < 1e-12, "{least}");

        let mut numbers = Numbers::random(&mut rng, 5, 0);
        // The last speed moves as twice the first.
        for i in 0..5 {
            numbers.mass[20 + i] = 2.0 * numbers.mass[i];
        }
        for i in 0..5 {
            numbers.mass[i * 5 + 4] = 2.0 * numbers.mass[i * 5];
        }
        let (sheet, found) = numbers.unrolled();
        let least = sheet.least(&found.speeds);
        assert!(least.is_nan() || least < 1e-12, "{least}");
    }
}

#[test]
fn a_negative_inertia_is_a_negative_pivot() {
    let numbers = Numbers {
        mass: vec![2.0, 0.0, 0.0, -1e-3],
        force: vec![1.0, 1.0],
        jacobian: vec![],
        bias: vec![],
    };
    let (sheet, found) = numbers.unrolled();
    assert!(sheet.least(&found.speeds) < -0.99);
}

#[test]
fn a_chain_costs_in_proportion_to_its_links() {
    let operations = |links: usize| {
        let n = 2 * links;
        let mut mass = vec![0.0; n * n];
        (0..n).for_each(|i| mass[i * n + i] = 1.0);
        let mut jacobian = vec![0.0; links * n];
        for link in 0..links {
            let from = link.saturating_sub(1);
            (2 * from..2 * link + 2).for_each(|j| jacobian[link * n + j] = 0.3);
        }
        let mut sheet = Sheet::new();
        let [mass, jacobian] = [&mass, &jacobian].map(|numbers| sheet.write(numbers));
        let [force, bias] = [n, links].map(|count| sheet.write(&vec![1.0; count]));
        let saddle = Saddle::new(&mut sheet.graph, &mass, &force, &jacobian, (&bias, &[]));
        saddle.order().expect("no row is empty").operations
    };
    let (few, many) = (operations(10), operations(20));
    assert!(many < few * 22 / 10, "{few} {many}");
}

#[test]
fn a_row_that_holds_nothing_has_an_order_if_it_asks_for_nothing() {
    for asked in [0.0, 1.0] {
        let mut sheet = Sheet::new();
        let mass = sheet.write(&[1.0]);
        let force = sheet.write(&[1.0]);
        let jacobian = sheet.write(&[0.0]);
        let bias = sheet.write(&[asked]);
        let saddle = Saddle::new(&mut sheet.graph, &mass, &force, &jacobian, (&bias, &[]));
        assert_eq!(saddle.order().is_some(), asked == 0.0);
    }
}

#[test]
fn rates_follow_from_speeds() {
    let mut rng = Rng::with_seed(34);
    let mut trusted = 0;
    for trial in 0..200 {
        let n = 1 + trial % 6;
        let mut matrix = sparse(&mut rng, n * n, 0.4);
        (0..n).for_each(|i| matrix[i * n + (i + trial) % n] += 1.0);
        let right = sparse(&mut rng, n, 0.9);
        let mut sheet = Sheet::new();
        let square = Square {
            matrix: sheet.write(&matrix),
            values: matrix.clone(),
            right: sheet.write(&right),
        };
        let unit = sheet.unit;
        let (mut elimination, mut wanted) = (Elimination::new(n, n), vec![0.0; n]);
        elimination.factor(&matrix, 1e-14);
        let regular = elimination.rank() == n;
        elimination.solution(&right, &mut vec![0.0; n], &mut wanted);
        let Some((found, pivots)) = square.solve(&mut sheet.graph, unit) else {
            assert!(!regular, "{matrix:?}");
            continue;
        };
        if sheet.least(&pivots) > super::TRUSTED.speeds {
            trusted += 1;
            assert_close(&sheet.read(&found), &wanted, 1e-11);
        }
    }
    assert!(trusted > 150, "{trusted}");
}

#[test]
fn common_factors_change_no_sum() {
    let mut rng = Rng::with_seed(35);
    for _ in 0..100 {
        let mut sheet = Sheet::new();
        let symbols = sheet.write(&[0.3, -1.7, 2.2, 0.9, -0.4]);
        let g = &mut sheet.graph;
        let mut contributions = Vec::new();
        for _ in 0..rng.usize(0..5) {
            let mut sum = g.integer(0);
            for _ in 0..rng.usize(1..4) {
                let mut pick = || symbols[rng.usize(..symbols.len())];
                let (a, b) = (pick(), pick());
                let product = g.mul(a, b);
                sum = match rng.usize(..4) {
                    0 => g.sub(sum, product),
                    1 => g.add(sum, a),
                    2 => g.neg(sum),
                    _ => g.add(sum, product),
                };
            }
            contributions.push(sum);
        }
        let plain = g.sum(contributions.iter().copied());
        let collected = collect(g, &contributions);
        let values = sheet.read(&[plain, collected]);
        assert!((values[0] - values[1]).abs() <= 1e-14 * 20.0, "{values:?}");
    }
}

#[test]
fn masses_on_one_arm_are_added_up_first() {
    let mut sheet = Sheet::new();
    let [m1, m2, m3, x] = [1.0, 2.0, 3.0, 4.0].map(|number| sheet.write(&[number])[0]);
    let g = &mut sheet.graph;
    let contributions = [m1, m2, m3].map(|mass| g.mul(mass, x));
    let found = collect(g, &contributions);
    let sum = g.sum([m3, m2, m1]);
    assert_eq!(found, g.mul(x, sum));
}
