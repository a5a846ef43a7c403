//! Units and dimensions.
//!
//! Inside, everything is in SI base units; a [`Unit`] says how many of them it is, exactly. Angles
//! have no dimension: `rad` is 1, `deg` is π/180.

mod dimension;
mod table;
#[cfg(test)]
mod tests;

pub use dimension::{Base, Dimension, Exponent};

use dalembert_expr::Rational;
use dalembert_expr::syntax::nearest;
use table::{PREFIXES, SPELLED_OUT, UNITS};

/// A unit in terms of SI base units: factor · π to the power `pi_power`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The rational part of the factor.
    pub factor: Rational,
    /// The power of π in the factor: 1 for `deg` and `rpm`.
    pub pi_power: i8,
    /// What it measures.
    pub dimension: Dimension,
}

impl Unit {
    /// The factor as a floating-point number.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.factor.to_f64() * std::f64::consts::PI.powi(i32::from(self.pi_power))
    }
}

/// The unit called `name`: `kg`, `mm`, `rpm`.
///
/// ```
/// use dalembert_model::units::lookup;
///
/// assert_eq!(lookup("kN").map(|unit| unit.value()), Some(1000.0));
/// assert_eq!(lookup("kN").map(|unit| unit.dimension.to_string()).as_deref(), Some("kg*m/s^2"));
/// assert!(lookup("furlong").is_none());
/// ```
#[must_use]
pub fn lookup(name: &str) -> Option<Unit> {
    // A name of its own wins over a prefix: min is not a milli-inch.
    if let Some(row) = UNITS.iter().find(|row| row.name == name) {
        return row.unit(0);
    }
    PREFIXES.iter().find_map(|&(prefix, exponent)| {
        let bare = name.strip_prefix(prefix)?;
        let row = UNITS.iter().find(|row| row.name == bare)?;
        row.takes_prefixes.then(|| row.unit(exponent))?
    })
}

/// All units without a prefix, for who reads values elsewhere: name, factor to SI units, powers of kg, m, s, A, K, mol, cd, and whether it
/// takes prefixes.
pub fn table() -> impl Iterator<Item = (&'static str, f64, [i8; Base::COUNT], bool)> {
    UNITS.iter().filter_map(|row| {
        let factor = row.unit(0)?.value();
        Some((row.name, factor, row.powers(), row.takes_prefixes))
    })
}

/// The prefixes, with their powers of ten.
pub fn prefixes() -> impl Iterator<Item = (&'static str, i8)> {
    PREFIXES.iter().copied()
}

/// The names of units that people use, to suggest one in place of an unknown one.
#[must_use]
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = UNITS.iter().map(|row| row.name.to_owned()).collect();
    for row in UNITS.iter().filter(|row| row.takes_prefixes) {
        for prefix in ["k", "M", "G", "m", "u"] {
            names.push(format!("{prefix}{}", row.name));
        }
    }
    names.push("cm".to_owned());
    names
}

/// What `name` was probably meant to be: `N*m` for `Nm`, `deg` for `degrees`.
#[must_use]
pub fn suggestion(name: &str) -> Option<String> {
    let spelled = SPELLED_OUT.iter().find(|(words, _)| {
        let singular = name.strip_suffix('s').unwrap_or(name);
        let is_it =
            |word: &&str| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(singular);
        words.iter().any(is_it)
    });
    if let Some((_, unit)) = spelled {
        return Some((*unit).to_owned());
    }
    // `s2` for s^2.
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let bare = &name[..name.len() - digits.len()];
    if !digits.is_empty() && lookup(bare).is_some() {
        return Some(format!("{bare}^{digits}"));
    }
    let names = names();
    let same_letters = names.iter().find(|known| known.eq_ignore_ascii_case(name));
    same_letters
        .cloned()
        .or_else(|| product(name))
        .or_else(|| nearest(name, names.iter().map(String::as_str)).map(str::to_owned))
}

/// Two units written without a sign between them: `Nm`, `kgm`.
fn product(name: &str) -> Option<String> {
    let cuts = name.char_indices().skip(1);
    cuts.map(|(at, _)| name.split_at(at))
        .find(|(left, right)| lookup(left).is_some() && lookup(right).is_some())
        .map(|(left, right)| format!("{left}*{right}"))
}
