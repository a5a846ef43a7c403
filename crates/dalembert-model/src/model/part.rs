//! Other models as parts of one: `[use.leg]` names a file, and values for its parameters.
//!
//! A part is a model by itself. Its names get that of the part and a dot before them, and what it has joins the model that uses it, so
//! that nothing behind the reader knows of parts.

use super::check::{Check, Content, Fields};
use super::form_codes::names as code;
use super::format::Space;
use super::names::reserved;
use super::source::Item;
use super::{Body, Expression, Figure, Inertia, Load, Mass, Model, Name, Origin, Run, Shape};
use super::{SpringSpan, StartValue, View, file};
use crate::data::TABLE;
use crate::diagnostic::Place;
use dalembert_expr::syntax::{Kind, NodeId, Tree, meant_or_known};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// The models that the parts of a file are, by the names that it gives them; made by [`Model::as_part`].
pub type Parts = BTreeMap<String, Model>;

/// A part that a file asks for.
#[derive(Clone, Debug)]
pub struct Use {
    /// The name of the part.
    pub name: String,
    /// The file that says what it is.
    pub file: String,
    /// Where that is said.
    pub place: Place,
}

/// The parts that a model file asks for.
#[must_use]
pub fn uses(text: &str) -> Vec<Use> {
    let (root, _) = file::root(text);
    // What is wrong with families is told where the file is read.
    let root = Check::new(None).written_out(root);
    let tables = root.entries.into_iter().filter(|it| it.key.text == "use");
    let parts = tables.flat_map(|entry| match entry.item {
        Item::Table(table) => table.entries,
        _ => Vec::new(),
    });
    let part = parts.filter_map(|entry| {
        let Item::Table(table) = entry.item else {
            return None;
        };
        let file = table.entries.into_iter().find(|it| it.key.text == "file")?;
        let Item::Text(file) = file.item else {
            return None;
        };
        let (name, place) = (entry.key.text, file.place());
        let file = file.text;
        Some(Use { name, file, place })
    });
    part.collect()
}

/// A file that a part was read from.
#[derive(Debug, PartialEq, Eq)]
pub struct PartFile {
    name: String,
    text: Arc<str>,
}

impl PartFile {
    /// A file of this name and text.
    pub(super) fn new(name: &str, text: &str) -> Arc<Self> {
        Arc::new(Self {
            name: name.to_owned(),
            text: text.into(),
        })
    }

    /// A place in it.
    pub(super) fn place(&self, place: Place) -> Place {
        match place {
            Place::File(span) => Place::given(self.name.as_str(), Arc::clone(&self.text), span),
            other => other,
        }
    }
}

impl Model {
    /// The same as a part of another: its names begin with that of the part, its places are in its own file, and where it starts is a
    /// guess. How it runs by itself is left behind. Files that it names are in `folder`, as seen from the other.
    #[must_use]
    pub fn as_part(mut self, part: &str, folder: &Path, (file, text): (&str, &str)) -> Self {
        let moved = Moved {
            part,
            folder,
            names: own_names(&self),
            file: PartFile::new(file, text),
        };
        (self.title, self.run) = (None, Run::default());
        self.view = View::default();
        moved.model(&mut self);
        self
    }
}

/// Names with a dot that parts have.
pub(super) fn dotted_names(parts: &Parts) -> impl Iterator<Item = Arc<str>> {
    let names = parts.values().flat_map(all_names);
    names.map(|name| name.text.as_str().into())
}

/// What names of a model begin with.
fn own_names(model: &Model) -> HashSet<String> {
    all_names(model)
        .map(|name| head(&name.text).to_owned())
        .collect()
}

fn all_names(model: &Model) -> impl Iterator<Item = &Name> {
    let valued = [&model.parameters, &model.definitions, &model.speeds];
    let valued = valued.into_iter().flatten().map(|(name, _)| name);
    let quantities = valued.chain(model.coordinates.iter().map(|(name, _)| name));
    let things = model.particles.iter().map(|it| &it.name);
    let things = things.chain(model.frames.iter().map(|it| &it.name));
    let things = things.chain(model.bodies.iter().map(|it| &it.name));
    let acting = model.forces.iter().map(|it| &it.name);
    let acting = acting.chain(model.springs.iter().map(|it| &it.name));
    let acting = acting.chain(model.constraints.iter().map(|it| &it.name));
    let events = model.events.iter().map(|it| &it.name);
    let events = events.chain(model.draws.iter().map(|it| &it.name));
    quantities.chain(things).chain(acting).chain(events)
}

