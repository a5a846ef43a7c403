//! A second implementation of what happens at instants: random masses on a line that strike the floor and each other, are kicked once, and pull on each other by
//! springs that stiffen. Steps of Runge and Kutta's classical method, the first event by halving the step, two-body impacts from momentum and restitution.

use super::{assert_near, run};
use dalembert_simulate::Happening;
use fastrand::Rng;
use std::fmt::Write;

const G: f64 = 9.81;
const STEP: f64 = 1e-3;
const SPAN: f64 = 2.0;

/// A random model: the masses from the floor up.
struct Line {
    masses: Vec<f64>,
    heights: Vec<f64>,
    restitutions: Vec<f64>,
    stiffness: f64,
    drag: f64,
    /// The upper mass gets this rate more where it is below this height.
    kick: [f64; 2],
}

impl Line {
    fn random(rng: &mut Rng) -> Self {
        let count = rng.usize(2..5);
        Self {
            masses: (0..count).map(|_| 0.5 + rng.f64()).collect(),
            heights: (0..count)
                .map(|i| i as f64 + 0.5 + 0.3 * rng.f64())
                .collect(),
            restitutions: (0..count).map(|_| 0.85 + 0.15 * rng.f64()).collect(),
            stiffness: 20.0 * rng.f64(),
            drag: 0.1 * rng.f64(),
            kick: [2.0 + rng.f64(), count as f64 - 0.8],
        }
    }

    fn text(&self) -> String {
        let last = self.masses.len() - 1;
        let mut text = String::from("[coordinates]\n");
        for (i, x) in self.heights.iter().enumerate() {
            writeln!(text, "x{i} = {x}").expect("a text");
        }
        let (mut kinetic, mut potential, mut drag) = (Vec::new(), Vec::new(), Vec::new());
        for (i, m) in self.masses.iter().enumerate() {
            kinetic.push(format!("{m}*x{i}'^2/2"));
            potential.push(format!("{m}*{G}*x{i}"));
            drag.push(format!("x{i} = \"-{}*x{i}'\"", self.drag));
            if i > 0 {
                let d = format!("(x{i} - x{} - 1)", i - 1);
                potential.push(format!("{k}*({d}^2/2 + {d}^4/4)", k = self.stiffness));
            }
        }
        let energies = [&kinetic, &potential].map(|it| it.join(" + "));
        writeln!(
            text,
            "[energy]\nkinetic = \"{}\"\npotential = \"{}\"",
            energies[0], energies[1]
        )
        .expect("a text");
        writeln!(
            text,
            "[force.drag]\ngeneralized = {{ {} }}",
            drag.join(", ")
        )
        .expect("a text");
        for (i, e) in self.restitutions.iter().enumerate() {
            let gap = match i {
                0 => "x0 >= 0".to_owned(),
                _ => format!("x{i} >= x{}", i - 1),
            };
            writeln!(
                text,
                "[constraint.c{i}]\nholds = \"{gap}\"\nrestitution = {e}"
            )
            .expect("a text");
        }
        let [rate, height] = self.kick;
        writeln!(text, "[event.kick]\nwhen = \"x{last} < {height}\"\nset = {{ \"x{last}'\" = \"x{last}' + {rate}\" }}").expect("a text");
        writeln!(text, "[run]\nspan = {SPAN}\nsamples = 2\nrtol = 1e-11").expect("a text");
        text
    }

    fn rates(&self, [x, v]: &[Vec<f64>; 2]) -> [Vec<f64>; 2] {
        let count = x.len();
        let mut a: Vec<f64> = (0..count)
            .map(|i| -G - self.drag * v[i] / self.masses[i])
            .collect();
        for i in 1..count {
            let d = x[i] - x[i - 1] - 1.0;
            let force = self.stiffness * (d + d.powi(3));
            a[i] -= force / self.masses[i];
            a[i - 1] += force / self.masses[i - 1];
        }
        [v.clone(), a]
    }

    fn step(&self, y: &[Vec<f64>; 2], h: f64) -> [Vec<f64>; 2] {
        let add = |k: &[Vec<f64>; 2], s: f64| {
            [0, 1].map(|p| {
                y[p].iter()
                    .zip(&k[p])
                    .map(|(y, k)| y + s * k)
                    .collect::<Vec<f64>>()
            })
        };
        let k1 = self.rates(y);
        let k2 = self.rates(&add(&k1, h / 2.0));
        let k3 = self.rates(&add(&k2, h / 2.0));
        let k4 = self.rates(&add(&k3, h));
        [0, 1].map(|p| {
            let sum = |i: usize| k1[p][i] + 2.0 * (k2[p][i] + k3[p][i]) + k4[p][i];
            (0..y[p].len())
                .map(|i| y[p][i] + h / 6.0 * sum(i))
                .collect()
        })
    }

