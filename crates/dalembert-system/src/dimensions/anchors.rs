//! What the places of a model say about the dimensions of what stands there.
//!
//! | place | dimension |
//! |---|---|
//! | mass, density, inertia | kg, kg/m³, kg m² |
//! | position, centre, points, measures of shapes, what is drawn | m |
//! | gravity | m/s² |
//! | energies, dissipation | J, W |
//! | generalized force Q of a coordinate q or speed v | Q q is J, Q v is W |
//! | M and h of [dynamics] | Mᵢⱼ vᵢ vⱼ is J, hᵢ vᵢ is W |
//! | force, torque | N, N m |
//! | a force that holds a constraint | the same, times an unknown of its own: the size that is found |
//! | stiffness k, damping c along s | k s² is J, c s'² is W |

use super::angles::Angles;
use super::infer::{Inference, Measure, Said};
use super::report::{Site, Source, Wanted};
use super::unify::{Form, whole};
use crate::elaborate::Declared;
use crate::model::inertia;
use crate::model::{Expression, Figure, Load, Mass, Name, Shape, SpringSpan, StartValue};
use crate::units::Dimension;
use dalembert_expr::syntax::Kind;

/// a bᵖ, which is in range for the dimensions used here.
fn per(a: Dimension, b: Dimension, power: i64) -> Dimension {
    let power = b.checked_pow(power, 1);
    power
        .and_then(|power| a.checked_mul(&power))
        .unwrap_or(Dimension::NONE)
}

pub(super) fn power() -> Dimension {
    per(Dimension::ENERGY, Dimension::TIME, -1)
}

pub(super) fn source<'m>(table: &'static str, name: &'m str, key: &'static str) -> Source<'m> {
    Source { table, name, key }
}

fn unnamed(what: &str, form: Option<Form>) -> Option<Wanted<'_>> {
    let of = None;
    form.map(|form| Wanted { what, form, of })
}

/// How the parts of a load are called.
pub(super) struct LoadWords {
    pub(super) generalized: &'static str,
    pub(super) vector: &'static str,
    /// Its key, and what it is.
    pub(super) moment: (&'static str, &'static str),
}

const FORCE: LoadWords = LoadWords {
    generalized: "a generalized force",
    vector: "a force is",
    moment: ("torque", "a torque is"),
};

impl<'m> Inference<'m> {
    /// The value of an expression; `None` if it is a relation, contradicts itself, or fits anything.
    pub(super) fn measured(
        &mut self,
        expression: &'m Expression,
        source: Source<'m>,
    ) -> Option<Measure> {
        self.measured_as(expression, source, None)
    }

    /// The same, of which a dimension is wanted.
    fn measured_as(
        &mut self,
        expression: &'m Expression,
        source: Source<'m>,
        wanted: Option<&Wanted<'_>>,
    ) -> Option<Measure> {
        match self.walk(Site { expression, source }, wanted) {
            Ok(Said::Value(measure)) => Some(measure).filter(|measure| measure.form.is_some()),
            Ok(Said::Relation(_)) | Err(_) => None,
        }
    }

    /// An expression whose dimension must be `wanted`; `what` says so, with its verb.
    pub(super) fn anchored(
        &mut self,
        expression: &'m Expression,
        source: Source<'m>,
        what: &str,
        wanted: Dimension,
    ) {
        self.matched(expression, source, Some(Wanted::known(what, wanted)));
    }

    pub(super) fn matched(
        &mut self,
        expression: &'m Expression,
        source: Source<'m>,
        wanted: Option<Wanted<'_>>,
    ) {
        let measure = self.measured_as(expression, source, wanted.as_ref());
        if let (Some(measure), Some(wanted)) = (measure, wanted) {
            // What went wrong has been reported, and the next expression starts afresh.
            let _ = self.equal(Site { expression, source }, &measure, &wanted);
        }
    }

