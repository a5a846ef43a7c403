//! `[repeat.NAME]`: what stands for many tables is the same as writing them.

use super::{Now, close};
use dalembert_mechanics::model::read;

const LINK: &str = r#"mass = 1.5
inertia = [0, 0, 0.2]
point = { foot = "[-0.5, 0, 0]", tip = "[0.5, 0, 0]" }
"#;

fn family(count: usize) -> String {
    format!(
        r#"
gravity = "[0, -9.81, 0]"
[repeat.chain]
count = {count}
[repeat.chain.body.link]
{LINK}start = {{ center = "[{{i}} + 0.5, 0, 0]" }}
[repeat.chain.start]
"link{{i}}.angle'" = 0
[joint.hinge0]
type = "revolute"
between = ["ground", "link0.foot"]
[repeat.hinges]
count = {}
from = 1
[repeat.hinges.joint.hinge]
type = "revolute"
between = ["link{{i-1}}.tip", "link{{ i }}.foot"]
"#,
        count - 1
    )
}

fn written_out(count: usize) -> String {
    let mut text = "gravity = \"[0, -9.81, 0]\"\n".to_owned();
    for i in 0..count {
        let on = match i {
            0 => "ground".to_owned(),
            _ => format!("link{}.tip", i - 1),
        };
        text += &format!(
            "[body.link{i}]\n{LINK}start = {{ center = \"[{i}.5, 0, 0]\" }}\n\
             [joint.hinge{i}]\ntype = \"revolute\"\nbetween = [\"{on}\", \"link{i}.foot\"]\n"
        );
    }
    text
}

#[test]
fn a_chain_is_its_links() {
    let (family, links) = (Now::of(&family(6)), Now::of(&written_out(6)));
    for i in 0..6 {
        for member in ["x", "y", "angle"] {
            let name = format!("link{i}.{member}");
            close(family.acceleration(&name), links.acceleration(&name));
        }
        let on = |now: &Now| {
            now.reaction(&format!("hinge{i}"), &format!("link{i}"))
                .force[1]
        };
        close(on(&family), on(&links));
    }
    // Not the same everywhere: the chain begins to fold.
    assert!((family.acceleration("link0.angle") - family.acceleration("link5.angle")).abs() > 1.0);
}

#[test]
fn mistakes_in_families_are_named_once_and_in_place() {
    let text = format!("dalembert = 1\nplanar = true\n{}", family(6));
    for (from, to, wanted, at) in [
        ("from = 1\n", "", "{i-1} is no index where i is 0", "{i-1}"),
        ("{i-1}", "{j}", "{j} is no index", "{j}"),
        ("{i-1}", "{i-1", "is no index", "{i-1.tip"),
        ("count = 6", "", "has no `count`", "[repeat.chain]"),
        ("count = 6", "count = 0", "whole number from 1", "0"),
        ("count = 6", "count = 2.5", "whole number from 1", "2.5"),
        (
            "count = 6",
            "count = 6\ncuont = 3",
            "no key `cuont`",
            "cuont",
        ),
        (
            "planar = true",
            "planar = true\ncoordinates = \"relative\"\n[repeat.more]\ncount = 2\n[repeat.more.coordinates]\nz = 0",
            "says in a word which coordinates",
            "coordinates",
        ),
        ("mass = 1.5", "mas = 1.5", "no key `mas`", "mas"),
        ("{i} + 0.5", "{i} + ", "has nothing on its right", "+"),
        (
            "[joint.hinge0]",
            "[body.link3]\nmass = 1\n[joint.hinge0]",
            "`link3`",
            "",
        ),
    ] {
        let text = text.replacen(from, to, 1);
        let errors = read(&text).unwrap_err();
        let found: Vec<_> = errors
            .iter()
            .filter(|it| it.message.contains(wanted))
            .collect();
        assert_eq!(found.len(), 1, "{to}: {errors:#?}");
        // What a family did not write is not missed elsewhere.
        let of_family = ["is no index", "`count`", "whole number", "cuont"];
        if of_family.iter().any(|it| wanted.contains(it)) {
            assert_eq!(errors.len(), 1, "{to}: {errors:#?}");
        }
        if !at.is_empty() {
            let place = format!("{:?}", found[0].place);
            let here = text.match_indices(at);
            let mut here = here.map(|(start, it)| format!("File({start}..{})", start + it.len()));
            assert!(here.any(|it| it == place), "{to}: {place}");
        }
    }
}
