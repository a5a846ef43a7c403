//! The model of what has been checked, and the checks that concern several keys at once.

use super::check::{Check, Content, Fields, counted};
use super::form_codes::names as code;
use super::format::ROOT;
use super::mechanism::{dotted_names, spoken_of};
use super::mistakes;
use super::source::{Entry, Item, Table};
use super::{
    Constraint, Dynamics, Energy, Expression, Frame, Friction, Model, Name, Particle, Parts,
    Restitution, Run, Spring, SpringSpan, StartValue, part,
};
use crate::diagnostic::{Diagnostic, Place};
use dalembert_expr::syntax::Kind as Node;

/// The model, if there is one, with the errors and warnings, unsorted.
pub(super) fn assembled(
    root: Table,
    file: Option<&str>,
) -> (Option<Model>, Vec<Diagnostic>, Vec<Diagnostic>) {
    let (model, errors, warnings) = partial(root, file, Parts::new());
    (model.filter(|_| errors.is_empty()), errors, warnings)
}

/// The model as far as it could be made out, with what is wrong with the rest.
pub(super) fn partial(
    root: Table,
    file: Option<&str>,
    parts: Parts,
) -> (Option<Model>, Vec<Diagnostic>, Vec<Diagnostic>) {
    let mut check = Check::new(file);
    let root = check.written_out(root);
    if check.mistakes.has_errors() {
        // What a family did not write would be missed everywhere else.
        let (errors, warnings) = check.mistakes.into_lists();
        return (None, errors, warnings);
    }
    check.dotted = dotted_names(&root);
    check.spoken_of = spoken_of(&root);
    check.dotted.extend(part::dotted_names(&parts));
    check.parts = parts;
    check.open = open_parameters(&root);
    let fields = check.table("", ROOT, root);
    let model = check.model(fields);
    let (errors, warnings) = check.mistakes.into_lists();
    (model, errors, warnings)
}

/// Parameters that are "?", each with the place of that.
fn open_parameters(root: &Table) -> Vec<Name> {
    let mut tables = root.entries.iter().filter(|it| it.key.text == "parameters");
    let Some(Item::Table(parameters)) = tables.next().map(|entry| &entry.item) else {
        return Vec::new();
    };
    let open = |entry: &Entry| match &entry.item {
        Item::Text(text) if text.text.trim() == "?" => Some(Name {
            text: entry.key.text.clone(),
            place: text.place(),
        }),
        _ => None,
    };
    parameters.entries.iter().filter_map(open).collect()
}

/// The model and its warnings, or all errors.
pub(super) fn finished(
    (model, errors, warnings): (Option<Model>, Vec<Diagnostic>, Vec<Diagnostic>),
) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    match model {
        Some(model) => Ok((model, mistakes::sorted(warnings))),
        None => Err(mistakes::sorted(errors)),
    }
}

impl Check {
    fn model(&mut self, mut root: Fields) -> Option<Model> {
        if !root.has("dalembert") {
            self.mistakes.report(
                code::NO_VERSION,
                root.place.clone(),
                "the model does not say which version of the format it uses",
                "start the file with the line dalembert = 1",
            );
        }
        if root.has("gravity") && !["particle", "body", "use"].iter().any(|it| root.has(it)) {
            self.mistakes.report(
                code::NO_MASSES,
                root.place_of("gravity"),
                "gravity has nothing to act on: there is no particle and no body",
                "add one, or put the weight into potential of [energy] or force of [dynamics]",
            );
        }
        self.planar = matches!(root.take("planar"), Some(Content::Switch(true, _)));
        let plane = root.place_of("planar");
        let coordinates = root.place_of("coordinates");
        let own = match root.take("coordinates") {
            Some(Content::Word(word)) => {
                self.relative = word.text == "relative";
                Vec::new()
            }
            Some(Content::Named(own)) => own,
            _ => Vec::new(),
        };
        let start = match root.take("start") {
            Some(Content::Rates(start)) => start,
            _ => Vec::new(),
        };
        self.rates_and_speeds(&start);
        let inputs = root.named_expressions("inputs");
        let mut parameters = root.named_expressions("parameters");
        let mut model = Model {
            title: root.word("title").map(|title| title.text),
            gravity: root.expression("gravity"),
            inputs: inputs.iter().map(|(name, _)| name.clone()).collect(),
            parameters: {
                parameters.extend(inputs);
                parameters
            },
            open: std::mem::take(&mut self.open),
            definitions: root.named_expressions("definitions"),
            coordinates: own.into_iter().filter_map(start_value).collect(),
            start,
            speeds: root.named_expressions("speeds"),
            ..Model::default()
        };
        let has_speeds = !model.speeds.is_empty();
        model.particles = self.each(&mut root, "particle", Self::particle);
        model.frames = self.each(&mut root, "frame", Self::frame);
        model.bodies = self.each(&mut root, "body", Self::body);
        model.forces = self.each(&mut root, "force", Self::force);
        model.springs = self.each(&mut root, "spring", Self::spring);
        model.constraints = self.each(&mut root, "constraint", Self::constraint);
        model.events = self.each(&mut root, "event", Self::event);
        model.energy = root.fields("energy").and_then(|table| self.energy(table));
        model.dynamics = root
            .fields("dynamics")
            .and_then(|table| self.dynamics(table));
        model.draws = self.each(&mut root, "draw", Self::draw);
        if let Some(table) = root.fields("view") {
            model.view = self.view(table);
        }
        if let Some(table) = root.fields("run") {
            model.run = self.run(table);
        }
        self.add_parts(&mut model, root.named("use"));
        let joints = root.named("joint");
        if self.planar && !self.free && joints.is_empty() {
            let message = "`planar` has no effect: there is no free body and no joint";
            let help = "leave it out: bodies are written in coordinates, in the plane or in space";
            self.mistakes.report(code::NO_EFFECT, plane, message, help);
        }
        if self.relative && (!self.free || joints.is_empty()) {
            let message = "coordinates = \"relative\" has no effect: no free body hangs by a joint";
            let help = "leave it out, or connect bodies by [joint.NAME]";
            self.mistakes
                .report(code::NO_EFFECT, coordinates, message, help);
        }
        self.joints(&mut model, joints);
        self.contacts(&mut model, root.named("contact"));
        self.add_made(&mut model, has_speeds);
        model.constraints.sort_by_key(|it| !it.identity);
        if model.coordinates.is_empty() && !root.has("coordinates") && !self.free {
            self.mistakes.report(
                code::MISSING,
                root.place.clone(),
                "the model has no `coordinates`",
                "add a table [coordinates] with at least one name",
            );
        }
        Some(model)
    }

