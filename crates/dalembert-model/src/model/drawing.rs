//! What a page draws besides bodies and particles, and from where: `[draw.NAME]` and `[view]`. Mechanics does not know of it.

use super::check::{Check, Content, Fields};
use super::form_codes::names as code;
use super::{Expression, Model, Name, Shape};

/// Colours that have names, told apart by most eyes (Okabe and Ito 2008); without one, figures get them in this order.
pub const PALETTE: &[&str] = &[
    "blue",
    "orange",
    "green",
    "vermilion",
    "purple",
    "sky",
    "yellow",
    "gray",
];

/// Something that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Its name.
    pub name: Name,
    /// What it is, and where.
    pub figure: Figure,
    /// The shape that is put there.
    pub shape: Option<Shape>,
    /// A name of the palette, or #rrggbb.
    pub color: Option<Name>,
    /// Words beside it.
    pub label: Option<String>,
    /// Whether its way stays visible.
    pub trail: bool,
}

/// What is drawn, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A shape at a point, which may turn.
    Point {
        /// The point.
        at: Expression,
        /// How the shape stands.
        attitude: Option<Expression>,
    },
    /// A rod from one point to another.
    Line(Box<[Expression; 2]>),
    /// A curve.
    Curve(Box<Curve>),
    /// A body or a particle: another look for it.
    Thing(Name),
}

/// A curve, point by point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The name of what runs along it.
    pub of: Name,
    /// From there.
    pub from: Expression,
    /// To there.
    pub to: Expression,
    /// The point at each.
    pub at: Expression,
}

/// How the scene is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The axis that points up: x, y or z.
    pub up: Option<Name>,
    /// The plane that is looked at straight on: xy, xz or yz.
    pub plane: Option<Name>,
    /// Where the camera is, and what it looks at.
    pub camera: Option<Box<[Expression; 2]>>,
    /// Ranges of values that are changed in the page.
    pub sliders: Vec<SliderRange>,
}

/// How far a value is changed in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliderRange {
    /// A parameter, coordinate, rate or speed.
    pub of: Expression,
    /// The least value.
    pub min: Expression,
    /// The largest value.
    pub max: Expression,
    /// Whether its scale is logarithmic, if that is said.
    pub log: Option<bool>,
}

impl SliderRange {
    pub(super) fn new(of: Expression, mut range: Fields) -> Option<Self> {
        let log = match range.take("log") {
            Some(Content::Switch(log, _)) => Some(log),
            _ => None,
        };
        let [min, max] = ["min", "max"].map(|it| range.expression(it));
        Some(Self {
            of,
            min: min?,
            max: max?,
            log,
        })
    }
}

/// Every expression of what is drawn.
pub fn each_drawn<'m>(model: &'m Model, f: &mut dyn FnMut(&'m Expression)) {
    for draw in &model.draws {
        match &draw.figure {
            Figure::Point { at, attitude } => [Some(at), attitude.as_ref()]
                .into_iter()
                .flatten()
                .for_each(&mut *f),
            Figure::Line(ends) => ends.iter().for_each(&mut *f),
            Figure::Curve(curve) => [&curve.from, &curve.to, &curve.at]
                .into_iter()
                .for_each(&mut *f),
            Figure::Thing(_) => {}
        }
        let shape = draw.shape.iter();
        shape.flat_map(Shape::expressions).for_each(&mut *f);
    }
    let camera = model.view.camera.iter();
    camera.flat_map(|it| it.iter()).for_each(&mut *f);
    let sliders = model.view.sliders.iter();
    sliders.flat_map(|it| [&it.min, &it.max]).for_each(f);
}

impl Model {
    /// The model, in which what runs along curves are parameters.
    #[must_use]
    pub fn with_running(&self) -> Self {
        let mut extended = self.clone();
        for draw in &self.draws {
            if let Figure::Curve(curve) = &draw.figure
                && extended
                    .parameters
                    .iter()
                    .all(|(name, _)| name.text != curve.of.text)
            {
                extended
                    .parameters
                    .push((curve.of.clone(), curve.from.clone()));
            }
        }
        extended
    }
}

