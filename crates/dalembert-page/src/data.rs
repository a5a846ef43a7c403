//! What a page shows.

use crate::base64::encode;
use serde::{Serialize, Serializer};

/// All that a page shows.
#[derive(Clone, Debug, Serialize)]
pub struct PageData {
    /// What the system is.
    pub title: String,
    /// The name of the model file.
    pub file: String,
    /// Version of the program.
    pub version: String,
    /// The text of the model file.
    pub source: String,
    /// Where the model comes from, if its file says so.
    pub citation: String,
    /// Constants, with the values they had.
    pub parameters: Vec<Quantity>,
    /// The symbols of the equations.
    pub symbols: Vec<Symbol>,
    /// Numbers over time, time first.
    pub columns: Vec<Column>,
    /// How many of each there are.
    pub samples: usize,
    /// What happened on the way.
    pub events: Vec<Happened>,
    /// What is seen.
    pub scene: Scene,
    /// The model as programs, where the page can run it by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<Live>,
    /// Why it cannot, in words, where it does not.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub not_live: String,
    /// What can be changed.
    pub sliders: Vec<Slider>,
    /// The units that values may be typed in.
    pub units: UnitTable,
    /// Texts about the model and the run.
    pub reports: Vec<Section>,
    /// Curves that are shown first: names of columns, one list for each plot.
    pub plots: Vec<Vec<String>>,
    /// Equations as HTML with MathML, made by a printer that escapes what it is given; or nothing.
    pub equations: String,
    /// Words beside the equations, or in their place.
    pub about_equations: String,
}

/// Units by name.
#[derive(Clone, Debug, Default, Serialize)]
pub struct UnitTable {
    /// Name, factor to SI units, powers of kg, m, s, A, K, mol, cd, and whether it takes prefixes.
    pub names: Vec<(String, f64, [i8; 7], bool)>,
    /// Prefixes with their powers of ten.
    pub prefixes: Vec<(String, i8)>,
}

/// A model that the page runs by itself: its programs, and what is known of them.
#[derive(Clone, Debug, Serialize)]
pub struct Live {
    /// A WebAssembly module.
    #[serde(serialize_with = "as_text")]
    pub module: Vec<u8>,
    /// What the simulator of the page reads (`js/simulate/`): names of programs, sizes, places, tolerances, constants of the method.
    pub run: serde_json::Value,
    /// What is drawn, by the outputs of programs, in the order of the scene (`js/live.js`).
    pub scene: serde_json::Value,
}

fn as_text<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap;
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry("bytes", &encode(bytes))?;
    map.end()
}

/// Something that can be changed.
#[derive(Clone, Debug, Serialize)]
pub struct Slider {
    /// Its name, as `--set` takes it.
    pub name: String,
    /// Its value in the run that is shown first.
    pub value: f64,
    /// Its unit, if that is known.
    pub unit: Option<String>,
    /// What it is, in words.
    pub meaning: String,
    /// Whether it is a parameter, and no start value.
    pub parameter: bool,
    /// Which of the parameters, or of the values at the start.
    pub index: usize,
    /// The least value and the largest.
    pub range: [f64; 2],
    /// Whether equal ways are equal factors.
    pub log: bool,
}

/// A number with a name.
#[derive(Clone, Debug, Serialize)]
pub struct Quantity {
    /// Its name.
    pub name: String,
    /// Its value; none if it is not finite.
    pub value: Option<f64>,
    /// Its unit, if that is known.
    pub unit: Option<String>,
}

/// A symbol of the equations.
#[derive(Clone, Debug, Serialize)]
pub struct Symbol {
    /// How it is printed, in MathML.
    pub mathml: String,
    /// Its name in the model, which is that of a column or of a parameter.
    pub name: String,
    /// What it is, in words.
    pub meaning: String,
}

