//! The command line's words.

use clap::{Args, Parser, Subcommand, ValueEnum};
use dalembert_expr::print::Format;
use std::ffi::OsString;

/// Version of the program and of the model files it reads.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (model format 1)");

/// Derives, explains and simulates the motion of constrained mechanical systems.
#[derive(Parser)]
#[command(name = "dalembert", version = VERSION, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print the result as one JSON document.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Colour diagnostics.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    New(New),
    /// The constraint doctor: counts, rank, freedoms, redundant rows, start state.
    Check(ModelArguments),
    Derive(Derive),
    Prove(Prove),
    Eval(Eval),
    Run(Box<Run>),
    Sweep(Sweep),
    Merge(Merge),
    View(View),
    Serve(Serve),
    Plot(Plot),
    Bench(Bench),
    Calc(Calc),
    Explain(Explain),
    Schema(Schema),
    Completions(Completions),
}

/// Write a model from the gallery.
#[derive(Args)]
pub(crate) struct New {
    /// Name of the model; its file is NAME.toml in this folder.
    #[arg(required_unless_present = "list")]
    pub(crate) name: Option<String>,

    /// List the models of the gallery.
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Args)]
pub(crate) struct ModelArguments {
    /// The model file; - reads it from standard input.
    #[arg(value_name = "MODEL")]
    pub(crate) model: String,

    /// Override a parameter, a start value ("theta=10 deg") or a start rate ("theta'=2"). May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

/// Derive the equations of motion and the reactions, readable and proved.
///
/// Without --formulation, the one with the shortest equations is printed. What stands on the page holds for all values
/// of the parameters: numbers of the model file are not put in.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dalembert derive rolling-disk.toml
  dalembert derive rolling-disk.toml --formulation independent --steps
  dalembert derive rolling-disk.toml --independent theta,psi,phi --format latex
  dalembert derive clutch.toml --impulse couple")]
pub(crate) struct Derive {
    #[command(flatten)]
    pub(crate) model: ModelArguments,

    /// multipliers, udwadia-kalaba, projection, complement, independent or lagrange [default: the shortest].
    #[arg(long, value_name = "NAME")]
    pub(crate) formulation: Option<String>,

    /// The independent ones: coordinates or speeds by name [default: the simplest choice].
    #[arg(long, value_name = "NAME[,NAME...]", value_delimiter = ',')]
    pub(crate) independent: Vec<String>,

    /// Show kinematics and matrices before the result.
    #[arg(long)]
    pub(crate) steps: bool,

    /// What this event does to the velocities: rates after the blow, and impulses of all constraints.
    #[arg(long, value_name = "EVENT", conflicts_with_all = ["formulation", "independent", "steps"])]
    pub(crate) impulse: Option<String>,

    /// text, latex, typst, html, markdown or sympy.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: String,
}

/// Are these the equations of the model? Proved, or refuted with a counterexample.
///
/// One equation a line, in the model's names and syntax; # begins a comment. An equation may hold coordinates, rates and
/// accelerations (theta''), speeds and their rates, parameters, definitions, vectors, and lambda(ROW), the multiplier of a
/// row. `let NAME = EXPRESSION` names an expression for the file. `direction x = 1, y = k` claims that the constraints
/// allow this direction. reaction(ROW) is lambda(ROW).
///
/// Proved: it holds for every motion of the model. Refuted: at the state shown it does not, and the terms by which it
/// differs from a right equation are given. Exit code 0 only if all are proved.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dalembert prove examples/blajer-disk.toml --equations docs/papers/blajer-disk.txt
  echo \"(J + m*l^2)*phi'' = -m*g*l*sin(phi)\" | dalembert prove examples/phong-pendulum.toml --equations -")]
pub(crate) struct Prove {
    #[command(flatten)]
    pub(crate) model: ModelArguments,

    /// The file of equations; - reads it from standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) equations: String,

    /// What the equations are written in.
    #[arg(long, value_name = "LANGUAGE", default_value = "model")]
    pub(crate) from: Language,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// The language of models.
    Model,
    /// What SymPy prints, with functions of time x(t). As an equation: Eq(left, right), or an expression that vanishes; or a program of them, as derive --format sympy writes it.
    Sympy,
}

impl From<Language> for dalembert::prove::Language {
    fn from(language: Language) -> Self {
        match language {
            Language::Model => Self::Model,
            Language::Sympy => Self::Sympy,
        }
    }
}

/// What the heads of the tables of `eval` mean.
const EVAL_TABLES: &str = "\
b - A a               by how much the row would be violated without the constraint's force: a is the free acceleration
applied and inertial  given forces, weight and springs, and the inertia terms without accelerations (centrifugal, gyroscopic)
ideal reaction        what constraints exert without virtual work; non-ideal: the rest, such as friction
prescribed motion     power of what moves the system from outside as a given function of time";

