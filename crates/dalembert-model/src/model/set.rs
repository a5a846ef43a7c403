//! Overrides: `name=value` in place of what the file says.

use super::{Expression, Model, Origin, StartValue};
use crate::diagnostic::{Diagnostic, Place};
use dalembert_expr::syntax::{
    ExpressionError, Kind, Tree, meant_or_known, parse_expression, parse_value,
};
use std::ops::Range;

/// One of the parsers.
type Parse = fn(&str) -> Result<Tree, Vec<ExpressionError>>;

impl Model {
    /// Sets a parameter, a coordinate, a rate (`theta'=2`), a speed or what else `[start]` names; start values then must be met.
    ///
    /// # Errors
    /// The text is not `NAME=VALUE`, the value is no expression, or there is no such name.
    pub fn set(&mut self, assignment: &str) -> Result<(), Vec<Diagnostic>> {
        let place = |span| Place::given("--set", assignment, span);
        let refuse = |message: String, help: String, span| {
            vec![Diagnostic::error("E0326", place(span), message, help)]
        };
        let Some((target, value)) = assignment.split_once('=') else {
            let message = format!("`{assignment}` sets nothing");
            let help = "write NAME=VALUE, such as g=1.62".to_owned();
            return Err(refuse(message, help, 0..assignment.len()));
        };
        let read = |text: &str, parse: Parse, at: usize| {
            let shifted = |span: Range<usize>| place(span.start + at..span.end + at);
            parse(text).map_err(|errors| Diagnostic::of_texts(errors, shifted))
        };
        let key = read(target, parse_expression, 0)?;
        let tree = read(value, parse_value, target.len() + 1)?;
        let value = Expression {
            text: value.to_owned(),
            tree,
            origin: Origin::Key("--set".to_owned()),
        };
        let named = key.dotted(key.root());
        let (name, primes) = named.unwrap_or_else(|| (target.trim().to_owned(), 0));
        if self.override_value(&name, primes, &key, value, target) {
            return Ok(());
        }
        let (message, help) = self.unknown_target(target.trim());
        Err(refuse(message, help, 0..target.len()))
    }

    /// Sets what an expression names to the value of another, which keep their places.
    ///
    /// # Errors
    /// There is no such name.
    pub fn set_to(&mut self, key: &Expression, value: &Expression) -> Result<(), Vec<Diagnostic>> {
        let named = key.tree.dotted(key.tree.root());
        let (name, primes) = named.unwrap_or_else(|| (key.text.trim().to_owned(), 0));
        if self.override_value(&name, primes, &key.tree, value.clone(), &key.text) {
            return Ok(());
        }
        let (message, help) = self.unknown_target(key.text.trim());
        Err(vec![Diagnostic::error("E0326", key.whole(), message, help)])
    }

    /// That nothing is called so, and what is meant or known.
    fn unknown_target(&self, name: &str) -> (String, String) {
        let constants = self.parameters.iter().chain(&self.speeds);
        let constants = constants.map(|(name, _)| name.text.clone());
        let coordinates = self.coordinates.iter().map(|(name, _)| &name.text);
        let moving = coordinates.flat_map(|name| [name.clone(), format!("{name}'")]);
        let known: Vec<String> = constants.chain(moving).collect();
        let help = meant_or_known(name, known.iter().map(String::as_str)).unwrap_or_default();
        let message = format!("`{name}` is no parameter, coordinate, rate or speed");
        (message, help)
    }

    /// Puts a value in place of a number or the condition of `[run]`, as the command line does: `--span`, `3 s`.
    ///
    /// # Errors
    /// The value is no expression.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn set_run(&mut self, option: &str, value: &str) -> Result<(), Vec<Diagnostic>> {
        let value = Expression::given(option, value)?;
        self.run_number(&option.trim_start_matches('-').replace('-', "_"), value);
        // Each of them replaces what the file says about the samples.
        let run = &mut self.run;
        match option {
            "--samples" => run.step = None,
            "--step" => run.samples = None,
            _ => {}
        }
        Ok(())
    }

    /// Puts a number or the condition of `[run]` in place of what the file says, by its key: `span`.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn run_number(&mut self, key: &str, value: Expression) {
        let run = &mut self.run;
        let target = match key {
            "from" => &mut run.from,
            "span" => &mut run.span,
            "rtol" => &mut run.rtol,
            "atol" => &mut run.atol,
            "samples" => &mut run.samples,
            "step" => &mut run.step,
            "max_step" => &mut run.max_step,
            "max_steps" => &mut run.max_steps,
            "until" => &mut run.until,
            _ => panic!("{key} is no number of [run]"),
        };
        *target = Some(value);
    }

    /// Puts other records in place of those of `[run]`.
    ///
    /// # Errors
    /// The mistakes in all of them.
    pub fn set_record(&mut self, wanted: &[String]) -> Result<(), Vec<Diagnostic>> {
        let read = wanted.iter().map(|text| Expression::given("record", text));
        let (read, failed): (Vec<_>, Vec<_>) = read.partition(Result::is_ok);
        let errors: Vec<Diagnostic> = failed
            .into_iter()
            .filter_map(Result::err)
            .flatten()
            .collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        self.run.record = read.into_iter().flatten().collect();
        Ok(())
    }

    /// A parameter is open no more. With the last of them goes what they were to be found from.
    fn close(&mut self, name: &str) {
        let before = self.open.len();
        self.open.retain(|open| open.text != name);
        if before > 0 && self.open.is_empty() {
            self.start.retain(|(key, _)| {
                let mut nodes = key.tree.nodes().iter();
                !nodes.any(|node| match node.kind {
                    Kind::Name { primes, .. } | Kind::Member { primes, .. } => primes == 2,
                    _ => false,
                })
            });
        }
    }

    fn override_value(
        &mut self,
        name: &str,
        primes: u8,
        key: &Tree,
        value: Expression,
        target: &str,
    ) -> bool {
        let started = StartValue {
            place: value.whole(),
            value: Some(value.clone()),
            must: true,
        };
        if primes == 0 {
            let mut parameters = self.parameters.iter_mut();
            if let Some((_, expression)) = parameters.find(|(known, _)| known.text == name) {
                *expression = value;
                self.close(name);
                return true;
            }
            let mut coordinates = self.coordinates.iter_mut();
            if let Some((_, start)) = coordinates.find(|(known, _)| known.text == name) {
                *start = started;
                return true;
            }
        }
        let rate = primes == 1 && self.coordinates.iter().any(|(known, _)| known.text == name);
        let speed = primes == 0 && self.speeds.iter().any(|(known, _)| known.text == name);
        let named = key.dotted(key.root());
        let same = |other: &Expression| other.tree.dotted(other.tree.root()) == named;
        match self.start.iter_mut().find(|(other, _)| same(other)) {
            Some((_, start)) if named.is_some() => *start = started,
            _ if !rate && !speed => return false,
            _ => {
                let origin = Origin::Key("--set".to_owned());
                let key = Expression {
                    text: target.to_owned(),
                    tree: key.clone(),
                    origin,
                };
                self.start.push((key, started));
            }
        }
        true
    }
}

impl Expression {
    /// An expression that a program gives under a key.
    ///
    /// # Errors
    /// The mistakes in its text.
    pub fn given(key: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let origin = Origin::Key(key.to_owned());
        let tree = parse_expression(text)
            .map_err(|errors| Diagnostic::of_texts(errors, |span| origin.place(text, span)))?;
        Ok(Self {
            text: text.to_owned(),
            tree,
            origin,
        })
    }
}
