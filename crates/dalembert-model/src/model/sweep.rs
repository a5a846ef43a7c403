//! Plans of sweeps: what differs from run to run, how its values are chosen, and what is kept of each run.

use super::check::{Check, Content, Fields};
use super::file::root;
use super::form_codes::names as code;
use super::format::SWEEP;
use super::mistakes::at_most_shown;
use super::part::PartFile;
use super::{Asked, Expression, Name, Origin, Run, mistakes, toml_errors};
use crate::diagnostic::{Diagnostic, Place};
use std::sync::Arc;

/// The plan of a sweep, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepPlan {
    /// What is studied.
    pub title: Option<String>,
    /// How values are chosen: grid, random, latin-hypercube, sobol or table.
    pub design: String,
    /// How many runs a design draws.
    pub runs: Option<Expression>,
    /// What all that is random follows from.
    pub seed: Option<Expression>,
    /// How many runs make a part.
    pub chunk: Option<Expression>,
    /// The file with a row for each run.
    pub table: Option<Name>,
    /// What differs from run to run.
    pub vary: Vec<Varied>,
    /// What is the same in all runs, in place of what the model says.
    pub set: Vec<(Expression, Expression)>,
    /// How to simulate.
    pub run: Run,
    /// Where accelerations come from.
    pub formulation: Option<Name>,
    /// What is kept of each run.
    pub results: Vec<(Name, Asked)>,
}

/// Something that differs from run to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// What it is: a value of the model, `run.rtol` and the like, or `model`.
    pub of: Expression,
    /// How it differs.
    pub spread: Spread,
    /// Whether equal ways are equal factors.
    pub log: bool,
}

/// How something differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spread {
    /// These values.
    Values(Vec<Expression>),
    /// From one value to another; in a grid so many of them.
    Range(Box<[Expression; 2]>, Option<Expression>),
    /// Normal, with a mean and a deviation.
    Normal(Box<[Expression; 2]>),
    /// As a column of the table says.
    Column(Name),
    /// These words.
    Words(Vec<Name>),
    /// These model files.
    Files(Vec<Name>),
}

/// Reads the plan of a sweep.
///
/// ```
/// let plan = dalembert_model::model::read_sweep(
///     r#"
///     dalembert = 1
///     [vary.l]
///     from = "0.5 m"
///     to = "2 m"
///     count = 16
///     [results]
///     swing = "max(theta)"
///     fallen = "t when theta > 85 deg"
///     "#,
/// )
/// .map_err(|errors| errors[0].message.clone())?;
/// assert_eq!((plan.design.as_str(), plan.vary.len(), plan.results.len()), ("grid", 1, 2));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Everything that is wrong with its form.
pub fn read_sweep(text: &str) -> Result<SweepPlan, Vec<Diagnostic>> {
    let (table, toml_errors) = root(text);
    if !toml_errors.is_empty() {
        return Err(toml_errors::diagnostics(text, &toml_errors));
    }
    let mut check = Check::new(Some(text));
    let fields = check.table("", SWEEP, table);
    let plan = check.sweep(fields);
    let (errors, _) = check.mistakes.into_lists();
    match errors.is_empty() {
        true => Ok(plan),
        false => Err(at_most_shown(mistakes::sorted(errors))),
    }
}

impl Varied {
    /// Whether it says how many values of a grid there are.
    #[must_use]
    pub fn count_is_given(&self) -> bool {
        matches!(&self.spread, Spread::Range(_, Some(_)))
    }
}

