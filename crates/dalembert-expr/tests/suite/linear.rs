//! Linear algebra over the field: what is solved is put back in, exactly.

use crate::present::System;
use crate::scope::read;
use dalembert_expr::normal::linear::Matrix;
use dalembert_expr::normal::{Field, Fraction};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::{Graph, Rational};
use fastrand::Rng;

/// A x
fn product(field: &Field, a: &Matrix, x: &Matrix) -> Matrix {
    let entry = |row: &Vec<Fraction>, column: usize| {
        let terms: Vec<Fraction> = row
            .iter()
            .zip(x)
            .map(|(a, x)| field.mul(a, &x[column]).unwrap())
            .collect();
        field.sum(&terms).unwrap()
    };
    a.iter()
        .map(|row| (0..x[0].len()).map(|column| entry(row, column)).collect())
        .collect()
}

fn is_equal(field: &Field, a: &Matrix, b: &Matrix) -> bool {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    a.len() == b.len()
        && pairs
            .into_iter()
            .all(|(a, b)| field.is_equal(a, b).unwrap())
}

#[test]
fn linear_systems_are_solved_and_checked() {
    let mut g = Graph::new();
    let entries = [
        ["m*l^2 + J", "m*l*r*cos(x - y)", "0"],
        ["m*l*r*cos(x - y)", "m*r^2", "sin(x)"],
        ["0", "sin(x)", "k"],
    ];
    let mut field = Field::new();
    let mut take = |text: &str| {
        let id = read(&mut g, text);
        field.take(&g, id).unwrap()
    };
    let a = entries.map(|row| row.map(&mut take).to_vec()).to_vec();
    let b = ["1", "x'", "cos(y)"].map(|text| vec![take(text)]).to_vec();
    let x = field.solve(&a, &b).unwrap().unwrap();
    for (row, right) in a.iter().zip(&b) {
        let terms: Vec<Fraction> = row
            .iter()
            .zip(&x)
            .map(|(a, x)| field.mul(a, &x[0]).unwrap())
            .collect();
        let left = field.sum(&terms).unwrap();
        assert!(field.is_equal(&left, &right[0]).unwrap());
    }
    // A row of the disk: x' + r ψ' cos φ = 0 has two free directions of three.
    let null = field.nullspace(&vec![a[1].clone()], &[1]).unwrap();
    assert_eq!(null.len(), 2);
    for vector in null {
        let terms: Vec<Fraction> = a[1]
            .iter()
            .zip(&vector)
            .map(|(a, x)| field.mul(a, x).unwrap())
            .collect();
        assert!(field.is_zero(&field.sum(&terms).unwrap()).unwrap());
    }
    let singular = vec![a[0].clone(), a[0].clone(), a[2].clone()];
    assert_eq!(field.solve(&singular, &b).unwrap(), None);
}

/// Accelerations of a chain in closed form, put back into its equations.
#[test]
fn accelerations_of_chains_are_short_and_exact() {
    for (links, relative, most) in [
        (2, false, 40),
        (2, true, 60),
        (3, false, 150),
        (3, true, 420),
    ] {
        let System {
            graph,
            equations,
            style,
        } = System::chain(links, relative);
        let mut field = Field::new();
        let values = field.take_all(&graph, &equations);
        let unknown: Vec<_> = style.collect[0]
            .iter()
            .map(|&symbol| field.find(symbol).unwrap())
            .collect();
        let (mut mass, mut force) = (Matrix::new(), Matrix::new());
        for value in values {
            let mut row = vec![Fraction::zero(); links];
            let mut rest = Fraction::zero();
            for (exponents, c) in field.coefficients(&value.unwrap(), &unknown).unwrap() {
                match exponents.iter().position(|&n| n == 1) {
                    Some(column) => row[column] = c,
                    None => rest = field.neg(&c),
                }
            }
            mass.push(row);
            force.push(vec![rest]);
        }
        let solution = field.solve(&mass, &force).unwrap().unwrap();
        assert!(is_equal(&field, &product(&field, &mass, &solution), &force));
        let terms: usize = solution.iter().flatten().map(Fraction::len).sum();
        assert!(terms <= most, "{links} links, {relative}: {terms} terms");
    }
}

