//! Ranges of values that are changed in the page.

use super::start::StartCondition;
use super::{Lowering, Started};
use crate::diagnostic::Place;
use crate::elaborate::Declared;
use crate::model::{Expression, SliderRange};
use dalembert_expr::syntax::meant_or_known;
use dalembert_expr::{Cone, ExprId, Graph};

/// How far a value is changed in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoweredSlider {
    /// The name of a parameter, coordinate, speed or quantity of a joint, or that of a rate, with its prime.
    pub name: String,
    /// The least value and the largest, of parameters.
    pub range: [ExprId; 2],
    /// Whether its scale is logarithmic, if that is said.
    pub log: Option<bool>,
    /// Its place among those of the model.
    pub index: usize,
}

/// Whether a value is a number, and no expression of others.
#[must_use]
pub fn is_literal(graph: &Graph, value: ExprId) -> bool {
    Cone::new(graph, &[value]).symbols(graph).is_empty()
}

/// Whether a value is none of the file.
fn is_set(place: &Place) -> bool {
    matches!(place, Place::Text(given) if given.key == "--set")
}

impl StartCondition {
    /// The value of what an expression names, as `A.angle`, that is said of the start otherwise than by coordinates, rates and speeds.
    fn said(&self, key: &Expression) -> Option<&Started> {
        let all = self.positions.iter().chain(&self.velocities);
        let mut all = all.filter(|it| it.name == key.text.trim());
        all.next().map(|it| &it.started)
    }
}

impl Lowering<'_> {
    pub(super) fn sliders(&mut self, start: &StartCondition) -> Vec<LoweredSlider> {
        let sliders = self.model.view.sliders.iter().enumerate();
        sliders
            .filter_map(|slider| self.slider(slider, start))
            .collect()
    }

    fn slider(
        &mut self,
        (index, slider): (usize, &SliderRange),
        start: &StartCondition,
    ) -> Option<LoweredSlider> {
        let range = [&slider.min, &slider.max].map(|it| self.constant(it, "the end of a slider"));
        let (name, primes) = slider.of.tree.dotted(slider.of.tree.root())?;
        let declared = self.scope.names().get(&name);
        let of = |list: &[(usize, Started)], i: usize| {
            list.iter().find(|(k, _)| *k == i).map(|(_, it)| it.clone())
        };
        let started = match (declared, primes) {
            (Some(Declared::Parameter(i)), 0) => Some(Started {
                value: self.scope.worth()[i],
                must: true,
                place: self.model.parameters[i].1.whole(),
            }),
            (Some(Declared::Coordinate(i)), 0) => start.coordinates.get(i).cloned(),
            (Some(Declared::Coordinate(i)), 1) => of(&start.rates, i),
            (Some(Declared::Speed(k)), 0) => of(&start.speeds, k),
            _ if start.said(&slider.of).is_some() => start.said(&slider.of).cloned(),
            _ => {
                let help = self.nearest_slider(&slider.of.text);
                let message = format!(
                    "`{}` is no parameter, coordinate, rate or speed",
                    slider.of.text
                );
                self.scope.refuse_whole(&slider.of, "E0499", message, help);
                return None;
            }
        };
        if let Some((why, help)) = self.unmovable(started.as_ref()) {
            // A value that is written so from outside is not the file's mistake.
            if started.is_some_and(|it| is_set(&it.place)) {
                return None;
            }
            let message = format!("`{}` {why}, and no slider changes it", slider.of.text);
            self.scope.refuse_whole(&slider.of, "E0499", message, help);
            return None;
        }
        let [Some(min), Some(max)] = range else {
            return None;
        };
        Some(LoweredSlider {
            name: format!("{name}{}", "'".repeat(usize::from(primes))),
            range: [min, max],
            log: slider.log,
            index,
        })
    }

    /// Why a slider cannot change a value, and what to do.
    fn unmovable(&self, started: Option<&Started>) -> Option<(&'static str, &'static str)> {
        let Some(started) = started.filter(|it| it.must) else {
            let help = "give it a number at the start, which then must be met";
            return Some(("is a guess or found at the start", help));
        };
        let literal = |it| is_literal(&self.scope.graph, it);
        match started.value {
            Some(value) if !literal(value) => Some((
                "is written in other values",
                "give the slider to what it is written in",
            )),
            _ => None,
        }
    }

    fn nearest_slider(&self, key: &str) -> String {
        let model = self.model;
        let constants = model.parameters.iter().chain(&model.speeds);
        let constants = constants.map(|(name, _)| name.text.clone());
        let coordinates = model.coordinates.iter().map(|(name, _)| &name.text);
        let moving = coordinates.flat_map(|name| [name.clone(), format!("{name}'")]);
        let said = model.start.iter().map(|(key, _)| key);
        let said = said.filter_map(|key| Some(key.tree.dotted(key.tree.root())?.0));
        let said = said.filter(|name| self.scope.names().get(name).is_none());
        let known: Vec<String> = constants.chain(moving).chain(said).collect();
        meant_or_known(key, known.iter().map(String::as_str)).unwrap_or_default()
    }
}