impl SweepPlan {
    /// The same, whose places are in a file of this name and text: beside those of a model.
    #[must_use]
    pub fn in_file(mut self, name: &str, text: &str) -> Self {
        let file = PartFile::new(name, text);
        let own = |it: &mut Expression| {
            if let Origin::File(pieces) = &it.origin {
                it.origin = Origin::Part(Arc::clone(&file), pieces.clone());
            }
        };
        let named = |it: &mut Name| it.place = file.place(it.place.clone());
        let Self {
            runs, seed, chunk, ..
        } = &mut self;
        [runs, seed, chunk].into_iter().flatten().for_each(own);
        for varied in &mut self.vary {
            own(&mut varied.of);
            match &mut varied.spread {
                Spread::Values(values) => values.iter_mut().for_each(own),
                Spread::Range(ends, count) => ends.iter_mut().chain(count).for_each(own),
                Spread::Normal(both) => both.iter_mut().for_each(own),
                Spread::Column(name) => named(name),
                Spread::Words(names) | Spread::Files(names) => names.iter_mut().for_each(named),
            }
        }
        for (key, value) in &mut self.set {
            own(key);
            own(value);
        }
        let run = &mut self.run;
        let numbers = [&mut run.from, &mut run.span, &mut run.rtol, &mut run.atol];
        let numbers = numbers
            .into_iter()
            .chain([&mut run.until, &mut run.samples]);
        let numbers = numbers.chain([&mut run.step, &mut run.max_step, &mut run.max_steps]);
        numbers.flatten().for_each(own);
        let words = [&mut run.integrator, &mut self.formulation, &mut self.table];
        words.into_iter().flatten().for_each(named);
        for (name, asked) in &mut self.results {
            named(name);
            match asked {
                Asked::Number(it) => own(it),
                Asked::When { value, condition } => [value, condition].into_iter().for_each(own),
            }
        }
        self
    }
}

impl Check {
    fn sweep(&mut self, mut table: Fields) -> SweepPlan {
        let file = table.word("table");
        let design = table.word("design").map(|word| word.text);
        let design = design.unwrap_or_else(|| match &file {
            Some(_) => "table".to_owned(),
            None => "grid".to_owned(),
        });
        let drawn = !["grid", "table"].contains(&design.as_str());
        for (key, needed) in [("runs", drawn), ("table", design == "table")] {
            if table.has(key) != needed {
                let (place, message, help) = match needed {
                    true => (
                        table.place_of("design"),
                        format!("the design `{design}` needs `{key}`"),
                        match key {
                            "runs" => "add runs = 1000",
                            _ => "add table = \"runs.csv\", a file beside the plan",
                        },
                    ),
                    false => (
                        table.place_of(key),
                        format!("`{key}` has no effect on the design `{design}`"),
                        match key {
                            "runs" => {
                                "leave it out, or choose design = \"random\", \"latin-hypercube\" or \"sobol\""
                            }
                            _ => "leave it out, or choose design = \"table\"",
                        },
                    ),
                };
                let code = if needed {
                    code::MISSING
                } else {
                    code::NO_EFFECT
                };
                self.mistakes.report(code, place, message, help);
            }
        }
        let varied = match table.take("vary") {
            Some(Content::Varied(varied)) => varied,
            _ => Vec::new(),
        };
        if varied.is_empty() {
            let message = "the plan varies nothing";
            let help = "add a table for what differs, such as [vary.l] with from, to and count";
            let place = table.place_of("vary");
            self.mistakes.report(code::MISSING, place, message, help);
        }
        let vary = varied.into_iter();
        let vary = vary.filter_map(|(of, fields)| self.one_varied(of, fields, &design));
        let vary = vary.collect();
        let set = match table.take("set") {
            Some(Content::Settings(set)) => set,
            _ => Vec::new(),
        };
        let results = table.named("results").into_iter();
        let results = results.filter_map(|(name, content)| match content {
            Content::Asked(asked) => Some((name, *asked)),
            _ => None,
        });
        let results = results.collect();
        let mut run = table.fields("run");
        SweepPlan {
            title: table.word("title").map(|title| title.text),
            design,
            runs: table.expression("runs"),
            seed: table.expression("seed"),
            chunk: table.expression("chunk"),
            table: file,
            vary,
            set,
            formulation: run.as_mut().and_then(|it| it.word("formulation")),
            run: run.map(|it| self.run(it)).unwrap_or_default(),
            results,
        }
    }

