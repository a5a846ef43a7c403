//! The modules fit together, and nothing that a page is given gets out of its place.
#![allow(clippy::unwrap_used, reason = "tests")]

use dalembert_page::{
    Card, Column, MODULES, PageData, SERVED, SIMULATOR, Scene, Series, Sketch, UnitTable,
    gallery_html, gallery_modules, html, script, served_html, simulator, waiting_html,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a module declares at its top, and whether others may use it.
fn declared(module: &str) -> BTreeMap<String, bool> {
    let mut found = BTreeMap::new();
    for line in module.lines() {
        let exported = line.starts_with("export ");
        let line = line.strip_prefix("export ").unwrap_or(line);
        let words = ["function ", "class ", "const ", "let ", "async function "];
        for rest in words.iter().filter_map(|word| line.strip_prefix(word)) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            let name = &rest[..end.unwrap_or(rest.len())];
            assert!(!name.is_empty(), "one plain name in each line: {line}");
            found.insert(name.to_owned(), exported);
        }
    }
    found
}

/// The modules of each script.
fn scripts() -> [Vec<(&'static str, &'static str)>; 4] {
    let served = [MODULES, &[SERVED]].concat();
    [
        served,
        vec![MODULES[0], SERVED],
        gallery_modules(),
        SIMULATOR.to_vec(),
    ]
}

#[test]
fn modules_import_by_name_from_those_before_them() {
    scripts().iter().for_each(|it| fit(it));
}

fn fit(modules: &[(&'static str, &'static str)]) {
    let mut known: BTreeMap<&str, BTreeMap<String, bool>> = BTreeMap::new();
    for (name, module) in modules {
        for line in module.lines().filter(|line| line.starts_with("import ")) {
            let (names, from) = line
                .strip_prefix("import { ")
                .and_then(|rest| rest.split_once(" } from \"./"))
                .unwrap_or_else(|| panic!("{name}: {line}"));
            let from = from.strip_suffix("\";").unwrap();
            let other = known
                .get(from)
                .unwrap_or_else(|| panic!("{name} imports from {from}, which is not before it"));
            for used in names.split(", ") {
                assert_eq!(other.get(used), Some(&true), "{name}: {used} of {from}");
            }
        }
        known.insert(name, declared(module));
    }
}

#[test]
fn no_name_is_declared_twice() {
    for modules in scripts() {
        let mut seen = BTreeSet::new();
        for (module, text) in &modules {
            for name in declared(text).into_keys() {
                assert!(seen.insert(name.clone()), "{module}: {name}");
            }
        }
        assert!(seen.len() > 10, "{}", seen.len());
    }
}

#[test]
fn the_scripts_are_one_piece_each_and_small() {
    is_one_piece_and_small(&script(), 150_000);
    is_one_piece_and_small(&simulator(), 110_000);
}

fn is_one_piece_and_small(script: &str, most: usize) {
    assert!(
        !script
            .lines()
            .any(|line| line.starts_with("import ") || line.starts_with("export "))
    );
    assert!(!script.contains("</script") && !script.contains("<!--"));
    // Nothing is fetched, evaluated or written as markup.
    for word in [
        "fetch(",
        "XMLHttpRequest",
        "eval(",
        "new Function",
        "innerHTML",
        "document.write",
        "import(",
    ] {
        let code = script
            .lines()
            .filter(|line| !line.trim_start().starts_with(['/', '*']));
        assert!(!code.into_iter().any(|line| line.contains(word)), "{word}");
    }
    assert!(script.len() < most, "{}", script.len());
}

fn page(title: &str) -> String {
    html(&data(title)).unwrap()
}

fn data(title: &str) -> PageData {
    PageData {
        title: title.to_owned(),
        file: "a.toml".to_owned(),
        version: String::new(),
        source: title.to_owned(),
        citation: String::new(),
        parameters: Vec::new(),
        symbols: Vec::new(),
        columns: vec![Column {
            name: "t".to_owned(),
            unit: None,
            values: Series::double(&[0.0, 1.0]),
        }],
        samples: 2,
        events: Vec::new(),
        scene: Scene::default(),
        live: None,
        not_live: String::new(),
        sliders: Vec::new(),
        units: UnitTable::default(),
        reports: Vec::new(),
        plots: Vec::new(),
        equations: String::new(),
        about_equations: String::new(),
    }
}

