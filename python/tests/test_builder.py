"""Models built in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

import dalembert as da
from dalembert.symbols import Rz, cos, sin, to_sympy

from conftest import sympy


def built() -> da.Model:
    """A pendulum in x and y."""
    m = da.Model("Pendulum")
    mass, l, g = m.parameter("m", "2 kg"), m.parameter("l", "1 m"), m.parameter("g", "9.81 m/s^2")
    x, y = m.coordinate("x", l), m.coordinate("y", "?")
    m.particle("P", mass, [x, y, 0])
    m.constraint("rod", da.Eq(x**2 + y**2, l**2))
    m.gravity([0, -g, 0])
    m.start(y.dot, "1 m/s")
    m.run_settings(span=1, record=["energy"])
    return m


def test_what_is_built_moves() -> None:
    m = built()
    assert m.check().counts.velocity_freedoms == 1
    assert m.prove("x''*y - y''*x = g*x").equivalent
    assert m.run().success


def test_it_is_saved_without_loss(tmp_path: Path) -> None:
    m = built()
    m.save(tmp_path / "pendulum.toml")
    again = da.load(tmp_path / "pendulum.toml")
    assert again.text == m.text
    assert again.check().dict() == m.check().dict()


def test_values_that_were_set_are_not_lost_without_a_word(pendulum: da.Model, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="l = 2 m"):
        pendulum.set(l="2 m").save(tmp_path / "pendulum.toml")
    pendulum.save(tmp_path / "pendulum.toml")
    assert da.load(tmp_path / "pendulum.toml").parameters == pendulum.parameters


def test_operators_write_what_they_mean() -> None:
    a, b, c = (da.Symbol(name) for name in "abc")
    x = da.Coordinate("x")
    assert str(a - (b - c)) == "a - (b - c)"
    assert str((a + b) * c / (a * b)) == "(a + b)*c/(a*b)"
    assert str(-(a**2)) == "-a^2"
    assert str((-a) ** 2) == "(-a)^2"
    assert str(2 * x.dot**2 / 2 - 0.5) == "2*x'^2/2 - 0.5"
    assert str(a / (b / c)) == "a/(b/c)"
    assert str(-(a + b)) == "-(a + b)"
    assert str(a - -b) == "a - (-b)"
    assert str(sin(a) + 1 >= x.ddot) == "sin(a) + 1 >= x''"
    with pytest.raises(TypeError, match="no truth value"):
        bool(x > 0)


def test_values_of_texts_are_those_of_python() -> None:

    a, b, c = (da.Symbol(name) for name in "abc")
    numbers = [1.3, 0.7, -2.1]
    cases: list[tuple[da.Expression, Callable[[float, float, float], float]]] = [
        (a - b - c, lambda a, b, c: a - b - c),
        (a / b / c, lambda a, b, c: a / b / c),
        (a / (b * c), lambda a, b, c: a / (b * c)),
        (-(a**2) * b, lambda a, b, c: -(a**2) * b),
        (2 ** (a + b), lambda a, b, c: 2 ** (a + b)),
        ((a - b) ** 2 - c, lambda a, b, c: (a - b) ** 2 - c),
        (a * (b + "c - 1"), lambda a, b, c: a * (b + (c - 1))),
    ]
    for written, meant in cases:
        found = to_sympy(str(written)).subs({sympy.Symbol(k, real=True): v for k, v in zip("abc", numbers, strict=True)})
        assert float(found) == pytest.approx(meant(*numbers)), str(written)


def test_sympy_is_taken_and_given_back() -> None:

    t, l, g, mass = sympy.symbols("t l g m")
    theta = sympy.Function("theta")(t)
    m = da.Model("Pendulum")
    m.parameter("m", "2 kg")
    m.parameter("l", "1 m")
    m.parameter("g", "9.81 m/s^2")
    m.coordinate("theta", 0.5)
    m.energy(kinetic=mass * l**2 * theta.diff(t) ** 2 / 2, potential=-mass * g * l * sympy.cos(theta))
    assert m.prove("l*theta'' = -g*sin(theta)").equivalent
    given = da.Coordinate("theta")
    back = (cos(given) * given.dot**2 / 2 - sympy.Rational(1, 3)).to_sympy()
    time = sympy.Symbol("t", real=True)
    moving = sympy.Function("theta", real=True)(time)
    assert sympy.simplify(back - (sympy.cos(moving) * moving.diff(time) ** 2 / 2 - sympy.Rational(1, 3))) == 0


def test_bodies_frames_joints_and_events() -> None:
    m = da.Model("Two links", planar=True)
    length = m.parameter("l", "0.5 m")
    m.gravity([0, -9.81, 0])
    links = [
        m.body(f"link{i}", mass=1, shape={"rod": {"length": length, "axis": "x"}}, point={"foot": [-length / 2, 0, 0], "tip": [length / 2, 0, 0]})
        for i in range(2)
    ]
    m.joint("A", "revolute", ["point(ground, [0, 0, 0])", links[0].point("foot")])
    m.joint("B", "revolute", [links[0].point("tip"), links[1].point("foot")])
    m.event("low", links[1].coordinate("y") < -0.6, stop=True)
    m.run_settings(span=2)
    assert m.check().counts.velocity_freedoms == 2
    assert m.run().report.status == "event"


def test_attitudes_are_products() -> None:
    m = da.Model("Turning rod")
    angle = m.coordinate("phi")
    rod = m.body("rod", mass=1, shape={"rod": {"length": 1, "axis": "x"}}, center=[cos(angle) / 2, sin(angle) / 2, 0], attitude=Rz(angle))
    m.force("push", on=str(rod), at=rod.center, vector=[0, 1, 0])
    assert m.check().counts.coordinates == 1


def test_mistakes_name_the_python_line() -> None:
    m = da.Model("Mistaken")
    m.coordinate("x", 1)
    frame = inspect.currentframe()
    assert frame is not None
    m.energy(kinetic="x'^2/2", potential="k*x^2")
    line = frame.f_lineno - 1
    with pytest.raises(da.ModelError) as refused:
        m.check()
    assert refused.value.python_file == __file__
    assert refused.value.python_line == line
    assert f"{Path(__file__).name}:{line}" in str(refused.value)


def test_a_model_that_was_read_does_not_change(pendulum: da.Model) -> None:
    with pytest.raises(TypeError, match="does not change"):
        pendulum.parameter("k", 1)
    with pytest.raises(ValueError, match="already"):
        m = da.Model()
        m.coordinate("x")
        m.coordinate("x")
