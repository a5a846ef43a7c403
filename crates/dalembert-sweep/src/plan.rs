//! A plan as it is written becomes numbers: designs, counts, values in SI units, checked against the model.

use super::words::word;
use dalembert::report::Error;
use dalembert::results::Table;
use dalembert::{Model, Source};
use dalembert_dataset::{Axis, DIMENSIONS, Design, Kind, MOST_RUNS, Spread as Values};
use dalembert_expr::print::shortest;
use dalembert_expr::syntax::meant_or_known;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::data::DataColumn;
use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::dimensions;
use dalembert_mechanics::model::{
    Expression, Model as Description, Name, Spread, SweepPlan, Varied,
};

/// What an axis of a design does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    /// A value of the model, by its name.
    Value(String),
    /// An option of runs that is a number.
    Option(&'static str),
    /// An option of runs that is a word.
    Word(&'static str, Vec<String>),
    /// The model: one of these files.
    Model(Vec<String>),
}

/// Options of runs that may vary, by number.
const OPTIONS: [&str; 5] = ["span", "rtol", "atol", "max_step", "max_steps"];

/// The same, by word.
const WORDS: [&str; 2] = ["integrator", "formulation"];

/// Parts of a sweep, if the plan does not say how many runs one has: few enough files, and enough to share among threads.
const PARTS: u64 = 256;

/// Runs of a part, at least and at most, if the plan does not say.
const CHUNK: [u64; 2] = [16, 16_384];

/// The numbers of a plan.
pub(super) struct Numbers {
    pub(super) design: Design,
    pub(super) roles: Vec<Role>,
    pub(super) chunk: u64,
}

impl Numbers {
    pub(super) fn new(model: &Model, plan: &Source, written: &SweepPlan) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let kind = match written.design.as_str() {
            "random" => Kind::Random,
            "latin-hypercube" => Kind::LatinHypercube,
            "sobol" => Kind::Sobol,
            "table" => Kind::Table,
            _ => Kind::Grid,
        };
        let table = written.table.as_ref().map(|file| {
            plan.table_beside(&file.text).map_err(|error| {
                let first = error.diagnostics.first();
                let why = first.map_or_else(String::new, |it| it.message.clone());
                let help = "the table stands beside the plan: the first line has names, and each row a number for each of them";
                Error::new(vec![Diagnostic::error("E0632", file.place.clone(), why, help)])
            })
        });
        let table = table.transpose()?;
        let roles: Vec<Option<Role>> = (written.vary.iter())
            .map(|varied| role(varied).map_err(|it| errors.push(it)).ok())
            .collect();
        let roles: Option<Vec<Role>> = roles.into_iter().collect();
        let Some(roles) = roles else {
            return Err(Error::new(errors));
        };
        let values = Evaluated::new(model, written)?;
        let mut axes = Vec::with_capacity(roles.len());
        for (varied, role) in written.vary.iter().zip(&roles) {
            if let Role::Value(_) | Role::Option(_) = role {
                errors.extend(wrong_dimensions(model, varied, (role, table.as_ref())));
            }
            match spread(varied, role, (&values, table.as_ref())) {
                Ok(spread) => axes.push(Axis {
                    name: varied.of.text.clone(),
                    spread,
                }),
                Err(found) => errors.push(found),
            }
        }
        let mut whole = |of: &Option<Expression>, [least, most]: [u64; 2]| {
            let of = of.as_ref()?;
            match values.whole(of, [least, most]) {
                Ok(number) => Some(number),
                Err(error) => {
                    errors.push(error);
                    None
                }
            }
        };
        let runs = whole(&written.runs, [1, MOST_RUNS]).unwrap_or(0);
        let seed = whole(&written.seed, [0, 1 << 53]).unwrap_or(0);
        let chunk = whole(&written.chunk, [1, MOST_RUNS]);
        if kind == Kind::Sobol && axes.len() > DIMENSIONS {
            let message = format!(
                "Sobol's sequence is known here for {DIMENSIONS} values that vary, not {}",
                axes.len()
            );
            let help = "choose design = \"latin-hypercube\"";
            errors.push(Diagnostic::error(
                "E0632",
                written.vary[DIMENSIONS].of.whole(),
                message,
                help,
            ));
        }
        if !errors.is_empty() {
            return Err(Error::new(errors));
        }
        let Some(design) = Design::new(kind, (runs, seed), axes) else {
            let message = format!("the grid has more than {MOST_RUNS} runs");
            let place = written.vary[0].of.whole();
            let help =
                "take fewer values, or draw so many with design = \"sobol\" and runs = 10000";
            return Err(Error::new(vec![Diagnostic::error(
                "E0632", place, message, help,
            )]));
        };
        let runs = design.runs();
        Ok(Self {
            chunk: chunk.unwrap_or_else(|| runs.div_ceil(PARTS).clamp(CHUNK[0], CHUNK[1])),
            design,
            roles,
        })
    }
}

