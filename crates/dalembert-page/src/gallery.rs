//! The front page of many motions: a card for each, with a picture that moves when it is pointed at.

use crate::data::{Column, PageData, Scene, Series};
use crate::document::{escaped, filled, policy};
use crate::script::{gallery_modules, joined};
use serde::Serialize;

const PAGE: &str = include_str!("gallery.html");
const STYLE: &str = include_str!("gallery.css");

/// Part of a motion that a card shows, and the most samples of it.
const SHOWN: f64 = 0.3;
const SAMPLES: usize = 120;

/// What stands on a card.
#[derive(Clone, Debug)]
pub struct Card {
    /// The name of the model.
    pub name: String,
    /// The file of its page, beside this one.
    pub file: String,
    /// What the system is.
    pub title: String,
    /// What is worth knowing of it, in a line.
    pub about: String,
    /// Where it comes from.
    pub source: String,
    /// What its numbers are held against.
    pub witness: String,
    /// The heading that it stands under.
    pub group: String,
    /// The beginning of the motion.
    pub sketch: Sketch,
}

/// The beginning of a motion, as data of a page that is only looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Sketch {
    columns: [Column; 1],
    scene: Scene,
}

impl Sketch {
    /// The beginning of the motion of a page.
    #[must_use]
    pub fn of(data: &PageData) -> Self {
        // A motion of one sample stands still, and is shown whole.
        let until = ((SHOWN * data.samples as f64).ceil() as usize).clamp(1, data.samples.max(1));
        let every = until.div_ceil(SAMPLES);
        let thinned = |values: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
            values.take(until).step_by(every).collect()
        };
        let picked = |series: &Series| match series {
            Series::Single(values) => thinned(&mut values.iter().copied().map(f64::from)),
            Series::Double(values) => thinned(&mut values.iter().copied()),
            Series::Constant(value) => vec![*value],
            Series::Same(_) => Vec::new(),
        };
        let of_column = |at: usize| data.columns.get(at).map(|it| picked(&it.values));
        let mut scene = Scene {
            arrows: Vec::new(),
            ..data.scene.clone()
        };
        scene.each_series(&mut |series| {
            let values = match series {
                Series::Same(column) => of_column(*column).unwrap_or_default(),
                ref other => picked(other),
            };
            *series = Series::single(&values);
        });
        let time = Column {
            name: "t".to_owned(),
            unit: None,
            values: Series::single(&of_column(0).unwrap_or_default()),
        };
        let columns = [time];
        Self { columns, scene }
    }
}

/// The front page. It works from a file and from any server, and asks for nothing but the pages that are clicked.
///
/// # Errors
/// The data cannot be written as JSON, which no data of numbers and texts fails to be.
pub fn gallery_html(cards: &[Card], version: &str) -> Result<String, serde_json::Error> {
    let sketches: Vec<&Sketch> = cards.iter().map(|it| &it.sketch).collect();
    let json = serde_json::to_string(&sketches)?.replace('<', "\\u003c");
    let mut groups: Vec<&str> = Vec::new();
    for card in cards {
        if !groups.contains(&card.group.as_str()) {
            groups.push(&card.group);
        }
    }
    let sections: String = groups.iter().map(|group| section(group, cards)).collect();
    let script = joined(&gallery_modules());
    let parts = [
        ("policy", policy(&script, STYLE, false)),
        ("style", STYLE.to_owned()),
        ("count", cards.len().to_string()),
        ("version", escaped(version)),
        ("sections", sections),
        ("data", json),
        ("script", script),
    ];
    Ok(filled(PAGE, &parts))
}

fn section(group: &str, cards: &[Card]) -> String {
    let own = cards.iter().enumerate().filter(|(_, it)| it.group == group);
    let own: String = own.map(|(index, it)| card(index, it)).collect();
    let group = escaped(group);
    format!(
        "<section data-group=\"{group}\">\n<h2>{group}</h2>\n<ul class=\"cards\">\n{own}</ul>\n</section>\n"
    )
}

fn card(index: usize, card: &Card) -> String {
    let [name, file, title, about] =
        [&card.name, &card.file, &card.title, &card.about].map(|it| escaped(it));
    let line = |kind: &str, words: &str, text: &str| match text.is_empty() {
        true => String::new(),
        false => format!(
            "<p class=\"{kind}\"><span>{words}</span> {}</p>\n",
            escaped(text)
        ),
    };
    format!(
        "<li class=\"card\" data-index=\"{index}\">\n<canvas aria-hidden=\"true\"></canvas>\n<div class=\"words\">\n\
        <h3><a href=\"{file}\">{title}</a></h3>\n<p class=\"about\">{about}</p>\n{}{}<p class=\"name\">{name}</p>\n</div>\n</li>\n",
        line("source", "from", &card.source),
        line("witness", "held against", &card.witness),
    )
}
