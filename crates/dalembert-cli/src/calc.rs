//! `dalembert calc`: the expression room on its own.

mod input;
mod names;
mod range;
mod report;

use crate::arguments::{Calc, Language};
use crate::output::{Failure, Plain};
use dalembert::mechanics::diagnostic::{Diagnostic, Place};
use dalembert::mechanics::elaborate::Elaborator;
use dalembert::mechanics::model::{Expression, Origin};
use dalembert::report::Error;
use dalembert_expr::calculus::{partial, time_derivative};
use dalembert_expr::syntax::{
    Arithmetic, Kind, Span, SympyNames, Tree, from_sympy, read_expression,
};
use dalembert_expr::{Cone, ExprId, SymbolId, SymbolKind, simplify, substitute};
use input::{Input, inputs, mistakes, settings, source};
use names::{CalcNames, not_here};
use report::report;
use std::collections::BTreeSet;
use std::ops::Range;

/// Longest list of names, and longest text, that a message repeats.
const MAX_LISTED: usize = 8;
const MAX_REPEATED: usize = 80;

/// Most mistakes of one text that are told.
const MAX_SHOWN: usize = 20;

pub(crate) fn run(arguments: &Calc) -> Result<Plain, Failure> {
    let settings = settings(&arguments.set)?;
    let source = source(&arguments.expression)?;
    let (source, functions) = match arguments.from {
        Language::Model => (source, Vec::new()),
        Language::Sympy => match from_sympy(&source, &SympyNames::default()) {
            Ok(read) => (read.text, read.functions),
            Err(errors) => {
                return Err(Error::new(mistakes("EXPR", &source, 0, &errors)).into());
            }
        },
    };
    let expression = Input::new("EXPR".into(), &source, 0..source.len(), read_expression);
    let by = inputs("--diff", &arguments.diff);
    let moving = [arguments.moving.as_slice(), &functions].concat();
    let moving = inputs("--moving", &moving);
    let all = || {
        std::iter::once(&expression)
            .chain(&by)
            .chain(&moving)
            .chain(settings.iter().flatten())
    };

    // A name that has a prime anywhere moves everywhere.
    let mut names = CalcNames::default();
    for input in all() {
        names.collect(input);
    }
    let strange = moving
        .iter()
        .filter_map(|input| names.declare_moving(input, &expression));
    let (warnings, refused) = strange.partition(|found| found.code.starts_with('W'));
    let model = names.model();
    let mut work = Work {
        scope: Elaborator::new(&model),
        refused,
        warnings,
    };
    let set_names: BTreeSet<&str> = settings.iter().map(|[name, _]| name.text()).collect();
    work.look_alikes(all(), &set_names);

    let value = work.elaborate(&expression);
    let by: Vec<(&Input, Option<ExprId>)> = by
        .iter()
        .map(|input| (input, work.elaborate(input)))
        .collect();
    let set: Vec<[Option<ExprId>; 2]> = settings
        .iter()
        .map(|[name, value]| [work.elaborate(name), work.elaborate(value)])
        .collect();

    let mut result = value;
    for (input, by) in by {
        if let (Some(value), Some(by)) = (result, by) {
            result = work.differentiate(value, by, input, arguments.moving.is_empty());
        }
    }
    if let Some(value) = result {
        result = Some(work.put_in(value, &settings, &set));
    }
    match result {
        Some(mut value) if work.refused.is_empty() => {
            if arguments.simplify {
                value = simplify(&mut work.scope.graph, &[value])[0];
            }
            Ok(report(work, names.moving, value, arguments, &expression))
        }
        _ => Err(Error::new(work.refused).into()),
    }
}

