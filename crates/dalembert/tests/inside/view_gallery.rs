use super::{OTHERS, PAPERS, listed, work};
use crate::Model;

#[test]
fn works_are_named_alone() {
    let known = [
        (
            "J. Angeles (1983), section 1.5. It counts.",
            "J. Angeles (1983), section 1.5",
        ),
        (
            "A. Kalaba (2005), eqs (22)-(32). The work",
            "A. Kalaba (2005), eqs (22)-(32)",
        ),
        (
            "J. P. M., Proc. R. Soc. A 463 (2007) 1955-1982, Table 1. Their z",
            "J. P. M., Proc. R. Soc. A 463 (2007) 1955-1982, Table 1",
        ),
        ("any textbook", "any textbook"),
    ];
    for (citation, wanted) in known {
        assert_eq!(work(citation), wanted);
    }
    assert!(listed().iter().any(|it| it.group == PAPERS));
}

#[test]
fn every_model_is_listed_with_words() {
    let list = listed();
    for name in Model::gallery_names() {
        let found = list.iter().find(|it| it.name == name);
        let found = found.unwrap_or_else(|| panic!("{name} is not listed"));
        assert!(found.group != OTHERS && !found.about.is_empty(), "{name}");
        assert!(!found.witness.is_empty(), "{name}");
    }
    let elliptic = list.iter().find(|it| it.name == "pendulum-iftomm-a01");
    assert!(elliptic.is_some_and(|it| it.witness.contains("t | 1/2)")));
}
