//! The gallery: models to start from.

use super::Report;
use dalembert_expr::syntax::nearest;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

macro_rules! models {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../../examples/", $name, ".toml")))),*]
    };
}

/// The models of `examples/`.
const GALLERY: &[(&str, &str)] = models! {
    "andrews-squeezer"
    "angeles-axle"
    "angeles-bar"
    "angeles-bar-torque"
    "angeles-disk"
    "angeles-euler-angles"
    "angeles-gear-train"
    "angeles-manipulator"
    "appell-hamel"
    "bead-on-driven-wire"
    "bead-on-rough-hoop"
    "bead-on-wire"
    "billiard-ball"
    "blajer-disk"
    "blajer-disk-contact"
    "blajer-disk-reduced"
    "bouncing-ball"
    "bricard-iftomm-a04"
    "caught-rod"
    "chaplygin-sleigh"
    "clutch"
    "cradle"
    "double-pendulum"
    "four-bar"
    "four-bar-iftomm"
    "governor-iftomm-a05"
    "heavy-top"
    "knife-edge"
    "ladder"
    "n-four-bar-iftomm-a02"
    "painleve-rod"
    "pendulum"
    "pendulum-iftomm-a01"
    "phong-disk"
    "phong-pendulum"
    "rigid-body-quaternion"
    "rocking-block"
    "rolling-disk"
    "rough-wedge"
    "servo-pendulum"
    "slider-crank"
    "slider-crank-flexible"
    "sliding-block"
    "sphere"
    "spherical-pendulum"
    "spring-damper"
    "stick-slip"
    "string"
    "stuck-block"
    "table-drive"
    "tractor-trailer"
    "ukf-line"
    "wheelset"
    "wheelset-ivp"
    "whipple-bicycle"
};

macro_rules! mechanisms {
    ($($name:literal)*) => {
        &[$((
            concat!($name, "-bodies"),
            include_str!(concat!("../../../../examples/mechanisms/", $name, ".toml")),
        )),*]
    };
}

/// The models of `examples/mechanisms`: bodies and joints, some of them twins of models in coordinates.
const MECHANISMS: &[(&str, &str)] = mechanisms! {
    "andrews-squeezer"
    "asymmetric-top"
    "bricard-iftomm-a04"
    "cardan-shaft"
    "governor-iftomm-a05"
    "heavy-top"
    "hinged-four-bar"
    "n-four-bar-iftomm-a02"
    "pendulum-iftomm-a01"
    "robot-arm"
    "rolling-disk"
    "slider-crank"
};

/// All of them.
fn models() -> impl Iterator<Item = (&'static str, &'static str)> {
    GALLERY.iter().chain(MECHANISMS).copied()
}

/// The models of the gallery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GalleryReport {
    /// In alphabetical order.
    pub models: Vec<GalleryModel>,
}

/// A model of the gallery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GalleryModel {
    /// Its name, and that of its file.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
}

impl GalleryReport {
    /// All of them.
    #[must_use]
    pub fn new() -> Self {
        let title = |text: &'static str| {
            let line = text.lines().find(|line| line.starts_with("title"));
            line.and_then(|line| line.split('"').nth(1))
                .unwrap_or_default()
        };
        let model = |(name, text): (&'static str, &'static str)| GalleryModel {
            name,
            title: title(text),
        };
        let mut models: Vec<GalleryModel> = models().map(model).collect();
        models.sort_by_key(|it| it.name);
        Self { models }
    }
}

impl Default for GalleryReport {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for GalleryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self.models.iter().map(|it| it.name.len()).max();
        let width = longest.unwrap_or(0);
        let line = |model: &GalleryModel| format!("{:<width$} {}", model.name, model.title);
        f.write_str(&self.models.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

impl Report for GalleryReport {}

/// Files that models of the gallery take tables from: the model, their names, their texts.
const FILES: &[(&str, &str, &str)] = &[(
    "table-drive",
    "drive.csv",
    include_str!("../../../../examples/drive.csv"),
)];

/// The files that a model of the gallery takes tables from, by name, with their texts.
pub fn gallery_files(model: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = FILES.iter().filter(move |(of, ..)| *of == model);
    own.map(|&(_, name, text)| (name, text))
}

/// The file of a model of the gallery.
///
/// # Errors
/// There is none such, in words.
pub fn gallery_model(name: &str) -> Result<&'static str, String> {
    if let Some((_, text)) = models().find(|(known, _)| *known == name) {
        return Ok(text);
    }
    let near = nearest(name, models().map(|(name, _)| name));
    let near = near.map_or_else(
        || "`dalembert new --list` shows all".to_owned(),
        |near| format!("did you mean {near}?"),
    );
    Err(format!("there is no model `{name}` in the gallery; {near}"))
}

#[cfg(test)]
#[path = "../../tests/inside/report_gallery.rs"]
mod tests;