    /// Gaps, then how far the upper mass is above the height of its kick.
    fn distances(&self, x: &[f64]) -> Vec<f64> {
        let gap = |i: usize| if i == 0 { x[0] } else { x[i] - x[i - 1] };
        let above = x[x.len() - 1] - self.kick[1];
        (0..x.len()).map(gap).chain([above]).collect()
    }

    /// Rates of gaps, likewise.
    fn closing(&self, v: &[f64]) -> Vec<f64> {
        let rate = |i: usize| if i == 0 { v[0] } else { v[i] - v[i - 1] };
        (0..v.len()).map(rate).chain([v[v.len() - 1]]).collect()
    }

    fn happen(&self, what: usize, v: &mut [f64]) {
        let (last, m) = (v.len() - 1, &self.masses);
        match what {
            0 => v[0] *= -self.restitutions[0],
            i if i <= last => {
                let reduced = m[i] * m[i - 1] / (m[i] + m[i - 1]);
                let impulse = -(1.0 + self.restitutions[i]) * reduced * (v[i] - v[i - 1]);
                v[i] += impulse / m[i];
                v[i - 1] -= impulse / m[i - 1];
            }
            _ => v[last] += self.kick[0],
        }
    }

    /// Times and places of all that happens, and the state at the end.
    fn motion(&self) -> (Vec<(f64, usize)>, [Vec<f64>; 2]) {
        let (mut t, mut found) = (0.0, Vec::new());
        let mut y = [self.heights.clone(), vec![0.0; self.heights.len()]];
        let mut before = self.distances(&y[0]);
        while t < SPAN {
            let h = STEP.min(SPAN - t);
            // What comes from above and is below at the end, or at the lowest place in between.
            let falls = |s: f64| {
                let new = self.step(&y, s);
                let (now, rates) = (self.distances(&new[0]), self.closing(&new[1]));
                (0..now.len()).find(|&i| before[i] > 0.0 && now[i] <= 0.0 && rates[i] < 0.0)
            };
            let mut ends = [0.0, h];
            let fine = (1..=8).map(|k| h * f64::from(k) / 8.0);
            let Some(seen) = fine.into_iter().find(|&s| falls(s).is_some()) else {
                y = self.step(&y, h);
                before = self.distances(&y[0]);
                t += h;
                continue;
            };
            ends[1] = seen;
            while ends[1] - ends[0] > 1e-16 {
                let middle = f64::midpoint(ends[0], ends[1]);
                if middle <= ends[0] || middle >= ends[1] {
                    break;
                }
                ends[usize::from(falls(middle).is_some())] = middle;
            }
            let what = falls(ends[1]).expect("it was seen there");
            y = self.step(&y, ends[1]);
            t += ends[1];
            self.happen(what, &mut y[1]);
            found.push((t, what));
            assert!(found.len() < 1000, "it comes to rest");
            before = self.distances(&y[0]);
            // What has just been touched is left with a rate that opens it.
            before[what] = if self.closing(&y[1])[what] > 0.0 {
                f64::MIN_POSITIVE
            } else {
                -1.0
            };
        }
        (found, y)
    }
}

#[test]
fn ten_random_lines_do_what_a_second_implementation_says() {
    let mut rng = Rng::with_seed(15);
    let mut most = 0;
    for trial in 0..10 {
        let line = Line::random(&mut rng);
        let found = run(&line.text());
        let (expected, [x, v]) = line.motion();
        let count = line.masses.len();
        let told = found.happened.iter().map(|it| match &it.of {
            Happening::Impact(all) => (it.t, all[0]),
            Happening::Event(_) => (it.t, count),
            other => panic!("{trial}: {other:?}"),
        });
        let told: Vec<(f64, usize)> = told.collect();
        assert_eq!(
            told.len(),
            expected.len(),
            "{trial}: {told:?} and {expected:?}"
        );
        for (told, expected) in told.iter().zip(&expected) {
            assert_eq!(told.1, expected.1, "{trial}: {told:?} and {expected:?}");
            assert_near(told.0, expected.0, 1e-6);
        }
        for (found, expected) in found
            .coordinates
            .iter()
            .chain(&found.rates)
            .zip(x.iter().chain(&v))
        {
            assert_near(*found, *expected, 1e-5);
        }
        most = most.max(told.len());
    }
    assert!(most > 10, "{most}");
}
