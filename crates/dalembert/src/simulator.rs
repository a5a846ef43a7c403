//! A model that someone else drives, step by step: for control and learning.

use crate::Model;
use crate::model::Source;
use crate::report::{Error, stopped};
use crate::simulate::{NotStepped, RunOptions, SimulateError, Stepping, nearest, step_by_run};
use dalembert_expr::syntax::meant_or_known;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::start::State;
use dalembert_mechanics::values::checked_values;
use dalembert_mechanics::{Mechanism, Mode};
use self_cell::self_cell;
use std::ops::ControlFlow;

self_cell!(
    /// A mechanism with the steps that are made of it.
    struct Fast {
        owner: Mechanism,
        #[not_covariant]
        dependent: Stepping,
    }
);

/// A model that moves when it is told to, with inputs that are set in between.
pub struct Simulator {
    source: Source,
    /// What is asked about anything but usual steps; it has the present values of parameters and inputs.
    mechanism: Mechanism,
    options: RunOptions,
    start: State,
    state: State,
    /// Parameters and inputs that were set, by their place.
    given: Vec<(usize, f64)>,
    /// Steps in which nothing can happen that only runs look for.
    fast: Option<Fast>,
    /// Whether the state was changed since they were last made.
    moved: bool,
}

impl Model {
    /// The model as something that moves when it is told to; tolerances are those of `options` or of the model.
    ///
    /// # Errors
    /// The model has no meaning or no start, or events that only runs look for.
    pub fn simulator(&self, options: &RunOptions) -> Result<Simulator, Error> {
        let source = self.source().clone();
        let start = self.start()?.state.clone();
        let refuse = |errors: Vec<Diagnostic>| source.refuse(errors);
        if let Some(event) = self.mechanism()?.model.events.first() {
            let message = format!(
                "the model has events, such as `{}`, which are not looked for in single steps",
                event.name.text
            );
            let help = "use `run`, or leave events to the program that drives the model";
            let place = event.name.place.clone();
            return Err(refuse(vec![Diagnostic::error(
                "E0565", place, message, help,
            )]));
        }
        let make = || Mechanism::new(self.description().clone()).map_err(refuse);
        let mechanism = make()?;
        let number = |asked: Option<f64>, written: Option<dalembert_expr::ExprId>| {
            asked.or_else(|| written.map(|it| mechanism.run_value(it)))
        };
        let run = &mechanism.system.run;
        let rtol = number(options.rtol, run.rtol).unwrap_or(1e-9);
        let atol = number(options.atol, run.atol);
        let fast = Fast::try_new_or_recover(make()?, |mechanism| {
            match Stepping::new(mechanism, &start, (rtol, atol)) {
                Ok(Some(stepping)) => Ok(stepping),
                Ok(None) => Err(None),
                Err(error) => Err(Some(error)),
            }
        });
        let fast = match fast {
            Ok(fast) => Some(fast),
            Err((_, None)) => None,
            Err((mechanism, Some(error))) => {
                return Err(refuse(vec![stopped(&mechanism, error).0]));
            }
        };
        Ok(Simulator {
            source: source.clone(),
            options: RunOptions {
                rtol: Some(rtol),
                atol,
                ..options.clone()
            },
            state: start.clone(),
            start,
            given: Vec::new(),
            mechanism,
            fast,
            moved: false,
        })
    }
}

