//! Notations: expressions as text for people and for programs.
//!
//! Two families share nothing but the [`Format`] that selects them:
//!
//! ```text
//! graph ──▶ infix    model, C, Python, SymPy     every operation of the graph, in its order
//!      └──▶ layout ──▶ tokens ──▶ text, LaTeX, Typst, MathML     what a careful author would write
//! ```
//!
//! The first keeps the structure: model text is read back as the *same node*, and a C expression does the
//! operations of the graph in the order of the graph. The second flattens sums and products, collects
//! equal factors, puts numbers and signs in front and functions last, and decides about parentheses once
//! for all four notations.
//!
//! Nothing recurses over depth, and the cost is linear in the length of the text. An expression whose
//! tree is too long to be read is printed with named subexpressions instead ([`Printed::definitions`]):
//! a graph of 200 nodes can be a tree of 2^200.

mod c;
mod greek;
mod identifier;
mod infix;
mod latex;
mod layout;
mod mathml;
mod model;
mod names;
mod notation;
mod number;
mod python;
mod shared;
mod sympy;
mod text;
mod tokens;
mod typst;
mod visible;

pub use c::C_PRELUDE;
pub use mathml::mathml_element;
pub use number::{is_decimal, shortest};
pub use python::PYTHON_PRELUDE;
pub use shared::tree_size;
pub use visible::{visible, visible_lines};

pub(crate) use greek::greek;

use crate::cone::Cone;
use crate::graph::{ExprId, Graph, SymbolId};
use crate::named_choices;
use names::PrintedNames;

/// Trees up to this many nodes are printed as they are: about ten pages of text.
pub const DEFAULT_TREE_LIMIT: u64 = 20_000;

/// The same for the language of models, which has no names for subexpressions: what is larger can no
/// longer be read back in one piece.
pub const MODEL_TREE_LIMIT: u64 = 200_000;

/// The notations an expression can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The language of model files; reading it back gives the same node.
    Model,
    /// Unicode text for the terminal: `½ m (x'² + y'²)`.
    Text,
    /// LaTeX mathematics, without delimiters.
    Latex,
    /// Typst mathematics, without delimiters.
    Typst,
    /// Presentation MathML Core; a fragment to be wrapped by [`mathml_element`].
    MathMl,
    /// A C99 expression in doubles; [`C_PRELUDE`] defines what `<math.h>` lacks.
    C,
    /// A Python expression in floats with `import math`; [`PYTHON_PRELUDE`] defines the rest.
    Python,
    /// An exact SymPy expression; coordinates are functions of time.
    Sympy,
}

named_choices! {
    Format, "format", 8:
    Model "model", Text "text", Latex "latex", Typst "typst", MathMl "mathml", C "c", Python "python", Sympy "sympy",
}

impl Format {
    /// Whether floating-point code is written, where a second computation costs time.
    const fn is_computed(self) -> bool {
        matches!(self, Self::C | Self::Python)
    }
}

/// How time derivatives are written in the notations for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Derivatives {
    /// x', x''
    Primes,
    /// ẋ, ẍ
    Dots,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The notation.
    pub format: Format,
    /// Primes or dots; program notations have their own way and ignore it.
    pub derivatives: Derivatives,
    /// Largest number of nodes of all trees together before subexpressions get names;
    /// 0 names them always, `u64::MAX` never.
    pub tree_limit: u64,
}

impl Options {
    /// The usual choice for a format: dots where mathematics is typeset, primes in plain text.
    #[must_use]
    pub const fn new(format: Format) -> Self {
        let derivatives = match format {
            Format::Latex | Format::Typst | Format::MathMl => Derivatives::Dots,
            _ => Derivatives::Primes,
        };
        Self {
            format,
            derivatives,
            tree_limit: match format {
                Format::Model => MODEL_TREE_LIMIT,
                _ => DEFAULT_TREE_LIMIT,
            },
        }
    }
}

/// Expressions as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The symbols that occur, as written in this format; in a program no two are the same.
    pub symbols: Vec<(SymbolId, String)>,
    /// Named subexpressions (name as written, expression), each using only earlier ones.
    /// Empty where the expressions are printed as trees.
    pub definitions: Vec<(String, String)>,
    /// What the names of the definitions stand for, one by one.
    pub named: Vec<ExprId>,
    /// The expressions, in the order asked for.
    pub expressions: Vec<String>,
}

