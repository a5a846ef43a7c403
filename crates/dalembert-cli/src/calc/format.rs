//! Names of formats on the command line.

use clap::builder::{PossibleValue, TypedValueParser};
use dalembert_expr::print::Format;

/// Accepts `tex` for `latex`.
#[derive(Clone)]
pub(crate) struct TexIsLatex<P>(pub(crate) P);

impl<P: TypedValueParser<Value = Format>> TypedValueParser for TexIsLatex<P> {
    type Value = Format;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Format, clap::Error> {
        if value == "tex" {
            return Ok(Format::Latex);
        }
        self.0.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}
