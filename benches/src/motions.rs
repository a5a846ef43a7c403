//! Motions that whole runs are measured by: a model, what is seen of it, and where that goes by a road that is not ours.

use crate::BenchError;
use crate::model_text::{four_bars, four_bars_of_bodies};

/// A problem with its answer.
pub struct Motion {
    /// Name for programs.
    pub key: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// The fastest of the peers that were tried on it.
    pub peer: &'static str,
    /// How many times faster than that we want to be.
    pub goal: f64,
    /// The model.
    pub text: fn() -> String,
    /// The columns of a run that are looked at.
    pub columns: &'static [&'static str],
    /// What is seen, from their values.
    see: fn(&[f64]) -> Vec<f64>,
    reference: &'static str,
    /// The same mechanism as bodies and joints, and the columns of it that show the same, if it was written so.
    pub bodies: Option<Written>,
}

/// Another way to write the mechanism.
pub struct Written {
    /// The model.
    pub text: fn() -> String,
    /// What to look at, in the order of the other columns.
    pub columns: &'static [&'static str],
}

/// What is to be seen, at some times from zero on, equally far apart.
pub struct Reference {
    /// The times.
    pub times: Vec<f64>,
    /// What is seen at each of them.
    pub values: Vec<Vec<f64>>,
}

macro_rules! example {
    ($name:literal) => {
        || include_str!(concat!("../../examples/", $name, ".toml")).to_owned()
    };
}

macro_rules! reference {
    ($name:literal) => {
        include_str!(concat!("../references/", $name, ".csv"))
    };
}

macro_rules! bodies {
    ($name:literal, $($column:literal),+) => {
        Some(Written {
            text: || include_str!(concat!("../../examples/mechanisms/", $name, ".toml")).to_owned(),
            columns: &[$($column),+],
        })
    };
}

/// All of them.
pub const MOTIONS: [Motion; 8] = [
    Motion {
        key: "a01",
        name: "A01 pendulum",
        peer: "MuJoCo",
        goal: 20.0,
        text: example!("pendulum-iftomm-a01"),
        columns: &["x", "y"],
        see: <[f64]>::to_vec,
        reference: reference!("a01"),
        bodies: bodies!("pendulum-iftomm-a01", "bar.x", "bar.y"),
    },
    Motion {
        key: "a02-2",
        name: "A02 N-four-bar, N = 2",
        peer: "Pinocchio",
        goal: 20.0,
        text: || four_bars(2),
        columns: &["a0", "a2"],
        see: directions,
        reference: reference!("a02-2"),
        bodies: bodies!("n-four-bar-iftomm-a02", "A0.angle", "A2.angle"),
    },
    Motion {
        key: "a02-40",
        name: "A02 N-four-bar, N = 40",
        peer: "Pinocchio",
        goal: 50.0,
        text: || four_bars(40),
        columns: &["a0", "a40"],
        see: directions,
        reference: reference!("a02-40"),
        bodies: Some(Written {
            text: || four_bars_of_bodies(40),
            columns: &["A0.angle", "A40.angle"],
        }),
    },
    Motion {
        key: "a03",
        name: "A03 Andrews' mechanism",
        peer: "CasADi",
        goal: 20.0,
        text: example!("andrews-squeezer"),
        columns: &["beta", "Theta"],
        see: |angles| {
            let (crank, arm) = (angles[0], angles[0] + angles[1]);
            let along = |f: fn(f64) -> f64| 0.007 * f(crank) - 0.028 * f(arm);
            vec![along(f64::cos), along(f64::sin)]
        },
        reference: reference!("a03"),
        bodies: bodies!("andrews-squeezer", "O.angle", "F.angle"),
    },
    Motion {
        key: "a04",
        name: "A04 Bricard's mechanism",
        peer: "Pinocchio",
        goal: 20.0,
        text: example!("bricard-iftomm-a04"),
        columns: &[
            "pos(point(rod2, [0, -l/2, 0])).x",
            "pos(point(rod2, [0, -l/2, 0])).y",
            "pos(point(rod2, [0, -l/2, 0])).z",
        ],
        see: <[f64]>::to_vec,
        reference: reference!("a04"),
        bodies: bodies!(
            "bricard-iftomm-a04",
            "pos(rod2.P3).x",
            "pos(rod2.P3).y",
            "pos(rod2.P3).z"
        ),
    },
    Motion {
        key: "a05",
        name: "A05 flyball governor",
        peer: "CasADi",
        goal: 10.0,
        text: example!("governor-iftomm-a05"),
        columns: &["s"],
        see: <[f64]>::to_vec,
        reference: reference!("a05"),
        bodies: bodies!("governor-iftomm-a05", "S.distance"),
    },
    Motion {
        key: "disk",
        name: "rolling disk",
        peer: "SciPy",
        goal: 20.0,
        text: || include_str!("../models/rolling-disk.toml").to_owned(),
        columns: &["x", "y", "psi", "theta"],
        // The centre.
        see: |at| {
            let ((sp, cp), (st, ct)) = (at[2].sin_cos(), at[3].sin_cos());
            vec![at[0] - 0.5 * sp * ct, at[1] + 0.5 * cp * ct, 0.5 * st]
        },
        reference: reference!("disk"),
        bodies: None,
    },
    Motion {
        key: "five-bar",
        name: "five-bar, redundant row",
        peer: "CasADi",
        goal: 20.0,
        text: || include_str!("../models/five-bar.toml").to_owned(),
        columns: &["a1", "b1"],
        see: |angles| {
            let along = |f: fn(f64) -> f64| f(angles[0]) + 1.5 * f(angles[1]);
            vec![along(f64::cos), along(f64::sin)]
        },
        reference: reference!("five-bar"),
        bodies: None,
    },
];

