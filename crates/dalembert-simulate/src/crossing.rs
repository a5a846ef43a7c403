//! Across a place where rows lose their rank, along the branch that the motion arrives on.
//!
//! Crossed is only what lies on the surface: a point of the branch at which some combination y of rows vanishes, yᵀ A = 0, and
//! y·φ = 0 but for rounding of its terms. x y = 1e-14 has no such point, and is left to the integrator.

use super::change_point::Crossing;
use super::chart::Chart;
use super::motion::MotionSystem;
use super::rank::{Rank, least};
use super::reduced::Measures;
use dalembert_mechanics::decide::{CLEAR, COARSE, IN_DOUBLES, KNOWN, PRODUCTS, SINGULAR, USED_UP};
use dalembert_mechanics::linear::norm;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Independents, Mechanism};
use std::iter::successors;

/// How far a chart reaches on each side, beside the way ahead; far where short steps have come too near for rows to say much.
const REACHES: [f64; 4] = [8.0, 4.0, 2.0, 64.0];
/// Part of a chart's reach up to which the place may miss its centre, and how often it is centred anew.
const OFF_CENTRE: f64 = 0.03;
const CENTRED: usize = 3;
/// Part of the way ahead by which the place may be farther or nearer.
const WINDOW: f64 = 0.7;
/// Part of a pivot that is left at most where the motion's parabola leads to a place: it misses the branch by the cube of the way. Where more
/// is left, the place is too far away for a chart, or there is none.
const LED_THERE: f64 = 0.1;
/// Rounds of the search on the parabola.
const ROUNDS: usize = 25;

/// Parts of the way behind a place at which rows are looked at, and part of a pivot that is left where they go to another.
const PARTS: usize = 4;
const LESS: f64 = 0.7;

/// Charts that are tried where a run starts, each half as wide; and part of one at which its coordinates are chosen.
const SHORTER_CHARTS: usize = 12;
const BESIDE: f64 = 0.1;
/// How many times less a pivot is at half the distance where branches touch: at first order it is two.
const TOUCHING: f64 = 3.0;

/// What was found ahead of a state.
pub(super) enum Found {
    /// A place to be crossed.
    Crossing(Box<Crossing>),
    /// It cannot be told from so far away.
    TooFar,
    /// A place close to the surface and not on it: the motion turns before it.
    Beside,
    /// No place where rows lose their rank.
    Nothing,
}

/// Looks for a place where rows lose their rank about so many seconds ahead of a state with a least pivot; also how many it may be. The pivot
/// is infinite where nothing may be put off.
pub(super) fn seek(
    (mechanism, measures): (&Mechanism, &Measures),
    system: &mut MotionSystem<'_>,
    rank: &mut Rank,
    (t, y): (f64, &[[f64; 1]]),
    [ahead, pivot, rtol]: [f64; 3],
) -> (Found, f64) {
    if system.can_weaken() {
        // Rows are too many for a chart: nothing is led across, and nothing is guessed.
        return (Found::TooFar, ahead);
    }
    if !system.can_cross() || !system.set(t, y) {
        return (Found::Nothing, ahead);
    }
    let (ahead, left) = nearer(system, rank, (t, y), ahead);
    if left > LED_THERE * pivot {
        return (Found::TooFar, ahead);
    }
    let state = State {
        t,
        coordinates: y[..system.rates().len()].as_flattened().to_vec(),
        rates: system.rates().to_vec(),
        mode: system.mode().clone(),
    };
    let Some(chosen) = coordinates_of_chart(mechanism, &state) else {
        return (Found::TooFar, ahead);
    };
    let timed = mechanism.system.rows.iter().any(|row| !row.powerless);
    // Far below the tolerance of the run, but no better than numbers can be.
    let accuracy = (COARSE * rtol).clamp(KNOWN, IN_DOUBLES);
    for reach in REACHES {
        let (mut centre, half) = (ahead, reach * ahead);
        for _ in 0..CENTRED {
            let from = (t, &*state.coordinates, &*state.rates);
            let evaluator = system.evaluator();
            let described = (measures, &chosen, timed);
            let Some(chart) = Chart::new(evaluator, described, from, [centre, half, accuracy])
            else {
                break;
            };
            let mut q = vec![0.0; state.coordinates.len()];
            let window = WINDOW * ahead;
            let found = rank.weakest([-window, window], |z, rows| {
                let t = chart.on_line(z, &mut q);
                system.rows_at(t, &q, rows);
            });
            let place = found.place;
            let lost = found.pivot <= CLEAR * found.beside;
            if place.abs() > OFF_CENTRE * half {
                centre += place;
                continue;
            }
            if !lost {
                return (Found::Nothing, ahead);
            }
            let at = chart.on_line(place, &mut q);
            let dependent = dependent_rows(system, rank, (measures, accuracy), (at, &q));
            let Some(rows) = dependent else {
                return (Found::Beside, ahead);
            };
            let pivot = |z: f64| {
                let t = chart.on_line(z, &mut q);
                rank.take(false, |rows| system.rows_at(t, &q, rows));
                rank.least_pivot()
            };
            let crossing = Crossing {
                last: [t, -centre, 1.0],
                end: before_next(pivot, [place, centre.min(half / 2.0)]),
                chart,
                place,
                rows,
                passed: Vec::new(),
                at_rest: None,
            };
            return (Found::Crossing(Box::new(crossing)), ahead);
        }
    }
    (Found::TooFar, ahead)
}

