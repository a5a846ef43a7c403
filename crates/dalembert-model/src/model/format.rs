//! The format of model files as data: the one table of keys behind the checks, the suggestions and
//! the JSON Schema.

#[rustfmt::skip] // A table: one line for each key.
mod keys;

pub(super) use keys::{
    COORDINATES, LOAD, REPEAT, RESTITUTION, ROOT, SHAPE, SLIDER, START_VALUE, SWEEP, VARIED,
};

/// The version of the format that is read.
pub(super) const VERSION: &str = "1";

/// A key of the format.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) need: Need,
    /// What it says, in one sentence.
    pub(super) doc: &'static str,
}

/// Whether a key must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Optional,
    Required,
    /// Required too, but the table that misses it says so in its own words.
    RequiredBySense,
}

/// What is given under a key.
#[derive(Debug)]
pub(super) enum Kind {
    /// The version of the format.
    Version,
    /// Any text.
    Title,
    /// The name of something in the model.
    Reference,
    /// A list of such names.
    References,
    /// One such name, or a list of them.
    Names,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A word whose meaning is decided elsewhere.
    Word,
    /// true or false.
    Switch,
    /// A number or an expression.
    Value,
    /// An expression `left = right`, or `left >= right`.
    Equation,
    /// One such expression, or a list of them.
    Equations,
    /// Tables as in a file, whose texts have an index: `{i}`.
    Copies,
    /// An expression `left < right`.
    Condition,
    /// A value at the start: a number, an expression, "?" or a table with a priority.
    Start,
    /// A list of so many values.
    Values(Count),
    /// One value, or a list of them.
    OneOrMore,
    /// A square matrix by rows.
    Rows,
    /// Three values, or three rows of three.
    Inertia,
    /// A table with these keys.
    Table(&'static [Key]),
    /// A table with names for keys, all with the same kind of content.
    Named(Space, &'static Kind),
    /// A table with rates and speeds for keys, each with a start value.
    Rates,
    /// A table with coordinates and speeds for keys, each with a value.
    Components,
    /// A table with coordinates, rates and speeds for keys, each with a value.
    Settings,
    /// [`Kind::Components`], or a table with the keys [`LOAD`].
    Work,
    /// A table with the keys [`SHAPE`], or a list of such tables.
    Shapes,
    /// A value, or a table with the keys [`RESTITUTION`].
    Restitution,
    /// A table with parameters, coordinates, rates and speeds for keys, each a table with the keys [`SLIDER`].
    Sliders,
    /// A table with what differs from run to run for keys, each a table with the keys [`VARIED`].
    Varied,
    /// A list of texts.
    Words,
    /// A number that a run is reduced to: an expression, or `value when condition`.
    Asked,
}

/// How many values a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Any,
    Exactly(usize),
}

/// Names in one space differ from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// Parameters, definitions, coordinates and speeds.
    Quantities,
    /// Particles, bodies and frames.
    Things,
    Forces,
    Springs,
    Constraints,
    Events,
    Drawings,
    Results,
    /// The points of one body.
    Points,
}

