//! Names that are nearly right.

use dalembert_expr::syntax::nearest;

#[test]
fn nearest_forgives_in_proportion_to_length() {
    for (name, candidates, expected) in [
        ("thta", &["phi", "theta", "psi"][..], Some("theta")),
        ("Theta", &["phi", "theta"], Some("theta")),
        ("stifness", &["stiffness", "damping"], Some("stiffness")),
        ("coeficeint", &["coefficient"], Some("coefficient")),
        ("x", &["y", "z"], None),
        ("R", &["q", "r"], Some("r")),
        ("x", &["x1"], Some("x1")),
        ("ab", &["xy", "xb"], Some("xb")),
        ("psi", &["xyz"], None),
        ("mass", &[], None),
        ("", &["a"], None),
        ("a", &[""], None),
    ] {
        assert_eq!(
            nearest(name, candidates.iter().copied()),
            expected,
            "{name}"
        );
    }
}

#[test]
fn ties_go_to_the_first_candidate() {
    assert_eq!(nearest("x3", ["x1", "x2"]), Some("x1"));
    assert_eq!(nearest("x3", ["x2", "x1"]), Some("x2"));
    assert_eq!(nearest("X1", ["x2", "x1"]), Some("x1"));
}

#[test]
fn absurdly_long_names_are_left_alone() {
    let long = "a".repeat(1 << 20);
    assert_eq!(nearest(&long, [long.as_str(), "a"]), None);
    assert_eq!(nearest("a", [long.as_str(), "ab"]), Some("ab"));
}
