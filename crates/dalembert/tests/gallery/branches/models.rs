//! Models whose branches are known: where the motion along each ends, integrated along a parameter in which the change points are points
//! like any other.

use crate::support::text;
use crate::verdict::{PARALLELOGRAM, SLIDER_CRANK, bars, bars_in_places, plane};
use std::f64::consts::{FRAC_PI_2, SQRT_2};

const STEPS: usize = 20_000;

/// u after a time, from u'' or u' by the fourth-order rule of Runge and Kutta in many short steps.
pub(super) fn along<const N: usize>(
    rate: impl Fn([f64; N]) -> [f64; N],
    mut u: [f64; N],
    span: f64,
) -> f64 {
    let h = span / STEPS as f64;
    let ahead = |u: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|i| u[i] + h * k[i]);
    for _ in 0..STEPS {
        let a = rate(u);
        let b = rate(ahead(u, a, h / 2.0));
        let c = rate(ahead(u, b, h / 2.0));
        let d = rate(ahead(u, c, h));
        u = std::array::from_fn(|i| u[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    u[0]
}

/// An angle a with a'' = −g cos a.
pub(super) fn falling(g: f64, rate: f64, span: f64) -> f64 {
    along(|[a, w]| [w, -g * a.cos()], [FRAC_PI_2, rate], span)
}

pub(super) struct Branch {
    pub(super) name: &'static str,
    /// The model that starts with a multiple of its usual speed.
    pub(super) model: fn(f64) -> String,
    /// The coordinates at its end.
    pub(super) end: fn(f64) -> Vec<f64>,
    /// How far coordinates are from the branch, whatever the time.
    pub(super) off: fn(&[f64]) -> f64,
    /// How much of the tolerance the end may be off by: motions that pass their upper rest slowly magnify errors.
    pub(super) magnified: f64,
}

pub(super) fn spread(angles: &[f64]) -> f64 {
    let first = angles[0];
    angles
        .iter()
        .fold(0.0, |a, b| f64::max(a, (b - first).abs()))
}

pub(super) fn all() -> Vec<Branch> {
    vec![
        Branch {
            name: "lemniscate",
            model: |s| {
                plane(
                    "(x^2+y^2)^2 = x^2-y^2",
                    ["1", "0"],
                    ["0", &s.to_string()],
                    "0",
                )
            },
            end: |s| {
                let u: f64 = along(
                    |[u]: [f64; 1]| [s * (1.0 + u.sin().powi(2)).sqrt()],
                    [0.0],
                    3.0,
                );
                let r = u.cos() / (1.0 + u.sin().powi(2));
                vec![r, r * u.sin()]
            },
            off: |_| 0.0,
            magnified: 100.0,
        },
        Branch {
            name: "node",
            model: |s| {
                let rates = [-s, -1.25 * SQRT_2 * s].map(|rate| rate.to_string());
                plane(
                    "y^2 = x^2*(1+x)",
                    ["1", "sqrt(2)"],
                    [&rates[0], &rates[1]],
                    "0",
                )
            },
            end: |s| {
                // x = u² − 1, y = u x.
                let speed = s * f64::hypot(1.0, 1.25 * SQRT_2);
                let u = along(
                    |[u]: [f64; 1]| [-speed / f64::hypot(2.0 * u, 3.0 * u * u - 1.0)],
                    [SQRT_2],
                    3.0,
                );
                vec![u * u - 1.0, u * (u * u - 1.0)]
            },
            off: |_| 0.0,
            // It ends as far as ten from where branches cross.
            magnified: 200.0,
        },
        Branch {
            name: "cross",
            model: |s| plane("x*y=0", ["1", "0"], [&(-s).to_string(), "0"], "3*y"),
            end: |s| vec![1.0 - 3.0 * s, 0.0],
            off: |q| q[1].abs(),
            magnified: 100.0,
        },
        Branch {
            name: "slider-crank",
            model: |s| SLIDER_CRANK.replace("\"th'\" = 2", &format!("\"th'\" = {}", 2.0 * s)),
            end: |s| {
                let mass = |th: f64| 1.0 + 4.0 * th.sin().powi(2);
                let u = along(
                    |[u]: [f64; 1]| [2.0 * s * (mass(0.5) / mass(u)).sqrt()],
                    [0.5],
                    3.0,
                );
                vec![u, 2.0 * u.cos()]
            },
            off: |q| (q[1] - 2.0 * q[0].cos()).abs(),
            magnified: 100.0,
        },
        Branch {
            name: "parallelogram",
            model: |s| PARALLELOGRAM.replace("\"q1'\" = -5", &format!("\"q1'\" = {}", -5.0 * s)),
            end: |s| {
                let a = falling(2.0 * 9.81 * 3.0 / 5.0, -5.0 * s, 5.0);
                vec![a, 0.0, a]
            },
            off: |q| q[1].abs().max((q[0] - q[2]).abs()),
            magnified: 2e4,
        },
        Branch {
            name: "one parallelogram",
            model: |s| bars(1).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
            end: |s| {
                let a = falling(9.81, -s, 10.0);
                vec![a, a, 0.0]
            },
            off: |q| q[2].abs().max(spread(&q[..2])),
            magnified: 2e4,
        },
        Branch {
            name: "three parallelograms",
            model: |s| bars(3).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
            end: |s| {
                let a = falling(9.81, -s, 10.0);
                vec![a, a, a, a, 0.0, 0.0, 0.0]
            },
            off: |q| spread(&q[..4]).max(spread(&[0.0, q[4], q[5], q[6]])),
            magnified: 2e4,
        },
        Branch {
            name: "two in places",
            model: |s| bars_in_places(2).replace("\"x0'\" = 1", &format!("\"x0'\" = {s}")),
            end: |s| {
                let a = falling(9.81, -s, 10.0);
                (0..3)
                    .flat_map(|i| [f64::from(i) + a.cos(), a.sin()])
                    .collect()
            },
            off: |q| spread(&[q[0], q[2] - 1.0, q[4] - 2.0]).max(spread(&[q[1], q[3], q[5]])),
            magnified: 3e4,
        },
        Branch {
            name: "IFToMM A02",
            model: |s| {
                let rate = format!("\"a0'\" = \"{} rad/s\"", -s);
                text("n-four-bar-iftomm-a02").replace("\"a0'\" = \"-1 rad/s\"", &rate)
            },
            end: |s| {
                let a = falling(9.81 * 21.0 / 18.0, -s, 10.0);
                vec![a, a, a, 0.0, 0.0]
            },
            off: |q| spread(&q[..3]).max(spread(&[0.0, q[3], q[4]])),
            magnified: 2e4,
        },
    ]
}

/// N four-bars in a row, IFToMM A02: 2 N rows in 2 N + 1 angles, N of which become dependent at once.
pub(super) fn four_bars(count: usize) -> Branch {
    Branch {
        name: "four-bars in a row",
        model: match count {
            20 => |s| bars(20).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
            _ => |s| bars(40).replace("\"a0'\" = -1", &format!("\"a0'\" = {}", -s)),
        },
        end: match count {
            20 => |s| row_of_bars(20, s),
            _ => |s| row_of_bars(40, s),
        },
        off: |q| {
            let bars = q.len().div_ceil(2);
            let level = q[bars..].iter().fold(0.0, |a, b| f64::max(a, b.abs()));
            spread(&q[..bars]).max(level)
        },
        magnified: 2e4,
    }
}

fn row_of_bars(count: usize, s: f64) -> Vec<f64> {
    let a = falling(9.81, -s, 10.0);
    let angles = std::iter::repeat_n(a, count + 1);
    angles.chain(std::iter::repeat_n(0.0, count)).collect()
}
