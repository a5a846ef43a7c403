"""What SymPy prints is read back, and the equations that SymPy derives are proved to be ours.

Our text goes to SymPy, is rewritten there, printed by SymPy's `str`, and read again: its value must be the same. Then SymPy's
own Lagrange method derives equations of motion from energies, and `prove` must find them equivalent to the model's.
"""

import json
import subprocess

import pytest
import sympy
from conftest import DALEMBERT, ROOT
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
from test_printers import EXPRESSIONS, NAMES, calc, close, point, value

t = dynamicsymbols._t


def names():
    """Names of our SymPy text: constants, and x and theta as functions of time."""
    symbols = {name: sympy.Symbol(name) for name in [*NAMES, "lambda_"]}
    return {**vars(sympy), **symbols, "x": sympy.Function("x"), "theta": sympy.Function("theta"), "t": t}


FORMS = {
    "as it is": lambda expression: expression,
    "expanded": sympy.expand,
    "together": sympy.together,
    "rewritten": lambda expression: expression.rewrite(sympy.cos, sympy.sin),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_sympy_text_is_read_back(expression, form):
    values = point(5)
    theirs = eval(calc(expression, "--format=sympy")["printed"], names())
    text = str(FORMS[form](sympy.sympify(theirs)))
    command = [DALEMBERT, "calc", text, "--from=sympy", "--json"]
    read = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    settings = [f"--set={name}={values[name]!r}" for name in read["symbols"]]
    found = json.loads(subprocess.run([*command, *settings], capture_output=True, text=True, check=True).stdout)
    assert close(found["value"], value(expression, values)), text


CHOICES = {
    "Piecewise((x(t), (x(t) > 0) & (m < 2)), (2*m, x(t) < -1), (Piecewise((1, m > 1), (3, True)), True))": [
        ({"x": 0.5, "m": 1.0}, 0.5),
        ({"x": -2.0, "m": 1.0}, 2.0),
        ({"x": 0.5, "m": 3.0}, 1.0),
        ({"x": -0.5, "m": 0.5}, 3.0),
    ],
    "2*Piecewise((1, ~((x(t) > 0) | (m < 2))), (0, True)) + 1": [({"x": -1.0, "m": 3.0}, 3.0), ({"x": 1.0, "m": 3.0}, 1.0)],
}


@pytest.mark.parametrize("text", CHOICES)
def test_choices_of_sympy_are_read(text):
    """By SymPy's own values of the same text, too."""
    m, x = sympy.Symbol("m"), sympy.Function("x")
    theirs = sympy.sympify(text, locals={"x": x, "m": m, "t": t})
    for values, expected in CHOICES[text]:
        settings = [f"--set={name}={value!r}" for name, value in values.items()]
        command = [DALEMBERT, "calc", text, "--from=sympy", "--json", *settings]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        assert found["value"] == expected
        assert float(theirs.subs(x(t), values["x"]).subs(m, values["m"])) == expected


def test_a_choice_without_a_value_elsewhere_is_refused():
    command = [DALEMBERT, "calc", "1 + Piecewise((1, x > 0))", "--from=sympy"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1 and "(value, True) last" in result.stderr


def prove(model, equations):
    """The verdicts, and whether the equations are equivalent to the model."""
    command = [DALEMBERT, "prove", ROOT / "examples" / f"{model}.toml", "--equations=-", "--from=sympy", "--json"]
    lines = "\n".join(str(equation) for equation in equations)
    result = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert result.stdout, result.stderr
    document = json.loads(result.stdout)
    return [entry["verdict"] for entry in document["equations"]], document["equivalent"]


def parameters(text):
    return sympy.symbols(text, positive=True)


def pendulum_equations(length_sign=1):
    """A double pendulum by SymPy."""
    m1, m2, l1, l2, g = parameters("m1 m2 l1 l2 g")
    a, b = dynamicsymbols("a b")
    x1, y1 = l1 * sympy.sin(a), -l1 * sympy.cos(a)
    x2, y2 = x1 + l2 * sympy.sin(b), y1 - length_sign * l2 * sympy.cos(b)
    square = lambda x, y: sympy.diff(x, t) ** 2 + sympy.diff(y, t) ** 2  # noqa: E731
    energy = m1 / 2 * square(x1, y1) + m2 / 2 * square(x2, y2) - g * (m1 * y1 + m2 * y2)
    return LagrangesMethod(energy, [a, b]).form_lagranges_equations()


def test_sympys_double_pendulum_is_ours():
    assert prove("double-pendulum", pendulum_equations()) == (["proved", "proved"], True)


def test_a_wrong_double_pendulum_is_refuted():
    verdicts, equivalent = prove("double-pendulum", pendulum_equations(-1))
    assert "refuted" in verdicts and not equivalent


def test_sympys_bar_is_ours():
    m, a, k, g = parameters("m a k g")
    theta, phi = dynamicsymbols("theta phi")
    energy = m * a**2 / 6 * (sympy.diff(theta, t) ** 2 * sympy.sin(phi) ** 2 + sympy.diff(phi, t) ** 2)
    energy += m * g * a / 2 * sympy.cos(phi) - k * phi**2 / 2
    equations = LagrangesMethod(energy, [theta, phi]).form_lagranges_equations()
    assert prove("angeles-bar", [*equations, *map(sympy.simplify, equations)]) == (["proved"] * 4, True)


def test_sympys_axle_without_constraints_is_not_ours():
    """Nonholonomic constraints must not be put into the energy before it is differentiated, nor be left out."""
    m, a, l = parameters("m a l")  # noqa: E741
    q = dynamicsymbols("q1 q2 q3 q4 q5")
    rate = [sympy.diff(x, t) for x in q]
    energy = m * (rate[0] ** 2 + rate[1] ** 2) + m * a**2 / 4 * (rate[2] ** 2 + rate[3] ** 2)
    energy += m * (l**2 + a**2) / 4 * rate[4] ** 2
    free = LagrangesMethod(energy, q).form_lagranges_equations()
    verdicts, _ = prove("angeles-axle", free)
    assert verdicts == ["refuted", "refuted", "proved", "proved", "proved"]


def test_sympys_multipliers_are_ours_with_the_other_sign():
    m, l, g = parameters("m l g")  # noqa: E741
    x, y = dynamicsymbols("x y")
    energy = m / 2 * (sympy.diff(x, t) ** 2 + sympy.diff(y, t) ** 2) - m * g * y
    method = LagrangesMethod(energy, [x, y], hol_coneqs=[x**2 + y**2 - l**2])
    equations = method.form_lagranges_equations()
    ours = {dynamicsymbols("lam1"): -sympy.Symbol("lambda_rod")}
    assert prove("pendulum", [equation.subs(ours) for equation in equations]) == (["proved"] * 2, True)
    theirs = {dynamicsymbols("lam1"): sympy.Symbol("lambda_rod")}
    assert prove("pendulum", [equation.subs(theirs) for equation in equations]) == (["refuted"] * 2, False)
