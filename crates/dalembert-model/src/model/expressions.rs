//! The expressions of a model, one after the other.

use super::{Expression, Gauge, Inertia, Load, Mass, Model, Shape, SpringSpan, each_drawn};
use crate::data::TABLE;
use crate::diagnostic::Place;
use dalembert_expr::syntax::Kind;

/// Every expression of a model, keys of `[start]` apart.
pub fn each_expression<'m>(model: &'m Model, f: &mut dyn FnMut(&'m Expression)) {
    let named = [&model.parameters, &model.definitions, &model.speeds];
    let named = named.into_iter().flatten().map(|(_, value)| value);
    named.chain(&model.gravity).for_each(&mut *f);
    let starts = model.coordinates.iter().map(|(_, start)| start);
    let starts = starts.chain(model.start.iter().map(|(_, start)| start));
    starts.filter_map(|it| it.value.as_ref()).for_each(&mut *f);
    for particle in &model.particles {
        [&particle.mass, &particle.position]
            .into_iter()
            .for_each(&mut *f);
    }
    model.frames.iter().for_each(|frame| f(&frame.attitude));
    for body in &model.bodies {
        if let Mass::Mass(mass) | Mass::Density(mass) = &body.mass {
            f(mass);
        }
        [&body.center, &body.attitude].into_iter().for_each(&mut *f);
        inertia(body.inertia.as_ref()).for_each(&mut *f);
        body.points.iter().for_each(|(_, point)| f(point));
        let shapes = body.shapes.iter();
        shapes.flat_map(Shape::expressions).for_each(&mut *f);
    }
    if let Some(energy) = &model.energy {
        let parts = [&energy.kinetic, &energy.potential, &energy.dissipation];
        parts.into_iter().flatten().for_each(&mut *f);
    }
    if let Some(dynamics) = &model.dynamics {
        dynamics.mass_matrix.iter().flatten().for_each(&mut *f);
        dynamics.force.iter().for_each(&mut *f);
    }
    let loads = model.forces.iter().map(|force| &force.load);
    let nonideal = model
        .constraints
        .iter()
        .filter_map(|c| c.nonideal.as_deref());
    let impulses = model.events.iter().filter_map(|it| it.impulse.as_ref());
    for load in loads.chain(nonideal).chain(impulses) {
        match load {
            Load::Generalized(components) => components.iter().for_each(|(_, value)| f(value)),
            Load::Along { measure, size } => [measure, size].into_iter().for_each(&mut *f),
            Load::Applied {
                at, vector, torque, ..
            } => [at, vector, torque].into_iter().flatten().for_each(&mut *f),
        }
    }
    for spring in &model.springs {
        match &spring.span {
            SpringSpan::Between(ends) => ends.iter().for_each(&mut *f),
            SpringSpan::On(measure) => f(measure),
        }
        let given = [
            &spring.stiffness,
            &spring.length,
            &spring.damping,
            &spring.dry,
        ];
        given.into_iter().flatten().for_each(&mut *f);
    }
    for constraint in &model.constraints {
        constraint.equations().for_each(&mut *f);
        constraint.restitution.iter().for_each(|it| f(&it.value));
        if let Some(friction) = &constraint.friction {
            f(&friction.coefficient);
            let given = [&friction.holding, &friction.at, &friction.smoothing];
            given.into_iter().flatten().for_each(&mut *f);
        }
    }
    for event in &model.events {
        f(&event.when);
        event.set.iter().for_each(|(_, value)| f(value));
        if let Some(impact) = &event.impact {
            impact
                .on
                .iter()
                .chain(&impact.restitution)
                .for_each(&mut *f);
        }
    }
    let run = &model.run;
    let given = [
        &run.from,
        &run.span,
        &run.rtol,
        &run.atol,
        &run.until,
        &run.samples,
        &run.step,
        &run.max_step,
        &run.max_steps,
    ];
    given.into_iter().flatten().for_each(&mut *f);
    run.record.iter().for_each(&mut *f);
    let gauges = run.gauges.iter();
    gauges.flat_map(Gauge::expressions).for_each(f);
}

/// The moments of inertia, or the entries of the matrix.
pub fn inertia(inertia: Option<&Inertia>) -> impl Iterator<Item = &Expression> {
    let moments: Vec<&Expression> = match inertia {
        Some(Inertia::Principal(moments)) => moments.iter().collect(),
        Some(Inertia::Matrix(rows)) => rows.iter().flatten().collect(),
        None => Vec::new(),
    };
    moments.into_iter()
}

impl Model {
    /// The files that texts of the model take tables from and that are not there yet, each with the first place that names it.
    #[must_use]
    pub fn missing_files(&self) -> Vec<(String, Place)> {
        let mut found: Vec<(String, Place)> = Vec::new();
        let mut look = |expression: &Expression| {
            let tree = &expression.tree;
            for node in tree.nodes() {
                let Kind::Call {
                    function,
                    arguments,
                } = &node.kind
                else {
                    continue;
                };
                let first = arguments.first().filter(|_| *function.text == *TABLE);
                let Some(file) = first.map(|argument| &tree[argument.value]) else {
                    continue;
                };
                if let Kind::Text(name) = &file.kind
                    && self.files.get(name).is_none()
                    && found.iter().all(|(known, _)| **known != **name)
                {
                    found.push((name.to_string(), expression.place(file.span.range())));
                }
            }
        };
        each_expression(self, &mut look);
        each_drawn(self, &mut look);
        found
    }

    /// The files of meshes that are not there yet, each with the first place that names it.
    #[must_use]
    pub fn missing_meshes(&self) -> Vec<(String, Place)> {
        let mut found: Vec<(String, Place)> = Vec::new();
        let drawn = self.draws.iter().flat_map(|draw| &draw.shape);
        let shapes = self.bodies.iter().flat_map(|body| &body.shapes);
        for [file, _] in shapes.chain(drawn).filter_map(|it| it.file.as_ref()) {
            let known = found.iter().any(|(known, _)| *known == file.text);
            if !known && self.files.mesh(&file.text).is_none() {
                found.push((file.text.clone(), file.place.clone()));
            }
        }
        found
    }
}