    /// The tables of one kind.
    fn each<T>(
        &mut self,
        root: &mut Fields,
        kind: &str,
        one: fn(&mut Self, Name, Fields) -> Option<T>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for (name, content) in root.named(kind) {
            if let Content::Fields(fields) = content {
                found.extend(one(self, name, fields));
            }
        }
        found
    }

    /// What [start] gives must be rates of coordinates, or speeds themselves.
    fn rates_and_speeds(&mut self, start: &[(Expression, StartValue)]) {
        for (key, _) in start {
            let Node::Name { name, primes } = &key.tree[key.tree.root()].kind else {
                continue;
            };
            let (message, help) = match (self.names.table_of(name), primes) {
                (Some("coordinates"), 0) => (
                    format!("`{name}` is a coordinate, not a rate"),
                    format!(
                        "give its start value in [coordinates], or write \"{name}'\" for its rate"
                    ),
                ),
                (Some("speeds"), 1) => (
                    format!(
                        "`{}` is the rate of a speed, which follows from the motion",
                        key.text
                    ),
                    format!("write {name} for the speed itself"),
                ),
                (Some("parameters"), _) => (
                    format!("`{name}` is not a coordinate or speed; it stands in [parameters]"),
                    "write a rate, such as \"phi'\", or the name of a speed".to_owned(),
                ),
                _ => continue,
            };
            self.mistakes
                .report(code::NOT_A_RATE, key.whole(), message, help);
        }
    }

    fn particle(&mut self, name: Name, mut table: Fields) -> Option<Particle> {
        Some(Particle {
            name,
            mass: table.expression("mass")?,
            position: table.expression("position")?,
        })
    }

    fn frame(&mut self, name: Name, mut table: Fields) -> Option<Frame> {
        Some(Frame {
            name,
            attitude: table.expression("attitude")?,
        })
    }

    fn energy(&mut self, mut table: Fields) -> Option<Energy> {
        let keys = ["kinetic", "potential", "dissipation"];
        self.one_of(&table, &keys, "kinetic = \"m/2*x'^2\"")?;
        Some(Energy {
            kinetic: table.expression("kinetic"),
            potential: table.expression("potential"),
            dissipation: table.expression("dissipation"),
        })
    }

    fn dynamics(&mut self, mut table: Fields) -> Option<Dynamics> {
        let Some(Content::Rows(mass_matrix)) = table.take("mass_matrix") else {
            return None;
        };
        let force = table.values("force")?;
        if force.len() != mass_matrix.len() {
            self.mistakes.report(
                code::WRONG_COUNT,
                table.place_of("force"),
                format!(
                    "`force` of dynamics has {}, but `mass_matrix` has {}",
                    counted(force.len(), "element"),
                    counted(mass_matrix.len(), "row")
                ),
                "write one element for each speed",
            );
        }
        Some(Dynamics {
            mass_matrix,
            force,
            place: table.place,
        })
    }

