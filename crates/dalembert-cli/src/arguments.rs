//! The command line's words.

use clap::{Args, Parser, Subcommand, ValueEnum};
use dalembert_expr::print::Format;
use std::ffi::OsString;

/// Derives, explains and simulates the motion of constrained mechanical systems.
#[derive(Parser)]
#[command(name = "dalembert", version, max_term_width = 100)]
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
    Calc(Calc),
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

    /// Names that are functions of time, besides those with a prime. May be repeated.
    #[arg(long, value_name = "NAME[,NAME...]", value_delimiter = ',')]
    pub(crate) moving: Vec<String>,

    /// Differentiate by a name, such as x or x'; by t along the motion. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) diff: Vec<String>,

    /// Collect equal terms and equal factors, and use sin² + cos² = 1.
    #[arg(long)]
    pub(crate) simplify: bool,

    /// Put a value or an expression in for a name, after differentiating. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    /// How to print the result.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = crate::calc::TexIsLatex(format_parser()))]
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

/// An expression may start with a minus: it is told from an option by a blank before it, which
/// [`expression_text`] takes away again.
pub(crate) fn protect_sign(argument: OsString) -> OsString {
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

fn format_parser() -> impl clap::builder::TypedValueParser<Value = Format> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| name.parse::<Format>().map_err(|error| error.to_string()))
}
