//! Every kind of mistake, with its message and its place.

use dalembert_expr::syntax::{
    CODES, ExpressionError, MAX_LENGTH, nearest, parse_expression, parse_value,
};

fn errors(source: &str) -> Vec<ExpressionError> {
    parse_expression(source).expect_err(source)
}

/// Code, text at the span and message of every error.
fn summary(source: &str) -> Vec<(&'static str, usize, &str, String)> {
    let line = |e: ExpressionError| {
        (
            e.code,
            e.span.start as usize,
            e.span.text(source),
            e.message,
        )
    };
    errors(source).into_iter().map(line).collect()
}

/// Source, code, offset, text at the span, message, help.
type Case = (
    &'static str,
    &'static str,
    usize,
    &'static str,
    &'static str,
    &'static str,
);

#[rustfmt::skip] // One line for each case.
const SINGLE: &[Case] = &[
    ("", "E0101", 0, "", "the expression is empty", "write a formula"),
    ("  ", "E0101", 0, "  ", "the expression is empty", "write a formula"),
    ("a $ b", "E0103", 2, "$", "`$` has no meaning here", ""),
    ("2 && 3", "E0103", 2, "&&", "`&&` has no meaning here", "write one condition"),
    ("$", "E0103", 0, "$", "`$` has no meaning here", ""),
    ("a + $", "E0103", 4, "$", "`$` has no meaning here", ""),
    ("$a", "E0103", 0, "$", "`$` has no meaning here", ""),
    ("[1; 2]", "E0103", 2, ";", "`;` has no meaning here", "separate elements by commas"),
    ("x\0", "E0103", 1, "\0", "the character U+0000 has no meaning here", ""),
    ("m*θ'", "E0104", 2, "θ", "`θ` (U+03B8) is not ASCII", "write theta"),
    ("x_α1 + 2", "E0104", 2, "α", "`α` (U+03B1) is not ASCII", "write alpha"),
    ("1 − x", "E0104", 2, "−", "`−` (U+2212) is not ASCII", "write -"),
    ("2×x", "E0104", 1, "×", "`×` (U+00D7) is not ASCII", "write *"),
    ("2·x", "E0104", 1, "·", "`·` (U+00B7) is not ASCII", "write *"),
    ("x² + y", "E0104", 1, "²", "`²` (U+00B2) is not ASCII", "write ^2"),
    ("x³", "E0104", 1, "³", "`³` (U+00B3) is not ASCII", "write ^3"),
    ("x′′", "E0104", 1, "′′", "`′′` (U+2032) is not ASCII", "write '"),
    ("x’ + 1", "E0104", 1, "’", "`’` (U+2019) is not ASCII", "write '"),
    ("30° + x", "E0104", 2, "°", "`°` (U+00B0) is not ASCII", "write deg"),
    ("y ≤ 0", "E0104", 2, "≤", "`≤` (U+2264) is not ASCII", "write <="),
    ("1\u{a0}+ x", "E0104", 1, "\u{a0}", "the character (U+00A0) is not ASCII", "write an ordinary space"),
    ("x + 日", "E0104", 4, "日", "`日` (U+65E5) is not ASCII", "names consist of the letters a-z A-Z, digits and _"),
    ("x + ☃", "E0104", 4, "☃", "`☃` (U+2603) is not ASCII", "names consist of the letters a-z A-Z, digits and _"),
    ("1.2.3", "E0105", 0, "1.2.3", "`1.2.3` is not a number", "write digits with at most one decimal point between them"),
    ("1_000*x", "E0105", 0, "1_000", "`1_000` is not a number", "write digits with at most one decimal point between them"),
    ("2 + 1e999", "E0106", 4, "1e999", "`1e999` is beyond the range of numbers", "choose other units"),
    ("f(\"P)", "E0107", 2, "\"", "the text is never closed", "write the `\"` that closes it"),
    ("a ** b", "E0108", 2, "**", "`**` is not an operator", "write ^"),
    ("a == b", "E0108", 2, "==", "`==` is not an operator", "write ="),
    ("a != b", "E0108", 2, "!=", "`!=` is not an operator", "a condition compares by < > <= or >="),
    ("a <> b", "E0108", 2, "<>", "`<>` is not an operator", "a condition compares by < > <= or >="),
    ("a =< b", "E0108", 2, "=<", "`=<` is not an operator", "write <="),
    ("a => b", "E0108", 2, "=>", "`=>` is not an operator", "write >="),
    ("2*(a + b", "E0109", 2, "(", "`(` is never closed", "write the `)` that closes it"),
    ("sin(", "E0109", 3, "(", "`(` is never closed", "write the `)` that closes it"),
    ("(", "E0109", 0, "(", "`(` is never closed", "write the `)` that closes it"),
    ("[(a, b, 0]", "E0109", 1, "(", "`(` is never closed", "write the `)` that closes it"),
    ("a + b)*c", "E0110", 5, ")", "`)` closes nothing", "remove it, or write the `(` that it closes"),
    ("[x, y, 0)", "E0111", 8, ")", "`)` does not close `[`", "write `]`"),
    ("f(a] + b)", "E0111", 3, "]", "`]` does not close `(`", "write `)`"),
    ("a + ", "E0112", 2, "+", "`+` has nothing on its right", "write an operand after it"),
    ("a + * b", "E0112", 2, "+", "`+` has nothing on its right", "write an operand after it"),
    ("* b", "E0112", 0, "*", "`*` has nothing on its left", "write an operand before it"),
    ("x = ", "E0112", 2, "=", "`=` has nothing on its right", "write an operand after it"),
    ("= x", "E0112", 0, "=", "`=` has nothing on its left", "write an operand before it"),
    ("(a -)", "E0112", 3, "-", "`-` has nothing on its right", "write an operand after it"),
    ("2*-", "E0112", 2, "-", "`-` has nothing on its right", "write an operand after it"),
    (".x", "E0112", 0, ".", "`.` has nothing on its left", "write an operand before it"),
    ("2 sin(x)", "E0113", 2, "sin(x)", "an operator is missing before `sin(x)`", "there is no implicit multiplication: write 2*sin(x)"),
    ("-2 (x)", "E0113", 3, "(x)", "an operator is missing before `(x)`", "there is no implicit multiplication: write -2*(x)"),
    ("2 [x]", "E0113", 2, "[x]", "an operator is missing before `[x]`", "there is no implicit multiplication: write 2*[x]"),
    ("2 x'", "E0113", 2, "x'", "an operator is missing before `x'`", "there is no implicit multiplication: write 2*x'"),
    ("2 v.x", "E0113", 2, "v.x", "an operator is missing before `v.x`", "there is no implicit multiplication: write 2*v.x"),
    ("x 2", "E0113", 2, "2", "an operator is missing before `2`", "there is no implicit multiplication: write x*2"),
    ("x .5", "E0113", 2, ".5", "an operator is missing before `.5`", "there is no implicit multiplication: write x*.5"),
    ("x^2 y", "E0113", 4, "y", "an operator is missing before `y`", "there is no implicit multiplication: write x^2*y"),
    ("(a) (b)", "E0113", 4, "(b)", "an operator is missing before `(b)`", "there is no implicit multiplication: write (a)*(b)"),
    ("30 deg x", "E0113", 7, "x", "an operator is missing before `x`", "there is no implicit multiplication: write 30 deg*x"),
    ("[a] x", "E0113", 4, "x", "an operator is missing before `x`", "there is no implicit multiplication: write [a]*x"),
    ("[2 (x), 0]", "E0113", 3, "(x)", "an operator is missing before `(x)`", "there is no implicit multiplication: write 2*(x)"),
    ("5 1/s", "E0113", 2, "1", "an operator is missing before `1`", "there is no implicit multiplication: write 5 s^-1 for a number with a unit"),
    ("[1 2]", "E0114", 3, "2", "a comma is missing before `2`", "separate elements and arguments by commas"),
    ("[[1] [2]]", "E0114", 5, "[", "a comma is missing before `[`", "separate elements and arguments by commas"),
    ("vel(disk at = r)", "E0114", 9, "at", "a comma is missing before `at`", "separate elements and arguments by commas"),
    ("f(2 at = r)", "E0114", 4, "at", "a comma is missing before `at`", "separate elements and arguments by commas"),
    ("f(a \"P\")", "E0114", 4, "\"P\"", "a comma is missing before `\"P\"`", "separate elements and arguments by commas"),
    ("(a, b, c)", "E0115", 2, ",", "the comma separates nothing", "write vectors in square brackets, and decimals with a point"),
    ("1,5", "E0115", 1, ",", "the comma separates nothing", "write vectors in square brackets, and decimals with a point"),
    (",", "E0115", 0, ",", "the comma separates nothing", "write vectors in square brackets, and decimals with a point"),
    ("2*()", "E0116", 2, "()", "the parentheses are empty", "write an expression in them"),
    ("[ ]", "E0116", 0, "[ ]", "the vector is empty", "write its elements: [a, b, c]"),
    ("[a, , b]", "E0117", 4, ",", "an element of the vector is missing", "write it, or remove the comma"),
    ("[a, ]", "E0117", 4, "]", "an element of the vector is missing", "write it, or remove the comma"),
    ("f(, a)", "E0117", 2, ",", "an argument of `f` is missing", "write it, or remove the comma"),
    ("f(a,)", "E0117", 4, ")", "an argument of `f` is missing", "write it, or remove the comma"),
    ("f(at = )", "E0117", 2, "at", "the argument `at` has no value", "write its value after the ="),
    ("f(at = , b = 2)", "E0117", 2, "at", "the argument `at` has no value", "write its value after the ="),
    ("f(at = a, b + 1)", "E0118", 10, "b + 1", "an argument without a name follows one with a name", "write the arguments without a name first"),
    ("f(a = 1, b = 2, a = 3)", "E0119", 16, "a", "the argument `a` is given twice", "remove one of the two"),
    ("sin(x)'", "E0120", 6, "'", "only names take primes", "write the primes directly after each name"),
    ("(x + y)''", "E0120", 7, "''", "only names take primes", "write the primes directly after each name"),
    ("f('P)", "E0120", 2, "'", "the prime follows no name", "write primes after the name, and texts in double quotes"),
    ("x''''''''''", "E0121", 0, "x''''''''''", "`x` is differentiated 10 times", "write at most 9 primes"),
    ("x_ddot''''''''", "E0121", 0, "x_ddot''''''''", "`x` is differentiated 10 times", "write at most 9 primes"),
    ("disk. + 1", "E0122", 4, ".", "no name follows the dot", "write a member such as .x or .center"),
    ("(a = b)*c", "E0123", 3, "=", "`=` stands inside brackets", "an equation or condition stands by itself, outside of all brackets, or first in if(condition, a, b)"),
    ("f(2*a < b)", "E0123", 6, "<", "`<` stands inside brackets", "an equation or condition stands by itself, outside of all brackets, or first in if(condition, a, b)"),
    ("f(x' = b)", "E0123", 5, "=", "`=` stands inside brackets", "an equation or condition stands by itself, outside of all brackets, or first in if(condition, a, b)"),
    ("0 < x < 1", "E0124", 6, "<", "`<` would give a third side", "join two comparisons by and: x > 1 and x < 2"),
    ("a = b = c", "E0124", 6, "=", "`=` would give a third side", "write two equations"),
    ("2*(x > 1)", "E0123", 2, "(x > 1)", "`(x > 1)` has no value", "a condition holds or does not; write if(condition, 1, 0) for a number"),
    ("x and y > 2", "E0127", 0, "x", "`x` is no comparison, and `and` is about comparisons", "write what is compared on both sides: x > 1 and x < 2"),
    ("x > 1 or", "E0112", 6, "or", "`or` has nothing on its right", "write an operand after it"),
    ("not x", "E0127", 4, "x", "`x` is no comparison, and `not` is about comparisons", "write what is compared on both sides: x > 1 and x < 2"),
    ("x = 1 and y > 1", "E0127", 0, "x = 1", "`x = 1` is no comparison, and `and` is about comparisons", "write what is compared on both sides: x > 1 and x < 2"),
    ("3 m^x", "E0125", 3, "^", "the power of the unit `m` is not a whole number", "put the quantity in parentheses to raise all of it to a power"),
    ("3 m^2.5", "E0125", 3, "^", "the power of the unit `m` is not a whole number", "put the quantity in parentheses to raise all of it to a power"),
    ("3 m^2^2", "E0125", 3, "^", "the power of the unit `m` is not a whole number", "put the quantity in parentheses to raise all of it to a power"),
    ("3 m^99999999999", "E0125", 3, "^", "the power of the unit `m` is not a whole number", "put the quantity in parentheses to raise all of it to a power"),
    ("math.sin(x)", "E0126", 0, "math.sin", "`math.sin` is not a function", "write sin(x)"),
    ("2*np.arctan2(y, x + 1)", "E0126", 2, "np.arctan2", "`np.arctan2` is not a function", "write atan2(y, x + 1)"),
    ("x.diff(t)", "E0126", 0, "x.diff", "`x.diff` is not a function", "write x'"),
    ("x.sin() + 1", "E0126", 0, "x.sin", "`x.sin` is not a function", "write sin(x)"),
    ("f(x).g(y)", "E0126", 0, "f(x).g", "`f(x).g` is not a function", "call functions by their name alone, such as sin(x)"),
    // What papers and other programs write.
    ("sin^2(x)", "E0113", 0, "sin^2", "`sin^2` is not a function", "write sin(x)^2"),
    ("2*cos^2(a + b) - 1", "E0113", 2, "cos^2", "`cos^2` is not a function", "write cos(a + b)^2"),
    ("tan^-1(x)", "E0113", 0, "tan^-1", "`tan^-1` is not a function", "write atan(x) for the inverse function, 1/tan(x) for the reciprocal"),
    ("sin 2*x + 1", "E0113", 0, "sin 2", "`sin` stands without parentheses", "write sin(2*x)"),
    ("sin²(x)", "E0104", 3, "²", "`²` (U+00B2) is not ASCII", "write sin(x)^2"),
    ("x⁻¹⁰", "E0104", 1, "⁻¹⁰", "`⁻¹⁰` (U+207B) is not ASCII", "write ^-10"),
    ("theta'_1 + x", "E0120", 6, "_1", "`_1` stands after the prime", "write theta_1'"),
    ("\\dot{x}^2", "E0103", 0, "\\dot{x}", "`\\dot{x}` is LaTeX", "write x'"),
    ("\\ddot{x}", "E0103", 0, "\\ddot{x}", "`\\ddot{x}` is LaTeX", "write x''"),
    ("\\frac{1}{2}*m", "E0103", 0, "\\frac{1}{2}", "`\\frac{1}{2}` is LaTeX", "write (1)/(2)"),
    ("\\frac{\\pi}{2}", "E0103", 0, "\\frac{\\pi}{2}", "`\\frac{\\pi}{2}` is LaTeX", "write (x)/(2)"),
    ("2*\\theta", "E0103", 2, "\\theta", "`\\theta` is LaTeX", "write theta"),
    ("a \\cdot b", "E0103", 2, "\\cdot", "`\\cdot` is LaTeX", "write *"),
    ("\\left(x)", "E0103", 0, "\\left", "`\\left` is LaTeX", "write the brackets alone"),
    ("x_{1} + 2", "E0103", 0, "x_{1}", "`x_{1}` is LaTeX", "write x_1"),
    ("x^{2}", "E0103", 2, "{", "`{` has no meaning here", "group with ( ) and write vectors with [ ]"),
    ("|x - 1|*2", "E0103", 0, "|", "`|` has no meaning here", "write abs(x - 1), or norm(x - 1) of a vector"),
    ("θ₁'", "E0104", 0, "θ₁", "`θ₁` is not ASCII", "write theta_1"),
    ("2*x₁₂", "E0104", 2, "x₁₂", "`x₁₂` is not ASCII", "write x_12"),
    ("\u{1d703} + 1", "E0104", 0, "\u{1d703}", "`\u{1d703}` (U+1D703) is not ASCII", "write theta"),
    ("\u{1d465}", "E0104", 0, "\u{1d465}", "`\u{1d465}` (U+1D465) is not ASCII", "write x"),
    ("ẋ^2", "E0104", 0, "ẋ", "`ẋ` (U+1E8B) is not ASCII", "write x'"),
];