impl Simulator {
    /// Time.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.state.t
    }

    /// Coordinates, in the order of the model.
    #[must_use]
    pub fn coordinates(&self) -> &[f64] {
        &self.state.coordinates
    }

    /// Rates, in the order of the coordinates.
    #[must_use]
    pub fn rates(&self) -> &[f64] {
        &self.state.rates
    }

    /// Names of the coordinates.
    pub fn coordinate_names(&self) -> impl Iterator<Item = &str> {
        self.mechanism.coordinate_names()
    }

    /// Names and present values of the inputs.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, f64)> {
        let inputs = self.mechanism.model.inputs.iter();
        inputs.filter_map(|input| {
            let place = self.parameter(&input.text)?;
            Some((input.text.as_str(), self.mechanism.parameters[place]))
        })
    }

    /// Whether steps are made without a run for each.
    #[must_use]
    pub fn is_fast(&self) -> bool {
        self.fast.is_some()
    }

    fn parameter(&self, name: &str) -> Option<usize> {
        let mut names = self.mechanism.model.parameters.iter();
        names.position(|(known, _)| known.text == name)
    }

    /// Sets coordinates, rates (`x'`), inputs and parameters, all at once. A state that does not meet the constraints is moved to the
    /// nearest that does.
    ///
    /// # Errors
    /// There is no such name, a value is not finite, nature does not allow it, or no state near it meets the constraints.
    pub fn set(&mut self, values: &[(&str, f64)]) -> Result<(), Error> {
        let (mut state, mut given) = (self.state.clone(), self.given.clone());
        for &(name, value) in values {
            if !value.is_finite() {
                let message = format!("`{name}` is set to {value}");
                return Err(self.refuse(name, message, "give a number".to_owned()));
            }
            let mut coordinates = self.mechanism.coordinate_names();
            let rate = name.strip_suffix('\'');
            let place = coordinates.position(|it| it == rate.unwrap_or(name));
            match (place, rate, self.parameter(name)) {
                (Some(place), Some(_), _) => state.rates[place] = value,
                (Some(place), None, _) => state.coordinates[place] = value,
                (None, _, Some(place)) => {
                    given.retain(|(other, _)| *other != place);
                    given.push((place, value));
                }
                (None, _, None) => return Err(self.unknown(name)),
            }
        }
        self.take((state, given))
    }

    /// Goes on with a state and values of parameters.
    fn take(&mut self, (state, given): (State, Vec<(usize, f64)>)) -> Result<(), Error> {
        let same = given == self.given;
        if !same {
            let Mechanism { model, system, .. } = &self.mechanism;
            let values = checked_values(model, system, &given);
            self.mechanism.parameters = values.map_err(|errors| self.source.refuse(errors))?;
            self.given = given;
        }
        let Some(nearest) = nearest(&self.mechanism, &state) else {
            let message = "no state near the one that was set meets the constraints".to_owned();
            let help = "set values nearer to a state that meets them".to_owned();
            return Err(self.refuse("set", message, help));
        };
        self.state = nearest;
        self.moved = true;
        self.adjust(!same)
    }

    /// Hands the present parameters and state to the fast steps.
    fn adjust(&mut self, parameters: bool) -> Result<(), Error> {
        let (values, state) = (&self.mechanism.parameters, &self.state);
        let moved = std::mem::take(&mut self.moved);
        let done = self.fast.as_mut().map_or(Ok(()), |fast| {
            fast.with_dependent_mut(|_, stepping| {
                if moved {
                    stepping.set_state(state);
                }
                match parameters {
                    true => stepping.set_parameters(values),
                    false => Ok(()),
                }
            })
        });
        done.map_err(|why| self.not_stepped(&why))?;
        Ok(())
    }

    /// Goes back to the start; inputs and parameters keep their values.
    ///
    /// # Errors
    /// No state near the start meets the constraints with these values.
    pub fn reset(&mut self) -> Result<(), Error> {
        self.take((self.start.clone(), self.given.clone()))
    }

    /// The place of an input, by which [`Self::step`] sets it.
    ///
    /// # Errors
    /// There is none such.
    pub fn input(&self, name: &str) -> Result<usize, Error> {
        let is_input = self.mechanism.model.inputs.iter().any(|it| it.text == name);
        let place = self.parameter(name).filter(|_| is_input);
        place.ok_or_else(|| {
            let known = self
                .mechanism
                .model
                .inputs
                .iter()
                .map(|it| it.text.as_str());
            let help = meant_or_known(name, known);
            let help = help.unwrap_or_else(|| "declare it: [inputs] u = 0".to_owned());
            self.refuse(name, format!("there is no input `{name}`"), help)
        })
    }

    /// Goes on by a time, with inputs that stay as they are during it; those not mentioned keep their values.
    ///
    /// # Errors
    /// There is no motion, or the step could not be made: the state is the one before it.
    pub fn step(&mut self, dt: f64, inputs: &[(usize, f64)]) -> Result<(), Error> {
        let stepped = self.step_watched(dt, inputs, || ControlFlow::Continue(()));
        stepped.map(drop)
    }

    /// The same; `watch` is asked at each step of the integrator, and may end it: the state is then the one before.
    ///
    /// # Errors
    /// As those of [`step`](Self::step).
    pub fn step_watched(
        &mut self,
        dt: f64,
        inputs: &[(usize, f64)],
        mut watch: impl FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        if !(dt.is_finite() && dt > 0.0) {
            let message = format!("a step of {dt}");
            return Err(self.refuse("step", message, "steps are positive".to_owned()));
        }
        let mut changed = false;
        for &(place, value) in inputs {
            if !value.is_finite() {
                let name = &self.mechanism.model.parameters[place].0.text;
                let message = format!("the input `{name}` is {value}");
                return Err(self.refuse(name, message, "give a number".to_owned()));
            }
            let known = &mut self.mechanism.parameters[place];
            changed |= (*known - value).abs() > 0.0;
            *known = value;
            if changed {
                self.given.retain(|(other, _)| *other != place);
                self.given.push((place, value));
            }
        }
        if changed || self.moved {
            self.adjust(changed)?;
        }
        let Some(fast) = &mut self.fast else {
            return self.step_by_run(dt, changed, watch);
        };
        let state = &mut self.state;
        let stepped = fast.with_dependent_mut(|_, stepping| {
            stepping.step(dt, &mut watch)?;
            state.t = stepping.t();
            state.coordinates.copy_from_slice(stepping.coordinates());
            state.rates.copy_from_slice(stepping.rates());
            Ok(())
        });
        match stepped {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(NotStepped::ByRun) => self.step_by_run(dt, changed, watch),
            Err(NotStepped::Interrupted) => Ok(ControlFlow::Break(())),
            Err(why) => Err(self.not_stepped(&why)),
        }
    }

    fn step_by_run(
        &mut self,
        dt: f64,
        changed: bool,
        watch: impl FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let state = match changed {
            true => nearest(&self.mechanism, &self.state),
            false => None,
        };
        let state = state.as_ref().unwrap_or(&self.state);
        let reached = step_by_run(&self.mechanism, state, dt, &self.options, watch);
        let Some(reached) = reached.map_err(|error| self.stopped(error))? else {
            return Ok(ControlFlow::Break(()));
        };
        self.state = reached;
        self.moved = true;
        Ok(ControlFlow::Continue(()))
    }

    fn stopped(&self, error: SimulateError) -> Error {
        self.source.refuse(vec![stopped(&self.mechanism, error).0])
    }

    fn not_stepped(&self, why: &NotStepped) -> Error {
        let t = self.state.t;
        let (message, help) = match why {
            NotStepped::NotMet => (
                format!("no velocities meet the constraints with these inputs at t = {t}"),
                "set inputs that the constraints can follow",
            ),
            NotStepped::Failed(failure) => (
                format!("the step from t = {t} was not made: {failure}"),
                "`run` from there says more of the reason",
            ),
            NotStepped::ByRun | NotStepped::Interrupted => {
                (format!("the step from t = {t} was not made"), "")
            }
        };
        self.refuse("step", message, help.to_owned())
    }

    fn unknown(&self, name: &str) -> Error {
        let parameters = self.mechanism.model.parameters.iter();
        let parameters = parameters.map(|(name, _)| name.text.clone());
        let coordinates = self.mechanism.coordinate_names();
        let moving = coordinates.flat_map(|it| [it.to_owned(), format!("{it}'")]);
        let known: Vec<String> = moving.chain(parameters).collect();
        let help = meant_or_known(name, known.iter().map(String::as_str)).unwrap_or_default();
        let message = format!("`{name}` is no coordinate, rate, input or parameter");
        self.refuse(name, message, help)
    }

    fn refuse(&self, key: &str, message: String, help: String) -> Error {
        let place = Place::given(key, "", 0..0);
        Error::new(vec![Diagnostic::error("E0565", place, message, help)])
    }

    /// What holds now.
    #[must_use]
    pub fn mode(&self) -> &Mode {
        &self.state.mode
    }
}
