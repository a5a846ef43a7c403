//! Rigid bodies and their shapes.

use super::check::{Check, Content, Fields};
use super::form_codes::names as code;
use super::{Body, Mass, Name, Shape};

/// Shapes without volume.
const THIN: &[&str] = &["disk", "rod"];

impl Check {
    pub(super) fn body(&mut self, name: Name, mut table: Fields) -> Option<Body> {
        if !table.has("inertia") {
            self.one_of(&table, &["mass", "density"], "mass = \"m\"");
        }
        self.exclusive(&table, "mass", "density");
        if !table.has("inertia") && !table.has("shape") {
            self.mistakes.report(
                code::ONE_OF,
                table.place.clone(),
                format!("[{}] has neither `inertia` nor `shape`", table.path),
                "add inertia = [\"Jx\", \"Jy\", \"Jz\"], or a shape such as { sphere = { radius = \"r\" } }; a point mass is a particle",
            );
        }
        let dense = table.has("density");
        if dense && !table.has("shape") {
            self.mistakes.report(
                code::ONE_OF,
                table.place_of("density"),
                format!("[{}] has a `density` but no `shape` to fill", table.path),
                "add a shape, or give the mass",
            );
        }
        let shape = table
            .fields("shape")
            .and_then(|shape| self.shape(shape, dense));
        let inertia = match table.take("inertia") {
            Some(Content::Inertia(inertia)) => Some(inertia),
            _ => None,
        };
        let points = table.named_expressions("point");
        let [center, attitude] = self.body_motion(&name, &mut table)?;
        Some(Body {
            mass: match table.expression("density") {
                Some(density) => Mass::Density(density),
                None if !table.has("mass") && !dense && inertia.is_some() => Mass::None,
                None => Mass::Mass(table.expression("mass")?),
            },
            inertia,
            center,
            attitude,
            shape,
            points,
            name,
        })
    }

    pub(super) fn shape(&mut self, mut table: Fields, dense: bool) -> Option<Shape> {
        let Some((kind, place)) = table.first() else {
            if table.all_known {
                self.mistakes.report(
                    code::ONE_OF,
                    table.place.clone(),
                    "the shape is empty",
                    "write one, such as { disk = { radius = \"r\", axis = \"y\" } }",
                );
            }
            return None;
        };
        let kind = Name {
            text: kind.to_owned(),
            place: place.clone(),
        };
        if let Some(second) = table.names().nth(1) {
            self.mistakes.report(
                code::EXCLUSIVE,
                table.place_of(second),
                format!(
                    "there is one shape, but `{}` and `{second}` are given",
                    kind.text
                ),
                "keep one of them",
            );
        }
        if dense && THIN.contains(&kind.text.as_str()) {
            self.mistakes.report(
                code::NO_VOLUME,
                kind.place.clone(),
                format!("a {} is thin and has no volume for a density", kind.text),
                "give the mass, or use a cylinder",
            );
        }
        let mut measures = table.fields(&kind.text)?;
        let axis = measures.word("axis");
        let mut found = Vec::new();
        for name in measures.names().collect::<Vec<_>>() {
            let place = measures.place_of(name);
            let values = match measures.take(name) {
                Some(Content::Expression(value)) => vec![*value],
                Some(Content::Values(values)) => values,
                _ => continue,
            };
            let text = name.to_owned();
            found.push((Name { text, place }, values));
        }
        Some(Shape {
            kind,
            measures: found,
            axis,
        })
    }
}
