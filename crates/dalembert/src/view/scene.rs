//! What is seen at each sample: the drawing of a model, in numbers.

use super::arrows::arrows;
use super::columns::Samples;
use crate::results::Table;
use dalembert_expr::{Cone, ExprId, SymbolId};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::elaborate::Vector;
use dalembert_mechanics::lower::{Drawing, Drawn, DrawnShape, Form as Seen};
use dalembert_mechanics::mesh::Mesh;
use dalembert_page::{Camera, Figure, Form, Placed, Pose, Scene, Series, Shape};
use dalembert_program::compile;

/// Parts of a curve.
const PARTS: usize = 96;

/// Triangles of a mesh that a page has: finer ones are not seen, and make it slow to load.
const TRIANGLES: usize = 3000;

/// The scene of a model over samples of its motion.
pub(super) fn scene(
    mechanism: &Mechanism,
    drawing: &Drawing,
    table: &Table,
    samples: &Samples,
) -> Scene {
    let numbers = Numbers::new(mechanism, drawing, samples);
    let largest = drawing.figures.iter().filter_map(|it| match it.form {
        Seen::Particle { mass, .. } => Some(numbers.constant(mass)),
        _ => None,
    });
    let heaviest = largest.fold(0.0, f64::max);
    let figures: Vec<Figure> = drawing
        .figures
        .iter()
        .map(|it| numbers.figure(it, heaviest))
        .collect();
    let arrows = arrows(mechanism, drawing, table, samples, &numbers, &figures);
    let view = &mechanism.model.view;
    let gravity = drawing.gravity.map(|it| it.map(|it| numbers.constant(it)));
    let (up, down) = match &view.up {
        Some(up) => (Some(axis(&up.text)), false),
        None => {
            let size = gravity.map(|it| {
                let sizes = it.map(f64::abs);
                let k = (0..3).fold(0, |best, k| if sizes[k] > sizes[best] { k } else { best });
                (k, it[k])
            });
            let size = size.filter(|(_, g)| *g != 0.0);
            (size.map(|(k, _)| k), size.is_some_and(|(_, g)| g > 0.0))
        }
    };
    let plane = view.plane.as_ref().map(|plane| match plane.text.as_str() {
        "xy" => [0, 1],
        "xz" => [0, 2],
        _ => [1, 2],
    });
    let camera = drawing.camera.map(|[from, at]| Camera {
        from: from.map(|it| numbers.constant(it)),
        at: at.map(|it| numbers.constant(it)),
    });
    Scene {
        up,
        down,
        plane,
        camera,
        figures,
        arrows,
    }
}

/// Expressions of a drawing in numbers.
pub(super) struct Numbers<'d> {
    drawing: &'d Drawing,
    samples: &'d Samples,
    /// Values of the parameters, and room for those that run along curves.
    parameters: Vec<f64>,
}

impl<'d> Numbers<'d> {
    fn new(mechanism: &Mechanism, drawing: &'d Drawing, samples: &'d Samples) -> Self {
        let mut parameters = mechanism.parameters.clone();
        parameters.resize(drawing.symbols.parameters.len(), 0.0);
        Self {
            drawing,
            samples,
            parameters,
        }
    }

    /// Values at all samples, expression after expression.
    pub(super) fn over_time(
        &self,
        expressions: &[ExprId],
        running: Option<(SymbolId, f64)>,
    ) -> Vec<Vec<f64>> {
        let symbols = &self.drawing.symbols;
        let graph = &self.drawing.graph;
        let program = compile(graph, &symbols.known(), expressions);
        let program = program.expect("a drawing holds nothing but the inputs");
        let mut workspace = program.workspace();
        let mut parameters = self.parameters.clone();
        if let Some((symbol, value)) = running
            && let Some(i) = symbols.parameters.iter().position(|it| *it == symbol)
        {
            parameters[i] = value;
        }
        let mut inputs = vec![0.0; self.samples.width];
        inputs.extend(parameters);
        let mut outputs = vec![0.0; expressions.len()];
        let still = self.is_still(expressions);
        let rows = if still { 1 } else { self.samples.rows };
        let mut values = vec![Vec::with_capacity(rows); expressions.len()];
        for row in 0..rows {
            inputs[..self.samples.width].copy_from_slice(self.samples.state(row));
            program.eval::<1>(&mut workspace, &inputs, &mut outputs);
            for (list, value) in values.iter_mut().zip(&outputs) {
                list.push(*value);
            }
        }
        values
    }

    /// Whether expressions are of parameters alone.
    fn is_still(&self, expressions: &[ExprId]) -> bool {
        let graph = &self.drawing.graph;
        let found = Cone::new(graph, expressions).symbols(graph);
        let parameters = &self.drawing.symbols.parameters;
        found.iter().all(|symbol| parameters.contains(symbol))
    }

