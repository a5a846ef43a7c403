//! Mass, mass centre and inertia of bodies by their shapes, which are homogeneous.
//!
//! | shape | measures | moments about the axis, across it |
//! |---|---|---|
//! | disk (thin) | radius | m r²/2, m r²/4 |
//! | rod (thin) | length | 0, m l²/12 |
//! | cylinder | radius, length | m r²/2, m (3 r² + l²)/12 |
//! | tube | radius, inner_radius, length | m (r² + i²)/2, m (3 (r² + i²) + l²)/12 |
//! | cone | radius, length | 3 m r²/10, 3 m (4 r² + l²)/80 (about the mass centre) |
//! | sphere | radius | 2 m r²/5 |
//! | ellipsoid | radii = [a, b, c] | m (b² + c²)/5, … |
//! | box | size = [a, b, c] | m (b² + c²)/12, … |
//! | mesh | a file | sums over its triangles (`mesh.rs` of `dalembert-model`) |
//!
//! A body of several shapes i with masses mᵢ, whose mass centres are at pᵢ and which stand as Rᵢ says:
//!
//! ```text
//! m = Σ mᵢ        c = Σ mᵢ pᵢ / m        I = Σ Rᵢ Iᵢ Rᵢᵀ + mᵢ (dᵢ·dᵢ − dᵢ dᵢᵀ),   dᵢ = pᵢ − c        (Huygens and Steiner)
//! ```

use super::{Elaborator, Vector, VectorAlgebra};
use crate::mesh::NoSolid;
use crate::model::{Body, Expression, Mass, Shape};
use crate::units::lookup;
use dalembert_expr::{Cone, ExprId, Rational, SymbolKind};

/// The member of a body that is its mass centre in body coordinates.
pub const MASS_CENTER: &str = "mass_center";

/// What a body weighs, by its shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// Its mass.
    pub mass: ExprId,
    /// Its mass centre in body coordinates.
    pub center: Vector,
    /// Its inertia about that, in body axes.
    pub inertia: [Vector; 3],
}

/// A shape before it is known how heavy it is.
struct Part {
    /// Its mass centre, in body axes.
    center: Vector,
    /// Its inertia about that per mass, in body axes.
    inertia: [Vector; 3],
    volume: Option<ExprId>,
}