/// Where a crossing ends behind its place: before rows begin to lose their rank again.
fn before_next(mut pivot: impl FnMut(f64) -> f64, [place, end]: [f64; 2]) -> f64 {
    let (mut greatest, mut at) = (0.0, end);
    for k in 1..=PARTS {
        let z = place + (end - place) * k as f64 / PARTS as f64;
        let here = pivot(z);
        if here < LESS * greatest {
            return at;
        }
        if here > greatest {
            (greatest, at) = (here, z);
        }
    }
    end
}

/// What residuals are measured by, known from the first state on at which that is asked for.
pub(super) fn measures_at<'a>(
    known: &'a mut Option<Measures>,
    mechanism: &Mechanism,
    system: &mut MotionSystem<'_>,
    (t, y): (f64, &[[f64; 1]]),
) -> &'a Measures {
    known.get_or_insert_with(|| {
        system.set(t, y);
        let rates = system.rates().to_vec();
        let coordinates = y[..rates.len()].as_flattened().to_vec();
        let mode = system.mode().clone();
        let state = State {
            t,
            coordinates,
            rates,
            mode,
        };
        Measures::new(mechanism, &state)
    })
}

/// Independent coordinates that a chart can be drawn over.
fn coordinates_of_chart(mechanism: &Mechanism, state: &State) -> Option<Independents> {
    let mut chosen = mechanism.independents(state)?;
    if mechanism.system.speeds.is_some() {
        // Speeds are not rates: these follow those of the coordinates, unless there are rows for speeds.
        (chosen.speeds.len() == chosen.coordinates.len()).then_some(())?;
        chosen.speeds.clone_from(&chosen.coordinates);
        chosen.speed_units.clone_from(&chosen.coordinate_units);
    }
    Some(chosen)
}

/// The way from a change point, where a run starts, along the branch that the given rates lie on. `None` where they lead to no smooth
/// branch, or where others touch it: rates do not tell these apart.
pub(super) fn set_out(
    (mechanism, measures): (&Mechanism, &Measures),
    system: &mut MotionSystem<'_>,
    rank: &mut Rank,
    (t, y): (f64, &[[f64; 1]]),
    rtol: f64,
) -> Option<Box<Crossing>> {
    (system.can_cross() && system.set(t, y)).then_some(())?;
    let rates = system.rates().to_vec();
    let q = y[..rates.len()].as_flattened();
    let timed = mechanism.system.rows.iter().any(|row| !row.powerless);
    let accuracy = (COARSE * rtol).clamp(KNOWN, IN_DOUBLES);
    let parts = rates.iter().zip(&measures.sizes.coordinates);
    let fastest = parts.map(|(rate, size)| (rate / size).abs());
    let fastest = fastest.fold(0.0, f64::max);
    (fastest > 0.0 && fastest.is_finite()).then_some(())?;
    let mut halves = successors(Some(1.0 / fastest), |half| Some(half / 2.0)).take(SHORTER_CHARTS);
    let (half, chart) = halves.find_map(|half| {
        let dt = BESIDE * half;
        let beside = q.iter().zip(&rates).map(|(q, rate)| q + dt * rate);
        let state = State {
            t: if timed { t + dt } else { t },
            coordinates: beside.collect(),
            rates: rates.clone(),
            mode: system.mode().clone(),
        };
        let chosen = coordinates_of_chart(mechanism, &state)?;
        let described = (measures, &chosen, timed);
        let of = [0.0, half, accuracy];
        let chart = Chart::new(system.evaluator(), described, (t, q, &rates), of)?;
        Some((half, chart))
    })?;
    let mut there = q.to_vec();
    let mut look = |z: f64, rank: &mut Rank| {
        let t = chart.on_line(z, &mut there);
        rank.take(true, |rows| system.rows_at(t, &there, rows));
    };
    look(half / 2.0, rank);
    rank.usual = rank.eliminated(SINGULAR).rank();
    let mut pivot = |z: f64| {
        look(z, rank);
        rank.least_pivot()
    };
    // Branches that cross part as rows regain their rank, at first order; those that touch do so later.
    let touches = pivot(half / 16.0) < pivot(half / 8.0) / TOUCHING;
    let rows = dependent_rows(system, rank, (measures, accuracy), (t, q));
    (!touches).then_some(())?;
    Some(Box::new(Crossing {
        last: [t, 0.0, 1.0],
        end: half / 2.0,
        chart,
        place: 0.0,
        rows: rows?,
        passed: Vec::new(),
        at_rest: None,
    }))
}