    pub(super) fn numeric(&mut self, expression: &'m Expression, source: Source<'m>, needs: &str) {
        if let Some(measure) = self.measured(expression, source) {
            let _ = self.pure(Site { expression, source }, measure, needs);
        }
    }

    /// Parameters: first those given with a unit, then those that are made of others.
    pub(super) fn parameters(&mut self) {
        let model = self.model;
        for written in [true, false] {
            for (i, (name, value)) in model.parameters.iter().enumerate() {
                if is_quantity(value) == written {
                    self.defined(Declared::Parameter(i), name, value, "parameters");
                }
            }
        }
    }

    /// Definitions and speeds.
    pub(super) fn named(&mut self) {
        let model = self.model;
        for (i, (name, value)) in model.definitions.iter().enumerate() {
            self.defined(Declared::Definition(i), name, value, "definitions");
        }
        for (i, (name, value)) in model.speeds.iter().enumerate() {
            self.defined(Declared::Speed(i), name, value, "speeds");
        }
    }

    fn defined(
        &mut self,
        declared: Declared,
        name: &'m Name,
        value: &'m Expression,
        table: &'static str,
    ) {
        let source = source(table, &name.text, "");
        let what = format!("{} is", name.text);
        let wanted = self.form_of(declared).map(|form| Wanted {
            what: &what,
            form,
            of: Some(declared),
        });
        self.matched(value, source, wanted);
    }

    /// Masses, places and attitudes.
    pub(super) fn kinematics(&mut self) {
        let model = self.model;
        let (mass, length) = (Dimension::MASS, Dimension::LENGTH);
        for particle in &model.particles {
            let at = |key| source("particle", &particle.name.text, key);
            self.anchored(&particle.mass, at("mass"), "a mass is", mass);
            self.anchored(&particle.position, at("position"), "a position is", length);
        }
        for frame in &model.frames {
            self.measured(
                &frame.attitude,
                source("frame", &frame.name.text, "attitude"),
            );
        }
        for body in &model.bodies {
            let at = |key| source("body", &body.name.text, key);
            let density = per(mass, length, -3);
            match &body.mass {
                Mass::Mass(value) => self.anchored(value, at("mass"), "a mass is", mass),
                Mass::Density(value) => {
                    self.anchored(value, at("density"), "a density is", density);
                }
                Mass::None => {}
            }
            for moment in inertia(body.inertia.as_ref()) {
                let wanted = per(mass, length, 2);
                self.anchored(moment, at("inertia"), "a moment of inertia is", wanted);
            }
            self.anchored(&body.center, at("center"), "a position is", length);
            self.measured(&body.attitude, at("attitude"));
            for (_, point) in &body.points {
                self.anchored(point, at("point"), "body coordinates are", length);
            }
            for shape in &body.shapes {
                self.shape(shape, &|| at("shape"));
                match &shape.mass {
                    Some(Mass::Mass(value)) => {
                        self.anchored(value, at("shape"), "a mass is", mass);
                    }
                    Some(Mass::Density(value)) => {
                        self.anchored(value, at("shape"), "a density is", density);
                    }
                    _ => {}
                }
            }
        }
        if let Some(gravity) = &model.gravity {
            let wanted = per(length, Dimension::TIME, -2);
            self.anchored(gravity, source("gravity", "", ""), "gravity is", wanted);
        }
    }

    /// Measures of a shape, and where it stands.
    fn shape(&mut self, shape: &'m Shape, at: &dyn Fn() -> Source<'m>) {
        let length = Dimension::LENGTH;
        for measure in shape.measures.iter().flat_map(|(_, list)| list) {
            self.anchored(measure, at(), "a measure is", length);
        }
        if let Some(place) = &shape.at {
            self.anchored(place, at(), "body coordinates are", length);
        }
        if let Some(attitude) = &shape.attitude {
            self.measured(attitude, at());
        }
    }