/// Everything a computation is done with.
struct Work<'m> {
    scope: Elaborator<'m>,
    refused: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Work<'_> {
    fn elaborate(&mut self, input: &Input) -> Option<ExprId> {
        let text = input.text();
        let form = mistakes(
            &input.argument,
            input.whole,
            input.part.start,
            &input.reading.errors,
        );
        let (value, meaning) = match &input.reading.tree {
            Some(tree) => self.read(input, tree),
            None => (None, Vec::new()),
        };
        if form.is_empty() && meaning.is_empty() {
            return value;
        }
        if text.contains(',') && input.argument == "--diff" {
            let each = text
                .split(',')
                .map(|name| format!("--diff {}", name.trim()));
            let cure = each.collect::<Vec<_>>().join(" ");
            let message = format!("`{text}` is not one name");
            let help = format!("repeat the option: {cure}");
            self.refused.push(input.about("E0901", message, help));
            return None;
        }
        // What overlaps a mistake of form may be a consequence of its repair, and so may numbers of arguments.
        let is_new = |found: &Diagnostic| {
            form.is_empty()
                || found.code != "E0203"
                    && !form.iter().any(|form| overlap(&span(found), &span(form)))
        };
        let meaning: Vec<Diagnostic> = meaning.into_iter().filter(is_new).collect();
        let mut all = [form, meaning].concat();
        all.sort_by_key(|found| (span(found).start, span(found).end));
        all.truncate(MAX_SHOWN);
        self.refused.extend(all);
        None
    }

    /// What a text stands for, and the mistakes of meaning in it.
    fn read(&mut self, input: &Input, tree: &Tree) -> (Option<ExprId>, Vec<Diagnostic>) {
        let mut found = not_here(input, tree);
        let expression = Expression {
            text: input.text().to_owned(),
            tree: tree.clone(),
            origin: Origin::Key(input.argument.clone()),
        };
        let value = self.scope.scalar(&expression);
        for mistake in self.scope.diagnostics.drain(..) {
            let help = mistake.help.clone().unwrap_or_default();
            let mistake = input.diagnostic(mistake.code, span(&mistake), mistake.message, help);
            // Units are judged above, and so are members of names.
            let judged = |own: &Diagnostic| overlap(&span(own), &span(&mistake));
            if mistake.code != "E0207" && !(mistake.code == "E0403" && found.iter().any(judged)) {
                found.push(mistake);
            }
        }
        (value, found)
    }

    /// Warns of names that look like something else; those that are set are meant.
    fn look_alikes<'i>(
        &mut self,
        inputs: impl Iterator<Item = &'i Input<'i>>,
        set: &BTreeSet<&str>,
    ) {
        let mut seen = BTreeSet::new();
        for input in inputs {
            for (name, span, help) in look_alikes(input) {
                if !set.contains(name) && seen.insert(name) {
                    let message = format!("`{name}` is a name like any other");
                    self.warnings
                        .push(input.diagnostic("W0905", span.range(), message, help));
                }
            }
        }
    }

    /// The derivative by a symbol; along the motion if that is time.
    fn differentiate(
        &mut self,
        value: ExprId,
        by: ExprId,
        input: &Input,
        warn_of_constants: bool,
    ) -> Option<ExprId> {
        let text = input.text();
        let Some(symbol) = self.scope.graph.as_symbol(by) else {
            let message = format!("`{text}` is not a name");
            let help = "differentiate by a name such as x or x'";
            self.refused.push(input.about("E0901", message, help));
            return None;
        };
        let cone = Cone::new(&self.scope.graph, &[value]);
        if self.scope.graph.symbol_data(symbol).kind == SymbolKind::Time {
            if warn_of_constants {
                self.warn_of_constants(&cone.symbols(&self.scope.graph), input);
            }
            return match time_derivative(&mut self.scope.graph, &[value]) {
                Ok(derivative) => Some(derivative[0]),
                Err(error) => {
                    let help = "differentiate by another name";
                    self.refused
                        .push(input.about("E0902", error.to_string(), help));
                    None
                }
            };
        }
        if cone.position(by).is_none() {
            let message = format!("`{text}` does not occur, so the derivative is 0");
            self.warnings
                .push(input.about("W0901", message, "check the spelling"));
        }
        Some(partial(&mut self.scope.graph, value, symbol))
    }

    /// Says which names do not move when differentiating by time, once.
    fn warn_of_constants(&mut self, symbols: &[SymbolId], input: &Input) {
        let names = |wanted: fn(SymbolKind) -> bool| -> BTreeSet<&str> {
            let data = symbols
                .iter()
                .map(|&symbol| self.scope.graph.symbol_data(symbol));
            let data = data.filter(|symbol| wanted(symbol.kind));
            data.map(|symbol| &*symbol.name).collect()
        };
        let (constant, moving) = (
            names(|kind| kind == SymbolKind::Parameter),
            names(SymbolKind::moves),
        );
        if constant.is_empty() || self.warnings.iter().any(|warning| warning.code == "W0903") {
            return;
        }
        let listed = |names: &BTreeSet<&str>, quote: &str, between: &str| {
            let mut list: Vec<String> = names
                .iter()
                .take(MAX_LISTED)
                .map(|name| format!("{quote}{name}{quote}"))
                .collect();
            if names.len() > MAX_LISTED {
                list.push("…".to_owned());
            }
            list.join(between)
        };
        let verb = if constant.len() == 1 {
            "is a constant"
        } else {
            "are constants"
        };
        let constants = format!("{} {verb}", listed(&constant, "`", ", "));
        let (message, help) = if moving.is_empty() {
            let last = constant.last().copied().unwrap_or("x");
            (
                format!("nothing moves: {constants}"),
                format!("name the functions of time, as in --moving {last}"),
            )
        } else {
            let moving = listed(&moving, "", ",");
            let help = format!(
                "a function of time has a prime somewhere or is named by --moving; \
                 --moving {moving} says that these are all"
            );
            (constants, help)
        };
        self.warnings.push(input.about("W0903", message, help));
    }

    /// Puts all settings in at once.
    fn put_in(
        &mut self,
        value: ExprId,
        settings: &[[Input; 2]],
        set: &[[Option<ExprId>; 2]],
    ) -> ExprId {
        let cone = Cone::new(&self.scope.graph, &[value]);
        let mut replacements = Vec::new();
        let mut seen = BTreeSet::new();
        for ([input, _], ids) in settings.iter().zip(set) {
            let [Some(from), Some(to)] = *ids else {
                continue;
            };
            let name = input.text();
            let (code, message, help) = if self.scope.graph.as_symbol(from).is_none() {
                (
                    "E0901",
                    format!("`{name}` is not a name"),
                    "set a name such as x or x'",
                )
            } else if !seen.insert(from) {
                ("E0904", format!("`{name}` is set twice"), "set it once")
            } else if cone.position(from).is_none() {
                let message = format!("`{name}` does not occur in the expression");
                ("E0903", message, "check the spelling")
            } else {
                replacements.push((from, to));
                continue;
            };
            self.refused.push(input.about(code, message, help));
        }
        self.warn_of_free_rates(&cone, settings, set);
        substitute(&mut self.scope.graph, &[value], &replacements)[0]
    }

    /// A value for x says nothing about x'.
    fn warn_of_free_rates(
        &mut self,
        cone: &Cone,
        settings: &[[Input; 2]],
        set: &[[Option<ExprId>; 2]],
    ) {
        let replaced: BTreeSet<SymbolId> = set
            .iter()
            .filter_map(|ids| self.scope.graph.as_symbol(ids[0]?))
            .collect();
        let free: Vec<SymbolId> = cone
            .symbols(&self.scope.graph)
            .into_iter()
            .filter(|symbol| !replaced.contains(symbol))
            .collect();
        for ([input, _], ids) in settings.iter().zip(set) {
            let Some(symbol) = ids[0].and_then(|id| self.scope.graph.as_symbol(id)) else {
                continue;
            };
            let given = self.scope.graph.symbol_data(symbol);
            let rate = free.iter().find_map(|&other| {
                let other = self.scope.graph.symbol_data(other);
                let is_rate = other.name == given.name && other.order > given.order;
                is_rate.then(|| other.to_string())
            });
            if let Some(rate) = rate {
                let message = format!("`{given}` is set, and `{rate}` is left as it is");
                let help = format!("if `{given}` is to stay constant, add --set \"{rate}=0\"");
                self.warnings.push(input.about("W0904", message, help));
            }
        }
    }
}

