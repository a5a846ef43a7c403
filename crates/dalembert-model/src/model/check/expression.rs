//! Values: expressions, lists of them, words, start values.

use super::list::counted;
use super::table::{described, joined, keep_one};
use super::{Check, Content, Fields};
use crate::diagnostic::{Diagnostic, Place};
use crate::model::form_codes::names as code;
use crate::model::format::{Count, Key, Kind, SLIDER, START_VALUE, VARIED, VERSION};
use crate::model::names::{is_identifier, name};
use crate::model::source::{Entry, Item, Table, Text};
use crate::model::{Expression, Inertia, Name, SliderRange, StartValue};
use dalembert_expr::syntax::{
    ExpressionError, Kind as Node, Relation, Tree, nearest, parse_expression, parse_value,
};
use std::collections::HashMap;

impl Check {
    /// What is given under a key that is no table of its own.
    pub(super) fn value(&mut self, path: &str, kind: &Kind, item: Item) -> Option<Content> {
        match kind {
            Kind::Equations => self.equations(path, item),
            Kind::Value | Kind::Equation | Kind::Condition => {
                let expression = self.expression(path, kind, item)?;
                Some(Content::Expression(Box::new(expression)))
            }
            Kind::Start => Some(Content::Start(Box::new(self.start(path, item)?))),
            Kind::Version => self.version(item),
            Kind::Title | Kind::Reference | Kind::Choice(_) | Kind::Word => {
                Some(Content::Word(self.word(path, kind, item)?))
            }
            Kind::References => Some(Content::Words(self.references(path, item)?)),
            Kind::Restitution => {
                let value = self.expression(path, &Kind::Value, item)?;
                Some(Content::Expression(Box::new(value)))
            }
            Kind::Names => match item {
                Item::Text(_) => {
                    let name = self.word(path, &Kind::Reference, item)?;
                    Some(Content::Words(vec![name]))
                }
                item => Some(Content::Words(self.references(path, item)?)),
            },
            Kind::OneOrMore => match item {
                Item::List(..) => {
                    let (values, count, place) = self.values(path, kind, item)?;
                    match count {
                        0 => self.wrong_count(path, kind, "an empty list", place),
                        _ => Some(Content::Values(values?)),
                    }
                }
                item => {
                    let value = self.expression(path, &Kind::Value, item)?;
                    Some(Content::Values(vec![value]))
                }
            },
            Kind::Switch => match item {
                Item::Switch(on, place) => Some(Content::Switch(on, place)),
                other => self.wrong_kind(path, kind, &other),
            },
            Kind::Values(count) => {
                let values = self.values(path, kind, item)?;
                match *count {
                    Count::Exactly(n) if values.1 != n => {
                        let found = values.1;
                        self.wrong_count(path, kind, &counted(found, "element"), values.2)
                    }
                    _ => Some(Content::Values(values.0?)),
                }
            }
            Kind::Rows => Some(Content::Rows(self.rows(path, item)?)),
            Kind::Inertia => self.inertia(path, item),
            Kind::Table(_)
            | Kind::Named(..)
            | Kind::Rates
            | Kind::Copies
            | Kind::Components
            | Kind::Settings
            | Kind::Work
            | Kind::Shapes
            | Kind::Varied
            | Kind::Sliders => self.wrong_kind(path, kind, &item),
            Kind::Words => Some(Content::Words(self.texts(path, item)?)),
            Kind::Asked => Some(Content::Asked(Box::new(self.asked(path, item)?))),
        }
    }

    /// One equation, or a list of them.
    fn equations(&mut self, path: &str, item: Item) -> Option<Content> {
        let items = match item {
            Item::List(items, place) if items.is_empty() => {
                return self.wrong_count(path, &Kind::Equations, "an empty list", place);
            }
            Item::List(items, _) => items,
            item => vec![item],
        };
        let count = items.len();
        let read = |item| self.expression(path, &Kind::Equation, item);
        let equations: Vec<Expression> = items.into_iter().filter_map(read).collect();
        let opens = |it: &&Expression| {
            let root = &it.tree[it.tree.root()].kind;
            !matches!(
                root,
                Node::Relation {
                    relation: Relation::Equal,
                    ..
                }
            )
        };
        if let Some(contact) = equations.iter().find(opens).filter(|_| count > 1) {
            let message = format!("{} has a contact among other equations", described(path));
            let help = "give each contact a constraint of its own: it opens and closes by itself";
            self.mistakes
                .report(code::NO_EQUATION, contact.whole(), message, help);
            return None;
        }
        (equations.len() == count).then_some(Content::Values(equations))
    }

