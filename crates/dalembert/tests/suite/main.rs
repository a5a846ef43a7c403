//! Tests of the public interface, in one binary.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes what tests share for something else than a test"
)]

mod atomicity;
mod csv;
mod doctor;
mod driven;
mod figure;
mod parquet;
mod parts;
mod piecewise;
mod prove;
mod prove_branches;
mod prove_constant;
mod prove_hard;
mod prove_random;
mod prove_sympy;
mod shapes;
mod surface;
mod told;

use dalembert::results::{Column, Table};
use std::fs;
use std::path::PathBuf;

/// An empty directory of this name, for this test alone.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

/// Numbers that files get wrong.
const HARD: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1.0 / 3.0,
    5e-324,
    -2.225073858507201e-308,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    9007199254740993.0,
    1e-7,
    1e22,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// A table with hard numbers, names and metadata.
fn hard_table() -> Table {
    let mut random = fastrand::Rng::with_seed(7);
    let mut values = HARD.to_vec();
    values.push(f64::NAN);
    // Any bits but those of NaN, whose payload a text does not keep.
    while values.len() < 1000 {
        let value = f64::from_bits(random.u64(..));
        if !value.is_nan() {
            values.push(value);
        }
    }
    let reversed = values.iter().rev().copied().collect();
    let columns = vec![
        Column::new("t", Some("s"), values.clone()),
        Column::new("theta'", Some("rad/s"), reversed),
        Column::new("reaction(contact).force.x", Some("N"), values.clone()),
        Column::new("a \"quoted\", name", None, values.clone()),
        Column::new("two\r\nlines", Some("kg*m^2"), values.clone()),
        Column::new("", None, values.clone()),
        Column::new("# no comment", None, values.clone()),
        Column::new(" blanks ", None, values.clone()),
        Column::new("1e3", None, values.clone()),
        Column::new("ψ̇", Some("°"), values),
    ];
    let mut table = Table::new("A \"hard\" table,\nin two lines", columns).unwrap();
    table.set_metadata("model", "disk.toml").unwrap();
    table
        .set_metadata("settings", "{\"rtol\": 1e-9}\n")
        .unwrap();
    table
}

fn assert_same_columns(left: &Table, right: &Table) {
    assert_eq!(left.columns().len(), right.columns().len());
    for (a, b) in left.columns().iter().zip(right.columns()) {
        assert_eq!(a.name, b.name);
        assert_eq!(a.values.len(), b.values.len());
        for (x, y) in a.values.iter().zip(b.values) {
            assert_eq!(x.to_bits(), y.to_bits(), "{x:e} became {y:e} in {}", a.name);
        }
    }
}

fn assert_same_description(left: &Table, right: &Table) {
    assert_eq!(left.title(), right.title());
    assert_eq!(left.metadata(), right.metadata());
    let units = |table: &Table| -> Vec<Option<String>> {
        table.columns().iter().map(|c| c.unit.clone()).collect()
    };
    assert_eq!(units(left), units(right));
}

#[test]
fn a_table_refuses_what_is_not_one() {
    let column = |name, values| Column::new(name, None, values);
    let message = |columns| Table::new("", columns).unwrap_err().to_string();
    assert_eq!(message(vec![]), "the table has no columns");
    assert_eq!(
        message(vec![column("t", vec![]), column("t", vec![])]),
        "two columns are called 't'"
    );
    assert_eq!(
        message(vec![column("t", vec![]), column("x", vec![1.0])]),
        "column 'x' has 1 values, the first column has 0"
    );
    let mut table = Table::new("", vec![column("t", vec![])]).unwrap();
    assert!(table.set_metadata("dalembert.units", "{}").is_err());
    table.set_metadata("key", "old").unwrap();
    table.set_metadata("key", "new").unwrap();
    assert_eq!(table.metadata(), [("key".to_owned(), "new".to_owned())]);
}