/// Where the least pivot is smallest on the parabola that the motion follows at first, and that pivot.
fn nearer(
    system: &mut MotionSystem<'_>,
    rank: &mut Rank,
    (t, y): (f64, &[[f64; 1]]),
    ahead: f64,
) -> (f64, f64) {
    let n = system.rates().len();
    let rates = system.rates().to_vec();
    let bend = system.bend(t, y);
    let mut q = vec![0.0; n];
    let mut pivot = |dt: f64| {
        for (j, q) in q.iter_mut().enumerate() {
            *q = y[j][0] + dt * (rates[j] + dt / 2.0 * bend[j]);
        }
        rank.take(false, |rows| system.rows_at(t + dt, &q, rows));
        rank.least_pivot()
    };
    let ahead = least(&mut pivot, [0.0, 2.0 * ahead], ROUNDS);
    (ahead, pivot(ahead))
}

/// The rows that depend on each other at a place of the branch, and not beside it; `None` if that place is not on the surface.
fn dependent_rows(
    system: &mut MotionSystem<'_>,
    rank: &mut Rank,
    (measures, accuracy): (&Measures, f64),
    (t, q): (f64, &[f64]),
) -> Option<Vec<usize>> {
    let n = q.len();
    let positions = system.position_misfits(t, q);
    let aside = [1.0, -1.0].map(|side| {
        let parts = q.iter().zip(&measures.sizes.coordinates).enumerate();
        let shifted = parts.map(|(j, (q, size))| {
            let by = accuracy * size * if j % 2 == 0 { 1.0 } else { side };
            q + by
        });
        system.position_misfits(t, &shifted.collect::<Vec<f64>>())
    });
    let velocities = system.velocity_rows();
    rank.take(false, |rows| system.rows_at(t, q, rows));
    let rows = rank.rows.clone();
    let (lengths, units) = (rank.lengths().to_vec(), rank.units().to_vec());
    let usual = rank.usual;
    let elimination = rank.eliminated(USED_UP);
    let found = elimination.rank();
    if found >= usual {
        return None;
    }
    let mut taking_part = vec![false; lengths.len()];
    let (mut room, mut y) = (vec![0.0; found], vec![0.0; lengths.len()]);
    for k in 0..lengths.len() - found {
        elimination.relation(k, &mut room, &mut y);
        let whole = norm(&y);
        // A row that is zero everywhere says nothing.
        let says = |i: &usize| y[*i].abs() > COARSE * whole && lengths[*i] > 0.0;
        let saying: Vec<usize> = (0..y.len()).filter(says).collect();
        let known: Option<Vec<[f64; 2]>> = (saying.iter())
            .map(|&i| {
                positions
                    .iter()
                    .find(|it| it.0 == velocities[i])
                    .map(|it| it.1)
            })
            .collect();
        // What is said at the level of velocities only is not a place.
        if let Some(known) = known.filter(|known| !known.is_empty()) {
            let (mut residual, mut terms) = (0.0, 0.0);
            for (&i, [value, size]) in saying.iter().zip(&known) {
                residual += y[i] / lengths[i] * value;
                terms += (y[i] / lengths[i] * size).abs();
            }
            let left = (0..n).map(|j| {
                let column = (0..y.len()).map(|i| y[i] * rows[i * n + j]);
                column.sum::<f64>().abs() / units[j] * measures.sizes.coordinates[j]
            });
            let left: f64 = left.sum();
            // What errors of the place make of the rows where their slopes vanish.
            let mut bent = 0.0_f64;
            for there in &aside {
                let value = |i: &usize| there.iter().find(|it| it.0 == velocities[*i]);
                let sum = saying
                    .iter()
                    .filter_map(|i| Some(y[*i] / lengths[*i] * value(i)?.1[0]));
                bent = bent.max((sum.sum::<f64>() - residual).abs());
            }
            if residual.abs() > PRODUCTS * terms + accuracy * left + bent {
                return None;
            }
        }
        saying.iter().for_each(|&i| taking_part[i] = true);
    }
    let named = (0..lengths.len()).filter(|&i| taking_part[i]);
    Some(named.map(|i| velocities[i]).collect())
}