impl Kind {
    /// What is needed, for messages.
    pub(super) fn described(&self) -> &'static str {
        match self {
            Self::Version => "the number 1",
            Self::Title => "a text in quotes",
            Self::Reference => "a name in quotes",
            Self::References => "a list of names in quotes",
            Self::Names => "a name in quotes, or a list of them",
            Self::Choice(_) | Self::Word => "a word in quotes",
            Self::Switch => "true or false, without quotes",
            Self::Value => "a number, or an expression in quotes",
            Self::Equation => "an equation in quotes",
            Self::Equations => "an equation in quotes, or a list of them",
            Self::Condition => "a comparison in quotes",
            Self::Start => "a number, an expression in quotes, or \"?\"",
            Self::Restitution => "a number, an expression in quotes, or { poisson = 0.5 }",
            Self::Values(Count::Any) => "a list of numbers or expressions in quotes",
            Self::OneOrMore => "an expression in quotes, or a list of them",
            Self::Values(Count::Exactly(2)) => "a list of two expressions in quotes",
            Self::Values(Count::Exactly(_)) => "a list of three numbers or expressions in quotes",
            Self::Rows => "a list of rows, each a list of numbers or expressions in quotes",
            Self::Inertia => "a list of three principal moments, or of three rows of three",
            Self::Shapes => "a table, or a list of tables",
            Self::Table(_)
            | Self::Named(..)
            | Self::Rates
            | Self::Copies
            | Self::Components
            | Self::Settings
            | Self::Work
            | Self::Sliders
            | Self::Varied => "a table",
            Self::Words => "a list of texts in quotes",
            Self::Asked => "an expression in quotes",
        }
    }

    /// An example of what is needed, whatever the key.
    fn example(&self) -> &'static str {
        match self {
            Self::Version => "1",
            Self::Title => "\"Double pendulum\"",
            Self::Reference => "\"P\"",
            Self::References => "[\"motor\"]",
            Self::Names => "\"string\"",
            Self::Choice(words) => match words {
                ["x", ..] => "\"x\"",
                ["xy", ..] => "\"xy\"",
                ["weld", ..] => "\"revolute\"",
                _ => "\"must\"",
            },
            Self::Word => "\"auto\"",
            Self::Restitution => "0.6",
            Self::Switch => "true",
            Self::Value => "\"2*m\"",
            Self::Equation | Self::Equations => "\"x^2 + y^2 = l^2\"",
            Self::Condition => "\"theta > 85 deg\"",
            Self::Start => "\"10 deg\"",
            Self::Values(Count::Any) => "[\"energy\", \"x*y\"]",
            Self::OneOrMore => "\"y\"",
            Self::Settings => "{ \"x'\" = \"-x'\" }",
            Self::Values(Count::Exactly(2)) => "[\"P\", \"point(ground, [0, 0, 1])\"]",
            Self::Values(Count::Exactly(_)) | Self::Inertia => "[\"a\", \"b\", \"c\"]",
            Self::Rows => "[[\"m\", \"0\"], [\"0\", \"m\"]]",
            Self::Table(_) | Self::Named(..) | Self::Rates | Self::Copies => "{ ... }",
            Self::Shapes => "{ sphere = { radius = \"r\" } }",
            Self::Components | Self::Work => "{ x = \"2*m\" }",
            Self::Sliders => "{ l = { min = \"0.2 m\", max = \"2 m\" } }",
            Self::Varied => "{ l = { from = \"0.2 m\", to = \"2 m\", count = 10 } }",
            Self::Words => "[\"radau\", \"dop853\"]",
            Self::Asked => "\"max(theta)\"",
        }
    }
}

/// An example of what `key` needs, for cures.
pub(super) fn example(key: &str, kind: &Kind) -> &'static str {
    match (kind, key) {
        (Kind::Value, "position" | "center" | "at" | "point") => "\"[x, y, 0]\"",
        (Kind::Value, "gravity") => "\"[0, 0, -9.81]\"",
        (Kind::Value, "vector" | "torque") => "\"[0, 0, F]\"",
        (Kind::Value, "attitude") => "\"Rz(phi)\"",
        (Kind::Value, "mass") => "\"2 kg\"",
        (Kind::Value, "density") => "\"7850 kg/m^3\"",
        (Kind::Value, "radius" | "inner_radius" | "length") => "\"0.1 m\"",
        (Kind::Value, "span" | "from" | "step" | "max_step") => "\"10 s\"",
        (Kind::Word, "unit") => "\"mm\"",
        (Kind::Title, "file") => "\"part.stl\"",
        (Kind::Value, "rtol" | "atol") => "1e-9",
        (Kind::Value, "samples" | "max_steps") => "1001",
        (Kind::Value, "min" | "max") => "\"2 m\"",
        _ => kind.example(),
    }
}

/// The key called `name` among `keys`.
pub(super) fn find(keys: &'static [Key], name: &str) -> Option<&'static Key> {
    keys.iter().find(|key| key.name == name)
}

/// Every key with its path; names that the user chooses are `NAME`.
pub(super) fn all() -> Vec<(String, &'static Key)> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &'static [Key])> = vec![(String::new(), ROOT)];
    while let Some((path, keys)) = open.pop() {
        for key in keys {
            let path = format!("{path}{}", key.name);
            let inner = match &key.kind {
                Kind::Table(inner) => Some((format!("{path}."), *inner)),
                // What a family has are keys of other tables.
                _ if key.name == "repeat" => None,
                Kind::Named(_, Kind::Table(inner)) => Some((format!("{path}.NAME."), *inner)),
                Kind::Named(_, Kind::Start) | Kind::Rates => {
                    Some((format!("{path}.NAME."), START_VALUE))
                }
                Kind::Work => Some((format!("{path}."), LOAD)),
                Kind::Shapes => Some((format!("{path}."), SHAPE)),
                Kind::Restitution => Some((format!("{path}."), RESTITUTION)),
                Kind::Sliders => Some((format!("{path}.NAME."), SLIDER)),
                _ => None,
            };
            open.extend(inner);
            found.push((path, key));
        }
    }
    found
}
