//! Forces as arrows: reactions, what of them does virtual work, and given forces, each where it acts.

use super::columns::Samples;
use super::scene::Numbers;
use crate::results::Table;
use dalembert_expr::{Cone, ExprId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{CLEAR, USED_UP};
use dalembert_mechanics::elaborate::{Target, Vector};
use dalembert_mechanics::lower::{Drawing, Form as Seen, Physical, Wrench, physical};
use dalembert_page::{Arrow, ArrowKind, Figure, Form, Series};
use dalembert_program::compile;
use std::collections::HashMap;

/// A vector at each sample.
type Track = Vec<[f64; 3]>;

/// All arrows of a scene.
pub(super) fn arrows(
    mechanism: &Mechanism,
    drawing: &Drawing,
    table: &Table,
    samples: &Samples,
    numbers: &Numbers<'_>,
    figures: &[Figure],
) -> Vec<Arrow> {
    let physical = physical(&mechanism.model);
    let reactions = Reactions {
        mechanism,
        drawing,
        table,
        samples,
        numbers,
        physical: &physical,
    };
    let mut arrows = reactions.all(figures);
    let given = drawing.forces.iter().map(|force| {
        // A weight stands where its figure is drawn.
        let center = |form: &Seen| match form {
            Seen::Particle { at, .. } | Seen::Body { at, .. } => Some(*at),
            _ => None,
        };
        let mut forms = drawing.figures.iter().map(|it| center(&it.form));
        let on = forms.position(|at| at == Some(force.at));
        Arrow {
            name: force.name.clone(),
            kind: ArrowKind::Given,
            on,
            at: on.is_none().then(|| numbers.vector(force.at)),
            columns: None,
            force: Some(numbers.vector(force.force)),
        }
    });
    arrows.extend(given);
    arrows
}

struct Reactions<'d> {
    mechanism: &'d Mechanism,
    drawing: &'d Drawing,
    table: &'d Table,
    samples: &'d Samples,
    numbers: &'d Numbers<'d>,
    physical: &'d Physical,
}

