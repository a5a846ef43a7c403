//! Which values each run has, by its number alone.

use super::random::{bits, normal, shuffled, unit};
use super::sobol::{directions, shifted};

/// Most runs of one sweep.
pub const MOST_RUNS: u64 = 1_000_000_000;

/// How values are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All combinations; what is named last changes first.
    Grid,
    /// At random, each run by itself.
    Random,
    /// At random, with one run in each of as many strata of each axis as there are runs.
    LatinHypercube,
    /// Evenly, by Sobol's sequence.
    Sobol,
    /// Row by row.
    Table,
}

/// How something differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// These values, each as often as the others.
    List(Vec<f64>),
    /// Evenly between two values, on a scale; in a grid so many of them.
    Range {
        /// The ends.
        ends: [f64; 2],
        /// Whether equal ways are equal factors.
        log: bool,
        /// How many of a grid.
        count: u64,
    },
    /// Normally, or, on a logarithmic scale, with normal logarithms.
    Normal {
        /// The middle.
        mean: f64,
        /// The standard deviation, of the logarithm on a logarithmic scale.
        deviation: f64,
        /// Whether logarithms are normal.
        log: bool,
    },
    /// One value for each run.
    Column(Vec<f64>),
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// How it differs.
    pub spread: Spread,
}

/// The values of all runs.
#[derive(Clone, Debug)]
pub struct Design {
    kind: Kind,
    seed: u64,
    axes: Vec<Axis>,
    runs: u64,
    /// Of Sobol's sequence, by axis.
    directions: Vec<[u64; 64]>,
}

impl Design {
    /// All runs of a grid or a table, or as many as are asked for; `None` if there are more than [`MOST_RUNS`].
    #[must_use]
    pub fn new(kind: Kind, (runs, seed): (u64, u64), axes: Vec<Axis>) -> Option<Self> {
        let runs = match kind {
            Kind::Grid => {
                (axes.iter()).try_fold(1_u64, |all, axis| all.checked_mul(axis.spread.count()))?
            }
            Kind::Table => axes.iter().map(|axis| axis.spread.count()).min()?,
            _ => runs,
        };
        let directions = match kind {
            Kind::Sobol => (0..axes.len()).map(directions).collect(),
            _ => Vec::new(),
        };
        (runs <= MOST_RUNS).then_some(Self {
            kind,
            seed,
            axes,
            runs,
            directions,
        })
    }

    /// How many runs there are.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// What differs.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The values of a run, axis by axis.
    pub fn values(&self, run: u64) -> impl Iterator<Item = f64> {
        let mut rest = run;
        let mut places = vec![0; self.axes.len()];
        if self.kind == Kind::Grid {
            for (place, axis) in places.iter_mut().zip(&self.axes).rev() {
                let count = axis.spread.count();
                (*place, rest) = (rest % count, rest / count);
            }
        }
        self.axes.iter().enumerate().map(move |(i, axis)| {
            let stream = i as u64;
            let draw = || unit(bits(self.seed, stream, run));
            match self.kind {
                Kind::Grid => axis.spread.of_grid(places[i]),
                Kind::Table => axis.spread.of_grid(run),
                Kind::Random => axis.spread.at(draw()),
                Kind::LatinHypercube => {
                    let stratum = shuffled(self.seed, stream, run, self.runs);
                    axis.spread.at((stratum as f64 + draw()) / self.runs as f64)
                }
                Kind::Sobol => {
                    let at = shifted(&self.directions[i], (self.seed, stream), run);
                    axis.spread.at(at)
                }
            }
        })
    }
}

impl Spread {
    /// How many values of a grid or a table.
    fn count(&self) -> u64 {
        match self {
            Self::List(values) | Self::Column(values) => values.len() as u64,
            Self::Range { count, .. } => *count,
            Self::Normal { .. } => 1,
        }
    }

    /// A value of a grid or a table.
    fn of_grid(&self, place: u64) -> f64 {
        match self {
            Self::List(values) | Self::Column(values) => values[place as usize],
            // Both ends are as they were given.
            Self::Range { ends, count, .. } if place + 1 == *count && *count > 1 => ends[1],
            Self::Range { ends, .. } if place == 0 => ends[0],
            Self::Range { count, .. } => self.at(place as f64 / (count - 1) as f64),
            Self::Normal { mean, .. } => *mean,
        }
    }