    /// Places and measures of what is drawn. What runs along a curve is a parameter here.
    pub(super) fn drawn(&mut self) {
        let model = self.model;
        let length = Dimension::LENGTH;
        for draw in &model.draws {
            let at = |key| source("draw", &draw.name.text, key);
            match &draw.figure {
                Figure::Point {
                    at: place,
                    attitude,
                } => {
                    self.anchored(place, at("point"), "a position is", length);
                    if let Some(attitude) = attitude {
                        self.measured(attitude, at("attitude"));
                    }
                }
                Figure::Line(ends) => {
                    for end in ends.iter() {
                        self.anchored(end, at("line"), "a position is", length);
                    }
                }
                Figure::Curve(curve) => {
                    let running = self.names.get(&curve.of.text);
                    let form = running.and_then(|it| self.form_of(it));
                    let what = format!("{} is", curve.of.text);
                    self.matched(&curve.to, at("curve"), unnamed(&what, form));
                    self.anchored(&curve.at, at("curve"), "a position is", length);
                }
                Figure::Thing(_) => {}
            }
            if let Some(shape) = &draw.shape {
                self.shape(shape, &|| at("shape"));
            }
        }
        for place in model.view.camera.iter().flat_map(|it| it.iter()) {
            self.anchored(place, source("view", "", "camera"), "a position is", length);
        }
        for slider in &model.view.sliders {
            let named = slider.of.tree.dotted(slider.of.tree.root());
            let Some((name, primes)) = named else {
                continue;
            };
            let source = source("view.sliders", slider.of.text.trim(), "");
            let ends = [&slider.min, &slider.max];
            if let Some(declared) = self.names.get(&name) {
                for end in ends {
                    self.of_value(end, source, declared, primes);
                }
            } else if model
                .start
                .iter()
                .any(|(key, _)| key.text.trim() == slider.of.text.trim())
            {
                let form = self.measured(&slider.of, source).and_then(|it| it.form);
                for end in ends {
                    self.matched(end, source, unnamed("this is", form.clone()));
                }
            }
        }
    }

    /// Start values. Those of angles come late: that a name stands in a sine weighs more.
    pub(super) fn starts(&mut self, angles: &Angles, late: bool) {
        let model = self.model;
        for (i, (name, start)) in model.coordinates.iter().enumerate() {
            let coordinate = Declared::Coordinate(i);
            if angles.contains(coordinate) == late {
                let source = source("coordinates", &name.text, "");
                self.started(start, source, coordinate, 0);
            }
        }
        for (key, start) in &model.start {
            let named = match &key.tree[key.tree.root()].kind {
                Kind::Name { name, primes } => self.names.get(name).map(|it| (it, primes)),
                _ => None,
            };
            let Some((declared @ (Declared::Coordinate(_) | Declared::Speed(_)), primes)) = named
            else {
                if late && let Some(value) = &start.value {
                    let source = source("start", key.text.trim(), "");
                    let form = self.measured(key, source).and_then(|it| it.form);
                    self.matched(value, source, unnamed("this is", form));
                }
                continue;
            };
            if angles.contains(declared) == late {
                let source = source("start", key.text.trim(), "");
                self.started(start, source, declared, *primes);
            }
        }
    }

    fn started(
        &mut self,
        start: &'m StartValue,
        source: Source<'m>,
        declared: Declared,
        primes: u8,
    ) {
        if let Some(value) = &start.value {
            self.of_value(value, source, declared, primes);
        }
    }

    /// A value of a parameter, coordinate or speed, or of a rate.
    fn of_value(
        &mut self,
        value: &'m Expression,
        source: Source<'m>,
        declared: Declared,
        primes: u8,
    ) {
        let what = format!("{} is", source.name);
        let form = self.form_of(declared);
        let time = Form::known(Dimension::TIME);
        let form = form.and_then(|form| form.mul_pow(time, whole(-i16::from(primes))));
        let wanted = form.map(|form| Wanted {
            what: &what,
            form,
            of: Some(declared),
        });
        self.matched(value, source, wanted);
    }

