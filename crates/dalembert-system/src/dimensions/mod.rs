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
mod events;
mod infer;
mod report;
mod runs;
mod stated;
#[cfg(test)]
mod tests;
mod unify;

pub use angles::perhaps_degrees;

use crate::diagnostic::Diagnostic;
use crate::elaborate::Declared;
use crate::ids::ConstraintId;
use crate::model::{Model, at_most_shown, each_expression};
use crate::units::Dimension;
use angles::Angles;
use infer::Inference;
use std::collections::HashMap;

/// Contradictions between the dimensions of a model: E0450 where two of them should be the same,
/// E0451 where one should be that of a pure number.
///
/// ```
/// use dalembert_system::dimensions::check;
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
    let mut found = std::mem::take(&mut inference.diagnostics);
    if found.is_empty() {
        found = drawn(model, &angles);
    }
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
    /// Of their rates.
    pub speed_rates: Vec<Option<String>>,
    /// Of generalized forces, by speed: power per speed.
    pub speed_forces: Vec<Option<String>>,
    /// Of the parameters.
    pub parameters: Vec<Option<String>>,
    /// Of the definitions.
    pub definitions: Vec<Option<String>>,
    /// Of what is recorded; a vector has one unit for all components.
    pub records: Vec<Option<String>>,
    /// Of what `[start]` gives values to, in its order.
    pub starts: Vec<Option<String>>,
    /// Of what a run is reduced to.
    pub gauges: Vec<Option<String>>,
    /// Dimensions of the equations of the constraints as they are written; for units of [`multiplier`](Self::multiplier)s and rows.
    pub constraints: Vec<Vec<Option<Dimension>>>,
    /// Whether the model has units at all, so that its forces are in N.
    pub has_units: bool,
}

/// A constraint, and which of its equations.
pub type EquationOf = (ConstraintId, usize);

/// The units of the quantities of a model.
///
/// ```
/// use dalembert_system::dimensions::units_of;
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
            speed_rates: vec![None; model.speeds.len()],
            speed_forces: vec![None; model.speeds.len()],
            parameters: vec![None; model.parameters.len()],
            definitions: vec![None; model.definitions.len()],
            records: vec![None; model.run.record.len()],
            starts: vec![None; model.start.len()],
            gauges: vec![None; model.run.gauges.len()],
            constraints: model
                .constraints
                .iter()
                .map(|it| vec![None; it.equations().count()])
                .collect(),
            has_units: false,
        }
    }

    fn new<'m>(model: &'m Model, angles: &Angles, mut inference: Inference<'m>) -> Self {
        let count = model.coordinates.len();
        // The 2 of sin(2*phi) could have any dimension: for a label, it has none.
        for i in (0..count).filter(|&i| angles.contains(Declared::Coordinate(i))) {
            let form = inference.form_of(Declared::Coordinate(i));
            if let Some(form) = form.filter(|form| form.dimension().is_none()) {
                inference.unifier.require_none(form);
            }
        }
        let mut list = |count: usize, make: fn(usize) -> Declared| {
            let mut of = |declared| {
                let form = inference.form_of(declared)?;
                let dimension = inference.unifier.reduce(form)?.dimension()?;
                Some((dimension, angles.contains(declared)))
            };
            (0..count).map(|i| of(make(i))).collect::<Vec<_>>()
        };
        let coordinates = list(count, Declared::Coordinate);
        let speeds = list(model.speeds.len(), Declared::Speed);
        let parameters = list(model.parameters.len(), Declared::Parameter);
        let definitions = list(model.definitions.len(), Declared::Definition);
        let rows = std::mem::take(&mut inference.rows).into_iter();
        let mut dimension =
            |form: Option<unify::Form>| inference.unifier.reduce(form?)?.dimension();
        let rows = rows.map(|forms| forms.into_iter().map(&mut dimension).collect());
        let constraints = rows.collect();
        let mut shown = Shown::default();
        let mut said = |expression| {
            let dimension = inference.recorded(expression)?;
            Some(shown.unit(&dimension, angles.names_one(expression)))
        };
        let records = model.run.record.iter().map(&mut said).collect();
        let starts = model.start.iter().map(|(key, _)| said(key)).collect();
        let gauges = model.run.gauges.iter().map(|gauge| {
            let dimension = inference.gauged(gauge)?;
            let angle = gauge.expressions().next();
            let angle = angle.is_some_and(|it| angles.names_one(it));
            Some(shown.unit(&dimension, angle))
        });
        let gauges = gauges.collect();
        let none = Dimension::NONE;
        let [energy, power] = [Dimension::ENERGY, rate_of(Dimension::ENERGY, 1)];
        let action = rate_of(Dimension::ENERGY, -1);
        Self {
            has_units: true,
            rates: shown.times(&coordinates, rate_of(none, 1)),
            accelerations: shown.times(&coordinates, rate_of(none, 2)),
            generalized_forces: shown.per(&coordinates, energy),
            momenta: shown.per(&coordinates, action),
            coordinates: shown.times(&coordinates, none),
            speed_rates: shown.times(&speeds, rate_of(none, 1)),
            speed_forces: shown.per(&speeds, power),
            speeds: shown.times(&speeds, none),
            parameters: shown.times(&parameters, none),
            definitions: shown.times(&definitions, none),
            constraints,
            records,
            starts,
            gauges,
        }
    }

    fn equation(&self, (constraint, equation): EquationOf) -> Option<Dimension> {
        let equations = self.constraints.get(constraint.index())?;
        equations.get(equation).copied().flatten()
    }

    /// The unit of a multiplier of an equation that speaks of the n-th derivatives of coordinates: λ times the
    /// (2 − n)-th derivative of the row is a work per time squared.
    #[must_use]
    pub fn multiplier(&self, of: EquationOf, derivatives: u8) -> Option<String> {
        let row = self.equation(of)?;
        let work = rate_of(Dimension::ENERGY, i64::from(derivatives));
        Some(force_unit(&work.checked_div(&row)?))
    }

    /// The unit of the accelerations that such a row restricts: of b and A q''.
    #[must_use]
    pub fn row_acceleration(&self, of: EquationOf, derivatives: u8) -> Option<String> {
        let row = self.equation(of)?;
        let times = 2 - i64::from(derivatives);
        Some(unit_of(&rate_of(row, times), false))
    }

    /// The unit of a constraint as it is written.
    #[must_use]
    pub fn row(&self, of: EquationOf) -> Option<String> {
        let row = self.equation(of)?;
        Some(unit_of(&row, false)).filter(|unit| unit != "1")
    }
}