/// What something that varies is.
fn role(varied: &Varied) -> Result<Role, Diagnostic> {
    let text = varied.of.text.trim();
    let texts = |names: &[Name]| names.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
    let refuse = |message: String, help: String| {
        Diagnostic::error("E0633", varied.of.whole(), message, help)
    };
    if let Spread::Files(files) = &varied.spread {
        return match text {
            "model" => Ok(Role::Model(texts(files))),
            _ => Err(refuse(
                format!("`{text}` is no model: files are alternatives of the whole model"),
                "write [vary.model] with files, or values in place of files".to_owned(),
            )),
        };
    }
    let Some(option) = text.strip_prefix("run.") else {
        return match &varied.spread {
            Spread::Words(_) => Err(refuse(
                format!("`{text}` is no word: it has values"),
                "write values in place of words".to_owned(),
            )),
            _ => Ok(Role::Value(text.to_owned())),
        };
    };
    if let Some(chosen) = WORDS.into_iter().find(|it| *it == option) {
        let Spread::Words(words) = &varied.spread else {
            let message = format!("`{text}` is chosen by a word");
            return Err(refuse(message, "write words = [\"…\"]".to_owned()));
        };
        for name in words {
            if let Err((known, near)) = word(chosen, &name.text) {
                let message = format!("there is no {chosen} `{}`", name.text);
                let help = near.unwrap_or_else(|| format!("known here: {known}"));
                return Err(Diagnostic::error(
                    "E0633",
                    name.place.clone(),
                    message,
                    help,
                ));
            }
        }
        return Ok(Role::Word(chosen, texts(words)));
    }
    match OPTIONS.into_iter().find(|it| *it == option) {
        Some(known) => Ok(Role::Option(known)),
        None => {
            let known = OPTIONS
                .into_iter()
                .chain(WORDS)
                .map(|it| format!("run.{it}"));
            let known: Vec<String> = known.collect();
            let help = meant_or_known(text, known.iter().map(String::as_str));
            let message = format!("`{text}` is no option of runs that can vary");
            Err(refuse(message, help.unwrap_or_default()))
        }
    }
}

