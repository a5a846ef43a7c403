use super::Folder;
use std::fs;

#[test]
fn nothing_outside_is_admitted_and_changes_are_seen() {
    let place = std::env::temp_dir().join(format!("dalembert-folder-{}", std::process::id()));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("in/below")).expect("a folder");
    let [inside, outside] = [place.join("in/a.csv"), place.join("b.csv")];
    fs::write(&inside, "a").expect("a file");
    fs::write(&outside, "b").expect("a file");
    let folder = Folder::new(&place.join("in")).expect("it is there");
    assert!(folder.admits(&inside) && folder.admits(&place.join("in/below/../a.csv")));
    assert!(folder.admits(&place.join("in/below/missing.csv")));
    for wrong in [
        "b.csv",
        "in/../b.csv",
        "in/below/../../b.csv",
        "missing.csv",
        "in/no/such.csv",
    ] {
        assert!(!folder.admits(&place.join(wrong)), "{wrong}");
    }
    assert!(!folder.admits(std::path::Path::new("/etc/passwd")));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, place.join("in/link.csv")).expect("a link");
        assert!(!folder.admits(&place.join("in/link.csv")));
    }
    assert!(!folder.has_changed());
    fs::write(place.join("in/below/missing.csv"), "").expect("a file");
    assert!(folder.has_changed(), "it is there now");
    let folder = Folder::new(&place.join("in")).expect("it is there");
    assert!(folder.admits(&inside) && !folder.has_changed());
    fs::write(&inside, "longer").expect("a file");
    assert!(folder.has_changed());
    fs::remove_file(&inside).expect("it goes");
    assert!(folder.has_changed());
    fs::remove_dir_all(&place).expect("it goes");
    assert!(Folder::new(&place).is_err());
}
