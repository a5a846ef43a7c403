//! Reading printed expressions back, and their values at a state.

use dalembert::derive::{Derivation, DeriveOptions, Equation, Form, derive};
use dalembert::simulate::{RunOptions, simulate};
use dalembert::{Model, Source};
use dalembert_expr::print::Format;
use dalembert_expr::syntax::parse_expression;
use dalembert_expr::{ExprId, evaluate};
use dalembert_mechanics::elaborate::Elaborator;
use dalembert_mechanics::model::{Expression, Model as Description, Origin};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot, model};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

pub(crate) fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 35, "{names:?}");
    names
}

pub(crate) fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap()
}

/// What a text says, with the files that it takes tables from: they lie beside the examples.
pub(crate) fn with_files(text: &str, mut model: Description) -> Description {
    if !model.missing_files().is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let source = Source::new("model.toml", text).in_folder(folder);
        let read = Model::read(source).unwrap_or_else(|error| panic!("{error}"));
        model.files = read.description().files.clone();
    }
    model
}

/// Derives the equations of a model text.
pub(crate) fn derived(text: &str, options: &DeriveOptions) -> Result<Derivation, String> {
    let (model, _) = model::read(text).map_err(|errors| format!("{errors:#?}"))?;
    let mechanism = Mechanism::new(with_files(text, model));
    let mechanism = mechanism.map_err(|errors| format!("{errors:#?}"))?;
    derive(&mechanism, options).map_err(|errors| format!("{errors:#?}"))
}

pub(crate) fn by(name: &str, form: Form) -> Derivation {
    let options = DeriveOptions {
        form: Some(form),
        ..DeriveOptions::default()
    };
    derived(&text(name), &options).unwrap_or_else(|errors| panic!("{name} by {form}: {errors}"))
}

/// A mechanism with every parameter a little off its value, so that no two quantities are equal by accident; as it is
/// where its start does not fit other values.
pub(crate) fn varied(name: &str, seed: u64) -> Mechanism {
    let text = text(name);
    let (plain, _) = model::read(&text).unwrap();
    let plain = Mechanism::new(with_files(&text, plain)).unwrap();
    let mut rng = fastrand::Rng::with_seed(seed);
    let (model, _) = model::read(&text).unwrap();
    let mut model = with_files(&text, model);
    let names: Vec<String> = model
        .parameters
        .iter()
        .map(|(name, _)| name.text.clone())
        .collect();
    for (name, value) in names.iter().zip(&plain.parameters) {
        let value = value * (0.98 + 0.04 * rng.f64());
        model.set(&format!("{name}={value}")).unwrap();
    }
    let varied = Mechanism::new(model).unwrap();
    match varied.start() {
        Ok(start) if varied.motion(&start.state).is_ok() => varied,
        _ => plain,
    }
}

/// States on the way, all constraints met.
pub(crate) fn states(mechanism: &Mechanism) -> Vec<State> {
    let start = mechanism.start().unwrap();
    let span = mechanism
        .system
        .run
        .span
        .map_or(1.0, |span| mechanism.run_value(span));
    let mut states = vec![start.state.clone()];
    if !mechanism.system.frictions.is_empty() {
        // What slips may stick on the way, where the sign of its slip says nothing.
        return states;
    }
    for part in [0.21, 0.58] {
        let options = RunOptions {
            span: Some(part * span.min(0.4)),
            rtol: Some(1e-12),
            atol: Some(1e-14),
            samples: Some(2),
            ..RunOptions::default()
        };
        let run = simulate(mechanism, &start, &options, |_| ControlFlow::Continue(())).unwrap();
        states.push(State {
            t: run.t_end,
            coordinates: run.coordinates,
            rates: run.rates,
            ..State::default()
        });
    }
    states
}

/// What every name of a model is worth at a state.
pub(crate) struct Values(BTreeMap<String, f64>);