/// Where in its text something was found.
fn span(found: &Diagnostic) -> Range<usize> {
    match &found.place {
        Place::Text(given) => given.span.clone(),
        _ => 0..0,
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end.max(b.start + 1) && b.start < a.end
}

/// Names that other programs give a meaning, each with its place and how that is written here.
fn look_alikes<'i>(input: &'i Input) -> Vec<(&'i str, Span, String)> {
    let mut found = Vec::new();
    for (name, _, span) in input.names() {
        let base = name
            .strip_suffix("ddot")
            .map(|base| (base, "''", "_ddot"))
            .or_else(|| name.strip_suffix("dot").map(|base| (base, "'", "_dot")));
        let help = match (name, base) {
            ("PI" | "Pi", _) => "the number is written pi".to_owned(),
            (_, Some((base, primes, ending))) if !base.is_empty() && !base.ends_with('_') => {
                format!("a time derivative is written {base}{primes} or {base}{ending}")
            }
            _ => continue,
        };
        found.push((name, span, help));
    }
    // Only as the base of a power does `e` look like Euler's number.
    let tree = input.reading.tree.as_ref();
    for node in tree.iter().flat_map(|tree| tree.nodes()) {
        if let (
            Some(tree),
            Kind::Binary {
                op: Arithmetic::Power,
                left,
                ..
            },
        ) = (tree, &node.kind)
            && let Kind::Name { name, primes: 0 } = &tree[*left].kind
            && &**name == "e"
        {
            let help = "Euler's number is exp(1), and its powers are exp(x)".to_owned();
            found.push((name, tree[*left].span, help));
        }
    }
    found
}