/// Numbers at one state: accelerations, multipliers, forces, energy, powers.
#[derive(Args)]
#[command(after_help = EVAL_TABLES)]
pub(crate) struct Eval {
    #[command(flatten)]
    pub(crate) model: ModelArguments,

    /// Time of the state: t=0.7. The values are those of the start; the motion that arrives there is what `run` gives.
    #[arg(long, value_name = "t=TIME")]
    pub(crate) at: Option<String>,

    /// Evaluate the state as given, without making it consistent.
    #[arg(long)]
    pub(crate) raw: bool,
}

/// Simulate, and write the results.
#[derive(Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) model: ModelArguments,

    /// Write the samples to a .csv or .parquet file; - writes CSV to standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,

    /// Duration, such as 10 or "3 min".
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) span: Option<String>,

    /// Number of samples, both ends included.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) samples: Option<String>,

    /// Time between samples, such as 0.1 or "5 ms".
    #[arg(
        long,
        value_name = "TIME",
        conflicts_with = "samples",
        allow_hyphen_values = true
    )]
    pub(crate) step: Option<String>,

    /// Longest step of the integrator, such as 0.01 or "1 ms": for forces that act for a short while.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) max_step: Option<String>,

    /// Largest number of steps, rejected ones included [default: 10000000].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) max_steps: Option<String>,

    /// End the run when this becomes true: "theta > 85 deg".
    #[arg(long, value_name = "CONDITION")]
    pub(crate) until: Option<String>,

    /// Relative tolerance [default: 1e-9].
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) rtol: Option<String>,

    /// Absolute tolerance of every coordinate and speed; if not given, errors are relative to what the motion has
    /// reached so far, in any units.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) atol: Option<String>,

    /// auto, dop853, dopri5, or radau for stiff motions.
    #[arg(long, value_name = "NAME")]
    pub(crate) integrator: Option<String>,

    /// Where accelerations come from: multipliers (the default, and fastest), udwadia-kalaba, projection, complement or
    /// independent.
    #[arg(long, value_name = "NAME")]
    pub(crate) formulation: Option<String>,

    /// `all`: also accelerations, multipliers, reactions, powers, energy, residuals.
    #[arg(long, value_name = "WHAT")]
    pub(crate) record: Option<String>,

    /// No report and no progress bar.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Run a model many times, by a plan: grids, draws, tables; over all cores, or shares of it on many machines.
///
/// Results are a data set of Parquet files, one for each part of the runs, with manifest.json beside them. Parts appear whole or not at all:
/// after Ctrl-C, a crash or a full disk the same command makes those that are missing. What a run gives depends on nothing but the model,
/// the plan and its number.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dalembert sweep pendulum.toml plan.toml --out lengths
  dalembert sweep double-pendulum.toml --vary \"a=-3..3:100\" --vary \"b=-3..3:100\" --result \"turned = t when abs(b) > pi\" --out basins
  dalembert sweep pendulum.toml plan.toml --out part --shard 3/16
  dalembert merge part-* --out all")]
pub(crate) struct Sweep {
    /// The model file.
    #[arg(value_name = "MODEL")]
    pub(crate) model: String,

    /// The plan: a file with [vary.NAME], [results] and more, see docs/sweeps.md; - reads it from standard input.
    #[arg(value_name = "PLAN", required_unless_present = "vary")]
    pub(crate) plan: Option<String>,

    /// The folder for the results.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: String,

    /// Override a parameter, a start value or a start rate in all runs. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    /// In place of a plan: what varies. NAME=FROM..TO:COUNT, NAME=FROM..TO where values are drawn, or NAME=VALUE,VALUE,…; with `log ` before FROM on a logarithmic scale. May be repeated.
    #[arg(long, value_name = "NAME=VALUES", conflicts_with = "plan")]
    pub(crate) vary: Vec<String>,

    /// In place of a plan: what is kept, such as \"swing = max(theta)\". May be repeated.
    #[arg(long, value_name = "NAME=RESULT", conflicts_with = "plan")]
    pub(crate) result: Vec<String>,

    /// In place of a plan: how values are drawn, random, latin-hypercube or sobol.
    #[arg(
        long,
        value_name = "DESIGN",
        conflicts_with = "plan",
        requires = "runs"
    )]
    pub(crate) design: Option<String>,

    /// In place of a plan: how many runs are drawn.
    #[arg(long, value_name = "N", conflicts_with = "plan", requires = "design")]
    pub(crate) runs: Option<String>,

    /// In place of a plan: what all that is random follows from.
    #[arg(long, value_name = "N", conflicts_with = "plan")]
    pub(crate) seed: Option<String>,

    /// In place of a plan: the duration of each run.
    #[arg(long, value_name = "TIME", conflicts_with = "plan")]
    pub(crate) span: Option<String>,

    /// Make this share only, of so many: 3/16.
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<String>,

    /// Only go on where results are already; without it a new folder is begun.
    #[arg(long)]
    pub(crate) resume: bool,

    /// Threads [default: as many as there are cores].
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// No report and no progress bar.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Join the results of shares of a sweep in one folder, and see that none is missing.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dalembert merge shares/* --out all
  dalembert merge all        looks whether a data set is complete")]