    /// The value below which a part of all lies.
    fn at(&self, part: f64) -> f64 {
        match *self {
            Self::List(ref values) | Self::Column(ref values) => {
                let place = (part * values.len() as f64) as usize;
                values[place.min(values.len() - 1)]
            }
            Self::Range {
                ends: [from, to],
                log,
                ..
            } => match log {
                // From both sides, so that neither end is missed by rounding.
                true => from * (to / from).powf(part),
                false => from * (1.0 - part) + to * part,
            },
            Self::Normal {
                mean,
                deviation,
                log,
            } => match log {
                true => mean * (deviation * normal(part)).exp(),
                false => mean + deviation * normal(part),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(name: &str, ends: [f64; 2], log: bool, count: u64) -> Axis {
        Axis {
            name: name.to_owned(),
            spread: Spread::Range { ends, log, count },
        }
    }

    fn all(design: &Design) -> Vec<Vec<f64>> {
        (0..design.runs())
            .map(|it| design.values(it).collect())
            .collect()
    }

    #[test]
    fn grids_have_all_combinations() {
        let axes = vec![
            range("a", [1.0, 100.0], true, 3),
            Axis {
                name: "b".to_owned(),
                spread: Spread::List(vec![-1.0, 4.0]),
            },
        ];
        let found = all(&Design::new(Kind::Grid, (0, 0), axes).unwrap());
        let exact = [
            [1.0, -1.0],
            [1.0, 4.0],
            [10.0, -1.0],
            [10.0, 4.0],
            [100.0, -1.0],
            [100.0, 4.0],
        ];
        for (found, exact) in found.iter().zip(exact) {
            assert!(
                (found[0] - exact[0]).abs() < 1e-13 && found[1].total_cmp(&exact[1]).is_eq(),
                "{found:?}"
            );
        }
    }

    #[test]
    fn strata_have_one_run_each() {
        for kind in [Kind::LatinHypercube, Kind::Sobol] {
            let axes = vec![
                range("a", [0.0, 1.0], false, 0),
                range("b", [0.0, 1.0], false, 0),
            ];
            let found = all(&Design::new(kind, (64, 1), axes).unwrap());
            for axis in 0..2 {
                let mut strata: Vec<usize> =
                    found.iter().map(|it| (it[axis] * 64.0) as usize).collect();
                strata.sort_unstable();
                assert_eq!(strata, (0..64).collect::<Vec<_>>(), "{kind:?}");
            }
            assert!(found.iter().any(|it| (it[0] - it[1]).abs() > 0.3));
        }
    }

    /// Means and deviations of draws, within five of their own deviations.
    #[test]
    fn draws_have_their_moments() {
        let n = 40_000;
        let normal = |log| Axis {
            name: "x".to_owned(),
            spread: Spread::Normal {
                mean: 3.0,
                deviation: 0.2,
                log,
            },
        };
        let design = Design::new(Kind::Random, (n, 7), vec![normal(false), normal(true)]).unwrap();
        let rows = all(&design);
        let moments = |f: &dyn Fn(&Vec<f64>) -> f64| {
            let mean = rows.iter().map(f).sum::<f64>() / n as f64;
            let square = rows.iter().map(|it| (f(it) - mean).powi(2)).sum::<f64>();
            (mean, (square / n as f64).sqrt())
        };
        let root = (n as f64).sqrt();
        for (mean, deviation, exact) in [
            (moments(&|it| it[0]), 0.2, 3.0),
            (moments(&|it| it[1].ln()), 0.2, 3.0_f64.ln()),
        ]
        .map(|((mean, deviation), exact_deviation, exact)| {
            (mean - exact, deviation - exact_deviation, 0.2 / root)
        })
        .map(|(a, b, c)| (a, b, c))
        {
            assert!(
                mean.abs() < 5.0 * exact && deviation.abs() < 5.0 * exact,
                "{mean} {deviation}"
            );
        }
    }

    #[test]
    fn too_many_runs_are_none() {
        let axes = (0..5)
            .map(|_| range("a", [0.0, 1.0], false, 1000))
            .collect();
        assert!(Design::new(Kind::Grid, (0, 0), axes).is_none());
    }
}