/// The dimension of the n-th derivative by time.
fn rate_of(of: Dimension, times: i64) -> Dimension {
    let time = Dimension::TIME.checked_pow(times, 1);
    let rate = time.and_then(|time| of.checked_div(&time));
    rate.unwrap_or(Dimension::NONE)
}

/// How a force is shown: work per angle is a moment.
fn force_unit(dimension: &Dimension) -> String {
    match *dimension == Dimension::ENERGY {
        true => "N*m".to_owned(),
        false => unit_of(dimension, false),
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
    inference.events();
    inference.run();
    inference
}

/// Contradictions in what is drawn. It is looked at by itself, because it has no effect on what is known of the model.
fn drawn(model: &Model, angles: &Angles) -> Vec<Diagnostic> {
    let view = &model.view;
    if model.draws.is_empty() && view.camera.is_none() && view.sliders.is_empty() {
        return Vec::new();
    }
    let extended = model.with_running();
    let mut inference = inferred(&extended, angles);
    inference.drawn();
    inference.diagnostics
}

/// Whether some number of the model has a unit with a dimension.
fn has_units(model: &Model) -> bool {
    let mut found = false;
    each_expression(model, &mut |expression| {
        found = found || stated::has_dimension(expression);
    });
    found
}

/// How dimensions are shown at the heads of columns: a model has few, and many columns.
#[derive(Default)]
struct Shown {
    units: HashMap<(Dimension, bool), String>,
}

/// Dimensions with whether they are of angles.
type Measured = [Option<(Dimension, bool)>];

impl Shown {
    /// The units of a · q.
    fn times(&mut self, of: &Measured, a: Dimension) -> Vec<Option<String>> {
        let unit = |it: &Option<(Dimension, bool)>| {
            let (q, angle) = (*it)?;
            Some(self.unit(&a.checked_mul(&q)?, angle))
        };
        of.iter().map(unit).collect()
    }

    /// The units of a/q.
    fn per(&mut self, of: &Measured, a: Dimension) -> Vec<Option<String>> {
        let unit = |it: &Option<(Dimension, bool)>| {
            let (q, _) = (*it)?;
            Some(self.force(&a.checked_div(&q)?))
        };
        of.iter().map(unit).collect()
    }

    fn force(&mut self, dimension: &Dimension) -> String {
        match *dimension == Dimension::ENERGY {
            true => force_unit(dimension),
            false => self.unit(dimension, false),
        }
    }

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
