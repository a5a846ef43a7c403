//! Many variants of a model at once: other parameters, other starts.

use crate::Model;
use crate::report::{Error, stopped};
use crate::simulate::{Ended, Outcome, RunOptions, Variants, run_many};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::model::{Expression, Model as Description, Name};
use std::ops::ControlFlow;

/// Many runs, one after the other in arrays.
#[derive(Debug)]
pub struct Many {
    /// Names of the coordinates, then of the rates.
    pub names: Vec<String>,
    /// Times of the samples.
    pub times: Vec<f64>,
    /// Coordinates, then rates, sample after sample, variant after variant; no numbers where a variant has no sample.
    pub states: Vec<f64>,
    /// How each variant ended.
    pub runs: Vec<OneOfMany>,
    /// How many ran side by side.
    pub in_lanes: usize,
}

/// How one of many variants ended.
#[derive(Clone, Debug)]
pub struct OneOfMany {
    /// As in the report of a run; "refused" where it could not begin, "interrupted" where it was not run.
    pub status: &'static str,
    /// Why it stopped or was refused, if it was.
    pub reason: Option<Error>,
    /// Samples that it has.
    pub samples: usize,
    /// Accepted steps.
    pub steps: u64,
}

impl Model {
    /// Runs variants of the model: `values` has as many numbers in SI units as there are `names` of parameters, coordinates and rates for each of
    /// `count` variants, on so many threads. `watch` hears the fraction that is done, and may stop the rest.
    ///
    /// # Errors
    /// The model has no meaning, there is no such name, or the options make no sense. What is wrong with single variants is told of each.
    ///
    /// # Panics
    /// If there are more or fewer values.
    pub fn run_many(
        &self,
        names: &[String],
        (values, count): (&[f64], usize),
        options: &RunOptions,
        threads: usize,
        watch: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Many, Error> {
        assert_eq!(values.len(), names.len() * count, "a number for each name");
        // What is wrong with the model as it stands is told as ever.
        self.mechanism()?;
        let mut description = self.description().clone();
        // Only states are given back.
        description.run.record = Vec::new();
        let varied = names.iter().map(|name| {
            let nominal = self.nominal(name);
            varied(&mut description, name, nominal)
        });
        let varied: Result<Vec<String>, Vec<Diagnostic>> = varied.collect();
        let varied = varied.map_err(|errors| self.source().refuse(errors))?;
        let make = || Mechanism::new(description.clone());
        let mechanism = make().map_err(|errors| self.source().refuse(errors))?;
        let place = |name: &String| {
            let mut known = mechanism.model.parameters.iter();
            known.position(|(known, _)| known.text == *name)
        };
        let places: Vec<usize> = varied.iter().filter_map(place).collect();
        let variants = Variants {
            places: &places,
            values,
            count,
            options: None,
        };
        let told = |ended: Ended| self.ended(&mechanism, ended);
        let batch = run_many(make, options, variants, threads, watch);
        let batch = batch.map_err(|ended| {
            let reason = told(ended).reason;
            reason.unwrap_or_else(|| self.source().refuse(Vec::new()))
        })?;
        let coordinates = mechanism.coordinate_names().map(str::to_owned);
        let rates = mechanism.coordinate_names().map(|name| format!("{name}'"));
        Ok(Many {
            names: coordinates.chain(rates).collect(),
            times: batch.times,
            states: batch.states,
            runs: batch.ended.into_iter().map(told).collect(),
            in_lanes: batch.in_lanes,
        })
    }

    /// What the model as it stands starts with; programs are made for that.
    #[must_use]
    pub fn nominal(&self, name: &str) -> f64 {
        let found = || {
            let state = &self.start().ok()?.state;
            let rate = name.strip_suffix('\'');
            let mut names = self.mechanism().ok()?.coordinate_names();
            let place = names.position(|it| it == rate.unwrap_or(name))?;
            Some(match rate {
                Some(_) => state.rates[place],
                None => state.coordinates[place],
            })
        };
        found().unwrap_or(1.0)
    }

    fn ended(&self, mechanism: &Mechanism, ended: Ended) -> OneOfMany {
        let without = |status, reason| OneOfMany {
            status,
            reason,
            samples: 0,
            steps: 0,
        };
        match ended {
            Ended::Run {
                outcome,
                samples,
                steps,
                ..
            } => OneOfMany {
                status: match outcome {
                    Outcome::Done => "done",
                    Outcome::Until => "until",
                    Outcome::Event(_) => "event",
                    Outcome::Rest { .. } => "rest",
                    Outcome::Interrupted => "interrupted",
                    Outcome::Stopped => "error",
                },
                reason: None,
                samples,
                steps,
            },
            Ended::Refused(errors) => without("refused", Some(self.source().refuse(errors))),
            Ended::Stopped(error, samples) => {
                let (why, so_far) = stopped(mechanism, *error);
                let reason = Some(self.source().refuse(vec![why]));
                OneOfMany {
                    samples,
                    steps: so_far.as_ref().map_or(0, |it| it.steps),
                    ..without(if so_far.is_some() { "error" } else { "refused" }, reason)
                }
            }
            Ended::NotRun => without("interrupted", None),
        }
    }
}

/// The parameter by which something varies: a coordinate or a rate gets one of its own for its start.
///
/// # Errors
/// There is no such name.
pub fn varied(
    description: &mut Description,
    name: &str,
    nominal: f64,
) -> Result<String, Vec<Diagnostic>> {
    let mut parameters = description.parameters.iter();
    if parameters.any(|(known, _)| known.text == name) {
        return Ok(name.to_owned());
    }
    let mut own = String::from("start_of_");
    own.extend(
        name.chars()
            .map(|it| if it.is_alphanumeric() { it } else { '_' }),
    );
    while description
        .parameters
        .iter()
        .any(|(known, _)| known.text == own)
    {
        own.push('_');
    }
    // The name is looked at before there is anything new to take it for.
    description.set(&format!("{name}=0"))?;
    let value = Expression::given("run_many", &format!("{nominal:?}"))?;
    let place = value.whole();
    let text = own.clone();
    description.parameters.push((Name { text, place }, value));
    description.set(&format!("{name}={own}"))?;
    Ok(own)
}