/// The first of names with dots between them.
fn head(name: &str) -> &str {
    name.split(['.', '\'']).next().unwrap_or(name)
}

/// A model on its way into another.
struct Moved<'m> {
    part: &'m str,
    folder: &'m Path,
    names: HashSet<String>,
    file: Arc<PartFile>,
}

impl Moved<'_> {
    /// A name of the part as the other model knows it. One that it has not is no name of the other model either; words of the language stay.
    fn renamed(&self, name: &str) -> Option<String> {
        let word = reserved(Space::Quantities, name).is_some();
        let own = !word || self.names.contains(head(name));
        own.then(|| format!("{}.{name}", self.part))
    }

    fn place(&self, place: &mut Place) {
        let here = std::mem::replace(place, Place::Model);
        *place = self.file.place(here);
    }

    fn name(&self, name: &mut Name) {
        if let Some(renamed) = self.renamed(&name.text) {
            name.text = renamed;
        }
        self.place(&mut name.place);
    }

    fn expression(&self, expression: &mut Expression) {
        let whole = Tree::number(0.into());
        let tree = std::mem::replace(&mut expression.tree, whole);
        expression.tree = self.tree(tree);
        match &mut expression.origin {
            Origin::File(pieces) => {
                let pieces = std::mem::take(pieces);
                expression.origin = Origin::Part(Arc::clone(&self.file), pieces);
            }
            Origin::Of(place) => self.place(place),
            Origin::Key(_) | Origin::Part(..) => {}
        }
    }

    /// The tree with other names: also in quotes, where a function is asked about something; files are seen from the other model.
    fn tree(&self, tree: Tree) -> Tree {
        let (mut files, mut words) = (HashSet::new(), HashSet::new());
        for node in tree.nodes() {
            if let Kind::Call {
                function,
                arguments,
            } = &node.kind
                && *function.text == *TABLE
            {
                files.extend(arguments.first().map(|it| it.value));
                words.extend(arguments.iter().skip(1).map(|it| it.value));
            }
        }
        tree.with_kinds(|id: NodeId, kind| match kind {
            Kind::Name { name, .. } => {
                if let Some(renamed) = self.renamed(name) {
                    *name = renamed.into();
                }
            }
            Kind::Text(text) if files.contains(&id) => {
                let seen = self.folder.join(&**text);
                *text = seen.to_string_lossy().into_owned().into();
            }
            Kind::Text(text) if !words.contains(&id) && self.names.contains(head(text)) => {
                *text = format!("{}.{text}", self.part).into();
            }
            _ => {}
        })
    }

    fn all<'e>(&self, expressions: impl IntoIterator<Item = &'e mut Expression>) {
        expressions.into_iter().for_each(|it| self.expression(it));
    }

    fn named<'e>(&self, list: impl IntoIterator<Item = &'e mut (Name, Expression)>) {
        for (name, value) in list {
            self.name(name);
            self.expression(value);
        }
    }

    fn start(&self, start: &mut StartValue) {
        start.must = false;
        self.all(&mut start.value);
        self.place(&mut start.place);
    }

    fn load(&self, load: &mut Load) {
        match load {
            Load::Generalized(components) => self.named(components),
            Load::Along { measure, size } => self.all([measure, size]),
            Load::Applied {
                on,
                at,
                vector,
                torque,
                axes,
            } => {
                self.name(on);
                axes.iter_mut().for_each(|it| self.name(it));
                self.all([at, vector, torque].into_iter().flatten());
            }
        }
    }

    fn body(&self, body: &mut Body) {
        self.name(&mut body.name);
        if let Mass::Mass(mass) | Mass::Density(mass) = &mut body.mass {
            self.expression(mass);
        }
        match &mut body.inertia {
            Some(Inertia::Principal(moments)) => self.all(moments.iter_mut()),
            Some(Inertia::Matrix(rows)) => self.all(rows.iter_mut().flatten()),
            None => {}
        }
        self.all([&mut body.center, &mut body.attitude]);
        // Names of points, shapes and axes are words of the body.
        for (name, point) in &mut body.points {
            self.place(&mut name.place);
            self.expression(point);
        }
        body.shapes.iter_mut().for_each(|it| self.shape(it));
    }

    fn shape(&self, shape: &mut Shape) {
        self.place(&mut shape.kind.place);
        shape
            .axis
            .iter_mut()
            .for_each(|it| self.place(&mut it.place));
        for (name, measures) in &mut shape.measures {
            self.place(&mut name.place);
            self.all(measures);
        }
        if let Some([file, unit]) = &mut shape.file {
            file.text = self.folder.join(&file.text).to_string_lossy().into_owned();
            self.place(&mut file.place);
            self.place(&mut unit.place);
        }
        self.all([&mut shape.at, &mut shape.attitude].into_iter().flatten());
        if let Some(Mass::Mass(mass) | Mass::Density(mass)) = &mut shape.mass {
            self.expression(mass);
        }
    }

    fn draws(&self, model: &mut Model) {
        for draw in &mut model.draws {
            self.name(&mut draw.name);
            draw.shape.iter_mut().for_each(|it| self.shape(it));
            draw.color
                .iter_mut()
                .for_each(|it| self.place(&mut it.place));
            match &mut draw.figure {
                Figure::Point { at, attitude } => self.all(std::iter::once(at).chain(attitude)),
                Figure::Line(ends) => self.all(ends.iter_mut()),
                Figure::Curve(curve) => {
                    self.name(&mut curve.of);
                    self.all([&mut curve.from, &mut curve.to, &mut curve.at]);
                }
                Figure::Thing(name) => self.name(name),
            }
        }
    }

    fn model(&self, model: &mut Model) {
        self.all(&mut model.gravity);
        self.named(&mut model.parameters);
        model.open.iter_mut().for_each(|it| self.name(it));
        model.inputs.iter_mut().for_each(|it| self.name(it));
        self.named(&mut model.definitions);
        self.named(&mut model.speeds);
        for (name, start) in &mut model.coordinates {
            self.name(name);
            self.start(start);
        }
        for (key, start) in &mut model.start {
            self.expression(key);
            self.start(start);
        }
        for particle in &mut model.particles {
            self.name(&mut particle.name);
            self.all([&mut particle.mass, &mut particle.position]);
        }
        for frame in &mut model.frames {
            self.name(&mut frame.name);
            self.expression(&mut frame.attitude);
        }
        model.bodies.iter_mut().for_each(|it| self.body(it));
        if let Some(energy) = &mut model.energy {
            let parts = [
                &mut energy.kinetic,
                &mut energy.potential,
                &mut energy.dissipation,
            ];
            self.all(parts.into_iter().flatten());
        }
        for force in &mut model.forces {
            self.name(&mut force.name);
            self.load(&mut force.load);
        }
        for spring in &mut model.springs {
            self.name(&mut spring.name);
            match &mut spring.span {
                SpringSpan::Between(ends) => self.all(ends.iter_mut()),
                SpringSpan::On(measure) => self.expression(measure),
            }
            let given = [
                &mut spring.stiffness,
                &mut spring.length,
                &mut spring.damping,
                &mut spring.dry,
            ];
            self.all(given.into_iter().flatten());
        }
        self.constraints(model);
        self.events(model);
        self.draws(model);
    }

    fn constraints(&self, model: &mut Model) {
        for constraint in model.constraints.iter_mut().chain(&mut model.turns) {
            self.name(&mut constraint.name);
            self.all(std::iter::once(&mut constraint.holds).chain(&mut constraint.also));
            constraint.nonideal.iter_mut().for_each(|it| self.load(it));
            let coefficients = constraint.restitution.iter_mut();
            self.all(coefficients.map(|it| &mut it.value));
            constraint
                .enforced_by
                .iter_mut()
                .for_each(|it| self.name(it));
            if let Some(friction) = &mut constraint.friction {
                self.expression(&mut friction.coefficient);
                let given = [
                    &mut friction.holding,
                    &mut friction.at,
                    &mut friction.smoothing,
                ];
                self.all(given.into_iter().flatten());
                friction.against.iter_mut().for_each(|it| self.name(it));
            }
            if let Some(ends) = &mut constraint.joint {
                ends.on.iter_mut().flatten().for_each(|it| self.name(it));
                self.all(ends.heights.iter_mut().chain(&mut ends.senses));
            }
            self.all(constraint.lengths.iter_mut().map(|(_, length)| length));
        }
    }

    fn events(&self, model: &mut Model) {
        for event in &mut model.events {
            self.name(&mut event.name);
            self.expression(&mut event.when);
            for (key, value) in &mut event.set {
                self.all([key, value]);
            }
            let constraints = event.release.iter_mut().chain(&mut event.engage);
            constraints.for_each(|it| self.name(it));
            event.impulse.iter_mut().for_each(|it| self.load(it));
            if let Some(impact) = &mut event.impact {
                self.all(impact.on.iter_mut().chain(&mut impact.restitution));
            }
        }
    }
}

