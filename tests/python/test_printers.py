"""What other people's programs say about our output.

Every printed form is read by the program it is written for - Python, SymPy, Typst, a C compiler, an XML parser - and its
value, and the value of its derivative, is compared with SymPy's own.
"""

import json
import math
import random
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import sympy
import typst
from conftest import DALEMBERT

# Expressions in the model's syntax; x and theta move, the other names are constants.
EXPRESSIONS = [
    "m/2*(x'^2 + theta'^2*x^2) + 0*theta",
    "m*g*x*sin(theta) - k/2*(x - l0)^2",
    "(m*r^2 + J)*sin(theta)^2*x' + J*theta''",
    "x/(k*m) - m/(x/k)",
    "-x^2 + (-x)^3 - x^-2",
    "sqrt(x^2 + k^2)/(1 + x^2)^(3/2)",
    "exp(-k*t)*cos(3*t + theta) + log(x^2 + 1)",
    "atan2(sin(theta), cos(theta) + 2) + asin(x/9) + acos(x/9) + atan(x)",
    "sinh(x/3) + cosh(x/3) + tanh(x) + tan(theta/5)",
    "abs(x - 7) + sign(k) + min(x, 9) + max(m, -3)",
    "smooth_sign(x, 0.1) + pi*x/180 + 9.81*m + 6.674e-11",
    "x^(1/3) + k^x + 2^-x + (x + 1)^(m + 1)",
    "a/b/k*l0 - (a - (b - k)) - (a - b)*(a + b)",
    "lambda + alpha_1*omega2 + speed*x_dot",
    "if(x > 1, sqrt(x - 1), k*x) + if(theta <= 1.2, x^2, if(x < 0.7, 1, m)) + step(theta - 1)*m + ramp(x - 1) + pulse(t, 1)",
]
NAMES = sorted(
    {name for text in EXPRESSIONS for name in re.findall(r"[A-Za-z_]\w*", text)}
    - {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt"}
    - {"if", "step", "ramp", "pulse", "abs", "sign", "min", "max", "smooth_sign", "pi", "e", "x_dot", "x", "theta", "t"}
)


def calc(expression, *options):
    """The JSON document of `dalembert calc`; x and theta always move."""
    text = f"({expression}) + 0*x' + 0*theta'"
    command = [DALEMBERT, "calc", text, *options, "--json"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def point(seed):
    """Values of all names, positive and moderate."""
    rng = random.Random(seed)
    names = ["x", "x'", "x''", "theta", "theta'", "theta''", "t", *NAMES]
    return {name: rng.uniform(0.3, 2.0) for name in names}


def value(expression, values, *options):
    """The value by our own evaluator; names that do not occur are not set."""
    names = calc(expression, *options)["symbols"]
    settings = [f"--set={name}={values[name]!r}" for name in names]
    return calc(expression, *options, *settings)["value"]


def identifiers(values):
    """Values by the names that programs use; lambda is taken in Python only."""
    spell = {"x'": "x_dot", "x''": "x_ddot", "theta'": "theta_dot", "theta''": "theta_ddot", "lambda": "lambda_"}
    return {spell.get(name, name): number for name, number in values.items()}


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-11, abs_tol=1e-12)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_python_text_has_our_value(expression):
    values = point(1)
    printed = calc(expression, "--format=python")["printed"]
    helpers = {
        "math": math,
        "dalembert_sign": lambda v: math.copysign(1.0, v) if v else v,
        "dalembert_min": min,
        "dalembert_max": max,
        "dalembert_above": lambda x, value: value() if x > 0 else 0.0,
        "dalembert_not_above": lambda x, value: value() if x <= 0 else 0.0,
    }
    # All in one place: what stands behind `lambda:` does not see local names.
    assert close(eval(printed, {**helpers, **identifiers(values)}), value(expression, values)), printed


def test_c_text_has_our_value():
    values = identifiers(point(2)) | {"lambda": point(2)["lambda"]}
    names = sorted(values)
    lines = ["#include <math.h>", "#include <stdio.h>"]
    lines += ["static double dalembert_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }"]
    lines += ["static double dalembert_min(double x, double y) { return x < y || x != x ? x : y; }"]
    lines += ["static double dalembert_max(double x, double y) { return x > y || x != x ? x : y; }"]
    lines += ["static double dalembert_above(double x, double y) { return x > 0 ? y : 0; }"]
    lines += ["static double dalembert_not_above(double x, double y) { return x > 0 ? 0 : y; }"]
    lines += ["int main(void) {", *(f"  double {name} = {values[name]!r}; (void){name};" for name in names)]
    for expression in EXPRESSIONS:
        lines.append(f'  printf("%.17g\\n", {calc(expression, "--format=c")["printed"]});')
    lines += ["  return 0;", "}"]
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory) / "values.c"
        source.write_text("\n".join(lines))
        program = Path(directory) / "values"
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-O1", "-ffp-contract=off"]
        subprocess.run(["cc", *flags, "-o", program, source, "-lm"], check=True)
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    for expression, printed in zip(EXPRESSIONS, output.split(), strict=True):
        assert close(float(printed), value(expression, point(2))), expression