    fn constant(&self, expression: ExprId) -> f64 {
        self.over_time(&[expression], None)[0][0]
    }

    pub(super) fn vector(&self, vector: Vector) -> [Series; 3] {
        let values = self.over_time(&vector, None);
        std::array::from_fn(|k| Series::single(&values[k]))
    }

    fn pose(&self, at: Vector, attitude: [Vector; 3]) -> Pose {
        let matrix = self.over_time(attitude.as_flattened(), None);
        let mut turn: [Vec<f64>; 4] = std::array::from_fn(|_| Vec::new());
        let mut before = [1.0, 0.0, 0.0, 0.0];
        let rows = matrix[0].len();
        let at_row = |row: usize| std::array::from_fn(|k| matrix[k][row]);
        for m in (0..rows).map(at_row) {
            let mut q = quaternion(&m);
            // Of the two that are the same attitude, the one next to the last.
            if q.iter().zip(&before).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                q = q.map(|it| -it);
            }
            before = q;
            for (list, value) in turn.iter_mut().zip(q) {
                list.push(value);
            }
        }
        Pose {
            at: self.vector(at),
            turn: turn.map(|it| Series::single(&it)),
        }
    }

    fn figure(&self, drawn: &Drawn, heaviest: f64) -> Figure {
        let form = match &drawn.form {
            Seen::Particle { at, mass } => match drawn.shapes.is_empty() {
                true => Form::Particle {
                    at: self.vector(*at),
                    size: relative_size(self.constant(*mass), heaviest),
                },
                false => Form::Solid {
                    pose: Pose {
                        at: self.vector(*at),
                        turn: upright(),
                    },
                    shapes: self.shapes(drawn),
                    spokes: Vec::new(),
                },
            },
            Seen::Point { at, attitude } => match drawn.shapes.is_empty() {
                true => Form::Particle {
                    at: self.vector(*at),
                    size: 1.0,
                },
                false => Form::Solid {
                    pose: self.pose(*at, *attitude),
                    shapes: self.shapes(drawn),
                    spokes: Vec::new(),
                },
            },
            Seen::Body {
                at,
                attitude,
                mass,
                inertia,
                points,
            } => {
                let mut shapes = self.shapes(drawn);
                let spokes: Vec<[f64; 3]> = match shapes.is_empty() {
                    false => Vec::new(),
                    true => points
                        .iter()
                        .map(|it| it.map(|it| self.constant(it)))
                        .collect(),
                };
                let bare = shapes.is_empty() && spokes.is_empty();
                if let Some(moments) = inertia.as_ref().filter(|_| bare) {
                    let moments = [0, 1, 2].map(|k| self.constant(moments[k][k]));
                    let equal = equal_box(self.constant(*mass), moments);
                    shapes.extend(equal.map(Placed::from));
                }
                Form::Solid {
                    pose: self.pose(*at, *attitude),
                    shapes,
                    spokes,
                }
            }
            Seen::Line(ends) => Form::Line {
                ends: self.ends(ends),
            },
            Seen::Spring(ends) => Form::Spring {
                ends: self.ends(ends),
            },
            Seen::Curve { running, range, at } => Form::Curve {
                points: self.curve(*running, range, *at),
            },
        };
        Figure {
            name: drawn.name.clone(),
            form,
            color: drawn.color.clone(),
            label: drawn.label.clone(),
            trail: drawn.trail,
        }
    }

    fn ends(&self, [from, to]: &[Vector; 2]) -> [Series; 6] {
        let [a, b, c] = self.vector(*from);
        let [d, e, f] = self.vector(*to);
        [a, b, c, d, e, f]
    }

    fn curve(&self, running: SymbolId, range: &[ExprId; 2], at: Vector) -> Vec<[Series; 3]> {
        let [from, to] = range.map(|it| self.constant(it));
        let point = |k: usize| {
            let value = from + (to - from) * k as f64 / PARTS as f64;
            let values = self.over_time(&at, Some((running, value)));
            std::array::from_fn(|k| Series::single(&values[k]))
        };
        (0..=PARTS).map(point).collect()
    }

    fn shapes(&self, drawn: &Drawn) -> Vec<Placed> {
        let placed = |shape: &DrawnShape| {
            let at = shape.at.map(|it| self.constant(it));
            let rows = shape.attitude.as_ref();
            let rows = rows.map(|rows| self.over_time(rows.as_flattened(), None));
            Placed {
                shape: self.shape(shape),
                at: at.iter().any(|it| *it != 0.0).then_some(at),
                turn: rows.map(|rows| quaternion(&std::array::from_fn(|k| rows[k][0]))),
            }
        };
        drawn.shapes.iter().map(placed).collect()
    }

    fn shape(&self, shape: &DrawnShape) -> Shape {
        if let Some((mesh, unit)) = &shape.mesh {
            return surface(mesh, *unit);
        }
        let axis = axis(&shape.axis);
        let values = |name: &str| {
            let mut measures = shape.measures.iter();
            let found = measures.find(|(measure, _)| measure == name);
            let found = found.map_or(&[][..], |(_, values)| values);
            found
                .iter()
                .map(|it| self.constant(*it))
                .collect::<Vec<f64>>()
        };
        let measure = |name: &str| values(name).first().copied().unwrap_or(0.0);
        let (radius, length) = (measure("radius"), measure("length"));
        match shape.kind.as_str() {
            "sphere" => Shape::Sphere { radius },
            "box" => {
                let size = values("size");
                Shape::Box {
                    size: std::array::from_fn(|k| size.get(k).copied().unwrap_or(0.0)),
                }
            }
            "ellipsoid" => {
                let radii = values("radii");
                Shape::Ellipsoid {
                    radii: std::array::from_fn(|k| radii.get(k).copied().unwrap_or(0.0)),
                }
            }
            "rod" => Shape::Rod { length, axis },
            "disk" => Shape::Disk { radius, axis },
            "cone" => Shape::Cone {
                radius,
                length,
                axis,
            },
            _ => Shape::Cylinder {
                radius,
                inner: measure("inner_radius"),
                length,
                axis,
            },
        }
    }
}

