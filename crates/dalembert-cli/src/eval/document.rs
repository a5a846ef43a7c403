//! The numbers of one state as a document, in the words of the contract.

use super::Found;
use crate::output::number;
use dalembert::mechanics::elaborate::Target;
use dalembert::mechanics::formulation::Formulation;
use dalembert::mechanics::reactions::Acting;
use serde_json::{Map, Value, json};

fn named<'a>(
    names: impl IntoIterator<Item = impl ToString>,
    values: impl IntoIterator<Item = &'a f64>,
) -> Value {
    let pairs = names
        .into_iter()
        .zip(values)
        .map(|(name, value)| (name.to_string(), number(*value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// A name that is not taken yet: a force and a constraint may have the same, as in result files.
fn unused(taken: &Map<String, Value>, name: &str) -> String {
    let numbered = (2..).map(|n| format!("{name} ({n})"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names
        .find(|name| !taken.contains_key(name))
        .unwrap_or_default()
}

fn array(values: &[f64]) -> Value {
    values.iter().map(|&value| number(value)).collect()
}

impl Found<'_> {
    pub(super) fn document(&self) -> Value {
        let (mechanism, s) = (self.mechanism, &self.snapshot);
        let coordinates: Vec<&str> = mechanism.coordinate_names().collect();
        let speeds = mechanism.speed_names();
        let by = |formulation: &Formulation| {
            let found = s.formulations.iter().find(|(name, _)| name == formulation);
            let rates = found.map_or(Value::Null, |(_, rates)| named(&speeds, rates));
            (formulation.name().to_owned(), rates)
        };
        let formulations: Map<String, Value> = Formulation::ALL.iter().map(by).collect();
        let parameters = mechanism.model.parameters.iter();
        let parameters = parameters.map(|(name, _)| name.text.as_str());
        json!({
            "t": number(s.state.t),
            "parameters": named(parameters, &mechanism.parameters),
            "coordinates": named(&coordinates, &s.state.coordinates),
            "rates": named(&coordinates, &s.state.rates),
            "speeds": named(&speeds, &s.speeds),
            "accelerations": named(&coordinates, &s.accelerations),
            "speed_rates": named(&speeds, &s.speed_rates),
            "multipliers": named(self.rows(), &s.multipliers),
            "multipliers_ideal": named(self.rows(), &s.multipliers_ideal),
            "not_unique": self.not_unique(),
            "forces": self.generalized_forces(&speeds),
            "reactions": self.reactions(&coordinates, &speeds),
            "resultants": self.resultants(),
            "geometry": self.geometry(),
            "momentum": named(&coordinates, &self.forces.momenta),
            "total_momentum": match &self.forces.momentum {
                Ok([linear, angular]) => json!({ "linear": array(linear), "angular": array(angular) }),
                Err(why) => json!({ "undetermined": why }),
            },
            "energy": { "kinetic": number(s.kinetic), "potential": number(s.potential) },
            "power": self.power(),
            "independent": self.independent(&coordinates, &speeds),
            "formulations": formulations,
        })
    }

    fn generalized_forces(&self, speeds: &[String]) -> Value {
        let s = &self.snapshot;
        let mut forces = Map::new();
        forces.insert("given".to_owned(), named(speeds, &s.force_given));
        forces.insert("ideal".to_owned(), named(speeds, &s.force_ideal));
        forces.insert("nonideal".to_owned(), named(speeds, &s.force_nonideal));
        if !self.mechanism.system.servo.is_empty() {
            forces.insert("servo".to_owned(), named(speeds, &s.force_servo));
        }
        Value::Object(forces)
    }

    fn independent(&self, coordinates: &[&str], speeds: &[String]) -> Value {
        let chosen = self.mechanism.independents(&self.snapshot.state);
        let chosen = chosen.map(|chosen| {
            let coordinates = chosen.coordinates.iter().map(|&i| coordinates[i]);
            let speeds = chosen.speeds.iter().map(|&i| speeds[i].as_str());
            json!({ "coordinates": coordinates.collect::<Vec<_>>(), "speeds": speeds.collect::<Vec<_>>() })
        });
        chosen.unwrap_or(Value::Null)
    }

    fn power(&self) -> Value {
        let (mechanism, s) = (self.mechanism, &self.snapshot);
        let mut power = Map::new();
        for (force, value) in mechanism.system.forces.iter().zip(&s.force_power) {
            power.insert(unused(&power, &force.name), number(*value));
        }
        for (constraint, value) in mechanism.model.constraints.iter().zip(&s.constraint_power) {
            power.insert(unused(&power, &constraint.name.text), number(*value));
        }
        // A force of the model keeps its name, also this one.
        power.insert(unused(&power, "drive"), number(s.drive));
        Value::Object(power)
    }

    /// What is said of rows whose multipliers are not unique.
    fn not_unique(&self) -> Value {
        let dependences = &self.dependences;
        let row = |row: usize| self.mechanism.system.rows[row].name.clone();
        let rows: Vec<String> = dependences.rows.iter().map(|&i| row(i)).collect();
        json!({ "rows": rows, "why": dependences.words(self.mechanism) })
    }

    fn reactions(&self, coordinates: &[&str], speeds: &[String]) -> Value {
        let constraints = self.mechanism.model.constraints.iter().enumerate();
        let reaction = |(i, constraint): (usize, &dalembert::mechanics::model::Constraint)| {
            // On all coordinates in small models, on those it knows in large ones.
            let (known, components): (Vec<&str>, Vec<f64>) = self
                .snapshot
                .reactions
                .of(i)
                .map(|(coordinate, component)| (coordinates[coordinate], component))
                .unzip();
            let mut entry = Map::new();
            entry.insert("generalized".to_owned(), named(known, &components));
            if let Some(by_speed) = &self.by_speed {
                entry.insert("speeds".to_owned(), named(speeds, &by_speed[i]));
            }
            match &self.forces.reactions[i] {
                Ok(acting) => {
                    let bodies: Map<String, Value> = acting
                        .iter()
                        .map(|acting| (self.name(acting.on), wrench(acting)))
                        .collect();
                    entry.insert("bodies".to_owned(), Value::Object(bodies));
                    if acting.iter().any(Acting::is_open) {
                        entry.insert("undetermined".to_owned(), json!(Acting::WHY_OPEN));
                    }
                }
                Err(why) => {
                    entry.insert("bodies".to_owned(), Value::Null);
                    entry.insert("undetermined".to_owned(), json!(why));
                }
            }
            (constraint.name.text.clone(), Value::Object(entry))
        };
        Value::Object(constraints.map(reaction).collect())
    }

    fn resultants(&self) -> Value {
        let resultants = self.forces.resultants.iter().map(|(on, resultant)| {
            let value = match resultant {
                Ok(acting) => wrench(acting),
                Err(why) => json!({ "undetermined": why }),
            };
            (self.name(*on), value)
        });
        Value::Object(resultants.collect())
    }

    fn name(&self, on: Target) -> String {
        on.name(&self.mechanism.model).to_owned()
    }

    fn geometry(&self) -> Value {
        let geometry = &self.geometry;
        let mut entry = Map::new();
        match &geometry.error {
            Ok(error) => {
                entry.insert("error".to_owned(), array(error));
            }
            Err(why) => {
                entry.insert("error".to_owned(), Value::Null);
                entry.insert("undetermined".to_owned(), json!(why));
            }
        }
        entry.insert("tangent".to_owned(), array(&geometry.tangent));
        entry.insert("normal".to_owned(), array(&geometry.normal));
        Value::Object(entry)
    }
}

fn wrench(acting: &Acting) -> Value {
    json!({ "force": array(&acting.force), "moment": array(&acting.moment) })
}
