"""What SymPy and Typst say about the pages of `dalembert derive`."""

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import sympy
import typst
from conftest import DALEMBERT

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = ["pendulum", "phong-pendulum", "blajer-disk", "rolling-disk", "double-pendulum", "appell-hamel", "chaplygin-sleigh"]


def dalembert(*words):
    result = subprocess.run([DALEMBERT, *words], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def page(name, style, *options):
    return dalembert("derive", str(EXAMPLES / f"{name}.toml"), "--format", style, *options)


def parameters(name):
    """Values of the parameters, from the model file; those written in others come last."""
    import tomllib

    text = (EXAMPLES / f"{name}.toml").read_text()
    values = {}
    for key, value in tomllib.loads(text).get("parameters", {}).items():
        if isinstance(value, str):
            value = value.split(" ")[0] if value[0] in "-.0123456789" else value
            value = eval(value.replace("^", "**"), dict(values))
        values[key] = float(value)
    return values


@pytest.mark.parametrize("form", ["multipliers", "projection"])
@pytest.mark.parametrize("name", MODELS)
def test_sympy_reads_the_equations_and_they_hold(name, form):
    names = {}
    exec(page(name, "sympy", f"--formulation={form}"), names)
    equations = names["equations"]
    now = json.loads(dalembert("eval", str(EXAMPLES / f"{name}.toml"), "--json"))
    t = names["t"]
    values = {t: now["t"]}
    for key, value in parameters(name).items():
        values[sympy.Symbol(key, real=True)] = value
    for key, value in now["multipliers"].items():
        values[sympy.Symbol(f"lambda({key})", real=True)] = value
    functions = {}
    for key in now["coordinates"]:
        orders = [now["coordinates"][key], now["rates"][key], now["accelerations"][key]]
        functions[sympy.Function(key, real=True)(t)] = orders
    for key in now["speeds"]:
        if not key.endswith("'"):
            functions[sympy.Function(key, real=True)(t)] = [now["speeds"][key], now["speed_rates"][key]]
    for equation in equations:
        sides = []
        for side in (equation.lhs, equation.rhs):
            for function, orders in functions.items():
                for order in reversed(range(1, len(orders))):
                    side = side.subs(sympy.Derivative(function, (t, order)), orders[order])
                side = side.subs(function, orders[0])
            sides.append(float(side.subs(values)))
        assert abs(sides[0] - sides[1]) <= 1e-7 * (1 + abs(sides[0])), equation


@pytest.mark.parametrize("name", MODELS)
def test_typst_sets_the_page(name):
    for options in [(), ("--formulation=multipliers", "--steps")]:
        pages = typst.compile(page(name, "typst", *options).encode(), format="svg")
        pages = pages if isinstance(pages, list) else [pages]
        assert all(page.startswith(b"<svg") for page in pages)


@pytest.mark.parametrize("name", MODELS)
def test_html_is_well_formed(name):
    root = ElementTree.fromstring(page(name, "html", "--steps"))
    arity = {"mfrac": 2, "msup": 2, "msub": 2, "mover": 2}
    for element in root.iter():
        tag = element.tag.split("}")[-1]
        assert len(element) == arity.get(tag, len(element)), ElementTree.tostring(element)


@pytest.mark.parametrize("name", MODELS)
def test_latex_is_balanced(name):
    text = page(name, "latex", "--steps")
    assert text.count("{") == text.count("}") and text.count("\\left") == text.count("\\right"), text
    assert text.count("\\begin") == text.count("\\end")