    /// An expression of the form that `kind` asks for.
    pub(super) fn expression(&mut self, path: &str, kind: &Kind, item: Item) -> Option<Expression> {
        let given = match item {
            Item::Text(text) | Item::Number(text) => text,
            Item::NotFinite(place) => {
                self.mistakes.report(
                    code::NOT_FINITE,
                    place,
                    format!("{} is not a finite number", described(path)),
                    "write a number that can be computed with",
                );
                return None;
            }
            other => return self.wrong_kind(path, kind, &other),
        };
        if given.text.trim() == "?" && self.open.iter().any(|it| it.place == given.place()) {
            let one = parse_expression("1");
            let tree = self.parsed(&given, one)?;
            let (text, origin) = ("1".to_owned(), given.origin);
            return Some(Expression { text, tree, origin });
        }
        if given.text.trim() == "?" {
            self.mistakes.report(
                code::QUESTION_MARK,
                given.place(),
                format!("{} cannot be left open with \"?\"", described(path)),
                "give a value; only parameters, and start values of coordinates and rates, can be found",
            );
            return None;
        }
        let parsed = match kind {
            Kind::Value => parse_value(&given.text),
            _ => parse_expression(&given.text),
        };
        let tree = self.parsed(&given, parsed)?;
        self.form(path, kind, &given, &tree)?;
        Some(Expression {
            text: given.text,
            tree,
            origin: given.origin,
        })
    }

    /// A tree in which names with a dot that are one name are one.
    pub(in crate::model) fn parsed(
        &mut self,
        given: &Text,
        parsed: Result<Tree, Vec<ExpressionError>>,
    ) -> Option<Tree> {
        let errors = match parsed {
            Ok(tree) if self.dotted.is_empty() || !tree.has_members() => return Some(tree),
            Ok(tree) => return Some(tree.with_dotted_names(|name| self.dotted.get(name).cloned())),
            Err(errors) => errors,
        };
        let told = Diagnostic::of_texts(errors, |span| given.origin.place(&given.text, span));
        told.into_iter().for_each(|it| self.mistakes.add(it));
        None
    }

    /// Whether an expression is a value, an equation or a comparison, as it should be.
    fn form(&mut self, path: &str, kind: &Kind, given: &Text, tree: &Tree) -> Option<()> {
        let relation = match tree[tree.root()].kind {
            Node::Relation { relation, .. } => Some(relation),
            _ => None,
        };
        if tree[tree.root()].kind.is_condition() && relation.is_none() {
            return self.joined_form(path, kind, given, tree);
        }
        let text = given.text.trim();
        let what = described(path);
        let (code, message, help) = match (kind, relation) {
            (
                Kind::Equation,
                Some(Relation::Equal | Relation::GreaterOrEqual | Relation::LessOrEqual),
            ) => return Some(()),
            (Kind::Equation, None) => (
                code::NO_EQUATION,
                format!("{what} is not an equation"),
                format!("write left = right, such as {text} = 0"),
            ),
            (Kind::Equation, Some(_)) => (
                code::NO_EQUATION,
                format!("{what} is a comparison that leaves out where its sides are equal"),
                "write left = right, or left >= right (left <= right) for a contact that can open"
                    .to_owned(),
            ),
            (Kind::Condition, None | Some(Relation::Equal)) => (
                code::NO_COMPARISON,
                format!("{what} is not a comparison"),
                "write left < right or left > right, such as y < 0".to_owned(),
            ),
            (Kind::Condition, Some(_)) | (_, None) => return Some(()),
            (_, Some(_)) => (
                code::NO_VALUE,
                format!("{what} needs a value, not an equation or comparison"),
                "write one of its sides, or their difference; equations belong into holds of [constraint.NAME]"
                    .to_owned(),
            ),
        };
        let span = tree[tree.root()].span.range();
        let place = given.origin.place(&given.text, span);
        self.mistakes.report(code, place, message, help);
        None
    }

    /// Whether several comparisons joined may stand here.
    fn joined_form(&mut self, path: &str, kind: &Kind, given: &Text, tree: &Tree) -> Option<()> {
        let what = described(path);
        let (code, message, help) = match kind {
            Kind::Condition => return Some(()),
            Kind::Equation => (
                code::NO_EQUATION,
                format!("{what} is a condition, but constraints are equations"),
                "write left = right",
            ),
            _ => (
                code::NO_VALUE,
                format!("{what} needs a value, not a condition"),
                "write if(condition, a, b) for a value that depends on one",
            ),
        };
        let span = tree[tree.root()].span.range();
        let place = given.origin.place(&given.text, span);
        self.mistakes.report(code, place, message, help);
        None
    }