pub(crate) struct Merge {
    /// Folders that `sweep --shard` wrote.
    #[arg(value_name = "FOLDER", required = true)]
    pub(crate) folders: Vec<String>,

    /// The folder for all of them [default: the first].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<String>,
}

/// Show the motion in a browser: one page that works offline.
///
/// The page has the animation, plots of everything that can be recorded, the equations, what `check` and `run` say, and the
/// model file. It is one file without any request to a network: mail it, put it on a web site, open it by a double click.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dalembert view rolling-disk.toml
  dalembert view rolling-disk.toml --set \"theta=20 deg\" --no-open --out disk.html
  dalembert view rolling-disk.toml --result disk.parquet
  dalembert view --gallery site")]
pub(crate) struct View {
    /// The model file; - reads it from standard input.
    #[arg(value_name = "MODEL", required_unless_present = "gallery")]
    pub(crate) model: Option<String>,

    /// Override a parameter, a start value ("theta=10 deg") or a start rate ("theta'=2"). May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    /// Write the pages of all models of the gallery, and a front page with pictures and a search, into this folder: a web site that needs no server.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["model", "set", "result", "out"])]
    pub(crate) gallery: Option<String>,

    /// Show these samples, a .csv or .parquet file that `run` wrote for the model [default: run the model].
    #[arg(long, value_name = "FILE")]
    pub(crate) result: Option<String>,

    /// The page's file; the model's name with .html in this folder if not given, - for standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,

    /// Write the page, and do not open it.
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Show the page of a model in a browser, anew whenever its file changes.
///
/// Mistakes in the file stand on the page, above the last motion that it gave. Sliders of models that the page cannot run by itself
/// are run here. Only this machine is answered, and only who knows the address; Ctrl-C ends it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dalembert serve rolling-disk.toml
  dalembert serve rolling-disk.toml --port 8080 --no-open")]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) model: ModelArguments,

    /// The port [default: one that is free].
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,

    /// Print the address, and do not open it.
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Read parts and tables of the model from this folder and below it only [default: the model's].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<String>,
}

/// Draw columns of a result file over time, or of a sweep over what varies, as SVG.
///
/// Of a sweep: one thing that varies gives points, two give a map in colours; a series gives its quantiles over time.
#[derive(Args)]
pub(crate) struct Plot {
    /// A .csv or .parquet file written by `run`, or a folder written by `sweep`.
    #[arg(value_name = "RESULT")]
    pub(crate) result: String,

    /// Columns to draw; the coordinates if none is named.
    #[arg(value_name = "COLUMN")]
    pub(crate) columns: Vec<String>,

    /// Column along the horizontal axis.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) x: Option<String>,

    /// The figure's file; the result's name with .svg if not given.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,
}

/// Measure how fast programs, models and runs are, beside a C compiler, CasADi and simulators.
///
/// Alone: five tables, each line printed when it is measured. Compiling; M and h of the planar
/// N-link pendulum by the tape, by native code and by the C we emit; its accelerations with the solve, beside
/// CasADi; batches; a chain of many masses. With the name of a table, that one: compile, evaluate, acceleration, batch,
/// chain; bodies-plane, bodies-space, bodies-relative and bodies-plane-relative, which are chains of bodies on hinges; simulate, which is whole runs of eight
/// mechanisms beside CasADi, MuJoCo, Pinocchio and SciPy with numba; or simulate-bodies, six of these as bodies and joints.
/// With a model: what reading, lowering, compiling and a start of it cost, and one state.
///
/// Figures are the least of many short runs, all in this process but for those of peers in Python, whose script runs beside.
/// Peers that are not there (`cc`, a Python with the others) are left out, and that is said; a peer that fails,
/// or computes other numbers than we do, is an error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dalembert bench
  dalembert bench --python ~/venv/bin/python --json
  dalembert bench simulate --python ~/venv/bin/python
  dalembert bench examples/rolling-disk.toml")]
pub(crate) struct Bench {
    /// A table, or a model file (./NAME if it is named as a table is); - reads it from standard input.
    #[arg(value_name = "TABLE|MODEL")]
    pub(crate) what: Option<String>,

    /// Override a parameter, a start value or a start rate of the model. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", requires = "what")]
    pub(crate) set: Vec<String>,

