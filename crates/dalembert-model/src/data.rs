//! Files that a model names, as they were read: tables of named columns with units, and meshes.

use crate::mesh::Mesh;
use crate::units::{self, Dimension};
use dalembert_expr::syntax::{Kind, parse_value};
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::Arc;

/// The function that takes a value from a file.
pub const TABLE: &str = "table";

/// A column of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct DataColumn {
    /// Its name, without the unit.
    pub name: String,
    /// Its dimension, if the file says a unit.
    pub dimension: Option<Dimension>,
    /// Its numbers in SI units.
    pub values: Vec<f64>,
}

impl DataColumn {
    /// A column by what stands above it: a name, or a name and a unit, `force [kN]`; `unit` is one that the file has elsewhere.
    ///
    /// # Errors
    /// The unit, if it is none.
    pub fn new(head: &str, unit: Option<&str>, mut values: Vec<f64>) -> Result<Self, String> {
        let bracket = head.trim_end().strip_suffix(']');
        let (name, own) = match bracket.and_then(|head| head.rsplit_once('[')) {
            Some((name, unit)) => (name.trim(), Some(unit.trim())),
            None => (head.trim(), None),
        };
        let mut dimension = None;
        if let Some(unit) = own.or(unit) {
            let (factor, found) = measure(unit).ok_or_else(|| unit.to_owned())?;
            values.iter_mut().for_each(|value| *value *= factor);
            dimension = Some(found);
        }
        let name = name.to_owned();
        Ok(Self {
            name,
            dimension,
            values,
        })
    }
}

/// One of a unit in SI units, and its dimension; `1` and `-` are none.
fn measure(unit: &str) -> Option<(f64, Dimension)> {
    if matches!(unit, "" | "1" | "-") {
        return Some((1.0, Dimension::NONE));
    }
    let tree = parse_value(&format!("1 {unit}")).ok()?;
    let Kind::Quantity { unit, .. } = &tree[tree.root()].kind else {
        return None;
    };
    let (mut factor, mut dimension) = (1.0, Dimension::NONE);
    for part in unit {
        let one = units::lookup(&part.name.text)?;
        let size = one.factor.to_f64() * PI.powi(i32::from(one.pi_power));
        factor *= size.powi(part.power);
        let power = one.dimension.checked_pow(i64::from(part.power), 1)?;
        dimension = dimension.checked_mul(&power)?;
    }
    Some((factor, dimension))
}

/// The files of a model, by the names that its texts call them by.
#[derive(Clone, Debug, Default)]
pub struct DataFiles {
    tables: BTreeMap<String, Arc<[DataColumn]>>,
    meshes: BTreeMap<String, Arc<Mesh>>,
}

impl DataFiles {
    /// Adds a file.
    pub fn insert(&mut self, name: &str, columns: Vec<DataColumn>) {
        self.tables.insert(name.to_owned(), columns.into());
    }

    /// The columns of a file.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<[DataColumn]>> {
        self.tables.get(name)
    }

    /// Adds a mesh.
    pub fn insert_mesh(&mut self, name: &str, mesh: Mesh) {
        self.meshes.insert(name.to_owned(), Arc::new(mesh));
    }

    /// A mesh.
    #[must_use]
    pub fn mesh(&self, name: &str) -> Option<&Arc<Mesh>> {
        self.meshes.get(name)
    }
}

/// Files are the same if they are one.
impl PartialEq for DataFiles {
    fn eq(&self, other: &Self) -> bool {
        same(&self.tables, &other.tables) && same(&self.meshes, &other.meshes)
    }
}

fn same<T: ?Sized>(one: &BTreeMap<String, Arc<T>>, other: &BTreeMap<String, Arc<T>>) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(a.1, b.1))
}

impl Eq for DataFiles {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_have_units() {
        let column = DataColumn::new("force [kN]", None, vec![1.0, -2.5]).expect("a unit");
        assert_eq!(
            (&*column.name, &column.values[..]),
            ("force", &[1e3, -2.5e3][..])
        );
        assert!(column.dimension.is_some());
        let column = DataColumn::new(" angle[deg] ", None, vec![180.0]).expect("a unit");
        assert_eq!((&*column.name, column.values[0]), ("angle", PI));
        let plain = DataColumn::new("x", None, vec![1.0]).expect("no unit");
        assert_eq!((&*plain.name, plain.dimension), ("x", None));
        let told = DataColumn::new("x", Some("mm"), vec![1.0]).expect("a unit");
        assert!((told.values[0] - 1e-3).abs() < 1e-18);
        assert_eq!(
            DataColumn::new("x [furlong]", None, vec![]),
            Err("furlong".to_owned())
        );
    }
}
