//! Text of SymPy in the language of models.

use dalembert_expr::syntax::{SympyNames, from_sympy, parse_expression};

fn text(source: &str) -> String {
    let mut names = SympyNames::default();
    names.add("lambda(contact.0)");
    let read = from_sympy(source, &names).unwrap();
    assert!(parse_expression(&read.text).is_ok(), "{}", read.text);
    read.text
}

#[test]
fn what_sympy_prints_is_said_in_the_language_of_models() {
    let same = [
        ("m*x(t)**2/2", "m*x^2/2"),
        (
            "-Derivative(x(t), t) + Derivative(x(t), (t, 2))",
            "-x' + x''",
        ),
        (
            "Derivative(x(t), t, t)*Derivative(x(t), (t, 2), t)",
            "x''*x'''",
        ),
        ("Rational(-3, 4)*x(t)**Rational(1, 3)", "(-3/4)*x^(1/3)"),
        ("Eq(m*Derivative(x(t), (t, 2)), -k*x(t))", "m*x'' = -k*x"),
        ("Eq(Max(a, b), Rational(1, 2))", "max(a, b) = (1/2)"),
        (
            "Abs(x) + Min(a, b) + sqrt(sin(x(t)))",
            "abs(x) + min(a, b) + sqrt(sin(x))",
        ),
        ("cot(x)**2*sec(x + 1)", "(1/tan(x))^2*(1/cos(x + 1))"),
        ("2*lambda(contact.0)*x(t)", "2*lambda(contact.0) *x"),
        ("lambda_*beta_ + gamma_2*E", "lambda*beta + gamma_2*exp(1)"),
        ("lambda_contact_0*1.0e-5", "lambda(contact.0)*1.0e-5"),
        ("Pow(x + 1, -2)", "((x + 1)^(-2))"),
        ("2**(-x)*10**-3", "2^(-x)*10^-3"),
        ("Eq(a, Max(b, 1), evaluate=False)", "a = max(b, 1)"),
        (
            "Mul(a, -b, Add(a, b), evaluate=False)",
            "((a)*(-b)*(((a) + (b))))",
        ),
    ];
    for (source, expected) in same {
        assert_eq!(text(source), expected, "{source}");
    }
    let read = from_sympy(
        "sin(theta(t))*Derivative(x(t), t) + x(t)",
        &SympyNames::default(),
    )
    .unwrap();
    assert_eq!(read.functions, ["theta", "x"]);
}

/// Names of a model are its own, whatever SymPy calls by them.
#[test]
fn names_of_a_model_win_over_those_of_sympy() {
    let mut names = SympyNames::default();
    for name in ["I", "E", "S", "N", "pi2", "beta", "Q"] {
        names.add(name);
    }
    let read = |text: &str| from_sympy(text, &names).unwrap();
    assert_eq!(read("I*E + S*N").text, "I*E + S*N");
    assert_eq!(read("I_*E_ + S_*N_").text, "I*E + S*N");
    let moving = read("beta_(t) + Derivative(Q(t), t) + S(t)");
    assert_eq!(moving.text, "beta + Q' + S");
    names.spell("I_", "moment");
    assert_eq!(from_sympy("I_", &names).unwrap().text, "moment");
}

#[test]
fn what_models_cannot_say_is_refused_where_it_stands() {
    let wrong = [
        ("x + I", 4..5, "`I` is no number"),
        (
            "1 + Piecewise((1, x > 0))",
            4..13,
            "unknown function `Piecewise`",
        ),
        ("x(s)", 0..1, "unknown function `x`"),
        (
            "2*Derivative(sin(x(t)), t)",
            2..12,
            "only functions of time",
        ),
        ("Derivative(x(t), (t, 12))", 0..10, "only functions of time"),
        ("Derivative(x(t), s)", 0..10, "only functions of time"),
        ("1 + Eq(a, b)", 4..6, "unknown function `Eq`"),
        ("Derivative", 0..0, ""),
    ];
    for (source, span, message) in wrong {
        let Err(errors) = from_sympy(source, &SympyNames::default()) else {
            assert!(message.is_empty(), "{source}");
            continue;
        };
        assert_eq!(errors[0].span.range(), span, "{source}");
        assert!(errors[0].message.starts_with(message), "{errors:?}");
    }
}

#[test]
fn places_lead_back_to_the_source() {
    let source = "m*Derivative(x(t), (t, 2)) + y";
    let read = from_sympy(source, &SympyNames::default()).unwrap();
    assert_eq!(read.text, "m*x'' + y");
    let at = |text: usize| read.origin(text);
    assert_eq!((at(0), at(1), at(2), at(6), at(8)), (0, 1, 2, 27, 29));
    assert!((0..30).all(|offset| at(offset) <= source.len() + 30));
}

#[test]
fn any_text_is_read_or_refused() {
    for source in [
        "",
        "(",
        ")",
        "Derivative(",
        "Derivative(x(t)",
        "x(",
        "Eq(",
        "é**ü",
        "1e",
        "1e+",
        "'",
    ] {
        let _ = from_sympy(source, &SympyNames::default())
            .map(|read| parse_expression(&read.text).is_ok());
    }
    let deep = format!("{}x{}", "Abs(".repeat(20_000), ")".repeat(20_000));
    let read = from_sympy(&deep, &SympyNames::default()).unwrap();
    assert!(parse_expression(&read.text).is_ok());
}

#[test]
fn choices_are_read_with_their_conditions_first() {
    let read = |text: &str| from_sympy(text, &SympyNames::default()).unwrap().text;
    let one = read("1 + Piecewise((a**2, x > 0), (b, True))");
    assert_eq!(one, "1 + if(x > 0, a^2, b)");
    let several = read("Piecewise((a, (x > 0) & (y < 1)), (b, x < -1), (c, True))*2");
    assert_eq!(several, "if((x > 0) and (y < 1), a, if(x < -1, b, c))*2");
    let nested = read("Piecewise((Piecewise((1, u > 0), (2, True)), x >= 0), (3, True))");
    assert_eq!(nested, "if(x >= 0, if(u > 0, 1, 2), 3)");
    assert_eq!(read("Piecewise((a, True))"), "(a)");
    for wrong in [
        "Piecewise(a, b)",
        "Piecewise()",
        "Piecewise((a, x > 0)",
        "Piecewise((a), (b, True))",
    ] {
        assert!(
            from_sympy(wrong, &SympyNames::default()).is_err(),
            "{wrong}"
        );
    }
}