impl Values {
    pub(crate) fn at(mechanism: &Mechanism, now: &Snapshot) -> Self {
        let mut values = BTreeMap::new();
        let mut set = |name: String, value: f64| {
            values.insert(name, value);
        };
        set("t".to_owned(), now.state.t);
        for (i, name) in mechanism.coordinate_names().enumerate() {
            set(name.to_owned(), now.state.coordinates[i]);
            set(format!("{name}'"), now.state.rates[i]);
            set(format!("{name}''"), now.accelerations[i]);
        }
        for (i, (name, _)) in mechanism.model.speeds.iter().enumerate() {
            set(name.text.clone(), now.speeds[i]);
            set(format!("{}'", name.text), now.speed_rates[i]);
        }
        for (i, row) in mechanism.system.rows.iter().enumerate() {
            set(multiplier(&row.name), now.multipliers[i]);
        }
        let parameters = mechanism.model.parameters.iter();
        for ((name, _), &value) in parameters.zip(&mechanism.parameters) {
            set(name.text.clone(), value);
        }
        Self(values)
    }

    /// The same with one value changed.
    pub(crate) fn with(&self, name: &str, change: f64) -> Self {
        let mut values = self.0.clone();
        *values.get_mut(name).unwrap() += change;
        Self(values)
    }

    pub(crate) fn set(&mut self, name: &str, value: f64) {
        self.0.insert(name.to_owned(), value);
    }

    /// The value of a text in the model's syntax.
    #[track_caller]
    pub(crate) fn of(&self, text: &str) -> f64 {
        let text = without_calls(text);
        let tree = parse_expression(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let bare = self.0.keys().map(|name| name.trim_end_matches('\''));
        let names: BTreeSet<&str> = bare.filter(|name| *name != "t").collect();
        let mut names = Description::of_names([], names);
        if text.contains("table(") {
            let table_drive = Model::gallery("table-drive").unwrap();
            names.files = table_drive.description().files.clone();
        }
        let mut scope = Elaborator::new(&names);
        let origin = Origin::Key("printed".to_owned());
        let id = scope.scalar(&Expression { text, tree, origin });
        let id = id.unwrap_or_else(|| panic!("{:?}", scope.diagnostics));
        let graph = scope.graph;
        evaluate(&graph, &[id], |symbol| {
            self.0[&graph.symbol_data(symbol).to_string()]
        })[0]
    }
}

/// The name a multiplier is read by: the reader of scalars knows no functions of labels.
fn multiplier(row: &str) -> String {
    format!("lambda__{}", row.replace('.', "__"))
}

/// `lambda(contact.0)` as a name.
fn without_calls(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("lambda(") {
        let (row, after) = after.split_once(')').unwrap();
        plain += before;
        plain += &multiplier(row);
        rest = after;
    }
    plain + rest
}

/// Expressions of a derivation as model text, with the values that its shorthands have.
pub(crate) struct Reader<'a> {
    derivation: &'a Derivation,
    values: Values,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(derivation: &'a Derivation, values: Values) -> Self {
        let mut reader = Self { derivation, values };
        let shorthands = derivation.shorthands.iter();
        for Equation { left, right } in shorthands.chain(&derivation.reaction_shorthands) {
            let value = reader.value(*right);
            let name = reader.text(*left);
            reader.values.set(&name, value);
        }
        reader
    }

    pub(crate) fn text(&self, id: ExprId) -> String {
        let printed = self.derivation.print(&[id], Format::Model);
        assert!(!printed.is_shared(), "too large to be read back");
        printed.expressions.concat()
    }

    #[track_caller]
    pub(crate) fn value(&self, id: ExprId) -> f64 {
        self.values.of(&self.text(id))
    }

    /// Left minus right, and how large the sides are.
    #[track_caller]
    pub(crate) fn residual(&self, equation: &Equation) -> (f64, f64) {
        let (left, right) = (self.value(equation.left), self.value(equation.right));
        (left - right, left.abs() + right.abs())
    }
}
