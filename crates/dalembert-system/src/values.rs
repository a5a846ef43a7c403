//! Numbers for the parameters, and whether nature allows them.

use crate::decide::KNOWN;
use crate::diagnostic::{Diagnostic, Place};
use crate::lower::{LoweredSlider, Requirement, System};
use crate::model::{Expression, Model, at_most_shown};
use dalembert_expr::print::shortest;
use dalembert_expr::{ExprId, SymbolId, evaluate};
use dalembert_linear::symmetric_eigen;

/// Most samples of a run: more would not fit memory.
pub const MAX_SAMPLES: f64 = 1e7;

/// Values of the parameters, in the order of the model.
///
/// # Errors
/// A value is not finite, a mass is not positive, an inertia is not one of a body, a number of `[run]`
/// makes no sense.
pub fn parameter_values(model: &Model, system: &System) -> Result<Vec<f64>, Vec<Diagnostic>> {
    checked_values(model, system, &[])
}

/// The same, of which some are given by their place.
///
/// # Errors
/// As [`parameter_values`].
pub fn checked_values(
    model: &Model,
    system: &System,
    given: &[(usize, f64)],
) -> Result<Vec<f64>, Vec<Diagnostic>> {
    let values = values_with(system, given);
    let places = Places::of(system);
    let mut diagnostics = Vec::new();
    for &i in &system.parameter_order {
        if !values[i].is_finite() {
            let (name, expression) = &model.parameters[i];
            let message = format!("the parameter `{}` is {}", name.text, shortest(values[i]));
            let help = "look for a division by zero, or a function outside its domain";
            let place = expression.whole();
            diagnostics.push(Diagnostic::error("E0440", place, message, help));
        }
    }
    if diagnostics.is_empty() {
        diagnostics = system
            .requirements
            .iter()
            .filter_map(|need| unmet(&places, &values, need))
            .chain(senseless_run(model, &places, &values))
            .chain(senseless_sliders(model, &places, &values))
            .collect();
    }
    if diagnostics.is_empty() {
        Ok(values)
    } else {
        Err(at_most_shown(diagnostics))
    }
}

/// Values of the parameters, of which some are given by their place.
pub fn values_with(system: &System, given: &[(usize, f64)]) -> Vec<f64> {
    let mut values = vec![f64::NAN; system.parameters.len()];
    let places = Places::of(system);
    for &i in &system.parameter_order {
        let found = given.iter().find(|(place, _)| *place == i);
        values[i] = match found {
            Some((_, value)) => *value,
            None => places.value(&values, system.parameters[i]),
        };
    }
    values
}

/// The value of an expression of parameters.
#[must_use]
pub fn at(system: &System, parameters: &[f64], expression: ExprId) -> f64 {
    Places::of(system).value(parameters, expression)
}

/// Which parameter each symbol is.
struct Places<'s> {
    system: &'s System,
    /// By symbol.
    parameters: Vec<Option<usize>>,
}

impl<'s> Places<'s> {
    fn of(system: &'s System) -> Self {
        let symbols = &system.symbols.parameters;
        let count = symbols.iter().map(|symbol| symbol.index() + 1).max();
        let mut parameters = vec![None; count.unwrap_or(0)];
        for (i, symbol) in symbols.iter().enumerate() {
            parameters[symbol.index()] = Some(i);
        }
        Self { system, parameters }
    }

    /// The value of an expression; what is no parameter has none.
    fn value(&self, parameters: &[f64], expression: ExprId) -> f64 {
        let value = |symbol: SymbolId| {
            let place = self.parameters.get(symbol.index()).copied().flatten();
            place.map_or(f64::NAN, |place| parameters[place])
        };
        evaluate(&self.system.graph, &[expression], value)[0]
    }
}

/// What a number of `[run]` must be, if this one is not.
#[must_use]
pub fn run_needs(name: &str, value: f64) -> Option<&'static str> {
    let positive = value > 0.0 && value.is_finite();
    let whole = value.fract() == 0.0;
    let (fine, wanted) = match name {
        "from" => (value.is_finite(), "finite"),
        "span" => (positive || value == 0.0, "positive"),
        "rtol" => (positive && value < 1.0, "positive and less than 1"),
        "samples" => (
            (2.0..=MAX_SAMPLES).contains(&value) && whole,
            "a whole number from 2 to ten million",
        ),
        "max_steps" => (positive && whole, "a whole number from 1"),
        _ => (positive, "positive"),
    };
    (!fine).then_some(wanted)
}

