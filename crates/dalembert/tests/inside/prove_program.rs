use super::{Stated, statements};

#[test]
fn a_program_says_its_equations_names_and_spellings() {
    let text = "from sympy import *\n\nI_ = Symbol(\"I\", real=True) # a moment\nm, l = symbols('m l')\n\
         lambda_rod = Symbol(\"lambda(rod)\", real=True)\ns1 = sin(x(t))\n# words\nindependent = [x(t)]\n\
         equations = [\n    Eq(I_*s1, 0, evaluate=False),\n    Eq(m, Max(l, 1)),\n]\nM = Matrix([[m]])\nx(t) - 1 # end";
    let said = statements(text);
    let shown: Vec<String> = said
        .iter()
        .map(|stated| match stated {
            Stated::Equation(at) => text[at.clone()].to_owned(),
            Stated::Definition(name, value) => {
                format!("{}: {}", &text[name.clone()], &text[value.clone()])
            }
            Stated::Spelling(identifier, name) => format!("{identifier} ~ {name}"),
        })
        .collect();
    let expected = [
        "I_ ~ I",
        "m ~ m",
        "l ~ l",
        "lambda_rod ~ lambda(rod)",
        "s1: sin(x(t))",
        "Eq(I_*s1, 0, evaluate=False)",
        "Eq(m, Max(l, 1))",
        "x(t) - 1",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn printed_lists_and_lines_are_equations() {
    let text = "[Eq(a, b), Eq(c, d)]\nDerivative(x(t), t)\nEq(a,\n   b)";
    let said: Vec<&str> = statements(text)
        .iter()
        .filter_map(|stated| match stated {
            Stated::Equation(at) => Some(&text[at.clone()]),
            _ => None,
        })
        .collect();
    let expected = [
        "Eq(a, b)",
        "Eq(c, d)",
        "Derivative(x(t), t)",
        "Eq(a,\n   b)",
    ];
    assert_eq!(said, expected);
}