/// Rows that no longer simplify by themselves: the exact inverse of a rotation is its transpose.
#[test]
fn a_rotation_is_inverted_into_its_transpose() {
    let mut g = Graph::new();
    let mut field = Field::new();
    let entries = [
        [
            "cos(x)*cos(z) - sin(x)*cos(y)*sin(z)",
            "-cos(x)*sin(z) - sin(x)*cos(y)*cos(z)",
            "sin(x)*sin(y)",
        ],
        [
            "sin(x)*cos(z) + cos(x)*cos(y)*sin(z)",
            "-sin(x)*sin(z) + cos(x)*cos(y)*cos(z)",
            "-cos(x)*sin(y)",
        ],
        ["sin(y)*sin(z)", "sin(y)*cos(z)", "cos(y)"],
    ];
    let rotation: Matrix = entries
        .map(|row| {
            row.map(|text| {
                let id = read(&mut g, text);
                field.take(&g, id).unwrap()
            })
            .to_vec()
        })
        .to_vec();
    let identity: Matrix = (0..3)
        .map(|i| {
            (0..3)
                .map(|j| Fraction::number(i64::from(i == j)))
                .collect()
        })
        .collect();
    let inverse = field.solve(&rotation, &identity).unwrap().unwrap();
    for (i, row) in inverse.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            assert_eq!(entry, &rotation[j][i]);
        }
    }
}

/// Nine unknowns: elimination, not minors; and rows that depend on others.
#[test]
fn larger_and_deficient_systems_are_eliminated() {
    let mut rng = Rng::with_seed(66);
    let field = Field::new();
    let mut random = |rows: usize, columns: usize| -> Matrix {
        (0..rows)
            .map(|_| {
                (0..columns)
                    .map(|_| Fraction::number(Rational::new(rng.i64(-4..=4), 3).unwrap()))
                    .collect()
            })
            .collect()
    };
    let (a, b) = (random(9, 9), random(9, 2));
    let x = field.solve(&a, &b).unwrap().unwrap();
    assert!(is_equal(&field, &product(&field, &a, &x), &b));
    let mut deficient = random(4, 6);
    deficient.push(deficient[0].clone());
    let echelon = field.echelon(&deficient, 6, &[5, 4]).unwrap();
    assert_eq!(echelon.pivots[..2], [5, 4]);
    assert_eq!(echelon.pivots.len(), 4);
    assert!(echelon.rows[4].iter().all(Fraction::is_zero));
    for (i, row) in echelon.rows[..4].iter().enumerate() {
        for (j, &column) in echelon.pivots.iter().enumerate() {
            assert_eq!(
                row[column].as_number(),
                Some(Rational::integer(i64::from(i == j)))
            );
        }
    }
    let null = field.nullspace(&deficient, &[]).unwrap();
    assert_eq!(null.len(), 2);
    let transposed: Matrix = (0..6)
        .map(|i| null.iter().map(|vector| vector[i].clone()).collect())
        .collect();
    let zero = product(&field, &deficient, &transposed);
    assert!(zero.iter().flatten().all(Fraction::is_zero));
    let tall: Matrix = [a.clone(), vec![a[0].clone()]].concat();
    let mut right = [b.clone(), vec![b[0].clone()]].concat();
    assert_eq!(field.solve(&tall, &right).unwrap(), Some(x));
    right[9][0] = field.add(&right[9][0], &Fraction::one()).unwrap();
    assert_eq!(field.solve(&tall, &right).unwrap(), None);
}

#[test]
fn the_determinant_of_the_double_pendulum_reads_well() {
    let mut system = System::chain(2, false);
    let mut field = Field::new();
    let unknown: Vec<_> = system.style.collect[0].clone();
    let values = field.take_all(&system.graph, &system.equations);
    let unknown: Vec<_> = unknown.iter().map(|&s| field.find(s).unwrap()).collect();
    let mass: Matrix = values
        .iter()
        .map(|value| {
            let all = field
                .coefficients(value.as_ref().unwrap(), &unknown)
                .unwrap();
            let of = |exponents: [u16; 2]| {
                let found = all.iter().find(|(e, _)| *e == exponents);
                found.map_or_else(Fraction::zero, |(_, c)| c.clone())
            };
            vec![of([1, 0]), of([0, 1])]
        })
        .collect();
    let product = |x: &Fraction, y: &Fraction| field.mul(x, y).unwrap();
    let (straight, crossed) = (
        product(&mass[0][0], &mass[1][1]),
        product(&mass[0][1], &mass[1][0]),
    );
    let determinant = field.sub(&straight, &crossed).unwrap();
    let form = field.present(&mut system.graph, &[determinant], &system.style)[0];
    assert_eq!(
        print_one(&system.graph, form, Format::Text),
        "m₂ l₁² l₂² (m₁ + m₂ sin²(q₁ - q₂))"
    );
}