/// Sliders that cannot be moved.
fn senseless_sliders(model: &Model, places: &Places<'_>, values: &[f64]) -> Vec<Diagnostic> {
    let senseless = |lowered: &LoweredSlider| {
        let written = &model.view.sliders[lowered.index];
        let [min, max] = lowered.range.map(|it| places.value(values, it));
        let numbers = format!("from {} to {}", shortest(min), shortest(max));
        let rises = min < max;
        let (message, help) = if !(rises && min.is_finite() && max.is_finite()) {
            let message = format!("the slider of `{}` goes {numbers}", lowered.name);
            (
                message,
                "min must be less than max, and both of them finite",
            )
        } else if lowered.log == Some(true) && min <= 0.0 {
            let message = format!(
                "the slider of `{}` goes {numbers}, which has no logarithms",
                lowered.name
            );
            (message, "min must be positive where log = true")
        } else {
            return None;
        };
        let end = match min.is_finite() && !rises {
            true => &written.max,
            false => &written.min,
        };
        Some(Diagnostic::error("E0499", end.whole(), message, help))
    };
    let sliders = places.system.sliders.iter();
    sliders.filter_map(senseless).collect()
}

/// Numbers of `[run]` with which nothing can be run.
fn senseless_run(model: &Model, places: &Places<'_>, values: &[f64]) -> Vec<Diagnostic> {
    let (written, run) = (&model.run, &places.system.run);
    let numbers = [
        ("from", &written.from, run.from),
        ("span", &written.span, run.span),
        ("rtol", &written.rtol, run.rtol),
        ("atol", &written.atol, run.atol),
        ("step", &written.step, run.step),
        ("max_step", &written.max_step, run.max_step),
        ("max_steps", &written.max_steps, run.max_steps),
        ("samples", &written.samples, run.samples),
    ];
    let senseless = |(name, written, lowered): (&str, &Option<Expression>, Option<ExprId>)| {
        let (written, lowered) = written.as_ref().zip(lowered)?;
        let value = places.value(values, lowered);
        let wanted = run_needs(name, value)?;
        let message = format!("{name} is {}", shortest(value));
        let help = format!("it must be {wanted}");
        let place = written.whole();
        Some(Diagnostic::error("E0521", place, message, help))
    };
    numbers.into_iter().filter_map(senseless).collect()
}