/// Numbers over time.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Their name.
    pub name: String,
    /// Their unit, if that is known.
    pub unit: Option<String>,
    /// The numbers.
    pub values: Series,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
pub struct Happened {
    /// When.
    pub t: f64,
    /// What, in words.
    pub what: String,
}

/// A text with a heading.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// The text, line by line.
    pub text: String,
}

/// What is seen.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scene {
    /// The axis that points up: 0, 1 or 2; none if nothing says so.
    pub up: Option<usize>,
    /// Whether it points down: gravity is along it.
    pub down: bool,
    /// The plane that is looked at straight on, if one was asked for: its axes.
    pub plane: Option<[usize; 2]>,
    /// Where the camera stands, if that was asked for.
    pub camera: Option<Camera>,
    /// What is there.
    pub figures: Vec<Figure>,
    /// Forces.
    pub arrows: Vec<Arrow>,
}

/// Where a camera stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Camera {
    /// Its place.
    pub from: [f64; 3],
    /// What it looks at.
    pub at: [f64; 3],
}

/// Something that is seen.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub form: Form,
    /// A name of the palette, or #rrggbb; by order if there is none.
    pub color: Option<String>,
    /// Words beside it.
    pub label: Option<String>,
    /// Whether its way stays visible.
    pub trail: bool,
}

/// What is seen, and where.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Form {
    /// A ball of a size that suits the scene.
    Particle {
        /// Where it is.
        at: [Series; 3],
        /// Its radius beside that of the largest particle.
        size: f64,
    },
    /// Shapes that move together.
    Solid {
        /// Where they are.
        pose: Pose,
        /// In the body's axes.
        shapes: Vec<Placed>,
        /// Rods from its centre to these points.
        spokes: Vec<[f64; 3]>,
    },
    /// A rod between two points.
    Line {
        /// Its ends, one after the other.
        ends: [Series; 6],
    },
    /// A coil between two points.
    Spring {
        /// Its ends, one after the other.
        ends: [Series; 6],
    },
    /// A wire through points.
    Curve {
        /// Its points, one after the other.
        points: Vec<[Series; 3]>,
    },
}

/// A place and an attitude over time.
#[derive(Clone, Debug, Serialize)]
pub struct Pose {
    /// The place.
    pub at: [Series; 3],
    /// The attitude as a unit quaternion, scalar first.
    pub turn: [Series; 4],
}

/// A shape somewhere in the axes of what it belongs to.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// The shape.
    #[serde(flatten)]
    pub shape: Shape,
    /// Where it stands, if not at their origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    /// How it stands, as a unit quaternion, scalar first, if not along them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<[f64; 4]>,
}

impl From<Shape> for Placed {
    fn from(shape: Shape) -> Self {
        Self {
            shape,
            at: None,
            turn: None,
        }
    }
}

/// A shape.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Shape {
    /// An ellipsoid along the axes.
    Ellipsoid {
        /// Its half sizes.
        radii: [f64; 3],
    },
    /// A surface of triangles.
    Mesh {
        /// Half the edges of the box around it, as far as it reaches from its origin.
        half: [f64; 3],
        /// Its corners, three numbers each.
        points: Series,
        /// Its triangles, three corners each.
        triangles: Series,
    },
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A box along the axes.
    Box {
        /// Its sizes.
        size: [f64; 3],
    },
    /// A thin rod along an axis.
    Rod {
        /// Its length.
        length: f64,
        /// The axis.
        axis: usize,
    },
    /// A thin disk with an axis as its normal.
    Disk {
        /// Its radius.
        radius: f64,
        /// The axis.
        axis: usize,
    },
    /// A cylinder around an axis, maybe with a bore.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// That of the bore; 0 if there is none.
        inner: f64,
        /// Its length.
        length: f64,
        /// The axis.
        axis: usize,
    },
    /// A cone around an axis, a quarter of its length below its mass centre.
    Cone {
        /// Its radius.
        radius: f64,
        /// Its length.
        length: f64,
        /// The axis.
        axis: usize,
    },
}

