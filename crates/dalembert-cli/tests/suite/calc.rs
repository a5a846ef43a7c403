//! `dalembert calc`.

use crate::{run, run_with_input};
use insta::assert_snapshot;

fn printed(arguments: &[&str]) -> String {
    let ran = run(&[&["calc"], arguments].concat());
    assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{arguments:?}");
    ran.out.trim_end().to_owned()
}

fn refused(arguments: &[&str]) -> String {
    let ran = run(&[&["calc"], arguments].concat());
    assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{arguments:?}");
    ran.err.trim_end().to_owned()
}

#[test]
fn values_are_exact_and_shown_in_decimals() {
    assert_eq!(printed(&["0.1 + 0.2"]), "0.3");
    assert_eq!(printed(&["sin(30 deg)"]), "½ = 0.5");
    assert_eq!(printed(&["2^0.5"]), "√2 = 1.4142135623730951");
    assert_eq!(printed(&["-2^2"]), "-4");
    assert_eq!(printed(&["10^20"]), "10²⁰ = 1e20");
}

#[test]
fn derivatives_follow_each_other() {
    assert_eq!(printed(&["x^3", "--diff", "x", "--diff", "x"]), "6 x");
    assert_eq!(
        printed(&["m*x'^2/2", "--diff", "x'", "--diff", "t"]),
        "m x''"
    );
    assert_eq!(printed(&["x*t", "--diff", "t"]), "x");
    assert_eq!(
        printed(&["link.x'*link.x", "--diff", "t", "--format", "model"]),
        "link.x''*link.x + link.x'^2"
    );
}

#[test]
fn values_are_put_in_after_differentiating() {
    assert_eq!(printed(&["x^2", "--diff", "x", "--set", "x=3"]), "6");
    assert_eq!(
        printed(&["x'*y", "--set", "x'=y", "--set", "y=2 + 1"]),
        "3 y"
    );
    assert_eq!(printed(&["sin(a)", "--set", "a=-90 deg"]), "-1");
}

#[test]
fn every_format_prints() {
    let formula = "m/2*(x'^2 + y'^2)*theta1";
    let all: Vec<String> = [
        "model", "text", "latex", "typst", "mathml", "c", "python", "sympy",
    ]
    .map(|format| printed(&[formula, "--format", format]))
    .into();
    assert_snapshot!("formats", all.join("\n"));
    assert_eq!(printed(&["x'", "--derivatives", "dots"]), "x\u{307}");
    assert_eq!(
        printed(&["x'", "--format", "latex", "--derivatives", "primes"]),
        "x'"
    );
}

#[test]
fn long_results_are_printed_with_shorthands() {
    // Each derivative of the product doubles the tree, not the graph.
    let deep = format!("{}x{}", "sin(exp(".repeat(12), "))".repeat(12));
    let arguments: Vec<&str> = [deep.as_str()]
        .into_iter()
        .chain(["--diff", "x"].repeat(4))
        .collect();
    let text = printed(&arguments);
    assert!(
        text.starts_with("s1 = ") || text.starts_with("s₁ = "),
        "{}",
        &text[..80]
    );
    assert!(text.len() < 200_000, "{}", text.len());
}

#[test]
fn mistakes_are_shown_with_place_and_cure() {
    assert_snapshot!("side_by_side", refused(&["2 x + sin y"]));
    assert_snapshot!("open_bracket", refused(&["(a + b"]));
    assert_snapshot!(
        "two_arguments",
        refused(&["x", "--set", "x=2*", "--diff", "2"])
    );
    assert_snapshot!("unknown_setting", refused(&["x", "--set", "y=1"]));
    assert_snapshot!("no_derivative", refused(&["m'*pi'"]));
}

#[test]
fn warnings_do_not_fail() {
    let ran = run(&["calc", "x", "--diff", "y"]);
    assert_eq!((ran.out.trim_end(), ran.code), ("0", 0));
    assert!(ran.err.starts_with("warning[W0901]"), "{}", ran.err);
    let ran = run(&["calc", "1/0"]);
    assert_eq!((ran.out.trim_end(), ran.code), ("1/0 = inf", 0));
    assert!(ran.err.starts_with("warning[W0902]"), "{}", ran.err);
}

#[test]
fn json_is_one_document_on_success_and_on_failure() {
    let ran = run(&["calc", "x/2", "--diff", "x", "--json"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!("json", ran.out);
    let ran = run(&["calc", "x +\n 2 y", "--json"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!("json_error", ran.out);
    assert!(
        ran.err.contains("E0207"),
        "the readable form still goes to standard error"
    );
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [
        &["calc"][..],
        &["calc", "x", "--set", "x"],
        &["calc", "x", "--format", "word"],
        &["calc", "--simplfy", "x"],
        &["frobnicate"],
        &[],
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!ran.err.is_empty());
    }
    assert!(run(&["calc", "--simplfy", "x"]).err.contains("--simplify"));
}

#[test]
fn standard_input_and_a_leading_minus_are_read() {
    let ran = run_with_input(&["calc", "-"], "x\n+ x\n");
    assert_eq!((ran.out.trim_end(), ran.code), ("2 x", 0));
    assert_eq!(printed(&["-x", "--simplify"]), "-x");
    assert!(refused(&["-(x"]).contains("EXPR:1:2"));
}

#[test]
fn colours_are_asked_for() {
    let plain = run(&["calc", "(", "--color", "never"]);
    let styled = run(&["calc", "(", "--color", "always"]);
    assert!(!plain.err.contains('\u{1b}') && styled.err.contains('\u{1b}'));
    assert!(
        !run(&["calc", "("]).err.contains('\u{1b}'),
        "not a terminal"
    );
}

#[test]
fn long_lines_are_cut_around_the_mistake() {
    let long = format!("{} + $ + {}", "a".repeat(5000), "b".repeat(5000));
    let message = refused(&[&long]);
    assert!(message.len() < 800, "{message}");
    assert!(
        message.contains("… + $ + …") || message.contains(" + $ + "),
        "{message}"
    );
}