#[test]
fn one_mistake_gives_one_error() {
    for &(source, code, start, text, message, help) in SINGLE {
        assert_eq!(
            summary(source),
            [(code, start, text, message.to_owned())],
            "{source}"
        );
        assert_eq!(
            errors(source)[0].help.as_deref().unwrap_or_default(),
            help,
            "{source}"
        );
        assert_eq!(parse_value(source), parse_expression(source), "{source}");
    }
}

#[test]
fn every_code_is_listed_once_and_tested() {
    for pair in CODES.windows(2) {
        assert!(pair[0].0 < pair[1].0, "{} is out of order", pair[1].0);
    }
    for (code, explanation) in CODES {
        // The text that is too long is in a test of its own; E02xx are mistakes of meaning, tested with models.
        let elsewhere = *code == "E0102" || code.starts_with("E02");
        assert!(
            elsewhere || SINGLE.iter().any(|case| case.1 == *code),
            "{code}"
        );
        assert!(explanation.ends_with('.'), "{code}");
    }
    assert!(
        SINGLE
            .iter()
            .all(|case| CODES.iter().any(|(code, _)| *code == case.1))
    );
}

#[test]
fn several_mistakes_are_reported_at_once_in_order() {
    let several: &[(&str, &[(&str, usize)])] = &[
        ("2 sin(x) + ", &[("E0113", 2), ("E0112", 9)]),
        (
            "θ + [1, , 2] + 3 == φ",
            &[("E0104", 0), ("E0117", 9), ("E0108", 18), ("E0104", 21)],
        ),
        ("f(a = 1, a = , 2)", &[("E0117", 9), ("E0118", 15)]),
        (
            "(a + ]) * b) $ c",
            &[("E0112", 3), ("E0111", 5), ("E0110", 11), ("E0103", 13)],
        ),
        (
            "[1 2, (), x'' '] = y = z",
            &[("E0114", 3), ("E0116", 6), ("E0120", 14), ("E0124", 21)],
        ),
        ("((a + b) (c + d", &[("E0109", 0), ("E0109", 9)]),
        ("f(“P”)", &[("E0104", 2), ("E0104", 6)]),
        ("2*(x +", &[("E0109", 2), ("E0112", 5)]),
    ];
    for (source, expected) in several {
        let found: Vec<(&str, usize)> = errors(source)
            .iter()
            .map(|e| (e.code, e.span.start as usize))
            .collect();
        assert_eq!(found, *expected, "{source}: {:?}", errors(source));
    }
}