impl Elaborator<'_> {
    /// A number that does not change along the motion.
    pub fn constant(&mut self, expression: &Expression, what: &str) -> Option<ExprId> {
        let value = self.scalar(expression)?;
        self.stays(&[value], expression, what).then_some(value)
    }

    fn stays(&mut self, values: &[ExprId], expression: &Expression, what: &str) -> bool {
        let symbols = Cone::new(&self.graph, values).symbols(&self.graph);
        let moves = |kind| matches!(kind, SymbolKind::Time | SymbolKind::Coordinate);
        let mut kinds = symbols.iter().map(|it| self.graph.symbol_data(*it).kind);
        if kinds.any(moves) {
            let message = format!("{what} cannot change in time");
            let help = "write it in parameters";
            self.refuse_whole(expression, "E0414", message, help);
            return false;
        }
        true
    }

    /// The mass centre of a body in its own coordinates.
    pub fn mass_center(&mut self, index: usize) -> Vector {
        match self.weighed[index] {
            Some(weighed) if self.model.bodies[index].is_off_center() => weighed.center,
            _ => self.graph.zero3(),
        }
    }

    /// A point of a body as seen from its mass centre, in body axes.
    pub fn from_mass_center(&mut self, index: usize, at: Vector) -> Vector {
        match self.model.bodies[index].is_off_center() {
            true => {
                let center = self.mass_center(index);
                self.graph.sub3(at, center)
            }
            false => at,
        }
    }

    /// What a body weighs by its shapes; nothing if one of them cannot be read.
    pub fn weighed(&mut self, index: usize) -> Option<Weighed> {
        if self.weighed[index].is_none() {
            self.weighed[index] = self.weigh(&self.model.bodies[index]);
        }
        self.weighed[index]
    }

    fn weigh(&mut self, body: &Body) -> Option<Weighed> {
        let parts: Vec<Option<Part>> = body.shapes.iter().map(|it| self.part(it)).collect();
        let parts: Vec<Part> = parts.into_iter().collect::<Option<_>>()?;
        let masses = self.masses(body, &parts)?;
        let g = &mut self.graph;
        let mass = g.sum(masses.iter().copied());
        if !body.is_off_center() {
            let inertia = parts.first()?.inertia;
            let inertia = inertia.map(|row| g.scale3(mass, row));
            let center = g.zero3();
            return Some(Weighed {
                mass,
                center,
                inertia,
            });
        }
        let center = match parts.as_slice() {
            [part] => part.center,
            _ => {
                let mut moment = g.zero3();
                for (part, &mass) in parts.iter().zip(&masses) {
                    let own = g.scale3(mass, part.center);
                    moment = g.add3(moment, own);
                }
                moment.map(|it| g.div(it, mass))
            }
        };
        let mut inertia = [g.zero3(); 3];
        for (part, &mass) in parts.iter().zip(&masses) {
            let d = g.sub3(part.center, center);
            let square = g.dot3(d, d);
            for i in 0..3 {
                for j in 0..3 {
                    let product = g.mul(d[i], d[j]);
                    let product = g.neg(product);
                    let diagonal = (i == j).then_some(square);
                    let terms = [part.inertia[i][j], product].into_iter().chain(diagonal);
                    let own = g.sum(terms);
                    let own = g.mul(mass, own);
                    inertia[i][j] = g.add(inertia[i][j], own);
                }
            }
        }
        Some(Weighed {
            mass,
            center,
            inertia,
        })
    }

    /// The masses of the parts of a body.
    fn masses(&mut self, body: &Body, parts: &[Part]) -> Option<Vec<ExprId>> {
        let whole = match &body.mass {
            Mass::Mass(mass) => Some(self.constant(mass, "a mass")?),
            Mass::Density(density) => Some(self.constant(density, "a density")?),
            Mass::None => None,
        };
        let volumes: Option<Vec<ExprId>> = parts.iter().map(|part| part.volume).collect();
        let sum = volumes.map(|volumes| self.graph.sum(volumes));
        let mut masses = Vec::with_capacity(parts.len());
        for (shape, part) in body.shapes.iter().zip(parts) {
            let mass = match (&shape.mass, &body.mass) {
                (Some(Mass::Mass(mass)), _) => self.constant(mass, "a mass")?,
                (Some(Mass::Density(density)), _) => {
                    let density = self.constant(density, "a density")?;
                    self.graph.mul(density, part.volume?)
                }
                (_, Mass::Density(_)) => self.graph.mul(whole?, part.volume?),
                (_, Mass::Mass(_)) if parts.len() == 1 => whole?,
                (_, Mass::Mass(_)) => {
                    let share = self.graph.div(part.volume?, sum?);
                    self.graph.mul(whole?, share)
                }
                _ => return None,
            };
            masses.push(mass);
        }
        Some(masses)
    }

    /// A shape where it stands.
    fn part(&mut self, shape: &Shape) -> Option<Part> {
        let zero = self.graph.zero3();
        let mut part = match &shape.file {
            Some(_) => self.solid(shape)?,
            None => {
                let moments = self.moments(shape)?;
                let mut inertia = [zero; 3];
                (0..3).for_each(|k| inertia[k][k] = moments[k]);
                Part {
                    center: zero,
                    inertia,
                    volume: self.volume(shape),
                }
            }
        };
        if let Some(matrix) = self.attitude_of_shape(shape)? {
            let g = &mut self.graph;
            part.center = g.rotate3(&matrix, part.center);
            // R I Rᵀ, by rows.
            let half = matrix.map(|row| part.inertia.map(|it| g.dot3(row, it)));
            part.inertia = half.map(|row| matrix.map(|it| g.dot3(row, it)));
        }
        if let Some(at) = self.place_of_shape(shape)? {
            part.center = self.graph.add3(at, part.center);
        }
        Some(part)
    }

    /// Rows of the attitude of a shape in the axes of its body, where it has one.
    pub fn attitude_of_shape(&mut self, shape: &Shape) -> Option<Option<[Vector; 3]>> {
        let Some(written) = &shape.attitude else {
            return Some(None);
        };
        let matrix = self.attitude(written)?.matrix;
        let stays = self.stays(
            matrix.as_flattened(),
            written,
            "the attitude of a shape in its body",
        );
        stays.then_some(Some(matrix))
    }

    /// Where a shape stands in its body, if that is written.
    pub fn place_of_shape(&mut self, shape: &Shape) -> Option<Option<Vector>> {
        let Some(written) = &shape.at else {
            return Some(None);
        };
        let at = self.vector(written)?;
        let stays = self.stays(&at, written, "the place of a shape in its body");
        stays.then_some(Some(at))
    }

    /// The solid that a mesh encloses.
    fn solid(&mut self, shape: &Shape) -> Option<Part> {
        let [file, unit] = shape.file.as_ref()?;
        let Some(mesh) = self.model.files.mesh(&file.text) else {
            let message = format!("there is no file {} to take a mesh from", file.text);
            let help = "a model that is read from a file takes meshes from files beside it";
            self.report("E0488", file.place.clone(), message, help);
            return None;
        };
        let scale = lookup(&unit.text)?.value();
        let solid = match mesh.solid(scale) {
            Ok(solid) => solid,
            Err(why) => {
                let (message, help) = open_mesh(&file.text, &why, &unit.text);
                self.report("E0489", file.place.clone(), message, help);
                return None;
            }
        };
        let g = &mut self.graph;
        let mut number = |x: f64| {
            let exact = Rational::parse_decimal(&format!("{:e}", x.abs())).ok()?;
            let exact = g.number(exact);
            Some(if x < 0.0 { g.neg(exact) } else { exact })
        };
        let mut vector = |v: [f64; 3]| Some([number(v[0])?, number(v[1])?, number(v[2])?]);
        let center = vector(solid.center)?;
        let [x, y, z] = solid.inertia.map(&mut vector);
        let inertia = [x?, y?, z?];
        let volume = number(solid.volume)?;
        Some(Part {
            center,
            inertia,
            volume: Some(volume),
        })
    }

    fn one_measure(&mut self, shape: &Shape, name: &str) -> Option<ExprId> {
        self.measures(shape, name)?.first().copied()
    }

    /// All values of a measure: a box has three sizes.
    fn measures(&mut self, shape: &Shape, name: &str) -> Option<Vec<ExprId>> {
        let mut measures = shape.measures.iter();
        let (_, expressions) = measures.find(|(measure, _)| measure.text == name)?;
        let values = expressions.iter().map(|it| self.constant(it, "a measure"));
        values.collect()
    }

    /// a/b · x²
    fn fraction(&mut self, numerator: i64, denominator: i64, x: ExprId) -> ExprId {
        let factor = Rational::new(numerator, denominator).unwrap_or(Rational::ZERO);
        let factor = self.graph.number(factor);
        let square = self.graph.powi(x, 2);
        self.graph.mul(factor, square)
    }

    /// Moments of inertia per mass, about x, y and z.
    fn moments(&mut self, shape: &Shape) -> Option<[ExprId; 3]> {
        let zero = self.graph.integer(0);
        let (along, across) = match shape.kind.text.as_str() {
            "sphere" => {
                let r = self.one_measure(shape, "radius")?;
                let moment = self.fraction(2, 5, r);
                return Some([moment; 3]);
            }
            kind @ ("box" | "ellipsoid") => {
                let (name, part) = if kind == "box" {
                    ("size", 12)
                } else {
                    ("radii", 5)
                };
                let size = self.measures(shape, name)?;
                let squares = [0, 1, 2].map(|i| self.fraction(1, part, size[i]));
                let g = &mut self.graph;
                return Some([0, 1, 2].map(|i| g.add(squares[(i + 1) % 3], squares[(i + 2) % 3])));
            }
            "disk" => {
                let r = self.one_measure(shape, "radius")?;
                (self.fraction(1, 2, r), self.fraction(1, 4, r))
            }
            "rod" => {
                let l = self.one_measure(shape, "length")?;
                (zero, self.fraction(1, 12, l))
            }
            "cylinder" => {
                let r = self.one_measure(shape, "radius")?;
                let l = self.one_measure(shape, "length")?;
                let (round, long) = (self.fraction(1, 4, r), self.fraction(1, 12, l));
                (self.fraction(1, 2, r), self.graph.add(round, long))
            }
            "tube" => {
                let r = self.one_measure(shape, "radius")?;
                let l = self.one_measure(shape, "length")?;
                let inner = self.one_measure(shape, "inner_radius")?;
                let along = [self.fraction(1, 2, r), self.fraction(1, 2, inner)];
                let across = [
                    self.fraction(1, 4, r),
                    self.fraction(1, 4, inner),
                    self.fraction(1, 12, l),
                ];
                (self.graph.sum(along), self.graph.sum(across))
            }
            "cone" => {
                let r = self.one_measure(shape, "radius")?;
                let h = self.one_measure(shape, "length")?;
                let across = [self.fraction(3, 20, r), self.fraction(3, 80, h)];
                (self.fraction(3, 10, r), self.graph.sum(across))
            }
            _ => return None,
        };
        let axis = shape.axis.as_ref().map_or("z", |axis| axis.text.as_str());
        Some(["x", "y", "z"].map(|name| if name == axis { along } else { across }))
    }

    /// The volume of a shape; thin ones have none.
    fn volume(&mut self, shape: &Shape) -> Option<ExprId> {
        let pi = self.graph.pi();
        let thirds = Rational::new(4, 3).unwrap_or(Rational::ZERO);
        match shape.kind.text.as_str() {
            "sphere" => {
                let r = self.one_measure(shape, "radius")?;
                let cube = self.graph.powi(r, 3);
                let factor = self.graph.number(thirds);
                Some(self.graph.product([factor, pi, cube]))
            }
            "ellipsoid" => {
                let radii = self.measures(shape, "radii")?;
                let factor = self.graph.number(thirds);
                Some(self.graph.product([factor, pi].into_iter().chain(radii)))
            }
            "box" => {
                let size = self.measures(shape, "size")?;
                Some(self.graph.product(size))
            }
            "cylinder" => {
                let (r, length) = (
                    self.one_measure(shape, "radius")?,
                    self.one_measure(shape, "length")?,
                );
                let round = self.fraction(1, 1, r);
                Some(self.graph.product([pi, round, length]))
            }
            "tube" => {
                let (r, length) = (
                    self.one_measure(shape, "radius")?,
                    self.one_measure(shape, "length")?,
                );
                let inner = self.one_measure(shape, "inner_radius")?;
                let (outer, inner) = (self.fraction(1, 1, r), self.fraction(1, 1, inner));
                let ring = self.graph.sub(outer, inner);
                Some(self.graph.product([pi, ring, length]))
            }
            "cone" => {
                let (r, height) = (
                    self.one_measure(shape, "radius")?,
                    self.one_measure(shape, "length")?,
                );
                let round = self.fraction(1, 3, r);
                Some(self.graph.product([pi, round, height]))
            }
            _ => None,
        }
    }
}