/// The values of something that varies.
fn spread(
    varied: &Varied,
    role: &Role,
    (values, table): (&Evaluated, Option<&Table>),
) -> Result<Values, Diagnostic> {
    if let Role::Word(_, words) | Role::Model(words) = role {
        return Ok(Values::List((0..words.len()).map(|it| it as f64).collect()));
    }
    let refuse = |of: &Expression, message: String, help: &str| {
        Err(Diagnostic::error("E0632", of.whole(), message, help))
    };
    let log = varied.log;
    Ok(match &varied.spread {
        Spread::Values(list) => {
            let list: Result<Vec<f64>, Diagnostic> =
                list.iter().map(|it| values.finite(it)).collect();
            Values::List(list?)
        }
        Spread::Range(ends, count) => {
            let [from, to] = [values.finite(&ends[0])?, values.finite(&ends[1])?];
            for (value, of) in [from, to].into_iter().zip(&**ends) {
                if log && value <= 0.0 {
                    let message = format!("{} has no logarithm", shortest(value));
                    return refuse(of, message, "a logarithmic scale has positive ends");
                }
            }
            let count = match count {
                Some(count) => values.whole(count, [1, MOST_RUNS])?,
                None => 1,
            };
            if count == 1 && from.total_cmp(&to).is_ne() && varied.count_is_given() {
                let message = "one value cannot reach from one end to the other".to_owned();
                return refuse(&ends[1], message, "write values = [\"…\"], or count = 2");
            }
            Values::Range {
                ends: [from, to],
                log,
                count,
            }
        }
        Spread::Normal(both) => {
            let [mean, deviation] = [values.finite(&both[0])?, values.finite(&both[1])?];
            if deviation < 0.0 {
                let message = format!("the deviation is {}", shortest(deviation));
                return refuse(&both[1], message, "it is not negative");
            }
            if log && mean <= 0.0 {
                let message = format!("{} has no logarithm", shortest(mean));
                return refuse(
                    &both[0],
                    message,
                    "on a logarithmic scale the median is positive",
                );
            }
            Values::Normal {
                mean,
                deviation,
                log,
            }
        }
        Spread::Column(name) => {
            let table = table.expect("a plan with columns has a table");
            Values::Column(column(table, name)?)
        }
        Spread::Words(_) | Spread::Files(_) => unreachable!("they were taken above"),
    })
}

/// A column of the table of a plan, in SI units.
fn column(table: &Table, name: &Name) -> Result<Vec<f64>, Diagnostic> {
    let refuse = |message: String, help: String| {
        Err(Diagnostic::error(
            "E0632",
            name.place.clone(),
            message,
            help,
        ))
    };
    let mut known = Vec::new();
    for view in table.columns() {
        let column = DataColumn::new(&view.name, view.unit.as_deref(), view.values.to_vec());
        let column = match column {
            Ok(column) => column,
            Err(unit) => {
                let message = format!("`{unit}` is not a unit, in the head `{}`", view.name);
                return refuse(message, "write it as in l [mm]".to_owned());
            }
        };
        if column.name != name.text {
            known.push(column.name);
            continue;
        }
        if let Some(row) = column.values.iter().position(|it| !it.is_finite()) {
            let message = format!(
                "row {} of column `{}` is no finite number",
                row + 1,
                name.text
            );
            return refuse(message, "give each run a value".to_owned());
        }
        return match column.values.is_empty() {
            true => refuse(
                "the table has no rows".to_owned(),
                "give it a row for each run".to_owned(),
            ),
            false => Ok(column.values),
        };
    }
    let help = meant_or_known(&name.text, known.iter().map(String::as_str)).unwrap_or_default();
    refuse(format!("the table has no column `{}`", name.text), help)
}

/// The unit of a column of the table of a plan, as its head says.
fn unit_of_column(table: &Table, name: &Name) -> Option<String> {
    let columns = table.columns();
    let mut heads = columns
        .iter()
        .filter_map(|view| match view.name.split_once('[') {
            Some((head, unit)) if head.trim() == name.text => {
                Some(unit.trim().trim_end_matches(']').to_owned())
            }
            _ if view.name == name.text => view.unit.clone(),
            _ => None,
        });
    heads.next()
}