    fn version(&mut self, item: Item) -> Option<Content> {
        match item {
            Item::Number(number) if number.text == VERSION => Some(Content::Word(name(&number))),
            Item::Number(number) => {
                self.mistakes.report(
                    code::VERSION,
                    number.place(),
                    format!("version {} of the format is not known", number.text),
                    format!("write dalembert = {VERSION}, or use a newer program"),
                );
                None
            }
            other => self.wrong_kind("dalembert", &Kind::Version, &other),
        }
    }

    pub(super) fn word(&mut self, path: &str, kind: &Kind, item: Item) -> Option<Name> {
        let Item::Text(text) = item else {
            return self.wrong_kind(path, kind, &item);
        };
        let objection = match kind {
            Kind::Choice(words) if !words.contains(&text.text.as_str()) => {
                let listed = format!("write one of: {}", words.join(", "));
                let near = nearest(&text.text, words.iter().copied());
                let near = near.map(|word| format!("did you mean `{word}`?"));
                Some((code::NOT_A_CHOICE, near.unwrap_or(listed)))
            }
            Kind::Reference if !is_identifier(&text.text) && !self.dotted.contains(&*text.text) => {
                Some((
                    code::NOT_A_NAME,
                    match path.rsplit('.').next() {
                        Some("enforced_by") => "write the name of a force: [force.NAME]",
                        Some("engage" | "release") => {
                            "write the name of a constraint: [constraint.NAME]"
                        }
                        _ => "write the name of one particle, body or frame",
                    }
                    .to_owned(),
                ))
            }
            Kind::Word if text.text.trim().is_empty() => Some((
                code::NOT_A_CHOICE,
                "write a word, or leave it out".to_owned(),
            )),
            _ => None,
        };
        if let Some((code, help)) = objection {
            let message = format!("{} cannot be `{}`", described(path), text.text);
            self.mistakes.report(code, text.place(), message, help);
            return None;
        }
        Some(name(&text))
    }

    fn inertia(&mut self, path: &str, item: Item) -> Option<Content> {
        let is_matrix = match &item {
            Item::List(items, _) => items.iter().any(|item| matches!(item, Item::List(..))),
            _ => false,
        };
        if !is_matrix {
            let (values, found, place) = self.values(path, &Kind::Inertia, item)?;
            if found != 3 {
                let found = counted(found, "element");
                return self.wrong_count(path, &Kind::Inertia, &found, place);
            }
            let moments = <[Expression; 3]>::try_from(values?).ok()?;
            return Some(Content::Inertia(Inertia::Principal(Box::new(moments))));
        }
        let place = item.place()?;
        let rows = self.rows(path, item)?;
        if rows.len() != 3 {
            let found = counted(rows.len(), "row");
            return self.wrong_count(path, &Kind::Inertia, &found, place);
        }
        let rows: Vec<[Expression; 3]> = rows
            .into_iter()
            .map(<[Expression; 3]>::try_from)
            .collect::<Result<_, _>>()
            .ok()?;
        let rows = <[[Expression; 3]; 3]>::try_from(rows).ok()?;
        Some(Content::Inertia(Inertia::Matrix(Box::new(rows))))
    }

    /// A start value.
    fn start(&mut self, path: &str, item: Item) -> Option<StartValue> {
        let place = item.place()?;
        let open = |text: &Text| text.text.trim() == "?";
        match item {
            Item::Text(text) if open(&text) => Some(StartValue {
                value: None,
                must: false,
                place,
            }),
            Item::Table(table) => self.prioritized(path, table),
            Item::Text(_) | Item::Number(_) | Item::NotFinite(_) => Some(StartValue {
                value: Some(self.expression(path, &Kind::Value, item)?),
                must: true,
                place,
            }),
            other => self.wrong_kind(path, &Kind::Start, &other),
        }
    }

    /// `{ value = 0, priority = "guess" }`
    fn prioritized(&mut self, path: &str, table: Table) -> Option<StartValue> {
        let nested =
            |entry: &&Entry| entry.key.text == "value" && matches!(entry.item, Item::Table(_));
        if let Some(entry) = table.entries.iter().find(nested) {
            return self.wrong_kind(&joined(path, "value"), &Kind::Start, &entry.item);
        }
        let place = table.place.clone();
        let mut fields = self.table(path, START_VALUE, table);
        let priority = fields.word("priority");
        let Some(Content::Start(mut start)) = fields.take("value") else {
            return None;
        };
        if let Some(priority) = priority {
            start.must = priority.text == "must";
            if start.must && start.value.is_none() {
                self.mistakes.report(
                    code::QUESTION_MARK,
                    priority.place,
                    format!("{path} is left open with \"?\", so no value must be met"),
                    "give a value, or leave the priority out",
                );
                return None;
            }
        }
        start.place = place;
        Some(*start)
    }