/// Why a mesh has no inside, in words.
fn open_mesh(file: &str, why: &NoSolid, unit: &str) -> (String, &'static str) {
    let between = |[a, b]: &[[f64; 3]; 2]| {
        let point = |p: &[f64; 3]| format!("({}, {}, {})", p[0], p[1], p[2]);
        format!("from {} to {} {unit}", point(a), point(b))
    };
    match why {
        NoSolid::Empty => (
            format!("the mesh {file} has no triangles"),
            "is it the file that you mean?",
        ),
        NoSolid::Open(count, first) => (
            format!(
                "the mesh {file} is open: {count} of its edges belong to one triangle alone, one of them {}",
                between(first)
            ),
            "close it in the program that it was drawn with; with `inertia` and `mass` it is only drawn, and may be open",
        ),
        NoSolid::Twisted(count, first) => (
            format!(
                "triangles of the mesh {file} face different ways at {count} of its edges, one of them {}",
                between(first)
            ),
            "turn them so that all are counterclockwise as seen from outside; with `inertia` and `mass` it is only drawn",
        ),
        NoSolid::InsideOut => (
            format!("the triangles of the mesh {file} face inwards"),
            "turn them all round: counterclockwise as seen from outside",
        ),
        NoSolid::Flat => (
            format!("the mesh {file} encloses no volume"),
            "a surface has no inertia; with `inertia` and `mass` it is only drawn",
        ),
    }
}