/// Dimensions of values that are not those of what they are given to.
fn wrong_dimensions(
    model: &Model,
    varied: &Varied,
    (role, table): (&Role, Option<&Table>),
) -> Vec<Diagnostic> {
    let values: Vec<&Expression> = match &varied.spread {
        Spread::Values(values) => values.iter().collect(),
        Spread::Range(ends, _) => ends.iter().collect(),
        Spread::Normal(both) if varied.log => vec![&both[0]],
        Spread::Normal(both) => both.iter().collect(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for value in values {
        let mut description = model.description().clone();
        let set = match role {
            Role::Option(option) => {
                description.run_number(option, value.clone());
                Ok(())
            }
            _ => description.set_to(&varied.of, value),
        };
        match set {
            Ok(()) => found.extend(dimensions::check(&description)),
            Err(errors) => return errors,
        }
        if !found.is_empty() {
            // The model has no such clash: it is told where the value stands that brings it.
            return clashes(found, &value.whole());
        }
    }
    let (Spread::Column(name), Some(table)) = (&varied.spread, table) else {
        return found;
    };
    let mut description = model.description().clone();
    let one = match unit_of_column(table, name) {
        Some(unit) => format!("1 {unit}"),
        None => "1".to_owned(),
    };
    let Ok(one) = Expression::given("plan", &one) else {
        return found;
    };
    if let Err(errors) = description.set_to(&varied.of, &one) {
        return errors;
    }
    clashes(dimensions::check(&description), &name.place)
}

/// The first of the clashes that a value brings, where it stands.
fn clashes(found: Vec<Diagnostic>, place: &Place) -> Vec<Diagnostic> {
    let first = found.into_iter().next();
    let placed = |it| Diagnostic {
        place: place.clone(),
        ..it
    };
    first.into_iter().map(placed).collect()
}

/// Numbers that the texts of a plan mean, in SI units: they may be written in parameters of the model.
struct Evaluated {
    known: Vec<(Place, f64)>,
}

impl Evaluated {
    fn new(model: &Model, plan: &SweepPlan) -> Result<Self, Error> {
        let mut all: Vec<&Expression> = [&plan.runs, &plan.seed, &plan.chunk]
            .into_iter()
            .flatten()
            .collect();
        for varied in &plan.vary {
            match &varied.spread {
                Spread::Values(values) => all.extend(values),
                Spread::Range(ends, count) => all.extend(ends.iter().chain(count)),
                Spread::Normal(both) => all.extend(both.iter()),
                _ => {}
            }
        }
        let mut description: Description = model.description().clone();
        let first = description.parameters.len();
        for (index, value) in all.iter().enumerate() {
            let place = value.whole();
            let text = format!("planned_{index}");
            description
                .parameters
                .push((Name { text, place }, (*value).clone()));
        }
        let mechanism =
            Mechanism::new(description).map_err(|errors| model.source().refuse(errors))?;
        let values = mechanism.parameters[first..].iter();
        let known = all
            .iter()
            .map(|it| it.whole())
            .zip(values.copied())
            .collect();
        Ok(Self { known })
    }

    fn value(&self, of: &Expression) -> f64 {
        let place = of.whole();
        let found = self.known.iter().find(|(known, _)| *known == place);
        found.map_or(f64::NAN, |(_, value)| *value)
    }

    fn finite(&self, of: &Expression) -> Result<f64, Diagnostic> {
        let value = self.value(of);
        match value.is_finite() {
            true => Ok(value),
            false => {
                let message = format!("`{}` is {}", of.text.trim(), shortest(value));
                let help = "write a number that can be computed with";
                Err(Diagnostic::error("E0632", of.whole(), message, help))
            }
        }
    }

    fn whole(&self, of: &Expression, [least, most]: [u64; 2]) -> Result<u64, Diagnostic> {
        let value = self.value(of);
        let fits = value.fract() == 0.0 && (least as f64..=most as f64).contains(&value);
        match fits {
            true => Ok(value as u64),
            false => {
                let message = format!("`{}` is {}", of.text.trim(), shortest(value));
                let help = format!("write a whole number from {least} to {most}");
                Err(Diagnostic::error("E0632", of.whole(), message, help))
            }
        }
    }
}