    /// A table with rates and speeds for keys.
    pub(super) fn rates(&mut self, path: &str, table: Table) -> Vec<(Expression, StartValue)> {
        let mut found = Vec::with_capacity(table.entries.len());
        let mut first_places = HashMap::new();
        for Entry { key, item } in table.entries {
            let start = self.start(&joined(path, &key.text), item);
            let words = ("is not a rate or a speed", "the start value of ");
            let key = self.named_rate(key, &mut first_places, words, true);
            found.extend(key.zip(start));
        }
        found
    }

    /// A table with coordinates, rates and speeds for keys, and their new values.
    pub(super) fn settings(
        &mut self,
        path: &str,
        table: Table,
    ) -> Option<Vec<(Expression, Expression)>> {
        if table.entries.is_empty() {
            let message = format!("{} sets nothing", described(path));
            let help = "write what is set, such as { \"x'\" = \"-x'\" }";
            self.mistakes
                .report(code::ONE_OF, table.place, message, help);
            return None;
        }
        let mut found = Vec::with_capacity(table.entries.len());
        let mut first_places = HashMap::new();
        for Entry { key, item } in table.entries {
            let value = self.expression(&joined(path, &key.text), &Kind::Value, item);
            let words = ("is not a coordinate, a rate or a speed", "");
            let key = self.named_rate(key, &mut first_places, words, false);
            found.extend(key.zip(value));
        }
        Some(found)
    }

    /// A table with parameters, coordinates, rates and speeds for keys, and the ranges of their sliders.
    pub(super) fn sliders(&mut self, path: &str, table: Table) -> Vec<SliderRange> {
        let found = self.by_value(path, table, SLIDER, false).into_iter();
        found
            .filter_map(|(key, range)| SliderRange::new(key, range))
            .collect()
    }

    /// A table with what differs from run to run for keys.
    pub(super) fn varied(&mut self, path: &str, table: Table) -> Vec<(Expression, Fields)> {
        self.by_value(path, table, VARIED, true)
    }

    /// A table with values of the model for keys, or `any` that it can be started from, and a table for each.
    fn by_value(
        &mut self,
        path: &str,
        table: Table,
        keys: &'static [Key],
        any: bool,
    ) -> Vec<(Expression, Fields)> {
        let mut found = Vec::with_capacity(table.entries.len());
        let mut first_places = HashMap::new();
        for Entry { key, item } in table.entries {
            let of = joined(path, &key.text);
            let fields = match item {
                Item::Table(fields) => self.table(&of, keys, fields),
                Item::Unread => continue,
                other => {
                    self.wrong_kind::<()>(&of, &Kind::Table(keys), &other);
                    continue;
                }
            };
            let words = ("is not a parameter, a coordinate, a rate or a speed", "");
            let key = self.named_rate(key, &mut first_places, words, any);
            found.extend(key.map(|key| (key, fields)));
        }
        found
    }

    /// A key that names a rate, or something without a prime, and has not been there before; or is `any` value.
    fn named_rate(
        &mut self,
        key: Text,
        first_places: &mut HashMap<(Box<str>, u8), Place>,
        (is_not, value_of): (&str, &str),
        any: bool,
    ) -> Option<Expression> {
        let tree = self.parsed(&key, parse_expression(&key.text))?;
        // Accelerations are asked for where a parameter is found from them.
        let most = if any && !self.open.is_empty() { 2 } else { 1 };
        let rate = match &tree[tree.root()].kind {
            Node::Name { name, primes } if *primes <= most => {
                Some((name.to_string().into(), *primes))
            }
            // What is said of points, such as pos(tip).x.
            Node::Member { .. } | Node::Call { .. } if any => Some((key.text.trim().into(), 0)),
            _ => None,
        };
        let Some(rate) = rate else {
            self.mistakes.report(
                code::NOT_A_RATE,
                key.place(),
                format!("`{}` {is_not}", key.text),
                "write a rate, such as \"phi'\", or the name of a speed",
            );
            return None;
        };
        let place = key.place();
        if let Some(first) = first_places.insert(rate, place.clone()) {
            let help = keep_one(&self.mistakes.line_of(&first));
            let message = format!("{value_of}`{}` is given twice", key.text);
            self.mistakes
                .report(code::GIVEN_TWICE, place, message, help);
        }
        Some(Expression {
            text: key.text,
            tree,
            origin: key.origin,
        })
    }
}
