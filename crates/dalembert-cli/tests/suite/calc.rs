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
    assert_eq!(printed(&["cross([0, 0, 2], [3, 0, 0]).y"]), "6");
}

#[test]
fn derivatives_follow_each_other() {
    assert_eq!(printed(&["x^3", "--diff", "x", "--diff", "x"]), "6 x");
    assert_eq!(
        printed(&["m*x'^2/2", "--moving", "x", "--diff", "x'", "--diff", "t"]),
        "m x''"
    );
    assert_eq!(printed(&["t^2", "--diff", "t"]), "2 t");
}

#[test]
fn values_are_put_in_after_differentiating() {
    assert_eq!(printed(&["x^2", "--diff", "x", "--set", "x=3"]), "6");
    assert_eq!(
        printed(&["x'*y", "--set", "x' = y", "--set", "y=2 + 1"]),
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

/// Definitions are in the format asked for, too.
#[test]
fn shorthands_are_valid_in_their_format() {
    let deep = format!("{}x{}", "sin(exp(".repeat(12), "))".repeat(12));
    let long = |format| {
        let by = ["--diff", "x"].repeat(4);
        printed(&[&[deep.as_str(), "--format", format], by.as_slice()].concat())
    };
    assert!(long("c").starts_with("const double s1 = "));
    assert!(long("python").starts_with("s1 = "));
    let latex = long("latex");
    assert!(latex.starts_with("\\begin{aligned}") && latex.ends_with("\\end{aligned}"));
    let element = |line: &str| line.starts_with("<math ") && line.ends_with("</math>");
    assert!(long("mathml").lines().all(element));
}

#[test]
fn json_tells_how_programs_call_things() {
    let ran = run(&["calc", "I*x'", "--format", "sympy", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let names = serde_json::json!({ "I": "I_", "x'": "Derivative(x(t), t)" });
    assert_eq!(json["names"], names);
    let ran = run(&["calc", "I*x", "--format", "c", "--json"]);
    assert!(!ran.out.contains("\"names\""));
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

/// What is beyond the range of doubles is neither zero nor infinite; beside something ordinary it does not count.
#[test]
fn underflow_is_not_zero_and_overflow_not_infinite() {
    for (text, part, size) in [
        ("(2/3)^100000", "(2/3)^100000", "small"),
        ("(3/2)^100000", "(3/2)^100000", "large"),
        ("1e-200*1e-200", "1/10^400", "small"),
        ("sign(exp(-1000))", "exp(-1000)", "small"),
        ("cos(exp(-1000)*exp(500)*exp(600))", "exp(-1000)", "small"),
        ("exp(-1000)/exp(-1001)", "exp(-1000)", "small"),
        ("1/exp(1000)", "exp(1000)", "large"),
        ("1e200*sqrt(2)*1e200", "", "large"),
    ] {
        let ran = run(&["calc", text]);
        let said = format!("`{part}` is too {size}");
        assert!(
            ran.err.contains(said.trim_start_matches("``")),
            "{text}: {}",
            ran.err
        );
        assert_eq!(
            (ran.code, ran.out.contains('=')),
            (0, false),
            "{text}: {}",
            ran.out
        );
        let found: serde_json::Value =
            serde_json::from_str(&run(&["calc", text, "--json"]).out).expect("one document");
        assert!(found["value"].is_null() && found["warnings"][0]["code"] == "W0902");
    }
    for (text, value) in [
        ("1 - exp(-1000)", 1.0),
        ("cos(exp(-1000))", 1.0),
        ("0*exp(-1)", 0.0),
        ("tanh(1000)", 1.0),
        ("sin(0)*exp(700)", 0.0),
    ] {
        let ran = run(&["calc", text, "--json"]);
        let found: serde_json::Value = serde_json::from_str(&ran.out).expect("one document");
        assert_eq!(
            (found["value"].as_f64(), ran.err.as_str()),
            (Some(value), ""),
            "{text}"
        );
    }
}

#[test]
fn json_is_one_document_on_success_and_on_failure() {
    let ran = run(&["calc", "x/2", "--diff", "x", "--json"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!("json", ran.out);
    let ran = run(&["calc", "x +\n 2 y", "--json"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!("json_error", ran.out);
    let ran = run(&["calc", "x", "--set", "x", "--json"]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains(r#""status": "error""#), "{}", ran.out);
    let ran = run(&["calc", "x'*y", "--diff", "t", "--json"]);
    assert_snapshot!("json_warning", ran.out);
    let ran = run(&["calc", "x +\n 2 y", "--json"]);
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
        &["calc", "x", "--set", "=1"],
        &["calc", "x^2", "+", "y^2"],
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

/// The warnings of a run that succeeds, and its result.
fn warned(arguments: &[&str]) -> (String, String) {
    let ran = run(&[&["calc"], arguments].concat());
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
    (ran.out.trim_end().to_owned(), ran.err)
}

#[test]
fn names_that_do_not_move_are_named() {
    let (out, err) = warned(&["m*g*y", "--diff", "t"]);
    assert_eq!(out, "0");
    assert_snapshot!("nothing_moves", err);
    let (out, err) = warned(&["m*x'^2/2 + m*g*y", "--diff", "t"]);
    assert_eq!(out, "m x' x''");
    assert_snapshot!("some_do_not_move", err);
    // Said once, and not to those who say what moves.
    let (_, err) = warned(&["x'*y", "--diff", "t", "--diff", "t"]);
    assert_eq!(err.matches("W0903").count(), 1, "{err}");
    for moving in ["y", "y'", "y,y"] {
        let arguments = ["m*g*y", "--diff", "t", "--moving", moving];
        assert_eq!(printed(&arguments), "m g y'");
    }
    let (_, err) = warned(&["m*y", "--diff", "t", "--moving", "y,z"]);
    assert!(err.contains("W0906") && err.contains("`z`"), "{err}");
    for moving in ["t", "sin", "2*x"] {
        assert!(
            refused(&["x", "--moving", moving]).contains("E0901"),
            "{moving}"
        );
    }
}

#[test]
fn setting_a_name_leaves_its_rate_free() {
    let (out, err) = warned(&["x*x'", "--set", "x=2"]);
    assert_eq!(out, "2 x'");
    assert!(
        err.contains("W0904") && err.contains(r#"--set "x'=0""#),
        "{err}"
    );
    assert_eq!(printed(&["x*x'", "--set", "x=2", "--set", "x'=3"]), "6");
}

#[test]
fn names_that_look_like_something_else_are_pointed_out() {
    for (source, help) in [
        ("e^x", "Euler's number is exp(1)"),
        ("2*PI", "written pi"),
        ("Pi", "written pi"),
        ("m*xdot", "x' or x_dot"),
        ("thetaddot", "theta'' or theta_ddot"),
    ] {
        let (_, err) = warned(&[source]);
        assert!(
            err.contains("W0905") && err.contains(help),
            "{source}: {err}"
        );
    }
    assert_eq!(printed(&["e^2", "--set", "e=0.5"]), "¼ = 0.25");
    for source in ["dx/dt", "e*a", "x_dot", "dot"] {
        printed(&[source]);
    }
    for (source, help) in [
        ("math.pi", "write pi"),
        ("np.sin(x)", "write sin(x)"),
        ("x.dot", "write x'"),
        ("link.x", "write link_x"),
        ("[1, 2, 3]", ".x, .y or .z"),
        ("[1, 2, 3].w", "a vector has .x, .y and .z"),
        ("inf", "finite"),
        ("2*NaN", "finite"),
        ("x(t)", "x' for its derivative"),
        ("diff(x, t)", "write x'"),
        ("3 kg", "only rad and deg are units here"),
        ("45 degrees", "write 45 deg"),
    ] {
        let err = refused(&[source]);
        assert!(err.contains(help), "{source}: {err}");
        assert_eq!(err.matches("error[").count(), 1, "{source}: {err}");
    }
}

#[test]
fn mistakes_of_form_do_not_hide_those_of_meaning() {
    assert_snapshot!("form_and_meaning", refused(&["x + 2y + sin(z"]));
}

#[test]
fn options_say_where_their_mistakes_are() {
    assert_snapshot!(
        "second_setting",
        refused(&["x*y", "--set", "x=1", "--set", "y=2 z"])
    );
    let err = refused(&["x^2", "--diff", "x,x"]);
    assert!(err.contains("--diff x --diff x"), "{err}");
    let err = run(&["calc", "x", "--set", "=1"]).err;
    assert!(err.contains("the name is missing"), "{err}");
    let err = run(&["calc", "x^2", "+", "y^2"]).err;
    assert!(
        err.contains(r#"quote the expression, as in dalembert calc "x^2 + y^2""#),
        "{err}"
    );
}

#[test]
fn tex_is_latex() {
    let latex = printed(&["1/x", "--format", "latex"]);
    assert_eq!(printed(&["1/x", "--format", "tex"]), latex);
}

#[test]
fn input_that_is_no_text_is_refused() {
    let ran = run_with_bytes(&["calc", "-"], b"x + \xff");
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert!(ran.err.contains("not UTF-8"), "{}", ran.err);
}

fn run_with_bytes(arguments: &[&str], input: &[u8]) -> crate::Ran {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    let output = child.wait_with_output().expect("the command ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    crate::Ran {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code().unwrap_or(-1),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .args(["calc", "x"])
        .stdout(full)
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("cannot write the result"), "{err}");
}