/// A mesh as the page draws it.
fn surface(mesh: &Mesh, unit: f64) -> Shape {
    let coarse = mesh.coarse(TRIANGLES);
    let points: Vec<f64> = coarse.points.iter().flatten().map(|it| it * unit).collect();
    let corners = coarse.triangles.iter().flatten();
    let corners: Vec<f64> = corners.map(|&it| f64::from(it)).collect();
    let [low, high] = coarse.bounds();
    let reach = |k: usize| unit * low[k].abs().max(high[k].abs());
    Shape::Mesh {
        half: std::array::from_fn(reach),
        points: Series::single(&points),
        triangles: Series::single(&corners),
    }
}

/// Balls of one density have masses as the cubes of their radii; light ones are still seen.
fn relative_size(mass: f64, heaviest: f64) -> f64 {
    let part = if heaviest > 0.0 { mass / heaviest } else { 1.0 };
    part.cbrt().clamp(0.45, 1.0)
}

/// The box that has this mass and these principal moments; without a mass, the one of largest edge one whose moments are as these.
fn equal_box(mass: f64, moments: [f64; 3]) -> Option<Shape> {
    let square = |k: usize| {
        let others = moments[(k + 1) % 3] + moments[(k + 2) % 3];
        6.0 * (others - moments[k]).max(0.0)
    };
    let squares = [0, 1, 2].map(square);
    let mass = match mass > 0.0 {
        true => mass,
        false => squares.into_iter().fold(0.0, f64::max),
    };
    let size = squares.map(|square| (square / mass).sqrt());
    let is_one = size.iter().all(|it| it.is_finite());
    is_one.then_some(Shape::Box { size })
}

fn axis(name: &str) -> usize {
    match name {
        "x" => 0,
        "y" => 1,
        _ => 2,
    }
}

/// The attitude of what does not turn.
fn upright() -> [Series; 4] {
    [1.0, 0.0, 0.0, 0.0].map(Series::Constant)
}

/// The unit quaternion, scalar first, of a rotation matrix by rows (Shepperd 1978).
fn quaternion(m: &[f64; 9]) -> [f64; 4] {
    let trace = m[0] + m[4] + m[8];
    let squares = [trace, m[0], m[4], m[8]];
    let largest = (1..4).fold(
        0,
        |best, k| if squares[k] > squares[best] { k } else { best },
    );
    let mut q = match largest {
        0 => [1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]],
        1 => [
            m[7] - m[5],
            1.0 + m[0] - m[4] - m[8],
            m[1] + m[3],
            m[2] + m[6],
        ],
        2 => [
            m[2] - m[6],
            m[1] + m[3],
            1.0 - m[0] + m[4] - m[8],
            m[5] + m[7],
        ],
        _ => [
            m[3] - m[1],
            m[2] + m[6],
            m[5] + m[7],
            1.0 - m[0] - m[4] + m[8],
        ],
    };
    let norm = q.iter().map(|it| it * it).sum::<f64>().sqrt();
    q.iter_mut().for_each(|it| *it /= norm);
    q
}

#[cfg(test)]
#[path = "../../tests/inside/view_scene.rs"]
mod tests;