#[test]
fn reading_stops_after_twenty_errors() {
    assert_eq!(errors(&"$ + ".repeat(1000)).len(), 20);
    assert_eq!(errors(&"2 (x) + ".repeat(1000)).len(), 20);
    assert_eq!(errors(&"(".repeat(1000)).len(), 20);
    assert_eq!(errors(&"]".repeat(1000)).len(), 20);
}

#[test]
fn overlong_text_is_refused() {
    let long = "x".repeat(MAX_LENGTH + 1);
    let errors = parse_value(&long).unwrap_err();
    assert_eq!(errors[0].code, "E0102");
    assert_eq!(errors[0].message, "the expression is 16777217 bytes long");
    assert!(parse_value(&long[1..]).is_ok());
}

#[test]
fn long_pieces_of_text_are_shortened_in_messages() {
    let name = "a".repeat(1000);
    let errors = errors(&format!("2 {name}(x)"));
    assert!(errors[0].message.len() < 100, "{}", errors[0].message);
    let help = "there is no implicit multiplication: write * between the two";
    assert_eq!(errors[0].help.as_deref(), Some(help));
    assert_eq!(nearest(&name, [name.as_str()]), None);
}

#[test]
fn too_many_digits_are_refused() {
    let digits = format!("{}.5", "7".repeat(2000));
    assert_eq!(errors(&digits)[0].code, "E0106");
    let message = &errors(&digits)[0].message;
    assert!(message.ends_with("has too many digits"), "{message}");
}