    /// Energies, forces, springs and constraints.
    pub(super) fn dynamics(&mut self) {
        let model = self.model;
        if let Some(energy) = &model.energy {
            let parts = [
                (&energy.kinetic, "kinetic", "a kinetic energy is"),
                (&energy.potential, "potential", "a potential energy is"),
            ];
            for (part, key, what) in parts {
                if let Some(part) = part {
                    self.anchored(part, source("energy", "", key), what, Dimension::ENERGY);
                }
            }
            if let Some(dissipation) = &energy.dissipation {
                let at = source("energy", "", "dissipation");
                self.anchored(dissipation, at, "a dissipation function is", power());
            }
        }
        self.equations();
        for (i, force) in model.forces.iter().enumerate() {
            let name = &force.name.text;
            let size = self.size_of_force(i);
            self.load(&force.load, (size, &FORCE), |key| {
                source("force", name, key)
            });
        }
        self.springs();
        for constraint in &model.constraints {
            let at = |key| source("constraint", &constraint.name.text, key);
            let source = at("holds");
            let forms = constraint.equations().map(|expression| {
                match self.walk(Site { expression, source }, None) {
                    Ok(Said::Relation(form)) => form,
                    _ => None,
                }
            });
            let forms = forms.collect();
            self.rows.push(forms);
            if let Some(load) = &constraint.nonideal {
                self.load(load, (None, &FORCE), |_| at("nonideal"));
            }
            if let Some(restitution) = &constraint.restitution {
                let needs = "a coefficient of restitution is a pure number";
                self.numeric(&restitution.value, at("restitution"), needs);
            }
            if let Some(friction) = &constraint.friction {
                let what = "a coefficient of friction is";
                self.anchored(&friction.coefficient, at("friction"), what, Dimension::NONE);
                if let Some(holding) = &friction.holding {
                    self.anchored(holding, at("friction"), what, Dimension::NONE);
                }
                if let Some(place) = &friction.at {
                    self.anchored(place, at("friction"), "a place is", Dimension::LENGTH);
                }
                if let Some(width) = &friction.smoothing {
                    self.anchored(
                        width,
                        at("friction"),
                        "a speed is",
                        per(Dimension::LENGTH, Dimension::TIME, -1),
                    );
                }
            }
        }
    }

