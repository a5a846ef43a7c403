//! `dalembert new`: models to start from.

use crate::arguments::New;
use crate::output::{Failure, Report};
use serde_json::json;
use std::io::{ErrorKind, Write};

macro_rules! model {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../examples/", $name, ".toml")),
        )
    };
}

/// The models of `examples/`.
const GALLERY: &[(&str, &str)] = &[
    model!("andrews-squeezer"),
    model!("angeles-axle"),
    model!("angeles-bar"),
    model!("angeles-bar-torque"),
    model!("angeles-disk"),
    model!("angeles-euler-angles"),
    model!("angeles-gear-train"),
    model!("angeles-manipulator"),
    model!("appell-hamel"),
    model!("bead-on-driven-wire"),
    model!("bead-on-rough-hoop"),
    model!("bead-on-wire"),
    model!("blajer-disk"),
    model!("blajer-disk-contact"),
    model!("blajer-disk-reduced"),
    model!("bricard-iftomm-a04"),
    model!("chaplygin-sleigh"),
    model!("double-pendulum"),
    model!("four-bar"),
    model!("four-bar-iftomm"),
    model!("governor-iftomm-a05"),
    model!("heavy-top"),
    model!("knife-edge"),
    model!("painleve-rod"),
    model!("pendulum"),
    model!("pendulum-iftomm-a01"),
    model!("phong-disk"),
    model!("phong-pendulum"),
    model!("rigid-body-quaternion"),
    model!("rolling-disk"),
    model!("servo-pendulum"),
    model!("slider-crank"),
    model!("slider-crank-flexible"),
    model!("sliding-block"),
    model!("spherical-pendulum"),
    model!("spring-damper"),
    model!("tractor-trailer"),
    model!("ukf-line"),
    model!("wheelset"),
    model!("wheelset-ivp"),
    model!("whipple-bicycle"),
];

pub(crate) fn run(arguments: &New) -> Result<Report, Failure> {
    let title = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("title"));
        line.and_then(|line| line.split('"').nth(1))
            .unwrap_or_default()
            .to_owned()
    };
    let Some(name) = arguments.name.as_deref().filter(|_| !arguments.list) else {
        let line = |(name, text): &(&str, &str)| format!("{name:<24} {}", title(text));
        let text: Vec<String> = GALLERY.iter().map(line).collect();
        let list: Vec<_> = GALLERY
            .iter()
            .map(|(name, text)| json!({ "name": name, "title": title(text) }))
            .collect();
        return Ok(Report {
            text: text.join("\n"),
            json: json!({ "models": list }),
            warnings: Vec::new(),
        });
    };
    let Some((_, text)) = GALLERY.iter().find(|(known, _)| *known == name) else {
        let near = dalembert_expr::syntax::nearest(name, GALLERY.iter().map(|(name, _)| *name));
        let near = near.map_or_else(
            || "`dalembert new --list` shows all".to_owned(),
            |near| format!("did you mean {near}?"),
        );
        return Err(Failure::Usage(format!(
            "there is no model `{name}` in the gallery; {near}"
        )));
    };
    let file = format!("{name}.toml");
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .and_then(|mut out| out.write_all(text.as_bytes()));
    written.map_err(|error| {
        Failure::Usage(if error.kind() == ErrorKind::AlreadyExists {
            format!("{file} is there already, and is not overwritten; next: dalembert check {file}")
        } else {
            format!("cannot write {file}: {error}")
        })
    })?;
    Ok(Report {
        text: format!("wrote {file}; next: dalembert check {file}"),
        json: json!({ "status": "done", "file": file }),
        warnings: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::GALLERY;

    #[test]
    fn the_gallery_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
        let entries = std::fs::read_dir(folder).expect("the examples are there");
        let mut files: Vec<String> = entries
            .filter_map(|entry| {
                Some(
                    entry
                        .ok()?
                        .file_name()
                        .to_str()?
                        .strip_suffix(".toml")?
                        .to_owned(),
                )
            })
            .collect();
        files.sort();
        let names: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, files);
    }
}
