//! The cards of the gallery: what its models are, and what their numbers are held against.

use crate::Model;
use crate::report::GalleryReport;
use dalembert_page::{Card, PageData, Sketch};

/// The list of all models, by groups, with words and witnesses.
const LIST: &str = include_str!("../../../../docs/gallery/README.md");

/// The heading of models that stand in no group.
const OTHERS: &str = "More";

/// This group comes last: it shows few systems, in many ways.
const PAPERS: &str = "The papers";

/// A line of the list.
struct Listed {
    group: &'static str,
    name: &'static str,
    about: String,
    witness: String,
}

fn listed() -> Vec<Listed> {
    let mut group = OTHERS;
    let mut list = Vec::new();
    for line in LIST.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            group = heading;
        }
        // Three cells: [name](name.md), about, witness.
        let line = line.strip_prefix("| [");
        let Some((name, rest)) = line.and_then(|rest| rest.split_once("](")) else {
            continue;
        };
        // A bar within a cell has a backslash before it.
        let rest = rest.replace(r"\|", "\0");
        let mut cells = rest.split('|').skip(1);
        let mut cell = || {
            let text = cells.next().unwrap_or_default().trim();
            text.replace('\0', "|").replace('`', "")
        };
        list.push(Listed {
            group,
            name,
            about: cell(),
            witness: cell(),
        });
    }
    list
}

impl Model {
    /// The names of the gallery's models, in the order in which they are shown.
    #[must_use]
    pub fn gallery_names() -> Vec<&'static str> {
        let listed = listed();
        let place = |name: &str| {
            let at = listed.iter().position(|it| it.name == name)?;
            Some((listed[at].group == PAPERS, at))
        };
        let mut names: Vec<&str> = (GalleryReport::new().models.iter())
            .map(|it| it.name)
            .collect();
        names.sort_by_key(|name| place(name).unwrap_or((true, usize::MAX)));
        names
    }
}

/// What stands on the card of a model of the gallery.
#[must_use]
pub fn card(name: &str, file: &str, data: &PageData) -> Card {
    let listed = listed().into_iter().find(|it| it.name == name);
    let (group, about, witness) = match listed {
        Some(it) => (it.group, it.about, it.witness),
        None => (OTHERS, String::new(), String::new()),
    };
    Card {
        name: name.to_owned(),
        file: file.to_owned(),
        title: data.title.clone(),
        about,
        source: work(&data.citation).to_owned(),
        witness,
        group: group.to_owned(),
        sketch: Sketch::of(data),
    }
}

/// The work that a source names, without what is said about it: the first sentence, if it ends with a number or a bracket, as works do.
fn work(citation: &str) -> &str {
    let ends = citation.match_indices(". ").map(|(at, _)| at);
    let mut ends =
        ends.filter(|at| citation[..*at].ends_with(|c: char| c.is_ascii_digit() || c == ')'));
    ends.next().map_or(citation, |at| &citation[..at])
}

#[cfg(test)]
#[path = "../../tests/inside/view_gallery.rs"]
mod tests;