    fn one_varied(&mut self, of: Expression, mut fields: Fields, design: &str) -> Option<Varied> {
        let ways: [&[&str]; 6] = [
            &["values"],
            &["from", "to", "count"],
            &["mean", "deviation"],
            &["column"],
            &["words"],
            &["files"],
        ];
        let given: Vec<&&[&str]> = ways
            .iter()
            .filter(|keys| keys.iter().any(|key| fields.gives(key)))
            .collect();
        let path = fields.path.clone();
        let log = match fields.take("scale") {
            Some(Content::Word(word)) => word.text == "log",
            _ => false,
        };
        let way = match *given.as_slice() {
            [] if design == "table" => return Some(self.column(of, None, log)),
            [] => {
                let example = "from = \"0.5 m\", to = \"2 m\", count = 16";
                self.one_of(
                    &fields,
                    &["values", "from", "mean", "words", "files"],
                    example,
                );
                return None;
            }
            [way] => way,
            [one, other, ..] => {
                let (one, other) = (one[0], other[0]);
                self.exclusive(&fields, one, other);
                return None;
            }
        };
        let needed: &[&str] = match way[0] {
            "from" if design == "grid" => &["from", "to", "count"],
            "from" => &["from", "to"],
            _ => way,
        };
        for key in needed.iter().filter(|key| !fields.has(key)) {
            let place = fields.place.clone();
            let message = format!("[{path}] has no `{key}`");
            let help = format!(
                "add {key} = {}",
                if *key == "count" { "10" } else { "\"1 m\"" }
            );
            self.mistakes.report(code::MISSING, place, message, help);
        }
        let fits = match way[0] {
            "mean" => !["grid", "table"].contains(&design),
            "column" => design == "table",
            "from" => design != "table" && (design == "grid" || !fields.has("count")),
            _ => design != "table",
        };
        if !fits {
            let key = if way[0] == "from" && design != "table" {
                "count"
            } else {
                way[0]
            };
            let message = format!("`{key}` of [{path}] has no effect on the design `{design}`");
            let help = match (key, design) {
                ("mean", _) => "choose design = \"random\", \"latin-hypercube\" or \"sobol\"",
                ("count", _) => "leave it out: `runs` says how many values are drawn",
                ("column", _) => "choose design = \"table\"",
                _ => "a table has the values of all runs in its columns",
            };
            let place = fields.place_of(key);
            self.mistakes.report(code::NO_EFFECT, place, message, help);
        }
        let spread = match way[0] {
            "values" => {
                let values = fields.values("values")?;
                if values.is_empty() {
                    let place = fields.place_of("values");
                    let message = format!("`values` of {path} is empty");
                    let help = "write at least one value";
                    self.mistakes
                        .report(code::WRONG_COUNT, place, message, help);
                }
                Spread::Values(values)
            }
            "from" => {
                let [from, to] = ["from", "to"].map(|key| fields.expression(key));
                Spread::Range(Box::new([from?, to?]), fields.expression("count"))
            }
            "mean" => {
                let [mean, deviation] = ["mean", "deviation"].map(|key| fields.expression(key));
                Spread::Normal(Box::new([mean?, deviation?]))
            }
            "column" => return Some(self.column(of, fields.word("column"), log)),
            "words" => Spread::Words(fields.words("words")?),
            _ => Spread::Files(fields.words("files")?),
        };
        if log && !matches!(spread, Spread::Range(..) | Spread::Normal(_)) {
            let message = format!("`scale` of [{path}] has no effect on a list");
            let (place, help) = (fields.place_of("scale"), "leave it out");
            self.mistakes.report(code::NO_EFFECT, place, message, help);
        }
        Some(Varied { of, spread, log })
    }

    /// What a column of a table says.
    fn column(&mut self, of: Expression, column: Option<Name>, log: bool) -> Varied {
        let place: Place = of.whole();
        let own = Name {
            text: of.text.clone(),
            place: place.clone(),
        };
        if log {
            let help = "leave it out: the table has the values themselves";
            let message = format!("`scale` of {} has no effect on a column", of.text);
            self.mistakes.report(code::NO_EFFECT, place, message, help);
        }
        Varied {
            of,
            spread: Spread::Column(column.unwrap_or(own)),
            log: false,
        }
    }
}