def real(name):
    """All names stand for real numbers; SymPy's own assumption is complex ones."""
    return sympy.Symbol(name, real=True)


def sympy_expression(expression, *options):
    """Our SymPy text, read by SymPy, with derivatives replaced by plain symbols."""
    text = calc(expression, *options, "--format=sympy")["printed"]
    t = real("t")
    names = {name: real(name) for name in [*identifiers(point(0)), "lambda_"]}
    names |= {"x": sympy.Function("x", real=True), "theta": sympy.Function("theta", real=True), "t": t}
    read = eval(text, {**vars(sympy), **names})
    for name in ("theta", "x"):
        function = names[name](t)
        for order, spelling in ((2, "_ddot"), (1, "_dot")):
            read = sympy.sympify(read).subs(sympy.Derivative(function, (t, order)), real(name + spelling))
        read = read.subs(function, real(name))
    return read


def number(expression, values):
    symbols = {real(name): sympy.Float(repr(v), 40) for name, v in identifiers(values).items()}
    return float(sympy.sympify(expression).evalf(30, subs=symbols))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_sympy_reads_it_and_agrees(expression):
    values = point(3)
    assert close(number(sympy_expression(expression), values), value(expression, values))


@pytest.mark.parametrize("by", ["x", "theta'", "m", "k"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_our_derivative_is_sympys(expression, by):
    values = point(4)
    ours = number(sympy_expression(expression, f"--diff={by}", "--simplify"), values)
    symbol = real(by.replace("'", "_dot"))
    theirs = number(sympy.diff(sympy_expression(expression), symbol), values)
    assert close(ours, theirs), (ours, theirs)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_model_text_reads_back(expression):
    once = calc(expression)["expression"]
    result = subprocess.run(
        [DALEMBERT, "calc", once, "--format=model"], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == once


def test_typst_accepts_all():
    lines = [f"$ {calc(expression, '--format=typst')['printed']} $" for expression in EXPRESSIONS]
    page = typst.compile("\n\n".join(lines).encode(), format="svg")
    assert page.startswith(b"<svg")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_mathml_is_well_formed(expression):
    root = ElementTree.fromstring(calc(expression, "--format=mathml")["printed"])
    arity = {"mfrac": 2, "msup": 2, "msub": 2, "mover": 2}
    for element in root.iter():
        name = element.tag.split("}")[-1]
        assert len(element) == arity.get(name, len(element)), ElementTree.tostring(element)
    assert root.tag == "{http://www.w3.org/1998/Math/MathML}math"


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_latex_braces_are_balanced(expression):
    text = calc(expression, "--format=latex")["printed"]
    assert text.count("{") == text.count("}") and text.count("\\left") == text.count("\\right"), text