impl Check {
    /// Lets the parts of a file join its model.
    pub(super) fn add_parts(&mut self, model: &mut Model, uses: Vec<(Name, Content)>) {
        for (name, content) in uses {
            if let Content::Fields(fields) = content {
                self.add_part(model, &name, fields);
            }
        }
    }

    fn add_part(&mut self, model: &mut Model, name: &Name, mut fields: Fields) {
        // Coordinates of a part that is refused are not missed as well.
        let part = self.parts.get(&name.text);
        self.free |= part.is_none_or(|part| !part.coordinates.is_empty());
        let (file, place) = (fields.word("file"), fields.place_of("file"));
        let Some(file) = file else {
            return;
        };
        let Some(mut part) = self.parts.remove(&name.text) else {
            let message = format!("there is no {} here to take a part from", file.text);
            let help = "read the model from a file: parts are looked for beside it";
            self.mistakes.report(code::PART, place, message, help);
            return;
        };
        if let Some(Content::Components(values)) = fields.take("set") {
            self.set_of_part(&mut part, name, values);
        }
        let both = model.energy.is_some() && part.energy.is_some();
        let refused = match () {
            () if part.dynamics.is_some() => Some((
                "gives its equations in [dynamics], which are those of a whole model",
                "write it with bodies, particles or energies",
            )),
            () if both => Some((
                "has an [energy], and there is another already",
                "leave the energies of one of them to particles or bodies, or write one [energy] for both here",
            )),
            () if part.gravity.is_some() && model.gravity.is_none() => Some((
                "has gravity, and the model that uses it has none",
                "write gravity at the top here too: \"[0, 0, 0]\" if there is to be none",
            )),
            () => None,
        };
        if let Some((what, help)) = refused {
            let message = format!("{} {what}", file.text);
            self.mistakes.report(code::PART, place, message, help);
            return;
        }
        self.made.coordinates.append(&mut part.coordinates);
        self.made.start.append(&mut part.start);
        self.made.definitions.append(&mut part.definitions);
        model.parameters.append(&mut part.parameters);
        model.open.append(&mut part.open);
        model.inputs.append(&mut part.inputs);
        model.speeds.append(&mut part.speeds);
        model.particles.append(&mut part.particles);
        model.frames.append(&mut part.frames);
        model.bodies.append(&mut part.bodies);
        model.energy = model.energy.take().or(part.energy);
        model.forces.append(&mut part.forces);
        model.springs.append(&mut part.springs);
        model.constraints.append(&mut part.constraints);
        model.turns.append(&mut part.turns);
        model.events.append(&mut part.events);
        model.draws.append(&mut part.draws);
    }

    /// Other values for parameters of a part.
    fn set_of_part(&mut self, part: &mut Model, name: &Name, values: Vec<(Name, Expression)>) {
        for (key, value) in values {
            let full = format!("{}.{}", name.text, key.text);
            let mut own = part.parameters.iter_mut();
            if let Some((_, given)) = own.find(|(own, _)| own.text == full) {
                *given = value;
                part.open.retain(|open| open.text != full);
                continue;
            }
            let own = part.parameters.iter().map(|(own, _)| own.text.as_str());
            let own = own.filter_map(|own| own.strip_prefix(&name.text)?.strip_prefix('.'));
            let help = meant_or_known(&key.text, own).unwrap_or_default();
            let message = format!("`{}` is no parameter of {}", key.text, name.text);
            self.mistakes.report(code::PART, key.place, message, help);
        }
    }
}