impl Check {
    pub(super) fn draw(&mut self, name: Name, mut table: Fields) -> Option<Draw> {
        let keys = ["point", "line", "curve", "body"];
        self.one_of(&table, &keys, "point = \"[x, y, 0]\"")?;
        for (i, one) in keys.iter().enumerate() {
            for other in &keys[i + 1..] {
                self.exclusive(&table, one, other);
            }
        }
        if table.has("attitude") && !table.has("point") {
            let message = format!("`attitude` of {} has no effect without `point`", table.path);
            let help = "leave it out, or give the point at which the shape stands";
            let place = table.place_of("attitude");
            self.mistakes.report(code::NO_EFFECT, place, message, help);
        }
        if table.has("shape") && (table.has("line") || table.has("curve")) {
            let message = format!("`shape` of {} stands at no point", table.path);
            let help = "leave it out: a line is drawn as a rod, a curve as a wire";
            let place = table.place_of("shape");
            self.mistakes.report(code::NO_EFFECT, place, message, help);
        }
        let shape = table.fields("shape");
        if let Some(shape) = &shape
            && let Some(weighed) = ["mass", "density"].into_iter().find(|key| shape.has(key))
        {
            let message = format!(
                "`{weighed}` of {} has no effect: what is drawn weighs nothing",
                shape.path
            );
            let place = shape.place_of(weighed);
            self.mistakes
                .report(code::NO_EFFECT, place, message, "leave it out");
        }
        let shape = shape.and_then(|shape| self.shape(shape, false));
        let label = table.word("label").map(|label| label.text);
        let trail = matches!(table.take("trail"), Some(Content::Switch(true, _)));
        let color = table.word("color").and_then(|color| self.color(color));
        let figure = self.figure(&mut table)?;
        Some(Draw {
            name,
            figure,
            shape,
            color,
            label,
            trail,
        })
    }

    fn figure(&mut self, table: &mut Fields) -> Option<Figure> {
        if let Some(at) = table.expression("point") {
            let attitude = table.expression("attitude");
            return Some(Figure::Point { at, attitude });
        }
        if let Some(ends) = table.values("line") {
            return Some(Figure::Line(Box::new(ends.try_into().ok()?)));
        }
        if let Some(mut curve) = table.fields("curve") {
            let curve = Curve {
                of: self.running(curve.word("of")?)?,
                from: curve.expression("from")?,
                to: curve.expression("to")?,
                at: curve.expression("at")?,
            };
            return Some(Figure::Curve(Box::new(curve)));
        }
        table.word("body").map(Figure::Thing)
    }

    /// The name of what runs along a curve, which is no other.
    fn running(&mut self, name: Name) -> Option<Name> {
        let Some(table) = self.names.table_of(&name.text) else {
            return Some(name);
        };
        let message = format!("`{}` stands in [{table}] already", name.text);
        let help = "choose another name for what runs along the curve, such as s";
        self.mistakes
            .report(code::GIVEN_TWICE, name.place, message, help);
        None
    }

    fn color(&mut self, color: Name) -> Option<Name> {
        let digits = color.text.strip_prefix('#');
        let hex = |digits: &str| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        if digits.is_some_and(hex) || PALETTE.contains(&color.text.as_str()) {
            return Some(color);
        }
        let message = format!("`color` cannot be `{}`", color.text);
        let help = format!("write one of: {}; or #rrggbb", PALETTE.join(", "));
        self.mistakes
            .report(code::NOT_A_CHOICE, color.place, message, help);
        None
    }

    pub(super) fn view(&mut self, mut table: Fields) -> View {
        let camera = table.fields("camera").and_then(|mut camera| {
            let ends = [camera.expression("from")?, camera.expression("at")?];
            Some(Box::new(ends))
        });
        let sliders = match table.take("sliders") {
            Some(Content::Sliders(sliders)) => sliders,
            _ => Vec::new(),
        };
        View {
            sliders,
            up: table.word("up"),
            plane: table.word("plane"),
            camera,
        }
    }
}