/// What is wrong with the parameters, if a requirement is not met.
fn unmet(places: &Places<'_>, parameters: &[f64], need: &Requirement) -> Option<Diagnostic> {
    let at = |expression| places.value(parameters, expression);
    let (code, message, help) = match need {
        Requirement::Mass { of, value, .. } => {
            let mass = at(*value);
            if mass > 0.0 {
                return None;
            }
            let message = format!("the mass of `{of}` is {}", shortest(mass));
            let help = "a mass is positive; leave out what has none";
            ("E0441", message, help)
        }
        Requirement::Friction {
            of, value, zero, ..
        } => {
            let number = at(*value);
            if number > 0.0 || (*zero && number == 0.0) {
                return None;
            }
            let (what, help) = match zero {
                true => ("coefficient", "a coefficient of friction is not negative"),
                false => (
                    "smoothing",
                    "it is the slip speed below which the law is smooth, and positive",
                ),
            };
            let number = shortest(number);
            let message = format!("the {what} of the friction of `{of}` is {number}");
            ("E0478", message, help)
        }
        Requirement::Holding { of, values, .. } => {
            let [sliding, holding] = values.map(at);
            // What depends on the motion is no number here, and is looked at in the motion.
            let open = holding.is_nan() || sliding.is_nan();
            // What holds is measured by what slides.
            let smooth = sliding == 0.0 && holding > 0.0;
            if open || (holding >= sliding && !smooth) {
                return None;
            }
            if smooth {
                let message =
                    format!("the friction of `{of}` has a static coefficient, and no other");
                let help = "give `coefficient` a value above 0: how much it slows what slides";
                return Some(Diagnostic::error("E0478", place_of(need), message, help));
            }
            let (sliding, holding) = (shortest(sliding), shortest(holding));
            let message = format!(
                "the static coefficient of the friction of `{of}` is {holding}, less than its coefficient {sliding}"
            );
            let help = "friction holds what rests at least as well as it slows what slides";
            ("E0478", message, help)
        }
        Requirement::Dry { of, value, .. } => {
            let number = at(*value);
            if number >= 0.0 {
                return None;
            }
            let message = format!("the dry friction of `{of}` is {}", shortest(number));
            ("E0478", message, "the size of a friction is not negative")
        }
        Requirement::Length {
            of,
            what,
            value,
            zero,
            ..
        } => {
            let number = at(*value);
            // What depends on the motion is no number here.
            if number > 0.0 || number.is_nan() || (*zero && number == 0.0) {
                return None;
            }
            let message = format!("the {what} of `{of}` is {}", shortest(number));
            let help = match zero {
                true => "it is not negative: directions are told by axes and points",
                false => "it is positive: directions are told by axes and points",
            };
            ("E0444", message, help)
        }
        Requirement::Restitution { of, value, .. } => {
            let number = at(*value);
            if (0.0..=1.0).contains(&number) {
                return None;
            }
            let message = format!("the restitution of `{of}` is {}", shortest(number));
            let help =
                "it is the part of the rate that comes back, from 0 (plastic) to 1 (elastic)";
            ("E0495", message, help)
        }
        Requirement::Inertia {
            of, matrix, turns, ..
        } => impossible_inertia(of, &matrix.map(|row| row.map(at)), *turns)?,
    };
    Some(Diagnostic::error(code, place_of(need), message, help))
}

/// Where a requirement stands.
fn place_of(need: &Requirement) -> Place {
    let (Requirement::Mass { place, .. }
    | Requirement::Friction { place, .. }
    | Requirement::Holding { place, .. }
    | Requirement::Length { place, .. }
    | Requirement::Dry { place, .. }
    | Requirement::Restitution { place, .. }
    | Requirement::Inertia { place, .. }) = need;
    place.clone()
}

/// Why no body has this inertia: code, message, cure.
fn impossible_inertia(
    of: &str,
    i: &[[f64; 3]; 3],
    turns: [bool; 3],
) -> Option<(&'static str, String, &'static str)> {
    let size = i[0][0].abs() + i[1][1].abs() + i[2][2].abs();
    let off = |(j, k): &(usize, usize)| (i[*j][*k] - i[*k][*j]).abs() > KNOWN * size;
    if let Some((j, k)) = [(0, 1), (0, 2), (1, 2)].into_iter().find(off) {
        let (one, other) = (shortest(i[j][k]), shortest(i[k][j]));
        let (j, k) = (j + 1, k + 1);
        let message = format!(
            "the inertia of `{of}` is not symmetric: entries {j}, {k} and {k}, {j} are {one} and {other}"
        );
        return Some(("E0442", message, "write the same value in both places"));
    }
    let moments = principal_moments(i);
    // In a plane the moments about axes that the body does not turn about are often left 0.
    let not_given = |a: usize| !turns[a] && (0..3).all(|b| i[a][b] == 0.0);
    let all_given = !(0..3).any(not_given);
    let real = (0..3).all(|a| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        moments[a] >= -KNOWN * size
            && (!all_given || moments[a] <= moments[b] + moments[c] + KNOWN * size)
    });
    let listed = moments.map(shortest).join(", ");
    let message = format!("no body has the principal moments {listed} (`{of}`)");
    let help = "none is negative, and none is larger than the sum of the other two; about axes that the body does not turn about they may be left 0";
    (!real).then_some(("E0443", message, help))
}

/// Eigenvalues of a symmetric 3 × 3 matrix, ascending.
fn principal_moments(matrix: &[[f64; 3]; 3]) -> [f64; 3] {
    let mut diagonal = matrix.as_flattened().to_vec();
    symmetric_eigen(&mut diagonal, &mut [0.0; 9], 3);
    let mut moments = [0, 4, 8].map(|place| diagonal[place]);
    moments.sort_by(f64::total_cmp);
    moments
}