    fn spring(&mut self, name: Name, mut table: Fields) -> Option<Spring> {
        self.one_of(&table, &["between", "on"], "between = [\"P\", \"Q\"]");
        self.exclusive(&table, "between", "on");
        let keys = ["stiffness", "damping", "dry"];
        self.one_of(&table, &keys, "stiffness = \"k\"");
        if table.has("length") && !table.has("stiffness") {
            let message = format!(
                "`length` of {} has no effect without `stiffness`",
                table.path
            );
            let help = "leave it out, or add the stiffness";
            self.mistakes.warn(table.place_of("length"), message, help);
        }
        let span = match table.values("between") {
            Some(points) => SpringSpan::Between(Box::new(points.try_into().ok()?)),
            None => SpringSpan::On(table.expression("on")?),
        };
        Some(Spring {
            name,
            span,
            stiffness: table.expression("stiffness"),
            length: table.expression("length"),
            damping: table.expression("damping"),
            dry: table.expression("dry"),
        })
    }

    fn constraint(&mut self, name: Name, mut table: Fields) -> Option<Constraint> {
        let identity = matches!(table.take("identity"), Some(Content::Switch(true, _)));
        if identity {
            self.refuse_beside_identity(&name, &table);
        }
        let active = !matches!(table.take("active"), Some(Content::Switch(false, _)));
        let nonideal = table.take("nonideal").and_then(|work| self.work(work));
        let nonideal = nonideal.map(Box::new);
        let friction = table.fields("friction").and_then(friction);
        let restitution = table.take("restitution").and_then(restitution);
        let mut equations = table.values("holds")?.into_iter();
        Some(Constraint {
            name,
            holds: equations.next()?,
            also: equations.collect(),
            nonideal,
            friction: friction.map(Box::new),
            enforced_by: table.words("enforced_by").unwrap_or_default(),
            active,
            identity,
            restitution: restitution.map(Box::new),
            closed: false,
            joint: None,
            placed: false,
            lengths: Vec::new(),
        })
    }

    /// What has no reaction has none that could be given, rub, or come and go.
    fn refuse_beside_identity(&mut self, name: &Name, table: &Fields) {
        let others = [
            "nonideal",
            "friction",
            "restitution",
            "enforced_by",
            "active",
        ];
        for key in others.into_iter().filter(|key| table.has(key)) {
            let message = format!(
                "`{}` is an identity of the coordinates, which has no reaction, and has `{key}`",
                name.text
            );
            let help = "leave one of the two out: what holds by a force is no identity";
            let place = table.place_of(key);
            self.mistakes.report(code::EXCLUSIVE, place, message, help);
        }
    }

    pub(super) fn run(&mut self, mut table: Fields) -> Run {
        self.exclusive(&table, "samples", "step");
        Run {
            from: table.expression("from"),
            span: table.expression("span"),
            rtol: table.expression("rtol"),
            atol: table.expression("atol"),
            integrator: table.word("integrator"),
            until: table.expression("until"),
            samples: table.expression("samples"),
            step: table.expression("step"),
            max_step: table.expression("max_step"),
            max_steps: table.expression("max_steps"),
            record: table.values("record").unwrap_or_default(),
            ..Run::default()
        }
    }

    /// Reports that none of `keys` is there.
    pub(super) fn one_of(&mut self, table: &Fields, keys: &[&str], example: &str) -> Option<()> {
        if keys.iter().any(|key| table.has(key)) {
            return Some(());
        }
        let listed = keys.join("`, `");
        self.mistakes.report(
            code::ONE_OF,
            table.place.clone(),
            format!("[{}] has none of `{listed}`", table.path),
            format!("add one of them, such as {example}"),
        );
        None
    }

    /// Reports that two keys are there that exclude each other.
    pub(super) fn exclusive(&mut self, table: &Fields, one: &str, other: &str) {
        if table.gives(one) && table.gives(other) {
            let later = match (table.place_of(one), table.place_of(other)) {
                (Place::File(a), Place::File(b)) => {
                    Place::File(if a.start < b.start { b } else { a })
                }
                (_, place) => place,
            };
            self.mistakes.report(
                code::EXCLUSIVE,
                later,
                format!("[{}] has both `{one}` and `{other}`", table.path),
                "keep one of them",
            );
        }
    }
}

pub(super) fn restitution(content: Content) -> Option<Restitution> {
    let (value, poisson) = match content {
        Content::Expression(value) => (*value, false),
        Content::Fields(mut table) => (table.expression("poisson")?, true),
        _ => return None,
    };
    Some(Restitution { value, poisson })
}

pub(super) fn friction(mut table: Fields) -> Option<Friction> {
    Some(Friction {
        coefficient: table.expression("coefficient")?,
        at: table.expression("at"),
        against: table.word("against"),
        holding: table.expression("static"),
        smoothing: table.expression("smoothing"),
    })
}

fn start_value((name, content): (Name, Content)) -> Option<(Name, StartValue)> {
    match content {
        Content::Start(start) => Some((name, *start)),
        _ => None,
    }
}