    /// M v' = h, in the order of the speeds, or of the coordinates.
    fn equations(&mut self) {
        let model = self.model;
        let Some(dynamics) = &model.dynamics else {
            return;
        };
        let count = model.coordinates.len();
        let mut speeds: Vec<Option<Form>> = Vec::with_capacity(count);
        for i in 0..count {
            speeds.push(if model.speeds.is_empty() {
                let time = Form::known(Dimension::TIME);
                let form = self.form_of(Declared::Coordinate(i));
                form.and_then(|form| form.mul_pow(time, whole(-1)))
            } else if i < model.speeds.len() {
                self.form_of(Declared::Speed(i))
            } else {
                None
            });
        }
        let speed = |i: usize| speeds.get(i).cloned().flatten();
        for (i, row) in dynamics.mass_matrix.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                let wanted = speed(i)
                    .zip(speed(j))
                    .and_then(|(a, b)| a.mul_pow(b, whole(1)))
                    .and_then(|both| Form::known(Dimension::ENERGY).mul_pow(both, whole(-1)));
                let at = source("dynamics", "", "mass_matrix");
                let what = "this entry of the mass matrix is";
                self.matched(entry, at, unnamed(what, wanted));
            }
        }
        for (i, entry) in dynamics.force.iter().enumerate() {
            let wanted = speed(i).and_then(|v| Form::known(power()).mul_pow(v, whole(-1)));
            let at = source("dynamics", "", "force");
            let what = "this entry of the force is";
            self.matched(entry, at, unnamed(what, wanted));
        }
    }

    /// A force; `size` is the dimension of what is found to multiply it, where it gives a direction only.
    pub(super) fn load(
        &mut self,
        load: &'m Load,
        (size, words): (Option<Form>, &LoadWords),
        at: impl Fn(&'static str) -> Source<'m>,
    ) {
        let per_size = |form: Form| match &size {
            Some(size) => form.mul_pow(size.clone(), whole(-1)),
            None => Some(form),
        };
        match load {
            Load::Generalized(components) => {
                for (name, value) in components {
                    let work = match self.names.get(&name.text) {
                        Some(Declared::Speed(_)) => power(),
                        _ => Dimension::ENERGY,
                    };
                    let declared = self.names.get(&name.text);
                    let form = declared.and_then(|declared| self.form_of(declared));
                    let wanted = form.and_then(|q| Form::known(work).mul_pow(q, whole(-1)));
                    let wanted = wanted.and_then(per_size);
                    let what = format!("{} on {} is", words.generalized, name.text);
                    let wanted = wanted.map(|form| Wanted {
                        what: &what,
                        form,
                        of: declared,
                    });
                    self.matched(value, at("generalized"), wanted);
                }
            }
            Load::Along { measure, size } => {
                let form = self.measured(measure, at("along"));
                let form = form.and_then(|measure| measure.form);
                let wanted =
                    form.and_then(|s| Form::known(Dimension::ENERGY).mul_pow(s, whole(-1)));
                let wanted = wanted.and_then(per_size);
                self.matched(size, at("size"), unnamed("a force along this is", wanted));
            }
            Load::Applied {
                at: place,
                vector,
                torque,
                ..
            } => {
                if let Some(place) = place {
                    self.anchored(place, at("at"), "a place is", Dimension::LENGTH);
                }
                let given = [
                    (vector, "vector", words.vector, Dimension::FORCE),
                    (torque, words.moment.0, words.moment.1, Dimension::ENERGY),
                ];
                for (value, key, what, wanted) in given {
                    if let Some(value) = value {
                        let wanted = per_size(Form::known(wanted));
                        self.matched(value, at(key), unnamed(what, wanted));
                    }
                }
            }
        }
    }

    fn springs(&mut self) {
        let model = self.model;
        for spring in &model.springs {
            let at = |key| source("spring", &spring.name.text, key);
            let along = match &spring.span {
                SpringSpan::Between(ends) => {
                    for end in ends.iter() {
                        self.anchored(end, at("between"), "a position is", Dimension::LENGTH);
                    }
                    Some(Form::known(Dimension::LENGTH))
                }
                SpringSpan::On(measure) => {
                    let measure = self.measured(measure, at("on"));
                    measure.and_then(|measure| measure.form)
                }
            };
            let time = Form::known(Dimension::TIME);
            let rate = along.clone().and_then(|s| s.mul_pow(time, whole(-1)));
            let per_square = |work, s: Option<Form>| Form::known(work).mul_pow(s?, whole(-2));
            let stiffness = per_square(Dimension::ENERGY, along.clone());
            let dry = along.clone();
            let dry = dry.and_then(|s| Form::known(Dimension::ENERGY).mul_pow(s, whole(-1)));
            let damping = per_square(power(), rate);
            let given = [
                (&spring.length, "length", "the spring's length is", along),
                (
                    &spring.stiffness,
                    "stiffness",
                    "its stiffness is",
                    stiffness,
                ),
                (&spring.damping, "damping", "its damping is", damping),
                (&spring.dry, "dry", "its dry friction is", dry),
            ];
            for (value, key, what, wanted) in given {
                if let Some(value) = value {
                    self.matched(value, at(key), unnamed(what, wanted));
                }
            }
        }
    }
}

/// Whether an expression is nothing but a number with a unit.
fn is_quantity(expression: &Expression) -> bool {
    let tree = &expression.tree;
    matches!(tree[tree.root()].kind, Kind::Quantity { .. })
}
