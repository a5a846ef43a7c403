//! Whether the dimensions of a model agree, and in which units its results are.
//!
//! Every parameter, definition, coordinate and speed has a dimension, unknown at first. Each
//! expression of the model says something about them: terms of a sum have the same dimension, the
//! argument of a sine has none, a mass is in kg. Only contradictions are errors: a bare number fits
//! any dimension, and so does a parameter that is given as one.
//!
//! * The checking starts with the first unit that has a dimension; `rad` and `deg` alone do not.
//! * What is not understood (unknown names, wrong kinds) is left to [`crate::elaborate`].
//! * Expressions are walked children first, in one loop, and the equations are solved as they come:
//!   see `infer` and `unify`. A system too large for that is not checked further.
//! * The place that is blamed is where the contradiction shows: what is sure comes first (units of
//!   parameters, masses, positions), then start values, then equations.

mod anchors;
mod angles;
mod expressions;
mod infer;
mod report;
#[cfg(test)]
mod tests;
mod unify;

use crate::diagnostic::Diagnostic;
use crate::elaborate::Declared;
use crate::model::{Model, at_most_shown};
use crate::units::Dimension;
use angles::Angles;
use infer::Inference;
use std::collections::HashMap;
use unify::{Form, whole};

/// Contradictions between the dimensions of a model: E0450 where two of them should be the same,
/// E0451 where one should be that of a pure number.
///
/// ```
/// use dalembert_model::dimensions::check;
/// use dalembert_model::model::Model;
///
/// let model = Model::builder("Falling")
///     .gravity("[0, -g, 0]")
///     .parameter("g", "9.81 m/s")
///     .coordinate("y", "0")
///     .particle("P", "1", "[0, y, 0]")
///     .build()
///     .map_err(|errors| errors[0].message.clone())?;
/// assert_eq!(check(&model)[0].message, "-g is m/s, but gravity is m/s^2");
/// # Ok::<(), String>(())
/// ```
#[must_use]
pub fn check(model: &Model) -> Vec<Diagnostic> {
    checked(model).err().unwrap_or_default()
}

/// The same, and the units of a model without contradictions: its dimensions are inferred once.
///
/// # Errors
/// The contradictions.
pub fn checked(model: &Model) -> Result<Units, Vec<Diagnostic>> {
    let angles = Angles::of(model);
    if !has_units(model) {
        return Ok(Units::without(model, &angles));
    }
    let mut inference = inferred(model, &angles);
    let found = std::mem::take(&mut inference.diagnostics);
    match found.is_empty() {
        true => Ok(Units::new(model, &angles, inference)),
        false => Err(at_most_shown(found)),
    }
}

/// Units of the quantities of a model, SI, in the order of the model; `None` where the model does not
/// determine one.
///
/// Angles are in `rad`, other pure numbers in `1`. A model without units determines nothing but
/// which coordinates are angles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Of the coordinates.
    pub coordinates: Vec<Option<String>>,
    /// Of their rates.
    pub rates: Vec<Option<String>>,
    /// Of the rates of these.
    pub accelerations: Vec<Option<String>>,
    /// Of generalized forces and reactions, by coordinate.
    pub generalized_forces: Vec<Option<String>>,
    /// Of generalized momenta, by coordinate.
    pub momenta: Vec<Option<String>>,
    /// Of the speeds.
    pub speeds: Vec<Option<String>>,
    /// Of the parameters.
    pub parameters: Vec<Option<String>>,
    /// Of the definitions.
    pub definitions: Vec<Option<String>>,
    /// Of what is recorded; a vector has one unit for all components.
    pub records: Vec<Option<String>>,
}

/// The units of the quantities of a model.
///
/// ```
/// use dalembert_model::dimensions::units_of;
/// use dalembert_model::model::Model;
///
/// let model = Model::builder("Pendulum")
///     .parameter("l", "1 m")
///     .coordinate("theta", "0")
///     .particle("P", "1", "[l*sin(theta), -l*cos(theta), 0]")
///     .build()
///     .map_err(|errors| errors[0].message.clone())?;
/// let units = units_of(&model);
/// assert_eq!(units.coordinates[0].as_deref(), Some("rad"));
/// assert_eq!(units.rates[0].as_deref(), Some("rad/s"));
/// assert_eq!(units.generalized_forces[0].as_deref(), Some("N*m"));
/// # Ok::<(), String>(())
/// ```
#[must_use]
pub fn units_of(model: &Model) -> Units {
    let angles = Angles::of(model);
    match has_units(model) {
        false => Units::without(model, &angles),
        true => Units::new(model, &angles, inferred(model, &angles)),
    }
}

