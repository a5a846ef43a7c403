//! `table("drive.csv", x)`: a function by values from a file.

use super::{Elaborator, Value};
use crate::data::DataColumn;
use crate::model::Expression;
use dalembert_expr::syntax::{Argument, Kind, NodeId, Tree, Word, meant_or_known, quoted};
use dalembert_expr::table::{Beyond, Interpolation, Label, NoTable, Table, TableFunction, Taken};
use std::ops::Range;
use std::sync::Arc;

/// How it is written.
const FORM: &str = "write table(\"file.csv\", x), or table(\"file.csv\", x, column = \"force\", kind = \"cubic\", outside = \"hold\")";

/// What a call says beside its argument.
struct Asked {
    label: Label,
    order: u8,
}

impl Elaborator<'_> {
    /// The value of a table at an argument.
    pub(super) fn table(
        &mut self,
        expression: &Expression,
        function: &Word,
        arguments: &[Argument],
        value: impl Fn(NodeId) -> Option<Value>,
    ) -> Option<Value> {
        let tree = &expression.tree;
        let at = function.span.range();
        let [file, argument, options @ ..] = arguments else {
            let message = "`table` takes a file and an argument";
            self.refuse(expression, at, "E0203", message, FORM);
            return None;
        };
        let positional = [file, argument].iter().all(|it| it.name.is_none());
        let (Kind::Text(name), true) = (&tree[file.value].kind, positional) else {
            let message = "the first argument of `table` is the name of a file, in quotes";
            self.refuse(
                expression,
                tree[file.value].span.range(),
                "E0486",
                message,
                FORM,
            );
            return None;
        };
        let Some(columns) = self.model.files.get(name).cloned() else {
            let message = format!("there is no file {} to take a table from", quoted(name));
            let help = "a model that is read from a file takes tables from files beside it";
            self.refuse(
                expression,
                tree[file.value].span.range(),
                "E0485",
                message,
                help,
            );
            return None;
        };
        let asked = self.asked(expression, (name, &columns), options, at.clone())?;
        let argument = match value(argument.value)? {
            Value::Scalar(argument) => argument,
            other => {
                let message = format!("`table` needs a number, and this is {}", other.kind());
                let place = tree[argument.value].span.range();
                self.refuse(expression, place, "E0402", message, FORM);
                return None;
            }
        };
        let table = self.made(expression, &asked.label, &columns, at)?;
        let function = TableFunction {
            table,
            taken: Taken::Derivative(asked.order),
        };
        Some(Value::Scalar(self.graph.table(&function, argument)))
    }

    /// The options of a call.
    fn asked(
        &mut self,
        expression: &Expression,
        (file, columns): (&str, &[DataColumn]),
        options: &[Argument],
        at: Range<usize>,
    ) -> Option<Asked> {
        let tree = &expression.tree;
        let mut column = None;
        let (mut interpolation, mut beyond, mut order) =
            (Interpolation::Linear, Beyond::Refused, 0);
        for option in options {
            let span = tree[option.value].span.range();
            let Some(name) = &option.name else {
                let message = "`table` takes a file and an argument; all else has a name";
                self.refuse(expression, span, "E0203", message, FORM);
                return None;
            };
            match (&*name.text, text(tree, option), count(tree, option)) {
                ("column", Some(text), _) => column = Some((text, span)),
                ("kind", Some("linear"), _) => interpolation = Interpolation::Linear,
                ("kind", Some("cubic"), _) => interpolation = Interpolation::Cubic,
                ("outside", Some("hold"), _) => beyond = Beyond::Hold,
                ("outside", Some("line"), _) => beyond = Beyond::Line,
                ("derivative", _, Some(n)) => order = n,
                (known @ ("column" | "kind" | "outside" | "derivative"), ..) => {
                    let help = match known {
                        "column" => "write the name of a column in quotes",
                        "kind" => "write \"linear\" or \"cubic\"",
                        "outside" => {
                            "write \"hold\" (the value at the end) or \"line\" (straight on); without it there is no value outside"
                        }
                        _ => "write 1, 2 or 3",
                    };
                    let message = format!("`table` has no such {known}");
                    self.refuse(expression, span, "E0486", message, help);
                    return None;
                }
                (other, ..) => {
                    let message = format!("`table` has no argument `{other}`");
                    self.refuse(expression, name.span.range(), "E0204", message, FORM);
                    return None;
                }
            }
        }
        let column = self.column(expression, (file, columns), column, at)?;
        let label = Label {
            file: file.into(),
            column: column.into(),
            interpolation,
            beyond,
        };
        Some(Asked { label, order })
    }

    /// The name of the column that is meant: the second, if there are two and none is named.
    fn column<'c>(
        &mut self,
        expression: &Expression,
        (file, columns): (&str, &'c [DataColumn]),
        named: Option<(&str, Range<usize>)>,
        at: Range<usize>,
    ) -> Option<&'c str> {
        let names = || columns.iter().skip(1).map(|it| it.name.as_str());
        match (named, columns) {
            (None, [_, only]) => Some(&only.name),
            (None, _) => {
                let message = format!(
                    "{} has {} columns of values",
                    quoted(file),
                    columns.len().saturating_sub(1)
                );
                let known = names().collect::<Vec<_>>().join(", ");
                let help = match known.is_empty() {
                    true => {
                        "write the argument in the first column and values in others".to_owned()
                    }
                    false => format!("say which: column = \"...\", one of {known}"),
                };
                self.refuse(expression, at, "E0486", message, help);
                None
            }
            (Some((wanted, span)), _) => {
                let found = names().find(|name| *name == wanted);
                if found.is_none() {
                    let message = format!(
                        "{} has no column {} of values",
                        quoted(file),
                        quoted(wanted)
                    );
                    let help = meant_or_known(wanted, names()).unwrap_or_default();
                    self.refuse(expression, span, "E0486", message, help);
                }
                found
            }
        }
    }

    /// The table of a label, made when it is first asked for.
    fn made(
        &mut self,
        expression: &Expression,
        label: &Label,
        columns: &[DataColumn],
        at: Range<usize>,
    ) -> Option<Arc<Table>> {
        if let Some(known) = self.tables.iter().find(|it| it.label == *label) {
            return Some(Arc::clone(known));
        }
        let values = columns.iter().skip(1).find(|it| it.name == *label.column)?;
        let made = Table::new(label.clone(), &columns[0].values, &values.values);
        let reason = match made {
            Ok(table) => {
                let table = Arc::new(table);
                self.tables.push(Arc::clone(&table));
                return Some(table);
            }
            Err(NoTable::TooFew) => "it has fewer than two rows".to_owned(),
            Err(NoTable::NotFinite(row)) => format!("row {} has a field without a number", row + 1),
            Err(NoTable::NotIncreasing(row)) => format!(
                "`{}` of row {} is not larger than that of the row before it",
                columns[0].name,
                row + 1
            ),
            Err(NoTable::TooLarge) => "its slopes are beyond the range of numbers".to_owned(),
        };
        let message = format!("{} is no table: {reason}", quoted(&label.file));
        let help = "the first column is the argument and ascends; all fields are numbers";
        self.refuse(expression, at, "E0485", message, help);
        None
    }
}

/// The text of an option.
fn text<'t>(tree: &'t Tree, option: &Argument) -> Option<&'t str> {
    match &tree[option.value].kind {
        Kind::Text(text) => Some(text),
        _ => None,
    }
}

/// The number of an option, 1 to 3.
fn count(tree: &Tree, option: &Argument) -> Option<u8> {
    match &tree[option.value].kind {
        Kind::Number(number) => {
            let n = number.as_integer().filter(|n| (1..=3).contains(n))?;
            u8::try_from(n).ok()
        }
        _ => None,
    }
}