#[test]
fn words_stay_words() {
    let evil = "</script><script>alert(1)</script>{{script}}\"'&<!--";
    let page = page(evil);
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script").count(), 3);
    assert!(!page.contains("alert(1)</script>"));
    let data = page.split_once("id=\"data\">").unwrap().1;
    let data = data.split_once("</script>").unwrap().0;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    assert!(!data.is_empty() && data.chars().all(is_letter));
}

fn policy(page: &str) -> &str {
    let policy = page.split_once("Content-Security-Policy\" content=\"");
    policy.unwrap().1.split_once('"').unwrap().0
}

/// A page that comes from a server may ask that server, and nobody else; one that was mailed, nobody.
#[test]
fn only_served_pages_ask_and_only_their_server() {
    let served = served_html(&data("a"), 7).unwrap();
    for page in [&served, &waiting_html("a")] {
        let parts = policy(page).split("; ");
        let asked: Vec<&str> = parts.filter(|it| it.starts_with("connect-src")).collect();
        assert_eq!(asked, ["connect-src 'self'"]);
        assert!(page.contains("EventSource"));
    }
    assert!(served.contains("<body data-edition=\"7\">"));
    let mailed = page("a");
    assert!(!policy(&mailed).contains("connect-src") && !mailed.contains("EventSource"));
    assert!(mailed.contains("<body>") && policy(&mailed).starts_with("default-src 'none'"));
}

#[test]
fn cards_of_a_gallery_are_words_and_the_beginning_of_a_motion() {
    let evil = "</script><b>\"'&{{data}}";
    let times: Vec<f64> = (0..1001).map(f64::from).collect();
    let mut data = data(evil);
    (data.samples, data.columns[0].values) = (1001, Series::double(&times));
    let card = Card {
        name: "a".to_owned(),
        file: "a.html".to_owned(),
        title: evil.to_owned(),
        about: evil.to_owned(),
        source: evil.to_owned(),
        witness: String::new(),
        group: evil.to_owned(),
        sketch: Sketch::of(&data),
    };
    let written = serde_json::to_value(&card.sketch).unwrap();
    let bytes = written["columns"][0]["values"]["f32"].as_str().unwrap();
    // 301 of 1001 samples, of which every third: 101 numbers of four bytes, as base64.
    assert_eq!(bytes.len(), 101_usize.div_ceil(3) * 4 * 4 - 4);
    let page = gallery_html(&[card.clone(), card], "1").unwrap();
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("<b>").count(), 0);
    assert_eq!(page.matches("<section").count(), 1);
    assert!(policy(&page).starts_with("default-src 'none'") && !policy(&page).contains("connect"));
}

#[test]
fn the_policy_names_this_script_and_no_other() {
    let page = page("a");
    let policy = policy(&page);
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"));
    // Compiled programs may come in, texts that would become code may not.
    let rest = policy.replace(" 'wasm-unsafe-eval'", "");
    assert!(!rest.contains("unsafe") && !rest.contains("http"));
    assert_eq!(policy.matches("sha256-").count(), 2);
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org/").count()
    );
    assert!(!page.contains("https://"));
}

#[test]
fn numbers_are_written_with_their_bits() {
    let text = |series: &Series| serde_json::to_string(series).unwrap();
    assert_eq!(text(&Series::single(&[2.5, 2.5])), "2.5");
    assert_eq!(text(&Series::single(&[f64::NAN, f64::NAN])), "null");
    // 1.0 and 2.0: 0000803f 00000040.
    assert_eq!(
        text(&Series::single(&[1.0, 2.0])),
        "{\"f32\":\"AACAPwAAAEA=\"}"
    );
    assert_eq!(
        text(&Series::double(&[1.0, -0.0])),
        "{\"f64\":\"AAAAAAAA8D8AAAAAAAAAgA==\"}"
    );
}