impl Units {
    /// Of a model that has no units: angles alone are known.
    fn without(model: &Model, angles: &Angles) -> Self {
        let count = model.coordinates.len();
        let of_coordinate = |i| {
            let angle = angles.contains(Declared::Coordinate(i));
            angle.then(|| "rad".to_owned())
        };
        Self {
            coordinates: (0..count).map(of_coordinate).collect(),
            rates: vec![None; count],
            accelerations: vec![None; count],
            generalized_forces: vec![None; count],
            momenta: vec![None; count],
            speeds: vec![None; model.speeds.len()],
            parameters: vec![None; model.parameters.len()],
            definitions: vec![None; model.definitions.len()],
            records: vec![None; model.run.record.len()],
        }
    }

    fn new<'m>(model: &'m Model, angles: &Angles, mut inference: Inference<'m>) -> Self {
        let count = model.coordinates.len();
        // The 2 of sin(2*phi) could have any dimension: for a label, it has none.
        for i in (0..count).filter(|&i| angles.contains(Declared::Coordinate(i))) {
            let form = inference.form_of(Declared::Coordinate(i));
            if let Some(form) = form.filter(|form| form.dimension().is_none()) {
                inference.solver.require_none(form);
            }
        }
        let mut shown = Shown::default();
        let mut all = |count: usize, make: fn(usize) -> Declared, primes: i16| {
            let unit = |i| {
                let form = inference.form_of(make(i))?;
                let form = form.mul_pow(Form::known(Dimension::TIME), whole(-primes))?;
                let dimension = inference.solver.reduce(form)?.dimension()?;
                Some(shown.unit(&dimension, angles.contains(make(i))))
            };
            (0..count).map(unit).collect::<Vec<_>>()
        };
        let coordinates = all(count, Declared::Coordinate, 0);
        let rates = all(count, Declared::Coordinate, 1);
        let accelerations = all(count, Declared::Coordinate, 2);
        let speeds = all(model.speeds.len(), Declared::Speed, 0);
        let parameters = all(model.parameters.len(), Declared::Parameter, 0);
        let definitions = all(model.definitions.len(), Declared::Definition, 0);
        let generalized_forces = (0..count)
            .map(|i| {
                let form = inference.form_of(Declared::Coordinate(i))?;
                let form = Form::known(Dimension::ENERGY).mul_pow(form, whole(-1))?;
                let dimension = inference.solver.reduce(form)?.dimension()?;
                Some(if dimension == Dimension::ENERGY {
                    "N*m".to_owned()
                } else {
                    shown.unit(&dimension, false)
                })
            })
            .collect();
        let momenta = (0..count)
            .map(|i| {
                let form = inference.form_of(Declared::Coordinate(i))?;
                let action = Form::known(Dimension::ENERGY)
                    .mul_pow(Form::known(Dimension::TIME), whole(1))?;
                let dimension = inference.solver.reduce(action.mul_pow(form, whole(-1))?)?;
                Some(shown.unit(&dimension.dimension()?, false))
            })
            .collect();
        let records = model
            .run
            .record
            .iter()
            .map(|expression| {
                let dimension = inference.recorded(expression)?;
                Some(shown.unit(&dimension, angles.names_one(expression)))
            })
            .collect();
        Self {
            coordinates,
            rates,
            accelerations,
            generalized_forces,
            momenta,
            speeds,
            parameters,
            definitions,
            records,
        }
    }
}

/// All that the model says of dimensions.
fn inferred<'m>(model: &'m Model, angles: &Angles) -> Inference<'m> {
    let mut inference = Inference::new(model);
    inference.parameters();
    inference.kinematics();
    inference.starts(angles, false);
    inference.named();
    inference.dynamics();
    inference.starts(angles, true);
    inference.run();
    inference
}

/// Whether some number of the model has a unit with a dimension.
fn has_units(model: &Model) -> bool {
    let mut found = false;
    expressions::each_expression(model, &mut |expression| {
        found = found || infer::has_dimension(expression);
    });
    found
}

/// How dimensions are shown at the heads of columns: a model has few, and many columns.
#[derive(Default)]
struct Shown {
    units: HashMap<(Dimension, bool), String>,
}

impl Shown {
    fn unit(&mut self, dimension: &Dimension, angle: bool) -> String {
        let unit = self.units.entry((*dimension, angle));
        unit.or_insert_with(|| unit_of(dimension, angle)).clone()
    }
}

/// How a dimension is shown at the head of a column.
fn unit_of(dimension: &Dimension, angle: bool) -> String {
    let text = dimension.to_string();
    match dimension.unit_name() {
        Some(name) => name.to_owned(),
        // 1, 1/s, 1/s^2
        None if angle && text.starts_with('1') => text.replacen('1', "rad", 1),
        None => text,
    }
}