/// Cosine and sine of each angle.
fn directions(angles: &[f64]) -> Vec<f64> {
    let pairs = angles.iter().map(|angle| [angle.cos(), angle.sin()]);
    pairs.flatten().collect()
}

impl Motion {
    /// What is to be seen.
    ///
    /// # Errors
    /// The file is not a table of numbers: a mistake of ours.
    pub fn reference(&self) -> Result<Reference, BenchError> {
        let wrong = || BenchError::Workload(format!("the reference of {} is no table", self.key));
        // Its source, and the names of its columns.
        let lines = self.reference.lines().skip(2);
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for line in lines {
            let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
            let numbers = numbers.map_err(|_| wrong())?;
            let (&t, seen) = numbers.split_first().ok_or_else(wrong)?;
            times.push(t);
            values.push(seen.to_vec());
        }
        Ok(Reference { times, values })
    }

    /// The largest distance of what a run shows from what is to be seen; `None` if the run has other times or columns.
    #[must_use]
    pub fn error(&self, reference: &Reference, t: &[f64], columns: &[&[f64]]) -> Option<f64> {
        let end = *reference.times.last()?;
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * end;
        if t.len() != reference.times.len() || !t.iter().zip(&reference.times).all(same) {
            return None;
        }
        let mut largest = 0.0_f64;
        for (row, wanted) in reference.values.iter().enumerate() {
            let values: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            let seen = (self.see)(&values);
            if seen.len() != wanted.len() {
                return None;
            }
            for (found, wanted) in seen.iter().zip(wanted) {
                let far = (found - wanted).abs();
                // No number is as far as can be.
                largest = largest.max(if far.is_nan() { f64::INFINITY } else { far });
            }
        }
        Some(largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dalembert::mechanics::{Mechanism, read_model};

    /// Every model starts where its reference does, and an error is seen.
    #[test]
    fn models_start_where_their_references_do() {
        for motion in MOTIONS {
            let reference = motion.reference().expect("a table");
            assert!(reference.times.len() > 40, "{}", motion.key);
            let (model, _) = read_model(&(motion.text)()).expect("a model");
            let mechanism = Mechanism::new(model).expect("a mechanism");
            let start = mechanism.start().expect("a start").state;
            let first = Reference {
                times: vec![0.0],
                values: vec![reference.values[0].clone()],
            };
            let names: Vec<&str> = mechanism.coordinate_names().collect();
            let place = |name: &&str| names.iter().position(|known| known == name);
            let Some(places) = motion.columns.iter().map(place).collect::<Option<Vec<_>>>() else {
                // What is recorded is compared by runs.
                continue;
            };
            let mut values: Vec<f64> = places.iter().map(|&i| start.coordinates[i]).collect();
            let error = |values: &[f64]| {
                let columns: Vec<&[f64]> = values.iter().map(std::slice::from_ref).collect();
                motion.error(&first, &[0.0], &columns)
            };
            assert!(
                error(&values).is_some_and(|far| far < 1e-12),
                "{}",
                motion.key
            );
            values[0] += 1e-3;
            assert!(
                error(&values).is_some_and(|far| far > 1e-6),
                "{}",
                motion.key
            );
            values[0] = f64::NAN;
            assert_eq!(error(&values), Some(f64::INFINITY), "{}", motion.key);
        }
    }
}