impl Reactions<'_> {
    /// Reactions on particles and bodies, where the table has them.
    fn all(&self, figures: &[Figure]) -> Vec<Arrow> {
        let model = &self.mechanism.model;
        // Particles and bodies come first, so that nothing else of their name is found.
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (index, figure) in figures.iter().enumerate() {
            if matches!(figure.form, Form::Particle { .. } | Form::Solid { .. }) {
                places.entry(&figure.name).or_insert(index);
            }
        }
        let mut arrows = Vec::new();
        for (index, constraint) in model.constraints.iter().enumerate() {
            let Ok(wrenches) = &self.physical.reactions[index] else {
                continue;
            };
            let works = constraint.nonideal.is_some() || constraint.friction.is_some();
            for wrench in wrenches {
                let on = wrench.on.name(model);
                let name = &constraint.name.text;
                let called = match wrenches.len() {
                    1 => format!("reaction({name})"),
                    _ => format!("reaction({name}, on = {on})"),
                };
                let (Some(&on), Some(whole)) = (places.get(on), self.column(&called)) else {
                    continue;
                };
                let units = self.units(index, wrench.on);
                let at = match wrench.on {
                    Target::Particle(_) => None,
                    Target::Body(_) => self.place(index, wrench.on, units.as_deref()),
                };
                let arrow = |kind, force| Arrow {
                    name: called.clone(),
                    kind,
                    on: Some(on),
                    at: at.clone(),
                    columns: Some(called.clone()),
                    force,
                };
                if !works {
                    arrows.push(arrow(ArrowKind::Ideal, None));
                    continue;
                }
                match self.ideal(index, units.as_deref()) {
                    Some(ideal) => {
                        let rest = whole.iter().zip(&ideal);
                        let rest: Track = rest.map(|(w, i)| minus(*w, *i)).collect();
                        arrows.push(arrow(ArrowKind::Ideal, Some(series(&ideal))));
                        arrows.push(arrow(ArrowKind::Nonideal, Some(series(&rest))));
                    }
                    None => arrows.push(arrow(ArrowKind::Nonideal, None)),
                }
            }
        }
        arrows
    }

    /// The force of these columns.
    fn column(&self, called: &str) -> Option<Track> {
        let part = |axis: &str| Some(self.table.column(&format!("{called}.force.{axis}"))?.values);
        let [x, y, z] = [part("x")?, part("y")?, part("z")?];
        let track = x.iter().zip(y).zip(z);
        Some(track.map(|((x, y), z)| [*x, *y, *z]).collect())
    }

    /// Force and moment of a unit multiplier of each row of a constraint on something; `None` where they are not known.
    fn units(&self, constraint: usize, on: Target) -> Option<Vec<[Track; 2]>> {
        let rows = &self.mechanism.system.rows;
        let mut found = Vec::new();
        for (row, wrenches) in rows.iter().zip(&self.physical.rows) {
            if row.constraint.index() != constraint {
                continue;
            }
            let wrench = wrenches.as_ref().ok()?.iter().find(|it| it.on == on);
            found.push(match wrench {
                Some(wrench) => self.unit(wrench)?,
                None => [(); 2].map(|()| vec![[0.0; 3]; self.samples.rows]),
            });
        }
        Some(found)
    }

    fn unit(&self, wrench: &Wrench) -> Option<[Track; 2]> {
        let graph = &self.physical.graph;
        let mut inputs = self.physical.symbols.known();
        inputs.push(self.physical.open);
        let all: Vec<ExprId> = [wrench.force, wrench.moment].concat();
        let symbols = Cone::new(graph, &all).symbols(graph);
        if !symbols.iter().all(|it| inputs.contains(it)) {
            return None;
        }
        let program = compile(graph, &inputs, &all).ok()?;
        let mut workspace = program.workspace();
        let mut values = vec![0.0; self.samples.width];
        values.extend(&self.mechanism.parameters);
        values.push(f64::NAN);
        let mut outputs = [0.0; 6];
        let mut tracks = [Track::new(), Track::new()];
        for row in 0..self.samples.rows {
            values[..self.samples.width].copy_from_slice(self.samples.state(row));
            program.eval::<1>(&mut workspace, &values, &mut outputs);
            let [a, b, c, d, e, f] = outputs;
            tracks[0].push([a, b, c]);
            tracks[1].push([d, e, f]);
        }
        Some(tracks)
    }

    /// Σ λ g: what of a reaction does no virtual work.
    fn ideal(&self, constraint: usize, units: Option<&[[Track; 2]]>) -> Option<Track> {
        let rows = self.mechanism.system.rows.iter();
        let rows = rows.filter(|row| row.constraint.index() == constraint);
        let mut sum = vec![[0.0; 3]; self.samples.rows];
        for (row, [force, _]) in rows.zip(units?) {
            let lambda = self.table.column(&format!("lambda({})", row.name))?.values;
            for ((sum, force), lambda) in sum.iter_mut().zip(force).zip(lambda) {
                *sum = std::array::from_fn(|k| sum[k] + lambda * force[k]);
            }
        }
        Some(sum)
    }

    /// Where a constraint holds a body: at its joint, or at the one point through which the forces of all its rows go.
    fn place(
        &self,
        constraint: usize,
        on: Target,
        units: Option<&[[Track; 2]]>,
    ) -> Option<[Series; 3]> {
        let mut joints = self.drawing.joints.iter();
        let joint = joints.find(|it| it.of.index() == constraint && it.on == on);
        if let Some(joint) = joint {
            return Some(self.numbers.vector(joint.at));
        }
        let mut figures = self.drawing.figures.iter();
        let name = on.name(&self.mechanism.model);
        let center = figures.find_map(|it| match it.form {
            Seen::Body { at, .. } if it.name == name => Some(at),
            _ => None,
        })?;
        let center = self.track(center);
        let units = units?;
        let at = |sample: usize| {
            let units = units.iter().map(|[f, m]| [f[sample], m[sample]]);
            let arm = common_point(&units.collect::<Vec<_>>())?;
            Some(std::array::from_fn(|k| center[sample][k] + arm[k]))
        };
        let track: Option<Track> = (0..self.samples.rows).map(at).collect();
        track.map(|it| series(&it))
    }

    fn track(&self, vector: Vector) -> Track {
        let values = self.numbers.over_time(&vector, None);
        let at = |sample: usize| {
            std::array::from_fn(|k| values[k].get(sample).copied().unwrap_or(values[k][0]))
        };
        (0..self.samples.rows).map(at).collect()
    }
}

/// r with r × f = m for all of these forces and moments: Σ (|f|² − f fᵀ) r = Σ f × m. There is one if forces have two directions.
fn common_point(wrenches: &[[[f64; 3]; 2]]) -> Option<[f64; 3]> {
    let mut matrix = [[0.0; 3]; 3];
    let mut right = [0.0; 3];
    for &[f, m] in wrenches {
        let square = dot(f, f);
        if square == 0.0 {
            continue;
        }
        // Each row counts alike, however it is scaled.
        for i in 0..3 {
            for j in 0..3 {
                let one = if i == j { square } else { 0.0 };
                matrix[i][j] += (one - f[i] * f[j]) / square;
            }
            right[i] += cross(f, m)[i] / square;
        }
    }
    let [a, b, c] = matrix;
    let volume = dot(a, cross(b, c));
    let trace = a[0] + b[1] + c[2];
    // What is no number has no point either.
    let known = volume > USED_UP * trace.powi(3);
    if !known {
        return None;
    }
    // The matrix is symmetric: its columns are its rows.
    let parts = [cross(b, c), cross(c, a), cross(a, b)].map(|it| dot(it, right) / volume);
    let fits = wrenches.iter().all(|&[f, m]| {
        let turned = cross(parts, f);
        let missed = minus(turned, m);
        let size = norm(m) + norm(parts) * norm(f);
        norm(missed) <= CLEAR * size
    });
    fits.then_some(parts)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn series(track: &Track) -> [Series; 3] {
    std::array::from_fn(|k| Series::single(&track.iter().map(|it| it[k]).collect::<Vec<f64>>()))
}

#[cfg(test)]
#[path = "../../tests/inside/view_arrows.rs"]
mod tests;