    /// A Python interpreter that has the peers [default: python3, if it has].
    #[arg(long, value_name = "PYTHON", conflicts_with = "quick")]
    pub(crate) python: Option<String>,

    /// Small sizes, each measured once, without peers in Python: to see that it works.
    #[arg(long)]
    pub(crate) quick: bool,
}

/// Say what a diagnostic means.
#[derive(Args)]
pub(crate) struct Explain {
    /// Its code, such as E0201.
    #[arg(value_name = "CODE")]
    pub(crate) code: String,
}

/// Print a JSON Schema: of model files, for editors, or of what a command says with --json.
#[derive(Args)]
pub(crate) struct Schema {
    /// model, sweep (plans), check, derive, impulse (of derive --impulse), eval, prove, run, sweep-report, or error: what any command says when it fails.
    #[arg(value_name = "WHAT", default_value = "model")]
    pub(crate) of: String,
}

/// Print completions for a shell.
#[derive(Args)]
pub(crate) struct Completions {
    pub(crate) shell: clap_complete::Shell,
}

/// Read an expression, differentiate, simplify, evaluate and print it.
///
/// Numbers are exact: 0.1 is 1/10. A name with a prime is a function of time, as it is without the
/// prime in the same command: in "m*x'^2/2 + k*x^2/2", x and x' move, m and k are constants; x_dot
/// is another spelling of x'. --moving names further functions of time. `t` is time, `pi` is known,
/// `log` is the natural logarithm, angles may be written in `deg`.
#[derive(Args)]
#[command(
    override_usage = "dalembert calc [OPTIONS] <EXPR>",
    after_help = "\
Examples:
  dalembert calc \"sin(30 deg) + 0.1\"
  dalembert calc \"m/2*(r'^2 + r^2*theta'^2)\" --moving r,theta --diff \"theta'\" --diff t
  dalembert calc \"sin(x)^2 + cos(x)^2 + x\" --simplify --set x=2
  dalembert calc \"sqrt(x^2 + y^2)\" --diff x --format latex

Functions: sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp log sqrt abs sign min max
smooth_sign(x, width)."
)]
pub(crate) struct Calc {
    /// The expression, in quotes; - reads it from standard input.
    // One word: several are refused with a message about quotes.
    #[arg(value_name = "EXPR", value_parser = expression_text, required = true)]
    pub(crate) expression: Vec<String>,

    /// What the expression is written in.
    #[arg(long, value_name = "LANGUAGE", default_value = "model")]
    pub(crate) from: Language,

    /// Names that are functions of time, besides those with a prime. May be repeated.
    #[arg(long, value_name = "NAME[,NAME...]", value_delimiter = ',')]
    pub(crate) moving: Vec<String>,

    /// Differentiate by a name, such as x or x'; by t along the motion. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) diff: Vec<String>,

    /// Collect equal terms and equal factors, and use sin² + cos² = 1; products of sums are not expanded.
    #[arg(long)]
    pub(crate) simplify: bool,

    /// Put a value or an expression in for a name, after differentiating. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    /// How to print the result.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub(crate) format: Format,

    /// Write time derivatives with dots or with primes; each format has its own habit.
    #[arg(long, value_name = "STYLE")]
    pub(crate) derivatives: Option<DerivativeStyle>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DerivativeStyle {
    Dots,
    Primes,
}

/// The words of the command. The expression of `calc` may start with a minus: it is told from an option
/// by a blank before it, which [`expression_text`] takes away again.
pub(crate) fn words(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if let Some(calc) = words.iter().position(|word| word == "calc") {
        words[calc..]
            .iter_mut()
            .for_each(|word| *word = protect_sign(std::mem::take(word)));
    }
    words
}

fn protect_sign(argument: OsString) -> OsString {
    match argument.to_str() {
        Some("-h" | "-V" | "-") | None => argument,
        Some(text) if text.starts_with('-') && !text.starts_with("--") => format!(" {text}").into(),
        Some(_) => argument,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature clap asks for")]
fn expression_text(text: &str) -> Result<String, String> {
    Ok(text
        .strip_prefix(' ')
        .filter(|rest| rest.starts_with('-'))
        .unwrap_or(text)
        .to_owned())
}

/// The names of formats; `tex` is `latex`.
fn format_parser() -> impl clap::builder::TypedValueParser<Value = Format> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let named = |format: Format| {
        let value = PossibleValue::new(format.name());
        match format {
            Format::Latex => value.alias("tex"),
            _ => value,
        }
    };
    PossibleValuesParser::new(Format::ALL.map(named)).try_map(|name| {
        let name = if name == "tex" { "latex" } else { &name };
        name.parse::<Format>().map_err(|error| error.to_string())
    })
}
