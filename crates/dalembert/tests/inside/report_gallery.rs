use super::{GALLERY, MECHANISMS};

fn files(folder: &str) -> Vec<String> {
    let folder = format!("{}/../../{folder}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(folder).expect("the examples are there");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.ok()?.file_name();
        Some(name.to_str()?.strip_suffix(".toml")?.to_owned())
    };
    let mut files: Vec<String> = entries.filter_map(name).collect();
    files.sort();
    files
}

#[test]
fn the_gallery_is_the_folder() {
    let names: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, files("examples"));
    let bodies = files("examples/mechanisms").into_iter();
    let bodies: Vec<String> = bodies.map(|it| format!("{it}-bodies")).collect();
    let names: Vec<&str> = MECHANISMS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, bodies);
}