impl Printed {
    /// Whether the trees were too large and subexpressions got names.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        !self.definitions.is_empty()
    }

    /// Definitions and expressions as one piece of text that is valid in `format`, the format they
    /// were printed in.
    ///
    /// * LaTeX: an `aligned` block, as soon as there is more than one line
    /// * Typst: aligned lines
    /// * MathML: a `<math>` element for each definition and each expression, one a line
    /// * C: statements `const double s1 = …;`, then the expressions
    /// * Python, SymPy, text: lines `s1 = …`, then the expressions
    /// * Model: the same lines. The language of models has no local names, so a document with
    ///   definitions is to be read line by line; it takes a tree of [`MODEL_TREE_LIMIT`] nodes.
    #[must_use]
    pub fn document(&self, format: Format) -> String {
        let aligned = |line_end: &str, blank: &str| {
            let definitions = self.definitions.iter();
            let definitions = definitions.map(|(name, text)| format!("{name} &= {text}"));
            let results = self.expressions.iter().map(|text| format!("{blank}{text}"));
            definitions
                .chain(results)
                .collect::<Vec<_>>()
                .join(line_end)
        };
        let lines = |definition: fn(&str, &str) -> String, result: fn(&str) -> String| {
            let definitions = self.definitions.iter();
            let definitions = definitions.map(|(name, text)| definition(name, text));
            let results = self.expressions.iter().map(|text| result(text));
            definitions.chain(results).collect::<Vec<_>>().join("\n")
        };
        let is_one = self.definitions.is_empty() && self.expressions.len() == 1;
        match format {
            Format::Latex | Format::Typst if is_one => self.expressions.concat(),
            Format::Latex => {
                let lines = aligned(" \\\\\n", r"&\phantom{{}={}} ");
                format!("\\begin{{aligned}}\n{lines}\n\\end{{aligned}}")
            }
            Format::Typst => aligned(" \\\n", "& "),
            Format::MathMl => lines(
                |name, text| {
                    let equation = format!("<mrow>{name}<mo>=</mo>{text}</mrow>");
                    mathml_element(&equation, true)
                },
                |text| mathml_element(text, true),
            ),
            Format::C => lines(
                |name, text| format!("const double {name} = {text};"),
                str::to_owned,
            ),
            Format::Model | Format::Text | Format::Python | Format::Sympy => {
                lines(|name, text| format!("{name} = {text}"), str::to_owned)
            }
        }
    }
}

/// Prints expressions in one notation, with one set of names.
///
/// ```
/// use dalembert_expr::print::{Format, Options, print};
/// use dalembert_expr::{Graph, SymbolKind};
/// let mut g = Graph::new();
/// let rate = g.derivative_symbol("theta", SymbolKind::Coordinate, 1);
/// let square = g.powi(rate, 2);
/// let text = |format| print(&g, &[square], &Options::new(format)).expressions.remove(0);
/// assert_eq!(text(Format::Text), "θ'²");
/// assert_eq!(text(Format::Latex), r"\dot\theta^2");
/// assert_eq!(text(Format::C), "theta_dot*theta_dot");
/// ```
#[must_use]
pub fn print(graph: &Graph, expressions: &[ExprId], options: &Options) -> Printed {
    let cone = Cone::new(graph, expressions);
    let mut names = PrintedNames::of_symbols(graph, &cone, options);
    let mut named = Vec::new();
    if shared::total_tree_size(graph, &cone, expressions) > options.tree_limit {
        named = shared::worth_naming(graph, &cone, expressions, options.format);
        names.name_shared(graph, &named, options);
    }
    let definition = |&id: &ExprId| {
        let name = names.shared(id).map_or_else(String::new, str::to_owned);
        (name, write(graph, &names, options.format, id, true))
    };
    Printed {
        definitions: named.iter().map(definition).collect(),
        named,
        expressions: expressions
            .iter()
            .map(|&id| write(graph, &names, options.format, id, false))
            .collect(),
        symbols: names.into_symbols(),
    }
}

/// Whether a word means something to SymPy, so that no symbol is called so there.
pub(crate) fn is_sympy_word(word: &str) -> bool {
    sympy::DIALECT.is_reserved(word)
}

/// How a name is spelled in SymPy.
pub(crate) fn sympy_identifier(name: &str) -> String {
    identifier::Identifiers::new(&sympy::DIALECT).assign(name, 0)
}

/// Prints one expression with the usual options of a format, as one piece of text.
///
/// Where subexpressions had to get names, their definitions come first: see [`Printed::document`].
///
/// ```
/// use dalembert_expr::print::{Format, print_one};
/// use dalembert_expr::{Graph, SymbolKind};
/// let mut g = Graph::new();
/// let m = g.symbol("m", SymbolKind::Parameter);
/// let half = g.number(dalembert_expr::Rational::new(1, 2).unwrap());
/// let e = g.mul(half, m);
/// assert_eq!(print_one(&g, e, Format::Text), "½ m");
/// ```
#[must_use]
pub fn print_one(graph: &Graph, expression: ExprId, format: Format) -> String {
    let printed = print(graph, &[expression], &Options::new(format));
    if format == Format::MathMl && !printed.is_shared() {
        return mathml_element(&printed.expressions.concat(), false);
    }
    printed.document(format)
}

/// One expression; `defines` says that its own name must not stand for it.
fn write(graph: &Graph, names: &PrintedNames, format: Format, id: ExprId, defines: bool) -> String {
    let human = |stacked| {
        let layout = layout::Layout::new(graph, names, id, defines);
        tokens::tokens(&layout, stacked)
    };
    match format {
        Format::Model => infix::write(graph, names, &model::DIALECT, id, defines),
        Format::C => infix::write(graph, names, &c::DIALECT, id, defines),
        Format::Python => infix::write(graph, names, &python::DIALECT, id, defines),
        Format::Sympy => infix::write(graph, names, &sympy::DIALECT, id, defines),
        Format::Text => text::write(&human(false), names),
        Format::Latex => latex::write(&human(true), names),
        Format::Typst => typst::write(&human(true), names),
        Format::MathMl => mathml::write(&human(true), names),
    }
}