/// A force that is seen as an arrow.
#[derive(Clone, Debug, Serialize)]
pub struct Arrow {
    /// Its name.
    pub name: String,
    /// What kind of force it is.
    pub kind: ArrowKind,
    /// The figure on which it acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<usize>,
    /// Where it acts; at the place of that figure, or where its line of action enters it, if that is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[Series; 3]>,
    /// What the names of columns of a force begin with, `NAME.force.x`, …, and where it has one the moment `NAME.moment.x`, … about the
    /// place of the figure: they tell its line of action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
    /// The force; that of the columns, if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<[Series; 3]>,
}

/// What kind of force an arrow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrowKind {
    /// The part of a reaction that does no virtual work.
    Ideal,
    /// The part of a reaction that does, as that which rubs.
    Nonideal,
    /// A given force.
    Given,
}

/// Numbers over time, as they are written: one number where they are all the same.
#[derive(Clone, Debug)]
pub enum Series {
    /// All the same.
    Constant(f64),
    /// In single precision: to be looked at.
    Single(Vec<f32>),
    /// In double precision: to be computed with.
    Double(Vec<f64>),
    /// The same as in a column before.
    Same(usize),
}

impl Scene {
    /// All numbers over time, one after the other.
    pub fn each_series(&mut self, f: &mut dyn FnMut(&mut Series)) {
        for figure in &mut self.figures {
            match &mut figure.form {
                Form::Particle { at, .. } => at.iter_mut().for_each(&mut *f),
                Form::Solid { pose, .. } => {
                    pose.at.iter_mut().chain(&mut pose.turn).for_each(&mut *f);
                }
                Form::Line { ends } | Form::Spring { ends } => ends.iter_mut().for_each(&mut *f),
                Form::Curve { points } => points.iter_mut().flatten().for_each(&mut *f),
            }
        }
        for arrow in &mut self.arrows {
            let vectors = [&mut arrow.at, &mut arrow.force];
            vectors.into_iter().flatten().flatten().for_each(&mut *f);
        }
    }
}

impl Series {
    /// Numbers to be looked at.
    #[must_use]
    pub fn single(values: &[f64]) -> Self {
        match constant(values) {
            Some(value) => Self::Constant(value),
            None => Self::Single(values.iter().map(|&it| it as f32).collect()),
        }
    }

    /// Numbers to be computed with.
    #[must_use]
    pub fn double(values: &[f64]) -> Self {
        match constant(values) {
            Some(value) => Self::Constant(value),
            None => Self::Double(values.to_vec()),
        }
    }
}

/// The number that all are, be it no number; zeros of both signs are one.
fn constant(values: &[f64]) -> Option<f64> {
    let first = values.first().copied().unwrap_or(f64::NAN);
    // Adding zero makes −0 to 0, and leaves every other number as it is.
    let bits = |it: f64| (it + 0.0).to_bits();
    let same = |it: &f64| bits(*it) == bits(first) || (it.is_nan() && first.is_nan());
    values.iter().all(same).then_some(first)
}

/// A number, or an object with one key that says how many bits a number has, or which column has the numbers.
impl Serialize for Series {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let (key, text) = match self {
            Self::Constant(value) if value.is_finite() => return serializer.serialize_f64(*value),
            Self::Constant(_) => return serializer.serialize_none(),
            Self::Same(column) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("same", column)?;
                return map.end();
            }
            Self::Single(values) => {
                let bytes: Vec<u8> = values.iter().flat_map(|it| it.to_le_bytes()).collect();
                ("f32", encode(&bytes))
            }
            Self::Double(values) => {
                let bytes: Vec<u8> = values.iter().flat_map(|it| it.to_le_bytes()).collect();
                ("f64", encode(&bytes))
            }
        };
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(key, &text)?;
        map.end()
    }
}
